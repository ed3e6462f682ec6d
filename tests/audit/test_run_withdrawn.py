"""What a run under another rulebook wrote into the book before 0.7: two persons take it back."""

from collections.abc import Iterable
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils.translation import ngettext, override

from audit import audit_queries
from audit.events import ReconciliationStarted
from audit.models import Finding, FindingSupersession, Reconciliation, ReconciliationResult
from audit.runs.current_findings import standing
from audit.verifying.walking import verify
from casino import clock
from casino.events.corrections import WithdrawalAsked
from casino.events.event import EntryRef
from casino.models import BookEntry, Correction, Supersession
from casino.recording import Actor, Source, record
from casino.recording.authority import deciders_in, withdrawers_of
from casino.recording.refusals import NeverWithdrawn, NotAllowed, Refused, WithdrawnAlready
from casino.web.entries.entry_page import url_of
from tests.audit.reconciling import reconcile, wrote_findings
from tests.casino.permission_matrix import matrix
from tests.factories.evenings import an_evening, partida_of
from tests.factories.people import CAST, somebody
from tests.factories.withdrawals import withdraw
from tests.jobs_inline import do_jobs

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
AMOUNT = "nearer_to_twenty_one_wins"
MANAGER = Actor(CAST["chefia_da_sala"], "chefia_da_sala", "admin")
AUDITOR = Actor(CAST["auditor"], "auditor", "admin")


def began(result: ReconciliationResult) -> BookEntry:
    """The record that a run began, which is what is withdrawn."""
    run = Reconciliation.objects.get(run=result.run)
    return BookEntry.objects.select_related("stream").get(pk=run.entry_id)


def ref(entry: BookEntry) -> EntryRef:
    return EntryRef(stream=entry.stream.name, n=entry.n, leaf=bytes(entry.leaf_hash).hex())


def ask(result: ReconciliationResult, by: Actor = AUDITOR) -> None:
    entry = began(result)
    event = WithdrawalAsked(
        table=entry.table_code or None,
        partida=entry.partida_id or None,
        entry=ref(entry),
        act=entry.kind,
        reason="other_law",
    )
    record(event, key=uuid4(), by=by, occurred_at=clock.now(), source=Source())


def send(client: Client, url: str, **values: str) -> Any:
    """Fill in what a page asks for, and send it."""
    form = client.get(url).context["form"]
    hidden = {name: str(form[name].value()) for name in form.fields if name in ("key", "at")}
    return client.post(url, hidden | values)


def decide(client: Client, decision: str) -> Any:
    url = reverse("admin:casino_supersession_change", args=[Supersession.objects.get().pk])
    return send(client, url, decision=decision, reason="checked")


def keys(rows: Iterable[Any]) -> set[str]:
    return {row.key for row in rows}


def test_two_persons_withdraw_a_run_and_nothing_of_what_it_wrote_counts() -> None:
    an_evening(rounds=3, wrong=[2])
    reconcile("own")
    before = keys(standing())
    older = wrote_findings("es", partida_of(), sets_aside=AMOUNT)
    assert keys(standing()) != before
    assert standing().filter(rulebook="es").exists()
    assert not standing().filter(rulebook="pt", check_name=AMOUNT).exists()
    auditor, manager = somebody("auditor"), somebody("chefia_da_sala")
    page = auditor.get(reverse("run", args=[older.run])).content.decode()
    way = reverse("admin:casino_bookentry_withdraw", args=[began(older).pk])
    assert way in page
    assert "a second person has approved" in auditor.get(way).content.decode()
    assert send(auditor, way, reason="other_law").status_code == 302
    do_jobs()
    assert keys(standing()) != before  # nobody has approved yet
    assert decide(auditor, "approved").status_code == 403 or not Correction.objects.exists()
    assert decide(manager, "approved").status_code == 302
    do_jobs()
    assert keys(standing()) == before
    assert not standing().filter(run=older.run).exists()
    of_it = Finding.objects.filter(run=older.run, rulebook="es")
    assert {audit_queries.state_of(one) for one in of_it} == {"run_withdrawn"}
    assert set(audit_queries.superseded_for(of_it, "run_withdrawn")) == set(of_it)
    (again,) = standing().filter(rulebook="pt", check_name=AMOUNT)
    assert again.run not in (older.run, None)
    page = auditor.get(reverse("admin:audit_finding_change", args=[of_it[0].pk])).content.decode()
    assert "of no effect: the run was withdrawn" in page.casefold()
    assert f"asked for by {AUDITOR.staff}" in page
    assert f"approved by {MANAGER.staff}" in page
    page = auditor.get(reverse("run", args=[older.run])).content.decode()
    assert "Withdrawn, what the run found does not hold" in page
    assert "<s>" in page
    assert way not in page
    listed = auditor.get(reverse("admin:audit_reconciliation_changelist")).content.decode()
    assert "withdrawn" in listed
    result = reconcile("and again")
    assert (result.raised, result.superseded) == (0, 0)
    assert not {each.code for each in verify(projections=False, looks=False).report.problems} & {
        "run-changes",
        "finding-of-no-run",
        "run-not-ended",
        "evidence-moved",
        "evidence-gone",
    }


def test_refused_it_counts_as_before() -> None:
    an_evening(rounds=2, wrong=[1])
    reconcile("own")
    older = wrote_findings("es", partida_of())
    before = keys(standing())
    ask(older)
    assert decide(somebody("chefia_da_sala"), "refused").status_code == 302
    do_jobs()
    assert keys(standing()) == before
    with pytest.raises(Refused):
        ask(older, by=Actor(CAST["fiscal_chefe"], "fiscal_chefe", "admin"))
    ask(older, by=MANAGER)  # what was refused can be asked again


