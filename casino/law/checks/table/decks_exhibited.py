"""The cards of a game: how many decks, and every one exhibited, whole, before the first shuffle.

Law: PT art. 3 (decks), 7 (exhibition; and 53, which asks the same of a table with a shuffler).
"""

from casino.law.finding import LAWFUL, UNDECIDED, Verdict, upholds
from casino.law.game_decks import (
    _exhibitions,
    _mixed,
    _shown_late,
    found_whole,
    ordered_at_close,
    shown_as_played,
)
from casino.law.partida_context import PartidaContext, at_a_shoe, is_opened
from casino.law.questions import breach, equal


@upholds("deck", "Every deck is exhibited before the game's first shuffle.")
def decks_exhibited_before_shuffle(game: PartidaContext, deck: str) -> Verdict:
    """The deck was shown, and not after the cards had been mixed. Law: PT art. 7."""
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
    first = exhibitions[0]
    return breach({"moment": first.occurred_at}, {"not_after": mixed.occurred_at}, first, mixed)


@upholds("deck", "A deck is exhibited whole and in order.")
def exhibited_deck_whole(game: PartidaContext, deck: str) -> Verdict:
    """Spread out card by card in its order. Which cards it is made of is article 3's matter.

    Law: PT art. 7.
    """
    shown = shown_as_played(game, deck)
    return None if shown is None else found_whole(game, shown, cards=False)


@upholds(
    "deck",
    "A deck that is exhibited has all its cards and none of another deck.",
    needs="decks.cards",
)
def exhibited_deck_has_its_cards(game: PartidaContext, deck: str) -> Verdict:
    """As it was shown before play.

    A damaged or marked card among them is one of its cards; using it is article 5's matter.

    Law: PT art. 3.
    """
    shown = shown_as_played(game, deck)
    return None if shown is None else found_whole(game, shown, order=False)


@upholds("deck", "The exhibited cards lie face up in rows on the table.")
def exhibited_deck_in_rows(game: PartidaContext, deck: str) -> Verdict:
    """Shown in rows, as far as whoever recorded it says so. Law: PT art. 7."""
    shown = shown_as_played(game, deck)
    return None if shown is None else equal("in_rows", shown.event.spread_in_rows, True, shown)


@upholds(
    "partida",
    "A game is played with as many decks as the law allows.",
    needs="decks.allowed",
    only=is_opened,
)
def number_of_decks_allowed(game: PartidaContext) -> Verdict:
    """The decks a table was opened with. Law: PT art. 3."""
    number, allowed = len(game.decks), game.p["decks.allowed"]
    if number in allowed:
        return LAWFUL
    return breach({"decks": number}, {"decks": list(allowed)}, game.opened)


@upholds("deck", "No joker lies among the cards of a deck.", needs="decks.cards")
def no_joker_in_a_deck(game: PartidaContext, deck: str) -> Verdict:
    """As the exhibition counted them. Law: PT art. 3."""
    shown = shown_as_played(game, deck)
    return None if shown is None else equal("jokers", shown.event.jokers, 0, shown)


@upholds(
    "deck",
    "A deck put in order after play still has all its cards.",
    needs="decks.cards",
    only=at_a_shoe,
)
def deck_whole_after_play(game: PartidaContext, deck: str) -> Verdict:
    """Of a table that deals from a shoe; where a shuffler deals article 55 asks it.

    Law: PT art. 3.
    """
    ordered = ordered_at_close(game, deck)
    return None if ordered is None else found_whole(game, ordered)


@upholds("deck", "A new deck comes to the table with its seal whole.")
def deck_seal_intact(game: PartidaContext, deck: str) -> Verdict:
    """As the exhibition tells it; a deck that was in play before has no seal any more."""
    shown = shown_as_played(game, deck)
    if shown is None or shown.event.seal == "none":
        return None
    return equal("seal", shown.event.seal, "intact", shown)
