"""What a judgement is made of: checks, breaches, findings, and the verdict on each wager.

Data only; wording is made where a finding is shown, from the check's statement and these figures.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, Literal, NamedTuple

Outcome = Literal["lawful", "finding", "not_decidable"]
Severity = Literal["breach", "deviation", "warning", "note"]  # a deviation is the house's
Scope = Literal[
    "round",
    "misdealt",
    "taken_out",
    "vacant",
    "box",
    "hand",
    "drawn",
    "surrendered",
    "doubled",
    "split",
    "stake",
    "side",
    "money",
    "shoe",
    "partida",
    "deck",
    "shoe_on_record",
    "load",
    "unload",
    "lid",
    "incident",
    "damage",
    "replacement",
    "spread",
    "deferral",
    "complaint",
    "jackpot",
]

LAWFUL: Final = "lawful"
FOUND: Final = "finding"
UNDECIDED: Final = "not_decidable"

Where = dict[str, int | str]


class Undecided(str):
    """ "Not decidable", equal to UNDECIDED wherever that is asked, with what is missing and where.

    `missing` is a name in LACKING, or for an amount in the wording's WHY; '' for what the check
    always asks. `about` is the id of the entry that lacks it, '' where it is none; `subject` what
    else it is about, a deck's code.
    """

    __slots__ = ("about", "missing", "subject")

    about: str
    missing: str
    subject: str

    def __new__(cls, missing: str = "", *, about: str = "", subject: str = "") -> "Undecided":
        """Not decidable."""
        undecided = super().__new__(cls, UNDECIDED)
        undecided.missing, undecided.about, undecided.subject = missing, about, subject
        return undecided


@dataclass(frozen=True, slots=True)
class Breach:
    """One way in which a check was not met: where, what was observed, what the law expects.

    `where` narrows the place of what the check looked at. `stakes` are the places of the stakes it
    makes unlawful, where that is not all that lies there; `among` those of stakes one of which was
    unlawful, where the breach is certain and nobody can tell whose it was. `rest_unknown`: of other
    stakes the check asked about the record tells too little. `evidence` are ids of entries; empty
    where the round is it. `severity` where a reading makes it another one than the check's.
    """

    where: Where
    observed: dict[str, Any]
    expected: dict[str, Any]
    readings: tuple[str, ...] = ()
    owed_cents: int = 0
    owed_to: str | None = None
    among: tuple[Where, ...] = ()
    stakes: tuple[Where, ...] | None = None
    rest_unknown: bool = False
    evidence: tuple[str, ...] = ()
    severity: Severity | None = None


# What a check says: None where there is nothing to judge, lawful, not decidable, or its breaches.
Verdict = Literal["lawful", "not_decidable"] | Undecided | Breach | list[Breach] | None


@dataclass(frozen=True, slots=True)
class Rule:
    """One statement of the law that a record can keep or break.

    `statement` is a sentence true when the law is kept (an English msgid); `needs` are the
    parameters without which it cannot be asked. `unlawful_stake`: a breach makes the stake itself
    unlawful (reading unlawful-stake). A rule alone, without its question, fixes amounts (scope
    ``money``), is asked across rounds (``shoe``) or of events of another package (``jackpot``).
    """

    name: str
    scope: Scope
    statement: str
    needs: tuple[str, ...] = ()
    severity: Severity = "breach"
    unlawful_stake: bool = False


@dataclass(frozen=True, slots=True)
class Check(Rule):
    """A rule with its question: a plain function of what it looks at.

    `only` are the conditions under which it is asked, of the same: none where one does not hold
    (False), not decidable where nobody knows whether it does (None).
    """

    run: Callable[..., Verdict] = field(kw_only=True, compare=False)
    only: tuple[Callable[..., bool | None], ...] = field(default=(), kw_only=True, compare=False)

    def __call__(self, *subject: Any) -> Verdict:
        """What it says of a subject."""
        for applies in self.only:
            answer = applies(*subject)
            if not answer:
                return None if answer is False else UNDECIDED
        return self.run(*subject)


def upholds(
    scope: Scope,
    statement: str,
    *,
    needs: str | tuple[str, ...] = (),
    only: Callable[..., bool | None] | tuple[Callable[..., bool | None], ...] = (),
    severity: Severity = "breach",
    unlawful_stake: bool = False,
) -> Callable[[Callable[..., Verdict]], Check]:
    """Make a check of a plain function, whose name it gets; the rulebooks say what it upholds."""
    conditions = only if isinstance(only, tuple) else (only,)
    figures = (needs,) if isinstance(needs, str) else needs

    def mark(run: Callable[..., Verdict]) -> Check:
        name = run.__name__
        rest = figures, severity, unlawful_stake
        return Check(name, scope, statement, *rest, run=run, only=conditions)

    return mark


@dataclass(frozen=True, slots=True)
class Finding:
    """A breach with its law and its evidence, as the book keeps it (finding-raised/1, no run).

    Units: `owed_cents` cents, never negative; `owed_to` ``"player"`` or ``"house"``, None where no
    money is owed.
    """

    rulebook: str
    article: str
    check: str
    severity: Severity
    gaming_day: date
    table: str
    partida: str
    evidence: tuple[str, ...]
    where: dict[str, int | str]
    observed: dict[str, object]
    expected: dict[str, object]
    owed_cents: int = 0
    owed_to: str | None = None
    readings: tuple[str, ...] = ()


class WagerVerdict(NamedTuple):
    """What one wager was due and what was handed back for it.

    `due_cents` is None where the record does not decide it, and `why` then says why. `check` is the
    rule that fixes the amount, `article` where the rulebook states it, `readings` the adopted
    readings the amount hangs on.
    """

    box: int
    hand: int | None
    owner: str
    kind: str
    outcome: Outcome
    stake_cents: int
    due_cents: int | None
    paid_cents: int
    owed_cents: int
    owed_to: str | None
    check: str | None
    article: str | None
    readings: tuple[str, ...]
    why: str | None


class Judgement(NamedTuple):
    """Everything the law says of one round."""

    wagers: tuple[WagerVerdict, ...]
    findings: tuple[Finding, ...]
    outcomes: list[tuple[str, str]]
