"""What a record of the floor holds, in one line: ``Cut, seat 3``, ``Deck D-0202: conform``.

For whoever looks for the one of many records that is wrong. What no line is written for here is
called by its kind.
"""

from collections.abc import Callable
from typing import Any, Final

from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from casino.cards import UNKNOWN_SUIT, UNKNOWN_TEN
from casino.events.complaints import ComplaintDecided, ComplaintReceived
from casino.events.corrections import Corrected, WithdrawalAsked
from casino.events.deck_life import CardReplaced, DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.event import Event
from casino.events.floor_life import (
    ChipsCounted,
    DealerLeftTable,
    DealerTookTable,
    DropCounted,
    PartidaReopened,
    TableHandedOver,
)
from casino.events.incidents import IncidentClosed, IncidentReported, IncidentStep
from casino.events.notices import NoticeSent
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.shape import fields_of
from casino.events.shoes import (
    CardBurned,
    CardsShuffled,
    CardsSpread,
    CartaAvisoPlaced,
    CutMade,
    LastRoundAnnounced,
    PlayInterrupted,
)
from casino.events.shufflers import ShufflerLoaded, ShufflerOpened, ShufflerUnloaded
from casino.events.staff import DutyBegun, DutyEnded
from casino.events.witnessing import Witnessed
from casino.floor.table_links import words_elsewhere
from casino.web.display.money_and_time import money
from casino.web.display.playing_cards import card_words
from casino.web.words.field_words import word
from casino.web.words.incident_words import (
    EMPTIED,
    STEP_WORDS,
    category_word,
    reason_word,
    settled_word,
)
from casino.web.words.kind_words import kind_word

_CONFIRMED: Final = {
    "shuffler-loaded/1": lambda: gettext("Loading confirmed"),
    "shuffler-unloaded/1": lambda: gettext("Unloading confirmed"),
    "incident-reported/1": lambda: gettext("Incident confirmed"),
    "jackpot-paid/1": lambda: gettext("Payment of a prize confirmed"),
}


# What is put aside, and under which article (PT).
LABELLED: Final = {
    "deck-withdrawn/1": "5",
    "card-replaced/1": "5",
    "deck-inspected/1": "5",
    "incident-reported/1": "5",
}


def record_word(event: Event) -> str:
    """One line for a record, in the language of the page."""
    say = _SAYS.get(type(event))
    if say is not None:
        return str(capfirst(say(event)))
    return words_elsewhere(event) or str(capfirst(kind_word(event.kind)))


def has_label(event: Event) -> bool:
    """Whether a record names a deck or a card that is put aside, and a label of it is printed."""
    named = getattr(event, "deck", None) or getattr(event, "damaged_cards", None)
    whole = getattr(event, "result", None) == "conform"
    return event.kind in LABELLED and bool(named) and not whole


def _named(event: Event, what: str) -> str:
    """The kind's own word, and what is to be said of this one."""
    return f"{kind_word(event.kind)}: {what}"


def _opened(event: PartidaOpened) -> str:
    decks = ngettext("%(n)s deck", "%(n)s decks", len(event.decks)) % {"n": len(event.decks)}
    limits = f"{money(event.limits.minimum_cents)} – {money(event.limits.maximum_cents)}"
    how = gettext("shuffler") if event.dealing == "shuffler" else gettext("shoe")
    return f"{gettext('Table opened')}: {limits} · {how} · {decks}"


def _closed(event: PartidaClosed) -> str:
    if event.rounds is None:
        return gettext("Table closed")
    return ngettext("Table closed: %(n)s round", "Table closed: %(n)s rounds", event.rounds) % {
        "n": event.rounds
    }


def _inspected(event: DeckInspected) -> str:
    values = {"deck": event.deck, "result": word(event.result)}
    if event.moment == "close":
        return gettext("Deck %(deck)s put in order: %(result)s") % values
    if event.moment == "exhibition":
        return gettext("Deck %(deck)s exhibited: %(result)s") % values
    return gettext("Deck %(deck)s looked through: %(result)s") % values


def _cut(event: CutMade) -> str:
    if event.cut_by == "nobody":
        return gettext("Nobody cut")
    if event.seat is not None:
        return gettext("Cut, seat %(n)s") % {"n": event.seat}
    return gettext("Cut, by the fiscal")


def _loaded(event: ShufflerLoaded) -> str:
    packets = ngettext("%(n)s packet", "%(n)s packets", event.packets) % {"n": event.packets}
    return _named(event, f"{event.shuffler}, {packets}")


