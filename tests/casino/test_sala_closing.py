"""S12: decks put in order, chips counted, what is missing listed, the table closed, reopened."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from casino import clock
from casino.events import Malformed
from casino.events.complaints import ComplaintDecided, ComplaintReceived
from casino.events.deck_life import DeckWithdrawn
from casino.events.floor_life import ChipsCounted
from casino.events.incidents import IncidentClosed, IncidentReported
from casino.events.notices import NoticeSent
from casino.events.partidas import ChipCount
from casino.floor.closing.still_missing import missing_of
from casino.floor.closing.still_words import items_of
from casino.floor.game_view import last_game_view
from casino.house_day import house_zone
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.rulebook_file import load_law
from casino.tlog.canonical import instant_text
from tests.casino.sala_forms import address, checks_warned, errors_on, fill, form_on, over_it, send
from tests.factories.games import CHEFE as HEAD
from tests.factories.games import MANAGER as BOSS
from tests.factories.games import Game, moment
from tests.factories.people import somebody
from tests.factories.recorded import entries, events_of, the_event
from tests.factories.tables import (
    CHEFE,
    DECKS,
    MANAGER,
    MINUTE,
    PIT,
    TABLE,
    a_load,
    a_table,
    chefe_on_duty,
)
from tests.stages import recorded_once

pytestmark = pytest.mark.share

on_the_book = pytest.mark.usefixtures("db", "english")
at_a_shoe = pytest.mark.usefixtures("db", "english", "shoe_table")
CONFIRM = "?confirm=1"
NOW = "?confirm=1&announced=now"


@recorded_once
def pit() -> Client:
    chefe_on_duty()
    return somebody("fiscal_de_banca")


@recorded_once
def shoe_table() -> None:
    """A table open, dealt from a shoe."""
    a_table("shoe")


# What is missing: asked of the record alone


def missing(game: Game, as_of: str = "02:55") -> list[tuple[str, str, str]]:
    dossier = game.dossier(as_of)
    game_context = PartidaContext(dossier, load_law("pt").on(dossier.gaming_day))
    return [(one.what, one.of, one.by) for one in missing_of(game_context)]


def counted(game: Game) -> None:
    chips = (ChipCount(value_cents=500, count=40),)
    game.record(ChipsCounted, "02:52", moment="closing", counts=chips)


def test_a_game_at_a_shoe_put_in_order_lacks_nothing() -> None:
    game = Game()
    assert [what for what, _, _ in missing(game)] == ["ordering", "chips"]
    for deck in game.decks:
        game.order(deck)
    counted(game)
    assert missing(game) == []


def test_a_shuffler_lacks_its_witness_then_its_unloading_then_that_ones_witness() -> None:
    game = Game("shuffler")
    counted(game)
    load = game.load()
    assert missing(game)[:2] == [("load_witness", load.entry_id, HEAD), ("unloading", "", "")]
    game.witness(load)
    assert [what for what, _, _ in missing(game)] == ["unloading", "ordering"]
    unload = game.unload()
    assert missing(game)[0] == ("unload_witness", unload.entry_id, HEAD)
    game.witness(unload)
    assert [what for what, _, _ in missing(game)] == ["ordering"]


def test_a_deck_that_was_withdrawn_need_not_be_put_in_order() -> None:
    game = Game()
    counted(game)
    for deck in game.decks[1:]:
        game.order(deck)
    assert missing(game) == [("ordering", "D-1", "")]
    game.record(DeckWithdrawn, "02:51", deck="D-1", reason="damaged")
    assert missing(game) == []


def test_open_matters_stay_with_a_named_person() -> None:
    game = Game("shuffler")
    counted(game)
    for deck in game.decks:
        game.order(deck)
    game.record(
        IncidentReported,
        "22:00",
        incident="IN-1",
        category="damaged_card",
        reason="rasgada",
        people=(),
        noticed_at=moment("22:00"),
    )
    game.record(ComplaintReceived, "22:30", complaint="RC-1", subject="payment")
    assert missing(game) == [
        ("incident", "IN-1", HEAD),
        ("notice", "IN-1", BOSS),
        ("complaint", "RC-1", BOSS),
    ]
    game.record(IncidentClosed, "22:40", incident="IN-1", outcome="settled", reason="x")
    sent: dict[str, Any] = {"to": "inspection_service", "about": "damaged_card", "means": "email"}
    game.record(NoticeSent, "22:50", notice="CM-1", reference="x", incident="IN-1", **sent)
    game.record(ComplaintDecided, "23:00", complaint="RC-1", outcome="not_upheld", reason="x")
    assert missing(game) == []


def test_a_notice_to_somebody_else_is_none() -> None:
    game = Game("shuffler")
    noticed: dict[str, Any] = {"people": (), "noticed_at": moment("22:00")}
    damaged: dict[str, Any] = {"category": "damaged_card", "reason": "rasgada", **noticed}
    game.record(IncidentReported, "22:00", incident="IN-1", **damaged)
    sent: dict[str, Any] = {"to": "management", "about": "damaged_card", "means": "email"}
    game.record(NoticeSent, "22:50", notice="CM-1", reference="x", incident="IN-1", **sent)
    assert ("notice", "IN-1", BOSS) in missing(game)


# Decks and chips


@at_a_shoe
def test_six_decks_are_recorded_with_one_tap(pit: Client) -> None:
    answer = send(pit, address("order"))
    assert answer.status_code == 303
    found = [one for one in events_of("deck-inspected/1") if one.moment == "close"]
    assert [one.deck for one in found] == list(DECKS)
    assert {(one.cards, one.result, one.order_complete) for one in found} == {(52, "conform", True)}
    assert {(one.fiscal_de_banca, one.fiscal_chefe) for one in found} == {(PIT.staff, CHEFE)}
    assert answer["Location"].startswith(address("close"))


@at_a_shoe
@pytest.mark.parametrize(
    ("recorded", "leads"),
    [
        ({"cards-2": "51", "result-2": "missing"}, "deck_defect"),
        ({"cards-2": "51"}, "deck_defect"),  # said to conform, and counted otherwise
        ({"result-2": "foreign"}, "deck_defect"),
    ],
)
def test_a_deck_that_is_not_whole_is_warned_of_and_leads_to_an_incident(
    pit: Client, recorded: dict[str, str], leads: str
) -> None:
    url = address("order")
    answer = send(pit, url, **recorded)
    assert checks_warned(answer) == ["deck_whole_after_play"]
    answer = over_it(pit, url, answer)
    assert answer.status_code == 303
    assert f"category={leads}&deck=D-3" in answer["Location"]
    page = form_on(pit.get(answer["Location"]))
    assert page["deck"] == "D-3"


@at_a_shoe
@pytest.mark.parametrize("cards", ["", "-1", "201", "lots"])
def test_a_deck_counted_to_nonsense_is_refused(pit: Client, cards: str) -> None:
    before = entries()
    answer = send(pit, address("order"), **{"cards-0": cards})
    assert "cards-0" in errors_on(answer)
    assert entries() == before


@at_a_shoe
def test_the_chips_are_counted_by_two(pit: Client) -> None:
    assert "" in errors_on(send(pit, address("chips")))
    answer = send(pit, address("chips"), **{"chips-500": "40", "chips-2500": "8"})
    assert answer.status_code == 303
    value = the_event("chips-counted/1")
    assert {one.value_cents: one.count for one in value.counts} == {500: 40, 2500: 8}
    assert (value.moment, value.pagador, value.second) == ("closing", "P-104", PIT.staff)


@at_a_shoe
@pytest.mark.parametrize("second", ["P-104", "p-104"])
def test_nobody_counts_beside_himself(pit: Client, second: str) -> None:
    before = entries()
    answer = send(pit, address("chips"), **{"chips-500": "40"}, second=second)
    assert "second" in errors_on(answer)
    assert entries() == before
    counts = (ChipCount(value_cents=500, count=40),)
    values: dict[str, Any] = {"table": TABLE, "moment": "closing", "counts": counts}
    values |= {"partida": f"{TABLE}/2026-11-20/1"}
    with pytest.raises(Malformed, match="another person"):
        ChipsCounted(**values, pagador="P-104", second=second).contradictions()
    others: list[dict[str, Any]] = [{"pagador": "P-104", "second": "P-105"}, {"second": second}]
    for lawful in (*others, {"pagador": "P-104"}):
        ChipsCounted(**values, **lawful).contradictions()


# The closing


@at_a_shoe
def test_an_evening_in_order_is_closed_with_three_taps_and_no_warning(pit: Client) -> None:
    assert send(pit, address("order")).status_code == 303
    assert send(pit, address("chips"), **{"chips-500": "40"}).status_code == 303
    page = pit.get(address("close")).content.decode()  # the first tap led here
    assert "Nothing is missing." in page
    assert 'href="?confirm=1&amp;announced=now"' in page
    moved = pit.get(address("close") + NOW)  # the second: the closing is announced
    assert moved.status_code == 302
    url = moved["Location"]
    answer = send(pit, url, attest="all", rounds="0")  # the third
    assert answer.status_code == 303, checks_warned(answer)
    over = the_event("partida-closed/1")
    assert [one.article for one in over.attested] == ["13", "17"]
    assert {one.staff for one in over.attested} == {PIT.staff}
    assert (over.reason, over.fiscal_de_banca, over.fiscal_chefe) == (
        "end_of_day",
        PIT.staff,
        CHEFE,
    )
    assert over.closing_announced_at is not None
    assert abs(over.closing_announced_at - clock.now()) < MINUTE
    assert "No game is open" in pit.get(address("close")).content.decode()


@at_a_shoe
def test_a_closing_nobody_said_was_announced_is_told_without(pit: Client) -> None:
    """PT art. 55: the announcement is an act, and no form does it."""
    send(pit, address("order"))
    url = address("close") + CONFIRM
    assert fill(pit, url)["announced"] == ""
    assert send(pit, url, attest="all", rounds="0").status_code == 303
    assert the_event("partida-closed/1").closing_announced_at is None


@at_a_shoe
def test_the_tap_that_announces_has_the_servers_moment_and_keeps_it(pit: Client) -> None:
    url = pit.get(address("close") + NOW)["Location"]
    shown = fill(pit, url)["announced"]
    tapped = datetime.fromisoformat(url.rpartition("=")[2])
    assert shown == tapped.astimezone(house_zone()).strftime("%H:%M:%S")
    assert fill(pit, url)["announced"] == shown  # looked at again, it is the same moment
    assert events_of("partida-closed/1") == []


@on_the_book
@pytest.mark.parametrize("said", ["yes", "no", ""])
def test_that_the_closing_was_announced_when_the_cards_came_out_is_their_fiscals_word(
    pit: Client, said: str
) -> None:
    """PT art. 55: lawful by his own word; without it nothing is offered, let alone filled in."""
    a_load(a_table())
    out = send(pit, address("unload"), empty="yes", cards="312", closing_announced=said)
    if out.status_code == 200:
        assert over_it(pit, address("unload"), out).status_code == 303
    page = pit.get(address("close")).content.decode()
    assert ("Closing announced by" in page) is (said == "yes")
    assert fill(pit, address("close") + CONFIRM)["announced"] == ""
    if said != "yes":
        return
    begun = the_event("shuffler-unloaded/1").started_at
    at = instant_text(begun)
    url = f"{address('close')}{CONFIRM}&announced={at}"
    assert f"&amp;announced={at}" in page
    answer = send(pit, url, attest="all", rounds="0")
    warned = checks_warned(answer)
    assert "unloaded_after_closing_announced" not in warned
    over_it(pit, url, answer)
    assert the_event("partida-closed/1").closing_announced_at == begun


@at_a_shoe
@pytest.mark.parametrize("junk", ["%22%3E%3Cb%3E", "2026-11-21T19:00:00", "2199-01-01T00:00:00Z"])
def test_a_moment_in_the_address_that_can_have_been_none_fills_nothing(
    pit: Client, junk: str
) -> None:
    url = f"{address('close')}{CONFIRM}&announced={junk}"
    assert fill(pit, url)["announced"] == ""
    assert send(pit, url, attest="all", rounds="0").status_code == 303
    assert the_event("partida-closed/1").closing_announced_at is None


@on_the_book
def test_article_55_the_announcement_keeps_its_hour_on_the_night_the_clocks_go_back(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 00:30 UTC clocks show 01:30, and at 01:40 UTC, seventy minutes later, 01:40."""
    tapped = datetime(2027, 10, 31, 0, 30, tzinfo=UTC)
    monkeypatch.setattr(clock, "now", lambda: tapped)
    a_table("shoe")
    url = pit.get(address("close") + NOW)["Location"]
    monkeypatch.setattr(clock, "now", lambda: tapped + 70 * MINUTE)
    assert fill(pit, url)["announced"] == "01:30:00"
    assert send(pit, url, attest="all", rounds="0").status_code == 303
    assert the_event("partida-closed/1").closing_announced_at == tapped


