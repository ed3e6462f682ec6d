"""The manual on the floor: which there are, one of them to be read, the same as a PDF."""

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.translation import gettext_lazy as _

from audit.manual.manual_pdf import pdf_of
from audit.manual.manual_texts import BY_NAME, MANUALS, Manual, blocks_of, chapter_about
from casino.access.offices_held import offices_of
from casino.admin.site import RailLink
from casino.floor.cited_articles import READERS
from casino.floor.floor_access import floor_page
from casino.floor.floor_page import shown
from casino.web.words.languages import language

LINK: Final = RailLink(_("Manual"), "manual", "law")


def _of(name: str) -> Manual:
    """Raises: Http404, where there is none."""
    try:
        return BY_NAME[name]
    except KeyError as unknown:
        raise Http404 from unknown


@floor_page(READERS, reads_only=True)
def manuals_view(request: HttpRequest) -> HttpResponse:
    """Those of whoever reads, and the others; a guide in his language. With `?screen=` it leads to
    the chapter about that screen of the floor.
    """
    held, own = offices_of(request), "pt" if language() == "pt" else "en"
    about = chapter_about(request.GET.get("screen", ""), frozenset(held))
    if about is not None:
        name, anchor = about
        return HttpResponseRedirect(f"{reverse('manual-one', args=[name])}#{anchor}")
    listed = [one for one in MANUALS if not one.is_guide or one.language == own]
    context = {
        "for_him": [one for one in listed if held & set(one.offices)],
        "others": [one for one in listed if not held & set(one.offices)],
        "only_in_portuguese": own != "pt",
    }
    return shown(request, "audit/manuals.html", context)


@floor_page(READERS, reads_only=True)
def manual_view(request: HttpRequest, name: str) -> HttpResponse:
    """One, from its contents to its end."""
    manual = _of(name)
    blocks = blocks_of(name)
    context = {
        "manual": manual,
        "blocks": blocks,
        "contents": [one for one in blocks if one.get("level") == 2],
        "only_in_portuguese": language() != "pt" and manual.language == "pt",
    }
    return shown(request, "audit/manual.html", context)


@floor_page(READERS, reads_only=True)
def manual_file(request: HttpRequest, name: str) -> HttpResponse:
    """The same pages on paper."""
    answer = HttpResponse(pdf_of(_of(name).name), content_type="application/pdf")
    answer["Content-Disposition"] = f'attachment; filename="{name}.pdf"'
    return answer


urlpatterns = [
    path("sala/manual/", manuals_view, name="manual"),
    path("sala/manual/<slug:name>/", manual_view, name="manual-one"),
    path("sala/manual/<slug:name>.pdf", manual_file, name="manual-file"),
]
