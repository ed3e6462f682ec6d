"""S1 and the page of one table: what is seen, what is due, where one is led."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from casino import clock
from casino.events.complaints import ComplaintReceived
from casino.events.floor_life import PartidaReopened, RoundsDeferred
from casino.events.incidents import IncidentReported, IncidentStep
from casino.events.round.round_played import RoundPlayed, Times
from casino.events.shoes import CardBurned, LastRoundAnnounced
from casino.events.shufflers import ShufflerLoaded
from casino.events.staff import DutyBegun
from casino.floor import gathering, table_state
from casino.house_day import gaming_day_now
from casino.queries import dossier_of
from casino.recording import Actor, Source, Supersedes, record
from tests.casino.floor_watch import Due, asked_instead
from tests.factories.floor import (
    DECKS,
    MACHINE_TABLE,
    PIT,
    SHOE_TABLE,
    ago,
    game,
    house,
    opened,
    opening,
    played,
    prepared,
    register,
    shuffled,
    yesterday,
)
from tests.factories.people import CAST, somebody, write
from tests.factories.usual_events import MACHINE
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
AT = f"/sala/{SHOE_TABLE}/"
MANAGER = Actor(CAST["chefia_da_sala"], "chefia_da_sala", "admin")


@recorded_once
def pit() -> Client:
    house()
    return somebody("fiscal_de_banca")


@recorded_once
def table_open(pit: Client) -> None:
    """The table is open."""
    opened()


def page(client: Client, address: str = "/sala/") -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def tiles(client: Client, group: str) -> list[str]:
    """The tables of a group, in the order in which they are shown."""
    return [tile.state.table for tile in client.get("/sala/").context[group]]


# S1


def test_open_tables_and_those_to_be_opened(pit: Client) -> None:
    assert (tiles(pit, "quiet"), tiles(pit, "closed")) == ([], [SHOE_TABLE, MACHINE_TABLE])
    opened()
    assert (tiles(pit, "quiet"), tiles(pit, "closed")) == ([SHOE_TABLE], [MACHINE_TABLE])


@pytest.mark.usefixtures("table_open")
def test_a_tile_tells_what_is_due_by_which_article_and_since_when(pit: Client) -> None:
    text = page(pit)
    assert "Shuffle and cut" in text
    assert "n.º 8" in text
    assert "just now" in text


def test_a_table_that_was_opened_again_is_open(pit: Client) -> None:
    yesterday()
    again = PartidaReopened(**game(days_ago=1), reason="mistake")
    write(again, by=MANAGER, at=clock.now() - timedelta(hours=19))
    assert tiles(pit, "quiet") == [SHOE_TABLE]


def test_what_asks_for_attention_comes_first_the_gravest_before_the_others(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_instead(monkeypatch)
    register("BJ-03")
    for table in ("BJ-01", "BJ-02", "BJ-03"):
        opened(table, shown=False)
    assert tiles(pit, "attention") == ["BJ-02", "BJ-01"]
    assert tiles(pit, "quiet") == ["BJ-03"]
    text = page(pit)
    assert "Nobody has cut." in text
    assert "Nobody &lt;b&gt;confirmed&lt;/b&gt; it." in text
    assert "and 2 more" in text  # three are recorded, of five


def test_an_alert_leads_overseers_to_its_finding_and_says_its_words_to_all(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_instead(monkeypatch)
    opened()
    assert "Nobody has cut." in page(pit, AT)
    assert "/admin/audit/finding/1/" not in page(pit, AT)
    assert "/admin/audit/finding/1/" in page(somebody("inspetor"), AT)


def recorded_of(monkeypatch: pytest.MonkeyPatch, *due: Due) -> None:
    asked_instead(monkeypatch, lambda *_: {SHOE_TABLE: due})


def test_an_alert_may_be_some_seconds_old_but_never_older_than_what_ones_tablet_sent(
    pit: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ALERTS_PATIENCE = 60
    monkeypatch.setattr(table_state, "kept", {})
    opened()
    recorded_of(monkeypatch, Due("warning", "Nobody has cut."))
    assert "Nobody has cut." in page(pit)
    recorded_of(monkeypatch)  # somebody at another tablet cut
    assert "Nobody has cut." in page(pit, AT)
    pit.post(AT + "interrupt/")  # whatever it was
    assert "Nobody has cut." not in page(pit, AT)
    chefe = somebody("fiscal_chefe")
    assert "Nobody has cut." in page(chefe, AT)
    recorded_of(monkeypatch, Due("warning", "Nobody has cut."))
    later = clock.now() + timedelta(seconds=61)
    monkeypatch.setattr(clock, "now", lambda: later)
    recorded_of(monkeypatch)
    assert "Nobody has cut." not in page(chefe, AT)


def test_an_alert_of_another_night_is_told_as_such_and_is_not_tonights(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened()
    yesterday = game(days_ago=1)["partida"]
    recorded_of(monkeypatch, Due("breach", "A load waits.", partida=yesterday))
    assert tiles(pit, "quiet") == [SHOE_TABLE]  # nothing red for tonight
    assert "1 alert of an earlier game" in page(pit)
    found = pit.get(AT).context
    assert found["alerts"] == []
    day = gaming_day_now() - timedelta(days=1)
    assert [one.game for one in found["earlier"]] == [f"of {day:%d/%m}, game 1"]
    assert f"of {day:%d/%m}, game 1" in page(pit, AT)


@pytest.mark.parametrize(
    ("recorded", "tonight"),
    [
        ({"partida": ""}, True),  # of the table, and of no day
        ({"partida": "tonight"}, True),
        ({"partida": "", "day": 0}, True),
        ({"partida": "", "day": 1}, False),
        ({"partida": "before", "due": True}, True),  # somebody can still act on it
    ],
)
def test_what_is_tonights_and_what_is_not(
    pit: Client, monkeypatch: pytest.MonkeyPatch, recorded: Any, tonight: bool
) -> None:
    opened()
    games = {"": "", "tonight": game()["partida"], "before": game(days_ago=1)["partida"]}
    day = gaming_day_now() - timedelta(days=recorded["day"]) if "day" in recorded else None
    due = Due(
        "warning", "x", partida=games[recorded["partida"]], due=recorded.get("due", False), day=day
    )
    recorded_of(monkeypatch, due)
    assert tiles(pit, "attention" if tonight else "quiet") == [SHOE_TABLE]


def test_article_54_a_load_that_was_confirmed_shows_no_alert_until_it_is_looked_at_again(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened()
    due = Due("breach", "Nobody confirmed.", check="loading_witnessed", partida=game()["partida"])
    recorded_of(monkeypatch, due)
    assert tiles(pit, "quiet") == [SHOE_TABLE]


def test_what_is_anothers_to_see_to_is_said_whose_it_is(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened()
    due = Due("breach", "x", check="complaint_answered", partida=game()["partida"])
    recorded_of(monkeypatch, due)
    (alert,) = pit.get(AT).context["alerts"]
    assert (alert.severity, alert.otherwise) == ("note", "For: chefia da sala, fiscal-chefe.")
    assert alert.otherwise in page(pit, AT)
    assert "For: " not in page(somebody("fiscal_chefe"), AT)


def test_an_open_jam_says_that_no_round_is_dealt_until_it_is_solved(pit: Client) -> None:
    opened(MACHINE_TABLE)
    jam = IncidentReported(
        **game(MACHINE_TABLE),
        incident="IN-52",
        category="jam",
        reason="carta_presa",
        people=(),
        shuffler=MACHINE,
        noticed_at=clock.now(),
    )
    assert tiles(pit, "quiet") == [MACHINE_TABLE]
    write(jam, by=PIT, at=clock.now() - timedelta(seconds=5))
    assert tiles(pit, "attention") == [MACHINE_TABLE]
    said = "No round is dealt while the shuffler is jammed or its light warns."
    assert said in page(pit, f"/sala/{MACHINE_TABLE}/")
    solved = IncidentStep(**game(MACHINE_TABLE), incident="IN-52", step="resolved")
    write(solved, by=PIT, at=clock.now())
    assert said not in page(pit, f"/sala/{MACHINE_TABLE}/")


def test_without_a_watch_the_floor_is_shown_all_the_same(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_instead(monkeypatch, lambda *_: {})
    opened()
    assert tiles(pit, "quiet") == [SHOE_TABLE]


def test_my_tables_are_those_of_my_duty_and_of_my_games(pit: Client) -> None:
    for number in range(3, 6):
        register(f"BJ-0{number}")
    opened()  # his own
    another = Actor("S-0500", "fiscal_de_banca", "sala")
    write(replace(opening("BJ-03"), fiscal_de_banca=another.staff), by=another, at=ago(50))
    begun = DutyBegun(staff=PIT.staff, office="fiscal_de_banca", tables=("BJ-04",))
    write(begun, by=MANAGER)
    found = pit.get("/sala/?mine=1").context
    shown = [tile.state.table for name in ("attention", "quiet", "closed") for tile in found[name]]
    assert shown == ["BJ-01", "BJ-04"]


@pytest.mark.parametrize("count", [2, 12])
def test_the_floor_asks_the_book_as_often_for_twelve_tables_as_for_two(
    pit: Client, django_assert_max_num_queries: Any, count: int
) -> None:
    for number in range(1, count + 1):
        table = f"BJ-{number:02d}"
        if number > 2:
            register(table)
        opened(table, shown=False)
    page(pit)
    with django_assert_max_num_queries(40):
        page(pit)


# One table


def test_a_table_nobody_knows_is_not_found(pit: Client) -> None:
    assert pit.get("/sala/BJ-99/").status_code == 404
    assert pit.get("/sala/%3Cscript%3E/").status_code == 404


@pytest.mark.usefixtures("table_open")
def test_the_next_step_stands_on_the_tables_own_page(pit: Client) -> None:
    assert "Record shuffle by hand and cut – the fiscal" in page(pit, AT)
    prepared()
    assert "Warning card came out: last round announced aloud" in page(pit, AT)


@pytest.mark.usefixtures("table_open")
def test_what_was_recorded_last_is_told_with_its_author_and_can_be_corrected(pit: Client) -> None:
    found = pit.get(AT).context["lately"]
    assert [(line.what, line.more, line.who) for line in found] == [
        ("Deck inspected", "× 6", PIT.staff),
        ("Table opened: €10.00 – €300.00 · shoe · 6 decks", "", PIT.staff),
    ]
    assert [line.what for line in found[0].like][::-1] == [
        f"Deck {deck} exhibited: conform" for deck in DECKS
    ]
    assert page(pit, AT).count("/correct/") == 7  # each deck by itself


@pytest.mark.usefixtures("table_open")
def test_what_devices_bring_of_rounds_is_not_listed_there(pit: Client) -> None:
    played(1, 1, by=replace(PIT, door="import"))
    assert "round" not in " ".join(line.what for line in pit.get(AT).context["lately"]).lower()


# What the rounds say: articles 9, 60, 61


def said(client: Client, table: str = SHOE_TABLE) -> Any:
    return client.get(f"/sala/{table}/").context["watched"]


@pytest.mark.usefixtures("table_open")
@pytest.mark.parametrize(
    ("from_end", "tone", "words"),
    [
        (307, "kept", "came 307 from the end, recorded 307: agrees"),
        (302, "kept", "came 307 from the end, recorded 302: agrees"),  # five cards are tolerated
        (301, "warning", "came 307 from the end, recorded 301: does not agree"),
        (50, "warning", "came 307 from the end, recorded 50: does not agree"),
    ],
)
def test_article_9_the_warning_card_against_the_cards_that_were_dealt(
    pit: Client, from_end: int, tone: str, words: str
) -> None:
    prepared(at_end=from_end)
    assert said(pit) is None
    played(1, 1, warning_card_at=4)  # one burnt, four dealt, of 312
    found = said(pit).card
    assert (found.tone, found.words) == (tone, words)
    assert words in page(pit, AT)


@pytest.mark.usefixtures("table_open")
def test_article_9_where_a_round_is_missing_nothing_is_said_to_disagree(pit: Client) -> None:
    prepared()
    played(1, 2, warning_card_at=4)
    assert said(pit).card.tone == "idle"
    assert "the rounds do not tell every card" in said(pit).card.words


@pytest.mark.usefixtures("table_open")
def test_article_9_the_shoe_before_is_still_told_of_while_the_next_is_made_ready(
    pit: Client,
) -> None:
    prepared()
    played(1, 1, warning_card_at=4)
    write(LastRoundAnnounced(**game(), shoe=1, came_out="during_round"), by=PIT, at=ago(9))
    shuffled(2)
    assert "shoe no. 1" in said(pit).card.about


def loaded() -> None:
    """The shuffler's table is open and dealing."""
    opened(MACHINE_TABLE)
    shuffled(1, MACHINE_TABLE)
    load = ShufflerLoaded(
        **game(MACHINE_TABLE), shuffler=MACHINE, decks=DECKS, packets=3, operator="P-104"
    )
    write(load, by=PIT, at=ago(30))


