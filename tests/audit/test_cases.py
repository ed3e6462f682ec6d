"""A finding is worked: who writes which step, what it comes to, what is refused, who sees what."""

from dataclasses import replace
from datetime import timedelta
from typing import Any, Final
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from audit import case_events
from audit.case_events import (
    ExplanationAsked,
    ExplanationGiven,
    FindingAssigned,
    FindingDecided,
    FindingNoted,
    FindingReopened,
    FindingSettled,
    FootageMarked,
)
from audit.case_questions import AnotherCase, NoSuchCase, NothingOwed, NotWorked
from audit.case_state import (
    ANSWERED,
    ASKED,
    IN_PART,
    OPEN,
    REOPENED,
    SETTLED,
    UNFOUNDED,
    UPHELD,
    overdue,
    with_case,
)
from audit.models import CaseNote, CaseNumber, CaseStep, Finding
from audit.reports.report_entries import Asked
from audit.reports.report_reading import draft_of
from audit.runs.numbering import number
from casino import clock
from casino.events.event import CASES, NOTES
from casino.events.tables import TableRegistered
from casino.models import Account, BookEntry
from casino.recording import Actor, NotAllowed, Receipt, Refused
from casino.web.entries.entry_page import url_of
from casino.witnessing import set_pin
from tests.casino.admin_forms import filled
from tests.factories.findings import PEOPLE, RUN, client_of, finding, key_of, people, said, write
from tests.factories.people import write as record

pytestmark = [pytest.mark.django_db, pytest.mark.share]
MANAGER: Final = Actor(PEOPLE["chefia_da_sala"], "chefia_da_sala", "admin")
INSPECTOR: Final = Actor(PEOPLE["inspetor"], "inspetor", "admin")
AUDITOR: Final = Actor(PEOPLE["auditor"], "auditor", "admin")
PIN: Final = "482915"
YEAR: Final = clock.now().year
CASE: Final = case_events.case_code(YEAR, 1)
OF_IT: Final = {"case": CASE, "finding": key_of(1), "table": "BJ-01"}
STEPS: Final = (
    *(FindingAssigned, ExplanationAsked, ExplanationGiven, FindingNoted, FootageMarked),
    *(FindingDecided, FindingSettled, FindingReopened),
)
# Who takes which step, typed from the matrix.
WRITES: Final = {
    "fiscal_de_banca": set(),
    "fiscal_chefe": set(),
    "chefia_da_sala": {FindingAssigned, ExplanationGiven, FootageMarked, FindingSettled},
    "inspetor": {ExplanationAsked, FindingNoted, FootageMarked, FindingDecided, FindingReopened},
    "auditor": {FindingAssigned, ExplanationAsked, FootageMarked, FindingReopened},
    "administrador": set(),
}
ASKS: Final = ExplanationAsked(**OF_IT, question="Porquê?")
EXPLAINS: Final = ExplanationGiven(**OF_IT, answer="O pagador contou mal.")
UPHOLDS: Final = FindingDecided(**OF_IT, decision="upheld", reason="record_shows_it")
PAYS: Final = FindingSettled(
    **OF_IT, paid_cents=1000, paid_to="player", owner="J4", means="cash", document="Recibo 7"
)
REOPENS: Final = FindingReopened(**OF_IT, reason="new_evidence")


@pytest.fixture(autouse=True)
def cases(db: None) -> None:
    """Three findings of one cause at one table, one elsewhere, one that owes nothing; numbered."""
    people()
    write([finding(1), finding(2), finding(3), finding(4, table="BJ-02")])
    write([finding(5, owed_cents=0, owed_to=None)])
    number(UUID(RUN), [key_of(each) for each in range(1, 6)])


def state(of: int = 1) -> Any:
    """A finding with how its case stands."""
    return with_case(Finding.objects.filter(key=key_of(of))).get()


def page(of: int = 1) -> str:
    """The address of a finding's page."""
    return reverse("admin:audit_finding_change", args=[Finding.objects.get(key=key_of(of)).pk])


