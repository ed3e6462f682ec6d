"""The pool of the progressive, a whole evening long: terms, chips, wins, readings, a seal.

Two tables feed it, both marked by hand. At the one with the shuffler somebody wins in the afternoon
and somebody at night, and there, against the law, two things are done: a guest lays two chips, and
winning cards are collected before their prize is paid.

Its events are of a package above this one, so they are recorded by their kinds' names.
"""

from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Final

from casino.demo import cast
from casino.demo.demo_evening import Evening
from casino.simulation.procedures.procedure_acts import (
    SECOND,
    Act,
    ByName,
    Partida,
    Word,
)
from casino.simulation.procedures.reckoning import reckon
from casino.simulation.procedures.side_play import SidePlay
from casino.simulation.procedures.simulated_pools import (
    SYSTEM,
    TIMES,
    WHOLE,
    Pool,
    Prize,
    Table,
    agreed,
    of_a_suit,
    of_ranks,
)
from casino.simulation.procedures.simulated_tables import SeatedTable
from casino.tlog.canonical import instant_text

CHIP: Final = 250  # cents
DISPLAYED: Final = 175  # of a chip, what the display rises by
DISPLAY: Final = 3_120_450  # cents it showed when it began
AGREED: Final = 28  # days before the evening
TABLE: Final = Table(
    4,
    (
        Prize("four_aces", 4, of_ranks("AAAA"), share=WHOLE),
        Prize("three_sevens_same_suit", 3, of_a_suit("777"), share=WHOLE // 10),
        Prize("two_aces_same_suit", 2, of_a_suit("AA"), fixed=10_000),
    ),
    ("AS AH AD AC", "AS AH AD AC"),
    ("AS AS", "AH AH"),
)
LINKED: Final = ("BJ-02", "BJ-03")
WON_IN: Final = {"BJ-02/1": 26, "BJ-02/2": 110}  # rounds after which somebody's first cards win
TWO_CHIPS_AFTER: Final = 31
BOTH: Final = "BJ-02/2"  # where the two chips were laid, and the cards collected


@dataclass(slots=True)
class Playing:
    """The evening's pool, and where it was played for."""

    evening: Evening
    pool: Pool = field(init=False)
    games: dict[str, Partida] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pool = _agreed(self.evening)

    def at(self, partida: Partida, table: SeatedTable) -> SidePlay:
        """Play for it at a table, from here on."""
        name = f"{partida.table}/{partida.number}"
        self.games[name] = partida
        second = (cast.DAY_CHEFE if name == "BJ-02/1" else cast.CHEFE).who
        chance = Random(f"demo/{cast.JACKPOT}/{name}")  # noqa: S311 - the same evening each time
        side = SidePlay(
            partida, table, self.pool, chance, False, second=second, manager=cast.MANAGER.who
        )
        if name in WON_IN:
            side.waiting[WON_IN[name]] = ("low",)
        return side

    def acts(self) -> list[Act]:
        """All that is recorded of it as a whole, when every partida has been."""
        self._against_the_law(self.games[BOTH])
        self._looked_after()
        games = self.games.values()
        acts = [*self.pool.acts, *(act for game in games for act in game.acts if _of_prize(act))]
        acts.sort(key=lambda act: act.known_at)
        reckon([self.pool], acts, games)
        return self.pool.acts

    def _against_the_law(self, game: Partida) -> None:
        """A guest lays two chips; a winner gets his money when his cards are gone."""
        laid = game.named("jackpot-incremented/1")[TWO_CHIPS_AFTER]
        first, *others = laid.event.final["chips"]
        laid.change(chips=[first | {"n": 2}, *others])
        paid = game.named("jackpot-paid/1")[0]
        word = game.word_for(paid)
        paid.at += 90 * SECOND
        paid.change(paid_at=instant_text(paid.at))
        word.at = word.event.present_until = paid.at + 10 * SECOND

    def _looked_after(self) -> None:
        """The display is read, and put right once; the meter is sealed twice."""
        pool, at = self.pool, self.evening.at
        manager, chefe = cast.MANAGER.who, cast.CHEFE.who
        pool.record(at("19:50"), SYSTEM, "jackpot-sealed/1")
        pool.record(at("20:10"), manager, "jackpot-read/1", table="BJ-02")
        fault = {"microcents": 12 * WHOLE, "reason": "device_fault", "reference": "Auto 41"}
        put_right = pool.record(at("21:15"), manager, "jackpot-adjusted/1", **fault)
        seen = Word(put_right, chefe.staff, chefe.office, "41", at("21:14"), at("21:16"))
        pool.acts.append(Act(at("21:16"), chefe, seen))
        pool.record(at("23:30"), chefe, "jackpot-read/1")
        pool.record(at("02:50"), SYSTEM, "jackpot-sealed/1")


def _of_prize(act: Act) -> bool:
    """Whether an act of a partida is of the prize, and not of its table's game."""
    event = act.event.act.event if isinstance(act.event, Word) else act.event
    return isinstance(event, ByName)


def _agreed(evening: Evening) -> Pool:
    """What the inspectorate set is put down, compared and put to work."""
    at = evening.before(AGREED, "10:00")
    day = at.date().isoformat()
    return agreed(
        cast.JACKPOT,
        TABLE,
        (CHIP, DISPLAYED * WHOLE // CHIP, TIMES * CHIP),
        (at, at + timedelta(hours=1)),
        (cast.MANAGER.who, cast.CHEFE.who),
        display=DISPLAY,
        terms="C-1",
        marking="manual",
        tables=list(LINKED),
        option_reference="Comunicação de exemplo 1",
        communicated_on=day,
        approval_reference="Decisão de exemplo 1",
        approved_on=day,
        proposed_on=day,
    )
