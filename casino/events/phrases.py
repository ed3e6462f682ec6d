"""Texts of ours that can be said in another language after they were put together."""

from collections.abc import Callable, Mapping
from typing import Self

Translate = Callable[[str], str]


def marked(text: str) -> str:
    """A text to be translated where it is shown; here it stands as it is."""
    return text


class Phrase(str):
    """An English text that remembers the `template` it was made from and the `values` in it.

    Whoever knows nothing of languages takes it as the text it is; a door gives it to `said`. The
    template is the key of the catalogue, and a value may be a phrase again.
    """

    __slots__ = ("template", "values")

    template: str
    values: dict[str, str | int]

    def __new__(cls, template: str, /, **values: str | int) -> Self:
        phrase = super().__new__(cls, template.format(**values) if values else template)
        phrase.template = template
        phrase.values = values
        return phrase

    def __reduce__(self) -> tuple[object, ...]:
        # The default would take the finished text for the template, and a worker process could
        # not hand its refusal back.
        return _again, (type(self), self.template, self.values)


def _again(phrase_class: type[Phrase], template: str, values: Mapping[str, str | int]) -> Phrase:
    return phrase_class(template, **values)


def said(text: str, translate: Translate) -> str:
    """A text as a door says it: a phrase in the door's language, any other text as it stands."""
    if not isinstance(text, Phrase):
        return text
    wording = translate(text.template)
    if not text.values:
        return wording
    return wording.format(
        **{
            name: said(value, translate) if isinstance(value, str) else value
            for name, value in text.values.items()
        }
    )


def phrase_as_json(text: str) -> object:
    """A text as JSON that `phrase_of_json` makes the same text of, with its template and values."""
    if not isinstance(text, Phrase):
        return str(text)
    values = {
        name: value if isinstance(value, int) else phrase_as_json(value)
        for name, value in text.values.items()
    }
    return {"template": text.template, "values": values}


def phrase_of_json(data: object) -> str:
    """The text that `phrase_as_json` wrote."""
    if not isinstance(data, dict):
        return str(data)
    values = {
        name: value if isinstance(value, int) else phrase_of_json(value)
        for name, value in data["values"].items()
    }
    return _again(Phrase, data["template"], values)
