"""A finding in one line; beside its heading round and hour: ``sabot 1, jogada 7 · 22:14:09``."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.timezone import localtime

from audit.models import Finding
from audit.pages.findings.people_present import Moment, moments_of
from audit.pages.page_words import cited, gravity_word, words
from casino.law.wording.headings import PLACES
from casino.web.words.languages import either


def round_words(moment: Moment | None) -> str:
    """The round as its shoe counts it; '' where a finding rests on none, or on several."""
    if moment is None:
        return ""
    listed = (("shoe", moment.shoe), ("number", moment.number))
    return ", ".join(
        either(*PLACES[name]).format(which) for name, which in listed if which is not None
    )


def hour_words(moment: Moment | None) -> str:
    """The hour by the house's clock; '' where a finding rests on no entry."""
    return "" if moment is None else localtime(moment.at).strftime("%H:%M:%S")


def moment_words(moment: Moment | None) -> str:
    """Round and hour in one line."""
    return " · ".join(filter(None, (round_words(moment), hour_words(moment))))


def lines_of(findings: Sequence[Finding], *, moments: bool = True) -> list[dict[str, object]]:
    """Findings as a page lists them."""
    say, times = words(), moments_of(findings) if moments else {}
    return [
        {
            "finding": one,
            "when": moment_words(times.get(one.pk)),
            "cited": cited(one.rulebook, one.article),
            "sentence": say.finding(one),
            "rule": say.statement(one.check_name),
            "gravity": gravity_word(one.severity, one.rulebook),
            "url": reverse("admin:audit_finding_change", args=[one.pk]),
        }
        for one in findings
    ]
