"""All ways to break the rules of procedure that can be planted, and the articles they break.

They stand in `breaches.toml`. Law: PT art. 2 to 17, 37 to 61.
"""

import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from casino.events.partidas import SpecialCard
from casino.simulation.fault_labels import Planted
from casino.simulation.faults.every_fault import (
    AFTER_THE_LAST,
    ARTICLE_OF_AFTER_THE_LAST,
    IN_A_ROUND,
)
from casino.simulation.planting import Kind, Mark
from casino.simulation.procedures.breaches import (
    after_rounds,
    between_rounds,
    breaking,
    of_loading,
    of_machine_reports,
    of_prize_chips,
    of_prize_payments,
    of_prize_story,
    of_prize_terms,
    of_rounds,
    of_shoes,
    of_shufflers,
    of_silence,
    of_tables,
)
from casino.simulation.procedures.breaches.breaking import Breach, ProceduralEvening, in_a_partida

_MODULES: Final = {
    module.__name__.rpartition(".")[2]: module
    for module in (
        *(
            after_rounds,
            between_rounds,
            of_loading,
            of_machine_reports,
            of_prize_chips,
            of_prize_payments,
        ),
        *(of_prize_story, of_prize_terms, of_rounds, of_shoes, of_shufflers, of_silence, of_tables),
    )
}
# What the function of a breach is given, by the name in the table.
_RUNS: Final[dict[str, Callable[..., Any]]] = {
    "partida": in_a_partida,
    "partida and evening": partial(in_a_partida, beside=True),
    "evening": lambda plant, breach, evening, rng: plant(breach, evening, rng),
    "terms": partial(of_prize_terms.of_pool, named=True),
    "pool": of_prize_terms.of_pool,
    "pool without prizes": partial(of_prize_terms.of_pool, due=False),
    "story": of_prize_story.of_the_prize,
}
_ERRORS: Final = {kind.name: kind for kind in IN_A_ROUND} | {
    AFTER_THE_LAST: Kind(AFTER_THE_LAST, ARTICLE_OF_AFTER_THE_LAST, lambda draft, rng: Mark())
}


def _breaches() -> Iterator[Breach]:
    table = tomllib.loads(Path(__file__).with_name("breaches.toml").read_text("utf-8"))
    for section, rows in table.items():
        every = rows.pop("_each", {})
        for kind, (article, dealing, check, *how) in rows.items():
            yield _breach(section, kind, article, dealing, check, {**every, **dict(*how)})


def _breach(
    section: str, kind: str, article: str, dealing: Any, check: str, how: dict[str, Any]
) -> Breach:
    chosen = how.keys() & {"one", "first", "last"} and "how" not in how
    name = how.pop("how", "changed" if chosen else kind)
    # Of the section's module, or one of those that several share.
    make = getattr(_MODULES[section], name, None) or getattr(breaking, name)
    run = _RUNS[how.pop("run", "partida")]
    features = frozenset(how.pop("needs", "").split())
    wishes: dict[str, Any] = {name: _wish(value) for name, value in how.pop("wishes", {}).items()}
    if "winners" in how:
        wishes["winners"] = tuple(how.pop("winners"))
    error = _ERRORS[kind] if how.pop("error", False) else None
    given = {name: _value(name, value) for name, value in how.items()}
    spots = partial(run, partial(make, **given))
    return Breach(kind, article, dealing, check, spots, features, wishes, error)


def _wish(value: object) -> object:
    """By shoe, where it is of some shoes."""
    return {int(shoe): each for shoe, each in value.items()} if isinstance(value, dict) else value


def _value(name: str, value: object) -> object:
    if isinstance(value, list):
        return tuple(value)
    return SpecialCard(**value) if isinstance(value, dict) and "front" in value else value


BREACHES: Final = tuple(_breaches())
# The articles of the Portuguese regulation under which the checks that are met here stand.
CHECKS: Final = {breach.check: breach.article for breach in BREACHES}


def plant(breach: Breach, evening: ProceduralEvening, rng: Random) -> bool:
    """Plant a breach and label it; False where there is no room for it."""
    spots = breach.spots(breach, evening, rng)
    if spots is None:
        return False
    evening.labels += [
        Planted(
            spot.partida,
            breach.kind,
            CHECKS[spot.check],
            spot.check,
            tuple(sorted(spot.where.items())),
            spot.round,
        )
        for spot in spots
    ]
    return True
