"""The worked examples: rounds whose result was worked out by hand before any engine ran them.

casino/law/data/examples holds pairs: NAME.jsonl, round records as a file import takes them, and
NAME.toml, what each round must give. docs/worked-examples.md says where each stands in its source,
what was assumed and how a row is read. The tests of the first half need no engine: they hold the
casebook together. The last one judges every round under every rulebook and reading it names.
"""

import json
import tomllib
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import translation

from casino.law.round_judge import judge
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook_file import load_law
from casino.law.worked_examples import Example, differences, examples, of_folder
from casino.reading.round_reader import read_round
from tests.law.worked_examples import EXAMPLES, NAMES, records

ARTICLES = ["1", "6", *(str(number) for number in range(13, 38))]
READINGS = [
    "bank-bust",
    "best-total",
    "void-beyond-right",
    "unlawful-stake",
    "unknown-outcome",
    "misdealt-to-standing-bank",
    "no-peek",
    "naturals-only",
    "paid-out-counts-as-out",
    "insurance-settles",
    "pair-by-value",
    "resplit-only-pairs",
    "split-asks-a-card",
    "first-of-two",
    "follow-the-double",
    "even-money-own-choice",
    "double-two-cards",
    "fixed-ace",
    "max-before-deal",
    "insurance-of-first-stake",
    "special-prize",
    "surrender-moment",
    "vacant-like-complementary",
    "which-article",
    "odd-cent",
]
# Articles whose text draws a line: a round stands on it, not only beside it.
NO_LINE = {"17", "30", "34"}
ON_THE_LINE = [article for article in ARTICLES if article not in NO_LINE]

Case = dict[str, Any]
WagerKey = tuple[int, int, str, str]


def book(name: str) -> dict[str, Any]:
    """What one examples file must give."""
    return tomllib.loads((EXAMPLES / f"{name}.toml").read_text(encoding="utf-8"))


def pt_rounds() -> list[Case]:
    """Every round that is judged by the Portuguese articles first."""
    return [
        case for name in NAMES if book(name)["rulebook"] == "pt" for case in book(name)["round"]
    ]


def returned_of(record: Case) -> dict[WagerKey, int]:
    """What the record says was handed back, per wager; a wager that names no hand has hand 0."""
    return {
        (box["box"], wager.get("hand", 0), wager["owner"], wager["kind"]): wager["returned_cents"]
        for box in record["boxes"]
        for wager in box["wagers"]
    }


def staked_of(record: Case, owner: str) -> int:
    """All that one owner had laid in the round, cents."""
    wagers = [wager for box in record["boxes"] for wager in box["wagers"]]
    return sum(wager["stake_cents"] for wager in wagers if wager["owner"] == owner)


def expected_of(case: Case) -> dict[WagerKey, tuple[str, int | None]]:
    """Outcome and amount due per wager as the casebook has them; no figure where not decidable."""
    return {
        (box, hand, owner, kind): (outcome, None if due == "-" else due)
        for box, hand, owner, kind, outcome, due in case["wagers"]
    }


def cited(case: Case) -> set[str]:
    """The articles the casebook says a round's findings cite."""
    return {entry.split()[0] for entry in case.get("findings", [])}


@pytest.mark.parametrize("name", NAMES)
def test_each_line_has_its_expectation_and_each_expectation_its_line(name: str) -> None:
    ids = [case["round"] for case in book(name)["round"]]
    assert ids == list(records(name))
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", NAMES)
def test_every_line_is_a_round_record(name: str) -> None:
    for round_id, line in records(name).items():
        assert read_round(line).round == round_id


def test_no_round_stands_in_two_files() -> None:
    ids = [round_id for name in NAMES for round_id in records(name)]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", NAMES)
def test_every_example_says_where_it_stands(name: str) -> None:
    for case in book(name)["round"]:
        assert case["title_pt"], case["round"]
        assert case["title_en"], case["round"]
        assert case["place"], case["round"]


@pytest.mark.parametrize("name", NAMES)
def test_every_unlawful_example_says_why(name: str) -> None:
    for case in book(name)["round"]:
        if case.get("findings") or case.get("cites_one_of"):
            assert case["why"], case["round"]


