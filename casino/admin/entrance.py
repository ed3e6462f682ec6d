"""The entrance: number and password, and no more than so many wrong ones.

What counts is the number that was typed together with the address it came from, whether there is
such an account or not: nobody learns here who has one, and nobody shuts out another from afar.
"""

from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, Final, NoReturn
from uuid import uuid4

from django import forms
from django.contrib.admin.forms import AdminAuthenticationForm
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from casino import clock
from casino.models import LoginTry

TRIES: Final = 10
WINDOW: Final = timedelta(minutes=15)
TOO_MANY: Final = "too_many"
_SALT: Final = "casino.admin.entrance"
_NETWORK: Final = 64  # bits of an IPv6 address that one household is given


class EntranceForm(AdminAuthenticationForm):
    """Number and password; says no more than that they do not fit, or that it was tried too often.

    `wait` is how long nobody is let in any more, where that is so.
    """

    wait: timedelta | None = None
    error_messages = {  # noqa: RUF012 - as Django declares it
        **AdminAuthenticationForm.error_messages,
        "invalid_login": _("The number or the password is not right."),
    }

    def clean(self) -> dict[str, Any]:
        """Ask the password only where it was not tried too often. Raises: ValidationError."""
        typed, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not typed or not password:
            return super().clean()
        whose = whose_try(typed, self.request)
        tried = _begin(whose)
        if isinstance(tried, timedelta):
            self.wait = tried
            _refuse(tried)
        cleaned = super().clean()
        LoginTry.objects.filter(whose=whose).delete()  # it was right: what went before is forgiven
        return cleaned


def whose_try(typed: str, request: HttpRequest | None) -> str:
    """What stands for a number and an address, and tells neither."""
    address = "" if request is None else request.META.get("REMOTE_ADDR", "")
    return salted_hmac(_SALT, f"{typed.strip()}\n{_place(address)}", algorithm="sha256").hexdigest()


def _place(address: str) -> str:
    """The address; of IPv6 the network, for one machine has more addresses than it could try."""
    try:
        found: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or int(found) >> (128 - _NETWORK))


def _begin(whose: str) -> timedelta | None:
    """Count a try before it is made, so that many at once count as many; how long to wait, if so.

    A try that is refused counts no further: the first of ten is forgotten after its time.
    """
    now = clock.now()
    LoginTry.objects.filter(tried_at__lt=now - WINDOW).delete()
    own = LoginTry.objects.create(id=uuid4(), whose=whose, tried_at=now)
    tried: list[datetime] = list(
        LoginTry.objects.filter(whose=whose).order_by("tried_at").values_list("tried_at", flat=True)
    )
    if len(tried) <= TRIES:
        return None
    own.delete()
    return max(tried[-1 - TRIES] + WINDOW - now, timedelta(seconds=1))


def _refuse(wait: timedelta) -> NoReturn:
    minutes = -(-int(wait.total_seconds()) // 60) or 1
    told = ngettext(
        "Too many wrong passwords: try again in %(n)s minute.",
        "Too many wrong passwords: try again in %(n)s minutes.",
        minutes,
    )
    raise forms.ValidationError(told % {"n": minutes}, code=TOO_MANY)
