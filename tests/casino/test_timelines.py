"""Timelines in the admin: who reads what of it, in which order, what stands beside it."""

import re
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from html import unescape
from io import StringIO
from typing import Any, Final
from uuid import uuid4

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from audit.models import Finding
from casino import clock
from casino.demo import cast, load_demo
from casino.events.complaints import ComplaintReceived
from casino.events.floor_life import RoundsDeferred
from casino.events.incidents import IncidentReported
from casino.events.inspection import FirmwareDecided
from casino.events.shoes import CardBurned, CartaAvisoPlaced
from casino.events.shuffler_reports import ShufflerCycle, ShufflerSelfCheck, ShufflerSignal
from casino.events.shufflers import ShufflerLoaded, ShufflerRegistered
from casino.events.staff import DutyBegun, StaffRegistered
from casino.house_day import gaming_day_now
from casino.law.rulebook.rulebook_file import load_law
from casino.models import Account, BookEntry, Partida, PrivateLook, Supersession
from casino.recording import Actor, Receipt, Source, Supersedes, record
from tests.factories.evenings import opened
from tests.factories.findings import client_of, finding, people, write
from tests.factories.people import appoint, somebody
from tests.factories.people import write as write_event
from tests.factories.rounds_at_size import Months, fill
from tests.factories.usual_events import ref
from tests.gate import SOAK, size

pytestmark = [pytest.mark.usefixtures("english"), pytest.mark.share]
QUERIES: Final = 15
OF_A_DOSSIER: Final = 2  # what a shuffler reported of itself, its firmware
SLOWEST: Final = 0.4  # seconds, of nineteen pages in twenty
PIT: Final = Actor("S-0187", "fiscal_de_banca", "admin")
OTHER: Final = Actor("S-0190", "fiscal_de_banca", "admin")


def page(client: Client, address: str) -> str:
    """A page's text, without its marks and the kinds one may ask for."""
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    content = re.sub(r"<select.*?</select>", "", answer.content.decode(), flags=re.DOTALL)
    content = content.partition("<main")[2]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", content)))


def asked_of(client: Client, address: str) -> list[str]:
    """What a page asks the database; the bounds of transactions ask nothing."""
    with CaptureQueriesContext(connection) as asked:
        assert client.get(address).status_code == 200, address
    return [one["sql"] for one in asked if one["sql"] not in ("BEGIN", "COMMIT")]


def inspector_of_the_demo() -> Client:
    """A browser of the inspector who has a login in the demo."""
    Account.objects.filter(staff=cast.INSPECTOR.number).update(language="en")
    client = Client(headers={"accept-language": "en"})
    client.force_login(Account.objects.get(staff=cast.INSPECTOR.number))
    return client


def today(table: str) -> str:
    """A partida of this gaming day at a table."""

    return f"{table}/{gaming_day_now().isoformat()}/1"


def record_events(
    event: Any, at: datetime, by: Actor = PIT, corrects: Receipt | None = None
) -> Receipt:
    """Record an event as it would have been recorded from a form."""
    target = None if corrects is None else Supersedes(corrects.n, corrects.leaf, "typing_mistake")
    return record(event, key=uuid4(), by=by, occurred_at=at, source=Source(), supersedes=target)


class Recorded:
    """One game of now at a table: opened an hour ago by its fiscal de banca."""

    def __init__(self, table: str = "BJ-06", by: Actor = PIT) -> None:
        self.partida = today(table)
        self.at = {"table": table, "partida": self.partida}
        self.by = by
        for staff in {by.staff, "S-0021"}:
            appoint(staff, by.office if staff == by.staff else "fiscal_chefe")
        day = self.partida.split("/")[1]
        self.since = clock.now() - timedelta(minutes=60)
        self.record(opened(table, day, dealing="shoe", fiscal_de_banca=by.staff), 0)

    def record(self, event: Any, minutes: int, corrects: Receipt | None = None) -> Receipt:
        """So many minutes after the opening."""
        return record_events(event, self.since + timedelta(minutes=minutes), self.by, corrects)

    @property
    def address(self) -> str:
        """Its timeline."""
        return f"/timelines/partidas/{self.partida}/"


@pytest.mark.usefixtures("fresh_db")
def test_in_the_order_it_happened_with_the_moment_of_recording() -> None:
    game = Recorded()
    game.record(CardBurned(**game.at, shoe=1, cards=1), 30)
    game.record(CartaAvisoPlaced(**game.at, shoe=1, cards_from_end=50, players=3), 25)
    text = page(somebody("inspetor"), game.address)
    assert text.index("Partida opened") < text.index("Warning card placed")
    assert text.index("Warning card placed") < text.index("Card burnt")
    late = [f"{time} later" for time in ("1 h 00 min", "35 min", "30 min")]
    assert [one for one in late if one in text] == late


