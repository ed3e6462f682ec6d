"""A shuffler's dossier, above its timeline: what it is, where it stood, who loaded it, what
it reports of itself, what went wrong.

Only what counts is shown (a correction in the place of what it corrects); the timeline below has
all of it. For whoever reads all loadings; of the games he reads. Law: PT art. 51, 54, 55.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import Q
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from casino.access import access_policy
from casino.events.shufflers import ShufflerLoaded, ShufflerRegistered
from casino.law.checks.shuffler.shuffler_devices import firmware_standing
from casino.models import (
    Attestation,
    Closing,
    FirmwareDecision,
    Incident,
    IncidentClosure,
    LidOpening,
    Naming,
    Partida,
    Shuffler,
    ShufflerLoad,
    ShufflerReport,
    ShufflerUnload,
)
from casino.queries import that_count
from casino.web.display.cells import UNKNOWN, shown_column
from casino.web.display.money_and_time import moment
from casino.web.display.status_marks import mark
from casino.web.entries.entry_notes import Note, notes_of
from casino.web.entries.entry_page import url_of
from casino.web.entries.timeline_links import linked
from casino.web.words import field_words

LATEST: Final = 20  # so many of each are shown; the timeline has the others
Cell = str | SafeString
# Rows of several projections side by side, and the cells one has after its moment.
Shown = Any
Cells = Callable[[Shown], list[Cell]]


class Row(NamedTuple):
    """A line of a section: the moment, leading to its entry, and the cells beside it."""

    at: str
    url: str
    cells: Sequence[Cell]


class Section(NamedTuple):
    """One question of the dossier: its heading, the heads of its columns, its lines, the newest
    first; whether there are more than are shown.
    """

    heading: str
    heads: Sequence[str]
    rows: Sequence[Row]
    more: bool


class MachineDossier(NamedTuple):
    """What a machine is, field by field, everything else in sections, and what was found of it."""

    identity: Sequence[tuple[str, Cell]]
    sections: Sequence[Section]
    findings: Sequence[Note]


def dossier_of_machine(request: HttpRequest, shuffler: str) -> MachineDossier | None:
    """The dossier; None for whoever may not read all of what it is made of."""
    if access_policy.reads(request, ShufflerLoaded.kind) != "all":
        return None
    registered, games = _latest(Shuffler, shuffler), _latest(Partida, shuffler)
    passages = _newest(*(_latest(one, shuffler) for one in (ShufflerLoad, ShufflerUnload)))
    lids = _newest(_reports(shuffler, signal=""), _latest(LidOpening, shuffler))
    partidas = dict.fromkeys(row.partida_id for row in (*games[:LATEST], *passages[:LATEST]))
    sections = (
        _section(gettext("Registrations"), _REGISTERED, registered, _registration),
        _section(gettext("Games dealt from it"), _PLAYED, games, _played(partidas)),
        _section(gettext("Loaded and emptied"), _PASSED, passages, _passed(passages)),
        _section(gettext("Cycles it reported"), _CYCLES, _reports(shuffler, phase=""), _cycle),
        _section(
            gettext("Program and seals it reported"),
            _CHECKS,
            _reports(shuffler, firmware_sha256="", seals=""),
            _self_check(shuffler),
        ),
        _section(gettext("Warning light and lid"), _SIGNALS, lids, _signal),
        _section(gettext("Incidents"), _INCIDENTS, *_incidents(shuffler)),
    )
    return MachineDossier(
        _identity(registered[0]) if registered else (),
        [one for one in sections if one.rows],
        _findings(request, shuffler, [one for one in partidas if one]),
    )


def _latest(projection: type[Shown], shuffler: str) -> list[Shown]:
    """What counts of a projection for a machine, the newest first, one more than is shown."""
    rows = that_count(projection.objects.filter(shuffler=shuffler))
    rows = rows.select_related("entry")
    return list(rows.order_by("-occurred_at", "-n")[: LATEST + 1])


def _newest(*listed: Sequence[Shown]) -> list[Shown]:
    """Rows of several projections in one list, the newest first, one more than is shown."""
    rows = [row for each in listed for row in each]
    return sorted(rows, key=lambda row: (row.occurred_at, row.n), reverse=True)[: LATEST + 1]


def _section(heading: str, names: Sequence[str], listed: Sequence[Shown], cells: Cells) -> Section:
    """`names` are of fields: what its columns are called stands where forms call them so."""
    heads = [str(field_words.label(name)) for name in names]
    shown = [
        Row(moment(row.occurred_at), url_of(row.entry.kind, row.entry_id), cells(row))
        for row in listed[:LATEST]
    ]
    return Section(heading, heads, shown, len(listed) > LATEST)


def _values(shown: Shown, names: Iterable[str]) -> list[Cell]:
    return [shown_column(name, getattr(shown, name)) for name in names]


def _where(shown: Shown) -> Cell:
    """The game an act is of, else the table."""
    if shown.partida_id:
        return linked("partida", shown.partida_id)
    return linked("table", shown.table_code) if shown.table_code else UNKNOWN


def _person(number: str) -> Cell:
    return linked("person", number) if number else UNKNOWN


# What it is, and where it stood

_IDENTITY: Final = (
    "maker", "model", "serial", "firmware", "approval", "certificate", "continuous", "in_service",
)  # fmt: skip
_REGISTERED: Final = ("at_table", "firmware", "approval", "in_service")


def _identity(registered: Shuffler) -> list[tuple[str, Cell]]:
    label = field_words.label
    return [
        (str(label(name, ShufflerRegistered.kind)), shown_column(name, getattr(registered, name)))
        for name in _IDENTITY
    ]


def _registration(registered: Shuffler) -> list[Cell]:
    table = linked("table", registered.at_table) if registered.at_table else UNKNOWN
    return [table, *_values(registered, _REGISTERED[1:])]


_PLAYED: Final = ("partida", "decks", "ended_at")


def _played(partidas: Collection[str]) -> Cells:
    closed = that_count(Closing.objects.filter(partida_id__in=partidas)).order_by("occurred_at")
    ends = dict(closed.values_list("partida_id", "occurred_at"))

    def cells(opening: Partida) -> list[Cell]:
        end = ends.get(opening.partida_id)
        return [_where(opening), ", ".join(opening.decks), UNKNOWN if end is None else moment(end)]

    return cells


# Who loaded it, and before whom

_PASSED: Final = ("act", "partida", "witness", "fiscal_chefe", "operator", "packets", "cards")


def _passed(passages: Sequence[Shown]) -> Cells:
    named = Q(pk__in=())
    for row in passages:
        named |= Q(witnessed_stream=row.stream, witnessed_n=row.n)
    words: dict[tuple[str, int], list[Cell]] = {}
    for one in that_count(Attestation.objects.filter(named)).order_by("n"):
        place = one.witnessed_stream, one.witnessed_n
        words.setdefault(place, []).append(_person(one.witness))

    def cells(passage: ShufflerLoad | ShufflerUnload) -> list[Cell]:
        loaded = isinstance(passage, ShufflerLoad)
        seen = words.get((passage.stream, passage.n), [])
        return [
            gettext("loaded") if loaded else gettext("emptied"),
            _where(passage),
            format_html_join(", ", "{}", ((one,) for one in seen))
            if seen
            else mark("warning", gettext("nobody")),
            *(_person(passage.fiscal_chefe), _person(passage.operator)),
            str(passage.packets) if isinstance(passage, ShufflerLoad) else UNKNOWN,
            shown_column("cards", passage.cards),
        ]

    return cells


# What it reports of itself

_CYCLES: Final = ("partida", "phase", "mode", "cards_counted")
_CHECKS: Final = ("partida", "firmware", "firmware_sha256", "decision", "seals")
_SIGNALS: Final = ("partida", "signal", "opened_by")


def _reports(shuffler: str, **without: str) -> list[ShufflerReport]:
    rows = that_count(ShufflerReport.objects.filter(shuffler=shuffler).exclude(**without))
    rows = rows.select_related("entry")
    return list(rows.order_by("-occurred_at", "-n")[: LATEST + 1])


def _cycle(cycle: ShufflerReport) -> list[Cell]:
    return [_where(cycle), *_values(cycle, ("phase", "mode", "cards"))]


def _self_check(shuffler: str) -> Cells:
    models = list(
        that_count(Shuffler.objects.filter(shuffler=shuffler)).order_by("occurred_at", "n")
    )
    decisions = list(that_count(FirmwareDecision.objects.all()).order_by("n"))

    def standing(checked: ShufflerReport) -> Cell:
        if not checked.firmware_sha256:
            return UNKNOWN
        known = [one.model for one in models if one.occurred_at <= checked.occurred_at]
        model = known[-1] if known else None
        found = firmware_standing(decisions, model, checked.firmware_sha256, checked.occurred_at)
        if found is None:
            return mark("idle", gettext("of this model nothing is on record"))
        if found == "approved":
            return mark("kept", gettext("approved program"))
        return mark(
            "deviation",
            gettext("approval revoked") if found == "revoked" else gettext("not approved"),
        )

    def cells(checked: ShufflerReport) -> list[Cell]:
        seals = shown_column("seals", checked.seals)
        broken = mark("deviation", str(seals)) if checked.seals == "broken" else seals
        return [
            *(
                _where(checked),
                shown_column("firmware", checked.firmware),
                checked.firmware_sha256[:16] or UNKNOWN,
            ),
            *(standing(checked), broken),
        ]

    return cells


def _signal(act: ShufflerReport | LidOpening) -> list[Cell]:
    """Its own signal, or the lid as people recorded it."""
    if isinstance(act, ShufflerReport):
        return [_where(act), shown_column("signal", act.signal), UNKNOWN]
    said = f"{field_words.word('lid_opened')}: {field_words.word(act.reason)}"
    return [_where(act), said, _person(act.opened_by)]


# What went wrong

_INCIDENTS: Final = ("incident", "partida", "category", "outcome")


def _incidents(shuffler: str) -> tuple[list[Incident], Cells]:
    rows = _latest(Incident, shuffler)
    over = that_count(IncidentClosure.objects.filter(incident__in=[one.incident for one in rows]))
    outcomes = dict(over.order_by("occurred_at").values_list("incident", "outcome"))

    def cells(reported: Incident) -> list[Cell]:
        outcome = outcomes.get(reported.incident)
        return [
            *(reported.incident, _where(reported), str(field_words.word(reported.level))),
            str(field_words.word(outcome)) if outcome else mark("warning", gettext("open")),
        ]

    return rows, cells


def _findings(request: HttpRequest, shuffler: str, partidas: Collection[str]) -> list[Note]:
    """What was found in its last games that rests on an entry which names it."""
    notes = notes_of(request, partidas)
    cited = {UUID(entry_id) for note in notes for entry_id in note.evidence}
    named = Naming.objects.filter(thing="shuffler", code=shuffler, entry_id__in=cited)
    its_own = set(map(str, named.values_list("entry_id", flat=True)))
    return [note for note in notes if note.evidence & its_own]
