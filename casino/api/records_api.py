"""Records of one kind: the list, one of them, a new one, and what a new one would open.

A body is ``{"occurred_at": MOMENT, "event": {...}, "supersedes": {"n", "leaf", "reason"}}``; a
round is its own record and its own key. Files come with their record in one body of parts
(`attached`). Every other write names its key in the header
``Idempotency-Key``, a UUID: it is the key under which the book keeps the entry for ever, so what is
sent again is answered out of the book.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from inspect import getdoc
from typing import Final, NamedTuple
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.response import Response

from casino.api.api_lists import CURSOR, entry_as_object, page_of
from casino.api.api_problems import Problem, error_of, malformed, refused
from casino.api.api_resources import Resource
from casino.api.attached import (
    IN_PARTS,
    is_in_parts,
    may_bring_files,
    parts_body,
    record_with_files,
)
from casino.api.callers import ApiView, by_of, refuse_elsewhere, source_of
from casino.api.device_messages import NUMBER, SENT_AT, message_of
from casino.api.json_bodies import StrictJson, object_of
from casino.api.openapi import (
    EXAMPLE_DAY,
    EXAMPLE_ROUND,
    MOMENT,
    answers,
    asked,
    body_of_json,
    example_of,
    list_of,
    object_schema,
    ref,
)
from casino.events import Malformed
from casino.events.round.field_form import check_uuid, shown
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardOut
from casino.events.stake_signals import StakeSignal
from casino.importing.intake import happened_at
from casino.law.finding import Finding
from casino.law.rulebook.law_text import LawError
from casino.previewing import Draft, of_round, preview
from casino.queries import game_of
from casino.reading.payload import event_of, moment_of
from casino.reading.round_reader import round_of
from casino.recording import (
    Actor,
    Busy,
    File,
    Receipt,
    Refused,
    Source,
    Submission,
    Supersedes,
    record_many,
)
from casino.recording.preparing import check_moments
from casino.submitting import SentForm, judged, record_form, recorded_before
from casino.web.forms.finding_words import words
from casino.web.forms.warnings import cited

KEY: Final = "Idempotency-Key"
_BODY: Final = ("occurred_at", "event")
_ENVELOPE: Final = ("$.occurred_at", "$.supersedes", "$.key", "$.who", "$.attachments")


class Recorded(NamedTuple):
    """What became of one submission: its receipt, and what it opens as the book stands."""

    receipt: Receipt
    findings: Sequence[Finding]


class RecordsApi(ApiView):
    """The records of one kind."""

    resource: Resource | None = None

    def post_scope(self) -> str:
        """Of rounds their own."""
        return scope_of(self.resource)

    def get(self, request: HttpRequest) -> Response:
        """A page of them, in the order of the tree."""
        return Response(page_of(request, _asked(self.resource)))

    def operation(self, method: str) -> dict[str, object]:
        """The list by its filters; a record."""
        resource = _asked(self.resource)
        if method == "POST":
            return described(resource) | {"responses": answers(201, ref("Recorded"))}
        assert resource.listed is not None
        filters = [one for of in resource.listed.list_filter for one in of.parameters]
        return {
            "parameters": asked(CURSOR, "limit", "q", *filters),
            "responses": answers(200, ref("Page")),
        }

    def post(self, request: HttpRequest) -> Response:
        """Record one."""
        resource = _asked(self.resource)
        submission = _submission(request, resource)
        with message_of(request, self.body_sha256, str(submission.key)):
            done = record_one(submission)
        answer = receipt_as_object(done.receipt) | {
            "findings": [finding_as_object(one) for one in done.findings]
        }
        if resource.event.policy.witnessed_under:
            answer["witness_asked_by"] = resource.event.policy.witnessed_under
        headers = {}
        if resource.listed is not None:
            entry = done.receipt.entry_id
            headers["Location"] = reverse(f"api:{resource.noun}-one", args=[entry])
        return Response(answer, 200 if done.receipt.repeated else 201, headers=headers)


class PreviewApi(ApiView):
    """What recording one would open, without recording it."""

    resource: Resource | None = None
    http_method_names = ("post",)

    def post_scope(self) -> str:
        """As to record it."""
        return scope_of(self.resource)

    def operation(self, method: str) -> dict[str, object]:
        """As to record it."""
        found = object_schema(("findings",), findings=list_of(ref("Finding")))
        said = described(_asked(self.resource), numbered=False)
        return said | {"responses": answers(200, found)}

    def post(self, request: HttpRequest) -> Response:
        """The findings."""
        submission = _submission(request, _asked(self.resource), key=UUID(int=0))
        try:
            ahead = submission.source.kind == "device"
            check_moments(submission.event, submission.occurred_at, ahead=ahead)
        except Malformed as error:
            raise _placed(error, submission) from error
        found = judged(_form(submission))[0]
        return Response({"findings": [finding_as_object(one) for one in found]})


class RecordApi(ApiView):
    """One record, as the book keeps it; private values as the commitments the book holds."""

    resource: Resource | None = None
    http_method_names = ("get", "head")

    def operation(self, method: str) -> dict[str, object]:
        """One entry."""
        return {"parameters": asked("entry_id"), "responses": answers(200, ref("Entry"))}

    def get(self, request: HttpRequest, entry_id: UUID) -> Response:
        """The record."""
        resource = _asked(self.resource)
        if resource.listed is None:
            raise Problem(404, "not-found")
        entry = resource.listed.entry_for(request, entry_id)
        if entry.kind != resource.kind:
            raise Problem(404, "not-found")
        return Response(entry_as_object(entry))


def described(resource: Resource, *, numbered: bool = True) -> dict[str, object]:
    """What a record of this kind is sent as."""
    headers = asked(*([] if resource.is_round else [KEY]), NUMBER, SENT_AT)
    if resource.is_round:
        body = body_of_json(ref("Round"), EXAMPLE_ROUND)
    else:
        event = ref(resource.event.__name__)
        example = {"occurred_at": f"{EXAMPLE_DAY}T21:15:00Z", "event": example_of(resource.event)}
        whole = object_schema(_BODY, occurred_at=MOMENT, event=event, supersedes=ref("Supersedes"))
        body = body_of_json(whole, example)
        if numbered and may_bring_files(resource):
            body["content"] |= {IN_PARTS: parts_body(whole)}  # type: ignore[operator]
    return {
        "description": getdoc(resource.event) or "",
        "parameters": headers if numbered else [],
        "requestBody": body,
    }


def parsers_of(resource: Resource) -> tuple[type[BaseParser], ...]:
    """What a record of this kind may be sent as."""
    return (StrictJson, MultiPartParser) if may_bring_files(resource) else (StrictJson,)


def scope_of(resource: Resource | None) -> str:
    """What a machine's token must hold to record this."""
    return "rounds" if resource is not None and resource.is_round else "records"


