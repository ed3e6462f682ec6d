"""What is said of a breach on the floor: the table, its decks, its shoes, complaints.

Law: PT art. 2 to 5, 7 to 14, 17, 37, 61, and the handbooks that ask the same.
"""

from typing import Final

from casino.law.wording.headings import Headings, Line


def _late_or_missing(pt: str, en: str, never_pt: str, never_en: str, key: str) -> tuple[Line, ...]:
    """A step of a shoe that was left out, or came after the first card."""
    return (
        Line(never_pt, never_en, {f"o.{key}": 0}),
        Line(
            f"{pt} às {{o.moment}}; a primeira carta saiu às {{e.not_after}}",
            f"{en} at {{o.moment}}; the first card came out at {{e.not_after}}",
        ),
    )


def not_whole(pt: str, en: str) -> tuple[Line, ...]:
    """A deck that was found otherwise than whole."""
    return (
        Line(
            f"~{pt} com {{o.cards|n:carta,cartas}} em vez de {{e.cards}}[ ({{o.result}})]",
            f"~{en} with {{o.cards|n:card,cards}} instead of {{e.cards}}[ ({{o.result}})]",
        ),
        Line(
            f"~{pt} com cartas de outro baralho",
            f"~{en} with cards of another deck",
            {"o.foreign": "yes"},
        ),
        Line(
            "~não tinha as cartas por ordem",
            "~did not have its cards in order",
            {"o.in_order": "no"},
        ),
        Line(f"~{pt} e verificou-se: {{o.result}}", f"~{en} and was found so: {{o.result}}"),
    )


def attested(pt: str, en: str) -> tuple[Line, ...]:
    """What neither the rounds show nor anybody answers for."""
    return (
        Line(f"ninguém atestou {pt}", f"nobody attested {en}", {"o.rounds": 0}),
        Line(
            f"{{o.rounds|n:jogada não mostra,jogadas não mostram}} {pt}, e ninguém o atestou",
            f"{{o.rounds|n:round does not show,rounds do not show}} {en}, and nobody attested it",
        ),
    )


def rounds(pt: str, en: str) -> tuple[Line, ...]:
    """Rounds that were dealt when none might be."""
    return (
        Line(
            f"{{o.rounds|s:fez-se,fizeram-se}} {{o.rounds|n:jogada,jogadas}} {pt}",
            f"{{o.rounds|n:round was,rounds were}} dealt {en}",
        ),
    )


_WARNING_CARD: Final = (
    Line(
        "a carta-aviso ficou a {o.cards_from_end|n:carta,cartas} do fim; o seu lugar era a"
        " {e.cards_from_end}.ª, com a tolerância da casa de {e.tolerance|n:carta,cartas}",
        "the warning card lay {o.cards_from_end|n:card,cards} from the end; its place was number"
        " {e.cards_from_end}, within the house's tolerance of {e.tolerance|n:card,cards}",
    ),
)

