"""What the gaming inspectorate is called: a regulation keeps the name of its day.

Law: PT art. 38, 40, 43 (reading inspectorate-name).
"""

from typing import Final

from casino.law.rulebook.rulebook import LawInForce

# The name the regulation's text has, and the one the same body bears today.
AS_WRITTEN: Final = "Inspeção-Geral de Jogos"
TODAY: Final = "Serviço de Regulação e Inspeção de Jogos"


def inspectorate(rules: LawInForce) -> str:
    """The body's name where its decisions are shown: the text's, and today's beside it.

    Law: PT art. 38, 40, 43 (reading inspectorate-name).
    """
    both = rules["inspectorate.name"] == "both"
    return f"{AS_WRITTEN} ({TODAY})" if both else AS_WRITTEN
