"""PT art. 5: a deck that is not perfect any more goes whole, but where leave was given (and 51)."""

from typing import Any

import pytest

from casino.events.deck_life import DecksDestroyed, DeckWithdrawn
from casino.events.decks import DeckInspected
from tests.factories.damaged_decks import NEW_SET, damaged, exchanged, next_shoe, withdrawn
from tests.factories.games import DECKS, FISCAL, Game, evening, moment
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, findings, said, the_finding

GONE, NOT_AGAIN = "damaged_deck_withdrawn", "withdrawn_deck_not_used"
ONCE = "damaged_card_replaced_at_once"
LEAVE, BY_CHEFE = "single_card_replaced_with_leave", "card_replaced_by_fiscal_chefe"


# A deck that is not perfect leaves the game


@upholds_case(GONE, "lawful")
def test_article_5_a_damaged_deck_is_withdrawn_before_the_next_round() -> None:
    assert said(GONE, next_shoe(withdrawn(damaged()))) == LAWFUL


@upholds_case(GONE, "lawful")
@upholds_case(ONCE, "lawful")
def test_article_5_or_its_card_is_exchanged_whoever_may() -> None:
    assert said(GONE, exchanged(damaged())) == LAWFUL
    at_shuffler = exchanged(damaged(dealing="shuffler"))  # where 51 has a rule of its own
    assert [said(check, at_shuffler) for check in (GONE, ONCE)] == [NOT_ASKED, LAWFUL]
    assert said(GONE, at_shuffler, "pt", {"one-card-replaced": "never"}) == LAWFUL


@upholds_case(ONCE, "unlawful")
@pytest.mark.parametrize("at", ["20:41", "20:55"])
def test_article_51_a_card_the_shuffler_damaged_replaced_after_another_round_is_found(
    at: str,
) -> None:
    game = damaged(dealing="shuffler")
    game.round(1, 4, "20:40")
    found = the_finding(ONCE, exchanged(game, at))
    assert (found.article, found.severity, found.where) == ("51", "breach", {"deck": "D-2"})
    assert (found.observed, found.expected) == ({"rounds": 1}, {"rounds": 0})
    assert found.readings == ("replaced-at-once",)
    assert said(GONE, game) == NOT_ASKED  # one breach, one finding


@upholds_case(ONCE, "boundary")
def test_article_51_replaced_before_the_next_first_card_is_at_once() -> None:
    game = exchanged(damaged(dealing="shuffler"), "20:40")
    game.round(1, 4, "20:40")
    assert said(ONCE, game) == LAWFUL
    assert said(ONCE, damaged(dealing="shuffler")) == NOT_ASKED  # that nobody did it is its own
    assert said(ONCE, exchanged(damaged())) == NOT_ASKED


def test_article_5_another_deck_in_its_place_leaves_nothing_to_be_found() -> None:
    assert cited(next_shoe(withdrawn(damaged()))) == []


def test_article_8_a_deck_withdrawn_only_after_the_shuffle_was_left_out_of_it() -> None:
    assert cited(next_shoe(withdrawn(damaged(), "21:00"))) == []
    late = next_shoe(withdrawn(damaged(), "21:00:01"))
    found = the_finding("shoe_is_shuffled", late)
    assert (found.article, found.observed) == ("8", {"left_out": ["D-2"]})


def test_article_8_a_deck_withdrawn_and_not_made_good_was_left_out() -> None:
    game = withdrawn(damaged())
    game.decks = tuple(deck for deck in DECKS if deck != "D-2")
    game.prepare(2, "21:00")
    game.round(2, 1, "21:10")
    game.close()
    assert cited(game) == ["8 shoe_is_shuffled"]


@upholds_case(GONE, "unlawful")
@pytest.mark.parametrize("dealing", ["shoe", "shuffler"])
def test_article_5_a_damaged_deck_played_on_is_found(dealing: str) -> None:
    game = damaged(dealing=dealing, category="deck_defect")
    game.round(1, 4, "20:40")
    game.round(1, 5, "20:50")
    found = the_finding(GONE, game)
    assert (found.article, found.severity, found.where) == ("5", "breach", {"deck": "D-2"})
    assert (found.observed, found.expected) == ({"rounds": 2}, {"rounds": 0})
    assert found.evidence == tuple(recorded.entry_id for recorded in game.entries[-3:])


@upholds_case(GONE, "unlawful")
def test_article_5_withdrawn_too_late_is_found() -> None:
    game = damaged()
    game.round(1, 4, "20:40")
    withdrawn(game, "20:45")
    assert the_finding(GONE, game).observed == {"rounds": 1}


@upholds_case(GONE, "unlawful")
@pytest.mark.parametrize("remedy", [withdrawn, exchanged])
def test_article_5_what_was_done_to_another_deck_is_no_remedy(remedy: Any) -> None:
    game = damaged()
    remedy(game, deck="D-4", incident="I-1")
    game.round(1, 4, "20:40")
    game.close()
    assert the_finding(GONE, game).observed == {"rounds": 1}
    unnamed = remedy(damaged(deck=None), deck="D-4", incident="I-1")
    unnamed.round(1, 4, "20:40")
    assert said(GONE, unnamed) == LAWFUL  # it may be this one