def _asked(resource: Resource | None) -> Resource:
    assert resource is not None  # every route says of which
    return resource


def _submission(request: HttpRequest, resource: Resource, key: UUID | None = None) -> Submission:
    """What was sent, ready to be recorded. Raises: Problem."""
    by, source = by_of(request, resource.kind), source_of(request)
    files: tuple[File, ...] = ()
    if is_in_parts(request):
        body, files = record_with_files(request)
    else:
        body = request.data  # type: ignore[attr-defined]  # DRF's request
    if resource.is_round:
        submission = round_submission(body, by, source)
        named = request.headers.get(KEY)
        if named is not None and named != str(submission.key):
            raise malformed(_key_error(named, gettext("a round's key is its own UUID")))
    else:
        submission = _read(body, resource, by, source, key or key_of(request))
        submission = replace(submission, files=files)
    refuse_elsewhere(request, by, submission.event)
    return submission


def key_of(request: HttpRequest) -> UUID:
    """The key of what is sent. Raises: Problem."""
    named = request.headers.get(KEY)
    try:
        check_uuid(named, "$", KEY)
    except Malformed as error:
        raise malformed(_key_error(named, error_of(error)["expected"])) from error
    return UUID(named)


def _key_error(found: str | None, expected: object) -> dict[str, object]:
    found = gettext("none") if found is None else shown(found)
    detail = gettext("Header %(header)s: found %(found)s; asked: %(asked)s")
    values = {"header": KEY, "found": found, "asked": expected}
    return {
        "pointer": f"header:{KEY}",
        "code": "key",
        "found": found,
        "expected": expected,
        "detail": detail % values,
    }


