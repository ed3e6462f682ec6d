"""What holds of every partida, however it is told."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.facts import Malformed
from casino.facts.incidents import IncidentReported
from casino.facts.shoes import (
    CardBurned,
    CardsShuffled,
    CardsSpread,
    CartaAvisoPlaced,
    CutMade,
    DeckPasses,
    PlayInterrupted,
)
from casino.facts.shufflers import ShufflerLoaded, ShufflerUnloaded
from casino.facts.values import Figures
from casino.regulation.checks import ALL_CHECKS
from casino.regulation.dossier import Told
from casino.regulation.floor import judge_partida, preview
from casino.regulation.law import load_law
from tests.floor_builders import (
    CHEFE,
    DECKS,
    FISCAL,
    LEFT_OUT,
    PAGADOR,
    SEATS,
    Game,
    cut_by,
    entry,
    evening,
    moment,
    offers,
    shuffler_evening,
)
from tests.law.asking import LAWFUL
from tests.law.floor_asking import cited, judged
from tests.law.test_floor_readings import PARTINGS
from tests.law.test_pt_09_warning_card import came_out
from tests.law.test_pt_47_jackpot import collected, staked
from tests.law.test_pt_51_54_shuffler import also_at, jam, reloaded, unwitnessed
from tests.law.test_pt_51_troubles import damage
from tests.law.test_pt_51_troubles import jam as opened

BOOKS: Final = ("pt", "es", "br", "fr", "pt-summary")
PT: Final = load_law("pt")
# Optional fields whose absence says something: the warning card has the colours the partida told.
SAYS_SOMETHING: Final = {(CartaAvisoPlaced, "colours")}


def messy() -> Game:
    """A shoe game with something wrong in most of its steps."""
    game = evening(closed=False)
    game.prepare(3, "22:00", cut=cut_by(2, special_card=False), burn={"cards": 2, "at": "22:30"})
    game.round(3, 1, "22:10")
    game.prepare(4, "23:00", shuffle={"shuffled_by": FISCAL}, warning=LEFT_OUT, burn=LEFT_OUT)
    game.round(4, 2, "23:10")
    game.round(None, None, "23:20", times=None)
    game.tell(PlayInterrupted, "23:30", reason="no_stakes", shoe=4)
    game.prepare(5, "23:40", cut=cut_by(5), warning={"cards_from_end": 100, "players": 1})
    game.close()
    return game


def self_witnessed() -> Game:
    game = unwitnessed()
    game.witness(game.entries[-1], PAGADOR)
    return game


GAMES: Final[dict[str, Callable[[], Game]]] = {
    "shoe": evening,
    "shuffler": shuffler_evening,
    "messy": messy,
    "self-witnessed": self_witnessed,
    "two tables": lambda: also_at("19:46", "19:50"),
    "reloaded": lambda: reloaded(jam),
    "opened by another": lambda: opened(opened_by=FISCAL, opened_by_office="fiscal_de_banca"),
    "he holds it, they wrote another": lambda: opened(opened_by_office="pagador"),
    "technician": lambda: opened(technician_called_at="21:02", opened_by="T-9"),
    "damage": damage,
    "damage, told by another": lambda: damage(communicated_by=FISCAL),
    "came out elsewhere": lambda: came_out(50, 2),
    "chips": lambda: collected("1 J1 1", "4 J1 1", shoe=1, number=1),
    "chips of a round": lambda: staked((1, "J1", 2)),
    **{f"reading {name}": parting.game for name, parting in PARTINGS.items()},
}


def lawful_of(game: Game, book: str) -> tuple[Counter[str], set[str]]:
    """How often each check says lawful, and the checks that say something else too."""
    outcomes = judged(game, book).outcomes
    lawful = Counter(name for name, outcome in outcomes if outcome == LAWFUL)
    return lawful, {name for name, outcome in outcomes if outcome != LAWFUL}


def with_less(fact: Any) -> Iterator[tuple[str, Any]]:
    """The fact without one field that was told and need not have been, each in turn."""
    for name in (field.name for field in fields(fact) if field.default is None):
        if getattr(fact, name) is not None and (type(fact), name) not in SAYS_SOMETHING:
            with suppress(Malformed):  # where another field asks for it
                yield name, replace(fact, **{name: None})


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("book", ["pt", "es"])
def test_knowing_less_never_makes_more_of_it_lawful(name: str, book: str) -> None:
    know_less(GAMES[name](), book)


def know_less(game: Game, book: str) -> None:
    """Leave every told field out in turn: nothing that was no lawful answer becomes one."""
    known, otherwise = lawful_of(game, book)
    for where in ("entries", "elsewhere"):
        entries: list[Told[Any]] = getattr(game, where)
        for place, told in enumerate(list(entries)):
            for field, fact in with_less(told.fact):
                entries[place] = replace(told, fact=fact)
                less, _ = lawful_of(game, book)
                assert not otherwise & (less - known).keys(), (told.fact.kind, field)
            entries[place] = told


@pytest.mark.parametrize("name", GAMES)
def test_the_order_in_which_it_was_written_down_changes_nothing(name: str) -> None:
    game = GAMES[name]()
    told, outcomes = cited(game), Counter(judged(game).outcomes)
    for seed in range(5):
        random.Random(seed).shuffle(game.entries)
        assert (cited(game), Counter(judged(game).outcomes)) == (told, outcomes)


def check_form(game: Game, book: str) -> None:
    """A judgement is one that can be written in the book."""
    judgement = judged(game, book)
    ids = {told.entry_id for told in (*game.entries, *game.elsewhere)}
    for found in judgement.findings:
        assert found.evidence, found.check
        assert set(found.evidence) <= ids
        assert len(set(found.evidence)) == len(found.evidence)
        assert found.article == load_law(book).checks[found.check]
        for told in (found.where, found.observed, found.expected):
            Figures().check(told, "$")
    assert {name for name, _ in judgement.outcomes} <= load_law(
        book
    ).checks.keys() & ALL_CHECKS.keys()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("book", BOOKS)
def test_every_finding_has_evidence_and_fits_into_the_book(name: str, book: str) -> None:
    check_form(GAMES[name](), book)


# Partidas nobody would think of

TIMES = st.integers(19 * 60, 24 * 60 - 1).map(lambda m: f"{m // 60}:{m % 60:02d}")
SHOES = st.integers(1, 4)
DECK = st.sampled_from([*DECKS, "D-9"])
OFFERS = st.lists(
    st.tuples(st.sampled_from(SEATS), st.sampled_from("+-")), unique_by=lambda o: o[0]
)
ACTS = st.one_of(
    st.builds(
        lambda shoe, deck, by: (
            CardsShuffled,
            {"shoe": shoe, "decks": (DeckPasses(deck=deck, passes=3),), "shuffled_by": by},
        ),
        SHOES, DECK, st.sampled_from([None, PAGADOR, FISCAL]),
    ),
    st.builds(
        lambda shoe, who, asked: (
            CutMade,
            {
                "shoe": shoe, "after": "next_shoe", "seats_occupied": SEATS,
                **cut_by(who), "offers": offers(" ".join(f"{s}{a}" for s, a in asked)),
            },
        ),
        SHOES, st.sampled_from([1, 2, 5, 7, "fiscal_de_banca", "pagador", "nobody"]), OFFERS,
    ),
    st.builds(
        lambda shoe, end, players: (
            CartaAvisoPlaced, {"shoe": shoe, "cards_from_end": end, "players": players}
        ),
        SHOES, st.integers(0, 312), st.integers(0, 3),
    ),
    st.builds(lambda shoe, n: (CardBurned, {"shoe": shoe, "cards": n}), SHOES, st.integers(0, 5)),
    st.builds(
        lambda shoe, why: (CardsSpread, {"shoe": shoe, "reason": why}),
        st.none() | SHOES, st.sampled_from(["no_players", "no_stakes", "other"]),
    ),
    st.builds(
        lambda why: (PlayInterrupted, {"reason": why}),
        st.sampled_from(["no_players", "dealer_change", "other"]),
    ),
    st.builds(
        lambda n, who: (
            ShufflerLoaded, {"shuffler": "CSM-04", "decks": DECKS, "packets": n, "operator": who}
        ),
        st.integers(1, 4), st.sampled_from([None, PAGADOR, FISCAL]),
    ),
    st.just((ShufflerUnloaded, {"shuffler": "CSM-04", "decks": DECKS})),
    st.builds(
        lambda what, who: (
            IncidentReported,
            {"incident": "I-1", "category": what, "reason": "x", "people": (), "opened_by": who},
        ),
        st.sampled_from(["jam", "damaged_card", "lid_opened", "cash"]),
        st.sampled_from([None, CHEFE, FISCAL]),
    ),
    st.builds(lambda shoe, n: ("round", {"shoe": shoe, "number": n}), st.none() | SHOES, SHOES),
    st.just(("witness", {})),
)  # fmt: skip


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Up to twenty-five acts at any times in any order."""
    game = Game(draw(st.sampled_from(["shoe", "shuffler"])), opened=draw(st.booleans()))
    for at, (kind, told) in draw(st.lists(st.tuples(TIMES, ACTS), max_size=25)):
        if kind == "round":
            game.round(**told, at=at)
        elif kind == "witness":
            loads = [one for one in game.entries if isinstance(one.fact, ShufflerLoaded)]
            if loads:
                game.witness(loads[-1], CHEFE, at)
        else:
            game.tell(kind, at, **told)
    if draw(st.booleans()):
        game.close()
    return game


