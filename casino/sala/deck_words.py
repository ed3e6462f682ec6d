"""Decks as somebody types them, ``D-0201:red D-0202``, with colours in the page's language."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from casino.facts import Malformed
from casino.facts.partidas import DeckInUse

MOST: Final = 20  # decks of one game
ON_PAGE: Final = "decks"  # the hidden field with the decks a page was made for
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


def read_decks(text: str) -> tuple[DeckInUse, ...]:
    """Decks as they are typed; none where they cannot be read, which is said elsewhere."""
    try:
        return decks_of(text)
    except Malformed:
        return ()


def deck_text(one: DeckInUse) -> str:
    """One deck as it would be typed."""
    return f"{one.deck}:{colour_word(one.back_colour)}" if one.back_colour else one.deck


def decks_text(decks: Iterable[DeckInUse]) -> str:
    """Decks as they would be typed."""
    return " ".join(map(deck_text, decks))


def decks_of_page(request: HttpRequest, otherwise: Sequence[str]) -> tuple[str, ...]:
    """The decks a form was shown with, in its order: its fields are counted by them.

    `otherwise` for a page that is shown now, and for one that does not tell.
    """
    told = request.POST.get(ON_PAGE, "").split()[:MOST]
    return tuple(dict.fromkeys(told)) or tuple(otherwise)


def _colour(told: str) -> str | None:
    named = {str(word).casefold(): colour for colour, word in COLOURS.items()}
    return named.get(told.casefold(), told) or None
