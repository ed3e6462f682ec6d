"""S8, afterwards: an incident step by step, one tap each; what was exchanged; the notice; its end.

Law: PT art. 51, 5, 55.
"""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino import clock, holding, queries
from casino.access.offices_held import offices_of
from casino.events import Malformed
from casino.events.deck_life import CardReplaced, DeckWithdrawn
from casino.events.event_policy import AT_THE_TABLE, FLOOR, HEAD, HEADS, MANAGER, PIT
from casino.events.incidents import IncidentClosed, IncidentStep
from casino.events.notices import FootageHeld, NoticeSent
from casino.extensions import matter_links
from casino.floor.act_forms import ActForm, asked, given, only_once
from casino.floor.closing.still_missing import chefe_of, on_duty
from casino.floor.floor_access import actor_of, floor_page
from casino.floor.game_pages import form_of, table_url
from casino.floor.game_view import GameView, last_game_view, load_game_view
from casino.floor.how_far import recorded_elsewhere
from casino.floor.incidents.incident_events import (
    CHEFE,
    MACHINE,
    exchanged,
    notice_of,
    owes_notice,
    settled,
    step_taken,
    steps_of,
    steps_open,
    taken,
    unsolved,
)
from casino.floor.opening.deck_store import as_registered, doubt_about, in_store
from casino.floor.opening.decks_left import received
from casino.floor.opening.exhibition import COMES_IN as EXHIBITED
from casino.floor.opening.exhibition import SURE
from casino.floor.recording_views import Act, record_form_view
from casino.floor.stated_moments import MomentForm, moment_of_form
from casino.house_day import house_zone
from casino.law.dossier import in_time
from casino.law.game_decks import decks_in_play
from casino.law.game_incidents import Incident, asks_second_person, incidents_around
from casino.models import BookEntry
from casino.models import Incident as IncidentRow
from casino.web.display.playing_cards import card_words
from casino.web.entries.entry_page import Leading
from casino.web.forms.running_numbers import NOTICES, next_number, numbering
from casino.web.words.coded_words import colour_word
from casino.web.words.incident_words import (
    EMPTIED,
    HOW_SETTLED,
    STEP_WORDS,
    category_word,
    reason_word,
    settled_word,
)

# The deck that comes in for one that leaves: typed, or one of the store's that was tapped.
COMES_IN, FROM_STORE = "comes_in", "from_store"
_TAKEN_OUT_FOR: Final = frozenset({"jam", "damaged_card"})
_EXCHANGED_AFTER: Final = frozenset({"damaged_card", "deck_defect"})
# Steps that whoever holds the tablet takes himself.
_OWN: Final = frozenset({"called", "technician_called"})
# Steps the law asks for that are recorded afterwards where they were forgotten. Law: PT art. 51.
_RECORDED_LATER: Final = frozenset({"called", "arrived"})


class StepForm(MomentForm):
    """Which step, by whom, when."""

    step = forms.ChoiceField(
        choices=list(STEP_WORDS.items()),
        error_messages={"required": _("Press one of the buttons.")},
    )

    def __init__(self, data: Mapping[str, object] | None, chefe: str) -> None:
        super().__init__(data)
        self.fields.update(asked(IncidentStep, "by"))
        self.initial["by"] = chefe


