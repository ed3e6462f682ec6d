"""PT art. 7 and 10: the cards shown before play, the burnt card (8: the cut, 9: warning card)."""

from typing import Any

import pytest

from casino.events.decks import DeckInspected
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardBurned, DeckPasses
from tests.factories.games import (
    DECKS,
    LEFT_OUT,
    Game,
    evening,
    iso,
    shuffler_evening,
)
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, findings, said, the_finding

CARDS = "exhibited_deck_has_its_cards"
SHOWN, WHOLE, ROWS = (
    "decks_exhibited_before_shuffle",
    "exhibited_deck_whole",
    "exhibited_deck_in_rows",
)
BURNT, EXACT = "shoe_is_burnt", "burnt_cards_exact"
CORNER = "burnt_cards_to_discard_corner"
BOTH = pytest.mark.parametrize("lawful", [evening, shuffler_evening])


def test_a_lawful_evening_has_no_finding_and_nothing_left_open() -> None:
    assert cited(evening(shoes=4)) == []
    assert cited(shuffler_evening()) == []


# Article 7: the exhibition


@upholds_case(SHOWN, "lawful")
@upholds_case(WHOLE, "lawful")
@upholds_case(CARDS, "lawful")
@upholds_case(ROWS, "lawful")
@BOTH
def test_article_7_every_deck_is_shown_whole_before_the_first_shuffle(lawful: Any) -> None:
    game = lawful()
    assert {said(check, game) for check in (SHOWN, WHOLE, CARDS, ROWS)} == {LAWFUL}


@upholds_case(SHOWN, "unlawful")
@BOTH
def test_article_7_a_deck_that_was_not_shown_is_found(lawful: Any) -> None:
    game = lawful()
    game.drop(DeckInspected, deck="D-3")
    found = the_finding(SHOWN, game)
    assert (found.article, found.severity, found.where) == ("7", "breach", {"deck": "D-3"})
    assert (found.observed, found.expected) == ({"exhibitions": 0}, {"at_least": 1})
    assert found.evidence[0] == game.entries[0].entry_id  # the opening names the deck


@upholds_case(SHOWN, "unlawful")
def test_article_7_a_deck_shown_after_the_first_shuffle_is_found() -> None:
    game = evening()
    game.drop(DeckInspected, deck="D-1")
    game.show("D-1", "20:00:01")
    found = the_finding(SHOWN, game)
    assert (found.observed, found.expected) == (
        {"moment": iso("20:00:01")},
        {"not_after": iso("20:00")},
    )


@upholds_case(SHOWN, "unlawful")
def test_article_7_a_deck_that_joins_later_is_shown_too() -> None:
    game = evening(closed=False)
    passes = tuple(DeckPasses(deck=deck, passes=3) for deck in (*DECKS, "D-9"))
    game.prepare(3, "23:00", shuffle={"decks": passes})
    assert the_finding(SHOWN, game).where == {"deck": "D-9"}
    game.show("D-9", "22:59")
    assert said(SHOWN, game) == LAWFUL


@upholds_case(SHOWN, "boundary")
def test_article_7_shown_at_the_very_moment_or_not_yet_shuffled_is_lawful() -> None:
    game = evening()
    game.drop(DeckInspected, deck="D-1")
    game.show("D-1", "20:00")
    assert said(SHOWN, game) == LAWFUL
    assert said(SHOWN, Game(shown=None)) == NOT_ASKED


def test_article_7_another_inspection_is_no_exhibition() -> None:
    game = evening()
    game.drop(DeckInspected, deck="D-2")
    recorded = game.show("D-2", "19:31")
    game.entries.pop()
    game.record(
        DeckInspected,
        "19:31",
        deck="D-2",
        moment="received",
        cards=52,
        order_complete=True,
        faces="regular",
        backs="regular",
        result="conform",
    )
    assert the_finding(SHOWN, game).where == {"deck": recorded.event.deck}


def test_article_7_an_exhibition_of_no_partida_leaves_it_open() -> None:
    game = evening()
    shown = next(
        recorded.event for recorded in game.entries if isinstance(recorded.event, DeckInspected)
    )
    game.drop(DeckInspected, deck=shown.deck)
    game.in_house(
        DeckInspected(
            deck=shown.deck,
            moment="exhibition",
            cards=52,
            order_complete=True,
            faces="regular",
            backs="regular",
            result="conform",
        ),
        "19:30",
    )
    assert said(SHOWN, game) == UNDECIDED


def test_article_7_where_only_rounds_are_told_their_first_card_is_the_limit() -> None:
    game = Game(shown="20:10")
    game.round(1, 1, "20:10")
    assert said(SHOWN, game) == LAWFUL
    late = Game(shown="20:11")
    late.round(1, 1, "20:10")
    assert len(findings(SHOWN, late)) == len(DECKS)
    late.entries.pop()
    late.round(1, 1, "20:10", times=None)
    assert said(SHOWN, late) == UNDECIDED


