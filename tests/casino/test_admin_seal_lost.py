"""The form of a new epoch, after the signer said what it had signed last."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from casino.web.signer_status import Refusal, refusal
from tests.factories.findings import client_of, people
from tests.factories.sealed_book import ORIGIN, Seal

pytestmark = pytest.mark.share

ADD = "/admin/casino/epoch/add/"


@pytest.fixture
def seal(
    fresh_db: str, connect_as: Callable[..., psycopg.Connection], tmp_path: Path, settings: Any
) -> Seal:
    people()
    return Seal(connect_as, tmp_path / "public", settings)


def filled_in() -> dict[str, Any]:
    form = client_of("administrador").get(ADD).context["form"]
    return {name: form[name].value() for name in ("lost_origin", "lost_size", "lost_root")}


@pytest.mark.parametrize("code", ["origin", "fault"])
def test_every_refusal_is_told_in_plain_words(seal: Seal, code: str) -> None:
    (seal.public / "refused").write_text(json.dumps({"code": code, "why": "-"}))
    found, unknown = refusal(), Refusal("?", "", None, None, "", None, "")
    assert found is not None
    assert found.what not in ("", unknown.what)
    assert found.remedy not in ("", unknown.remedy)


def test_before_anything_was_signed_nothing_is_filled_in(seal: Seal) -> None:
    assert not any(filled_in().values())


def test_an_epoch_names_what_was_signed_last(seal: Seal) -> None:
    checkpoint = seal.sign()
    values = {"lost_origin": ORIGIN, "lost_size": "6", "lost_root": checkpoint.root.hex()}
    assert filled_in() == values
    # After a loss the signer knows more than the book it lies beside.
    refused = {"code": "shorter", "why": "-", "own_size": 41203, "own_root": "ab" * 32}
    (seal.public / "refused").write_text(json.dumps(refused))
    assert filled_in() == values | {"lost_size": "41203", "lost_root": "ab" * 32}
    (seal.public / "refused").write_text(json.dumps(refused | {"origin": "book.example/sala/7"}))
    assert filled_in()["lost_origin"] == "book.example/sala/7"
    (seal.public / "refused").write_text(json.dumps(refused | {"own_size": None, "own_root": ""}))
    assert filled_in() == values
