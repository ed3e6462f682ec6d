"""The house's own rules of people: known, in their office, on duty there, and three. No article."""

from typing import Any

import pytest

from casino.events.floor_life import DealerLeftTable, DealerTookTable, TableHandedOver
from casino.events.incidents import IncidentReported
from casino.events.partidas import Attested, PartidaClosed
from casino.events.round.round_played import Times
from casino.events.staff import DutyBegun, DutyEnded, OfficeEnded, StaffRegistered
from casino.law.checks.table import house_controls
from casino.law.finding import Finding
from casino.law.partida_judge import PartidaJudgement
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.games import CHEFE, FISCAL, MANAGER, PAGADOR, Game, iso, moment
from tests.factories.other_tables import beside
from tests.factories.rounds import ON_TIME
from tests.law import floor_asking
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED

KNOWN, OFFICE = "people_are_registered", "people_hold_their_office"
THREE, THERE = "three_people_at_a_table", "people_on_duty_at_the_table"
DEALS, BEFORE, LID = (
    "dealer_at_one_table", "nothing_before_the_opening", "lid_opened_once_he_is_there",
)  # fmt: skip
CREW: dict[str, Any] = {"pagador": PAGADOR, "fiscal_de_banca": FISCAL, "fiscal_chefe": CHEFE}
OTHER = "S-105"


def a_game(*, game: Game | None = None, **crew: Any) -> Game:
    """A game with its three people, each granted his office in time; `crew` names others."""
    known = game or Game(opened=False)
    for staff, office in ((PAGADOR, "pagador"), (OTHER, "pagador"), (FISCAL, "fiscal_de_banca")):
        known.grant(staff, office)
    if not any(one.event.kind == "partida-opened/1" for one in known.entries):
        known.open(shown=None, **{**CREW, **crew})
    return known


def judged(game: Game, book: str = "pt", as_of: str = "06:00") -> PartidaJudgement:
    return house_controls.judge_house(game.dossier(as_of), load_law(book))


def said(check: str, game: Game, as_of: str = "06:00") -> str:
    answers = {outcome for name, outcome in judged(game, as_of=as_of).outcomes if name == check}
    return next((one for one in (BREACH, UNDECIDED, LAWFUL) if one in answers), NOT_ASKED)


def found(check: str, game: Game) -> Finding:
    [one] = [one for one in judged(game).findings if one.check == check]
    return one


@pytest.mark.parametrize("check", [KNOWN, OFFICE, THREE, DEALS, BEFORE])
def test_a_game_with_its_three_people_is_in_order(check: str) -> None:
    game = a_game()
    game.record(DealerTookTable, "20:00", pagador=OTHER, relieves=PAGADOR)
    assert said(check, game) == LAWFUL
    assert judged(game).findings == ()


@pytest.mark.parametrize("book", ["pt", "pt-summary", "br", "es", "fr"])
def test_what_is_found_cites_the_house_and_no_article_whatever_the_rulebook(book: str) -> None:
    [one] = judged(a_game(pagador="P-999"), book).findings
    assert (one.rulebook, one.article, one.severity) == ("house", "house.people", "warning")
    assert (one.check, one.where, one.partida) == (KNOWN, {"staff": "P-999"}, "BJ-01/2026-11-20/1")


# A number of nobody


def test_a_number_of_nobody_is_found_once_with_all_it_was_named_in() -> None:
    game = a_game(pagador="P-999")
    game.record(PartidaClosed, "21:00", rounds=0, **{**CREW, "pagador": "P-999"})
    one = found(KNOWN, game)
    assert (one.observed, one.expected) == ({"registered": "no"}, {"registered": "yes"})
    assert len(one.evidence) == 2


@pytest.mark.parametrize(("times", "found_in"), [(None, []), (ON_TIME, ["P-999"])])
def test_a_number_of_nobody_who_answers_for_an_article_is_found_once(
    times: Times | None, found_in: list[str]
) -> None:
    """By 13, which nobody answers for then; by the house where the rounds show it themselves."""
    game = a_game()
    game.round(1, 1, times=times)
    listed = Attested(article="13", staff="P-999"), Attested(article="17", staff=FISCAL)
    game.record(PartidaClosed, "21:00", rounds=1, attested=listed)
    answer = floor_asking.said("stakes_timed_or_attested", game)
    assert answer == (LAWFUL if times else BREACH)
    unknown = [one for one in judged(game).findings if one.check == KNOWN]
    assert [one.where["staff"] for one in unknown] == found_in


@pytest.mark.parametrize("number", ["s-104", "S-777"])
def test_a_number_registered_without_an_office_is_known_in_either_spelling(number: str) -> None:
    game = a_game(pagador=number)
    game.in_house(StaffRegistered(staff="S-777"), "12:00")
    assert said(KNOWN, game) == LAWFUL