def test_article_7_rounds_alone_show_that_the_cards_should_have_been_shown() -> None:
    game = Game(shown=None)
    assert said(SHOWN, game) == NOT_ASKED
    game.round(None, None)
    assert {found.where["deck"] for found in findings(SHOWN, game)} == set(DECKS)
    unrecorded = Game(opened=False)
    unrecorded.prepare(1)
    assert said(SHOWN, unrecorded) == UNDECIDED  # without the opening no absence is a breach


NOT_WHOLE: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ({"cards": 51}, {"cards": 51}, {"cards": 52}),
    ({"cards": 53}, {"cards": 53}, {"cards": 52}),
    ({"backs": "foreign"}, {"foreign": "yes"}, {"foreign": "no"}),
    ({"result": "missing"}, {"result": "missing"}, {"result": "conform"}),
]


@upholds_case(WHOLE, "unlawful")
@pytest.mark.parametrize("cards", [52, 51])
def test_article_7_a_deck_shown_out_of_order_is_found(cards: int) -> None:
    game = evening()
    game.drop(DeckInspected, deck="D-4")
    shown = game.show("D-4", "19:30", order_complete=False, cards=cards)
    found = the_finding(WHOLE, game)
    assert (found.article, found.where, found.evidence) == ("7", {"deck": "D-4"}, (shown.entry_id,))
    assert (found.observed, found.expected) == ({"in_order": "no"}, {"in_order": "yes"})
    assert said(CARDS, game) == (LAWFUL if cards == 52 else BREACH)


@upholds_case(CARDS, "unlawful")
@pytest.mark.parametrize(("otherwise", "observed", "expected"), NOT_WHOLE)
def test_article_3_a_deck_shown_short_or_with_a_foreign_card_is_found(
    otherwise: dict[str, Any], observed: dict[str, Any], expected: dict[str, Any]
) -> None:
    game = evening()
    game.drop(DeckInspected, deck="D-4")
    shown = game.show("D-4", "19:30", **otherwise)
    found = the_finding(CARDS, game)
    assert (found.article, found.where, found.evidence) == ("3", {"deck": "D-4"}, (shown.entry_id,))
    assert (found.observed, found.expected) == (observed, expected)
    assert said(WHOLE, game) == LAWFUL  # one breach, one finding


@upholds_case(WHOLE, "boundary")
@upholds_case(CARDS, "boundary")
def test_article_7_a_deck_shown_again_whole_and_a_worn_one_are_whole() -> None:
    game = evening()
    game.drop(DeckInspected, deck="D-4")
    game.show("D-4", "19:30", cards=51)
    game.show("D-4", "19:40")
    assert said(WHOLE, game) == LAWFUL == said(CARDS, game)
    game.show("D-4", "20:30", cards=51)  # after the shuffle: not what the game began with
    assert said(WHOLE, game) == LAWFUL
    game.show("D-5", "19:41", faces="marked", result="damaged")  # article 5's matter
    assert said(WHOLE, game) == LAWFUL


@upholds_case(ROWS, "unlawful")
@pytest.mark.parametrize("decks", [("D-1",), ("D-2", "D-6")])
def test_article_7_cards_shown_otherwise_than_in_rows_are_found(decks: tuple[str, ...]) -> None:
    game = evening()
    for deck in decks:
        game.drop(DeckInspected, deck=deck)
        game.show(deck, "19:30", spread_in_rows=False)
    assert [found.where["deck"] for found in findings(ROWS, game)] == list(decks)


@upholds_case(ROWS, "boundary")
def test_article_7_where_nobody_told_how_they_lay_it_is_not_decidable() -> None:
    game = evening()
    game.drop(DeckInspected, deck="D-1")
    game.show("D-1", "19:30", spread_in_rows=None)
    assert said(ROWS, game) == UNDECIDED


# Article 10: the burnt card


def burnt(cards: int, **known: Any) -> Game:
    game = Game()
    game.prepare(1, burn={"cards": cards, **known})
    game.round(1, 1, "20:10")
    return game


@upholds_case(BURNT, "lawful")
@upholds_case(EXACT, "lawful")
@BOTH
def test_article_10_one_card_is_burnt_before_the_deal(lawful: Any) -> None:
    assert {said(check, lawful()) for check in (BURNT, EXACT)} == {LAWFUL}


@upholds_case(BURNT, "unlawful")
@BOTH
def test_article_10_a_shoe_dealt_without_a_burnt_card_is_found(lawful: Any) -> None:
    game = lawful()
    game.drop(CardBurned, shoe=1)
    found = the_finding(BURNT, game)
    assert (found.article, found.where, found.observed) == ("10", {"shoe": 1}, {"burns": 0})
    assert found.readings == (("shuffler-burn",) if game.dealing == "shuffler" else ())


