"""Decks as somebody types them, ``D-0201:red D-0202``, with colours in the page's language."""

from collections.abc import Iterable
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from casino.facts import Malformed
from casino.facts.partidas import DeckInUse

MOST: Final = 20  # decks of one game
# The colours of backs as the book spells them; whatever else is told is shown as it was told.
COLOURS: Final[dict[str, Any]] = {
    "red": _("red"), "blue": _("blue"), "green": _("green"), "yellow": _("yellow"),
    "black": _("black"), "white": _("white"), "grey": _("grey"), "purple": _("purple"),
    "orange": _("orange"), "brown": _("brown"),
}  # fmt: skip


def colour_word(colour: str | None) -> str:
    """A colour in words; '' for none."""
    return str(COLOURS.get(colour, colour)) if colour else ""


def decks_of(text: str) -> tuple[DeckInUse, ...]:
    """Decks as they are typed. Raises: Malformed."""
    words = text.replace(",", " ").replace(";", " ").split()
    if len(words) > MOST:
        raise Malformed(
            "$.decks", "found {found} items; asked are at most {most}", found=len(words), most=MOST
        )
    parts = (word.partition(":") for word in words)
    return tuple(DeckInUse(deck=deck, back_colour=_colour(told)) for deck, _sign, told in parts)


def decks_text(decks: Iterable[DeckInUse]) -> str:
    """Decks as they would be typed."""
    return " ".join(
        f"{one.deck}:{colour_word(one.back_colour)}" if one.back_colour else one.deck
        for one in decks
    )


def _colour(told: str) -> str | None:
    named = {str(word).casefold(): colour for colour, word in COLOURS.items()}
    return named.get(told.casefold(), told) or None
