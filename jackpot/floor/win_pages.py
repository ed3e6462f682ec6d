"""S11, at first: cards of a round won. Seat and combination are one tap; the amounts are held.

Whose chip lay there in which round stands on the tiles, as far as it was told: who laid none wins
nothing.

What the meter ran at is read when the win is recorded, with everybody else who changes it waiting,
so that the win says what its place in the book says.

Law: PT art. 42, 43, 45, 49, 50.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from casino import clock
from casino.access.offices_held import offices_of
from casino.events.event_policy import HEAD, PIT
from casino.floor.act_forms import asked
from casino.floor.floor_access import floor_page
from casino.floor.game_pages import no_game
from casino.floor.recording_views import Act, record_form_view
from casino.floor.stated_moments import WHEN, MomentForm, moment_of_clock, moment_of_form
from casino.recording import Receipt
from casino.web.display.money_and_time import money
from jackpot.events import JackpotWinner, JackpotWon, pool_stream
from jackpot.floor.chips_shown import OfRound, Tile, chips_shown, tiles_of
from jackpot.floor.hits import unpaid
from jackpot.floor.payout_page import clock_words
from jackpot.floor.pool_standing import Standing, standing_at
from jackpot.floor.pool_words import citations, combination_word, prize_words
from jackpot.floor.rounds_meant import WHICH, WhichField, rounds_offered, usual_of, which_of
from jackpot.floor.said import SAID, SO, SaidField
from jackpot.floor.seats import Seat, seats_of
from jackpot.pool_questions import refuse_known_win
from jackpot.progressive.amounts import displayed_cents
from jackpot.progressive.prizes import PrizeLine
from jackpot.queries import pool_now
from jackpot.seal_meter import recorded_running

TEMPLATE: Final = "jackpot_sala/won.html"


@dataclass(frozen=True, slots=True)
class Row:
    """A combination of the approved table, with a tile for every seat."""

    words: str
    prize: str
    tiles: tuple[tuple[Tile, str, bool], ...]


class WonForm(MomentForm):
    """Who made which combination, of which round, and whether the cards lie open.

    `open_since` is when they were laid open; of a win told as it happens, that is now.
    """

    said = SaidField()
    open_since = forms.TimeField(
        label=_("Cards face up since"),
        required=False,
        input_formats=["%H:%M", "%H:%M:%S"],
        widget=forms.TimeInput({"type": "time", "autocomplete": "off"}, format="%H:%M"),
    )
    which = WhichField()

    def __init__(self, data: Mapping[str, object] | None, on: Standing, seats: tuple[Seat, ...]):
        super().__init__(data)
        self.fields["won"] = forms.MultipleChoiceField(
            choices=[(tile_of(seat, line), "") for line in lines_of(on) for seat in seats],
            error_messages={"required": gettext("Tap the seat beside its combination.")},
        )
        self.initial[WHICH] = usual_of(rounds_offered(on, dealt=True))
        self.fields.update(asked(JackpotWon, "order"))

    def clean_won(self) -> list[str]:
        """A seat's cards win one prize. Raises: ValidationError."""
        won: list[str] = self.cleaned_data["won"]
        seats = [one.partition("/")[0] for one in won]
        for seat in seats:
            if seats.count(seat) > 1:
                text = gettext("Seat %(n)s is tapped twice: its cards win one prize, the highest.")
                raise forms.ValidationError(text % {"n": seat})
        return won


def tile_of(seat: Seat, line: PrizeLine) -> str:
    """How a form names a seat with a combination."""
    return f"{seat.number}/{line.code}"


def lines_of(on: Standing) -> Sequence[PrizeLine]:
    """The approved combinations, the highest prize first; none without terms. Art. 43."""
    if on.terms is None:
        return ()
    return on.terms.terms.prizes.ranked(max(0, on.pool.meter.running))


@floor_page({PIT, HEAD})
def won_view(request: HttpRequest, table: str, jackpot: str) -> HttpResponse:
    """The approved combinations, a tile a seat; what is won is held from here on."""
    on = standing_at(table, jackpot, clock.now())
    if on is None:
        return no_game(request, table)
    seats = seats_of(on.dossier, jackpot, on.state.boxes, on.state.seats)
    form = WonForm(request.POST or None, on, seats)
    return record_form_view(
        request,
        screen="jackpot_won",
        acts=lambda data: [won(on, seats, data)],
        form=form,
        template=TEMPLATE,
        context=_shown(request, on, seats, form),
        done=lambda receipts: _to_its_payment(table, jackpot, receipts),
        tables=(table, pool_stream(jackpot)),
        completed=_with_the_meter,
    )


