"""What needs the inspection service: a single card exchanged, the limits a table plays by.

Law: PT art. 5 (leave, on grounds), 14, 15 (approved limits), 51 (the special rule of a shuffler).
"""

from datetime import datetime
from typing import Any, Final

from casino.events.inspection import LeaveAsked, LeaveDecided, LimitsApproved
from casino.events.partidas import PartidaOpened
from casino.events.tables import LimitsSet
from casino.law.checks.table.deck_condition import DAMAGED, Exchange, excused_at_shuffler
from casino.law.dossier import RecordedEvent
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict, upholds
from casino.law.game_law import limits_in, limits_in_force
from casino.law.partida_context import PartidaContext, is_opened
from casino.law.questions import breach, evidence_of, together

SERVICE: Final = "inspetor"

# Article 5: leave


def _decided_at(recorded: RecordedEvent[LeaveDecided]) -> datetime:
    return recorded.event.decided_at or recorded.occurred_at


def _decisions(game: PartidaContext, leave: str) -> list[RecordedEvent[LeaveDecided]]:
    """What was decided under a number or a document, the last word last."""
    named = leave.casefold()
    found = [
        one
        for one in game.dossier.house_of(LeaveDecided)
        if named in (one.event.leave.casefold(), one.event.document.casefold())
    ]
    return sorted(found, key=lambda recorded: (_decided_at(recorded), recorded.n))


@upholds(
    "replacement",
    "A leave to exchange a single card is on record as the inspection gave it.",
    needs="deck.one_card_replaced",
)
def leave_is_on_record(game: PartidaContext, exchange: Exchange) -> Verdict:
    """Asked for on grounds, granted before the exchange, for that deck and that card.

    That no leave is named at all is asked by itself. Where only the house tells the decision it
    stays open until an inspector tells the same.

    Law: PT art. 5.
    """
    if exchange.leave is None or excused_at_shuffler(game, exchange):
        return None
    decisions = _decisions(game, exchange.leave)
    before = [recorded for recorded in decisions if _decided_at(recorded) <= exchange.at]
    texts = evidence_of(*decisions[-1:])
    special = game.dealing == "shuffler" and exchange.why in DAMAGED
    readings = ("one-card-replaced",) if special else ()

    def found(observed: dict[str, Any], expected: dict[str, Any]) -> Breach:
        evidence = tuple(dict.fromkeys((*exchange.evidence, *texts)))
        return breach(observed, expected, *evidence, readings=readings)

    if not decisions:
        return found({"on_record": "no", "authorisation": exchange.leave}, {"on_record": "yes"})
    if not before:
        late = {"moment": _decided_at(decisions[0]).isoformat()}
        return found(late, {"not_after": exchange.at.isoformat()})
    last = before[-1]
    if last.event.decision != "granted":
        return found({"decision": last.event.decision}, {"decision": "granted"})
    requests = [
        one
        for one in game.dossier.house_of(LeaveAsked)
        if one.event.leave.casefold() == last.event.leave.casefold()
    ]
    if not requests:
        return found({"requests": 0}, {"at_least": 1})
    request = requests[-1].event
    deck, cards = exchange.where.get("deck"), last.event.cards or request.cards
    if deck is not None and request.deck != deck:
        return found({"deck": str(deck)}, {"deck": request.deck})
    if exchange.card is not None and exchange.card not in cards:
        return found({"card": exchange.card}, {"one_of": list(cards)})
    return LAWFUL if any(one.by.office == SERVICE for one in before) else UNDECIDED


# Articles 14 and 15: approved limits


@upholds(
    "partida",
    "A table plays by limits that were approved for it.",
    needs="stake.within_limits",
    only=is_opened,
)
def limits_are_approved(game: PartidaContext) -> Verdict:
    """Those in force at its opening, and those set while it was open: both minimum and maximum.

    Open until the house's first approval is on record: before it nobody could tell one. That it
    was opened with others than were set is asked by itself.

    Law: PT art. 15, with 14.
    """
    opened, table = game.opening, game.dossier.table
    approvals = game.dossier.house_of(LimitsApproved)
    kept_since = min((one.recorded_at for one in approvals), default=None)
    first = limits_in_force(game.dossier.anywhere(LimitsSet), opened.occurred_at) or opened

    def ask(recorded: RecordedEvent[PartidaOpened] | RecordedEvent[LimitsSet]) -> Verdict:
        at = opened.occurred_at
        if isinstance(recorded.event, LimitsSet):
            at = max(at, recorded.event.valid_from)
        limits = limits_in(recorded)
        pair = {"minimum_cents": limits.minimum_cents, "maximum_cents": limits.maximum_cents}
        if kept_since is None or at < kept_since:
            # An evening recorded after it was played, its approvals before it, tells them all.
            known = max(opened.recorded_at, recorded.recorded_at)
            before = [one for one in approvals if one.recorded_at <= known]
            return LAWFUL if any(_covers(o.event, table, pair, at) for o in before) else UNDECIDED
        if any(_covers(one.event, table, pair, at) for one in approvals):
            return LAWFUL
        return breach(pair, {"on_record": "yes"}, recorded, opened)

    return together(map(ask, [first, *game.limits_recorded[1:]]))


def _covers(approved: LimitsApproved, table: str, pair: dict[str, int], at: datetime) -> bool:
    """Whether an approval is of this table and of these very limits, and in force by then."""
    return (
        table in approved.tables
        and approved.valid_from <= at
        and pair["minimum_cents"] == approved.minimum_cents
        and pair["maximum_cents"] == approved.maximum_cents
    )
