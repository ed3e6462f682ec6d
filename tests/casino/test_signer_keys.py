"""Keys one after another, and a new epoch: both only because the book itself says so."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from casino.signer import keyring
from casino.signer.__main__ import init, key_new
from casino.signer.adopting import begin_epoch
from casino.signer.rotating import retire
from casino.signer.signer_places import places
from casino.signer.signer_trouble import Refused, Trouble
from casino.tlog.note import SigningKey, parse_note, valid_signatures
from casino.tlog.policy import Policy
from tests.casino.signer_paper import PaperHouse

pytestmark = pytest.mark.share


@pytest.fixture
def house(tmp_path: Path) -> PaperHouse:
    """Two entries, signed by the first key."""
    one = PaperHouse(tmp_path)
    one.book.grow()
    one.book.grow()
    one.signer().turn()
    return one


def keys(house: PaperHouse) -> list[SigningKey]:
    """Those that sign, the oldest first."""
    return list(keyring.load(house.at))


def signers(house: PaperHouse) -> list[str]:
    """The keys, of all the policy names, whose valid signatures the newest checkpoint bears."""
    policy = Policy.parse(house.at.policy.read_text())
    return list(valid_signatures(parse_note(house.note()), policy.logs))


# The first key


def test_the_first_key_is_made_once(house: PaperHouse, capsys: pytest.CaptureFixture[str]) -> None:
    before = {file: file.read_bytes() for file in house.at.home.rglob("*") if file.is_file()}
    capsys.readouterr()
    init(house.at)
    assert {f: f.read_bytes() for f in house.at.home.rglob("*") if f.is_file()} == before
    assert keys(house)[0].verifier().text() in capsys.readouterr().out


def test_a_log_without_a_name_is_a_demonstration(tmp_path: Path) -> None:
    house = PaperHouse(tmp_path, LOG_ORIGIN="")
    assert re.fullmatch(r"demo\.invalid/[0-9a-f]{12}", house.last().origin)
    assert keys(house)[0].name == house.last().origin
    other = PaperHouse(tmp_path / "other", LOG_ORIGIN="")
    assert other.last().origin != house.last().origin


@pytest.mark.parametrize("origin", ["book example", "a+b", "a/", "/a", "a\nb", "x" * 101, "é"])
def test_what_is_no_name_is_refused(tmp_path: Path, origin: str) -> None:
    with pytest.raises(Trouble, match="LOG_ORIGIN"):
        PaperHouse(tmp_path, LOG_ORIGIN=origin)


def test_a_lost_key_is_not_made_anew_by_itself(house: PaperHouse) -> None:
    next(house.at.keys.glob("*.key")).unlink()
    with pytest.raises(Trouble, match="put the keys back"):
        init(house.at)
    house.at.origin.unlink()
    with pytest.raises(Trouble, match="put it back from a copy"):
        init(house.at)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SIGNER_HOME", ""),
        ("BOOK_PUBLIC", ""),
        ("SIGNER_DATABASE_URL", ""),
        ("SIGNER_DATABASE_URL", "mysql://signer@db/casino"),
        ("SIGNER_DATABASE_URL", "postgres://signer:signer@db/casino"),
        ("SIGNER_PASSWORD", "change-me"),
        ("SIGNER_PASSWORD_FILE", "/nowhere/at/all"),
    ],
)
def test_a_signer_that_is_told_nonsense_says_what(variable: str, value: str) -> None:
    sound = {
        "SIGNER_HOME": "/signer",
        "BOOK_PUBLIC": "/public",
        "SIGNER_DATABASE_URL": "postgres://signer@db/casino",
    }
    assert places(sound).drop == Path("/cosignatures")
    with pytest.raises(Trouble, match=r"SIGNER_|BOOK_PUBLIC") as trouble:
        places(sound | {variable: value})
    assert "signer:signer" not in str(trouble.value)


# One key after another


def named(house: PaperHouse, payload: dict[str, object], *by: str, decision: str = "") -> None:
    """A key named by the first of them; the second, if there is one, approves it."""
    act = house.book.record("signing-key-named/2", payload, by[0])
    words = {"act": {"leaf": act.leaf.hex(), "n": act.n, "stream": "house"}}
    for staff in by[1:]:
        values = words | {"decision": decision or "approved"}
        house.book.record("house-act-decided/1", values, staff)


def made(house: PaperHouse) -> tuple[SigningKey, SigningKey]:
    """The key that signs, and a new one that waits."""
    key_new(house.at)
    (first,), (second,) = keys(house), keyring.waiting(house.at)
    return first, second


def change_of(second: SigningKey, first: SigningKey) -> dict[str, object]:
    return {"vkey": second.verifier().text(), "replaces": first.verifier().text()}


@pytest.mark.parametrize(
    ("by", "decision"),
    [
        ((), ""),
        (("S-0001",), ""),
        (("S-0001", "S-0001"), ""),
        (("S-0001", "s-0001"), ""),
        (("S-0001", "S-0003"), "refused"),
    ],
)
def test_a_key_that_two_persons_did_not_name_waits(
    house: PaperHouse, by: tuple[str, ...], decision: str
) -> None:
    first, second = made(house)
    if by:
        named(house, change_of(second, first), *by, decision=decision)
    house.book.grow()
    house.signer().turn()
    assert signers(house) == [first.verifier().text()]
    assert keyring.waiting(house.at)
    with pytest.raises(Trouble, match="is the only key"):
        retire(house.at, house.book, house.last(), keyring.number(first))
    house.must_agree()


def test_a_word_on_another_entry_or_before_it_is_none_on_this_one(house: PaperHouse) -> None:
    first, second = made(house)
    act = house.book.record("signing-key-named/2", change_of(second, first), "S-0001")
    for wrong in ({"n": act.n + 1}, {"leaf": "00" * 32}, {"stream": "reconciler"}):
        named_act = {"leaf": act.leaf.hex(), "n": act.n, "stream": "house"} | wrong
        words = {"act": named_act, "decision": "approved"}
        house.book.record("house-act-decided/1", words, "S-0003")
    house.book.grow(b'{"kind":"house-act-decided/1","payload":[]}')
    house.signer().turn()
    assert signers(house) == [first.verifier().text()]


def test_a_signer_left_with_a_key_that_waits_says_so_and_signs_once_it_is_named(
    house: PaperHouse,
) -> None:
    first, second = made(house)
    (house.at.keys / f"{keyring.number(first)}.key").unlink()
    house.book.grow()
    with pytest.raises(Refused, match="wait for two persons"):
        house.signer().turn()
    named(house, {"vkey": second.verifier().text()}, "S-0001", "S-0003")
    house.signer().turn()
    assert keys(house)[0].verifier() == second.verifier()


def test_two_keys_sign_side_by_side(house: PaperHouse) -> None:
    first, second = made(house)
    assert first.name == second.name
    named(house, change_of(second, first), "S-0001", "S-0003")
    house.signer().turn()
    house.book.grow()
    house.signer().turn()
    assert signers(house) == [first.verifier().text(), second.verifier().text()]
    assert len(Policy.parse(house.at.policy.read_text()).logs) == 2
    house.must_agree()


def test_a_key_is_retired_when_two_persons_named_another(house: PaperHouse) -> None:
    first, second = made(house)
    vkey = second.verifier().text()
    signer = house.signer()
    named(house, change_of(second, first), "S-0001", "S-0003")
    with pytest.raises(Trouble, match="is the only key"):
        retire(house.at, house.book, house.last(), keyring.number(first))
    signer.turn()
    retire(house.at, house.book, house.last(), keyring.number(first))
    assert [key.verifier() for key in keys(house)] == [second.verifier()]
    assert not (house.at.keys / f"{keyring.number(first)}.key").exists()
    house.book.grow()
    signer.turn()
    assert signers(house) == [vkey]
    house.must_agree()  # what the first one signed stays valid: the policy still names it
    assert first.verifier() in Policy.parse(house.at.policy.read_text()).logs


def beside(house: PaperHouse) -> tuple[SigningKey, SigningKey]:
    """Two keys that sign, as a version had them that let a new one sign at once."""
    second = keyring.add(house.at, house.last().origin)
    return keys(house)[0], second


@pytest.mark.parametrize("replaces", ["nothing", "null", "another"])
def test_a_name_in_no_key_s_place_retires_none(house: PaperHouse, replaces: str) -> None:
    """The verifiers would believe the key that was retired for ever."""
    first, second = beside(house)
    payload: dict[str, object] = {"vkey": second.verifier().text()}
    if replaces != "nothing":
        stranger = SigningKey.generate(first.name).verifier().text()
        payload["replaces"] = None if replaces == "null" else stranger
    named(house, payload, "S-0001", "S-0003")
    house.signer().turn()
    with pytest.raises(Trouble, match="as the key it replaces") as trouble:
        retire(house.at, house.book, house.last(), keyring.number(first))
    assert first.verifier().text() in str(trouble.value)
    assert second.verifier().text() in str(trouble.value), "it says which key is to be recorded"


def test_what_one_person_named_before_retires_no_key_any_more(house: PaperHouse) -> None:
    first, second = beside(house)
    house.book.record("signing-key-named/1", change_of(second, first), "S-0001")
    house.signer().turn()
    with pytest.raises(Trouble, match="a second person's approval"):
        retire(house.at, house.book, house.last(), keyring.number(first))
    named(house, change_of(second, first), "S-0001", "S-0003")
    house.signer().turn()
    retire(house.at, house.book, house.last(), keyring.number(first))


def test_a_checkpoint_by_one_of_the_two_is_not_enough(house: PaperHouse) -> None:
    """The book names the second key before it ever signed: nobody could trust it yet."""
    second = SigningKey.generate(house.last().origin)
    named(house, change_of(second, keys(house)[0]), "S-0001", "S-0003")
    house.signer().turn()
    file = house.at.keys / f"{keyring.number(second)}.key"
    file.write_text(second.text())
    file.chmod(0o600)
    first = keys(house)[0]
    with pytest.raises(Trouble, match="is still needed"):
        retire(house.at, house.book, house.last(), keyring.number(first))


def test_the_only_key_and_a_strangers_are_not_retired(house: PaperHouse) -> None:
    number = keyring.number(keys(house)[0])
    with pytest.raises(Trouble, match="is the only key"):
        retire(house.at, house.book, house.last(), number)
    with pytest.raises(Trouble, match=f"there are {number}"):
        retire(house.at, house.book, house.last(), "00000000")


def test_there_is_an_end_to_keys(house: PaperHouse) -> None:
    for _ in range(keyring.MOST_KEYS - 1):
        key_new(house.at)
    with pytest.raises(Trouble, match="retire one first"):
        key_new(house.at)


# A new epoch


@pytest.fixture
def cut(house: PaperHouse) -> PaperHouse:
    """The book lost its second entry for good; another stands in its place."""
    house.book.entries.pop()
    house.book.roots.pop(2)
    house.book.signed.clear()
    house.book.grow(b'{"kind":"another/1"}')
    with pytest.raises(Refused, match="entries were changed"):
        house.signer().turn()
    return house


def begun(house: PaperHouse, **other: object) -> dict[str, object]:
    """What the administrator tells: the last checkpoint there was, and the new name."""
    own = house.last()
    return {
        "origin": "book.example/sala/2",
        "lost_origin": own.origin,
        "lost_size": own.size,
        "lost_root": own.root.hex(),
        "reason": "disk-lost",
        **other,
    }


def approved(house: PaperHouse, payload: dict[str, object], *by: str) -> None:
    """An epoch begun by the first, approved by the second."""
    entry = house.book.record("epoch-begun/1", payload, by[0])
    named = {"leaf": entry.leaf.hex(), "n": entry.n, "stream": "house"}
    house.book.record("epoch-approved/1", {"begun": named}, by[1])


def test_two_persons_begin_a_new_epoch(cut: PaperHouse) -> None:
    old = cut.last()
    first = keys(cut)[0]
    approved(cut, begun(cut), "S-0001", "S-0003")
    signer = cut.signer()
    with pytest.raises(Refused):
        signer.turn()  # it does not do so by itself
    new = begin_epoch(cut.at, cut.book)
    assert (new.origin, new.size) == ("book.example/sala/2", 4)
    with pytest.raises(Refused, match="LOG_ORIGIN"):
        signer.turn()  # until the environment has the new name too
    cut.at = signer.places = replace(cut.at, asked_origin=new.origin)
    assert signer.turn() == new
    cut.book.grow()
    assert signer.turn().size == 5
    cut.must_agree()
    assert [key.name for key in keys(cut)] == [old.origin, new.origin]
    assert first.verifier().text() in signers(cut), "the old key signs on: it is trusted already"
    assert len(signers(cut)) == 2
    kept = next((cut.at.home / "epochs").iterdir())
    assert kept.read_text() == old.text()
    assert cut.at.origin.read_text().strip() == new.origin


@pytest.mark.parametrize(
    "other",
    [
        {"lost_size": 3},
        {"lost_root": "00" * 32},
        {"lost_origin": "book.example/else"},
        {"origin": "book.example/sala/1"},
    ],
)
def test_an_epoch_names_exactly_what_was_lost(cut: PaperHouse, other: dict[str, object]) -> None:
    approved(cut, begun(cut, **other), "S-0001", "S-0003")
    with pytest.raises(Trouble, match=r"holds no epoch-begun/1|bears the old name"):
        begin_epoch(cut.at, cut.book)


def test_nobody_begins_an_epoch_alone(cut: PaperHouse) -> None:
    with pytest.raises(Trouble, match="holds no epoch-begun/1") as trouble:
        begin_epoch(cut.at, cut.book)
    assert cut.last().root.hex() in str(trouble.value), "it says what is to be recorded"
    entry = cut.book.record("epoch-begun/1", begun(cut), "S-0001")
    with pytest.raises(Trouble, match="Nobody else approved"):
        begin_epoch(cut.at, cut.book)
    approved(cut, begun(cut), "S-0001", "S-0001")
    with pytest.raises(Trouble, match="Nobody else approved"):
        begin_epoch(cut.at, cut.book)
    for named in (
        {"leaf": "00" * 32, "n": entry.n, "stream": "house"},
        {"leaf": entry.leaf.hex(), "n": entry.n + 1, "stream": "house"},
        {"leaf": entry.leaf.hex(), "n": entry.n, "stream": "reconciler"},
    ):
        cut.book.record("epoch-approved/1", {"begun": named}, "S-0003")
        with pytest.raises(Trouble, match="Nobody else approved"):
            begin_epoch(cut.at, cut.book)
    assert cut.last().origin == "book.example/sala/1"


def test_a_tree_that_is_wrong_in_itself_is_not_adopted(cut: PaperHouse) -> None:
    approved(cut, begun(cut), "S-0001", "S-0003")
    cut.book.roots[4] = b"x" * 32
    with pytest.raises(Refused, match="were changed"):
        begin_epoch(cut.at, cut.book)


def test_an_epoch_needs_something_that_was_signed(tmp_path: Path) -> None:
    house = PaperHouse(tmp_path)
    house.book.grow()
    with pytest.raises(Trouble, match="Nothing was ever signed"):
        begin_epoch(house.at, house.book)


def test_a_signer_that_lost_its_folder_begins_an_epoch_too(
    house: PaperHouse, tmp_path: Path
) -> None:
    """New keys, an empty file: what the book holds as the last checkpoint is what was lost."""
    other = PaperHouse(tmp_path / "new", LOG_ORIGIN="book.example/sala/2")
    other.book = house.book
    with pytest.raises(Refused, match="not the newest files"):
        other.signer().turn()
    approved(house, begun(house), "S-0001", "S-0003")
    assert begin_epoch(other.at, other.book).origin == "book.example/sala/2"
    assert other.signer().turn().size == 4
