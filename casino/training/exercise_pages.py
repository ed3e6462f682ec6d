"""``/sala/training/``: the exercises, and how far the one is that somebody plays."""

from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext

from casino.access.offices_held import offices_of
from casino.demo.training_book import training_pin
from casino.events.event_policy import FLOOR, PIT
from casino.floor.floor_access import DOOR, floor_page
from casino.floor.floor_page import shown
from casino.simulation.procedures.procedure_acts import Who
from casino.training.exercise_files import exercises
from casino.training.exercise_progress import PLAYED, begin, progress, said
from casino.training.tables_left import close_left
from casino.web.forms.warnings import warned_of

BEGIN: Final = "begin"  # a field: the exercise that is begun
END: Final = "end"  # a field: the exercise played is left


@floor_page(FLOOR)
def training_view(request: HttpRequest) -> HttpResponse:
    """The list, and the exercise; on POST an exercise is begun, or left."""
    if request.method == "POST":
        return _sent(request)
    return _page(request)


def _sent(request: HttpRequest) -> HttpResponse:
    who = request.user.get_username()
    if END in request.POST:
        request.session.pop(PLAYED, None)
        close_left(who)
        return HttpResponseRedirect(reverse("training"))
    asked = request.POST.get(BEGIN, "")
    exercise = exercises().get(asked)
    if exercise is None:
        known = ", ".join(exercises())
        text = gettext(
            "Found “%(name)s”, which is no exercise. There are: %(known)s. Tap one of them."
        )
        return _page(request, text % {"name": asked[:40], "known": known})
    if PIT not in offices_of(request):
        text = gettext(
            "An exercise is done as fiscal de banca. Log in as one, or change the person."
        )
        return _page(request, text)
    close_left(who)
    begin(request, exercise, Who(who, PIT, DOOR))
    return HttpResponseRedirect(reverse("training"))


def _page(request: HttpRequest, refused: str = "") -> HttpResponse:
    now = progress(request)
    listed = [
        (name, said(exercise.title, {}), len(exercise.steps))
        for name, exercise in exercises().items()
    ]
    context: dict[str, object] = {
        "listed": listed,
        "now_played": now,
        "errors": [("", refused)] if refused else [],
        "pin": training_pin(),
        "may_begin": PIT in offices_of(request),
    }
    if now is not None:
        context |= {
            "title": said(now.exercise.title, now.values),
            "story": said(now.exercise.story, now.values),
            "law": said(now.exercise.law, now.values),
            "found": warned_of(now.found(), {}),
        }
    return shown(request, "sala/training.html", context, status=403 if refused else 200)
