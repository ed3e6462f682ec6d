"""PT art. 14 and the house's own control: a round is judged by its game, and says the same."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from casino.events.partidas import PartidaOpened
from casino.events.round.round_played import Limits
from casino.events.tables import LimitsSet
from casino.law.checks.table.house_controls import judge_house
from casino.law.finding import Finding
from casino.law.game_law import Game as GameLaw
from casino.law.round_judge import judge
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.games import Game, evening, moment
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import findings, said, the_finding

LIMITS, BOOK = "rounds_tell_the_tables_limits", "round_names_its_games_rulebook"
HOUSE = Limits(1000, 30_000)


def recorded_with(**known: Any) -> Game:
    """A game with one more round, told with these."""
    game = evening(shoes=1)
    game.round(1, 90, "20:50", **known)
    return game


def judged(game: Game) -> list[Finding]:
    return [
        one for one in judge_house(game.dossier(), load_law("pt")).findings if one.check == BOOK
    ]


def law_of(game: Game) -> GameLaw:
    dossier = game.dossier()
    return GameLaw(next(iter(dossier.of(PartidaOpened)), None), dossier.anywhere(LimitsSet))


# Article 14: the limits


@upholds_case(LIMITS, "lawful")
def test_article_14_a_round_that_tells_its_tables_limits_is_in_order() -> None:
    assert said(LIMITS, recorded_with(limits=(1000, 30_000))) == LAWFUL


@upholds_case(LIMITS, "unlawful")
@pytest.mark.parametrize("book", ["pt", "br", "es", "fr"])
def test_article_14_limits_of_its_own_are_found_once_with_every_round_that_tells_them(
    book: str,
) -> None:
    game = recorded_with(limits=(500, 15_000))
    game.round(1, 91, "20:52", limits=(500, 15_000))
    found = the_finding(LIMITS, game, book)
    assert found.severity == "breach"
    assert found.observed == {"minimum_cents": 500, "maximum_cents": 15_000, "rounds": 2}
    assert found.expected == {"minimum_cents": 1000, "maximum_cents": 30_000}
    assert len(found.evidence) == 3
    if book == "pt":
        assert found.article == "14"


@upholds_case(LIMITS, "boundary")
@pytest.mark.parametrize(("since", "answer"), [("20:49:56", LAWFUL), ("20:49:57", BREACH)])
def test_article_14_limits_set_while_it_plays_hold_from_their_moment_on(
    since: str, answer: str
) -> None:
    game = recorded_with(limits=(2000, 60_000))
    new = {"minimum_cents": 2000, "maximum_cents": 60_000, "valid_from": moment(since)}
    game.beside(LimitsSet(table="BJ-01", **new), "20:00")
    assert said(LIMITS, game) == answer


@pytest.mark.parametrize(("maximum", "article"), [(31_000, "37"), (30_001, "37"), (29_000, "14")])
def test_articles_14_and_37_limits_of_its_own_are_found_once(maximum: int, article: str) -> None:
    game = recorded_with(limits=(1000, maximum))
    law, recorded = load_law("pt"), game.entries[-1]
    limits = law_of(game).limits(recorded.event, recorded.occurred_at)
    found = [*findings(LIMITS, game), *judge(recorded.event, law, limits).findings]
    assert [one.article for one in found] == [article]


def test_article_37_limits_set_too_wide_while_it_plays_are_found_once() -> None:
    game = recorded_with(limits=(1000, 31_000))
    new = {"minimum_cents": 1000, "maximum_cents": 31_000, "valid_from": moment("20:40")}
    game.beside(LimitsSet(table="BJ-01", **new), "20:00")
    recorded = game.entries[-1]
    limits = law_of(game).limits(recorded.event, recorded.occurred_at)
    assert judge(recorded.event, load_law("pt"), limits).findings == ()
    assert the_finding("opened_within_thirty_minimums", game).observed == {"maximum_cents": 31_000}


def test_article_14_a_round_that_tells_none_or_of_no_game_leaves_nothing_to_ask() -> None:
    assert said(LIMITS, recorded_with(limits=None)) == said(LIMITS, evening())
    game = Game(opened=False)
    game.round(1, 1, limits=(500, 15_000))
    assert said(LIMITS, game) == NOT_ASKED


def test_articles_14_and_37_stakes_are_judged_by_the_tables_limits() -> None:
    game = recorded_with(limits=(500, 15_000))
    recorded = game.entries[-1]
    assert law_of(game).judged(recorded.event, recorded.occurred_at).limits == HOUSE
    new = {"minimum_cents": 2000, "maximum_cents": 60_000}
    game.beside(LimitsSet(table="BJ-01", **new, valid_from=recorded.occurred_at), "20:00")
    law = law_of(game)
    # The stakes were marked before the first card; where that is not recorded, it is when it
    # happened.
    assert law.judged(recorded.event, recorded.occurred_at).limits == HOUSE
    silent = replace(recorded.event, times=None)
    assert law.judged(silent, recorded.occurred_at).limits == Limits(2000, 60_000)
    assert law.judged(silent, recorded.occurred_at - timedelta(seconds=1)).limits == HOUSE


# The house's own control: the rulebook


@pytest.mark.parametrize("named", ["pt", None])
def test_a_round_that_names_its_games_rulebook_or_none_is_in_order(named: str | None) -> None:
    assert judged(recorded_with(rulebook=named)) == []


def test_a_round_that_names_another_rulebook_is_judged_by_its_games_and_found() -> None:
    game = recorded_with(rulebook="es")
    recorded = game.entries[-1]
    law = law_of(game)
    assert law.rulebook(recorded.event) == "pt"
    assert law.judged(recorded.event, recorded.occurred_at).rulebook == "pt"
    [found] = judged(game)
    assert (found.rulebook, found.article, found.severity) == ("house", "house.rounds", "warning")
    assert (found.observed, found.expected) == ({"rulebook": "es", "rounds": 1}, {"rulebook": "pt"})
    assert recorded.entry_id in found.evidence


def test_of_a_game_nobody_opened_a_round_is_judged_as_it_is_told() -> None:
    game = Game(opened=False)
    recorded = game.round(1, 1, rulebook="es", limits=(500, 15_000))
    law = law_of(game)
    assert law.rulebook(recorded.event) == "es"
    assert law.judged(recorded.event, recorded.occurred_at) == recorded.event
    assert judged(game) == [] == findings(LIMITS, game)