@pytest.mark.parametrize("name", NAMES)
def test_outcomes_agree_with_what_was_handed_back(name: str) -> None:
    """A wager is lawful exactly when what was handed back is what was due."""
    lines = records(name)
    for case in book(name)["round"]:
        returned = returned_of(json.loads(lines[case["round"]]))
        for variant in [case, *case.get("otherwise", [])]:
            if "wagers" not in variant:
                continue
            expected = expected_of(variant)
            assert set(expected) == set(returned), case["round"]
            for key, (outcome, due) in expected.items():
                if due is None:
                    assert outcome == "not_decidable", (case["round"], key)
                else:
                    same = due == returned[key]
                    assert outcome == ("lawful" if same else "finding"), (case["round"], key)


@pytest.mark.parametrize("name", NAMES)
def test_nets_printed_in_the_source_come_out(name: str) -> None:
    lines = records(name)
    for case in book(name)["round"]:
        record = json.loads(lines[case["round"]])
        for owner, net in case.get("nets", {}).items():
            rows = [(key, due) for key, (_, due) in expected_of(case).items() if due is not None]
            due_in_all = sum(due for key, due in rows if key[2] == owner)
            assert due_in_all - staked_of(record, owner) == net, (case["title_en"], owner)


@pytest.mark.parametrize("article", ARTICLES)
def test_article_has_a_lawful_and_an_unlawful_round(article: str) -> None:
    own = [case for case in pt_rounds() if case["article"] == article]
    assert any(case.get("findings") == [] for case in own)
    assert any(article in cited(case) for case in own)


@pytest.mark.parametrize("article", ON_THE_LINE)
def test_article_with_a_limit_has_a_round_on_the_limit(article: str) -> None:
    assert any(case.get("boundary") for case in pt_rounds() if case["article"] == article)


@pytest.mark.parametrize("reading", READINGS)
def test_reading_has_a_round_in_which_its_choices_part(reading: str) -> None:
    for case in pt_rounds():
        for variant in case.get("otherwise", []):
            if reading not in variant.get("readings", {}):
                continue
            if any(
                field in variant and variant[field] != case.get(field)
                for field in ("wagers", "findings", "cites_one_of")
            ):
                return
    pytest.fail(f"no round parts the choices of {reading}")


def agrees(entry: str, finding: tuple[str, str]) -> bool:
    """Whether ``"21 blackjack_tie_is_null"`` names this finding; ``*`` leaves one half open."""
    return all(asked in ("*", got) for asked, got in zip(entry.split(), finding, strict=True))


def assert_findings(case: Case, found: set[tuple[str, str]]) -> None:
    """No finding missing, none too many, where the casebook gives the list."""
    if "findings" in case:
        entries = case["findings"]
        missing = [entry for entry in entries if not any(agrees(entry, got) for got in found)]
        extra = [got for got in sorted(found) if not any(agrees(entry, got) for entry in entries)]
        assert (missing, extra) == ([], [])
    if "cites_one_of" in case:
        articles = {article for article, _ in found}
        assert found
        assert "*" in case["cites_one_of"] or articles & set(case["cites_one_of"])


def variants() -> list[Any]:
    """Every round as it stands, and under each other rulebook or reading it names."""
    rows = []
    for name in NAMES:
        for case in book(name)["round"]:
            short = f"{name}-{case['round'].rsplit('-', 1)[1].lstrip('0')}"
            rows.append(pytest.param(name, case, case, id=short))
            for variant in case.get("otherwise", []):
                readings = [f"{key}={value}" for key, value in variant.get("readings", {}).items()]
                under = "-".join([variant.get("rulebook", ""), *readings]).strip("-")
                rows.append(pytest.param(name, case, variant, id=f"{short}-{under}"))
    return rows


@pytest.fixture(scope="module")
def judged() -> Callable[[bytes, str, dict[str, Any]], Any]:
    """Read a line, load its law, judge it."""
    judge = pytest.importorskip("casino.law.round_judge").judge
    load_law = pytest.importorskip("casino.law.rulebook.rulebook_file").load_law

    def run(line: bytes, rulebook: str, readings: dict[str, Any]) -> Any:
        law = load_law(rulebook)
        return judge(read_round(line), law.with_readings(readings) if readings else law)

    return run


