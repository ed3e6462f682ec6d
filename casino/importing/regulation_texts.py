"""Official texts of rulebooks: received as files, kept with their record, read again when shown."""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Final, Literal, NamedTuple
from uuid import UUID, uuid5

from django.db.models import F, Q, QuerySet

from casino import clock
from casino.events import Malformed
from casino.events.inspection import RegulationTextReceived
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.law.text.legal_text import Article, Text
from casino.law.text.read_text import read_text
from casino.law.text.text_citing import article_of
from casino.models import Attachment, RegulationText
from casino.recording import Actor, File, Receipt, Source, Submission, record_many

KIND: Final = RegulationTextReceived.kind
# The same text for the same rulebook and day, after the same other, is the same record, whoever
# brings it how often.
_KEYS: Final = UUID("5d3f2a54-4f0e-5c0b-9a55-6a1d3c1f7f20")


class Prepared(NamedTuple):
    """A text that can be read, and what would be recorded of it."""

    event: RegulationTextReceived
    text: Text
    file: File


def prepared(content: bytes, *, rulebook: str, title: str, in_force: date | None) -> Prepared:
    """Read an official text; nothing is stored.

    Raises: Malformed, for a file that is none and a rulebook that is not here.
    """
    if rulebook not in rulebook_ids():
        raise Malformed(
            "$.rulebook",
            "found the rulebook {found}; the house keeps {there}. Bring the text for one of these.",
            found=rulebook,
            there=", ".join(rulebook_ids()),
        )
    text = read_text(content)
    file = File(content)
    law = load_law(rulebook)
    event = RegulationTextReceived(
        rulebook=rulebook,
        title=title.strip() or _title(law, text, in_force),
        file_sha256=file.sha256,
        in_force=in_force,
    )
    return Prepared(event, text, file)


def _title(law: Law, text: Text, in_force: date | None) -> str:
    """The rulebook's title with the day of the text, or the first digits of its digest."""
    if text.language == "en":
        return f"{law.title_en}, text {f'of {in_force}' if in_force else text.sha256[:12]}"
    return f"{law.title_pt}, texto {f'de {in_force:%d/%m/%Y}' if in_force else text.sha256[:12]}"


def receive(
    content: bytes, *, rulebook: str, title: str, in_force: date | None, by: Actor
) -> tuple[Receipt, Text]:
    """Keep an official text, once it can be read.

    Raises: Malformed, for a file that is none and a rulebook that is not here; Refused, by the
    book. Nothing is stored then.
    """
    event, text, file = prepared(content, rulebook=rulebook, title=title, in_force=in_force)
    others = of_day(rulebook, in_force).exclude(file_sha256=file.sha256)
    after = others.values_list("pk", flat=True).first()
    key = uuid5(_KEYS, f"{rulebook} {file.sha256} {in_force or ''}{f' {after}' if after else ''}")
    source = Source("file", file.sha256)
    submission = Submission(event, key, by, clock.now(), source, files=(file,))
    return record_many([submission])[0], text


def already(content_sha256: str, rulebook: str, in_force: date | None) -> RegulationText | None:
    """The same text, received before, where it is the last of its day: what another came after is
    received anew.
    """
    last = of_day(rulebook, in_force).first()
    return last if last is not None and last.file_sha256 == content_sha256 else None


def of_day(rulebook: str, in_force: date | None) -> QuerySet[RegulationText]:
    """The texts of a rulebook that were to hold from one day, the one that counts first."""
    return texts_of(rulebook).filter(in_force=in_force)


def texts_of(rulebook: str) -> QuerySet[RegulationText]:
    """Every text of a rulebook, the one in force last first."""
    rows = RegulationText.objects.filter(rulebook=rulebook)
    return rows.order_by(F("in_force").desc(nulls_last=True), "-n")


class Standing(NamedTuple):
    """Whether a text holds on a day: in force, from a later day, or replaced on a day."""

    state: Literal["in_force", "later", "replaced"]
    day: date | None = None


def standings(received: Sequence[RegulationText], today: date) -> dict[UUID, Standing]:
    """How each of a rulebook's texts stands, of all of them in the order of `texts_of`.

    One that another of its day came after was replaced when that was recorded.
    """
    found = {}
    above: RegulationText | None = None
    began: date | None = None  # the first day of the text that came after, of another day
    for row in received:
        if above is not None and above.in_force == row.in_force:
            found[row.pk] = Standing("replaced", above.gaming_day)
        elif row.in_force is not None and row.in_force > today:
            found[row.pk] = Standing("later", row.in_force)
        else:
            found[row.pk] = Standing("replaced", began) if began else Standing("in_force")
            began = row.in_force
        above = row
    return found


def before(received: Sequence[RegulationText], later: RegulationText) -> RegulationText | None:
    """The text that was in force before another came to be, of all of a rulebook's texts in the
    order of `texts_of`: the last that was to hold from an earlier day.
    """
    begun = later.in_force
    earlier = [one for one in received if begun and (not one.in_force or one.in_force < begun)]
    return earlier[0] if earlier else None


def in_force_on(rulebook: str, day: date) -> RegulationText | None:
    """The text of a rulebook that holds on a day; None where none was received."""
    return texts_of(rulebook).filter(Q(in_force=None) | Q(in_force__lte=day)).first()


def held_on(received: Sequence[RegulationText], day: date) -> RegulationText | None:
    """The same, of all of a rulebook's texts in the order of `texts_of`."""
    return next((one for one in received if one.in_force is None or one.in_force <= day), None)


def text_of(received: RegulationText) -> Text | None:
    """The text itself, read from the kept file; None where the file was erased."""
    kept = Attachment.objects.filter(pk=received.file_sha256, content__isnull=False).first()
    return None if kept is None else _read(bytes(kept.content or b""))


def article_on(
    rulebook: str, number: str, day: date
) -> tuple[RegulationText, Article, Text] | None:
    """An article's own words by the text in force on a day, and that text; None without one."""
    row = in_force_on(rulebook, day)
    text = None if row is None else text_of(row)
    article = None if text is None else article_of(text, number)
    return None if row is None or text is None or article is None else (row, article, text)


@lru_cache(maxsize=8)
def _read(content: bytes) -> Text:
    return read_text(content)
