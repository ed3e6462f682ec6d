"""S2: a table is opened, filled in from the last time; or several at one go, each by itself.

Law: PT art. 2, 3, 14, 37 (boxes, decks, limits), 52 (a shuffler).
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final, cast

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from casino import clock, holding, kept_entries
from casino.access import access_policy, open_games
from casino.events.event_policy import PIT
from casino.events.partidas import DeckInUse, PartidaOpened, SpecialCard
from casino.events.tables import StakeLimits
from casino.floor import gathering
from casino.floor.closing.order_decks import CHIPS, counts_in, counts_rows
from casino.floor.floor_access import acts_at_which, floor_page
from casino.floor.floor_page import shown
from casino.floor.form_state import paper_of
from casino.floor.game_pages import form_of, was_recorded
from casino.floor.opening.deck_store import as_registered, in_store, unknown_to_it
from casino.floor.opening.deck_words import deck_text, decks_of, decks_text, read_decks
from casino.floor.opening.decks_left import Left, decks_left, received
from casino.floor.recording_views import Act, record_form_view
from casino.floor.table_links import pools_offered
from casino.house_day import gaming_day_now, house_day_at
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook import LawInForce
from casino.law.rulebook.rulebook_file import load_law
from casino.models import Limits, Partida, Shuffler
from casino.previewing import RULEBOOK
from casino.queries import load_entry
from casino.recording import Receipt
from casino.recording.authority import writers_of
from casino.web.display.money_and_time import money
from casino.web.forms.form_fields import amount, cents_of
from casino.web.forms.people_choices import PersonField
from casino.web.words.coded_words import COLOURS, colour_word
from casino.web.words.field_words import rulebook_choices, rulebook_word

PEOPLE: Final = ("fiscal_de_banca", "fiscal_chefe", "pagador")
# The two cards that are no playing cards, each with the colours of both its sides.
SPECIAL: Final = {"cut_card": _("Card for cutting"), "carta_aviso": _("Warning card")}
SIDES: Final = {"front": _("front"), "back": _("back")}
NO_CARD: Final = "none"  # a side's answer that there is no such card


def person_field(name: str) -> PersonField:
    """Who is there in an office."""
    labels = {
        "fiscal_de_banca": _("Fiscal de banca"),
        "fiscal_chefe": _("Fiscal-chefe"),
        "pagador": _("Dealer"),
    }
    return PersonField(first=name, label=labels[name], required=False)


def rulebook_field() -> forms.ChoiceField:
    """By which rulebook a game is played."""
    return forms.ChoiceField(label=_("Rulebook"), choices=rulebook_choices)


class OpenForm(forms.Form):
    """What a table is opened with."""

    rulebook = rulebook_field()
    minimum = forms.CharField(label=_("Minimum"), max_length=20)
    maximum = forms.CharField(label=_("Maximum"), max_length=20)
    dealing = forms.ChoiceField(
        label=_("Dealt from"), choices=[("shoe", _("a shoe")), ("shuffler", _("a shuffler"))]
    )
    shuffler = forms.CharField(label=_("Shuffler"), max_length=40, required=False)
    decks = forms.CharField(
        label=_("Decks"),
        max_length=1_000,
        help_text=_("Numbers, each with the colour of its backs where it is known, after a colon"),
        widget=forms.Textarea({"rows": 3, "spellcheck": "false", "autocapitalize": "characters"}),
    )
    unreceived = forms.BooleanField(
        label=_("These are the decks, though nobody received them"), required=False
    )
    jackpots = forms.MultipleChoiceField(
        label=_("Progressive jackpot"),
        required=False,
        error_messages={"invalid_choice": _("There is no pool %(value)s: tap one there is.")},
    )
    fiscal_de_banca = person_field("fiscal_de_banca")
    fiscal_chefe = person_field("fiscal_chefe")
    pagador = person_field("pagador")

    def __init__(
        self,
        data: Mapping[str, object] | None,
        initial: Mapping[str, Any],
        values: Sequence[int] = CHIPS,
    ) -> None:
        super().__init__(data, initial=dict(initial))
        self.values = values
        self.fields.update(counts_rows(values))
        for card in SPECIAL:
            for side, word in SIDES.items():
                name = f"{card}_{side}"
                self.fields[name] = forms.ChoiceField(
                    label=word, choices=colour_choices(initial.get(name, "")), required=False
                )
        self.asks = False  # whether a deck is named that the register does not know
        pools = sorted({*pools_offered(), *initial.get("jackpots", ())})
        cast(forms.MultipleChoiceField, self.fields["jackpots"]).choices = [
            (pool, pool) for pool in pools
        ]
        for name in ("minimum", "maximum"):
            self.fields[name].widget.attrs["inputmode"] = "decimal"
        for field in self.fields.values():
            field.widget.attrs.setdefault("autocomplete", "off")

    def limits(self) -> list[object]:
        """The controls of the limits."""
        return [self["minimum"], self["maximum"]]

    def people(self) -> list[object]:
        """The controls of who is there."""
        return [self[name] for name in PEOPLE]

    def rows(self) -> list[Any]:
        """The control of each value of chip."""
        return [self[f"chips-{value}"] for value in self.values]

    def special(self) -> list[tuple[object, object, object]]:
        """Each special card: its word, and the controls of its sides."""
        return [
            (word, self[f"{card}_front"], self[f"{card}_back"]) for card, word in SPECIAL.items()
        ]

    def clean(self) -> dict[str, object]:
        """A deck nobody received is asked about: one wrong digit is another deck."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        self.asks = False
        for card in SPECIAL:
            sides = [data.get(f"{card}_{side}") for side in SIDES]
            if NO_CARD in sides and not {*sides} <= {NO_CARD, ""}:
                self.add_error(f"{card}_front", gettext("Either the card is there, or it is not."))
                continue
            if NO_CARD in sides:
                data |= {f"{card}_{side}": NO_CARD for side in SIDES}
            elif any(sides) and not all(sides):
                missing = next(side for side in SIDES if not data.get(f"{card}_{side}"))
                self.add_error(f"{card}_{missing}", gettext("Say the colours of both its sides."))
        if data.get("dealing") == "shoe":
            data["shuffler"] = ""  # its field stays filled in while a shoe is chosen
        if "decks" not in self.errors and "decks" in data:
            read = read_decks(data["decks"])
            codes = as_registered([one.deck for one in read])
            if read:
                data["decks"] = decks_text(map(_numbered, read, codes))
            unknown = unknown_to_it(codes)
            self.asks = bool(unknown)
            if unknown and not data["unreceived"]:
                self.add_error(
                    "decks",
                    gettext("Nobody received %(decks)s into the store: look at the number again.")
                    % {"decks": ", ".join(unknown)},
                )
        return data

    def clean_minimum(self) -> int:
        """In cents. Raises: ValidationError."""
        return cents_of(self.cleaned_data["minimum"])

    def clean_maximum(self) -> int:
        """In cents. Raises: ValidationError."""
        return cents_of(self.cleaned_data["maximum"])


