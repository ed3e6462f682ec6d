"""The progressive prizes of the simulated house, and by which terms they are played for.

One is fed by the tables with shoes, marked by hand; the other by those with shufflers, by itself.
Their events are of a room above this one and are recorded by their kinds' names. What cards win,
and how much, is written once more by another hand than the law's (see `reckoning`).

Law: PT art. 38 to 44.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Final

from casino.cards import Card
from casino.events.partidas import Dealing
from casino.simulation.procedures import simulated_cast
from casino.simulation.procedures.procedure_acts import MINUTE, Act, ByName, Partida, Who, Word
from casino.simulation.procedures.simulated_house import MARKED
from casino.tlog.canonical import instant_text

WHOLE: Final = 1_000_000  # a share of everything; and so many microcents are a cent
CHIPS: Final = (250, 500)  # cents
RATES: Final = (25_000, 350_000, 700_000)  # millionths of each chip
TIMES: Final = 10_000  # the start value is so many chips at least
SYSTEM: Final = Who("jackpot", "sistema", "job")


@dataclass(frozen=True, slots=True)
class Prize:
    """One line of a table: its code, how many first cards it asks, and what it pays.

    `share` are millionths of everything, or `fixed` cents.
    """

    code: str
    cards: int
    made: Callable[[Sequence[Card]], bool]
    share: int | None = None
    fixed: int | None = None

    def cents(self, running: int) -> int:
        """What it is worth where the display runs at so many microcents."""
        return self.fixed or running * (self.share or 0) // WHOLE // WHOLE

    @property
    def line(self) -> dict[str, object]:
        """As the terms tell it."""
        paid = {"share_millionths": self.share, "fixed_cents": self.fixed}
        return {"code": self.code} | {name: n for name, n in paid.items() if n is not None}


@dataclass(frozen=True, slots=True)
class Table:
    """An approved table, the highest prize first; `counted` first cards count.

    `highest` and `smallest` are cards that win so, for one player and for a second.
    """

    counted: int
    prizes: tuple[Prize, ...]
    highest: tuple[str, str]
    smallest: tuple[str, str]

    def won_by(self, cards: Sequence[Card]) -> Prize | None:
        """What a player's first cards win; None for nothing."""
        for prize in self.prizes:
            if len(cards) >= prize.cards and prize.made(cards[: prize.cards]):
                return prize
        return None

    def prize(self, code: str) -> Prize | None:
        """The line of a combination."""
        return next((one for one in self.prizes if one.code == code), None)


def of_ranks(ranks: str) -> Callable[[Sequence[Card]], bool]:
    """Cards of just these ranks, which are named in the order of their letters."""
    return lambda cards: "".join(sorted(card[0] for card in cards)) == ranks


def _twins(cards: Sequence[Card]) -> bool:
    return cards[0] == cards[1]


def of_a_suit(ranks: str) -> Callable[[Sequence[Card]], bool]:
    """The same, all of one suit."""
    return lambda cards: of_ranks(ranks)(cards) and len({card[1] for card in cards}) == 1


def _natural_of_a_suit(cards: Sequence[Card]) -> bool:
    one, other = sorted(cards, key=lambda card: card[0] != "A")
    return one[0] == "A" and other[0] in "TJQK" and one[1] == other[1]


TABLES: Final = (
    Table(
        2,
        (
            Prize("two_aces_same_suit", 2, of_a_suit("AA"), share=WHOLE),
            Prize("pair_same_suit", 2, _twins, fixed=5_000),
            Prize("blackjack_same_suit", 2, _natural_of_a_suit, fixed=2_000),
        ),
        ("AS AS", "AC AC"),
        ("AH KH", "AD QD"),
    ),
    Table(
        3,
        (
            Prize("three_sevens_same_suit", 3, of_a_suit("777"), share=WHOLE),
            Prize("three_sevens", 3, of_ranks("777"), share=100_000),
            Prize("six_seven_eight_same_suit", 3, of_a_suit("678"), fixed=20_000),
            Prize("pair_same_suit", 2, _twins, fixed=1_500),
        ),
        ("7D 7D 7D", "7S 7S 7S"),
        ("TC TC", "JH JH"),
    ),
    Table(
        4,
        (
            Prize("four_aces", 4, of_ranks("AAAA"), share=WHOLE),
            Prize("three_aces", 3, of_ranks("AAA"), share=50_000),
            Prize("pair_same_suit", 2, _twins, fixed=2_500),
        ),
        ("AS AH AD AC", "AS AH AD AC"),
        ("9H 9H", "3C 3C"),
    ),
)


