"""How entries stand: held, waiting for a second person, replaced, withdrawn, refused."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.models import Correction, Supersession
from casino.web.display.status_marks import Tone, mark
from casino.web.entries.entry_notes import Note

Standing = Literal[
    "holds",
    "asked",
    "withdrawal asked",
    "corrected",
    "withdrawn",
    "waiting",
    "approved",
    "refused",
    "withdraws",
    "withdrew",
    "withdrawal refused",
    "still to come",
    "was in force",
    "never in force",
    "does not count",
]
# What is said of an entry: its tone and its words. The six after "withdrawn" are of corrections and
# withdrawals themselves, the last four of what holds from a day on (`RecordAdmin.holding`).
SAID: Final[dict[str, tuple[Tone, Promise]]] = {
    # Not "kept": that it counts says nothing of whether it was lawful.
    "holds": ("idle", _("holds")),
    "asked": ("warning", _("correction asked for")),
    "withdrawal asked": ("warning", _("withdrawal asked for")),
    "corrected": ("idle", _("corrected")),
    "withdrawn": ("idle", _("withdrawn")),
    "waiting": ("warning", _("waits for its second person")),
    "approved": ("idle", _("correction, approved")),
    "refused": ("idle", _("correction, refused")),
    "withdraws": ("warning", _("withdrawal, waits for its second person")),
    "withdrew": ("idle", _("withdrawal, approved")),
    "withdrawal refused": ("idle", _("withdrawal, refused")),
    "still to come": ("note", _("still to come")),
    "was in force": ("idle", _("was in force")),
    "never in force": ("idle", _("never in force")),
    "does not count": ("breach", _("does not count")),
}


@dataclass(frozen=True, slots=True)
class Link:
    """A correction: the entry that asks, the number of the one it corrects, what was decided.

    `withdraws`: it puts nothing in that one's place.
    """

    entry_id: UUID
    stream: str
    n: int
    original_n: int
    reason: str
    staff: str
    asked_at: datetime
    decision: Literal["approved", "refused"] | None
    decided_by: str
    decided_id: UUID | None
    decided_at: datetime | None
    withdraws: bool


_NEAR: Final = """
SELECT * FROM casino_supersession
WHERE (stream, n) IN (SELECT * FROM unnest(%s::text[], %s::bigint[]))
    OR (stream, original_n) IN (SELECT * FROM unnest(%s::text[], %s::bigint[]))
"""


class Standings:
    """How the entries of some places stand, found in two queries however many there are."""

    def __init__(self, places: Iterable[tuple[str, int]]) -> None:
        asked = list(places)
        # The list of the book itself has streams for their names.
        values = [[str(stream) for stream, _ in asked], [n for _, n in asked]]
        found = list(Supersession.objects.raw(_NEAR, [*values, *values])) if asked else []
        self.links = [_link(one, decided) for one, decided in _with_decisions(found)]

    def of(self, stream: str, n: int) -> Standing:
        """How one entry stands."""
        own = self.asking(stream, n)
        if own is not None and own.withdraws:
            return _OF_WITHDRAWALS[own.decision]
        if own is not None and own.decision != "approved":
            return "refused" if own.decision == "refused" else "waiting"
        of = self.corrections(stream, n)
        done = next((link for link in of if link.decision == "approved"), None)
        if done is not None:
            return "withdrawn" if done.withdraws else "corrected"
        asked = next((link for link in of if link.decision is None), None)
        if asked is not None and (own is None or asked.withdraws):
            return "withdrawal asked" if asked.withdraws else "asked"
        return "holds" if own is None else "approved"

    def asking(self, stream: str, n: int) -> Link | None:
        """The correction this entry itself is."""
        return next((one for one in self.links if (one.stream, one.n) == (stream, n)), None)

    def corrections(self, stream: str, n: int) -> list[Link]:
        """The corrections asked of this entry, the oldest first."""
        of = [one for one in self.links if (one.stream, one.original_n) == (stream, n)]
        return sorted(of, key=lambda link: link.n)


_OF_WITHDRAWALS: Final[dict[str | None, Standing]] = {
    None: "withdraws",
    "approved": "withdrew",
    "refused": "withdrawal refused",
}


def marked(standing: Standing, notes: Sequence[Note] = ()) -> SafeString:
    """The standing as an icon and a word; with what was found of it, each a way to it."""
    tone, words = SAID[standing]
    ways = format_html_join(
        "",
        ' <a class="alone" href="{}">{}</a>',
        ((note.url, mark(note.tone, gettext("finding"))) for note in notes),
    )
    return format_html("{}{}", mark(tone, str(words)), ways)


def struck(standing: Standing) -> bool:
    """Whether the entry no longer counts, or never did."""
    return standing in ("corrected", "refused", "withdrawn")


def _with_decisions(
    supersession: list[Supersession],
) -> list[tuple[Supersession, Correction | None]]:
    if not supersession:
        return []
    near = Q()
    for one in supersession:
        near |= Q(pending_stream=one.stream, pending_n=one.n)
    decided = {(one.pending_stream, one.pending_n): one for one in Correction.objects.filter(near)}
    return [(one, decided.get((one.stream, one.n))) for one in supersession]


def _link(supersession: Supersession, decided: Correction | None) -> Link:
    return Link(
        entry_id=supersession.entry_id,
        stream=supersession.stream,
        n=supersession.n,
        original_n=supersession.original_n,
        reason=supersession.reason,
        staff=supersession.staff,
        asked_at=supersession.recorded_at,
        decision=None
        if decided is None
        else ("approved" if decided.decision == "approved" else "refused"),
        decided_by="" if decided is None else decided.staff,
        decided_id=None if decided is None else decided.entry_id,
        decided_at=None if decided is None else decided.recorded_at,
        withdraws=supersession.withdraws,
    )
