"""What a person's own device answers when asked for his passkey, and where it may be asked."""

from collections.abc import Mapping
from typing import ClassVar, Final
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.http import HttpRequest

_LONGEST: Final = 8_192


def passkeys_work(request: HttpRequest) -> bool:
    """Whether a browser would let this address use the house's passkeys."""
    host = urlsplit(origin_of(request)).hostname or ""
    own = settings.WITNESS_DOMAIN
    return (host == own or host.endswith(f".{own}")) and (
        request.is_secure() or host == "localhost"
    )


def origin_of(request: HttpRequest) -> str:
    """This page's address as a browser writes it: scheme, host, port."""
    return f"{request.scheme}://{request.get_host()}"


class DeviceField(forms.CharField):
    """What the device answered, base64url; empty where no script could ask it."""

    widget = forms.HiddenInput

    def __init__(self) -> None:
        super().__init__(required=False, max_length=_LONGEST)


class AnswerFields(forms.Form):
    """What the device answered; a script fills it in."""

    names: ClassVar = ("credential", "client_data", "authenticator_data", "signature")

    credential = DeviceField()
    client_data = DeviceField()
    authenticator_data = DeviceField()
    signature = DeviceField()

    @classmethod
    def of(cls, sent: Mapping[str, str]) -> dict[str, str] | None:
        """The answer that was sent; None where there is none, or one longer than any is."""
        answer = cls(sent)
        if not sent.get("credential") or not answer.is_valid():
            return None
        return {name: answer.cleaned_data[name] for name in cls.names}
