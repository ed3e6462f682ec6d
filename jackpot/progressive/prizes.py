"""The approved table: which combination wins what, and which line a player's cards win.

Law: PT art. 42, 43, 46.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from casino.cards import Card
from casino.events import Malformed
from casino.events.round.field_form import shown
from casino.events.shape import refuse_twice
from casino.events.values import MAX_CENTS, MAX_LISTED, Whole
from jackpot.progressive.amounts import MICROCENTS, WHOLE
from jackpot.progressive.catalogue import combination

MatchRule = Literal["best", "first"]


@dataclass(frozen=True, slots=True)
class PrizeLine:
    """One combination and its prize: a share of the meter, or a fixed amount.

    Units: `share_millionths` of the meter, 1 to 1 000 000; `fixed_cents` cents. Exactly one of the
    two. A line with the whole share is a top combination. Law: PT art. 43.
    """

    code: str
    share_millionths: int | None = None
    fixed_cents: int | None = None

    @property
    def top(self) -> bool:
        """Whether it wins the whole meter. Law: PT art. 50."""
        return self.share_millionths == WHOLE

    def due_cents(self, microcents: int) -> int:
        """Its prize out of so much on the meter, in whole cents. Law: PT art. 43."""
        if self.fixed_cents is not None:
            return self.fixed_cents
        return microcents * (self.share_millionths or 0) // (WHOLE * MICROCENTS)


@dataclass(frozen=True, slots=True)
class Match:
    """What a player's cards win: the code of a line, or None for nothing.

    Where `decided` is False the record does not tell enough, and `possible` are the codes it may
    be, one of them or none.
    """

    code: str | None
    decided: bool = True
    possible: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PrizeList:
    """The approved combinations in their order, and how many cards count for them.

    `match`: where several lines are made, the one with the largest prize is won (``"best"``), or
    the one named first (``"first"``); never two.

    Raises: Malformed, where the lines contradict one another, name an unknown combination, or ask
    more cards than count. Law: PT art. 42, 43.
    """

    cards_counted: int
    lines: tuple[PrizeLine, ...]
    match: MatchRule = "best"

    def __post_init__(self) -> None:
        check_lines(self.lines, self.cards_counted, "$.lines")

    @property
    def top(self) -> tuple[str, ...]:
        """The codes of the lines that win the whole meter. Law: PT art. 50."""
        return tuple(line.code for line in self.lines if line.top)

    def line(self, code: str, path: str = "$.code") -> PrizeLine:
        """The line of a combination. Raises: Malformed, for one this list does not have."""
        for line in self.lines:
            if line.code == code:
                return line
        words = ", ".join(line.code for line in self.lines)
        raise Malformed(
            path, "found {found}; asked is one of {words}", found=shown(code), words=words
        )

    def ranked(self, microcents: int) -> tuple[PrizeLine, ...]:
        """The lines, the one that is won first: by this list's rule, with so much on the meter."""
        if self.match == "first":
            return self.lines
        # The top combination is the highest even where a fixed prize is larger than a poor meter.
        return tuple(
            sorted(self.lines, key=lambda line: (not line.top, -line.due_cents(microcents)))
        )

    def matched(self, counted: Iterable[Sequence[Card]], microcents: int) -> Match:
        """The line that is won, by the counted cards and nothing else.

        `counted` are all sequences of cards that may have counted (see `counted_cards`); where they
        do not all win the same, the record does not decide. Law: PT art. 42, 43, 46.
        """
        ranked = self.ranked(microcents)
        found = [_matched(ranked, cards) for cards in counted]
        if found and all(match == found[0] for match in found):
            return found[0]
        codes = {code for match in found for code in (match.code, *match.possible)}
        return Match(None, False, tuple(line.code for line in ranked if line.code in codes))


def _matched(ranked: Sequence[PrizeLine], cards: Sequence[Card]) -> Match:
    possible: list[str] = []
    for line in ranked:
        made = combination(line.code).made_by(cards)
        if made is False:
            continue
        if made and not possible:
            return Match(line.code)
        possible.append(line.code)
        if made:
            break  # nothing below it can be won
    return Match(None, False, tuple(possible)) if possible else Match(None)


def check_lines(prize_lines: Sequence[PrizeLine], cards_counted: int, at: str) -> None:
    """The form of an approved table. Raises: Malformed, with the path below `at`."""
    Whole(1, MAX_LISTED).check(len(prize_lines), at)
    for place, line in enumerate(prize_lines):
        path = f"{at}[{place}]"
        asked = combination(line.code, f"{path}.code").cards
        if line.code in [before.code for before in prize_lines[:place]]:
            refuse_twice(f"{path}.code", line.code)
        if asked > cards_counted:
            raise Malformed(
                f"{path}.code",
                "found {found} cards; asked are at most {most}",
                found=asked,
                most=cards_counted,
            )
        _check_prize(line, path)


def _check_prize(line: PrizeLine, path: str) -> None:
    if line.share_millionths is not None:
        Whole(1, WHOLE).check(line.share_millionths, f"{path}.share_millionths")
        if line.fixed_cents is None:
            return
    elif line.fixed_cents is not None:
        Whole(1, MAX_CENTS).check(line.fixed_cents, f"{path}.fixed_cents")
        return
    found = "null" if line.fixed_cents is None else "share_millionths, fixed_cents"
    raise Malformed(
        path,
        "found {found}; asked is one of {words}",
        found=found,
        words="share_millionths, fixed_cents",
    )
