"""Which round an act of the jackpot belongs to, as it is offered on a screen.

Where rounds are recorded while they are played, the next one is meant unless another is tapped;
where they are not, nobody guesses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from jackpot.floor.pool_standing import Standing
from jackpot.floor.seats import Which, next_round, rounds_recorded

UNNAMED: Final = ""
WHICH: Final = "which"  # the field, and in an address the round that is meant


class WhichField(forms.RegexField):
    """A round as its tile names it: shoe and number."""

    def __init__(self) -> None:
        super().__init__(
            regex=r"^[1-9][0-9]{0,3}/[1-9][0-9]{0,3}$",
            required=False,
            error_messages={"invalid": _("Say which round it was.")},
        )


@dataclass(frozen=True, slots=True)
class Offered:
    """A round on a tile; `usual` is what is meant where nobody taps."""

    value: str
    words: str
    usual: bool
    which: Which | None


def rounds_offered(on: Standing, *, dealt: bool = False) -> list[Offered]:
    """The rounds that can be meant.

    Chips are collected for the round to come; what is `dealt` already is the one they were
    collected for.
    """
    listed = rounds_recorded(on.dossier, on.jackpot)
    made_ready = on.state.dealing == "shoe"
    coming = next_round(on.dossier, on.jackpot, on.state.now, shoe=on.state.shoe, dealt=made_ready)
    found: list[Offered] = []
    if dealt:
        found += [_of(one, _label(one), usual=one is listed[0]) for one in listed]
        if coming is not None:
            found.append(_of(coming, _coming_words(coming), usual=not listed))
    else:
        if coming is not None:
            found.append(_of(coming, _coming_words(coming), usual=True))
        found += [_of(one, _label(one), usual=False) for one in listed]
    if not found:
        return []
    return [*found, Offered(UNNAMED, gettext("Not known"), False, None)]


def usual_of(offered: Sequence[Offered], meant: str = UNNAMED) -> str:
    """The round that is meant where nobody taps: the one asked for, where it is offered."""
    if meant in [one.value for one in offered if one.which is not None]:
        return meant
    return next((one.value for one in offered if one.usual), UNNAMED)


def which_of(on: Standing, value: str) -> Which | None:
    """The round a tile names; None for none. The page may be older than the last round."""
    if value == UNNAMED:
        return None
    values = {one.value: one for one in rounds_recorded(on.dossier, on.jackpot)}
    shoe, number = value.split("/")
    return values.get(value) or Which(int(shoe), int(number))


def _of(which: Which, words: str, *, usual: bool) -> Offered:
    return Offered(which.value, words, usual, which)


def _coming_words(which: Which) -> str:
    return gettext("The next: %(number)s") % {"number": which.number}


def _label(which: Which) -> str:
    if which.round is None:
        return gettext("%(number)s, as collected last") % {"number": which.number}
    return gettext("%(number)s, on record") % {"number": which.number}
