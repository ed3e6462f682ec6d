"""The case of a finding on its page: how it stands, every step with its proof, what may be done."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from audit.audit_queries import OPEN as FINDING_OPEN
from audit.audit_queries import open_findings, state_of
from audit.case_events import (
    CaseEvent,
    ExplanationAsked,
    ExplanationGiven,
    FindingAssigned,
    FindingDecided,
    FindingNoted,
    FindingReopened,
    FindingSettled,
    FootageMarked,
)
from audit.case_state import (
    ANSWERED,
    ASKED,
    IN_PART,
    OPEN,
    OVER,
    REOPENED,
    SETTLED,
    UNFOUNDED,
    UPHELD,
    unconfirmed,
    with_case,
)
from audit.models import CaseNote, CaseStep, Finding
from audit.pages.audit_access import readable, reads_all
from casino import clock
from casino.access import access_policy
from casino.access.private_looks import looked_at
from casino.events.event import CASES
from casino.events.witnessing import Witnessed
from casino.models import Attestation, BookEntry
from casino.web.display.money_and_time import money
from casino.web.display.status_marks import Tone
from casino.web.entries.entry_files import FileShown, files_of
from casino.web.entries.entry_page import (
    PAGES,
    Value,
    event_and_author,
    url_of,
    values_of,
)
from casino.web.words.kind_words import kind_word

if TYPE_CHECKING:
    from audit.case_state import Worked

# How a case stands: its tone, its icon and its word.
CASE_STATE: Final[dict[str, tuple[Tone, str, Promise]]] = {
    OPEN: ("idle", "open", _("nobody has explained it")),
    ASKED: ("warning", "warning", _("explanation asked for")),
    ANSWERED: ("note", "note", _("explained, to be decided")),
    UPHELD: ("deviation", "deviation", _("upheld by the inspection service")),
    UNFOUNDED: ("kept", "cured", _("unfounded")),
    IN_PART: ("warning", "warning", _("settled in part")),
    SETTLED: ("kept", "kept", _("paid and settled")),
    REOPENED: ("warning", "open", _("reopened")),
}
# What stands in the head of a step, or on the page around it.
BESIDES: Final = frozenset({"case", "finding", "table", "partida"})
# What each step is called on its button, in the order of the buttons.
ACTS: Final[dict[type[CaseEvent], Promise]] = {
    FindingAssigned: _("Assign"),
    ExplanationAsked: _("Ask for an explanation"),
    ExplanationGiven: _("Explain"),
    FindingDecided: _("Decide on it"),
    FindingSettled: _("Record what was paid"),
    FootageMarked: _("Mark recordings"),
    FindingNoted: _("Note for inspectors alone"),
    FindingReopened: _("Reopen"),
}
# What is said at once of several findings of one cause.
OF_MANY: Final = (FindingAssigned, ExplanationAsked, ExplanationGiven, FindingDecided)
SAME_CAUSE: Final = 50  # other findings offered


class Step(NamedTuple):
    """One step as the page shows it; `waits` where a second person's word is still to come."""

    entry: BookEntry
    what: str
    who: str
    url: str
    values: Sequence[Value]
    files: Sequence[FileShown]
    waits: bool
    witness_url: str
    confirmed_by: Sequence[Attestation]


class Act(NamedTuple):
    """A step that may be taken now; `main` where it takes the case further."""

    label: object
    url: str
    main: bool


def case_section(request: HttpRequest, finding: Finding) -> dict[str, object]:
    """What the page of a finding shows of its case; nothing to whoever reads but his own games."""
    row = worked(finding)
    if row is None or not reads_all(request):
        return {"case": "" if row is None else row.case}
    tone, icon, word = CASE_STATE[row.case_state]
    due: datetime | None = row.case_due
    stands = {"tone": tone, "icon": icon, "word": word}
    holds = state_of(finding) == FINDING_OPEN and row.case_state != OPEN
    return {
        **({"state": stands} if holds else {}),  # in the page's head
        "case": row.case,
        "case_shown": True,
        "case_state": stands,
        "responsible": row.responsible,
        "case_due": due,
        "case_overdue": due is not None and due < clock.now(),
        "case_owed": money(row.case_owed) if row.case_owed else "",
        "case_paid": money(row.case_paid) if row.case_paid else "",
        "case_left": money(left) if (left := row.case_owed - row.case_paid) > 0 else "",
        "steps": steps_of(request, row.case),
        "acts": list(_acts(request, row)),
    }


