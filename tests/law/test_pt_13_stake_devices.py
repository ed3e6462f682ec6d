"""What a sensor saw of a stake, held against the stake the round is recorded with."""

from typing import Any

import pytest

from casino.events.round.round_played import RoundPlayed, Times
from casino.events.stake_signals import StakeSignal
from casino.law.rulebook.rulebook_file import rulebook_ids
from tests.factories.games import Game, evening, iso, moment
from tests.factories.rounds import UNKNOWN, box, hand, insurance, main
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, findings, said, the_finding

FOLLOWED, AS_SEEN = "round_follows_the_closed_stakes", "stakes_recorded_as_seen"
ARTICLES = {
    "br": "apostas",
    "es": "las-apuestas",
    "fr": "order-of-play/stakes",
    "pt": "13",
    "pt-summary": "regras/distribuicao",
}
CLOSED, FIRST_CARD = "20:09:56", "20:10"
WON = box(1, "TS 8D", main(1000, 2000))
LOST = box(1, "TS 6D", main(1000, 0))
SPLIT = [hand("8S 3C", "split stand"), hand("8D TH", "stand", out_of=1)]
DOUBLED = "5S 6D TH"


def played(*boxes: Any, **known: Any) -> Game:
    """One round, at 20:10, of a game that was not closed yet."""
    game = Game()
    game.prepare(1)
    game.round(boxes=boxes or (WON,), **known)
    return game


def see(game: Game, phase: str, cents: int, at: str, **otherwise: Any) -> Game:
    """A signal of box 1 of the round that was recorded last."""
    uuid = next(one.event.round for one in game.entries if isinstance(one.event, RoundPlayed))
    known = {"round": uuid, "box": 1, **otherwise}
    game.record(StakeSignal, at, "D-0700", phase=phase, amount_cents=cents, **known)
    return game


def seen(closed: int, *changes: int, boxes: Any = (), **otherwise: Any) -> Game:
    """One round whose box 1 was seen closed with so much, and then with these amounts."""
    game = see(played(*boxes), "closed", closed, CLOSED, **otherwise)
    for place, cents in enumerate(changes):
        see(game, "changed", cents, f"20:10:{20 + place}", **otherwise)
    return game


def both(game: Game) -> tuple[str, str]:
    return said(FOLLOWED, game), said(AS_SEEN, game)


def test_a_table_whose_sensor_reports_nothing_is_asked_nothing() -> None:
    assert both(evening()) == (NOT_ASKED, NOT_ASKED)


@upholds_case(FOLLOWED, "lawful")
@upholds_case(AS_SEEN, "lawful")
def test_what_lay_there_is_what_the_round_is_recorded_with() -> None:
    assert both(seen(1000)) == (LAWFUL, LAWFUL)
    whole = evening()
    as_it_was = cited(whole)
    see(whole, "closed", 1000, CLOSED)
    assert cited(whole) == as_it_was  # the other rounds have no signals: no finding


@upholds_case(FOLLOWED, "unlawful")
@pytest.mark.parametrize("book", rulebook_ids())
@pytest.mark.parametrize(("closed", "lying"), [(500, WON), (2000, LOST)])
def test_a_round_recorded_with_the_changed_amount_is_found_in_every_rulebook(
    closed: int, lying: Any, book: str
) -> None:
    game = seen(closed, 1000, boxes=(lying,))
    found = the_finding(FOLLOWED, game, book)
    assert (found.rulebook, found.article, found.severity) == (book, ARTICLES[book], "breach")
    assert found.observed == {"stake_cents": 1000, "moment": iso("20:10:20")}
    assert found.expected == {"stake_cents": closed}
    assert found.where == {"shoe": 1, "number": 1, "box": 1}
    assert len(found.evidence) == 3  # both signals and the round
    assert said(AS_SEEN, game, book) == LAWFUL  # it was seen: the article's own matter


@upholds_case(FOLLOWED, "boundary")
def test_what_was_put_right_at_once_is_no_breach() -> None:
    assert both(seen(1000, 2000)) == (LAWFUL, LAWFUL)  # paid by what had lain there
    assert both(seen(1000, 2000, 1000)) == (LAWFUL, LAWFUL)
    assert both(seen(1000, 1000)) == (LAWFUL, LAWFUL)  # nothing changed
    raised_and_put_right = seen(500, 1000, 500)  # and yet the round was recorded with it
    assert said(FOLLOWED, raised_and_put_right) == BREACH


