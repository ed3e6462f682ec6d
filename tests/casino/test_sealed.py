"""What the seal shows: signed tree heads, the tree from its tiles, the proof of one record."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections

from casino import sealed, sequencer
from casino.models import BookEntry, BookLeaf, PrivateValue
from casino.sealed import NotSealed
from casino.tlog.canonical import canonical, instant_text
from casino.tlog.merkle import Frontier, leaf_hash
from casino.tlog.note import SigningKey, parse_note, valid_signatures
from casino.tlog.policy import Policy
from casino.tlog.proof import ProofRefused, verify_inclusion
from casino.tlog.proof_file import ProofFile
from tests.factories.records import MANAGER, burnt, hired, recorded
from tests.factories.sealed_book import ORIGIN, Connect, Seal, seal_events

pytestmark = [pytest.mark.usefixtures("fresh_db", "english"), pytest.mark.share]


@pytest.fixture
def seal(connect_as: Connect, tmp_path: Path, settings: Any) -> Seal:
    return Seal(connect_as, tmp_path / "public", settings)


def verified(text: str, policy: Policy) -> tuple[dict[str, Any], int]:
    """What a proof proves: what it adds, and the index. Written apart from what makes it."""
    proof = ProofFile.parse(text)
    assert proof.extra is not None
    extra = json.loads(proof.extra)
    assert proof.extra == canonical(extra)
    assert policy.satisfied_by(valid_signatures(proof.note, policy.keys()))
    leaf = leaf_hash(extra["entry"].encode())
    head = proof.checkpoint
    verify_inclusion(leaf, proof.index, head.size, proof.path, head.root)
    return extra, proof.index


def test_before_the_first_checkpoint_nothing_is_sealed(seal: Seal) -> None:
    seal_events(2)
    assert sealed.latest() is None
    assert sealed.proving(0) is None
    assert list(sealed.all_checkpoints()) == []


def test_checkpoints_are_given_with_the_witnesses_lines(seal: Seal) -> None:
    seal_events(3)
    first = seal.sign()
    seal_events(2)
    second = seal.sign()
    another = SigningKey.generate("witness.example/2")
    early, again = seal.cosign(second, 1_800_000_000), seal.cosign(second, 1_800_000_060)
    seal.witness = another
    other = seal.cosign(second, 1_800_000_030)
    newest = sealed.latest("reader")
    assert newest is not None
    assert (newest.size, newest.root, newest.origin) == (5, second.root, ORIGIN)
    note = parse_note(newest.note)
    assert note.text == second.text()
    assert [each.line for each in note.signatures[1:]] == [early, other]
    assert again not in newest.note, "who signs again says nothing new"
    assert [each.size for each in sealed.all_checkpoints()] == [3, 5]
    assert [each.size for each in sealed.all_checkpoints(up_to=4)] == [3]
    assert [each.size for each in sealed.at_sizes([5, 4, 3])] == [3, 5]
    assert parse_note(next(iter(sealed.all_checkpoints())).note).text == first.text()


@pytest.mark.parametrize(("index", "size"), [(0, 5), (2, 5), (3, 5), (4, 5), (5, None)])
def test_an_entry_is_proved_by_the_newest_tree_if_that_holds_it(
    seal: Seal, index: int, size: int | None
) -> None:
    seal_events(3)
    seal.sign()
    seal_events(2)
    seal.sign()
    seal_events(1)
    sequencer.integrate()
    found = sealed.proving(index)
    assert (found.size if found else None) == size


def test_many_checkpoints_are_read_in_several_questions(
    seal: Seal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealed, "CHECKPOINTS", 2)
    for _ in range(4):
        seal_events(1)
        seal.sign()
    assert [each.size for each in sealed.all_checkpoints()] == [1, 2, 3, 4]


@pytest.mark.parametrize("size", [1, 255, 256, 257, 600])
def test_the_tree_is_the_one_the_entries_make(seal: Seal, size: int) -> None:
    seal_events(size)
    seal.sign()
    expected = Frontier()
    tree = sealed.tree(size)
    for index, entry in enumerate(BookLeaf.objects.order_by("idx").select_related("entry")):
        assert tree.leaf(index) == leaf_hash(bytes(entry.entry.entry))
        expected.append(leaf_hash(bytes(entry.entry.entry)))
    assert tree.root() == expected.root()
    with pytest.raises(ProofRefused):
        sealed.tree(size + 1).root()


def test_a_smaller_tree_is_read_from_tiles_that_are_full_by_now(seal: Seal) -> None:
    seal_events(200)
    old = seal.sign()
    seal_events(400)
    seal.sign()
    assert sealed.tree(200).root() == old.root
    assert sealed.tree(600).root_at(200) == old.root


@pytest.mark.parametrize("index", [0, 254, 255, 256, 599])
def test_the_proof_of_a_record_leads_from_its_bytes_to_a_signed_root(
    seal: Seal, index: int
) -> None:
    seal_events(600)
    seal.sign()
    seal_events(10)
    seal.sign()
    entry = BookLeaf.objects.get(idx=index).entry
    text = sealed.record_proof(entry.pk, openings=False)
    extra, proved = verified(text, Policy((seal.key.verifier(),)))
    assert proved == index == sealed.index_of(entry.pk)
    assert extra["entry"].encode() == bytes(entry.entry)
    assert extra["format"] == "livro-da-sala-record/1"
    assert extra["openings"] == []
    assert extra["policy"] == (seal.public / "policy").read_text()
    assert len(text) - len(bytes(entry.entry)) * 4 // 3 < 2048


def test_a_proof_of_an_altered_record_proves_nothing(seal: Seal, connect_as: Connect) -> None:
    seal_events(5)
    seal.sign()
    entry = BookLeaf.objects.get(idx=3).entry
    with connect_as("postgres") as superuser:
        superuser.execute("ALTER TABLE book_entry DISABLE TRIGGER ALL")
        changed = bytes(entry.entry).replace(b'"cards":4', b'"cards":5')
        assert changed != bytes(entry.entry)
        superuser.execute("UPDATE book_entry SET entry = %s WHERE id = %s", [changed, entry.pk])
    text = sealed.record_proof(entry.pk, openings=False)
    with pytest.raises(ProofRefused):
        verified(text, Policy((seal.key.verifier(),)))


def test_bytes_that_are_no_text_make_no_proof(seal: Seal, connect_as: Connect) -> None:
    seal_events(2)
    seal.sign()
    entry = BookLeaf.objects.get(idx=0).entry
    with connect_as("postgres") as superuser:
        superuser.execute("ALTER TABLE book_entry DISABLE TRIGGER ALL")
        superuser.execute("UPDATE book_entry SET entry = %s WHERE id = %s", [b"\xff", entry.pk])
    with pytest.raises(NotSealed, match="it was altered"):
        sealed.record_proof(entry.pk, openings=False)


def test_private_values_are_beside_the_proof_only_when_asked_for(seal: Seal) -> None:
    receipt = recorded(hired("Ana Matos"), by=MANAGER)
    seal.sign()
    policy = Policy((seal.key.verifier(),))
    shut = sealed.record_proof(receipt.entry_id, openings=False)
    assert verified(shut, policy)[0]["openings"] == []
    opened = sealed.record_proof(receipt.entry_id, openings=True)
    kept = PrivateValue.objects.get(entry_id=receipt.entry_id)
    expected = {"field": "name", "salt": bytes(kept.salt).hex(), "value": "Ana Matos"}
    assert verified(opened, policy)[0]["openings"] == [expected]


def test_an_erased_value_is_not_beside_it(seal: Seal) -> None:
    receipt = recorded(hired("Ana Matos"), by=MANAGER)
    PrivateValue.objects.filter(entry_id=receipt.entry_id).update(salt=None, value=None)
    seal.sign()
    opened = sealed.record_proof(receipt.entry_id, openings=True)
    assert verified(opened, Policy((seal.key.verifier(),)))[0]["openings"] == []


def test_a_record_that_is_not_sealed_yet_says_what_it_waits_for(seal: Seal) -> None:
    receipt = recorded(burnt())
    with pytest.raises(NotSealed, match="waits for its place"):
        sealed.record_proof(receipt.entry_id, openings=False)
    sequencer.integrate()
    with pytest.raises(NotSealed, match="no signed checkpoint covers it"):
        sealed.record_proof(receipt.entry_id, openings=False)
    seal.sign()
    assert sealed.record_proof(receipt.entry_id, openings=False)
    with pytest.raises(NotSealed, match="no such record"):
        sealed.record_proof(uuid4(), openings=False)


def test_a_record_is_proved_by_the_newest_checkpoint_the_published_keys_vouch_for(
    seal: Seal,
) -> None:
    sizes = []
    for _ in range(4):
        seal_events(1)
        sizes.append(seal.sign())
    assert sealed.proving(0).size == 4  # type: ignore[union-attr]
    seal.publish(seal.witnessed_policy())
    assert sealed.proving(0).size == 4  # type: ignore[union-attr]  # nobody cosigned: the newest
    seal.cosign(sizes[2], 1_800_000_000)
    assert sealed.proving(0).size == 3  # type: ignore[union-attr]
    assert sealed.proving(3).size == 4  # type: ignore[union-attr]
    new = SigningKey.generate(ORIGIN)
    seal.publish(Policy((new.verifier(),)))
    seal_events(1)
    seal.sign(seal.key, new)
    assert sealed.proving(0).size == 5  # type: ignore[union-attr]
    assert sealed.proving(5) is None


def test_the_policy_is_what_the_signer_publishes(seal: Seal, settings: Any) -> None:
    assert Policy.parse(sealed.policy_text()).logs == (seal.key.verifier(),)
    (seal.public / "policy").unlink()
    assert sealed.policy_text() == ""
    settings.BOOK_PUBLIC = ""
    assert sealed.policy_text() == ""


def test_a_receipt_names_the_record_and_after_the_first_checkpoint_the_log(seal: Seal) -> None:
    receipt = recorded(burnt())
    entry = BookEntry.objects.get(pk=receipt.entry_id)
    text = sealed.receipt_text(entry)
    expected = {
        "format": "livro-da-sala-receipt/1",
        "leaf": receipt.leaf,
        "n": 1,
        "recorded": instant_text(receipt.recorded_at),
        "stream": "table/BJ-06",
    }
    assert text == canonical(expected).decode()
    seal.sign()
    assert json.loads(sealed.receipt_text(entry)) == {**expected, "origin": ORIGIN}


def test_a_proof_asks_the_database_few_questions(
    seal: Seal, django_assert_max_num_queries: Any
) -> None:
    seal_events(700)
    seal.sign()
    entry = BookLeaf.objects.get(idx=10).entry_id
    with django_assert_max_num_queries(12, connection=connections["default"]):
        sealed.record_proof(entry, openings=True)
