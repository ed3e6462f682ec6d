"""What the API shows of the audit: findings and their cases, the book's proofs, runs, reports."""

from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest

from audit.models import Finding, ReportRequest
from audit.reconcile.opening import Asked, open_run
from casino import clock
from casino.models import BookEntry, JobOutbox
from casino.sequencer import integrate
from casino.tlog.proof import verify_consistency
from tests.casino.api_calls import API, errors, post
from tests.factories.events.every import FULL
from tests.factories.findings import SYSTEM
from tests.factories.people import ADMINISTRATOR, somebody, write
from tests.factories.records import EVENING, HEAD, burnt, recorded
from tests.factories.verified_books import a_whole_book
from tests.servers import Connect

pytestmark = [pytest.mark.usefixtures("fresh_db"), pytest.mark.share]


def test_a_finding_is_read_with_how_its_case_stands() -> None:
    event = FULL["finding-raised/2"]
    receipt = write(event, at=clock.now() - timedelta(hours=1), by=SYSTEM)
    integrate()
    client = somebody("inspetor")
    page = client.get(f"{API}/findings?table={event.table}").json()
    assert [one["finding"] for one in page["items"]] == [str(receipt.entry_id)]
    assert page["more"] is False
    one = client.get(f"{API}/findings/{receipt.entry_id}").json()
    assert (one["check"], one["article"], one["state"]) == (event.check, event.article, "open")
    assert one == page["items"][0]
    assert client.get(f"{API}/findings?table=BJ-99").json()["items"] == []
    assert client.get(f"{API}/findings/{uuid4()}").status_code == 404
    assert Finding.objects.count() == 1


def test_the_book_proves_itself(connect_as: Connect, tmp_path: Path, settings: Any) -> None:
    a_whole_book(connect_as, tmp_path / "public", settings)
    client = somebody("auditor")
    newest = client.get(f"{API}/book/checkpoint").json()
    assert newest["note"].splitlines()[1] == str(newest["size"])
    assert newest["note"].startswith(newest["origin"] + "\n")
    grown = client.get(f"{API}/book/consistency?old=1&new={newest['size']}").json()
    first = client.get(f"{API}/book/consistency?old=1&new=1").json()
    assert first["hashes"] == []
    leaf = bytes(BookEntry.objects.get(bookleaf__idx=0).leaf_hash)
    hashes = [bytes.fromhex(one) for one in grown["hashes"]]
    verify_consistency(1, leaf, newest["size"], bytes.fromhex(newest["root"]), hashes)
    entry = BookEntry.objects.filter(kind="card-burned/1").first()
    if entry is not None:
        proof = client.get(f"{API}/book/entries/{entry.pk}/proof").json()["proof"]
        assert proof.startswith("c2sp.org/tlog-proof@v1\n")
    for sizes in ("old=0&new=1", "old=2&new=1", f"old=1&new={newest['size'] + 1}", ""):
        answer = client.get(f"{API}/book/consistency?{sizes}")
        assert (answer.status_code, errors(answer)) == (422, [])


def test_what_has_no_place_yet_is_asked_for_again() -> None:
    entry = recorded(burnt())
    answer = somebody("auditor").get(f"{API}/book/entries/{entry.entry_id}/proof")
    assert (answer.status_code, answer["Retry-After"]) == (409, "30")


DAYS: Final = {"from": "2026-11-20", "to": "2026-11-20"}


def refused(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["type"].rpartition(":")[2]


def test_a_run_is_looked_at_and_asked_for_once() -> None:
    client = somebody("auditor")
    assert refused(post(client, "runs/preview", DAYS)) == (422, "run-refused")
    write(FULL["partida-opened/1"], by=HEAD, at=EVENING)
    looked = post(client, "runs/preview", DAYS)
    assert looked.status_code == 200, looked.content
    assert (looked.json()["games"], JobOutbox.objects.filter(topic="reconciliation").count()) == (
        1,
        0,
    )
    key = str(uuid4())
    first, again = (post(client, "runs", DAYS, key) for _ in range(2))
    assert (first.status_code, first.json()) == (202, again.json())
    other = post(client, "runs", DAYS | {"from": "2026-11-19"}, key)
    assert refused(other) == (422, "key-reused")
    assert JobOutbox.objects.filter(topic="reconciliation").count() == 1
    # Under another key it is another run, and the same one still once it has begun.
    second = post(client, "runs", DAYS).json()["run"]
    assert second != first.json()["run"]
    row = JobOutbox.objects.get(topic="reconciliation", key__endswith=key)
    open_run(row.key, Asked.of_args(**row.args))
    assert post(client, "runs", DAYS, key).json() == first.json()
    assert refused(post(client, "runs", DAYS | {"from": "2026-11-19"}, key)) == (422, "key-reused")
    assert post(client, "runs", DAYS, "1").status_code == 400
    state = client.get(first["Location"]).json()
    assert (state["run"], state["state"]) == (first.json()["run"], "open")
    # What would hold by another rulebook, too.
    other = post(client, "runs/preview", DAYS | {"rulebook": "br"})
    assert other.status_code in (200, 422), other.content


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"from": "2026-11-20"},
        DAYS | {"tables": "BJ-06"},
        DAYS | {"tables": [6]},
        DAYS | {"tables": ["\0"]},
        DAYS | {"readings": []},
        DAYS | {"readings": {"x": 1}},
        DAYS | {"more": 1},
        DAYS | {"from": 20261120},
        DAYS | {"rulebook": "x" * 201},
    ],
)
def test_a_run_nobody_can_read_is_refused(body: dict[str, object]) -> None:
    answer = post(somebody("auditor"), "runs", body)
    assert (answer.status_code, len(errors(answer))) == (400, 1)


@pytest.mark.parametrize("body", [DAYS | {"from": "x"}, DAYS | {"tables": ["BJ-99"]}])
def test_a_run_there_cannot_be_is_refused(body: dict[str, object]) -> None:
    assert refused(post(somebody("auditor"), "runs", body)) == (422, "run-refused")


def test_a_report_is_asked_for_under_its_key() -> None:
    client = somebody("inspetor")
    write(FULL["table-registered/1"], by=ADMINISTRATOR, at=EVENING)
    table = FULL["table-registered/1"].table
    key = str(uuid4())
    body = DAYS | {"report": "game", "table": table, "language": "en"}
    first, again = (post(client, "reports", body, key) for _ in range(2))
    assert first.status_code == 202, first.content
    assert first.json() == again.json()
    assert (first.json()["report"], ReportRequest.objects.count()) == (key, 1)
    assert refused(post(client, "reports", body | {"language": "pt"}, key)) == (422, "key-reused")
    assert ReportRequest.objects.count() == 1
    assert client.get(first["Location"]).json() == first.json()
    assert somebody("auditor").get(first["Location"]).status_code == 404
    for wrong in ({"report": "nothing"}, {"language": "de"}, {"table": "BJ-99"}):
        answer = post(client, "reports", body | wrong)
        assert refused(answer) == (422, "report-refused"), wrong
