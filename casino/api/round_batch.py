"""Many rounds at once: each judged malformed or not before one is stored, then all or none.

What they open is not in the answer: a game is judged within a minute, and its findings stand in
the list of findings.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from django.http import HttpRequest
from rest_framework.response import Response

from casino.api.api_problems import Problem, error_of, malformed, refused
from casino.api.callers import ApiView, by_of, refuse_elsewhere, source_of
from casino.api.device_messages import NUMBER, SENT_AT, message_of
from casino.api.json_bodies import OF_A_BATCH, object_of
from casino.api.openapi import (
    EXAMPLE_ROUND,
    answers,
    asked,
    body_of_json,
    list_of,
    object_schema,
    ref,
)
from casino.api.records_api import receipt_as_object, round_submission
from casino.events import Malformed
from casino.events.round.round_played import RoundPlayed
from casino.recording import Receipt, Refused, Submission, record_many
from casino.recording.preparing import check_moments
from casino.security import takes_bodies

MOST_ROUNDS: Final = 1_000


class RoundBatchApi(ApiView):
    """Rounds under their own UUIDs: ``{"rounds": [ROUND, ...]}``, at most 1,000 and 4 MB."""

    http_method_names = ("post",)
    most_bytes = OF_A_BATCH

    def post_scope(self) -> str:
        """That of rounds."""
        return "rounds"

    def operation(self, method: str) -> dict[str, object]:
        """A list of rounds."""
        rounds = list_of(ref("Round"), minItems=1, maxItems=MOST_ROUNDS)
        receipts = object_schema(("receipts",), receipts=list_of(ref("Receipt")))
        return {
            "parameters": asked(NUMBER, SENT_AT),
            "requestBody": body_of_json(
                object_schema(("rounds",), rounds=rounds), {"rounds": [EXAMPLE_ROUND]}
            ),
            "responses": answers(201, receipts),
        }

    def post(self, request: HttpRequest) -> Response:
        """Record them all: the receipts in the order sent."""
        submissions = self._submissions(request)
        with message_of(request, self.body_sha256):
            receipts = record_many_of(submissions)
        fresh = any(not one.repeated for one in receipts)
        answer = {"receipts": [receipt_as_object(one) for one in receipts]}
        return Response(answer, 201 if fresh else 200)

    def _submissions(self, request: HttpRequest) -> list[Submission]:
        by, source = by_of(request, RoundPlayed.kind), source_of(request)
        rounds = object_of(request.data, "$", {"rounds"}, set())["rounds"]  # type: ignore[attr-defined]
        if not isinstance(rounds, list) or not 1 <= len(rounds) <= MOST_ROUNDS:
            raise Malformed("$.rounds", "asked is a list of 1 to {most} rounds", most=MOST_ROUNDS)
        submissions: list[Submission] = []
        errors: list[Mapping[str, object]] = []
        for place, one in enumerate(rounds):
            try:
                submissions.append(round_submission(one, by, source, f"$.rounds[{place}]"))
            except Problem as problem:
                errors += problem.errors
        if errors:
            raise malformed(*errors)
        asked = set()
        for one in submissions:
            where = (one.event.table, one.event.partida)
            if where not in asked:
                refuse_elsewhere(request, by, one.event)
            asked.add(where)
        return submissions


def record_many_of(submissions: Sequence[Submission]) -> list[Receipt]:
    """Record them in one transaction. Raises: Problem, which names each that stands in the way."""
    try:
        return record_many(submissions)
    except Refused as error:
        raise refused(error, f"$.rounds[{error.place}]") from error
    except Malformed as error:
        errors = [error_of(error)]
        for place, one in enumerate(submissions):
            try:
                check_moments(one.event, one.occurred_at, ahead=one.source.kind == "device")
            except Malformed as of_one:
                errors.append(error_of(of_one, f"$.rounds[{place}]"))
        raise malformed(*(errors[1:] or errors)) from error


batch = takes_bodies(OF_A_BATCH)(RoundBatchApi.as_view())
