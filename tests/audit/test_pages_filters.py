"""The list of findings in another order, and filters kept under names of one's own."""

from datetime import timedelta

import pytest
from django.test import Client

from audit.admin import records
from audit.models import SavedFilter
from audit.models.saved_filters import LONGEST_NAME, MOST
from tests.factories.evenings import an_evening, record_events
from tests.factories.exposed_evenings import at, dealt, open_table
from tests.factories.findings import DAY, client_of, finding, numbers, people, said, write

LIST, KEEP = "/admin/audit/finding/", "/audit/filters/"
pytestmark = [pytest.mark.django_db, pytest.mark.share]


@pytest.fixture
def inspector() -> Client:
    people()
    return client_of("inspetor")


def shown(client: Client, query: str) -> list[int]:
    return numbers(client.get(f"{LIST}?{query}").context["cl"].result_list)


def five() -> None:
    before = DAY - timedelta(days=1)
    write(
        [
            finding(1, severity="warning", owed_cents=10, table="BJ-03", partida=f"BJ-03/{DAY}/1"),
            finding(2, gaming_day=before, partida=f"BJ-01/{before}/1", owed_cents=900),
            finding(3, severity="note", owed_cents=0, owed_to=None),
            finding(4, owed_cents=70, table="BJ-02", partida=f"BJ-02/{DAY}/1"),
            finding(
                5, rulebook="house", article="1", check="bank_money", owed_cents=0, owed_to=None
            ),
        ]
    )


# -- Order -----------------------------------------------------------------------------------------


def test_each_order_is_that_order(inspector: Client) -> None:
    five()
    assert shown(inspector, "") == [5, 4, 3, 1, 2]
    assert shown(inspector, "sort=oldest") == [2, 1, 3, 4, 5]
    assert shown(inspector, "sort=money") == [2, 4, 1, 5, 3]
    assert shown(inspector, "sort=table") == [5, 3, 2, 4, 1]
    assert shown(inspector, "sort=gravity")[-2:] == [1, 3]


def test_as_the_night_went_is_by_the_moment_of_the_act(inspector: Client) -> None:
    open_table(shown=False)
    late = record_events(dealt(40), at("21:41"))
    early = record_events(dealt(2), at("21:03"))
    write([finding(1, evidence=[str(late.entry_id)]), finding(2, evidence=[str(early.entry_id)])])
    write([finding(3)])  # rests on no entry
    assert shown(inspector, "sort=night") == [2, 1, 3]


def test_what_is_no_order_is_the_lists_own(inspector: Client) -> None:
    five()
    assert shown(inspector, "sort=colour") == shown(inspector, "")
    assert shown(inspector, "sort=%00") == []


def test_pages_follow_each_other_in_the_order_asked(
    inspector: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records.FindingAdmin, "list_per_page", 2)
    five()
    address, seen = "sort=money", list[int]()
    for _ in range(3):
        listed = inspector.get(f"{LIST}?{address}").context["cl"]
        seen += numbers(listed.result_list)
        address = listed.older.removeprefix("?")
    assert seen == [2, 4, 1, 5, 3]
    before = inspector.get(f"{LIST}{listed.newer}").context["cl"]
    assert numbers(before.result_list) == [1, 5]


