"""What an entry is, and what is asked of entries: streams, times, and what they say of each other.

Entries are followed one by one in the tree's order. See docs/log-format.md.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import starmap
from typing import Any
from unicodedata import is_normalized

from .notes import LOG, Key, read_key
from .tree import Add, leaf_hash

Body = dict[str, Any]
Moments = dict[int, datetime]  # by an entry's index, or how many stand before
MAX_ENTRY = 60 * 1024  # bytes
MAX_WHOLE = 2**53 - 1
SLACK = timedelta(seconds=120)  # what two clocks may differ
STEP = timedelta(seconds=1)  # what a clock may fall without a word
LATE = timedelta(minutes=15)  # what an entry may wait for its place in the tree
AT_ONCE = 1024  # entries recorded at once, amid which a copy may end
# What stands in the name of a run: as what, and the field that is held against its result.
OF_RUN = {
    "finding-raised/2": ("raised", "key"),
    "finding-superseded/2": ("superseded", "finding"),
    "reconciliation-started/1": ("started", "run"),
    "reconciliation-finished/1": ("result", "changes"),
    "book-verified/1": ("result", "changes"),
    "jackpot-replayed/1": ("result", "changes"),
}
CHANGES = ("raised", "superseded")
# A key named by one person, by the first of two, and the second's word on it.
BY_TWO, DECIDED = "signing-key-named/2", "house-act-decided/1"
# Who looks every few minutes has no result: he raises, and supersedes only what he raised.
WATCHES = {"1a8a96a3-58ef-57d8-8a7f-68ac78a4ad89", "23a6a3e9-909c-5d8d-81f8-3def891a963d"}
BEGINNING = datetime(1970, 1, 1)  # noqa: DTZ001 - every moment here is UTC
is_hash = re.compile(r"[0-9a-f]{64}").fullmatch
is_field = re.compile(r"[a-z0-9_]+").fullmatch
is_code = re.compile(r"[A-Za-z0-9._-]{1,40}").fullmatch
is_stream = re.compile(r"[a-z]{1,20}(/[A-Za-z0-9._-]{1,40})?").fullmatch
is_kind = re.compile(r"[a-z][a-z0-9-]{0,60}/[1-9][0-9]{0,3}").fullmatch
is_uuid = re.compile(r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}").fullmatch


def canonical(value: Any) -> bytes:
    """The one way of writing a value: fields in order, no spaces."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def parse(data: bytes) -> Any:
    """The value that these bytes write in the one way there is. Raises: ValueError."""
    with suppress(RecursionError):  # what is nested too deep
        value = json.loads(data.decode())
        if canonical(value) == data:
            return value
    raise ValueError("not canonical")


def walk(value: Any, depth: int = 1) -> Iterator[tuple[Any, int]]:
    """A value and everything that stands in it, each with how deep it stands."""
    yield value, depth
    if type(value) in (dict, list):
        for each in value.values() if type(value) is dict else value:
            yield from walk(each, depth + 1)


def within_profile(value: Any, depth: int) -> bool:
    """Whether a payload may hold this: no fractions, no null, nothing too deep, texts in NFC."""
    if type(value) in (dict, list):
        return depth <= 32 and (type(value) is list or all(map(is_field, value)))
    if type(value) is str:
        return "\0" not in value and is_normalized("NFC", value)
    return type(value) is bool or (type(value) is int and abs(value) <= MAX_WHOLE)


def moment(text: Any) -> datetime:
    """A moment as an entry writes it. Raises: ValueError."""
    made = datetime.fromisoformat(str(text)[:26])
    if made.isoformat(timespec="microseconds") + "Z" != text or not 1000 <= made.year < 3000:
        raise ValueError("moment")
    return made


def shaped(value: Any, kinds: dict[str, type]) -> bool:
    """Whether this is an object of these fields and no others, each of its type."""
    return type(value) is dict and {name: type(each) for name, each in value.items()} == kinds


def is_reference(value: Any) -> bool:
    """Whether this names an entry: {"leaf": ..., "n": ..., "stream": ...}."""
    formed = shaped(value, {"leaf": str, "n": int, "stream": str})
    return formed and bool(is_hash(value["leaf"])) and 0 < value["n"] <= MAX_WHOLE


