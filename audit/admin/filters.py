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
from audit.pages.words import GRAVITY, HOUSE, STATE, words
from audit.reconcile.house_checks import STATEMENTS
from casino.admin.field_words import rulebook_choices
from casino.admin.filters import ChoiceFilter, FormFilter
from casino.models import BookEntry, OfficeGrant, Staff
from casino.regulation import house_controls
from casino.regulation.checks import ALL_CHECKS
from casino.regulation.headings import PLACES, Line
from casino.regulation.headings_rounds import PAYMENT

_HEX: Final = re.compile(r"[0-9a-f]{6,64}")
_NUMBER_SIGN: Final = re.compile(r"^(n\.?\s?[ºo°]s?|art(igo|icle)?)\.?\s*", re.IGNORECASE)
_PLAYER: Final = re.compile(r"(\S+) (?:de|of) (\S+)")  # a pseudonym is of one game
_PSEUDONYM: Final = re.compile(r"[Jj]\d{1,4}")  # as players are called
GAMES: Final = 20  # named where a player is asked for without his
_NUMBER_OF_STAFF: Final = re.compile(r"[A-Za-z]-\d{1,6}")  # dealers too, whom no register may know
_AMOUNT: Final = re.compile(r"\d{1,3}(?:[. ]?\d{3}){0,3}[,.]\d\d")
_GAP: Final = re.compile(r"\{[^}]*\}")
_COUNTED: Final = ("number", "box", "hand", "shoe", "seat")  # the places of a finding in numbers
ALL_STATEMENTS: Final = (*ALL_CHECKS, *STATEMENTS, *house_controls.BY_NAME)
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
    """A person: whoever did what a finding rests on. A player as ``J2 de BJ-02/2026-11-21/1``.

    A player's pseudonym is of one game. Asked for without it nothing is shown, for these would be
    several people's findings, but the `games` he may be of are.
    """

    title = _("Person")
    parameters = ("person",)
    games: Sequence[tuple[str, str]] = ()
    player = ""

    def narrowed(self, queryset: Any) -> Any:
        """The findings that name him; of the last month of play where no days were asked."""
        if not {"from", "to"} & {name for name, value in self.request.GET.items() if value}:
            queryset = queries.recent(queryset)
        player = _PLAYER.fullmatch(self.value)
        if player is not None:
            return queries.of_player(queryset.filter(partida_id=player[2]), player[1])
        if not _PSEUDONYM.fullmatch(self.value) or _is_staff(self.value):
            return queries.naming(queryset, self.value)
        self.player = self.value
        games = queries.games_of_player(queryset, self.player, GAMES)
        self.games = [(game, self._of(game)) for game in games]
        return queryset.none()

    def _of(self, game: str) -> str:
        """The same list, of the player of one game."""
        asked = self.request.GET.copy()
        of = gettext("%(player)s of %(game)s") % {"player": self.player, "game": game}
        asked["person"] = of
        return f"?{asked.urlencode()}"


def _is_staff(number: str) -> bool:
    named = (Staff.objects, OfficeGrant.objects)
    return any(rows.filter(person__iexact=number).exists() for rows in named)


def searched(queryset: queries.Findings, asked: str) -> queries.Findings:
    """The findings that fit every word asked.

    A word may be an article (``n.º 36`` is nothing else), a table, a partida, a person, the number
    of the finding's own entry, of a round, shoe, box or hand, an amount (``10,00``), a check, the
    beginning of a finding's key, an entry's id or name (``table/BJ-01#98``), or part of a sentence
    the page shows: what a check asks, or what happened. Persons are looked for as the filter does.
    """
    text = _NUMBER_SIGN.sub("", asked.strip())
    if text != asked.strip() and text:
        article, *words = text.split()
        return _all(queryset.filter(article=article.lower()), words)
    return _all(queryset, text.split())


def _all(queryset: queries.Findings, words: Sequence[str]) -> queries.Findings:
    for word in words:
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
    if word.isdecimal() and len(word) < _LONGEST_NUMBER:
        fits |= Q(n=int(word))
        for place in _COUNTED:
            fits |= Q(**{f"where__{place}": int(word)})
    amount = _AMOUNT.fullmatch(word)
    if amount is not None:
        fits |= _of_cents(int(re.sub(r"\D", "", word)))
    if _NUMBER_OF_STAFF.fullmatch(word) or _is_staff(word):
        fits |= queries.lately() & Q(queries.acted(word.upper()))
    return fits | _saying(lower) if len(word) >= _SHORTEST_WORD else fits


def _of_cents(cents: int) -> Q:
    fits = Q(owed_cents=cents)
    for name in ("returned_cents", "stake_cents"):
        fits |= Q(**{f"observed__{name}": cents}) | Q(**{f"expected__{name}": cents})
    return fits


def _saying(word: str) -> Q:
    """The findings of which the page says a word: in the rule, in what happened, in its place."""
    say = words()

    def has(line: Line) -> bool:
        return word in _GAP.sub("", line.pt if say.language == "pt" else line.en).lower()

    named = {name for name in ALL_STATEMENTS if word in say.statement(name).lower()}
    named |= {name for name, lines in say.lines.items() if any(map(has, lines))}
    fits = Q(check_name__in=sorted(named))
    if any(map(has, PAYMENT)):
        fits |= Q(observed__has_key="returned_cents", expected__has_key="returned_cents")
    for place in _COUNTED:
        if any(word == each for each in PLACES[place][say.language == "en"].split()):
            fits |= Q(where__has_key=place)
    return fits


def _resting_on(entry: UUID) -> Q:
    """The findings that rest on an entry, by whichever name of it they tell."""
    fits = Q(evidence__contains=[str(entry)])
    there = BookEntry.objects.filter(id=entry).values_list("stream__name", "n").first()
    if there is not None:
        fits |= Q(evidence__contains=[{"stream": there[0], "n": there[1]}])
    return fits
