"""S13: who deals at a table, who answers for it, and who is on duty: two taps each.

Law: PT art. 8 (pagador and fiscal de banca), 51, 54, 55 (fiscal-chefe); no article says how they
come and go, and what is odd about it the house's own rules find
(`casino.law.checks.table.house_people`).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino import clock, holding
from casino.access import access_policy
from casino.access.offices_held import offices_of
from casino.access.open_games import open_partidas, tables_known
from casino.events.event_policy import AT_THE_TABLE, FLOOR, HEAD, MANAGER, PIT
from casino.events.floor_life import DealerTookTable, TableHandedOver
from casino.events.staff import DutyBegun, DutyEnded
from casino.floor.closing.still_missing import fiscal_of
from casino.floor.floor_access import actor_of, floor_page
from casino.floor.game_pages import game_for, no_game, table_url
from casino.floor.recording_views import record_form_view
from casino.models import Dealing, Duty, Partida
from casino.web.forms.people_choices import OF_THE_FLOOR, Person, PersonField, people_of
from casino.web.words.field_words import word

DEALER: Final = "pagador"
BEGIN, END = "begin", "end"


class WhoForm(forms.Form):
    """Whoever comes: tapped, or typed."""

    def __init__(self, data: Mapping[str, object] | None, office: str, now_there: str) -> None:
        super().__init__(data)
        self.now_there = now_there
        self.fields["person"] = PersonField(
            first=office,
            label=_("Another number"),
            required=False,
        )
        self.fields["tapped"] = forms.CharField(required=False, max_length=40)

    def clean(self) -> dict[str, object]:
        """Somebody, and somebody else than who is there."""
        data: dict[str, object] = super().clean() or self.cleaned_data
        data["who"] = data.get("tapped") or data.get("person") or ""
        if not data["who"] and not self.errors:
            self.add_error("person", _("Say who comes."))
        elif data["who"] and data["who"] == self.now_there:
            self.add_error("person", _("He is there already."))
        return data


@dataclass(frozen=True, slots=True)
class Choice:
    """Somebody to be tapped: number, name, where he is now ('' for nowhere told)."""

    number: str
    name: str
    where: str


def _choices(
    request: HttpRequest, office: str, besides: str, busy: Mapping[str, str]
) -> list[Choice]:
    """The holders of an office but one: those on duty first, those busy elsewhere last."""
    people = [one for one in people_of(request).everybody.values() if office in one.offices]
    people.sort(key=lambda person: (person.number in busy, not person.duty, person.number))
    return [
        Choice(one.number, one.name, busy.get(one.number) or _duty_words(one))
        for one in people
        if one.number != besides
    ]


def _duty_words(person: Person) -> str:
    if not person.duty:
        return ""
    tables = sorted({table for of in person.duty.values() for table in of})
    return ", ".join(tables) if tables else gettext("whole room")


def _dealing_now(besides: str) -> dict[str, str]:
    """Who deals at which other open table, as far as recorded; two queries."""
    games = {
        name: table for table, name in open_partidas(tables_known()).items() if table != besides
    }
    dealers = dict(
        Partida.objects.filter(partida_id__in=games).values_list("partida_id", "pagador")
    )
    turns = Dealing.objects.filter(partida_id__in=games).order_by("n")
    for partida, act, dealer in turns.values_list("partida_id", "act", "pagador"):
        dealers[partida] = dealer if act == "took" else ""
    return {
        dealer: gettext("deals at %(table)s") % {"table": games[partida]}
        for partida, dealer in dealers.items()
        if dealer
    }


@floor_page(AT_THE_TABLE)
def dealer_view(request: HttpRequest, table: str) -> HttpResponse:
    """Another dealer takes the table."""
    game = game_for(request, table)
    if game is None:
        return no_game(request, table)
    now_there = game.dealer
    return record_form_view(
        request,
        screen="dealer",
        acts=lambda value: [
            DealerTookTable(**game.at, pagador=value["who"], relieves=now_there or None)
        ],
        form=WhoForm(request.POST or None, DEALER, now_there),
        template="sala/who.html",
        context={
            "table": table,
            "title": gettext("Change the dealer"),
            "now_there": _known(request, now_there),
            "now_words": gettext("Deals now"),
            "choices": _choices(request, DEALER, now_there, _dealing_now(table)),
        },
        done=table_url(table),
        tables=(table,),
    )


@floor_page(AT_THE_TABLE)
def hand_over_view(request: HttpRequest, table: str) -> HttpResponse:
    """Another fiscal de banca answers for the table."""
    game = game_for(request, table)
    if game is None:
        return no_game(request, table)
    now_there = fiscal_of(game.evening)
    return record_form_view(
        request,
        screen="hand_over",
        acts=lambda value: [
            TableHandedOver(**game.at, fiscal_de_banca=value["who"], relieves=now_there or None)
        ],
        form=WhoForm(request.POST or None, PIT, now_there),
        template="sala/who.html",
        context={
            "table": table,
            "title": gettext("Hand the table over"),
            "now_there": _known(request, now_there),
            "now_words": gettext("Answers for it now"),
            "choices": _choices(request, PIT, now_there, {}),
        },
        done=reverse("sala:floor"),
        tables=(table,),
    )


def _known(request: HttpRequest, number: str) -> str:
    return people_of(request).said(number) or number


# Duty


def _offices() -> list[tuple[str, str]]:
    """In the language of whoever reads the page: asked for each form."""
    return [("", ""), *((one, str(capfirst(word(one)))) for one in OF_THE_FLOOR)]


class DutyForm(forms.Form):
    """Who comes or goes, in which office, at which tables."""

    do = forms.ChoiceField(choices=[(BEGIN, ""), (END, "")])
    staff = PersonField(label=_("Staff number"), required=False)
    office = forms.ChoiceField(
        label=_("Office"),
        required=False,
        choices=_offices,
    )

    def __init__(
        self, data: Mapping[str, object] | None, tables: Collection[str], mine: tuple[str, str]
    ) -> None:
        super().__init__(data)
        self.mine = mine
        self.fields["tables"] = forms.MultipleChoiceField(
            choices=[(table, table) for table in tables], required=False
        )
        self.fields["one"] = forms.ChoiceField(
            choices=[("", ""), *((table, table) for table in tables)], required=False
        )

    def clean(self) -> dict[str, object]:
        """Without a number it is his own; a fiscal de banca names his tables."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        staff, office = self.mine
        data["staff"] = data.get("staff") or staff
        if data["staff"] == staff and not data.get("office"):
            data["office"] = office
        if not data.get("office") and "office" not in self.errors:
            self.add_error("office", _("Say in which office."))
        chosen = [data["one"]] if data.get("one") else data.get("tables") or []
        data["at_tables"] = tuple(chosen)
        if data.get("do") == BEGIN and data.get("office") == PIT and not chosen:
            self.add_error(
                "tables",
                _("Say at which tables: a fiscal de banca is not on duty in the whole room."),
            )
        return data


