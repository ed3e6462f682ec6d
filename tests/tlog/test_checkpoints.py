"""Checkpoints and the cosignatures of witnesses (C2SP tlog-checkpoint, tlog-cosignature)."""

import struct
from base64 import b64decode, b64encode
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given

from casino.tlog.checkpoint import Checkpoint, cosign, parse_checkpoint
from casino.tlog.note import (
    COSIGNATURE,
    SignatureRefused,
    SigningKey,
    parse_note,
    signed,
    valid_signatures,
    with_signatures,
)
from casino.tlog.strict import Unreadable
from tests.tlog.notes_strategy import CHECKPOINTS, KEYS, MOMENTS, changed

# The specification's own example.
EXAMPLE = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
LOG = SigningKey("example.com/behind-the-sofa", bytes(range(32)))
WITNESS = SigningKey("witness.example/w1", bytes(range(32, 64)))
NOW = 1_679_315_147


def test_the_published_example_is_read_and_written_alike() -> None:
    found = parse_checkpoint(EXAMPLE)
    assert (found.origin, found.size) == ("example.com/behind-the-sofa", 20_852_163)
    assert found.root.hex() == "0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62"
    assert found.text() == EXAMPLE


@given(CHECKPOINTS)
def test_checkpoints_are_read_back(checkpoint: Checkpoint) -> None:
    assert parse_checkpoint(checkpoint.text()) == checkpoint


def test_a_checkpoint_has_one_way_to_be_written() -> None:
    for other in changed(EXAMPLE):
        try:
            found = parse_checkpoint(other.decode("utf-8", "surrogateescape"))
        except Unreadable:
            continue
        assert found.text().encode() == other


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        EXAMPLE[:-1],
        EXAMPLE + "\n",
        EXAMPLE + "extension\n",
        "\n" + EXAMPLE,
        EXAMPLE.replace("\n", "\r\n"),
        EXAMPLE.replace("20852163", "020852163"),
        EXAMPLE.replace("20852163", "+20852163"),
        EXAMPLE.replace("20852163", "-1"),
        EXAMPLE.replace("20852163", ""),
        EXAMPLE.replace("20852163", "2_0"),
        EXAMPLE.replace("20852163", " 2"),
        EXAMPLE.replace("20852163", "２"),
        EXAMPLE.replace("20852163", str(2**63)),
        EXAMPLE.replace("20852163", "9" * 30),
        EXAMPLE.replace("20852163", "0"),
        EXAMPLE.replace("q2I=", "q2J="),
        EXAMPLE.replace("q2I=", "q2I"),
        EXAMPLE.replace("q2I=", "q2I= "),
        EXAMPLE.replace("q2I=", "q2I=="),
        EXAMPLE.replace("m/Xa", "m_Xa"),
        EXAMPLE.replace("CsUY", ""),
        EXAMPLE.replace("/behind", " behind"),
        EXAMPLE.replace("/behind", "+behind"),
        EXAMPLE.replace("example.com/behind-the-sofa", ""),
        "x" * 256 + EXAMPLE[27:],
    ],
)
def test_what_is_not_exactly_a_checkpoint(text: str) -> None:
    with pytest.raises(Unreadable):
        parse_checkpoint(text)


def test_the_largest_tree_and_the_empty_one() -> None:
    assert parse_checkpoint(EXAMPLE.replace("20852163", str(2**63 - 1))).size == 2**63 - 1
    empty = Checkpoint("a", 0, sha256(b"").digest())
    assert parse_checkpoint(empty.text()) == empty
    with pytest.raises(Unreadable, match="empty tree"):
        Checkpoint("a", 0, bytes(32))
    for size, root in ((-1, bytes(32)), (2**63, bytes(32)), (1, bytes(31))):
        with pytest.raises(Unreadable):
            Checkpoint("a", size, root)


def test_a_cosignature_is_made_as_the_specification_says() -> None:
    line = cosign(WITNESS, EXAMPLE, NOW)
    dash, name, blob = line.split(" ")
    assert (dash, name) == ("—", "witness.example/w1")
    data = b64decode(blob)
    public = WITNESS.verifier(COSIGNATURE).public
    assert data[:4] == sha256(b"witness.example/w1\n\x04" + public).digest()[:4]
    assert struct.unpack(">Q", data[4:12]) == (NOW,)
    message = b"cosignature/v1\ntime 1679315147\n" + EXAMPLE.encode()
    # It raises where the signature does not hold.
    Ed25519PublicKey.from_public_bytes(public).verify(data[12:], message)
    assert len(data) == 76


@given(CHECKPOINTS, KEYS, MOMENTS)
def test_a_cosignature_is_told_with_its_moment(
    checkpoint: Checkpoint, witness: SigningKey, moment: int
) -> None:
    note = with_signatures(
        signed(checkpoint.text(), [LOG]), [cosign(witness, checkpoint.text(), moment)]
    )
    key = witness.verifier(COSIGNATURE)
    found = valid_signatures(parse_note(note), [LOG.verifier(), key])
    assert found == {LOG.verifier().text(): None, key.text(): moment}
    # As a log's own key the same bytes say nothing about this line.
    assert valid_signatures(parse_note(note), [witness.verifier()]) == {}


def test_a_cosignature_with_a_byte_changed_is_refused() -> None:
    key = WITNESS.verifier(COSIGNATURE)
    note = with_signatures(signed(EXAMPLE, [LOG]), [cosign(WITNESS, EXAMPLE, NOW)])

    def counts(data: bytes) -> bool:
        try:
            return valid_signatures(parse_note(data), [key]) == {key.text(): NOW}
        except (Unreadable, SignatureRefused):
            return False

    assert counts(note.encode())
    *above, line = note[:-1].split("\n")
    before = "\n".join([*above, ""]).encode()
    for other in changed(line + "\n"):
        if other != (line + "\n").encode():
            assert not counts(before + other), other
    for other in changed(EXAMPLE):
        if other != EXAMPLE.encode():
            assert not counts(other + note.encode()[len(EXAMPLE.encode()) :]), other


def test_of_two_cosignatures_the_first_moment_counts() -> None:
    key = WITNESS.verifier(COSIGNATURE)
    for moments in ((NOW, NOW + 5), (NOW + 5, NOW)):
        lines = [cosign(WITNESS, EXAMPLE, moment) for moment in moments]
        note = with_signatures(signed(EXAMPLE, [LOG]), lines)
        assert valid_signatures(parse_note(note), [key]) == {key.text(): NOW}


def test_a_cosignature_needs_a_checkpoint_and_a_moment() -> None:
    assert cosign(WITNESS, EXAMPLE, 0) != cosign(WITNESS, EXAMPLE, 2**63 - 1)
    for text, moment in ((EXAMPLE, -1), (EXAMPLE, 2**63), (EXAMPLE + "more\n", NOW), ("x\n", NOW)):
        with pytest.raises(Unreadable):
            cosign(WITNESS, text, moment)


def test_a_moment_no_format_has_is_refused_though_signed() -> None:
    key = WITNESS.verifier(COSIGNATURE)
    moment = 2**63
    signature = WITNESS.signature(b"cosignature/v1\ntime %d\n" % moment + EXAMPLE.encode())
    blob = key.key_id.to_bytes(4, "big") + moment.to_bytes(8, "big") + signature
    line = f"— {key.name} {b64encode(blob).decode()}"
    with pytest.raises(SignatureRefused, match="no moment"):
        valid_signatures(parse_note(f"{EXAMPLE}\n{line}\n"), [key])