@pytest.mark.usefixtures("fresh_db")
def test_a_gap_is_said_where_a_game_was_on_and_only_there() -> None:
    game = Recorded()
    game.record(CartaAvisoPlaced(**game.at, shoe=1, cards_from_end=50, players=3), 19)
    game.record(CardBurned(**game.at, shoe=1, cards=1), 57)
    inspector = somebody("inspetor")
    listed = re.findall(r"(\S+ min) without a record", page(inspector, game.address))
    assert listed == ["38 min"]
    of_one_kind = page(inspector, f"{game.address}?kind=card-burned/1")
    assert "without a record" not in of_one_kind


@pytest.mark.usefixtures("fresh_db")
def test_what_was_corrected_stays_readable_beside_what_took_its_place() -> None:
    game = Recorded()
    wrong = game.record(CardBurned(**game.at, shoe=1, cards=2), 10)
    game.record(CardBurned(**game.at, shoe=1, cards=1), 10, corrects=wrong)
    inspector = somebody("inspetor")
    text = page(inspector, game.address)
    assert "correction asked for" in text
    assert f"Corrects entry {wrong.n} (" in text
    assert f"Corrected by entry {wrong.n + 1} (" in text
    assert Supersession.objects.count() == 1
    content = inspector.get(game.address).content.decode()
    assert "<s>" not in content  # until a second person approved it


@pytest.mark.usefixtures("fresh_db")
def test_the_approved_correction_strikes_the_original() -> None:
    load_demo.load(logins_wanted=lambda: False)
    day = Partida.objects.values_list("gaming_day", flat=True)[0].isoformat()
    client = inspector_of_the_demo()
    content = client.get(f"/timelines/partidas/BJ-01/{day}/1/").content.decode()
    (struck,) = re.findall(r'<li class="replaced">.*?</li>\s*(?=<li|</ol)', content, re.DOTALL)[:1]
    assert "<s>Deck inspected</s>" in struck
    assert "<s>51</s>" in struck


@pytest.mark.usefixtures("fresh_db")
def test_everything_that_names_a_deck_a_machine_or_a_person() -> None:
    game = Recorded()
    load = {"shuffler": "CSM-04", "decks": ("D06-1", "D06-2"), "packets": 2, "operator": "P-104"}
    game.record(ShufflerLoaded(**game.at, **load), 5)
    jam = {"category": "jam", "reason": "x", "people": (), "shuffler": "CSM-04"}
    game.record(IncidentReported(**game.at, incident="I-1", opened_by="S-0021", **jam), 9)
    inspector = somebody("inspetor")
    machine = page(inspector, "/timelines/shufflers/CSM-04/")
    assert machine.index("Shuffler loaded") < machine.index("Incident reported")
    deck = page(inspector, "/timelines/decks/D06-2/")
    assert "Shuffler loaded" in deck
    assert "Partida opened" in deck
    assert "Incident reported" not in deck
    assert "Shuffler loaded" in page(inspector, "/timelines/people/P-104/")
    chefe = page(inspector, "/timelines/people/S-0021/")
    assert "Incident reported" in chefe
    assert "Shuffler loaded" not in chefe
    assert "Shuffler loaded" in page(inspector, "/timelines/tables/BJ-06/")


