"""Reads the incidents of `incidents.toml`, strictly.

Each has its class, written down before any evening was judged
(docs/decisions/0060-the-museum.md), and the check that is expected to find it.
"""

import tomllib
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Final, Literal, get_args

SeenBy = Literal["records_independent", "only_if_recorded", "impossible"]
MoneyIs = Literal["", "fine", "gained", "displayed"]

FILE: Final = Path(__file__).with_name("incidents.toml")
_ASKED: Final = (
    *("title_pt", "title_en", "place", "date", "sources", "what_pt", "what_en"),
    *("failed_pt", "failed_en", "class", "why_pt", "why_en", "check"),
)
_FIGURES: Final = ("rounds", "hands", "minutes", "money_cents")


@dataclass(frozen=True, slots=True)
class Incident:
    """One incident: what happened, which control failed, and what shows it.

    `seen_by` is its class. `check` is the one expected to find it, "" where there is none yet;
    `evening` are the simulated breaches that are like it. `rounds`, `hands`, `minutes` and
    `money_cents` (of `currency`; `money_is` says what it was) are the source's, None where it
    gives none.
    """

    code: str
    title_pt: str
    title_en: str
    place: str
    date: str
    sources: tuple[str, ...]
    what_pt: str
    what_en: str
    failed_pt: str
    failed_en: str
    seen_by: SeenBy
    why_pt: str
    why_en: str
    check: str
    evening: tuple[str, ...] = ()
    currency: str = ""
    rounds: int | None = None
    hands: int | None = None
    minutes: int | None = None
    money_cents: int | None = None
    money_is: MoneyIs = ""


def read_incidents(text: str) -> tuple[Incident, ...]:
    """The incidents of a file, in its order.

    Raises: ValueError, naming the incident, what was found and what is asked.
    """
    found = []
    for code, row in tomllib.loads(text).items():
        _checked(code, row)
        row["sources"], row["evening"] = tuple(row["sources"]), tuple(row.get("evening", ()))
        found.append(Incident(code=code, seen_by=row.pop("class"), **row))
    return tuple(found)


@cache
def incidents() -> tuple[Incident, ...]:
    """Those of the program."""
    return read_incidents(FILE.read_text("utf-8"))


def _checked(code: str, row: dict[str, object]) -> None:
    known = {field.name for field in fields(Incident)} - {"code", "seen_by"} | {"class"}
    if missing := [name for name in _ASKED if name not in row]:
        raise ValueError(f"{code}: asked is {', '.join(missing)}; it is not there")
    if unknown := sorted(row.keys() - known):
        raise ValueError(
            f"{code}: found {', '.join(unknown)}; known are {', '.join(sorted(known))}"
        )
    seen_by = row["class"]
    if seen_by not in get_args(SeenBy):
        raise ValueError(f"{code}: found class {seen_by}; asked is one of {get_args(SeenBy)}")
    if seen_by == "impossible" and (row["check"] or row.get("evening")):
        raise ValueError(f"{code}: is impossible, and yet has a check or an evening")
    for name in _FIGURES:
        value = row.get(name, 1)
        if type(value) is not int or value < 1:
            raise ValueError(f"{code}: found {name} = {value!r}; asked is a whole number from 1")
    if len({name in row for name in ("money_cents", "currency", "money_is")}) != 1:
        raise ValueError(f"{code}: money, its currency and what it is are given together")
    if row.get("money_is", "") not in get_args(MoneyIs):
        raise ValueError(f"{code}: found money_is = {row['money_is']}; asked is a {MoneyIs}")
    for name in ("sources", "evening"):
        several = row.get(name, ["-"])
        if not isinstance(several, list) or not several:
            raise ValueError(f"{code}: found {name} = {several!r}; asked is a list of texts")
