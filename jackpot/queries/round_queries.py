"""Which round a win was of, by whichever of its names somebody used.

A round has a UUID and a place (shoe and number). Who tells of a win the moment it happens knows the
place alone; once the round is on record, its record joins the two.
"""

from typing import NamedTuple

from django.db.models import Q

from casino.events.round.round_form import gaming_day_of
from casino.models import Round
from casino.queries import replaced
from jackpot.events import JackpotWon


class Names(NamedTuple):
    """The UUIDs and the places by which a round may have been named; none where nobody knows."""

    rounds: frozenset[str]
    places: frozenset[tuple[int, int]]

    def same_as(self, other: "Names") -> bool:
        """Whether both may mean one round."""
        return bool(self.rounds & other.rounds or self.places & other.places)


def names_of(win: JackpotWon) -> Names:
    """The names of the round a win was of: those told, and what the round's own record adds."""
    rounds = set() if win.round is None else {win.round}
    places: set[tuple[int, int]] = set()
    if win.shoe is not None and win.number is not None:
        places.add((win.shoe, win.number))
    if bool(rounds) != bool(places):
        asked = Q(round__in=rounds)
        for shoe, number in places:
            asked |= Q(shoe=shoe, number=number)
        day = gaming_day_of(win.table, win.partida)
        rows = Round.objects.filter(asked, gaming_day=day, partida_id=win.partida)
        found = list(rows.values_list("stream", "n", "round", "shoe", "number"))
        gone = replaced(found[0][0], win.partida) if found else frozenset()
        for _, n, name, its_shoe, its_number in found:
            if n not in gone:
                rounds.add(str(name))
                if its_shoe is not None and its_number is not None:
                    places.add((its_shoe, its_number))
    return Names(frozenset(rounds), frozenset(places))
