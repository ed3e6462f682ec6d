"""The projections of a pool's own stream: terms, starts, wins, payments, adjustments, seals,
reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.event import EntryRef
from casino.models.projection import EntryView, Lock, Projection, ProjectionRow, same
from casino.models.projection_columns import (
    listed,
    maybe_listed,
    maybe_moment,
    maybe_truth,
    maybe_uuid,
    maybe_whole,
    moment,
    text,
    truth,
    whole,
)
from jackpot.events import (
    JackpotAdjusted,
    JackpotPaid,
    JackpotRead,
    JackpotSealed,
    JackpotStarted,
    JackpotWon,
    PoolEvent,
    PoolPartidaEvent,
    TermsApproved,
    TermsConfirmed,
)
from jackpot.models.locks import alone_on

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def _maybe_day(name: _StrPromise) -> models.DateField[object, Any]:
    """A day, NULL where it is unknown."""
    return models.DateField(name, null=True, editable=False)


class PoolProjection(Projection):
    """A projection of what no contribution to its pool may run beside."""

    class Meta:
        abstract = True

    @classmethod
    def locks_of(cls, event: PoolEvent | PoolPartidaEvent | JackpotRead) -> Iterable[Lock]:
        """The pool's lock and that on what counts, both alone."""
        return alone_on(event.jackpot)


class JackpotTerms(PoolProjection):
    """One version of the approved terms. They are in force once somebody else confirmed them."""

    events = (TermsApproved,)

    jackpot = text(_("jackpot"))
    terms = text(_("version"))
    valid_from = moment(_("valid from"))
    stake_cents = whole(_("side stake"))
    rate_millionths = whole(_("percentage that goes to the meter"))
    start_cents = whole(_("starting value"))
    cards_counted = whole(_("cards that count"))
    lines = listed(_("combinations"))
    match = text(_("of several combinations"))
    marking = text(_("marking"))
    tables = maybe_listed(_("tables"))
    limit_cents = maybe_whole(_("limit"))
    reserve_millionths = maybe_whole(_("percentage kept in reserve"))
    option_reference = text(_("communication"))
    communicated_on = _maybe_day(_("communicated on"))
    approval_reference = text(_("decision"))
    approved_on = _maybe_day(_("decided on"))
    conditions = text(_("conditions"))
    proposal = text(_("proposal of the concession holder"))
    proposed_on = _maybe_day(_("proposed on"))

    class Meta:
        db_table = "jackpot_terms"
        verbose_name = _("jackpot terms")
        verbose_name_plural = _("jackpot terms")
        indexes = (models.Index(fields=["jackpot", "valid_from"], name="terms_jackpot"),)

    def __str__(self) -> str:
        return f"{self.jackpot} {self.terms}"

    @classmethod
    def rows_of(cls, event: TermsApproved, entry: EntryView) -> Iterator[dict[str, Any]]:
        """One version."""
        lines = [[line.code, line.share_millionths, line.fixed_cents] for line in event.lines]
        yield same(event, cls) | {"lines": lines}


class JackpotTermsConfirmation(PoolProjection):
    """A second person's word on terms."""

    events = (TermsConfirmed,)

    jackpot = text(_("jackpot"))
    terms_n = whole(_("entry of the terms"))
    terms_leaf = text(_("leaf of the entry"))

    class Meta:
        db_table = "jackpot_terms_confirmation"
        verbose_name = _("jackpot terms confirmed")
        verbose_name_plural = _("jackpot terms confirmed")
        indexes = (models.Index(fields=["jackpot", "terms_n"], name="terms_confirmed"),)

    def __str__(self) -> str:
        return f"{self.jackpot} {self.terms_n}"

    @classmethod
    def rows_of(cls, event: TermsConfirmed, entry: EntryView) -> Iterator[dict[str, object]]:
        """One word on terms."""
        named = {"terms_n": event.confirms.n, "terms_leaf": event.confirms.leaf}
        yield same(event, cls) | named


class JackpotStart(PoolProjection):
    """A starting value put in."""

    events = (JackpotStarted,)

    jackpot = text(_("jackpot"))
    start_cents = whole(_("starting value"))
    reason = text(_("reason"))
    hit_n = maybe_whole(_("entry of the win"))

    class Meta:
        db_table = "jackpot_start"
        verbose_name = _("jackpot start")
        verbose_name_plural = _("jackpot starts")
        indexes = (models.Index(fields=["jackpot", "n"], name="start_jackpot"),)

    def __str__(self) -> str:
        return f"{self.jackpot} {self.start_cents}"

    @classmethod
    def rows_of(cls, event: JackpotStarted, entry: EntryView) -> Iterator[dict[str, object]]:
        """One start."""
        yield same(event, cls) | {"hit_n": _number(event.hit)}


class JackpotWin(PoolProjection):
    """A round that won. `order` is its place among several at once, as the house decided."""

    events = (JackpotWon,)

    jackpot = text(_("jackpot"))
    round = maybe_uuid(_("round"))
    shoe = maybe_whole(_("shoe"))
    number = maybe_whole(_("number in the shoe"))
    winners = whole(_("winners"))
    codes = listed(_("combinations"))
    running_microcents = maybe_whole(_("meter when it was seen"))
    opened_at = maybe_moment(_("cards open since"))
    order = maybe_whole(_("order among several"))

    class Meta:
        db_table = "jackpot_win"
        verbose_name = _("jackpot win")
        verbose_name_plural = _("jackpot wins")
        indexes = (
            models.Index(fields=["jackpot", "n"], name="win_jackpot"),
            models.Index(fields=["partida_id"], name="win_partida"),
            models.Index(fields=["round"], name="win_round"),
        )

    def __str__(self) -> str:
        return f"{self.jackpot} {self.partida_id}"

    @classmethod
    def rows_of(cls, event: JackpotWon, entry: EntryView) -> Iterator[dict[str, object]]:
        """One win."""
        codes = [winner.code for winner in event.winners]
        yield same(event, cls) | {"winners": len(codes), "codes": codes}


