"""The decks a table's last game had at its end, which its next is opened with: none that has gone.

Law: PT art. 5 (a deck that was withdrawn is not used again), 3.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from casino import clock
from casino.facts.partidas import DeckInUse, PartidaOpened
from casino.models import DeckReceipt
from casino.regulation.floor_evening import Evening
from casino.regulation.floor_in_play import decks_gone, decks_in_play
from casino.sala import gathering
from casino.sala.state import rules_of


class Left(NamedTuple):
    """What a game left: its decks, and those withdrawn for which none came in."""

    decks: tuple[DeckInUse, ...]
    gone: tuple[str, ...]


def decks_left(openings: Mapping[str, PartidaOpened]) -> dict[str, Left]:
    """By table, what the game of each of these openings left, asked of the book together."""
    now = clock.now()
    games = gathering.dossiers([opened.partida for opened in openings.values()], now, counted=False)
    found: dict[str, Left] = {}
    for table, opened in openings.items():
        dossier, _ = games[opened.partida]
        evening = Evening(dossier, rules_of(dossier))
        gone = decks_gone(dossier)
        first = {one.deck: one for one in opened.decks}
        codes = decks_in_play(evening) or tuple(code for code in first if code not in gone)
        came = received([code for code in codes if code not in first])
        decks = (*(first[code] for code in codes if code in first), *came)
        missing = [code for code in first if code not in codes]
        found[table] = Left(decks, tuple(missing) if len(decks) < len(first) else ())
    return found


def received(decks: Sequence[str]) -> tuple[DeckInUse, ...]:
    """These decks with the colour of their backs, where somebody received them."""
    rows = DeckReceipt.objects.filter(deck__in=decks).order_by("n") if decks else ()
    colours: dict[str, str] = {row.deck: row.back_colour for row in rows}
    return tuple(DeckInUse(deck=deck, back_colour=colours.get(deck) or None) for deck in decks)