class ExchangeForm(ActForm):
    """A card for another, or the whole deck out of play."""

    what = forms.ChoiceField(
        choices=[("card", _("One card")), ("deck", _("The whole deck"))],
        label=_("What was exchanged"),
        error_messages={"required": _("Say what was exchanged.")},
    )

    sure = forms.BooleanField(label=_("It is this deck all the same"), required=False)

    def __init__(self, data: Mapping[str, object] | None, incident: Incident, chefe: str) -> None:
        super().__init__(data)
        self.table = incident.event.table or ""
        self.asks = False  # whether a deck is named that may be another
        self.coming = ""  # the deck that comes in for a whole one
        self.add(CardReplaced, "deck card from_deck authorisation replaced_by shown")
        self.add(DeckWithdrawn, "held_apart")
        self.fields.update({COMES_IN: asked(CardReplaced, "from_deck")["from_deck"]})
        self.fields[COMES_IN].label = _("Another deck, not on the list")
        self.fields["card"].required = False
        self.fields["card"].widget.is_required = False
        cards = incident.event.damaged_cards or ()
        self.begin(
            deck=incident.event.deck, replaced_by=chefe, card=cards[0] if len(cards) == 1 else None
        )
        self.initial["what"] = "deck"  # as the law asks: a single card only by leave (5)

    def clean(self) -> dict[str, object]:
        """A single card is named, or it is said that nobody knows which it was.

        A deck is one of the store's, in whatever case it is typed, or it is said to be this one.
        """
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("what") == "card" and not cleaned.get("card") and "card" not in self.errors:
            self.add_error("card", gettext("Say which card it was, or that nobody knows."))
        whole = cleaned.get("what") == "deck"
        named = COMES_IN if whole else "from_deck"
        if cleaned.get(named):
            [cleaned[named]] = as_registered([cleaned[named]])
            if cleaned[named] != cleaned.get("deck"):
                self._ask(named, cleaned)
        if whole:
            self.coming = cleaned.get(COMES_IN) or self.data.get(FROM_STORE, "")
            if cleaned.get("deck") and cleaned["deck"] in (self.coming, self.data.get(FROM_STORE)):
                self.add_error(COMES_IN, gettext("That is the deck that leaves the game."))
        return cleaned

    def _ask(self, named: str, cleaned: Mapping[str, Any]) -> None:
        """A deck that may be another is named once more, or said to be the one."""
        doubt = doubt_about(cleaned[named], "" if named == COMES_IN else self.table)
        self.asks = bool(doubt)
        if doubt and not cleaned.get("sure"):
            self.add_error(named, doubt)


class SettleForm(ActForm):
    """How it ended."""

    reason = forms.ChoiceField(
        label=_("How it ended"),
        choices=list(HOW_SETTLED.items()),
        error_messages={"required": _("Say how it ended.")},
    )

    def __init__(self, data: Mapping[str, object] | None) -> None:
        super().__init__(data)
        self.add(IncidentClosed, "text")


class NoticeForm(MomentForm):
    """How the inspection service was told, and what proves it."""

    given = given()

    def __init__(self, data: Mapping[str, object] | None, number: str) -> None:
        super().__init__(data)
        self.fields.update(asked(NoticeSent, "means reference notice"))
        self.initial.update(notice=number, given=number)

    def clean(self) -> dict[str, object]:
        """A number given to another notice meanwhile is not given twice."""
        cleaned: dict[str, object] = super().clean() or self.cleaned_data
        taken = gettext("%(number)s stands in the register already: another notice has it.")
        only_once(self, NOTICES, "notice", taken)
        return cleaned


@dataclass(frozen=True, slots=True)
class Line:
    """One step as the page shows it: taken at a moment, or a button."""

    step: str
    word: str
    at: datetime | None
    first: bool


def lines_of(incident: Incident, machine: bool) -> list[Line]:
    """The steps in their order; the first still open leads. What is solved asks for no more but
    for the call and the arrival, until the incident is closed.
    """
    still = steps_open(incident, machine)
    lines = [
        Line(
            step, str(STEP_WORDS[step]), taken(incident, step), step == still[0] if still else False
        )
        for step in steps_of(incident, machine)
    ]
    solved = incident.event.resolved_at is not None
    return [one for one in lines if one.at is not None or not solved or one.step in _RECORDED_LATER]


def taken_now(
    game: GameView, incident: Incident, data: Mapping[str, Any], me: str, office_of: Any
) -> Act:
    """The event of one step. `office_of` gives a person's office at a moment. Raises: Malformed."""
    step = data["step"]
    moment = moment_of_form(data, data["at"], game.since)
    _check_after(incident, moment)
    by = me if step in _OWN else data["by"]
    if step == "technician_arrived":
        by = None
    event = step_taken(
        game.at,
        incident,
        "lid_closed" if step == EMPTIED else step,
        shuffler=game.shuffler,
        by=by,
        office=office_of(by, moment) if by else None,
        moment=moment,
        emptied={EMPTIED: True, "lid_closed": False}.get(step),
    )
    return Act(event, str(STEP_WORDS[step]), moment)


def _check_after(incident: Incident, moment: datetime) -> None:
    """Nothing was done about it before it was noticed. Raises: Malformed."""
    noticed = incident.event.noticed_at or incident.occurred_at
    if moment < noticed.replace(second=0, microsecond=0):
        raise Malformed(
            "$.when",
            "it was noticed at {noticed}, and this would have been at {moment}. Say when it was.",
            noticed=f"{noticed.astimezone(house_zone()):%H:%M}",
            moment=f"{moment.astimezone(house_zone()):%H:%M}",
        )


