"""The machines that may call the API, kept by who leads the house: made, given a new secret or
other tables, ended.

A secret is shown once, to whoever made it. What a machine may do is its number's office, which is
an entry of the book; here is said at which tables, and for what its token is good.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from casino import clock
from casino.access.offices_held import offices_of
from casino.admin.site import RailLink
from casino.api.machine_tokens import (
    NoSuchMachine,
    OtherSecret,
    OtherTables,
    change_tables,
    make_machine,
    renew_secret,
    revoke,
    secret_mark,
)
from casino.events.event_policy import DIRECTION
from casino.models import ApiClient, Table
from casino.security_log import note
from casino.web.forms.shield import is_too_soon, unjudged

WORDS: Final = {
    "rounds": _("send rounds"),
    "records": _("send other records of its tables"),
    "read": _("read what its office reads"),
}
SKEWED_MS: Final = 60_000  # beyond this a clock is shown as wrong


class TablesForm(forms.Form):
    """Where a machine records. `held` are tables it has, registered or not."""

    tables = forms.MultipleChoiceField(
        label=_("Tables"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Where it records. One that only reads has none."),
    )

    def __init__(self, data: object = None, held: Collection[str] = (), **more: str) -> None:
        super().__init__(data, initial={"tables": list(held)}, **more)  # type: ignore[arg-type]
        rows = Table.objects.values_list("table_code", flat=True).distinct()
        tables = self.fields["tables"]
        assert isinstance(tables, forms.MultipleChoiceField)
        tables.choices = [(one, one) for one in sorted({*rows, *held})]


class MachineForm(TablesForm):
    """A machine that is to be kept."""

    number = forms.CharField(
        label=_("Number"),
        max_length=40,
        help_text=_("As it is registered; its office is given like a person's."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("It may"), choices=list(WORDS.items()), widget=forms.CheckboxSelectMultiple
    )


def keeps_machines(request: HttpRequest) -> bool:
    """Whether he keeps the machines."""
    return bool(offices_of(request) & DIRECTION)


RAIL: Final = RailLink(
    _("Machines"), "machines", shown_to=keeps_machines, section="people", place=65
)


@dataclass(slots=True)
class _Outcome:
    """What became of the form that was sent."""

    form: MachineForm
    secret: str = ""
    whose: str = ""
    renewed_before: bool = False
    moved_before: bool = False
    moved: bool = False
    wrong: Sequence[str] = ()
    too_soon: bool = False


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def machines(request: HttpRequest) -> HttpResponse:
    """The machines; a new one, a new secret, other tables, an end."""
    if not keeps_machines(request):
        raise PermissionDenied
    outcome = _Outcome(MachineForm())
    if request.method == "POST":
        named = ApiClient.objects.filter(number=request.POST.get("machine", "")[:40]).first()
        if is_too_soon(request.POST):
            outcome.form, outcome.too_soon = MachineForm(request.POST), True
            unjudged(outcome.form)
        elif named is None:
            _make(request, outcome)
        elif named.revoked_at is None:
            _change(request, named, outcome)
    kept = ApiClient.objects.select_related("application")
    return TemplateResponse(
        request,
        "api/machines.html",
        {
            **admin.site.each_context(request),
            "title": gettext("Machines that call the API"),
            "outcome": outcome,
            "form": outcome.form,
            "choices": [outcome.form["tables"], outcome.form["scopes"]],
            "kept": [_line(one) for one in kept.order_by("number")],
        },
    )


def _make(request: HttpRequest, outcome: _Outcome) -> None:
    """Keep a new machine, or let its form say what is wrong."""
    outcome.form = filled = MachineForm(request.POST)
    if not filled.is_valid():
        return
    given, by = filled.cleaned_data, request.user.get_username()
    try:
        client, outcome.secret = make_machine(given["number"], given["tables"], given["scopes"], by)
    except NoSuchMachine as error:
        filled.add_error("number", str(error))
        return
    note("machine-made", request, by, what=client.number)
    outcome.whose, outcome.form = client.number, MachineForm()


def _change(request: HttpRequest, client: ApiClient, outcome: _Outcome) -> None:
    """Give a machine a new secret or other tables, or end it."""
    outcome.whose, by = client.number, request.user.get_username()
    if "revoke" in request.POST:
        revoke(client, clock.now())
        note("machine-revoked", request, by, what=client.number)
    elif "renew" in request.POST:
        try:
            outcome.secret = renew_secret(client, request.POST.get("seen", ""))
        except OtherSecret:
            outcome.renewed_before = True
        else:
            note("machine-secret-renewed", request, by, what=client.number)
    elif "move" in request.POST:
        _move(request, client, outcome)


def _move(request: HttpRequest, client: ApiClient, outcome: _Outcome) -> None:
    """Give a machine other tables than those the page showed, or say why not."""
    had = request.POST.getlist("had")
    filled = TablesForm(request.POST, {*client.tables, *had})
    if not filled.is_valid():
        outcome.wrong = [str(one) for one in filled.errors["tables"]]
        return
    tables: list[str] = filled.cleaned_data["tables"]
    try:
        outcome.moved = change_tables(client, had, tables)
    except OtherTables:
        outcome.moved_before = True
    if outcome.moved:
        by, now_at = request.user.get_username(), " ".join(sorted(tables)) or "-"
        note("machine-tables-changed", request, by, what=client.number, tables=now_at)


def _line(client: ApiClient) -> dict[str, object]:
    """A machine as the page lists it."""
    skew = client.skew_ms or 0
    return {
        "kept": client,
        "may": ", ".join(str(WORDS[one]) for one in client.scopes),
        "behind": skew // 1000 if skew > SKEWED_MS else 0,
        "ahead": -skew // 1000 if -skew > SKEWED_MS else 0,
        "seen": secret_mark(client),
        "tables": TablesForm(held=client.tables, auto_id=f"id_{client.number}_%s")["tables"],
    }
