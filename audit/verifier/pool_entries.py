"""What entries tell of the pools of a progressive prize, taken out of them while they are read.

The shapes are those of docs/events.md, "The jackpot". Nothing is believed of an entry but its form.
"""

from datetime import datetime, timedelta
from struct import error
from typing import Any, Final, NamedTuple

from .canonical import names_met
from .envelope import Read

# A place among entries read at once, kind, when it happened, and what it tells; nothing of an
# entry that cannot be read.
PoolEntry = tuple[int, bytes, int, Any]

ROUND: Final = b"round-played/1"
INCREMENT: Final = b"jackpot-incremented/1"
OPENED: Final = b"partida-opened/1"
TERMS: Final = b"terms-approved/1"
CONFIRMED: Final = b"terms-confirmed/1"
STARTED: Final = b"jackpot-started/1"
WON: Final = b"jackpot-won/1"
PAID: Final = b"jackpot-paid/1"
ADJUSTED: Final = b"jackpot-adjusted/1"
READ: Final = b"jackpot-read/1"
OF_POOLS: Final = {TERMS, CONFIRMED, WON, STARTED, PAID, ADJUSTED, READ, b"jackpot-sealed/1"}
UNREADABLE: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, error)
_NAMES: Final = {"chip", "jackpot"}  # one of them stands in what is reported of chips and pools
_CHIP: Final = b'"kind":"jackpot"'


class Feed(NamedTuple):
    """Whose chips: told by the rounds of a partida or by increments of a pool, at a table.

    `priced`: their worth is recorded in cents; else they are counted, and worth what the terms say.
    `amends`: it corrects another entry and waits for a second person.
    """

    by_round: bool
    of: str
    table: str
    priced: bool
    amends: bool = False


def moment(text: bytes) -> int:
    """A moment as a number of 8 bytes, in its order."""
    return int(text.translate(None, b"-:.TZ")) - 10**19


def since(then: int, newest: bytes) -> timedelta:
    """How much later the newest moment is than such a number's."""
    stamp = datetime.strptime(str(then + 10**19), "%Y%m%d%H%M%S%f")  # noqa: DTZ007 - all is UTC
    return datetime.fromisoformat(newest[:26].decode()) - stamp


def whole(value: object, least: int = 0) -> int:
    """A whole number. Raises: ValueError."""
    if type(value) is not int or value < least:
        raise ValueError("no such number")
    return value


def gather(read: Read) -> list[PoolEntry]:
    """What entries read at once tell of pools, and of partidas that named some, or none."""
    columns, payloads, _ = read
    days, kinds, occurred, texts = columns[2], columns[4], columns[6], columns[7]
    unmet = names_met.isdisjoint(_NAMES) and len(names_met) < 900  # all are kept up to 1000
    if unmet and OPENED not in kinds:
        return []
    found: list[PoolEntry] = []
    for at, kind in enumerate(kinds):
        what: object = None
        if kind in OF_POOLS:
            what = days[at], texts[at]
        elif kind == INCREMENT or (kind == ROUND and _CHIP in texts[at]):
            try:
                what = _chips(kind, payloads[at])
            except UNREADABLE:
                what = ()
        elif kind == OPENED:
            named = payloads[at].get("jackpots")
            if type(named) is not list or len(named) != 1:  # of several nobody knows which
                named = [""]
            what = str(payloads[at].get("partida")), str(named[0])
        if what is not None:
            found.append((at, kind, moment(occurred[at]), what))
    return found


def _chips(kind_bytes: bytes, values: dict[str, Any]) -> tuple[tuple[Any, ...], int, int | None]:
    """Where chips come from, their cents, or how many they are, and what the display showed."""
    if kind_bytes == ROUND:
        wagers = (wager for box in values["boxes"] for wager in box["wagers"])
        cents = sum(whole(one["stake_cents"]) for one in wagers if one["kind"] == "jackpot")
        return (True, values["partida"], values["table"], True), cents, None
    count, each = sum(whole(one["n"]) for one in values["chips"]), values.get("chip_cents")
    feed = (False, values["jackpot"], values["table"], each is not None)
    shown = whole(values["display_cents"]) if "display_cents" in values else None
    return feed, count if each is None else count * whole(each), shown
