"""Refuses a rulebook that names what no check knows, or lacks what every round is asked.

A name that was misspelled would else be a rule that is never asked, and nobody would notice. Law:
of no article; docs/law.md says what a file has to state.
"""

from collections.abc import Collection, Iterator

from casino.events.phrases import Phrase
from casino.law.check_registry import ALL_CHECKS
from casino.law.rulebook.law_text import YES_NO, LawError, Value, listed, spelled
from casino.law.rulebook.rulebook import Law, Parameter
from casino.law.rulebook.vocabulary import (
    AND_SURRENDERS,
    CHOICES,
    REQUIRED,
    UNITS_OF,
    WHERE_THE_BANK_LOOKS,
    WITH,
    bounds_of,
)


def refuse_what_nobody_knows(file: str, law: Law) -> None:
    """Every check, figure and choice is one the program has, and no figure it needs is missing.

    Raises: LawError, at the first that is not so.
    """
    for parameter in law.parameters.values():
        _known(file, parameter)
    for reading in law.readings.values():
        for choice in reading.choices:
            _may_be(file, f"reading.{reading.id}.choices", reading.parameter, choice.value)
    for name, why in _needed(law):
        if name not in law.parameters:
            raise LawError(
                file,
                f'parameter."{name}"',
                Phrase("nothing"),
                Phrase("this figure, {why}", why=why),
            )
    _checks_known(file, law)


def _known(file: str, parameter: Parameter) -> None:
    key = f'parameter."{parameter.name}"'
    unit = UNITS_OF.get(parameter.name)
    if unit is None:
        raise LawError(
            file,
            key,
            Phrase("a figure no check asks"),
            Phrase("one of {there}", there=listed(UNITS_OF)),
        )
    if parameter.unit != unit:
        raise LawError(file, f"{key}.unit", repr(parameter.unit), _one_of([unit]))
    for dated in parameter.values:
        _may_be(file, f"{key}.values", parameter.name, dated.value)


def _may_be(file: str, key: str, name: str, value: Value) -> None:
    choices = CHOICES.get(name, "").split()
    if choices and value not in choices:
        raise LawError(file, key, spelled(value), _one_of(choices))
    if isinstance(value, str | bool):
        return
    numbers = value if isinstance(value, tuple) else (value,)
    least, most = bounds_of(name)
    if not all(least <= one <= most for one in numbers):
        asked = Phrase("from {least} to {most}", least=str(least), most=str(most))
        raise LawError(file, key, spelled(value), asked)


def _needed(law: Law) -> Iterator[tuple[str, str]]:
    """The figures this book has to state, each with why."""
    for name in REQUIRED:
        yield name, Phrase("which every round is asked")
    for stated, others in WITH.items():
        if stated in law.parameters:
            for name in others:
                yield name, Phrase("which goes with {other}", other=repr(stated))
    if "bank.peeks" in law.parameters and _may_be_true(law, "bank.peeks"):
        surrenders = AND_SURRENDERS if "surrender.loses" in law.parameters else ()
        for name in (*WHERE_THE_BANK_LOOKS, *surrenders):
            yield name, Phrase("which goes with {other}", other=repr("bank.peeks"))


def _may_be_true(law: Law, name: str) -> bool:
    parameter = law.parameters[name]
    chosen = [r for r in law.readings.values() if r.parameter == name]
    values = [dated.value for dated in parameter.values]
    values += [choice.value for reading in chosen for choice in reading.choices]
    return parameter.unit == YES_NO and True in values


def _checks_known(file: str, law: Law) -> None:
    for article in law.articles.values():
        key = f"article {article.number}.upheld_by"
        for name in article.upheld_by:
            check = ALL_CHECKS.get(name)
            if check is None:
                raise LawError(file, key, repr(name), _one_of(ALL_CHECKS))
            for need in check.needs:
                if need not in law.parameters:
                    raise LawError(
                        file,
                        key,
                        repr(name),
                        Phrase("{figure} stated too, which this check needs", figure=repr(need)),
                    )


def _one_of(names: Collection[str]) -> str:
    return Phrase("one of {there}", there=listed(names))
