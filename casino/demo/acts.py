"""Acts of the simulated house as lines of a tale."""

from collections.abc import Iterable
from typing import Any, Final

from casino import clock
from casino.demo.demo_lines import Line, Receipts, reference
from casino.demo.shuffler_table import in_the_book
from casino.extensions import event_kinds
from casino.reading.payload import event_of
from casino.recording import Actor, Source
from casino.simulation.procedures.procedure_acts import Act, ByName, Who, Word
from casino.witnessing import LASTS

CHIPS: Final = "jackpot-incremented/1"
# Where an act comes from that nobody typed.
_SOURCES: Final = {"dispositivo": "device", "sistema": "job"}


def lines_of_acts(acts: Iterable[Act], called: str = "act") -> list[Line]:
    """Each act as a line, in the order given; the lines have names that begin so."""
    listed = list(acts)
    names = {id(act): f"{called}/{place}" for place, act in enumerate(listed)}
    return [_line(act, names) for act in listed]


def _line(act: Act, names: dict[int, str]) -> Line:
    by = _actor(act.by)
    source = Source(_SOURCES[by.office], by.staff) if by.office in _SOURCES else Source()
    values: dict[str, Any] = {
        "at": act.at,
        "by": by,
        "name": names[id(act)],
        "recorded_at": act.recorded_at,
    }
    if isinstance(act.event, ByName):
        return _of_another_room(act.event, names, source, values)
    if not isinstance(act.event, Word):
        return Line(event=act.event, source=source, **values)
    word, witnessed = act.event, names[id(act.event.act)]

    def said(receipts: Receipts) -> object:
        _, digest = in_the_book(receipts[witnessed])
        entry = reference(receipts[witnessed])
        # The book is told of the evening now, and refuses a word whose time is over.
        return word.event(entry, clock.now() + LASTS, digest)

    in_turn = isinstance(word.act.event, ByName)
    return Line(event=said, after=(witnessed,), source=source, in_turn=in_turn, **values)


def _of_another_room(
    event: ByName, names: dict[int, str], source: Source, values: dict[str, Any]
) -> Line:
    """An event told by its kind's name, with the entries it names."""

    def said(receipts: Receipts) -> Any:
        written = event.written(lambda act: reference(receipts[names[id(act)]]))
        return event_of(event_kinds()[event.kind], written)

    after = tuple(dict.fromkeys(names[id(act)] for act in event.named))
    values |= {"event": said if after else said({}), "after": after}
    # Chips are recorded in their table's stream, all else in the pool's: their order is that in
    # which they are written.
    return Line(source=source, in_turn=event.kind != CHIPS, **values)


def _actor(who: Who) -> Actor:
    return Actor(who.staff, who.office, who.door)