def duty_event(data: Mapping[str, Any]) -> DutyBegun | DutyEnded:
    """That somebody comes or goes. Raises: Malformed."""
    if data["do"] == END:
        return DutyEnded(staff=data["staff"], office=data["office"])
    return DutyBegun(staff=data["staff"], office=data["office"], tables=data["at_tables"])


@floor_page(FLOOR)
def duty_view(request: HttpRequest) -> HttpResponse:
    """One's own duty, begun or ended; a fiscal-chefe tells of others' too."""
    by = actor_of(request, DutyBegun.kind)
    tables = tables_known()
    last = Duty.objects.filter(person=by.staff, held=by.office, occurred_at__lte=clock.now())
    value: Any = last.order_by("-occurred_at", "-pk").first()
    there = value is not None and value.begins
    held = holding.held_duty(by.staff, by.office)  # said by now, and not in the book yet
    if held is not None:
        there = isinstance(held, DutyBegun)
        value = {"occurred_at": clock.now(), "tables": held.tables} if there else None
    before = [] if by.office != PIT else _tables_before(request, by.staff, tables)
    return record_form_view(
        request,
        screen="duty",
        acts=lambda filled: [duty_event(filled)],
        form=DutyForm(request.POST or None, tables, (by.staff, by.office)),
        template="sala/duty.html",
        context={
            "office": capfirst(word(by.office)),
            "since": value if there else None,
            "before": before,
            "tables": tables,
            "names_tables": by.office == PIT,
            "may_others": bool(offices_of(request) & {HEAD, MANAGER}),
        },
        done=reverse("sala:floor"),
    )


def _tables_before(request: HttpRequest, me: str, tables: Collection[str]) -> list[str]:
    """Where a fiscal de banca goes most likely: his open games, else where he was the last time."""
    mine = set(access_policy.own_partidas(request))
    open_now = [table for table, name in open_partidas(list(tables)).items() if name in mine]
    if open_now:
        return sorted(open_now)
    last = Duty.objects.filter(person=me, held=PIT, begins=True).order_by("-occurred_at", "-pk")
    row = last.first()
    return [table for table in row.tables if table in tables] if row is not None else []
