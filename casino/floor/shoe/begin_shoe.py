"""S5: the warning card goes in, a card is burnt, the shoe begins; later the card comes out.

Law: PT art. 9 (warning card), 10 (burnt card; with a shuffler too), 11 (last round).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from casino import clock
from casino.events import Malformed
from casino.events.shoes import CardBurned, CartaAvisoPlaced, LastRoundAnnounced
from casino.events.shufflers import ShufflerLoaded
from casino.floor.floor_access import floor_page
from casino.floor.game_pages import no_game, table_url
from casino.floor.recording_views import Act, record_form_view
from casino.floor.step_words import article_of
from casino.floor.table_state import TableState, load_table_view
from casino.law.dossier import Dossier, in_time
from casino.law.partida_context import PartidaContext, Shoe
from casino.law.rulebook.rulebook import LawInForce
from casino.recording.authority import writers_of


class PrepareForm(forms.Form):
    """Where the warning card lies, for how many players; what was burnt."""

    shoe = forms.IntegerField(min_value=1, max_value=10_000)
    from_end = forms.IntegerField(min_value=0, max_value=1_040, required=False)
    players = forms.IntegerField(min_value=0, max_value=20, required=False)
    burnt = forms.IntegerField(min_value=0, max_value=20, required=False)
    to_discard_corner = forms.BooleanField(required=False)


class LastRoundForm(forms.Form):
    """Of which shoe, and when the warning card came out."""

    shoe = forms.IntegerField(min_value=1, max_value=10_000)
    came_out = forms.ChoiceField(choices=[("during_round", ""), ("before_round", "")])


@floor_page(writers_of("carta-aviso-placed/1"))
def shoe_view(request: HttpRequest, table: str) -> HttpResponse:
    """What is still to be done before the shoe's first card; then its last round."""
    now = clock.now()
    table_view = load_table_view(table, now)
    state, dossier, rules = table_view.state, table_view.dossier, table_view.rules
    if dossier is None or rules is None:
        return no_game(request, table)
    dealt = state.dealing != "shuffler" and state.stage in ("ready", "last_round")
    if dealt and request.method != "POST":
        return _last_round(request, state, dossier)

    def acts(data: Mapping[str, object]) -> Sequence[Act]:
        return prepare_acts(state, dossier, rules, data)

    return record_form_view(
        request,
        screen="shoe",
        acts=acts,
        form=PrepareForm(request.POST or None),
        template="sala/shoe.html",
        context={
            "table": table,
            "state": state,
            "prepare": shown_preparing(state, dossier, rules, request.POST or request.GET)
            | typed(request.POST),
        },
        done=table_url(table),
        tables=(table,),
    )


@floor_page(writers_of("last-round-announced/1"))
def last_round_view(request: HttpRequest, table: str) -> HttpResponse:
    """The warning card came out: the last round was announced. One tap."""
    table_view = load_table_view(table, clock.now())
    if table_view.dossier is None:
        return no_game(request, table)
    return _last_round(request, table_view.state, table_view.dossier)


def _last_round(request: HttpRequest, state: TableState, dossier: Dossier) -> HttpResponse:
    return record_form_view(
        request,
        screen="last_round",
        acts=lambda data: [Act(announced(dossier, data), gettext("Last round announced"))],
        form=LastRoundForm(request.POST or None),
        template="sala/shoe.html",
        context={"table": state.table, "state": state, "last_round": shown_last_round(state)},
        done=table_url(state.table),
        tables=(state.table,),
    )


def prepare_acts(
    state: TableState, dossier: Dossier, rules: LawInForce, data: Mapping[str, Any]
) -> list[Act]:
    """The warning card, the burnt card, or the one of them that is missing. Raises: Malformed."""
    shoe = data["shoe"]
    named = {"table": dossier.table, "partida": dossier.partida, "shoe": shoe}
    figures = _figures(state, rules)
    before = _shoe(dossier, rules, shoe)
    acts = []
    if not (before.warnings or state.dealing == "shuffler"):
        from_end = data["from_end"] if data["from_end"] is not None else figures["from_end"]
        if from_end is None:
            raise Malformed(
                "$.from_end",
                "say how many cards lie behind the warning card: this rulebook names no place",
            )
        players = data["players"] if data["players"] is not None else state.players
        placed = CartaAvisoPlaced(
            **named,
            cards_from_end=from_end,
            players=players,
            measured="estimated",
        )
        acts.append(Act(placed, gettext("Warning card, %(n)s from the end") % {"n": from_end}))
    burnt = data["burnt"] if data["burnt"] is not None else figures["burnt"]
    if acts == [] and burnt is None:
        raise Malformed("$.burnt", "say how many cards were burnt: this rulebook names no number")
    if burnt is not None and (not before.burns or acts == []):
        event = CardBurned(
            **named, cards=burnt, to_discard_corner=bool(data.get("to_discard_corner"))
        )
        words = ngettext("%(n)s burnt card", "%(n)s burnt cards", burnt) % {"n": burnt}
        acts.append(Act(event, words))
    return acts


def typed(data: Mapping[str, object]) -> dict[str, object]:
    """What was filled in on the page that comes back; nothing where it is shown anew."""
    if not data:
        return {}
    burnt = {"burnt": data["burnt"]} if "burnt" in data else {}
    return {**burnt, "to_discard_corner": "to_discard_corner" in data, "open": True}


