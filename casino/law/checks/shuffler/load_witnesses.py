"""A second person's word for what was done to the shuffler: who he was, and where.

His presence is shown by his own word (`Witnessed`), as the reading presence-shown has it. The act
is recorded first and the word follows, so its absence is found only when the time for it is over.

Law: PT art. 54 (loading), 55 (unloading).
"""

from datetime import datetime, timedelta
from typing import Any

from casino.events.witnessing import Witnessed
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Severity, Verdict
from casino.law.partida_context import PartidaContext
from casino.law.questions import breach, not_after
from casino.law.register_proof import CHEFE, OnRecord, duty_on_record, office_on_record

Act = RecordedEvent[Any]  # a load or an unload: it has an operator
Word = RecordedEvent[Witnessed]


def _onlookers(game: PartidaContext, act: Act) -> tuple[list[Word], bool]:
    """Who witnessed an act without having had a hand in it, and whether one may have had."""
    actors = {act.by.staff, act.event.operator}
    events = [one for one in game.witnesses_of(act) if one.event.staff not in actors]
    return events, act.event.operator is None


def witnessed(game: PartidaContext, act: Act) -> Verdict:
    """Whether somebody put his word to it who neither recorded it nor did it.

    Without that his presence is not shown, which is no proof that he was absent; a reading takes
    the fiscal-chefe whom the record itself names for present, another what is not shown for a
    breach.
    """
    if game.p["witness.presence"] == "named_on_record":
        named = act.event.fiscal_chefe
        if named and game.dossier.holds_office(named, CHEFE, act.occurred_at, act):
            return LAWFUL
    others, doubtful = _onlookers(game, act)
    if others:
        return UNDECIDED if doubtful else LAWFUL
    own = game.witnesses_of(act)
    if not own and game.dossier.as_of < _until(game, act):
        return UNDECIDED
    observed = {"witness": own[0].event.staff} if own else {"witnesses": 0}
    expected = {"by": "another_person"} if own else {"at_least": 1}
    severity: Severity | None = "breach" if game.p["witness.presence"] == "breach" else None
    return breach(observed, expected, act, *own, readings="presence-shown", severity=severity)


def _until(game: PartidaContext, act: Act) -> datetime:
    """Until when the house waits for a word, from the moment the act was recorded.

    For a correction from its approval: before that nobody was asked to confirm it.
    """
    approved = game.approval_of(act)
    since = act.recorded_at if approved is None else approved.recorded_at
    return since + timedelta(minutes=game.p["witness.within"])


def word_in_time(game: PartidaContext, act: Act) -> Verdict:
    """Whether one of those who looked on said so in time, as the book's clock has it.

    That nobody did is a breach of its own.
    """
    others, doubtful = _onlookers(game, act)
    if not others:
        return None
    first = min(others, key=lambda recorded: (recorded.recorded_at, in_time(recorded)))
    until, where = _until(game, _witnessed_by(game, act, first)), {"witness": first.event.staff}
    found = not_after(first.recorded_at, until, act, first, where=where)
    return UNDECIDED if found == LAWFUL and doubtful else found


def _witnessed_by(game: PartidaContext, act: Act, word: Word) -> Act:
    """What somebody put his word to: the act as it stands, or as it stood before a correction."""
    named = word.event.witnessed.leaf
    return next((one for one in game.corrected_by(act) if one.leaf == named), act)


def _is_chefe(game: PartidaContext, act: Act, word: Word) -> bool:
    """Whether a witness held the office, at the act and when he said so."""
    return all(
        game.dossier.holds_office(word.event.staff, CHEFE, one.occurred_at, one)
        for one in (act, word)
    )


def witness_is_fiscal_chefe(game: PartidaContext, act: Act) -> Verdict:
    """Whether one who looked on held the office, at the act and when he said so."""
    others, _ = _onlookers(game, act)
    holds = [_is_chefe(game, act, word) for word in others]
    known = [office_on_record(game.dossier, word.event.staff, CHEFE, word) for word in others]
    return _one_of(others, act, holds, known, {"holds_office": "no"}, {"office": CHEFE})


def witness_on_duty(game: PartidaContext, act: Act) -> Verdict:
    """Whether one who looked on was on duty in that office, at both moments.

    Of those who held it: who did not cannot be on duty in it, which is one breach and not two.
    """

    others, _ = _onlookers(game, act)
    chefes = [word for word in others if _is_chefe(game, act, word)]
    holds = [
        all(
            game.dossier.on_duty(word.event.staff, CHEFE, one.occurred_at, one)
            for one in (act, word)
        )
        for word in chefes
    ]
    known = [duty_on_record(game.dossier, word.event.staff, CHEFE, word) for word in chefes]
    return _one_of(chefes, act, holds, known, {"on_duty": "no"}, {"on_duty": "yes"})


def _one_of(
    words: list[Word],
    act: Act,
    holds: list[bool],
    known: list[OnRecord],
    observed: dict[str, object],
    expected: dict[str, object],
) -> Verdict:
    """LAWFUL where it holds of one of those who looked on; else their breaches."""
    if not words or any(holds):
        return LAWFUL if words else None
    return [
        breach(
            {**observed, **register.observed},
            expected,
            act,
            word,
            *register.evidence,
            where={"witness": word.event.staff},
        )
        for word, register in zip(words, known, strict=True)
    ]


Window = tuple[datetime, datetime]


def _window(recorded: Word, act: Act | None) -> Window:
    """From when to when a witness was there: what he said, else while the act went on."""
    began = ended = recorded.occurred_at
    if act is not None:
        began = getattr(act.event, "started_at", None) or act.occurred_at
        ended = getattr(act.event, "ended_at", None) or act.occurred_at
    start = recorded.event.present_from or began
    return start, max(start, recorded.event.present_until or ended)


def _is_complete(recorded: Word) -> bool:
    """Whether a witness said both when he came and when he left."""
    return recorded.event.present_from is not None and recorded.event.present_until is not None


def overlap(window: Window, other: Window) -> bool:
    """Whether two stays share time; one that ends as the other begins does not."""
    latest, earliest = max(window[0], other[0]), min(window[1], other[1])
    if latest != earliest:
        return latest < earliest
    return window == other or any(stay[0] < latest < stay[1] for stay in (window, other))


def witness_at_one_table(game: PartidaContext, act: Act) -> Verdict:
    """Whether nothing he witnessed elsewhere lies in the same time; open where he told no times.

    What was witnessed at no table (an adjustment of a meter) does not say where he stood.
    """
    others, _ = _onlookers(game, act)
    if not others:
        return None
    acts = {recorded.leaf: recorded for recorded in game.dossier.elsewhere}
    breaches, unknown = [], False
    for mine in others:
        stay = _window(mine, act)
        for theirs in game.dossier.elsewhere_of(Witnessed):
            if theirs.event.staff != mine.event.staff or theirs.stream == mine.stream:
                continue
            if theirs.event.table_code is None:
                continue
            if overlap(stay, _window(theirs, acts.get(theirs.event.witnessed.leaf))):
                breaches.append(_twice(game, act, mine, theirs))
            elif not (_is_complete(mine) and _is_complete(theirs)):
                unknown = True
    return breaches or (UNDECIDED if unknown else LAWFUL)


def _twice(game: PartidaContext, act: Act, mine: Word, theirs: Word) -> Breach:
    also, here = {"also_at": theirs.event.table_code}, {"table": game.dossier.table}
    return breach(also, here, act, mine, theirs, where={"witness": mine.event.staff})
