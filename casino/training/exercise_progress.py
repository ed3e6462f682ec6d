"""How far an exercise is: asked of what was recorded at its table since it began, and of the checks
that judge every game. Which exercise somebody does stands in his session, nothing of it in the
book.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.http import HttpRequest
from django.urls import reverse

from casino import clock
from casino.demo import cast
from casino.demo.training_book import training_pin
from casino.events.incidents import IncidentReported
from casino.extensions import event_kinds
from casino.kept_entries import dossier_kept
from casino.law.dossier import AnyRecorded, Dossier
from casino.law.finding import Finding
from casino.previewing import of_whole_partida
from casino.simulation.procedures.procedure_acts import Who
from casino.training.exercise_files import Both, Exercise, Step, exercises
from casino.training.staged_tables import put_up
from casino.web.words.languages import house_language

PLAYED: Final = "training-exercise"  # in a session
# The screens a step begins at, and what is chosen there.
_SCREENS: Final = {"incident": "?category=jam"}


@dataclass(frozen=True, slots=True)
class Line:
    """A step as it stands: what is to be done, and what recorded it."""

    do: str
    entry: AnyRecorded | None
    url: str


@dataclass(frozen=True, slots=True)
class Progress:
    """An exercise somebody plays, as the book stands now.

    `new` are the entries recorded since it began; `known` the checks that found something before.
    """

    exercise: Exercise
    table: str
    lines: Sequence[Line]
    values: Mapping[str, object]
    dossier: Dossier
    new: frozenset[str]
    known: frozenset[str]

    def found(self) -> list[Finding]:
        """What the checks that judge every game find of what was recorded since it began."""
        return [
            one
            for one in of_whole_partida(self.dossier)
            if one.check not in self.known or self.new & set(one.evidence)
        ]

    @property
    def over(self) -> bool:
        """Whether every step was recorded."""
        return all(one.entry is not None for one in self.lines)

    @property
    def next(self) -> Line | None:
        """The first step nobody recorded yet."""
        return next((one for one in self.lines if one.entry is None), None)

    @property
    def done(self) -> int:
        """How many steps were recorded."""
        return sum(one.entry is not None for one in self.lines)


def begin(request: HttpRequest, exercise: Exercise, pit: Who) -> None:
    """Put a table up for whoever asks. Raises: what the writer raises."""
    game, values = put_up(exercise.name, pit, clock.now())
    known = {one.check for one in of_whole_partida(_dossier(game.name))}
    request.session[PLAYED] = {
        "exercise": exercise.name,
        "partida": game.name,
        "since": clock.now().isoformat(),
        "known": sorted(known),
        "values": {**values, "pin": training_pin(), "chefe": cast.CHEFE.name},
    }


def progress(request: HttpRequest) -> Progress | None:
    """The exercise whoever asks plays; None for none, and where its book was begun anew."""
    played = request.session.get(PLAYED) or {}
    exercise = exercises().get(played.get("exercise", ""))
    if exercise is None:
        return None
    dossier, values = _dossier(played["partida"]), played["values"]
    if not dossier.entries:
        return None
    since = datetime.fromisoformat(played["since"])
    recorded = [*dossier.entries, *dossier.around]
    new = sorted(
        (one for one in recorded if one.recorded_at > since), key=lambda one: one.recorded_at
    )
    incident = next(
        (one.event.incident for one in new if isinstance(one.event, IncidentReported)), ""
    )
    values = {**values, "incident": incident}
    lines = [_line(step, new, values) for step in exercise.steps]
    ours = frozenset(one.entry_id for one in new)
    known = frozenset(played["known"])
    return Progress(exercise, values["table"], lines, values, dossier, ours, known)


def said(texts: Both, values: Mapping[str, object]) -> str:
    """An exercise's text in the reader's language, of its own table."""
    return texts[house_language() == "en"].format(**values)


def _dossier(partida: str) -> Dossier:
    return dossier_kept(partida, as_of=clock.now())


def _line(step: Step, newer: Sequence[AnyRecorded], values: Mapping[str, object]) -> Line:
    event = event_kinds()[step.kind]
    done = (
        one
        for one in newer
        if isinstance(one.event, event)
        and all(getattr(one.event, name) == value for name, value in step.where.items())
    )
    return Line(said(step.do, values), next(done, None), _url(step, values))


def _url(step: Step, values: Mapping[str, object]) -> str:
    """The screen it begins at; the table's page, where the way there begins."""
    if step.at == "won":
        return reverse("jackpot_sala:won", args=[values["table"], values["jackpot"]])
    if not step.at and values.get("incident"):
        return reverse("sala:incident_steps", args=[values["table"], values["incident"]])
    if not step.at:
        return reverse("sala:table", args=[values["table"]])
    return reverse(f"sala:{step.at}", args=[values["table"]]) + _SCREENS.get(step.at, "")
