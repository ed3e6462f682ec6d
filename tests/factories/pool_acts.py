"""An evening with a progressive prize, told as short as can be: what is not mentioned is lawful.

``pool_game()`` is a table that feeds the pool JP-1, marked by hand: approved terms, confirmed,
a start. ``laid(game, "1 J1 1")`` is a round and the increment that tells the same chips.
"""

from typing import Any, Final

from casino.events.round.round_played import RoundPlayed
from casino.events.tables import TableRegistered
from casino.law.dossier import RecordedEvent
from jackpot.events import (
    JackpotAdjusted,
    JackpotChip,
    JackpotIncremented,
    JackpotPaid,
    JackpotStarted,
    JackpotWinner,
    JackpotWon,
    TermsApproved,
    TermsConfirmed,
    TermsLine,
)
from tests.factories.games import Game, moment
from tests.factories.rounds import box, main, wager
from tests.factories.usual_events import ref
from tests.factories.usual_events import terms as usual_terms

POOL: Final = "JP-1"
TOP: Final = "four_aces_same_suit"
SEVENS: Final = "three_sevens"
PAIR: Final = "pair_same_suit"
START: Final = 2_500_000  # cents
LINES: Final = (
    TermsLine(code=TOP, share_millionths=1_000_000),
    TermsLine(code=SEVENS, share_millionths=100_000),
    TermsLine(code=PAIR, fixed_cents=5_000),
)
NOTHING: Final = "TS 8D"  # cards that win nothing


def terms_of(**otherwise: Any) -> TermsApproved:
    """Lawful terms, from half past twelve on."""
    return usual_terms(**{"valid_from": moment("12:30"), "lines": LINES, **otherwise})


def approved(
    game: Game, at: str = "12:00", *, confirmed: str | None = "12:05", **terms: Any
) -> None:
    """Terms, and a second person's word on them unless there was none."""
    recorded = game.beside(terms_of(**terms), at)
    if confirmed is not None:
        game.beside(TermsConfirmed(jackpot=POOL, confirms=ref(recorded)), confirmed)


def pool_game(*, started: int | None = START, terms: bool = True, **otherwise: Any) -> Game:
    """A table with its pool."""
    game = Game(jackpots=(POOL,))
    marking = otherwise.get("marking", "manual")
    game.outside(TableRegistered, jackpot_place=True, jackpot_marking=marking)
    if terms:
        approved(game, **otherwise)
    if started is not None:
        game.beside(JackpotStarted(jackpot=POOL, start_cents=started, reason="first"), "12:10")
    return game


def chips_of(text: str) -> list[tuple[int, str, int]]:
    """``"1 J1 1, 2 J2 1"``: box, owner, number of chips."""
    return [
        (int(where), owner, int(n)) for where, owner, n in (one.split() for one in text.split(","))
    ]


def played(
    game: Game, chips: str = "1 J1 1", *, cards: str = NOTHING, at: str = "20:10", **known: Any
) -> RecordedEvent[RoundPlayed]:
    """A round whose record tells the chips; each owner has a main stake on his box."""
    by_box: dict[int, list[tuple[str, int]]] = {}
    for where, owner, n in chips_of(chips):
        by_box.setdefault(where, []).append((owner, n))
    stakes = known.pop("mains", {where: laid[0][0] for where, laid in by_box.items()})
    each = known.pop("chip_cents", 250)
    boxes = [
        box(
            where,
            cards,
            *([main(1000, 2000, stakes[where])] if where in stakes else []),
            *(wager("jackpot", each * n, 0, owner, chip=n) for owner, n in laid),
        )
        for where, laid in sorted(by_box.items())
    ]
    number = 1 + sum(isinstance(recorded.event, RoundPlayed) for recorded in game.entries)
    return game.round(1, number, at, boxes=boxes, **known)


def collected(
    game: Game, chips: str = "1 J1 1", at: str = "20:10", **known: Any
) -> RecordedEvent[Any]:
    """The increment of a round's chips: each of the set amount, each with its marker."""
    marked = known.pop("marked", True)
    values: dict[str, Any] = {"chip_cents": 250, "closing_called": True}
    values |= {"collected_before_deal": True, "jackpot": POOL} | known
    laid = tuple(
        JackpotChip(box=where, owner=owner, n=n, marked=marked)
        for where, owner, n in chips_of(chips)
    )
    return game.record(JackpotIncremented, at, chips=laid, **values)


def laid(
    game: Game, chips: str = "1 J1 1", at: str = "20:10", **known: Any
) -> RecordedEvent[RoundPlayed]:
    """A round, and the increment that tells the same."""
    recorded = played(game, chips, at=at, **known)
    collected(game, chips, at, round=recorded.event.round)
    return recorded


def won(
    game: Game,
    *winners: str,
    of: RecordedEvent[RoundPlayed] | None = None,
    at: str = "20:12",
    **known: Any,
) -> RecordedEvent[JackpotWon]:
    """``"1 J1 pair_same_suit"``: box, owner, combination of each winner. Out of the start value."""
    listed = tuple(
        JackpotWinner(box=int(where), owner=owner, code=code, seat=int(where))
        for where, owner, code in (one.split() for one in winners)
    )
    known.setdefault("running_microcents", START * 1_000_000)
    event = JackpotWon(
        table=game.table,
        partida=game.partida,
        jackpot=POOL,
        winners=listed,
        round=None if of is None else of.event.round,
        **known,
    )
    return game.beside(event, at)


def paid(
    game: Game,
    hit: RecordedEvent[JackpotWon],
    winner: str,
    cents: int,
    at: str = "20:20",
    **known: Any,
) -> RecordedEvent[JackpotPaid]:
    """One winner's money: ``"1 J1 pair_same_suit"``."""
    where, owner, code = winner.split()
    event = JackpotPaid(
        table=game.table,
        partida=game.partida,
        jackpot=POOL,
        hit=ref(hit),
        owner=owner,
        box=int(where),
        code=code,
        paid_cents=cents,
        **{"paid_at": moment(at), **known},
    )
    return game.beside(event, at)


def withdrawn(game: Game, hit: RecordedEvent[JackpotWon], at: str = "20:30") -> None:
    """A win that was none."""
    event = JackpotAdjusted(jackpot=POOL, microcents=0, reason="win_withdrawn", hit=ref(hit))
    game.beside(event, at)


def winning(
    *winners: str, pays: dict[str, int] | None = None, cards: str = "7S 7D 7H", **known: Any
) -> Game:
    """A round won by these, and paid so, in this order, from 20:20 on, one a minute."""
    game = pool_game(**known)
    chips = ", ".join(f"{one.split()[0]} {one.split()[1]} 1" for one in winners)
    hit = won(game, *winners, of=laid(game, chips, cards=cards))
    for minute, (winner, cents) in enumerate((pays or {}).items()):
        paid(game, hit, winner, cents, f"20:{20 + minute}")
    return game
