"""People to choose from where a form asks for one: number, name, office and whether on duty.

One field and one control for every form that asks for a member of staff. The list is read once a
page, however many fields it has; names lie where they can be erased, and are shown only to those
who may see them (`access_policy.sees_names`).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django import forms
from django.db import connection
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext

from casino import clock
from casino.access import access_policy
from casino.events import Malformed
from casino.events.event import Event
from casino.events.naming import NAMING
from casino.events.staff import DutyBegun, StaffRegistered
from casino.events.values import Spelled
from casino.law.checks.table.house_people import (
    number_registered_once,
    people_are_registered,
    people_hold_their_office,
)
from casino.law.finding import Breach, Rule
from casino.law.rulebook.rulebook import Law
from casino.models import Account, OfficeGrant, Staff
from casino.queries import counting, held_at, offices_at
from casino.web.words.field_words import word

PICKED: Final = "-pick"  # the suffix of the list beside a number that is typed
BEFORE: Final = "-was"  # of what stood in the field when the page was made
LATELY: Final = timedelta(days=1)  # what was begun before and never ended was forgotten
_PIT, _HEAD, _MANAGER, _DEALER = "fiscal_de_banca", "fiscal_chefe", "chefia_da_sala", "pagador"
OF_THE_FLOOR: Final = (_DEALER, _PIT, _HEAD, _MANAGER)
# Whose office comes first in the list of a field; other fields ask for anybody of the floor.
FIRST: Final[dict[str, str]] = {
    **dict.fromkeys(("pagador", "relieves", "shuffled_by", "operator"), _DEALER),
    "fiscal_de_banca": _PIT,
    **dict.fromkeys(("fiscal_chefe", "opened_by", "resolved_by", "replaced_by", "by"), _HEAD),
    **dict.fromkeys(("approved_by", "authorised_by", "communicated_by", "sent_by"), _MANAGER),
}
_CODE: Final = Spelled("code")

# Who holds an office of the floor now, with the name and the duty recorded last.
_LISTED: Final = f"""
SELECT g.person, array_agg(DISTINCT g.held), (
  SELECT v.value #>> '{{}}'
  FROM casino_staff s JOIN casino_private_value v ON v.entry_id = s.entry_id
  WHERE s.person = g.person AND v.field = 'name' AND v.value IS NOT NULL ORDER BY s.n DESC LIMIT 1),
 coalesce((SELECT jsonb_object_agg(last.held, last.tables) FROM (
  SELECT DISTINCT ON (d.held) d.held, d.begins, d.tables FROM casino_duty d
  WHERE d.person = g.person AND d.occurred_at <= %(at)s AND d.occurred_at > %(since)s
   AND {counting("d")}
  ORDER BY d.held, d.occurred_at DESC, d.n DESC) last WHERE last.begins), '{{}}')
