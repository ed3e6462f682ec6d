"""An official text is read whole: every article once, every word somewhere, nothing invented.

What is read here are invented regulations (tests/factories/regulations); the same is asked of the
seeds where they lie beside the checkout.
"""

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.events import Malformed
from casino.law.text.legal_text import Item, Paragraph, Span, Text
from casino.law.text.read_text import read_text
from casino.law.text.text_duties import duties_in, turns_in
from casino.law.text.text_numbers import numbers_in
from casino.law.text.text_source import LARGEST_TEXT
from tests.gate import size

REGULATIONS: Final = Path(__file__).parent.parent / "factories" / "regulations"
SEEDS: Final = (
    *("seeds/000_9860a1ec129f999d.txt", "seeds/001_32e54d4f6546ab44.txt"),
    *("seeds/003_e49679e1a5c53cc2.txt", "seeds/004_47274f734f0fe2f2.txt"),
)
REGULATION: Final = "seeds/002_07ece81049b9d624.txt"
# A page that was scanned: a picture in a PDF, and no letter of text.
SCANNED: Final = (
    b"%PDF-1.4\n1 0 obj<</Type/XObject/Subtype/Image/Width 8/Height 8/BitsPerComponent 1"
    b"/ColorSpace/DeviceGray/Length 8>>stream\n\x00\xff\x00\xff\x00\xff\x00\xff\nendstream"
    b"\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
)
# What lines of a regulation are made of, right and wrong.
FRAGMENTS: Final = (
    *("Artigo 1.º", "Artigo 2.º", "Artigo 2.º", "Art. 7.º", "§ 1.º", "§ 2", "1 - A carta", "2 - O"),
    *("- 3 - A banca", "- 4 -", "Página 2 de 9", "a) O ás;", "b) O rei.", "(c) A dama", "i) Um;"),
    *("ii) Dois.", "1. Três", "2. Quatro", "(1) Cinco", "1º Seis", "CAPÍTULO I", "Secção II — Das"),
    *("DAS APOSTAS", "Objeto", "(Lugares)", "A aposta é de 5.", "paga-se em fi-", "chas de 10", ""),
    *(
        "Combinação\t3 para 2",
        "\f",
        "Casa da Sorte",
        "13:69X-2.1 Cards",
        "- um ponto",
        "\u200b",
        "  ",
    ),
)


def regulation(language: str) -> Text:
    return read_text((REGULATIONS / f"{language}.txt").read_bytes())


def node(text: Text, eid: str) -> Paragraph | Item:
    (found,) = [leaf for leaf in text.leaves() if leaf.eid == eid]
    return found


def assert_nothing_is_lost(text: Text) -> None:
    """Spans are disjoint and inside the source, and every sign that is no blank lies in one."""
    kept = [*text.labels, *text.furniture, *text.unplaced]
    kept += [piece for leaf in text.leaves() for piece in leaf.pieces]
    kept.sort()
    at = 0
    for start, end in [*kept, Span(len(text.source), len(text.source))]:
        assert at <= start <= end <= len(text.source)
        assert not text.source[at:start].strip()
        at = end
    eids = Counter(one.eid for one in (*text.sections, *text.articles, *text.leaves()))
    assert [eid for eid, times in eids.items() if times > 1] == []
    for leaf in text.leaves():
        assert all(
            leaf.span.start <= piece.start < piece.end <= leaf.span.end for piece in leaf.pieces
        )
        for item in leaf.items:
            assert leaf.span.start <= item.span.start <= item.span.end <= leaf.span.end
    spans = [article.span for article in text.articles]
    assert spans == sorted(spans)
    assert all(before.end <= after.start for before, after in pairwise(spans))


@pytest.mark.parametrize("language", ["pt", "es", "fr", "en"])
def test_no_word_of_a_regulation_is_lost(language: str) -> None:
    text = regulation(language)
    assert text.language == language
    assert text.unplaced == ()
    assert_nothing_is_lost(text)


def test_every_article_is_found_once() -> None:
    text = regulation("pt")
    numbers = [article.number for article in text.articles]
    assert numbers == [*map(str, range(1, 5)), "4-A", *map(str, range(5, 26))]
    assert text.missing() == ()
    assert [article.caption for article in text.articles[:5]] == [
        *("Objeto", "(Lugares)", "Baralhos", "Valor das cartas", "Sobre as figuras"),
    ]
    assert [article.number for article in regulation("es").articles] == ["1", "2", "2bis", "3", "4"]
    assert [article.number for article in regulation("fr").articles] == ["1", "2", "3", "4"]
    assert [article.number for article in regulation("en").articles] == [
        *("13:69X-2.1", "13:69X-2.2", "13:69X-2.10", "13:69X-2.11"),
    ]


