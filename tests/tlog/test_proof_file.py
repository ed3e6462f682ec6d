"""One entry's proof as a file (C2SP tlog-proof): one form, bounded, and every byte of it counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.tlog.checkpoint import Checkpoint
from casino.tlog.note import SignatureRefused, SigningKey, signed, valid_signatures
from casino.tlog.proof import ProofRefused, verify_inclusion
from casino.tlog.proof_file import ProofFile
from casino.tlog.strict import Unreadable
from tests.tlog.notes_strategy import CHECKPOINTS, KEYS, changed
from tests.tlog.trees import Tiles, leaves

LOG = SigningKey("demo.invalid/1", bytes(range(32)))
LEAVES = leaves(11)
TREE = Tiles(LEAVES).tree()
NOTE = signed(Checkpoint(LOG.name, 11, TREE.root()).text(), [LOG])
PROOF = ProofFile(6, tuple(TREE.inclusion(6)), NOTE)
HASHES = st.binary(min_size=32, max_size=32)


def proves(text: str | bytes) -> bool:
    """Whether a file proves, to somebody who knows the log's key, that entry 6 is in its place."""
    try:
        found = ProofFile.parse(text)
        keys = valid_signatures(found.note, [LOG.verifier()])
        size, root = found.checkpoint.size, found.checkpoint.root
        verify_inclusion(LEAVES[6], 6, size, found.path, root)
    except (Unreadable, SignatureRefused, ProofRefused):
        return False
    return found.index == 6 and found.checkpoint.origin == LOG.name and bool(keys)


def test_the_file_is_laid_out_as_the_format_says() -> None:
    lines = PROOF.text().split("\n")
    assert lines[:2] == ["c2sp.org/tlog-proof@v1", "index 6"]
    assert lines[6] == ""
    assert "\n".join(lines[7:]) == NOTE
    longer = ProofFile(6, PROOF.path, NOTE, b"more").text().split("\n")
    assert longer == [lines[0], "extra bW9yZQ==", *lines[1:]]
    assert proves(PROOF.text())


def test_every_byte_changed_proves_nothing() -> None:
    for other in changed(PROOF.text()):
        if other != PROOF.text().encode():
            assert not proves(other), other


@given(
    CHECKPOINTS,
    KEYS,
    st.data(),
    st.lists(HASHES, max_size=64),
    st.none() | st.binary(min_size=1, max_size=99),
)
def test_files_are_read_back(
    checkpoint: Checkpoint,
    key: SigningKey,
    data: st.DataObject,
    path: list[bytes],
    extra: bytes | None,
) -> None:
    index = data.draw(st.integers(0, checkpoint.size - 1))
    proof = ProofFile(index, tuple(path), signed(checkpoint.text(), [key]), extra)
    assert ProofFile.parse(proof.text()) == proof
    assert ProofFile.parse(proof.text().encode()) == proof
    assert proof.checkpoint == checkpoint


def test_what_was_added_is_read_as_it_was_added_and_vouched_for_by_nobody() -> None:
    file = ProofFile(6, PROOF.path, NOTE, b"some")
    other = file.text().replace("extra c29tZQ==", "extra b3RoZXI=")
    assert ProofFile.parse(other).extra == b"other"
    assert proves(file.text())
    assert proves(other)


TEXT = PROOF.text()
PATH = TEXT.split("\n")[2]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        TEXT.replace("@v1", "@v2"),
        " " + TEXT,
        "\ufeff" + TEXT,
        TEXT.replace("index 6", "index 06"),
        TEXT.replace("index 6", "index  6"),
        TEXT.replace("index 6", "index -6"),
        TEXT.replace("index 6", "index 11"),
        TEXT.replace("index 6", f"index {2**63}"),
        TEXT.replace("index 6", "Index 6"),
        TEXT.replace("index 6\n", ""),
        TEXT.replace("index 6", "index 6\nextra c29tZQ=="),
        TEXT.replace("index 6", "extra c29tZQ==\nextra c29tZQ==\nindex 6"),
        TEXT.replace("index 6", "extra \nindex 6"),
        TEXT.replace("index 6", "extra c29tZR==\nindex 6"),
        TEXT.replace("index 6", "extra c29t ZQ==\nindex 6"),
        TEXT.replace(PATH, PATH[:-1]),
        TEXT.replace(PATH, PATH + " "),
        TEXT.replace(PATH, PATH[:4]),
        TEXT.replace(PATH, ""),
        TEXT.replace(PATH, f"{PATH}\n" * 61 + PATH),
        TEXT.replace("\n", "\r\n"),
        TEXT.replace("\n\ndemo", "\n\n\ndemo"),
        TEXT.replace("\n\ndemo", "\ndemo"),
        TEXT[: TEXT.index("—")],
        TEXT.replace("demo.invalid/1\n11\n", "demo.invalid/1\n011\n"),
    ],
)
def test_what_is_not_exactly_a_proof(text: str) -> None:
    assert text != TEXT
    with pytest.raises(Unreadable):
        ProofFile.parse(text)


def test_a_file_has_an_end() -> None:
    longest = TEXT.replace(PATH, f"{PATH}\n" * 60 + PATH)
    assert len(ProofFile.parse(longest).path) == 64
    with pytest.raises(Unreadable, match="longer than 4000000 bytes"):
        ProofFile.parse("x" * 4_000_001)
    with pytest.raises(Unreadable, match="longer than 100 bytes"):
        ProofFile.parse(TEXT, 100)


@pytest.mark.parametrize(
    ("index", "path", "extra"),
    [
        (-1, (), None),
        (11, (), None),
        (0, (b"short",), None),
        (0, (bytes(32),) * 65, None),
        (0, (), b""),
    ],
)
def test_what_could_not_be_read_is_not_written(
    index: int, path: tuple[bytes, ...], extra: bytes | None
) -> None:
    with pytest.raises(Unreadable):
        ProofFile(index, path, NOTE, extra)
    with pytest.raises(Unreadable):
        ProofFile(0, (), "no note\n")
