"""Who may write an event and who may read it, declared with the event.

Offices alone stand here: at whose table, in whose game and what the book says of him is asked by
`casino.recording.authority` and `casino.access.access_policy`. Source: the matrix of permissions
typed by hand into tests/permissions.toml, which a test holds against these.
"""

from dataclasses import dataclass
from typing import Final

PIT: Final = "fiscal_de_banca"
HEAD: Final = "fiscal_chefe"
MANAGER: Final = "chefia_da_sala"
ADMIN: Final = "administrador"
INSPECTOR: Final = "inspetor"
AUDITOR: Final = "auditor"
DEVICE: Final = "dispositivo"
SYSTEM: Final = "sistema"

# Who writes.
FLOOR: Final = frozenset({PIT, HEAD, MANAGER})
AT_THE_TABLE: Final = frozenset({PIT, HEAD})
TABLE_OR_DEVICE: Final = frozenset({PIT, HEAD, DEVICE})
BY_ITSELF: Final = frozenset({SYSTEM})  # the house's programs
HEADS: Final = frozenset({HEAD, MANAGER})
DIRECTION: Final = frozenset({MANAGER, ADMIN})
# Who reads.
OVERSEERS: Final = frozenset({INSPECTOR, AUDITOR})  # they look at the floor from outside it
SUPERVISION: Final = HEADS | OVERSEERS
PERSONNEL: Final = DIRECTION | OVERSEERS
SEAL_READERS: Final = SUPERVISION | {ADMIN}
EVERYBODY: Final = SEAL_READERS | {PIT}
NOBODY: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Policy:
    """What offices may do with an event of one kind.

    Without `readers` it is the floor's: supervision reads all of it, a fiscal de banca what is of
    his own games. With them, `author_reads` read what they wrote themselves. `private_readers`
    read its private values, as its author does. What is not `correctable` is recorded anew, for
    others act on it as it stands. `witnessed_under` is the article under which a second person
    confirms the act, "" where none asks it.
    """

    writers: frozenset[str] = FLOOR
    readers: frozenset[str] | None = None
    author_reads: frozenset[str] = NOBODY
    private_readers: frozenset[str] = SUPERVISION
    correctable: bool = True
    witnessed_under: str = ""

    @property
    def whole_readers(self) -> frozenset[str]:
        """The offices that read every one."""
        return SUPERVISION if self.readers is None else self.readers

    @property
    def own_readers(self) -> frozenset[str]:
        """The offices that read no more than their own."""
        return frozenset({PIT}) if self.readers is None else self.author_reads
