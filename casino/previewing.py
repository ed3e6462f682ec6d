"""What would be found if a fact were recorded now: asked before it is, and never a refusal.

The partida is judged as it stands with the fact in hand, by the very checks that judge it later,
and with whatever is told elsewhere of what the fact names: a new partida names nothing before it.
Of what they find, only what rests on the fact itself is told. What no partida shows is asked of
the rooms that know it (settings.FORESEEN_BY).
"""

import contextlib
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.utils.module_loading import import_string

from casino import clock
from casino.facts import Malformed
from casino.facts.partidas import PartidaOpened
from casino.facts.rounds import RoundPlayed
from casino.facts.shoes import CutMade
from casino.gaming_day import gaming_day_at
from casino.kept_entries import dossier_kept
from casino.queries import day_of
from casino.recording import Actor
from casino.recording.preparing import check_moments
from casino.regulation import floor
from casino.regulation.cut import Right
from casino.regulation.dossier import Dossier, Signed, Told
from casino.regulation.finding import Breach, Check, Finding
from casino.regulation.floor_cuts import right_to_cut
from casino.regulation.floor_evening import Evening
from casino.regulation.judge import judge
from casino.regulation.law import Law, LawError, load_law
from casino.regulation.raising import raised

IN_HAND: Final = "in hand"  # what the entry that is not there yet is called in the evidence
RULEBOOK: Final = "pt"  # where neither the partida nor the round says by which it is played
_LAST: Final = 2**53 - 1
# What a fact would open, asked when it is said to have happened: checks with what they would find.
Foresees = Callable[[Any, datetime, Law], Iterable[tuple[Check, Breach]]]


def preview(
    fact: Any, *, occurred_at: datetime, by: Actor, instead_of: str | None = None
) -> list[Finding]:
    """What recording this fact would open, the gravest first.

    Nothing where it could not be recorded for its moments: the writer says so.
    `instead_of` is the leaf of the entry a correction replaces. Its evidence names the fact in hand
    as `IN_HAND` (a round by its own UUID). Reads the book, writes nothing.
    """
    partida = getattr(fact, "partida_id", None) or getattr(fact, "partida", None)
    with contextlib.suppress(Malformed, LawError):
        check_moments(fact, occurred_at)
        found = list(_foreseen(fact, occurred_at))
        if not partida:
            return _in_order(found)
        told = _told(fact, partida, occurred_at, by)
        dossier = dossier_kept(partida, as_of=clock.now(), and_told=(told,))
        law = _law_of(fact, dossier)
        found += judge(fact, law).findings if isinstance(fact, RoundPlayed) else ()
        for judged_by in map(import_string, settings.PARTIDA_JUDGES):
            found += floor.preview(dossier, told, law, instead_of, judged_by)
        return _in_order(found)
    return []


_GRAVITY: Final = ("breach", "warning", "note")


def _in_order(found: Iterable[Finding]) -> list[Finding]:
    return sorted(found, key=lambda one: (_GRAVITY.index(one.severity), one.article))


def _foreseen(fact: Any, occurred_at: datetime) -> Iterable[Finding]:
    """What is foreseen of a fact by what no partida shows."""
    law = load_law(RULEBOOK)
    day = gaming_day_at(occurred_at, settings.HOUSE_TIME_ZONE, settings.HOUSE_DAY_STARTS)
    for foresees in settings.FORESEEN_BY:
        ask: Foresees = import_string(foresees)
        for check, breach in ask(fact, occurred_at, law):
            found = raised(check, breach, law.on(day), day, (IN_HAND,))
            if found is not None:
                yield found


def _told(fact: Any, partida: str, occurred_at: datetime, by: Actor) -> Told[Any]:
    return Told(
        entry_id=IN_HAND,
        stream=fact.stream,
        n=_LAST,
        leaf="0" * 64,
        occurred_at=occurred_at,
        recorded_at=clock.now(),
        gaming_day=day_of(partida),
        by=Signed(by.staff, by.office, by.door),
        fact=fact,
    )


def _law_of(fact: Any, dossier: Dossier) -> Law:
    opened = dossier.of(PartidaOpened)
    named = getattr(fact, "rulebook", None) or (opened[-1].fact.rulebook if opened else None)
    return load_law(named or RULEBOOK)


def rightful_seats(cut: CutMade, *, occurred_at: datetime, by: Actor) -> Right | None:
    """The seats to be asked to cut, in order, as the book stands; None where it does not tell.

    Of `cut` only the partida, the shoe and the occupied seats are asked. Law: PT art. 8.
    """
    try:
        check_moments(cut, occurred_at)
    except Malformed:
        return None
    dossier = dossier_kept(cut.partida, as_of=clock.now())
    told = dossier.with_entry(_told(cut, cut.partida, occurred_at, by))
    evening = Evening(told, _law_of(cut, told).on(told.gaming_day))
    shoe = evening.shoe(cut.shoe)
    return None if shoe is None else right_to_cut(evening, shoe, cut.seats_occupied, occurred_at)
