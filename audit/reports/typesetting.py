"""The pages of a report: cut into volumes, each made in a process of its own (`typeset.py`).

The same JSON and proofs give the same bytes, on any machine with the same locked packages: fonts
are ours, the clock is not asked.
"""

import io
import json
import subprocess
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import segno
from pyhanko.pdf_utils.reader import PdfFileReader

from audit.reports.own_process import apart
from audit.reports.report_draft import ColumnRead, ReportDocument, RowRead
from casino.tlog.canonical import canonical

MOST_PAGES: Final = 100  # of a volume
ROOM: Final = 85  # pages a volume is filled to, by an estimate
SECONDS: Final = 50  # until a volume is given up
_PAGE: Final = 689  # points between head and foot
_LINE, _AIR = 10, 3  # points of a line of a table, of the ground around it
_ACROSS: Final = 125  # characters across the page, in a table


class NotTypeset(RuntimeError):
    """A volume could not be made; the text is the program's own, for whoever looks after it."""


Part = dict[str, int]


def volumes(document: ReportDocument) -> list[list[Part]]:
    """Which rows of which sections each volume has: by order, each of some 85 pages at most."""
    found: list[list[Part]] = [[]]
    room, used = ROOM * _PAGE, 200  # the head
    for number, section in enumerate(document["sections"]):
        used += 40 + 20 * len(section["pairs"]) + sum(len(one) // 8 for one in section["texts"])
        start = 0
        for place, row in enumerate(section["rows"]):
            height = _height(section["columns"], row)
            if used + height > room:
                found[-1].append({"from": start, "section": number, "to": place})
                found.append([])
                start, used = place, 200
            used += height
        found[-1].append({"from": start, "section": number, "to": len(section["rows"])})
    return found


def _height(columns: Sequence[ColumnRead], row: RowRead) -> int:
    whole: int = sum(one["width"] for one in columns) or 1
    lines: Iterator[int] = (
        -(-len(cell["text"]) * whole // max(1, one["width"] * _ACROSS))
        for one, cell in zip(columns, row["cells"], strict=True)
    )
    return _AIR + _LINE * max(1, *lines)


def code_text(document: ReportDocument, json_sha256: str) -> str:
    """What the report's QR code says: its number, its digest, its checkpoint."""
    checkpoint = document["checkpoint"]
    size = checkpoint["size"]["n"]
    return f"{document['number']} {json_sha256} {size} {checkpoint['root']}"


class Volume(NamedTuple):
    """One volume of so many: its PDF, how many pages it has."""

    number: int
    of: int
    pdf: bytes
    pages: int


def typeset_volumes(
    document: bytes,
    proofs: bytes,
    json_sha256: str,
    *,
    sealed: bool,
    besides: Collection[int] = (),
    private: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Iterator[Volume]:
    """The volumes one after the other, but for those that are there already; `private` are lines
    of a letter that no JSON holds. Raises: NotTypeset.
    """
    report: ReportDocument = json.loads(document)
    cut = volumes(report)
    for number, parts in enumerate(cut, start=1):
        if number in besides:
            continue
        frame = {
            "json_sha256": json_sha256,
            "parts": parts,
            "private": dict(private),
            "sealed": sealed,
            "volume": number,
            "volumes": len(cut),
        }
        texts = {
            "report.json": document,
            "frame.json": canonical(frame),
            "proofs.json": _of_volume(report, proofs, parts, number) if len(cut) > 1 else proofs,
            "code.svg": _code(code_text(report, json_sha256)),
        }
        made = in_a_process(texts)
        yield Volume(number, len(cut), made, pages_of(made))


def _of_volume(report: ReportDocument, proofs: bytes, parts: Sequence[Part], number: int) -> bytes:
    """The proofs of the entries a volume shows; those no row shows are in the first."""
    shown = {_entry(row) for section in report["sections"] for row in section["rows"]}
    mine = {
        _entry(row)
        for part in parts
        for row in report["sections"][part["section"]]["rows"][part["from"] : part["to"]]
    }
    listed = json.loads(proofs)
    kept = [
        one
        for one in listed["proofs"]
        if (place := (one["entry"]["stream"], one["entry"]["n"])) in mine
        or (number == 1 and place not in shown)
    ]
    return canonical({**listed, "proofs": kept})


def _entry(row: RowRead) -> tuple[str, int] | None:
    found = row.get("entry")
    return None if found is None else (found["stream"], found["n"])


def _code(text: str) -> bytes:
    kept = io.BytesIO()
    segno.make_qr(text, error="m", boost_error=False).save(kept, kind="svg", border=2, scale=4)
    return kept.getvalue()


def in_a_process(texts: Mapping[str, bytes]) -> bytes:
    """One volume, by `audit.reports.typeset`. Raises: NotTypeset."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, text in texts.items():
            file.writestr(name, text)
    try:
        ran = apart("audit.reports.typeset", packed.getvalue(), SECONDS)
    except subprocess.TimeoutExpired as late:
        raise NotTypeset(f"no volume after {SECONDS} s") from late
    if ran.returncode:
        raise NotTypeset(ran.stderr.decode("utf-8", "replace").strip()[-400:])
    return ran.stdout


def pages_of(pdf: bytes) -> int:
    """How many pages a PDF has."""
    return int(PdfFileReader(io.BytesIO(pdf)).root["/Pages"]["/Count"])
