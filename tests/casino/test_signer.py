"""The signer signs a tree that grew out of the one it signed before, and no other."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from casino.events.kinds import KINDS
from casino.signer.signer_state import report_refused, report_well
from casino.signer.signer_trouble import Refused
from casino.signer.signing import URGENT
from casino.tlog.merkle import Frontier
from casino.tlog.note import parse_note, valid_signatures
from casino.tlog.policy import Policy
from tests.casino.signer_house import Connect, OlderBook, SignerHouse
from tests.factories.records import burnt, loaded, recorded
from tests.servers import Databases

pytestmark = pytest.mark.share


@pytest.fixture
def house(
    fresh_db: str, tmp_path: Path, database_environment: dict[str, str], connect_as: Connect
) -> SignerHouse:
    return SignerHouse(tmp_path, database_environment, connect_as)


def refused(house: SignerHouse, **options: Any) -> Refused:
    """The refusal of a signer that is started now; nothing is signed, published or lost by it."""
    before = house.at.last.read_bytes() if house.at.last.exists() else b""
    shown = house.at.checkpoint.read_bytes() if house.at.checkpoint.exists() else b""
    signed = house.rows("SELECT size, note FROM book_checkpoint ORDER BY size")
    with pytest.raises(Refused) as refusal:
        house.signer(**options).turn()
    assert (house.at.last.read_bytes() if house.at.last.exists() else b"") == before
    assert (house.at.checkpoint.read_bytes() if house.at.checkpoint.exists() else b"") == shown
    assert house.rows("SELECT size, note FROM book_checkpoint ORDER BY size") == signed
    return refusal.value


def test_a_tree_that_grows_is_signed_each_time(house: SignerHouse) -> None:
    signer = house.signer()
    assert signer.turn().size == 0
    assert not house.at.checkpoint.exists(), "an empty tree is not signed"
    for entries in (1, 2, 5, 300):
        size = house.grow(entries)
        assert signer.turn().size == size
        assert house.published().size == size
    assert house.must_agree().size == 308
    assert [size for (size,) in house.rows("SELECT size FROM book_checkpoint ORDER BY 1")] == [
        *(1, 3, 8, 308)
    ]


def test_a_tree_that_did_not_grow_is_not_signed_again(house: SignerHouse) -> None:
    signer = house.signer()
    house.grow(3)
    first = signer.turn()
    stamp = house.at.checkpoint.stat().st_mtime_ns
    assert signer.turn() == first
    assert house.signer().turn() == first
    assert house.at.checkpoint.stat().st_mtime_ns == stamp
    assert house.rows("SELECT count(*) FROM book_checkpoint") == [(1,)]


def test_every_entry_names_the_newest_checkpoint(house: SignerHouse) -> None:
    house.grow(2)
    root = house.signer().turn().root.hex()
    recorded(burnt())
    named = "SELECT (convert_from(entry, 'UTF8')::jsonb) -> 'cp' FROM book_entry ORDER BY id"
    assert [cp for (cp,) in house.rows(named)] == [None, None, {"root": root, "size": 2}]


def test_what_is_not_urgent_waits_for_its_time(house: SignerHouse) -> None:
    clock = [100.0]
    signer = house.signer(every=10)
    signer.now = lambda: clock[0]
    signer._signed_at = 90.0
    house.grow(2)
    assert signer.turn().size == 2, "ten seconds are over"
    house.grow(2)
    clock[0] = 109.9
    assert signer.turn().size == 2
    clock[0] = 110.0
    assert signer.turn().size == 4
    house.grow(1)
    recorded(loaded())
    size = house.integrate()
    assert signer.turn().size == size == 6, "a load is signed at once"


def test_urgent_kinds_are_kinds() -> None:
    """Those the book knows; two are of rooms above the floor."""
    known = {kind.partition("/")[0] for kind in KINDS}
    assert set(URGENT) - known == {"jackpot-paid", "draw-committed"}


@pytest.mark.both_servers
def test_a_tree_that_was_cut_is_refused(house: SignerHouse) -> None:
    house.grow(4)
    house.signer().turn()
    size = house.grow(3)
    house.signer().turn()
    house.forge("book_checkpoint", "DELETE FROM book_checkpoint WHERE size > 4")
    house.forge("book_tree", "DELETE FROM book_tree WHERE size > 4")
    refusal = refused(house)
    assert refusal.code == "shorter"
    assert f"the tree has 4 entries; {size} were signed" in refusal.why


def test_a_root_that_changed_is_refused(house: SignerHouse) -> None:
    house.grow(4)
    house.signer().turn()
    house.forge("book_tree", "UPDATE book_tree SET root = sha256('x')")
    refusal = refused(house)
    assert (refusal.code, refusal.size) == ("different", 4)
    assert "entries were changed" in refusal.why


def test_a_root_that_is_gone_is_refused(house: SignerHouse) -> None:
    house.grow(4)
    house.signer().turn()
    house.grow(1)
    house.forge("book_checkpoint", "DELETE FROM book_checkpoint")
    house.forge("book_tree", "DELETE FROM book_tree WHERE size = 4")
    assert refused(house).code == "different"


def test_a_history_that_was_rewritten_whole_is_refused(house: SignerHouse) -> None:
    """Entry, leaf, every root and the frontier forged: all agree with each other, not with us."""
    house.grow(4)
    house.signer().turn()
    house.forge(
        "book_entry",
        "UPDATE book_entry SET entry = entry || ' '::bytea WHERE table_code = 'BJ-02'",
    )
    tree, rows = Frontier(), []
    leaves = house.rows(
        "SELECT e.leaf_hash FROM book_leaf l JOIN book_entry e ON e.id = l.entry_id ORDER BY l.idx"
    )
    for (leaf,) in leaves:
        tree.append(bytes(leaf))
        rows.append((tree.size, tree.root().hex(), tree.to_bytes().hex()))
    forged = [
        f"UPDATE book_tree SET root = '\\x{root}', frontier = '\\x{frontier}' WHERE size = {size}"
        for size, root, frontier in rows
    ]
    house.forge("book_tree", *forged)
    assert refused(house).code == "different"
    # The forger hides the root we signed: what grew from our own last tree has another.
    house.forge("book_tree", f"UPDATE book_tree SET root = '\\x{house.last().root.hex()}'")
    house.grow(1)
    assert refused(house).code == "inconsistent"


@pytest.mark.parametrize(
    "forged",
    [
        "DELETE FROM book_leaf WHERE idx = 5",
        "DELETE FROM book_leaf WHERE idx = 6",
        "UPDATE book_leaf SET idx = 70 WHERE idx = 5",
    ],
)
def test_a_missing_leaf_is_refused(house: SignerHouse, forged: str) -> None:
    house.grow(4)
    house.signer().turn()
    house.grow(3)
    house.forge("book_leaf", forged)
    refusal = refused(house)
    assert refusal.code == "inconsistent"
    assert "is missing" in refusal.why


def test_new_leaves_in_another_order_are_refused(house: SignerHouse) -> None:
    house.grow(4)
    house.signer().turn()
    house.grow(3)
    swap = "UPDATE book_leaf SET idx = {} WHERE idx = {}"
    house.forge("book_leaf", swap.format(99, 5), swap.format(5, 6), swap.format(6, 99))
    assert refused(house).code == "inconsistent"


def test_an_older_database_is_refused_however_it_grows(
    house: SignerHouse, databases: Databases
) -> None:
    """The backup of yesterday, restored: shorter first, then as long as before, with other
    entries.
    """
    older = OlderBook(house, databases)
    house.grow(4)
    signer = house.signer()
    signer.turn()
    signer.book.connection.close()
    older.keep()
    try:
        house.grow(3)
        house.signer().turn()
        older.put_back()
        assert refused(house).code == "shorter"
        assert house.grow(3) == 7
        assert refused(house).code == "different"
        house.grow(3)
        assert refused(house).code == "different"
    finally:
        older.forget()


def test_files_that_are_not_the_newest_are_refused(house: SignerHouse) -> None:
    """The signer's folder from a backup: what it signed since is in the book, and published."""
    house.grow(4)
    house.signer().turn()
    kept = house.at.last.read_text()
    house.grow(3)
    house.signer().turn()
    house.at.last.write_text(kept)
    assert refused(house).code == "state-lost"
    house.at.checkpoint.unlink()
    assert refused(house).code == "state-lost", "the book says so too"
    house.at.last.unlink()
    assert refused(house).code == "state-lost"


