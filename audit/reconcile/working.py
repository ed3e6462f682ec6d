"""Working on a run: one part after the other, each in one transaction with all its effects.

Who works on a part holds a lock on it, and lets go of it by ending or by dying. So nothing has to
run out before another takes over, and no part's findings are ever half written.
"""

import os
import socket
import time
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal
from uuid import UUID

from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.db.models import F

from audit.game_events import CheckAnswers, GameJudged
from audit.models import RunPart, RunSheet
from audit.models.audit_jobs import DONE, FAILED, OPEN
from audit.reconcile.compare_laws import as_found
from audit.reconcile.cutting import Work
from audit.reconcile.dossier_refs import GameRefs, HouseRefs
from audit.reconcile.findings_of_games import compare
from audit.reconcile.judge_partida import Answers, Judged, PartidaJudge
from audit.runs import keys
from audit.runs.code_version import code_version
from audit.runs.current_findings import Changes
from audit.runs.run_records import record_of
from casino import clock
from casino.queries import table_of
from casino.tasks import let_go, take_now

TRIES: Final = 3  # beginnings of one part, after which the run is given up

Step = Literal["done", "failed", "nothing"]


def work(run: UUID, until: float) -> int:
    """Do parts of a run until `time.monotonic()` reaches `until` or none is to be had; how many.

    Raises: whatever a part raised. It stays open, and is tried again.
    """
    sheet = RunSheet.objects.get(run=run)
    if sheet.state != OPEN or sheet.code_version != code_version():
        return 0
    done = 0
    while time.monotonic() < until:
        step = next_part(sheet)
        if step == "nothing":
            break
        done += 1
    return done


def is_left(run: UUID) -> bool:
    """Whether some part of a run is still to be done and in nobody's hands."""
    with transaction.atomic():
        return bool(_free(run).exists())


def _free(run: UUID) -> Any:
    parts = RunPart.objects.filter(run_id=run, run__state=OPEN, state=OPEN)
    return parts.select_for_update(skip_locked=True, of=("self",))


def next_part(sheet: RunSheet) -> Step:
    """Do one part of a run that nobody has in hand."""
    part = _claim(sheet)
    if part is None:
        return "nothing"
    try:
        if part.state == FAILED:
            return "failed"
        with transaction.atomic():
            return _do(sheet, part.number)
    except (OperationalError, InterfaceError) as trouble:
        # The server's trouble is not the part's: this beginning does not count.
        connection.close()
        _note(sheet, part.number, trouble, counts=False)
        raise
    except Exception as trouble:
        _note(sheet, part.number, trouble, counts=True)
        raise
    finally:
        let_go(_hand(sheet, part.number))


def _claim(sheet: RunSheet) -> RunPart | None:
    """Take the part that was begun least and is in nobody's hands, and count one more beginning.

    It is in ours then, until `let_go` or our death; only so is a beginning a beginning. One that
    was begun too often has failed now.
    """
    there = RunPart.objects.filter(run=sheet, run__state=OPEN, state=OPEN)
    for number in there.order_by("attempts", "number").values_list("number", flat=True):
        if not take_now(_hand(sheet, number)):
            continue
        with transaction.atomic():
            part = there.select_for_update(of=("self",)).filter(number=number).first()
            if part is not None:
                if part.attempts >= TRIES:
                    part.state = FAILED
                else:
                    part.attempts += 1
                    part.claimed_at = clock.now()
                    part.claimed_by = f"{socket.gethostname()}:{os.getpid()}"
                part.save(update_fields=["state", "attempts", "claimed_at", "claimed_by"])
                return part
        let_go(_hand(sheet, number))  # somebody did it between our look and our taking
    return None


def _hand(sheet: RunSheet, number: int) -> str:
    """What a part is called while somebody has it in hand."""
    return f"{sheet.run}/{number}"


