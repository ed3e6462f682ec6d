"""A file of records that somebody brings: kept outside the book until a second person confirms it.

The steps of one: brought, judged line by line, confirmed by another, written in parts until it is
whole. Nothing of it is written while one line cannot be.
"""

import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final, Literal
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction

from casino import clock
from casino.events.event_policy import DIRECTION, HEADS, MANAGER
from casino.events.keeping import ImportConfirmed
from casino.events.phrases import Phrase
from casino.models import ImportConfirmation, JobTry, StagedImport, StagedPiece
from casino.models.held import (
    DISCARDED,
    DONE,
    FAULTY,
    FIRST_DAY,
    JUDGING,
    WAITING,
    WRITING,
)
from casino.recording import Actor, Receipt, Source, Submission, record_many
from casino.recording.office_rules import BACK
from casino.recording.writing import add_job

MOST_BYTES: Final = 64 * 2**20  # of a file; a larger one is read by the command, line by line
MOST_MAPPING: Final = 64 * 2**10
PIECE: Final = 2**20  # bytes of a file kept together
WAITS: Final = timedelta(days=7)  # for a second person, or for its faults to be looked at
JUDGE, WRITE = "import-judging", "import-writing"  # the topics of its jobs
WRITERS: Final = 2  # jobs that write one file's rounds at once
NO_FILE: Final = Phrase("Choose the file.")
NO_MAPPING: Final = Phrase("The mapping is no text that can be read: choose a mapping file (TOML).")
LARGE_MAPPING: Final = Phrase("The mapping is larger than any: choose a mapping file (TOML).")
Content = Literal["rounds", "first_day"]
# Who brings a file answers for it: its records stand in his name. Who confirms it is another. Of a
# first day what he may not write himself is recorded in the name of who confirms it.
BRINGS: Final = {"rounds": frozenset({MANAGER}), "first_day": DIRECTION}
CONFIRMS: Final = {"rounds": HEADS, "first_day": DIRECTION}


