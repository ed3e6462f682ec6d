"""One partida before the rules of its day: what several checks of the floor ask of its dossier.

A shoe is prepared step by step (shuffle, cut, warning card, burnt card) and then dealt from. A step
nobody recorded is a breach only where the record shows that play went past it: a later step, a
round, a later shoe, the closing. Until then it may still be recorded.

Where a shuffler deals, each load counts as a shoe, the first is 1.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Final, Literal, TypeVar

from casino.events.corrections import Corrected
from casino.events.decks import DeckInspected
from casino.events.event import Event
from casino.events.floor_life import PartidaReopened
from casino.events.incidents import IncidentClosed, IncidentReported
from casino.events.partidas import Dealing, PartidaClosed, PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import (
    CardBurned,
    CardsShuffled,
    CardsSpread,
    CartaAvisoPlaced,
    CutMade,
    LastRoundAnnounced,
)
from casino.events.shufflers import ShufflerLoaded, ShufflerRegistered, ShufflerUnloaded
from casino.events.tables import LimitsSet
from casino.events.witnessing import Witnessed
from casino.law.dossier import AnyRecorded, Dossier, RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Undecided, Verdict
from casino.law.game_incidents import Incident, incidents_of, is_of
from casino.law.questions import breach
from casino.law.rulebook.lacking import FIRST_CARD_UNTIMED
from casino.law.rulebook.rulebook import LawInForce

Step = Literal["shuffles", "cuts", "warnings", "burns", "played"]
STEPS: Final[tuple[Step, ...]] = ("shuffles", "cuts", "warnings", "burns", "played")
_NO_NUMBER: Final = 2**62

F = TypeVar("F")


@dataclass(slots=True, eq=False)
class Shoe:
    """What is recorded of one shoe, step by step: rounds by their number, the rest as it happened.

    `played` shows that cards were dealt from it: its rounds, and the announcement of its last one.
    """

    number: int
    shuffles: list[RecordedEvent[CardsShuffled]] = field(default_factory=list)
    cuts: list[RecordedEvent[CutMade]] = field(default_factory=list)
    warnings: list[RecordedEvent[CartaAvisoPlaced]] = field(default_factory=list)
    burns: list[RecordedEvent[CardBurned]] = field(default_factory=list)
    rounds: list[RecordedEvent[RoundPlayed]] = field(default_factory=list)
    announced: list[RecordedEvent[LastRoundAnnounced]] = field(default_factory=list)
    spread: list[RecordedEvent[CardsSpread]] = field(default_factory=list)

    @property
    def played(self) -> list[RecordedEvent[Event]]:
        """Whatever shows that cards were dealt from it, the round of the lowest number first."""
        return [*self.rounds, *self.announced]

    def after(self, step: Step) -> list[RecordedEvent[Event]]:
        """What is recorded of the steps that follow one, the nearest step first."""
        later = STEPS[STEPS.index(step) + 1 :]
        return [value for name in later for value in getattr(self, name)]

    def before(self, step: Step) -> list[RecordedEvent[Event]]:
        """What is recorded of the steps that precede one, the nearest step last."""
        earlier = STEPS[: STEPS.index(step)]
        return [value for name in earlier for value in getattr(self, name)]

    @property
    def real_cuts(self) -> list[RecordedEvent[CutMade]]:
        """Its cuts, but for an entry that says that nobody cut."""
        return [cut for cut in self.cuts if cut.event.cut_by != "nobody"]

    @property
    def came_out(self) -> RecordedEvent[RoundPlayed] | None:
        """The round in which its warning card came out, or just before."""
        return next((one for one in self.rounds if one.event.warning_card_at is not None), None)

    @property
    def acts(self) -> list[RecordedEvent[Event]]:
        """Everything told of it, in the order in which it happened."""
        return sorted([*self.shuffles, *self.after("shuffles")], key=in_time)


def is_opened(game: "PartidaContext", _: object = None) -> bool:
    """Whether its opening is on record; a condition for `upholds`, as those that follow."""
    return game.opened is not None


def at_a_shoe(game: "PartidaContext", _: object = None) -> bool:
    """Whether it is known to be dealt from a shoe."""
    return game.dealing == "shoe"


def at_a_shuffler(game: "PartidaContext", _: object = None) -> bool:
    """Whether it is known to be dealt from a shuffler."""
    return game.dealing == "shuffler"


def not_at_a_shuffler(game: "PartidaContext", _: object = None) -> bool:
    """Whether it is not known to be dealt from a shuffler."""
    return game.dealing != "shuffler"


def if_at_a_shuffler(game: "PartidaContext", _: object = None) -> bool | None:
    """Whether it is dealt from a shuffler; None where nobody recorded how."""
    return None if game.dealing is None else game.dealing == "shuffler"


class PartidaContext:
    """A dossier with the law of its day: `p` are the figures in force.

    `opened` and `closed` are None where the book does not tell them; then no absence is a breach.
    A closing that was undone is none; `reopened` tells when play went on.
    """

    def __init__(self, dossier: Dossier, rules: LawInForce) -> None:
        self.dossier = dossier
        self.rules = rules
        self.p = rules.values
        self.opened = _first(dossier.of(PartidaOpened))
        self.reopened = sorted(dossier.of(PartidaReopened), key=in_time)
        self.closed = _first(
            [
                one
                for one in dossier.of(PartidaClosed)
                if not self.reopened or in_time(one) > in_time(self.reopened[-1])
            ]
        )

    # Each is gathered for whoever asks first: a page of thirty tables asks for few of these.

    @cached_property
    def acts(self) -> list[AnyRecorded]:
        """Everything recorded of it but its rounds, as it happened."""
        entries = self.dossier.entries
        return sorted((one for one in entries if type(one.event) is not RoundPlayed), key=in_time)

    @cached_property
    def exhibitions(self) -> list[RecordedEvent[DeckInspected]]:
        """The exhibitions of decks, as they happened."""
        shown = sorted(self.dossier.of(DeckInspected), key=in_time)
        return [one for one in shown if one.event.moment == "exhibition"]

    @cached_property
    def loads(self) -> list[RecordedEvent[ShufflerLoaded]]:
        """When its shuffler was loaded, as it happened."""
        return sorted(self.dossier.of(ShufflerLoaded), key=in_time)

    @cached_property
    def unloads(self) -> list[RecordedEvent[ShufflerUnloaded]]:
        """When its shuffler was emptied, as it happened."""
        return sorted(self.dossier.of(ShufflerUnloaded), key=in_time)

    @cached_property
    def incidents(self) -> list[Incident]:
        """Its incidents, in the order of the book."""
        return incidents_of(self.dossier)

    @cached_property
    def witnessings(self) -> list[RecordedEvent[Witnessed]]:
        """The words of its witnesses, in the order of the book."""
        return self.dossier.of(Witnessed)

    @cached_property
    def shoes(self) -> tuple[Shoe, ...]:
        """Every shoe the record names, by its number."""
        return _shoes(self.dossier, self.dealing)

    @cached_property
    def unplaced(self) -> list[RecordedEvent[RoundPlayed]]:
        """Rounds of which nobody tells the shoe: each may be of any."""
        placed = {recorded.entry_id for shoe in self.shoes for recorded in shoe.rounds}
        return [one for one in self.dossier.of(RoundPlayed) if one.entry_id not in placed]

    @cached_property
    def lives(self) -> dict[str, list[AnyRecorded]]:
        """Of each game on record here, this one or another, its opening, closings and reopenings,
        as they happened.
        """
        kinds = (PartidaOpened, PartidaClosed, PartidaReopened)
        return by_game(one for kind in kinds for one in self.dossier.anywhere(kind))

    @property
    def opening(self) -> RecordedEvent[PartidaOpened]:
        """The opening, of a game of which it is on record."""
        assert self.opened is not None
        return self.opened

    @property
    def closing(self) -> RecordedEvent[PartidaClosed]:
        """The closing, of a game of which it is on record."""
        assert self.closed is not None
        return self.closed

    @property
    def dealing(self) -> Dealing | None:
        """From a shoe or a shuffler; None where nobody recorded the opening."""
        return self.opened.event.dealing if self.opened is not None else None

    @property
    def decks(self) -> tuple[str, ...]:
        """The decks the game was opened with."""
        if self.opened is None:
            return ()
        return tuple(each.deck for each in self.opened.event.decks)

    @property
    def continuous(self) -> bool | None:
        """Whether its shuffler takes the cards back after every round; None where nobody knows."""
        shuffler = self.opened.event.shuffler if self.opened is not None else None
        listed = [
            one.event.continuous
            for one in self.dossier.around_of(ShufflerRegistered)
            if one.event.shuffler == shuffler
        ]
        return listed[-1] if listed else None

    @property
    def limits_recorded(self) -> list[RecordedEvent[PartidaOpened] | RecordedEvent[LimitsSet]]:
        """Of a game whose opening is on record: it, and every limits set while it was open."""
        opened, closed = self.opening, self.closed
        return [
            opened,
            *(
                one
                for one in self.dossier.anywhere(LimitsSet)
                if one.event.valid_from > opened.occurred_at
                and (closed is None or one.event.valid_from < closed.occurred_at)
            ),
        ]

    def settled(self, reported: IncidentReported) -> RecordedEvent[IncidentClosed] | None:
        """What was recorded last of an incident's end; None where it is not closed."""
        ends = self.dossier.anywhere(IncidentClosed)
        over = [one for one in ends if is_of(self.dossier, reported, one.event)]
        return over[-1] if over else None

    def shoe(self, number: int) -> Shoe | None:
        """A shoe by its number, if the record names it."""
        return next((shoe for shoe in self.shoes if shoe.number == number), None)

    def witnesses_of(self, act: RecordedEvent[Event]) -> list[RecordedEvent[Witnessed]]:
        """Who put his word to an entry, or to what it corrects, in the order of the book.

        A word stands for the correction only where decks, machine, persons and moments stayed.
        """
        entries = {(one.stream, one.n, one.leaf) for one in self.corrected_by(act)}
        return [
            one
            for one in self.witnessings
            if (one.event.witnessed.stream, one.event.witnessed.n, one.event.witnessed.leaf)
            in entries
        ]

    def corrected_by(self, act: RecordedEvent[Event]) -> list[RecordedEvent[Event]]:
        """An entry, and before it those it corrects that tell of the same act as it does."""
        found = [act]
        while (before := self._original_of(found[0])) is not None and _same_act(before, act):
            found.insert(0, before)
        return found

    def _original_of(self, recorded: RecordedEvent[Event]) -> RecordedEvent[Event] | None:
        decided = self.approval_of(recorded)
        if decided is None:
            return None
        leaf = decided.event.original.leaf
        return next((recorded for recorded in self.dossier.replaced if recorded.leaf == leaf), None)

    def approval_of(self, recorded_entry: RecordedEvent[Event]) -> RecordedEvent[Corrected] | None:
        """The second person's word by which a correction came to count; None for no correction."""
        decided = [
            one
            for one in self.dossier.of(Corrected)
            if one.event.decision == "approved" and one.event.pending.leaf == recorded_entry.leaf
        ]
        return decided[-1] if decided else None

    def owing(
        self, shoe: Shoe, step: Step
    ) -> RecordedEvent[Event] | Literal["not_decidable"] | None:
        """The entry that shows that a step of a shoe nobody recorded was due: the next step's
        first.

        None where it was not due, or not yet; UNDECIDED where the record cannot show it.
        """
        later = shoe.after(step)
        shown = later[0] if later else self._left_behind(shoe)
        if shown is None or self.opened is not None:
            return shown
        return UNDECIDED  # a record without its opening may lack anything else too

    def _left_behind(self, shoe: Shoe) -> RecordedEvent[Event] | Literal["not_decidable"] | None:
        """The later shoe or the closing that shows that a shoe was dealt from.

        UNDECIDED where the rounds played may all be of other shoes.
        """
        if shoe.spread:
            return None  # laid out on the table before it was dealt
        rounds = self.dossier.of(RoundPlayed)
        elsewhere = bool(rounds) and all(recorded.event.shoe is not None for recorded in rounds)
        following = [other for other in self.shoes if other.number > shoe.number]
        if following:
            if elsewhere:
                return UNDECIDED  # it may have been set aside, as no round is recorded of it
            return [*following[0].shuffles, *following[0].after("shuffles")][0]
        if self.closed is None or self.closed.event.rounds == 0:
            return None
        if elsewhere:
            return None  # none of the rounds told is of this shoe: the game ended before it
        if shoe.number > 1 or not shoe.after("shuffles"):
            return UNDECIDED  # prepared for a game that may have ended there
        return self.closed

    def prepared(self, shoe: Shoe, step: Step) -> Verdict:
        """Whether a step of a shoe was taken, and before its first card was dealt."""
        done: Sequence[RecordedEvent[Event]] = getattr(shoe, step)
        if not done:
            shown = self.owing(shoe, step)
            if shown is None or isinstance(shown, str):
                return shown
            return breach(
                {step: 0},
                {"at_least": 1},
                *shoe.before(step)[-1:],
                shown,
                where={"shoe": shoe.number},
            )
        moments = {self.when(shoe, recorded) for recorded in done}
        if "before" in moments:
            return LAWFUL
        if "unknown" in moments:
            return Undecided(FIRST_CARD_UNTIMED)
        return breach(
            {"moment": min(done, key=in_time).occurred_at},
            {"not_after": first_cards(shoe.rounds)[0]},
            *done,
            *shoe.rounds[:1],
            where={"shoe": shoe.number},
        )

    def when(self, shoe: Shoe, done: RecordedEvent[Event]) -> Literal["before", "after", "unknown"]:
        """Whether something was done before a shoe's first card, as far as the rounds tell."""
        dealt = first_cards(shoe.rounds)
        if dealt and done.occurred_at > dealt[0]:
            return "after"
        rounds = [*shoe.rounds, *self.unplaced]
        begins = [_begins(recorded) for recorded in rounds]
        if all(moment is not None and done.occurred_at <= moment for moment in begins):
            return "before"
        if self.unplaced or any(recorded.event.number is None for recorded in rounds):
            return "unknown"
        # The round of the lowest number speaks for those whose moments nobody recorded.
        first, *others = begins
        later = all(
            moment is not None or done.occurred_at <= recorded.occurred_at
            for moment, recorded in zip(others, rounds[1:], strict=True)
        )
        known = first is not None and done.occurred_at <= first
        return "before" if known and later else "unknown"


