"""An evening of procedures, and the shape of a breach that is planted in it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import Any, Final

from casino.events.partidas import Dealing
from casino.simulation.planting import Kind
from casino.simulation.procedures.breach_labels import Planted
from casino.simulation.procedures.procedure_acts import Act, Partida
from casino.simulation.procedures.simulated_pools import Pool
from casino.simulation.procedures.table_story import Story

# The articles of the Portuguese regulation under which the checks that are met here stand.
CHECKS: Final[dict[str, str]] = {
    check: article
    for article, checks in {
        "2": "table_has_lawful_boxes table_is_semicircular boxes_numbered_from_dealers_left"
        " boxes_marked_on_the_cloth table_layout_is_told box_exists"
        " boxes_played_are_on_the_table",
        "3": "number_of_decks_allowed no_joker_in_a_deck card_within_decks"
        " exhibited_deck_has_its_cards"
        " deck_whole_after_play loaded_decks_are_the_games",
        "4": "two_special_cards_are_used special_cards_are_told"
        " special_cards_alike_on_both_faces special_cards_unlike_the_decks",
        "5": "damaged_deck_withdrawn withdrawn_deck_not_used single_card_replaced_with_leave"
        " leave_is_on_record",
        "7": "decks_exhibited_before_shuffle exhibited_deck_whole exhibited_deck_in_rows"
        " deck_exhibited_by_a_dealer",
        "8": "shoe_is_shuffled shoe_is_cut cut_follows_the_shuffle cut_with_a_special_card"
        " cut_by_rightful_seat"
        " shoe_shuffled_by_a_dealer shoe_cut_by_a_fiscal_de_banca",
        "9": "warning_card_is_placed warning_card_follows_the_cut warning_card_at_its_place"
        " warning_card_near_its_place warning_card_unlike_cut_card"
        " warning_card_comes_out_where_placed",
        "10": "shoe_is_burnt burnt_cards_exact burnt_cards_to_discard_corner",
        "11": "last_round_announced last_round_announced_aloud no_round_after_the_last"
        " no_round_after_the_announced_last no_round_of_a_shoe_left_behind"
        " shoe_ends_for_a_cause round_after_the_warning_card_is_played",
        "12": "cards_spread_for_lawful_reason spread_cards_lie_face_up no_round_after_the_spread",
        "13": "stakes_before_the_deal stakes_timed_or_attested",
        "14": "opened_with_the_limits_set rounds_tell_the_tables_limits",
        "15": "limits_are_approved",
        "16": "largest_stake_decides_vacant_box vacant_stake_multiple_of_minimum"
        " vacant_box_within_maximum",
        "17": "cards_only_to_staked_boxes dealt_in_order second_bank_card_face_down"
        " bank_keeps_the_cards_dealt_it deal_recorded_or_attested rounds_dealt_by_a_dealer",
        "37": "maximum_within_thirty_minimums opened_within_thirty_minimums",
        "38": "jackpot_option_is_communicated",
        "39": "jackpot_place_is_marked",
        "40": "jackpot_terms_are_in_force jackpot_terms_are_approved"
        " jackpot_terms_were_proposed jackpot_meter_is_within_its_limit",
        "41": "jackpot_sources_agree jackpot_markers_are_laid jackpot_meter_is_as_told"
        " jackpot_marking_as_registered jackpot_display_shows_the_meter",
        "42": "jackpot_counted_cards_are_lawful",
        "43": "jackpot_prizes_as_approved jackpot_winning_cards_are_told"
        " jackpot_prizes_follow_the_meter",
        "44": "jackpot_start_is_high_enough jackpot_is_started_when_due",
        "45": "jackpot_chip_has_a_main_stake jackpot_winner_laid_a_chip",
        "46": "jackpot_won_by_first_cards",
        "47": "one_chip_per_player jackpot_chip_is_of_the_set_amount",
        "48": "jackpot_chips_precede_the_deal",
        "49": "jackpot_cards_stay_open_until_paid",
        "50": "jackpot_remainder_to_the_top"
        " jackpot_smallest_prize_first jackpot_prize_is_paid_once"
        " jackpot_meter_bears_the_prizes",
        "51": "fiscal_chefe_is_called fiscal_chefe_called_at_once shuffler_opened_by_fiscal_chefe"
        " lid_opened_by_fiscal_chefe shuffler_trouble_solved_by_fiscal_chefe"
        " unsolved_jam_goes_to_technician damaged_card_replaced"
        " damaged_card_replaced_at_once"
        " card_replaced_by_fiscal_chefe damaged_card_communicated"
        " damaged_card_communicated_in_time",
        "52": "no_cut_with_shuffler no_warning_card_with_shuffler",
        "53": "loaded_decks_shuffled_by_hand",
        "54": "shuffler_is_loaded"
        " shuffler_loaded_before_the_deal shuffler_loaded_in_packets shuffler_loaded_once"
        " shuffler_reloaded_after_opening loading_witnessed"
        " loading_witness_is_fiscal_chefe"
        " loading_witness_on_duty loading_witness_at_one_table",
        "55": "shuffler_unloaded_at_closing unloaded_after_closing_announced"
        " closing_announcement_told unloading_witnessed"
        " unloading_witness_is_fiscal_chefe unloading_witness_on_duty"
        " unloading_witness_at_one_table shuffler_left_empty decks_ordered_at_closing"
        " deck_ordered_by_a_dealer ordered_deck_regular",
        "57": "cards_stay_in_shuffler no_spreading_with_shuffler",
        "58": "discards_attested",
        "59": "cards_put_back_after_the_round cards_put_back_before_the_next_round"
        " all_cards_put_back putting_back_timed_or_attested",
        "60": "deferred_cards_go_with_the_next deferral_has_its_cause"
        " deferred_cards_timed_or_attested",
        "61": "late_complaint_not_upheld timely_complaint_heard",
        "house.table": "one_game_at_a_table"
        " closed_once"
        " no_round_after_closing"
        " no_round_while_interrupted"
        " cards_serve_one_game"
        " told_where_it_is_in_use"
        " cards_seen_as_whole_decks_give_them",
        "house.shoe": "no_shoe_is_left_out seats_at_the_cut_told_alike",
        "house.shuffler": "shuffler_loaded_soon_after_opening"
        " shuffler_opened_only_for_cause"
        " no_round_during_trouble"
        " trouble_witnessed"
        " loading_witnessed_in_time"
        " unloading_witnessed_in_time"
        " irregular_deck_reported",
        "house.jackpot": "jackpot_terms_are_confirmed"
        " jackpot_terms_do_not_reach_back"
        " jackpot_has_a_top_combination"
        " jackpot_claim_is_within_the_money"
        " jackpot_wins_in_the_decided_order",
        "house.complaints": "complaint_answered complaint_paid_as_decided"
        " disputed_cards_wait_for_review",
    }.items()
    for check in checks.split()
}

Place = dict[str, int | str]


@dataclass(slots=True, eq=False)
class ProceduralEvening:
    """Everything told of one gaming day, and what of it is unlawful.

    `house` is what the house told of itself, `pools` are its progressive prizes, `labels` the
    breaches that were planted.
    """

    day: date
    house: list[Act]
    partidas: list[Partida]
    stories: dict[str, Story] = field(default_factory=dict)
    pools: list[Pool] = field(default_factory=list)
    labels: list[Planted] = field(default_factory=list)

    @property
    def acts(self) -> list[Act]:
        """All of it, as it was recorded."""
        acts = [
            *self.house,
            *(act for pool in self.pools for act in pool.acts),
            *(act for game in self.partidas for act in game.acts),
        ]
        return sorted(acts, key=lambda act: act.known_at)

    def lawful(self, dealing: Dealing, rng: Random, kind: str) -> list[Partida]:
        """The partidas dealt so of which nothing is unlawful yet, in some order.

        One that was dealt for this kind of breach comes first, one dealt for another not at all.
        """
        broken = {label.partida for label in self.labels}
        free = [
            one
            for one in self.partidas
            if one.dealing == dealing and one.name not in broken and one.meant_for in ("", kind)
        ]
        rng.shuffle(free)
        return sorted(free, key=lambda partida: partida.meant_for == "")


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a breach lies: in which partida, at which check, at which place or in which round.

    No partida ("") where only the whole story of a progressive prize shows it.
    """

    partida: str
    check: str
    where: Place
    round: str | None = None


