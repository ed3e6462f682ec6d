"""The sessions of whoever asks, each to be ended; an administrator looks at anybody's."""

from django.contrib import messages
from django.contrib.admin import site
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache

from casino.access.offices_held import offices_of
from casino.events.event_policy import ADMIN
from casino.models import Account
from casino.security_log import note
from casino.web.forms.people_choices import number_of
from casino.web.login.open_sessions import end_session, sessions_of

OF = "of"  # in an address and a form: whose


@never_cache
def sessions_view(request: HttpRequest) -> HttpResponse:
    """The list; on POST one of them is ended. Raises: PermissionDenied."""
    own = request.user.get_username()
    manages = ADMIN in offices_of(request)
    sent = request.POST if request.method == "POST" else request.GET
    whose = number_of(sent.get(OF, "")[:40]) or own
    if whose != own and not manages:
        raise PermissionDenied
    if request.method == "POST":
        _end(request, own, whose)
        return redirect(f"{reverse('sessions')}?{urlencode({OF: whose})}")
    known = "\0" not in whose and Account.objects.filter(staff=whose).exists()
    context = {
        **site.each_context(request),
        "title": gettext("Sessions"),
        "whose": whose,
        "own": whose == own,
        "known": known,
        "manages": manages,
        "listed": sessions_of(whose, request.session.session_key) if known else [],
    }
    return TemplateResponse(request, "admin/casino/sessions.html", context)


def _end(request: HttpRequest, own: str, whose: str) -> None:
    if end_session(whose, request.POST.get("session", "")):
        note("session-taken-away", request, own, of=whose)
        messages.success(request, gettext("The session is ended."))
    else:
        messages.warning(request, gettext("That session had ended already."))
