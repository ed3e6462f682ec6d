"""docs/museum.md: every incident, its class, and what its evening came to."""

from collections.abc import Iterator, Sequence
from typing import Final

from audit.museum.walk import Caught, has_evening, judged
from casino.simulation.museum.public_incidents import Incident, incidents

HEAD: Final = """\
# The museum of incidents

Made by `manage.py museum --write` (`make museum` prints it) from
`casino/simulation/museum/incidents.toml`; not to be edited by hand. What is counted as caught, and
what cannot be: [0060](decisions/0060-the-museum.md).

Rounds and money lie between the cause and the first round after which the check finds it, on a
simulated evening with the breach named there; where no single round shows it, the whole game or the
prize's story does, at its end. Such an evening holds no report of the error and no refund, and play
stops for other causes alone: the next interruption, or the closing. Figures of the incidents are
those of their sources.
"""
CLASSES: Final = {
    "records_independent": "cards, money or machines show it",
    "only_if_recorded": "only if somebody records it",
    "impossible": "nothing at a table shows it",
}


def museum_document() -> str:
    """The whole document. Takes some seconds: every evening is played and judged.

    Raises: ValueError, where an evening has no room for its breach.
    """
    came = [(one, judged(one) if has_evening(one) else None) for one in incidents()]
    return "\n".join([HEAD, *_counts(came), "", *_table(came), "", *_each()]) + "\n"


def _counts(came: Sequence[tuple[Incident, Caught | None]]) -> Iterator[str]:
    caught = sum(found is not None for _one, found in came)
    shown = [one for one, _found in came if one.seen_by == "records_independent"]
    waits = sum(bool(one.check) and not has_evening(one) for one in shown)
    none = sum(not one.check for one in shown)
    yield f"{len(came)} incidents: {len(shown)} of the class *{CLASSES['records_independent']}*,"
    yield f"of which {caught} are caught by the evening below, {waits} wait for their check or"
    yield f"their evening, and {none} have no check yet."


def _table(came: Sequence[tuple[Incident, Caught | None]]) -> Iterator[str]:
    yield (
        "| incident | class | expected check | found | rounds | staked, cents | minutes to detect "
        "| play went on until | reported | refunded |"
    )
    yield "|" + " --- |" * 10
    for one, found in came:
        check = f"`{one.check}`" if one.check else "none yet"
        yield f"| {one.title_en} | {CLASSES[one.seen_by]} | {check} | {_came(one, found)} |"


def _came(incident: Incident, caught: Caught | None) -> str:
    if not has_evening(incident):
        return "no evening | - | - | - | - | - | -"
    if caught is None:
        return "**not found** | - | - | - | - | - | -"
    if caught.rounds is None:
        where = "at the game's end" if caught.game else "in the prize's story"
        return f"{where} | - | - | - | {caught.stopped or '-'} | no | nobody"
    at = f"{caught.game}, shoe or load {caught.shoe}, round {caught.number}"
    return (
        f"{at} | {caught.rounds} | {caught.staked_cents} | {caught.minutes} "
        f"| {caught.stopped or '-'} | no | nobody"
    )


def _each() -> Iterator[str]:
    for one in incidents():
        yield f"## {one.title_en}"
        yield ""
        yield f"{one.place}, {one.date}. {one.what_en} *What failed:* {one.failed_en}"
        if figures := "; ".join(_figures(one)):
            yield f"Figures: {figures}."
        yield f"*{CLASSES[one.seen_by].capitalize()}:* {one.why_en}"
        yield f"Sources: {'; '.join(one.sources)}."
        yield ""


def _figures(incident: Incident) -> Iterator[str]:
    for name in ("rounds", "hands", "minutes"):
        value: int | None = getattr(incident, name)
        if value is not None:
            yield f"{value} {name}"
    if incident.money_cents is not None:
        units, cents = divmod(incident.money_cents, 100)
        yield f"{units:,}.{cents:02d} {incident.currency} ({incident.money_is})"
