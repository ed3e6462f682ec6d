"""The tablet asks of every event what the admin's forms ask: whether he may record it there."""

from dataclasses import replace

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client, RequestFactory

from casino import clock
from casino.events.partidas import PartidaClosed
from casino.events.staff import DutyBegun
from casino.floor.floor_access import check_place
from casino.models import Account, Incident
from casino.recording import Actor
from tests.casino.sala_forms import address, send
from tests.factories.events.every import FULL
from tests.factories.floor import register
from tests.factories.people import somebody, write
from tests.factories.recorded import entries
from tests.factories.tables import MANAGER, MINUTE, PIT, TABLE, a_table, chefe_on_duty
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
OTHER = "S-0190"


@recorded_once
def other() -> Client:
    """A fiscal de banca who opened nothing and is on duty nowhere."""
    chefe_on_duty()
    return somebody("fiscal_de_banca", OTHER)


def an_open_incident_of_a_closed_game() -> str:
    partida = a_table()
    send(somebody("fiscal_de_banca"), f"{address('incident')}?category=conduct", reason="ameaca")
    closed = PartidaClosed(table=TABLE, partida=partida, reason="end_of_day")
    write(closed, by=PIT, at=clock.now())
    return Incident.objects.get().incident


def test_an_incident_of_anothers_closed_game_is_not_his_to_settle(other: Client) -> None:
    """The table has no game and stands open to him; the game that was there was another's."""
    settle = address("incident_close", TABLE, an_open_incident_of_a_closed_game())
    before = entries()
    answer = send(other, settle, reason="resolvido")
    assert answer.status_code == 403
    assert "Another answers for this game" in answer.content.decode()
    assert entries() == before


def test_he_settles_it_once_he_is_on_duty_at_that_table(other: Client) -> None:
    settle = address("incident_close", TABLE, an_open_incident_of_a_closed_game())
    begun = DutyBegun(staff=OTHER, office="fiscal_de_banca", tables=(TABLE,))
    write(begun, by=Actor(OTHER, "fiscal_de_banca", "admin"), at=clock.now() - MINUTE)
    before = entries()
    assert send(other, settle, reason="resolvido").status_code == 303
    assert entries() == before + 1


def test_duty_elsewhere_does_not_open_it(other: Client) -> None:
    settle = address("incident_close", TABLE, an_open_incident_of_a_closed_game())
    begun = DutyBegun(staff=OTHER, office="fiscal_de_banca", tables=("BJ-07",))
    write(begun, by=MANAGER, at=clock.now() - MINUTE)
    assert send(other, settle, reason="resolvido").status_code == 403


def test_whatever_a_screen_would_tell_is_asked(other: Client) -> None:
    partida = a_table()
    register("BJ-07")
    request = RequestFactory().get("/")
    request.user = Account.objects.get(staff=OTHER)
    by = Actor(OTHER, "fiscal_de_banca", "sala")
    value = replace(FULL["deck-withdrawn/1"], incident=None)
    for table, of in ((TABLE, partida), (TABLE, None), (None, None)):
        with pytest.raises(PermissionDenied):
            check_place(request, by, replace(value, table=table, partida=of))
    check_place(request, by, replace(value, table="BJ-07", partida=None))  # no game is open there
    check_place(request, replace(by, office="fiscal_chefe"), value)
