"""The game that a handbook in the Portuguese of Brazil plays through card by card (seed 000).

Told are the totals, how many cards were drawn, the king that doubled, the bank's ace-four-four and
the payments; suits and the other cards are ours. A unit of the text is a hundred cents.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random
from typing import Final

from casino.cards import Card, best_total
from casino.demo import cast
from casino.demo.demo_evening import Evening
from casino.demo.demo_tables import DemoShoe, known_of, partida_of
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.round.round_played import (
    Action,
    Bank,
    Box,
    Dealt,
    Hand,
    Limits,
    Place,
    RoundPlayed,
    Times,
    Wager,
)
from casino.events.shoes import CutMade
from casino.events.tables import StakeLimits
from casino.simulation.procedures.procedure_acts import MINUTE, SECOND, Act, Partida
from casino.simulation.procedures.table_story import OPENED, backs_of
from casino.simulation.round_record import round_id

STAKE: Final = 100_000
INSURANCE: Final = STAKE // 2
BURNED: Final = 5
FROM_END: Final = 60
_HIT: Final = "hit"
_STAND: Final = "stand"

# Box by box: the cards, the actions, what was handed back, whether half the stake was insured.
_PLAYED: Final[tuple[tuple[str, tuple[Card, ...], tuple[Action, ...], int, bool], ...]] = (
    ("A", ("6S", "6D", "2H", "4C"), (_HIT, _HIT, _STAND), 0, True),
    ("B", ("AD", "JC"), (), STAKE * 5 // 2, False),
    ("C", ("QS", "TH"), (_STAND,), 2 * STAKE, False),
    ("D", ("7D", "4S", "KH"), ("double",), 4 * STAKE, True),
    ("E", ("9S", "3D", "2C", "2D", "7C"), (_HIT, _HIT, _HIT), 0, True),
    ("F", ("4H", "4D", "2S", "9C"), (_HIT, _HIT, _STAND), STAKE, True),
    ("G", ("KD", "JS"), (_STAND,), 2 * STAKE, False),
)
_BANK: Final[tuple[Card, ...]] = ("AC", "4C", "4S")


def commented(evening: Evening, first_card: datetime) -> list[Act]:
    """The partida of that one round, from its opening to its closing."""
    game = partida_of(evening, "BJ-07", 1, cast.SECOND_PIT)
    story = DemoShoe(**known_of(game, first_card, 1))
    pit, seats = game.pit.staff, tuple(range(1, len(_PLAYED) + 1))
    story.dealer = game.dealers[0]
    opening = {
        "rulebook": "br",
        "limits": StakeLimits(minimum_cents=10_000, maximum_cents=300_000),
        "decks": backs_of(game.decks, game.house.backs),
        "dealing": "shoe",
        "fiscal_de_banca": pit,
        "pagador": story.dealer,
        "cut_card": game.house.cut_card,
        "carta_aviso": game.house.carta_aviso,
        "jackpots": (),
    }
    game.record(first_card - OPENED, PartidaOpened, **opening)
    story.exhibit(first_card - OPENED)
    story.shuffle(1, first_card - 300 * SECOND)
    cut = story.turns.made(seats, ())
    game.record(first_card - 160 * SECOND, CutMade, shoe=1, **cut)
    story.placed(1, first_card, FROM_END, len(seats))
    story.burned(1, first_card - 60 * SECOND, BURNED)
    game.record(first_card + 6 * MINUTE, the_round(game, first_card))
    over = first_card + 20 * MINUTE
    story.order(over - 13 * MINUTE)
    game.record(over, PartidaClosed, rounds=1, reason="no_players")
    story.written_here()
    return game.acts


def the_round(game: Partida, first_card: datetime) -> RoundPlayed:
    """The commented round."""
    seats = tuple(range(1, len(_PLAYED) + 1))
    return RoundPlayed(
        round=round_id(first_card, Random("commented")),  # noqa: S311 - the same each time
        table=game.table,
        partida=game.name,
        rulebook="br",
        shoe=1,
        number=1,
        dealer=game.dealers[0],
        limits=Limits(10_000, 300_000),
        times=Times(
            stakes_closed=first_card - timedelta(seconds=10),
            first_card=first_card,
            paid=first_card + timedelta(minutes=5),
            collected=first_card + timedelta(minutes=6),
        ),
        seats_occupied=seats,
        boxes=tuple(_box(number) for number in seats),
        bank=Bank(_BANK, ()),
        misdealt=(),
        dealt=tuple(_dealt()),
    )


def _box(number: int) -> Box:
    owner, hand, actions, returned, insured = _PLAYED[number - 1]
    stake = 2 * STAKE if "double" in actions else STAKE
    over = best_total(hand) > 21  # collected at once; everything else waits for the bank
    main = Wager(
        owner, "main", stake, returned, hand=1, seat=number, initial_cents=STAKE, at_once=over
    )
    insurance = Wager(
        owner,
        "insurance",
        INSURANCE,
        0,
        seat=number,
        initial_cents=STAKE,
        taken_at=2 * len(_PLAYED) + 1,
        invited=True,
        on_its_place=True,
        spoken=False,
    )
    return Box(
        number=number,
        vacant=False,
        hands=(Hand(1, hand, actions),),
        wagers=(main, insurance) if insured else (main,),
        holder=owner,
        decided_by=owner,
    )


def _dealt() -> Iterator[Dealt]:
    """One card to each and one to the bank, a second to each player; then box by box, then it."""
    hands = [(Place(number, 1), each[1]) for number, each in enumerate(_PLAYED, start=1)]
    for place, hand in hands:
        yield Dealt(hand[0], place)
    yield Dealt(_BANK[0], "bank")
    for place, hand in hands:
        yield Dealt(hand[1], place)
    for place, hand in hands:
        for card in hand[2:]:
            yield Dealt(card, place)
    for card in _BANK[1:]:
        yield Dealt(card, "bank")
