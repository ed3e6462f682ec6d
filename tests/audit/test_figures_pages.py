"""Figures asked for, decided on and looked up on pages; the register of readings."""

import csv
from dataclasses import replace
from datetime import timedelta
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils.formats import date_format

from audit.demo.asked_figures import ask_figures
from audit.models import Finding
from audit.pages.law import figures
from audit.pages.law.figure_changes import changes_of
from casino import clock
from casino.events.requests import FiguresAsked
from casino.floor.tables import todo_requests
from casino.house_day import day_begins
from casino.importing import regulation_texts
from casino.importing.law_in_use import Kept, keep
from casino.law.rulebook.rulebook_file import load_law
from casino.models import Account, BookEntry, FigureSetting, StaffRequest
from casino.recording import Actor, Submission, record_many
from casino.web.login.factor_given import GIVEN
from casino.witnessing import ask_second
from tests.audit.reconciling import reconcile
from tests.factories.evenings import DAY, opened, partida_of, record_all
from tests.factories.figures_set import (
    DECIDER,
    LIMIT,
    as_set,
    ask,
    asked_for,
    days_from_now,
    decide,
    set_by_two,
)
from tests.factories.people import CAST, somebody
from tests.factories.rounds import a_round, box, main
from tests.factories.tonight import at
from tests.flat_html import flat

pytestmark = [pytest.mark.share, pytest.mark.django_db, pytest.mark.usefixtures("english")]
SHELL: Final = replace(DECIDER, door="local")
ANSWER: Final = b"Oficio 12/2027: a banca que passa de 21 perde para quem tem menos."
HEAD: Final = Actor(CAST["chefia_da_sala"], "chefia_da_sala", "admin")
# A text of the rulebook's articles in which one figure is another.
OTHER_BOXES: Final = "\n".join(
    f"Artigo {n}.º\n\n{'Há 6 ou 8 lugares.' if n == 2 else 'Nada.'}\n" for n in range(1, 62)
)


@pytest.fixture
def manager() -> Client:
    return somebody("chefia_da_sala")


@pytest.fixture
def administrator() -> Client:
    return somebody("administrador")


def draft(**fields: Any) -> dict[str, Any]:
    """What the form sends of a reading switched by an answer."""
    return {
        "key": str(uuid4()),
        "value.bank.bust": "nearer_wins",
        "since": days_from_now(10).isoformat(),
        "basis": "answer",
        "source": "Ofício 12/2027",
        "document_day": days_from_now(-3).isoformat(),
        "grounds": "A banca que passa perde só para quem tem menos.",
        "add": "",
        "seen": "",
    } | fields


def address(name: str = "law-figures", rulebook: str = "pt") -> str:
    return reverse(name, args=[rulebook])


def asked(client: Client, **fields: Any) -> StaffRequest:
    """A request, from the form through what would hold to the book."""
    sent = draft(**fields)
    shown = client.post(address(), sent)
    assert shown.status_code == 200, flat(shown)
    answer = client.post(address(), sent | {"seen": shown.context["seen"]})
    assert answer.status_code == 302, flat(answer)
    return StaffRequest.objects.get()


def approved(client: Client, one: StaffRequest) -> None:
    page = reverse("admin:casino_staffrequest_change", args=[one.pk])
    sent = {"key": str(uuid4()), "decision": "approved", "reason": "checked"}
    assert client.post(page, sent).status_code == 302


# Asked for


def test_an_address_fills_the_form_in(manager: Client) -> None:
    since = days_from_now(10).isoformat()
    query = {"figure": f"{LIMIT}=25", "since": since, "source": "Decreto 1/2027"}
    page = manager.get(address(), query)
    text = flat(page)
    assert 'name="value.limits.maximum_over_minimum" value="25"' in page.content.decode()
    assert f'value="{since}"' in page.content.decode()
    assert "The maximum is at most so many times the minimum" in text
    assert "today: 30 times" in text


def test_nothing_is_recorded_before_it_was_said_what_would_hold(manager: Client) -> None:
    sent = draft()
    shown = manager.post(address(), sent)
    assert "Nothing was asked for yet." in flat(shown)
    (change,) = shown.context["panel"].changes
    assert change.now != change.then
    assert not StaffRequest.objects.exists()
    other = sent | {"seen": shown.context["seen"], "source": "Ofício 13/2027"}
    assert "Nothing was asked for yet." in flat(manager.post(address(), other))
    assert not StaffRequest.objects.exists(), "what was shown is not what is asked"
    answer = manager.post(address(), sent | {"seen": shown.context["seen"]})
    again = manager.post(address(), sent | {"seen": shown.context["seen"]})
    assert answer.headers["location"] == again.headers["location"]
    assert StaffRequest.objects.count() == 1


