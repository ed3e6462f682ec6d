"""Every number of an official text is a figure of the rulebook, or explained; a change is named."""

import json
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Final

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.law.text.legal_text import Text
from casino.law.text.number_bindings import REASONS, Binding, bindings_of, compare
from casino.law.text.read_text import read_text
from casino.law.text.text_numbers import numbers_in

REGULATIONS: Final = Path(__file__).parent.parent / "factories" / "regulations"
REGULATION: Final = "seeds/002_07ece81049b9d624.txt"
DAY: Final = date(2026, 11, 27)
PT: Final = load_law("pt")
INVENTED: Final = (
    "1 - A casa tira até aos 16 e para nos 17.\n\n2 - Joga-se com quatro ou seis baralhos, como"
    " manda o n.º 1.\n\n3 - O máximo é de 30 vezes o mínimo.\n"
)
BINDINGS: Final = {
    "art_1__para_1": (
        Binding(Fraction(16), "bank.draws_to"),
        Binding(Fraction(17), "bank.stands_at"),
    ),
    "art_2__para_1": (
        Binding(Fraction(4), "decks.allowed"),
        Binding(Fraction(6), "decks.allowed"),
        Binding(Fraction(1), "citation"),
    ),
    "art_3__para_1": (Binding(Fraction(30), "limits.maximum_over_minimum"),),
}


def differing(written: str) -> list[tuple[str, str, int]]:
    found = compare(read_text(written), PT, BINDINGS, DAY)
    return [(one.why, one.eid, one.n) for one in found]


def written_in(text: Text, eid: str) -> list[tuple[str, str]]:
    return [(n.written, str(n.value)) for n in numbers_in(text) if n.eid == eid]


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("Vale trinta vezes, ou vinte e uma.", ["30", "21"]),
        ("Paga vez e meia (3 para 2), nunca o dobro nem a metade.", ["3/2", "3", "2", "2", "1/2"]),
        ("Pelo menos 10 mil vezes, 1.000, 1.000,50 ou 2,5.", ["10000", "1000", "2001/2", "5/2"]),
        ("Uma carta é dada, apenas uma, ou uma única; um só jogador.", ["1", "1", "1"]),
        ("Com 9,10,11 somente recebe uma, e treze.", ["9", "10", "11", "1", "13"]),
        ("A primeira carta e a segunda são dadas no fim.", []),
        ("El jugador paga dos veces, y treinta y dos la mesa, del as.", ["2", "32"]),
        ("Le joueur pour la mise est de dix jeux, six dans le sabot, et vingt-et-un.", None),
        ("The player shall stake twice, and once to the dealer, or twenty-five.", ["2", "25"]),
    ],
)
def test_numbers_are_found_in_figures_and_words(words: str, values: list[str] | None) -> None:
    text = read_text(f"1 - {words}\n")
    found = [str(number.value) for number in numbers_in(text)]
    assert found == (["10", "6", "21"] if values is None else values)


def test_a_number_is_found_where_it_stands() -> None:
    text = read_text((REGULATIONS / "pt.txt").read_bytes())
    assert written_in(text, "art_21__para_1") == [("5 mil", "5000")]
    assert written_in(text, "art_7__para_1__item_a") == [("terço", "1/3")]
    for number in numbers_in(text):
        assert text.words_at(number.span) == number.written


def test_a_text_whose_numbers_are_all_explained_has_no_difference() -> None:
    assert differing(INVENTED) == []


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("17", "18", ("differs", "art_1__para_1", 2)),
        ("quatro", "cinco", ("differs", "art_2__para_1", 1)),
        ("n.º 1", "n.º 3", ("differs", "art_2__para_1", 3)),
        ("30 vezes", "25 vezes", ("differs", "art_3__para_1", 1)),
        ("o mínimo", "o mínimo, em 40 dias", ("unexplained", "art_3__para_1", 2)),
        ("30 vezes", "várias vezes", ("absent", "art_3__para_1", 1)),
    ],
)
def test_a_changed_number_is_named(before: str, after: str, said: tuple[str, str, int]) -> None:
    assert differing(INVENTED.replace(before, after)) == [said]


def test_a_figure_the_rulebook_has_otherwise_is_named() -> None:
    text = read_text(INVENTED.replace("30", "31"))
    said = Binding(Fraction(31), "limits.maximum_over_minimum")
    bindings = {**BINDINGS, "art_3__para_1": (said,)}
    (found,) = compare(text, PT, bindings, DAY)
    assert (found.why, found.stated) == ("differs", 30)


