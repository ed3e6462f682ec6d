"""S10: jackpot chips are collected before the deal. Seats are tapped; the amount follows from them.

What a chip adds is worked out from the approved terms and never typed. The button says what is
attested with it, so that the tap is the word; a plain one beside it leads to what was otherwise.
Where the collection itself raises the display, the page is for reading alone.

Law: PT art. 40, 41, 45, 47, 48.
"""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from casino import clock
from casino.events.event_policy import PIT
from casino.floor.act_forms import asked
from casino.floor.floor_access import floor_page
from casino.floor.floor_page import shown
from casino.floor.game_pages import no_game, table_url
from casino.floor.recording_views import Act, record_form_view
from casino.floor.stated_moments import MomentForm, moment_of_form
from casino.floor.step_words import article_of
from casino.web.display.cells import finely
from casino.web.display.money_and_time import fine_money, money
from jackpot.events import JackpotChip, JackpotIncremented
from jackpot.floor.pool_standing import Standing, standing_at
from jackpot.floor.pool_words import citations, unbroken
from jackpot.floor.rounds_meant import (
    UNNAMED,
    WHICH,
    WhichField,
    rounds_offered,
    usual_of,
    which_of,
)
from jackpot.floor.said import SAID, SO, SaidField
from jackpot.floor.seats import Seat, seats_of
from jackpot.progressive.amounts import displayed_cents

TEMPLATE: Final = "jackpot_sala/collect.html"
LIKE: Final = "like"  # in an address: the seats of the last collection
ATTESTED: Final = ("closing_called", "collected_before_deal", "marked")


class CollectForm(MomentForm):
    """Which seats laid a chip, and how they were collected: all as the button says, or as ticked.

    `meant` is the round an address asked for.
    """

    said = SaidField()
    closing_called = forms.BooleanField(required=False)
    collected_before_deal = forms.BooleanField(required=False)
    marked = forms.BooleanField(required=False)
    which = WhichField()

    def __init__(
        self,
        data: Mapping[str, object] | None,
        on: Standing,
        seats: tuple[Seat, ...],
        meant: str = UNNAMED,
    ):
        super().__init__(data)
        numbers = [(str(seat.number), "") for seat in seats]
        self.fields["seats"] = forms.MultipleChoiceField(
            choices=numbers,
            error_messages={"required": gettext("Tap the seats whose chips were collected.")},
        )
        self.fields["seconds"] = forms.MultipleChoiceField(choices=numbers, required=False)
        self.initial[WHICH] = usual_of(rounds_offered(on), meant)
        self.fields.update(asked(JackpotIncremented, "display_cents"))

    def clean(self) -> dict[str, object]:
        """A second chip lies beside a first; who ticks some of it does not say all of it."""
        cleaned = super().clean()
        if set(cleaned.get("seconds", ())) - set(cleaned.get("seats", ())):
            self.add_error("seconds", gettext("A second chip needs a first: tap that seat above."))
        ticked = [name for name in ATTESTED if cleaned.get(name)]
        if cleaned.get(SAID) == SO and ticked and len(ticked) < len(ATTESTED):
            self.add_error(SAID, gettext("Only some of it is ticked: record it with that button."))
        return cleaned


@floor_page({PIT})
def collect_view(request: HttpRequest, table: str, jackpot: str) -> HttpResponse:
    """The meter, the seats, one button; or the meter alone."""
    on = standing_at(table, jackpot, clock.now())
    if on is None:
        return no_game(request, table)
    around = {"table": table, "on": on, "value": money(on.pool.displayed_cents)}
    around |= {"terms": terms_text(on), "starts": unbroken(article_of(on.state, "44"))}
    if on.by_itself:
        context = around | {
            "article": citations(on.state.rulebook, "41")["within"]["41"],
            "sent": request.method == "POST",
        }
        status = 409 if request.method == "POST" else 200
        return shown(request, "jackpot_sala/by_itself.html", context, status=status)
    seats = seats_of(on.dossier, jackpot, on.state.boxes, on.state.seats)
    return record_form_view(
        request,
        screen="jackpot_collect",
        acts=lambda data: [collected(on, seats, data)],
        form=CollectForm(request.POST or None, on, seats, request.GET.get(WHICH, UNNAMED)),
        template=TEMPLATE,
        context=around | _shown(request, on, seats),
        done=reverse("jackpot_sala:collect", args=[table, jackpot]),
        tables=(table,),
    )


