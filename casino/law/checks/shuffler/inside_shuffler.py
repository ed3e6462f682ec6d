"""What a table with an automatic shuffler does without, and what stays inside the machine.

Law: PT art. 52 (no cut, no warning card), 57 (cards stay inside, and with 51,
54 and 55 when the lid may be opened).
"""

from datetime import datetime

from casino.events.event import Event
from casino.events.shoes import CardsSpread, CartaAvisoPlaced, CutMade
from casino.events.shufflers import ShufflerOpened, ShufflerUnloaded
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict, upholds
from casino.law.game_incidents import TROUBLES, at_shuffler
from casino.law.game_incidents import Incident as Trouble
from casino.law.partida_context import PartidaContext, if_at_a_shuffler
from casino.law.questions import any_of, breach, equal
from casino.law.register_proof import CHEFE, by_office
from casino.law.round_moments import none_dealt, rounds_between

Lid = RecordedEvent[ShufflerOpened]
Unload = RecordedEvent[ShufflerUnloaded]


def lids_of(game: PartidaContext) -> list[Lid]:
    """Every time the lid was opened, as it happened."""
    return sorted(game.dossier.of(ShufflerOpened), key=in_time)


# Article 52: what is not done


def _not_done(game: PartidaContext, name: str, acts: list[RecordedEvent[Event]]) -> Verdict:
    """LAWFUL where none of these was recorded at a table with a shuffler."""
    if game.dealing is None:
        return UNDECIDED if acts else None
    if game.dealing != "shuffler":
        return None
    return equal(name, len(acts), 0, game.opened, *acts[:100])


@upholds("partida", "At a table with a shuffler the cards are not cut.")
def no_cut_with_shuffler(game: PartidaContext) -> Verdict:
    """No cut was recorded. Law: PT art. 52."""
    cuts = sorted(game.dossier.of(CutMade), key=in_time)
    return _not_done(
        game, "cuts", [recorded for recorded in cuts if recorded.event.cut_by != "nobody"]
    )


@upholds("partida", "At a table with a shuffler no warning card is put in.")
def no_warning_card_with_shuffler(game: PartidaContext) -> Verdict:
    """None was placed. A round that tells of none leaves open whether one came out.

    Law: PT art. 52.
    """
    acts = sorted(game.dossier.of(CartaAvisoPlaced), key=in_time)
    return _not_done(game, "warnings", list(acts))


def _if_continuous(game: PartidaContext, result: Verdict) -> Verdict:
    """A breach only where the machine is known to take the cards back all the time."""
    if game.continuous is False:
        return None
    found = isinstance(result, Breach | list)
    return UNDECIDED if found and game.continuous is None else result


# Article 57: what stays inside


@upholds("partida", "At a table with a shuffler the cards are not laid out during the game.")
def no_spreading_with_shuffler(game: PartidaContext) -> Verdict:
    """Whatever the reason: article 12 does not apply. Law: PT art. 57."""
    events = sorted(game.dossier.of(CardsSpread), key=in_time)
    return _if_continuous(game, _not_done(game, "spread", list(events)))


@upholds("unload", "The cards stay in the shuffler until the table closes.", only=if_at_a_shuffler)
def cards_stay_in_shuffler(game: PartidaContext, unload: Unload) -> Verdict:
    """They come out at the closing, or because of a jam or a damaged card that was reported.

    Law: PT art. 57, 51.
    """
    return _if_continuous(game, _taken_out(game, unload))


def _taken_out(game: PartidaContext, unload: Unload) -> Verdict:
    reason = unload.event.reason
    if reason is None:
        return UNDECIDED
    if reason == "closing":
        if any(recorded.occurred_at >= unload.occurred_at for recorded in game.reopened):
            return LAWFUL
        return none_dealt(rounds_between(game, unload.occurred_at), unload, cited=100)
    if reason in ("jam", "damaged_card"):
        known = _excused(game, unload.occurred_at)
        if known is not False:
            return UNDECIDED if known is None else LAWFUL
        if game.closed is None:
            return UNDECIDED  # it may still be recorded
        return breach({"reason": reason, "reported": "no"}, {"reported": "yes"}, unload)
    return breach({"reason": reason}, {"one_of": ["closing", "jam", "damaged_card"]}, unload)