def _unloaded(event: ShufflerUnloaded) -> str:
    if event.cards is None:
        return _named(event, event.shuffler)
    cards = ngettext("%(n)s card", "%(n)s cards", event.cards) % {"n": event.cards}
    return _named(event, f"{event.shuffler}, {cards}")


def _withdrawn(event: WithdrawalAsked) -> str:
    return gettext("Withdrawal asked for: %(what)s") % {"what": kind_word(event.act)}


def _step(event: IncidentStep) -> str:
    step = EMPTIED if event.step == "lid_closed" and event.emptied else event.step
    return f"{STEP_WORDS.get(step) or word(event.step)} ({event.incident})"


def _reported(event: IncidentReported) -> str:
    why = reason_word(event.category, event.reason)
    why = why[:1].lower() + why[1:]
    return f"{gettext('Incident')} {event.incident}: {category_word(event.category)}, {why}"


def _complained(event: ComplaintReceived) -> str:
    return f"{gettext('Complaint')} {event.complaint}: {word(event.subject)}"


def _card(card: str) -> str:
    unknown = card == UNKNOWN_TEN + UNKNOWN_SUIT
    return gettext("nobody knows which") if unknown else card_words(card)


def _counted(event: ChipsCounted) -> str:
    worth = sum(one.value_cents * one.count for one in event.counts)
    return _named(event, f"{money(worth)} ({word(event.moment)})")


def _round(event: RoundPlayed) -> str:
    wagers = [wager for box in event.boxes for wager in box.wagers]
    words = ngettext(
        "Round, box %(boxes)s: %(staked)s staked, %(back)s handed back",
        "Round, boxes %(boxes)s: %(staked)s staked, %(back)s handed back",
        len(event.boxes),
    )
    return words % {
        "boxes": ", ".join(str(box.number) for box in event.boxes),
        "staked": money(sum(one.stake_cents for one in wagers)),
        "back": money(sum(one.returned_cents for one in wagers)),
    }


def _confirmed(event: Witnessed) -> str:
    said = _CONFIRMED.get(event.act)
    return f"{said() if said else kind_word(event.kind)}: {event.staff}"


_SAYS: Final[dict[type, Callable[[Any], str]]] = {
    PartidaOpened: _opened,
    PartidaClosed: _closed,
    PartidaReopened: lambda event: gettext("Closing undone"),
    DealerTookTable: lambda event: _named(event, event.pagador),
    DealerLeftTable: lambda event: _named(event, event.pagador),
    TableHandedOver: lambda event: _named(event, event.fiscal_de_banca),
    DutyBegun: lambda event: _named(event, ", ".join((event.staff, *event.tables))),
    DutyEnded: lambda event: _named(event, event.staff),
    DeckInspected: _inspected,
    DeckWithdrawn: lambda event: _named(event, f"{event.deck}, {word(event.reason)}"),
    CardReplaced: lambda event: _named(event, f"{_card(event.card)}, {event.deck}"),
    CardsShuffled: lambda event: gettext("Shuffle %(n)s") % {"n": event.shoe},
    CutMade: _cut,
    CartaAvisoPlaced: lambda event: (
        gettext("Warning card, %(n)s from the end") % {"n": event.cards_from_end}
    ),
    CardBurned: lambda event: (
        ngettext("%(n)s burnt card", "%(n)s burnt cards", event.cards) % {"n": event.cards}
    ),
    LastRoundAnnounced: lambda event: gettext("Last round announced"),
    CardsSpread: lambda event: _named(event, word(event.reason)),
    PlayInterrupted: lambda event: _named(event, word(event.reason)),
    ShufflerLoaded: _loaded,
    ShufflerUnloaded: _unloaded,
    ShufflerOpened: lambda event: (
        f"{STEP_WORDS['lid_opened']} ({event.incident or event.shuffler})"
    ),
    IncidentReported: _reported,
    WithdrawalAsked: _withdrawn,
    IncidentStep: _step,
    IncidentClosed: lambda event: _named(event, f"{event.incident}, {settled_word(event.reason)}"),
    ComplaintReceived: _complained,
    ComplaintDecided: lambda event: _named(event, f"{event.complaint}, {word(event.outcome)}"),
    NoticeSent: lambda event: _named(event, event.incident or event.complaint or event.notice),
    ChipsCounted: _counted,
    DropCounted: lambda event: _named(event, money(event.cash_cents)),
    RoundPlayed: _round,
    Witnessed: _confirmed,
    Corrected: lambda event: _named(event, word(event.decision)),
}


def corrected_here(kind: type[Event]) -> bool:
    """Whether events of a kind are put right on the floor: what somebody recorded of a table's
    game.
    """
    return kind is RoundPlayed or (
        kind.policy.correctable and any(field.name == "despite" for field in fields_of(kind))
    )
