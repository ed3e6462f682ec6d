"""The pieces of a verification that need no database: a book of our own is held in memory."""

import hmac
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any, Final
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.verifying import entry_phase, private_phase
from audit.verifying.entry_phase import Entries
from audit.verifying.phase import Row
from audit.verifying.private_phase import Value
from audit.verifying.problems import KEPT, Report
from audit.verifying.sealed_columns import body_of, unlike
from casino.schema_digest import Line, _months_folded, differences
from casino.tlog.canonical import ENVELOPE_NULLS, canonical, instant_text
from casino.tlog.merkle import Frontier, leaf_hash, node_hash

pytestmark = pytest.mark.share

BEGUN: Final = datetime(2026, 11, 20, 21, tzinfo=UTC)
TILE: Final = 256


def entry(n: int, prev: str | None, table: str = "BJ-06") -> bytes:
    """Entry `n` of a table's stream."""
    at = instant_text(BEGUN + timedelta(seconds=n))
    body = {
        "at": at,
        "cp": None,
        "day": "2026-11-20",
        "key": str(UUID(int=n)),
        "kind": "card-burned/1",
        "n": n,
        "occurred": at,
        "payload": {"cards": 1, "partida": f"{table}/2026-11-20/1", "shoe": 1, "table": table},
        "prev": prev,
        "stream": f"table/{table}",
        "supersedes": None,
        "v": 1,
        "who": {"door": "admin", "office": "fiscal_de_banca", "staff": "S-0187"},
    }
    return canonical(body, nulls=ENVELOPE_NULLS)


def row_of(index: int, data: bytes) -> tuple[Any, ...]:
    """The same as a row."""
    n = index + 1
    at = BEGUN + timedelta(seconds=n)
    return (
        index,
        UUID(int=n),
        "table/BJ-06",
        n,
        UUID(int=n),
        "card-burned/1",
        date(2026, 11, 20),
        "BJ-06",
        "BJ-06/2026-11-20/1",
        at,
        at,
        data,
        leaf_hash(data),
    )


