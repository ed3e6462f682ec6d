"""In which order the list of findings stands, where somebody asks for another than its own.

Its own, by gaming day and as they were recorded, the last first, needs no sorting. Any other is
made of at most FEW findings: of a longer list the first page would cost as much as all of it.
"""

from collections.abc import Callable, Sequence
from typing import Final

from django.db.models import DateTimeField, F
from django.db.models.expressions import RawSQL
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from audit import audit_queries
from casino.events.partidas import PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.web.display.list_filters import ChoiceFilter, Rows

# When the act was: of the round it rests on, else of the last entry of its game; the opening only
# where there is nothing else (people_present says the same of each finding).
_WHEN: Final = f"""(SELECT cited.occurred_at
FROM jsonb_array_elements(audit_finding.evidence) AS named (it)
JOIN LATERAL (
    SELECT kind, partida_id, occurred_at FROM book_entry
    WHERE jsonb_typeof(named.it) = 'string' AND id = (named.it #>> '{{}}')::uuid
    UNION ALL SELECT e.kind, e.partida_id, e.occurred_at
    FROM book_stream s JOIN book_entry e ON e.stream_id = s.id
    WHERE jsonb_typeof(named.it) = 'object' AND s.name = named.it ->> 'stream'
        AND e.n = (named.it ->> 'n')::bigint
) AS cited ON audit_finding.partida_id IN ('', cited.partida_id)
ORDER BY CASE cited.kind WHEN '{RoundPlayed.kind}' THEN 2 WHEN '{PartidaOpened.kind}' THEN 0
    ELSE 1 END DESC, cited.occurred_at DESC LIMIT 1)"""  # noqa: S608 - ours

Order = Callable[[audit_queries.Findings], audit_queries.Findings]


def _oldest(findings: audit_queries.Findings) -> audit_queries.Findings:
    return findings.order_by("gaming_day", "n")


def _gravest(findings: audit_queries.Findings) -> audit_queries.Findings:
    return findings.order_by(audit_queries.rank().asc(), "-gaming_day", "-n")


def _most_owed(findings: audit_queries.Findings) -> audit_queries.Findings:
    return findings.order_by("-owed_cents", "-gaming_day", "-n")


def _by_table(findings: audit_queries.Findings) -> audit_queries.Findings:
    return findings.order_by("table_code", "-gaming_day", "-n")


def _as_it_happened(findings: audit_queries.Findings) -> audit_queries.Findings:
    """The newest night first; in it as it went on, what rests on no entry at the end."""
    at = RawSQL(_WHEN, [], output_field=DateTimeField())  # noqa: S611 - ours
    happened = findings.alias(happened=at)
    return happened.order_by("-gaming_day", F("happened").asc(nulls_last=True), "n")


ORDERS: Final[dict[str, tuple[Promise, Order]]] = {
    "oldest": (_("oldest first"), _oldest),
    "gravity": (_("gravest first"), _gravest),
    "money": (_("most money first"), _most_owed),
    "table": (_("by table"), _by_table),
    "night": (_("as the night went"), _as_it_happened),
}


class OrderFilter(ChoiceFilter):
    """The order of the list: it leaves out nothing."""

    title = _("Order")
    parameters = ("sort",)
    template = "audit/order_choice.html"

    def options(self) -> Sequence[tuple[str, object]]:
        """Every order but the list's own."""
        return [(order, word) for order, (word, _sorted) in ORDERS.items()]

    def narrowed(self, queryset: Rows) -> Rows:
        """All of it: an order that nobody knows is the list's own."""
        return queryset

    @property
    def order(self) -> str:
        """The order asked for; '' for the list's own."""
        return self.value if self.value in ORDERS else ""


def in_order(findings: audit_queries.Findings, order: str) -> audit_queries.Findings:
    """Findings in one of ORDERS; '' for the list's own."""
    return ORDERS[order][1](findings) if order else audit_queries.newest_first(findings)
