"""Breaches of the reading made through the doors it used: a file, the admin's forms.

What they are found as is shown of all in tests/law/test_reviewed_breaches.py; here that a door
takes them, unlawful as they are, and that the reconciliation of the book finds the same.
"""

from collections import defaultdict
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid5

import pytest
from django.core.management import call_command
from django.urls import reverse

from audit.runs.current_findings import standing
from casino.events.deck_life import CardReplaced
from casino.events.partidas import Attested, PartidaClosed
from casino.events.round.round_played import RoundPlayed
from casino.models import BookEntry
from casino.queries import load_entry
from casino.reading.round_writer import round_as_json
from casino.web.entries.entry_page import PAGES
from tests.audit.reconciling import reconcile
from tests.casino.admin_forms import filled, over_warnings
from tests.factories.evenings import NAMES, evening_of, opened, partida_of, played, record_events
from tests.factories.findings import rests_on
from tests.factories.people import appoint, somebody
from tests.factories.recorded import last_entry
from tests.factories.reviewed_rounds import BREACHES, Row

pytestmark = [pytest.mark.django_db, pytest.mark.check]
DAY: Final = "2026-11-20"
GAME: Final = partida_of(day=DAY)
ROWS: Final = {row.name: row for row in BREACHES}
# One of each family, and the three that were refused.
BY_HAND: Final = (
    *("01-twenty-paid-as-blackjack", "14-not-a-multiple", "16-vacant-sum"),
    *("17-a-box-gets-one-card-only", "17-both-bank-cards-open", "18-stands-on-eleven"),
    *("19-stops-at-sixteen", "21-paid-evens", "23-win-taken", "26-split-hand-left-with-one-card"),
    *("29-on-twelve", "33-above-half", "35-forgotten", "36-against-an-ace"),
)


def named(name: str, played: RoundPlayed) -> RoundPlayed:
    """The round under an identifier of its own."""
    return replace(played, round=str(uuid5(NAMES, name)))


def found_of(entry: str) -> list[str]:
    """What stands of this entry alone, as the table names it."""
    rows = [row for row in standing() if rests_on(row) == [entry]]
    return sorted(f"{row.article} {row.check_name}" for row in rows)


def test_every_round_comes_in_by_file_and_is_found_under_its_article(tmp_path: Path) -> None:
    record_events(opened(day=DAY), evening_of(DAY))
    rounds = {name: named(name, row.breach) for name, row in ROWS.items()}
    twins = {name: named(f"{name}, lawful", row.twin) for name, row in ROWS.items()}
    file = tmp_path / "rounds.jsonl"
    lines = [round_as_json(one) for one in (*rounds.values(), *twins.values())]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    call_command("import_rounds", str(file), stdout=StringIO())
    assert BookEntry.objects.filter(kind="round-played/1").count() == 2 * len(ROWS)
    reconcile("of the file", partida=GAME)
    names = {one.round: name for each in (rounds, twins) for name, one in each.items()}
    lawful = {one.round for one in twins.values()}
    found: dict[str, list[str]] = defaultdict(list)
    for row in standing():
        entry, *more = rests_on(row)
        event = load_entry(UUID(entry)).event
        if not more and isinstance(event, RoundPlayed):
            found[event.round].append(f"{row.article} {row.check_name}")
    assert {names[one]: found[one] for one in lawful if found[one]} == {}
    expected = {name: sorted([row.found, *row.beside]) for name, row in ROWS.items()}
    assert {name: sorted(found[one.round]) for name, one in rounds.items()} == expected


@pytest.mark.parametrize("name", BY_HAND)
def test_a_round_typed_in_the_admin_is_recorded_and_found(name: str) -> None:
    row: Row = ROWS[name]
    record_events(opened(day=DAY), evening_of(DAY))
    played = named(name, row.breach)
    client = somebody("fiscal_de_banca")
    answer = over_warnings(client, reverse("admin:casino_round_add"), filled(played))
    assert answer.status_code == 302, answer.context["form"].errors
    reconcile("of the form", partida=GAME)
    assert found_of(str(last_entry("round-played/1").pk)) == sorted([row.found, *row.beside])


def through_its_form(event: Any, at: str) -> str:
    """Recorded by a fiscal de banca in the admin, over whatever it warns of."""
    client = somebody("fiscal_de_banca")
    reverse("admin:index")
    page = PAGES[event.kind].removesuffix("_change")
    answer = over_warnings(client, reverse(f"{page}_add"), filled(event, occurred_at=at))
    assert answer.status_code == 302, answer.context["form"].errors
    return str(last_entry(event.kind).pk)


def test_a_leave_of_any_text_is_recorded_and_found() -> None:
    """hole 05-authorisation-made-up."""
    record_events(opened(day=DAY), evening_of(DAY))
    known = {"deck": "D-2", "card": "8S", "reason": "damaged", "authorisation": "x"}
    event = CardReplaced(table="BJ-01", partida=GAME, **known)
    entry = through_its_form(event, f"{DAY}T21:36:00")
    reconcile("of the leave", partida=GAME)
    found = [row for row in standing() if row.check_name == "leave_is_on_record"]
    assert [(row.article, entry in rests_on(row)) for row in found] == [("5", True)]


def test_who_attests_under_a_number_of_nobody_is_recorded_and_found_once() -> None:
    """G 13-attested-by-a-number-nobody-has."""
    appoint("S-0187", "fiscal_de_banca")
    at = evening_of(DAY)
    record_events(opened(day=DAY), at)
    record_events(replace(played("r1", day=DAY, place=1), times=None), at + timedelta(minutes=20))
    event = PartidaClosed(
        table="BJ-01", partida=GAME, rounds=1, attested=(Attested(article="13", staff="NINGUEM"),)
    )
    entry = through_its_form(event, "2026-11-21T02:00:00")
    reconcile("of the closing", partida=GAME)
    found = [row for row in standing() if "NINGUEM" in str(row.observed) + str(row.where)]
    assert [(row.article, row.check_name) for row in found] == [("13", "stakes_timed_or_attested")]
    assert entry in rests_on(found[0])
