"""What a password may not be, beside too short: what everybody would try first.

Asked wherever a person chooses one (AUTH_PASSWORD_VALIDATORS). Every refusal says what was found;
none repeats the password.
"""

import string
from itertools import pairwise
from typing import Final

from django.conf import settings
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

_HOUSE_WORDS: Final = frozenset({"livrodasala", "livro", "sala", "casino", "blackjack"})
_LEAST_DIFFERENT: Final = 6  # characters
_AROUND: Final = string.digits + string.punctuation + string.whitespace


class NotTheNumber:
    """Refuses a password that holds its owner's staff number, however it is spelled."""

    def validate(self, password: str, user: object = None) -> None:
        """Raises: ValidationError."""
        number = _plain(getattr(user, "staff", "") or "")
        if len(number) > 2 and number in _plain(password):
            raise ValidationError(
                _("The password holds your own staff number: choose one without it."),
                code="password_holds_number",
            )

    def get_help_text(self) -> str:
        """For the form."""
        return gettext("It does not hold your staff number.")


class NotEasilyGuessed(CommonPasswordValidator):
    """Refuses a password of the list of common ones, and what is made of them or of a pattern.

    A common word with figures after it, two of them in a row, words of the house, one group of
    characters again and again, a run of the alphabet or of figures.
    """

    def validate(self, password: str, user: object = None) -> None:
        """Raises: ValidationError."""
        typed = password.lower().strip()
        word = typed.strip(_AROUND)
        own = _HOUSE_WORDS | {_plain(settings.CASINO_NAME)}
        parts = [(word[:n], word[n:]) for n in range(len(word) + 1)]
        is_common = any(
            all(not part or part in self.passwords or part in own for part in pair)
            for pair in parts
        )
        if not word.strip(_AROUND) or typed in self.passwords or is_common:
            raise ValidationError(
                _("It is a common password, or made of common words: choose another."),
                code="password_too_common",
            )
        if len(set(typed)) < _LEAST_DIFFERENT or _in_a_row(typed) * 2 > len(typed):
            raise ValidationError(
                _("It repeats itself, or follows the alphabet or the figures: choose another."),
                code="password_too_regular",
            )

    def get_help_text(self) -> str:
        """For the form."""
        return gettext("It is no common password and no pattern: several words you alone think of.")


def _plain(text: str) -> str:
    return "".join(one for one in text.casefold() if one.isalnum())


def _in_a_row(text: str) -> int:
    """How many characters follow the one before: the same, the next, or the one before it."""
    return sum(abs(ord(one) - ord(other)) <= 1 for one, other in pairwise(text))
