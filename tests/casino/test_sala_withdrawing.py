"""S14: what never happened is withdrawn at the tablet, by two persons, and stays to be read."""

import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.floor.opening.open_table import next_name
from casino.floor.tables.todo_lists import everything
from casino.models import Account, BookEntry, Correction, FailedWitness, Incident, Supersession
from casino.queries import decisions_waiting, that_count
from casino.witnessing import set_pin
from tests.casino.sala_forms import address, form_on, send
from tests.factories.events.every import FULL
from tests.factories.people import PASSWORD, appoint, somebody, write
from tests.factories.recorded import entries, events_of
from tests.factories.tables import CHEFE, MINUTE, PIT, TABLE, a_load, a_table, chefe_on_duty
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
PIN = "482915"


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


@recorded_once
def chefe() -> Account:
    chefe_on_duty()
    account = Account.objects.create_user(CHEFE, PASSWORD)
    set_pin(account, PIN)
    return account


def a_stop(pit: Client) -> str:
    """The page on which a stop told a moment ago is withdrawn."""
    a_table("shoe")
    send(pit, address("interrupt"), reason="no_players", do="interrupt")
    return address("withdraw", BookEntry.objects.get(kind="play-interrupted/1").pk)


def ask(client: Client, url: str, reason: str = "tapped_by_mistake") -> Any:
    return client.post(url, form_on(client.get(url)) | {"reason": reason})


def test_a_slip_is_withdrawn_in_two_taps_and_a_code(pit: Client, chefe: Account) -> None:
    url = a_stop(pit)
    answer = ask(pit, url)
    assert (answer.status_code, answer["Location"].split("?")[0]) == (303, url)
    [asked] = events_of("withdrawal-asked/1")
    assert (asked.act, asked.reason) == ("play-interrupted/1", "tapped_by_mistake")
    page = pit.get(url).content.decode()
    assert "it waits for its second person" in page
    assert form_on(pit.get(url))["staff"] == CHEFE  # on duty; his code is where one types
    assert re.findall(r'name="(\w+)"[^>]* autofocus', page) == ["secret"]
    values = form_on(pit.get(url)) | {"staff": CHEFE, "secret": PIN, "word": "approved"}
    assert pit.post(url, values).status_code == 303
    [word] = events_of("corrected/1")
    assert (word.decision, word.original) == ("approved", asked.entry)
    by = Correction.objects.get()
    assert (by.staff, by.office) == (CHEFE, "fiscal_chefe")
    page = pit.get(url).content.decode()
    assert "Withdrawn, it did not happen" in page
    assert "tapped by mistake" in page
    assert "<form" not in page.split("<main")[1]


def test_it_stays_on_the_tables_page_struck_out(pit: Client, chefe: Account) -> None:
    url = a_stop(pit)
    ask(pit, url)
    before = pit.get(address("table")).content.decode()
    assert "Play has been interrupted" in before  # until then it counts
    pit.post(url, form_on(pit.get(url)) | {"staff": CHEFE, "secret": PIN, "word": "approved"})
    page = pit.get(address("table")).content.decode()
    assert re.search(r"<s>[^<]*nterrupted[^<]*</s>|<s>Play stopped[^<]*</s>", page)
    assert f"approved by {CHEFE}" in page
    assert "Play has been interrupted" not in page


def test_the_fiscal_chefe_decides_on_his_own_tablet_without_a_code(
    pit: Client, chefe: Account
) -> None:
    url = a_stop(pit)
    ask(pit, url)
    assert decisions_waiting().count() == 1
    his = Client(headers={"accept-language": "en"})
    his.force_login(chefe)
    assert his.get(address("withdraw", Supersession.objects.get().pk)).status_code == 200
    page = his.get(url).content.decode()
    assert 'name="secret"' not in page
    assert his.post(url, form_on(his.get(url)) | {"word": "refused"}).status_code == 303
    assert Correction.objects.get().decision == "refused"
    assert not decisions_waiting().exists()
    assert "Play has been interrupted" in pit.get(address("table")).content.decode()
    assert 'name="reason"' in pit.get(url).content.decode()  # refused, it may be asked again


