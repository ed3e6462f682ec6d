"""What is said of a breach in a round's record: stakes, cards, decisions, payments.

Law: PT art. 1, 2, 3, 6, 11, 13 to 37.
"""

from typing import Final

from casino.law.wording.headings import Headings, Line

# What a difference of money is about, before what was handed over and what was due.
_PAID_PT: Final = "foram entregues {o.returned_cents} e eram devidos {e.returned_cents}"
_PAID_EN: Final = "{o.returned_cents} was handed over where {e.returned_cents} was due"


def _money(pt: str, en: str) -> tuple[Line, ...]:
    return (
        Line(
            f"({pt}) nada foi entregue e eram devidos {{e.returned_cents}}",
            f"({en}) nothing was handed over where {{e.returned_cents}} was due",
            {"o.returned_cents": 0},
        ),
        Line(
            f"({pt}) foram entregues {{o.returned_cents}} e nada era devido",
            f"({en}) {{o.returned_cents}} was handed over where nothing was due",
            {"e.returned_cents": 0},
        ),
        Line(f"({pt}) {_PAID_PT}", f"({en}) {_PAID_EN}"),
    )


# Where an unlawful stake goes back whole (reading unlawful-stake), whatever made it unlawful.
GOES_BACK: Final = _money("aposta irregular, que se devolve", "unlawful stake, which goes back")
PAYMENT: Final = _money("pagamento", "payment")  # of whatever else fixes what is due

_BANK_DREW: Final = Line(
    "a banca tirou {o.drawn} depois de ter {e.stands_at} ou mais",
    "the bank drew {o.drawn} after it had {e.stands_at} or more",
)

