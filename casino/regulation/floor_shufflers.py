"""Loading the automatic shuffler: in packets, once, before the eyes of a fiscal-chefe.

His presence is shown by his own word alone (`Witnessed`); that somebody else wrote his number down
shows nothing. The act is recorded first and the word follows, so its absence is a breach only when
the time for it has passed.

Law: PT art. 54, with 51 for a load after an opening.
"""

from datetime import datetime, timedelta
from typing import Any, Final, Literal

from casino.facts.rounds import RoundPlayed
from casino.facts.shufflers import ShufflerLoaded
from casino.facts.witnessing import Witnessed
from casino.regulation.dossier import Told
from casino.regulation.finding import LAWFUL, UNDECIDED, Breach, Result, upholds
from casino.regulation.floor_evening import Evening, evidence_of, in_place
from casino.regulation.floor_troubles import CHEFE, held_office, troubles_between

Load = Told[ShufflerLoaded]


def _at(evening: Evening, load: Load) -> dict[str, int | str]:
    return {"load": evening.loads.index(load) + 1}


@upholds("partida", "A shuffler that deals has been loaded on record.", needs=("csm.loads",))
def shuffler_is_loaded(evening: Evening) -> Result:
    """At a table with a shuffler cards were dealt, or the game is over: then it was loaded.

    Law: PT art. 54.
    """
    if evening.opened is None or evening.dealing != "shuffler":
        return None
    if evening.loads:
        return LAWFUL
    rounds = sorted(evening.dossier.of(RoundPlayed), key=in_place)
    shown: Told[Any] | None = rounds[0] if rounds else None
    if shown is None and evening.closed is not None and evening.closed.fact.rounds != 0:
        shown = evening.closed
    if shown is None:
        return None
    return Breach(
        {}, {"loads": 0}, {"loads": evening.p["csm.loads"]},
        evidence=evidence_of(evening.opened, shown),
    )  # fmt: skip


@upholds("load", "The shuffler is loaded in at least as many packets as the law asks.",
         needs=("csm.packets_minimum",))  # fmt: skip
def shuffler_loaded_in_packets(evening: Evening, load: Load) -> Result:
    """Two packets at least.

    Law: PT art. 54.
    """
    packets, asked = load.fact.packets, evening.p["csm.packets_minimum"]
    if packets >= asked:
        return LAWFUL
    return Breach(
        _at(evening, load), {"packets": packets}, {"at_least": asked}, evidence=evidence_of(load)
    )


def _reload(evening: Evening, load: Load) -> Literal["attested", "unknown", "bare"]:
    """Whether a further load followed an opening by a fiscal-chefe that emptied the machine."""
    before = evening.loads[evening.loads.index(load) - 1]
    said: Literal["unknown", "bare"] = "bare"
    for trouble in troubles_between(evening, before.occurred_at, load.occurred_at):
        fact = trouble.fact
        unloaded = any(
            before.occurred_at <= one.occurred_at <= load.occurred_at for one in evening.unloads
        )
        emptied = True if unloaded else fact.emptied
        at = fact.opened_at or trouble.occurred_at
        by_chefe = held_office(evening, CHEFE, fact.opened_by, fact.opened_by_office, at)
        if emptied and by_chefe and fact.opened_at is not None:
            return "attested"
        if emptied is not False and by_chefe is not False:
            said = "unknown"
    return said


@upholds("load", "The shuffler is loaded once in a game.",
         needs=("csm.loads", "csm.reload_after_opening"))  # fmt: skip
def shuffler_loaded_once(evening: Evening, load: Load) -> Result:
    """No load after the first, but for one that follows an attested opening.

    Law: PT art. 54, 51.
    """
    place, most = evening.loads.index(load) + 1, evening.p["csm.loads"]
    if place <= most:
        return LAWFUL
    readings: tuple[str, ...] = ()
    reload = _reload(evening, load)
    if reload != "bare":
        readings = ("reload-after-jam",)
        if evening.p["csm.reload_after_opening"] == "note":
            return UNDECIDED if reload == "unknown" else None
    return Breach(
        {"load": place}, {"loads": place}, {"at_most": most}, readings,
        evidence=evidence_of(evening.loads[place - 2], load),
    )  # fmt: skip


@upholds("load", "The shuffler is not loaded again, not even after an opening.",
         needs=("csm.loads", "csm.reload_after_opening"), severity="note")  # fmt: skip
def shuffler_reloaded_after_opening(evening: Evening, load: Load) -> Result:
    """A further load after an attested opening that emptied the machine is told, as a note.

    Law: PT art. 54, 51.
    """
    place, most = evening.loads.index(load) + 1, evening.p["csm.loads"]
    if evening.p["csm.reload_after_opening"] != "note":
        return None
    if place <= most:
        return LAWFUL
    if _reload(evening, load) != "attested":
        return None
    return Breach(
        {"load": place}, {"loads": place}, {"at_most": most}, ("reload-after-jam",),
        evidence=evidence_of(evening.loads[place - 2], load),
    )  # fmt: skip


# Who looked on


def _onlookers(evening: Evening, load: Load) -> tuple[list[Told[Witnessed]], bool]:
    """Who witnessed a load without having had a hand in it, and whether one may have had."""
    actors = {load.by.staff, load.fact.operator}
    told = [one for one in evening.witnesses_of(load) if one.fact.staff not in actors]
    return told, load.fact.operator is None


