"""What the book tells: what counts, up to where, and who held which office."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from casino import queries
from casino.events.complaints import ComplaintDecided, ComplaintReceived, DisputeReviewed
from casino.events.corrections import Corrected
from casino.events.deck_life import DeckWithdrawn
from casino.events.event import EntryRef
from casino.events.incidents import IncidentClosed, IncidentReported, IncidentStep
from casino.events.notices import NoticeSent
from casino.events.partidas import PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.shuffler_reports import ShufflerCycle, ShufflerSelfCheck, ShufflerSignal
from casino.events.shufflers import ShufflerFoundEmpty, ShufflerRegistered
from casino.events.staff import DutyBegun, OfficeEnded, OfficeGranted
from casino.events.tables import LimitsSet, TableRegistered
from casino.recording import Actor, Supersedes
from tests.factories.evenings import (
    DAY,
    EVENING,
    MANAGER,
    an_evening,
    closed,
    correct,
    opened,
    partida_of,
    played,
    record_events,
)

pytestmark = pytest.mark.django_db
CHEFE = Actor("S-0200", "fiscal_chefe", "admin")
FROM = datetime(2020, 1, 1, tzinfo=UTC)


def rounds(**known: Any) -> list[Any]:
    """The rounds of the partida that count."""
    with queries.rounds_of(partida_of(), **known) as read:
        return list(read)


def test_a_dossier_holds_what_the_partida_tells_in_its_order() -> None:
    receipts = an_evening(rounds=2)
    an_evening("BJ-02", rounds=1)
    dossier = queries.dossier_of(partida_of())
    assert [recorded.n for recorded in dossier.entries] == [1, 2, 3, 4]
    assert [recorded.entry_id for recorded in dossier.entries] == [
        str(one.entry_id) for one in receipts
    ]
    assert [recorded.leaf for recorded in dossier.entries] == [one.leaf for one in receipts]
    assert dossier.of(PartidaOpened)[0].event == opened()
    assert dossier.of(RoundPlayed)[0].event == played("r1", place=1)
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
    assert [value.n for value in rounds()] == [2, 3]
    approved = correct(receipts[2], played("r2", place=2, returned=1500))
    assert [value.n for value in rounds()] == [2, approved.n]
    assert pending.n not in [value.n for value in rounds()]
    # As it could be read before: neither is there.
    assert [value.n for value in rounds(up_to=heads_before)] == [2, 3]
    # Asked for but not approved yet.
    between = {"table/BJ-01": approved.n}
    assert [value.n for value in rounds(up_to=between)] == [2, 3]


def test_a_correction_of_a_correction_leaves_the_last() -> None:
    receipts = an_evening(rounds=1)
    once = correct(receipts[1], played("r1", place=1, returned=1500))
    twice = correct(once, played("r1", place=1))
    assert [value.n for value in rounds()] == [twice.n]


def test_a_stretch_of_rounds_is_read_by_its_numbers() -> None:
    an_evening(rounds=5)
    assert [value.n for value in rounds(numbers=(3, 4))] == [3, 4]
    with queries.partida_entries(partida_of(), kind=PartidaOpened.kind) as read:
        assert [recorded.n for recorded in read] == [1]


def test_a_stream_that_is_not_named_is_not_read() -> None:
    an_evening(rounds=1)
    assert queries.dossier_of(partida_of(), up_to={"house": 1}).entries == ()


def granted(staff: str, office: Any, **known: Any) -> Any:
    """An office given by the manager."""
    event = OfficeGranted(
        staff=staff, office=office, granted_by="S-0001", **{"valid_from": FROM, **known}
    )
    return record_events(event, EVENING, replace(MANAGER, door="local"))


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
    record_events(ended, EVENING, MANAGER)
    assert queries.office_at("S-1", EVENING - timedelta(seconds=1)) == "fiscal_chefe"
    assert queries.office_at("S-1", EVENING) is None
    granted("S-1", "fiscal_chefe", valid_from=EVENING + timedelta(hours=1))
    assert queries.office_at("S-1", EVENING + timedelta(hours=2)) == "fiscal_chefe"


def test_of_the_house_a_dossier_holds_offices_and_the_duty_of_its_day() -> None:
    an_evening(rounds=1)
    granted("S-1", "fiscal_chefe")
    for day in (0, 40):
        duty = DutyBegun(staff="S-1", office="fiscal_chefe", tables=())
        record_events(duty, EVENING - timedelta(days=day), MANAGER)
    house = queries.dossier_of(partida_of()).house
    assert [recorded.event.kind for recorded in house] == ["office-granted/1", "duty-begun/1"]


def test_one_entry_is_found_by_its_id() -> None:
    receipts = an_evening(rounds=1)
    recorded = queries.load_entry(receipts[1].entry_id)
    assert recorded is not None
    assert recorded.event == played("r1", place=1)
    assert queries.load_entry("00000000-0000-4000-8000-000000000000") is None


# What is recorded outside the partida of what belongs to it

TABLE = TableRegistered(table="BJ-01", boxes=7)


def around(**known: Any) -> list[str]:
    """The kinds of what is recorded around the partida, in their order."""
    return [recorded.event.kind for recorded in queries.dossier_of(partida_of(), **known).around]


def furnished() -> None:
    """A table and its limits from long ago, a deck withdrawn; and the same of another table."""
    long_ago = EVENING - timedelta(days=400)
    for table in ("BJ-01", "BJ-02"):
        record_events(replace(TABLE, table=table), long_ago, MANAGER)
        limits = LimitsSet(
            table=table, minimum_cents=1000, maximum_cents=30000, valid_from=long_ago
        )
        record_events(limits, long_ago, MANAGER)
    for deck in ("D-1", "D-99"):
        record_events(DeckWithdrawn(deck=deck, reason="worn"), long_ago, CHEFE)
    an_evening(rounds=1)


def test_a_dossier_holds_what_was_told_of_its_table_and_its_decks_long_before() -> None:
    furnished()
    assert around() == ["deck-withdrawn/1", "table-registered/1", "limits-set/1"]
    dossier = queries.dossier_of(partida_of())
    assert {recorded.event.deck for recorded in dossier.around_of(DeckWithdrawn)} == {"D-1"}
    assert [
        limits_set.table for limits_set in (one.event for one in dossier.around_of(LimitsSet))
    ] == ["BJ-01"]


def test_what_comes_to_hold_long_after_the_day_is_not_around_it() -> None:
    furnished()
    later = EVENING + timedelta(days=30)
    record_events(replace(TABLE, boxes=6), later, MANAGER)
    assert boxes() == [7]


def test_limits_that_were_put_right_are_those_of_the_first_record() -> None:
    """Put right twice, they are read to an end, and hold as if they had been written so at once."""
    an_evening(rounds=1)
    head = Actor("S-0002", "chefia_da_sala", "admin")
    begun = EVENING - timedelta(hours=1)
    wrong = LimitsSet(table="BJ-01", minimum_cents=1000, maximum_cents=30_000, valid_from=begun)
    first = record_events(wrong, begun, head)
    at = next(iter(queries.dossier_of(partida_of()).around_of(LimitsSet))).recorded_at
    again = first
    for cents in (20_000, 25_000):
        right = replace(wrong, maximum_cents=cents)
        pending = record_events(
            right, begun, head, supersedes=Supersedes(again.n, again.leaf, "typing_error")
        )
        approve(pending, again)
        (counts,) = queries.dossier_of(partida_of()).around_of(LimitsSet)
        assert (counts.event.maximum_cents, counts.recorded_at) == (cents, at)
        again = pending


def test_around_a_partida_only_what_counts_is_told() -> None:
    an_evening(rounds=1)
    first = record_events(
        TABLE, EVENING - timedelta(days=9), Actor("S-0003", "chefia_da_sala", "admin")
    )
    before = queries.heads()
    pending = record_events(
        replace(TABLE, boxes=6),
        EVENING - timedelta(days=8),
        Actor("S-0002", "chefia_da_sala", "admin"),
        supersedes=Supersedes(first.n, first.leaf, "typing_error"),
    )
    assert boxes() == [7]
    approve(pending, first)
    assert boxes() == [6]
    assert boxes(up_to=before) == [7]


def boxes(**known: Any) -> list[int]:
    """How many boxes the table was said to have."""
    dossier = queries.dossier_of(partida_of(), **known)
    return [recorded.event.boxes for recorded in dossier.around_of(TableRegistered)]


def approve(pending: Any, wrong: Any) -> None:
    """A second person lets a correction count."""
    named = [EntryRef(stream=one.stream, n=one.n, leaf=one.leaf) for one in (pending, wrong)]
    values = {"table": "BJ-01", "decision": "approved", "reason": "typing_error"}
    record_events(Corrected(pending=named[0], original=named[1], **values), EVENING, MANAGER)


def test_what_became_of_an_incident_or_a_complaint_elsewhere_is_around_it() -> None:
    an_evening(rounds=1, close=False)
    here = {"table": "BJ-01", "partida": partida_of()}
    record_events(
        IncidentReported(**here, incident="I-1", category="jam", reason="card", people=())
    )
    record_events(ComplaintReceived(**here, complaint="RC-1", subject="payment"))
    after = EVENING + timedelta(days=5)
    record_events(IncidentStep(incident="I-1", step="resolved"), after, CHEFE)
    record_events(IncidentStep(incident="I-2", step="resolved"), after, CHEFE)
    sent = {"to": "inspection_service", "about": "incident", "means": "portal", "reference": "1"}
    record_events(NoticeSent(notice="N-1", incident="I-1", **sent), after, MANAGER)
    decided = {"complaint": "RC-1", "outcome": "not_upheld", "reason": "seen"}
    record_events(ComplaintDecided(**decided), after, MANAGER)
    record_events(ComplaintDecided(**{**decided, "complaint": "RC-2"}), after, MANAGER)
    assert sorted(around()) == ["complaint-decided/1", "incident-step/1", "notice-sent/1"]


def test_the_machine_of_a_partida_is_around_it() -> None:
    machine = {"maker": "M", "model": "Six", "serial": "1", "continuous": True}
    record_events(
        ShufflerRegistered(shuffler="CSM-1", **machine), EVENING - timedelta(days=9), MANAGER
    )
    record_events(
        ShufflerRegistered(shuffler="CSM-2", **machine), EVENING - timedelta(days=9), MANAGER
    )
    record_events(opened(dealing="shuffler", shuffler="CSM-1"))
    record_events(
        ShufflerFoundEmpty(shuffler="CSM-1", cards_found=0), EVENING + timedelta(hours=9), CHEFE
    )
    record_events(
        ShufflerFoundEmpty(shuffler="CSM-1", cards_found=0), EVENING - timedelta(days=9), CHEFE
    )
    assert around() == ["shuffler-registered/1", "shuffler-found-empty/1"]


def test_what_its_machine_reports_of_no_game_is_around_it_and_that_it_reports_cycles() -> None:
    record_events(opened(dealing="shuffler", shuffler="CSM-1"))
    device = Actor("D-0900", "dispositivo", "api")
    before, soon = EVENING - timedelta(days=8), EVENING + timedelta(minutes=5)
    for event, at in (
        (ShufflerCycle(shuffler="CSM-1", phase="ended"), before),
        (ShufflerSignal(shuffler="CSM-1", signal="lid_closed"), before),  # no matter any more
        (ShufflerSelfCheck(shuffler="CSM-1", seals="intact"), soon),
        (ShufflerSignal(shuffler="CSM-9", signal="light_on", table="BJ-01"), soon),
        (ShufflerSignal(shuffler="CSM-9", signal="light_off", table="BJ-02"), soon),
    ):
        record_events(event, at, device)
    for table in ("BJ-01", "BJ-02"):  # of its own game, and of another
        where = {"table": table, "partida": partida_of(table=table)}
        record_events(ShufflerCycle(**where, shuffler="CSM-1", phase="started"), soon, device)
    assert sorted(around()) == ["shuffler-cycle/1", "shuffler-self-check/1", "shuffler-signal/1"]


def test_what_stopped_its_machine_before_is_around_it_and_what_became_of_that() -> None:
    record_events(opened(dealing="shuffler", shuffler="CSM-1"))
    values = {"reason": "card", "people": ()}
    before = EVENING - timedelta(days=3)
    elsewhere = {"table": "BJ-02", "partida": partida_of(table="BJ-02")}
    for incident, category, where in (
        ("I-1", "jam", {"shuffler": "CSM-1"}),
        ("I-2", "warning_light", {"table": "BJ-01"}),
        ("I-3", "jam", {"shuffler": "CSM-1", **elsewhere}),
        ("I-4", "jam", {"shuffler": "CSM-2", "table": "BJ-01"}),
        ("I-5", "jam", {"table": "BJ-02"}),
        ("I-6", "conduct", {"shuffler": "CSM-1"}),
        ("I-7", "jam", {"shuffler": None}),
    ):
        record_events(
            IncidentReported(incident=incident, category=category, **values, **where), before, CHEFE
        )
    after = EVENING + timedelta(days=9)
    late = IncidentReported(incident="I-8", category="jam", shuffler="CSM-1", **values)
    record_events(late, after, CHEFE)
    for incident in ("I-1", "I-4"):
        record_events(IncidentStep(incident=incident, step="resolved"), after, CHEFE)
        closed = {"incident": incident, "outcome": "settled", "reason": "other"}
        record_events(IncidentClosed(**closed), after, CHEFE)
    found = queries.dossier_of(partida_of()).around
    assert sorted((recorded.event.incident, recorded.event.kind) for recorded in found) == [
        ("I-1", "incident-closed/1"),
        ("I-1", "incident-reported/1"),
        ("I-1", "incident-step/1"),
        ("I-2", "incident-reported/1"),
        ("I-3", "incident-reported/1"),
    ]


def test_no_jam_is_around_a_table_that_deals_from_a_shoe() -> None:
    an_evening(rounds=1)
    values = {"category": "jam", "reason": "card", "people": (), "table": "BJ-01"}
    record_events(IncidentReported(incident="I-1", **values), EVENING - timedelta(days=3), CHEFE)
    assert around() == []


def test_a_look_at_an_error_told_elsewhere_is_around_it() -> None:
    an_evening(rounds=1, close=False)
    here = {"table": "BJ-01", "partida": partida_of()}
    error = {"incident": "I-1", "category": "payment_error", "reason": "paid", "people": ()}
    record_events(IncidentReported(**here, **error))
    looked = {"method": "cards", "error_by": "nobody"}
    for dispute in ("I-1", "I-2"):
        record_events(
            DisputeReviewed(dispute=dispute, **looked), EVENING + timedelta(days=1), MANAGER
        )
    (found,) = queries.dossier_of(partida_of()).around
    assert found.event.dispute == "I-1"


def test_a_dossier_takes_few_questions(django_assert_max_num_queries: Any) -> None:
    furnished()
    with django_assert_max_num_queries(9):
        queries.dossier_of(partida_of())


def test_begin_and_end_of_games_with_its_decks_its_machine_or_its_table_are_around_it() -> None:
    record_events(opened())
    shared = {"decks": opened().decks[:1]}
    for table, number, known in (
        ("BJ-01", 2, {}),
        ("BJ-02", 1, shared),
        ("BJ-03", 1, {}),
        ("BJ-04", 1, {}),
    ):
        record_events(opened(table, number=number, **known))
        record_events(closed(table, number=number), EVENING + timedelta(hours=1))
    long_ago = (EVENING - timedelta(days=9)).date().isoformat()
    record_events(opened("BJ-02", long_ago, **shared), EVENING - timedelta(days=9))
    found = queries.dossier_of(partida_of()).around
    assert sorted((recorded.event.partida, recorded.event.kind) for recorded in found) == [
        (partida_of(number=2), "partida-closed/1"),
        (partida_of(number=2), "partida-opened/1"),
        (partida_of("BJ-02"), "partida-closed/1"),
        (partida_of("BJ-02"), "partida-opened/1"),
    ]


def test_what_a_correction_replaced_is_kept_apart() -> None:
    receipts = an_evening(rounds=1)
    assert queries.dossier_of(partida_of()).replaced == ()
    correct(receipts[1], played("r1", place=1, returned=1500))
    dossier = queries.dossier_of(partida_of())
    assert [recorded.leaf for recorded in dossier.replaced] == [receipts[1].leaf]
    assert receipts[1].leaf not in {recorded.leaf for recorded in dossier.entries}
