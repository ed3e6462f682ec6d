"""What somebody in the house might do to a bundle, or to the book before it is handed out.

A mutation takes a book, the files of its bundle and dice, and gives what it made of the files, with
what must be named: an entry, a file, or a code where the damage is everywhere at once. Most come in
two guises, one clumsy and one that mends whatever can be mended without the key.
"""

import json
import random
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from casino.tlog.merkle import leaf_hash
from casino.tlog.tiles import pack_entries, tile_path, unpack_entries
from tests.verifier.maker import WATCH, Book, canonical, key

Files = dict[str, bytes]


@dataclass
class Mutated:
    """The files that changed (None: gone), and what a verification must name, any one of them."""

    files: dict[str, bytes | None]
    indices: set[int] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    codes: set[str] = field(default_factory=set)
    older: list[str] = field(default_factory=list)
    receipts: list[str] = field(default_factory=list)


Mutation = Callable[[Book, Files, random.Random], Mutated]


def entries_file(files: Files, index: int) -> str:
    """The file an entry lies in."""
    n = index // 256
    names = (name for name in files if name.startswith("tile/entries/"))
    return next(name for name in names if name.partition(".p/")[0] == tile_path("entries", n))


def with_entries(files: Files, entries: list[bytes]) -> dict[str, bytes | None]:
    """Entries laid out anew in the files there are; what is too much lies in the last."""
    names = sorted(name for name in files if name.startswith("tile/entries/"))
    changed: dict[str, bytes | None] = {}
    for n, name in enumerate(names):
        last = len(entries) if name == names[-1] else n * 256 + 256
        changed[name] = pack_entries(entries[n * 256 : last])
    return {name: data for name, data in changed.items() if data != files[name]}


def replaced(files: Files, index: int, entry: bytes) -> dict[str, bytes | None]:
    """One entry's bytes exchanged."""
    name = entries_file(files, index)
    entries = unpack_entries(files[name])
    entries[index % 256] = entry
    return {name: pack_entries(entries)}


def with_digests(files: Files, changed: dict[str, bytes | None]) -> dict[str, bytes | None]:
    """The same, with the digests in bundle.json mended."""
    value = json.loads(files["bundle.json"])
    for name in value["digests"]:
        data = changed.get(name, files[name])
        assert data is not None
        value["digests"][name] = sha256(data).hexdigest()
    return changed | {"bundle.json": canonical(value)}


