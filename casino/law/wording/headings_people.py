"""What is said where somebody did what another office has to do. Law: PT art. 7, 8, 17, 55."""

from typing import Final

from casino.law.wording.headings import Headings, Line


def _by(pt: str, en: str, office_pt: str, office_en: str) -> tuple[Line, ...]:
    return (
        Line(
            f"{pt} uma máquina; cabia {office_pt}",
            f"{en} a machine; it was for {office_en} to do",
            {"o.by": "machine"},
        ),
        Line(
            f"{pt} {{o.staff}}, que não tinha então o cargo de {{e.office}} (nenhum cargo em"
            " registo)",
            f"{en} {{o.staff}}, who did not hold the office of {{e.office}} then (no office on"
            " record)",
            {"o.on_record": "nothing"},
        ),
        Line(
            f"{pt} {{o.staff}}, que não tinha então o cargo de {{e.office}}",
            f"{en} {{o.staff}}, who did not hold the office of {{e.office}} then",
        ),
    )


_DEALER: Final = ("ao pagador", "the dealer")

HEADINGS: Final[Headings] = {
    "deck_exhibited_by_a_dealer": _by("~foi exibido por", "~was exhibited by", *_DEALER),
    "deck_ordered_by_a_dealer": _by("~foi ordenado por", "~was put in order by", *_DEALER),
    "shoe_shuffled_by_a_dealer": _by("~foi baralhado por", "~was shuffled by", *_DEALER),
    "shoe_cut_by_a_fiscal_de_banca": _by(
        "em vez dos jogadores, cortou",
        "in the players' stead, the cut was made by",
        "ao fiscal de banca",
        "the fiscal de banca",
    ),
    "rounds_dealt_by_a_dealer": (
        Line(
            "~deu as cartas de {o.rounds|n:jogada,jogadas} sem ter então o cargo de {e.office}"
            " (nenhum cargo em registo)",
            "~dealt the cards of {o.rounds|n:round,rounds} without the office of {e.office} then"
            " (no office on record)",
            {"o.on_record": "nothing"},
        ),
        Line(
            "~deu as cartas de {o.rounds|n:jogada,jogadas} sem ter então o cargo de {e.office}",
            "~dealt the cards of {o.rounds|n:round,rounds} without the office of {e.office} then",
        ),
    ),
}
