"""What the record says by itself of a table's rounds, for whoever stands there: whether the last
rounds can still be complained of, and whether the warning card came where it was said to lie.

Worked out by the rules that judge it, each time the page is shown. Nothing here refuses anything.

Law: PT art. 9 (warning card), 60 and 61 (complaints).
"""

from dataclasses import dataclass
from typing import Final

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext

from casino.events.shoes import CartaAvisoPlaced
from casino.floor import gathering
from casino.floor.step_words import article_of
from casino.floor.table_state import TableView
from casino.law.checks.shoe.shoe_preparation import CardsBehind, cards_behind
from casino.law.checks.table.complaint_window import RoundWindow, window
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.rulebook_file import load_law

SHOWN: Final = 3  # rounds whose window is shown
READ: Final = 20  # rounds: cards wait for one of the next few
_ICONS: Final = {"breach": "breach", "warning": "warning", "kept": "kept", "idle": "open"}


@dataclass(frozen=True, slots=True)
class Said:
    """One thing the record says: what about, in words, by which article.

    `tone` is how it is shown: ``"breach"``, ``"warning"``, ``"kept"`` or ``"idle"``; `icon` its
    sign.
    """

    about: str
    words: str
    tone: str

    @property
    def icon(self) -> str:
        """The sign beside the words."""
        return _ICONS[self.tone]


@dataclass(frozen=True, slots=True)
class Watched:
    """What a table's page shows of its rounds. `window` begins with the last round."""

    article: str
    window: tuple[Said, ...]
    card_article: str
    card: Said | None


def watched(table_view: TableView) -> Watched | None:
    """What the record says of an open table's rounds; None where it says nothing."""
    state = table_view.state
    if table_view.dossier is None or table_view.rules is None:
        return None
    heard: tuple[Said, ...] = ()
    card = None
    if state.dealing == "shuffler":
        dossier = gathering.with_rounds(table_view.dossier, last=READ)
        rounds = window(dossier, state.now, load_law(table_view.rules.rulebook)).rounds
        heard = tuple(
            _heard(one) for place, one in enumerate(rounds) if place < SHOWN or _asks(one)
        )
    else:
        card = _card(table_view)
    if not heard and card is None:
        return None
    return Watched(article_of(state, "61"), heard, article_of(state, "9"), card)


def _asks(round_window: RoundWindow) -> bool:
    """Whether something hangs on a round that is not among the last."""
    return bool(round_window.in_dispute) or round_window.hearing == "waiting"


def _heard(round_window: RoundWindow) -> Said:
    """Until when a complaint about a round is heard, in words."""
    about = gettext("Round %(number)s") % {"number": round_window.number or "–"}
    if round_window.in_dispute:
        values = {"codes": ", ".join(round_window.in_dispute)}
        words = gettext("in dispute (%(codes)s): its cards may not go back yet") % values
        return Said(about, words, "breach")
    until = (
        "" if round_window.until is None else date_format(localtime(round_window.until), "H:i:s")
    )
    words = {
        "no_end": gettext("can be complained of"),
        "waiting": gettext("can be complained of: its cards wait"),
        "open": gettext("can be complained of: its cards have not gone in"),
        "over": gettext("its cards went in at %(at)s") % {"at": until},
        "unknown": gettext("nobody told whether its cards went in"),
    }[round_window.hearing]
    return Said(about, words, {True: "kept", False: "idle", None: "warning"}[round_window.open])


def _card(table_view: TableView) -> Said | None:
    """The warning card of the shoe that is dealt, or of the one before, once it came out."""
    assert table_view.dossier is not None
    assert table_view.rules is not None
    placed = {recorded.event.shoe for recorded in table_view.dossier.of(CartaAvisoPlaced)}
    for shoe in sorted(placed & {table_view.state.shoe, table_view.state.shoe - 1}, reverse=True):
        game = PartidaContext(
            gathering.with_rounds(table_view.dossier, shoe=shoe), table_view.rules
        )
        found = game.shoe(shoe)
        counted = cards_behind(game, found) if found is not None else None
        if counted is not None and counted.came is not None:
            return _compared(shoe, counted)
    return None


def _compared(shoe: int, counted: CardsBehind) -> Said:
    """Where it was said to lie against the cards dealt until it came."""
    about = gettext("Warning card of shoe no. %(n)s") % {"n": shoe}
    values = {"recorded": counted.recorded, "computed": counted.computed}
    if counted.agrees is None:
        words = gettext("recorded %(recorded)s from the end; the rounds do not tell every card")
        return Said(about, words % values, "idle")
    if counted.agrees:
        words = gettext("came %(computed)s from the end, recorded %(recorded)s: agrees")
        return Said(about, words % values, "kept")
    words = gettext("came %(computed)s from the end, recorded %(recorded)s: does not agree")
    return Said(about, words % values, "warning")
