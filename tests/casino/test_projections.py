"""What each event becomes on its projections: every column filled, and with what the event told."""

import json
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import pytest
from django.apps import apps
from django.db import models

from audit.case_events import CaseEvent
from casino.events.kinds import KINDS as FLOOR
from casino.events.naming import NAMING
from casino.events.shape import Items, Plain, fields_of, parts_of
from casino.events.values import Spelled
from casino.models.incidents_projections import Incident
from casino.models.keeping_projections import Erasure
from casino.models.namings import Naming
from casino.models.partidas_projections import Closing, Partida
from casino.models.people import Duty, OfficeGrant, Staff
from casino.models.projection import EntryView, Lock, ProjectionBase, own_columns
from casino.models.rounds_projections import Round
from casino.models.shoes_projections import Cut, Interruption, Shuffle
from casino.models.shufflers_projections import Attestation
from casino.models.supersession import Supersession
from casino.recording.projecting import locks_of, projections, rows_for
from jackpot.models import Contribution, JackpotIncrement
from tests.factories.events.every import BARE, FULL, KINDS
from tests.factories.events.house import NONCE, ROUND, A

MOMENT = datetime(2026, 11, 20, 19, 47, tzinfo=UTC)


def view(event: Any) -> EntryView:
    """The entry an event would stand in."""
    return EntryView(
        entry_id=UUID(int=7),
        stream=event.stream,
        n=12,
        leaf=A,
        kind=event.kind,
        gaming_day=event.gaming_day or date(2026, 11, 20),
        table_code=getattr(event, "table_code", None) or "",
        partida_id=getattr(event, "partida_id", None) or "",
        occurred_at=MOMENT,
        recorded_at=MOMENT,
        staff="S-0187",
        office="fiscal_de_banca",
        door="admin",
    )


def rows(event: Any, model: type[models.Model]) -> list[dict[str, Any]]:
    """What the event becomes on one of its projections."""
    assert model in projections()[event.kind]
    return [dict(row) for row in model.rows_of(event, view(event))]


def test_every_kind_has_a_shelf_and_every_shelf_a_kind() -> None:
    assert projections().keys() == KINDS.keys()
    projected = {model for models in projections().values() for model in models}
    concrete = {model for model in apps.get_models() if issubclass(model, ProjectionBase)}
    assert concrete == projected | {Supersession}


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_fills_every_column_and_knows_no_other(kind: str) -> None:
    for event in (FULL[kind], BARE[kind]):
        for projection in projections()[kind]:
            own = own_columns(projection)
            for row in projection.rows_of(event, view(event)):
                # A withdrawal names in its payload what a correction names beside it.
                texts = set(row) - {"supersedes_leaf"}
                assert texts == set(own) - {"entry_id"}, (kind, projection.__name__)
                for name, value in row.items():
                    field = projection._meta.get_field(name)
                    assert value is not None or field.null, (kind, name)
                    assert json.dumps(value, default=str) is not None
                    if isinstance(field, models.TextField):
                        assert type(value) is str, (kind, name)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_made_the_same_twice(kind: str) -> None:
    for projection in projections()[kind]:
        once, again = (list(rows_for(FULL[kind], view(FULL[kind]), projection)) for _ in range(2))
        assert [row.pk for row in once] == [row.pk for row in again]
        assert len({row.pk for row in once}) == len(once)


@pytest.mark.parametrize("kind", KINDS)
def test_no_private_value_lies_on_a_shelf(kind: str) -> None:
    event = FULL[kind]
    for name in getattr(event, "private", ()):
        for projection in projections()[kind]:
            assert name not in own_columns(projection)
            for row in projection.rows_of(event, view(event)):
                assert getattr(event, name) not in json.dumps(row, default=str)


def test_a_shelf_can_be_searched_by_day_and_table() -> None:
    of_the_floor = {
        projection
        for event in FULL.values()
        if getattr(event, "partida_id", None) and event.stream.startswith("table/")
        for projection in projections()[event.kind]
    }
    for projection in of_the_floor - {Erasure, Naming, Supersession}:
        searched = [tuple(index.fields[:2]) for index in projection._meta.indexes]
        assert ("gaming_day", "table_code") in searched, projection.__name__


