"""Which finding cites anew what another one said: one cause, under another key.

A finding's key is made of all it says, so it is another one once the program names its evidence
otherwise, an article is cited for what stood under another, a figure is recorded in other words.
The cause is the same one then, and whoever reads the old finding is led to the new one;
decisions/0015.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final
from uuid import UUID

from audit.models import Finding, ids_of

# A check whose matter another check asks now: what stands under the first is cited anew under one
# of the others, also where that stood already. A check that only moved to another article needs no
# line here.
MOVED: Final[Mapping[str, tuple[str, ...]]] = {
    "exhibited_deck_whole": ("exhibited_deck_has_its_cards",),
    "damaged_deck_withdrawn": ("damaged_card_replaced_at_once", "damaged_card_replaced"),
    "jackpot_terms_are_in_force": ("jackpot_terms_are_confirmed",),
    "jackpot_claim_is_within_the_money": (
        "jackpot_display_shows_the_meter",
        "jackpot_meter_is_as_told",
        "jackpot_prizes_follow_the_meter",
    ),
    # Who holds no such office is not also said to be off duty in it: one event, one finding.
    "loading_witness_on_duty": ("loading_witness_is_fiscal_chefe",),
    "unloading_witness_on_duty": ("unloading_witness_is_fiscal_chefe",),
}

_SAME, _AGAIN, _MOVED, _CAUSE, _NONE = range(5)


def successors(gone: Collection[Finding], findings: Iterable[Finding], run: UUID) -> dict[str, str]:
    """Findings that `gone` no longer holds under their keys, and the keys they are cited anew as.

    `findings` are those that hold and stand; of them only what `run` raised is new, and can take
    the place of another.
    """
    taking_over = {check for checks in MOVED.values() for check in checks}
    candidates = [row for row in findings if row.run == run or row.check_name in taking_over]
    if not candidates:
        return {}
    rests_on = ids_of([*gone, *candidates])
    after: dict[str, str] = {}
    taken: set[str] = set()
    for row in sorted(gone, key=lambda each: each.n):
        ranked = [
            (rank, candidate.key in taken, candidate.n, candidate.key)
            for candidate in candidates
            if (rank := _rank(row, candidate, rests_on, run)) < _NONE
        ]
        if ranked:
            after[row.key] = min(ranked)[-1]
            taken.add(after[row.key])
    return after


def _rank(
    finding: Finding, other_finding: Finding, rests_on: Mapping[object, frozenset[str]], run: UUID
) -> int:
    """How surely one finding says anew what another said; _NONE where it does not."""
    mine, his = rests_on[finding.pk], rests_on[other_finding.pk]
    text, asked = (each.partida_id for each in (finding, other_finding))
    if (
        text != asked
        or finding.gaming_day != other_finding.gaming_day
        or finding.where != other_finding.where
    ):
        return _NONE
    nested = mine <= his or his <= mine
    if other_finding.check_name in MOVED.get(finding.check_name, ()):
        return _MOVED if nested else _NONE
    if other_finding.run != run or not nested:
        return _NONE
    alike = finding.observed == other_finding.observed and mine == his
    if finding.check_name == other_finding.check_name:
        return _SAME if alike else _AGAIN
    return _CAUSE if alike and mine else _NONE
