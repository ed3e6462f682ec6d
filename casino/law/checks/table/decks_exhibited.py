"""The cards of a game: how many decks, and every one exhibited, whole, before the first shuffle.

Law: PT art. 3 (decks), 7 (exhibition; and 53, which asks the same of a table with a shuffler).
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from casino.events.decks import DeckInspected
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardsShuffled, LastRoundAnnounced
from casino.events.shufflers import ShufflerLoaded
from casino.law.checks.table.deck_condition import withdrawals_of
from casino.law.checks.table.decks_in_play import decks_of
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict, breach, upholds
from casino.law.partida_context import PartidaContext, first_cards, in_place


def decks_on_record(game: PartidaContext) -> tuple[str, ...]:
    """The decks the game was opened with, and those that were shuffled or loaded besides.

    With them any that was shown for it although it had been withdrawn.
    """
    named = list(game.decks)
    for shoe in game.shoes:
        named += [each.deck for recorded in shoe.shuffles for each in recorded.event.decks]
    named += [deck for recorded in game.loads for deck in recorded.event.decks]
    named += [
        shown.event.deck
        for shown in game.exhibitions
        if any(
            gone.occurred_at < shown.occurred_at for gone in withdrawals_of(game, shown.event.deck)
        )
    ]
    return tuple(dict.fromkeys(named))


def not_of_the_game(game: PartidaContext, named: Iterable[str], until: datetime) -> list[str]:
    """The decks of these that are not of the game; empty where nobody recorded its opening.

    One that stands for another, withdrawn by that moment, is of the game.
    """
    if game.opened is None:
        return []
    gone = {
        deck
        for deck in {*game.decks, *named}
        if any(recorded.occurred_at <= until for recorded in withdrawals_of(game, deck))
    }
    beside = sorted(set(named) - set(game.decks) - gone)
    return beside if len(beside) > len(gone & set(game.decks)) else []


def _exhibitions(
    game: PartidaContext, deck: str
) -> tuple[list[RecordedEvent[DeckInspected]], bool]:
    """The exhibitions of a deck in this game, and whether one may be of it or of another."""
    mine = [recorded for recorded in game.exhibitions if recorded.event.deck == deck]
    return (
        [recorded for recorded in mine if recorded.event.partida is not None],
        any(recorded.event.partida is None for recorded in (*mine, *_in_the_house(game, deck))),
    )


def _in_the_house(game: PartidaContext, deck: str) -> list[RecordedEvent[DeckInspected]]:
    return [
        recorded
        for recorded in game.dossier.house_of(DeckInspected)
        if (recorded.event.deck, recorded.event.moment) == (deck, "exhibition")
        and recorded.gaming_day == game.dossier.gaming_day
    ]


def _mixed(game: PartidaContext, deck: str) -> RecordedEvent[Any] | None:
    """The act before which a deck has to have been shown: the first shuffle or load it was in.

    A deck the game was opened with has to be shown before the first of all; where no shuffle is
    told, before whatever shows that play began. Another one may yet be shuffled or loaded.
    """
    mixed: list[RecordedEvent[Any]] = [
        recorded for shoe in game.shoes for recorded in shoe.shuffles
    ]
    mixed += game.loads
    if deck not in game.decks:
        mixed = [recorded for recorded in mixed if deck in decks_of(recorded)]
        return min(mixed, key=in_time, default=None)
    if not mixed:
        mixed = [recorded for shoe in game.shoes for recorded in shoe.before("played")]
        mixed += game.dossier.of(LastRoundAnnounced)
    if mixed:
        return min(mixed, key=in_time)
    return min(game.dossier.of(RoundPlayed), key=in_place, default=None)


def _shown_late(
    game: PartidaContext, shown: RecordedEvent[Any], mixed: RecordedEvent[Any] | None
) -> bool | None:
    """Whether the cards were shown after they had been mixed; None where nobody knows."""
    if mixed is None:
        return False
    if not isinstance(mixed.event, RoundPlayed) and shown.occurred_at > mixed.occurred_at:
        return True
    if isinstance(mixed.event, CardsShuffled | ShufflerLoaded):
        return False
    rounds = game.dossier.of(RoundPlayed)
    dealt = first_cards(rounds)
    if dealt and shown.occurred_at > dealt[0]:
        return True
    return False if len(dealt) == len(rounds) else None


@upholds("deck", "Every deck is exhibited before the game's first shuffle.")
def decks_exhibited_before_shuffle(game: PartidaContext, deck: str) -> Verdict:
    """The deck was shown, and not after the cards had been mixed.

    Law: PT art. 7.
    """
    exhibitions, doubtful = _exhibitions(game, deck)
    mixed = _mixed(game, deck)
    if not exhibitions:
        if doubtful:
            return UNDECIDED
        if mixed is None:
            return None
        if game.opened is None:
            return UNDECIDED
        return breach({"exhibitions": 0}, {"at_least": 1}, game.opened, mixed)
    late = [_shown_late(game, shown, mixed) for shown in exhibitions]
    if False in late:
        return LAWFUL
    if None in late or doubtful:
        return UNDECIDED
    assert mixed is not None
    return breach(
        {"moment": exhibitions[0].occurred_at},
        {"not_after": mixed.occurred_at},
        exhibitions[0],
        mixed,
    )


def shown_as_played(game: PartidaContext, deck: str) -> RecordedEvent[DeckInspected] | None:
    """The exhibition that tells with what the game began: the last before the cards were mixed."""
    exhibitions, _ = _exhibitions(game, deck)
    mixed = _mixed(game, deck)
    in_time_shown = [one for one in exhibitions if not _shown_late(game, one, mixed)]
    return in_time_shown[-1] if in_time_shown else (exhibitions[0] if exhibitions else None)


@upholds("deck", "A deck is exhibited whole and in order.")
def exhibited_deck_whole(game: PartidaContext, deck: str) -> Verdict:
    """Spread out card by card in its order. Which cards it is made of is article 3's matter.

    Law: PT art. 7.
    """
    shown = shown_as_played(game, deck)
    if shown is None:
        return None
    return _differing(game, shown, cards=False) or LAWFUL


@upholds(
    "deck",
    "A deck that is exhibited has all its cards and none of another deck.",
    needs=("decks.cards",),
)
def exhibited_deck_has_its_cards(game: PartidaContext, deck: str) -> Verdict:
    """As it was shown before play.

    A damaged or marked card among them is one of its cards; using it is article 5's matter.

    Law: PT art. 3.
    """
    shown = shown_as_played(game, deck)
    if shown is None:
        return None
    return _differing(game, shown, order=False) or LAWFUL


def found_whole(game: PartidaContext, recorded: RecordedEvent[DeckInspected]) -> Verdict:
    """Whether an inspection found a deck complete, in order, and without a strange card."""
    return _differing(game, recorded) or LAWFUL


def _differing(
    game: PartidaContext,
    recorded: RecordedEvent[DeckInspected],
    *,
    cards: bool = True,
    order: bool = True,
) -> Breach | None:
    """How a deck that was looked through differs from a whole one: in its cards, in their order."""
    event = recorded.event
    observed: dict[str, Any] = {}
    expected: dict[str, Any] = {}

    def differs(name: str, found: Any, asked: Any) -> None:
        if found != asked:
            observed[name], expected[name] = found, asked

    if order:
        differs("in_order", "yes" if event.order_complete else "no", "yes")
    if cards:
        differs("cards", event.cards, game.p["decks.cards"])
        strange = [event.faces, event.backs, event.result].count("foreign")
        differs("foreign", "yes" if strange else "no", "no")
        if event.result in ("missing", "extra"):
            differs("result", event.result, "conform")
    if not observed:
        return None
    return breach(observed, expected, recorded)


@upholds("deck", "The exhibited cards lie face up in rows on the table.")
def exhibited_deck_in_rows(game: PartidaContext, deck: str) -> Verdict:
    """Shown in rows, as far as whoever recorded it says so.

    Law: PT art. 7.
    """
    shown = shown_as_played(game, deck)
    if shown is None:
        return None
    known: bool | None = shown.event.spread_in_rows
    if known is None:
        return UNDECIDED
    if known:
        return LAWFUL
    return breach({"in_rows": "no"}, {"in_rows": "yes"}, shown)


@upholds(
    "partida", "A game is played with as many decks as the law allows.", needs=("decks.allowed",)
)
def number_of_decks_allowed(game: PartidaContext) -> Verdict:
    """The decks a table was opened with.

    Law: PT art. 3.
    """
    if game.opened is None:
        return None
    allowed = game.p["decks.allowed"]
    if len(game.decks) in allowed:
        return LAWFUL
    return breach({"decks": len(game.decks)}, {"decks": list(allowed)}, game.opened)


@upholds("deck", "No joker lies among the cards of a deck.", needs=("decks.cards",))
def no_joker_in_a_deck(game: PartidaContext, deck: str) -> Verdict:
    """As the exhibition counted them.

    Law: PT art. 3.
    """
    shown = shown_as_played(game, deck)
    if shown is None:
        return None
    if shown.event.jokers is None:
        return UNDECIDED
    if shown.event.jokers == 0:
        return LAWFUL
    return breach({"jokers": shown.event.jokers}, {"jokers": 0}, shown)


@upholds("deck", "A deck put in order after play still has all its cards.", needs=("decks.cards",))
def deck_whole_after_play(game: PartidaContext, deck: str) -> Verdict:
    """Of a table that deals from a shoe; where a shuffler deals article 55 asks it.

    Law: PT art. 3.
    """
    if game.dealing != "shoe":
        return None
    ordered = ordered_at_close(game, deck)
    return None if ordered is None else found_whole(game, ordered)


def ordered_at_close(game: PartidaContext, deck: str) -> RecordedEvent[DeckInspected] | None:
    """The last time the deck was put in order at this game's closing.

    Not while it lay in a shuffler: neither before it last went in nor before it last came out.
    """
    since = last_in_machine(game, deck)
    events = [
        one
        for one in game.dossier.of(DeckInspected)
        if (one.event.deck, one.event.moment) == (deck, "close")
        and (since is None or one.occurred_at >= since)
    ]
    return max(events, key=in_time, default=None)


def last_in_machine(game: PartidaContext, deck: str) -> datetime | None:
    """When a deck last went into the shuffler or began to come out of it; None for never."""
    moments = [recorded.occurred_at for recorded in game.loads if deck in recorded.event.decks]
    moments += [
        min(recorded.event.started_at or recorded.occurred_at, recorded.occurred_at)
        for recorded in game.unloads
        if deck in recorded.event.decks
    ]
    return max(moments, default=None)


@upholds("deck", "A new deck comes to the table with its seal whole.")
def deck_seal_intact(game: PartidaContext, deck: str) -> Verdict:
    """As the exhibition tells it; a deck that was in play before has no seal any more."""
    shown = shown_as_played(game, deck)
    if shown is None or shown.event.seal == "none":
        return None
    if shown.event.seal is None:
        return UNDECIDED
    if shown.event.seal == "intact":
        return LAWFUL
    return breach({"seal": shown.event.seal}, {"seal": "intact"}, shown)