def timed(minutes: int, *, inserted: bool) -> Times:
    """A round that began so many minutes ago; its cards went in three minutes later, or not yet."""
    begun = ago(minutes)
    return Times(
        stakes_closed=begun - timedelta(seconds=4),
        first_card=begun,
        collected=begun + timedelta(minutes=2) if inserted else None,
        inserted=begun + timedelta(minutes=3) if inserted else None,
    )


def machine_round(number: int, minutes: int, *, inserted: bool) -> Any:
    times = timed(minutes, inserted=inserted)
    return played(1, number, table=MACHINE_TABLE, minutes=minutes - 3, times=times)


def test_article_61_a_round_whose_cards_went_in_and_one_nobody_timed(pit: Client) -> None:
    loaded()
    machine_round(1, 20, inserted=True)
    machine_round(2, 10, inserted=False)
    found = said(pit, MACHINE_TABLE).window
    assert [(one.about, one.tone) for one in found] == [("Round 2", "warning"), ("Round 1", "idle")]
    assert "its cards went in at" in found[1].words
    assert found[0].words == "nobody told whether its cards went in"


def test_article_60_cards_that_wait_can_still_be_complained_of(pit: Client) -> None:
    loaded()
    first = machine_round(1, 20, inserted=False)
    waiting = RoundsDeferred(**game(MACHINE_TABLE), rounds=(first.round,), reason="jam")
    write(waiting, by=PIT, at=ago(15))
    found = said(pit, MACHINE_TABLE).window
    assert [(one.tone, one.words) for one in found] == [
        ("kept", "can be complained of: its cards wait")
    ]