@pytest.mark.usefixtures("fresh_db")
def test_a_machines_dossier_stands_above_its_timeline_for_whoever_reads_all_of_it() -> None:
    address, device = "/timelines/shufflers/CSM-04/", Actor("CSM-04", "dispositivo", "api")
    registered = {"maker": "Casa", "model": "Six", "serial": "417", "at_table": "BJ-06"}
    manager = Actor("S-0003", "chefia_da_sala", "admin")
    appoint("S-0003", "chefia_da_sala")
    appoint("CSM-04", "dispositivo")
    write_event(ShufflerRegistered(shuffler="CSM-04", **registered), by=manager)
    game = Recorded()
    load = {"shuffler": "CSM-04", "decks": ("D06-1", "D06-2"), "packets": 2, "operator": "P-104"}
    loaded = game.record(ShufflerLoaded(**game.at, **load), 5)
    inspector, pit = somebody("inspetor"), somebody("fiscal_de_banca")
    bare = page(inspector, address)
    assert "The machine" in bare
    assert "Loaded and emptied" in bare
    assert "nobody" in bare  # confirmed it
    for heading in ("Cycles it reported", "Program and seals it reported", "Warning light and lid"):
        assert heading not in bare  # a machine that reports nothing is shown as before
    said: tuple[tuple[Any, dict[str, Any]], ...] = (
        (ShufflerSelfCheck, {"firmware": "4.2", "firmware_sha256": "a" * 64, "seals": "broken"}),
        (ShufflerCycle, {"phase": "ended", "mode": "sort", "cards": 103}),
        (ShufflerSignal, {"signal": "light_on"}),
    )
    reports = [
        record_events(event_class(**game.at, shuffler="CSM-04", **fields), game.since, device)
        for event_class, fields in said
    ]
    of_it = {"table": "BJ-06", "partida": game.partida, "where": {"load": 1}}
    of_it |= {"article": "house.devices", "check": "shuffler_seals_intact"}
    of_it |= {"gaming_day": gaming_day_now(), "owed_cents": 0, "owed_to": None, "readings": ()}
    cited = {"evidence": (ref(reports[0]),), "observed": {"seals": "broken"}}
    write([finding(1, **of_it, **cited, expected={"seals": "intact"})])
    text = page(inspector, address)
    for shown in (
        "of this model nothing is on record",
        "broken",
        "sorting",
        "103",
        "warning light on",
    ):
        assert shown in text, shown
    assert "Findings that name it" in text
    assert "reported a broken seal" in text
    decided: dict[str, Any] = {"model": "Six", "firmware": "4.2", "firmware_sha256": "a" * 64}
    decided |= {"decision": "approved", "valid_from": game.since, "document": "Despacho 7"}
    write_event(FirmwareDecided(**decided), by=manager)
    assert "approved program" in page(inspector, address)
    assert str(loaded.n) in text
    own = page(pit, address)
    assert "Shuffler loaded" in own  # of his game, and no more than that
    assert "The machine" not in own


def links(client: Client, address: str) -> set[str]:
    """The timelines a page leads to."""
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    main = answer.content.decode().partition("<main")[2]
    return {unescape(one) for one in re.findall(r'href="(/timelines/[^"?]+)', main)}


@pytest.mark.check
@pytest.mark.usefixtures("fresh_db")
def test_lists_and_records_lead_to_what_they_name() -> None:
    game = Recorded()
    load = {"shuffler": "CSM-04", "decks": ("D06-1", "D06-2"), "packets": 2, "operator": "P-104"}
    receipt = game.record(ShufflerLoaded(**game.at, **load), 5)
    inspector = somebody("inspetor")
    by_name = {"tables/BJ-06", "shufflers/CSM-04", "people/P-104", "people/S-0187"}
    record = {f"/timelines/{name}/" for name in (*by_name, "decks/D06-1", "decks/D06-2")}
    entry = f"/admin/casino/shufflerload/{receipt.entry_id}/"
    assert links(inspector, entry) == record | {game.address}
    listed = links(inspector, "/admin/casino/shufflerload/")
    assert listed == {f"/timelines/{name}/" for name in by_name - {"tables/BJ-06"}} | {game.address}
    assert game.address in links(inspector, "/admin/casino/bookentry/")
    # From a deck's timeline to the games it was used in; from a game's own not to itself.
    assert game.address in links(inspector, "/timelines/decks/D06-2/")
    assert links(inspector, game.address) == set()


@pytest.mark.usefixtures("fresh_db")
def test_nobody_is_led_where_he_may_not_go() -> None:
    game = Recorded(by=OTHER)
    his = record_events(
        CardBurned(**game.at, shoe=1, cards=1), game.since, PIT
    )  # at another's game
    client = somebody("fiscal_de_banca", "S-0187")
    led = links(client, f"/admin/casino/burn/{his.entry_id}/")
    assert game.address not in led
    assert "/timelines/people/S-0187/" in led
    assert game.address not in links(client, "/timelines/people/S-0187/")
    assert client.get(game.address).status_code == 403


@pytest.mark.usefixtures("fresh_db")
def test_a_persons_page_begins_with_his_name_for_whoever_may_see_it() -> None:
    Recorded()
    write_event(StaffRegistered(staff="S-0187", name="Carla Paiva"))
    inspector = somebody("inspetor")
    address = "/timelines/people/S-0187/"
    assert inspector.get(address).context["title"] == "Person S-0187 · Carla Paiva"
    look = PrivateLook.objects.latest("at")
    assert (look.field, look.page) == ("name", address)
    pit = somebody("fiscal_de_banca", "S-0190")  # who knows his colleagues of the floor
    duty = DutyBegun(staff="S-0190", office="fiscal_de_banca", tables=("BJ-06",))
    write([duty], Actor("S-0104", "fiscal_chefe", "job"), clock.now() - timedelta(minutes=1))
    assert "Carla Paiva" in pit.get(address).context["title"]
    unknown = inspector.get("/timelines/people/S-0021/")
    assert unknown.context["title"] == "Person S-0021"


