"""The book's own pages: how it stands, what of it is signed, and who may have it verified."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from audit.models import VerificationRun
from casino import clock
from casino.tlog.note import SigningKey
from casino.tlog.policy import Policy
from tests.factories.findings import PEOPLE, client_of, people, said, write
from tests.factories.sealed_book import ORIGIN, Seal, seal_events
from tests.factories.verifications import of_the_book, verified

pytestmark = pytest.mark.share

BOOK = "/book/"
READS = {"fiscal_chefe", "chefia_da_sala", "inspetor", "auditor", "administrador"}
VERIFIES = {"inspetor", "auditor"}
Connect = Callable[..., psycopg.Connection]


@pytest.fixture
def seal(fresh_db: str, connect_as: Connect, tmp_path: Path, settings: Any) -> Seal:
    """A book of some people, its sequencer and its signer."""
    people()
    return Seal(connect_as, tmp_path / "public", settings)


def state_of(client: Client) -> Any:
    return client.get(BOOK).context["state"]


# -- Who may open what -----------------------------------------------------------------------------


@pytest.mark.parametrize("office", PEOPLE)
def test_the_book_opens_by_office(seal: Seal, office: str) -> None:
    seal.sign()
    client = client_of(office)
    opens = 200 if office in READS else 403
    for address in (BOOK, f"{BOOK}checkpoint/", f"{BOOK}policy/"):
        assert client.get(address).status_code == opens
    assert ('href="/book/"' in client.get("/admin/").content.decode()) is (office in READS)
    answer = client.post(f"{BOOK}verify/")
    assert answer.status_code == (302 if office in VERIFIES else 403)
    assert VerificationRun.objects.exists() is (office in VERIFIES)


def test_a_stranger_is_asked_who_he_is(seal: Seal) -> None:
    for address in (
        BOOK,
        f"{BOOK}checkpoint/",
        f"{BOOK}policy/",
        f"{BOOK}entries/{uuid4()}/",
        f"{BOOK}verifications/{uuid4()}/",
    ):
        answer = Client().get(address)
        assert answer.status_code == 302
        assert answer["Location"].startswith("/admin/login/")
    assert Client().post(f"{BOOK}verify/").status_code == 302
    assert not VerificationRun.objects.exists()


def test_nothing_begins_by_looking(seal: Seal) -> None:
    client = client_of("inspetor")
    assert client.get(f"{BOOK}verify/").status_code == 405
    assert client.post(BOOK).status_code == 405
    assert not VerificationRun.objects.exists()


# -- How it stands ---------------------------------------------------------------------------------


def test_the_page_names_both_programs_that_verify_without_the_house(seal: Seal) -> None:
    page = client_of("inspetor").get("/book/").content.decode()
    assert "python livro-verifier.pyz . --policy policy" in page
    assert "python livro-verify.pyz livro --policy policy" in page
    assert "audit.verify, num só ficheiro livro-verify.pyz" in page


def test_a_book_nobody_has_signed_says_so(seal: Seal) -> None:
    client = client_of("inspetor")
    state = state_of(client)
    assert state.newest is None
    assert state.entries == state.waiting == len(PEOPLE)
    assert state.tree == 0
    assert not state.well
    assert state.young
    page = said(client, BOOK)
    assert "Ainda nada foi assinado" in page
    assert "Requer atenção" not in page
    assert client.get(f"{BOOK}checkpoint/").status_code == 404


def test_the_figures_follow_the_book(seal: Seal) -> None:
    client = client_of("inspetor")
    seal_events(20)
    checkpoint = seal.sign()
    before = state_of(client)
    assert (before.entries, before.tree, before.waiting, before.unsealed) == (26, 26, 0, 0)
    assert before.newest.root == checkpoint.root
    assert before.well
    seal_events(3)
    after = state_of(client)
    assert (after.entries, after.tree, after.waiting, after.unsealed) == (29, 26, 3, 0)
    assert after.waits_since is not None
    from casino import sequencer

    sequencer.integrate()
    grown = state_of(client)
    assert (grown.tree, grown.waiting, grown.unsealed) == (29, 0, 3)
    assert grown.unsealed_since is not None


def test_what_waits_for_a_minute_is_usual_and_longer_is_not(
    seal: Seal, monkeypatch: pytest.MonkeyPatch
) -> None:
    seal_events(1)
    client, waits = client_of("inspetor"), state_of(client_of("inspetor")).waits_since
    monkeypatch.setattr(clock, "now", lambda: waits + timedelta(seconds=60))
    assert not state_of(client).sequencer_late
    monkeypatch.setattr(clock, "now", lambda: waits + timedelta(seconds=61))
    assert state_of(client).sequencer_late
    assert "Requer atenção" in said(client, BOOK)
    assert "esperam pelo seu lugar na árvore" in said(client, BOOK)


def test_a_signer_that_stopped_is_seen(seal: Seal, monkeypatch: pytest.MonkeyPatch) -> None:
    from casino import sequencer

    seal.sign()
    seal_events(1)
    sequencer.integrate()
    client = client_of("inspetor")
    since = state_of(client).unsealed_since
    assert since is not None
    assert state_of(client).well
    monkeypatch.setattr(clock, "now", lambda: since + timedelta(seconds=61))
    assert state_of(client).signer_late
    assert "está atrasado" in said(client, BOOK)


def test_a_refusal_is_told_in_plain_words_with_what_to_do(seal: Seal) -> None:
    seal.sign()
    refused = {"code": "shorter", "why": "the tree has 3 entries; 9 were signed", "own_size": 9,
            "own_root": "ab" * 32, "found_size": 3, "found_root": "cd" * 32,
            "since": "2026-11-21T10:00:00Z"}  # fmt: skip
    (seal.public / "refused").write_text(json.dumps(refused))
    client = client_of("inspetor")
    assert not state_of(client).well
    page = said(client, BOOK)
    for words in (
        "recusa assinar",
        "menos registos do que os que foram assinados",
        "recover_entries",
        "9 registos",
        "ab" * 32,
        refused["why"],
        "21/11/2026 10:00",
    ):
        assert words in page
    (seal.public / "refused").unlink()
    assert state_of(client).well


@pytest.mark.parametrize(
    "recorded",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b'{"code": 7, "own_size": -1, "since": "yesterday"}',
        b'{"code": "never heard of"}',
        b"{" * 10_000,
    ],
)
def test_a_refusal_nobody_can_read_is_a_refusal(seal: Seal, recorded: bytes) -> None:
    seal.sign()
    (seal.public / "refused").write_bytes(recorded)
    client = client_of("inspetor")
    assert not state_of(client).well
    assert "O assinador não assina" in said(client, BOOK)


# -- Who signed it ---------------------------------------------------------------------------------


def test_the_house_and_its_witness_are_named(seal: Seal) -> None:
    checkpoint = seal.sign()
    client = client_of("inspetor")
    assert "Nenhuma testemunha" in said(client, BOOK)
    seal.cosign(checkpoint, 1_795_000_000)
    seal.publish(seal.witnessed_policy())
    signatures = client.get(BOOK).context["signatures"]
    assert [(one.name, one.valid) for one in signatures.logs] == [(ORIGIN, True)]
    assert [(one.name, one.valid) for one in signatures.witnesses] == [("witness.example/1", True)]
    assert signatures.witnesses[0].at.year == 2026
    assert signatures.quorum_met
    page = said(client, BOOK)
    assert seal.key.verifier().text() in page
    assert checkpoint.root.hex() in page


def test_a_witness_that_is_missing_is_said(seal: Seal) -> None:
    seal.sign()
    seal.publish(seal.witnessed_policy())
    assert not client_of("inspetor").get(BOOK).context["signatures"].quorum_met
    assert "Menos assinaturas do que" in said(client_of("inspetor"), BOOK)


def test_a_checkpoint_of_another_key_is_not_taken_for_the_houses(seal: Seal) -> None:
    seal.sign(SigningKey.generate(ORIGIN))
    signed = client_of("inspetor").get(BOOK).context["signatures"]
    assert (list(signed.logs), signed.quorum_met) == ([], False)
    assert "chave não publicada" in said(client_of("inspetor"), BOOK)


def test_a_signature_that_is_none_is_a_breach(seal: Seal, connect_as: Connect) -> None:
    seal.sign()
    with connect_as("postgres") as book:  # as somebody who owns the machine would
        book.execute("ALTER TABLE book_checkpoint DISABLE TRIGGER ALL")
        book.execute(
            "UPDATE book_checkpoint SET note = replace(note, split_part(note, E'\\n', 3), %s)",
            ["A" * 43 + "="],
        )
    signed = client_of("inspetor").get(BOOK).context["signatures"]
    assert signed.trouble
    assert not signed.logs[0].valid
    assert "não é o que as chaves publicadas assinaram" in said(client_of("inspetor"), BOOK)


def test_without_published_keys_no_signature_counts_as_looked_at(seal: Seal) -> None:
    seal.sign()
    (seal.public / "policy").unlink()
    client = client_of("inspetor")
    assert not client.get(BOOK).context["signatures"].policy
    assert "não foram conferidas" in said(client, BOOK)
    assert client.get(f"{BOOK}policy/").status_code == 404


def test_a_demonstration_key_is_said_aloud(seal: Seal, connect_as: Connect) -> None:
    from casino import sequencer
    from casino.tlog.checkpoint import Checkpoint
    from casino.tlog.note import signed

    seal.sign()
    assert "DEMO KEY" not in said(client_of("inspetor"), BOOK)
    seal_events(1)
    sequencer.integrate()
    key = SigningKey.generate("demo.invalid/0123456789ab")
    with connect_as("signer") as signer:
        size, root = signer.execute(
            "SELECT size, root FROM book_tree ORDER BY size DESC LIMIT 1"
        ).fetchone()
        note = signed(Checkpoint(key.name, size, bytes(root)).text(), [key])
        signer.execute(
            "INSERT INTO book_checkpoint (size, root, note) VALUES (%s, %s, %s)", [size, root, note]
        )
    seal.publish(Policy((key.verifier(),)))
    assert "DEMO KEY" in said(client_of("inspetor"), BOOK)


def test_checkpoint_and_policy_come_down_byte_for_byte(seal: Seal) -> None:
    checkpoint = seal.sign()
    line = seal.cosign(checkpoint, 1_795_000_000)
    client = client_of("auditor")
    note = client.get(f"{BOOK}checkpoint/")
    assert note.content.decode() == (seal.public / "checkpoint").read_text() + line + "\n"
    assert note["Content-Disposition"] == 'attachment; filename="checkpoint"'
    assert client.get(f"{BOOK}policy/").content == (seal.public / "policy").read_bytes()


def test_every_page_asks_few_questions(
    seal: Seal, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    seal_events(600)
    seal.sign()
    run = verified(1)
    write([of_the_book(1, run)])
    client = client_of("inspetor")
    client.post(f"{BOOK}verify/")
    for address in (
        BOOK,
        f"{BOOK}checkpoint/",
        f"{BOOK}policy/",
        f"{BOOK}verifications/{run}/",
        "/admin/audit/verification/",
        "/admin/audit/export/",
    ):
        with django_assert_max_num_queries(12):
            assert client.get(address).status_code == 200
