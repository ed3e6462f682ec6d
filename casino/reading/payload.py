"""An event to the JSON object that the book holds, and back, for every kind there is.

Fields are named as in the class; what is unknown is left out. Moments are written with
microseconds and ``Z``, days as ``YYYY-MM-DD``, tuples as lists. A private field is written as it
is: whoever records replaces it by ``{"hmac_sha256": "..."}``, and reading that gives `Withheld`.
A round is written and read as its own record, docs/round-record.md.
"""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, Final, NoReturn, TypeVar, cast

from casino.events import Malformed
from casino.events.event import Event
from casino.events.phrases import Phrase
from casino.events.round.field_form import shown
from casino.events.round.round_played import RoundPlayed
from casino.events.shape import Field, Items, Object, Plain, Shape, Withheld, fields_of
from casino.events.values import Day, Figures, Instant
from casino.reading.round_reader import round_of
from casino.reading.round_writer import round_as_object
from casino.reading.strict_json import field_path
from casino.tlog.canonical import instant_text

COMMITMENT: Final = "hmac_sha256"
# What recording writes beside an event's own fields: why it corrects another, what is attached.
BESIDE: Final = frozenset({"correction_reason", "attachments"})

_EventT = TypeVar("_EventT")
_is_moment: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2})"
).fullmatch
_is_day: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}").fullmatch


def payload_of(event: Event) -> dict[str, object]:
    """The JSON object of an event of any kind; `casino.tlog.canonical` takes it as it is."""
    if isinstance(event, RoundPlayed):
        return round_as_object(event)
    return _written_fields(event)


def event_of(event_class: type[_EventT], payload: object) -> _EventT:
    """The event of class `event_class` that a JSON object tells.

    Raises: Malformed, with the path of the first value that is not as asked: a field missing,
    unknown or null, a wrong type, a wrong form, a contradiction.
    """
    if issubclass(event_class, RoundPlayed):
        return cast("_EventT", round_of(payload))
    return _read_object(event_class, payload, "$")


def event_in_book(event_class: type[_EventT], payload: Mapping[str, object]) -> _EventT:
    """The event of an entry's payload, which may hold `BESIDE` too. Raises: Malformed."""
    return event_of(
        event_class, {name: each for name, each in payload.items() if name not in BESIDE}
    )


def _written_fields(found: object) -> dict[str, object]:
    written = {}
    for field in fields_of(type(found)):
        value = getattr(found, field.name)
        if field.required or value != field.default:
            written[field.name] = _written(value, field.shape)
    return written


def _written(value: Any, shape: Shape) -> object:
    if isinstance(value, Withheld):
        return {COMMITMENT: value.hmac}
    if isinstance(shape, Items):
        return [_written(each, shape.of) for each in value]
    if isinstance(shape, Object):
        return _written_fields(value)
    if isinstance(shape.form, Instant):
        return instant_text(value)
    if isinstance(shape.form, Day):
        return value.isoformat()
    if isinstance(shape.form, Figures):
        return {
            name: list(each) if isinstance(each, list) else each for name, each in value.items()
        }
    return value


def _read_object(event_class: type[_EventT], value: object, at: str) -> _EventT:
    if not isinstance(value, dict):
        _refuse_type(value, at, Phrase("an object"))
    fields = fields_of(event_class)
    _check_names(value, fields, at)
    return event_class(
        **{
            field.name: _read_field(value[field.name], field, f"{at}.{field.name}")
            for field in fields
            if field.name in value
        }
    )


def _check_names(raw: Mapping[str, object], fields: tuple[Field, ...], at: str) -> None:
    known = {field.name for field in fields}
    for name, each in raw.items():
        if name not in known:
            raise Malformed(
                field_path(at, str(name)),
                "found an unknown field; asked are only {known}",
                known=", ".join(sorted(known)),
            )
        if each is None:
            raise Malformed(
                f"{at}.{name}", "found null; a field whose value is unknown is left out"
            )
    for field in fields:
        if field.required and field.name not in raw:
            raise Malformed(f"{at}.{field.name}", "found none; this field is required")


def _read_field(value: object, field: Field, path: str) -> object:
    if field.private and isinstance(value, dict):
        if value.keys() != {COMMITMENT} or not isinstance(value[COMMITMENT], str):
            _refuse_type(value, path, Phrase("a text, or its commitment"))
        return Withheld(value[COMMITMENT])
    return _read(value, field.shape, path)


def _read(value: object, shape: Shape, path: str) -> object:
    if isinstance(shape, Items):
        if not isinstance(value, list):
            _refuse_type(value, path, Phrase("a list"))
        return tuple(_read(each, shape.of, f"{path}[{n}]") for n, each in enumerate(value))
    if isinstance(shape, Object):
        return _read_object(shape.type, value, path)
    return _read_plain(value, shape, path)


def _read_plain(value: object, shape: Plain, path: str) -> object:
    if isinstance(shape.form, Instant):
        return moment_of(value, path)
    if isinstance(shape.form, Day):
        return _day(value, path)
    return value  # the event asks its form when it is built


def moment_of(value: object, path: str) -> datetime:
    """A moment with its offset, in UTC from here on. Raises: Malformed."""
    try:
        if isinstance(value, str) and _is_moment(value):
            return datetime.fromisoformat(value).astimezone(UTC)
    except (ValueError, OverflowError):  # the 30th of February; year 1 east of Greenwich
        pass
    raise Malformed(
        path,
        "found {found}; asked is a moment YYYY-MM-DDTHH:MM:SS with at most six decimals and its"
        " offset from UTC",
        found=shown(value),
    )


def _day(value: object, path: str) -> date:
    try:
        if isinstance(value, str) and _is_day(value):
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise Malformed(path, "found {found}; asked is a day YYYY-MM-DD", found=shown(value))


def _refuse_type(value: object, path: str, asked: str) -> NoReturn:
    raise Malformed(path, "found {found}; asked is {asked}", found=shown(value), asked=asked)
