"""S7: play stops, the cards are laid out or not, play goes on."""

import pytest
from django.test import Client

from casino import clock
from casino.floor.game_view import last_game_view
from casino.floor.incidents.interrupt_play import standing_still
from tests.casino.sala_forms import address, checks_warned, errors_on, fill, form_on, over_it, send
from tests.factories.people import somebody
from tests.factories.recorded import entries, events_of, the_event
from tests.factories.tables import PIT, TABLE, a_load, a_table
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


@recorded_once
def shoe_table() -> None:
    """A table open, dealt from a shoe."""
    a_table("shoe")


@pytest.mark.usefixtures("shoe_table")
def test_play_stops_and_goes_on(pit: Client) -> None:
    url = address("interrupt")
    assert send(pit, url, reason="no_players", do="interrupt").status_code == 303
    assert the_event("play-interrupted/1").reason == "no_players"
    assert events_of("cards-spread/1") == []
    assert "Play rests" in pit.get(url).content.decode()
    assert send(pit, url, do="resume").status_code == 303
    assert the_event("play-resumed/1")


@pytest.mark.usefixtures("shoe_table")
def test_one_button_tells_both_what_it_says(pit: Client) -> None:
    answer = send(pit, address("interrupt"), reason="no_stakes", do="spread")
    assert answer.status_code == 303
    assert the_event("play-interrupted/1").reason == "no_stakes"
    spread = the_event("cards-spread/1")
    assert (spread.reason, spread.face_up) == ("no_stakes", True)


@pytest.mark.usefixtures("shoe_table")
def test_cards_laid_out_for_another_reason_are_warned_of(pit: Client) -> None:
    url = address("interrupt")
    answer = send(pit, url, reason="dealer_change", do="spread")
    assert "n.º 12" in answer.content.decode()
    assert checks_warned(answer)
    assert over_it(pit, url, answer).status_code == 303
    assert the_event("cards-spread/1").reason == "other"


def test_with_a_continuous_shuffler_laying_out_is_warned_of_under_57(pit: Client) -> None:
    a_load(a_table())
    url = address("interrupt")
    answer = send(pit, url, reason="no_players", do="spread")
    assert checks_warned(answer) == ["no_spreading_with_shuffler"]
    assert "n.º 57" in answer.content.decode()
    assert over_it(pit, url, answer).status_code == 303
    assert the_event("cards-spread/1").despite


@pytest.mark.usefixtures("shoe_table")
@pytest.mark.parametrize("recorded", [{"do": "interrupt"}, {"reason": "no_players"}, {"do": "x"}])
def test_a_stop_without_its_reason_is_refused(pit: Client, recorded: dict[str, str]) -> None:
    answer = send(pit, address("interrupt"), **recorded)
    assert answer.status_code == 200
    assert errors_on(answer)
    assert events_of("play-interrupted/1") == []


def still() -> bool:
    """Whether play rests, as the book stands now."""
    game = last_game_view(TABLE, clock.now())
    assert game is not None
    return standing_still(game) is not None


@pytest.mark.usefixtures("shoe_table")
def test_a_stop_lasts_until_play_goes_on(pit: Client) -> None:
    assert not still()
    send(pit, address("interrupt"), reason="no_players", do="interrupt")
    assert still()
    assert "Play has been interrupted" in pit.get(address("table")).content.decode()
    send(pit, address("interrupt"), do="resume")
    assert not still()
    assert "Play has been interrupted" not in pit.get(address("table")).content.decode()


@pytest.mark.usefixtures("shoe_table")
def test_a_stop_has_no_reason_until_somebody_gives_one(pit: Client) -> None:
    assert "reason" not in fill(pit, address("interrupt"))


@pytest.mark.usefixtures("shoe_table")
def test_a_double_tap_stops_play_once_and_takes_nothing_back(pit: Client) -> None:
    url = address("interrupt")
    sent = fill(pit, url, reason="no_stakes", do="spread")
    before = entries()
    first, second = pit.post(url, sent), pit.post(url, sent)
    assert (first.status_code, second.status_code) == (303, 303)
    assert "again=1" in second["Location"]
    assert entries() == before + 2


@pytest.mark.usefixtures("shoe_table")
def test_a_warning_read_for_a_while_moves_neither_the_stop_nor_the_cards(pit: Client) -> None:
    url = address("interrupt")
    answer = send(pit, url, reason="dealer_change", do="spread")
    assert checks_warned(answer)
    before = form_on(answer)["at"]
    assert over_it(pit, url, answer).status_code == 303
    stop, spread = the_event("play-interrupted/1"), the_event("cards-spread/1")
    assert stop.despite == ()  # the stop is lawful; the cards on the table are not
    assert spread.despite
    assert before == form_on(answer)["at"]


@pytest.mark.usefixtures("shoe_table")
def test_two_supervisors_stop_it_and_the_second_is_told_of_the_first(pit: Client) -> None:
    head = somebody("fiscal_chefe")
    url = address("interrupt")
    mine, his = (
        fill(pit, url, reason="no_players", do="interrupt"),
        fill(head, url, reason="no_stakes", do="interrupt"),
    )
    assert head.post(url, his).status_code == 303
    answer = pit.post(url, mine)
    assert answer.status_code == 200
    assert "S-0021" in answer.content.decode()
    assert [stop.reason for stop in events_of("play-interrupted/1")] == ["no_stakes"]
    assert 'value="resume"' in answer.content.decode()  # the page as the table stands now


@pytest.mark.usefixtures("shoe_table")
@pytest.mark.parametrize("office", ["inspetor", "auditor", "chefia_da_sala"])
def test_whoever_is_not_at_the_table_stops_nothing(office: str) -> None:
    client = somebody(office)
    assert client.get(address("interrupt")).status_code == 403
    sent = {"key": "0193479e-0000-4000-8000-00000000000b", "who": PIT.staff}
    answer = client.post(address("interrupt"), sent | {"do": "interrupt", "reason": "no_players"})
    assert answer.status_code == 403
    assert events_of("play-interrupted/1") == []


def test_no_game_can_be_stopped_where_none_is_open(pit: Client) -> None:
    assert "No game is open" in pit.get(address("interrupt")).content.decode()
    sent = {"key": "0193479e-0000-4000-8000-00000000000c", "who": PIT.staff}
    answer = pit.post(address("interrupt"), sent | {"do": "interrupt", "reason": "no_players"})
    assert answer.status_code == 409
    assert "Nothing was recorded" in answer.content.decode()
    assert events_of("play-interrupted/1") == []
