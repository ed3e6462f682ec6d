"""Folders that say they are evidence packs: whatever is in them, a line and no failure."""

import json
from pathlib import Path
from typing import Any

import pytest

from audit.verifier.pack import Pack, carries
from audit.verifier.report import BadInput, Report

DIGEST = "0" * 64
POINT = {"root": DIGEST, "size": {"n": 1}}
CITED = [{"leaf": DIGEST, "n": 1, "stream": "house"}]


def folder(place: Path, manifest: Any, **files: Any) -> Path:
    (place / "manifesto").mkdir()
    for name, value in {"manifesto.json": manifest, **files}.items():
        data = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
        (place / "manifesto" / name).write_text(data)
    return place


@pytest.mark.parametrize(
    "manifest",
    [
        "no json",
        "[]",
        {},
        {"files": 3},
        {"files": [{"name": 3, "sha256": DIGEST, "size": 1}]},
        {"files": [{"name": "../out", "sha256": DIGEST, "size": 1}]},
        {"files": [{"name": "/etc/passwd", "sha256": DIGEST, "size": 1}]},
        {"files": [{"name": "a", "sha256": "x", "size": 1}]},
        {"files": [{"name": "a", "sha256": DIGEST, "size": "1"}]},
    ],
)
def test_a_manifest_that_cannot_be_read_is_bad_input(tmp_path: Path, manifest: Any) -> None:
    pack = Pack(str(folder(tmp_path, manifest)), Report())
    with pytest.raises(BadInput) as refused:
        pack.check(None)
    assert refused.value.code == "pack-form"


@pytest.mark.parametrize(
    ("entries", "point", "proofs"),
    [
        ([], POINT, {"proofs": 3}),
        ([{"leaf": DIGEST, "n": "1", "stream": "house"}], POINT, {"proofs": []}),
        (CITED, {"root": "x", "size": {"n": 1}}, {"proofs": []}),
        (CITED, {"root": DIGEST, "size": {"n": "1"}}, {"proofs": []}),
        (CITED, POINT, {"proofs": [{"entry": CITED[0]}]}),
    ],
)
def test_a_report_that_cannot_be_read_is_named(
    tmp_path: Path, entries: Any, point: Any, proofs: Any
) -> None:
    manifest = {"checkpoint": point, "entries": entries, "files": []}
    report = Report()
    Pack(str(folder(tmp_path, manifest, **{"manifesto.proofs.json": proofs})), report).check(None)
    assert ("file-form", "manifesto/manifesto.json") in {
        (one.code, one.file) for one in report.lines
    }


def test_a_proof_that_is_none_is_named(tmp_path: Path) -> None:
    manifest = {"checkpoint": POINT, "entries": CITED, "files": []}
    proofs = {"proofs": [{"entry": CITED[0], "proof": "mine"}]}
    report = Report()
    place = folder(tmp_path, manifest, **{"manifesto.proofs.json": proofs})
    (place / "SHA256SUMS").write_text(f"{DIGEST}  ../out\nno line\n{DIGEST}  manifesto/x.pdf\n")
    Pack(str(place), report).check(None)
    found = {one.code for one in report.lines}
    assert found >= {"pack-proof", "pack-sums", "file-form", "file-missing"}


def test_what_a_pdf_carries_is_found_deflated_or_not() -> None:
    import zlib

    data = b'{"a":1}' * 9
    for inside in (zlib.compress(data), data):
        pdf = b"%PDF-1.7\n1 0 obj\nstream\r\n" + inside + b"\nendstream"
        assert carries(pdf, data)
        assert not carries(pdf, data[:-1] + b"x")
    assert not carries(b"stream\n" * 9, data)
