"""The cards come out of the shuffler, before a fiscal-chefe, and every deck is put in order.

Law: PT art. 55.
"""

from datetime import datetime
from typing import Any, Final

from casino.facts.deck_life import DeckWithdrawn
from casino.facts.decks import DeckInspected
from casino.facts.partidas import PartidaClosed
from casino.facts.rounds import RoundPlayed
from casino.facts.shufflers import ShufflerFoundEmpty, ShufflerUnloaded
from casino.regulation.dossier import Told, in_time
from casino.regulation.finding import LAWFUL, UNDECIDED, Breach, Result, upholds
from casino.regulation.floor_decks import found_whole, last_in_machine, ordered_at_close
from casino.regulation.floor_evening import Evening, evidence_of
from casino.regulation.floor_moments import dealt_between, sort_out, together
from casino.regulation.floor_steps import Incident
from casino.regulation.floor_witnesses import (
    witness_at_one_table,
    witness_is_fiscal_chefe,
    witness_on_duty,
    witnessed,
    word_in_time,
)

Unload = Told[ShufflerUnloaded]
DEFECTS: Final = frozenset({"deck_defect", "damaged_card", "other"})


def _at(evening: Evening, unload: Unload) -> dict[str, int | str]:
    return {"unload": evening.unloads.index(unload) + 1}


def _closing_of(evening: Evening, unload: Unload) -> Told[PartidaClosed] | None:
    """The closing an unload belongs to: the next one, else the last if play did not go on after it.

    A closing that was undone is one all the same for what was done before it.
    """
    closings = sorted(evening.dossier.of(PartidaClosed), key=in_time)
    later = [told for told in closings if told.occurred_at >= unload.occurred_at]
    if later:
        return later[0]
    last = closings[-1] if closings else None
    undone = last is not None and any(
        last.occurred_at <= told.occurred_at <= unload.occurred_at for told in evening.reopened
    )
    return None if undone else last


def _begun(unload: Unload) -> datetime:
    return unload.fact.started_at or unload.occurred_at


def _is_of_the_closing(evening: Evening, unload: Unload) -> bool | None:
    """Whether the cards came out for good: said so, or last of all once it had been announced.

    None where nobody told that.
    """
    if unload.fact.reason == "closing":
        return True
    closed, fact = _closing_of(evening, unload), unload.fact
    unsaid = None if fact.reason is None else False
    if closed is None or _came_back(evening, unload, closed):
        return unsaid
    announced = closed.fact.closing_announced_at
    if announced is not None:
        return _begun(unload) >= announced or unsaid
    return unsaid if fact.closing_announced is False else fact.closing_announced


def _came_back(evening: Evening, unload: Unload, closed: Told[PartidaClosed]) -> bool:
    """Whether the machine was loaded or emptied once more before that closing."""
    return any(
        in_time(unload) < in_time(told) and told.occurred_at <= closed.occurred_at
        for told in (*evening.loads, *evening.unloads)
        if told is not unload
    )


def _of_the_closing(evening: Evening, unload: Unload, result: Result) -> Result:
    """What is asked only of the unload at the closing; open where nobody told what it was for."""
    if evening.dealing != "shuffler":
        return None if evening.dealing is not None else UNDECIDED
    asked = _is_of_the_closing(evening, unload)
    if asked is None:
        return UNDECIDED
    return result if asked else None


@upholds("partida", "At the table's closing the cards are taken out of the shuffler.")
def shuffler_unloaded_at_closing(evening: Evening) -> Result:
    """An unload is told after the last load and the last round, by the time the game is closed.

    Law: PT art. 55.
    """
    if evening.dealing != "shuffler" or evening.closed is None or not evening.loads:
        return None
    last = evening.loads[-1]
    answers = [
        _dealt_since(evening, told)
        for told in evening.unloads
        if told.occurred_at >= last.occurred_at
    ]
    if None in answers or False in answers:
        return LAWFUL if False in answers else UNDECIDED
    return Breach({}, {"unloads": 0}, {"at_least": 1}, evidence=evidence_of(last, evening.closed))


def _dealt_since(evening: Evening, unload: Unload) -> bool | None:
    """Whether cards were dealt after the machine was emptied, None where nobody knows.

    Rounds after an unload that was said to be the closing's are article 57's matter, unless the
    game was opened again.
    """
    again = any(told.occurred_at >= unload.occurred_at for told in evening.reopened)
    if unload.fact.reason == "closing" and not again:
        return False
    rounds = evening.dossier.of(RoundPlayed)
    dealt = sort_out(rounds, lambda told: dealt_between(told, unload.occurred_at, None))
    return True if dealt.sure else None if dealt.doubtful else False


