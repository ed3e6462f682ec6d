"""When nobody stakes at a table with a shoe, and what is done with a deck that is not perfect."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from casino.demo import cast
from casino.demo.demo_cards import BENT, Game
from casino.demo.demo_lines import Line
from casino.events.deck_life import DeckWithdrawn
from casino.events.floor_life import PartidaReopened
from casino.events.incidents import IncidentClosed, IncidentReported, Person
from casino.events.notices import NoticeSent
from casino.events.partidas import PartidaClosed
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardsSpread, PlayInterrupted, PlayResumed

STOPPED: Final = timedelta(minutes=26)  # how long nothing is played
MINUTE: Final = timedelta(minutes=1)


def stopped(
    game: Game, at: datetime, last_round_played: RoundPlayed, rounds: int
) -> Iterator[Line]:
    """Nobody stakes: the cards are laid out, the table closes; guests come, it opens again.

    Law: PT art. 12.
    """
    stop = PlayInterrupted(
        **game.at, reason="no_stakes", shoe=last_round_played.shoe, round=last_round_played.round
    )
    yield game.line(at + MINUTE, stop)
    spread = CardsSpread(
        **game.at,
        reason="no_stakes",
        shoe=last_round_played.shoe,
        round=last_round_played.round,
        face_up=True,
    )
    yield game.line(at + 3 * MINUTE, spread)
    closed = PartidaClosed(
        **game.at, rounds=rounds, reason="no_players", closing_announced_at=at + 6 * MINUTE
    )
    yield game.line(at + 8 * MINUTE, closed)
    opened = PartidaReopened(
        **game.at, reason="vieram_jogadores", authorised_by=cast.MANAGER.number
    )
    yield Line(at=at + 14 * MINUTE, by=cast.MANAGER.at_the_desk, event=opened)
    yield game.line(at + 15 * MINUTE, PlayResumed(**game.at))


def withdrawn(game: Game, at: datetime, deck: str) -> Iterator[Line]:
    """The deck with the bent card goes out of use, whole; the inspection service is told."""
    incident = f"IN-{game.table[3:]}{game.number}9"
    report = IncidentReported(
        **game.at,
        incident=incident,
        category="deck_defect",
        reason="outro",
        detail="vinco",
        people=(Person(person=game.by.staff, role="fiscal_de_banca"),),
        deck=deck,
        damaged_cards=(BENT,),
        noticed_at=at,
        text="O nove de ouros tem um vinco a meio.",
    )
    yield game.line(at, report)
    out = DeckWithdrawn(
        **game.at, deck=deck, reason="damaged", cards=52, held_apart=True, incident=incident
    )
    yield game.line(at + MINUTE, out)
    notice = NoticeSent(
        **game.at,
        notice=f"NI-{game.table[3:]}{game.number}9",
        to="inspection_service",
        about="deck",
        means="portal",
        reference="Mensagem 33",
        sent_at=at + 3 * MINUTE,
        sent_by=cast.MANAGER.number,
        sent_by_office="chefia_da_sala",
        incident=incident,
        deck=deck,
    )
    yield Line(at=at + 3 * MINUTE, by=cast.MANAGER.at_the_desk, event=notice)
    over = IncidentClosed(
        **game.at, incident=incident, outcome="settled", reason="baralho_retirado"
    )
    yield game.line(at + 4 * MINUTE, over)
