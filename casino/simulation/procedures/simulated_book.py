"""Acts as entries of a book that never was: numbered stream by stream, each with a leaf of its own.

The leaves are made up of stream and number; whoever records the acts in a real book gets others.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Final, NamedTuple

from casino.events.event import EntryRef, Event
from casino.reading.payload import event_of, payload_of
from casino.simulation.procedures.procedure_acts import HEARD, SECOND, Act, ByName, Who, Word
from casino.tlog.canonical import instant_text

BEHIND: Final = 5 * SECOND  # the book's clock is so much behind what is recorded


class Entry(NamedTuple):
    """One act with its place in the book: `n` counts from 1, `leaf` has 64 hex digits."""

    stream: str
    n: int
    leaf: str
    occurred_at: datetime
    recorded_at: datetime
    by: Who
    event: Event


def entries_of(acts: Iterable[Act], kinds: Mapping[str, type[Event]]) -> list[Entry]:
    """The entries in the order in which they were recorded; a word follows the act it is for.

    `kinds` are the classes of events by their names, for those of other rooms.
    """
    heads: Counter[str] = Counter()
    places: dict[int, EntryRef] = {}
    entries = []
    for act in acts:
        event = act.event
        if isinstance(event, Word):
            event = event.event(places[id(event.act)], act.known_at + HEARD)
        elif isinstance(event, ByName):
            event = event_of(kinds[event.kind], event.written(lambda act: places[id(act)]))
        stream: str = event.stream
        heads[stream] += 1
        n = heads[stream]
        leaf = sha256(f"{stream}#{n}".encode()).hexdigest()
        places[id(act)] = EntryRef(stream=stream, n=n, leaf=leaf)
        entries.append(Entry(stream, n, leaf, act.at, act.known_at + BEHIND, act.by, event))
    return entries


def entry_as_json(entry: Entry) -> str:
    """The entry as one line of JSON without its end of line."""
    said = {
        "stream": entry.stream,
        "n": entry.n,
        "leaf": entry.leaf,
        "occurred_at": instant_text(entry.occurred_at),
        "recorded_at": instant_text(entry.recorded_at),
        "who": entry.by._asdict(),
        "kind": entry.event.kind,
        "payload": payload_of(entry.event),
    }
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))
