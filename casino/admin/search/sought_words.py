"""What the search of a list understands: parts of what its columns hold, words, numbers.

In any case, with or without accents; what a code is called in the reader's language too.
"""

from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property, lru_cache, reduce
from operator import or_
from typing import Final
from uuid import UUID

from django.db.models import Model, Q, TextField
from django.http import HttpRequest

from casino.events.naming import NAMING
from casino.models import Account, DeckReceipt, Partida, Shuffler, Staff, Table
from casino.web.display.cells import CODED
from casino.web.display.folded_text import folded, spellings
from casino.web.forms.people_choices import people_of
from casino.web.words.coded_words import NAMED_WORDS, REASONS, WORDS
from casino.web.words.field_words import word as coded_word
from casino.web.words.incident_words import OF_INCIDENTS
from casino.web.words.languages import language

LONGEST: Final = 100  # characters
_MOST_WORDS: Final = 8  # what comes after them is looked for as one
_SHORTEST_WORD: Final = 3  # of what a code is called: two letters are part of nearly every word
_LONGEST_NUMBER: Final = 18  # digits
_MOST_NAMES: Final = 500  # so many an index is asked for one by one
# What names these columns hold says a register, which is short. A long list is asked for the names
# that were found there: an index answers that, and nothing answers for parts of a million names.
REGISTERS: Final[dict[str, type[Model]]] = {
    "partida_id": Partida,
    "table_code": Table,
    "deck": DeckReceipt,
    "shuffler": Shuffler,
}
_OF_EVERY_LIST: Final = ("partida_id", "table_code")
_NOT_SEARCHED: Final = frozenset({"office"})  # everybody's is one of a few


def says(text: str, *said: str) -> bool:
    """Whether every word of a text is a part of what is said."""
    there = folded(" ".join(said))
    return all(any(each in there for each in spellings(word)) for word in text.split())


class SoughtWord:
    """One word that is looked for, and what was found of it in the registers of names."""

    def __init__(self, request: HttpRequest, word: str) -> None:
        self.word = word
        self.text = folded(word)
        self.spelled = spellings(word)
        self._request = request
        self._named: dict[str, Q] = {}

    def within(self, model: type[Model], columns: Iterable[str], ids: Iterable[str]) -> Q:
        """The rows of a list it is found in: in these columns, as what a code in any column is
        called, as who recorded it, as the entry's number, as one of its `ids`.
        """
        fields = model._meta.concrete_fields
        there = {field.name for field in fields if isinstance(field, TextField)}
        asked = Q(pk__in=())
        for column in dict.fromkeys((*_OF_EVERY_LIST, *columns)):
            asked |= self._in_column(column)
        if "staff" in there:
            asked |= Q(staff__in=self.people)
        for column in sorted(there & CODED - _NOT_SEARCHED):
            if codes := self._called(column):
                asked |= Q(**{f"{column}__in": codes})
        if self.word.isascii() and self.word.isdigit():
            asked |= Q(n=int(self.word[:_LONGEST_NUMBER]))
        with suppress(ValueError):
            of = UUID(self.word)
            for column in ids:
                asked |= Q(**{column: of})
        return asked

    @cached_property
    def people(self) -> list[str]:
        """The staff numbers it is a part of; those of its name, for whoever sees names."""
        registered = Staff.objects.filter(self.is_part_of("person")).order_by()
        accounts = Account.objects.filter(self.is_part_of("staff")).order_by()
        numbers = registered.values_list("person", flat=True)
        found = set(numbers.union(accounts.values_list("staff", flat=True)))
        listed = people_of(self._request).everybody.values()
        found |= {one.number for one in listed if says(self.word, one.words)}
        return sorted(found)

    def is_part_of(self, column: str) -> Q:
        """The rows whose column it is a part of, with the hyphens of a code or without."""
        asked = (Q(**{f"{column}__folded__contains": text}) for text in self.spelled)
        return reduce(or_, asked)

    def _in_column(self, column: str) -> Q:
        if column in REGISTERS:
            return self._registered(column)
        found = self.is_part_of(column)
        if NAMING.get(column) == "person":
            found |= Q(**{f"{column}__in": self.people})
        return found

    def _registered(self, column: str) -> Q:
        """The rows with a name of the register it is a part of; with exactly this one anyhow.

        A table is registered before anything is recorded at it, and few lists have an index of it.
        """
        if column not in self._named:
            register = REGISTERS[column]._default_manager.order_by()
            known = register.filter(self.is_part_of(column))
            names = known.values_list(column, flat=True).distinct()
            few = list(names[: _MOST_NAMES + 1])
            spelled = {self.word, *(text.upper() for text in self.spelled)}
            exactly = set() if column == "table_code" else spelled
            self._named[column] = (
                Q(**{f"{column}__in": names}) | Q(**{f"{column}__in": sorted(exactly)})
                if len(few) > _MOST_NAMES
                else Q(**{f"{column}__in": sorted({*few, *exactly})})
            )
        return self._named[column]

    def _called(self, column: str) -> list[str]:
        """The codes a column may hold that are called so."""
        if len(self.text) < _SHORTEST_WORD:
            return []
        return [code for code, said in _spelled(column, language()) if self.text in said]


@lru_cache(maxsize=512)
def _spelled(column: str, _language: str) -> tuple[tuple[str, str], ...]:
    """Every code with what it is called in a column, folded."""
    codes = {*WORDS, *REASONS, *OF_INCIDENTS}
    codes |= {code for of, code in NAMED_WORDS if of == column}
    return tuple((code, folded(coded_word(code, column))) for code in sorted(codes))


def sought_in(request: HttpRequest, text: str) -> list[SoughtWord] | None:
    """The words of a search, each looked up once a request; None where nothing can match."""
    if "\0" in text or len(text.strip()) > LONGEST:
        return None
    kept: dict[str, SoughtWord] = vars(request).setdefault("_sought", {})
    return [
        kept.setdefault(word, SoughtWord(request, word))
        for word in text.split(maxsplit=_MOST_WORDS - 1)
    ]
