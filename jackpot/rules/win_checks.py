"""Whether a win was one, and whether it was paid as it has to be.

The amounts follow from the meter as it stood, which the record of the win tells; whether that was
the meter is shown by the replay of the whole pool.

Law: PT art. 43, 46, 49, 50.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from casino.cards import is_blackjack
from casino.events.round.round_played import Box, RoundPlayed
from casino.law.dossier import RecordedEvent
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Rule, Verdict
from casino.law.questions import breach
from casino.law.rulebook.jackpot_law import (
    AS_DEALT,
    BORNE,
    LAID,
    ONCE,
    OPEN,
    PRIZES,
    REMAINDER,
    SMALLEST,
)
from casino.law.rulebook.rulebook import LawInForce
from jackpot.events import JackpotPaid, JackpotWinner, TermsApproved
from jackpot.progressive.counted import CardsOf, HandCards, counted_cards
from jackpot.progressive.paid import (
    PaidOut,
    open_until_paid,
    prizes_as_approved,
    remainder_to_the_top,
    smallest_prize_first,
)
from jackpot.progressive.payout import Payout, Winner, payout
from jackpot.progressive.prizes import Match
from jackpot.rules.conditions import with_evidence
from jackpot.rules.laid import laid_a_chip, laid_in, laid_in_some
from jackpot.rules.law_readings import payout_readings
from jackpot.rules.pool_evening import PoolEvening, Win, terms_of

IN_ORDER: Final = "box_in_dealing_order"
FIRST_HAND: Final = "first_hand"


def winning(pool: PoolEvening) -> Iterator[tuple[Rule, Verdict]]:
    """What each check says of each win."""
    for win in pool.wins:
        terms = pool.in_force(win.recorded)
        shown_by = (win.recorded, *win.payments, terms)
        yield ONCE, with_evidence(paid_once(win), *shown_by)
        yield from ((LAID, verdict) for verdict in _laid(win, pool))
        if terms is not None and pool.rules.states("jackpot.cards_of"):
            for winner in win.recorded.event.winners:
                dealt = as_dealt(winner, win, terms, pool.rules)
                yield AS_DEALT, with_evidence(dealt, win.recorded, win.round, terms)
        if pool.rules.states("jackpot.open_cards"):
            # The round says when the cards were collected: without it the time limit has no proof.
            for verdict in _open(win, pool):
                yield OPEN, with_evidence(verdict, *shown_by, win.round)
        came_to = None if terms is None else _payout(win, terms, pool.rules)
        if came_to is None:
            yield PRIZES, UNDECIDED
            continue
        made = _paid_out(win)
        yield BORNE, with_evidence(list(came_to.breaches) or LAWFUL, *shown_by)
        yield SMALLEST, with_evidence(smallest_prize_first(made, came_to), *shown_by)
        given = {(one.owner, one.box): one.cents for one in made}
        known = {(step.winner.owner, step.winner.box) for step in came_to.steps}
        if pool.closed or known <= given.keys():  # until then it may still be paid
            yield PRIZES, with_evidence(prizes_as_approved(came_to, given), *shown_by)
            yield REMAINDER, with_evidence(remainder_to_the_top(came_to, given), *shown_by)


def _paid_out(win: Win) -> list[PaidOut]:
    """What each was paid, in the order of the first payments; what was missing is added to them."""
    given: dict[tuple[str, int], int] = {}
    for each in win.payments:
        if not each.event.again:
            winner = each.event.owner, each.event.box
            given[winner] = given.get(winner, 0) + each.event.paid_cents
    return [PaidOut(owner, box, cents) for (owner, box), cents in given.items()]


def _payout(win: Win, terms: RecordedEvent[TermsApproved], rules: LawInForce) -> Payout | None:
    """What the win comes to; None where nobody recorded the meter, or its table knows it not."""
    event = win.recorded.event
    prizes = terms_of(terms).prizes
    if event.running_microcents is None:
        return None
    if not {winner.code for winner in event.winners} <= {line.code for line in prizes.lines}:
        return None
    winners = [Winner(one.owner, one.box, one.code, one.seat) for one in event.winners]
    return payout(event.running_microcents, prizes, winners, payout_readings(rules))


def paid_once(win: Win) -> Verdict:
    """Nobody was paid a prize a second time. Law: PT art. 50."""
    twice = not_due([each for each in win.payments if each.event.again])
    return twice or (LAWFUL if win.payments else None)


def not_due(payments: Iterable[RecordedEvent[JackpotPaid]]) -> list[Breach]:
    """That these were paid, and nothing was due for them: it is the house's."""
    return [
        breach(
            {"paid_cents": one.paid_cents},
            {"paid_cents": 0},
            where={"owner": one.owner, "box": one.box},
            owed_cents=one.paid_cents,
            owed_to="house" if one.paid_cents else None,
        )
        for one in (each.event for each in payments)
    ]


