"""A fiscal-chefe confirms with a passkey on his own device: registered, asked, refused."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from casino import clock
from casino.models import (
    Account,
    Attestation,
    FailedWitness,
    Passkey,
    PasskeyRevocation,
    WitnessTries,
)
from casino.queries import load_entry
from casino.recording import NotAllowed, SecretRefused, WitnessRefused
from casino.witnessing import (
    begin_registration,
    confirm_by_passkey,
    invite,
    passkeys_of,
    register,
    revoke,
)
from tests.casino.passkey_device import ORIGIN, PRESENT, VERIFIED, Device, b64
from tests.factories import records
from tests.factories.passkeys import HEAD, asked, confirmed, registered
from tests.factories.people import PASSWORD, appoint
from tests.factories.recorded import last_entry
from tests.factories.records import corrects, loaded, recorded
from tests.factories.second_persons import decided
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]


@recorded_once
def head() -> Account:
    appoint(HEAD, "fiscal_chefe")
    return Account.objects.create_user(HEAD, PASSWORD)


@pytest.fixture
def device(head: Account) -> Device:
    """His telephone, with a passkey the book knows."""
    own = Device()
    registered(head, own)
    return own


@pytest.fixture
def refuses(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Nothing is attested by what a test does, and the failure is recorded."""

    def refusing(why: str) -> Any:
        return pytest.raises(WitnessRefused, match=why)

    yield refusing
    assert not Attestation.objects.exists()


# -- Registering


@pytest.mark.parametrize("kind", ["ES256", "EdDSA", "RS256"])
def test_whoever_registers_a_passkey_confirms_with_it(head: Account, kind: str) -> None:
    own = Device(kind)
    receipt = registered(head, own)
    event: Any = load_entry(receipt.entry_id)
    assert (event.by.staff, event.by.office, event.stream) == (HEAD, "fiscal_chefe", "house")
    assert (event.event.staff, event.event.algorithm, event.event.rp_id) == (
        HEAD,
        kind,
        "localhost",
    )
    assert event.event.second is None
    act = recorded(loaded())
    confirmed(act, own)
    attestation = Attestation.objects.get()
    assert (attestation.witness, attestation.method) == (HEAD, "passkey")
    witnessed: Any = load_entry(last_entry("witnessed/1").pk)
    assert witnessed.event.passkey.credential == b64(own.credential)
    confirmed(recorded(loaded()), own)


def test_a_second_person_who_stood_by_proves_himself(head: Account) -> None:
    appoint("S-0003", "chefia_da_sala")
    Account.objects.create_user("S-0003", "another password here")
    with pytest.raises(SecretRefused, match="not right"):
        registered(head, Device(), second="S-0003", second_secret=PASSWORD)
    assert not Passkey.objects.exists()
    registered(head, Device(), second="S-0003", second_secret="another password here")
    assert Passkey.objects.get().second == "S-0003"


def test_nobody_is_his_own_second_person(head: Account) -> None:
    from casino.events import Malformed

    with pytest.raises(Malformed):
        registered(head, Device(), second=HEAD, second_secret=PASSWORD)


def test_a_passkey_is_registered_with_ones_own_password(head: Account) -> None:
    begun = begin_registration(head)
    sent = Device().created(begun.options)
    with pytest.raises(SecretRefused, match="not right"):
        register(head, begun.token, sent, "guessed", origin=ORIGIN)
    assert not Passkey.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"origin": "https://evil.example"},
        {"rp_id": "evil.example"},
        {"flags": PRESENT},
        {"flags": VERIFIED},
        {"kind": "ES384"},
    ],
    ids=["asked elsewhere", "bound elsewhere", "user not verified", "nobody there", "curve"],
)
def test_what_is_no_passkey_of_this_house_is_refused(head: Account, wrong: dict[str, Any]) -> None:
    begun = begin_registration(head)
    sent = Device(**wrong).created(begun.options)
    with pytest.raises(SecretRefused, match="no passkey"):
        register(head, begun.token, sent, PASSWORD, origin=ORIGIN)
    assert not Passkey.objects.exists()


