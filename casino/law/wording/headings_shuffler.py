"""What is said of a breach at a table with an automatic shuffler, and of what machines report.

Law: PT art. 3, 51 to 60.
"""

from typing import Final

from casino.law.wording.headings import Headings, Line
from casino.law.wording.headings_floor import attested, not_whole, rounds


def _by_whom(pt: str, en: str, office_pt: str, office_en: str) -> tuple[Line, ...]:
    """An act of somebody who did not hold the office it asks for."""
    return (
        Line(
            f"{pt} por {{o.staff}}, indicado como {{o.office}}, que não tinha esse cargo",
            f"{en} by {{o.staff}}, named as {{o.office}}, who did not hold that office",
            {"o.office": "fiscal_chefe"},
        ),
        Line(
            f"{pt} por {{o.staff}}, {{o.office}}; cabia {office_pt}",
            f"{en} by {{o.staff}}, {{o.office}}; it was for {office_en} to do",
        ),
        Line(
            f"{pt} por {{o.staff}}; cabia {office_pt}, cargo que não tinha",
            f"{en} by {{o.staff}}, who did not hold the office; it was for {office_en} to do",
        ),
        Line(
            f"{pt} {{o.office|by}}; cabia {office_pt}",
            f"{en} {{o.office|by}}; it was for {office_en} to do",
        ),
    )


_CHEFE: Final = ("a um fiscal-chefe", "a fiscal-chefe")


def _witnesses(act_pt: str, act_en: str, name: str) -> Headings:
    """What is found of a second person's word to a loading or an unloading."""
    return {
        f"{name}_witnessed": (
            Line(
                f"ninguém confirmou que um fiscal-chefe assistiu {act_pt}",
                f"nobody confirmed that a fiscal-chefe was present at the {act_en}",
                {"o.witnesses": 0},
            ),
            Line(
                f"só {{o.witness}}, que tomou parte no ato, confirmou que um fiscal-chefe assistiu"
                f" {act_pt}",
                f"only {{o.witness}}, who took part in it, confirmed that a fiscal-chefe was"
                f" present at the {act_en}",
            ),
        ),
        f"{name}_witnessed_in_time": (
            Line(
                "{w.witness} só o confirmou às {o.moment}; o prazo da casa era até às"
                " {e.not_after}",
                "{w.witness} confirmed it only at {o.moment}; the house's time ran until"
                " {e.not_after}",
            ),
        ),
        f"{name}_witness_is_fiscal_chefe": (
            Line(
                f"{{w.witness}}, que confirmou ter assistido {act_pt}, não tinha o cargo de"
                f" fiscal-chefe",
                f"{{w.witness}}, who confirmed presence at the {act_en}, did not hold the office"
                f" of fiscal-chefe",
            ),
        ),
        f"{name}_witness_on_duty": (
            Line(
                f"{{w.witness}}, que confirmou ter assistido {act_pt}, não estava de serviço como"
                f" fiscal-chefe",
                f"{{w.witness}}, who confirmed presence at the {act_en}, was not on duty as"
                f" fiscal-chefe",
            ),
        ),
        f"{name}_witness_at_one_table": (
            Line(
                f"{{w.witness}}, que confirmou ter assistido {act_pt} na mesa {{e.table}}, estava"
                f" entretanto na mesa {{o.also_at}}",
                f"{{w.witness}}, who confirmed presence at the {act_en} at table {{e.table}}, was"
                f" meanwhile at table {{o.also_at}}",
            ),
        ),
    }


