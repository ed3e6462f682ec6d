"""Notes, keys and policies read by the verifier: as c2sp.org writes them, and in no other way."""

import base64
from hashlib import sha256

import pytest

from audit.verifier.notes import Policy, read_checkpoint, read_key, signed_at
from casino.tlog.checkpoint import Checkpoint, cosign
from casino.tlog.note import COSIGNATURE, signed, with_signatures
from tests.verifier.maker import ORIGIN, key

LOG, WITNESS = key(ORIGIN), key("testemunha.example")
TEXT = Checkpoint(ORIGIN, 7, bytes(range(32))).text()
NOTE = with_signatures(signed(TEXT, [LOG]), [cosign(WITNESS, TEXT, 1_700_000_000)])
# The example of c2sp.org/signed-note and its key, as Go's package publishes them.
GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)


def test_a_checkpoint_is_read_and_its_signatures_hold() -> None:
    note = read_checkpoint(NOTE.encode())
    assert (note.origin, note.size, note.root) == (ORIGIN, 7, bytes(range(32)))
    assert (note.whole, note.text) == (NOTE.encode(), TEXT.encode())
    assert signed_at(note, read_key(LOG.verifier().text())) == 0
    assert signed_at(note, read_key(WITNESS.verifier(COSIGNATURE).text())) == 1_700_000_000
    assert signed_at(note, read_key(key(ORIGIN, 2).verifier().text())) is None


@pytest.mark.parametrize(("length", "fine"), [(264, True), (300, True), (301, False)])
def test_a_name_has_an_end(length: int, fine: bool) -> None:
    """The house's own have 264 characters at the most."""
    name, data = "x" * length, base64.b64decode(LOG.verifier().text().split("+", 2)[2])
    digest = sha256(f"{name}\n".encode() + data).hexdigest()[:8]
    for read, found in (
        (read_checkpoint, NOTE.replace(ORIGIN, name, 1).encode()),
        (read_checkpoint, NOTE.replace(f" {ORIGIN} ", f" {name} ").encode()),
        (read_key, f"{name}+{digest}+{base64.b64encode(data).decode()}"),
    ):
        if fine:
            assert read(found)
        else:
            with pytest.raises(ValueError, match="no "):
                read(found)


def test_a_signature_of_another_text_is_none() -> None:
    other = read_checkpoint(NOTE.replace("\n7\n", "\n8\n").encode())
    for each in (LOG.verifier(), WITNESS.verifier(COSIGNATURE)):
        with pytest.raises(ValueError, match=each.name):
            signed_at(other, read_key(each.text()))


def test_a_foreign_key_is_read() -> None:
    assert read_key(GO_KEY).name == "PeterNeumann"


