"""What a shuffler reports of itself, held against what people recorded of it.

A machine that reports nothing is asked nothing: absence is no finding. That a cycle is missing is
found only of one that reports cycles, in a game in which it was heard.

Law: PT art. 3 (whole decks), 51 (the warning light); the rest is the house's own control.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final, Literal, NamedTuple, Protocol, TypeVar

from casino.events.event import Event
from casino.events.inspection import FirmwareDecided
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import PlayInterrupted
from casino.events.shuffler_reports import (
    ShufflerCycle,
    ShufflerSelfCheck,
    ShufflerSignal,
    SignalOf,
)
from casino.events.shufflers import ShufflerLoaded, ShufflerOpened, ShufflerRegistered
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Verdict, upholds
from casino.law.game_incidents import at_shuffler, over_at, to_the_minute, troubles_of
from casino.law.partida_context import (
    PartidaContext,
    Shoe,
    at_a_shuffler,
    first_cards,
    in_place,
    is_opened,
)
from casino.law.questions import breach, equal, together
from casino.law.round_moments import (
    ROUNDS_CITED,
    Round,
    first_card,
    none_dealt,
    rounds_between,
    sort_out,
)

Load = RecordedEvent[ShufflerLoaded]
Cycle = RecordedEvent[ShufflerCycle]
Signal = RecordedEvent[ShufflerSignal]
Report = ShufflerCycle | ShufflerSignal | ShufflerSelfCheck
R = TypeVar("R", bound=Report)

_REPORTS: Final[tuple[type[Report], ...]] = (ShufflerCycle, ShufflerSignal, ShufflerSelfCheck)


def _reports(
    game: PartidaContext, event_class: type[R], shuffler: str | None
) -> list[RecordedEvent[R]]:
    """What a machine reported that can be of this game, as it happened; None: any at its table."""
    return [
        one
        for one in game.dossier.anywhere(event_class)
        if one.event.partida in (None, game.dossier.partida)
        and (
            one.event.table == game.dossier.table
            if shuffler is None
            else one.event.shuffler == shuffler
        )
    ]


def _its_machine(game: PartidaContext) -> str | None:
    """The machine it is dealt from: that of the opening, else of the first load."""
    shuffler: str | None = game.opening.event.shuffler
    return shuffler or (game.loads[0].event.shuffler if game.loads else None)


def _heard(game: PartidaContext, shuffler: str | None) -> bool:
    """Whether a machine reported anything between the game's opening and its end."""
    begin, end = game.opening.occurred_at, _ends(game)
    return any(
        begin <= one.occurred_at <= end
        for event_class in _REPORTS
        for one in _reports(game, event_class, shuffler)
    )


def _ends(game: PartidaContext) -> datetime:
    """When a game was closed; while it is open the moment up to which it is on record."""
    return game.dossier.as_of if game.closed is None else game.closed.occurred_at


# Whether it went through the machine at all


class _Passage(NamedTuple):
    """When cards went through which machine before they were dealt, by what people recorded."""

    acts: Sequence[RecordedEvent[Event]]
    shuffler: str | None  # None: any at the table, of a shuffle by a machine nobody named
    begin: datetime
    end: datetime | None  # None: nothing is dealt yet


def _passage(game: PartidaContext, shoe: Shoe) -> _Passage | None:
    """A load, or a shuffle by machine at a table with a shoe; None where there is neither."""
    if game.dealing == "shuffler":
        if shoe.number > len(game.loads):
            return None
        load = game.loads[shoe.number - 1]
        return _Passage([load], load.event.shuffler, *_until_dealt(game, shoe.number - 1))
    dealt = first_cards(shoe.rounds)
    over = None if game.closed is None else game.closed.occurred_at
    acts = [one for one in shoe.shuffles if one.event.method == "machine"]
    if not acts:
        return None
    # A machine mixes the next cards while the last ones are dealt.
    begun = [first_cards(one.rounds)[:1] for one in game.shoes if one.number < shoe.number]
    begin = max([game.opening.occurred_at, *(at for one in begun for at in one)])
    return _Passage(acts, None, begin, next(iter(dealt), over))


def _until_dealt(game: PartidaContext, place: int) -> tuple[datetime, datetime | None]:
    """From what went before a load (its place from 0) to its first card; None: nothing is dealt.

    Before it are the opening, the load before it, and its emptying.
    """
    load, shoe = game.loads[place], game.shoe(place + 1)
    emptied = [one.occurred_at for one in game.unloads if one.occurred_at < load.occurred_at]
    before = [one.occurred_at for one in game.loads[:place]]
    after = [one.occurred_at for one in game.loads[place + 1 :]]
    over = None if game.closed is None else game.closed.occurred_at
    dealt = [] if shoe is None else first_cards(shoe.rounds)
    begin = max([game.opening.occurred_at, *emptied, *before])
    return begin, next(iter([*dealt, *after]), over)