FROM casino_office_grant g
WHERE g.held = ANY(%(offices)s) AND {held_at()}
GROUP BY g.person ORDER BY g.person
"""  # noqa: S608 - made of constants alone


@dataclass(frozen=True, slots=True)
class Person:
    """One of the floor. `duty` are the offices he is on duty in, each with its tables."""

    number: str
    offices: tuple[str, ...]
    name: str
    duty: Mapping[str, tuple[str, ...]]

    @property
    def words(self) -> str:
        """Number and name."""
        return f"{self.number} · {self.name}" if self.name else self.number

    def said(self, besides: str = "") -> str:
        """Number, name, offices but for one that is said already, and where he is on duty."""
        parts = [self.words]
        parts += [
            str(word(office))
            for office in OF_THE_FLOOR
            if office in self.offices and office != besides
        ]
        tables = sorted({table for of in self.duty.values() for table in of})
        if self.duty:
            there = gettext("on duty at %(tables)s") % {"tables": ", ".join(tables)}
            parts.append(there if tables else gettext("on duty"))
        return " · ".join(parts)


class People:
    """Whom the fields of one page offer; read when the first of them asks."""

    def __init__(self, request: HttpRequest) -> None:
        self._names = access_policy.sees_names(request)
        self._options: dict[str, SafeString] = {}

    @cached_property
    def everybody(self) -> dict[str, Person]:
        """Everybody of the floor by number."""
        return {one.number: one for one in listed(clock.now(), names=self._names)}

    def name_read(self, number: str) -> str:
        """What somebody is called, if the list was read already; "" where it was not, or says not.

        Whoever needs one name alone asks for that one.
        """
        known = self.everybody.get(number) if "everybody" in self.__dict__ else None
        return "" if known is None else known.name

    def options(self, office: str = "") -> SafeString:
        """The list of a field: on duty in that office first, then its other holders, then all."""
        if office not in self._options:
            self._options[office] = self._grouped(office)
        return self._options[office]

    def __getitem__(self, office: str) -> SafeString:
        """The same for a template: ``people.pagador``, ``people.anybody``."""
        return self.options("" if office == "anybody" else office)

    def said(self, number: object) -> str:
        """Who a number is, beside its field; "" where nobody is known by it."""
        known = self.everybody.get(str(number or "")) or self._in_capitals.get(
            str(number or "").strip().upper()
        )
        return "" if known is None else known.said()

    @cached_property
    def _in_capitals(self) -> dict[str, Person]:
        return {number.upper(): one for number, one in self.everybody.items()}

    def _grouped(self, office: str) -> SafeString:
        everybody = list(self.everybody.values())
        if office:
            his = str(capfirst(word(office)))
            there = gettext("%(office)s, on duty") % {"office": his}
            groups = [
                (there, [one for one in everybody if office in one.duty]),
                (
                    his,
                    [one for one in everybody if office in one.offices and office not in one.duty],
                ),
                (
                    gettext("Others"),
                    [
                        one
                        for one in everybody
                        if office not in one.offices and office not in one.duty
                    ],
                ),
            ]
        else:
            groups = [
                (gettext("On duty now"), [one for one in everybody if one.duty]),
                (gettext("Others"), [one for one in everybody if not one.duty]),
            ]
        return mark_safe("".join(_group(label, of, office) for label, of in groups if of))  # noqa: S308 - made by format_html


def _group(label: str, people: Iterable[Person], office: str) -> SafeString:
    options = format_html_join(
        "", '<option value="{}">{}</option>', ((one.number, one.said(office)) for one in people)
    )
    return format_html('<optgroup label="{}">{}</optgroup>', label, options)


def listed(now: datetime, *, names: bool) -> list[Person]:
    """Whoever holds an office of the floor at a moment, by number; one query."""
    asked: dict[str, Any] = {"at": now, "since": now - LATELY, "offices": list(OF_THE_FLOOR)}
    with connection.cursor() as cursor:
        cursor.execute(_LISTED, asked)
        rows = cursor.fetchall()
    return [
        Person(
            number,
            tuple(held),
            (name or "") if names else "",
            {office: tuple(tables) for office, tables in json.loads(duty).items()},
        )
        for number, held, name, duty in rows
    ]


def people_of(request: HttpRequest) -> People:
    """The people this page offers; read at most once a request."""
    kept: People | None = getattr(request, "_people", None)
    if kept is None:
        kept = People(request)
        request._people = kept  # type: ignore[attr-defined]
    return kept


def number_of(typed: str) -> str:
    """A staff number as the house writes it: trimmed, as it is registered, else in capitals."""
    text = typed.strip()
    if not can_be_number(text):
        return text  # whoever asks for a number refuses it in words
    spelt = set(Staff.objects.filter(person__iexact=text).values_list("person"))
    spelt |= set(Account.objects.filter(staff__iexact=text).values_list("staff"))
    known = {number for (number,) in spelt}
    return text if text in known else min(known, default=text.upper())


def can_be_number(text: str) -> bool:
    """Whether it is written as a number of somebody can be."""
    try:
        _CODE.check(text, "$")
    except Malformed:
        return False
    return True


def picked_in(data: Mapping[str, object], name: str) -> str:
    """The number a form tells under a name: the one chosen, else the one that stands there.

    Both, which is the number of nobody, where another was typed beside the one that was chosen.
    """
    typed, picked = str(data.get(name) or ""), str(data.get(f"{name}{PICKED}") or "")
    if not picked or picked == typed:
        return typed
    return picked if typed in ("", data.get(f"{name}{BEFORE}")) else f"{typed} {picked}"


def previewed(event: Event, occurred_at: datetime, _law: Law) -> Iterator[tuple[Rule, Breach]]:
    """Of duty: that nobody is known by that number, or does not hold the office he comes in.

    Of a number told to the register: that it stands there already, in this spelling or another.
    Settings.PREVIEWED_BY; nothing where the house keeps no register of that office.
    """
    if isinstance(event, StaffRegistered):
        before = Staff.objects.filter(person__iexact=event.staff).order_by("n").first()
        if before is not None:
            yield (
                number_registered_once,
                Breach({"staff": event.staff}, {"registered_as": before.person}, {"times": 1}),
            )
        return
    if not isinstance(event, DutyBegun):
        return
    held = offices_at(event.staff, occurred_at)
    where: dict[str, int | str] = {"staff": event.staff}
    if event.office in held or not OfficeGrant.objects.filter(held=event.office).exists():
        return
    if held or Staff.objects.filter(person__iexact=event.staff).exists():
        office = {"office": event.office}
        yield people_hold_their_office, Breach(where, {"holds_office": "no"}, office)
    else:
        registered = {"registered": "yes"}
        yield people_are_registered, Breach(where, {"registered": "no"}, registered)


class PersonInput(forms.TextInput):
    """A staff number: typed, or chosen from a list beside it. What is chosen holds.

    Without people (a form nobody offered any) it is a text field alone.
    """

    template_name = "casino/widgets/person.html"

    def __init__(self, first: str = "", attrs: dict[str, object] | None = None) -> None:
        plain = {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        super().__init__({"maxlength": 40, **plain, **(attrs or {})})
        self.first = first
        self.people: People | None = None

    def value_from_datadict(self, data: Any, files: object, name: str) -> object:
        """The number that was chosen, else the one that stands in the field."""
        return picked_in(data, name) if f"{name}{PICKED}" in data else data.get(name)

    def get_context(
        self, name: str, value: object, attrs: dict[str, object] | None
    ) -> dict[str, object]:
        """The field, and the list beside it."""
        context = super().get_context(name, value, attrs)
        if self.people is not None:
            options = self.people.options(self.first)
            context["widget"] |= {"options": options, "who": self.people.said(value)}
        return context


class PersonField(forms.CharField):
    """A field that asks for a member of staff; `first` is the office whose holders come first."""

    def __init__(self, *, first: str = "", **how: Any) -> None:
        how.setdefault("max_length", 40)
        super().__init__(widget=PersonInput(first), **how)

    def clean(self, value: Any) -> str:
        """The number, trimmed and written as the house writes it."""
        text: str = super().clean(value)
        return number_of(text) if text else text


def asks_for_person(field: str) -> bool:
    """Whether an event's field names a member of staff."""
    return NAMING.get(field) == "person"


def offer(form: forms.BaseForm | None, request: HttpRequest) -> None:
    """Let every field of a form that asks for a person offer the people of this page."""
    for field in form.fields.values() if form is not None else ():
        _offer(field.widget, people_of(request))


def _offer(widget: forms.Widget, people: People) -> None:
    if isinstance(widget, PersonInput):
        widget.people = people
        _ = people.everybody  # it is shown: read before the page's other names are
    for column in getattr(widget, "columns", {}).values():
        _offer(column.widget, people)
