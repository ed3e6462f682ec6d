"""What is asked of a dossier again and again: gathered once, right whatever was asked before."""

from dataclasses import replace
from typing import Final

from casino.events.floor_life import DealerTookTable
from casino.events.partidas import PartidaOpened
from casino.events.staff import OfficeEnded, OfficeGranted
from casino.law.dossier import Dossier
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.games import DAY, PAGADOR, Game, moment
from tests.factories.other_tables import beside

OFFICE: Final = "pagador"


def names(dossier: Dossier) -> list[str]:
    return [one.event.partida for one in dossier.anywhere(PartidaOpened)]


def test_what_is_recorded_around_a_game_is_told_as_it_happened() -> None:
    dossier = beside("18:00").dossier()
    dossier = replace(dossier, around=tuple(reversed(dossier.around)))
    own, other = dossier.partida, dossier.around_of(PartidaOpened)[0].event.partida
    assert names(dossier) == [other, own]
    late = replace(dossier.around_of(PartidaOpened)[0], occurred_at=moment("23:00"))
    assert names(replace(dossier, around=(late,))) == [own, other]


def test_whoever_asks_may_do_with_the_answer_what_he_likes() -> None:
    dossier = beside("18:00").dossier()
    before = names(dossier)
    for asked in (dossier.anywhere, dossier.around_of, dossier.of):
        asked(PartidaOpened).clear()
    dossier.house_of(OfficeGranted).clear()
    assert names(dossier) == before
    assert dossier.of(PartidaOpened)
    assert dossier.house_of(OfficeGranted)


def test_a_dossier_with_one_more_entry_tells_it_whatever_was_asked_before() -> None:
    game = Game()
    dossier = game.dossier()
    assert dossier.anywhere(DealerTookTable) == dossier.of(DealerTookTable) == []
    recorded = game.record(DealerTookTable, "20:00", pagador="S-105", relieves=PAGADOR)
    fuller = dossier.with_entry(recorded)
    assert fuller.anywhere(DealerTookTable) == fuller.of(DealerTookTable) == [recorded]
    other = replace(recorded, leaf="f" * 64, n=100)
    assert fuller.with_entry(other, recorded.leaf).of(DealerTookTable) == [other]
    assert dossier.anywhere(DealerTookTable) == []


def test_an_office_is_asked_of_the_person_and_of_that_office() -> None:
    game = Game()
    act = game.entries[0]
    assert game.dossier().holds_office(PAGADOR, OFFICE, act.occurred_at, act)
    assert not game.dossier().holds_office(PAGADOR, "fiscal_chefe", act.occurred_at, act)
    assert not game.dossier().holds_office("S-999", OFFICE, act.occurred_at, act)
    game.in_house(
        OfficeEnded(staff=PAGADOR, office=OFFICE, ended_at=moment("19:00"), ended_by="S-001"),
        "19:00",
    )
    assert not game.dossier().holds_office(PAGADOR, OFFICE, act.occurred_at, act)
    assert game.dossier().holds_office(PAGADOR, OFFICE, moment("18:59"), act)


def test_each_game_on_record_has_its_own_life() -> None:
    dossier = beside("18:00", "20:00").dossier()
    game = PartidaContext(dossier, load_law("pt").on(DAY))
    assert {name: [one.event.kind for one in life] for name, life in game.lives.items()} == {
        dossier.partida: ["partida-opened/1"],
        f"BJ-02/{DAY.isoformat()}/2": ["partida-opened/1", "partida-closed/1"],
    }
