"""PT art. 8, 9, 11, 12: the steps in their order, the last round, the cards laid out early."""

from typing import Any

import pytest

from casino.events.shoes import CardsShuffled, CardsSpread, LastRoundAnnounced
from tests.factories.ends_of_shoes import announced, laid_out, last_round
from tests.factories.games import Game, cut_by, evening, iso, shuffler_evening
from tests.factories.rounds import box, main
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import findings, said, the_finding

CUT_AFTER, CARD_AFTER = "cut_follows_the_shuffle", "warning_card_follows_the_cut"
RESERVE = "reserve_enough_for_a_round"
RECORDED, ALOUD = "last_round_announced", "last_round_announced_aloud"
NONE_AFTER = "no_round_after_the_announced_last"
WHY, FACE_UP, SPREAD = (
    "cards_spread_for_lawful_reason",
    "spread_cards_lie_face_up",
    "no_round_after_the_spread",
)

# Articles 8 and 9: in which order


@upholds_case(CUT_AFTER, "lawful")
@upholds_case(CARD_AFTER, "lawful")
@pytest.mark.parametrize("book", ["pt", "es", "br"])
@pytest.mark.parametrize("check", [CUT_AFTER, CARD_AFTER])
def test_articles_8_and_9_shuffled_then_cut_then_the_warning_card(check: str, book: str) -> None:
    assert said(check, evening(), book) == LAWFUL


def prepared(**at: str) -> Game:
    """A shoe prepared from 20:00 on, some of its steps at another moment."""
    game = Game()
    game.prepare(1, **{name: {"at": moment} for name, moment in at.items()})
    return game


@upholds_case(CUT_AFTER, "unlawful")
@pytest.mark.parametrize(
    ("steps", "cut", "shuffled"),
    [({"cut": "19:59:59"}, "19:59:59", "20:00"), ({"shuffle": "20:03"}, "20:02", "20:03")],
)
def test_article_8_a_cut_before_the_shuffle_is_found(
    steps: dict[str, str], cut: str, shuffled: str
) -> None:
    found = the_finding(CUT_AFTER, prepared(**steps))
    assert (found.article, found.where) == ("8", {"shoe": 1})
    assert (found.observed, found.expected) == (
        {"moment": iso(cut)},
        {"not_before": iso(shuffled)},
    )


@upholds_case(CUT_AFTER, "boundary")
def test_article_8_cut_at_the_very_moment_and_cut_again_is_lawful() -> None:
    assert said(CUT_AFTER, prepared(cut="20:00")) == LAWFUL
    game = prepared(cut="19:58")
    again = {"after": "start", "seats_occupied": (1, 2, 5), "special_card": True, **cut_by(1)}
    game.record(type(game.entries[-3].event), "20:03", shoe=1, **again)
    assert said(CUT_AFTER, game) == LAWFUL
    nobody = Game()
    nobody.prepare(1, cut={**cut_by("nobody"), "at": "19:58"})
    assert said(CUT_AFTER, nobody) == NOT_ASKED


@upholds_case(CARD_AFTER, "unlawful")
@pytest.mark.parametrize("steps", [{"warning": "20:01"}, {"cut": "20:05"}])
def test_article_9_a_warning_card_before_the_cut_is_found(steps: dict[str, str]) -> None:
    found = the_finding(CARD_AFTER, prepared(**steps))
    assert (found.article, found.where) == ("9", {"shoe": 1})


@upholds_case(CARD_AFTER, "boundary")
def test_article_9_at_the_very_moment_it_is_lawful_and_a_shuffler_is_not_asked() -> None:
    assert said(CARD_AFTER, prepared(warning="20:02")) == LAWFUL
    assert {said(check, shuffler_evening()) for check in (CUT_AFTER, CARD_AFTER)} == {NOT_ASKED}


# The reserve behind the separator, in the Iberian handbooks


def reserve(behind: int, cards: int = 5) -> Game:
    """A shoe with so many cards behind the separator; its longest round took so many cards."""
    game = Game()
    game.prepare(1, warning={"cards_from_end": behind, "players": 3})
    hand = "2S 2D 2C 2H 3S 3D 3C 3H"
    game.round(1, 1, boxes=(box(1, " ".join(hand.split()[: cards - 2]), main(1000, 0)),))
    return game


