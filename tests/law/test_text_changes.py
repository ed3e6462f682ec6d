"""What changed from one text to another: by article, by word; nothing is guessed."""

from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from casino.law.text.legal_text import Text
from casino.law.text.read_text import read_text
from casino.law.text.text_changes import Words, changes, diff
from tests.gate import ROOT

TEXT: Final = (ROOT / "tests" / "factories" / "regulations" / "pt.txt").read_text("utf-8")
BEFORE: Final = read_text(TEXT.encode())


def after(old: str, new: str) -> Text:
    assert TEXT.count(old) == 1
    return read_text(TEXT.replace(old, new).encode())


def test_the_same_text_in_another_layout_has_not_changed() -> None:
    assert changes(BEFORE, BEFORE) == ()
    assert changes(BEFORE, after("jogo ban-\ncado em que", "jogo bancado\nem que")) == ()


def test_a_figure_that_changed_is_named_with_its_article_and_words() -> None:
    (found,) = changes(BEFORE, after("arranca em 5 mil vezes", "arranca em 6 mil vezes"))
    assert (found.state, found.number, found.eid) == ("changed", "21", "art_21")
    moved = [one for one in found.words if one.state != "same"]
    assert moved == [Words("out", "5"), Words("in", "6")]


def test_an_article_that_came_and_one_that_went() -> None:
    begins, ends = TEXT.index("Artigo 21.º"), TEXT.index("Artigo 22.º")
    whole = TEXT[begins:ends]
    (found,) = changes(BEFORE, after(whole, ""))
    assert (found.state, found.number, found.heading) == ("gone", "21", "Acumulado")
    (found,) = changes(after(whole, ""), BEFORE)
    assert (found.state, found.number) == ("added", "21")


def test_an_article_under_another_number_is_the_same() -> None:
    (found,) = changes(BEFORE, after("Artigo 25.º", "Artigo 26.º"))
    assert (found.state, found.was, found.number, found.words) == ("renumbered", "25", "26", ())


def test_under_another_number_and_changed_is_one_gone_and_one_added() -> None:
    text = after("Artigo 22.º\nQuem ganha o acumulado", "Artigo 22.º-A\nQuem fica com o acumulado")
    assert [(one.state, one.number) for one in changes(BEFORE, text)] == [
        ("added", "22-A"),
        ("gone", "22"),
    ]


@given(st.text("abc 12,.\n", max_size=60), st.text("abc 12,.\n", max_size=60))
def test_what_stays_and_goes_is_the_earlier_and_what_stays_and_comes_the_later(
    before: str, later: str
) -> None:
    found = list(diff(before, later))
    kept = {
        state: "".join("".join(one.words.split()) for one in found if one.state in ("same", state))
        for state in ("out", "in")
    }
    assert kept == {"out": "".join(before.split()), "in": "".join(later.split())}
