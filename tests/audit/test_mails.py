"""Alerts by mail: who is told of what, once, in his language; and where it cannot leave."""

import re
from datetime import UTC, datetime, time, timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any, Final
from uuid import UUID

import pytest
from django.core import mail as outbox
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import EmailMessage

from audit import tasks
from audit.mailing import sending
from audit.mailing.digest import night_due
from audit.mailing.posting import make_mails
from audit.mailing.sending import send_due
from audit.models import Mail, MailedAlert, SentAlert, WatchLook
from audit.runs import house_checks
from audit.runs.current_findings import raise_once
from audit.runs.house_findings import house_finding
from audit.runs.numbering import number
from audit.watch.alerts import alerts
from casino import clock
from casino.events.staff import DutyBegun, DutyEnded, OfficeEnded
from casino.house_day import gaming_day_now
from casino.models import Account, BookEntry, MailAddress
from casino.recording import Actor
from casino.recording.writing import add_job
from tests.factories.events.draws import BARE
from tests.factories.findings import (
    DAY,
    OWNER,
    PEOPLE,
    RUN,
    a_run,
    client_of,
    finding,
    key_of,
    people,
    text_of,
    write,
)
from tests.factories.people import write as record

pytestmark = [pytest.mark.django_db, pytest.mark.share]
INSPECTOR: Final = PEOPLE["inspetor"]
CHEFIA: Final = PEOPLE["chefia_da_sala"]
CHEFE: Final = PEOPLE["fiscal_chefe"]
CHEFIA_ACTS: Final = Actor(CHEFIA, "chefia_da_sala", "admin")
MINUTE: Final = timedelta(minutes=1)
# Half past nine in Lisbon too, in winter.
MORNING: Final = datetime.combine(DAY + timedelta(days=1), time(9, 30), UTC)
APART: Final = timedelta(minutes=11)


@pytest.fixture(autouse=True)
def house(db: None, settings: Any) -> None:
    """Everybody has an address; no digest is due."""
    settings.HOUSE_URL = "https://livro.example"
    settings.HOUSE_ALERTS = {**settings.HOUSE_ALERTS, "digest": {}}
    people()
    for account in Account.objects.all():
        MailAddress.objects.create(account=account, address=f"{account.staff}@example.pt")


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Do what beat does a minute, so much later."""

    def pass_by(later: timedelta = timedelta(0)) -> list[str]:
        ahead = int(later.total_seconds())
        monkeypatch.setenv("CLOCK_OFFSET", str(ahead))
        before = len(outbox.outbox)
        make_mails(clock.now())
        send_due()
        return sorted(to for one in outbox.outbox[before:] for to in one.to)

    return pass_by


def a_breach(which: int = 1, **known: Any) -> None:
    """A finding, numbered as a case."""
    write([finding(which, gaming_day=gaming_day_now(), **known)])
    number(UUID(RUN), [key_of(which)])


def to(staff: str) -> EmailMessage:
    """The one mail he was sent."""
    (found,) = [one for one in outbox.outbox if one.to == [f"{staff}@example.pt"]]
    return found


def gone(when: datetime) -> OfficeEnded:
    """The inspector's office ended."""
    return OfficeEnded(staff=INSPECTOR, office="inspetor", ended_at=when, ended_by="S-0001")


def said(response: Any) -> str:
    """What a page says."""
    return text_of(response.content.decode())


def mailed(*staff: str) -> list[str]:
    return sorted(f"{each}@example.pt" for each in staff)


# -- Whom, and how often ---------------------------------------------------------------------------


def test_a_breach_is_mailed_to_those_who_oversee_and_once(at: Any) -> None:
    a_breach()
    assert at() == mailed(INSPECTOR, PEOPLE["auditor"])
    assert at(APART) == []
    a_breach(2)
    assert at(2 * APART) == mailed(INSPECTOR, PEOPLE["auditor"])


