"""PT art. 55: deck by deck, what came out of the shuffler is put in order and found regular."""

from typing import Any

import pytest

from casino.events.deck_life import DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.incidents import IncidentClosed, IncidentReported
from casino.events.shufflers import ShufflerOpened
from casino.law.checks.shuffler.decks_ordered import need_not_be_ordered
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.games import CHEFE, DAY, DECKS, Game, evening, iso, shuffler_evening
from tests.factories.shuffler_emptied import _ordered, but, emptied, reported
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import findings, said, the_finding

ORDERED, REGULAR, REPORTED = (
    "decks_ordered_at_closing",
    "ordered_deck_regular",
    "irregular_deck_reported",
)


@upholds_case(ORDERED, "lawful")
@upholds_case(REGULAR, "lawful")
@pytest.mark.parametrize("check", [ORDERED, REGULAR])
def test_article_55_every_deck_is_put_in_order_and_is_regular(check: str) -> None:
    assert said(check, shuffler_evening()) == LAWFUL
    assert said(check, evening()) == NOT_ASKED


def asked(game: Game) -> PartidaContext:
    """The game as a check is asked about it."""
    return PartidaContext(game.dossier(), load_law("pt").on(DAY))


@upholds_case(ORDERED, "unlawful")
@pytest.mark.parametrize("decks", [("D-1",), ("D-2", "D-5")])
def test_article_55_a_deck_nobody_put_in_order_is_found(decks: tuple[str, ...]) -> None:
    game = emptied()
    game.entries = [one for one in game.entries if not any(_ordered(one, deck) for deck in decks)]
    found = findings(ORDERED, game)
    assert [one.where["deck"] for one in found] == list(decks)
    assert {one.article for one in found} == {"55"}


@upholds_case(ORDERED, "unlawful")
@pytest.mark.parametrize("at", ["20:45", "02:37:59"])
def test_article_55_a_deck_put_in_order_while_it_lay_in_the_machine_is_found(at: str) -> None:
    game = but("D-2")
    early = game.order("D-2", at)
    found = the_finding(ORDERED, game)
    assert (found.observed, found.expected) == (
        {"moment": iso(at)},
        {"not_before": iso("02:38")},
    )
    assert early.entry_id in found.evidence


@upholds_case(ORDERED, "unlawful")
@pytest.mark.parametrize("at", ["19:44", "02:40:01", "05:00"])
def test_article_55_a_deck_withdrawn_before_it_went_in_or_after_it_came_out_is_still_asked(
    at: str,
) -> None:
    game = but("D-2")
    game.record(DeckWithdrawn, at, deck="D-2", reason="worn")
    assert the_finding(ORDERED, game).where == {"deck": "D-2"}


@upholds_case(ORDERED, "boundary")
def test_article_55_put_in_order_as_it_came_out_or_withdrawn_until_then() -> None:
    game = but("D-2")
    game.order("D-2", "02:38")
    assert said(ORDERED, game) == LAWFUL
    for at in ("19:45", "02:40"):
        gone = but("D-2")
        gone.record(DeckWithdrawn, at, deck="D-2", reason="worn")
        assert findings(ORDERED, gone) == []


@upholds_case(ORDERED, "unlawful")
@pytest.mark.parametrize("at", ["20:35", "02:37:59"])
def test_article_55_a_deck_said_to_be_withdrawn_out_of_a_closed_machine_is_still_asked(
    at: str,
) -> None:
    game = but("D-2")
    game.record(DeckWithdrawn, at, recorded="05:30", deck="D-2", reason="worn")
    assert the_finding(ORDERED, game).where == {"deck": "D-2"}
    never_emptied = shuffler_evening(closed=False)
    never_emptied.close(packed=False)
    never_emptied.record(DeckWithdrawn, "03:00", deck="D-2", reason="worn")
    # Nobody emptied the machine: that is found once, and no deck of it besides.
    assert findings(ORDERED, never_emptied) == []
    assert the_finding("shuffler_unloaded_at_closing", never_emptied).observed == {"unloads": 0}


TORN = {"incident": "I-9", "category": "damaged_card", "reason": "torn", "people": ()}


@upholds_case(ORDERED, "lawful")
@pytest.mark.parametrize("at", ["20:35", "02:41", "03:00"])
def test_article_55_a_deck_withdrawn_for_an_incident_is_gone_even_after_it_came_out(
    at: str,
) -> None:
    game = but("D-2")
    game.record(IncidentReported, at, deck="D-2", **TORN)
    game.record(DeckWithdrawn, at, deck="D-2", reason="damaged", incident="I-9")
    assert need_not_be_ordered(asked(game), "D-2") is True
    assert findings(ORDERED, game) == []


@upholds_case(ORDERED, "boundary")
def test_article_55_an_incident_of_another_deck_or_told_after_the_closing_frees_none() -> None:
    other = but("D-2")
    other.record(IncidentReported, "02:41", deck="D-3", **TORN)
    other.record(DeckWithdrawn, "02:42", deck="D-2", reason="damaged", incident="I-9")
    assert said(ORDERED, other) == BREACH
    late = but("D-2")
    late.record(IncidentReported, "02:41", deck="D-2", **TORN)
    late.record(
        DeckWithdrawn, "02:42", recorded="05:30", deck="D-2", reason="damaged", incident="I-9"
    )
    assert need_not_be_ordered(asked(late), "D-2") is None
    assert said(ORDERED, late) == UNDECIDED
    after = but("D-2")
    after.record(IncidentReported, "02:41", deck="D-2", **TORN)
    after.record(DeckWithdrawn, "03:00:01", deck="D-2", reason="damaged", incident="I-9")
    assert said(ORDERED, after) == BREACH


