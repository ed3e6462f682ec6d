"""An evidence pack: one ZIP of sealed reports, a copy of the book, lists, programs, how to verify.

Made in steps that may each be done twice, as a report is (`issuing.py`): its reports are made; what
the manifest lists is packed, in one transaction with the entry of the copy; the manifest is issued
and sealed as any report; at last it is put in. Until then nothing of the pack can be downloaded.
"""

import errno
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from hashlib import file_digest, sha256
from pathlib import Path
from typing import IO, Final
from uuid import uuid5
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.db import transaction
from django.utils.translation import gettext as _

from audit.audit_queries import newest_first, with_state
from audit.case_state import numbered
from audit.exporting import ExportRefused, export_bundle
from audit.models import PackPiece, ReportFile, ReportIssue, ReportRequest
from audit.models.audit_jobs import FINISHED, OPEN
from audit.offline_programs import programs
from audit.pages.findings.finding_rows import HEAD, rows_of
from audit.pages.page_words import PACK_WORDS
from audit.reports import issuing
from audit.reports.check_document import checkpoint_of
from audit.reports.issuing import Waits, asked_of
from audit.reports.packs.pack_plan import findings_of, members_of, scope_of, texts_of
from casino import clock, sealed
from casino.events.event import Event
from casino.recording import Actor, Source, record
from casino.web.list_files.list_answer import list_files
from casino.web.list_files.list_source import Header, ListSource, columns_of

MEMBERS, PACKING = "members", "packing"
PACK_KEPT: Final = timedelta(days=7)  # its reports stay longer, and can be made again
HERE: Final = Path(__file__).parent
READ_ME: Final = ("LEIA-ME.txt", "README.txt")  # how to verify it
PART: Final = 60.0  # seconds after which the next report is left to the next beginning
PIECE: Final = 4 * 2**20  # bytes
BOOK, LISTS, REPORTS, KEPT_NOTE = "livro", "listas", "relatorios", "guardado/checkpoint"
MANIFEST, SUMS = "manifesto/manifesto", "SHA256SUMS"
PROGRAMS, TEXTS = "programas", "textos"


def make_pack(order: ReportRequest) -> None:
    """A pack, to its end. Raises: as `issuing.make`; ExportRefused, TooMuch."""
    if order.listed is None:
        issuing.note(order, step=MEMBERS)
        members = _members(order)
        until = time.monotonic() + PART
        for step in (issuing.prepare, issuing.make):
            for done, one in enumerate(members):
                if one.state == OPEN:
                    step(one)
                if time.monotonic() > until and done + 1 < len(members):
                    there = {"n": done + 1, "of": len(members)}
                    raise Waits(_("%(n)s of %(of)s reports are made; it goes on.") % there)
        issuing.note(order, step=PACKING, refusal="")
        with _room():
            _pack(order, members)
    issuing.prepare(order)
    issuing.seal(order)
    with _room(), transaction.atomic():
        _put_manifest_in(order)
        issuing.end(order, PACK_KEPT)


@contextmanager
def _room() -> Iterator[None]:
    """Raises: ExportRefused, where there is no room for the files."""
    try:
        yield
    except (OSError, ExportRefused) as trouble:
        why = trouble if isinstance(trouble, OSError) else trouble.__cause__
        if not isinstance(why, OSError) or why.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise ExportRefused(
            _(
                "The disk of the house's server is full: nothing was kept of this pack, and nothing"
                " left the house. Whoever looks after the server makes room; then ask for it again."
            )
        ) from trouble


def _members(order: ReportRequest) -> list[ReportRequest]:
    """Its reports, each asked for once; one whose files expired meanwhile is made again."""
    asked = asked_of(order)
    with transaction.atomic():
        if not order.members.exists():
            for place, one in enumerate(members_of(asked)):
                ReportRequest.objects.create(
                    request=uuid5(order.request, f"member {place}"),
                    by_staff=order.by_staff,
                    by_office=order.by_office,
                    by_door=order.by_door,
                    report=one.report,
                    report_language=order.report_language,
                    from_day=one.first,
                    to_day=one.last,
                    of_table=one.table,
                    findings=list(one.findings),
                    asked_at=order.asked_at,
                    pack=order,
                )
        for old in order.members.filter(state=FINISHED, expires_at__lte=clock.now() + PACK_KEPT):
            old.files.all().delete()
            issuing.note(old, state=OPEN, step="", expires_at=None)
    return list(order.members.order_by("report", "of_table"))


# -- What the manifest lists -----------------------------------------------------------------------


