"""Livro da Sala as an admin site: its rooms, its first page, its languages.

What other packages add, panels of the first page and links of the rail, stands in their
`casino.extensions.Extension`, so that the floor never imports who looks at it.
"""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, ClassVar, Final, NamedTuple

from django.conf import settings
from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import check_for_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from casino.access import access_policy
from casino.access.offices_held import offices_of
from casino.events.event_policy import DIRECTION
from casino.extensions import extensions
from casino.models import Account, Table
from casino.web.entrance import EntranceForm
from casino.web.forms.kept_form import is_kept, keep
from casino.web.login.password_page import change_password
from casino.web.login.provider_settings import provider_host

# The rail's headings in their order. A ModelAdmin says in `section` where its model belongs.
SECTIONS: Final = {
    "oversight": _("Oversight"),
    "tables": _("Tables and games"),
    "cards": _("Decks and cards"),
    "shoe": _("Shoe"),
    "shuffler": _("Shuffler"),
    "play": _("Rounds"),
    "jackpot": _("Progressive jackpot"),
    "incidents": _("Incidents"),
    "complaints": _("Complaints"),
    "notices": _("Notices and recordings"),
    "people": _("People"),
    "book": _("The book"),
    "house": _("The house"),
}


Listed = dict[str, Any]  # a section, a list or a link of the rail, as templates read it
FROM: Final = "from"  # in an address: the page of the floor one came from


class Panel(NamedTuple):
    """A piece of the first page: its template, and what it shows there as `panel`.

    `is_headed`: the page's heading stands in it.
    """

    template: str
    values: object
    is_headed: bool = False


class RailLink(NamedTuple):
    """A link above the rail's sections: a lazy text, a URL's name, an icon of icons.html.

    `shown_to` says of a request whether it is led there; without one everybody is. With a `section`
    it stands among the lists of that one, at its `place`, without its icon.
    """

    label: object
    url_name: str
    icon: str = ""
    arguments: tuple[str, ...] = ()
    shown_to: Callable[[HttpRequest], bool] | None = None
    section: str = ""
    place: int = 50


