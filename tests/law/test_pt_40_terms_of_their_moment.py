"""PT art. 40: by which terms chips were laid and a round was won, where there are several."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from casino.events.corrections import Corrected
from casino.law.dossier import Dossier, RecordedEvent
from casino.law.rulebook.rulebook_file import load_law
from jackpot.events import TermsConfirmed
from jackpot.rules.pool_evening import pools_of
from tests.factories.games import Game, moment
from tests.factories.pool_acts import LINES, approved, collected, pool_game, ref, won

LATE = moment("21:30")


def two_versions(confirmed: str = "21:00") -> Game:
    """T-1 since noon; T-2 is recorded at seven, holds from eight, is confirmed when said."""
    game = pool_game()
    approved(
        game,
        "19:00",
        confirmed=confirmed,
        terms="T-2",
        valid_from=moment("20:00"),
        stake_cents=500,
        lines=LINES[:2],
    )
    return game


def recorded_late(
    game: Game, recorded: RecordedEvent[Any], at: datetime = LATE
) -> RecordedEvent[Any]:
    """The same entry, which reached the book when both versions stood there."""
    place = game.entries.index(recorded) if recorded in game.entries else None
    late = replace(recorded, recorded_at=at)
    if place is not None:
        game.entries[place] = late
    return late


def terms_of(dossier: Dossier, recorded: RecordedEvent[Any]) -> str | None:
    """What the terms of an entry are called."""
    (pool,) = pools_of(dossier, load_law("pt").on(dossier.gaming_day))
    found = pool.in_force(recorded)
    return None if found is None else str(found.event.terms)


@pytest.mark.parametrize(
    ("at", "terms"), [("19:59", "T-1"), ("20:30", "T-1"), ("20:59", "T-1"), ("21:00", "T-2")]
)
def test_article_40_terms_hold_from_their_second_persons_word(at: str, terms: str) -> None:
    game = two_versions()
    chips = recorded_late(game, collected(game, at=at))
    assert terms_of(game.dossier(), chips) == terms
    hit = won(game, "1 J1 pair_same_suit", at=at)
    assert terms_of(game.dossier(), replace(hit, recorded_at=LATE)) == terms


@pytest.mark.parametrize(("at", "terms"), [("19:59", "T-1"), ("20:00", "T-2")])
def test_article_40_confirmed_before_they_hold_from_their_own_day_on(at: str, terms: str) -> None:
    game = two_versions("19:05")
    assert terms_of(game.dossier(), collected(game, at=at)) == terms


def test_article_40_a_word_told_late_changes_nothing_that_was_recorded() -> None:
    game = two_versions("19:05")
    ((place, word),) = [
        (place, one)
        for place, one in enumerate(game.around)
        if isinstance(one.event, TermsConfirmed) and one.occurred_at == moment("19:05")
    ]
    game.around[place] = replace(word, recorded_at=LATE)
    chips = collected(game, at="20:30")
    assert terms_of(game.dossier(), chips) == "T-1"
    assert terms_of(game.dossier(), replace(chips, recorded_at=LATE)) == "T-1"
    after = replace(chips, recorded_at=moment("21:31"))
    assert terms_of(game.dossier(), after) == "T-2"


@pytest.mark.parametrize("twice", [False, True])
def test_article_40_a_correction_has_the_terms_of_what_it_corrects(twice: bool) -> None:
    game = two_versions("20:00")
    entries: list[RecordedEvent[Any]] = [
        recorded_late(game, collected(game, at="20:30"), moment("19:55"))
    ]
    for _ in range(2 if twice else 1):
        last = recorded_late(game, collected(game, "2 J1 1", at="20:30"))
        game.record(
            Corrected,
            "21:31",
            pending=ref(last),
            original=ref(entries[-1]),
            decision="approved",
            reason="agreed",
        )
        entries.append(last)
    *replaced, last = entries
    kept = tuple(one for one in game.entries if one not in replaced)
    dossier = replace(game.dossier(), entries=kept, replaced=tuple(replaced))
    assert terms_of(dossier, last) == "T-1"
    assert terms_of(game.dossier(), last) == "T-2"  # as it would be, standing for nothing
