"""A list as an answer: CSV and JSON are sent while rows are read, a spreadsheet when it is whole.

Each is an entry of the book, of whoever takes it: of what is sent as it is read before the first
byte, of a file that is made first once it is whole. Nothing that was made here stays on the disk.
"""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from hashlib import file_digest
from pathlib import Path
from typing import IO, Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.extensions import extensions
from casino.tlog.canonical import canonical
from casino.web.display.csv_answer import Cell, csv_lines
from casino.web.list_files.json_rows import JsonRows, beginning, end, json_pieces
from casino.web.list_files.list_source import AS, Header, ListSource, header_of
from casino.web.list_files.sheet_file import SheetFile

MANIFEST: Final = "livro-da-sala-manifest/1"
# What one answer holds: a spreadsheet is made before its first byte is sent, some 20 s at most.
MOST_MADE: Final = 100_000
MOST_SENT: Final = 1_000_000
_NO_ROOM: Final = gettext_lazy(
    "The server had no room to make this file. Nothing left the house and nothing was recorded. Try"
    " again later, or take the data (CSV), which needs none."
)

NO_FILTER: Final = gettext_lazy(
    "The address asks for a filter this list does not have. Set the filter on the list's page and"
    " take it out from there."
)


class FileForm(NamedTuple):
    """A form a list can be taken out in: what its button says, its ending, its type."""

    words: Promise
    content_type: str
    most: int


FORMS: Final = {
    "csv": FileForm(gettext_lazy("Data (CSV)"), "text/csv; charset=utf-8", MOST_SENT),
    "xlsx": FileForm(
        gettext_lazy("Spreadsheet (XLSX)"),
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        MOST_MADE,
    ),
    "json": FileForm(gettext_lazy("Data (JSON)"), "application/json", MOST_SENT),
    "zip": FileForm(gettext_lazy("All three with manifest (ZIP)"), "application/zip", MOST_MADE),
}


def ways_out(url: str) -> list[tuple[str, str]]:
    """The forms a list can be taken out in, and the address of each; `url` is that of the CSV."""
    path, _mark, query = url.partition("?")
    return [
        (
            str(form.words),
            url if name == "csv" else f"{path}?{query}{'&' * bool(query)}{urlencode({AS: name})}",
        )
        for name, form in FORMS.items()
    ]


def refused_list(request: HttpRequest, said: str, status: int = 400) -> HttpResponse:
    """Why there is no such file; nothing was recorded."""
    return render(request, "casino/refused_list.html", {"said": said}, status=status)


def list_answer(request: HttpRequest, source: ListSource) -> HttpResponseBase:
    """The list in the form the address asks for, CSV where it asks for none.

    Raises: what `Extension.list_handed_out` does for whoever may have none.
    """
    name = request.GET.get(AS, "csv")
    form = FORMS.get(name)
    if form is None:
        return refused_list(request, _no_form())
    if source.count > form.most:
        return refused_list(request, _too_long(source.count, form))
    headers = {
        "Content-Disposition": f'attachment; filename="{source.name}.{name}"',
        "Cache-Control": "no-store",
    }
    if request.method == "HEAD":
        return HttpResponse(content_type=form.content_type, headers=headers)
    header = header_of(request, source)
    if name in ("csv", "json"):
        _handed_out(request, source)
        pieces = csv_lines(source.names, source.rows) if name == "csv" else json_pieces(header)
        return StreamingHttpResponse(pieces, content_type=form.content_type, headers=headers)
    try:
        made = _made(header, whole=name == "zip")
    except OSError:
        return refused_list(request, str(_NO_ROOM), status=503)
    _handed_out(request, source)
    return FileResponse(made, content_type=form.content_type, headers=headers)


def _handed_out(request: HttpRequest, source: ListSource) -> None:
    for package in extensions():
        package.list_handed_out(request, source.of, source.count)


def _no_form() -> str:
    known = ", ".join(FORMS)
    return _("No list is taken out in this form. Expected is one of these: %(forms)s.") % {
        "forms": known
    }


def _too_long(count: int, file_form: FileForm) -> str:
    return _(
        "This list has %(count)s rows; one file of this form (%(form)s) holds at most %(most)s."
        " Narrow the list by its gaming days and take it out in parts."
    ) % {
        "count": number_format(count, force_grouping=True),
        "form": file_form.words,
        "most": number_format(file_form.most, force_grouping=True),
    }


# A file that is made first


def _made(header: Header, *, whole: bool) -> IO[bytes]:
    """The spreadsheet, or all three with their manifest; it has no name and goes when it is closed.

    Raises: OSError, where there is no room for it.
    """
    kept = tempfile.TemporaryFile()  # noqa: SIM115 - whoever sends it closes it
    try:
        with tempfile.TemporaryDirectory(prefix="list-") as folder:
            made = (_bundled if whole else _sheet)(header, Path(folder))
            with made.open("rb") as written:
                shutil.copyfileobj(written, kept)
    except BaseException:
        kept.close()
        raise
    kept.seek(0)
    return kept


def _sheet(header: Header, folder: Path) -> Path:
    source = header.source
    made, rows = folder / f"{source.name}.xlsx", JsonRows(source.names)
    with SheetFile(made, source.title, source.columns) as sheet:
        for row in source.rows:
            sheet.row(row)
            rows.row(row)
        sheet.close(header, rows.digest)
    return made


def _bundled(header: Header, folder: Path) -> Path:
    """All forms in one archive."""
    made = folder / "all.zip"
    with ZipFile(made, "w", ZIP_DEFLATED) as bundle:
        for path in list_files(header, folder):
            bundle.write(path, path.name)
    return made


def list_files(header: Header, folder: Path) -> list[Path]:
    """All forms of one reading of the rows, and before them the manifest that names each."""
    source, rows = header.source, JsonRows(header.source.names)
    named = {form: folder / f"{source.name}.{form}" for form in ("csv", "json", "xlsx")}
    with (
        SheetFile(named["xlsx"], source.title, source.columns) as sheet,
        named["json"].open("wb") as json_file,
        named["csv"].open("wb") as csv_file,
    ):
        json_file.write(beginning(header))

        def also(cells: Sequence[Cell]) -> None:
            json_file.write(rows.row(cells))
            sheet.row(cells)

        for piece in csv_lines(source.names, _passed_on(source, also)):
            csv_file.write(piece.encode())
        json_file.write(end(rows))
        sheet.close(header, rows.digest)
    manifest = folder / f"{source.name}.manifest.json"
    manifest.write_bytes(_manifest(header, rows, list(named.values())))
    return [manifest, *named.values()]


def _passed_on(
    source: ListSource, also: Callable[[Sequence[Cell]], None]
) -> Iterator[Sequence[Cell]]:
    for row in source.rows:
        also(row)
        yield row


def _manifest(header: Header, rows: JsonRows, files: Sequence[Path]) -> bytes:
    """Name, size, SHA-256 and rows of each file, and the header of all, as canonical JSON."""
    listed: list[dict[str, object]] = []
    for path in files:
        with path.open("rb") as written:
            digest = file_digest(written, "sha256").hexdigest()
        listed.append(
            {
                "name": path.name,
                "rows": rows.count,
                "sha256": digest,
                "size": path.stat().st_size,
            }
        )
    return canonical(
        {
            "files": listed,
            "format": MANIFEST,
            "header": header.as_json(),
            "rows_sha256": rows.digest,
        }
    )
