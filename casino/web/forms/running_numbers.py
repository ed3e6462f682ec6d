"""The running numbers of the registers: incidents, complaints, notices, recordings kept.

A number is given where its record is written, under a lock of the register, so that two tablets are
never given the same one. What is held and can still be taken back (casino.holding) is written
before the next number is named: a number is given once, and one that was taken back is free again.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Model

from casino import holding
from casino.house_day import gaming_day_now
from casino.models import Complaint, FootageHold, Incident, Notice
from casino.recording.writing import waited_in_vain

_year = re.compile(r"[^0-9](20\d\d)[^0-9]").search
_running = re.compile(r"(.*?)(\d{1,12})").fullmatch


@dataclass(frozen=True, slots=True)
class Register:
    """A register: how its numbers begin, whose they are, the projection and column they stand
    in.
    """

    prefix: str
    kind: str
    projection: type[Model]
    column: str


INCIDENTS: Final = Register("IN", "incident-reported/1", Incident, "incident")
COMPLAINTS: Final = Register("RC", "complaint-received/1", Complaint, "complaint")
NOTICES: Final = Register("CM", "notice-sent/1", Notice, "notice")
HOLDS: Final = Register("IM", "footage-held/1", FootageHold, "hold")


def next_number(register: Register, besides: UUID | None = None) -> str:
    """The number after the last one given, which begins anew with every year: ``IN-2026-0008``.

    `besides` is the form that asks for it: what it sent itself may still be held. Raises: Busy.
    """
    holding.settle_register(register.kind, besides)
    year = gaming_day_now().year
    rows: Any = register.projection._default_manager.order_by("-pk")
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
    rows: Any = register.projection._default_manager.filter(**{register.column: number})
    return bool(rows.exists())


@contextmanager
def numbering(register: Register, besides: UUID | None = None) -> Iterator[None]:
    """A transaction in which nobody else is given a number of this register. Raises: Busy.

    What others hold of the register is written before it, each by itself; within it only what came
    in between, for nobody writes at those tables until it ends.
    """
    holding.settle_register(register.kind, besides)
    with transaction.atomic(), connection.cursor() as cursor:
        with waited_in_vain():
            cursor.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))",
                [f"register/{register.prefix}"],
            )
        holding.settle_register(register.kind, besides)
        yield
