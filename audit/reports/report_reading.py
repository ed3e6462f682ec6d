"""A report is read: at one moment, into canonical JSON, with the proofs of what it cites."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from typing import Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from audit.models import Finding, RunSheet
from audit.pages.page_words import REPORT_WORDS, law, title
from audit.reports import letters
from audit.reports import report_cells as cells
from audit.reports.readers.read_acts import read_changes, read_cuts
from audit.reports.readers.read_articles import read_articles
from audit.reports.readers.read_findings import read_nonconformity
from audit.reports.readers.read_integrity import read_integrity
from audit.reports.readers.read_manifest import read_manifest
from audit.reports.readers.read_night import read_night
from audit.reports.readers.read_payout import read_payout
from audit.reports.readers.read_reaudit import read_reaudit
from audit.reports.readers.read_registers import (
    read_complaints,
    read_decks,
    read_incidents,
    read_jackpot,
)
from audit.reports.readers.read_sums import read_owed, read_rates
from audit.reports.report_draft import FORMAT, Draft
from audit.reports.report_entries import Asked, readable_by
from casino import sealed
from casino.house_day import day_begins
from casino.recording import Actor
from casino.tlog.canonical import canonical
from casino.web.words import field_words

PROOFS: Final = "livro-da-sala-proofs/1"
BINDING: Final = "pt"  # the language whose text binds


class Report(NamedTuple):
    """A report there is: its name, what it asks beside days, its most days, how it is read."""

    label: Promise
    # "tables" (of one or all), "days", "jackpot", "payment" (of one), "run" (of one); "pack".
    asks: str
    most_days: int
    read: Callable[[Draft, Asked, Sequence[str]], None]
    on_one_page: bool = False  # the sections every report ends with are left out or short


REPORTS: Final[Mapping[str, Report]] = {
    "game": Report(REPORT_WORDS["game"], "tables", 7, read_night),
    "decks": Report(REPORT_WORDS["decks"], "tables", 366, read_decks),
    "jackpot": Report(REPORT_WORDS["jackpot"], "jackpot", 366, read_jackpot),
    "complaints": Report(REPORT_WORDS["complaints"], "tables", 366, read_complaints),
    "nonconformity": Report(
        REPORT_WORDS["nonconformity"], "tables", 31, lambda d, a, _k: read_nonconformity(d, a)
    ),
    "incidents": Report(REPORT_WORDS["incidents"], "tables", 366, read_incidents),
    "articles": Report(REPORT_WORDS["articles"], "tables", 366, read_articles),
    "cuts": Report(REPORT_WORDS["cuts"], "tables", 366, read_cuts),
    "changes": Report(REPORT_WORDS["changes"], "tables", 366, read_changes),
    "payout": Report(REPORT_WORDS["payout"], "payment", 366, read_payout, on_one_page=True),
    "owed": Report(REPORT_WORDS["owed"], "tables", 366, read_owed),
    "rates": Report(REPORT_WORDS["rates"], "tables", 366, read_rates),
    "integrity": Report(REPORT_WORDS["integrity"], "days", 31, read_integrity),
    "reaudit": Report(REPORT_WORDS["reaudit"], "run", 366, lambda d, a, _k: read_reaudit(d, a)),
    # Asked for as an evidence pack, never alone.
    "manifest": Report(REPORT_WORDS["manifest"], "pack", 366, lambda d, a, _k: read_manifest(d, a)),
}


def label_of(report: str) -> Promise:
    """What a report or a letter is called."""
    return (REPORTS.get(report) or letters.LETTERS[report]).label


@dataclass(frozen=True, slots=True)
class Head:
    """What a report is headed with besides what it shows: who asked, when, under which number.

    `level` is the seal it gets: "" for none, "B-B", "B-T", "B-LTA"; `certificate` names its seal.
    """

    request: UUID
    number: str
    issued_at: datetime
    by: Actor
    language: str
    level: str = ""
    certificate: str = ""
    certificate_sha256: str = ""
    demo: bool = False


@dataclass(frozen=True, slots=True)
class ReportRead:
    """A report that was read: its JSON and its proofs as they are embedded, and where they lead."""

    document: bytes
    proofs: bytes
    checkpoint: sealed.Sealed
    entries: int

    @property
    def json_sha256(self) -> str:
        """What the report is known by."""
        return sha256(self.document).hexdigest()


def draft_of(asked: Asked, office: str) -> Draft:
    """What a report of these days, or a letter, shows. Raises: TooMuch."""
    if asked.report in letters.LETTERS:
        return letters.letter_draft(asked)
    draft = Draft()
    report = REPORTS[asked.report]
    draft.title = cells.clean(report.label)
    report.read(draft, asked, readable_by(office))
    for name in draft.rulebooks:
        draft.cite(_sets_of(name))
    if draft.rulebooks and not report.on_one_page:
        draft.section(_("Rulebooks and readings"), pairs=_rules(draft, asked))
    texts = _how_to_verify()
    draft.section(_("How to verify this report"), texts=texts[-1:] if report.on_one_page else texts)
    return draft


def _sets_of(name: str) -> set[tuple[str, int]]:
    """The entries by which figures of a rulebook were set: asked for, decided, set."""
    book = law(name)
    sets = () if book is None else book.sets
    return {(one.stream, n) for one in sets for n in (one.event.asked.n, one.n - 1, one.n)}


def _rules(draft: Draft, asked: Asked) -> list[tuple[str, cells.Cell]]:
    """What each rulebook and the readings it adopts come to, as SHA-256; the figures set in it."""
    pairs = []
    for name in sorted(draft.rulebooks):
        found, book = _rulebook(name, asked.last), law(name)
        of_file = book.of_file if book is not None and book.sets else found["sha256"]
        pairs.append((_("Rulebook's file, %(name)s") % {"name": name}, cells.text(of_file)))
        if of_file != found["sha256"]:
            in_use = _("Rulebook in use, %(name)s") % {"name": name}
            pairs.append((in_use, cells.text(found["sha256"])))
        readings = cells.text(found["readings_sha256"])
        pairs.append((_("Readings adopted, %(name)s") % {"name": name}, readings))
        set_by_two = _("Figures set in the book, %(name)s") % {"name": name}
        pairs += [(set_by_two, cells.entry(s.stream, s.n)) for s in (book.sets if book else ())]
    return pairs


def _how_to_verify() -> list[str]:
    return [
        _(
            "report.json, embedded in this file, is the report; the pages are its picture. Its"
            " SHA-256 is at the foot of every page, in the QR code, and in the book's entry that"
            " says this report was issued."
        ),
        _(
            "proofs.json, embedded too, holds for every entry the report cites the entry itself and"
            " its path to the checkpoint at the foot of the page. Whoever kept that checkpoint, or"
            " a later one, verifies them without the house (livro-verifier)."
        ),
        _(
            "Where there is a seal, any reader of signed PDF files says whether a byte was changed."
            " Whose certificate it is has to be known from elsewhere."
        ),
        _(
            "At the address /verify/ of the house's server anybody verifies this file, or what its"
            " QR code says, against the book, without a login; nothing of it is kept there."
        ),
    ]


def finished(
    draft: Draft, asked: Asked, head: Head, proved: tuple[sealed.Sealed, list[sealed.RecordProof]]
) -> ReportRead:
    """The report's bytes, with the proofs of all it cites (`sealed.record_proofs`)."""
    checkpoint, proofs = proved
    about = [{"name": name, "value": value} for name, value in _about(draft, asked, head)]
    document: dict[str, object] = {
        "about": about,
        "checkpoint": {
            "origin": checkpoint.origin,
            "root": checkpoint.root.hex(),
            "size": cells.whole(checkpoint.size),
        },
        "entries": [{"leaf": one.leaf, "n": one.n, "stream": one.stream} for one in proofs],
        "format": FORMAT,
        "house": {"casino": _casino(), "holder": _holder()},
        "issued": {"at": localtime(head.issued_at).isoformat(), "by": head.by.staff},
        "language": head.language,
        "number": head.number,
        "report": asked.report,
        "request": str(head.request),
        "rulebooks": (rulebooks := [_rulebook(n, asked.last) for n in sorted(draft.rulebooks)]),
        "rules_sha256": sha256(canonical(rulebooks)).hexdigest(),
        "seal": {
            "certificate": head.certificate,
            "certificate_sha256": head.certificate_sha256,
            "level": head.level,
        },
        "sections": draft.sections,
        "title": draft.title,
        "words": _words(),
    }
    if asked.files:
        document["files"] = [one._asdict() for one in asked.files]
    if draft.reaudit:
        document["reaudit"] = draft.reaudit
    if draft.letter:
        document["letter"] = letters.in_full(draft.letter, head.number, head.issued_at, head.by)
    listed = [
        {"entry": {"leaf": one.leaf, "n": one.n, "stream": one.stream}, "proof": one.text}
        for one in proofs
    ]
    return ReportRead(
        canonical(document),
        canonical({"format": PROOFS, "proofs": listed}),
        checkpoint,
        len(proofs),
    )


