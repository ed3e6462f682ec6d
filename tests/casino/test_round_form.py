"""The event checks itself, also where no JSON was read: as a simulator or a converter builds it."""

import dataclasses
import json
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.events import Malformed
from casino.events.event import Paper
from casino.events.round.round_form import check_form, gaming_day_of
from casino.events.round.round_played import (
    Bank,
    Box,
    Dealt,
    Device,
    Hand,
    Limits,
    Misdealt,
    Place,
    RoundPlayed,
    Times,
    Wager,
)
from casino.reading.round_reader import read_round
from tests.factories.any_rounds import rounds
from tests.factories.malformed_rounds import SOUND

ROUND = "01934f00-0001-7000-8000-000000000001"
HAND = Hand(1, ("TH", "9D"), ("stand",))
STAKE = Wager("J1", "main", 1000, 2000, 1)
BOX = Box(1, False, (HAND,), (STAKE,), "J1")
BANK = Bank(("7C", "TD"), ())


def a_round(**fields: Any) -> RoundPlayed:
    values: dict[str, Any] = {
        "round": ROUND,
        "table": "BJ-06",
        "partida": "BJ-06/2026-11-20/1",
        "boxes": (BOX,),
        "bank": BANK,
        "misdealt": (),
    }
    return RoundPlayed(**{**values, **fields})


def with_box(**fields: Any) -> dict[str, Any]:
    return {"boxes": (dataclasses.replace(BOX, **fields),)}


def with_hand(**fields: Any) -> dict[str, Any]:
    return with_box(hands=(dataclasses.replace(HAND, **fields),))


def with_wager(**fields: Any) -> dict[str, Any]:
    return with_box(wagers=(dataclasses.replace(STAKE, **fields),))


AT = "$.boxes[0]"
BUILT_WRONG = [
    ({"round": "17"}, "$.round"),
    ({"table": "BJ/06"}, "$.table"),
    ({"partida": "BJ-06/2026-13-20/1"}, "$.partida"),
    ({"partida": "BJ-06/2026-11-20/1\n"}, "$.partida"),
    ({"table": "BJ-06\n"}, "$.table"),
    ({"boxes": ()}, "$.boxes"),
    ({"boxes": (BOX, BOX)}, "$.boxes[1].box"),
    ({"shoe": 0}, "$.shoe"),
    ({"number": True}, "$.number"),
    ({"device": Device("", 1)}, "$.device.id"),
    ({"device": Device("D", -1)}, "$.device.sequence"),
    ({"limits": Limits(0, 100)}, "$.limits.minimum_cents"),
    ({"limits": Limits(100, 99)}, "$.limits.maximum_cents"),
    ({"times": Times(paid=datetime(2026, 11, 20))}, "$.times.paid"),  # noqa: DTZ001
    (
        {"times": Times(first_card=datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=1))))},
        "$.times.first_card",
    ),
    ({"seats_occupied": (2, 2)}, "$.seats_occupied[1]"),
    ({"voided": "whim"}, "$.voided.why"),
    ({"warning_card_at": 5}, "$.warning_card_at"),
    ({"put_back": -1}, "$.put_back"),
    ({"paper": Paper(sheet="no 12", written_by="S-1", why="other")}, "$.paper.sheet"),
    ({"paper": Paper(sheet="12", written_by="S-1", why="rain")}, "$.paper.why"),  # type: ignore[arg-type]
    (with_box(number=0), f"{AT}.box"),
    (with_box(holder=None), f"{AT}.holder"),
    (with_box(vacant=True), f"{AT}.holder"),
    (with_box(vacant=1), f"{AT}.vacant"),
    (with_box(consent=0), f"{AT}.consent"),
    (with_hand(number=2), f"{AT}.hands[0].hand"),
    (with_hand(cards=()), f"{AT}.hands[0].cards"),
    (with_hand(cards=("TH", "1D")), f"{AT}.hands[0].cards[1]"),
    (with_hand(actions=("fold",)), f"{AT}.hands[0].actions[0]"),
    (with_hand(split_from=1), f"{AT}.hands[0].from"),
    (with_wager(stake_cents=-1), f"{AT}.wagers[0].stake_cents"),
    (with_wager(stake_cents=True), f"{AT}.wagers[0].stake_cents"),
    (with_wager(stake_cents=10.0), f"{AT}.wagers[0].stake_cents"),
    (with_wager(returned_cents=10**12 + 1), f"{AT}.wagers[0].returned_cents"),
    (with_wager(kind="jackpot"), f"{AT}.wagers[0].hand"),
    (with_wager(hand=None), f"{AT}.wagers[0].hand"),
    (with_wager(hand=2), f"{AT}.wagers[0].hand"),
    (with_wager(chip=1), f"{AT}.wagers[0].chip"),
    (with_wager(owner="J\u00e91"), f"{AT}.wagers[0].owner"),
    ({"bank": Bank(("7C",) * 25, ())}, "$.bank.cards"),
    ({"misdealt": (Misdealt("2S", "shoe", "hand"),)}, "$.misdealt[0].to"),
    ({"misdealt": (Misdealt("2S", "shoe", "bank"),)}, "$.misdealt[0].card"),
    ({"misdealt": (Misdealt("2S", Place(2, 1), "discard"),)}, "$.misdealt[0].at"),
    ({"dealt": (Dealt("TH", Place(1, 1)),)}, "$.dealt"),
]


