"""Cards drawn by the server: small SVG pictures that say in words which card they are."""

from collections.abc import Iterable, Sequence
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from casino.cards import UNKNOWN_SUIT, UNKNOWN_TEN, Card, best_total
from casino.law.wording.explain_words import RANKS, SUITS
from casino.law.wording.wording import LETTERS
from casino.web.words.languages import language

PIPS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠", UNKNOWN_SUIT: "·"}
RED: Final = frozenset("DH")
_SVG: Final = (
    '<svg class="playing-card{}" role="img" aria-label="{}" viewBox="0 0 40 56" width="40"'
    ' height="56"><title>{}</title><rect class="card-face" x="1" y="1" width="38" height="54"'
    ' rx="4"></rect><text class="card-rank" x="20" y="26" text-anchor="middle">{}</text>'
    '<text class="card-pip" x="20" y="46" text-anchor="middle">{}</text>{}</svg>'
)
_STRUCK: Final = SafeString('<path class="card-void" d="M4 52L36 4"></path>')


def rank(card: Card) -> str:
    """What stands on the card: ``10``, ``K``; ``10?`` for one that only counted ten.

    On a Portuguese or French page as it stands on a card there: ``R``.
    """
    letters = LETTERS.get(language(), {})
    return {"T": "10", UNKNOWN_TEN: "10?", **letters}.get(card[0], card[0])


def card_words(card: Card) -> str:
    """A card in words: ``ten of spades``."""
    figure = "10" if card[0] == "T" else card[0]
    named = gettext(RANKS[figure]) if figure in RANKS else figure
    if card[1] == UNKNOWN_SUIT:
        return gettext("%(rank)s (suit not told)") % {"rank": named}
    return gettext("%(rank)s of %(suit)s") % {"rank": named, "suit": gettext(SUITS[card[1]])}


def card_drawn(card: Card, *, voided: bool = False) -> SafeString:
    """One card; a voided one is struck through, and its words say so."""
    words = card_words(card)
    if voided:
        words = gettext("%(card)s, voided") % {"card": words}
    tone = " red" if card[1] in RED else ""
    return format_html(
        _SVG,
        f"{tone}{' voided' if voided else ''}",
        words,
        words,
        rank(card),
        PIPS[card[1]],
        _STRUCK if voided else "",
    )


def cards_drawn(cards: Sequence[Card], voided: Iterable[Card] = ()) -> SafeString:
    """Several cards in the order they came, then those that were voided."""
    drawn = [card_drawn(card) for card in cards]
    drawn += [card_drawn(card, voided=True) for card in voided]
    return format_html(
        '<span class="cards-drawn">{}</span>', format_html_join("", "{}", ([c] for c in drawn))
    )


def points_drawn(cards: Sequence[Card], *, natural: bool) -> str:
    """The points beside a hand, '' for none: those of a blackjack in that word."""
    return gettext("blackjack") if natural else str(best_total(cards) or "")
