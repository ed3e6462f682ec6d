"""Findings in a report: as a list, and each in full as a non-conformity."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from audit import audit_queries
from audit.case_state import OPEN as CASE_OPEN
from audit.case_state import with_case
from audit.models import CaseStep, Finding, FindingSupersession
from audit.models.evidence import entries_named
from audit.pages.findings.case_section import CASE_STATE, worked
from audit.pages.findings.people_present import Present, present_at
from audit.pages.law import figures
from audit.pages.law.cited_words import cited_words
from audit.pages.law.law_pages import reading_shown
from audit.pages.page_words import (
    OWED_TO,
    STATE,
    cited,
    gravity_word,
    heading,
    instrument,
    law,
    summary,
    words,
)
from audit.reports import report_cells as cells
from audit.reports.readers.read_method import method
from audit.reports.report_draft import Column, Draft, Row
from audit.reports.report_entries import Asked, TooMuch, columns, entries_named_rows, shown
from casino.events.event import RECONCILER
from casino.law.rulebook.rulebook import Law

if TYPE_CHECKING:
    from audit.case_state import Worked

MOST_LISTED = 2_000
MOST_IN_FULL = 50  # findings of one report of non-conformity


def listed(draft: Draft, findings: audit_queries.Findings, heading: str, level: int = 1) -> None:
    """Findings as a table, in the order of the list, with what is owed added up."""
    rows = list(audit_queries.newest_first(audit_queries.with_state(findings))[: MOST_LISTED + 1])
    if len(rows) > MOST_LISTED:
        raise TooMuch(
            _("More than %(most)s findings: ask for fewer days, or for one table.")
            % {"most": cells.whole(MOST_LISTED)["text"]}
        )
    standing = [one for one in rows if getattr(one, "superseded_why", None) is None]
    cases = {one.pk: one for one in with_case(Finding.objects.filter(pk__in=[r.pk for r in rows]))}
    draft.section(
        heading,
        level=level,
        pairs=[
            (_("Findings"), cells.whole(len(rows))),
            (_("Unresolved"), cells.whole(len(standing))),
            (_("Owed to players, unresolved"), cells.cents(_owed(standing, "player"))),
            (_("Owed to the house, unresolved"), cells.cents(_owed(standing, "house"))),
        ],
        columns=[
            Column(_("Entry"), 9),
            Column(_("Gravity"), 10),
            Column(_("Article"), 9),
            Column(_("Finding"), 42),
            Column(_("Owed"), 12, "right"),
            Column(_("State"), 18),
        ],
        rows=[_line(one, cases.get(one.pk)) for one in rows],
        empty=_("No finding."),
    )
    draft.rulebooks.update(one.rulebook for one in rows if law(one.rulebook) is not None)


def _owed(findings: Iterable[Finding], to: str) -> int:
    return sum(one.owed_cents for one in findings if one.owed_to == to)


def _line(finding: Finding, case: "Worked | None") -> Row:
    """Under the number of its case; as long as it stands, with what people made of it."""
    over = getattr(finding, "superseded_why", None)
    state = STATE[over or audit_queries.OPEN][2]
    if case is not None and not over and case.case_state != CASE_OPEN:
        state = CASE_STATE[case.case_state][2]
    told = capfirst(words().finding(finding))
    return Row(
        [
            cells.entry(RECONCILER, finding.n),
            cells.text(capfirst(gravity_word(finding.severity, finding.rulebook))),
            cells.text(cited(finding.rulebook, finding.article)),
            cells.text(told if case is None else f"{case.case}: {told}"),
            _owed_cell(finding),
            cells.text(capfirst(str(state))),
        ],
        (finding.stream, finding.n),
    )


def _owed_cell(finding: Finding) -> cells.Cell:
    if not finding.owed_to:
        return cells.text("")
    owed = cells.cents(finding.owed_cents)
    return owed | {"text": f"{owed['text']} {OWED_TO[finding.owed_to]}"}


def read_nonconformity(draft: Draft, asked: Asked) -> None:
    """One finding or several, each with objective, scope, what was found, rule, conclusion."""
    if asked.findings:
        rows = Finding.objects.filter(pk__in=[UUID(one) for one in asked.findings])
    else:
        rows = audit_queries.open_findings(Finding.objects.filter(asked.days()))
    found = list(audit_queries.newest_first(rows)[: MOST_IN_FULL + 1])
    if len(found) > MOST_IN_FULL:
        raise TooMuch(
            _("More than %(most)s unresolved findings: ask for fewer days, or for one table.")
            % {"most": cells.whole(MOST_IN_FULL)["text"]}
        )
    draft.section(_("Objective"), texts=[_objective()])
    draft.section(_("Scope"), pairs=[(_("Findings"), cells.whole(len(found)))], texts=_scope())
    present = present_at(found, entries_named([one for f in found for one in f.evidence]))
    for finding in found:
        _in_full(draft, asked, finding, present.get(finding.pk, Present()))
    if not found:
        draft.section(_("Findings"), texts=[_("No unresolved finding of these days.")])
    method(draft, asked, sorted({one.article for one in found}))


def _objective() -> str:
    return _(
        "To set out what the reconciliation of the book found not to be in conformity with the"
        " regulation or with the house's own controls, with the records it rests on."
    )


def _scope() -> list[str]:
    return [
        _(
            "Each finding was made by a program that compares the records of the book with the"
            " articles; a finding is no decision on anybody's responsibility."
        )
    ]


def _in_full(draft: Draft, asked: Asked, finding: Finding, present: Present) -> None:
    say, book = words(), law(finding.rulebook)
    article = book.articles.get(finding.article) if book is not None else None
    if book is not None:
        draft.rulebooks.add(finding.rulebook)
    draft.cite([(finding.stream, finding.n)])
    case = worked(finding)
    name = f"{RECONCILER} {finding.n}" if case is None else case.case
    draft.section(
        f"{_('Finding')} {name}: {cells.clean(capfirst(say.finding(finding)))}",
        pairs=[*_place_pairs(finding, present), *[(n, cells.text(v)) for n, v in _values(finding)]],
    )
    rule = [cells.clean(say.statement(finding.check_name))]
    if article is not None:
        rule.append(cells.clean(f"{_('Our summary, not the text')}: {summary(article)}"))
    rule += [cells.clean(one) for one in figures.otherwise_set(finding)]
    draft.section(
        _("Rule applied"),
        level=2,
        texts=rule,
        pairs=[
            (_("Article"), cells.text(_article(finding, article))),
            (_("Act"), cells.text(instrument(book))),
            (_("Rulebook's file"), cells.text(finding.law)),
            (_("Readings"), cells.text("; ".join(_readings(finding, book)))),
        ],
    )
    _official_words(draft, finding, book)
    named = [(one.stream.name, one.n) for one in entries_named(finding.evidence).values()]
    draft.section(
        _("Evidence"),
        level=2,
        columns=columns(),
        rows=shown(entries_named_rows(named), asked),
        empty=_("It rests on what is not in the book."),
    )
    _history(draft, finding)
    _conclusion(draft, asked, case)


def _readings(finding: Finding, book: Law | None) -> list[str]:
    """What each reading a finding hangs on says; one the rulebook has no more, by its name."""
    if book is None:
        return list(finding.readings)
    known, day = book.readings, finding.gaming_day
    return [
        cells.clean(reading_shown(book, known[one], day).adopted) if one in known else one
        for one in finding.readings
    ]


def _official_words(draft: Draft, finding: Finding, book: Law | None) -> None:
    """What the official text says, of what the check rests on: where, in which file."""
    found = cited_words(finding, book)
    if found is None:
        return
    row = found.received
    draft.cite([(row.stream, row.n)])
    pairs = [
        (_("Text"), cells.text(row.title)),
        (_("File, SHA-256"), cells.text(row.file_sha256)),
        (_("Record of it"), cells.entry(row.stream, row.n)),
    ]
    for one in found.bearing:
        spans = " ".join(f"[{start}:{end}]" for start, end in one.pieces)
        pairs.append((_("Place in the text"), cells.text(f"{one.eid} {spans}")))
    pairs += [(written, cells.text(f"{name}, {held}")) for written, name, held in found.figures]
    draft.section(
        _("Words of the official text"),
        level=2,
        texts=[cells.clean(f"{one.label} {one.words}".strip()) for one in found.bearing],
        pairs=pairs,
    )


def _conclusion(draft: Draft, asked: Asked, case: "Worked | None") -> None:
    """How its case stands, and every step people took; inspectors' notes are no part of it."""
    number = "" if case is None else case.case
    steps = CaseStep.objects.filter(case=number).values_list("stream", "n") if number else ()
    draft.section(
        _("Conclusion and response"),
        level=2,
        pairs=[] if case is None else _case_pairs(case),
        columns=columns() if steps else [],
        rows=shown(entries_named_rows(steps), asked) if steps else [],
        texts=[
            _(
                "What was asked, answered and given as grounds is kept apart, where it can be"
                " erased; whoever may read it is shown it on the page of the finding."
            )
            if steps
            else _("Nobody has recorded a conclusion or a response to this finding.")
        ],
    )


