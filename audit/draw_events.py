"""A draw of tables and rounds to be looked at, in two steps: what was committed to, what came out.

How it is made, and why nobody can steer it: docs/sampling.md.
"""

from dataclasses import dataclass
from datetime import date
from typing import Annotated, ClassVar, Final

from audit.sampling.procedure import LEAST_SECRET, LONGEST_SECRET, is_secret
from casino.events import Malformed
from casino.events.event import EntryRef, Event
from casino.events.event_policy import INSPECTOR, SUPERVISION, Policy
from casino.events.phrases import marked
from casino.events.round.field_form import shown
from casino.events.values import (
    CodesOnce,
    Count,
    EntryNumber,
    Listed,
    Number,
    Reference,
    Sha256,
    Whole,
)

MOST_TABLES: Final = 100  # drawn and in reserve
MOST_ROUNDS: Final = 300  # likewise: an entry of the book holds no more
Tables = Annotated[int, Whole(0, MOST_TABLES)]
Rounds = Annotated[int, Whole(0, MOST_ROUNDS)]
RoundList = Annotated[tuple[EntryRef, ...], Listed(MOST_ROUNDS, once=True)]

# The inspector alone draws, and what was drawn is no longer his to correct.
_DRAWN_BY: Final = Policy(writers=frozenset({INSPECTOR}), readers=SUPERVISION, correctable=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawCommitted(Event):
    """An inspector is going to draw: out of what, how many, and by which secret.

    Drawn from are the rounds of the gaming days from `from_day` to `to_day`, both in, at `tables`;
    where none is named, at all. `commitment` is the SHA-256 that holds the secret without giving it
    away.
    """

    kind: ClassVar[str] = "draw-committed/1"
    label: ClassVar[str] = marked("draw committed to")
    policy: ClassVar[Policy] = _DRAWN_BY

    draw: Number
    from_day: date
    to_day: date
    tables: CodesOnce
    tables_wanted: Tables
    tables_in_reserve: Tables
    rounds_wanted: Rounds
    rounds_in_reserve: Rounds
    commitment: Sha256

    def contradictions(self) -> None:
        """Days in order, something to draw, no more than an entry holds. Raises: Malformed."""
        if self.to_day < self.from_day:
            raise Malformed(
                "$.to_day",
                "found {found}; asked is no earlier than {begun}, when it began",
                found=self.to_day.isoformat(),
                begun=self.from_day.isoformat(),
            )
        if not self.tables_wanted and not self.rounds_wanted:
            raise Malformed("$.rounds_wanted", "found nothing to draw; asked are tables or rounds")
        for name, wanted, reserve, most in (
            ("tables", self.tables_wanted, self.tables_in_reserve, MOST_TABLES),
            ("rounds", self.rounds_wanted, self.rounds_in_reserve, MOST_ROUNDS),
        ):
            if reserve and not wanted:
                raise Malformed(
                    f"$.{name}_in_reserve", "found a reserve of nothing; asked is what it stands by"
                )
            if wanted + reserve > most:
                raise Malformed(
                    f"$.{name}_in_reserve",
                    "found {found} with those drawn; asked are at most {most}",
                    found=wanted + reserve,
                    most=most,
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawMade(Event):
    """The secret revealed, and what it drew: whatever follows from it and from the book alone.

    `committed` is the commitment's entry; `size` and `root` are those of the first checkpoint that
    covers it. `population` is how many rounds were drawn from, `population_tables` at how many
    tables, `digest` what stands for them. The lists are in the order of the draw.
    """

    kind: ClassVar[str] = "draw-made/1"
    label: ClassVar[str] = marked("draw made")
    policy: ClassVar[Policy] = _DRAWN_BY

    draw: Number
    committed: EntryRef
    secret: Reference
    size: EntryNumber
    root: Sha256
    population: Count
    population_tables: Count
    digest: Sha256
    tables: CodesOnce
    reserve_tables: CodesOnce
    rounds: RoundList
    reserve_rounds: RoundList

    def contradictions(self) -> None:
        """The secret is written as one; nobody is drawn twice. Raises: Malformed."""
        check_secret(self.secret)
        twice = {*self.tables} & {*self.reserve_tables} or {*self.rounds} & {*self.reserve_rounds}
        if twice:
            raise Malformed(
                "$.reserve_rounds",
                "found {found} drawn and in reserve; asked is each once",
                found=shown(min(map(str, twice))),
            )


def check_secret(secret: str) -> None:
    """A secret is written as the procedure takes it. Raises: Malformed."""
    if not is_secret(secret):
        raise Malformed(
            "$.secret",
            "found {found} characters; asked are {least} to {most}, letters without accents and"
            " digits, nothing else: the secret as it was written down",
            found=len(secret),
            least=LEAST_SECRET,
            most=LONGEST_SECRET,
        )
