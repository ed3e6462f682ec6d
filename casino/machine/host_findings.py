"""What was found of the machine the house runs on: one finding a question, in two languages.

Made by ``casino.host`` (``make doctor``), which asks as root; kept in a file that the web server
reads for the administrator's page. Nothing here knows a framework, or runs anything.
"""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, Literal, NamedTuple, Self

State = Literal["ok", "warning", "wrong"]
STATES: Final[tuple[State, ...]] = ("ok", "warning", "wrong")
MOST: Final = 262_144  # bytes read of a report
STALE: Final = timedelta(minutes=15)  # after which a report says nothing any more


class Text(NamedTuple):
    """The same sentence in Portuguese and in English."""

    pt: str
    en: str

    def in_language(self, language: str) -> str:
        """In Portuguese where that is asked for, else in English."""
        return self.pt if language.startswith("pt") else self.en


NOTHING: Final = Text("", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The answer to one question: what it is about, what was found, what is expected, what to do.

    `check` is its name, the same in every report; `what` names it for people. `remedy` is empty
    """

    check: str
    what: Text
    state: State
    found: Text
    expected: Text = NOTHING
    remedy: Text = NOTHING


@dataclass(frozen=True, slots=True)
class Report:
    """All findings of one look at the machine, and when (aware UTC)."""

    at: datetime
    findings: tuple[Finding, ...]

    @property
    def state(self) -> State:
        """The worst of them."""
        return max((one.state for one in self.findings), key=STATES.index, default="wrong")

    def to_json(self) -> str:
        """As it is kept."""
        return json.dumps(
            {"at": self.at.isoformat(), "findings": [asdict(one) for one in self.findings]},
            ensure_ascii=False,
            indent=1,
        )

    @classmethod
    def of(cls, text: str | bytes) -> Self:
        """Read one back. Raises: ValueError, for anything else."""
        try:
            value = json.loads(text)
            at = datetime.fromisoformat(value["at"])
            findings = tuple(_finding(each) for each in value["findings"])
        except (KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"not a report of the machine: {error!r}") from error
        if at.tzinfo is None:
            raise ValueError("not a report of the machine: its moment has no offset")
        return cls(at.astimezone(UTC), findings)


def _finding(kept_one: Mapping[str, str]) -> Finding:
    named = ("what", "found", "expected", "remedy")
    texts = {name: Text(*map(str, kept_one[name])) for name in named}
    if kept_one["state"] not in STATES:
        raise ValueError(f"not a report of the machine: state {kept_one['state']!r}")
    return Finding(check=str(kept_one["check"]), state=kept_one["state"], **texts)


def keep(report: Report, file: Path) -> None:
    """Write it where all may read it, whole or not at all. Raises: OSError."""
    beside = file.with_name(f"{file.name}.new")
    beside.write_text(report.to_json(), "utf-8")
    beside.chmod(0o644)
    os.replace(beside, file)


def kept(file: Path) -> Report | None:
    """The last one; None where there is none. Raises: ValueError, OSError."""
    try:
        with file.open("rb") as opened:
            return Report.of(opened.read(MOST))
    except FileNotFoundError:
        return None


def lines(findings: Iterable[Finding], *, all_of_them: bool = True) -> list[str]:
    """For a terminal: a line each, and beneath it what is expected and what to do where it is not
    well; Portuguese first.
    """
    marks = {"ok": "  ok  ", "warning": "AVISO ", "wrong": "ERRADO"}
    said = []
    for one in findings:
        if one.state == "ok" and not all_of_them:
            continue
        said.append(f"{marks[one.state]}  {one.what.pt} / {one.what.en}")
        if one.state == "ok":
            said[-1] += f": {one.found.pt}" + _unless_same(one.found)
            continue
        for language in (0, 1):
            asked = ("esperado", "expected")[language], ("a fazer", "to do")[language]
            said.append(f"        {one.found[language]}")
            said += [f"        {asked[0]}: {one.expected[language]}"] * bool(one.expected.en)
            said += [f"        {asked[1]}: {one.remedy[language]}"] * bool(one.remedy.en)
    return said


def _unless_same(text: Text) -> str:
    return "" if text.pt == text.en else f" / {text.en}"
