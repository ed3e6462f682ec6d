"""S10: seats are tapped, the amount follows from the terms. Law: PT art. 40, 41, 45, 47, 48."""

import re
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from casino import clock
from casino.events.corrections import Corrected
from casino.events.event import EntryRef
from casino.models import Account, BookEntry, Supersession
from jackpot.floor.collecting import ATTESTED
from jackpot.models import Contribution, JackpotIncrement
from tests.casino.sala_forms import checks_warned, errors_on, form_on, hidden, over_it
from tests.factories.floor import PIT, SHOE_TABLE, ago, house
from tests.factories.people import CAST, PASSWORD, somebody, write
from tests.factories.pools import POOL, START_CENTS, approve, recorded, start, terms_of
from tests.factories.recorded import entries, events_of, the_event
from tests.factories.records import HEAD
from tests.flat_html import flat
from tests.jackpot.sala_pools import (
    a_pool,
    at_box,
    colleague,
    collect_at,
    collected,
    on,
    open_table,
    over,
    played,
    running,
    tap,
)
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
KIND = "jackpot-incremented/1"
START = START_CENTS * 1_000_000
CHIP = 250 * 25_000  # microcents a chip adds by the terms of these tests


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


@recorded_once
def running_pool() -> None:
    """The house, a pool that runs, a table open with it."""
    a_pool()


@pytest.mark.usefixtures("running_pool")
def test_a_seat_is_a_chip_and_the_amount_follows_from_the_terms(pit: Client) -> None:
    played(14)
    page = flat(pit.get(collect_at()))
    assert "€25,000.00" in page
    assert "€2.50 a chip, 2.5\u00a0% of it: €0.0625 to the meter" in page
    assert "+ €0.125 → <strong>€25,000.12</strong>" in page
    assert "+ €0.25 → <strong>€25,000.25</strong>" in page  # whole cents: two decimals
    answer = tap(pit, collect_at(), seats=["2", "5"])
    assert answer.status_code == 303, errors_on(answer)
    event = the_event(KIND)
    listed = [(chip.seat, chip.box, chip.owner, chip.n, chip.marked) for chip in event.chips]
    assert listed == [(2, 2, "J7", 1, True), (5, 5, "J9", 1, True)]
    assert (event.chip_cents, event.display_cents) == (250, None)
    assert (event.closing_called, event.collected_before_deal) == (True, True)
    assert running() == START + 2 * CHIP
    after = flat(pit.get(answer["Location"]))
    assert "Recorded at" in after
    assert "€25,000.12" in after


@pytest.mark.usefixtures("running_pool")
def test_nothing_is_ticked_beforehand_and_no_seat_is_no_increment(pit: Client) -> None:
    collected(2, 5)
    form = on(pit, collect_at())
    assert "seats" not in form
    before = entries()
    assert errors_on(pit.post(collect_at(), form)) == {
        "seats": "Tap the seats whose chips were collected."
    }
    assert entries() == before
    assert "chip last time" in flat(pit.get(collect_at()))


@pytest.mark.usefixtures("running_pool")
def test_a_second_chip_of_a_player_is_warned_of_and_recorded_over(pit: Client) -> None:
    answer = tap(pit, collect_at(), seats=["2", "5"], seconds=["5"])
    assert checks_warned(answer) == ["one_chip_per_player"]
    assert events_of(KIND) == []
    assert over(pit, collect_at(), answer).status_code == 303
    event = the_event(KIND)
    assert [(one.check, one.reason) for one in event.despite] == [
        ("one_chip_per_player", "it-happened-so")
    ]
    assert Contribution.objects.filter(owner="J5").count() == 2
    assert running() == START + 3 * CHIP


@pytest.mark.usefixtures("running_pool")
def test_the_same_players_chip_told_again_for_one_round_is_warned_of(pit: Client) -> None:
    played(14)
    assert tap(pit, collect_at(), seats=["2"]).status_code == 303
    same = tap(pit, collect_at(), seats=["2"], which="1/15")
    assert checks_warned(same) == ["one_chip_per_player"]
    assert tap(pit, collect_at(), seats=["5"], which="1/15").status_code == 303


