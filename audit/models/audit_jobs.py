"""Runs under way: how far each has come, their parts, and how far each partida was read.

Operational: the book tells what a run came to, these tables only how it is coming along. Losing
them costs no finding; a run that was under way is then asked for again.
"""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.models.projection import Category

OPEN, FINISHED, FAILED, ABANDONED = "open", "finished", "failed", "abandoned"
DONE = "done"


class RunUnderWay(models.Model):
    """A run from its being decided on to its end. `job` is the outbox's job that wants it."""

    category: ClassVar[Category] = "operational"

    run = models.UUIDField(_("run"), primary_key=True)
    job = models.TextField(_("job"))
    state = models.TextField(_("state"), default=OPEN)
    ended_at = models.DateTimeField(_("ended at"), null=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return str(self.run)


class RunSheet(RunUnderWay):
    """A reconciliation from its opening to its end.

    `reach` holds the last entry to be read of every
    stream, `as_of` the moment at which everything is judged: both are fixed when the run opens, so
    that a part done twice comes to the same. `tables` are those alone that are looked at, none for
    all. `rulebook` '' means each partida under its own.
    `answers`, once it has ended: by rulebook and check, how often lawful, found, not decidable;
    `compared`, of a run under another rulebook: how much would hold beside what stands. `readings`
    are those taken otherwise, by name, `law_day` is the day as on which the rulebook is taken.
    """

    reason = models.TextField(_("reason"))
    partida_id = models.TextField(_("partida"), default="")
    from_day = models.DateField(_("from the gaming day"), null=True)
    to_day = models.DateField(_("to the gaming day"), null=True)
    tables = models.JSONField(_("tables"), default=list)
    rulebook = models.TextField(_("rulebook"), default="")
    readings = models.JSONField(_("readings"), default=dict)
    law_day = models.DateField(_("the rulebook as of"), null=True)
    as_of = models.DateTimeField(_("judged as of"))
    reach = models.JSONField(_("read up to"))
    code_version = models.TextField(_("program"))
    laws = models.JSONField(_("rulebooks"))
    parts_count = models.IntegerField(_("parts"))
    rounds_count = models.BigIntegerField(_("rounds"))
    opened_at = models.DateTimeField(_("opened at"))
    answers = models.JSONField(_("answers of the checks"), null=True)
    compared = models.JSONField(_("compared with what stands"), null=True)

    class Meta:
        db_table = "audit_run"
        verbose_name = _("run under way")
        verbose_name_plural = _("runs under way")
        indexes = (
            models.Index(fields=["job"], name="run_job"),
            models.Index(fields=["partida_id"], name="run_partida"),
            models.Index(fields=["from_day", "to_day"], name="run_days"),
        )


class ContinuedRun(RunUnderWay):
    """A run whose parts follow one another: `part` counts those done, `carried` is what the next
    one has to know of them.
    """

    why = models.TextField(_("reason"))
    asked_by = models.TextField(_("asked by"), default="")
    part = models.IntegerField(_("part"), default=0)
    carried = models.JSONField(_("carried on"), null=True)
    code_version = models.TextField(_("program"), default="")
    entries = models.BigIntegerField(_("entries"), default=0)
    asked_at = models.DateTimeField(_("asked for at"))

    class Meta(RunUnderWay.Meta):
        abstract = True


class VerificationRun(ContinuedRun):
    """A verification of the book under way.

    `phase` names what is looked at. `found` are the problems as they were found, as many as are
    kept; `problems` counts them all. `unseen` says what could not be looked at.
    """

    # The text of a checkpoint that whoever asked had kept; '' for none.
    older = models.TextField(_("kept checkpoint"), default="")
    phase = models.TextField(_("what is looked at"), default="")
    done = models.BigIntegerField(_("done"), default=0)
    total = models.BigIntegerField(_("to be done"), default=0)
    size = models.BigIntegerField(_("size"), default=0)
    problems = models.BigIntegerField(_("problems"), default=0)
    found = models.JSONField(_("problems found"), default=list)
    unseen = models.JSONField(_("not looked at"), default=list)
    began_at = models.DateTimeField(_("begun at"), null=True)

    class Meta:
        db_table = "audit_verification_run"
        verbose_name = _("verification under way")
        verbose_name_plural = _("verifications under way")
        indexes = (models.Index(fields=["-asked_at"], name="verification_run_asked"),)

    @property
    def percent(self) -> int:
        """How far it has come; 100 only once it has finished."""
        share = 100 * self.done // self.total if self.total else 0
        return 100 if self.state == FINISHED else min(share, 99)


class PoolReplayRun(ContinuedRun):
    """A replay of a pool under way. `reach` is what is read, fixed when it begins."""

    jackpot = models.TextField(_("jackpot"))
    reach = models.JSONField(_("read up to"), default=dict)

    class Meta:
        db_table = "audit_pool_replay_run"
        verbose_name = _("replay of a jackpot under way")
        verbose_name_plural = _("replays of jackpots under way")


class RunPart(models.Model):
    """A piece of a run that one worker does at one go, in one transaction with all its effects.

    `work` says what to judge (`audit.reconcile.cutting`), `result` what came of it. Whoever works
    on it holds its row locked: a worker that dies lets go of it at once.
    """

    category: ClassVar[Category] = "operational"

    run = models.ForeignKey(RunSheet, on_delete=models.CASCADE, related_name="parts")
    number = models.IntegerField(_("part"))
    work = models.JSONField(_("what is judged"))
    rounds_count = models.BigIntegerField(_("rounds"))
    state = models.TextField(_("state"), default=OPEN)
    attempts = models.IntegerField(_("times begun"), default=0)
    claimed_at = models.DateTimeField(_("begun at"), null=True)
    claimed_by = models.TextField(_("worker"), default="")
    done_at = models.DateTimeField(_("done at"), null=True)
    trouble = models.TextField(_("what went wrong"), default="")
    result = models.JSONField(_("result"), null=True)

    class Meta:
        db_table = "audit_run_part"
        verbose_name = _("part of a run")
        verbose_name_plural = _("parts of runs")
        constraints = (models.UniqueConstraint(fields=["run", "number"], name="run_part_once"),)
        indexes = (
            models.Index(
                fields=["run", "attempts", "number"],
                condition=models.Q(state=OPEN),
                name="run_part_open",
            ),
        )

    def __str__(self) -> str:
        return f"{self.run_id}/{self.number}"


class RunDifference(models.Model):
    """One difference between what would hold and what stands, of a run that only compares.

    `change` is one of `comparing.CHANGES`, `place` its place in their order. `now` and `then` are
    the finding as it stands and as it would be; `rulebook` and `article` those under which it is
    listed. What players and the house are owed would be so many cents more.
    """

    category: ClassVar[Category] = "operational"

    run = models.ForeignKey(RunSheet, on_delete=models.CASCADE, related_name="differences")
    place = models.IntegerField(_("place"))
    change = models.TextField(_("difference"))
    rulebook = models.TextField(_("rulebook"))
    article = models.TextField(_("article"))
    check_name = models.TextField(_("check"))
    partida_id = models.TextField(_("partida"))
    now = models.JSONField(_("now"), null=True)
    then = models.JSONField(_("then"), null=True)
    to_players = models.BigIntegerField(_("to players"), default=0)
    to_house = models.BigIntegerField(_("to the house"), default=0)

    class Meta:
        db_table = "audit_run_difference"
        verbose_name = _("difference of a comparison")
        verbose_name_plural = _("differences of comparisons")
        constraints = (models.UniqueConstraint(fields=["run", "place"], name="difference_once"),)
        indexes = (
            models.Index(fields=["run", "change", "article", "place"], name="difference_listed"),
        )

    def __str__(self) -> str:
        return f"{self.run_id} {self.place}"


class PartidaReading(models.Model):
    """The latest reading of a partida that left its findings in the book.

    `extent` grows with every entry of the book: a run that read less than another already told is
    out of date, and raises nothing. Locked while findings of the partida are compared.
    """

    category: ClassVar[Category] = "operational"

    partida_id = models.TextField(_("partida"))
    rulebook = models.TextField(_("rulebook"), default="")
    extent = models.BigIntegerField(_("entries of the book"), default=0)
    run = models.UUIDField(_("run"), null=True)

    class Meta:
        db_table = "audit_partida_reading"
        verbose_name = _("reading of a partida")
        verbose_name_plural = _("readings of partidas")
        constraints = (
            models.UniqueConstraint(fields=["partida_id", "rulebook"], name="partida_reading_once"),
        )

    def __str__(self) -> str:
        return f"{self.partida_id} {self.rulebook}"
