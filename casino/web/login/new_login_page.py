"""A log-in made anew: with the code two persons had made, its owner sets a new password, once.

At the entrance, for he can log in no more. The second factor he had is forgotten with it: the steps
of a first log-in ask him for one. Tries count as at the entrance.
"""

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django import forms
from django.contrib import messages
from django.contrib.admin import site
from django.contrib.auth.password_validation import (
    password_validators_help_text_html,
    validate_password,
)
from django.contrib.auth.signals import user_logged_in
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters

from casino import clock
from casino.models import Account, StaffRequest, StaffRequestDecision
from casino.security_log import as_number, note
from casino.web.display.money_and_time import moment
from casino.web.entrance import whose_try
from casino.web.forms.people_choices import number_of
from casino.web.login.throttle import Limit, of_stranger, refuse_for, tries_left, try_once
from casino.witnessing import forget, use_reset

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

LINK: Final = _("I was given a code for a new log-in")
WARNED: Final = timedelta(days=30)  # after a decision he is told of it at each log-in


def _password(label: "StrPromise", help_text: "StrPromise | str" = "") -> forms.CharField:
    return forms.CharField(
        label=label,
        help_text=help_text,
        strip=False,
        max_length=200,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )


class NewLoginForm(forms.Form):
    """Number, code, and the password he chooses, twice. `account` is whose it was, once it is good;
    `wait` how long nobody is heard.
    """

    account: Account | None = None
    wait: timedelta | None = None

    number = forms.CharField(
        label=_("Staff number"),
        max_length=40,
        widget=forms.TextInput({"autocapitalize": "characters", "spellcheck": "false"}),
    )
    code = forms.CharField(
        label=_("The code you were given"),
        max_length=60,
        widget=forms.TextInput(
            {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    new_password1 = _password(_("New password"), password_validators_help_text_html)
    new_password2 = _password(_("New password once more"))

    def __init__(self, request: HttpRequest, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self.request = request

    def clean(self) -> dict[str, object]:
        """Ask the code once all else is good. Raises: ValidationError."""
        cleaned: dict[str, object] = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        number, password = number_of(str(cleaned["number"])), str(cleaned["new_password1"])
        if password != cleaned["new_password2"]:
            self.add_error("new_password2", _("The two passwords are not the same."))
            return cleaned
        try:
            validate_password(password, Account(staff=number))
        except forms.ValidationError as error:
            self.add_error("new_password1", error)
            return cleaned
        self._judge(number, str(cleaned["code"]), password)
        return cleaned

    def _judge(self, number: str, code: str, password: str) -> None:
        """Set the password if it is his code. Raises: ValidationError."""
        own = Limit(whose_try(number, self.request))
        tried = try_once(own, *of_stranger(number, code, self.request))
        if tried.wait is not None:
            self.wait = tried.wait
            note("login-renewal-refused", self.request, as_number(number))
            refuse_for(tried.wait)
        with transaction.atomic():
            account = Account.objects.filter(staff=number, is_active=True).first()
            if account is not None and use_reset(account, code):
                account.set_password(password)  # which ends his sessions
                account.password_is_temporary = False
                account.save(update_fields=["password", "password_is_temporary"])
                forget(account)
                self.account = account
        if self.account is None:
            note("login-renewal-failed", self.request, as_number(number))
            wrong = forms.ValidationError(
                _("The number or the code is not right, or its time is over.")
            )
            raise forms.ValidationError([wrong, tries_left(tried.left)])
        tried.forgive()
        note("login-renewed", self.request, number)


@never_cache
@csrf_protect
@sensitive_post_parameters("code", "new_password1", "new_password2")
def new_login_view(request: HttpRequest) -> HttpResponse:
    """The page; on POST the new password holds, and he logs in with it."""
    form = NewLoginForm(request, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        messages.success(request, gettext("Your new password holds: log in with it."))
        return redirect(reverse("admin:login"))
    context = {
        **site.each_context(request),
        "has_permission": False,
        "title": gettext("New log-in"),
        "form": form,
    }
    status = 200 if form.wait is None else 429
    response = TemplateResponse(request, "admin/casino/new_login.html", context, status=status)
    if form.wait is not None:
        response["Retry-After"] = str(int(form.wait.total_seconds()) + 1)
    return response


@receiver(user_logged_in)
def _warn(request: HttpRequest | None, user: Account, **_: object) -> None:
    """Who logs in is told that others had a code made for him, whether it was used or not."""
    if request is None or not hasattr(request, "_messages"):
        return
    decided = StaffRequestDecision.objects.filter(
        decision="approved", recorded_at__gte=clock.now() - WARNED
    )
    by = {one.asked_n: one for one in decided}
    asked = StaffRequest.objects.filter(change="login_reset", person=user.staff, n__in=by)
    for one in asked:
        text = gettext(
            "A new log-in was made possible for you: asked for by %(asker)s, approved by %(other)s"
            " (%(at)s). If you know nothing of it, tell the inspection service or the auditor."
        )
        values = {"asker": one.staff, "other": by[one.n].staff, "at": moment(by[one.n].recorded_at)}
        messages.warning(request, text % values)
