"""Every page shows the house's local time; the book keeps UTC."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from casino.house_day import house_zone

GetResponse = Callable[[HttpRequest], HttpResponse]


def house_time(get_response: GetResponse) -> GetResponse:
    """Middleware: times are shown, and read from forms, in settings.HOUSE_TIME_ZONE."""
    zone = house_zone()

    def answer(request: HttpRequest) -> HttpResponse:
        with timezone.override(zone):
            return get_response(request)

    return answer
