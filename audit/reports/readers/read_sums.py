"""Sums of some days: what is owed to whom, and rates per thousand rounds beside the days before."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from audit import sums_owed
from audit.models import Finding
from audit.pages.night.rates_page import HEADINGS, OF_FINDINGS, OF_WHAT, who
from audit.rates.rate_queries import GROUPS, By, Period, group, period_of
from audit.rates.rate_queries import MOST as MOST_COUNTED
from audit.rates.rates import EXPECTED, PER, Group, Line, Tally
from audit.reports import report_cells as cells
from audit.reports.readers.read_findings import listed
from audit.reports.readers.read_method import method, rulebooks_of
from audit.reports.report_draft import Column, Draft, Row
from audit.reports.report_entries import Asked, TooMuch
from audit.sums_owed import Owed, grouped

MOST_LINES: Final = 200  # of one sum, the largest
Key = Callable[[sums_owed.Row], tuple[str, str]]


def read_owed(draft: Draft, asked: Asked, kinds: Sequence[str]) -> None:
    """What the unresolved findings of the days owe, by player, table, dealer and day."""
    found = sums_owed.rows(asked.stretch)
    total = grouped(found, lambda row: "").get("", Owed())
    if total.findings > sums_owed.MOST:
        raise TooMuch(
            _("More than %(most)s findings: ask for fewer days, or for one table.")
            % {"most": cells.whole(sums_owed.MOST)["text"]}
        )
    draft.section(
        _("Summary"),
        pairs=[
            (_("Findings that owe something, unresolved"), cells.whole(total.findings)),
            (_("Owed to players"), cells.cents(total.to_players)),
            (_("Owed to the house"), cells.cents(total.to_house)),
            (_("Settled, confirmed by a second person"), cells.cents(total.paid)),
            (_("Left to pay"), cells.cents(total.left)),
        ],
    )
    nobody = _("nobody named")
    keys: list[tuple[str, Key]] = [
        (_("Player"), lambda row: (row.player or nobody, row.partida)),
        (_("Table"), lambda row: (row.table or nobody, "")),
        (_("Dealer"), lambda row: (row.dealer or nobody, "")),
        (_("Gaming day"), lambda row: (str(cells.day(row.day)["text"]), "")),
    ]
    for name, key in keys:
        _owed_by(draft, name, grouped(found, key))
    owing = Finding.objects.filter(asked.days(), owed_cents__gt=0)
    listed(draft, owing, _("Findings that owe something"))
    if articles := sorted(set(owing.order_by().values_list("article", flat=True))):
        method(draft, asked, articles)


def _owed_by(draft: Draft, name: str, sums: dict[tuple[str, str], Owed]) -> None:
    lines = sorted(sums.items(), key=lambda one: (-one[1].to_players - one[1].to_house, one[0]))
    left = len(lines) - MOST_LINES
    draft.section(
        _("By %(what)s") % {"what": name.lower()},
        level=2,
        pairs=[(_("Lines not shown, the smallest"), cells.whole(left))] if left > 0 else [],
        columns=[
            Column(name, 22),
            Column(_("Partida"), 18),
            Column(_("Findings"), 10, "right"),
            Column(_("To players"), 13, "right"),
            Column(_("To the house"), 13, "right"),
            Column(_("Settled"), 12, "right"),
            Column(_("Left to pay"), 12, "right"),
        ],
        rows=[
            Row(
                [
                    cells.text(named),
                    cells.text(game),
                    cells.whole(owed.findings),
                    *map(cells.cents, (owed.to_players, owed.to_house, owed.paid, owed.left)),
                ]
            )
            for (named, game), owed in lines[:MOST_LINES]
        ],
        empty=_("Nothing is owed."),
    )


def read_rates(draft: Draft, asked: Asked, kinds: Sequence[str]) -> None:
    """Rates of the days, beside as many days just before them."""
    length = asked.last - asked.first + timedelta(days=1)
    before = asked._replace(first=asked.first - length, last=asked.first - timedelta(days=1))
    then, now = period_of(before.stretch), period_of(asked.stretch)
    draft.section(
        _("What a rate is"), texts=_rate_texts(), pairs=_periods(asked, before, now, then)
    )
    for by in GROUPS:
        if by not in OF_FINDINGS or (now.whole and then.whole):
            _rates_by(draft, by, group(by, now, then))
    draft.rulebooks.update(name for name, _book in rulebooks_of(asked))


def _rate_texts() -> list[str]:
    return [
        _(
            "A rate is the number of events per %(per)s rounds, an exact fraction shown to two"
            " decimals. Counted are findings that hold, and incidents and complaints on record."
        )
        % {"per": cells.whole(PER)["text"]},
        _(
            "Few rounds: where fewer than %(expected)s events were to be expected by the rate of"
            " all, chance alone may double their number; such a line says little of anybody."
        )
        % {"expected": EXPECTED},
    ]


def _periods(
    asked: Asked, earlier: Asked, now: Period, then: Period
) -> list[tuple[str, cells.Cell]]:
    pairs = []
    for name, days, period in (
        (_("These days"), asked, now),
        (_("Held against"), earlier, then),
    ):
        ends = " – ".join(str(cells.day(each)["text"]) for each in (days.first, days.last))
        pairs.append((name, cells.text(ends)))
        pairs.append((_("Rounds, %(when)s") % {"when": name.lower()}, _rounds(period)))
    if not (now.whole and then.whole):
        most = cells.whole(MOST_COUNTED)
        pairs.append((_("Rates of findings left out: a period holds more than"), most))
    return pairs


def _rounds(period: Period) -> cells.Cell:
    return cells.whole(period.all_rounds)


def _rates_by(draft: Draft, by: By, rated: Group) -> None:
    lines = rated.lines[:MOST_LINES]
    least = (
        []
        if rated.least is None
        else [(_("Says something from rounds on"), cells.whole(rated.least))]
    )
    tallied = [_("Rounds"), _("Counted"), _("Per %(per)s") % {"per": cells.whole(PER)["text"]}]
    earlier = [_("%(what)s before") % {"what": name} for name in tallied]
    draft.section(
        str(HEADINGS[by]),
        level=2,
        pairs=[] if rated.least is None else least,
        columns=[
            Column(str(OF_WHAT[by]), 22),
            *(Column(name, 9, "right") for name in (*tallied, *earlier, _("Change"))),
            Column(_("Remark"), 15),
        ],
        rows=[
            *(_rate_line(who(by, line.who), line, rated) for line in lines),
            *([_rate_line(_("All"), rated.total, rated)] if lines else ()),
        ],
        empty=_("No rounds and no events."),
    )


def _rate_line(name: str, line: Line, rated: Group) -> Row:
    def figures(tally: Tally) -> list[cells.Cell]:
        return [cells.whole(tally.rounds), cells.whole(tally.events), cells.ratio(tally.rate)]

    little = _("few rounds") if rated.says_little(line) else ""
    change = cells.ratio(line.change)
    return Row(
        [
            cells.text(capfirst(name)),
            *figures(line.now),
            *figures(line.before),
            change,
            cells.text(little),
        ]
    )
