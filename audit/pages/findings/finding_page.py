"""One finding: the events it rests on, the rule in words, what was seen, what became of it."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext

from audit import audit_queries
from audit.models import Finding, FindingSupersession, mark_of
from audit.models.evidence import Mark, entries_named
from audit.pages.findings.cards_page import cards_url
from audit.pages.findings.heading_moments import moment_words
from audit.pages.findings.people_present import Present, present_at
from audit.pages.law import figures
from audit.pages.law.cited_words import cited_words
from audit.pages.law.law_pages import ReadingShown, reading_shown
from audit.pages.page_words import (
    OWED_TO,
    STATE,
    cited,
    gravity_word,
    heading,
    instrument,
    law,
    words,
)
from audit.runs.keys import BOOK_WATCH, FLOOR_WATCH
from casino.events.round.round_played import RoundPlayed
from casino.law.game_law import Game
from casino.law.rulebook import controls
from casino.law.rulebook.figure_sets import digest_on
from casino.law.rulebook.rulebook import Law
from casino.law.wording.explain import explain, undetermined
from casino.law.wording.explain_settling import UNKNOWN
from casino.models import BookEntry
from casino.queries import game_of
from casino.tlog.merkle import leaf_hash
from casino.web.display.money_and_time import money
from casino.web.entries.entry_page import is_by_hand, url_of
from casino.web.entries.entry_standing import SAID, Standings
from casino.web.entries.timeline_links import timeline_url
from casino.web.forms.warnings import in_words
from casino.web.words import field_words
from casino.web.words.kind_words import kind_word
from casino.web.words.languages import language
from casino.web.words.withdrawn_words import withdrawn_words

SHOWN = 20  # entries shown of a finding's evidence; it may rest on a thousand


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """An entry a finding rests on, as far as recorded here."""

    entry: BookEntry
    kind: str
    who: str
    office: str
    door: str
    url: str
    explanation: Sequence[tuple[bool, str]]
    undetermined: str = ""  # which stakes of a round a breach leaves without a due, and how much
    standing: str = ""  # where a correction or withdrawal of it was asked for or holds
    despite: Sequence[tuple[str, str]] = ()  # warnings it was recorded over, and why
    other: bool = False  # not the entry the finding was raised on: other bytes under its number

    @property
    def by_hand(self) -> bool:
        """Whether it is a round that a person recorded."""
        return is_by_hand(self.entry.kind, self.door)


def context_of(finding: Finding) -> dict[str, object]:
    """What the page of a finding shows."""
    say = words()
    book = law(finding.rulebook)
    article = book.articles.get(finding.article) if book is not None else None
    why = audit_queries.state_of(finding)
    named = entries_named(finding.evidence[:SHOWN])
    present = present_at([finding], named).get(finding.pk, Present())
    tone, icon, word = STATE[why]
    return {
        "finding": finding,
        "state": {"tone": tone, "icon": icon, "word": word},
        "gravity": gravity_word(finding.severity, finding.rulebook),
        "of_house": controls.is_of_the_house(finding.article),
        "house_figures": figures.of_the_house(finding),
        "otherwise": figures.otherwise_set(finding),
        "cited": cited(finding.rulebook, finding.article),
        "heading": "" if article is None else heading(article),
        "article_url": ""
        if article is None
        else reverse("law-article", args=[finding.rulebook, finding.article])
        + f"?day={finding.gaming_day.isoformat()}",
        "law": book,
        "instrument": instrument(book),
        "law_differs": book is not None and digest_on(book, finding.gaming_day) != finding.law,
        "statement": say.statement(finding.check_name),
        "official": cited_words(finding, book),
        "sentence": say.finding(finding),
        "values": say.values(finding),
        "place": say.place(finding.where, finding.partida_id),
        "present": present,
        "acted": [(kind_word(one.kind), one) for one in present.acted],
        "when": moment_words(present.moment),
        "owed": money(finding.owed_cents) if finding.owed_to else "",
        "owed_to": OWED_TO.get(finding.owed_to, ""),
        "table_timeline": timeline_url("table", finding.table_code),
        "timeline": timeline_url("partida", finding.partida_id),
        "cards_url": cards_url(finding),
        "readings": [] if book is None else _readings(finding, book),
        "evidence": (evidence := _evidence(finding, named, book)),
        "undetermined": [one.undetermined for one in evidence if one.undetermined]
        if UNKNOWN in finding.readings
        else [],
        "evidence_left": max(len(finding.evidence) - SHOWN, 0),
        "cites_anew": _cites_anew(finding),
        "history": [_event(event) for event in audit_queries.history_of(finding)],
    }


def _readings(finding: Finding, book: Law) -> list[ReadingShown]:
    """The readings a finding hangs on, as they were adopted on its day."""
    return [
        reading_shown(book, book.readings[one], finding.gaming_day)
        for one in finding.readings
        if one in book.readings
    ]


def _evidence(
    finding: Finding, there: Mapping[Mark, BookEntry], book: Law | None
) -> list[Evidence]:
    games = cache(game_of)  # most rounds of a finding are of one game
    named = {mark_of(one): one for one in finding.evidence[:SHOWN]}
    entries = [there[mark] for mark in named if mark in there]
    standings = Standings((entry.stream.name, entry.n) for entry in entries)
    return [_shown(entry, named, standings, book, games) for entry in entries]


def _shown(
    entry: BookEntry,
    named: Mapping[Mark, Any],
    standings: Standings,
    book: Law | None,
    games: Callable[[str], Game],
) -> Evidence:
    body = json.loads(bytes(entry.entry))
    who, stands = body["who"], standings.of(entry.stream.name, entry.n)
    value, say = named.get((entry.stream.name, entry.n)), words()
    leaf = leaf_hash(bytes(entry.entry)).hex()
    return Evidence(
        standing="" if stands == "holds" else str(SAID[stands][1]),
        despite=[
            (say.statement(one["check"]), str(field_words.word(one["reason"])))
            for one in body["payload"].get("despite", ())
        ],
        other=value is not None and value.get("leaf", leaf) != leaf,
        entry=entry,
        kind=kind_word(entry.kind),
        who=who["staff"],
        office=who["office"],
        door=who["door"],
        url=url_of(entry.kind, entry.pk),
        explanation=[] if book is None else _explained(entry, book, games),
        undetermined="" if book is None else _undetermined(entry, book, games),
    )


def _played(entry: BookEntry, games: Callable[[str], Game]) -> RoundPlayed:
    recorded = audit_queries.recorded_event(entry)
    return games(recorded.event.partida).judged(
        recorded.event, recorded.occurred_at, recorded.recorded_at
    )


def _undetermined(entry: BookEntry, book: Law, games: Callable[[str], Game]) -> str:
    if entry.kind != RoundPlayed.kind:
        return ""
    return undetermined(_played(entry, games), book, in_words, language())


def _explained(entry: BookEntry, book: Law, games: Callable[[str], Game]) -> list[tuple[bool, str]]:
    """A round recorded step by step, under the rulebook it was judged by: (is a heading, line)."""
    if entry.kind != RoundPlayed.kind:
        return []
    played = _played(entry, games)
    lines = explain(played, book, in_words, language(), cited)
    below = [line.startswith(" ") for line in lines]
    return [
        (not below[place] and any(below[place + 1 : place + 2]), line.strip())
        for place, line in enumerate(lines)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One line of a finding's history."""

    at: Any
    word: str
    run: UUID
    entry: UUID  # its own, whose sealed proof is a page
    n: int
    tone: str
    icon: str
    day: date
    detail: str = ""
    other: str = ""  # the page of the finding it speaks of
    curing: Sequence[Evidence] = ()  # what cured it

    @property
    def watched(self) -> bool:
        """Whether it was said between two runs, by whoever looks around every few minutes."""
        return self.run in (BOOK_WATCH, FLOOR_WATCH)


