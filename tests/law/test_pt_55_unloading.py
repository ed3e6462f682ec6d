"""PT art. 55: the cards come out of the shuffler after the announcement, before a fiscal-chefe."""

from typing import Any

import pytest

from casino.facts.deck_life import DeckWithdrawn
from casino.facts.decks import DeckInspected
from casino.facts.incidents import IncidentReported
from casino.facts.partidas import PartidaClosed
from casino.facts.shufflers import ShufflerFoundEmpty, ShufflerUnloaded
from casino.facts.witnessing import Witnessed
from tests.floor_builders import (
    CHEFE,
    CHEFE_2,
    DECKS,
    FISCAL,
    PAGADOR,
    Game,
    entry,
    evening,
    iso,
    moment,
    shuffler_evening,
    word,
)
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, findings, said, the_finding

DONE, ANNOUNCED, WITNESSED = (
    "shuffler_unloaded_at_closing",
    "unloaded_after_closing_announced",
    "unloading_witnessed",
)
RANK, DUTY, ONE_TABLE = (
    "unloading_witness_is_fiscal_chefe",
    "unloading_witness_on_duty",
    "unloading_witness_at_one_table",
)
EMPTY, ORDERED, REGULAR, REPORTED = (
    "shuffler_left_empty",
    "decks_ordered_at_closing",
    "ordered_deck_regular",
    "irregular_deck_reported",
)
LAWFULLY = (DONE, ANNOUNCED, WITNESSED, RANK, DUTY, ONE_TABLE, EMPTY, ORDERED, REGULAR)


@upholds_case(DONE, "lawful")
@upholds_case(ANNOUNCED, "lawful")
@upholds_case(WITNESSED, "lawful")
@upholds_case(RANK, "lawful")
@upholds_case(DUTY, "lawful")
@upholds_case(ONE_TABLE, "lawful")
@upholds_case(EMPTY, "lawful")
@upholds_case(ORDERED, "lawful")
@upholds_case(REGULAR, "lawful")
@pytest.mark.parametrize("check", LAWFULLY)
def test_article_55_announced_emptied_before_a_fiscal_chefe_and_put_in_order(check: str) -> None:
    assert said(check, shuffler_evening()) == LAWFUL
    assert said(check, evening()) == NOT_ASKED


def emptied(witness: str | None = CHEFE, **told: Any) -> Game:
    """A shuffler game closed at 03:00; `told` are the fields of the unload at 02:40."""
    known = told.pop("known", {})
    game = shuffler_evening(closed=False)
    act = game.unload("02:40", **told)
    if witness:
        game.witness(act, witness, **known)
    for deck in DECKS:
        game.order(deck)
    game.close(packed=False, closing_announced_at=moment("02:30"))
    return game


# That it was emptied


@upholds_case(DONE, "unlawful")
@pytest.mark.parametrize("loads", [1, 2])
def test_article_55_a_shuffler_left_loaded_at_the_closing_is_found(loads: int) -> None:
    game = shuffler_evening(closed=False)
    if loads == 2:
        game.unload("21:00", reason="jam")
        game.load("21:30")
    game.close(packed=False)
    found = the_finding(DONE, game)
    assert (found.article, found.severity) == ("55", "breach")
    assert (found.observed, found.expected) == ({"unloads": 0}, {"at_least": 1})


@upholds_case(DONE, "boundary")
def test_article_55_a_machine_that_was_never_loaded_or_is_still_in_use_is_not_asked() -> None:
    assert said(DONE, shuffler_evening(closed=False)) == NOT_ASKED
    game = Game("shuffler")
    game.close()
    assert said(DONE, game) == NOT_ASKED


# After the announcement


@upholds_case(ANNOUNCED, "unlawful")
@pytest.mark.parametrize("announced", ["02:38:01", "02:50"])
def test_article_55_emptied_before_the_closing_was_announced_is_found(announced: str) -> None:
    game = emptied()
    game.change(PartidaClosed, closing_announced_at=moment(announced))
    found = the_finding(ANNOUNCED, game)
    assert (found.article, found.where) == ("55", {"unload": 1})
    assert (found.observed, found.expected) == (
        {"moment": iso("02:38")},
        {"not_before": iso(announced)},
    )


@upholds_case(ANNOUNCED, "unlawful")
def test_article_55_that_somebody_says_so_is_enough_while_the_game_is_open() -> None:
    game = shuffler_evening(closed=False)
    game.unload("02:40", closing_announced=False)
    assert the_finding(ANNOUNCED, game).observed == {"announced": "no"}


