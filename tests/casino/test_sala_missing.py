"""What a closing still lacks, and by which article it is asked for."""

from casino.floor.closing.still_missing import missing_of
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.games import Game


def test_decks_are_put_in_order_by_article_55_only_where_they_come_out_of_a_shuffler() -> None:
    for game, article in ((Game(), ""), (Game("shuffler"), "55")):
        if article:
            game.load()
        dossier = game.dossier("02:55")
        game_context = PartidaContext(dossier, load_law("pt").on(dossier.gaming_day))
        of = {one.what: one.article for one in missing_of(game_context)}
        assert of["ordering"] == article
