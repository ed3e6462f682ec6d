"""Every sentence a finding can show, in both languages, on one page: docs/findings.md.

It is made from the checks, their headings and their words, with invented figures in the gaps, so
that whoever answers for the law's words can read all of them at once.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from audit.pages.law.sentence_samples import DAY, sample_of
from audit.runs import house_checks, house_headings
from audit.verifier.words import WORDS as VERIFIER
from audit.verifying.problem_texts import SENTENCES
from audit.watch import alert_words
from casino.law.check_registry import ALL_CHECKS
from casino.law.checks.table import house_controls
from casino.law.rulebook.rulebook import Law
from casino.law.wording import headings, wording
from casino.law.wording.headings import Line

Translate = Callable[[str], str]


class AllWords(wording.FindingWords):
    """The words of a finding, the auditor's own with them."""

    lines: ClassVar[headings.Headings] = {**wording.HEADINGS, **house_headings.HEADINGS}

    def statement(self, check: str) -> str:
        """What a check asks: the law's, or the house's own."""
        own = house_checks.STATEMENTS
        return self.say(own[check]) if check in own else super().statement(check)


def sentences_page(laws: Sequence[Law], portuguese: Translate) -> str:
    """The page whole; `portuguese` looks a text up in the catalogue."""
    pt, en = AllWords(portuguese, "pt"), AllWords(str, "en")
    blocks = [
        "# What a finding can say",
        "Made by `manage.py finding_sentences --write` from the checks and their words; not to be"
        " edited by hand. The figures are invented. A heading says what happened, the rule below"
        " it what is asked; a heading stands beside each form its figures take.",
    ]
    for title, checks in _groups(laws):
        blocks += [f"## {title}", _checks(checks, laws, pt, en)]
    blocks += [
        "## A payment that another rule fixes",
        _table(
            (
                (f"payment {n}", *_both(line, "payment", pt, en))
                for n, line in enumerate(wording.MONEY_LINES, 1)
            ),
        ),
        "## Why nothing is decided",
        _table((f"`{code}`", pt.say(text), text) for code, text in wording.WHY.items()),
        "## At a table, while something is missing",
        _table(_alerts(pt)),
        "## What a verification of the book finds",
        _table(_of_the_book(pt)),
    ]
    return "\n\n".join(blocks) + "\n"


def _groups(laws: Sequence[Law]) -> Iterable[tuple[str, list[str]]]:
    """The checks under what they are cited by: the first book that has them, else the house."""
    there = {*ALL_CHECKS}
    for law in laws:
        mine = [check for check in law.checks if check in there]
        there -= {*mine}
        if mine:
            yield f"`{law.id}`: {law.title_en}", mine
    own = (*sorted(there), *house_controls.BY_NAME, *house_checks.STATEMENTS)
    yield "The house's own", [check for check in dict.fromkeys(own) if check not in _cited(laws)]
    yield "No longer asked", list(wording.FORMER)


def _cited(laws: Sequence[Law]) -> set[str]:
    return {check for law in laws for check in law.checks}


def _checks(checks: Iterable[str], laws: Sequence[Law], pt: AllWords, en: AllWords) -> str:
    rows: list[tuple[str, str, str]] = []
    for check in checks:
        cited = next(
            (f"{law.cites} {law.checks[check]}" for law in laws if check in law.checks), ""
        )
        name = f"`{check}`" + (f" ({cited})" if cited else "")
        rows.append((f"{name}: rule", pt.statement(check), en.statement(check)))
        rows += [("heading", *_both(line, check, pt, en)) for line in AllWords.lines.get(check, ())]
    return _table(rows)


def _both(line: Line, check: str, pt: AllWords, en: AllWords) -> tuple[str, str]:
    """A line with invented figures, in both languages."""
    where, observed, expected = sample_of(line, check)
    return tuple(  # type: ignore[return-value]  # of two
        headings.HeadingWriter(words, where, observed, expected, DAY).line(line)
        for words in (pt, en)
    )


def _alerts(pt: AllWords) -> Iterable[tuple[str, str, str]]:
    for of, texts in (("found", alert_words.MISSING), ("due", alert_words.DUE)):
        yield from ((f"`{check}` ({of})", pt.say(text), text) for check, text in texts.items())
    yield from ((f"`{what}`", pt.say(text), text) for what, text in alert_words.OF_POOLS.items())


def _of_the_book(pt: AllWords) -> Iterable[tuple[str, str, str]]:
    for code, text in SENTENCES.items():
        yield f"`{code}`", pt.say(text), text
    for code, (_severity, portuguese, english) in VERIFIER.items():
        if code not in SENTENCES:
            yield f"`{code}`", portuguese, english


def _table(rows: Iterable[Sequence[str]]) -> str:
    head = [("of", "português", "English"), ("---", "---", "---")]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |"
        for row in (*head, *rows)
    )
