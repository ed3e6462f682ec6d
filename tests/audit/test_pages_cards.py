"""What the cards of a game show: over the evenings of the book, on its page and in its findings."""

from dataclasses import replace
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from audit.runs.current_findings import standing
from casino import clock, queries
from casino.law.dossier import Dossier
from tests.audit.reconciling import reconcile
from tests.factories.games import Game
from tests.factories.games_in_book import in_the_book
from tests.factories.people import somebody
from tests.factories.shoe_cards import SIX, Evening, deal_shoe, gathered, shuffled

pytestmark = [pytest.mark.django_db]
WHOLE, ORDER = "shoe_cards_as_whole_decks_give_them", "cards_in_no_order_they_lay_in"
GONE = SIX[7]


def evening(days: int, rng: Random, shoes: int = 12) -> Game:
    """One of several evenings dealt from decks without one card."""
    game = Evening(days)
    for shoe in range(1, shoes + 1):
        deal_shoe(game, shoe, shuffled(rng, [*SIX[:7], *SIX[8:]]))
    return in_the_book(game)


@pytest.fixture
def inspector() -> Client:
    return somebody("inspetor")


def page_of(reader: Client, game: Game) -> str:
    answer = reader.get(reverse("cards", args=[game.partida]))
    assert answer.status_code == 200
    return answer.content.decode()


def dossier_of(game: Game) -> Dossier:
    return queries.dossier_of(game.partida, as_of=clock.now())


def test_the_evenings_of_the_same_decks_are_found_up_to_what_is_read() -> None:
    rng = Random(1)
    first, second = evening(1, rng, shoes=1), evening(2, rng, shoes=1)
    other = Evening(3, decks=("E-1", "E-2", "E-3", "E-4", "E-5", "E-6"))
    deal_shoe(other, 1, shuffled(rng))
    in_the_book(other)
    assert [one.partida for one in queries.earlier_games(dossier_of(second))] == [first.partida]
    assert queries.earlier_games(dossier_of(other)) == ()
    (seen,) = queries.earlier_games(dossier_of(second), up_to={"table/BJ-01": 5})
    assert len(seen.entries) == 5  # the opening, a shuffle and three rounds


def test_a_missing_card_is_found_over_the_evenings_and_shown(inspector: Client) -> None:
    rng = Random(1)
    games = [evening(days, rng) for days in range(-5, -1)]
    for place, game in enumerate(games):
        reconcile(f"run {place}", partida=game.partida)
    found = standing().filter(check_name=WHOLE).order_by("gaming_day")
    assert {one.observed["missing_card"] for one in found} == {GONE}
    assert "suspected_in" not in found[0].observed
    assert all(one.observed["suspected_in"] == found[0].partida_id for one in found[1:])
    assert found[0].partida_id == games[2].partida
    page = page_of(inspector, games[2])
    assert "is probably missing" in page
    assert games[0].partida in page  # the evenings before it are part of the count
    assert page.count("<polyline") == 1 + 12 + 1  # of the decks, of each shoe, of the persons
    assert "after 32 shoes on average" in page
    finding = inspector.get(reverse("admin:audit_finding_change", args=[found[0].pk]))
    assert reverse("cards", args=[games[2].partida]) in finding.content.decode()
    # Done again, nothing is raised twice; and as another law has it, it is no difference.
    again = reconcile("again", partida=games[2].partida)
    assert (again.raised, again.superseded) == (0, 0)
    assert found.count() == 2


def test_an_unshuffled_shoe_is_found_and_worded(inspector: Client) -> None:
    rng, game = Random(5), Evening(-2)
    played = deal_shoe(game, 1, shuffled(rng))
    pile = gathered(rng, played)
    left = list(SIX)
    for card in pile:
        left.remove(card)
    deal_shoe(game, 2, [*pile, *left])
    in_the_book(game)
    reconcile("run", partida=game.partida)
    (found,) = standing().filter(check_name=ORDER)
    assert (found.severity, found.article, found.where) == ("warning", "house.cards", {"shoe": 2})
    page = page_of(inspector, game)
    assert "as they lay among the discards of the shoe before; the bound was reached" in page
    of = inspector.get(reverse("admin:audit_finding_change", args=[found.pk])).content.decode()
    assert "Suspicions, with the rate at which they are false." in of
    assert "Shoes for one false alarm about the order of cards: 400,000 (" in of
    assert f"{found.observed['likelier']:,}" in of


@pytest.mark.parametrize(
    ("spoilt", "words"),
    [
        ("no rounds", "No round of a shoe is recorded yet"),
        ("a shuffler", "dealt from a shuffler"),
        ("no order", "does not say in which order"),
    ],
)
def test_what_leaves_the_cards_open_is_said(inspector: Client, spoilt: str, words: str) -> None:
    game: Game = Evening(-2, dealing="shuffler" if spoilt == "a shuffler" else "shoe")
    if spoilt == "no order":
        deal_shoe(game, 1, shuffled(Random(1)))
        game.entries = [
            replace(one, event=replace(one.event, dealt=None))
            if one.event.kind == "round-played/1"
            else one
            for one in game.entries
        ]
    assert words in page_of(inspector, in_the_book(game))


def test_who_may_not_read_findings_sees_no_cards(inspector: Client) -> None:
    game = evening(-2, Random(1), shoes=1)
    here = reverse("cards", args=[game.partida])
    assert somebody("fiscal_de_banca").get(here).status_code == 403
    assert inspector.post(here).status_code == 405
    assert inspector.get(reverse("cards", args=["BJ-01/2026-01-01/9"])).status_code == 404
    assert inspector.get("/audit/cards/x%00y/").status_code == 404
