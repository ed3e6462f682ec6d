"""Every figure the checks may ask of a rulebook: its unit, its choices, and what each book states.

A name that is not here is asked by nothing, so a rulebook that has it is mistaken: `law.py` refuses
it when it is read. The figures themselves stand in the rulebooks alone.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from casino.law.rulebook.law_text import CHOICE, RATIO, YES_NO

_BY_UNIT: Final[Mapping[str, str]] = {
    YES_NO: "bank.peeks bank.rests_when_all_out blackjack.beats_twenty_one blackjack.paid_at_once"
    " double.after_split face_up_card.out_of_play others.complete_to_maximum others.need_consent"
    " others.stake separator.last_round separator.may_void_round split.aces_one_card split.resplit"
    " split.stake_equal split.two_card_21_is_blackjack stake.multiple_of_minimum"
    " stake.within_limits",
    RATIO: "blackjack.pays even_money.pays insurance.at_most insurance.exactly insurance.pays"
    " special.pays surrender.loses tie.pays warning_card.one_player win.pays",
    "points": "ace.values bank.draws_to bank.stands_at double.totals hit.until stand.above"
    " target.points",
    "boxes": "boxes.allowed boxes.maximum player.boxes_maximum player.boxes_minimum_alone",
    "cards": "burn.cards decks.cards double.cards jackpot.cards_counted shoe.special_cards"
    " warning_card.from_end warning_card.tolerance_breach warning_card.tolerance_warning",
    "chips": "jackpot.chips_per_player",
    "decks": "decks.allowed decks.of_each_colour",
    "minutes": "complaint.answered_within csm.called_within csm.communicated_within"
    " csm.deferred_within csm.loaded_within jackpot.chips_under_way jackpot.display_follows_within"
    " jackpot.restart_within witness.within",
    "packets": "csm.packets_minimum",
    "passes": "csm.passes_minimum shuffle.passes_minimum",
    "times": "card_order.shoes_a_false_alarm cards_seen.games_a_false_alarm csm.light_rounds"
    " csm.loads double.times hidden_cards.players_a_false_alarm jackpot.start_times"
    " limits.maximum_over_minimum",
}
# What a figure of unit `choice` may say.
CHOICES: Final[Mapping[str, str]] = {
    "bank.bust": "loses nearer_wins",
    "bank.insurance_open": "rests draws",
    "bank.naturals_only": "either must_draw",
    "bank.paid_out": "either out in_play",
    "bank.second_card": "face_down after_players",
    "bank.soft_seventeen": "stands draws",
    "card.beyond_right": "void counts",
    "complaint.cards": "house article",
    "complaint.window": "until_inserted until_collected",
    "csm.burn": "burnt waived",
    "csm.hindrances": "machine_or_dispute machine",
    "csm.lid": "house article",
    "csm.loading_time": "house article",
    "csm.puts_back": "any continuous",
    "csm.reload_after_opening": "note finding",
    "csm.replaced_by": "next_round end_of_game",
    "cut.after_highest_seat": "lowest_seat fiscal_de_banca",
    "cut.after_refusal": "from_cutter from_due",
    "cut.dealers_card": "blue",
    "cut.players_card": "red",
    "cut.reset_by": "any_stop stop_or_reopening dealer_change_too",
    "decks.colours": "red_and_blue",
    "deck.one_card_replaced": "shuffler_tables never",
    "double.complementary": "with_holder free",
    "double.fixed_ace": "doubled_on every",
    "double.split_aces": "forbidden allowed",
    "even_money.chosen_by": "owner holder",
    "finding.cites": "amount_due result",
    "inspectorate.name": "both as_written",
    "insurance.half_of": "owner_first_stake box_total",
    "insurance.until": "second_card_known any_card first_word",
    "jackpot.cards_of": "box_in_dealing_order first_hand",
    "jackpot.chip_for": "player box",
    "jackpot.main_stake_of": "box player",
    "jackpot.open_cards": "before_collection collected_at_once",
    "jackpot.remainder": "top_combination highest_winner",
    "jackpot.share_of": "value_when_won what_is_left",
    "jackpot.top_combination": "house article",
    "limits.bind": "initial final",
    "misdealt.next": "any_hand another_box",
    "misdealt.standing_bank": "discard bank",
    "money.odd_cent": "player house",
    "others.own_stake": "not_needed needed",
    "outcome.after_breach": "as_the_law_deals not_decidable as_it_lay",
    "peek.late_stakes": "returned lost",
    "peek.surrender": "lost half",
    "special.cards": "first_three exactly_three",
    "split.asks_a_card": "one_at_least none_needed",
    "split.equal_by": "value rank",
    "split.limit": "unlimited once twice three_times",
    "split.non_follower": "kept_card any_hand",
    "split.played": "players_right dealers_right",
    "split.resplit_aces": "unlimited once never",
    "stake.maximum_itself": "forbidden allowed",
    "stake.unlawful": "as_it_lay returned",
    "stand.total": "best lowest",
    "surrender.after_split": "forbidden allowed",
    "surrender.against_ace": "forbidden allowed",
    "surrender.before": "any_card own_card",
    "vacant.equal_stakes": "per_owner as_decider",
    "vacant.tie": "lowest_seat any_of_the_equals",
    "warning_card.one_player_is": "one_person one_box",
    "witness.presence": "word named_on_record breach",
}
UNITS_OF: Final[Mapping[str, str]] = {
    **{name: unit for unit, names in _BY_UNIT.items() for name in names.split()},
    **dict.fromkeys(CHOICES, CHOICE),
}
# The most a number of each unit may be: beyond it whoever wrote it slipped.
MOST: Final[Mapping[str, int]] = {
    "boxes": 100, "cards": 10_000, "chips": 1_000, "decks": 100, "minutes": 1_000_000,
    "packets": 100, "passes": 100, "points": 100, RATIO: 1_000, "times": 1_000_000,
}  # fmt: skip
# What is a part of something, so never more than the whole of it.
_SHARES: Final = frozenset(
    ["insurance.at_most", "insurance.exactly", "surrender.loses", "warning_card.one_player"]
)
# What may be nought beside minutes; any other figure would then ask for nothing.
_NOUGHT: Final = frozenset(
    [
        "burn.cards",
        "csm.light_rounds",
        "csm.passes_minimum",
        "shoe.special_cards",
        "shuffle.passes_minimum",
        "stand.above",
        "tie.pays",
        "warning_card.from_end",
        "warning_card.tolerance_breach",
        "warning_card.tolerance_warning",
    ]
)
# Asked of every round there is, so that no rulebook can do without them.
REQUIRED: Final = (
    "target.points", "blackjack.pays", "bank.draws_to", "bank.stands_at", "bank.soft_seventeen",
    "bank.peeks", "bank.bust", "win.pays", "tie.pays", "card.beyond_right", "outcome.after_breach",
)  # fmt: skip
# What a rulebook has to state once another figure is stated, or may be true.
WITH: Final[Mapping[str, tuple[str, ...]]] = {
    "surrender.loses": ("surrender.after_split", "surrender.against_ace"),
    "even_money.pays": ("even_money.chosen_by",),
    "special.pays": ("special.cards",),
}
WHERE_THE_BANK_LOOKS: Final = ("peek.late_stakes",)
AND_SURRENDERS: Final = ("peek.surrender",)


def bounds_of(name: str) -> tuple[Fraction, Fraction]:
    """The least and the most a figure that is a number may be, in its unit.

    Law: of no article; no house's text comes near either.
    """
    unit = UNITS_OF[name]
    least = Fraction(1, MOST[RATIO]) if unit == RATIO else Fraction(1)
    if name in _NOUGHT or unit == "minutes":
        least = Fraction(0)
    return least, Fraction(1 if name in _SHARES else MOST[unit])
