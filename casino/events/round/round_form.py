"""What a round must be to have happened at all: right form, and no contradiction with itself.

Nothing here asks whether the round was lawful. Seven equal cards, a card asked for at 21, a split
of unequal cards or a wrong payment did happen, if the record says so; the law judges them later.
Errors are `Malformed` with the path the value has in the JSON record (docs/round-record.md).
"""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from casino.events import Malformed
from casino.events.round.box_form import check_boxes
from casino.events.round.dealing_form import (
    cards_recorded,
    check_bank,
    check_dealt,
    check_misdealt_lie,
    misdealt_to_hands,
)
from casino.events.round.field_form import (
    check_code,
    check_instant,
    check_rising,
    check_uuid,
    check_whole,
    check_word,
    shown,
)
from casino.events.round.round_words import (
    MAX_CENTS,
    MAX_NUMBER,
    MAX_PLACE,
    MAX_SEQUENCE,
    ROUND_VOIDED_WHY,
)

if TYPE_CHECKING:
    from casino.events.round.round_played import Limits, RoundPlayed, Times

_partida: Final = re.compile(
    r"([A-Za-z0-9._-]{1,40})/([0-9]{4}-[0-9]{2}-[0-9]{2})/([1-9][0-9]{0,8})"
).fullmatch
_MOMENTS: Final = ("stakes_closed", "first_card", "paid", "collected", "inserted")


def gaming_day_of(table: str, partida: str) -> date:
    """The gaming day a partida belongs to, read off its name ``TABLE/YYYY-MM-DD/N``.

    Raises: Malformed, when it is no such name or names another table.
    """
    check_code(table, "$", "table")
    if type(partida) is not str:
        raise Malformed("$.partida", "found {found}; asked is a text", found=shown(partida))
    return _gaming_day(table, partida)


@lru_cache(maxsize=1024)  # the rounds of an evening name the same few partidas
def _gaming_day(table: str, partida: str) -> date:
    parts = _partida(partida)
    if parts is None:
        raise Malformed(
            "$.partida",
            "found {found}; asked is TABLE/YYYY-MM-DD/N, N counted from 1",
            found=shown(partida),
        )
    if parts[1] != table:
        raise Malformed(
            "$.partida",
            "found a partida of table {found}; the round says table {table}",
            found=parts[1],
            table=table,
        )
    try:
        return date.fromisoformat(parts[2])
    except ValueError:
        raise Malformed(
            "$.partida", "found {found}; asked is a day of the calendar", found=parts[2]
        ) from None


def check_form(played: RoundPlayed) -> None:
    """The whole round. Raises: Malformed, at the first place found wrong."""
    check_uuid(played.round, "$", "round")
    _check_whence(played)
    if played.voided is not None:
        check_word(played.voided, ROUND_VOIDED_WHY, "$.voided", "why")
    misdealt_to = misdealt_to_hands(played.misdealt)
    check_boxes(played.boxes, misdealt_to, played.voided is not None)
    check_bank(played.bank)
    if played.misdealt:
        check_misdealt_lie(played)
    if played.dealt is not None:
        check_dealt(played, played.dealt)
    for index, box in enumerate(played.boxes):
        for place, hand in enumerate(box.hands):
            if hand.surrendered_at is not None:
                at = f"$.boxes[{index}].hands[{place}]"
                check_whole(hand.surrendered_at, 0, _cards_dealt(played), at, "surrendered_at")
        for place, wager in enumerate(box.wagers):
            if wager.taken_at is not None:
                at = f"$.boxes[{index}].wagers[{place}]"
                check_whole(wager.taken_at, 0, _cards_dealt(played), at, "taken_at")
    if played.put_back is not None:
        check_whole(played.put_back, 0, MAX_NUMBER, "$", "put_back")
    if played.warning_card_at is not None:
        check_whole(played.warning_card_at, 0, _cards_dealt(played), "$", "warning_card_at")


def _check_whence(played: RoundPlayed) -> None:
    """Shoe, device, dealer, rulebook, limits, times and seats: all may be unknown."""
    if played.shoe is not None:
        check_whole(played.shoe, 1, MAX_NUMBER, "$", "shoe")
    if played.number is not None:
        check_whole(played.number, 1, MAX_NUMBER, "$", "number")
    if played.device is not None:
        check_code(played.device.id, "$.device", "id")
        check_whole(played.device.sequence, 0, MAX_SEQUENCE, "$.device", "sequence")
    if played.dealer is not None:
        check_code(played.dealer, "$", "dealer")
    if played.rulebook is not None:
        check_code(played.rulebook, "$", "rulebook")
    if played.limits is not None:
        _check_limits(played.limits)
    if played.times is not None:
        _check_times(played.times)
    if played.seats_occupied is not None:
        check_rising(played.seats_occupied, MAX_PLACE, "$", "seats_occupied")


def _check_limits(limits: Limits) -> None:
    check_whole(limits.minimum_cents, 1, MAX_CENTS, "$.limits", "minimum_cents")
    check_whole(limits.maximum_cents, 1, MAX_CENTS, "$.limits", "maximum_cents")
    if limits.maximum_cents < limits.minimum_cents:
        raise Malformed(
            "$.limits.maximum_cents",
            "found {maximum}; asked is no less than the minimum, {minimum}",
            maximum=limits.maximum_cents,
            minimum=limits.minimum_cents,
        )


def _check_times(times: Times) -> None:
    for name in _MOMENTS:
        moment = getattr(times, name)
        if moment is not None:
            check_instant(moment, "$.times", name)


def _cards_dealt(played: RoundPlayed) -> int:
    return len(played.dealt) if played.dealt is not None else cards_recorded(played)
