"""Partidas: opened, closed."""

from collections.abc import Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.partidas import ChipCount, PartidaClosed, PartidaOpened, SpecialCard
from casino.models.projection import EntryView, Projection, same
from casino.models.projection_columns import (
    listed,
    maybe_listed,
    maybe_moment,
    maybe_whole,
    text,
    whole,
)


class Partida(Projection):
    """A table that was opened. `decks` are codes; colours are written ``front/back``."""

    events = (PartidaOpened,)

    rulebook = text(_("rulebook"))
    minimum_cents = whole(_("minimum"))
    maximum_cents = whole(_("maximum"))
    dealing = text(_("dealt from"))
    shuffler = text(_("shuffler"))
    decks = listed(_("decks"))
    jackpots = maybe_listed(_("jackpots"))
    cut_card = text(_("card for cutting"))
    carta_aviso = text(_("warning card"))
    special_cards = maybe_whole(_("special cards"))
    fiscal_de_banca = text(_("fiscal de banca"))
    fiscal_chefe = text(_("fiscal-chefe"))
    pagador = text(_("dealer"))
    float_cents = maybe_whole(_("float"))

    class Meta:
        db_table = "casino_partida"
        verbose_name = _("partida")
        verbose_name_plural = _("partidas")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="partida_day_table"),
            models.Index(fields=["partida_id"], name="partida_name"),
        )

    def __str__(self) -> str:
        return self.partida_id

    @classmethod
    def rows_of(cls, event: PartidaOpened, entry: EntryView) -> Iterator[dict[str, object]]:
        """The partida as it was opened."""
        yield same(event, cls) | {
            "minimum_cents": event.limits.minimum_cents,
            "maximum_cents": event.limits.maximum_cents,
            "decks": [each.deck for each in event.decks],
            "cut_card": colours_of(event.cut_card),
            "carta_aviso": colours_of(event.carta_aviso),
            "float_cents": _worth(event.counts),
        }


class Closing(Projection):
    """A table that was closed. `attested` are the articles somebody answered for, and who."""

    events = (PartidaClosed,)

    rounds = maybe_whole(_("rounds"))
    reason = text(_("reason"))
    closing_announced_at = maybe_moment(_("closing announced at"))
    cards_counted = maybe_whole(_("cards counted"))
    fiscal_de_banca = text(_("fiscal de banca"))
    fiscal_chefe = text(_("fiscal-chefe"))
    pagador = text(_("dealer"))
    float_cents = maybe_whole(_("chips left"))
    attested = maybe_listed(_("attested"))

    class Meta:
        db_table = "casino_closing"
        verbose_name = _("closing")
        verbose_name_plural = _("closings")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="closing_day_table"),
            models.Index(fields=["partida_id"], name="closing_partida"),
        )

    def __str__(self) -> str:
        return self.partida_id

    @classmethod
    def rows_of(cls, event: PartidaClosed, entry: EntryView) -> Iterator[dict[str, object]]:
        """The partida as it was closed."""
        attested = event.attested
        yield same(event, cls) | {
            "float_cents": _worth(event.counts),
            "attested": None
            if attested is None
            else [{"article": each.article, "staff": each.staff} for each in attested],
        }


def colours_of(card: SpecialCard | None) -> str:
    """A special card's sides, ``front/back``; '' where nobody recorded."""
    return "" if card is None else f"{card.front}/{card.back}"


def _worth(counts: tuple[ChipCount, ...] | None) -> int | None:
    return None if counts is None else sum(each.value_cents * each.count for each in counts)
