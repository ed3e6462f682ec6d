"""The decks a table's last game had at its end, which its next is opened with: none that has gone,
and none that lies at another table.

Law: PT art. 5 (a deck that was withdrawn is not used again), 3.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from casino import clock
from casino.events.partidas import DeckInUse, PartidaOpened
from casino.floor import gathering
from casino.floor.opening.deck_store import decks_in_use
from casino.floor.table_state import rules_of
from casino.law.game_decks import decks_gone, decks_in_play
from casino.law.partida_context import PartidaContext
from casino.models import DeckReceipt


class Left(NamedTuple):
    """What a game left: its decks, and those withdrawn for which none came in.

    `elsewhere` are those of them that lie at another table, with that table.
    """

    decks: tuple[DeckInUse, ...]
    gone: tuple[str, ...] = ()
    elsewhere: tuple[tuple[str, str], ...] = ()

    @property
    def whole(self) -> bool:
        """Whether none of its decks is wanting."""
        return not self.gone and not self.elsewhere


def decks_left(openings: Mapping[str, PartidaOpened]) -> dict[str, Left]:
    """By table, what the game of each of these openings left, asked of the book together.

    A deck that several of them had is left by the one that was opened last.
    """
    now = clock.now()
    games = gathering.dossiers([opened.partida for opened in openings.values()], now, counted=False)
    evenings = {
        table: PartidaContext(dossier, rules_of(dossier))
        for table, opened in openings.items()
        for dossier, _ in [games[opened.partida]]
    }
    in_order = sorted(evenings, key=lambda table: _opened_at(evenings[table], now))
    left = {table: _left(evenings[table], openings[table]) for table in in_order}
    lies_at = {deck.deck: table for table, (decks, _) in left.items() for deck in decks}
    lies_at |= decks_in_use() if openings else {}
    return {
        table: Left(
            tuple(one for one in decks if lies_at[one.deck] == table),
            gone,
            tuple((one.deck, lies_at[one.deck]) for one in decks if lies_at[one.deck] != table),
        )
        for table, (decks, gone) in left.items()
    }


def _opened_at(game: PartidaContext, otherwise: datetime) -> datetime:
    return otherwise if game.opened is None else game.opened.occurred_at


def _left(
    game: PartidaContext, opened: PartidaOpened
) -> tuple[tuple[DeckInUse, ...], tuple[str, ...]]:
    """The decks of a game at its end, and those withdrawn for which none came in."""
    gone = decks_gone(game.dossier)
    first = {one.deck: one for one in opened.decks}
    codes = decks_in_play(game) or tuple(code for code in first if code not in gone)
    came = received([code for code in codes if code not in first])
    decks = (*(first[code] for code in codes if code in first), *came)
    missing = [code for code in first if code not in codes]
    return decks, tuple(missing) if len(decks) < len(first) else ()


def received(decks: Sequence[str]) -> tuple[DeckInUse, ...]:
    """These decks with the colour of their backs, where somebody received them."""
    rows = DeckReceipt.objects.filter(deck__in=decks).order_by("n") if decks else ()
    colours: dict[str, str] = {row.deck: row.back_colour for row in rows}
    return tuple(DeckInUse(deck=deck, back_colour=colours.get(deck) or None) for deck in decks)