def test_article_55_before_the_closing_what_is_told_by_then_answers() -> None:
    game = shuffler_evening(closed=False)
    assert need_not_be_ordered(asked(game), "D-2") is False
    game.record(ShufflerOpened, "21:00", shuffler="CSM-04", reason="jam", opened_by=CHEFE)
    game.record(DeckWithdrawn, "21:00", deck="D-2", reason="worn")
    assert need_not_be_ordered(asked(game), "D-2") is True
    by_hand = evening(closed=False)
    by_hand.record(DeckWithdrawn, "21:00", deck="D-2", reason="worn")
    assert need_not_be_ordered(asked(by_hand), "D-2") is True


@upholds_case(ORDERED, "boundary")
def test_article_55_a_deck_taken_out_in_a_jam_and_left_out_then_is_put_in_order_then() -> None:
    game = shuffler_evening(closed=False)
    game.unload("20:45", reason="jam")
    game.order("D-6", "20:50")
    rest = DECKS[:5]
    game.load("21:00", decks=rest)
    game.unload("02:40", decks=rest)
    for deck in rest:
        game.order(deck)
    game.close(packed=False)
    assert said(ORDERED, game) == LAWFUL


@upholds_case(ORDERED, "boundary")
def test_article_55_a_deck_withdrawn_before_it_is_not_there_to_be_ordered() -> None:
    game = but("D-2")
    game.record(ShufflerOpened, "22:00", shuffler="CSM-04", reason="jam", opened_by=CHEFE)
    game.record(DeckWithdrawn, "22:00", deck="D-2", reason="damaged")
    assert findings(ORDERED, game) == []
    other = but("D-2")
    looked = {"deck": "D-2", "moment": "close", "cards": 52, "order_complete": True}
    looked |= {"faces": "regular", "backs": "regular", "result": "conform"}
    other.in_house(DeckInspected(**looked), "02:55")  # of this game or of another
    assert said(ORDERED, other) == UNDECIDED
    open_still = shuffler_evening(closed=False)
    assert said(ORDERED, open_still) == NOT_ASKED


IRREGULAR: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"cards": 51, "result": "missing"}, {"cards": 51, "result": "missing"}),
    ({"cards": 53}, {"cards": 53}),
    ({"backs": "foreign"}, {"foreign": "yes"}),
    ({"order_complete": False}, {"in_order": "no"}),
]


@upholds_case(REGULAR, "unlawful")
@upholds_case(REPORTED, "unlawful")
@pytest.mark.parametrize(("otherwise", "observed"), IRREGULAR)
def test_article_55_a_deck_that_is_not_regular_is_found_and_opens_an_incident(
    otherwise: dict[str, Any], observed: dict[str, Any]
) -> None:
    game = but("D-4", **otherwise)
    found = the_finding(REGULAR, game)
    assert (found.article, found.where, found.observed) == ("55", {"deck": "D-4"}, observed)
    assert the_finding(REPORTED, game).observed == {"reported": "no"}


@upholds_case(REPORTED, "unlawful")
@pytest.mark.parametrize(
    ("category", "at"),
    [("conduct", "20:31"), ("conduct", "02:52"), ("jam", "02:52"), ("other", "02:49:59")],
)
def test_article_55_an_incident_of_something_else_is_no_report(category: str, at: str) -> None:
    game = reported("D-4", category, at)
    assert the_finding(REPORTED, game).observed == {"reported": "no"}


@upholds_case(REPORTED, "boundary")
def test_article_55_a_defect_told_before_may_be_this_one_while_it_is_open() -> None:
    assert said(REPORTED, reported("D-4", at="02:50")) == LAWFUL
    early = reported("D-4", at="20:31")
    assert said(REPORTED, early) == UNDECIDED
    over = {"incident": "I-9", "outcome": "settled", "reason": "seen"}
    early.record(IncidentClosed, "20:40", **over)
    assert said(REPORTED, early) == BREACH


@upholds_case(REPORTED, "lawful")
@pytest.mark.parametrize("category", ["deck_defect", "damaged_card", "other"])
def test_article_55_the_incident_names_the_deck(category: str) -> None:
    assert said(REPORTED, reported("D-4", category)) == LAWFUL


@upholds_case(REGULAR, "boundary")
@upholds_case(REPORTED, "boundary")
def test_article_55_a_worn_deck_is_regular_and_a_defect_of_no_deck_leaves_it_open() -> None:
    assert said(REGULAR, but("D-4", faces="damaged", result="damaged")) == LAWFUL
    assert findings(REPORTED, but("D-4", faces="damaged", result="damaged")) == []
    assert said(REPORTED, reported(None)) == UNDECIDED
    assert said(REPORTED, reported("D-5")) == BREACH
