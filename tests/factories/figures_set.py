"""Figures of a rulebook set by two persons, or in another way, as tests need them."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final
from uuid import uuid4

from casino import clock
from casino.events.requests import FiguresAsked, FiguresSet, FigureValue, RequestDecided
from casino.house_day import gaming_day_now, house_zone
from casino.importing.law_in_use import Kept, keep
from casino.law.rulebook.figure_sets import set_of
from casino.recording import Actor, Receipt, Submission, record_many
from tests.factories.usual_events import ref

ASKER: Final = Actor("S-0003", "chefia_da_sala", "admin")
DECIDER: Final = Actor("S-0009", "administrador", "admin")
LIMIT: Final = "limits.maximum_over_minimum"


def days_from_now(days: int) -> date:
    """A gaming day so many days after today's."""
    return gaming_day_now() + timedelta(days=days)


def asked_for(*, since: date | None = None, rulebook: str = "pt", **values: str) -> FiguresAsked:
    """A request of figures by a decree; each as ``limits__maximum_over_minimum="25"``."""
    figures = values or {LIMIT: "25"}
    return FiguresAsked(
        rulebook=rulebook,
        since=since or days_from_now(10),
        figures=tuple(
            FigureValue(parameter=name.replace("__", "."), value=value)
            for name, value in figures.items()
        ),
        basis="act",
        source="Decreto 1/2027",
        grounds="novo limite",
    )


def answered(*, days: int = -3, **values: str) -> FiguresAsked:
    """A request by an answer of the inspection service so many days from now, without its file."""
    day = clock.now().astimezone(house_zone()).date() + timedelta(days=days)
    event = asked_for(**(values or {"bank__bust": "nearer_wins"}))
    return replace(event, basis="answer", source="Ofício 12/2027", document_day=day)


def ask(event: FiguresAsked, by: Actor = ASKER) -> Receipt:
    """Ask for it."""
    return record_many([Submission(event, uuid4(), by, clock.now())])[0]


def as_set(event: FiguresAsked, request: Receipt) -> FiguresSet:
    """What is recorded where it is approved."""
    return set_of(event, ref(request))


def decide(
    request: Receipt, *done: Any, by: Actor = DECIDER, decision: Any = "approved"
) -> list[Receipt]:
    """Decide on a request, and record these with it; the book is asked for sets anew."""
    word = RequestDecided(asked=ref(request), decision=decision, reason="checked")
    now = clock.now()
    receipts = record_many([Submission(one, uuid4(), by, now) for one in (word, *done)])
    keep(Kept())
    return receipts


def set_by_two(event: FiguresAsked) -> Receipt:
    """Ask for figures and approve them; the receipt of the set."""
    request = ask(event)
    return decide(request, as_set(event, request))[-1]
