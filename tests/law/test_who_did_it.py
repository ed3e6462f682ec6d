"""PT art. 7, 8, 13, 17, 18, 55, 58 to 60: whoever an article names, held against the register."""

from typing import Any

import pytest

from casino.events.partidas import Attested, PartidaClosed
from casino.events.shoes import CutMade
from casino.events.staff import OfficeEnded
from casino.law.checks.table import house_controls
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.games import (
    CHEFE,
    DECKS,
    FISCAL,
    MANAGER,
    PAGADOR,
    Game,
    cut_by,
    evening,
    iso,
    moment,
    shuffler_evening,
)
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import findings, said, the_finding

SHOWN, ORDERED = "deck_exhibited_by_a_dealer", "deck_ordered_by_a_dealer"
SHUFFLED, CUT = "shoe_shuffled_by_a_dealer", "shoe_cut_by_a_fiscal_de_banca"
DEALT = "rounds_dealt_by_a_dealer"
NOBODY = "S-9999"
NONE = {"on_record": "nothing"}  # of whom the register tells nothing at all


def house_found(game: Game) -> list[tuple[str, Any]]:
    judged = house_controls.judge_house(game.dossier(), load_law("pt")).findings
    return [(one.check, one.where) for one in judged]


def bare(game: Game, office: str) -> Game:
    """The house keeps no register of that office."""
    game.house = [one for one in game.house if getattr(one.event, "office", "") != office]
    return game


def ended(game: Game, at: str) -> Game:
    event = OfficeEnded(staff=PAGADOR, office="pagador", ended_at=moment(at), ended_by=MANAGER)
    game.in_house(event, at)
    return game


# The cards are shown by a dealer (7)


def shown(**by: Any) -> Game:
    game = Game(shown=None)
    for deck in DECKS:
        game.show(deck, "19:30", **(by if deck == "D-1" else {}))
    game.prepare(1)
    return game


@upholds_case(SHOWN, "lawful")
@pytest.mark.parametrize("machine", [None, "CNT-1"])
def test_article_7_a_dealer_shows_the_cards_and_a_machine_may_count_them(
    machine: str | None,
) -> None:
    assert said(SHOWN, shown(machine=machine)) == LAWFUL


@upholds_case(SHOWN, "unlawful")
@pytest.mark.parametrize("staff", [FISCAL, CHEFE, NOBODY])
def test_article_7_cards_shown_by_somebody_who_is_no_dealer_are_found(staff: str) -> None:
    game = shown(pagador=staff)
    found = the_finding(SHOWN, game)
    assert (found.article, found.where) == ("7", {"deck": "D-1"})
    nothing = NONE if staff == NOBODY else {}
    assert found.observed == {"staff": staff, **nothing}
    assert found.expected == {"office": "pagador"}
    assert [
        recorded.event.staff for recorded in game.house if recorded.entry_id in found.evidence
    ] == (
        [] if nothing else [staff]  # the entry that gave him his own office
    )
    assert house_found(game) == []  # one breach, one finding


@upholds_case(SHOWN, "unlawful")
def test_article_7_cards_shown_by_a_machine_alone_are_found() -> None:
    found = the_finding(SHOWN, shown(pagador=None, machine="CNT-1"))
    assert (found.observed, found.expected) == ({"by": "machine"}, {"office": "pagador"})


@upholds_case(SHOWN, "unlawful")
def test_article_7_an_office_that_had_ended_is_proved_by_both_entries() -> None:
    game = ended(shown(), "19:00")
    found = findings(SHOWN, game)[0]
    proof = [recorded.event.kind for recorded in game.house if recorded.entry_id in found.evidence]
    assert proof == ["office-granted/1", "office-ended/1"]
    assert found.observed == {"staff": PAGADOR}


def test_article_7_an_office_given_afterwards_is_no_proof_of_what_was_known() -> None:
    game = shown(pagador=NOBODY)
    game.grant(NOBODY, "pagador", "19:31")
    found = the_finding(SHOWN, game)
    assert found.observed == {"staff": NOBODY, **NONE}
    assert game.house[-1].entry_id not in found.evidence


@upholds_case(SHOWN, "boundary")
@pytest.mark.parametrize(("until", "answer"), [("19:30:01", LAWFUL), ("19:30", BREACH)])
def test_article_7_he_is_a_dealer_when_he_shows_them(until: str, answer: str) -> None:
    assert said(SHOWN, ended(shown(), until)) == answer