def read_entry(data: bytes) -> Body:
    """An entry's parts. Raises: ValueError, where it is not written as it must be."""
    body = parse(data)
    names = {"at", "cp", "day", "key", "kind", "n", "occurred", "payload", "prev", "stream"}
    if type(body) is not dict or body.keys() != names | {"supersedes", "v", "who"}:
        raise ValueError("not an entry's fields")
    cp, who, amends, payload = (body[name] for name in ("cp", "who", "supersedes", "payload"))
    for each in (body["at"], body["occurred"], f"{body['day']}T00:00:00.000000Z"):
        moment(each)
    if (
        len(data) > MAX_ENTRY
        or not (cp is None or shaped(cp, {"root": str, "size": int}))
        or (cp and not (is_hash(cp["root"]) and cp["size"] > 0))
        or not (is_uuid(body["key"]) and is_kind(body["kind"]) and is_stream(body["stream"]))
        or not (type(body["n"]) is int and 0 < body["n"] <= MAX_WHOLE)
        or not (body["prev"] is None or (type(body["prev"]) is str and len(body["prev"]) == 64))
        or not (amends is None or is_reference(amends))
        or (body["v"], type(body["v"])) != (1, int)
        or not shaped(who, {"door": str, "office": str, "staff": str})
        or not all(map(is_code, who.values()))
        or not (type(payload) is dict and all(starmap(within_profile, walk(payload))))
    ):
        raise ValueError("not an entry")
    return dict(body)


class Stream:
    """How far a stream was followed."""

    def __init__(self) -> None:
        self.n = 0
        self.prev: str | None = None
        self.at = self.floor = BEGINNING  # the last moment; none of what follows may lie before
        self.cp: Body | None = None
        self.entries: dict[int, bytes] = {}  # by their numbers


