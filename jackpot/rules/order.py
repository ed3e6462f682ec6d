"""Nearly simultaneous wins at linked tables: what the house decided, and the order of the book.

They are settled in the order in which they were recorded. Where the house decided another one, that
is no breach of the regulation, which speaks of one round alone; it has to be seen all the same.

Law: PT art. 50.
"""

from collections.abc import Iterable

from casino.events.event import Event
from casino.law.dossier import RecordedEvent
from casino.law.finding import LAWFUL, Verdict
from casino.law.questions import breach
from jackpot.events import JackpotWon


def in_the_decided_order(wins: Iterable[RecordedEvent[JackpotWon]]) -> list[Verdict]:
    """What is said of each win of a pool, handed in as the book tells them.

    Those of one moment are numbered from 1 on; a win without a number was alone. Law: PT art. 50.
    """
    said: list[Verdict] = []
    before: RecordedEvent[Event] | None = None
    place = 0
    for recorded in wins:
        order = recorded.event.order
        if order is None:
            said.append(None)
            before, place = None, 0
            continue
        if order in (1, place + 1):
            said.append(LAWFUL)
        else:
            said.append(
                breach(
                    {"place_in_book": place + 1},
                    {"place_decided": order},
                    before,
                    recorded,
                    where={"jackpot": recorded.event.jackpot},
                )
            )
        before, place = recorded, order
    return said
