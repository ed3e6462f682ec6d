"""Files made to harm whoever reads them, or to be read as something else; each with its mapping."""

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple
from zlib import crc32

from casino.converting.sheet_rows import MOST_UNPACKED
from tests.factories.foreign_tables import NARROW, NARROW_ROWS

NS: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
REL: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPES: Final = "http://schemas.openxmlformats.org/package/2006/relationships"
BOOK: Final = (
    f'<workbook xmlns="{NS}" xmlns:r="{REL}"><sheets><sheet name="S" sheetId="1" r:id="r1"/>'
    "</sheets></workbook>"
)
RELS: Final = (
    f'<Relationships xmlns="{TYPES}"><Relationship Id="r1" Type="{REL}/worksheet"'
    ' Target="worksheets/sheet1.xml"/></Relationships>'
)


class Hostile(NamedTuple):
    """A file: its name, its bytes, and the text of its mapping ('' for none)."""

    name: str
    content: bytes
    mapping: str = NARROW


def workbook(rows: str, *, deflate: bool = True, **parts: str) -> bytes:
    """A workbook of one sheet with these rows; other parts, or other texts of these, by name."""
    held = {
        "xl/workbook.xml": BOOK,
        "xl/_rels/workbook.xml.rels": RELS,
        "xl/worksheets/sheet1.xml": sheet(rows),
        **parts,
    }
    made = io.BytesIO()
    how = zipfile.ZIP_DEFLATED if deflate else zipfile.ZIP_STORED
    with zipfile.ZipFile(made, "w", how) as archive:
        for name, text in held.items():
            archive.writestr(name, text)
    return made.getvalue()


def sheet(rows: str) -> str:
    """A sheet with these rows."""
    return f'<worksheet xmlns="{NS}"><sheetData>{rows}</sheetData></worksheet>'


def cells(*values: object) -> str:
    """A row's cells: numbers as numbers, the rest as texts."""
    made = []
    for value in values:
        if isinstance(value, int | float):
            made.append(f"<c><v>{value}</v></c>")
        else:
            made.append(f'<c t="inlineStr"><is><t>{value}</t></is></c>')
    return "<row>" + "".join(made) + "</row>"


# The two rows of the narrow table as a sheet has them.
LAWFUL: Final = "".join(
    cells(*(int(one) if one.isdigit() else one for one in row.split(","))) for row in NARROW_ROWS
)


def _bomb(megabytes: int) -> str:
    return sheet("<row><c><v>1</v></c></row>" + " " * (megabytes * 2**20))


def quick() -> Iterator[Hostile]:
    """Those that are refused at once, or in little time."""
    yield from archives()
    yield from sheets()
    yield from tables()


