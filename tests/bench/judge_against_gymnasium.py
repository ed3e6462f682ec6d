"""How fast the reference engine judges a round, beside gymnasium settling the same two hands.

Run it with `make bench`, or `python -m tests.bench.judge_against_gymnasium [rounds] [repetitions]`.
Judge and gymnasium take turns over the same rounds in one process, so that whatever else the
machine does falls on both; the ratio is taken within each repetition. Gymnasium settles one hand of
values against another and nothing else; the judge asks every check of the rulebook as well. Both
begin with what they like best: parsed records, lists of points. Prints a table in Markdown.
"""

import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Final

from gymnasium.envs.toy_text.blackjack import cmp, is_bust, is_natural, score

from casino.law.finding import FOUND
from casino.law.round_judge import judge
from casino.law.rulebook.rulebook_file import load_law
from casino.reading.round_reader import read_round
from tests.bench.one_wager_rounds import Sample, samples

SEED: Final = 1
GOAL: Final = 0.05  # rounds judged for each hand gymnasium settles


def settle(player: list[int], bank: list[int]) -> float:
    """A hand's reward, in stakes, put together from gymnasium's own functions.

    In the order of its environment's step, a blackjack paid one and a half and above another 21.
    """
    if is_bust(player):
        return -1.0
    mine, theirs = is_natural(player), is_natural(bank)
    if mine != theirs:
        return 1.5 if mine else -1.0
    return cmp(score(player), score(bank))


def agree(made: list[Sample]) -> bool:
    """Whether gymnasium settles every round as it was paid."""
    paid = [(sample.returned_cents - sample.stake_cents) / sample.stake_cents for sample in made]
    return paid == [settle(sample.player, sample.bank) for sample in made]


def machine() -> str:
    """The processor, its cores and the interpreter, on one line."""
    model = platform.processor() or platform.machine()
    cpus = Path("/proc/cpuinfo")
    if cpus.exists():
        named = [line for line in cpus.read_text("utf-8").splitlines() if "model name" in line]
        model = named[0].split(":")[1].strip() if named else model
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{model}, {os.cpu_count()} cores, {python}, {platform.system()}"


def pinned() -> str:
    """Keep to one core where the system lets us; says which."""
    if not hasattr(os, "sched_setaffinity"):
        return "not pinned to a core"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return f"pinned to core {core}"


def rate(work: Callable[[], object], rounds: int) -> float:
    """Rounds a second of processor time, which other programs on the machine do not spoil."""
    began = process_time()
    work()
    return rounds / (process_time() - began)


def measure(made: list[Sample], repetitions: int) -> dict[str, list[float]]:
    """Rounds a second of each side, one figure a repetition, all sides taking turns."""
    law = load_law("pt")
    records = [read_round(sample.line) for sample in made]
    found = sum(bool(verdict.outcome == FOUND) for r in records for verdict in judge(r, law).wagers)
    assert found == 0, f"{found} rounds of the benchmark are paid wrongly"
    assert agree(made), "gymnasium settles some rounds otherwise than they were paid"

    def judged() -> None:
        for record in records:
            judge(record, law)

    def settled() -> None:
        for sample in made:
            settle(sample.player, sample.bank)

    def parsed_and_judged() -> None:
        for sample in made:
            judge(read_round(sample.line), law)

    sides = {"judge": judged, "gymnasium": settled, "parse + judge": parsed_and_judged}
    rates: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(repetitions):
        for name, work in sides.items():
            rates[name].append(rate(work, len(made)))
    return rates


def spread(figures: list[float], form: str) -> str:
    """Median and extremes."""
    low, high = format(min(figures), form), format(max(figures), form)
    return f"{format(median(figures), form)} [{low} - {high}]"


def main(count: int = 4000, repetitions: int = 9) -> None:
    """Measure bare and full records and print both."""
    out = sys.stdout.write
    out(f"Machine: {machine()}; {pinned()}; {os.getloadavg()[0]:.1f} processes waiting.\n")
    out(f"{count} one-stake rounds, seed {SEED}, {repetitions} repetitions taking turns;\n")
    out("unit: rounds a second of processor time, median [least - most].\n\n")
    out("| record | judge | gymnasium | parse + judge | judge / gymnasium |\n")
    out("|---|---|---|---|---|\n")
    kept = True
    for name, bare in (("required fields only", True), ("everything told", False)):
        made = list(samples(count, SEED, bare=bare))
        rates = measure(made, repetitions)
        ratios = [a / b for a, b in zip(rates["judge"], rates["gymnasium"], strict=True)]
        cells = [spread(figures, ",.0f") for figures in rates.values()]
        out(f"| {name} | {' | '.join(cells)} | {spread(ratios, '.4f')} |\n")
        kept = kept and median(ratios) >= GOAL
    out(f"\nGoal: ratio at least {GOAL}: {'reached' if kept else 'not reached'}.\n")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