@pytest.mark.parametrize(
    "written",
    [
        "[figures]\n",
        '[numbers]\nart_1__para_1 = "21 target.points"\n',
        '[numbers]\nart_1__para_1 = ["21"]\n',
        '[numbers]\nart_1__para_1 = ["21 because"]\n',
        '[numbers]\nart_1__para_1 = ["many target.points"]\n',
        '[numbers]\nart_1__para_1 = ["1/0 target.points"]\n',
        "[numbers\n",
    ],
)
def test_what_is_said_of_numbers_is_read_strictly(written: str, tmp_path: Path) -> None:
    file = tmp_path / "pt.toml"
    file.write_text(written, "utf-8")
    with pytest.raises(LawError):
        bindings_of("pt", file)


@pytest.mark.parametrize("book", rulebook_ids())
def test_what_is_said_of_numbers_names_figures_the_rulebook_has(book: str) -> None:
    law = load_law(book)
    for eid, listed in bindings_of(book).items():
        for one in listed:
            assert one.of in REASONS or one.of in law.parameters, eid


def compared(file: Path, *options: str) -> tuple[int, str]:
    out = StringIO()
    try:
        with translation.override("en"):
            on = ("--rulebook", "pt", "--on", DAY.isoformat())
            call_command("law_text", str(file), *on, *options, stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


def test_the_command_ends_with_one_where_a_number_is_not_explained(tmp_path: Path) -> None:
    file = tmp_path / "law.txt"
    file.write_text("1 - Nada.\n\n37 - O máximo é de 25 vezes o mínimo, em 8 dias.\n", "utf-8")
    status, listed = compared(file)
    assert status == 1
    assert "art_37__para_1, number 1: the text has «25», expected is 30 (limits.max" in listed
    assert "art_37__para_1, number 2: «8» is explained nowhere" in listed
    assert "art_1__para_1, number 2: 2 (counts what the sentence speaks of) is not in" in listed
    file.write_text("1 - Nada.\n\n3 - Com oito ou seis baralhos de 52 cartas.\n", "utf-8")
    assert "«oito», expected is 4 (decks.allowed); the rulebook has 4, 6\n" in compared(file)[1]
    of_3 = json.loads(compared(file, "--json")[1])["differences"]
    assert [one["stated"] for one in of_3 if one["of"] == "number" and one["article"] == "3"] == [
        ["4", "6"]
    ]
    file.write_text("1 - Nada.\n\n37 - O máximo é de 25 vezes o mínimo, em 8 dias.\n", "utf-8")
    status, listed = compared(file, "--json")
    assert status == 1
    of_37 = [one for one in json.loads(listed)["differences"] if one["article"] == "37"]
    assert [(one["why"], one["parameter"], one["stated"]) for one in of_37] == [
        ("differs", "limits.maximum_over_minimum", "30"),
        ("unexplained", None, None),
    ]


def test_a_day_that_is_none_is_refused_with_what_is_asked(tmp_path: Path) -> None:
    asked = "found 31/12/2026; asked is a day as YYYY-MM-DD"
    with translation.override("en"), pytest.raises(CommandError, match=asked):
        call_command("law_text", str(tmp_path), "--rulebook", "pt", "--on", "31/12/2026")


def test_the_command_ends_with_two_where_there_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "law.pdf"
    file.write_bytes(b"%PDF-1.7\n")
    for path in (file, tmp_path / "none"):
        with pytest.raises(CommandError) as refused:
            compared(path)
        assert refused.value.returncode == 2


# The regulation itself, where it lies beside the checkout.


def test_nothing_in_the_regulation_is_unexplained(shared_data: Callable[[str], Path]) -> None:
    file = shared_data(REGULATION)
    text = read_text(file.read_bytes())
    assert list(compare(text, PT, bindings_of("pt"), DAY)) == []
    status, listed = compared(file)
    assert (status, listed.strip()) == (
        0,
        "numbers: 87; words of duty: 99, of which no check looks at 5; to be looked at: 0",
    )


@pytest.mark.check
def test_any_number_of_the_regulation_that_is_changed_is_named(
    shared_data: Callable[[str], Path],
) -> None:
    text = read_text(shared_data(REGULATION).read_bytes())
    bindings = bindings_of("pt")
    survivors = []
    for number in numbers_in(text):
        start, end = number.span
        changed = read_text(text.source[:start] + "99" + text.source[end:])
        named = {one.eid for one in compare(changed, PT, bindings, DAY)}
        if named != {number.eid}:
            survivors.append((number.eid, number.n, named))
    assert survivors == []


@pytest.mark.check
def test_any_figure_of_the_rulebook_that_is_changed_is_named(
    shared_data: Callable[[str], Path],
) -> None:
    text = read_text(shared_data(REGULATION).read_bytes())
    bindings = bindings_of("pt")
    for eid, listed in bindings.items():
        for place, one in enumerate(listed):
            other = (*listed[:place], Binding(one.value + 1, one.of), *listed[place + 1 :])
            found = list(compare(text, PT, {**bindings, eid: other}, DAY))
            assert [(d.why, d.eid, d.n) for d in found] == [("differs", eid, place + 1)]
