"""What a record of the floor holds, in one line: ``Cut, seat 3``, ``Deck D-0202: conform``.

For whoever looks for the one of many records that is wrong. What no line is written for here is
called by its kind.
"""

from collections.abc import Callable
from typing import Any, Final

from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from casino.admin.cells import money
from casino.admin.field_words import word
from casino.admin.incident_words import (
    EMPTIED,
    STEP_WORDS,
    category_word,
    reason_word,
    settled_word,
)
from casino.admin.kind_words import kind_word
from casino.admin.playing_cards import card_words
from casino.cards import UNKNOWN_SUIT, UNKNOWN_TEN
from casino.facts.complaints import ComplaintDecided, ComplaintReceived
from casino.facts.corrections import Corrected, WithdrawalAsked
from casino.facts.deck_life import CardReplaced, DeckWithdrawn
from casino.facts.decks import DeckInspected
from casino.facts.floor_life import (
    ChipsCounted,
    DealerLeftTable,
    DealerTookTable,
    PartidaReopened,
    TableHandedOver,
)
from casino.facts.incidents import IncidentClosed, IncidentReported, IncidentStep
from casino.facts.notices import NoticeSent
from casino.facts.partidas import PartidaClosed, PartidaOpened
from casino.facts.shoes import (
    CardBurned,
    CardsShuffled,
    CardsSpread,
    CartaAvisoPlaced,
    CutMade,
    LastRoundAnnounced,
    PlayInterrupted,
)
from casino.facts.shufflers import ShufflerLoaded, ShufflerOpened, ShufflerUnloaded
from casino.facts.staff import DutyBegun, DutyEnded
from casino.facts.witnessing import Witnessed
from casino.sala.ways import words_elsewhere

_CONFIRMED: Final = {
    "shuffler-loaded/1": lambda: gettext("Loading confirmed"),
    "shuffler-unloaded/1": lambda: gettext("Unloading confirmed"),
    "incident-reported/1": lambda: gettext("Incident confirmed"),
    "jackpot-paid/1": lambda: gettext("Payment of a prize confirmed"),
}


def record_word(fact: Any) -> str:
    """One line for a record, in the language of the page."""
    say = _SAYS.get(type(fact))
    if say is not None:
        return str(capfirst(say(fact)))
    return words_elsewhere(fact) or str(capfirst(kind_word(fact.kind)))


def _named(fact: Any, what: str) -> str:
    """The kind's own word, and what is to be said of this one."""
    return f"{kind_word(fact.kind)}: {what}"


def _opened(fact: PartidaOpened) -> str:
    decks = ngettext("%(n)s deck", "%(n)s decks", len(fact.decks)) % {"n": len(fact.decks)}
    limits = f"{money(fact.limits.minimum_cents)} – {money(fact.limits.maximum_cents)}"
    how = gettext("shuffler") if fact.dealing == "shuffler" else gettext("shoe")
    return f"{gettext('Table opened')}: {limits} · {how} · {decks}"


def _closed(fact: PartidaClosed) -> str:
    if fact.rounds is None:
        return gettext("Table closed")
    return ngettext("Table closed: %(n)s round", "Table closed: %(n)s rounds", fact.rounds) % {
        "n": fact.rounds
    }


def _inspected(fact: DeckInspected) -> str:
    values = {"deck": fact.deck, "result": word(fact.result)}
    if fact.moment == "close":
        return gettext("Deck %(deck)s put in order: %(result)s") % values
    if fact.moment == "exhibition":
        return gettext("Deck %(deck)s exhibited: %(result)s") % values
    return gettext("Deck %(deck)s looked through: %(result)s") % values


def _cut(fact: CutMade) -> str:
    if fact.cut_by == "nobody":
        return gettext("Nobody cut")
    if fact.seat is not None:
        return gettext("Cut, seat %(n)s") % {"n": fact.seat}
    return gettext("Cut, by the fiscal")


def _loaded(fact: ShufflerLoaded) -> str:
    packets = ngettext("%(n)s packet", "%(n)s packets", fact.packets) % {"n": fact.packets}
    return _named(fact, f"{fact.shuffler}, {packets}")


