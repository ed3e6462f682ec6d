"""The round and the hour beside a finding's heading: ``sabot 1, jogada 7 · 22:14:09``."""

from django.utils.timezone import localtime

from audit.pages.findings.people_present import Moment
from audit.pages.page_words import language
from casino.law.wording.headings import PLACES


def round_words(moment: Moment | None) -> str:
    """The round as its shoe counts it; '' where a finding rests on none, or on several."""
    if moment is None:
        return ""
    at = 0 if language() == "pt" else 1
    listed = (("shoe", moment.shoe), ("number", moment.number))
    return ", ".join(PLACES[name][at].format(which) for name, which in listed if which is not None)


def hour_words(moment: Moment | None) -> str:
    """The hour by the house's clock; '' where a finding rests on no entry."""
    return "" if moment is None else localtime(moment.at).strftime("%H:%M:%S")


def moment_words(moment: Moment | None) -> str:
    """Round and hour in one line."""
    return " · ".join(filter(None, (round_words(moment), hour_words(moment))))
