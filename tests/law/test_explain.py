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

from audit.rounds_file import run
from casino.events.round.round_played import RoundPlayed
from casino.law import round_judge
from casino.law.checks.rounds import betting, dealing, decisions, options, splitting
from casino.law.round_judge import judge as judged
from casino.law.rounds import returned_stakes, settlement, side_bets
from casino.law.rulebook.rulebook_file import DATA, load_law, rulebook_ids
from casino.law.wording import wording
from casino.law.wording.explain import explain, in_english
from casino.law.wording.explain_words import Words
from casino.law.wording.wording import Language, Translate
from casino.reading.round_reader import read_round
from tests.factories.any_rounds import rounds
from tests.factories.rounds import a_round, box, main

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = sorted((DATA / "examples").glob("*.jsonl"))
RECORDED = ROOT / "tests" / "law" / "explained"

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
        # What is said of one and of many has no one key, and no room without a framework says it.
        texts = {m.id: m.string for m in read_mo(file) if isinstance(m.id, str)}
    return lambda text: str(texts[text])


def recorded(played: RoundPlayed, translate: Translate, language: Language) -> list[str]:
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
        expected = (RECORDED / f"{name}.{language}.txt").read_text("utf-8").splitlines()
        assert recorded(RECORDS[round_id], translate, language) == expected


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
    def record(played: RoundPlayed) -> None:
        assert explain(played, law, portuguese, "pt")

    record()


def test_a_switched_reading_is_named() -> None:
    law = load_law("pt").with_readings({"bank-bust": "nearer_wins"})
    assert "Reading bank-bust taken as nearer_wins." in explain(RECORDS[PLAIN_WIN], law)


def codes_of_why() -> Iterator[str]:
    """Every reason the engine's source gives for not deciding: `undecided("...")` and the like."""
    for module in (round_judge, returned_stakes, settlement, side_bets):
        tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "undecided":
                yield from _constants(node.args[0])
            if isinstance(node, ast.FunctionDef) and node.name in ("unknown_because", "doubt"):
                yield from (
                    code
                    for inner in ast.walk(node)
                    if isinstance(inner, ast.Return) and inner.value is not None
                    for code in _constants(inner.value)
                )


def _constants(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def options_left_open() -> set[str]:
    """The parameters `unstated_option` names: texts with a dot in its source."""
    tree = ast.parse(Path(str(settlement.__file__)).read_text("utf-8"))
    function = next(n for n in tree.body if getattr(n, "name", "") == "unstated_option")
    texts = (node for part in ast.walk(function) for node in _constants_of(part))
    return {text for text in texts if re.fullmatch(r"\w+\.\w+", text)}


def _constants_of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.expr):
        yield from _constants(node)


def test_every_reason_for_not_deciding_has_words() -> None:
    codes = set(codes_of_why())
    stated = {code.removeprefix("not_stated:") for code in codes if ":" in code}
    assert {code for code in codes if ":" not in code} == set(wording.WHY)
    assert stated | options_left_open() <= set(wording.NOT_STATED)


def named_in_findings() -> Iterator[tuple[str, ast.expr]]:
    """Every name and value the source puts into a dict, as `observed` and `expected` are."""
    for module in (betting, dealing, decisions, options, splitting, round_judge, run):
        for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8"))):
            if isinstance(node, ast.Dict):
                for key, value in zip(node.keys, node.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        yield key.value, value
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
                place = node.targets[0].slice
                if isinstance(place, ast.Constant) and isinstance(place.value, str):
                    yield place.value, node.value


def test_what_findings_observe_and_expect_has_words() -> None:
    elsewhere = {"owner", "shoe"}  # where a finding lies, which is told apart
    parameters = {"unlimited", "once", "twice", "three_times", "never"}  # choices of a reading
    found = [(name, value) for name, value in named_in_findings() if name not in parameters]
    assert len(found) > 100
    assert {name for name, _ in found} - elsewhere <= set(wording.NAMES)
    texts = {text for _, value in found for part in ast.walk(value) for text in _constants_of(part)}
    texts = {text for text in texts if "." not in text}  # with a dot it is a parameter
    assert texts - set(wording.NAMES) <= set(wording.VALUES)


def test_every_finding_of_the_examples_is_said_in_portuguese(portuguese: Translate) -> None:
    say = wording.FindingWords(portuguese, "pt")
    for book in rulebook_ids():
        for played in RECORDS.values():
            judgement = judged(played, load_law(book))
            for finding in judgement.findings:
                for values in (finding.observed, finding.expected):
                    assert "_" not in say.format(values), finding.check
            for verdict in judgement.wagers:
                if verdict.why is not None:
                    assert not re.search(r"[a-z][._][a-z]", say.why(verdict.why)), verdict.why


def test_a_list_says_it_shorter(portuguese: Translate) -> None:
    law = load_law("pt")
    words = Words(law, law.on(RECORDS[PLAIN_WIN].gaming_day), portuguese, "pt")
    short = wording.FindingWords(portuguese, "pt")
    cards, moment = {"drawn": ["2D", "TS"]}, {"not_after": "2027-01-02T22:03:04+00:00"}
    assert short.format(cards) == "tirada 2♦ 10♠"
    assert words.format(cards) == "tirada 2 de ouros, 10 de espadas"
    assert short.format(moment) == "não depois de 2027-01-02T22:03:04+00:00"
    assert words.format(moment) == "não depois de 22:03:04"
    for each in (short, words):
        assert each.format({"totals": [9, 10], "open": []}) == (
            "totais 9, 10, abertas, por ordem nenhuma"
        )
        assert each.why("not_stated:split_equal_values") == (
            "este regulamento não diz: Só se desdobram duas primeiras cartas de igual valor"
        )


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


def test_a_third_card_taken_from_the_bank_is_told_with_those_it_drew() -> None:
    boxes = box(1, "TS 2D 4C", main(1000, 0))
    order = "1 TS, bank TH, 1 2D, bank 7C, 1 4C, bank 5C"
    late = a_round(boxes, bank="TH 7C", voided="5C extra", dealt=order)
    text = explain(late, load_law("pt"))
    assert text.index("Bank") < next(n for n, line in enumerate(text) if "5 of clubs" in line)
    turned = a_round(
        boxes, bank="TH 7C", voided="5C turned", dealt="1 TS, bank TH, 1 2D, bank 5C, bank 7C, 1 4C"
    )
    text = explain(turned, load_law("pt"))
    assert next(n for n, line in enumerate(text) if "5 of clubs" in line) < text.index("Decisions")
    early = a_round(
        boxes,
        bank="6H 7C 5D",
        voided="KC extra",
        dealt="1 TS, bank 6H, 1 2D, bank 7C, bank KC, 1 4C, bank 5D",
    )
    assert any(
        "as one too many; it was drawn before every player had been asked" in line
        for line in explain(early, load_law("pt"))
    )