def test_a_house_that_registers_no_dealer_is_asked_nothing_of_its_dealers() -> None:
    game = Game(opened=False)
    game.house = [one for one in game.house if getattr(one.event, "office", "") != "pagador"]
    game.open(shown=None, pagador="P-999", fiscal_chefe="S-999")
    assert found(KNOWN, game).where == {"staff": "S-999"}
    assert said(KNOWN, Game()) == NOT_ASKED


# Another's office


def test_a_fiscal_de_banca_named_as_fiscal_chefe_is_found() -> None:
    game = a_game(fiscal_chefe="S-188")
    game.grant("S-188", "fiscal_de_banca")
    one = found(OFFICE, game)
    assert one.observed == {"holds_office": "no"}
    assert (one.where, one.expected) == ({"staff": "S-188"}, {"office": "fiscal_chefe"})


@pytest.mark.parametrize(("until", "answer"), [("19:00:01", LAWFUL), ("19:00", BREACH)])
def test_an_office_is_held_from_its_first_moment_to_before_its_last(
    until: str, answer: str
) -> None:
    game = a_game(pagador="P-1")
    game.grant("P-1", "pagador", "12:00", until)
    assert said(OFFICE, game) == answer
    game = a_game(pagador="P-1")
    game.grant("P-1", "pagador", until)  # begins then
    assert said(OFFICE, game) == (BREACH if answer == LAWFUL else LAWFUL)


def test_an_office_that_was_ended_is_held_no_more() -> None:
    game = a_game()
    ended = OfficeEnded(staff=PAGADOR, office="pagador", ended_at=moment("18:00"), ended_by=MANAGER)
    game.in_house(ended, "18:00")
    assert said(OFFICE, game) == BREACH


# Three people


def test_the_fiscal_de_banca_as_his_own_fiscal_chefe_is_found() -> None:
    one = found(THREE, a_game(fiscal_chefe=FISCAL))
    assert one.where == {"staff": FISCAL}
    assert one.observed == {"named_as": ["fiscal_chefe", "fiscal_de_banca"]}


def test_a_fiscal_who_takes_the_cards_himself_is_found_and_once_he_is_relieved_not_again() -> None:
    game = a_game()
    game.record(DealerTookTable, "20:00", pagador=FISCAL, relieves=PAGADOR)
    game.record(DealerTookTable, "20:20", pagador=PAGADOR, relieves=FISCAL)
    game.record(PartidaClosed, "21:00", rounds=0, **CREW)
    assert found(THREE, game).observed == {"named_as": ["fiscal_de_banca", "pagador"]}


def test_whoever_is_not_named_is_nobody_twice() -> None:
    assert said(THREE, a_game(fiscal_chefe=None, fiscal_de_banca=None)) == LAWFUL
    assert said(THREE, Game(shown=None)) == NOT_ASKED


def test_whoever_takes_a_table_over_and_whom_he_relieves_are_fiscais_de_banca() -> None:
    game = a_game()
    game.grant("S-188", "fiscal_de_banca")
    game.record(TableHandedOver, "21:00", fiscal_de_banca="S-188", relieves=FISCAL)
    assert judged(game).findings == ()
    game.record(TableHandedOver, "22:00", fiscal_de_banca=OTHER, relieves="S-188")
    assert found(OFFICE, game).where == {"staff": OTHER}


# On duty


def on_duty(game: Game, tables: tuple[str, ...], since: str, until: str = "") -> Game:
    game.in_house(DutyBegun(staff=FISCAL, office="fiscal_de_banca", tables=tables), since)
    if until:
        game.in_house(DutyEnded(staff=FISCAL, office="fiscal_de_banca"), until)
    return game


@pytest.mark.parametrize(
    ("tables", "since", "until", "answer"),
    [
        (("BJ-01",), "18:00", "", LAWFUL),
        ((), "18:00", "", LAWFUL),  # the whole room
        (("BJ-02", "BJ-01"), "19:00", "19:00", LAWFUL),  # he came, and left, at that moment
        (("BJ-02",), "18:00", "", BREACH),
        ((), "19:00:01", "", BREACH),  # the table was opened before he came
        ((), "14:00", "18:59:59", BREACH),
    ],
)
def test_the_fiscal_of_a_table_is_on_duty_there(
    tables: tuple[str, ...], since: str, until: str, answer: str
) -> None:
    game = on_duty(a_game(), tables, since, until)
    # the dealer: not recorded
    assert said(THERE, game) == (UNDECIDED if answer == LAWFUL else answer)


def test_a_fiscal_on_duty_at_another_table_is_found_with_where_he_is() -> None:
    one = found(THERE, on_duty(a_game(), ("BJ-03", "BJ-02"), "18:00"))
    assert one.observed == {"on_duty_at": ["BJ-02", "BJ-03"]}
    assert one.expected == {"table": "BJ-01"}


