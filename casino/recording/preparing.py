"""From an event to what the book stores: public payload, private values, gaming day."""

import hmac
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any, Final
from uuid import UUID

from django.conf import settings

from casino import clock
from casino.events import Malformed
from casino.events.event import Event
from casino.events.shape import Part, Withheld
from casino.house_day import house_day_at
from casino.ids import uuid7
from casino.reading.payload import payload_of
from casino.recording.submission import Submission
from casino.tlog.canonical import canonical, instant_text

AHEAD: Final = timedelta(seconds=60)  # how far a person's clock may run before the server's
SALT: Final = 32  # bytes
# The gaming days there is room for: the database keeps to them too.
FIRST_DAY: Final = date(1990, 1, 1)
LAST_DAY: Final = date(2199, 12, 31)


@dataclass(frozen=True, slots=True)
class Private:
    """A value that stays out of the book: the book holds its commitment only."""

    field: str
    salt: bytes
    value: object


@dataclass(frozen=True, slots=True)
class Prepared:
    """A submission with everything the door into the book asks for.

    `payload_text` is the canonical JSON of `payload`.
    """

    submission: Submission
    place: int
    entry_id: UUID
    stream: str
    kind: str
    gaming_day: date
    table_code: str
    partida_id: str
    payload: Mapping[str, object]
    payload_text: str
    private: tuple[Private, ...]


def prepare(submission: Submission, place: int) -> Prepared:
    """Make a submission ready. Raises: Malformed, when its time and its event contradict each
    other, when its time lies ahead of the server's by more than a minute.
    """
    event = submission.event
    check_moments(event, submission.occurred_at, ahead=submission.source.kind == "device")
    raw = payload_of(event)
    private = tuple(
        Private(name, os.urandom(SALT), raw[name]) for name in sorted(event.private) if name in raw
    )
    for value in private:
        if isinstance(getattr(event, value.field), Withheld):  # nobody could ever open it
            raise Malformed(
                f"$.{value.field}", "found {found}; asked is a text", found="hmac_sha256"
            )
    public = dict(raw)
    for value in private:
        public[value.field] = committed(value.salt, value.value)
    if submission.supersedes is not None:
        public["correction_reason"] = submission.supersedes.reason
    if submission.attachments:
        public["attachments"] = list(submission.attachments)
    return Prepared(
        submission,
        place,
        uuid7(),
        event.stream,
        event.kind,
        _gaming_day(submission),
        getattr(event, "table_code", None) or getattr(event, "table", None) or "",
        getattr(event, "partida_id", None) or getattr(event, "partida", None) or "",
        public,
        canonical(public).decode(),
        private,
    )


def check_moments(event: Event, occurred_at: datetime, *, ahead: bool = False) -> None:
    """When it happened, and every moment the event tells: all of days there is room for.

    Whoever judges an event reckons with its moments, so they are held to the same bounds; with
    `ahead` it may be still to come. Raises: Malformed.
    """
    if occurred_at > clock.now() + AHEAD and not ahead:
        raise Malformed(
            "$.occurred_at",
            "found {found}, which is still to come; asked is when it happened."
            " Check the date and the time zone",
            found=instant_text(occurred_at),
        )
    _check_day(occurred_at.date(), "$.occurred_at")
    for path, moment in _moments_in(event, "$"):
        _check_day(moment.date(), path)


def _moments_in(part: Any, path: str) -> Iterator[tuple[str, datetime]]:
    for name in _names(part.__class__):
        value = getattr(part, name)
        if value is None or isinstance(value, (str, int)):
            continue
        if isinstance(value, datetime):
            yield f"{path}.{name}", value
        elif is_dataclass(value):
            yield from _moments_in(value, f"{path}.{name}")
        elif isinstance(value, tuple) and value and isinstance(value[0], Part):
            for index, each in enumerate(value):
                yield from _moments_in(each, f"{path}.{name}[{index}]")


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _gaming_day(submission: Submission) -> date:
    """The partida's day where the event belongs to one, else the day on which it happened."""
    at_house = house_day_at(submission.occurred_at)
    day: date | None = getattr(submission.event, "gaming_day", None)
    if day is None:
        return at_house
    _check_day(day, "$.partida")
    if submission.event.kind == "partida-opened/1" and day != at_house:
        raise Malformed(
            "$.partida",
            "found the day {found}, but the game opened on the gaming day {asked}"
            " (the house's day begins at {starts})",
            found=day.isoformat(),
            asked=at_house.isoformat(),
            starts=settings.HOUSE_DAY_STARTS,
        )
    return day


def _check_day(day: date, path: str) -> None:
    if not FIRST_DAY <= day <= LAST_DAY:
        raise Malformed(
            path,
            "found {found}; the book keeps the days from {first} to {last}",
            found=day.isoformat(),
            first=FIRST_DAY.isoformat(),
            last=LAST_DAY.isoformat(),
        )


def committed(salt: bytes, value: object) -> dict[str, str]:
    """What the book holds of a private value: HMAC-SHA256(salt, canonical JSON of the value)."""
    return {"hmac_sha256": hmac.digest(salt, canonical(value), "sha256").hex()}


def who(submission: Submission) -> dict[str, str]:
    """The actor as the envelope tells it."""
    by = submission.by
    return {"door": by.door, "office": by.office, "staff": by.staff}


def same_record(prepared: Prepared, entry: bytes, salts: Mapping[str, tuple[bytes, bool]]) -> bool:
    """Whether an entry of the book tells exactly what this submission tells.

    `salts` are the stored salts by field, each with whether its value was erased: an erased value
    counts as equal.
    """
    body = json.loads(entry)
    public = dict(prepared.payload)
    for private in prepared.private:
        stored = body["payload"].get(private.field)
        if stored is None:  # told now and not then
            return False
        salt, erased = salts.get(private.field, (b"", True))
        public[private.field] = stored if erased else committed(salt, private.value)
    corrected = body["supersedes"]
    supersedes = prepared.submission.supersedes
    return bool(
        body["kind"] == prepared.kind
        and body["occurred"] == instant_text(prepared.submission.occurred_at)
        and body["who"] == who(prepared.submission)
        and body["payload"] == json.loads(canonical(public))
        and (corrected and corrected["n"]) == (supersedes and supersedes.n)
    )
