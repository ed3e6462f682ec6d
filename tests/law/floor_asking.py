"""What the law says of a partida, asked in the few ways the tests of the floor need."""

from collections.abc import Mapping
from typing import Any

from casino.law.finding import Finding
from casino.law.partida_judge import PartidaJudgement, judge_partida
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law
from jackpot.rules import judge_jackpot
from tests.factories.games import Game
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED

Readings = Mapping[str, Any]
OF_CHIPS = "chips_are_those_of_the_game"


def judged(
    game: Game, book: str | Law = "pt", readings: Readings | None = None, as_of: str = "06:00"
) -> PartidaJudgement:
    """The whole judgement of the partida, the progressive prize included."""
    law = load_law(book) if isinstance(book, str) else book
    law = law.with_readings(readings) if readings else law
    dossier = game.dossier(as_of)
    floor, jackpot = judge_partida(dossier, law), judge_jackpot(dossier, law)
    return PartidaJudgement(floor.findings + jackpot.findings, [*floor.outcomes, *jackpot.outcomes])


def said(check: str, game: Game, *asked: Any, **named: Any) -> str:
    """What a check says of the partida, gravest answer first; NOT_ASKED where it says nothing."""
    answers = {outcome for name, outcome in judged(game, *asked, **named).outcomes if name == check}
    return next((one for one in (BREACH, UNDECIDED, LAWFUL) if one in answers), NOT_ASKED)


def findings(check: str, game: Game, *asked: Any, **named: Any) -> list[Finding]:
    """The findings of one check, in the order they were reached."""
    return [found for found in judged(game, *asked, **named).findings if found.check == check]


def the_finding(check: str, game: Game, *asked: Any, **named: Any) -> Finding:
    """The one finding of that check."""
    found = findings(check, game, *asked, **named)
    assert len(found) == 1, [f"{one.article} {one.check} {one.where}" for one in found]
    return found[0]


def cited(game: Game, *asked: Any, **named: Any) -> list[str]:
    """Everything found, as ``"8 shoe_is_cut"``, sorted."""
    return sorted(f"{one.article} {one.check}" for one in judged(game, *asked, **named).findings)


def undecided(game: Game, *asked: Any, **named: Any) -> set[str]:
    """The checks the record leaves open, but for that of the chips: these games tell none."""
    open_still = judged(game, *asked, **named).outcomes
    return {name for name, said in open_still if said == UNDECIDED} - {OF_CHIPS}
