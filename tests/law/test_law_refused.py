"""The rulebook loader refuses what it cannot trust, and says where it stands and what is asked."""

from functools import cache
from pathlib import Path
from typing import Final

import pytest
from babel.messages.mofile import read_mo

from casino.events.phrases import Phrase
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from tests.factories.small_rulebook import BOOK, Write

CATALOGUE: Final = Path(__file__).parents[2] / "locale" / "pt_PT" / "LC_MESSAGES" / "django.mo"

# What is refused, and where the message points: (what is written, what instead, key, words of it).
REFUSED = {
    "an unknown table": ("[rulebook]", "[annex]\na = 1\n[rulebook]", "annex", "not known here"),
    "an unknown key of the book": (
        'cites = "n.º"',
        'cites = "n.º"\nyear = 1',
        "rulebook.year",
        "not known",
    ),
    "an unknown key of an article": (
        'kind = "shoe"',
        'kind = "shoe"\ntext = "a"',
        "article[0].text",
        "not known",
    ),
    "an unknown key of a parameter": (
        'unit = "ratio"',
        'unit = "ratio"\nold = 1',
        '"win.pays".old',
        "not known",
    ),
    "an unknown key of a value": (
        'is = "3/2",',
        'is = "3/2", was = 1,',
        "values[0].was",
        "not known",
    ),
    "an unknown key of a reading": (
        "[reading.no-peek]",
        "[reading.no-peek]\nby = 1",
        "no-peek.by",
        "not known",
    ),
    "an unknown key of a choice": (
        'means_en = "looks"',
        'means_en = "looks", a = 1',
        "choices[1].a",
        "not known",
    ),
    "a book without id": ('id = "tiny"\n', "", "rulebook.id", "required"),
    "a book without articles": ("[[article]]", "[[articles]]", "articles", "one of article"),
    "an article without checks": ("upheld_by = []\n", "", "article[1].upheld_by", "required"),
    "a parameter without unit": ('unit = "ratio"\n', "", '"win.pays".unit', "required"),
    "a value without source": (
        'is = "3/2", source = "law 1",',
        'is = "3/2",',
        "values[0].source",
        "required",
    ),
    "a value without date": ("{ from = 2026-06-01, is", "{ is", "values[0].from", "required"),
    "a value nobody confirmed": (
        '[16, 17], source = "law 1", confirmed_on = 2026-11-21',
        '[16, 17], source = "law 1"',
        "values[0].confirmed_on",
        "required",
    ),
    "a reading without reason": ('reason_en = "Because."\n', "", "reason_en", "required"),
    "a reading without choice": ('choice = "loses"\n', "", "bank-bust.choice", "required"),
    "an article twice": (
        'number = "drawing/bank"',
        'number = "1"',
        "article[1].number",
        "no other article",
    ),
    "a check under two articles": (
        'upheld_by = []\nwaits_for = "floor"',
        'upheld_by = ["shoe_is_burnt"]',
        "article drawing/bank.upheld_by",
        "which article 1 has too",
    ),
    "a check twice in an article": (
        '"burnt_cards_exact"',
        '"shoe_is_burnt"',
        "article 1.upheld_by",
        "each text once",
    ),
    "a parameter twice": (
        '[parameter."win.pays"]',
        '[parameter."burn.cards"]',
        "(file)",
        "each key once",
    ),
    "a reading twice": ("[reading.no-peek]", "[reading.bank-bust]", "(file)", "each key once"),
    "a date twice": (
        "from = 2027-01-01",
        "from = 2026-03-01",
        "values[1].from",
        "a day after 2026-03-01",
    ),
    "dates out of order": (
        "from = 2027-01-01",
        "from = 2025-01-01",
        "values[1].from",
        "a day after 2026-03-01",
    ),
    "a list for one table": ("[[article]]", "[article]", "(file)", "TOML"),
    "a number for an article's number": (
        'number = "1"',
        "number = 1",
        "article[0].number",
        "a text",
    ),
    "an empty summary": ('"Cards are burnt."', '""', "article 1.summary_en", "not empty"),
    "a check that is no name": (
        '"shoe_is_burnt"',
        '"Cards Burnt"',
        "article 1.upheld_by",
        "'Cards Burnt'",
    ),
    "checks that are no list": (
        "upheld_by = []",
        'upheld_by = "none"',
        "drawing/bank.upheld_by",
        "a list",
    ),
    "an unknown duty": (
        'duty = "rule"',
        'duty = "unobservable"',
        "article drawing/bank.duty",
        "one of definition",
    ),
    "an unknown kind": (
        'kind = "play/bank"',
        'kind = "play/pit"',
        "article drawing/bank.kind",
        "joined by '/'",
    ),
    "an unknown room": (
        'waits_for = "floor"',
        'waits_for = "cellar"',
        "drawing/bank.waits_for",
        "floor, jackpot",
    ),
    "an unknown unit": ('unit = "cards"', 'unit = "inches"', '"burn.cards".unit', "one of boxes"),
    "a parameter's name": (
        'parameter."win.pays"',
        "parameter.win",
        '"win".(name)',
        "like hit.until",
    ),
    "a reading's name": (
        "[reading.no-peek]",
        "[reading.no_peek]",
        "no_peek.(name)",
        "like bank-bust",
    ),
    "a decimal": ("is = 1,", "is = 1.5,", '"burn.cards".values[0].is', "the decimal 1.5"),
    "a decimal for a ratio": (
        'is = "3/2"',
        "is = 1.5",
        '"win.pays".values[0].is',
        "the decimal 1.5",
    ),
    "a whole decimal": ("is = 1,", "is = 1.0,", '"burn.cards".values[0].is', "the decimal 1.0"),
    "a number that is none": ("is = 1,", "is = nan,", '"burn.cards".values[0].is', "the decimal"),
    "a decimal in a list": (
        "[16, 17]",
        "[16, 17.0]",
        '"double.totals".values[0].is',
        "in rising order",
    ),
    "a number out of all measure": (
        "[16, 17]",
        "[16, 101]",
        '"double.totals".values',
        "from 1 to 100",
    ),
    "a ratio that pays nothing": (
        'is = "3/2"',
        'is = "0/1"',
        '"win.pays".values',
        "from 1/1000 to 1000",
    ),
    "a list that falls": (
        "[16, 17]",
        "[17, 16]",
        '"double.totals".values[0].is',
        "in rising order",
    ),
    "an empty list": ("[16, 17]", "[]", '"double.totals".values[0].is', "a whole number"),
    "a negative number": ("is = 1,", "is = -1,", '"burn.cards".values[0].is', "a whole number"),
    "yes for a number": ("is = 1,", "is = true,", '"burn.cards".values[0].is', "a whole number"),
    "a number for yes": (
        'unit = "cards"',
        'unit = "yes_no"',
        '"burn.cards".values[0].is',
        "true or false",
    ),
    "a ratio over nothing": (
        'is = "3/2"',
        'is = "3/0"',
        '"win.pays".values[0].is',
        'a text like "3/2"',
    ),
    "a ratio with blanks": (
        'is = "3/2"',
        'is = "3 / 2"',
        '"win.pays".values[0].is',
        'a text like "3/2"',
    ),
    "a number for a choice": (
        '[{ from = 2026-03-01, is = "loses"',
        "[{ from = 2026-03-01, is = 1",
        '"bank.bust".values[0].is',
        "a text",
    ),
    "a time for a date": (
        "from = 2026-06-01",
        "from = 2026-06-01T00:00:00",
        "values[0].from",
        "a date like",
    ),
    "a text for a date": (
        "from = 2026-06-01",
        'from = "2026-06-01"',
        "values[0].from",
        "a date like",
    ),
    "no value at all": (
        '[{ from = 2026-03-01, is = "3/2", source = "law 1", confirmed_on = 2026-11-21 }]',
        "[]",
        '"win.pays".values',
        "not empty",
    ),
    "a parameter of no article": (
        'article = "1"',
        'article = "9"',
        '"burn.cards".article',
        "one of 1, drawing/bank",
    ),
    "a reading of no article": (
        'articles = ["1", ',
        'articles = ["9", ',
        "no-peek.articles",
        "1, drawing/bank",
    ),
    "a reading without article": (
        'articles = ["drawing/bank"]',
        "articles = []",
        "bank-bust.articles",
        "at least one",
    ),
    "a reading of no parameter": (
        'parameter = "bank.bust"',
        'parameter = "bank.burst"',
        "bank-bust.parameter",
        "one of bank.bust",
    ),
    "two readings of a parameter": (
        'parameter = "bank.peeks"',
        'parameter = "bank.bust"',
        "no-peek.parameter",
        "reading bank-bust switches too",
    ),
    "a choice that is not there": (
        'choice = "loses"',
        'choice = "wins"',
        "bank-bust.choice",
        "one of loses",
    ),
    "a choice the figure lacks": (
        'choice = "loses"',
        'choice = "nearer_wins"',
        "bank-bust.choice",
        "the last value of bank.bust",
    ),
    "a figure no choice has": (
        '[{ from = 2026-03-01, is = "loses"',
        '[{ from = 2026-03-01, is = "ties"',
        "bank-bust.parameter",
        "found ties",
    ),
    "a check nobody wrote": (
        '"shoe_is_burnt"',
        '"shoe_is_burned"',
        "article 1.upheld_by",
        "shoe_is_burnt, ",
    ),
    "a check whose figure is not stated": (
        '"shoe_is_burnt"',
        '"special_prize_paid"',
        "article 1.upheld_by",
        "'special.pays' stated too",
    ),
    "a figure no check asks": (
        'parameter."win.pays"',
        'parameter."win.pay"',
        'parameter."win.pay"',
        "win.pays",
    ),
    "a figure in another unit": (
        'unit = "ratio"\nvalues = [{ from = 2026-03-01, is = "3/2"',
        'unit = "points"\nvalues = [{ from = 2026-03-01, is = 2',
        'parameter."win.pays".unit',
        "one of ratio",
    ),
    "a choice nobody knows": (
        'is = "lost", source',
        'is = "kept", source',
        'parameter."peek.late_stakes".values',
        "lost, returned",
    ),
    "a reading's choice nobody knows": (
        '{ is = "nearer_wins"',
        '{ is = "nearest_wins"',
        "reading.bank-bust.choices",
        "loses, nearer_wins",
    ),
    "a figure every round is asked": (
        'parameter."bank.stands_at"',
        'parameter."stand.above"',
        'parameter."bank.stands_at"',
        "which every round is asked",
    ),
    "a bank that may look, without what follows": (
        'parameter."peek.late_stakes"',
        'parameter."split.resplit_aces"',
        "split.resplit_aces",
        "found lost",
    ),
    "one choice twice": (
        '{ is = "nearer_wins"',
        '{ is = "loses"',
        "bank-bust.choices",
        "all different",
    ),
}


