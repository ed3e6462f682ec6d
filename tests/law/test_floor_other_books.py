"""What the other books ask of preparing a shoe."""

from dataclasses import replace
from typing import Any

import pytest

from casino.events.partidas import PartidaOpened
from casino.events.shoes import CardsShuffled, DeckPasses
from tests.factories.games import DECKS, Game, cut_by, evening
from tests.law.asking import LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import findings, said, the_finding

PASSES, PLAYERS = "shuffle_passes_enough", "last_cut_is_a_players"
EXACT = "burnt_cards_exact"
COLOURS = "decks_of_two_colours_alike"
RED_AND_BLUE = ["red"] * 3 + ["blue"] * 3


@upholds_case(PASSES, "lawful")
@upholds_case(PLAYERS, "lawful")
@pytest.mark.parametrize("book", ["es", "br"])
def test_in_the_iberian_books_each_deck_gets_three_passes_and_a_player_cuts(book: str) -> None:
    assert (said(PASSES, evening(), book), said(PLAYERS, evening(), book)) == (LAWFUL, LAWFUL)


@upholds_case(PASSES, "unlawful")
@pytest.mark.parametrize(
    ("book", "section"),
    [("es", "inicio/mezcla-y-corte"), ("br", "inicio-da-partida/mistura-e-corte")],
)
@pytest.mark.parametrize("passes", [0, 2])
def test_two_passes_of_a_deck_are_too_few(book: str, section: str, passes: int) -> None:
    game = Game()
    rest = tuple(DeckPasses(deck=deck, passes=3) for deck in DECKS[1:])
    game.prepare(1, shuffle={"decks": (DeckPasses(deck="D-1", passes=passes), *rest)})
    found = the_finding(PASSES, game, book)
    assert (found.article, found.where) == (section, {"shoe": 1, "deck": "D-1"})
    assert (found.observed, found.expected) == ({"passes": passes}, {"at_least": 3})


@upholds_case(PASSES, "boundary")
def test_passes_told_in_two_entries_add_up_and_portugal_counts_none() -> None:
    game = Game()
    once = tuple(DeckPasses(deck=deck, passes=1) for deck in DECKS)
    game.prepare(1, shuffle={"decks": once})
    game.record(
        CardsShuffled, "20:01", shoe=1, decks=tuple(DeckPasses(deck=d, passes=2) for d in DECKS)
    )
    assert said(PASSES, game, "es") == LAWFUL
    assert said(PASSES, game, "pt") == NOT_ASKED


@upholds_case(PLAYERS, "unlawful")
@pytest.mark.parametrize("who", ["pagador", "fiscal_de_banca"])
def test_in_spain_the_house_does_not_cut_last_unasked(who: str) -> None:
    game = Game()
    game.prepare(1, cut=cut_by(who))
    found = the_finding(PLAYERS, game, "es")
    assert (found.observed, found.expected) == ({"cut_by": who}, {"cut_by": "seat"})


@upholds_case(PLAYERS, "boundary")
@pytest.mark.parametrize("cut", [cut_by("pagador", "2-"), cut_by("pagador", seats_occupied=())])
def test_where_whoever_was_asked_declined_there_is_no_finding(cut: dict[str, Any]) -> None:
    game = Game()
    game.prepare(1, cut=dict(cut))
    assert findings(PLAYERS, game, "br") == []
    assert said(PLAYERS, game, "br") == NOT_ASKED


SEAL = "deck_seal_intact"


def sealed(seal: str | None, deck: str = "D-2") -> Game:
    game = evening()
    game.entries = [one for one in game.entries if getattr(one.event, "deck", "") != deck]
    game.show(deck, "19:30", seal=seal)
    return game


@upholds_case(SEAL, "lawful")
@pytest.mark.parametrize("book", ["es", "br"])
def test_in_the_iberian_books_a_new_deck_has_its_seal_whole(book: str) -> None:
    assert said(SEAL, evening(), book) == LAWFUL
    assert said(SEAL, evening(), "pt") == NOT_ASKED


@upholds_case(SEAL, "unlawful")
@pytest.mark.parametrize(("book", "section"), [("es", "inicio"), ("br", "inicio-da-partida")])
@pytest.mark.parametrize("deck", ["D-1", "D-6"])
def test_a_broken_seal_is_found(book: str, section: str, deck: str) -> None:
    found = the_finding(SEAL, sealed("broken", deck), book)
    assert (found.article, found.where) == (section, {"deck": deck})
    assert (found.observed, found.expected) == ({"seal": "broken"}, {"seal": "intact"})


@upholds_case(SEAL, "boundary")
def test_a_deck_that_was_in_play_before_has_no_seal_and_an_untold_one_leaves_it_open() -> None:
    assert findings(SEAL, sealed("none"), "es") == []
    assert said(SEAL, sealed(None), "es") == UNDECIDED


def burnt(cards: int) -> Game:
    game = Game()
    game.prepare(1, burn={"cards": cards})
    game.round(1, 1, "20:10")
    return game


@pytest.mark.parametrize(
    ("book", "section"),
    [
        ("es", "inicio/separador-y-quemadas"),
        ("br", "inicio-da-partida/separador-e-queimadas"),
        ("fr", "the-setting/shuffle-and-cut"),
    ],
)
def test_the_other_books_burn_five(book: str, section: str) -> None:
    assert said(EXACT, burnt(5), book) == LAWFUL
    assert the_finding(EXACT, burnt(1), book).article == section
    assert said(EXACT, burnt(1), "pt-summary") == NOT_ASKED


# Spain: six decks, three of each of two back colours


def backs(*colours: str | None) -> Game:
    game = evening()
    decks = tuple(
        replace(deck, back_colour=colour)
        for deck, colour in zip(game.entries[0].event.decks, colours, strict=True)
    )
    game.change(PartidaOpened, decks=decks)
    return game


@upholds_case(COLOURS, "lawful")
def test_in_spain_three_decks_have_one_back_colour_and_three_another() -> None:
    assert said(COLOURS, backs(*RED_AND_BLUE), "es") == LAWFUL
    assert said(COLOURS, backs(*["red"] * 6), "pt") == NOT_ASKED


@upholds_case(COLOURS, "unlawful")
@pytest.mark.parametrize(
    ("colours", "counted"),
    [
        (["red"] * 6, [6]),
        (["red"] * 4 + ["blue"] * 2, [4, 2]),
        (["red"] * 3 + ["blue"] * 2 + ["green"], [3, 2, 1]),
        (["red"] * 4 + [None] * 2, [4]),  # whatever the two are
    ],
)
def test_in_spain_no_other_colours_of_backs(colours: list[str | None], counted: list[int]) -> None:
    found = the_finding(COLOURS, backs(*colours), "es")
    assert (found.article, found.rulebook) == ("tipo-de-baraja", "es")
    assert (found.observed, found.expected) == (
        {"of_each_colour": counted},
        {"of_each_colour": [3, 3]},
    )


@upholds_case(COLOURS, "boundary")
def test_a_back_nobody_told_leaves_the_colours_open() -> None:
    assert said(COLOURS, backs(*RED_AND_BLUE[:5], None), "es") == UNDECIDED
    assert said(COLOURS, backs(*[None] * 6), "es") == UNDECIDED