@pytest.mark.parametrize(
    "note",
    [
        "",
        "\n\n",
        TEXT,
        TEXT + "\n",
        NOTE[:-1],
        NOTE + "\n",
        NOTE.replace("—", "-"),
        "\n" + NOTE,
        NOTE.replace("\n7\n", "\n07\n"),
        NOTE.replace("\n7\n", "\n7 \n"),
        NOTE.replace("\n7\n", "\n\n"),
        NOTE.replace("\n7\n", "\n7\n8\n"),
        NOTE.replace("8=\n", "8\n"),
        NOTE.replace("\n\n", "\n"),
        NOTE.replace("— ", "—  "),
        NOTE.replace("—", "\t—"),
        NOTE.replace("\n", "\r\n"),
        NOTE + "x",
        NOTE.replace(ORIGIN, "", 1),
        NOTE.replace("— ", "— x\u00a0y", 1),
        NOTE.replace("— l", "— +l", 1),
    ],
)
def test_a_note_written_in_another_way_is_none(note: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any of its kinds
        read_checkpoint(note.encode())


def test_base64_is_written_in_one_way() -> None:
    line = next(each for each in NOTE.split("\n") if each.startswith("— l"))
    made = line.split(" ")[2]
    assert made.endswith("=")
    for other in (
        made[:-1],
        made + "=",
        made[:4] + " " + made[4:],
        made.replace("=", ""),
        made[:-2] + "B=",
    ):
        if other != made:
            with pytest.raises(ValueError):  # noqa: PT011
                read_checkpoint(NOTE.replace(made, other).encode())


@pytest.mark.parametrize(
    "vkey",
    [
        "",
        "+",
        "a+b",
        "a+b+c",
        GO_KEY[:-1],
        GO_KEY.replace("c74", "C74"),
        "x" + GO_KEY,
        GO_KEY + "+",
        GO_KEY.replace("Peter", "Peter "),
        GO_KEY.replace("AR", "BR"),
    ],
)
def test_a_key_written_in_another_way_is_none(vkey: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        read_key(vkey)


# Policies.

NAMES = ["w1", "w2", "w3", "w4"]
WITNESSES = {name: key(name).verifier(COSIGNATURE).text() for name in NAMES}
LINES = "".join(f"witness {name} {vkey}\n" for name, vkey in WITNESSES.items())


@pytest.mark.parametrize(
    ("rule", "met", "not_met"),
    [
        ("quorum none\n", ["", "1"], []),
        ("quorum w2\n", ["2", "12"], ["", "1", "134"]),
        ("group g any w1 w2\nquorum g\n", ["1", "2"], ["", "34"]),
        ("group g all w1 w2\nquorum g\n", ["12"], ["1", "2", "34"]),
        ("group g 2 w1 w2 w3\nquorum g\n", ["12", "23", "123"], ["1", "14"]),
        (
            "group a any w1 w2\ngroup b all w3 w4\ngroup c all a b\nquorum c\n",
            ["134", "1234"],
            ["12", "34", "13"],
        ),
        ("  # a comment\n\n\tgroup\tg  1 w1 # x\nquorum g\n".replace(" # x", ""), ["1"], ["2"]),
    ],
)
def test_how_many_witnesses_are_enough(rule: str, met: list[str], not_met: list[str]) -> None:
    policy = Policy((LINES + rule).encode())
    for signers in (*met, *not_met):
        signed_by = {policy.witnesses[f"w{each}"] for each in signers}
        assert policy.met(signed_by) == (signers in met), signers


def test_a_policy_may_say_where_to_find_somebody_and_speak_any_tongue() -> None:
    text = (
        f"# Política — çã\nlog {LOG.verifier().text()} https://x\n"
        f"witness ã {WITNESSES['w1']} https://y\nquorum ã\n"
    )
    policy = Policy(text.encode())
    assert [each.name for each in policy.logs] == [ORIGIN]
    assert list(policy.witnesses) == ["ã"]


@pytest.mark.parametrize(
    "recorded",
    [
        "",
        "quorum w5\n",
        "quorum w1\nquorum w1\n",
        "quorum\n",
        "group g any\nquorum g\n",
        "group g 3 w1 w2\nquorum g\n",
        "group g 0 w1\nquorum g\n",
        "group g 01 w1\nquorum g\n",
        "group g any w1 w1\nquorum g\n",
        "group g any w1\ngroup h any w1\nquorum h\n",
        "group g any g\nquorum g\n",
        "group w1 any w2\nquorum w1\n",
        "group none any w1\nquorum none\n",
        "group g any none\nquorum g\n",
        "nothing\nquorum none\n",
        f"witness w1 {WITNESSES['w2']}\nquorum none\n",
        f"witness w5 {WITNESSES['w2']}\nquorum none\n",
        f"log {WITNESSES['w2']}\nquorum none\n",
        f"witness w5 {LOG.verifier().text()}\nquorum none\n",
        "quorum none\r\n",
        "quorum none\x00\n",
        f"log {LOG.verifier().text()}\nlog {LOG.verifier().text()}\nquorum none\n",
        "quorum none # x\n",
    ],
)
def test_a_policy_written_in_another_way_is_none(recorded: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        Policy((LINES + recorded).encode())