def test_article_7_who_showed_them_is_open_where_nobody_said_or_keeps_a_register() -> None:
    assert said(SHOWN, shown(pagador=None)) == UNDECIDED
    assert said(SHOWN, bare(shown(), "pagador")) == UNDECIDED
    # But of somebody who holds another office nobody need ask what the register of dealers says.
    assert said(SHOWN, bare(shown(pagador=FISCAL), "pagador")) == BREACH


# The shoe is shuffled by a dealer (8)


def shuffled(**by: Any) -> Game:
    game = Game()
    game.prepare(1, shuffle=by)
    return game


@upholds_case(SHUFFLED, "lawful")
def test_article_8_a_dealer_shuffles() -> None:
    assert said(SHUFFLED, shuffled()) == LAWFUL
    assert said(SHUFFLED, shuffled(method="by_hand")) == LAWFUL
    assert said(SHUFFLED, shuffler_evening()) == NOT_ASKED


@upholds_case(SHUFFLED, "unlawful")
@pytest.mark.parametrize("staff", [FISCAL, CHEFE, NOBODY])
def test_article_8_a_shoe_shuffled_by_somebody_who_is_no_dealer_is_found(staff: str) -> None:
    game = shuffled(shuffled_by=staff)
    found = the_finding(SHUFFLED, game)
    assert (found.article, found.where) == ("8", {"shoe": 1})
    assert found.observed == {"staff": staff, **(NONE if staff == NOBODY else {})}
    assert found.expected == {"office": "pagador"}
    assert house_found(game) == []


@upholds_case(SHUFFLED, "unlawful")
@pytest.mark.parametrize("staff", [PAGADOR, None])
def test_article_8_a_shoe_shuffled_by_a_machine_is_found(staff: str | None) -> None:
    found = the_finding(SHUFFLED, shuffled(shuffled_by=staff, method="machine"))
    assert (found.observed, found.expected) == ({"by": "machine"}, {"office": "pagador"})


@upholds_case(SHUFFLED, "boundary")
@pytest.mark.parametrize(("until", "answer"), [("20:00:01", LAWFUL), ("20:00", BREACH)])
def test_article_8_he_is_a_dealer_when_he_shuffles(until: str, answer: str) -> None:
    assert said(SHUFFLED, ended(shuffled(), until)) == answer
    assert said(SHUFFLED, shuffled(shuffled_by=None)) == UNDECIDED


# Where all refuse, a fiscal de banca cuts (8)


def cut(who: Any = "fiscal_de_banca", **known: Any) -> Game:
    game = Game()
    game.prepare(1, cut=cut_by(who, "1- 2- 5-" if who != 1 else "", **known))
    return game


@upholds_case(CUT, "lawful")
def test_article_8_the_fiscal_de_banca_cuts_where_all_refuse() -> None:
    assert said(CUT, cut(staff=FISCAL)) == LAWFUL
    assert said(CUT, cut(1)) == NOT_ASKED


@upholds_case(CUT, "unlawful")
@pytest.mark.parametrize("staff", [PAGADOR, CHEFE, NOBODY])
def test_article_8_a_cut_by_a_fiscal_who_is_none_is_found(staff: str) -> None:
    game = cut(staff=staff)
    found = the_finding(CUT, game)
    assert found.article == "8"
    assert found.observed == {"staff": staff, **(NONE if staff == NOBODY else {})}
    assert found.expected == {"office": "fiscal_de_banca"}
    assert house_found(game) == []


@upholds_case(CUT, "boundary")
def test_article_8_who_cut_is_open_where_nobody_gave_a_number() -> None:
    assert said(CUT, cut()) == UNDECIDED
    game = cut(staff="S-188")
    game.grant("S-188", "fiscal_de_banca", "20:02")  # the moment of the cut
    assert said(CUT, game) == LAWFUL
    assert said(CUT, evening()) == NOT_ASKED
    assert [one.occurred_at.isoformat() for one in game.dossier().of(CutMade)] == [iso("20:02")]


# A dealer deals and asks (17, 18)


@upholds_case(DEALT, "lawful")
def test_article_17_rounds_are_dealt_by_a_dealer() -> None:
    game = evening()
    game.round(2, 4, "22:30", dealer=PAGADOR)
    assert findings(DEALT, game) == []
    only = Game()
    only.round(1, 1, "20:10", dealer=PAGADOR)
    assert said(DEALT, only) == LAWFUL


