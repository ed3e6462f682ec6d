"""What was found in a game, for its timeline (`Extension.timeline_notes`)."""

from collections.abc import Collection
from typing import Final

from django.http import HttpRequest
from django.urls import reverse

from audit.audit_queries import standing_as
from audit.models import Finding, ids_of
from audit.pages.audit_access import reads_all, reads_findings
from audit.pages.page_words import cited, gravity_word, tone_of, words
from casino.access.access_policy import own_partidas
from casino.web.entries.entry_notes import Note

MOST: Final = 200  # findings of the games of one page


# Written out, as every page of a table asks for it.
_OPEN: Final = f"""
SELECT * FROM audit_finding AS found WHERE partida_id = ANY(%s) AND {standing_as("found")}
ORDER BY gaming_day DESC, n DESC LIMIT %s
"""  # noqa: S608 - made of constants alone


def findings_of(request: HttpRequest, partidas: Collection[str]) -> list[Note]:
    """The open findings of these games that he may read, the newest first."""
    if not reads_all(request):
        his = own_partidas(request) if reads_findings(request) else ()
        partidas = set(partidas) & set(his)
    found = list(Finding.objects.raw(_OPEN, [list(partidas), MOST])) if partidas else []
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
