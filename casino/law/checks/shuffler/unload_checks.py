"""The cards come out of the shuffler, at the closing, before a fiscal-chefe.

Law: PT art. 55.
"""

from datetime import datetime
from typing import Final

from casino.events.partidas import PartidaClosed
from casino.events.shufflers import ShufflerFoundEmpty, ShufflerUnloaded
from casino.law.checks.shuffler.load_witnesses import (
    witness_at_one_table,
    witness_is_fiscal_chefe,
    witness_on_duty,
    witnessed,
    word_in_time,
)
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Verdict, upholds
from casino.law.game_incidents import at_shuffler, is_before, over_at
from casino.law.partida_context import PartidaContext, at_a_shuffler, if_at_a_shuffler
from casino.law.questions import breach, equal, together
from casino.law.round_moments import rounds_between

Unload = RecordedEvent[ShufflerUnloaded]


def _closing_of(game: PartidaContext, unload: Unload) -> RecordedEvent[PartidaClosed] | None:
    """The closing an unload belongs to: the next one, else the last if play did not go on after it.

    A closing that was undone is one all the same for what was done before it.
    """
    closings = sorted(game.dossier.of(PartidaClosed), key=in_time)
    later = [recorded for recorded in closings if recorded.occurred_at >= unload.occurred_at]
    if later:
        return later[0]
    last = closings[-1] if closings else None
    undone = last is not None and any(
        last.occurred_at <= one.occurred_at <= unload.occurred_at for one in game.reopened
    )
    return None if undone else last


def _begun(unload: Unload) -> datetime:
    return unload.event.started_at or unload.occurred_at


def _of_the_closing(game: PartidaContext, unload: Unload) -> bool | None:
    """Whether the cards came out for good: said so, or last of all once it had been announced.

    Where nobody tells of an announcement, the last of all is the closing's, unless the machine was
    in trouble then. None where nobody recorded enough.
    """
    if unload.event.reason == "closing":
        return True
    closed, event = _closing_of(game, unload), unload.event
    unsaid = None if event.reason is None else False
    if closed is None or _came_back(game, unload, closed):
        return unsaid
    announced = closed.event.closing_announced_at
    if announced is not None:
        return not is_before(_begun(unload), announced) or unsaid
    if event.closing_announced:
        return True
    if _in_trouble(game, unload):
        return False if event.closing_announced is False else None
    return unsaid if _dealt_since(game, unload) is not False else True


def _in_trouble(game: PartidaContext, unload: Unload) -> bool:
    """Whether a trouble of the machine that was recorded was not over yet when its cards came
    out.
    """
    ends = [
        over_at(game, trouble)
        for trouble in game.incidents
        if at_shuffler(game, trouble)
        and (trouble.event.noticed_at or trouble.occurred_at) <= unload.occurred_at
    ]
    return any(end is None or not is_before(end, _begun(unload)) for end in ends)


def _came_back(game: PartidaContext, unload: Unload, closed: RecordedEvent[PartidaClosed]) -> bool:
    """Whether the machine was loaded or emptied once more before that closing."""
    return any(
        in_time(unload) < in_time(one) and one.occurred_at <= closed.occurred_at
        for one in (*game.loads, *game.unloads)
        if one is not unload
    )


def _loaded_and_closed(game: PartidaContext) -> bool:
    return at_a_shuffler(game) and game.closed is not None and bool(game.loads)


# What is asked only of the unload at the closing; open where nobody recorded what it was for.
AT_THE_CLOSING: Final = (if_at_a_shuffler, _of_the_closing)


@upholds(
    "partida",
    "At the table's closing the cards are taken out of the shuffler.",
    only=_loaded_and_closed,
)
def shuffler_unloaded_at_closing(game: PartidaContext) -> Verdict:
    """An unload is recorded after the last load and the last round, by the time the game is closed.

    It is of the machine that was loaded.

    Law: PT art. 55.
    """
    last = game.loads[-1]
    since = [recorded for recorded in game.unloads if recorded.occurred_at >= last.occurred_at]
    mine = [recorded for recorded in since if recorded.event.shuffler == last.event.shuffler]
    answers = [_dealt_since(game, recorded) for recorded in mine]
    if None in answers or False in answers:
        return LAWFUL if False in answers else UNDECIDED
    if since and not mine:
        return breach(
            {"shuffler": since[-1].event.shuffler},
            {"shuffler": last.event.shuffler},
            last,
            since[-1],
            game.closed,
        )
    return breach({"unloads": 0}, {"at_least": 1}, last, game.closed)


def _dealt_since(game: PartidaContext, unload: Unload) -> bool | None:
    """Whether cards were dealt after the machine was emptied, None where nobody knows.

    Rounds after an unload that was said to be the closing's are article 57's matter, unless the
    game was opened again.
    """
    again = any(recorded.occurred_at >= unload.occurred_at for recorded in game.reopened)
    if unload.event.reason == "closing" and not again:
        return False
    return rounds_between(game, unload.occurred_at).any


