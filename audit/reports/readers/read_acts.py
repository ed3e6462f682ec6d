"""Registers of single acts: cuts of shoes; corrections, withdrawals and warnings recorded over."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from audit.models import Finding
from audit.models.evidence import mark_of
from audit.pages.page_words import cited, words
from audit.reports import report_cells as cells
from audit.reports.readers.read_findings import listed
from audit.reports.readers.read_method import method
from audit.reports.report_draft import Column, Draft, Row
from audit.reports.report_entries import (
    Asked,
    at_most,
    entries_named_rows,
    entries_of,
    moment_of,
    values_by_entry,
)
from casino.extensions import event_kinds
from casino.models import Cut, Supersession
from casino.queries import that_count
from casino.web.entries.entry_standing import Link, Standings
from casino.web.words import field_words
from casino.web.words.kind_words import kind_word

OF_CUTS: Final = ("8", "52")  # the articles
CUT_CHECKS: Final = (
    *("shoe_is_cut", "cut_follows_the_shuffle", "cut_with_a_special_card", "cut_by_rightful_seat"),
    *("shoe_cut_by_a_fiscal_de_banca", "seats_at_the_cut_told_alike", "no_cut_with_shuffler"),
)
_OVER: Final = b'"despite":[{'  # in the bytes of an entry that was recorded over a warning


def read_cuts(draft: Draft, asked: Asked, kinds: Sequence[str]) -> None:
    """Every cut: whose right it was, who declined, who cut, what was found. Law: PT art. 8, 52."""
    cuts = at_most(that_count(Cut.objects.filter(asked.days())).order_by("occurred_at", "n"))
    findings = Finding.objects.filter(asked.days(), check_name__in=CUT_CHECKS)
    resting = defaultdict[object, list[Finding]](list)
    for finding in at_most(findings.order_by("n")):
        for named in finding.evidence:
            resting[mark_of(named)].append(finding)
    declined = sum(not accepted for cut in cuts for _seat, accepted in cut.offers)
    draft.section(
        _("Cuts"),
        pairs=[
            (_("Cuts on record"), cells.whole(len(cuts))),
            (_("Refusals"), cells.whole(declined)),
            *(
                (_("Cut by: %(whom)s") % {"whom": field_words.word(by)}, cells.whole(n))
                for by, n in sorted(Counter(cut.cut_by for cut in cuts).items())
            ),
        ],
        columns=[
            Column(_("When"), 12),
            Column(_("Entry"), 10),
            Column(_("Partida"), 14),
            Column(_("Shoe"), 6, "right"),
            Column(_("After"), 10),
            Column(_("Occupied seats"), 9),
            Column(_("Rightful seat"), 7, "right"),
            Column(_("Asked, in order"), 12),
            Column(_("Cut by"), 10),
            Column(_("What was found"), 20),
        ],
        rows=[_cut(cut, asked, resting[cut.stream, cut.n]) for cut in cuts],
        empty=_("No cut was recorded in these days."),
    )
    listed(draft, findings, _("Findings about cuts"))
    method(draft, asked, OF_CUTS)


def _cut(cut: Cut, asked: Asked, findings: Sequence[Finding]) -> Row:
    answers = {True: _("accepted"), False: _("declined")}
    by = field_words.word(cut.cut_by)
    whom = f"{by} {cut.cutter}" if cut.seat is None else _("seat %(seat)s") % {"seat": cut.seat}
    found = [
        f"{cited(one.rulebook, one.article)}: {words().finding(one)}"
        for one in findings
        if one.where.get("shoe", cut.shoe) == cut.shoe  # it may rest on the cut before, too
    ]
    return Row(
        [
            moment_of(cut.occurred_at, asked),
            cells.entry(cut.stream, cut.n),
            cells.text(cut.partida_id),
            cells.whole(cut.shoe),
            cells.text(field_words.word(cut.after)),
            cells.joined(cut.seats_occupied),
            cells.text("") if cut.due_seat is None else cells.whole(cut.due_seat),
            cells.text("; ".join(f"{seat} {answers[accepted]}" for seat, accepted in cut.offers)),
            cells.text(whom),
            cells.text("; ".join(found)),
        ],
        (cut.stream, cut.n),
    )


def read_changes(draft: Draft, asked: Asked, kinds: Sequence[str]) -> None:
    """What was corrected, withdrawn, or recorded over a warning: by whom, why, who agreed."""
    asked_for = Supersession.objects.filter(asked.days()).order_by("occurred_at", "n")
    places = [(one.stream, one.n) for one in at_most(asked_for)]
    links = {(one.stream, one.n): one for one in Standings(places).links}
    originals = ((one.stream, one.original_n) for one in links.values())
    rows = [row for row in entries_named_rows([*places, *originals]) if row.kind in kinds]
    lines = values_by_entry(rows)
    changes = [one for place in places if _original(one := links[place]) in lines]
    counted = Counter((one.withdraws, one.decision) for one in changes)
    draft.cite(map(_original, changes))
    draft.section(
        _("Corrections and withdrawals"),
        pairs=[
            (capfirst(f"{_what(withdraws)}, {_decided(decision)}"), cells.whole(n))
            for (withdraws, decision), n in sorted(counted.items(), key=str)
        ],
        columns=[
            Column(_("Asked for"), 12),
            Column(_("Entry"), 10),
            Column(_("What"), 11),
            Column(_("Original entry"), 24),
            Column(_("What takes its place"), 24),
            Column(_("Reason"), 12),
            Column(_("By"), 8),
            Column(_("Second person"), 14),
        ],
        rows=[_change(one, asked, lines) for one in changes],
        empty=_("Nothing was corrected or withdrawn in these days."),
    )
    _exceptions(draft, asked, kinds)


def _original(link: Link) -> tuple[str, int]:
    return link.stream, link.original_n


def _what(withdraws: bool) -> str:
    return _("withdrawal") if withdraws else _("correction")


def _decided(decision: str | None) -> str:
    said = {"approved": _("approved"), "refused": _("refused")}
    return said.get(decision or "", _("waits for its second person"))


def _change(link: Link, asked: Asked, lines: dict[tuple[str, int], str]) -> Row:
    original, own = _original(link), (link.stream, link.n)
    instead = _("nothing") if link.withdraws else lines.get(own, "")
    decided = f"{_decided(link.decision)} {link.decided_by}"
    return Row(
        [
            moment_of(link.asked_at, asked),
            cells.entry(*own),
            cells.text(capfirst(_what(link.withdraws))),
            cells.text(f"{original[0]} {original[1]}: {lines[original]}"),
            cells.text(capfirst(instead)),
            cells.text(field_words.word(link.reason)),
            cells.text(link.staff),
            cells.text(capfirst(decided.strip())),
        ],
        own,
    )


def _exceptions(draft: Draft, asked: Asked, kinds: Sequence[str]) -> None:
    """Records somebody made although a warning was shown, each with his reason."""
    known = event_kinds()
    may = [kind for kind in kinds if hasattr(known[kind], "despite")]
    rows = entries_of(asked, may, holding=_OVER)
    values = values_by_entry(rows)
    draft.section(
        _("Exceptions: recorded over a warning"),
        pairs=[(_("Records made over a warning"), cells.whole(len(rows)))],
        columns=[
            Column(_("When"), 12),
            Column(_("Entry"), 10),
            Column(_("What"), 14),
            Column(_("What was recorded"), 26),
            Column(_("Warning"), 26),
            Column(_("Reason"), 14),
            Column(_("By"), 10),
        ],
        rows=[
            Row(
                [
                    moment_of(row.place.at, asked),
                    cells.entry(row.stream, row.n),
                    cells.text(capfirst(kind_word(row.kind))),
                    cells.text(values[row.stream, row.n]),
                    cells.text(words().statement(over.check)),
                    cells.text(field_words.word(over.reason)),
                    cells.text(row.recorded.by.staff),
                ],
                (row.stream, row.n),
            )
            for row in rows
            if row.recorded is not None
            for over in getattr(row.recorded.event, "despite", ())
        ],
        empty=_("No warning was recorded over in these days."),
    )
