"""What an entry would open, asked of the judge of a partida alone: no book, no other rooms."""

from typing import Any

from casino.law.dossier import Dossier, RecordedEvent
from casino.law.finding import Finding
from casino.law.partida_judge import judge_partida
from casino.law.rulebook.rulebook import Law


def preview(
    dossier: Dossier, candidate: RecordedEvent[Any], law: Law, instead_of: str | None = None
) -> list[Finding]:
    """The findings an event in hand is evidence of; `instead_of` is the leaf of what it
    corrects.
    """
    judgement = judge_partida(dossier.with_entry(candidate, instead_of), law)
    return [found for found in judgement.findings if candidate.entry_id in found.evidence]