def test_article_60_a_round_in_dispute_keeps_its_cards_out_loudly(pit: Client) -> None:
    loaded()
    first = machine_round(1, 20, inserted=False)
    received = ComplaintReceived(
        **game(MACHINE_TABLE),
        complaint="RC-7",
        subject="payment",
        round=first.round,
        received_at=ago(18),
    )
    write(received, by=PIT, at=ago(18))
    found = said(pit, MACHINE_TABLE).window
    assert found[0].tone == "breach"
    assert "RC-7" in found[0].words
    assert "its cards may not go back yet" in page(pit, f"/sala/{MACHINE_TABLE}/")


def test_of_many_rounds_the_last_three_are_told_of(pit: Client) -> None:
    loaded()
    for number in range(1, 7):
        machine_round(number, 30 - 3 * number, inserted=True)
    found = said(pit, MACHINE_TABLE).window
    assert [one.about for one in found] == ["Round 6", "Round 5", "Round 4"]


def test_article_51_an_open_jam_of_another_game_is_told_until_it_is_solved(pit: Client) -> None:
    loaded()
    values = {"shuffler": MACHINE, "category": "jam", "reason": "x", "people": ()}
    jam = IncidentReported(**game(MACHINE_TABLE, days_ago=1), incident="IN-51", **values)
    write(jam, by=PIT, at=ago(60))
    sentence = "has a jam from another game that nobody closed: IN-51"
    assert sentence in page(pit, f"/sala/{MACHINE_TABLE}/")
    assert f"/sala/{MACHINE_TABLE}/incident/IN-51/" in page(pit, f"/sala/{MACHINE_TABLE}/")
    assert sentence not in page(pit, AT)
    solved = IncidentStep(**game(MACHINE_TABLE, days_ago=1), incident="IN-51", step="resolved")
    write(solved, by=PIT, at=ago(40))
    assert sentence not in page(pit, f"/sala/{MACHINE_TABLE}/")