def _went_through_a_machine(game: PartidaContext, shoe: Shoe) -> bool:
    return game.opened is not None and _passage(game, shoe) is not None


@upholds(
    "shoe_on_record",
    "Cards that are recorded as put through a shuffler went through a cycle of it.",
    only=_went_through_a_machine,
    severity="deviation",
)
def shuffler_cycle_on_record(game: PartidaContext, shoe: Shoe) -> Verdict:
    """The machine reported a cycle before the first card, of whichever mode.

    Not asked of one that reports no cycles. Open where it was not heard in this game at all, and
    while nothing is dealt.
    """
    put = _passage(game, shoe)
    assert put is not None
    cycles = [
        one
        for one in game.dossier.anywhere(ShufflerCycle)
        if put.shuffler in (None, one.event.shuffler)
    ]
    if not cycles:
        return None
    mine = _reports(game, ShufflerCycle, put.shuffler)
    if any(put.begin <= one.occurred_at <= (put.end or one.occurred_at) for one in mine):
        return LAWFUL
    if put.end is None or not _heard(game, put.shuffler):
        return UNDECIDED
    named = {} if put.shuffler is None else {"shuffler": put.shuffler}
    return breach({**named, "cycles": 0}, {"at_least": 1}, *put.acts, *shoe.rounds[:1])


@upholds(
    "partida",
    "No card is dealt from a shuffler that last sorted its cards.",
    only=at_a_shuffler,
    severity="deviation",
)
def no_deal_after_a_sort(game: PartidaContext) -> Verdict:
    """Since it sorted them the machine mixed them, or was loaded anew.

    Law: PT art. 53 asks that the cards are mixed; which mode a machine has, no article says.
    """
    modes = [one for one in _reports(game, ShufflerCycle, _its_machine(game)) if one.event.mode]
    sorts = [one for one in modes if one.event.mode == "sort"]
    if not sorts:
        return LAWFUL if modes else None
    last_acts: list[RecordedEvent[Event]] = sorted([*modes, *game.loads], key=in_time)

    def after_a_sort(recorded: Round) -> bool | None:
        began = first_card(recorded)
        if began is None:
            return None
        before = [one for one in last_acts if one.occurred_at <= began]
        return bool(before) and before[-1] in sorts

    dealt = sort_out(game.dossier.of(RoundPlayed), after_a_sort)
    return none_dealt(dealt, *sorts[:20])


# Whether its lid was opened for it


@upholds(
    "load",
    "Of a shuffler that was loaded the lid was opened before its cards were dealt.",
    only=is_opened,
    severity="deviation",
)
def lid_opened_for_the_load(game: PartidaContext, load: Load) -> Verdict:
    """The machine reported its lid opened since whatever went before the load.

    Not asked of a machine that reports nothing. Open where it reports no opened lid at all or was
    not heard in this game, and while nothing is dealt.
    """
    shuffler = load.event.shuffler
    if not _reports_anything(game, shuffler):
        return None
    begin, end = _until_dealt(game, game.loads.index(load))
    opened = [
        one for one in _reports(game, ShufflerSignal, shuffler) if one.event.signal == "lid_opened"
    ]
    if any(to_the_minute(begin) <= one.occurred_at <= (end or one.occurred_at) for one in opened):
        return LAWFUL
    if end is None or not _reports_of(game, shuffler, "lid_opened") or not _heard(game, shuffler):
        return UNDECIDED
    return breach({"shuffler": shuffler, "openings": 0}, {"at_least": 1}, load)


def _reports_anything(game: PartidaContext, shuffler: str | None) -> bool:
    """Whether a machine reported anything of itself in the last month; None: any machine."""
    return any(
        shuffler in (None, one.event.shuffler)
        for event_class in _REPORTS
        for one in game.dossier.anywhere(event_class)
    )


def _reports_of(game: PartidaContext, shuffler: str | None, signal: SignalOf) -> bool:
    """Whether it is a machine that tells such a signal at all."""
    return any(
        shuffler in (None, one.event.shuffler) and one.event.signal == signal
        for one in game.dossier.anywhere(ShufflerSignal)
    )


# How many cards it counted


