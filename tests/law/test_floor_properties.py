"""What holds of every partida, however it is recorded."""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.events import Malformed
from casino.events.shoes import (
    CardBurned,
    CardsShuffled,
    CartaAvisoPlaced,
    DeckPasses,
)
from casino.events.shufflers import ShufflerLoaded
from casino.events.values import Figures
from casino.law.check_registry import ALL_CHECKS
from casino.law.dossier import RecordedEvent
from casino.law.partida_judge import judge_partida
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.any_games import games
from tests.factories.games import (
    DAY,
    DECKS,
    FISCAL,
    LEFT_OUT,
    PAGADOR,
    Game,
    cut_by,
    entry,
    moment,
)
from tests.factories.partidas import GAMES
from tests.factories.previewed import preview
from tests.law.asking import LAWFUL
from tests.law.floor_asking import cited, judged

BOOKS: Final = ("pt", "es", "br", "fr", "pt-summary")
PT: Final = load_law("pt")
# Optional fields whose absence says something: the warning card has the colours the partida told.
SAYS_SOMETHING: Final = {(CartaAvisoPlaced, "colours")}


def lawful_of(game: Game, book: str) -> tuple[Counter[str], set[str]]:
    """How often each check says lawful, and the checks that say something else too."""
    outcomes = judged(game, book).outcomes
    lawful = Counter(name for name, outcome in outcomes if outcome == LAWFUL)
    return lawful, {name for name, outcome in outcomes if outcome != LAWFUL}


def with_less(event: Any) -> Iterator[tuple[str, Any]]:
    """The event without one field that was recorded and need not have been, each in turn."""
    for name in (field.name for field in fields(event) if field.default is None):
        if getattr(event, name) is not None and (type(event), name) not in SAYS_SOMETHING:
            with suppress(Malformed):  # where another field asks for it
                yield name, replace(event, **{name: None})


@pytest.mark.share
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("book", ["pt", "es"])
def test_knowing_less_never_makes_more_of_it_lawful(name: str, book: str) -> None:
    know_less(GAMES[name](), book)


def know_less(game: Game, book: str) -> None:
    """Leave every told field out in turn: nothing that was no lawful answer becomes one."""
    known, otherwise = lawful_of(game, book)
    for where in ("entries", "around", "elsewhere"):
        entries: list[RecordedEvent[Any]] = getattr(game, where)
        for place, recorded in enumerate(list(entries)):
            for field, event in with_less(recorded.event):
                entries[place] = replace(recorded, event=event)
                less, _ = lawful_of(game, book)
                assert not otherwise & (less - known).keys(), (recorded.event.kind, field)
            entries[place] = recorded


@pytest.mark.share
@pytest.mark.parametrize("name", GAMES)
def test_the_order_in_which_it_was_written_down_changes_nothing(name: str) -> None:
    game = GAMES[name]()
    texts, outcomes = cited(game), Counter(judged(game).outcomes)
    for seed in range(5):
        random.Random(seed).shuffle(game.entries)
        assert (cited(game), Counter(judged(game).outcomes)) == (texts, outcomes)


def check_form(game: Game, book: str) -> None:
    """A judgement is one that can be written in the book."""
    judgement = judged(game, book)
    cites = load_law(book).on(DAY).cited
    ids = {
        recorded.entry_id
        for recorded in (*game.entries, *game.house, *game.around, *game.elsewhere)
    }
    for found in judgement.findings:
        assert found.evidence, found.check
        assert set(found.evidence) <= ids
        assert len(set(found.evidence)) == len(found.evidence)
        assert found.article == cites[found.check]
        assert found.rulebook == ("house" if found.article.startswith("house.") else book)
        assert (found.severity == "breach") <= (found.rulebook == book)
        for values in (found.where, found.observed, found.expected):
            Figures().check(values, "$")
    assert {name for name, _ in judgement.outcomes} <= cites.keys() & ALL_CHECKS.keys()


@pytest.mark.share
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("book", BOOKS)
def test_every_finding_has_evidence_and_fits_into_the_book(name: str, book: str) -> None:
    check_form(GAMES[name](), book)


