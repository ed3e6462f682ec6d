"""Lists in the order of a column, filters that offer what there is, the rail that is folded."""

import csv
import re
from dataclasses import replace
from datetime import timedelta
from io import StringIO

import pytest
from django.test import Client

from casino.admin import paging
from casino.admin.records import ChipTallyAdmin
from casino.events.staff import StaffRegistered
from tests.casino.admin_projections import by_anybody
from tests.factories.events.every import FULL
from tests.factories.people import appoint, somebody, write
from tests.factories.records import EVENING
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.share]
COUNTS = "/admin/casino/chiptally/"
TOTAL = 3  # the place of the total among the columns of the chips that were counted


@recorded_once
def counted() -> None:
    """Thirty counts at one table, of 7, 14, 21 euros and so on, each total twice."""
    event = FULL["chips-counted/1"]
    for n in range(30):
        count = replace(event.counts[0], value_cents=100, count=(n * 7) % 15 + 1)
        write(
            replace(event, counts=(count,)),
            by=by_anybody(event.kind),
            at=EVENING + timedelta(seconds=n),
        )


def totals(client: Client, order: str) -> list[int]:
    """The totals of all pages of the list in an order, as they are leafed through."""
    address, shown = f"?o={order}", []
    while address:
        page = client.get(COUNTS + address).context["cl"]
        shown += [row.total_cents for row in page.result_list]
        address = page.older
    return shown


@pytest.mark.usefixtures("counted")
def test_a_list_is_sorted_by_a_column_both_ways_and_shows_each_row_once() -> None:
    client = somebody("inspetor")
    up = totals(client, str(TOTAL))
    assert len(up) == 30
    assert up == sorted(up)
    assert totals(client, f"-{TOTAL}") == sorted(up, reverse=True)
    page = client.get(f"{COUNTS}?o={TOTAL}")
    assert 'aria-sort="ascending"' in page.text
    older = client.get(COUNTS + page.context["cl"].older)
    assert "after=" not in re.findall(rf'href="(\?o=-{TOTAL}[^"]*)"', older.text)[0]


def on_paper(client: Client, address: str) -> str:
    """What a printed page of the list says of which part it is."""
    above = client.get(COUNTS + address).text.partition('class="on-paper"')[2]
    found = re.search(r"<strong>([^<]*rows[^<]*)</strong>", above.partition("</header>")[0])
    return "" if found is None else found[1]


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("order", ["", f"?o={TOTAL}"])
def test_a_printed_page_says_which_part_of_the_list_it_is(
    order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = somebody("inspetor")
    assert on_paper(client, order) == "page 1 of 2, rows 1 to 25"
    older = client.get(COUNTS + order).context["cl"].older
    assert on_paper(client, older) == "page 2 of 2, rows 26 to 30"
    newer = client.get(COUNTS + older).context["cl"].newer
    assert on_paper(client, newer) == "page 1 of 2, rows 1 to 25"
    monkeypatch.setattr(ChipTallyAdmin, "list_per_page", 30)
    assert on_paper(client, order) == ""  # all of it


@pytest.mark.usefixtures("counted")
def test_of_a_list_too_long_to_be_counted_a_printed_page_says_no_number_of_pages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(paging, "FEW", 20)
    monkeypatch.setattr(paging, "COUNTED", 20)
    client = somebody("inspetor")
    assert on_paper(client, "") == "rows 1 to 25 of it; what comes after is not here"
    older = client.get(COUNTS).context["cl"].older
    assert on_paper(client, older) == "the last 5 rows of it; what comes before is not here"
    monkeypatch.setattr(ChipTallyAdmin, "list_per_page", 10)
    older = client.get(COUNTS).context["cl"].older
    assert on_paper(client, older) == "10 rows of it; what lies before and after is not here"


@pytest.mark.usefixtures("counted")
def test_what_is_no_column_to_sort_by_leaves_the_list_newest_first() -> None:
    client = somebody("inspetor")
    newest = totals(client, "")
    for order in ("99", "-", "x", "2", "0.zzz.", "--1", "9" * 400):  # 2: the occasion, a code
        if order != "0.zzz.":
            assert totals(client, order) == newest, order
    assert totals(client, "0.zzz.") == newest[::-1]


@pytest.mark.usefixtures("counted")
def test_a_list_too_long_to_be_sorted_is_newest_first_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = somebody("inspetor")
    newest = totals(client, "")
    monkeypatch.setattr(paging, "FEW", 29)
    assert totals(client, str(TOTAL)) == newest
    assert "Another order is made of at most" in client.get(f"{COUNTS}?o={TOTAL}").text
    assert "Another order is made of at most" not in client.get(COUNTS).text


@pytest.mark.usefixtures("counted")
def test_the_file_has_the_order_of_the_page() -> None:
    client = somebody("inspetor")
    answer = client.get(f"{COUNTS}csv/?o={TOTAL}")
    text = b"".join(answer.streaming_content).decode("utf-8-sig")  # type: ignore[attr-defined]
    rows = csv.DictReader(StringIO(text))
    assert [int(row["total_cents"]) for row in rows] == totals(client, str(TOTAL))


@pytest.mark.usefixtures("counted")
def test_filters_offer_tables_games_and_people_and_take_what_is_typed() -> None:
    opened = FULL["partida-opened/1"]
    write(FULL["table-registered/1"], by=by_anybody("table-registered/1"), at=EVENING)
    write(opened, by=by_anybody(opened.kind), at=EVENING)
    write(StaffRegistered(staff="S-0777", name="Inês Abrantes"))
    appoint("S-0777", "fiscal_chefe")
    page = somebody("inspetor").get(COUNTS).text
    assert f'<option value="{FULL["table-registered/1"].table}">' in page
    assert f'<option value="{opened.partida}">' in page
    assert re.search(r'<option value="S-0777" label="S-0777 · Inês Abrantes', page)
    client = somebody("fiscal_chefe")
    table = FULL["chips-counted/1"].table.lower()
    assert client.get(COUNTS, {"table": table}).context["cl"].result_list
    assert not client.get(COUNTS, {"table": "bj-99"}).context["cl"].result_list


@pytest.mark.usefixtures("counted")
def test_a_fiscal_is_offered_games_of_his_alone() -> None:
    opened = FULL["partida-opened/1"]
    write(opened, by=by_anybody(opened.kind), at=EVENING)
    assert f'<option value="{opened.partida}">' not in somebody("fiscal_de_banca").get(COUNTS).text


def test_the_rail_is_folded_but_for_its_first_section_and_where_one_is() -> None:
    page = somebody("inspetor").get("/admin/casino/incident/").text
    sections = dict(re.findall(r'<details data-section="(\w+)"( open)?>', page))
    opened = [name for name, is_open in sections.items() if is_open]
    assert opened == ["oversight", "incidents"]
    assert len(sections) > 8
    assert page.count('aria-current="page"') == 1
