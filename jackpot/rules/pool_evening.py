"""One pool as a partida meets it: its terms, its chips round by round, its wins and payments.

Built from a dossier alone. What the partida itself told stands in its entries, what the pool's own
stream tells of it lies around.

Law: PT art. 38 to 50.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from casino.events.event import Event
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.tables import TableRegistered
from casino.law.dossier import Dossier, RecordedEvent
from casino.law.round_moments import round_named
from casino.law.rulebook.rulebook import LawInForce
from jackpot.events import (
    JackpotAdjusted,
    JackpotIncremented,
    JackpotPaid,
    JackpotStarted,
    JackpotWon,
    TermsApproved,
    TermsConfirmed,
)
from jackpot.progressive.prizes import PrizeList
from jackpot.progressive.terms import Terms
from jackpot.rules.chip_checks import Collection, collections


@dataclass(frozen=True, slots=True, eq=False)
class Win:
    """A round that won: its entry, its payments in the order they were made, the round's record.

    `withdrawn` are the entries by which it was withdrawn.
    """

    recorded: RecordedEvent[JackpotWon]
    payments: tuple[RecordedEvent[JackpotPaid], ...]
    round: RecordedEvent[RoundPlayed] | None
    withdrawn: tuple[RecordedEvent[JackpotAdjusted], ...] = ()


@dataclass(slots=True, eq=False)
class PoolEvening:
    """What one partida tells of one pool. `alone` is whether it names this pool and no other."""

    jackpot: str
    dossier: Dossier
    rules: LawInForce
    opened: RecordedEvent[PartidaOpened] | None
    closed: bool
    alone: bool = False
    rounds: list[Collection] = field(default_factory=list)
    wins: list[Win] = field(default_factory=list)
    undone: list[Win] = field(default_factory=list)  # withdrawn, and paid all the same
    terms: list[RecordedEvent[TermsApproved]] = field(default_factory=list)
    confirmed: dict[int, RecordedEvent[TermsConfirmed]] = field(default_factory=dict)

    @property
    def rounds_name_chips(self) -> bool:
        """Whether the partida's rounds tell jackpot chips at all: many records know only cards."""
        return any(has_chips(recorded) for recorded in self.dossier.of(RoundPlayed))

    @property
    def table(self) -> RecordedEvent[TableRegistered] | None:
        """What was recorded of the table last."""
        found = self.dossier.around_of(TableRegistered)
        return found[-1] if found else None

    def in_force(self, recorded: RecordedEvent[Event]) -> RecordedEvent[TermsApproved] | None:
        """The terms of what happened and was recorded then; None for none. Law: PT art. 40.

        They hold from their second person's word on; a correction has those of what it corrects.
        """
        as_of = self.dossier.first_record(recorded).recorded_at
        known = [
            one
            for one in self.terms
            if (word := self.confirmed.get(one.n)) is not None
            and max(one.event.valid_from, word.occurred_at) <= recorded.occurred_at
            and word.recorded_at < as_of
        ]
        return max(
            known, key=lambda recorded: (recorded.event.valid_from, recorded.n), default=None
        )

    def unconfirmed(self, recorded: RecordedEvent[Event]) -> RecordedEvent[TermsApproved] | None:
        """The terms that would have been in force then, had a second person confirmed them."""
        as_of = self.dossier.first_record(recorded).recorded_at
        known = [
            one
            for one in self.terms
            if one.event.valid_from <= recorded.occurred_at and one.recorded_at < as_of
        ]
        return max(
            known, key=lambda recorded: (recorded.event.valid_from, recorded.n), default=None
        )

    def in_force_in(self, collection: Collection) -> RecordedEvent[TermsApproved] | None:
        """The terms of a round's chips."""
        recorded = collection.increments[0] if collection.increments else collection.round
        return None if recorded is None else self.in_force(recorded)

    @property
    def used(self) -> list[tuple[RecordedEvent[TermsApproved], RecordedEvent[Event]]]:
        """Every version something was played by, each with the first entry it was used for."""
        found: dict[int, tuple[RecordedEvent[TermsApproved], RecordedEvent[Event]]] = {}
        for recorded in [*entries_of(self.rounds), *(win.recorded for win in self.wins)]:
            terms = self.in_force(recorded)
            if terms is not None:
                found.setdefault(terms.n, (terms, recorded))
        return list(found.values())

    def played_on(
        self, played: Iterable[RecordedEvent[Event]]
    ) -> list[tuple[RecordedEvent[Event], RecordedEvent[JackpotStarted] | None]]:
        """Every start something was played on, each with the first entry: the last start before."""
        starts = [
            one
            for one in self.dossier.around_of(JackpotStarted)
            if one.event.jackpot == self.jackpot
        ]
        found: dict[
            int | None, tuple[RecordedEvent[Event], RecordedEvent[JackpotStarted] | None]
        ] = {}
        for recorded in sorted(
            played, key=lambda recorded: (recorded.recorded_at, recorded.stream, recorded.n)
        ):
            before = [start for start in starts if start.recorded_at < recorded.recorded_at]
            last = max(before, key=lambda start: start.n, default=None)
            found.setdefault(None if last is None else last.n, (recorded, last))
        return list(found.values())


