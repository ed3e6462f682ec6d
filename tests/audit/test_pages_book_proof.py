"""A record's proof: where it stands, whether it fits what was signed, and who may take it away."""

import base64
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from audit.models import Export
from audit.verifier.command import main as verify
from casino import sequencer
from casino.events.event import EntryRef
from casino.models import BookEntry
from casino.recording import Receipt
from casino.tlog.proof import verify_inclusion
from casino.tlog.proof_file import ProofFile
from tests.factories.erasures import erased
from tests.factories.findings import client_of, people, said
from tests.factories.records import HEAD, MANAGER, burnt, corrects, hired, recorded
from tests.factories.sealed_book import Seal, seal_events

pytestmark = pytest.mark.share

HANDS_OUT = {"chefia_da_sala", "inspetor", "auditor", "administrador"}
Connect = Callable[..., psycopg.Connection]


@pytest.fixture
def seal(fresh_db: str, connect_as: Connect, tmp_path: Path, settings: Any) -> Seal:
    """A book of some people, its sequencer and its signer."""
    people()
    return Seal(connect_as, tmp_path / "public", settings)


def of(receipt: Receipt) -> str:
    return f"/book/entries/{receipt.entry_id}/"


def taken(client: Client, receipt: Receipt) -> dict[str, Any]:
    """What the file holds that comes down."""
    answer = client.post(of(receipt))
    assert answer.status_code == 200, answer.get("Location")
    proof = ProofFile.parse(answer.content.decode())
    extra: dict[str, Any] = json.loads(proof.extra)
    return extra


def recorded_and_signed(seal: Seal) -> Receipt:
    receipt = recorded(burnt())
    seal.sign()
    return receipt


# -- Where it stands -------------------------------------------------------------------------------


def test_a_record_is_sealed_step_by_step(seal: Seal) -> None:
    receipt, client = recorded(burnt()), client_of("inspetor")
    assert client.get(of(receipt)).context["index"] is None
    assert b'http-equiv="refresh"' in client.get(of(receipt)).content
    sequencer.integrate()
    page = client.get(of(receipt))
    assert page.context["index"] == 6
    assert "Ainda não está selado" in said(client, of(receipt))
    seal.sign()
    page = client.get(of(receipt))
    assert page.context["fits_bytes"]
    assert page.context["fits_root"]
    assert b"http-equiv" not in page.content
    shown = said(client, of(receipt))
    for words in ("Selado.", receipt.leaf, page.context["sealed"].root.hex(), "BJ-06-1.tlog-proof"):
        assert words in shown


def test_what_the_page_shows_can_be_checked_by_hand(seal: Seal) -> None:
    receipts = [recorded(burnt(1 + n % 5)) for n in range(300)]
    seal.sign()
    page = client_of("inspetor").get(of(receipts[137])).context
    leaf = hashlib.sha256(b"\x00" + page["bytes"].encode()).digest()
    assert leaf.hex() == receipts[137].leaf == page["leaf"]
    path = [bytes.fromhex(each) for each in page["path"]]
    verify_inclusion(leaf, page["index"], page["sealed"].size, path, page["sealed"].root)


def test_an_entrys_page_leads_to_its_proof(seal: Seal) -> None:
    receipt = recorded(burnt())
    page = client_of("inspetor").get(f"/admin/casino/burn/{receipt.entry_id}/").content.decode()
    assert f'href="{of(receipt)}"' in page


def test_a_record_that_was_altered_is_said_to_be(seal: Seal, connect_as: Connect) -> None:
    receipt = recorded(burnt(2))
    seal.sign()
    with connect_as("postgres") as book:
        book.execute("ALTER TABLE book_entry DISABLE TRIGGER ALL")
        book.execute(
            "UPDATE book_entry SET entry = convert_to(replace(convert_from(entry, 'UTF8'),"
            " '\"cards\":2', '\"cards\":3'), 'UTF8') WHERE id = %s",
            [receipt.entry_id],
        )
    client = client_of("inspetor")
    page = client.get(of(receipt))
    # The leaf beside the bytes follows from them; what was signed does not.
    assert page.context["fits_bytes"]
    assert not page.context.get("fits_root")
    assert "não corresponde ao que foi assinado" in said(client, of(receipt))


def test_a_moment_beside_the_book_is_not_shown_as_signed(seal: Seal, connect_as: Connect) -> None:
    """`book_checkpoint.signed_at` is signed by nobody: moved by days, no page says so."""
    receipt = recorded_and_signed(seal)
    client = client_of("inspetor")
    before = [said(client, address) for address in (of(receipt), "/book/")]
    assert "Assinado depois de" in before[0]
    with connect_as("postgres") as book:
        book.execute("ALTER TABLE book_checkpoint DISABLE TRIGGER ALL")
        book.execute("UPDATE book_checkpoint SET signed_at = signed_at - interval '40 days'")
    after = [said(client, address) for address in (of(receipt), "/book/")]
    assert after[0] == before[0]
    assert "40 dias" not in after[1]


def test_bytes_that_are_no_text_are_shown(seal: Seal, connect_as: Connect) -> None:
    receipt = recorded(burnt())
    seal.sign()
    with connect_as("postgres") as book:
        book.execute("ALTER TABLE book_entry DISABLE TRIGGER ALL")
        book.execute(
            "UPDATE book_entry SET entry = entry || '\\xff00'::bytea WHERE id = %s",
            [receipt.entry_id],
        )
    page = client_of("inspetor").get(of(receipt))
    assert page.status_code == 200
    assert page.context["bytes"].endswith("\\xff\x00")
    assert not page.context.get("fits_root")
    for address in ("burn", "bookentry"):
        shown = client_of("inspetor").get(f"/admin/casino/{address}/{receipt.entry_id}/")
        assert shown.status_code == 200
        assert of(receipt) in shown.content.decode()
    assert client_of("inspetor").post(of(receipt)).status_code == 302