# What tells one act from another, whatever else of it was recorded wrongly.
_OF_AN_ACT: Final = ("shuffler", "decks", "operator", "started_at", "ended_at", "reason")


def _same_act(recorded_before: RecordedEvent[Event], after: RecordedEvent[Event]) -> bool:
    """Whether a correction tells of what its original told of: the same things at the same time."""
    return recorded_before.occurred_at == after.occurred_at and all(
        getattr(recorded_before.event, name, None) == getattr(after.event, name, None)
        for name in _OF_AN_ACT
    )


def unmeant_closings(game: PartidaContext) -> set[datetime]:
    """When closings were undone that had been recorded by mistake: nothing shows that play stopped.

    Law: PT art. 8.
    """
    return {one.occurred_at for one in game.reopened if one.event.reason == "closed_by_mistake"}


def passes_of(
    shuffles: Iterable[RecordedEvent[CardsShuffled]], *methods: str | None
) -> dict[str, int]:
    """The passes each deck was given, in these ways where some are named."""
    passes: dict[str, int] = {}
    for recorded in shuffles:
        if not methods or recorded.event.method in methods:
            for each in recorded.event.decks:
                passes[each.deck] = passes.get(each.deck, 0) + each.passes
    return passes


def first_cards(rounds: Iterable[RecordedEvent[RoundPlayed]]) -> list[datetime]:
    """The moments at which rounds began to be dealt, as far as recorded, the earliest first."""
    listed = [one.event.times for one in rounds]
    return sorted(times.first_card for times in listed if times and times.first_card is not None)


