"""Errors of a round, made at the table while the cards are dealt, and what only many rounds show.

The kinds are those of the simulated rounds (docs/simulation.md). Law: PT art. 2, 3, 11, 13, 16, 17,
37.
"""

from random import Random
from typing import Final

from casino.events.partidas import Dealing
from casino.simulation.faults.every_fault import (
    AFTER_THE_LAST,
    ARTICLE_OF_AFTER_THE_LAST,
    IN_A_ROUND,
)
from casino.simulation.planting import Kind, Mark
from casino.simulation.procedures.breaches.breaking import (
    Breach,
    Place,
    ProceduralEvening,
    Spot,
    breach,
)
from casino.simulation.procedures.procedure_acts import Partida

_KINDS: Final = {kind.name: kind for kind in IN_A_ROUND} | {
    AFTER_THE_LAST: Kind(AFTER_THE_LAST, ARTICLE_OF_AFTER_THE_LAST, lambda draft, rng: Mark())
}


def _of_a_round(name: str, check: str, dealing: Dealing) -> Breach:
    """A kind of error made once in a partida, as soon as a round has room for it."""
    kind = _KINDS[name]

    def planter(evening: ProceduralEvening, rng: Random) -> list[Spot] | None:
        for game in evening.lawful(dealing, rng, name):
            made = evening.stories[game.name].error
            if made is None or made[1].kind != name:
                continue
            act = made[0]
            if name == AFTER_THE_LAST:
                return [Spot(game.name, check, {"shoe": act.event.shoe})]
            return [Spot(game.name, check, {}, act.event.round)]
        return None

    return Breach(name, check, dealing, planter, error=kind)


def _stacked(game: Partida, rng: Random) -> Place | None:
    """The set the machine was loaded with has small cards too few and tens too many."""
    return {} if "stacked" in game.wishes else None


BREACHES: Final[tuple[Breach, ...]] = (
    _of_a_round("box_beyond_layout", "box_exists", "shoe"),
    _of_a_round("seventh_copy_of_a_card", "card_within_decks", "shuffler"),
    breach(
        "stacked_set",
        "cards_seen_as_whole_decks_give_them",
        "shuffler",
        _stacked,
        stacked=True,
        rounds=150,
    ),
    _of_a_round(AFTER_THE_LAST, "no_round_after_the_last", "shoe"),
    _of_a_round("stakes_after_first_card", "stakes_before_the_deal", "shuffler"),
    _of_a_round("smaller_stake_decided", "largest_stake_decides_vacant_box", "shoe"),
    _of_a_round("vacant_stake_between_multiples", "vacant_stake_multiple_of_minimum", "shoe"),
    _of_a_round("vacant_box_above_maximum", "vacant_box_within_maximum", "shuffler"),
    _of_a_round("cards_to_an_unstaked_box", "cards_only_to_staked_boxes", "shuffler"),
    _of_a_round("boxes_out_of_order", "dealt_in_order", "shoe"),
    _of_a_round("turned_bank_card_kept", "second_bank_card_face_down", "shuffler"),
    _of_a_round("first_bank_card_taken_out", "bank_keeps_the_cards_dealt_it", "shoe"),
    _of_a_round("limits_too_wide", "maximum_within_thirty_minimums", "shuffler"),
)
