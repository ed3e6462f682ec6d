"""Who and what the demo's evening has: people nobody ever met, machines, cards."""

from dataclasses import dataclass
from typing import Final

from casino.events.partidas import SpecialCard
from casino.events.staff import Office
from casino.simulation.procedures.procedure_acts import House, Who

DOOR: Final = "admin"


@dataclass(frozen=True, slots=True)
class Member:
    """A number, the name it stands for (kept private), and the one office it holds."""

    number: str
    name: str
    office: Office

    @property
    def who(self) -> Who:
        """As whom it records: whoever works there at the desk, a device by its own door."""
        return Who(self.number, self.office, "api" if self.office == "dispositivo" else DOOR)


ADMINISTRATOR: Final = Member("S-0001", "Teresa Vasques Lobo", "administrador")
MANAGER: Final = Member("S-0003", "Rui Sampaio Meireles", "chefia_da_sala")
CHEFE: Final = Member("S-0021", "Helena Brandão Couto", "fiscal_chefe")
DAY_CHEFE: Final = Member("S-0022", "Duarte Nogueira Pires", "fiscal_chefe")
PIT: Final = Member("S-0187", "Inês Abrantes Folgado", "fiscal_de_banca")
SECOND_PIT: Final = Member("S-0190", "Tomás Figueira Leal", "fiscal_de_banca")
DAY_PIT: Final = Member("S-0193", "Luísa Cordeiro Prates", "fiscal_de_banca")
INSPECTOR: Final = Member("I-0007", "Margarida Quintas Rebelo", "inspetor")
AUDITOR: Final = Member("A-0012", "Vasco Teles Madeira", "auditor")

# Who deals where; each table's dealers take turns.
DEALERS: Final = {
    "BJ-01": (
        Member("P-104", "Carla Simões Paiva", "pagador"),
        Member("P-109", "Nuno Belchior Reis", "pagador"),
    ),
    "BJ-02": (
        Member("P-112", "Sofia Garrido Mota", "pagador"),
        Member("P-118", "Filipe Azenha Cruz", "pagador"),
    ),
    "BJ-03": (
        Member("P-121", "Joana Pestana Vale", "pagador"),
        Member("P-126", "André Salgueiro Dinis", "pagador"),
    ),
    "BJ-07": (Member("P-130", "Beatriz Lemos Faro", "pagador"),),
}
# What tells the rounds of a table by itself.
DEVICES: Final = {
    table: Member(number, f"Leitor de cartas da mesa {table}", "dispositivo")
    for table, number in (("BJ-01", "SHOE-01"), ("BJ-02", "CSM-02"), ("BJ-03", "SHOE-03"))
}

EVERYBODY: Final = (
    ADMINISTRATOR,
    MANAGER,
    CHEFE,
    DAY_CHEFE,
    PIT,
    SECOND_PIT,
    DAY_PIT,
    INSPECTOR,
    AUDITOR,
    *(dealer for dealers in DEALERS.values() for dealer in dealers),
    *DEVICES.values(),
)

# One of each, with a login; the two who confirm others' acts have a personal code besides.
LOGINS: Final = (PIT, CHEFE, MANAGER, INSPECTOR, AUDITOR, ADMINISTRATOR)
WITNESSES: Final = (CHEFE, MANAGER)

SHUFFLER: Final = "CSM-02"
JACKPOT: Final = "JP-1"
# A deck with a worn card, the leave to exchange that card alone, and a notice of the afternoon.
WORN: Final = "D-0204"
LEAVE: Final = "AI-031"
NOTICE: Final = "NI-101"
RESERVE: Final = "D-0299"  # where single cards are taken from
HOUSE: Final = House(
    manager=MANAGER.who,
    chefes=(CHEFE.who, DAY_CHEFE.who),
    inspector=INSPECTOR.who,
    backs=("red", "blue"),
    cut_card=SpecialCard(front="yellow", back="yellow"),
    carta_aviso=SpecialCard(front="black", back="black"),
    chips=((500, 200), (1_000, 200), (2_500, 160), (10_000, 80), (50_000, 20)),
    stays=40,
    player="J",
)


def deck_set(first: int, decks: int) -> tuple[str, ...]:
    """So many decks by number."""
    return tuple(f"D-{first + place:04d}" for place in range(decks))


# The cards of each partida, by table and number.
DECKS: Final = {
    "BJ-01/1": deck_set(201, 6),
    "BJ-02/1": deck_set(211, 6),
    "BJ-02/2": deck_set(221, 6),
    "BJ-03/1": deck_set(231, 4),
    "BJ-07/1": deck_set(241, 6),
}
