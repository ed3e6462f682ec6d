"""The exercises of a training house, each played as the law asks and otherwise."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.access.open_games import last_partidas, open_partidas
from casino.demo import cast
from casino.demo.training_book import training_pin
from casino.floor.closing.still_missing import missing_of
from casino.kept_entries import dossier_kept
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.rulebook_file import load_law
from casino.models import BookEntry
from casino.training.exercise_files import exercises
from casino.training.exercise_progress import Progress
from casino.training.tables_left import close_left
from jackpot.floor.said import SO
from tests.casino.sala_forms import address, errors_on, form_on, over_it, send
from tests.factories.recorded import entries, events_of
from tests.factories.training_house import browser_of, founded, switched_on
from tests.stages import recorded_once

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("english", "training"),
    pytest.mark.share,
]
EXERCISES = "/sala/training/"
CODE = "two_aces_same_suit"


@recorded_once
def house() -> None:
    founded()


@pytest.fixture
def training(settings: Any) -> None:
    switched_on(settings)


@pytest.fixture
def pit(house: None) -> Client:
    return browser_of()


def begun(client: Client, exercise: str) -> dict[str, Any]:
    """An exercise is begun; what it speaks of."""
    assert client.post(EXERCISES, {"begin": exercise}).status_code == 302
    now = stands(client)
    assert (now.done, now.found()) == (0, [])
    return dict(now.values)


def stands(client: Client) -> Progress:
    """How far it is, by its page."""
    now = client.get(EXERCISES).context["now_played"]
    assert isinstance(now, Progress)
    return now


def found(client: Client) -> list[tuple[str, str]]:
    """What is found of what was done in it: article and check."""
    return sorted({(one.article, one.check) for one in stands(client).found()})


def confirmed(client: Client, kind: str) -> None:
    """The fiscal-chefe confirms the last record of a kind by the code on the page."""
    url = address("witness", BookEntry.objects.filter(kind=kind).latest("pk").pk)
    typed = {"staff": cast.CHEFE.number, "secret": training_pin()}
    assert client.post(url, form_on(client.get(url)) | typed).status_code == 303


# A cut out of turn


def cut(client: Client, said: dict[str, Any], seat: int) -> Any:
    """That seat's cut, of those who sit there."""
    url = address("cut", said["table"])
    seats = [
        one["number"] for one in client.get(url).context["cut"]["all_seats"] if one["occupied"]
    ]
    plan = f"{url}?seats={'+'.join(map(str, seats))}&cut={seat}"
    return client.post(url, form_on(client.get(plan)))


def test_a_cut_by_the_seat_whose_turn_it_is_leaves_nothing_to_find(pit: Client) -> None:
    said = begun(pit, "cut")
    assert cut(pit, said, said["right"]).status_code == 303
    assert send(pit, address("shoe", said["table"])).status_code == 303
    assert stands(pit).over
    assert found(pit) == []
    assert "Every step was recorded, as the law asks." in pit.get(EXERCISES).content.decode()


def test_article_8_a_cut_out_of_turn_is_warned_of_and_then_found(pit: Client) -> None:
    said = begun(pit, "cut")
    before = entries()
    warned = cut(pit, said, said["wrong"])
    assert "n.º 8" in warned.content.decode()
    assert (entries(), stands(pit).done) == (before, 0)
    assert over_it(pit, address("cut", said["table"]), warned).status_code == 303
    assert stands(pit).done == 1
    assert {article for article, _ in found(pit)} == {"8"}
    assert "n.º 8" in pit.get(EXERCISES).content.decode()


# A jam


def jam(client: Client, said: dict[str, Any], opens: str = "") -> None:
    """Reported, and put right step by step; `opens` opens the lid instead of the fiscal-chefe."""
    url = f"{address('incident', said['table'])}?category=jam"
    assert send(client, url, reason="carta_presa").status_code == 303
    incident = events_of("incident-reported/1")[-1].incident
    steps = address("incident_steps", said["table"], incident)
    for step in ("called", "arrived", "lid_opened", "lid_closed", "resolved"):
        by = {"by": opens} if opens and step == "lid_opened" else {}
        answer = send(client, steps, step=step, **by)
        answer = over_it(client, steps, answer) if answer.status_code == 200 else answer
        assert answer.status_code == 303, step
    confirmed(client, "incident-reported/1")
    close = address("incident_close", said["table"], incident)
    answer = send(client, close, reason="resolvido")
    assert answer.status_code == 303, errors_on(answer)