def _begins(recorded: RecordedEvent[RoundPlayed]) -> datetime | None:
    """The latest moment told at which the round had not been dealt yet."""
    times = recorded.event.times
    return (times.first_card or times.stakes_closed) if times is not None else None


def in_place(recorded: RecordedEvent[RoundPlayed]) -> tuple[int, int, tuple[datetime, str, int]]:
    """The order of rounds by shoe and number; those of which nobody recorded it come last.

    A round that was corrected keeps its place, so that what rests on it rests on the same round.
    """
    return recorded.event.shoe or _NO_NUMBER, recorded.event.number or _NO_NUMBER, in_time(recorded)


def by_game(recorded_events: Iterable[RecordedEvent[Any]]) -> dict[str, list[AnyRecorded]]:
    """What names a partida by that partida, as it happened."""
    games: dict[str, list[AnyRecorded]] = {}
    for one in sorted(recorded_events, key=in_time):
        games.setdefault(one.event.partida, []).append(one)
    return games


def _first(entries: Sequence[RecordedEvent[F]]) -> RecordedEvent[F] | None:
    return min(entries, key=in_time, default=None)


def _shoes(dossier: Dossier, dealing: Dealing | None) -> tuple[Shoe, ...]:
    """Every shoe the record names, by its number."""
    shoes: dict[int, Shoe] = {}

    def of(number: int) -> Shoe:
        return shoes.setdefault(number, Shoe(number))

    # What a shuffler deals from one load is one shoe, whatever number was written beside it.
    alone = 1 if dealing == "shuffler" and len(dossier.of(ShufflerLoaded)) <= 1 else None
    _put(dossier.of(CardsShuffled), of, "shuffles", alone)
    _put(dossier.of(CutMade), of, "cuts", alone)
    _put(dossier.of(CartaAvisoPlaced), of, "warnings", alone)
    _put(dossier.of(CardBurned), of, "burns", alone)
    _put(dossier.of(RoundPlayed), of, "rounds", alone)
    _put(dossier.of(LastRoundAnnounced), of, "announced", alone)
    ordered = tuple(sorted(shoes.values(), key=lambda shoe: shoe.number))
    for shoe in ordered:
        for steps in (shoe.shuffles, shoe.cuts, shoe.warnings, shoe.burns, shoe.announced):
            steps.sort(key=in_time)
        shoe.rounds.sort(key=in_place)
    for spread in dossier.of(CardsSpread):
        lying = _lying_at(ordered, spread)
        if lying is not None:
            lying.spread.append(spread)
    return ordered


def _put(entries: Iterable[RecordedEvent[Any]], of: Any, name: str, alone: int | None) -> None:
    for recorded in entries:
        number = recorded.event.shoe if alone is None else alone
        if number is not None:
            getattr(of(number), name).append(recorded)


def _lying_at(shoes: tuple[Shoe, ...], spread: RecordedEvent[CardsSpread]) -> Shoe | None:
    """The shoe whose cards were laid out: the one named, else the last begun by then."""
    if spread.event.shoe is not None:
        return next((shoe for shoe in shoes if shoe.number == spread.event.shoe), None)
    begun = [shoe for shoe in shoes if in_time(shoe.acts[0]) <= in_time(spread)]
    return begun[-1] if begun else None
