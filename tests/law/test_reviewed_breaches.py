"""Every breach an outside reading of the law made, by its name and run, and what it is found as.

The table is in tests/factories: `reviewed_rounds` (F, n.º 1 to 37), `reviewed_games` (G, n.º 2 to
17, 37, 51 to 61) and `reviewed_pools` (J, n.º 38 to 50). A breach is found under the article that
was broken, and nothing beside it is but what the row names; of its lawful twin nothing is.
"""

from datetime import date
from typing import Any, Final, NamedTuple

import pytest

from audit.museum.judged_evenings import findings_of
from casino.events.round.round_played import RoundPlayed
from casino.law.check_registry import ALL_CHECKS
from casino.law.checks.table.house_controls import judge_house
from casino.law.rulebook.rulebook_file import load_law
from casino.reading.round_reader import read_round
from casino.reading.round_writer import round_as_json
from jackpot.rules.whole import WholePool
from tests.factories import reviewed_games, reviewed_pools, reviewed_rounds
from tests.factories.games import Game
from tests.factories.pool_acts import laid
from tests.factories.pool_games import prepared
from tests.factories.reviewed_rounds import Row, one
from tests.factories.rounds import a_round, box, insurance, main
from tests.factories.shuffler import unwitnessed
from tests.gate import ROOT
from tests.law import asking
from tests.law.asking import UNDECIDED, cited, owed
from tests.law.floor_asking import judged, said

PT: Final = load_law("pt")
RUNS: Final = {
    "F": reviewed_rounds.BREACHES,
    "G": reviewed_games.BREACHES,
    "J": reviewed_pools.BREACHES,
    "hole": reviewed_games.HOLES,
    "house": reviewed_games.OF_THE_HOUSE,
}
TABLE: Final = {f"{run} {row.name}": row for run, rows in RUNS.items() for row in rows}
# What the reading names and no row of the table can tell: the tests that do.
ELSEWHERE: Final = {
    "G 14-round-told-with-other-limits, through the book": "tests/audit/test_reconcile_book.py::"
    "test_a_round_that_names_another_rulebook_or_limits_is_judged_by_its_games",
    "G 18-round-names-another-book, through the book": "tests/audit/test_reconcile_book.py::"
    "test_a_round_that_names_another_rulebook_or_limits_is_judged_by_its_games",
    "F 17 and 26, refused by the door": "tests/audit/test_reviewed_doors.py::"
    "test_a_round_typed_in_the_admin_is_recorded_and_found",
    "hole 05-authorisation-made-up, by its form": "tests/audit/test_reviewed_doors.py::"
    "test_a_leave_of_any_text_is_recorded_and_found",
    "G 13-attested-by-a-number-nobody-has, by its form": "tests/audit/test_reviewed_doors.py::"
    "test_who_attests_under_a_number_of_nobody_is_recorded_and_found_once",
    "hole 40-no-conditions-and-no-proposal": "tests/law/test_reviewed_breaches.py::"
    "test_40_terms_without_conditions_or_proposal_are_never_called_lawful",
    "one incident number at two tables": "tests/law/test_pt_51_two_tables.py::"
    "test_who_sent_anothers_notice_is_not_held_against_this_one",
}
# Found with another breach, of which it is a part: no card can be burnt before a first card that
# came before the loading, a chip laid late lies beside a stake that was, and so on.
PART_OF_IT: Final = {
    "6 bank_ace_counts_as_stated",  # one for each stake that was settled so
    "10 shoe_is_burnt",
    "11 no_round_after_the_last",
    "13 stakes_before_the_deal",
}


class Said(NamedTuple):
    """A finding, as the table names it, and its gravity."""

    rule: str
    severity: str


def everything(value: Any) -> list[Said]:
    """All that is found of a round, of a game with its people, or of a meter's whole story."""
    if isinstance(value, RoundPlayed):
        found = [*asking.judged(value).findings]
    elif isinstance(value, WholePool):
        rules = PT.on(date(2026, 11, 20))
        return [
            Said(f"{rules.article_of(breach.check.name)} {breach.check.name}", "breach")
            for breach in value.said
        ]
    else:
        dossier = value.dossier()
        of_game = findings_of(dossier, PT)
        found = [finding for finding, _ in of_game] + list(judge_house(dossier, PT).findings)
        of_rounds = [finding for finding, played in of_game if played]
        assert all(finding.evidence for finding in found if finding not in of_rounds)
    return sorted(Said(f"{one.article} {one.check}", one.severity) for one in found)


def made(what: Any) -> Any:
    """The round, or the story told anew."""
    return what() if callable(what) else what


def test_the_table_holds_as_many_breaches_as_the_reading_counts() -> None:
    assert {run: len(RUNS[run]) for run in "FGJ"} == {"F": 89, "G": 106, "J": 31}
    assert len(TABLE) == sum(len(rows) for rows in RUNS.values())  # no name twice in a run


