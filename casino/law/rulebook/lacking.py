"""What a record lacks where a check could not be decided, and which kind of record tells it.

Told by check: what each of them asks for and may not get. A check that knows more precisely gives
an `Undecided` with a name of its own here. Texts are English msgids.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeVar

from casino.events.phrases import marked
from casino.law.finding import UNDECIDED, Undecided


class Lacking(NamedTuple):
    """What is missing, and the kind of record that tells it."""

    what: str
    kind: str


T = TypeVar("T")

# What several checks may lack beside what each of them asks.
FIRST_CARD_UNTIMED: Final = "first_card_untimed"
FIRST_WORD_UNTIMED: Final = "first_word_untimed"
OF_SHOES: Final = frozenset(
    {
        *("decks_of_shoe", "rounds_of_shoe", "shoe_mixed_again", "shoe_changed"),
        *("order_of_cards", "faces_of_cards"),
    }
)
NAMED: Final = frozenset(
    {FIRST_CARD_UNTIMED, FIRST_WORD_UNTIMED, *OF_SHOES}
    # Of the money of a table: a name for each term (casino/law/table_money.py).
    | {"opening_uncounted", "closing_uncounted", "drop_uncounted", "rounds_unaccounted"}
    | {"paid_from"}
)


def about(result: T, thing: Any) -> T | Undecided:
    """An answer that could not be decided, with what it is about; any other as it is.

    `thing` is what was recorded (its entry), a shoe (its first act), or what has a code (a deck).
    """
    if not isinstance(result, str) or result != UNDECIDED:
        return result
    if isinstance(result, Undecided) and result.about:
        return result
    acts = getattr(thing, "acts", None)
    entry = str(getattr(acts[0] if acts else thing, "entry_id", ""))
    subject = thing if isinstance(thing, str) else ""
    missing = result.missing if isinstance(result, Undecided) else ""
    return Undecided(missing, about=entry, subject=subject)


def lacking(check: str, missing: str = "") -> Lacking | None:
    """What a check that could not be decided lacks; None where nothing more is known of it.

    `missing` is what the check said itself.
    """
    return LACKING.get(missing or check) or LACKING.get(check)


# The kind of record that tells it, what it is, and the checks that ask for it.
# fmt: off
_TABLE: Final = (
    ("round-played/1", marked(
        "how many cards were out when the insurance was laid"),
        "insurance_in_its_moment"),
    ("round-played/1", marked(
        "whether a player had spoken when the insurance was laid"),
        FIRST_WORD_UNTIMED),
    ("round-played/1", marked(
        "where the hands of the split lay, and in which order their cards came"),
        "split_hands_played_right_to_left"),
    ("round-played/1", marked(
        "which cards came to the hand, and after which decision"),
        "aces_split_once split_aces_one_card split_hand_asks_a_card stand_above_eleven "
        "splits_within_the_houses_limit "
        "no_card_after_bust no_card_after_standing no_card_after_surrender "
        "no_card_at_twenty_one no_card_to_a_blackjack double_one_card "
        "double_on_nine_to_eleven double_after_split surrender_after_two_cards"),
    ("round-played/1", marked(
        "which cards came to each box, and who staked on it"),
        "two_cards_to_each_place cards_only_to_staked_boxes lone_player_boxes "
        "player_boxes_within_maximum others_stake_beside_their_own"),
    ("round-played/1", marked(
        "the bank's cards"),
        "bank_draws_to_sixteen bank_stands_at_seventeen bank_rests_when_all_are_out "
        "bank_ace_is_eleven_at_seventeen"),
    ("round-played/1", marked(
        "what became of the card that lay open in the shoe"),
        "face_up_card_out_of_play"),
    ("round-played/1", marked(
        "who dealt the round, or which office he held"),
        "rounds_dealt_by_a_dealer"),
    ("round-played/1", marked(
        "when the first card of the shoe was dealt"),
        FIRST_CARD_UNTIMED),
    ("round-played/1", marked(
        "whether the dealer invited to the insurance, and where it lay"),
        "insurance_on_invitation insurance_on_its_place"),
    ("round-played/1", marked(
        "when the stakes were closed and when the first card was dealt"),
        "stakes_before_the_deal"),
    ("round-played/1", marked(
        "the limits of the table, or what each stake was before the deal"),
        "stake_at_least_minimum stake_multiple_of_minimum stake_at_most_maximum "
        "sum_on_box_within_maximum complementary_stake_lawful maximum_within_thirty_minimums "
        "vacant_stake_multiple_of_minimum vacant_box_within_maximum"),
    ("round-played/1", marked(
        "who decided for the box"),
        "holder_decides"),
    ("round-played/1", marked(
        "who decided for the vacant box, or the seats of those who staked on it"),
        "largest_stake_decides_vacant_box"),
    ("round-played/1", marked(
        "whether the holder of the box consented"),
        "others_with_consent"),
    ("round-played/1", marked(
        "the order in which the cards were dealt"),
        "dealt_in_order players_asked_in_order misdealt_card_placed "
        "bank_keeps_the_cards_dealt_it bank_keeps_the_cards_it_draws"),
    ("round-played/1", marked(
        "which card of the bank lay face up"),
        "second_bank_card_face_down surrender_not_against_ace insurance_only_against_ace"),
    ("round-played/1", marked(
        "whether it was settled at once"),
        "bust_collected_at_once blackjack_paid_at_once blackjack_waits_for_the_bank"),
    ("round-played/1", marked(
        "the rank of the cards that were split"),
        "split_equal_values resplit_equal_values"),
    ("round-played/1", marked(
        "who decided for the box, or what each stake was before it was split or doubled"),
        "split_stakes_equal complementary_follows_split double_is_twice complementary_double "
        "insurance_within_half insurance_exactly_half"),
    ("round-played/1", marked(
        "which card of the bank lay face up, and whether even money was paid at once"),
        "even_money_only_blackjack_against_ace"),
    ("round-played/1", marked(
        "who decided for the box, in which order the cards came, and whether it was paid at "
        "once"),
        "special_prize_paid special_prize_paid_at_once"),
    ("round-played/1", marked(
        "the cards that would decide the wager"),
        "blackjack_paid_three_to_two blackjack_tie_is_null blackjack_beats_twenty_one "
        "split_twenty_one_is_no_blackjack bust_loses nearer_to_twenty_one_wins "
        "farther_from_twenty_one_loses equal_is_null winner_keeps_stake fixed_ace_stays_one "
        "insurance_pays_two_to_one insurance_loses even_money_pays_one_to_one "
        "surrender_loses_half special_prize_only_when_due only_stated_prizes_are_paid "
        "voided_round_returns_stakes "
        "bank_ace_counts_as_stated only_a_blackjack_is_paid_as_one"),
    ("round-played/1", marked(
        "in which round of the shoe the warning card came out, and the place of each round in "
        "the shoe"),
        "no_round_after_the_last"),
    ("round-played/1", marked(
        "from which shoe each card came, and when the cards were shuffled again"),
        "card_within_decks"),
    ("partida-opened/1", marked(
        "of how many decks the cards were dealt"),
        "cards_seen_as_whole_decks_give_them number_of_decks_allowed decks_of_shoe "
        "shoe_cards_as_whole_decks_give_them"),
    ("round-played/1", marked(
        "rounds of the shoe, without a gap in their numbers or in those of the shoes"),
        "rounds_of_shoe cards_in_no_order_they_lay_in nobody_knows_a_card_before_it_is_out"),
    ("cards-shuffled/1", marked(
        "a shoe of its own for cards that were mixed again"),
        "shoe_mixed_again"),
    ("card-replaced/1", marked(
        "between which rounds a card of the shoe was exchanged, or a deck of it found wanting"),
        "shoe_changed"),
    ("round-played/1", marked(
        "the order in which the cards of each round came"),
        "order_of_cards"),
    ("round-played/1", marked(
        "rank and suit of every card of the shoe"),
        "faces_of_cards"),
    ("partida-opened/1", marked(
        "the colour of each deck's back"),
        "decks_of_two_colours_alike back_colours_as_named"),
    ("table-registered/1", marked(
        "the shape of the table"),
        "table_is_semicircular"),
    ("table-registered/1", marked(
        "how the places of the table are numbered"),
        "boxes_numbered_from_dealers_left"),
    ("table-registered/1", marked(
        "how many places the table had during the game"),
        "boxes_played_are_on_the_table box_exists table_has_lawful_boxes"),
    ("partida-opened/1", marked(
        "the colours of the cut card and of the warning card on both faces"),
        "special_cards_alike_on_both_faces warning_card_unlike_cut_card"),
    ("partida-opened/1", marked(
        "the colours of the cut card, of the warning card and of the decks' backs"),
        "special_cards_unlike_the_decks"),
    ("limits-set/1", marked(
        "the limits set for the table"),
        "opened_with_the_limits_set opened_within_thirty_minimums "
        "rounds_tell_the_tables_limits"),
    ("deck-inspected/1", marked(
        "whether a joker lay among the cards shown"),
        "no_joker_in_a_deck"),
    ("table-registered/1", marked(
        "the form of the table, the order of its boxes, and whether the cloth marks them"),
        "boxes_marked_on_the_cloth table_layout_is_told"),
    ("partida-opened/1", marked(
        "which special cards went with the shoe"),
        "two_special_cards_are_used special_cards_are_told"),
    ("inspection-leave-decided/1", marked(
        "the inspector's own word on the leave"),
        "leave_is_on_record"),
    ("limits-approved/1", marked(
        "the approval of the limits, before the game"),
        "limits_are_approved"),
    ("deck-inspected/1", marked(
        "the exhibition of the deck, or its moment"),
        "decks_exhibited_before_shuffle"),
    ("deck-inspected/1", marked(
        "who showed the cards or put them in order, or which office he held"),
        "deck_exhibited_by_a_dealer deck_ordered_by_a_dealer"),
    ("deck-inspected/1", marked(
        "how many cards the deck had, and their order"),
        "exhibited_deck_whole exhibited_deck_has_its_cards deck_whole_after_play "
        "ordered_deck_regular"),
    ("deck-inspected/1", marked(
        "whether the cards lay face up in rows"),
        "exhibited_deck_in_rows"),
    ("deck-inspected/1", marked(
        "the state of the deck's seal"),
        "deck_seal_intact"),
    ("deck-withdrawn/1", marked(
        "which deck was damaged, when it was withdrawn or exchanged, and when the rounds were "
        "dealt"),
        "damaged_deck_withdrawn withdrawn_deck_not_used damaged_card_replaced_at_once"),
    ("partida-opened/1", marked(
        "how the game was dealt, as its opening tells it"),
        "single_card_replaced_with_leave cards_spread_for_lawful_reason "
        "loaded_decks_are_the_games"),
    ("office-granted/1", marked(
        "who exchanged the card, and which office he held"),
        "card_replaced_by_fiscal_chefe"),
    ("cards-shuffled/1", marked(
        "the shuffle, or when it was done"),
        "shoe_is_shuffled"),
    ("cards-shuffled/1", marked(
        "how many passes each deck was given"),
        "shuffle_passes_enough"),
    ("cards-shuffled/1", marked(
        "who shuffled, or which office he held"),
        "shoe_shuffled_by_a_dealer"),
    ("cut-made/1", marked(
        "who cut, or which office he held"),
        "shoe_cut_by_a_fiscal_de_banca"),
    ("cut-made/1", marked(
        "the cut, or when it was made"),
        "shoe_is_cut cut_follows_the_shuffle"),
    ("cut-made/1", marked(
        "with which card the cut was made"),
        "cut_with_a_special_card cut_with_the_card_of_its_colour"),
    ("cut-made/1", marked(
        "who cut, one after another"),
        "dealer_cuts_after_a_player"),
    ("partida-opened/1", marked(
        "the colours of the card that announces the last hand"),
        "players_card_announces_the_last_hand"),
    ("cards-shuffled/1", marked(
        "whether the used cards were parted and turned before they were mixed"),
        "used_cards_turned_before_the_mix"),
    ("cut-made/1", marked(
        "who sat at the table at the cut and since the cut before it"),
        "cut_by_rightful_seat last_cut_is_a_players"),
    ("carta-aviso-placed/1", marked(
        "the placing of the warning card, or its moment"),
        "warning_card_is_placed warning_card_follows_the_cut"),
    ("carta-aviso-placed/1", marked(
        "how many sat at the table and how many cards the shoe held"),
        "warning_card_at_its_place warning_card_near_its_place"),
    ("round-played/1", marked(
        "after which cards the warning card came out"),
        "warning_card_comes_out_where_placed reserve_enough_for_a_round"),
    ("card-burned/1", marked(
        "the burning of the card, or its moment"),
        "shoe_is_burnt"),
    ("card-burned/1", marked(
        "how many cards were burnt"),
        "burnt_cards_exact"),
    ("card-burned/1", marked(
        "whether the burnt card was laid in the discard corner"),
        "burnt_cards_to_discard_corner"),
    ("last-round-announced/1", marked(
        "the announcement of the last round, and which rounds followed it"),
        "last_round_announced no_round_after_the_announced_last shoe_ends_for_a_cause "
        "round_after_the_warning_card_is_played"),
    ("last-round-announced/1", marked(
        "whether the last round was announced aloud"),
        "last_round_announced_aloud"),
    ("cards-spread/1", marked(
        "whether the cards laid out lay face up"),
        "spread_cards_lie_face_up"),
    ("round-played/1", marked(
        "from which shoe the rounds after it were dealt, and when"),
        "no_round_after_the_spread no_round_of_a_shoe_left_behind"),
    ("partida-closed/1", marked(
        "who answers for it, or the moments that show it"),
        "stakes_timed_or_attested deal_recorded_or_attested discards_attested "
        "putting_back_timed_or_attested deferred_cards_timed_or_attested"),
    ("cards-shuffled/1", marked(
        "the shuffling by hand of every deck before it was loaded"),
        "loaded_decks_shuffled_by_hand"),
    ("shuffler-loaded/1", marked(
        "the loading, or when it was done"),
        "shuffler_is_loaded shuffler_loaded_soon_after_opening shuffler_loaded_before_the_deal "
        "shuffler_loaded_once shuffler_reloaded_after_opening"),
    ("chips-counted/1", marked(
        "one count of the chips at the opening of the game"),
        "opening_uncounted"),
    ("chips-counted/1", marked(
        "one count of the chips at the closing of the game, after its last round"),
        "closing_uncounted"),
    ("drop-counted/1", marked(
        "the cash counted of the table's last drop box"),
        "drop_uncounted chips_are_those_of_the_game"),
    ("round-played/1", marked(
        "every round of the game once, as many as its closing tells"),
        "rounds_unaccounted"),
    ("complaint-decided/1", marked(
        "whether what was paid on a complaint came from the chips of the table"),
        "paid_from"),
    ("shuffler-cycle/1", marked(
        "the shuffler's own report of the game, or when the first card was dealt"),
        "shuffler_cycle_on_record no_deal_after_a_sort shuffler_counts_whole_decks"),
    ("shuffler-signal/1", marked(
        "the shuffler's own report of its lid in the game, or when the first card was dealt"),
        "lid_opened_for_the_load"),
    ("shuffler-signal/1", marked(
        "the shuffler's own report of its warning light, or the closing of the game"),
        "warning_light_on_record"),
    ("firmware-decided/1", marked(
        "the approval of a program for this model of shuffler"),
        "shuffler_firmware_approved"),
    ("card-out/1", marked(
        "the shoe's own reports up to its end, or its burn and all its rounds"),
        "shoe_cards_accounted_for shoe_read_the_cards_recorded"),
    ("stake-signal/1", marked(
        "what the sensor saw when the stakes were closed, or the round with that stake"),
        "round_follows_the_closed_stakes stakes_recorded_as_seen"),
    ("round-played/1", marked(
        "when the rounds were dealt after the warning light went on"),
        "warning_light_answered"),
    ("shuffler-loaded/1", marked(
        "in how many packets the shuffler was loaded"),
        "shuffler_loaded_in_packets"),
    ("witnessed/1", marked(
        "the witness's own confirmation, or whether he himself had a hand in it"),
        "loading_witnessed loading_witnessed_in_time unloading_witnessed "
        "unloading_witnessed_in_time trouble_witnessed"),
    ("duty-begun/1", marked(
        "the witness's offices and times of duty in the house's register"),
        "loading_witness_is_fiscal_chefe loading_witness_on_duty loading_witness_at_one_table "
        "unloading_witness_is_fiscal_chefe unloading_witness_on_duty "
        "unloading_witness_at_one_table"),
    ("incident-step/1", marked(
        "who acted, which office he held, and whether it was at this table's shuffler"),
        "shuffler_opened_by_fiscal_chefe shuffler_trouble_solved_by_fiscal_chefe "
        "lid_opened_by_fiscal_chefe"),
    ("incident-closed/1", marked(
        "how the incident ended, or that it ended"),
        "unsolved_jam_goes_to_technician damaged_card_replaced"),
    ("incident-step/1", marked(
        "when the incident was noticed and when the fiscal-chefe was called"),
        "fiscal_chefe_called_at_once fiscal_chefe_is_called"),
    ("notice-sent/1", marked(
        "the notice to the inspection service, and when it was sent"),
        "damaged_card_communicated damaged_card_communicated_in_time"),
    ("incident-step/1", marked(
        "when the incident was noticed and put right, and when the rounds were dealt"),
        "no_round_during_trouble"),
    ("shuffler-unloaded/1", marked(
        "why the cards were taken out, and when the rounds were dealt"),
        "cards_stay_in_shuffler"),
    ("shuffler-opened/1", marked(
        "for what the shuffler was opened, and when"),
        "shuffler_opened_only_for_cause"),
    ("shuffler-registered/1", marked(
        "whether the machine is a continuous one"),
        "no_cut_with_shuffler no_warning_card_with_shuffler "
        "no_spreading_with_shuffler"),
    ("shuffler-unloaded/1", marked(
        "the taking out of the cards at the closing, or when it was begun"),
        "shuffler_unloaded_at_closing unloaded_after_closing_announced "
        "closing_announcement_told"),
    ("shuffler-unloaded/1", marked(
        "whether the shuffler was left empty, and how many cards came out"),
        "shuffler_left_empty"),
    ("deck-inspected/1", marked(
        "the putting in order of the deck, and of which game"),
        "decks_ordered_at_closing"),
    ("incident-reported/1", marked(
        "the incident of the deck that was not regular"),
        "irregular_deck_reported"),
    ("partida-closed/1", marked(
        "at which moments the deck or the shuffler was in use at the other table"),
        "cards_serve_one_game one_game_at_a_table told_where_it_is_in_use"),
    ("round-played/1", marked(
        "when the rounds were dealt"),
        "no_round_after_closing no_round_while_interrupted"),
    ("round-played/1", marked(
        "when the cards of each round were collected, and when they were put back"),
        "cards_put_back_after_the_round cards_put_back_before_the_next_round "
        "deferred_cards_go_with_the_next"),
    ("rounds-deferred/1", marked(
        "why the cards waited for the next round"),
        "deferral_has_its_cause"),
    ("round-played/1", marked(
        "how many cards went back into the shuffler after each round"),
        "all_cards_put_back"),
    ("round-played/1", marked(
        "when the cards of the round complained of were put back"),
        "late_complaint_not_upheld timely_complaint_heard disputed_cards_wait_for_review"),
    ("complaint-received/1", marked(
        "the amount claimed"),
        "complaint_paid_as_decided"),
    ("complaint-decided/1", marked(
        "the decision of the complaint"),
        "complaint_answered"),
    ("table-registered/1", marked(
        "whether the table has a place for the side stake, and of which kind"),
        "jackpot_place_is_marked jackpot_marking_as_registered"),
    ("terms-approved/1", marked(
        "the terms in force when it was played"),
        "jackpot_terms_are_in_force jackpot_terms_are_approved jackpot_terms_do_not_reach_back "
        "jackpot_terms_were_proposed "
        "jackpot_meter_is_within_its_limit jackpot_option_is_communicated "
        "jackpot_counted_cards_are_lawful jackpot_has_a_top_combination"),
    ("jackpot-incremented/1", marked(
        "the second source: the chips in the round's own record as well as in the increment"),
        "jackpot_sources_agree"),
    ("jackpot-incremented/1", marked(
        "which markers were laid, and for which chips"),
        "jackpot_markers_are_laid"),
    ("jackpot-incremented/1", marked(
        "the worth of the chip, and its round"),
        "jackpot_chip_is_of_the_set_amount one_chip_per_player jackpot_chip_has_a_main_stake"),
    ("jackpot-incremented/1", marked(
        "when the chips were collected, when the closing was called, and when the first card "
        "was dealt"),
        "jackpot_chips_precede_the_deal"),
    ("jackpot-won/1", marked(
        "the round of the win, with its cards and chips"),
        "jackpot_winner_laid_a_chip jackpot_won_by_first_cards jackpot_prizes_as_approved "
        "jackpot_winning_cards_are_told jackpot_prizes_follow_the_meter "
        "jackpot_wins_in_the_decided_order jackpot_claim_is_within_the_money "
        "jackpot_remainder_to_the_top"),
    ("jackpot-paid/1", marked(
        "when the prize was paid and when the cards were collected"),
        "jackpot_cards_stay_open_until_paid jackpot_prize_is_paid_once "
        "jackpot_smallest_prize_first"),
    ("jackpot-started/1", marked(
        "the starting value of the meter"),
        "jackpot_start_is_high_enough jackpot_is_started_when_due"),
    ("jackpot-incremented/1", marked(
        "all the records of the pool up to then"),
        "jackpot_meter_is_as_told jackpot_display_shows_the_meter "
        "jackpot_meter_bears_the_prizes"),
    ("staff-registered/1", marked(
        "the person's number in the house's register"),
        "people_are_registered"),
    ("office-granted/1", marked(
        "the person's offices in the house's register"),
        "people_hold_their_office"),
    ("duty-begun/1", marked(
        "when the person went on duty"),
        "people_on_duty_at_the_table"),
)
# fmt: on

LACKING: Final[Mapping[str, Lacking]] = {
    check: Lacking(what, kind) for kind, what, checks in _TABLE for check in checks.split()
}
