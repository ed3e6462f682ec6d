"""Wins a win was recorded behind, and that were none after all: their money is on the meter again.

Law: PT art. 43, 50.
"""

from jackpot.floor.hits import Hit
from jackpot.models import JackpotAdjustment, JackpotPayment, JackpotStart
from jackpot.queries import payout_of
from jackpot.rules.overtaken import hangs_on_the_meter


def withdrawn_before(hit: Hit) -> list[int]:
    """The entries of wins it was reckoned behind, withdrawn since with money of theirs unpaid.

    None where it is withdrawn itself, or nobody would have got more. As `rules.overtaken` says it.
    """
    if hit.withdrawn or hit.payout is None or not hangs_on_the_meter(hit.payout):
        return []
    row = hit.row
    start = JackpotStart.objects.filter(jackpot=row.jackpot, n__lt=row.n).order_by("-n").first()
    undone = JackpotAdjustment.objects.filter(
        jackpot=row.jackpot, hit_n__lt=row.n, n__gt=row.n, hit_n__gt=start.n if start else 0
    )
    return [one.hit_n for one in undone.order_by("n") if one.hit_n and _had_money(one, one.hit_n)]


def _had_money(undone: JackpotAdjustment, hit: int) -> bool:
    """Whether something was still held for the win when it was withdrawn."""
    came_to = payout_of(undone.jackpot, hit)
    paid = JackpotPayment.objects.filter(jackpot=undone.jackpot, hit_n=hit, n__lt=undone.n).exclude(
        again=True
    )
    given = sum(paid.values_list("paid_cents", flat=True))
    return came_to is not None and given < came_to.paid_cents
