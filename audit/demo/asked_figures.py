"""The demo's figures by two persons: a limit that waits for its second, a reading by letter.

Both begin on days to come, so that the evening is judged as its rulebook has it.
"""

from datetime import date, datetime, timedelta
from typing import Final
from uuid import uuid5

from casino import clock
from casino.demo.cast import ADMINISTRATOR, MANAGER
from casino.demo.recording_acts import NAMES
from casino.events.event import EntryRef
from casino.events.requests import FiguresAsked, FigureValue, RequestDecided
from casino.house_day import gaming_day_now
from casino.law.rulebook.figure_sets import set_of
from casino.models import StaffRequest
from casino.models.people import FIGURES
from casino.recording import Actor, File, Submission, record_many

RULEBOOK: Final = "pt"
ANSWER: Final = (
    "OFÍCIO DE DEMONSTRAÇÃO\n\nAssunto: banca que passa de 21.\n\n"
    "Em resposta ao vosso pedido: a banca que passa de 21 perde com todas as mãos em jogo.\n"
)


def ask_figures() -> None:
    """Ask for both as the page does, and have one decided on; once."""
    if StaffRequest.objects.filter(change=FIGURES).exists():
        return
    today, now = gaming_day_now(), clock.now()
    letter = File(ANSWER.encode())
    answered = _asked(
        today + timedelta(days=7),
        FigureValue(parameter="bank.bust", value="loses"),
        "Ofício de demonstração n.º 12",
        "Confirma que a banca que passa de 21 perde com todas as mãos em jogo.",
        letter.sha256,
    )
    by = Actor(MANAGER.number, MANAGER.office, "admin")
    asked = Submission(answered, uuid5(NAMES, "letter"), by, now, files=(letter,))
    (request,) = record_many([asked])
    named = EntryRef(stream=request.stream, n=request.n, leaf=request.leaf)
    other = Actor(ADMINISTRATOR.number, ADMINISTRATOR.office, "admin")
    word = RequestDecided(asked=named, decision="approved", reason="checked")
    record_many(
        [
            Submission(word, uuid5(NAMES, "letter read"), other, now),
            Submission(set_of(answered, named), uuid5(NAMES, "letter set"), other, now),
        ]
    )
    _wait(today, now, by)


def _wait(today: date, now: datetime, by: Actor) -> None:
    decreed = _asked(
        today + timedelta(days=30),
        FigureValue(parameter="limits.maximum_over_minimum", value="25"),
        "Decreto de demonstração n.º 1, artigo 2",
        "O máximo passa a ser 25 vezes o mínimo.",
    )
    record_many([Submission(decreed, uuid5(NAMES, "decree"), by, now)])


def _asked(
    since: date, figure: FigureValue, source: str, grounds: str, file_sha256: str | None = None
) -> FiguresAsked:
    return FiguresAsked(
        rulebook=RULEBOOK,
        since=since,
        figures=(figure,),
        basis="act" if file_sha256 is None else "answer",
        source=source,
        grounds=grounds,
        document_day=since - timedelta(days=40),
        file_sha256=file_sha256,
    )
