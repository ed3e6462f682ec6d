"""Evenings with everything around the cards: who prepared, loaded, opened, decided, and told it.

Several partidas at tables with shoes and with shufflers, the people of the house, its decks and
machines, told as events of the book. An evening without breaches is lawful to the last act; a
breach that is planted is the only one of its partida, and a label says where it lies
(docs/simulation.md).

Nothing here knows the checks that judge it: who may cut, what is due when, is written once more.
"""

from casino.simulation.fault_labels import Planted
from casino.simulation.procedures.breaches.breaking import Breach, ProceduralEvening
from casino.simulation.procedures.breaches.every_breach import BREACHES, CHECKS
from casino.simulation.procedures.procedural_evening import MOST, evening_with, procedural_evening

__all__ = [
    "BREACHES",
    "CHECKS",
    "MOST",
    "Breach",
    "Planted",
    "ProceduralEvening",
    "evening_with",
    "procedural_evening",
]