def worked(finding: Finding) -> "Worked | None":
    """A finding with how its case stands (`with_case`); None while it has no number."""
    return with_case(Finding.objects.filter(pk=finding.pk)).first()


def steps_of(request: HttpRequest, case: str) -> list[Step]:
    """The steps of a case that he may read, in the order in which they were recorded."""
    rows: list[CaseStep | CaseNote] = list(CaseStep.objects.filter(case=case))
    if access_policy.reads(request, FindingNoted.kind) == "all":
        rows += CaseNote.objects.filter(case=case)
    entries = BookEntry.objects.select_related("stream").in_bulk([row.pk for row in rows])
    paid = [row.n for row in rows if entries[row.pk].kind == FindingSettled.kind]
    given = Attestation.objects.filter(witnessed_stream=CASES, witnessed_n__in=paid)
    words: dict[int, list[Attestation]] = {}
    for one in given.order_by("n"):
        words.setdefault(one.witnessed_n, []).append(one)
    ordered = sorted(rows, key=lambda row: (row.recorded_at, row.stream, row.n))
    return [_step(request, entries[row.pk], words.get(row.n, [])) for row in ordered]


def _step(request: HttpRequest, entry: BookEntry, words: Sequence[Attestation]) -> Step:
    event, author = event_and_author(entry)
    private = looked_at(request, entry, author)
    words = words if entry.kind == FindingSettled.kind else ()
    waits = entry.kind == FindingSettled.kind and not words
    return Step(
        entry=entry,
        what=kind_word(entry.kind),
        who=author,
        url=url_of(entry.kind, entry.pk),
        values=values_of(event, private or {}, besides=BESIDES),
        files=files_of(entry, PAGES[entry.kind], seen=private is not None),
        waits=waits,
        witness_url=reverse("admin:casino_witness", args=[entry.pk])
        if waits and access_policy.actor(request, Witnessed.kind) is not None
        else "",
        confirmed_by=words,
    )


def _acts(request: HttpRequest, finding: "Worked") -> Iterator[Act]:
    for kind, label in ACTS.items():
        if access_policy.actor(request, kind.kind) is None or not can_take(finding, kind):
            continue
        name = "casenote" if kind is FindingNoted else "casestep"
        asked = urlencode({"kind": kind.kind.split("/")[0], "of": finding.pk})
        main = kind not in (FootageMarked, FindingNoted, FindingReopened)
        yield Act(label, f"{reverse(f'admin:audit_{name}_add')}?{asked}", main)


def can_take(finding: "Worked", kind: type[CaseEvent]) -> bool:
    """Whether a step makes sense as the case of a finding (`with_case`) stands."""
    state = finding.case_state
    if kind is FindingSettled:
        owed = finding.case_owed > finding.case_paid and state != UNFOUNDED
        return owed and not unconfirmed(CaseStep.objects.filter(case=finding.case)).exists()
    if kind is FindingReopened:
        return state not in (OPEN, ASKED, REOPENED)
    if kind in (FindingAssigned, ExplanationAsked):
        return state not in OVER
    if kind is ExplanationGiven:
        return state in (OPEN, ASKED, REOPENED)
    if kind is FindingDecided:
        return state not in (UPHELD, UNFOUNDED, IN_PART, SETTLED)
    return True


def same_cause(request: HttpRequest, finding: "Worked", kind: type[CaseEvent]) -> "list[Worked]":
    """Other findings that stand under the same check, of its table first, for which the step
    makes sense too: those he may read, `with_case`, each case once.
    """
    if kind not in OF_MANY:
        return []
    mine = readable(request, open_findings()).filter(
        check_name=finding.check_name, rulebook=finding.rulebook
    )
    worked_ones = with_case(mine.exclude(pk=finding.pk))
    alike = worked_ones.exclude(case=finding.case).filter(case_state=finding.case_state)
    newest = alike.order_by("-gaming_day", "-n")
    here = newest.filter(table_code=finding.table_code)[:SAME_CAUSE]
    elsewhere = newest.exclude(table_code=finding.table_code)[:SAME_CAUSE]
    rows: list[Worked] = [*here, *elsewhere]
    return list({row.case: row for row in reversed(rows)}.values())[: -SAME_CAUSE - 1 : -1]
