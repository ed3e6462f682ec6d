"""A round put right on the floor: by the taps that make it, by one who asks and one who approves.

Law: PT art. 13-37, 61.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.events.round.round_played import RoundPlayed
from casino.floor.game_view import load_game_view
from casino.models import BookEntry, Correction, Supersession
from casino.queries import load_entry
from casino.recording import Receipt
from casino.web.entries.entry_page import url_of
from tests.casino.rounds_tapped import PAID, page
from tests.casino.sala_forms import address, checks_warned, errors_on, fill, form_on, send
from tests.factories.floor import PIT, SHOE_TABLE, ago, game, house, opened, prepared, yesterday
from tests.factories.people import appoint, somebody, write
from tests.factories.recorded import entries
from tests.factories.rounds import a_round, box, main
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]

WRONG = PAID.replace("@1.1 r2000", "@1.1 r1500")
WHY = "typing-error"


@recorded_once
def pit() -> Client:
    house()
    appoint(PIT.staff, "fiscal_de_banca")
    yesterday()
    opened()
    prepared()
    return somebody("fiscal_de_banca")


def recorded_wrongly(pit: Client) -> BookEntry:
    """Box 1 won 20.00, and 15.00 was written down."""
    url = page(WRONG)
    answer = send(pit, url)
    assert pit.post(url, form_on(answer)).status_code == 303
    return BookEntry.objects.get(kind=RoundPlayed.kind)


def from_a_device(**known: Any) -> Receipt:
    """A round of this evening that no finger tapped."""
    boxes = known.pop("boxes", (box(1, "TS 8D", main(1000, 1500)),))
    played = replace(a_round(*boxes, bank="TH 7C", times=None, **known), **game())
    return write(played, by=PIT, at=ago(5))


def url_for(entry: BookEntry | Receipt) -> str:
    return reverse("sala:correct", args=[getattr(entry, "entry_id", None) or entry.pk])  # type: ignore[union-attr]


def taps_of(pit: Client, url: str, *more: str) -> str:
    """The address with the taps of the record and these after them."""
    shown = pit.get(url)
    taps = " ".join([shown.context["taps"], *more])
    return f"{url}?{urlencode({'key': shown.context['key'], 'taps': taps})}"


def standing() -> list[RoundPlayed]:
    """The rounds that count."""
    rounds = BookEntry.objects.filter(kind=RoundPlayed.kind)
    partida = rounds.values_list("partida_id", flat=True).distinct().get()
    return [one.event for one in load_game_view(partida, clock.now()).dossier.of(RoundPlayed)]


def returned(played: RoundPlayed) -> list[int]:
    return [one.returned_cents for part in played.boxes for one in part.wagers]


def test_it_begins_as_it_was_recorded_with_nothing_to_record(pit: Client) -> None:
    entry = recorded_wrongly(pit)
    shown = pit.get(url_for(entry))
    assert [row.returned for row in shown.context["rows"]] == ["€15.00", "€0.00"]
    text = flat(shown)
    assert "It stays in the book as it is." in text
    assert "Nothing is different yet" in text
    assert "Record the correction" not in text
    assert reverse("sala:correct", args=[entry.pk]) in flat(pit.get(address("entry", entry.pk)))


def test_what_is_different_stands_there_and_it_waits_for_its_second_person(pit: Client) -> None:
    entry = recorded_wrongly(pit)
    before = standing()[0]
    url = taps_of(pit, url_for(entry), "@1.1", "r2000")
    (row,) = pit.get(url).context["changes"]
    named = (row["label"], row["before"], row["after"])
    assert named == ("Box 1, main stake: handed back", "€15.00", "€20.00")
    answer = send(pit, url, correction_reason=WHY)
    assert answer.status_code == 303, errors_on(answer)
    assert "waits" in flat(pit.get(answer["Location"]))
    asked = Supersession.objects.get()
    assert (asked.original_n, asked.reason) == (entry.n, WHY)
    assert standing() == [before], "until then the original counts"
    head = somebody("fiscal_chefe")
    decide = reverse("admin:casino_supersession_change", args=[asked.pk])
    rows = head.get(decide).context["rows"]
    assert [one["label"] for one in rows if one["changed"]] == [row["label"]]
    form = head.get(decide).context["form"]
    sent = {"key": str(form["key"].value()), "at": form["at"].value(), "reason": "checked"}
    assert head.post(decide, sent | {"decision": "approved"}).status_code == 302
    assert Correction.objects.get().decision == "approved"
    (after,) = standing()
    assert returned(after) == [2000, 0]
    assert replace(after, boxes=before.boxes) == before, "the round, its shoe, its dealer stay"
    correction = BookEntry.objects.get(pk=asked.pk)
    assert correction.occurred_at == entry.occurred_at


def test_a_correction_that_changes_nothing_is_refused(pit: Client) -> None:
    entry = recorded_wrongly(pit)
    changed = taps_of(pit, url_for(entry), "@1.1", "r2000")
    sent = fill(pit, changed, correction_reason=WHY)
    before = entries()
    same = pit.post(changed, sent | {"taps": pit.get(url_for(entry)).context["taps"]})
    assert "othing is different yet" in errors_on(same)["taps"]
    assert entries() == before


@pytest.mark.parametrize("reason", ["", "because"])
def test_without_one_of_the_reasons_nothing_is_recorded(pit: Client, reason: str) -> None:
    url = taps_of(pit, url_for(recorded_wrongly(pit)), "@1.1", "r2000")
    before = entries()
    refused = send(pit, url, correction_reason=reason)
    assert "correction_reason" in errors_on(refused)
    assert entries() == before


def test_what_is_no_whole_round_is_refused(pit: Client) -> None:
    url = url_for(recorded_wrongly(pit))
    sent = fill(pit, taps_of(pit, url, "@1.1", "r2000"), correction_reason=WHY)
    for taps in ("", "s1 TH", "s1 TH 6C 9S TD stand 2H min"):
        assert "taps" in errors_on(pit.post(url, sent | {"taps": taps}))
    assert not Supersession.objects.exists()


def test_a_card_is_put_right_by_tapping_the_round_anew(pit: Client) -> None:
    entry = recorded_wrongly(pit)
    shown = pit.get(url_for(entry))
    anew = pit.get(f"{url_for(entry)}{shown.context['anew']}")
    assert (anew.context["taps"], anew.context["key"]) == ("", shown.context["key"])
    right = PAID.replace("TH", "KH")
    url = f"{url_for(entry)}?{urlencode({'key': shown.context['key'], 'taps': right})}"
    labels = [row["label"] for row in pit.get(url).context["changes"]]
    assert labels == ["Box 1: cards", "Box 1, main stake: handed back"]
    assert send(pit, url, correction_reason=WHY).status_code == 303


def test_a_wrong_pay_is_warned_of_in_a_correction_too(pit: Client) -> None:
    """PT art. 24."""
    url = taps_of(pit, url_for(recorded_wrongly(pit)), "@1.1", "r1900")
    asked = send(pit, url, correction_reason=WHY)
    assert "nearer_to_twenty_one_wins" in checks_warned(asked)
    assert pit.post(url, form_on(asked)).status_code == 303
    assert Supersession.objects.count() == 1


def test_the_same_form_sent_twice_is_one_correction(pit: Client) -> None:
    entry = recorded_wrongly(pit)
    url = taps_of(pit, url_for(entry), "@1.1", "r2000")
    sent = fill(pit, url, correction_reason=WHY)
    assert [pit.post(url, sent).status_code for _ in range(2)] == [303, 303]
    assert Supersession.objects.count() == 1
    assert "waits" in flat(pit.get(url)), "whoever goes back sees that it waits"
    another = sent | {"key": str(UUID(int=7))}
    assert pit.post(url, another).status_code == 200
    assert Supersession.objects.count() == 1


def test_what_a_device_tells_beside_it_stays(pit: Client) -> None:
    dealt = "1 TS, bank TH, 1 8D, bank 7C"
    receipt = from_a_device(dealt=dealt, number=41, dealer="P-104")
    url = taps_of(pit, url_for(receipt), "@1.1", "r2000")
    answer = send(pit, url, correction_reason=WHY)
    assert answer.status_code == 303, answer.context["errors"]
    original, corrected = load_entry(receipt.entry_id), load_entry(Supersession.objects.get().pk)
    assert original is not None
    assert corrected is not None
    assert returned(corrected.event) == [2000]
    assert replace(corrected.event, boxes=original.event.boxes) == original.event


def test_other_cards_than_left_the_shoe_are_no_round(pit: Client) -> None:
    """A device also says in which order they were dealt."""
    receipt = from_a_device(dealt="1 TS, bank TH, 1 8D, bank 7C")
    sent = fill(pit, taps_of(pit, url_for(receipt), "@1.1", "r2000"), correction_reason=WHY)
    taps = "s1 =1000 TS TH 9D 7C stand @1.1 r2000"
    shown = pit.get(f"{url_for(receipt)}?{urlencode({'taps': taps})}")
    assert shown.context["changes"] == []
    assert "dealt but not lying there" in shown.context["why_not_yet"]
    assert (
        "dealt but not lying"
        in errors_on(pit.post(url_for(receipt), sent | {"taps": taps}))["taps"]
    )
    assert not Supersession.objects.exists()


def test_a_round_no_taps_stand_for_is_put_right_in_the_administration(pit: Client) -> None:
    of_two = box(1, "TS 8D", main(1000, 2000), main(1000, 2000, "J5"))
    receipt = from_a_device(boxes=(of_two,))
    there = url_of(RoundPlayed.kind, receipt.entry_id)
    assert pit.get(url_for(receipt))["Location"] == there
    shown = pit.get(address("entry", receipt.entry_id))
    assert (shown.context["corrigible"], shown.context["corrected_at"]) == (False, there)


def test_a_round_of_the_evening_before_is_put_right_too(pit: Client) -> None:
    played = replace(a_round(box(1, "TS 8D", main(1000, 1500)), bank="TH 7C"), **game(days_ago=1))
    at = clock.now() - timedelta(hours=22)
    receipt = write(replace(played, times=None), by=PIT, at=at)
    url = taps_of(pit, url_for(receipt), "@1.1", "r2000")
    asked = send(pit, url, correction_reason=WHY)
    assert pit.post(url, form_on(asked)).status_code == 303
    assert BookEntry.objects.get(pk=Supersession.objects.get().pk).occurred_at == at


def test_nobody_from_elsewhere_puts_it_right(pit: Client) -> None:
    entry = recorded_wrongly(pit)
    sent = fill(pit, taps_of(pit, url_for(entry), "@1.1", "r2000"), correction_reason=WHY)
    for stranger in (somebody("fiscal_de_banca", "S-0999"), somebody("inspetor")):
        assert stranger.get(url_for(entry)).status_code == 403
        assert stranger.post(url_for(entry), sent).status_code == 403
    assert SHOE_TABLE in flat(pit.get(url_for(entry)))


def flat(answer: Any) -> str:
    return " ".join(answer.content.decode().split())
