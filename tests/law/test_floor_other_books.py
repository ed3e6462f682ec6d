"""What the other books ask of preparing a shoe."""

from dataclasses import replace
from typing import Any

import pytest

from casino.events.partidas import PartidaOpened, SpecialCard
from casino.events.shoes import CardsShuffled, CutMade, DeckPasses
from tests.factories.games import DECKS, LEFT_OUT, Game, cut_by, evening
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
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


@pytest.mark.parametrize(("book", "section"), [("br", "baralhos"), ("fr", "the-setting/packs")])
def test_where_six_decks_are_used_brazil_and_france_part_them_by_colour_too(
    book: str, section: str
) -> None:
    assert said(COLOURS, backs(*RED_AND_BLUE), book) == LAWFUL
    assert the_finding(COLOURS, backs(*["red"] * 6), book).article == section


def test_a_handbook_that_lets_fewer_decks_be_used_parts_only_six_by_colour() -> None:
    assert said(COLOURS, Game(decks=DECKS[:4]), "br") == NOT_ASKED


# France: red packs and blue ones

NAMED = "back_colours_as_named"


@upholds_case(NAMED, "lawful")
def test_in_france_the_backs_are_red_and_blue() -> None:
    assert said(NAMED, backs(*RED_AND_BLUE), "fr") == LAWFUL
    assert said(NAMED, backs(*["green"] * 3, *["red"] * 3), "es") == NOT_ASKED


@upholds_case(NAMED, "unlawful")
@pytest.mark.parametrize(
    ("colours", "others"),
    [
        (["red"] * 3 + ["green"] * 3, ["green"]),
        (["black"] * 3 + ["green"] * 3, ["black", "green"]),
        (["red"] * 5 + ["green"], ["green"]),
    ],
)
def test_in_france_no_other_backs(colours: list[str], others: list[str]) -> None:
    found = the_finding(NAMED, backs(*colours), "fr")
    assert (found.article, found.observed) == ("the-setting/packs", {"back_colours": others})
    assert found.expected == {"back_colours": ["red", "blue"]}


@upholds_case(NAMED, "boundary")
def test_an_untold_back_leaves_it_open_unless_another_is_wrong() -> None:
    assert said(NAMED, backs(*RED_AND_BLUE[:5], None), "fr") == UNDECIDED
    assert said(NAMED, backs("green", *[None] * 5), "fr") == BREACH


# France: the player's cut, then the dealer's; the player's card announces the last hand

SECOND, COLOUR = "dealer_cuts_after_a_player", "cut_with_the_card_of_its_colour"
LAST_HAND = "players_card_announces_the_last_hand"
CUTTING = "the-setting/shuffle-and-cut"
RED, BLUE = SpecialCard(front="red", back="red"), SpecialCard(front="blue", back="blue")


def cut_twice(
    players: dict[str, Any] | None, dealers: dict[str, Any] | None = None, **warning: Any
) -> Game:
    """A shoe cut by a player, and then by the dealer unless he is None; a round is dealt of it."""
    game = Game()
    first = LEFT_OUT if players is None else {"card_colour": "red", **players}
    game.prepare(1, cut=first, warning={"colours": RED, **warning})
    if dealers is not None:
        known = {"card_colour": "blue", "offers": (), "seats_occupied": (1, 2, 5), **dealers}
        game.record(
            CutMade, "20:03", shoe=1, after="start", **{"cut_by": "pagador", "seat": None, **known}
        )
    game.round(1, 1, "20:10")
    return game


@upholds_case(SECOND, "lawful")
@upholds_case(COLOUR, "lawful")
def test_in_france_a_player_cuts_with_red_and_the_dealer_with_blue() -> None:
    game = cut_twice({}, {})
    assert (said(SECOND, game, "fr"), said(COLOUR, game, "fr")) == (LAWFUL, LAWFUL)
    assert {said(SECOND, game, "es"), said(COLOUR, game, "es")} == {NOT_ASKED}


@upholds_case(SECOND, "unlawful")
@pytest.mark.parametrize(
    ("players", "dealers", "observed", "expected"),
    [
        ({}, None, "seat", "pagador"),
        (cut_by("fiscal_de_banca"), None, "fiscal_de_banca", "pagador"),
        (cut_by("pagador"), None, "pagador", "seat"),
        ({}, cut_by("fiscal_de_banca"), "fiscal_de_banca", "pagador"),
    ],
)
def test_one_cut_alone_is_found(
    players: dict[str, Any], dealers: dict[str, Any] | None, observed: str, expected: str
) -> None:
    found = the_finding(SECOND, cut_twice(dict(players), dealers), "fr")
    assert (found.article, found.observed) == (CUTTING, {"cut_by": observed})
    assert found.expected == {"cut_by": expected}


@upholds_case(SECOND, "boundary")
@pytest.mark.parametrize("first", [cut_by("pagador", "2-"), cut_by("pagador", seats_occupied=())])
def test_where_no_player_wanted_or_was_there_the_dealer_cuts_alone(first: dict[str, Any]) -> None:
    assert said(SECOND, cut_twice(dict(first)), "fr") == LAWFUL