class NotBrought(Exception):
    """A file that is not taken, with the reason; `brought` is the same file, as it was brought."""

    def __init__(
        self, reason: Phrase, brought: UUID | None = None, entry: UUID | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.brought = brought
        self.entry = entry


class NotNow(Exception):
    """A step that cannot be taken as the file stands, with the reason."""

    def __init__(self, reason: Phrase) -> None:
        super().__init__(reason)
        self.reason = reason


def bring(
    content: Content,
    pieces: Iterable[bytes],
    name: str,
    by: Actor,
    mapping: tuple[str, str] = ("", ""),
) -> StagedImport:
    """Keep a file and have it judged. `mapping` is its name and its text. Raises: NotBrought."""
    staged = StagedImport(
        id=uuid4(),
        content=content,
        by_staff=by.staff,
        by_office=by.office,
        brought_at=clock.now(),
        file_name=name[:200],
        mapping_name=mapping[0][:200],
        mapping=mapping[1],
    )
    digest, size = hashlib.sha256(), 0
    try:
        with transaction.atomic():
            staged.file_bytes = 0
            staged.file_sha256 = staged.id.hex  # until all of it is there
            staged.save(force_insert=True)
            for number, piece in enumerate(_cut(pieces)):
                digest.update(piece)
                size += len(piece)
                if size > MOST_BYTES:
                    most = MOST_BYTES // 2**20
                    raise NotBrought(_too_large(most))
                StagedPiece(of=staged, what="file", number=number, content=piece).save()
            if not size:
                raise NotBrought(Phrase("The file is empty."))
            staged.file_bytes, staged.file_sha256 = size, digest.hexdigest()
            _refuse_confirmed(content, staged.file_sha256)
            staged.save(update_fields=["file_bytes", "file_sha256"])
            begin_again(staged)
    except IntegrityError as error:
        before = StagedImport.objects.exclude(state=DISCARDED)
        first = before.filter(content=content, file_sha256=digest.hexdigest()).first()
        if first is None:
            raise
        raise NotBrought(_brought(first.by_staff), brought=first.pk) from error
    return staged


def _cut(pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        for begins in range(0, len(piece), PIECE):
            yield piece[begins : begins + PIECE]


def _too_large(most: int) -> Phrase:
    return Phrase(
        "The file is larger than {most} MB: divide it, or have it read by the command"
        " import_rounds.",
        most=most,
    )


def _brought(by: str) -> Phrase:
    return Phrase(
        "The same file was brought already, by {by}: nothing was kept of this one.", by=by
    )


def _refuse_confirmed(content: str, digest: str) -> None:
    """The book knows files whose staging is gone. Raises: NotBrought."""
    row = ImportConfirmation.objects.filter(content=content, file_sha256=digest).first()
    if row is not None:
        raise NotBrought(_brought(row.brought_by), entry=row.pk)


def begin_again(staged: StagedImport) -> None:
    """Decide on the next job of a file: the first, or one after a job was given up."""
    topic = JUDGE if staged.state == JUDGING else WRITE
    several = topic == WRITE and staged.content != FIRST_DAY  # its sheets stand on each other
    for seat in [{"seat": one} for one in range(WRITERS)] if several else [{}]:
        add_job(topic, f"{topic}/{staged.pk}/{uuid4()}", {"of": str(staged.pk), **seat})


def is_given_up(staged: StagedImport) -> bool:
    """Whether its last job was begun too often without getting on."""
    if staged.state not in (JUDGING, WRITING):
        return False
    of_it = f"/{staged.pk}/"
    return JobTry.objects.filter(key__contains=of_it, failed_at__isnull=False).exists()


def go_on(staged: StagedImport) -> None:
    """Begin again what was given up."""
    with transaction.atomic():
        JobTry.objects.filter(key__contains=f"/{staged.pk}/", failed_at__isnull=False).delete()
        begin_again(staged)


def confirm(key: UUID, by: Actor) -> Receipt:
    """A second person has a file's records written. Raises: NotNow; Refused, as the writer does."""
    with transaction.atomic():
        staged = StagedImport.objects.select_for_update().get(pk=key)
        if staged.state != WAITING:
            raise NotNow(Phrase("The file does not wait for a second person, or no longer."))
        if staged.by_staff.casefold() == by.staff.casefold():
            raise NotNow(Phrase("Whoever brought the file does not confirm it: another does."))
        _check_first_day(staged, by)
        mapping = staged.mapping.encode()
        event = ImportConfirmed(
            content=staged.content,  # type: ignore[arg-type]  # checked when it is made
            file_sha256=staged.file_sha256,
            records=staged.records,
            brought_by=staged.by_staff,
            mapping_sha256=hashlib.sha256(mapping).hexdigest() if mapping else None,
        )
        now = clock.now()
        [receipt] = record_many([Submission(event, staged.pk, by, now, Source("file", None))])
        staged.state, staged.confirmed_by, staged.confirmed_at = WRITING, by.staff, now
        staged.entry = receipt.entry_id
        staged.judged |= {"confirmed_office": by.office}
        staged.save(update_fields=["state", "confirmed_by", "confirmed_at", "entry", "judged"])
        staged.pieces.filter(what="file").delete()
        begin_again(staged)
        return receipt


def _check_first_day(staged: StagedImport, by: Actor) -> None:
    """What of a first day is recorded in his own name he may write, and no office is his own.

    Raises: NotNow.
    """
    judged = staged.judged
    needs, not_before = judged.get("needs", ()), judged.get("not_before", "")
    if needs and by.office not in needs:
        raise NotNow(
            Phrase(
                "Part of the file is recorded in the name of whoever confirms it: {offices}."
                " Somebody of that office confirms it.",
                offices=", ".join(needs),
            )
        )
    if by.staff.casefold() in [one.casefold() for one in judged.get("granted", ())]:
        raise NotNow(
            Phrase("The file gives you an office: nobody confirms his own. Another confirms it.")
        )
    if not_before and datetime.fromisoformat(not_before) < clock.now() - BACK:
        raise NotNow(
            Phrase(
                "An office from fiscal-chefe upwards would have begun before it is recorded: the"
                " day has passed. Throw the file away and bring it with a later day, or with none."
            )
        )


def discard(key: UUID) -> None:
    """Throw a file away that was not confirmed. Raises: NotNow."""
    with transaction.atomic():
        staged = StagedImport.objects.select_for_update().get(pk=key)
        if staged.state not in (JUDGING, FAULTY, WAITING):
            raise NotNow(Phrase("What was confirmed is not thrown away."))
        staged.pieces.all().delete()
        staged.state, staged.ended_at = DISCARDED, clock.now()
        staged.save(update_fields=["state", "ended_at"])


def forget_old() -> None:
    """Throw away what nobody confirmed in time, and the faults of what was written long ago."""
    before = clock.now() - WAITS
    for one in StagedImport.objects.filter(
        state__in=(JUDGING, FAULTY, WAITING), brought_at__lt=before
    ):
        discard(one.pk)
    StagedPiece.objects.filter(of__state=DONE, of__ended_at__lt=before).delete()
