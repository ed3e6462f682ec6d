"""Forms of a pool: what is known is offered, what is confirmed is shown, what changes is recorded.

A pool is chosen among those there are, a combination among those that have a name. Nothing is
refused for not being on such a list: what is unlawful is warned of, as everywhere.

Law: PT art. 40, 41, 43.
"""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from casino.admin.record_admin import RecordAdmin
from casino.web.display.money_and_time import fine_money, moment
from casino.web.entries.entry_page import url_of
from casino.web.forms.event_forms import EventForm, form_for
from casino.web.forms.form_fields import RowsField
from casino.web.forms.form_widgets import MORE, ChoiceInput
from jackpot.events import JackpotAdjusted, JackpotWon, TermsApproved
from jackpot.models import (
    JackpotStart,
    JackpotTerms,
    JackpotTermsConfirmation,
    JackpotWin,
    JackpotWinnerRow,
)
from jackpot.pages.meter_words import combination_word
from jackpot.pages.terms_pages import checked, table_lines, whole_terms
from jackpot.progressive.catalogue import CATALOGUE
from jackpot.progressive.meter import Meter
from jackpot.queries import pool_now

POOL: Final = "jackpot"
COMBINATIONS: Final = "combinations"  # the list a code is picked from, by its id
POOLS: Final = "pools"
_LONGEST: Final = 18  # digits of an entry's number
SEEN: Final = "change_seen"  # the change whose outcome the form has shown


class PoolForms(RecordAdmin):
    """A projection whose new records are recorded by such a form. `first` are fields never folded
    away.
    """

    first: ClassVar[tuple[str, ...]] = ()
    form_template: ClassVar[str] = "jackpot/pool_form.html"

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """The form with what is known; an entry that exists is shown like any other."""
        answer = super().add_view(request, form_url, extra_context)
        if isinstance(answer, TemplateResponse) and "form" in (answer.context_data or {}):
            assert answer.context_data is not None
            answer.template_name = self.form_template
            answer.context_data |= self.around(request, answer.context_data["form"])
            groups = without(answer.context_data["groups"], answer.context_data.get("named", {}))
            answer.context_data["groups"] = unfolded(groups, self.first)
        return answer

    def around(self, request: HttpRequest, form: EventForm) -> dict[str, Any]:
        """What the page shows beside the form; the form's own controls are changed."""
        pools = known_pools()
        asks = form.fields.get(POOL)
        value = form[POOL].value() if asks is not None else None
        if asks is not None and form.kind is TermsApproved:
            asks.widget.attrs["list"] = POOLS  # the first terms of a pool name a new one
        elif asks is not None and pools:
            listed = [*pools, *([value] if value and value not in pools else [])]
            asks.widget = ChoiceInput([(code, code) for code in listed], required=True)
        return {"pools": pools, "combinations": offered(form)} | _following(form)


def known_pools() -> list[str]:
    """The pools somebody recorded terms of, or started."""
    rows = JackpotTerms.objects.order_by().values_list(POOL, flat=True).distinct()
    begun = JackpotStart.objects.order_by().values_list(POOL, flat=True).distinct()
    return sorted({*rows, *begun})


def _following(form: EventForm) -> dict[str, Any]:
    """The win a record names, in words: nobody has to read its place in the book off a form."""
    if "hit" not in form.fields or "hit" in form.errors:
        return {}
    win = _row_named(JackpotWin, form, "hit")
    if win is None:
        return {}
    winners = JackpotWinnerRow.objects.filter(jackpot=win.jackpot, n=win.n).order_by("box", "owner")
    return {
        "named": named_ref(form, "hit"),
        "win": win,
        "win_at": moment(win.occurred_at),
        "win_url": url_of(JackpotWon.kind, win.pk),
        "winners": [f"{row.owner}, {combination_word(row.code)}" for row in winners],
    }


def named_ref(form: EventForm, name: str) -> dict[str, str]:
    """The fields of an entry that is named, as the form sends them."""
    ref: Mapping[str, Any] = form[name].value()
    return {f"{name}-{part}": str(value) for part, value in ref.items()}


def _row_named(projection: Any, form: EventForm, name: str) -> Any:
    """The row of the entry a form names; None where it names none of that projection."""
    ref = form[name].value() or {}
    n = str(ref.get("n") or "")
    if not (n.isascii() and n.isdigit() and len(n) <= _LONGEST):
        return None
    return projection.objects.filter(stream=ref.get("stream"), n=int(n)).first()


