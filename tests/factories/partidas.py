"""A partida of every kind the floor's tests know."""

from collections.abc import Callable
from typing import Final

from casino.events.shoes import PlayInterrupted
from tests.factories.attested_games import silent
from tests.factories.collected_chips import collected, staked
from tests.factories.complaints import complaint, error
from tests.factories.damaged_decks import damaged, exchanged, next_shoe, withdrawn
from tests.factories.ends_of_shoes import came_out, laid_out, last_round
from tests.factories.game_readings import PARTINGS
from tests.factories.games import (
    DECKS,
    FISCAL,
    LEFT_OUT,
    PAGADOR,
    Game,
    cut_by,
    evening,
    moment,
    shuffler_evening,
)
from tests.factories.opened_tables import cards, opened_with, played_on, table
from tests.factories.pool_games import collected_at_once, lawful_pool, no_top, sevens_across_hands
from tests.factories.rounds_put_back import rounds
from tests.factories.shuffler import also_at, record_jam, reloaded, unwitnessed
from tests.factories.shuffler_emptied import but, emptied, reopened, reported, word_at
from tests.factories.shuffler_incidents import (
    lid,
    meanwhile,
    outside,
    recorded_late,
    report,
    steps,
    written_off,
)
from tests.factories.shuffler_opened import lid_opened as opened_lid
from tests.factories.shuffler_opened import shuffled, solved, taken_out
from tests.factories.shuffler_troubles import damage
from tests.factories.shuffler_troubles import jam as opened


def messy() -> Game:
    """A shoe game with something wrong in most of its steps."""
    game = evening(closed=False)
    game.prepare(3, "22:00", cut=cut_by(2, special_card=False), burn={"cards": 2, "at": "22:30"})
    game.round(3, 1, "22:10")
    game.prepare(4, "23:00", shuffle={"shuffled_by": FISCAL}, warning=LEFT_OUT, burn=LEFT_OUT)
    game.round(4, 2, "23:10")
    game.round(None, None, "23:20", times=None)
    game.record(PlayInterrupted, "23:30", reason="no_stakes", shoe=4)
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
    "reloaded": lambda: reloaded(record_jam),
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
    "told late": lambda: recorded_late(1500),
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
