"""Entries kept in the process: the same dossier as read anew, whatever was recorded meanwhile."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino import clock, kept_entries
from casino.kept_entries import dossier_kept
from casino.models import BookEntry
from casino.queries import dossier_of
from tests.bench import floor_book
from tests.bench.floor_book import Size
from tests.factories.people import write
from tests.factories.records import HEAD, burnt, corrects, told

pytestmark = pytest.mark.django_db


def an_evening(rounds: int = 8) -> str:
    """A game under way at BJ-02, its house told before; the game's name."""
    floor_book.tell(floor_book.founding(Size(1, 2, rounds), clock.now()))
    floor_book.tell(floor_book.evening_of("BJ-02", rounds, None))
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
    assert [one.fact.cards for one in dossier_kept(partida).entries] == [2]
    told(burnt(1), by=HEAD, supersedes=corrects(wrong))
    assert dossier_kept(partida).entries == dossier_of(partida).entries
    assert [one.fact.cards for one in dossier_kept(partida).entries] == [2]


def test_so_many_are_kept_and_the_oldest_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_entries, "KEPT", 5)
    monkeypatch.setattr(kept_entries, "_kept", type(kept_entries._kept)())
    partida, now = an_evening(), clock.now() + timedelta(minutes=1)
    assert dossier_kept(partida, as_of=now) == dossier_of(partida, as_of=now)
    assert len(kept_entries._kept) == 5
    last = BookEntry.objects.latest("pk").pk
    assert list(kept_entries.entries([last])) == [last]
    assert next(reversed(kept_entries._kept)) == last