def test_sections_stand_in_one_another() -> None:
    text = regulation("pt")
    assert {section.eid: section.heading for section in text.sections} == {
        "sec_regulamento_do_vinte_e_um_da_ribeira": "REGULAMENTO DO VINTE E UM DA RIBEIRA",
        "chp_I": "Disposições gerais",
        "chp_II": "Das apostas",
        "chp_II__sec_I": "Limites",
        "chp_II__sec_II": "Seguro",
        "chp_III": "Do lance",
        "chp_IV": "Da fiscalização",
        "chp_IV__sec_disposicoes_finais": "DISPOSIÇÕES FINAIS",
    }
    assert [one.number for one in text.articles if one.section == "chp_II__sec_II"] == ["7", "8"]


def test_paragraphs_and_items_are_named_as_in_akoma_ntoso() -> None:
    text = regulation("pt")
    assert (
        node(text, "art_3__para_1__item_b__item_ii").words
        == "Ser guardados em três caixas seladas."
    )
    assert node(text, "art_3__para_2").words.startswith("As cartas dobradas")
    assert node(text, "art_7__para_1__item_b").words == "Pago a três por um;"
    assert node(text, "art_10__para_2").words == "Saindo ela, o lance em curso é o último."
    printed = {one.number: [p.printed for p in one.paragraphs] for one in text.articles}
    assert (printed["1"], printed["7"]) == ([True, True], [False, False])
    english = regulation("en")
    assert node(english, "art_13-69X-2.2__item_b__item_2__item_i").words == (
        "The player may not change; and"
    )
    assert (
        node(regulation("es"), "art_3__para_2__item_b").words == "la apuesta no pase de la mitad."
    )
    assert node(regulation("fr"), "art_3__item_2").words == "pour les joueurs debout."


def test_words_are_whole_though_lines_and_pages_end_in_them() -> None:
    text = regulation("pt")
    assert "jogo bancado em que" in node(text, "art_1__para_1").words
    assert "recolhendo-se as fichas" in node(text, "art_6__para_1").words
    assert "recusa-se-lhe a aposta" in node(text, "art_6__para_1").words
    over_the_page = node(text, "art_5__para_2")
    assert "o baixar para Vinte vezes, o que" in over_the_page.words
    assert len(over_the_page.pieces) == 2  # without what the page bears between them
    assert {text.words_at(span) for span in text.furniture} == {
        *("- 2 -", "- 3 -", "- 4 -", "Casino da Ribeira — Regulamento do Jogo"),
    }


def test_an_article_named_in_a_sentence_begins_none() -> None:
    text = read_text(
        "Artigo 1.º\n\nAplica-se, sendo caso disso, o que manda o\nArtigo 2.º. Nada mais.\n"
        "\nArtigo 2.º do regulamento anterior é revogado.\n\nArtigo 2.º\n\nPaga-se a par.\n"
    )
    assert [article.number for article in text.articles] == ["1", "2"]
    assert node(text, "art_2__para_1").words == "Paga-se a par."


def test_dashed_numbers_are_articles_where_nothing_higher_is() -> None:
    text = read_text(
        "Regras\n\n1 - Joga-se com cartas.\n\n2 — Cada carta vale:\n\na) O ás, 1;\n\n"
        "b) A dama, 10,\n\n"
        "salvo à escolha.\n\n- 3 - A banca tira uma carta.\n- 4 - E para.\n\n- 5 -\n\n"
        "5 - No fim, nada.\n"
    )
    assert [article.number for article in text.articles] == ["1", "2", "3", "4", "5"]
    assert node(text, "art_2__item_b").words == "A dama, 10, salvo à escolha."
    assert [text.words_at(span) for span in text.furniture] == ["- 5 -"]


def test_a_number_that_comes_twice_is_not_placed() -> None:
    text = read_text(
        "Artigo 1.º\n\nUm.\n\nArtigo 2.º\n\nDois.\n\nArtigo 1.º\n\nOutra vez um.\n\n"
        "Artigo 3.º\n\nTrês.\n"
    )
    assert [article.number for article in text.articles] == ["1", "2", "3"]
    assert [text.words_at(span) for span in text.unplaced] == ["Artigo 1.º", "Outra vez um."]


def test_numbers_begin_again_under_another_heading() -> None:
    text = read_text("TÍTULO I\n\nArtigo 1.º\n\nUm.\n\nTÍTULO II\n\nArtigo 1.º\n\nOutro.\n")
    assert [article.eid for article in text.articles] == ["title_I__art_1", "title_II__art_1"]


