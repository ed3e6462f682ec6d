"""A second person confirms an act with his own secret, on the page that follows it."""

import re
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse

from casino import clock, witnessing
from casino.events.staff import DutyBegun
from casino.models import Account, Attestation, BookEntry, FailedWitness, WitnessSecret
from casino.queries import load_entry
from casino.recording import Receipt
from casino.web.entries.entry_page import url_of
from casino.witnessing import FAILURES, set_pin
from casino.witnessing.proving import how_proved
from tests.factories.events.every import FULL
from tests.factories.people import PASSWORD, appoint, somebody, write
from tests.factories.recorded import last_entry
from tests.factories.records import MANAGER, loaded, recorded
from tests.flat_html import flat
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.share]
HEAD, PIN = "S-0021", "482915"
OPENED: Any = replace(FULL["partida-opened/1"], fiscal_chefe="S-0500")


@recorded_once
def head() -> Account:
    """A fiscal-chefe with a password and a code."""
    appoint(HEAD, "fiscal_chefe")
    account = Account.objects.create_user(HEAD, PASSWORD)
    set_pin(account, PIN)
    return account


@recorded_once
def client() -> Client:
    """The operator's browser, in which the device is handed over."""
    return somebody("fiscal_de_banca")


def page_of(receipt: Receipt) -> str:
    return reverse("admin:casino_witness", args=[receipt.entry_id])


def token_on(client: Client, receipt: Receipt) -> str:
    found = re.search(r'name="token" value="([^"]+)"', flat(client.get(page_of(receipt))))
    assert found is not None
    return found[1]


def confirmed(
    client: Client, receipt: Receipt, secret: str = PIN, staff: str = HEAD, **more: str
) -> Any:
    sent = {
        "staff": staff,
        "secret": secret,
        "token": more.get("token") or token_on(client, receipt),
        "over": more.get("over", staff),  # in these games nobody is on duty
    }
    return client.post(page_of(receipt), sent)


def refusal(answer: Any) -> str:
    assert answer.status_code == 200
    assert PIN not in flat(answer)
    assert PASSWORD not in flat(answer)
    refused: str = answer.context["refused"]
    return refused


@pytest.mark.parametrize(("secret", "method"), [(PIN, "pin"), (PASSWORD, "password")])
@pytest.mark.usefixtures("head")
def test_the_second_person_confirms_and_the_operator_stays(
    client: Client, secret: str, method: str, django_assert_max_num_queries: Any
) -> None:
    receipt = recorded(loaded(3))
    with django_assert_max_num_queries(12):
        shown = flat(client.get(page_of(receipt)))
    assert "Packets: 3" in shown
    answer = confirmed(client, receipt, secret)
    assert answer.status_code == 302
    attestation = Attestation.objects.get()
    assert (attestation.witness, attestation.held, attestation.method) == (
        HEAD,
        "fiscal_chefe",
        method,
    )
    assert (attestation.witnessed_n, attestation.witnessed_leaf) == (receipt.n, receipt.leaf)
    assert attestation.article == "54"
    entry = BookEntry.objects.get(pk=receipt.entry_id)
    assert witnessing.language_read(entry, attestation.text_sha256) == "en"
    event: Any = load_entry(last_entry("witnessed/1").pk)
    assert (event.by.staff, event.by.office) == (HEAD, "fiscal_chefe")
    page = client.get(answer.url)
    assert page.wsgi_request.user.get_username() == "S-0187"
    assert HEAD in flat(page)


@pytest.mark.parametrize(("secret", "word"), [(PIN, "personal code"), (PASSWORD, "password")])
def test_the_record_says_that_a_code_or_password_was_confirmed_to_the_server(
    client: Client, head: Account, secret: str, word: str
) -> None:
    """It is the server's word: nothing of it can be checked by anybody else."""
    confirmed(client, recorded(loaded(3)), secret)
    entry, reader = last_entry("witnessed/1"), Client(headers={"accept-language": "en"})
    reader.force_login(head)
    page = flat(reader.get(url_of("witnessed/1", entry.pk)))
    assert f"{word}, confirmed to the server" in page


def test_a_rank_not_held_is_recorded_with_the_office_that_is(client: Client) -> None:
    appoint("S-0400", "fiscal_de_banca")
    set_pin(Account.objects.create_user("S-0400", PASSWORD), PIN)
    assert confirmed(client, recorded(loaded(3)), staff="S-0400").status_code == 302
    assert Attestation.objects.get().held == "fiscal_de_banca"


def test_an_auditor_is_no_witness(client: Client) -> None:
    appoint("A-0001", "auditor")
    set_pin(Account.objects.create_user("A-0001", PASSWORD), PIN)
    assert "written by" in refusal(confirmed(client, recorded(loaded(3)), staff="A-0001"))
    assert not Attestation.objects.exists()


