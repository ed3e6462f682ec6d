"""The fields above the list of findings, and what its search understands."""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from audit import queries
from audit.pages.words import GRAVITY, HOUSE, STATE
from casino.admin.field_words import rulebook_choices
from casino.admin.filters import ChoiceFilter, FormFilter
from casino.models import BookEntry
from casino.regulation.checks import ALL_CHECKS

_HEX: Final = re.compile(r"[0-9a-f]{6,64}")
_NUMBER_SIGN: Final = re.compile(r"^(n\.?\s?[ºo°]s?|art(igo|icle)?)\.?\s*", re.IGNORECASE)
_PLAYER: Final = re.compile(r"(\S+) (?:de|of) (\S+)")  # a pseudonym is of one game
_SHORTEST_WORD: Final = 3
_LONGEST_NUMBER: Final = 16  # digits


class StateFilter(ChoiceFilter):
    """Open, or why it no longer holds."""

    title = _("State")
    parameters = ("state",)

    def options(self) -> Sequence[tuple[str, Any]]:
        """Every state."""
        return [(state, word) for state, (_tone, _icon, word) in STATE.items()]

    def chosen(self, queryset: Any, value: str) -> Any:
        """The findings in that state."""
        if value == queries.OPEN:
            return queries.open_findings(queryset)
        return queries.superseded_for(queryset, value)


class GravityFilter(ChoiceFilter):
    """Breach of the law, deviation from the house's own rules, warning or note."""

    title = _("Gravity")
    parameters = ("severity",)

    def options(self) -> Sequence[tuple[str, Any]]:
        """The gravest first."""
        return list(GRAVITY.items())

    def chosen(self, queryset: Any, value: str) -> Any:
        """The findings that count under it, as the overview counts them."""
        return queries.of_gravity(queryset, value)


class RulebookFilter(ChoiceFilter):
    """The rulebook it was judged by."""

    title = _("Rulebook")
    parameters = ("rulebook",)
    field = "rulebook"

    def options(self) -> Sequence[tuple[str, Any]]:
        """The house's rulebooks, and the house itself."""
        return [*rulebook_choices(), (HOUSE, _("the house"))]


class ArticleFilter(FormFilter):
    """One article, as it is cited."""

    title = _("Article")
    parameters = ("article",)
    field = "article"
    template = "casino/filter_short.html"

    def narrowed(self, queryset: Any) -> Any:
        """The findings under it; ``n.º 54`` is 54."""
        return queryset.filter(article=_NUMBER_SIGN.sub("", self.value))


class NamedFilter(FormFilter):
    """A person: whoever did what a finding rests on. A player as ``J2 de BJ-02/2026-11-21/1``."""

    title = _("Person")
    parameters = ("person",)

    def narrowed(self, queryset: Any) -> Any:
        """The findings that name him; of the last month of play where no days were asked."""
        if not {"from", "to"} & {name for name, value in self.request.GET.items() if value}:
            queryset = queries.recent(queryset)
        player = _PLAYER.fullmatch(self.value)
        if player is not None:
            return queries.naming(queryset.filter(partida_id=player[2]), player[1])
        return queries.naming(queryset, self.value)


def searched(queryset: queries.Findings, asked: str) -> queries.Findings:
    """The findings that fit every word asked.

    A word may be an article, a table, a partida, a check, the beginning of a finding's key, an
    entry's id or name (``table/BJ-01#98``), or part of the sentence that says what a check asks.
    """
    text = _NUMBER_SIGN.sub("", asked.strip())
    for word in text.split():
        queryset = queryset.filter(_fits(word))
    return queryset


def _fits(word: str) -> Q:
    fits = (
        Q(article=word.lower())
        | Q(table_code=word.upper())
        | Q(partida_id=word)
        | Q(check_name=word)
    )
    lower = word.lower()
    if _HEX.fullmatch(lower):
        fits |= Q(key__startswith=lower)
    with suppress(ValueError):
        fits |= _resting_on(UUID(word))
    stream, mark, n = word.partition("#")
    if mark and n.isdecimal() and len(n) < _LONGEST_NUMBER:
        fits |= Q(evidence__contains=[{"stream": stream, "n": int(n)}])
    if len(word) >= _SHORTEST_WORD:
        named = [
            check.name for check in ALL_CHECKS.values() if lower in gettext(check.statement).lower()
        ]
        fits |= Q(check_name__in=named)
    return fits


def _resting_on(entry: UUID) -> Q:
    """The findings that rest on an entry, by whichever name of it they tell."""
    fits = Q(evidence__contains=[str(entry)])
    there = BookEntry.objects.filter(id=entry).values_list("stream__name", "n").first()
    if there is not None:
        fits |= Q(evidence__contains=[{"stream": there[0], "n": there[1]}])
    return fits
