"""Keys that take over from others, and a book that goes on under another name."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from audit.verifier.notes import read_checkpoint
from audit.verifying.walking import verify
from casino.events.event import EntryRef
from casino.events.sealing import EpochApproved, EpochBegun, HouseActDecided, SigningKeyNamed
from casino.recording import Actor, Receipt
from casino.tlog.checkpoint import Checkpoint
from casino.tlog.note import SigningKey, signed
from tests.factories.records import MANAGER, burnt, recorded
from tests.factories.verified_books import KEY, ORIGIN, placed, sealed

Connect = Callable[..., psycopg.Connection]
pytestmark = [pytest.mark.usefixtures("fresh_db"), pytest.mark.share]

ADMIN = Actor("A-0001", "administrador", "local")
NEXT = SigningKey(ORIGIN, bytes(range(2, 34)))
STRANGER = SigningKey(ORIGIN, bytes(range(3, 35)))
ELSEWHERE = SigningKey("livro.invalid/test/2", bytes(range(4, 36)))


def policy_of(*keys: SigningKey) -> str:
    return "".join(f"log {key.verifier().text()}\n" for key in keys) + "quorum none\n"


def codes(*keys: SigningKey) -> list[tuple[str, object]]:
    """What is recorded under a policy of these keys, schema apart."""
    recorded_of = verify(policy=policy_of(*keys)).report.problems
    return [
        (each.code, each.details.get("size"))
        for each in recorded_of
        if each.code != "no-schema-record"
    ]


def grown() -> None:
    recorded(burnt())
    placed()


def named() -> Receipt:
    """The book names a key that takes over from the first."""
    event = SigningKeyNamed(
        vkey=NEXT.verifier().text(), replaces=KEY.verifier().text(), reason="rotation"
    )
    first = recorded(event, by=ADMIN)
    act = EntryRef(stream=first.stream, n=first.n, leaf=first.leaf)
    return recorded(HouseActDecided(act=act, decision="approved"), by=MANAGER)


@pytest.fixture
def rotated(connect_as: Connect, fresh_db: str) -> None:
    """One checkpoint by the old key, one by both, one by the new key alone."""
    grown()
    sealed(connect_as)
    named()
    grown()
    sealed(connect_as, keys=(KEY, NEXT))
    grown()
    sealed(connect_as, keys=(NEXT,))


def test_a_key_the_book_names_takes_over(rotated: None) -> None:
    assert codes(KEY) == []
    assert codes(NEXT) == []
    assert codes(KEY, NEXT) == []


def test_a_key_that_was_replaced_signs_no_more(rotated: None, connect_as: Connect) -> None:
    grown()
    sealed(connect_as, keys=(KEY,))
    assert codes(KEY) == [("checkpoint-unsigned", 6)]


def test_a_key_nobody_named_is_not_believed(rotated: None, connect_as: Connect) -> None:
    grown()
    sealed(connect_as, keys=(STRANGER,))
    assert codes(KEY) == [("checkpoint-unsigned", 6)]
    assert codes(STRANGER) == [("checkpoint-unsigned", size) for size in (1, 4, 5)]


def test_a_key_named_by_an_entry_no_believed_key_covers_is_not_believed(
    connect_as: Connect, fresh_db: str
) -> None:
    grown()
    sealed(connect_as)
    named()
    grown()
    sealed(connect_as, keys=(NEXT,))
    assert codes(KEY) == [("checkpoint-unsigned", 4)]


def test_a_key_nobody_else_approved_is_not_believed(connect_as: Connect, fresh_db: str) -> None:
    grown()
    sealed(connect_as)
    recorded(SigningKeyNamed(vkey=NEXT.verifier().text(), reason="rotation"), by=ADMIN)
    placed()
    sealed(connect_as, keys=(KEY, NEXT))
    assert codes(KEY) == []
    grown()
    sealed(connect_as, keys=(NEXT,))
    assert codes(KEY) == [("checkpoint-unsigned", 3)]


def begun(size: int, root: str, origin: str = ELSEWHERE.name) -> Receipt:
    event = EpochBegun(
        origin=origin, lost_origin=ORIGIN, lost_size=size, lost_root=root, reason="disk"
    )
    return recorded(event, by=ADMIN)


def approved(epoch: Receipt) -> None:
    entry = EntryRef(stream=epoch.stream, n=epoch.n, leaf=epoch.leaf)
    recorded(EpochApproved(begun=entry), by=MANAGER)


def test_another_name_needs_two_persons(connect_as: Connect, fresh_db: str) -> None:
    grown()
    sealed(connect_as)
    root = verify(policy=policy_of(KEY)).root
    epoch = begun(9, root)
    placed()
    sealed(connect_as, keys=(ELSEWHERE,), origin=ELSEWHERE.name)
    assert codes(KEY, ELSEWHERE) == [("origin-changed", 2)]
    approved(epoch)
    placed()
    sealed(connect_as, keys=(ELSEWHERE,), origin=ELSEWHERE.name)
    assert codes(KEY, ELSEWHERE) == [("origin-changed", 2)]  # approved too late for that one


def test_a_name_two_persons_put_down_is_the_books(connect_as: Connect, fresh_db: str) -> None:
    grown()
    sealed(connect_as)
    approved(begun(9, verify(policy=policy_of(KEY)).root))
    placed()
    sealed(connect_as, keys=(ELSEWHERE,), origin=ELSEWHERE.name)
    assert codes(KEY, ELSEWHERE) == []


def test_what_is_declared_lost_is_not_asked_for(connect_as: Connect, fresh_db: str) -> None:
    grown()
    first = sealed(connect_as)
    beyond = signed(Checkpoint(ORIGIN, 77, bytes(32)).text(), [KEY])
    forged = beyond.replace("\n77\n", "\n78\n")

    def problems(note: str) -> list[str]:
        verification = verify(policy=policy_of(KEY, ELSEWHERE), older=[("kept", note)])
        return [each.code for each in verification.report.of("problem")]

    assert problems(first) == []
    assert problems(beyond) == ["short-by"]
    approved(begun(77, "00" * 32))
    placed()
    sealed(connect_as, keys=(ELSEWHERE,), origin=ELSEWHERE.name)
    assert problems(first) == []
    assert problems(beyond) == []
    # A note that no key of the book signed accuses nobody; that it says nothing is recorded.
    assert problems(forged) == []
    verification = verify(policy=policy_of(KEY, ELSEWHERE), older=[("kept", forged)])
    assert "older-unsigned" in {each.code for each in verification.report.of("unseen")}
    other = signed(Checkpoint("livro.example/outra", 3, bytes(32)).text(), [KEY])
    verification = verify(policy=policy_of(KEY, ELSEWHERE), older=[("kept", other)])
    assert problems(other) == []
    assert "older-other-book" in {each.code for each in verification.report.of("unseen")}


def test_what_is_left_of_the_old_book_is_asked_for_after_an_epoch(
    connect_as: Connect, fresh_db: str
) -> None:
    """An epoch gives up what was lost, and not the history before it."""
    grown()
    kept = sealed(connect_as)
    approved(begun(77, "00" * 32))
    placed()
    sealed(connect_as, keys=(ELSEWHERE,), origin=ELSEWHERE.name)
    policy = policy_of(KEY, ELSEWHERE)
    size = read_checkpoint(kept.encode()).size

    def problems(*listed: Any) -> list[str]:
        older = [("kept", signed(Checkpoint(ORIGIN, *listed).text(), [KEY]))]
        return [each.code for each in verify(policy=policy, older=older).report.of("problem")]

    another = b"\x07" * 32
    assert problems(size, another) == ["older-differs"]  # history rewritten, truly signed
    assert problems(size + 1, another) == []  # the first that was lost
    assert problems(77, bytes(32)) == []  # the very one that was declared lost
    assert problems(77, another) == ["older-differs"]  # another in its place


def shown(folder: Path, settings: Any, *keys: SigningKey) -> list[tuple[str, int | None]]:
    """What is wrong where the signer publishes these keys as its own."""
    (folder / "policy").write_text(policy_of(*keys), "utf-8")
    settings.BOOK_PUBLIC = str(folder)
    recorded_of = verify(policy=policy_of(KEY)).report.of("problem")
    return [(each.code, each.index) for each in recorded_of]


def test_a_key_that_is_not_the_signers_is_found_where_it_was_named(
    rotated: None, tmp_path: Path, settings: Any
) -> None:
    """Verifiers believe a named key: one that somebody else holds is nobody's mistake."""
    assert shown(tmp_path, settings, KEY, NEXT) == []
    assert shown(tmp_path, settings, KEY) == [("key-stranger", 3)]


def test_keys_lost_with_the_old_book_are_not_asked_for_after_an_epoch(
    rotated: None, connect_as: Connect, tmp_path: Path, settings: Any
) -> None:
    approved(begun(9, verify(policy=policy_of(KEY)).root))
    placed()
    sealed(connect_as, keys=(ELSEWHERE,), origin=ELSEWHERE.name)
    recorded_of = [code for code, _ in shown(tmp_path, settings, ELSEWHERE)]
    assert "key-stranger" not in recorded_of
