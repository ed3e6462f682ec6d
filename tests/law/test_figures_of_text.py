"""The figures of an official text that differ from the rulebook's, as they can be asked for."""

from datetime import date, timedelta

import pytest

from casino.events.requests import FiguresAsked, FigureValue
from casino.law.rulebook.figure_sets import proposed
from casino.law.rulebook.law_text import spelled
from casino.law.rulebook.rulebook_file import law_of_file
from casino.law.text.read_text import read_text
from casino.law.text.text_comparison import compared
from casino.law.text.text_review import figures_of_text

DAY = date(2027, 3, 1)


def text_with(articles: dict[int, str]) -> str:
    """A text of 37 articles that say nothing but these."""
    listed = (f"Artigo {n}.º\n\n{articles.get(n, 'Nada.')}\n" for n in range(1, 38))
    return "\n".join(listed)


@pytest.mark.parametrize(
    ("articles", "found"),
    [
        ({2: "Há 6 ou 7 lugares."}, {}),
        ({2: "Há 6 ou 8 lugares."}, {"boxes.allowed": "[6, 8]"}),
        ({37: "O máximo é 30 vezes o mínimo."}, {}),
        ({37: "O máximo é 25 vezes o mínimo."}, {"limits.maximum_over_minimum": "25"}),
        ({36: "Quem desiste perde um terço, com 2 cartas."}, {"surrender.loses": "1/3"}),
        ({36: "Quem desiste perde metade, com 2 cartas."}, {}),
        (
            {2: "Há 5 ou 7 lugares.", 37: "O máximo é 20 vezes o mínimo."},
            {"boxes.allowed": "[5, 7]", "limits.maximum_over_minimum": "20"},
        ),
        ({37: "O máximo é metade do mínimo."}, {}),  # no rulebook could hold it
        ({37: "O máximo é 25 ou 40 vezes o mínimo."}, {}),  # a number more: nobody knows which
    ],
)
def test_other_figures_are_spelled_as_the_rulebook_takes_them(
    articles: dict[int, str], found: dict[str, str]
) -> None:
    law = law_of_file("pt")
    figures = figures_of_text(read_text(text_with(articles).encode()), law, DAY)
    assert figures == found
    if figures:
        asked = FiguresAsked(
            rulebook="pt",
            since=DAY,
            figures=tuple(FigureValue(parameter=n, value=v) for n, v in figures.items()),
            basis="act",
            source="Decreto 1/2027",
            grounds="outro texto",
        )
        after = proposed(law, law, asked, DAY)
        assert {name: spelled(after.on(DAY)[name]) for name in figures} == figures


def test_of_a_text_that_is_another_nothing_is_taken() -> None:
    few = "\n".join(f"Artigo {n}.º\n\nO máximo é 25 vezes o mínimo.\n" for n in range(30, 38))
    assert figures_of_text(read_text(few.encode()), law_of_file("pt"), DAY) == {}


def test_once_the_figure_is_set_text_and_rulebook_agree_from_that_day() -> None:
    law, text = law_of_file("pt"), read_text(text_with({37: "Até 25 vezes o mínimo."}).encode())
    since = date(2027, 3, 1)
    figures = (FigureValue(parameter="limits.maximum_over_minimum", value="25"),)
    asked = FiguresAsked(
        rulebook="pt", since=since, figures=figures, basis="act", source="D 1/2027", grounds="novo"
    )
    used = proposed(law, law, asked, since)

    def said_of_37(day: date) -> list[str]:
        parts = compared(text, used, day).parts
        name = "limits.maximum_over_minimum"
        numbers = [n.why for part in parts for n in part.numbers if n.bound and n.bound.of == name]
        return numbers + [p.why for part in parts for p in part.parameters if p.parameter == name]

    assert said_of_37(since) == []
    before = said_of_37(since - timedelta(days=1))
    assert before == ["differs"], "until then the house has 30"
