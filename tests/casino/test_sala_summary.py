"""What a game came to: before its closing what will be found, after it the summary, its chips."""

from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.events.complaints import ComplaintReceived
from casino.events.floor_life import ChipsCounted, DealerTookTable
from casino.events.incidents import IncidentReported
from casino.events.partidas import ChipCount, PartidaClosed
from casino.events.staff import StaffRegistered
from casino.recording import Actor
from tests.casino.sala_forms import address, errors_on, fill, send
from tests.factories.people import LONG_AGO, appoint, somebody, write
from tests.factories.recorded import entries, last_entry, the_event
from tests.factories.tables import MINUTE, PIT, TABLE, a_load, a_table, chefe_on_duty
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]


@recorded_once
def pit() -> Client:
    chefe_on_duty()
    return somebody("fiscal_de_banca")


def counted(partida: str, moment: Any, chips: int) -> None:
    counts = (ChipCount(value_cents=500, count=chips),)
    counted = ChipsCounted(table=TABLE, partida=partida, moment=moment, counts=counts)
    write(counted, by=PIT, at=clock.now() - 30 * MINUTE)


def test_a_closing_names_what_will_be_found_before_anybody_answers_for_it(pit: Client) -> None:
    """PT art. 55: the machine is emptied, and then its decks are put in order."""
    a_load(a_table())
    page = pit.get(address("close") + "?confirm=1")
    found = {one.check for one in page.context["found"]}
    assert "shuffler_unloaded_at_closing" in found
    assert "decks_ordered_at_closing" not in found  # they lie in the machine
    text = page.content.decode()
    assert text.index("What will be found") < text.index("I answer for this")
    out: dict[str, Any] = {"empty": "yes", "cards": "312", "closing_announced": "yes"}
    assert send(pit, address("unload"), **out).status_code == 303
    after = {one.check for one in pit.get(address("close") + "?confirm=1").context["found"]}
    assert "shuffler_unloaded_at_closing" not in after
    assert "decks_ordered_at_closing" in after


def test_where_the_cards_came_out_after_the_announcement_its_time_is_never_lost(
    pit: Client,
) -> None:
    """One way leads on, and it carries the moment."""
    a_load(a_table())
    out: dict[str, Any] = {"empty": "yes", "cards": "312", "closing_announced": "yes"}
    assert send(pit, address("unload"), **out).status_code == 303
    page = pit.get(address("close")).content.decode()
    assert page.count("?confirm=1") == 1
    (onward,) = [one for one in page.split('"') if one.startswith("?confirm=1")]
    url = address("close") + onward.replace("&amp;", "&")
    assert fill(pit, url)["announced"] != ""


def test_a_closing_ends_with_what_the_game_came_to(pit: Client) -> None:
    partida = a_table("shoe")
    values: dict[str, Any] = {"category": "other", "reason": "x", "people": ()}
    here = {"table": TABLE, "partida": partida}
    write(IncidentReported(**here, incident="IN-7", **values), by=PIT)
    write(ComplaintReceived(**here, complaint="RC-7", subject="payment"), by=PIT)
    answer = send(pit, address("close") + "?confirm=1", attest="all", rounds="12")
    assert answer.status_code == 303
    page = pit.get(answer["Location"])
    text = page.content.decode()
    for shown in ("IN-7", "RC-7", "not decided", "Not counted at the closing."):
        assert shown in text
    assert page.context["rounds"] == 12
    assert [one.what for one in page.context["items"]] == [
        "ordering",
        "chips",
        "incident",
        "complaint",
    ]
    assert address("summary") in pit.get(address("table")).content.decode()
    way = pit.get(reverse("admin:casino_closing_change", args=[last_entry("partida-closed/1").pk]))
    assert "/summary/?game=" in way.content.decode()


@pytest.mark.parametrize(
    ("rounds", "said"), [(None, "<dd>none on record</dd>"), (0, "<dd>0</dd>"), (12, "<dd>12</dd>")]
)
def test_rounds_nobody_told_are_not_on_record_and_are_no_0(
    pit: Client, rounds: int | None, said: str
) -> None:
    partida = a_table("shoe")
    write(PartidaClosed(table=TABLE, partida=partida, rounds=rounds), by=PIT, at=clock.now())
    assert f"<dt>Rounds</dt>{said}" in pit.get(address("summary")).content.decode()