def pools_of(dossier: Dossier, rules: LawInForce) -> list[PoolEvening]:
    """Every pool the partida tells of, each by itself."""
    opened = dossier.of(PartidaOpened)
    named = (opened[-1].event.jackpots or ()) if opened else ()
    found = collections(dossier)
    codes = {recorded.event.jackpot for recorded in dossier.of(JackpotIncremented)}
    codes |= {recorded.event.jackpot for recorded in dossier.anywhere(JackpotWon)}
    pools = []
    for jackpot in sorted(codes | set(named)):
        pool = PoolEvening(
            jackpot, dossier, rules, opened[-1] if opened else None, bool(dossier.of(PartidaClosed))
        )
        pool.alone = named == (jackpot,) or (not named and codes == {jackpot})
        mine = (_own(one, jackpot, pool.alone) for one in found)
        pool.rounds = [one for one in mine if one is not None]
        pool.terms = [t for t in dossier.anywhere(TermsApproved) if t.event.jackpot == jackpot]
        words = [t for t in dossier.anywhere(TermsConfirmed) if t.event.jackpot == jackpot]
        for word in reversed(words):
            pool.confirmed[word.event.confirms.n] = word
        pool.wins, pool.undone = _wins(dossier, jackpot)
        pools.append(pool)
    return pools


def _own(collection: Collection, jackpot: str, alone: bool) -> Collection | None:
    """What a round tells of one pool; its own record where the partida named no other."""
    increments = [one for one in collection.increments if one.event.jackpot == jackpot]
    played = collection.round if alone else None
    if not increments and (played is None or not has_chips(played)):
        return None
    return Collection(played, increments, collection.whole)


def has_chips(recorded: RecordedEvent[RoundPlayed]) -> bool:
    """Whether a round's record tells a jackpot chip."""
    return any(wager.kind == "jackpot" for box in recorded.event.boxes for wager in box.wagers)


def _wins(dossier: Dossier, jackpot: str) -> tuple[list[Win], list[Win]]:
    """The wins of the partida that stand, and those withdrawn for which somebody was paid."""
    adjusted = [t for t in dossier.anywhere(JackpotAdjusted) if t.event.jackpot == jackpot]
    payments = [t for t in dossier.anywhere(JackpotPaid) if t.event.jackpot == jackpot]
    played = dossier.of(RoundPlayed)
    wins: list[Win] = []
    undone: list[Win] = []
    for recorded in dossier.anywhere(JackpotWon):
        if recorded.event.jackpot != jackpot:
            continue
        made = [one for one in payments if one.event.hit.leaf == recorded.leaf]
        made.sort(key=lambda recorded: (recorded.event.paid_at or recorded.occurred_at, recorded.n))
        words = [one for one in adjusted if one.event.hit and one.event.hit.leaf == recorded.leaf]
        win = Win(recorded, tuple(made), round_named(recorded.event, played), tuple(words))
        if not words:
            wins.append(win)
        elif made:
            undone.append(win)
    return wins, undone


def entries_of(rounds: Iterable[Collection]) -> list[RecordedEvent[Event]]:
    """The entries that tell of these rounds' chips, in the order of the book."""
    found: list[RecordedEvent[Event]] = [
        value
        for one in rounds
        for value in (*one.increments, *(() if one.round is None else (one.round,)))
    ]
    return sorted(found, key=lambda recorded: (recorded.stream, recorded.n))


def terms_of(recorded: RecordedEvent[TermsApproved]) -> Terms:
    """Terms as the arithmetic takes them.

    Recorded when their author says: an evening's book may be written the day after. That nothing
    recorded before is changed by them, the order of the book sees to.
    """
    return as_terms(recorded.event, recorded.occurred_at)


def as_terms(event: TermsApproved, recorded_at: datetime) -> Terms:
    """An approval as the arithmetic takes it, known since then."""
    return Terms(
        since=event.valid_from,
        stake_cents=event.stake_cents,
        rate_millionths=event.rate_millionths,
        start_cents=event.start_cents,
        prizes=PrizeList(event.cards_counted, event.prize_lines, event.match),
        marking=event.marking,
        recorded_at=recorded_at,
        option_reference=event.option_reference,
        communicated_on=event.communicated_on,
        approval_reference=event.approval_reference,
        approved_on=event.approved_on,
        conditions=event.conditions,
        proposal=event.proposal,
        proposed_on=event.proposed_on,
    )