@upholds_case(RESERVE, "lawful")
@pytest.mark.parametrize("book", ["es", "br"])
def test_in_the_iberian_books_the_reserve_is_enough_for_a_round(book: str) -> None:
    assert said(RESERVE, evening(), book) == LAWFUL
    assert said(RESERVE, evening(), "pt") == NOT_ASKED


@upholds_case(RESERVE, "unlawful")
@pytest.mark.parametrize(
    ("book", "section"),
    [("es", "inicio/separador-y-quemadas"), ("br", "inicio-da-partida/separador-e-queimadas")],
)
@pytest.mark.parametrize(("behind", "cards"), [(0, 5), (7, 8)])
def test_a_reserve_that_one_round_used_up_is_found(
    book: str, section: str, behind: int, cards: int
) -> None:
    found = the_finding(RESERVE, reserve(behind, cards), book)
    assert (found.article, found.where) == (section, {"shoe": 1})
    assert (found.observed, found.expected) == ({"cards_from_end": behind}, {"at_least": cards})


@upholds_case(RESERVE, "boundary")
def test_a_reserve_that_was_just_enough_is_lawful_and_loose_rounds_leave_it_open() -> None:
    game = reserve(8, 8)
    assert said(RESERVE, game, "es") == LAWFUL
    game.round(None, None, "20:20")
    assert said(RESERVE, game, "es") == UNDECIDED


# Article 11: the last round


@upholds_case(RECORDED, "lawful")
@upholds_case(ALOUD, "lawful")
@upholds_case(NONE_AFTER, "lawful")
@pytest.mark.parametrize("check", [RECORDED, ALOUD, NONE_AFTER])
def test_article_11_the_last_round_is_announced_aloud_and_none_follows(check: str) -> None:
    assert said(check, last_round()) == LAWFUL


@upholds_case(RECORDED, "unlawful")
@pytest.mark.parametrize(
    ("book", "section"),
    [("pt", "11"), ("es", "desarrollo/separador"), ("br", "desenvolvimento/separador")],
)
def test_article_11_a_last_round_nobody_announced_is_found(book: str, section: str) -> None:
    found = the_finding(RECORDED, last_round(None), book)
    assert (found.article, found.where) == (section, {"shoe": 1})
    assert (found.observed, found.expected) == ({"announcements": 0}, {"at_least": 1})


@upholds_case(RECORDED, "unlawful")
@pytest.mark.parametrize("out_in", [1, 2])
def test_article_11_announced_a_round_too_late_is_found(out_in: int) -> None:
    found = the_finding(RECORDED, last_round(out_in=out_in))
    assert found.observed == {"announced_in_round": 3}
    assert found.expected == {"announced_in_round": out_in}


@upholds_case(RECORDED, "boundary")
def test_article_11_it_may_still_be_told_and_an_announcement_of_no_shoe_may_be_this_ones() -> None:
    game = last_round(None)
    game.entries = game.entries[:-5]  # neither the second shoe nor the closing
    assert said(RECORDED, game) == UNDECIDED
    assert said(RECORDED, last_round(shoe=None, number=None)) == UNDECIDED
    assert said(RECORDED, last_round(number=None)) == UNDECIDED
    named = last_round(shoe=None, number=None)
    third = next(
        recorded for recorded in named.entries if getattr(recorded.event, "number", 0) == 3
    )
    named.change(LastRoundAnnounced, round=third.event.round)
    assert said(RECORDED, named) == LAWFUL
    assert said(RECORDED, evening()) == NOT_ASKED


@upholds_case(ALOUD, "unlawful")
@pytest.mark.parametrize("came_out", ["during_round", "before_round"])
def test_article_11_an_announcement_nobody_could_hear_is_found(came_out: str) -> None:
    found = the_finding(ALOUD, last_round(audible=False, came_out=came_out))
    assert (found.article, found.observed) == ("11", {"audible": "no"})


@upholds_case(ALOUD, "boundary")
def test_article_11_whether_it_was_heard_untold_is_not_decidable() -> None:
    assert said(ALOUD, last_round(audible=None)) == UNDECIDED


