"""S11, the win: seat and approved combination are one tap. Law: PT art. 42, 43, 49, 50."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from casino.law.rulebook.rulebook_file import load_law
from casino.models import BookEntry
from casino.queries import dossier_of
from jackpot.rules import judge_jackpot
from tests.casino.sala_forms import checks_warned, errors_on, form_on
from tests.factories.floor import MACHINE_TABLE, PIT, SHOE_TABLE, ago, house
from tests.factories.people import somebody, write
from tests.factories.pools import ACE_JACK, POOL, SEVENS, START_CENTS, TOP, increment, start
from tests.factories.recorded import entries, events_of, the_event
from tests.flat_html import flat
from tests.jackpot.sala_pools import (
    a_pool,
    a_win,
    at_box,
    colleague,
    collect_at,
    collected,
    hit_at,
    on,
    open_table,
    over,
    played,
    running,
    tap,
    wins,
    won_at,
)
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
KIND = "jackpot-won/1"


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


@recorded_once
def running_pool() -> None:
    """The house, a pool that runs, a table open with it."""
    a_pool()


@pytest.mark.usefixtures("running_pool")
def test_a_seat_beside_a_combination_is_a_win_that_is_held(pit: Client) -> None:
    collected(2, 5)
    page = flat(pit.get(won_at()))
    assert "The first 4 cards count (n.º\u00a042)" in page
    assert "Three sevens of one suit" in page
    answer = tap(pit, won_at(), won=[f"2/{SEVENS}"])
    assert answer.status_code == 303, errors_on(answer)
    assert answer["Location"].startswith(hit_at(wins()[0].n))
    event = the_event(KIND)
    assert [(one.seat, one.box, one.owner, one.code) for one in event.winners] == [
        (2, 2, "J2", SEVENS)
    ]
    before = START_CENTS * 1_000_000 + 2 * 250 * 25_000
    assert event.running_microcents == before
    assert event.opened_at is not None
    assert running() == before - 250_001 * 1_000_000  # a tenth of 25,000.125 is held


@pytest.mark.usefixtures("running_pool")
def test_only_the_approved_combinations_can_be_tapped(pit: Client) -> None:
    page = flat(pit.get(won_at()))
    assert page.count('<fieldset class="made">') == 3
    assert page.index("Four aces of one suit") < page.index("Three sevens of one suit")
    before = entries()
    answer = tap(pit, won_at(), won=["2/pair"])
    assert set(errors_on(answer)) == {"won"}
    assert entries() == before


@pytest.mark.usefixtures("running_pool")
def test_several_winners_of_one_round_are_one_win(pit: Client) -> None:
    answer = tap(pit, won_at(), won=[f"2/{TOP}", f"5/{TOP}", f"3/{ACE_JACK}"])
    assert answer.status_code == 303
    assert wins()[0].winners == 3
    assert running() == 0


@pytest.mark.usefixtures("running_pool")
def test_a_seat_wins_one_prize(pit: Client) -> None:
    answer = tap(pit, won_at(), won=[f"2/{TOP}", f"2/{SEVENS}"])
    assert "Seat 2 is tapped twice" in errors_on(answer)["won"]
    assert wins() == []


@pytest.mark.usefixtures("running_pool")
def test_nothing_tapped_is_no_win(pit: Client) -> None:
    assert set(errors_on(tap(pit, won_at()))) == {"won"}


@pytest.mark.usefixtures("running_pool")
def test_cards_that_do_not_lie_open_are_told_as_such(pit: Client) -> None:
    answer = tap(pit, won_at(), won=[f"2/{SEVENS}"], said="not-so")
    assert answer.status_code == 303
    assert the_event(KIND).opened_at is None
    page = flat(pit.get(answer["Location"]))
    assert "Nobody said since when the cards have been face up" in page


@pytest.mark.usefixtures("running_pool")
def test_that_the_cards_lie_open_is_said_on_the_button_and_by_nothing_else(pit: Client) -> None:
    text = flat(pit.get(won_at()))
    (button,) = re.findall(r'<button class="primary" name="said" value="so".*?</button>', text)
    assert "the cards kept face up" in button
    assert "It was not so" in text
    assert re.findall(r'type="checkbox"[^>]*checked', text) == []
    answer = tap(pit, won_at(), won=[f"2/{SEVENS}"], said="")
    assert errors_on(answer) == {"said": "Say with one of the buttons how it was."}
    assert wins() == []


@pytest.mark.usefixtures("running_pool")
def test_since_when_the_cards_lie_open_is_not_the_moment_of_a_win_told_later(pit: Client) -> None:
    assert tap(pit, won_at(), won=[f"2/{SEVENS}"], when="ago5").status_code == 303
    assert the_event(KIND).opened_at is None
    since = timezone.localtime(ago(10)).replace(second=0, microsecond=0)
    values = {"when": "ago5", "open_since": f"{since:%H:%M}"}
    assert tap(pit, won_at(), won=[f"2/{SEVENS}"], **values).status_code == 303
    first, second = events_of(KIND)
    assert (first.opened_at, second.opened_at) == (None, since)


@pytest.mark.usefixtures("running_pool")
def test_a_win_of_a_seat_without_a_chip_is_warned_of_under_45(pit: Client) -> None:
    collected(2, shoe=1, number=15)
    answer = tap(pit, won_at(), won=[f"5/{TOP}"])
    assert checks_warned(answer) == ["jackpot_winner_laid_a_chip"]
    assert "n.º 45" in flat(answer)
    assert wins() == []
    assert over(pit, won_at(), answer).status_code == 303
    assert [one.check for one in the_event(KIND).despite] == ["jackpot_winner_laid_a_chip"]
    judged = judge_jackpot(dossier_of(wins()[0].partida_id), load_law("pt"))
    found = [one for one in judged.findings if one.check == "jackpot_winner_laid_a_chip"]
    assert [(one.article, one.where["owner"]) for one in found] == [("45", "J5")]


@pytest.mark.usefixtures("running_pool")
def test_a_seat_that_laid_no_chip_in_the_game_is_warned_of_where_no_round_is_told(
    pit: Client,
) -> None:
    collected(1, 4)
    assert tap(pit, won_at(), won=[f"4/{ACE_JACK}"]).status_code == 303
    answer = tap(pit, won_at(), won=[f"2/{ACE_JACK}"])
    assert checks_warned(answer) == ["jackpot_winner_laid_a_chip"]
    assert "the collections of this game hold no chip of his" in flat(answer)
    assert over(pit, won_at(), answer).status_code == 303
    answer = tap(pit, hit_at(wins()[1].n))
    assert checks_warned(answer) == ["jackpot_winner_laid_a_chip"]  # before he is paid too
    assert events_of("jackpot-paid/1") == []


@pytest.mark.usefixtures("running_pool")
def test_a_win_just_recorded_leads_to_where_it_is_withdrawn_by_whoever_may(pit: Client) -> None:
    answer = tap(pit, won_at(), won=[f"2/{ACE_JACK}"])
    win = BookEntry.objects.get(kind=KIND)
    page = f"/sala/entry/{win.pk}/withdraw/"
    assert f'href="{page}">This did not happen' in flat(pit.get(answer["Location"]))
    hit, way = hit_at(wins()[0].n), f"/admin/jackpot/jackpotadjustment/add/?hit={win.pk}"
    chefe = somebody("fiscal_chefe")
    for who, may in ((pit, False), (chefe, True)):
        said = flat(who.get(page))
        assert "A win is withdrawn from its payment page, by a fiscal-chefe" in said
        assert f'href="{hit}">To the win' in said
        assert (way in flat(who.get(hit))) == may
    form = chefe.get(way)
    assert form.status_code == 200
    assert '<option value="win_withdrawn" selected>' in flat(form)


def of_tiles(page: Any) -> dict[int, list[str]]:
    """By seat, what its tile says for each round, in their order."""
    tiles = [tile for tile, _, _ in page.context["rows"][0].tiles]
    return {tile.seat.number: [one.words for one in tile.chips] for tile in tiles}


@pytest.mark.usefixtures("running_pool")
def test_the_tiles_say_whose_chip_lay_there_in_which_round(pit: Client) -> None:
    played(14)
    collected(2, 5, shoe=1, number=14)
    collected(5, 6, shoe=1, number=15)
    page = pit.get(won_at())
    assert [one.value for one in page.context["rounds"]] == ["1/15", "1/14", "1/16", ""]
    said = of_tiles(page)
    assert said[2] == ["no chip", "chip this round", "", ""]
    assert said[6] == ["chip this round", "no chip", "", "chip last time"]
    text = flat(page)
    tile = text[text.index(f'value="2/{TOP}"') :].partition("</label>")[0]
    assert "<span>J7</span>" in tile  # as the round calls him
    assert '<span class="of-round nth-0 meant">no chip</span>' in tile
    again = tap(pit, won_at(), which="1/14")  # nothing tapped: the page comes again
    assert '<span class="of-round nth-1 meant">chip this round</span>' in flat(again)


@pytest.mark.usefixtures("running_pool")
def test_a_round_without_a_collection_says_so_and_leads_to_it(pit: Client) -> None:
    assert "In this game no collection is recorded yet" in flat(pit.get(won_at()))
    played(14)
    collected(2, 5, shoe=1, number=14)
    text = flat(pit.get(won_at()))
    assert "Of round 15 no collection is recorded yet" in text
    assert "Of round 14 no" not in text
    assert f"{collect_at()}?which=1%2F15" in text
    head = flat(somebody("fiscal_chefe").get(won_at()))
    assert "Of round 15 no collection is recorded yet" in head
    assert collect_at() + "?" not in head  # he collects none


def test_where_the_collection_raises_the_display_itself_none_is_asked_for(pit: Client) -> None:
    a_pool(marking="automatic")
    played(14)
    text = flat(pit.get(won_at()))
    assert "no collection is recorded yet" not in text


@pytest.mark.usefixtures("running_pool")
def test_the_round_is_that_of_the_chips_that_were_collected(pit: Client) -> None:
    played(14)
    collected(2, 5, shoe=1, number=15)
    assert on(pit, won_at())["which"] == "1/15"
    assert tap(pit, won_at(), won=[f"2/{SEVENS}"]).status_code == 303
    assert (wins()[0].shoe, wins()[0].number, wins()[0].round) == (1, 15, None)


@pytest.mark.usefixtures("running_pool")
def test_a_round_on_record_is_named_and_cards_that_made_no_such_thing_are_warned_of(
    pit: Client,
) -> None:
    uuid = played(14, at_box(2, "J7"))
    answer = tap(pit, won_at(), won=[f"2/{SEVENS}"])
    assert checks_warned(answer) == ["jackpot_won_by_first_cards"]
    assert over(pit, won_at(), answer).status_code == 303
    assert the_event(KIND).round == uuid


@pytest.mark.usefixtures("running_pool")
def test_the_same_rounds_win_told_again_is_refused_in_words(pit: Client) -> None:
    played(14)
    collected(2, 5, shoe=1, number=15)
    assert tap(pit, won_at(), won=[f"2/{SEVENS}"]).status_code == 303
    held = running()
    answer = tap(pit, won_at(), won=[f"2/{SEVENS}"])
    assert "The win of this round is recorded already" in errors_on(answer)[""]
    assert "is not paid yet. It is not recorded twice" in flat(answer)
    assert (len(wins()), running()) == (1, held)


@pytest.mark.usefixtures("running_pool")
def test_a_double_tap_is_one_win(pit: Client) -> None:
    form = on(pit, won_at(), won=[f"2/{TOP}"])
    answers = [pit.post(won_at(), form) for _ in range(3)]
    assert [one.status_code for one in answers] == [303] * 3
    assert len({one["Location"].partition("?")[0] for one in answers}) == 1
    assert len(wins()) == 1


@pytest.mark.usefixtures("running_pool")
def test_the_second_of_two_supervisors_is_told_of_the_first_where_no_round_is_known(
    pit: Client,
) -> None:
    mine = on(pit, won_at(), won=[f"2/{TOP}"])
    assert tap(colleague(), won_at(), won=[f"2/{TOP}"]).status_code == 303
    answer = pit.post(won_at(), mine)
    assert [one.who for one in answer.context["meanwhile"]] == ["S-0190"]
    assert len(wins()) == 1


@pytest.mark.usefixtures("running_pool")
def test_a_win_of_another_table_disturbs_nobody_and_the_second_wins_what_is_left(
    pit: Client,
) -> None:
    open_table(MACHINE_TABLE)
    mine = on(pit, won_at(), won=[f"2/{SEVENS}"])
    a_win((3, ACE_JACK), table=MACHINE_TABLE)
    assert pit.post(won_at(), mine).status_code == 303
    assert wins()[1].running_microcents == (START_CENTS - 5_000) * 1_000_000


@pytest.mark.usefixtures("running_pool")
def test_what_the_meter_runs_at_is_read_when_the_win_is_recorded(pit: Client) -> None:
    mine = on(pit, won_at(), won=[f"2/{SEVENS}"])
    write(increment((1, "J1", 1), table="BJ-09", chip_cents=250), by=PIT, at=ago(1))
    open_table("BJ-09")
    assert pit.post(won_at(), mine).status_code == 303
    assert wins()[0].running_microcents == START_CENTS * 1_000_000 + 250 * 25_000


def test_without_terms_there_is_nothing_to_choose_and_it_says_whom_to_call(pit: Client) -> None:
    house()
    start()
    open_table()
    page = flat(pit.get(won_at()))
    assert "there is no table of combinations to choose from" in page
    before = entries()
    sent = {"key": "6f9d5a52-95e5-4dd4-9a3c-0d6f4f0d9a11"}
    assert set(errors_on(pit.post(won_at(), sent))) == {"won", "said"}
    assert entries() == before


@pytest.mark.usefixtures("running_pool")
def test_the_head_inspector_may_tell_of_a_win_and_others_may_not() -> None:
    assert tap(somebody("fiscal_chefe"), won_at(), won=[f"2/{TOP}"]).status_code == 303
    for office in ("chefia_da_sala", "inspetor", "auditor", "administrador"):
        assert somebody(office).get(won_at()).status_code == 403


@pytest.mark.usefixtures("running_pool")
def test_the_table_says_that_a_prize_waits(pit: Client) -> None:
    assert "Jackpot prize to be paid" not in flat(pit.get(f"/sala/{SHOE_TABLE}/"))
    hit = a_win((2, SEVENS))
    page = flat(pit.get(f"/sala/{SHOE_TABLE}/"))
    assert "Jackpot prize to be paid" in page
    assert hit_at(hit.n) in page
    assert "Jackpot prize to be paid" in flat(pit.get("/sala/"))
    assert "waits to be paid" not in page  # said once, with the way to it


@pytest.mark.usefixtures("running_pool")
def test_a_win_is_not_put_right_here(pit: Client) -> None:
    done = tap(pit, won_at(), won=[f"2/{SEVENS}"])
    page = pit.get(done["Location"])
    entry = BookEntry.objects.get(kind=KIND)
    assert "Recorded at" in flat(page)
    assert f"/sala/entry/{entry.pk}/correct/" not in flat(page)
    assert pit.get(f"/sala/entry/{entry.pk}/correct/").status_code == 403


@pytest.mark.usefixtures("running_pool")
@pytest.mark.parametrize(
    "recorded",
    [{"order": "first"}, {"order": "0"}, {"which": "x"}, {"when": "other"}, {"won": ["9/" + TOP]}],
)
def test_what_is_no_win_is_refused_with_nothing_stored(
    pit: Client, recorded: dict[str, Any]
) -> None:
    before = entries()
    assert errors_on(tap(pit, won_at(), **({"won": [f"2/{TOP}"]} | recorded)))
    assert entries() == before


@pytest.mark.usefixtures("running_pool")
def test_the_order_decided_at_the_table_is_kept(pit: Client) -> None:
    assert tap(pit, won_at(), won=[f"2/{TOP}"], order="2").status_code == 303
    assert wins()[0].order == 2
    assert form_on(pit.get(hit_at(wins()[0].n)))["winner"] == "J2/2"
    assert wins()[0].jackpot == POOL
