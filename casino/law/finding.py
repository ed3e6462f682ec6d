"""What a judgement is made of: checks, breaches, findings, and the verdict on each wager.

Data only; wording is made where a finding is shown, from the check's statement and these figures.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Final, Literal, NamedTuple, TypedDict, Unpack

from casino.law.dossier import RecordedEvent

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
NOWHERE: Final[Mapping[str, int | str]] = {}  # what was looked at, and no part of it


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
# What shows a breach: entries, or their ids; None of them for what nobody recorded.
Shown = RecordedEvent[Any] | str | None


def evidence_of(*shown_by: Shown) -> tuple[str, ...]:
    """The ids of these entries, each once, in the order given."""
    ids = (one if isinstance(one, str) else one.entry_id for one in shown_by if one is not None)
    return tuple(dict.fromkeys(ids))


class Details(TypedDict, total=False):
    """What else a question tells of its breach."""

    where: Mapping[str, int | str]
    readings: tuple[str, ...]


class Consequences(TypedDict, total=False):
    """What follows from a breach, as the fields of Breach tell it."""

    owed_cents: int
    owed_to: str | None
    among: tuple[Where, ...]
    stakes: tuple[Where, ...] | None
    rest_unknown: bool
    severity: Severity | None


def breach(
    observed: Mapping[str, Any],
    expected: Mapping[str, Any],
    *shown_by: Shown,
    where: Mapping[str, int | str] = NOWHERE,
    readings: tuple[str, ...] = (),
    **more: Unpack[Consequences],
) -> Breach:
    """A breach with what shows it; moments are written as ISO, yes and no as words."""
    evidence = evidence_of(*shown_by)
    texts = _in_words(observed), _in_words(expected)
    return Breach(dict(where), *texts, readings, evidence=evidence, **more)


def _in_words(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _in_a_word(value) for name, value in values.items()}


def _in_a_word(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.isoformat() if isinstance(value, date) else value


# Questions that many checks ask; of a value nobody recorded (None) they are not decidable.


def equal(name: str, value: Any, asked: Any, *shown_by: Shown, **more: Unpack[Details]) -> Verdict:
    """Whether something is what was asked."""
    if value is None:
        return UNDECIDED
    return LAWFUL if value == asked else breach({name: value}, {name: asked}, *shown_by, **more)


def all_equal(
    pairs: Mapping[str, tuple[Any, Any]], *shown_by: Shown, **more: Unpack[Details]
) -> Verdict:
    """Whether all of these (found, asked) are what was asked; a breach tells those that differ."""
    wrong = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    if not wrong:
        return LAWFUL
    observed = {name: found for name, (found, _) in wrong.items()}
    return breach(observed, {name: asked for name, (_, asked) in wrong.items()}, *shown_by, **more)


def one_of(
    name: str, value: Any, allowed: Collection[Any], *shown_by: Shown, **more: Unpack[Details]
) -> Verdict:
    """Whether something is one of those allowed."""
    if value is None:
        return UNDECIDED
    if value in allowed:
        return LAWFUL
    return breach({name: value}, {"one_of": list(allowed)}, *shown_by, **more)


def at_least(
    name: str, value: int | None, least: int, *shown_by: Shown, **more: Unpack[Details]
) -> Verdict:
    """Whether there are as many as were asked, or more."""
    if value is None:
        return UNDECIDED
    if value >= least:
        return LAWFUL
    return breach({name: value}, {"at_least": least}, *shown_by, **more)


def at_most(
    name: str, value: int | None, most: int, *shown_by: Shown, **more: Unpack[Details]
) -> Verdict:
    """Whether there are no more than were allowed."""
    if value is None:
        return UNDECIDED
    if value <= most:
        return LAWFUL
    return breach({name: value}, {"at_most": most}, *shown_by, **more)


def not_before(
    moment: datetime | None, earliest: datetime | None, *shown_by: Shown, **more: Unpack[Details]
) -> Verdict:
    """Whether something came no earlier than a moment."""
    if moment is None or earliest is None:
        return UNDECIDED
    if moment >= earliest:
        return LAWFUL
    return breach({"moment": moment}, {"not_before": earliest}, *shown_by, **more)


def not_after(
    moment: datetime | None, latest: datetime | None, *shown_by: Shown, **more: Unpack[Details]
) -> Verdict:
    """Whether something came no later than a moment."""
    if moment is None or latest is None:
        return UNDECIDED
    if moment <= latest:
        return LAWFUL
    return breach({"moment": moment}, {"not_after": latest}, *shown_by, **more)


def breaches_in(verdict: Verdict) -> list[Breach]:
    """The breaches of an answer; none where it is another."""
    if isinstance(verdict, list):
        return verdict
    return [verdict] if isinstance(verdict, Breach) else []


def together(verdicts: Iterable[Verdict]) -> Verdict:
    """What several answers to one question come to: all breaches, else what is open, else lawful.

    None where it was not asked at all.
    """
    listed = list(verdicts)
    breaches = [one for verdict in listed for one in breaches_in(verdict)]
    if breaches:
        return breaches
    return UNDECIDED if UNDECIDED in listed else LAWFUL if LAWFUL in listed else None


def any_of(answers: Iterable[bool | None]) -> bool | None:
    """Whether something holds of any; None where nobody knows of one and it holds of no other."""
    listed = set(answers)
    return True if True in listed else None if None in listed else False


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
    needs: tuple[str, ...] = (),
    only: Callable[..., bool | None] | tuple[Callable[..., bool | None], ...] = (),
    severity: Severity = "breach",
    unlawful_stake: bool = False,
) -> Callable[[Callable[..., Verdict]], Check]:
    """Make a check of a plain function, whose name it gets; the rulebooks say what it upholds."""
    conditions = only if isinstance(only, tuple) else (only,)

    def mark(run: Callable[..., Verdict]) -> Check:
        name = run.__name__
        rest = needs, severity, unlawful_stake
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
    observed: dict[str, Any]
    expected: dict[str, Any]
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
