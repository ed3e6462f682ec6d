"""Partidas that one reading of the law judges otherwise than another."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from casino.events.shoes import CardBurned, DeckPasses, PlayInterrupted
from casino.events.shufflers import ShufflerRegistered
from tests.factories.complaints import complaint
from tests.factories.damaged_decks import damaged, exchanged
from tests.factories.games import CHEFE, Game, cut_by, moment, shuffler_evening
from tests.factories.pool_acts import LINES, laid
from tests.factories.pool_games import (
    collected_at_once,
    main_stake_elsewhere,
    no_top,
    prepared,
    sevens_across_hands,
    two_chips,
)
from tests.factories.rounds import box, main
from tests.factories.rounds_put_back import rounds
from tests.factories.shuffler import record_jam, reloaded, unwitnessed
from tests.factories.shuffler_incidents import recorded_late
from tests.factories.shuffler_opened import lid_opened
from tests.factories.shuffler_troubles import jam

NEAR = "9 warning_card_near_its_place"
RIGHTFUL = "8 cut_by_rightful_seat"


class Parting(NamedTuple):
    """A partida and everything cited under each choice of one reading."""

    game: Callable[[], Game]
    cited: Mapping[str | int, list[str]]


def shoes(*cuts: dict[str, Any], dealers: str = "") -> Game:
    """Shoes prepared one after another with these cuts; ``dealers="AB"``: who shuffled each."""
    game = Game()
    for dealer in set(dealers):
        game.grant(f"S-{dealer}", "pagador")
    for shoe, cut in enumerate(cuts, 1):
        shuffle = {"shuffled_by": f"S-{dealers[shoe - 1]}"} if dealers else {}
        game.prepare(shoe, f"{19 + shoe}:00", cut=dict(cut), shuffle=shuffle)
    return game


def waived() -> Game:
    game = shuffler_evening()
    game.drop(CardBurned)
    return game


def replaced_late() -> Game:
    game = damaged(dealing="shuffler", replaced="card", resolved_at=moment("20:55"))
    report = game.entries[-1]
    game.round(1, 4, "20:50")
    game.witness(report, CHEFE)
    return exchanged(game, "20:55")


def late_at_a_batch_machine() -> Game:
    game = rounds("20:21", "20:23")
    game.record(CardBurned, "20:00", shoe=1, cards=1)
    game.outside(ShufflerRegistered, continuous=False)
    return game


def warned(from_end: int) -> Game:
    game = Game()
    game.prepare(1, warning={"cards_from_end": from_end, "players": 3})
    return game


def twice_shuffled() -> Game:
    game = Game("shuffler")
    passes = tuple(DeckPasses(deck=deck, passes=2) for deck in game.decks)
    game.witness(game.load(shuffled={"decks": passes}))
    return game


def burnt(game: Game) -> Game:
    game.record(CardBurned, "20:00", shoe=1, cards=1)
    return game


def no_line_wins_the_whole() -> Game:
    game = prepared(lines=LINES[1:])
    laid(game)
    return game


def after_an_incident() -> Game:
    game = shoes(cut_by(1), cut_by(2), cut_by(1), dealers="ABB")
    game.record(PlayInterrupted, "21:40", reason="incident")
    return game


ALONE: Final = {"seats_occupied": (1,)}


def one_person_two_boxes() -> Game:
    game = Game()
    game.prepare(1, cut={**ALONE}, warning={"cards_from_end": 156, "players": 1})
    boxes = [box(at, "TS 8D", main(1000, 2000), holder="J1") for at in (1, 2)]
    game.round(1, 1, boxes=boxes)
    return game


PARTINGS: Final[dict[str, Parting]] = {
    # 1 declined and 2 cut; counted from the cutter 5 is next, counted from the due seat 2 is.
    "cut-after-refusal": Parting(
        lambda: shoes(cut_by(2, "1- 2+"), cut_by(5)), {"from_cutter": [], "from_due": [RIGHTFUL]}
    ),
    # 5 is the highest seat: then 1 cuts again, or the fiscal de banca.
    "cut-wraps": Parting(
        lambda: shoes(cut_by(1), cut_by(2), cut_by(5), cut_by(1)),
        {"lowest_seat": [], "fiscal_de_banca": [RIGHTFUL]},
    ),
    # Another dealer shuffled the second shoe: 2 is next, or 1 again. Before the third play stopped
    # for an incident: then 1 cuts again, or 5 is next.
    "interruption": Parting(
        after_an_incident,
        {
            "any_stop": [],
            "stop_or_reopening": [RIGHTFUL],
            "dealer_change_too": [RIGHTFUL, RIGHTFUL],
        },
    ),
    "one-player": Parting(
        one_person_two_boxes, {"one_person": [], "one_box": ["9 warning_card_at_its_place"]}
    ),
    "near-the-place": Parting(lambda: warned(53), {15: [], 0: ["9 warning_card_at_its_place"]}),
    "near-the-place-warned": Parting(lambda: warned(53), {5: [], 0: [NEAR]}),
    "customary-passes": Parting(
        twice_shuffled,
        {1: [], 3: ["53 loaded_decks_shuffled_by_hand"]},
    ),
    "called-at-once": Parting(
        lambda: jam(called_at="21:03"), {5: [], 1: ["51 fiscal_chefe_called_at_once"]}
    ),
    "notice-in-time": Parting(
        lambda: recorded_late(61), {1440: [], 60: ["51 damaged_card_communicated_in_time"]}
    ),
    # In with the next round's, half a minute later.
    "together-with-the-next": Parting(
        lambda: burnt(rounds("20:23:30", "20:23", waiting="1")),
        {1: [], 0: ["60 deferred_cards_go_with_the_next"]},
    ),
    "not-possible": Parting(
        lambda: burnt(rounds("20:23", "20:23", waiting="1", why="dispute")),
        {"machine_or_dispute": [], "machine": ["60 deferral_has_its_cause"]},
    ),
    "shuffler-burn": Parting(waived, {"burnt": ["10 shoe_is_burnt"], "waived": []}),
    "reload-after-jam": Parting(
        lambda: reloaded(record_jam),
        {"note": ["54 shuffler_reloaded_after_opening"], "finding": ["54 shuffler_loaded_once"]},
    ),
    # Torn in the shuffler and exchanged by a fiscal-chefe, without leave of the inspection.
    "one-card-replaced": Parting(
        lambda: exchanged(damaged(dealing="shuffler", replaced="card"), by=CHEFE),
        {"shuffler_tables": [], "never": ["5 single_card_replaced_with_leave"]},
    ),
    # Torn in the shuffler, and exchanged after another round was dealt from it.
    "replaced-at-once": Parting(
        replaced_late,
        {"next_round": ["51 damaged_card_replaced_at_once"], "end_of_game": []},
    ),
    # The load names a fiscal-chefe, who never said a word.
    "presence-shown": Parting(
        lambda: unwitnessed(fiscal_chefe=CHEFE),
        {
            "word": ["54 loading_witnessed"],
            "named_on_record": [],
            "breach": ["54 loading_witnessed, a breach"],
        },
    ),
    "hour-of-loading": Parting(
        lambda: Game("shuffler"),
        {
            "house": ["house.shuffler shuffler_loaded_soon_after_opening"],
            "article": ["54 shuffler_loaded_soon_after_opening"],
        },
    ),
    "lid-opened": Parting(
        lambda: lid_opened("maintenance"),
        {
            "house": ["house.shuffler shuffler_opened_only_for_cause"],
            "article": ["57 shuffler_opened_only_for_cause"],
        },
    ),
    # A machine filled once, whose cards were put back after the next round had begun.
    "shuffler-of-58-to-60": Parting(
        late_at_a_batch_machine,
        {"any": ["59 cards_put_back_before_the_next_round"], "continuous": []},
    ),
    "disputed-cards": Parting(
        lambda: complaint("20:11", reviewed=None, decided="22:00"),
        {
            "house": ["house.complaints disputed_cards_wait_for_review"],
            "article": ["61 disputed_cards_wait_for_review"],
        },
    ),
    "top-combination": Parting(
        no_line_wins_the_whole,
        {
            "house": ["house.jackpot jackpot_has_a_top_combination"],
            "article": ["50 jackpot_has_a_top_combination"],
        },
    ),
    # Received when the cards were collected and not yet put back.
    "complaint-window": Parting(
        lambda: complaint("20:12:30"),
        {"until_inserted": [], "until_collected": ["61 late_complaint_not_upheld"]},
    ),
    "one-chip": Parting(
        lambda: two_chips("1 J1 1, 4 J1 1"), {"player": ["47 one_chip_per_player"], "box": []}
    ),
    "jackpot-main-stake": Parting(
        main_stake_elsewhere, {"box": ["45 jackpot_chip_has_a_main_stake"], "player": []}
    ),
    "jackpot-cards": Parting(
        sevens_across_hands,
        {"box_in_dealing_order": [], "first_hand": ["46 jackpot_won_by_first_cards"]},
    ),
    "jackpot-before-collect": Parting(
        collected_at_once,
        {"before_collection": ["49 jackpot_cards_stay_open_until_paid"], "collected_at_once": []},
    ),
    "jackpot-remainder": Parting(
        no_top, {"top_combination": [], "highest_winner": ["50 jackpot_remainder_to_the_top"]}
    ),
    "jackpot-share-of": Parting(
        no_top, {"value_when_won": [], "what_is_left": ["43 jackpot_prizes_as_approved"]}
    ),
}
