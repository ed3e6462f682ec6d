"""What would hold with a reading taken otherwise, or as the law stood: compared, never written."""

import csv
import re
from dataclasses import replace
from datetime import date
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from audit.models import Export, Finding, Reconciliation, RunSheet
from audit.pages.findings import comparison_page
from audit.reconcile import judge_partida
from audit.reconcile.opening import Asked
from audit.reconcile.request_run import ask_for
from audit.runs.current_findings import standing
from casino.events.round.round_played import RoundPlayed
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook import DatedValue, Law
from casino.law.rulebook.rulebook_file import load_law
from casino.models import BookEntry
from tests.audit.reconciling import reconcile
from tests.factories.evenings import DAY, an_evening, opened, partida_of, record_all, record_events
from tests.factories.people import somebody
from tests.factories.rounds import a_round, box, main
from tests.jobs_inline import do_jobs

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
BUST = ("bank-bust", "nearer_wins")


def bank_busts(table: str = "BJ-01", place: int = 1, returned: int = 2000) -> RoundPlayed:
    """A bank that went over 21 pays a hand of 12, as the adopted reading has it."""
    one = a_round(box(1, "8S 4D", main(1000, returned)), bank="TH 6C TD", day=DAY)
    return replace(
        one, round=str(uuid4()), table=table, partida=partida_of(table), shoe=1, number=place
    )


def typed(*words: str) -> tuple[str, int]:
    """What the command says and with which number it ends."""
    said = StringIO()
    try:
        call_command("reconcile", *words, "--language", "en", stdout=said, stderr=said)
    except SystemExit as end:
        return said.getvalue(), int(end.code or 0)
    return said.getvalue(), 0


def test_a_reading_taken_otherwise_is_compared_and_writes_no_finding() -> None:
    record_all([opened(), bank_busts()])
    reconcile("own")
    before = {row.key for row in standing()}
    found = Finding.objects.count()
    result = reconcile("what if", rulebook="pt", readings=(BUST,))
    assert (result.raised, result.superseded) == (0, 0)
    assert {row.key for row in standing()} == before
    assert Finding.objects.count() == found
    sheet = RunSheet.objects.get(run=result.run)
    assert sheet.compared["counts"] | {"same": 0} == {
        "vanish": 0,
        "change": 0,
        "appear": 1,
        "same": 0,
    }
    (one,) = sheet.differences.all()
    assert (one.change, one.now, one.to_players, one.to_house) == ("appear", None, 0, 2000)
    began = Reconciliation.objects.get(run=result.run)
    assert began.readings == dict([BUST])
    entry = bytes(BookEntry.objects.get(pk=began.entry_id).entry).decode()
    assert '"readings":[{"choice":"nearer_wins","reading":"bank-bust"}]' in entry
    result = reconcile("as it is", rulebook="pt", readings=(("bank-bust", "loses"),))
    counts = RunSheet.objects.get(run=result.run).compared["counts"]
    assert sum(counts.values()) == counts["same"]  # the choice that is adopted changes nothing


def test_only_what_is_played_under_its_rulebook_is_looked_at() -> None:
    record_all([opened(), bank_busts()])
    record_all([opened("BJ-02", rulebook="es"), bank_busts("BJ-02")])
    day = {"partida": "", "from_day": date.fromisoformat(DAY), "to_day": date.fromisoformat(DAY)}
    reconcile("own", **day)
    assert standing().filter(rulebook="es").exists()
    result = reconcile("what if", rulebook="pt", readings=(BUST,), **day)
    assert result.rounds == 1
    changes = RunSheet.objects.get(run=result.run).differences
    assert set(changes.values_list("partida_id", flat=True)) == {partida_of()}


def test_a_worker_is_asked_for_it_with_all_that_was_said() -> None:
    record_all([opened(), bank_busts()])
    law_day = date(2024, 6, 1)
    asked = Asked("asked", partida=partida_of(), rulebook="pt", readings=(BUST,), law_day=law_day)
    assert Asked.of_args(**asked.as_args()) == asked
    ask_for(asked)
    do_jobs()
    sheet = RunSheet.objects.get()
    assert (sheet.state, sheet.readings, sheet.law_day) == ("finished", dict([BUST]), law_day)
    assert sheet.compared["counts"]["appear"] >= 1


# The law as it stood.