def offered(form: EventForm) -> list[tuple[str, str]]:
    """The combinations to pick from, by code, with their words; [] where the form asks for none."""
    asked = [form.fields.get("code")]
    for field in form.fields.values():
        asked += [field.columns.get("code")] if isinstance(field, RowsField) else []
    codes = [field for field in asked if field is not None]
    for field in codes:
        field.widget.attrs["list"] = COMBINATIONS
    return [(code, combination_word(code)) for code in CATALOGUE] if codes else []


def unfolded(groups: list[dict[str, Any]], names: Iterable[str]) -> list[dict[str, object]]:
    """The same groups, with these fields after what is asked first."""
    asked = set(names)
    if len(groups) == 1 or not asked:
        return groups
    first, rest = groups
    shown = [field for field in rest["fields"] if field.name in asked]
    kept = [field for field in rest["fields"] if field.name not in asked]
    return [first | {"fields": [*first["fields"], *shown]}, rest | {"fields": kept}]


def without(groups: list[dict[str, Any]], named: Mapping[str, str]) -> list[dict[str, Any]]:
    """The same groups, less the fields that the page sends by itself."""
    own = {name.partition("-")[0] for name in named}
    return [
        group | {"fields": [field for field in group["fields"] if field.name not in own]}
        for group in groups
    ]


class ConfirmingForms(PoolForms):
    """The word of a second person: above it stands what he confirms. Law: PT art. 40."""

    form_template = "jackpot/confirm.html"

    def around(self, request: HttpRequest, form: EventForm) -> dict[str, object]:
        """The terms whole, with what is asked of them; where none are named, those that wait."""
        data = super().around(request, form)
        row: JackpotTerms | None = _row_named(JackpotTerms, form, "confirms")
        if row is None:
            return data | {"waiting": _waiting()}
        named = {POOL: row.jackpot} | named_ref(form, "confirms")
        wrong = {POOL, "confirms"} & form.errors.keys()
        return data | {
            "terms": row,
            "row": whole_terms(row),
            "checks": list(checked(row)),
            "lines": table_lines(row),
            "named": {} if wrong else named,
        }


def _waiting() -> list[JackpotTerms]:
    """Terms nobody has confirmed, the latest first."""
    words = JackpotTermsConfirmation.objects.all()
    confirmed = set(words.values_list(POOL, "terms_n"))
    rows = JackpotTerms.objects.order_by("-recorded_at")
    return [row for row in rows if (row.jackpot, row.n) not in confirmed]


class ChangingForms(PoolForms):
    """A correction of the meter: what it runs at, and would run at, stands above it. Art. 41."""

    form_template = "jackpot/confirm_change.html"

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """Recorded once its author was shown what the meter would run at."""
        if request.method == "POST" and _is_to_be_seen(request.POST):
            # As if more rows were asked for: shown again as it was filled in, and nothing recorded.
            asked = request.POST.copy()
            asked[MORE] = ""
            request.POST = asked  # type: ignore[assignment]
        return super().add_view(request, form_url, extra_context)

    def around(self, request: HttpRequest, form: EventForm) -> dict[str, object]:
        """The meter now; after a form was sent, afterwards too."""
        data = super().around(request, form)
        form["microcents"].help_text = _("In euros. A minus lowers the meter.")
        form["reference"].help_text = _("The report or the notice it follows from.")
        kept = f"{_('What happened, and how the amount was found.')} {form['note'].help_text}"
        form["note"].help_text = kept
        meter = _meter_of(form[POOL].value())
        if meter is None:
            return data
        data["meter"] = fine_money(meter.running)
        if request.method == "POST":
            event = _adjustment_in(request.POST)
            if event is not None and event.microcents:
                data["afterwards"] = fine_money(meter.running + event.microcents)
                data["named"] = data.get("named", {}) | {SEEN: str(event.microcents)}
        return data


def _is_to_be_seen(data: Any) -> bool:
    """Whether this change's outcome was not shown yet, and nothing else stops it."""
    event = _adjustment_in(data)
    if event is None or not event.microcents or data.get(SEEN) == str(event.microcents):
        return False
    meter = _meter_of(event.jackpot)
    return meter is not None and meter.running + event.microcents >= 0


def _adjustment_in(data: Any) -> JackpotAdjusted | None:
    """The event a form tells; None where it would be refused."""
    form = form_for(JackpotAdjusted)(JackpotAdjusted, data, key=uuid4())
    return form.event() if form.is_valid() else None


def _meter_of(jackpot: object) -> Meter | None:
    """The meter of a pool that was started."""
    if not jackpot or jackpot not in known_pools():
        return None
    meter = pool_now(jackpot).meter
    return meter if meter.begun else None