@given(games(), st.sampled_from(BOOKS))
def test_no_partida_is_too_strange_to_be_judged(game: Game, book: str) -> None:
    check_form(game, book)


@given(games(), st.sampled_from(["pt", "es"]))
def test_of_no_partida_more_is_lawful_where_less_is_known(game: Game, book: str) -> None:
    know_less(game, book)


@given(games(), st.randoms(use_true_random=False))
def test_of_no_partida_the_order_of_writing_counts(game: Game, chance: random.Random) -> None:
    texts, outcomes = cited(game), Counter(judged(game).outcomes)
    chance.shuffle(game.entries)
    assert (cited(game), Counter(judged(game).outcomes)) == (texts, outcomes)


def test_what_was_done_between_two_rounds_was_not_done_before_the_deal() -> None:
    game = Game()
    game.prepare(1, burn={"at": "20:20"})
    game.round(1, 1, "20:10")
    game.round(1, 2, "20:30")
    assert cited(game) == ["10 shoe_is_burnt"]


# Before it is recorded


def candidate(game: Game, kind: Any, at: str, **values: Any) -> RecordedEvent[Any]:
    """An event in hand, not written down."""
    event = kind(table=game.table, partida=game.partida, **values)
    return entry(event, f"table/{game.table}", 999, at, FISCAL)


def test_a_form_learns_what_a_fact_would_open_before_it_is_recorded() -> None:
    game = Game("shuffler")
    passes = tuple(DeckPasses(deck=deck, passes=3) for deck in DECKS)
    game.record(CardsShuffled, "19:40", shoe=1, decks=passes, method="by_hand")
    values = {"shuffler": "CSM-04", "decks": DECKS, "operator": PAGADOR}
    one = candidate(game, ShufflerLoaded, "19:45", packets=1, **values)
    dossier = game.dossier("19:50")
    assert [found.check for found in preview(dossier, one, PT)] == ["shuffler_loaded_in_packets"]
    assert dossier.entries == tuple(game.entries)
    two = candidate(game, ShufflerLoaded, "19:45", packets=2, **values)
    assert preview(dossier, two, PT) == []


def test_a_form_learns_only_what_its_own_fact_opens() -> None:
    game = Game()
    game.prepare(1, cut=cut_by(2), burn=LEFT_OUT)  # the cut is a finding already
    burn = candidate(game, CardBurned, "20:06", shoe=1, cards=3)
    assert [found.check for found in preview(game.dossier(), burn, PT)] == ["burnt_cards_exact"]
    assert preview(game.dossier(), candidate(game, CardBurned, "20:06", shoe=1, cards=1), PT) == []


def test_a_step_that_was_left_out_is_told_when_the_next_one_is_in_hand() -> None:
    game = Game()
    game.prepare(1, cut=LEFT_OUT, warning=LEFT_OUT, burn=LEFT_OUT)
    card = candidate(game, CartaAvisoPlaced, "20:04", shoe=1, cards_from_end=50, players=3)
    assert [found.check for found in preview(game.dossier(), card, PT)] == ["shoe_is_cut"]


def test_a_correction_in_hand_takes_the_place_of_what_it_corrects() -> None:
    game = Game()
    game.prepare(1, burn={"cards": 2})
    wrong = game.entries[-1]
    right = candidate(game, CardBurned, "20:06", shoe=1, cards=1)
    assert preview(game.dossier(), right, PT, instead_of=wrong.leaf) == []
    assert [found.check for found in preview(game.dossier(), right, PT)] == ["burnt_cards_exact"]
    corrected = game.dossier().with_entry(right, instead_of=wrong.leaf)
    assert judge_partida(corrected, PT).findings == ()


def test_an_evening_of_four_hundred_rounds_is_judged_whole() -> None:
    game = Game()
    for shoe in range(1, 9):
        hour = f"{19 + shoe if shoe < 5 else shoe - 5:02d}"
        game.prepare(shoe, f"{hour}:00:00")
        for number in range(1, 51):
            game.round(shoe, number, f"{hour}:{8 + number}")
        game.announce(shoe, 50, f"{hour}:58:20")
    game.close("05:00")
    assert cited(game) == []
    assert moment("03:00") < moment("05:00")