HEADINGS: Final[Headings] = {
    "only_a_blackjack_is_paid_as_one": (
        Line(
            "~recebeu {o.returned_cents} por {o.cards}, como se fosse um blackjack",
            "~was paid {o.returned_cents} for {o.cards}, as if it were a blackjack",
        ),
    ),
    "box_exists": (
        Line(
            "jogou-se no lugar {w.box}; uma mesa tem no máximo {e.at_most}",
            "box {w.box} was played; a table has at most {e.at_most}",
        ),
    ),
    "card_within_decks": (
        Line(
            "{o.card} saiu {o.times|n:vez,vezes} na mesma jogada; há no máximo {e.at_most} em jogo",
            "{o.card} came {o.times|n:time,times} in one round; at most {e.at_most} are in play",
        ),
        Line(
            "{o.card} saiu {o.times_in_shoe|n:vez,vezes} no mesmo sabot; há no máximo {e.at_most}",
            "{o.card} came {o.times_in_shoe|n:time,times} in one shoe; it holds at most"
            " {e.at_most}",
        ),
        Line(
            "{o.card} esteve {o.times_out_at_once|n:vez,vezes} fora do baralhador ao mesmo tempo;"
            " há no máximo {e.at_most}",
            "{o.card} was out of the shuffler {o.times_out_at_once|n:time,times} at once; there"
            " are at most {e.at_most}",
        ),
    ),
    "no_round_after_the_last": (
        Line(
            "fez-se a jogada {o.round_of_shoe} do sabot; a última era a {e.last_round_of_shoe}, em"
            " que saiu a carta-aviso",
            "round {o.round_of_shoe} of the shoe was dealt; its last was {e.last_round_of_shoe}, in"
            " which the warning card came out",
        ),
    ),
    "stakes_before_the_deal": (
        Line(
            "as apostas fecharam às {o.stakes_closed}; a primeira carta saiu às {e.not_after}",
            "the stakes closed at {o.stakes_closed}; the first card came out at {e.not_after}",
        ),
        Line(
            "a postura passou de {e.stake_cents} para {o.stake_cents} depois de se darem as cartas",
            "the stake went from {e.stake_cents} to {o.stake_cents} after the deal",
        ),
    ),
    "round_follows_the_closed_stakes": (
        Line(
            "a postura passou de {e.stake_cents} para {o.stake_cents} às {o.moment}, depois de"
            " fechadas as apostas",
            "the stake went from {e.stake_cents} to {o.stake_cents} at {o.moment}, after the stakes"
            " were closed",
        ),
    ),
    "stakes_recorded_as_seen": (
        Line(
            "ficou registada a postura de {o.stake_cents}; ao fecharem-se as apostas, o sensor viu"
            " {e.stake_cents}",
            "a stake of {o.stake_cents} is recorded; when the stakes were closed the sensor saw"
            " {e.stake_cents}",
        ),
    ),
    "stake_at_least_minimum": (
        Line(
            "~apostou {o.stake_cents}; o mínimo da mesa é {e.minimum_cents}",
            "~staked {o.stake_cents}; the table's minimum is {e.minimum_cents}",
        ),
    ),
    "stake_multiple_of_minimum": (
        Line(
            "~apostou {o.stake_cents}, que não é múltiplo do mínimo de {e.multiple_of_cents}",
            "~staked {o.stake_cents}, no multiple of the minimum of {e.multiple_of_cents}",
        ),
    ),
    "stake_at_most_maximum": (
        Line(
            "~apostou {o.stake_cents}; o máximo da mesa é {e.maximum_cents}",
            "~staked {o.stake_cents}; the table's maximum is {e.maximum_cents}",
        ),
        Line(
            "as apostas somavam {o.stakes_cents}; o máximo da mesa é {e.maximum_cents}",
            "the stakes added up to {o.stakes_cents}; the table's maximum is {e.maximum_cents}",
        ),
    ),
    "sum_on_box_within_maximum": (
        Line(
            "as apostas somavam {o.stakes_cents}; o máximo da mesa é {e.maximum_cents}",
            "the stakes added up to {o.stakes_cents}; the table's maximum is {e.maximum_cents}",
        ),
    ),
    "complementary_stake_lawful": (
        Line(
            "~apostou {o.stake_cents}, que não é múltiplo de {e.multiple_of_cents} nem perfaz o"
            " máximo[ (faltavam {e.or_completes_cents})]",
            "~staked {o.stake_cents}, which is no multiple of {e.multiple_of_cents} and does not"
            " complete the maximum[ ({e.or_completes_cents} was missing)]",
        ),
        Line(
            "apostaram-se {o.stakes_cents|and}; só uma das apostas podia perfazer o máximo["
            " (faltavam {e.or_completes_cents})]",
            "{o.stakes_cents|and} were staked; only one of them could complete the maximum["
            " ({e.or_completes_cents} was missing)]",
        ),
    ),
    "holder_decides": (
        Line(
            "decidiu {o.decided_by}; o titular do lugar é {e.decided_by}",
            "{o.decided_by} decided; the box's holder is {e.decided_by}",
        ),
    ),
    "others_stake_beside_their_own": (
        Line(
            "~apostou no lugar de outro sem ter aposta num lugar seu",
            "~staked on another's box without a stake on a box of their own",
        ),
    ),
    "others_with_consent": (
        Line(
            "apostou-se no lugar de outro sem o consentimento do titular",
            "others staked on the box without its holder's consent",
        ),
    ),
    "largest_stake_decides_vacant_box": (
        Line(
            "no lugar vago decidiu {o.decided_by}; cabia a {e.decided_by}",
            "{o.decided_by} decided on the vacant box; it was for {e.decided_by} to decide",
        ),
    ),
    "vacant_stake_multiple_of_minimum": (
        Line(
            "~apostou {o.stake_cents} num lugar vago, o que não é múltiplo do mínimo de"
            " {e.multiple_of_cents}",
            "~staked {o.stake_cents} on a vacant box, no multiple of the minimum of"
            " {e.multiple_of_cents}",
        ),
    ),
    "vacant_box_within_maximum": (
        Line(
            "as apostas no lugar vago somavam {o.stakes_cents}; o máximo da mesa é"
            " {e.maximum_cents}",
            "the stakes on the vacant box added up to {o.stakes_cents}; the table's maximum is"
            " {e.maximum_cents}",
        ),
    ),
    "maximum_within_thirty_minimums": (
        Line(
            "o máximo da mesa é {o.maximum_cents}; pelo mínimo, não pode passar de"
            " {e.at_most_cents}",
            "the table's maximum is {o.maximum_cents}; by its minimum it may be at most"
            " {e.at_most_cents}",
        ),
    ),
    "player_boxes_within_maximum": (
        Line(
            "~jogou em {o.boxes|n:lugar,lugares}; a casa permite {e.at_most}",
            "~played {o.boxes|n:box,boxes}; the house allows {e.at_most}",
        ),
    ),
    "lone_player_boxes": (
        Line(
            "~, sozinho à mesa, jogou em {o.boxes|n:lugar,lugares}; tinha de jogar em {e.at_least}"
            " pelo menos",
            "~, alone at the table, played {o.boxes|n:box,boxes}; at least {e.at_least} are asked",
        ),
    ),
    "cards_only_to_staked_boxes": (
        Line(
            "havia aposta e não se deram cartas",
            "a stake lay there and no cards were dealt",
            {"o.hands": 0},
        ),
        Line(
            "deram-se cartas sem haver aposta",
            "cards were dealt without a stake",
            {"o.main_stakes": 0},
        ),
    ),
    "two_cards_to_each_place": (
        Line(
            "~recebeu {o.cards|n:carta,cartas} na distribuição; deviam ser {e.cards}",
            "~got {o.cards|n:card,cards} in the deal; {e.cards} were due",
        ),
    ),
    "dealt_in_order": (
        Line(
            "a {o.card}.ª carta foi {o.went_to|into}; cabia {e.goes_to|to}",
            "card number {o.card} went {o.went_to|into}; it was due {e.goes_to|to}",
        ),
        Line(
            "{o.cards|s:deu-se,deram-se} {o.cards|n:carta,cartas} na distribuição inicial; deviam"
            " ser {e.cards}",
            "{o.cards|n:card,cards} came in the first deal; {e.cards} were due",
        ),
    ),
    "players_asked_in_order": (
        Line(
            "a {o.card}.ª carta foi {o.went_to|into} depois de a banca ter começado a tirar",
            "card number {o.card} went {o.went_to|into} after the bank had begun to draw",
            {"e.not_before_box": "bank"},
        ),
        Line(
            "a {o.card}.ª carta foi {o.went_to|into} depois de já se ter servido o lugar"
            " {e.not_before_box}",
            "card number {o.card} went {o.went_to|into} after box {e.not_before_box} had already"
            " been served",
        ),
    ),
    "second_bank_card_face_down": (
        Line(
            "a banca ficou com {o.kept}, a sua segunda carta, que foi virada e devia ir para o"
            " canto de descarte",
            "the bank kept {o.kept}, its second card, which was turned and had to go to the"
            " discard corner",
        ),
        Line(
            "a banca recebeu {o.bank_cards|n:carta,cartas}; deviam ser {e.at_least}",
            "the bank got {o.bank_cards|n:card,cards}; {e.at_least} were due",
        ),
        Line(
            "nenhuma carta da banca ficou aberta; a primeira devia ficar",
            "no card of the bank lay open; its first had to",
            {"o.open": []},
        ),
        Line(
            "as duas primeiras cartas da banca ficaram abertas; a segunda devia ficar fechada",
            "both first cards of the bank lay open; the second had to lie face down",
            {"o.open": [1, 2]},
        ),
        Line(
            "{o.open|s:ficou aberta a carta,ficaram abertas as cartas} {o.open|and} da banca; só a"
            " primeira devia ficar",
            "of the bank's cards, number {o.open|and} lay open; only the first had to",
        ),
    ),
    "bank_keeps_the_cards_dealt_it": (
        Line(
            "foi retirada à banca a carta {o.taken_out}, que lhe cabia[, depois de {o.after}]",
            "{o.taken_out}, which was the bank's, was taken from it[, after {o.after}]",
        ),
    ),
    "bank_keeps_the_cards_it_draws": (
        Line(
            "foi retirada à banca a carta {o.taken_out}, que ela tinha de tirar[, depois de"
            " {o.after}]",
            "{o.taken_out}, which the bank had to draw, was taken from it[, after {o.after}]",
        ),
    ),
    "face_up_card_out_of_play": (
        Line(
            "a carta encontrada aberta no sabot, {o.card}, foi {o.went_to|into}; devia sair do"
            " jogo",
            "{o.card}, found face up in the shoe, went {o.went_to|into}; it had to leave play",
        ),
    ),
    "misdealt_card_placed": (
        Line(
            "a carta tirada contra a vontade do jogador e já vista, {o.card}, foi para a mão"
            " {o.hand} do lugar {o.box}; devia ser anulada e ir para o canto de descarte",
            "{o.card}, drawn against the player's will and seen, went to hand {o.hand} of box"
            " {o.box}; it had to be voided and go to the discard corner",
            {"o.seen": "yes"},
        ),
        Line(
            "a carta tirada contra a vontade do jogador e já vista, {o.card}, foi {o.went_to|into};"
            " devia ser anulada e ir para o canto de descarte",
            "{o.card}, drawn against the player's will and seen, went {o.went_to|into}; it had to"
            " be voided and go to the discard corner",
            {"o.seen": "yes"},
        ),
        Line(
            "a carta tirada contra a vontade do jogador e não vista, {o.card}, foi à banca, mas não"
            " como a carta que ela tirou a seguir",
            "{o.card}, drawn against the player's will and unseen, went to the bank, but not as"
            " the card it drew next",
            {"o.went_to": "bank", "e.goes_to": "bank"},
        ),
        Line(
            "a carta tirada contra a vontade do jogador e não vista, {o.card}, foi para a mão"
            " {o.hand} do lugar {o.box}; cabia à mão {e.hand} do lugar {e.box}",
            "{o.card}, drawn against the player's will and unseen, went to hand {o.hand} of box"
            " {o.box}; it was due to hand {e.hand} of box {e.box}",
        ),
        Line(
            "a carta tirada contra a vontade do jogador e não vista, {o.card}, foi"
            " {o.went_to|into}; cabia à mão {e.hand} do lugar {e.box}",
            "{o.card}, drawn against the player's will and unseen, went {o.went_to|into}; it was"
            " due to hand {e.hand} of box {e.box}",
        ),
        Line(
            "a carta tirada contra a vontade do jogador e não vista, {o.card}, foi para a mão"
            " {o.hand} do lugar {o.box}; cabia {e.goes_to|to}",
            "{o.card}, drawn against the player's will and unseen, went to hand {o.hand} of box"
            " {o.box}; it was due {e.goes_to|to}",
        ),
        Line(
            "a carta tirada contra a vontade do jogador e não vista, {o.card}, foi"
            " {o.went_to|into}; cabia {e.goes_to|to}",
            "{o.card}, drawn against the player's will and unseen, went {o.went_to|into}; it was"
            " due {e.goes_to|to}",
        ),
    ),
    "bank_draws_to_sixteen": (
        Line(
            "a banca ficou com {o.soft_total}, em {o.bank_cards|n:carta,cartas}, com um ás a valer"
            " 11; assim tinha de tirar mais",
            "the bank stood on {o.soft_total}, with {o.bank_cards|n:card,cards}, an ace counting"
            " 11; so counted it had to draw",
        ),
        Line(
            "a banca ficou com {o.bank_total}, em {o.bank_cards|n:carta,cartas}; tinha de tirar"
            " até passar de {e.draws_to}",
            "the bank stood on {o.bank_total}, with {o.bank_cards|n:card,cards}; it had to draw"
            " while it had {e.draws_to} or less",
        ),
    ),
    "bank_ace_is_eleven_at_seventeen": (
        Line(
            "a banca tirou {o.drawn} tendo já {e.stands_at} ou mais com o ás a valer 11",
            "the bank drew {o.drawn} although it had {e.stands_at} or more with its ace as 11",
        ),
    ),
    "bank_stands_at_seventeen": (_BANK_DREW,),
    "bank_rests_when_all_are_out": (
        Line(
            "a banca tirou {o.drawn} quando já ninguém estava em jogo",
            "the bank drew {o.drawn} with nobody left in play",
        ),
    ),
    "stand_above_eleven": (
        Line(
            "~ficou com {o.stood_on}; só podia ficar com mais de {e.above}",
            "~stood on {o.stood_on}; a hand stands only on more than {e.above}",
        ),
    ),
    "no_card_at_twenty_one": (
        Line(
            "~recebeu {o.drawn} já com {e.hits_until}",
            "~was given {o.drawn} with {e.hits_until} already",
        ),
    ),
    "no_card_to_a_blackjack": (
        Line("~recebeu {o.drawn} tendo blackjack", "~was given {o.drawn} on a blackjack"),
    ),
    "no_card_after_standing": (
        Line("~recebeu {o.drawn} depois de ficar", "~was given {o.drawn} after standing"),
    ),
    "no_card_after_bust": (
        Line(
            "~recebeu {o.drawn} depois de passar de {e.at_most}",
            "~was given {o.drawn} after passing {e.at_most}",
        ),
    ),
    "no_card_after_surrender": (
        Line(
            "~recebeu {o.drawn} depois de se desistir dela",
            "~was given {o.drawn} after its surrender",
        ),
    ),
    "surrender_not_against_ace": (
        Line(
            "desistiu-se contra um ás da banca ({o.bank_shows})",
            "~was surrendered against an ace of the bank ({o.bank_shows})",
        ),
    ),
    "surrender_after_two_cards": (
        Line(
            "desistiu-se com {o.cards_dealt|n:carta já dada,cartas já dadas} na jogada; não podiam"
            " passar de {e.at_most}",
            "~was surrendered after {o.cards_dealt|n:card,cards} had been dealt in the round; at"
            " most {e.at_most} may have been",
        ),
        Line(
            "desistiu-se de uma mão desdobrada",
            "a split hand was surrendered",
            {"o.actions": ["surrender"], "o.split": "yes"},
        ),
        Line(
            "desistiu-se depois de outra decisão ({o.actions|list}), e não logo após as duas"
            " primeiras cartas",
            "~was surrendered after another decision ({o.actions|list}), not right after the first"
            " two cards",
        ),
    ),
    "bust_collected_at_once": (
        Line(
            "a mão passou de 21 e a postura não foi recolhida de imediato",
            "the hand went over 21 and the stake was not collected at once",
        ),
    ),
    "blackjack_paid_at_once": (
        Line(
            "o blackjack não foi pago de imediato, sem a banca o poder igualar",
            "the blackjack was not paid at once, though the bank could not equal it",
        ),
    ),
    "blackjack_waits_for_the_bank": (
        Line(
            "o blackjack foi pago antes de a banca jogar",
            "the blackjack was paid before the bank had played",
        ),
    ),
    "special_prize_paid": (
        Line(
            "nada foi pago do prémio especial, que era de {e.returned_cents}",
            "nothing was paid of the special prize of {e.returned_cents}",
            {"o.returned_cents": 0},
        ),
        *_money("prémio especial", "special prize"),
    ),
    "special_prize_paid_at_once": (
        Line(
            "o prémio especial não foi pago de imediato", "the special prize was not paid at once"
        ),
    ),
    "blackjack_paid_three_to_two": _money("blackjack", "blackjack"),
    "blackjack_tie_is_null": _money(
        "blackjack contra blackjack da banca", "blackjack against the bank's"
    ),
    "blackjack_beats_twenty_one": _money("blackjack contra 21", "blackjack against 21"),
    "split_twenty_one_is_no_blackjack": _money("21 de um par desdobrado", "21 of a split pair"),
    "bust_loses": _money("mão acima de 21", "hand over 21"),
    "nearer_to_twenty_one_wins": _money(
        "mão mais próxima de 21 do que a banca", "hand nearer to 21 than the bank"
    ),
    "farther_from_twenty_one_loses": _money(
        "mão mais afastada de 21 do que a banca", "hand farther from 21 than the bank"
    ),
    "equal_is_null": _money("empate", "tie"),
    "winner_keeps_stake": _money("mão ganhadora", "winning hand"),
    "fixed_ace_stays_one": _money("ás fixado em 1 pela duplicação", "ace fixed as 1 by the double"),
    "bank_ace_counts_as_stated": _money(
        "ás da banca mal contado", "the bank's ace counted wrongly"
    ),
    "insurance_pays_two_to_one": _money(
        "seguro, com blackjack da banca", "insurance, the bank having a blackjack"
    ),
    "insurance_loses": _money(
        "seguro, sem blackjack da banca", "insurance, the bank having no blackjack"
    ),
    "even_money_pays_one_to_one": _money("pagamento um por um", "even money"),
    "surrender_loses_half": _money("desistência", "surrender"),
    "special_prize_only_when_due": _money("prémio especial", "special prize"),
    "only_stated_prizes_are_paid": (
        Line(
            "(prémio que este regulamento não prevê) foram entregues {o.returned_cents} e nada era"
            " devido",
            "(prize this rulebook does not state) {o.returned_cents} was handed over where nothing"
            " was due",
        ),
    ),
    "voided_round_returns_stakes": _money("jogada anulada", "voided round"),
}