@upholds("load", "A second person confirms that a fiscal-chefe was present at the loading.",
         needs=("witness.within",))  # fmt: skip
def loading_witnessed(evening: Evening, load: Load) -> Result:
    """Somebody put his word to it who neither recorded it nor loaded the machine.

    What office he held is asked by itself.

    Law: PT art. 54.
    """
    others, doubtful = _onlookers(evening, load)
    if others:
        return UNDECIDED if doubtful else LAWFUL
    own = evening.witnesses_of(load)
    if not own:
        until = load.recorded_at + timedelta(minutes=evening.p["witness.within"])
        if evening.dossier.as_of < until:
            return UNDECIDED
    return Breach(
        _at(evening, load),
        {"witness": own[0].fact.staff} if own else {"witnesses": 0},
        {"by": "another_person"} if own else {"at_least": 1},
        evidence=evidence_of(load, *own),
    )


def _witnessing_holds(
    evening: Evening, load: Load, holds: Any, observed: dict[str, Any], expected: dict[str, Any]
) -> Result:
    """LAWFUL where one of those who looked on meets what `holds` asks; else their breaches."""
    others, _ = _onlookers(evening, load)
    if not others:
        return None
    if any(holds(one) for one in others):
        return LAWFUL
    return [
        Breach(
            {**_at(evening, load), "witness": one.fact.staff}, observed, expected,
            evidence=evidence_of(load, one),
        )
        for one in others
    ]  # fmt: skip


def _instants(load: Load, told: Told[Witnessed]) -> tuple[datetime, datetime]:
    """The moments that count: that of the act and that of the word for it."""
    return load.occurred_at, told.occurred_at


@upholds("load", "Whoever witnesses the loading holds the office of fiscal-chefe.")
def loading_witness_is_fiscal_chefe(evening: Evening, load: Load) -> Result:
    """The house had granted it to him, both when the cards went in and when he said so.

    Law: PT art. 54.
    """

    def holds(told: Told[Witnessed]) -> bool:
        return all(
            evening.dossier.holds_office(told.fact.staff, CHEFE, at) for at in _instants(load, told)
        )

    return _witnessing_holds(evening, load, holds, {"holds_office": "no"}, {"office": CHEFE})


@upholds("load", "Whoever witnesses the loading is on duty as fiscal-chefe.", severity="warning")
def loading_witness_on_duty(evening: Evening, load: Load) -> Result:
    """He had begun duty and not ended it, at both moments.

    Law: PT art. 54.
    """

    def on_duty(told: Told[Witnessed]) -> bool:
        return all(
            evening.dossier.on_duty(told.fact.staff, CHEFE, at) for at in _instants(load, told)
        )

    return _witnessing_holds(evening, load, on_duty, {"on_duty": "no"}, {"on_duty": "yes"})


Window = tuple[datetime, datetime]


def _window(told: Told[Witnessed], act: Told[Any] | None) -> Window:
    """From when to when a witness was there: what he said, else while the act went on."""
    began = ended = told.occurred_at
    if act is not None:
        began = getattr(act.fact, "started_at", None) or act.occurred_at
        ended = getattr(act.fact, "ended_at", None) or act.occurred_at
    start = told.fact.present_from or began
    return start, max(start, told.fact.present_until or ended)


def _is_told(told: Told[Witnessed]) -> bool:
    """Whether a witness said both when he came and when he left."""
    return told.fact.present_from is not None and told.fact.present_until is not None


def overlap(one: Window, other: Window) -> bool:
    """Whether two stays share time; one that ends as the other begins does not."""
    latest, earliest = max(one[0], other[0]), min(one[1], other[1])
    if latest != earliest:
        return latest < earliest
    return one == other or any(stay[0] < latest < stay[1] for stay in (one, other))


@upholds("load", "Whoever witnesses the loading is at no other table meanwhile.",
         severity="warning")  # fmt: skip
def loading_witness_at_one_table(evening: Evening, load: Load) -> Result:
    """Nothing he witnessed elsewhere lies in the same time.

    Where he did not say when he came and left, what he witnessed at another table leaves it open.

    Law: PT art. 54.
    """
    others, _ = _onlookers(evening, load)
    if not others:
        return None
    acts = {told.leaf: told for told in evening.dossier.elsewhere}
    breaches, unknown = [], False
    for mine in others:
        stay = _window(mine, load)
        for theirs in evening.dossier.elsewhere_of(Witnessed):
            if theirs.fact.staff != mine.fact.staff or theirs.stream == mine.stream:
                continue
            if overlap(stay, _window(theirs, acts.get(theirs.fact.witnessed.leaf))):
                breaches.append(_twice(evening, load, mine, theirs))
            elif not (_is_told(mine) and _is_told(theirs)):
                unknown = True
    return breaches or (UNDECIDED if unknown else LAWFUL)


def _twice(evening: Evening, load: Load, mine: Told[Witnessed], theirs: Told[Witnessed]) -> Breach:
    return Breach(
        {**_at(evening, load), "witness": mine.fact.staff},
        {"also_at": theirs.fact.table_code or theirs.stream},
        {"table": evening.dossier.table},
        evidence=evidence_of(load, mine, theirs),
    )


CHECKS: Final = (
    shuffler_is_loaded,
    shuffler_loaded_in_packets,
    shuffler_loaded_once,
    shuffler_reloaded_after_opening,
    loading_witnessed,
    loading_witness_is_fiscal_chefe,
    loading_witness_on_duty,
    loading_witness_at_one_table,
)
