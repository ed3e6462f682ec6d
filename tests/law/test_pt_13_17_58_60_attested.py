"""PT art. 13, 17, 58, 59, 60: what no record shows, a named person attests at the closing."""

from dataclasses import replace
from typing import Any

import pytest

from casino.events.floor_life import PartidaReopened, RoundsDeferred
from casino.events.partidas import PartidaClosed
from tests.factories.attested_games import BACK, DEAL, DEFERRED, DISCARDS, STAKES, silent
from tests.factories.games import Game, attested, evening, shuffler_evening
from tests.law.asking import LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, said, the_finding

ARTICLE = {STAKES: "13", DEAL: "17", DISCARDS: "58", BACK: "59", DEFERRED: "60"}


@upholds_case(STAKES, "lawful")
@upholds_case(DEAL, "lawful")
@upholds_case(DISCARDS, "lawful")
@upholds_case(BACK, "lawful")
@upholds_case(DEFERRED, "lawful")
@pytest.mark.parametrize("check", ARTICLE)
def test_a_named_person_answers_for_what_no_round_shows(check: str) -> None:
    assert said(check, silent(check, "13 17 58 59 60")) == LAWFUL


@upholds_case(STAKES, "unlawful")
@upholds_case(DEAL, "unlawful")
@upholds_case(DISCARDS, "unlawful")
@upholds_case(BACK, "unlawful")
@upholds_case(DEFERRED, "unlawful")
@pytest.mark.parametrize("others", [None, "", "but this"])
@pytest.mark.parametrize("check", ARTICLE)
def test_an_article_nobody_answers_for_is_a_warning(check: str, others: str | None) -> None:
    if others == "but this":
        others = " ".join(article for article in ARTICLE.values() if article != ARTICLE[check])
    game = silent(check, others)
    found = the_finding(check, game)
    assert (found.article, found.severity) == (ARTICLE[check], "warning")
    assert found.observed["attested"] == "no"
    assert found.evidence == (game.entries[-1].entry_id,)


@upholds_case(STAKES, "boundary")
def test_article_13_where_every_round_is_timed_nobody_has_to() -> None:
    game = evening(closed=False)
    game.close(rounds=6, attested=None)
    assert said(STAKES, game) == LAWFUL
    game.change(PartidaClosed, rounds=7)  # one of them nobody recorded
    assert said(STAKES, game) == UNDECIDED
    game.change(PartidaClosed, rounds=None)
    assert said(STAKES, game) == UNDECIDED


@upholds_case(DEAL, "boundary")
def test_article_17_a_deal_recorded_card_by_card_needs_no_word() -> None:
    game = Game()
    game.prepare(1)
    game.round(1, 1, dealt="1 TS, bank TH, 1 8D, bank 7C")
    game.close(rounds=1, attested=None)
    assert said(DEAL, game) == LAWFUL
    whole = game.entries[-2]
    bank = replace(whole.event.bank, open=None)
    game.entries[-2] = replace(whole, event=replace(whole.event, bank=bank))
    assert the_finding(DEAL, game).observed == {"attested": "no", "rounds": 1}


@upholds_case(DISCARDS, "boundary")
def test_article_58_is_asked_where_a_shuffler_deals_and_something_was_dealt() -> None:
    game = Game("shuffler")
    game.load()
    game.close(rounds=0, attested=None)
    assert said(DISCARDS, game) == NOT_ASKED
    game.change(PartidaClosed, rounds=None)
    assert said(DISCARDS, game) == UNDECIDED
    assert said(DISCARDS, silent(STAKES, None)) == NOT_ASKED


@upholds_case(BACK, "boundary")
def test_article_59_timed_rounds_and_those_that_wait_need_no_word() -> None:
    game = shuffler_evening(closed=False)
    waiting = game.put_back(1, 4, "20:40", inserted=None)
    game.record(RoundsDeferred, "20:42", rounds=(waiting.event.round,), reason="jam")
    game.put_back(1, 5, "20:50")
    game.close(rounds=5, attested=attested("58"))
    assert (said(BACK, game), said(DEFERRED, game)) == (LAWFUL, LAWFUL)


@upholds_case(DEFERRED, "boundary")
def test_article_60_is_asked_where_cards_had_to_wait_and_rounds_not_on_record_do_not_show_it() -> (
    None
):
    assert said(DEFERRED, shuffler_evening()) == NOT_ASKED
    game = shuffler_evening(closed=False)
    unknown = "00000000-0000-4000-8000-999999999999"
    game.record(RoundsDeferred, "20:42", rounds=(unknown,), reason="jam")
    game.close(rounds=3, attested=attested("58"))
    assert the_finding(DEFERRED, game).observed["attested"] == "no"


def test_a_game_that_goes_on_is_asked_for_no_word_and_neither_is_one_that_was_reopened() -> None:
    game = silent(STAKES, None)
    assert cited(game) == ["13 stakes_timed_or_attested", "17 deal_recorded_or_attested"]
    game.record(PartidaReopened, "03:10", reason="mistake")
    assert cited(game) == []
    game.close("04:00", attested=None)
    assert cited(game) == ["13 stakes_timed_or_attested", "17 deal_recorded_or_attested"]


def test_a_closing_undone_makes_the_turns_of_the_cut_begin_again() -> None:
    game = evening()
    game.record(PartidaReopened, "03:10", reason="mistake")
    third: dict[str, Any] = {"cut_by": "seat", "seat": 1, "offers": (), "after": "start"}
    game.prepare(3, "03:20", cut=third)
    assert cited(game) == []
