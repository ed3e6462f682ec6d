"""Confirmations that fail: counted, told to the book, never more than a person has time to type."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.events.witnessing import WitnessUnlocked
from casino.law.rulebook.rulebook_file import load_law
from casino.models import Account, Attestation, BookEntry, FailedWitness, WitnessSecret
from casino.queries import load_entry
from casino.recording import Actor, NotAllowed, Receipt, SecretRefused, WitnessRefused
from casino.security import HouseArgon2
from casino.witnessing import (
    FAILURES,
    FAILURES_ANYWHERE,
    FAILURES_AT_LOGIN,
    LOCKED,
    LOCKS,
    Invitation,
    change_pin,
    confirm,
    confirming,
    invite,
    set_pin,
)
from tests.factories.people import PASSWORD, appoint, somebody
from tests.factories.recorded import last_entry
from tests.factories.records import MANAGER, corrects, loaded, recorded
from tests.factories.second_persons import decided

pytestmark = [pytest.mark.usefixtures("english"), pytest.mark.share]
HEAD, PIN, WRONG_PIN = "S-0021", "482915", "000000"
AT_ONCE = 16
SOON = timedelta(microseconds=1)


@pytest.fixture
def head(request: pytest.FixtureRequest) -> Account:
    """A fiscal-chefe with a code, in the test's own database or the worker's."""
    own = "fresh_db" in request.fixturenames
    request.getfixturevalue("fresh_db" if own else "db")
    appoint(HEAD, "fiscal_chefe")
    account = Account.objects.create_user(HEAD, PASSWORD)
    set_pin(account, PIN)
    return account


def asked(receipt: Receipt) -> tuple[BookEntry, Invitation]:
    entry = BookEntry.objects.select_related("stream").get(pk=receipt.entry_id)
    return entry, invite(entry, "pt")


def tried(
    receipt: Receipt, secret: str = WRONG_PIN, *, staff: str = HEAD, at: str = "S-0187"
) -> str:
    """'' where it was recorded, else why not."""
    entry, shown = asked(receipt)
    try:
        confirm(entry, shown.token, staff, secret, "54", asked_by=at)
    except WitnessRefused as error:
        return str(error.values["why"])
    return ""


def at_once(act: Callable[[], str]) -> list[str]:
    """What sixteen say who do it at the same moment."""
    gate = Barrier(AT_ONCE)

    def one() -> str:
        try:
            gate.wait(300)
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as crew:
        return [each.result() for each in [crew.submit(one) for _ in range(AT_ONCE)]]


# -- At once


@pytest.mark.usefixtures("fresh_db")
def test_of_sixteen_confirmations_at_once_one_is_recorded(head: Account) -> None:
    entry, shown = asked(recorded(loaded()))

    def act() -> str:
        try:
            confirm(entry, shown.token, HEAD, PIN, "54", asked_by="S-0187")
        except WitnessRefused as error:
            return str(error.values["why"])
        return ""

    said = at_once(act)
    assert said.count("") == 1
    assert set(said) <= {"", "it was used already.", *locked()}
    assert said.count("it was used already.") >= FAILURES_AT_LOGIN - 1
    assert Attestation.objects.count() == 1
    assert FailedWitness.objects.count() <= FAILURES_AT_LOGIN + 1


def locked() -> set[str]:
    from casino.witnessing import LOCKED_OUT

    return {LOCKED_OUT}


@pytest.mark.usefixtures("fresh_db")
@pytest.mark.parametrize("staff", [HEAD, "S-9999"], ids=["known", "unknown"])
def test_of_sixteen_wrong_codes_at_once_five_are_looked_at(
    head: Account, monkeypatch: pytest.MonkeyPatch, staff: str
) -> None:
    looked: list[str] = []
    look = confirming.how_proved

    def counted(who: str, secret: str) -> Any:
        looked.append(secret)
        return look(who, secret)

    monkeypatch.setattr(confirming, "how_proved", counted)
    act = recorded(loaded())
    said = at_once(lambda: tried(act, staff=staff))
    assert len(looked) == FAILURES
    assert len([why for why in said if why in locked()]) == AT_ONCE - FAILURES
    assert sorted(FailedWitness.objects.values_list("why", flat=True)) == sorted(
        ["wrong_secret" if staff == HEAD else "unknown_person"] * FAILURES + ["locked_out"]
    )
    assert tried(act, PIN, staff=staff) in locked()


# -- What the book is told


@pytest.mark.django_db
def test_a_failure_stands_beside_the_act(head: Account) -> None:
    act = recorded(loaded())
    assert "not right" in tried(act)
    failed: Any = load_entry(last_entry("witness-failed/1").pk)
    event = failed.event
    assert (failed.stream, event.partida, event.witnessed.leaf) == (
        act.stream,
        "BJ-06/2026-11-20/1",
        act.leaf,
    )
    assert (event.why, event.count, event.asked_by, event.claimed) == (
        "wrong_secret",
        1,
        "S-0187",
        HEAD,
    )
    assert (failed.by.staff, failed.by.office) == ("witnessing", "sistema")
    assert PIN not in bytes(last_entry("witness-failed/1").entry).decode()


@pytest.mark.django_db
def test_what_was_typed_for_a_number_nobody_has_is_not_kept(head: Account) -> None:
    """People type their password into the wrong field, and the book forgets nothing."""
    assert "not right" in tried(recorded(loaded()), staff="Correct.Horse-9")
    failed = FailedWitness.objects.get()
    assert (failed.why, failed.claimed) == ("unknown_person", "")
    assert b"Correct.Horse" not in bytes(last_entry("witness-failed/1").entry)


@pytest.mark.django_db
def test_every_way_of_failing_is_told(head: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    act, other = recorded(loaded()), recorded(loaded())
    assert tried(act, PIN) == ""
    (entry, shown), (another, _) = asked(act), asked(other)
    confirm(entry, shown.token, HEAD, PIN, "54", asked_by="S-0187")
    for of, token, staff in (
        (entry, shown.token, HEAD),  # replayed
        (another, shown.token, HEAD),  # another act's
        (entry, "forged", HEAD),
        (entry, invite(entry, "pt").token, "P-104"),  # who loaded it
    ):
        with pytest.raises(WitnessRefused):
            confirm(of, token, staff, PIN, "54", asked_by="S-0187")
    late = invite(entry, "pt")
    monkeypatch.setattr(clock, "now", lambda: late.expires_at + timedelta(microseconds=1))
    with pytest.raises(WitnessRefused, match="run out"):
        confirm(entry, late.token, HEAD, PIN, "54", asked_by="S-0187")
    assert [one.why for one in FailedWitness.objects.order_by("n")] == [
        "used_already",
        "not_ours",
        "not_ours",
        "own_act",
        "too_late",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("office", ["auditor", "inspetor", "administrador", None])
def test_a_right_secret_of_one_without_an_office_of_the_floor_is_told(
    head: Account, office: str | None
) -> None:
    """Refused, and not silently: that somebody knew his secret and stood there is worth knowing."""
    if office is not None:
        appoint("A-0001", office)
    set_pin(Account.objects.create_user("A-0001", PASSWORD), PIN)
    act = recorded(loaded())
    with pytest.raises(NotAllowed):
        tried(act, PIN, staff="A-0001")
    assert not Attestation.objects.exists()
    failed = FailedWitness.objects.get()
    assert (failed.why, failed.claimed, failed.asked_by) == ("no_office", "A-0001", "S-0187")
    assert tried(act, staff="A-0001") == "the number or the code is not right."
    assert FailedWitness.objects.order_by("n")[1].why == "wrong_secret"


@pytest.mark.django_db
def test_a_fiscal_de_banca_confirms_and_it_is_a_finding_no_failure(head: Account) -> None:
    appoint("S-0190", "fiscal_de_banca")
    set_pin(Account.objects.create_user("S-0190", PASSWORD), PIN)
    assert tried(recorded(loaded()), PIN, staff="S-0190") == ""
    assert not FailedWitness.objects.exists()


@pytest.mark.django_db
def test_tries_without_an_office_end_in_a_lock_and_fill_no_book(head: Account) -> None:
    appoint("A-0001", "auditor")
    set_pin(Account.objects.create_user("A-0001", PASSWORD), PIN)
    act = recorded(loaded())
    for _ in range(FAILURES_AT_LOGIN):
        with pytest.raises(NotAllowed):
            tried(act, PIN, staff="A-0001")
    assert tried(act, PIN, staff="A-0001") in locked()
    assert FailedWitness.objects.count() == FAILURES_AT_LOGIN + 1


@pytest.mark.django_db
def test_the_last_moment_is_the_hundred_and_twentieth_second(
    head: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry, shown = asked(recorded(loaded()))
    assert timedelta(seconds=119) < shown.expires_at - clock.now() <= timedelta(seconds=120)
    monkeypatch.setattr(clock, "now", lambda: shown.expires_at)
    confirm(entry, shown.token, HEAD, PIN, "54")
    assert Attestation.objects.count() == 1


@pytest.mark.django_db
def test_an_act_corrected_meanwhile_is_not_confirmed(head: Account) -> None:
    original = recorded(loaded(2))
    pending = recorded(loaded(3), supersedes=corrects(original))
    assert tried(original, PIN) == ""  # nobody has approved it yet
    recorded(decided(pending, original), by=MANAGER)
    assert "corrected meanwhile" in tried(original, PIN)
    assert tried(pending, PIN) == ""
    assert FailedWitness.objects.get().why == "corrected_since"


@pytest.mark.django_db
def test_whoever_goes_on_trying_fills_no_book(head: Account) -> None:
    act = recorded(loaded())
    said = [tried(act, staff=f"S-7{number:03}") for number in range(30)]
    assert [why in locked() for why in said] == [False] * FAILURES_AT_LOGIN + [True] * 20
    assert FailedWitness.objects.count() == FAILURES_AT_LOGIN + 1
    recorded_last = FailedWitness.objects.order_by("-n").first()
    assert recorded_last is not None
    assert recorded_last.why == "locked_out"
    assert recorded_last.locked_until > clock.now()
    assert tried(act, PIN, at="S-0188") == ""  # another login is not shut out by it


@pytest.mark.django_db
def test_an_inspector_sees_the_failures_and_the_pit_does_not(head: Account) -> None:
    tried(recorded(loaded()))
    url = reverse("admin:casino_failedwitness_changelist")
    shown = somebody("inspetor").get(url)
    assert shown.status_code == 200
    assert HEAD in shown.content.decode()
    assert somebody("fiscal_de_banca").get(url).status_code == 403


# -- The lock


def lock_out(act: Receipt) -> None:
    for _ in range(FAILURES):
        assert "not right" in tried(act)
    assert tried(act, PIN) in locked()


def unlocked(by: Actor = MANAGER, staff: str = HEAD) -> Receipt:
    event = WitnessUnlocked(staff=staff, reason="identity-checked")
    return recorded(event, by=by, occurred_at=clock.now())


@pytest.mark.django_db
def test_time_opens_the_lock_to_the_second(head: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    act = recorded(loaded())
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)
    lock_out(act)
    monkeypatch.setattr(clock, "now", lambda: now + LOCKED - timedelta(microseconds=1))
    assert tried(act, PIN) in locked()
    monkeypatch.setattr(clock, "now", lambda: now + LOCKED)
    assert tried(act, PIN) == ""


@pytest.mark.django_db
def test_article_54_a_first_lock_is_over_before_a_word_is_late(head: Account) -> None:
    within = load_law("pt").on(date(2026, 11, 20))["witness.within"]
    assert timedelta(minutes=within) > 2 * LOCKED


@pytest.mark.django_db
def test_who_goes_on_failing_waits_longer_each_time(
    head: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    act, now = recorded(loaded()), clock.now()
    for lasts in (*LOCKS, LOCKS[-1]):
        monkeypatch.setattr(clock, "now", lambda now=now: now)
        for _ in range(FAILURES):
            assert "not right" in tried(act)
        monkeypatch.setattr(clock, "now", lambda at=now + lasts - SOON: at)
        assert tried(act, PIN) in locked()
        now += lasts
    monkeypatch.setattr(clock, "now", lambda: now)
    assert tried(act, PIN) == ""  # which forgives it all: the next lock is a first one
    for _ in range(FAILURES):
        assert "not right" in tried(act, at="S-0188")
    monkeypatch.setattr(clock, "now", lambda: now + LOCKED)
    assert tried(act, PIN, at="S-0188") == ""


@pytest.mark.django_db
def test_waiting_a_while_after_each_four_forgives_nothing(
    head: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    act, now = recorded(loaded()), clock.now()
    for _ in range(FAILURES - 1):
        assert "not right" in tried(act)
    monkeypatch.setattr(clock, "now", lambda: now + timedelta(hours=11))
    assert "not right" in tried(act)
    assert tried(act, PIN) in locked()
    monkeypatch.setattr(clock, "now", lambda: now + timedelta(hours=24))
    assert tried(act, PIN) == ""


@pytest.mark.django_db
def test_wrong_codes_at_one_tablet_keep_nobody_from_confirming_at_another(head: Account) -> None:
    act = recorded(loaded())
    lock_out(act)
    assert tried(act, PIN, at="S-0188") == ""
    assert tried(act, PIN) in locked()  # nor does that open the first one again


@pytest.mark.django_db
def test_many_at_several_tablets_shut_a_number_out_everywhere(head: Account) -> None:
    act = recorded(loaded())
    said = [tried(act, at=f"S-7{number % 5:03}") for number in range(FAILURES_ANYWHERE)]
    assert not set(said) & locked()
    assert tried(act, PIN, at="S-0188") in locked()
    unlocked()
    assert tried(act, PIN, at="S-0188") == ""


@pytest.mark.django_db
def test_how_many_are_left_and_until_when_it_is_closed_is_told(
    head: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    act, now = recorded(loaded()), clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)
    said = []
    for _ in range(FAILURES + 1):
        entry, shown = asked(act)
        with pytest.raises(WitnessRefused) as refusal:
            confirm(entry, shown.token, HEAD, WRONG_PIN, "54", asked_by="S-0187")
        said.append((refusal.value.values["left"], refusal.value.values["until"]))
    closed = now + LOCKED
    assert said == [(4, None), (3, None), (2, None), (1, None), (0, closed), (0, closed)]


@pytest.mark.django_db
def test_a_managers_recorded_act_opens_it(head: Account) -> None:
    act = recorded(loaded())
    lock_out(act)
    unlocked(staff="S-0022")  # somebody else
    assert tried(act, PIN) in locked()
    unlocked()
    assert tried(act, PIN) == ""
    lock_out(act)  # an old word opens no new lock


@pytest.mark.django_db
def test_nobody_unlocks_himself() -> None:
    with pytest.raises(SecretRefused, match="nobody unlocks himself"):
        unlocked(staff=MANAGER.staff)


@pytest.mark.django_db
def test_a_new_code_opens_no_lock(head: Account) -> None:
    act = recorded(loaded())
    lock_out(act)
    change_pin(head, PASSWORD, "135790")
    assert tried(act, "135790") in locked()


@pytest.mark.django_db
def test_ones_own_password_is_not_guessed_on_the_page_of_the_code(head: Account) -> None:
    for _ in range(FAILURES_AT_LOGIN):
        with pytest.raises(SecretRefused, match="not right"):
            change_pin(head, "guessed", "135790")
    with pytest.raises(SecretRefused, match="too many"):
        change_pin(head, PASSWORD, "135790")


@pytest.mark.django_db
def test_a_right_secret_forgives_what_went_before(head: Account) -> None:
    act = recorded(loaded())
    for _ in range(2):
        for _ in range(FAILURES - 1):
            assert "not right" in tried(act)
        assert tried(act, PIN) == ""


# -- How a secret is kept


@pytest.mark.django_db
@pytest.mark.parametrize("staff", [HEAD, "S-0400", "S-9999"], ids=["code", "password", "nobody"])
def test_one_hash_is_reckoned_whoever_it_is(
    head: Account, monkeypatch: pytest.MonkeyPatch, staff: str
) -> None:
    Account.objects.create_user("S-0400", PASSWORD)
    reckoned: list[str] = []
    for name in ("encode", "verify"):
        whole = getattr(HouseArgon2, name)

        def counted(self: Any, *listed: Any, _whole: Any = whole, _name: str = name) -> Any:
            reckoned.append(_name)
            return _whole(self, *listed)

        monkeypatch.setattr(HouseArgon2, name, counted)
    assert "not right" in tried(recorded(loaded()), staff=staff)
    assert len(reckoned) == 1


@pytest.mark.django_db
@pytest.mark.usefixtures("earnest_hashing")
def test_secrets_are_hashed_by_argon2_with_the_houses_own_parameters(head: Account) -> None:
    kept = WitnessSecret.objects.get(account=head).pin_hash
    for one in (kept, head.password):
        assert one.startswith("argon2$argon2id$v=19$m=65536,t=3,p=4$")


@pytest.mark.django_db
def test_the_operators_login_is_his_own_after_every_answer(head: Account) -> None:
    client: Client = somebody("fiscal_de_banca")
    act = recorded(loaded())
    url = reverse("admin:casino_witness", args=[act.entry_id])
    session = client.session.session_key
    for secret in (WRONG_PIN, PIN):
        _, shown = asked(act)
        client.post(url, {"staff": HEAD, "secret": secret, "token": shown.token, "over": HEAD})
        assert client.session.session_key == session
        assert client.get(url).wsgi_request.user.get_username() == "S-0187"
    assert Attestation.objects.get().witness == HEAD
