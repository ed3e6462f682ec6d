"""What a combination of the progressive prize is called in lists and on an entry's page."""

from typing import Final

from django.utils.translation import gettext

from casino.law.wording import jackpot_words
from casino.law.wording.explain_words import RANKS
from casino.law.wording.wording import VALUES
from casino.web.display.playing_cards import PIPS, rank

_NATURAL: Final = "blackjack"


def combination_word(code: str) -> str:
    """A combination by its code; one that spells its cards with their suits; any other as it is."""
    if code in VALUES:
        return gettext(VALUES[code])
    if code == _NATURAL:
        return gettext("blackjack")
    cards = code.split("-")
    return " ".join(map(_card, cards)) if all(map(_is_card, cards)) else code


def combination_code(text: str) -> str:
    """The code of a combination as people call it in their language; any other text as it is."""
    called = " ".join(text.split()).casefold()
    named = {gettext(word).casefold(): code for code, word in jackpot_words.VALUES.items()}
    return named.get(called, text)


def combination_typed(code: str) -> str:
    """A combination as it is typed: in words where it has a name, else by its cards: ``AS-JS``."""
    return gettext(VALUES[code]) if code in jackpot_words.VALUES else code


def _is_card(card: str) -> bool:
    named = "10" if card[:1] == "T" else card[:1]
    return named in RANKS and card[1:] in ("", *PIPS)


def _card(card: str) -> str:
    return rank(card) + (PIPS[card[1]] if len(card) > 1 else "")