def office_at(staff: str, moment: datetime) -> str | None:
    """The office somebody held: fiscal-chefe where he was one, for that is what is asked."""
    held = queries.offices_at(staff, moment)
    return CHEFE if CHEFE in held else queries.office_at(staff, moment)


def incident_at(table: str, number: str) -> tuple[GameView, Incident]:
    """The game of an incident, and the incident as it stands. Raises: Http404."""
    held = holding.game_of_held(table, "incident", number)
    rows = IncidentRow.objects.filter(table_code=table, incident=number).exclude(partida_id="")
    partida = rows.order_by("-pk").values_list("partida_id", flat=True).first() or held
    game = load_game_view(partida, clock.now()) if partida else None
    incident = game.incident(number) if game is not None else None
    if game is None or incident is None:
        raise Http404
    return game, incident


def _recorded_elsewhere(table: str, number: str) -> tuple[GameView, Incident] | None:
    """An incident another table tells of the machine in play here, and the game here."""
    game = last_game_view(table, clock.now())
    if game is None or game.over:
        return None
    texts = {one.entry_id for one in recorded_elsewhere(game.evening)}
    around = (one for one in incidents_around(game.dossier) if one.event.incident == number)
    return next(((game, one) for one in around if one.report.entry_id in texts), None)


@floor_page(FLOOR)
def steps_view(request: HttpRequest, table: str, number: str) -> HttpResponse:
    """What was done and what is next."""
    game, incident = incident_at(table, number)
    me = request.user.get_username()
    category = incident.event.category
    held = offices_of(request)
    return record_form_view(
        request,
        screen="incident_steps",
        acts=lambda data: [taken_now(game, incident, data, me, office_at)],
        form=StepForm(request.POST or None, chefe_of(game.evening)),
        template="sala/incident_steps.html",
        context=_around(game, incident)
        | {
            "lines": lines_of(incident, game.machine),
            "emptied": (EMPTIED, STEP_WORDS[EMPTIED]),
            "unload_for": category
            if PIT in held and game.machine and category in _TAKEN_OUT_FOR
            else "",
            "may_tell": bool(held & {HEAD, MANAGER}),
            "may_exchange": bool(held & AT_THE_TABLE) and category in _EXCHANGED_AFTER,
            "exchange_due": category == "damaged_card"
            and incident.event.replaced is None
            and bool(game.within["5_51" if game.machine else "5"]),
            "may_load": PIT in held and game.machine and bool(incident.event.emptied),
            "manager": on_duty(game.dossier, MANAGER),
            "seen_by": [
                recorded.event.staff for recorded in game.evening.witnesses_of(incident.report)
            ],
            "handled": asks_second_person(incident.event),
            "links": _links(request, incident),
            "may_hold": bool(held & HEADS),
            "holds": holds_of(game, number) if held & HEADS else [],
            "record": record_link(incident),
        },
        done=_url(game, incident),
        tables=(table,),
    )


@floor_page(AT_THE_TABLE)
def exchange_view(request: HttpRequest, table: str, number: str) -> HttpResponse:
    """A card or a deck was exchanged."""
    game, incident = incident_at(table, number)
    form = ExchangeForm(request.POST or None, incident, chefe_of(game.evening))
    decks = decks_in_play(game.evening)
    return record_form_view(
        request,
        screen="incident_exchange",
        acts=lambda data: [record_exchange(game, incident, data, office_at)],
        form=form,
        template="sala/incident_exchange.html",
        context=_around(game, incident)
        | {
            "decks": coloured(decks, game),
            "store": coloured(in_store(decks), game),
            "from_store": request.POST.get(FROM_STORE, ""),
            "ours": incident.event.category in MACHINE,
        },
        done=_after_exchange(form, table) or _url(game, incident),
        tables=(table,),
        photographs=True,
    )


def coloured(decks: Sequence[str], game: GameView) -> list[tuple[str, str]]:
    """Decks, each with the colour of its backs in words: as the opening has it, or the store."""
    opened = game.evening.opened
    here = {one.deck: one for one in (opened.event.decks if opened is not None else ())}
    here |= {one.deck: one for one in received([deck for deck in decks if deck not in here])}
    return [(deck, colour_word(here[deck].back_colour)) for deck in decks]


