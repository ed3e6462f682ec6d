"""Article 11 across the rounds of a shoe: the one with the warning card is the last.

A record tells that the card came out by having `warning_card_at`; whether it came out during the
round or just before it (0), that round is still played and is the last. A shoe of which no record
tells the card decides nothing.

Law: PT art. 11.
"""

import struct
from collections import OrderedDict
from collections.abc import Iterable
from typing import Final, NamedTuple

from casino.law.finding import FOUND, LAWFUL, UNDECIDED, Outcome, Rule

NO_ROUND_AFTER_THE_LAST: Final = Rule(
    "no_round_after_the_last",
    "shoe",
    "The round in which the warning card comes out is the last of its shoe.",
)

# What is held at once, whatever the size of the file: a shoe has some forty rounds, of 33 bytes
# each.
SHOES_HELD: Final = 8_192
TURNS_HELD: Final = 400_000
SHOES_REMEMBERED: Final = 32_768
_LARGEST: Final = 2**64 - 1


class ShoeKey(NamedTuple):
    """One shoe of one game, under the rulebook its records name."""

    rulebook: str
    partida: str
    shoe: int


class Turn(NamedTuple):
    """One round's place in its shoe.

    `number` counts rounds from 1, `round_id` is the 16 bytes of its UUID, `mark` is the caller's
    own number (a line).
    """

    number: int
    round_id: bytes
    warning_card: bool
    mark: int = 0


class TurnVerdict(NamedTuple):
    """What article 11 says of one round; `last` is the one that was to be it, None if not
    recorded.
    """

    key: ShoeKey
    turn: Turn
    outcome: Outcome
    last: Turn | None


def last_of(turns: Iterable[Turn]) -> Turn | None:
    """The round in which the warning card came out: the lowest-numbered where several tell it."""
    listed = [turn for turn in turns if turn.warning_card]
    return min(listed, key=lambda turn: turn.number) if listed else None


def judge_shoe(
    shoe_key: ShoeKey, turns: Iterable[Turn], last: Turn | None = None
) -> list[TurnVerdict]:
    """Judge the rounds of one shoe, in whatever order they come; `last` where it is known already.

    Law: PT art. 11.
    """
    turns = list(turns)
    found = last_of(turns if last is None else [last, *turns])
    return [TurnVerdict(shoe_key, turn, _outcome(turn, found), found) for turn in turns]


def _outcome(turn: Turn, last: Turn | None) -> Outcome:
    if last is None:
        return UNDECIDED
    return FOUND if turn.number > last.number else LAWFUL


class ShoeWatch:
    """Article 11 over a stream of rounds, in bounded memory.

    Rounds of a shoe may come in any order and mixed with others. A shoe is judged at the end, or
    earlier when more than `shoes` shoes or `turns` rounds are held: then the shoe that was longest
    untouched is judged with what is known of it. A round that comes after its shoe was judged is
    judged by what was known then; a warning card recorded later still changes nothing that was said
    before.
    """

    def __init__(self, shoes: int = SHOES_HELD, turns: int = TURNS_HELD) -> None:
        self._shoes = shoes
        self._turns = turns
        self._count = 0
        self._held: OrderedDict[ShoeKey, bytearray] = OrderedDict()
        self._judged: OrderedDict[ShoeKey, Turn | None] = OrderedDict()

    def add(self, shoe_key: ShoeKey, turn: Turn) -> list[TurnVerdict]:
        """Take one round; the verdicts are those of a shoe that had to be judged to make room."""
        packed = self._held.get(shoe_key)
        if packed is None:
            packed = self._held[shoe_key] = bytearray()
        else:
            self._held.move_to_end(shoe_key)
        packed += _pack(turn)
        self._count += 1
        if len(self._held) > self._shoes or self._count > self._turns:
            return self._judge_oldest()
        return []

    def finish(self) -> Iterable[TurnVerdict]:
        """Judge every shoe still held, in the order in which they were last touched."""
        while self._held:
            yield from self._judge_oldest()

    def _judge_oldest(self) -> list[TurnVerdict]:
        key, packed = self._held.popitem(last=False)
        turns = _unpack(packed)
        self._count -= len(turns)
        verdicts = judge_shoe(key, turns, self._judged.pop(key, None))
        self._judged[key] = verdicts[0].last
        if len(self._judged) > SHOES_REMEMBERED:
            self._judged.popitem(last=False)
        return verdicts


# A turn at rest: number, mark, the warning card, the round's id.
_TURN: Final = struct.Struct("<QQ?16s")


def _pack(turn: Turn) -> bytes:
    # A number no shoe can reach keeps its place above every other.
    return _TURN.pack(min(turn.number, _LARGEST), turn.mark, turn.warning_card, turn.round_id)


def _unpack(packed: bytearray) -> list[Turn]:
    return [
        Turn(number, round_id, warning_card, mark)
        for number, mark, warning_card, round_id in _TURN.iter_unpack(packed)
    ]
