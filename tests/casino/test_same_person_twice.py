"""A correction stands for what it corrects: who acted then is no second person for it either; and a
number is one person's however it is written.
"""

from dataclasses import replace

import pytest

from casino.models import Attestation, BookEntry, Correction
from casino.recording import Actor, Receipt, WitnessRefused
from casino.recording.second_persons import acted, why_not_decide
from tests.factories.records import HEAD, MANAGER, PIT, burnt, corrects, loaded, recorded
from tests.factories.second_persons import confirmation, decided

pytestmark = pytest.mark.django_db
OTHER = Actor("S-0190", "fiscal_de_banca", "admin")


def confirmed_by(act: Receipt, staff: str, office: str = "fiscal_chefe") -> Receipt:
    event = confirmation(act, staff=staff, office=office)
    return recorded(event, by=Actor(staff, office, "admin"))


def entry_of(receipt: Receipt) -> BookEntry:
    return BookEntry.objects.select_related("stream").get(pk=receipt.entry_id)


# The original's people


def test_the_originals_author_does_not_confirm_its_correction() -> None:
    act = recorded(loaded(1), by=PIT)
    pending = recorded(loaded(2), by=OTHER, supersedes=corrects(act))
    for staff in (PIT.staff, OTHER.staff, "P-104"):
        with pytest.raises(WitnessRefused, match="own act"):
            confirmed_by(pending, staff)
    recorded(decided(pending, act), by=MANAGER)
    with pytest.raises(WitnessRefused, match="own act"):
        confirmed_by(pending, PIT.staff)
    assert not Attestation.objects.exists()
    confirmed_by(pending, HEAD.staff)


def test_the_originals_operator_does_not_confirm_a_correction_that_names_another() -> None:
    act = recorded(replace(loaded(), operator=HEAD.staff))
    pending = recorded(replace(loaded(), operator="P-104"), by=OTHER, supersedes=corrects(act))
    with pytest.raises(WitnessRefused, match="own act"):
        confirmed_by(pending, HEAD.staff)


def test_it_is_so_however_many_corrections_lie_between() -> None:
    first = recorded(loaded(1), by=PIT)
    second = recorded(loaded(2), by=OTHER, supersedes=corrects(first))
    recorded(decided(second, first), by=MANAGER)
    third = recorded(loaded(3), by=OTHER, supersedes=corrects(second))
    assert acted(entry_of(third), PIT.staff)
    with pytest.raises(WitnessRefused, match="own act"):
        confirmed_by(third, PIT.staff)
    assert not acted(entry_of(first), OTHER.staff)  # whoever corrects later did not act then


def test_the_originals_author_does_not_approve_its_correction() -> None:
    act = recorded(burnt(0), by=HEAD)
    pending = recorded(burnt(1), by=OTHER, supersedes=corrects(act))
    for word in ("approved", "refused"):
        with pytest.raises(WitnessRefused, match="second person"):
            recorded(decided(pending, act, word), by=HEAD)
    assert not Correction.objects.exists()
    recorded(decided(pending, act), by=MANAGER)


def test_whoever_confirmed_the_first_of_several_does_not_decide_on_the_last() -> None:
    first = recorded(loaded(1))
    confirmed_by(first, HEAD.staff)
    second = recorded(loaded(2), supersedes=corrects(first))
    recorded(decided(second, first), by=MANAGER)
    third = recorded(loaded(3), supersedes=corrects(second))
    with pytest.raises(WitnessRefused, match="confirmed the act"):
        recorded(decided(third, second), by=HEAD)
    assert why_not_decide(entry_of(third), MANAGER.staff) is None


def test_who_acted_at_another_act_is_a_second_person_here() -> None:
    recorded(loaded(1), by=HEAD_AS_PIT)
    act = recorded(loaded(2))
    confirmed_by(act, HEAD.staff)
    assert Attestation.objects.count() == 1


HEAD_AS_PIT = Actor(HEAD.staff, "fiscal_de_banca", "admin")


# Upper and lower case


@pytest.mark.parametrize("written", ["s-0021", "S-0021"])
def test_an_operator_is_himself_in_lower_case_too(written: str) -> None:
    act = recorded(replace(loaded(), operator=written))
    with pytest.raises(WitnessRefused, match="own act"):
        confirmed_by(act, "S-0021")


def test_numbers_that_differ_by_more_than_case_are_two_people() -> None:
    act = recorded(replace(loaded(), operator="S-0021b"))
    confirmed_by(act, "S-0021")
    assert Attestation.objects.count() == 1


def test_a_load_without_an_operator_is_nobodys_but_its_authors() -> None:
    act = recorded(replace(loaded(), operator=None))
    assert acted(entry_of(act), PIT.staff)
    assert not acted(entry_of(act), HEAD.staff)
