"""Lists and pages of what was recorded: read, searched, never changed."""

from html import unescape
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import NoReverseMatch, reverse

from casino.events.corrections import WithdrawalAsked
from casino.events.decks import DeckInspected
from casino.events.round.round_played import RoundPlayed
from casino.events.sealing import EpochApproved, HouseActDecided
from casino.events.witnessing import PasskeyRegistered, PasskeyRevoked
from casino.models import BookEntry, Burn, DeckInspection
from casino.rebuilding import compare
from casino.recording import Receipt
from casino.web.entries.entry_page import PAGES, url_of
from casino.web.words.place_words import stream_word
from tests.casino.admin_projections import by_anybody, projections
from tests.factories.events.every import BARE, FULL
from tests.factories.examples import example, in_the_book
from tests.factories.people import somebody, write
from tests.factories.recorded import last_entry
from tests.factories.records import EVENING, PARTIDA, PIT, burnt, corrects, recorded
from tests.factories.withdrawals import ask_to_withdraw
from tests.gate import drawn

pytestmark = [pytest.mark.django_db, pytest.mark.share]
KINDS = sorted(
    set(FULL)
    - {"erased/1", "corrected/1", "withdrawal-asked/1", "witnessed/1"}
    - {kind for kind in FULL if kind.startswith(("finding", "reconciliation"))}
)
# Of what stands in the book already: a key known to it, an epoch begun.
RECORDED_ONE_WAY = {
    EpochApproved.kind,
    HouseActDecided.kind,
    PasskeyRegistered.kind,
    PasskeyRevoked.kind,
}


@pytest.mark.parametrize("kind", drawn(KINDS, 20))
def test_every_kind_has_its_list_and_its_page(
    kind: str, django_assert_max_num_queries: Any
) -> None:
    receipt = write(example(kind, "S-0600"), by=by_anybody(kind), at=EVENING)
    if kind not in RECORDED_ONE_WAY:
        write(in_the_book(BARE[kind]), by=by_anybody(kind), at=EVENING)
    is_listed_and_shown(kind, receipt, django_assert_max_num_queries)


def test_a_withdrawal_has_its_list_and_its_page(django_assert_max_num_queries: Any) -> None:
    receipt = ask_to_withdraw(recorded(burnt()))
    is_listed_and_shown(WithdrawalAsked.kind, receipt, django_assert_max_num_queries)


def is_listed_and_shown(kind: str, receipt: Receipt, most: Any) -> None:
    client = somebody("inspetor")
    reverse("admin:index")  # what has a page registers when the addresses are first asked for
    page = PAGES.get(kind, "admin:casino_bookentry_change").removesuffix("_change")
    with most(12):
        listed = client.get(reverse(f"{page}_changelist"))
    assert listed.status_code == 200
    url = url_of(kind, receipt.entry_id)
    assert url in listed.content.decode()
    with most(12):
        shown = client.get(url).content.decode()
    assert receipt.leaf in shown
    assert f"{receipt.n} of {stream_word(receipt.stream)}" in unescape(shown)


def test_no_shelf_can_be_changed_or_deleted_at_any_address() -> None:
    receipt = recorded(burnt())
    client = somebody("chefia_da_sala")
    for one in projections():
        name = f"admin:{one.opts.app_label}_{one.opts.model_name}"
        for gone in ("delete", "history"):
            with pytest.raises(NoReverseMatch):
                reverse(f"{name}_{gone}", args=[receipt.entry_id])
        assert one.actions is None
    page = reverse("admin:casino_burn_change", args=[receipt.entry_id])
    for address in (f"{page}delete/", f"{page}history/", f"{page}change/"):
        assert client.get(address).status_code == 404
    assert client.post(page, {"cards": "9"}).status_code in (200, 405)
    selected = {"action": "delete_selected", "_selected_action": str(receipt.entry_id)}
    client.post(reverse("admin:casino_burn_changelist"), selected)
    assert Burn.objects.get().cards == 1


