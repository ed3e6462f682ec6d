"""The text of a mail with alerts: what, where, the article, the link; nobody's name, no amount."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from audit.watch.alerts import Alert, alike, in_order
from casino.house_day import house_zone
from casino.web.display.money_and_time import moment

MOST: Final = 30  # alerts a mail lists; of the others it says how many
BENEATH: Final = "\n\n" + "-" * 72 + "\n\n"


class Text(NamedTuple):
    """The subject, of one line, and the text."""

    subject: str
    text: str


@contextmanager
def said_in(language: str) -> Iterator[None]:
    """In this language, by the house's clock."""
    with translation.override(language), timezone.override(house_zone()):
        yield


def in_languages(language: str, write: Callable[[], Text]) -> Text:
    """A mail in the language of an account; in both, one beneath the other, where it is neither."""
    texts = []
    for one in [language] if language in dict(settings.LANGUAGES) else settings.FLOOR_LANGUAGES:
        with said_in(one):
            texts.append(write())
    return Text(" / ".join(one.subject for one in texts), BENEATH.join(one.text for one in texts))


def link(path: str) -> str:
    """An address of the house; the path alone where nobody said what browsers know it by."""
    return f"{settings.HOUSE_URL.rstrip('/')}{path}"


def house() -> str:
    """Which house a mail is of: an inspector has several."""
    return one_line(f"Livro da Sala {settings.CASINO_NAME}")[:100]


def one_line(text: str) -> str:
    """Without breaks, whatever somebody called a table."""
    return " ".join(text.split())


def alerts_text(alerts: Sequence[Alert], more_at: str) -> Text:
    """A mail with these alerts, the gravest first; equal ones of a game are one."""
    listed = in_order(alike(alerts))
    count = ngettext("%(n)s alert", "%(n)s alerts", len(alerts)) % {"n": len(alerts)}
    parts = [_line(one) for one in listed[:MOST]]
    if len(listed) > MOST:
        more = ngettext("and %(n)s more", "and %(n)s more", len(listed) - MOST)
        parts.append(f"{more % {'n': len(listed) - MOST}}: {link(more_at)}")
    return Text(f"{house()}: {count}", "\n\n".join([*parts, foot()]) + "\n")


def foot() -> str:
    """What stands beneath every mail."""
    return gettext(
        "What counts stands in the book. Nobody reads answers to this mail; who is told of what is"
        " the house's setting."
    )


def _line(alert: Alert) -> str:
    place = alert.partida or alert.table
    day = "" if alert.day is None else date_format(alert.day, "SHORT_DATE_FORMAT")
    until = gettext("until") if alert.due else gettext("since")
    where = [place, "" if alert.partida else day, alert.place, alert.cited]
    lines = [
        alert.words,
        " · ".join(filter(None, where)),
        f"{until} {moment(alert.since)}",
        link(alert.link or reverse("sala:todo" if alert.due else "admin:index")),
    ]
    first, *rest = map(one_line, filter(None, lines))
    return "\n".join([f"- {first}", *(f"  {each}" for each in rest)])
