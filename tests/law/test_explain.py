"""A round explained: five told whole in both languages, and every other one told at all.

The texts in `explained/` were read line by line against the records; a change of wording is made
there by hand.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.mofile import read_mo
from hypothesis import HealthCheck, given, settings

from audit.rounds_file import wording
from casino.facts.rounds import RoundPlayed
from casino.reading.round_reader import read_round
from casino.regulation import explain_words, judge, settlement
from casino.regulation.explain import explain, in_english
from casino.regulation.explain_words import Language, Translate, Words
from casino.regulation.judge import judge as judged
from casino.regulation.law import load_law, rulebook_ids
from tests.rounds_strategy import rounds

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = sorted((ROOT / "tests" / "law" / "examples").glob("*.jsonl"))
TOLD = ROOT / "tests" / "law" / "explained"

PLAIN_WIN = "01934f00-0001-7000-8000-000000000001"
SPLIT_AGAIN = "01934f00-0003-7000-8000-000000000003"
FIXED_ACE = "01934f00-0004-7000-8000-000000000004"
MISDIRECTED = "00000000-0000-4000-8000-000000001811"
COMMENTED_GAME = "00000000-0000-4000-8000-000000100001"


def from_page() -> Iterator[RoundPlayed]:
    """The records docs/round-record.md shows."""
    page = (ROOT / "docs" / "round-record.md").read_text("utf-8")
    for record in re.findall(r"```json round.*?\n(.*?)```", page, re.DOTALL):
        yield read_round(json.dumps(json.loads(record)).encode())


def from_examples() -> Iterator[RoundPlayed]:
    """The worked examples, as they stand on their lines."""
    for file in EXAMPLES:
        for line in file.read_bytes().splitlines():
            yield read_round(line)


RECORDS = {played.round: played for played in (*from_page(), *from_examples())}


@pytest.fixture(scope="module")
def portuguese() -> Translate:
    """The catalogue's Portuguese; fails on a sentence it does not have."""
    with (ROOT / "locale" / "pt_PT" / "LC_MESSAGES" / "django.mo").open("rb") as file:
        texts = {message.id: message.string for message in read_mo(file)}
    return lambda text: str(texts[text])


def told(played: RoundPlayed, translate: Translate, language: Language) -> list[str]:
    return explain(played, load_law(played.rulebook or "pt"), translate, language)


@pytest.mark.parametrize(
    ("name", "round_id"),
    [
        ("plain-win", PLAIN_WIN),
        ("split-again", SPLIT_AGAIN),
        ("fixed-ace", FIXED_ACE),
        ("misdirected", MISDIRECTED),
        ("commented-game", COMMENTED_GAME),
    ],
)
def test_a_round_told_whole(name: str, round_id: str, portuguese: Translate) -> None:
    for language, translate in (("pt", portuguese), ("en", in_english)):
        expected = (TOLD / f"{name}.{language}.txt").read_text("utf-8").splitlines()
        assert told(RECORDS[round_id], translate, language) == expected


@pytest.mark.parametrize("language", ["pt", "en"])
def test_every_example_tells_what_each_wager_was_due(
    language: Language, portuguese: Translate
) -> None:
    translate = portuguese if language == "pt" else in_english
    for played in RECORDS.values():
        law = load_law(played.rulebook or "pt")
        words = Words(law, law.on(played.gaming_day), translate, language)
        text = "\n".join(explain(played, law, translate, language))
        for verdict in judged(played, law).wagers:
            if verdict.due_cents is None:
                assert words.why(verdict.why) in text
            else:
                figures = re.escape(words.money(verdict.due_cents))
                assert re.search(rf"(Due|Devido) {figures}, ", text), (played.round, verdict)


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_example_is_told_under_every_rulebook(book: str, portuguese: Translate) -> None:
    law = load_law(book)
    for played in RECORDS.values():
        assert explain(played, law, portuguese)


@pytest.mark.parametrize("book", ["pt", "es"])
def test_any_well_formed_round_is_told(book: str, portuguese: Translate) -> None:
    law = load_law(book)

    @settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(rounds())
    def tell(played: RoundPlayed) -> None:
        assert explain(played, law, portuguese, "pt")

    tell()


def test_a_switched_reading_is_named() -> None:
    law = load_law("pt").with_readings({"bank-bust": "nearer_wins"})
    assert "Reading bank-bust taken as nearer_wins." in explain(RECORDS[PLAIN_WIN], law)


def codes_of_why() -> Iterator[str]:
    """Every reason the engine's source gives for not deciding: `undecided("...")` and the like."""
    for module in (judge, settlement):
        tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "undecided":
                yield from _constants(node.args[0])
            if isinstance(node, ast.FunctionDef) and node.name == "_unknown_because":
                yield from (
                    code
                    for inner in ast.walk(node)
                    if isinstance(inner, ast.Return) and inner.value is not None
                    for code in _constants(inner.value)
                )


def _constants(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def test_every_reason_for_not_deciding_has_words() -> None:
    codes = set(codes_of_why())
    stated = {code.removeprefix("not_stated:") for code in codes if ":" in code}
    assert {code for code in codes if ":" not in code} == set(explain_words.WHY)
    assert stated <= set(explain_words.NOT_STATED)


def test_what_findings_observe_and_expect_has_words(portuguese: Translate) -> None:
    spoken = set(explain_words.NAMES)
    for book in rulebook_ids():
        for played in RECORDS.values():
            for finding in judged(played, load_law(book)).findings:
                for name in {*finding.observed, *finding.expected}:
                    assert name in spoken, finding.check
                    spelled = name.removesuffix("_cents")
                    assert portuguese(wording.NAMES.get(spelled, spelled.replace("_", " ")))


def test_money_and_cards_are_written_as_the_language_writes_them(portuguese: Translate) -> None:
    law = load_law("pt")
    rules = law.on(RECORDS[PLAIN_WIN].gaming_day)
    english, ours = Words(law, rules, in_english, "en"), Words(law, rules, portuguese, "pt")
    assert (english.money(123456), ours.money(123456)) == ("1,234.56", "1 234,56")
    assert (english.money(5), ours.money(100)) == ("0.05", "1,00")
    assert english.cards(("AS", "8D", "TC")) == "ace of spades, 8 of diamonds, 10 of clubs"
    assert ours.cards(("AS", "8D", "TC")) == "ás de espadas, 8 de ouros, 10 de paus"
    assert ours.cards(("7?", "X?")) == (
        "7 (naipe não registado), carta de valor 10 (naipe não registado)"
    )
    assert english.points(("AS", "6D")) == "7 or 17"
    assert english.points(("AS", "6D", "9C")) == "16"
    assert english.points(("AS", "KD")) == "21"