def test_what_stands_on_some_shelves() -> None:
    (opened,) = rows(FULL["partida-opened/1"], Partida)
    assert opened["decks"] == ["D-0231", "D-0232"]
    assert (opened["cut_card"], opened["carta_aviso"]) == ("yellow/yellow", "black/green")
    assert opened["float_cents"] == 100_000
    assert (opened["minimum_cents"], opened["maximum_cents"]) == (1000, 30000)
    (bare,) = rows(BARE["partida-opened/1"], Partida)
    assert (bare["float_cents"], bare["jackpots"], bare["shuffler"]) == (None, None, "")

    (closed,) = rows(FULL["partida-closed/1"], Closing)
    assert closed["attested"] == [
        {"article": "58", "staff": "S-0100"},
        {"article": "59", "staff": "S-0100"},
    ]

    (cut,) = rows(FULL["cut-made/1"], Cut)
    assert cut["offers"] == [[5, False], [2, True]]
    assert (cut["seat"], cut["due_seat"], cut["cutter"]) == (2, 5, "")
    assert rows(BARE["cut-made/1"], Cut)[0]["cutter"] == "S-0100"

    (shuffle,) = rows(FULL["cards-shuffled/1"], Shuffle)
    assert (shuffle["decks"], shuffle["passes"]) == (["D-0231", "D-0232"], [7, 0])

    (staff,) = rows(FULL["staff-registered/1"], Staff)
    assert staff == {"person": "S-0187", "named": True}
    (grant,) = rows(FULL["office-granted/1"], OfficeGrant)
    assert (grant["person"], grant["held"]) == ("S-0187", "fiscal_chefe")
    assert [rows(FULL[f"duty-{act}/1"], Duty)[0]["begins"] for act in ("begun", "ended")] == [
        True,
        False,
    ]

    (seen,) = rows(FULL["witnessed/1"], Attestation)
    assert (seen["witnessed_n"], seen["witness"], seen["nonce"]) == (12, "S-0187", NONCE)

    (incident,) = rows(FULL["incident-reported/1"], Incident)
    assert (incident["level"], incident["described"]) == ("jam", True)
    assert incident["people"] == [
        {"person": "S-0187", "role": "fiscal_chefe"},
        {"person": "J2"},
    ]


def test_stops_stand_on_one_shelf() -> None:
    acts = [
        (row["act"], row["reason"], row["cards"])
        for kind in ("cards-spread/1", "play-interrupted/1", "play-resumed/1")
        for row in rows(FULL[kind], Interruption)
    ]
    assert acts == [
        ("cards-spread", "no_players", 96),
        ("play-interrupted", "no_stakes", None),
        ("play-resumed", "", None),
    ]


def test_a_round_is_summed_up() -> None:
    (row,) = rows(FULL["round-played/1"], Round)
    assert (row["boxes"], row["staked_cents"], row["returned_cents"]) == (1, 4250, 8000)
    assert (row["bank"], row["voided"], row["shoe"], row["number"]) == ("6H 4S", "", 3, 17)
    (bare,) = rows(BARE["round-played/1"], Round)
    assert (bare["voided"], bare["bank"], bare["shoe"], bare["dealer"]) == (
        "incident",
        "",
        None,
        "",
    )


def test_every_chip_is_a_contribution() -> None:
    event = FULL["jackpot-incremented/1"]
    (increment,) = rows(event, JackpotIncrement)
    assert (increment["chips"], increment["owners"]) == (3, ["J2", "J5"])
    chips = rows(event, Contribution)
    assert [(chip["box"], chip["owner"], chip["chip"], chip["stake_cents"]) for chip in chips] == [
        (2, "J2", 1, 250),
        (5, "J5", 1, 250),
        (5, "J5", 2, 250),
    ]
    assert [chip["chips"] for chip in chips] == [1, 1, 1]
    assert locks_of(event) == {Lock("jackpot/JP-1", shared=True)}
    (wager,) = rows(FULL["round-played/1"], Contribution)
    assert (wager["told_by"], wager["jackpot"], wager["round"]) == ("round", "", ROUND)
    assert (wager["box"], wager["chips"], wager["stake_cents"]) == (2, 1, 250)
    # It names no pool: it keeps off all of them; a round without chips keeps off none.
    assert locks_of(FULL["round-played/1"]) == {Lock("what-counts", shared=True)}
    assert locks_of(BARE["round-played/1"]) == set()


def test_an_entry_names_each_deck_machine_and_person_once() -> None:
    listed = {
        (row["thing"], row["code"], row["role"]) for row in rows(FULL["shuffler-loaded/1"], Naming)
    }
    assert listed == {
        ("deck", "D-0231", "decks"),
        ("deck", "D-0232", "decks"),
        ("shuffler", "CSM-04", "shuffler"),
        ("person", "P-104", "operator"),
        ("person", "S-0187", "fiscal_chefe"),  # who wrote it too
    }


# Codes that name neither a deck nor a machine nor a person of the house.
NAMES_NOTHING = {
    "article", "at_table", "camera", "cameras", "complaint", "detail", "dispute", "hold",
    "incident",
    "jackpots", "leave", "legal_basis", "machine", "notice", "outcome", "owner", "pepper", "player",
    "reason", "rulebook", "sheet", "table", "tables", "violation",
}  # fmt: skip


def test_of_every_code_it_is_known_whether_it_names_something() -> None:
    codes: set[str] = set()
    for event in FULL.values():
        of_people = event.kind in FLOOR or isinstance(event, CaseEvent)
        if of_people and event.kind != "round-played/1":
            codes |= {
                name for part in (type(event), *parts_of(type(event))) for name in coded(part)
            }
    assert codes == NAMES_NOTHING | set(NAMING)


def coded(part: type) -> set[str]:
    """The fields of an event or a part that hold a code."""
    found = set()
    for field in fields_of(part):
        shape = field.shape
        while isinstance(shape, Items):
            shape = shape.of
        if isinstance(shape, Plain) and shape.form == Spelled("code"):
            found.add(field.name)
    return found
