"""The record of one payment of a jackpot, on one page, for the signatures of those present.

The amount is not read from what was recorded alone: it is reckoned anew from the meter when the
round was won and the terms it was played by, and stands beside what was handed out.
Law: PT art. 43, 49, 50.
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.utils.translation import gettext as _

from audit.reports import report_cells as cells
from audit.reports.report_draft import Column, Draft, Row
from audit.reports.report_entries import Asked
from casino.models import Attestation, Partida
from casino.queries import that_count
from casino.web.display.money_and_time import fine_money
from casino.web.words import field_words
from casino.web.words.combination_words import combination_word
from jackpot.models import JackpotPayment, JackpotWin
from jackpot.pages.payout_sheet import arithmetic
from jackpot.queries import payout_of

HAND: Final = "_" * 40


def read_payout(draft: Draft, asked: Asked, kinds: Sequence[str]) -> None:
    """One payment: whose, by which combination, in which order, how it was reckoned, who saw."""
    payment = JackpotPayment.objects.get(pk=UUID(asked.findings[0]))
    win = JackpotWin.objects.get(jackpot=payment.jackpot, n=payment.hit_n)
    words = list(Attestation.objects.filter(witnessed_stream=payment.stream, witnessed_n=payment.n))
    draft.cite([(win.stream, win.n), (payment.stream, payment.n)])
    draft.cite((one.stream, one.n) for one in words)
    game = that_count(Partida.objects.filter(partida_id=payment.partida_id)).first()
    if game is not None:
        draft.rulebooks.add(game.rulebook)
    means = field_words.word(payment.means) if payment.means else ""
    draft.section(
        _("Payment"),
        pairs=[
            (_("Partida"), cells.text(payment.partida_id)),
            (_("Won"), cells.moment(win.occurred_at)),
            (_("Entry of the win"), cells.entry(win.stream, win.n)),
            (_("Paid at"), cells.moment(payment.paid_at or payment.occurred_at)),
            (_("Entry of the payment"), cells.entry(payment.stream, payment.n)),
            (_("Winner, box"), cells.text(f"{payment.owner}, {payment.box}")),
            (_("Combination"), cells.text(combination_word(payment.code))),
            (_("Paid"), cells.cents(payment.paid_cents)),
            (_("Means and document"), cells.text(f"{means} {payment.document}")),
            (_("Paid by"), cells.text(payment.staff)),
            (_("Second person"), cells.joined([_who(one) for one in words])),
        ],
    )
    _reckoned(draft, payment, win)
    names = (_("Who paid"), _("Second person"), _("Winner"), _("Inspector"))
    draft.section(_("Signatures"), level=2, pairs=[(name, cells.text(HAND)) for name in names])


def _who(word: Attestation) -> str:
    return f"{word.witness} ({field_words.word(word.held, 'office')})"


def _reckoned(draft: Draft, payment: JackpotPayment, win: JackpotWin) -> None:
    """Every prize of the round in its order, so that the share of each can be followed."""
    came_to = payout_of(win.jackpot, win.n)
    draft.section(
        _("How it was reckoned"),
        level=2,
        pairs=[]
        if came_to is None
        else [
            (_("Meter when it was won"), cells.text(fine_money(came_to.before_microcents))),
            (_("Meter afterwards"), cells.text(fine_money(came_to.after_microcents))),
        ],
        columns=[
            Column(_("Order"), 8, "right"),
            Column(_("Winner"), 16),
            Column(_("Combination"), 22),
            Column(_("Reckoned"), 38),
            Column(_("Due"), 16, "right"),
        ],
        rows=[
            Row(
                [
                    cells.whole(step.order),
                    cells.text(f"{step.winner.owner}, {step.winner.box}"),
                    cells.text(combination_word(step.winner.code)),
                    cells.text("; ".join(arithmetic(step))),
                    cells.cents(step.paid_cents),
                ]
            )
            for step in (() if came_to is None else came_to.steps)
        ],
        empty=_("Nothing can be reckoned: no confirmed terms were in force."),
    )
