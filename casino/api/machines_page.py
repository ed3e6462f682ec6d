"""The machines that may call the API, kept by who leads the house: made, given a new secret, ended.

A secret is shown once, to whoever made it. What a machine may do is its number's office, which is
an entry of the book; here is said at which tables, and for what its token is good.
"""

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
from casino.api.machine_tokens import NoSuchMachine, make_machine, renew_secret, revoke
from casino.events.event_policy import DIRECTION
from casino.models import ApiClient, Table
from casino.security_log import note

WORDS: Final = {
    "rounds": _("send rounds"),
    "records": _("send other records of its tables"),
    "read": _("read what its office reads"),
}
SKEWED_MS: Final = 60_000  # beyond this a clock is shown as wrong


class MachineForm(forms.Form):
    """A machine that is to be kept."""

    number = forms.CharField(
        label=_("Number"),
        max_length=40,
        help_text=_("As it is registered; its office is given like a person's."),
    )
    tables = forms.MultipleChoiceField(
        label=_("Tables"), required=False, widget=forms.CheckboxSelectMultiple
    )
    scopes = forms.MultipleChoiceField(
        label=_("It may"), choices=list(WORDS.items()), widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type]  # a QueryDict or nothing
        rows = Table.objects.order_by("table_code").values_list("table_code", flat=True).distinct()
        tables = self.fields["tables"]
        assert isinstance(tables, forms.MultipleChoiceField)
        tables.choices = [(one, one) for one in rows]


def keeps_machines(request: HttpRequest) -> bool:
    """Whether he keeps the machines."""
    return bool(offices_of(request) & DIRECTION)


RAIL: Final = RailLink(_("Machines"), "machines", "running", shown_to=keeps_machines)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def machines(request: HttpRequest) -> HttpResponse:
    """The machines; a new one, a new secret, an end."""
    if not keeps_machines(request):
        raise PermissionDenied
    form, secret, whose = MachineForm(), "", ""
    if request.method == "POST":
        named = ApiClient.objects.filter(number=request.POST.get("machine", "")[:40]).first()
        if named is not None and "renew" in request.POST and named.revoked_at is None:
            secret, whose = renew_secret(named), named.number
            note("machine-secret-renewed", request, request.user.get_username(), what=whose)
        elif named is not None and "revoke" in request.POST:
            revoke(named, clock.now())
            note("machine-revoked", request, request.user.get_username(), what=named.number)
        else:
            form = MachineForm(request.POST)
            secret, whose = _made(request, form)
            form = MachineForm() if secret else form
    return TemplateResponse(
        request,
        "api/machines.html",
        {
            **admin.site.each_context(request),
            "title": gettext("Machines that call the API"),
            "form": form,
            "choices": [form["tables"], form["scopes"]],
            "secret": secret,
            "whose": whose,
            "kept": [(one, *_shown(one)) for one in ApiClient.objects.order_by("number")],
        },
    )


def _made(request: HttpRequest, filled: MachineForm) -> tuple[str, str]:
    """The secret of a new machine and its number; ("", "") where the form says what is wrong."""
    if not filled.is_valid():
        return "", ""
    given, by = filled.cleaned_data, request.user.get_username()
    try:
        client, secret = make_machine(given["number"], given["tables"], given["scopes"], by)
    except NoSuchMachine as error:
        filled.add_error("number", str(error))
        return "", ""
    note("machine-made", request, by, what=client.number)
    return secret, client.number


def _shown(client: ApiClient) -> tuple[str, bool]:
    """What it may, in words, and whether its clock is wrong."""
    may = ", ".join(str(WORDS[one]) for one in client.scopes)
    return may, client.skew_ms is not None and abs(client.skew_ms) > SKEWED_MS
