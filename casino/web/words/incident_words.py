"""What can go wrong at a table, in two levels, and how it ends: the house's codes and their words.

A code once recorded is for ever; a word may change.
"""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

# The tiles, in the order of what happens most; the first three are of a shuffler alone.
CATEGORIES: Final[dict[str, Promise]] = {
    "jam": _("Jam"),
    "damaged_card": _("Damaged card"),
    "warning_light": _("Warning light"),
    "exposed_card": _("Exposed card"),
    "dealing_error": _("Error in dealing"),
    "payment_error": _("Error in paying"),
    "deck_defect": _("Defect of a deck"),
    "conduct": _("Conduct"),
    "cash": _("Cash"),
    "other": _("Other"),
}
OF_A_SHUFFLER: Final = frozenset({"jam", "warning_light"})

REASONS: Final[dict[str, dict[str, Promise]]] = {
    "jam": {
        "carta_presa": _("One card is stuck"),
        "varias_cartas_presas": _("Several cards are stuck"),
        "maquina_parada": _("The machine stopped"),
        "outro": pgettext_lazy("incident", "Other"),
    },
    "damaged_card": {
        "canto_dobrado": _("Bent corner"),
        "vincada": _("Creased"),
        "rasgada": _("Torn"),
        "riscada": _("Scratched or marked"),
        "suja": _("Dirty"),
        "outro": pgettext_lazy("incident", "Other"),
    },
    "warning_light": {
        "luz_sem_causa_visivel": _("No visible cause"),
        "numero_de_cartas": _("Number of cards"),
        "tampa": _("Lid"),
        "leitura_de_carta": _("A card was not read"),
        "outro": pgettext_lazy("incident", "Other"),
    },
    "exposed_card": {
        "virada_pelo_pagador": _("Turned by the dealer"),
        "virada_pelo_jogador": _("Turned by a player"),
        "virada_pela_maquina": _("Came out face up"),
        "caiu_da_mesa": _("Fell off the table"),
        "outro": pgettext_lazy("incident", "Other"),
    },
    "dealing_error": {
        "carta_a_mais": _("A card too many"),
        "fora_de_ordem": _("Out of order"),
        "lugar_saltado": _("A box was left out"),
        "segunda_carta_virada": _("The bank's second card was turned"),
        "pedido_mal_entendido": _("A request was misunderstood"),
        "outro": pgettext_lazy("incident", "Other"),
    },
    "payment_error": {
        "pago_a_mais": _("Paid too much"),
        "pago_a_menos": _("Paid too little"),
        "nao_pago": _("Not paid"),
        "nao_recolhido": _("Not collected"),
        "outro": pgettext_lazy("incident", "Other"),
    },
    "deck_defect": {
        "carta_em_falta": _("A card is missing"),
        "carta_a_mais_no_baralho": _("A card too many in the deck"),
        "carta_de_outro_baralho": _("A card of another deck"),
        "joker": _("A joker"),
        "outro": pgettext_lazy("incident", "Other"),
    },
    "conduct": {
        "linguagem": _("Language"),
        "tocou_nas_fichas": _("Touched chips after the deal"),
        "ameaca": _("Threat"),
        "suspeita_de_fraude": _("Suspicion of cheating"),
        "outro": pgettext_lazy("incident", "Other"),
    },
    "cash": {
        "diferenca_de_fichas": _("Difference in the chips"),
        "ficha_suspeita": _("Suspect chip"),
        "nota_suspeita": _("Suspect note"),
        "outro": pgettext_lazy("incident", "Other"),
    },
    "other": {
        "falha_de_energia": _("Power failure"),
        "emergencia": _("Emergency"),
        "falha_de_equipamento": _("Failure of equipment"),
        "outro": pgettext_lazy("incident", "Other"),
    },
}

EMPTIED: Final = "lid_closed_emptied"  # the button that says both at once
# What is done about an incident, as its button says it and its record.
STEP_WORDS: Final[dict[str, Promise]] = {
    "called": _("Fiscal-chefe called"),
    "arrived": _("Fiscal-chefe arrived"),
    "lid_opened": _("Lid opened"),
    "lid_closed": _("Lid closed, cards inside"),
    EMPTIED: _("Lid closed, machine emptied"),
    "technician_called": _("Technician called"),
    "technician_arrived": _("Technician arrived"),
    "resolved": _("Solved"),
}

SETTLED: Final = "settled"
HOW_SETTLED: Final[dict[str, Promise]] = {
    "resolvido": _("Put right"),
    "carta_substituida": _("Card exchanged"),
    "baralho_retirado": _("Deck withdrawn"),
    "maquina_substituida": _("Machine exchanged"),
    "jogada_anulada": _("Round voided"),
    "corrigido_na_mesa": _("Corrected at the table"),
    "entregue_a_chefia": _("Handed to the chefia da sala"),
    "sem_fundamento": _("Nothing was found"),
}

# Every reason by its code: why it happened, and how it ended.
OF_INCIDENTS: Final[dict[str, Promise]] = {
    code: word for reasons in (*REASONS.values(), HOW_SETTLED) for code, word in reasons.items()
}


def category_word(category: str) -> str:
    """What a category is called."""
    return str(CATEGORIES.get(category, category.replace("_", " ")))


def reason_word(category: str, reason: str) -> str:
    """What a reason is called; a code of another door as it is."""
    return str(REASONS.get(category, {}).get(reason, reason.replace("_", " ")))


def settled_word(reason: str) -> str:
    """What the reason of a closing is called."""
    return str(HOW_SETTLED.get(reason, reason.replace("_", " ")))
