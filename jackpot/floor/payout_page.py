"""A win as its page tells it: order and arithmetic, what stands against it, what comes after.

Law: PT art. 43, 44, 49, 50; 58, 59 (its cards may not go back before).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.formats import date_format, number_format
from django.utils.timezone import localtime
from django.utils.translation import gettext

from casino import clock
from casino.events.round.round_played import RoundPlayed
from casino.floor.game_view import GameView, load_game_view
from casino.law.checks.table.complaints_heard import complaints_of, freed_by
from casino.web.display.fine_amounts import meter
from casino.web.display.money_and_time import money
from jackpot.floor.hits import Hit, Payable
from jackpot.floor.left_behind import withdrawn_before
from jackpot.floor.pool_words import citations, combination_word, reckoning, unbroken
from jackpot.models import JackpotPayment
from jackpot.progressive.amounts import MICROCENTS, displayed_cents
from jackpot.progressive.payout import Payout, Step
from jackpot.queries import terms_at


@dataclass(frozen=True, slots=True)
class Line:
    """One prize of a win, in words. `witness` is where a second person is still asked.

    `paid` is when, `parts` what was handed over each time where that was not the prize at once;
    `missing` what is still owed of a prize paid short, '' for another; `under` the article.
    """

    order: int
    seat: int
    owner: str
    what: str
    how: str
    amount: str
    paid: str
    parts: str
    missing: str
    under: str
    waits: bool
    witness: str
    choose: str


@dataclass(frozen=True, slots=True)
class Said:
    """Something that stands against the payment, or goes with it: how grave, in a sentence."""

    severity: str
    words: str


def clock_words(at: datetime, now: datetime, shape: str = "H:i:s") -> str:
    """A moment as the house's clock shows it, with its day where that is not today's."""
    there, here = localtime(at), localtime(now)
    time = date_format(there, shape)
    if there.date() == here.date():
        return time
    return f"{date_format(there, 'SHORT_DATE_FORMAT')} {time}"


def page_values(hit: Hit) -> dict[str, object]:
    """What the page of a win shows."""
    now = clock.now()
    game = load_game_view(hit.row.partida_id, now)
    payout = hit.payout
    left = hit.unsettled
    return {
        "hit": hit.row,
        "recorded_at": clock_words(hit.row.recorded_at, now),
        "open_since": clock_words(hit.row.opened_at, now, "H:i") if hit.row.opened_at else "",
        "jackpot": hit.row.jackpot,
        **citations(game.law.id, "40", "44", "50"),
        "lines": [
            _line(hit, one, game, next_one=bool(left) and one is left[0]) for one in hit.payables
        ],
        "before": money(displayed_cents(payout.before_microcents)) if payout else "",
        "after": money(displayed_cents(payout.after_microcents)) if payout else "",
        "exactly": meter(payout.after_microcents) if payout and _is_fine(payout) else "",
        "odd": bool(payout) and any(one.step.odd_cents for one in hit.payables),
        "several": len(hit.payables) > 1,
        "withdrawn": hit.withdrawn,
        "without_terms": payout is None,
        "over": not left and bool(hit.payables),
        "said": [*_left_behind(hit, game), *_said(hit, game)],
        "restart": _restart(hit, game),
    }


def _is_fine(payout: Payout) -> bool:
    """Whether less than a cent stays beside the cents: nobody can be paid it. Law: PT art. 50."""
    return bool(payout.after_microcents % MICROCENTS)


def _line(hit: Hit, payable: Payable, game: GameView, *, next_one: bool) -> Line:
    now = game.now
    step, made = payable.step, payable.payments
    at = [hit.row.table_code, hit.row.jackpot, hit.row.n]
    whole = len(made) == 1 and made[0].paid_cents == step.paid_cents
    owed = payable.is_short and not hit.withdrawn
    return Line(
        order=step.order,
        seat=step.winner.seat or step.winner.box,
        owner=step.winner.owner,
        what=combination_word(step.winner.code),
        how=reckoning(step),
        amount=money(step.paid_cents),
        paid=clock_words(made[0].paid_at or made[0].occurred_at, now) if whole else "",
        parts="" if whole else ", ".join(_part(row, now) for row in made),
        missing=money(payable.missing_cents) if owed else "",
        under=unbroken(game.cites[short_under(step)]),
        waits=not made,
        witness=reverse("sala:witness", args=[payable.unwitnessed.entry_id])
        if payable.unwitnessed
        else "",
        choose=f"{reverse('jackpot_sala:hit', args=at)}?step={step.order}"
        if (owed or not made) and not next_one
        else "",
    )


def _part(jackpot_payment: JackpotPayment, now: datetime) -> str:
    """What was handed over, and when."""
    at = clock_words(jackpot_payment.paid_at or jackpot_payment.occurred_at, now)
    words = gettext("%(amount)s at %(at)s")
    if jackpot_payment.again:
        words = gettext("%(amount)s at %(at)s, a second time")
    return words % {"amount": money(jackpot_payment.paid_cents), "at": at}


def short_under(step: Step) -> str:
    """The article that gives what was paid too little. Law: PT art. 43, 50."""
    return "50" if step.by == "remainder" else "43"


def round_of(hit: Hit, game: GameView) -> RoundPlayed | None:
    """The record of the round that won; None while nobody recorded it."""
    row = hit.row
    for recorded in game.dossier.of(RoundPlayed):
        event = recorded.event
        if event.round == str(row.round or ""):
            return event
        if row.round is None and row.number is not None:
            if (event.shoe, event.number) == (row.shoe, row.number):
                return event
    return None


def _left_behind(hit: Hit, game: GameView) -> Iterator[Said]:
    """That it was reckoned from what a win left that was none. Law: PT art. 43, 50."""
    for n in withdrawn_before(hit):
        words = gettext(
            "Entry %(n)s, which held the money when this win was recorded, was withdrawn since:"
            " withdraw this one too and record it anew"
        )
        yield Said("warning", f"{words % {'n': n}}{game.within['50']}.")


def _said(hit: Hit, game: GameView) -> Iterator[Said]:
    """What the record tells of its cards while somebody is still to be paid. Art. 49, 58, 59."""
    if not hit.unsettled:
        return
    played = round_of(hit, game)
    times = played.times if played is not None else None
    for at, words in (
        (times.collected if times else None, gettext("Its cards were collected at %(at)s, unpaid")),
        (times.inserted if times else None, gettext("Its cards went back at %(at)s, unpaid")),
    ):
        if at is not None and hit.waiting:
            text = words % {"at": clock_words(at, game.now)}
            yield Said("breach", f"{text}{game.within['49']}.")
    disputes = _disputes(hit, game, played)
    if disputes:
        words = gettext("The round is in dispute (%(codes)s): its cards wait until it is settled")
        text = words % {"codes": ", ".join(disputes)}
        yield Said("warning", f"{text}{game.within['59']}.")
    if hit.row.opened_at is None and hit.waiting:
        words = gettext("Nobody said since when the cards have been face up")
        yield Said("warning", f"{words}{game.within['49']}.")


def _disputes(hit: Hit, game: GameView, played: RoundPlayed | None) -> list[str]:
    """The complaints about the round that nobody looked into yet."""
    name = played.round if played is not None else str(hit.row.round or "")
    place = (hit.row.shoe, hit.row.number)
    return [
        one.event.complaint
        for one in complaints_of(game.evening)
        if (
            (name and one.event.round == name)
            or (None not in place and (one.event.shoe, one.event.number) == place)
        )
        and freed_by(game.evening, one) is None
    ]


def _restart(hit: Hit, game: GameView) -> dict[str, object] | None:
    """What is to be put in after the meter was emptied, or was. Law: PT art. 44."""
    if hit.payout is None or not hit.payout.full or hit.withdrawn:
        return None
    if hit.restarted is not None:
        row = hit.restarted
        return {"at": clock_words(row.recorded_at, game.now), "value": money(row.start_cents)}
    terms = terms_at(hit.row.jackpot, clock.now())
    if terms is None:
        return {"at": None, "value": ""}
    times = game.evening.p.get("jackpot.start_times", 0)
    return {
        "at": None,
        "value": money(terms.terms.start_cents),
        "times": number_format(times, force_grouping=True),
        "chip": money(terms.terms.stake_cents),
        "least": money(terms.terms.stake_cents * times),
        "url": f"{reverse('admin:jackpot_jackpotstart_add')}?hit={hit.row.entry_id}",
    }