def test_before_he_came_it_is_said_when_he_did() -> None:
    one = found(THERE, on_duty(a_game(), (), "19:30"))
    assert (one.observed, one.expected) == ({"on_duty": "no"}, {"not_before": iso("19:30")})


def test_of_whom_no_duty_is_told_nothing_is_said() -> None:
    assert said(THERE, a_game(fiscal_chefe=None)) == UNDECIDED


# One table at a time


def elsewhere(*listed: tuple[Any, str, dict[str, Any]], opened: str = "18:00") -> Game:
    """A game whose dealer was at BJ-02 before: what that table tells of its dealers."""
    game = beside(opened)
    other = Game(table="BJ-02", opened=False)
    other.partida = "BJ-02/2026-11-20/2"
    for kind, at, fields in listed:
        other.record(kind, at, **fields)
    game.around += other.entries
    return a_game(game=game)


TOOK = (DealerTookTable, "18:30", {"pagador": OTHER})


def test_a_dealer_who_takes_a_second_table_and_is_not_relieved_at_the_first_is_found() -> None:
    game = elsewhere(TOOK)
    game.record(DealerTookTable, "20:00", pagador=OTHER)
    one = found(DEALS, game)
    assert (one.where, one.observed) == ({"staff": OTHER}, {"also_at": "BJ-02"})
    assert said(DEALS, game, as_of="20:04:59") == UNDECIDED
    assert said(DEALS, game, as_of="20:05") == BREACH


@pytest.mark.parametrize(
    ("after", "answer"),
    [
        ((DealerTookTable, "20:05", {"pagador": "S-106", "relieves": OTHER}), LAWFUL),
        ((DealerTookTable, "20:05:01", {"pagador": "S-106", "relieves": OTHER}), BREACH),
        ((DealerLeftTable, "19:59", {"pagador": OTHER}), LAWFUL),
        ((DealerLeftTable, "19:59", {"pagador": "S-106"}), BREACH),
        ((PartidaClosed, "19:59", {"rounds": 0}), LAWFUL),
    ],
)
def test_he_deals_there_no_more_once_he_was_relieved_left_or_the_table_closed(
    after: Any, answer: str
) -> None:
    game = elsewhere(TOOK, after)
    game.record(DealerTookTable, "20:00", pagador=OTHER)
    assert said(DEALS, game) == answer


def test_a_table_is_not_opened_with_a_dealer_who_deals_at_another_then() -> None:
    game = beside("18:00")
    game.entries.clear()
    other = Game(table="BJ-02", opened=False)
    other.partida = "BJ-02/2026-11-20/2"
    other.record(DealerTookTable, "18:59:59", pagador=PAGADOR)
    game.around += other.entries
    assert said(DEALS, a_game(game=game), as_of="19:00") == BREACH


# Before the opening


@pytest.mark.parametrize(
    ("at", "answer"), [("19:05", LAWFUL), ("19:00", LAWFUL), ("18:59", BREACH), ("18:00", BREACH)]
)
def test_nothing_happens_in_a_game_before_it_is_opened(at: str, answer: str) -> None:
    game = a_game()
    game.record(IncidentReported, at, incident="IN-1", category="other", reason="x", people=())
    assert said(BEFORE, game) == answer


def test_the_minute_a_game_was_opened_in_may_be_any_of_it() -> None:
    game = Game(opened=False)
    game.open("21:36:45", shown="21:20", **CREW)  # its decks were looked through before
    values = {"category": "other", "reason": "x", "people": ()}
    game.record(IncidentReported, "21:36", incident="IN-1", **values)
    assert said(BEFORE, game) == LAWFUL
    game.record(IncidentReported, "21:35", incident="IN-2", **values)
    one = found(BEFORE, game)
    assert one.observed == {"moment": iso("21:35")}
    assert one.expected == {"not_before": iso("21:36:45")}
    assert said(BEFORE, Game(opened=False)) == NOT_ASKED


# The lid


@pytest.mark.parametrize(
    ("came", "opened", "answer"),
    [
        ("20:10:05", "20:10:05", LAWFUL),
        ("20:10:05", "20:10:04", BREACH),
        ("20:10:05", "20:10", LAWFUL),
        ("20:10", "20:11", LAWFUL),
    ],
)
def test_the_lid_is_opened_once_he_is_there(came: str, opened: str, answer: str) -> None:
    game = Game("shuffler")
    game.record(
        IncidentReported,
        "20:09",
        incident="IN-1",
        category="jam",
        reason="card_stuck",
        people=(),
        shuffler="CSM-04",
        arrived_at=moment(came),
        opened_at=moment(opened),
        opened_by=CHEFE,
    )
    assert said(LID, game) == answer
    assert said(LID, Game("shuffler")) == NOT_ASKED
