"""A table put into the state an exercise begins with: recorded like everything else, by the people
of the demo, at a table of its own, so that several can train at once and begin again.

The table's evening is played by the evening kit, and what comes after the moment in question is
left out; it is told so that this moment is now.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import count
from typing import Final
from uuid import uuid4

from casino.demo import cast
from casino.demo.demo_house import MODEL
from casino.demo.demo_tables import Cuts, DemoShoe, DemoShuffler, known_of
from casino.demo.pool import CHIP, DISPLAY, DISPLAYED
from casino.demo.pool import TABLE as PRIZES
from casino.demo.recording_acts import record_acts
from casino.events.shoes import CutMade
from casino.events.staff import DutyBegun
from casino.house_day import house_day_at
from casino.models import Table
from casino.simulation.procedures import simulated_house
from casino.simulation.procedures.procedure_acts import MINUTE, SECOND, Act, Partida, Who, later
from casino.simulation.procedures.reckoning import reckon
from casino.simulation.procedures.side_play import SidePlay
from casino.simulation.procedures.simulated_pools import TIMES, WHOLE, Pool, agreed
from casino.simulation.procedures.table_story import OPENED, backs_of

FIRST_TABLE: Final = 50  # BJ-51 and on are tables of exercises
PLACE: Final = "Sala de treino"  # where they stand
JAMMED_AFTER: Final = 3  # rounds
WON_AFTER: Final = 2
_LONG_BEFORE: Final = timedelta(days=27)  # when the table, its machine and its pool were entered
_ROUNDS: Final = 12
_WAYS: Final = 4  # the simulated tables: a shoe and a shuffler of six decks, then of four
_DEALERS: Final = cast.DEALERS["BJ-01"]


@dataclass(slots=True)
class Staged:
    """A table as it stands at a moment: what is to be recorded, and what its exercise speaks of."""

    game: Partida
    acts: list[Act]
    until: datetime
    values: Mapping[str, object] = field(default_factory=dict)
    pool: Pool | None = None


Stage = Callable[[Partida, datetime], Staged | None]


def put_up(stage: str, pit: Who, now: datetime) -> tuple[Partida, Mapping[str, object]]:
    """Record a new table in that state; its game, and what its exercise speaks of.

    Raises: what `casino.recording.record_many` raises.
    """
    free = _free_numbers(int(stage == "jam"))
    staged = next(one for number in free if (one := _staged(stage, number, pit, now)) is not None)
    game = staged.game
    acts = [*_founded(game, pit, staged, now), *staged.acts]
    record_acts(sorted(acts, key=lambda act: act.known_at), f"training/{uuid4()}/")
    return game, {"table": game.table, **staged.values}


def _free_numbers(dealt: int) -> Iterator[int]:
    """Those nobody gave to a table yet, of those the simulated house deals at in that way: 0 for a
    shoe of six decks, 1 for a shuffler.
    """
    taken = set(Table.objects.values_list("table_code", flat=True))
    numbers = count(FIRST_TABLE + 1)
    return (one for one in numbers if (one - 1) % _WAYS == dealt and f"BJ-{one}" not in taken)


def _staged(stage: str, number: int, pit: Who, now: datetime) -> Staged | None:
    """Twice: what it takes until that moment is known once it was played."""
    first = now
    for _ in range(2):
        game = _game(number, stage == "jam", pit, house_day_at(first - OPENED))
        staged = STAGES[stage](game, first)
        if staged is None:
            return None
        first += now - 20 * SECOND - staged.until
    return staged


def _game(number: int, shuffled: bool, pit: Who, day: date) -> Partida:
    return Partida(
        day=day,
        table=f"BJ-{number}",
        number=1,
        dealing="shuffler" if shuffled else "shoe",
        decks=tuple(f"D-{number}{place}" for place in range(1, 7)),
        pit=pit,
        chefe=cast.CHEFE.who,
        house=cast.HOUSE,
        dealers=tuple(dealer.number for dealer in _DEALERS),
        device=pit,
        shuffler=f"CSM-{number}" if shuffled else None,
    )


# The states


def _jam(game: Partida, first: datetime) -> Staged:
    """Three rounds were dealt from the shuffler."""
    DemoShuffler(**known_of(game, first, _ROUNDS)).play_out()
    until = game.rounds[JAMMED_AFTER - 1].at
    values = {"machine": game.shuffler, "rounds": JAMMED_AFTER}
    return Staged(game, _until(game.acts, until), until, values)


def _cut(game: Partida, first: datetime) -> Staged | None:
    """The decks were shuffled and are to be cut: who has the right to, and somebody who has not."""
    DemoShoe(**known_of(game, first, 1), shoes=1, turns=Cuts()).play_out()
    made = game.of(CutMade)[0]
    others = [seat for seat in made.event.seats_occupied or () if seat != made.event.seat]
    if not others:
        return None
    until = made.at - SECOND
    return Staged(
        game, _until(game.acts, until), until, {"right": made.event.seat, "wrong": others[-1]}
    )


def _prize(game: Partida, first: datetime) -> Staged | None:
    """A player's first cards are those of a prize; nobody said so yet."""
    known = known_of(game, first, _ROUNDS)
    pool = _pool(game, first)
    side = SidePlay(
        game,
        known["table"],
        pool,
        known["rng"],
        False,
        second=cast.CHEFE.who,
        manager=cast.MANAGER.who,
        waiting={WON_AFTER: ("low",)},
    )
    DemoShoe(**known, shoes=1, turns=Cuts(), side=side).play_out()
    reckon([pool], sorted([*pool.acts, *game.acts], key=lambda act: act.known_at), [game])
    won = game.named("jackpot-won/1")
    if not won or won[0].event.final["winners"][0].get("seat") is None:
        return None
    winner, until = won[0].event.final["winners"][0], won[0].at - SECOND
    values = {"jackpot": pool.code, "seat": winner["seat"], "round": won[0].event.final["number"]}
    acts = _until(game.acts, until)
    # Its cards still lie there: the round is over once the prize is paid.
    return Staged(game, acts, until, values, pool)