def test_a_number_that_is_missing_is_named() -> None:
    text = read_text("Artigo 1.º\n\nUm.\n\nArtigo 2.º\n\nDois.\n\nArtigo 5.º\n\nCinco.\n")
    assert text.missing() == ("3", "4")


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (b"Artigo 1.\xba\n\nUm.\n", "byte 10 is no UTF-8"),
        (b"Artigo 1\n\nUm\x00 dois.\n", "character 13 is U+0000"),
        (b"%PDF-1.7\n1 - Um.\n", "no plain text but a document"),
        (b"PK\x03\x04 1 - Um.\n", "no plain text but a document"),
        (b"1 - Um.\n" + b"a" * LARGEST_TEXT, "larger than 1 MB"),
        (b"1 - Um.\n" * 650_000, "larger than 1 MB"),  # five of them
        (SCANNED, "of a scanned page: recognise it first"),
        ("Artigo 1.º\n\nUm \ud800 dois.\n", "character 16 is half of one"),
        (b"", "the file is empty"),
        (b"\n \n", "the file is empty"),
        (
            b"Uma frase sem nada.\nE outra.\n",
            "no heading is recognised (lines read: 2)",
        ),
    ],
)
def test_what_is_no_text_of_a_regulation_is_refused_in_words(file: bytes | str, said: str) -> None:
    with pytest.raises(Malformed, match=re.escape(said)):
        read_text(file)


def test_the_largest_file_is_read() -> None:
    begins = "Artigo 1.º\n\nUm.\n"
    text = read_text(begins + "a" * (LARGEST_TEXT - len(begins.encode())))
    assert [article.number for article in text.articles] == ["1"]


@given(st.lists(st.tuples(st.sampled_from(FRAGMENTS), st.sampled_from(("\n", "\n\n", "\r\n")))))
def test_of_any_lines_nothing_is_lost(lines: list[tuple[str, str]]) -> None:
    written = "".join(line + end for line, end in [("Artigo 1.º", "\n"), *lines])
    assert_nothing_is_lost(read_text(written))


@settings(max_examples=size(test=40, check=10_000, soak=10_000))
@given(st.data())
def test_of_a_changed_regulation_nothing_is_lost(data: st.DataObject) -> None:
    """Pieces of it left out, doubled, replaced by junk: read or refused, never a crash.

    What of its words is a number, obliges, permits, forbids or turns a rule lies in the text.
    """
    written = (
        REGULATIONS / f"{data.draw(st.sampled_from(['pt', 'es', 'fr', 'en']))}.txt"
    ).read_text("utf-8")
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(written)))
        end = min(len(written), start + data.draw(st.integers(0, 60)))
        written = written[:start] + data.draw(st.text(max_size=9)) + written[end:]
    try:
        text = read_text(written)
    except Malformed:
        return
    assert_nothing_is_lost(text)
    spans = [one.span for one in numbers_in(text)]
    spans += [one.span for one in duties_in(text)] + [one.span for one in turns_in(text)]
    assert all(0 <= span.start < span.end <= len(text.source) for span in spans)


@pytest.mark.parametrize(
    "sort", ["- 1 -\n", "a)\n", "i) x;\n", "1 - x.\n\n", "fi-\nchas ", "§ 1 A\n", "ABCD EF\n\n"]
)
def test_junk_is_read_in_time_that_grows_with_it(sort: str) -> None:
    length = size(test=20_000, check=100_000, soak=900_000)
    text = read_text("Artigo 1.º\n" + sort * (length // len(sort)))
    assert_nothing_is_lost(text)


# The seeds, where they lie beside the checkout.


def test_the_regulation_has_its_61_articles(shared_data: Callable[[str], Path]) -> None:
    text = read_text(shared_data(REGULATION).read_bytes())
    assert [article.number for article in text.articles] == [str(one) for one in range(1, 62)]
    assert text.unplaced == ()
    assert [section.number for section in text.sections[1:]] == ["I", "II", "III"]
    several = [one.number for one in text.articles if len(one.paragraphs) > 1]
    assert several == ["8", "22", "51"]
    assert [one.number for one in text.articles for p in one.paragraphs if p.items] == [
        *("1", "6", "41", "50"),
    ]
    assert_nothing_is_lost(text)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_handbook_has_sections_and_no_article(
    seed: str, shared_data: Callable[[str], Path]
) -> None:
    text = read_text(shared_data(seed).read_bytes())
    assert text.articles == ()
    assert len(text.sections) > 5
    assert_nothing_is_lost(text)


def test_the_options_of_a_summary_stand_in_one_section(shared_data: Callable[[str], Path]) -> None:
    text = read_text(shared_data(SEEDS[2]).read_bytes())
    assert "sec_opcoes__sec_seguro" in {section.eid for section in text.sections}


def test_an_english_number_with_a_letter_is_one_number() -> None:
    text = read_text(
        "Article 8\n\nThe player stands.\n\nArticle 8A\n\nThe dealer draws.\n\nArticle 9\n\nNo.\n"
    )
    assert [one.number for one in text.articles] == ["8", "8A", "9"]
    rules = read_text("Section 8. Wagers\n\nThe player bets.\n\nSection 8A. Chips\n\nOf clay.\n")
    assert [one.eid for one in rules.sections] == ["sec_8", "sec_8A"]
