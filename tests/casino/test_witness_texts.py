"""What a witness reads holds words, not codes; and always the same ones."""

import hashlib
from typing import get_args

import pytest

from casino.events.shufflers import ShufflerUnloaded
from casino.models import BookEntry
from casino.web.words.incident_words import CATEGORIES as TILES
from casino.web.words.incident_words import REASONS as GIVEN
from casino.witnessing.prize_words import (
    ADJUSTED,
    COMBINATIONS,
    MEANS,
    cards_of,
    euros,
    fine_euros,
)
from casino.witnessing.text_words import CATEGORIES, REASONS, spelled
from casino.witnessing.texts import EARLIER, _written, digest_of, language_read, text_of
from jackpot.events import PaymentMeans
from jackpot.progressive.catalogue import CATALOGUE
from jackpot.progressive.meter import ADJUSTMENT_REASONS
from tests.factories.records import PARTIDA, recorded


@pytest.mark.parametrize("category", TILES)
def test_every_code_of_an_incident_has_its_words(category: str) -> None:
    codes = [(CATEGORIES, category), *((REASONS, reason) for reason in GIVEN[category])]
    for words, code in codes:
        pt, en = (spelled(words, code, language) for language in ("pt", "en"))
        assert code in words, code
        assert pt, code
        assert en, code
        assert pt != code


def test_every_combination_and_reason_of_a_meter_has_its_words() -> None:
    assert set(COMBINATIONS) == set(CATALOGUE)
    assert set(MEANS) == set(get_args(PaymentMeans))
    assert set(ADJUSTED) == set(ADJUSTMENT_REASONS)


@pytest.mark.parametrize(
    ("code", "shown"),
    [("AS-JS", "A♠ J♠"), ("TH-TH", "10♥ 10♥"), ("7-7-7", "7 7 7"), ("two_aces", "two_aces")],
)
def test_article_43_cards_are_read_as_they_are_printed(code: str, shown: str) -> None:
    assert cards_of(code) == shown


def test_article_50_an_amount_is_read_in_euros_and_a_difference_to_the_microcent() -> None:
    assert (euros(1_247_516, "pt"), euros(1_247_516, "en")) == ("12 475,16 €", "€12,475.16")
    assert (euros(5, "pt"), euros(100, "en")) == ("0,05 €", "€1.00")
    assert fine_euros(-250_000, "pt") == "-0,00250000 €"
    assert fine_euros(1_234 * 10**8, "en") == "€1,234.00000000"


def test_a_code_of_another_door_is_shown_as_it_is() -> None:
    assert spelled(REASONS, "fumo_na_sala", "pt") == "fumo na sala"


def test_the_words_are_those_whose_digests_stand_in_books() -> None:
    data = repr(sorted({**CATEGORIES, **REASONS}.items())).encode()
    assert (
        hashlib.sha256(data).hexdigest()
        == "95fbd7d1dcb87416c36e8569ea2a27fe8f9deb1864b2ee76ce73f46f44987060"
    ), "add words, never change one"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("recorded_empty", "read"),
    [
        (True, "Cartas: 312 · Baralhador vazio: sim · Encerramento anunciado: sim"),
        (False, "Cartas: 312 · Baralhador vazio: não · Encerramento anunciado: sim"),
        (None, "Cartas: 312 · Baralhador vazio: – · Encerramento anunciado: sim"),
    ],
)
def test_article_55_what_was_found_at_an_unloading_is_what_its_witness_reads(
    recorded_empty: bool | None, read: str
) -> None:
    unloaded = ShufflerUnloaded(
        table="BJ-06",
        partida=PARTIDA,
        shuffler="CSM-04",
        decks=("D-1",),
        cards=312,
        empty=recorded_empty,
        closing_announced=True,
    )
    entry = BookEntry.objects.get(pk=recorded(unloaded).entry_id)
    assert read in text_of(entry, "pt").splitlines()
    before = digest_of(_written(entry, EARLIER[unloaded.kind][0], "en"))
    assert language_read(entry, before) == "en"  # who confirmed earlier is still understood
