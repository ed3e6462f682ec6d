"""A reconciliation on its page: under way, ended, given up."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.test import Client

from audit import audit_queries
from audit.models import RunPart, RunSheet
from tests.audit.reconciling import reconcile
from tests.factories.evenings import an_evening
from tests.factories.findings import (
    DAY,
    RUN,
    a_run,
    a_sheet,
    client_of,
    finding,
    people,
    said,
    write,
)

pytestmark = [pytest.mark.django_db, pytest.mark.share]


@pytest.fixture
def inspector() -> Client:
    people()
    return client_of("inspetor")


def a_part(sheet: RunSheet, number: int, state: str = "open", claimed: bool = False) -> RunPart:
    """One of its parts, of a hundred rounds."""
    now = datetime.now(UTC)
    return RunPart.objects.create(
        run=sheet,
        number=number,
        work={},
        rounds_count=100,
        state=state,
        claimed_at=now if claimed else None,
        done_at=now if state == "done" else None,
    )


def test_a_run_under_way_tells_how_far_it_is(inspector: Client) -> None:
    sheet = a_sheet()
    for number, state in enumerate(["done", "done", "open", "open"]):
        a_part(sheet, number, state)
    page = inspector.get(f"/reconciliations/{RUN}/").content.decode()
    assert "2 de 4 partes" in page
    assert '<progress max="100" value="50">' in page
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in page
    assert "casino/progress" in page


def test_progress_is_told_anew_only_when_it_changed(inspector: Client) -> None:
    sheet = a_sheet()
    part = a_part(sheet, 1)
    address = f"/reconciliations/{RUN}/progress/"
    first = inspector.get(address)
    assert first.json() == {"state": "open", "per_cent": 0, "said": "0 de 4 partes"}
    assert inspector.get(address, headers={"if-none-match": first["ETag"]}).status_code == 304
    part.state = "done"
    part.save()
    second = inspector.get(address, headers={"if-none-match": first["ETag"]})
    assert second.status_code == 200
    assert second.json()["per_cent"] == 25


def test_a_run_that_ended_tells_what_it_came_to(inspector: Client) -> None:
    a_sheet(state="finished")
    a_run(DAY)
    write([finding(1, run=RUN)])
    page = said(inspector, f"/reconciliations/{RUN}/")
    for words in ("Terminada", "noturna", "260 registos, 212 jogadas", "3 (3 novas, 0 sem efeito)"):
        assert words in page
    assert "Lugar 4, mão 1, J4 (blackjack): foram entregues 40,00 € e eram devidos 50,00 €" in page
    assert "http-equiv" not in inspector.get(f"/reconciliations/{RUN}/").content.decode()


def test_a_run_that_was_given_up_says_so(inspector: Client) -> None:
    sheet = a_sheet(state="failed")
    a_part(sheet, 1, "failed")
    page = said(inspector, f"/reconciliations/{RUN}/")
    assert "Não terminou" in page
    assert "1 parte foi abandonada" in page


def test_a_run_nobody_knows_is_not_found(inspector: Client) -> None:
    for address in (f"/reconciliations/{uuid4()}/", f"/reconciliations/{uuid4()}/progress/"):
        assert inspector.get(address).status_code == 404


def test_a_comparison_under_another_rulebook_stands_on_its_page_and_is_counted_nowhere(
    inspector: Client,
) -> None:
    an_evening(rounds=2, wrong=[1])
    own = reconcile("own")
    before = said(inspector, "/admin/")
    result = reconcile("what if", rulebook="es")
    assert result.raised == 0
    page = said(inspector, f"/reconciliations/{result.run}/")
    for words in ("comparação sob", "Ao lado do que vale", "Desapareceria", "5,00 € agora"):
        assert words in page
    assert "comparação sob" in said(inspector, "/admin/audit/reconciliation/")
    assert said(inspector, "/admin/") == before
    last = audit_queries.last_run()
    assert last is not None
    assert last.run == own.run
    assert "comparação sob" not in said(inspector, f"/reconciliations/{own.run}/")