def _event(event: Finding | FindingSupersession) -> Event:
    if isinstance(event, Finding):
        tone, icon, _word = STATE["open"]
        said = gettext("raised")
    else:
        tone, icon, said = STATE[event.why]  # type: ignore[attr-defined]  # by `history_of`
    return Event(
        at=event.recorded_at,
        word=str(said),
        run=event.run,
        entry=event.pk,
        n=event.n,
        tone=tone,
        icon=icon,
        day=event.gaming_day,
        detail=(detail := _withdrawn(event)),
        other=_url_of(event.successor) if isinstance(event, FindingSupersession) else "",
        curing=[] if detail else _curing(event),
    )


def _curing(event: Finding | FindingSupersession) -> list[Evidence]:
    """What cured a finding, late or not: which entries, by whom, when."""
    if isinstance(event, Finding):
        return []
    by = [] if event.by_n is None else [{"stream": event.by_stream, "n": event.by_n}]
    named = {mark_of(one): one for one in [*by, *(event.cured_by or [])][:SHOWN]}
    found = entries_named(named.values())
    entries = [found[mark] for mark in named if mark in found]
    standings = Standings((one.stream.name, one.n) for one in entries)
    return [_shown(one, named, standings, None, game_of) for one in entries]


def _url_of(key: str) -> str:
    """The page of the newest finding under a key; '' where there is none."""
    found = Finding.objects.filter(key=key).order_by("-n").first() if key else None
    return "" if found is None else reverse("admin:audit_finding_change", args=[found.pk])


def _cites_anew(finding: Finding) -> list[str]:
    """The pages of the findings this one cites anew."""
    before = FindingSupersession.objects.filter(successor=finding.key).values("finding")
    rows = Finding.objects.filter(key__in=before).order_by("n").values_list("pk", flat=True)
    return [reverse("admin:audit_finding_change", args=[pk]) for pk in rows[:SHOWN]]


def _withdrawn(event: Finding | FindingSupersession) -> str:
    """Who withdrew what the finding rested on, and how late; '' where nobody did."""
    if isinstance(event, Finding) or event.by_n is None:
        return ""
    asking = Standings([(event.by_stream, event.by_n)]).asking(event.by_stream, event.by_n)
    if asking is None or not asking.withdraws:
        return ""
    record = BookEntry.objects.get(stream__name=event.by_stream, n=asking.original_n)
    return withdrawn_words(asking, record.recorded_at, record.kind)