def _pool(game: Partida, first: datetime) -> Pool:
    """A prize of this table alone, by the terms of the demo's."""
    at = first - _LONG_BEFORE + MINUTE
    day = at.date().isoformat()
    return agreed(
        f"JP-{game.table[3:]}",
        PRIZES,
        (CHIP, DISPLAYED * WHOLE // CHIP, TIMES * CHIP),
        (at, at + timedelta(hours=1)),
        (cast.MANAGER.who, cast.CHEFE.who),
        display=DISPLAY,
        terms=f"C-{game.table[3:]}",
        marking="manual",
        tables=[game.table],
        option_reference="Comunicação de exemplo 1",
        communicated_on=day,
        approval_reference="Decisão de exemplo 1",
        approved_on=day,
        proposed_on=day,
    )


STAGES: Final[Mapping[str, Stage]] = {"jam": _jam, "cut": _cut, "prize": _prize}


def _until(acts: Iterable[Act], until: datetime) -> list[Act]:
    """What was recorded by then."""
    return [act for act in acts if act.known_at <= until]


# What it stands on


def _founded(game: Partida, pit: Who, staged: Staged, now: datetime) -> Iterator[Act]:
    """The table, its machine, its decks, its pool; and that those who work there are on duty."""
    manager, second, at = cast.MANAGER.who, cast.SECOND_PIT.who, now - _LONG_BEFORE
    opened = min(act.at for act in staged.acts)
    limits = next(act.event.limits for act in staged.acts if hasattr(act.event, "limits"))
    yield from simulated_house.table_entered(
        at,
        manager,
        game.table,
        limits,
        manager,
        "Despacho 14/2026",
        manager.staff,
        boxes=7,
        place=PLACE,
        jackpot_place=staged.pool is not None,
        jackpot_marking="none" if staged.pool is None else "manual",
    )
    if game.shuffler is not None:
        known = {"approval": "Aprovação 2026/118", "certificate": "Laudo EX-417/2"}
        serial = f"EX-{game.table[3:]}"
        yield simulated_house.machine_entered(
            at, manager, game.shuffler, game.table, model=MODEL, serial=serial, **known
        )
    for one in backs_of(game.decks, cast.HOUSE.backs):
        known = {"serial": f"EX-{one.deck}", "document": "Guia 2044"}
        received = opened - timedelta(days=2)
        yield from simulated_house.deck_received(
            received, manager, one.deck, one.back_colour, second, later(received, 5), **known
        )
    if staged.pool is not None:
        yield from staged.pool.acts
    for who in (manager, cast.CHEFE.who, pit):
        duty = DutyBegun(staff=who.staff, office=who.office, tables=())
        yield Act(later(opened, -10), manager, duty)