def test_another_figure_is_added_and_what_was_typed_stays(manager: Client) -> None:
    page = manager.post(address(), draft(add=LIMIT, source="Ofício 9"))
    assert page.status_code == 200
    assert [one.name for one in page.context["fields"]] == [
        "value.bank.bust",
        "value.limits.maximum_over_minimum",
    ]
    assert "Ofício 9" in page.content.decode()
    assert not StaffRequest.objects.exists()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"value.bank.bust": "", "value.blackjack.pays": "1,2"}, "a text like"),
        ({"value.bank.bust": ""}, "asked is one figure at least"),
        ({"document_day": ""}, "of an answer its day is asked"),
        ({"since": days_from_now(0).isoformat()}, "asked is a gaming day after"),
        ({"document_day": days_from_now(3).isoformat()}, "asked is the day the document bears"),
        (
            {"value.bank.bust": "", f"value.{LIMIT}": "0"},
            "The maximum is at most so many times the minimum: found 0; asked: from 1 to 1000000",
        ),
        (
            {"value.bank.bust": "", f"value.{LIMIT}": "30"},
            "The maximum is at most so many times the minimum: found the value that holds",
        ),
    ],
)
def test_what_cannot_be_held_is_refused_in_words(
    manager: Client, fields: dict[str, str], words: str
) -> None:
    page = manager.post(address(), draft(**fields))
    assert page.status_code == 400
    assert words in flat(page)
    assert "pt.toml" not in flat(page)
    assert not BookEntry.objects.filter(kind=FiguresAsked.kind).exists()


def test_a_refusal_names_the_figure_in_portuguese(manager: Client) -> None:
    sent = draft(**{"value.bank.bust": "", "value.blackjack.pays": "muito"})
    page = manager.post(address(), sent, headers={"accept-language": "pt"})
    said = "O blackjack paga: encontrado 'muito'; pede-se: um texto como \"3/2\""
    assert said in unescape(flat(page))


def test_an_answer_without_its_file_is_said_and_asked_for(manager: Client) -> None:
    shown = manager.post(address(), draft())
    assert "The answer's file is not here" in unescape(flat(shown))
    one = asked(manager)
    page = manager.get(reverse("admin:casino_staffrequest_change", args=[one.pk]))
    assert "The answer's file is not here" in unescape(flat(page))
    of_an_act = manager.post(address(), draft(basis="act", **{"value.bank.bust": "nearer_wins"}))
    assert "file is not here" not in flat(of_an_act)


def test_two_requests_for_one_figure_name_each_other_while_they_wait(
    manager: Client, administrator: Client
) -> None:
    first, second = (
        ask(asked_for(since=days_from_now(days), limits__maximum_over_minimum=value))
        for days, value in ((12, "20"), (14, "22"))
    )
    ask(asked_for(bank__bust="nearer_wins"))
    pages = [
        reverse("admin:casino_staffrequest_change", args=[one.entry_id]) for one in (first, second)
    ]
    for page, other, value in ((pages[0], pages[1], "22"), (pages[1], pages[0], "20")):
        text = flat(administrator.get(page))
        assert f"the minimum: {value} times, from" in text
        assert f'href="{other}"' in administrator.get(page).content.decode()
        assert text.count("Another request for the same waits") == 1
    fields = {"value.bank.bust": "", f"value.{LIMIT}": "24", "basis": "act"}
    shown = manager.post(address(), draft(**fields))
    assert flat(shown).count("Another request for the same waits") == 2
    decide(first, decision="refused")
    assert "Another request" not in flat(administrator.get(pages[1]))


def test_ratios_and_lists_are_typed_as_people_write_them(manager: Client) -> None:
    one = asked(manager, **{"value.blackjack.pays": "6:5", "value.double.totals": "10, 11"})
    page = manager.get(reverse("admin:casino_staffrequest_change", args=[one.pk]))
    assert "A blackjack pays: 6:5; Totals that may be doubled: 10 or 11" in flat(page)
    assert "double.totals" not in flat(page)