def test_a_shoe_nobody_cut_is_found_as_such_and_asked_no_more() -> None:
    game = cut_twice(None)
    assert said(SECOND, game, "fr") == said(COLOUR, game, "fr") == NOT_ASKED
    assert said("shoe_is_cut", game, "fr") == BREACH


@upholds_case(COLOUR, "unlawful")
@pytest.mark.parametrize(
    ("players", "dealers", "observed", "expected"),
    [("blue", "blue", "blue", "red"), ("red", "yellow", "yellow", "blue")],
)
def test_a_cut_with_another_card_is_found(
    players: str, dealers: str, observed: str, expected: str
) -> None:
    game = cut_twice({"card_colour": players}, {"card_colour": dealers})
    found = the_finding(COLOUR, game, "fr")
    assert (found.article, found.observed) == (CUTTING, {"card_colour": observed})
    assert found.expected == {"card_colour": expected}


@upholds_case(COLOUR, "boundary")
def test_a_colour_nobody_told_leaves_it_open_and_a_fiscals_card_has_none() -> None:
    assert said(COLOUR, cut_twice({"card_colour": None}, {}), "fr") == UNDECIDED
    game = cut_twice({**cut_by("fiscal_de_banca"), "card_colour": None}, {})
    assert said(COLOUR, game, "fr") == LAWFUL


@upholds_case(LAST_HAND, "lawful")
def test_in_france_the_players_red_card_announces_the_last_hand() -> None:
    assert said(LAST_HAND, cut_twice({}, {}), "fr") == LAWFUL
    assert said(LAST_HAND, cut_twice({}, {}), "es") == NOT_ASKED


@upholds_case(LAST_HAND, "unlawful")
@pytest.mark.parametrize(
    ("card", "colours"),
    [(BLUE, ["blue"]), (SpecialCard(front="red", back="black"), ["black", "red"])],
)
def test_another_card_that_announces_it_is_found(card: SpecialCard, colours: list[str]) -> None:
    found = the_finding(LAST_HAND, cut_twice({}, {}, colours=card), "fr")
    assert (found.article, found.observed) == ("the-setting/last-hand", {"card_colours": colours})
    assert found.expected == {"card_colours": ["red"]}


@upholds_case(LAST_HAND, "boundary")
def test_what_the_opening_tells_of_the_card_holds_where_nothing_else_does() -> None:
    untold = cut_twice({}, {}, colours=None)
    assert the_finding(LAST_HAND, untold, "fr").observed == {"card_colours": ["yellow"]}
    untold.change(PartidaOpened, carta_aviso=RED)
    assert said(LAST_HAND, untold, "fr") == LAWFUL
    untold.change(PartidaOpened, carta_aviso=None)
    assert said(LAST_HAND, untold, "fr") == UNDECIDED
    none_placed = Game()
    none_placed.prepare(1, warning=LEFT_OUT)
    assert said(LAST_HAND, none_placed, "fr") == NOT_ASKED


# Spain and Brazil: the used cards before they are mixed again

TURNED = "used_cards_turned_before_the_mix"


def mixed_again(*turned: bool | None) -> Game:
    """A second shoe, its shuffle told in as many entries as there are answers."""
    game = evening(shoes=1)
    game.prepare(2, "21:00", shuffle={"used_cards_turned": turned[0]})
    for answer in turned[1:]:
        game.record(
            CardsShuffled,
            "21:01",
            shoe=2,
            decks=tuple(DeckPasses(deck=deck, passes=3) for deck in DECKS),
            used_cards_turned=answer,
        )
    return game


@upholds_case(TURNED, "lawful")
@pytest.mark.parametrize("book", ["es", "br"])
def test_the_open_cards_are_parted_and_turned_onto_the_closed_ones(book: str) -> None:
    assert said(TURNED, mixed_again(True), book) == LAWFUL
    assert said(TURNED, mixed_again(True), "pt") == NOT_ASKED


@upholds_case(TURNED, "unlawful")
@pytest.mark.parametrize(
    ("book", "section"),
    [("es", "inicio/mezcla-y-corte"), ("br", "inicio-da-partida/mistura-e-corte")],
)
@pytest.mark.parametrize("answers", [(False,), (False, False)])
def test_used_cards_mixed_as_they_lay_are_found(
    book: str, section: str, answers: tuple[bool, ...]
) -> None:
    found = the_finding(TURNED, mixed_again(*answers), book)
    assert (found.article, found.where) == (section, {"shoe": 2})
    assert (found.observed, found.expected) == (
        {"used_cards_turned": "no"},
        {"used_cards_turned": "yes"},
    )


@upholds_case(TURNED, "boundary")
def test_the_first_shoe_has_no_used_cards_and_an_untold_shuffle_leaves_it_open() -> None:
    assert said(TURNED, evening(shoes=1), "es") == NOT_ASKED
    assert said(TURNED, mixed_again(None), "es") == UNDECIDED
    assert said(TURNED, mixed_again(False, None), "es") == UNDECIDED
    assert said(TURNED, mixed_again(False, True), "es") == LAWFUL