def _casino() -> str:
    return cells.clean(settings.CASINO_NAME or _("Casino not named (CASINO_NAME)"))


def _holder() -> str:
    return cells.clean(settings.CONCESSION_HOLDER or _("not named (CONCESSION_HOLDER)"))


def _tables(asked: Asked) -> list[str]:
    """The tables of the findings, or of the comparison, a report is of; none: of whole days."""
    if asked.report == "reaudit":
        return list(RunSheet.objects.get(run=asked.findings[0]).tables)
    named = Finding.objects.filter(pk__in=[UUID(one) for one in asked.findings])
    return sorted({one for one in named.values_list("table_code", flat=True) if one})


def _about(draft: Draft, asked: Asked, head: Head) -> list[tuple[str, cells.Cell]]:
    office = field_words.word(head.by.office)
    days = [cells.day(asked.first)["text"], cells.day(asked.last)["text"]]
    books = [_version(name) for name in sorted(draft.rulebooks)]
    of_report = [
        (_("Document n.º"), cells.text(head.number)),
        (_("Casino"), cells.text(_casino())),
        (_("Concession holder"), cells.text(_holder())),
        (_("Gaming days"), cells.text(" – ".join(dict.fromkeys(map(str, days))))),
        (_("Table"), cells.text(asked.table or ", ".join(_tables(asked)) or _("all"))),
        (_("Rules"), cells.text("; ".join(books))),
    ]
    pairs = [
        *([] if draft.letter else of_report),  # a letter has its own head
        (_("Issued by"), cells.text(f"{head.by.staff}, {office}")),
        (_("Issued at"), cells.moment(head.issued_at)),
        (_("Times"), cells.text(_times(asked))),
        (_("Seal"), cells.text(_seal_words(head))),
        (_("Form"), cells.text(_("produced in the form PDF/A-3a and PDF/UA-1"))),
    ]
    if head.language != BINDING:
        binding = cells.text(_("a translation: the Portuguese text binds"))
        pairs.append((_("Document language"), binding))
    if asked.jackpot:
        pairs.insert(5, (_("Jackpot"), cells.text(asked.jackpot)))
    return pairs


