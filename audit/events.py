"""What the auditor tells: a reconciliation begun and ended, what it found, what was cured since.

All of that stands in the stream ``reconciler``; that the book was
verified, and what of it was handed out, in ``house``. A finding's key is made of what was found, by
`casino.law`, and is the same whoever finds it again.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import Annotated, ClassVar, Final, Literal

from audit import (
    case_events,
    draw_events,
    game_events,
    letter_events,
    mail_events,
    retention_events,
)
from casino.events import Malformed
from casino.events.event import RECONCILER, EntryRef, Event, SomewhereEvent
from casino.events.event_policy import (
    ADMIN,
    AUDITOR,
    BY_ITSELF,
    DIRECTION,
    INSPECTOR,
    MANAGER,
    OVERSEERS,
    SEAL_READERS,
    SUPERVISION,
    SYSTEM,
    Policy,
)
from casino.events.kinds import kinds_in
from casino.events.phrases import marked
from casino.events.round.field_form import shown
from casino.events.round.round_form import gaming_day_of
from casino.events.shape import Part, refuse_twice
from casino.events.values import (
    MAX_WHOLE,
    Cents,
    Code,
    CodesOnce,
    Count,
    EntryNumber,
    FlatObject,
    Listed,
    PartidaName,
    Reference,
    Sha256,
    StreamName,
    Uuid,
    Whole,
    Word,
)
from jackpot.events import PoolCents

RunWhy = Literal["closed", "asked", "nightly", "late_record", "range"]
Severity = Literal["breach", "deviation", "warning", "note"]
OwedTo = Literal["player", "house"]
VerifiedWhy = Literal["asked", "nightly"]
ExportExtent = Literal["full", "range", "table", "record", "list"]
ReportName = Literal[
    "game", "decks", "jackpot", "complaints", "nonconformity", "incidents",
    "articles", "cuts", "changes", "payout", "owed", "rates", "integrity", "manifest", "reaudit",
]  # fmt: skip
ReportLanguage = Literal["pt", "en", "es", "fr"]
SupersededOnce = Literal["cured", "corrected", "law_changed", "code_changed"]
# `cited_anew`: the same cause stands under another key; `late_record`: only what was recorded after
# the act cured it; `run_withdrawn`: the run that raised it was withdrawn by two persons.
SupersededWhy = Literal[
    "cured",
    "corrected",
    "law_changed",
    "code_changed",
    "cited_anew",
    "late_record",
    "run_withdrawn",
]
MOST_EVIDENCE: Final = 300  # entries a finding names
# An article is a number or a book's own heading; a check of no article stands under house.*
Article = Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingTaken(Part):
    """A reading taken otherwise than its rulebook adopts it; `choice` as the rulebook spells it."""

    reading: Code
    choice: Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class RunScope(Part):
    """What a run looks at: one partida, or all of the gaming days from one to another, both in.

    `rulebook` is the one under which all of it is judged; without it each partida is judged under
    its own. With `readings` it is taken so, with `law_day` as it stood on that day, and only the
    partidas that are played under it are looked at.
    """

    partida: PartidaName | None = None
    from_day: date | None = None
    to_day: date | None = None
    tables: CodesOnce | None = None
    rulebook: Code | None = None
    readings: Annotated[tuple[ReadingTaken, ...], Listed(50)] | None = None
    law_day: date | None = None

    def contradictions(self, at: str) -> None:
        """Either a partida or a range of days; readings of a rulebook. Raises: Malformed."""
        if self.rulebook is None and (self.readings or self.law_day is not None):
            raise Malformed(f"{at}.rulebook", "found none; asked is the one that is taken so")
        days = self.from_day is not None and self.to_day is not None
        half = (self.from_day is None) != (self.to_day is None)
        if half or days == (self.partida is not None):
            raise Malformed(at, "found no one scope; asked is a partida, or from_day and to_day")
        if self.from_day is not None and self.to_day is not None and self.to_day < self.from_day:
            raise Malformed(
                f"{at}.to_day",
                "found {found}; asked is no earlier than {begun}, when it began",
                found=self.to_day.isoformat(),
                begun=self.from_day.isoformat(),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class LawUsed(Part):
    """A rulebook and the digest of the file it was read from."""

    rulebook: Code
    sha256: Sha256


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamRead(Part):
    """The last entry of a stream that a run read."""

    stream: StreamName
    n: EntryNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingChanges(Part):
    """Which findings a run raised and superseded, so that none can be slipped in under its name.

    `raised` and `superseded` are how many; `digest` is the SHA-256 of canonical
    ``{"raised": [keys], "superseded": [keys]}``, each list in ascending order, each key once.
    """

    raised: Count
    superseded: Count
    digest: Sha256


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEvent(Event):
    """An event of a run: of the partida it looks at, if it looks at one."""

    run: Uuid
    scope: RunScope

    def check_whence(self) -> None:
        """The partida is of a day there is. Raises: Malformed."""
        if self.table_code is not None and self.partida_id is not None:
            gaming_day_of(self.table_code, self.partida_id)

    @property
    def stream(self) -> str:
        """The auditor's stream."""
        return RECONCILER

    @property
    def table_code(self) -> str | None:
        """The table of the partida it looks at."""
        return None if self.scope.partida is None else self.scope.partida.split("/")[0]

    @property
    def partida_id(self) -> str | None:
        """The partida it looks at."""
        return self.scope.partida


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconciliationStarted(RunEvent):
    """A run began: what it looks at and why, with which program, under which laws.

    `previous` is the run of the same scope it follows, `parts` how many pieces it is cut into.
    `asked_by` is the number of whoever asked for it on a page; the house itself asks without one.
    """

    kind: ClassVar[str] = "reconciliation-started/1"
    label: ClassVar[str] = marked("reconciliation started")
    policy: ClassVar[Policy] = Policy(writers=BY_ITSELF, readers=SUPERVISION)

    reason: RunWhy
    code_version: Reference
    laws: Annotated[tuple[LawUsed, ...], Listed(100)]
    previous: Uuid | None = None
    parts: Count | None = None
    asked_by: Code | None = None

    def contradictions(self) -> None:
        """A rulebook is named once. Raises: Malformed."""
        books = [each.rulebook for each in self.laws]
        for index, book in enumerate(books):
            if book in books[:index]:
                refuse_twice(f"$.laws[{index}].rulebook", book)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconciliationFinished(RunEvent):
    """A run ended: how much it read, what it made of it.

    `findings` is how many hold, `raised` how many of them are new, `superseded` how many older ones
    no longer hold; `undecided` how many questions the records could not answer, `lawful` how many
    were answered well, `not_judged` how many rounds name no rulebook the house has. `digest` is the
    same for the same records under the same laws. `read_up_to` names the last entry read of each
    stream. `changes` tells what the run raised and superseded; older programs left it out.
    """

    kind: ClassVar[str] = "reconciliation-finished/1"
    label: ClassVar[str] = marked("reconciliation finished")
    policy: ClassVar[Policy] = Policy(writers=BY_ITSELF, readers=SUPERVISION)

    entries: Count
    rounds: Count
    findings: Count
    raised: Count
    superseded: Count
    undecided: Count
    digest: Sha256
    read_up_to: Annotated[tuple[StreamRead, ...], Listed(500)]
    lawful: Count | None = None
    not_judged: Count | None = None
    changes: FindingChanges | None = None

    def contradictions(self) -> None:
        """A stream is named once. Raises: Malformed."""
        _each_stream_once(self.read_up_to)


