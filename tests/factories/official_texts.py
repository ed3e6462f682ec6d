"""An invented text with the numbers of the Portuguese articles, and its being brought."""

from datetime import date
from hashlib import sha256
from typing import Final

from casino.importing import regulation_texts
from casino.recording import Actor
from tests.factories.findings import PEOPLE

HEAD: Final = Actor(PEOPLE["chefia_da_sala"], "chefia_da_sala", "admin")
_OWN: Final = {
    21: """\
1 - O par de ás e figura recebe três fichas por cada duas, ainda que haja 10 lugares.

2 - Recebe-as logo, sem pedir.""",
    23: "1 - Quem soma 21 recebe outro tanto.",
}
TEXT: Final = "\n".join(f"Artigo {n}.º\n\n{_OWN.get(n, 'Assim se faz.')}\n" for n in range(1, 62))


def received(text: str = TEXT, day: date | None = None) -> str:
    """A text that is kept; its digest."""
    content = text.encode()
    regulation_texts.receive(content, rulebook="pt", title="Portaria 7", in_force=day, by=HEAD)
    return sha256(content).hexdigest()
