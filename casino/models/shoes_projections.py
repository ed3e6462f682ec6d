"""What was done to the cards of a shoe."""

from collections.abc import Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.shoes import (
    CardBurned,
    CardOut,
    CardsShuffled,
    CardsSpread,
    CartaAvisoPlaced,
    CutMade,
    LastRoundAnnounced,
    PlayInterrupted,
    PlayResumed,
)
from casino.models.partidas_projections import colours_of
from casino.models.projection import EntryView, Projection, blank, same
from casino.models.projection_columns import (
    listed,
    maybe_truth,
    maybe_uuid,
    maybe_whole,
    text,
    whole,
)


class Shuffle(Projection):
    """Cards that were shuffled. `passes` are those of each deck, in the order of `decks`."""

    events = (CardsShuffled,)

    shoe = whole(_("shoe"))
    decks = listed(_("decks"))
    passes = listed(_("passes"))
    shuffled_by = text(_("shuffled by"))
    method = text(_("method"))
    cards = maybe_whole(_("cards"))

    class Meta:
        db_table = "casino_shuffle"
        verbose_name = _("shuffle")
        verbose_name_plural = _("shuffles")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="shuffle_day_table"),
            models.Index(fields=["partida_id", "shoe"], name="shuffle_shoe"),
        )

    def __str__(self) -> str:
        return f"{self.partida_id} {self.shoe}"

    @classmethod
    def rows_of(cls, event: CardsShuffled, entry: EntryView) -> Iterator[dict[str, object]]:
        """One shuffle, all its decks."""
        yield same(event, cls) | {
            "decks": [each.deck for each in event.decks],
            "passes": [each.passes for each in event.decks],
        }


class Cut(Projection):
    """A cut. `offers` are pairs of a seat and its answer; `cutter` who of the house cut."""

    events = (CutMade,)

    shoe = whole(_("shoe"))
    after = text(_("after"))
    seats_occupied = listed(_("occupied seats"))
    offers = listed(_("offers"))
    due_seat = maybe_whole(_("rightful seat"))
    cut_by = text(_("cut by"))
    seat = maybe_whole(_("seat"))
    cutter = text(_("staff number"))
    special_card = maybe_truth(_("with a special card"))

    class Meta:
        db_table = "casino_cut"
        verbose_name = _("cut")
        verbose_name_plural = _("cuts")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="cut_day_table"),
            models.Index(fields=["partida_id", "shoe"], name="cut_shoe"),
        )

    def __str__(self) -> str:
        return f"{self.partida_id} {self.shoe}"

    @classmethod
    def rows_of(cls, event: CutMade, entry: EntryView) -> Iterator[dict[str, object]]:
        """One cut."""
        yield same(event, cls) | {
            "offers": [[offer.seat, offer.accepted] for offer in event.offers],
            "cutter": blank(event.staff),
        }


class CartaAviso(Projection):
    """A warning card that was placed."""

    events = (CartaAvisoPlaced,)

    shoe = whole(_("shoe"))
    cards_from_end = whole(_("cards from the end"))
    players = whole(_("players"))
    cards_in_shoe = maybe_whole(_("cards in the shoe"))
    measured = text(_("measured"))
    colours = text(_("colours"))

    class Meta:
        db_table = "casino_carta_aviso"
        verbose_name = _("warning card")
        verbose_name_plural = _("warning cards")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="aviso_day_table"),
            models.Index(fields=["partida_id", "shoe"], name="aviso_shoe"),
        )

    def __str__(self) -> str:
        return f"{self.partida_id} {self.shoe}"

    @classmethod
    def rows_of(cls, event: CartaAvisoPlaced, entry: EntryView) -> Iterator[dict[str, object]]:
        """One warning card."""
        yield same(event, cls) | {"colours": colours_of(event.colours)}


class Burn(Projection):
    """Cards that were burnt before the first deal."""

    events = (CardBurned,)

    shoe = whole(_("shoe"))
    cards = whole(_("cards"))
    to_discard_corner = maybe_truth(_("to the discard corner"))
    seen = maybe_truth(_("seen"))

    class Meta:
        db_table = "casino_burn"
        verbose_name = _("burnt card")
        verbose_name_plural = _("burnt cards")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="burn_day_table"),
            models.Index(fields=["partida_id", "shoe"], name="burn_shoe"),
        )

    def __str__(self) -> str:
        return f"{self.partida_id} {self.shoe}"


class ShoeReport(Projection):
    """Cards that left a shoe, as it reports them itself."""

    events = (CardOut,)

    shoe = whole(_("shoe"))
    position = whole(_("place in the shoe"))
    card = text(_("card"))

    class Meta:
        db_table = "casino_shoe_report"
        verbose_name = _("report of a shoe")
        verbose_name_plural = _("reports of shoes")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="shoe_report_day_table"),
            models.Index(fields=["partida_id", "shoe"], name="shoe_report_shoe"),
        )

    def __str__(self) -> str:
        return f"{self.partida_id} {self.shoe}"


class LastRound(Projection):
    """A shoe's last round that was announced."""

    events = (LastRoundAnnounced,)

    shoe = maybe_whole(_("shoe"))
    round = maybe_uuid(_("round"))
    number = maybe_whole(_("number in the shoe"))
    came_out = text(_("warning card came out"))
    audible = maybe_truth(_("audible"))

    class Meta:
        db_table = "casino_last_round"
        verbose_name = _("last round announced")
        verbose_name_plural = _("last rounds announced")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="last_round_day_table"),
            models.Index(fields=["partida_id", "shoe"], name="last_round_shoe"),
        )

    def __str__(self) -> str:
        return f"{self.partida_id} {self.shoe or ''}"


class Interruption(Projection):
    """Play that stopped, cards that were spread, play that went on: `act` says which."""

    events = (CardsSpread, PlayInterrupted, PlayResumed)

    act = text(_("act"))
    reason = text(_("reason"))
    shoe = maybe_whole(_("shoe"))
    round = maybe_uuid(_("round"))
    cards = maybe_whole(_("cards"))

    class Meta:
        db_table = "casino_interruption"
        verbose_name = _("interruption")
        verbose_name_plural = _("interruptions")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="interruption_day_table"),
            models.Index(fields=["partida_id", "occurred_at"], name="interruption_partida"),
        )

    def __str__(self) -> str:
        return f"{self.partida_id} {self.act}"

    @classmethod
    def rows_of(
        cls, event: CardsSpread | PlayInterrupted | PlayResumed, entry: EntryView
    ) -> Iterator[dict[str, object]]:
        """One stop, one spreading, or one going on."""
        columns = {"reason": "", "cards": None} | same(event, cls)
        yield columns | {"act": entry.kind.split("/")[0]}
