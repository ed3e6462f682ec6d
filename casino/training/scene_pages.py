"""``/sala/training/``: the scenes, and how far the one is that somebody plays."""

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
from casino.training.scene_files import scenes
from casino.training.scene_progress import PLAYED, begin, progress, said
from casino.web.forms.warnings import warned_of

BEGIN: Final = "begin"  # a field: the scene that is begun
END: Final = "end"  # a field: the scene played is left


@floor_page(FLOOR)
def training_view(request: HttpRequest) -> HttpResponse:
    """The list, and the scene; on POST a scene is begun, or left."""
    if request.method == "POST":
        return _sent(request)
    return _page(request)


def _sent(request: HttpRequest) -> HttpResponse:
    if END in request.POST:
        request.session.pop(PLAYED, None)
        return HttpResponseRedirect(reverse("training"))
    asked = request.POST.get(BEGIN, "")
    scene = scenes().get(asked)
    if scene is None:
        known = ", ".join(scenes())
        text = gettext(
            "Found “%(name)s”, which is no scene. There are: %(known)s. Tap one of them."
        )
        return _page(request, text % {"name": asked[:40], "known": known})
    if PIT not in offices_of(request):
        text = gettext("A scene is played as fiscal de banca. Log in as one, or change the person.")
        return _page(request, text)
    begin(request, scene, Who(request.user.get_username(), PIT, DOOR))
    return HttpResponseRedirect(reverse("training"))


def _page(request: HttpRequest, refused: str = "") -> HttpResponse:
    now = progress(request)
    listed = [
        (name, said(scene.title, {}), len(scene.steps)) for name, scene in scenes().items()
    ]
    context: dict[str, object] = {
        "listed": listed,
        "now_played": now,
        "errors": [("", refused)] if refused else [],
        "pin": training_pin(),
    }
    if now is not None:
        context |= {
            "title": said(now.scene.title, now.values),
            "story": said(now.scene.story, now.values),
            "law": said(now.scene.law, now.values),
            "found": warned_of(now.found(), {}),
        }
    return shown(request, "sala/training.html", context, status=403 if refused else 200)
