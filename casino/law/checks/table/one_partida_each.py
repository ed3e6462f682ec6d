"""A deck, a shuffler and a table serve one game at a time.

The decks of a game are those it is played with: what came in for a withdrawn one too. Who had a
thing first is asked nothing: it is the later game that took what was in use. A game of another day
that nobody closed may have been over.

Law: PT art. 2 (table), 3 (decks).
"""

from collections.abc import Iterator, Set
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from casino.events.decks import DeckInspected
from casino.events.event import Event
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.shoes import CardsShuffled
from casino.events.shufflers import ShufflerLoaded
from casino.law.dossier import Dossier, RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict, Where, upholds
from casino.law.game_decks import decks_in_play, decks_of, was_withdrawn
from casino.law.partida_context import PartidaContext
from casino.law.questions import breach, equal, together

EXHIBITION: Final = "exhibition"


def other_openings(game: PartidaContext) -> list[RecordedEvent[PartidaOpened]]:
    """The openings of other games that are recorded around this one."""
    found = game.dossier.around_of(PartidaOpened)
    return [recorded for recorded in found if recorded.event.partida != game.dossier.partida]


def _taken_up(
    game: PartidaContext, other_recorded: RecordedEvent[PartidaOpened]
) -> Iterator[RecordedEvent[Event]]:
    """Whenever this game began, or began again; not where it was open when the other began."""
    if game.opened is not None:
        yield game.opened
    mine = [
        one
        for one in game.lives.get(game.dossier.partida, ())
        if one.occurred_at < other_recorded.occurred_at
    ]
    if not mine or isinstance(mine[-1].event, PartidaClosed):
        yield from game.reopened


def was_open(
    game: PartidaContext, other_recorded: RecordedEvent[PartidaOpened], at: datetime
) -> bool | None:
    """Whether another game was open at a moment; None where nobody knows.

    Of two that began at one moment the one that comes first by name was there.
    """
    before: list[RecordedEvent[Event]] = []
    after: list[RecordedEvent[Event]] = []
    for recorded in game.lives[other_recorded.event.partida]:
        same = recorded.occurred_at == at
        first = (
            isinstance(recorded.event, PartidaClosed)
            or recorded.event.partida < game.dossier.partida
        )
        (before if recorded.occurred_at < at or (same and first) else after).append(recorded)
    if not before or isinstance(before[-1].event, PartidaClosed):
        return False
    return bool(after) or other_recorded.gaming_day == game.dossier.gaming_day or None


def _ever_named(dossier: Dossier) -> dict[str, dict[str, RecordedEvent[Event]]]:
    """Of each game every deck it was opened with, showed, mixed or loaded, with the first that
    tells it.
    """
    kinds = (PartidaOpened, DeckInspected, CardsShuffled, ShufflerLoaded)
    events: list[RecordedEvent[Any]] = [one for kind in kinds for one in dossier.anywhere(kind)]
    named: dict[str, dict[str, RecordedEvent[Event]]] = {}
    for one in sorted(events, key=in_time):
        if getattr(one.event, "moment", EXHIBITION) == EXHIBITION:
            of_game = named.setdefault(one.event.partida, {})
            for deck in decks_of(one):
                of_game.setdefault(deck, one)
    return named


def _decks_at(game: PartidaContext, partida: str, at: datetime) -> set[str]:
    """The decks a game, this one or another, was played with at a moment, as far as recorded."""
    dossier = game.dossier
    events = [one for one in (*dossier.entries, *dossier.around) if one.occurred_at <= at]
    then = replace(
        dossier,
        partida=partida,
        table=partida.partition("/")[0],
        entries=tuple(one for one in events if getattr(one.event, "partida", None) == partida),
        around=tuple(one for one in events if getattr(one.event, "partida", None) != partida),
    )
    return set(decks_in_play(PartidaContext(then, game.rules)))


