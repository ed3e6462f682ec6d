"""The signer may be killed, lose power or run out of disk at every step: nothing is signed twice in
two ways, nothing that anybody saw is forgotten, and no file is ever a half.
"""

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from casino.signer import tree_follower
from casino.signer.last import Last
from casino.signer.signer_files import write_whole
from casino.signer.signer_trouble import Refused
from casino.signer.signing import Signer
from casino.tlog.note import parse_note
from tests.casino.signer_paper import Disk, Killed, PaperHouse

pytestmark = pytest.mark.share

Ends = Callable[[Disk], None]


def start(folder: Path) -> tuple[PaperHouse, Signer]:
    """A house in which three entries were signed and two more wait."""
    house = PaperHouse(folder)
    house.book.grow(b'{"kind":"a/1"}', b'{"kind":"b/1"}', b'{"kind":"c/1"}')
    signer = house.signer()
    signer.turn()
    house.book.grow(b'{"kind":"d/1"}', b'{"kind":"e/1"}')
    return house, signer


def shown(house: PaperHouse, seen: list[str]) -> None:
    """Note what everybody can see at this moment; it is never a half."""
    if house.at.checkpoint.exists():
        note = house.note()
        parse_note(note)
        if note not in seen:
            seen.append(note)


def steps_of(folder: Path, patch: pytest.MonkeyPatch) -> list[str]:
    """The steps of one signing that nothing disturbs."""
    house, signer = start(folder)
    disk = Disk(0, lambda: None)
    house.book.step = disk.step
    with disk.watched(patch):
        signer.turn()
    house.must_agree()
    return disk.names


def test_the_steps_come_in_the_order_that_makes_them_safe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = steps_of(tmp_path, monkeypatch)
    order = [
        *("make last.new", "sync last.new", "put last in its place", "sync signer"),
        *("make checkpoint.new", "sync checkpoint.new", "put checkpoint in its place"),
        *("sync public", "before the row", "after the row"),
    ]
    assert [name for name in names if name in order] == order


def must_recover(house: PaperHouse, seen: list[str]) -> None:
    """A signer that is started now goes on; whatever was seen is among what was signed."""
    house.book.step = lambda name: None
    shown(house, seen)
    last = house.signer()
    house.signs(last)
    house.book.grow()
    assert house.signs(last).size == len(house.book.entries) == 6
    house.must_agree()
    kept = [note for note, _ in house.book.signed.values()]
    assert all(note in kept for note in seen), "what was published is not in the book"


def disturbed(
    folder: Path, patch: pytest.MonkeyPatch, at: int, what: Callable[[Disk], Callable[[], None]]
) -> tuple[PaperHouse, Signer, Disk, list[str], BaseException | None]:
    """Sign once; at one step something happens. Gives what ended it, if anything did."""
    house, signer = start(folder)
    seen: list[str] = []
    disk = Disk(at, lambda: None)
    disk.what = what(disk)

    def step(name: str) -> None:
        shown(house, seen)
        disk.step(name)

    house.book.step = step
    with disk.watched(patch):
        try:
            signer.turn()
        except (Killed, Refused) as ended:
            return house, signer, disk, seen, ended
    return house, signer, disk, seen, None


def test_killed_at_any_step_it_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = len(steps_of(tmp_path / "whole", monkeypatch))
    assert steps >= 12
    for at in range(1, steps + 1):
        house, _, _, seen, ended = disturbed(
            tmp_path / str(at), monkeypatch, at, lambda disk: disk.die
        )
        assert isinstance(ended, Killed)
        must_recover(house, seen)


@pytest.mark.parametrize("renamed", [True, False], ids=["names-kept", "names-lost"])
def test_without_power_at_any_step_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, renamed: bool
) -> None:
    """What was not synced is gone: the book and what was seen must not know more than our file."""
    steps = len(steps_of(tmp_path / "whole", monkeypatch))
    for at in range(1, steps + 1):
        house, _, disk, seen, _ = disturbed(
            tmp_path / str(at), monkeypatch, at, lambda disk: disk.die
        )
        disk.lose_power(renamed=renamed)
        must_recover(house, seen)


def test_with_a_full_disk_at_any_step_it_refuses_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = steps_of(tmp_path / "whole", monkeypatch)
    for at, name in enumerate(names, start=1):
        if name.endswith(" row"):
            continue  # the database's, not the disk's
        house, signer, _, seen, ended = disturbed(
            tmp_path / str(at), monkeypatch, at, lambda disk: disk.full
        )
        assert isinstance(ended, Refused), name
        assert ended.code == "files"
        assert "No space left" in ended.why
        assert not [*house.at.home.glob("*.new"), *house.at.public.glob("*.new")], name
        house.book.step = lambda name: None
        signer.turn()  # the same process, as soon as there is space
        house.must_agree()
        must_recover(house, seen)


def test_a_signer_behind_its_file_brings_the_same_note_out_again(tmp_path: Path) -> None:
    house, signer = start(tmp_path)
    signer.turn()
    note, _ = house.book.signed.pop(5)
    house.at.checkpoint.unlink()
    house.signs(house.signer())
    assert 5 in house.book.signed
    assert house.book.signed[5][0] == note == house.note()