@upholds_case(DEALT, "unlawful")
@pytest.mark.parametrize("staff", [FISCAL, NOBODY])
def test_article_17_all_rounds_of_somebody_who_is_no_dealer_are_found_once(staff: str) -> None:
    game = Game()
    for number in (1, 2):
        game.round(1, number, f"20:1{number}", dealer=staff)
    game.round(1, 3, "20:13", dealer=PAGADOR)
    found = the_finding(DEALT, game)
    assert (found.article, found.where) == ("17", {"staff": staff})
    nothing = NONE if staff == NOBODY else {}
    assert found.observed == {"rounds": 2, "holds_office": "no", **nothing}
    assert found.expected == {"office": "pagador"}
    assert len(found.evidence) == (2 if nothing else 3)  # his own office, where he had one


@upholds_case(DEALT, "boundary")
@pytest.mark.parametrize(("until", "answer"), [("20:10:01", LAWFUL), ("20:10", BREACH)])
def test_article_17_he_is_a_dealer_when_he_deals(until: str, answer: str) -> None:
    game = Game()
    game.round(1, 1, "20:10", dealer=PAGADOR)
    assert said(DEALT, ended(game, until)) == answer
    game.round(1, 2, "20:11", dealer=None)
    assert said(DEALT, bare(game, "pagador")) == UNDECIDED


# The decks are put in order by a dealer (55)


def ordered(**by: Any) -> Game:
    game = Game("shuffler")
    game.witness(game.load())
    game.unload("02:40")
    for deck in DECKS:
        game.order(deck, "02:50", **(by if deck == "D-1" else {}))
    game.close("03:00")
    return game


@upholds_case(ORDERED, "lawful")
def test_article_55_a_dealer_puts_the_decks_in_order() -> None:
    assert said(ORDERED, ordered()) == LAWFUL
    assert said(ORDERED, ordered(machine="CNT-1")) == LAWFUL
    assert said(ORDERED, evening()) == NOT_ASKED


@upholds_case(ORDERED, "unlawful")
@pytest.mark.parametrize(
    ("by", "observed"),
    [
        ({"pagador": FISCAL}, {"staff": FISCAL}),
        ({"pagador": NOBODY}, {"staff": NOBODY, **NONE}),
        ({"pagador": None, "machine": "CNT-1"}, {"by": "machine"}),
    ],
)
def test_article_55_decks_somebody_else_put_in_order_are_found(
    by: dict[str, Any], observed: dict[str, Any]
) -> None:
    game = ordered(**by)
    found = the_finding(ORDERED, game)
    assert (found.article, found.where, found.observed) == ("55", {"deck": "D-1"}, observed)
    assert house_found(game) == []


@upholds_case(ORDERED, "boundary")
@pytest.mark.parametrize(("until", "answer"), [("02:50:01", LAWFUL), ("02:50", BREACH)])
def test_article_55_he_is_a_dealer_when_he_orders_them(until: str, answer: str) -> None:
    assert said(ORDERED, ended(ordered(), until)) == answer
    assert said(ORDERED, ordered(pagador=None)) == UNDECIDED


# Who answers for 13, 17, 58, 59, 60


ATTESTED = {
    "13": "stakes_timed_or_attested",
    "17": "deal_recorded_or_attested",
    "58": "discards_attested",
    "59": "putting_back_timed_or_attested",
}


def answered(article: str, staff: str) -> Game:
    game = Game("shuffler")
    game.witness(game.load())
    game.round(1, 1, "20:10", times=None)
    game.close(attested=(Attested(article=article, staff=staff),))
    return game


@pytest.mark.parametrize("article", ATTESTED)
@pytest.mark.parametrize("staff", [FISCAL, CHEFE, MANAGER, PAGADOR])
def test_somebody_of_the_floor_answers_for_an_article(article: str, staff: str) -> None:
    assert said(ATTESTED[article], answered(article, staff)) == LAWFUL


@pytest.mark.parametrize("article", ATTESTED)
@pytest.mark.parametrize("staff", ["NINGUEM", "A-1"])
def test_a_number_nobody_has_or_of_no_office_of_the_floor_answers_for_none(
    article: str, staff: str
) -> None:
    game = answered(article, staff)
    game.grant("A-1", "auditor")
    found = the_finding(ATTESTED[article], game)
    assert (found.article, found.expected) == (article, {"attested": "yes"})
    assert found.observed["attested_by"] == [staff]
    assert found.observed["holds_office"] == "no"
    assert (found.observed.get("on_record") == "nothing") == (staff == "NINGUEM")


def test_where_no_fiscal_is_registered_an_attestation_is_open() -> None:
    game = answered("58", "S-188")
    for office in ("fiscal_de_banca", "pagador", "fiscal_chefe", "chefia_da_sala"):
        bare(game, office)
    assert said(ATTESTED["58"], game) == UNDECIDED
    game.change(PartidaClosed, attested=None)
    assert said(ATTESTED["58"], game) == BREACH
