"""Changing one's own password: a few wrong ones are judged, as at the entrance."""

from datetime import timedelta
from typing import cast

from django import forms
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _

from casino.models import Account, LoginTry
from casino.security_log import note
from casino.web.login.throttle import begin_try, refuse_for, tries_left, whose_account


class FirstPasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    """The first one of somebody who came by the identity provider: there is no old one to ask."""

    user: Account

    def save(self, commit: bool = True) -> Account:
        """Keep it; it is his own from now on."""
        self.user.password_is_temporary = False
        account: Account = super().save(commit)
        return account


class OwnPasswordForm(FirstPasswordForm, PasswordChangeForm):
    """The old password and the new one twice. `wait` is how long no old one is judged, if so."""

    wait: timedelta | None = None
    error_messages = {  # noqa: RUF012 - as Django declares it
        **PasswordChangeForm.error_messages,
        "password_incorrect": _("The password you have is not this one."),
    }

    def clean_old_password(self) -> str:
        """Judge it, unless too many were wrong. Raises: ValidationError."""
        whose = whose_account("change", self.user.staff)
        left = begin_try(whose)
        if isinstance(left, timedelta):
            self.wait = left
            refuse_for(left)
        try:
            password: str = super().clean_old_password()
        except forms.ValidationError as error:
            raise forms.ValidationError([error, tries_left(left)]) from error
        LoginTry.objects.filter(whose=whose).delete()
        return password

    def clean(self) -> dict[str, object]:
        """Ask of a new one that it is another. Raises: ValidationError."""
        cleaned: dict[str, object] = super().clean() or self.cleaned_data
        old, new = cleaned.get("old_password"), cleaned.get("new_password1")
        if old and old == new:
            self.add_error("new_password1", _("It is the one you had: choose another."))
        return cleaned


def change_password(request: HttpRequest, context: dict[str, object]) -> TemplateResponse:
    """The page, among what every page is shown with; that it was changed is in the security log."""
    user = request.user
    assert isinstance(user, Account)
    number = user.get_username()
    view = PasswordChangeView.as_view(
        form_class=OwnPasswordForm if user.has_usable_password() else FirstPasswordForm,
        template_name="admin/casino/password.html",
        success_url=own_address(request.GET.get(REDIRECT_FIELD_NAME, ""))
        or reverse("admin:password_change_done"),
        extra_context={
            **context,
            "temporary": user.password_is_temporary,
            "first": not user.has_usable_password(),
        },
    )
    response = cast(TemplateResponse, view(request))
    form = (getattr(response, "context_data", None) or {}).get("form")
    if isinstance(form, OwnPasswordForm) and form.wait is not None:
        response.status_code = 429
        response["Retry-After"] = str(int(form.wait.total_seconds()) + 1)
        note("password-change-refused", request, number, why="too many wrong passwords")
    if response.status_code == 302:
        note("password-changed", request, number)
    return response


def own_address(asked: str) -> str:
    """An address to go on to, where it is one of the house; '' for any other."""
    return asked if asked and url_has_allowed_host_and_scheme(asked, allowed_hosts=None) else ""
