"""What the book tells of one partida, gathered for the checks of its procedures.

Data only: whoever reads the book makes a dossier, the checks ask it. An entry that was superseded
by an approved correction is left out by its maker, so that a check never meets it.
Moments are aware UTC. What the house tells of its people (an office, a duty) counts for an act
where it was so by then, and where the book knew it when the act was recorded: who was given an
office afterwards did not hold it, whatever day stands on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Generic, TypeVar

from casino.events.corrections import Corrected
from casino.events.event import Event
from casino.events.staff import DutyBegun, DutyEnded, OfficeEnded, OfficeGranted

F = TypeVar("F")
F_co = TypeVar("F_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Signed:
    """Who wrote an entry: staff number (or device), the office held then, and the door."""

    staff: str
    office: str
    door: str


@dataclass(frozen=True, slots=True)
class RecordedEvent(Generic[F_co]):
    """One entry of the book as a check sees it.

    `leaf` is its leaf hash in 64 hex digits, `n` its number in its stream; `occurred_at` is what
    the writer says, `recorded_at` what the book's own clock said.
    """

    entry_id: str
    stream: str
    n: int
    leaf: str
    occurred_at: datetime
    recorded_at: datetime
    gaming_day: date
    by: Signed
    event: F_co


AnyRecorded = RecordedEvent[Any]  # of whichever kind


def in_time(recorded: RecordedEvent[Any]) -> tuple[datetime, str, int]:
    """The order in which things happened; what is recorded of one moment stands in the book's
    order.
    """
    return recorded.occurred_at, recorded.stream, recorded.n


@dataclass(frozen=True, slots=True, kw_only=True)
class Dossier:
    """Everything the book tells of one partida at a moment.

    - `entries`: its own entries, in the order of their stream;
    - `house`: entries of no partida that bear on its day: offices, duty, decks shown;
    - `around`: what is recorded outside it of its table (boxes, limits), its decks, its shuffler,
      its incidents and complaints, and when other games with any of the first three began and
      ended;
    - `replaced`: those of its entries that an approved correction took the place of, which no check
      counts; they tell what a word was given for before it;
    - `elsewhere`: what the persons who witnessed here witnessed in other partidas, and the acts;
    - `earlier`: the games before it in which any of its decks was, of each what is recorded of its
      decks and rounds: for whoever weighs its cards, else empty;
    - `as_of`: the moment at which it is judged. What may still be recorded in time is no absence
    yet.
    """

    partida: str
    table: str
    gaming_day: date
    as_of: datetime
    entries: tuple[AnyRecorded, ...]
    house: tuple[RecordedEvent[Event], ...] = ()
    around: tuple[RecordedEvent[Event], ...] = ()
    elsewhere: tuple[RecordedEvent[Event], ...] = ()
    replaced: tuple[AnyRecorded, ...] = ()
    earlier: tuple["Dossier", ...] = ()
    # What was asked of the entries before: checks ask for the same hundreds of times.
    _kinds: dict[str, dict[type, list[AnyRecorded]]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    _in_time: dict[tuple[type, str], list[AnyRecorded]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    _people: dict[type, dict[tuple[str, str], list[AnyRecorded]]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def _in(self, part: str, event_class: type[F]) -> list[RecordedEvent[F]]:
        kinds = self._kinds.get(part)
        if kinds is None:
            kinds = self._kinds[part] = {}
            for one in getattr(self, part):
                kinds.setdefault(type(one.event), []).append(one)
        return kinds.get(event_class, [])

    def of(self, event_class: type[F]) -> list[RecordedEvent[F]]:
        """The partida's entries of one kind, in the order of the book."""
        return [*self._in("entries", event_class)]

    def house_of(self, event_class: type[F]) -> list[RecordedEvent[F]]:
        """The house's entries of one kind, in the order of the book."""
        return [*self._in("house", event_class)]

    def around_of(self, event_class: type[F]) -> list[RecordedEvent[F]]:
        """What is recorded of one kind outside the partida of what belongs to it, as it
        happened.
        """
        return self._sorted(event_class, "around")

    def anywhere(self, event_class: type[F]) -> list[RecordedEvent[F]]:
        """The entries of one kind in the partida and around it, as they happened."""
        return self._sorted(event_class, "anywhere")

    def _sorted(self, event_class: type[F], where: str) -> list[RecordedEvent[F]]:
        found = self._in_time.get((event_class, where))
        if found is None:
            own = self._in("entries", event_class) if where == "anywhere" else []
            every = [*own, *self._in("around", event_class)]
            found = self._in_time[event_class, where] = sorted(every, key=in_time)
        return [*found]

    def elsewhere_of(self, event_class: type[F]) -> list[RecordedEvent[F]]:
        """Entries of one kind from other partidas."""
        return [*self._in("elsewhere", event_class)]

    def with_entry(
        self, recorded: RecordedEvent[Event], instead_of: str | None = None
    ) -> "Dossier":
        """The dossier as it would be with one more entry; it replaces the one with that leaf."""
        kept = [one for one in self.entries if instead_of is None or one.leaf != instead_of]
        return replace(self, entries=(*kept, recorded))

    def first_record(self, recorded: RecordedEvent[F]) -> RecordedEvent[F]:
        """What an approved correction stands for in the end; an entry that corrects none, itself.

        A correction does not come to know what was recorded since the record it corrects.
        """
        if not self.replaced:
            return recorded
        corrected = {
            word.event.pending.leaf: word.event.original.leaf
            for word in self.of(Corrected)
            if word.event.decision == "approved"
        }
        before = {one.leaf: one for one in self.replaced}
        while (original := before.get(corrected.get(recorded.leaf, ""))) is not None:
            recorded = original
        return recorded

    def holds_office(
        self, staff: str, office: str, at: datetime, act: RecordedEvent[Event]
    ) -> bool:
        """Whether the house had granted a person that office, for that moment, and not ended it.

        As it was known when the act was recorded for which it is asked.
        """
        known_by = self.first_record(act).recorded_at
        begun = [
            one.event.valid_from
            for one in self._of_person(OfficeGranted, staff, office)
            if max(one.event.valid_from, one.occurred_at) <= at
            and (one.event.valid_until is None or at < one.event.valid_until)
            and one.recorded_at <= known_by
        ]
        if not begun:
            return False
        ended = [one.event.ended_at for one in self._of_person(OfficeEnded, staff, office)]
        # An office ended and granted again is held again.
        return not any(max(begun) < end <= at for end in ended)

    def on_duty(self, staff: str, office: str, at: datetime, act: RecordedEvent[Event]) -> bool:
        """Whether a person had begun duty in that office, and not ended it, at that moment.

        As it was known when the act was recorded for which it is asked. Whoever ends duty at the
        very moment is still on duty.
        """
        known_by = self.first_record(act).recorded_at
        begun = [
            one
            for one in self._of_person(DutyBegun, staff, office)
            if one.occurred_at <= at and one.recorded_at <= known_by
        ]
        began = max(begun, key=in_time, default=None)
        if began is None:
            return False
        ended = [one.occurred_at for one in self._of_person(DutyEnded, staff, office)]
        return not any(began.occurred_at <= end < at for end in ended)

    def _of_person(
        self, event_class: type[F], staff: str, office: str
    ) -> Sequence[RecordedEvent[F]]:
        """The house's entries of one kind that tell of a person in an office."""
        people = self._people.get(event_class)
        if people is None:
            people = self._people[event_class] = {}
            for one in self._in("house", event_class):
                event: Any = one.event
                people.setdefault((event.staff, event.office), []).append(one)
        return people.get((staff, office), ())
