"""The cards come out of the shuffler, before a fiscal-chefe, and every deck is put in order.

Law: PT art. 55.
"""

from typing import Final

from casino.facts.deck_life import DeckWithdrawn
from casino.facts.decks import DeckInspected
from casino.facts.shufflers import ShufflerFoundEmpty, ShufflerUnloaded
from casino.regulation.dossier import Told
from casino.regulation.finding import LAWFUL, UNDECIDED, Breach, Result, upholds
from casino.regulation.floor_decks import found_whole, ordered_at_close
from casino.regulation.floor_evening import Evening, evidence_of
from casino.regulation.floor_moments import together
from casino.regulation.floor_witnesses import (
    witness_at_one_table,
    witness_is_fiscal_chefe,
    witness_on_duty,
    witnessed,
)

Unload = Told[ShufflerUnloaded]


def _at(evening: Evening, unload: Unload) -> dict[str, int | str]:
    return {"unload": evening.unloads.index(unload) + 1}


def _of_the_closing(evening: Evening, unload: Unload, result: Result) -> Result:
    """What is asked only of the unload at the closing; open where nobody told what it was for."""
    if evening.dealing != "shuffler":
        return None if evening.dealing is not None else UNDECIDED
    if unload.fact.reason is None:
        return UNDECIDED
    return result if unload.fact.reason == "closing" else None


@upholds("partida", "At the table's closing the cards are taken out of the shuffler.")
def shuffler_unloaded_at_closing(evening: Evening) -> Result:
    """An unload is told after the last load, by the time the game is closed.

    Law: PT art. 55.
    """
    if evening.dealing != "shuffler" or evening.closed is None or not evening.loads:
        return None
    last = evening.loads[-1]
    if any(told.occurred_at >= last.occurred_at for told in evening.unloads):
        return LAWFUL
    return Breach({}, {"unloads": 0}, {"at_least": 1}, evidence=evidence_of(last, evening.closed))


@upholds("unload", "The shuffler is emptied only after the table's closing was announced.")
def unloaded_after_closing_announced(evening: Evening, unload: Unload) -> Result:
    """By the moments told; that somebody says it was not is enough where they are not.

    Law: PT art. 55.
    """
    return _of_the_closing(evening, unload, _announced(evening, unload))


def _announced(evening: Evening, unload: Unload) -> Result:
    closed, fact = evening.closed, unload.fact
    announced = closed.fact.closing_announced_at if closed is not None else None
    if announced is None:
        if fact.closing_announced is not False:
            return UNDECIDED
        return Breach(
            _at(evening, unload), {"announced": "no"}, {"announced": "yes"},
            evidence=evidence_of(unload),
        )  # fmt: skip
    begun = fact.started_at or unload.occurred_at
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
    if any(told.fact.deck == deck for told in evening.dossier.anywhere(DeckWithdrawn)):
        return None
    if any(
        (told.fact.deck, told.fact.moment) == (deck, "close") and told.fact.partida is None
        for told in evening.dossier.house_of(DeckInspected)
    ):
        return UNDECIDED  # in this game or in another of that day
    return Breach(
        {"deck": deck}, {"inspections": 0}, {"at_least": 1}, evidence=evidence_of(evening.closed)
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
    """It is reported by the time the game is closed.

    Law: PT art. 55.
    """
    ordered = ordered_at_close(evening, deck)
    if evening.dealing != "shuffler" or ordered is None:
        return None
    if not isinstance(found_whole(evening, ordered), Breach):
        return None
    defects = [one for one in evening.incidents if one.fact.category == "deck_defect"]
    if any(one.fact.deck == deck for one in (*defects, *evening.incidents)):
        return LAWFUL
    if any(one.fact.deck is None for one in defects) or evening.closed is None:
        return UNDECIDED
    return Breach(
        {"deck": deck}, {"reported": "no"}, {"reported": "yes"},
        evidence=evidence_of(ordered, evening.closed),
    )  # fmt: skip


CHECKS: Final = (
    shuffler_unloaded_at_closing,
    unloaded_after_closing_announced,
    unloading_witnessed,
    unloading_witness_is_fiscal_chefe,
    unloading_witness_on_duty,
    unloading_witness_at_one_table,
    shuffler_left_empty,
    decks_ordered_at_closing,
    ordered_deck_regular,
    irregular_deck_reported,
)
