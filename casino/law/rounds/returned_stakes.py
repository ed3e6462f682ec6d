"""Stakes that go back because they were unlawful, where the reading unlawful-stake has it so.

A stake goes back when a check found it unlawful, and is not decidable while one could not tell.

Law: PT art. 13-16, 26, 28-31, 33 (reading unlawful-stake).
"""

from collections.abc import Iterator
from typing import Any, Final

from casino.events.round.round_played import Box, Wager
from casino.law.check_registry import ALL_CHECKS, Asked, Plan
from casino.law.checks.rounds.betting import at
from casino.law.finding import LAWFUL, UNDECIDED, Result
from casino.law.rounds.play import STAKED, RoundPlay

Where = dict[str, int | str]

# Whatever these cannot tell, the holder's own stake is no matter of theirs.
OF_OTHERS: Final = ("sum_on_box_within_maximum", "complementary_stake_lawful")


class GoingBack:
    """Which stakes of a round go back.

    `unlawful` are the stakes found unlawful, each with the check that says so; `suspected` those of
    which one or another was, nobody knows which; `unknown` those of which a check could not tell.
    """

    __slots__ = ("suspected", "unknown", "unlawful")

    def __init__(self, play: RoundPlay, plan: Plan) -> None:
        self.unlawful: list[tuple[str, Where]] = []
        self.suspected: list[Where] = []
        self.unknown: list[Where] = []
        if play.record.voided is None:
            for name, where, asked in _asked(play, plan):
                self._take(play, name, where, asked)

    def _take(self, play: RoundPlay, name: str, where: Where, result: Result) -> None:
        if result is None or result == LAWFUL:
            return
        unknown = result == UNDECIDED
        for breach in [] if isinstance(result, str) else _listed(result):
            unknown = unknown or breach.rest_unknown
            if len(breach.among) > 1:
                self.suspected += breach.among
                continue
            stakes = (breach.among or (breach.where,)) if breach.stakes is None else breach.stakes
            self.unlawful += [(name, stake) for stake in stakes]
        if unknown:
            self.unknown += _narrowed(play, name, where)

    def by(self, box: Box, wager: Wager) -> str | None:
        """The check by which this stake goes back, None where none says so."""
        return next((check for check, where in self.unlawful if _concerns(where, box, wager)), None)

    def doubt(self, box: Box, wager: Wager) -> str | None:
        """Why nobody can say whether this stake goes back; a code of `WagerVerdict.why`."""
        if any(_concerns(where, box, wager) for where in self.suspected):
            return "unlawful_stake_of_one"
        if any(_concerns(where, box, wager) for where in self.unknown):
            return "lawful_stake_untold"
        return None


def _listed(result: Any) -> list[Any]:
    return result if isinstance(result, list) else [result]


def _asked(play: RoundPlay, plan: Plan) -> Iterator[tuple[str, Where, Result]]:
    """What every check that can make a stake unlawful says, and of which stakes."""
    for name, run in _of_stakes(plan.rounds):
        yield name, {}, run(play)
    for box in play.boxes:
        for name, run in _of_stakes(plan.boxes + plan.vacant if box.vacant else plan.boxes):
            yield name, at(box), run(play, box)
        for wager in box.wagers:
            if wager.kind == "insurance":
                for name, run in _of_stakes(plan.sides):
                    yield name, at(box, wager), run(play, box, wager)
    for hand in play.hands:
        checks = plan.hands
        if hand.doubled:
            checks += plan.doubled
        if hand.hand.split_from is not None:
            checks += plan.split
        for name, run in _of_stakes(checks):
            yield name, {"box": hand.box.number, "hand": hand.number}, run(play, hand)
        for wager in hand.wagers:
            for name, run in _of_stakes(plan.stakes):
                yield name, at(hand.box, wager), run(play, hand, wager)


def _of_stakes(checks: tuple[Asked, ...]) -> Iterator[tuple[str, Any]]:
    return ((kept[0], run) for run, kept in checks if ALL_CHECKS[kept[0]].unlawful_stake)


def _narrowed(play: RoundPlay, name: str, where: Where) -> list[Where]:
    """The stakes a check could not tell of."""
    if name not in OF_OTHERS:
        return [where]
    box = next(box for box in play.boxes if box.number == where["box"])
    others = {wager.owner for wager in box.wagers if wager.owner != box.holder}
    return [where | {"owner": owner} for owner in sorted(others)]


def _concerns(where: Where, box: Box, wager: Wager) -> bool:
    """Whether a breach of a stake is a breach of this one.

    What the breach does not name, it does not narrow; without a kind it is one of main stakes.
    """
    if "kind" in where:
        if where["kind"] != wager.kind:
            return False
    elif wager.kind not in STAKED:
        return False
    return (
        where.get("owner", wager.owner) == wager.owner
        and where.get("box", box.number) == box.number
        and where.get("hand", wager.hand) == wager.hand
    )
