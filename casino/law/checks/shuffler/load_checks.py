"""Loading the automatic shuffler: shuffled by hand, in packets, once, before a fiscal-chefe.

Law: PT art. 53, 54, with 51 for a load after an opening.
"""

from datetime import timedelta
from typing import Literal

from casino.events.event import Event
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardsShuffled
from casino.events.shufflers import ShufflerLoaded
from casino.law.checks.shuffler.load_witnesses import (
    witness_at_one_table,
    witness_is_fiscal_chefe,
    witness_on_duty,
    witnessed,
    word_in_time,
)
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Verdict, upholds
from casino.law.game_decks import left_out, not_of_the_game
from casino.law.game_incidents import troubles_between
from casino.law.partida_context import (
    PartidaContext,
    at_a_shuffler,
    first_cards,
    in_place,
    passes_of,
)
from casino.law.questions import all_equal, at_least, breach
from casino.law.register_proof import CHEFE, held_office

Load = RecordedEvent[ShufflerLoaded]


@upholds(
    "partida",
    "A shuffler that deals has been loaded on record.",
    needs="csm.loads",
    only=at_a_shuffler,
)
def shuffler_is_loaded(game: PartidaContext) -> Verdict:
    """At a table with a shuffler cards were dealt, or the game is over: then it was loaded.

    That is the machine the game was opened with; loading another does not load it.

    Law: PT art. 54.
    """
    its_own = game.opening.event.shuffler
    if game.loads and not any(its_own in (None, one.event.shuffler) for one in game.loads):
        return breach(
            {"shuffler": game.loads[0].event.shuffler},
            {"shuffler": its_own},
            game.opened,
            *game.loads,
        )
    if game.loads:
        return LAWFUL
    rounds = sorted(game.dossier.of(RoundPlayed), key=in_place)
    shown: RecordedEvent[Event] | None = rounds[0] if rounds else None
    if shown is None and game.closed is not None and game.closed.event.rounds != 0:
        shown = game.closed
    if shown is None:
        return None
    return breach({"loads": 0}, {"loads": game.p["csm.loads"]}, game.opened, shown)


@upholds(
    "partida",
    "A shuffler is loaded soon after its table has opened.",
    needs="csm.loaded_within",
    only=at_a_shuffler,
    severity="warning",
)
def shuffler_loaded_soon_after_opening(game: PartidaContext) -> Verdict:
    """While nothing is dealt and nothing loaded, no longer than the house allows.

    Once cards were dealt or the game is over, whether it was loaded at all is asked instead.

    Law: PT art. 54.
    """
    if game.loads:
        return LAWFUL
    if game.closed is not None or game.dossier.of(RoundPlayed):
        return None
    since = max([game.opening, *game.reopened], key=in_time)
    until = since.occurred_at + timedelta(minutes=game.p["csm.loaded_within"])
    if game.dossier.as_of <= until:
        return UNDECIDED
    return breach({"loads": 0}, {"not_after": until}, since)


@upholds("load", "No round is dealt from a load before it is in the shuffler.")
def shuffler_loaded_before_the_deal(game: PartidaContext, load: Load) -> Verdict:
    """The load was told to be in before the first card of its rounds. Law: PT art. 54."""
    shoe = game.shoe(game.loads.index(load) + 1)
    if shoe is None:
        return None
    when = game.when(shoe, load)
    if when != "after":
        return LAWFUL if when == "before" else UNDECIDED
    return breach(
        {"moment": load.occurred_at},
        {"not_after": first_cards(shoe.rounds)[0]},
        load,
        *shoe.rounds[:1],
    )


@upholds(
    "load",
    "The cards are shuffled by hand before they go into the shuffler.",
    needs="csm.passes_minimum",
)
def loaded_decks_shuffled_by_hand(game: PartidaContext, load: Load) -> Verdict:
    """Each deck of the load was given its passes by hand, and before it was loaded.

    Law: PT art. 53 (reading customary-passes).
    """
    shuffles = _shuffles_before(game, load)
    sure, possible = passes_of(shuffles, "by_hand"), passes_of(shuffles, "by_hand", None)
    asked = game.p["csm.passes_minimum"]
    left_out = sorted({deck for deck in load.event.decks if possible.get(deck, 0) < asked})
    if left_out:
        if game.opened is None:
            return UNDECIDED
        return breach(
            {"left_out": left_out}, {"passes": asked}, *shuffles, load, readings="customary-passes"
        )
    return LAWFUL if all(sure.get(deck, 0) >= asked for deck in load.event.decks) else UNDECIDED


def _shuffles_before(game: PartidaContext, load: Load) -> list[RecordedEvent[CardsShuffled]]:
    """What was shuffled for a load: since the load before it, and no later than it."""
    place = game.loads.index(load)
    since = game.loads[place - 1].occurred_at if place else None
    return [
        one
        for one in sorted(game.dossier.of(CardsShuffled), key=in_time)
        if one.occurred_at <= load.occurred_at and (since is None or since < one.occurred_at)
    ]


