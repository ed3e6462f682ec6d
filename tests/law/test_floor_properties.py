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
from casino.facts.shoes import (
    CardBurned,
    CardsShuffled,
    CartaAvisoPlaced,
    DeckPasses,
    PlayInterrupted,
)
from casino.facts.shufflers import ShufflerLoaded
from casino.facts.values import Figures
from casino.regulation.checks import ALL_CHECKS
from casino.regulation.dossier import Told
from casino.regulation.floor import judge_partida, preview
from casino.regulation.law import load_law
from tests.floor_builders import (
    DECKS,
    FISCAL,
    LEFT_OUT,
    PAGADOR,
    Game,
    cut_by,
    entry,
    evening,
    moment,
    shuffler_evening,
)
from tests.law.asking import LAWFUL
from tests.law.floor_acts import games
from tests.law.floor_asking import cited, judged
from tests.law.jackpot_games import (
    collected_at_once,
    lawful_pool,
    no_top,
    sevens_across_hands,
)
from tests.law.test_floor_readings import PARTINGS
from tests.law.test_pt_02_04_14_floor import cards, opened_with, played_on, table
from tests.law.test_pt_05_condition import damaged, exchanged, next_shoe, withdrawn
from tests.law.test_pt_08_12_end_of_shoe import laid_out, last_round
from tests.law.test_pt_09_warning_card import came_out
from tests.law.test_pt_13_17_58_60_attested import silent
from tests.law.test_pt_47_jackpot import collected, staked
from tests.law.test_pt_51_54_shuffler import also_at, jam, reloaded, unwitnessed
from tests.law.test_pt_51_interlock import meanwhile, outside, written_off
from tests.law.test_pt_51_steps import lid, report, steps, told_late
from tests.law.test_pt_51_troubles import damage
from tests.law.test_pt_51_troubles import jam as opened
from tests.law.test_pt_52_57_machine import lid as opened_lid
from tests.law.test_pt_52_57_machine import shuffled, taken_out
from tests.law.test_pt_55_ordering import but, reported
from tests.law.test_pt_55_unloading import emptied, reopened, word_at
from tests.law.test_pt_57_excused import solved
from tests.law.test_pt_59_60_put_back import rounds
from tests.law.test_pt_61_complaints import complaint, error

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


def played_on_damaged() -> Game:
    game = damaged()
    game.round(1, 4, "20:40")
    return withdrawn(game, "20:45")


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
    "a pool": lawful_pool,
    "a pool, two winners": no_top,
    "a pool, blackjack collected": collected_at_once,
    "a pool, hands": sevens_across_hands,
    "another table": lambda: table(boxes=8, layout="other", numbering="other"),
    "a seventh box": lambda: played_on(7),
    "special cards": lambda: cards("red blue", "blue green"),
    "limits": lambda: opened_with(500, 20000),
    "damaged, played on": played_on_damaged,
    "damaged, exchanged": lambda: exchanged(damaged()),
    "withdrawn, shuffled again": lambda: next_shoe(withdrawn(damaged()), DECKS),
    "announced late": lambda: last_round(out_in=2, audible=False),
    "announced, played on": lambda: last_round("20:20:30", out_in=0, number=2),
    "laid out": lambda: laid_out("20:25", reason="other", face_up=False),
    "nobody attests": lambda: silent("deferred_cards_timed_or_attested", None),
    "taps": lambda: steps(report(), f"called 21:06, lid_opened 21:07 {FISCAL}"),
    "played on while jammed": lambda: meanwhile("21:01", "21:05"),
    "written off": lambda: written_off("21:20"),
    "jammed before": lambda: outside(resolved_at=moment("20:25")),
    "solved and taken out": lambda: solved("20:40", "20:45"),
    "emptied, called a jam": lambda: emptied(None, reason="jam", closing_announced=True),
    "opened again": reopened,
    "a late word": lambda: word_at("04:30"),
    "told late": lambda: told_late(1500),
    "the lid": lambda: lid(opened_by=FISCAL),
    "opened for nothing": lambda: opened_lid("other"),
    "taken out": lambda: taken_out("jam"),
    "not shuffled by hand": lambda: shuffled(method="machine"),
    "emptied wrongly": lambda: emptied(FISCAL, cards=311, empty=False, reason="closing"),
    "not regular": lambda: but("D-4", cards=51),
    "told before": lambda: reported("D-4", at="20:31"),
    "error": lambda: error(reviewed="21:00"),
    "put back late": lambda: rounds("20:25", "20:23", "20:33"),
    "put back alone": lambda: rounds("20:16", "20:23", waiting="1"),
    "complaint": lambda: complaint("20:40", reviewed=None),
    "complaint in dispute": lambda: complaint("20:11", "inadmissible", reviewed="20:30"),
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
    for where in ("entries", "around", "elsewhere"):
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
    ids = {told.entry_id for told in (*game.entries, *game.around, *game.elsewhere)}
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
    passes = tuple(DeckPasses(deck=deck, passes=3) for deck in DECKS)
    game.tell(CardsShuffled, "19:40", shoe=1, decks=passes, method="by_hand")
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
