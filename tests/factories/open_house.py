"""A house in the middle of an evening: every screen of the floor, and one who may open them all."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.test import Client
from django.urls import reverse

from casino import clock
from casino.events.complaints import ComplaintReceived
from casino.events.incidents import IncidentReported
from casino.floor.floor_urls import urlpatterns
from casino.models import Account, BookEntry, Partida
from casino.recording import Actor
from tests.bench import floor_book
from tests.bench.floor_book import Size
from tests.factories.people import PASSWORD, appoint, write

STAFF: Final = "S-0777"
INCIDENT: Final = "IN-901"
COMPLAINT: Final = "RC-901"
SHOE, MACHINE, CLOSED, UNOPENED = "BJ-01", "BJ-02", "BJ-03", "BJ-04"
LATER: Final = {SHOE: "BJ-05", MACHINE: "BJ-06"}  # two more tables, of a longer evening


@dataclass(frozen=True, slots=True)
class Screens:
    """The address of every screen, by its name, at one pair of tables."""

    by_name: dict[str, str]

    def __getitem__(self, name: str) -> str:
        return self.by_name[name]


def names() -> list[str]:
    """Every address of the floor."""
    return [str(pattern.name) for pattern in urlpatterns]


def a_house(rounds: int = 6) -> Screens:
    """Two games under way, of so many rounds, one that is over, one table not yet opened."""
    size = Size(1, 6, rounds)
    floor_book.record_events(floor_book.founding(size, clock.now()))
    over = clock.now().date() - timedelta(days=3)
    floor_book.record_events(floor_book.evening_of(CLOSED, rounds, over))
    return games(SHOE, MACHINE, rounds)


def games(shoe: str, machine: str, rounds: int) -> Screens:
    """A game at each of two tables; the screens that lead there."""
    for table in (shoe, machine):
        floor_book.record_events(floor_book.evening_of(table, rounds, None))
    incident = f"{INCIDENT}{machine[-1]}"
    partida = Partida.objects.filter(table_code=machine).latest("pk").partida_id
    by = Actor(floor_book.pit_of(machine), "fiscal_de_banca", "sala")
    jam: dict[str, Any] = {"category": "jam", "reason": "carta_presa", "people": ()}
    at = clock.now() - timedelta(seconds=10)
    event = IncidentReported(
        table=machine,
        partida=partida,
        incident=incident,
        shuffler=f"CSM-{machine[-2:]}",
        noticed_at=at,
        **jam,
    )
    write(event, by=by, at=at)
    load = BookEntry.objects.filter(partida_id=partida, kind="shuffler-loaded/1").latest("pk")
    complaint = f"{COMPLAINT}{machine[-1]}"
    received = ComplaintReceived(
        table=machine, partida=partida, complaint=complaint, subject="payment"
    )
    write(received, by=by, at=at)
    return Screens(_addresses(shoe, machine, incident, complaint, load))


def _addresses(
    shoe: str, machine: str, incident: str, complaint: str, load: BookEntry
) -> dict[str, str]:
    at_shoe = ("table", "exhibit", "cut", "shoe", "last_round", "interrupt", "dealer", "take_back")
    at_machine = ("load", "unload", "complaint", "order", "chips", "hand_over", "footage")
    of_incident = ("incident_steps", "incident_exchange", "incident_close", "notice")
    found = {
        name: reverse(f"sala:{name}")
        for name in (
            "floor",
            "enter",
            "factor",
            "leave",
            "open_several",
            "change",
            "lock",
            "theme",
            "components",
            "duty",
            "take_back_duty",
            "board",
            "board_now",
            "sheets",
            "away",
            "articles",
        )
    }
    found |= {name: reverse(f"sala:{name}", args=[shoe]) for name in at_shoe}
    found |= {name: reverse(f"sala:{name}", args=[machine]) for name in at_machine}
    found |= {name: reverse(f"sala:{name}", args=[machine, incident]) for name in of_incident}
    found |= {
        name: reverse(f"sala:{name}", args=[load.pk])
        for name in ("entry", "label", "witness", "correct", "withdraw")
    }
    found |= {"todo": reverse("sala:todo"), "summary": reverse("sala:summary", args=[CLOSED])}
    of_complaint = ("complaint_read", "complaint_decide", "complaint_hold", "complaint_slip")
    found |= {name: reverse(f"sala:{name}", args=[machine, complaint]) for name in of_complaint}
    found["open"] = reverse("sala:open", args=[UNOPENED])
    found["incident"] = reverse("sala:incident", args=[machine]) + "?category=jam"
    tapped = "s1+%3D1000+TH+7C+9D+TD+stand+@1.1+r2000"
    found["round"] = f"{reverse('sala:round', args=[machine])}?taps={tapped}"
    found["close"] = reverse("sala:close", args=[machine]) + "?confirm=1"
    found["reopen"] = reverse("sala:reopen", args=[CLOSED])
    return found


def everybody() -> Client:
    """A browser of one who holds every office of the floor."""
    for office in ("fiscal_de_banca", "fiscal_chefe", "chefia_da_sala"):
        appoint(STAFF, office)
    account = Account.objects.create_user(STAFF, PASSWORD, language="en")
    client = Client(headers={"accept-language": "en"})
    client.force_login(account)
    return client
