"""The automatic shufflers, what went in and came out, and who confirms it was watched."""

from collections.abc import Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.shuffler_reports import ShufflerCycle, ShufflerSelfCheck, ShufflerSignal
from casino.events.shufflers import (
    ShufflerFoundEmpty,
    ShufflerLoaded,
    ShufflerOpened,
    ShufflerRegistered,
    ShufflerUnloaded,
)
from casino.events.witnessing import Witnessed
from casino.models.projection import EntryView, Projection, own_columns, same
from casino.models.projection_columns import (
    listed,
    maybe_moment,
    maybe_truth,
    maybe_whole,
    moment,
    text,
    whole,
)


class Shuffler(Projection):
    """A machine as it was registered with this entry."""

    events = (ShufflerRegistered,)

    shuffler = text(_("shuffler"))
    maker = text(_("maker"))
    model = text(_("model"))
    serial = text(_("serial number"))
    firmware = text(_("firmware"))
    approval = text(_("approval"))
    certificate = text(_("laboratory certificate"))
    continuous = maybe_truth(_("continuous"))
    in_service = maybe_truth(_("in service"))
    at_table = text(_("at the table"))

    class Meta:
        db_table = "casino_shuffler"
        verbose_name = _("shuffler")
        verbose_name_plural = _("shufflers")
        indexes = (models.Index(fields=["shuffler", "n"], name="shuffler_n"),)

    def __str__(self) -> str:
        return self.shuffler


class ShufflerLoad(Projection):
    """Cards that went into a machine."""

    events = (ShufflerLoaded,)

    shuffler = text(_("shuffler"))
    decks = listed(_("decks"))
    packets = whole(_("packets"))
    operator = text(_("operator"))
    fiscal_chefe = text(_("fiscal-chefe declared present"))
    reason = text(_("reason"))
    started_at = maybe_moment(_("started at"))
    ended_at = maybe_moment(_("ended at"))
    cards = maybe_whole(_("cards"))

    class Meta:
        db_table = "casino_shuffler_load"
        verbose_name = _("shuffler loading")
        verbose_name_plural = _("shuffler loadings")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="load_day_table"),
            models.Index(fields=["partida_id"], name="load_partida"),
            models.Index(fields=["shuffler", "occurred_at"], name="load_shuffler"),
        )

    def __str__(self) -> str:
        return f"{self.partida_id} {self.shuffler}"


class ShufflerUnload(Projection):
    """Cards that came out of a machine."""

    events = (ShufflerUnloaded,)

    shuffler = text(_("shuffler"))
    decks = listed(_("decks"))
    operator = text(_("operator"))
    fiscal_chefe = text(_("fiscal-chefe declared present"))
    closing_announced = maybe_truth(_("closing announced"))
    reason = text(_("reason"))
    started_at = maybe_moment(_("started at"))
    ended_at = maybe_moment(_("ended at"))
    cards = maybe_whole(_("cards"))
    empty = maybe_truth(_("found empty"))

    class Meta:
        db_table = "casino_shuffler_unload"
        verbose_name = _("shuffler unloading")
        verbose_name_plural = _("shuffler unloadings")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="unload_day_table"),
            models.Index(fields=["partida_id"], name="unload_partida"),
            models.Index(fields=["shuffler", "occurred_at"], name="unload_shuffler"),
        )

    def __str__(self) -> str:
        return f"{self.partida_id} {self.shuffler}"