@upholds_case(BURNT, "unlawful")
def test_article_10_a_card_burnt_after_the_first_was_dealt_is_found() -> None:
    found = the_finding(BURNT, burnt(1, at="20:10:01"))
    assert (found.observed, found.expected) == (
        {"moment": iso("20:10:01")},
        {"not_after": iso("20:10")},
    )


@upholds_case(BURNT, "unlawful")
@pytest.mark.parametrize(("at", "mixed"), [("19:59", "20:02"), ("20:01", "20:02")])
def test_article_10_a_card_burnt_before_the_cards_were_cut_is_found(at: str, mixed: str) -> None:
    found = the_finding(BURNT, burnt(1, at=at))
    assert (found.observed, found.expected) == ({"moment": iso(at)}, {"not_before": iso(mixed)})


@upholds_case(BURNT, "unlawful")
@pytest.mark.parametrize(("at", "mixed"), [("19:35", "19:45"), ("19:44:59", "19:45")])
def test_article_10_a_card_burnt_before_the_shuffler_was_loaded_is_found(
    at: str, mixed: str
) -> None:
    game = shuffler_evening()
    game.drop(CardBurned)
    game.record(CardBurned, at, shoe=1, cards=1)
    assert the_finding(BURNT, game).expected == {"not_before": iso(mixed)}


@upholds_case(BURNT, "boundary")
@pytest.mark.parametrize(("at", "answer"), [("20:02", LAWFUL), ("20:01:59", BREACH)])
def test_article_10_burnt_when_the_cards_were_cut_is_lawful(at: str, answer: str) -> None:
    assert said(BURNT, burnt(1, at=at)) == answer


@upholds_case(BURNT, "boundary")
def test_article_10_burnt_at_the_very_moment_is_lawful_and_untimed_rounds_leave_it_open() -> None:
    assert said(BURNT, burnt(1, at="20:10")) == LAWFUL
    game = Game()
    game.prepare(1)
    game.round(1, 1, times=None)
    assert said(BURNT, game) == UNDECIDED
    loose = Game()
    loose.prepare(1)
    loose.round(None, None, times=None)  # it may be of this shoe, and before the burn
    assert said(BURNT, loose) == UNDECIDED


@upholds_case(EXACT, "unlawful")
@pytest.mark.parametrize("cards", [0, 2, 5])
def test_article_10_exactly_one_card_is_burnt(cards: int) -> None:
    found = the_finding(EXACT, burnt(cards))
    assert (found.article, found.observed, found.expected) == ("10", {"cards": cards}, {"cards": 1})


@upholds_case(EXACT, "boundary")
def test_article_10_what_is_told_in_two_entries_adds_up() -> None:
    game = burnt(0)
    game.record(CardBurned, "20:07", shoe=1, cards=1)
    assert said(EXACT, game) == LAWFUL
    game.record(CardBurned, "20:08", shoe=1, cards=1)
    assert the_finding(EXACT, game).observed == {"cards": 2}


@upholds_case(CORNER, "lawful")
@BOTH
def test_article_10_a_burnt_card_lies_in_the_discard_corner(lawful: Any) -> None:
    assert said(CORNER, lawful()) == LAWFUL


@upholds_case(CORNER, "unlawful")
@pytest.mark.parametrize("cards", [1, 2])
def test_article_10_a_burnt_card_laid_elsewhere_is_found(cards: int) -> None:
    game = burnt(cards, to_discard_corner=False)
    found = the_finding(CORNER, game)
    assert (found.article, found.where) == ("10", {"shoe": 1})
    assert found.observed == {"to_discard_corner": "no"}
    burn = next(one for one in game.entries if isinstance(one.event, CardBurned))
    assert found.evidence == (burn.entry_id,)


@upholds_case(CORNER, "boundary")
def test_article_10_where_the_card_went_is_asked_of_every_card_that_was_burnt() -> None:
    assert said(CORNER, burnt(0, to_discard_corner=False)) == NOT_ASKED
    assert said(CORNER, burnt(1, to_discard_corner=None)) == UNDECIDED
    game = burnt(1, to_discard_corner=None)
    game.record(CardBurned, "20:07", shoe=1, cards=1, to_discard_corner=False)
    assert said(CORNER, game) == BREACH


def test_article_10_a_game_without_rounds_on_record_shows_it_at_its_closing() -> None:
    game = Game()
    game.prepare(1, burn=LEFT_OUT)
    placed = game.entries[-1]
    assert said(BURNT, game) == NOT_ASKED
    closing = game.close()
    assert the_finding(BURNT, game).evidence == (placed.entry_id, closing.entry_id)


def test_article_10_what_an_absence_rests_on_does_not_move_when_another_round_is_corrected() -> (
    None
):
    game = Game()
    game.prepare(1, burn=LEFT_OUT)
    for number in (1, 2, 3):
        game.round(1, number, f"20:{10 * number}")
    before = the_finding(BURNT, game)
    game.drop(RoundPlayed, number=2)
    game.round(1, 2, "20:01")  # told anew, of an earlier moment
    assert the_finding(BURNT, game) == before
