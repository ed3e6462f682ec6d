"""The curve as SVG: well formed, to scale, without anything a strict policy would refuse."""

import re
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.meter_chart import HEIGHT, WIDTH, Note, Step, line, scale

SVG = "{http://www.w3.org/2000/svg}"
FIRST = datetime(2026, 11, 20, 8, 0, tzinfo=UTC)
LAST = FIRST + timedelta(days=1)
VALUES = st.integers(0, 10**16)
MOMENTS = st.integers(0, 24 * 3600).map(lambda seconds: FIRST + timedelta(seconds=seconds))
PRINTED = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"))
STEPS = st.lists(st.builds(Step, MOMENTS, VALUES, VALUES), max_size=30).map(
    lambda steps: sorted(steps, key=lambda one: one.at)
)
NOTES = st.lists(
    st.builds(Note, MOMENTS, VALUES, st.sampled_from(["up", "down", "square", "ring"]), PRINTED),
    max_size=10,
)


def drawn(steps: list[Step], notes: list[Note], opening: int, title: str = "") -> str:
    return line(
        steps,
        notes,
        first=FIRST,
        last=LAST,
        opening=opening,
        title=title,
        amount=str,
        moment=lambda at: at.isoformat(),
    )


@given(STEPS, NOTES, VALUES, PRINTED)
def test_a_curve_is_well_formed_and_needs_no_inline_style(
    steps: list[Step], notes: list[Note], opening: int, title: str
) -> None:
    figure = ElementTree.fromstring(drawn(steps, notes, opening, title))
    assert figure.get("aria-label") == title
    assert [one.text or "" for one in figure.iter(f"{SVG}title")] == [one.title for one in notes]
    for element in figure.iter():
        assert element.tag.removeprefix(SVG) not in ("script", "style", "foreignObject", "image")
        assert not [name for name in element.attrib if name == "style" or name.startswith("on")]


@given(STEPS, VALUES)
def test_the_line_lies_inside_the_figure_and_never_goes_back_in_time(
    steps: list[Step], opening: int
) -> None:
    points = walked(drawn(steps, [], opening))
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)
    assert [x for x, _ in points] == sorted(x for x, _ in points)


def walked(figure: str) -> list[tuple[int, int]]:
    """Where the line goes."""
    found = ElementTree.fromstring(figure).find(f"{SVG}polyline")
    assert found is not None
    pairs = (pair.split(",") for pair in found.get("points", "").split())
    return [(int(x), int(y)) for x, y in pairs]


def test_what_falls_at_one_moment_falls_straight_down() -> None:
    noon = FIRST + timedelta(hours=12)
    points = walked(drawn([Step(noon, 900, 100)], [], 900))
    left, high, low, right = points
    assert left[1] == high[1] < low[1] == right[1]
    assert high[0] == low[0]


@given(VALUES, VALUES)
def test_the_scale_holds_both_ends_in_round_steps(one: int, other: int) -> None:
    least, most = sorted((one, other))
    low, step = scale(least, most)
    assert low <= least <= most <= low + 4 * step
    assert low % step == 0
    assert re.fullmatch(r"[125]0*", str(step))


@pytest.mark.parametrize(
    ("least", "most", "found"), [(0, 4, (0, 1)), (0, 5, (0, 2)), (97, 103, (96, 2)), (7, 7, (7, 1))]
)
def test_the_scale_is_no_larger_than_it_needs_to_be(
    least: int, most: int, found: tuple[int, int]
) -> None:
    assert scale(least, most) == found