class SeveralForm(forms.Form):
    """Which tables are opened, and for each by which rulebook and with whom."""

    def __init__(
        self, data: Mapping[str, object] | None, tables: Mapping[str, Mapping[str, object]]
    ) -> None:
        super().__init__(data)
        for table, initial in tables.items():
            self.fields[f"{table}-rulebook"] = rulebook_field()
            for name in PEOPLE:
                self.fields[f"{table}-{name}"] = person_field(name)
            for name, value in initial.items():
                field = self.fields[f"{table}-{name}"]
                field.initial, field.required = value, False
        self.fields["tables"] = forms.MultipleChoiceField(
            choices=[(table, table) for table in tables],
            error_messages={
                "required": gettext("Tick at least one table."),
                "invalid_choice": gettext(
                    "%(value)s is open already, or not to be opened like the last time."
                ),
            },
        )


@floor_page(writers_of("partida-opened/1"))
def open_view(request: HttpRequest, table: str) -> HttpResponse:
    """Open one table."""
    if table not in open_games.tables_known():
        raise Http404
    still_open = table in _open_now(request, [table])
    if still_open and not was_recorded(request):
        return _already_open(request, table)
    before = last_opening(table)
    sheet = paper_of(request)
    partida = next_name(table, None if sheet is None else house_day_at(sheet.at))
    left = decks_left({table: before})[table] if before is not None else Left(())
    begun = _initial(request, table, before, left.decks)

    def acts(data: Mapping[str, object]) -> Sequence[Act]:
        return [Act(opened(table, partida, data, values), _words(table))]

    values = _chips(before)
    form = OpenForm(request.POST or None, begun, values)
    return record_form_view(
        request,
        screen="open",
        acts=acts,
        form=form,
        template="sala/open.html",
        context={
            "table": table,
            "partida": partida,
            "gone": left.gone,
            "elsewhere": left.elsewhere,
            "tiles": _tiles(left.decks),
            "others": _tiles(received(in_store([one.deck for one in left.decks]))),
            "boxes": gathering.boxes_of([table]).get(table),
            "many": json.dumps(_deck_counts(len(before.decks) if before is not None else None)),
            "has_machine": _has_machine(table, begun),
            "special_cards": _has_special_cards(str(form["rulebook"].value())),
            "before_title": rulebook_word(begun["rulebook"]),
            "usual": begun["rulebook"] == RULEBOOK,
            "counted": any(row.value() not in (None, "") for row in form.rows()),
        },
        done=reverse("sala:exhibit", args=[table]),
        tables=(table,),
    )


