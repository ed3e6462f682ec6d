"""What may be written in the book: frozen dataclasses, one module per subject.

An event is the command at the door, the bytes in the book and the input of a check, all in one
shape. Its form is checked when it is built; whether what it tells was lawful is never asked here.
"""

from casino.events.phrases import Phrase


class Malformed(ValueError):
    """An event that cannot have happened as written: wrong form, or it contradicts itself.

    `path` is the JSON path of the offending value (``$.boxes[0].hands[1].cards``), `reason` says
    what was found and what is asked. It is a `Phrase`: a door that speaks Portuguese says it so.
    """

    def __init__(self, path: str, reason: str, /, **values: str | int) -> None:
        self.path = path
        self.reason = Phrase(reason, **values)
        super().__init__(f"{path}: {self.reason}")

    @classmethod
    def because(cls, path: str, reason: Phrase) -> "Malformed":
        """The refusal of the value at `path` for a reason already put into words."""
        return cls(path, reason.template, **reason.values)

    def __reduce__(self) -> tuple[object, ...]:
        # The default would call __init__ with the finished sentence alone, and a worker process
        # could not hand its refusal back.
        return Malformed.because, (self.path, self.reason)
