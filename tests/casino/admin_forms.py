"""Forms of the admin, filled in and sent as a browser would."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

from django.test import Client
from django.utils import translation

from casino.web.forms.event_forms import (
    ASKED,
    REASON,
    EventForm,
    RoundForm,
    form_for,
    initial_values,
)
from casino.web.forms.form_fields import ListField, ObjectField, PlainField, RowsField
from tests.factories.events.every import FULL


def with_what_is_asked(event: Any) -> Any:
    """The event with what it may leave out and its form asks for all the same."""
    asked = (
        ASKED.get(event.kind, {}) if getattr(event, "moment", "exhibition") == "exhibition" else {}
    )
    known = {
        name: getattr(FULL[event.kind], name) for name in asked if getattr(event, name) is None
    }
    said = {name: True if value is None else value for name, value in known.items()}
    return replace(event, **said) if said else event


def filled(event: Any, **changed: str) -> dict[str, str]:
    """The form's fields as a browser sends them for this event; `changed` ones otherwise.

    A page in English, whatever the process spoke before.
    """
    with translation.override("en"):
        form = form_for(type(event))(type(event), key=uuid4(), values=initial_values(event))
        sent = dict(_sent(form)) | {"key": str(uuid4())}
    sent["occurred_at-again"] = ""
    sent["occurred_at"] = changed.pop("occurred_at", "2026-11-20T21:15:00")
    return sent | changed


def _sent(form: EventForm) -> Iterator[tuple[str, str]]:
    for name, field in form.fields.items():
        if name in ("key", REASON):
            continue
        raw = form.get_initial_for_field(field, name)
        if isinstance(form, RoundForm) and not isinstance(field, PlainField):
            yield name, raw
        else:
            yield from _of_field(name, field, raw)


def _of_field(name: str, field: Any, raw: Any) -> Iterator[tuple[str, str]]:
    if isinstance(field, RowsField):
        rows, none = raw or ([], False)
        yield f"{name}-rows", str(len(rows))
        for index, row in enumerate(rows):
            yield from _of_columns(f"{name}-{index}", field.columns, row)
        if none:
            yield f"{name}-none", "on"
    elif isinstance(field, ObjectField):
        yield from _of_columns(name, field.columns, raw or {})
    elif isinstance(field, ListField):
        line, none = raw or ("", False)
        yield name, line
        if none:
            yield f"{name}-none", "on"
    elif isinstance(raw, tuple):
        yield name, raw[0]
        yield f"{name}-again", raw[1]
    else:
        yield name, raw or ""


def _of_columns(
    at: str, columns: dict[str, PlainField], row: dict[str, Any]
) -> Iterator[tuple[str, str]]:
    for column, field in columns.items():
        yield from _of_field(f"{at}-{column}", field, row.get(column))


def over_warnings(client: Client, url: str, sent: dict[str, str]) -> Any:
    """Send a form, and again with a reason for every warning it brings."""
    answer = client.post(url, sent)
    if answer.status_code == 200:
        checks = warned_in(answer)
        assert checks, answer.context["form"].errors
        answer = client.post(url, sent | {f"despite-{check}": "it-happened-so" for check in checks})
    return answer


def warned_in(answer: Any) -> list[str]:
    """The checks a page warns of."""
    return re.findall(r'name="despite-([a-z0-9_]+)"', answer.content.decode())


def key_in(answer: Any) -> UUID:
    """The key a page's form carries."""
    found = re.search(r'name="key" value="([0-9a-f-]{36})"', answer.content.decode())
    assert found is not None
    return UUID(found[1])