def test_what_the_run_was_right_about_stands_in_the_name_of_the_one_that_follows() -> None:
    """A run under the games' own rulebook, asked for by name: nothing it found is lost."""
    an_evening(rounds=3, wrong=[2])
    older = wrote_findings("pt", partida_of())
    before = keys(standing())
    withdraw_run(older)
    do_jobs()
    assert keys(standing()) == before
    assert not standing().filter(run=older.run).exists()
    assert FindingSupersession.objects.filter(reason="run_withdrawn").count() == len(before)


def withdraw_run(result: ReconciliationResult) -> None:
    ask(result)
    assert decide(somebody("chefia_da_sala"), "approved").status_code == 302


def test_a_game_done_in_pieces_takes_back_as_well(settings: Any) -> None:
    an_evening(rounds=6, wrong=[2, 5])
    reconcile("own")
    before = keys(standing())
    older = wrote_findings("es", partida_of(), sets_aside=AMOUNT)
    settings.ROUNDS_IN_PART = 2
    withdraw_run(older)
    do_jobs()
    assert keys(standing()) == before
    assert not standing().filter(run=older.run).exists()


def test_a_run_under_the_games_own_rulebooks_is_not_withdrawn() -> None:
    an_evening(rounds=2, wrong=[1])
    own = reconcile("own")
    with pytest.raises(NeverWithdrawn, match="reconcile again"):
        ask(own)
    page = somebody("auditor").get(reverse("run", args=[own.run])).content.decode()
    assert "/withdraw/" not in page


@pytest.mark.parametrize("office", sorted(CAST.keys() - {*matrix()["withdraw_run"]}))
def test_others_neither_ask_nor_decide(office: str) -> None:
    an_evening(rounds=2, wrong=[1])
    older = wrote_findings("es", partida_of())
    client, by = somebody(office), Actor(CAST[office], office, "admin")
    way = reverse("admin:casino_bookentry_withdraw", args=[began(older).pk])
    assert client.get(way).status_code == 403
    with pytest.raises(NotAllowed):
        ask(older, by=by)
    ask(older)
    url = reverse("admin:casino_supersession_change", args=[Supersession.objects.get().pk])
    assert client.post(url, {"decision": "approved", "reason": "checked"}).status_code == 403
    assert not Correction.objects.exists()
    with pytest.raises(WithdrawnAlready):
        ask(older, by=MANAGER)


def test_who_asks_and_decides_is_as_the_matrix_has_it() -> None:
    allowed = {*matrix()["withdraw_run"]}
    assert withdrawers_of(ReconciliationStarted.kind) == deciders_in("reconciler") == allowed


def test_it_waits_on_the_list_of_who_may_decide() -> None:
    an_evening(rounds=2, wrong=[1])
    ask(wrote_findings("es", partida_of()))
    page = somebody("chefia_da_sala").get(reverse("sala:todo")).content.decode()
    assert "Withdrawal of a run: to approve or refuse" in page
    page = somebody("fiscal_chefe").get(reverse("sala:todo")).content.decode()
    assert "Withdrawal of a run" not in page


def test_a_withdrawal_of_a_floors_record_is_decided_by_the_floor_alone() -> None:
    receipts = an_evening(rounds=2)
    with pytest.raises(NotAllowed):
        withdraw(receipts[1], word=AUDITOR)


def test_its_entries_page_says_what_became_of_it() -> None:
    an_evening(rounds=2, wrong=[1])
    older = wrote_findings("es", partida_of())
    withdraw_run(older)
    page = somebody("auditor").get(url_of("reconciliation-started/1", began(older).pk))
    assert page.context["struck"]
    assert "Withdrawn, what the run found does not hold" in page.content.decode()


def typed(*words: str) -> str:
    """What the command says."""
    said = StringIO()
    call_command("withdraw_run", *words, "--language", "en", stdout=said)
    return said.getvalue()


def test_the_command_lists_such_runs_and_asks_for_none() -> None:
    an_evening(rounds=2, wrong=[1])
    reconcile("own")
    assert typed() == "No such run wrote findings.\n"
    older = wrote_findings("es", partida_of())
    stands = standing().filter(run=older.run).count()
    assert typed() == (
        f"/reconciliations/{older.run}/  Reconciliation of {partida_of()}: comparison"
        f" under Black Jack in Spain: {stands} findings stand\n"
    )


def test_one_finding_is_told_in_the_singular() -> None:
    one, more = (
        "{page}  {scope}: {number} finding stands",
        "{page}  {scope}: {number} findings stand",
    )
    with override("pt-pt"):
        assert ngettext(one, more, 1).endswith("{number} constatação em vigor")
        assert ngettext(one, more, 2).endswith("{number} constatações em vigor")


def test_the_floor_has_no_page_that_withdraws_a_run() -> None:
    an_evening(rounds=2, wrong=[1])
    older = wrote_findings("es", partida_of())
    manager = somebody("chefia_da_sala")
    assert manager.get(reverse("sala:withdraw", args=[began(older).pk])).status_code == 404
    ask(older)
    url = reverse("sala:withdraw", args=[Supersession.objects.get().pk])
    assert manager.get(url).status_code == 404
    assert manager.post(url, {"word": "approved"}).status_code == 404
    assert not Correction.objects.exists()