def test_nothing_is_saved_through_a_model_admin() -> None:
    """A row slipped in past the book's door is what `rebuild --check` finds."""
    receipt = recorded(burnt())
    row = Burn.objects.get()
    with connection.cursor() as cursor:
        cursor.execute("SELECT has_table_privilege('casino_burn', 'UPDATE')")
        assert cursor.fetchone() == (False,)
    write(burnt(0, shoe=2), by=PIT, at=EVENING)
    other = last_entry("card-burned/1")
    planted = DeckInspection(
        entry_id=other.pk,
        stream=row.stream,
        n=other.n,
        gaming_day=row.gaming_day,
        table_code="BJ-06",
        partida_id=PARTIDA,
        occurred_at=EVENING,
        recorded_at=EVENING,
        staff="S-9",
        office="fiscal_de_banca",
        supersedes_leaf="",
        deck="D-1",
        moment="store",
        cards=52,
        order_complete=True,
        faces="regular",
        backs="regular",
        result="conform",
        noted=False,
    )
    projection = next(one for one in projections() if one.model is DeckInspection)
    with pytest.raises(DatabaseError), transaction.atomic():
        projection.save_model(None, planted, None, False)  # type: ignore[arg-type]
    planted.save(force_insert=True)
    assert [one.what for one in compare(DeckInspection)]
    assert list(compare(Burn)) == []
    assert receipt.n == 1


def test_a_list_is_searched_by_what_stands_in_it() -> None:
    recorded(burnt())
    client = somebody("auditor")
    url = reverse("admin:casino_burn_changelist")
    assert "1 burnt card" in client.get(url, {"q": PARTIDA}).content.decode()
    assert "Nothing matches" in client.get(url, {"q": "BJ-07/2026-11-20/1"}).content.decode()
    assert "Nothing matches" in client.get(url, {"table": "BJ-07"}).content.decode()
    assert "1 burnt card" in client.get(url, {"partida": PARTIDA}).content.decode()


def test_a_pit_supervisor_reads_his_own_records() -> None:
    recorded(burnt())
    write(burnt(table="BJ-09"), by=PIT.__class__("S-0500", "fiscal_de_banca", "admin"), at=EVENING)
    own, others = BookEntry.objects.filter(kind="card-burned/1").order_by("table_code")
    client = somebody("fiscal_de_banca")
    listed = client.get(reverse("admin:casino_burn_changelist")).content.decode()
    assert str(own.pk) in listed
    assert str(others.pk) not in listed
    assert client.get(url_of(own.kind, own.pk)).status_code == 200
    assert client.get(url_of(others.kind, others.pk)).status_code == 403
    assert client.get(reverse("admin:casino_bookentry_change", args=[others.pk])).status_code == 403


@pytest.mark.parametrize(
    ("office", "seen"), [("fiscal_chefe", True), ("auditor", True), ("fiscal_de_banca", False)]
)
def test_a_note_is_shown_to_those_who_may_read_it(office: str, seen: bool) -> None:
    note = FULL["deck-inspected/1"]
    assert isinstance(note, DeckInspected)
    author = PIT.__class__("S-0500", "fiscal_de_banca", "admin")
    receipt = write(note, by=author, at=EVENING)
    write(FULL["partida-opened/1"], by=author, at=EVENING)
    client = somebody(office, "S-0100" if office == "fiscal_de_banca" else None)
    page = client.get(url_of(note.kind, receipt.entry_id)).content.decode()
    assert ("Visto duas vezes" in page) is seen
    assert ("not shown" in page) is not seen


def test_a_round_is_drawn_and_told_step_by_step() -> None:
    played = FULL["round-played/1"]
    assert isinstance(played, RoundPlayed)
    receipt = write(played, by=PIT, at=EVENING)
    page = somebody("inspetor").get(url_of(played.kind, receipt.entry_id)).content.decode()
    assert page.count('class="playing-card') >= len(played.bank.cards)
    assert 'role="img" aria-label="' in page
    assert "Step by step" in page
    assert "Settlement" in page
    assert "style=" not in page
    assert corrects(receipt).n == receipt.n


@pytest.mark.parametrize(
    ("name", "office"),
    [
        ("casino_partida", "fiscal_chefe"),
        ("casino_cut", "fiscal_chefe"),
        ("casino_table", "chefia_da_sala"),
    ],
)
def test_what_no_text_can_hold_gives_a_page(name: str, office: str) -> None:
    client = somebody(office)
    for query in ("table=%00", "partida=%00", "rulebook=%00", "after=%00", "q=%00"):
        for page in ("changelist", "add"):
            address = f"{reverse(f'admin:{name}_{page}')}?{query}"
            answer = client.get(address, follow=True)
            assert answer.status_code in (200, 400), address
