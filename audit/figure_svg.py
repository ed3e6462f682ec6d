"""Figures as SVG text: the same on a page and in a report, with no script and no style attribute.

Pure: numbers and words come in, text goes out. Colours are there twice: as attributes, for whoever
prints the figure, and as classes, for a page that knows light from dark. What a colour says, a
pattern says too.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from casino.law.checks.rounds.card_frequency import log2_down

WIDTH: Final = 400
HEIGHT: Final = 190
_LEFT: Final = 30
_TOP: Final = 12
_BOTTOM: Final = 34
_GAP: Final = 6
_DECIMALS: Final = 24  # more room on the left for a scale of decimals
_LABEL: Final = 7  # characters below a pair of columns
# From the bottom up; each with the colour it has on paper.
STACK: Final = {
    "breach": "#b3201a", "deviation": "#b87a12", "warning": "#b87a12", "note": "#8da3cc",
}  # fmt: skip


class Bar(NamedTuple):
    """One column: the words below it, its parts by name, and what it is called when read aloud."""

    label: str
    sublabel: str
    parts: Mapping[str, int]
    title: str


def stacked_bars(bars: Sequence[Bar], title: str) -> str:
    """Columns of stacked parts over a scale that begins at 0. `title` is what is read aloud."""
    top = scale_top(max((sum(bar.parts.values()) for bar in bars), default=0))
    drawn = [_frame(top)]
    step = (WIDTH - _LEFT) // max(len(bars), 1)
    for place, bar in enumerate(bars):
        drawn.append(_column(bar, _LEFT + place * step, step, top))
    return (
        f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' role="img" aria-label={quoteattr(title)}>{_patterns()}{"".join(drawn)}</svg>'
    )


class Pair(NamedTuple):
    """Two columns side by side: the word below, this period, the one before, what is read aloud."""

    label: str
    now: int
    before: int
    title: str


def paired_bars(pairs: Sequence[Pair], title: str, scale: Callable[[int], str]) -> str:
    """This period as filled columns, the one before as outlined ones beside them, over one scale.

    `scale` says a number of the scale in words. `title` is what is read aloud.
    """
    top = scale_top(max((max(pair.now, pair.before) for pair in pairs), default=0))
    left = _LEFT + _DECIMALS
    drawn = [_frame(top, scale, left)]
    step = (WIDTH - left) // max(len(pairs), 1)
    for place, pair in enumerate(pairs):
        drawn.append(_pair(pair, left + place * step, step, top))
    return (
        f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' role="img" aria-label={quoteattr(title)}>{"".join(drawn)}</svg>'
    )


def _pair(pair: Pair, left: int, step: int, top: int) -> str:
    middle, width = left + step // 2, min((step - _GAP) // 2, 16)
    drawn = [f"<title>{escape(pair.title)}</title>"]
    columns = (
        (pair.before, middle - width, "bar-before", 'fill="#ffffff" stroke="#4d5855"'),
        (pair.now, middle, "bar-now", 'fill="#0d5c6b"'),
    )
    for number, x, name, colours in columns:
        if number:
            y, foot = _height(number, top), _height(0, top)
            drawn.append(
                f'<rect class="{name}" x="{x}" y="{y}" width="{max(width - 1, 1)}"'
                f' height="{max(foot - y, 2)}" {colours}/>'
            )
    label = pair.label if len(pair.label) <= _LABEL else f"{pair.label[: _LABEL - 1]}…"
    return (
        f"<g>{''.join(drawn)}"
        f'<text class="label" x="{middle}" y="{HEIGHT - 18}" font-size="10" text-anchor="middle"'
        f' fill="#171c1b">{escape(label)}</text></g>'
    )


COURSE_WIDTH: Final = 720
_DECADE_LABEL: Final = 84
_MOST_DECADES: Final = 8


def course_of_strength(
    stretches: Sequence[Sequence[int]], bound: int, title: str, scale: Callable[[int], str]
) -> str:
    """How often likelier than lawfully, round by round, one line a stretch, over decades; `bound`
    is drawn across. `scale` says a number of the scale in words, `title` is what is read aloud.
    """
    most = max((one for stretch in stretches for one in stretch), default=1)
    decades = min(max(len(str(most)), len(str(bound))), _MOST_DECADES)
    left, foot = _DECADE_LABEL, HEIGHT - _BOTTOM
    down, rounds = foot - _TOP, max(sum(map(len, stretches)), 2)

    def y(value: int) -> int:
        return max(foot - log2_down(max(value, 1), 1) * down // log2_down(10**decades, 1), _TOP)

    drawn = []
    for decade in range(decades + 1):
        at = y(10**decade)
        drawn.append(
            f'<line class="rule" x1="{left}" y1="{at}" x2="{COURSE_WIDTH}" y2="{at}"'
            f' stroke="#c8cec9"/><text class="scale" x="{left - 8}" y="{at + 4}" font-size="11"'
            f' text-anchor="end" fill="#4d5855">{escape(scale(10**decade))}</text>'
        )
    at = y(bound)
    drawn.append(
        f'<line class="bound" x1="{left}" y1="{at}" x2="{COURSE_WIDTH}" y2="{at}"'
        ' stroke="#b3201a" stroke-dasharray="6 4"/>'
    )
    gone = 0
    for stretch in stretches:
        points = []
        for place, value in enumerate(stretch):
            x = left + (gone + place) * (COURSE_WIDTH - left - 4) // (rounds - 1)
            points.append(f"{x},{y(value)}")
        gone += len(stretch)
        drawn.append(
            f'<polyline class="course" points="{" ".join(points)}" fill="none" stroke="#0d5c6b"'
            ' stroke-width="1.6"/>'
        )
    return (
        f'<svg class="chart wide" xmlns="http://www.w3.org/2000/svg" role="img"'
        f' viewBox="0 0 {COURSE_WIDTH} {HEIGHT}" aria-label={quoteattr(title)}>'
        f"{''.join(drawn)}</svg>"
    )


def scale_top(most: int) -> int:
    """The top of a scale whose four steps are round numbers: 4, 8, 20, 40, 80, 200 …"""
    top = 4
    while top < most:
        top = top * 5 // 2 if str(top)[0] == "8" else top * 2
    return top


def _patterns() -> str:
    return (
        '<defs><pattern id="hatched" width="5" height="5" patternUnits="userSpaceOnUse"'
        ' patternTransform="rotate(45)"><rect class="bar-warning" width="5" height="5"'
        f' fill="{STACK["warning"]}"/><rect class="bar-gap" width="1.6" height="5" fill="#ffffff"/>'
        "</pattern></defs>"
    )


def _frame(top: int, scale: Callable[[int], str] = str, left: int = _LEFT) -> str:
    drawn = []
    for quarter in range(5):
        y = _height(quarter, 4)
        drawn.append(
            f'<line class="rule" x1="{left}" y1="{y}" x2="{WIDTH}" y2="{y}" stroke="#c8cec9"/>'
            f'<text class="scale" x="{left - 8}" y="{y + 4}" font-size="11" text-anchor="end"'
            f' fill="#4d5855">{escape(scale(top * quarter // 4))}</text>'
        )
    return "".join(drawn)


def _column(bar: Bar, left: int, step: int, top: int) -> str:
    middle = left + step // 2
    width = min(step - _GAP, 26)
    drawn = [f"<title>{escape(bar.title)}</title>"]
    below = 0
    for name, colour in STACK.items():
        number = bar.parts.get(name, 0)
        if not number:
            continue
        y, foot = _height(below + number, top), _height(below, top)
        fill = "url(#hatched)" if name == "warning" else colour
        drawn.append(
            f'<rect class="bar-{name}" x="{middle - width // 2}" y="{y}" width="{width}"'
            f' height="{max(foot - y, 2)}" fill="{fill}"/>'
        )
        below += number
    return (
        f"<g>{''.join(drawn)}"
        f'<text class="label" x="{middle}" y="{HEIGHT - 18}" font-size="12" text-anchor="middle"'
        f' fill="#171c1b">{escape(bar.label)}</text>'
        f'<text class="scale" x="{middle}" y="{HEIGHT - 4}" font-size="11" text-anchor="middle"'
        f' fill="#4d5855">{escape(bar.sublabel)}</text></g>'
    )


def _height(number: int, top: int) -> int:
    """Where a number lies, from the top of the figure; whole pixels keep lines sharp."""
    return HEIGHT - _BOTTOM - number * (HEIGHT - _TOP - _BOTTOM) // top
