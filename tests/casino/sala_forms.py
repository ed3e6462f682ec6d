"""Forms of the floor's screens, filled in and sent as a tablet would."""

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any, Final

from django.test import Client
from django.urls import reverse

from tests.factories.tables import TABLE


class _Form(HTMLParser):
    """What the page's form would send as it stands, nothing pressed."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: dict[str, Any] = {}
        self._inside = False
        self._select = self._area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "form":
            self._inside = "act-form" in (values.get("class") or "")
        if not self._inside:
            return
        name, value = values.get("name") or "", values.get("value") or ""
        if tag == "input":
            if values.get("type") not in ("radio", "checkbox") or "checked" in values:
                self.sent[name] = value
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            if "selected" in values or self._select not in self.sent:
                self.sent[self._select] = value
        elif tag == "textarea":
            self._area, self.sent[name] = name, ""

    def handle_data(self, data: str) -> None:
        if self._area:
            self.sent[self._area] += data.lstrip("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False
        self._select = "" if tag == "select" else self._select
        self._area = "" if tag == "textarea" else self._area


def form_on(answer: Any) -> dict[str, Any]:
    """The fields of the form on a page, filled in as it is shown."""
    assert answer.status_code in (200, 409), answer.status_code
    form = _Form()
    form.feed(answer.content.decode())
    form.sent.pop("csrfmiddlewaretoken", None)
    return form.sent


def address(screen: str, *args: Any) -> str:
    """The address of a screen; of the table TABLE unless others are named."""
    return reverse(f"sala:{screen}", args=args or (TABLE,))


def fill(client: Client, url: str, **tapped: Any) -> dict[str, Any]:
    """The form at an address with what was tapped and typed."""
    return form_on(client.get(url)) | tapped


def send(client: Client, url: str, **tapped: Any) -> Any:
    """Open a screen, tap, send."""
    return client.post(url, fill(client, url, **tapped))


def checks_warned(answer: Any) -> list[str]:
    """What a page warns of before anything is recorded, by check."""
    assert answer.status_code == 200
    return str(form_on(answer).get("over", "")).split()


def over_it(client: Client, url: str, answer: Any, reason: str = "it-happened-so") -> Any:
    """Record what was warned of, with one tap on a reason."""
    return client.post(url, form_on(answer) | {"despite-all": reason})


def errors_on(answer: Any) -> dict[str, str]:
    """What a page refuses, by field."""
    return dict(answer.context["errors"])


def recorded_in_full(sent: Mapping[str, Any]) -> dict[str, Any]:
    """A form's fields without its own."""
    own = ("key", "who", "seen", "at")
    return {name: value for name, value in sent.items() if name not in own}


HIDDEN: Final = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


def hidden(page: Any) -> dict[str, str]:
    """What the page's last form of ours carries hidden."""
    text = page.content.decode()
    form = text[text.rindex("act-form") :]
    fields = dict(HIDDEN.findall(form))
    fields.pop("csrfmiddlewaretoken", None)
    return fields


def sent(client: Client, url: str, page: Any = None, **fields: Any) -> Any:
    """Send a screen's form, with what its page carried hidden."""
    page = client.get(url) if page is None else page
    return client.post(url, hidden(page) | fields)


def over(client: Client, url: str, warned: Any, reason: str = "it-happened-so") -> Any:
    """Tap a reason on the page of warnings."""
    fields = hidden(warned)
    assert "over" in fields, warned.content.decode()[-3000:]
    return client.post(url, fields | {"despite-all": reason})
