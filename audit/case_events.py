"""What people do about a finding: numbered as a case, assigned, asked, answered, decided, settled.

A case (pt "processo") is the work on one cause; a finding that cites the cause anew keeps its
number. What people write stands in a stream of its own, so that nobody waits for a run; an
inspector's notes in another, so that its numbers tell nobody of them. Each step names the finding
by its key, and the finding's own table and partida.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, ClassVar, Final, Literal

from casino.events import Malformed
from casino.events.event import CASES, NOTES, RECONCILER, Event, FloorEvent
from casino.events.event_policy import (
    AUDITOR,
    BY_ITSELF,
    INSPECTOR,
    MANAGER,
    OVERSEERS,
    SUPERVISION,
    Policy,
)
from casino.events.phrases import marked
from casino.events.shape import Part, Withheld, refuse_twice
from casino.events.shufflers import check_span
from casino.events.values import (
    CaseCode,
    Cents,
    Code,
    Listed,
    PrivateText,
    Reference,
    Sha256,
    Stake,
    Uuid,
)

ARTICLE: Final = "house.cases"  # of the house: what is done about findings, and when
NUMBERED_AT_ONCE: Final = 300  # findings an entry numbers

Decision = Literal["upheld", "unfounded"]
PaidTo = Literal["player", "house"]
SettledBy = Literal["cash", "cheque", "transfer", "chips", "other"]


def case_code(year: int, number: int) -> str:
    """A case's number: ``CST-2026-000123``."""
    return f"CST-{year:04d}-{number:06d}"


def parts_of_case(case: str) -> tuple[int, int]:
    """Year and running number of a case."""
    _, year, number = case.split("-")
    return int(year), int(number)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedFinding(Part):
    """A finding by its key, and the case it is of."""

    finding: Sha256
    case: CaseCode


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingsNumbered(Event):
    """Findings were given the numbers of their cases, in the transaction that raised them.

    A new number is the highest of its year and one; the year is that of the house's day on which
    the finding was raised. What cites a cause anew has the number of what it takes the place of.
    """

    kind: ClassVar[str] = "findings-numbered/1"
    label: ClassVar[str] = marked("findings numbered")
    policy: ClassVar[Policy] = Policy(writers=BY_ITSELF, readers=SUPERVISION, correctable=False)

    run: Uuid
    numbers: Annotated[tuple[NumberedFinding, ...], Listed(NUMBERED_AT_ONCE)]

    @property
    def stream(self) -> str:
        """The auditor's stream."""
        return RECONCILER

    def contradictions(self) -> None:
        """A finding once. Raises: Malformed."""
        known = set[str]()
        for place, one in enumerate(self.numbers):
            if one.finding in known:
                refuse_twice(f"$.numbers[{place}].finding", one.finding)
            known.add(one.finding)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseEvent(FloorEvent):
    """A step of a case. `finding` is the key under which its cause stood when it was taken."""

    case: CaseCode
    finding: Sha256

    @property
    def stream(self) -> str:
        """The stream of cases."""
        return CASES


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingAssigned(CaseEvent):
    """Somebody answers for a case from now on, and until when he is to have done so."""

    kind: ClassVar[str] = "finding-assigned/1"
    label: ClassVar[str] = marked("case assigned")
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({MANAGER, AUDITOR}), readers=SUPERVISION, correctable=False
    )

    responsible: Code
    answer_by: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationAsked(CaseEvent):
    """The house is asked to explain, and until when."""

    kind: ClassVar[str] = "explanation-asked/1"
    label: ClassVar[str] = marked("explanation asked for")
    policy: ClassVar[Policy] = Policy(writers=OVERSEERS, readers=SUPERVISION, correctable=False)
    private: ClassVar[frozenset[str]] = frozenset({"question"})

    question: PrivateText | Withheld
    answer_by: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationGiven(CaseEvent):
    """The house explains; with a `remedy`, what it changed and the day from which that holds."""

    kind: ClassVar[str] = "explanation-given/1"
    label: ClassVar[str] = marked("explanation given")
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({MANAGER}), readers=SUPERVISION, correctable=False
    )
    private: ClassVar[frozenset[str]] = frozenset({"answer", "remedy"})

    answer: PrivateText | Withheld
    remedy: PrivateText | Withheld | None = None
    remedy_from: date | None = None

    def contradictions(self) -> None:
        """A remedy holds from a day, and a day is a remedy's. Raises: Malformed."""
        if (self.remedy is None) != (self.remedy_from is None):
            raise Malformed(
                "$.remedy_from",
                "found one of remedy and day alone; asked is the day from which the remedy holds",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingNoted(CaseEvent):
    """An inspector's own note. Nobody else is shown that there is one (docs/trust.md)."""

    kind: ClassVar[str] = "finding-noted/1"
    label: ClassVar[str] = marked("inspector's note")
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({INSPECTOR}),
        readers=frozenset({INSPECTOR}),
        private_readers=frozenset({INSPECTOR}),
        correctable=False,
    )
    private: ClassVar[frozenset[str]] = frozenset({"note"})

    note: PrivateText | Withheld

    @property
    def stream(self) -> str:
        """The stream of notes: in the cases' own the gap would tell of them."""
        return NOTES


