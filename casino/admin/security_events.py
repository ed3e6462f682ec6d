"""The security log on a page: each his own events; auditor and administrator all, and what stands
out.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import ClassVar, Final, NamedTuple

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Max, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from casino import clock
from casino.access import access_policy
from casino.access.offices_held import offices_of
from casino.admin.list_rows import source_of
from casino.admin.paging import KeysetAdmin, KeysetChangeList
from casino.admin.site import RailLink
from casino.events.event_policy import ADMIN, AUDITOR
from casino.models import SecurityEvent
from casino.tlog.canonical import instant_text
from casino.web.display.csv_answer import Cell
from casino.web.display.list_filters import ChoiceFilter, DayFilter, FormFilter, StaffFilter
from casino.web.display.money_and_time import moment
from casino.web.list_files.list_answer import NO_FILTER, list_answer, refused_list
from casino.web.list_files.list_source import Column, Kind
from casino.web.words.coded_words import NAMED_WORDS

_ALL: Final = frozenset({AUDITOR, ADMIN})
LIST: Final = "security-log"
NAMED_WORDS[("of_list", LIST)] = _("security log")
WORDS: Final[dict[str, Promise]] = {
    "account-closed": _("account closed"),
    "account-opened": _("account opened"),
    "login": _("logged in"),
    "login-failed": _("wrong password"),
    "login-refused": _("log-in refused: too many wrong passwords"),
    "login-renewal-failed": _("wrong code for a new log-in"),
    "login-renewal-refused": _("new log-in refused: too many wrong codes"),
    "login-renewal-approved": _("new log-in approved for another"),
    "login-renewed": _("log-in made anew"),
    "logout": _("logged out"),
    "password-changed": _("password changed"),
    "password-change-refused": _("change of password refused"),
    "second-factor": _("second factor given"),
    "second-factor-failed": _("wrong second factor"),
    "second-factor-refused": _("second factor refused: too many wrong"),
    "second-factor-set-up": _("second factor set up"),
    "recovery-codes-renewed": _("recovery codes renewed"),
    "session-ended": _("session ended"),
    "session-taken-away": _("session ended by another"),
    "refused": _("page refused"),
    "refused-too-large": _("refused: too large"),
    "refused-too-often": _("refused: too often"),
    "file-taken": _("file taken"),
    "metrics-refused": _("figures refused"),
    "mirrored": _("book mirrored"),
    "mirror-refused": _("mirror refused"),
    "token-refused": _("machine's token refused"),
    "machine-made": _("machine entered"),
    "machine-revoked": _("machine revoked"),
    "machine-secret-renewed": _("machine's secret renewed"),
    "machine-tables-changed": _("machine's tables changed"),
    "mail-address-set": _("mail address set"),
    "wall-screen-put-up": _("screen put up on the wall"),
}
# Wrong secrets, and what was refused for them.
_WRONG: Final = (
    *("login-failed", "login-refused", "second-factor-failed", "second-factor-refused"),
    *("token-refused", "password-change-refused"),
    *("login-renewal-failed", "login-renewal-refused"),
)
_LOOKED_BACK: Final = timedelta(hours=24)
_AT_ONE_NUMBER: Final = 10  # wrong tries: as many as the entrance lets one browser make
_NUMBERS: Final = 5  # that one address tried: as many as one password may be tried at
_SHOWN: Final = 10
_COLUMNS: Final[tuple[tuple[str, Kind], ...]] = (
    ("at", "moment"),
    *((name, "plain") for name in ("event", "staff", "address", "about")),
)


class EventFilter(ChoiceFilter):
    """One kind of event."""

    title = _("What happened")
    parameters = ("event",)
    field = "event"

    def options(self) -> Sequence[tuple[str, object]]:
        """Every kind there is."""
        return sorted(WORDS.items(), key=lambda one: str(one[1]))


class WhenFilter(DayFilter):
    """Days from one to another, both in."""

    title = _("Day")
    field = "at__date"


class OfFilter(StaffFilter):
    """Whose number, however it is spelled."""

    def narrowed(self, queryset: QuerySet[SecurityEvent]) -> QuerySet[SecurityEvent]:
        """What is of that number."""
        return queryset.filter(staff__iexact=self.value)


class AddressFilter(FormFilter):
    """One address."""

    title = _("Address")
    parameters = ("address",)
    field = "address"


class Outstanding(NamedTuple):
    """Wrong tries at one number, or from one address: how many, from or at how many others."""

    what: str
    tries: int
    others: int
    last: str


def _own(request: HttpRequest) -> Q:
    """The rows whoever asks may read."""
    mine = Q(staff__iexact=request.user.get_username())
    return Q() if offices_of(request) & _ALL else mine


def outstanding() -> dict[str, list[Outstanding]]:
    """Of the last day: numbers at which much was wrong, and addresses that tried many numbers."""
    return {
        "numbers": _tallied("staff", "address", n__gte=_AT_ONE_NUMBER),
        "addresses": _tallied("address", "staff", others__gte=_NUMBERS),
    }


def _tallied(name: str, other: str, **least: int) -> list[Outstanding]:
    wrong = SecurityEvent.objects.filter(event__in=_WRONG, at__gte=clock.now() - _LOOKED_BACK)
    tallies = wrong.exclude(**{name: ""}).order_by().values(name)
    tallies = tallies.annotate(
        n=Count("id"), others=Count(other, distinct=True), last=Max("at")
    ).filter(**least)
    found = tallies.order_by("-n")[:_SHOWN]
    return [Outstanding(one[name], one["n"], one["others"], moment(one["last"])) for one in found]


@admin.register(SecurityEvent)
class SecurityEventAdmin(KeysetAdmin):
    """The list: narrowed, paged, taken out as a file as others are."""

    section: ClassVar[str] = ""  # the rail leads to it by its own link
    list_display = ("when", "happened", "staff", "address", "more")
    list_display_links = None
    list_filter = (EventFilter, WhenFilter, OfFilter, AddressFilter)
    change_list_template = "admin/casino/security_log.html"
    list_per_page = 50

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Everybody who is logged in: his own."""
        return request.user.is_authenticated

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody."""
        return False

    def has_module_permission(self, request: HttpRequest) -> bool:
        """In the rail by its link alone."""
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[SecurityEvent]:
        """Those he may read."""
        return super().get_queryset(request).filter(_own(request))

    def get_urls(self) -> list[URLPattern]:
        """The list and its file."""
        guard = self.admin_site.admin_view
        return [
            path("", guard(self.changelist_view), name="casino_securityevent_changelist"),
            path("csv/", guard(self.csv_view), name="casino_securityevent_csv"),
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """The list; for who reads all, what stands out above it."""
        context: dict[str, object] = {"reads_all": bool(offices_of(request) & _ALL)}
        if context["reads_all"]:
            context["outstanding"] = outstanding()
        if access_policy.takes_lists(request):
            context["csv_url"] = self.file_address(request)
        return super().changelist_view(request, context | (extra_context or {}))

    def csv_view(self, request: HttpRequest) -> HttpResponseBase:
        """What the list shows under the same address, all of it, as a file."""
        if not access_policy.takes_lists(request):
            raise PermissionDenied
        try:
            listed = self.get_changelist_instance(request)
        except IncorrectLookupParameters:
            return refused_list(request, str(NO_FILTER))
        assert isinstance(listed, KeysetChangeList)
        labels = {one.name: str(one.verbose_name) for one in SecurityEvent._meta.concrete_fields}
        columns = [Column(name, labels[name], kind) for name, kind in _COLUMNS]
        rows = listed.queryset.order_by("-pk").iterator(chunk_size=2_000)
        return list_answer(request, source_of(listed, LIST, columns, _cells(rows)))

    @admin.display(description=_("when"))
    def when(self, security_event: SecurityEvent) -> SafeString:
        """When, to the second."""
        return format_html('<span class="nowrap">{}</span>', moment(security_event.at))

    @admin.display(description=_("what happened"))
    def happened(self, security_event: SecurityEvent) -> str:
        """In words."""
        return str(WORDS.get(security_event.event, security_event.event))

    @admin.display(description=_("about"))
    def more(self, security_event: SecurityEvent) -> SafeString:
        """What else the line says."""
        return format_html('<span class="code">{}</span>', security_event.about)


def _cells(events: Iterable[SecurityEvent]) -> Iterator[list[Cell]]:
    for row in events:
        yield [instant_text(row.at), row.event, row.staff, row.address, row.about]


RAIL: Final = RailLink(_("Security log"), "security-log", section="house", place=90)
