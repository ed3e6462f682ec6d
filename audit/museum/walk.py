"""Each incident's evening judged: what found it, after how many rounds and how much staked.

Without a book, as `judged_evenings` does. What is counted as caught:
docs/decisions/0060-the-museum.md.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import cache
from random import Random
from typing import Final, NamedTuple

from audit.museum.judged_evenings import (
    PT,
    Kept,
    dossiers,
    found_in,
    found_of,
    recorded_in,
)
from audit.museum.several_evenings import evenings_without
from audit.night.four_columns import Stop, minutes, stopped
from audit.reconcile.shoes_seen import look_at_shoes
from casino.cards import Card
from casino.events.partidas import PartidaClosed
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import PlayInterrupted, PlayResumed
from casino.law.dossier import Dossier, RecordedEvent
from casino.law.partida_context import in_place
from casino.simulation.faults.every_fault import IN_A_ROUND
from casino.simulation.museum.public_incidents import Incident
from casino.simulation.procedures import ProceduralEvening
from casino.simulation.procedures.breaches.breaking import Breach
from casino.simulation.procedures.breaches.every_breach import BREACHES
from casino.simulation.procedures.breaches.of_rounds import made_in_a_round
from casino.simulation.procedures.procedural_evening import evening_without_breach
from casino.simulation.procedures.procedural_evening import procedural_evening as evening_with
from casino.simulation.procedures.reckoning import reckon

DAY: Final = date(2026, 11, 2)
SEEDS: Final = range(7, 31)  # the first whose evening has room for it
Cause = dict[str, int | str | None]  # the round, or a shoe and a number
# Cards that no shoe of some evenings has.
_GONE: Final = {"a_card_gone": ("KD",), "five_cards_gone": ("2C", "5D", "9H", "QS", "AC")}
_BREACHES: Final = {one.kind: one for one in BREACHES}
_FAULTS: Final = {one.name: one for one in IN_A_ROUND}


class Caught(NamedTuple):
    """What found an incident on its evening: all checks of that game, the expected one among them.

    `rounds`, `staked_cents` and `minutes` lie between its cause and the first round after which
    the check finds it; None where no round shows it. `stopped` is how play ended after that.
    """

    checks: tuple[str, ...]
    game: str
    shoe: int | None
    number: int | None
    rounds: int | None
    staked_cents: int | None
    minutes: int | None
    stopped: str


def has_evening(incident: Incident) -> bool:
    """Whether the program can play an evening like it."""
    return bool(incident.evening) and all(
        one in _BREACHES or one in _FAULTS or one in _GONE for one in incident.evening
    )


def judged(incident: Incident) -> Caught | None:
    """Its evening judged; None where the expected check found nothing.

    Raises: ValueError, where no evening has room for it.
    """
    (kind,) = incident.evening
    return _judged(kind, incident.check)


@cache
def _judged(kind: str, check: str) -> Caught | None:
    if kind in _GONE:
        return _over_evenings(check, _GONE[kind])
    evening, cause = _evening(kind, check)
    found = [one for one in found_in(evening) if one.check == check]
    if not found:
        return None
    if not found[0].partida:
        return Caught((check,), "", None, None, None, None, None, "")
    (dossier,) = [one for one in dossiers(recorded_in(evening)) if one.partida == found[0].partida]
    checks = tuple(sorted({one.check for one in found_of(dossier, PT)}))
    return _caught(dossier, check, checks, cause)


def _over_evenings(check: str, missing_cards: Sequence[Card]) -> Caught | None:
    """Evening after evening with the same decks, until one is found. Each is lawful otherwise."""
    since: list[RecordedEvent[RoundPlayed]] = []
    for dossier in evenings_without(missing_cards, SEEDS[0], DAY):
        rounds, kept = sorted(dossier.of(RoundPlayed), key=in_place), Kept()
        look_at_shoes(dossier, rounds, [PT] * len(rounds), kept)
        suspected = next((one for one in kept.findings if one.check == check), None)
        if suspected is None:
            since += rounds
            continue
        last = next(n for n, one in enumerate(rounds) if one.entry_id in suspected.evidence)
        return _between(dossier, (check,), [*since, *rounds[: last + 1]])
    return None


def _evening(kind: str, check: str) -> tuple[ProceduralEvening, Cause]:
    """The evening, and where its cause lies: the round, or shoe and number."""
    for seed in SEEDS:
        if kind in _BREACHES:
            try:
                evening = evening_with(seed, DAY, [_BREACHES[kind]])
            except ValueError:
                continue
            label = evening.labels[0]
            return evening, dict(label.where) | {"round": label.round}
        for dealing in ("shoe", "shuffler"):
            breach = Breach(kind, "", dealing, check, made_in_a_round, error=_FAULTS[kind])
            evening = evening_without_breach(seed, DAY, [breach])
            rng = Random(seed)  # noqa: S311 -- not cryptographic
            spots = made_in_a_round(breach, evening, rng)
            if spots and reckon(evening.pools, evening.acts, evening.partidas):
                return evening, {"round": spots[0].round}
    raise ValueError(f"no room for {kind} in the evenings of seeds {SEEDS}")


def _caught(dossier: Dossier, check: str, checks: tuple[str, ...], cause: Cause) -> Caught:
    rounds = sorted(dossier.of(RoundPlayed), key=lambda one: one.recorded_at)
    first = _first(rounds, cause)
    for place in range(first, len(rounds)):
        until = rounds[place].recorded_at
        if any(one.check == check for one in found_of(_until(dossier, until), PT)):
            since = rounds[first : place + 1]
            return _between(dossier, checks, since)
    return Caught(checks, dossier.partida, None, None, None, None, None, "closing")


def _between(
    dossier: Dossier, checks: tuple[str, ...], since: Sequence[RecordedEvent[RoundPlayed]]
) -> Caught:
    last = since[-1]
    stops = [Stop(one.occurred_at, True) for one in dossier.of(PlayInterrupted)]
    stops += [Stop(one.occurred_at, False) for one in dossier.of(PlayResumed)]
    closed = max((one.occurred_at for one in dossier.of(PartidaClosed)), default=None)
    ended = stopped(last.recorded_at, stops, closed)
    staked = sum(
        wager.stake_cents for one in since for box in one.event.boxes for wager in box.wagers
    )
    return Caught(
        checks,
        dossier.partida,
        last.event.shoe,
        last.event.number,
        len(since),
        staked,
        minutes(since[0].occurred_at, last.recorded_at),
        "" if ended is None else ended.by,
    )


def _first(rounds: Sequence[RecordedEvent[RoundPlayed]], cause: Cause) -> int:
    """The place of the first round under the cause; the game's first where nobody can say."""
    for place, one in enumerate(rounds):
        played = one.event
        if cause.get("round"):
            if played.round == cause["round"]:
                return place
        elif cause.get("shoe") in (None, played.shoe) and cause.get("number") in (
            None,
            played.number,
        ):
            return place
    return 0


def _until(dossier: Dossier, moment: datetime) -> Dossier:
    """What was recorded of a game by then."""
    entries = tuple(one for one in dossier.entries if one.recorded_at <= moment)
    return replace(dossier, entries=entries, as_of=moment)