class HouseSite(AdminSite):
    """The admin of the house."""

    login_form = EntranceForm
    site_title = _("Livro da Sala")
    site_header = _("Livro da Sala")
    index_title = _("Overview")
    site_url = None
    enable_nav_sidebar = False  # ours needs no script and works with a finger
    empty_value_display = "–"

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Django's addresses, but for the one that leads to a model's own page: none has one."""
        return [url for url in super().get_urls() if getattr(url, "name", "") != "view_on_site"]

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Django's guard; what was filled in when the session had ended waits at the entrance."""
        guarded: Callable[..., HttpResponse] = super().admin_view(view, cacheable)

        @wraps(guarded)
        def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            if is_kept(request):
                return keep(request, lambda: guarded(request, *args, **kwargs))
            return guarded(request, *args, **kwargs)

        return answer

    def each_context(self, request: HttpRequest) -> dict[str, object]:
        """What every page gets: Django's, and the rail's links, above its sections and in them."""
        context = super().each_context(request)
        links = list(_rail(request))
        return {
            **context,
            "available_apps": self._with_links(request, context["available_apps"], links),
            "rail": [one for one in links if not one["section"]],
            "floor": floor_left(request),
            "may_witness": access_policy.actor(request, "witnessed/1") is not None,
        }

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Listed]:
        """The models in the house's sections, not by package; one package's list as usual."""
        if app_label is not None:
            return super().get_app_list(request, app_label)
        sections: dict[str, list[Listed]] = {name: [] for name in SECTIONS}
        for app in self._build_app_dict(request).values():
            for model in app["models"]:
                model["one"] = model["model"]._meta.verbose_name
                if section := self._section_of(model["model"]):
                    sections[section].append(model)
        return [
            {
                "name": SECTIONS[name],
                "app_label": name,
                "app_url": reverse("admin:index", current_app=self.name),
                "has_module_perms": True,
                "models": sorted(models, key=self._place_of),
            }
            for name, models in sections.items()
            if models
        ]

    def _with_links(
        self, request: HttpRequest, sections: list[Listed], links: list[Listed]
    ) -> list[Listed]:
        """The sections he sees, with the links among their lists; which of all he is at."""
        found = []
        for section in sections:
            own = [one for one in links if one["section"] == section["app_label"]]
            models = sorted([*section["models"], *own], key=self._place_of)
            for one in models:
                one["here"] = bool(one["admin_url"]) and one["admin_url"] in request.path
            here = any(one["here"] for one in models)
            found.append({**section, "models": models, "here": here})
        return found

    def _section_of(self, model: Any) -> str:
        section: str = getattr(self._registry[model], "section", "house")
        return section if not section or section in SECTIONS else "house"

    def _place_of(self, in_rail: Listed) -> tuple[int, str]:
        model = in_rail.get("model")
        own = in_rail["place"] if model is None else getattr(self._registry[model], "place", 50)
        return own, str(in_rail["name"])

    def index(self, request: HttpRequest, extra_context: Listed | None = None) -> TemplateResponse:
        """The overview: the panels other packages bring, then what can be recorded."""
        asked = (panel(request) for package in extensions() for panel in package.panels())
        panels = [panel for panel in asked if panel is not None]
        doors = [
            (section["name"], there)
            for section in self.get_app_list(request)
            if (there := [model for model in section["models"] if model["add_url"]])
        ]
        begins = bool(offices_of(request) & DIRECTION) and not Table.objects.exists()
        headed = any(panel.is_headed for panel in panels)
        own = {"panels": panels, "headed": headed, "doors": doors, "begins": begins}
        return super().index(request, {**own, **(extra_context or {})})

    def login(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Log in, and go on in the language the account was last used in."""
        links = [link for package in extensions() for link in package.public_links()]
        own = {"public_links": links, "provider_host": provider_host()}
        response = super().login(request, {**own, **(extra_context or {})})
        form = (getattr(response, "context_data", None) or {}).get("form")
        if isinstance(form, EntranceForm) and form.wait is not None:
            response.status_code = 429
            response["Retry-After"] = str(int(form.wait.total_seconds()) + 1)
        user: Account | AnonymousUser = request.user
        if request.method == "POST" and isinstance(user, Account):
            _keep_language(response, user.language)
        return response

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> TemplateResponse:
        """Change one's own password."""
        return change_password(request, {**self.each_context(request), **(extra_context or {})})


def floor_left(request: HttpRequest) -> str:
    """The page of the floor somebody came from, where the address names one: the way back to it."""
    text = request.GET.get(FROM, "")
    safe = text.startswith("/sala/") and url_has_allowed_host_and_scheme(text, allowed_hosts=None)
    return text if safe else ""


class InSection:
    """Says where the rail lists a model, '' for nowhere. Mixed into every ModelAdmin of ours."""

    section: ClassVar[str] = "house"
    place: ClassVar[int] = 50


def _rail(request: HttpRequest) -> Iterator[Listed]:
    links = [RailLink(_("Overview"), "admin:index", "panel")]
    for package in extensions():
        links += package.rail()
    for link in links:
        if link.shown_to is not None and not link.shown_to(request):
            continue
        url = reverse(link.url_name, args=link.arguments)
        here = (
            request.path == url if link.url_name == "admin:index" else request.path.startswith(url)
        )
        own = {"name": link.label, "admin_url": url, "section": link.section, "place": link.place}
        yield {**own, "icon": link.icon, "here": here}


def _keep_language(response: HttpResponseBase, language: str) -> None:
    if check_for_language(language):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Switch the language of this browser, and of the account where somebody is logged in."""
    response = set_language(request)
    chosen = request.POST.get("language", "")
    if isinstance(request.user, Account) and chosen in dict(settings.LANGUAGES):
        Account.objects.filter(pk=request.user.pk).update(language=chosen)
    return response


__all__ = ["SECTIONS", "HouseSite", "InSection", "ModelAdmin", "Panel", "RailLink"]