# What follows from what


def test_only_a_tree_that_grew_out_of_ours_follows(tmp_path: Path) -> None:
    house, signer = start(tmp_path)
    own = signer.turn()
    found = house.book.look(own.size)
    tree_follower.must_follow(own, found)
    for code, other in (
        ("shorter", replace(found, size=4, root=b"x" * 32)),
        ("different", replace(found, root_at_own=b"x" * 32)),
        ("different", replace(found, size=9, root_at_own=b"x" * 32)),
        ("different", replace(found, size=9, root_at_own=None)),
        ("state-lost", replace(found, signed_size=6)),
        ("other-signer", replace(found, note_at_own=found.signed_note + " ")),
    ):
        with pytest.raises(Refused) as refused:
            tree_follower.must_follow(own, other)
        assert refused.value.code == code
        assert refused.value.size == other.size
        assert "docs/operations.md" in refused.value.why


def test_grown_is_what_has_the_root_that_is_said(tmp_path: Path) -> None:
    house, _ = start(tmp_path)
    own = house.last()
    assert own.size == 3
    found = house.book.look(own.size)
    leaves = list(house.book.leaves(3, 5))
    assert tree_follower.grown(own, found, leaves).root() == found.root
    for wrong in (leaves[:1], leaves[1:], leaves[::-1], [(3, b"short"), leaves[1]]):
        with pytest.raises(Refused, match="is missing"):
            tree_follower.grown(own, found, wrong)
    swapped = [(3, leaves[1][1]), (4, leaves[0][1])]
    with pytest.raises(Refused, match="were changed"):
        tree_follower.grown(own, found, swapped)
    # Leaves beyond what is asked for are no tree of that size either.
    with pytest.raises(Refused, match="is missing"):
        tree_follower.grown(own, found, [*leaves, (5, leaves[0][1])])


def test_from_nothing_everything_follows_once(tmp_path: Path) -> None:
    house = PaperHouse(tmp_path)
    nothing = Last.none("book.example/sala/1")
    tree_follower.must_follow(nothing, house.book.look(0))
    house.book.grow()
    tree_follower.must_follow(nothing, house.book.look(0))
    house.signer().turn()
    with pytest.raises(Refused, match="not the newest files"):
        tree_follower.must_follow(nothing, house.book.look(0))


# Who may read what


def test_keys_are_for_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with suppress(Refused):
            start(tmp_path)
    finally:
        os.umask(before)
    home = tmp_path / "signer"
    private = [home, home / "keys", *home.glob("keys/*.key"), home / "origin", home / "last"]
    assert len(private) == 5
    for path in private:
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


def test_what_is_public_is_so_under_any_umask(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        house, _ = start(tmp_path)
    finally:
        os.umask(before)
    for path in (house.at.checkpoint, house.at.policy):
        assert stat.S_IMODE(path.stat().st_mode) == 0o644, path
    assert stat.S_IMODE(house.at.public.stat().st_mode) == 0o755


@pytest.mark.parametrize("mode", [0o604, 0o640, 0o620, 0o602, 0o601, 0o777])
def test_a_key_others_could_read_is_refused(tmp_path: Path, mode: int) -> None:
    house, signer = start(tmp_path)
    key = next(house.at.keys.glob("*.key"))
    key.chmod(mode)
    with pytest.raises(Refused, match="others may read") as refused:
        signer.turn()
    assert refused.value.code == "keys-exposed"
    assert house.last().size == 3
    key.chmod(0o600)
    assert signer.turn().size == 5


@pytest.mark.parametrize("mode", [0o750, 0o710, 0o701, 0o755])
@pytest.mark.parametrize("which", ["home", "keys"])
def test_a_folder_of_keys_others_could_enter_is_refused(
    tmp_path: Path, which: str, mode: int
) -> None:
    house, signer = start(tmp_path)
    folder: Path = getattr(house.at, which)
    folder.chmod(mode)
    with pytest.raises(Refused, match="chmod 700"):
        signer.turn()
    folder.chmod(0o700)
    assert signer.turn().size == 5


def test_a_link_is_no_key(tmp_path: Path) -> None:
    house, signer = start(tmp_path)
    key = next(house.at.keys.glob("*.key"))
    key.rename(tmp_path / "elsewhere")
    key.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused, match="is a link"):
        signer.turn()


def test_without_a_readable_key_nothing_is_signed(tmp_path: Path) -> None:
    house, signer = start(tmp_path)
    key = next(house.at.keys.glob("*.key"))
    text = key.read_text()
    for damaged in ("", "PRIVATE+KEY+x", text[:-6] + "AAAA=\n"):
        key.write_text(damaged)
        with pytest.raises(Refused) as refused:
            signer.turn()
        assert refused.value.code == "no-key"
        assert text.strip().split("+", 4)[4] not in refused.value.why, "the key stays a secret"
    key.unlink()
    with pytest.raises(Refused, match="holds no key"):
        signer.turn()


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint"
    (tmp_path / "checkpoint.new").write_text("left by a kill")
    write_whole(file, "first\n", 0o644)
    write_whole(file, "second\n", 0o600)
    assert file.read_text() == "second\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]