Planter = Callable[[ProceduralEvening, Random], Iterable[Spot] | None]
InPartida = Callable[[Partida, Random], Place | Sequence[tuple[str, Place]] | None]


@dataclass(frozen=True, slots=True)
class Breach:
    """One way to break the rules of procedure: its name, the check it meets, how it is made.

    `dealing` is where it can be made; `features`, `wishes` and `error` are asked of one partida
    while its cards are dealt: what happens in it, what is done otherwise, a kind of round error.
    """

    kind: str
    check: str
    dealing: Dealing
    planter: Planter
    features: frozenset[str] = frozenset()
    wishes: dict[str, Any] = field(default_factory=dict)
    error: Kind | None = None

    def plant(self, evening: ProceduralEvening, rng: Random) -> bool:
        """Plant it and label it; False where there is no room for it."""
        spots = self.planter(evening, rng)
        if spots is None:
            return False
        evening.labels += [
            Planted(
                spot.partida,
                self.kind,
                CHECKS[spot.check],
                spot.check,
                tuple(sorted(spot.where.items())),
                spot.round,
            )
            for spot in spots
        ]
        return True


def breach(
    kind: str,
    check: str,
    dealing: Dealing,
    plant: InPartida,
    features: str = "",
    **wishes: Any,
) -> Breach:
    """A breach within one partida.

    `plant` gets one that is lawful and answers the place, or several checks with theirs.
    """

    def planter(evening: ProceduralEvening, rng: Random) -> list[Spot] | None:
        for game in evening.lawful(dealing, rng, kind):
            found = plant(game, rng)
            if found is not None:
                met = [(check, found)] if isinstance(found, dict) else found
                return [Spot(game.name, one, where) for one, where in met]
        return None

    return Breach(kind, check, dealing, planter, frozenset(features.split()), wishes)