@given(games(), st.sampled_from(BOOKS))
def test_no_partida_is_too_strange_to_be_judged(game: Game, book: str) -> None:
    check_form(game, book)


@given(games(), st.sampled_from(["pt", "es"]))
def test_of_no_partida_more_is_lawful_where_less_is_known(game: Game, book: str) -> None:
    know_less(game, book)


@given(games(), st.randoms(use_true_random=False))
def test_of_no_partida_the_order_of_writing_counts(game: Game, chance: random.Random) -> None:
    told, outcomes = cited(game), Counter(judged(game).outcomes)
    chance.shuffle(game.entries)
    assert (cited(game), Counter(judged(game).outcomes)) == (told, outcomes)


def test_what_was_done_between_two_rounds_was_not_done_before_the_deal() -> None:
    game = Game()
    game.prepare(1, burn={"at": "20:20"})
    game.round(1, 1, "20:10")
    game.round(1, 2, "20:30")
    assert cited(game) == ["10 shoe_is_burnt"]


# Before it is recorded


def candidate(game: Game, kind: Any, at: str, **told: Any) -> Told[Any]:
    """A fact in hand, not written down."""
    fact = kind(table=game.table, partida=game.partida, **told)
    return entry(fact, f"table/{game.table}", 999, at, FISCAL)


def test_a_form_learns_what_a_fact_would_open_before_it_is_recorded() -> None:
    game = Game("shuffler")
    told = {"shuffler": "CSM-04", "decks": DECKS, "operator": PAGADOR}
    one = candidate(game, ShufflerLoaded, "19:45", packets=1, **told)
    dossier = game.dossier("19:50")
    assert [found.check for found in preview(dossier, one, PT)] == ["shuffler_loaded_in_packets"]
    assert dossier.entries == tuple(game.entries)
    two = candidate(game, ShufflerLoaded, "19:45", packets=2, **told)
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
        game.prepare(shoe, f"{19 + shoe if shoe < 5 else shoe - 5:02d}:00:00")
        for number in range(1, 51):
            game.round(shoe, number, f"{19 + shoe if shoe < 5 else shoe - 5:02d}:{8 + number}")
    game.close("05:00")
    assert cited(game) == []
    assert moment("03:00") < moment("05:00")
