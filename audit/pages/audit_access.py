"""Who may open the auditor's pages, and what of them: the rows "Reconciliation results" and
"Checkpoint / verify" of the matrix of permissions.
"""

from typing import Final

from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.decorators import user_passes_test
from django.http import HttpRequest

from audit import audit_queries
from audit.draw_events import DrawCommitted, DrawMade
from audit.events import BookVerified, ExportMade
from casino.access import access_policy
from casino.access.access_policy import own_partidas
from casino.access.offices_held import offices_of
from casino.events.event_policy import FLOOR, MANAGER, OVERSEERS, PIT, SUPERVISION
from casino.recording import Actor

_REPLAY: Final = OVERSEERS | {MANAGER}


def reads_findings(request: HttpRequest) -> bool:
    """Whether he may read findings at all."""
    return bool(offices_of(request) & (SUPERVISION | frozenset({PIT})))


def reads_all(request: HttpRequest) -> bool:
    """Whether he may read everybody's."""
    return bool(offices_of(request) & SUPERVISION)


def sees_floor(request: HttpRequest) -> bool:
    """Whether the floor's own pages are open to him."""
    return bool(offices_of(request) & (FLOOR | OVERSEERS))


def exports(request: HttpRequest) -> bool:
    """Whether he may take them out."""
    return access_policy.takes_lists(request)


def replays(request: HttpRequest) -> bool:
    """Whether he may have a jackpot played again from its first entry."""
    return bool(offices_of(request) & _REPLAY)


def asks_runs(request: HttpRequest) -> bool:
    """Whether he may have days judged again, or as another reading has it.

    Who looks at the floor from outside: a new run can close findings against it, and whom they are
    held against asks for none.
    """
    return bool(offices_of(request) & OVERSEERS)


def readable(request: HttpRequest, findings: audit_queries.Findings) -> audit_queries.Findings:
    """Of these findings, those he may read: all, or those of the partidas he answered for."""
    if reads_all(request):
        return findings
    if not reads_findings(request):
        return findings.none()
    return findings.filter(partida_id__in=own_partidas(request))


# For pages everybody in the house may read, the law first of all.
for_everybody = user_passes_test(
    lambda user: user.is_active, login_url="admin:login", redirect_field_name=REDIRECT_FIELD_NAME
)


# -- The book: the row "Checkpoint / verify" -------------------------------------------------------


def reads_book(request: HttpRequest) -> bool:
    """Whether he may see how the book stands, and what a verification came to."""
    return access_policy.reads(request, BookVerified.kind) == "all"


def verifies(request: HttpRequest) -> bool:
    """Whether he may have the book verified."""
    return bool(offices_of(request) & OVERSEERS)


def hands_out(request: HttpRequest) -> Actor | None:
    """As whom he would take a proof out of the house; None where he may not."""
    return access_policy.actor(request, ExportMade.kind)


# -- Draws ----------------------------------------------------------------------------------------


def reads_draws(request: HttpRequest) -> bool:
    """Whether he may see what was drawn."""
    return access_policy.reads(request, DrawMade.kind) == "all"


def draws(request: HttpRequest) -> Actor | None:
    """As whom he would draw; None where he may not."""
    return access_policy.actor(request, DrawCommitted.kind)
