"""What is said where the auditing, the book, or a deadline of the house was not as it has to be.

One heading for each check of `house_checks`; of the book itself a verification says more.
"""

from typing import Final

from audit.runs import house_checks
from casino.law.wording.headings import Headings, Line

HEADINGS: Final[Headings] = {
    house_checks.DAY_RECONCILED: (
        Line(
            "o dia de jogo {w.day} não foi conferido nas doze horas que se seguiram ao seu fim",
            "gaming day {w.day} was not reconciled within twelve hours of its end",
        ),
    ),
    house_checks.RUN_COMPLETED: (
        Line(
            "a conferência falhou na parte {w.part}, ao fim de"
            " {o.attempts|n:tentativa,tentativas}: o processo perdeu-se",
            "the reconciliation failed in part {w.part}, after {o.attempts|n:attempt,attempts}:"
            " the process was lost",
            {"o.trouble": "worker lost"},
        ),
        Line(
            "a conferência falhou na parte {w.part}, ao fim de"
            " {o.attempts|n:tentativa,tentativas}: {o.trouble}",
            "the reconciliation failed in part {w.part}, after {o.attempts|n:attempt,attempts}:"
            " {o.trouble}",
        ),
    ),
    house_checks.JOB_DONE: (
        Line(
            "a tarefa {w.job} falhou ao fim de {o.tries|n:tentativa,tentativas}: o processo"
            " perdeu-se",
            "the job {w.job} failed after {o.tries|n:attempt,attempts}: the process was lost",
            {"o.trouble": "worker lost"},
        ),
        Line(
            "a tarefa {w.job} falhou ao fim de {o.tries|n:tentativa,tentativas}: {o.trouble}",
            "the job {w.job} failed after {o.tries|n:attempt,attempts}: {o.trouble}",
        ),
    ),
    house_checks.RECORD_JUDGED: (
        Line(
            "o programa não pôde julgar o registo, por um erro seu («{o.error}»)",
            "the program could not judge the record, by a fault of its own (“{o.error}”)",
        ),
    ),
    house_checks.ROUND_RECORDED_ONCE: (
        Line("~foi registada {o.records} vezes", "~was recorded {o.records} times"),
    ),
    house_checks.BOOK_WHOLE: (
        Line(
            "o livro não está como foi escrito",
            "the book is not as it was written",
        ),
    ),
    house_checks.PROJECTIONS_FOLLOW: (
        Line(
            "uma linha das tabelas de consulta não diz o que diz o seu registo",
            "a row of the tables does not say what its entry says",
        ),
    ),
    house_checks.PRIVATE_KEPT: (
        Line(
            "um valor privado ou ficheiro não é o que o livro nomeia",
            "a private value or file is not the one the book names",
        ),
    ),
    house_checks.SEALED_IN_TIME: (
        Line(
            "há registos à espera de lugar na árvore desde as {o.waits_since|full}",
            "entries have waited for their place in the tree since {o.waits_since|full}",
        ),
        Line(
            "há registos por selar desde as {o.unsigned_since|full}",
            "entries have been unsealed since {o.unsigned_since|full}",
        ),
        Line("o selo foi recusado: {o.why}", "sealing was refused: {o.why}"),
    ),
    house_checks.WITNESS_AGREES: (
        Line(
            "a testemunha {w.witness} diz que já viu {o.known_size|n:registo,registos}, mais do que"
            " {o.size|n:registo assinado,registos assinados}: perderam-se registos, ou foi-lhe"
            " mostrado outro livro",
            "the witness {w.witness} says it has seen {o.known_size|n:entry,entries}, more than"
            " {o.size|n:entry,entries} that were signed: entries were lost, or it was shown another"
            " book",
        ),
        Line(
            "a testemunha {w.witness} recusa o ponto de controlo de {o.size|n:registo,registos}:"
            " não continua o que ela viu antes",
            "the witness {w.witness} refuses the checkpoint of {o.size|n:entry,entries}: it does"
            " not continue what it saw before",
        ),
    ),
    house_checks.WITNESS_ANSWERS: (
        Line(
            "a testemunha {w.witness} não assina desde as {o.unsigned_since|full}: {o.why}",
            "the witness {w.witness} has not signed since {o.unsigned_since|full}: {o.why}",
        ),
    ),
    house_checks.SCHEMA_UNCHANGED: (
        Line(
            "a base de dados não é a que o livro regista",
            "the database is not as the book records it",
        ),
    ),
    house_checks.CLOCK_STEADY: (
        Line("o relógio da base de dados andou para trás", "the database's clock ran back"),
    ),
    house_checks.BOOK_VERIFIED: (
        Line(
            "o livro não foi verificado depois do dia de jogo {w.day}",
            "the book was not verified after gaming day {w.day}",
        ),
    ),
    house_checks.POOL_KEPT: (
        Line(
            "o valor guardado mudou {o.change_microcents} milionésimos de cêntimo; o registo dá"
            " {e.change_microcents}",
            "the kept value changed by {o.change_microcents} millionths of a cent; the entry makes"
            " {e.change_microcents}",
        ),
        Line(
            "o valor guardado do acumulado não é o que resulta dos registos do livro",
            "the value that is kept is not the one the book's entries make",
        ),
    ),
    house_checks.POOL_REPLAYED: (
        Line(
            "~não foi recontado a partir do livro depois do dia de jogo {w.day}",
            "~was not replayed from the book after gaming day {w.day}",
        ),
    ),
    house_checks.INCIDENT_SETTLED: (
        Line(
            "~não foi resolvido até às {e.not_after|full}, prazo da casa",
            "~was not settled by {e.not_after|full}, the house's time",
        ),
        Line("~não foi resolvido no prazo da casa", "~was not settled within the house's time"),
    ),
    house_checks.DEFECT_MADE_KNOWN: (
        Line(
            "o baralho incompleto não foi comunicado ao serviço de inspeção até às"
            " {e.not_after|full}, prazo da casa",
            "the deck that is not whole was not made known to the inspection service by"
            " {e.not_after|full}, the house's time",
        ),
        Line(
            "o baralho incompleto não foi comunicado ao serviço de inspeção no prazo da casa",
            "the deck that is not whole was not made known to the inspection service in time",
        ),
    ),
    house_checks.COMPLAINT_ANSWERED: (
        Line(
            "~não teve resposta até às {e.not_after|full}, prazo da casa",
            "~was not answered by {e.not_after|full}, the house's time",
        ),
        Line("~não teve resposta no prazo da casa", "~was not answered within the house's time"),
    ),
    house_checks.FOOTAGE_DECIDED: (
        Line(
            "as gravações não foram entregues nem preservadas de novo até às {e.not_after|full}",
            "the recordings were neither handed over nor held again by {e.not_after|full}",
        ),
        Line(
            "as gravações não foram entregues nem preservadas de novo a tempo",
            "the recordings were neither handed over nor held again in time",
        ),
    ),
    house_checks.FOOTAGE_HELD: (
        Line(
            "as gravações não foram preservadas até às {e.not_after|full}",
            "the recordings were not held by {e.not_after|full}",
        ),
        Line("as gravações não foram preservadas a tempo", "the recordings were not held in time"),
    ),
    house_checks.CASE_IN_TIME: (
        Line(
            "~não teve esclarecimento até às {e.not_after|full}, prazo da casa",
            "~was not explained by {e.not_after|full}, the house's time",
            {"o.waits_for": "explanation"},
        ),
        Line(
            "no processo {w.case} não se pagou até às {e.not_after|full} o que está em dívida",
            "in case {w.case} what is owed was not paid by {e.not_after|full}",
            {"o.waits_for": "payment"},
        ),
    ),
    house_checks.REMEDY_KEPT: (
        Line(
            "voltou a acontecer o que o processo {w.case} dava por remediado desde"
            " {e.remedied_from} (processo {o.again})",
            "what case {w.case} said was remedied from {e.remedied_from} on happened again"
            " (case {o.again})",
        ),
    ),
    house_checks.FIGURES_CONFIRMED: (
        Line(
            "há valores do regulamento «{w.rulebook}» que ninguém confronta com o texto oficial"
            " desde {o.confirmed_on}",
            "figures of the rulebook “{w.rulebook}” were last compared with the official text on"
            " {o.confirmed_on}",
        ),
    ),
    house_checks.FIGURES_BY_TWO: (
        Line(
            "valores do regulamento «{w.rulebook}» fixados no livro sem duas pessoas: não valem",
            "figures of the rulebook “{w.rulebook}” were set in the book without two persons: they"
            " do not hold",
            {"o.lacks": "persons"},
        ),
        Line(
            "valores do regulamento «{w.rulebook}» fixados no livro depois de começar o seu"
            " primeiro dia, {w.since}: não valem",
            "figures of the rulebook “{w.rulebook}” were set in the book once their first day,"
            " {w.since}, had begun: they do not hold",
            {"o.lacks": "day"},
        ),
        Line(
            "valores fixados no livro que o regulamento «{w.rulebook}» não pode ter: não valem",
            "figures set in the book that the rulebook “{w.rulebook}” cannot have: they do not"
            " hold",
        ),
    ),
    house_checks.OFFICE_BY_TWO: (
        Line(
            "~deixou o cargo de {w.office} por decisão de uma só pessoa",
            "~lost the office of {w.office} by the decision of one person alone",
            {"o.change": "office_ended"},
        ),
        Line(
            "~recebeu o cargo de {w.office} por decisão de uma só pessoa",
            "~was given the office of {w.office} by the decision of one person alone",
        ),
    ),
    house_checks.TWO_PERSONS: (
        Line(
            "{w.decks|n:baralho,baralhos}: uma só pessoa fez o que a casa quer feito por duas",
            "{w.decks|n:deck,decks}: one person alone did what the house asks two to do",
            {"o.persons": 1},
        ),
        Line(
            "uma só pessoa fez o que a casa quer feito por duas",
            "one person alone did what the house asks two to do",
            {"o.persons": 1},
        ),
        Line(
            "{w.decks|n:baralho,baralhos}: a segunda pessoa indicada, {o.staff}, não consta do"
            " registo da casa",
            "{w.decks|n:deck,decks}: the second person named, {o.staff}, is not in the house's"
            " register",
        ),
        Line(
            "a segunda pessoa indicada, {o.staff}, não consta do registo da casa",
            "the second person named, {o.staff}, is not in the house's register",
        ),
    ),
    house_checks.SHUFFLER_FIT: (
        Line(
            "~foi carregado sem estar homologado pelo serviço de inspeção",
            "~was loaded without approval by the inspection service",
            {"o.approved": "no"},
        ),
        Line(
            "~foi carregado fora de serviço", "~was loaded out of service", {"o.in_service": "no"}
        ),
        Line(
            "~foi carregado sem estar registado", "~was loaded unregistered", {"o.registered": "no"}
        ),
    ),
    house_checks.IDENTIFIED: (
        Line(
            "foram pagos {o.paid_cents} a quem ninguém identificou[; identifica-se a partir de"
            " {e.identified_from_cents}]",
            "{o.paid_cents} was paid to somebody whom nobody identified[; winners are identified"
            " from {e.identified_from_cents} on]",
        ),
    ),
}
