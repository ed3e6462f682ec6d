"""The worked examples of docs/round-record.md before the law: those called lawful are."""

import json
import re
from pathlib import Path

import pytest

from casino.law.round_judge import judge
from casino.law.rulebook.rulebook_file import load_law
from casino.reading.round_reader import read_round

PAGE = Path(__file__).resolve().parents[2] / "docs" / "round-record.md"
RECORDS = re.findall(r"(?ms)^```json round( lawful)?\n(.*?)^```", PAGE.read_text("utf-8"))


@pytest.mark.parametrize(("lawful", "text"), RECORDS)
def test_an_example_is_as_lawful_as_the_page_says(lawful: str, text: str) -> None:
    record = read_round(json.dumps(json.loads(text)).encode())
    judgement = judge(record, load_law(record.rulebook or "pt"))
    undecided = [one for one in judgement.wagers if one.outcome == "not_decidable"]
    assert [one for one in undecided if one.kind != "jackpot"] == []
    assert (judgement.findings == ()) == bool(lawful)


def test_the_page_has_both_kinds() -> None:
    assert {lawful for lawful, _ in RECORDS} == {"", " lawful"}
    assert len(RECORDS) > 10
