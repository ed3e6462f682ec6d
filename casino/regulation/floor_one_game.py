"""A deck, a shuffler and a table serve one game at a time.

Who opened first is asked nothing: it is the later game that took what was in use. A game of another
day that nobody closed may have been over.

Law: PT art. 2 (table), 3 (decks).
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from casino.facts.floor_life import PartidaReopened
from casino.facts.partidas import PartidaClosed, PartidaOpened
from casino.regulation.dossier import Told, in_time
from casino.regulation.finding import LAWFUL, UNDECIDED, Breach, Result, upholds
from casino.regulation.floor_condition import withdrawals_of
from casino.regulation.floor_evening import Evening, evidence_of
from casino.regulation.floor_moments import together


def other_openings(evening: Evening) -> list[Told[PartidaOpened]]:
    """The openings of other games that are told around this one."""
    found = evening.dossier.around_of(PartidaOpened)
    return [told for told in found if told.fact.partida != evening.dossier.partida]


def _life_of(evening: Evening, partida: str) -> list[Told[Any]]:
    """A game's opening, closings and reopenings, as they happened."""
    told: list[Told[Any]] = []
    for kind in (PartidaOpened, PartidaClosed, PartidaReopened):
        told += [one for one in evening.dossier.anywhere(kind) if one.fact.partida == partida]
    return sorted(told, key=in_time)


def _taken_up(evening: Evening, other: Told[PartidaOpened]) -> Iterator[Told[Any]]:
    """Whenever this game began, or began again; not where it was open when the other began."""
    if evening.opened is not None:
        yield evening.opened
    mine = [
        told
        for told in _life_of(evening, evening.dossier.partida)
        if told.occurred_at < other.occurred_at
    ]
    if not mine or isinstance(mine[-1].fact, PartidaClosed):
        yield from evening.reopened


def was_open(evening: Evening, other: Told[PartidaOpened], at: datetime) -> Result:
    """LAWFUL where another game was not open at a moment, None where it was, else UNDECIDED.

    Of two that began at one moment the one that comes first by name was there.
    """
    before: list[Told[Any]] = []
    after: list[Told[Any]] = []
    for told in _life_of(evening, other.fact.partida):
        same = told.occurred_at == at
        first = isinstance(told.fact, PartidaClosed) or told.fact.partida < evening.dossier.partida
        (before if told.occurred_at < at or (same and first) else after).append(told)
    if not before or isinstance(before[-1].fact, PartidaClosed):
        return LAWFUL
    shown = bool(after) or other.gaming_day == evening.dossier.gaming_day
    return None if shown else UNDECIDED


def _shared(evening: Evening, other: Told[PartidaOpened], begun: Told[Any]) -> dict[str, Any]:
    """The decks, and the machine, that both games were opened with, as a finding tells them."""
    theirs = {each.deck for each in other.fact.decks}
    decks = sorted(
        deck
        for deck in theirs & set(evening.decks)
        if not any(gone.occurred_at <= begun.occurred_at for gone in withdrawals_of(evening, deck))
    )
    found: dict[str, Any] = {"decks": decks} if decks else {}
    mine = evening.opened.fact.shuffler if evening.opened is not None else None
    if mine is not None and mine == other.fact.shuffler:
        found["shuffler"] = mine
    return found


@upholds("partida", "Decks and shuffler serve one game at a time.")
def cards_serve_one_game(evening: Evening) -> Result:
    """None of them lay in the open game of another table when this game began.

    Law: PT art. 3.
    """
    answers: list[Result] = []
    for other in other_openings(evening):
        if other.fact.table == evening.dossier.table:
            continue
        for begun in _taken_up(evening, other):
            shared = _shared(evening, other, begun)
            open_then = was_open(evening, other, begun.occurred_at) if shared else LAWFUL
            if open_then is not None:
                answers.append(open_then)
                continue
            answers.append(
                Breach(
                    {}, {"also_at": other.fact.table, **shared}, dict.fromkeys(shared, "another"),
                    evidence=evidence_of(other, begun),
                )
            )  # fmt: skip
            break
    return _first_found(evening, answers)


@upholds("partida", "A table has one game at a time.", severity="warning")
def one_game_at_a_table(evening: Evening) -> Result:
    """No other game of the table was open when this one was opened, or opened again.

    Law: PT art. 2.
    """
    answers: list[Result] = []
    for other in other_openings(evening):
        if other.fact.table != evening.dossier.table:
            continue
        for begun in _taken_up(evening, other):
            open_then = was_open(evening, other, begun.occurred_at)
            answers.append(
                Breach(
                    {}, {"game": other.fact.partida}, {"game": evening.dossier.partida},
                    evidence=evidence_of(other, begun),
                )
                if open_then is None
                else open_then
            )  # fmt: skip
    return _first_found(evening, answers)


def _first_found(evening: Evening, answers: list[Result]) -> Result:
    """The first breach, else what all come to; lawful where there is no other game at all."""
    found = next((one for one in answers if isinstance(one, Breach)), None)
    return found or together(answers) or (None if evening.opened is None else LAWFUL)


CHECKS: Final = (
    cards_serve_one_game,
    one_game_at_a_table,
)
