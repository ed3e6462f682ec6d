"""What is still missing at a closing, in words, and the page on which each is done."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.events.event_policy import AT_THE_TABLE, FLOOR, HEAD, MANAGER, PIT
from casino.floor.closing.still_missing import Missing, What, missing_of
from casino.floor.game_pages import GAME
from casino.floor.game_view import GameView
from casino.floor.table_links import missing_at
from casino.web.words.field_words import word

WORDS: Final[dict[What, Promise]] = {
    "unloading": _("The cards are still in the shuffler"),
    "load_witness": _("Nobody has confirmed the loading"),
    "unload_witness": _("Nobody has confirmed the unloading"),
    "ordering": _("Decks not put in order yet"),
    "chips": _("The chips have not been counted"),
    "incident": _("Incident not closed"),
    "notice": _("The inspection service has not been told"),
    "complaint": _("Complaint not decided"),
}
DO: Final[dict[What, Promise]] = {
    "unloading": _("Take the cards out"),
    "load_witness": _("Hand to the witness"),
    "unload_witness": _("Hand to the witness"),
    "ordering": _("Put the decks in order"),
    "chips": _("Count the chips"),
    "incident": _("Go to the incident"),
    "notice": _("Tell the inspection service"),
    "complaint": _("Read the complaint"),
}
# What is asked by the rulebook alone: one that does not state it asks for nothing.
_BY_LAW: Final = frozenset({"load_witness", "unload_witness", "notice"})
# Whose it is where nobody is named for it.
_OFFICE: Final[dict[What, str]] = {
    "unloading": PIT,
    "load_witness": HEAD,
    "unload_witness": HEAD,
    "ordering": PIT,
    "chips": PIT,
    "incident": HEAD,
    "notice": MANAGER,
    "complaint": MANAGER,
}
# Who is let in where it is done.
_OPEN_TO: Final[dict[What, frozenset[str]]] = {
    "unloading": frozenset({PIT}),
    "load_witness": FLOOR,
    "unload_witness": FLOOR,
    "ordering": AT_THE_TABLE,
    "chips": AT_THE_TABLE,
    "incident": FLOOR,
    "notice": frozenset({HEAD, MANAGER}),
    "complaint": FLOOR,
}


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that is missing: what, of which, who answers for it, where it is done ('').

    `what` is one of `What`, or a word of a room above the floor. `icon` is ``"note"`` for what
    nobody is held to, and only reminded of.
    """

    what: str
    words: str
    of: str
    article: str
    by: str
    do: str
    url: str
    icon: str = "warning"

    @property
    def parts(self) -> list[str]:
        """What it is of, one by one: no number is broken between two lines."""
        return self.of.split(", ")


def items_of(game: GameView, held: Collection[str]) -> list[Item]:
    """What is missing, as the page lists it to whoever holds these offices.

    What rooms above the floor miss comes first: it lies open on the table.
    """
    own = [
        _item(game, one, held)
        for one in missing_of(game.evening)
        if one.what not in _BY_LAW or game.cites[one.article]
    ]
    return [*missing_at(game, held), *own]


def _item(game: GameView, missing: Missing, held: Collection[str]) -> Item:
    of = "" if missing.what.endswith("_witness") else missing.of
    return Item(
        what=missing.what,
        words=str(WORDS[missing.what]),
        of=of,
        article=game.cites[missing.article] if missing.article else "",
        by=missing.by or str(word(_OFFICE[missing.what])),
        do=str(DO[missing.what]),
        url=url_of(missing, game.table, game.partida if game.over else "")
        if _OPEN_TO[missing.what] & set(held)
        else "",
    )


def url_of(missing: Missing, table: str, closed: str = "") -> str:
    """Where it is done; `closed` names the game where it was closed."""
    of_game = f"?{urlencode({GAME: closed})}" if closed else ""
    match missing.what:
        case "unloading":
            return reverse("sala:unload", args=[table]) + of_game
        case "load_witness" | "unload_witness":
            return reverse("sala:witness", args=[missing.of])
        case "ordering":
            return reverse("sala:order", args=[table]) + of_game
        case "chips":
            return reverse("sala:chips", args=[table]) + of_game
        case "incident":
            return reverse("sala:incident_steps", args=[table, missing.of])
        case "notice":
            return reverse("sala:notice", args=[table, missing.of])
        case "complaint":
            return reverse("sala:complaint_read", args=[table, missing.of])