HEADINGS: Final[Headings] = {
    "loaded_decks_are_the_games": (
        Line(
            "{o.left_out|s:ficou de fora o baralho,ficaram de fora os baralhos} {o.left_out|and}["
            " e {o.decks_beside|s:entrou o baralho,entraram os baralhos} {o.decks_beside|and}, que"
            " não {o.decks_beside|s:é,são} da partida]",
            "{o.left_out|s:deck,decks} {o.left_out|and} {o.left_out|s:was,were} left out[ and"
            " {o.decks_beside|s:deck,decks} {o.decks_beside|and}, which"
            " {o.decks_beside|s:is,are} not of the game, went in]",
        ),
        Line(
            "{o.decks_beside|s:entrou o baralho,entraram os baralhos} {o.decks_beside|and}, que"
            " não {o.decks_beside|s:é,são} da partida",
            "{o.decks_beside|s:deck,decks} {o.decks_beside|and}, which {o.decks_beside|s:is,are}"
            " not of the game, went in",
        ),
        Line(
            "{o.cards|s:entrou,entraram} {o.cards|n:carta,cartas}; deviam ser {e.cards}",
            "{o.cards|n:card,cards} went in; there should have been {e.cards}",
        ),
    ),
    # 51
    "card_replaced_by_fiscal_chefe": _by_whom(
        "a carta danificada foi trocada", "the damaged card was exchanged", *_CHEFE
    ),
    "shuffler_opened_by_fiscal_chefe": _by_whom(
        "o baralhador foi aberto", "the shuffler was opened", *_CHEFE
    ),
    "lid_opened_by_fiscal_chefe": _by_whom("a tampa foi aberta", "the lid was opened", *_CHEFE),
    "shuffler_trouble_solved_by_fiscal_chefe": _by_whom(
        "o problema foi solucionado", "the trouble was put right", *_CHEFE
    ),
    "damaged_card_communicated": (
        Line(
            "a carta danificada não foi comunicada ao serviço de inspeção",
            "the damaged card was not made known to the inspection service",
            {"o.communications": 0},
        ),
        *_by_whom(
            "a carta danificada foi comunicada à inspeção",
            "the damaged card was made known to the inspection service",
            "à chefia da sala",
            "the chefia da sala",
        ),
    ),
    "damaged_card_communicated_in_time": (
        Line(
            "a carta danificada não foi comunicada ao serviço de inspeção até às"
            " {e.not_after|full}",
            "the damaged card was not made known to the inspection service by {e.not_after|full}",
            {"o.communications": 0},
        ),
        Line(
            "a carta danificada foi comunicada ao serviço de inspeção às {o.moment|full}; o prazo"
            " da casa era até às {e.not_after|full}",
            "the damaged card was made known to the inspection service at {o.moment|full}; the"
            " house's time ran until {e.not_after|full}",
        ),
    ),
    "fiscal_chefe_called_at_once": (
        Line(
            "o fiscal-chefe foi chamado às {o.moment}; pelo prazo da casa, devia sê-lo até às"
            " {e.not_after}",
            "the fiscal-chefe was called at {o.moment}; the house's time for it ran until"
            " {e.not_after}",
        ),
    ),
    "fiscal_chefe_is_called": (
        Line(
            "não consta que se tenha chamado um fiscal-chefe",
            "no record tells that a fiscal-chefe was called",
        ),
    ),
    "unsolved_jam_goes_to_technician": (
        Line(
            "o encravamento não foi solucionado nem se requisitou um técnico",
            "the jam was not solved and no technician was asked for",
        ),
    ),
    "damaged_card_replaced": (
        Line("a carta danificada não foi substituída", "the damaged card was not replaced"),
    ),
    "no_round_during_trouble": rounds(
        "com o baralhador encravado ou a luz de aviso acesa",
        "while the shuffler was jammed or its light warned",
    ),
    "trouble_witnessed": (
        Line(
            "quem trocou a carta danificada não o confirmou",
            "whoever exchanged the damaged card did not confirm it",
        ),
    ),
    # 52, 56, 57
    "no_cut_with_shuffler": (
        Line(
            "{o.cuts|s:registou-se,registaram-se} {o.cuts|n:corte,cortes} numa mesa com baralhador",
            "{o.cuts|n:cut is,cuts are} on record at a table with a shuffler",
        ),
    ),
    "no_warning_card_with_shuffler": (
        Line(
            "pôs-se carta-aviso numa mesa com baralhador ({o.warnings|n:vez,vezes})",
            "a warning card was put in at a table with a shuffler ({o.warnings|n:time,times})",
        ),
    ),
    "no_last_round_with_shuffler": (
        Line(
            "anunciou-se a última jogada ({o.announcements|n:vez,vezes}), o que o baralhador"
            " contínuo dispensa",
            "a last round was announced ({o.announcements|n:time,times}), which a continuous"
            " shuffler makes needless",
        ),
    ),
    "no_spreading_with_shuffler": (
        Line(
            "as cartas foram estendidas durante a partida ({o.spread|n:vez,vezes}), numa mesa com"
            " baralhador",
            "the cards were laid out during the game ({o.spread|n:time,times}) at a table with a"
            " shuffler",
        ),
    ),
    "cards_stay_in_shuffler": (
        Line(
            "as cartas saíram do baralhador; motivo indicado: {o.reason}, de que não há registo",
            "the cards left the shuffler; reason given: {o.reason}, of which nothing is on record",
            {"o.reported": "no"},
        ),
        Line(
            "as cartas saíram do baralhador durante a partida; motivo indicado: {o.reason}",
            "the cards left the shuffler during the game; reason given: {o.reason}",
        ),
        *rounds(
            "depois de as cartas saírem do baralhador para o encerramento",
            "after the cards left the shuffler for the closing",
        ),
    ),
    "shuffler_opened_only_for_cause": (
        Line(
            "~foi aberto com cartas; motivo indicado: {o.reason}, de que não há registo",
            "~was opened with cards in it; reason given: {o.reason}, of which nothing is on record",
            {"o.reported": "no"},
        ),
        Line(
            "~foi aberto com cartas; motivo indicado: {o.reason}",
            "~was opened with cards in it; reason given: {o.reason}",
        ),
    ),
    # What the machine reports itself
    "shuffler_cycle_on_record": (
        Line(
            "foi dado como carregado o baralhador {o.shuffler}, que não registou nenhum ciclo até à"
            " primeira carta",
            "shuffler {o.shuffler} is recorded as loaded, and reported no cycle before the first"
            " card",
        ),
        Line(
            "as cartas foram dadas como baralhadas à máquina, e nenhum baralhador da mesa registou"
            " um ciclo até à primeira carta",
            "the cards are recorded as shuffled by machine, and no shuffler at the table reported a"
            " cycle before the first card",
        ),
    ),
    "lid_opened_for_the_load": (
        Line(
            "foi dado como carregado o baralhador {o.shuffler}, que não comunicou ter-se aberto a"
            " tampa até à primeira carta",
            "shuffler {o.shuffler} is recorded as loaded, and reported no opening of its lid before"
            " the first card",
        ),
    ),
    "warning_light_on_record": (
        Line(
            "~acendeu a luz de aviso às {o.moment}, e ninguém registou porquê",
            "~had its warning light on at {o.moment}, and nobody recorded why",
        ),
    ),
    "no_deal_after_a_sort": rounds(
        "depois de o baralhador ter ordenado as cartas, sem as misturar de novo",
        "after the shuffler had sorted the cards, without mixing them again",
    ),
    "shuffler_counts_whole_decks": (
        Line(
            "o baralhador contou {o.cards|n:carta,cartas}; deviam ser {e.cards}",
            "the shuffler counted {o.cards|n:card,cards}; there should have been {e.cards}",
        ),
    ),
    "warning_light_answered": (
        Line(
            "{o.rounds|s:fez-se,fizeram-se} {o.rounds|n:jogada,jogadas} com a luz de aviso do"
            " baralhador acesa desde as {o.since}, sem que ninguém acudisse",
            "{o.rounds|n:round was,rounds were} dealt with the shuffler's warning light on since"
            " {o.since} and nobody answering it",
        ),
    ),
    "shuffler_firmware_approved": (
        Line(
            "o programa do baralhador[ (versão {o.firmware})], de resumo {o.digest}…, já não está"
            " aprovado",
            "the shuffler's program[ (version {o.firmware})], digest {o.digest}…, is approved no"
            " longer",
            {"o.decision": "revoked"},
        ),
        Line(
            "o programa do baralhador[ (versão {o.firmware})], de resumo {o.digest}…, não consta"
            " dos aprovados",
            "the shuffler's program[ (version {o.firmware})], digest {o.digest}…, is not among"
            " those approved",
        ),
    ),
    "shuffler_seals_intact": (
        Line(
            "o baralhador comunicou um selo violado",
            "the shuffler reported a broken seal",
        ),
    ),
    # What a shoe reports
    "shoe_cards_accounted_for": (
        Line(
            "o sabot comunicou a saída de {o.cards|n:carta,cartas}; as jogadas e as cartas"
            " queimadas que estão registadas dão {e.cards}",
            "the shoe reported {o.cards|n:card,cards} out; the rounds and the burn on record"
            " account for {e.cards}",
        ),
    ),
    "shoe_read_the_cards_recorded": (
        Line(
            "{o.card} consta {e.at_least|n:vez,vezes} das jogadas deste sabot, que a leu"
            " {o.times|n:vez,vezes}",
            "{o.card} is on record {e.at_least|n:time,times} in the rounds of this shoe, which read"
            " it {o.times|n:time,times}",
        ),
    ),
    # 53, 54
    "loaded_decks_shuffled_by_hand": (
        Line(
            "{o.left_out|s:o baralho,os baralhos} {o.left_out|and} não"
            " {o.left_out|s:foi baralhado,foram baralhados} à mão antes de entrar no baralhador",
            "{o.left_out|s:deck,decks} {o.left_out|and} {o.left_out|s:was,were} not shuffled by"
            " hand before going into the shuffler",
        ),
    ),
    "shuffler_is_loaded": (
        Line(
            "deram-se cartas do baralhador sem carregamento registado",
            "cards were dealt from the shuffler with no loading on record",
            {"o.loads": 0},
        ),
        Line(
            "foi carregado o baralhador {o.shuffler}; a mesa abriu com o {e.shuffler}",
            "shuffler {o.shuffler} was loaded; the table opened with {e.shuffler}",
        ),
    ),
    "shuffler_loaded_soon_after_opening": (
        Line(
            "a mesa abriu e o baralhador não foi carregado até às {e.not_after}, prazo da casa",
            "the table opened and its shuffler was not loaded by {e.not_after}, the house's time",
        ),
    ),
    "shuffler_loaded_before_the_deal": (
        Line(
            "o baralhador foi carregado às {o.moment}; a primeira carta saiu às {e.not_after}",
            "the shuffler was loaded at {o.moment}; the first card came out at {e.not_after}",
        ),
    ),
    "shuffler_loaded_in_packets": (
        Line(
            "as cartas entraram em {o.packets|n:pacote,pacotes}; deviam ser pelo menos"
            " {e.at_least}",
            "the cards went in as {o.packets|n:packet,packets}; at least {e.at_least} are asked",
        ),
    ),
    "shuffler_loaded_once": (
        Line(
            "o baralhador foi carregado pela {o.loads}.ª vez na mesma partida",
            "the shuffler had then been loaded {o.loads|n:time,times} in one game",
        ),
    ),
    "shuffler_reloaded_after_opening": (
        Line(
            "o baralhador foi carregado pela {o.loads}.ª vez, depois de aberto e esvaziado",
            "the shuffler was loaded again (load {o.loads} of the game), opened and emptied before",
        ),
    ),
    **_witnesses("ao carregamento", "loading", "loading"),
    # 55
    **_witnesses("à extração", "unloading", "unloading"),
    "shuffler_unloaded_at_closing": (
        Line(
            "a mesa encerrou e as cartas não foram extraídas do baralhador",
            "the table closed and the cards were not taken out of the shuffler",
            {"o.unloads": 0},
        ),
        Line(
            "foi esvaziado o baralhador {o.shuffler}; o carregado era o {e.shuffler}",
            "shuffler {o.shuffler} was emptied; the one loaded was {e.shuffler}",
        ),
    ),
    "unloaded_after_closing_announced": (
        Line(
            "as cartas foram extraídas sem se anunciar o encerramento da mesa",
            "the cards were taken out without announcing the table's closing",
            {"o.announced": "no"},
        ),
        Line(
            "a extração começou às {o.moment}; o encerramento só foi anunciado às {e.not_before}",
            "the unloading began at {o.moment}; the closing was announced only at {e.not_before}",
        ),
    ),
    "closing_announcement_told": (
        Line(
            "nenhum registo diz que o encerramento da mesa foi anunciado",
            "no record tells that the table's closing was announced",
        ),
    ),
    "shuffler_left_empty": (
        Line("o baralhador não ficou vazio", "the shuffler was not left empty", {"o.empty": "no"}),
        Line(
            "{o.cards|s:ficou,ficaram} {o.cards|n:carta,cartas} no baralhador",
            "{o.cards|n:card,cards} stayed in the shuffler",
            {"e.cards": 0},
        ),
        Line(
            "{o.cards|s:foi extraída,foram extraídas} {o.cards|n:carta,cartas}; deviam ser"
            " {e.cards}",
            "{o.cards|n:card was,cards were} taken out; there should have been {e.cards}",
        ),
    ),
    "decks_ordered_at_closing": (
        Line(
            "~não foi ordenado no encerramento",
            "~was not put in order at the closing",
            {"o.inspections": 0},
        ),
        Line(
            "~foi ordenado às {o.moment}, antes de sair do baralhador, às {e.not_before}",
            "~was put in order at {o.moment}, before it left the shuffler, at {e.not_before}",
        ),
    ),
    "ordered_deck_regular": not_whole("foi ordenado", "was put in order"),
    "irregular_deck_reported": (
        Line(
            "~não estava regular e não se registou incidente",
            "~was not regular and no incident was recorded",
        ),
    ),
    # 58 to 60
    "discards_attested": attested(
        "que as cartas saídas de jogo foram logo para o canto de descarte",
        "that cards out of play went to the discard corner at once",
    ),
    "putting_back_timed_or_attested": attested(
        "que as cartas voltaram ao baralhador após cada jogada",
        "that the cards were put back after each round",
    ),
    "deferred_cards_timed_or_attested": attested(
        "que as cartas que esperaram voltaram ao baralhador",
        "that the cards that had waited were put back",
    ),
    "all_cards_put_back": (
        Line(
            "voltaram ao baralhador {o.cards|n:carta,cartas}; {e.cards|s:tinha,tinham} saído"
            " {e.cards}",
            "{o.cards|n:card,cards} went back into the shuffler; {e.cards} had left it",
        ),
    ),
    "cards_put_back_after_the_round": (
        Line(
            "as cartas entraram no baralhador às {o.moment}; só foram recolhidas às {e.not_before}",
            "the cards went into the shuffler at {o.moment}; they were collected only at"
            " {e.not_before}",
        ),
    ),
    "cards_put_back_before_the_next_round": (
        Line(
            "as cartas entraram no baralhador às {o.moment}; a jogada seguinte começou às"
            " {e.not_after}",
            "the cards went into the shuffler at {o.moment}; the next round began at {e.not_after}",
        ),
    ),
    "deferral_has_its_cause": (
        Line(
            "as cartas esperaram sem ser impossível introduzi-las; motivo indicado: {o.reason}",
            "the cards waited although they could have gone back; reason given: {o.reason}",
        ),
    ),
    "deferred_cards_go_with_the_next": (
        Line(
            "as cartas que esperaram entraram às {o.moment}; as da jogada seguinte entraram às"
            " {e.with_the_round_at}",
            "the cards that waited went in at {o.moment}; those of the next round went in at"
            " {e.with_the_round_at}",
        ),
    ),
}
