"""Evenings with all procedures before the law: clean ones raise nothing, each breach is found.

They are recorded by another hand than the checks' (docs/simulation.md): where the two agree, they
agree although neither saw the other.
"""

import json
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Final

import pytest

from audit.museum.judged_evenings import PT, Found, dossiers, found_in, recorded_in
from casino.extensions import event_kinds
from casino.law.check_registry import ALL_CHECKS
from casino.law.finding import Check
from casino.law.partida_judge import judge_partida
from casino.reading.payload import event_of
from casino.simulation import procedures
from casino.simulation.fault_labels import label_as_json
from casino.simulation.procedures import (
    BREACHES,
    CHECKS,
    MOST,
    ProceduralEvening,
    evening_with,
    procedural_evening,
)
from casino.simulation.procedures.procedure_acts import ByName
from casino.simulation.procedures.simulated_book import entries_of, entry_as_json
from jackpot.rules import judge_jackpot
from tests.gate import drawn, size
from tests.law.asking import LAWFUL

DAY: Final = date(2026, 11, 20)
# Not 6, of amounts alone: tests/audit/test_simulated_evenings.py plants it.
ARTICLES: Final = {str(n) for n in (*range(2, 6), *range(7, 14), 16, 17, *range(37, 62))}
# Asked of rounds one by one, or of many together: tests/audit/test_simulated_evenings.py.
OF_ROUNDS: Final = {name for name in CHECKS if not isinstance(ALL_CHECKS[name], Check)} | {
    name
    for name in CHECKS
    if ALL_CHECKS[name].scope in ("round", "misdealt", "taken_out", "vacant", "box", "hand")
}
# Asked only where a deck is not regular, which is a breach of its own, or where a machine tells how
# many cards it took back, which these do not.
OF_BREACHES: Final = {"irregular_deck_reported", "all_cards_put_back"}
# It leaves open what the later hands are due, so that more is found than it: planted there as well.
AMONG_ROUNDS: Final = {"two_cards_to_each_place"}
KINDS: Final = {breach.kind: breach for breach in BREACHES}
CLEAN: Final = drawn(range(size(60, 60, 1_000)), 12)


def labelled(evening: ProceduralEvening) -> list[Found]:
    """The labels as what has to be found."""
    return sorted(
        (
            Found(label.partida, label.article, label.check, label.where, label.round)
            for label in evening.labels
        ),
        key=str,
    )


def test_clean_evenings_raise_no_finding() -> None:
    rounds = wins = emptied = 0
    for seed in CLEAN:
        evening = procedural_evening(seed, DAY)
        rounds += sum(len(game.rounds) for game in evening.partidas)
        assert evening.labels == []
        assert found_in(evening) == [], seed
        acts = [act for game in evening.partidas for act in game.acts]
        texts = [act.event.kind for act in acts if isinstance(act.event, ByName)]
        wins += texts.count("jackpot-won/1")
        emptied += texts.count("jackpot-started/1")
    assert rounds > size(1_500, 8_000, 150_000)
    assert wins > size(10, 200, 4_000)
    assert emptied > size(1, 60, 1_200)


def test_a_shoe_table_whose_every_shoe_was_laid_out_reports_no_card() -> None:
    evening = procedural_evening(558, DAY)
    reporting = [one for one in evening.partidas if one.wishes.get("reports")]
    assert any(
        one.dealing == "shoe" and one.of_kind("cards-spread") and not one.of_kind("card-out")
        for one in reporting
    )
    assert found_in(evening) == []


def test_clean_evenings_are_asked_everything() -> None:
    answers: Counter[str] = Counter()
    for seed in range(size(4, 12, 12)):
        for dossier in dossiers(recorded_in(procedural_evening(seed, DAY))):
            for judge in (judge_partida, judge_jackpot):
                outcomes = judge(dossier, PT).outcomes
                answers.update(check for check, outcome in outcomes if outcome == LAWFUL)
    asked = CHECKS.keys() - OF_ROUNDS - OF_BREACHES
    assert {check for check in asked if not answers[check]} == set()


def test_every_check_of_these_articles_has_a_breach() -> None:
    rules = PT.on(DAY)
    upheld = {name: rules.article_of(name) for name in ALL_CHECKS}
    asked = {name: upheld[name] for name in upheld.keys() - AMONG_ROUNDS}
    asked = {name: article for name, article in asked.items() if article in ARTICLES}
    assert asked.items() <= CHECKS.items()
    assert {name: upheld[name] for name in CHECKS} == CHECKS
    assert {breach.check for breach in BREACHES} == CHECKS.keys()
    assert len({breach.kind for breach in BREACHES}) == len(BREACHES)


@pytest.mark.share
@pytest.mark.parametrize("kind", drawn(KINDS, 1, kind=lambda kind: CHECKS[KINDS[kind].check]))
def test_a_planted_breach_is_found_and_nothing_else(kind: str) -> None:
    """In `make test` one kind of each article, another at each commit."""
    breach = KINDS[kind]
    for seed in range(size(1, 1, 20)):
        evening = procedural_evening(seed, DAY, [breach])
        assert breach.check in {label.check for label in evening.labels}
        assert {label.kind for label in evening.labels} == {breach.kind}
        assert found_in(evening) == labelled(evening), seed