@upholds_case(ANNOUNCED, "boundary")
def test_article_55_begun_as_it_was_announced_is_lawful_and_untold_moments_leave_it_open() -> None:
    game = emptied()
    game.change(PartidaClosed, closing_announced_at=moment("02:38"))
    assert said(ANNOUNCED, game) == LAWFUL
    game.change(ShufflerUnloaded, started_at=None)
    assert said(ANNOUNCED, game) == UNDECIDED
    game.change(PartidaClosed, closing_announced_at=None)
    game.change(ShufflerUnloaded, started_at=moment("02:38"), closing_announced=True)
    assert said(ANNOUNCED, game) == UNDECIDED
    for check in (ANNOUNCED, WITNESSED, RANK, DUTY, ONE_TABLE, EMPTY):
        assert said(check, emptied(reason=None)) == UNDECIDED  # perhaps another unload
        assert said(check, emptied(None, reason="jam")) == NOT_ASKED


# Who looked on


@upholds_case(WITNESSED, "unlawful")
@pytest.mark.parametrize("who", [None, PAGADOR, FISCAL])
def test_article_55_without_another_persons_word_nothing_shows_it(who: str | None) -> None:
    found = the_finding(WITNESSED, emptied(who, fiscal_chefe=CHEFE))
    assert (found.article, found.severity, found.where) == ("55", "breach", {"unload": 1})


@upholds_case(WITNESSED, "boundary")
def test_article_55_his_word_may_follow_within_ten_minutes() -> None:
    game = shuffler_evening(closed=False)
    game.unload("02:40")  # recorded at 02:41
    assert said(WITNESSED, game, as_of="02:50:59") == UNDECIDED
    assert said(WITNESSED, game, as_of="02:51") == BREACH
    game.witness(game.entries[-1], CHEFE, "02:58")
    assert said(WITNESSED, game) == LAWFUL


@upholds_case(RANK, "unlawful")
@pytest.mark.parametrize("office", ["fiscal_chefe", "fiscal_de_banca"])
def test_article_55_a_witness_without_the_office_is_found(office: str) -> None:
    game = emptied(CHEFE_2, known={"office": office})
    game.grant(CHEFE_2, "fiscal_de_banca")
    found = the_finding(RANK, game)
    assert (found.article, found.where) == ("55", {"unload": 1, "witness": CHEFE_2})


@upholds_case(RANK, "boundary")
@upholds_case(DUTY, "boundary")
def test_article_55_an_office_and_duty_from_that_very_moment() -> None:
    game = emptied(CHEFE_2)  # out at 02:40, his word at 02:42
    game.grant(CHEFE_2, "fiscal_chefe", "02:40")
    game.on_duty(CHEFE_2, "fiscal_chefe", "02:40")
    assert (said(RANK, game), said(DUTY, game)) == (LAWFUL, LAWFUL)


@upholds_case(DUTY, "unlawful")
@pytest.mark.parametrize("since", [None, "02:41"])
def test_article_55_a_witness_off_duty_is_a_warning(since: str | None) -> None:
    game = emptied(CHEFE_2)
    game.grant(CHEFE_2, "fiscal_chefe")
    if since:
        game.on_duty(CHEFE_2, "fiscal_chefe", since)
    found = the_finding(DUTY, game)
    assert (found.article, found.severity) == ("55", "warning")


def also_at(start: str, end: str) -> Game:
    """He witnessed here from 02:38 to 02:42, and at another table from `start` to `end`."""
    stay = {"present_from": moment("02:38"), "present_until": moment("02:42")}
    game = emptied(CHEFE, known=stay)
    there = Game("shuffler", table="BJ-02")
    act = there.unload(start)
    times = {"present_from": moment(start), "present_until": moment(end)}
    said_so = word(act, CHEFE, "BJ-02", there.partida, end, **times)
    game.elsewhere = [act, entry(said_so, act.stream, 90, end, CHEFE)]
    return game


@upholds_case(ONE_TABLE, "unlawful")
@pytest.mark.parametrize(("start", "end"), [("02:40", "02:50"), ("02:30", "02:39")])
def test_article_55_a_witness_at_two_tables_at_once_is_a_warning(start: str, end: str) -> None:
    found = the_finding(ONE_TABLE, also_at(start, end))
    assert (found.article, found.severity, found.observed) == (
        "55", "warning", {"also_at": "BJ-02"},
    )  # fmt: skip


@upholds_case(ONE_TABLE, "boundary")
@pytest.mark.parametrize(("start", "end"), [("02:42", "02:50"), ("02:30", "02:38")])
def test_article_55_one_table_after_the_other_is_lawful(start: str, end: str) -> None:
    assert said(ONE_TABLE, also_at(start, end)) == LAWFUL


# Nothing left behind


@upholds_case(EMPTY, "unlawful")
@pytest.mark.parametrize(
    ("told", "observed", "expected"),
    [
        ({"empty": False}, {"empty": "no"}, {"empty": "yes"}),
        ({"cards": 311}, {"cards": 311}, {"cards": 312}),
        ({"cards": 313, "empty": None}, {"cards": 313}, {"cards": 312}),
    ],
)
def test_article_55_a_card_left_behind_or_one_too_many_is_found(
    told: dict[str, Any], observed: dict[str, Any], expected: dict[str, Any]
) -> None:
    found = the_finding(EMPTY, emptied(**told))
    assert (found.article, found.observed, found.expected) == ("55", observed, expected)


