"""PT art. 13, 17, 33 over the cards: whether stakes, insurances and draws know a hidden one."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from audit.reconcile.shoes_seen import look_at_shoes
from casino.events.round.round_played import Bank, Dealt, Place, RoundPlayed
from casino.law.checks.rounds.hidden_cards import HiddenWatch, Known
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.games import Game
from tests.factories.kept_answers import Kept
from tests.factories.rounds import a_round, box, hand, insurance, main
from tests.factories.shoe_cards import SIX, a_round_of, deal_shoe, shuffled
from tests.gate import size
from tests.law.casebook import upholds_case

CHECK = "nobody_knows_a_card_before_it_is_out"
PT = load_law("pt")
# The stake by the box's first card, and by the odds of a good one.
Style = Callable[[Random, str, float], int]


def good(card: str) -> bool:
    return card[0] in "ATJQK"


def flat(_rng: Random, _card: str, _odds: float) -> int:
    return 1000


def any_stake(rng: Random, _card: str, _odds: float) -> int:
    return rng.choice((1000, 2000, 5000))


def counting(_rng: Random, _card: str, odds: float) -> int:
    """He stakes more the richer the shoe is: what whoever watches the cards may do."""
    return 1000 + 1000 * int(max(0, odds - 0.38) * 200)


def knowing(_rng: Random, card: str, _odds: float) -> int:
    return 5000 if good(card) else 1000


def half_knowing(rng: Random, card: str, odds: float) -> int:
    return knowing(rng, card, odds) if rng.getrandbits(1) else rng.choice((1000, 5000))


def staked(game: Game, shoes: int, style: Style, rng: Random) -> None:
    """Shoes at which J1 to J6 stake so."""
    for shoe in range(1, shoes + 1):
        deal_shoe(game, shoe, shuffled(rng))
    left = Counter[str]()
    for place, one in enumerate(game.entries):
        event = one.event
        if not isinstance(event, RoundPlayed):
            left = Counter(SIX)
            continue
        odds = sum(n for card, n in left.items() if good(card)) / left.total()
        boxes = []
        for each in event.boxes:
            stake = style(rng, each.hands[0].cards[0], odds)
            wager = replace(
                each.wagers[0], stake_cents=stake, initial_cents=stake, returned_cents=0
            )
            boxes.append(replace(each, wagers=(wager,)))
        game.entries[place] = replace(one, event=replace(event, boxes=tuple(boxes)))
        left.subtract(dealt.card for dealt in event.dealt or ())


def looked_at(game: Game) -> Kept:
    kept, dossier = Kept(), game.dossier()
    rounds = dossier.of(RoundPlayed)
    look_at_shoes(dossier, rounds, [PT] * len(rounds), kept)
    return kept


@upholds_case(CHECK, "lawful")
@pytest.mark.parametrize("style", [flat, any_stake])
def test_stakes_that_follow_nothing_are_not_suspected(style: Style) -> None:
    game = Game()
    staked(game, 4, style, Random(1))
    kept = looked_at(game)
    assert kept.of(CHECK) == []
    assert set(kept.outcomes[CHECK]) <= {"lawful"}


@upholds_case(CHECK, "unlawful")
@pytest.mark.parametrize(("style", "shoes"), [(knowing, 4), (half_knowing, 12)])
def test_stakes_that_know_the_first_card_are_found(style: Style, shoes: int) -> None:
    game = Game()
    staked(game, shoes, style, Random(3))
    found = looked_at(game).of(CHECK)
    assert found
    assert {one.observed["decided_by_what"] for one in found} == {"stakes_laid"}
    assert (found[0].article, found[0].severity) == ("house.cards", "warning")
    assert all(one.where.keys() == {"owner"} for one in found)
    assert found[0].observed["likelier"] >= 100_000  # type: ignore[operator]
    assert found[0].observed["right"] > found[0].expected["expected_right"]  # type: ignore[operator]


@upholds_case(CHECK, "boundary")
def test_lawful_counting_raises_nothing() -> None:
    # He stakes more where aces and tens are left, and so wins more of them: that is no knowledge.
    for seed in range(size(3, 10, 50)):
        game = Game()
        staked(game, 12, counting, Random(seed))
        assert looked_at(game).of(CHECK) == []


# One decision at a time


def watched(*rounds: RoundPlayed) -> dict[str, Known]:
    watch = HiddenWatch(hole=True)
    watch.next_shoe(6)
    for one in rounds:
        watch.add(one)
    return dict(watch.of())


def against_ace(second: str, *, insured: bool, drawn: str = "") -> RoundPlayed:
    """One box of sixteen against an ace."""
    cards = ["TC", "AD", "6H", second]
    to: list[object] = [Place(1, 1), "bank", Place(1, 1), "bank"]
    wagers = [main(1000, 0), *([insurance(500, 0)] if insured else [])]
    one = hand(f"TC 6H {drawn}".strip())
    if drawn:
        cards.append(drawn)
        to.append(Place(1, 1))
    return replace(
        a_round(box(1, [one], *wagers), shoe=1, number=1),
        bank=Bank(("AD", second), (), (1,)),
        dealt=tuple(Dealt(card, place) for card, place in zip(cards, to, strict=True)),  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("insured", "second", "right"),
    [(True, "KS", 1), (True, "9S", 0), (False, "9S", 1), (False, "KS", 0)],
)
def test_an_insurance_bets_on_the_banks_second_card(insured: bool, second: str, right: int) -> None:
    seen = HiddenWatch(hole=True)
    seen.next_shoe(6)
    seen.add(against_ace(second, insured=insured))
    known = seen.decided("J1", "insurances_laid")
    assert known is not None
    assert (known.decisions, known.right) == (1, right)


@pytest.mark.parametrize(
    ("drawn", "next_card", "right"),
    [("5C", "2C", 1), ("9C", "2C", 0), ("", "9C", 1), ("", "2C", 0)],
)
def test_a_card_asked_for_bets_against_breaking_and_standing_on_it(
    drawn: str, next_card: str, right: int
) -> None:
    seen = HiddenWatch(hole=True)
    seen.next_shoe(6)
    seen.add(against_ace("7S", insured=False, drawn=drawn))
    # Who stood is shown by the next card of the shoe, in the round after.
    others = ["3C", "4C", "5D", "6D", "7D", "8D", "9D", "2D", "3D", "4D", "5H", "6S", "8H"]
    seen.add(a_round_of([next_card, *others], 1, 2))
    known = seen.decided("J1", "cards_asked")
    assert known is not None
    assert (known.decisions, known.right) == (1, right)


def test_the_face_down_card_is_unknown_until_it_is_turned() -> None:
    # Of 49 cards not seen, it among them, fifteen count ten: ten insurances would be right thrice.
    seen = HiddenWatch(hole=True)
    for _ in range(10):
        seen.next_shoe(1)
        seen.add(against_ace("KS", insured=True))
    known = seen.decided("J1", "insurances_laid")
    assert known is not None
    assert (known.decisions, known.right, known.expected) == (10, 10, round(150 / 49))


def test_a_round_in_which_a_card_went_astray_counts_its_cards_alone() -> None:
    plain = against_ace("KS", insured=True)
    voided = replace(plain, voided="incident")
    assert watched(voided) == {}


@pytest.mark.soak
@pytest.mark.parametrize(("one_in", "most"), [(20, 600 + 72), (100, 120 + 33)])
def test_lawful_players_are_suspected_no_more_often_than_stated(one_in: int, most: int) -> None:
    """2,000 games of six players each; `most` is the stated share and three standard deviations."""
    rng, found = Random(one_in), 0
    for seed in range(2_000):
        game = Game()
        staked(game, 2, counting if seed % 2 else any_stake, rng)
        watch, reached = HiddenWatch(hole=True), set[str]()
        for one in game.entries:
            if isinstance(one.event, RoundPlayed):
                if one.event.number == 1:
                    watch.next_shoe(6)
                watch.add(one.event)
                known = watch.of().items()
                reached |= {owner for owner, one in known if one.strength >= one_in}
        found += len(reached)
    assert found <= most
