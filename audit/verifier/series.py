"""Numbers that have no gap: of cases, reports and letters, each counted from 1 within its year.

series = Series()
series.take(here, kind, payload)         # each entry of KINDS; here: stream, n, whatever else
series.conclude(report, anew)            # once all were taken in
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Set
from typing import Any, Final, TypeAlias

Here: TypeAlias = dict[str, Any]

NUMBERED: Final = "findings-numbered/1"
ISSUED: Final = {"report-issued/1": "REL", "letter-issued/1": "CTA"}
KINDS: Final = frozenset({NUMBERED, *ISSUED})
# What is reported of a number that passes over others, and of one that is given twice.
CODES: Final = {"case": ("case-gap", "case-twice"), "document": ("document-gap", "document-twice")}
_is_number: Final = re.compile(r"(?:CST|REL|CTA)-[0-9]{4}-[0-9]{6,16}").fullmatch


class Series:
    """The numbers that were given so far, in the order of the book."""

    def __init__(self) -> None:
        self.given: dict[str, list[tuple[Here, str, str]]] = {sort: [] for sort in CODES}

    def take(self, here: Here, kind: str, values: Mapping[str, Any]) -> None:
        """Take in an entry of KINDS; what is no number is left to whoever reads forms."""
        if kind in ISSUED:
            year, number = values.get("year"), values.get("number")
            if type(year) is int and type(number) is int:
                text = f"{ISSUED[kind]}-{year:04d}-{number:06d}"
                self._give("document", here, text, str(values.get("request")))
            return
        numbers = values.get("numbers")
        for one in numbers if isinstance(numbers, list) else ():
            if isinstance(one, dict):
                self._give("case", here, str(one.get("case")), str(one.get("finding")))

    def _give(self, sort: str, here: Here, number: str, what: str) -> None:
        if _is_number(number):
            self.given[sort].append((dict(here), number, what))

    def conclude(self, report: Callable[..., None], anew: Set[tuple[str, str]]) -> None:
        """Say which numbers were passed over, and which were given twice.

        A finding has the number of one that it cites anew: `anew` are the keys of both.
        """
        for sort, given in self.given.items():
            gap, twice = CODES[sort]
            last, what_for = Counter[str](), dict[str, set[str]]()
            for here, number, what in given:
                series, _, running = number.rpartition("-")
                before = what_for.setdefault(number, set())
                if not before and int(running) != last[series] + 1:
                    report(gap, **here, **{sort: number}, last=last[series])
                elif before and not any((old, what) in anew for old in before):
                    report(twice, **here, **{sort: number})
                last[series] = max(last[series], int(running))
                before.add(what)
