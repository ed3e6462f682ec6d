"""Against one who keeps the law nothing is found, whatever the law lets happen at his table."""

from collections import Counter

from casino.law.round_judge import judge
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.lawful_dealer import lawful_round
from tests.gate import size

ROUNDS = size(300, 300, 20_000)
PT = load_law("pt")
# What the small deck must bring about, or the test shows nothing.
BROUGHT = {
    *("hit", "stand", "double", "split", "surrender"),
    *("turned", "extra", "face_up", "discard", "special"),
}


def test_a_lawful_dealer_is_never_found_and_never_refused() -> None:
    seen: Counter[str] = Counter()
    for seed in range(ROUNDS):
        played = lawful_round(seed)
        judgement = judge(played, PT)
        assert judgement.findings == (), (seed, played)
        for box in played.boxes:
            seen.update(action for hand in box.hands for action in hand.actions)
            seen.update(wager.kind for wager in box.wagers)
        seen.update(card.why for card in played.bank.voided)
        seen.update(card.fate for card in played.misdealt)
        seen.update(one.outcome for one in judgement.wagers)
    assert set(seen) >= BROUGHT
    # Only where cards alike leave open which of them was taken from the bank.
    assert seen["not_decidable"] * 10 < seen["lawful"], seen
