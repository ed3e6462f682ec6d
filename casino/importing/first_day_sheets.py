"""The sheets of a house's first day that are of the floor: people, offices, tables, cards."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from casino.events.event import Event
from casino.events.inspection import LimitsApproved
from casino.events.phrases import marked
from casino.events.tables import LimitsSet
from casino.importing.sheet_columns import OCCURRED, Column, OpenMoment, Others, Sheet, plain
from casino.law.checks.table.inspection_service import limits_are_approved
from casino.law.checks.table.table_setup import opened_within_thirty_minimums
from casino.law.finding import Breach, Rule
from casino.law.rulebook.rulebook import Law

_OFFICES: Final = {
    "pagador": "pagador",
    "fiscal de banca": "fiscal_de_banca",
    "fiscal-chefe": "fiscal_chefe",
    "chefia da sala": "chefia_da_sala",
    "inspetor": "inspetor",
    "auditor": "auditor",
    "administrador": "administrador",
    "dispositivo": "dispositivo",
}
_COLOURS: Final = {
    "vermelho": "red",
    "azul": "blue",
    "verde": "green",
    "amarelo": "yellow",
    "preto": "black",
    "branco": "white",
    "cinzento": "grey",
    "roxo": "purple",
    "laranja": "orange",
    "castanho": "brown",
}
FROM_THEN: Final[dict[str, OpenMoment]] = {"valid_from": "confirmation"}
BLANK_FROM: Final = marked(
    "Left blank: from the moment the file is confirmed. A day begins when the gaming day does."
)
_DOCUMENT: Final = marked("The inspection service's decision, as it is quoted.")


def preview_limits(
    event: Event, at: datetime, law: Law, others: Others
) -> Iterator[tuple[Rule, Breach]]:
    """What a table that opens with these limits is found by. Law: PT art. 15, 37."""
    if not isinstance(event, LimitsSet):
        return
    rules = law.on(max(at, event.valid_from).date())
    pair = {"minimum_cents": event.minimum_cents, "maximum_cents": event.maximum_cents}
    if rules.states("limits.maximum_over_minimum"):
        most = event.minimum_cents * rules["limits.maximum_over_minimum"]
        if event.maximum_cents > most:
            found = {"maximum_cents": event.maximum_cents}
            yield opened_within_thirty_minimums, Breach({}, found, {"at_most_cents": most})
    listed = [*others.of_file, *others.of_book(LimitsApproved.kind)]
    approvals = [one for one in listed if isinstance(one, LimitsApproved)]
    if approvals and not any(
        event.table in one.tables
        and (one.minimum_cents, one.maximum_cents) == (event.minimum_cents, event.maximum_cents)
        and one.valid_from <= max(at, event.valid_from)
        for one in approvals
    ):
        yield limits_are_approved, Breach({}, pair, {"on_record": "yes"})


def _pair() -> tuple[Column, ...]:
    return (
        Column("minimum_cents", "Mínimo (€)", "Minimum (€)", "euros", "10", True),
        Column("maximum_cents", "Máximo (€)", "Maximum (€)", "euros", "300", True),
        Column("valid_from", "Desde", "From", "from", "", help=BLANK_FROM),
    )


SHEETS: Final = (
    Sheet(
        "people",
        "Pessoas",
        "People",
        {"staff-registered/1": ("staff",)},
        (
            Column("staff", "Número", "Number", "text", "S-0187", True),
            Column(
                "name",
                "Nome",
                "Name",
                "private",
                "Ana Exemplo",
                help=marked("Kept beside the book, where it can be erased; not shown here."),
            ),
        ),
        plain("staff-registered/1"),
        by_hand=marked(
            "Whoever is to log in is given an account; each chooses his own confirmation code."
        ),
    ),
    Sheet(
        "offices",
        "Cargos",
        "Offices",
        {"office-granted/1": ("staff", "office")},
        (
            Column("staff", "Número", "Number", "text", "S-0187", True, of="people"),
            Column("office", "Cargo", "Office", "choice", "fiscal de banca", True, _OFFICES),
            Column(
                "valid_from",
                "Desde",
                "From",
                "from",
                "",
                help=marked(
                    "Left blank: from the moment the file is confirmed. From fiscal-chefe upwards"
                    " no earlier day is taken."
                ),
            ),
            Column("valid_until", "Até (inclusive)", "Until (inclusive)", "until", ""),
            Column("reference", "Documento", "Document", "text", "Ordem de serviço 3/2026"),
        ),
        plain("office-granted/1"),
        signed=("granted_by",),
        open_moments=FROM_THEN,
    ),
    Sheet(
        "tables",
        "Mesas",
        "Tables",
        {"table-registered/1": ("table",)},
        (
            Column("table", "Mesa", "Table", "text", "BJ-01", True),
            Column("boxes", "Lugares de aposta", "Boxes", "whole", "7", True),
            Column("place", "Local", "Place", "text", "Sala Mista"),
            Column(
                "layout",
                "Traçado",
                "Layout",
                "choice",
                "semicircular",
                False,
                {"semicircular": "semicircular", "outro": "other"},
            ),
            Column(
                "numbering",
                "Numeração",
                "Numbering",
                "choice",
                "da esquerda do pagador",
                False,
                {"da esquerda do pagador": "from_dealers_left", "outra": "other"},
            ),
            Column("boxes_marked", "Lugares marcados", "Boxes marked", "truth", "sim"),
            Column("jackpot_place", "Lugar do acumulado", "Jackpot place", "truth", "não"),
            Column(
                "jackpot_marking",
                "Marcação do acumulado",
                "Jackpot marking",
                "choice",
                "nenhuma",
                False,
                {"nenhuma": "none", "automática": "automatic", "manual": "manual"},
            ),
        ),
        plain("table-registered/1"),
    ),
    Sheet(
        "limits",
        "Limites",
        "Limits",
        {"limits-set/1": ("table",)},
        (
            Column("table", "Mesa", "Table", "text", "BJ-01", True, of="tables"),
            *_pair(),
            Column("reference", "Documento", "Document", "text", "Ordem de serviço 4/2026"),
        ),
        plain("limits-set/1"),
        asks=preview_limits,
        open_moments=FROM_THEN,
    ),
    Sheet(
        "approvals",
        "Aprovações de limites",
        "Limits approved",
        {"limits-approved/1": ("tables", "minimum_cents", "maximum_cents", "document")},
        (
            Column("tables", "Mesas", "Tables", "codes", "BJ-01, BJ-02", True, of="tables"),
            *_pair(),
            Column(
                "document",
                "Documento",
                "Document",
                "text",
                "Despacho 14/2026",
                True,
                help=_DOCUMENT,
            ),
        ),
        plain("limits-approved/1"),
        open_moments=FROM_THEN,
    ),
    Sheet(
        "programs",
        "Programas aprovados",
        "Approved programs",
        {"firmware-decided/1": ("model", "firmware", "decision")},
        (
            Column("model", "Modelo", "Model", "text", "Contínuo Seis", True),
            Column("firmware", "Programa", "Program", "text", "2.10", True),
            Column("firmware_sha256", "SHA-256", "Digest (SHA-256)", "text", "0" * 64, True),
            Column("valid_from", "Desde", "From", "from", "", help=BLANK_FROM),
            Column(
                "document",
                "Documento",
                "Document",
                "text",
                "Despacho 119/2026",
                True,
                help=_DOCUMENT,
            ),
        ),
        lambda row, parts: [("firmware-decided/1", row | {"decision": "approved"})],
        open_moments=FROM_THEN,
    ),
    Sheet(
        "shufflers",
        "Baralhadores",
        "Shufflers",
        {"shuffler-registered/1": ("shuffler",)},
        (
            Column("shuffler", "Baralhador", "Shuffler", "text", "SH-01", True),
            Column("maker", "Fabricante", "Maker", "text", "Exemplo", True),
            Column("model", "Modelo", "Model", "text", "Contínuo Seis", True),
            Column("serial", "Número de série", "Serial number", "text", "EX-000417", True),
            Column("firmware", "Programa", "Program", "text", "2.10"),
            Column("approval", "Aprovação", "Approval", "text", "Aprovação 2026/118"),
            Column("certificate", "Certificado", "Certificate", "text", "Laudo EX-417/2"),
            Column("continuous", "Contínuo", "Continuous", "truth", "sim"),
            Column("in_service", "Em serviço", "In service", "truth", "sim"),
            Column("at_table", "Mesa", "Table", "text", "BJ-01", of="tables"),
        ),
        plain("shuffler-registered/1"),
    ),
    Sheet(
        "decks",
        "Baralhos",
        "Decks",
        {"deck-received/1": ("deck",)},
        (
            Column("deck", "Baralho", "Deck", "text", "D-0201", True),
            Column("maker", "Fabricante", "Maker", "text", "Exemplo", True),
            Column(
                "back_colour",
                "Cor do verso",
                "Back colour",
                "choice",
                "azul",
                True,
                _COLOURS,
            ),
            Column("serial", "Série ou lote", "Serial or batch", "text", "EX-D-0201"),
            Column("cards", "Cartas", "Cards", "whole", "52"),
            Column(
                "seal",
                "Selo",
                "Seal",
                "choice",
                "intacto",
                False,
                {"intacto": "intact", "quebrado": "broken", "sem selo": "none"},
            ),
            Column("document", "Guia", "Delivery note", "text", "Guia 2044"),
            Column(
                OCCURRED,
                "Recebido em",
                "Received on",
                "from",
                "",
                help=marked("Left blank: the moment the file is confirmed."),
            ),
        ),
        plain("deck-received/1"),
        by_hand=marked(
            "Each deck is looked through by a fiscal before it is played with: that is his own act."
        ),
    ),
)