def collected(on: Standing, seats: tuple[Seat, ...], data: Mapping[str, Any]) -> Act:
    """The increment of the seats that were tapped. Raises: Malformed."""
    moment = moment_of_form(data, data["at"], on.state.opened_at)
    terms = on.terms_at(moment)
    so = {name: data[SAID] == SO or data[name] for name in ATTESTED}
    chips = tuple(
        JackpotChip(
            box=seat.box,
            owner=seat.owner,
            seat=seat.number,
            n=2 if str(seat.number) in data["seconds"] else 1,
            marked=so["marked"],
        )
        for seat in seats
        if str(seat.number) in data["seats"]
    )
    which = which_of(on, data["which"])
    event = JackpotIncremented(
        **on.at,
        jackpot=on.jackpot,
        chips=chips,
        round=which.round if which is not None else None,
        shoe=which.shoe if which is not None else None,
        number=which.number if which is not None else None,
        chip_cents=terms.terms.stake_cents if terms is not None else None,
        display_cents=data["display_cents"],
        closing_called=so["closing_called"],
        collected_before_deal=so["collected_before_deal"],
    )
    count = sum(chip.n for chip in chips)
    words = ngettext(
        "Jackpot incremented by %(n)s chip", "Jackpot incremented by %(n)s chips", count
    )
    return Act(event, words % {"n": count}, moment)


def terms_text(on: Standing) -> str:
    """What a chip is worth and what of it goes to the meter; '' where no terms are in force."""
    if on.terms is None:
        return ""
    terms = on.terms.terms
    return gettext("%(stake)s a chip, %(rate)s of it: %(adds)s to the meter") % {
        "stake": money(terms.stake_cents),
        "rate": finely(terms.rate_millionths, "rate_millionths"),
        "adds": fine_money(on.adds_microcents(1)),
    }


def _tapped(request: HttpRequest, name: str) -> set[int]:
    return {int(one) for one in request.POST.getlist(name) if one.isdecimal() and len(one) < 3}


def _shown(request: HttpRequest, on: Standing, seats: tuple[Seat, ...]) -> dict[str, Any]:
    like = LIKE in request.GET and request.method != "POST"
    chosen = {seat.number for seat in seats if seat.laid} if like else _tapped(request, "seats")
    twice = (
        {seat.number for seat in seats if seat.laid > 1} if like else _tapped(request, "seconds")
    )
    running = on.pool.meter.running
    return {
        **citations(on.state.rulebook, "38_40", "40", "41", "45_47", "48"),
        "seats": [(seat, seat.number in chosen, seat.number in twice) for seat in seats],
        "twice": twice,
        "like_last": ", ".join(
            f"{seat.number} ×{seat.laid}" if seat.laid > 1 else str(seat.number)
            for seat in seats
            if seat.laid
        ),
        "like": like,
        "rounds": rounds_offered(on),
        "sums": [
            (
                n,
                fine_money(on.adds_microcents(n)),
                money(displayed_cents(running + on.adds_microcents(n))),
            )
            for n in range(1, 2 * on.state.boxes + 1)
        ],
        "table_url": table_url(on.dossier.table),
        "feeds": on.terms is None or on.terms.feeds(on.dossier.table, "increment"),
        "begun": on.pool.meter.begun,
        "to_start": on.pool.meter.to_start,
    }
