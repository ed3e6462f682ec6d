"""What would be found if events were recorded now: asked before they are, and never a refusal.

The partida is judged as it stands with the events in hand, by the very checks that judge it later,
and with whatever is recorded elsewhere of what they name: a new partida names nothing before it.
Only what rests on the events themselves is said. What no partida shows is asked of the rooms that
know it (`Extension.previews`).
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from casino import clock
from casino.events import Malformed
from casino.events.event import OF_CASES, Event
from casino.events.partidas import PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CutMade
from casino.events.tables import LimitsSet
from casino.extensions import extensions, partida_judges
from casino.house_day import house_day_at
from casino.kept_entries import dossier_kept
from casino.law.checks.shoe.cuts import right_to_cut
from casino.law.checks.table import house_controls
from casino.law.cut_turns import Right
from casino.law.dossier import Dossier, RecordedEvent, Signed
from casino.law.finding import Breach, Finding, Rule
from casino.law.game_law import Game
from casino.law.partida_context import PartidaContext
from casino.law.raising import raised
from casino.law.round_judge import judge
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law
from casino.queries import day_of
from casino.recording import Actor
from casino.recording.preparing import check_moments

IN_HAND: Final = "in hand"  # what the entry that is not there yet is called in the evidence
RULEBOOK: Final = "pt"  # where neither the partida nor the round says by which it is played
# Checks of a count against what it should come to: whoever counts is not told that beforehand, or
# he could write down the number nobody finds anything of.
COUNTED_BLIND: Final = frozenset({"chips_are_those_of_the_game"})
_LAST: Final = 2**52  # behind every number of a stream
# What an event would open, asked when it is said to have happened: checks with what they would
# find.
Previews = Callable[[Any, datetime, Law], Iterable[tuple[Rule, Breach]]]


class Draft(NamedTuple):
    """An event that is not recorded yet: when it happened, who would sign for it.

    `instead_of` is the leaf of the entry it would correct.
    """

    event: Event
    at: datetime
    by: Actor
    instead_of: str | None = None


def preview(drafts: Sequence[Draft]) -> list[list[Finding]]:
    """What recording these events together would open: a list for each, the gravest first.

    A partida is judged as it would stand with all of them: the first alone would often be warned
    about for want of the second. What is found belongs to the first draft it rests on, whose
    evidence names it as `name_of` does (a round by its own UUID). Nothing where one of a partida's
    drafts could not be recorded for its moments: the writer says so.

    Nothing of a count that is off either (`COUNTED_BLIND`). Reads the book, writes nothing.
    """
    found: list[list[Finding]] = [[] for _ in drafts]
    by_partida: dict[str, dict[int, Draft]] = {}
    for place, draft in enumerate(drafts):
        # What is done about a finding is no part of the game it is of.
        partida = "" if draft.event.stream in OF_CASES else draft.event.partida_id or ""
        by_partida.setdefault(partida, {})[place] = draft
    for partida, some in by_partida.items():
        with contextlib.suppress(Malformed, LawError):
            for place, draft in some.items():
                check_moments(draft.event, draft.at)
                found[place] += _without_partida(draft, place)
            if partida:
                for place, finding in _in_partida(partida, some):
                    found[place].append(finding)
    for of in found:
        of.sort(key=lambda finding: (_GRAVITY.index(finding.severity), finding.article))
    return found


def of_whole_partida(dossier: Dossier, draft: Draft | None = None) -> list[Finding]:
    """What its judges find of everything that was recorded of a partida, the gravest first.

    With a draft, as the partida would stand with it. The rounds by themselves are judged later.
    """
    if draft is not None:
        dossier = dossier.with_entry(_as_recorded(draft, 0, dossier.partida), draft.instead_of)
    try:
        law = load_law(_rulebook(dossier))
    except LawError:
        return []
    found = [
        finding for judged_by in partida_judges() for finding in judged_by(dossier, law).findings
    ]
    return sorted(found, key=lambda finding: (_GRAVITY.index(finding.severity), finding.article))


def of_round(played: RoundPlayed, at: datetime, game: Game) -> list[Finding]:
    """What is found of a round by itself, whatever else happened in its game. Raises: LawError."""
    law = load_law(game.rulebook(played) or RULEBOOK)
    return list(judge(played, law, game.limits(played, at)).findings)


def name_of(place: int) -> str:
    """What the draft at a place is called in the evidence."""
    return f"{IN_HAND} {place}"


def _without_partida(draft: Draft, place: int) -> Iterator[Finding]:
    """What is found by those who know what no partida shows (`Extension.previews`)."""
    asked = [ask for package in extensions() for ask in package.previews()]
    yield from found_of(asked, draft.event, draft.at, name_of(place))


def found_of(
    previews: Iterable[Previews], event: Event, at: datetime, name: str = IN_HAND
) -> Iterator[Finding]:
    """What these would find of an event; `name` is what it is called in the evidence."""
    law = load_law(RULEBOOK)
    day = house_day_at(at)
    for ask in previews:
        for check, breach in ask(event, at, law):
            for rules in (law.on(day), house_controls.RULES):
                found = raised(check, breach, rules, day, (name,))
                if found is not None:
                    yield found


def _in_partida(partida: str, drafts: dict[int, Draft]) -> Iterator[tuple[int, Finding]]:
    """What the judges of a partida find that rests on a draft, with the place of the first."""
    events = {place: _as_recorded(draft, place, partida) for place, draft in drafts.items()}
    dossier = dossier_kept(partida, as_of=clock.now(), and_recorded=tuple(events.values()))
    for place, draft in drafts.items():
        dossier = dossier.with_entry(events[place], draft.instead_of)
    game = Game(next(iter(dossier.of(PartidaOpened)), None), dossier.anywhere(LimitsSet))
    for place, draft in drafts.items():
        if isinstance(draft.event, RoundPlayed):
            yield from ((place, finding) for finding in of_round(draft.event, draft.at, game))
    law = load_law(_rulebook(dossier))
    for judged_by in partida_judges():
        for finding in judged_by(dossier, law).findings:
            if finding.check in COUNTED_BLIND:
                continue
            for place in drafts:
                if name_of(place) in finding.evidence:
                    yield place, finding
                    break


_GRAVITY: Final = ("breach", "deviation", "warning", "note")


def _as_recorded(draft: Draft, place: int, partida: str) -> RecordedEvent[Event]:
    return RecordedEvent(
        entry_id=name_of(place),
        stream=draft.event.stream,
        n=_LAST + place,
        leaf=f"{place:064x}",
        occurred_at=draft.at,
        recorded_at=clock.now(),
        gaming_day=day_of(partida),
        by=Signed(draft.by.staff, draft.by.office, draft.by.door),
        event=draft.event,
    )


def _rulebook(dossier: Dossier) -> str:
    opened = dossier.of(PartidaOpened)
    return opened[-1].event.rulebook if opened else RULEBOOK


def rightful_seats(cut: CutMade, *, occurred_at: datetime, by: Actor) -> Right | None:
    """The seats to be asked to cut, in order, as the book stands; None where it does not tell.

    Of `cut` only the partida, the shoe and the occupied seats are asked. Law: PT art. 8.
    """
    try:
        check_moments(cut, occurred_at)
    except Malformed:
        return None
    dossier = dossier_kept(cut.partida, as_of=clock.now())
    found = dossier.with_entry(_as_recorded(Draft(cut, occurred_at, by), 0, cut.partida))
    game = PartidaContext(found, load_law(_rulebook(found)).on(found.gaming_day))
    shoe = game.shoe(cut.shoe)
    return None if shoe is None else right_to_cut(game, shoe, cut.seats_occupied, occurred_at)