def law_of_two_versions() -> Law:
    """The Portuguese one, had the meaning of a bank over 21 been changed in 2025."""
    law = load_law("pt")
    figure = law.parameters["bank.bust"]
    later = DatedValue(date(2025, 1, 1), "nearer_wins", "seed 002 n.º 23", date(2025, 1, 1))
    amended = replace(figure, values=(*figure.values, later))
    return replace(law, parameters={**law.parameters, "bank.bust": amended})


def test_the_law_as_it_stood_on_a_day_holds_on_every_day() -> None:
    law = law_of_two_versions()
    played = date.fromisoformat(DAY)
    assert law.on(played)["bank.bust"] == "nearer_wins"
    assert law.as_on(date(2024, 12, 31)).on(played)["bank.bust"] == "loses"
    assert law.as_on(date(2025, 1, 1)).on(date(1950, 1, 1))["bank.bust"] == "nearer_wins"
    with pytest.raises(LawError, match="1900-01-01"):
        law.as_on(date(1899, 12, 31))


def test_what_the_law_of_a_day_did_not_state_it_does_not_state() -> None:
    law = load_law("pt")
    figure = law.parameters["bank.bust"]
    begun = replace(figure.values[0], since=date(2025, 1, 1))
    law = replace(law, parameters={**law.parameters, "bank.bust": replace(figure, values=(begun,))})
    older = law.as_on(date(2024, 12, 31))
    assert not older.on(date.fromisoformat(DAY)).states("bank.bust")
    with pytest.raises(LawError, match="no such reading"):
        older.with_readings(dict([BUST]))


def test_a_version_of_the_law_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    amended = law_of_two_versions()
    monkeypatch.setattr(
        judge_partida,
        "law_of_run",
        lambda book, _up_to: amended if book == "pt" else load_law(book),
    )
    record_all([opened(), bank_busts()])
    reconcile("own")
    result = reconcile("as it stood", rulebook="pt", law_day=date(2024, 6, 1))
    changes = RunSheet.objects.get(run=result.run).differences
    assert list(changes.values_list("change", "to_house")) == [("vanish", -2000)]
    result = reconcile("as it stands", rulebook="pt", law_day=date(2025, 6, 1))
    assert not RunSheet.objects.get(run=result.run).differences.exists()


# The command.


