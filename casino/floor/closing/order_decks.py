"""S12, before it: the decks are put in order and counted, one by one; the chips are counted.

Law: PT art. 3, 55.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.events.decks import DeckInspected, DeckResult
from casino.events.event_policy import AT_THE_TABLE
from casino.events.floor_life import ChipsCounted, DropCounted
from casino.events.partidas import ChipCount
from casino.floor.act_forms import ActForm
from casino.floor.closing.chip_totals import compared, float_of
from casino.floor.closing.still_missing import chefe_of, chips_counted, decks_unordered
from casino.floor.floor_access import actor_of, floor_page
from casino.floor.game_pages import GAME, after_closing, game_for, no_game, table_url, was_recorded
from casino.floor.game_view import GameView
from casino.floor.opening.deck_words import decks_of_page
from casino.floor.recording_views import Act, record_form_view
from casino.law.game_decks import decks_in_play
from casino.recording import Actor
from casino.web.display.money_and_time import money

DECK: Final = 52
RESULTS: Final[dict[DeckResult, Promise]] = {
    "conform": _("Conform"),
    "damaged": _("Damaged card"),
    "missing": _("Card missing"),
    "extra": _("Card too many"),
    "foreign": _("Of another deck"),
}
# Chips a table is counted in where its opening does not say, in cents.
CHIPS: Final = (100, 250, 500, 1_000, 2_500, 10_000, 50_000, 100_000)


Filled = Mapping[str, Any]  # what was filled in, by field
_WITH_THE_BOX: Final = frozenset({"interim", "closing"})  # when a box may be taken off the table


class OrderForm(forms.Form):
    """For each deck how many cards it has, and what was found of it."""

    def __init__(self, data: Mapping[str, object] | None, decks: tuple[str, ...]) -> None:
        super().__init__(data)
        self.decks = decks
        for place, deck in enumerate(decks):
            self.fields[f"cards-{place}"] = forms.IntegerField(
                label=_("Cards"),
                initial=DECK,
                min_value=0,
                max_value=200,
                widget=forms.NumberInput({"inputmode": "numeric", "data-deck": deck}),
            )
            self.fields[f"result-{place}"] = forms.ChoiceField(
                label=deck, choices=list(RESULTS.items()), initial="conform"
            )

    def rows(self) -> Iterator[tuple[str, object, object]]:
        """Each deck with its two controls."""
        for place, deck in enumerate(self.decks):
            yield deck, self[f"cards-{place}"], self[f"result-{place}"]


class ChipsForm(ActForm):
    """How many chips of each value; left empty, none of that value was counted. And what cash was
    counted of the drop box that was taken off the table with them, or by itself.

    Whoever names nobody beside himself is asked; that he counted alone he may say. `me` records it.
    """

    add_up = forms.CharField(required=False)
    alone = forms.BooleanField(label=_("Nobody counted with me"), required=False)

    def __init__(
        self, data: Mapping[str, object] | None, game: GameView, me: str, moment: str
    ) -> None:
        super().__init__(data)
        self.me = me
        self.asks = False  # whether one person alone is named
        self.values = values_of(game)
        self.add(ChipsCounted, "moment pagador second")
        self.add(DropCounted, "cash_cents")
        self.fields["cash_cents"].required = self.fields["cash_cents"].widget.is_required = False
        self.fields["cash_cents"].label = _("Cash of the drop box")
        self.fields.update(counts_rows(self.values))
        self.begin(
            moment=moment if moment == "interim" else "closing", pagador=game.dealer, second=me
        )

    def rows(self) -> Iterator[tuple[object, int, str]]:
        """Each value's control, the value in cents, and what was typed comes to."""
        for value in self.values:
            count = self._count(value)
            yield self[f"chips-{value}"], value, money(value * count) if count else ""

    @property
    def total(self) -> int:
        """What was typed so far comes to. Units: cents."""
        return sum(value * self._count(value) for value in self.values)

    def _count(self, value: int) -> int:
        typed = str(self[f"chips-{value}"].value() or "").strip()
        return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 8 else 0

    def clean(self) -> dict[str, object]:
        """Something was counted; nobody counts beside himself."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("add_up"):  # asked what it comes to, and to record nothing
            self.add_error(None, _("Added up. Nothing was recorded yet."))
            return cleaned
        counted, cash = counts_in(self.values, cleaned), cleaned.get("cash_cents")
        if not self.errors and not counted and cash is None:
            self.add_error(None, _("Say how many chips there are of one value at least."))
        if cash is not None and cleaned.get("moment") not in _WITH_THE_BOX:
            self.add_error("cash_cents", _("The drop box is counted during the game or after it."))
        dealer, second = ((cleaned.get(one) or "").casefold() for one in ("pagador", "second"))
        if second and second == dealer:
            self.add_error("second", _("The dealer counts; name another person beside him."))
        elif not {"pagador", "second"} & set(self.errors):
            self.asks = not second or (not dealer and second == self.me.casefold())
            if self.asks and not cleaned.get("alone"):
                self.add_error("pagador", _("Two count: name the dealer and who was beside him."))
        return cleaned


def values_of(game: GameView) -> tuple[int, ...]:
    """The values of the chips of this table, in cents, the smallest first."""
    opened = game.evening.opened
    counts = opened.event.counts if opened is not None else None
    return tuple(sorted(one.value_cents for one in counts)) if counts else CHIPS


def counts_rows(values: Sequence[int]) -> dict[str, forms.IntegerField]:
    """A field for each value of chip: how many there are."""
    return {
        f"chips-{value}": forms.IntegerField(
            label=money(value),
            required=False,
            min_value=0,
            max_value=1_000_000,
            widget=forms.NumberInput({"inputmode": "numeric"}),
        )
        for value in values
    }


def counts_in(values: tuple[int, ...], data: Filled) -> tuple[ChipCount, ...]:
    """What was counted, by value."""
    return tuple(
        ChipCount(value_cents=value, count=data[f"chips-{value}"])
        for value in values
        if data.get(f"chips-{value}") is not None
    )


def ordered(game: GameView, decks: tuple[str, ...], data: Filled, by: Actor) -> list[Act]:
    """Each deck as it was found. Raises: Malformed."""
    return [
        Act(_inspected(game, deck, data[f"cards-{place}"], data[f"result-{place}"], by))
        for place, deck in enumerate(decks)
    ]


def _inspected(
    game: GameView, deck: str, cards: int, result: DeckResult, by: Actor
) -> DeckInspected:
    faces: Literal["regular", "damaged", "foreign"] = "regular"
    if result in ("damaged", "foreign"):
        faces = result
    return DeckInspected(
        **game.at,
        deck=deck,
        moment="close",
        cards=cards,
        order_complete=result in ("conform", "damaged"),
        faces=faces,
        backs="foreign" if result == "foreign" else "regular",
        result=result,
        pagador=game.dealer or None,
        fiscal_de_banca=by.staff if by.office == "fiscal_de_banca" else None,
        fiscal_chefe=chefe_of(game.evening) or None,
    )


@floor_page(AT_THE_TABLE)
def order_view(request: HttpRequest, table: str) -> HttpResponse:
    """The decks, put in order at the close."""
    game = game_for(request, table, left=True)
    due = () if game is None else decks_unordered(game.evening)
    if game is None or _is_done(request, game, due):
        return no_game(request, table)
    by = actor_of(request, DeckInspected.kind)
    due = due or decks_in_play(game.evening)
    decks = decks_of_page(request, due)
    form = OrderForm(request.POST or None, decks)
    return record_form_view(
        request,
        screen="order",
        acts=lambda data: ordered(game, decks, data, by),
        form=form,
        template="sala/order.html",
        context={"scene": game, "table": table, "decks": decks, "results": RESULTS.items()},
        done=_after_ordering(request, game, decks),
        tables=(table,),
    )


def _is_done(request: HttpRequest, game: GameView, left: object) -> bool:
    """Whether a closed game left nothing of it to do; a form that was sent twice is told so."""
    return game.over and not left and not was_recorded(request)


def _after_ordering(request: HttpRequest, game_view: GameView, decks: tuple[str, ...]) -> str:
    """Back to the closing; where a deck was not regular, to the incident it opens."""
    for place, deck in enumerate(decks):
        sent = request.POST.get(f"result-{place}", "conform")
        if sent != "conform" or request.POST.get(f"cards-{place}", str(DECK)) != str(DECK):
            category = "damaged_card" if sent == "damaged" else "deck_defect"
            at = reverse("sala:incident", args=[game_view.table])
            game = {GAME: game_view.partida} if game_view.over else {}
            return f"{at}?{urlencode({'category': category, 'deck': deck, **game})}"
    return after_closing(game_view)


def _totals(game: GameView, chips_form: ChipsForm) -> dict[str, object]:
    """What was typed comes to, and how it stands to the float where one was recorded."""
    began = float_of(game.evening)
    data: dict[str, object] = {"total": money(chips_form.total), "began": began}
    if began is not None:
        data |= {"opening": money(began.opening), "fills": money(began.fills)}
        data |= {"credits": money(began.credits), "expected": began.expected}
        at_the_closing = chips_form["moment"].value() == "closing"
        data["compared"] = (
            compared(chips_form.total, began) if chips_form.total and at_the_closing else ""
        )
    return data


def counted(game: GameView, values: tuple[int, ...], data: Filled) -> list[Act]:
    """The chips as they were counted, and the cash of the box taken with them. Raises: Malformed.

    Of a box counted by itself nobody says here when it was taken.
    """
    acts, chips = list[Act](), counts_in(values, data)
    if chips:
        count = {"moment": data["moment"], "counts": chips, "pagador": data["pagador"]}
        acts.append(Act(ChipsCounted(**game.at, **count, second=data["second"])))
    if data["cash_cents"] is not None:
        drop = DropCounted(
            **game.at,
            cash_cents=data["cash_cents"],
            taken_at=data["at"] if chips else None,
            counted_by=data["pagador"],
            second=data["second"],
        )
        acts.append(Act(drop))
    return acts


@floor_page(AT_THE_TABLE)
def chips_view(request: HttpRequest, table: str) -> HttpResponse:
    """The chips, counted by two, and the cash of the drop box."""
    game = game_for(request, table, left=True)
    if game is None or _is_done(request, game, _uncounted(game)):
        return no_game(request, table)
    me, asked = request.user.get_username(), request.GET.get("moment", "")
    form = ChipsForm(request.POST or None, game, me, asked)
    return record_form_view(
        request,
        screen="chips",
        acts=lambda data: counted(game, form.values, data),
        form=form,
        template="sala/chips.html",
        context={"scene": game, "table": table, **_totals(game, form)},
        done=after_closing(game)
        if request.POST.get("moment", "closing") == "closing"
        else table_url(table),
        tables=(table,),
    )


def _uncounted(game: GameView) -> bool:
    """Whether its chips at the closing, or its drop box, are not counted yet."""
    return not chips_counted(game.evening) or not game.dossier.of(DropCounted)
