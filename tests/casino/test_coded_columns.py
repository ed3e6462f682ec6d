"""What an event holds as a coded word is shown and written in words, in whichever list."""

from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.utils.translation import override

import casino.urls  # noqa: F401 - every list is registered
from casino.admin.record_admin import RecordAdmin
from casino.events.event import Event
from casino.events.round.round_played import RoundPlayed
from casino.events.shape import Items, Plain, fields_of
from casino.events.values import OneOf
from casino.web.display.cells import CODED, cell
from casino.web.words.coded_words import COLOURED


def coded_fields(kind: type[Event]) -> Iterator[str]:
    """The fields of a kind whose values are some words of the program's."""
    for field in () if kind is RoundPlayed else fields_of(kind):
        shape = field.shape.of if isinstance(field.shape, Items) else field.shape
        if isinstance(shape, Plain) and isinstance(shape.form, OneOf):
            yield field.name


def columns() -> list[tuple[str, str]]:
    """Every list with each of its table's columns that holds coded words."""
    found = []
    for model, shown in admin.site._registry.items():
        if isinstance(shown, RecordAdmin):
            coded = {name for kind in shown.kinds for name in coded_fields(kind)}
            named = sorted(one.name for one in model._meta.concrete_fields)
            held = [one for one in named if one in coded or one.endswith("office")]
            found += [(type(shown).__name__, one) for one in held]
    return found


def test_every_column_of_coded_words_is_known_as_one() -> None:
    """Its cells and its column of a spreadsheet ask this list alone."""
    listed = columns()
    assert len(listed) > 50
    assert [one for one in listed if one[1] not in CODED | COLOURED] == []


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("asks", "erasure", "apagamento"),
        ("basis", "recorded_in_error", "registado por engano"),
        ("ordered_by", "court", "um tribunal"),
        ("for_office", "chefia_da_sala", "chefia da sala"),
        ("what", "digest", "resumo da noite"),
        ("algorithm", "ES256", "ES256"),
    ],
)
def test_a_list_shows_the_word(name: str, code: str, said: str) -> None:
    with override("pt-pt"):
        assert str(cell(name)(type("Row", (), {name: code})())) == said
