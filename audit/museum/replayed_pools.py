"""The progressive prizes of a simulated evening made again by the house's own arithmetic.

From entries alone, in the order in which they were recorded; `jackpot.queries.pool_story` does the
same out of a book.
"""

from collections.abc import Iterator, Sequence

from casino.events.partidas import PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.law.dossier import AnyRecorded, RecordedEvent
from casino.law.finding import Breach, Rule
from casino.law.rulebook.jackpot_law import ORDER
from casino.law.rulebook.rulebook_file import law_of_file
from jackpot.events import (
    JackpotAdjusted,
    JackpotIncremented,
    JackpotPaid,
    JackpotRead,
    JackpotSealed,
    JackpotStarted,
    JackpotWon,
    TermsApproved,
    TermsConfirmed,
)
from jackpot.progressive.meter import (
    Adjusted,
    Contributed,
    MeterEvent,
    Paid,
    Read,
    Sealed,
    Started,
    Withdrawn,
)
from jackpot.progressive.payout import Winner
from jackpot.progressive.running_meter import WonNow
from jackpot.progressive.terms import Terms
from jackpot.rules.bounds import InForce
from jackpot.rules.law_readings import graces
from jackpot.rules.order import in_the_decided_order
from jackpot.rules.pool_evening import terms_of
from jackpot.rules.whole import WholePool


def replayed(code: str, written: Sequence[AnyRecorded]) -> WholePool:
    """A prize made again out of everything that was written of an evening, and judged on the
    way.
    """
    whole = WholePool(code)
    for one, event, by in _events(code, written):
        allowed = graces(law_of_file("pt").on(one.gaming_day))
        whole.take(event, at=one.recorded_at, allowed=allowed, by=by)
        if isinstance(one.event, JackpotIncremented) and one.event.display_cents is not None:
            shown, looked = one.event.display_cents, one.occurred_at
            name = event.entry
            whole.showed(name, shown, looked=looked, at=one.recorded_at, allowed=allowed)
    whole.ended()
    return whole


def said_of(code: str, written: Sequence[AnyRecorded]) -> list[tuple[Rule, Breach]]:
    """What was found in a prize's whole story, by the replay and in the order of its wins."""
    found = [(said.check, said.breach) for said in replayed(code, written).said]
    wins = [
        one for one in written if isinstance(one.event, JackpotWon) and one.event.jackpot == code
    ]
    decided = in_the_decided_order(wins)
    return found + [(ORDER, result) for result in decided if isinstance(result, Breach)]


def _events(
    code: str, written: Sequence[AnyRecorded]
) -> Iterator[tuple[AnyRecorded, MeterEvent, InForce | None]]:
    """What bears on a prize with one version of its terms, and these once they are in force."""
    (approved,) = [
        one for one in written if isinstance(one.event, TermsApproved) and one.event.jackpot == code
    ]
    words = [
        one
        for one in written
        if isinstance(one.event, TermsConfirmed) and one.event.jackpot == code
    ]
    partidas = {
        one.event.partida
        for one in written
        if isinstance(one.event, PartidaOpened) and one.event.jackpots == (code,)
    }
    agreed, in_force = terms_of(approved), _in_force(approved)
    for one in written:
        book_event = one.event
        confirmed = any(word.recorded_at < one.recorded_at for word in words)
        terms = agreed if confirmed else None
        by = in_force if confirmed else None
        if isinstance(book_event, RoundPlayed):
            if (
                book_event.partida in partidas
                and terms is not None
                and terms.marking == "automatic"
            ):
                yield one, _chips(one, _staked(book_event), terms), by
        elif getattr(book_event, "jackpot", None) == code:
            for event in _event(one, terms):
                yield one, event, by


def _in_force(approved: RecordedEvent[TermsApproved]) -> InForce:
    times = law_of_file("pt").on(approved.gaming_day)["jackpot.start_times"]
    return InForce(str(approved.n), approved.event.stake_cents, approved.event.limit_cents, times)


def _chips(noted: AnyRecorded, cents: int, terms: Terms) -> Contributed:
    return Contributed(
        entry=f"{noted.stream}#{noted.n}",
        stake_cents=cents,
        rate_millionths=terms.rate_millionths,
    )


def _staked(record: RoundPlayed) -> int:
    return sum(
        wager.stake_cents for box in record.boxes for wager in box.wagers if wager.kind == "jackpot"
    )


def _event(noted: AnyRecorded, terms: Terms | None) -> Iterator[MeterEvent]:
    event, entry = noted.event, str(noted.n)
    if isinstance(event, JackpotIncremented):
        if terms is not None and terms.marking == "manual":
            assert event.chip_cents is not None
            chips = sum(chip.n for chip in event.chips)
            yield _chips(noted, chips * event.chip_cents, terms)
    elif isinstance(event, JackpotStarted):
        yield Started(entry=entry, start_cents=event.start_cents)
    elif isinstance(event, JackpotWon):
        winners = tuple(
            Winner(each.owner, each.box, each.code, each.seat) for each in event.winners
        )
        yield WonNow(
            entry=entry,
            winners=winners,
            prizes=None if terms is None else terms.prizes,
            recorded_microcents=event.running_microcents,
        )
    elif isinstance(event, JackpotPaid):
        winner = f"{event.owner}/{event.box}"
        yield Paid(
            entry=entry,
            hit=str(event.hit.n),
            winner=winner,
            cents=event.paid_cents,
            again=event.again is True,
        )
    elif isinstance(event, JackpotAdjusted) and event.hit is not None:
        yield Withdrawn(entry=entry, hit=str(event.hit.n))
    elif isinstance(event, JackpotAdjusted):
        yield Adjusted(entry=entry, microcents=event.microcents, reason=event.reason)
    elif isinstance(event, JackpotRead):
        yield Read(entry=entry, display_cents=event.display_cents)
    elif isinstance(event, JackpotSealed):
        yield Sealed(entry=entry, microcents=event.microcents)