@pytest.mark.usefixtures("running_pool")
def test_a_second_chip_without_a_first_is_asked_about(pit: Client) -> None:
    assert set(errors_on(tap(pit, collect_at(), seats=["2"], seconds=["5"]))) == {"seconds"}


@pytest.mark.usefixtures("running_pool")
def test_a_chip_without_a_main_stake_is_warned_of_once_its_round_is_known(pit: Client) -> None:
    uuid = played(14)
    answer = tap(pit, collect_at(), seats=["2", "4"], which="1/14")
    assert checks_warned(answer) == ["jackpot_chip_has_a_main_stake"]
    assert "45" in flat(answer)
    assert over(pit, collect_at(), answer).status_code == 303
    assert the_event(KIND).round == uuid


@pytest.mark.usefixtures("running_pool")
def test_a_chip_beside_a_main_stake_is_not(pit: Client) -> None:
    played(14)
    assert tap(pit, collect_at(), seats=["2", "5"], which="1/14").status_code == 303


@pytest.mark.usefixtures("running_pool")
@pytest.mark.parametrize(
    ("left_out", "check"),
    [
        ("closing_called", "jackpot_chips_precede_the_deal"),
        ("collected_before_deal", "jackpot_chips_precede_the_deal"),
        ("marked", "jackpot_markers_are_laid"),
    ],
)
def test_what_was_not_so_is_left_unticked_and_warned_of(
    pit: Client, left_out: str, check: str
) -> None:
    form = on(pit, collect_at(), seats=["2"], said="not-so")
    ticked = {name: "on" for name in ATTESTED if name != left_out}
    assert checks_warned(pit.post(collect_at(), form | ticked)) == [check]


@pytest.mark.usefixtures("running_pool")
def test_the_button_says_what_is_attested_with_it_and_nothing_is_ticked(pit: Client) -> None:
    page = pit.get(collect_at())
    text = flat(page)
    (button,) = re.findall(r'<button class="primary" name="said" value="so".*?</button>', text)
    for word in ("stakes called closed", "collected before the deal", "marked", "{n}"):
        assert word in button
    assert "It was not so" in text
    assert not set(ATTESTED) & set(form_on(page))
    assert re.findall(r'type="checkbox"[^>]*checked', text) == []


@pytest.mark.usefixtures("running_pool")
def test_without_a_button_nobody_said_how_it_was(pit: Client) -> None:
    form = form_on(pit.get(collect_at())) | {"seats": ["2"]}
    for said in ({}, {"said": ""}, {"said": "perhaps"}):
        answer = pit.post(collect_at(), form | said)
        assert errors_on(answer) == {"said": "Say with one of the buttons how it was."}
    assert events_of(KIND) == []


@pytest.mark.usefixtures("running_pool")
def test_who_ticks_some_of_it_does_not_say_all_of_it(pit: Client) -> None:
    answer = tap(pit, collect_at(), seats=["2"], marked="on")
    assert set(errors_on(answer)) == {"said"}
    assert '<details class="more not-so" open>' in flat(answer)
    assert tap(pit, collect_at(), seats=["2"], **dict.fromkeys(ATTESTED, "on")).status_code == 303


@pytest.mark.usefixtures("running_pool")
def test_an_address_may_name_the_round_that_is_meant(pit: Client) -> None:
    played(14)
    assert on(pit, f"{collect_at()}?which=1/14")["which"] == "1/14"
    for strange in ("1/13", "", "x", "%00", "1/15"):
        assert on(pit, f"{collect_at()}?which={strange}")["which"] == "1/15"