@upholds(
    "load",
    "A shuffler counts all the cards of the decks that were loaded.",
    needs="decks.cards",
    only=at_a_shuffler,
)
def shuffler_counts_whole_decks(game: PartidaContext, load: Load) -> Verdict:
    """The last count between the loading and the first card that left the machine, burnt or dealt.

    Law: PT art. 3.
    """
    place = game.loads.index(load)
    shoe = game.shoe(place + 1)
    begin = load.event.started_at or load.occurred_at
    out = [at for one in game.loads[place + 1 :] if (at := one.occurred_at) > begin]
    if shoe is not None:
        out += [*first_cards(shoe.rounds), *(one.occurred_at for one in shoe.burns)]
    until = min((at for at in out if at >= begin), default=game.dossier.as_of)
    counts = [
        one
        for one in _reports(game, ShufflerCycle, load.event.shuffler)
        if one.event.cards is not None and begin <= one.occurred_at <= until
    ]
    if not counts:
        return None
    asked = game.p["decks.cards"] * len(load.event.decks)
    return equal("cards", counts[-1].event.cards, asked, load, counts[-1])


# The warning light


@upholds(
    "partida",
    "Play does not go on while the shuffler's warning light is on and nobody answers it.",
    needs="csm.light_rounds",
    only=at_a_shuffler,
)
def warning_light_answered(game: PartidaContext) -> Verdict:
    """No more rounds are begun after it went on than the house allows, until it is answered.

    It is answered when it goes off, when the lid is opened, when play is stopped for the shuffler,
    or when somebody reports an incident of it.

    Law: PT art. 51.
    """
    signals = _reports(game, ShufflerSignal, _its_machine(game))
    if not signals:
        return None
    lights = [one for one in signals if one.event.signal == "light_on"]
    ignored: dict[str, Round] = {}
    shown, doubtful, most = [], False, game.p["csm.light_rounds"]
    for light in lights:
        until = min(_answers(game, light, signals), default=None)
        dealt = rounds_between(game, light.occurred_at, until)
        if len(dealt.sure) > most:
            shown.append(light)
            ignored |= {one.entry_id: one for one in dealt.sure}
        doubtful = doubtful or dealt.doubtful
    if not shown:
        return UNDECIDED if doubtful else LAWFUL
    rounds = sorted(ignored.values(), key=in_place)[:ROUNDS_CITED]
    found = {"rounds": len(ignored), "since": shown[0].occurred_at}
    return breach(found, {"at_most": most}, *shown[:20], *rounds)


def _answers(game: PartidaContext, light: Signal, signals: Sequence[Signal]) -> Iterator[datetime]:
    """The moments from which a light was seen to; a moment known to the minute may be any of it."""
    for one in signals:
        if one.event.signal in ("light_off", "lid_opened") and in_time(one) > in_time(light):
            yield one.occurred_at
    yield from _recorded_of(game, light)


def _recorded_of(game: PartidaContext, light: Signal) -> Iterator[datetime]:
    """The moments of what people recorded of a light: a lid, a stop, an incident."""
    since, shuffler = light.occurred_at, light.event.shuffler
    for lid in game.dossier.anywhere(ShufflerOpened):
        at = lid.event.opened_at or lid.occurred_at
        if lid.event.shuffler == shuffler and at >= to_the_minute(since):
            yield max(at, since)
    for stop in game.dossier.of(PlayInterrupted):
        if stop.event.reason == "shuffler" and stop.occurred_at >= to_the_minute(since):
            yield max(stop.occurred_at, since)
    for trouble in troubles_of(game):
        if not at_shuffler(game, trouble) or trouble.event.shuffler not in (None, shuffler):
            continue
        over = over_at(game, trouble)
        if over is None or over >= since:  # of one that goes on the light is part
            yield max(trouble.event.noticed_at or trouble.occurred_at, since)


@upholds(
    "partida",
    "Of every warning light of a shuffler somebody recorded why it was on.",
    only=at_a_shuffler,
    severity="deviation",
)
def warning_light_on_record(game: PartidaContext) -> Verdict:
    """An incident of it, its lid opened or play stopped for it, before the next light.

    A light under which play went on is the article's matter where the rulebook states it. Not asked
    of a machine that reports nothing; open where it tells no light at all, and until the closing.
    """
    shuffler = _its_machine(game)
    if not _reports_anything(game, shuffler):
        return None
    signals = _reports(game, ShufflerSignal, shuffler)
    begin, end = game.opening.occurred_at, _ends(game)
    lights = [
        one for one in signals if one.event.signal == "light_on" and begin <= one.occurred_at <= end
    ]
    if not lights:
        reported = _reports_of(game, shuffler, "light_on") and _heard(game, shuffler)
        return LAWFUL if reported else UNDECIDED
    lit = zip(lights, [*lights[1:], None], strict=True)
    return together(_on_record(game, light, then, signals) for light, then in lit)


