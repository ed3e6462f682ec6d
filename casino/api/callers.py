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
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.views import APIView

from casino.access import access_policy
from casino.access.offices_held import offices_of
from casino.access.registered_tables import no_such_table
from casino.api.api_problems import Problem, answer_problem
from casino.api.json_bodies import StrictJson
from casino.api.machine_tokens import ByToken, Machine
from casino.api.openapi import ApiSchema
from casino.events import Malformed
from casino.events.corrections import WithdrawalAsked
from casino.events.event import Event
from casino.events.event_policy import DEVICE
from casino.events.round.field_form import shown
from casino.extensions import event_kinds
from casino.recording import Actor, Source
from casino.recording.authority import withdrawers_of, writers_of

DOOR: Final = "api"


class BySession(SessionAuthentication):
    """A person who is logged in; whatever he sends carries the token against forged forms."""

    def authenticate_header(self, request: HttpRequest) -> str:
        """What nobody is asked for: 401 and not 403."""
        return 'Bearer realm="api"'


class WithinScope(BasePermission):
    """A machine does what its token is for: it reads by ``read``, and sends by the view's own."""

    def has_permission(self, request: HttpRequest, view: "ApiView") -> bool:
        """Whether this is within it; of a person always."""
        machine = machine_of(request)
        if machine is None:
            return True
        reads = request.method in ("GET", "HEAD")
        return ("read" if reads else view.post_scope()) in machine.scopes


class ApiView(APIView):
    """A view of the API: strict JSON in, JSON out, problems for refusals, nothing else."""

    authentication_classes = (ByToken, BySession)
    permission_classes = (IsAuthenticated, WithinScope)
    parser_classes = (StrictJson,)
    renderer_classes = (JSONRenderer,)
    http_method_names: Sequence[str] = ("get", "head", "post")
    body_sha256 = ""  # of the body, once it was read

    schema = ApiSchema()

    def operation(self, method: str) -> dict[str, object]:
        """What it is sent and answers, as OpenAPI has it."""
        raise NotImplementedError

    def post_scope(self) -> str:
        """What a machine's token must hold to send something here; '' for people alone."""
        return ""

    def get_exception_handler(self) -> object:
        """Ours, for whatever is raised below."""
        return answer_problem


def machine_of(request: HttpRequest) -> Machine | None:
    """The machine that calls; None for a person."""
    machine = getattr(request, "auth", None)
    return machine if isinstance(machine, Machine) else None


def by_of(request: HttpRequest, kind: str) -> Actor:
    """As whom the caller records this kind. Raises: Problem.

    A machine is a device, whatever else its number may be: what asks for a person's office, his
    word or his signature is none of its kinds.
    """
    machine = machine_of(request)
    if machine is not None:
        if DEVICE in writers_of(kind) and DEVICE in offices_of(request):
            return Actor(machine.client.number, DEVICE, DOOR)
        raise Problem(403, "not-allowed")
    by = access_policy.actor(request, kind)
    if by is None:
        raise Problem(403, "not-allowed")
    return replace(by, door=DOOR)


def source_of(request: HttpRequest) -> Source:
    """Where what he sends comes from."""
    machine = machine_of(request)
    return Source("typed") if machine is None else Source("device", machine.client.number)


def refuse_elsewhere(request: HttpRequest, by: Actor, event: Event) -> None:
    """Raises: Problem, where he may not record this where it says it was; Malformed."""
    machine = machine_of(request)
    if isinstance(event, WithdrawalAsked) and event.act not in event_kinds():
        raise Malformed(
            "$.event.act",
            "found {found}; asked is a kind of record this book has",
            found=shown(event.act),
        )
    if isinstance(event, WithdrawalAsked) and by.office not in withdrawers_of(event.act):
        raise Problem(403, "not-allowed", gettext("Your office withdraws no record of that kind."))
    if machine is None:
        why = str(access_policy.why_not_there(request, by, event))
    elif event.table_code not in machine.client.tables:
        why = gettext("This machine is bound to other tables.")
    else:
        why = no_such_table(event)
    if why:
        raise Problem(403, "not-at-this-table", why)