def _each_stream_once(stream_reads: Sequence[StreamRead]) -> None:
    streams = [each.stream for each in stream_reads]
    if len(set(streams)) == len(streams):
        return
    for index, stream in enumerate(streams):
        if stream in streams[:index]:
            refuse_twice(f"$.read_up_to[{index}].stream", stream)


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutFinding(SomewhereEvent):
    """An event of one finding, wherever what it tells of happened."""

    @property
    def stream(self) -> str:
        """The auditor's stream."""
        return RECONCILER


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckNotMet(AboutFinding):
    """A check that was not met: where, what was observed, what is expected.

    `key` is the SHA-256 that names the finding, `law` that of the rulebook on its day. `owed_to` is
    there exactly when money is owed.
    """

    key: Sha256
    rulebook: Code
    article: Article
    check: Word
    severity: Severity
    gaming_day: date = field()
    where: FlatObject
    observed: FlatObject
    expected: FlatObject
    owed_cents: Cents
    readings: CodesOnce
    run: Uuid
    law: Sha256
    owed_to: OwedTo | None = None
    jackpot: Code | None = None

    def contradictions(self) -> None:
        """Money is owed to somebody; the day is the partida's. Raises: Malformed."""
        if (self.owed_cents > 0) != (self.owed_to is not None):
            raise Malformed(
                "$.owed_to",
                "found {cents} cents owed; asked is to whom, exactly where money is owed",
                cents=self.owed_cents,
            )
        if self.table is None or self.partida is None:
            return
        day = gaming_day_of(self.table, self.partida)
        if self.gaming_day != day:
            raise Malformed(
                "$.gaming_day",
                "found {found}; the partida is of {day}",
                found=self.gaming_day.isoformat(),
                day=day.isoformat(),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingRaisedByIds(CheckNotMet):
    """A finding as it was recorded at first: `evidence` are entries by UUID, in ascending order.

    No signed byte holds an entry's UUID; `FindingRaised` names the entries themselves.
    """

    kind: ClassVar[str] = "finding-raised/1"
    label: ClassVar[str] = marked("finding raised")
    policy: ClassVar[Policy] = Policy(writers=BY_ITSELF)

    evidence: Annotated[tuple[Uuid, ...], Listed(1_000, rising=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingRaised(CheckNotMet):
    """A check that was not met, with the entries it rests on: in ascending order, each once.

    Of more than MOST_EVIDENCE the first are named: an entry of the book holds no more.
    """

    kind: ClassVar[str] = "finding-raised/2"
    label: ClassVar[str] = marked("finding raised")
    policy: ClassVar[Policy] = Policy(writers=BY_ITSELF)

    evidence: Annotated[tuple[EntryRef, ...], Listed(MOST_EVIDENCE)]

    def contradictions(self) -> None:
        """Evidence in the order of stream and number; and as every finding. Raises: Malformed."""
        CheckNotMet.contradictions(self)
        _rising("$.evidence", self.evidence)


def _rising(at: str, refs: Sequence[EntryRef]) -> None:
    for index, (before, each) in enumerate(pairwise(refs), start=1):
        if (each.stream, each.n) <= (before.stream, before.n):
            raise Malformed(
                f"{at}[{index}]",
                "found {found} after {before}; asked is an ascending list that names each once",
                found=f"{each.stream} {each.n}",
                before=f"{before.stream} {before.n}",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingSupersededOnce(AboutFinding):
    """A finding no longer holds, as it was recorded at first: which run saw it, by which entry."""

    kind: ClassVar[str] = "finding-superseded/1"
    label: ClassVar[str] = marked("finding superseded")
    policy: ClassVar[Policy] = Policy(writers=BY_ITSELF)

    finding: Sha256
    run: Uuid
    reason: SupersededOnce
    by: EntryRef | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingSuperseded(AboutFinding):
    """A finding no longer holds: which run saw it, by which entry if by one, and why.

    `successor` is the key under which the same cause is cited anew; `cured_by` are the entries,
    recorded after the act, that alone make it lawful.
    """

    kind: ClassVar[str] = "finding-superseded/2"
    label: ClassVar[str] = marked("finding superseded")
    policy: ClassVar[Policy] = Policy(writers=BY_ITSELF)

    finding: Sha256
    run: Uuid
    reason: SupersededWhy
    by: EntryRef | None = None
    successor: Sha256 | None = None
    cured_by: Annotated[tuple[EntryRef, ...], Listed(100)] | None = None

    def contradictions(self) -> None:
        """A successor where cited anew, curing entries where recorded late. Raises: Malformed."""
        if (self.successor is not None) != (self.reason == "cited_anew"):
            raise Malformed(
                "$.successor",
                "found the reason {reason}; asked is a successor exactly where it is cited anew",
                reason=self.reason,
            )
        if self.successor == self.finding:
            raise Malformed("$.successor", "found the finding itself; asked is another")
        if bool(self.cured_by) != (self.reason == "late_record"):
            raise Malformed(
                "$.cured_by",
                "found the reason {reason}; asked are the curing entries exactly where a late"
                " record cured it",
                reason=self.reason,
            )
        _rising("$.cured_by", self.cured_by or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class BookVerified(Event):
    """The book was verified: every entry, the tree up to `size`, projections and private values.

    `problems` is how many were found; each is a finding under ``house.book``. `asked_by` is the
    number of whoever asked; `kept` the size of the checkpoint he had kept outside the house, where
    he brought one and the book continues it. `ids` is the SHA-256 of the rows' ids of the first
    `size` entries, 16 bytes each, in the tree's order: what findings of an older form name.
    """

    kind: ClassVar[str] = "book-verified/1"
    label: ClassVar[str] = marked("book verified")
    policy: ClassVar[Policy] = Policy(writers=BY_ITSELF, readers=SEAL_READERS, correctable=False)

    size: Count
    entries: Count
    problems: Count
    why: VerifiedWhy
    run: Uuid
    root: Sha256 | None = None
    asked_by: Code | None = None
    kept: Count | None = None
    changes: FindingChanges | None = None
    ids: Sha256 | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotReplayed(Event):
    """A pool was played again from its start, out of its entries alone.

    `microcents` is what the next round plays for by the entries, `kept_microcents` by the
    projections the displays are told from; `difference_microcents` the second less the first.
    `entries` is how many were read, `misfits` how many of them do not fit what came before,
    `problems` how many findings follow; `read_up_to` names the last entry read of each stream,
    `asked_by` the number of whoever asked for it on a page. Law: PT art. 41.
    """

    kind: ClassVar[str] = "jackpot-replayed/1"
    label: ClassVar[str] = marked("jackpot replayed")
    policy: ClassVar[Policy] = Policy(writers=BY_ITSELF, readers=SUPERVISION, correctable=False)

    jackpot: Code
    run: Uuid
    why: VerifiedWhy
    entries: Count
    microcents: Annotated[int, Whole(-MAX_WHOLE, MAX_WHOLE)]
    held_cents: PoolCents
    kept_microcents: Annotated[int, Whole(-MAX_WHOLE, MAX_WHOLE)]
    difference_microcents: Annotated[int, Whole(-MAX_WHOLE, MAX_WHOLE)]
    misfits: Count
    problems: Count
    read_up_to: Annotated[tuple[StreamRead, ...], Listed(500)]
    changes: FindingChanges | None = None
    asked_by: Code | None = None

    @property
    def stream(self) -> str:
        """The auditor's stream."""
        return RECONCILER

    def contradictions(self) -> None:
        """A stream once; the difference is the difference. Raises: Malformed."""
        _each_stream_once(self.read_up_to)
        asked = self.kept_microcents - self.microcents
        if self.difference_microcents != asked:
            raise Malformed(
                "$.difference_microcents",
                "found {found}; asked is {asked}",
                found=shown(self.difference_microcents),
                asked=asked,
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportMade(Event):
    """A bundle or a proof left the house: which entries, under which tree, with what opened.

    `of_table` is the table of a table's bundle; the indices are those of a range, the second not
    included. Of a list (`of_list`) `entries` are its rows, and `size` is 0 where nothing was signed
    yet. `asked_by` is who had it made, as whoever typed the command said: he was not asked himself.
    """

    kind: ClassVar[str] = "export-made/1"
    label: ClassVar[str] = marked("copy of the book handed out")
    # Whoever may hold a copy writes; the house does not look over an inspector's shoulder.
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({MANAGER, ADMIN, INSPECTOR, AUDITOR, SYSTEM}),
        readers=OVERSEERS,
        author_reads=DIRECTION,
        correctable=False,
    )

    extent: ExportExtent
    entries: Count
    size: Count
    openings: bool
    root: Sha256 | None = None
    of_table: Code | None = None
    of_list: Code | None = None
    from_index: Count | None = None
    to_index: Count | None = None
    asked_by: Code | None = None

    def contradictions(self) -> None:
        """A list is named; all else is of a signed tree. Raises: Malformed."""
        if (self.of_list is not None) != (self.extent == "list"):
            raise Malformed("$.of_list", "asked is the name of a list, where a list was handed out")
        if (self.root is None) != (self.size == 0) or (self.size == 0 and self.extent != "list"):
            raise Malformed("$.root", "asked is the root of a signed tree of at least one entry")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportIssued(Event):
    """A report was read from the book for whoever asked for it, and given its number.

    `number` counts from 1 within each `year`, without a gap. `json_sha256` is the SHA-256 of the
    canonical JSON that is the report, `proofs_sha256` that of the proofs of the `entries` it cites;
    `size` and `root` are the checkpoint they lead to. `request` is what was asked, once.
    """

    kind: ClassVar[str] = "report-issued/1"
    label: ClassVar[str] = marked("report issued")
    policy: ClassVar[Policy] = Policy(writers=OVERSEERS, readers=OVERSEERS, correctable=False)

    report: ReportName
    year: Annotated[int, Whole(2000, 2999)]
    number: EntryNumber
    request: Uuid
    report_language: ReportLanguage
    from_day: date
    to_day: date
    json_sha256: Sha256
    proofs_sha256: Sha256
    entries: Count
    size: EntryNumber
    root: Sha256
    of_table: Code | None = None
    of_jackpot: Code | None = None

    def contradictions(self) -> None:
        """The days are in their order. Raises: Malformed."""
        if self.to_day < self.from_day:
            raise Malformed(
                "$.to_day",
                "found {found}; asked is no earlier than {begun}, when it began",
                found=self.to_day.isoformat(),
                begun=self.from_day.isoformat(),
            )


KINDS: Final = kinds_in(
    *(game_events, draw_events, case_events, letter_events, mail_events, retention_events),
    sys.modules[__name__],
)
