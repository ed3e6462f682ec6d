"""What several facts would open if they were recorded together: asked before they are.

The partida is judged as it would stand with all of them; what is found is told of the fact it
rests on. The first fact alone would often be warned about for want of the second.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.utils.module_loading import import_string

from casino import clock
from casino.facts import Malformed
from casino.kept_entries import dossier_kept
from casino.previewing import IN_HAND, RULEBOOK
from casino.queries import day_of
from casino.recording import Actor
from casino.recording.preparing import check_moments
from casino.regulation.dossier import Dossier, Signed, Told
from casino.regulation.finding import Finding
from casino.regulation.law import LawError, load_law

_LAST: Final = 2**52
_GRAVITY: Final = ("breach", "warning", "note")


class Hand(NamedTuple):
    """A fact in hand: when it happened, and who would sign for it."""

    fact: Any
    at: datetime
    by: Actor


def foresee(hands: Sequence[Hand]) -> list[list[Finding]]:
    """For each fact what it would open, the gravest first. Reads the book, writes nothing."""
    found: list[list[Finding]] = [[] for _ in hands]
    by_partida: dict[str, list[int]] = {}
    for place, hand in enumerate(hands):
        partida = getattr(hand.fact, "partida", None)
        if partida:
            by_partida.setdefault(partida, []).append(place)
    for partida, places in by_partida.items():
        with suppress(Malformed, LawError):
            for place in places:
                check_moments(hands[place].fact, hands[place].at)
            for finding in _found(partida, {place: hands[place] for place in places}):
                for place in places:
                    if _name(place) in finding.evidence:
                        found[place].append(finding)
                        break  # told once, of the first fact it rests on
    for of in found:
        of.sort(key=lambda one: (_GRAVITY.index(one.severity), one.article))
    return found


def _found(partida: str, hands: dict[int, Hand]) -> list[Finding]:
    told = [_told(hand, place, partida) for place, hand in hands.items()]
    dossier = dossier_kept(partida, as_of=clock.now(), and_told=told)
    for one in told:
        dossier = dossier.with_entry(one)
    law = load_law(_rulebook(dossier))
    names = {_name(place) for place in hands}
    return [
        finding
        for judge in map(import_string, settings.PARTIDA_JUDGES)
        for finding in judge(dossier, law).findings
        if names & set(finding.evidence)
    ]


def _rulebook(dossier: Dossier) -> str:
    told = [one.fact.rulebook for one in dossier.entries if one.fact.kind == "partida-opened/1"]
    return str(told[-1]) if told else RULEBOOK


def _name(place: int) -> str:
    return f"{IN_HAND} {place}"


def _told(hand: Hand, place: int, partida: str) -> Told[Any]:
    return Told(
        entry_id=_name(place),
        stream=hand.fact.stream,
        n=_LAST + place,
        leaf=f"{place:064x}",
        occurred_at=hand.at,
        recorded_at=clock.now(),
        gaming_day=day_of(partida),
        by=Signed(hand.by.staff, hand.by.office, hand.by.door),
        fact=hand.fact,
    )