def _read(body: object, resource: Resource, by: Actor, source: Source, key: UUID) -> Submission:
    sent = object_of(body, "$", {*_BODY}, {"supersedes"})
    try:
        event = event_of(resource.event, sent["event"])
    except Malformed as error:
        raise malformed(error_of(error, "$.event")) from error
    supersedes = None
    if "supersedes" in sent:
        given = object_of(sent["supersedes"], "$.supersedes", {"n", "leaf", "reason"}, set())
        supersedes = Supersedes(**given)  # type: ignore[arg-type]  # it asks itself what they are
    occurred_at = moment_of(sent["occurred_at"], "$.occurred_at")
    return Submission(event, key, by, occurred_at, source, supersedes)


def round_submission(body: object, by: Actor, source: Source, at: str = "$") -> Submission:
    """A round, under its own UUID. `at` is where it stands in the body. Raises: Problem."""
    try:
        played = round_of(body)
        return Submission(played, UUID(played.round), by, happened_at(played), source)
    except Malformed as error:
        raise malformed(error_of(error, at)) from error


def _form(submission: Submission) -> SentForm:
    return SentForm(
        key=submission.key, staff=submission.by.staff, submissions=[submission], reasons={}
    )


def record_one(submission: Submission) -> Recorded:
    """Record it; what was recorded before is answered out of the book. Raises: Problem.

    A machine's round is judged by itself here, a card that left a shoe and a stake that was seen
    not at all: the whole game, with every round and report before it, is within a minute.
    """
    sent = _form(submission)
    played = submission.event
    try:
        if isinstance(played, RoundPlayed) and submission.source.kind == "device":
            receipt = record_many([submission])[0]
            with contextlib.suppress(LawError):
                found_alone = of_round(played, submission.occurred_at, game_of(played.partida))
                return Recorded(receipt, found_alone)
            return Recorded(receipt, ())
        if isinstance(played, CardOut | StakeSignal):
            return Recorded(record_many([submission])[0], ())
        if not recorded_before(sent):
            found = judged(sent)
            receipts = record_form(sent, found)
            if not receipts:  # the key is of what a tablet sent and can still take back
                raise Busy
            if not receipts[0].repeated:
                return Recorded(receipts[0], found[0])
        receipt = record_many([submission])[0]  # the same, or its key is another's
    except Malformed as error:
        raise _placed(error, submission) from error
    except Refused as error:
        raise refused(error) from error
    draft = Draft(submission.event, submission.occurred_at, submission.by, receipt.leaf)
    return Recorded(receipt, preview([draft])[0])


def _placed(error: Malformed, submission: Submission) -> Problem:
    """What the writer found malformed, where it stands in the body."""
    in_event = submission.event.kind != "round-played/1" and not error.path.startswith(_ENVELOPE)
    return malformed(error_of(error, "$.event" if in_event else "$"))


def receipt_as_object(receipt: Receipt) -> dict[str, object]:
    """The book's receipt; `repeated` where it was recorded before."""
    return {
        "entry": str(receipt.entry_id),
        "stream": receipt.stream,
        "n": receipt.n,
        "leaf": receipt.leaf,
        "recorded_at": receipt.recorded_at.isoformat(),
        "repeated": receipt.repeated,
    }


def finding_as_object(finding: Finding) -> dict[str, object]:
    """A finding that would open, in the caller's language beside its figures."""
    say = words()
    return {
        "check": finding.check,
        "severity": finding.severity,
        "rulebook": finding.rulebook,
        "article": finding.article,
        "cited": cited(finding.rulebook, finding.article),
        "statement": say.statement(finding.check),
        "heading": say.heading(
            finding.check, finding.where, finding.observed, finding.expected, finding.gaming_day
        ),
        "where": finding.where,
        "observed": finding.observed,
        "expected": finding.expected,
        "owed_cents": finding.owed_cents,
    }
