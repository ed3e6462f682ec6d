"""The act a rulebook is the text of: data, cited as confirmed or not."""

from datetime import date
from pathlib import Path
from typing import Final

import pytest

from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook_file import DATA, load_law, rulebook_ids
from tests.factories.small_rulebook import BOOK, Write
from tests.gate import ROOT

ACT: Final = (
    '[instrument]\nname_pt = "Regras"\nname_en = "Rules"\n'
    'number = "Portaria n.º 1/2027"\ndate = 2027-01-31\nline_pt = "Antes"\nline_en = "Before"\n'
)
LAWYER: Final = 'confirmed_by = "Dra. A. Prata"\nconfirmed_on = 2027-02-01\n'


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str) -> Path:
        path = tmp_path / "tiny.toml"
        path.write_text(text, "utf-8")
        return path

    return written


def with_act(text: str) -> str:
    return BOOK.replace("[[article]]", f"{text}\n[[article]]", 1)


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_book_names_its_text(book: str) -> None:
    act = load_law(book).instrument
    assert act is not None
    assert act.cited("pt")
    assert act.cited("pt") != act.cited("en")


def test_the_portuguese_act_is_said_not_to_be_confirmed() -> None:
    """Until the house's lawyer has confirmed it; the line of acts is named with it."""
    act = load_law("pt").instrument
    assert act is not None
    assert act.waits
    assert act.cited("pt") == (
        "Portaria n.º 217/2007, de 26/02/2007 (a confirmar pelo jurista da casa)"
    )
    assert act.cited("en") == "Portaria n.º 217/2007 of 26/02/2007 (not confirmed by a lawyer yet)"
    for number in ("1441/95", "1364/2001", "817/2005", "422/89"):
        assert number in act.line_pt
        assert number in act.line_en


def test_a_confirmed_act_is_cited_without_a_doubt(write: Write) -> None:
    act = load_law(write(with_act(ACT + LAWYER))).instrument
    assert act is not None
    assert (act.confirmed_by, act.confirmed_on) == ("Dra. A. Prata", date(2027, 2, 1))
    assert act.cited("pt") == "Portaria n.º 1/2027, de 31/01/2027"


def test_a_handbook_is_cited_by_what_it_is(write: Write) -> None:
    act = load_law(
        write(with_act('[instrument]\nname_pt = "Manual"\nname_en = "Handbook"'))
    ).instrument
    assert act is not None
    assert not act.waits
    assert (act.cited("pt"), act.cited("en")) == ("Manual", "Handbook")


@pytest.mark.parametrize(
    ("written", "instead", "key"),
    [
        ('name_en = "Rules"\n', "", "instrument.name_en"),
        ("date = 2027-01-31\n", "", "instrument.date"),
        ('line_en = "Before"\n', "", "instrument.line_en"),
        ("date = 2027-01-31\n", 'date = "31/01/2027"\n', "instrument.date"),
        ("confirmed_on = 2027-02-01\n", "", "instrument.confirmed_on"),
        ("[instrument]\n", "[instrument]\nyear = 2027\n", "instrument.year"),
    ],
)
def test_half_an_act_is_refused(write: Write, written: str, instead: str, key: str) -> None:
    text = with_act((ACT + LAWYER).replace(written, instead, 1))
    with pytest.raises(LawError) as refused:
        load_law(write(text))
    assert refused.value.key == key


def test_nobody_confirms_an_act_that_has_no_number(write: Write) -> None:
    text = with_act(f'[instrument]\nname_pt = "Manual"\nname_en = "Handbook"\n{LAWYER}')
    with pytest.raises(LawError, match=r"instrument\.number"):
        load_law(write(text))


def recorded_to_people() -> list[Path]:
    return [*DATA.glob("*.toml"), ROOT / "docs" / "law.md", ROOT / "docs" / "coverage.md"]


@pytest.mark.parametrize("file", recorded_to_people(), ids=lambda file: file.name)
def test_a_source_is_an_article_of_the_text(file: Path) -> None:
    """`n.º 36`, never the name this text had among our papers: write `source = "n.º 36"`."""
    assert "seed 0" not in file.read_text("utf-8")
