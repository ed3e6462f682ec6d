"""A book that is backed up, and what restore_check says of a backup."""

from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.core.management import call_command

from casino.recording import Submission, record_many
from casino.recording.attached_files import File
from tests.factories.records import EVENING, PIT, burnt
from tests.factories.sealed_book import Seal, seal_events


def back_up(place: Path) -> Path:
    call_command("backup", str(place), language="en", stdout=StringIO())
    return place


def checked(place: Path, **options: Any) -> tuple[int, str]:
    """How restore_check ends, and what it says."""
    said = StringIO()
    try:
        call_command("restore_check", str(place), language="en", stdout=said, **options)
    except SystemExit as end:
        return int(str(end.code)), said.getvalue()
    return 0, said.getvalue()


def a_book(seal: Seal) -> None:
    """Records of two tables, people with names, a file; signed, and something that is not yet."""
    seal_events(260)
    seal.sign()
    seal_events(20, "BJ-07", people=3)
    record_many([Submission(burnt(), uuid4(), PIT, EVENING, files=(File(b"A note.\n"),))])
    seal.sign()
    seal_events(2)
