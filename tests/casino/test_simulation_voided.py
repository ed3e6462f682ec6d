"""The bank's voided cards in a simulated evening: let go by the text, or taken out and labelled.

Reckoned from the record's dealing order alone, in other words than the simulation's.
"""

from datetime import date

import pytest

from casino.cards import best_total
from casino.events.round.round_played import RoundPlayed
from casino.simulation import Label, evening

pytestmark = pytest.mark.share

DAY = date(2026, 11, 20)
Evening = list[tuple[RoundPlayed, Label | None]]
TAKEN_OUT = {
    "first_bank_card_taken_out": ("17", {"turned", "face_up"}),
    "second_bank_card_taken_out_as_extra": ("17", {"extra"}),
    "last_bank_card_taken_out": ("19", {"extra"}),
    "drawn_bank_card_taken_out_as_extra": ("19", {"extra"}),
    "drawn_bank_card_taken_out_as_turned": ("19", {"turned"}),
    "drawn_bank_card_taken_out_as_face_up": ("19", {"face_up"}),
}


@pytest.fixture(scope="module")
def lawful() -> Evening:
    return list(evening(3, 4, 1500, 0.0, DAY))


@pytest.fixture(scope="module")
def faulty() -> Evening:
    return list(evening(5, 4, 1500, 0.7, DAY))


def test_in_a_clean_evening_only_the_text_takes_a_bank_card_out(lawful: Evening) -> None:
    """A turned card between the first card and the second, one too many behind them all."""
    seen = 0
    for record, _ in lawful:
        bank, voided = record.bank, record.bank.voided
        turned = [card.card for card in voided if card.why == "turned"]
        extra = [card.card for card in voided if card.why == "extra"]
        assert [card.card for card in voided] == turned + extra
        assert not extra or best_total(bank.cards) >= 17
        if voided and record.dealt is not None:
            seen += 1
            laid = [entry.card for entry in record.dealt if entry.to == "bank"]
            assert laid == [bank.cards[0], *turned, *bank.cards[1:], *extra]
    assert seen > 100


def test_a_bank_card_taken_out_without_right_is_labelled_where_it_was_drawn(
    faulty: Evening,
) -> None:
    seen: set[str] = set()
    for record, label in faulty:
        if label is None or label.kind not in TAKEN_OUT:
            continue
        article, whys = TAKEN_OUT[label.kind]
        (card,) = record.bank.voided
        assert (label.article, label.difference_cents) == (article, None)
        assert card.why in whys
        assert card.card not in record.bank.cards
        assert record.dealt is not None
        bank = [entry.card for entry in record.dealt if entry.to == "bank"]
        had = bank.index(card.card)
        place = {"first": 0, "second": 1}.get(label.kind.split("_")[0])
        assert had == place if article == "17" else had >= 2
        assert [one for one in bank if one != card.card] == list(record.bank.cards)
        if article == "19":
            assert best_total(bank[:had]) <= 16
            short = best_total(record.bank.cards) <= 16
            assert short == (label.kind == "last_bank_card_taken_out")
            seen.add(f"after {had} cards")
        seen.add(f"{label.kind}: {card.why}")
    assert len({one for one in seen if ":" in one}) == len(TAKEN_OUT) + 1
    assert {"after 2 cards", "after 3 cards"} <= seen
