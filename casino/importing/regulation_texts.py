"""Official texts of rulebooks: received as files, kept with their record, read again when shown."""

from datetime import date
from functools import lru_cache
from typing import Final
from uuid import UUID, uuid5

from django.db.models import F, Q, QuerySet

from casino import clock
from casino.events import Malformed
from casino.events.inspection import RegulationTextReceived
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.law.text.legal_text import Article, Text
from casino.law.text.read_text import read_text
from casino.models import Attachment, RegulationText
from casino.recording import Actor, File, Receipt, Source, Submission, record_many

KIND: Final = RegulationTextReceived.kind
# The same text for the same rulebook and day, after the same other, is the same record, whoever
# brings it how often.
_KEYS: Final = UUID("5d3f2a54-4f0e-5c0b-9a55-6a1d3c1f7f20")


def receive(
    content: bytes, *, rulebook: str, title: str, in_force: date | None, by: Actor
) -> tuple[Receipt, Text]:
    """Keep an official text, once it can be read.

    Raises: Malformed, for a file that is none and a rulebook that is not here; Refused, by the
    book. Nothing is stored then.
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
        title=title.strip() or (law.title_en if text.language == "en" else law.title_pt),
        file_sha256=file.sha256,
        in_force=in_force,
    )
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


def in_force_on(rulebook: str, day: date) -> RegulationText | None:
    """The text of a rulebook that holds on a day; None where none was received."""
    return texts_of(rulebook).filter(Q(in_force=None) | Q(in_force__lte=day)).first()


def text_of(received: RegulationText) -> Text | None:
    """The text itself, read from the kept file; None where the file was erased."""
    kept = Attachment.objects.filter(pk=received.file_sha256, content__isnull=False).first()
    return None if kept is None else _read(bytes(kept.content or b""))


def article_on(rulebook: str, number: str, day: date) -> tuple[RegulationText, Article] | None:
    """An article's own words by the text in force on a day, and that text; None without one."""
    row = in_force_on(rulebook, day)
    text = None if row is None else text_of(row)
    found = [one for one in text.articles if one.number == number] if text else []
    return (row, found[0]) if row is not None and len(found) == 1 else None


@lru_cache(maxsize=8)
def _read(content: bytes) -> Text:
    return read_text(content)
