"""Entries kept in the process: the same dossier as read anew, whatever was recorded meanwhile."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from casino import clock, kept_entries
from casino.events.incidents import IncidentReported
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardsSpread
from casino.floor import table_state
from casino.floor.table_state import state_of
from casino.kept_entries import dossier_kept
from casino.models import BookEntry, Partida
from casino.queries import dossier_of
from tests.bench import floor_book
from tests.bench.floor_book import Size
from tests.factories.people import write
from tests.factories.records import HEAD, burnt, corrects, recorded

pytestmark = pytest.mark.django_db


def an_evening(rounds: int = 8) -> str:
    """A game under way at BJ-02, its house recorded before; the game's name."""
    floor_book.record_events(floor_book.founding(Size(1, 2, rounds), clock.now()))
    floor_book.record_events(floor_book.evening_of("BJ-02", rounds, None))
    return BookEntry.objects.filter(kind="partida-opened/1").latest("pk").partida_id


def test_a_dossier_of_kept_entries_is_the_one_the_book_tells() -> None:
    partida, now = an_evening(), clock.now()
    for _ in range(2):
        assert dossier_kept(partida, as_of=now) == dossier_of(partida, as_of=now)


def test_what_was_read_before_is_not_read_again() -> None:
    partida = an_evening()
    dossier_kept(partida)
    with CaptureQueriesContext(connection) as asked:
        dossier_kept(partida)
    assert [one["sql"] for one in asked if "e.entry" in one["sql"]] == []


def test_a_correction_counts_from_the_moment_it_is_approved() -> None:
    wrong = write(burnt(2), by=HEAD)
    partida = BookEntry.objects.get(pk=wrong.entry_id).partida_id
    assert [one.event.cards for one in dossier_kept(partida).entries] == [2]
    recorded(burnt(1), by=HEAD, supersedes=corrects(wrong))
    assert dossier_kept(partida).entries == dossier_of(partida).entries
    assert [one.event.cards for one in dossier_kept(partida).entries] == [2]


def test_so_many_are_kept_and_the_oldest_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_entries, "KEPT", 5)
    monkeypatch.setattr(kept_entries, "_kept", type(kept_entries._kept)())
    partida, now = an_evening(), clock.now() + timedelta(minutes=1)
    assert dossier_kept(partida, as_of=now) == dossier_of(partida, as_of=now)
    assert len(kept_entries._kept) == 5
    last = BookEntry.objects.latest("pk").pk
    assert list(kept_entries.entries([last])) == [last]
    assert next(reversed(kept_entries._kept)) == str(last)


def whole(partida: str) -> tuple[Any, ...]:
    """A game's entries but for its rounds, read anew."""
    entries = dossier_of(partida).entries
    return tuple(one for one in entries if not isinstance(one.event, RoundPlayed))


def test_of_a_game_known_before_only_what_was_told_since_is_read() -> None:
    partida = an_evening()
    assert kept_entries.of_games([partida]) == {partida: whole(partida)}
    before = kept_entries._games[partida].n
    floor_book.record_events(floor_book.evening_of("BJ-01", 3, None))  # another table's
    assert kept_entries.of_games([partida]) == {partida: whole(partida)}
    assert kept_entries._games[partida].n >= before
    write(CardsSpread(table="BJ-02", partida=partida, reason="no_players"), by=HEAD)
    assert kept_entries.of_games([partida]) == {partida: whole(partida)}
    assert isinstance(kept_entries.of_games([partida])[partida][-1].event, CardsSpread)


def test_a_game_is_read_anew_where_another_book_stands_in_the_place_of_the_one_known() -> None:
    partida = an_evening()
    known = kept_entries.of_games([partida])
    was = kept_entries._games[partida]
    kept_entries._games[partida] = was._replace(last=str(uuid4()), entries=was.entries[:2])
    assert kept_entries.of_games([partida]) == known
    kept_entries._games[partida] = was._replace(n=was.n + 1000, entries=())
    assert kept_entries.of_games([partida]) == known


def test_so_many_games_are_known_and_the_oldest_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_entries, "GAMES", 1)
    partida = an_evening()
    kept_entries.of_games([partida])
    floor_book.record_events(floor_book.evening_of("BJ-01", 3, None))
    other = BookEntry.objects.filter(kind="partida-opened/1").latest("pk").partida_id
    assert kept_entries.of_games([other, partida]) == {other: whole(other), partida: whole(partida)}
    assert len(kept_entries._games) == 1


def test_how_a_table_stands_is_worked_out_again_only_where_something_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    partida, now = an_evening(), clock.now()
    made: list[str] = []

    def counted(dossier: Any, *args: Any, **known: Any) -> table_state.TableState:
        made.append(dossier.partida)
        return state_of(dossier, *args, **known)

    monkeypatch.setattr(table_state, "state_of", counted)

    def seen(minutes: int = 0, language: str = "pt-pt") -> table_state.TableState:
        with translation.override(language):
            there = table_state.looks(["BJ-01", "BJ-02"], now + timedelta(minutes=minutes))
        return there["BJ-02"].state

    first = seen()
    assert replace(seen(7), now=now) == first
    assert (seen(7).minutes_quiet or 0) - (first.minutes_quiet or 0) == 7
    assert made == [partida]
    write(CardsSpread(table="BJ-02", partida=partida, reason="no_players"), by=HEAD)
    assert first.last_at is not None
    assert (seen().last_at or first.last_at) > first.last_at
    assert made == [partida] * 2
    seen(language="en")
    assert made == [partida] * 3


def test_of_many_tables_each_is_told_what_of_its_machine_another_game_recorded() -> None:
    floor_book.record_events(floor_book.founding(Size(1, 4, 1), clock.now()))
    for table in ("BJ-02", "BJ-04"):
        floor_book.record_events(floor_book.evening_of(table, 1, None))
    opened = {row.table_code: row for row in Partida.objects.all()}
    jammed, other = opened["BJ-02"], opened["BJ-04"]
    report = IncidentReported(
        incident="IN-7", category="jam", table="BJ-02", partida=jammed.partida_id,
        shuffler=other.shuffler, reason="x", people=(),
    )  # fmt: skip
    write(report, by=HEAD)
    alone = table_state.looks(["BJ-04"], clock.now())["BJ-04"].state
    among = table_state.looks(["BJ-02", "BJ-04"], clock.now())["BJ-04"].state
    assert [one.incident for one in (*alone.standing_still, *elsewhere(alone))] == ["IN-7"]
    assert elsewhere(among) == elsewhere(alone)
    assert among.standing_still == alone.standing_still


def elsewhere(state: table_state.TableState) -> tuple[Any, ...]:
    """What another table recorded of what is in play here."""
    return tuple(one.event for one in state.recorded_elsewhere)
