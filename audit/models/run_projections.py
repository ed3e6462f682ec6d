"""Reconciliations: begun, ended."""

from collections.abc import Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from audit.events import ReconciliationFinished, ReconciliationStarted, RunScope
from audit.game_events import GameJudged
from casino.models.projection import EntryView, Projection, blank, same
from casino.models.projection_columns import listed, maybe_listed, maybe_whole, text, whole


class Reconciliation(Projection):
    """A run that began. Its partida, if it looks at one, is `partida_id`."""

    events = (ReconciliationStarted,)

    run = models.UUIDField(_("run"), editable=False)
    reason = text(_("reason"))
    from_day = models.DateField(_("from the gaming day"), null=True, editable=False)
    to_day = models.DateField(_("to the gaming day"), null=True, editable=False)
    tables = maybe_listed(_("tables"))
    rulebook = text(_("judged under"))
    readings = maybe_listed(_("readings taken otherwise"))
    law_day = models.DateField(_("the rulebook as of"), null=True, editable=False)
    code_version = text(_("program"))
    laws = listed(_("rulebooks"))
    previous = models.UUIDField(_("run before"), null=True, editable=False)
    parts = maybe_whole(_("parts"))
    asked_by = text(_("asked for by"))

    class Meta:
        db_table = "audit_reconciliation"
        verbose_name = _("reconciliation")
        verbose_name_plural = _("reconciliations")
        indexes = (
            models.Index(fields=["run"], name="reconciliation_run"),
            models.Index(fields=["partida_id"], name="reconciliation_partida"),
            models.Index(fields=["from_day", "to_day"], name="reconciliation_days"),
        )

    def __str__(self) -> str:
        return str(self.run)

    @classmethod
    def rows_of(cls, event: ReconciliationStarted, entry: EntryView) -> Iterator[dict[str, object]]:
        """One run that began."""
        tables, readings = event.scope.tables, event.scope.readings
        yield (
            same(event, cls)
            | _scope(event.scope)
            | {
                "tables": None if tables is None else list(tables),
                "readings": None if readings is None else {r.reading: r.choice for r in readings},
                "law_day": event.scope.law_day,
                "laws": [{"rulebook": law.rulebook, "sha256": law.sha256} for law in event.laws],
            }
        )


class ReconciliationResult(Projection):
    """A run that ended, and what it came to."""

    events = (ReconciliationFinished,)

    run = models.UUIDField(_("run"), editable=False)
    from_day = models.DateField(_("from the gaming day"), null=True, editable=False)
    to_day = models.DateField(_("to the gaming day"), null=True, editable=False)
    rulebook = text(_("judged under"))
    entries = whole(_("entries read"))
    rounds = whole(_("rounds judged"))
    findings = whole(_("findings"))
    raised = whole(_("new findings"))
    superseded = whole(_("findings cured"))
    undecided = whole(_("not decidable"))
    lawful = maybe_whole(_("lawful"))
    not_judged = maybe_whole(_("not judged"))
    digest = text(_("digest"))
    read_up_to = listed(_("read up to"))

    class Meta:
        db_table = "audit_reconciliation_result"
        verbose_name = _("reconciliation ended")
        verbose_name_plural = _("reconciliations ended")
        indexes = (
            models.Index(fields=["run"], name="result_run"),
            models.Index(fields=["partida_id"], name="result_partida"),
            models.Index(fields=["from_day", "to_day"], name="result_days"),
        )

    def __str__(self) -> str:
        return str(self.run)

    @classmethod
    def rows_of(
        cls, event: ReconciliationFinished, entry: EntryView
    ) -> Iterator[dict[str, object]]:
        """One run that ended."""
        yield (
            same(event, cls)
            | _scope(event.scope)
            | {
                "read_up_to": [{"stream": read.stream, "n": read.n} for read in event.read_up_to],
            }
        )


class GameAnswers(Projection):
    """What the checks answered of one game, or of one part of it, in one run.

    `answers`: by rulebook and check, how often lawful, found, not decidable.
    """

    events = (GameJudged,)

    run = models.UUIDField(_("run"), editable=False)
    part = whole(_("part"))
    rounds = whole(_("rounds judged"))
    not_judged = whole(_("not judged"))
    answers = listed(_("answers of the checks"))

    class Meta:
        db_table = "audit_game_answers"
        verbose_name = _("game judged")
        verbose_name_plural = _("games judged")
        indexes = (
            models.Index(fields=["partida_id", "n"], name="answers_partida"),
            models.Index(fields=["gaming_day", "table_code"], name="answers_day_table"),
        )

    def __str__(self) -> str:
        return f"{self.run} {self.partida_id}"

    @classmethod
    def rows_of(cls, event: GameJudged, entry: EntryView) -> Iterator[dict[str, object]]:
        """One game that was judged."""
        answers: dict[str, dict[str, list[int]]] = {}
        for each in event.answers:
            of_book = answers.setdefault(each.rulebook, {})
            of_book[each.check] = [each.lawful, each.found, each.undecided]
        yield same(event, cls) | {"answers": answers}


def _scope(scope: RunScope) -> dict[str, object]:
    return {
        "from_day": scope.from_day,
        "to_day": scope.to_day,
        "rulebook": blank(scope.rulebook),
    }
