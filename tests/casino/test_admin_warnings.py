"""A form warns of what it would open, asks why, and records: it forbids nothing that happened."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from casino import clock
from casino.events.shoes import CardsShuffled, CutMade, CutOffer
from casino.events.shufflers import ShufflerLoaded
from casino.models import BookEntry, ShufflerLoad
from casino.queries import load_entry
from casino.web.forms.finding_words import words
from casino.web.words.place_words import PLACES
from tests.casino.admin_forms import filled, warned_in
from tests.factories.events.every import FULL
from tests.factories.finding_places import WHERE
from tests.factories.people import somebody, write
from tests.factories.recorded import last_entry
from tests.factories.records import EVENING, PARTIDA, PIT
from tests.factories.usual_events import opening

pytestmark = [pytest.mark.django_db, pytest.mark.share]
URL = "admin:casino_shufflerload_add"


AT: Final = {"table": "BJ-06", "partida": PARTIDA}


def opened(dealing: str = "shuffler", shuffler: str | None = "CSM-04") -> None:
    write(opening(AT, dealing=dealing, shuffler=shuffler), by=PIT, at=EVENING)


def opened_by_shoe() -> None:
    opened("shoe", None)


def loaded(packets: int) -> dict[str, str]:
    event = ShufflerLoaded(
        table="BJ-06",
        partida=PARTIDA,
        shuffler="CSM-04",
        decks=tuple(f"D-{n}" for n in range(1, 7)),
        packets=packets,
        operator="P-104",
        fiscal_chefe="S-0021",
    )
    return filled(event, occurred_at="2026-11-20T21:20:00")


def test_one_packet_is_warned_of_then_recorded_with_its_reason() -> None:
    opened()
    client = somebody("fiscal_de_banca")
    sent = loaded(1)
    warned = client.post(reverse(URL), sent)
    assert warned.status_code == 200
    assert not ShufflerLoad.objects.exists()
    checks = warned_in(warned)
    assert checks
    page = warned.content.decode()
    assert "n.º 54: a finding will be opened." in page
    assert page.count(f'value="{sent["key"]}"') == 1

    again = client.post(reverse(URL), sent | {f"despite-{check}": "equipment" for check in checks})
    assert again.status_code == 302
    recorded = load_entry(last_entry(ShufflerLoaded.kind).pk)
    assert recorded is not None
    assert {(one.check, one.reason) for one in recorded.event.despite} == {
        (check, "equipment") for check in checks
    }


def test_a_warning_without_a_reason_is_shown_again() -> None:
    opened()
    client = somebody("fiscal_de_banca")
    sent = loaded(1)
    checks = warned_in(client.post(reverse(URL), sent))
    empty = client.post(reverse(URL), sent | {f"despite-{check}": "" for check in checks})
    assert warned_in(empty) == checks
    unknown = client.post(reverse(URL), sent | {f"despite-{check}": "zzz" for check in checks})
    assert warned_in(unknown) == checks
    assert not ShufflerLoad.objects.exists()


def test_the_same_form_twice_is_one_record() -> None:
    client = somebody("fiscal_de_banca")
    sent = loaded(3)
    answers = []
    for _ in range(2):
        answer = client.post(reverse(URL), sent)
        if answer.status_code == 200:
            sent |= {f"despite-{check}": "other" for check in warned_in(answer)}
            answer = client.post(reverse(URL), sent)
        answers.append(answer)
    assert [answer.status_code for answer in answers] == [302, 302]
    assert ShufflerLoad.objects.count() == 1
    page = client.get(answers[1].url).content.decode()
    assert "Already recorded at" in page


def test_a_form_that_was_recorded_and_changed_is_refused() -> None:
    client = somebody("fiscal_de_banca")
    sent = loaded(3)
    answer = client.post(reverse(URL), sent)
    if answer.status_code == 200:
        sent |= {f"despite-{check}": "other" for check in warned_in(answer)}
        client.post(reverse(URL), sent)
    changed: Any = client.post(reverse(URL), sent | {"packets": "4"})
    assert changed.status_code == 200
    assert "was recorded already" in changed.content.decode()
    assert BookEntry.objects.filter(kind=ShufflerLoaded.kind).count() == 1


def test_a_form_says_whose_turn_the_cut_is() -> None:
    opened_by_shoe()
    client = somebody("fiscal_de_banca")
    url = reverse("admin:casino_cut_add")
    first = CutMade(**AT, shoe=1, after="start", seats_occupied=(2, 5), offers=(), cut_by="nobody")
    asked = client.post(url, filled(first, occurred_at="2026-11-20T21:20:00") | {"work_out": "1"})
    page = asked.content.decode()
    assert "seat 2&#x27;s turn" in page
    assert 'name="due_seat" value="2"' in page
    write(
        CutMade(
            **AT,
            shoe=1,
            after="start",
            seats_occupied=(2, 5),
            offers=(CutOffer(seat=2, accepted=True),),
            cut_by="seat",
            seat=2,
        ),
        by=PIT,
        at=EVENING,
    )
    write(CardsShuffled(**AT, shoe=1, decks=(), shuffled_by="P-104"), by=PIT, at=EVENING)
    write(CardsShuffled(**AT, shoe=2, decks=(), shuffled_by="P-104"), by=PIT, at=EVENING)
    second = filled(first, occurred_at="2026-11-20T22:20:00") | {"shoe": "2", "work_out": "1"}
    assert "seat 5&#x27;s turn" in client.post(url, second).content.decode()
    empty = client.post(url, second | {"seats_occupied": "", "shoe": "x"})
    assert "Fill in the game" in empty.content.decode()


def test_a_round_paid_wrongly_is_warned_of_and_recorded() -> None:
    client = somebody("fiscal_de_banca")
    url = reverse("admin:casino_round_add")
    sent = filled(FULL["round-played/1"])
    warned = client.post(url, sent)
    assert warned.status_code == 200
    assert warned_in(warned)
    again = sent | {f"despite-{check}": "other" for check in warned_in(warned)}
    assert client.post(url, again).status_code == 302
    assert BookEntry.objects.filter(kind="round-played/1").count() == 1


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ("{", "$"),
        ('{"schema": "round/1"}', "$."),
        ('{"schema": "round/1", "round": 7}', "$."),
    ],
)
def test_a_round_that_cannot_be_says_where(record: str, said: str) -> None:
    client = somebody("fiscal_de_banca")
    answer: Any = client.post(
        reverse("admin:casino_round_add"), filled(FULL["round-played/1"]) | {"record": record}
    )
    assert answer.status_code == 200
    assert answer.context["form"].errors["record"][0].startswith(said)
    assert not BookEntry.objects.filter(kind="round-played/1").exists()


@pytest.mark.parametrize(
    ("recorded", "shown"),
    [
        ("2026-07-01T19:47:54.506064+00:00", "20:47:54"),
        ("2026-07-01T19:47:00+00:00", "20:47"),
        ("2026-06-30T19:47:00+00:00", "30/06/2026 20:47:00"),
        ("2026-07-01T19:47:54", "2026-07-01T19:47:54"),  # of no zone: as it was written
        ("nobody told", "nobody told"),
    ],
)
def test_moments_are_warned_of_by_the_houses_clock(
    monkeypatch: pytest.MonkeyPatch, recorded: str, shown: str
) -> None:
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 7, 1, 21, 0, tzinfo=UTC))
    with timezone.override(ZoneInfo("Europe/Lisbon")), translation.override("pt-pt"):
        assert words().moment(recorded) == shown


def test_every_place_of_a_finding_has_a_word() -> None:
    assert set(PLACES) >= WHERE


def test_a_warning_tells_no_moment_as_a_machine_writes_it() -> None:
    opened()
    withdrawn = FULL["deck-withdrawn/1"]
    write(replace(withdrawn, **AT, deck="D-3"), by=PIT, at=EVENING)
    late = {"occurred_at": "2026-11-20T22:20:00"}
    page = somebody("fiscal_de_banca").post(reverse(URL), loaded(3) | late).content.decode()
    assert "n.º 5" in page
    assert not re.search(r"\d\d:\d\d:\d\d\.\d+|\+00:00", page.partition("<form")[0])
