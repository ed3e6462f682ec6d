"""Bundles: what they show, that it hangs together, and that a failed one leaves nothing behind."""

import errno
import hmac
import json
import threading
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import connections

from audit.exporting import ExportRefused, Scope, export_bundle
from audit.exporting import folder as folders
from audit.exporting.private_files import json_of
from audit.models.verification_projections import Export
from casino.models import BookEntry, BookLeaf, PrivateValue
from casino.recording import Actor
from casino.recording.attached_files import File
from casino.tlog.canonical import canonical
from casino.tlog.merkle import Frontier, leaf_hash
from casino.tlog.note import parse_note, valid_signatures
from casino.tlog.policy import Policy
from casino.tlog.proof import TileTree
from casino.tlog.tiles import full_tiles_between, partial_tiles, tile_path, unpack_entries
from tests.factories.sealed_book import ORIGIN, Connect, Seal, seal_events

pytestmark = [pytest.mark.usefixtures("fresh_db", "english"), pytest.mark.share]
HOUSE = Actor("export", "sistema", "local")


@pytest.fixture
def seal(connect_as: Connect, tmp_path: Path, settings: Any) -> Seal:
    return Seal(connect_as, tmp_path / "public", settings)


def recorded(bundle: Path) -> Any:
    return json.loads((bundle / "bundle.json").read_bytes())


