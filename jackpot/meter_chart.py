"""A meter through time as SVG text: no script, no style attribute, the same on screen and paper.

Pure: numbers and words come in, text goes out. Colours are there twice: as attributes, for whoever
prints the figure, and as classes, for a page that knows light from dark. What a colour says, the
shape of a mark says too.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple
from xml.sax.saxutils import escape, quoteattr

WIDTH: Final = 960
HEIGHT: Final = 320
_LEFT: Final = 120
_RIGHT: Final = 16
_TOP: Final = 16
_BOTTOM: Final = 34
_ACROSS: Final = WIDTH - _LEFT - _RIGHT
_DOWN: Final = HEIGHT - _TOP - _BOTTOM
_STEPS: Final = 4
_TIMES: Final = 5

Shape = Literal["up", "down", "square", "ring"]
_COLOURS: Final[dict[Shape, str]] = {
    "up": "#23613f",
    "down": "#b3201a",
    "square": "#845400",
    "ring": "#3b5583",
}


class Step(NamedTuple):
    """At a moment the meter went from one value to another (the same where it only stood)."""

    at: datetime
    before: int
    after: int


class Note(NamedTuple):
    """A mark on the line: its shape, and what it is called when it is pointed at or read aloud."""

    at: datetime
    value: int
    shape: Shape
    title: str


def line(
    steps: Sequence[Step],
    notes: Sequence[Note],
    *,
    first: datetime,
    last: datetime,
    opening: int,
    title: str,
    amount: Callable[[int], str],
    moment: Callable[[datetime], str],
) -> str:
    """The value from `first` to `last`, beginning with `opening`.

    `amount` writes a value at the scale, `moment` a time below it; `title` is what is read aloud.
    """
    values = [opening, *(one for step in steps for one in (step.before, step.after))]
    low, step = scale(min(values), max(values))
    over = _Over(first, last, low, step * _STEPS)
    drawn = [_rules(over, low, step, amount), _hours(over, moment), _path(over, steps, opening)]
    drawn += [_note(over, note) for note in notes]
    return (
        f'<svg class="curve" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' role="img" aria-label={quoteattr(title)}>{"".join(drawn)}</svg>'
    )


def scale(least: int, most: int) -> tuple[int, int]:
    """Where a scale of four round steps begins that holds these values, and its step.

    A step is 1, 2 or 5 and zeros.
    """
    wanted = max(most - least, 1)
    step = 1
    while True:
        for times in (1, 2, 5):
            one = step * times
            low = least // one * one
            if low + one * _STEPS >= least + wanted:
                return low, one
        step *= 10


class _Over(NamedTuple):
    """A plane of moments and values, and where they lie on it."""

    first: datetime
    last: datetime
    low: int
    height: int

    def x(self, at: datetime) -> int:
        """From the left, in whole pixels."""
        span = (self.last - self.first) // timedelta(milliseconds=1)
        gone = (min(max(at, self.first), self.last) - self.first) // timedelta(milliseconds=1)
        return _LEFT + (_ACROSS * gone // span if span else 0)

    def y(self, value: int) -> int:
        """From the top, in whole pixels."""
        return _TOP + _DOWN - (value - self.low) * _DOWN // self.height


def _rules(over: _Over, low: int, step: int, amount: Callable[[int], str]) -> str:
    drawn = []
    for number in range(_STEPS + 1):
        value = low + step * number
        y = over.y(value)
        drawn.append(
            f'<line class="rule" x1="{_LEFT}" y1="{y}" x2="{WIDTH - _RIGHT}" y2="{y}"'
            f' stroke="#c8cec9"/><text class="scale" x="{_LEFT - 8}" y="{y + 5}" font-size="14"'
            f' text-anchor="end" fill="#4d5855">{escape(amount(value))}</text>'
        )
    return "".join(drawn)


def _hours(over: _Over, moment: Callable[[datetime], str]) -> str:
    drawn = []
    span = over.last - over.first
    for part in range(_TIMES + 1):
        at = over.first + span * part / _TIMES
        x = over.x(at)
        side = "start" if not part else "end" if part == _TIMES else "middle"
        drawn.append(
            f'<line class="rule" x1="{x}" y1="{HEIGHT - _BOTTOM}" x2="{x}"'
            f' y2="{HEIGHT - _BOTTOM + 5}" stroke="#c8cec9"/>'
            f'<text class="scale" x="{x}" y="{HEIGHT - 10}" font-size="14" text-anchor="{side}"'
            f' fill="#4d5855">{escape(moment(at))}</text>'
        )
    return "".join(drawn)


def _path(over: _Over, steps: Sequence[Step], opening: int) -> str:
    """A line from step to step, straight down or up where the value leaps."""
    points = [(over.x(over.first), over.y(opening))]
    for step in steps:
        points += [(over.x(step.at), over.y(step.before)), (over.x(step.at), over.y(step.after))]
    ends = steps[-1].after if steps else opening
    points.append((over.x(over.last), over.y(ends)))
    listed = [place for n, place in enumerate(points) if not n or place != points[n - 1]]
    walked = " ".join(f"{x},{y}" for x, y in listed)
    return (
        f'<polyline class="line" points="{walked}" fill="none" stroke="#0d5c6b" stroke-width="2"'
        ' stroke-linejoin="round"/>'
    )


def _note(over: _Over, note: Note) -> str:
    x, y = over.x(note.at), over.y(note.value)
    colour = _COLOURS[note.shape]
    drawn = {
        "up": f'<path d="M{x} {y - 6}l6 10h-12z" fill="{colour}"/>',
        "down": f'<path d="M{x} {y + 6}l6 -10h-12z" fill="{colour}"/>',
        "square": f'<rect x="{x - 5}" y="{y - 5}" width="10" height="10" fill="{colour}"/>',
        "ring": f'<circle cx="{x}" cy="{y}" r="4.5" fill="#ffffff" stroke="{colour}"/>',
    }
    return (
        f'<g class="note {note.shape}"><title>{escape(note.title)}</title>{drawn[note.shape]}</g>'
    )