def test_a_list_too_long_to_be_sorted_says_so(
    inspector: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.admin.paging.FEW", 3)
    five()
    assert shown(inspector, "sort=money") == shown(inspector, "")
    assert "Outra ordem só se faz com" in said(inspector, f"{LIST}?sort=money")
    assert "Outra ordem só se faz com" not in said(inspector, LIST)


def test_the_file_is_in_the_same_order(inspector: Client) -> None:
    five()
    answer = inspector.get(f"{LIST}csv/?sort=money")
    keys = [
        line.split(",")[0]
        for line in b"".join(answer.streaming_content).decode("utf-8-sig").splitlines()[1:]
    ]
    assert [int(key, 16) for key in keys] == [2, 4, 1, 5, 3]


def test_an_order_leaves_out_nothing_and_goes_with_a_filter(inspector: Client) -> None:
    five()
    assert shown(inspector, "sort=oldest&table=BJ-01") == [2, 3, 5]


# -- Kept filters ----------------------------------------------------------------------------------


def keep(client: Client, name: str, query: str) -> str:
    answer = client.post(KEEP, {"name": name, "query": query}, follow=True)
    assert answer.status_code == 200
    return " ".join(str(one) for one in answer.context["messages"])


def test_a_filter_is_kept_under_a_name_and_leads_back(inspector: Client) -> None:
    five()
    assert "guardado" in keep(inspector, " Em  dívida ", "table=BJ-01&sort=money&after=x")
    kept = SavedFilter.objects.get()
    assert (kept.name, kept.query) == ("Em dívida", "table=BJ-01&sort=money")
    page = inspector.get(LIST)
    (own,) = page.context["own_filters"]
    assert shown(inspector, own["url"].partition("?")[2]) == [2, 5, 3]
    assert b"Em d\xc3\xadvida" in page.content


def test_the_same_name_again_is_the_new_filter(inspector: Client) -> None:
    keep(inspector, "a", "table=BJ-01")
    keep(inspector, "a", "table=BJ-02")
    assert [one.query for one in SavedFilter.objects.all()] == ["table=BJ-02"]


def test_nobody_sees_or_removes_anothers(inspector: Client) -> None:
    keep(inspector, "mine", "table=BJ-01")
    other, number = client_of("auditor"), SavedFilter.objects.get().pk
    assert other.get(LIST).context["own_filters"] == []
    assert other.post(f"{KEEP}{number}/remove/").status_code == 404
    assert SavedFilter.objects.count() == 1
    assert inspector.post(f"{KEEP}{number}/remove/").status_code == 302
    assert not SavedFilter.objects.exists()


def test_there_are_only_so_many(inspector: Client) -> None:
    for n in range(MOST):
        keep(inspector, f"f{n}", "table=BJ-01")
    assert f"{MOST} filtros" in keep(inspector, "one more", "table=BJ-01")
    assert SavedFilter.objects.count() == MOST
    assert "guardado" in keep(inspector, "f0", "table=BJ-02")  # there already
    other = client_of("auditor")
    assert "guardado" in keep(other, "f0", "table=BJ-02")


@pytest.mark.parametrize(
    ("name", "query", "words"),
    [
        ("", "table=BJ-01", "Dê um nome"),
        ("\u202e\u200b", "table=BJ-01", "Dê um nome"),
        ("x" * (LONGEST_NAME + 1), "table=BJ-01", "61 carateres"),
        ("a", "", "não está filtrada"),
        ("a", "evil=1&page=2", "não está filtrada"),
        ("a", f"q={'w' * 1_100}", "1102 carateres"),
    ],
)
def test_what_cannot_be_kept_is_refused_in_words(
    inspector: Client, name: str, query: str, words: str
) -> None:
    assert words in keep(inspector, name, query)
    assert not SavedFilter.objects.exists()


def test_marks_of_direction_are_taken_out_and_nothing_is_markup(inspector: Client) -> None:
    keep(inspector, "\u202e<b onclick=x>", "table=BJ-01")
    assert SavedFilter.objects.get().name == "<b onclick=x>"
    assert b"<b onclick" not in inspector.get(LIST).content


def test_a_name_at_the_boundary_is_kept(inspector: Client) -> None:
    assert "guardado" in keep(inspector, "x" * LONGEST_NAME, "table=BJ-01")


def test_a_filter_is_no_entry_of_the_book(inspector: Client) -> None:
    from casino.models import BookEntry

    an_evening(rounds=1)
    before = BookEntry.objects.count()
    keep(inspector, "a", "table=BJ-01")
    assert BookEntry.objects.count() == before
