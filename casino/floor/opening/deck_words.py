"""Decks as somebody types them, ``D-0201:red D-0202``, with colours in the page's language."""

from collections.abc import Iterable, Sequence
from typing import Final

from django.http import HttpRequest

from casino.events import Malformed
from casino.events.partidas import DeckInUse
from casino.web.words.coded_words import COLOURS, colour_word

MOST: Final = 20  # decks of one game
ON_PAGE: Final = "decks"  # the hidden field with the decks a page was made for


def decks_of(text: str) -> tuple[DeckInUse, ...]:
    """Decks as they are typed. Raises: Malformed."""
    words = text.replace(",", " ").replace(";", " ").split()
    if len(words) > MOST:
        raise Malformed(
            "$.decks", "found {found} items; asked are at most {most}", found=len(words), most=MOST
        )
    parts = (word.partition(":") for word in words)
    return tuple(DeckInUse(deck=deck, back_colour=_colour(text)) for deck, _sign, text in parts)


def read_decks(text: str) -> tuple[DeckInUse, ...]:
    """Decks as they are typed; none where they cannot be read, which is said elsewhere."""
    try:
        return decks_of(text)
    except Malformed:
        return ()


def deck_text(deck_in_use: DeckInUse) -> str:
    """One deck as it would be typed."""
    return (
        f"{deck_in_use.deck}:{colour_word(deck_in_use.back_colour)}"
        if deck_in_use.back_colour
        else deck_in_use.deck
    )


def decks_text(decks: Iterable[DeckInUse]) -> str:
    """Decks as they would be typed."""
    return " ".join(map(deck_text, decks))


def decks_of_page(request: HttpRequest, otherwise: Sequence[str]) -> tuple[str, ...]:
    """The decks a form was shown with, in its order: its fields are counted by them.

    `otherwise` for a page that is shown now, and for one that does not tell.
    """
    texts = request.POST.get(ON_PAGE, "").split()[:MOST]
    return tuple(dict.fromkeys(texts)) or tuple(otherwise)


def _colour(text: str) -> str | None:
    named = {str(word).casefold(): colour for colour, word in COLOURS.items()}
    return named.get(text.casefold(), text) or None
