"""Signed notes and their keys: as others sign them, and strictly in one form (C2SP signed-note)."""

from base64 import b64decode, b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from casino.tlog.note import (
    COSIGNATURE,
    ED25519,
    Note,
    SignatureRefused,
    SigningKey,
    VerifierKey,
    parse_note,
    signed,
    valid_signatures,
    with_signatures,
)
from casino.tlog.strict import Unreadable
from tests.tlog.notes_strategy import KEYS, NAMES, TEXTS, changed

# Published with Go's package golang.org/x/mod/sumdb/note, as its examples.
SECRET = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
LINE = (
    "— PeterNeumann"
    " x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
)
SECOND_LINE = (
    "— EnochRoot"
    " rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ="
)
PUBLISHED = f"{TEXT}\n{LINE}\n"
KEY = VerifierKey.parse(PUBLIC)
HOUSE = SigningKey("demo.invalid/1", bytes(range(32)))


def refused(text: str | bytes, keys: tuple[VerifierKey, ...] = (KEY,)) -> bool:
    """Whether a note is unreadable, or no line under it holds with one of the keys."""
    try:
        return not valid_signatures(parse_note(text), keys)
    except (Unreadable, SignatureRefused):
        return True


def test_a_published_note_is_signed_and_read_alike() -> None:
    key = SigningKey.parse(SECRET)
    assert key.text() == SECRET
    assert key.verifier().text() == PUBLIC
    assert key.sign(TEXT) == LINE
    assert signed(TEXT, [key]) == PUBLISHED
    note = parse_note(PUBLISHED)
    assert note.text == TEXT
    assert [(each.name, each.key_id, each.line) for each in note.signatures] == [
        ("PeterNeumann", 0xC74F20A3, LINE)
    ]
    assert valid_signatures(note, [KEY]) == {PUBLIC: None}


def test_a_published_second_signature_stands_beside_the_first() -> None:
    enoch = SigningKey("EnochRoot", bytes(32))
    both = with_signatures(PUBLISHED, [SECOND_LINE, LINE])
    assert both == PUBLISHED + SECOND_LINE + "\n"
    assert signed(TEXT, [SigningKey.parse(SECRET), enoch]) == both
    assert valid_signatures(parse_note(both), [KEY]) == {PUBLIC: None}
    known = [enoch.verifier(), KEY]
    assert set(valid_signatures(parse_note(both), known)) == {PUBLIC, enoch.verifier().text()}


def test_every_byte_changed_is_refused() -> None:
    assert not refused(PUBLISHED)
    for other in changed(PUBLISHED):
        if other != PUBLISHED.encode():
            assert refused(other), other


@given(TEXTS, st.lists(KEYS, min_size=1, max_size=3, unique_by=lambda key: key.verifier()))
def test_what_was_signed_is_read_back(text: str, keys: list[SigningKey]) -> None:
    note = parse_note(signed(text, keys))
    assert note.text == text
    assert [each.line for each in note.signatures] == [key.sign(text) for key in keys]
    assert valid_signatures(note, [key.verifier() for key in keys]) == dict.fromkeys(
        key.verifier().text() for key in keys
    )
    assert parse_note(signed(text, keys).encode()) == note


@given(KEYS)
def test_keys_are_read_back(key: SigningKey) -> None:
    assert SigningKey.parse(key.text()).text() == key.text()
    for algorithm in (ED25519, COSIGNATURE):
        public = key.verifier(algorithm)
        assert VerifierKey.parse(public.text()) == public


@pytest.mark.parametrize(("text", "read"), [(PUBLIC, VerifierKey), (SECRET, SigningKey)])
def test_a_key_with_a_byte_changed_is_no_key(
    text: str, read: type[VerifierKey] | type[SigningKey]
) -> None:
    assert read.parse(text).text() == text
    for other in changed(text):
        if other != text.encode():
            with pytest.raises(Unreadable):
                read.parse(other.decode("latin-1"))


def test_a_secret_is_told_to_nobody() -> None:
    assert b64encode(bytes(range(32))).decode()[:20] not in f"{HOUSE} {HOUSE!r}"
    spoilt = SECRET[:-1] + "!"
    with pytest.raises(Unreadable) as refusal:
        SigningKey.parse(spoilt)
    assert "AYEKFALV" not in str(refusal.value)


def test_new_keys_differ() -> None:
    keys = {SigningKey.generate("demo.invalid/1").text() for _ in range(3)}
    assert len(keys) == 3
    assert all(SigningKey.parse(key).name == "demo.invalid/1" for key in keys)


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "a b",
        "a+b",
        "a\u00a0b",
        "a\u2003",
        "\u3000",
        "a\n",
        "a\tb",
        "\0",
        "a\ud800",
        "é" * 128,
    ],
)
def test_what_cannot_name_a_key(name: str) -> None:
    with pytest.raises(Unreadable):
        SigningKey.generate(name)
    with pytest.raises(Unreadable):
        VerifierKey.of(name, ED25519, bytes(32))
    if "\n" not in name and "\ud800" not in name:
        blob = b64encode(b"0123" + bytes(64)).decode()
        with pytest.raises(Unreadable):
            parse_note(f"text\n\n— {name} {blob}\n")


