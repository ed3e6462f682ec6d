"""Whether the chips of a table are those its game left there: the house's own control of money.

What the rounds say was handed back is what is asked about, and not whether it was due: a payment
the record tells otherwise than it was made shows here, and in no round.
"""

from casino.law.finding import LAWFUL, Undecided, Verdict, upholds
from casino.law.partida_context import PartidaContext
from casino.law.questions import breach
from casino.law.round_moments import ROUNDS_CITED
from casino.law.table_money import money_of


@upholds(
    "partida",
    "The chips counted at a table's closing are those of its opening, with what was brought, taken"
    " away, sold, won and lost since.",
    severity="warning",
)
def chips_are_those_of_the_game(game: PartidaContext) -> Verdict:
    """To the cent. The difference is since the last count that may have been right.

    Open where a count of the chips is not on record, or told in two ways, where no drop box was
    counted, where a round may be missing, and where what was paid on a complaint may be what is
    gone.
    """
    money = money_of(game)
    if money.missing:
        return Undecided(money.missing[0])
    off, since, closing = money.difference, money.agreed, money.closing
    assert off is not None
    assert since is not None
    assert closing is not None
    if not off:
        return LAWFUL
    rounds = money.rounds_since
    found = {
        "counted_cents": closing.cents,
        "missing_cents" if off < 0 else "surplus_cents": abs(off),
        "since": since.at,
        "rounds": len(rounds),
    }
    shown_by = since.by, closing.by, *money.drops, *rounds[:ROUNDS_CITED]
    return breach(found, {"counted_cents": money.expected}, *shown_by)
