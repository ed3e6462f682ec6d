"""What is reported of the pools of a progressive prize.

Code: how grave it is, and the sentence in Portuguese and in English. No part of the core. A problem
is what the house's program reckons or lets nobody tell; what people may have done unlawfully is a
note, for it happened, and the law's findings are about it.
"""

from typing import Final

from .severity import INCOMPLETE, NOTE, PROBLEM

POOLS: Final[dict[str, tuple[str, str, str]]] = {
    "pool-form": (
        PROBLEM,
        "Fala de um acumulado de um modo que não se pode seguir.",
        "Tells of a pool in a way that cannot be followed.",
    ),
    "pool-seal-wrong": (
        PROBLEM,
        "O selo diz «{field}» = {found}; os registos até aqui dão {expected}. O último selo certo é"
        " o n.º {since} (0: nenhum): o erro está entre os dois, ou no próprio selo.",
        "The seal says “{field}” = {found}; the entries up to here make {expected}. The last right"
        " seal is number {since} (0: none): the fault lies between the two, or in the seal itself.",
    ),
    "pool-paid-beyond": (
        PROBLEM,
        "Pagou {found} cêntimos a {owner}; os registos dão-lhe a haver {expected}.",
        "Paid {found} cents to {owner}; by the entries he was owed {expected}.",
    ),
    "pool-paid-twice": (
        PROBLEM,
        "Paga {found} cêntimos de um prémio que já estava pago, sem dizer que é outra vez.",
        "Pays {found} cents of a prize that was paid before, and does not say that it is again.",
    ),
    "pool-reading": (
        INCOMPLETE,
        "O acumulado só bate certo se o n.º 50 se ler como {reading}; o pacote não diz como se lê."
        " Pergunte à casa e repita com --reading.",
        "The pool comes out only if n.º 50 is read as {reading}; no bundle says how it is read. Ask"
        " the house and try again with --reading.",
    ),
    "pool-seal-beyond": (
        INCOMPLETE,
        "O selo conta registos que o pacote ainda não tem: não se pode refazer. Peça outro mais"
        " novo.",
        "The seal counts entries the bundle does not have yet: it cannot be made again. Ask for a"
        " newer one.",
    ),
    "pool-not-shown": (
        NOTE,
        "{count} registos falam de acumulados, que não foram refeitos: este pacote não mostra tudo"
        " o que os faz. Peça o pacote completo.",
        "{count} entries tell of pools, which were not made again: this bundle does not show all"
        " that makes them. Ask for the full bundle.",
    ),
    "pool-paid-again": (
        NOTE,
        "Foram entregues outra vez {found} cêntimos de um prémio já pago; não saem do acumulado.",
        "{found} cents of a prize already paid were handed out again; the pool does not give them.",
    ),
    "pool-before-start": (
        NOTE,
        "O acumulado ainda não tinha valor de arranque: não conta para nada.",
        "The pool had no starting value yet: it counts for nothing.",
    ),
    "pool-started-running": (
        NOTE,
        "Põe um valor de arranque num acumulado que já o tem: não conta.",
        "Puts a starting value into a pool that has one: it does not count.",
    ),
    "pool-below-zero": (
        NOTE,
        "Altera o acumulado em {found} microcêntimos, e ele só tem {expected}: não conta.",
        "Changes the pool by {found} microcents, and it has only {expected}: it does not count.",
    ),
    "pool-without-terms": (
        NOTE,
        "Ganha-se sem condições em vigor, confirmadas por duas pessoas: não há prémio a haver.",
        "Won without terms in force that two persons confirmed: no prize is owed.",
    ),
    "pool-not-in-table": (
        NOTE,
        "Uma combinação não está na tabela aprovada: por ela não há prémio a haver.",
        "A combination is not in the approved table: no prize is owed for it.",
    ),
    "pool-misread": (
        NOTE,
        "Diz que o acumulado ia em {found} microcêntimos; os registos dão {expected}.",
        "Says the pool ran at {found} microcents; the entries make {expected}.",
    ),
    "pool-read-differs": (
        NOTE,
        "Leram-se {found} cêntimos no mostrador; os registos dão {expected}.",
        "The display was read at {found} cents; the entries make {expected}.",
    ),
    "pool-display-differs": (
        NOTE,
        "Diz que o mostrador ficou em {found} cêntimos; os registos dão {expected}, e nenhumas"
        " fichas contadas por perto o explicam.",
        "Says the display showed {found} cents afterwards; the entries make {expected}, and no"
        " chips told about then explain it.",
    ),
}
