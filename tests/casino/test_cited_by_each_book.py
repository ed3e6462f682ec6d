"""What the floor cites of a step is the table's own rulebook: its word, and its own section."""

import pytest
from django.utils.translation import override

from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.web.forms.warnings import Cites, cited_in

PT = "pt"
# What the floor's screens cite, by the number of the house's regulation.
STEPS = ("5", "7", "8", "9", "10", "11", "12", "51", "53", "54", "55", "61")


@pytest.mark.parametrize("language", ["pt-pt", "en"])
@pytest.mark.parametrize("book", rulebook_ids())
def test_every_article_is_cited_by_the_book_of_the_table(book: str, language: str) -> None:
    law, house = load_law(book), load_law(PT)
    with override(language):
        for number, article in house.articles.items():
            text = cited_in(book, number)
            if book == PT:
                assert text == f"n.º {number}"
                continue
            shared = [law.checks[check] for check in article.upheld_by if check in law.checks]
            if not shared:  # this book says nothing of it
                assert text == ""
                continue
            of = law.articles[shared[0]]
            heading = f"“{of.heading_en}”" if language == "en" else f"«{of.heading_pt}»"
            assert text == f"{'section' if language == 'en' else 'secção'} {heading}"


@pytest.mark.parametrize("book", [book for book in rulebook_ids() if book != PT])
def test_no_number_of_the_house_stands_behind_the_word_of_another_book(book: str) -> None:
    for number in STEPS:
        text = Cites(book)[number]
        assert not text.endswith(f" {number}"), text
        assert "n.º" not in text, text
