"""`reconcile_file`: what it finds, which law it takes, what it lists, how it ends."""

from pathlib import Path

import pytest

from casino.law.rulebook.rulebook_file import rulebook_ids
from tests.audit.round_lines import (
    WON,
    a_round,
    breach_of_play,
    reconcile,
    round_id,
    run_process,
    undecided_round,
    written,
)

pytestmark = pytest.mark.share


def test_a_lawful_file_ends_with_0(tmp_path: Path) -> None:
    ran = reconcile(written(tmp_path / "r.jsonl", a_round(1), a_round(2)), "--language", "en")

    assert ran.code == 0
    assert ran.out.endswith("complete: yes\n")
    assert ran.err == ""


def test_a_finding_ends_with_1_and_says_who_is_owed_what(tmp_path: Path) -> None:
    ran = reconcile(written(tmp_path / "r.jsonl", a_round(1, WON - 500)), "--format", "jsonl")

    assert ran.code == 1
    (finding,) = ran.of("finding")
    expected = {
        "list": "money",
        "line": 1,
        "round": round_id(1),
        "box": 4,
        "hand": 1,
        "owner": "J4",
        "kind": "main",
        "rulebook": "pt",
        "article": "23",
        "check": "nearer_to_twenty_one_wins",
        "severity": "breach",
        "observed": {"returned_cents": 1500},
        "expected": {"returned_cents": 2000},
        "difference_cents": 500,
        "owed_to": "player",
        "evidence": [round_id(1)],
    }
    assert {name: finding[name] for name in expected} == expected
    assert ran.summary["owed_to_players_cents"] == 500
    assert ran.summary["owed_to_house_cents"] == 0
    assert ran.summary["complete"] is True


def test_a_refused_line_ends_with_2_and_the_others_are_judged(tmp_path: Path) -> None:
    spoilt = a_round(2)
    spoilt["boxes"][0]["hands"][0]["cards"] = ["TS", "1D"]
    path = written(tmp_path / "r.jsonl", a_round(1), spoilt, a_round(3, 0))
    ran = reconcile(path, "--format", "jsonl")

    assert ran.code == 2
    assert [f["round"] for f in ran.of("finding")] == [round_id(3)]
    (refused,) = ran.of("refused")
    assert (refused["line"], refused["path"]) == (2, "$.boxes[0].hands[0].cards[1]")
    assert "$.boxes[0].hands[0].cards[1]" in ran.err
    assert ran.summary["refused_lines"] == 1
    assert ran.summary["rounds"] == 2
    assert ran.summary["complete"] is False


def test_not_decidable_alone_ends_with_0_and_is_said(tmp_path: Path) -> None:
    ran = reconcile(written(tmp_path / "r.jsonl", undecided_round()), "--format", "jsonl")

    assert ran.code == 0
    assert (ran.summary["wagers_undecided"], ran.summary["wagers"]) == (1, 2)
    assert ran.summary["complete"] is True