def form(kind: type[Any], of: int = 1) -> str:
    """The address of the form of a step."""
    name = "casenote" if kind is FindingNoted else "casestep"
    asked = f"?kind={kind.kind.split('/')[0]}&of={Finding.objects.get(key=key_of(of)).pk}"
    return reverse(f"admin:audit_{name}_add") + asked


def confirm(receipt: Receipt, who: str = "fiscal_chefe") -> Any:
    """A second person puts his code on the page of the one who recorded."""
    account = Account.objects.get(staff=PEOPLE[who])
    set_pin(account, PIN)
    client = client_of("chefia_da_sala")
    url = reverse("admin:casino_witness", args=[receipt.entry_id])
    token = client.get(url).context["form"].initial["token"]
    sent = {"staff": account.staff, "secret": PIN, "token": token, "over": account.staff}
    return client.post(url, sent)


def test_from_the_number_to_the_settlement() -> None:
    assert (state().case, state().case_state) == (CASE, OPEN)
    record(FindingAssigned(**OF_IT, responsible="S-0003"), by=AUDITOR)
    assert (state().case_state, state().responsible) == (OPEN, "S-0003")
    record(ASKS, by=INSPECTOR)
    assert state().case_state == ASKED
    record(EXPLAINS, by=MANAGER)
    assert state().case_state == ANSWERED
    assert state().case_due is None  # the inspection service has no time set by the house
    record(UPHOLDS, by=INSPECTOR)
    assert state().case_state == UPHELD
    receipt = record(PAYS, by=MANAGER)
    assert state().case_state == UPHELD  # nobody has confirmed it
    assert confirm(receipt).status_code == 302
    assert (state().case_state, state().case_paid) == (SETTLED, 1000)
    record(REOPENS, by=INSPECTOR)
    assert state().case_state == REOPENED
    assert state(2).case_state == OPEN  # another case


def test_a_report_lists_findings_by_number_and_as_their_cases_stand() -> None:
    record(ASKS, by=INSPECTOR)
    day = Finding.objects.get(key=key_of(1)).gaming_day
    with translation.override("en"):
        sections = draft_of(Asked("owed", day, day), "inspetor").sections
    rows = next(one for one in sections if one["heading"] == "Findings that owe something")["rows"]
    texts = [[cell["text"] for cell in row["cells"]] for row in rows]
    states = {row[3].partition(":")[0]: row[-1] for row in texts}
    assert states[CASE] == "Explanation asked for"
    assert states[case_events.case_code(YEAR, 2)] == "Unresolved"


def test_a_finding_is_found_to_be_unfounded() -> None:
    record(FindingDecided(**OF_IT, decision="unfounded", reason="explanation_holds"), by=INSPECTOR)
    assert (state().case_state, state().case_due) == (UNFOUNDED, None)


@pytest.mark.parametrize(("cents", "comes_to"), [(999, IN_PART), (1000, SETTLED), (1001, SETTLED)])
def test_it_is_settled_once_all_that_is_owed_was_paid(cents: int, comes_to: str) -> None:
    values = {**OF_IT, "paid_to": "player", "owner": "J4", "means": "cash", "document": "R"}
    confirm(record(FindingSettled(**values, paid_cents=cents), by=MANAGER))
    assert state().case_state == comes_to


def test_the_decision_says_how_much_where_it_says_so() -> None:
    decided = FindingDecided(**OF_IT, decision="upheld", reason="record_shows_it", owed_cents=2500)
    record(decided, by=INSPECTOR)
    confirm(record(PAYS, by=MANAGER))
    assert (state().case_state, state().case_owed) == (IN_PART, 2500)


def test_while_a_settlement_waits_for_a_second_person_no_other_is_offered() -> None:
    client = client_of("chefia_da_sala")
    assert form(FindingSettled) in {act.url for act in client.get(page()).context["acts"]}
    record(replace(PAYS, paid_cents=400), by=MANAGER)
    assert form(FindingSettled) not in {act.url for act in client.get(page()).context["acts"]}
    record(FindingAssigned(**OF_IT, responsible="S-0003"), by=MANAGER)  # nobody confirmed it
    assert form(FindingSettled) in {act.url for act in client.get(page()).context["acts"]}


