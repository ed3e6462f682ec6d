"""Acts of an evening and how they get into the book: in order, through the one writer."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final
from uuid import UUID, uuid5

from casino import clock
from casino.events.event import EntryRef
from casino.events.round.round_played import RoundPlayed
from casino.extensions import event_kinds
from casino.models import BookEntry
from casino.reading.payload import event_of
from casino.recording import Actor, Receipt, Source, Submission, Supersedes, record_many
from casino.simulation.procedures.procedure_acts import Act, ByName, Word
from casino.witnessing import LASTS, text_of

# Whoever finds an entry under the first of these keys looks at a book of the demo.
NAMES: Final = UUID("8d0f4f0e-6a43-5e0b-9f0a-3c1d5b7e2a90")
BATCH: Final = 200
CHIPS: Final = "jackpot-incremented/1"
# Where an act comes from that nobody typed.
_SOURCES: Final = {"dispositivo": "device", "sistema": "job"}

Receipts = dict[int, Receipt]  # by the act


def key_of(place: int, tale: str = "") -> UUID:
    """The key of the act at that place, from 0; `tale` names an evening that is not the demo's."""
    return uuid5(NAMES, f"{tale}{place}")


def text_digest(receipt: Receipt) -> str:
    """The digest of the text that the witness of a recorded act reads."""
    entry = BookEntry.objects.select_related("stream").get(pk=receipt.entry_id)
    return sha256(text_of(entry, "pt").encode()).hexdigest()


def record_acts(acts: Iterable[Act], tale: str = "") -> int:
    """Record all acts in the order given; how many there were.

    Raises: what `casino.recording.record_many` raises; earlier batches then stand.
    """
    receipts: Receipts = {}
    waiting: list[tuple[Act, Submission]] = []
    listed = list(acts)

    def write() -> None:
        done = record_many([submission for _, submission in waiting])
        receipts.update({id(act): receipt for (act, _), receipt in zip(waiting, done, strict=True)})
        waiting.clear()

    for place, act in enumerate(listed):
        alone = _in_turn(act) or (waiting and _in_turn(waiting[-1][0]))
        known = all(id(one) in receipts for one in act.named)
        if len(waiting) == BATCH or alone or not known:
            write()
        # A round's own UUID is its key, as when it is imported.
        own = isinstance(act.event, RoundPlayed)
        key = UUID(act.event.round) if own else key_of(place, tale)
        waiting.append((act, _submission(act, key, receipts)))
    write()
    return len(listed)


def _in_turn(act: Act) -> bool:
    """Whether it stands in the book after all before it and before all after it, in any stream.

    Chips are recorded in their table's stream, all else of a pool in the pool's: their order is
    that in which they are written.
    """
    event = act.event.act.event if isinstance(act.event, Word) else act.event
    return isinstance(event, ByName) and event.kind != CHIPS


def _submission(act: Act, key: UUID, receipts: Receipts) -> Submission:
    """As the writer takes it."""
    kind = _SOURCES.get(act.by.office)
    source = Source() if kind is None else Source(kind, act.by.staff)
    supersedes = None
    if act.corrects is not None:
        wrong = receipts[id(act.corrects)]
        supersedes = Supersedes(wrong.n, wrong.leaf, act.reason)
    return Submission(_event(act, receipts), key, Actor(*act.by), act.at, source, supersedes)


def _event(act: Act, receipts: Receipts) -> object:
    def entry_of(one: Act) -> EntryRef:
        receipt = receipts[id(one)]
        return EntryRef(stream=receipt.stream, n=receipt.n, leaf=receipt.leaf)

    event = act.event
    if isinstance(event, Word):
        # It is recorded now, and the book refuses a word whose time is over.
        digest = text_digest(receipts[id(event.act)])
        return event.event(entry_of(event.act), clock.now() + LASTS, digest)
    if isinstance(event, ByName):
        return event_of(event_kinds()[event.kind], event.written(entry_of))
    return event