@upholds_case(GONE, "unlawful")
@pytest.mark.parametrize(
    "inspection", [{"faces": "damaged"}, {"backs": "marked"}, {"result": "damaged"}]
)
def test_article_5_a_deck_found_marked_when_it_was_ordered_and_kept_is_found(
    inspection: dict[str, str],
) -> None:
    game = evening(closed=False)
    ordered = game.order("D-2", "02:50", **inspection)
    closing = game.close()
    found = the_finding(GONE, game)
    assert (found.observed, found.expected) == ({"withdrawn": "no"}, {"withdrawn": "yes"})
    assert found.evidence == (ordered.entry_id, closing.entry_id)
    game.beside(DeckWithdrawn(deck="D-2", reason="marked"), "03:30")
    assert said(GONE, game) == LAWFUL


@upholds_case(GONE, "boundary")
@pytest.mark.parametrize(("dealt", "answer"), [("20:35", UNDECIDED), ("20:35:01", BREACH)])
def test_article_5_a_round_that_had_begun_is_finished(dealt: str, answer: str) -> None:
    game = damaged()
    game.round(1, 4, dealt)
    assert said(GONE, game) == answer  # without a withdrawal it may still be recorded


@upholds_case(GONE, "boundary")
def test_article_5_dealt_from_other_decks_it_is_not_dealt_from_this() -> None:
    game = damaged()
    game.decks = NEW_SET
    game.prepare(2, "21:00")
    game.round(2, 1, "21:10")
    withdrawn(game, "23:00")
    assert said(GONE, game) == LAWFUL


def test_article_5_where_the_deck_or_the_moment_is_not_told_it_stays_open() -> None:
    unrecorded = damaged(deck=None, dealing="shuffler", category="deck_defect")
    unrecorded.put_back(1, 4, "20:40")
    assert said(GONE, unrecorded) == UNDECIDED
    assert said(GONE, withdrawn(damaged(noticed_at=None))) == UNDECIDED
    late = withdrawn(damaged(), "20:45")
    late.round(1, 4, times=None, at="20:50")
    assert said(GONE, late) == UNDECIDED  # it may have begun before
    assert said(GONE, evening()) == NOT_ASKED


@upholds_case(GONE, "unlawful")
@pytest.mark.parametrize("replaced", [None, "nothing"])
def test_article_5_in_a_shoe_every_deck_lies_whichever_it_was(replaced: str | None) -> None:
    game = damaged(deck=None, replaced=replaced)
    assert said(GONE, game) == UNDECIDED
    game.round(1, 4, "20:40")
    found = the_finding(GONE, game)
    assert (found.where, found.observed) == ({"incident": "I-1"}, {"rounds": 1})
    withdrawn(game, "20:45", incident="I-1")
    assert the_finding(GONE, game).observed == {"rounds": 1}  # too late


@upholds_case(GONE, "boundary")
def test_article_5_a_remedy_of_the_incident_names_the_deck() -> None:
    assert said(GONE, next_shoe(withdrawn(damaged(deck=None), incident="I-1"))) == LAWFUL
    kept = damaged(deck=None)
    kept.close()
    assert the_finding(GONE, kept).observed == {"withdrawn": "no"}
    assert said(GONE, withdrawn(kept, "05:00", incident="I-1")) == LAWFUL
    # another deck came in; which one went nobody recorded
    other_set = next_shoe(damaged(deck=None))
    assert said(GONE, other_set) == BREACH
    still_open = damaged(deck=None)
    still_open.show("D-7", "20:50")
    still_open.decks = NEW_SET
    still_open.prepare(2, "21:00")
    still_open.round(2, 1, "21:10")
    assert said(GONE, still_open) == UNDECIDED


# A withdrawn deck is not used again


@upholds_case(NOT_AGAIN, "lawful")
def test_article_5_a_withdrawn_deck_stays_out() -> None:
    assert said(NOT_AGAIN, next_shoe(withdrawn(damaged()))) == LAWFUL


@upholds_case(NOT_AGAIN, "unlawful")
def test_article_5_a_withdrawn_deck_that_is_shuffled_again_is_found() -> None:
    found = the_finding(NOT_AGAIN, next_shoe(withdrawn(damaged()), DECKS))
    assert (found.article, found.where) == ("5", {"deck": "D-2"})
    assert found.observed == {"moment": moment("21:00").isoformat()}
    assert found.expected == {"not_after": moment("20:36").isoformat()}


