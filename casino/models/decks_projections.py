"""What was found when decks were looked at."""

from collections.abc import Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.decks import DeckInspected
from casino.models.projection import EntryView, Projection, same
from casino.models.projection_columns import (
    maybe_listed,
    maybe_truth,
    maybe_whole,
    text,
    truth,
    whole,
)


class DeckInspection(Projection):
    """One deck, looked through once."""

    events = (DeckInspected,)

    deck = text(_("deck"))
    moment = text(_("occasion"))
    cards = whole(_("cards"))
    order_complete = truth(_("complete and in order"))
    faces = text(_("faces"))
    backs = text(_("backs"))
    result = text(_("result"))
    spread_in_rows = maybe_truth(_("spread in rows, face up"))
    jokers = maybe_whole(_("jokers"))
    seal = text(_("seal"))
    pagador = text(_("dealer"))
    fiscal_de_banca = text(_("fiscal de banca"))
    fiscal_chefe = text(_("fiscal-chefe"))
    machine = text(_("verification machine"))
    receipt = text(_("receipt"))
    damaged_cards = maybe_listed(_("damaged cards"))
    missing_cards = maybe_listed(_("missing cards"))
    extra_cards = maybe_listed(_("extra cards"))
    noted = truth(_("with a note"))

    class Meta:
        db_table = "casino_deck_inspection"
        verbose_name = _("deck inspection")
        verbose_name_plural = _("deck inspections")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="inspection_day_table"),
            models.Index(fields=["partida_id"], name="inspection_partida"),
            models.Index(fields=["deck", "occurred_at"], name="inspection_deck"),
        )

    def __str__(self) -> str:
        return f"{self.deck} {self.moment}"

    @classmethod
    def rows_of(cls, event: DeckInspected, entry: EntryView) -> Iterator[dict[str, object]]:
        """The inspection; its note stays where it can be erased."""
        yield same(event, cls) | {"noted": event.note is not None}