def _excused(game: PartidaContext, at: datetime) -> bool | None:
    """Whether trouble of the shuffler was recorded of the time between its loading and a moment.

    It excuses nothing any more once it was put right and cards were dealt again; None where nobody
    knows which came first.
    """
    loads = [recorded.occurred_at for recorded in game.loads if recorded.occurred_at <= at]
    return any_of(
        _lasts(game, trouble, at)
        for trouble in game.incidents
        if at_shuffler(game, trouble)
        and trouble.occurred_at <= at
        and (not loads or loads[-1] <= trouble.occurred_at)
    )


def _lasts(game: PartidaContext, trouble: Trouble, at: datetime) -> bool | None:
    """Whether cards taken out at a moment came out because of an incident that was recorded."""
    solved, over = trouble.event.resolved_at, game.settled(trouble.event)
    if solved is not None and solved >= at:
        return True
    again = rounds_between(game, trouble.occurred_at if solved is None else solved, at)
    if not again.sure:
        return None if again.doubtful else True
    if solved is not None:
        return False
    if over is None or over.occurred_at >= at:
        return None  # dealt although nobody recorded that it was put right
    return False if rounds_between(game, over.occurred_at, at).sure else None


# When the lid may be opened


@upholds(
    "lid",
    "A loaded shuffler is opened only to load it, to empty it or to put it right.",
    severity="deviation",
)
def shuffler_opened_only_for_cause(game: PartidaContext, lid: Lid) -> Verdict:
    """The cause is on record: a load, an unload, a jam or a damaged card.

    Law: PT art. 57, with 51, 54 and 55, which name the causes there are.
    """
    if not _is_loaded(game, lid.occurred_at):
        return LAWFUL
    reason = lid.event.reason
    if reason in ("maintenance", "other"):
        return breach(
            {"reason": reason}, {"one_of": ["loading", "unloading", "jam", "damaged_card"]}, lid
        )
    causes = [_without_a_round_between(game, lid, at) for at in _causes(game, lid)]
    if True in causes or _is_of_an_incident(game, lid):
        return LAWFUL
    if None in causes or game.closed is None:
        return UNDECIDED
    return breach({"reason": reason, "reported": "no"}, {"reported": "yes"}, lid)


def _is_loaded(game: PartidaContext, at: datetime) -> bool:
    loads = [recorded.occurred_at for recorded in game.loads if recorded.occurred_at <= at]
    return bool(loads) and not any(loads[-1] <= one.occurred_at <= at for one in game.unloads)


def _causes(game: PartidaContext, lid: Lid) -> list[datetime]:
    """The moments of what the lid was said to be opened for."""
    if lid.event.reason == "loading":
        return [recorded.occurred_at for recorded in game.loads]
    if lid.event.reason == "unloading":
        closed = [] if game.closed is None else [game.closed.occurred_at]
        return [*(recorded.occurred_at for recorded in game.unloads), *closed]
    return [
        trouble.occurred_at
        for trouble in game.incidents
        if trouble.event.category in TROUBLES and at_shuffler(game, trouble)
    ]


def _without_a_round_between(game: PartidaContext, lid: Lid, at: datetime) -> bool | None:
    """Whether no round was begun between the lid's opening and another moment."""
    dealt = rounds_between(game, *sorted((lid.occurred_at, at))).any
    return None if dealt is None else not dealt


def _is_of_an_incident(game: PartidaContext, lid: Lid) -> bool:
    return _in_trouble(game, lid) and any(
        lid.event.incident == trouble.event.incident for trouble in game.incidents
    )


def _in_trouble(game: PartidaContext, lid: Lid) -> bool:
    return lid.event.reason in ("jam", "damaged_card")


@upholds("lid", "The lid of a shuffler in trouble is opened by a fiscal-chefe.", only=_in_trouble)
def lid_opened_by_fiscal_chefe(game: PartidaContext, lid: Lid) -> Verdict:
    """Whoever opened it for a jam or a damaged card, or a technician who had been asked for.

    Law: PT art. 51.
    """
    event = lid.event
    opener = event.opened_by, event.opened_by_office
    found = by_office(game, CHEFE, opener, event.opened_at or lid.occurred_at, lid, lid)
    called = [
        trouble.event.technician_called_at
        for trouble in game.incidents
        if trouble.event.incident == event.incident
    ]
    if isinstance(found, Breach) and event.opened_by_office is None:
        if any(at and at <= lid.occurred_at for at in called):
            return None
    return found
