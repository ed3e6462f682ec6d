"""A table's game as it stands now, as the screens of a game look at it: its record and its law."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from casino import holding
from casino.events.floor_life import DealerLeftTable, DealerTookTable
from casino.kept_entries import dossier_kept
from casino.law.dossier import Dossier, in_time
from casino.law.game_incidents import Incident
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law
from casino.models import Partida
from casino.queries import that_count
from casino.web.forms.warnings import Cites

RULEBOOK: Final = "pt"  # where the game does not say by which it is played


@dataclass(frozen=True, slots=True)
class GameView:
    """One game: `evening` is its record before the rules of its day, `now` when it was read."""

    evening: PartidaContext
    law: Law
    now: datetime

    @property
    def dossier(self) -> Dossier:
        """Everything the book tells of it."""
        return self.evening.dossier

    @property
    def table(self) -> str:
        """The table's code."""
        return self.dossier.table

    @property
    def partida(self) -> str:
        """The game's name."""
        return self.dossier.partida

    @property
    def at(self) -> dict[str, Any]:
        """Where an event of this game says it belongs."""
        return {"table": self.table, "partida": self.partida}

    @property
    def cites(self) -> Cites:
        """What its pages cite."""
        return Cites(self.law.id)

    @property
    def within(self) -> Cites:
        """What its pages cite in brackets."""
        return Cites(self.law.id, brackets=True)

    @property
    def since(self) -> datetime | None:
        """When it was opened; None where nobody recorded."""
        opened = self.evening.opened
        return opened.occurred_at if opened is not None else None

    @property
    def machine(self) -> bool:
        """Whether a shuffler deals."""
        return self.evening.dealing == "shuffler"

    @property
    def shuffler(self) -> str | None:
        """The machine, where it is named."""
        opened = self.evening.opened
        return opened.event.shuffler if opened is not None else None

    @property
    def dealer(self) -> str:
        """Who deals now, as far as recorded; ``""`` where nobody is named."""
        turns = [*self.dossier.of(DealerTookTable), *self.dossier.of(DealerLeftTable)]
        last = max(turns, key=in_time, default=None)
        if last is not None and isinstance(last.event, DealerTookTable):
            return last.event.pagador
        opened = self.evening.opened
        named = opened.event.pagador if opened is not None and last is None else None
        return named or ""

    @property
    def over(self) -> bool:
        """Whether the game was closed, and not opened again."""
        return self.evening.closed is not None

    def incident(self, number: str) -> Incident | None:
        """An incident of this game by its number."""
        return next((one for one in self.evening.incidents if one.event.incident == number), None)


def load_game_view(partida: str, now: datetime) -> GameView:
    """The game of that name as the book tells it, with what is held of it (casino.holding).

    Raises: Malformed, for a name that is none.
    """
    held = holding.held_in([partida])
    listed = held.get(partida, [])
    known = dossier_kept(partida, as_of=now, and_recorded=[one.recorded for one in listed])
    dossier = holding.with_held(known, listed)
    opened = [recorded for recorded in dossier.entries if recorded.event.kind == "partida-opened/1"]
    try:
        law = load_law(opened[-1].event.rulebook if opened else RULEBOOK)
    except LawError:
        law = load_law(RULEBOOK)
    return GameView(PartidaContext(dossier, law.on(dossier.gaming_day)), law, now)


def last_game_view(table: str, now: datetime) -> GameView | None:
    """The last game of a table, open or closed; None where it has had none."""
    opening = holding.openings([table])
    if opening:
        return load_game_view(opening[table], now)
    last = that_count(Partida.objects.filter(table_code=table)).order_by("-pk").first()
    return None if last is None else load_game_view(last.partida_id, now)
