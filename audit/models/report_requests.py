"""Reports: those that were issued, as the book tells; those asked for, with their files."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from audit.events import ReportIssued
from audit.models.audit_jobs import OPEN
from casino.models.projection import Category, Projection
from casino.models.projection_columns import text, whole


class ReportIssue(Projection):
    """A report that was issued, by its number."""

    events = (ReportIssued,)

    report = text(_("report"))
    year = whole(_("year"))
    number = whole(_("number"))
    request = models.UUIDField(_("request"), editable=False)
    report_language = text(_("language"))
    from_day = models.DateField(_("from the gaming day"), editable=False)
    to_day = models.DateField(_("to the gaming day"), editable=False)
    json_sha256 = text(_("digest of the JSON"))
    proofs_sha256 = text(_("digest of the proofs"))
    entries = whole(_("entries cited"))
    size = whole(_("size"))
    root = text(_("root"))
    of_table = text(_("table"))
    of_jackpot = text(_("jackpot"))

    class Meta:
        db_table = "audit_report"
        verbose_name = _("report issued")
        verbose_name_plural = _("reports issued")
        indexes = (
            models.Index(fields=["year", "number"], name="report_number"),
            models.Index(fields=["request"], name="report_request"),
        )

    def __str__(self) -> str:
        return f"REL-{self.year}-{self.number:06d}"


class ReportRequest(models.Model):
    """A report somebody asked for, from his asking to its files.

    `by_staff`, `by_office`, `by_door` are as whom he asked in his own session: in that name it is
    recorded. `document` is the report's canonical JSON and `proofs` the proofs it embeds, fixed
    when it was read: from them its files are made again, byte for byte, after they expired.
    `refusal` says in his language why it failed, or what it waits for.

    An evidence pack (`pack_of` says of what) is asked for as its sealed manifest; the reports in it
    are its `members`. `kept` is a checkpoint whoever asked had kept, `listed` name, size and
    SHA-256 of each file, and `cited` the entries the manifest cites, once they are packed.
    """

    category: ClassVar[Category] = "operational"

    request = models.UUIDField(_("request"), primary_key=True)
    by_staff = models.TextField(_("asked for by"))
    by_office = models.TextField(_("office"))
    by_door = models.TextField(_("door"))
    report = models.TextField(_("report"))
    report_language = models.TextField(_("language"))
    from_day = models.DateField(_("from the gaming day"))
    to_day = models.DateField(_("to the gaming day"))
    of_table = models.TextField(_("table"), default="")
    of_jackpot = models.TextField(_("jackpot"), default="")
    findings = models.JSONField(_("findings"), default=list)
    reply_to = models.TextField(_("answers the reference"), default="")
    asked_at = models.DateTimeField(_("asked for at"))
    state = models.TextField(_("state"), default=OPEN)
    step = models.TextField(_("step"), default="")
    turn = models.IntegerField(_("turn"), default=0)
    refusal = models.TextField(_("what is in the way"), default="")
    document = models.BinaryField(_("JSON"), null=True)
    proofs = models.BinaryField(_("proofs"), null=True)
    number = models.TextField(_("number"), default="")
    expires_at = models.DateTimeField(_("files expire at"), null=True)
    pack = models.ForeignKey("self", null=True, on_delete=models.CASCADE, related_name="members")
    pack_of = models.TextField(_("evidence of"), default="")
    of_partida = models.TextField(_("partida"), default="")
    kept = models.TextField(_("checkpoint kept"), default="")
    listed = models.JSONField(_("files"), null=True)
    cited = models.JSONField(_("entries cited"), default=list)

    class Meta:
        db_table = "audit_report_request"
        verbose_name = _("report asked for")
        verbose_name_plural = _("reports asked for")
        indexes = (models.Index(fields=["by_staff", "-asked_at"], name="report_request_by"),)

    def __str__(self) -> str:
        return self.number or str(self.request)


class ReportFile(models.Model):
    """A volume of a report: its PDF before the seal's signature, and as it is handed out.

    `covered` is what the seal needs to be put in: see `audit.reports.pdf_seal.Prepared`. The
    digests stay when the bytes expire.
    """

    category: ClassVar[Category] = "operational"

    request = models.ForeignKey(ReportRequest, on_delete=models.CASCADE, related_name="files")
    volume = models.IntegerField(_("volume"))
    pages = models.IntegerField(_("pages"), default=0)
    unsealed_sha256 = models.TextField(_("digest before the seal"), default="")
    prepared = models.BinaryField(_("before the seal"), null=True)
    covered = models.JSONField(_("what the seal covers"), null=True)
    seal_entry = models.UUIDField(_("entry of the seal"), null=True)
    content = models.BinaryField(_("file"), null=True)
    sha256 = models.TextField(_("digest"), default="")
    bytes_count = models.BigIntegerField(_("size in bytes"), default=0)

    class Meta:
        db_table = "audit_report_file"
        verbose_name = _("file of a report")
        verbose_name_plural = _("files of reports")
        constraints = (
            models.UniqueConstraint(fields=["request", "volume"], name="report_volume_once"),
        )

    def __str__(self) -> str:
        return f"{self.request_id} {self.volume}"


class PackPiece(models.Model):
    """Some megabytes of an evidence pack, one after the other: first what the manifest lists, and
    in its stead the whole, once the manifest is sealed.
    """

    category: ClassVar[Category] = "operational"

    request = models.ForeignKey(ReportRequest, on_delete=models.CASCADE, related_name="pieces")
    number = models.IntegerField(_("number"))
    content = models.BinaryField(_("bytes"))

    class Meta:
        db_table = "audit_pack_piece"
        verbose_name = _("piece of an evidence pack")
        verbose_name_plural = _("pieces of evidence packs")
        constraints = (
            models.UniqueConstraint(fields=["request", "number"], name="pack_piece_once"),
        )

    def __str__(self) -> str:
        return f"{self.request_id} {self.number}"
