"""Decks that are not perfect any more: withdrawn whole, or a card exchanged by leave.

Law: PT art. 5; 51 for the card a shuffler damaged.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from casino.events.deck_life import CardReplaced, DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.event import Event
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardsShuffled
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict, upholds
from casino.law.game_decks import withdrawals_of
from casino.law.game_incidents import at_shuffler
from casino.law.partida_context import PartidaContext, Shoe, at_a_shuffler, in_place
from casino.law.questions import breach, equal, evidence_of
from casino.law.recorded_elsewhere import counts_here
from casino.law.register_proof import CHEFE, by_office
from casino.law.round_moments import ROUNDS_CITED, Sorted, dealt_between, none_dealt, sort_out

DAMAGED: Final = frozenset({"damaged", "marked"})


@dataclass(frozen=True, slots=True, eq=False)
class Damage:
    """A deck somebody found imperfect: which (None where not recorded), when, and what tells of it.

    `timed` is whether `at` is when it was noticed, or only when it was known at the latest;
    `incident` its number where one was reported, `in_shuffler` whether it is one of a card the
    shuffler gave out damaged, `exchanged` what that says was exchanged.
    """

    deck: str | None
    at: datetime
    timed: bool
    evidence: tuple[str, ...]
    incident: str | None = None
    in_shuffler: bool = False
    exchanged: str | None = None
    exchanged_at: datetime | None = None

    @property
    def where(self) -> dict[str, int | str]:
        """Its place, as a finding tells it."""
        if self.deck is not None:
            return {"deck": self.deck}
        assert self.incident is not None  # without a deck it is an incident's
        return {"incident": self.incident}


def damages_of(game: PartidaContext) -> list[Damage]:
    """Every damage told in a partida, as it happened."""
    return sorted([*_inspected(game), *_reported(game)], key=lambda damage: damage.at)


def _inspected(game: PartidaContext) -> Iterator[Damage]:
    for recorded in game.dossier.of(DeckInspected):
        event = recorded.event
        if DAMAGED & {event.faces, event.backs, event.result}:
            yield Damage(event.deck, recorded.occurred_at, True, evidence_of(recorded))


def _reported(game: PartidaContext) -> Iterator[Damage]:
    for incident in game.incidents:
        event = incident.event
        if event.category == "damaged_card" or (
            event.category == "deck_defect" and event.damaged_cards
        ):
            yield Damage(
                event.deck,
                event.noticed_at or incident.occurred_at,
                event.noticed_at is not None,
                incident.evidence("replaced"),
                event.incident,
                event.category == "damaged_card" and at_shuffler(game, incident) is True,
                event.replaced,
                event.resolved_at,
            )


# Taking the deck out


def _remedies(game: PartidaContext, damage: Damage) -> list[RecordedEvent[Any]]:
    """The deck withdrawn, or a card of it exchanged, whether that was lawful or not.

    What was done to another deck is none, whatever incident it names.
    """

    def answers(recorded: RecordedEvent[Any]) -> bool:
        if damage.deck is not None and recorded.event.deck != damage.deck:
            return False
        if damage.incident is not None and recorded.event.incident == damage.incident:
            return True
        return recorded.event.deck == damage.deck and recorded.occurred_at >= damage.at

    events: list[RecordedEvent[Any]] = [*game.dossier.anywhere(DeckWithdrawn)]
    events += game.dossier.anywhere(CardReplaced)
    return sorted((one for one in events if answers(one)), key=in_time)


def _shoe_holds(
    game: PartidaContext, shoe: Shoe, deck: str, dealt: RecordedEvent[RoundPlayed]
) -> bool | None:
    """Whether a deck was among a shoe's cards at a round; None where nobody recorded what was
    shuffled.

    Cards that were shuffled once more before they were dealt are those of the last shuffle.
    """
    before = [recorded for recorded in shoe.shuffles if recorded.occurred_at <= dealt.occurred_at]
    last = sorted(before, key=in_time)[-1:] or shoe.shuffles
    named = {each.deck for recorded in last for each in recorded.event.decks}
    for place, load in enumerate(game.loads, 1):
        if place == shoe.number or len(game.loads) == 1:
            named |= set(load.event.decks)
    if deck in named:
        return True
    return None if not named and deck in game.decks else False


def _dealt_from(
    game: PartidaContext, deck: str | None, start: datetime, end: datetime | None
) -> Sorted:
    """The rounds dealt from a deck between two moments, and whether others may have been."""

    shoes = {recorded.entry_id: shoe for shoe in game.shoes for recorded in shoe.rounds}

    def holds(recorded: RecordedEvent[RoundPlayed]) -> bool | None:
        meanwhile = dealt_between(recorded, start, end)
        if meanwhile is False:
            return False
        shoe = shoes.get(recorded.entry_id)
        inside = True if deck is None and game.dealing == "shuffler" else None
        if shoe is not None and inside is None:
            lie = [_shoe_holds(game, shoe, one, recorded) for one in (deck, *game.decks) if one]
            # Of a deck nobody named: cards none of the game's decks is missing from hold it.
            inside = lie[0] if deck is not None else (all(lie) and bool(lie)) or None
        if inside is False:
            return False
        return meanwhile if inside else None

    return sort_out(game.dossier.of(RoundPlayed), holds)


def _of_the_shuffler(game: PartidaContext, damage: Damage) -> bool:
    """Whether article 51 has the rule, as the reading one-card-replaced has it."""
    one_card = game.p.get("deck.one_card_replaced")
    return damage.in_shuffler and one_card == "shuffler_tables"


def _of_article_5(game: PartidaContext, damage: Damage) -> bool:
    return not _of_the_shuffler(game, damage)


@upholds(
    "damage", "A deck that is not perfect any more leaves the game at once.", only=_of_article_5
)
def damaged_deck_withdrawn(game: PartidaContext, damage: Damage) -> Verdict:
    """Before another round is dealt from it the deck is withdrawn, or its card exchanged.

    Whether a single card may be exchanged is asked by itself. Where nobody wrote down which deck,
    it is the one of the remedy; in a shoe it lies whichever it is.

    A card the shuffler gave out damaged is article 51's.

    Law: PT art. 5.
    """
    return _taken_out(game, damage)


@upholds(
    "damage",
    "A card damaged in the shuffler is replaced at once.",
    needs=("deck.one_card_replaced", "csm.replaced_by"),
    only=_of_the_shuffler,
)
def damaged_card_replaced_at_once(game: PartidaContext, damage: Damage) -> Verdict:
    """Before another round is dealt from the machine, or by the end, as the reading has it.

    That it was not replaced at all is a breach of its own.

    Law: PT art. 51.
    """
    if not _remedies(game, damage) and damage.exchanged not in ("card", "deck"):
        return None
    if game.p["csm.replaced_by"] == "end_of_game":
        return LAWFUL
    found = _taken_out(game, damage)
    return replace(found, readings=("replaced-at-once",)) if isinstance(found, Breach) else found


def _taken_out(game: PartidaContext, damage: Damage) -> Verdict:
    """Whether the deck, or its card, was taken out before another round was dealt from it."""
    remedies = _remedies(game, damage)
    deck = damage.deck or next((recorded.event.deck for recorded in remedies), None)
    moments = [recorded.occurred_at for recorded in remedies]
    done = bool(remedies) or damage.exchanged in ("card", "deck")
    if damage.exchanged_at is not None and damage.exchanged in ("card", "deck"):
        moments.append(damage.exchanged_at)
    if not done and deck is None and game.dealing != "shoe":
        return UNDECIDED
    until = min(moments) if moments else None
    if done and until is None:
        return UNDECIDED if game.dossier.of(RoundPlayed) else LAWFUL
    dealt = _dealt_from(game, deck, damage.at, until)
    found = none_dealt(dealt, *damage.evidence, *remedies[:1])
    if isinstance(found, Breach):
        return found
    if done:
        untimed = not damage.timed and game.dossier.of(RoundPlayed)
        return UNDECIDED if untimed else found
    if game.closed is None or game.opened is None:
        return UNDECIDED
    return breach({"withdrawn": "no"}, {"withdrawn": "yes"}, *damage.evidence, game.closed.entry_id)


@upholds("deck", "A deck that was withdrawn is not used again.")
def withdrawn_deck_not_used(game: PartidaContext, deck: str) -> Verdict:
    """No game is opened with it nor is it shown for one, shuffled, loaded, or dealt from.

    What another table alone tells of a deck in play here leaves it open.

    Law: PT art. 5.
    """
    withdrawn = withdrawals_of(game, deck)
    if not withdrawn:
        return None
    here = [recorded for recorded in withdrawn if counts_here(game.dossier, recorded)]
    answer = _used_since(game, deck, (here or withdrawn)[0])
    return UNDECIDED if not here and isinstance(answer, Breach) else answer


def _used_since(game: PartidaContext, deck: str, since: RecordedEvent[Event]) -> Verdict:
    """Whether a deck was used after it had been taken out of use."""
    used: list[RecordedEvent[Event]] = []
    if game.opened is not None and deck in game.decks:
        used.append(game.opened)
    used += [
        one
        for one in game.dossier.of(CardsShuffled)
        if deck in {each.deck for each in one.event.decks}
    ]
    used += [recorded for recorded in game.loads if deck in recorded.event.decks]
    used += [recorded for recorded in game.exhibitions if recorded.event.deck == deck]
    acts = sorted((one for one in used if one.occurred_at > since.occurred_at), key=in_time)
    dealt = _dealt_from(game, deck, since.occurred_at, None)
    after = [*acts, *sorted(dealt.sure, key=in_place)[:ROUNDS_CITED]]
    if not after:
        return UNDECIDED if dealt.doubtful else LAWFUL
    return breach({"moment": after[0].occurred_at}, {"not_after": since.occurred_at}, since, *after)


# One card for another


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """One card exchanged for another, and what tells of it."""

    where: dict[str, int | str]
    evidence: tuple[str, ...]
    at: datetime
    leave: str | None
    why: str
    staff: str | None = None
    office: str | None = None
    recorded: RecordedEvent[Event] | None = None
    card: str | None = None


def exchanges_of(game: PartidaContext) -> list[Exchange]:
    """Every exchange told in a partida: as an event of its own, else by an incident alone."""
    events = sorted(game.dossier.of(CardReplaced), key=in_time)
    leaves = {one.event.incident: one.event.authorisation for one in game.incidents}
    found = [
        Exchange(
            {"deck": one.event.deck},
            evidence_of(one),
            one.occurred_at,
            one.event.authorisation or leaves.get(one.event.incident or ""),
            one.event.reason,
            one.event.replaced_by,
            one.event.replaced_by_office,
            one,
            one.event.card,
        )
        for one in events
    ]
    for incident in game.incidents:
        event = incident.event
        if event.replaced == "card" and event.incident not in {
            one.event.incident for one in events
        }:
            where: dict[str, int | str] = {"incident": event.incident}
            why = "damaged" if event.category == "damaged_card" or event.damaged_cards else "other"
            evidence = incident.evidence()
            found.append(Exchange(where, evidence, incident.occurred_at, event.authorisation, why))
    return found


def excused_at_shuffler(game: PartidaContext, exchange: Exchange) -> bool:
    """Whether article 51's special rule lets a card be exchanged without leave."""
    return (
        game.dealing == "shuffler"
        and exchange.why in DAMAGED
        and bool(game.p["deck.one_card_replaced"] == "shuffler_tables")
    )


