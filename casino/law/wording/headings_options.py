"""What is said of a breach in splitting, doubling, insurance and even money.

Law: PT art. 26 to 34.
"""

from typing import Final

from casino.law.wording.headings import Headings, Line

HEADINGS: Final[Headings] = {
    "split_hand_asks_a_card": (
        Line(
            "~, que é de um desdobramento, ficou com {o.cards|n:carta,cartas}; tinha de se pedir"
            " pelo menos outra",
            "~, which is of a split, was left with {o.cards|n:card,cards}; at least one more had to"
            " be asked for",
        ),
    ),
    "split_equal_values": (
        Line(
            "desdobraram-se {o.pair} depois de outra decisão ({o.actions|list})",
            "{o.pair} were split after another decision ({o.actions|list})",
        ),
        Line(
            "desdobraram-se {o.pair}, cartas de valores diferentes",
            "{o.pair} were split, cards of different values",
        ),
    ),
    "resplit_equal_values": (
        Line(
            "voltaram a desdobrar-se ases, o que não é permitido",
            "aces were split again, which is not allowed",
            {"e.aces_split_again": 0},
        ),
        Line(
            "voltaram a desdobrar-se ases {o.aces_split_again|n:vez,vezes}; só se podia"
            " {e.aces_split_again|n:vez,vezes}",
            "aces were split again {o.aces_split_again|n:time,times};"
            " {e.aces_split_again|n:time is,times are} allowed",
        ),
        Line(
            "voltaram a desdobrar-se {o.pair} depois de outra decisão ({o.actions|list})",
            "{o.pair} were split again after another decision ({o.actions|list})",
        ),
        Line(
            "voltaram a desdobrar-se {o.pair}, cartas de valores diferentes",
            "{o.pair} were split again, cards of different values",
        ),
    ),
    "aces_split_once": (
        Line("os ases foram desdobrados outra vez", "the aces were split a second time"),
    ),
    "split_aces_one_card": (
        Line(
            "um ás desdobrado recebeu {o.drawn} além da carta que lhe cabia",
            "a split ace was given {o.drawn} beyond its one card",
        ),
    ),
    "splits_within_the_houses_limit": (
        Line(
            "este lugar desdobrou-se {o.splits|n:vez,vezes}; a casa permite"
            " {e.at_most|n:vez,vezes}",
            "this box was split {o.splits|n:time,times}; the house allows {e.at_most|n:time,times}",
        ),
    ),
    "split_hands_played_right_to_left": (
        Line(
            "a mão {o.played_first} jogou antes da mão {e.played_first}, que ficava à sua direita",
            "hand {o.played_first} played before hand {e.played_first}, which lay to its right",
        ),
    ),
    "split_stakes_equal": (
        Line(
            "só a mão {o.staked_hand} ficou com aposta depois do desdobramento; tinham de ficar as"
            " duas",
            "only hand {o.staked_hand} carried a stake after the split; both had to",
        ),
        Line(
            "~desdobrou com {o.stake_cents}; a outra mão tinha {e.stake_cents}",
            "~split with {o.stake_cents}; the other hand had {e.stake_cents}",
        ),
    ),
    "complementary_follows_split": (
        Line(
            "a aposta complementar ficou na mão {o.hand}; cabia à mão {e.hand}",
            "the complementary stake lay on hand {o.hand}; it belonged to hand {e.hand}",
        ),
        Line(
            "a aposta complementar não acompanhou o desdobramento; eram devidos {e.stake_cents}",
            "the complementary stake did not follow the split; {e.stake_cents} was due",
            {"o.stake_cents": 0},
        ),
        Line(
            "a aposta complementar ficou com {o.stake_cents} numa mão e nada na outra",
            "the complementary stake carried {o.stake_cents} on one hand and nothing on the other",
            {"e.stake_cents": 0},
        ),
        Line(
            "a aposta complementar acompanhou o desdobramento com {o.stake_cents}; a primeira era"
            " de {e.stake_cents}",
            "the complementary stake followed the split with {o.stake_cents}; the first was"
            " {e.stake_cents}",
        ),
    ),
    "double_on_nine_to_eleven": (
        Line(
            "duplicou-se com {o.first_two}[ (decisões: {o.actions|list})]; só se duplica como"
            " primeira decisão, com {e.totals|or} nas duas primeiras cartas",
            "{o.first_two} were doubled on[ (decisions: {o.actions|list})]; doubling comes first,"
            " on {e.totals|or} with the first two cards",
        ),
    ),
    "double_after_split": (
        Line(
            "depois de um desdobramento, duplicou-se com {o.first_two}; só se duplica com"
            " {e.totals|or}",
            "after a split {o.first_two} were doubled on; doubling is on {e.totals|or} alone",
        ),
    ),
    "double_one_card": (
        Line(
            "~, duplicada, recebeu {o.drawn} a mais; cabia-lhe {e.cards|n:só carta,cartas}",
            "~, doubled, was given {o.drawn} too many; {e.cards|n:card was,cards were} due",
        ),
    ),
    "double_is_twice": (
        Line(
            "~duplicou para {o.stake_cents}; o dobro era {e.stake_cents}",
            "~doubled to {o.stake_cents}; twice the stake was {e.stake_cents}",
        ),
        Line(
            "~duplicou para {o.stake_cents}, que não é o dobro de nenhuma aposta",
            "~doubled to {o.stake_cents}, which is not twice any stake",
        ),
    ),
    "complementary_double": (
        Line(
            "a aposta complementar ficou em {o.stake_cents}; podia ficar em {e.stakes_cents|or}",
            "the complementary stake became {o.stake_cents}; it could be {e.stakes_cents|or}",
        ),
    ),
    "insurance_only_against_ace": (
        Line(
            "~fez seguro com a banca a mostrar {o.bank_shows}, que não é um ás",
            "~took insurance while the bank showed {o.bank_shows}, which is no ace",
        ),
    ),
    "insurance_within_half": (
        Line(
            "~fez seguro da aposta que recebeu um por um",
            "~insured a stake that was paid even money",
            {"o.with": "even_money"},
        ),
        Line(
            "~fez um seguro de {o.stake_cents} sem aposta que o permitisse",
            "~took insurance of {o.stake_cents} without a stake that allows it",
            {"e.at_most_cents": 0},
        ),
        Line(
            "o seguro foi de {o.stake_cents}; não podia passar de metade da aposta,"
            " {e.at_most_cents}",
            "the insurance was {o.stake_cents}; it could be at most half of the stake,"
            " {e.at_most_cents}",
        ),
    ),
    "insurance_exactly_half": (
        Line(
            "~fez um seguro de {o.stake_cents} sem aposta que o permitisse",
            "~took insurance of {o.stake_cents} without a stake that allows it",
            {"e.stake_cents": 0},
        ),
        Line(
            "o seguro foi de {o.stake_cents}; tinha de ser metade da aposta, {e.stake_cents}",
            "the insurance was {o.stake_cents}; it had to be half of the stake, {e.stake_cents}",
        ),
    ),
    "insurance_in_its_moment": (
        Line(
            "fez seguro depois de um jogador já ter falado",
            "insured after a player had already spoken",
            {"o.spoken": "yes"},
        ),
        Line(
            "fez seguro com {o.cards_dealt|n:carta,cartas} na mesa, antes de dadas as segundas;"
            " com estas são {e.at_least}",
            "insured with {o.cards_dealt|n:card,cards} on the table, before the second ones lay;"
            " with those there are {e.at_least}",
        ),
        Line(
            "fez seguro com {o.cards_dealt|n:carta,cartas} na mesa; podia fazê-lo até haver"
            " {e.at_most}",
            "insured with {o.cards_dealt|n:card,cards} on the table; it may be done up to"
            " {e.at_most}",
        ),
    ),
    "insurance_on_invitation": (
        Line(
            "fez seguro sem que o pagador tivesse convidado a fazê-lo",
            "insured although the dealer had not invited to it",
        ),
    ),
    "insurance_on_its_place": (
        Line(
            "o seguro não ficou no sítio do pano que lhe está reservado",
            "the insurance did not lie on the spot of the layout kept for it",
        ),
    ),
    "even_money_only_blackjack_against_ace": (
        Line(
            "~aceitou receber um por um sem o titular o fazer",
            "~took even money where the holder did not",
            {"o.kind": "even_money"},
        ),
        Line(
            "o titular aceitou receber um por um e esta aposta não o acompanhou",
            "the holder took even money and this stake did not",
            {"e.kind": "even_money"},
        ),
        Line(
            "o pagamento um por um não foi feito de imediato[, com a banca a mostrar"
            " {o.bank_shows}]",
            "even money was not paid at once[, the bank showing {o.bank_shows}]",
            {"o.at_once": "no"},
        ),
        Line(
            "~recebeu um por um com {o.total|n:ponto,pontos} em {o.cards|n:carta,cartas}, contra"
            " {o.bank_shows}; só um blackjack contra um ás o pode receber",
            "~was paid even money on {o.total|n:point,points} in {o.cards|n:card,cards} against"
            " {o.bank_shows}; only a blackjack against an ace may be",
        ),
    ),
}
