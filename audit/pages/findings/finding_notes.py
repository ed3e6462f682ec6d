"""What was found in a game, for its timeline (`Extension.timeline_notes`)."""

from collections.abc import Collection
from typing import Final

from django.http import HttpRequest
from django.urls import reverse

from audit import audit_queries
from audit.models import Finding, ids_of
from audit.pages.audit_access import readable
from audit.pages.page_words import cited, gravity_word, tone_of, words
from casino.web.entries.entry_notes import Note

MOST: Final = 200  # findings of the games of one page


def findings_of(request: HttpRequest, partidas: Collection[str]) -> list[Note]:
    """The open findings of these games that he may read, the newest first."""
    of_them = readable(request, Finding.objects.filter(partida_id__in=partidas))
    found = list(audit_queries.newest_first(audit_queries.open_findings(of_them))[:MOST])
    say, rests_on = words(), ids_of(found)
    return [
        Note(
            evidence=rests_on[one.pk],
            tone=tone_of(one.severity),
            words=f"{cited(one.rulebook, one.article)}: {say.finding(one)}"
            f" ({gravity_word(one.severity, one.rulebook)})",
            url=reverse("admin:audit_finding_change", args=[one.pk]),
        )
        for one in found
    ]