@on_the_book
def test_what_is_missing_is_listed_and_forbids_nothing(pit: Client) -> None:
    a_load(a_table())
    page = pit.get(address("close")).content.decode()
    for screen in ("unload", "order", "chips"):
        assert f'href="{address(screen)}"' in page
    assert "Nobody has confirmed the loading" in page
    url = address("close") + CONFIRM
    answer = send(pit, url, attest="all", rounds="40")
    warned = checks_warned(answer)
    assert "shuffler_unloaded_at_closing" in warned
    assert "decks_ordered_at_closing" not in warned  # one warning: they lie in the machine
    assert over_it(pit, url, answer, "emergency").status_code == 303
    over = the_event("partida-closed/1")
    assert {one.check for one in over.despite} == set(warned)
    game = last_game_view(TABLE, clock.now())
    assert game is not None
    assert {one.what for one in items_of(game, {PIT.office})} >= {"unloading", "ordering", "chips"}


@at_a_shoe
def test_nobody_attests_what_he_did_not_tick(pit: Client) -> None:
    url = address("close") + CONFIRM
    answer = send(pit, url, attest="some", articles=["17"], rounds="12")
    assert "stakes_timed_or_attested" in checks_warned(answer)
    assert "deal_recorded_or_attested" not in checks_warned(answer)
    again = form_on(answer)
    assert pit.post(url, again | {"despite-all": "it-happened-so"}).status_code == 303
    assert [one.article for one in the_event("partida-closed/1").attested] == ["17"]


