"""What is done about a finding, told in full and bare: see house.py."""

from datetime import date
from typing import Final

from audit.case_events import (
    ExplanationAsked,
    ExplanationGiven,
    FindingAssigned,
    FindingDecided,
    FindingNoted,
    FindingReopened,
    FindingSettled,
    FindingsNumbered,
    FootageMarked,
    NumberedFinding,
)
from tests.factories.events.house import AT, SURE, A, B, at
from tests.factories.events.runs import RUN

CASE: Final = "CST-2026-000123"
OF_IT: Final = {"case": CASE, "finding": A}

FULL: Final = (
    FindingsNumbered(
        run=RUN,
        numbers=(
            NumberedFinding(finding=A, case=CASE),
            NumberedFinding(finding=B, case="CST-2026-000124"),
        ),
    ),
    FindingAssigned(**AT, **OF_IT, responsible="S-0003", answer_by=at("23:30"), **SURE),
    ExplanationAsked(
        **AT,
        **OF_IT,
        question="Porque não foi pago o blackjack?",
        answer_by=at("23:45"),
        **SURE,
    ),
    ExplanationGiven(
        **AT,
        **OF_IT,
        answer="O pagador contou mal as cartas.",
        remedy="Formação dos pagadores.",
        remedy_from=date(2026, 11, 23),
        **SURE,
    ),
    FindingNoted(**AT, **OF_IT, note="Ver a câmara 12.", **SURE),
    FootageMarked(
        **AT,
        **OF_IT,
        camera="C-12",
        recorded_from=at("21:00"),
        recorded_until=at("21:05"),
        hold="GR-2026-0001",
        **SURE,
    ),
    FindingDecided(
        **AT,
        **OF_IT,
        decision="upheld",
        reason="record_shows_it",
        grounds="As cartas do registo bastam.",
        owed_cents=1000,
        document="Despacho 21/2026",
        **SURE,
    ),
    FindingSettled(
        **AT,
        **OF_IT,
        paid_cents=1000,
        paid_to="player",
        owner="J4",
        means="cash",
        document="Recibo 7/2026",
        reference="SRIJ 44/2026",
        **SURE,
    ),
    FindingReopened(
        **AT, **OF_IT, reason="new_evidence", grounds="A gravação mostra outra mão.", **SURE
    ),
)

BARE: Final = (
    FindingsNumbered(run=RUN, numbers=()),
    FindingAssigned(**OF_IT, responsible="S-0003"),
    ExplanationAsked(**OF_IT, question="?"),
    ExplanationGiven(**OF_IT, answer="."),
    FindingNoted(**OF_IT, note="."),
    FootageMarked(**OF_IT, camera="C-12", recorded_from=at("21:00"), recorded_until=at("21:00")),
    FindingDecided(**OF_IT, decision="unfounded", reason="other"),
    FindingSettled(**OF_IT, paid_cents=1, paid_to="house", means="other", document="."),
    FindingReopened(**OF_IT, reason="other"),
)