def test_the_second_factor_is_asked_for_anew_before_it_is_recorded(manager: Client) -> None:
    ask_second(Account.objects.get(staff=CAST["chefia_da_sala"]))
    session = manager.session
    ago = clock.now() - timedelta(minutes=11)
    session[GIVEN] = {"how": "app", "at": int(ago.timestamp())}
    session.save()
    sent = draft()
    shown = manager.post(address(), sent)
    assert shown.status_code == 200
    answer = manager.post(address(), sent | {"seen": shown.context["seen"]})
    assert answer.status_code == 403
    assert "shows once more that it is he" in flat(answer)
    assert not StaffRequest.objects.exists()


# Decided


def test_another_of_the_direction_sees_what_changes_opens_the_document_and_approves(
    manager: Client, administrator: Client
) -> None:
    file = SimpleUploadedFile("oficio.txt", ANSWER, "text/plain")
    sent = draft()
    shown = manager.post(address(), sent | {"files": file})
    sent |= {"seen": shown.context["seen"], "waiting_file": str(shown.context["waiting"][0].id)}
    page = manager.post(address(), sent).headers["location"]
    assert "another person decides" in flat(manager.get(page)).lower()
    assert not FigureSetting.objects.exists()
    decides = administrator.get(page)
    text = flat(decides)
    assert "What would hold from" in text
    assert "Approved, the figures hold from their first gaming day on." in text
    (document,) = decides.context["files"]
    answer = administrator.get(document.url)
    assert answer.content == ANSWER
    one = StaffRequest.objects.get()
    (todo,) = todo_requests.waiting(clock.now())
    day = date_format(days_from_now(10), "SHORT_DATE_FORMAT")
    assert "the bank is over too: " in str(todo.of)
    assert str(todo.of).endswith(f", from {day} on (Ofício 12/2027)")
    assert todo.until == day_begins(days_from_now(10))
    assert todo.never == {"s-0003"}
    assert "Ofício 12/2027" in flat(administrator.get(reverse("admin:index")))
    approved(administrator, one)
    law = load_law("pt")
    assert law.on(days_from_now(10))["bank.bust"] == "nearer_wins"
    assert law.on(days_from_now(9))["bank.bust"] == "loses"
    listed = manager.get(reverse("admin:casino_figuresetting_changelist"))
    assert "asked n" not in flat(listed).lower()
    assert "A player's bust when the bank is over too: " in unescape(flat(listed))


def test_who_asked_approves_nothing(manager: Client) -> None:
    one = asked(manager)
    page = reverse("admin:casino_staffrequest_change", args=[one.pk])
    answer = manager.post(page, {"key": str(uuid4()), "decision": "approved", "reason": "checked"})
    assert "Nothing was decided" in flat(answer)
    assert not FigureSetting.objects.exists()


# The register


def test_the_register_says_who_decided_each_reading_and_since_when(
    manager: Client, administrator: Client
) -> None:
    text = flat(manager.get(address("law-readings")))
    assert "As the program has it" in text
    assert "approved by" not in text
    one = asked(manager)
    text = flat(manager.get(address("law-readings")))
    assert "it waits for another person." in text
    approved(administrator, one)
    page = manager.get(address("law-readings"))
    row = next(row for row in page.context["rows"] if row.id == "bank-bust")
    later, before = row.history
    assert (later.state, later.asked_by, later.approved_by) == ("later", "S-0003", "S-0009")
    assert (later.source, later.since) == ("Ofício 12/2027", days_from_now(10))
    assert (before.state, before.approved_by) == ("held", "")
    assert "Asked for by S-0003, approved by S-0009" in flat(page)
    assert [other.value for other in row.others] == ["nearer_wins"]


def test_a_figure_no_reading_decides_stands_in_the_register_too(manager: Client) -> None:
    somebody("administrador")
    set_by_two(asked_for())
    page = manager.get(address("law-readings"))
    (figure,) = page.context["figures"]
    assert [one.words for one in figure.history] == ["25 times", "30 times"]
    day = {"day": days_from_now(10).isoformat()}
    article = manager.get(reverse("law-article", args=["pt", "37"]), day)
    (row,) = article.context["figures"]
    assert (row.value, row.source, row.since) == ("25 times", "Decreto 1/2027", days_from_now(10))
    assert "Who decided, and what hangs on it" in flat(
        manager.get(reverse("law-article", args=["pt", "23"]))
    )


