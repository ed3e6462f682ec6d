"""Files sent with a record's form.

A browser forgets them when a page comes back with a question: then they wait in the database, and
the page names them. They are kept for good with the record, or not at all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final
from uuid import UUID, uuid4

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext

from casino import clock
from casino.events import Malformed
from casino.events.event import Event, FloorEvent
from casino.events.phrases import said
from casino.models import BookEntry, WaitingFile
from casino.recording import File
from casino.recording.attached_files import LARGEST_FILE, MOST_FILES, TOO_LARGE
from casino.recording.attaching import digests_in, erased_of
from casino.recording.photographs import photograph

FIELD: Final = "files"
WAITING: Final = "waiting_file"  # the id of one that waits
DROPPED: Final = "dropped_file"  # the id of one that is left out after all
NOT_KEPT: Final = str(UUID(int=0))  # in its place: it was sent by nobody, and did not wait
ACCEPT: Final = "application/pdf,image/jpeg,image/png,text/plain"
PHOTOGRAPHS: Final = "image/jpeg,image/png"
WAITS: Final = timedelta(days=1)
MOST_WAITING: Final = 20  # of one person
_LONGEST_NAME: Final = 120


def takes_files(kind: type[Event]) -> bool:
    """Whether records of a kind may have files."""
    return issubclass(kind, FloorEvent)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A file that was sent before the page came back."""

    id: UUID
    name: str
    size: int


@dataclass(slots=True)
class Sent:
    """What files a form brought: `files` are good, `errors` says what is wrong with others.

    `gone` is set where one that waited is no longer there.
    """

    files: list[tuple[UUID, str, File]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    gone: bool = False

    @property
    def contents(self) -> tuple[File, ...]:
        """The files themselves, for the record."""
        return tuple(file for _, _, file in self.files)

    def lost(self) -> bool:
        """Whether something that waited went away; then it says so."""
        if self.gone:
            self.errors.append(gettext("A file sent before is no longer there: choose it again."))
        return self.gone

    def wait(self, staff: str) -> list[Waiting]:
        """Keep them for the next answer of this form."""
        now = clock.now()
        WaitingFile.objects.filter(sent_at__lt=now - WAITS).delete()
        WaitingFile.objects.bulk_create(
            (
                WaitingFile(id=key, staff=staff, name=name, content=file.content, sent_at=now)
                for key, name, file in self.files
            ),
            ignore_conflicts=True,
        )
        newest = WaitingFile.objects.filter(staff=staff).order_by("-sent_at")
        beyond = list(newest.values_list("pk", flat=True)[MOST_WAITING:])
        if beyond:
            WaitingFile.objects.filter(pk__in=beyond).delete()
        return [Waiting(key, name, file.size) for key, name, file in self.files]

    def forget(self, staff: str) -> None:
        """They stand with their record now."""
        waited = [key for key, _, _ in self.files]
        WaitingFile.objects.filter(pk__in=waited, staff=staff).delete()


def sent_with(request: HttpRequest, staff: str, *, photographs: bool = False) -> Sent:
    """The files a form brings: those that waited, and those chosen now; or photographs alone."""
    sent = Sent()
    asked = _ids(request.POST.getlist(WAITING))
    waiting = WaitingFile.objects.filter(staff=staff).in_bulk(asked) if asked else {}
    sent.gone = len(waiting) < len(asked)
    dropped = set(_ids(request.POST.getlist(DROPPED)))
    for key in asked:
        if key in waiting and key not in dropped:
            sent.files.append((key, waiting[key].name, File(bytes(waiting[key].content))))
    for upload in request.FILES.getlist(FIELD):
        _take(sent, upload, photograph if photographs else File)
    if len(sent.files) > MOST_FILES:
        del sent.files[MOST_FILES:]
        text = gettext("A record has at most %(most)s files: the others were left out.")
        sent.errors.append(text % {"most": MOST_FILES})
    return sent


def _take(sent: Sent, upload: "UploadedFile[Any]", kept_as: Callable[[bytes], File]) -> None:
    name = "".join(each for each in str(upload.name) if each.isprintable())[:_LONGEST_NAME]
    try:
        if (upload.size or 0) > LARGEST_FILE:
            raise Malformed("$.attachments", TOO_LARGE.template)
        file = kept_as(upload.read())
    except Malformed as error:
        sent.errors.append(f"{name}: {said(error.reason, gettext)}")
        return
    if all(file.sha256 != other.sha256 for _, _, other in sent.files):
        sent.files.append((uuid4(), name, file))


def _ids(texts: Sequence[str]) -> list[UUID]:
    """What is none is nobody's file."""
    found = []
    for text in texts[:MOST_WAITING]:
        try:
            found.append(UUID(text))
        except ValueError:
            continue
    return found


def attachments_of(target: BookEntry | None) -> tuple[str, ...]:
    """The digests a correction takes over from what it corrects; none where they were erased."""
    if target is None or erased_of(target):
        return ()
    return tuple(digests_in(target))
