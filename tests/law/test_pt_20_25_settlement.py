"""PT art. 20 to 25: what a hand receives. Amounts in cents, own stake and prize together."""

import pytest

from casino.events.round.round_played import RoundPlayed
from tests.factories.rounds import a_round, box, hand, main, wager
from tests.law.asking import (
    BREACH,
    HOUSE,
    LAWFUL,
    NOT_ASKED,
    PLAYER,
    UNDECIDED,
    cited,
    owed,
    said,
    the_finding,
    verdict,
)
from tests.law.casebook import upholds_case

BEATS, SPLIT_21 = "blackjack_beats_twenty_one", "split_twenty_one_is_no_blackjack"
THREE_TO_TWO, BOTH = "blackjack_paid_three_to_two", "blackjack_tie_is_null"
BUST, COLLECTED = "bust_loses", "bust_collected_at_once"
WINS, LOSES, TIES = "nearer_to_twenty_one_wins", "farther_from_twenty_one_loses", "equal_is_null"
STAKE, AT_ONCE = "winner_keeps_stake", "blackjack_paid_at_once"


def settled(cards: str, bank: str, returned: int, stake: int = 1000) -> RoundPlayed:
    return a_round(box(1, cards, main(stake, returned)), bank=bank)


RESULTS = [
    # the player, the bank, staked, due, the rule
    ("AS KD", "TH 8C", 1000, 2500, THREE_TO_TWO),
    ("AS KD", "9H 7C", 1000, 2500, THREE_TO_TWO),
    ("AS TD", "AH 5C 5D", 1000, 2500, THREE_TO_TWO),  # a bank's 21 is not a blackjack
    ("AS KD", "AH KC", 1000, 1000, BOTH),
    ("AS KD", "TH AC", 2000, 2000, BOTH),
    ("TS 8D 9C", "TH 8C", 1000, 0, BUST),
    ("TS 2D KC", "TH 2C", 1000, 0, BUST),
    ("TS 9D", "TH 8C", 1000, 2000, WINS),
    ("TS 2D", "TH 6C KD", 1000, 2000, WINS),  # a bank over 21
    ("TS 5D 6H", "TH TC", 1000, 2000, WINS),
    ("TS 7D", "TH 8C", 1000, 0, LOSES),
    ("TS 5D 6H", "AH KC", 1000, 0, LOSES),  # 21 against a blackjack
    ("TS 9D", "TH 9C", 1000, 1000, TIES),
    ("7S 6D 8H", "TH 5C 6D", 1000, 1000, TIES),
]
IDS = [f"{row[0]} against {row[1]}" for row in RESULTS]


@upholds_case(THREE_TO_TWO, "lawful")
@upholds_case(BOTH, "lawful")
@upholds_case(BUST, "lawful")
@upholds_case(WINS, "lawful")
@upholds_case(LOSES, "lawful")
@upholds_case(TIES, "lawful")
@pytest.mark.parametrize(("cards", "bank", "stake", "due", "rule"), RESULTS, ids=IDS)
def test_article_21_to_24_what_is_due_is_paid(
    cards: str, bank: str, stake: int, due: int, rule: str
) -> None:
    played = settled(cards, bank, due, stake)
    assert (verdict(played).check, verdict(played).outcome) == (rule, LAWFUL)
    assert said(rule, played) == LAWFUL
    assert cited(played) == []


