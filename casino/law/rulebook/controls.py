"""What the house asks beside the text of its rulebooks, and no article of them: by check.

A sensible control is not the law. What is found of one cites the house, whichever rulebook the game
was opened under, and is a deviation, never a breach: that word is the law's. Names only, so that
every room of the law may read them; the checks stand with their subjects.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from casino.events.phrases import marked

RULEBOOK: Final = "house"


class Control(NamedTuple):
    """What an article of the house is called, what it asks (English msgids), by which checks."""

    heading: str
    summary: str
    checks: tuple[str, ...]


class Otherwise(NamedTuple):
    """The choice of a reading under which a control is an article's own after all."""

    reading: str
    parameter: str
    choice: str
    article: str


CONTROLS: Final[Mapping[str, Control]] = {
    "house.table": Control(
        marked("Tables and games"),
        marked(
            "A table has one game at a time, opened and closed once and not dealt at while it is"
            " closed or interrupted; its cards serve no other, come as whole decks give them, and"
            " what is told of them is told where they are in use."
        ),
        (
            "one_game_at_a_table",
            "closed_once",
            "no_round_after_closing",
            "no_round_while_interrupted",
            "cards_serve_one_game",
            "told_where_it_is_in_use",
            "cards_seen_as_whole_decks_give_them",
        ),
    ),
    "house.cards": Control(
        marked("What the cards show by themselves"),
        marked(
            "The cards of the shoes come as whole decks give them and in no order in which they"
            " lay before, and nobody knows one before it is out. Nobody has to have recorded"
            " anything amiss: these are suspicions, with the rate at which they are false."
        ),
        (
            "shoe_cards_as_whole_decks_give_them",
            "cards_in_no_order_they_lay_in",
            "nobody_knows_a_card_before_it_is_out",
        ),
    ),
    "house.cash": Control(
        marked("Money at the table"),
        marked(
            "The chips of a table at its closing are those of its opening, with what was brought,"
            " taken away, sold for cash, won and lost in between."
        ),
        ("chips_are_those_of_the_game",),
    ),
    "house.shoe": Control(
        marked("The record of a shoe"),
        marked("Shoes are numbered without a gap, and who sits at a cut is told one way."),
        ("no_shoe_is_left_out", "seats_at_the_cut_told_alike"),
    ),
    "house.shuffler": Control(
        marked("The automatic shuffler"),
        marked(
            "A shuffler is loaded soon after the opening, opened for a cause and not dealt from"
            " while it is in trouble; a deck that comes out irregular is reported, and who confirms"
            " what was done confirms it in time."
        ),
        (
            "shuffler_loaded_soon_after_opening",
            "shuffler_opened_only_for_cause",
            "no_round_during_trouble",
            "trouble_witnessed",
            "loading_witnessed_in_time",
            "unloading_witnessed_in_time",
            "irregular_deck_reported",
        ),
    ),
    "house.devices": Control(
        marked("What machines at the tables report"),
        marked(
            "What a shuffler reports of itself bears out what is recorded of it: its lid was"
            " opened for a load, it ran before its cards were dealt, did not sort them, runs an"
            " approved program, its seals are whole, and why its warning light was on is"
            " recorded. The cards a shoe reports out are those its rounds and its burn tell, and"
            " the stakes a sensor saw are those of the rounds."
        ),
        (
            "shuffler_cycle_on_record",
            "lid_opened_for_the_load",
            "warning_light_on_record",
            "no_deal_after_a_sort",
            "shuffler_firmware_approved",
            "shuffler_seals_intact",
            "shoe_cards_accounted_for",
            "shoe_read_the_cards_recorded",
            "stakes_recorded_as_seen",
        ),
    ),
    "house.jackpot": Control(
        marked("The record of a jackpot"),
        marked(
            "Terms of a jackpot are confirmed by a second person, hold for nothing played before"
            " they were recorded, and have a combination that wins the whole of it; nothing is"
            " paid that its money cannot explain, and wins are told in the order decided."
        ),
        (
            "jackpot_terms_are_confirmed",
            "jackpot_terms_do_not_reach_back",
            "jackpot_has_a_top_combination",
            "jackpot_claim_is_within_the_money",
            "jackpot_wins_in_the_decided_order",
        ),
    ),
    "house.complaints": Control(
        marked("Answering complaints"),
        marked(
            "Who complains is answered in time, what is paid on it agrees with the decision and the"
            " amount claimed, and the cards of a round in dispute wait until somebody has looked"
            " at them."
        ),
        ("complaint_answered", "complaint_paid_as_decided", "disputed_cards_wait_for_review"),
    ),
}
ARTICLE_OF: Final[Mapping[str, str]] = {
    check: article for article, control in CONTROLS.items() for check in control.checks
}
# What one reading of an article holds to be its own.
BY_READING: Final[Mapping[str, Otherwise]] = {
    "shuffler_loaded_soon_after_opening": Otherwise(
        "hour-of-loading", "csm.loading_time", "article", "54"
    ),
    "shuffler_opened_only_for_cause": Otherwise("lid-opened", "csm.lid", "article", "57"),
    "jackpot_has_a_top_combination": Otherwise(
        "top-combination", "jackpot.top_combination", "article", "50"
    ),
    "disputed_cards_wait_for_review": Otherwise(
        "disputed-cards", "complaint.cards", "article", "61"
    ),
}


def is_of_the_house(article: str) -> bool:
    """Whether a citation is one of the house and no article of a rulebook."""
    return article.startswith(f"{RULEBOOK}.")


def cited(values: Mapping[str, object]) -> dict[str, str]:
    """Every control and what it cites, where a rulebook has these values of its parameters."""
    found = dict(ARTICLE_OF)
    for check, otherwise in BY_READING.items():
        if values.get(otherwise.parameter) == otherwise.choice:
            found[check] = otherwise.article
    return found