@upholds(
    "replacement",
    "A single card is exchanged only by leave of the inspection service.",
    needs="deck.one_card_replaced",
)
def single_card_replaced_with_leave(game: PartidaContext, exchange: Exchange) -> Verdict:
    """Elsewhere the whole deck goes; at a shuffler article 51 has a rule of its own.

    Law: PT art. 5, 51.
    """
    if exchange.leave is not None:
        return LAWFUL
    special = exchange.why in DAMAGED
    if game.dealing is None and special:
        return UNDECIDED
    if excused_at_shuffler(game, exchange):
        return LAWFUL
    readings = ("one-card-replaced",) if game.dealing == "shuffler" and special else ()
    return equal("authorisation", False, True, *exchange.evidence, readings=readings)


@upholds(
    "replacement",
    "A card that leaves the shuffler damaged is exchanged by a fiscal-chefe.",
    only=at_a_shuffler,
)
def card_replaced_by_fiscal_chefe(game: PartidaContext, exchange: Exchange) -> Verdict:
    """Whoever exchanged it held the office. An incident's own word for it is asked with it.

    Law: PT art. 51.
    """
    if exchange.recorded is None:
        return None
    who, shown_by = (exchange.staff, exchange.office), exchange.evidence
    return by_office(game, CHEFE, who, exchange.at, exchange.recorded, *shown_by)
