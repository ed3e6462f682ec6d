"""Who comes by the identity provider: the open account of his number, or why there is none."""

from typing import Final

from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.models import Account, ApiClient, Staff
from casino.security_log import as_number, note
from casino.web.forms.people_choices import can_be_number, number_of
from casino.web.login.provider_client import Json
from casino.web.login.provider_settings import IdentityProvider

# Why nobody is in, beside what `account_of` says; %(host)s is the provider.
TOO_MUCH: Final = _(
    "What you had filled in is too much to wait there: log in by number and password."
)
NOT_BEGUN: Final = _("This log-in was not begun in this browser, or too long ago: begin anew.")
REFUSED: Final = _("%(host)s did not let you in.")
UNPROVED: Final = _("What %(host)s answered does not prove who you are: begin anew.")
AWAY: Final = _("%(host)s does not answer. Log in by number and password, or try again soon.")


class NotLetIn(Exception):
    """Who came is known to the provider and not let in. The sentence is for him."""


def account_of(request: HttpRequest, provider: IdentityProvider, claims: Json) -> Account:
    """The open account of the number the provider names. Raises: NotLetIn."""
    found = claims.get(provider.number_claim)
    typed = found.strip() if isinstance(found, str) else ""
    if not can_be_number(typed):
        note("login-refused", request, "", why="provider: no number")
        text = gettext("%(host)s does not say which staff number is yours (%(claim)s).")
        raise NotLetIn(text % {"host": provider.host, "claim": provider.number_claim})
    number = number_of(typed)
    account = Account.objects.filter(staff=number).first()
    if not Staff.objects.filter(person=number).exists():
        why = gettext("%(number)s is registered nowhere in this house.")
    elif account is None or ApiClient.objects.filter(number=number).exists():
        why = gettext("%(number)s has no account here: ask the administrador for one.")
    elif not account.is_active:
        why = gettext("The account of %(number)s is closed.")
    else:
        return account
    note("login-refused", request, as_number(number), why="provider: no open account")
    raise NotLetIn(why % {"number": number})


def second_factors(claims: Json) -> frozenset[str]:
    """How the provider says somebody showed who he is (RFC 8176, and its own classes)."""
    found = claims.get("amr")
    listed = found if isinstance(found, list) else []
    return frozenset(one for one in [*listed, claims.get("acr")] if isinstance(one, str))