def archives() -> Iterator[Hostile]:
    """What is wrong with the archive, before a sheet is read."""
    good = workbook(LAWFUL)
    yield Hostile("ratio-1000.xlsx", workbook("", **{"xl/worksheets/sheet1.xml": _bomb(8)}))
    yield Hostile("much.xlsx", workbook("", **{"xl/styles.xml": " " * (MOST_UNPACKED + 1)}))
    yield Hostile("many-parts.xlsx", workbook("", **{f"xl/p{n}.xml": "<a/>" for n in range(400)}))
    yield Hostile(
        "nested.xlsx", workbook("", **{"xl/worksheets/sheet1.xml": good.decode("latin-1")})
    )
    two = BOOK.replace("</sheets>", '<sheet name="T" sheetId="2" r:id="r1"/></sheets>')
    yield Hostile("two-sheets.xlsx", workbook(LAWFUL, **{"xl/workbook.xml": two}))
    outside = RELS.replace("worksheets/sheet1.xml", "../../../etc/passwd")
    yield Hostile("target-outside.xlsx", workbook("", **{"xl/_rels/workbook.xml.rels": outside}))
    link = RELS.replace("Target=", 'TargetMode="External" Target=').replace(
        "worksheets", "http://a"
    )
    yield Hostile("target-elsewhere.xlsx", workbook("", **{"xl/_rels/workbook.xml.rels": link}))
    for path in ("../../etc/cron.d/x", "/etc/passwd", "..\\x", "C:x"):
        yield Hostile(f"path-{crc32(path.encode())}.xlsx", workbook(LAWFUL, **{path: "x"}))
    for tenth in range(1, 10, 2):
        yield Hostile(f"cut-{tenth}.xlsx", good[: len(good) * tenth // 10])
    marked = bytearray(good)
    for at in (good.find(b"PK\1\2") + 8, 6):  # said to be encrypted, in the directory and before
        marked[at] |= 1
    yield Hostile("encrypted.xlsx", bytes(marked))
    yield Hostile("only-directory.xlsx", good[good.find(b"PK\1\2") :])
    yield Hostile("magic.xlsx", b"PK\3\4" + b"\0" * 100_000)


def sheets() -> Iterator[Hostile]:
    """What is wrong with a sheet, or with a cell of it."""
    doctype = '<!DOCTYPE a [<!ENTITY e "x">]>'
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    billion = f'<!DOCTYPE a [<!ENTITY l0 "ha">{laughs}]>{sheet("<row><c><v>&l11;</v></c></row>")}'
    reads = '<!DOCTYPE a [<!ENTITY e SYSTEM "file:/etc/passwd">]>'
    for name, text in (
        ("entity", doctype + sheet(LAWFUL)),
        ("billion-laughs", billion),
        ("outside-entity", reads + sheet("<row><c><v>&e;</v></c></row>")),
        ("half", sheet(LAWFUL)[:-40]),
        ("no-xml", "\0\1\2\3"),
        ("deep", "<a>" * 50_000),
        ("other-reference", sheet('<row r="1"><c r="B9"><v>1</v></c></row>')),
        ("disorder", sheet('<row r="2"><c r="A2"><v>1</v></c></row><row r="1"/>')),
        ("row-2-40", sheet(f'<row r="{2**40}"><c><v>1</v></c></row>')),
        ("column-too-far", sheet('<row r="1"><c r="ZZZZZ1"><v>1</v></c></row>')),
        ("strings-missing", sheet('<row><c t="s"><v>7</v></c></row>')),
        ("long-digits", sheet(f'<row><c t="s"><v>{"9" * 6000}</v></c></row>')),
        ("utf-16", '<?xml version="1.0" encoding="utf-16"?>' + sheet(LAWFUL)),
    ):
        yield Hostile(f"{name}.xlsx", workbook("", **{"xl/worksheets/sheet1.xml": text}))
    formula = LAWFUL.replace("<v>10</v>", "<f>1+9</f><v>10</v>", 1)
    yield Hostile("formula.xlsx", workbook(formula))
    yield Hostile(
        "error.xlsx", workbook(LAWFUL.replace("<c><v>10</v>", '<c t="e"><v>#REF!</v>', 1))
    )
    yield Hostile("digits.xlsx", workbook(LAWFUL.replace("<v>10</v>", f"<v>{'1' * 17}</v>", 1)))
    yield Hostile("exponent.xlsx", workbook(LAWFUL.replace("<v>10</v>", "<v>1e300</v>", 1)))
    yield Hostile("cell.xlsx", workbook(LAWFUL.replace(">Ana<", f">{'A' * 40_000}<")))
    columns = "".join(f"<c><v>{n % 10}</v></c>" for n in range(40_000))
    yield Hostile("columns.xlsx", workbook(f"<row>{columns}</row>"))


def tables() -> Iterator[Hostile]:
    """Tables saved as text, and lines of JSON."""
    csv = "\n".join(NARROW_ROWS).encode()
    yield Hostile("nul.csv", csv.replace(b"Ana", b"A\0a"))
    yield Hostile("line.csv", b"0" * 3_000_000)
    yield Hostile("quote.csv", csv.replace(b"Ana", b'"Ana'))
    yield Hostile("utf-16.csv", csv.decode().encode("utf-16"))
    yield Hostile("formula.csv", csv.replace(b"Ana", b"=HYPERLINK(1)"))
    yield Hostile("columns.csv", b",".join([b"1"] * 1_000_000))
    yield Hostile("ends.csv", csv.replace(b"\n", b"\r") + b"\r\r\n\n\n\r")
    yield Hostile("deep.jsonl", b"[" * 200_000, "")
    yield Hostile("deeper.jsonl", b'{"a":' * 100_000, "")
    yield Hostile("numbers.jsonl", b'{"schema":' + b"9" * 500_000 + b"}", "")
    yield Hostile("nan.jsonl", b'{"schema": NaN}\n{"schema": 1e999}', "")
    yield Hostile("twice.jsonl", b'{"round":"a","round":"b"}', "")
    yield Hostile("gzip.jsonl", b"\x1f\x8b\x08" + b"\0" * 100, "")
    yield Hostile("bytes.jsonl", bytes(range(256)) * 40, "")
    yield Hostile("lone.jsonl", json.dumps({"round": "\ud800"}).encode(), "")
    yield Hostile("mapping.csv", csv, "a = " + "[" * 20_000)
    yield Hostile("wrong-mapping.csv", csv, NARROW.replace("column = 9", "column = 900"))


def _rows() -> bytes:
    row = "<row>" + "".join(f"<c><v>{place % 9 + 1}</v></c>" for place in range(10)) + "</row>"
    return workbook(row * 300_000, deflate=False)


def _strings() -> bytes:
    strings = "".join(f"<si><t>{n * 7919:x}</t></si>" for n in range(990_000))
    return workbook(LAWFUL, **{"xl/sharedStrings.xml": f'<sst xmlns="{NS}">{strings}</sst>'})


def _columns() -> bytes:
    wide = "".join(f"<c><v>{n % 10}</v></c>" for n in range(1_000_000))
    return workbook(f"<row>{wide}</row>", deflate=False)


# Those that take memory or time until they are stopped; they are made when they are asked for.
HEAVY: Final[dict[str, Callable[[], Hostile]]] = {
    "rows": lambda: Hostile("rows.xlsx", _rows()),
    "strings": lambda: Hostile("strings.xlsx", _strings()),
    "lines": lambda: Hostile("lines.csv", b"x\n" * 5_000_000),
    "objects": lambda: Hostile("objects.jsonl", b"{}\n" * 3_000_000, ""),
    "commas": lambda: Hostile("commas.csv", (b"," * 60_000 + b"\n") * 400),
    "columns": lambda: Hostile("million-columns.xlsx", _columns()),
}
