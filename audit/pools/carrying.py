"""What one part of a replay leaves for the next: a pool in the middle of its story, as JSON."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from casino.regulation.finding import Breach
from casino.regulation.jackpot_law import CHECKS
from jackpot.progressive.meter import Meter
from jackpot.rules.displays import Reading
from jackpot.rules.whole import Said, Unseen, WholePool

_SETS: Final = frozenset({"hits", "given", "entries"})


def left(whole: WholePool) -> dict[str, Any]:
    """A pool as the next part takes it up."""
    meter = {name: getattr(whole.pool.meter, name) for name in Meter.__slots__}
    return {
        "meter": {name: sorted(told) if name in _SETS else told for name, told in meter.items()},
        "said": [[one.check.name, asdict(one.breach)] for one in whole.said],
        "asked": sorted(whole.asked),
        "misfits": whole.misfits,
        "off": [whole.seal_off, whole.display_off],
        "without_start": whole.without_start,
        "full": sorted(whole.full),
        "emptied": whole.emptied,
        "start_by": _told(whole.start_by),
        "waiting": [{**asdict(o), "until": _told(o.until)} for o in whole.readings.waiting],
        "chips": [[_told(at), microcents] for at, microcents in whole.readings.told],
        "unseen": {hit: asdict(win) for hit, win in whole.unseen.items()},
    }


def taken_up(jackpot: str, kept: Mapping[str, Any]) -> WholePool:
    """A pool as the part before left it."""
    whole = WholePool(jackpot)
    for name, told in kept["meter"].items():
        setattr(whole.pool.meter, name, set(told) if name in ("hits", "entries") else told)
    whole.pool.meter.given = {(hit, winner) for hit, winner in kept["meter"]["given"]}
    checks = {check.name: check for check in CHECKS}
    whole.said = [Said(checks[name], _breach(breach)) for name, breach in kept["said"]]
    whole.asked, whole.misfits = set(kept["asked"]), kept["misfits"]
    whole.seal_off, whole.display_off = kept["off"]
    whole.without_start, whole.full = kept["without_start"], set(kept["full"])
    emptied = kept["emptied"]
    whole.emptied = None if emptied is None else (emptied[0], emptied[1])
    whole.start_by = _moment(kept["start_by"])
    for one in kept["waiting"]:
        whole.readings.waiting.append(Reading(**{**one, "until": _moment(one["until"])}))
    for at, microcents in kept["chips"]:
        whole.readings.told.append((datetime.fromisoformat(at), microcents))
    whole.unseen = {hit: Unseen(**win) for hit, win in kept["unseen"].items()}
    return whole


def _told(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _moment(told: str | None) -> datetime | None:
    return None if told is None else datetime.fromisoformat(told)


def _breach(told: Mapping[str, Any]) -> Breach:
    lists = {name: tuple(told[name]) for name in ("readings", "among", "evidence")}
    return Breach(**{**told, **lists})
