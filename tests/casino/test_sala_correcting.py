"""S13: what was recorded wrongly stays readable; what is right stands beside it and waits."""

import re
from typing import Any

import pytest
from django.test import Client

from casino.models import BookEntry, Correction
from tests.casino.sala_forms import address, form_on, send
from tests.factories.people import somebody
from tests.factories.recorded import entries, events_of
from tests.factories.tables import MINUTE, a_load, a_table
from tests.flat_html import flat
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


@pytest.fixture
def load(pit: Client) -> str:
    """The page on which a load told a minute ago is put right."""
    return address("correct", a_load(a_table(), ago=MINUTE).entry_id)


def corrected(client: Client, url: str, **values: str) -> Any:
    """The value that is wrong is put right; what is different is read, and recorded."""
    return client.post(url, form_on(client.post(url, form_on(client.get(url)) | values)))


def asked_for(page: str) -> set[str]:
    """The fields that a page shows: those whose row is not hidden."""
    return {name for name, how in re.findall(r'id="row-(\w+)"( hidden)?', page) if not how}


def test_the_one_value_that_is_wrong_is_asked_for(pit: Client, load: str) -> None:
    page = flat(pit.get(load))
    assert asked_for(page) == set()
    assert re.search(r'href="\?wrong=packets"[^/]*</span> <strong>3</strong>', page, re.DOTALL)
    page = flat(pit.get(f"{load}?wrong=packets"))
    assert asked_for(page) == {"packets"}
    assert "<s>3</s>" in page


def test_another_value_keeps_what_was_typed_of_the_first(pit: Client, load: str) -> None:
    sent = form_on(pit.get(f"{load}?wrong=packets")) | {"packets": "4", "go_back": "1"}
    answer = pit.post(f"{load}?wrong=packets&wrong=operator", sent)
    assert asked_for(flat(answer)) == {"packets", "operator"}
    assert form_on(answer)["packets"] == "4"


def test_every_value_of_the_record_can_be_put_right(pit: Client, load: str) -> None:
    page = flat(pit.get(load))
    listed = set(re.findall(r'href="\?wrong=(\w+)"', page))
    assert listed == set(re.findall(r'id="row-(\w+)"', page))
    assert {"occurred_at", "table", "partida", "packets", "operator", "decks"} <= listed


def test_what_is_different_is_read_before_it_is_recorded(pit: Client, load: str) -> None:
    before = entries()
    values = form_on(pit.get(load)) | {"packets": "4", "correction_reason": "wrong-count"}
    answer = pit.post(load, values)
    assert entries() == before
    assert [(row["before"], row["after"]) for row in answer.context["rows"]] == [("3", "4")]
    back = form_on(pit.post(f"{load}?wrong=packets", form_on(answer) | {"go_back": "1"}))
    assert (back["packets"], back["correction_reason"]) == ("4", "wrong-count")
    assert entries() == before
    answer = pit.post(load, form_on(answer))
    assert (answer.status_code, answer["Location"]) == (303, load)
    assert entries() == before + 1
    assert [one.packets for one in events_of("shuffler-loaded/1")] == [3, 4]
    entry = BookEntry.objects.filter(kind="shuffler-loaded/1").latest("pk")
    assert b'"door":"sala"' in bytes(entry.entry)
    assert b'"wrong-count"' in bytes(entry.entry)


def test_nothing_is_recorded_where_nothing_is_different(pit: Client, load: str) -> None:
    before = entries()
    answer = pit.post(load, form_on(pit.get(load)) | {"correction_reason": "misread"})
    assert "Nothing is different yet" in flat(answer)
    assert entries() == before


def test_it_waits_for_its_second_person_and_says_so(pit: Client, load: str) -> None:
    corrected(pit, load, packets="4", correction_reason="misread")
    page = flat(pit.get(load))
    assert "waits for its second person" in page
    assert 'name="packets"' not in page  # nobody asks for the same twice
    assert not Correction.objects.exists()  # nothing counts yet


def test_a_correction_has_its_reason(pit: Client, load: str) -> None:
    before = entries()
    answer = pit.post(load, form_on(pit.get(load)) | {"packets": "4", "correction_reason": ""})
    assert answer.status_code == 200
    assert form_on(answer)["packets"] == "4"  # what was typed is still there
    assert entries() == before


@pytest.mark.parametrize("packets", ["", "x", "0", "51"])
def test_nonsense_is_refused_and_nothing_stored(pit: Client, load: str, packets: str) -> None:
    before = entries()
    values = {"packets": packets, "correction_reason": "wrong-count"}
    answer = pit.post(load, form_on(pit.get(load)) | values)
    assert answer.status_code == 200
    assert "Not recorded yet." in flat(answer)
    assert entries() == before


def test_what_is_right_may_be_unlawful_and_is_warned_of(pit: Client, load: str) -> None:
    before = entries()
    values = {"packets": "1", "correction_reason": "wrong-count"}
    answer = pit.post(load, form_on(pit.get(load)) | values)
    assert answer.status_code == 200
    page = flat(answer)
    assert "n.º 54" in page
    assert entries() == before
    over = form_on(answer) | {"despite-shuffler_loaded_in_packets": "it-happened-so"}
    assert pit.post(load, over).status_code == 303
    assert events_of("shuffler-loaded/1")[-1].despite


def test_a_double_tap_corrects_once(pit: Client, load: str) -> None:
    sent = form_on(pit.get(load)) | {"packets": "4", "correction_reason": "wrong-count"}
    sent["read"] = "1"
    assert [pit.post(load, sent).status_code for _ in range(2)] == [303, 303]
    assert len(events_of("shuffler-loaded/1")) == 2


def test_after_an_act_the_way_to_put_it_right_is_offered(pit: Client) -> None:
    a_table("shoe")
    answer = send(pit, address("interrupt"), reason="no_players", do="interrupt")
    stop = BookEntry.objects.get(kind="play-interrupted/1")
    page = flat(pit.get(answer["Location"]))
    assert address("correct", stop.pk) in page


def test_another_tables_fiscal_puts_nothing_right_here(load: str) -> None:
    other = somebody("fiscal_de_banca", "S-0999")
    assert other.get(load).status_code == 403
    assert other.post(load, {"packets": "4"}).status_code == 403


def test_an_inspector_reads_and_corrects_nothing(load: str) -> None:
    assert somebody("inspetor").get(load).status_code == 403


def test_what_only_a_machine_tells_is_not_corrected_here(pit: Client) -> None:
    a_table()
    opened = BookEntry.objects.get(kind="partida-opened/1")
    assert pit.get(address("correct", opened.pk)).status_code == 200
    unknown = address("correct", "0193479e-0000-7000-8000-00000000000d")
    assert pit.get(unknown).status_code == 404


def test_a_note_one_may_not_read_is_kept_and_not_shown(pit: Client) -> None:
    """The head corrects another's report without having seen its private text."""
    a_table()
    url = f"{address('incident')}?category=conduct"
    send(pit, url, reason="ameaca", text="João, de casaco verde")
    entry = BookEntry.objects.get(kind="incident-reported/1")
    mine = flat(pit.get(address("correct", entry.pk)))
    assert "casaco verde" in mine