@dataclass(slots=True, eq=False)
class Pool:
    """One prize of an evening: its code, its tables, its terms, what was recorded of it as a whole.

    `by_hand` is whether the dealer collects the chips and raises the display.
    """

    code: str
    by_hand: bool
    table: Table
    chip_cents: int
    rate: int
    start_cents: int
    terms: Act
    confirmed: Act
    started: Act
    acts: list[Act] = field(default_factory=list)

    def record(self, at: datetime, who: Who, kind: str, **values: object) -> Act:
        """Something of the prize as a whole."""
        act = Act(at, who, ByName(kind, {"jackpot": self.code, **values}))
        self.acts.append(act)
        return act

    def named(self, kind_bytes: str) -> list[Act]:
        """What was recorded of it as a whole of one kind, as it happened."""
        found = [
            act
            for act in self.acts
            if isinstance(act.event, ByName) and act.event.kind == kind_bytes
        ]
        return sorted(found, key=lambda act: act.at)

    def drop(self, act: Act) -> None:
        """Let nobody have recorded it."""
        self.acts.remove(act)


def pools_of(day: date, seed: int) -> list[Pool]:
    """The prizes of an evening, approved a month before, started in the afternoon."""
    rng = Random(f"livro-da-sala/pools/{seed}")
    return [_pool(day, dealing, rng) for dealing in MARKED]


def _pool(day: date, dealing: Dealing, rng: Random) -> Pool:
    opened = datetime(day.year, day.month, day.day, 14, tzinfo=UTC)
    table, chip, rate = rng.choice(TABLES), rng.choice(CHIPS), rng.choice(RATES)
    start = chip * TIMES + rng.choice((0, 100_000))
    return agreed(
        f"JP-{MARKED[dealing][0].upper()}-{day:%y%m%d}",
        table,
        (chip, rate, start),
        (opened - timedelta(days=30, hours=2), opened),
        (simulated_cast.MANAGER, simulated_cast.CHEFES[0]),
        terms=f"C-{day:%y%m%d}",
        marking=MARKED[dealing],
        tables=[
            simulated_cast.table_of(place)
            for place in simulated_cast.PLACES
            if simulated_cast.dealing_of(place) == dealing
        ],
        option_reference="Comunicação 7",
        communicated_on=(day - timedelta(days=60)).isoformat(),
        approval_reference="Despacho 19",
        approved_on=(day - timedelta(days=40)).isoformat(),
        proposed_on=(day - timedelta(days=55)).isoformat(),
    )


def agreed(
    code: str,
    table: Table,
    amounts: tuple[int, int, int],
    moments: tuple[datetime, datetime],
    people: tuple[Who, Who],
    *,
    display: int | None = None,
    **known: object,
) -> Pool:
    """What the inspectorate set is put down, compared by a second of these people, put to work.

    `amounts` are the chip's and the start's cents and the rate in millionths (chip, rate, start),
    `moments` those of the terms and of the start, `display` the cents it showed when it began.
    """
    chip, rate, start = amounts
    (at, opened), (manager, second) = moments, people
    terms = known | {
        "jackpot": code,
        "valid_from": instant_text(at),
        "stake_cents": chip,
        "rate_millionths": rate,
        "start_cents": start,
        "cards_counted": table.counted,
        "lines": [prize.line for prize in table.prizes],
        "match": "first",
        "conditions": "Anexo I",
        "proposal": "Proposta 4",
    }
    act = Act(at, manager, ByName("terms-approved/1", terms))
    said = ByName("terms-confirmed/1", {"jackpot": code, "confirms": act})
    confirmed = Act(at + 20 * MINUTE, second, said)
    first = {"jackpot": code, "start_cents": display or start, "reason": "first"}
    started = Act(opened, manager, ByName("jackpot-started/1", first))
    by_hand, acts = known["marking"] == "manual", [act, confirmed, started]
    return Pool(code, by_hand, table, chip, rate, start, act, confirmed, started, acts)


def looked_after(pool: Pool, games: Sequence[Partida], rng: Random) -> None:
    """What the house does with a prize besides: readings, an adjustment now and then, seals."""
    last = max([pool.started.at, *(act.known_at for game in games for act in game.acts)])
    if games:
        middle = pool.started.at + (last - pool.started.at) * rng.uniform(0.4, 0.8)
        pool.record(middle, simulated_cast.CHEFES[1], "jackpot-read/1")
        if rng.random() < 0.3:
            _adjusted(pool, middle + 7 * MINUTE, rng)
    pool.record(last + 11 * MINUTE, SYSTEM, "jackpot-sealed/1")
    pool.record(last + 40 * MINUTE, simulated_cast.MANAGER, "jackpot-read/1")
    pool.record(last + 90 * MINUTE, SYSTEM, "jackpot-sealed/1")


def _adjusted(pool: Pool, at: datetime, rng: Random) -> None:
    """A fault of the display is put right, and another person confirms it."""
    values = {
        "microcents": rng.randint(1, 40) * pool.chip_cents * pool.rate,
        "reason": "device_fault",
        "reference": "Auto 3",
    }
    act = pool.record(at, simulated_cast.MANAGER, "jackpot-adjusted/1", **values)
    chefe, left = simulated_cast.CHEFES[1], at + MINUTE
    pool.acts.append(Act(left, chefe, Word(act, chefe.staff, chefe.office, "41", at, left)))