# Reading many tables at once


@pytest.mark.usefixtures("table_open")
def test_what_is_gathered_is_what_the_book_tells(pit: Client) -> None:
    """The floor's quick reading and the careful one agree, corrections included."""
    shuffled()
    wrong = write(CardBurned(**game(), shoe=1, cards=9), by=PIT, at=ago(20))
    record(
        CardBurned(**game(), shoe=1, cards=1),
        key=uuid4(),
        by=PIT,
        occurred_at=ago(20),
        source=Source(),
        supersedes=Supersedes(wrong.n, wrong.leaf, "misread"),
    )
    for number in (1, 2, 3):
        played(1, number)
    partida = game()["partida"]
    careful = dossier_of(partida, as_of=clock.now())
    quick, rounds = gathering.dossiers([partida], clock.now())[partida]
    burnt = [recorded.event.cards for recorded in quick.of(CardBurned)]
    assert burnt == [recorded.event.cards for recorded in careful.of(CardBurned)]
    assert rounds == 3
    whole = gathering.with_rounds(quick)
    assert [recorded.leaf for recorded in whole.entries] == [
        recorded.leaf for recorded in careful.entries
    ]
    assert len(gathering.with_rounds(quick, last=2).of(RoundPlayed)) == 2
    assert len(gathering.with_rounds(quick, shoe=2).of(RoundPlayed)) == 0