def _pack(order: ReportRequest, members: list[ReportRequest]) -> None:
    """Pack all but the manifest, and record that a copy of the book was made."""
    asked, by = asked_of(order), Actor(order.by_staff, order.by_office, order.by_door)
    issues = list(ReportIssue.objects.filter(request__in=[one.request for one in members]))
    sizes = {one.size for one in issues}
    if asked.kept:
        sizes.add(checkpoint_of(asked.kept).size)
    copied: list[Event] = []
    with tempfile.TemporaryDirectory(prefix="pack-") as made:
        folder = Path(made) / "pack"
        folder.mkdir()
        export_bundle(
            folder / BOOK,
            scope_of(asked),
            by,
            sizes=sizes,
            said=lambda event, _by: copied.append(event),
        )
        for one in members:
            _write_report(folder / REPORTS, one)
        if not asked.pack.startswith("copy"):
            _write_list(folder / LISTS, order)
        for name, data in programs().items():
            _write(folder / PROGRAMS / name, data)
        for digest, data in texts_of(asked).items():
            _write(folder / TEXTS / f"{digest}.txt", data)
        if asked.kept:
            _write(folder / KEPT_NOTE, asked.kept.encode())
        for name in READ_ME:
            shutil.copyfile(HERE / name, folder / name)
        listed = [_listed(path, folder) for path in sorted(folder.rglob("*")) if path.is_file()]
        with tempfile.TemporaryFile() as packed:
            with ZipFile(packed, "w") as archive:
                for name, _size, _digest in listed:
                    _add(archive, name, folder / name)
            with transaction.atomic():
                key, source = uuid5(order.request, "copy"), Source("job", str(order.request))
                said = record(copied[0], key=key, by=by, occurred_at=clock.now(), source=source)
                order.cited = [*((one.stream, one.n) for one in issues), (said.stream, said.n)]
                order.listed = listed
                order.save(update_fields=["cited", "listed"])
                _keep(order, packed)


def _write(place: Path, data: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)


def _write_report(folder: Path, order: ReportRequest) -> None:
    """A report's files, and its JSON and proofs beside them, for programs."""
    order.refresh_from_db()
    for name, data in _files_of(order, order.number):
        _write(folder / name, data)


def _files_of(order: ReportRequest, stem: str) -> Iterator[tuple[str, bytes]]:
    assert order.document is not None
    assert order.proofs is not None
    for file in order.files.exclude(volume=0).order_by("volume"):
        yield (
            f"{stem}{f'-{file.volume}' if file.volume > 1 else ''}.pdf",
            bytes(file.content or b""),
        )
    yield f"{stem}.json", bytes(order.document)
    yield f"{stem}.proofs.json", bytes(order.proofs)


def _write_list(folder: Path, order: ReportRequest) -> None:
    """The findings, in every form a list is taken out in."""
    folder.mkdir()
    asked = asked_of(order)
    findings = newest_first(numbered(with_state(findings_of(asked))))
    source = ListSource(
        of="findings",
        name="findings",
        title=str(PACK_WORDS[asked.pack]),
        columns=columns_of(HEAD),
        rows=rows_of(findings),
        count=findings.count(),
        first=asked.first,
        last=asked.last,
    )
    header = Header(source, "", order.by_staff, (order.by_office,), clock.now(), sealed.latest())
    list_files(header, folder)


def _listed(path: Path, folder: Path) -> tuple[str, int, str]:
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    return path.relative_to(folder).as_posix(), path.stat().st_size, digest


def _add(archive: ZipFile, name: str, source: Path | bytes) -> None:
    """A file of the archive; every one bears the same moment, for the manifest has the true one."""
    entry = ZipInfo(name)
    entry.compress_type = ZIP_DEFLATED
    entry.external_attr = 0o100644 << 16
    with archive.open(entry, "w", force_zip64=True) as into:
        if isinstance(source, bytes):
            into.write(source)
        else:
            with source.open("rb") as file:
                shutil.copyfileobj(file, into, 1 << 20)


# -- The whole -------------------------------------------------------------------------------------


def _keep(order: ReportRequest, packed: IO[bytes]) -> tuple[int, str]:
    """Keep the archive in pieces, in the place of what there was; its length and its SHA-256."""
    order.pieces.all().delete()
    packed.seek(0)
    length, digest, number = 0, sha256(), 0
    while piece := packed.read(PIECE):
        PackPiece.objects.create(request=order, number=number, content=piece)
        digest.update(piece)
        length, number = length + len(piece), number + 1
    return length, digest.hexdigest()


def pieces_of(order: ReportRequest) -> Iterator[bytes]:
    """The archive, a piece at a time."""
    for number in order.pieces.order_by("number").values_list("number", flat=True):
        yield bytes(order.pieces.get(number=number).content)


def _put_manifest_in(order: ReportRequest) -> None:
    """Add the sealed manifest, and the digests of all there is, for who has no program of ours."""
    order.refresh_from_db()
    with tempfile.TemporaryFile() as packed:
        for piece in pieces_of(order):
            packed.write(piece)
        with ZipFile(packed, "a") as archive:
            digests = [(name, digest) for name, _size, digest in order.listed or ()]
            for name, data in _files_of(order, MANIFEST):
                _add(archive, name, data)
                digests.append((name, sha256(data).hexdigest()))
            _add(archive, SUMS, _sums(digests))
        length, digest = _keep(order, packed)
    ReportFile.objects.update_or_create(
        request=order,
        volume=0,
        defaults={"content": b"", "sha256": digest, "bytes_count": length},
    )


def _sums(digests: Iterable[tuple[str, str]]) -> bytes:
    """As ``sha256sum -c`` reads it."""
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(digests)).encode()


__all__ = ["make_pack", "pieces_of"]