def _on_record(
    game: PartidaContext, light: Signal, then: Signal | None, signals: Sequence[Signal]
) -> Verdict:
    """Of one light; `then` is the next."""
    first = min(_recorded_of(game, light), default=None)
    if first is not None and (then is None or first < then.occurred_at):
        return LAWFUL
    if game.rules.states("csm.light_rounds"):
        until = min(_answers(game, light, signals), default=None)
        if len(rounds_between(game, light.occurred_at, until).sure) > game.p["csm.light_rounds"]:
            return LAWFUL
    if game.closed is None:
        return UNDECIDED
    found, where = {"moment": light.occurred_at, "records": 0}, {"shuffler": light.event.shuffler}
    return breach(found, {"at_least": 1}, light, where=where)


# Its program and its seals

Standing = Literal["approved", "revoked", "none"]


class Decided(Protocol):
    """What is decided of a program, as an event and as a row of its list."""

    @property
    def model(self) -> str:
        """Of which model of shuffler."""

    @property
    def firmware_sha256(self) -> str:
        """Which program, by its digest."""

    @property
    def valid_from(self) -> datetime:
        """From when on."""

    @property
    def decision(self) -> str:
        """``"approved"`` or ``"revoked"``."""


def _self_checks(game: PartidaContext, load: Load) -> list[RecordedEvent[ShufflerSelfCheck]]:
    """What the machine said of itself last before a load that day, and from there to the next."""
    place = game.loads.index(load)
    later = game.loads[place + 1].occurred_at if place + 1 < len(game.loads) else None
    listed = [
        one
        for one in _reports(game, ShufflerSelfCheck, load.event.shuffler)
        if one.gaming_day == game.dossier.gaming_day and (later is None or one.occurred_at < later)
    ]
    before = [one for one in listed if one.occurred_at <= load.occurred_at]
    return [*before[-1:], *(one for one in listed if one.occurred_at > load.occurred_at)]


@upholds(
    "load",
    "A shuffler that is dealt from runs a program that was approved for it.",
    severity="deviation",
)
def shuffler_firmware_approved(game: PartidaContext, load: Load) -> Verdict:
    """What the machine says it runs, by its digest, against the approvals of its model.

    Open while no program of the model was ever approved on record.

    Source: Portaria 461/2001, n.º 3.
    """
    reported = [one for one in _self_checks(game, load) if one.event.firmware_sha256 is not None]
    return together(_approved(game, load, one) for one in reported)


def _approved(
    game: PartidaContext, load: Load, report: RecordedEvent[ShufflerSelfCheck]
) -> Verdict:
    event = report.event
    assert event.firmware_sha256 is not None
    decided = game.dossier.house_of(FirmwareDecided)
    at = max(load.occurred_at, report.occurred_at)
    standing = firmware_standing(
        [one.event for one in decided], _model(game, load), event.firmware_sha256, at
    )
    if standing in (None, "approved"):
        return UNDECIDED if standing is None else LAWFUL
    found: dict[str, object] = {"decision": standing, "digest": event.firmware_sha256[:16]}
    if event.firmware is not None:
        found["firmware"] = event.firmware
    of_it = [one for one in decided if one.event.firmware_sha256 == event.firmware_sha256]
    return breach(found, {"decision": "approved"}, load, report, *of_it[-1:])


def firmware_standing(
    decisions: Iterable[Decided], model: str | None, digest: str, at: datetime
) -> Standing | None:
    """What was last decided of a program by a moment, ``"none"`` where nothing was of it.

    `decisions` in the order of the book; of a machine nobody registered (`model` None) those of any
    model. None where no program of that model was ever decided on.
    """
    listed = [one for one in decisions if model is None or one.model.casefold() == model.casefold()]
    if not listed:
        return None
    of_it = [one for one in listed if one.firmware_sha256 == digest and one.valid_from <= at]
    if not of_it:
        return "none"
    last = max(reversed(of_it), key=lambda one: one.valid_from)  # of one moment the later record
    return "approved" if last.decision == "approved" else "revoked"


def _model(game: PartidaContext, load: Load) -> str | None:
    """The model the machine is registered as by then; None for one nobody registered."""
    listed = [
        one.event.model
        for one in game.dossier.around_of(ShufflerRegistered)
        if one.event.shuffler == load.event.shuffler and one.occurred_at <= load.occurred_at
    ]
    return listed[-1] if listed else None


@upholds("load", "The seals of a shuffler that is dealt from are whole.", severity="deviation")
def shuffler_seals_intact(game: PartidaContext, load: Load) -> Verdict:
    """By what the machine says of them about its loading, and until the next."""
    reported = [one for one in _self_checks(game, load) if one.event.seals is not None]
    return together(equal("seals", one.event.seals, "intact", load, one) for one in reported)
