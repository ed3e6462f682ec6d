"""S4: shuffle and cut on one screen: who sits there, whose turn it is, who declined, who cut.

Law: PT art. 8, 52, 53.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from casino import clock
from casino.events.floor_life import DealerLeftTable, DealerTookTable
from casino.floor.floor_access import floor_page
from casino.floor.game_pages import no_game, table_url
from casino.floor.game_view import GameView
from casino.floor.recording_views import Act, record_form_view
from casino.floor.shoe.cut_plan import (
    FISCAL,
    PASSES,
    Plan,
    cards_shuffled,
    cut_made,
    dealers_cut,
    passes_before,
    plan_of,
)
from casino.floor.step_words import article_of
from casino.floor.table_state import TableState, load_table_view
from casino.law.dossier import Dossier
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.rulebook import LawInForce
from casino.law.rulebook.rulebook_file import load_law
from casino.recording.authority import writers_of
from casino.web.forms.people_choices import PersonField, picked_in


class CutForm(forms.Form):
    """How the cards were shuffled and cut; who cuts is recorded by the plan."""

    passes = forms.IntegerField(min_value=0, max_value=100, required=False)
    shuffled_by = PersonField(first="pagador", required=False)
    face_down = forms.BooleanField(required=False)
    by_machine = forms.BooleanField(required=False)
    special_card = forms.BooleanField(required=False)
    used_turned = forms.TypedChoiceField(
        choices=[("", ""), ("yes", "yes"), ("no", "no")],
        coerce="yes".__eq__,
        empty_value=None,
        required=False,
    )
    dealer_cut = forms.BooleanField(required=False)
    shoe = forms.IntegerField(min_value=1, max_value=10_000)
    seats = forms.CharField(max_length=100, required=False)
    refused = forms.CharField(max_length=100, required=False)
    cut = forms.CharField(max_length=40, required=False)


@floor_page(writers_of("cut-made/1"))
def cut_view(request: HttpRequest, table: str) -> HttpResponse:
    """Show whose turn it is; record the shuffle and the cut together."""
    now = clock.now()
    table_view = load_table_view(table, now)
    state, dossier, rules = table_view.state, table_view.dossier, table_view.rules
    if dossier is None or rules is None:
        return no_game(request, table)
    asked = request.POST if request.method == "POST" else request.GET
    plan = plan_of(state, dossier, rules, now, asked)

    def acts(data: Mapping[str, object]) -> Sequence[Act]:
        data = {**data, "passes": PASSES if data["passes"] is None else data["passes"]}
        return cut_acts(plan, dossier, rules, data)

    on = "prepare" if plan.part != "shuffle" else ""
    return record_form_view(
        request,
        screen="cut",
        acts=acts,
        form=CutForm(request.POST or None),
        template="sala/cut.html",
        context={
            "table": table,
            "state": state,
            "cut": shown_plan(state, dossier, rules, plan) | typed(request.POST),
        },
        done=reverse("sala:shoe", args=[table]) if on else table_url(table),
        tables=(table,),
    )


def typed(data: Mapping[str, object]) -> dict[str, object]:
    """What was filled in on the page that comes back; nothing where it is shown anew."""
    if not data:
        return {}
    words = {"passes": data["passes"]} if "passes" in data else {}
    if "shuffled_by" in data:
        words["shuffled_by"] = picked_in(data, "shuffled_by")
    boxes = ("face_down", "by_machine", "special_card", "dealer_cut")
    ticked = {name: name in data for name in boxes}
    return {**words, **ticked, "used_turned": data.get("used_turned", ""), "open": True}


def cut_acts(
    plan: Plan, dossier: Dossier, rules: LawInForce, data: Mapping[str, object]
) -> list[Act]:
    """What is recorded: the shuffle, the cut, or both. Raises: Malformed."""
    acts = []
    if plan.part != "cut":
        words = gettext("Shuffle, shoe no. %(n)s") % {"n": plan.shoe}
        acts.append(Act(cards_shuffled(plan, dossier, rules, data), words))
    if plan.part != "shuffle":
        special = bool(data.get("special_card"))
        colour = rules.values.get("cut.players_card") if isinstance(plan.cut, int) else None
        cut = replace(cut_made(plan, dossier, special), card_colour=colour if special else None)
        acts.append(Act(cut, _cut_words(plan)))
        if data.get("dealer_cut") and rules.states("cut.dealers_card"):
            by_dealer = str(data.get("shuffled_by") or "") or None
            acts.append(Act(dealers_cut(cut, rules, by_dealer), gettext("Cut, by the dealer")))
    return acts


def shown_plan(
    state: TableState, dossier: Dossier, rules: LawInForce, plan: Plan
) -> dict[str, object]:
    """The plan as the page shows it, with the address of every tap."""
    at = reverse("sala:cut", args=[state.table])
    passes = passes_before(dossier)
    asked = plan.asked
    own_choice = plan.chosen is not None
    none_wanted = plan.query(refused=_in_order(plan), cut="")
    return {
        "shoe": plan.shoe,
        "only_shuffle": plan.part == "shuffle",
        "only_cut": plan.part == "cut",
        "article": article_of(state, "53" if plan.part == "shuffle" else "8"),
        "action": at,
        "all_seats": [_seat(at, plan, seat) for seat in range(1, state.boxes + 1)],
        "seat": plan.cut,
        "cut_by": plan.cut if plan.cut == FISCAL else "seat",
        "asked": asked,
        "turn": "" if own_choice else _turn(plan),
        "refuse": at + plan.query(refused=(*plan.refused, asked), cut="")
        if asked and not own_choice
        else "",
        "none_wanted": at + none_wanted if asked and len(plan.seats) > 1 else "",
        "restart": at + plan.query(refused=(), cut="") if plan.refused or own_choice else "",
        "restart_words": gettext("Take back what was declined")
        if plan.refused
        else gettext("Back to whose turn it is"),
        "otherwise": own_choice,
        "by_fiscal": at + plan.query(cut=FISCAL),
        "carried": [
            ("shoe", plan.shoe),
            ("seats", _text(plan.seats)),
            ("refused", _text(plan.refused)),
            ("cut", plan.cut),
        ],
        "how": _how(passes, plan),
        "decks": state.decks if plan.part != "cut" else (),
        "wanting": state.wanting,
        "exhibit": reverse("sala:exhibit", args=[state.table]),
        "passes": passes,
        "shuffled_by": dealer_of(dossier, rules, state),
        "face_down": True,
        "special_card": True,
        "asks_used": plan.part != "cut" and plan.shoe > 1 and _asks_of_used_cards(rules),
        "asks_dealer": plan.part != "shuffle" and rules.states("cut.dealers_card"),
        "button": _button(plan),
    }


def _asks_of_used_cards(rules: LawInForce) -> bool:
    return rules.article_of("used_cards_turned_before_the_mix") is not None


def dealer_of(dossier: Dossier, rules: LawInForce, state: TableState) -> str:
    """Who deals there, as far as the record tells."""
    dealt = [recorded for recorded in dossier.entries if getattr(recorded.event, "dealer", None)]
    turns = [*dossier.of(DealerTookTable), *dossier.of(DealerLeftTable)]
    if dealt and all(recorded.occurred_at < dealt[-1].occurred_at for recorded in turns):
        dealer: str = dealt[-1].event.dealer
        return dealer
    return GameView(PartidaContext(dossier, rules), load_law(rules.rulebook), state.now).dealer


def _in_order(plan: Plan) -> tuple[int, ...]:
    """Every seat, in the order in which they were to be asked."""
    order = plan.right.seats if plan.right is not None else plan.seats
    return tuple(dict.fromkeys((*plan.refused, *order)))


def _seat(at: str, plan: Plan, seat: int) -> dict[str, object]:
    occupied = seat in plan.seats
    seats = tuple(sorted({*plan.seats} ^ {seat}))
    refused = tuple(one for one in plan.refused if one in seats)
    if seat == plan.cut:
        word = gettext("cuts now")
    elif seat in plan.refused:
        word = gettext("declined")
    else:
        word = gettext("taken") if occupied else gettext("vacant")
    return {
        "number": seat,
        "occupied": occupied,
        "word": word,
        "toggle": at + plan.query(seats=seats, refused=refused, cut=""),
        "chosen": at + plan.query(cut=seat, seats=tuple(sorted({*plan.seats, seat}))),
    }


def _turn(plan: Plan) -> str:
    if not plan.seats:
        return gettext("Nobody sits there: the fiscal cuts.")
    if plan.unstated:
        return gettext("The rulebook names nobody's turn: ask in the order of the seats.")
    if plan.right is None:
        return gettext("The record does not tell whose turn it is: ask in the order of the seats.")
    if plan.asked is None:
        return gettext("Nobody wanted to: the fiscal cuts.")
    if plan.asked == plan.due:
        return gettext("It is the turn of seat %(n)s.") % {"n": plan.asked}
    return gettext("It passes on to seat %(n)s.") % {"n": plan.asked}


def _how(passes: int, plan: Plan) -> str:
    text = ngettext("%(n)s pass a deck", "%(n)s passes a deck", passes) % {"n": passes}
    if plan.part == "cut":
        return gettext("Cut with the special card")
    if plan.part == "shuffle":
        return gettext("%(passes)s, backs up") % {"passes": text}
    return gettext("%(passes)s, backs up; cut with the special card") % {"passes": text}


def _cut_words(plan: Plan) -> str:
    if isinstance(plan.cut, int):
        return gettext("Cut, seat %(n)s") % {"n": plan.cut}
    return gettext("Cut, by the fiscal")


def _button(plan: Plan) -> str:
    """Every act the button records, and how: who presses it says that it was by hand."""
    if plan.part == "shuffle":
        return gettext("Record the shuffle by hand")
    seat = {"n": plan.cut}
    if plan.part == "cut":
        if isinstance(plan.cut, int):
            return gettext("Record the cut – seat %(n)s") % seat
        return gettext("Record the cut – the fiscal")
    if isinstance(plan.cut, int):
        return gettext("Record shuffle by hand and cut – seat %(n)s") % seat
    return gettext("Record shuffle by hand and cut – the fiscal")


def _text(seats: tuple[int, ...]) -> str:
    return " ".join(map(str, seats))