@upholds_case(AS_SEEN, "unlawful")
@pytest.mark.parametrize("book", rulebook_ids())
@pytest.mark.parametrize("closed", [999, 1001, 0])
def test_another_stake_than_was_seen_is_found_in_every_rulebook(closed: int, book: str) -> None:
    game = seen(closed)
    found = the_finding(AS_SEEN, game, book)
    assert (found.article, found.severity) == ("house.devices", "deviation")
    assert (found.observed, found.expected) == ({"stake_cents": 1000}, {"stake_cents": closed})
    assert found.where == {"shoe": 1, "number": 1, "box": 1}
    assert len(found.evidence) == 2
    assert said(FOLLOWED, game, book) == LAWFUL


@upholds_case(AS_SEEN, "boundary")
def test_a_third_amount_is_the_houses_matter_and_leaves_the_article_open() -> None:
    assert both(seen(500, 1500)) == (UNDECIDED, BREACH)
    assert both(seen(500, 1500, 1000)) == (BREACH, LAWFUL)


def test_an_empty_box_and_one_the_round_does_not_name() -> None:
    assert both(seen(0, box=7)) == (LAWFUL, LAWFUL)
    assert both(seen(500, box=7)) == (LAWFUL, BREACH)
    assert both(seen(500, 0, box=7)) == (BREACH, LAWFUL)  # taken away


@pytest.mark.parametrize(
    "lying",
    [
        box(1, DOUBLED, main(2000, 4000, first=1000), does="double"),
        box(1, SPLIT, main(1000, 2000), main(1000, 2000, hand=2)),
        box(1, "TS 8D", main(1000, 2000), insurance(500, 0)),
    ],
)
def test_doubles_splits_and_insurance_are_other_spots(lying: Any) -> None:
    assert both(seen(1000, boxes=(lying,))) == (LAWFUL, LAWFUL)


@pytest.mark.parametrize(
    ("returned", "changes", "expected"),
    [
        (4000, (2000,), BREACH),  # more, and it won
        (0, (500,), BREACH),  # less, and it lost
        (0, (2000,), UNDECIDED),
        (4000, (500,), UNDECIDED),
        (2000, (2000,), UNDECIDED),  # a tie is to nobody's good
        (4000, (2000, 1000), LAWFUL),  # put right
        (4000, (), LAWFUL),
    ],
)
def test_where_the_round_does_not_tell_what_a_box_began_with(
    returned: int, changes: tuple[int, ...], expected: str
) -> None:
    doubled = box(1, DOUBLED, main(2000, returned, first=UNKNOWN), does="double")
    assert both(seen(1000, *changes, boxes=(doubled,))) == (expected, UNDECIDED)


def test_owners_of_one_box_are_told_apart_where_the_sensor_can() -> None:
    shared = box(1, "TS 8D", main(1000, 2000), main(500, 1000, "J5"))
    assert both(seen(1500, boxes=(shared,))) == (LAWFUL, LAWFUL)
    assert both(seen(500, boxes=(shared,), owner="J5")) == (LAWFUL, LAWFUL)
    late = seen(0, 500, boxes=(shared,), owner="J5")
    assert the_finding(FOLLOWED, late).where == {"shoe": 1, "number": 1, "box": 1, "owner": "J5"}
    assert both(seen(500, boxes=(shared,), owner="J6")) == (LAWFUL, BREACH)


@pytest.mark.parametrize(("at", "expected"), [("20:12", BREACH), ("20:12:01", LAWFUL)])
def test_what_moves_once_the_round_is_paid_is_no_change(at: str, expected: str) -> None:
    times = Times(moment(CLOSED), moment(FIRST_CARD), moment("20:12"))
    game = see(played(times=times), "closed", 500, CLOSED)
    see(game, "changed", 1000, at)
    assert said(FOLLOWED, game) == expected
    assert said(AS_SEEN, game) == (LAWFUL if expected == BREACH else BREACH)


def test_stakes_closed_once_more_begin_anew() -> None:
    game = see(see(seen(500), "changed", 700, "20:09:57"), "closed", 1000, "20:09:58")
    assert both(game) == (LAWFUL, LAWFUL)


def test_what_cannot_be_held_against_anything_stays_open() -> None:
    nobody_saw_the_closing = see(played(), "changed", 2000, "20:10:20")
    assert both(nobody_saw_the_closing) == (UNDECIDED, UNDECIDED)
    no_round = seen(1000, round="00000000-0000-4000-8000-999999999999")
    assert both(no_round) == (UNDECIDED, UNDECIDED)
    interrupted = see(played(interrupted="incident"), "closed", 500, CLOSED)
    assert both(interrupted) == (NOT_ASKED, NOT_ASKED)


def test_every_box_has_a_finding_of_its_own() -> None:
    game = played(WON, box(2, "TS 7D", main(1000, 2000)))
    for number in (1, 2):
        see(game, "closed", 500, CLOSED, box=number)
        see(game, "changed", 1000, "20:10:20", box=number)
    assert [one.where["box"] for one in findings(FOLLOWED, game)] == [1, 2]
