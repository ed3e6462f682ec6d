"""One `RoundPlayed` to its JSON record: keys sorted, no spaces, what is unknown left out.

The same round always gives the same text, and reading that text gives the same round.
"""

import json
from dataclasses import asdict
from datetime import datetime

from casino.events.round.round_played import (
    Box,
    Dealt,
    Hand,
    Misdealt,
    Place,
    RoundPlayed,
    Times,
    Wager,
)

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def round_as_json(played: RoundPlayed) -> str:
    """The record as one line of ASCII without its end."""
    return _encode(round_as_object(played))


def round_as_object(played: RoundPlayed) -> dict[str, object]:
    """The record as the JSON value it is written from."""
    return _present(
        schema="round/1",
        round=played.round,
        table=played.table,
        partida=played.partida,
        shoe=played.shoe,
        number=played.number,
        device=played.device and {"id": played.device.id, "sequence": played.device.sequence},
        dealer=played.dealer,
        rulebook=played.rulebook,
        limits=played.limits
        and {
            "minimum_cents": played.limits.minimum_cents,
            "maximum_cents": played.limits.maximum_cents,
        },
        times=played.times and _times(played.times),
        seats_occupied=_list_or_none(played.seats_occupied),
        boxes=[_box(box) for box in played.boxes],
        bank=_present(
            cards=list(played.bank.cards),
            voided=[{"card": card.card, "why": card.why} for card in played.bank.voided],
            open=_list_or_none(played.bank.open),
        ),
        misdealt=[_misdealt(card) for card in played.misdealt],
        dealt=None if played.dealt is None else [_dealt(card) for card in played.dealt],
        warning_card_at=played.warning_card_at,
        voided=played.voided and {"why": played.voided},
        put_back=played.put_back,
        paper=played.paper and asdict(played.paper),
    )


def _present(**fields: object) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}


def _list_or_none(places: tuple[int, ...] | None) -> list[int] | None:
    return None if places is None else list(places)


def _times(times: Times) -> dict[str, str]:
    return {
        name: _moment(moment)
        for name, moment in (
            ("stakes_closed", times.stakes_closed),
            ("first_card", times.first_card),
            ("paid", times.paid),
            ("collected", times.collected),
            ("inserted", times.inserted),
        )
        if moment is not None
    }


def _moment(moment: datetime) -> str:
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def _box(box: Box) -> dict[str, object]:
    return _present(
        box=box.number,
        vacant=box.vacant,
        holder=box.holder,
        decided_by=box.decided_by,
        consent=box.consent,
        hands=[_hand(hand) for hand in box.hands],
        wagers=[_wager(wager) for wager in box.wagers],
    )


def _hand(hand: Hand) -> dict[str, object]:
    written: dict[str, object] = {
        "hand": hand.number,
        "cards": list(hand.cards),
        "actions": list(hand.actions),
    }
    if hand.split_from is not None:
        written["from"] = hand.split_from
    if hand.surrendered_at is not None:
        written["surrendered_at"] = hand.surrendered_at
    if hand.from_left is not None:
        written["from_left"] = hand.from_left
    return written


def _wager(wager: Wager) -> dict[str, object]:
    return _present(
        owner=wager.owner,
        kind=wager.kind,
        stake_cents=wager.stake_cents,
        returned_cents=wager.returned_cents,
        hand=wager.hand,
        seat=wager.seat,
        initial_cents=wager.initial_cents,
        at_once=wager.at_once,
        chip=wager.chip,
        taken_at=wager.taken_at,
        invited=wager.invited,
        on_its_place=wager.on_its_place,
        spoken=wager.spoken,
    )


def _misdealt(card: Misdealt) -> dict[str, object]:
    return _present(
        card=card.card,
        at=card.at if isinstance(card.at, str) else _place(card.at),
        fate=card.fate,
        seen=card.seen,
        to=card.to and _place(card.to),
    )


def _dealt(card: Dealt) -> dict[str, object]:
    return {
        "card": card.card,
        "to": card.to if isinstance(card.to, str) else _place(card.to),
    }


def _place(place: Place) -> dict[str, int]:
    return {"box": place.box, "hand": place.hand}