def _case_pairs(case: "Worked") -> list[tuple[str, cells.Cell]]:
    pairs = [
        (capfirst(_("case")), cells.text(case.case)),
        (_("State"), cells.text(capfirst(str(CASE_STATE[case.case_state][2])))),
        (_("Responsible"), cells.text(case.responsible or "")),
    ]
    if case.case_owed:
        left = max(case.case_owed - case.case_paid, 0)
        pairs += [(_("Owed"), cells.cents(case.case_owed))]
        pairs += [
            (_("Settled"), cells.cents(case.case_paid)),
            (_("Left to pay"), cells.cents(left)),
        ]
    return pairs


def _article(finding: Finding, article: object) -> str:
    name = cited(finding.rulebook, finding.article)
    return name if article is None else f"{name}, {heading(article)}"  # type: ignore[arg-type]


def _place_pairs(finding: Finding, present: Present) -> list[tuple[str, cells.Cell]]:
    say = words()
    gravity = capfirst(gravity_word(finding.severity, finding.rulebook))
    state = STATE[audit_queries.state_of(finding)][2]
    pairs = [
        (_("Gravity"), cells.text(gravity)),
        (_("State"), cells.text(capfirst(str(state)))),
        (_("Table"), cells.text(finding.table_code)),
        (_("Partida"), cells.text(finding.partida_id)),
        (_("Gaming day"), cells.day(finding.gaming_day)),
    ]
    if present.moment is not None:
        pairs.append((_("Moment"), cells.moment(present.moment.at)))
    people = (
        (_("Dealer at that moment"), present.dealer),
        (_("Fiscal de banca at that moment"), present.fiscal),
        (_("Fiscal-chefe on duty at that moment"), ", ".join(present.chefes)),
    )
    pairs += [(name, cells.text(who)) for name, who in people if who]
    pairs += [
        (capfirst(name), cells.text(value))
        for name, value in say.place(finding.where, finding.partida_id)
    ]
    if finding.owed_to:
        pairs.append((_("Owed"), _owed_cell(finding)))
    return pairs


def _values(finding: Finding) -> list[tuple[str, str]]:
    return [
        (
            capfirst(name),
            _("observed %(observed)s; expected %(expected)s")
            % {"observed": observed or cells.NONE, "expected": expected or cells.NONE},
        )
        for name, observed, expected in words().values(finding)
    ]


def _history(draft: Draft, finding: Finding) -> None:
    events: Sequence[Finding | FindingSupersession] = audit_queries.history_of(finding)
    draft.section(
        _("History"),
        level=2,
        columns=[Column(_("Recorded"), 30), Column(_("Entry"), 20), Column(_("What became"), 50)],
        rows=[
            Row(
                [
                    cells.moment(one.recorded_at),
                    cells.entry(one.stream, one.n),
                    cells.text(capfirst(_became(one))),
                ],
                (one.stream, one.n),
            )
            for one in events
        ],
    )


def _became(event: Finding | FindingSupersession) -> str:
    if isinstance(event, Finding):
        return _("raised")
    return str(STATE[event.why][2])  # type: ignore[attr-defined]  # by `history_of`
