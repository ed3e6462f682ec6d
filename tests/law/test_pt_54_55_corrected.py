"""PT art. 54, 55: a word for an act outlives a correction that leaves the act what it was."""

import hashlib
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from casino.law.dossier import Dossier, RecordedEvent
from casino.law.partida_judge import judge_partida
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.games import CHEFE_2, FISCAL, PAGADOR, Game, moment, shuffler_evening
from tests.factories.usual_events import second_word
from tests.law.asking import BREACH, LAWFUL, UNDECIDED

LOADED, IN_TIME = "loading_witnessed", "loading_witnessed_in_time"
UNLOADED = "unloading_witnessed"


def corrected(game: Game, act: RecordedEvent[Any], at: str, **otherwise: Any) -> RecordedEvent[Any]:
    """An act told otherwise at 23:00, which counts since somebody approved it at `at`."""
    leaf = hashlib.sha256(f"{act.leaf} corrected {len(game.entries)}".encode()).hexdigest()
    again = replace(
        act,
        leaf=leaf,
        n=500 + len(game.entries),
        recorded_at=moment("23:00"),
        occurred_at=otherwise.pop("occurred_at", act.occurred_at),
        event=replace(act.event, **otherwise),
        entry_id=f"{leaf[:8]}-0000-7000-8000-000000000000",
    )
    game.entries[game.entries.index(act)] = again
    game.add(
        second_word(game.where, again, act, reason="typing_error"),
        at,
        CHEFE_2,
        at,
    )
    return again


def said(check: str, game: Game, *replaced: RecordedEvent[Any], as_of: str = "06:00") -> str | None:
    """What a check says of the game, with what was corrected."""
    dossier: Dossier = replace(game.dossier(as_of), replaced=tuple(replaced))
    outcomes = judge_partida(dossier, load_law("pt")).outcomes
    answers = {outcome for name, outcome in outcomes if name == check}
    return next((one for one in (BREACH, UNDECIDED, LAWFUL) if one in answers), None)


def loaded(word: str | None = None) -> tuple[Game, RecordedEvent[Any]]:
    """A machine loaded at 19:45, of which the fiscal-chefe said at `word` that he was there."""
    game = Game("shuffler")
    load = game.load()
    if word is not None:
        game.witness(load, at=word)
    return game, load


def test_article_54_a_slip_put_right_takes_no_word_away() -> None:
    game, load = loaded("19:46")
    again = corrected(game, load, "23:30", packets=4)
    for as_of in ("23:31", "06:00"):
        assert said(LOADED, game, load, as_of=as_of) == LAWFUL
        assert said(IN_TIME, game, load, as_of=as_of) == LAWFUL
    twice = corrected(game, again, "23:50", packets=5)
    assert said(LOADED, game, load, again) == LAWFUL
    game.witness(twice, at="23:55")
    assert said(IN_TIME, game, load, again) == LAWFUL


def test_article_55_nor_does_it_at_the_unloading() -> None:
    game = shuffler_evening(closed=False)
    unload = game.unload("02:40")
    game.witness(unload)
    game.close(packed=False, closing_announced_at=moment("02:30"))
    corrected(game, unload, "03:30", cards=311)
    assert said(UNLOADED, game, unload, as_of="05:00") == LAWFUL


OTHERWISE: list[dict[str, Any]] = [
    {"operator": FISCAL},
    {"decks": ("D-1", "D-2", "D-3", "D-4", "D-5", "D-7")},
    {"shuffler": "CSM-05"},
    {"occurred_at": moment("19:40")},
]


@pytest.mark.parametrize("otherwise", OTHERWISE)
def test_article_54_a_correction_that_tells_of_another_act_is_confirmed_anew(
    otherwise: dict[str, Any],
) -> None:
    game, load = loaded("19:46")
    again = corrected(game, load, "23:30", **otherwise)
    assert said(LOADED, game, load, as_of="23:39") == UNDECIDED
    assert said(LOADED, game, load) == BREACH
    game.witness(again, at="23:35")
    assert said(LOADED, game, load) == LAWFUL
    assert said(IN_TIME, game, load) == LAWFUL


@pytest.mark.parametrize(("word", "answer"), [("23:39", LAWFUL), ("23:39:01", BREACH)])
def test_article_54_the_time_for_a_new_word_counts_from_the_approval(
    word: str, answer: str
) -> None:
    game, load = loaded()
    again = corrected(game, load, "23:30", operator=PAGADOR, packets=4)
    game.witness(again, at=word)  # the book's clock is a minute later
    assert said(IN_TIME, game, load) == answer


def test_article_54_a_late_word_stays_late_and_a_refused_correction_gives_no_time() -> None:
    game, load = loaded("20:30")
    corrected(game, load, "23:30", packets=4)
    assert said(IN_TIME, game, load) == BREACH
    silent, load = loaded()
    corrected(silent, load, "23:30", packets=4)
    decided = silent.entries[-1]
    silent.entries[-1] = replace(decided, event=replace(decided.event, decision="refused"))
    assert said(LOADED, silent, load, as_of="23:31") == BREACH
    assert moment("23:30") - load.recorded_at > timedelta(minutes=10)
