"""What is recorded of a pool: what is no event at all, and what ought not to happen but may be
recorded.

Law: PT art. 38, 40 to 44, 50.
"""

import json
from typing import Any, get_args

import pytest

from casino.events import Malformed
from casino.reading.payload import event_of, payload_of
from jackpot.events import KINDS, OF_POOLS, AdjustmentReason
from jackpot.progressive.meter import ADJUSTMENT_REASONS
from tests.factories.events.pools import BARE, FULL
from tests.factories.events.shoes import FULL as AT_THE_TABLE

RECORDED = {event.kind: event for event in (*AT_THE_TABLE, *FULL)}


def refused(kind: str, **changes: Any) -> Malformed:
    """The refusal of an event told otherwise."""
    with pytest.raises(Malformed) as error:
        recorded(kind, **changes)
    return error.value


def recorded(kind: str, **changes: Any) -> Any:
    """An event told otherwise; ``...`` leaves a field out."""
    payload = json.loads(json.dumps(payload_of(RECORDED[kind]))) | changes
    given = {name: value for name, value in payload.items() if value is not ...}
    return event_of(KINDS[kind], given)


def chips(n: int) -> dict[str, Any]:
    """So many chips."""
    return {"box": 1, "owner": "J1", "n": n}


def line(code: str, **prize: int) -> dict[str, Any]:
    """One line of a table."""
    return {"code": code, **prize}


@pytest.mark.parametrize(
    ("kind", "changes", "path"),
    [
        ("jackpot-incremented/1", {"chips": [chips(1_001)]}, "$.chips[0].n"),
        ("jackpot-incremented/1", {"chips": [chips(501), chips(500)]}, "$.chips"),
        ("jackpot-incremented/1", {"chip_cents": 100_001}, "$.chip_cents"),
        ("terms-approved/1", {"stake_cents": 100_001}, "$.stake_cents"),
    ],
)
def test_amounts_no_round_can_have_are_refused(kind: str, changes: Any, path: str) -> None:
    error = refused(kind, **changes)
    assert error.path == path
    assert "a whole number from" in str(error)


def test_the_most_that_one_entry_may_tell_is_told() -> None:
    laid = [chips(500), chips(500)]
    event = recorded("jackpot-incremented/1", chips=laid, chip_cents=100_000)
    assert sum(chip.n for chip in event.chips) * event.chip_cents == 10**8
    assert recorded("terms-approved/1", stake_cents=100_000).stake_cents == 100_000


@pytest.mark.parametrize("rate", [-1, 1_000_001, "2.5", 2.5, True])
def test_article_40_a_percentage_below_0_over_100_or_finer_than_four_decimals_is_no_terms(
    rate: Any,
) -> None:
    assert refused("terms-approved/1", rate_millionths=rate).path == "$.rate_millionths"


@pytest.mark.parametrize("rate", [0, 1, 1_000_000])
def test_article_40_percentages_from_0_to_100_are_terms(rate: int) -> None:
    assert recorded("terms-approved/1", rate_millionths=rate).rate_millionths == rate


@pytest.mark.parametrize(
    ("lines", "path"),
    [
        ([], "$.lines"),
        ([line("five_aces", fixed_cents=1)], "$.lines[0].code"),
        ([line("JS-AS", fixed_cents=1)], "$.lines[0].code"),  # spelt the other way round
        ([line("pair", fixed_cents=1), line("pair", fixed_cents=2)], "$.lines[1].code"),
        ([line("pair")], "$.lines[0]"),
        ([line("pair", fixed_cents=1, share_millionths=1)], "$.lines[0]"),
        ([line("pair", share_millionths=1_000_001)], "$.lines[0].share_millionths"),
        ([line("pair", share_millionths=0)], "$.lines[0].share_millionths"),
    ],
)
def test_article_43_a_table_that_contradicts_itself_is_no_terms(lines: Any, path: str) -> None:
    assert refused("terms-approved/1", lines=lines).path == path


def test_article_42_a_combination_of_more_cards_than_count_is_no_terms() -> None:
    error = refused("terms-approved/1", lines=[line("four_aces", fixed_cents=1)], cards_counted=3)
    assert error.path == "$.lines[0].code"


