"""Keys and epochs through their forms: filled in with what is known, approved by another person."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from casino.events.event import EntryRef
from casino.events.sealing import (
    BookRestored,
    EpochApproved,
    EpochBegun,
    HouseActDecided,
    PepperChanged,
    SigningKeyNamed,
    SigningKeyNamedAlone,
)
from casino.models import BookEntry, EpochApproval, HouseActDecision
from casino.recording import Actor
from casino.sealed import Sealed
from casino.tlog.checkpoint import Checkpoint
from casino.tlog.note import SigningKey, signed
from casino.tlog.policy import Policy
from casino.web.forms import prefill
from casino.witnessing.proving import newest_pepper, pepper_name
from tests.casino.admin_forms import filled
from tests.factories.events.every import FULL
from tests.factories.examples import example
from tests.factories.people import somebody, write
from tests.factories.recorded import last_entry

pytestmark = [pytest.mark.django_db, pytest.mark.share]
APPROVE = "/admin/casino/epochapproval/add/"
WAY = f"{APPROVE}?begun="


def epoch_page(entry_id: Any) -> str:
    return reverse("admin:casino_epoch_change", args=[entry_id])


def test_an_epoch_waits_for_another_person_and_leads_him_to_it() -> None:
    begun = write(FULL[EpochBegun.kind])
    assert "nobody yet" in somebody("inspetor").get("/admin/casino/epoch/").content.decode()
    way = f"{WAY}{begun.entry_id}"
    assert way not in somebody("fiscal_chefe").get(epoch_page(begun.entry_id)).content.decode()
    manager = somebody("chefia_da_sala")
    assert way in manager.get(epoch_page(begun.entry_id)).content.decode()
    form = manager.get(way).context["form"]
    assert form["begun"].value() == {"stream": begun.stream, "n": str(begun.n), "leaf": begun.leaf}


def test_an_epoch_is_approved_by_a_form_and_then_no_more() -> None:
    begun = write(FULL[EpochBegun.kind])
    manager = somebody("chefia_da_sala")
    approval = example(EpochApproved.kind)
    answer = manager.post(APPROVE, filled(approval))
    assert answer.status_code == 302, answer.context["form"].errors
    row = EpochApproval.objects.get()
    assert row.begun_leaf == approval.begun.leaf
    of_it = BookEntry.objects.get(stream__name=row.begun_stream, n=row.begun_n)
    assert WAY not in manager.get(epoch_page(of_it.pk)).content.decode()
    assert WAY in manager.get(epoch_page(begun.entry_id)).content.decode()
    listed = manager.get("/admin/casino/epoch/").content.decode()
    assert row.staff in listed


def test_nobody_approves_his_own_epoch() -> None:
    begun = write(FULL[EpochBegun.kind], by=Actor("S-0003", "administrador", "job"))
    own = somebody("chefia_da_sala")  # S-0003 himself
    assert WAY not in own.get(epoch_page(begun.entry_id)).content.decode()
    approval = EpochApproved(begun=EntryRef(stream=begun.stream, n=begun.n, leaf=begun.leaf))
    answer = own.post(APPROVE, filled(approval))
    assert answer.status_code == 200
    assert "cannot witness his own act" in answer.content.decode()
    assert not EpochApproval.objects.exists()


@pytest.mark.parametrize("begun", ["", "nothing", "0193479e-1111-4c3e-9a54-0c6f2b1d7e10", "\0"])
def test_a_way_that_names_no_epoch_fills_in_nothing(begun: str) -> None:
    form = somebody("chefia_da_sala").get(APPROVE, {"begun": begun}).context["form"]
    assert not form["begun"].value()


def test_a_key_is_named_in_the_place_of_the_published_one(tmp_path: Path, settings: Any) -> None:
    old, new = SigningKey.generate("book.example/1"), SigningKey.generate("book.example/1")
    settings.BOOK_PUBLIC = str(tmp_path)
    (tmp_path / "policy").write_text(Policy((old.verifier(),)).text())
    client = somebody("administrador")
    form = client.get("/admin/casino/signingkey/add/").context["form"]
    assert form["replaces"].value() == old.verifier().text()
    event = SigningKeyNamed(
        vkey=new.verifier().text(), replaces=form["replaces"].value(), reason="yearly"
    )
    answer = client.post("/admin/casino/signingkey/add/", filled(event))
    assert answer.status_code == 302, answer.context["form"].errors
    value = json.loads(bytes(last_entry(SigningKeyNamed.kind).entry))["payload"]
    assert (value["vkey"], value["replaces"]) == (event.vkey, event.replaces)
    same = SigningKeyNamed(vkey=event.vkey, reason="again")
    wrong = client.post("/admin/casino/signingkey/add/", filled(same, replaces=event.vkey))
    assert wrong.status_code == 200
    assert "replaces" in wrong.context["form"].errors
    assert client.post("/admin/casino/signingkey/add/", filled(same, vkey="x")).status_code == 200


def test_a_key_waits_for_another_person_who_approves_or_refuses_it_once() -> None:
    first = write(FULL[SigningKeyNamed.kind])
    page = reverse("admin:casino_signingkey_change", args=[first.entry_id])
    way = f"/admin/casino/houseactdecision/add/?act={first.entry_id}"
    assert "nobody yet" in somebody("inspetor").get("/admin/casino/signingkey/").content.decode()
    assert way not in somebody("administrador", "S-0610").get(page).content.decode()
    manager = somebody("chefia_da_sala")
    assert way in manager.get(page).content.decode()
    assert "Signing key to be approved" in manager.get("/sala/todo/").content.decode()
    form = manager.get(way).context["form"]
    assert form["act"].value() == {"stream": first.stream, "n": str(first.n), "leaf": first.leaf}
    act = EntryRef(stream=first.stream, n=first.n, leaf=first.leaf)
    word = HouseActDecided(act=act, decision="refused")
    assert manager.post(way, filled(word)).status_code == 302
    assert way not in manager.get(page).content.decode()
    assert "Signing key to be approved" not in manager.get("/sala/todo/").content.decode()
    again = manager.post(way, filled(HouseActDecided(act=act, decision="approved")))
    assert "decided on already" in again.content.decode()
    row = HouseActDecision.objects.get()
    assert (row.decision, row.act_n) == ("refused", first.n)
    assert row.staff in manager.get("/admin/casino/signingkey/").content.decode()


def test_nobody_decides_on_the_key_he_named() -> None:
    first = write(FULL[SigningKeyNamed.kind], by=Actor("S-0003", "administrador", "job"))
    own = somebody("chefia_da_sala")  # S-0003 himself
    page = reverse("admin:casino_signingkey_change", args=[first.entry_id])
    assert "?act=" not in own.get(page).content.decode()
    act = EntryRef(stream=first.stream, n=first.n, leaf=first.leaf)
    word = filled(HouseActDecided(act=act, decision="approved"))
    answer = own.post("/admin/casino/houseactdecision/add/", word)
    assert "cannot witness his own act" in answer.content.decode()


def test_a_key_that_one_person_named_before_waits_for_nobody() -> None:
    old = write(FULL[SigningKeyNamedAlone.kind], by=Actor("recover", "sistema", "local"))
    manager = somebody("chefia_da_sala")
    shown = manager.get(reverse("admin:casino_signingkey_change", args=[old.entry_id]))
    assert "?act=" not in shown.content.decode()
    assert (
        "no second person was asked for"
        in manager.get("/admin/casino/signingkey/").content.decode()
    )


@pytest.mark.parametrize(
    ("kind", "page", "words"),
    [
        (PepperChanged.kind, "pepperchange", "Other pepper of personal codes to be approved"),
        (BookRestored.kind, "restoration", "Restoration to be approved"),
    ],
)
def test_another_pepper_and_a_restoration_wait_for_another_person(
    kind: str, page: str, words: str
) -> None:
    admin, manager = somebody("administrador"), somebody("chefia_da_sala")
    address = f"/admin/casino/{page}/add/"
    form = admin.get(address).context["form"]
    begins = {"pepperchange": ("pepper", pepper_name(newest_pepper())), "restoration": ("source",)}
    field, *value = begins[page]
    assert form[field].value() == (value[0] if value else "backup")
    answer = admin.post(address, filled(FULL[kind]))
    assert answer.status_code == 302, answer.context["form"].errors
    assert words in manager.get("/sala/todo/").content.decode()
    entry = last_entry(kind)
    act = EntryRef(stream="house", n=entry.n, leaf=bytes(entry.leaf_hash).hex())
    way = f"/admin/casino/houseactdecision/add/?act={entry.pk}"
    assert way in manager.get(f"/admin/casino/{page}/{entry.pk}/").content.decode()
    word = HouseActDecided(act=act, decision="approved")
    assert manager.post(way, filled(word)).status_code == 302
    assert words not in manager.get("/sala/todo/").content.decode()


def test_a_recovery_by_the_command_waits_for_nobody() -> None:
    write(FULL[BookRestored.kind], by=Actor("recover", "sistema", "local"))
    manager = somebody("chefia_da_sala")
    assert "Restoration to be approved" not in manager.get("/sala/todo/").content.decode()


def test_keys_and_epochs_are_not_corrected() -> None:
    for kind, page in ((SigningKeyNamed.kind, "signingkey"), (EpochBegun.kind, "epoch")):
        receipt = write(FULL[kind])
        client = somebody("administrador", f"S-06{len(page):02d}")
        shown = client.get(f"/admin/casino/{page}/{receipt.entry_id}/")
        assert shown.status_code == 200
        assert "/correct/" not in shown.content.decode()
        assert client.get(f"/admin/casino/{page}/{receipt.entry_id}/correct/").status_code == 403


def test_the_key_that_is_replaced_is_the_one_that_signs(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The policy names the retired ones first, and the new one, which signs already, last."""
    gone, old, new = (SigningKey.generate("book.example/1") for _ in range(3))
    settings.BOOK_PUBLIC = str(tmp_path)
    policy = Policy(tuple(key.verifier() for key in (gone, old, new)))
    (tmp_path / "policy").write_text(policy.text())
    text = Checkpoint("book.example/1", 1, b"r" * 32).text()
    newest = Sealed(1, b"r" * 32, signed(text, [old, new]), datetime(2026, 11, 20, tzinfo=UTC))
    monkeypatch.setattr(prefill, "latest", lambda: newest)
    client = somebody("administrador")
    form = client.get("/admin/casino/signingkey/add/").context["form"]
    assert form["replaces"].value() == old.verifier().text()
    (tmp_path / "policy").write_text("log nonsense\n")
    form = client.get("/admin/casino/signingkey/add/").context["form"]
    assert not form["replaces"].value()