def test_all_or_nothing_shows_only_the_refusals(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", a_round(1, 0), b"{}", a_round(2, 0), b"[]")
    ran = reconcile(path, "--format", "jsonl", "--all-or-nothing")

    assert ran.code == 2
    assert ran.of("finding") == []
    assert [refused["line"] for refused in ran.of("refused")] == [2, 4]
    assert ran.summary["findings_money"] == 2


def test_all_or_nothing_shows_everything_when_nothing_was_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", a_round(1, 0), a_round(2))

    assert reconcile(path, "--all-or-nothing") == reconcile(path)


@pytest.mark.parametrize(
    ("chosen", "lists"),
    [
        ([], ["money", "play"]),
        (["--list", "money"], ["money"]),
        (["--list", "play"], ["play"]),
        (["--list", "undecided"], ["undecided"]),
        (["--list", "play", "--list", "undecided"], ["play", "undecided"]),
        (["--list", "all"], ["money", "play", "undecided"]),
        (["--not-decidable"], ["money", "play", "undecided"]),
        (["--list", "money", "--not-decidable"], ["money", "undecided"]),
    ],
)
def test_the_three_lists_can_be_asked_for(
    tmp_path: Path, chosen: list[str], lists: list[str]
) -> None:
    records = [a_round(1, 0), breach_of_play(2), undecided_round(3)]
    ran = reconcile(written(tmp_path / "r.jsonl", *records), "--format", "jsonl", *chosen)

    assert sorted({row["list"] for row in ran.records[:-1]}) == lists
    # What is not listed is counted all the same.
    assert ran.code == 1
    assert ran.summary["findings_money"] >= 1
    assert ran.summary["findings_play"] >= 1
    assert ran.summary["wagers_undecided"] >= 1


def test_an_undecided_wager_says_what_is_missing(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", undecided_round())
    ran = reconcile(path, "--list", "undecided", "--format", "jsonl", "--language", "en")

    (row,) = ran.of("undecided")
    assert row["kind"] == "jackpot"
    assert row["why"] == "jackpot_terms_not_in_the_record"
    assert row["difference_cents"] is None
    assert "judged by its approved terms, which no round tells" in row["text"]


def test_a_record_without_rulebook_is_refused_unless_one_is_given(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", a_round(1, rulebook=None))
    refused = reconcile(path, "--language", "en")

    assert refused.code == 2
    assert "line 1, $.rulebook: the record names no rulebook" in refused.err
    assert reconcile(path, "--rulebook", "pt").code == 0


def test_a_record_of_an_unknown_rulebook_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", a_round(1, rulebook="atlantis"), a_round(2))
    ran = reconcile(path, "--format", "jsonl")

    assert ran.code == 2
    assert ran.summary["rounds"] == 1
    assert "atlantis" in ran.of("refused")[0]["reason"]


def test_each_record_is_judged_by_its_own_rulebook(tmp_path: Path) -> None:
    books = rulebook_ids()
    records = [a_round(n, rulebook=book) for n, book in enumerate(books)]
    ran = reconcile(written(tmp_path / "r.jsonl", *records), "--format", "jsonl")

    assert [book["rulebook"] for book in ran.summary["rulebooks"]] == sorted(books)
    assert all(len(book["law_sha256"]) == 64 for book in ran.summary["rulebooks"])
    assert {row["rulebook"] for row in ran.summary["articles"]} == set(books)


def test_the_rulebook_of_the_command_line_goes_before_the_record(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", a_round(1, rulebook="pt"), a_round(2, rulebook=None))
    ran = reconcile(path, "--rulebook", "fr", "--format", "jsonl")

    assert [(b["rulebook"], b["rounds"]) for b in ran.summary["rulebooks"]] == [("fr", 2)]


def test_a_rulebook_can_be_a_file(tmp_path: Path) -> None:
    from casino.law.rulebook.rulebook_file import DATA

    book = tmp_path / "own.toml"
    book.write_bytes(DATA.joinpath("pt.toml").read_bytes().replace(b'id = "pt"', b'id = "own"', 1))
    path = written(tmp_path / "r.jsonl", a_round(1, 0))
    ran = reconcile(path, "--rulebook", str(book), "--format", "jsonl")

    assert ran.code == 1
    assert ran.of("finding")[0]["rulebook"] == "own"


@pytest.mark.parametrize("book", ["atlantis", "no/such/file.toml"])
def test_an_unknown_rulebook_of_the_command_line_ends_with_2(tmp_path: Path, book: str) -> None:
    ran = reconcile(written(tmp_path / "r.jsonl", a_round()), "--rulebook", book)

    assert ran.code == 2
    assert book.rpartition("/")[2] in ran.err


def test_a_reading_changes_the_judgement_and_is_named(tmp_path: Path) -> None:
    # Player 16, bank 22: a bank over 21 loses, unless it only loses to who is nearer to 21.
    record = a_round(1)
    record["boxes"][0]["hands"][0]["cards"] = ["TS", "6D"]
    record["bank"]["cards"] = ["TC", "6H", "6S"]
    path = written(tmp_path / "r.jsonl", record)
    adopted = reconcile(path, "--format", "jsonl", "--list", "money")
    other = reconcile(
        path, "--format", "jsonl", "--list", "money", "--reading", "bank-bust=nearer_wins"
    )

    assert adopted.of("finding") == []
    assert [f["owed_to"] for f in other.of("finding")] == ["house"]
    assert adopted.summary["rulebooks"][0]["readings"] == {}
    assert other.summary["rulebooks"][0]["readings"] == {"bank-bust": "nearer_wins"}
    text = reconcile(path, "--reading", "bank-bust=nearer_wins", "--language", "en").out
    assert "reading changed: bank-bust = nearer_wins" in text


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize(
    ("reading", "there"),
    [("no-such-thing=x", "bank-bust"), ("bank-bust=sometimes", "nearer_wins")],
)
def test_an_unknown_reading_ends_with_2_and_lists_what_there_is(
    tmp_path: Path, reading: str, there: str, own: bool
) -> None:
    path = written(tmp_path / "r.jsonl", a_round())
    ran = reconcile(path, "--reading", reading, *([] if own else ["--rulebook", "pt"]))

    assert ran.code == 2
    said, *choices = ran.err.splitlines()
    assert said.endswith(":")
    assert reading.partition("=")[0] in said
    assert there in ", ".join(choices).replace(",", "").split()
    assert max(map(len, choices)) <= 80


def test_a_rulebook_file_that_is_not_there_is_named_whole(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    ran = reconcile(written(tmp_path / "r.jsonl", a_round()), "--rulebook", str(path))

    assert ran.code == 2
    assert ran.err == f"não se consegue abrir {path}: não existe tal ficheiro ou pasta\n"


def test_an_unknown_rulebook_ends_with_2_and_lists_what_there_is(tmp_path: Path) -> None:
    ran = reconcile(written(tmp_path / "r.jsonl", a_round()), "--rulebook", "xx")

    assert ran.code == 2
    assert ran.err == "nenhum regulamento se chama xx; existem:\n  br, es, fr, pt, pt-summary\n"


def test_a_reading_without_a_choice_ends_with_2(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", a_round())
    assert run_process(path, "--reading", "bank-bust").code == 2


def test_a_round_told_twice_is_judged_once_and_the_second_line_refused(tmp_path: Path) -> None:
    once = a_round(1, 0)
    path = written(tmp_path / "r.jsonl", once, a_round(2), once, a_round(1), a_round(3))
    ran = reconcile(path, "--format", "jsonl")

    assert ran.code == 2
    assert ran.summary["rounds"] == 3
    assert ran.summary["findings_money"] == len(ran.of("finding")) == 1
    assert [(r["line"], r["path"]) for r in ran.of("refused")] == [(3, "$.round"), (4, "$.round")]
    assert all("line 1" in r["reason"] for r in ran.of("refused"))


def test_a_refused_line_does_not_use_up_its_round(tmp_path: Path) -> None:
    spoilt = a_round(1)
    del spoilt["bank"]
    ran = reconcile(written(tmp_path / "r.jsonl", spoilt, a_round(1)), "--format", "jsonl")

    assert ran.summary["rounds"] == ran.summary["refused_lines"] == 1


def test_a_round_after_the_last_of_its_shoe_is_found(tmp_path: Path) -> None:
    records = [
        a_round(1, shoe=3, number=17, warning_card_at=0),
        a_round(2, shoe=3, number=18),
        a_round(3, shoe=3, number=16),
        a_round(4, shoe=4, number=18),
        a_round(5),
    ]
    ran = reconcile(written(tmp_path / "r.jsonl", *records), "--format", "jsonl")

    (finding,) = ran.of("finding")
    assert (finding["article"], finding["check"]) == ("11", "no_round_after_the_last")
    assert finding["evidence"] == [round_id(2), round_id(1)]
    (article,) = [row for row in ran.summary["articles"] if row["article"] == "11"]
    counts = [article[n] for n in ("checked", "lawful", "findings", "not_decidable")]
    assert counts == [5, 2, 1, 2]


def test_a_rulebook_without_that_rule_is_not_asked_for_it(tmp_path: Path) -> None:
    first = a_round(1, rulebook="pt-summary", shoe=3, number=1, warning_card_at=0)
    second = a_round(2, rulebook="pt-summary", shoe=3, number=2)
    ran = reconcile(written(tmp_path / "r.jsonl", first, second), "--format", "jsonl")

    assert ran.of("finding") == []


def test_a_fault_of_the_program_costs_one_line_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from audit.rounds_file import judge_lines

    real = judge_lines.judge

    def fails_on_the_second(record, law):  # type: ignore[no-untyped-def]
        if record.round == round_id(2):
            raise KeyError("planted")
        return real(record, law)

    monkeypatch.setattr(judge_lines, "judge", fails_on_the_second)
    path = written(tmp_path / "r.jsonl", a_round(1), a_round(2), a_round(3))
    ran = reconcile(path, "--format", "jsonl")

    assert ran.code == 2
    assert ran.summary["rounds"] == 2
    assert "KeyError: 'planted'" in ran.of("refused")[0]["reason"]


def test_it_needs_no_database_and_no_key(tmp_path: Path) -> None:
    ran = run_process(written(tmp_path / "r.jsonl", a_round(1), a_round(2, 0)))

    assert (ran.code, ran.err) == (1, "")
    assert ran.out.endswith("complete: yes\n")


def test_the_summary_of_a_table_has_the_money_in_the_language(tmp_path: Path) -> None:
    record = a_round(1, 0)
    record["boxes"][0]["wagers"] = [a_wager_of(123_456_700)]
    path = written(tmp_path / "r.jsonl", record)

    assert "2 469 134,00" in reconcile(path).out
    assert "2,469,134.00" in reconcile(path, "--language", "en").out


def a_wager_of(cents: int) -> dict[str, object]:
    """A stake that won and was taken away."""
    wager = {"owner": "J4", "seat": 4, "kind": "main", "hand": 1, "returned_cents": 0}
    return {**wager, "stake_cents": cents}
