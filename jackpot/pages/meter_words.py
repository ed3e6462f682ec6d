"""What pages of a pool call things: combinations, how a prize was reckoned, what does not fit."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.web.words.combination_words import combination_word
from jackpot.progressive.meter import Misfit

CHIPS: Final = _("chips of the jackpot")
BY: Final[dict[str, Promise]] = {
    "share": _("share of the meter"),
    "fixed": _("fixed amount"),
    "remainder": _("what is left"),
}
MARKING: Final[dict[str, Promise]] = {"automatic": _("automatic"), "manual": _("manual")}
MATCH: Final[dict[str, Promise]] = {
    "best": _("the largest prize"),
    "first": _("the first in the list"),
}
STATES: Final[dict[str, Promise]] = {
    "waiting": _("meter not started"),
    "running": _("meter running"),
    "emptied": _("meter emptied, to be started again"),
}
_MISFITS: Final[dict[str, Promise]] = {
    "told_twice": _("told twice"),
    "before_the_start": _("before the meter was started: it counts for nothing"),
    "below_zero": _("an amount below zero"),
    "started_while_running": _("started while it was running: it counts for nothing"),
    "seal_differs": _("the seal tells another amount than the entries"),
    "reading_differs": _("the display showed another amount than the book"),
    "after_differs": _("another amount was told afterwards"),
    "beyond_the_meter": _("more than there was on the meter: it counts for nothing"),
    "hit_told_twice": _("the same win told twice"),
    "paid_twice": _("paid a second time: the meter does not give it"),
    "more_than_was_won": _("more than was won: it counts for nothing"),
    "unknown_reason": _("a reason that is not in the list"),
    "nothing_to_withdraw": _("there is no such win to withdraw"),
    "meter_misread": _("the meter was misread when it was won"),
    "without_terms": _("won without terms in force: nothing is due"),
    "not_in_the_table": _("a combination the approved table does not have"),
}
_DOES_NOT_FIT: Final = _("does not fit what came before")


def misfit_word(misfit: Misfit | None) -> str:
    """What does not fit; '' where all does."""
    return "" if misfit is None else str(_MISFITS.get(misfit.what, _DOES_NOT_FIT))


__all__ = ["BY", "CHIPS", "MARKING", "MATCH", "STATES", "combination_word", "misfit_word"]