WRONG = [
    # the player, the bank, staked, paid, due, article and rule
    ("AS KD", "TH 8C", 1000, 2000, 2500, f"21 {THREE_TO_TWO}"),  # even money nobody asked for
    ("AS KD", "TH 8C", 1000, 2200, 2500, f"21 {THREE_TO_TWO}"),  # six to five
    ("AS KD", "TH 8C", 1000, 3000, 2500, f"21 {THREE_TO_TWO}"),
    ("AS KD", "TH 8C", 1000, 0, 2500, f"21 {THREE_TO_TWO}"),
    ("AS KD", "AH KC", 1000, 2500, 1000, f"21 {BOTH}"),
    ("AS KD", "TH AC", 1000, 0, 1000, f"21 {BOTH}"),
    ("TS 8D 9C", "TH 8C", 1000, 1000, 0, f"22 {BUST}"),
    ("TS 8D 9C", "TH 2C", 1000, 2000, 0, f"22 {BUST}"),
    ("TS 9D", "TH 8C", 1000, 1000, 2000, f"23 {WINS}"),
    ("TS 9D", "TH 8C", 1000, 0, 2000, f"23 {WINS}"),
    ("TS 2D", "TH 6C KD", 1000, 1999, 2000, f"23 {WINS}"),
    ("TS 7D", "TH 8C", 1000, 1000, 0, f"23 {LOSES}"),
    ("TS 7D", "TH 8C", 1000, 2000, 0, f"23 {LOSES}"),
    ("TS 5D 6H", "AH KC", 1000, 2000, 0, f"23 {LOSES}"),
    ("TS 9D", "TH 9C", 1000, 0, 1000, f"24 {TIES}"),
    ("TS 9D", "TH 9C", 1000, 2000, 1000, f"24 {TIES}"),
]


@upholds_case(THREE_TO_TWO, "unlawful")
@upholds_case(BOTH, "unlawful")
@upholds_case(BUST, "unlawful")
@upholds_case(WINS, "unlawful")
@upholds_case(LOSES, "unlawful")
@upholds_case(TIES, "unlawful")
@pytest.mark.parametrize(("cards", "bank", "stake", "paid", "due", "rule"), WRONG)
def test_article_21_to_24_anything_else_is_owed(
    cards: str, bank: str, stake: int, paid: int, due: int, rule: str
) -> None:
    played = settled(cards, bank, paid, stake)
    owes = abs(due - paid), PLAYER if due > paid else HOUSE
    assert owed(played) == (due, *owes)
    assert cited(played) == [rule]
    found = the_finding(rule.split()[1], played)
    assert (found.owed_cents, found.owed_to) == owes
    assert (found.observed, found.expected) == ({"returned_cents": paid}, {"returned_cents": due})
    assert (found.evidence, found.severity) == ((played.round,), "breach")


@upholds_case(THREE_TO_TWO, "boundary")
@pytest.mark.parametrize(("stake", "due"), [(1001, 2503), (1, 3), (2500, 6250)])
def test_article_21_an_odd_cent_is_the_players(stake: int, due: int) -> None:
    wager_verdict = verdict(settled("AS KD", "TH 8C", due, stake))
    assert (wager_verdict.outcome, wager_verdict.due_cents) == (LAWFUL, due)
    assert ("odd-cent" in wager_verdict.readings) == bool(stake % 2)
    assert verdict(settled("AS KD", "TH 8C", due - 1, stake)).owed_cents == 1


@upholds_case(BOTH, "boundary")
def test_article_21_twenty_one_in_three_cards_does_not_tie_with_a_blackjack() -> None:
    assert owed(settled("AS KD", "TH 5C 6D", 2500)) == (2500, 0, None)
    assert owed(settled("TS 5D 6H", "TH AC", 0)) == (0, 0, None)


@upholds_case(BUST, "boundary")
def test_article_22_twenty_one_is_not_over() -> None:
    assert owed(settled("TS 8D 3C", "TH 8C", 2000)) == (2000, 0, None)
    assert owed(settled("AS 8D 3C TH", "TH 8C", 0)) == (0, 0, None)


def test_article_22_where_both_go_over_the_player_lost_first() -> None:
    over, other = box(1, "TS 8D 9C", main(1000, 0)), box(2, "TS 9D", main(1000, 2000))
    assert cited(a_round(over, other, bank="TH 6C 9D")) == []


