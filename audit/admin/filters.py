"""The fields above the list of findings."""

import re
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from audit import audit_queries
from audit.case_state import overdue, with_case
from audit.models import Finding
from audit.pages.audit_access import reads_all
from audit.pages.findings.case_section import CASE_STATE
from audit.pages.page_words import GRAVITY, HOUSE, STATE
from casino import clock
from casino.models import OfficeGrant, Staff
from casino.web.display.list_filters import ChoiceFilter, FormFilter, people_offered
from casino.web.words.field_words import rulebook_choices

NUMBER_SIGN: Final = re.compile(r"^(n\.?\s?[ºo°]s?|art(igo|icle)?)\.?\s*", re.IGNORECASE)
# A pseudonym is of one game; it is found in whichever case it is typed.
_PLAYER: Final = re.compile(r"(\S+)\s+(?:de|of)\s+(\S+)", re.IGNORECASE)
_PSEUDONYM: Final = re.compile(r"[Jj]\d{1,4}")  # as players are called
# Of anybody: dealers too, whom no register may know.
_NUMBER: Final = re.compile(r"[A-Za-z]-\d{1,6}|[Jj]\d{1,4}")
GAMES: Final = 20  # named where a player is asked for without his


class StateFilter(ChoiceFilter):
    """Open, or why it no longer holds."""

    title = _("State")
    parameters = ("state",)

    def options(self) -> Sequence[tuple[str, object]]:
        """Every state."""
        return [(state, word) for state, (_tone, _icon, word) in STATE.items()]

    def chosen(self, queryset: Any, value: str) -> Any:
        """The findings in that state."""
        if value == audit_queries.OPEN:
            return audit_queries.open_findings(queryset)
        return audit_queries.superseded_for(queryset, value)


class GravityFilter(ChoiceFilter):
    """Breach of the law, deviation from the house's own rules, warning or note."""

    title = _("Gravity")
    parameters = ("severity",)

    def options(self) -> Sequence[tuple[str, object]]:
        """The gravest first."""
        return list(GRAVITY.items())

    def chosen(self, queryset: Any, value: str) -> Any:
        """The findings that count under it, as the overview counts them."""
        return audit_queries.of_gravity(queryset, value)


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
        return queryset.filter(article=NUMBER_SIGN.sub("", self.value))


class ReadingFilter(FormFilter):
    """One reading of a rulebook, by its name: where the register of readings leads here."""

    title = _("Reading")
    parameters = ("reading",)
    template = "casino/filter_short.html"

    def has_output(self) -> bool:
        """Only where one is asked for."""
        return bool(self.value)

    def narrowed(self, queryset: Any) -> Any:
        """The findings that hang on it."""
        return queryset.filter(readings__contains=[self.value])


class NamedFilter(FormFilter):
    """A person: whoever did what a finding rests on. A player as ``J2 de BJ-02/2026-11-21/1``.

    A player's pseudonym is of one game. Asked for without it nothing is shown, for these would be
    several people's findings, but the `games` he may be of are.
    """

    title = _("Person")
    parameters = ("person",)
    games: Sequence[tuple[str, str]] = ()
    player = ""

    def offered(self) -> Sequence[tuple[str, str]]:
        """Everybody of the floor."""
        return people_offered(self.request)

    def narrowed(self, queryset: Any) -> Any:
        """The findings that name him; of the last month of play where no days were asked."""
        if not {"from", "to"} & {name for name, value in self.request.GET.items() if value}:
            queryset = audit_queries.recent(queryset)
        player = _PLAYER.fullmatch(self.value)
        if player is not None:
            game = {player[2], player[2].upper()}
            mine = queryset.filter(partida_id__in=game)
            return audit_queries.of_player(mine, _in_capitals(player[1]))
        staff = staff_number(self.value)
        if staff or not _PSEUDONYM.fullmatch(self.value):
            return audit_queries.naming(queryset, staff or _in_capitals(self.value))
        self.player = self.value.upper()
        games = audit_queries.games_of_player(queryset, self.player, GAMES)
        self.games = [(game, self._of(game)) for game in games]
        return queryset.none()

    def _of(self, game: str) -> str:
        """The same list, of the player of one game."""
        asked = self.request.GET.copy()
        of = gettext("%(player)s of %(game)s") % {"player": self.player, "game": game}
        asked["person"] = of
        return f"?{asked.urlencode()}"


class OfCases(FormFilter):
    """A field about cases: only for whoever reads what was done about findings."""

    def has_output(self) -> bool:
        """Whether he reads all of it."""
        return reads_all(self.request)


class CaseStateFilter(OfCases, ChoiceFilter):
    """How the case stands."""

    title = _("State of the case")
    parameters = ("case_state",)

    def options(self) -> Sequence[tuple[str, object]]:
        """Every state."""
        return [(state, word) for state, (_tone, _icon, word) in CASE_STATE.items()]

    def chosen(self, queryset: QuerySet[Finding], value: str) -> QuerySet[Finding]:
        """The findings whose case stands so."""
        return with_case(queryset).filter(case_state=value)


class ResponsibleFilter(OfCases):
    """Who answers for the case."""

    title = _("Responsible")
    parameters = ("responsible",)
    template = "casino/filter_short.html"

    def narrowed(self, queryset: QuerySet[Finding]) -> QuerySet[Finding]:
        """The findings whose case was assigned to him last."""
        return with_case(queryset).filter(responsible__iexact=self.value)


class OverdueFilter(OfCases, ChoiceFilter):
    """Whether the house is late."""

    title = _("Term")
    parameters = ("overdue",)

    def options(self) -> Sequence[tuple[str, object]]:
        """Late, or nothing asked."""
        return [("yes", _("Overdue"))]

    def chosen(self, queryset: QuerySet[Finding], value: str) -> QuerySet[Finding]:
        """The open findings whose time is over."""
        return overdue(with_case(audit_queries.open_findings(queryset)), clock.now())


def staff_number(*typed: str) -> str:
    """A number as the register or an office has it, in whichever case and spelling it was typed;
    '' if none.
    """
    asked = reduce(or_, (Q(person__iexact=one) for one in typed))
    for rows in (Staff.objects, OfficeGrant.objects):
        known = set(rows.filter(asked).values_list("person", flat=True))
        if known:
            return next((one for one in typed if one in known), min(known))
    return ""


def _in_capitals(number: str) -> str:
    """As numbers and pseudonyms are written; anything else as it was typed."""
    return number.upper() if _NUMBER.fullmatch(number) else number
