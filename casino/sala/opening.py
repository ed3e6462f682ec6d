"""S2: a table is opened, filled in from the last time; or several at one go, each by itself.

Law: PT art. 2, 3, 14, 37 (boxes, decks, limits), 52 (a shuffler).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, cast

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from casino import clock
from casino.admin import open_games, permits
from casino.admin.cells import money
from casino.admin.form_fields import amount, cents_of
from casino.admin.house_time import gaming_day_now
from casino.facts.partidas import DeckInUse, PartidaOpened
from casino.facts.tables import StakeLimits
from casino.models import Limits, Partida, Shuffler
from casino.queries import entry_told
from casino.recording import Receipt
from casino.recording.authority import PIT, writers_of
from casino.sala import gathering
from casino.sala.access import acts_at_which, floor_page
from casino.sala.deck_words import colour_word, deck_text, decks_of, decks_text, read_decks
from casino.sala.decks_left import Left, decks_left, received
from casino.sala.games import was_recorded
from casino.sala.showing import shown
from casino.sala.store import in_store, unknown_to_it
from casino.sala.taking import Act, take
from casino.sala.ways import pools_offered

RULEBOOK: Final = "pt"


class OpenForm(forms.Form):
    """What a table is opened with."""

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
    fiscal_de_banca = forms.CharField(label=_("Fiscal de banca"), max_length=40, required=False)
    fiscal_chefe = forms.CharField(label=_("Fiscal-chefe"), max_length=40, required=False)
    pagador = forms.CharField(label=_("Dealer"), max_length=40, required=False)

    def __init__(self, data: Mapping[str, Any] | None, initial: Mapping[str, Any]) -> None:
        super().__init__(data, initial=dict(initial))
        self.asks = False  # whether a deck is named that the register does not know
        pools = sorted({*pools_offered(), *initial.get("jackpots", ())})
        cast(forms.MultipleChoiceField, self.fields["jackpots"]).choices = [
            (pool, pool) for pool in pools
        ]
        for name in ("minimum", "maximum"):
            self.fields[name].widget.attrs["inputmode"] = "decimal"
        for field in self.fields.values():
            field.widget.attrs.setdefault("autocomplete", "off")

    def clean(self) -> dict[str, Any]:
        """A deck nobody received is asked about: one wrong digit is another deck."""
        told: dict[str, Any] = super().clean() or self.cleaned_data
        self.asks = False
        if "decks" not in self.errors and "decks" in told:
            unknown = unknown_to_it([one.deck for one in read_decks(told["decks"])])
            self.asks = bool(unknown)
            if unknown and not told["unreceived"]:
                self.add_error(
                    "decks",
                    gettext("Nobody received %(decks)s into the store: look at the number again.")
                    % {"decks": ", ".join(unknown)},
                )
        return told

    def clean_minimum(self) -> int:
        """In cents. Raises: ValidationError."""
        return _cents(self.cleaned_data["minimum"])

    def clean_maximum(self) -> int:
        """In cents. Raises: ValidationError."""
        return _cents(self.cleaned_data["maximum"])


class SeveralForm(forms.Form):
    """Which tables are opened."""

    def __init__(self, data: Mapping[str, Any] | None, tables: Collection[str]) -> None:
        super().__init__(data)
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
    if table not in gathering.tables_known():
        raise Http404
    still_open = table in open_games.open_partidas([table])
    if still_open and not was_recorded(request):
        return _already_open(request, table)
    before = last_opening(table)
    partida = next_name(table)
    left = decks_left({table: before})[table] if before is not None else Left((), ())
    begun = _initial(request, table, before, left.decks)

    def acts(told: Mapping[str, Any]) -> Sequence[Act]:
        return [Act(opened(table, partida, told, before), _words(table))]

    return take(
        request,
        screen="open",
        acts=acts,
        form=OpenForm(request.POST or None, begun),
        template="sala/open.html",
        context={
            "table": table,
            "partida": partida,
            "gone": left.gone,
            "tiles": _tiles([*left.decks, *received(in_store([one.deck for one in left.decks]))]),
        },
        done=reverse("sala:exhibit", args=[table]),
        tables=(table,),
    )


def _tiles(decks: Iterable[DeckInUse]) -> list[dict[str, str]]:
    """Decks to be tapped: each with its colour, and as it would be typed."""
    return [
        {"deck": one.deck, "colour": colour_word(one.back_colour), "typed": deck_text(one)}
        for one in decks
    ]


def _already_open(request: HttpRequest, table: str) -> HttpResponse:
    """To the table; who had filled in the form is told first that somebody else was before him."""
    if request.method != "POST":
        return HttpResponseRedirect(reverse("sala:table", args=[table]))
    row = open_games.last_partidas([table])[table]
    context = {"table": table, "opened": entry_told(row.entry_id)}
    return shown(request, "sala/already_open.html", context, status=409)


@floor_page(writers_of("partida-opened/1"))
def open_several(request: HttpRequest) -> HttpResponse:
    """Open the ticked tables, each as the last time: one act each, one tap for all."""
    tables = gathering.tables_known()
    closed = [one for one in tables if one not in open_games.open_partidas(tables)]
    his = [one for one in closed if one in acts_at_which(request, closed)]
    before = {table: fact for table in his if (fact := last_opening(table)) is not None}
    left = decks_left(before)
    whole = {table: fact for table, fact in before.items() if not left[table].gone}
    me = request.user.get_username() if permits.duty_tables(request) is not None else None

    def acts(told: Mapping[str, Any]) -> Sequence[Act]:
        return [
            Act(opened_again(table, whole[table], left[table].decks, me), _words(table))
            for table in told["tables"]
        ]

    chosen = request.POST.getlist("tables")
    openings = [
        {"table": table, "words": _as_before(table, fact), "chosen": table in chosen}
        for table, fact in whole.items()
    ]
    wanting = [(table, left[table].gone) for table in before if table not in whole]
    first_times = [table for table in his if table not in before]
    return take(
        request,
        screen="open_several",
        acts=acts,
        form=SeveralForm(request.POST or None, whole),
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
    row = open_games.last_partidas([table]).get(table)
    told = entry_told(row.entry_id) if row is not None else None
    return None if told is None else told.fact


def next_name(table: str) -> str:
    """The name of the table's next partida of this gaming day."""
    day = gaming_day_now().isoformat()
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
    table: str, partida: str, told: Mapping[str, Any], before: PartidaOpened | None
) -> PartidaOpened:
    """The opening as it was filled in. Raises: Malformed."""
    named: dict[str, Any] = {
        name: told[name] or None for name in ("fiscal_de_banca", "fiscal_chefe", "pagador")
    }
    return PartidaOpened(
        table=table, partida=partida,
        rulebook=before.rulebook if before is not None else RULEBOOK,
        limits=StakeLimits(minimum_cents=told["minimum"], maximum_cents=told["maximum"]),
        decks=decks_of(told["decks"]), dealing=told["dealing"],
        shuffler=told["shuffler"] or None, jackpots=tuple(told["jackpots"]),
        cut_card=before.cut_card if before is not None else None,
        carta_aviso=before.carta_aviso if before is not None else None, **named,
    )  # fmt: skip


