"""A house's first day as somebody fills it into the template; changed where a test asks for it."""

import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

from openpyxl import Workbook, load_workbook

from casino.importing.first_day_template import template

Rows = Mapping[str, Sequence[Sequence[object]]]
# By sheet, in the template's columns.
LAWFUL: Final[dict[str, list[list[object]]]] = {
    "People": [["S-0187", "Ana Exemplo"], ["S-0021", "Rui Exemplo"], ["I-0007", None]],
    "Offices": [
        ["S-0187", "fiscal de banca", "2026-01-05"],
        ["S-0021", "fiscal-chefe", None, None, "Ordem 3"],
        ["I-0007", "inspetor"],
    ],
    "Tables": [
        [
            *("BJ-01", 7, "Sala Mista", "semicircular", "da esquerda do pagador"),
            *("sim", "não", "nenhuma"),
        ],
        ["BJ-02", 5, None, None, None, None, "sim", "manual"],
    ],
    "Limits": [["BJ-01", "10", "300", None, "Ordem 4"], ["BJ-02", 2.5, 50]],
    "Limits approved": [
        ["BJ-01", "10,00", "300,00", None, "Despacho 14/2026"],
        ["BJ-02", "2,50", "50", None, "Despacho 15/2026"],
    ],
    "Approved programs": [["Contínuo Seis", "2.10", "ab" * 32, None, "Despacho 119/2026"]],
    "Shufflers": [
        ["SH-01", "Exemplo", "Contínuo Seis", "EX-000417", "2.10", "Aprovação 118", None, "sim"]
    ],
    "Decks": [
        ["D-0201", "Exemplo", "azul", "EX-1", "52", "intacto", "Guia 2044", "2026-01-10"],
        ["D-0202", "Exemplo", "vermelho"],
    ],
    "Jackpots": [
        [
            *("JP-1", "C-1", None, "2,50", "70 %", "25000", "31204,50", None, "4", "a maior"),
            *("manual", "BJ-02", "Comunicação 7", "2026-01-15", "Proposta 4", "2026-01-20"),
            *("Despacho 19", "2026-02-10", "Anexo I"),
        ],
    ],
    "Prizes": [
        ["JP-1", "four_aces", "100 %"],
        ["JP-1", "two_aces_same_suit", None, "100"],
    ],
}
EVENTS: Final = 3 + 3 + 2 + 2 + 2 + 1 + 1 + 2 + 2  # of that day


def filled(rows: Rows = LAWFUL, **changed: Sequence[Sequence[object]]) -> bytes:
    """The template with these rows; `changed` has other rows of a sheet by its name."""
    book = load_workbook(io.BytesIO(template()))
    for title, listed in {**rows, **changed}.items():
        sheet = book[title] if title in book.sheetnames else book.create_sheet(title)
        for row in listed:
            sheet.append(list(row))
    return saved(book)


def saved(book: Any) -> bytes:
    """A workbook's bytes."""
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def empty_book() -> Workbook:
    """A workbook without a sheet."""
    book = Workbook()
    book.remove(book.active)
    return book