def _numbered(deck_in_use: DeckInUse, code: str) -> DeckInUse:
    return replace(deck_in_use, deck=code)


def _open_now(request: HttpRequest, tables: Collection[str]) -> Collection[str]:
    """Which of these tables are open; what is held there is written before a form is answered."""
    if request.method == "POST":
        holding.settle(tables, besides=form_of(request))
        return open_games.open_partidas(tables)
    opening = holding.openings(tables)
    return {*open_games.open_partidas(tables), *opening}


def _tiles(decks: Iterable[DeckInUse]) -> list[dict[str, str]]:
    """Decks to be tapped: each with its colour, and as it would be typed.

    `dot` is the colour as the style sheet knows it; '' for one it does not.
    """
    return [
        {
            "deck": one.deck,
            "colour": colour_word(one.back_colour),
            "dot": one.back_colour if one.back_colour in COLOURS else "",
            "typed": deck_text(one),
        }
        for one in decks
    ]


def colour_choices(text: str) -> list[tuple[str, object]]:
    """The colours of a special card's side, and the one it was told to have."""
    others = {text: text} if text and text not in COLOURS else {}
    absent = (NO_CARD, _("there is no such card"))
    return [("", _("not known")), *(COLOURS | others).items(), absent]


def _chips(partida_opened_before: PartidaOpened | None) -> tuple[int, ...]:
    """The values of a table's chips, in cents, the smallest first."""
    counts = partida_opened_before.counts if partida_opened_before is not None else None
    return tuple(sorted(one.value_cents for one in counts)) if counts else CHIPS


def _rules(rulebook: str) -> LawInForce | None:
    try:
        return load_law(rulebook).on(gaming_day_now())
    except LawError:
        return None


def _deck_counts(before: int | None) -> dict[str, int]:
    """By rulebook, of how many decks: as many as last time where it allows them, or its most.

    A rulebook that does not say is left out.
    """
    counts = {}
    for book, _title in rulebook_choices():
        rules = _rules(book)
        if rules is not None and rules.states("decks.allowed"):
            allowed: Collection[int] = rules["decks.allowed"]
            counts[book] = before if before is not None and before in allowed else max(allowed)
    return counts


def _has_special_cards(rulebook: str) -> bool:
    rules = _rules(rulebook)
    return rules is not None and rules.states("shoe.special_cards")


def _has_machine(table: str, begun: Mapping[str, object]) -> bool:
    """Whether a shuffler stands there, or dealt there the last time."""
    return bool(begun.get("shuffler")) or Shuffler.objects.filter(at_table=table).exists()


def _already_open(request: HttpRequest, table: str) -> HttpResponse:
    """To the table; who had filled in the form is recorded first that somebody else was before
    him.
    """
    if request.method != "POST":
        return HttpResponseRedirect(reverse("sala:table", args=[table]))
    row = open_games.last_partidas([table])[table]
    context = {"table": table, "opened": load_entry(row.entry_id)}
    return shown(request, "sala/already_open.html", context, status=409)