def test_whose_signature_it_is_needs_the_published_keys(seal: Seal) -> None:
    receipt = recorded(burnt())
    seal.sign()
    (seal.public / "policy").unlink()
    assert "não se pode dizer aqui" in said(client_of("inspetor"), of(receipt))


def test_corrections_and_erasures_are_told(seal: Seal) -> None:
    receipt = recorded(burnt(2))
    recorded(burnt(1), supersedes=corrects(receipt))
    named = recorded(hired(), by=MANAGER)
    erased(EntryRef(stream=named.stream, n=named.n, leaf=named.leaf), "name")
    seal.sign()
    client = client_of("inspetor")
    assert "retificação pedida" in said(client, of(receipt)).lower()
    assert "Apagado" in said(client, of(named))
    assert client.get(of(named)).context["fits_root"]


# -- Who may take it away --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "office", ["fiscal_de_banca", "fiscal_chefe", "chefia_da_sala", "inspetor", "auditor"]
)
def test_who_may_look_and_who_may_take_it(seal: Seal, office: str) -> None:
    receipt = recorded(burnt(), by=HEAD)
    seal.sign()
    client = client_of(office)
    reads = office != "fiscal_de_banca"
    assert client.get(of(receipt)).status_code == (200 if reads else 403)
    takes = office in HANDS_OUT
    assert client.post(of(receipt)).status_code == (200 if takes else 403)
    assert Export.objects.count() == takes
    if reads:
        assert (b"<form method" in client.get(of(receipt)).content.split(b"<main")[1]) is takes


def test_an_author_looks_at_the_proof_of_his_own(seal: Seal) -> None:
    receipt = recorded(burnt())  # by S-0187
    seal.sign()
    assert client_of("fiscal_de_banca").get(of(receipt)).status_code == 200


def test_that_it_left_the_house_is_recorded(seal: Seal) -> None:
    receipt = recorded(burnt())
    checkpoint = seal.sign()
    extra = taken(client_of("inspetor"), receipt)
    assert extra["entry"].encode() == bytes(BookEntry.objects.get(pk=receipt.entry_id).entry)
    assert extra["policy"] == (seal.public / "policy").read_text()
    made = Export.objects.get()
    assert (made.extent, made.entries, made.from_index, made.to_index) == ("record", 1, 6, 7)
    assert (made.size, made.root) == (checkpoint.size, checkpoint.root.hex())
    assert (made.staff, made.office) == ("I-0021", "inspetor")


def test_private_values_go_only_to_whoever_may_read_them(seal: Seal) -> None:
    receipt = recorded(hired("Ana Matos"), by=MANAGER)
    seal.sign()
    opened = taken(client_of("inspetor"), receipt)["openings"]
    assert [(one["field"], one["value"]) for one in opened] == [("name", "Ana Matos")]
    assert Export.objects.get().openings
    assert taken(client_of("inspetor"), recorded_and_signed(seal))["openings"] == []
    assert Export.objects.order_by("n").last().openings is False  # type: ignore[union-attr]
    burnt_card = recorded(burnt())  # of which an administrator reads nothing
    seal.sign()
    assert client_of("administrador").get(of(burnt_card)).status_code == 403
    assert client_of("administrador").post(of(burnt_card)).status_code == 403


def test_nothing_leaves_the_house_before_it_is_sealed(seal: Seal) -> None:
    receipt, client = recorded(burnt()), client_of("inspetor")
    for _step in ("no place", "no checkpoint"):
        answer = client.post(of(receipt), follow=True)
        assert answer.redirect_chain[-1][0] == of(receipt)
        assert b"messagelist" in answer.content
        sequencer.integrate()
    assert not Export.objects.exists()


def test_the_file_is_named_after_its_record_and_never_kept_by_others(seal: Seal) -> None:
    receipt = recorded(burnt())
    seal.sign()
    answer = client_of("inspetor").post(of(receipt))
    assert answer["Content-Disposition"] == 'attachment; filename="table-BJ-06-1.tlog-proof"'
    assert answer["Cache-Control"] == "private, no-store"
    assert answer["X-Content-Type-Options"] == "nosniff"
    line = next(one for one in answer.content.decode().splitlines() if one.startswith("extra"))
    assert base64.b64decode(line.split()[1])


def test_no_record_no_proof(seal: Seal) -> None:
    assert client_of("inspetor").get(f"/book/entries/{uuid4()}/").status_code == 404


def test_a_proof_asks_few_questions(
    seal: Seal, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    receipt = recorded(burnt())
    seal_events(1200)
    seal.sign()
    client = client_of("inspetor")
    with django_assert_max_num_queries(16):
        assert client.get(of(receipt)).context["fits_root"]


def test_the_stand_alone_verifier_takes_what_the_pages_hand_out(
    seal: Seal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    receipt = recorded(burnt(2))
    seal.sign()
    client = client_of("inspetor")
    proof, policy = tmp_path / "r.tlog-proof", tmp_path / "keys"
    kept = tmp_path / "receipt.json"
    proof.write_bytes(client.post(of(receipt)).content)
    policy.write_bytes(client.get("/book/policy/").content)
    address = f"/admin/casino/bookentry/{receipt.entry_id}/receipt/file/"
    kept.write_bytes(client.get(address).content)
    asked = [str(proof), "--policy", str(policy), "--receipt", str(kept)]
    assert verify(asked) == 0, capsys.readouterr().out
    altered = json.loads(kept.read_text()) | {"leaf": "ab" * 32}
    kept.write_text(json.dumps(altered, separators=(",", ":"), sort_keys=True))
    assert verify(asked) == 1
    capsys.readouterr()
