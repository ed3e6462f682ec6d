"""Verifications of the book under way: how far each has come.

Operational: the book tells what a verification came to (`Verification`), this table only how it is
coming along. Losing it costs no finding; a verification that was under way is asked for again.
"""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from audit.models.audit_jobs import OPEN
from casino.models.projection import Category


class VerificationRun(models.Model):
    """A verification from its being asked for to its end.

    It is done in parts: `part` counts them, `phase` names what is looked at, `carried` is what the
    next part has to know of the ones before. `found` are the problems as they were found, as many
    as are kept; `problems` counts them all. `unseen` says what could not be looked at.
    """

    category: ClassVar[Category] = "operational"

    run = models.UUIDField(_("run"), primary_key=True)
    job = models.TextField(_("job"))
    why = models.TextField(_("reason"))
    asked_by = models.TextField(_("asked by"), default="")
    # The text of a checkpoint that whoever asked had kept; '' for none.
    older = models.TextField(_("kept checkpoint"), default="")
    state = models.TextField(_("state"), default=OPEN)
    part = models.IntegerField(_("part"), default=0)
    phase = models.TextField(_("what is looked at"), default="")
    carried = models.JSONField(_("carried on"), null=True)
    code_version = models.TextField(_("program"), default="")
    done = models.BigIntegerField(_("done"), default=0)
    total = models.BigIntegerField(_("to be done"), default=0)
    size = models.BigIntegerField(_("size"), default=0)
    entries = models.BigIntegerField(_("entries"), default=0)
    problems = models.BigIntegerField(_("problems"), default=0)
    found = models.JSONField(_("problems found"), default=list)
    unseen = models.JSONField(_("not looked at"), default=list)
    asked_at = models.DateTimeField(_("asked for at"))
    began_at = models.DateTimeField(_("begun at"), null=True)
    ended_at = models.DateTimeField(_("ended at"), null=True)

    class Meta:
        db_table = "audit_verification_run"
        verbose_name = _("verification under way")
        verbose_name_plural = _("verifications under way")
        indexes = (models.Index(fields=["-asked_at"], name="verification_run_asked"),)

    def __str__(self) -> str:
        return str(self.run)