@floor_page(writers_of("partida-opened/1"))
def open_several(request: HttpRequest) -> HttpResponse:
    """Open the ticked tables, each as the last time: one act each, one tap for all."""
    tables = open_games.tables_known()
    under_way = _open_now(request, tables)
    closed = [one for one in tables if one not in under_way]
    allowed = acts_at_which(request, closed)
    his = [one for one in closed if one in allowed]
    before = last_openings(his)
    left = decks_left(before)
    whole = {table: event for table, event in before.items() if left[table].whole}
    me = access_policy.actor(request, PartidaOpened.kind)
    fiscal = me.staff if me is not None and me.office == PIT else ""
    begun = {table: _begun_again(event, fiscal) for table, event in whole.items()}
    form = SeveralForm(request.POST or None, begun)

    def acts(data: Mapping[str, Any]) -> Sequence[Act]:
        return [
            Act(opened_again(table, whole[table], left[table].decks, data), _words(table))
            for table in data["tables"]
        ]

    chosen = request.POST.getlist("tables")
    openings = [
        {
            "table": table,
            "words": _as_before(table, event),
            "chosen": table in chosen,
            "rulebook": form[f"{table}-rulebook"],
            "unusual": form[f"{table}-rulebook"].value() != RULEBOOK,
            "people": [form[f"{table}-{name}"] for name in PEOPLE],
        }
        for table, event in whole.items()
    ]
    wanting = [(table, left[table]) for table in before if table not in whole]
    first_times = [table for table in his if table not in before]
    return record_form_view(
        request,
        screen="open_several",
        acts=acts,
        form=form,
        template="sala/open_several.html",
        context={"openings": openings, "first_times": first_times, "wanting": wanting},
        done=_to_the_floor,
        tables=tuple(before),
    )


def _to_the_floor(receipts: Sequence[Receipt]) -> str:
    return reverse("sala:floor")


def _words(table: str) -> str:
    return gettext("Table %(table)s opened") % {"table": table}


def last_opening(table: str) -> PartidaOpened | None:
    """What the table was opened with the last time; None where it never was."""
    return last_openings([table]).get(table)


def last_openings(tables: Collection[str]) -> dict[str, PartidaOpened]:
    """The same of several tables, without those that never were open."""
    rows = open_games.last_partidas(tables)
    found = kept_entries.entries([row.entry_id for row in rows.values()])
    return {table: found[rows[table].entry_id].event for table in tables if table in rows}


def next_name(table: str, day: date | None = None) -> str:
    """The name of the table's next partida of a gaming day: of this one, if no other is named."""
    day = day or gaming_day_now()
    names = Partida.objects.filter(table_code=table, partida_id__startswith=f"{table}/{day}/")
    numbers = [int(name.rpartition("/")[2]) for name in names.values_list("partida_id", flat=True)]
    return f"{table}/{day}/{max(numbers, default=0) + 1}"


def limits_in_force(table: str) -> StakeLimits | None:
    """The limits the house set for the table that hold now."""
    rows = Limits.objects.filter(table_code=table, valid_from__lte=clock.now())
    row = rows.order_by("-valid_from", "-pk").first()
    if row is None:
        return None
    return StakeLimits(minimum_cents=row.minimum_cents, maximum_cents=row.maximum_cents)


def opened(
    table: str, partida: str, data: Mapping[str, Any], values: tuple[int, ...] = CHIPS
) -> PartidaOpened:
    """The opening as it was filled in. Raises: Malformed."""
    named: dict[str, Any] = {name: data[name] or None for name in PEOPLE}
    return PartidaOpened(
        table=table,
        partida=partida,
        rulebook=data["rulebook"],
        limits=StakeLimits(minimum_cents=data["minimum"], maximum_cents=data["maximum"]),
        decks=decks_of(data["decks"]),
        dealing=data["dealing"],
        shuffler=data["shuffler"] or None,
        jackpots=tuple(data["jackpots"]),
        cut_card=_special(data, "cut_card"),
        carta_aviso=_special(data, "carta_aviso"),
        special_cards=_counted(data),
        counts=counts_in(values, data) or None,
        **named,
    )


