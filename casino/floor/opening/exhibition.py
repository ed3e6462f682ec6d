"""S3: the cards are exhibited, deck by deck; what is wrong with one leads on to an incident.

Law: PT art. 7, 53 (exhibition), 5 (a deck that is not perfect), 3 (how many cards).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from casino import clock
from casino.events import Malformed
from casino.events.decks import DeckInspected
from casino.events.event_policy import PIT
from casino.floor.floor_access import actor_of, floor_page
from casino.floor.game_pages import no_game, table_url
from casino.floor.opening.deck_store import as_registered, doubt_about, in_store
from casino.floor.opening.deck_words import decks_of_page
from casino.floor.recording_views import Act, record_form_view
from casino.floor.shoe.cut_page import dealer_of
from casino.floor.step_words import article_of
from casino.floor.table_state import TableState, TableView, load_table_view
from casino.law.dossier import Dossier
from casino.law.rulebook.rulebook import LawInForce
from casino.recording.authority import writers_of
from casino.web.code_in_address import CodeInAddress
from casino.web.words.coded_words import colour_word

CARDS: Final = 52  # where the rulebook does not say
COMES_IN: Final = "deck"  # in an address: the deck that comes in for one that was withdrawn
SURE: Final = "sure"  # in an address: it is that deck, whatever speaks against it
_CODE: Final = re.compile(CodeInAddress.regex)
CONFORM: Final = "conform"
RESULTS: Final = {
    CONFORM: _("Conform"),
    "damaged": _("Damaged card"),
    "missing": _("Card missing"),
    "extra": _("Card too many"),
}
SEALS: Final = {"intact": _("intact"), "none": _("none, deck in use"), "broken": _("broken")}
ROWS: Final = {"1": _("Yes"), "0": _("No")}
# How many cards a deck has that is not whole, unless they were counted.
_OFF: Final = {"missing": -1, "extra": 1}
# What went wrong, as the incident's screen calls it.
_CATEGORY: Final = {"damaged": "damaged_card", "missing": "deck_defect", "extra": "deck_defect"}


class ExhibitForm(forms.Form):
    """For each deck what was found; the rest holds for all of them."""

    in_rows = forms.ChoiceField(choices=[("", ""), *ROWS.items()], required=False)
    cards = forms.IntegerField(min_value=0, max_value=200, required=False)
    damaged = forms.ChoiceField(choices=[("faces", ""), ("backs", "")], required=False)
    seal = forms.ChoiceField(choices=[("", ""), *SEALS.items()], required=False)
    note = forms.CharField(max_length=2_000, required=False, strip=True)

    def __init__(self, data: Mapping[str, object] | None, decks: Sequence[str]) -> None:
        super().__init__(data)
        self.decks = decks
        choices = list(RESULTS.items())
        for place, deck in enumerate(decks):
            self.fields[f"result-{place}"] = forms.ChoiceField(
                label=deck, choices=choices, required=False
            )

    def clean(self) -> dict[str, object]:
        """At least one deck was looked at. Raises: ValidationError."""
        data: dict[str, object] = super().clean() or self.cleaned_data
        if not self.errors and not any(data[f"result-{n}"] for n in range(len(self.decks))):
            raise forms.ValidationError(gettext("Say of at least one deck how it was found."))
        return data


@floor_page(writers_of("deck-inspected/1"))
def exhibit_view(request: HttpRequest, table: str) -> HttpResponse:
    """Each deck by itself; “All conform” fills them in, and the button says what is recorded.

    Nothing else is filled in: what nobody says of the rows is left open.
    """
    table_view = load_table_view(table, clock.now())
    dossier, rules = table_view.dossier, table_view.rules
    if dossier is None or rules is None:
        return no_game(request, table)
    coming = coming_in(request, table_view.state)
    doubt = doubt_about(coming) if coming and _unasked(request) else ""
    named, coming = coming, "" if doubt else coming
    decks = decks_of_page(request, to_be_shown(table_view.state, coming))
    form = ExhibitForm(request.POST or None, decks)
    by = actor_of(request, DeckInspected.kind)
    fiscal = by.staff if by.office == PIT else _fiscal(table_view.state)

    def acts(data: Mapping[str, object]) -> Sequence[Act]:
        return exhibited(table_view.state, dossier, rules, data, fiscal, decks)

    return record_form_view(
        request,
        screen="exhibit",
        acts=acts,
        form=form,
        template="sala/exhibit.html",
        context=_context(request, table_view, decks)
        | _coming(table_view.state, coming)
        | {"doubt": doubt, "named": named, "sure": SURE in request.GET},
        done=_onward(request, table, decks),
        tables=(table,),
        photographs=True,
    )


def coming_in(request: HttpRequest, state: TableState) -> str:
    """The deck that comes in, as the address or the page names it; '' where none is to come in."""
    asked = str(request.GET.get(COMES_IN, "")).strip()
    text = as_registered([asked])[0] if _CODE.fullmatch(asked) else ""
    others = [deck for deck in decks_of_page(request, ()) if deck not in state.decks]
    text = others[0] if others else text
    free = state.wanting and text not in state.decks
    return text if free and _CODE.fullmatch(text) else ""


def _unasked(request: HttpRequest) -> bool:
    """Whether the deck was only now named: nobody said yet that it is this one."""
    return SURE not in request.GET and not decks_of_page(request, ())


def to_be_shown(state: TableState, coming: str) -> tuple[str, ...]:
    """The decks the page asks about: all in play; where one comes in, those nobody has shown."""
    return (*state.unshown, coming) if coming else state.decks


def _coming(state: TableState, coming: str) -> dict[str, object]:
    """Which deck may come in, with the address of every tap."""
    if not state.wanting or coming:
        return {"coming": coming}
    return {"coming": "", "wanting": state.wanting, "store": in_store()}


def exhibited(
    state: TableState,
    dossier: Dossier,
    rules: LawInForce,
    data: Mapping[str, Any],
    fiscal: str | None,
    decks: Sequence[str],
) -> list[Act]:
    """One inspection a deck that was looked at. Raises: Malformed."""
    acts = []
    pagador = dealer_of(dossier, rules, state) or None
    for place, deck in enumerate(decks):
        result = data.get(f"result-{place}")
        if not result:
            continue
        event = DeckInspected(
            table=state.table,
            partida=state.partida,
            deck=deck,
            moment="exhibition",
            cards=_cards(rules, result, data.get("cards")),
            order_complete=result in (CONFORM, "damaged"),
            result=result,
            jokers=0 if result == CONFORM else None,
            spread_in_rows={"1": True, "0": False}.get(data.get("in_rows", "")),
            seal=data.get("seal") or None,
            pagador=pagador,
            fiscal_de_banca=fiscal,
            note=data.get("note") or None,
            **_condition(result, data.get("damaged") or "faces"),
        )
        words = gettext("Deck %(deck)s exhibited: %(result)s")
        label = words % {"deck": deck, "result": RESULTS[result]}
        acts.append(Act(event, label, pictured=result != CONFORM))
    if not acts:
        raise Malformed("$.result", "found none; asked is what was found of a deck")
    return acts


def _cards(rules: LawInForce, result: str, counted: int | None) -> int:
    whole = int(rules.values.get("decks.cards", CARDS))
    if result in _OFF:
        return counted if counted is not None else whole + _OFF[result]
    return whole


def _condition(result: str, where: str) -> dict[str, Any]:
    regular: dict[str, Any] = {"faces": "regular", "backs": "regular"}
    return regular | {where: "damaged"} if result == "damaged" else regular


def _fiscal(state: TableState) -> str | None:
    return state.opened.event.fiscal_de_banca if state.opened is not None else None


def _context(
    request: HttpRequest, table_view: TableView, decks: Sequence[str]
) -> dict[str, object]:
    state = table_view.state
    posted = request.POST
    everything = "all" in request.GET and not posted
    colours = {
        one.deck: colour_word(one.back_colour)
        for one in (state.opened.event.decks if state.opened else ())
    }
    shown = {
        one.event.deck: one.occurred_at
        for one in (table_view.dossier.of(DeckInspected) if table_view.dossier else ())
        if one.event.moment == "exhibition"
    }
    rows = [
        {
            "deck": deck,
            "place": place,
            "colour": colours.get(deck),
            "shown": shown.get(deck),
            "result": CONFORM if everything else posted.get(f"result-{place}", ""),
        }
        for place, deck in enumerate(decks)
    ]
    count = len(rows)
    all_words = ngettext(
        "Record: %(n)s deck conform, 52 cards, no joker, in order, in rows, faces up",
        "Record: %(n)s decks conform, 52 cards each, no joker, in order, in rows, faces up",
        count,
    ) % {"n": count}
    return {
        "table": state.table,
        "state": state,
        "article": article_of(state, "53" if state.dealing == "shuffler" else "7"),
        "decks": rows,
        "on_page": " ".join(decks),
        "results": list(RESULTS.items()),
        "seals": list(SEALS.items()),
        "all": everything,
        "in_rows": posted.get("in_rows", "1" if everything else ""),
        "rows": list(ROWS.items()),
        "cards": posted.get("cards", ""),
        "damaged": posted.get("damaged", ""),
        "seal": posted.get("seal", ""),
        "note": posted.get("note", ""),
        "button": all_words if everything else gettext("Record the exhibition"),
        "some": gettext("Record the exhibition: {n} decks, {bad} of them not conform"),
    }


def _onward(request: HttpRequest, table: str, decks: Sequence[str]) -> str:
    """On to the table; where a deck was not perfect to the incident, which names it."""
    for place, deck in enumerate(decks):
        category = _CATEGORY.get(request.POST.get(f"result-{place}", ""))
        if category:
            values = {"category": category, "deck": deck}
            return f"{reverse('sala:incident', args=[table])}?{urlencode(values)}"
    return table_url(table)