def test_what_is_no_breach_and_owes_little_is_mailed_to_nobody(at: Any) -> None:
    a_breach(1, severity="note", owed_cents=49_999)
    assert at() == []
    a_breach(2, severity="note", owed_cents=50_000)
    assert at() == mailed(INSPECTOR, PEOPLE["auditor"])


def test_two_workers_at_once_tell_nobody_twice(at: Any) -> None:
    a_breach()
    make_mails(clock.now())
    make_mails(clock.now())
    assert Mail.objects.count() == 2
    at()
    send_due()
    assert len(outbox.outbox) == SentAlert.objects.count() == 2


def test_what_comes_within_ten_minutes_waits_for_the_next_mail(at: Any, settings: Any) -> None:
    a_breach()
    at()
    a_breach(2)
    a_breach(3)
    assert at(settings.HOUSE_ALERTS_APART - MINUTE) == []
    at(APART)
    assert sum("2 alertas" in one.subject for one in outbox.outbox) == 2


def test_a_case_rises_with_the_minutes_and_the_rank(at: Any, settings: Any) -> None:
    settings.HOUSE_ALERTS = {"case": settings.HOUSE_ALERTS["case"], "digest": {}} | {
        topic: {} for topic in settings.HOUSE_ALERTS if topic != "case"
    }
    a_breach()
    a_breach(2, severity="deviation")
    assert at() == []  # the fiscal-chefe is not on duty
    record(DutyBegun(staff=CHEFE, office="fiscal_chefe", tables=()), by=CHEFIA_ACTS)
    assert at() == mailed(CHEFE)
    assert at(59 * MINUTE) == []
    assert at(61 * MINUTE) == mailed(CHEFIA)
    assert "processo CST-" in to(CHEFIA).body
    assert at(timedelta(hours=25)) == mailed(CHEFIA)  # now of the deviation too
    record(DutyEnded(staff=CHEFE, office="fiscal_chefe"), by=CHEFIA_ACTS)
    a_breach(3)
    assert CHEFE not in str(at(timedelta(hours=26)))


def test_an_office_that_ended_yesterday_gets_nothing(at: Any) -> None:
    ended = clock.now() - timedelta(days=1)
    write([gone(ended)], OWNER)
    a_breach()
    assert at() == mailed(PEOPLE["auditor"])


def test_an_office_that_ends_before_it_left_gets_nothing(at: Any) -> None:
    a_breach()
    make_mails(clock.now())
    now = clock.now()
    write([gone(now)], OWNER)
    MailAddress.objects.filter(account__staff=PEOPLE["auditor"]).delete()
    assert at(MINUTE) == []
    assert set(Mail.objects.values_list("trouble", flat=True)) == {
        "He has no address any more.",
        "He does not hold the office any more in which he was to be told.",
    }
    assert not SentAlert.objects.exists()


def test_who_may_not_log_in_or_gave_no_address_gets_nothing(at: Any) -> None:
    Account.objects.filter(staff=INSPECTOR).update(is_active=False)
    MailAddress.objects.filter(account__staff=PEOPLE["auditor"]).delete()
    a_breach()
    assert at() == []


@pytest.mark.parametrize(
    ("check", "where", "offices"),
    [
        (house_checks.SCHEMA_UNCHANGED, {"what": "x"}, ("inspetor", "auditor", "administrador")),
        (house_checks.SEALED_IN_TIME, {"step": "signer"}, ("inspetor", "auditor", "administrador")),
        (house_checks.DAY_RECONCILED, {"day": "x"}, ("inspetor", "auditor", "administrador")),
        (
            house_checks.COMPLAINT_ANSWERED,
            {"complaint": "RC-1"},
            ("chefia_da_sala", "inspetor", "auditor"),
        ),
    ],
)
def test_integrity_silent_jobs_and_late_duties_go_to_their_offices(
    at: Any, check: str, where: dict[str, object], offices: tuple[str, ...]
) -> None:
    raise_once(house_finding(check, gaming_day_now(), where, {"found": "no"}), clock.now())
    assert at() == mailed(*(PEOPLE[office] for office in offices))