def _after_exchange(exchange_form: ExchangeForm, table: str) -> str:
    """Where a whole deck left and another comes in, to its exhibition; else ''."""
    if not exchange_form.is_valid() or not exchange_form.coming:
        return ""
    values = {EXHIBITED: exchange_form.coming} | ({SURE: "1"} if exchange_form.asks else {})
    return f"{reverse('sala:exhibit', args=[table])}?{urlencode(values)}"


def record_exchange(
    game: GameView, incident: Incident, data: Mapping[str, Any], office_of: Any
) -> CardReplaced | DeckWithdrawn:
    """The exchange as the form tells it. Raises: Malformed."""
    by = data["replaced_by"]
    return exchanged(
        game.at,
        incident.event.incident,
        what=data["what"],
        deck=data["deck"],
        card=data["card"],
        shuffler=game.shuffler if game.machine else None,
        by=by,
        office=office_of(by, data["at"]) if by else None,
        from_deck=data["from_deck"],
        authorisation=data["authorisation"],
        shown=data["shown"],
        held_apart=data["held_apart"],
    )


@floor_page(FLOOR)
def settle_view(request: HttpRequest, table: str, number: str) -> HttpResponse:
    """The incident is over; so is one another table reported of the machine in play at this one."""
    elsewhere = _recorded_elsewhere(table, number)
    game, incident = elsewhere or incident_at(table, number)
    # What it lacks is for the table that recorded it to put right.
    lacks: dict[str, Any] = {"unsolved": False, "owes_notice": False} if elsewhere else {}
    return record_form_view(
        request,
        screen="incident_close",
        acts=lambda data: [settled(game.at, incident.event.incident, data["reason"], data["text"])],
        form=SettleForm(request.POST or None),
        template="sala/incident_close.html",
        context=_around(game, incident) | lacks,
        done=table_url(table),
        tables=(table,),
        photographs=True,
    )


@floor_page({HEAD, MANAGER})
def notice_view(request: HttpRequest, table: str, number: str) -> HttpResponse:
    """The inspection service was told."""
    game, incident = incident_at(table, number)
    by = actor_of(request, NoticeSent.kind)
    form = form_of(request)
    with numbering(NOTICES, form) if request.method == "POST" else nullcontext():
        return record_form_view(
            request,
            screen="notice",
            acts=lambda value: [
                Act(
                    notice_of(
                        game.at,
                        incident,
                        number=value["notice"],
                        means=value["means"],
                        reference=value["reference"],
                        by=by.staff,
                        office=by.office,
                        moment=moment_of_form(value, value["at"], game.since),
                    )
                )
            ],
            form=NoticeForm(request.POST or None, next_number(NOTICES, form)),
            template="sala/notice.html",
            context=_around(game, incident) | {"links": _links(request, incident)},
            done=_url(game, incident),
            tables=(table,),
        )


def holds_of(game: GameView, number: str) -> list[FootageHeld]:
    """The recordings kept for an incident, as their holds were recorded last."""
    last = {one.event.hold: one.event for one in sorted(game.dossier.of(FootageHeld), key=in_time)}
    return [one for one in last.values() if one.incident == number]


def _url(game: GameView, incident: Incident) -> str:
    return reverse("sala:incident_steps", args=[game.table, incident.event.incident])


def _links(request: HttpRequest, incident: Incident) -> list[Leading]:
    return matter_links(request, (incident.event.kind, UUID(str(incident.report.entry_id))))


def record_link(incident: Incident) -> str:
    """The report's own page, with its photographs; '' while it is held."""
    pk = incident.report.entry_id
    there = BookEntry.objects.filter(pk=pk).exists()
    return reverse("sala:entry", args=[pk]) if there else ""


def _around(game: GameView, incident: Incident) -> dict[str, object]:
    event = incident.event
    over = game.evening.settled(event)
    return {
        "scene": game,
        "table": game.table,
        "incident": incident,
        "number": event.incident,
        "category_word": category_word(event.category),
        "reason_word": reason_word(event.category, event.reason),
        "cards": [card_words(one) for one in event.damaged_cards or ()],
        "unsolved": unsolved(incident, game.machine),
        "owes_notice": owes_notice(incident, game.machine),
        "over": over,
        "over_word": settled_word(over.event.reason) if over is not None else "",
        "steps_url": _url(game, incident),
    }
