"""What the house asks of the rounds of a game as a whole: a control of its own, no article."""

from typing import Final

from casino.events.phrases import marked
from casino.events.round.round_played import RoundPlayed
from casino.law.dossier import RecordedEvent
from casino.law.finding import LAWFUL, Verdict, upholds
from casino.law.partida_context import PartidaContext, is_opened
from casino.law.questions import breach, together

ARTICLE: Final = "house.rounds"
HEADING: Final = marked("The rounds of a game")
SUMMARY: Final = marked(
    "A round is played by the law its game was opened under, and judged by it, whatever whoever"
    " tells the round says of the law."
)
NAMED: Final = 100  # entries a finding names


@upholds(
    "partida",
    "A round names the rulebook its game was opened under.",
    only=is_opened,
    severity="warning",
)
def round_names_its_games_rulebook(game: PartidaContext) -> Verdict:
    """It is judged by the game's in any case. A round that names none leaves nothing to ask.

    One breach for each other rulebook that is named.
    """
    asked = game.opening.event.rulebook
    answers: list[Verdict] = []
    others: dict[str, list[RecordedEvent[RoundPlayed]]] = {}
    for recorded in game.dossier.of(RoundPlayed):
        book = recorded.event.rulebook
        if book == asked:
            answers.append(LAWFUL)
        elif book is not None:
            others.setdefault(book, []).append(recorded)
    for book, rounds in sorted(others.items()):
        observed = {"rulebook": book, "rounds": len(rounds)}
        answers.append(breach(observed, {"rulebook": asked}, game.opened, *rounds[:NAMED]))
    return together(answers)
