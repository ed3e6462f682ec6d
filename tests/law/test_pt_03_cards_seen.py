"""PT art. 3 over the cards of a partida: what its decks hold, and what whole decks give."""

import math
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from audit.reconcile.cards_seen import look_at_cards
from casino.events.deck_life import CardReplaced
from casino.events.floor_life import RoundsDeferred
from casino.events.partidas import PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardsSpread
from casino.events.shufflers import ShufflerLoaded
from casino.law.checks.rounds.card_frequency import (
    CARDS_AS_WHOLE_DECKS,
    FAMILIES,
    NEVER,
    RANKS,
    SUITS,
    TENS,
    UNITS,
    CardWatch,
    Suspected,
    _steps,
    log2_down,
)
from casino.law.dossier import RecordedEvent
from casino.law.finding import Finding
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.games import DECKS, Game
from tests.factories.kept_answers import Kept
from tests.factories.rounds import box, main
from tests.gate import size
from tests.law.casebook import upholds_case

WITHIN, LIKELY = "card_within_decks", CARDS_AS_WHOLE_DECKS.name
FOUR = ("D-1", "D-2", "D-3", "D-4")
PT = load_law("pt")
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)


def looked_at(game: Game, law: Any = PT) -> Kept:
    """A game's rounds before article 3."""
    kept, rounds = Kept(), game.dossier().of(RoundPlayed)
    look_at_cards(game.dossier(), rounds, [law] * len(rounds), kept)
    return kept


def of_kings(kept: Kept) -> Finding:
    """The one finding about the king of diamonds."""
    found = [one for one in kept.findings if one.observed.get("card") == "KD"]
    assert len(found) == 1
    return found[0]


def kings(game: Game, number: int, shoe: int = 1, **known: Any) -> RecordedEvent[RoundPlayed]:
    """A round with one king of diamonds in it."""
    boxes = (box(1, "KD 9S", main(1000, 2000)),)
    return game.round(shoe, number, f"20:{10 + number}", boxes=boxes, bank="TH 7C", **known)


# Shoes: certain


@upholds_case(WITHIN, "lawful")
def test_article_3_a_shoe_shows_a_card_once_for_each_of_its_decks() -> None:
    game = Game()
    for number in range(1, 7):
        kings(game, number)
    assert looked_at(game).findings == []


@upholds_case(WITHIN, "unlawful")
@pytest.mark.parametrize(("decks", "most"), [(DECKS, 6), (FOUR, 4)])
def test_article_3_one_more_than_the_shoe_has_decks_is_found(
    decks: tuple[str, ...], most: int
) -> None:
    game = Game(decks=decks)
    events = [kings(game, number) for number in range(1, most + 2)]
    found = of_kings(looked_at(game))
    assert (found.article, found.severity, found.where) == ("3", "breach", {"shoe": 1})
    assert found.observed == {"card": "KD", "times_in_shoe": most + 1}
    assert found.expected == {"at_most": most}
    assert found.evidence == (events[-1].entry_id,)


