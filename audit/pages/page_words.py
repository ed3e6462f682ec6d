"""What the pages call things: states, gravities, places at a table, a finding in one line."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, ClassVar, Final

from django.utils.formats import date_format, number_format
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext, npgettext
from django.utils.translation import gettext_lazy as _

from audit.models import Finding
from audit.rounds_file.file_wording import Wording
from audit.runs import house_headings
from audit.runs.house_checks import BOOK, RULEBOOK, STATEMENTS, heading_of
from audit.verifier.words import WORDS as VERIFIER
from audit.verifying.problem_texts import SENTENCES, sentence
from audit.verifying.problems import Problem
from casino.cards import CODES
from casino.law.checks.table import house_controls
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook import Article, Law
from casino.law.rulebook.rulebook_file import is_no_law, load_law
from casino.law.wording.headings import Headings
from casino.law.wording.wording import HEADINGS, NAMES
from casino.web.display import money_and_time
from casino.web.display.status_marks import Tone
from casino.web.forms import warnings
from casino.web.words.field_words import rulebook_word
from casino.web.words.languages import either, language
from casino.web.words.place_words import place_word

_MET: Final = frozenset(SENTENCES) | frozenset(VERIFIER)  # codes a verification has words for
HOUSE: Final = RULEBOOK  # of the house's own findings: it has no text

GRAVITY: Final = {
    "breach": _("breach"),
    "deviation": _("deviation"),
    "warning": _("warning"),
    "note": _("note"),
}
# How a finding stands: its tone, its icon and its word.
STATE: Final[dict[str, tuple[Tone, str, Any]]] = {
    "open": ("idle", "open", _("unresolved")),
    "cured": ("kept", "cured", _("cured")),
    "corrected": ("kept", "cured", _("record corrected")),
    "withdrawn": ("idle", "cured", _("of no effect: record withdrawn")),
    "law_changed": ("idle", "cured", _("law changed")),
    "code_changed": ("idle", "cured", _("program changed")),
    "cited_anew": ("idle", "cured", _("cited anew")),
    "late_record": ("idle", "cured", _("cured by a late record")),
    "run_withdrawn": ("idle", "cured", _("of no effect: the run was withdrawn")),
}
RUN_REASONS: Final = {
    "closed": _("the game was closed"),
    "asked": _("asked for"),
    "nightly": _("nightly"),
    "late_record": _("a late record"),
    "range": _("a range of days"),
}
PLAYERS: Final = frozenset({"owner", "decided_by"})  # the values of a finding that name a player
OWED_TO: Final = {"player": _("to the player"), "house": _("to the house")}
REPORT_WORDS: Final = {
    "game": _("Report of the night"),
    "decks": _("Register of decks and shufflers"),
    "jackpot": _("Report of a progressive jackpot"),
    "complaints": _("Register of complaints"),
    "nonconformity": _("Report of non-conformity"),
    "incidents": _("Register of incidents"),
    "articles": _("Map of non-conformities by article"),
    "cuts": _("Register of cuts"),
    "changes": _("Register of corrections and exceptions"),
    "payout": _("Record of one jackpot payment"),
    "owed": _("Sums owed"),
    "rates": _("Rates"),
    "integrity": _("Certificate of integrity"),
    "manifest": _("Manifest of an evidence pack"),
    "reaudit": _("Re-audit under other law"),
}
# What an evidence pack is of; a copy is the book alone, without reports.
PACK_WORDS: Final = {
    "finding": _("Evidence of a finding"),
    "game": _("Evidence of a game"),
    "days": _("Evidence of a night or of a period"),
    "copy_days": _("Copy of the book: these gaming days"),
    "copy_table": _("Copy of the book: one table"),
    "copy_book": _("Copy of the book: all of it"),
}
JOBS: Final = {
    "book-verification": _("verification of the book"),
    "jackpot-replay": _("replay of a jackpot"),
    "reconciliation": _("reconciliation"),
    "held-record": _("held record"),
    "report": _("report"),
}
DUTIES: Final = {
    "definition": _("definition"),
    "rule": _("rule"),
    "procedure": _("procedure"),
    "discretion": _("discretion"),
    "dispensation": _("dispensation"),
}


def book_word(book: str) -> str:
    """What a finding is judged by: a rulebook's title, or the house."""
    return gettext("the house") if book == HOUSE else rulebook_word(book)


def job_word(job: str) -> str:
    """A job by what it does, with what else its name tells; one that is not ours as it is."""
    topic = next((one for one in JOBS if job.startswith(one)), "")
    return f"{JOBS[topic]}{job.removeprefix(topic)}" if topic else job


def gravity_word(gravity: str, book: str) -> str:
    """How grave a finding is; what the house alone or a book that is no legal act asks is no
    breach.
    """
    if gravity == "breach" and is_no_law(book):
        return gettext("grave deviation")
    return str(GRAVITY[gravity])


def tone_of(gravity: str) -> Tone:
    """The tone of a gravity."""
    for tone in ("breach", "deviation", "warning"):
        if gravity == tone:
            return tone
    return "note"


