"""Winning cards nobody recorded: a chip lay there, its first cards won, and no win is recorded.

It stands under 43, whose table gives the prize: what is missing is money, and a finding about money
cites the article that fixes it. What 46 asks, that these cards decide and nothing else, is asked of
the wins that were recorded.

Law: PT art. 43.
"""

from collections.abc import Iterator

from casino.events.round.round_played import Box
from casino.law.dossier import RecordedEvent
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Rule, Verdict
from casino.law.questions import breach
from casino.law.rulebook.jackpot_law import UNREPORTED
from jackpot.events import TermsApproved
from jackpot.progressive.counted import CardsOf
from jackpot.progressive.prizes import Match
from jackpot.rules.chip_checks import Collection
from jackpot.rules.conditions import with_evidence
from jackpot.rules.pool_evening import PoolEvening, terms_of
from jackpot.rules.staking import chips_of
from jackpot.rules.win_checks import matched_on, readings_of


def unreported_wins(pool: PoolEvening) -> Iterator[tuple[Rule, Verdict]]:
    """What is said of each chip whose round recorded its cards; until the game is closed,
    nothing.
    """
    if not pool.closed or not pool.rules.states("jackpot.cards_of"):
        return
    reading: CardsOf = pool.rules["jackpot.cards_of"]
    for one in pool.rounds:
        terms = pool.in_force_in(one)
        if one.round is None or terms is None or one.round.event.voided is not None:
            continue
        chips = chips_of(one)
        boxes = {box.number: box for box in one.round.event.boxes}
        for owner, number in sorted(chips, key=lambda chip: (chip[1], chip[0])):
            result: Verdict = UNDECIDED
            if number in boxes:
                result = _said(pool, one, terms, owner, boxes[number], reading)
            yield UNREPORTED, with_evidence(result, one.round, *one.increments, terms)


def _said(
    pool: PoolEvening,
    collection: Collection,
    terms: RecordedEvent[TermsApproved],
    owner: str,
    box: Box,
    reading: CardsOf,
) -> Verdict:
    played = collection.round
    assert played is not None
    match = matched_on(box, played.event, terms, reading)
    wins = [
        win
        for win in pool.wins
        if any((each.owner, each.box) == (owner, box.number) for each in win.recorded.event.winners)
    ]
    if any(win.round is played for win in wins) or (match.decided and match.code is None):
        return LAWFUL
    if not match.decided or any(win.round is None for win in wins):
        return UNDECIDED  # of which round a win is, its record may not tell
    return _unreported_chip(
        match, terms, owner, box, readings_of(match, box, played.event, terms, reading)
    )


def _unreported_chip(
    match: Match,
    terms: RecordedEvent[TermsApproved],
    owner: str,
    box: Box,
    readings: tuple[str, ...],
) -> Breach:
    """Law: PT art. 43."""
    assert match.code is not None
    line = terms_of(terms).prizes.line(match.code)
    # A share is one of a meter nobody recorded.
    owed = line.fixed_cents or 0
    return breach(
        {"combination": "none"},
        {"combination": match.code},
        where={"owner": owner, "box": box.number},
        readings=readings,
        owed_cents=owed,
        owed_to="player" if owed else None,
    )
