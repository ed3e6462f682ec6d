"""The worked examples: rounds whose result was worked out by hand, and what each must give.

They lie beside the rulebooks, in ``examples``: NAME.jsonl holds round records as a file import
takes them, NAME.toml what each must give (docs/worked-examples.md). They are the oracle of the
law's tests, and anybody may have one judged under another rulebook. This module judges nothing.
"""

import json
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypedDict

from casino.events.phrases import Phrase
from casino.law.finding import Judgement
from casino.law.rulebook.law_text import LawError, Value
from casino.law.rulebook.rulebook_file import DATA, folder_of, law_of_file, rulebook_ids

# Box, hand (0 where the wager lies on none), owner, kind.
WagerKey = tuple[int, int, str, str]
ANY: Final = "*"  # one half of a finding the casebook leaves open
NO_FIGURE: Final = "-"  # an amount due that cannot be named


class _Case(TypedDict, total=False):
    """A round of a casebook, or one of its variants, as it is written."""

    round: str
    article: str
    title_pt: str
    title_en: str
    rulebook: str
    readings: dict[str, Value]
    wagers: list[tuple[int, int, str, str, str, int | str]]
    findings: list[str]
    cites_one_of: list[str]
    otherwise: list["_Case"]


@dataclass(frozen=True, slots=True)
class Result:
    """What a round must give under one rulebook with some readings switched.

    `wagers`: outcome and amount due in cents, None where no figure can be named. `findings`:
    article and check of each, all of them; None where only `cites_one_of` is known. `wagers` None:
    as nobody worked them out.
    """

    rulebook: str
    readings: Mapping[str, Value]
    wagers: Mapping[WagerKey, tuple[str, int | None]] | None
    findings: tuple[tuple[str, str], ...] | None
    cites_one_of: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """One round: its id, the file it stands in, its record's bytes, and what it must give.

    The first of `results` is under its own rulebook as that adopts its readings. `article` is what
    the casebook files it under: an article's number, or a word of its own.
    """

    round: str
    file: str
    article: str
    title_pt: str
    title_en: str
    record: bytes
    results: tuple[Result, ...]

    @property
    def rulebook(self) -> str:
        """The rulebook it comes from."""
        return self.results[0].rulebook

    def under(self, rulebook: str) -> Result | None:
        """What it must give under a rulebook as that adopts its readings; None: not worked out."""
        mine = (one for one in self.results if one.rulebook == rulebook and not one.readings)
        return next(mine, None)


def examples() -> tuple[Example, ...]:
    """Every example of the house, file by file: the program's, then those of its own rulebooks.

    Raises: LawError, for a file that is not as docs/worked-examples.md says.
    """
    folders = dict.fromkeys([DATA, *(folder_of(book) for book in rulebook_ids())])
    return tuple(one for folder in folders for one in of_folder(folder))


def example(round_id: str) -> Example | None:
    """The example that is this round; None, where it is none."""
    return next((one for one in examples() if one.round == round_id), None)


def differences(result: Result, judgement: Judgement) -> list[tuple[str, str, str]]:
    """What came out otherwise than by hand: what it is of, by hand, by the engine; '' for nothing.

    An amount is in cents, a finding ``article check``.
    """
    found: list[tuple[str, str, str]] = []
    given = {
        (one.box, one.hand or 0, one.owner, one.kind): (one.outcome, one.due_cents)
        for one in judgement.wagers
    }
    if result.wagers is not None:
        for key in sorted({*given, *result.wagers}):
            asked, got = result.wagers.get(key), given.get(key)
            if asked != got:
                found.append((" ".join(map(str, key)), _amount(asked), _amount(got)))
    return found + _unlike_findings(result, judgement)


def _amount(verdict: tuple[str, int | None] | None) -> str:
    if verdict is None:
        return ""
    outcome, cents = verdict
    return f"{outcome} {NO_FIGURE if cents is None else cents}"


def _unlike_findings(result: Result, judgement: Judgement) -> list[tuple[str, str, str]]:
    got = sorted({(one.article, one.check) for one in judgement.findings})
    found: list[tuple[str, str, str]] = []
    if result.findings is not None:
        missing = [one for one in result.findings if not any(_agree(one, it) for it in got)]
        extra = [it for it in got if not any(_agree(one, it) for one in result.findings)]
        found += [("finding", " ".join(one), "") for one in missing]
        found += [("finding", "", " ".join(one)) for one in extra]
    if result.cites_one_of:
        cited = {article for article, _ in got}
        fits = ANY in result.cites_one_of or cited & {*result.cites_one_of}
        if not got or not fits:
            asked = " / ".join(result.cites_one_of)
            found.append(("finding", asked, ", ".join(" ".join(one) for one in got)))
    return found


def _agree(by_hand: tuple[str, str], judged: tuple[str, str]) -> bool:
    return all(one in (ANY, it) for one, it in zip(by_hand, judged, strict=True))


@cache
def of_folder(folder: Path) -> tuple[Example, ...]:
    """The examples beside the rulebooks of one folder. Raises: LawError."""
    files = sorted((folder / "examples").glob("*.toml"))
    return tuple(one for file in files for one in _of_file(file))


def _of_file(file: Path) -> list[Example]:
    asked = Phrase("examples as docs/worked-examples.md says")
    try:
        book = tomllib.loads(file.read_text("utf-8"))
        lines = file.with_suffix(".jsonl").read_bytes().splitlines()
        records = {json.loads(line)["round"]: line for line in lines}
        rounds = [case["round"] for case in book["round"]]
        if rounds == list(records):
            return [_example(file.stem, book["rulebook"], one, records) for one in book["round"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LawError(f"examples/{file.name}", "(file)", repr(error), asked) from error
    odd = sorted({*rounds} ^ {*records}) or rounds
    asked = Phrase("one line a round, in the same order in both files")
    raise LawError(f"examples/{file.name}", "round", ", ".join(odd), asked)


def _example(file: str, rulebook: str, case: _Case, records: Mapping[str, bytes]) -> Example:
    return Example(
        case["round"],
        file,
        case["article"],
        case["title_pt"],
        case["title_en"],
        records[case["round"]],
        tuple(_result(rulebook, one) for one in (case, *case.get("otherwise", []))),
    )


def _result(rulebook: str, case: _Case) -> Result:
    wagers = case.get("wagers")
    findings = case.get("findings")
    return Result(
        case.get("rulebook", rulebook),
        case.get("readings", {}),
        None if wagers is None else dict(_wager(*row) for row in wagers),
        None if findings is None else tuple(_finding(one) for one in findings),
        tuple(case.get("cites_one_of", [])),
    )


def _wager(
    box: int, hand: int, owner: str, kind: str, outcome: str, due: int | str
) -> tuple[WagerKey, tuple[str, int | None]]:
    return (box, hand, owner, kind), (outcome, due if isinstance(due, int) else None)


def _finding(text: str) -> tuple[str, str]:
    article, check = text.split()
    return article, check


def articles_of(worked: Example) -> set[str]:
    """The articles of its own rulebook an example is about: where it stands, and what it cites."""
    found = {article for article, _check in worked.results[0].findings or ()}
    return {worked.article, *found} & law_of_file(worked.rulebook).articles.keys()


def examples_of(rulebook: str, article: str) -> int:
    """How many examples of a rulebook are about an article."""
    return _by_article(rulebook)[article]


@cache
def _by_article(rulebook: str) -> Counter[str]:
    mine = (one for one in examples() if one.rulebook == rulebook)
    return Counter(article for one in mine for article in articles_of(one))