@cache
def catalogue() -> dict[str, str]:
    """The Portuguese of every text."""
    with CATALOGUE.open("rb") as file:
        return {str(message.id): str(message.string) for message in read_mo(file)}


def in_portuguese(text: str) -> str:
    """The Portuguese of a text of ours; fails on one the catalogue does not have."""
    return catalogue()[text]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def book(text: str) -> Path:
        path = tmp_path / "tiny.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return book


@pytest.mark.parametrize("what", REFUSED)
def test_a_book_is_refused_where_it_is_wrong(what: str, write: Write) -> None:
    written, instead, key, words = REFUSED[what]
    assert written in BOOK
    with pytest.raises(LawError) as refused:
        load_law(write(BOOK.replace(written, instead, 1)))
    error = refused.value
    assert error.file == "tiny.toml"
    assert key in error.key
    assert words in str(error)
    at = "tiny.toml" if error.line is None else f"tiny.toml:{error.line}"
    assert str(error) == f"{at}: {error.key}: found {error.found}; asked: {error.asked}"
    # What is asked is always ours to say; what was found may be a quotation from the file.
    assert isinstance(error.asked, Phrase)
    text = error.text(in_portuguese)
    assert text.startswith(f"{at}: {error.key}: encontrado ")
    assert error.asked not in text
    if isinstance(error.found, Phrase):
        assert error.found not in text


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ('"burnt_cards_exact"', '"burnt_cards"'),  # a check
        ('parameter."double.totals"', 'parameter."double.total"'),  # a figure
        ('is = "nearer_wins"', 'is = "nearest_wins"'),  # a choice
        ('number = "drawing/bank"', 'number = "drawing/bank"\nyear = 1'),
    ],
)
def test_a_refusal_names_the_line(written: str, instead: str, write: Write) -> None:
    text = BOOK.replace(written, instead, 1)
    with pytest.raises(LawError) as refused:
        load_law(write(text))
    assert refused.value.line is not None
    at = "\n".join(text.splitlines()[refused.value.line - 1 :][:3])
    assert instead.splitlines()[0] in at
    assert str(refused.value).startswith(f"tiny.toml:{refused.value.line}: ")


def test_what_is_not_text_or_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LawError, match="a file that can be read"):
        load_law(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(BOOK.encode("latin-1"))
    with pytest.raises(LawError, match="UTF-8 text"):
        load_law(tmp_path / "latin.toml")


def test_a_book_the_house_does_not_keep_is_refused_with_those_it_keeps() -> None:
    for name in ("uk", "../data/pt", "", "PT"):
        with pytest.raises(LawError, match="one of br, es, fr, pt, pt-summary") as refused:
            load_law(name)
        assert "nenhum regulamento com esse nome" in refused.value.text(in_portuguese)
    assert rulebook_ids() == ("pt", "pt-summary", "br", "es", "fr")
