"""Which gaming days and which table a page of the auditor's adds up, as its address asks."""

from datetime import date
from typing import Any, Final, NamedTuple

from django.http import HttpRequest, QueryDict
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from audit.answers import DAYS, Stretch, newest_days
from casino.house_day import gaming_day_now
from casino.web.display.list_filters import day_named

FIELDS: Final = ("from", "to", "table")


class Asked(NamedTuple):
    """What was asked: the stretch, whether its days were chosen, and the same for an address."""

    stretch: Stretch
    chosen: bool
    query: str

    @property
    def fields(self) -> list[tuple[str, str]]:
        """What was asked, as the fields of a form."""
        asked = QueryDict(self.query)
        return [(name, asked[name]) for name in FIELDS if name in asked]

    def context(self) -> dict[str, object]:
        """As the form above the figures shows it."""
        return {"stretch": self.stretch, "days_chosen": self.chosen, "days": DAYS}

    @property
    def in_words(self) -> dict[str, str]:
        """What was asked, as a file says it: the days, and the table where it is of one."""
        stretch = self.stretch
        ends = (date_format(each, "SHORT_DATE_FORMAT") for each in (stretch.first, stretch.last))
        days = {_("Gaming day"): " – ".join(ends)}
        return days | ({_("Table"): stretch.table} if stretch.table else {})

    def narrowed(self, rows: Any) -> Any:
        """Of the auditor's rows those of these days, and of this table."""
        rows = rows.filter(gaming_day__range=(self.stretch.first, self.stretch.last))
        return rows.filter(table_code=self.stretch.table) if self.stretch.table else rows

    def address(self, **more: str) -> str:
        """These days and this table, with more, as the query of another page's address."""
        query = QueryDict(mutable=True)
        query.update({"from": self.stretch.first.isoformat(), "to": self.stretch.last.isoformat()})
        if self.stretch.table:
            query["table"] = self.stretch.table
        query.update(more)
        return query.urlencode()


def asked_of(request: HttpRequest) -> Asked:
    """The stretch a page was asked for; what is no day is as if it had not been asked.

    Without days: those up to the newest that was judged. Without the first: DAYS up to the last.
    """
    first, last = day_asked(request, "from"), day_asked(request, "to")
    table = request.GET.get("table", "").strip().replace("\0", "?")
    chosen = first is not None or last is not None
    if last is None:
        newest_first, last = newest_days(gaming_day_now())
        first = first or newest_first
    if first is None:
        first = date.fromordinal(max(last.toordinal() - DAYS + 1, 1))
    kept = {name: request.GET[name] for name in FIELDS if request.GET.get(name)}
    query = QueryDict(mutable=True)
    query.update(kept)
    return Asked(Stretch(first, last, table), chosen, query.urlencode())


def day_asked(request: HttpRequest, name: str) -> date | None:
    """A day of the address; None for what is none."""
    return day_named(request.GET.get(name, ""))
