"""The controls of a record's form, as plain HTML that needs no script.

What a control reads from a form is `raw`: a text, or for those made of several a tuple or list of
such. It gives the same back to be shown again, so a form that was refused stays filled.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.cards import RANKS, UNKNOWN_SUIT, UNKNOWN_TEN
from casino.law.wording.explain_words import SUITS
from casino.web.display.playing_cards import PIPS, RED, card_words, rank

ROWS: Final = 4  # shown at least
BLANK_ROWS: Final = 2  # beyond those that are filled in
MOST_ROWS: Final = 100
NONE_AT_ALL: Final = "none"  # the suffix of the box that says: there were none
WORK_OUT: Final = "work_out"  # the button that asks whose turn it is to cut
MORE: Final = "more_rows"  # the button that asks for more rows; its value is the field's name

UNSEEN: Final = UNKNOWN_TEN + UNKNOWN_SUIT  # the card of which only its ten points are known
PICKED_SUITS: Final = ("S", "H", "D", "C", UNKNOWN_SUIT)  # in the order in which they are said

Data = Mapping[str, object]
Files = MultiValueDict[str, Any]
RawRow = dict[str, object]


class MomentInput(forms.Widget):
    """A moment in the house's time; on the night an hour comes twice, also which of the two.

    Raw: (what the field says, ``"0"`` for the first passing, ``"1"`` for the second, ``""``).
    """

    template_name = "casino/widgets/moment.html"

    def value_from_datadict(self, data: Data, files: Files, name: str) -> object:
        """What was asked."""
        return str(data.get(name, "")).strip(), str(data.get(f"{name}-again", ""))

    def get_context(
        self, name: str, value: Any, attrs: dict[str, object] | None
    ) -> dict[str, object]:
        """The field, and the choice where it is needed."""
        context = super().get_context(name, None, attrs)
        text, again = value or ("", "")
        context["widget"] |= {"text": text, "again": again, "twice": self.twice(text)}
        return context

    def twice(self, text: str) -> bool:
        """Whether the clock shows this time twice; its field knows."""
        return False


class ListInput(forms.Widget):
    """A short list in one line; where leaving it empty means unknown, a box says "none".

    Raw: (the line, whether the box is ticked).
    """

    template_name = "casino/widgets/list.html"

    def __init__(self, *, with_none: bool, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs)
        self.with_none = with_none

    def value_from_datadict(self, data: Data, files: Files, name: str) -> object:
        """What was asked."""
        return str(data.get(name, "")).strip(), f"{name}-{NONE_AT_ALL}" in data

    def get_context(
        self, name: str, value: Any, attrs: dict[str, object] | None
    ) -> dict[str, object]:
        """The line and its box."""
        context = super().get_context(name, None, attrs)
        line, none = value or ("", False)
        context["widget"] |= {"line": line, "none": none, "with_none": self.with_none}
        return context


class RowsInput(forms.Widget):
    """Objects of the same fields, one a row; blank rows at the end are for more.

    Raw: (a list of rows, each the raw value of its columns by name, whether "none" is ticked).
    """

    template_name = "casino/widgets/rows.html"

    def __init__(self, columns: Mapping[str, forms.Field], *, with_none: bool) -> None:
        super().__init__()
        self.columns = columns
        self.with_none = with_none

    def value_from_datadict(self, data: Data, files: Files, name: str) -> object:
        """The rows as they were filled in, blank ones too."""
        text = str(data.get(f"{name}-rows", "0"))
        digits = text[:9] if text.isascii() and text.isdigit() else "0"  # int() refuses thousands
        count = min(int(digits), MOST_ROWS)
        rows = [self._row(data, files, f"{name}-{index}") for index in range(count)]
        return rows, f"{name}-{NONE_AT_ALL}" in data

    def _row(self, data: Data, files: Files, at: str) -> RawRow:
        return {
            column: field.widget.value_from_datadict(data, files, f"{at}-{column}")
            for column, field in self.columns.items()
        }

    def get_context(
        self, name: str, value: Any, attrs: dict[str, object] | None
    ) -> dict[str, object]:
        """Every row's controls, and the blank ones."""
        context = super().get_context(name, None, attrs)
        found, none = value or ([], False)
        filled = [row for row in found if not is_blank(row)]
        rows = [*filled, *({} for _ in range(max(BLANK_ROWS, ROWS - len(filled))))]
        context["widget"] |= {
            "labels": [(field.label, field.required) for field in self.columns.values()],
            "rows": [self._shown(f"{name}-{index}", row) for index, row in enumerate(rows)],
            "count": len(rows),
            "none": none,
            "with_none": self.with_none,
            "more": MORE,
        }
        return context

    def _shown(self, at: str, row: RawRow) -> list[tuple[object, str]]:
        return [
            (
                field.label,
                field.widget.render(
                    f"{at}-{column}",
                    row.get(column),
                    {"id": f"id_{at}-{column}", "aria-label": str(field.label)},
                ),
            )
            for column, field in self.columns.items()
        ]

    def id_for_label(self, id_: str) -> str:
        """No single control is the label's."""
        return ""