def test_what_falls_together_waits_as_one(pit: Client, chefe: Account) -> None:
    a_table("shoe")
    first, second = an_incident(pit), an_incident(pit)
    ask(pit, first)
    assert decisions_waiting().count() == 2
    assert waiting_for_a_word() == ["incident reported, and 1 record that falls with it"]
    (one,) = (one for one in everything(clock.now()) if one.what == "withdrawal")
    assert one.url == address("withdraw", root_asked(first).pk)
    ask(pit, second)
    assert waiting_for_a_word() == ["incident reported, and 1 record that falls with it"] * 2
    word = form_on(pit.get(first)) | {"staff": CHEFE, "secret": PIN, "word": "approved"}
    assert pit.post(first, word).status_code == 303
    assert waiting_for_a_word() == ["incident reported, and 1 record that falls with it"]
    send(pit, address("interrupt"), reason="no_players", do="interrupt")
    stop = BookEntry.objects.get(kind="play-interrupted/1")
    ask(pit, address("withdraw", stop.pk))
    assert waiting_for_a_word()[1:] == ["play interrupted"]


def an_incident(pit: Client) -> str:
    """The page on which an incident with a step is withdrawn."""
    send(pit, f"{address('incident')}?category=conduct", reason="ameaca")
    number = events_of("incident-reported/1")[-1].incident
    send(pit, reverse("sala:incident_steps", args=[TABLE, number]), step="called")
    return address("withdraw", BookEntry.objects.filter(kind="incident-reported/1").latest("n").pk)


def root_asked(url: str) -> Supersession:
    """The withdrawal of the record itself."""
    return Supersession.objects.get(original_n=BookEntry.objects.get(pk=url.split("/")[-3]).n)


def waiting_for_a_word() -> list[str]:
    """What the list says of each withdrawal that waits."""
    return [str(one.of) for one in everything(clock.now()) if one.what == "withdrawal"]


def test_nobody_withdraws_alone_with_his_own_code(pit: Client) -> None:
    url = a_stop(pit)
    set_pin(Account.objects.get(staff="S-0187"), PIN)
    ask(pit, url)
    before = entries()
    values = form_on(pit.get(url)) | {"staff": "S-0187", "secret": PIN, "word": "approved"}
    answer = pit.post(url, values)
    assert answer.status_code == 200
    assert "Not recorded yet" in answer.content.decode()
    assert entries() == before


@pytest.mark.parametrize("secret", ["000000", "", "x" * 300])
def test_a_wrong_code_records_nothing_but_that_it_was_wrong(
    pit: Client, chefe: Account, secret: str
) -> None:
    url = a_stop(pit)
    ask(pit, url)
    values = form_on(pit.get(url)) | {"staff": CHEFE, "secret": secret, "word": "approved"}
    answer = pit.post(url, values)
    assert answer.status_code == 200
    assert not Correction.objects.exists()
    assert FailedWitness.objects.count() == (secret == "000000")
    assert ("4 tries are left" in answer.content.decode()) is (secret == "000000")


def test_a_double_tap_asks_once_and_decides_once(pit: Client, chefe: Account) -> None:
    url = a_stop(pit)
    sent = form_on(pit.get(url)) | {"reason": "never_happened"}
    assert [pit.post(url, sent).status_code for _ in range(2)] == [303, 303]
    word = form_on(pit.get(url)) | {"staff": CHEFE, "secret": PIN, "word": "approved"}
    assert [pit.post(url, word).status_code for _ in range(2)] == [303, 200]
    assert len(events_of("withdrawal-asked/1")) == len(events_of("corrected/1")) == 1


def test_a_reason_is_given(pit: Client) -> None:
    url = a_stop(pit)
    before = entries()
    answer = ask(pit, url, "")
    assert answer.status_code == 200
    assert "Say why it is withdrawn." in answer.content.decode()
    assert ask(pit, url, "no such reason").status_code == 200
    assert entries() == before