@upholds_case(WINS, "boundary")
@upholds_case(LOSES, "boundary")
@upholds_case(TIES, "boundary")
@pytest.mark.parametrize(
    ("cards", "rule", "due"), [("TS 9D", WINS, 2000), ("TS 8D", TIES, 1000), ("TS 7D", LOSES, 0)]
)
def test_article_23_24_one_point_either_side_of_the_bank(cards: str, rule: str, due: int) -> None:
    wager_verdict = verdict(settled(cards, "TH 8C", due))
    assert (wager_verdict.check, wager_verdict.due_cents, wager_verdict.outcome) == (
        rule,
        due,
        LAWFUL,
    )


def test_article_23_a_bank_over_21_hangs_on_a_reading() -> None:
    assert "bank-bust" in verdict(settled("TS 2D", "TH 6C KD", 2000)).readings
    assert "bank-bust" not in verdict(settled("TS 9D", "TH 8C", 2000)).readings


# 20: a blackjack and another 21


@upholds_case(BEATS, "lawful")
def test_article_20_a_blackjack_beats_twenty_one() -> None:
    assert said(BEATS, settled("AS KD", "TH 5C 6D", 2500)) == LAWFUL
    assert said(BEATS, settled("TS 5D 6H", "AH KC", 0)) == LAWFUL


@upholds_case(BEATS, "unlawful")
@pytest.mark.parametrize(
    ("cards", "bank", "due", "to"),
    [("AS KD", "TH 5C 6D", 2500, PLAYER), ("TS 5D 6H", "AH KC", 0, HOUSE)],
    ids=["the player's", "the bank's"],
)
def test_article_20_they_were_not_equal(cards: str, bank: str, due: int, to: str) -> None:
    played = settled(cards, bank, 1000)
    found = the_finding(BEATS, played)
    assert (found.article, found.owed_cents, found.owed_to) == ("20", abs(due - 1000), to)
    assert cited(played) == [f"20 {BEATS}"]


@upholds_case(BEATS, "boundary")
@pytest.mark.parametrize(
    ("cards", "bank", "paid", "rule"),
    [
        ("AS KD", "TH 5C 6D", 2000, f"21 {THREE_TO_TWO}"),
        ("TS 5D 6H", "AH KC", 2000, f"23 {LOSES}"),
        ("TS TD", "AH KC", 1000, f"23 {LOSES}"),
    ],
)
def test_article_20_is_cited_only_where_two_21s_were_taken_as_equal(
    cards: str, bank: str, paid: int, rule: str
) -> None:
    assert cited(settled(cards, bank, paid)) == [rule]


def split_tens(returned: int, bank: str) -> RoundPlayed:
    """Two tens parted; the first got an ace."""
    hands = [hand("TS AD", "split"), hand("TD 9H", out_of=1)]
    other = 0 if bank in ("AH KC", "TH 5C 6D") else 2000
    return a_round(box(1, hands, main(1000, returned), main(1000, other, hand=2)), bank=bank)


@upholds_case(SPLIT_21, "lawful")
@pytest.mark.parametrize(("bank", "due"), [("TH 8C", 2000), ("TH 5C 6D", 1000), ("AH KC", 0)])
def test_article_20_ace_and_ten_after_a_split_make_twenty_one(bank: str, due: int) -> None:
    played = split_tens(due, bank)
    assert said(SPLIT_21, played) == LAWFUL
    assert cited(played) == []


@upholds_case(SPLIT_21, "unlawful")
@pytest.mark.parametrize(
    ("bank", "paid", "due"), [("TH 8C", 2500, 2000), ("AH KC", 2500, 0), ("TH 5C 6D", 2500, 1000)]
)
def test_article_20_they_are_not_paid_as_a_blackjack(bank: str, paid: int, due: int) -> None:
    played = split_tens(paid, bank)
    found = the_finding(SPLIT_21, played)
    assert (found.article, found.owed_cents, found.owed_to) == ("20", paid - due, HOUSE)
    assert cited(played) == [f"20 {SPLIT_21}"]


