"""The people, tables and machines of the simulated house: numbers nobody else has."""

from typing import Final

from casino.events.partidas import Dealing, SpecialCard
from casino.events.staff import Office
from casino.simulation.procedures.procedure_acts import House, Who
from casino.simulation.simulated_evening import MODES

DOOR: Final = "admin"
ADMINISTRATOR: Final = Who("S-901", "administrador", "local")
MANAGER: Final = Who("S-903", "chefia_da_sala", DOOR)
INSPECTOR: Final = Who("S-905", "inspetor", DOOR)
CHEFES: Final = (Who("S-911", "fiscal_chefe", DOOR), Who("S-912", "fiscal_chefe", DOOR))
OFF_DUTY: Final = Who("S-913", "fiscal_chefe", DOOR)  # holds the office, has the evening off
HOUSE: Final = House(
    MANAGER,
    CHEFES,
    INSPECTOR,
    backs=("vermelho", "azul"),
    cut_card=SpecialCard(front="amarelo", back="amarelo"),
    carta_aviso=SpecialCard(front="preto", back="preto"),
    chips=((500, 200), (2_500, 160), (10_000, 80)),
    stays=25,
    player="J-",
)

# The simulated tables by their place: shoe and shuffler of six decks, then of four.
FIRST: Final = 20
PLACES: Final = (FIRST, FIRST + 1, FIRST + 2, FIRST + 3)


def table_of(place: int) -> str:
    """A table's code."""
    return f"BJ-{place + 1:02d}"


def dealing_of(place: int) -> Dealing:
    """How it is dealt."""
    mode = MODES[place % len(MODES)][0]
    return "shoe" if mode == "shoe" else "shuffler"


def decks_of(place: int) -> int:
    """With how many decks."""
    return MODES[place % len(MODES)][1]


def pit_of(place: int) -> Who:
    """Its fiscal de banca."""
    return Who(f"S-{901 + place}", "fiscal_de_banca", DOOR)


def dealers_of(place: int) -> tuple[str, ...]:
    """Its dealers, who take turns."""
    return tuple(f"P-{900 + 3 * place + turn}" for turn in range(3))


def device_of(place: int) -> Who:
    """What tells its rounds."""
    kind = "SHOE" if dealing_of(place) == "shoe" else "CSM"
    return Who(f"{kind}-{place + 1}", "dispositivo", "api")


def shuffler_of(place: int) -> str | None:
    """Its machine, which tells its rounds too; None where a shoe deals."""
    return device_of(place).staff if dealing_of(place) == "shuffler" else None


def everybody() -> list[tuple[str, Office]]:
    """Each number with its office."""
    people: list[tuple[str, Office]] = [
        (who.staff, who.office) for who in (ADMINISTRATOR, MANAGER, INSPECTOR, *CHEFES, OFF_DUTY)
    ]
    for place in PLACES:
        people.append((pit_of(place).staff, "fiscal_de_banca"))
        people += [(dealer, "pagador") for dealer in dealers_of(place)]
        people.append((device_of(place).staff, "dispositivo"))
    return people