def _unloaded(fact: ShufflerUnloaded) -> str:
    if fact.cards is None:
        return _named(fact, fact.shuffler)
    cards = ngettext("%(n)s card", "%(n)s cards", fact.cards) % {"n": fact.cards}
    return _named(fact, f"{fact.shuffler}, {cards}")


def _withdrawn(fact: WithdrawalAsked) -> str:
    return gettext("Withdrawal asked for: %(what)s") % {"what": kind_word(fact.act)}


def _step(fact: IncidentStep) -> str:
    step = EMPTIED if fact.step == "lid_closed" and fact.emptied else fact.step
    return f"{STEP_WORDS.get(step) or word(fact.step)} ({fact.incident})"


def _reported(fact: IncidentReported) -> str:
    why = reason_word(fact.category, fact.reason)
    why = why[:1].lower() + why[1:]
    return f"{gettext('Incident')} {fact.incident}: {category_word(fact.category)}, {why}"


def _complained(fact: ComplaintReceived) -> str:
    return f"{gettext('Complaint')} {fact.complaint}: {word(fact.subject)}"


def _card(card: str) -> str:
    unknown = card == UNKNOWN_TEN + UNKNOWN_SUIT
    return gettext("nobody knows which") if unknown else card_words(card)


def _counted(fact: ChipsCounted) -> str:
    worth = sum(one.value_cents * one.count for one in fact.counts)
    return _named(fact, f"{money(worth)} ({word(fact.moment)})")


def _confirmed(fact: Witnessed) -> str:
    said = _CONFIRMED.get(fact.act)
    return f"{said() if said else kind_word(fact.kind)}: {fact.staff}"


_SAYS: Final[dict[type, Callable[[Any], str]]] = {
    PartidaOpened: _opened,
    PartidaClosed: _closed,
    PartidaReopened: lambda fact: gettext("Closing undone"),
    DealerTookTable: lambda fact: _named(fact, fact.pagador),
    DealerLeftTable: lambda fact: _named(fact, fact.pagador),
    TableHandedOver: lambda fact: _named(fact, fact.fiscal_de_banca),
    DutyBegun: lambda fact: _named(fact, ", ".join((fact.staff, *fact.tables))),
    DutyEnded: lambda fact: _named(fact, fact.staff),
    DeckInspected: _inspected,
    DeckWithdrawn: lambda fact: _named(fact, f"{fact.deck}, {word(fact.reason)}"),
    CardReplaced: lambda fact: _named(fact, f"{_card(fact.card)}, {fact.deck}"),
    CardsShuffled: lambda fact: gettext("Shuffle %(n)s") % {"n": fact.shoe},
    CutMade: _cut,
    CartaAvisoPlaced: lambda fact: gettext("Warning card, %(n)s from the end")
    % {"n": fact.cards_from_end},
    CardBurned: lambda fact: ngettext("%(n)s burnt card", "%(n)s burnt cards", fact.cards)
    % {"n": fact.cards},
    LastRoundAnnounced: lambda fact: gettext("Last round announced"),
    CardsSpread: lambda fact: _named(fact, word(fact.reason)),
    PlayInterrupted: lambda fact: _named(fact, word(fact.reason)),
    ShufflerLoaded: _loaded,
    ShufflerUnloaded: _unloaded,
    ShufflerOpened: lambda fact: f"{STEP_WORDS['lid_opened']} ({fact.incident or fact.shuffler})",
    IncidentReported: _reported,
    WithdrawalAsked: _withdrawn,
    IncidentStep: _step,
    IncidentClosed: lambda fact: _named(fact, f"{fact.incident}, {settled_word(fact.reason)}"),
    ComplaintReceived: _complained,
    ComplaintDecided: lambda fact: _named(fact, f"{fact.complaint}, {word(fact.outcome)}"),
    NoticeSent: lambda fact: _named(fact, fact.incident or fact.complaint or fact.notice),
    ChipsCounted: _counted,
    Witnessed: _confirmed,
    Corrected: lambda fact: _named(fact, word(fact.decision)),
}  # fmt: skip
