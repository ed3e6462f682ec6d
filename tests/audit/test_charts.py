"""Figures as SVG: well formed, to scale, without anything a strict policy would refuse."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.figure_svg import HEIGHT, STACK, WIDTH, Bar, scale_top, stacked_bars

SVG = "{http://www.w3.org/2000/svg}"
PARTS = st.dictionaries(st.sampled_from(list(STACK)), st.integers(0, 1_000_000))
PRINTED = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"))
BARS = st.lists(st.builds(Bar, PRINTED, PRINTED, PARTS, PRINTED), max_size=40)


@given(BARS, PRINTED)
def test_a_figure_is_well_formed_and_needs_no_inline_style(bars: list[Bar], title: str) -> None:
    drawn = stacked_bars(bars, title)
    figure = ElementTree.fromstring(drawn)
    assert figure.get("aria-label") == title
    assert [group.findtext(f"{SVG}title") for group in figure.iter(f"{SVG}g")] == [
        bar.title for bar in bars
    ]
    for element in figure.iter():
        assert element.tag.removeprefix(SVG) not in ("script", "style", "foreignObject", "image")
        assert not [name for name in element.attrib if name == "style" or name.startswith("on")]


@given(BARS)
def test_columns_stand_on_the_ground_and_inside_the_figure(bars: list[Bar]) -> None:
    figure = ElementTree.fromstring(stacked_bars(bars, ""))
    for group in figure.iter(f"{SVG}g"):
        for part in group.iter(f"{SVG}rect"):
            y, height = int(part.get("y", "0")), int(part.get("height", "0"))
            assert 0 <= y <= y + height <= HEIGHT
            assert 0 <= int(part.get("x", "-1")) <= WIDTH


def heights(bar: Bar, other: Bar) -> list[int]:
    figure = ElementTree.fromstring(stacked_bars([bar, other], ""))
    return [
        sum(int(part.get("height", "0")) for part in group.iter(f"{SVG}rect"))
        for group in figure.iter(f"{SVG}g")
    ]


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_more_is_never_drawn_lower(less: int, more: int) -> None:
    less, more = sorted((less, more))
    low, high = heights(Bar("", "", {"breach": less}, ""), Bar("", "", {"breach": more}, ""))
    assert low <= high
    assert (low == 0) == (less == 0)  # the least is seen, and nothing is not drawn


@given(st.integers(0, 10_000_000))
def test_the_scale_holds_the_most_and_has_round_steps(most: int) -> None:
    top = scale_top(most)
    assert top >= most
    assert re.fullmatch(r"[1-9]0*", str(top // 4))
    assert most <= 4 or top <= most * 5 // 2 + 4


@pytest.mark.parametrize(("most", "top"), [(0, 4), (4, 4), (5, 8), (9, 20), (21, 40), (81, 200)])
def test_the_scale_is_no_larger_than_it_needs_to_be(most: int, top: int) -> None:
    assert scale_top(most) == top