def test_article_3_the_next_shoe_begins_anew() -> None:
    game = Game(decks=FOUR)
    for number in range(1, 9):
        kings(game, number, shoe=1 + number // 5)
    assert looked_at(game).findings == []


@upholds_case(WITHIN, "boundary")
def test_article_3_a_deck_shuffled_in_besides_counts() -> None:
    game = Game(decks=FOUR)
    game.prepare(1, shuffle={"decks": _passes("D-1", "D-2", "D-3", "D-7")})
    for number in range(1, 6):
        kings(game, number)
    assert looked_at(game).findings == []
    kings(game, 6)
    assert {one.expected["at_most"] for one in looked_at(game).findings} == {5}


def test_article_3_a_card_exchanged_may_come_once_more() -> None:
    game = Game(decks=FOUR)
    for number in range(1, 6):
        kings(game, number)
    assert "KD" in {one.observed["card"] for one in looked_at(game).findings}
    game.record(CardReplaced, "20:12", deck="D-1", card="KD", reason="damaged", from_deck="D-9")
    assert "KD" not in {one.observed["card"] for one in looked_at(game).findings}


@pytest.mark.parametrize("again", ["shuffled", "spread"])
def test_article_3_cards_mixed_again_under_the_same_number_decide_nothing(again: str) -> None:
    game = Game(decks=FOUR)
    for number in range(1, 6):
        kings(game, number)
    if again == "shuffled":
        game.prepare(1, "20:13")
    else:
        game.record(CardsSpread, "20:13", shoe=1, reason="no_players")
    kept = looked_at(game)
    assert (kept.findings, kept.outcomes[WITHIN]) == ([], ["not_decidable"])


def test_article_3_a_round_alone_with_five_of_four_decks_is_found_here() -> None:
    # The round's own check knows no number of decks and lets up to six pass.
    game = Game(decks=FOUR)
    boxes = [box(n, "KD 5H", main(1000, 0)) for n in range(1, 6)]
    game.round(1, 1, boxes=boxes)
    assert {one.observed["card"] for one in looked_at(game).findings} == {"KD", "5H"}


def test_article_3_what_the_round_finds_itself_is_not_found_twice() -> None:
    game = Game(decks=FOUR)
    game.round(1, 1, boxes=[box(n, "KD 5H", main(1000, 0)) for n in range(1, 8)])
    assert looked_at(game).findings == []


def _passes(*decks: str) -> Any:
    from casino.events.shoes import DeckPasses

    return tuple(DeckPasses(deck=deck, passes=3) for deck in decks)


# Shufflers: what lies outside at one time is certain


def at_a_shuffler(
    *, rounds: int = 5, **known: Any
) -> tuple[Game, list[RecordedEvent[RoundPlayed]]]:
    """Four decks in the machine; each round shows the king of diamonds and is put back."""
    game = Game("shuffler", decks=FOUR)
    game.load()
    boxes = (box(1, "KD 9S", main(1000, 2000)),)
    events = [
        game.put_back(1, n, f"20:{10 + 3 * n}", boxes=boxes, bank="TH 7C", **known)
        for n in range(1, rounds + 1)
    ]
    return game, events


@upholds_case(WITHIN, "lawful")
def test_article_3_cards_put_back_after_every_round_may_come_again() -> None:
    game, _ = at_a_shuffler()
    assert looked_at(game).findings == []


@upholds_case(WITHIN, "unlawful")
def test_article_3_rounds_put_off_together_hold_no_card_too_often() -> None:
    game, events = at_a_shuffler()
    rounds = tuple(one.event.round for one in events)
    game.record(RoundsDeferred, "20:30", rounds=rounds[:4], reason="jam")
    assert looked_at(game).findings == []
    game.record(RoundsDeferred, "20:31", rounds=rounds, reason="jam")
    found = of_kings(looked_at(game))
    assert (found.article, found.where) == ("3", {})
    assert (found.observed["times_out_at_once"], found.expected["at_most"]) == (5, 4)
    assert found.evidence == tuple(one.entry_id for one in events)


@upholds_case(WITHIN, "boundary")
def test_article_3_cards_told_to_have_gone_in_late_lie_outside_together() -> None:
    game, _ = at_a_shuffler(inserted="20:27")  # the fifth is over at 20:27
    assert looked_at(game).findings == []
    game, _ = at_a_shuffler(inserted="20:28")
    assert "KD" in {one.observed["card"] for one in looked_at(game).findings}


def test_article_3_nobody_says_when_cards_went_in_and_nothing_is_certain() -> None:
    game, _ = at_a_shuffler(inserted=None)
    assert looked_at(game).findings == []


# Shufflers: over the evening


def evening(rng: Random, cards: Sequence[str], watch: CardWatch, rounds: int) -> Suspected | None:
    """So many rounds of six hands, each drawing on while it counts less than 16."""
    for _ in range(rounds):
        drawn = iter(rng.sample(cards, 60))
        out: list[str] = []
        for _ in range(6):
            total = 0
            while total < 16:
                out.append(next(drawn))
                total += 10 if out[-1][0] in TENS else 11 if out[-1][0] == "A" else int(out[-1][0])
        found = watch.add(out, 6)
        if found is not None:
            return found
    return None


def without(*, rank: str = RANKS, suit: str = SUITS, decks: int) -> list[str]:
    """Six decks; so many of them lack these cards."""
    return [*DECK * (6 - decks), *(c for c in DECK * decks if c[0] not in rank or c[1] not in suit)]


EVENINGS = size(60, 60, 2_000)


def test_lawful_evenings_raise_no_more_false_alarms_than_stated() -> None:
    rng = Random(3)
    alarms = sum(evening(rng, DECK * 6, CardWatch(20), 150) is not None for _ in range(EVENINGS))
    # One in twenty is what may be; three standard deviations above are given to chance.
    assert alarms <= EVENINGS / 20 + 3 * math.sqrt(EVENINGS / 20 * 0.95)


@pytest.mark.parametrize("decks", [4, 6])
@pytest.mark.parametrize("cards", [1, 7, 19, 40])
def test_the_ratio_of_a_lawful_round_is_one_on_average(decks: int, cards: int) -> None:
    for number, family in enumerate(FAMILIES):
        group, whole = family.of_deck * decks, 52 * decks
        chance = [
            math.comb(group, times) * math.comb(whole - group, cards - times)
            for times in range(min(group, cards) + 1)
        ]
        steps = [_steps(number, decks, times, 0, cards) for times in range(len(chance))]
        for way in range(len(family.wrong)):
            mean = sum(
                weight * 2 ** (step[way] / 2**UNITS)
                for weight, step in zip(chance, steps, strict=True)
                if step[way] != NEVER
            ) / math.comb(whole, cards)
            assert 0.98 < mean <= 1 + 1e-12  # what whole decks never show is not among them


@pytest.mark.parametrize("number", range(len(FAMILIES)))
def test_a_card_in_doubt_accuses_least(number: int) -> None:
    for times, perhaps in [(0, 2), (1, 1), (3, 2)]:
        doubtful = _steps(number, 6, times, perhaps, 20)
        for each in range(perhaps + 1):
            sure = _steps(number, 6, times + each, 0, 20)
            assert all(one <= other for one, other in zip(doubtful, sure, strict=True))


@pytest.mark.parametrize(("up", "down"), [(1, 1), (1, 3), (3, 1), (10**40, 7), (2**90, 2**90 + 1)])
def test_a_logarithm_is_never_told_too_high(up: int, down: int) -> None:
    count = log2_down(up, down)
    true = (math.log2(up) - math.log2(down)) * 2**UNITS
    assert true - 2.001 < count <= true + 1e-3


@pytest.mark.parametrize(
    ("cards", "kind", "group"),
    [
        (without(suit="S", decks=1), "suit", "S"),
        (without(rank="A", decks=2), "rank", "A"),
        (without(rank=TENS, decks=1), "tens", TENS),
        (without(rank="A", suit="S", decks=6), "card", "AS"),
        ([*DECK * 6, *["AS", "AH", "AD", "AC"] * 2], "rank", "A"),
    ],
)
def test_a_wrong_set_is_suspected_for_what_is_wrong_with_it(
    cards: list[str], kind: str, group: str
) -> None:
    found = evening(Random(11), cards, CardWatch(10_000), 700)
    assert found is not None
    assert (found.kind, found.group) == (kind, group)
    rare = len(cards) < 312
    assert (found.times < found.expected) is rare


def test_a_suspicion_is_said_once() -> None:
    watch, cards = CardWatch(10_000), ["AS", "AH", "AD", "AC"] * 3
    said = [watch.add(cards, 6) for _ in range(20)]
    assert sum(one is not None for one in said) == 1


def test_suits_nobody_wrote_down_accuse_nobody() -> None:
    rng, watch = Random(5), CardWatch(10_000)
    for _ in range(300):
        cards = [card[0] + "?" for card in rng.sample(DECK * 6, 18)]
        assert watch.add(cards, 6) is None


def test_tens_nobody_told_apart_accuse_nobody_and_are_counted_together() -> None:
    rng, watch = Random(6), CardWatch(10_000)
    for _ in range(300):
        cards = [("X?" if c[0] in TENS else c) for c in rng.sample(DECK * 6, 18)]
        assert watch.add(cards, 6) is None
    few = CardWatch(10_000)
    short = without(rank=TENS, decks=2)
    found = None
    for _ in range(300):
        found = found or few.add([("X?" if c[0] in TENS else c) for c in rng.sample(short, 18)], 6)
    assert found is not None
    assert found.kind == "tens"


def recorded_evening(cards: Sequence[str], rounds: int = 120, dealing: str = "shuffler") -> Game:
    """As many rounds of three hands from a machine of six decks, told in a dossier."""
    game, rng = Game(dealing), Random(17)
    if dealing == "shuffler":
        game.load()
    for number in range(1, rounds + 1):
        drawn = rng.sample(cards, 12)
        boxes = [box(n, " ".join(drawn[3 * n - 3 : 3 * n]), main(1000, 0)) for n in (1, 2, 3)]
        at = f"{20 + number // 60}:{number % 60:02d}"
        game.round(1, number, at, boxes=boxes, bank=" ".join(drawn[9:]))
    return game


@upholds_case(LIKELY, "lawful")
def test_article_3_whole_decks_raise_no_suspicion() -> None:
    kept = looked_at(recorded_evening(DECK * 6))
    assert (kept.findings, kept.outcomes[LIKELY]) == ([], ["lawful"])


@upholds_case(LIKELY, "unlawful")
def test_article_3_a_suit_missing_is_a_warning_with_its_rate() -> None:
    game = recorded_evening(without(suit="H", decks=4))
    kept = looked_at(game)
    found = next(one for one in kept.findings if one.check == LIKELY)
    assert kept.outcomes[LIKELY] == ["finding"]
    assert (found.article, found.severity, found.where) == ("house.table", "warning", {})
    assert found.observed["suit"] == "hearts"
    assert found.expected["games_a_false_alarm"] == 10_000
    assert found.expected["expected_times"] == found.observed["cards_seen"] // 4
    assert found.observed["times_seen"] < found.expected["expected_times"] // 2
    dossier = game.dossier()
    assert found.evidence[1:] == (
        dossier.of(ShufflerLoaded)[0].entry_id,
        dossier.of(PartidaOpened)[0].entry_id,
    )


@upholds_case(LIKELY, "unlawful")
def test_article_3_tens_too_many_are_a_warning_counted_together() -> None:
    kept = looked_at(recorded_evening([*DECK * 6, *(c for c in DECK * 3 if c[0] in TENS)]))
    found = next(one for one in kept.findings if one.check == LIKELY)
    assert (found.severity, found.observed["rank"]) == ("warning", "ten-valued")
    assert found.observed["times_seen"] > found.expected["expected_times"]


@upholds_case(LIKELY, "boundary")
def test_article_3_one_extra_ten_is_no_more_than_chance() -> None:
    kept = looked_at(recorded_evening([*DECK * 6, "TS"]))
    assert [one for one in kept.findings if one.check == LIKELY] == []


def test_article_3_a_suspicion_stays_the_same_when_play_goes_on() -> None:
    wrong = without(suit="H", decks=4)
    early, late = (looked_at(recorded_evening(wrong, rounds)).findings for rounds in (110, 120))
    assert [one.observed for one in early] == [one.observed for one in late]


def test_article_3_without_the_decks_nothing_can_be_expected() -> None:
    game = recorded_evening(without(suit="H", decks=4), 40)
    game.change(PartidaOpened, decks=())
    game.drop(ShufflerLoaded)
    kept = looked_at(game)
    assert (kept.findings, kept.outcomes[LIKELY]) == ([], ["not_decidable"])


def test_article_3_a_shoe_is_counted_not_suspected() -> None:
    kept = looked_at(recorded_evening(without(suit="H", decks=4), 20, "shoe"))
    assert LIKELY not in kept.outcomes


def test_a_book_that_states_no_rate_asks_nothing() -> None:
    kept = looked_at(recorded_evening(without(suit="H", decks=4), 60), load_law("es"))
    assert LIKELY not in kept.outcomes