@pytest.mark.parametrize(("name", "case", "variant"), variants())
def test_worked_example(
    judged: Callable[[bytes, str, dict[str, Any]], Any], name: str, case: Case, variant: Case
) -> None:
    rulebook = variant.get("rulebook", book(name)["rulebook"])
    judgement = judged(records(name)[case["round"]], rulebook, variant.get("readings", {}))
    if "wagers" in variant:
        given = {
            (wager.box, wager.hand or 0, wager.owner, wager.kind): (wager.outcome, wager.due_cents)
            for wager in judgement.wagers
        }
        assert given == expected_of(variant), case["title_en"]
    assert_findings(variant, {(finding.article, finding.check) for finding in judgement.findings})


def test_the_product_reads_the_casebook_as_it_stands() -> None:
    read = {one.round: one for one in examples()}
    for name in NAMES:
        casebook, lines = book(name), records(name)
        for case in casebook["round"]:
            one = read[case["round"]]
            assert (one.file, one.rulebook) == (name, casebook["rulebook"])
            assert one.record == lines[case["round"]]
            under = [variant.get("rulebook", one.rulebook) for variant in case.get("otherwise", [])]
            assert [result.rulebook for result in one.results] == [one.rulebook, *under]


def test_the_product_finds_nothing_otherwise_than_by_hand() -> None:
    printed = StringIO()
    with translation.override("pt-pt"):
        call_command("worked_examples", stdout=printed)
    said = printed.getvalue().splitlines()
    assert len(said) == len(NAMES)
    assert said[0] == "br-handbook: 31 jogadas, julgadas 31 vezes"


ALTERED: list[tuple[str, str, str, list[tuple[str, str, str]]]] = [
    ("another amount", '"main", "lawful", 2500]', '"main", "lawful", 2400]',
     [("1 1 J1 main", "lawful 2400", "lawful 2500")]),
    ("a finding nobody made", "findings = []", 'findings = ["1 only_a_blackjack_is_paid_as_one"]',
     [("finding", "1 only_a_blackjack_is_paid_as_one", "")]),
    ("a finding left open", "findings = []", 'findings = ["* only_a_blackjack_is_paid_as_one"]',
     [("finding", "* only_a_blackjack_is_paid_as_one", "")]),
    ("one article of several", "findings = []", 'cites_one_of = ["21", "23"]',
     [("finding", "21 / 23", "")]),
]  # fmt: skip


@pytest.mark.parametrize(("why", "written", "instead", "said"), ALTERED, ids=lambda x: str(x)[:24])
def test_the_product_says_what_came_out_otherwise(
    tmp_path: Path, why: str, written: str, instead: str, said: list[tuple[str, str, str]]
) -> None:
    one = altered(tmp_path, written, instead)[0]
    judgement = judge(read_round(one.record), load_law("pt"))
    assert differences(one.results[0], judgement) == said, why


def altered(folder: Path, written: str, instead: str) -> tuple[Example, ...]:
    """The first examples of the regulation, written otherwise in one place."""
    (folder / "examples").mkdir()
    for end in ("toml", "jsonl"):
        text = (EXAMPLES / f"pt-01-06-values.{end}").read_text("utf-8")
        text = text.replace(written, instead, 1) if end == "toml" else text
        (folder / "examples" / f"altered.{end}").write_text(text, "utf-8")
    return of_folder(folder)


@pytest.mark.parametrize(
    ("written", "instead", "said"),
    [
        ("000000000101", "000000000999", "one line a round, in the same order in both files"),
        ("title_pt", "title_fr", r"altered\.toml: \(file\): found KeyError\('title_pt'\)"),
        ('"main", "lawful", 2500]', '"lawful", 2500]', "found TypeError"),
        ("[[round]]", "[[round]", "found TOMLDecodeError"),
    ],
)
def test_a_file_of_examples_that_is_none_is_refused(
    tmp_path: Path, written: str, instead: str, said: str
) -> None:
    with pytest.raises(LawError, match=said):
        altered(tmp_path, written, instead)