@upholds_case(NONE_AFTER, "unlawful")
@pytest.mark.parametrize(
    ("recorded", "rounds"),
    [
        ({}, 1),
        ({"number": 1}, 2),
        ({"number": None}, 1),
        ({"number": None, "at": "20:05", "came_out": "before_round"}, 2),
        ({"number": None, "at": "20:05", "came_out": None}, 2),
    ],
)
def test_article_11_a_round_after_the_one_announced_as_the_last_is_found(
    recorded: dict[str, Any], rounds: int
) -> None:
    at = recorded.pop("at", "20:20:30")
    found = the_finding(NONE_AFTER, last_round(at, out_in=0, **{"number": 2, **recorded}))
    assert (found.article, found.where) == ("11", {"shoe": 1})
    assert (found.observed, found.expected) == ({"rounds": rounds}, {"rounds": 0})


@upholds_case(NONE_AFTER, "boundary")
def test_article_11_come_out_just_before_a_round_that_one_is_still_played() -> None:
    assert said(NONE_AFTER, announced(number=3, came_out="before_round")) == LAWFUL
    assert said(NONE_AFTER, announced(number=None, came_out="before_round")) == UNDECIDED
    assert said(NONE_AFTER, announced(number=None, came_out=None)) == UNDECIDED


def test_article_11_what_the_rounds_themselves_tell_is_asked_with_them() -> None:
    assert said(NONE_AFTER, last_round(number=2)) == NOT_ASKED
    assert said(RECORDED, last_round(number=2)) == BREACH


# Article 12: laid out early


@upholds_case(WHY, "lawful")
@upholds_case(FACE_UP, "lawful")
@upholds_case(SPREAD, "lawful")
@pytest.mark.parametrize("reason", ["no_players", "no_stakes"])
@pytest.mark.parametrize("check", [WHY, FACE_UP, SPREAD])
def test_article_12_with_nobody_playing_the_cards_may_be_laid_out(check: str, reason: str) -> None:
    assert said(check, laid_out(reason=reason)) == LAWFUL


@upholds_case(WHY, "unlawful")
@pytest.mark.parametrize("shoe", [1, None])
def test_article_12_laid_out_for_another_reason_is_found(shoe: int | None) -> None:
    found = the_finding(WHY, laid_out(reason="other", shoe=shoe))
    assert (found.article, found.observed) == ("12", {"reason": "other"})
    assert found.expected == {"one_of": ["no_players", "no_stakes"]}


@upholds_case(WHY, "boundary")
def test_article_12_without_the_opening_it_is_open_and_a_shuffler_has_its_own_rule() -> None:
    game = Game(opened=False)
    game.record(CardsSpread, "20:35", reason="other")
    assert said(WHY, game) == UNDECIDED
    machine = shuffler_evening()
    machine.record(CardsSpread, "20:35", reason="other")
    assert {said(check, machine) for check in (WHY, FACE_UP, SPREAD)} == {NOT_ASKED}


@upholds_case(FACE_UP, "unlawful")
@pytest.mark.parametrize("reason", ["no_players", "no_stakes"])
def test_article_12_cards_laid_out_face_down_are_found(reason: str) -> None:
    found = the_finding(FACE_UP, laid_out(reason=reason, face_up=False))
    assert (found.article, found.observed) == ("12", {"face_up": "no"})


@upholds_case(FACE_UP, "boundary")
def test_article_12_how_they_lay_untold_is_not_decidable() -> None:
    assert said(FACE_UP, laid_out(face_up=None)) == UNDECIDED


@upholds_case(SPREAD, "unlawful")
@pytest.mark.parametrize(("at", "rounds"), [("20:25", 1), ("20:12", 2)])
def test_article_12_a_round_from_cards_that_had_been_laid_out_is_found(
    at: str, rounds: int
) -> None:
    found = the_finding(SPREAD, laid_out(at))
    assert (found.article, found.where) == ("12", {"shoe": 1})
    assert (found.observed, found.expected) == ({"rounds": rounds}, {"rounds": 0})


@upholds_case(SPREAD, "boundary")
def test_article_12_a_round_dealt_at_that_very_moment_had_begun() -> None:
    assert said(SPREAD, laid_out("20:30")) == LAWFUL
    assert said(SPREAD, laid_out(shoe=None)) == LAWFUL  # of the shoe that was dealt from
    game = laid_out()
    game.round(1, 4, times=None, at="20:50")
    assert said(SPREAD, game) == UNDECIDED


def test_article_12_the_shoe_that_follows_is_prepared_as_any() -> None:
    game = laid_out()
    game.drop(CardsShuffled, shoe=2)
    assert [one.article for one in findings("shoe_is_shuffled", game)] == ["8"]
