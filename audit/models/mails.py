"""Mails with alerts and digests, one to a person; what webhooks are sent; when the watch looked.

Operational: that one was sent stands in the book (`alert-sent/1`). The text is kept as it left.
"""

from collections.abc import Iterator
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from audit.mail_events import AlertSent, WebhookSet
from casino.models.projection import Category, EntryView, Projection, blank, same
from casino.models.projection_columns import listed, text, whole


class Outgoing(models.Model):
    """What leaves the house, from its making until it left or was given up.

    `next_at` is when it is tried next, None once nothing is left to do; `trouble` what went wrong
    last, without the address.
    """

    category: ClassVar[Category] = "operational"

    id = models.UUIDField(primary_key=True, editable=False)
    text = models.TextField(editable=False)
    made_at = models.DateTimeField(editable=False)
    next_at = models.DateTimeField(null=True, editable=False)
    tries = models.IntegerField(default=0, editable=False)
    trouble = models.TextField(default="", editable=False)
    sent_at = models.DateTimeField(null=True, editable=False)
    given_up_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return str(self.id)


class Mail(Outgoing):
    """A mail to one person.

    `what` is "alerts" or "digest", `about` the keys it tells of, `office` the one he is told in.
    `read_at`: when he looked at it on his page.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", editable=False
    )
    office = models.TextField(editable=False)
    what = models.TextField(editable=False)
    about = models.JSONField(editable=False)
    subject = models.TextField(editable=False)
    read_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        db_table = "audit_mail"
        indexes = (
            models.Index(fields=["account", "-made_at"], name="mail_account"),
            models.Index(
                fields=["next_at"], condition=models.Q(next_at__isnull=False), name="mail_next"
            ),
            models.Index(
                fields=["given_up_at"],
                condition=models.Q(given_up_at__isnull=False),
                name="mail_given_up",
            ),
        )


class WebhookPost(Outgoing):
    """What one webhook is sent of one thing, once (`key`); `n` is a finding's number in its stream.

    `text` is the JSON as it is signed and sent.
    """

    webhook = models.TextField(editable=False)
    key = models.TextField(editable=False)
    n = models.BigIntegerField(null=True, editable=False)

    class Meta:
        db_table = "audit_webhook_post"
        constraints = (
            models.UniqueConstraint(fields=["webhook", "key"], name="webhook_sent_once"),
        )
        indexes = (
            models.Index(fields=["webhook", "-n"], name="webhook_post_n"),
            models.Index(
                fields=["next_at"], condition=models.Q(next_at__isnull=False), name="webhook_next"
            ),
        )


class MailedAlert(models.Model):
    """That a person was told of something: never twice."""

    category: ClassVar[Category] = "operational"

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", editable=False
    )
    key = models.TextField(editable=False)
    mail = models.ForeignKey(Mail, on_delete=models.CASCADE, editable=False)

    class Meta:
        db_table = "audit_mailed_alert"
        constraints = (
            models.UniqueConstraint(fields=["account", "key"], name="mailed_alert_once"),
        )

    def __str__(self) -> str:
        return self.key


class WatchLook(models.Model):
    """When each of the watch's looks ended last."""

    category: ClassVar[Category] = "operational"

    which = models.TextField(primary_key=True, editable=False)
    at = models.DateTimeField(editable=False)

    class Meta:
        db_table = "audit_watch_look"

    def __str__(self) -> str:
        return self.which


class SentAlert(Projection):
    """A mail that was handed to the mail server, as the book tells."""

    events = (AlertSent,)

    recipient = text(_("recipient"))
    for_office = text(_("office"))
    what = text(_("what was sent"))
    about = listed(_("told of"))
    alerts = whole(_("alerts"))
    text_sha256 = text(_("digest of the text"))
    message = models.UUIDField(_("message"), editable=False)

    class Meta:
        db_table = "audit_sent_alert"
        verbose_name = _("mail sent")
        verbose_name_plural = _("mails sent")

    def __str__(self) -> str:
        return self.recipient


class WebhookSetting(Projection):
    """Where a webhook goes, as the book says: the last of a name holds, '' for nowhere."""

    events = (WebhookSet,)

    webhook = text(_("webhook"))
    topic = text(_("what is sent to it"))
    address = text(_("address"))

    class Meta:
        db_table = "audit_webhook"
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")

    def __str__(self) -> str:
        return self.webhook

    @classmethod
    def rows_of(cls, event: WebhookSet, entry: EntryView) -> Iterator[dict[str, object]]:
        """Told there, or nowhere any more."""
        yield same(event, cls) | {"address": blank(event.address)}
