"""Verifications of the book, and what they found."""

from typing import Any
from uuid import uuid4

from audit.events import BookVerified
from tests.factories.findings import finding, write


def verified(problems: int = 0, run: str | None = None) -> str:
    run = run or str(uuid4())
    write([BookVerified(size=9, entries=9, problems=problems, why="asked", run=run)])
    return run


def of_the_book(number: int, run: str) -> Any:
    return finding(
        number,
        rulebook="house",
        article="house.book",
        check="book_whole",
        table=None,
        evidence=(),
        where={"stream": "table/BJ-06", "n": 7},
        observed={"problem": "leaf-hash"},
        expected={},
        readings=(),
        owed_cents=0,
        owed_to=None,
        run=run,
    )