class ObjectInput(forms.Widget):
    """One object's fields beside each other. Raw: the raw value of each by its name."""

    template_name = "casino/widgets/object.html"

    def __init__(self, columns: Mapping[str, forms.Field]) -> None:
        super().__init__()
        self.columns = columns

    def value_from_datadict(self, data: Data, files: Files, name: str) -> object:
        """Its fields as they were filled in."""
        return {
            column: field.widget.value_from_datadict(data, files, f"{name}-{column}")
            for column, field in self.columns.items()
        }

    def get_context(
        self, name: str, value: Any, attrs: dict[str, object] | None
    ) -> dict[str, object]:
        """Its fields' controls."""
        context = super().get_context(name, None, attrs)
        values = value or {}
        context["widget"]["parts"] = [
            (
                f"id_{name}-{column}",
                field.label,
                field.widget.render(
                    f"{name}-{column}", values.get(column), {"id": f"id_{name}-{column}"}
                ),
            )
            for column, field in self.columns.items()
        ]
        return context

    def id_for_label(self, id_: str) -> str:
        """No single control is the label's."""
        return ""


class CardInput(forms.Widget):
    """One card, tapped: thirteen of each suit, those whose suit nobody saw, and the unknown one.

    Raw: the card's code. `words` is what the field is called.
    """

    template_name = "casino/widgets/card.html"
    words: object = ""

    def get_context(
        self, name: str, value: object, attrs: dict[str, object] | None
    ) -> dict[str, object]:
        """A row for each suit."""
        context = super().get_context(name, value, attrs)
        context["widget"] |= {
            "words": self.words,
            "suits": suit_rows(),
            "unknown": UNSEEN,
            "none": not self.is_required,
        }
        return context

    def id_for_label(self, id_: str) -> str:
        """No single control is the label's."""
        return ""


def suit_rows() -> list[dict[str, object]]:
    """The cards one taps: a row for each suit, and one for a suit nobody saw."""
    return [_suit(suit) for suit in PICKED_SUITS]


def _suit(suit: str) -> dict[str, object]:
    """The thirteen cards of a suit, each with what stands on it and in words."""
    named = gettext(SUITS[suit]) if suit in SUITS else gettext("suit not seen")
    cards = [f"{one}{suit}" for one in RANKS if one != UNKNOWN_TEN]
    return {
        "words": named,
        "pip": PIPS[suit] if suit in SUITS else "?",
        "red": suit in RED,
        "cards": [(card, rank(card), card_words(card)) for card in cards],
    }


class ChoiceInput(forms.Select):
    """One of a few words; blank where nothing is said."""

    def __init__(self, words: Sequence[tuple[str, object]], *, required: bool) -> None:
        blank = "" if required else _("not known")
        super().__init__(choices=[("", blank), *words])


def is_blank(raw: object) -> bool:
    """Whether nothing was filled in."""
    if isinstance(raw, dict):
        return all(is_blank(each) for each in raw.values())
    if isinstance(raw, tuple | list):
        return all(is_blank(each) for each in raw)
    return raw in (None, "", False)