class JackpotWinnerRow(ProjectionRow):
    """One winner of a round."""

    events = (JackpotWon,)

    jackpot = text(_("jackpot"))
    owner = text(_("owner"))
    box = whole(_("box"))
    code = text(_("combination"))
    seat = maybe_whole(_("seat"))

    class Meta:
        db_table = "jackpot_winner"
        verbose_name = _("jackpot winner")
        verbose_name_plural = _("jackpot winners")
        indexes = (models.Index(fields=["jackpot", "n"], name="winner_jackpot"),)
        constraints = (
            models.UniqueConstraint(fields=["entry", "owner", "box"], name="winner_once"),
        )

    def __str__(self) -> str:
        return f"{self.jackpot} {self.owner} {self.box}"

    @classmethod
    def rows_of(cls, event: JackpotWon, entry: EntryView) -> Iterator[dict[str, object]]:
        """Its winners."""
        for winner in event.winners:
            yield same(winner, cls) | {"jackpot": event.jackpot}


class JackpotPayment(PoolProjection):
    """One winner paid. `again`: although this prize had been paid before."""

    events = (JackpotPaid,)

    jackpot = text(_("jackpot"))
    hit_n = whole(_("entry of the win"))
    owner = text(_("owner"))
    box = whole(_("box"))
    code = text(_("combination"))
    paid_cents = whole(_("paid"))
    step = maybe_whole(_("order of payment"))
    means = text(_("means of payment"))
    document = text(_("document"))
    paid_at = maybe_moment(_("paid at"))
    approved_by = text(_("approved by"))
    again = maybe_truth(_("paid a second time"))
    named = truth(_("winner identified"))

    class Meta:
        db_table = "jackpot_payment"
        verbose_name = _("jackpot payment")
        verbose_name_plural = _("jackpot payments")
        indexes = (
            models.Index(fields=["jackpot", "hit_n"], name="payment_hit"),
            models.Index(fields=["partida_id"], name="payment_partida"),
        )

    def __str__(self) -> str:
        return f"{self.jackpot} {self.owner} {self.paid_cents}"

    @classmethod
    def rows_of(cls, event: JackpotPaid, entry: EntryView) -> Iterator[dict[str, object]]:
        """One payment."""
        named = {"hit_n": event.hit.n, "named": event.identification is not None}
        yield same(event, cls) | named


class JackpotAdjustment(PoolProjection):
    """The meter corrected, or a win withdrawn."""

    events = (JackpotAdjusted,)

    jackpot = text(_("jackpot"))
    microcents = whole(_("change of the meter"))
    reason = text(_("reason"))
    reference = text(_("reference"))
    hit_n = maybe_whole(_("entry of the win"))

    class Meta:
        db_table = "jackpot_adjustment"
        verbose_name = _("jackpot adjustment")
        verbose_name_plural = _("jackpot adjustments")
        indexes = (models.Index(fields=["jackpot", "n"], name="adjustment_jackpot"),)

    def __str__(self) -> str:
        return f"{self.jackpot} {self.microcents}"

    @classmethod
    def rows_of(cls, event: JackpotAdjusted, entry: EntryView) -> Iterator[dict[str, object]]:
        """One adjustment."""
        yield same(event, cls) | {"hit_n": _number(event.hit)}


class JackpotSeal(PoolProjection):
    """What a meter was at a cut: `up_to` by stream the last entry counted, `held` cents by win."""

    events = (JackpotSealed,)

    jackpot = text(_("jackpot"))
    microcents = whole(_("meter"))
    started_cents = whole(_("starting values"))
    contributed_microcents = whole(_("contributions"))
    adjusted_microcents = whole(_("adjustments"))
    paid_cents = whole(_("paid"))
    held = listed(_("held for wins"))
    up_to = listed(_("counted up to"))
    emptied_by = maybe_whole(_("emptied by the win"))

    class Meta:
        db_table = "jackpot_seal"
        verbose_name = _("jackpot seal")
        verbose_name_plural = _("jackpot seals")
        indexes = (models.Index(fields=["jackpot", "n"], name="seal_jackpot"),)

    def __str__(self) -> str:
        return f"{self.jackpot} {self.microcents}"

    @classmethod
    def rows_of(cls, event: JackpotSealed, entry: EntryView) -> Iterator[dict[str, object]]:
        """One seal."""
        yield same(event, cls) | {
            "up_to": {one.stream: one.n for one in event.up_to},
            "held": [[one.hit, one.cents] for one in event.held],
        }


class JackpotReading(PoolProjection):
    """What somebody read off a display."""

    events = (JackpotRead,)

    jackpot = text(_("jackpot"))
    display_cents = whole(_("display"))

    class Meta:
        db_table = "jackpot_reading"
        verbose_name = _("jackpot reading")
        verbose_name_plural = _("jackpot readings")
        indexes = (models.Index(fields=["jackpot", "n"], name="reading_jackpot"),)

    def __str__(self) -> str:
        return f"{self.jackpot} {self.display_cents}"


def _number(ref: EntryRef | None) -> int | None:
    return None if ref is None else ref.n
