"""The same for pools: terms, wins, payments, what the meter was. See house.py."""

from datetime import date
from typing import Final

from casino.events.event import EntryRef
from jackpot.events import (
    HeldBack,
    JackpotAdjusted,
    JackpotPaid,
    JackpotRead,
    JackpotSealed,
    JackpotStarted,
    JackpotWinner,
    JackpotWon,
    SealedUpTo,
    TermsApproved,
    TermsConfirmed,
    TermsLine,
)
from tests.factories.events.house import AT, ROUND, SURE, A, at

POOL: Final = "JP-1"
TERMS: Final = EntryRef(stream="jackpot/JP-1", n=1, leaf=A)
HIT: Final = EntryRef(stream="jackpot/JP-1", n=5, leaf=A)

FULL: Final = (
    TermsApproved(
        jackpot=POOL,
        terms="T-2026-1",
        valid_from=at("08:00"),
        stake_cents=250,
        rate_millionths=25_000,
        start_cents=2_500_000,
        cards_counted=4,
        lines=(
            TermsLine(code="four_aces_same_suit", share_millionths=1_000_000),
            TermsLine(code="three_sevens_same_suit", share_millionths=100_000),
            TermsLine(code="AS-JS", fixed_cents=5_000),
        ),
        match="best",
        marking="manual",
        tables=("BJ-06", "BJ-07"),
        limit_cents=50_000_000,
        reserve_millionths=5_000,
        option_reference="Comunicação 12/2026",
        communicated_on=date(2026, 10, 1),
        approval_reference="Despacho SRIJ 88/2026",
        approved_on=date(2026, 11, 2),
        conditions="Anexo II",
        **SURE,
    ),
    TermsConfirmed(jackpot=POOL, confirms=TERMS, **SURE),
    JackpotStarted(
        jackpot=POOL, start_cents=2_500_000, reason="after_full_payout", hit=HIT, **SURE
    ),
    JackpotWon(
        **AT,
        jackpot=POOL,
        winners=(
            JackpotWinner(owner="J2", box=2, code="four_aces_same_suit", seat=2),
            JackpotWinner(owner="J5", box=5, code="AS-JS"),
        ),
        round=ROUND,
        shoe=3,
        number=17,
        running_microcents=2_731_250_062_500,
        opened_at=at("22:14"),
        order=1,
        **SURE,
    ),
    JackpotPaid(
        **AT,
        jackpot=POOL,
        hit=HIT,
        owner="J5",
        box=5,
        code="AS-JS",
        paid_cents=5_000,
        step=1,
        means="cheque",
        document="Cheque 4711",
        paid_at=at("22:31"),
        approved_by="S-0300",
        again=True,
        name="Inês Conceição",
        identification="CC 12345678",
        **SURE,
    ),
    JackpotAdjusted(
        jackpot=POOL,
        microcents=-6_250_000,
        reason="device_fault",
        reference="Relatório 7",
        note="Mostrador contou duas vezes.",
        **SURE,
    ),
    JackpotSealed(
        jackpot=POOL,
        microcents=2_731_250_062_500,
        started_cents=5_000_000,
        contributed_microcents=236_256_312_500,
        adjusted_microcents=-6_250_000,
        paid_cents=2_500_000,
        held=(HeldBack(hit=5, cents=5_000),),
        up_to=(
            SealedUpTo(stream="jackpot/JP-1", n=9),
            SealedUpTo(stream="table/BJ-06", n=4711),
        ),
        emptied_by=5,
        **SURE,
    ),
    JackpotRead(**AT, jackpot=POOL, display_cents=2_731_250, **SURE),
)
BARE: Final = (
    TermsApproved(
        jackpot=POOL,
        terms="T-2026-2",
        valid_from=at("09:00"),
        stake_cents=1,
        rate_millionths=0,
        start_cents=0,
        cards_counted=2,
        lines=(TermsLine(code="pair", fixed_cents=1),),
        match="first",
        marking="automatic",
    ),
    TermsConfirmed(jackpot=POOL, confirms=TERMS),
    JackpotStarted(jackpot=POOL, start_cents=0, reason="first"),
    JackpotWon(**AT, jackpot=POOL, winners=(JackpotWinner(owner="J2", box=2, code="pair"),)),
    JackpotPaid(**AT, jackpot=POOL, hit=HIT, owner="J2", box=2, code="pair", paid_cents=0),
    JackpotAdjusted(jackpot=POOL, microcents=0, reason="win_withdrawn", hit=HIT),
    JackpotSealed(
        jackpot=POOL,
        microcents=0,
        started_cents=0,
        contributed_microcents=0,
        adjusted_microcents=0,
        paid_cents=0,
        held=(),
        up_to=(),
    ),
    JackpotRead(jackpot=POOL, display_cents=0),
)