class PageWords(Wording):
    """A finding's words on a page: amounts with the euro, moments by the house's clock."""

    lines: ClassVar[Headings] = {**HEADINGS, **house_headings.HEADINGS}

    def value(self, name: str, value: object) -> str:
        """One value; cards told as one text are cards too."""
        if name == "job" and isinstance(value, str):
            return job_word(value)
        if name == "rulebook" and isinstance(value, str):
            return rulebook_word(value)
        if isinstance(value, str):
            codes = value.split()
            if len(codes) > 1 and all(code in CODES for code in codes):
                return self.cards(codes)
        return super().value(name, value)

    def money(self, cents: int) -> str:
        """An amount in euros, as the language writes it."""
        return money_and_time.money(cents)

    def moment(self, moment: str) -> str:
        """A moment by the house's clock, with its day: a deadline may end weeks later."""
        try:
            at = datetime.fromisoformat(moment)
        except ValueError:
            return moment
        return moment if at.tzinfo is None else money_and_time.moment(at)

    def local(self, moment: datetime) -> datetime:
        """By the house's clock."""
        return moment if moment.tzinfo is None else localtime(moment)

    def statement(self, check: str) -> str:
        """What a check asks: the law's, or the house's own of its auditing."""
        return self.say(STATEMENTS[check]) if check in STATEMENTS else super().statement(check)

    def name(self, name: str) -> str:
        """What an observed or expected value is called."""
        return self.say(NAMES[name]) if name in NAMES else name.replace("_", " ")

    def place(self, where: Mapping[str, object], game: str = "") -> list[tuple[str, str]]:
        """Where at the table: (what, which). A player is known by a pseudonym of his game alone."""
        named = of_game(where, game)
        return [(place_word(name), self.value(name, value)) for name, value in named.items()]

    def finding(self, finding: Finding) -> str:
        """A finding's heading: what happened, in one sentence."""
        if finding.article == BOOK and finding.observed.get("problem") in _MET:
            return sentence(_problem_of(finding))
        listed = (finding.where, finding.observed, finding.expected)
        where, observed, expected = (of_game(one, finding.partida_id) for one in listed)
        return self.heading(finding.check_name, where, observed, expected, finding.gaming_day)

    def values(self, finding: Finding) -> list[tuple[str, str, str]]:
        """Each value by name: what was observed, what is expected."""
        listed = (finding.observed, finding.expected)
        observed, expected = (of_game(one, finding.partida_id) for one in listed)
        return [
            (
                self.name(name),
                self._or_nothing(name, observed),
                self._or_nothing(name, expected),
            )
            for name in dict.fromkeys([*observed, *expected])
        ]

    def _or_nothing(self, name: str, values: Mapping[str, object]) -> str:
        return self.value(name, values[name]) if name in values else ""


def of_game(values: Mapping[str, object], game: str) -> dict[str, object]:
    """Values of a finding, each player with his game: a pseudonym is of one game alone."""
    return {
        name: gettext("%(player)s of %(game)s") % {"player": value, "game": game}
        if game and name in PLAYERS and value
        else value
        for name, value in values.items()
    }


def _problem_of(finding: Finding) -> Problem:
    """What a verification met, as its finding keeps it."""
    values = dict(finding.observed)
    where = finding.where
    return Problem(
        code=values.pop("problem"),
        index=where.get("index"),
        stream=where.get("stream"),
        n=where.get("n"),
        details=values,
    )


def problems_saying(fits: Callable[[str], bool]) -> list[str]:
    """The problems of a book whose sentence, in this answer's language, fits."""
    mine = {code: gettext(text) for code, text in SENTENCES.items()}
    theirs = {code: either(*text[1:]) for code, text in VERIFIER.items()}
    return sorted(code for code, text in (theirs | mine).items() if fits(text))


def words() -> PageWords:
    """The words of this answer."""
    return PageWords(gettext, language())


def counted(gravity: str, number: int) -> str:
    """A gravity beside its number: ``breaches``."""
    values = {
        "breach": npgettext("beside a number", "breach", "breaches", number),
        "deviation": npgettext("beside a number", "deviation", "deviations", number),
        "warning": npgettext("beside a number", "warning", "warnings", number),
        "note": npgettext("beside a number", "note", "notes", number),
    }
    return values[gravity]


def day(date: date) -> str:
    """A gaming day, short."""
    return date_format(date, "SHORT_DATE_FORMAT")


def findings(number: int) -> str:
    """``3 findings``."""
    text = ngettext("%(number)s finding", "%(number)s findings", number)
    return text % {"number": number_format(number, force_grouping=True)}


def law(book: str) -> Law | None:
    """A rulebook; None for the house's own findings and for a book this program lacks."""
    try:
        return None if book == HOUSE else load_law(book)
    except LawError:
        return None


def cited(book: str, article: str) -> str:
    """An article as its rulebook counts them: ``n.º 54``; a section by its heading."""
    if book == HOUSE and article not in house_controls.ARTICLES:
        return gettext(heading_of(article))
    return warnings.cited(book, article)


def instrument(book: Law | None) -> str:
    """The act a rulebook is the text of; '' for the house's own rules."""
    known = None if book is None else book.instrument
    return (
        "" if known is None else known.cited(language(), gettext("not confirmed by a lawyer yet"))
    )


def act(book: Law) -> tuple[str, str]:
    """What the act is about, and the acts before it."""
    known = book.instrument
    if known is None:
        return "", ""
    if language() == "en":
        return known.name_en if known.number else "", known.line_en
    return known.name_pt if known.number else "", known.line_pt


def heading(article: Article) -> str:
    """What an article is about."""
    return either(article.heading_pt, article.heading_en)


def summary(article: Article) -> str:
    """What an article asks, in our own words."""
    return either(article.summary_pt, article.summary_en)


def title(book: Law) -> str:
    """A rulebook's title."""
    return either(book.title_pt, book.title_en)