def test_whoever_recorded_a_settlement_is_no_second_person() -> None:
    receipt = record(PAYS, by=MANAGER)
    assert confirm(receipt, "chefia_da_sala").status_code == 200
    assert state().case_paid == 0


# -- Who writes what ------------------------------------------------------------------------------


@pytest.mark.parametrize("office", WRITES)
def test_each_office_writes_its_own_steps_and_no_other(office: str) -> None:
    record(EXPLAINS, by=MANAGER)
    by = Actor(PEOPLE[office], office, "admin")
    written = {FindingNoted: FindingNoted(**OF_IT, note="."), FindingSettled: PAYS}
    written |= {type(each): each for each in (ASKS, EXPLAINS, UPHOLDS, REOPENS)}
    written[FindingAssigned] = FindingAssigned(**OF_IT, responsible="S-0003")
    now = clock.now()
    written[FootageMarked] = FootageMarked(
        **OF_IT, camera="C-1", recorded_from=now, recorded_until=now
    )
    for kind in STEPS:
        before = BookEntry.objects.filter(stream__name__in=(CASES, NOTES)).count()
        if kind in WRITES[office]:
            record(written[kind], by=by)
        else:
            with pytest.raises(NotAllowed):
                record(written[kind], by=by)
        after = BookEntry.objects.filter(stream__name__in=(CASES, NOTES)).count()
        assert after == before + (kind in WRITES[office]), kind


@pytest.mark.parametrize("office", [*WRITES])
def test_each_office_is_offered_its_own_steps_and_no_other(office: str) -> None:
    record(EXPLAINS, by=MANAGER)
    client = client_of(office)
    shown = client.get(page())
    if office in ("fiscal_de_banca", "administrador"):
        assert shown.status_code in (403, 404, 302)
        return
    urls = {act.url for act in shown.context["acts"]}
    # What makes no sense as the case stands is offered to nobody: it is explained already.
    offered = {kind for kind in STEPS if form(kind) in urls}
    assert offered == WRITES[office] - {ExplanationGiven}
    for kind in STEPS:
        assert client.get(form(kind)).status_code == (200 if kind in WRITES[office] else 403)


# -- What is refused, and nothing stored ----------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "by", "why"),
    [
        (
            ExplanationAsked(**{**OF_IT, "case": "CST-1999-000001"}, question="?"),
            AUDITOR,
            NoSuchCase,
        ),
        (ExplanationAsked(**{**OF_IT, "finding": key_of(2)}, question="?"), AUDITOR, AnotherCase),
        (ExplanationAsked(**{**OF_IT, "table": "BJ-02"}, question="?"), AUDITOR, AnotherCase),
        (REOPENS, AUDITOR, NotWorked),
    ],
)
def test_what_cannot_have_been_is_refused(step: Any, by: Actor, why: type[Refused]) -> None:
    with pytest.raises(why):
        record(step, by=by)
    assert not CaseStep.objects.exists()


def test_what_nobody_owes_is_not_settled() -> None:
    values = {**OF_IT, "finding": key_of(5), "case": case_events.case_code(YEAR, 5)}
    paid = FindingSettled(**values, paid_cents=1, paid_to="house", means="cash", document="R")
    with pytest.raises(NothingOwed):
        record(paid, by=MANAGER)
    decided = FindingDecided(**values, decision="upheld", reason="other", owed_cents=1)
    record(decided, by=INSPECTOR)
    record(paid, by=MANAGER)  # once the inspection service says that something is


# -- The inspector's notes ------------------------------------------------------------------------


@pytest.mark.parametrize("office", WRITES)
def test_a_note_is_shown_to_inspectors_alone(office: str) -> None:
    receipt = record(FindingNoted(**OF_IT, note="Ver a câmara 12."), by=INSPECTOR)
    record(ASKS, by=AUDITOR)
    client, seen = client_of(office), office == "inspetor"
    url = url_of(FindingNoted.kind, receipt.entry_id)
    assert client.get(url).status_code == (200 if seen else 403)
    assert client.get(reverse("admin:audit_casenote_changelist")).status_code == (
        200 if seen else 403
    )
    for address in (page(), reverse("admin:casino_bookentry_changelist")):
        shown = client.get(address)
        if shown.status_code == 200:
            assert (str(receipt.entry_id) in shown.content.decode()) is seen, address
    shown = client.get(page())
    if shown.status_code == 200:
        assert ("Ver a câmara 12." in shown.content.decode()) is seen