@pytest.mark.parametrize("staff", ["S-0187", "P-104"])
def test_whoever_acted_is_no_witness(client: Client, staff: str) -> None:
    account, _ = Account.objects.get_or_create(staff=staff)
    set_pin(account, PIN)
    assert "own act" in refusal(confirmed(client, recorded(loaded(3)), staff=staff))


@pytest.mark.usefixtures("head")
def test_a_token_is_used_once(client: Client) -> None:
    receipt = recorded(loaded(3))
    token = token_on(client, receipt)
    assert confirmed(client, receipt, token=token).status_code == 302
    assert "used already" in refusal(confirmed(client, receipt, token=token))
    assert Attestation.objects.count() == 1


@pytest.mark.usefixtures("head")
def test_a_token_is_of_one_act(client: Client) -> None:
    first, second = recorded(loaded(3)), recorded(loaded(2))
    token = token_on(client, first)
    assert "not made for this act" in refusal(confirmed(client, second, token=token))
    recorded_in = signing.loads(token, salt="casino.witnessing")
    for changed in ({"leaf": "0" * 64}, {"text": "0" * 64}):
        forged = signing.dumps(recorded_in | changed, salt="casino.witnessing")
        assert "not made for this act" in refusal(confirmed(client, first, token=forged))
    for forged in ("", "x", token[:-2] + "zz", signing.dumps(recorded_in, salt="another")):
        answer = confirmed(client, first, token=forged or " ")
        assert answer.status_code == 200
    assert not Attestation.objects.exists()


