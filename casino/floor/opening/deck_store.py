"""The decks that lie in the store: received, not withdrawn, not destroyed, in no game that is open.

In an open game are the decks it is played with: what came in for a withdrawn one too.

Said as a help to whoever has to name one: the register may not know every deck, and any may be
typed. Law: PT art. 3, 5.
"""

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any, Final

from django.db import connection
from django.db.models.functions import Upper
from django.utils.translation import gettext

from casino import clock, holding
from casino.access import open_games
from casino.floor import gathering
from casino.floor.table_state import rules_of
from casino.house_day import gaming_day_now
from casino.law.game_decks import decks_in_play
from casino.law.partida_context import PartidaContext
from casino.models import DeckReceipt, DeckWithdrawal, Partida
from casino.queries import that_count

MOST: Final = 24  # that a page offers as tiles
LATELY: Final = timedelta(days=2)  # no game lasts longer

_FREE: Final = """
WITH gone AS MATERIALIZED (SELECT stream, n FROM casino_not_counting WHERE until_n IS NULL)
SELECT DISTINCT deck FROM casino_deck_receipt AS had
WHERE NOT EXISTS (SELECT 1 FROM casino_deck_withdrawal AS out
  WHERE out.deck = had.deck AND (out.stream, out.n) NOT IN (SELECT * FROM gone))
 AND NOT EXISTS (SELECT 1 FROM casino_destruction AS end_
  WHERE end_.decks ? had.deck AND (end_.stream, end_.n) NOT IN (SELECT * FROM gone))
 AND deck <> ALL(%s::text[]) AND (had.stream, had.n) NOT IN (SELECT * FROM gone)
ORDER BY deck LIMIT %s
"""


def in_store(besides: Collection[str] = ()) -> list[str]:
    """Decks that may come into a game, the lowest numbers first; none of `besides`."""
    taken = {*decks_in_use(), *holding.decks_leaving(), *besides}
    with connection.cursor() as cursor:
        cursor.execute(_FREE, [sorted(taken), MOST])
        return [row[0] for row in cursor.fetchall()]


def decks_in_use() -> dict[str, str]:
    """Every deck an open game is played with now, with the table at which it lies.

    A game whose opening is held is one of them.
    """
    opening = holding.openings()
    lately = gaming_day_now() - LATELY
    playing = Partida.objects.filter(open_games.still_open(), gaming_day__gte=lately)
    names = [*{*playing.values_list("partida_id", flat=True), *opening.values()}]
    games = gathering.dossiers(names, clock.now(), counted=False)
    return {
        deck: dossier.table
        for dossier, _ in games.values()
        for deck in decks_in_play(PartidaContext(dossier, rules_of(dossier)))
    }


def as_registered(typed: Sequence[str]) -> list[str]:
    """Numbers of decks as they were received, in whatever case they are typed; else in capitals."""
    asked = {one.upper() for one in typed if one}
    rows = DeckReceipt.objects.annotate(capitals=Upper("deck")).filter(capitals__in=asked)
    had = set(rows.values_list("deck", flat=True)) if asked else set()
    spelt = {one.upper(): one for one in sorted(had, reverse=True)}
    return [one if one in had else spelt.get(one.upper(), one.upper()) for one in typed]


def doubt_about(deck: str, here: str = "") -> str:
    """Why a deck that is to come in may be another; '' where nothing speaks against it.

    `here` is the table whose own decks may be named.
    """
    if unknown_to_it([deck]):
        return gettext("Nobody received %(decks)s into the store: look at the number again.") % {
            "decks": deck
        }
    lies_at = decks_in_use().get(deck, here)
    if lies_at == here:
        return ""
    return gettext("Deck %(deck)s is in the open game of %(table)s: look at the number again.") % {
        "deck": deck,
        "table": lies_at,
    }


def unknown_to_it(decks: Collection[str]) -> list[str]:
    """Of these decks those nobody received, where the house keeps a register of its decks at all.

    One that was withdrawn was known once: that it is used again is another matter.
    """
    if not DeckReceipt.objects.exists():
        return []
    known: set[str] = set()
    for projection in (DeckReceipt, DeckWithdrawal):
        rows: Any = projection._default_manager.filter(deck__in=decks)
        known |= set(that_count(rows).values_list("deck", flat=True))
    return [deck for deck in decks if deck not in known]
