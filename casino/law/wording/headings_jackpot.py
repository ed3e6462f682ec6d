"""What is said of a breach about the progressive prize. Law: PT art. 38 to 50."""

from typing import Final

from casino.law.wording.headings import Headings, Line


def _paid(pt: str, en: str) -> tuple[Line, ...]:
    """A prize of which another sum was paid than was due."""
    return (
        Line(
            f"({pt}) nada foi pago dos {{e.paid_cents}} devidos",
            f"({en}) nothing was paid of the {{e.paid_cents}} due",
            {"o.paid_cents": 0},
        ),
        Line(
            f"({pt}) foram pagos {{o.paid_cents}} e nada era devido",
            f"({en}) {{o.paid_cents}} was paid and nothing was due",
            {"e.paid_cents": 0},
        ),
        Line(
            f"({pt}) foram pagos {{o.paid_cents}} e eram devidos {{e.paid_cents}}",
            f"({en}) {{o.paid_cents}} was paid and {{e.paid_cents}} was due",
        ),
    )


def _documented(pt: str, en: str) -> tuple[Line, ...]:
    """A document that is missing, or is later than the day on which it was needed."""
    return (
        Line(
            f"({pt}) não consta documento até {{e.by_day}}, dia em que se jogou",
            f"({en}) no document is on record by {{e.by_day}}, the day of play",
            {"o.reference": ""},
        ),
        Line(
            f"({pt}) o documento {{o.reference}} é de {{o.day}}; jogou-se em {{e.by_day}}",
            f"({en}) document {{o.reference}} is dated {{o.day}}; play was on {{e.by_day}}",
        ),
    )