@dataclass(frozen=True, slots=True, kw_only=True)
class FootageMarked(CaseEvent):
    """Where on the recordings it can be seen; `hold` is the number under which they are kept."""

    kind: ClassVar[str] = "footage-marked/1"
    label: ClassVar[str] = marked("recordings marked")
    policy: ClassVar[Policy] = Policy(
        writers=OVERSEERS | {MANAGER}, readers=SUPERVISION, correctable=False
    )

    camera: Code
    recorded_from: datetime
    recorded_until: datetime
    hold: Code | None = None

    def contradictions(self) -> None:
        """They end no earlier than they begin. Raises: Malformed."""
        check_span(self.recorded_from, self.recorded_until)


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingDecided(CaseEvent):
    """The inspection service upholds a finding, or finds it unfounded, and why.

    `owed_cents` is what is owed by its decision, where it is another sum than the finding's.
    """

    kind: ClassVar[str] = "finding-decided/1"
    label: ClassVar[str] = marked("finding decided")
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({INSPECTOR}), readers=SUPERVISION, correctable=False
    )
    private: ClassVar[frozenset[str]] = frozenset({"grounds"})

    decision: Decision
    reason: Code
    grounds: PrivateText | Withheld | None = None
    owed_cents: Cents | None = None
    document: Reference | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingSettled(CaseEvent):
    """What was owed was paid. It counts once a second person has confirmed it.

    `owner` is the player's pseudonym in that partida, left out where the house was paid;
    `reference` the inspection service's own.
    """

    kind: ClassVar[str] = "finding-settled/1"
    label: ClassVar[str] = marked("finding settled")
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({MANAGER}),
        readers=SUPERVISION,
        correctable=False,
        witnessed_under=ARTICLE,
    )

    paid_cents: Stake
    paid_to: PaidTo
    owner: Code | None = None
    means: SettledBy
    document: Reference
    reference: Reference | None = None

    def contradictions(self) -> None:
        """A player by his pseudonym, the house by none. Raises: Malformed."""
        if (self.paid_to == "player") != (self.owner is not None):
            raise Malformed(
                "$.owner",
                "found {to} as who was paid; asked is the player's pseudonym where it is a player,"
                " and none for the house",
                to=self.paid_to,
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingReopened(CaseEvent):
    """A case that was answered, decided or settled is worked again, and why."""

    kind: ClassVar[str] = "finding-reopened/1"
    label: ClassVar[str] = marked("case reopened")
    policy: ClassVar[Policy] = Policy(writers=OVERSEERS, readers=SUPERVISION, correctable=False)
    private: ClassVar[frozenset[str]] = frozenset({"grounds"})

    reason: Code
    grounds: PrivateText | Withheld | None = None
