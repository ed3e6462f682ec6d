"""What was done so that others can check the book, as lists: verifications, copies handed out,
reports issued, mails sent.
"""

from django.contrib import admin
from django.db.models import QuerySet, TextField, Value
from django.db.models.functions import Cast, Concat, LPad
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from audit.events import BookVerified, ExportMade, ReportIssued
from audit.mail_events import AlertSent, WebhookSet
from audit.mailing.webhooks import NO_TARGET
from audit.models import Export, ReportIssue, SentAlert, Verification, WebhookSetting
from audit.verifying.problem_texts import without_problem
from casino.admin.seal_records import SealAdmin
from casino.models import BookEntry
from casino.web.display.cells import cell
from casino.web.display.list_filters import DayFilter, StaffFilter
from casino.web.display.status_marks import mark
from casino.web.entries.entry_page import Leading


@admin.register(Verification)
class VerificationAdmin(SealAdmin):
    """Verifications of the book, the newest first."""

    section, place = "oversight", 10
    kinds = (BookVerified,)
    list_filter = (DayFilter,)
    cells = (cell("entries"), "came_to", cell("why"), cell("asked_by"))

    @admin.display(description=_("came to"))
    def came_to(self, verification: Verification) -> SafeString:
        """How many problems there were; where none, what it was compared with."""
        if not verification.problems:
            return mark("kept" if verification.kept else "idle", without_problem(verification.kept))
        text = ngettext("%(n)s problem", "%(n)s problems", verification.problems)
        return mark("breach", text % {"n": verification.problems})

    def leading(self, request: HttpRequest, entry: BookEntry) -> list[Leading]:
        """To what it met."""
        run = Verification.objects.filter(pk=entry.pk).values_list("run", flat=True).first()
        if run is None:
            return []
        return [Leading(_("What was found"), reverse("book-verification", args=[run]), "search")]


@admin.register(Export)
class ExportAdmin(SealAdmin):
    """Bundles and proofs that were handed out."""

    section, place = "oversight", 20
    kinds = (ExportMade,)
    list_filter = (DayFilter, StaffFilter)
    cells = (cell("extent"), cell("of_table", _("table")), cell("entries"), cell("openings"))


@admin.register(ReportIssue)
class ReportIssueAdmin(SealAdmin):
    """Reports that were issued, by their numbers."""

    section, place = "oversight", 30
    kinds = (ReportIssued,)
    list_filter = (DayFilter, StaffFilter)
    cells = ("numbered", cell("report"), cell("from_day"), cell("to_day"), cell("of_table"))
    found_by = ("cited", "json_sha256")
    found_as = "cited"

    def get_queryset(self, request: HttpRequest) -> QuerySet[ReportIssue]:
        """Each as it is cited (`ReportIssue.__str__`), to be searched."""
        number = LPad(Cast("number", TextField()), 6, Value("0"))
        parts = (Value("REL-"), Cast("year", TextField()), Value("-"), number)
        cited = Concat(*parts, output_field=TextField())
        rows: QuerySet[ReportIssue] = super().get_queryset(request).annotate(cited=cited)
        return rows

    @admin.display(description=_("number"))
    def numbered(self, report: ReportIssue) -> str:
        """As it is cited."""
        return str(report)


@admin.register(SentAlert)
class SentAlertAdmin(SealAdmin):
    """Mails with alerts that left the house: to whom and of how much, never where to."""

    section, place = "oversight", 40
    kinds = (AlertSent,)
    list_filter = (DayFilter,)
    cells = (cell("recipient"), cell("for_office"), cell("what"), cell("alerts"))
    found_by = ("recipient",)


@admin.register(WebhookSetting)
class WebhookSettingAdmin(SealAdmin):
    """Where programs are told of findings, duties and reports; the last of a name holds."""

    section, place = "oversight", 50
    recordable = True
    kinds = (WebhookSet,)
    cells = (
        cell("webhook"),
        cell("topic", _("what is sent to it")),
        "sent_to",
    )
    found_by = ("webhook",)

    @admin.display(description=_("address"))
    def sent_to(self, webhook: WebhookSetting) -> str:
        """Where to; where nowhere, that it is so."""
        return webhook.address or gettext(NO_TARGET)