HEADINGS: Final[Headings] = {
    # The table (2, 14, 37)
    "table_has_lawful_boxes": (
        Line(
            "a mesa tem {o.boxes|n:lugar,lugares}; deviam ser {e.boxes|or}",
            "the table has {o.boxes|n:box,boxes}; {e.boxes|or} are lawful",
        ),
    ),
    "table_is_semicircular": (Line("a mesa não é semicircular", "the table is not semicircular"),),
    "table_layout_is_told": (
        Line(
            "nenhum registo diz o formato da mesa nem a ordem dos lugares",
            "no record tells the form of the table or the order of its boxes",
            {"o.untold": ["layout", "numbering"]},
        ),
        Line(
            "nenhum registo diz o formato da mesa",
            "no record tells the form of the table",
            {"o.untold": ["layout"]},
        ),
        Line(
            "nenhum registo diz a ordem dos lugares",
            "no record tells the order of the table's boxes",
            {"o.untold": ["numbering"]},
        ),
    ),
    "boxes_marked_on_the_cloth": (
        Line("os lugares não estão marcados no pano", "the boxes are not marked on the cloth"),
    ),
    "boxes_numbered_from_dealers_left": (
        Line(
            "os lugares da mesa não estão numerados a partir da esquerda do pagador",
            "the table's boxes are not numbered from the dealer's left",
        ),
    ),
    "boxes_played_are_on_the_table": (
        Line(
            "jogou-se no lugar {w.box}; esta mesa tem {e.at_most}",
            "box {w.box} was played; this table has {e.at_most}",
        ),
    ),
    "one_game_at_a_table": (
        Line(
            "a partida {e.game} foi aberta com a {o.game} ainda aberta na mesma mesa",
            "game {e.game} was opened while {o.game} was still open at the same table",
        ),
    ),
    "opened_with_the_limits_set": (
        Line(
            "a mesa abriu com o mínimo de {o.minimum_cents} e o máximo de {o.maximum_cents}; estão"
            " fixados {e.minimum_cents} e {e.maximum_cents}",
            "the table opened with a minimum of {o.minimum_cents} and a maximum of"
            " {o.maximum_cents}; {e.minimum_cents} and {e.maximum_cents} are set",
        ),
        Line(
            "a mesa abriu com o mínimo de {o.minimum_cents}; está fixado o de {e.minimum_cents}",
            "the table opened with a minimum of {o.minimum_cents}; {e.minimum_cents} is set",
        ),
        Line(
            "a mesa abriu com o máximo de {o.maximum_cents}; está fixado o de {e.maximum_cents}",
            "the table opened with a maximum of {o.maximum_cents}; {e.maximum_cents} is set",
        ),
    ),
    "opened_within_thirty_minimums": (
        Line(
            "a mesa teve o máximo de {o.maximum_cents}; pelo mínimo, não podia passar de"
            " {e.at_most_cents}",
            "the table had a maximum of {o.maximum_cents}; by its minimum it could be at most"
            " {e.at_most_cents}",
        ),
    ),
    "rounds_tell_the_tables_limits": (
        Line(
            "{o.rounds|n:jogada indica,jogadas indicam} os limites de {o.minimum_cents} e"
            " {o.maximum_cents}; os da mesa eram de {e.minimum_cents} e {e.maximum_cents}",
            "{o.rounds|n:round tells,rounds tell} the limits {o.minimum_cents} and"
            " {o.maximum_cents}; the table's were {e.minimum_cents} and {e.maximum_cents}",
        ),
    ),
    # Decks (3, 5, 7)
    "number_of_decks_allowed": (
        Line(
            "a mesa abriu com {o.decks|n:baralho,baralhos}; deviam ser {e.decks|or}",
            "the table opened with {o.decks|n:deck,decks}; {e.decks|or} are lawful",
        ),
    ),
    "decks_of_two_colours_alike": (
        Line(
            "por cor de verso, os baralhos eram {o.of_each_colour|and}; deviam ser"
            " {e.of_each_colour|and}",
            "by back colour, the decks were {o.of_each_colour|and}; {e.of_each_colour|and} were"
            " due",
        ),
    ),
    "no_joker_in_a_deck": (
        Line(
            "~foi exibido com {o.jokers|n:joker,jokers}",
            "~was exhibited with {o.jokers|n:joker,jokers}",
        ),
    ),
    "deck_whole_after_play": not_whole(
        "foi ordenado depois do jogo", "was put in order after play"
    ),
    "cards_serve_one_game": (
        Line(
            "~estava também na partida aberta da mesa {o.also_at}",
            "~lay in the open game of table {o.also_at} too",
            {"w.deck": ...},
        ),
        Line(
            "{o.decks|s:o baralho,os baralhos} {o.decks|and}, desta partida,"
            " {o.decks|s:estava,estavam} também na partida aberta da mesa {o.also_at}",
            "{o.decks|s:deck,decks} {o.decks|and}, of this game, lay in the open game of table"
            " {o.also_at} too",
        ),
        Line(
            "o baralhador {o.shuffler} servia também a partida aberta da mesa {o.also_at}",
            "shuffler {o.shuffler} served the open game of table {o.also_at} too",
        ),
    ),
    "told_where_it_is_in_use": (
        Line(
            "o registo não indica mesa; o que regista estava em uso na mesa {e.table}",
            "the record names no table; what it is about was in use at table {e.table}",
            {"o.table": "–"},
        ),
        Line(
            "o registo indica a mesa {o.table}; o que regista estava em uso na mesa {e.table}",
            "the record names table {o.table}; what it is about was in use at table {e.table}",
        ),
    ),
    "special_cards_are_told": (
        Line(
            "a abertura da mesa não indica a carta de corte nem a carta-aviso",
            "the opening of the table tells neither of the cut card nor of the warning card",
            {"o.untold": ["cut_card", "carta_aviso"]},
        ),
        Line(
            "a abertura da mesa não indica a {o.untold|and}",
            "the opening of the table does not tell of the {o.untold|and}",
        ),
    ),
    "two_special_cards_are_used": (
        Line(
            "não havia nenhuma carta especial com o sabot; deviam ser {e.special_cards}",
            "no special card went with the shoe; there should have been {e.special_cards}",
            {"o.special_cards": 0},
        ),
        Line(
            "havia {o.special_cards|n:carta especial,cartas especiais}"
            " com o sabot; deviam ser {e.special_cards}",
            "{o.special_cards|n:special card,special cards} went with the shoe; there should have"
            " been {e.special_cards}",
        ),
    ),
    "special_cards_alike_on_both_faces": (
        Line(
            "a {o.special} é {o.front|colour} na frente e {o.back|colour} no verso",
            "the {o.special} is {o.front|colour} in front and {o.back|colour} at the back",
        ),
    ),
    "special_cards_unlike_the_decks": (
        Line(
            "a {o.special} é {o.colours|colour}, como o verso de um baralho",
            "the {o.special} is {o.colours|colour}, like the back of a deck",
        ),
    ),
    "damaged_deck_withdrawn": (
        *rounds(
            "depois do defeito, com o baralho ainda em jogo",
            "after the defect, the deck still in play",
        ),
        Line(
            "~tinha um defeito e não foi retirado",
            "~had a defect and was not withdrawn",
            {"o.withdrawn": "no"},
        ),
    ),
    "damaged_card_replaced_at_once": rounds(
        "depois de a carta sair danificada e antes de ser substituída",
        "after the card came out damaged and before it was replaced",
    ),
    "withdrawn_deck_not_used": (
        Line(
            "~foi usado às {o.moment}, depois de retirado às {e.not_after}",
            "~was used at {o.moment}, after its withdrawal at {e.not_after}",
        ),
    ),
    "single_card_replaced_with_leave": (
        Line(
            "trocou-se uma só carta sem autorização do serviço de inspeção",
            "a single card was exchanged without leave of the inspection service",
        ),
    ),
    "decks_exhibited_before_shuffle": (
        Line("~não foi exibido", "~was not exhibited", {"o.exhibitions": 0}),
        Line(
            "~foi exibido às {o.moment}, depois de baralhado às {e.not_after}",
            "~was exhibited at {o.moment}, after it was shuffled at {e.not_after}",
        ),
    ),
    "exhibited_deck_whole": not_whole("foi exibido", "was exhibited"),
    "exhibited_deck_has_its_cards": not_whole("foi exibido", "was exhibited"),
    "exhibited_deck_in_rows": (Line("~não foi exibido em fiadas", "~was not exhibited in rows"),),
    "deck_seal_intact": (
        Line("~chegou à mesa com o selo violado", "~came to the table with its seal broken"),
    ),
    "no_round_after_closing": rounds("com a mesa encerrada", "while the table was closed"),
    "closed_once": (
        Line(
            "a partida foi encerrada {o.closings} vezes sem ser reaberta",
            "the game was closed {o.closings} times without being opened again",
        ),
    ),
    # The shoe (8 to 12)
    "shoe_is_shuffled": (
        *_late_or_missing(
            "~foi baralhado",
            "~was shuffled",
            "deram-se cartas sem baralhar",
            "cards were dealt without a shuffle",
            "shuffles",
        ),
        Line(
            "{o.left_out|s:ficou por baralhar o baralho,ficaram por baralhar os baralhos}"
            " {o.left_out|and}",
            "{o.left_out|s:deck,decks} {o.left_out|and} {o.left_out|s:was,were} left out of the"
            " shuffle",
        ),
        Line(
            "~foi baralhado com {o.decks_beside|s:o baralho,os baralhos} {o.decks_beside|and}, que"
            " não {o.decks_beside|s:é,são} da partida",
            "~was shuffled with {o.decks_beside|s:deck,decks} {o.decks_beside|and}, which"
            " {o.decks_beside|s:is,are} not of the game",
        ),
        Line(
            "{o.cards|s:baralhou-se,baralharam-se} {o.cards|n:carta,cartas}; deviam ser {e.cards}",
            "{o.cards|n:card was,cards were} shuffled; there should have been {e.cards}",
        ),
    ),
    "shoe_is_cut": (
        *_late_or_missing(
            "~foi cortado",
            "~was cut",
            "deram-se cartas sem cortar",
            "cards were dealt without a cut",
            "cuts",
        ),
        Line("ninguém cortou", "nobody cut", {"o.cut_by": "nobody"}),
    ),
    "cut_follows_the_shuffle": (
        Line(
            "o corte fez-se às {o.moment}, antes de baralhadas as cartas, às {e.not_before}",
            "the cut was made at {o.moment}, before the shuffle, at {e.not_before}",
        ),
    ),
    "cut_with_a_special_card": (
        Line(
            "o corte não foi feito com carta especial", "the cut was not made with a special card"
        ),
    ),
    "cut_by_rightful_seat": (
        Line(
            "cortou o lugar {o.seat}[, depois de"
            " {o.declined|s:recusar o lugar,recusarem os lugares} {o.declined|and}]; era a vez do"
            " lugar {e.seat}",
            "seat {o.seat} cut[ after {o.declined|s:seat,seats} {o.declined|and} declined]; it"
            " was seat {e.seat}'s turn",
        ),
        Line(
            "cortou {o.cut_by|who}[, depois de {o.declined|s:recusar o lugar,recusarem os lugares}"
            " {o.declined|and}]; era a vez do lugar {e.seat}",
            "{o.cut_by|who} cut[ after {o.declined|s:seat,seats} {o.declined|and} declined]; it"
            " was seat {e.seat}'s turn",
        ),
        Line(
            "cortou o lugar {o.seat}[, depois de"
            " {o.declined|s:recusar o lugar,recusarem os lugares} {o.declined|and}]; cabia ao"
            " fiscal de banca",
            "seat {o.seat} cut[ after {o.declined|s:seat,seats} {o.declined|and} declined]; the"
            " cut was for the fiscal de banca to make",
        ),
        Line(
            "cortou {o.cut_by|who}[, depois de {o.declined|s:recusar o lugar,recusarem os lugares}"
            " {o.declined|and}]; cabia ao fiscal de banca",
            "{o.cut_by|who} cut[ after {o.declined|s:seat,seats} {o.declined|and} declined]; the"
            " cut was for the fiscal de banca to make",
        ),
    ),
    "last_cut_is_a_players": (
        Line(
            "cortou {o.cut_by|who}; cabia a um jogador",
            "{o.cut_by|who} cut; the cut was for a player to make",
        ),
    ),
    "no_shoe_is_left_out": (
        Line(
            "está registado o sabot {o.shoe}; falta o sabot {e.shoe}",
            "shoe {o.shoe} is on record; shoe {e.shoe} is missing",
        ),
    ),
    "seats_at_the_cut_told_alike": (
        Line(
            "no corte {o.seats|s:indicou-se ocupado o lugar,indicaram-se ocupados os lugares}"
            " {o.seats|and}; os outros registos dizem {e.seats|and}",
            "at the cut {o.seats|s:seat,seats} {o.seats|and} {o.seats|s:was,were} told as taken;"
            " the other records say {e.seats|and}",
        ),
        Line(
            "no corte não se indicou nenhum lugar ocupado; os outros registos dizem {e.seats|and}",
            "at the cut no seat was told as taken; the other records say {e.seats|and}",
            {"o.seats": []},
        ),
        Line(
            "com a carta-aviso {o.players|s:indicou-se,indicaram-se}"
            " {o.players|n:jogador,jogadores}; os outros registos dizem {e.players}",
            "with the warning card {o.players|n:player was,players were} told; the other records"
            " say {e.players}",
        ),
    ),
    "no_round_while_interrupted": rounds(
        "com o jogo registado como interrompido", "while play was recorded as interrupted"
    ),
    "shuffle_passes_enough": (
        Line(
            "{o.passes|s:fez-se,fizeram-se} {o.passes|n:passagem,passagens}; deviam ser pelo menos"
            " {e.at_least}",
            "{o.passes|n:pass was,passes were} made; at least {e.at_least} are asked",
        ),
    ),
    "warning_card_is_placed": _late_or_missing(
        "a carta-aviso foi posta",
        "the warning card was placed",
        "deram-se cartas sem carta-aviso",
        "cards were dealt without a warning card",
        "warnings",
    ),
    "warning_card_follows_the_cut": (
        Line(
            "a carta-aviso foi posta às {o.moment}, antes do corte às {e.not_before}",
            "the warning card was placed at {o.moment}, before the cut at {e.not_before}",
        ),
    ),
    "warning_card_at_its_place": _WARNING_CARD,
    "warning_card_near_its_place": _WARNING_CARD,
    "warning_card_unlike_cut_card": (
        Line(
            "a carta-aviso e a de corte são ambas de cor {o.colours|colour}",
            "warning card and cut card are both {o.colours|colour}",
        ),
    ),
    "warning_card_comes_out_where_placed": (
        Line(
            "a carta-aviso saiu a {o.cards_from_end|n:carta,cartas} do fim; foi registada a"
            " {e.cards_from_end}",
            "the warning card came out {o.cards_from_end|n:card,cards} from the end; it had been"
            " recorded at {e.cards_from_end}",
        ),
    ),
    "shoe_is_burnt": (
        *_late_or_missing(
            "a queima fez-se",
            "the burn came",
            "deram-se cartas sem se queimar nenhuma",
            "cards were dealt with none burnt",
            "burns",
        ),
        Line(
            "a queima fez-se às {o.moment}, antes de as cartas estarem prontas, às {e.not_before}",
            "the burn came at {o.moment}, before the cards were ready, at {e.not_before}",
        ),
    ),
    "burnt_cards_exact": (
        Line(
            "{o.cards|s:queimou-se,queimaram-se} {o.cards|n:carta,cartas};"
            " {e.cards|s:devia,deviam} queimar-se {e.cards}",
            "{o.cards|n:card was,cards were} burnt; {e.cards} should have been",
        ),
    ),
    "burnt_cards_to_discard_corner": (
        Line(
            "a carta queimada não foi para o canto de descarte",
            "the burnt card was not laid in the discard corner",
        ),
    ),
    "reserve_enough_for_a_round": (
        Line(
            "{o.cards_from_end|s:ficou,ficaram} {o.cards_from_end|n:carta,cartas} atrás do"
            " separador; uma jogada precisou de {e.at_least}",
            "{o.cards_from_end|n:card,cards} lay behind the separator; a round took {e.at_least}",
        ),
    ),
    "last_round_announced": (
        Line(
            "saiu a carta-aviso e a última jogada não foi anunciada",
            "the warning card came out and the last round was not announced",
            {"o.announcements": 0},
        ),
        Line(
            "anunciou-se como última outra jogada que não a {e.announced_in_round}, em que saiu a"
            " carta-aviso",
            "another round than {e.announced_in_round}, in which the warning card came out, was"
            " announced as the last",
            {"o.announced_in_round": "another"},
        ),
        Line(
            "a última jogada foi anunciada na jogada {o.announced_in_round}; a carta-aviso saiu na"
            " {e.announced_in_round}",
            "the last round was announced in round {o.announced_in_round}; the warning card came"
            " out in {e.announced_in_round}",
        ),
    ),
    "last_round_announced_aloud": (
        Line(
            "a última jogada não foi anunciada em voz audível",
            "the last round was not announced aloud",
        ),
    ),
    "no_round_after_the_announced_last": rounds(
        "depois da anunciada como última", "after the one announced as the last"
    ),
    "round_after_the_warning_card_is_played": (
        Line(
            "a carta-aviso saiu imediatamente antes de uma jogada, e essa jogada não se fez",
            "the warning card came out right before a round, and that round was not played",
        ),
    ),
    "shoe_ends_for_a_cause": (
        Line(
            "~acabou sem sair a carta-aviso e sem constar outra causa",
            "~ended without its warning card and with no other cause on record",
            {"o.ended_by": "nothing_told"},
        ),
        Line(
            "~acabou por uma causa que não é de admitir: {o.ended_by}",
            "~ended for a cause that does not count: {o.ended_by}",
        ),
    ),
    "no_round_of_a_shoe_left_behind": rounds(
        "depois de preparado o sabot seguinte", "after the next shoe was made ready"
    ),
    "cards_spread_for_lawful_reason": (
        Line(
            "as cartas foram estendidas por outro motivo que não a falta de jogadores ou de"
            " apostas",
            "the cards were laid out for another reason than want of players or stakes",
        ),
    ),
    "spread_cards_lie_face_up": (
        Line(
            "as cartas estendidas não ficaram com as faces para cima",
            "the cards laid out did not lie face up",
        ),
    ),
    "no_round_after_the_spread": rounds(
        "com cartas que tinham sido estendidas, sem as baralhar",
        "from cards that had been laid out, without a shuffle",
    ),
    # What somebody answers for (13, 17)
    "stakes_timed_or_attested": attested(
        "que as apostas fecharam antes da distribuição", "that stakes were closed before the deal"
    ),
    "deal_recorded_or_attested": attested(
        "que a distribuição seguiu a ordem", "that the deal was in order"
    ),
    # Complaints (61)
    "late_complaint_not_upheld": (
        Line(
            "~foi {o.outcome}, tendo chegado às {o.moment}; as cartas tinham entrado no baralhador"
            " às {e.before}",
            "~was {o.outcome}, though it came at {o.moment}; the cards had gone into the shuffler"
            " at {e.before}",
        ),
    ),
    "timely_complaint_heard": (
        Line(
            "~foi dada como inadmissível, tendo chegado[ às {o.moment},] antes de as cartas"
            " entrarem no baralhador[ às {e.before}]",
            "~was turned away as inadmissible, though it came[ at {o.moment},] before the cards"
            " went into the shuffler[ at {e.before}]",
        ),
    ),
    "complaint_answered": (
        Line(
            "~não teve resposta até às {e.not_after|full}",
            "~was not answered by {e.not_after|full}",
        ),
    ),
    "disputed_cards_wait_for_review": (
        Line(
            "as cartas em litígio voltaram ao baralhador às {o.moment}, antes de serem vistas, às"
            " {e.not_before}",
            "the disputed cards went back into the shuffler at {o.moment}, before they were looked"
            " at, at {e.not_before}",
        ),
        Line(
            "as cartas em litígio voltaram ao baralhador às {o.moment} sem terem sido vistas",
            "the disputed cards went back into the shuffler at {o.moment} without being looked at",
        ),
    ),
}
