"""The sheets of a house's first day that are of the progressive prize: pools and their prizes.

A pool comes with its terms as they were decided and with the meter as it stands. It is never
filled by an increment nobody laid: what it shows is put in as the value this book begins with.

Law: PT art. 38, 40 to 44.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from casino.events.event import Event
from casino.events.phrases import marked
from casino.importing.sheet_columns import Built, Column, Others, Payload, Sheet
from casino.law.finding import Breach, Rule
from casino.law.rulebook.rulebook import Law
from jackpot.events import JackpotStarted, TermsApproved
from jackpot.progressive.meter import Meter
from jackpot.queries.meter_preview import first_day
from jackpot.rules.pool_evening import as_terms
from jackpot.rules.pool_preview import of_start, of_terms

_BLANK: Final = marked(
    "Left blank: from the next gaming day on. Terms that begin before they are recorded are found"
    " (n.º 40)."
)


def _built(pool: Payload, prizes: Sequence[Payload]) -> list[Built]:
    """The terms with their prizes, and the start where the meter runs."""
    terms = dict(pool)
    meter = terms.pop("meter_cents", None)
    lines = [{name: one[name] for name in one if name != "jackpot"} for one in prizes]
    made: list[Built] = [(TermsApproved.kind, terms | {"lines": lines})]
    if meter is not None:
        # A meter that ran elsewhere is not begun for the first time here.
        reason = "first" if meter == pool.get("start_cents") else "other"
        start = {"jackpot": pool.get("jackpot"), "start_cents": meter, "reason": reason}
        made.append((JackpotStarted.kind, start))
    return made


def preview_pool(
    event: Event, at: datetime, law: Law, others: Others
) -> Iterator[tuple[Rule, Breach]]:
    """What is asked of terms, and of the value a meter begins with by the terms of the file."""
    if isinstance(event, TermsApproved):
        day = first_day(event.valid_from)
        asked = of_terms(as_terms(event, at), day, law.on(day))
    elif isinstance(event, JackpotStarted):
        terms = [*others.of_book(TermsApproved.kind), *others.of_file]
        stakes = [
            one.stake_cents
            for one in terms
            if isinstance(one, TermsApproved) and one.jackpot == event.jackpot
        ]
        stake = stakes[-1] if stakes else None
        asked = of_start(event.start_cents, Meter(), stake, law.on(first_day(at)))
    else:
        return
    for rule, verdict in asked:
        for one in verdict if isinstance(verdict, list) else [verdict]:
            if isinstance(one, Breach):
                yield rule, one


SHEETS: Final = (
    Sheet(
        "pools",
        "Acumulados",
        "Jackpots",
        {TermsApproved.kind: ("jackpot",), JackpotStarted.kind: ("jackpot",)},
        (
            Column("jackpot", "Acumulado", "Jackpot", "text", "JP-1", True),
            Column("terms", "Versão das condições", "Terms", "text", "C-1", True),
            Column("valid_from", "Desde", "From", "from", "", help=_BLANK),
            Column("stake_cents", "Aposta (€)", "Stake (€)", "euros", "2,50", True),
            Column("rate_millionths", "Percentagem", "Percentage", "percent", "70 %", True),
            Column("start_cents", "Valor inicial (€)", "Start (€)", "euros", "25000", True),
            Column(
                "meter_cents",
                "Mostrador agora (€)",
                "Display now (€)",
                "euros",
                "31204,50",
                help=marked(
                    "What the display shows when the file is confirmed: compare it then. Left"
                    " blank: the meter is not started."
                ),
            ),
            Column("limit_cents", "Limite (€)", "Limit (€)", "euros", ""),
            Column("cards_counted", "Cartas que contam", "Cards counted", "whole", "4", True),
            Column(
                "match",
                "Combinação ganha",
                "Line won",
                "choice",
                "a maior",
                True,
                {"a maior": "best", "a primeira": "first"},
            ),
            Column(
                "marking",
                "Marcação",
                "Marking",
                "choice",
                "manual",
                True,
                {"manual": "manual", "automática": "automatic"},
            ),
            Column("tables", "Mesas", "Tables", "codes", "BJ-01, BJ-02", of="tables"),
            Column("option_reference", "Opção", "Option", "text", "Comunicação 7"),
            Column("communicated_on", "Comunicada em", "Communicated on", "day", "2026-01-15"),
            Column("proposal", "Proposta", "Proposal", "text", "Proposta 4"),
            Column("proposed_on", "Proposta em", "Proposed on", "day", "2026-01-20"),
            Column("approval_reference", "Decisão", "Decision", "text", "Despacho 19"),
            Column("approved_on", "Decidida em", "Decided on", "day", "2026-02-10"),
            Column("conditions", "Condições", "Conditions", "text", "Anexo I"),
        ),
        _built,
        asks=preview_pool,
        by_hand=marked(
            "A fiscal-chefe confirms the terms of each jackpot against the decision, on their"
            " entry: until then no chip counts for it."
        ),
        open_moments={"valid_from": "next_day"},
    ),
    Sheet(
        "prizes",
        "Prémios",
        "Prizes",
        {},
        (
            Column("jackpot", "Acumulado", "Jackpot", "text", "JP-1", True, of="pools"),
            Column(
                "code",
                "Combinação",
                "Combination",
                "text",
                "four_aces",
                True,
                help=marked("A word of the catalogue (docs/jackpot.md), or the cards: AS-JS."),
            ),
            Column("share_millionths", "Parte do mostrador", "Share", "percent", "100 %"),
            Column("fixed_cents", "Quantia fixa (€)", "Fixed amount (€)", "euros", ""),
        ),
        lambda row, parts: [],
        part_of="pools",
    ),
)