@upholds("unload", "The shuffler is emptied only after the table's closing was announced.")
def unloaded_after_closing_announced(evening: Evening, unload: Unload) -> Result:
    """By the moments told of its own closing; that somebody says it was not is enough without.

    Law: PT art. 55.
    """
    return _of_the_closing(evening, unload, _announced(evening, unload))


def _announced(evening: Evening, unload: Unload) -> Result:
    closed, fact = _closing_of(evening, unload), unload.fact
    announced = closed.fact.closing_announced_at if closed is not None else None
    if announced is None:
        if fact.closing_announced is not False:
            return UNDECIDED
        return Breach(
            _at(evening, unload), {"announced": "no"}, {"announced": "yes"},
            evidence=evidence_of(unload),
        )  # fmt: skip
    begun = _begun(unload)
    if begun >= announced:
        return LAWFUL if fact.started_at is not None else UNDECIDED
    return Breach(
        _at(evening, unload), {"moment": begun.isoformat()}, {"not_before": announced.isoformat()},
        evidence=evidence_of(unload, closed),
    )  # fmt: skip


@upholds("unload", "A second person confirms that a fiscal-chefe was present at the unloading.",
         needs=("witness.within",))  # fmt: skip
def unloading_witnessed(evening: Evening, unload: Unload) -> Result:
    """Somebody put his word to it who neither recorded it nor emptied the machine.

    Law: PT art. 55.
    """
    return _of_the_closing(evening, unload, witnessed(evening, unload, _at(evening, unload)))


@upholds("unload", "Whoever witnessed the unloading says so soon after it.",
         needs=("witness.within",), severity="warning")  # fmt: skip
def unloading_witnessed_in_time(evening: Evening, unload: Unload) -> Result:
    """His word came while the house still waited for it, by the book's own clock.

    Law: PT art. 55.
    """
    return _of_the_closing(evening, unload, word_in_time(evening, unload, _at(evening, unload)))


@upholds("unload", "Whoever witnesses the unloading holds the office of fiscal-chefe.")
def unloading_witness_is_fiscal_chefe(evening: Evening, unload: Unload) -> Result:
    """The house had granted it to him, both when the cards came out and when he said so.

    Law: PT art. 55.
    """
    said = witness_is_fiscal_chefe(evening, unload, _at(evening, unload))
    return _of_the_closing(evening, unload, said)


@upholds("unload", "Whoever witnesses the unloading is on duty as fiscal-chefe.",
         severity="warning")  # fmt: skip
def unloading_witness_on_duty(evening: Evening, unload: Unload) -> Result:
    """He had begun duty and not ended it, at both moments.

    Law: PT art. 55.
    """
    return _of_the_closing(evening, unload, witness_on_duty(evening, unload, _at(evening, unload)))


@upholds("unload", "Whoever witnesses the unloading is at no other table meanwhile.",
         severity="warning")  # fmt: skip
def unloading_witness_at_one_table(evening: Evening, unload: Unload) -> Result:
    """Nothing he witnessed elsewhere lies in the same time.

    Law: PT art. 55.
    """
    said = witness_at_one_table(evening, unload, _at(evening, unload))
    return _of_the_closing(evening, unload, said)


@upholds("unload", "No card stays behind in a shuffler that was emptied.", needs=("decks.cards",))
def shuffler_left_empty(evening: Evening, unload: Unload) -> Result:
    """All cards of its decks came out, and whoever looked into it found none.

    Law: PT art. 55, with 3 for the number.
    """
    fact, at = unload.fact, _at(evening, unload)
    asked = int(evening.p["decks.cards"]) * len(fact.decks)
    answers: list[Result] = [UNDECIDED if fact.empty is None else LAWFUL]
    if fact.empty is False:
        evidence = evidence_of(unload)
        answers.append(Breach(at, {"empty": "no"}, {"empty": "yes"}, evidence=evidence))
    if fact.cards is None:
        answers.append(UNDECIDED)
    elif fact.cards != asked:
        evidence = evidence_of(unload)
        answers.append(Breach(at, {"cards": fact.cards}, {"cards": asked}, evidence=evidence))
    answers += [_found(evening, unload, told) for told in _looked_into(evening, unload)]
    return _of_the_closing(evening, unload, together(answers))


def _looked_into(evening: Evening, unload: Unload) -> list[Told[ShufflerFoundEmpty]]:
    """Whenever the machine was looked into after it had been emptied here.

    What another game tells of it is no matter where this game looked by itself.
    """
    told = [
        told
        for told in evening.dossier.anywhere(ShufflerFoundEmpty)
        if told.fact.shuffler == unload.fact.shuffler and told.occurred_at >= unload.occurred_at
    ]
    here = [one for one in told if one.fact.partida in (None, evening.dossier.partida)]
    return here or told


