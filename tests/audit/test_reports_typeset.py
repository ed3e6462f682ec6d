"""The pages of a report: whatever text a book may hold, volumes, and the form they claim."""

import io
import json
from hashlib import sha256

import pypdf
import pytest
from django.utils.safestring import SafeString

from audit.reports import report_cells as cells
from audit.reports.typesetting import NotTypeset, code_text, typeset_volumes, volumes
from casino.tlog.canonical import canonical
from tests.factories.typeset_reports import report, row
from tests.gate import size

GOLDEN_JSON = "a8f3d3394e3d56516ceeb05d4324ac810ad83594c40cf62fbaab254332029396"
GOLDEN_PDF = "12d8fd0be0a954c0cef4c5244ca2fbf69c07b5e080165aa8111960501a60b048"


def made(document: bytes, proofs: bytes = b'{"format":"p","proofs":[]}') -> list[tuple[bytes, int]]:
    found = typeset_volumes(document, proofs, sha256(document).hexdigest(), sealed=False)
    return [(volume.pdf, volume.pages) for volume in found]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("#panic(1) $x$ *b* _i_ `c` <l> @r // \\", "#panic(1) $x$ *b* _i_ `c` <l> @r // \\"),
        ("Ana \u202etxt.exe", "Ana \ufffdtxt.exe"),
        ("a\u2066b\u2069c\u200fd", "a\ufffdb\ufffdc\ufffdd"),
        ("שלום مرحبا Κύριε Привет", "שלום مرحبا Κύριε Привет"),
        ("麻雀 🂡", "\ufffd\ufffd \ufffd"),
        ("linha\r\noutra\ttab", "linha outra tab"),
        ("e\u0301", "é"),
        ("x" * 300, "x" * 300),
        ("", "–"),
        ("A♠ 10♥ € ½ → n.º", "A♠ 10♥ € ½ → n.º"),
    ],
)
def test_a_text_is_shown_as_it_is_or_as_what_no_page_can_show(text: str, shown: str) -> None:
    assert cells.text(text)["text"] == shown
    (pdf, pages), *_ = made(report([row(text, "y")], title=cells.clean(text) or "t"))
    assert pages >= 1
    assert len(pypdf.PdfReader(io.BytesIO(pdf)).pages) == pages


def test_every_character_that_is_said_to_be_shown_is() -> None:
    there = sorted(cells.shown_characters())
    assert {ord(each) for each in "áçãõéí€ºª♠♥♦♣–—“”"} <= set(there)
    listed = ["".join(map(chr, there[at : at + 60])) for at in range(0, len(there), 60)]
    assert made(report([row(text, text) for text in listed]))


def test_what_was_html_is_a_line() -> None:
    shown = SafeString("<ol><li>lugar 1, ás</li><li>lugar 2 &amp; 3</li></ol>")
    assert cells.clean(shown) == "lugar 1, ás; lugar 2 & 3"
    assert cells.clean("<b>1</b>") == "<b>1</b>"


def test_the_same_report_gives_the_same_bytes() -> None:
    document = report([row("a", "b", n=1)])
    assert made(document) == made(document)
    assert made(document)[0][0] != made(report([row("a", "c", n=1)]))[0][0]


def test_they_are_the_bytes_of_every_machine() -> None:
    """What changes them: typst, the fonts, the template. No machine, zone or home."""
    document = report([row("Ana Conceição שלום", "♠ 10,00 €", n=1)])
    assert sha256(document).hexdigest() == GOLDEN_JSON
    assert sha256(made(document)[0][0]).hexdigest() == GOLDEN_PDF


def test_it_says_of_itself_what_form_it_has() -> None:
    reader = pypdf.PdfReader(io.BytesIO(made(report([row("a", "b")]))[0][0]))
    assert reader.xmp_metadata is not None
    xmp = reader.xmp_metadata.stream.get_data().decode()
    assert "<pdfaid:part>3</pdfaid:part>" in xmp
    assert "<pdfaid:conformance>A</pdfaid:conformance>" in xmp
    assert "<pdfuaid:part>1</pdfuaid:part>" in xmp
    assert reader.root_object["/Lang"] == "pt"
    assert reader.root_object["/MarkInfo"]["/Marked"]
    assert {name: len(data) for name, data in reader.attachments.items()} == {
        "proofs.json": 1,
        "report.json": 1,
    }
    fonts = {
        font["/FontDescriptor"]["/FontName"]
        for page in reader.pages
        for of in page["/Resources"]["/Font"].values()
        for font in [of.get_object()["/DescendantFonts"][0].get_object()]
    }
    assert all(name.endswith(("InterReport-Regular", "InterReport-Bold")) for name in fonts)


@pytest.mark.check
def test_a_long_report_is_cut_into_volumes_each_with_its_own_proofs() -> None:
    rows = [
        row(f"registo {n}", "texto " * 12, n=n) for n in range(1, size(3_000, 6_000, 20_000) + 1)
    ]
    document = report(rows)
    cut = volumes(json.loads(document))
    proofs = canonical(
        {
            "format": "p",
            "proofs": [
                {"entry": {"leaf": "c" * 64, "n": n, "stream": "table/BJ-01"}, "proof": "x"}
                for n in range(1, len(rows) + 1)
            ],
        }
    )
    found = made(document, proofs)
    assert len(found) == len(cut) > 1
    seen: list[int] = []
    for pdf, pages in found:
        assert pages <= 100
        reader = pypdf.PdfReader(io.BytesIO(pdf))
        held = json.loads(reader.attachments["proofs.json"][0])["proofs"]
        seen += [one["entry"]["n"] for one in held]
        assert reader.attachments["report.json"][0] == document
    assert seen == list(range(1, len(rows) + 1))


def test_what_cannot_be_made_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    value = json.loads(report([]))
    value["title"] = "\U0001f0a1"  # no font has it, and no form for the archive takes it
    with pytest.raises(NotTypeset, match="PDF/A"):
        made(canonical(value))
    monkeypatch.setattr("audit.reports.typesetting.SECONDS", 0.001)
    with pytest.raises(NotTypeset, match="no volume after"):
        made(report([]))


def test_the_code_names_number_digest_and_checkpoint() -> None:
    value = json.loads(report([]))
    text = code_text(value, "d" * 64)
    assert text == f"REL-2026-000001 {'d' * 64} 9 {'a' * 64}"