@upholds(
    "load", "All the decks of the game, and no other, go into the shuffler.", needs="decks.cards"
)
def loaded_decks_are_the_games(game: PartidaContext, load: Load) -> Verdict:
    """As at the opening, but for one that stands for another, withdrawn by then; with all cards.

    Law: PT art. 3, 53, 54.
    """
    if game.opened is None:
        return UNDECIDED
    loaded, at = load.event.decks, load.occurred_at
    beside = not_of_the_game(game, loaded, at)
    asked = game.p["decks.cards"] * len(loaded)
    cards = asked if load.event.cards is None else load.event.cards
    pairs = {
        "left_out": (left_out(game, loaded, at), []),
        "decks_beside": (beside, []),
        "cards": (cards, asked),
    }
    return all_equal(pairs, game.opened, load)


@upholds(
    "load",
    "The shuffler is loaded in at least as many packets as the law asks.",
    needs="csm.packets_minimum",
)
def shuffler_loaded_in_packets(game: PartidaContext, load: Load) -> Verdict:
    """Two packets at least. Law: PT art. 54."""
    packets, asked = load.event.packets, game.p["csm.packets_minimum"]
    return at_least("packets", packets, asked, load)


def _reload(game: PartidaContext, load: Load) -> Literal["attested", "unknown", "bare"]:
    """Whether a further load followed an opening by a fiscal-chefe that emptied the machine.

    Or a closing at which it was emptied, and which was undone.
    """
    before = game.loads[game.loads.index(load) - 1]
    if any(
        before.occurred_at <= unload.occurred_at <= undone.occurred_at <= load.occurred_at
        for unload in game.unloads
        for undone in game.reopened
    ):
        return "attested"
    said: Literal["unknown", "bare"] = "bare"
    for trouble in troubles_between(game, before.occurred_at, load.occurred_at):
        event = trouble.event
        unloaded = any(
            before.occurred_at <= one.occurred_at <= load.occurred_at for one in game.unloads
        )
        emptied = True if unloaded else event.emptied
        at = event.opened_at or trouble.occurred_at
        opener = event.opened_by, event.opened_by_office
        said_by = trouble.filled.get("opened_by", trouble.report)
        by_chefe = held_office(game, CHEFE, opener, at, said_by)
        if emptied and by_chefe and event.opened_at is not None:
            return "attested"
        if emptied is not False and by_chefe is not False:
            said = "unknown"
    return said


@upholds(
    "load",
    "The shuffler is loaded once in a game.",
    needs=("csm.loads", "csm.reload_after_opening"),
)
def shuffler_loaded_once(game: PartidaContext, load: Load) -> Verdict:
    """No load after the first, but for one that follows an attested opening.

    Law: PT art. 54, 51.
    """
    place, most = game.loads.index(load) + 1, game.p["csm.loads"]
    if place <= most:
        return LAWFUL
    readings: tuple[str, ...] = ()
    reload = _reload(game, load)
    if reload != "bare":
        readings = ("reload-after-jam",)
        if game.p["csm.reload_after_opening"] == "note":
            return UNDECIDED if reload == "unknown" else None
    return breach(
        {"loads": place}, {"at_most": most}, game.loads[place - 2], load, readings=readings
    )


@upholds(
    "load",
    "The shuffler is not loaded again, not even after an opening.",
    needs=("csm.loads", "csm.reload_after_opening"),
    severity="note",
)
def shuffler_reloaded_after_opening(game: PartidaContext, load: Load) -> Verdict:
    """A further load after an attested opening that emptied the machine is recorded, as a note.

    Law: PT art. 54, 51.
    """
    place, most = game.loads.index(load) + 1, game.p["csm.loads"]
    if game.p["csm.reload_after_opening"] != "note":
        return None
    if place <= most:
        return LAWFUL
    if _reload(game, load) != "attested":
        return None
    return breach(
        {"loads": place},
        {"at_most": most},
        game.loads[place - 2],
        load,
        readings="reload-after-jam",
    )


# Who looked on


@upholds(
    "load",
    "A second person confirms that a fiscal-chefe was present at the loading.",
    needs=("witness.within", "witness.presence"),
    severity="warning",
)
def loading_witnessed(game: PartidaContext, load: Load) -> Verdict:
    """Somebody put his word to it who neither recorded it nor loaded the machine.

    What office he held is asked by itself.

    Law: PT art. 54.
    """
    return witnessed(game, load)


@upholds(
    "load",
    "Whoever witnessed the loading says so soon after it.",
    needs="witness.within",
    severity="warning",
)
def loading_witnessed_in_time(game: PartidaContext, load: Load) -> Verdict:
    """His word came while the house still waited for it, by the book's own clock.

    Law: PT art. 54.
    """
    return word_in_time(game, load)


@upholds("load", "Whoever witnesses the loading holds the office of fiscal-chefe.")
def loading_witness_is_fiscal_chefe(game: PartidaContext, load: Load) -> Verdict:
    """The house had granted it to him, both when the cards went in and when he said so.

    Law: PT art. 54.
    """
    return witness_is_fiscal_chefe(game, load)


@upholds("load", "Whoever witnesses the loading is on duty as fiscal-chefe.", severity="warning")
def loading_witness_on_duty(game: PartidaContext, load: Load) -> Verdict:
    """He had begun duty and not ended it, at both moments. Law: PT art. 54."""
    return witness_on_duty(game, load)


@upholds(
    "load", "Whoever witnesses the loading is at no other table meanwhile.", severity="warning"
)
def loading_witness_at_one_table(game: PartidaContext, load: Load) -> Verdict:
    """Nothing he witnessed elsewhere lies in the same time.

    Where he did not say when he came and left, what he witnessed at another table leaves it open.

    Law: PT art. 54.
    """
    return witness_at_one_table(game, load)
