"""`law_text changes`, `amend` and `expiry`: for a person, for a program, and by their end."""

import json
from datetime import date, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from casino.house_day import gaming_day_now
from tests.factories.findings import people
from tests.factories.official_texts import TEXT, received

pytestmark = [pytest.mark.django_db, pytest.mark.share]
LATER = date(2027, 3, 1)
ACT = """Portaria n.º 9/2027

Artigo 1.º
Alteração

O n.º 1 do artigo 23.º passa a ter a seguinte redação:
«1 - Quem soma 20 recebe outro tanto.»

Artigo 2.º
Entrada em vigor

A presente portaria entra em vigor em 1 de março de 2027.
"""


@pytest.fixture(autouse=True)
def house() -> None:
    people()


def said(*asked: Any, **options: Any) -> tuple[int, str]:
    """How the command ends, and what it prints."""
    out = StringIO()
    try:
        with translation.override("en"):
            call_command("law_text", *asked, "--rulebook", "pt", stdout=out, **options)
    except SystemExit as ended:
        return int(str(ended.code)), out.getvalue()
    except CommandError as refused:
        return refused.returncode, str(refused)
    return 0, out.getvalue()


def test_changes_between_the_last_two_texts() -> None:
    assert said("changes") == (2, "No two texts of pt are stored: name a file.")
    received()
    received(TEXT.replace("soma 21", "soma 20"), LATER)
    code, lines = said("changes")
    assert code == 1
    assert "n.º 23: amended\n    1 Quem soma [-21-] {+20+} recebe outro tanto." in lines
    assert "to be looked at: " in lines
    assert "nearer_to_twenty_one_wins" in lines
    assert "articles or sections that changed: 1" in lines


def test_changes_of_a_file_from_what_is_stored(tmp_path: Path) -> None:
    received()
    same, other = tmp_path / "same.txt", tmp_path / "other.txt"
    same.write_text(TEXT.replace("\n\n", "\n\n\n"), "utf-8")
    other.write_text(TEXT.replace("Artigo 61.º\n\nAssim se faz.\n", ""), "utf-8")
    assert said("changes", str(same))[0] == 0
    code, answer = said("changes", str(same), str(other), "--json")
    assert code == 1
    (change,) = json.loads(answer)["changes"]
    assert (change["article"], change["state"]) == ("61", "gone")
    assert "complaint" in " ".join(change["checks"])
    code, refused = said("changes", "a", "b", "c")
    assert (code, "found 3 files; asked are 0 to 2." in refused) == (2, True)


def test_an_act_makes_the_new_text_and_a_consolidated_one_is_held_against_it(
    tmp_path: Path,
) -> None:
    received()
    act, consolidated = tmp_path / "act.txt", tmp_path / "consolidated.txt"
    act.write_text(ACT, "utf-8")
    new = TEXT.replace("Quem soma 21", "Quem soma 20")
    code, lines = said("amend", str(act), output=tmp_path)
    assert code == 0
    assert "line 6: n.º 23, paragraph 1: new wording, from 2027-03-01" in lines
    assert "No new text is made." not in lines
    assert (tmp_path / "pt-2027-03-01.txt").read_text("utf-8") == new
    consolidated.write_text(new, "utf-8")
    assert said("amend", str(act), str(consolidated))[0] == 0
    consolidated.write_text(new.replace("soma 20", "soma 19"), "utf-8")
    code, lines = said("amend", str(act), str(consolidated))
    assert (code, "the consolidated text differs in 23" in lines) == (1, True)


def test_what_an_act_does_is_said_for_each_operation_with_its_day(tmp_path: Path) -> None:
    received()
    act = tmp_path / "act.txt"
    body = (
        "É revogado o artigo 61.º, com efeitos a partir de 1 de julho de 2027.\n\nNo n.º 1 do"
        " artigo 23.º, onde se lê: «21», deve ler-se: «20»."
    )
    start, end = ACT.index("O n.º 1"), ACT.index("\n\nArtigo 2.º")
    act.write_text(ACT[:start] + body + ACT[end:], "utf-8")
    lines = said("amend", str(act))[1].splitlines()
    assert lines[1:3] == [
        "line 6: n.º 61: repealed, from 2027-07-01",
        "line 8: n.º 23, paragraph 1: «21» becomes «20», from 2027-03-01",
    ]
    done = json.loads(said("amend", str(act), json=True)[1])["done"]
    assert [(one["kind"], one["day"]) for one in done] == [
        ("repeal", "2027-07-01"),
        ("words", "2027-03-01"),
    ]