@at_a_shoe
def test_a_double_tap_closes_once(pit: Client) -> None:
    send(pit, address("order"))
    url = address("close") + CONFIRM
    sent = fill(pit, url, attest="all", rounds="0")
    assert [pit.post(url, sent).status_code for _ in range(2)] == [303, 303]
    assert len(events_of("partida-closed/1")) == 1


@at_a_shoe
@pytest.mark.parametrize(
    ("recorded", "field"), [({"rounds": "x"}, "rounds"), ({"announced": "25:00"}, "announced")]
)
def test_a_closing_of_nonsense_is_refused(
    pit: Client, recorded: dict[str, str], field: str
) -> None:
    answer = send(pit, address("close") + CONFIRM, attest="all", **recorded)
    assert field in errors_on(answer)
    assert events_of("partida-closed/1") == []


# Undone


@at_a_shoe
def test_only_the_chefia_da_sala_undoes_a_closing_and_says_why(pit: Client) -> None:
    send(pit, address("order"))
    send(pit, address("close") + CONFIRM, attest="all", rounds="0")
    assert len(events_of("partida-closed/1")) == 1
    url = address("reopen")
    assert pit.get(url).status_code == 403
    manager = somebody("chefia_da_sala")
    assert "reason" in errors_on(send(manager, url))
    assert send(manager, url, reason="closed_by_mistake").status_code == 303
    again = the_event("partida-reopened/1")
    assert (again.reason, again.authorised_by) == ("closed_by_mistake", MANAGER.staff)
    assert pit.get(address("close") + CONFIRM).status_code == 200
    assert 'name="attest"' in pit.get(address("close") + CONFIRM).content.decode()


@at_a_shoe
def test_a_table_that_is_open_is_not_opened_again() -> None:
    manager = somebody("chefia_da_sala")
    url = address("reopen")
    page = manager.get(url)
    assert "This table is not closed." in page.content.decode()
    own = {"key": "0193479e-0000-4000-8000-00000000000a", "who": MANAGER.staff}
    answer = manager.post(url, own | {"reason": "other"})
    assert answer.status_code == 200
    assert errors_on(answer)
    assert events_of("partida-reopened/1") == []