def test_article_20_nor_do_they_tie_with_the_banks_blackjack() -> None:
    played = split_tens(1000, "AH KC")
    assert [one.split()[0] for one in cited(played)] == ["20"]
    assert owed(played) == (0, 1000, HOUSE)


@upholds_case(SPLIT_21, "unlawful")
def test_article_20_nor_on_split_aces() -> None:
    hands = [hand("AS KD", "split"), hand("AD 9H", "", out_of=1)]
    played = a_round(box(1, hands, main(1000, 2500), main(1000, 2000, hand=2)), bank="TH 8C")
    assert cited(played) == [f"20 {SPLIT_21}"]


@upholds_case(SPLIT_21, "boundary")
@pytest.mark.parametrize("paid", [0, 1000])
def test_article_20_another_wrong_amount_for_it_is_a_matter_of_23(paid: int) -> None:
    assert cited(split_tens(paid, "TH 8C")) == [f"23 {WINS}"]


# 21 and 22: at once


def timed(cards: str, bank: str, returned: int, at_once: bool | None) -> RoundPlayed:
    stakes = main(1000, returned, at_once=at_once), main(1000, returned, "J5", at_once=at_once)
    return a_round(box(1, cards, *stakes), box(2, "TS TD", main(1000, 2000)), bank=bank)


@upholds_case(AT_ONCE, "lawful")
@upholds_case(COLLECTED, "lawful")
def test_article_21_22_paid_and_collected_at_once() -> None:
    assert said(AT_ONCE, timed("AS KD", "9H 8C", 2500, True)) == LAWFUL
    assert said(COLLECTED, timed("TS 8D 9C", "9H 8C", 0, True)) == LAWFUL


@upholds_case(AT_ONCE, "unlawful")
@pytest.mark.parametrize("bank", ["9H 8C", "2H TC 7D"])
def test_article_21_a_blackjack_does_not_wait_for_a_bank_that_cannot_have_one(bank: str) -> None:
    found = [one for one in cited(timed("AS KD", bank, 2500, False)) if one == f"21 {AT_ONCE}"]
    assert len(found) == 2  # the holder's stake and the complementary one


@upholds_case(AT_ONCE, "boundary")
@pytest.mark.parametrize("bank", ["TH 8C", "AH 7C", "KH 9C"])
def test_article_21_against_ace_or_ten_it_waits(bank: str) -> None:
    assert said(AT_ONCE, timed("AS KD", bank, 2500, False)) == NOT_ASKED


@upholds_case(COLLECTED, "unlawful")
@pytest.mark.parametrize("cards", ["TS 8D 9C", "9S 5D 8H"])
def test_article_22_a_stake_that_went_over_does_not_lie_there(cards: str) -> None:
    played = timed(cards, "TH 8C", 0, False)
    assert cited(played) == [f"22 {COLLECTED}"] * 2


@upholds_case(COLLECTED, "boundary")
def test_article_22_twenty_one_waits_for_the_bank() -> None:
    assert said(COLLECTED, timed("TS 5D 6H", "9H 8C", 2000, False)) == NOT_ASKED


def test_article_21_22_when_it_was_settled_may_be_unknown() -> None:
    assert said(AT_ONCE, timed("AS KD", "9H 8C", 2500, None)) == UNDECIDED
    assert said(COLLECTED, timed("TS 8D 9C", "9H 8C", 0, None)) == UNDECIDED


# 25: the stake itself


@upholds_case(STAKE, "lawful")
@pytest.mark.parametrize(("cards", "due"), [("AS KD", 2500), ("TS 9D", 2000)])
def test_article_25_a_winner_keeps_his_stake(cards: str, due: int) -> None:
    assert said(STAKE, settled(cards, "TH 8C", due)) == LAWFUL