def test_an_answer_to_another_question_or_too_late_is_refused(
    head: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = begin_registration(head), begin_registration(head)
    sent = Device().created(first.options)
    with pytest.raises(SecretRefused, match="no passkey"):
        register(head, second.token, sent, PASSWORD, origin=ORIGIN)
    other = Account.objects.create_user("S-0400", PASSWORD)
    with pytest.raises(SecretRefused, match="not asked"):
        register(other, first.token, sent, PASSWORD, origin=ORIGIN)
    framed = Device().created(first.options, crossOrigin=True)
    with pytest.raises(SecretRefused, match="no passkey"):
        register(head, first.token, framed, PASSWORD, origin=ORIGIN)
    monkeypatch.setenv("CLOCK_OFFSET", "121")
    with pytest.raises(SecretRefused, match="time had run out"):
        register(head, first.token, sent, PASSWORD, origin=ORIGIN)


def test_a_passkey_is_one_persons(head: Account, device: Device) -> None:
    appoint("S-0022", "fiscal_chefe")
    other = Account.objects.create_user("S-0022", PASSWORD)
    with pytest.raises(SecretRefused, match="registered already"):
        registered(other, device)
    with pytest.raises(SecretRefused, match="registered already"):
        registered(head, device)


def test_nobody_without_an_office_of_the_floor_registers_one() -> None:
    appoint("A-0001", "auditor")
    with pytest.raises(NotAllowed):
        registered(Account.objects.create_user("A-0001", PASSWORD), Device())


# -- Refused


def test_it_is_bound_to_the_act_and_the_text(device: Device, refuses: Any) -> None:
    first, second = recorded(loaded(3)), recorded(loaded(2))
    entry, shown = asked(first)
    other, other_shown = asked(second)
    sent = device.got(b64(shown.challenge))
    with refuses("not right"):
        confirm_by_passkey(other, other_shown.token, HEAD, sent, "54", origin=ORIGIN)
    with refuses("not made for this act"):
        confirm_by_passkey(other, shown.token, HEAD, sent, "54", origin=ORIGIN)
    assert [one.why for one in FailedWitness.objects.order_by("n")] == [
        "wrong_passkey",
        "not_ours",
    ]
    english = invite(entry, "en")
    with refuses("not right"):
        confirm_by_passkey(entry, english.token, HEAD, sent, "54", origin=ORIGIN)


def test_an_answer_is_used_once(head: Account) -> None:
    counting, synced = Device(), Device(counts=False, credential=b"kept by the maker's own cloud")
    for own, why in ((counting, "not right"), (synced, "used already")):
        registered(head, own)
        entry, shown = asked(recorded(loaded()))
        sent = own.got(b64(shown.challenge))
        confirm_by_passkey(entry, shown.token, HEAD, sent, "54", origin=ORIGIN)
        with pytest.raises(WitnessRefused, match=why):
            confirm_by_passkey(entry, shown.token, HEAD, sent, "54", origin=ORIGIN)
    again = synced.got(b64(shown.challenge))
    with pytest.raises(WitnessRefused, match="used already"):
        confirm_by_passkey(entry, shown.token, HEAD, again, "54", origin=ORIGIN)
    assert Attestation.objects.count() == 2


def test_a_copied_key_falls_behind_and_is_refused(device: Device) -> None:
    copy = replace(device)
    confirmed(recorded(loaded()), device)
    confirmed(recorded(loaded()), device)
    with pytest.raises(WitnessRefused, match="not right"):
        confirmed(recorded(loaded()), copy)
    assert FailedWitness.objects.get().why == "wrong_passkey"


@pytest.mark.parametrize(
    "wrong",
    [
        {"origin": "https://evil.example"},
        {"rp_id": "evil.example"},
        {"flags": PRESENT},
        {"flags": VERIFIED},
        {"credential": b"nobody's credential at all"},
        {"key": Device().key},
    ],
    ids=[
        "asked elsewhere",
        "bound elsewhere",
        "user not verified",
        "nobody there",
        "unknown",
        "another key",
    ],
)
def test_another_answer_is_none(device: Device, refuses: Any, wrong: dict[str, Any]) -> None:
    with refuses("not right"):
        confirmed(recorded(loaded()), replace(device, **wrong))
    failed = FailedWitness.objects.get()
    assert (failed.why, failed.claimed, failed.method) == ("wrong_passkey", HEAD, "passkey")


@pytest.mark.parametrize(
    "client",
    [{"type": "webauthn.create"}, {"crossOrigin": True}, {"challenge": ["x"]}, {"origin": None}],
)
def test_other_client_data_is_none(device: Device, refuses: Any, client: dict[str, Any]) -> None:
    with refuses("not right"):
        confirmed(recorded(loaded()), device, **client)


@pytest.mark.parametrize("name", ["credential", "client_data", "authenticator_data", "signature"])
@pytest.mark.parametrize("value", [None, "", "!", "AAAA", "A" * 9_000, "W1tb", "ぁ"])
def test_rubbish_is_refused_and_breaks_nothing(
    device: Device, refuses: Any, name: str, value: str | None
) -> None:
    entry, shown = asked(recorded(loaded()))
    sent: Any = device.got(b64(shown.challenge)) | {name: value}
    with refuses("not right"):
        confirm_by_passkey(entry, shown.token, HEAD, sent, "54", origin=ORIGIN)


@pytest.mark.parametrize("at", [0, 31, 32, 33, 36])
def test_a_changed_byte_of_the_answer_is_found(device: Device, refuses: Any, at: int) -> None:
    from tests.casino.passkey_device import unb64

    entry, shown = asked(recorded(loaded()))
    sent = device.got(b64(shown.challenge))
    data = bytearray(unb64(sent["authenticator_data"]))
    data[at] ^= 0x10
    with refuses("not right"):
        confirm_by_passkey(
            entry,
            shown.token,
            HEAD,
            sent | {"authenticator_data": b64(bytes(data))},
            "54",
            origin=ORIGIN,
        )


def test_another_persons_passkey_confirms_nothing_in_his_name(device: Device, refuses: Any) -> None:
    appoint("S-0022", "fiscal_chefe")
    Account.objects.create_user("S-0022", PASSWORD)
    with refuses("not right"):
        confirmed(recorded(loaded()), device, staff="S-0022")


def test_whoever_acted_is_no_witness(device: Device, refuses: Any) -> None:
    act = recorded(loaded(), by=replace(records.PIT, staff=HEAD))
    with refuses("his own act"):
        confirmed(act, device)


def test_two_minutes_to_the_microsecond(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    entry, shown = asked(recorded(loaded()))
    sent = device.got(b64(shown.challenge))
    last = shown.expires_at
    monkeypatch.setattr(clock, "now", lambda: last + timedelta(microseconds=1))
    with pytest.raises(WitnessRefused, match="run out"):
        confirm_by_passkey(entry, shown.token, HEAD, sent, "54", origin=ORIGIN)
    monkeypatch.setattr(clock, "now", lambda: last)
    confirm_by_passkey(entry, shown.token, HEAD, sent, "54", origin=ORIGIN)


def test_an_act_corrected_meanwhile_is_not_confirmed(device: Device, refuses: Any) -> None:
    original = recorded(loaded(2))
    entry, shown = asked(original)
    pending = recorded(loaded(3), supersedes=corrects(original))
    recorded(decided(pending, original), by=records.MANAGER)
    sent = device.got(b64(shown.challenge))
    with refuses("corrected meanwhile"):
        confirm_by_passkey(entry, shown.token, HEAD, sent, "54", origin=ORIGIN)
    assert FailedWitness.objects.get().why == "corrected_since"


# -- Revoking


def test_a_revoked_passkey_confirms_nothing_more(device: Device) -> None:
    confirmed(recorded(loaded()), device)
    revoke(records.HEAD, HEAD, b64(device.credential), "lost")
    assert passkeys_of(HEAD) == []
    with pytest.raises(WitnessRefused, match="not right"):
        confirmed(recorded(loaded()), device)
    assert Attestation.objects.count() == 1
    with pytest.raises(SecretRefused, match="revoked before"):
        revoke(records.MANAGER, HEAD, b64(device.credential), "lost")


def test_who_revokes(device: Device) -> None:
    another = replace(records.HEAD, staff="S-0022")
    with pytest.raises(SecretRefused, match="its holder, or by management"):
        revoke(another, HEAD, b64(device.credential), "lost")
    with pytest.raises(SecretRefused, match="no such passkey"):
        revoke(records.MANAGER, HEAD, "bm9uZQ", "lost")
    revoke(records.MANAGER, HEAD, b64(device.credential), "stolen")
    assert PasskeyRevocation.objects.get().reason == "stolen"


def test_tries_that_fail_are_counted(device: Device, refuses: Any) -> None:
    act = recorded(loaded())
    for _ in range(10):
        with refuses("not right"):
            confirmed(act, replace(device, flags=PRESENT))
    with refuses("too many"):
        confirmed(act, device)
    with refuses("too many"):
        confirmed(act, device)
    recorded_of = list(FailedWitness.objects.order_by("n").values_list("why", flat=True))
    assert recorded_of == ["wrong_passkey"] * 10 + ["locked_out"]
    assert WitnessTries.objects.get().failures == 10