def _found(evening: Evening, unload: Unload, told: Told[ShufflerFoundEmpty]) -> Result:
    """A card in it; one that another game found may be that game's own."""
    if not told.fact.cards_found:
        return None
    if told.fact.partida not in (None, evening.dossier.partida):
        return UNDECIDED
    return Breach(
        _at(evening, unload), {"cards": told.fact.cards_found}, {"cards": 0},
        evidence=evidence_of(unload, told),
    )  # fmt: skip


# The decks put in order


@upholds("deck", "Every deck that came out of the shuffler is put in order.")
def decks_ordered_at_closing(evening: Evening, deck: str) -> Result:
    """One by one, after the unloading; a deck withdrawn before it is no more there.

    Law: PT art. 55.
    """
    loaded = {name for told in evening.loads for name in told.fact.decks}
    if evening.dealing != "shuffler" or evening.closed is None or deck not in loaded:
        return None
    if ordered_at_close(evening, deck) is not None:
        return LAWFUL
    if _was_withdrawn(evening, deck):
        return None
    since = last_in_machine(evening, deck)
    assert since is not None
    if any(
        (told.fact.deck, told.fact.moment) == (deck, "close") and told.fact.partida is None
        and told.occurred_at >= since
        for told in evening.dossier.house_of(DeckInspected)
    ):  # fmt: skip
        return UNDECIDED  # in this game or in another of that day
    early = [
        told
        for told in sorted(evening.dossier.of(DeckInspected), key=in_time)
        if (told.fact.deck, told.fact.moment) == (deck, "close")
    ]
    if not early:
        return Breach(
            {"deck": deck}, {"inspections": 0}, {"at_least": 1},
            evidence=evidence_of(evening.closed),
        )  # fmt: skip
    return Breach(
        {"deck": deck},
        {"moment": early[-1].occurred_at.isoformat()},
        {"not_before": since.isoformat()},
        evidence=evidence_of(early[-1], evening.closed),
    )


def _was_withdrawn(evening: Evening, deck: str) -> bool:
    """Whether a deck was out of use when the machine was emptied, since it last went in."""
    assert evening.closed is not None
    until: Told[Any] = evening.unloads[-1] if evening.unloads else evening.closed
    since = max(told.occurred_at for told in evening.loads if deck in told.fact.decks)
    return any(
        told.fact.deck == deck and since <= told.occurred_at <= until.occurred_at
        for told in evening.dossier.anywhere(DeckWithdrawn)
    )


@upholds("deck", "Every deck that is put in order is found regular.", needs=("decks.cards",))
def ordered_deck_regular(evening: Evening, deck: str) -> Result:
    """With all its cards and none of another deck; what is worn is article 5's matter.

    Law: PT art. 55.
    """
    if evening.dealing != "shuffler":
        return None
    ordered = ordered_at_close(evening, deck)
    return None if ordered is None else found_whole(evening, ordered)


@upholds("deck", "A deck that is not found regular opens an incident.", needs=("decks.cards",))
def irregular_deck_reported(evening: Evening, deck: str) -> Result:
    """As the deck's defect, when it was put in order, by the time the game is closed.

    A defect told before that and still open may be this one.

    Law: PT art. 55.
    """
    ordered = ordered_at_close(evening, deck)
    if evening.dealing != "shuffler" or ordered is None:
        return None
    if not isinstance(found_whole(evening, ordered), Breach):
        return None
    answers = [_reports(evening, one, ordered) for one in evening.incidents]
    if True in answers:
        return LAWFUL
    if None in answers or evening.closed is None:
        return UNDECIDED
    return Breach(
        {"deck": deck}, {"reported": "no"}, {"reported": "yes"},
        evidence=evidence_of(ordered, evening.closed),
    )  # fmt: skip


def _reports(evening: Evening, told: Incident, ordered: Told[DeckInspected]) -> bool | None:
    """Whether an incident is of the deck that was not found regular; None where it may be."""
    fact = told.fact
    if fact.category not in DEFECTS or fact.deck not in (None, ordered.fact.deck):
        return False
    if told.occurred_at >= ordered.occurred_at:
        return True if fact.deck is not None else None if fact.category == "deck_defect" else False
    over = evening.settled.get(fact.incident)
    still = over is None or over.occurred_at > ordered.occurred_at
    return None if fact.category == "deck_defect" and still else False


CHECKS: Final = (
    shuffler_unloaded_at_closing,
    unloaded_after_closing_announced,
    unloading_witnessed,
    unloading_witnessed_in_time,
    unloading_witness_is_fiscal_chefe,
    unloading_witness_on_duty,
    unloading_witness_at_one_table,
    shuffler_left_empty,
    decks_ordered_at_closing,
    ordered_deck_regular,
    irregular_deck_reported,
)
