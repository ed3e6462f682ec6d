"""S11, at first: cards of a round won. Seat and combination are one tap; the amounts are held.

What the meter ran at is read when the win is recorded, with everybody else who changes it waiting,
so that the win says what its place in the book says.

Law: PT art. 42, 43, 49, 50.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from casino import clock
from casino.admin.cells import money
from casino.recording import Receipt
from casino.recording.authority import HEAD, PIT
from casino.sala.access import floor_page
from casino.sala.act_forms import asked
from casino.sala.games import no_game
from casino.sala.moments import MomentForm, told_at
from casino.sala.step_words import article_of
from casino.sala.taking import Act, take
from jackpot.asking import refuse_known_win
from jackpot.facts import JackpotWinner, JackpotWon, pool_stream
from jackpot.progressive.amounts import displayed_cents
from jackpot.progressive.prizes import PrizeLine
from jackpot.queries import pool_now
from jackpot.sala.hits import unpaid
from jackpot.sala.pool_words import combination_word, prize_words, unbroken
from jackpot.sala.rounds_meant import UNTOLD, WhichField, rounds_offered, which_of
from jackpot.sala.seats import Seat, seats_of
from jackpot.sala.standing import Standing, standing_at

TEMPLATE: Final = "jackpot_sala/won.html"


@dataclass(frozen=True, slots=True)
class Row:
    """A combination of the approved table, with a tile for every seat."""

    words: str
    prize: str
    tiles: tuple[tuple[Seat, str, bool], ...]


class WonForm(MomentForm):
    """Who made which combination, of which round, and whether the cards lie open."""

    cards_open = forms.BooleanField(required=False, initial=True)
    which = WhichField()

    def __init__(self, data: Mapping[str, Any] | None, on: Standing, seats: tuple[Seat, ...]):
        super().__init__(data)
        self.fields["won"] = forms.MultipleChoiceField(
            choices=[(tile_of(seat, line), "") for line in lines_of(on) for seat in seats],
            error_messages={"required": gettext("Tap the seat beside its combination.")},
        )
        offered = rounds_offered(on, dealt=True)
        self.initial["which"] = next((one.value for one in offered if one.usual), UNTOLD)
        self.fields.update(asked(JackpotWon, "order"))

    def clean_won(self) -> list[str]:
        """A seat's cards win one prize. Raises: ValidationError."""
        won: list[str] = self.cleaned_data["won"]
        seats = [one.partition("/")[0] for one in won]
        for seat in seats:
            if seats.count(seat) > 1:
                told = gettext("Seat %(n)s is tapped twice: its cards win one prize, the highest.")
                raise forms.ValidationError(told % {"n": seat})
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
    return take(
        request,
        screen="jackpot_won",
        acts=lambda told: [won(on, seats, told)],
        form=WonForm(request.POST or None, on, seats),
        template=TEMPLATE,
        context=_shown(request, on, seats),
        done=lambda receipts: _to_its_payment(table, jackpot, receipts),
        tables=(table, pool_stream(jackpot)),
        completed=_with_the_meter,
    )


def _to_its_payment(table: str, jackpot: str, receipts: Sequence[Receipt]) -> str:
    return reverse("jackpot_sala:hit", args=[table, jackpot, receipts[0].n])


def won(on: Standing, seats: tuple[Seat, ...], told: Mapping[str, Any]) -> Act:
    """The win of the seats that were tapped. Raises: Malformed, WonAlready."""
    moment = told_at(told, told["at"], on.state.opened_at)
    by_number = {str(seat.number): seat for seat in seats}
    winners = []
    for one in told["won"]:
        number, _, code = one.partition("/")
        seat = by_number[number]
        winners.append(JackpotWinner(owner=seat.owner, box=seat.box, code=code, seat=seat.number))
    which = which_of(on, told["which"])
    meter = on.pool.meter
    fact = JackpotWon(
        **on.at,
        jackpot=on.jackpot,
        winners=tuple(winners),
        round=which.round if which is not None else None,
        shoe=which.shoe if which is not None else None,
        number=which.number if which is not None else None,
        running_microcents=max(0, meter.running) if meter.begun else None,
        opened_at=moment if told["cards_open"] else None,
        order=told["order"],
    )
    refuse_known_win(fact)
    words = ngettext("Jackpot won by %(n)s player", "Jackpot won by %(n)s players", len(winners))
    return Act(fact, words % {"n": len(winners)}, moment)


def _with_the_meter(fact: Any) -> Any:
    """The win with what the meter runs at now: nobody changes it until the win is recorded."""
    meter = pool_now(fact.jackpot).meter
    return replace(fact, running_microcents=max(0, meter.running)) if meter.begun else fact


def _shown(request: HttpRequest, on: Standing, seats: tuple[Seat, ...]) -> dict[str, Any]:
    running = max(0, on.pool.meter.running)
    chosen = request.POST.getlist("won")
    rows = [
        Row(
            combination_word(line.code),
            prize_words(line, running),
            tuple((seat, tile_of(seat, line), tile_of(seat, line) in chosen) for seat in seats),
        )
        for line in lines_of(on)
    ]
    terms = on.terms
    names = ("40", "42", "43", "49", "50")
    return {
        "table": on.dossier.table,
        "on": on,
        "value": money(displayed_cents(running)),
        "rows": rows,
        "counted": terms.terms.prizes.cards_counted if terms is not None else 0,
        "article": {name: unbroken(article_of(on.state, name)) for name in names},
        "rounds": rounds_offered(on, dealt=True),
        "waiting": [one for one in unpaid([on.dossier.partida]) if one.jackpot == on.jackpot],
    }
