"""What one part of a replay leaves for the next: a pool in the middle of its story, as JSON."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, Final

from casino.law.check_registry import ALL_CHECKS
from casino.law.finding import Breach
from jackpot.progressive.meter import Meter
from jackpot.rules.bounds import Bounds, Start
from jackpot.rules.display_checks import Lasting, Reading
from jackpot.rules.overtaken import Behind, Queue
from jackpot.rules.restarting import Restarting
from jackpot.rules.unseen import Unseen
from jackpot.rules.whole import Said, WholePool

_SETS: Final = frozenset({"hits", "entries"})


def left(whole: WholePool) -> dict[str, object]:
    """A pool as the next part takes it up."""
    meter = {name: getattr(whole.pool.meter, name) for name in Meter.__slots__}
    return {
        "meter": {name: sorted(value) if name in _SETS else value for name, value in meter.items()},
        "said": [[one.check.name, asdict(one.breach)] for one in whole.said],
        "asked": sorted(whole.asked),
        "misfits": whole.misfits,
        "seal_off": whole.seal_off,
        "display_off": {**asdict(whole.display_off), "again": sorted(whole.display_off.again)},
        "without_start": whole.without_start,
        "restarting": {**asdict(whole.restarting), "by": _text(whole.restarting.by)},
        "bounds": {"start": whole.bounds.start, "beyond": whole.bounds.beyond},
        "queue": asdict(whole.queue),
        "waiting": [{**asdict(o), "until": _text(o.until)} for o in whole.readings.waiting],
        "chips": [[_text(at), microcents] for at, microcents in whole.readings.recorded],
        "moved_at": _text(whole.readings.moved_at),
        "lag": whole.readings.lag // timedelta(microseconds=1),
        "unseen": {hit: asdict(win) for hit, win in whole.unseen.items()},
    }


def taken_up(jackpot: str, kept: Mapping[str, Any]) -> WholePool:
    """A pool as the part before left it."""
    whole = WholePool(jackpot)
    for name, value in kept["meter"].items():
        setattr(whole.pool.meter, name, set(value) if name in _SETS else value)
    whole.said = [Said(ALL_CHECKS[name], _breach(breach)) for name, breach in kept["said"]]
    whole.asked, whole.misfits = set(kept["asked"]), kept["misfits"]
    whole.seal_off, off = kept["seal_off"], kept["display_off"]
    whole.display_off = Lasting(off["off"], off["entry"], set(off["again"]))
    whole.without_start = kept["without_start"]
    _take_up_wins(whole, kept)
    for one in kept["waiting"]:
        whole.readings.waiting.append(Reading(**{**one, "until": _moment(one["until"])}))
    for at, microcents in kept["chips"]:
        whole.readings.recorded.append((datetime.fromisoformat(at), microcents))
    whole.readings.moved_at = _moment(kept["moved_at"])
    whole.readings.lag = timedelta(microseconds=kept["lag"])
    whole.unseen = {hit: Unseen(**win) for hit, win in kept["unseen"].items()}
    return whole


def _take_up_wins(whole: WholePool, kept: Mapping[str, Any]) -> None:
    again = kept["restarting"]
    emptied, start = again["emptied"], kept["bounds"]["start"]
    whole.restarting = Restarting(
        again["waiting"],
        None if emptied is None else (emptied[0], emptied[1]),
        _moment(again["by"]),
    )
    whole.bounds = Bounds(None if start is None else Start(*start), kept["bounds"]["beyond"])
    behind = {hit: Behind(**one) for hit, one in kept["queue"]["behind"].items()}
    whole.queue = Queue(kept["queue"]["wins"], behind)


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _breach(values: Mapping[str, Any]) -> Breach:
    lists = {name: tuple(values[name]) for name in ("readings", "among", "evidence")}
    return Breach(**{**values, **lists})
