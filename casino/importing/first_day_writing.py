"""The rows of a confirmed first day written into the book, each in the name of who may write it.

What whoever brought the file may write is recorded in his name, the rest in the name of whoever
confirmed it. Each event has a key made of file, sheet and row: written twice it is one.
"""

import json
from datetime import datetime
from typing import TypedDict

from casino.events import Malformed
from casino.extensions import event_kinds
from casino.importing.first_day import key_of
from casino.importing.intake import patiently
from casino.importing.sheet_columns import OpenMoment, Payload, open_moment
from casino.models import StagedImport, StagedPiece
from casino.reading.payload import event_of, moment_of
from casino.reading.refusal import Refused
from casino.recording import Actor, Busy, Source, Submission
from casino.recording import Refused as NotRecorded
from casino.tlog.canonical import instant_text


class Record(TypedDict):
    """An event that is to be recorded: all of it, but for what the confirmation alone says.

    `open` are its moments that were left out, `signed` the fields that name who records it, `at`
    when it happened where that was said; `second`: whoever confirmed the file records it.
    """

    sheet: str
    place: str
    kind: str
    payload: Payload
    open: dict[str, OpenMoment]
    signed: list[str]
    at: str | None
    second: bool


def record_rows(staged: StagedImport, piece: StagedPiece) -> list[Refused]:
    """Record the rows of a piece; what the book refuses by now comes out. Raises: Busy."""
    lines = bytes(piece.content).split(b"\n")
    rows = [(int(line.partition(b" ")[0]), json.loads(line.partition(b" ")[2])) for line in lines]
    try:
        patiently([_submission(staged, number, row) for number, row in rows])
    except Busy:
        raise
    except (Malformed, NotRecorded):
        # One of them cannot be recorded: each by itself, to find out which.
        return [refused for number, row in rows if (refused := _one(staged, number, row))]
    return []


def _one(staged: StagedImport, number: int, record: Record) -> Refused | None:
    try:
        patiently([_submission(staged, number, record)])
    except Busy:
        raise
    except (Malformed, NotRecorded) as error:
        return Refused(number, record["place"], error.reason)
    return None


def _submission(staged: StagedImport, number: int, record: Record) -> Submission:
    by = Actor(staged.by_staff, staged.by_office, "import")
    if record["second"]:
        by = Actor(staged.confirmed_by, staged.judged["confirmed_office"], "import")
    confirmed_at = _confirmed_at(staged)
    payload = record["payload"] | dict.fromkeys(record["signed"], by.staff)
    for name, how in record["open"].items():
        payload[name] = instant_text(open_moment(how, confirmed_at))
    return Submission(
        event_of(event_kinds()[record["kind"]], payload),
        key_of(staged.file_sha256, record["sheet"], number, record["kind"]),
        by,
        confirmed_at if record["at"] is None else moment_of(record["at"], "$.occurred_at"),
        Source("file", staged.file_sha256),
    )


def _confirmed_at(staged: StagedImport) -> datetime:
    assert staged.confirmed_at is not None
    return staged.confirmed_at
