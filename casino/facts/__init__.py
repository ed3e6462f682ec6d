"""What may be written in the book: frozen dataclasses, one module per subject.

A fact is the command at the door, the bytes in the book and the input of a check, all in one shape.
Its form is checked when it is built; whether what it tells was lawful is never asked here.
"""


class Malformed(ValueError):
    """A fact that cannot have happened as written: wrong form, or it contradicts itself.

    `path` is the JSON path of the offending value (``$.boxes[0].hands[1].cards``), `reason` says
    what was found and what is asked. A door that speaks Portuguese translates `template`, the
    English sentence with its gaps still open, and fills it from `values`.
    """

    def __init__(self, path: str, reason: str, /, **values: str | int) -> None:
        self.path = path
        self.template = reason
        self.values = values
        self.reason = reason.format(**values) if values else reason
        super().__init__(f"{path}: {self.reason}")

    def __reduce__(self) -> tuple[object, ...]:
        # The default would call __init__ with the finished sentence alone, and a worker process
        # could not hand its refusal back.
        return _rebuilt, (self.path, self.template, self.values)


def _rebuilt(path: str, template: str, values: dict[str, str | int]) -> Malformed:
    return Malformed(path, template, **values)
