"""How the law in force reads what it leaves open of the progressive prize."""

from typing import cast

from casino.regulation.law import LawInForce
from jackpot.progressive.payout import ADOPTED, PayoutReadings


def payout_readings(rules: LawInForce) -> PayoutReadings:
    """The readings of n.º 50; the adopted ones where a rulebook states none. Law: PT art. 50."""
    told = {
        name: rules[parameter]
        for name, parameter in (
            ("odd_cent", "money.odd_cent"),
            ("remainder", "jackpot.remainder"),
            ("share_of", "jackpot.share_of"),
        )
        if rules.states(parameter)
    }
    return PayoutReadings(**cast("dict[str, str]", told)) if told else ADOPTED  # type: ignore[arg-type]