HEADINGS: Final[Headings] = {
    "jackpot_option_is_communicated": _documented(
        "comunicação da opção à inspeção",
        "the choice made known to the inspectorate",
    ),
    "jackpot_place_is_marked": (
        Line(
            "a mesa não tem ranhura nem sítio marcado para a aposta no acumulado",
            "the table has no slot and no marked spot for the side stake",
        ),
    ),
    "jackpot_terms_are_confirmed": (
        Line(
            "apostou-se ou ganhou-se com condições que uma só pessoa registou"
            " ({o.times|n:vez,vezes})",
            "stakes were laid or prizes won under terms one person alone recorded"
            " ({o.times|n:time,times})",
        ),
    ),
    "jackpot_terms_are_in_force": (
        Line(
            "apostou-se ou ganhou-se sem condições em vigor ({o.times|n:vez,vezes})",
            "stakes were laid or prizes won without terms in force ({o.times|n:time,times})",
            {"o.terms": 0},
        ),
        Line(
            "não há condições em vigor para este acumulado",
            "no terms are in force for this jackpot",
            {"o.terms": 0},
        ),
        Line(
            "apostou-se no acumulado ({o.times|n:vez,vezes}) numa partida aberta sem nenhum"
            " acumulado",
            "the progressive prize was staked on ({o.times|n:time,times}) in a game opened without"
            " one",
            {"o.pools": 0},
        ),
        Line(
            "apostou-se no acumulado ({o.times|n:vez,vezes}) numa partida aberta com"
            " {o.pools|n:acumulado,acumulados}, sem se dizer em qual",
            "the progressive prize was staked on ({o.times|n:time,times}) in a game opened with"
            " {o.pools|n:of them,of them}, without saying on which",
        ),
        Line(
            "jogou-se na mesa {o.table}; as condições valem em {e.one_of|and}",
            "play was at table {o.table}; the terms hold at {e.one_of|and}",
        ),
        Line(
            "jogou-se para este acumulado numa partida aberta com {e.one_of|and}",
            "this jackpot was played for in a game opened with {e.one_of|and}",
        ),
        Line(
            "jogou-se para este acumulado numa partida aberta sem prémio acumulado",
            "this jackpot was played for in a game opened without a progressive prize",
        ),
    ),
    "jackpot_terms_are_approved": _documented(
        "aprovação da inspeção", "approval by the inspectorate"
    ),
    "jackpot_terms_were_proposed": (
        Line(
            "a proposta da concessionária ({o.proposal}) é de {o.day}; a decisão é de {e.by_day}",
            "the concession holder's proposal ({o.proposal}) is dated {o.day}; the decision,"
            " {e.by_day}",
        ),
    ),
    "jackpot_terms_do_not_reach_back": (
        Line(
            "as condições dizem-se em vigor desde as {o.since|full}; só foram registadas às"
            " {e.not_before|full}",
            "the terms are said to hold since {o.since|full}; they were recorded only at"
            " {e.not_before|full}",
        ),
    ),
    "jackpot_meter_is_within_its_limit": (
        Line(
            "o acumulado chegou a {o.meter_cents}; o limite aprovado é {e.at_most_cents}",
            "the meter rose to {o.meter_cents}; the approved limit is {e.at_most_cents}",
        ),
    ),
    "jackpot_sources_agree": (
        Line(
            "a jogada regista {e.chips|n:ficha,fichas}; o incremento, {o.chips}",
            "the round records {e.chips|n:chip,chips}; the increment, {o.chips}",
        ),
    ),
    "jackpot_marking_as_registered": (
        Line(
            "a mesa está registada com marcação {o.marking}; as condições dizem {e.marking}",
            "the table is registered with {o.marking} marking; the terms say {e.marking}",
            {"o.marking": ("manual", "automatic")},
        ),
        Line(
            "a mesa está registada {o.marking}; as condições dizem marcação {e.marking}",
            "the table is registered with {o.marking}; the terms say {e.marking} marking",
            {"o.marking": "no_marking"},
        ),
    ),
    "jackpot_markers_are_laid": (
        Line(
            "a ficha recolhida não foi substituída por uma marca",
            "no marker took the place of the chip collected",
        ),
    ),
    "jackpot_meter_is_as_told": (
        Line(
            "o registo diz {o.meter_cents}[ e {o.meter_rest_microcents} milionésimos de cêntimo];"
            " os anteriores dão {e.meter_cents}[ e {e.meter_rest_microcents} milionésimos]",
            "the record says {o.meter_cents}[ and {o.meter_rest_microcents} millionths of a cent];"
            " those before it make {e.meter_cents}[ and {e.meter_rest_microcents} millionths]",
        ),
        Line(
            "o registo diz {o.meter_cents}; o acumulado não pode passar de {e.meter_at_most_cents}",
            "the record says {o.meter_cents}; the meter can be at most {e.meter_at_most_cents}",
        ),
        Line(
            "o acerto tirava ao acumulado mais do que ele tinha",
            "the adjustment took more from the meter than it held",
        ),
    ),
    "jackpot_display_shows_the_meter": (
        Line(
            "o mostrador indicava {o.display_cents}; pelos registos são {e.display_cents}",
            "the display showed {o.display_cents}; the records make {e.display_cents}",
        ),
        Line(
            "o mostrador indicava {o.display_cents}; ao todo não havia mais de {e.at_most_cents}",
            "the display showed {o.display_cents}; there was no more than {e.at_most_cents} in all",
        ),
    ),
    "jackpot_counted_cards_are_lawful": (
        Line(
            "{o.cards|s:conta,contam} {o.cards|n:carta,cartas}; deviam ser {e.one_of|or}",
            "{o.cards|n:card counts,cards count}; {e.one_of|or} are lawful",
        ),
    ),
    "jackpot_prizes_as_approved": _paid("prémio", "prize"),
    "jackpot_winning_cards_are_told": (
        Line(
            "saiu «{e.combination}» a quem tinha posto ficha e não se registou prémio",
            "“{e.combination}” came to a player who had laid a chip and no prize was recorded",
        ),
    ),
    "jackpot_prizes_follow_the_meter": (
        Line(
            "pagaram-se {o.paid_cents}; o prémio ganho era, no máximo, {e.at_most_cents}",
            "{o.paid_cents} was paid; the prize won was at most {e.at_most_cents}",
        ),
        Line(
            "registou-se um prémio por «{o.combination}», que não está na tabela aprovada",
            "a prize was recorded for “{o.combination}”, which is not in the approved table",
        ),
        *_paid("prémio", "prize"),
    ),
    "jackpot_start_is_high_enough": (
        Line(
            "o valor de arranque é {o.start_cents}; o mínimo é {e.at_least_cents}",
            "the starting value is {o.start_cents}; at least {e.at_least_cents} is asked",
        ),
    ),
    "jackpot_is_started_when_due": (
        Line(
            "jogou-se sem se ter posto o valor de arranque",
            "play went on without a starting value",
            {"o.starts": 0},
        ),
        Line(
            "foi posto o valor de arranque de {o.start_cents} com {o.meter_cents} ainda no"
            " acumulado",
            "a starting value of {o.start_cents} was put in while the meter held {o.meter_cents}",
        ),
    ),
    "jackpot_chip_has_a_main_stake": (
        Line(
            "~pôs ficha no acumulado sem ter aposta principal",
            "~laid a chip on the progressive prize without a main stake",
        ),
    ),
    "jackpot_winner_laid_a_chip": (
        Line(
            "~ganhou o prémio acumulado; nas recolhas desta partida não há nenhuma ficha sua",
            "~won the progressive prize; the collections of this game hold no chip of his",
            {"o.chips_in_game": 0},
        ),
        Line(
            "~ganhou o prémio acumulado sem ter posto ficha nessa jogada",
            "~won the progressive prize without having laid a chip in that round",
        ),
    ),
    "jackpot_won_by_first_cards": (
        Line(
            "registou-se «{o.combination}»; as primeiras cartas não fazem nenhuma combinação",
            "“{o.combination}” was recorded; the first cards make no combination",
            {"e.combination": "none"},
        ),
        Line(
            "registou-se «{o.combination}»; as primeiras cartas fazem «{e.combination}»",
            "“{o.combination}” was recorded; the first cards make “{e.combination}”",
        ),
    ),
    "one_chip_per_player": (
        Line(
            "~pôs {o.chips} fichas no acumulado na mesma jogada; só podia pôr uma",
            "~laid {o.chips} chips on the progressive prize in one round; only one is allowed",
            {"e.at_most": 1},
        ),
        Line(
            "~pôs {o.chips} fichas no acumulado na mesma jogada; podia pôr no máximo {e.at_most}",
            "~laid {o.chips} chips on the progressive prize in one round; at most {e.at_most} are"
            " allowed",
        ),
    ),
    "jackpot_chip_is_of_the_set_amount": (
        Line(
            "a ficha do acumulado era de {o.chip_cents}; está fixada em {e.chip_cents}",
            "the chip was worth {o.chip_cents}; its worth is set at {e.chip_cents}",
        ),
    ),
    "jackpot_chips_precede_the_deal": (
        Line(
            "as apostas no acumulado fecharam às {o.closed_at}; a primeira carta saiu às"
            " {e.not_after}",
            "the side stakes closed at {o.closed_at}; the first card came out at {e.not_after}",
        ),
        Line(
            "as fichas do acumulado não foram recolhidas antes de se darem as cartas",
            "the chips were not collected before the deal",
            {"o.before_deal": 0},
        ),
        Line(
            "o pagador não anunciou o fecho das apostas («jogo feito, nada mais»)",
            "the dealer did not call the stakes closed (“jogo feito, nada mais”)",
            {"o.closing_called": 0},
        ),
    ),
    "jackpot_cards_stay_open_until_paid": (
        Line(
            "as cartas premiadas foram recolhidas às {e.not_after}; o prémio só foi pago às"
            " {o.paid_at}",
            "the winning cards were collected at {e.not_after}; the prize was paid only at"
            " {o.paid_at}",
        ),
        Line(
            "as cartas premiadas foram recolhidas às {e.not_after}, sem pagamento registado",
            "the winning cards were collected at {e.not_after}, with no payment on record",
        ),
    ),
    "jackpot_has_a_top_combination": (
        Line(
            "nenhuma combinação recebe {e.percentage} % do acumulado; a maior recebe"
            " {o.percentage} %",
            "no combination wins {e.percentage} per cent of the meter; the highest wins"
            " {o.percentage} per cent",
        ),
    ),
    "jackpot_remainder_to_the_top": _paid(
        "remanescente, que cabe à combinação máxima",
        "what is left, due to the top combination",
    ),
    "jackpot_meter_bears_the_prizes": (
        Line(
            "o acumulado só tinha {o.meter_cents} para um prémio de {e.prize_cents}",
            "the meter held only {o.meter_cents} for a prize of {e.prize_cents}",
        ),
    ),
    "jackpot_smallest_prize_first": (
        Line(
            "o prémio de {o.paid_cents} foi pago depois de um de {o.after_cents}; paga-se primeiro"
            " o menor",
            "the prize of {o.paid_cents} was paid after one of {o.after_cents}; the smaller comes"
            " first",
        ),
    ),
    "jackpot_prize_is_paid_once": (
        Line(
            "o mesmo prémio foi registado duas vezes",
            "one prize was recorded twice",
            {"o.wins": 2, "o.paid_cents": 0},
        ),
        Line(
            "o mesmo prémio foi registado {o.wins} vezes[ e pagaram-se {o.paid_cents} a mais]",
            "one prize was recorded {o.wins} times[ and {o.paid_cents} too much was paid]",
        ),
        Line(
            "o prémio já estava pago e pagaram-se mais {o.paid_cents}",
            "the prize had been paid and {o.paid_cents} was paid again",
        ),
    ),
    "jackpot_claim_is_within_the_money": (
        Line(
            "pagaram-se {o.claimed_cents}; os valores de arranque e as contribuições só dão"
            " {e.at_most_cents}",
            "{o.claimed_cents} was paid; starting values and contributions make only"
            " {e.at_most_cents}",
        ),
    ),
    "jackpot_wins_in_the_decided_order": (
        Line(
            "o prémio decidido em {e.place_decided}.º lugar foi registado em {o.place_in_book}.º",
            "the win decided as number {e.place_decided} was recorded as number {o.place_in_book}",
        ),
    ),
}