def test_a_note_leaves_no_gap_among_the_steps() -> None:
    record(ASKS, by=AUDITOR)
    record(FindingNoted(**OF_IT, note="."), by=INSPECTOR)
    record(EXPLAINS, by=MANAGER)
    assert list(CaseStep.objects.order_by("n").values_list("n", flat=True)) == [1, 2]
    assert CaseNote.objects.get().stream == NOTES


# -- Deadlines ------------------------------------------------------------------------------------


def test_a_breach_waits_for_as_long_as_the_house_allows(settings: Any) -> None:
    due = state().case_due
    assert due == numbered_at(key_of(1)) + settings.HOUSE_CASES["breach"]
    mine = with_case(Finding.objects.filter(key=key_of(1)))
    assert not overdue(mine, due).exists()
    assert overdue(mine, due + timedelta(microseconds=1)).exists()


def test_an_answer_that_was_asked_for_waits_until_then() -> None:
    until = clock.now() + timedelta(hours=3)
    record(ExplanationAsked(**OF_IT, question="?", answer_by=until), by=INSPECTOR)
    assert state().case_due == until


def test_what_is_owed_by_a_decision_is_paid_in_time(settings: Any) -> None:
    receipt = record(UPHOLDS, by=INSPECTOR)
    assert state().case_due == receipt.recorded_at + settings.HOUSE_CASES["paid"]


def numbered_at(key: str) -> Any:
    """When a finding was given its number."""
    return CaseNumber.objects.get(finding=key).recorded_at


# -- Forms and lists ------------------------------------------------------------------------------


def sent(event: Any) -> dict[str, str]:
    """A form's fields without those the page says itself."""
    fields = filled(event, occurred_at=clock.now().strftime("%Y-%m-%dT%H:%M:%S"))
    return {name: value for name, value in fields.items() if name not in OF_IT | {"partida": ""}}


def test_a_step_is_one_click_and_a_form_from_the_finding() -> None:
    client = client_of("inspetor")
    shown = client.get(form(ExplanationAsked))
    assert CASE in shown.content.decode()
    assert 'name="finding"' not in shown.content.decode()
    answer = client.post(form(ExplanationAsked), sent(ASKS))
    assert (answer.status_code, answer["Location"]) == (302, page())
    assert "Porquê?" in said(client, page())
    assert state().case_state == ASKED


def test_the_same_is_asked_of_other_findings_of_the_cause_at_once() -> None:
    client = client_of("inspetor")
    offered = client.get(form(ExplanationAsked)).context["same_cause"]
    assert [one["case"][-1] for one in offered] == ["5", "3", "2", "4"]  # of its table first
    others = [str(Finding.objects.get(key=key_of(each)).pk) for each in (2, 4)]
    assert client.post(form(ExplanationAsked), sent(ASKS) | {"also": others}).status_code == 302
    assert [state(each).case_state for each in (1, 2, 3, 4)] == [ASKED, ASKED, OPEN, ASKED]
    assert CaseStep.objects.count() == 3


def test_a_form_that_is_sent_twice_records_once() -> None:
    client, key = client_of("inspetor"), str(uuid4())
    others = [str(Finding.objects.get(key=key_of(2)).pk)]
    for _ in range(2):
        client.post(form(ExplanationAsked), sent(ASKS) | {"also": others, "key": key})
    assert CaseStep.objects.count() == 2


@pytest.mark.parametrize("asked", ["not-a-uuid", "52a8ad9f-8a4e-4e9a-a411-43b35c805a3a", ""])
def test_a_form_of_no_finding_asks_for_its_number(asked: str) -> None:
    url = f"{reverse('admin:audit_casestep_add')}?kind=explanation-asked&of={asked}"
    shown = client_of("inspetor").get(url)
    assert shown.status_code == 200
    assert 'name="case"' in shown.content.decode()


