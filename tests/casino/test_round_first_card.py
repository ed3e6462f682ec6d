"""When a round by hand was begun: said or left open, and what forbids a round meanwhile.

Law: PT art. 5 (a withdrawn deck), 12 (a stop).
"""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.test import Client

from casino import clock
from casino.events import Malformed
from casino.events.deck_life import DeckWithdrawn
from casino.events.round.round_played import RoundPlayed, Times
from casino.events.shoes import PlayInterrupted
from casino.floor.stated_moments import first_card_of
from casino.house_day import house_zone
from tests.casino.rounds_tapped import PAID, page
from tests.casino.sala_forms import address, checks_warned, errors_on, send
from tests.factories.floor import DECKS, PIT, SHOE_TABLE, ago, game, house, opened, prepared
from tests.factories.people import appoint, somebody, write
from tests.factories.recorded import entries, events_of, last_entry
from tests.stages import recorded_once

LISBON = house_zone()
FIELD = "first_card"


def at(text: str) -> datetime:
    """A moment of the night of the 20th by the house's clock (in winter UTC)."""
    return datetime.fromisoformat(f"2026-11-{text}+00:00").astimezone(UTC)


@pytest.mark.parametrize(
    ("shown", "of", "found"),
    [
        ("21:35", "20T21:40", "20T21:35"),
        ("21:40", "20T21:40", "20T21:40"),  # the same minute: as far as anybody knows
        ("21:41", "20T21:40:30", "20T21:40:30"),  # a watch is some seconds fast
        ("23:58", "21T00:02", "20T23:58"),
        ("21:00", "20T21:40", "20T21:00"),  # as the game was opened, told to the minute
        ("20:40", "20T20:50", "20T20:40"),  # of a round that was itself before the opening
    ],
)
def test_a_clocks_time_is_that_nearest_to_the_round(shown: str, of: str, found: str) -> None:
    opening = at("20T21:00:20")
    assert first_card_of(time.fromisoformat(shown), at(of), opening) == at(found)


@pytest.mark.parametrize(
    ("shown", "of", "refusal"),
    [
        ("21:42", "20T21:40", "found 21:42; the round was at 21:40"),
        ("00:05", "20T23:58", "found 00:05; the round was at 23:58"),
        ("20:59", "20T21:40", "found 20:59; this game was opened at 21:00"),
        ("10:00", "20T21:40", "found 10:00; this game was opened at 21:00"),
    ],
)
def test_one_that_cannot_be_is_refused_in_words(shown: str, of: str, refusal: str) -> None:
    with pytest.raises(Malformed, match=refusal) as refused:
        first_card_of(time.fromisoformat(shown), at(of), at("20T21:00:20"))
    assert refused.value.path == "$.first_card"


def test_a_time_no_clock_showed_is_refused() -> None:
    night = datetime(2026, 3, 29, 2, 30, tzinfo=UTC)  # 01:00 to 02:00 was left out
    with pytest.raises(Malformed, match="set forward"):
        first_card_of(time(1, 30), night, None)


@recorded_once
def pit() -> Client:
    house()
    appoint(PIT.staff, "fiscal_de_banca")
    opened()
    prepared()
    return somebody("fiscal_de_banca")


def typed(minutes: float) -> str:
    """What the house's clock showed so many minutes ago."""
    return f"{(clock.now() - timedelta(minutes=minutes)).astimezone(LISBON):%H:%M}"


def the_round() -> RoundPlayed:
    (event,) = events_of("round-played/1")
    found: RoundPlayed = event
    return found


