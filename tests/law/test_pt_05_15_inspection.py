"""PT art. 5 and 14, 15: a leave and approved limits are records, whatever text names them."""

from dataclasses import replace
from typing import Any

import pytest

from casino.events.deck_life import CardReplaced
from casino.events.inspection import LeaveAsked, LeaveDecided, LimitsApproved
from casino.events.tables import LimitsSet
from tests.factories.damaged_decks import damaged, exchanged
from tests.factories.games import MANAGER, Game, evening, iso, moment, shuffler_evening
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import said, the_finding

LEAVE, APPROVED = "leave_is_on_record", "limits_are_approved"
INSPECTOR = "S-500"
AUTHORISED = "AU-2026-0001"


def decided(game: Game, at: str, by: str = "inspetor", **values: Any) -> None:
    """A decision on the leave, written by somebody of an office."""
    usual = {"leave": AUTHORISED, "decision": "granted", "document": "Despacho 12", **values}
    one = game.in_house(LeaveDecided(**usual), at)
    staff = INSPECTOR if by == "inspetor" else MANAGER
    game.house[-1] = replace(one, by=replace(one.by, staff=staff, office=by))


def asked(game: Game, at: str = "18:00", **values: Any) -> None:
    """The house's request."""
    usual = {"leave": AUTHORISED, "deck": "D-2", "cards": ("7S",), "grounds": "No other deck"}
    game.in_house(LeaveAsked(**{**usual, **values}), at)


def with_leave(leave: str = AUTHORISED, *, request: bool = True, **values: Any) -> Game:
    """A card of deck D-2 exchanged by a leave asked for and decided; `values` of the decision."""
    game = exchanged(damaged(), authorisation=leave)
    game.change(CardReplaced, deck="D-2", card="7S")
    if request:
        asked(game)
    decided(game, **{"at": "18:30", **values})
    return game


@upholds_case(LEAVE, "lawful")
@pytest.mark.parametrize("leave", [AUTHORISED, AUTHORISED.lower(), "Despacho 12"])
def test_article_5_a_leave_the_inspection_gave_is_named_by_number_or_document(leave: str) -> None:
    assert said(LEAVE, with_leave(leave)) == LAWFUL
    assert said(LEAVE, exchanged(damaged())) == NOT_ASKED  # that none is named is another check's


@upholds_case(LEAVE, "unlawful")
@pytest.mark.parametrize("text", ["x", "SRIJ 15/2026"])
def test_article_5_a_text_that_is_no_leave_is_found(text: str) -> None:
    found = the_finding(LEAVE, with_leave(text))
    assert (found.article, found.where) == ("5", {"deck": "D-2"})
    assert found.observed == {"on_record": "no", "authorisation": text}


@upholds_case(LEAVE, "unlawful")
@pytest.mark.parametrize(
    ("recorded", "observed"),
    [
        ({"decision": "refused"}, {"decision": "refused"}),
        ({"request": False}, {"requests": 0}),
        ({"cards": ("8S",)}, {"card": "7S"}),
        ({"decided_at": moment("23:00")}, {"moment": iso("23:00")}),
    ],
)
def test_article_5_a_leave_refused_too_late_without_grounds_or_for_another_card_is_found(
    recorded: dict[str, Any], observed: dict[str, Any]
) -> None:
    assert the_finding(LEAVE, with_leave(**recorded)).observed == observed


def test_article_5_a_leave_for_another_deck_is_found() -> None:
    game = with_leave(request=False)
    asked(game, deck="D-9")
    assert the_finding(LEAVE, game).expected == {"deck": "D-9"}


@upholds_case(LEAVE, "boundary")
def test_article_5_what_only_the_house_tells_is_open_until_an_inspector_tells_it_too() -> None:
    game = with_leave(by="chefia_da_sala")
    assert said(LEAVE, game) == UNDECIDED
    decided(game, "23:30", decided_at=moment("18:30"))  # acknowledged the same night
    assert said(LEAVE, game) == LAWFUL
    decided(game, "23:40", decided_at=moment("18:40"), decision="refused")
    assert said(LEAVE, game) == BREACH  # the last word counts


@upholds_case(LEAVE, "boundary")
def test_article_51_a_card_the_shuffler_damaged_needs_none() -> None:
    game = exchanged(damaged(dealing="shuffler"), authorisation="x")
    assert said(LEAVE, game) == NOT_ASKED
    assert said(LEAVE, game, "pt", {"one-card-replaced": "never"}) == BREACH


def approved(**values: Any) -> Game:
    """A lawful evening whose approval is recorded otherwise."""
    game = evening()
    place = next(n for n, one in enumerate(game.house) if isinstance(one.event, LimitsApproved))
    game.house[place] = replace(game.house[place], event=replace(game.house[place].event, **values))
    return game


@upholds_case(APPROVED, "lawful")
def test_articles_14_and_15_approved_limits_are_played_by() -> None:
    assert {said(APPROVED, game) for game in (evening(), shuffler_evening())} == {LAWFUL}
    game = evening()
    other = {"minimum_cents": 500, "maximum_cents": 1000, "valid_from": moment("12:00")}
    game.in_house(LimitsApproved(tables=("BJ-02",), document="Despacho 9", **other), "12:00")
    assert said(APPROVED, game) == LAWFUL


@upholds_case(APPROVED, "unlawful")
@pytest.mark.parametrize(
    "recorded",
    [
        {"maximum_cents": 29999},
        {"minimum_cents": 500},
        {"tables": ("BJ-02",)},
        {"valid_from": moment("19:00:01")},
    ],
)
def test_article_15_limits_nobody_approved_are_found(recorded: dict[str, Any]) -> None:
    found = the_finding(APPROVED, approved(**recorded))
    assert (found.article, found.expected) == ("15", {"on_record": "yes"})
    assert found.observed == {"minimum_cents": 1000, "maximum_cents": 30000}


@upholds_case(APPROVED, "unlawful")
def test_article_15_a_maximum_raised_while_the_table_plays_is_asked_too() -> None:
    game = evening()
    raised = {"minimum_cents": 1000, "maximum_cents": 30000, "valid_from": moment("21:00")}
    game.beside(LimitsSet(table="BJ-01", **{**raised, "maximum_cents": 25000}), "20:50")
    assert the_finding(APPROVED, game).observed["maximum_cents"] == 25000


@upholds_case(APPROVED, "boundary")
def test_article_15_before_the_first_approval_on_record_nothing_is_accused() -> None:
    assert said(APPROVED, approved(valid_from=moment("19:00"))) == LAWFUL
    game = approved(maximum_cents=29999)
    place = next(n for n, one in enumerate(game.house) if isinstance(one.event, LimitsApproved))
    first = game.house[place]
    for recorded, answer in (("19:00", BREACH), ("19:00:01", UNDECIDED)):
        game.house[place] = replace(first, recorded_at=moment(recorded))
        assert said(APPROVED, game) == answer
    del game.house[place]
    assert said(APPROVED, game) == UNDECIDED