@pytest.mark.parametrize("what", ELSEWHERE)
def test_what_is_told_elsewhere_is_told_there(what: str) -> None:
    path, _, test = ELSEWHERE[what].partition("::")
    assert f"\ndef {test}(" in (ROOT / path).read_text("utf-8")


def test_each_article_that_can_be_broken_is_broken() -> None:
    broken = {run: {int(row.name[:2]) for row in RUNS[run]} for run in "FGJ"}
    assert broken["F"] <= set(range(1, 38))
    assert broken["G"] <= {*range(2, 18), 18, 37, *range(51, 62)}
    assert broken["J"] == set(range(38, 51))
    assert set(range(1, 62)) - set.union(*broken.values()) == {56}  # which spares, forbids nothing


@pytest.mark.parametrize("name", TABLE)
def test_a_reviewed_breach_is_found_under_its_article(name: str) -> None:
    row = TABLE[name]
    found = everything(made(row.breach))
    assert [one.rule for one in found] == sorted([row.found, *row.beside])
    assert set(row.beside) <= PART_OF_IT


@pytest.mark.parametrize("name", TABLE)
def test_nothing_is_found_of_its_lawful_twin_and_its_check_is_decided(name: str) -> None:
    value, check = made(TABLE[name].twin), TABLE[name].found.split()[1]
    assert everything(value) == []
    if isinstance(value, RoundPlayed):
        assert asking.said(check, value) != UNDECIDED
    elif isinstance(value, Game):
        assert said(check, value) != UNDECIDED


@pytest.mark.parametrize("name", [name for name in TABLE if name.startswith("F")])
def test_a_reviewed_round_can_be_told(name: str) -> None:
    row: Row = TABLE[name]
    for played in (row.breach, row.twin):
        assert read_round(round_as_json(played).encode()) == played


@pytest.mark.parametrize("name", TABLE)
def test_a_breach_is_the_laws_and_what_the_house_asks_is_none(name: str) -> None:
    row = TABLE[name]
    check = row.found.split()[1]
    of_house = row.found.startswith("house.")
    assert of_house or PT.on(date(2026, 11, 20)).article_of(check) == row.found.split()[0]
    assert of_house or check in ALL_CHECKS
    for found in everything(made(row.breach)):
        allowed = ("deviation", "warning") if of_house else ("breach", "warning")
        assert found.severity in allowed


@pytest.mark.parametrize("name", ["hole 02-layout-never-told", "G 04-no-special-cards-told"])
def test_what_nobody_told_is_a_warning_and_no_breach(name: str) -> None:
    assert [one.severity for one in everything(made(TABLE[name].breach))] == ["warning"]


def test_40_terms_without_conditions_or_proposal_are_never_called_lawful() -> None:
    """hole 40-no-conditions-and-no-proposal."""
    game = prepared("manual", conditions=None, proposal=None, proposed_on=None)
    laid(game)
    assert said("jackpot_terms_were_proposed", game) == UNDECIDED


def test_54_a_fiscal_chefe_who_said_nothing_is_not_shown_and_no_breach() -> None:
    (found,) = judged(unwitnessed()).findings
    assert (found.severity, found.readings) == ("warning", ("presence-shown",))


# What was said to be a breach, and is none, or is another.
LAWFUL: Final[dict[str, Any]] = {
    "22-bank-draws-after-a-paid-blackjack": one(
        "AS KD", main(1000, 2500, at_once=True), bank="9H 2C 6D"
    ),
    "33-insurance-won-left-with-nothing-more": one(
        "TS 8D", main(1000, 0), insurance(500, 1500), bank="AH KC"
    ),
    **reviewed_games.LAWFUL,
}


@pytest.mark.parametrize("name", LAWFUL)
def test_what_was_accused_and_is_lawful_is_accused_of_nothing(name: str) -> None:
    assert everything(made(LAWFUL[name])) == []


def test_the_insurance_that_was_called_a_blackjack() -> None:
    """1500 of an insurance left with the lost stake: 33 is broken by it, and 1 is not."""
    played = one("TS 8D", main(1000, 2500), insurance(500, 0), bank="AH KC")
    assert cited(played) == ["23 farther_from_twenty_one_loses", "33 insurance_pays_two_to_one"]


def test_the_card_taken_off_the_bank_at_six() -> None:
    """BJ-01/191: nothing was said of the amount, though the very cards lay in the record."""
    played = one(
        "TS 9D",
        main(1000, 1000),
        bank="3S 3C KH 3H",
        voided="TC extra",
        dealt="1 TS, bank 3S, 1 9D, bank 3C, bank TC, bank KH, bank 3H",
    )
    assert owed(played) == (2000, 1000, "player")


def test_twenty_one_given_up_while_the_bank_had_to_draw() -> None:
    played = a_round(box(1, "TS 5D 6C", main(1000, 500), does="hit surrender"), bank="7H 4C")
    assert owed(played) == (None, 0, None)
