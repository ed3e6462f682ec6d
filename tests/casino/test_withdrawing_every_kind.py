"""Each kind of record is withdrawn by two persons and counts nowhere, or never, with words why."""

from collections.abc import Iterable
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.text import capfirst

from casino import clock
from casino.events import Malformed
from casino.events.corrections import Decision, WithdrawalAsked
from casino.events.event import EntryRef
from casino.events.event_policy import HEAD, MANAGER, PIT
from casino.events.phrases import Phrase
from casino.extensions import event_kinds
from casino.models import BookEntry, Supersession
from casino.models.corrections_projections import NotCounting
from casino.queries import that_count
from casino.recording import Actor, NeverWithdrawn, NotAllowed, Receipt, authority
from casino.recording.authority import writers_of
from casino.recording.projecting import projections
from casino.recording.withdrawing import BY_A_MACHINE, never_withdrawn
from casino.web.entries.entry_page import url_of
from tests.factories.events.every import FULL
from tests.factories.people import CAST, somebody, write
from tests.factories.recorded import entries
from tests.factories.records import EVENING
from tests.gate import drawn
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
WITHDRAWN = sorted(kind for kind in FULL if never_withdrawn(kind) is None)
# A run is where it judged under another rulebook than the games' own, as the example did.
OF_A_RUN = "reconciliation-started/1"
NEVER = sorted({kind for kind in FULL if never_withdrawn(kind) is not None} - {OF_A_RUN})


@recorded_once
def house() -> dict[str, Client]:
    """Whoever may tell something on the floor, each in a browser."""
    return {office: somebody(office) for office in (PIT, HEAD, MANAGER)}


def test_every_kind_is_in_one_of_the_two_lists_and_has_an_example() -> None:
    assert {*WITHDRAWN, *NEVER, OF_A_RUN} == set(event_kinds())


def asks_of(kind: str) -> str:
    """The office that recorded it, and asks."""
    return next(office for office in (PIT, HEAD, MANAGER) if office in writers_of(kind))


def decides_of(kind: str) -> str:
    """The office of the second person."""
    return MANAGER if asks_of(kind) != MANAGER else HEAD


def on_record(kind: str, monkeypatch: pytest.MonkeyPatch, by: Actor | None = None) -> Receipt:
    """One such record, whatever else it would need to be accepted."""
    office = min(writers_of(kind)) if by is None else by.office
    with monkeypatch.context() as lenient:
        lenient.setattr(authority, "check_office", lambda _: None)
        lenient.setattr(authority, "check_against_book", lambda _: None)
        return write(
            FULL[kind], by=by or Actor(CAST.get(office, office), office, "admin"), at=EVENING
        )


def send(client: Client, url: str, **values: str) -> Any:
    """Fill in what a page asks for, and send it."""
    form = client.get(url).context["form"]
    hidden = {name: str(form[name].value()) for name in form.fields if name in ("key", "at")}
    return client.post(url, hidden | values)


def rows_of(receipt: Receipt) -> Iterable[Any]:
    """What counts of it on each of its projections."""
    entry = BookEntry.objects.get(pk=receipt.entry_id)
    for projection in projections()[entry.kind]:
        rows = projection.objects.filter(entry_id=entry.pk)
        if rows.exists():
            yield that_count(rows)


@pytest.mark.parametrize("decision", ["approved", "refused"])
@pytest.mark.parametrize("kind", drawn(WITHDRAWN, 8))
def test_asked_by_one_decided_by_another_it_counts_nowhere_and_its_page_says_so(
    house: dict[str, Client], monkeypatch: pytest.MonkeyPatch, kind: str, decision: Decision
) -> None:
    office, second = asks_of(kind), decides_of(kind)
    mine, his = house[office], house[second]
    receipt = on_record(kind, monkeypatch, Actor(CAST[office], office, "admin"))
    assert {rows.exists() for rows in rows_of(receipt)} == {True}
    asked = send(
        mine,
        reverse("admin:casino_bookentry_withdraw", args=[receipt.entry_id]),
        reason="tapped_by_mistake",
    )
    assert asked.status_code == 302, asked.content.decode()
    place = {"stream": receipt.stream, "n": receipt.n, "until_n": None}
    assert not NotCounting.objects.filter(**place).exists()
    pending = Supersession.objects.get()
    url = reverse("admin:casino_supersession_change", args=[pending.pk])
    before = entries()
    assert send(mine, url, decision=decision, reason="checked").status_code in (200, 403)
    assert entries() == before, "he asked for it himself"
    word = send(his, url, decision=decision, reason="checked")
    assert word.status_code == 302, word.content.decode()
    assert NotCounting.objects.filter(**place).exists() == (decision == "approved")
    assert {rows.exists() for rows in rows_of(receipt)} == {decision == "refused"}
    page = mine.get(url_of(kind, receipt.entry_id))
    words = {
        "approved": f"Withdrawn, it did not happen: asked for by {CAST[office]}"
        f" (tapped by mistake), approved by {CAST[second]}",
        "refused": f"Withdrawal asked for by {CAST[office]} (tapped by mistake),"
        f" refused by {CAST[second]}",
    }
    assert words[decision] in unescape(page.content.decode())
    assert page.context["struck"] == (decision == "approved")


def asking(entry: BookEntry) -> WithdrawalAsked:
    return WithdrawalAsked(
        table=entry.table_code or None,
        partida=entry.partida_id or None,
        entry=EntryRef(stream=entry.stream.name, n=entry.n, leaf=bytes(entry.leaf_hash).hex()),
        act=entry.kind,
        reason="told_twice",
    )


def refused(client: Client, receipt: Receipt, why: Phrase) -> None:
    """By its page and by the writer alike, in words, and nothing is stored."""
    entry, before = BookEntry.objects.get(pk=receipt.entry_id), entries()
    url = reverse("admin:casino_bookentry_withdraw", args=[receipt.entry_id])
    page = client.get(url)
    if page.status_code == 200:  # he may record such a one, and is told why this is not the way
        assert capfirst(why.template) in unescape(page.content.decode())
        assert 'name="reason"' not in page.content.decode()
    else:
        assert page.status_code == 403
    assert client.post(url, {"key": str(uuid4()), "reason": "told_twice"}).status_code == 403
    for office in (PIT, HEAD, MANAGER):
        with pytest.raises((NeverWithdrawn, NotAllowed, Malformed)) as info:
            write(asking(entry), by=Actor(CAST[office], office, "admin"), at=clock.now())
        if office in writers_of(entry.kind):
            assert info.value.values["why"] == why
    assert entries() == before


@pytest.mark.parametrize("kind", drawn(NEVER, 6))
def test_what_is_never_withdrawn_is_refused_in_words(
    house: dict[str, Client], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    why = never_withdrawn(kind)
    assert why is not None
    receipt = on_record(kind, monkeypatch)
    for office in writers_of(kind) & house.keys() or {MANAGER}:
        refused(house[office], receipt, why)


@pytest.mark.parametrize(
    "kind", drawn([kind for kind in WITHDRAWN if "dispositivo" in writers_of(kind)], 4)
)
def test_what_a_machine_told_is_never_withdrawn(
    house: dict[str, Client], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    receipt = on_record(kind, monkeypatch, Actor("CSM-04", "dispositivo", "api"))
    refused(house[asks_of(kind)], receipt, BY_A_MACHINE)


def test_what_came_with_a_file_is_never_withdrawn(
    house: dict[str, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    by = Actor(CAST[MANAGER], MANAGER, "import")
    refused(house[PIT], on_record("round-played/1", monkeypatch, by), BY_A_MACHINE)