@upholds(
    "unload",
    "The shuffler is emptied only after the table's closing was announced.",
    only=AT_THE_CLOSING,
)
def unloaded_after_closing_announced(game: PartidaContext, unload: Unload) -> Verdict:
    """By the moments told of its own closing; that somebody says it was not is enough without.

    Law: PT art. 55.
    """
    closed, event = _closing_of(game, unload), unload.event
    announced = closed.event.closing_announced_at if closed is not None else None
    if announced is None:
        if event.closing_announced is not False:
            return UNDECIDED
        return breach({"announced": "no"}, {"announced": "yes"}, unload)
    begun = _begun(unload)
    if not is_before(begun, announced):
        return LAWFUL if event.started_at is not None else UNDECIDED
    return breach({"moment": begun}, {"not_before": announced}, unload, closed)


@upholds(
    "partida",
    "It is on record that the closing of a table with a shuffler was announced.",
    only=_loaded_and_closed,
    severity="warning",
)
def closing_announcement_told(game: PartidaContext) -> Verdict:
    """By the closing, with its moment, or by an unload. One that says there was none is a breach.

    Law: PT art. 55.
    """
    said = {recorded.event.closing_announced for recorded in game.unloads}
    if game.closing.event.closing_announced_at is not None or True in said:
        return LAWFUL
    if False in said:
        return None
    return breach({"announcements": 0}, {"at_least": 1}, *game.unloads[-1:], game.closed)


@upholds(
    "unload",
    "A second person confirms that a fiscal-chefe was present at the unloading.",
    needs=("witness.within", "witness.presence"),
    only=AT_THE_CLOSING,
    severity="warning",
)
def unloading_witnessed(game: PartidaContext, unload: Unload) -> Verdict:
    """Somebody put his word to it who neither recorded it nor emptied the machine.

    Law: PT art. 55.
    """
    return witnessed(game, unload)


@upholds(
    "unload",
    "Whoever witnessed the unloading says so soon after it.",
    needs="witness.within",
    only=AT_THE_CLOSING,
    severity="warning",
)
def unloading_witnessed_in_time(game: PartidaContext, unload: Unload) -> Verdict:
    """His word came while the house still waited for it, by the book's own clock.

    Law: PT art. 55.
    """
    return word_in_time(game, unload)


@upholds(
    "unload",
    "Whoever witnesses the unloading holds the office of fiscal-chefe.",
    only=AT_THE_CLOSING,
)
def unloading_witness_is_fiscal_chefe(game: PartidaContext, unload: Unload) -> Verdict:
    """The house had granted it to him, both when the cards came out and when he said so.

    Law: PT art. 55.
    """
    return witness_is_fiscal_chefe(game, unload)


@upholds(
    "unload",
    "Whoever witnesses the unloading is on duty as fiscal-chefe.",
    only=AT_THE_CLOSING,
    severity="warning",
)
def unloading_witness_on_duty(game: PartidaContext, unload: Unload) -> Verdict:
    """He had begun duty and not ended it, at both moments. Law: PT art. 55."""
    return witness_on_duty(game, unload)


@upholds(
    "unload",
    "Whoever witnesses the unloading is at no other table meanwhile.",
    only=AT_THE_CLOSING,
    severity="warning",
)
def unloading_witness_at_one_table(game: PartidaContext, unload: Unload) -> Verdict:
    """Nothing he witnessed elsewhere lies in the same time. Law: PT art. 55."""
    return witness_at_one_table(game, unload)


@upholds(
    "unload",
    "No card stays behind in a shuffler that was emptied.",
    needs="decks.cards",
    only=AT_THE_CLOSING,
)
def shuffler_left_empty(game: PartidaContext, unload: Unload) -> Verdict:
    """All cards of its decks came out, and whoever looked into it found none.

    Law: PT art. 55, with 3 for the number.
    """
    event = unload.event
    asked = int(game.p["decks.cards"]) * len(event.decks)
    return together(
        [
            equal("empty", event.empty, True, unload),
            equal("cards", event.cards, asked, unload),
            *(_found(game, unload, recorded) for recorded in _looked_into(game, unload)),
        ]
    )


def _looked_into(game: PartidaContext, unload: Unload) -> list[RecordedEvent[ShufflerFoundEmpty]]:
    """Whenever the machine was looked into after it had been emptied here.

    What another game tells of it is no matter where this game looked by itself.
    """
    events = [
        one
        for one in game.dossier.anywhere(ShufflerFoundEmpty)
        if one.event.shuffler == unload.event.shuffler and one.occurred_at >= unload.occurred_at
    ]
    here = [one for one in events if one.event.partida in (None, game.dossier.partida)]
    return here or events


def _found(
    game: PartidaContext, unload: Unload, recorded: RecordedEvent[ShufflerFoundEmpty]
) -> Verdict:
    """A card in it; one that another game found may be that game's own."""
    if not recorded.event.cards_found:
        return None
    if recorded.event.partida not in (None, game.dossier.partida):
        return UNDECIDED
    return breach({"cards": recorded.event.cards_found}, {"cards": 0}, unload, recorded)