def test_the_command_says_what_would_change_and_that_nothing_did() -> None:
    record_all([opened(), bank_busts()])
    reconcile("own")
    said, _ = typed("--from", DAY, "--rulebook", "pt", "--reading", "bank-bust=nearer_wins")
    assert "A comparison: no finding was written, and none was changed." in said
    assert "would no longer: 0; said otherwise: 0; new: 1;" in said
    assert "Owed to the house: €0.00 now, €20.00 then." in said
    assert "Owed to players" not in said  # nobody is, either way
    assert "hold no more" not in said
    own, _ = typed("--from", DAY)
    assert "comparison" not in own
    assert "Earlier ones that hold no more: 0." in own


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--reading", "bank-bust=nearer_wins"], "name it with --rulebook"),
        (["--law-day", "2024-06-01"], "name it with --rulebook"),
        (
            ["--rulebook", "pt", "--reading", "nothing=x"],
            r"reading is called nothing(.|\n)*bank-",
        ),
        (["--rulebook", "pt", "--reading", "bank-bust=x"], r"taken as x(.|\n)*loses, nearer_wins"),
        (["--rulebook", "pt", "--reading", "bank-bust"], "id=choice"),
        (["--rulebook", "pt", "--law-day", "1899-12-31"], "1900-01-01"),
        (["--rulebook", "pt", "--law-day", "yesterday"], "YYYY-MM-DD"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(words: list[str], why: str) -> None:
    with pytest.raises(CommandError, match=why):
        typed("--from", DAY, *words)
    assert not RunSheet.objects.exists()


# The page.


def many_differences() -> RunSheet:
    """Three rounds that would be wrong by another reading, and two that would be right by it."""
    paid = [bank_busts(place=place) for place in (1, 2, 3)]
    kept = [bank_busts(place=place, returned=0) for place in (4, 5)]
    record_all([opened(), *paid, *kept])
    reconcile("own")
    return RunSheet.objects.get(run=reconcile("what if", rulebook="pt", readings=(BUST,)).run)


def page_of(sheet: RunSheet, office: str = "inspetor", **asked: Any) -> Any:
    return somebody(office).get(reverse("run", args=[sheet.run]), asked)


def test_what_vanishes_comes_first_and_each_article_has_its_sum() -> None:
    sheet = many_differences()
    value = page_of(sheet).context["comparison"]
    counts = sheet.compared["counts"]
    assert (counts["vanish"], counts["appear"]) == (2, 3)
    order = list(sheet.differences.order_by("place").values_list("change", flat=True))
    assert order == sorted(order, key=("vanish", "change", "appear").index)
    groups = dict(value["groups"])
    assert next(iter(groups)) == "Would vanish"
    for word, change in (("Would vanish", "vanish"), ("Would appear", "appear")):
        assert sum(one.all.number for one in groups[word]) == counts[change]
        for one in groups[word]:
            assert one.all.number == sum(check.number for check in one.checks)
    of_players = ("to the player", "€40.00", "€0.00", "-€40.00")
    assert [(str(whom), *sums) for whom, *sums in value["owed"]] == [
        of_players,
        ("to the house", "€0.00", "€60.00", "+€60.00"),
    ]
    assert groups["Would vanish"][0].all[1:4] == (2, "-€40.00", "")
    assert groups["Would appear"][0].all[1:4] == (3, "", "+€60.00")
    assert [one.word for one in value["differences"]] == [
        str(comparison_page.CHANGED[change]) for change in order[: comparison_page.ON_A_PAGE]
    ]


def test_its_differences_are_turned_over_and_narrowed(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = many_differences()
    monkeypatch.setattr(comparison_page, "ON_A_PAGE", 2)
    client = somebody("inspetor")
    url: str = reverse("run", args=[sheet.run])
    seen: list[Any] = []
    while url:
        value = client.get(url.partition("#")[0]).context["comparison"]
        assert len(value["differences"]) <= 2
        seen += value["differences"]
        url = value["older"]
    assert len(seen) == sheet.differences.count() == 5
    ((first, *_),) = (articles for word, articles in value["groups"] if word == "Would appear")
    value = client.get(first.checks[0].url.partition("#")[0]).context["comparison"]
    assert value["count"] == first.checks[0].number
    assert {one.word for one in value["differences"]} == {"would appear"}
    assert value["chosen"].startswith("would appear, article")
    pages = ("-1", "x", "9" * 40, "0", "٣")
    for junk in ({"change": "\x00"}, {"article": "'"}, *({"page": page} for page in pages)):
        assert client.get(reverse("run", args=[sheet.run]), junk).status_code == 200


def test_all_of_them_are_taken_out_as_a_file() -> None:
    sheet = many_differences()
    url = reverse("run-csv", args=[sheet.run])
    client = somebody("auditor")
    assert url in client.get(reverse("run", args=[sheet.run])).content.decode()
    answer = client.get(url)
    rows = list(csv.DictReader(StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))
    assert len(rows) == sheet.differences.count()
    assert [row["change"] for row in rows] == list(
        sheet.differences.order_by("place").values_list("change", flat=True)
    )
    vanish = [row for row in rows if row["change"] == "vanish"]
    assert {(row["rulebook_now"], row["rulebook_then"]) for row in vanish} == {("pt", "")}
    # As pages name an entry; the ids of rows are nobody's.
    named = [each for row in rows for each in row["evidence"].split()]
    assert named
    assert all(re.fullmatch(r"(table/BJ-\d+|house)#\d+", each) for each in named)
    assert sum(int(row["to_players_cents"]) for row in rows) == -4000
    assert all(row["told_now"] and row["finding"] for row in vanish)
    assert (Export.objects.get().of_list, Export.objects.get().entries) == ("comparison", len(rows))
    page = somebody("chefia_da_sala").get(reverse("run", args=[sheet.run])).content.decode()
    assert url not in page


def test_a_run_of_the_record_has_no_such_file() -> None:
    an_evening(rounds=1)
    own = reconcile("own")
    answer = somebody("auditor").get(reverse("run-csv", args=[own.run]))
    assert answer.status_code == 404
    record_events(opened("BJ-07"))
    assert not Export.objects.exists()


def test_the_list_of_runs_says_how_the_rulebook_was_taken() -> None:
    record_all([opened(), bank_busts()])
    reconcile("what if", rulebook="pt", readings=(BUST,), law_day=date(2024, 6, 1))
    listed = somebody("auditor").get(reverse("admin:audit_reconciliation_changelist"))
    words = "reading: only the distance to 21 counts, for the bank as well, as it stood on"
    assert words in listed.content.decode()