def test_the_list_of_sets_says_which_are_to_come_never_were_or_do_not_count(
    manager: Client,
) -> None:
    somebody("administrador")
    set_by_two(asked_for(since=days_from_now(30)))
    set_by_two(asked_for(since=days_from_now(10), limits__maximum_over_minimum="28"))
    alone = asked_for(limits__maximum_over_minimum="29")
    receipt = ask(alone)
    record_many([Submission(as_set(alone, receipt), uuid4(), SHELL, clock.now())])
    keep(Kept())
    url = reverse("admin:casino_figuresetting_changelist")
    rows = manager.get(url).context["cl"].result_list
    standing = {row.figures[0][-2:]: row.standing_now for row in rows}
    assert standing == {"25": "never in force", "28": "still to come", "29": "does not count"}
    with at(day_begins(days_from_now(10)) + timedelta(hours=1)):
        rows = manager.get(url).context["cl"].result_list
        assert {row.figures[0][-2:]: row.standing_now for row in rows}["28"] == "holds"


def test_a_set_that_never_comes_to_hold_stands_in_the_register_with_what_took_its_place(
    manager: Client,
) -> None:
    somebody("administrador")
    set_by_two(asked_for(since=days_from_now(30)))
    (figure,) = manager.get(address("law-readings")).context["figures"]
    assert [one.state for one in figure.history] == ["later", "held"]
    by = replace(asked_for(limits__maximum_over_minimum="28"), source="Decreto 2/2027")
    set_by_two(by)
    page = manager.get(address("law-readings"))
    (figure,) = page.context["figures"]
    assert [(one.words, one.state) for one in figure.history] == [
        ("25 times", "replaced"),
        ("28 times", "later"),
        ("30 times", "held"),
    ]
    today, day = (date_format(days_from_now(days), "SHORT_DATE_FORMAT") for days in (0, 10))
    said = f"In its place Decreto 2/2027 holds, from {day} on (approved by S-0009 on {today})"
    assert said in flat(page)


def test_what_two_set_stands_beside_the_sentence_that_has_the_text_s_figure(
    manager: Client,
) -> None:
    somebody("administrador")
    set_by_two(asked_for())
    article = reverse("law-article", args=["pt", "37"])
    said = "The maximum is at most so many times the minimum: in force is 25 times, since"
    days = (days_from_now(9), days_from_now(10))
    texts = [flat(manager.get(article, {"day": day.isoformat()})) for day in days]
    assert [said in text for text in texts] == [False, True]
    rule = {"check_name": "maximum_within_thirty_minimums", "rulebook": "pt"}
    found = [figures.otherwise_set(Finding(**rule, gaming_day=day)) for day in days]
    assert [len(one) for one in found] == [0, 1]
    assert found[1][0].startswith(said)
    floor = reverse("sala:articles")
    assert said not in flat(manager.get(floor))
    with at(day_begins(days_from_now(10)) + timedelta(hours=1)):
        assert said in flat(manager.get(floor))


def bank_busts() -> Any:
    one = a_round(box(1, "8S 4D", main(1000, 1000)), bank="TH 6C TD", day=DAY)
    where = {"table": "BJ-01", "partida": partida_of()}
    return replace(one, round=str(uuid4()), shoe=1, number=1, **where)


def test_the_register_adds_up_what_hangs_on_a_reading_and_what_the_other_would_come_to() -> None:
    record_all([opened(), bank_busts()])
    reconcile("own")
    reconcile("other", rulebook="pt", readings=(("bank-bust", "nearer_wins"),))
    inspector = somebody("inspetor")
    page = inspector.get(address("law-readings"), {"from": DAY, "to": DAY})
    row = next(row for row in page.context["rows"] if row.id == "bank-bust")
    assert (row.standing.findings, row.standing.rounds) == (1, 1)
    assert (row.standing.to_players, row.standing.to_house) == (1000, 0)
    listed = inspector.get(row.findings_url)
    assert len(listed.context["cl"].result_list) == 1
    (other,) = row.others
    assert other.compared.rounds == 1
    assert other.compared.owed_now["player"] > other.compared.owed_then.get("player", 0)
    form = inspector.get(other.ask_url)
    assert form.status_code == 200
    assert dict(form.context["wanted"].readings) == {"bank-bust": "nearer_wins"}
    assert other.switch_url == "", "the inspection service asks for no figures"
    none = inspector.get(address("law-readings"), {"from": "2025-01-01", "to": "2025-01-02"})
    row = next(row for row in none.context["rows"] if row.id == "bank-bust")
    assert row.standing.findings == 0