def retold(entry: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """An entry that tells something else, written as it must be."""
    body = json.loads(entry)
    change(body)
    return canonical(body)


def pick(book: Book, dice: random.Random, *kinds: str) -> int:
    """An entry of one of these kinds, or any."""
    of = [
        index
        for index, entry in enumerate(book.entries)
        if not kinds or any(f'"kind":"{kind}/1"'.encode() in entry for kind in kinds)
    ]
    return dice.choice(of)


def edit(book: Book, files: Files, dice: random.Random) -> Mutated:
    index = pick(book, dice)
    entry = bytearray(book.entries[index])
    place = dice.randrange(len(entry))
    entry[place] ^= dice.choice([1, 2, 4, 8, 16, 32, 64, 128])
    return Mutated(replaced(files, index, bytes(entry)), {index})


def money(book: Book, files: Files, dice: random.Random) -> Mutated:
    """Another number in a payload, written as it must be, and the tile mended."""
    index = pick(book, dice, "round-played", "card-burned")
    entry = retold(book.entries[index], lambda body: body["payload"].update(shoe=9))
    changed = replaced(files, index, entry)
    if dice.random() < 0.5:
        name = entries_file(files, index).replace("entries", "0")
        at = index % 256 * 32
        changed[name] = files[name][:at] + leaf_hash(entry) + files[name][at + 32 :]
        return Mutated(changed, {index}, {name}, {f"since {index}"})
    return Mutated(changed, {index})


def delete(book: Book, files: Files, dice: random.Random) -> Mutated:
    index = pick(book, dice)
    entries = [*book.entries]
    del entries[index]
    if dice.random() < 0.5:  # only its own file is written anew
        name, first = entries_file(files, index), index // 256 * 256
        end = min(first + 256, len(book.entries))
        return Mutated({name: pack_entries(entries[first : end - 1])}, {index, index + 1})
    return Mutated(with_entries(files, entries), {index, index + 1})


def insert(book: Book, files: Files, dice: random.Random) -> Mutated:
    index = pick(book, dice)
    forged = retold(book.entries[index], lambda body: body["payload"].update(shoe=7))
    entries = [*book.entries[:index], forged, *book.entries[index:]]
    if dice.random() < 0.5:
        entries.pop()
    return Mutated(with_entries(files, entries), {index, index + 1})


def swap(book: Book, files: Files, dice: random.Random) -> Mutated:
    one, other = dice.sample(range(len(book.entries)), 2)
    entries = [*book.entries]
    entries[one], entries[other] = entries[other], entries[one]
    return Mutated(with_entries(files, entries), {min(one, other)})


def duplicate(book: Book, files: Files, dice: random.Random) -> Mutated:
    one, other = dice.sample(range(len(book.entries)), 2)
    return Mutated(replaced(files, other, book.entries[one]), {other})


def tail_cut(book: Book, files: Files, dice: random.Random) -> Mutated:
    size = len(book.entries)
    cut = dice.randrange(1, size % 256)
    name = entries_file(files, size - 1)
    changed: dict[str, bytes | None] = {
        name: pack_entries(book.entries[size - size % 256 : size - cut])
    }
    return Mutated(changed, {size - cut})


def hash_bit(book: Book, files: Files, dice: random.Random) -> Mutated:
    names = [name for name in files if name.startswith("tile/") and "entries" not in name]
    name = dice.choice(sorted(names))
    tile = bytearray(files[name])
    tile[dice.randrange(len(tile))] ^= 1 << dice.randrange(8)
    return Mutated({name: bytes(tile)}, named={name})


def time_shift(book: Book, files: Files, dice: random.Random) -> Mutated:
    index = pick(book, dice)
    value = json.loads(book.entries[index])
    moment = f"2026-11-{dice.randrange(10, 20)}{value['at'][10:]}"
    field_ = dice.choice(["at", "occurred"])
    return Mutated(
        replaced(
            files, index, retold(book.entries[index], lambda body: body.update({field_: moment}))
        ),
        {index},
    )


def author_swap(book: Book, files: Files, dice: random.Random) -> Mutated:
    index = pick(book, dice)
    entry = retold(book.entries[index], lambda body: body["who"].update(staff="S-0999"))
    return Mutated(replaced(files, index, entry), {index})


def witness_swap(book: Book, files: Files, dice: random.Random) -> Mutated:
    index = pick(book, dice, "witnessed")

    def other(body: dict[str, Any]) -> None:
        body["payload"]["staff"] = body["who"]["staff"] = "S-0998"

    return Mutated(replaced(files, index, retold(book.entries[index], other)), {index})


def checkpoint_edit(book: Book, files: Files, dice: random.Random) -> Mutated:
    lines = files["checkpoints.jsonl"].splitlines(keepends=True)
    number = dice.randrange(len(lines))
    line = bytearray(lines[number])
    line[dice.randrange(len(line))] ^= 1
    lines[number] = bytes(line)
    changed = with_digests(files, {"checkpoints.jsonl": b"".join(lines)})
    return Mutated(changed, named={"checkpoints.jsonl"})


def checkpoint_dropped(book: Book, files: Files, dice: random.Random) -> Mutated:
    """One that entries name, and the digest mended."""
    named = {json.loads(entry)["cp"]["size"] for entry in book.entries[1000:]}
    size = dice.choice(sorted(named))
    lines = [canonical(book.notes[each]) + b"\n" for each in sorted(book.notes) if each != size]
    first = next(
        index for index, entry in enumerate(book.entries) if f'"size":{size}}}'.encode() in entry
    )
    changed = with_digests(files, {"checkpoints.jsonl": b"".join(lines)})
    return Mutated(changed, {first})


def attachment_swap(book: Book, files: Files, dice: random.Random) -> Mutated:
    names = sorted(name for name in files if name.startswith("private/attachments/"))
    one = dice.choice(names)
    if dice.random() < 0.3:  # one that nobody named
        name = f"private/attachments/{sha256(b'forged').hexdigest()}"
        return Mutated({name: b"forged"}, named={name})
    return Mutated({one: files[dice.choice([n for n in names if n != one])]}, named={one})


def opening_edit(book: Book, files: Files, dice: random.Random) -> Mutated:
    name = "private/openings.jsonl"
    listed = [json.loads(line) for line in files[name].splitlines()]
    one = dice.choice(listed)
    match dice.randrange(4):
        case 0:
            one["value"] = "Inês não viu nada"
        case 1:
            one["salt"] = dice.randbytes(32).hex()
        case 2:
            one["index"] += 1
        case 3:
            listed.append(one | {"field": "zzz"})
    listed.sort(key=lambda each: (each["index"], each["field"]))
    data = b"".join(canonical(each) + b"\n" for each in listed)
    return Mutated(with_digests(files, {name: data}), named={name})


def manifest_edit(book: Book, files: Files, dice: random.Random) -> Mutated:
    value = json.loads(files["bundle.json"])
    change: dict[str, Any] = dice.choice(
        [
            {"size": value["size"] - 1},
            {"entries": value["entries"] - 1},
            {"origin": "livro.example/outra"},
            {"root": sha256(b"another").hexdigest()},
            {"scope": {"kind": "table", "table": "BJ-01"}},
            {"digests": value["digests"] | {"ids": sha256(b"").hexdigest()}},
        ]
    )
    return Mutated(
        {"bundle.json": canonical(value | change)}, named={"bundle.json", "shown/000000"}
    )


def tree_mended(book: Book, files: Files, dice: random.Random) -> Mutated:
    """An entry altered, and every tile worked out anew; only the signatures are as they were."""
    index = pick(book, dice, "round-played")
    forged = book.copy()
    forged.entries[index] = retold(
        book.entries[index], lambda body: body["payload"].update(number=1)
    )
    changed = {name: tile for name, tile in forged.tiles().items() if tile != files[name]}
    return Mutated(
        changed | replaced(files, index, forged.entries[index]), codes={f"since {index}"}
    )


def policy_swap(book: Book, files: Files, dice: random.Random) -> Mutated:
    other = key(book.origin, dice.randrange(2, 1000))
    changed = with_digests(files, {"policy": book.policy([other]).encode()})
    return Mutated(changed, named={"checkpoint", "checkpoints.jsonl"})


def ids_edit(book: Book, files: Files, dice: random.Random) -> Mutated:
    ids = bytearray(files["ids"])
    ids[dice.randrange(len(ids))] ^= 1 << dice.randrange(8)
    return Mutated({"ids": bytes(ids)}, named={"ids"})


def file_gone(book: Book, files: Files, dice: random.Random) -> Mutated:
    names = [name for name in files if not name.startswith("private/attachments/")]
    name = dice.choice(sorted(names))
    return Mutated({name: None}, named={name})


def behind_a_hole(book: Book, files: Files, dice: random.Random) -> Mutated:
    """An entry altered, and another file taken away so that nobody gets as far as that."""
    mutated = dice.choice([edit, money, author_swap, tree_mended])(book, files, dice)
    names = sorted(name for name in files if name.startswith("tile/entries/"))
    gone = dice.choice([name for name in (names[0], *names) if name not in mutated.files])
    mutated.files |= {gone: None, gone.replace("entries", dice.choice(["0", "entries"])): None}
    return mutated


# With the house's own keys: found through what was kept outside, or through what cannot be.


def _exchanged(book: Book, files: Files, new: Book) -> dict[str, bytes | None]:
    made = new.files_of()
    gone: dict[str, bytes | None] = {name: None for name in files if name not in made}
    return gone | {name: data for name, data in made.items() if files.get(name) != data}


def history(book: Book, files: Files, dice: random.Random) -> Mutated:
    """A round rewritten, everything after it chained and signed anew with the true key."""
    index = pick(book, dice, "round-played")

    def change(at: int, body: dict[str, Any]) -> dict[str, Any] | None:
        if at == index:
            body["payload"]["number"] = 1
        return body

    mutated = Mutated(_exchanged(book, files, book.rewritten(change)))
    return _kept_outside(mutated, book, index, dice)


def history_cut(book: Book, files: Files, dice: random.Random) -> Mutated:
    """A complaint nobody wants any more: left out, and what follows moved up and signed anew."""
    index = pick(book, dice, "round-played", "table-registered")

    def change(at: int, body: dict[str, Any]) -> dict[str, Any] | None:
        return None if at == index else body

    moved = book.copy()
    moved.openings = [
        each | {"index": each["index"] - (each["index"] > index)}
        for each in book.openings
        if each["index"] != index
    ]
    new = moved.rewritten(change)
    return _kept_outside(Mutated(_exchanged(book, files, new)), book, index, dice)


def _kept_outside(mutated: Mutated, book: Book, index: int, dice: random.Random) -> Mutated:
    later = sorted(size for size in book.notes if size > index)
    if later and dice.random() < 0.5:
        mutated.older, mutated.codes = (
            [book.notes[dice.choice(later)]],
            {"older-differs", "older-longer"},
        )
    else:
        mutated.receipts, mutated.codes = (
            [book.receipt(index)],
            {"receipt-wrong", "receipt-missing"},
        )
    return mutated


def end_cut(book: Book, files: Files, dice: random.Random) -> Mutated:
    """The last records cut off, the rest signed anew; somebody holds a receipt or a checkpoint."""
    end = dice.randrange(len(book.entries) - 200, len(book.entries))
    moved = book.copy()
    moved.openings = [each for each in book.openings if each["index"] < end]
    new = moved.rewritten(lambda at, body: body if at < end else None)
    mutated = Mutated(_exchanged(book, files, new))
    if dice.random() < 0.5:
        mutated.older, mutated.codes = [book.notes[max(book.notes)]], {"older-longer"}
    else:
        mutated.receipts = [book.receipt(dice.randrange(end, len(book.entries)))]
        mutated.codes = {"receipt-missing", "receipt-not-yet"}
    return mutated


def back_dated(book: Book, files: Files, dice: random.Random) -> Mutated:
    """An hour earlier, chained and signed anew with the true key: its own `cp` gives it away."""
    index = pick(book, dice)
    value = json.loads(book.entries[index])
    if not value["cp"]:
        index = len(book.entries) - 1

    def change(at: int, body: dict[str, Any]) -> dict[str, Any] | None:
        if at == index:
            body["at"] = body["at"].replace("2026-11-20T", "2026-11-19T")
            body["at"] = body["at"].replace("2026-11-21T", "2026-11-19T")
        return body

    return Mutated(_exchanged(book, files, book.rewritten(change)), {index})


def own_approval(book: Book, files: Files, dice: random.Random) -> Mutated:
    """A correction approved by its own author, or an act witnessed by him; signed anew."""
    index = pick(book, dice, "corrected", "witnessed")

    def change(at: int, body: dict[str, Any]) -> dict[str, Any] | None:
        if at == index:
            body["who"]["staff"] = "S-0187"
            if "staff" in body["payload"]:
                body["payload"]["staff"] = "S-0187"
        return body

    return Mutated(_exchanged(book, files, book.rewritten(change)), {index})


def evidence_exchanged(book: Book, files: Files, dice: random.Random) -> Mutated:
    """A finding made to rest on another entry, or on none; signed anew with the true key."""
    of = [
        index
        for index, entry in enumerate(book.entries)
        if b'"kind":"finding-raised/2"' in entry and b'"evidence":[{' in entry
    ]
    index, other = (
        dice.choice(of),
        dice.choice([{"leaf": "ab" * 32}, {"n": 2**40, "leaf": "cd" * 32}]),
    )

    def change(at: int, body: dict[str, Any]) -> dict[str, Any] | None:
        if at == index:
            body["payload"]["evidence"][0] |= other
        return body

    return Mutated(_exchanged(book, files, book.rewritten(change)), {index})


def ids_shuffled(book: Book, files: Files, dice: random.Random) -> Mutated:
    """Two rows' ids exchanged, and the digest mended: an older finding would show another proof."""
    last = max(
        json.loads(entry)["payload"]["size"]
        for entry in book.entries
        if b'"kind":"book-verified/1"' in entry
    )
    one, other = dice.sample(range(last), 2)
    ids = [files["ids"][at : at + 16] for at in range(0, len(files["ids"]), 16)]
    ids[one], ids[other] = ids[other], ids[one]
    changed = with_digests(files, {"ids": b"".join(ids)})
    return Mutated(changed, named={"ids"}, codes={"ids-differ"})


def _of_a_run(book: Book, dice: random.Random, kind: str) -> int:
    of = [
        index
        for index, entry in enumerate(book.entries[:-1024])
        if f'"kind":"{kind}"'.encode() in entry and WATCH.encode() not in entry
    ]
    return dice.choice(of)


def finding_dropped(book: Book, files: Files, dice: random.Random) -> Mutated:
    """A finding, or its supersession, left out of the book, which is signed anew."""
    kind = dice.choice(["finding-raised/2", "finding-superseded/2"])
    return _left_out(book, files, _of_a_run(book, dice, kind), {"run-changes"})


def result_dropped(book: Book, files: Files, dice: random.Random) -> Mutated:
    """A run's beginning and its result left out; its findings stay, and nobody answers for them."""
    index = _of_a_run(book, dice, "reconciliation-finished/1")
    return _left_out(book, files, index, {"finding-of-no-run"}, {index - 3})


def finding_cured(book: Book, files: Files, dice: random.Random) -> Mutated:
    """A finding superseded through the door, in the name of the run that raised it."""
    index = _of_a_run(book, dice, "finding-raised/2")
    value = json.loads(book.entries[index])["payload"]
    new = book.copy()
    cure = {"finding": value["key"], "reason": "cured", "run": dice.choice([value["run"], WATCH])}
    new.add("finding-superseded/2", cure, stream="reconciler", staff="reconciler")
    new.sign(seen=True)
    codes = {"run-changes"} if cure["run"] == value["run"] else {"watch-superseded"}
    return Mutated(_exchanged(book, files, new), codes=codes)


def _left_out(
    book: Book, files: Files, index: int, codes: set[str], also: AbstractSet[int] = frozenset()
) -> Mutated:
    gone = {index, *also}
    moved = book.copy()
    moved.openings = [
        each | {"index": each["index"] - sum(one < each["index"] for one in gone)}
        for each in book.openings
    ]
    new = moved.rewritten(lambda at, body: None if at in gone else body)
    return Mutated(_exchanged(book, files, new), codes=codes)


RESIGNED = (
    "finding_dropped", "result_dropped", "finding_cured",
    "evidence_exchanged", "history", "history_cut", "end_cut", "back_dated", "own_approval",
)  # fmt: skip
MUTATIONS: dict[str, Mutation] = {
    each.__name__: each
    for each in (
        edit,
        money,
        delete,
        insert,
        swap,
        duplicate,
        tail_cut,
        hash_bit,
        time_shift,
        author_swap,
        witness_swap,
        checkpoint_edit,
        checkpoint_dropped,
        attachment_swap,
        opening_edit,
        manifest_edit,
        tree_mended,
        policy_swap,
        ids_edit,
        file_gone,
        history,
        history_cut,
        end_cut,
        back_dated,
        own_approval,
        behind_a_hole,
        evidence_exchanged,
        ids_shuffled,
        finding_dropped,
        result_dropped,
        finding_cured,
    )
}
