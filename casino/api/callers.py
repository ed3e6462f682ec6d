"""Who calls: a person by session, a machine by its token; and as whom either records.

Rights are those of `casino.access`, asked with the request. A machine records as a device and as
nothing else, at the tables it is bound to, whatever other office its number holds.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from django.http import HttpRequest
from django.utils.translation import gettext
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.views import APIView

from casino.access import access_policy
from casino.api.json_bodies import StrictJson
from casino.api.api_problems import Problem, answer_problem
from casino.events.corrections import WithdrawalAsked
from casino.events.event import Event
from casino.recording import Actor, Source
from casino.recording.authority import withdrawers_of

DOOR: Final = "api"


class BySession(SessionAuthentication):
    """A person who is logged in; whatever he sends carries the token against forged forms."""

    def authenticate_header(self, request: HttpRequest) -> str:
        """What nobody is asked for: 401 and not 403."""
        return 'Bearer realm="api"'


class ApiView(APIView):
    """A view of the API: strict JSON in, JSON out, problems for refusals, nothing else."""

    authentication_classes = (BySession,)
    permission_classes = (IsAuthenticated,)
    parser_classes = (StrictJson,)
    renderer_classes = (JSONRenderer,)
    http_method_names: Sequence[str] = ("get", "head", "post")

    def get_exception_handler(self) -> object:
        """Ours, for whatever is raised below."""
        return answer_problem


def by_of(request: HttpRequest, kind: str) -> Actor:
    """As whom the caller records this kind. Raises: Problem."""
    by = access_policy.actor(request, kind)
    if by is None:
        raise Problem(403, "not-allowed")
    return replace(by, door=DOOR)


def source_of(_request: HttpRequest) -> Source:
    """Where what he sends comes from."""
    return Source("typed")


def refuse_elsewhere(request: HttpRequest, by: Actor, event: Event) -> None:
    """Raises: Problem, where he may not record this where it says it was."""
    if isinstance(event, WithdrawalAsked) and by.office not in withdrawers_of(event.act):
        raise Problem(403, "not-allowed", gettext("Your office withdraws no record of that kind."))
    why = access_policy.why_not_there(request, by, event)
    if why:
        raise Problem(403, "not-at-this-table", str(why))
