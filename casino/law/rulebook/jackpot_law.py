"""What the law asks of the progressive prize, as checks with a name and a statement.

The law is one book, so its checks are named here; what they look at is recorded in events of the
jackpot's own room, and there `jackpot.rules` asks them.

Law: PT art. 38 to 50.
"""

from typing import Final

from casino.law.finding import Rule, Severity


def _asked(name: str, statement: str, *needs: str, severity: Severity = "breach") -> Rule:
    return Rule(name, "jackpot", statement, needs=needs, severity=severity)


OPTION: Final = _asked(
    "jackpot_option_is_communicated",
    "The choice of a progressive prize was made known to the inspectorate before it was played.",
)
PLACE: Final = _asked(
    "jackpot_place_is_marked",
    "A table with a progressive prize has a slot or a marked spot for the side stake.",
)
IN_FORCE: Final = _asked(
    "jackpot_terms_are_in_force",
    "Side stakes are taken under terms that are in force, at their tables.",
)
CONFIRMED: Final = _asked(
    "jackpot_terms_are_confirmed",
    "A second person has confirmed the terms by which side stakes are taken.",
    severity="deviation",
)
APPROVED: Final = _asked(
    "jackpot_terms_are_approved",
    "The inspectorate had set the terms by the day on which they were used.",
)
PROPOSED: Final = _asked(
    "jackpot_terms_were_proposed",
    "The inspectorate set the terms and their conditions on the concession holder's proposal.",
)
NOT_BACK: Final = _asked(
    "jackpot_terms_do_not_reach_back",
    "Terms hold only for what is played after they were recorded.",
    severity="deviation",
)
LIMIT: Final = _asked(
    "jackpot_meter_is_within_its_limit",
    "The meter runs no higher than its approved terms let it.",
    severity="warning",
)
SOURCES: Final = _asked(
    "jackpot_sources_agree",
    "The chips that feed the meter are those the round's record and the increment both tell.",
)
HOW_MARKED: Final = _asked(
    "jackpot_marking_as_registered",
    "A table is registered with the marking that its terms name.",
    severity="warning",
)
MARKERS: Final = _asked(
    "jackpot_markers_are_laid",
    "With manual marking a marker takes the place of every chip that is collected.",
)
METER: Final = _asked(
    "jackpot_meter_is_as_told",
    "A seal or a win tells the value of the meter that the records before it make.",
)
DISPLAY: Final = _asked(
    "jackpot_display_shows_the_meter",
    "A display shows the value that the records before it make.",
    "jackpot.display_follows_within",
    "jackpot.chips_under_way",
)
COUNTED: Final = _asked(
    "jackpot_counted_cards_are_lawful",
    "The player's first two, three or four cards count, no other number.",
    "jackpot.cards_counted",
)
PRIZES: Final = _asked(
    "jackpot_prizes_as_approved",
    "Every prize is what the approved table says, whatever became of the main stake.",
)
UNREPORTED: Final = _asked(
    "jackpot_winning_cards_are_told",
    "Wherever a chip lay and the cards that count win, the win is recorded.",
    "jackpot.cards_of",
)
DUE: Final = _asked(
    "jackpot_prizes_follow_the_meter",
    "Every prize follows from the approved table and from the meter as the records make it.",
)
START: Final = _asked(
    "jackpot_start_is_high_enough",
    "The meter starts, and starts again, with ten thousand times its side stake at least.",
    "jackpot.start_times",
)
RESTART: Final = _asked(
    "jackpot_is_started_when_due",
    "A starting value is put in before the first chip and after each full payout, and only then.",
    "jackpot.restart_within",
)
MAIN_STAKE: Final = _asked(
    "jackpot_chip_has_a_main_stake",
    "Only a player with a main stake plays for the progressive prize.",
    "jackpot.main_stake_of",
)
LAID: Final = _asked(
    "jackpot_winner_laid_a_chip", "Whoever wins a progressive prize had laid a chip in that round."
)
AS_DEALT: Final = _asked(
    "jackpot_won_by_first_cards",
    "The prize is decided by the player's first cards, and by nothing else.",
    "jackpot.cards_of",
)
ONE_CHIP: Final = _asked(
    "one_chip_per_player",
    "In each round a player stakes one chip on the progressive prize, not more.",
    "jackpot.chips_per_player",
    "jackpot.chip_for",
)
AMOUNT: Final = _asked(
    "jackpot_chip_is_of_the_set_amount",
    "A chip on the progressive prize is worth what the terms set, no more and no less.",
)
BEFORE_DEAL: Final = _asked(
    "jackpot_chips_precede_the_deal",
    "The chips are down, and the stakes called closed, before the deal begins.",
)
OPEN: Final = _asked(
    "jackpot_cards_stay_open_until_paid",
    "Winning cards lie open on the table until their prize has been paid.",
    "jackpot.open_cards",
)
TOP: Final = _asked(
    "jackpot_has_a_top_combination",
    "One combination wins the whole meter, so that there is one to take what is left.",
    severity="deviation",
)
REMAINDER: Final = _asked(
    "jackpot_remainder_to_the_top",
    "What is left goes to the top combination, in equal shares where several have it.",
    "jackpot.remainder",
)
BORNE: Final = _asked(
    "jackpot_meter_bears_the_prizes", "The meter holds enough for every smaller prize of a round."
)
SMALLEST: Final = _asked(
    "jackpot_smallest_prize_first",
    "Of several prizes of one round the smallest is paid first, the remainder last.",
)
ONCE: Final = _asked("jackpot_prize_is_paid_once", "Every prize is paid once.")
CLAIM: Final = _asked(
    "jackpot_claim_is_within_the_money",
    "Nothing is paid that start values and contributions cannot explain.",
    severity="deviation",
)
ORDER: Final = _asked(
    "jackpot_wins_in_the_decided_order",
    "Wins of one moment are recorded in the order in which the house decided them.",
    severity="note",
)
