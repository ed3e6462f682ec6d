"""The pool of the progressive: its terms, confirmed by another person, and its starting value.

Its facts are of a package above this one, so they are told by their kinds' names.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from casino.demo import cast
from casino.demo.shuffler_table import CHIP, DISPLAY, DISPLAYED
from casino.demo.telling import Evening, Line, Receipts
from casino.queries import fact_kinds
from casino.reading.payload import fact_of
from casino.tlog.canonical import instant_text

AGREED: Final = 28  # days before the evening
_WHOLE: Final = 1_000_000
_LINES: Final = (
    {"code": "four_aces_same_suit", "share_millionths": _WHOLE},
    {"code": "three_sevens_same_suit", "share_millionths": _WHOLE // 10},
    {"code": "pair_same_suit", "fixed_cents": 5_000},
)


def agreed(evening: Evening) -> Iterator[Line]:
    """What the inspectorate set is put down, compared and put to work."""
    at = evening.before(AGREED, "10:00")
    manager, chefe = cast.MANAGER.at_the_desk, cast.CHEFE.at_the_desk
    terms = {
        "terms": "C-1",
        "valid_from": instant_text(at),
        "stake_cents": CHIP,
        "rate_millionths": DISPLAYED * _WHOLE // CHIP,
        "start_cents": 10_000 * CHIP,
        "cards_counted": 4,
        "lines": list(_LINES),
        "match": "best",
        "marking": "manual",
        "option_reference": "Comunicação de exemplo 1",
        "communicated_on": at.date().isoformat(),
        "approval_reference": "Decisão de exemplo 1",
        "approved_on": at.date().isoformat(),
    }
    yield Line(at=at, by=manager, fact=_told("terms-approved/1", terms), name=_TERMS)
    yield Line(at=at, by=chefe, fact=_confirmed, after=(_TERMS,))
    start = {"start_cents": DISPLAY, "reason": "first"}
    yield Line(at=at, by=manager, fact=_told("jackpot-started/1", start))


_TERMS: Final = "the pool's terms"


def _confirmed(receipts: Receipts) -> Any:
    terms = receipts[_TERMS]
    named = {"stream": terms.stream, "n": terms.n, "leaf": terms.leaf}
    return _told("terms-confirmed/1", {"confirms": named})


def _told(kind: str, payload: Mapping[str, Any]) -> Any:
    return fact_of(fact_kinds()[kind], {"jackpot": cast.JACKPOT, **payload})