def test_a_silent_watch_a_job_not_done_and_a_draw_not_revealed(
    at: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    WatchLook.objects.create(which="floor", at=clock.now() - settings.HOUSE_SILENT_AFTER)
    assert [one.check for one in alerts(clock.now() + MINUTE)] == ["watch_silent"]
    assert at(MINUTE) == mailed(INSPECTOR, PEOPLE["auditor"], PEOPLE["administrador"])
    add_job("demo-draw", "draw/1", {}, due_at=clock.now())
    late = clock.now() + settings.HOUSE_SILENT_AFTER
    assert "jobs_waiting" not in {one.check for one in alerts(late - MINUTE)}
    assert "jobs_waiting" in {one.check for one in alerts(late + MINUTE)}
    tasks.look_at_the_floor()
    assert alerts(clock.now() + MINUTE) == []
    record(BARE[0], by=Actor(INSPECTOR, "inspetor", "admin"))
    late = clock.now() + settings.HOUSE_DEADLINES["draw"]
    assert "draw_not_revealed" not in {one.check for one in alerts(late - 3 * MINUTE)}
    assert "draw_not_revealed" in {one.check for one in alerts(late + 3 * MINUTE)}
    MailedAlert.objects.all().delete()
    assert f"{INSPECTOR}@example.pt" in at(settings.HOUSE_DEADLINES["draw"] + APART)
    assert any("sorteio 1" in one.body for one in outbox.outbox)


# -- What it says ----------------------------------------------------------------------------------


def test_it_says_what_where_the_article_and_the_link_and_nobodys_name_nor_amount(at: Any) -> None:
    a_breach()
    at()
    sent = to(INSPECTOR)
    row = Mail.objects.get(account__staff=INSPECTOR)
    assert sent.subject == "Livro da Sala: 1 alerta"
    for known in ("n.º 21", "BJ-01"):
        assert known in sent.body
    assert re.search(r"https://livro\.example/admin/audit/finding/[0-9a-f-]+/change/", sent.body)
    for unsaid in ("J4", "€", "50,00"):
        assert unsaid not in sent.body
    assert sent.message()["Message-ID"] == f"<{row.id}@livro.example>"
    assert sent.message().get_content_type() == "text/plain"


def test_it_speaks_the_language_of_the_account_and_both_where_that_is_none(at: Any) -> None:
    Account.objects.filter(staff=INSPECTOR).update(language="en")
    Account.objects.filter(staff=PEOPLE["auditor"]).update(language="")
    a_breach()
    at()
    assert to(INSPECTOR).subject == "Livro da Sala: 1 alert"
    assert "Nobody reads answers" in to(INSPECTOR).body
    both = to(PEOPLE["auditor"])
    assert both.subject == "Livro da Sala: 1 alerta / Livro da Sala: 1 alert"
    assert both.body.index("Ninguém lê") < both.body.index("Nobody reads")


def test_a_mail_of_many_lists_the_gravest_and_says_how_many_more(at: Any) -> None:
    for which in range(1, 41):
        a_breach(which, table=f"BJ-{which:02d}")
    at()
    assert to(INSPECTOR).body.count("- Não cumprido") == 30
    assert "e mais 10" in to(INSPECTOR).body


def test_a_long_name_breaks_no_line_and_no_header(at: Any, settings: Any) -> None:
    settings.CASINO_NAME = "Casino\nBcc: everybody@example.pt " + "N" * 300
    a_breach(1, table="M" * 40)
    at()
    assert "M" * 40 in to(INSPECTOR).body
    subject = to(INSPECTOR).subject
    assert subject.startswith("Livro da Sala Casino Bcc: everybody@example.pt N")
    assert subject.endswith("N: 1 alerta")
    assert len(subject) < 120
    assert to(INSPECTOR).message()["Bcc"] is None


# -- That it left ----------------------------------------------------------------------------------


def test_that_it_left_stands_in_the_book_and_where_to_does_not(at: Any) -> None:
    a_breach()
    at()
    row = SentAlert.objects.get(recipient=INSPECTOR)
    assert (row.for_office, row.what, row.alerts, row.about) == (
        "inspetor",
        "alerts",
        1,
        [key_of(1)],
    )
    entries = BookEntry.objects.filter(kind="alert-sent/1").values_list("entry", flat=True)
    assert not any(b"example.pt" in bytes(entry) for entry in entries)


class Killed(BaseException):
    """The worker is gone at this very moment."""


def kill_in(patch: pytest.MonkeyPatch, what: str, once: list[str]) -> None:
    """The worker dies in this function the first time it is asked."""
    honest = getattr(sending, what)

    def dies(*args: Any, **known: Any) -> Any:
        if not once:
            once.append(what)
            raise Killed
        return honest(*args, **known)

    patch.setattr(sending, what, dies)


def test_a_worker_that_died_before_its_note_sends_the_same_message_and_one_entry(
    at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    MailAddress.objects.exclude(account__staff=INSPECTOR).delete()
    a_breach()
    make_mails(clock.now())
    with monkeypatch.context() as patch:
        patch.setattr(Mail, "save", lambda *_args, **_known: (_ for _ in ()).throw(Killed))
        with pytest.raises(Killed):
            send_due()
    assert at() == mailed(INSPECTOR)
    first, second = outbox.outbox
    assert first.message()["Message-ID"] == second.message()["Message-ID"]
    assert SentAlert.objects.count() == 1


def test_a_worker_that_died_before_the_entry_sends_nothing_anew(
    at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    MailAddress.objects.exclude(account__staff=INSPECTOR).delete()
    a_breach()
    kill_in(monkeypatch, "record", [])
    with pytest.raises(Killed):
        at()
    assert not SentAlert.objects.exists()
    assert at() == []
    assert (len(outbox.outbox), SentAlert.objects.count()) == (1, 1)


@pytest.fixture
def trouble(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The server's answer to each mail."""

    def answer(error: Exception) -> None:
        def send(_mail: EmailMessage, **_how: object) -> int:
            raise error

        monkeypatch.setattr(EmailMessage, "send", send)

    return answer


@pytest.mark.parametrize(
    "away",
    [
        ConnectionRefusedError(111, "Connection refused"),
        ImproperlyConfigured("Connection refused: no folder for mails"),
    ],
)
def test_where_the_server_is_away_it_is_tried_again_later_and_later_then_given_up(
    at: Any, trouble: Any, away: Exception
) -> None:
    a_breach()
    trouble(away)
    at()
    first, *others = Mail.objects.order_by("-tries")
    assert (first.tries, first.next_at) > (0, clock.now() + MINUTE)
    assert [one.tries for one in others] == [0]  # the server is asked once
    assert "Connection refused" in first.trouble
    kept = set(Mail.objects.values_list("pk", flat=True))
    for _each in kept:
        at(timedelta(hours=25))
    rows = Mail.objects.filter(pk__in=kept)
    assert set(rows.values_list("next_at", flat=True)) == {None}
    assert not SentAlert.objects.exists()
    assert "mail_not_delivered" in {one.check for one in alerts(clock.now())}
    page = said(client_of("auditor", "en").get("/audit/alerts/"))
    assert "given up" in page
    assert "Connection refused" in page


def test_an_address_the_server_refuses_stops_no_other_and_stands_in_no_note(
    at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = f"{INSPECTOR}@example.pt"
    honest = EmailMessage.send

    def send(self: EmailMessage, **how: Any) -> int:
        if self.to == [refused]:
            raise SMTPRecipientsRefused({refused: (550, b"No such user " + refused.encode())})
        return honest(self, **how)

    monkeypatch.setattr(EmailMessage, "send", send)
    a_breach()
    assert at() == mailed(PEOPLE["auditor"])
    assert refused not in Mail.objects.get(account__staff=INSPECTOR).trouble


def test_a_line_break_in_an_address_sends_nothing(at: Any) -> None:
    bad = "a@example.pt\nBcc: everybody@example.pt"
    MailAddress.objects.filter(account__staff=INSPECTOR).update(address=bad)
    a_breach()
    assert at() == mailed(PEOPLE["auditor"])
    assert "BadHeaderError" in Mail.objects.get(account__staff=INSPECTOR).trouble


# -- The digest ------------------------------------------------------------------------------------


def test_the_digest_is_due_at_its_time_and_waits_an_hour_for_the_night(settings: Any) -> None:
    settings.HOUSE_DIGEST_AT = "09:30"
    morning = MORNING
    assert night_due(morning - MINUTE) == DAY - timedelta(days=1)
    assert night_due(morning) is None
    assert night_due(morning + 60 * MINUTE) == DAY


def test_a_night_that_is_reconciled_waits_for_nothing() -> None:
    a_run(DAY)
    assert night_due(MORNING) == DAY


def test_the_digest_comes_every_morning_once_with_nothing_new_too(at: Any, settings: Any) -> None:
    settings.HOUSE_ALERTS = {topic: {} for topic in settings.HOUSE_ALERTS} | {
        "digest": {"inspetor": "always"}
    }
    settings.HOUSE_DIGEST_AT = "00:00"
    assert at(timedelta(hours=1)) == mailed(INSPECTOR)
    assert at(timedelta(hours=2)) == []
    assert at(timedelta(hours=25)) == mailed(INSPECTOR)
    sent = outbox.outbox[-1]
    assert sent.subject.startswith("Livro da Sala: a noite de ")
    assert len(re.findall(r"^- ", sent.body, re.MULTILINE)) == 11
    assert "Nada de novo" in sent.body
    assert "Constatações: nenhuma." in sent.body
    assert re.search(r"https://livro\.example/audit/night/\d{4}-\d\d-\d\d/", sent.body)
    assert SentAlert.objects.filter(what="digest").count() == 2


# -- The page --------------------------------------------------------------------------------------


def test_each_reads_his_own_word_for_word_and_has_then_read_it(at: Any) -> None:
    a_breach()
    at()
    mine, his = (
        Mail.objects.get(account__staff=PEOPLE[office]) for office in ("inspetor", "auditor")
    )
    inspector = client_of("inspetor")
    assert "1 mensagem de alerta por ler" in said(inspector.get("/admin/"))
    page = inspector.get("/audit/alerts/")
    assert page.status_code == 200
    assert [mail.id for mail, _state in page.context["mails"]] == [mine.id]
    assert "Não cumprido" in said(page)
    assert "por ler" not in said(inspector.get("/admin/"))
    his.refresh_from_db()
    assert his.read_at is None


def test_an_address_is_set_with_the_password_and_is_one_persons() -> None:
    for office in ("inspetor", "auditor"):
        account = Account.objects.get(staff=PEOPLE[office])
        account.set_password("correct horse battery")
        account.save()
    inspector, auditor = client_of("inspetor", "en"), client_of("auditor", "en")
    right = {"password": "correct horse battery", "address": "New@Example.pt"}
    wrong = inspector.post("/audit/alerts/", right | {"password": "another one, wrong"})
    assert (wrong.status_code, "not your password" in said(wrong)) == (400, True)
    assert inspector.post("/audit/alerts/", right).status_code == 302
    assert MailAddress.objects.get(account__staff=INSPECTOR).address == "New@Example.pt"
    taken = auditor.post("/audit/alerts/", right | {"address": "new@example.PT"})
    assert (taken.status_code, "another account" in said(taken)) == (400, True)
    longest = f"{'x' * 64}@{'y' * 60}.{'z' * 60}.{'w' * 60}.{'v' * 20}.pt"  # of a server, not kept
    assert inspector.post("/audit/alerts/", right | {"address": longest}).status_code == 400
    newline = inspector.post("/audit/alerts/", right | {"address": "a@example.pt\nBcc: b@c.pt"})
    assert newline.status_code == 400
    assert inspector.post("/audit/alerts/", right | {"address": ""}).status_code == 302
    assert not MailAddress.objects.filter(account__staff=INSPECTOR).exists()
