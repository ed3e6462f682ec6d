"""A house to train in: the people of the demo in its book, and its settings."""

from typing import Any

from django.test import Client

from casino.demo import cast, demo_house
from casino.demo.accounts import made_logins
from casino.demo.demo_evening import Evening
from casino.demo.load_demo import yesterday
from casino.demo.recording_acts import record_acts
from casino.demo.training_book import TALE, training_pin
from casino.models import Account

GZIP = "django.middleware.gzip.GZipMiddleware"


def switched_on(settings: Any) -> None:
    """As TRAINING=1 sets it."""
    settings.TRAINING = True
    settings.ROOT_URLCONF = "casino.training.training_urls"
    place = settings.MIDDLEWARE.index(GZIP) + 1
    ours = "casino.training.every_page.every_page"
    settings.MIDDLEWARE = [*settings.MIDDLEWARE[:place], ours, *settings.MIDDLEWARE[place:]]


def founded() -> None:
    """The book a training house begins with, without its evening; everybody has his log-in."""
    record_acts(demo_house.founding(Evening(yesterday())), TALE)
    made_logins(training_pin())


def browser_of(staff: str = cast.PIT.number, language: str = "en") -> Client:
    """Somebody who is logged in."""
    account = Account.objects.get(staff=staff)
    account.language = language
    account.save(update_fields=["language"])
    client = Client(headers={"accept-language": language})
    client.force_login(account)
    return client
