"""The registers: decks and shufflers, a jackpot, complaints, incidents with the gaps in numbers."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from django.db.models import Q
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from audit.models import Finding
from audit.reports import report_cells as cells
from audit.reports.readers.read_findings import listed
from audit.reports.readers.read_method import method
from audit.reports.report_draft import Column, Draft, Row
from audit.reports.report_entries import Asked, columns, entries_of, shown
from casino.house_day import day_begins
from casino.models import (
    Complaint,
    ComplaintDecision,
    Incident,
    IncidentClosure,
    IncidentStepRow,
    Notice,
    ShufflerReport,
)
from casino.queries import that_count
from casino.web.entries.entry_standing import SAID, Standings
from casino.web.forms.running_numbers import following
from casino.web.words import field_words
from casino.web.words.combination_words import combination_word
from casino.web.words.kind_words import kind_word
from jackpot.models import JackpotPayment, JackpotStart, JackpotWin
from jackpot.queries.pool_queries import pool_now

DECKS: Final = (
    *("deck-received/1", "deck-inspected/1", "cards-shuffled/1", "card-replaced/1"),
    *("deck-withdrawn/1", "decks-destroyed/1", "inspection-leave-asked/1"),
    "inspection-leave-decided/1",
)
SHUFFLERS: Final = (
    *("shuffler-registered/1", "shuffler-loaded/1", "shuffler-unloaded/1", "shuffler-opened/1"),
    *("shuffler-found-empty/1", "firmware-decided/1"),
)
# Counted and not listed: a machine reports more in a year than a report holds.
REPORTED: Final = {
    "shuffler-cycle/1": ~Q(phase=""),
    "shuffler-signal/1": ~Q(signal=""),
    "shuffler-self-check/1": ~Q(firmware_sha256="", seals=""),
}
COMPLAINTS: Final = (
    *("complaint-received/1", "dispute-reviewed/1", "complaint-decided/1", "footage-held/1"),
    *("notice-sent/1", "notice-acknowledged/1"),
)
INCIDENTS: Final = ("incident-reported/1", "incident-step/1", "incident-closed/1")
JACKPOTS: Final = (
    *("terms-approved/1", "terms-confirmed/1", "jackpot-started/1", "jackpot-won/1"),
    *("jackpot-paid/1", "jackpot-adjusted/1", "jackpot-sealed/1", "jackpot-read/1"),
)
PLAYERS_OWN: Final = ("38", "39", "40", "41", "42", "43", "44", "45", "46", "47", "48", "49", "50")
_running = re.compile(r"(.*?)(\d{1,12})").fullmatch
MOST_GAPS: Final = 500
NOTHING: Final[Mapping[str, int]] = {}


def read_decks(draft: Draft, asked: Asked, kinds: Sequence[str]) -> None:
    """The life of decks and machines: received, shown, loaded, exchanged, destroyed.

    Law: PT art. 3 to 5, 51 to 55.
    """
    _register(draft, asked, _("Decks"), [one for one in DECKS if one in kinds])
    reports = that_count(ShufflerReport.objects.filter(asked.days()))
    reported = {kind: reports.filter(of).count() for kind, of in REPORTED.items() if kind in kinds}
    shufflers = [one for one in SHUFFLERS if one in kinds]
    _register(draft, asked, _("Shufflers"), shufflers, reported)
    method(draft, asked, ("3", "4", "5", "51", "52", "53", "54", "55"))


def _register(
    draft: Draft,
    asked: Asked,
    heading: str,
    kinds: Sequence[str],
    beside: Mapping[str, int] = NOTHING,
) -> None:
    """Entries of some kinds, counted and listed; `beside` are how many there are of others."""
    rows = entries_of(asked, kinds)
    counted = {**dict.fromkeys(kinds, 0), **Counter(one.kind for one in rows), **beside}
    draft.section(
        heading,
        pairs=[(capfirst(kind_word(kind)), cells.whole(n)) for kind, n in counted.items()],
        columns=columns(),
        rows=shown(rows, asked),
        empty=_("Nothing of it was recorded in these days."),
    )


def read_jackpot(draft: Draft, asked: Asked, kinds: Sequence[str]) -> None:
    """The record of a pool: its meter, wins, payments, adjustments. Law: PT art. 38 to 50."""
    days = asked.days() & Q(jackpot=asked.jackpot)
    wins = list(that_count(JackpotWin.objects.filter(days)).order_by("n"))
    payments = list(that_count(JackpotPayment.objects.filter(days)).order_by("n"))
    now = pool_now(asked.jackpot)
    first = that_count(JackpotStart.objects.filter(jackpot=asked.jackpot)).order_by("n").first()
    draft.cite((one.stream, one.n) for one in (*wins, *payments))
    paid = sum(one.paid_cents for one in payments)
    pairs = [
        (_("Jackpot"), cells.text(asked.jackpot)),
        (_("First start"), cells.moment(None if first is None else first.occurred_at)),
        (_("Wins"), cells.whole(len(wins))),
        (_("Payments"), cells.whole(len(payments))),
        (_("Paid"), cells.cents(paid)),
    ]
    if now is not None:
        shown_at = _("Amount shown when this was read")
        pairs.append((shown_at, cells.cents(now.displayed_cents)))
    draft.section(_("Summary"), pairs=pairs)
    draft.section(
        _("Payments"),
        columns=[
            Column(_("When"), 27),
            Column(_("Entry"), 14),
            Column(_("Combination"), 20),
            Column(_("Winner"), 14),
            Column(_("Box"), 8, "right"),
            Column(_("Paid"), 17, "right"),
        ],
        rows=[_payment(one) for one in payments],
        empty=_("Nothing was paid in these days."),
    )
    for win in wins:
        _hand_signatures(draft, win)
    stream = f"jackpot/{asked.jackpot}"
    rows = entries_of(asked, [one for one in JACKPOTS if one in kinds], stream)
    draft.section(
        _("Records in the order in which they happened"),
        columns=columns(),
        rows=shown(rows, asked),
        empty=_("Nothing of it was recorded in these days."),
    )
    findings = Finding.objects.filter(
        gaming_day__range=(asked.first, asked.last), jackpot=asked.jackpot
    )
    listed(draft, findings, _("Findings"))
    method(draft, asked, PLAYERS_OWN)


def _payment(payment: JackpotPayment) -> Row:
    return Row(
        [
            cells.moment(payment.occurred_at),
            cells.entry(payment.stream, payment.n),
            cells.text(combination_word(payment.code)),
            cells.text(payment.owner),
            cells.whole(payment.box),
            cells.cents(payment.paid_cents),
        ],
        (payment.stream, payment.n),
    )


def _hand_signatures(draft: Draft, win: JackpotWin) -> None:
    draft.section(
        _("Win recorded as entry %(n)s, for signature") % {"n": f"{win.stream} {win.n}"},
        level=2,
        pairs=[
            (_("When"), cells.moment(win.occurred_at)),
            (_("Partida"), cells.text(win.partida_id)),
            *[(name, cells.text("_" * 40)) for name in (_("Dealer"), _("Fiscal de banca"))],
            *[(name, cells.text("_" * 40)) for name in (_("Fiscal-chefe"), _("Inspector"))],
        ],
    )


def read_complaints(draft: Draft, asked: Asked, kinds: Sequence[str]) -> None:
    """Complaints of the days, counted by subject and outcome. Law: PT art. 60, 61."""
    received = list(that_count(Complaint.objects.filter(asked.days())))
    codes = [one.complaint for one in received]
    decided = list(that_count(ComplaintDecision.objects.filter(complaint__in=codes)))
    outcomes = Counter(one.outcome for one in decided)
    settled = {one.complaint for one in decided}
    subjects = Counter(one.subject for one in received)
    draft.section(
        _("Counts of the period"),
        pairs=[
            (_("Complaints received"), cells.whole(len(codes))),
            (_("Complaints decided"), cells.whole(len(settled))),
            (_("Not decided yet"), cells.whole(len(set(codes) - settled))),
            *((_label(_("subject"), one), cells.whole(n)) for one, n in sorted(subjects.items())),
            *((_label(_("outcome"), one), cells.whole(n)) for one, n in sorted(outcomes.items())),
            (_("Paid by decisions"), cells.cents(sum(one.paid_cents or 0 for one in decided))),
        ],
    )
    draft.cite((one.stream, one.n) for one in (*received, *decided))
    _register(draft, asked, _("Register"), [one for one in COMPLAINTS if one in kinds])
    gaps(draft, Complaint, _("Numbers of complaints"), asked)
    method(draft, asked, ("60", "61"))


def _label(what: str, word: str) -> str:
    return f"{capfirst(what)}: {field_words.word(word)}"


def read_incidents(draft: Draft, asked: Asked, kinds: Sequence[str]) -> None:
    """The register of incidents with its steps, and the gaps in its numbers. Law: PT art. 51."""
    found = list(that_count(Incident.objects.filter(asked.days())).order_by("occurred_at", "n"))
    codes = [one.incident for one in found]
    closed = that_count(IncidentClosure.objects.filter(incident__in=codes))
    settled = {one.incident: one for one in closed}
    later = _later(codes)
    draft.cite((one.stream, one.n) for one in settled.values())
    draft.section(
        _("Counts of the period"),
        pairs=[
            (_("Incidents reported"), cells.whole(len(found))),
            (_("Incidents closed"), cells.whole(len(settled))),
            (_("Not closed yet"), cells.whole(len(set(codes) - set(settled)))),
            *(
                (_label(_("category"), one), cells.whole(n))
                for one, n in sorted(Counter(each.level for each in found).items())
            ),
        ],
    )
    draft.section(
        _("Incidents"),
        columns=[
            Column(_("Incident"), 14),
            Column(_("Category"), 14),
            Column(_("Table"), 8),
            Column(_("Noticed"), 16),
            Column(_("Resolved"), 16),
            Column(_("Communicated"), 16),
            Column(_("Outcome"), 16),
        ],
        rows=[
            _incident(one, settled.get(one.incident), later[one.incident], day_begins(asked.first))
            for one in found
        ],
        empty=_("No incident was reported in these days."),
    )
    _register(draft, asked, _("Register"), [one for one in INCIDENTS if one in kinds])
    gaps(draft, Incident, _("Numbers of incidents"), asked)
    method(draft, asked, ("5", "51", "60", "61"))


Moments = tuple[datetime | None, datetime | None]


def _later(incidents: Sequence[str]) -> dict[str, Moments]:
    """When incidents were resolved, by their steps, and communicated, by the notices of them."""
    steps = IncidentStepRow.objects.filter(incident__in=incidents, step="resolved")
    resolved = dict(that_count(steps).order_by("-n").values_list("incident", "occurred_at"))
    notices = that_count(Notice.objects.filter(incident__in=incidents)).order_by("-n")
    sent = dict(notices.values_list("incident", "sent_at"))
    return {one: (resolved.get(one), sent.get(one)) for one in incidents}


def _incident(
    incident: Incident,
    closure: IncidentClosure | None,
    later: Moments,
    begins: datetime,
) -> Row:
    moments = (
        incident.noticed_at or incident.occurred_at,
        incident.resolved_at or later[0],
        incident.communicated_at or later[1] or (closure.communicated_at if closure else None),
    )
    outcome = "" if closure is None else field_words.word(closure.outcome)
    return Row(
        [
            cells.text(incident.incident),
            cells.text(field_words.word(incident.level)),
            cells.text(incident.table_code),
            *[cells.text("") if at is None else cells.dated(at, begins) for at in moments],
            cells.text(outcome),
        ],
        (incident.stream, incident.n),
    )


def gaps(draft: Draft, register: type[Incident | Complaint], heading: str, asked: Asked) -> None:
    """The numbers between the first and the last of the days that stand nowhere in the register,
    and those that stand there but do not count, each with what became of it.

    A number is given where its record is written: what was never sent, and what was taken back
    within its seconds, used none. A gap is a number somebody typed by hand beyond the next one.
    """
    column = "incident" if register is Incident else "complaint"
    rows = register._default_manager.filter(gaming_day__range=(asked.first, asked.last))
    there = list(rows.order_by("n").values_list(column, "stream", "n"))
    standings = Standings((stream, n) for _code, stream, n in there)
    lines = [
        Row([cells.text(code), cells.text(capfirst(str(SAID[standing][1])))], (stream, n))
        for code, stream, n in there
        if (standing := standings.of(stream, n)) != "holds"
    ]
    missing = [one for one in _missing(code for code, _s, _n in there) if not _given(register, one)]
    lines += [
        Row([cells.text(text), cells.text(_never())]) for text in _ranges(missing)[:MOST_GAPS]
    ]
    draft.section(
        heading,
        pairs=[
            (_("Numbers given in these days"), cells.whole(len({one[0] for one in there}))),
            (_("Numbers missing between the first and the last"), cells.whole(len(missing))),
        ],
        columns=[Column(_("Number"), 30), Column(_("What became of it"), 70)],
        rows=lines,
        empty=_("No number is missing, and none was corrected or withdrawn."),
    )


def _never() -> str:
    return _(
        "No record of the book bears this number. Numbers are given when a record is written; one"
        " that was passed over was typed by hand."
    )


def _ranges(missing: Sequence[str]) -> list[str]:
    """Numbers that follow one another as one line: ``IN-102 – IN-201``."""
    found: list[tuple[str, str]] = []
    for code in missing:
        if found and following(found[-1][1]) == code:
            found[-1] = (found[-1][0], code)
        else:
            found.append((code, code))
    return [first if first == last else f"{first} – {last}" for first, last in found]


def _given(register: type[Incident | Complaint], code: str) -> bool:
    column = "incident" if register is Incident else "complaint"
    return bool(register._default_manager.filter(**{column: code}).exists())


def _missing(codes: Iterable[str]) -> list[str]:
    """Of numbers with the same beginning, those between the lowest and the highest."""
    numbers: dict[tuple[str, int], set[int]] = defaultdict(set)
    for code in codes:
        found = _running(code)
        if found is not None:
            numbers[found[1], len(found[2])].add(int(found[2]))
    return [
        f"{prefix}{number:0{digits}d}"
        for (prefix, digits), there in sorted(numbers.items())
        for number in range(min(there), min(max(there), min(there) + 10_000))
        if number not in there
    ]
