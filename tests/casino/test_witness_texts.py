"""What a witness reads holds words, not codes; and always the same ones."""

import hashlib

import pytest

from casino.sala.incident_words import CATEGORIES as TILES
from casino.sala.incident_words import REASONS as GIVEN
from casino.witnessing.text_words import CATEGORIES, REASONS, spelled


@pytest.mark.parametrize("category", TILES)
def test_every_code_of_an_incident_has_its_words(category: str) -> None:
    codes = [(CATEGORIES, category), *((REASONS, reason) for reason in GIVEN[category])]
    for words, code in codes:
        pt, en = (spelled(words, code, language) for language in ("pt", "en"))
        assert code in words, code
        assert pt, code
        assert en, code
        assert pt != code


def test_a_code_of_another_door_is_shown_as_it_is() -> None:
    assert spelled(REASONS, "fumo_na_sala", "pt") == "fumo na sala"


def test_the_words_are_those_whose_digests_stand_in_books() -> None:
    told = repr(sorted({**CATEGORIES, **REASONS}.items())).encode()
    assert (
        hashlib.sha256(told).hexdigest()
        == "95fbd7d1dcb87416c36e8569ea2a27fe8f9deb1864b2ee76ce73f46f44987060"
    ), "add words, never change one"
