"""Whose passkeys there are, confirmations that failed, and how often in a row.

What a person confirmed stands among the shufflers (`Attestation`). `person` is whom a row is about.
"""

from collections.abc import Iterator
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.witnessing import (
    PasskeyRegistered,
    PasskeyRevoked,
    WitnessFailed,
    WitnessUnlocked,
)
from casino.models.projection import Category, EntryView, Projection, same
from casino.models.projection_columns import maybe_moment, maybe_truth, text, whole


class Passkey(Projection):
    """A key on a person's own device, as it was registered."""

    events = (PasskeyRegistered,)

    person = text(_("staff number"))
    credential = text(_("passkey"))
    public_key = text(_("public key"))
    algorithm = text(_("algorithm"))
    rp_id = text(_("domain"))
    second = text(_("second person"))
    aaguid = text(_("make of the device"))
    synced = maybe_truth(_("kept on several devices"))

    class Meta:
        db_table = "casino_passkey"
        verbose_name = _("passkey")
        verbose_name_plural = _("passkeys")
        indexes = (
            models.Index(fields=["person"], name="passkey_person"),
            models.Index(fields=["credential"], name="passkey_credential"),
        )

    def __str__(self) -> str:
        return f"{self.person} {self.credential[:12]}"

    @classmethod
    def rows_of(cls, event: PasskeyRegistered, entry: EntryView) -> Iterator[dict[str, object]]:
        """One key of one person."""
        yield same(event, cls) | {"person": event.staff}


class PasskeyRevocation(Projection):
    """A key that confirms nothing any more."""

    events = (PasskeyRevoked,)

    person = text(_("staff number"))
    credential = text(_("passkey"))
    reason = text(_("reason"))

    class Meta:
        db_table = "casino_passkey_revocation"
        verbose_name = _("passkey revoked")
        verbose_name_plural = _("passkeys revoked")
        indexes = (models.Index(fields=["credential"], name="revoked_credential"),)

    def __str__(self) -> str:
        return f"{self.person} {self.credential[:12]}"

    @classmethod
    def rows_of(cls, event: PasskeyRevoked, entry: EntryView) -> Iterator[dict[str, object]]:
        """One key, over."""
        yield same(event, cls) | {"person": event.staff}


class FailedWitness(Projection):
    """A confirmation that was tried and refused."""

    events = (WitnessFailed,)

    witnessed_stream = text(_("stream of the act"))
    witnessed_n = whole(_("number of the act"))
    act = text(_("kind of the act"))
    why = text(_("why"))
    count = whole(_("times in a row"))
    asked_by = text(_("logged in there"))
    claimed = text(_("number given"))
    method = text(_("method"))
    locked_until = maybe_moment(_("locked until"))

    class Meta:
        db_table = "casino_failed_witness"
        verbose_name = _("confirmation that failed")
        verbose_name_plural = _("confirmations that failed")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="failed_witness_day_table"),
            models.Index(fields=["claimed"], name="failed_witness_claimed"),
            models.Index(fields=["witnessed_stream", "witnessed_n"], name="failed_witness_act"),
        )

    def __str__(self) -> str:
        return f"{self.asked_by} {self.why}"

    @classmethod
    def rows_of(cls, event: WitnessFailed, entry: EntryView) -> Iterator[dict[str, object]]:
        """One try."""
        yield same(event, cls) | {
            "witnessed_stream": event.witnessed.stream,
            "witnessed_n": event.witnessed.n,
        }


class WitnessUnlock(Projection):
    """Somebody who may confirm again before his time was over."""

    events = (WitnessUnlocked,)

    person = text(_("staff number"))
    reason = text(_("reason"))

    class Meta:
        db_table = "casino_witness_unlock"
        verbose_name = _("witness unlocked")
        verbose_name_plural = _("witnesses unlocked")
        indexes = (models.Index(fields=["person", "recorded_at"], name="unlock_person"),)

    def __str__(self) -> str:
        return self.person

    @classmethod
    def rows_of(cls, event: WitnessUnlocked, entry: EntryView) -> Iterator[dict[str, object]]:
        """One person."""
        yield same(event, cls) | {"person": event.staff}


class WitnessTries(models.Model):
    """How often in a row a confirmation failed: of one number, of it at one login, at one login.

    `whose` stands for each and tells none: people type their password into the wrong field.
    """

    category: ClassVar[Category] = "operational"

    whose = models.TextField(primary_key=True, editable=False)
    failures = models.PositiveSmallIntegerField(default=0, editable=False)
    last_at = models.DateTimeField(db_index=True, editable=False)
    locked_at = models.DateTimeField(null=True, editable=False)
    told = models.BooleanField(default=False, editable=False)

    class Meta:
        db_table = "casino_witness_tries"

    def __str__(self) -> str:
        return self.whose


class PasskeyUse(models.Model):
    """How often a passkey says it was used: a copy of it would fall behind."""

    category: ClassVar[Category] = "operational"

    credential = models.TextField(primary_key=True, editable=False)
    sign_count = models.BigIntegerField(editable=False)
    used_at = models.DateTimeField(editable=False)

    class Meta:
        db_table = "casino_passkey_use"

    def __str__(self) -> str:
        return self.credential
