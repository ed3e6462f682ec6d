"""The decks that lie in the store: received, not withdrawn, not destroyed, in no game that is open.

Said as a help to whoever has to name one: the register may not know every deck, and any may be
typed. Law: PT art. 3, 5.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from django.db import connection

from casino.admin import open_games
from casino.admin.house_time import gaming_day_now
from casino.models import DeckReceipt, DeckWithdrawal, Partida

MOST: Final = 24  # that a page offers as tiles
LATELY: Final = timedelta(days=2)  # no game lasts longer

_FREE: Final = """
SELECT DISTINCT deck FROM casino_deck_receipt AS had
WHERE NOT EXISTS (SELECT 1 FROM casino_deck_withdrawal AS gone WHERE gone.deck = had.deck)
 AND NOT EXISTS (SELECT 1 FROM casino_destruction WHERE decks ? had.deck)
 AND deck <> ALL(%s::text[])
ORDER BY deck LIMIT %s
"""


def in_store(besides: Collection[str] = ()) -> list[str]:
    """Decks that may come into a game, the lowest numbers first; none of `besides`."""
    lately = gaming_day_now() - LATELY
    playing = Partida.objects.filter(open_games.still_open(), gaming_day__gte=lately)
    taken = {deck for row in playing for deck in row.decks} | set(besides)
    with connection.cursor() as cursor:
        cursor.execute(_FREE, [sorted(taken), MOST])
        return [row[0] for row in cursor.fetchall()]


def unknown_to_it(decks: Collection[str]) -> list[str]:
    """Of these decks those nobody received, where the house keeps a register of its decks at all.

    One that was withdrawn was known once: that it is used again is another matter.
    """
    if not DeckReceipt.objects.exists():
        return []
    known = set(DeckReceipt.objects.filter(deck__in=decks).values_list("deck", flat=True))
    known |= set(DeckWithdrawal.objects.filter(deck__in=decks).values_list("deck", flat=True))
    return [deck for deck in decks if deck not in known]
