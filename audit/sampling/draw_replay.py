"""What a copy of the book says of each draw, held against the procedure.

A whole copy is asked for: which rounds a draw was made of shows only where none is left out.
Signatures and the tree are the verifier's matter; here the root of the one checkpoint that gave the
seed is made again from the entries.
"""

import base64
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from audit.sampling.procedure import (
    Drawn,
    Round,
    Wanted,
    commitment_of,
    draw,
    is_secret,
    seed_of,
)
from audit.verify.tree import TILE, BadInput, Folder, leaf_hash, root_of, tile_path

FORMAT: Final = "livro-da-sala-bundle/1"
COMMITTED, MADE, ROUND = "draw-committed/1", "draw-made/1", "round-played/1"
_MARKS: Final = [f'"kind":"{kind}"'.encode() for kind in (COMMITTED, MADE, ROUND)]

Details = dict[str, object]  # what a sentence of `draw_words` names


class Ref(NamedTuple):
    """An entry, as another names it: stream, number, leaf hash in hex."""

    stream: str
    n: int
    leaf: str


class Played(NamedTuple):
    """A round with its place in the tree, counted from 0, and its gaming day, ``2026-11-20``."""

    place: int
    day: str
    round: Round


class Head(NamedTuple):
    """What a checkpoint says: how many entries, and their root in hex."""

    size: int
    root: str


@dataclass(frozen=True, slots=True)
class Committed:
    """A commitment: where it stands in the tree, who wrote it, what it asks for."""

    place: int
    ref: Ref
    staff: str
    from_day: str
    to_day: str
    tables: tuple[str, ...]
    wanted: Wanted
    commitment: str


@dataclass(frozen=True, slots=True)
class Made:
    """A result: the commitment, secret and checkpoint it names, and what was drawn by it."""

    place: int
    committed: Ref
    secret: str
    head: Head
    drawn: Drawn


@dataclass
class Copy:
    """What of a bundle bears on draws."""

    size: int
    heads: list[Head]
    leaves: list[bytes] = field(default_factory=list)
    rounds: list[Played] = field(default_factory=list)
    committed: dict[int, list[Committed]] = field(default_factory=lambda: defaultdict(list))
    made: dict[int, list[Made]] = field(default_factory=lambda: defaultdict(list))


class Said(NamedTuple):
    """One thing found: a code of `draw_words`, the draw it is of, what is told with it."""

    code: str
    draw: int | None
    details: Details


def read_copy(path: str) -> Copy:
    """Read a bundle. Raises: BadInput, with a code of `draw_words` and the file."""
    folder = Folder(path, _refuse)
    try:
        manifest = json.loads(folder.read("bundle.json", most=65536))
        whole, size = manifest["scope"] == {"kind": "full"}, manifest["size"]
        if manifest["format"] != FORMAT or type(size) is not int or size < 0:
            raise ValueError("bundle")
    except (ValueError, TypeError, KeyError):
        raise BadInput("bundle-form", "bundle.json") from None
    if not whole:
        raise BadInput("part", path)
    copy = Copy(size, _heads(folder))
    for place, entry in enumerate(_entries(folder, size)):
        _take(copy, place, entry)
    return copy


def _refuse(code: str, file: str = "") -> None:
    """Whatever a file has that it must not have. Raises: BadInput, always."""
    raise BadInput("file-form", file)


def _heads(folder: Folder) -> list[Head]:
    """Every checkpoint of the copy, by size."""
    heads = []
    for line in folder.read("checkpoints.jsonl").splitlines():
        try:
            _, size, root, *_ = json.loads(line).split("\n")
            heads.append(Head(int(size), base64.b64decode(root, validate=True).hex()))
        except (ValueError, AttributeError):
            raise BadInput("file-form", "checkpoints.jsonl") from None
    return sorted(heads)