@given(NAMES)
def test_every_other_name_is_one(name: str) -> None:
    assert VerifierKey.of(name, ED25519, bytes(32)).name == name


@pytest.mark.parametrize("algorithm", [0, 2, 3, 5, 6, 255])
def test_a_key_of_another_algorithm_is_refused(algorithm: int) -> None:
    with pytest.raises(Unreadable, match="unknown algorithm"):
        VerifierKey.of("a", algorithm, bytes(32))


def test_a_line_that_names_a_key_and_is_not_its_signature_spoils_the_note() -> None:
    forged = LINE[:40] + ("A" if LINE[40] != "A" else "B") + LINE[41:]
    with pytest.raises(SignatureRefused, match="PeterNeumann"):
        valid_signatures(parse_note(f"{TEXT}\n{LINE}\n{forged}\n"), [KEY])


def test_signatures_of_others_are_passed_over() -> None:
    other = SigningKey("PeterNeumann", bytes(32)).verifier()  # the name and another id
    assert valid_signatures(parse_note(PUBLISHED), [other]) == {}
    renamed = VerifierKey.of("Peter", ED25519, KEY.public)
    assert valid_signatures(parse_note(PUBLISHED), [renamed]) == {}
    assert valid_signatures(parse_note(PUBLISHED), []) == {}


def test_a_signature_belongs_to_its_text() -> None:
    with pytest.raises(SignatureRefused):
        valid_signatures(Note(TEXT + "\n", parse_note(PUBLISHED).signatures), [KEY])


@pytest.mark.parametrize(
    "note",
    [
        "",
        "\n",
        "text",
        "text\n",
        "text\n\n",
        f"text\n{LINE}\n",
        f"{TEXT}\n{LINE}",
        f"{TEXT}\n{LINE}\n\n",
        f"{TEXT}\n{LINE}\r\n",
        f"{TEXT}\n{LINE[1:]}\n",
        f"{TEXT}\n-{LINE[1:]}\n",
        f"{TEXT}\n{LINE} \n",
        f"{TEXT}\n{LINE}\nmore\n",
        f"{TEXT}\n— PeterNeumann  {LINE.split(' ')[2]}\n",
        f"{TEXT}\n— PeterNeumann\n",
        f"{TEXT}\n— PeterNeumann \n",
        f"{TEXT}\n— PeterNeumann x08go=\n",
        f"{TEXT}\n— PeterNeumann x08gow==\n",  # a key's id and no signature
        f"{TEXT}\n{LINE[:-2]}N=\n",  # other bits left over
        f"{TEXT}\n{LINE[:-1]}\n",
        f"{TEXT}\n{LINE.replace('/', '_')}\n",
        f"te\0xt\n\n{LINE}\n",
        f"te\txt\n\n{LINE}\n",
        f"te\x1fxt\n\n{LINE}\n",
        f"te\ud800xt\n\n{LINE}\n",
        TEXT.encode() + b"\xff\n\n" + LINE.encode() + b"\n",
    ],
)
def test_what_is_not_exactly_a_note(note: str | bytes) -> None:
    with pytest.raises(Unreadable):
        parse_note(note)


def test_a_notes_text_may_hold_empty_lines() -> None:
    text = "one\n\ntwo\n\n\n"
    assert parse_note(signed(text, [HOUSE])).text == text
    assert parse_note(f"\n\n{LINE}\n").text == "\n"


def test_a_text_without_its_line_feed_is_not_signed() -> None:
    for text in ("", "text", "te\0xt\n"):
        with pytest.raises(Unreadable):
            signed(text, [HOUSE])
    with pytest.raises(Unreadable):
        signed("text\n", [])
    with pytest.raises(Unreadable):
        with_signatures(PUBLISHED, ["no line"])


def test_a_note_has_an_end() -> None:
    assert len(parse_note(TEXT + "\n" + f"{LINE}\n" * 100).signatures) == 100
    with pytest.raises(Unreadable, match="more than 100"):
        parse_note(TEXT + "\n" + f"{LINE}\n" * 101)
    longest = "x" * (1_000_000 - len(f"\n\n{LINE}\n".encode())) + f"\n\n{LINE}\n"
    assert parse_note(longest).text.startswith("xx")
    for text in ("x" + longest, ("x" + longest).encode(), "é" * 600_000):
        with pytest.raises(Unreadable, match="longer than 1000000 bytes"):
            parse_note(text)
    with pytest.raises(Unreadable, match="longer than 10 bytes"):
        parse_note(PUBLISHED, 10)


def test_a_signature_holds_by_ed25519_alone() -> None:
    blob = b64decode(HOUSE.sign(TEXT).split(" ")[2])
    assert blob[:4].hex() == HOUSE.verifier().text().split("+")[1]
    public = Ed25519PublicKey.from_public_bytes(HOUSE.verifier().public)
    public.verify(blob[4:], TEXT.encode())  # it raises where it does not hold
    for length in (0, 1, 63, 65):
        with pytest.raises(SignatureRefused):
            HOUSE.verifier().signed(TEXT, (blob[4:] + b"\0")[:length])
