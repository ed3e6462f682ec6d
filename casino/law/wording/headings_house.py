"""What is said where a control of the house was not met: no article of a rulebook asks it."""

from typing import Final

from casino.law.wording.headings import Headings, Line

HEADINGS: Final[Headings] = {
    "complaint_paid_as_decided": (
        Line(
            "~deu lugar a pagar-se {o.paid_cents}, mais do que os {e.at_most_cents} reclamados",
            "~led to a payment of {o.paid_cents}, more than the {e.at_most_cents} claimed",
        ),
        Line(
            "~não foi atendida, e pagaram-se {o.paid_cents}",
            "~was not upheld, and {o.paid_cents} was paid",
        ),
        Line(
            "~não foi atendida, e o motivo indicado é um erro corrigido",
            "~was not upheld, and the reason given is an error put right",
            {"e.outcome": "upheld"},
        ),
    ),
    "chips_are_those_of_the_game": (
        Line(
            "no fecho faltam {o.missing_cents} em fichas: contaram-se {o.counted_cents} e deviam"
            " estar {e.counted_cents}; desde as {o.since}, com {o.rounds|n:jogada,jogadas}",
            "{o.missing_cents} in chips are missing at the closing: {o.counted_cents} were counted"
            " and {e.counted_cents} should be there; since {o.since}, with"
            " {o.rounds|n:round,rounds}",
            {"o.missing_cents": ...},
        ),
        Line(
            "no fecho sobram {o.surplus_cents} em fichas: contaram-se {o.counted_cents} e deviam"
            " estar {e.counted_cents}; desde as {o.since}, com {o.rounds|n:jogada,jogadas}",
            "{o.surplus_cents} in chips are too many at the closing: {o.counted_cents} were counted"
            " and {e.counted_cents} should be there; since {o.since}, with"
            " {o.rounds|n:round,rounds}",
            {"o.surplus_cents": ...},
        ),
    ),
    "people_are_registered": (
        Line(
            "~não consta do registo da casa",
            "~is not in the house's register",
        ),
    ),
    "incident_number_of_one_table": (
        Line(
            "~, registado na mesa {e.table}, tem o número de um incidente da mesa {o.also_at}",
            "~, recorded at table {e.table}, bears the number of an incident of table {o.also_at}",
        ),
    ),
    "number_registered_once": (
        Line(
            "o número já está no registo da casa, como {o.registered_as}",
            "the number is in the house's register already, as {o.registered_as}",
        ),
    ),
    "people_hold_their_office": (
        Line(
            "~foi indicado como {e.office}, cargo que então não tinha (nenhum cargo em registo)",
            "~was named as {e.office}, an office not held then (no office on record)",
            {"o.on_record": "nothing"},
        ),
        Line(
            "~foi indicado como {e.office}, cargo que então não tinha",
            "~was named as {e.office}, an office not held then",
        ),
        Line(
            "~foi indicado num cargo que então não tinha", "~was named in an office not held then"
        ),
    ),
    "three_people_at_a_table": (
        Line(
            "~foi indicado, na mesma partida, como {o.named_as|and}",
            "~was named, in one game, as {o.named_as|and}",
        ),
    ),
    "people_on_duty_at_the_table": (
        Line(
            "~foi indicado nesta mesa antes de entrar de serviço às {e.not_before}",
            "~was named at this table before going on duty at {e.not_before}",
        ),
        Line(
            "~foi indicado nesta mesa sem estar de serviço",
            "~was named at this table while off duty",
            {"o.on_duty": "no"},
        ),
        Line(
            "~foi indicado na mesa {e.table}, estando de serviço em {o.on_duty_at|and}",
            "~was named at table {e.table} while on duty at {o.on_duty_at|and}",
        ),
    ),
    "dealer_at_one_table": (
        Line(
            "~pagava na mesa {e.table} e, ao mesmo tempo, na mesa {o.also_at}",
            "~dealt at table {e.table} and at table {o.also_at} at the same time",
        ),
    ),
    "nothing_before_the_opening": (
        Line(
            "um registo da partida indica as {o.moment}; a partida só abriu às {e.not_before}",
            "a record of the game is timed {o.moment}; the game opened only at {e.not_before}",
        ),
    ),
    "lid_opened_once_he_is_there": (
        Line(
            "a tampa foi aberta às {o.moment}; o fiscal-chefe só chegou às {e.not_before}",
            "the lid was opened at {o.moment}; the fiscal-chefe arrived only at {e.not_before}",
        ),
    ),
    "office_recorded_before_the_act": (
        Line(
            "o cargo de {w.office} foi registado por {o.recorded_by} às {o.moment|full}, depois do"
            " ato das {e.acted_at|full} (registado às {e.not_after|full}), com data anterior a ele",
            "the office of {w.office} was recorded by {o.recorded_by} at {o.moment|full}, after the"
            " act of {e.acted_at|full} (recorded at {e.not_after|full}) and dated before it",
        ),
        Line(
            "o cargo de {w.office} foi registado por {o.recorded_by} às {o.moment|full}, com data"
            " anterior a um ato registado às {e.not_after|full}",
            "the office of {w.office} was recorded by {o.recorded_by} at {o.moment|full}, dated"
            " before an act recorded at {e.not_after|full}",
        ),
    ),
    "duty_recorded_before_the_act": (
        Line(
            "a entrada de serviço como {w.office} foi registada por {o.recorded_by} às"
            " {o.moment|full}, depois do ato das {e.acted_at|full} (registado às"
            " {e.not_after|full}), com hora anterior a ele",
            "duty as {w.office} was recorded by {o.recorded_by} at {o.moment|full}, after the act"
            " of {e.acted_at|full} (recorded at {e.not_after|full}) and timed before it",
        ),
        Line(
            "a entrada de serviço como {w.office} foi registada por {o.recorded_by} às"
            " {o.moment|full}, com hora anterior a um ato registado às {e.not_after|full}",
            "duty as {w.office} was recorded by {o.recorded_by} at {o.moment|full}, timed before an"
            " act recorded at {e.not_after|full}",
        ),
    ),
    "limits_recorded_before_play": (
        Line(
            "os limites da mesa foram registados por {o.recorded_by} às {o.moment|full}, depois do"
            " ato das {e.acted_at|full} (registado às {e.not_after|full}), com hora anterior a ele",
            "the table's limits were recorded by {o.recorded_by} at {o.moment|full}, after the act"
            " of {e.acted_at|full} (recorded at {e.not_after|full}) and timed before it",
        ),
        Line(
            "os limites da mesa foram registados por {o.recorded_by} às {o.moment|full}, com hora"
            " anterior a um ato registado às {e.not_after|full}",
            "the table's limits were recorded by {o.recorded_by} at {o.moment|full}, timed before"
            " an act recorded at {e.not_after|full}",
        ),
    ),
    "round_names_its_games_rulebook": (
        Line(
            "{o.rounds|n:jogada indica,jogadas indicam} o regulamento «{o.rulebook}»; a partida"
            " abriu com «{e.rulebook}»",
            "{o.rounds|n:round names,rounds name} the rulebook “{o.rulebook}”; the game opened"
            " under “{e.rulebook}”",
        ),
    ),
}
