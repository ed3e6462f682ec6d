"""What the law says of a round, asked in the few ways the tests of the articles need."""

from collections.abc import Mapping
from typing import Any

from casino.events.round.round_played import RoundPlayed
from casino.law.finding import Finding, Judgement, WagerVerdict
from casino.law.round_judge import judge
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law

Readings = Mapping[str, Any]
NOT_ASKED = "not_asked"
LAWFUL = "lawful"
BREACH = "finding"
UNDECIDED = "not_decidable"
PLAYER = "player"
HOUSE = "house"


def judged(
    played: RoundPlayed, book: str | Law = "pt", readings: Readings | None = None
) -> Judgement:
    """The whole judgement, under other readings where some are named."""
    law = load_law(book) if isinstance(book, str) else book
    return judge(played, law.with_readings(readings) if readings else law)


def said(
    check: str, played: RoundPlayed, book: str | Law = "pt", readings: Readings | None = None
) -> str:
    """What a check says of the round, the gravest answer first; NOT_ASKED where it says nothing."""
    answers = {
        outcome for name, outcome in judged(played, book, readings).outcomes if name == check
    }
    return next((one for one in (BREACH, UNDECIDED, LAWFUL) if one in answers), NOT_ASKED)


def findings(
    check: str, played: RoundPlayed, book: str | Law = "pt", readings: Readings | None = None
) -> list[Finding]:
    """The findings of one check, in the order they were reached."""
    return [found for found in judged(played, book, readings).findings if found.check == check]


def the_finding(
    check: str, played: RoundPlayed, book: str | Law = "pt", readings: Readings | None = None
) -> Finding:
    """The one finding of that check."""
    found = findings(check, played, book, readings)
    assert len(found) == 1, [f"{one.article} {one.check} {one.where}" for one in found]
    return found[0]


def cited(
    played: RoundPlayed, book: str | Law = "pt", readings: Readings | None = None
) -> list[str]:
    """Everything found, as ``"18 stand_above_eleven"``, sorted."""
    return sorted(f"{one.article} {one.check}" for one in judged(played, book, readings).findings)


def verdict(
    played: RoundPlayed,
    kind: str = "main",
    owner: str | None = None,
    hand: int | None = None,
    book: str | Law = "pt",
    readings: Readings | None = None,
) -> WagerVerdict:
    """The verdict on the first wager of that kind, owner and hand."""
    return next(
        one
        for one in judged(played, book, readings).wagers
        if one.kind == kind
        and (owner is None or one.owner == owner)
        and (hand is None or one.hand == hand)
    )


def owed(played: RoundPlayed, *asked: Any, **named: Any) -> tuple[int | None, int, str | None]:
    """What was due, how many cents are missing or too many, and to whom they are owed."""
    one = verdict(played, *asked, **named)
    return one.due_cents, one.owed_cents, one.owed_to
