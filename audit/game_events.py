"""What the auditor tells of one game it judged: what every check answered, so that any days, tables
and rulebooks can be added up out of the book alone.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from casino.events import Malformed
from casino.events.event import RECONCILER, SomewhereEvent
from casino.events.event_policy import BY_ITSELF, SUPERVISION, Policy
from casino.events.phrases import marked
from casino.events.round.field_form import shown
from casino.events.shape import Part, refuse_twice
from casino.events.values import Code, Count, EntryNumber, Listed, Uuid, Word


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckAnswers(Part):
    """How often one check answered lawful, found something, could not be decided."""

    rulebook: Code
    check: Word
    lawful: Count
    found: Count
    undecided: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class GameJudged(SomewhereEvent):
    """A run judged one game, or a part of it where it is long: what its checks answered.

    A check that is not named found nothing to judge. `rounds` and `not_judged` as in
    `ReconciliationFinished`; `part` is the part of the run. The answers of a game are those of the
    newest run that ended, all its parts together. A run under another rulebook tells none.
    """

    kind: ClassVar[str] = "game-judged/1"
    label: ClassVar[str] = marked("game judged")
    policy: ClassVar[Policy] = Policy(writers=BY_ITSELF, readers=SUPERVISION)

    run: Uuid
    part: EntryNumber
    rounds: Count
    not_judged: Count
    answers: Annotated[tuple[CheckAnswers, ...], Listed(1_000)]

    @property
    def stream(self) -> str:
        """The auditor's stream."""
        return RECONCILER

    def contradictions(self) -> None:
        """It is of a game; a rulebook names a check once, with an answer. Raises: Malformed."""
        if self.partida is None:
            raise Malformed("$.partida", "found none; asked is the game that was judged")
        named = [(each.rulebook, each.check) for each in self.answers]
        for index, each in enumerate(self.answers):
            at = f"$.answers[{index}]"
            if named[index] in named[:index]:
                refuse_twice(f"{at}.check", each.check)
            if not each.lawful + each.found + each.undecided:
                raise Malformed(
                    at,
                    "found {found} without an answer; asked are checks that answered",
                    found=shown(each.check),
                )