def test_files_that_are_older_than_what_is_published_are_refused(house: SignerHouse) -> None:
    """Folder and database from the same backup: the published file lies elsewhere."""
    house.grow(4)
    house.signer().turn()
    kept = house.at.last.read_text()
    house.grow(3)
    house.signer().turn()
    house.at.last.write_text(kept)
    house.forge("book_checkpoint", "DELETE FROM book_checkpoint WHERE size > 4")
    assert refused(house).code == "state-lost"


def test_another_signers_checkpoint_is_refused(house: SignerHouse) -> None:
    house.grow(4)
    house.signer().turn()
    house.forge("book_checkpoint", "UPDATE book_checkpoint SET note = note || ' '")
    assert refused(house).code == "other-signer"


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-20],
        lambda text: "",
        lambda text: text.replace('"size": 4', '"size": 5'),
        lambda text: text.replace('"size": 4', '"size": 12'),
        lambda text: text.replace('"root": "', '"root": "00'),
        lambda text: "[]",
    ],
)
def test_a_damaged_file_of_its_own_is_refused(
    house: SignerHouse, damage: Callable[[str], str]
) -> None:
    house.grow(4)
    house.signer().turn()
    damaged = damage(house.at.last.read_text())
    house.at.last.write_text(damaged)
    assert refused(house).code == "state-damaged"


