"""How the law in force reads what it leaves open of the progressive prize."""

from datetime import timedelta
from typing import Final, NamedTuple, cast

from casino.law.rulebook.rulebook import LawInForce
from jackpot.progressive.payout import ADOPTED, PayoutReadings


class Graces(NamedTuple):
    """How long what is done in turn may take before it is held against the house.

    `restart` from a full payout to the new start, `ahead` from a display that shows chips to their
    entry, `behind` from an entry to the display that shows it. Law: PT art. 41, 44.
    """

    restart: timedelta
    ahead: timedelta
    behind: timedelta


NO_GRACE: Final = Graces(timedelta(), timedelta(), timedelta())


def graces(rules: LawInForce) -> Graces:
    """The times the law in force allows; none where a rulebook states none. Law: PT art. 41, 44."""
    return Graces(
        *(
            timedelta(minutes=rules[name]) if rules.states(name) else timedelta()
            for name in (
                "jackpot.restart_within",
                "jackpot.chips_under_way",
                "jackpot.display_follows_within",
            )
        )
    )


def payout_readings(rules: LawInForce) -> PayoutReadings:
    """The readings of n.º 50; the adopted ones where a rulebook states none. Law: PT art. 50."""
    values = {
        name: rules[parameter]
        for name, parameter in (
            ("odd_cent", "money.odd_cent"),
            ("remainder", "jackpot.remainder"),
            ("share_of", "jackpot.share_of"),
        )
        if rules.states(parameter)
    }
    return PayoutReadings(**cast("dict[str, str]", values)) if values else ADOPTED  # type: ignore[arg-type]