class Entries:
    """Follows all entries of a book.

    `size`: how many there are; `roots`: of its checkpoints, by their sizes; `limits`: from which
    entry on somebody outside saw what follows no later than when.
    """

    def __init__(self, add: Add, size: int, roots: dict[int, str], limits: Moments) -> None:
        self.add, self.size, self.roots, self.limits = add, size, roots, limits
        self.streams = defaultdict[str, Stream](Stream)
        self.floors: Moments = {}  # what names a checkpoint of that size is no older than this
        self.newest, self.placed, self.limit = BEGINNING, BEGINNING, limits[0]
        self.here: Body = {}
        self.named: list[tuple[int, Key, Key | None]] = []  # index, key, the key it replaces
        # Keys that ask for two persons: by whom, the keys; nothing once another has decided.
        self.asked: dict[object, list[Any]] = {}
        self.evidence: list[tuple[Body, Body]] = []  # the entry that rests on it, the reference
        self.runs = defaultdict[str, dict[str, list[Any]]](lambda: defaultdict(list))
        self.raised_by: dict[str, str] = {}  # the run, by a finding's key
        # what was reported of rows: where, how many, digest
        self.ids: list[tuple[Body, int, str]] = []
        self.keys: dict[str, int] = {}  # senders' keys, with the first index

    def follow(self, index: int, data: bytes) -> None:
        """The next entry."""
        if index in self.limits:
            self.floors[index] = self.placed = self.newest - SLACK
            self.limit = self.limits[index]
        try:
            body = read_entry(data)
        except (ValueError, TypeError):
            self.add("entry-form", index=index)
            return
        name, n, payload = body["stream"], body["n"], body["payload"]
        self.here = {"index": index, "stream": name, "n": n, "at": body["at"]}
        stream = self.streams[name]
        if n != stream.n + 1:
            self._report("stream-number", expected=stream.n + 1)
        elif body["prev"] != stream.prev:
            self._report("stream-prev")
        if body["cp"] != stream.cp:
            self._names_checkpoint(stream, body["cp"], index)
        self._time(stream, moment(body["at"]))
        stream.n, stream.prev, stream.entries[n] = n, leaf_hash(data).hex(), data
        if name.startswith("table/") and payload.get("table", name[6:]) != name[6:]:
            self._report("stream-table")
        if self.keys.setdefault(body["key"], index) != index:
            self._report("key-twice", first=self.keys[body["key"]])
        if body["kind"] in ("signing-key-named/1", BY_TWO, DECIDED):
            self._key_named(body, (stream.prev, n, name))
        if body["kind"] in ("finding-raised/2", "finding-superseded/2"):
            self.evidence += [(self.here, each) for each, _ in walk(payload) if is_reference(each)]
        if body["kind"] in OF_RUN:
            self._of_run(payload, *OF_RUN[body["kind"]])
        ids, rows = str(payload.get("ids")), payload.get("size")
        if body["kind"] == "book-verified/1" and is_hash(ids) and type(rows) is int and rows > 0:
            self.ids.append((self.here, rows, ids))

    def _of_run(self, payload: Body, what: str, field: str) -> None:
        """What is said in the name of a run: of findings, and by its result of all of these."""
        run, value = str(payload.get("run")), payload.get(field)
        self.runs[run][what].append((self.here, value))
        if what == "raised":
            self.raised_by[str(value)] = run
        before = self.raised_by.get(str(value), run)
        if what == "superseded" and run in WATCHES and before not in WATCHES:
            self._report("watch-superseded")

    def finish(self) -> None:
        """After the last entry: what findings rest on is there, and is what they say."""
        for here, named in self.evidence:
            entry = self.entry(named["stream"], named["n"])
            if leaf_hash(entry).hex() != named["leaf"]:
                code = "evidence-wrong" if entry else "evidence-missing"
                self.add(code, **here, target=f"{named['stream']}/{named['n']}")
        for run, said in self.runs.items():
            self._judge_run(run, said)

    def entry(self, stream: str, n: int) -> bytes:
        """An entry by its stream and number; b"" where there is none."""
        return self.streams[stream].entries.get(n, b"")

    def _judge_run(self, run: str, said: dict[str, list[Any]]) -> None:
        """What a run's result tells is what was raised and superseded in its name."""
        keys = {name: sorted(str(key) for _, key in said[name]) for name in CHANGES}
        changed = [each for name in CHANGES for each in said[name]]
        if said["result"]:
            here, result = said["result"][-1]
            made: Body = {name: len({*those}) for name, those in keys.items()}
            made["digest"] = sha256(canonical(keys)).hexdigest()
            twice = made["raised"] + made["superseded"] < len(changed)
            if (twice or made != result) and (changed or result is not None):
                self.add("run-changes", **here, run=run, **made)
        elif changed and run not in WATCHES:
            here = changed[0][0]
            code = "run-not-ended" if said["started"] else "finding-of-no-run"
            if said["started"] or here["index"] < self.size - AT_ONCE:
                self.add(code, **here, run=run, count=len(changed))

    def _report(self, code: str, **details: Any) -> None:
        self.add(code, **self.here, **details)

    def _names_checkpoint(self, stream: Stream, cp: Body | None, index: int) -> None:
        """The checkpoint an entry names is a real one, and none its stream had left behind."""
        size, before = cp["size"] if cp else 0, stream.cp["size"] if stream.cp else 0
        if size > index:
            self._report("cp-ahead", size=size)
        elif cp and self.roots.get(size) != cp["root"]:
            self._report("cp-unknown", size=size)
        elif cp:
            stream.floor = max(stream.floor, self.floors[size])
        if size < before:
            self._report("cp-fell", size=size)
        stream.cp = cp

    def _time(self, stream: Stream, at: datetime) -> None:
        """Not before what it names, not after somebody saw it, not long before it was placed."""
        if at < stream.floor:
            self._report("time-before-checkpoint")
        if at > self.limit:
            self._report("time-after-witness")
        if stream.at - at > STEP:
            self._report("time-fell" if stream.at - at > SLACK else "time-step")
        if stream.floor <= at < self.placed:
            late = self.placed + SLACK - at
            code = "time-unproved" if late > LATE else "time-late"
            self._report(code, minutes=late // timedelta(minutes=1))
        stream.at, self.newest = at, max(at, self.newest)

    def _key_named(self, body: Body, place: object) -> None:
        """A key: of one person, until a book first asks two; then once another one approved it."""
        payload, staff = body["payload"], body["who"]["staff"].casefold()
        if body["kind"] == DECIDED:
            act = payload.get("act")
            place = (act["leaf"], act["n"], body["stream"]) if is_reference(act) else None
            first = self.asked.get(place)
            if first and first[0] != staff:
                self.asked[place] = []
                if payload.get("decision") == "approved":
                    self.named.append((self.here["index"], *first[1:]))
            return
        pair: Any = None  # the key, the one it replaces
        with suppress(ValueError):
            replaces = payload.get("replaces")
            new = read_key(str(payload.get("vkey")), LOG)
            pair = new, read_key(str(replaces), LOG) if replaces else None
        if pair is None or body["stream"] != "house":
            self._report("house-form")
        elif body["kind"] == BY_TWO:
            self.asked[place] = [staff, *pair]
        elif self.asked:
            self._report("key-alone")
        else:
            self.named.append((self.here["index"], *pair))


def after(seconds: int) -> datetime:
    """The last moment of what was seen then, in POSIX seconds (up to the year 3000)."""
    return BEGINNING + timedelta(seconds=min(seconds, 32_503_680_000)) + SLACK
