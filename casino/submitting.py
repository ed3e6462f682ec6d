"""One way into the book for what was filled in: judged beforehand, recorded together, once.

The admin's forms and the floor's screens use it, and so does any door to come: it knows no page and
no request. What would open a finding is recorded once a coded reason is given for each check that
warns; nothing unlawful is refused here.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from django.db import transaction

from casino import holding
from casino.events.event import OverriddenWarning
from casino.law.finding import Finding
from casino.models import BookEntry
from casino.previewing import Draft, preview
from casino.recording import Busy, Receipt, Submission, record_many
from casino.recording.writing import lock_streams, receipt_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SentForm:
    """What one form sent: all of it is recorded, or nothing.

    `reasons` are the coded ones given, by check; '' for a warning that was seen, where no event of
    the form could keep a reason. `seen` is how far the sender knew each stream
    (its name, the number of its last entry); `shown_held` the keys of records he saw while they
    were held. `completed` says of an event what only the moment of recording tells. With
    `may_wait` it is held for some seconds where that can be (`casino.holding`).
    """

    key: UUID
    staff: str
    submissions: Sequence[Submission]
    reasons: Mapping[str, str]
    seen: Mapping[str, int] = field(default_factory=dict)
    shown_held: Collection[UUID] = ()
    completed: Callable[[object], object] = lambda event: event
    may_wait: bool = False

    @property
    def events(self) -> list[Any]:
        """The events, in the order in which they are recorded."""
        return [one.event for one in self.submissions]


class Overtaken(Exception):
    """Somebody else recorded the same since the sender looked: these entries."""

    def __init__(self, entries: Sequence[BookEntry]) -> None:
        super().__init__()
        self.entries = entries


def judged(sent_form: SentForm) -> list[list[Finding]]:
    """What recording it would open: a list for each submission, the gravest first.

    What is held and has to be in the book before is written first. Raises: Busy.
    """
    holding.settle_for(sent_form.events, sent_form.staff)
    return preview(
        [
            Draft(
                one.event,
                one.occurred_at,
                one.by,
                one.supersedes.leaf if one.supersedes is not None else None,
            )
            for one in sent_form.submissions
        ]
    )


def is_unexplained(sent_form: SentForm, found: Sequence[Sequence[Finding]]) -> bool:
    """Whether a reason is still wanted for one of these findings."""
    return any(one.check not in sent_form.reasons for of in found for one in of)


def keeps_reasons(event: object) -> bool:
    """Whether an event can say why it was recorded over a warning; a round's own record cannot."""
    return hasattr(event, "despite")


def recorded_before(sent_form: SentForm) -> list[Receipt]:
    """The receipts of what this form recorded already."""
    keys = [one.key for one in sent_form.submissions]
    entries = BookEntry.objects.filter(key__in=keys).select_related("stream")
    return [receipt_of(entry) for entry in sorted(entries, key=lambda one: keys.index(one.key))]


def overtaken_by(sent_form: SentForm) -> list[BookEntry]:
    """What of the same kinds was recorded at the same tables since the sender looked."""
    found: list[BookEntry] = []
    for stream, n in sent_form.seen.items():
        events = [event for event in sent_form.events if event.stream == stream]
        rows = BookEntry.objects.filter(
            stream__name=stream,
            n__gt=n,
            kind__in={event.kind for event in events},
            table_code__in={event.table_code or "" for event in events},
        ).exclude(key__in=sent_form.shown_held)
        found += rows.order_by("n") if events else []
    return found


def record_form(sent_form: SentForm, found: Sequence[Sequence[Finding]]) -> list[Receipt]:
    """Record it over what was found; no receipt for what is held first.

    Raises: Overtaken; Busy, where somebody is about to record at these tables; Malformed and
    Refused, as the writer does.
    """
    with transaction.atomic():
        lock_streams(sent_form.submissions)
        before = recorded_before(sent_form)  # sent twice at once, and we have waited for the other
        if before or holding.is_held(sent_form.key):
            return before
        since = overtaken_by(sent_form)
        if since:
            raise Overtaken(since)
        if holding.is_waiting({event.table_code or "" for event in sent_form.events} - {""}):
            raise Busy  # it came since ours did, and is to be written before it
        submissions = [
            replace(one, event=_overriding(sent_form.completed(one.event), of, sent_form.reasons))
            for one, of in zip(sent_form.submissions, found, strict=True)
        ]
        if sent_form.may_wait and holding.may_be_held(sent_form.events):
            holding.hold(sent_form.key, sent_form.staff, submissions)
            return []
        return record_many(submissions)


def _overriding(event: Any, findings: Sequence[Finding], reasons: Mapping[str, str]) -> object:
    """The event with the warnings it is recorded over, where its kind can name them.

    One that names them already keeps what it says; so does one no reason was given for.
    """
    checks = sorted({one.check for one in findings} & reasons.keys())
    if not checks or getattr(event, "despite", None) != ():
        return event
    given = tuple(OverriddenWarning(check=check, reason=reasons[check]) for check in checks)
    return replace(event, despite=given)
