"""The one writer: what it stores, what it gives back, what it refuses, what it never refuses."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from casino import clock
from casino.events import Malformed
from casino.events.event import EntryRef
from casino.events.partidas import PartidaOpened
from casino.events.shape import Withheld
from casino.events.shoes import CardBurned
from casino.events.staff import StaffRegistered
from casino.models import BookEntry, Burn, PrivateValue, ShufflerLoad, Staff
from casino.reading.payload import event_in_book, payload_of
from casino.recording import (
    KeyReused,
    NotAllowed,
    NothingToErase,
    Receipt,
    Submission,
    TooLarge,
    record_many,
)
from casino.tlog.canonical import ENVELOPE_NULLS, canonical
from casino.tlog.merkle import leaf_hash
from tests.factories.erasures import ERASER, erasing, proposed
from tests.factories.records import (
    EVENING,
    HEAD,
    MANAGER,
    PARTIDA,
    PIT,
    burnt,
    hired,
    loaded,
    recorded,
    submission,
)
from tests.factories.usual_events import opening

pytestmark = pytest.mark.django_db


def body_of(receipt: Receipt) -> dict[str, object]:
    body: dict[str, object] = json.loads(bytes(entry_of(receipt).entry))
    return body


def entry_of(receipt: Receipt) -> BookEntry:
    return BookEntry.objects.get(id=receipt.entry_id)


def test_an_entry_is_canonical_and_tells_the_fact_and_who_told_it() -> None:
    receipt = recorded(burnt(2))
    entry = entry_of(receipt)
    body = body_of(receipt)
    assert canonical(body, nulls=ENVELOPE_NULLS) == bytes(entry.entry)
    assert body["who"] == {"door": "admin", "office": "fiscal_de_banca", "staff": "S-0187"}
    assert body["day"] == "2026-11-20"
    assert body["occurred"] == "2026-11-20T21:15:00.000000Z"
    assert body["payload"] == payload_of(burnt(2))
    assert event_in_book(type(burnt()), body["payload"]) == burnt(2)  # type: ignore[arg-type]


def test_a_receipt_names_the_entry_and_its_leaf_hash() -> None:
    receipt = recorded(burnt())
    entry = entry_of(receipt)
    assert receipt.leaf == leaf_hash(bytes(entry.entry)).hex() == bytes(entry.leaf_hash).hex()
    assert (receipt.stream, receipt.n, receipt.repeated) == ("table/BJ-06", 1, False)
    assert receipt.recorded_at == entry.recorded_at


def test_every_stream_counts_for_itself_and_chains_its_entries() -> None:
    first, other, second = recorded(burnt()), recorded(burnt(table="BJ-07")), recorded(burnt(2))
    assert (first.n, other.n, second.n) == (1, 1, 2)
    assert body_of(first)["prev"] is None
    assert body_of(second)["prev"] == first.leaf


def test_a_row_stands_on_the_shelf_with_what_the_entry_tells() -> None:
    receipt = recorded(burnt(2, shoe=3))
    row = Burn.objects.get()
    assert (row.entry_id, row.stream, row.n) == (receipt.entry_id, "table/BJ-06", 1)
    assert (row.cards, row.shoe, row.staff, row.office) == (2, 3, "S-0187", "fiscal_de_banca")
    assert (row.partida_id, row.occurred_at) == (PARTIDA, EVENING)


def test_what_is_unlawful_is_recorded() -> None:
    assert recorded(burnt(0)).n == 1  # PT art. 10 asks for one card
    assert recorded(loaded(packets=1)).n == 2  # PT art. 54 asks for two packets
    assert ShufflerLoad.objects.get().packets == 1


def test_the_same_record_sent_again_is_one_entry_and_the_same_receipt() -> None:
    key = uuid4()
    first, again = recorded(burnt(), key=key), recorded(burnt(), key=key)
    assert again == Receipt(**{**_fields(first), "repeated": True})
    assert BookEntry.objects.count() == Burn.objects.count() == 1


def _fields(receipt: Receipt) -> dict[str, object]:
    return {name: getattr(receipt, name) for name in Receipt.__dataclass_fields__}


@pytest.mark.parametrize(
    "change",
    [
        {"fact": burnt(2)},
        {"fact": burnt(table="BJ-07")},
        {"by": HEAD},
        {"occurred_at": EVENING + timedelta(microseconds=1)},
    ],
    ids=["another fact", "another table", "another actor", "another moment"],
)
def test_the_same_key_for_anything_else_is_refused(change: dict[str, object]) -> None:
    key = uuid4()
    recorded(burnt(), key=key)
    asked = {"fact": burnt(), **change}
    with pytest.raises(KeyReused, match="table/BJ-06 number 1"):
        recorded(asked.pop("fact"), key=key, **asked)  # type: ignore[arg-type]
    assert BookEntry.objects.count() == 1


def test_a_private_value_is_committed_to_and_not_told() -> None:
    receipt = recorded(hired("Ana Matos"), by=MANAGER)
    text = bytes(entry_of(receipt).entry).decode()
    assert "Ana" not in text
    stored = PrivateValue.objects.get()
    assert (stored.field, stored.value, len(bytes(stored.salt or b""))) == ("name", "Ana Matos", 32)
    assert set(json.loads(text)["payload"]["name"]) == {"hmac_sha256"}
    assert Staff.objects.get().person == "S-0187"


def test_the_same_name_twice_is_committed_to_differently() -> None:
    one, two = recorded(hired(), by=MANAGER), recorded(hired(), by=MANAGER)
    assert body_of(one)["payload"] != body_of(two)["payload"]


def test_the_same_record_with_the_same_private_value_is_repeated() -> None:
    key = uuid4()
    recorded(hired("Ana Matos"), key=key, by=MANAGER)
    assert recorded(hired("Ana Matos"), key=key, by=MANAGER).repeated
    with pytest.raises(KeyReused):
        recorded(hired("Ana Mattos"), key=key, by=MANAGER)
    with pytest.raises(KeyReused):
        recorded(hired(None), key=key, by=MANAGER)


def test_a_private_value_that_was_not_told_then_is_another_record() -> None:
    key = uuid4()
    recorded(hired(None), key=key, by=MANAGER)
    assert recorded(hired(None), key=key, by=MANAGER).repeated
    with pytest.raises(KeyReused):
        recorded(hired("Ana Matos"), key=key, by=MANAGER)


def test_an_erased_value_counts_as_equal() -> None:
    key = uuid4()
    recorded(hired("Ana Matos"), key=key, by=MANAGER)
    PrivateValue.objects.update(salt=None, value=None)
    assert recorded(hired("anything"), key=key, by=MANAGER).repeated


def test_an_office_that_may_not_write_a_kind_is_refused_with_those_that_may() -> None:
    with pytest.raises(NotAllowed, match="administrador, chefia_da_sala"):
        recorded(hired(), by=PIT)
    assert not BookEntry.objects.exists()


def test_a_moment_still_to_come_is_refused_beyond_a_minute() -> None:
    recorded(burnt(), occurred_at=clock.now() + timedelta(seconds=50))
    with pytest.raises(Malformed, match="still to come"):
        recorded(burnt(), occurred_at=clock.now() + timedelta(seconds=70))


def test_a_partida_carries_the_gaming_day_on_which_it_opened() -> None:
    with pytest.raises(Malformed, match="opened on the gaming day 2026-11-20"):
        recorded(a_partida("BJ-06/2026-11-21/1"), occurred_at=EVENING)
    assert entry_of(recorded(a_partida(PARTIDA), occurred_at=EVENING)).gaming_day.day == 20


def a_partida(name: str) -> PartidaOpened:
    return opening({"table": "BJ-06", "partida": name})


def test_an_entry_of_more_than_60_kib_is_refused() -> None:
    shot = submission(burnt())
    big = type(shot)(shot.event, uuid4(), PIT, EVENING, attachments=tuple(["a" * 64] * 1000))
    with pytest.raises(TooLarge, match="61440"):
        record_many([big])


def test_a_batch_is_all_or_nothing_and_says_which_one_it_was() -> None:
    batch = [submission(burnt()), submission(burnt(table="BJ-07")), submission(hired())]
    with pytest.raises(NotAllowed) as refused:
        record_many(batch)
    assert refused.value.place == 2
    assert not BookEntry.objects.exists()


def test_a_batch_gives_receipts_in_the_order_given() -> None:
    batch = [submission(burnt(table=f"BJ-0{table}")) for table in (7, 6, 7, 5, 6)]
    receipts = record_many(batch)
    assert [(each.stream, each.n) for each in receipts] == [
        ("table/BJ-07", 1),
        ("table/BJ-06", 1),
        ("table/BJ-07", 2),
        ("table/BJ-05", 1),
        ("table/BJ-06", 2),
    ]


def test_a_key_twice_in_one_batch_is_one_entry() -> None:
    key = uuid4()
    first, second = record_many([submission(burnt(), key=key), submission(burnt(), key=key)])
    assert first.entry_id == second.entry_id
    other = uuid4()
    with pytest.raises(KeyReused):
        record_many([submission(burnt(), key=other), submission(burnt(2), key=other)])


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"occurred_at": datetime.min.replace(tzinfo=UTC)}, r"\$\.occurred_at"),
        ({"key": "abc"}, r"\$\.key"),
        ({"fact": CardBurned(table="B", partida="B/1989-12-31/1", shoe=1, cards=1)}, "partida"),
        ({"fact": CardBurned(table="B", partida="B/2200-01-01/1", shoe=1, cards=1)}, "partida"),
        ({"fact": StaffRegistered(staff="S-2", name=Withheld("ab" * 32)), "by": MANAGER}, "name"),
    ],
    ids=["the year 1", "no UUID", "before all rooms", "after all rooms", "a withheld value"],
)
def test_what_no_book_could_keep_is_refused_at_the_door(changes: dict[str, Any], path: str) -> None:
    with pytest.raises(Malformed, match=path):
        recorded(changes.pop("fact", burnt()), **changes)
    assert not BookEntry.objects.exists()


@pytest.mark.parametrize("digest", ["e\u0301", "\ud800", "AB" * 32])
def test_an_attachment_is_named_by_its_digest(digest: str) -> None:
    with pytest.raises(Malformed, match=r"\$\.attachments\[0\]"):
        record_many([Submission(burnt(), uuid4(), PIT, EVENING, attachments=(digest,))])


def test_what_is_recorded_as_erased_is_gone() -> None:
    receipt = recorded(hired("Ana Matos"), by=MANAGER)
    entry = EntryRef(stream=receipt.stream, n=receipt.n, leaf=receipt.leaf)
    (erased,) = erasing([(entry, "name")])
    key = uuid4()
    first = recorded(erased, key=key, by=ERASER)
    assert list(PrivateValue.objects.values_list("salt", "value")) == [(None, None)]
    assert recorded(erased, key=key, by=ERASER).leaf == first.leaf
    with pytest.raises(NothingToErase, match="no private value name"):
        recorded(erased, by=ERASER)
    with pytest.raises(NothingToErase):
        proposed((entry, "contact"))