@upholds_case(STAKE, "unlawful")
@pytest.mark.parametrize(("stake", "paid"), [(1000, 1500), (2000, 3000), (1001, 1502)])
def test_article_25_a_blackjack_got_the_prize_without_the_stake(stake: int, paid: int) -> None:
    played = settled("AS KD", "9H 8C", paid, stake)
    found = the_finding(STAKE, played)
    assert (found.article, found.owed_cents, found.owed_to) == ("25", stake, PLAYER)
    assert f"25 {STAKE}" in cited(played)


@upholds_case(STAKE, "unlawful")
@pytest.mark.parametrize(("cards", "due"), [("TS 9D", 2000), ("7S 7D 6C", 2000), ("AS KD", 2500)])
@pytest.mark.parametrize("paid", [1, 500, 999])
def test_article_25_any_winner_got_less_than_his_own_stake(cards: str, due: int, paid: int) -> None:
    played = settled(cards, "9H 8C", paid)
    found = the_finding(STAKE, played)
    assert (found.article, found.owed_cents, found.owed_to) == ("25", due - paid, PLAYER)
    assert [one for one in cited(played) if one.split()[0] in ("21", "23")] == []


@upholds_case(STAKE, "boundary")
@pytest.mark.parametrize("paid", [0, 1000, 1999])
def test_article_25_a_loser_by_mistake_and_a_short_prize_are_the_results_matter(paid: int) -> None:
    """Whoever got nothing was taken for a loser; whoever got his stake lacks of the prize."""
    played = settled("TS 9D", "TH 8C", paid)
    assert cited(played) == [f"23 {WINS}"]
    assert said(STAKE, played) == NOT_ASKED


@upholds_case(STAKE, "boundary")
def test_article_25_a_loser_or_a_tie_handed_less_than_the_stake_is_no_winner() -> None:
    for cards, bank in (("TS 7D", "TH 8C"), ("TS 8D", "TH 8C")):
        assert said(STAKE, settled(cards, bank, 500)) == NOT_ASKED


@upholds_case(STAKE, "boundary")
def test_article_25_at_one_to_one_prize_and_stake_cannot_be_told_apart() -> None:
    """1000 for 1000 may be the prize alone or a tie: the article that fixes the amount stands."""
    assert cited(settled("TS 9D", "TH 8C", 1000)) == [f"23 {WINS}"]
    assert said(STAKE, settled("TS 9D", "TH 9C", 1000)) == NOT_ASKED


def test_a_round_without_bank_cards_settles_only_who_went_over() -> None:
    boxes = box(1, "TS 8D 9C", main(1000, 1000)), box(2, "TS 9D", main(1000, 2000))
    played = a_round(*boxes, bank="", bank_open=None)
    assert owed(played, owner="J1") == (0, 1000, HOUSE)
    assert verdict(played, owner="J2").outcome == UNDECIDED
    assert said(WINS, played) in (UNDECIDED, NOT_ASKED)
    assert said(BUST, played) == BREACH


def test_a_progressive_chip_is_settled_by_terms_the_record_does_not_hold() -> None:
    chip = wager("jackpot", 250, 0, chip=1)
    played = a_round(box(1, "TS 9D", main(1000, 2000), chip), bank="TH 8C")
    wager_verdict = verdict(played, "jackpot")
    assert (wager_verdict.outcome, wager_verdict.due_cents) == (UNDECIDED, None)
    assert wager_verdict.why == "jackpot_terms_not_in_the_record"


def test_a_finding_names_its_law_its_place_and_its_evidence() -> None:
    found = the_finding(WINS, settled("TS 9D", "TH 8C", 1500))
    assert (found.rulebook, found.article, found.severity) == ("pt", "23", "breach")
    assert (found.table, found.partida) == ("BJ-01", "BJ-01/2026-11-20/1")
    assert found.gaming_day.isoformat() == "2026-11-20"
    assert found.where == {"box": 1, "hand": 1, "owner": "J1", "kind": "main"}
