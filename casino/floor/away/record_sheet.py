"""What was written on paper while the house was away, recorded afterwards by the usual forms.

Here it is said which sheet it is, of which table, when it happened, who wrote it and why; then a
form of that table is chosen, which carries that along and leads back to the next sheet.
"""

from collections.abc import Collection, Mapping
from typing import Final

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino import clock
from casino.access.open_games import tables_known
from casino.events import Malformed
from casino.events.event import Paper
from casino.events.event_policy import FLOOR
from casino.events.phrases import said
from casino.events.shape import fields_of
from casino.floor import form_state
from casino.floor.away.paper_sheet import PAPER, PaperSheet, sheet_of
from casino.floor.floor_access import acts_at_which, floor_page
from casino.floor.floor_page import shown
from casino.floor.screens import form_errors
from casino.floor.table_links import Way, ways_at
from casino.floor.table_state import Step, load_table_view
from casino.floor.table_steps import STEPS
from casino.floor.tables.all_tables import links_to, waived
from casino.recording.from_paper import OLDEST, check_writer
from casino.recording.preparing import AHEAD
from casino.web.forms import people_choices
from casino.web.forms.event_forms import OCCURRED
from casino.web.forms.form_fields import field_for

END: Final = "end"  # in a form: no sheet lies there any more
BEFORE: Final = "paper-before"  # in a session: the last one, which the next is likely to be like
_WITHOUT: Final = frozenset({"witness"})  # whoever confirms a load does so now


class SheetForm(forms.Form):
    """One sheet: the fields of `Paper`, its table, when it happened."""

    def __init__(
        self,
        data: Mapping[str, object] | None,
        tables: Collection[str],
        last_sheet: PaperSheet | None,
    ) -> None:
        super().__init__(data)
        self.fields.update({one.name: field_for(one, "Paper") for one in fields_of(Paper)})
        self.fields["table"] = forms.ChoiceField(
            label=_("Table"),
            choices=[(one, one) for one in tables],
            error_messages={"invalid_choice": _("%(value)s is not one of your tables.")},
        )
        self.fields[OCCURRED.name] = field_for(OCCURRED, "")
        self.fields[OCCURRED.name].label = _("When it happened")
        if last_sheet is not None:
            self.initial = {  # but for when: that is another on each line
                "sheet": last_sheet.paper.sheet,
                "written_by": last_sheet.paper.written_by,
                "why": last_sheet.paper.why,
                "table": last_sheet.table,
            }

    def clean(self) -> dict[str, object]:
        """It happened already, and not long ago; whoever wrote it is of the house."""
        super().clean()
        values = self.cleaned_data
        moment, now = values.get(OCCURRED.name), clock.now()
        if moment is not None and moment > now + AHEAD:
            text = gettext("That is still to come: the house's clock shows %(now)s.")
            self.add_error(OCCURRED.name, text % {"now": f"{localtime(now):%d/%m %H:%M}"})
        elif moment is not None and moment < now - OLDEST:
            text = gettext(
                "That is more than %(n)s days ago, the most there is for a sheet of paper. Look at"
                " the day on the sheet."
            )
            self.add_error(OCCURRED.name, text % {"n": OLDEST.days})
        if "written_by" in values:
            try:
                check_writer(values["written_by"])
            except Malformed as error:
                self.add_error("written_by", said(error.reason, gettext))
        return values


@floor_page(FLOOR)
def away_view(request: HttpRequest) -> HttpResponse:
    """Which sheet it is; then what it tells."""
    if END in request.POST:
        request.session.pop(PAPER, None)
        return HttpResponseRedirect(request.path)
    his = sorted(acts_at_which(request, tables_known()))
    form = SheetForm(request.POST or None, his, sheet_of(request.session.get(BEFORE, "")))
    people_choices.offer(form, request)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        paper = Paper(**{field.name: values[field.name] for field in fields_of(Paper)})
        sheet = PaperSheet(paper, values[OCCURRED.name], values["table"])
        request.session[PAPER] = request.session[BEFORE] = sheet.token
        return HttpResponseRedirect(request.path)
    lying = form_state.lying_sheet(request) if request.method != "POST" else None
    context = {
        "form": form,
        "errors": form_errors(form) if request.method == "POST" else [],
        "lying": lying,
        "ways": [] if lying is None else _ways(request, lying.table),
        "too_old": form_state.TOO_OLD in request.GET,
        "sheets_url": reverse("sala:sheets"),
    }
    return shown(request, "sala/away.html", context)


def _ways(request: HttpRequest, table: str) -> list[Way]:
    """The forms of a table he may fill in, in the order in which an evening takes its course."""
    table_view = load_table_view(table, clock.now())
    state = table_view.state
    if state.partida is None:
        return links_to(request, state, [Step("open", "2")])
    listed = [*state.next_steps, *waived(state)]
    if state.dealing == "shuffler":  # a sheet may tell of a load more than is due now
        listed += [Step("exhibit", "53"), Step("load", "54")]
    by_name = {step.name: step for step in reversed(listed) if step.name not in _WITHOUT}
    in_order = [by_name[name] for name in STEPS if name in by_name]
    return [*links_to(request, state, in_order), *ways_at(request, table_view)]