def _times(asked: Asked) -> str:
    return _("by the house's clock, UTC%(offset)s where nothing else is said") % {
        "offset": cells.offset_at(day_begins(asked.first))
    }


def _version(name: str) -> str:
    book = law(name)
    return name if book is None else f"{title(book)} ({name})"


def _seal_words(head: Head) -> str:
    if not head.level:
        return _("WITHOUT SEAL: this house has no certificate to seal with")
    said = {
        "B-B": _("PAdES B-B, without a time-stamping authority; %(name)s"),
        "B-T": _("PAdES B-T, with a time stamp; %(name)s"),
        "B-LTA": _("PAdES B-LTA, with a time stamp for the archive; %(name)s"),
    }[head.level] % {"name": head.certificate}
    return f"{said}. {_('TEST CERTIFICATE: this seal proves nothing')}" if head.demo else said


def _rulebook(name: str, day: date) -> dict[str, object]:
    """A rulebook in use, with the readings it adopts on the last day a report is of."""
    book = law(name)
    assert book is not None
    readings = {one: str(book.adopted(reading, day)) for one, reading in book.readings.items()}
    listed = [{"choice": readings[one], "reading": one} for one in sorted(readings)]
    return {
        "readings": listed,
        "readings_sha256": sha256(canonical(listed)).hexdigest(),
        "rulebook": name,
        "sha256": book.digest,
    }


def _words() -> dict[str, object]:
    return {
        "checkpoint": _("Checkpoint"),
        "code_alt": _("QR code: number of the report, digest of its JSON, checkpoint"),
        "continued": _("(continued)"),
        "entries": _("entries"),
        "json": _("JSON, SHA-256"),
        "json_what": _("The report itself: every figure of its pages, as canonical JSON"),
        "of": _("of"),
        "page": _("page"),
        "proofs_what": _("The proofs of every entry the report cites, up to the checkpoint"),
        "root": _("root"),
        "rules": _("Rulebooks and readings, SHA-256"),
        "unsealed": _("WITHOUT SEAL"),
        "unsealed_why": _(
            "This file bears no electronic seal. Whoever can edit a file can edit it."
        ),
        "volume": _("volume"),
    }
