"""A casino to try the rest on: whole evenings of blackjack under the Portuguese rules.

It pays from its own table (`payouts`), written from the regulation's text, and imports nothing of
`casino.law`: where the two agree, they agree although two hands wrote them.
"""

from casino.simulation.fault_labels import Label
from casino.simulation.simulated_evening import evening

__all__ = ["Label", "evening"]