def entries_of(bundle: Path) -> list[bytes]:
    """The entries of a full bundle."""
    size = recorded(bundle)["size"]
    found = []
    for n in range(-(-size // 256)):
        width = min(256, size - n * 256)
        found += unpack_entries((bundle / tile_path("entries", n, width)).read_bytes())
    return found


def shown_in(bundle: Path) -> list[tuple[int, bytes]]:
    """Index and bytes of what a scoped bundle shows."""
    found = []
    for file in sorted((bundle / "shown").iterdir()):
        data, at = file.read_bytes(), 0
        while at < len(data):
            index = int.from_bytes(data[at : at + 8], "big")
            end = at + 10 + int.from_bytes(data[at + 8 : at + 10], "big")
            found.append((index, data[at + 10 : end]))
            at = end
    return found


def notes_in(bundle: Path) -> list[str]:
    return [json.loads(line) for line in (bundle / "checkpoints.jsonl").read_bytes().splitlines()]


def tree_in(bundle: Path) -> TileTree:
    def read(level: int, n: int, width: int) -> bytes:
        return (bundle / tile_path(level, n, width)).read_bytes()

    return TileTree(recorded(bundle)["size"], read)


def files_in(bundle: Path) -> set[str]:
    return {str(each.relative_to(bundle)) for each in bundle.rglob("*") if each.is_file()}


@pytest.mark.parametrize("size", [1, 255, 256, 257, 700])
def test_a_full_bundle_holds_every_entry_and_the_tree_over_them(
    seal: Seal, tmp_path: Path, size: int
) -> None:
    seal_events(size - 1 if size > 1 else 1)
    if size > 1:
        seal.sign()
        seal_events(1, "BJ-07")
    signed = seal.sign()
    seal_events(3)  # not signed yet: not part of it
    made = export_bundle(tmp_path / "bundle", Scope(), HOUSE)
    bundle = made.place
    assert (made.size, made.root) == (signed.size, signed.root) == (size, tree_in(bundle).root())
    leaves = Frontier()
    for entry in entries_of(bundle):
        leaves.append(leaf_hash(entry))
    assert (leaves.size, leaves.root()) == (size, signed.root)
    stored = BookLeaf.objects.order_by("idx").values_list("entry__entry", flat=True)
    assert entries_of(bundle) == [bytes(each) for each in stored[:size]]
    assert files_in(bundle) == {
        "bundle.json",
        "checkpoint",
        "checkpoints.jsonl",
        "ids",
        "policy",
        *(tile_path(level, n) for level, n in full_tiles_between(0, size)),
        *(tile_path(*each) for each in partial_tiles(size)),
        *(tile_path("entries", n) for n in range(size // 256)),
        *([tile_path("entries", size // 256, size % 256)] if size % 256 else []),
    }


def test_a_bundle_says_what_it_is_and_binds_what_nothing_else_binds(
    seal: Seal, tmp_path: Path
) -> None:
    seal_events(5)
    first = seal.sign()
    seal_events(5)
    second = seal.sign()
    line = seal.cosign(second, 1_800_000_000)
    bundle = export_bundle(tmp_path / "bundle", Scope(), HOUSE).place
    raw = (bundle / "bundle.json").read_bytes()
    assert raw == json_of(json.loads(raw))
    assert json.loads(raw) == {
        "digests": {
            path: sha256((bundle / path).read_bytes()).hexdigest()
            for path in ("checkpoints.jsonl", "ids", "policy")
        },
        "entries": 10,
        "format": "livro-da-sala-bundle/1",
        "origin": ORIGIN,
        "root": second.root.hex(),
        "scope": {"kind": "full"},
        "size": 10,
    }
    notes = notes_in(bundle)
    assert [parse_note(each).text for each in notes] == [first.text(), second.text()]
    assert (bundle / "checkpoint").read_text() == notes[-1]
    assert notes[-1].endswith(f"{line}\n")
    policy = Policy.parse((bundle / "policy").read_text())
    assert policy.satisfied_by(valid_signatures(parse_note(notes[-1]), policy.keys()))
    ids = (bundle / "ids").read_bytes()
    rows = BookLeaf.objects.order_by("idx")[:10].values_list("entry_id", flat=True)
    assert [UUID(bytes=ids[at : at + 16]) for at in range(0, len(ids), 16)] == list(rows)


def test_that_a_copy_was_made_is_told_and_is_no_part_of_it(seal: Seal, tmp_path: Path) -> None:
    seal_events(4)
    signed = seal.sign()
    export_bundle(
        tmp_path / "one", Scope("range", first=1, end=3), Actor("S-0009", "inspetor", "local")
    )
    recorded_of = Export.objects.get()
    assert (recorded_of.extent, recorded_of.from_index, recorded_of.to_index) == ("range", 1, 3)
    assert (recorded_of.size, recorded_of.root, recorded_of.entries) == (4, signed.root.hex(), 2)
    assert (recorded_of.staff, recorded_of.office, recorded_of.openings) == (
        "S-0009",
        "inspetor",
        False,
    )
    assert recorded(tmp_path / "one")["size"] == 4


def test_a_range_shows_these_entries_and_the_tree_above_them(seal: Seal, tmp_path: Path) -> None:
    seal_events(300)
    early = seal.sign()
    seal_events(1)
    seal.sign()
    seal_events(400)
    signed = seal.sign()
    bundle = export_bundle(tmp_path / "bundle", Scope("range", first=520, end=530), HOUSE).place
    assert recorded(bundle)["scope"] == {"from": 520, "kind": "range", "to": 530}
    assert recorded(bundle)["entries"] == 10
    shown = shown_in(bundle)
    assert [index for index, _ in shown] == list(range(520, 530))
    tree = tree_in(bundle)
    assert tree.root() == signed.root
    for index, entry in shown:
        assert tree.leaf(index) == leaf_hash(entry)
        stored = BookLeaf.objects.get(idx=index).entry
        assert entry == bytes(stored.entry)
    # Named by these entries is the one before them; its root can be worked out, the first's not.
    assert [parse_note(each).text.split("\n")[1] for each in notes_in(bundle)] == ["301", "701"]
    assert {path for path in files_in(bundle) if path.startswith("tile/")} == {
        "tile/0/001",
        "tile/0/002",
        "tile/0/002.p/189",
        "tile/1/000.p/2",
    } - {"tile/0/002"}
    assert tree.root_at(301) == bytes(_root_at(301))
    with pytest.raises(FileNotFoundError):
        tree.root_at(255)
    assert early.size == 300


def _root_at(size: int) -> bytes:
    with connections["reader"].cursor() as cursor:
        cursor.execute("SELECT root FROM book_tree WHERE size = %s", [size])
        return bytes(cursor.fetchone()[0])


def test_a_table_shows_its_stream_and_nothing_else(seal: Seal, tmp_path: Path) -> None:
    for _ in range(3):
        seal_events(5, "BJ-06")
        seal_events(2, "BJ-07", people=1)
        signed = seal.sign()
    bundle = export_bundle(tmp_path / "bundle", Scope("table", table="BJ-07"), HOUSE).place
    shown = shown_in(bundle)
    bodies = [json.loads(entry) for _, entry in shown]
    assert [body["n"] for body in bodies] == [1, 2, 3, 4, 5, 6]
    assert {body["stream"] for body in bodies} == {"table/BJ-07"}
    assert recorded(bundle)["scope"] == {"kind": "table", "table": "BJ-07"}
    assert tree_in(bundle).root() == signed.root
    named = {body["cp"]["size"] for body in bodies if body["cp"]}
    sizes = {int(parse_note(each).text.split("\n")[1]) for each in notes_in(bundle)}
    assert sizes == {*named, signed.size}


@pytest.mark.check
def test_thousands_of_shown_entries_lie_in_several_files(seal: Seal, tmp_path: Path) -> None:
    seal_events(4100)
    seal.sign()
    bundle = export_bundle(tmp_path / "bundle", Scope("range", first=2, end=4100), HOUSE).place
    assert sorted(each.name for each in (bundle / "shown").iterdir()) == ["000000", "000001"]
    assert [index for index, _ in shown_in(bundle)] == list(range(2, 4100))


def test_private_values_leave_only_when_they_are_asked_for(seal: Seal, tmp_path: Path) -> None:
    seal_events(3, people=3)
    _erase_first_name()
    seal.sign()
    shut = export_bundle(tmp_path / "shut", Scope(), HOUSE).place
    assert not (shut / "private").exists()
    assert b"Ana Matos" not in b"".join(
        each.read_bytes() for each in shut.rglob("*") if each.is_file()
    )
    opened = export_bundle(tmp_path / "opened", Scope(), HOUSE, openings=True).place
    assert opened.stat().st_mode & 0o077 == 0
    lines = (opened / "private/openings.jsonl").read_bytes().splitlines()
    recorded_of = [json.loads(line) for line in lines]
    assert lines == [canonical(each) for each in recorded_of]
    assert [each["value"] for each in recorded_of] == ["Ana Matos 1", "Ana Matos 2"]
    for each in recorded_of:
        body = json.loads(entries_of(opened)[each["index"]])
        made = hmac.new(bytes.fromhex(each["salt"]), canonical(each["value"]), sha256).hexdigest()
        assert body["payload"][each["field"]] == {"hmac_sha256": made}
    digest = sha256((opened / "private/openings.jsonl").read_bytes()).hexdigest()
    assert recorded(opened)["digests"]["private/openings.jsonl"] == digest


def _erase_first_name() -> None:
    from casino.events.event import EntryRef
    from tests.factories.erasures import erased

    entry = PrivateValue.objects.order_by("id").first().entry
    leaf = bytes(entry.leaf_hash).hex()
    named = EntryRef(stream=entry.stream.name, n=entry.n, leaf=leaf)
    erased(named, "name")


def test_files_of_records_leave_with_what_they_hold(seal: Seal, tmp_path: Path) -> None:
    from uuid import uuid4

    from casino.recording import Submission, record_many
    from tests.factories.records import EVENING, PIT, burnt

    note = File(b"What the note says.\n")
    record_many([Submission(burnt(), uuid4(), PIT, EVENING, files=(note,))])
    seal_events(2)
    seal.sign()
    with_it = export_bundle(tmp_path / "with", Scope(), HOUSE, openings=True).place
    assert (with_it / "private/attachments" / note.sha256).read_bytes() == note.content
    beside = Scope("range", first=1, end=3)
    without = export_bundle(tmp_path / "without", beside, HOUSE, openings=True).place
    assert not (without / "private/attachments").exists()


def test_writers_go_on_while_a_copy_is_made(
    seal: Seal, tmp_path: Path, connect_as: Connect
) -> None:
    seal_events(600)
    signed = seal.sign()
    seen: list[int] = []

    def meanwhile(done: int, total: int) -> None:
        seen.append(done)
        assert total == 600
        if done == 256:
            writer = threading.Thread(target=_write_and_sign, args=(seal,))
            writer.start()
            writer.join()

    bundle = export_bundle(tmp_path / "bundle", Scope(), HOUSE, progress=meanwhile).place
    assert seen == [256, 512, 600]
    assert recorded(bundle)["size"] == signed.size == 600
    assert len(notes_in(bundle)) == 1
    newest = connect_as("reader").execute("SELECT max(size) FROM book_checkpoint").fetchone()
    assert newest is not None
    assert newest[0] > 600


def _write_and_sign(seal: Seal) -> None:
    try:
        seal_events(50)
        seal.sign()
    finally:
        connections.close_all()


def test_what_was_altered_is_exported_as_it_is(
    seal: Seal, tmp_path: Path, connect_as: Connect
) -> None:
    seal_events(10)
    signed = seal.sign()
    with connect_as("postgres") as superuser:
        superuser.execute("ALTER TABLE book_entry DISABLE TRIGGER ALL")
        superuser.execute("ALTER TABLE book_leaf DISABLE TRIGGER ALL")
        superuser.execute(
            "UPDATE book_entry SET entry = overlay(entry PLACING '9'::bytea FROM 10) WHERE n = 3"
        )
        superuser.execute("DELETE FROM book_leaf WHERE idx = 5")
    bundle = export_bundle(tmp_path / "bundle", Scope(), HOUSE).place
    entries = entries_of(bundle)
    assert entries[2] == bytes(BookEntry.objects.get(n=3, stream__name="table/BJ-06").entry)
    assert entries[5] == b""
    leaves = Frontier()
    for entry in entries:
        leaves.append(leaf_hash(entry))
    assert leaves.root() != signed.root


def test_without_a_checkpoint_nothing_can_be_copied(seal: Seal, tmp_path: Path) -> None:
    seal_events(2)
    with pytest.raises(ExportRefused, match="no signed checkpoint"):
        export_bundle(tmp_path / "bundle", Scope(), HOUSE)
    assert not any(each.name.startswith("bundle") for each in tmp_path.iterdir())


def test_without_published_keys_nothing_is_copied(seal: Seal, tmp_path: Path) -> None:
    seal_events(2)
    seal.sign()
    (seal.public / "policy").unlink()
    with pytest.raises(ExportRefused, match="public keys are not there"):
        export_bundle(tmp_path / "bundle", Scope(), HOUSE)


@pytest.mark.parametrize(
    ("scope", "words"),
    [
        (Scope("range", first=0, end=4), "The signed tree has 3"),
        (Scope("range", first=2, end=2), "no entries from 2"),
        (Scope("range", first=-1, end=2), "no entries from -1"),
        (Scope("table", table="BJ-99"), "table BJ-99"),
    ],
)
def test_what_there_is_not_is_refused(seal: Seal, tmp_path: Path, scope: Scope, words: str) -> None:
    seal_events(3)
    seal.sign()
    with pytest.raises(ExportRefused, match=f"(?i){words}"):
        export_bundle(tmp_path / "bundle", scope, HOUSE)
    assert not Export.objects.exists()
    assert {each.name for each in tmp_path.iterdir()} == {"public"}


def test_no_copy_is_written_over_another(seal: Seal, tmp_path: Path) -> None:
    seal_events(1)
    seal.sign()
    (tmp_path / "bundle").mkdir()
    with pytest.raises(ExportRefused, match="is there already: a copy"):
        export_bundle(tmp_path / "bundle", Scope(), HOUSE)
    (tmp_path / "other.part").mkdir()
    with pytest.raises(ExportRefused, match="another export is writing it"):
        export_bundle(tmp_path / "other", Scope(), HOUSE)
    assert (tmp_path / "other.part").exists()
    with pytest.raises(ExportRefused, match="There is no folder"):
        export_bundle(tmp_path / "nowhere" / "bundle", Scope(), HOUSE)


def test_a_place_that_cannot_be_written_is_told(seal: Seal) -> None:
    seal_events(1)
    seal.sign()
    with pytest.raises(ExportRefused, match="cannot be written"):
        export_bundle(Path("/proc/bundle"), Scope(), HOUSE)


def test_a_full_disk_leaves_nothing_behind(
    seal: Seal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seal_events(300)
    seal.sign()
    written = []

    def write(folder: folders.Folder, path: str, content: bytes) -> None:
        written.append(path)
        if len(written) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        folder._room(path).write_bytes(content)

    monkeypatch.setattr(folders.Folder, "write", write)
    with pytest.raises(ExportRefused, match="The disk is full"):
        export_bundle(tmp_path / "bundle", Scope(), HOUSE)
    assert {each.name for each in tmp_path.iterdir()} == {"public"}


def test_the_reader_may_see_the_book_and_no_private_value(connect_as: Connect) -> None:
    reader = connect_as("reader", autocommit=True)
    reader.execute("SELECT count(*) FROM book_tile")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        reader.execute("SELECT count(*) FROM casino_private_value")
