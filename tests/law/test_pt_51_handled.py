"""PT art. 51: who exchanged a card the shuffler damaged says so himself."""

from typing import Any

import pytest

from casino.events.deck_life import CardReplaced
from casino.events.incidents import IncidentReported
from casino.events.shufflers import ShufflerOpened
from tests.factories.games import CHEFE, CHEFE_2, FISCAL, Game, evening, moment, shuffler_evening
from tests.factories.shuffler_incidents import steps
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import said, the_finding

HIMSELF = "trouble_witnessed"


def handled(by: str = FISCAL, *, word: str | None = None, **values: Any) -> Game:
    """A damaged card at 21:00, exchanged at 21:02 by the fiscal-chefe, as `by` recorded."""
    game = shuffler_evening(closed=False)
    usual = {"incident": "I-1", "category": "damaged_card", "reason": "torn", "people": ()}
    report = game.record(IncidentReported, "21:00", **{**usual, "noticed_at": moment("21:00")})
    exchanged = {"deck": "D-1", "card": "8S", "reason": "damaged", "incident": "I-1"}
    game.record(CardReplaced, "21:02", by=by, **{**exchanged, "replaced_by": CHEFE, **values})
    if word is not None:
        game.witness(report, word, "21:05")
    return game


@upholds_case(HIMSELF, "lawful")
@pytest.mark.parametrize("game", [lambda: handled(CHEFE), lambda: handled(word=CHEFE)])
def test_article_51_he_recorded_it_or_put_his_word_to_it(game: Any) -> None:
    assert said(HIMSELF, game()) == LAWFUL
    assert said(HIMSELF, handled(CHEFE.lower())) == LAWFUL
    assert said(HIMSELF, evening()) == NOT_ASKED


@upholds_case(HIMSELF, "unlawful")
@pytest.mark.parametrize("by", [FISCAL, CHEFE_2])
def test_article_51_his_number_written_by_another_is_a_warning(by: str) -> None:
    found = the_finding(HIMSELF, handled(by))
    assert (found.article, found.severity, found.where) == (
        "house.shuffler",
        "warning",
        {"incident": "I-1"},
    )
    assert (found.observed, found.expected) == ({"witnesses": 0}, {"at_least": 1})


@upholds_case(HIMSELF, "unlawful")
def test_article_51_the_authors_own_word_is_none_and_a_lid_is_a_hand_too() -> None:
    assert said(HIMSELF, handled(word=FISCAL)) == BREACH
    lid = handled(replaced_by=None)
    assert said(HIMSELF, lid) == NOT_ASKED
    steps(lid, f"lid_opened 21:05 {CHEFE} fiscal_chefe")
    assert said(HIMSELF, lid) == BREACH
    opened = handled(replaced_by=None)
    reason = {"shuffler": "CSM-04", "reason": "damaged_card", "incident": "I-1"}
    opened.record(ShufflerOpened, "21:05", opened_by=CHEFE, **reason)
    assert said(HIMSELF, opened) == BREACH


@upholds_case(HIMSELF, "boundary")
@pytest.mark.parametrize(("as_of", "answer"), [("21:12:59", UNDECIDED), ("21:13", BREACH)])
def test_article_51_his_word_may_follow_within_ten_minutes(as_of: str, answer: str) -> None:
    assert said(HIMSELF, handled(), as_of=as_of) == answer  # recorded at 21:03


@upholds_case(HIMSELF, "boundary")
def test_article_51_of_a_jam_or_at_a_shoe_it_is_not_asked() -> None:
    jam = handled()
    jam.change(IncidentReported, category="jam")
    assert said(HIMSELF, jam) == NOT_ASKED
    assert said(HIMSELF, handled(replaced_by="S-999")) == NOT_ASKED  # a breach of its own
    elsewhere = handled()
    elsewhere.change(CardReplaced, incident="I-2")
    assert said(HIMSELF, elsewhere) == NOT_ASKED
