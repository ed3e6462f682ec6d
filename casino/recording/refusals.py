"""Why the writer says no. Never because an act was unlawful: that is recorded, and found."""

from typing import Any, Final

# Why a confirmation is refused: msgids of their own.
NO_SUCH_ACT: Final = "the act it names is not in the book."
ANOTHER_KIND: Final = "it names an act of another kind."
ANOTHER_TABLE: Final = "it names another table or game than the act's."
NOT_ONES_OWN: Final = "nobody confirms in another's name."
OWN_ACT: Final = "whoever acted cannot witness his own act."
TOO_LATE: Final = "it came after its time had run out."
USED_ALREADY: Final = "it was used already."
NOT_WAITING: Final = "there is no such correction waiting."
SECOND_PERSON: Final = "a correction is decided by a second person."
DECIDED_ALREADY: Final = "the correction was decided already."


class Refused(Exception):
    """Nothing was stored. `template` is an English msgid with named gaps, `values` what fills them;
    a door translates, then fills. `place` is the submission's place in its batch, from 0.
    """

    template = ""

    def __init__(self, *, place: int = 0, **values: Any) -> None:
        self.values = values
        self.place = place
        super().__init__(self.template.format(**values))


class KeyReused(Refused):
    """The key names another record already: the same key with the same record is no error."""

    template = (
        "The key {key} already names another record ({kind}, {stream} number {n})."
        " A new record needs a new key; the same record sent again must not differ in anything."
    )


class NotAllowed(Refused):
    """Whoever asks does not hold an office that may write this."""

    template = (
        "{staff} writes as {office}, and a record of the kind {kind} is written by: {offices}."
        " Ask somebody who holds one of these offices to record it."
    )


class TooLarge(Refused):
    """The entry would pass 60 KiB."""

    template = (
        "The record has {size} bytes; an entry of the book holds at most {limit}."
        " Attach what is long as a file and record its SHA-256."
    )


class NothingToCorrect(Refused):
    """A correction names an entry that is not there, or is of another stream or kind."""

    template = (
        "There is no entry {n} of the kind {kind} in {stream} that this could correct."
        " A correction is of the same kind and in the same stream as what it corrects."
    )


class CorrectionPending(Refused):
    """The entry has a correction already, approved or waiting for its second person."""

    template = (
        "Entry {n} of {stream} already has a correction (entry {by_n})."
        " Have that one approved or refused first, then correct what then holds."
    )


class WitnessRefused(Refused):
    """A second person's confirmation that cannot stand. `values['why']` says which rule failed."""

    template = "The confirmation was not recorded: {why}"