@pytest.mark.parametrize("confirmed", [False, None])
def test_without_terms_in_force_it_is_warned_of_and_adds_nothing(
    pit: Client, confirmed: bool | None
) -> None:
    house()
    start()
    if confirmed is False:
        recorded(terms_of(), by=HEAD.__class__("S-0003", "chefia_da_sala", "admin"))
    open_table()
    page = flat(pit.get(collect_at()))
    assert "No approved terms are in force" in page
    answer = tap(pit, collect_at(), seats=["2"])
    # Terms nobody confirmed are the house's own matter; none at all break 40.
    of_the_house, of_the_law = "jackpot_terms_are_confirmed", "jackpot_terms_are_in_force"
    assert checks_warned(answer) == [of_the_house if confirmed is False else of_the_law]
    heading = "Outside the regulation" if confirmed is None else "Outside the house&#x27;s rules"
    assert heading in flat(answer)
    assert over(pit, collect_at(), answer).status_code == 303
    assert the_event(KIND).chip_cents is None
    assert running() == START


def test_with_automatic_marking_the_page_is_for_reading(pit: Client) -> None:
    a_pool(marking="automatic")
    page = pit.get(collect_at())
    assert "Marking is automatic here" in flat(page)
    assert form_on(page) == {}
    answer = pit.post(collect_at(), {"key": "x", "seats": "2"})
    assert answer.status_code == 409
    assert "Nothing was recorded." in flat(answer)
    assert events_of(KIND) == []


def test_a_table_the_terms_do_not_name_says_that_it_feeds_nothing(pit: Client) -> None:
    a_pool(tables=("BJ-09",))
    assert "The terms do not name this table" in flat(pit.get(collect_at()))
    answer = tap(pit, collect_at(), seats=["2"])
    assert "jackpot_terms_are_in_force" in checks_warned(answer)  # PT art. 40
    assert over_it(pit, collect_at(), answer).status_code == 303
    assert running() == START


def test_a_meter_nobody_started_is_told(pit: Client) -> None:
    house()
    approve()
    open_table()
    assert "No starting value was put in" in flat(pit.get(collect_at()))


@pytest.mark.usefixtures("running_pool")
def test_a_double_tap_and_the_back_button_record_once(pit: Client) -> None:
    form = on(pit, collect_at(), seats=["2", "5"])
    answers = [pit.post(collect_at(), form) for _ in range(3)]
    assert [one.status_code for one in answers] == [303, 303, 303]
    assert [one["Location"].endswith("&again=1") for one in answers] == [False, True, True]
    assert JackpotIncrement.objects.count() == 1
    assert running() == START + 2 * CHIP


@pytest.mark.usefixtures("running_pool")
def test_the_second_of_two_supervisors_is_told_what_the_first_recorded(pit: Client) -> None:
    mine = on(pit, collect_at(), seats=["2"])
    other = colleague()
    assert tap(other, collect_at(), seats=["2"]).status_code == 303
    answer = pit.post(collect_at(), mine)
    assert [one.who for one in answer.context["meanwhile"]] == ["S-0190"]
    assert JackpotIncrement.objects.count() == 1


@pytest.mark.usefixtures("running_pool")
def test_a_session_that_ran_out_loses_no_seat(pit: Client) -> None:
    form = on(pit, collect_at(), seats=["2", "5"])
    account = Account.objects.get(staff=PIT.staff)
    account.set_password(PASSWORD)
    account.save()
    Session.objects.all().delete()
    asked = pit.post(collect_at(), form)
    assert asked.status_code == 403
    assert events_of(KIND) == []
    text = flat(asked)
    assert text.count('name="seats"') == 2
    typed = {"enter-number": PIT.staff, "enter-secret": PASSWORD, "enter-onward": collect_at()}
    entered = pit.post("/sala/enter/", hidden(asked) | {"seats": ["2", "5"]} | typed)
    assert entered.status_code == 303, flat(entered)[-2000:]
    assert len(the_event(KIND).chips) == 2


@pytest.mark.usefixtures("running_pool")
def test_a_pool_the_partida_did_not_name_is_no_page(pit: Client) -> None:
    assert pit.get(collect_at(jackpot="JP-9")).status_code == 404
    assert pit.get(collect_at(table="BJ-02")).status_code == 200  # no game is open there
    assert pit.post(collect_at(table="BJ-02"), {"key": "x"}).status_code == 409


@pytest.mark.usefixtures("running_pool")
def test_the_tables_page_leads_there_only_where_a_pool_was_named(pit: Client) -> None:
    open_table("BJ-02", jackpots=())
    assert collect_at() in flat(pit.get(f"/sala/{SHOE_TABLE}/"))
    assert "/jackpot/" not in flat(pit.get("/sala/BJ-02/"))