UNLAWFUL = [
    ("terms-approved/1", {"start_cents": 0}, "PT art. 44: below ten thousand stakes"),
    ("terms-approved/1", {"cards_counted": 5}, "PT art. 42: 2, 3 or 4 cards count"),
    ("terms-approved/1", {"option_reference": ...}, "PT art. 38: not communicated"),
    ("terms-approved/1", {"approval_reference": ...}, "PT art. 40: not approved"),
    ("terms-approved/1", {"valid_from": "2020-01-01T00:00:00Z"}, "PT art. 40: reaching back"),
    ("terms-approved/1", {"lines": [line("pair", fixed_cents=1)]}, "PT art. 50: no top"),
    ("jackpot-started/1", {"start_cents": 1}, "PT art. 44"),
    ("jackpot-paid/1", {"paid_cents": 10**12}, "PT art. 50: more than there ever was"),
    ("jackpot-won/1", {"opened_at": ...}, "PT art. 49: nobody says the cards lay open"),
]


@pytest.mark.parametrize(("kind", "changes", "law"), UNLAWFUL)
def test_what_should_not_have_happened_is_told(kind: str, changes: Any, law: str) -> None:
    assert recorded(kind, **changes).kind == kind, law


@pytest.mark.parametrize(
    ("kind", "changes", "path"),
    [
        (
            "terms-confirmed/1",
            {"confirms": {"stream": "jackpot/JP-2", "n": 1, "leaf": "a" * 64}},
            "$.confirms.stream",
        ),
        (
            "jackpot-paid/1",
            {"hit": {"stream": "table/BJ-06", "n": 1, "leaf": "a" * 64}},
            "$.hit.stream",
        ),
        ("jackpot-paid/1", {"code": "five_aces"}, "$.code"),
        ("jackpot-paid/1", {"partida": "BJ-07/2026-11-20/1"}, "$.partida"),
        ("jackpot-won/1", {"winners": []}, "$.winners"),
        (
            "jackpot-won/1",
            {"winners": [{"owner": "J2", "box": 2, "code": "full_house"}]},
            "$.winners[0].code",
        ),
        (
            "jackpot-won/1",
            {"winners": [{"owner": "J2", "box": 2, "code": "pair"}] * 2},
            "$.winners[1].owner",
        ),
        ("jackpot-adjusted/1", {"microcents": 0}, "$.microcents"),
        ("jackpot-adjusted/1", {"reason": "it_was_wrong"}, "$.reason"),
        ("jackpot-adjusted/1", {"reason": "win_withdrawn"}, "$.hit"),
        (
            "jackpot-adjusted/1",
            {"hit": {"stream": "jackpot/JP-1", "n": 5, "leaf": "a" * 64}},
            "$.hit",
        ),
        (
            "jackpot-sealed/1",
            {"up_to": [{"stream": "table/BJ-06", "n": 1}] * 2},
            "$.up_to[1].stream",
        ),
        ("jackpot-sealed/1", {"held": [{"hit": 5, "cents": 1}] * 2}, "$.held[1].hit"),
        ("jackpot-sealed/1", {"microcents": -1}, "$.microcents"),
        ("jackpot-sealed/1", {"microcents": 2_731_250_062_501}, "$.microcents"),
        ("jackpot-started/1", {"start_cents": 9_007_199_255}, "$.start_cents"),
    ],
)
def test_what_contradicts_itself_is_refused(kind: str, changes: Any, path: str) -> None:
    assert refused(kind, **changes).path == path


def test_the_list_of_reasons_is_the_meters_own() -> None:
    assert get_args(AdjustmentReason) == (*ADJUSTMENT_REASONS, "win_withdrawn")


def test_whatever_bears_on_a_pool_as_a_whole_stands_in_its_stream() -> None:
    assert {type(event) for event in FULL} == {type(event) for event in BARE} == set(OF_POOLS)
    assert {event.stream for event in (*FULL, *BARE)} == {"jackpot/JP-1"}
    assert RECORDED["jackpot-paid/1"].table_code == "BJ-06"
    assert RECORDED["terms-approved/1"].table_code is None