class Attestation(Projection):
    """A second person's confirmation of the entry named by stream, number and leaf."""

    events = (Witnessed,)

    witnessed_stream = text(_("stream of the act"))
    witnessed_n = whole(_("number of the act"))
    witnessed_leaf = text(_("leaf of the act"))
    act = text(_("kind of the act"))
    witness = text(_("witness"))
    held = text(_("office held"))
    method = text(_("method"))
    nonce = models.UUIDField(_("nonce"), editable=False)
    expires_at = moment(_("expired at"))
    text_sha256 = text(_("digest of the text shown"))
    article = text(_("article"))
    present_from = maybe_moment(_("present from"))
    present_until = maybe_moment(_("present until"))

    class Meta:
        db_table = "casino_attestation"
        verbose_name = _("attestation")
        verbose_name_plural = _("attestations")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="attestation_day_table"),
            models.Index(fields=["partida_id"], name="attestation_partida"),
            models.Index(fields=["witnessed_stream", "witnessed_n"], name="attestation_act"),
        )
        constraints = (models.UniqueConstraint(fields=["nonce"], name="attestation_nonce_once"),)

    def __str__(self) -> str:
        return f"{self.witness} {self.act}"

    @classmethod
    def rows_of(cls, event: Witnessed, entry: EntryView) -> Iterator[dict[str, object]]:
        """One confirmation; a passkey's answer stays in the entry."""
        yield same(event, cls) | {
            "witnessed_stream": event.witnessed.stream,
            "witnessed_n": event.witnessed.n,
            "witnessed_leaf": event.witnessed.leaf,
            "witness": event.staff,
            "held": event.office,
        }


class LidOpening(Projection):
    """A machine's lid that was opened."""

    events = (ShufflerOpened,)

    shuffler = text(_("shuffler"))
    reason = text(_("reason"))
    opened_by = text(_("lid opened by"))
    opened_by_office = text(_("office of who opened it"))
    opened_at = maybe_moment(_("lid opened at"))
    closed_at = maybe_moment(_("lid closed at"))
    emptied = maybe_truth(_("machine emptied"))
    incident = text(_("incident"))

    class Meta:
        db_table = "casino_lid_opening"
        verbose_name = _("shuffler opened")
        verbose_name_plural = _("shufflers opened")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="opening_day_table"),
            models.Index(fields=["shuffler", "occurred_at"], name="opening_shuffler"),
            models.Index(fields=["partida_id"], name="opening_partida"),
        )

    def __str__(self) -> str:
        return self.shuffler


class Emptiness(Projection):
    """A machine that was looked through when it went out of use."""

    events = (ShufflerFoundEmpty,)

    shuffler = text(_("shuffler"))
    cards_found = whole(_("cards found"))
    second = text(_("second person"))

    class Meta:
        db_table = "casino_emptiness"
        verbose_name = _("shuffler looked through")
        verbose_name_plural = _("shufflers looked through")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="emptiness_day_table"),
            models.Index(fields=["shuffler", "occurred_at"], name="emptiness_shuffler"),
        )

    def __str__(self) -> str:
        return self.shuffler


class ShufflerReport(Projection):
    """What a machine reports of itself: cycles, its light and lid, its program and seals."""

    events = (ShufflerCycle, ShufflerSignal, ShufflerSelfCheck)

    shuffler = text(_("shuffler"))
    phase = text(_("phase of the cycle"))
    mode = text(_("mode of the cycle"))
    cards = maybe_whole(_("cards counted"))
    signal = text(_("signal"))
    firmware = text(_("firmware"))
    firmware_sha256 = text(_("digest of the firmware"))
    seals = text(_("seals of the machine"))

    class Meta:
        db_table = "casino_shuffler_report"
        verbose_name = _("report of a shuffler")
        verbose_name_plural = _("reports of shufflers")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="shuffler_report_day_table"),
            models.Index(fields=["shuffler", "occurred_at"], name="shuffler_report_shuffler"),
            models.Index(fields=["partida_id"], name="shuffler_report_partida"),
        )

    def __str__(self) -> str:
        return self.shuffler

    @classmethod
    def rows_of(
        cls, event: ShufflerCycle | ShufflerSignal | ShufflerSelfCheck, entry: EntryView
    ) -> Iterator[dict[str, object]]:
        """One report; what another kind of report tells stays empty."""
        columns = own_columns(cls)
        nothing = {name: "" if is_text else None for name, is_text in columns.items()}
        yield nothing | same(event, cls)