def test_a_log_is_not_renamed_by_the_environment(house: SignerHouse) -> None:
    house.grow(1)
    house.signer().turn()
    from casino.signer.signer_places import places

    house.at = places(house.recorded | {"LOG_ORIGIN": "book.example/other"})
    refusal = refused(house)
    assert refusal.code == "origin"
    assert "book.example/other" in refusal.why


def test_a_refusal_is_told_and_taken_back(house: SignerHouse) -> None:
    house.grow(4)
    signer = house.signer()
    own = signer.turn()
    root = house.rows("SELECT root FROM book_tree WHERE size = 4")[0][0]
    house.forge("book_tree", "UPDATE book_tree SET root = sha256('x')")
    refusal = refused(house)
    report_refused(house.at, refusal)
    recorded_first = house.refusal()
    assert recorded_first == {
        "code": "different",
        "why": refusal.why,
        "origin": "book.example/sala/1",
        "own_size": 4,
        "own_root": own.root.hex(),
        "found_size": 4,
        "found_root": house.rows("SELECT root FROM book_tree")[0][0].hex(),
        "since": recorded_first["since"],
    }
    assert recorded_first["since"].endswith("Z")
    report_refused(house.at, refusal)
    assert house.refusal() == recorded_first
    house.forge("book_tree", f"UPDATE book_tree SET root = '\\x{bytes(root).hex()}'")
    assert signer.turn() == own
    report_well(house.at)
    assert house.refusal() == {}
    house.grow(1)
    assert signer.turn().size == 5


def test_a_thousand_entries_at_once_are_one_checkpoint(house: SignerHouse) -> None:
    house.grow(1000)
    signer = house.signer()
    assert signer.turn().size == 1000
    assert house.must_agree().size == 1000


def test_the_signer_may_read_the_tree_and_write_two_rows(house: SignerHouse) -> None:
    """Neither names nor passwords, and nothing that is there can it change."""
    house.grow(1)
    house.signer().turn()
    statements = [
        "SELECT key FROM book_entry",
        "SELECT * FROM casino_private_value",
        "SELECT * FROM casino_account",
        "INSERT INTO book_tree (size, root, frontier) VALUES (9, sha256('x'), 'x')",
        "UPDATE book_checkpoint SET note = 'x'",
        "DELETE FROM book_checkpoint",
        "INSERT INTO book_checkpoint (size, root, note, signed_at)"
        " SELECT size, root, 'x', now() FROM book_tree",
    ]
    for statement in statements:
        with (
            house.connect_as("signer", autocommit=True) as signer,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            signer.execute(statement.encode())


def test_the_note_is_one_that_others_can_read(house: SignerHouse) -> None:
    """Three lines, an empty one, one signature: what Go's sumdb/note reads as well."""
    house.grow(2)
    house.signer().turn()
    text = house.at.checkpoint.read_text()
    lines = text.split("\n")
    assert lines[:2] == ["book.example/sala/1", "2"]
    assert [line[:2] for line in lines[3:]] == ["", "— ", ""]
    policy = Policy.parse(house.at.policy.read_text())
    assert [key.name for key in policy.logs] == ["book.example/sala/1"]
    assert list(valid_signatures(parse_note(text), policy.logs).values()) == [None]
