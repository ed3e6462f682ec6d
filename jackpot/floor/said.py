"""What a button says was so: whoever presses it attests it, and nothing is ticked beforehand.

Beside it stands a plain way to say that it was not so.
"""

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy as _

SO: Final = "so"
NOT_SO: Final = "not-so"
SAID: Final = "said"  # the field, and the name of both buttons


class SaidField(forms.ChoiceField):
    """Which of the two buttons was pressed; without one nobody said anything."""

    def __init__(self) -> None:
        words = _("Say with one of the buttons how it was.")
        super().__init__(
            choices=[(SO, ""), (NOT_SO, "")],
            error_messages={"required": words, "invalid_choice": words},
        )