def test_everybody_who_dealt_is_named_with_since_when(pit: Client) -> None:
    partida = a_table("shoe")
    here = {"table": TABLE, "partida": partida}
    appoint("P-118", "pagador")
    named = StaffRegistered(staff="P-118", name="Filipe Azenha Cruz")
    write(named, by=Actor("S-0001", "administrador", "local"), at=LONG_AGO)
    write(DealerTookTable(**here, pagador="P-118", relieves="P-104"), by=PIT, at=clock.now())
    since = last_entry("dealer-took-table/1").occurred_at
    dealers = pit.get(address("summary")).context["dealers"]
    assert dealers == [("P-104", None), ("P-118 · Filipe Azenha Cruz", since)]


@pytest.mark.parametrize(
    ("chips", "words"),
    [
        (100, "As much as the table began with."),
        (98, "€10.00 less than the table began with."),
        (101, "€5.00 more than the table began with."),
    ],
)
def test_chips_stand_against_the_float_with_what_was_brought_and_taken(
    pit: Client, chips: int, words: str
) -> None:
    partida = a_table("shoe")
    for moment, count in (("opening", 90), ("fill", 20), ("credit", 10)):
        counted(partida, moment, count)
    before = entries()
    answer = send(pit, address("chips"), **{"chips-500": str(chips), "add_up": "1"})
    assert words in answer.content.decode()
    assert "" in errors_on(answer)
    assert entries() == before  # added up, and nothing recorded
    assert send(pit, address("chips"), **{"chips-500": str(chips)}).status_code == 303
    write(PartidaClosed(table=TABLE, partida=partida, rounds=0), by=PIT, at=clock.now())
    page = pit.get(address("summary")).content.decode()
    assert "the cash counted of the table" in page
    assert [one[2] for one in pit.get(address("summary")).context["money"].terms] == [
        "€450.00", "€100.00", "€50.00", "", "€0.00", "€0.00",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("chips", "said"),
    [
        (80, "They agree to the cent."),
        (79, "€5.00 missing"),
        (82, "€10.00 too many"),
    ],
)
def test_a_closed_game_says_whether_its_chips_are_all_there(
    pit: Client, chips: int, said: str
) -> None:
    partida = a_table("shoe")
    counted(partida, "opening", 90)
    counted(partida, "interim", 85)
    assert send(pit, address("chips"), **{"chips-500": str(chips)}).status_code == 303
    write(PartidaClosed(table=TABLE, partida=partida, rounds=0), by=PIT, at=clock.now())
    page = pit.get(address("summary")).content.decode()
    assert "is not decidable" in page
    way = f"{address('chips')}?game={quote(partida, safe='')}"
    assert f'href="{way}"' in page
    # Whoever counts is not told what it should come to, right or wrong: it is recorded at once.
    assert send(pit, way, cash_cents="50,00").status_code == 303
    drop = the_event("drop-counted/1")
    assert (drop.cash_cents, drop.taken_at, drop.second) == (5_000, None, PIT.staff)
    page = pit.get(address("summary")).content.decode()
    assert said in page
    assert "may be right" in page  # the count between, of which the box tells too little
    assert 'name="cash_cents"' not in pit.get(way).content.decode()  # nothing is left to count


def test_without_a_float_nothing_is_compared(pit: Client) -> None:
    a_table("shoe")
    answer = send(pit, address("chips"), **{"chips-500": "40", "add_up": "1"})
    assert answer.context["total"] == "€200.00"
    assert "the table began with" not in answer.content.decode()


@pytest.mark.parametrize(
    ("given", "back"),
    [("/sala/BJ-06/", True), ("//evil.invalid/sala/", False), ("/admin/", False)],
)
def test_a_receipt_leads_back_to_the_floor_and_nowhere_else(
    pit: Client, given: str, back: bool
) -> None:
    a_table("shoe")
    answer = send(pit, address("chips"), **{"chips-500": "40"})
    recorded = pit.get(answer["Location"]).content.decode()
    url = reverse("admin:casino_bookentry_receipt", args=[last_entry("chips-counted/1").pk])
    assert f'href="{url}?from=' in recorded
    page = pit.get(url, {"from": given})
    assert page.status_code == 200
    assert (f'class="to-floor no-print" href="{given}"' in page.content.decode()) is back