def _do(sheet: RunSheet, number: int) -> Step:
    """The part itself, in the running transaction."""
    part = _free(sheet.run).filter(number=number).first()
    if part is None:
        return "done"  # somebody else was quicker
    partida_judge = PartidaJudge(
        up_to=sheet.reach,
        as_of=sheet.as_of,
        rulebook=sheet.rulebook,
        readings=sheet.readings,
        law_day=sheet.law_day,
        keeps_refs=bool(sheet.rulebook),
    )
    result = Result()
    # All is judged before anything is compared: what is locked then is locked for a moment only.
    judged = [(Work(**value), partida_judge.do(Work(**value))) for value in part.work]
    for of_what, one in sorted(judged, key=lambda pair: pair[0].partida):
        if sheet.rulebook:
            result.would_hold += as_found(one.found.values())
            result.add(of_what, one, Changes())
            continue
        parsed = compare(sheet, one, whole=of_what.what == "all")
        if not parsed.out_of_date:
            record_answers(sheet, number, one)
        result.add(of_what, one, parsed)
    if sheet.rulebook:
        result.house = partida_judge.house_refs()
    part.state = DONE
    part.done_at = clock.now()
    part.result = asdict(result)
    part.save(update_fields=["state", "done_at", "result"])
    return "done"


def record_answers(sheet: RunSheet, part: int, judged: Judged) -> None:
    """Record what the checks answered of one game; inside the part's transaction."""
    answers = tuple(
        CheckAnswers(
            rulebook=rulebook, check=check, lawful=lawful, found=found, undecided=undecided
        )
        for rulebook, checks in sorted(judged.answered().items())
        for check, (lawful, found, undecided) in sorted(checks.items())
    )
    record_of(
        sheet.run,
        GameJudged(
            table=table_of(judged.partida),
            partida=judged.partida,
            run=str(sheet.run),
            part=part,
            rounds=judged.rounds,
            not_judged=judged.not_judged,
            answers=answers,
        ),
        keys.event_key("judged", sheet.run, part, judged.partida),
        sheet.as_of,
    )


@dataclass(slots=True)
class Result:
    """What a part came to, as it is kept with it.

    `answers`: by rulebook and check, how often lawful, found and not decidable. `pieces` are the
    partidas of which only a piece was judged, with the rulebooks asked. `raised`, `superseded` and
    `found` are keys of findings; `would_hold` are those of a run under another rulebook, `games`
    and `house` the entries it judged them on.
    """

    entries: int = 0
    rounds: int = 0
    not_judged: int = 0
    raised: list[str] = field(default_factory=list)
    superseded: list[str] = field(default_factory=list)
    found: list[str] = field(default_factory=list)
    answers: Answers = field(default_factory=dict)
    pieces: list[tuple[str, list[str]]] = field(default_factory=list)
    would_hold: list[dict[str, Any]] = field(default_factory=list)
    games: list[GameRefs] = field(default_factory=list)
    house: list[HouseRefs] = field(default_factory=list)

    def add(self, of_what: Work, judged: Judged, parsed: Changes) -> None:
        """Add what one work came to."""
        self.entries += judged.entries
        self.rounds += judged.rounds
        self.not_judged += judged.not_judged
        self.raised += parsed.raised
        self.superseded += parsed.superseded
        self.found += sorted(judged.found)
        add_answers(self.answers, judged.answered())
        if judged.rests_on is not None:
            self.games.append(judged.rests_on)
        if of_what.what != "all":
            self.pieces.append((judged.partida, sorted(judged.rulebooks)))


def add_answers(whole: Answers, part: Answers) -> None:
    """Add the answers of a part to those of a whole."""
    for rulebook, checks in part.items():
        for check, times in checks.items():
            of_check = whole.setdefault(rulebook, {}).setdefault(check, [0] * len(times))
            of_check[:] = [a + b for a, b in zip(of_check, times, strict=True)]


def _note(sheet: RunSheet, number: int, trouble: Exception, *, counts: bool) -> None:
    """Remember what went wrong with a part, as far as the database still listens."""
    try:
        row = RunPart.objects.filter(run=sheet, number=number, state=OPEN)
        row.update(trouble=f"{type(trouble).__name__}: {trouble}"[:400])
        if not counts:
            row.filter(attempts__gt=0).update(attempts=F("attempts") - 1)
    except DatabaseError:
        connection.close()