@pytest.mark.django_db
@pytest.mark.usefixtures("english")
class TestForm:
    """The field of the form, the tap, the warnings."""

    def test_left_empty_it_is_not_in_the_record(self, pit: Client) -> None:
        assert form_value(pit.get(page(PAID))) == ""
        assert send(pit, page(PAID)).status_code == 303
        assert the_round().times is None

    def test_said_it_is_the_records_first_card(self, pit: Client) -> None:
        assert send(pit, page(PAID), first_card=typed(3)).status_code == 303
        entry, times = last_entry("round-played/1"), the_round().times
        assert times is not None
        assert times == Times(first_card=times.first_card)
        assert times.first_card is not None
        assert timedelta(0) < entry.occurred_at - times.first_card < timedelta(minutes=5)
        assert times.first_card.second == 0

    @pytest.mark.parametrize("minutes", [-3, 55])
    def test_after_the_round_or_before_the_opening_nothing_is_recorded(
        self, pit: Client, minutes: int
    ) -> None:
        before = entries()
        answer = send(pit, page(PAID), first_card=typed(minutes))
        assert list(errors_on(answer)) == [FIELD]
        assert "or leave it empty" in errors_on(answer)[FIELD]
        assert form_value(answer) == typed(minutes)
        assert entries() == before

    def test_a_time_that_is_none_is_said_beside_it(self, pit: Client) -> None:
        assert list(errors_on(send(pit, page(PAID), first_card="25:00"))) == [FIELD]
        assert events_of("round-played/1") == []

    def test_it_is_tapped_as_the_card_is_dealt_and_carried_by_every_tap(self, pit: Client) -> None:
        text = pit.get(page("s1")).content.decode()
        assert 'value="first_card"' in text
        tapped = pit.get(page("s1", tap="first_card"))
        shown = form_value(tapped)
        assert abs(seconds(shown) - seconds(f"{clock.now().astimezone(LISBON):%H:%M:%S}")) < 60
        assert 'value="first_card"' not in tapped.content.decode()
        for words, offered in (("s1 TH", True), ("s1 TH 6C", False)):  # at that card alone
            assert pit.get(page(words)).context["first_now"] is offered
        later = pit.get(page(PAID, first_card=shown))
        assert form_value(later) == shown
        assert send(pit, page(PAID, first_card=shown)).status_code == 303
        times = the_round().times
        assert times is not None
        assert f"{times.first_card.astimezone(LISBON):%H:%M:%S}" == shown  # type: ignore[union-attr]

    def test_a_deck_withdrawn_before_is_warned_of(self, pit: Client) -> None:
        """PT art. 5."""
        write(DeckWithdrawn(**game(), deck=DECKS[0], reason="worn"), by=PIT, at=ago(6))
        assert "withdrawn_deck_not_used" in checks_warned(
            send(pit, page(PAID), first_card=typed(3))
        )
        assert events_of("round-played/1") == []

    @pytest.mark.parametrize("first", ["before", "unknown"])
    def test_one_dealt_before_or_nobody_knows_when_is_not(self, pit: Client, first: str) -> None:
        """PT art. 5: an invented first card would accuse somebody of what nobody saw."""
        write(DeckWithdrawn(**game(), deck=DECKS[0], reason="worn"), by=PIT, at=ago(3))
        said = {FIELD: typed(6)} if first == "before" else {}
        assert send(pit, page(PAID), **said).status_code == 303
        assert len(events_of("round-played/1")) == 1

    def test_a_round_dealt_while_play_rests_is_warned_of(self, pit: Client) -> None:
        """PT art. 12."""
        write(PlayInterrupted(**game(), shoe=1, reason="no_players"), by=PIT, at=ago(6))
        warned = checks_warned(send(pit, page(PAID), first_card=typed(3)))
        assert "no_round_while_interrupted" in warned

    def test_what_forbids_a_round_stands_on_its_page_as_on_the_tables(self, pit: Client) -> None:
        words = "Withdrawn, and still among the cards"
        assert words not in pit.get(page("s1")).content.decode()
        write(DeckWithdrawn(**game(), deck=DECKS[0], reason="worn"), by=PIT, at=ago(6))
        for url in (page("s1"), address("table", SHOE_TABLE)):
            assert words in pit.get(url).content.decode()


def form_value(answer: Any) -> str:
    """What stands in the field of the first card."""
    value = answer.context["form"][FIELD].value()
    return str(value or "")


def seconds(shown: str) -> int:
    hour, minute, second = map(int, shown.split(":"))
    return (hour * 60 + minute) * 60 + second
