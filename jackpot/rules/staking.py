"""Whether a round's chips were laid, collected and marked as they have to be.

Law: PT art. 41, 45, 47, 48.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from casino.law.dossier import RecordedEvent
from casino.law.finding import LAWFUL, UNDECIDED, Rule, Verdict
from casino.law.questions import breaches_in
from casino.law.rulebook.jackpot_law import AMOUNT, BEFORE_DEAL, MAIN_STAKE, MARKERS, SOURCES
from jackpot.events import TermsApproved
from jackpot.progressive.stakes import (
    Chips,
    chip_has_a_main_stake,
    chip_is_of_the_set_amount,
    closing_is_called,
    each_stake_has_its_marker,
    feeds_the_meter,
    side_stakes_precede_the_deal,
)
from jackpot.rules.chip_checks import Collection
from jackpot.rules.conditions import with_evidence
from jackpot.rules.pool_evening import PoolEvening


def staking(pool: PoolEvening) -> Iterator[tuple[Rule, Verdict]]:
    """What each check says of each round's chips."""
    for one in pool.rounds:
        shown_by, terms = (*one.increments, one.round), pool.in_force_in(one)
        if terms is not None:
            yield SOURCES, with_evidence(_sources(one, terms, pool), *shown_by, terms)
            yield MARKERS, with_evidence(_markers(one, terms), *shown_by)
            yield AMOUNT, with_evidence(_amount(one, terms), *shown_by, terms)
        if pool.rules.states("jackpot.main_stake_of"):
            main = _main_stake(one, pool.rules["jackpot.main_stake_of"])
            yield MAIN_STAKE, with_evidence(main, *shown_by)
        yield BEFORE_DEAL, with_evidence(_before_the_deal(one), *shown_by)


def in_round(collection: Collection) -> Chips | None:
    """The chips a round's own record tells; None where nobody recorded the round."""
    if collection.round is None:
        return None
    chips: Chips = Counter()
    for box in collection.round.event.boxes:
        for wager in box.wagers:
            if wager.kind == "jackpot":
                chips[wager.owner, box.number] += wager.chip or 1
    return chips


def in_increments(collection: Collection) -> Chips | None:
    """The chips the increments tell; None where there was none."""
    if not collection.increments:
        return None
    chips: Chips = Counter()
    for recorded in collection.increments:
        for chip in recorded.event.chips:
            chips[chip.owner, chip.box] += chip.n
    return chips


def chips_of(collection: Collection) -> Chips:
    """The chips of a round, as its own record or an increment tells them."""
    return (in_round(collection) or Counter()) | (in_increments(collection) or Counter())


def _sources(
    collection: Collection, terms: RecordedEvent[TermsApproved], pool: PoolEvening
) -> Verdict:
    """Where no round of the partida tells a chip, its rounds are no source for them."""
    if not collection.whole:
        return UNDECIDED
    counter = in_round(collection) if pool.rounds_name_chips else None
    return feeds_the_meter(terms.event.marking, counter, in_increments(collection)).agreement


def _markers(collection: Collection, terms: RecordedEvent[TermsApproved]) -> Verdict:
    marked = [
        (chip.owner, chip.box, chip.marked)
        for one in collection.increments
        for chip in one.event.chips
    ]
    return each_stake_has_its_marker(terms.event.marking, marked)


def _amount(collection: Collection, terms: RecordedEvent[TermsApproved]) -> Verdict:
    """What was recorded of a chip's worth: by an increment for all its chips, by a round for
    each.
    """
    stake = terms.event.stake_cents
    worths: list[int | None] = [recorded.event.chip_cents for recorded in collection.increments]
    if collection.round is not None:
        worths += [
            wager.stake_cents // wager.chip if wager.stake_cents % wager.chip == 0 else -1
            for box in collection.round.event.boxes
            for wager in box.wagers
            if wager.kind == "jackpot" and wager.chip
        ]
    return _first_of(chip_is_of_the_set_amount(worth, stake) for worth in worths)


def _main_stake(collection: Collection, reading: Any) -> Verdict:
    if collection.round is None:
        return UNDECIDED
    main = {
        (wager.owner, box.number)
        for box in collection.round.event.boxes
        for wager in box.wagers
        if wager.kind in ("main", "even_money")
    }
    chips = chips_of(collection)
    return chip_has_a_main_stake(chips, main, reading)


def _before_the_deal(collection: Collection) -> Verdict:
    """Timed by the round, or attested by the increments; the closing called. Law: PT art. 48.

    The round's clock tells when the main stakes were closed. Who says that he took up the chips
    with cards on the table says something else, whatever that clock says.
    """
    times = None if collection.round is None else collection.round.event.times
    listed = [each.event.collected_before_deal for each in collection.increments]
    attested = False if False in listed else True if listed and None not in listed else None
    closed, first = (None, None) if times is None else (times.stakes_closed, times.first_card)
    if attested is False:
        closed = None
    timed = side_stakes_precede_the_deal(closed, first, attested)
    called = [closing_is_called(each.event.closing_called) for each in collection.increments]
    return _first_of([timed, *called])


def _first_of(verdicts: Iterable[Verdict]) -> Verdict:
    """The first breach of these; else what is open, else lawful."""
    listed = list(verdicts)
    found = [breach for verdict in listed for breach in breaches_in(verdict)]
    return found[0] if found else UNDECIDED if UNDECIDED in listed else LAWFUL
