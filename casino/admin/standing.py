"""How entries stand to their corrections: held, waiting for a second person, replaced, refused."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal
from uuid import UUID

from django.db.models import Q
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from casino.admin.marks import Tone, mark
from casino.models import Correction, Supersession

Standing = Literal["holds", "corrected", "waiting", "refused", "asked", "approved"]
# What is said of an entry: its tone and its words. The last three are of corrections themselves.
SAID: Final[dict[str, tuple[Tone, Any]]] = {
    "holds": ("kept", _("holds")),
    "asked": ("warning", _("correction asked for")),
    "corrected": ("idle", _("corrected")),
    "waiting": ("warning", _("waits for its second person")),
    "approved": ("kept", _("correction, approved")),
    "refused": ("idle", _("correction, refused")),
}


@dataclass(frozen=True, slots=True)
class Link:
    """A correction: the entry that asks, the number of the one it corrects, what was decided."""

    entry_id: UUID
    stream: str
    n: int
    original_n: int
    reason: str
    staff: str
    decision: Literal["approved", "refused"] | None
    decided_by: str
    decided_id: UUID | None


class Standings:
    """How the entries of some places stand, found in two queries however many there are."""

    def __init__(self, places: Iterable[tuple[str, int]]) -> None:
        asked: dict[str, set[int]] = defaultdict(set)
        for stream, n in places:
            asked[stream].add(n)
        near = Q()
        for stream, numbers in asked.items():
            near |= Q(stream=stream) & (Q(n__in=numbers) | Q(original_n__in=numbers))
        found = list(Supersession.objects.filter(near)) if asked else []
        self.links = [_link(one, decided) for one, decided in _with_decisions(found)]

    def of(self, stream: str, n: int) -> Standing:
        """How one entry stands."""
        own = self.asking(stream, n)
        if own is not None:
            if own.decision == "approved":
                return "corrected" if self._replaced(stream, n) else "approved"
            return "refused" if own.decision == "refused" else "waiting"
        if self._replaced(stream, n):
            return "corrected"
        open_ones = [link for link in self.corrections(stream, n) if link.decision is None]
        return "asked" if open_ones else "holds"

    def _replaced(self, stream: str, n: int) -> bool:
        return any(link.decision == "approved" for link in self.corrections(stream, n))

    def asking(self, stream: str, n: int) -> Link | None:
        """The correction this entry itself is."""
        return next((one for one in self.links if (one.stream, one.n) == (stream, n)), None)

    def corrections(self, stream: str, n: int) -> list[Link]:
        """The corrections asked of this entry, the oldest first."""
        of = [one for one in self.links if (one.stream, one.original_n) == (stream, n)]
        return sorted(of, key=lambda one: one.n)


def marked(standing: Standing) -> SafeString:
    """The standing as an icon and a word."""
    tone, words = SAID[standing]
    return mark(tone, str(words))


def struck(standing: Standing) -> bool:
    """Whether the entry no longer counts, or never did."""
    return standing in ("corrected", "refused")


def _with_decisions(found: list[Supersession]) -> list[tuple[Supersession, Correction | None]]:
    if not found:
        return []
    near = Q()
    for one in found:
        near |= Q(pending_stream=one.stream, pending_n=one.n)
    decided = {(one.pending_stream, one.pending_n): one for one in Correction.objects.filter(near)}
    return [(one, decided.get((one.stream, one.n))) for one in found]


def _link(one: Supersession, decided: Correction | None) -> Link:
    return Link(
        entry_id=one.entry_id,
        stream=one.stream,
        n=one.n,
        original_n=one.original_n,
        reason=one.reason,
        staff=one.staff,
        decision=None
        if decided is None
        else ("approved" if decided.decision == "approved" else "refused"),
        decided_by="" if decided is None else decided.staff,
        decided_id=None if decided is None else decided.entry_id,
    )
