"""The signer on disks that are full, read-only or another account's; as root, who may make such."""

import os
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from casino.signer import signer_state
from casino.signer.signer_trouble import Refused
from tests.casino.signer_house import Connect, SignerHouse

pytestmark = pytest.mark.share

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a disk")


@pytest.fixture
def house(
    fresh_db: str, tmp_path: Path, database_environment: dict[str, str], connect_as: Connect
) -> SignerHouse:
    return SignerHouse(tmp_path, database_environment, connect_as)


@AS_ROOT
def test_files_of_another_account_are_left_alone(house: SignerHouse) -> None:
    os.chown(house.at.home, 12345, 12345)
    for words in (("run",), ("status",), ("init",), ("adopt",), ("key", "new")):
        said = house.command(*words)
        assert said.returncode == 2, words
        assert "belongs to the account 12345" in said.stderr


@pytest.fixture
def small_disk(house: SignerHouse) -> Generator[Path]:
    """The signer's own folder on a disk of its own, of 64 KiB."""
    home = house.at.home
    kept = home.rename(home.with_name("kept"))
    home.mkdir(mode=0o700)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", str(home)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.decode().strip()}")
    subprocess.run(["cp", "-a", f"{kept}/.", str(home)], check=True)
    yield home
    subprocess.run(["umount", str(home)], check=True)


@AS_ROOT
def test_a_full_disk_is_refused(house: SignerHouse, small_disk: Path) -> None:
    house.grow(2)
    house.signer().turn()
    filler = small_disk / "filler"
    with pytest.raises(OSError, match="No space"):
        filler.write_bytes(b"x" * 100_000)
    house.grow(2)
    signer = house.signer()
    with pytest.raises(Refused, match="No space left") as refused:
        signer.turn()
    assert refused.value.code == "files"
    signer_state.report_refused(house.at, refused.value)
    assert (house.at.public / "refused").exists(), "the public folder has space"
    assert house.must_agree().size == 2
    assert not list(small_disk.glob("*.new"))
    filler.unlink()
    assert signer.turn().size == 4
    house.must_agree()


@AS_ROOT
def test_a_disk_that_became_read_only_is_refused(house: SignerHouse, small_disk: Path) -> None:
    house.grow(2)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(Refused, match="Read-only") as refused:
        house.signer().turn()
    signer_state.report_refused(house.at, refused.value)
    assert not house.at.checkpoint.exists()
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    assert house.signer().turn().size == 2
