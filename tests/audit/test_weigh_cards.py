"""`manage.py weigh_cards`: the cards of a copy say outside the house what they say inside."""

from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command
from pytest_django import DjangoAssertNumQueries

from audit.exporting import Scope, export_bundle
from audit.management.commands import weigh_cards
from audit.reports.packs import cards_of_copy
from casino.events.partidas import PartidaOpened
from casino.recording import Actor
from tests.factories.games import Game
from tests.factories.games_in_book import in_the_book
from tests.factories.sealed_book import Connect, Seal
from tests.factories.shoe_cards import SIX, Evening, deal_shoe, gathered, shuffled

pytestmark = [pytest.mark.usefixtures("fresh_db", "english"), pytest.mark.share]


@pytest.fixture
def copy(connect_as: Connect, tmp_path: Path, settings: object) -> Path:
    """A copy of a book with a lawful game, and one in which the discards are dealt again."""
    seal, rng = Seal(connect_as, tmp_path / "public", settings), Random(5)
    lawful = Evening(-3, table="BJ-02", decks=("E-1", "E-2", "E-3", "E-4", "E-5", "E-6"))
    deal_shoe(lawful, 1, shuffled(rng))
    game: Game = Evening(-2)
    pile = gathered(rng, deal_shoe(game, 1, shuffled(rng)))
    left = list(SIX)
    for card in pile:
        left.remove(card)
    deal_shoe(game, 2, [*pile, *left])
    for one in (lawful, game):
        in_the_book(one)
    seal.sign()
    scope, by = Scope(), Actor("export", "sistema", "local")
    return export_bundle(tmp_path / "bundle", scope, by).place


def weigh(copy: Path, *more: str) -> tuple[str, int]:
    printed, code = StringIO(), 0
    try:
        call_command("weigh_cards", str(copy), "--language=en", *more, stdout=printed)
    except SystemExit as end:
        code = int(str(end.code))
    return printed.getvalue(), code


def test_a_copy_shows_what_its_cards_show(copy: Path) -> None:
    said, code = weigh(copy)
    assert code == 1
    lines = said.splitlines()
    (found,) = [line for line in lines if "among the discards of the shoe before" in line]
    assert "shoe 2" in found
    assert "from card 1," in found
    assert sum("a card missing" in line for line in lines) == 2
    lawful = next(line.split(",")[0] for line in lines if line.startswith("BJ-02"))
    said, code = weigh(copy, f"--partida={lawful}")
    assert code == 0
    assert "BJ-01" not in said


@pytest.mark.parametrize("wrong", ["no folder", "no copy", "another game"])
def test_what_is_no_copy_is_said(copy: Path, tmp_path: Path, wrong: str) -> None:
    if wrong == "another game":
        with pytest.raises(CommandError, match="no game BJ-09/2026-01-01/1") as refused:
            weigh(copy, "--partida=BJ-09/2026-01-01/1")
        assert refused.value.returncode == 3
        return
    place = tmp_path / "somewhere"
    if wrong == "no copy":
        place.mkdir()
        assert weigh(place)[1] == 3
        return
    with pytest.raises(CommandError, match="unpack the pack"):
        weigh(place)


def test_an_altered_copy_is_not_weighed(copy: Path) -> None:
    tile = next(one for one in sorted(copy.rglob("*")) if "entries" in str(one) and one.is_file())
    tile.write_bytes(tile.read_bytes().replace(b"KS", b"KH", 1))
    said, code = weigh(copy)
    assert code == 1
    assert "a card missing" not in said


def test_a_game_without_its_opening_is_not_decidable_and_never_in_order(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in the pack of one finding: its entries, and not the whole game."""
    whole = cards_of_copy.games_of(copy)
    lawful = next(name for name in whole if name.startswith("BJ-02"))
    opening = whole[lawful].of(PartidaOpened)[0]
    entries = tuple(one for one in whole[lawful].entries if one is not opening)
    games = {lawful: replace(whole[lawful], entries=entries)}
    monkeypatch.setattr(weigh_cards, "games_of", lambda _copy: games)
    said, code = weigh(copy)
    assert (code, "not decidable" in said) == (2, True)
    machine = replace(opening, event=replace(opening.event, dealing="shuffler"))
    games[lawful] = replace(whole[lawful], entries=(machine, *entries))
    said, code = weigh(copy)
    assert (code, "dealt from a shuffler" in said) == (0, True)


def test_the_book_of_the_house_is_not_asked(
    copy: Path, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        assert weigh(copy)[1] == 1
