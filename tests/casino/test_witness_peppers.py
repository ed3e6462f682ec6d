"""The pepper of witnesses' codes: outside the database, changed for another without a lost code."""

from typing import Any

import pytest

from casino.events.sealing import HouseActDecided, PepperChanged
from casino.models import Account, WitnessSecret
from casino.security import HouseArgon2
from casino.witnessing import set_pin
from casino.witnessing.proving import how_proved, pepper_name, peppers
from tests.factories.people import PASSWORD, write
from tests.factories.records import MANAGER
from tests.factories.usual_events import ref

pytestmark = pytest.mark.django_db
HEAD, PIN = "S-0021", "482915"
FIRST, SECOND, THIRD = "the first pepper", "the second pepper", "the third pepper"


@pytest.fixture
def head(settings: Any) -> Account:
    """A person whose code is kept under the first pepper."""
    settings.WITNESS_PEPPER, settings.WITNESS_PEPPERS_BEFORE = FIRST, []
    account = Account.objects.create_user(HEAD, PASSWORD)
    set_pin(account, PIN)
    return account


def kept() -> WitnessSecret:
    return WitnessSecret.objects.get(account__staff=HEAD)


def approve(pepper: str, decision: Any = "approved") -> None:
    """Two persons name a pepper."""
    act = write(PepperChanged(pepper=pepper_name(pepper), reason="yearly"))
    write(HouseActDecided(act=ref(act), decision=decision), by=MANAGER)


@pytest.mark.usefixtures("head")
def test_a_pepper_two_persons_did_not_name_is_not_used(settings: Any) -> None:
    before = kept()
    settings.WITNESS_PEPPER, settings.WITNESS_PEPPERS_BEFORE = SECOND, [FIRST]
    write(PepperChanged(pepper=pepper_name(SECOND), reason="yearly"))
    approve(SECOND, "refused")
    approve(THIRD)
    assert how_proved(HEAD, PIN) == "pin"
    assert kept().pepper == before.pepper
    approve(SECOND)
    assert how_proved(HEAD, PIN) == "pin"
    assert kept().pepper == pepper_name(SECOND)


@pytest.mark.usefixtures("head")
def test_a_pepper_that_was_in_use_before_two_were_asked_for_stays_so(settings: Any) -> None:
    WitnessSecret.objects.update(pepper=pepper_name(SECOND))
    settings.WITNESS_PEPPER, settings.WITNESS_PEPPERS_BEFORE = SECOND, [FIRST]
    assert peppers() == [SECOND, FIRST]
    settings.WITNESS_PEPPER, settings.WITNESS_PEPPERS_BEFORE = THIRD, [SECOND, FIRST]
    assert peppers() == [SECOND, THIRD, FIRST]


@pytest.mark.usefixtures("head")
def test_the_database_holds_neither_the_pepper_nor_enough_to_guess_a_code() -> None:
    from django.contrib.auth.hashers import check_password

    row = kept()
    assert FIRST not in f"{row.pin_hash}{row.pepper}"
    assert len(row.pepper) == 8
    # Whoever stole the table and tries every code finds not even the right one.
    assert not check_password(PIN, row.pin_hash)
    assert not check_password(PIN + row.pepper, row.pin_hash)


@pytest.mark.usefixtures("head")
def test_a_new_pepper_takes_over_a_code_when_it_is_used(settings: Any) -> None:
    before = kept()
    settings.WITNESS_PEPPER, settings.WITNESS_PEPPERS_BEFORE = SECOND, [FIRST]
    approve(SECOND)
    assert how_proved(HEAD, "000000") is None
    assert kept().pin_hash == before.pin_hash  # a wrong one moves nothing
    assert how_proved(HEAD, PIN) == "pin"
    assert kept().pepper != before.pepper
    settings.WITNESS_PEPPERS_BEFORE = []  # the first one is thrown away
    assert how_proved(HEAD, PIN) == "pin"
    assert how_proved(HEAD, "000000") is None


@pytest.mark.usefixtures("head")
def test_a_code_that_slept_through_two_peppers_is_known_still(settings: Any) -> None:
    settings.WITNESS_PEPPER, settings.WITNESS_PEPPERS_BEFORE = THIRD, [SECOND, FIRST]
    assert how_proved(HEAD, PIN) == "pin"


def test_without_its_pepper_a_code_is_none_and_the_password_is_one_still(
    head: Account, settings: Any
) -> None:
    settings.WITNESS_PEPPER, settings.WITNESS_PEPPERS_BEFORE = SECOND, [THIRD]
    assert how_proved(HEAD, PIN) is None
    assert how_proved(HEAD, PASSWORD) == "password"
    set_pin(head, PIN)
    assert how_proved(HEAD, PIN) == "pin"


@pytest.mark.parametrize("name", ["", "00000000"], ids=["before peppers had names", "lost"])
@pytest.mark.usefixtures("head")
def test_a_wrong_code_takes_one_hash_under_whichever_pepper(
    settings: Any, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    settings.WITNESS_PEPPER, settings.WITNESS_PEPPERS_BEFORE = SECOND, [FIRST]
    WitnessSecret.objects.update(pepper=name)
    reckoned: list[str] = []
    for what in ("encode", "verify"):
        whole = getattr(HouseArgon2, what)

        def counted(self: Any, *listed: Any, _whole: Any = whole, _what: str = what) -> Any:
            reckoned.append(_what)
            return _whole(self, *listed)

        monkeypatch.setattr(HouseArgon2, what, counted)
    assert how_proved(HEAD, "000000") is None
    assert len(reckoned) == 1


@pytest.mark.usefixtures("head")
def test_a_code_kept_before_peppers_had_names_is_known(settings: Any) -> None:
    WitnessSecret.objects.update(pepper="")
    assert how_proved(HEAD, PIN) == "pin"
    WitnessSecret.objects.update(pepper="")
    settings.WITNESS_PEPPER, settings.WITNESS_PEPPERS_BEFORE = SECOND, [FIRST]
    assert how_proved(HEAD, PIN) == "pin"
    assert kept().pepper != ""


def test_the_house_makes_a_pepper_of_its_own(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from casino.local.addresses import environment

    for name in ("SECRET_KEY", "WITNESS_PEPPER"):
        monkeypatch.delenv(name, raising=False)
    recorded_to_children = environment({}, tmp_path)
    pepper = recorded_to_children["WITNESS_PEPPER"]
    assert pepper != recorded_to_children["SECRET_KEY"]
    assert len(pepper) >= 32
    (file,) = tmp_path.rglob("witness-pepper")
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text("ascii") == pepper
    assert environment({}, tmp_path)["WITNESS_PEPPER"] == pepper
