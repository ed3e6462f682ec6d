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

LAWFUL: Final[Outcome] = "lawful"
FOUND: Final[Outcome] = "finding"
UNDECIDED: Final[Outcome] = "not_decidable"


@dataclass(frozen=True, slots=True)
class Breach:
    """One way in which a check was not met: where, what was observed, what the law expects.

    `stakes` are the places of the stakes it makes unlawful, where that is not all that lies at
    `where`; `among` those of stakes one of which was unlawful, where the breach is certain and
    nobody can tell whose it was. `rest_unknown`: of other stakes the check asked about the record
    tells too little. `evidence` are ids of entries; empty where the round is it. `severity` where a
    reading makes it another one than the check's.
    """

    where: dict[str, int | str]
    observed: dict[str, Any]
    expected: dict[str, Any]
    readings: tuple[str, ...] = ()
    owed_cents: int = 0
    owed_to: str | None = None
    among: tuple[dict[str, int | str], ...] = ()
    stakes: tuple[dict[str, int | str], ...] | None = None
    rest_unknown: bool = False
    evidence: tuple[str, ...] = ()
    severity: Severity | None = None


# What a check says of its subject: nothing to judge, lawful, not decidable, or its breaches.
Result = None | str | Breach | list[Breach]


@dataclass(frozen=True, slots=True)
class Check:
    """One statement of the law that a record can keep or break.

    `statement` is a sentence true when the law is kept (an English msgid); `needs` are the
    parameters without which the check cannot be asked. `unlawful_stake`: a breach makes the stake
    itself unlawful (reading unlawful-stake). `run` is absent for the rules of settlement, which fix
    amounts (scope ``money``), and for those that look across rounds (scope ``shoe``) or at
    events of another room (scope ``jackpot``).
    """

    name: str
    scope: Scope
    statement: str
    needs: tuple[str, ...] = ()
    severity: Severity = "breach"
    unlawful_stake: bool = False
    run: Callable[..., Result] | None = field(default=None, compare=False)


def upholds(
    scope: Scope,
    statement: str,
    *,
    needs: tuple[str, ...] = (),
    severity: Severity = "breach",
    unlawful_stake: bool = False,
) -> Callable[[Callable[..., Result]], Check]:
    """Make a check of a plain function, whose name it gets; the rulebooks say what it upholds."""

    def mark(run: Callable[..., Result]) -> Check:
        return Check(run.__name__, scope, statement, needs, severity, unlawful_stake, run)

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
    observed: dict[str, Any]
    expected: dict[str, Any]
    owed_cents: int
    owed_to: str | None
    readings: tuple[str, ...]


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