def opened_again(
    table: str, before: PartidaOpened, decks: tuple[DeckInUse, ...], me: str | None
) -> PartidaOpened:
    """The opening as the last one, with the limits in force; `me` is who has the table now.

    `decks` are those the last game had at its end.
    """
    return PartidaOpened(
        table=table, partida=next_name(table), rulebook=before.rulebook,
        limits=limits_in_force(table) or before.limits, decks=decks,
        dealing=before.dealing, shuffler=before.shuffler, jackpots=before.jackpots,
        cut_card=before.cut_card, carta_aviso=before.carta_aviso,
        fiscal_de_banca=me or before.fiscal_de_banca, fiscal_chefe=before.fiscal_chefe,
        pagador=before.pagador,
    )  # fmt: skip


def _initial(
    request: HttpRequest,
    table: str,
    before: PartidaOpened | None,
    decks: tuple[DeckInUse, ...],
) -> dict[str, Any]:
    """What the form begins with: the last opening, the limits in force, who is there."""
    by = permits.actor(request, PartidaOpened.kind)
    limits = limits_in_force(table) or (before.limits if before is not None else None)
    told: dict[str, Any] = {"dealing": "shoe"}
    if before is not None:
        told |= {
            "dealing": before.dealing,
            "shuffler": before.shuffler or "",
            "decks": decks_text(decks),
            "jackpots": list(before.jackpots or ()),
            "fiscal_de_banca": before.fiscal_de_banca or "",
            "fiscal_chefe": before.fiscal_chefe or "",
            "pagador": before.pagador or "",
        }
    else:
        machine = Shuffler.objects.filter(at_table=table).order_by("-n").first()
        if machine is not None:
            told |= {"dealing": "shuffler", "shuffler": machine.shuffler}
    if limits is not None:
        told |= {
            "minimum": amount(limits.minimum_cents), "maximum": amount(limits.maximum_cents)
        }  # fmt: skip
    if by is not None and by.office == PIT:
        told["fiscal_de_banca"] = by.staff
    return told


def _as_before(table: str, before: PartidaOpened) -> str:
    limits = limits_in_force(table) or before.limits
    decks = ngettext("%(n)s deck", "%(n)s decks", len(before.decks)) % {"n": len(before.decks)}
    how = gettext("shuffler") if before.dealing == "shuffler" else gettext("shoe")
    return f"{money(limits.minimum_cents)} – {money(limits.maximum_cents)} · {how} · {decks}"


def _cents(text: str) -> int:
    return cents_of(text)
