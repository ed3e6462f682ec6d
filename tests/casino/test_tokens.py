"""tokens.css is the one place of colour and type, and whatever stands in it can be read.

Contrast is that of WCAG 2.2, computed from the file; what pages make of it a browser test sees.
"""

import re
from itertools import product
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parent.parent.parent
SHEETS: Final = [
    path
    for package in ("casino", "jackpot", "audit")
    for path in (ROOT / package).rglob("static/**/*.css")
]
TOKENS: Final = ROOT / "casino/static/casino/tokens.css"
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_NAMED: Final = "white|black|red|green|blue|yellow|gold|gr[ae]y|silver|orange|purple|brown|teal"
_COLOUR: Final = re.compile(
    rf":[^;{{}}]*?(#[0-9a-f]{{3,8}}\b|\b(?:rgba?|hsla?|oklch|lab)\(|(?<![-\w.])(?:{_NAMED})(?![-\w]))",
    re.IGNORECASE,
)
_FAMILY: Final = re.compile(r"\bfont(?:-family)?:[^;{}]*?(\"|sans-serif|serif|monospace|system-ui)")
_PAIR: Final = re.compile(r"(--[\w-]+): light-dark\((#\w{6}), (#\w{6})\)")
THEMES: Final = ("light", "dark")
GROUNDS: Final = ("paper", "surface", "sunken", "raised")
TONES: Final = ("breach", "warning", "note", "kept")
WRITTEN: Final = [
    *product(("ink", "ink-2", "link", "link-strong", *TONES), GROUNDS),
    *((tone, f"{tone}-ground") for tone in TONES),
    *product(("ink", "ink-2", "link"), [f"{tone}-ground" for tone in TONES]),
    ("on-act", "act"), ("on-act", "act-strong"), ("ink", "line"), ("ink", "taken"),
    ("suit-red", "surface"),
]  # fmt: skip
EDGES: Final = list(product(("line-strong", "act", "focus"), GROUNDS))
TEXT, EDGE = 7.0, 3.0  # WCAG 2.2: 1.4.6 (AAA), 1.4.11


def text_of(path: Path) -> str:
    return _COMMENT.sub("", path.read_text("utf-8"))


def found_in(text: str) -> list[str]:
    """The colours and typefaces a style sheet writes itself."""
    return [*_COLOUR.findall(text), *_FAMILY.findall(text)]


def test_no_other_style_sheet_writes_a_colour_or_a_typeface() -> None:
    assert len(SHEETS) > 10
    found = {path.name: found_in(text_of(path)) for path in SHEETS if path != TOKENS}
    assert {name: colours for name, colours in found.items() if colours} == {}


@pytest.mark.parametrize(
    ("rule", "many"),
    [
        ("a { color: #1d4f8a; }", 1),
        ("a { border: 1px solid White }", 1),
        ("a { background: rgb(0 0 0 / 60%) }", 1),
        ("a { font: 500 15px/44px sans-serif }", 1),
        (".red .card, #head { color: var(--card-red); font: inherit }", 0),
        (".qr:hover .black { white-space: nowrap }", 0),
    ],
)
def test_a_colour_and_a_typeface_are_seen_wherever_they_are_written(rule: str, many: int) -> None:
    assert len(found_in(rule)) == many


def test_every_name_a_style_sheet_asks_for_is_one_that_is_given() -> None:
    texts = [text_of(path) for path in SHEETS]
    given = {name for text in texts for name in re.findall(r"(--[\w-]+)\s*:", text)}
    asked = {name for text in texts for name in re.findall(r"var\((--[\w-]+)", text)}
    assert asked - given == set()


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_computed_as_the_guideline_says() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
def test_whatever_is_written_can_be_read_and_every_edge_be_seen(theme: str) -> None:
    pairs = {name: both for name, *both in _PAIR.findall(text_of(TOKENS))}
    at = THEMES.index(theme)

    def faint(of: list[tuple[str, str]], least: float) -> list[tuple[str, str, float]]:
        compared = [(a, b, contrast(pairs[f"--{a}"][at], pairs[f"--{b}"][at])) for a, b in of]
        return [one for one in compared if one[2] < least]

    assert faint(WRITTEN, TEXT) == []
    assert faint(EDGES, EDGE) == []
