"""What is played for the progressive prize, before the law.

Pure: a partida's dossier comes in, findings go out. The names and statements of the checks stand
with the law, in `casino.law.rulebook.jackpot_law`.

Law: PT art. 38 to 50.
"""

from collections.abc import Iterator
from dataclasses import replace

from casino.law.check_registry import plan_of
from casino.law.dossier import Dossier
from casino.law.finding import Rule, Verdict
from casino.law.partida_judge import PartidaJudgement, findings_of, judgement_of
from casino.law.questions import breaches_in
from casino.law.rulebook.jackpot_law import ONE_CHIP
from casino.law.rulebook.rulebook import Law, LawInForce
from jackpot.rules.chip_checks import collections, one_chip_per_player
from jackpot.rules.conditions import conditions
from jackpot.rules.nowhere import nowhere
from jackpot.rules.pool_evening import pools_of
from jackpot.rules.recorded_twice import recorded_twice
from jackpot.rules.staking import staking
from jackpot.rules.undone import undone
from jackpot.rules.unreported import unreported_wins
from jackpot.rules.win_checks import winning


def judge_jackpot(dossier: Dossier, law: Law) -> PartidaJudgement:
    """Judge what was staked on the progressive prize in one partida, and what was won and paid.

    Never raises on events the book accepted. Evidence of a finding are ids of entries.
    """
    rules = law.on(dossier.gaming_day)
    upheld, found = plan_of(rules).upheld, findings_of(dossier, rules)
    for rule, verdict in _said(dossier, rules):
        if rule.name in upheld:
            found.take(rule, verdict)
    return judgement_of(found)


def _said(dossier: Dossier, rules: LawInForce) -> Iterator[tuple[Rule, Verdict]]:
    """What each check says of each round's chips, of each pool and its wins."""
    if ONE_CHIP.name in plan_of(rules).upheld:
        for one in collections(dossier):
            yield ONE_CHIP, one_chip_per_player(one, rules)
    pools = pools_of(dossier, rules)
    yield from nowhere(dossier, pools)
    for pool in pools:
        for judged in (conditions, staking, winning, recorded_twice, undone, unreported_wins):
            for rule, verdict in judged(pool):
                yield rule, _of_the_pool(verdict, pool.jackpot)


def _of_the_pool(verdict: Verdict, jackpot: str) -> Verdict:
    """The same; its breaches say of which pool they are."""
    if verdict is None or isinstance(verdict, str):
        return verdict
    return [replace(one, where={**one.where, "jackpot": jackpot}) for one in breaches_in(verdict)]


__all__ = ["judge_jackpot"]