def _laid(win: Win, pool: PoolEvening) -> Iterator[Verdict]:
    """Of each winner: he had laid a chip in that round. Law: PT art. 45."""
    laid = laid_in(pool, win.recorded.event, win.round) or laid_in_some(pool, win.recorded)
    events = () if laid is None else laid.recorded
    for winner in win.recorded.event.winners:
        result = laid_a_chip(winner, laid)
        made = [one for one in win.payments if _is_his(one, winner)]
        yield with_evidence(result, win.recorded, *events, *made)


def as_dealt(
    winner: JackpotWinner, win: Win, terms: RecordedEvent[TermsApproved], rules: LawInForce
) -> Verdict:
    """The combination told is the one the first cards make. Law: PT art. 42, 46."""
    box = _box_of(win, winner)
    if box is None:
        return UNDECIDED
    reading: CardsOf = rules["jackpot.cards_of"]
    assert win.round is not None
    played, running = win.round.event, win.recorded.event.running_microcents
    match = matched_on(box, played, terms, reading, running)
    if not match.decided and winner.code in match.possible:
        return UNDECIDED
    if match.decided and match.code == winner.code:
        return LAWFUL
    if not match.decided and not match.possible:
        return UNDECIDED
    made = match.code or (", ".join(match.possible) if not match.decided else "none")
    return breach(
        {"combination": winner.code},
        {"combination": made},
        where={"owner": winner.owner, "box": winner.box},
        readings=readings_of(match, box, played, terms, reading, running),
    )


def _box_of(win: Win, winner: JackpotWinner) -> Box | None:
    played = None if win.round is None else win.round.event
    boxes = () if played is None else played.boxes
    return next((box for box in boxes if box.number == winner.box), None)


def matched_on(
    box: Box,
    played: RoundPlayed,
    terms: RecordedEvent[TermsApproved],
    reading: CardsOf,
    running: int | None = None,
) -> Match:
    """What a box's first cards win; `running` is the meter in microcents, where somebody recorded
    it.

    Law: PT art. 42, 43, 46.
    """
    prizes = terms_of(terms).prizes
    hands = [HandCards(hand.number, hand.cards, hand.split_from) for hand in box.hands]
    counted = counted_cards(hands, prizes.cards_counted, _dealt(box, played), reading)
    # Without the meter the larger of two prizes is taken as with the starting value.
    value = terms.event.start_cents * 1_000_000 if running is None else running
    return prizes.matched(counted, value)


def readings_of(
    match: Match,
    box: Box,
    played: RoundPlayed,
    terms: RecordedEvent[TermsApproved],
    reading: CardsOf,
    running: int | None = None,
) -> tuple[str, ...]:
    """The reading a match hangs on: where the cards read otherwise win something else."""
    otherwise: CardsOf = FIRST_HAND if reading != FIRST_HAND else IN_ORDER
    other = matched_on(box, played, terms, otherwise, running)
    same = (other.decided, other.code) == (match.decided, match.code)
    return () if same else ("jackpot-cards",)


def _dealt(box: Box, played: RoundPlayed) -> tuple[Any, ...] | None:
    """The cards a box received in dealing order; None where nobody recorded, or some went
    astray.
    """
    if played.dealt is None or played.misdealt:
        return None
    return tuple(
        one.card for one in played.dealt if not isinstance(one.to, str) and one.to.box == box.number
    )


def _open(win: Win, pool: PoolEvening) -> Iterator[Verdict]:
    """Of each winner: his cards were collected after he was paid. Law: PT art. 49.

    Cards that are back in the shuffler were collected by then at the latest.
    """
    times = None if win.round is None else win.round.event.times
    collected = None if times is None else times.collected
    if times is not None and collected is None:
        collected, latest = times.inserted, True
    else:
        latest = False
    for winner in win.recorded.event.winners:
        mine = [each for each in win.payments if _is_his(each, winner)]
        paid_at = (mine[0].event.paid_at or mine[0].occurred_at) if mine else None
        if paid_at is None and collected is None and not pool.closed:
            continue
        box = _box_of(win, winner)
        result = open_until_paid(
            paid_at,
            collected,
            blackjack_paid_at_once=box is not None and _paid_at_once(box),
            reading=pool.rules["jackpot.open_cards"],
        )
        if latest and result == LAWFUL:
            result = UNDECIDED  # they may have been collected long before
        yield with_evidence(result, owner=winner.owner, box=winner.box)


def _is_his(payment: RecordedEvent[JackpotPaid], winner: JackpotWinner) -> bool:
    """Whether a payment was made to that winner."""
    return (payment.event.owner, payment.event.box) == (winner.owner, winner.box)


def _paid_at_once(box: Box) -> bool:
    """Whether the box had a blackjack that was paid before the bank played. Law: PT art. 21."""
    first = box.hands[0] if box.hands else None
    natural = first is not None and len(box.hands) == 1 and is_blackjack(first.cards)
    return natural and any(wager.kind == "main" and wager.at_once for wager in box.wagers)
