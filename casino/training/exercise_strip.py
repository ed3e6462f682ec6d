"""The exercise somebody does, below the band of every page of the floor: the next step beside the
real screens.
"""

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse

from casino.floor.persons.quick_change import on_the_floor
from casino.training.exercise_progress import PLAYED, progress, said


def strip(request: HttpRequest) -> str:
    """HTML; the way to the exercises for whoever is on the floor and does none. '' elsewhere, on
    the page that shows them, and on the board, which is for a wall.
    """
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return ""
    if not on_the_floor(request) or request.path in (reverse("training"), reverse("sala:board")):
        return ""
    now = progress(request) if PLAYED in request.session else None
    context: dict[str, object] = {"now": now}
    if now is not None:
        context |= {
            "title": said(now.exercise.title, now.values),
            "story": said(now.exercise.story, now.values),
        }
    return render_to_string("sala/training_strip.html", context)