@upholds_case(EMPTY, "unlawful")
def test_article_55_cards_somebody_found_in_it_afterwards_are_found() -> None:
    game = emptied()
    looked = game.beside(ShufflerFoundEmpty(shuffler="CSM-04", cards_found=16), "05:00")
    found = the_finding(EMPTY, game)
    assert (found.observed, found.evidence[-1]) == ({"cards": 16}, looked.entry_id)


@upholds_case(EMPTY, "boundary")
def test_article_55_looked_into_and_empty_or_nobody_looked() -> None:
    game = emptied()
    game.beside(ShufflerFoundEmpty(shuffler="CSM-04", cards_found=0), "05:00")
    game.beside(ShufflerFoundEmpty(shuffler="CSM-09", cards_found=3), "05:00")
    game.beside(ShufflerFoundEmpty(shuffler="CSM-04", cards_found=3), "02:00")  # before it
    assert said(EMPTY, game) == LAWFUL
    for untold in ({"empty": None}, {"cards": None}):
        assert said(EMPTY, emptied(**untold)) == UNDECIDED


def test_article_55_what_another_game_finds_in_the_machine_may_be_its_own() -> None:
    told = {"shuffler": "CSM-04", "table": "BJ-01", "partida": "BJ-01/2026-11-20/2"}
    game = emptied()
    game.beside(ShufflerFoundEmpty(cards_found=1, **told), "05:00")
    assert said(EMPTY, game) == UNDECIDED
    game.tell(ShufflerFoundEmpty, "02:45", shuffler="CSM-04", cards_found=0)
    assert said(EMPTY, game) == LAWFUL
    game.tell(ShufflerFoundEmpty, "02:46", shuffler="CSM-04", cards_found=2)
    assert the_finding(EMPTY, game).observed == {"cards": 2}


# The decks put in order


def but(deck: str, **otherwise: Any) -> Game:
    """A closed game in which one deck was ordered otherwise; nobody did without more."""
    game = emptied()
    place = next(n for n, told in enumerate(game.entries) if _ordered(told, deck))
    if not otherwise:
        del game.entries[place]
    else:
        told = game.entries.pop(place)
        game.entries.insert(place, game.order(deck, "02:50", **otherwise))
        game.entries.pop()
        assert told.fact.deck == deck
    return game


def _ordered(told: Any, deck: str) -> bool:
    fact = told.fact
    return isinstance(fact, DeckInspected) and (fact.deck, fact.moment) == (deck, "close")


@upholds_case(ORDERED, "unlawful")
@pytest.mark.parametrize("decks", [("D-1",), ("D-2", "D-5")])
def test_article_55_a_deck_nobody_put_in_order_is_found(decks: tuple[str, ...]) -> None:
    game = emptied()
    game.entries = [one for one in game.entries if not any(_ordered(one, deck) for deck in decks)]
    found = findings(ORDERED, game)
    assert [one.where["deck"] for one in found] == list(decks)
    assert {one.article for one in found} == {"55"}


@upholds_case(ORDERED, "boundary")
def test_article_55_a_deck_withdrawn_before_it_is_not_there_to_be_ordered() -> None:
    game = but("D-2")
    game.tell(DeckWithdrawn, "22:00", deck="D-2", reason="damaged")
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


def reported(deck: str | None, category: str = "deck_defect") -> Game:
    game = but("D-4", cards=51)
    fields = {"incident": "I-9", "category": category, "reason": "missing", "people": ()}
    game.tell(IncidentReported, "02:52", deck=deck, **fields)
    return game


@upholds_case(REPORTED, "lawful")
@pytest.mark.parametrize("category", ["deck_defect", "other"])
def test_article_55_the_incident_names_the_deck(category: str) -> None:
    assert said(REPORTED, reported("D-4", category)) == LAWFUL


@upholds_case(REGULAR, "boundary")
@upholds_case(REPORTED, "boundary")
def test_article_55_a_worn_deck_is_regular_and_a_defect_of_no_deck_leaves_it_open() -> None:
    assert said(REGULAR, but("D-4", faces="damaged", result="damaged")) == LAWFUL
    assert findings(REPORTED, but("D-4", faces="damaged", result="damaged")) == []
    assert said(REPORTED, reported(None)) == UNDECIDED
    assert said(REPORTED, reported("D-5")) == BREACH


def test_article_55_a_lawful_closing_has_nothing_found() -> None:
    assert cited(emptied()) == []
    assert any(isinstance(told.fact, Witnessed) for told in emptied().entries)