@pytest.mark.usefixtures("head")
def test_after_two_minutes_it_is_too_late(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    receipt = recorded(loaded(3))
    token = token_on(client, receipt)
    monkeypatch.setenv("CLOCK_OFFSET", "121")
    assert "time had run out" in refusal(confirmed(client, receipt, token=token))
    assert not Attestation.objects.exists()


def test_five_wrong_secrets_lock_out_for_three_minutes_and_say_so(
    client: Client, head: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    receipt = recorded(loaded(3))
    for number in range(1, FAILURES + 1):
        assert "not right" in refusal(confirmed(client, receipt, "000000"))
        assert FailedWitness.objects.filter(why="wrong_secret").count() == number
    assert "It is closed until " in refusal(confirmed(client, receipt))
    assert not Attestation.objects.exists()
    monkeypatch.setenv("CLOCK_OFFSET", str(int(timedelta(minutes=3, seconds=1).total_seconds())))
    assert confirmed(client, receipt).status_code == 302
    assert client.get(page_of(receipt)).wsgi_request.user.get_username() == "S-0187"


@pytest.mark.usefixtures("head")
def test_an_unknown_person_is_refused_in_the_same_words(client: Client) -> None:
    receipt = recorded(loaded(3))
    assert refusal(confirmed(client, receipt, staff="S-9999")) == refusal(
        confirmed(client, receipt, "000000")
    )


def test_a_code_is_kept_as_a_hash_that_needs_the_pepper(head: Account, settings: Any) -> None:
    kept = WitnessSecret.objects.get(account=head).pin_hash
    assert kept.startswith("argon2$")
    assert PIN not in kept
    settings.WITNESS_PEPPER = "another"
    assert how_proved(head.staff, PIN) is None
    assert how_proved(head.staff, PASSWORD) == "password"


@pytest.mark.parametrize("code", ["12345", "123456789", "12a456", "١٢٣٤٥٦"])
def test_a_code_has_six_to_eight_digits(head: Account, code: str) -> None:
    with pytest.raises(ValueError, match="6 to 8"):
        set_pin(head, code)


def test_a_person_sets_his_own_code_with_his_password(client: Client) -> None:
    account = Account.objects.get(staff="S-0187")
    account.set_password(PASSWORD)
    account.save()
    client.force_login(account)
    url = reverse("admin:casino_witness_code")
    assert client.post(url, {"password": "wrong", "code": "135790"}).status_code == 200
    assert not WitnessSecret.objects.exists()
    assert client.post(url, {"password": PASSWORD, "code": "135790"}).status_code == 302
    assert WitnessSecret.objects.get().account == account


@pytest.mark.parametrize("language", ["pt", "en"])
def test_the_text_shown_never_changes(language: str) -> None:
    """Its digest stands in the book: typed by hand, a changed text fails here."""
    receipt = recorded(loaded(3))
    entry = BookEntry.objects.select_related("stream").get(pk=receipt.entry_id)
    asked = {
        "pt": "Assisti ao carregamento do baralhador CSM-04.\nBJ-06 · partida 1 de 20/11/2026\n"
        "Baralhos: 6 (D-1, D-2, D-3, D-4, D-5, D-6)\nPacotes: 3\nOperador: P-104\n"
        "20/11/2026, 21:15:00",
        "en": "I was present when shuffler CSM-04 was loaded.\nBJ-06 · game 1 of 20/11/2026\n"
        "Decks: 6 (D-1, D-2, D-3, D-4, D-5, D-6)\nPackets: 3\nOperator: P-104\n"
        "20/11/2026, 21:15:00",
    }
    assert witnessing.text_of(entry, language) == asked[language]
    until_060 = {  # what was signed before is known for ever
        "pt": "Assisti ao carregamento do baralhador CSM-04.\nBJ-06 · BJ-06/2026-11-20/1\n"
        "Baralhos: 6 (D-1, D-2, D-3, D-4, D-5, D-6)\nPacotes: 3\nOperador: P-104\n"
        "2026-11-20 21:15:00 +0000",
        "en": "I was present when shuffler CSM-04 was loaded.\nBJ-06 · BJ-06/2026-11-20/1\n"
        "Decks: 6 (D-1, D-2, D-3, D-4, D-5, D-6)\nPackets: 3\nOperator: P-104\n"
        "2026-11-20 21:15:00 +0000",
    }
    digest = sha256(until_060[language].encode()).hexdigest()
    assert witnessing.language_read(entry, digest) == language
    assert clock.now() > entry.occurred_at


def test_article_54_what_he_lacks_is_said_here_too_before_he_confirms(
    client: Client, head: Account
) -> None:
    receipt = recorded(loaded(3))
    answer = confirmed(client, receipt, over="")
    assert answer.status_code == 200
    assert "is on duty as fiscal-chefe" in flat(answer)
    assert not Attestation.objects.exists()
    assert not FailedWitness.objects.exists()
    assert confirmed(client, receipt, over=head.staff).status_code == 302


def fields_of(client: Client, receipt: Receipt) -> tuple[str, str]:
    """The number that stands in the form, and the name of the field one types in."""
    page = flat(client.get(page_of(receipt)))
    number = re.search(r'<input type="text" name="staff"(?: value="([^"]*)")?', page)
    [focused] = re.findall(r'<input[^>]* name="(\w+)"[^>]* autofocus', page)
    assert number is not None
    return number[1] or "", focused


def test_nobody_is_likely_where_nobody_is_named(client: Client) -> None:
    assert fields_of(client, recorded(loaded(3))) == ("", "staff")


def test_the_number_of_who_is_likely_stands_there_and_his_code_is_where_one_types(
    client: Client, head: Account
) -> None:
    """First whoever the game was opened with, then who is on duty, then oneself."""
    recorded(OPENED)
    receipt = recorded(loaded(3))
    assert fields_of(client, receipt) == (OPENED.fiscal_chefe, "secret")
    there = DutyBegun(staff="S-0444", office="fiscal_chefe", tables=())
    appoint("S-0444", "fiscal_chefe")
    write(there, by=MANAGER, at=clock.now() - timedelta(hours=1))
    assert fields_of(client, receipt) == ("S-0444", "secret")
    client.force_login(head)
    assert fields_of(client, receipt) == (HEAD, "secret")


def test_what_the_likely_one_lacks_is_said_when_the_page_is_shown(client: Client) -> None:
    recorded(OPENED)
    appoint(OPENED.fiscal_chefe, "fiscal_de_banca")
    page = flat(client.get(page_of(recorded(loaded(3)))))
    assert "did not hold the office of fiscal-chefe" in page  # nor is he said to be off duty in it
    assert f'name="over" value="{OPENED.fiscal_chefe}"' in page


@pytest.mark.parametrize(
    ("staff", "said"),
    [("S-0187", "Whoever acted cannot witness his own act."), ("S-4711", "known by this number")],
)
def test_who_cannot_confirm_is_told_so_before_his_secret_is_looked_at(
    client: Client, staff: str, said: str
) -> None:
    receipt = recorded(loaded(3))
    asked = flat(client.get(f"{page_of(receipt)}?by={staff.lower()}"))
    assert said in asked
    assert "I confirm" not in asked
    answer = confirmed(client, receipt, staff=staff, over="")
    assert said in flat(answer)
    assert not FailedWitness.objects.exists()


def test_what_who_is_typed_lacks_is_said_to_a_look_without_his_secret(
    client: Client, head: Account
) -> None:
    receipt = recorded(loaded(3))
    sent = {"staff": HEAD, "staff-was": "", "token": token_on(client, receipt), "look": "1"}
    answer = client.post(page_of(receipt), sent)
    assert "was not on duty as fiscal-chefe" in flat(answer)
    assert answer.context["errors"] == {}
    assert f'name="over" value="{HEAD}"' in flat(answer)


def test_who_was_typed_is_kept_when_the_secret_was_wrong(client: Client, head: Account) -> None:
    answer = confirmed(client, recorded(loaded(3)), "000000", "s-0021", over=HEAD)
    assert "not right" in refusal(answer)
    assert answer.context["number"] == HEAD
    assert f'name="staff" value="{HEAD}"' in flat(answer)
