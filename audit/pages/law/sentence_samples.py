"""Invented figures for the sentences of docs/findings.md: each breaks the rule it is shown under.

What was observed is never what was expected, and lies on the unlawful side of it.
"""

from collections.abc import Mapping
from datetime import date
from typing import Final

from casino.law.check_registry import ALL_CHECKS
from casino.law.checks.table import house_controls
from casino.law.wording import wording
from casino.law.wording.headings import Line, gaps

DAY: Final = date(2026, 11, 20)
Values = dict[str, object]

# What stands in a gap, by its name; an hour or an amount by the form of its name.
_OBSERVED: Final[Mapping[str, object]] = {
    "actions": ["hit"], "after": ["TH"], "also_at": "BJ-05", "announced_in_round": 3,
    "authorisation": "AUT-7/2026", "back": "blue", "bank_cards": 2, "bank_shows": "9H",
    "bank_total": 16, "box": 3, "boxes": 5, "by": "machine", "card": 3, "cards": 51,
    "cards_dealt": 7, "cards_from_end": 72, "cards_seen": 300, "change_microcents": 1_750_000,
    "chips": 2, "colours": ["red"], "combination": "three_sevens",
    "confirmed_on": "2025-11-21", "cut_by": "pagador",
    "day": "2026-11-21", "deck": "D-2", "decided_by": "J2", "declined": [1, 2],
    "decided_by_what": "stakes_laid", "decisions": 44, "right": 41,
    "decks": ["D-1", "D-2"], "decks_beside": ["D-7"], "drawn": ["8D"], "ended_by": "maintenance",
    "error": "ValueError", "first_two": ["7H", "7S"], "from_card": 41,
    "front": "red", "game": "BJ-01/2026-11-20/1",
    "hand": 1, "jokers": 2, "kept": "KS", "kind": "main", "lay_in": "previous_shoe",
    "left_out": ["D-1"], "loads": 2,
    "marking": "manual", "meter_rest_microcents": 250_000,
    "named_as": ["fiscal_de_banca", "pagador"], "missing_card": "7H", "office": "fiscal_de_banca",
    "on_duty_at": ["BJ-05"], "open": [2], "outcome": "upheld", "packets": 1, "pair": ["8S", "7H"],
    "passes": 3, "passes_like": 2, "percentage": "10", "place_in_book": 1, "players": 2, "pools": 2,
    "proposal": "Prop. 12/2026", "rank": "ten-valued", "reason": "other", "recorded_by": "S-003",
    "reference": "Despacho 88", "registered_as": "S-0187", "result": "missing", "rounds": 2,
    "rulebook": "es", "seat": 5, "seats": [1, 2], "shoe": 3, "shoes_seen": 24,
    "shuffler": "CSM-04",
    "soft_total": 17, "special": "cut_card", "special_cards": 1, "staff": "S-187", "suit": "hearts",
    "suspected_in": "BJ-01/2026-11-19/1",
    "table": "BJ-01", "taken_out": "5C", "times": 2, "times_seen": 31, "to_card": 52, "total": 20,
    "trouble": "TimeoutError", "untold": ["cut_card"], "went_to": "3/1", "why": "key not believed",
    "witness": "S-200",
}  # fmt: skip
_EXPECTED: Final[Mapping[str, object]] = {
    "above": 11, "announced_in_round": 2, "at_least": 4, "at_most": 1, "boxes": [6, 7],
    "by_day": "2026-11-20", "cards": 52, "cards_from_end": 50, "change_microcents": 2_000_000,
    "chips": 1, "combination": "pair", "decided_by": "J5", "deck": "D-5", "draws_to": 16,
    "expected_right": 18, "expected_times": 75, "game": "BJ-01/2026-11-20/2", "goes_to": "2/1",
    "hand": 2, "box": 2,
    "hits_until": 21, "marking": "automatic", "meter_rest_microcents": 500_000,
    "not_before_box": 5, "office": "pagador", "one_of": ["BJ-98", "BJ-99"], "percentage": "100",
    "place_decided": 2, "players": 3, "rulebook": "pt", "seat": 3, "seats": [1, 2, 5], "shoe": 2,
    "shuffler": "CSM-05", "special_cards": 2, "stands_at": 17, "table": "BJ-02", "tolerance": 15,
    "totals": [9, 10, 11],
}  # fmt: skip
_WHERE: Final[Mapping[str, object]] = {
    "box": 2, "complaint": "RC-1", "day": "2026-11-21", "deck": "D-2", "decks": 2,
    "hand": 1, "hold": "H-1", "incident": "I-1", "jackpot": "JP-1", "job": "book-verification",
    "load": 1, "number": 7, "office": "fiscal_de_banca", "owner": "J2", "part": 2, "round": 7,
    "rulebook": "pt", "shoe": 1, "shuffler": "CSM-04", "staff": "S-187", "unload": 1,
    "witness": "S-200",
}  # fmt: skip
# The places a check of each scope names; those of one check below.
_SCOPES: Final[Mapping[str, str]] = {
    "box": "box", "vacant": "box", "hand": "box hand", "drawn": "box hand",
    "surrendered": "box hand", "doubled": "box hand", "split": "box hand",
    "stake": "box hand owner", "money": "box hand owner", "side": "box owner",
    "shoe_on_record": "shoe", "deck": "deck", "damage": "deck", "replacement": "deck",
    "load": "load", "unload": "unload", "incident": "incident", "complaint": "complaint",
    "lid": "shuffler", "jackpot": "jackpot",
}  # fmt: skip
_PLACES: Final[Mapping[str, str]] = {
    "nobody_knows_a_card_before_it_is_out": "owner",
    **dict.fromkeys(
        (
            "stake_at_least_minimum",
            "stake_multiple_of_minimum",
            "stake_at_most_maximum",
            "vacant_stake_multiple_of_minimum",
            "others_stake_beside_their_own",
            "double_is_twice",
            "split_stakes_equal",
            "complementary_follows_split",
            "complementary_double",
        ),
        "box hand owner",
    ),
    **dict.fromkeys(
        (
            "jackpot_chip_has_a_main_stake",
            "jackpot_winner_laid_a_chip",
            "jackpot_prizes_as_approved",
            "jackpot_winning_cards_are_told",
            "jackpot_prizes_follow_the_meter",
            "jackpot_cards_stay_open_until_paid",
            "jackpot_markers_are_laid",
        ),
        "jackpot box owner",
    ),
    **dict.fromkeys(
        (
            "people_are_registered",
            "number_registered_once",
            "high_office_changed_by_two",
            "people_hold_their_office",
            "three_people_at_a_table",
            "people_on_duty_at_the_table",
            "dealer_at_one_table",
            "rounds_dealt_by_a_dealer",
            "office_recorded_before_the_act",
            "duty_recorded_before_the_act",
        ),
        "staff",
    ),
    "complementary_stake_lawful": "box hand owner",
    "one_chip_per_player": "jackpot owner",
    "lone_player_boxes": "owner",
    "player_boxes_within_maximum": "owner",
    "two_cards_to_each_place": "box hand",
    "insurance_loses": "box owner",
    "insurance_pays_two_to_one": "box owner",
    "shuffle_passes_enough": "shoe deck",
    "lid_opened_once_he_is_there": "incident",
    "incident_number_of_one_table": "incident",
    "round_told_once": "round",
    "round_follows_the_closed_stakes": "shoe number box",
    "stakes_recorded_as_seen": "shoe number box",
    "jackpot_replayed": "jackpot",
    "jackpot_value_follows_the_book": "jackpot",
    "incident_settled_in_time": "incident",
    "complaint_of_no_game_answered_in_time": "complaint",
    "held_footage_decided_on_in_time": "hold",
    "defective_deck_made_known_in_time": "incident",
    "shuffler_registered_approved_in_service": "shuffler",
    "winner_of_a_large_prize_identified": "jackpot",
    "leave_is_on_record": "deck",
    "jackpot_sealed": "jackpot",
}
# Figures of one check, where those of the others would not break its rule.
_OF: Final[Mapping[str, Values]] = {
    "only_a_blackjack_is_paid_as_one": {"o.cards": ["AS", "2C"], "o.returned_cents": 2_500},
    "box_exists": {"w.box": 8, "e.at_most": 7},
    "boxes_played_are_on_the_table": {"w.box": 7, "e.at_most": 6},
    "number_of_decks_allowed": {"o.decks": 5, "e.decks": [4, 6]},
    "card_within_decks": {
        "o.card": "5C", "o.times": 5, "o.times_in_shoe": 5, "o.times_out_at_once": 5,
        "e.at_most": 4,
    },
    "decks_of_two_colours_alike": {"o.of_each_colour": [4, 2], "e.of_each_colour": [3, 3]},
    "back_colours_as_named": {"o.back_colours": ["green"], "e.back_colours": ["red", "blue"]},
    "cut_with_the_card_of_its_colour": {"o.card_colour": "blue", "e.card_colour": "red"},
    "players_card_announces_the_last_hand": {
        "o.card_colours": ["black"], "e.card_colours": ["red"],
    },
    "dealer_cuts_after_a_player": {"o.cut_by": "seat"},
    "used_cards_turned_before_the_mix": {"w.shoe": 2},
    "splits_within_the_houses_limit": {"o.splits": 3, "e.at_most": 2},
    "split_hands_played_right_to_left": {"o.played_first": 2, "e.played_first": 1},
    "loaded_decks_are_the_games": {"o.cards": 207, "e.cards": 208},
    "shoe_is_shuffled": {"o.cards": 207, "e.cards": 208},
    "shuffler_left_empty": {"o.cards": 2, "e.cards": 208},
    "leave_is_on_record": {"o.card": "KS", "e.one_of": ["5C", "9H"]},
    "misdealt_card_placed": {"o.card": "5C", "e.hand": 2},
    "face_up_card_out_of_play": {"o.card": "5C"},
    "burnt_cards_exact": {"o.cards": 2, "e.cards": 1},
    "no_round_after_the_last": {"o.round_of_shoe": 18, "e.last_round_of_shoe": 17},
    "opened_with_the_limits_set": {
        "o.minimum_cents": 500, "o.maximum_cents": 15_000,
        "e.minimum_cents": 1_000, "e.maximum_cents": 30_000,
    },
    "rounds_tell_the_tables_limits": {
        "o.minimum_cents": 500, "o.maximum_cents": 15_000,
        "e.minimum_cents": 1_000, "e.maximum_cents": 30_000,
    },
    "limits_are_approved": {"o.minimum_cents": 500, "o.maximum_cents": 15_000},
    "stake_at_least_minimum": {"o.stake_cents": 500, "e.minimum_cents": 1_000},
    "stake_multiple_of_minimum": {"o.stake_cents": 1_500, "e.multiple_of_cents": 1_000},
    "vacant_stake_multiple_of_minimum": {"o.stake_cents": 1_500, "e.multiple_of_cents": 1_000},
    "complementary_stake_lawful": {
        "o.stake_cents": 1_500, "o.stakes_cents": [500, 700], "e.multiple_of_cents": 1_000,
        "e.or_completes_cents": 500,
    },
    "insurance_in_its_moment": {"o.cards_dealt": 7, "e.at_least": 8, "e.at_most": 6},
    "complementary_follows_split": {"o.hand": 1, "e.hand": 2},
    "complementary_double": {"o.stake_cents": 1_500, "e.stakes_cents": [1_000, 2_000]},
    "double_is_twice": {"o.stake_cents": 1_500, "e.stake_cents": 2_000},
    "dealt_in_order": {"o.cards": 3, "e.cards": 4},
    "two_cards_to_each_place": {"o.cards": 1, "e.cards": 2},
    "second_bank_card_face_down": {"o.bank_cards": 1, "e.at_least": 2},
    "stand_above_eleven": {"o.stood_on": 9},
    "split_stakes_equal": {"w.hand": 2, "o.staked_hand": 2},
    "split_hand_asks_a_card": {"o.cards": 1},
    "resplit_equal_values": {"o.aces_split_again": 3, "e.aces_split_again": 2},
    "double_one_card": {"e.cards": 1},
    "even_money_only_blackjack_against_ace": {"o.cards": 2},
    "surrender_not_against_ace": {"o.bank_shows": "AS"},
    "surrender_after_two_cards": {"e.at_most": 6, "o.actions": ["hit", "surrender"]},
    "no_card_after_bust": {"e.at_most": 21},
    "player_boxes_within_maximum": {"e.at_most": 3},
    "lone_player_boxes": {"o.boxes": 1, "e.at_least": 2},
    "insurance_within_half": {"o.stake_cents": 750, "e.at_most_cents": 500},
    "insurance_exactly_half": {"o.stake_cents": 300, "e.stake_cents": 500},
    "one_chip_per_player": {"o.chips": 3, "e.at_most": 2},
    "jackpot_counted_cards_are_lawful": {"o.cards": 5, "e.one_of": [2, 3, 4]},
    "jackpot_smallest_prize_first": {"o.after_cents": 5_000},
    "jackpot_is_started_when_due": {"o.start_cents": 1_000_000, "o.meter_cents": 250_000},
    "jackpot_start_is_high_enough": {"o.start_cents": 900_000, "e.at_least_cents": 1_000_000},
    "jackpot_chip_is_of_the_set_amount": {"o.chip_cents": 200, "e.chip_cents": 250},
    "jackpot_meter_bears_the_prizes": {"o.meter_cents": 150_000, "e.prize_cents": 200_000},
    "jackpot_prize_is_paid_once": {"o.wins": 3},
    "shuffler_loaded_in_packets": {"o.packets": 1, "e.at_least": 2},
    "shuffler_loaded_once": {"w.load": 2},
    "shuffler_reloaded_after_opening": {"w.load": 2},
    "reserve_enough_for_a_round": {"o.cards_from_end": 12, "e.at_least": 15},
    "warning_card_comes_out_where_placed": {"o.cards_from_end": 95},
    "timely_complaint_heard": {"e.before": "2026-11-20T22:20:00+00:00"},
    "office_recorded_before_the_act": {"e.acted_at": "2026-11-20T22:05:00+00:00"},
    "duty_recorded_before_the_act": {"e.acted_at": "2026-11-20T22:05:00+00:00"},
    "limits_recorded_before_play": {
        "o.recorded_by": "S-003", "e.acted_at": "2026-11-20T22:05:00+00:00",
    },
    "winner_of_a_large_prize_identified": {
        "o.paid_cents": 600_000, "e.identified_from_cents": 500_000,
    },
    "round_told_once": {"o.records": 2},
}  # fmt: skip
_COUNTED: Final = {"o": 2, "e": 1, "w": 2}  # times, rounds, attempts: whatever only counts
_SEEN_AT, _DUE_BEFORE, _DUE_AFTER = "14", "10", "20"  # minutes past ten
_HOURS: Final = wording.MOMENTS | {"waits_since", "unsigned_since"}
# A sum that had to be no more than it was, by the name of what was expected.
_UPPER: Final = frozenset({"at_most_cents", "maximum_cents", "meter_at_most_cents"})
_MORE, _LESS, _SUM = 31_000, 2_000, 2_500  # cents: too much, too little, what was due
_MOST: Final = 30_000


