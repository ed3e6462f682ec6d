"""What the book tells: what counts, up to where, and who held which office."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from casino import queries
from casino.facts.partidas import PartidaOpened
from casino.facts.rounds import RoundPlayed
from casino.facts.staff import DutyBegun, OfficeEnded, OfficeGranted
from tests.audit.evenings_in_book import (
    DAY,
    EVENING,
    MANAGER,
    an_evening,
    correct,
    opened,
    partida_of,
    played,
    tell,
)

pytestmark = pytest.mark.django_db
FROM = datetime(2020, 1, 1, tzinfo=UTC)


def rounds(**known: Any) -> list[Any]:
    """The rounds of the partida that count."""
    with queries.rounds_of(partida_of(), **known) as read:
        return list(read)


def test_a_dossier_holds_what_the_partida_tells_in_its_order() -> None:
    receipts = an_evening(rounds=2)
    an_evening("BJ-02", rounds=1)
    dossier = queries.dossier_of(partida_of())
    assert [told.n for told in dossier.entries] == [1, 2, 3, 4]
    assert [told.entry_id for told in dossier.entries] == [str(one.entry_id) for one in receipts]
    assert [told.leaf for told in dossier.entries] == [one.leaf for one in receipts]
    assert dossier.of(PartidaOpened)[0].fact == opened()
    assert dossier.of(RoundPlayed)[0].fact == played("r1", place=1)
    assert (dossier.table, dossier.gaming_day.isoformat()) == ("BJ-01", DAY)
    first = dossier.entries[0]
    assert (first.by.staff, first.by.office, first.by.door) == (
        "S-0187",
        "fiscal_de_banca",
        "admin",
    )


def test_a_correction_counts_from_its_approval_on() -> None:
    receipts = an_evening(rounds=2)
    heads_before = queries.heads()
    pending = correct(receipts[1], played("r1", place=1, returned=1500), approve=False)
    assert [told.n for told in rounds()] == [2, 3]
    approved = correct(receipts[2], played("r2", place=2, returned=1500))
    assert [told.n for told in rounds()] == [2, approved.n]
    assert pending.n not in [told.n for told in rounds()]
    # As it could be read before: neither is there.
    assert [told.n for told in rounds(up_to=heads_before)] == [2, 3]
    # Asked for but not approved yet.
    between = {"table/BJ-01": approved.n}
    assert [told.n for told in rounds(up_to=between)] == [2, 3]


def test_a_correction_of_a_correction_leaves_the_last() -> None:
    receipts = an_evening(rounds=1)
    once = correct(receipts[1], played("r1", place=1, returned=1500))
    twice = correct(once, played("r1", place=1))
    assert [told.n for told in rounds()] == [twice.n]


def test_a_stretch_of_rounds_is_read_by_its_numbers() -> None:
    an_evening(rounds=5)
    assert [told.n for told in rounds(numbers=(3, 4))] == [3, 4]
    with queries.partida_entries(partida_of(), kind=PartidaOpened.kind) as read:
        assert [told.n for told in read] == [1]


def test_a_stream_that_is_not_named_is_not_read() -> None:
    an_evening(rounds=1)
    assert queries.dossier_of(partida_of(), up_to={"house": 1}).entries == ()


def granted(staff: str, office: Any, **known: Any) -> Any:
    """An office given by the manager."""
    fact = OfficeGranted(
        staff=staff, office=office, granted_by="S-0001", **{"valid_from": FROM, **known}
    )
    return tell(fact, EVENING, MANAGER)


def test_offices_are_held_from_when_to_when() -> None:
    granted("S-1", "fiscal_de_banca", valid_until=EVENING)
    granted("S-1", "fiscal_chefe", valid_from=EVENING)
    granted("S-2", "chefia_da_sala")
    assert queries.office_at("S-1", EVENING - timedelta(seconds=1)) == "fiscal_de_banca"
    assert queries.office_at("S-1", EVENING) == "fiscal_chefe"
    assert queries.office_at("S-1", FROM - timedelta(days=1)) is None
    assert queries.office_at("S-3", EVENING) is None
    assert queries.offices_at("S-2", EVENING) == {"chefia_da_sala"}


def test_an_office_that_was_ended_may_be_granted_again() -> None:
    granted("S-1", "fiscal_chefe")
    ended = OfficeEnded(staff="S-1", office="fiscal_chefe", ended_at=EVENING, ended_by="S-0001")
    tell(ended, EVENING, MANAGER)
    assert queries.office_at("S-1", EVENING - timedelta(seconds=1)) == "fiscal_chefe"
    assert queries.office_at("S-1", EVENING) is None
    granted("S-1", "fiscal_chefe", valid_from=EVENING + timedelta(hours=1))
    assert queries.office_at("S-1", EVENING + timedelta(hours=2)) == "fiscal_chefe"


def test_of_the_house_a_dossier_holds_offices_and_the_duty_of_its_day() -> None:
    an_evening(rounds=1)
    granted("S-1", "fiscal_chefe")
    for day in (0, 40):
        duty = DutyBegun(staff="S-1", office="fiscal_chefe", tables=())
        tell(duty, EVENING - timedelta(days=day), MANAGER)
    house = queries.dossier_of(partida_of()).house
    assert [told.fact.kind for told in house] == ["office-granted/1", "duty-begun/1"]


def test_one_entry_is_found_by_its_id() -> None:
    receipts = an_evening(rounds=1)
    told = queries.entry_told(receipts[1].entry_id)
    assert told is not None
    assert told.fact == played("r1", place=1)
    assert queries.entry_told("00000000-0000-4000-8000-000000000000") is None