@pytest.mark.parametrize(("fields", "path"), BUILT_WRONG, ids=[p for _, p in BUILT_WRONG])
def test_a_round_built_wrong_is_refused_at_its_path(fields: dict[str, Any], path: str) -> None:
    with pytest.raises(Malformed) as caught:
        a_round(**fields)
    assert caught.value.path == path


def test_a_round_built_right_is_a_round() -> None:
    assert a_round().gaming_day == date(2026, 11, 20)
    assert a_round(times=Times(paid=datetime(2026, 11, 20, tzinfo=UTC))).times is not None


def test_the_gaming_day_is_read_off_the_partida() -> None:
    assert gaming_day_of("BJ-06", "BJ-06/2028-02-29/12") == date(2028, 2, 29)


def test_a_round_is_checked_again_when_it_is_changed() -> None:
    with pytest.raises(Malformed):
        dataclasses.replace(a_round(), table="BJ-07")


def test_a_refusal_says_what_was_found_and_what_is_asked() -> None:
    with pytest.raises(Malformed) as caught:
        a_round(**with_hand(cards=("TH", "9D", "2S")))
    assert str(caught.value) == (
        "$.boxes[0].hands[0].cards: found 3 cards;"
        " two dealt, 0 asked for and 0 misdealt make 1 to 2"
    )


def test_a_misdealt_card_asked_for_or_not_may_lie_on_its_hand() -> None:
    astray = (Misdealt("2S", "shoe", "hand", to=Place(1, 1)),)
    for actions in (("stand",), ("hit", "stand")):
        hand = with_hand(cards=("TH", "9D", "2S"), actions=actions)
        assert a_round(**hand, misdealt=astray).misdealt == astray


def test_a_stake_may_wait_on_a_box_that_got_no_card() -> None:
    assert a_round(**with_box(hands=())).boxes[0].hands == ()
    with pytest.raises(Malformed):
        a_round(**with_box(hands=(), wagers=(dataclasses.replace(STAKE, hand=2),)))


@given(rounds())
def test_checking_a_round_again_changes_nothing(played: RoundPlayed) -> None:
    check_form(played)


@given(rounds(), st.data())
def test_a_card_more_or_less_in_a_played_hand_contradicts_the_record(
    played: RoundPlayed, data: st.DataObject
) -> None:
    hands = [(b, h) for b, box in enumerate(played.boxes) for h in range(len(box.hands))]
    if not hands or played.voided is not None or played.misdealt:
        return
    b, h = data.draw(st.sampled_from(hands))
    box = played.boxes[b]
    cards = box.hands[h].cards
    # One card alone, where nothing was asked, is unlawful and recorded.
    fewer = [cards[:-1]] if len(cards) != 2 else []
    more = [(*cards, "2S")] if len(cards) != 1 else []
    other = data.draw(st.sampled_from([*fewer, *more]))
    spoilt = (*box.hands[:h], dataclasses.replace(box.hands[h], cards=other), *box.hands[h + 1 :])
    boxes = list(played.boxes)
    boxes[b] = dataclasses.replace(box, hands=spoilt)
    with pytest.raises(Malformed) as caught:
        dataclasses.replace(played, boxes=tuple(boxes))
    assert caught.value.path == f"$.boxes[{b}].hands[{h}].cards"


def test_the_sound_round_is_what_the_tables_of_faults_start_from() -> None:
    assert read_round(json.dumps(SOUND).encode()).dealt is not None