def test_article_51_a_jam_put_right_by_the_fiscal_chefe_leaves_nothing_to_find(pit: Client) -> None:
    jam(pit, begun(pit, "jam"))
    assert [one.do for one in stands(pit).lines if one.entry is None] == []
    assert found(pit) == []


def test_article_51_a_lid_the_fiscal_de_banca_opened_is_found(pit: Client) -> None:
    jam(pit, begun(pit, "jam"), opens=cast.PIT.number)
    assert stands(pit).over
    assert ("51", "lid_opened_by_fiscal_chefe") in found(pit)


# A prize


def prize(client: Client, said: dict[str, Any]) -> str:
    """The win and its payment; where the payment is confirmed."""
    url = reverse("jackpot_sala:won", args=[said["table"], said["jackpot"]])
    won = send(client, url, won=[f"{said['seat']}/{CODE}"], said=SO)
    won = over_it(client, url, won) if won.status_code == 200 else won
    assert won.status_code == 303
    hit = won["Location"].partition("?")[0]
    paid = send(client, hit, means="cash")
    if paid.status_code == 200:
        paid = client.post(hit, form_on(paid))
    assert paid.status_code == 303
    return str(paid["Location"])


def test_article_50_a_prize_paid_before_a_second_person_leaves_nothing_to_find(pit: Client) -> None:
    prize(pit, begun(pit, "prize"))
    assert stands(pit).done == 2
    confirmed(pit, "jackpot-paid/1")
    assert stands(pit).over
    assert found(pit) == []


def test_article_50_a_prize_nobody_saw_paid_is_not_over(pit: Client) -> None:
    prize(pit, begun(pit, "prize"))
    now = stands(pit)
    assert (now.done, now.over) == (2, False)
    assert now.next is not None
    assert training_pin() in now.next.do


# The page


def test_the_next_step_stands_in_the_band_beside_the_real_screens(pit: Client) -> None:
    said = begun(pit, "jam")
    page = pit.get(address("table", said["table"])).content.decode()
    assert "<summary>The shuffler jams · 0/8</summary>" in page
    assert "Record the jam of the shuffler." in page
    pit.post(EXERCISES, {"end": "1"})
    page = pit.get(address("table", said["table"])).content.decode()
    assert "Record the jam of the shuffler." not in page


def test_begun_again_it_is_another_table_and_nothing_of_the_first_counts(pit: Client) -> None:
    said = begun(pit, "cut")
    assert cut(pit, said, said["right"]).status_code == 303
    again = begun(pit, "cut")
    assert again["table"] != said["table"]


def is_open(table: str) -> bool:
    return table in open_partidas([table])


def test_whoever_begins_another_leaves_no_open_table_and_nothing_to_be_done_there(
    pit: Client,
) -> None:
    table = begun(pit, "jam")["table"]
    begun(pit, "cut")
    dossier = dossier_kept(last_partidas([table])[table].partida_id, as_of=clock.now())
    assert not is_open(table)
    assert missing_of(PartidaContext(dossier, load_law("pt").on(dossier.gaming_day))) == []


def test_whoever_leaves_an_exercise_closes_his_table_and_nobody_elses(pit: Client) -> None:
    table = begun(pit, "cut")["table"]
    close_left(cast.SECOND_PIT.number)
    assert is_open(table)
    assert pit.post(EXERCISES, {"end": "1"}).status_code == 302
    assert not is_open(table)


def test_what_is_no_exercise_is_refused_in_words_and_nothing_is_recorded(pit: Client) -> None:
    before = entries()
    answer = pit.post(EXERCISES, {"begin": "drop table"})
    assert answer.status_code == 403
    assert "Found “drop table”, which is no exercise. There are: cut, jam, prize." in (
        answer.content.decode()
    )
    assert entries() == before


def test_an_exercise_is_begun_as_fiscal_de_banca_alone(house: None) -> None:
    before = entries()
    answer = browser_of(cast.CHEFE.number).post(EXERCISES, {"begin": "cut"})
    assert answer.status_code == 403
    assert "An exercise is done as fiscal de banca." in answer.content.decode()
    assert entries() == before


@pytest.mark.parametrize("name", sorted(exercises()))
def test_every_text_of_an_exercise_has_both_languages_and_speaks_of_what_is_known(
    name: str,
) -> None:
    exercise = exercises()[name]
    known = {"table", "machine", "rounds", "right", "wrong", "jackpot", "seat", "round"}
    values = dict.fromkeys(known | {"pin", "chefe"}, "X")
    texts = [exercise.title, exercise.story, exercise.law, *(step.do for step in exercise.steps)]
    for pt, en in texts:
        assert pt.format(**values) != en.format(**values)
        assert pt.count("{") == en.count("{")
