"""A simulated casino before the law: clean evenings raise nothing, each planted breach is found.

The evenings are played and paid by another hand than the engine's (docs/simulation.md): where the
two agree, they agree although neither saw the other.
"""

from collections import Counter
from datetime import date

import pytest

from casino.law.check_registry import ALL_CHECKS
from casino.law.round_judge import judge
from casino.law.rounds.card_population import ShoeCards, cards_of
from casino.law.rulebook.rulebook_file import load_law
from casino.law.shoe_rounds import ShoeKey, ShoeWatch, Turn, TurnVerdict
from casino.simulation import Label, evening
from casino.simulation.faults.every_fault import KINDS
from tests.factories.rounds_elsewhere import BOOKS, under
from tests.gate import drawn, size

DAY = date(2026, 11, 20)
TABLES = 3
SEEDS = drawn(range(10), 2)
ROUNDS = size(2_000, 10_000, 100_000)
ELSEWHERE = size(1_000, 10_000, 250_000)  # of each of the other rulebooks


def found_in(
    seed: int, rounds: int, error_rate: float
) -> tuple[int, dict[str, set[str]], dict[str, Label]]:
    """Play an evening: how many rounds, the articles found by round, the labels by round."""
    law = load_law("pt")
    most = max(law.on(DAY)["decks.allowed"])
    watch, shoes = ShoeWatch(), ShoeCards()
    articles: dict[str, set[str]] = {}
    labels: dict[str, Label] = {}
    played = 0
    verdicts: list[TurnVerdict] = []
    for record, label in evening(seed, TABLES, rounds, error_rate, DAY):
        played += 1
        found = {finding.article for finding in judge(record, law).findings}
        if record.shoe is not None and record.number is not None:
            if shoes.add(record.partida, record.shoe, cards_of(record), most):
                found.add("3")
            turn = Turn(
                record.number,
                bytes.fromhex(record.round.replace("-", "")),
                record.warning_card_at is not None,
            )
            verdicts += watch.add(ShoeKey("pt", record.partida, record.shoe), turn)
        if found:
            articles[record.round] = found
        if label is not None:
            labels[record.round] = label
    verdicts += watch.finish()
    by_bytes = {bytes.fromhex(one.replace("-", "")): one for one in labels}
    for verdict in verdicts:
        if verdict.outcome == "finding":
            round_id = by_bytes.get(verdict.turn.round_id, verdict.turn.round_id.hex())
            articles.setdefault(round_id, set()).add("11")
    return played, articles, labels


@pytest.mark.parametrize("seed", SEEDS)
def test_clean_evenings_raise_no_finding(
    seed: int,
) -> None:
    each = ROUNDS // TABLES + 1
    played, articles, labels = found_in(1000 + seed, each, 0.0)
    assert played >= ROUNDS
    assert labels == {}
    assert articles == {}


@pytest.mark.parametrize("book", BOOKS)
def test_clean_evenings_raise_no_finding_under_another_rulebook_either(book: str) -> None:
    law, lawful, kept = load_law(book), 0, 0
    for record, _ in evening(BOOKS.index(book), TABLES, ELSEWHERE // TABLES + 1, 0.0, DAY):
        played = under(book, record)
        if played is None:
            continue
        judged = judge(played, law)
        assert judged.findings == (), played
        kept += 1
        lawful += sum(outcome == "lawful" for _, outcome in judged.outcomes)
    assert kept > ELSEWHERE * 3 // 4
    assert lawful > 3 * kept  # it was asked of something


@pytest.mark.parametrize("seed", drawn(range(3), 1))
def test_every_planted_breach_is_found_under_its_article(
    seed: int,
) -> None:
    _, articles, labels = found_in(seed, size(1_500, 1_500, 30_000), 0.4)
    missed = [label for one, label in labels.items() if label.article not in articles.get(one, ())]
    assert missed == []
    assert {one for one in articles if one not in labels} == set(), "a finding without an error"
    kinds = Counter(label.kind for label in labels.values())
    assert sorted(kind for kind in KINDS if not kinds[kind]) == []


def test_a_planted_amount_is_the_amount_found() -> None:
    law = load_law("pt")
    compared = 0
    for record, label in evening(7, TABLES, 600, 0.5, DAY):
        if label is None or label.difference_cents is None or label.wager == "special":
            continue
        money = [
            finding.owed_cents if finding.owed_to == "house" else -finding.owed_cents
            for finding in judge(record, law).findings
            if finding.owed_to is not None
        ]
        assert money == [label.difference_cents], label
        compared += 1
    assert compared > 100


def test_the_simulated_kinds_reach_most_articles_of_the_round() -> None:
    asked = {load_law("pt").on(DAY).article_of(name) for name in ALL_CHECKS}
    assert set(KINDS.values()) <= asked
