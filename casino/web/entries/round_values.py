"""Two records of one round, value by value: to set a correction beside its original."""

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from django.utils.text import capfirst
from django.utils.translation import gettext

from casino.events.round.round_played import Box, RoundPlayed
from casino.law.wording.wording import ACTIONS, KINDS
from casino.web.display.cells import UNKNOWN, yes_or_no
from casino.web.display.money_and_time import moment, money
from casino.web.display.playing_cards import cards_drawn
from casino.web.words import field_words

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Values = dict[str, str]  # by the words of what each is
# What stands in words of its own, wherever it is.
_SAID: Final = frozenset(
    {"boxes", "bank", "misdealt", "hands", "wagers", "cards", "actions"}
    | {"stake_cents", "returned_cents"}
)


def rounds_compared(original: RoundPlayed, corrected: RoundPlayed) -> tuple[Values, Values]:
    """What both say, of the boxes, cards, decisions and money whatever they say, and of all else
    what is different.
    """
    old, new = _values_of(original), _values_of(corrected)
    for words, one, other in _others(original, corrected):
        old[words], new[words] = _said(one), _said(other)
    return old, new


def _values_of(played: RoundPlayed) -> Values:
    values = dict(pair for box in played.boxes for pair in _of_box(box))
    values[f"{gettext('Bank')}: {gettext('cards')}"] = cards_drawn(
        played.bank.cards, [one.card for one in played.bank.voided]
    )
    if played.misdealt:
        values[gettext("Misdealt")] = cards_drawn((), [one.card for one in played.misdealt])
    return values


def _of_box(box: Box) -> Iterator[tuple[str, str]]:
    for hand in box.hands:
        place = _place(box, hand.number)
        yield f"{place}: {gettext('cards')}", cards_drawn(hand.cards)
        did = ", ".join(gettext(ACTIONS[one]) for one in hand.actions)
        yield f"{place}: {gettext('decisions')}", did or UNKNOWN
    for wager in box.wagers:
        place = f"{_place(box, wager.hand)}, {gettext(KINDS[wager.kind])}"
        if wager.owner != box.holder:
            place = f"{place}, {wager.owner}"
        yield f"{place}: {gettext('staked')}", money(wager.stake_cents)
        yield f"{place}: {gettext('handed back')}", money(wager.returned_cents)


def _place(box: Box, hand: int | None) -> str:
    if hand is not None and len(box.hands) > 1:
        return gettext("Box %(box)s, hand %(hand)s") % {"box": box.number, "hand": hand}
    return gettext("Box %(box)s") % {"box": box.number}


def _others(original: RoundPlayed, corrected: RoundPlayed) -> Iterator[tuple[str, object, object]]:
    """What is different beside that, in words, of everything that stands in both."""
    yield from _unlike("", original, corrected)
    yield from _unlike(gettext("Bank"), original.bank, corrected.bank)
    yield from _unlike_lists(gettext("Misdealt"), original.misdealt, corrected.misdealt)
    there = {box.number: box for box in original.boxes}
    for box in corrected.boxes:
        was = there.get(box.number)
        if was is not None:
            place = _place(box, None)
            yield from _unlike(place, was, box)
            yield from _unlike_lists(place, was.hands, box.hands)
            yield from _unlike_lists(place, was.wagers, box.wagers)


def _unlike_lists(
    place: str,
    original_parts: Sequence["DataclassInstance"],
    corrected_parts: Sequence["DataclassInstance"],
) -> Iterator[tuple[str, object, object]]:
    # Of another number, the cards and the money say what is different.
    if len(original_parts) == len(corrected_parts):
        for n, (one, other) in enumerate(zip(original_parts, corrected_parts, strict=True), 1):
            yield from _unlike(f"{place} ({n})", one, other)


def _unlike(
    place: str, original_part: "DataclassInstance", corrected_part: "DataclassInstance"
) -> Iterator[tuple[str, object, object]]:
    for name in (field.name for field in fields(original_part)):
        was, becomes = getattr(original_part, name), getattr(corrected_part, name)
        if was != becomes and name not in _SAID:
            label = str(capfirst(field_words.label(name, type(original_part).__name__)))
            yield (f"{place}: {label}" if place else label), was, becomes


def _said(value: object) -> str:
    if value is None:
        return UNKNOWN
    if isinstance(value, bool):
        return yes_or_no(value)
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, tuple):
        return "; ".join(map(_said, value)) or UNKNOWN
    if is_dataclass(value) and not isinstance(value, type):
        said = [(field.name, getattr(value, field.name)) for field in fields(value)]
        return ", ".join(
            f"{field_words.label(name, type(value).__name__)} "
            + (money(one) if name.endswith("_cents") else _said(one))
            for name, one in said
            if one is not None
        )
    return str(value)
