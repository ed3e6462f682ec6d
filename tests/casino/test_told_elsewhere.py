"""A slip at one table about the deck or the machine of another: warned of, and put right.

BJ-06 is open, and S-0187 answers for it; BJ-07 is open, and S-0190 does.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import Q
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino import clock
from casino.access.decks_in_use import games_having
from casino.events.deck_life import DeckWithdrawn
from casino.events.incidents import IncidentClosed, IncidentReported, IncidentStep
from casino.events.partidas import PartidaClosed
from casino.house_day import house_zone
from casino.law.partida_judge import judge_partida
from casino.law.rulebook.rulebook_file import load_law
from casino.models import Account, BookEntry, Partida, Supersession
from casino.previewing import Draft, preview
from casino.queries import dossier_of
from casino.recording import Actor, Receipt
from tests.casino.admin_forms import filled
from tests.casino.sala_forms import address, form_on, send
from tests.factories.floor import register
from tests.factories.people import somebody, write
from tests.factories.recorded import entries
from tests.factories.tables import MANAGER, PIT, TABLE, a_table, chefe_on_duty
from tests.factories.usual_events import opening

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
NEXT = "BJ-07"
OTHER = Actor("S-0190", "fiscal_de_banca", "sala")
OTHERS = tuple(f"D-{number}" for number in range(11, 17))
THERE = "told_where_it_is_in_use"
MACHINE = "CSM-04"


def games(dealt: str = "shoe", **values: Any) -> tuple[str, dict[str, str]]:
    """The game of BJ-06, and where that of BJ-07 is."""
    chefe_on_duty()
    partida = a_table(dealt)
    register(NEXT)
    there = {"table": NEXT, "partida": partida.replace(TABLE, NEXT)}
    known: dict[str, Any] = {"decks": OTHERS, "back": "red", "shuffler": None, **values}
    opened = opening(there, fiscal_de_banca=OTHER.staff, **known)
    write(opened, by=OTHER, at=clock.now() - timedelta(hours=3))
    return partida, there


def withdrawn(deck: str = "D-3", **where: str) -> DeckWithdrawn:
    return DeckWithdrawn(**where, deck=deck, reason="worn")


def jam(**where: str) -> IncidentReported:
    values: dict[str, Any] = {"incident": "IN-7", "category": "jam", "reason": "carta_presa"}
    return IncidentReported(**where, **values, people=(), shuffler=MACHINE, noticed_at=clock.now())


def slip(event: Any) -> Receipt:
    return write(event, by=OTHER, at=clock.now())


def warned(event: Any) -> set[str]:
    """What is warned of before this is recorded."""
    [said] = preview([Draft(event, clock.now(), OTHER)])
    return {one.check for one in said}


def found(partida: str) -> set[str]:
    """What the law finds in a game as the book stands."""
    return {one.check for one in judge_partida(dossier_of(partida), load_law("pt")).findings}


# Warned of before, found where it was recorded


def test_article_3_a_slip_is_warned_of_and_found_in_the_game_that_told_it() -> None:
    partida, there = games("shuffler")
    before = found(partida)
    for event in (withdrawn(**there), jam(**there)):
        assert THERE in warned(event)
        slip(event)
    assert THERE in found(there["partida"])
    assert found(partida) == before


@pytest.mark.parametrize("where", [{}, {"table": NEXT}])
def test_article_3_so_is_what_is_told_of_no_game(where: dict[str, str]) -> None:
    games("shuffler")
    assert warned(withdrawn(**where)) == {THERE}
    [[said]] = preview([Draft(jam(**where), clock.now(), MANAGER)])
    assert (said.check, said.severity, said.article) == (THERE, "warning", "house.table")
    assert (said.where, said.expected) == ({"incident": "IN-7"}, {"table": TABLE})
    assert said.observed == {"table": where.get("table", "–")}


def test_article_3_nothing_is_said_of_what_is_in_use_nowhere_or_told_where_it_is() -> None:
    partida, there = games()
    assert warned(withdrawn("D-99", **there)) == warned(withdrawn("D-99")) == set()
    assert warned(withdrawn("D-11", **there)) == set()
    assert warned(withdrawn(table=TABLE)) == set()
    assert warned(jam()) == set()  # no game is played with that machine
    assert warned(replace(jam(**there), shuffler=None, category="conduct")) == set()
    closed = PartidaClosed(table=TABLE, partida=partida, reason="end_of_day")
    write(closed, by=PIT, at=clock.now())
    assert warned(withdrawn()) == set()


def test_article_3_a_game_nobody_closed_the_day_before_yesterday_has_nothing_any_more() -> None:
    partida, _ = games()
    that = Q(decks__contains=["D-3"])
    assert games_having(that) == [(TABLE, partida)]
    assert games_having(None) == []
    day = timedelta(days=1)
    assert games_having_later(that, 1 * day) == [(TABLE, partida)]
    assert games_having_later(that, 2 * day) == []


def games_having_later(that: Any, later: timedelta) -> list[tuple[str, str]]:
    with pytest.MonkeyPatch.context() as patch:
        before = clock.now
        patch.setattr(clock, "now", lambda: before() + later)
        return games_having(that)


def test_the_admin_asks_for_a_reason_first() -> None:
    games()
    client = somebody("fiscal_chefe", "S-0104")
    url = reverse("admin:casino_deckwithdrawal_add")
    sent = filled(withdrawn(), occurred_at=_typed(clock.now()))
    before = entries()
    answer = client.post(url, sent)
    assert answer.status_code == 200
    assert (
        "What happens to a deck or a shuffler in use at another table is recorded at that table."
        in (answer.content.decode())
    )
    assert entries() == before
    answer = client.post(url, sent | {f"despite-{THERE}": "it-happened-so"})
    assert (answer.status_code, entries()) == (302, before + 1)


def _typed(moment: datetime) -> str:
    return timezone.localtime(moment, house_zone()).strftime("%Y-%m-%dT%H:%M:%S")


# Put right by whoever answers for the game in which it is


def test_the_table_says_what_was_told_elsewhere_and_that_nothing_stops() -> None:
    _, there = games("shuffler")
    pit = somebody("fiscal_de_banca")
    page = pit.get(address("table")).content.decode()
    assert NEXT not in page
    receipt = slip(withdrawn(**there))
    slip(jam(**there))
    page = pit.get(address("table")).content.decode()
    assert "BJ-07 recorded that deck D-3 was withdrawn. It is in play here" in page
    assert "BJ-07 recorded a jam of the shuffler in play here: IN-7. It stops nothing" in page
    assert "No round before it is solved" not in page
    assert reverse("sala:correct", args=[receipt.entry_id]) in page
    assert address("incident_close", TABLE, "IN-7") in page


def test_a_jam_told_of_his_machine_he_closes_from_his_own_table() -> None:
    partida, there = games("shuffler")
    slip(jam(**there))
    pit, url = somebody("fiscal_de_banca"), address("incident_close", TABLE, "IN-7")
    page = pit.get(url).content.decode()
    assert "Neither solved nor left" not in page
    assert send(pit, url, reason="sem_fundamento").status_code == 303
    closed = BookEntry.objects.get(kind=IncidentClosed.kind)
    assert (closed.table_code, closed.partida_id) == (TABLE, partida)
    assert "IN-7" not in pit.get(address("table")).content.decode().partition("<nav")[0]
    assert "no_round_during_trouble" not in found(partida)


def test_nobody_else_closes_it_nor_takes_its_steps() -> None:
    _, there = games("shuffler")
    slip(jam(**there))
    stranger = somebody("fiscal_de_banca", "S-0195")
    for table in (TABLE, NEXT):
        url = address("incident_close", table, "IN-7")
        assert stranger.get(url).status_code == 403
    pit = somebody("fiscal_de_banca")
    assert pit.get(address("incident_close", NEXT, "IN-7")).status_code == 403
    assert pit.get(address("incident_steps", TABLE, "IN-7")).status_code == 404
    taken = IncidentStep(table=TABLE, partida=None, incident="IN-7", step="resolved")
    answer = pit.post(reverse("admin:casino_incidentsteprow_add"), filled(taken))
    assert "Another answers for this game" in answer.content.decode()


def test_a_jam_of_the_machine_of_that_game_is_not_his_to_close() -> None:
    """The other game was opened with the machine too: it may have jammed there."""
    _, there = games("shuffler", dealing="shuffler", shuffler=MACHINE)
    slip(jam(**there))
    over = IncidentClosed(table=TABLE, incident="IN-7", outcome="x", reason="resolvido")
    pit = somebody("fiscal_de_banca")
    answer = pit.post(reverse("admin:casino_incidentclosure_add"), filled(over))
    assert "Another answers for this game" in answer.content.decode()


@pytest.mark.parametrize("door", ["sala:correct", "admin:casino_deckwithdrawal_correct"])
def test_he_corrects_what_another_table_told_of_his_deck(door: str) -> None:
    _, there = games()
    receipt = slip(withdrawn(**there))
    url = reverse(door, args=[receipt.entry_id])
    assert somebody("fiscal_de_banca", "S-0195").get(url).status_code == 403
    pit = somebody("fiscal_de_banca")
    assert pit.get(url).status_code == 200
    entry = BookEntry.objects.get(pk=receipt.entry_id)
    moved = correct(pit, url, withdrawn("D-13", table=NEXT), entry)
    assert "Another answers for this game" in moved.content.decode()
    assert not Supersession.objects.exists()
    answer = correct(pit, url, withdrawn("D-13", **there), entry)
    if door == "sala:correct":  # what is different is read first
        answer = pit.post(url, form_on(answer))
    assert answer.status_code in (302, 303), answer.context["form"].errors
    assert Supersession.objects.get().original_n == receipt.n


def test_what_was_told_before_his_game_was_opened_is_no_slip_about_it() -> None:
    register(NEXT)
    receipt = slip(withdrawn(table=NEXT))
    a_table("shoe")
    assert Partida.objects.get().recorded_at > receipt.recorded_at
    url = reverse("sala:correct", args=[receipt.entry_id])
    assert somebody("fiscal_de_banca").get(url).status_code == 403


def correct(client: Client, url: str, right: Any, entry: BookEntry) -> Any:
    sent = filled(right, occurred_at=_typed(entry.occurred_at)) | {
        "correction_reason": "wrong-count"
    }
    return client.post(url, sent)


def test_what_the_store_tells_of_his_deck_is_not_his() -> None:
    games()
    receipt = write(withdrawn(), by=MANAGER, at=clock.now())
    url = reverse("sala:correct", args=[receipt.entry_id])
    assert somebody("fiscal_de_banca").get(url).status_code == 404  # of no table
    page = reverse("admin:casino_deckwithdrawal_correct", args=[receipt.entry_id])
    pit = Client()
    pit.force_login(Account.objects.get(staff=PIT.staff))
    assert pit.get(page).status_code == 403


@pytest.mark.parametrize("deck", ["D-11", "D-99"])
def test_what_that_table_tells_of_its_own_deck_or_of_nobodys_is_not_his(deck: str) -> None:
    _, there = games(decks=(*OTHERS, "D-3"))
    receipt = slip(withdrawn(deck, **there))
    mine = slip(withdrawn("D-3", **there))  # that game plays with it too
    pit = somebody("fiscal_de_banca")
    for one in (receipt, mine):
        assert pit.get(reverse("sala:correct", args=[one.entry_id])).status_code == 403
