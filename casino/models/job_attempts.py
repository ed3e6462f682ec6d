"""How often a job was begun without being ended: what tells a poisoned one from an unlucky one."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.models.projection import Category


class JobTry(models.Model):
    """A job some worker began and none has ended yet; the row goes with the job's end.

    `tries` counts the beginnings since the job last got on. `failed_at` is set when there were too
    many: then nobody begins it again, and the auditor finds it here.
    """

    category: ClassVar[Category] = "operational"

    key = models.TextField(_("job"), primary_key=True)
    topic = models.TextField(_("topic"))
    tries = models.IntegerField(_("times begun"))
    began_at = models.DateTimeField(_("last begun at"))
    worker = models.TextField(_("worker"))
    trouble = models.TextField(_("what went wrong"), default="")
    failed_at = models.DateTimeField(_("given up at"), null=True)

    class Meta:
        db_table = "casino_job_try"
        verbose_name = _("job begun")
        verbose_name_plural = _("jobs begun")

    def __str__(self) -> str:
        return f"{self.key} ({self.tries})"
