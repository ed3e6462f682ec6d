"""A record's receipt: offered to its author, read by whoever reads the record, true to the book."""

import json
import re
from typing import Any
from uuid import uuid4

import pytest
import segno
from django.test import Client
from django.urls import reverse

from casino.models import BookEntry
from casino.recording import Receipt
from casino.sealed import receipt_text
from casino.web.display.qr_svg import QUIET, qr_svg
from casino.web.entries.receipt_page import groups
from tests.casino.admin_forms import filled, over_warnings
from tests.casino.content_policy import refused_in
from tests.factories.events.every import BARE
from tests.factories.people import somebody
from tests.factories.recorded import last_entry
from tests.factories.records import MANAGER, PIT, burnt, hired, recorded

pytestmark = pytest.mark.django_db


def page_of(receipt: Receipt) -> str:
    return reverse("admin:casino_bookentry_receipt", args=[receipt.entry_id])


def file_of(receipt: Receipt) -> str:
    return reverse("admin:casino_bookentry_receipt_file", args=[receipt.entry_id])


def modules_in(svg: str) -> set[tuple[int, int]]:
    """The dark modules (column, row) that a QR code's path draws."""
    drawn = re.search(r' d="([^"]+)"', svg)
    assert drawn is not None
    runs = re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", drawn[1])
    assert "".join(f"M{x} {y}h{n}v1h-{back}z" for x, y, n, back in runs) == drawn[1]
    assert all(n == back for _, _, n, back in runs)
    return {(int(x) + step, int(y)) for x, y, n, _ in runs for step in range(int(n))}


# -- The code --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["a", "açúcar 7♦", "x" * 500, '{"n":12,"stream":"table/BJ-06"}'])
def test_the_code_draws_every_dark_module_and_no_other(text: str) -> None:
    code = segno.make_qr(text, error="m", boost_error=False)
    dark = {
        (x + QUIET, y + QUIET)
        for y, row in enumerate(code.matrix)
        for x, module in enumerate(row)
        if module
    }
    svg = qr_svg(text, "a label")
    assert modules_in(svg) == dark
    size = len(code.matrix) + 2 * QUIET
    assert f'viewBox="0 0 {size} {size}"' in svg


def test_a_code_needs_nothing_the_policy_refuses_and_escapes_its_label() -> None:
    svg = qr_svg("text", '"><script>')
    assert refused_in(svg) == []
    assert "<script" not in svg


def test_a_receipts_code_holds_the_receipt() -> None:
    receipt = recorded(burnt())
    entry = BookEntry.objects.select_related("stream").get(pk=receipt.entry_id)
    page = somebody("fiscal_chefe").get(page_of(receipt))
    assert page.context["qr"] == qr_svg(receipt_text(entry), "The receipt as a QR code")


def test_a_leaf_is_read_in_groups() -> None:
    assert groups("0123456789abcdef0") == ["01234567", "89abcdef", "0"]


# -- The page --------------------------------------------------------------------------------------


def test_a_receipt_tells_what_the_book_tells() -> None:
    receipt = recorded(burnt())
    client = somebody("fiscal_chefe")
    page = client.get(page_of(receipt)).content.decode()
    assert refused_in(page) == []
    for words in ("table/BJ-06", PIT.staff, "Card burnt", *groups(receipt.leaf)):
        assert words in page
    answer = client.get(file_of(receipt))
    recorded_in_file = json.loads(answer.content)
    assert recorded_in_file["leaf"] == receipt.leaf
    assert (recorded_in_file["stream"], recorded_in_file["n"]) == (receipt.stream, receipt.n)
    assert recorded_in_file["recorded"] == receipt.recorded_at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    assert answer["Content-Disposition"] == 'attachment; filename="receipt-table-BJ-06-1.json"'
    assert "no-store" in answer["Cache-Control"]


def test_a_receipt_holds_no_private_value() -> None:
    receipt = recorded(hired("Ana Matos"), by=MANAGER)
    client = somebody("chefia_da_sala")
    assert "Ana Matos" not in client.get(page_of(receipt)).content.decode()
    assert b"Ana" not in client.get(file_of(receipt)).content


@pytest.mark.parametrize(
    ("office", "staff", "opens"),
    [
        ("fiscal_de_banca", PIT.staff, True),  # its author
        ("fiscal_de_banca", "S-0999", False),
        ("fiscal_chefe", "S-0999", True),
        ("inspetor", "I-0999", True),
        ("administrador", "S-0999", False),
    ],
)
def test_who_gets_a_receipt(office: str, staff: str, opens: bool) -> None:
    receipt = recorded(burnt())
    client = somebody(office, staff)
    for address in (page_of(receipt), file_of(receipt)):
        assert client.get(address).status_code == (200 if opens else 403)


def test_a_stranger_gets_none_and_what_is_not_there_has_none() -> None:
    receipt = recorded(burnt())
    assert Client().get(page_of(receipt)).status_code == 302
    missing = reverse("admin:casino_bookentry_receipt", args=[uuid4()])
    assert somebody("inspetor").get(missing).status_code == 404


def test_after_recording_the_receipt_is_offered() -> None:
    client = somebody("fiscal_de_banca")
    url = reverse("admin:casino_burn_add")
    answer = over_warnings(client, url, filled(BARE["card-burned/1"]))
    entry = last_entry("card-burned/1")
    page = client.get(answer["Location"]).content.decode()
    address = reverse("admin:casino_bookentry_receipt", args=[entry.pk])
    above = re.search(r'(?s)<ul class="messagelist">.*?</ul>', page)
    assert above is not None
    assert f'<a href="{address}">' in above[0]
    assert client.get(address).status_code == 200


def test_every_entrys_page_leads_to_its_receipt(django_assert_max_num_queries: Any) -> None:
    receipt = recorded(burnt())
    client = somebody("auditor")
    with django_assert_max_num_queries(12):
        client.get(page_of(receipt))
    for address in ("burn", "bookentry"):
        page = client.get(reverse(f"admin:casino_{address}_change", args=[receipt.entry_id]))
        assert f'href="{page_of(receipt)}"' in page.content.decode()
