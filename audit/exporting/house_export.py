"""A whole copy of the house, for one that leaves: the book, every table, files, documents.

Everything is in forms that need no program of ours. docs/house-copy.md says what is where; the
folder is there whole or not at all, and its owner's alone.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Final

import psycopg
from django.db import connections, transaction
from django.db.backends.utils import CursorWrapper
from django.utils.translation import gettext_lazy as _

from audit.events import ExportMade
from audit.exporting.bundle_export import Made, export_bundle
from audit.exporting.export_refusals import ExportRefused
from audit.exporting.folder import Folder
from audit.exporting.house_dictionary import Written, data_package, dictionary
from audit.exporting.house_tables import LEFT_OUT, HouseTable, csv_of, house_tables
from audit.exporting.private_files import json_of
from audit.exporting.scope import Scope
from audit.models import ReportFile, ReportRequest
from audit.offline_programs import programs
from casino import __version__, clock, sealed
from casino.access.private_looks import put_look
from casino.models import HeldRecord
from casino.recording import Actor
from casino.tlog.canonical import instant_text

FORMAT: Final = "livro-da-sala-house/1"
OWNER: Final = "owner"
MANIFEST, SUMS = "house.json", "SHA256SUMS"
BOOK, TABLES, DOCUMENTS, PROGRAMS = "livro", "tabelas", "documentos", "programas"
READ_ME: Final = {"LEIA-ME.txt": "house_leia_me.txt", "README.txt": "house_read_me.txt"}
HELD: Final = _(
    "Records of tablets that are not in the book yet: {count}. Wait some seconds; what could not be"
    " written is read on its table's page and recorded anew. Then make the copy again."
)
NO_TEXT: Final = _(
    "An entry of the book is no text: it was altered ({trouble}). `manage.py verify_book` names it,"
    " and `manage.py export_bundle` makes a copy of the book as it is."
)


@dataclass(frozen=True, slots=True)
class HouseMade:
    """A copy that was made: where, up to which signed tree, what it is known by.

    `not_signed` entries were recorded since and are not in it. `sums` is the SHA-256 (hex) of the
    list of all digests: whoever keeps it knows the copy again.
    """

    made: Made
    tables: int
    rows: int
    not_signed: int
    sums: str


def export_house(place: Path, by: Actor, *, private: Sequence[str] = ()) -> HouseMade:
    """Write it, and into the book that it was made. Raises: ExportRefused, Refused.

    `private`: the two persons who confirmed that private values, files and documents are in it;
    none without.
    """
    if held := HeldRecord.objects.count():
        raise ExportRefused(HELD, count=held)
    with Folder(place, private=True) as folder:
        opened = bool(private)
        for person in private[1:]:
            put_look(person, "export_house", ExportMade.kind, ["private"])
        made = export_bundle(
            folder.building / BOOK, Scope(), by, openings=opened, asked_by="".join(private[:1])
        )
        with transaction.atomic(using=OWNER), connections[OWNER].cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            written = [_write(folder, cursor, each, made.size) for each in house_tables()]
            if opened:
                _write_documents(folder)
            cursor.execute("SELECT count(*) FROM book_entry")
            not_signed = cursor.fetchone()[0] - made.size
        folder.write("datapackage.json", data_package(written))
        folder.write("dicionario.csv", dictionary([each.table for each in written]))
        for name, data in programs().items():
            folder.write(f"{PROGRAMS}/{name}", data)
        for name, kept in READ_ME.items():
            folder.write(name, Path(__file__).with_name(kept).read_bytes())
        folder.write(MANIFEST, _manifest(made, not_signed, private))
        with folder.digested(SUMS) as file:
            for name, digest in sums_of(folder.building):
                file.write(f"{digest}  {name}\n".encode())
        folder.finish()
    rows = sum(each.rows for each in written)
    return HouseMade(
        Made(place, made.entries, made.size, made.root),
        len(written),
        rows,
        not_signed,
        folder.digests[SUMS],
    )


def sums_of(folder: Path) -> Iterator[tuple[str, str]]:
    """Every file below a folder but the list itself, with its SHA-256 (hex), by name.

    Raises: ExportRefused, for a link.
    """
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            raise ExportRefused(_("{name} is a link: a copy holds none."), name=name)
        if path.is_file() and name != SUMS:
            with path.open("rb") as file:
                yield name, file_digest(file, "sha256").hexdigest()


def _write(folder: Folder, cursor: CursorWrapper, table: HouseTable, size: int) -> Written:
    path = f"{TABLES}/{table.name}.csv"
    try:
        with folder.digested(path) as file:
            for piece in csv_of(cursor, table, size):
                file.write(piece)
    except psycopg.DataError as error:
        raise ExportRefused(NO_TEXT, trouble=str(error).partition("\n")[0]) from error
    bytes_written = (folder.building / path).stat().st_size
    return Written(table, path, cursor.rowcount, bytes_written, folder.digests[path])


def _write_documents(folder: Folder) -> None:
    """Every report and letter: its JSON, its proofs, and its PDF as far as that is kept."""
    issued = ReportRequest.objects.using(OWNER).exclude(document=None).exclude(number="")
    for request in list(issued.values_list("pk", flat=True)):
        one = ReportRequest.objects.using(OWNER).get(pk=request)
        stem = f"{DOCUMENTS}/{one.number}"
        folder.write(f"{stem}.json", bytes(one.document or b""))
        folder.write(f"{stem}.proofs.json", bytes(one.proofs or b""))
        kept = ReportFile.objects.using(OWNER).filter(request=one, volume__gt=0)
        for file in kept.exclude(content=None).order_by("volume"):
            volume = f"-{file.volume}" if file.volume > 1 else ""
            folder.write(f"{stem}{volume}.pdf", bytes(file.content or b""))


def _manifest(made: Made, not_signed: int, private: Sequence[str]) -> bytes:
    newest = sealed.latest(OWNER)
    return json_of(
        {
            "format": FORMAT,
            "left_out": LEFT_OUT,
            "made_at": instant_text(clock.now()),
            "not_signed": not_signed,
            "origin": newest.origin if newest else "",
            "private": list(private),
            "root": made.root.hex(),
            "size": made.size,
            "version": __version__,
        }
    )


def manifest_of(place: Path) -> dict[str, object]:
    """What a copy says of itself; {} where it says nothing that can be read."""
    try:
        value = json.loads((place / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