def test_an_incident_takes_its_steps_with_it(pit: Client, chefe: Account) -> None:
    a_table("shoe")
    send(pit, f"{address('incident')}?category=conduct", reason="ameaca")
    trouble = BookEntry.objects.get(kind="incident-reported/1")
    number = events_of("incident-reported/1")[0].incident
    send(pit, reverse("sala:incident_steps", args=[TABLE, number]), step="called")
    url = address("withdraw", trouble.pk)
    assert "Falls with it" in pit.get(url).content.decode()
    ask(pit, url, "never_happened")
    assert Supersession.objects.count() == 2
    word = form_on(pit.get(url)) | {"staff": CHEFE, "secret": PIN, "word": "approved"}
    assert pit.post(url, word).status_code == 303
    assert Correction.objects.count() == 2
    assert not that_count(Incident.objects.all()).exists()
    page = pit.get(address("table")).content.decode()
    assert "Open incidents" not in page
    assert re.search(rf"<s>[^<]*{number}[^<]*</s>", page)


def test_an_opening_with_a_round_says_what_stands_in_the_way(pit: Client) -> None:
    partida = a_table("shoe")
    write(replace(FULL["round-played/1"], table=TABLE, partida=partida), by=PIT)
    opened = BookEntry.objects.get(kind="partida-opened/1")
    page = pit.get(address("withdraw", opened.pk)).content.decode()
    assert "Stands in the way" in page
    assert 'name="reason"' not in page


def test_an_opening_with_nothing_played_goes_with_all_its_steps(
    pit: Client, chefe: Account
) -> None:
    a_table("shoe")
    opened = BookEntry.objects.get(kind="partida-opened/1")
    url = address("withdraw", opened.pk)
    ask(pit, url, "other_table")
    word = form_on(pit.get(url)) | {"staff": CHEFE, "secret": PIN, "word": "approved"}
    assert pit.post(url, word).status_code == 303
    page = pit.get(address("table")).content.decode()
    assert "Open since" not in page  # nothing is open there any more
    assert next_name(TABLE).endswith("/2")  # and no other game takes its name


def test_another_tables_fiscal_withdraws_nothing_here(pit: Client) -> None:
    url = a_stop(pit)
    other = somebody("fiscal_de_banca", "S-0999")
    assert other.get(url).status_code == 403
    assert other.post(url, {"reason": "never_happened"}).status_code == 403


def test_a_load_that_is_the_fiscals_to_record_is_his_to_withdraw(pit: Client) -> None:
    url = address("withdraw", a_load(a_table(), ago=MINUTE).entry_id)
    head = somebody("fiscal_chefe")
    assert 'name="reason"' not in head.get(url).content.decode()
    assert 'name="reason"' in pit.get(url).content.decode()


def test_whoever_holds_two_offices_withdraws_as_the_one_that_records_it(pit: Client) -> None:
    appoint("S-0187", "chefia_da_sala")
    url = a_stop(pit)
    assert ask(pit, url).status_code == 303
    assert [row.office for row in Supersession.objects.all()] == ["fiscal_de_banca"]


def test_what_falls_with_it_and_is_not_his_to_withdraw_is_said_before_he_asks() -> None:
    a_table("shoe")
    opening = BookEntry.objects.get(kind="partida-opened/1")
    page = somebody("chefia_da_sala").get(address("withdraw", opening.pk)).content.decode()
    assert "falls with it, and is withdrawn by: fiscal de banca, fiscal-chefe." in page
    assert 'name="reason"' not in page


def test_of_what_is_withdrawn_nothing_is_put_right(pit: Client, chefe: Account) -> None:
    url = a_stop(pit)
    ask(pit, url)
    stop = BookEntry.objects.get(kind="play-interrupted/1")
    assert pit.get(address("correct", stop.pk))["Location"] == url
