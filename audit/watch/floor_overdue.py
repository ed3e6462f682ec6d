"""What of a game was due by now and was not told: the law's own checks, asked while it goes on.

They are the checks a reconciliation asks once the game is closed, so that what is found here keeps
its name there. Who types at a busy table is behind by a minute: nothing is said of an absence
before the record that shows it has lain in the book for a while.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from audit.runs.keys import finding_key, flat
from casino.events.event import EntryRef, Event
from casino.events.round.round_played import RoundPlayed
from casino.law.dossier import Dossier, RecordedEvent
from casino.law.finding import Finding
from casino.law.partida_judge import judge_partida
from casino.law.rulebook.rulebook import Law

# With beat's two minutes: found within five of the record that shows it.
PATIENCE: Final = timedelta(minutes=2)
_EVER: Final = datetime.min.replace(tzinfo=UTC)

# What does not come about, and what must not go on meanwhile. How well a thing was done is asked
# when the game is closed.
WATCHED: Final = frozenset(
    {
        # decks and shoe: 5, 7 to 11
        "damaged_deck_withdrawn",
        "decks_exhibited_before_shuffle",
        "shoe_is_shuffled",
        "shoe_is_cut",
        "warning_card_is_placed",
        "shoe_is_burnt",
        "last_round_announced",
        # the shuffler: 51, 53 to 55
        "no_round_during_trouble",
        "unsolved_jam_goes_to_technician",
        "damaged_card_communicated",
        "damaged_card_communicated_in_time",
        "loaded_decks_shuffled_by_hand",
        "shuffler_is_loaded",
        "shuffler_loaded_soon_after_opening",
        "shuffler_loaded_before_the_deal",
        "loading_witnessed",
        "shuffler_unloaded_at_closing",
        "unloading_witnessed",
        "decks_ordered_at_closing",
        "irregular_deck_reported",
        # complaints: 61
        "complaint_answered",
        "disputed_cards_wait_for_review",
    }
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look at a game came to, by the findings' keys.

    `found` is all that does not hold of what was recorded, `due` what of it has lain there for long
    enough to be said; `named` are the entries these rest on, by their ids.
    """

    found: Mapping[str, Finding]
    due: Mapping[str, Finding]
    named: Mapping[str, EntryRef]


def look_at(dossier: Dossier, law: Law) -> Seen:
    """Ask the watched checks of a game as far as recorded, at the dossier's moment."""
    judged = judge_partida(dossier, law, WATCHED).findings
    named = dossier_refs(dossier, judged)
    found = {finding_key(one, named): one for one in judged}
    if not found:
        return Seen({}, {}, {})
    events = {one.entry_id: one for one in (*dossier.house, *dossier.around, *dossier.entries)}
    until = dossier.as_of - PATIENCE
    due = {key: one for key, one in found.items() if shown_at(one.evidence, events) <= until}
    return Seen(found, due, named)


def dossier_refs(dossier: Dossier, findings: Iterable[Finding]) -> Mapping[str, EntryRef]:
    """The entries these findings rest on, by their ids, as the dossier tells them."""
    asked = {entry for one in findings for entry in one.evidence}
    parts = (
        *(dossier.entries, dossier.house, dossier.around),
        *(dossier.replaced, dossier.elsewhere),
    )
    return {
        one.entry_id: EntryRef(stream=one.stream, n=one.n, leaf=one.leaf)
        for part in parts
        for one in part
        if one.entry_id in asked
    }


def shown_at(evidence: Iterable[str], events: Mapping[str, RecordedEvent[Event]]) -> datetime:
    """Since when the book shows a thing: its last record, of several rounds the first.

    Each round that follows shows the same once more and makes it no younger.
    """
    entries = [events[name] for name in evidence if name in events]
    rounds = [one.recorded_at for one in entries if isinstance(one.event, RoundPlayed)]
    others = [one.recorded_at for one in entries if not isinstance(one.event, RoundPlayed)]
    return max([*others, *sorted(rounds)[:1]], default=_EVER)


def has_grown(older: Any, now: Finding, named: Mapping[str, EntryRef]) -> bool:
    """Whether a finding is one that was raised before, with more to show for it.

    `older` is its row, `named` the entries of `now` by their ids. It keeps its name until the game
    is closed: the rounds dealt meanwhile are not a breach each.
    """
    return (
        older.check_name == now.check
        and older.where == flat(now.where)
        and older.expected == flat(now.expected)
        and older.observed.keys() == now.observed.keys()
        and all(_among(one, now.evidence, named) for one in older.evidence)
    )


def _among(one: Any, ids: Iterable[str], named: Mapping[str, EntryRef]) -> bool:
    """Whether an item of a row's evidence is one of these entries."""
    if isinstance(one, str):
        return one in ids
    return any(named[entry].leaf == one["leaf"] for entry in ids if entry in named)
