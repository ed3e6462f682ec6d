"""Who sits at a table, who plays which box and for how much.

Law: PT art. 13 to 16 (stakes, complementary stakes, vacant boxes).
"""

from dataclasses import dataclass, field
from random import Random

from casino.events.round.round_played import Limits
from casino.simulation.draft import Betting, Dealing, Wagered
from casino.simulation.strategy import STYLES, Style

MOST_BOXES = 7


@dataclass(slots=True, eq=False)
class Guest:
    """A player of the partida, by pseudonym; standing players have no seat."""

    name: str
    seat: int | None
    style: Style
    unit: int  # how many times the minimum he usually stakes


@dataclass(slots=True, eq=False)
class Floor:
    """The people around one table, coming and going."""

    rng: Random
    limits: Limits
    seats: int
    seated: dict[int, Guest] = field(default_factory=dict)
    standing: list[Guest] = field(default_factory=list)
    styles: dict[str, Style] = field(default_factory=dict)
    came: int = 0

    def _guest(self, seat: int | None) -> Guest:
        self.came += 1
        rng = self.rng
        guest = Guest(f"J{self.came}", seat, rng.choice(STYLES), rng.choice((1, 1, 1, 2, 2, 4, 6)))
        self.styles[guest.name] = guest.style
        return guest

    def arrive(self) -> None:
        """Somebody sits down, if the seat he looks at is free."""
        seat = self.rng.randint(1, self.seats)
        if seat not in self.seated:
            self.seated[seat] = self._guest(seat)

    def move(self) -> None:
        """Between two rounds: somebody comes, somebody goes; never an empty table."""
        rng = self.rng
        if len(self.seated) < 1 or rng.random() < 0.10:
            self.arrive()
        if len(self.seated) > 1 and rng.random() < 0.05:
            gone = self.seated.pop(rng.choice(sorted(self.seated)))
            self.styles.pop(gone.name)
        if len(self.standing) < 2 and rng.random() < 0.02:
            self.standing.append(self._guest(None))
        elif self.standing and rng.random() < 0.02:
            self.styles.pop(self.standing.pop(0).name)

    def boxes(self, most: int = MOST_BOXES) -> list[Betting]:
        """The boxes staked on in this round, ascending; at least one, at most `most`."""
        boxes: list[Betting] = []
        for seat in range(1, self.seats + 1):
            guest = self.seated.get(seat)
            if guest is None:
                if self.rng.random() < 0.06:
                    boxes.append(self._vacant(seat))
            elif self.rng.random() < 0.92:
                boxes.append(self._held(seat, guest))
        if not boxes:
            seat = min(self.seated)
            boxes.append(self._held(seat, self.seated[seat]))
        return boxes[:most]

    def _stake(self, guest: Guest) -> int:
        """A lawful first stake: so many times the minimum, up to the maximum. Law: PT art. 14."""
        times = guest.unit
        luck = self.rng.random()
        if luck < 0.2:
            times += 1
        elif luck < 0.25:
            times *= 3
        minimum, maximum = self.limits.minimum_cents, self.limits.maximum_cents
        if luck > 0.985:
            times = maximum // minimum
        return min(times, maximum // minimum) * minimum

    def _others(self, seat: int) -> list[Guest]:
        """Who else may stake on this box: seated and standing."""
        seated = [self.seated[at] for at in sorted(self.seated) if at != seat]
        return seated + self.standing

    def _held(self, seat: int, holder: Guest) -> Betting:
        stake = self._stake(holder)
        box = _betting(seat, holder.name)
        _first_stake(box, holder, stake)
        if self.rng.random() < 0.16:
            self._complementary(box, seat, self.limits.maximum_cents - stake)
        if self.rng.random() < 0.3:
            box.decided_by = holder.name
        return box

    def _complementary(self, box: Betting, seat: int, room: int) -> None:
        """Others' stakes beside the holder's: multiples, or what is missing. Law: PT art. 15."""
        others = self._others(seat)
        self.rng.shuffle(others)
        for guest in others[: self.rng.randint(1, 2)]:
            if room > 0 and self.rng.random() < 0.05:
                stake = room
            else:
                stake = min(
                    self._stake(guest),
                    room // self.limits.minimum_cents * self.limits.minimum_cents,
                )
            if stake > 0:
                _first_stake(box, guest, stake)
                room -= stake

    def _vacant(self, seat: int) -> Betting:
        """A box nobody holds: the largest stake decides, of equals the lowest seat.

        Law: PT art. 16.
        """
        guests = [self.seated[at] for at in sorted(self.seated)]
        self.rng.shuffle(guests)
        room = self.limits.maximum_cents
        box = Betting(seat, None, "", [Dealing(1, [])], [])
        for guest in guests[: self.rng.choice((1, 2, 2, 3))]:
            stake = min(
                self._stake(guest), room // self.limits.minimum_cents * self.limits.minimum_cents
            )
            if stake > 0:
                _first_stake(box, guest, stake)
                room -= stake
        box.leader = min(box.wagers, key=lambda w: (-w.stake, w.seat or 99)).owner
        box.decided_by = box.leader
        return box


def _betting(number: int, holder: str) -> Betting:
    return Betting(number, holder, holder, [Dealing(1, [])], [])


def _first_stake(box: Betting, guest: Guest, stake: int) -> None:
    box.wagers.append(Wagered(guest.name, guest.seat, "main", 1, stake, stake))