def sample_of(line: Line, check: str) -> tuple[Values, Values, Values]:
    """Where, observed and expected, so that this line of the check can be said of them."""
    named = {(part, name) for part, name, _ in gaps(line)}
    values: dict[str, Values] = {"w": _where(check, named), "o": {}, "e": {}}
    for part, name, form in gaps(line):
        found = _sample(check, part, name, named)
        if form in ("and", "or", "list") and not isinstance(found, list):
            found = [found]
        values[part][name] = found
    for place, asked in line.when.items():
        part, _, name = place.partition(".")
        if asked is not ...:
            values[part][name] = asked[0] if isinstance(asked, tuple) else asked
        elif name not in values[part]:
            values[part][name] = _sample(check, part, name, named)
    return values["w"], values["o"], values["e"]


def _where(check: str, example: set[tuple[str, str]]) -> Values:
    known = ALL_CHECKS.get(check) or house_controls.BY_NAME.get(check)
    scope = "" if known is None else _SCOPES.get(known.scope, "")
    places = "box" if ("o", "stakes_cents") in example else _PLACES.get(check, scope)
    where = {name: _WHERE[name] for name in places.split()}
    own = {name[2:]: value for name, value in _OF.get(check, {}).items() if name[:2] == "w."}
    return where | {name: value for name, value in own.items() if name in where}


def _sample(check: str, part: str, name: str, example: set[tuple[str, str]]) -> object:
    own = _OF.get(check, {})
    if f"{part}.{name}" in own:
        return own[f"{part}.{name}"]
    if part == "o" and name == "pair" and ("o", "actions") in example:
        return ["8S", "8H"]  # a pair that may be split, too late
    if part == "e" and name == "office" and "fiscal" in check:
        return "fiscal_de_banca"
    if name in _HOURS:
        later = _DUE_AFTER if name == "not_before" else _DUE_BEFORE
        return f"2026-11-20T22:{_SEEN_AT if part == 'o' else later}:00+00:00"
    if name.endswith("_cents"):
        if part == "e":
            return _MOST if name in _UPPER else _SUM
        over = any(of == "e" and other in _UPPER for of, other in example)
        return _MORE if over else _LESS
    found = {"o": _OBSERVED, "e": _EXPECTED, "w": _WHERE}[part]
    return found.get(name, _COUNTED[part])