@upholds_case(NOT_AGAIN, "unlawful")
@pytest.mark.parametrize(
    "out",
    [
        DeckWithdrawn(deck="D-5", reason="worn"),
        DeckWithdrawn(deck="D-5", reason="investigation", held_apart=True),
        DecksDestroyed(decks=("D-4", "D-5"), method="shredded"),
    ],
)
def test_article_5_a_game_opened_with_a_deck_withdrawn_before_is_found(out: Any) -> None:
    game = evening()
    recorded = game.beside(out, "12:00")
    found = findings(NOT_AGAIN, game)
    assert {one.where["deck"] for one in found} >= {"D-5"}
    assert all(recorded.entry_id in one.evidence for one in found)


@upholds_case(NOT_AGAIN, "unlawful")
def test_article_5_a_round_from_the_same_shoe_after_the_withdrawal_is_found() -> None:
    game = withdrawn(damaged())
    dealt = game.round(1, 4, "20:40")
    found = the_finding(NOT_AGAIN, game)
    assert found.evidence[-1] == dealt.entry_id


@upholds_case(NOT_AGAIN, "boundary")
def test_article_5_withdrawn_as_the_game_ends_or_another_deck_is_lawful() -> None:
    game = evening()
    game.beside(DeckWithdrawn(deck="D-5", reason="worn"), "03:30")
    game.beside(DeckWithdrawn(deck="D-9", reason="worn"), "12:00")
    assert said(NOT_AGAIN, game) == LAWFUL
    untimed = withdrawn(damaged())
    untimed.round(1, 4, times=None, at="20:40")
    assert said(NOT_AGAIN, untimed) == UNDECIDED


# One card alone


@upholds_case(LEAVE, "lawful")
@pytest.mark.parametrize("dealing", ["shoe", "shuffler"])
def test_article_5_a_card_is_exchanged_by_leave_of_the_inspection(dealing: str) -> None:
    game = exchanged(damaged(dealing=dealing), authorisation="SRIJ 15/2026")
    assert said(LEAVE, game) == LAWFUL
    by_incident = exchanged(damaged(dealing=dealing, authorisation="SRIJ 15/2026"))
    assert said(LEAVE, by_incident) == LAWFUL


@upholds_case(LEAVE, "unlawful")
def test_article_5_at_a_shoe_a_single_card_exchanged_without_leave_is_found() -> None:
    found = the_finding(LEAVE, exchanged(damaged()))
    assert (found.article, found.where, found.readings) == ("5", {"deck": "D-2"}, ())
    assert (found.observed, found.expected) == ({"authorisation": "no"}, {"authorisation": "yes"})


@upholds_case(LEAVE, "unlawful")
@pytest.mark.parametrize("category", ["damaged_card", "deck_defect"])
def test_article_5_an_incident_alone_may_tell_it(category: str) -> None:
    found = the_finding(LEAVE, damaged(category=category, replaced="card"))
    assert found.where == {"incident": "I-1"}


@upholds_case(LEAVE, "boundary")
def test_article_5_at_a_shuffler_the_damaged_card_goes_alone_and_no_other() -> None:
    assert said(LEAVE, exchanged(damaged(dealing="shuffler"))) == LAWFUL
    for reason in ("missing", "foreign", "other"):
        game = exchanged(damaged(dealing="shuffler"), reason=reason)
        assert the_finding(LEAVE, game).readings == ()


def test_article_5_where_nobody_told_how_the_table_deals_it_is_open() -> None:
    game = Game(opened=False)
    exchanged(game, incident=None)
    assert said(LEAVE, game) == UNDECIDED


# Article 51: who exchanges it


@upholds_case(BY_CHEFE, "lawful")
def test_article_51_a_fiscal_chefe_exchanges_the_card() -> None:
    assert said(BY_CHEFE, exchanged(damaged(dealing="shuffler"))) == LAWFUL


@upholds_case(BY_CHEFE, "unlawful")
@pytest.mark.parametrize(
    ("who", "observed"),
    [
        ((FISCAL, "fiscal_de_banca"), {"staff": FISCAL, "office": "fiscal_de_banca"}),
        ((None, "pagador"), {"office": "pagador"}),
        ((FISCAL, "fiscal_chefe"), {"staff": FISCAL, "office": "fiscal_chefe"}),
    ],
)
def test_article_51_a_card_exchanged_by_somebody_else_is_found(
    who: tuple[str | None, str], observed: dict[str, str]
) -> None:
    game = damaged(dealing="shuffler")
    exchanged(game, replaced_by=who[0], replaced_by_office=who[1])
    found = the_finding(BY_CHEFE, game)
    assert (found.article, found.observed) == ("51", observed)


@upholds_case(BY_CHEFE, "boundary")
def test_article_51_who_exchanged_it_untold_is_open_and_a_shoe_is_not_asked() -> None:
    game = damaged(dealing="shuffler")
    exchanged(game, replaced_by=None, replaced_by_office=None)
    assert said(BY_CHEFE, game) == UNDECIDED
    assert said(BY_CHEFE, exchanged(damaged())) == NOT_ASKED


def test_a_deck_in_order_is_no_damage() -> None:
    game = evening()
    assert any(isinstance(recorded.event, DeckInspected) for recorded in game.entries)
    assert said(GONE, game) == NOT_ASKED