@pytest.mark.usefixtures("fresh_db")
def test_a_finding_leads_to_its_game_and_its_table() -> None:
    people()
    write([finding(1, partida="BJ-01/2025-11-20/1")])
    found = Finding.objects.get()
    shown = reverse("admin:audit_finding_change", args=[found.pk])
    led = links(client_of("inspetor", "en"), shown)
    assert {"/timelines/partidas/BJ-01/2025-11-20/1/", "/timelines/tables/BJ-01/"} <= led


# Who may read what


@pytest.mark.usefixtures("fresh_db")
def test_a_fiscal_de_banca_reads_his_own_games_alone() -> None:
    his, anothers = Recorded(), Recorded("BJ-01", OTHER)
    client = somebody("fiscal_de_banca", "S-0187")
    his.record(CardBurned(**his.at, shoe=1, cards=1), 10)
    anothers.record(CardBurned(**anothers.at, shoe=1, cards=1), 10)
    assert "Card burnt" in page(client, his.address)
    assert client.get(anothers.address).status_code == 403
    # Of a table he is led to his own games; of a deck he reads what they tell.
    assert his.partida in page(client, "/timelines/tables/BJ-06/")
    assert client.get("/timelines/tables/BJ-01/").status_code == 404
    deck = page(client, "/timelines/decks/D06-1/")
    assert "Partida opened" in deck
    assert "BJ-01" not in deck
    assert client.get("/timelines/people/S-0190/").status_code == 404


@pytest.mark.usefixtures("fresh_db")
@pytest.mark.parametrize(
    "thing",
    [
        "partidas/BJ-06/2026-11-20/1",
        "tables/BJ-06",
        "decks/D-1",
        "shufflers/CSM-04",
        "people/S-0187",
    ],
)
def test_nobody_without_an_office_reads_any(thing: str) -> None:
    address = f"/timelines/{thing}/"
    assert Client().get(address).status_code == 302
    client = Client()
    client.force_login(Account.objects.create_user("S-0999", None))
    assert client.get(address).status_code in (302, 403)


@pytest.mark.usefixtures("fresh_db")
@pytest.mark.parametrize("office", ["administrador"])
def test_whoever_reads_no_games_reads_no_timeline_of_one(office: str) -> None:
    game = Recorded()
    assert somebody(office).get(game.address).status_code == 403


@pytest.mark.check
@pytest.mark.usefixtures("fresh_db")
@pytest.mark.parametrize(
    "query",
    [
        "?after=nonsense",
        "?after=2026-11-20T21:00:00~x",
        "?before=~",
        "?day=2026-13-40",
        "?kind=x/1",
        "?kind=%00",
        "?day=0001-01-01",
        "?day=9999-12-31",
        "?after=2026-11-20T21:00:00%2B00:00~00000000-0000-7000-8000-000000000000",
    ],
)
def test_what_an_address_says_wrongly_is_no_error(query: str) -> None:
    game = Recorded()
    client = somebody("inspetor")
    for address in (game.address, "/timelines/tables/BJ-06/", "/timelines/decks/D06-1/"):
        assert client.get(address + query).status_code == 200, address + query
    for name in ("%00", "%C3%A9", "<script>", "a%2Fb"):
        assert client.get(f"/timelines/decks/{name}/").status_code in (200, 404)


# What is worked out


@pytest.mark.check
@pytest.mark.usefixtures("fresh_db")
def test_a_complaint_under_way_stands_on_the_page_of_its_game() -> None:
    load_demo.load(logins_wanted=lambda: False)
    partida = Partida.objects.filter(dealing="shuffler").order_by("partida_id")[0].partida_id
    last = BookEntry.objects.filter(partida_id=partida, kind="round-played/1").latest("occurred_at")
    by = Actor(*cast.PIT.who)
    at = {"table": partida.split("/")[0], "partida": partida}
    from casino.queries import load_entry

    recorded = load_entry(last.pk)
    assert recorded is not None
    played = recorded.event.round
    waits = RoundsDeferred(**at, rounds=(played,), reason="dispute")
    record_events(waits, last.occurred_at + timedelta(seconds=20), by)
    complaint = ComplaintReceived(**at, complaint="RC-9", subject="counting", round=played)
    record_events(complaint, last.occurred_at + timedelta(seconds=30), by)
    client = inspector_of_the_demo()
    text = page(client, f"/timelines/partidas/{partida}/")
    assert "complaint RC-9 not looked into yet" in text
    assert "Hangs on the reading: until the cards enter the shuffler" in text
    assert "told to wait" in text
    assert "card for cutting there are none" in text
    assert "Cuts, shoe by shoe" not in text  # a shuffler is not cut


