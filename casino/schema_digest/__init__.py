"""What the database looks like, as one digest: what holds the book, and who may do what to it.

`lines` says it in sentences a person can compare, one thing a line, sorted: tables, columns, rules,
triggers and whether they are on, functions with the digest of their text, rights, owners, roles.
`digest` is the SHA-256 over them. It is the same whoever asks, and however many months of rounds
there are: a month's partition says nothing where it is as `ensure_round_partition` makes it, and
else says how it differs.

Any connection to the database will do: Django's or psycopg's own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

_HERE: Final = Path(__file__).parent
# One statement each: all of it is seen at one moment.
OF_THE_TABLES: Final = (_HERE / "tables.sql").read_text("utf-8")
OF_THE_SERVER: Final = (_HERE / "server.sql").read_text("utf-8")
# What comes out of the catalogue hangs on these.
_PLAIN: Final = {
    "search_path": "pg_catalog",
    "datestyle": "ISO, YMD",
    "timezone": "UTC",
    "intervalstyle": "iso_8601",
    "bytea_output": "hex",
    "quote_all_identifiers": "off",
}
# Tables with a partition for each month, and who but the owner may do what to a partition.
MONTHLY: Final[Mapping[str, Mapping[str, str]]] = {
    "public.casino_round": {"reader": "SELECT"},
}
_MONTH: Final = re.compile(rf"({'|'.join(map(re.escape, MONTHLY))})_([0-9]{{4}})_([0-9]{{2}})")
# What a partition names as it likes: only how it looks is compared.
_NAMED_FREELY: Final = frozenset({"constraint", "index"})


class Digest(NamedTuple):
    """The SHA-256 (64 hex digits) of what a database looks like, and the lines it is made of."""

    sha256: str
    lines: list[str]

    @property
    def text(self) -> bytes:
        """What was hashed: the lines, each with its end."""
        return "".join(f"{line}\n" for line in self.lines).encode()

    @staticmethod
    def of_text(text: bytes) -> str:
        """The digest of lines that were kept as a file."""
        return sha256(text).hexdigest()


class Line(NamedTuple):
    """One thing: the table it belongs to ('' for none), what and which it is, how it looks."""

    table: str
    what: str
    name: str
    text: str

    def __str__(self) -> str:
        which = " ".join(part for part in (self.what, self.table, self.name) if part)
        return f"{which}: {self.text}" if self.text else which


def digest(connection: object, *, server: bool = True) -> Digest:
    """What the database looks like now.

    `server` False leaves out what belongs to the server and no dump brings along: roles and their
    settings, who may connect, the built-in functions.
    """
    digest = Digest("", lines(connection, server=server))
    return Digest(Digest.of_text(digest.text), digest.lines)


def lines(connection: Any, *, server: bool = True) -> list[str]:
    """The lines, sorted."""
    asked = (OF_THE_TABLES, OF_THE_SERVER) if server else (OF_THE_TABLES,)
    with connection.cursor() as cursor, _plain_catalogue(cursor):
        return sorted(map(str, _months_folded(_all_of(cursor, asked))))


def differences(before: Sequence[str], now: Sequence[str]) -> list[str]:
    """What is gone (``- ...``) and what is new (``+ ...``), sorted by what it is about."""
    gone = [(line, "-") for line in set(before) - set(now)]
    new = [(line, "+") for line in set(now) - set(before)]
    return [f"{sign} {line}" for line, sign in sorted([*gone, *new])]


@contextmanager
def _plain_catalogue(cursor: Any) -> Iterator[None]:
    """Let the catalogue answer the same whoever asks; afterwards all is set as before."""
    before = {}
    for name in _PLAIN:
        cursor.execute("SELECT current_setting(%s)", [name])
        before[name] = cursor.fetchone()[0]
    _set(cursor, _PLAIN)
    try:
        yield
    finally:
        _set(cursor, before)


def _set(cursor: Any, settings: Mapping[str, str]) -> None:
    for name, value in settings.items():
        cursor.execute("SELECT set_config(%s, %s, false)", [name, value])


def _all_of(cursor: Any, queries: Sequence[str]) -> Iterator[Line]:
    for query in queries:
        cursor.execute(query)
        for table, what, name, text in cursor.fetchall():
            yield Line(table or "", what, name, text or "")


def _months_folded(lines: Iterator[Line]) -> Iterator[Line]:
    """The lines; of a month's partition only those in which it differs from what it should be."""
    parents: dict[str, set[Line]] = {name: set() for name in MONTHLY}
    months: dict[str, set[Line]] = {}
    for line in lines:
        if _MONTH.fullmatch(line.table):
            months.setdefault(line.table, set()).add(_compared(line))
            continue
        if line.table in parents:
            parents[line.table].add(_compared(line))
        yield line
    for month, listed in sorted(months.items()):
        asked = _asked_of(month, parents)
        yield from (Line(month, f"more: {each.what}", *each[2:]) for each in listed - asked)
        yield from (Line(month, f"less: {each.what}", *each[2:]) for each in asked - listed)


def _compared(line: Line) -> Line:
    """A line as it is compared: without the month, and without a name that is nobody's business."""
    if line.what == "part":  # its bounds are what makes it this month
        return Line("", *line[1:])
    name = "" if line.what in _NAMED_FREELY else _without_month(line.name)
    return Line("", line.what, name, _without_month(line.text))


def _without_month(text: str) -> str:
    for parent in MONTHLY:
        plain = parent.removeprefix("public.")
        text = re.sub(rf"\b{plain}_[0-9]{{4}}_[0-9]{{2}}(?=\b|_)", plain, text)
    return text


def _asked_of(month: str, parents: Mapping[str, set[Line]]) -> set[Line]:
    """What a month's partition has to look like: its parent, with bounds and rights of its own."""
    named = _MONTH.fullmatch(month)
    assert named is not None
    parent = named[1]
    same = {line for line in parents[parent] if line.what not in ("kind", "right")}
    owned = {line for line in parents[parent] if line.what == "right" and line.name == "of owner"}
    granted = {Line("", "right", f"of {who}", rights) for who, rights in MONTHLY[parent].items()}
    return same | owned | granted | {Line("", "part", "", f"of {parent} {_bounds(named)}")}


def _bounds(match: re.Match[str]) -> str:
    try:
        first = date(int(match[2]), int(match[3]), 1)
    except ValueError:
        return "of a month there is not"
    after = (first + timedelta(days=31)).replace(day=1)
    return f"FOR VALUES FROM ('{first.isoformat()}') TO ('{after.isoformat()}')"
