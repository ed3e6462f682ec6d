"""A pool as a table's screens meet it: what it runs at, the terms it is played by, its articles."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import Http404

from casino.events.partidas import PartidaOpened
from casino.floor.table_state import TableState, TableView, load_table_view
from casino.law.dossier import Dossier
from casino.law.rulebook.rulebook import LawInForce
from jackpot.progressive.amounts import contribution_microcents
from jackpot.queries import PoolNow, Version, pool_now
from jackpot.queries.versions import version_at


@dataclass(frozen=True, slots=True)
class Standing:
    """A pool named by the partida now open at a table; `terms` None where none are in force."""

    jackpot: str
    look: TableView
    dossier: Dossier
    rules: LawInForce
    pool: PoolNow
    terms: Version | None

    @property
    def state(self) -> TableState:
        """How the table stands."""
        return self.look.state

    @property
    def at(self) -> dict[str, Any]:
        """Where an event of this partida says it belongs."""
        return {"table": self.dossier.table, "partida": self.dossier.partida}

    @property
    def by_itself(self) -> bool:
        """Whether the collection itself raises the display. Law: PT art. 41 a)."""
        return self.terms is not None and self.terms.terms.marking == "automatic"

    def terms_at(self, moment: datetime) -> Version | None:
        """The terms of what happened at a moment and is recorded now. Law: PT art. 40."""
        return version_at(self.pool.versions, moment, self.state.now)

    def adds_microcents(self, chips: int) -> int:
        """What so many chips collected here add to the meter. Law: PT art. 40, 41."""
        if self.terms is None or not self.terms.feeds(self.dossier.table, "increment"):
            return 0
        terms = self.terms.terms
        return contribution_microcents(terms.stake_cents, terms.rate_millionths, chips)


def pools_named(dossier: Dossier) -> tuple[str, ...]:
    """The pools that the partida's opening named."""
    opened = dossier.of(PartidaOpened)
    return (opened[-1].event.jackpots or ()) if opened else ()


def standing_at(table: str, jackpot: str, now: datetime) -> Standing | None:
    """The pool at a table; None where no partida is open there.

    Raises: Http404, for a pool the partida did not name.
    """
    table_view = load_table_view(table, now)
    if table_view.dossier is None or table_view.rules is None:
        return None
    if jackpot not in pools_named(table_view.dossier):
        raise Http404
    pool = pool_now(jackpot)
    terms = version_at(pool.versions, now, now)
    return Standing(jackpot, table_view, table_view.dossier, table_view.rules, pool, terms)