def announced(dossier: Dossier, data: Mapping[str, Any]) -> LastRoundAnnounced:
    """The last round, announced aloud. The round is named where it is on record already."""
    shoe = data["shoe"]
    rounds = [
        one.event
        for one in dossier.entries
        if one.event.kind == "round-played/1"
        and one.event.shoe == shoe
        and one.event.warning_card_at is not None
    ]
    last = rounds[-1] if rounds else None
    return LastRoundAnnounced(
        table=dossier.table,
        partida=dossier.partida,
        shoe=shoe,
        came_out=data["came_out"],
        round=last.round if last is not None else None,
        number=last.number if last is not None else None,
        audible=True,
    )


def shown_preparing(
    state: TableState, dossier: Dossier, rules: LawInForce, asked: Mapping[str, object]
) -> dict[str, object]:
    """The screen: where the card is to lie, with the address of every tap."""
    at = reverse("sala:shoe", args=[state.table])
    machine = state.dealing == "shuffler"  # it has no warning card (56), and each load is a shoe
    shoe = max(1, len(dossier.of(ShufflerLoaded))) if machine else state.shoe or 1
    before = _shoe(dossier, rules, shoe)
    warning = not (before.warnings or machine)
    players = _whole(asked.get("players"), 20, state.players)
    figures = _figures(state, rules, players)
    from_end = _whole(asked.get("from_end"), 1_040, figures["from_end"])
    places = _places(at, figures, players, from_end) if warning else []
    # Where the rulebook says how many are burnt; else only where nothing else is to be told.
    burns = not before.burns and (figures["burnt"] is not None or not warning)
    asks = [one for one, due in (("9", warning), ("10", burns or not warning)) if due]
    carried = [("shoe", shoe)]
    if warning:
        carried += [("from_end", from_end)] if places else []
        carried += [("players", players)]
    return {
        "shoe": shoe,
        "article": state.cites["_".join(asks)],
        "only_burnt": machine,
        "action": at,
        "players": players,
        "warning": warning,
        "places": places,
        "elsewhere": places and not any(one["chosen"] for one in places),
        "from_end": from_end,
        "carried": carried,
        "burns": burns,
        "burnt": "" if figures["burnt"] is None else figures["burnt"],
        "to_discard_corner": True,
        "how": _how(figures["burnt"]),
        "button": gettext("Record the burnt card")
        if machine
        else _button(warning, burns, from_end),
    }


def shown_last_round(state: TableState) -> dict[str, object]:
    """The screen of the last round: one tap."""
    return {
        "action": reverse("sala:last_round", args=[state.table]),
        "shoe": state.shoe or 1,
        "article": article_of(state, "11"),
        "button": gettext("Warning card came out: last round announced aloud"),
        "before": gettext("It came out before the round: one round still, announced aloud"),
    }


def _how(burnt: int | None) -> str:
    """How the cards are burnt, unless somebody says otherwise."""
    if burnt is None:
        return gettext("Burnt cards")
    return ngettext(
        "%(n)s card burnt, to the discard corner", "%(n)s cards burnt, to the discard corner", burnt
    ) % {"n": burnt}


def _button(warning: bool, burns: bool, from_end: int | None) -> str:
    """Every act the button records."""
    if warning and from_end is None:
        if burns:
            return gettext("Record the warning card and the burnt card: begin the shoe")
        return gettext("Record the warning card: begin the shoe")
    if warning and burns:
        return gettext("Warning card %(n)s from the end and burnt card: begin the shoe") % {
            "n": from_end
        }
    if warning:
        return gettext("Record the warning card %(n)s from the end") % {"n": from_end}
    return gettext("Record the burnt card: begin the shoe")


def _places(
    at: str, figures: Mapping[str, object], players: int, from_end: int | None
) -> list[dict[str, object]]:
    """The two places the rulebook names, or none."""
    usual, middle = figures["usual"], figures["middle"]
    if usual is None:
        return []
    named = [(usual, gettext("About %(n)s cards from the end") % {"n": usual})]
    if middle:
        named.append((middle, gettext("The middle, %(n)s (one player alone)") % {"n": middle}))
    return [
        {
            "url": f"{at}?from_end={place}&players={players}",
            "words": words,
            "chosen": place == from_end,
        }
        for place, words in named
    ]


def _figures(state: TableState, rules: LawInForce, players: int | None = None) -> dict[str, Any]:
    """The figures of the day: where the card lies for so many players, how many are burnt.

    None for those the rulebook does not state.
    """
    values = rules.values
    cards = int(values.get("decks.cards", 0)) * len(state.decks)
    usual = values.get("warning_card.from_end")
    middle = int(cards * Fraction(values.get("warning_card.one_player", 0)))
    alone = (state.players if players is None else players) == 1 and middle
    return {
        "usual": usual,
        "middle": middle,
        "from_end": middle if alone else usual,
        "burnt": values.get("burn.cards"),
    }


def _shoe(dossier: Dossier, rules: LawInForce, number: int) -> Shoe:
    """A shoe as it lies there; of one shuffled once more only what was done to it since."""
    shoe = PartidaContext(dossier, rules).shoe(number) or Shoe(number)
    if len(shoe.shuffles) > 1:
        since = in_time(max(shoe.shuffles, key=in_time))
        shoe.warnings = [recorded for recorded in shoe.warnings if in_time(recorded) > since]
        shoe.burns = [recorded for recorded in shoe.burns if in_time(recorded) > since]
    return shoe


def _whole(text: object, most: int, otherwise: object) -> Any:
    """A whole number of an address; another where it tells none."""
    word = str(text if text is not None else "")
    return int(word) if word.isascii() and word.isdecimal() and int(word) <= most else otherwise
