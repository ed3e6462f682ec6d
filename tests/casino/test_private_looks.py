"""Whoever is shown something private is noted first: by code, not by luck; and nobody unsays it."""

import ast
from pathlib import Path
from typing import Any, Final

import pytest

from casino.events.complaints import ComplaintReceived
from casino.models import PrivateLook
from casino.recording import Receipt
from casino.web.entries.entry_page import url_of
from tests.factories.people import somebody
from tests.factories.records import HEAD, MANAGER, PIT, burnt, hired, recorded
from tests.gate import ROOT

CONTACT: Final = "Maria Exemplo, 912 345 678"
# Who may read the table of private values, and why none of it reaches a page unnoted.
READERS: Final = {
    "casino/access/private_looks.py": "the one way, which notes",
    "casino/models/__init__.py": "its name",
    "casino/recording/writing.py": "the writer: salts, and erasing",
    "casino/recording/authority.py": "the writer: whether there is one",
    "casino/sealed.py": "the opening in a proof: its page and its command note it",
    "audit/exporting/house_tables.py": "which there are and which were erased, never the values",
    "audit/exporting/private_files.py": "the openings of a bundle: export_bundle notes it",
    "casino/floor/floor_page.py": "one's own name",
    "casino/admin/records.py": "names of staff: the list notes it",
}
IN_STATEMENTS: Final = {
    "casino/web/forms/people_choices.py": "names of colleagues in the floor's forms: docs/trust.md",
    "casino/guards.py": "its guard",
    "casino/schema_digest/role_rights.py": "who may write it",
    "casino/management/commands/backup.py": "its backup",
    "casino/models/private_values.py": "the table",
    "audit/verifying/private_phase.py": "commitments, shown to nobody",
    "audit/exporting/private_back.py": "a backup put back",
    "audit/exporting/house_reading.py": "a whole copy put back",
    "audit/exporting/house_tables.py": "which there are and which were erased, never the values",
    "audit/retention/held_values.py": "which there are, never the values",
    "audit/retention/subject_search.py": "which entries hold a value that is known",
}
# Who asks what is kept without showing it.
UNSHOWN: Final = {
    "casino/access/private_looks.py",
    "casino/admin/record_admin.py",
    "casino/floor/corrections/correct_record.py",
    "audit/pages/book/proof_page.py",
    "audit/exporting/bundle_export.py",
    "audit/reports/letters.py",
}


def product() -> list[Path]:
    """The product's modules, without migrations."""
    found = [
        path
        for package in ("casino", "jackpot", "audit")
        for path in (ROOT / package).rglob("*.py")
    ]
    return [path for path in sorted(found) if "migrations" not in path.parts]


def naming(name: str) -> set[str]:
    """The modules of the product that name something."""
    found = set()
    for path in product():
        text = path.read_text("utf-8")
        names = {
            node.id if isinstance(node, ast.Name) else node.name
            for node in (ast.walk(ast.parse(text)) if name in text else ())
            if isinstance(node, ast.Name | ast.alias)
        }
        if name in names:
            found.add(path.relative_to(ROOT).as_posix())
    return found


def test_nobody_reads_private_values_but_by_the_one_way() -> None:
    assert naming("PrivateValue") == set(READERS)
    said = {
        path.relative_to(ROOT).as_posix()
        for path in product()
        if "casino_private_value" in path.read_text("utf-8")
    }
    assert said == set(IN_STATEMENTS)
    assert naming("kept_of") == UNSHOWN


@pytest.fixture
def complaint() -> Receipt:
    event = ComplaintReceived(
        table="BJ-06",
        partida="BJ-06/2026-11-20/1",
        complaint="RC-1",
        subject="conduct",
        contact=CONTACT,
        text="Foi assim.",
    )
    return recorded(event, by=HEAD)


def looks() -> list[tuple[str, str, Any]]:
    return list(PrivateLook.objects.order_by("id").values_list("staff", "field", "entry"))


@pytest.mark.django_db
def test_each_field_that_is_shown_is_noted_and_no_value(complaint: Receipt) -> None:
    client = somebody("auditor", "A-0012")
    page = f"/admin/casino/complaint/{complaint.entry_id}/"
    assert CONTACT in client.get(page).content.decode()
    assert looks() == [("A-0012", field, complaint.entry_id) for field in ("contact", "text")]
    row = PrivateLook.objects.first()
    assert (row.kind, row.page) == ("complaint-received/1", page)
    assert CONTACT not in str(vars(row))


@pytest.mark.django_db
def test_who_is_shown_nothing_is_not_noted(complaint: Receipt) -> None:
    for office in ("administrador", "fiscal_de_banca"):
        page = somebody(office).get(url_of("complaint-received/1", complaint.entry_id))
        assert CONTACT not in page.content.decode()
    bare = recorded(burnt(), by=PIT)
    somebody("auditor").get(url_of("card-burned/1", bare.entry_id))
    assert looks() == []


@pytest.mark.django_db
def test_the_floor_the_correction_and_the_list_of_names_are_noted_too(complaint: Receipt) -> None:
    head = somebody("fiscal_chefe", "S-0021")
    for page, count in (
        (f"/sala/entry/{complaint.entry_id}/", 2),
        (f"/admin/casino/complaint/{complaint.entry_id}/correct/", 2),
    ):
        before = PrivateLook.objects.count()
        answer = head.get(page)
        assert answer.status_code == 200, page
        assert PrivateLook.objects.count() == before + count, page
    recorded(hired(), by=MANAGER)
    before = PrivateLook.objects.count()
    somebody("inspetor", "I-0007").get("/admin/casino/staff/")
    assert PrivateLook.objects.count() == before + 1
    last = PrivateLook.objects.latest("id")
    assert (last.staff, last.field, last.entry) == ("I-0007", "name", None)
