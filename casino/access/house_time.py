"""Every page shows the house's local time; the book keeps UTC."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from casino import clock
from casino.gaming_day import gaming_day_at

GetResponse = Callable[[HttpRequest], HttpResponse]


def house_time(get_response: GetResponse) -> GetResponse:
    """Middleware: times are shown, and read from forms, in settings.HOUSE_TIME_ZONE."""
    zone = ZoneInfo(settings.HOUSE_TIME_ZONE)

    def answer(request: HttpRequest) -> HttpResponse:
        with timezone.override(zone):
            return get_response(request)

    return answer


def gaming_day_now() -> date:
    """The gaming day it is."""
    return gaming_day_at(clock.now(), settings.HOUSE_TIME_ZONE, settings.HOUSE_DAY_STARTS)
