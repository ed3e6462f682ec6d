"""A finding as a row of the CSV: codes for machines, cents, moments with their offset."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from django.utils.timezone import localtime

from audit import audit_queries
from audit.pages.findings.people_present import Moment, Present, present_at
from audit.pages.law import figures
from audit.pages.page_words import PageWords, cited, instrument, law, of_game, words
from casino.law.rulebook.rulebook_file import counted_as
from casino.web.display.csv_answer import Cell
from casino.web.words.kind_words import kind_word

HEAD: Final = (
    "key", "rulebook", "article", "check", "severity", "state", "gaming_day", "table", "partida",
    "where", "observed", "expected", "owed_cents", "owed_to", "readings", "evidence", "run",
    "recorded_at", "stream", "n", "told", "rule", "instrument", "cited", "house_figures",
    "dealer", "fiscal_de_banca", "fiscal_chefe", "shoe", "round", "happened_at", "player",
    "on_decks", "case",
)  # fmt: skip
_AT_ONCE: Final = 1_000


def rows_of(findings: audit_queries.Findings) -> Iterator[list[Cell]]:
    """The rows of these findings, read as they are written."""
    say = words()
    listed = findings.iterator(chunk_size=_AT_ONCE)
    while some := list(islice(listed, _AT_ONCE)):
        there = present_at(some)
        for finding in some:
            yield _row(finding, say, there.get(finding.pk, Present()))


def _when(moment: Moment | None) -> list[Cell]:
    """Shoe and round, where it rests on one alone, and the moment by the house's clock."""
    if moment is None:
        return [None, None, ""]
    return [moment.shoe, moment.number, localtime(moment.at).isoformat()]


def _row(finding: Any, say: PageWords, there: Present) -> list[Cell]:
    return [
        finding.key,
        finding.rulebook,
        finding.article,
        finding.check_name,
        counted_as(finding.severity, finding.rulebook),
        finding.superseded_why or audit_queries.OPEN,
        finding.gaming_day.isoformat(),
        finding.table_code,
        finding.partida_id,
        _json(finding.where),
        _json(finding.observed),
        _json(finding.expected),
        finding.owed_cents,
        finding.owed_to,
        " ".join(finding.readings),
        " ".join(map(_entry, finding.evidence)),
        str(finding.run),
        finding.recorded_at.isoformat(),
        finding.stream,
        finding.n,
        say.finding(finding),
        say.statement(finding.check_name),
        instrument(law(finding.rulebook)),
        cited(finding.rulebook, finding.article),
        "; ".join(figures.of_the_house(finding)),
        there.dealer,
        there.fiscal,
        " ".join(there.chefes),
        *_when(there.moment),
        of_game(finding.where, finding.partida_id).get("owner", ""),
        "; ".join(f"{kind_word(one.kind)}: {one.by}" for one in there.acted),
        finding.case or "",
    ]


def _entry(named: Any) -> str:
    """An entry as it is named in the finding: ``stream#n:leaf``, or an older one's id."""
    return named if isinstance(named, str) else f"{named['stream']}#{named['n']}:{named['leaf']}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
