"""A deck's life outside a game."""

from collections.abc import Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.deck_life import CardReplaced, DeckReceived, DecksDestroyed, DeckWithdrawn
from casino.models.projection import EntryView, Projection, same
from casino.models.projection_columns import (
    listed,
    maybe_moment,
    maybe_truth,
    maybe_whole,
    text,
    truth,
)


class DeckReceipt(Projection):
    """A deck that came into the house."""

    events = (DeckReceived,)

    deck = text(_("deck"))
    maker = text(_("maker"))
    back_colour = text(_("colour of the backs"))
    serial = text(_("serial number"))
    cards = maybe_whole(_("cards"))
    seal = text(_("seal"))
    second = text(_("second person"))
    document = text(_("document"))

    class Meta:
        db_table = "casino_deck_receipt"
        verbose_name = _("deck received")
        verbose_name_plural = _("decks received")
        indexes = (models.Index(fields=["deck", "n"], name="receipt_deck"),)

    def __str__(self) -> str:
        return self.deck


class DeckWithdrawal(Projection):
    """A deck that was taken out of use."""

    events = (DeckWithdrawn,)

    deck = text(_("deck"))
    reason = text(_("reason"))
    cards = maybe_whole(_("cards"))
    held_apart = maybe_truth(_("held apart as evidence"))
    incident = text(_("incident"))
    noted = truth(_("with a note"))

    class Meta:
        db_table = "casino_deck_withdrawal"
        verbose_name = _("deck withdrawn")
        verbose_name_plural = _("decks withdrawn")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="withdrawal_day_table"),
            models.Index(fields=["deck", "occurred_at"], name="withdrawal_deck"),
        )

    def __str__(self) -> str:
        return self.deck

    @classmethod
    def rows_of(cls, event: DeckWithdrawn, entry: EntryView) -> Iterator[dict[str, object]]:
        """One deck; the note stays where it can be erased."""
        yield same(event, cls) | {"noted": event.note is not None}


class Replacement(Projection):
    """One card of a deck, exchanged."""

    events = (CardReplaced,)

    deck = text(_("deck"))
    card = text(_("card"))
    reason = text(_("reason"))
    from_deck = text(_("from the reserve deck"))
    authorisation = text(_("authorisation"))
    replaced_by = text(_("exchanged by"))
    replaced_by_office = text(_("office of who exchanged it"))
    shuffler = text(_("shuffler"))
    shown = maybe_truth(_("shown on both sides"))
    incident = text(_("incident"))

    class Meta:
        db_table = "casino_replacement"
        verbose_name = _("card replaced")
        verbose_name_plural = _("cards replaced")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="replacement_day_table"),
            models.Index(fields=["deck", "occurred_at"], name="replacement_deck"),
            models.Index(fields=["partida_id"], name="replacement_partida"),
        )

    def __str__(self) -> str:
        return f"{self.deck} {self.card}"


class Destruction(Projection):
    """Decks made useless for ever."""

    events = (DecksDestroyed,)

    decks = listed(_("decks"))
    method = text(_("how"))
    second = text(_("second person"))
    announced = text(_("notice given"))
    destroyed_at = maybe_moment(_("destroyed at"))

    class Meta:
        db_table = "casino_destruction"
        verbose_name = _("decks destroyed")
        verbose_name_plural = _("decks destroyed")

    def __str__(self) -> str:
        return ", ".join(self.decks)