def _entries(folder: Folder, size: int) -> Iterator[bytes]:
    """Every entry in the tree's order: each after its length in two bytes, 256 in a file."""
    for n in range(-(-size // TILE)):
        width, start = min(TILE, size - n * TILE), 0
        data = folder.read(name := tile_path("entries", n, width), most=TILE * 65537)
        for _ in range(width):
            end = start + 2 + int.from_bytes(data[start : start + 2], "big")
            if not start + 2 <= len(data) >= end:
                _refuse("file-form", name)
            yield data[start + 2 : end]
            start = end
        if start != len(data):
            _refuse("file-form", name)


def _take(copy: Copy, place: int, entry: bytes) -> None:
    """One entry, as far as it bears on draws."""
    leaf = leaf_hash(entry)
    copy.leaves.append(leaf)
    if not any(mark in entry for mark in _MARKS):
        return
    try:
        body = json.loads(entry)
        kind, payload = body["kind"], body["payload"]
        ref = Ref(str(body["stream"]), int(body["n"]), leaf.hex())
        if kind == ROUND and body["supersedes"] is None:  # a correction is no second round
            copy.rounds.append(Played(place, str(body["day"]), Round(*ref)))
        elif kind == COMMITTED:
            committed = Committed(
                place,
                ref,
                str(body["who"]["staff"]),
                str(payload["from_day"]),
                str(payload["to_day"]),
                tuple(map(str, payload["tables"])),
                Wanted(
                    int(payload["tables_wanted"]),
                    int(payload["tables_in_reserve"]),
                    int(payload["rounds_wanted"]),
                    int(payload["rounds_in_reserve"]),
                ),
                str(payload["commitment"]),
            )
            copy.committed[int(payload["draw"])].append(committed)
        elif kind == MADE:
            head = Head(int(payload["size"]), str(payload["root"]))
            drawn = Drawn(
                population=int(payload["population"]),
                population_tables=int(payload["population_tables"]),
                digest=str(payload["digest"]),
                tables=tuple(map(str, payload["tables"])),
                reserve_tables=tuple(map(str, payload["reserve_tables"])),
                rounds=tuple(Round(**one) for one in payload["rounds"]),
                reserve_rounds=tuple(Round(**one) for one in payload["reserve_rounds"]),
            )
            made = Made(place, Ref(**payload["committed"]), str(payload["secret"]), head, drawn)
            copy.made[int(payload["draw"])].append(made)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BadInput("entry-form", str(place)) from None


def replay(copy: Copy, wanted: int | None = None) -> list[Said]:
    """What is found of each draw, or of the one that is wanted, in their order."""
    known = sorted({*copy.committed, *copy.made})
    asked = known if wanted is None else [wanted]
    found = [
        Said(code, number, details) for number in asked for code, details in _of_draw(copy, number)
    ]
    return found or [Said("no-draw", None, {})]


def _of_draw(copy: Copy, number: int) -> list[tuple[str, Details]]:
    """One draw: codes, with their details."""
    committed, made = copy.committed.get(number, []), copy.made.get(number, [])
    if not committed:
        return [("no-commitment" if made else "no-such-draw", {})]
    if len(committed) > 1 or len(made) > 1:
        return [("twice", {"committed": len(committed), "made": len(made)})]
    one = committed[0]
    head = _first(copy, one.place)
    if head is None:
        return [("no-checkpoint", {"place": one.place})]
    if not made:
        return [("not-revealed", {"staff": one.staff, "size": head.size})]
    found = _held_against(copy, one, made[0], head)
    for other, places in copy.committed.items():
        if any(each.commitment == one.commitment and each.place < one.place for each in places):
            # Whoever saw that secret revealed could know this seed before it was signed.
            differing = [each for each in found if each[0] != "same"]
            return [*differing, ("used-before", {"other": other})]
    return found


def _held_against(
    copy: Copy, committed: Committed, made: Made, head: Head
) -> list[tuple[str, Details]]:
    """What differs, with what was found and what it should be; or `same`."""
    found: list[tuple[str, Details]] = []
    if made.committed != committed.ref:
        found.append(("another-commitment", {"found": made.committed.n}))
    if not is_secret(made.secret) or commitment_of(made.secret) != committed.commitment:
        return [*found, ("commitment", {"expected": committed.commitment})]
    if made.head != head:
        details: Details = {"found": made.head.size, "expected": head.size, "root": head.root}
        found.append(("checkpoint", details))
    if head.size > copy.size or root_of(copy.leaves[: head.size]).hex() != head.root:
        return [*found, ("root", {"size": head.size})]
    seed = seed_of(made.secret, head.root)
    drawn = draw(seed, _population(copy.rounds, committed, head.size), committed.wanted)
    found += differences(drawn, made.drawn)
    if found:
        return found
    sums: Details = {"population": drawn.population, "population_tables": drawn.population_tables}
    return [("same", {"seed": seed, "size": head.size, "digest": drawn.digest, **sums})]


def differences(drawn: Drawn, in_book: Drawn) -> list[tuple[str, Details]]:
    """What an entry says otherwise than the procedure gives: codes, each with the first place.

    Places in a list are counted from 1.
    """
    found: list[tuple[str, Details]] = [
        ("population", {"name": name, "found": theirs, "expected": ours})
        for name, ours, theirs in (
            ("population", drawn.population, in_book.population),
            ("population_tables", drawn.population_tables, in_book.population_tables),
            ("digest", drawn.digest, in_book.digest),
        )
        if ours != theirs
    ]
    if found:  # out of another population nothing of what follows can be the same
        return found
    lists: tuple[tuple[str, Sequence[str | Round], Sequence[str | Round]], ...] = (
        ("tables", drawn.tables, in_book.tables),
        ("reserve_tables", drawn.reserve_tables, in_book.reserve_tables),
        ("rounds", drawn.rounds, in_book.rounds),
        ("reserve_rounds", drawn.reserve_rounds, in_book.reserve_rounds),
    )
    for name, ours, theirs in lists:
        for place in range(max(len(ours), len(theirs))):
            if ours[place : place + 1] != theirs[place : place + 1]:
                details = {"found": _named(theirs, place), "expected": _named(ours, place)}
                found.append((f"list-{name}", {"place": place + 1, **details}))
                break
    return found


def _population(played: Sequence[Played], committed: Committed, size: int) -> list[Round]:
    """The rounds of the days and tables a commitment names, among the first so many entries."""
    return [
        each.round
        for each in played
        if each.place < size
        and committed.from_day <= each.day <= committed.to_day
        and (not committed.tables or each.round.table in committed.tables)
    ]


def _first(copy: Copy, place: int) -> Head | None:
    """The first checkpoint that covers an entry."""
    return next((head for head in copy.heads if head.size > place), None)


def _named(items: Sequence[str | Round], place: int) -> str:
    """A table, or a round as its stream and number; '–' beyond the end."""
    if place >= len(items):
        return "–"
    one = items[place]
    return one if isinstance(one, str) else f"{one.stream}/{one.n}"