@pytest.mark.check
def test_several_breaches_of_one_evening_are_found() -> None:
    checks = set()
    for seed in drawn(range(size(6, 6, 200)), 2):
        evening = evening_with(seed, DAY, MOST)
        assert len({label.kind for label in evening.labels}) == MOST
        assert found_in(evening) == labelled(evening), seed
        checks |= {label.check for label in evening.labels}
    assert len(checks) > size(5, 15, 80)


@pytest.mark.check
def test_a_breach_lies_in_partidas_of_its_own() -> None:
    for seed in range(size(2, 4, 4)):
        kinds: dict[str, set[str]] = {}
        for label in evening_with(seed, DAY, MOST).labels:
            prize = dict(label.where).get("jackpot")
            kinds.setdefault(label.partida or str(prize), set()).add(label.kind)
        assert all(len(each) == 1 for each in kinds.values())


@pytest.mark.parametrize("number", [-1, MOST + 1])
def test_no_evening_has_room_for_more(number: int) -> None:
    with pytest.raises(ValueError, match=f"asked is 0 to {MOST}"):
        evening_with(1, DAY, number)


def test_the_same_seed_makes_the_same_evening() -> None:
    def lines(seed: int) -> list[str]:
        acts = evening_with(seed, DAY, 2).acts
        return [entry_as_json(entry) for entry in entries_of(acts, event_kinds())]

    assert lines(5) == lines(5)
    assert lines(5) != lines(6)


def test_a_line_is_read_as_it_was_written() -> None:
    kinds = event_kinds()
    seen = set()
    for seed in range(size(3, 8, 8)):
        for entry in entries_of(procedural_evening(seed, DAY).acts, kinds):
            said = json.loads(entry_as_json(entry))
            assert event_of(kinds[said["kind"]], said["payload"]) == entry.event
            assert (said["stream"], said["n"]) == (entry.stream, entry.n)
            seen.add(said["kind"])
    # Everything the floor and its prizes can tell, but what only correcting and the book tell.
    assert seen == {
        "card-burned/1", "card-out/1", "card-replaced/1", "cards-shuffled/1", "cards-spread/1",
        "carta-aviso-placed/1", "chips-counted/1", "complaint-decided/1", "complaint-received/1",
        "cut-made/1", "dealer-left-table/1", "dealer-took-table/1", "deck-inspected/1",
        "deck-received/1", "deck-withdrawn/1", "dispute-reviewed/1", "duty-begun/1",
        "drop-counted/1", "duty-ended/1", "firmware-decided/1", "footage-held/1",
        "incident-closed/1", "incident-reported/1", "shuffler-signal/1",
        "inspection-leave-asked/1", "inspection-leave-decided/1", "limits-approved/1",
        "incident-step/1", "jackpot-adjusted/1", "jackpot-incremented/1", "jackpot-paid/1",
        "jackpot-read/1", "jackpot-sealed/1", "jackpot-started/1", "jackpot-won/1",
        "last-round-announced/1", "limits-set/1", "notice-acknowledged/1", "notice-sent/1",
        "office-granted/1", "partida-closed/1", "partida-opened/1", "partida-reopened/1",
        "play-interrupted/1", "play-resumed/1", "round-played/1", "rounds-deferred/1",
        "seat-left/1", "seat-taken/1", "shuffler-cycle/1", "shuffler-found-empty/1",
        "shuffler-loaded/1", "shuffler-opened/1", "shuffler-registered/1", "shuffler-self-check/1",
        "shuffler-unloaded/1", "staff-registered/1", "stake-signal/1",
        "table-registered/1", "terms-approved/1", "terms-confirmed/1", "witnessed/1",
    }  # fmt: skip


def test_the_page_lists_every_breach_under_its_article() -> None:
    page = (Path(procedures.__path__[0]).parents[2] / "docs/simulation.md").read_text("utf-8")
    rows = [line.strip("| \n").split(" | ") for line in page.splitlines() if line[:2] == "| "]
    values = {kind: row[0] for row in rows if len(row) == 2 for kind in row[1].split(", ")}
    for breach in BREACHES:
        assert values.get(breach.kind) == CHECKS[breach.check], breach.kind


def test_a_label_leaves_out_what_it_does_not_say() -> None:
    (burnt,) = [each for each in BREACHES if each.kind == "two_cards_burnt"]
    (label,) = procedural_evening(1, DAY, [burnt]).labels
    assert json.loads(label_as_json(label)) == {
        "partida": label.partida, "kind": "two_cards_burnt", "article": "10",
        "check": "burnt_cards_exact", "where": dict(label.where),
    }  # fmt: skip
    assert set(dict(label.where)) == {"shoe"}
