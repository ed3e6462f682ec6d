"""The running numbers of the registers: incidents, complaints, notices, recordings kept.

A number is given where its record is written, under a lock of the register, so that two tablets are
never given the same one.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Model

from casino.admin.house_time import gaming_day_now
from casino.models import Complaint, FootageHold, Incident, Notice
from casino.recording.writing import waited_in_vain

_year = re.compile(r"[^0-9](20\d\d)[^0-9]").search
_running = re.compile(r"(.*?)(\d{1,12})").fullmatch


@dataclass(frozen=True, slots=True)
class Register:
    """A register: how its numbers begin, and the shelf and column in which they stand."""

    prefix: str
    shelf: type[Model]
    column: str


INCIDENTS: Final = Register("IN", Incident, "incident")
COMPLAINTS: Final = Register("RC", Complaint, "complaint")
NOTICES: Final = Register("CM", Notice, "notice")
HOLDS: Final = Register("IM", FootageHold, "hold")


def next_number(register: Register) -> str:
    """The number after the last one given, which begins anew with every year: ``IN-2026-0008``."""
    year = gaming_day_now().year
    rows: Any = register.shelf._default_manager.order_by("-pk")
    last = rows.values_list(register.column, flat=True).first()
    number = following(last) if last and _is_of(last, year) else f"{register.prefix}-{year}-0001"
    while is_given(register, number):  # one was typed by hand
        number = following(number)
    return number


def _is_of(number: str, year: int) -> bool:
    """Whether a number is of that year, or of a register that does not name years."""
    named = _year(number)
    return named is None or int(named[1]) == year


def following(number: str) -> str:
    """The number after one: its last digits counted on."""
    found = _running(number)
    if found is None:
        return f"{number}-2"
    return f"{found[1]}{int(found[2]) + 1:0{len(found[2])}d}"


def is_given(register: Register, number: str) -> bool:
    """Whether a number stands in the register already."""
    rows: Any = register.shelf._default_manager.filter(**{register.column: number})
    return bool(rows.exists())


@contextmanager
def numbering(register: Register) -> Iterator[None]:
    """A transaction in which nobody else is given a number of this register. Raises: Busy."""
    with transaction.atomic(), connection.cursor() as cursor:
        with waited_in_vain():
            cursor.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))",
                [f"register/{register.prefix}"],
            )
        yield