def _shared(
    game: PartidaContext,
    other_recorded: RecordedEvent[PartidaOpened],
    begun: RecordedEvent[Event],
    both_named: Set[str],
) -> dict[str, object]:
    """The decks, and the machine, that both games had when this one began, as a finding tells.

    Of the decks that both ever named.
    """
    at = begun.occurred_at
    found: dict[str, object] = {}
    mine = _decks_at(game, game.dossier.partida, at) & both_named if both_named else both_named
    if decks := _lying_there(game, other_recorded, mine, at):
        found["decks"] = decks
    machine = game.opened.event.shuffler if game.opened is not None else None
    if machine is not None and machine == other_recorded.event.shuffler:
        found["shuffler"] = machine
    return found


def _lying_there(
    game: PartidaContext,
    other_recorded: RecordedEvent[PartidaOpened],
    decks: Set[str],
    at: datetime,
) -> list[str]:
    """Those of some decks that lay in another game at a moment."""
    if not decks:
        return []
    theirs = _decks_at(game, other_recorded.event.partida, at) & decks
    return sorted(deck for deck in theirs if not was_withdrawn(game, deck, at))


@upholds("partida", "Decks and shuffler serve one game at a time.", severity="deviation")
def cards_serve_one_game(game: PartidaContext) -> Verdict:
    """None of them lay in the open game of another table when this game began or took it in.

    A deck lies in a game from its opening, or from when it came in for one that was withdrawn.

    Law: PT art. 3.
    """
    others = [one for one in other_openings(game) if one.event.table != game.dossier.table]
    begun: list[Verdict] = []
    came: list[Verdict] = []
    named = _ever_named(game.dossier)
    mine = named.get(game.dossier.partida, {})
    besides = {deck: one for deck, one in mine.items() if deck not in game.decks}
    for other in others:
        both_named = mine.keys() & named.get(other.event.partida, {}).keys()
        for recorded in _taken_up(game, other):
            open_then = was_open(game, other, recorded.occurred_at)
            shared = {} if open_then is False else _shared(game, other, recorded, both_named)
            begun.append(_taken(game, other, recorded, {}, shared, open_then))
            if isinstance(begun[-1], Breach):
                break
        for deck, recorded in besides.items():
            open_then = was_open(game, other, recorded.occurred_at)
            at = recorded.occurred_at
            there = open_then is not False and _lying_there(game, other, both_named & {deck}, at)
            shared = {"decks": [deck]} if there else {}
            came.append(_taken(game, other, recorded, {"deck": deck}, shared, open_then))
    return together([_first_found(game, begun), *came])


def _taken(
    game: PartidaContext,
    other_recorded: RecordedEvent[PartidaOpened],
    recorded: RecordedEvent[Event],
    where: Where,
    shared: dict[str, object],
    open_then: bool | None,
) -> Verdict:
    """What it comes to that a game took what another had by then."""
    if not shared:
        return LAWFUL
    if open_then is None:
        return UNDECIDED
    observed = {"also_at": other_recorded.event.table, **shared}
    expected = dict.fromkeys(shared, "of_this_game")
    return breach(observed, expected, other_recorded, recorded, where=where)


@upholds("partida", "A table has one game at a time.", severity="warning")
def one_game_at_a_table(game: PartidaContext) -> Verdict:
    """No other game of the table was open when this one was opened, or opened again.

    Law: PT art. 2.
    """
    answers: list[Verdict] = []
    for other in other_openings(game):
        if other.event.table != game.dossier.table:
            continue
        for begun in _taken_up(game, other):
            open_then, mine = was_open(game, other, begun.occurred_at), game.dossier.partida
            alone = None if open_then is None else mine if not open_then else other.event.partida
            answers.append(equal("game", alone, mine, other, begun))
    return _first_found(game, answers)


def _first_found(game: PartidaContext, answers: list[Verdict]) -> Verdict:
    """The first breach, else what all come to; lawful where there is no other game at all."""
    found = next((one for one in answers if isinstance(one, Breach)), None)
    return found or together(answers) or (None if game.opened is None else LAWFUL)