@pytest.mark.parametrize("asked", [CASE, CASE.lower(), "1"])
def test_a_finding_is_found_by_the_number_of_its_case(asked: str) -> None:
    client: Client = client_of("inspetor")
    shown = client.get(f"/admin/audit/finding/?q={asked}")
    assert key_of(1) in {row.key for row in shown.context["cl"].result_list}
    assert CASE in shown.content.decode()


def test_the_number_is_the_last_column_of_the_file() -> None:
    answer = client_of("auditor").get("/admin/audit/finding/csv/?q=" + CASE)
    head, row = b"".join(answer.streaming_content).decode().splitlines()
    assert head.split(",")[-1] == "case"
    assert row.split(",")[-1] == CASE


def listed(query: str, office: str = "auditor") -> set[int]:
    """The findings of the list under a filter."""
    shown = client_of(office).get(f"/admin/audit/finding/?{query}")
    assert shown.status_code == 200
    return {int(row.key, 16) for row in shown.context["cl"].result_list}


def test_the_list_is_narrowed_by_how_cases_stand() -> None:
    until = clock.now() + timedelta(hours=1)
    record(FindingAssigned(**OF_IT, responsible="S-0003", answer_by=until), by=AUDITOR)
    record(ASKS, by=INSPECTOR)
    assert listed("case_state=asked") == {1}
    assert listed("case_state=open") == {2, 3, 4, 5}
    assert listed("case_state=nonsense") == set()
    assert listed("responsible=s-0003") == {1}
    assert listed("responsible=s-0003&case_state=open") == set()
    assert listed("overdue=yes") == set()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLOCK_OFFSET", "3660")
        assert listed("overdue=yes") == {1}


def test_who_reads_his_own_games_alone_is_not_asked_about_cases() -> None:
    shown = client_of("fiscal_de_banca").get("/admin/audit/finding/")
    assert "case_state" not in shown.content.decode()
    assert "case_state" in client_of("auditor").get("/admin/audit/finding/").content.decode()


def test_what_was_paid_counts_as_settled_among_the_sums_owed() -> None:
    values = {**OF_IT, "paid_to": "player", "owner": "J4", "means": "cash", "document": "R"}
    confirm(record(FindingSettled(**values, paid_cents=400), by=MANAGER))
    record(FindingSettled(**values, paid_cents=100), by=MANAGER)  # nobody has confirmed it
    day = Finding.objects.get(key=key_of(1)).gaming_day.isoformat()
    shown = client_of("auditor").get(f"/audit/owed/?from={day}&to={day}").context
    assert [flat(shown[name]) for name in ("players", "paid", "left")] == [
        "40,00 €",
        "4,00 €",
        "36,00 €",
    ]
    answer = client_of("auditor").get(f"/audit/owed/csv/?from={day}&to={day}")
    head, *rows = b"".join(answer.streaming_content).decode().splitlines()
    assert head.split(",")[-3:] == ["owed_cents", "settled_cents", "left_cents"]
    of_table = next(row for row in rows if row.startswith("table,BJ-01"))
    assert of_table.split(",")[-3:] == ["3000", "400", "2600"]


def flat(amount: str) -> str:
    return str(amount).replace("\N{NO-BREAK SPACE}", " ")


def test_an_inspector_is_offered_no_act_that_is_not_his() -> None:
    receipt = record(PAYS, by=MANAGER)
    url = url_of(FindingSettled.kind, receipt.entry_id)
    witness = reverse("admin:casino_witness", args=[receipt.entry_id])
    for office, offered in (("inspetor", False), ("auditor", False), ("fiscal_chefe", True)):
        for address in (url, page()):
            assert (witness in client_of(office).get(address).content.decode()) is offered, address
    code = reverse("admin:casino_witness_code")
    assert code not in client_of("inspetor").get(page()).content.decode()


def test_a_finding_at_a_table_nobody_registered_is_worked_too() -> None:
    record(TableRegistered(table="BJ-09", boxes=7))
    assert client_of("inspetor").post(form(ExplanationAsked), sent(ASKS)).status_code == 302
    assert state().case_state == ASKED
