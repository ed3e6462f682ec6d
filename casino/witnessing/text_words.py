"""The words of a witness's text for the codes in it: as fixed as the text itself.

Not from the catalogue, for the same reason; a code that is not here is shown as it is.
"""

from collections.abc import Mapping
from typing import Final

# In Portuguese and in English, by the code.
CATEGORIES: Final[Mapping[str, tuple[str, str]]] = {
    "jam": ("Encravamento", "Jam"),
    "damaged_card": ("Carta danificada", "Damaged card"),
    "warning_light": ("Luz de aviso", "Warning light"),
    "exposed_card": ("Carta virada", "Exposed card"),
    "dealing_error": ("Erro de distribuição", "Error in dealing"),
    "payment_error": ("Erro de pagamento", "Error in paying"),
    "deck_defect": ("Defeito de um baralho", "Defect of a deck"),
    "conduct": ("Conduta", "Conduct"),
    "cash": ("Fichas e dinheiro", "Cash"),
    "other": ("Outro", "Other"),
}
REASONS: Final[Mapping[str, tuple[str, str]]] = {
    "carta_presa": ("Uma carta presa", "One card is stuck"),
    "varias_cartas_presas": ("Várias cartas presas", "Several cards are stuck"),
    "maquina_parada": ("A máquina parou", "The machine stopped"),
    "outro": ("Outro motivo", "Other"),
    "canto_dobrado": ("Canto dobrado", "Bent corner"),
    "vincada": ("Vincada", "Creased"),
    "rasgada": ("Rasgada", "Torn"),
    "riscada": ("Riscada ou marcada", "Scratched or marked"),
    "suja": ("Suja", "Dirty"),
    "luz_sem_causa_visivel": ("Sem causa visível", "No visible cause"),
    "numero_de_cartas": ("Número de cartas", "Number of cards"),
    "tampa": ("Tampa", "Lid"),
    "leitura_de_carta": ("Uma carta não foi lida", "A card was not read"),
    "virada_pelo_pagador": ("Virada pelo pagador", "Turned by the dealer"),
    "virada_pelo_jogador": ("Virada por um jogador", "Turned by a player"),
    "virada_pela_maquina": ("Saiu voltada para cima", "Came out face up"),
    "caiu_da_mesa": ("Caiu da mesa", "Fell off the table"),
    "carta_a_mais": ("Uma carta a mais", "A card too many"),
    "fora_de_ordem": ("Fora de ordem", "Out of order"),
    "lugar_saltado": ("Um lugar ficou sem carta", "A box was left out"),
    "segunda_carta_virada": (
        "Virada a segunda carta da banca",
        "The bank's second card was turned",
    ),
    "pedido_mal_entendido": ("Pedido mal entendido", "A request was misunderstood"),
    "pago_a_mais": ("Pago a mais", "Paid too much"),
    "pago_a_menos": ("Pago a menos", "Paid too little"),
    "nao_pago": ("Não pago", "Not paid"),
    "nao_recolhido": ("Não recolhido", "Not collected"),
    "carta_em_falta": ("Carta em falta", "A card is missing"),
    "carta_a_mais_no_baralho": ("Carta a mais no baralho", "A card too many in the deck"),
    "carta_de_outro_baralho": ("Carta de outro baralho", "A card of another deck"),
    "joker": ("Um joker", "A joker"),
    "linguagem": ("Linguagem", "Language"),
    "tocou_nas_fichas": ("Tocou nas fichas depois da distribuição", "Touched chips after the deal"),
    "ameaca": ("Ameaça", "Threat"),
    "suspeita_de_fraude": ("Suspeita de fraude", "Suspicion of cheating"),
    "diferenca_de_fichas": ("Diferença nas fichas", "Difference in the chips"),
    "ficha_suspeita": ("Ficha suspeita", "Suspect chip"),
    "nota_suspeita": ("Nota suspeita", "Suspect note"),
    "falha_de_energia": ("Falha de energia", "Power failure"),
    "emergencia": ("Emergência", "Emergency"),
    "falha_de_equipamento": ("Falha de equipamento", "Failure of equipment"),
}
PLACES: Final = {"pt": 0, "en": 1}


def spelled(words: Mapping[str, tuple[str, str]], code: str, language: str) -> str:
    """What a code is called in "pt" or "en"."""
    return words[code][PLACES[language]] if code in words else code.replace("_", " ")