@pytest.mark.usefixtures("running_pool")
def test_the_next_round_is_meant_where_rounds_are_told_and_none_where_they_are_not(
    pit: Client,
) -> None:
    assert "which" not in on(pit, collect_at())
    played(14)
    assert on(pit, collect_at())["which"] == "1/15"
    assert tap(pit, collect_at(), seats=["2"]).status_code == 303
    assert (the_event(KIND).shoe, the_event(KIND).number) == (1, 15)
    assert on(pit, collect_at())["which"] == "1/16"


@pytest.mark.usefixtures("running_pool")
def test_it_is_put_right_by_another_and_the_meter_follows_when_it_is_approved(pit: Client) -> None:
    done = tap(pit, collect_at(), seats=["2", "5"])
    entry = BookEntry.objects.get(kind=KIND)
    url = f"/sala/entry/{entry.pk}/correct/"
    assert url in flat(pit.get(done["Location"]))
    assert url in flat(pit.get(f"/sala/{SHOE_TABLE}/"))
    form = form_on(pit.get(url))
    form |= {"chips-rows": "1", "correction_reason": "wrong-count"}
    assert pit.post(url, form | {"read": "1"}).status_code == 303
    assert running() == START + 2 * CHIP
    asked = Supersession.objects.get()
    pending = BookEntry.objects.get(pk=asked.entry_id)
    refs = {
        name: EntryRef(stream=one.stream.name, n=one.n, leaf=bytes(one.leaf_hash).hex())
        for name, one in (("pending", pending), ("original", entry))
    }
    event = the_event_of(entry)
    decided = Corrected(
        table=event.table, partida=event.partida, decision="approved", reason="checked", **refs
    )
    write(decided, by=HEAD, at=clock.now())
    assert running() == START + CHIP


def the_event_of(entry: BookEntry) -> Any:
    """The event an entry tells."""
    from casino.queries import load_entry

    recorded_there = load_entry(entry.pk)
    assert recorded_there is not None
    return recorded_there.event


@pytest.mark.usefixtures("running_pool")
@pytest.mark.parametrize(
    "recorded_wrongly",
    [
        {"seats": ["99"]},
        {"seats": ["x"]},
        {"seats": ["2"], "which": "0/1"},
        {"seats": ["2"], "which": "1/15; DROP"},
        {"seats": ["2"], "display_cents": "a lot"},
        {"seats": ["2"], "when": "other"},
        {"seats": ["2"], "seconds": ["\x00"]},
    ],
)
def test_what_is_no_increment_is_refused_with_nothing_stored(
    pit: Client, recorded_wrongly: dict[str, Any]
) -> None:
    before = entries()
    assert errors_on(tap(pit, collect_at(), **recorded_wrongly))
    assert entries() == before


@pytest.mark.usefixtures("running_pool")
@pytest.mark.parametrize("office", ["fiscal_chefe", "chefia_da_sala", "inspetor", "auditor"])
def test_who_does_not_collect_is_told_so(office: str) -> None:
    assert somebody(office).get(collect_at()).status_code == 403
    assert CAST[office]


@pytest.mark.usefixtures("running_pool")
def test_a_display_that_was_read_is_told_as_it_was_read(pit: Client) -> None:
    assert tap(pit, collect_at(), seats=["2"], display_cents="25000,06").status_code == 303
    assert the_event(KIND).display_cents == 2_500_006


@pytest.mark.usefixtures("running_pool")
def test_chips_of_a_round_told_already_lie_on_the_box_their_owner_plays(pit: Client) -> None:
    played(3, at_box(2, "J7"), minutes=30)
    assert on(pit, collect_at())["which"] == ""  # rounds are recorded late: nobody guesses
    assert tap(pit, collect_at(), seats=["2"], which="1/3").status_code == 303
    assert the_event(KIND).number == 3
    assert ago(1) < clock.now()
    assert the_event(KIND).jackpot == POOL
