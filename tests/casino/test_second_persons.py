"""Corrections and confirmations: what a second person decides, and what he cannot."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from casino import clock
from casino.events.corrections import Decision
from casino.events.event import EntryRef
from casino.events.sealing import EpochApproved, HouseActDecided
from casino.events.staff import OfficeGranted, StaffRegistered
from casino.models import Attestation, BookEntry, Burn
from casino.recording import (
    Actor,
    CorrectionPending,
    NeverCorrected,
    NotAllowed,
    NothingToCorrect,
    OwnOffice,
    Receipt,
    Submission,
    Supersedes,
    WitnessRefused,
    record_many,
)
from casino.recording.authority import writers_of
from tests.factories.events.every import FULL
from tests.factories.records import (
    EVENING,
    HEAD,
    MANAGER,
    PIT,
    burnt,
    corrects,
    loaded,
    recorded,
    submission,
)
from tests.factories.second_persons import confirmation, decided

pytestmark = pytest.mark.django_db


def body_of(receipt: Receipt) -> dict[str, object]:
    body: dict[str, object] = json.loads(bytes(entry_of(receipt).entry))
    return body


def entry_of(receipt: Receipt) -> BookEntry:
    return BookEntry.objects.get(id=receipt.entry_id)


# Corrections


def test_a_correction_is_a_new_entry_that_names_the_one_it_corrects() -> None:
    original = recorded(burnt(0))
    pending = recorded(burnt(1), supersedes=corrects(original))
    body = body_of(pending)
    assert body["supersedes"] == {"leaf": original.leaf, "n": 1, "stream": "table/BJ-06"}
    assert body["payload"]["correction_reason"] == "typing-error"  # type: ignore[index]
    assert Burn.objects.count() == 2


def test_a_second_correction_waits_until_the_first_is_decided() -> None:
    original = recorded(burnt(0))
    pending = recorded(burnt(1), supersedes=corrects(original))
    with pytest.raises(CorrectionPending, match="entry 2"):
        recorded(burnt(2), supersedes=corrects(original))
    recorded(decided(pending, original, "refused"), by=HEAD)
    assert recorded(burnt(2), supersedes=corrects(original)).n == 4


def test_what_was_corrected_is_corrected_through_what_now_holds() -> None:
    original = recorded(burnt(0))
    pending = recorded(burnt(1), supersedes=corrects(original))
    recorded(decided(pending, original), by=HEAD)
    with pytest.raises(CorrectionPending):
        recorded(burnt(2), supersedes=corrects(original))
    assert recorded(burnt(2), supersedes=corrects(pending)).n == 4


def test_a_correction_is_decided_by_a_second_person_once() -> None:
    original = recorded(burnt(0), by=HEAD)
    pending = recorded(burnt(1), by=HEAD, supersedes=corrects(original))
    with pytest.raises(WitnessRefused, match="second person"):
        recorded(decided(pending, original), by=HEAD)
    with pytest.raises(NotAllowed):
        recorded(decided(pending, original), by=PIT)
    recorded(decided(pending, original), by=MANAGER)
    with pytest.raises(WitnessRefused, match="already"):
        recorded(decided(pending, original, "refused"), by=MANAGER)


def test_a_correction_that_waits_or_was_refused_is_not_corrected_itself() -> None:
    original = recorded(burnt(0))
    pending = recorded(burnt(1), supersedes=corrects(original))
    with pytest.raises(CorrectionPending, match="entry 2"):
        recorded(burnt(2), supersedes=corrects(pending))
    recorded(decided(pending, original, "refused"), by=HEAD)
    with pytest.raises(NothingToCorrect):
        recorded(burnt(2), supersedes=corrects(pending))


def test_one_batch_holds_one_correction_of_an_entry_and_one_decision_on_it() -> None:
    original = recorded(burnt(0))
    named = corrects(original)
    twice = [Submission(burnt(n), uuid4(), PIT, EVENING, supersedes=named) for n in (1, 2)]
    with pytest.raises(CorrectionPending):
        record_many(twice)
    pending = recorded(burnt(1), supersedes=named)
    both = [
        submission(decided(pending, original, word), by=HEAD) for word in ("approved", "refused")
    ]
    with pytest.raises(WitnessRefused, match="already") as refused:
        record_many(both)
    assert refused.value.place == 1


@pytest.mark.parametrize("which", ["pending", "original"])
@pytest.mark.parametrize("change", [{"leaf": "0" * 64}, {"stream": "table/BJ-07"}])
def test_a_decision_names_both_entries_as_they_stand(which: str, change: dict[str, Any]) -> None:
    original = recorded(burnt(0))
    pending = recorded(burnt(1), supersedes=corrects(original))
    asked = decided(pending, original)
    wrong = {which: replace(getattr(asked, which), **change), "table": None, "partida": None}
    with pytest.raises(WitnessRefused, match="no such correction"):
        recorded(replace(asked, **wrong), by=HEAD)


@pytest.mark.parametrize(
    "target", [{"n": 9}, {"leaf": "0" * 64}], ids=["no such number", "another leaf"]
)
def test_a_correction_of_nothing_is_refused(target: dict[str, object]) -> None:
    original = recorded(burnt(0))
    named = {"n": original.n, "leaf": original.leaf, "reason": "typing-error", **target}
    with pytest.raises(NothingToCorrect):
        recorded(burnt(1), supersedes=Supersedes(**named))  # type: ignore[arg-type]


def test_a_correction_is_of_the_same_kind() -> None:
    original = recorded(burnt(0))
    with pytest.raises(NothingToCorrect):
        recorded(loaded(), supersedes=corrects(original))


# Witnesses


def test_a_second_person_witnesses_a_loading() -> None:
    act = recorded(loaded())
    receipt = recorded(confirmation(act), by=HEAD)
    assert receipt.stream == act.stream
    assert Attestation.objects.get().witnessed_leaf == act.leaf


def test_nobody_witnesses_his_own_act() -> None:
    act = recorded(loaded(), by=PIT)
    with pytest.raises(WitnessRefused, match="his own act"):
        recorded(confirmation(act, staff=PIT.staff, office="fiscal_de_banca"), by=PIT)


def test_the_operator_of_the_machine_does_not_witness_its_loading() -> None:
    act = recorded(loaded())
    operator = type(PIT)("P-104", "fiscal_chefe", "admin")
    with pytest.raises(WitnessRefused, match="his own act"):
        recorded(confirmation(act, staff="P-104"), by=operator)


def test_a_confirmation_is_used_once() -> None:
    act, other = recorded(loaded()), recorded(loaded())
    nonce = str(uuid4())
    recorded(confirmation(act, nonce=nonce), by=HEAD)
    with pytest.raises(WitnessRefused, match="used already"):
        recorded(confirmation(other, nonce=nonce), by=HEAD)


def test_a_confirmation_whose_time_has_run_out_is_refused() -> None:
    act = recorded(loaded())
    late = clock.now() - timedelta(seconds=1)
    with pytest.raises(WitnessRefused, match="run out"):
        recorded(confirmation(act, expires_at=late), by=HEAD)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"act": "card-burned/1"}, "another kind"),
        ({"partida": "BJ-06/2026-11-20/2"}, "another table or game"),
        ({"staff": "S-0003"}, "another's name"),
    ],
)
def test_a_confirmation_of_something_else_is_refused(change: dict[str, object], why: str) -> None:
    act = recorded(loaded())
    with pytest.raises(WitnessRefused, match=why):
        recorded(confirmation(act, **change), by=HEAD)


def test_a_confirmation_names_an_entry_that_is_there() -> None:
    act = recorded(loaded())
    wrong = EntryRef(stream=act.stream, n=act.n, leaf="0" * 64)
    with pytest.raises(WitnessRefused, match="not in the book"):
        recorded(confirmation(act, witnessed=wrong), by=HEAD)


def test_author_witness_and_approver_are_three() -> None:
    act = recorded(loaded(2))
    recorded(confirmation(act), by=HEAD)
    pending = recorded(loaded(3), supersedes=corrects(act))
    with pytest.raises(WitnessRefused, match="confirmed the act"):
        recorded(decided(pending, act), by=HEAD)  # who witnessed what is corrected
    recorded(decided(pending, act), by=MANAGER)
    with pytest.raises(WitnessRefused, match="approved a correction"):
        recorded(confirmation(pending, staff=MANAGER.staff, office=MANAGER.office), by=MANAGER)
    recorded(confirmation(pending), by=HEAD)
    assert Attestation.objects.count() == 2


def test_whoever_witnessed_a_correction_that_waits_does_not_approve_it() -> None:
    act = recorded(loaded(2))
    pending = recorded(loaded(3), supersedes=corrects(act))
    recorded(confirmation(pending), by=HEAD)
    with pytest.raises(WitnessRefused, match="confirmed the act"):
        recorded(decided(pending, act), by=HEAD)
    recorded(decided(pending, act), by=MANAGER)


def test_whoever_worked_the_machine_does_not_approve_the_correction_of_its_loading() -> None:
    act = recorded(loaded(2))
    pending = recorded(loaded(3), supersedes=corrects(act))
    operator = type(PIT)("P-104", "fiscal_chefe", "admin")
    with pytest.raises(WitnessRefused, match="second person"):
        recorded(decided(pending, act), by=operator)


def test_a_witness_without_the_rank_is_recorded() -> None:
    act = recorded(loaded(), by=type(PIT)("S-0188", "fiscal_de_banca", "admin"))
    assert recorded(confirmation(act, staff=PIT.staff, office="fiscal_de_banca"), by=PIT).n == 2


# Offices


def granted(person: str, office: str) -> OfficeGranted:
    return OfficeGranted(
        staff=person,
        office=office,  # type: ignore[arg-type]
        valid_from=clock.now(),
        granted_by=MANAGER.staff,
    )


def test_an_office_is_given_by_another_person() -> None:
    recorded(StaffRegistered(staff="S-0500"), by=MANAGER)
    assert recorded(granted("S-0500", "fiscal_chefe"), by=MANAGER).n == 2
    with pytest.raises(OwnOffice, match="nobody gives himself"):
        recorded(granted(MANAGER.staff, "administrador"), by=MANAGER)


@pytest.mark.parametrize("office", ["inspetor", "auditor"])
def test_whoever_oversees_the_floor_is_not_appointed_by_it(office: str) -> None:
    """In a workbook, which another confirms; in the admin two decide (test_offices_by_two.py)."""
    with pytest.raises(OwnOffice):
        recorded(granted("S-0500", office), by=replace(MANAGER, door="import"))
    administrator = type(PIT)("S-0001", "administrador", "import")
    recorded(StaffRegistered(staff="S-0500"), by=MANAGER)
    assert recorded(granted("S-0500", office), by=administrator).n == 2


def test_the_importing_door_lets_a_manager_answer_for_rounds_and_nothing_else() -> None:
    importing = replace(MANAGER, door="import")
    with pytest.raises(NotAllowed):
        recorded(burnt(), by=importing)
    assert recorded(FULL["round-played/1"], by=importing).n == 1


# The book's own seal


ADMIN = Actor("S-0001", "administrador", "admin")


def approval(begun: Receipt) -> EpochApproved:
    return EpochApproved(begun=EntryRef(stream=begun.stream, n=begun.n, leaf=begun.leaf))


def decision(act: Receipt, how: Decision = "approved") -> HouseActDecided:
    return HouseActDecided(act=EntryRef(stream=act.stream, n=act.n, leaf=act.leaf), decision=how)


def test_an_act_upon_the_keys_is_decided_on_by_another_person_and_once() -> None:
    named = recorded(FULL["signing-key-named/2"], by=ADMIN)
    with pytest.raises(WitnessRefused, match="his own act"):
        recorded(decision(named), by=replace(MANAGER, staff=ADMIN.staff.lower()))
    with pytest.raises(NotAllowed):
        recorded(decision(named), by=replace(ADMIN, staff="S-0004"))
    recorded(decision(named, "refused"), by=MANAGER)
    with pytest.raises(WitnessRefused, match="decided on already"):
        recorded(decision(named), by=replace(MANAGER, staff="S-0004"))
    for other in ("epoch-begun/1", "signing-key-named/1"):
        by = replace(ADMIN, office=min(writers_of(other)))
        with pytest.raises(WitnessRefused, match="another kind"):
            recorded(decision(recorded(FULL[other], by=by)), by=MANAGER)
    with pytest.raises(NotAllowed):
        recorded(FULL["signing-key-named/1"], by=ADMIN)


def test_an_epoch_is_approved_once() -> None:
    begun = recorded(FULL["epoch-begun/1"], by=ADMIN)
    twice = [submission(approval(begun), by=MANAGER) for _ in range(2)]
    with pytest.raises(WitnessRefused, match="already") as refused:
        record_many(twice)
    assert refused.value.place == 1
    recorded(approval(begun), by=MANAGER)
    with pytest.raises(WitnessRefused, match="already"):
        recorded(approval(begun), by=replace(MANAGER, staff="S-0004"))
    another = recorded(FULL["epoch-begun/1"], by=ADMIN)
    recorded(approval(another), by=MANAGER)


@pytest.mark.parametrize(
    "kind",
    [
        *("signing-key-named/1", "epoch-begun/1", "epoch-approved/1", "schema-recorded/1"),
        *("signing-key-named/2", "house-act-decided/1", "pepper-changed/1"),
        *("book-restored/1", "book-verified/1", "jackpot-replayed/1", "export-made/1"),
        *("report-issued/1", "document-seal-asked/1", "letter-issued/1", "alert-sent/1"),
        *("webhook-set/1", "import-confirmed/1"),
    ],
)
def test_what_is_told_of_the_seal_is_not_corrected(kind: str) -> None:
    office = min(writers_of(kind))
    by = replace(ADMIN, office=office)
    event = FULL[kind]
    if kind == "epoch-approved/1":
        event = approval(recorded(FULL["epoch-begun/1"], by=ADMIN))
        by = MANAGER
    if kind == "house-act-decided/1":
        event, by = decision(recorded(FULL["signing-key-named/2"], by=ADMIN)), MANAGER
    before = recorded(event, by=by)
    with pytest.raises(NeverCorrected, match="record a new one"):
        recorded(event, by=by, supersedes=corrects(before))
    if kind not in ("epoch-approved/1", "house-act-decided/1"):
        recorded(event, by=by)