def _special(data: Mapping[str, Any], card: str) -> SpecialCard | None:
    front, back = (data[f"{card}_{side}"] for side in SIDES)
    return SpecialCard(front=front, back=back) if front not in ("", NO_CARD) else None


def _counted(data: Mapping[str, Any]) -> int | None:
    """How many special cards there are, where somebody says that one is not there."""
    answers: list[str] = [data[f"{card}_front"] for card in SPECIAL]
    if NO_CARD not in answers or "" in answers:
        return None
    return sum(answer != NO_CARD for answer in answers)


def opened_again(
    table: str,
    partida_opened_before: PartidaOpened,
    decks: tuple[DeckInUse, ...],
    data: Mapping[str, Any],
) -> PartidaOpened:
    """The opening as the last one, with the limits in force; the rulebook and the people as told.

    `decks` are those the last game had at its end. Raises: Malformed.
    """
    named: dict[str, Any] = {name: data[f"{table}-{name}"] or None for name in PEOPLE}
    rulebook = data[f"{table}-rulebook"] or partida_opened_before.rulebook
    return PartidaOpened(
        table=table,
        partida=next_name(table),
        rulebook=rulebook,
        limits=limits_in_force(table) or partida_opened_before.limits,
        decks=decks,
        dealing=partida_opened_before.dealing,
        shuffler=partida_opened_before.shuffler,
        jackpots=partida_opened_before.jackpots,
        cut_card=partida_opened_before.cut_card,
        carta_aviso=partida_opened_before.carta_aviso,
        special_cards=partida_opened_before.special_cards,
        **named,
    )


def _begun_again(partida_opened_before: PartidaOpened, fiscal: str) -> dict[str, str]:
    """What a row begins with: the last opening's rulebook and people, and who is logged in."""
    people = {name: getattr(partida_opened_before, name) or "" for name in PEOPLE}
    return {"rulebook": partida_opened_before.rulebook, **people} | (
        {"fiscal_de_banca": fiscal} if fiscal else {}
    )


def _initial(
    request: HttpRequest,
    table: str,
    partida_opened_before: PartidaOpened | None,
    decks: tuple[DeckInUse, ...],
) -> dict[str, Any]:
    """What the form begins with: the last opening, the limits in force, who is there."""
    by = access_policy.actor(request, PartidaOpened.kind)
    limits = limits_in_force(table) or (
        partida_opened_before.limits if partida_opened_before is not None else None
    )
    data: dict[str, Any] = {"dealing": "shoe", "rulebook": RULEBOOK}
    if partida_opened_before is not None:
        data |= {
            "rulebook": partida_opened_before.rulebook,
            "dealing": partida_opened_before.dealing,
            "shuffler": partida_opened_before.shuffler or "",
            "decks": decks_text(decks),
            "jackpots": list(partida_opened_before.jackpots or ()),
            "fiscal_de_banca": partida_opened_before.fiscal_de_banca or "",
            "fiscal_chefe": partida_opened_before.fiscal_chefe or "",
            "pagador": partida_opened_before.pagador or "",
        }
        for card in SPECIAL:
            sides = getattr(partida_opened_before, card)
            data |= {f"{card}_{side}": getattr(sides, side, "") for side in SIDES}
            if sides is None and partida_opened_before.special_cards is not None:
                data |= {f"{card}_{side}": NO_CARD for side in SIDES}
    else:
        machine = Shuffler.objects.filter(at_table=table).order_by("-n").first()
        if machine is not None:
            data |= {"dealing": "shuffler", "shuffler": machine.shuffler}
    if limits is not None:
        data |= {"minimum": amount(limits.minimum_cents), "maximum": amount(limits.maximum_cents)}
    if by is not None and by.office == PIT:
        data["fiscal_de_banca"] = by.staff
    return data


def _as_before(table: str, partida_opened_before: PartidaOpened) -> str:
    limits = limits_in_force(table) or partida_opened_before.limits
    decks = ngettext("%(n)s deck", "%(n)s decks", len(partida_opened_before.decks)) % {
        "n": len(partida_opened_before.decks)
    }
    how = gettext("shuffler") if partida_opened_before.dealing == "shuffler" else gettext("shoe")
    return f"{money(limits.minimum_cents)} – {money(limits.maximum_cents)} · {how} · {decks}"
