"""The same for what the auditor tells: see house.py."""

from datetime import date
from typing import Final

from audit.facts import (
    BookVerified,
    ExportMade,
    FindingRaised,
    FindingSuperseded,
    JackpotReplayed,
    LawUsed,
    ReconciliationFinished,
    ReconciliationStarted,
    RunScope,
    StreamRead,
)
from audit.game_facts import CheckAnswers, GameJudged
from tests.factories.facts.house import AT, LATER, PARTIDA, ROUND, TABLE, A, B

RUN: Final = "0193479e-9999-7c3e-9a54-0c6f2b1d7e10"
RUN_BEFORE: Final = "0193479e-8888-7c3e-9a54-0c6f2b1d7e10"

FULL: Final = (
    ReconciliationStarted(
        run=RUN,
        scope=RunScope(
            from_day=date(2026, 11, 19), to_day=date(2026, 11, 20), tables=(TABLE,), rulebook="pt"
        ),
        reason="range",
        code_version="1.0+g7096cd9",
        laws=(LawUsed(rulebook="pt", sha256=A),),
        previous=RUN_BEFORE,
        parts=4,
    ),
    ReconciliationFinished(
        run=RUN,
        scope=RunScope(partida=PARTIDA),
        entries=260,
        rounds=212,
        findings=3,
        raised=2,
        superseded=1,
        undecided=5,
        digest=B,
        read_up_to=(StreamRead(stream="house", n=40), StreamRead(stream="table/BJ-06", n=260)),
        lawful=9000,
        not_judged=0,
    ),
    GameJudged(
        **AT,
        run=RUN,
        part=2,
        rounds=212,
        not_judged=1,
        answers=(
            CheckAnswers(
                rulebook="pt", check="blackjack_paid_three_to_two", lawful=9, found=1, undecided=0
            ),
            CheckAnswers(rulebook="pt", check="holder_decides", lawful=0, found=0, undecided=4),
        ),
    ),
    FindingRaised(
        **AT,
        key=A,
        rulebook="pt",
        article="21",
        check="blackjack_paid_three_to_two",
        severity="breach",
        gaming_day=date(2026, 11, 20),
        evidence=(ROUND,),
        where={"box": 4, "hand": 1, "owner": "J4", "kind": "main"},
        observed={"returned_cents": 4000, "cards": ["AS", "TD"]},
        expected={"returned_cents": 5000},
        owed_cents=1000,
        owed_to="player",
        readings=("no-peek",),
        run=RUN,
        law=B,
        jackpot="JP-1",
    ),
    FindingSuperseded(**AT, finding=A, run=RUN, reason="corrected", by=LATER),
    BookVerified(size=41203, root=A, entries=41203, problems=2, why="nightly", run=RUN),
    JackpotReplayed(
        jackpot="JP-1",
        run=RUN,
        why="nightly",
        entries=8123,
        microcents=2_562_500_250_000,
        held_cents=5_000,
        kept_microcents=2_562_500_000_000,
        difference_microcents=-250_000,
        misfits=1,
        problems=2,
        read_up_to=(
            StreamRead(stream="jackpot/JP-1", n=40),
            StreamRead(stream="table/BJ-06", n=260),
        ),
    ),
    ExportMade(
        extent="range",
        entries=100,
        size=41203,
        root=A,
        openings=True,
        of_table=TABLE,
        from_index=100,
        to_index=200,
    ),
)


BARE: Final = (
    ReconciliationStarted(
        run=RUN, scope=RunScope(partida=PARTIDA), reason="closed", code_version="1.0", laws=()
    ),
    ReconciliationFinished(
        run=RUN,
        scope=RunScope(from_day=date(2026, 11, 20), to_day=date(2026, 11, 20)),
        entries=0,
        rounds=0,
        findings=0,
        raised=0,
        superseded=0,
        undecided=0,
        digest=B,
        read_up_to=(),
    ),
    GameJudged(**AT, run=RUN, part=1, rounds=0, not_judged=0, answers=()),
    FindingRaised(
        key=A,
        rulebook="pt",
        article="house.reconciliation",
        check="nightly_run_happened",
        severity="warning",
        gaming_day=date(2026, 11, 20),
        evidence=(),
        where={},
        observed={},
        expected={},
        owed_cents=0,
        readings=(),
        run=RUN,
        law=B,
    ),
    FindingSuperseded(finding=A, run=RUN, reason="cured"),
    BookVerified(size=0, entries=0, problems=0, why="asked", run=RUN),
    JackpotReplayed(
        jackpot="JP-1",
        run=RUN,
        why="asked",
        entries=0,
        microcents=0,
        held_cents=0,
        kept_microcents=0,
        difference_microcents=0,
        misfits=0,
        problems=0,
        read_up_to=(),
    ),
    ExportMade(extent="full", entries=1, size=1, root=A, openings=False),
)
