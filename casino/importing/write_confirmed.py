"""A confirmed file written into the book in parts, and gone on with until it is whole.

Rounds are written by two jobs at once, each with every second part: a worker's process is busy with
the making of records for as long as the database is with storing them.

Each round is recorded under its own UUID, a row of a sheet under one made of file, sheet and row: a
part that was cut short is written again, and changes nothing of what stands.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import F

from casino import clock
from casino.importing.first_day_writing import record_rows
from casino.importing.imported_lines import Placed
from casino.importing.intake import Intake
from casino.importing.judging import records_in
from casino.importing.parse_file import fault_as_json
from casino.importing.staging import WRITERS
from casino.models import StagedImport, StagedPiece
from casino.models.held import DONE, FIRST_DAY, WRITING
from casino.recording import Actor
from casino.recording.writing import add_job

WRITTEN: Final = "days-imported"  # the topic of who judges these days


def write(key: UUID, until: float, seat: int | None = None) -> bool:
    """Write a file's parts on, until none is left or the time is up; whether none is left.

    Of several writers each has its `seat` and writes its share; without one, all. Raises: Busy.
    """
    staged = StagedImport.objects.filter(pk=key, state=WRITING).first()
    if staged is None:
        return True
    left = staged.pieces.filter(what="records", done=False).order_by("number")
    numbers = [
        number
        for number in left.values_list("number", flat=True)
        if seat is None or number % WRITERS == seat
    ]
    pieces = (left.get(number=number) for number in numbers)
    for piece, placed in _read_ahead(
        pieces, _nothing if staged.content == FIRST_DAY else records_in
    ):
        write_piece(staged, piece, placed)
        if time.monotonic() > until:
            return False  # one piece at least in every turn
    _end(key)
    return True


def _end(key: UUID) -> None:
    """The file is written, unless another writer has a part left."""
    with transaction.atomic():
        staged = StagedImport.objects.select_for_update().get(pk=key)
        if staged.state != WRITING or staged.pieces.filter(what="records", done=False).exists():
            return
        staged.pieces.filter(what__in=("records", "rows")).delete()
        StagedImport.objects.filter(pk=key).update(state=DONE, ended_at=clock.now())
        days = [day for day in staged.judged.get("days", ()) if day]
        if days:
            add_job(WRITTEN, f"{WRITTEN}/{key}", {"days": days})


def _nothing(_: StagedPiece) -> list[Placed]:
    """Rows of a first day are few, and read where they are written."""
    return []


def _read_ahead(
    pieces: Iterable[StagedPiece], rounds_of: Callable[[StagedPiece], list[Placed]]
) -> Iterator[tuple[StagedPiece, list[Placed]]]:
    """Each piece with its rounds; the next is read while the database writes the one before."""
    with ThreadPoolExecutor(1) as reader:
        before: tuple[StagedPiece, Future[list[Placed]]] | None = None
        for piece in pieces:
            following = piece, reader.submit(rounds_of, piece)
            if before is not None:
                yield before[0], before[1].result()
            before = following
        if before is not None:
            yield before[0], before[1].result()


def write_piece(staged: StagedImport, piece: StagedPiece, placed: Sequence[Placed]) -> None:
    """Record what a piece holds: these rounds, or the rows of a first day. What the book refuses
    by now is said, and stops no other.
    """
    if staged.content == FIRST_DAY:
        refused = record_rows(staged, piece)
    else:
        by = Actor(staged.by_staff, staged.by_office, "import")
        refused = list(Intake(by, staged.file_sha256).take(placed))
    lines = [f"{one.line} {fault_as_json(one)}".encode() for one in refused]
    with transaction.atomic():
        if lines:
            StagedPiece.objects.create(
                of=staged,
                what="faults",
                number=piece.number,
                content=b"\n".join(lines),
                count=len(lines),
            )
        StagedPiece.objects.filter(pk=piece.pk).update(done=True, content=b"")
        StagedImport.objects.filter(pk=staged.pk).update(
            written=F("written") + piece.count - len(lines), refused=F("refused") + len(lines)
        )