def _to_its_payment(table: str, jackpot: str, receipts: Sequence[Receipt]) -> str:
    return reverse("jackpot_sala:hit", args=[table, jackpot, receipts[0].n])


def won(on: Standing, seats: tuple[Seat, ...], data: Mapping[str, Any]) -> Act:
    """The win of the seats that were tapped. Raises: Malformed, WonAlready."""
    moment = moment_of_form(data, data["at"], on.state.opened_at)
    by_number = {str(seat.number): seat for seat in seats}
    winners = []
    for one in data["won"]:
        number, _, code = one.partition("/")
        seat = by_number[number]
        winners.append(JackpotWinner(owner=seat.owner, box=seat.box, code=code, seat=seat.number))
    which = which_of(on, data["which"])
    event = JackpotWon(
        **on.at,
        jackpot=on.jackpot,
        winners=tuple(winners),
        round=which.round if which is not None else None,
        shoe=which.shoe if which is not None else None,
        number=which.number if which is not None else None,
        running_microcents=recorded_running(on.pool.meter),
        opened_at=_open_since(data, on) if data[SAID] == SO else None,
        order=data["order"],
    )
    refuse_known_win(event)
    words = ngettext("Jackpot won by %(n)s player", "Jackpot won by %(n)s players", len(winners))
    return Act(event, words % {"n": len(winners)}, moment)


def _open_since(data: Mapping[str, Any], on: Standing) -> datetime | None:
    """Since when the cards lie open: now, or as somebody said. Raises: Malformed. Law: PT art. 49.

    Of a win that is recorded afterwards its moment is known, and not that of its cards.
    """
    if data["open_since"] is not None:
        return moment_of_clock("open_since", data["open_since"], data["at"], on.state.opened_at)
    return data["at"] if (data.get(WHEN) or "now") == "now" else None


def _with_the_meter(event: Any) -> object:
    """The win with what the meter runs at now: nobody changes it until the win is recorded."""
    return replace(event, running_microcents=recorded_running(pool_now(event.jackpot).meter))


def _shown(
    request: HttpRequest, on: Standing, seats: tuple[Seat, ...], won_form: WonForm
) -> dict[str, object]:
    offered = rounds_offered(on, dealt=True)
    shown = chips_shown(on, offered, str(won_form[WHICH].value() or ""))
    tiles = tiles_of(seats, shown)
    running = max(0, on.pool.meter.running)
    chosen = request.POST.getlist("won")
    rows = [
        Row(
            combination_word(line.code),
            prize_words(line, running),
            tuple(
                (tile, tile_of(tile.seat, line), tile_of(tile.seat, line) in chosen)
                for tile in tiles
            ),
        )
        for line in lines_of(on)
    ]
    terms = on.terms
    return {
        "table": on.dossier.table,
        "on": on,
        "value": money(displayed_cents(running)),
        "rows": rows,
        "counted": terms.terms.prizes.cards_counted if terms is not None else 0,
        **citations(on.state.rulebook, "40", "42", "43", "45", "49"),
        "rounds": offered,
        "uncollected": _uncollected(on, shown),
        "may_collect": PIT in offices_of(request),
        "waiting": [
            (one, clock_words(one.recorded_at, on.state.now))
            for one in unpaid([on.dossier.partida], on.state.now)
            if one.jackpot == on.jackpot
        ],
    }


def _uncollected(on: Standing, shown: Sequence[OfRound]) -> list[tuple[OfRound, str]]:
    """The rounds of which nobody recorded a chip, each with the way to their collection. Art. 41,
    45.

    None where the collection itself raises the display.
    """
    if on.by_itself:
        return []
    url = reverse("jackpot_sala:collect", args=[on.dossier.table, on.jackpot])
    return [(one, f"{url}?{urlencode({WHICH: one.value})}") for one in shown if not one.recorded]
