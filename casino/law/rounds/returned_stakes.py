"""Stakes that go back because they were unlawful, where the reading unlawful-stake has it so.

A stake goes back when a check found it unlawful, and is not decidable while one could not tell.

Law: PT art. 13-16, 26, 28-31, 33 (reading unlawful-stake).
"""

from collections.abc import Iterator
from typing import Final

from casino.events.round.round_played import Box, Wager
from casino.law.check_registry import ALL_CHECKS, Plan
from casino.law.finding import UNDECIDED, Verdict, Where
from casino.law.questions import breaches_in
from casino.law.rounds.play import STAKED, RoundPlay
from casino.law.rounds.round_questions import questions, where_of

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

    def _take(self, play: RoundPlay, name: str, where: Where, verdict: Verdict) -> None:
        unknown = verdict == UNDECIDED
        for breach in breaches_in(verdict):
            unknown = unknown or breach.rest_unknown
            if len(breach.among) > 1:
                self.suspected += breach.among
                continue
            here = {**where, **breach.where}
            stakes = (breach.among or (here,)) if breach.stakes is None else breach.stakes
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


def _asked(play: RoundPlay, plan: Plan) -> Iterator[tuple[str, Where, Verdict]]:
    """What every check that can make a stake unlawful says, and of which stakes."""
    for checks, subject in questions(play, plan):
        for run, (name, _) in checks:
            if ALL_CHECKS[name].unlawful_stake:
                yield name, where_of(*subject), run(*subject)


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