class Book:
    """A book in memory: what `fetch` finds there. `sizes` are those at which the tree was kept."""

    def __init__(self, size: int, sizes: list[int]) -> None:
        self.rows: dict[int, tuple[Any, ...]] = {}
        self.roots: dict[int, tuple[Any, ...]] = {}
        self.tiles: dict[tuple[int, int], bytes] = {}
        tree, prev = Frontier(), None
        row: list[list[bytes]] = [[], [], []]
        for index in range(size):
            data = entry(index + 1, prev)
            self.rows[index] = row_of(index, data)
            prev = leaf_hash(data).hex()
            tree.append(leaf_hash(data))
            if index + 1 in {*sizes, size}:
                made_at = BEGUN + timedelta(seconds=index)
                self.roots[index + 1] = (index + 1, tree.root(), tree.to_bytes(), made_at)
            self._fill(row, 0, leaf_hash(data))

    def _fill(self, row: list[list[bytes]], level: int, digest: bytes) -> None:
        row[level].append(digest)
        if len(row[level]) % TILE == 0:
            hashes = row[level][-TILE:]
            self.tiles[level, len(row[level]) // TILE - 1] = b"".join(hashes)
            while len(hashes) > 1:
                hashes = [node_hash(*hashes[at : at + 2]) for at in range(0, len(hashes), 2)]
            self._fill(row, level + 1, hashes[0])

    def alter(self, index: int) -> None:
        """Other bytes for an entry, which still is one."""
        row = self.rows[index]
        value = row[11].replace(b'"cards":1', b'"cards":2')
        self.rows[index] = (*row[:11], value, leaf_hash(value))

    def fetch(self, using: str, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        if statement == entry_phase._ENTRIES:
            return [self.rows[at] for at in range(*values) if at in self.rows]
        if statement == entry_phase._ROOTS:
            return [self.roots[at] for at in sorted(self.roots) if values[0] < at <= values[1]]
        if statement == entry_phase._TILES:
            level, first, last = values
            here = (n for of, n in self.tiles if of == level and first <= n < last)
            return [(n, self.tiles[level, n]) for n in here]
        if statement == entry_phase._TILES_THERE:
            levels = {level for level, _ in self.tiles}
            return [(of, max(n for level, n in self.tiles if level == of) + 1) for of in levels]
        return [(None,)] if statement == entry_phase._SEEN_NEXT else []

    def walk(self, monkeypatch: pytest.MonkeyPatch) -> Report:
        """What the pass over the entries says."""
        with monkeypatch.context() as patched:
            for module in (entry_phase, private_phase):
                patched.setattr(module, "fetch", self.fetch)
            walk: Any = SimpleNamespace(
                using="memory",
                report=Report(),
                size=max(self.roots, default=0),
                done=0,
                entries=0,
                root="",
            )
            phase = Entries(walk)
            while not phase.step():
                kept = phase.state()
                phase = Entries(walk, kept)
            report: Report = walk.report
            return report


def recorded(report: Report, code: str) -> list[dict[str, Any]]:
    return [each.where() | dict(each.details) for each in report.problems if each.code == code]


@pytest.fixture(scope="module")
def long_book() -> Book:
    """A thousand entries and a bit; the tree was kept every fifty."""
    return Book(1_050, list(range(50, 1_050, 50)))


def again(book: Book) -> Book:
    """The same book, to be altered."""
    copy = Book(0, [])
    copy.rows, copy.roots, copy.tiles = dict(book.rows), dict(book.roots), dict(book.tiles)
    return copy


@pytest.mark.parametrize(
    ("size", "sizes"),
    [(0, []), (1, [1]), (255, [1, 2, 3, 254]), (256, [256]), (257, [256]), (600, [1])],
)
def test_a_sound_book_raises_nothing(
    monkeypatch: pytest.MonkeyPatch, size: int, sizes: list[int]
) -> None:
    assert Book(size, sizes).walk(monkeypatch).problems == []


def test_a_sound_long_book_raises_nothing(long_book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    assert long_book.walk(monkeypatch).problems == []


@pytest.mark.parametrize("index", [0, 49, 50, 255, 256, 300, 511, 700, 1_023, 1_024, 1_049])
def test_an_altered_entry_lies_between_two_roots(
    long_book: Book, monkeypatch: pytest.MonkeyPatch, index: int
) -> None:
    book = again(long_book)
    book.alter(index)
    report = book.walk(monkeypatch)
    (root,) = recorded(report, "root-differs")
    assert root["since"] <= index < root["size"] <= root["since"] + 50
    leaves = [each["index"] for each in recorded(report, "tile-leaf")]
    assert leaves == ([index] if index < 1_024 else [])
    assert [each["n"] for each in recorded(report, "stream-prev")] == (
        [index + 2] if index < 1_049 else []
    )


def test_two_altered_entries_are_two_roots(
    long_book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = again(long_book)
    book.alter(120)
    book.alter(820)
    roots = recorded(book.walk(monkeypatch), "root-differs")
    assert [(each["since"], each["size"]) for each in roots] == [(100, 150), (800, 850)]


def test_an_altered_entry_is_told_though_no_root_was_kept_in_its_tile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    book = Book(1_050, [100, 1_030])
    book.alter(300)
    roots = recorded(book.walk(monkeypatch), "root-differs")
    assert [(each["since"], each["size"]) for each in roots] == [(100, 1_030)]


def test_an_altered_root_is_not_the_entries_fault(
    long_book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = again(long_book)
    size, _, frontier, made_at = book.roots[400]
    book.roots[400] = (size, bytes(32), frontier, made_at)
    report = book.walk(monkeypatch)
    assert report.counts == {"root-subtrees": 1, "root-differs": 1}
    assert recorded(report, "root-differs") == [{"size": 400, "since": 350}]


def test_the_root_over_whole_tiles_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    book = Book(600, [256, 512])
    book.roots[512] = (512, bytes(32), bytes(32), book.roots[512][3])
    roots = recorded(book.walk(monkeypatch), "root-differs")
    assert [(each["since"], each["size"]) for each in roots] == [(256, 512)]


def test_a_missing_place_and_a_missing_tile_are_named(
    long_book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = again(long_book)
    del book.rows[300]
    del book.tiles[0, 2]
    report = book.walk(monkeypatch)
    assert recorded(report, "place-missing") == [{"index": 300}]
    assert recorded(report, "tile-missing") == [{"level": 0, "tile": 2}]
    assert recorded(report, "stream-number") == [
        {"index": 301, "stream": "table/BJ-06", "n": 302, "expected": 301}
    ]


def test_a_tile_that_is_not_written_yet_is_not_missed(
    long_book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = again(long_book)
    del book.tiles[0, 3]
    assert book.walk(monkeypatch).problems == []


def test_a_clock_that_ran_back_between_two_trees_is_told(
    long_book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = again(long_book)
    size, root, frontier, made_at = book.roots[700]
    book.roots[700] = (size, root, frontier, made_at - timedelta(seconds=52))
    assert recorded(book.walk(monkeypatch), "clock-fell-in-tree") == [{"size": 700}]
    book.roots[700] = (size, root, frontier, made_at - timedelta(seconds=51))
    assert book.walk(monkeypatch).problems == []


@pytest.fixture
def a_row() -> Row:
    row = Row(*row_of(6, entry(7, "0" * 64)))
    row.body = body_of(row.entry)
    return row


def test_columns_that_say_what_the_bytes_say_are_fine(a_row: Row) -> None:
    assert list(unlike(a_row)) == []


@pytest.mark.parametrize(
    ("column", "other"),
    [
        ("stream", "table/BJ-07"),
        ("n", 8),
        ("key", UUID(int=8)),
        ("kind", "card-burned/2"),
        ("gaming_day", date(2026, 11, 21)),
        ("table_code", "BJ-07"),
        ("partida_id", "BJ-06/2026-11-20/2"),
        ("occurred_at", BEGUN),
        ("recorded_at", BEGUN),
    ],
)
def test_a_column_that_says_otherwise_is_named(a_row: Row, column: str, other: Any) -> None:
    setattr(a_row, column, other)
    assert column in list(unlike(a_row))


@pytest.mark.parametrize("junk", [b"", b"\x00", b"[]", b'{"payload":[]}', b"[" * 90_000, b"\xff"])
def test_bytes_that_are_no_entry_say_nothing(junk: bytes) -> None:
    assert body_of(junk) is None


def test_a_value_opens_its_commitment_alone() -> None:
    salt = bytes(range(32))
    digest = hmac.digest(salt, b'"Ana Matos"', "sha256").hex()
    assert private_phase._opens(digest, Value(salt, '"Ana Matos"'))
    assert private_phase._opens(digest, Value(salt, ' "Ana\\u0020Matos"'))
    for value in (
        Value(salt, '"Ana Mato"'),
        Value(bytes(32), '"Ana Matos"'),
        Value(None, '"Ana Matos"'),
        Value(salt, None),
        Value(salt, "1.5"),
        Value(salt, "{"),
    ):
        assert not private_phase._opens(digest, value)


def test_the_gravest_thing_decides_the_verdict() -> None:
    report = Report()
    assert report.verdict == 0
    report("time-step", index=1, stream="house", n=2)
    assert report.verdict == 0
    report("no-checkpoint")
    assert report.verdict == 2
    report("column", index=1, column="kind")
    report("no-policy")
    assert report.verdict == 1
    assert (report.count(), report.count("unseen"), report.count("note")) == (1, 2, 1)


def test_what_is_not_kept_is_counted_and_each_kind_is_told_once() -> None:
    report = Report()
    for index in range(KEPT + 5):
        report("column", index=index, column="kind")
    report("stream-head", stream="house")
    assert len(report.problems) == KEPT + 1
    assert report.problems[-1].code == "stream-head"
    assert report.count() == KEPT + 6
    assert Report(report.state()).state() == report.state()


# The schema: what a month's partition may be.

PARENT: Final = "public.casino_round"


def of_parent(table: str = PARENT, month: str = "") -> list[Line]:
    """The lines of a table that is as its parent, or the parent's own."""
    bounds = Line(
        table, "part", "", f"of {PARENT} FOR VALUES FROM ('2026-12-01') TO ('2027-01-01')"
    )
    rights = [("of app", "INSERT,SELECT"), ("of owner", "ALL"), ("of reader", "SELECT")]
    return [
        Line(table, "column", "n", "bigint not null"),
        Line(table, "index", f"any_name{month}", "CREATE INDEX USING btree (n)"),
        Line(table, "trigger", f"casino_round{month}_whole", f"always on ON casino_round{month}"),
        *([bounds] if month else [Line(table, "kind", "", "p RANGE (gaming_day)")]),
        *(Line(table, "right", *right) for right in rights if not (month and right[0] == "of app")),
    ]


def folded(lines: list[Line]) -> list[str]:
    return sorted(map(str, _months_folded(iter(lines))))


MONTH: Final = of_parent(f"{PARENT}_2026_12", "_2026_12")


def test_a_month_like_its_parent_says_nothing() -> None:
    assert folded([*of_parent(), *MONTH]) == folded(of_parent())


@pytest.mark.parametrize("at", range(len(MONTH)))
def test_a_month_that_lacks_something_says_what(at: int) -> None:
    lacking = [line for place, line in enumerate(MONTH) if place != at]
    more = [line for line in folded([*of_parent(), *lacking]) if line not in folded(of_parent())]
    assert len(more) == 1
    assert more[0].startswith(f"less: {MONTH[at].what} public.casino_round_2026_12")


def test_a_month_with_something_more_says_what() -> None:
    more = Line(f"{PARENT}_2026_12", "right", "of app", "SELECT")
    lines = folded([*of_parent(), *MONTH, more])
    assert "more: right public.casino_round_2026_12 of app: SELECT" in lines


@given(st.integers(1990, 2199), st.integers(1, 12))
def test_a_month_has_the_days_of_its_name(year: int, month: int) -> None:
    table = f"{PARENT}_{year}_{month:02d}"
    after = date(year + month // 12, month % 12 + 1, 1)
    recorded_bounds = f"FROM ('{year}-{month:02d}-01') TO ('{after.isoformat()}')"
    lines = [
        Line(table, line.what, line.name, f"of {PARENT} FOR VALUES {recorded_bounds}")
        if line.what == "part"
        else Line(table, *line[1:])
        for line in of_parent(f"{PARENT}_2026_12", "_2026_12")
    ]
    assert folded([*of_parent(), *lines]) == folded(of_parent())


def test_differences_say_what_is_gone_and_what_is_new() -> None:
    assert differences(["a: 1", "b: 1"], ["b: 2", "a: 1", "c: 1"]) == ["- b: 1", "+ b: 2", "+ c: 1"]