@pytest.mark.parametrize(
    "order",
    [
        ("amend", "ACT", "NEW", "--rulebook", "pt"),
        ("--rulebook", "pt", "amend", "ACT", "NEW"),
        ("amend", "--rulebook", "pt", "ACT", "NEW"),
        ("amend", "ACT", "--rulebook", "pt", "NEW"),
    ],
)
def test_options_stand_before_between_or_behind_the_files(
    order: tuple[str, ...], tmp_path: Path
) -> None:
    received()
    act, new = tmp_path / "act.txt", tmp_path / "new.txt"
    act.write_text(ACT, "utf-8")
    new.write_text(TEXT.replace("Quem soma 21", "Quem soma 20"), "utf-8")
    named = {"ACT": str(act), "NEW": str(new)}
    out = StringIO()
    with translation.override("en"):
        call_command("law_text", *(named.get(one, one) for one in order), stdout=out)
    assert "to be looked at: 0" in out.getvalue()


def test_an_act_that_is_not_understood_makes_nothing(tmp_path: Path) -> None:
    received()
    act = tmp_path / "act.txt"
    act.write_text(ACT.replace("passa a ter", "passa a ter, em parte,"), "utf-8")
    code, lines = said("amend", str(act), output=tmp_path)
    assert (code, "line 6 is not understood: O n.º 1 do artigo 23.º" in lines) == (1, True)
    assert "No new text is made." in lines
    assert list(tmp_path.glob("pt-*")) == []
    act.write_text(f"{ACT}\nNinguém fuma na sala.\n", "utf-8")
    code, lines = said("amend", str(act), output=tmp_path / "new" / "there")
    assert (code, "none of the amendments: Ninguém fuma na sala" in lines) == (0, True)
    assert (tmp_path / "new" / "there" / "pt-2027-03-01.txt").is_file()
    act.write_text(ACT.replace("em 1 de março de 2027", "no dia seguinte"), "utf-8")
    code, refused = said("amend", str(act))
    assert (code, "say it with --in-force" in refused) == (2, True)
    act.write_text(ACT.replace("23.º passa", "99.º passa"), "utf-8")
    code, lines = said("amend", str(act), output=tmp_path)
    assert (code, "the article 99 is not in the text" in lines) == (1, True)
    assert said("amend", str(tmp_path / "none"))[0] == 2
    assert said("amend", str(act), output=tmp_path / "none" / "there")[0] in {1, 2}


def test_what_nobody_compared_for_a_year_expires(settings: Any) -> None:
    settings.HOUSE_DEADLINES = {**settings.HOUSE_DEADLINES, "figures": timedelta(days=365)}
    day = date(2026, 12, 1)
    assert said("expiry", on=day)[0] == 0
    code, lines = said("expiry", on=date(2027, 12, 1))
    assert code == 1
    assert "boxes.allowed: last compared with the text on 2026-" in lines
    assert "witness.within" not in lines, "the house chose it: it stands in no text"
    code, answer = said("expiry", "--json", on=gaming_day_now())
    assert json.loads(answer)["figures"] > 50


def test_a_word_that_is_no_action_is_named() -> None:
    for asked in (("ammend", "act.txt"), ("changess",)):
        code, refused = said(*asked)
        assert (code, refused) == (
            2,
            f"«{asked[0]}» is neither a file nor an action (changes, amend, expiry).",
        )
    assert "act.txt cannot be opened" in said("act.txt")[1]


def test_another_text_is_said_first(tmp_path: Path) -> None:
    file = tmp_path / "handbook.txt"
    file.write_text("El juego\n\nLa banca debe pedir carta hasta 16 y los jugadores no.\n", "utf-8")
    code, lines = said(str(file))
    assert code == 1
    first = [line.startswith("WARNING") for line in lines.splitlines()[:3]]
    assert first == [True, True, False], lines
    file.write_text(TEXT, "utf-8")
    assert "WARNING" not in said(str(file))[1]


def test_an_act_without_a_day_says_what_it_does_not_understand_too(tmp_path: Path) -> None:
    received()
    act, suspends = tmp_path / "act.txt", "O n.º 24 do Regulamento fica suspenso."
    act.write_text(f"{ACT.split('Artigo 2.º', maxsplit=1)[0]}Artigo 2.º\n\n{suspends}\n", "utf-8")
    code, refused = said("amend", str(act))
    assert code == 2
    assert f"is not understood: {suspends[:-1]}" in refused
    assert refused.endswith("say it with --in-force.")
