"""The house of `test_machine`: two pools at three tables, told to a real book and reckoned beside.

Each act is recorded as the house records it and told to `machine_model`; `check` then compares the
projections, the entries alone and the second reckoning, to the microcent.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

from django.db import connections

from casino.local import roles
from casino.rebuilding import compare, projection_models
from casino.recording import Actor, Receipt, Supersedes
from jackpot import queries
from jackpot.events import JackpotAdjusted, JackpotIncremented, TermsConfirmed
from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.meter import Meter
from jackpot.seal_meter import seal
from tests.factories.pools import (
    POOL,
    SINCE,
    START_CENTS,
    opened,
    paid,
    ref,
    start,
    terms_of,
    won,
)
from tests.factories.records import EVENING, HEAD, MANAGER, PIT, recorded
from tests.factories.usual_events import second_word
from tests.jackpot.machine_model import Agreed, Laid, PoolModel
from tests.servers_django import connections_at

OTHER: Final = "JP-2"
TABLES: Final = ("BJ-06", "BJ-07", "BJ-08")  # the last feeds the other pool
LATE: Final = EVENING + timedelta(minutes=45)
PARTIDA: Final = "{}/2026-11-20/1"

Winners = tuple[tuple[str, int, str], ...]  # owner, box, combination


class Sent(NamedTuple):
    """Something that was recorded, and its receipt."""

    event: Any
    at: datetime
    key: UUID
    receipt: Receipt
    by: Actor


class Waiting(NamedTuple):
    """A correction that waits for its second person, and what it corrects."""

    pending: Sent
    original: Sent


class Hit(NamedTuple):
    """A win there was."""

    receipt: Receipt
    event: Any


@dataclass
class House:
    """A database of its own, and what was told to it."""

    databases: Any
    template: str
    models: dict[str, PoolModel] = field(
        default_factory=lambda: {jackpot: PoolModel(jackpot) for jackpot in (POOL, OTHER)}
    )
    chips: list[Sent] = field(default_factory=list)  # what may be corrected
    first: dict[tuple[str, int], datetime] = field(default_factory=dict)  # of what is corrected
    waiting: list[Waiting] = field(default_factory=list)
    proposed: list[Sent] = field(default_factory=list)  # terms nobody confirmed yet
    hits: list[Hit] = field(default_factory=list)
    payments: list[Sent] = field(default_factory=list)
    withdrawn: set[int] = field(default_factory=set)
    sent: list[Sent] = field(default_factory=list)
    place: int = 0
    shown: int = 0
    lowered: int = 0

    def __post_init__(self) -> None:
        self.around = ExitStack()
        name = self.databases.copy(self.template)
        self.around.callback(self.databases.drop, name)
        addresses = roles.addresses(self.databases.server, name)
        self.around.enter_context(connections_at(addresses))

    @property
    def model(self) -> PoolModel:
        """The pool most of it is about."""
        return self.models[POOL]

    def open(
        self, marking: str, named: Sequence[tuple[str, ...]] = ((POOL,), (POOL,), (OTHER,))
    ) -> None:
        """Terms for both pools; each table feeds one of them."""
        for table, pools in zip(TABLES, named, strict=True):
            opened(table, pools)
            for model in self.models.values():
                model.opened[table] = pools
        for jackpot in self.models:
            self.propose(terms_of(jackpot, marking=marking), SINCE)
            self.confirm(self.proposed.pop())

    def close(self) -> None:
        """The projections say what the book says; then the database goes."""
        try:
            self.check_pool(OTHER)
            for hit in self.hits:
                self.check_win(hit)
            projections = [
                projection for name, projection in projection_models().items() if "jackpot" in name
            ]
            assert [one for projection in projections for one in compare(projection)] == []
        finally:
            self.around.close()

    def record(self, event: Any, at: datetime = EVENING, by: Actor = PIT) -> Sent:
        """Into the book, and nowhere else."""
        key = uuid4()
        one = Sent(event, at, key, recorded(event, key=key, by=by, occurred_at=at), by)
        self.sent.append(one)
        return one

    def propose(self, event: Any, at: datetime = EVENING) -> None:
        """One person tells of terms."""
        self.proposed.append(self.record(event, at, MANAGER))

    def confirm(self, one: Sent, at: datetime | None = None) -> None:
        """Another one confirms them, at the same time or later."""
        event = one.event
        word = self.record(
            TermsConfirmed(jackpot=event.jackpot, confirms=ref(one.receipt)), at or one.at, HEAD
        )
        self.models[event.jackpot].agreed.append(_agreed(one, word))

    def start(self, jackpot: str = POOL) -> None:
        """The house puts a starting value in, whether it may or not."""
        receipt = start(jackpot, reason="other")
        self.models[jackpot].start(START_CENTS, receipt.recorded_at)

    def lay(self, event: Any, at: datetime) -> None:
        """Chips are recorded, by a round or an increment."""
        self.laid(self.record(event, at))

    def laid(self, one: Sent, first: datetime | None = None) -> None:
        """Chips were told: both pools hear of them. `first`: when those they correct were."""
        for model in self.models.values():
            laid = _laid(one, model.jackpot)
            if laid is not None:
                model.lay(laid, one.receipt, first)
        if first is None:
            self.chips.append(one)

    def correct(self, original: Sent, event: Any, at: datetime) -> None:
        """Somebody says that other chips were laid."""
        named = Supersedes(original.receipt.n, original.receipt.leaf, "typing-error")
        receipt = recorded(event, occurred_at=at, supersedes=named)
        pending = Sent(event, at, uuid4(), receipt, PIT)
        place = original.receipt.stream, original.receipt.n
        first = self.first.get(place, original.receipt.recorded_at)
        self.first[receipt.stream, receipt.n] = first
        self.laid(pending, first)
        self.waiting.append(Waiting(pending, original))

    def decide(self, one: Waiting, decision: Any) -> None:
        """A second person agrees, or does not."""
        table = one.pending.event.table
        word = second_word(table, one.pending.receipt, one.original.receipt, decision)
        self.record(word, by=HEAD)
        if decision == "approved":
            for model in self.models.values():
                model.approve(one.pending.receipt, one.original.receipt)
        # What counts from now on may be corrected once more.
        self.chips.append(one.pending if decision == "approved" else one.original)

    def winning(self, winners: Winners, table: str, **known: Any) -> Any:
        """The event that a round won; now by its place alone, now by its UUID too."""
        self.place += 1
        if self.place % 2:
            known["round"] = str(UUID(int=10**6 + self.place, version=4))
        return won(*winners, table=table, shoe=1, number=self.place, **known)

    def won(self, one: Sent) -> Hit:
        """A round has won."""
        winners = tuple((each.owner, each.box, each.code) for each in one.event.winners)
        self.model.win(one.receipt, one.at, winners)
        self.hits.append(Hit(one.receipt, one.event))
        return self.hits[-1]

    def pay(self, hit: Hit, owner: str, box: int, cents: int, **known: Any) -> Sent:
        """Somebody is handed so much for a win."""
        code = next((one.code for one in hit.event.winners if one.box == box), None)
        event = paid(
            hit.receipt,
            owner,
            box,
            code or hit.event.winners[0].code,
            cents,
            table=hit.event.table,
            **known,
        )
        sent = self.record(event)
        self.model.pay(hit.receipt.n, owner, box, cents, again=known.get("again", False))
        self.payments.append(sent)
        return sent

    def adjust(self, microcents: int, reason: Any) -> None:
        """The meter is corrected."""
        self.record(JackpotAdjusted(jackpot=POOL, microcents=microcents, reason=reason), by=MANAGER)
        self.model.adjust(Fraction(microcents, MICROCENTS))

    def withdraw(self, hit: Hit) -> None:
        """A win was none."""
        event = JackpotAdjusted(
            jackpot=POOL, microcents=0, reason="win_withdrawn", hit=ref(hit.receipt)
        )
        self.record(event, by=HEAD)
        self.model.withdraw(hit.receipt.n)
        self.withdrawn.add(hit.receipt.n)

    @property
    def handed(self) -> set[tuple[int, str, int]]:
        """Win, owner and box of every payment there was."""
        events = (one.event for one in self.payments)
        return {(event.hit.n, event.owner, event.box) for event in events}

    @property
    def unpaid(self) -> list[tuple[Hit, str, int, int]]:
        """Prizes nobody was handed yet: the win, owner, box, cents."""
        return [
            (hit, owner, box, cents)
            for hit in self.hits
            for owner, box, cents in self.model.prizes[hit.receipt.n]
            if (hit.receipt.n, owner, box) not in self.handed
        ]

    def seal(self) -> None:
        """The meter is sealed, if it has begun."""
        assert (seal(POOL) is not None) == self.model.begun

    def restart(self) -> None:
        """The program ends and begins again."""
        connections.close_all()

    # What must hold after every act.

    def check(self) -> None:
        """Projections, entries and the second reckoning agree; what was shown never falls
        unsaid.
        """
        self.shown, before = self.check_pool(POOL), self.shown
        assert self.shown >= before or self.model.lowered > self.lowered
        self.lowered = self.model.lowered
        # The other one is looked at now and then, and so are the wins.
        if len(self.sent) % 4 == 0:
            self.check_pool(OTHER)
        if self.hits:
            self.check_win(pick(self.hits, -1 - len(self.sent) % 3))

    def check_pool(self, jackpot: str) -> int:
        """One pool; what its display shows."""
        now, again = queries.pool_now(jackpot), queries.replayed(jackpot)
        for meter in (now.meter, again.meter):
            conserved(meter)
            agrees(meter, self.models[jackpot])
        assert now.displayed_cents == int(self.models[jackpot].running)
        return now.displayed_cents

    def check_win(self, hit: Hit) -> None:
        """What a win came to follows from its place in the book, whenever somebody asks."""
        came_to = queries.payout_of(POOL, hit.receipt.n)
        steps = [] if came_to is None else came_to.steps
        listed = [(step.winner.owner, step.winner.box, step.paid_cents) for step in steps]
        assert listed == self.model.prizes[hit.receipt.n]


def conserved(meter: Meter) -> None:
    """Whatever was put in and not handed out is there."""
    assert meter.pool == meter.started + meter.contributed + meter.adjusted - meter.paid
    assert meter.running == meter.pool - meter.held
    assert meter.held == sum(meter.due.values())
    assert 0 <= meter.held <= meter.pool
    assert all(due >= 0 for due in meter.due.values())


def agrees(meter: Meter, model: PoolModel) -> None:
    """To the microcent, part by part."""
    parts = ("started", "contributed", "adjusted", "paid", "held", "running")
    assert {part: Fraction(getattr(meter, part), MICROCENTS) for part in parts} == {
        part: Fraction(getattr(model, part)) for part in parts
    }
    assert {int(hit): due for hit, due in meter.due.items() if due} == {
        hit: due * MICROCENTS for hit, due in model.due.items() if due
    }
    assert (meter.begun, meter.to_start) == (model.begun, model.may_start)


def pick(among: list[Any], which: int) -> Any:
    """One of them."""
    return among[which % len(among)]


def take(among: list[Any], which: int) -> Any:
    """One of them, which is then gone."""
    return among.pop(which % len(among))


def otherwise_named(event: Any, which: int) -> Any:
    """The same win, its round by other names of it."""
    if event.round is None:
        return replace(event, round=str(UUID(int=10**6 + event.number, version=4)))
    return replace(event, **({}, {"round": None}, {"shoe": None, "number": None})[which % 3])


def other_chips(event: Any, n: int, jackpot: str) -> Any:
    """The same round or increment with other chips."""
    if isinstance(event, JackpotIncremented):
        first = replace(event.chips[0], n=n)
        return replace(event, jackpot=jackpot, chips=(first, *event.chips[2:]))
    boxes = [
        replace(
            one,
            wagers=tuple(
                replace(wager, chip=n, stake_cents=250 * n) if wager.kind == "jackpot" else wager
                for wager in one.wagers
            ),
        )
        for one in event.boxes[:1]
    ]
    return replace(event, boxes=(*boxes, *event.boxes[1:]))


def _agreed(one: Sent, word: Sent) -> Agreed:
    event = one.event
    lines = {
        line.code: ("fixed", line.fixed_cents)
        if line.share_millionths is None
        else ("share", line.share_millionths)
        for line in event.lines
    }
    return Agreed(
        event.valid_from,
        one.receipt.n,
        word.receipt.recorded_at,
        word.at,
        event.stake_cents,
        event.rate_millionths,
        event.marking == "automatic",
        event.tables,
        lines,
    )


def _laid(one: Sent, jackpot: str) -> Laid | None:
    """The chips an entry tells, if a pool may be meant by it."""
    event = one.event
    if not isinstance(event, JackpotIncremented):
        wagers = [each for where in event.boxes for each in where.wagers if each.kind == "jackpot"]
        cents = sum(wager.stake_cents for wager in wagers)
        return Laid(event.table, one.at, True, sum(wager.chip or 1 for wager in wagers), cents)
    if event.jackpot != jackpot:
        return None
    chips = sum(chip.n for chip in event.chips)
    worth = None if event.chip_cents is None else chips * event.chip_cents
    return Laid(event.table, one.at, False, chips, worth)