def test_the_register_is_taken_out_a_row_a_choice() -> None:
    somebody("chefia_da_sala")
    somebody("administrador")
    set_by_two(asked_for(since=days_from_now(30), bank__bust="nearer_wins"))
    set_by_two(asked_for(since=days_from_now(20), limits__maximum_over_minimum="20"))
    set_by_two(asked_for())
    ask(asked_for(limits__maximum_over_minimum="22"))
    answer = somebody("inspetor").get(address("law-readings-csv"))
    text = b"".join(answer.streaming_content).decode("utf-8-sig")  # type: ignore[attr-defined]
    rows = list(csv.DictReader(StringIO(text)))
    mine = [one for one in rows if one["figure"] == "bank.bust"]
    assert [(one["choice"], one["adopted"], one["state"]) for one in mine] == [
        ("loses", "yes", "held"),
        ("nearer_wins", "no", ""),
        ("nearer_wins", "no", "later"),
    ]
    limit = [one for one in rows if one["figure"] == LIMIT]
    assert [(one["choice"], one["state"], one["adopted"]) for one in limit] == [
        ("30", "held", "yes"),
        ("25", "later", "no"),
        ("20", "replaced", "no"),
        ("22", "waiting", "no"),
    ]
    assert [one["replaced_by"] for one in limit] == ["", "", "Decreto 1/2027", ""]
    assert [one["approved_by"] for one in limit] == ["", "S-0009", "S-0009", ""]
    assert {one["reading"] for one in limit} == {""}


def test_a_rulebook_without_what_is_asked_says_so_and_no_other_is_shown(manager: Client) -> None:
    assert manager.get(address("law-readings", "nowhere")).status_code == 404
    assert manager.get(address("law-figures", "nowhere")).status_code == 404


# From an official text


def test_a_text_that_has_other_figures_leads_to_the_form(manager: Client) -> None:
    day = days_from_now(20)
    regulation_texts.receive(
        OTHER_BOXES.encode(), rulebook="pt", title="Decreto 1/2027", in_force=day, by=HEAD
    )
    page = manager.get(address("law-text"))
    url = page.context["draft_url"]
    form = manager.get(url)
    (field,) = form.context["fields"]
    assert (field.name, field.value) == ("value.boxes.allowed", "[6, 8]")
    assert form.context["form"].initial["source"] == "Decreto 1/2027"
    assert form.context["form"].initial["since"] == day.isoformat()
    assert somebody("inspetor").get(address("law-text")).context["draft_url"] == ""


def test_law_text_prints_the_figures_that_can_be_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "decreto.txt"
    file.write_text(OTHER_BOXES, "utf-8")
    said = StringIO()
    with pytest.raises(SystemExit):
        call_command("law_text", str(file), "--rulebook", "pt", stdout=said)
    assert "figure of the text, to be asked for: boxes.allowed = [6, 8]" in said.getvalue()


def test_the_demo_has_one_that_waits_and_one_that_was_answered() -> None:
    ask_figures()
    ask_figures()
    keep(Kept())
    assert StaffRequest.objects.count() == 2
    (row,) = FigureSetting.objects.all()
    assert row.figures == ["bank.bust = loses"]
    law = load_law("pt")
    assert law.on(days_from_now(7))["bank.bust"] == "loses"
    assert law.on(days_from_now(30))[LIMIT] == 30, "the limit waits"
    register = somebody("inspetor").get(address("law-readings"))
    assert "Ofício de demonstração n.º 12" in flat(register)


def test_the_pages_speak_portuguese(manager: Client) -> None:
    words = {"law-readings": "Tal como vem no programa", "law-figures": "Que valor"}
    for name, said in words.items():
        assert said in flat(manager.get(address(name), headers={"accept-language": "pt"}))


def test_what_was_approved_for_a_later_day_and_would_never_hold_is_named(manager: Client) -> None:
    later = days_from_now(30)
    set_by_two(asked_for(since=later, limits__maximum_over_minimum="25"))
    (change,) = changes_of(asked_for(since=days_from_now(10), limits__maximum_over_minimum="28"))
    assert [day for _value, day in change.dropped] == [later]
    (change,) = changes_of(asked_for(since=days_from_now(40), limits__maximum_over_minimum="28"))
    assert not change.dropped