@pytest.mark.usefixtures("fresh_db")
def test_cuts_and_warning_cards_shoe_by_shoe_with_what_was_found() -> None:
    load_demo.load(logins_wanted=lambda: False)
    day = Partida.objects.values_list("gaming_day", flat=True)[0].isoformat()
    with pytest.raises(SystemExit):
        call_command("reconcile", "--from", day, "--no-progress", stdout=StringIO())
    client = inspector_of_the_demo()
    address = f"/timelines/partidas/BJ-01/{day}/1/"
    text = page(client, address)
    assert text.count("in turn") >= 5
    assert text.count("not in turn: due was seat") == 1
    assert "Warning card against the cards dealt" in text
    assert "where it was said to lie" in text
    law = load_law("pt")
    for name in ("cut-after-refusal", "cut-wraps", "one-player"):
        of = law.readings[name]
        says = next(one.means_en for one in of.choices if one.value == of.choice)
        assert f"Hangs on the reading: {says}" in text
    assert "Findings of this game" in text
    found = re.compile(r"seat \d cut[^;]*; it was seat \d.s turn")
    assert len(found.findall(text)) == 1  # among all of them
    cuts = page(client, f"{address}?kind=cut-made/1")
    assert len(found.findall(cuts)) == 3  # beside both cuts too
    assert len(asked_of(client, address)) <= QUERIES


# A hundred thousand entries


NAMED: Final = """
INSERT INTO casino_naming (id, stream, n, gaming_day, table_code, partida_id, occurred_at,
    recorded_at, staff, office, supersedes_leaf, entry_id, thing, code, role, kind)
SELECT gen_random_uuid(), s.name, e.n, e.gaming_day, e.table_code, e.partida_id, e.occurred_at,
    e.recorded_at, 'S-0187', 'fiscal_de_banca', '', e.id, thing, code, 'author', e.kind
FROM book_entry e JOIN book_stream s ON s.id = e.stream_id,
    (VALUES ('person', 'S-0187'), ('deck', 'D-1'), ('shuffler', 'CSM-04')) AS named(thing, code)
WHERE e.table_code = 'BJ-01'
"""


@pytest.mark.check
def test_any_page_of_many_entries_is_quick_and_asks_little(
    fresh_db: str,
    connect_as: Callable[..., psycopg.Connection],
    capsys: pytest.CaptureFixture[str],
) -> None:
    months = Months(730, 2, 137) if SOAK else Months(4, 2, 125)
    again = size(1, 1, 20)
    people()
    book = connect_as("postgres", autocommit=True)
    fill(book, months)
    book.execute(NAMED)
    book.execute("ANALYZE")
    there = BookEntry.objects.filter(table_code="BJ-01").order_by("occurred_at")
    many = there.count()
    middle = there[many // 2]
    at = f"{middle.occurred_at.isoformat().replace('+', '%2B')}~{middle.pk}"
    things = ("tables/BJ-01", "people/S-0187", "decks/D-1", "shufflers/CSM-04")
    addresses = [
        f"/timelines/{thing}/{query}"
        for thing in things
        for query in (
            "",
            f"?after={at}",
            f"?before={at}",
            "?kind=partida-opened/1",
            f"?kind=card-burned/1&after={at}",
            f"?day={middle.gaming_day}",
        )
    ]
    game = f"/timelines/partidas/{middle.partida_id}/"
    addresses += [game, f"{game}?after={at}", f"{game}?kind=round-played/1"]
    lines, slow = [], []
    inspector = client_of("inspetor", "en")
    for address in addresses:
        asked = asked_of(inspector, address)
        most = QUERIES + OF_A_DOSSIER * ("/shufflers/" in address)
        assert len(asked) <= most, (address, asked)
        took = []
        for _ in range(again):
            begun = time.perf_counter()
            inspector.get(address)
            took.append(time.perf_counter() - begun)
        p95 = sorted(took)[int(len(took) * 0.95) - (len(took) > 1)]
        lines.append(f"{p95 * 1000:6.0f} ms {len(asked):3} {address}")
        if again > 1 and p95 > SLOWEST:
            slow.append(lines[-1])
    with capsys.disabled():
        if again > 1:
            print("\n".join([f"\n{many} entries of the table:", *lines]))  # noqa: T201
    assert slow == []
