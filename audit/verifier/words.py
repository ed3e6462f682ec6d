"""What the verifier says, in Portuguese first and in English. No part of the core.

A sentence may name what was reported with its code; `{...}` that was not becomes a dash.
"""

from typing import Final

from .sentences_around import AROUND
from .sentences_book import BOOK
from .sentences_findings import FINDINGS
from .sentences_pack import PACK
from .sentences_pools import POOLS

WORDS: Final = {**BOOK, **AROUND, **FINDINGS, **PACK, **POOLS}
SEVERITY: Final = {code: severity for code, (severity, _, _) in WORDS.items()}

# Of 0, by the most that was brought along: what it proves, and what it does not.
SOUND: Final = {
    "witnesses": (
        "INTACTO: as testemunhas da sua lista confirmaram os {size} registos do livro, e são "
        "estes.",
        "INTACT: the witnesses of your list confirmed the book's {size} entries, and these are "
        "they.",
    ),
    "older": (
        "INTACTO: os {size} registos do livro são os do ponto de controlo que guardou.",
        "INTACT: the book's {size} entries are those of the checkpoint that you kept.",
    ),
    "older-in-part": (
        "INTACTO nos primeiros {kept} de {size} registos, que são os do ponto de controlo que "
        "guardou. Se os seguintes são os que lá estavam, só o mostra um ponto de controlo mais "
        "novo, uma testemunha ou um recibo.",
        "INTACT in its first {kept} of {size} entries, which are those of the checkpoint that you "
        "kept. Whether the others are what stood there, only a newer checkpoint, a witness or a "
        "receipt shows.",
    ),
    "receipts": (
        "INTACTO onde os seus recibos ({receipts}) chegam: os registos que prometem estão no "
        "livro. Se os outros são os que lá estavam, só o mostra um ponto de controlo guardado fora "
        "da casa ou uma testemunha.",
        "INTACT where your receipts ({receipts}) reach: the entries they promise are in the book. "
        "Whether the others are what stood there, only a checkpoint kept outside the house or a "
        "witness shows.",
    ),
    "policy": (
        "ASSINADO E COMPLETO: assinado por uma chave da sua lista, e tudo bate certo. Se é o que "
        "lá estava antes, só o mostra um ponto de controlo mais antigo, uma testemunha ou um "
        "recibo.",
        "SIGNED AND WHOLE: a key of your list signed it, and everything in it fits. Whether it is "
        "what stood there before, only an older checkpoint, a witness or a receipt shows.",
    ),
    "nothing": (
        "CONCORDA CONSIGO PRÓPRIO: nada contradiz o livro, mas nada foi trazido que se tenha "
        "guardado fora da casa. Quem o tivesse reescrito por inteiro teria este mesmo resultado.",
        "AGREES WITH ITSELF: nothing contradicts the book, but nothing was brought along that was "
        "kept outside the house. Whoever had written all of it anew would get this same result.",
    ),
}
VERDICTS: Final = {
    1: (
        "ADULTERADO: o que está acima não podia acontecer a um livro íntegro.",
        "TAMPERED: what is told above cannot happen to a sound book.",
    ),
    2: (
        "PROVA INCOMPLETA: nada contradiz o livro, mas falta o que está acima.",
        "INCOMPLETE EVIDENCE: nothing contradicts the book, but what is told above is missing.",
    ),
    3: (
        "ENTRADA INVÁLIDA: não se pode dizer nada.",
        "BAD INPUT: nothing can be said.",
    ),
}

# Of a comparison of two copies, in place of the sentences above.
COMPARED: Final = {
    0: (
        "A CÓPIA MAIS NOVA CONTINUA A MAIS ANTIGA. Verifique cada uma por si.",
        "THE NEWER COPY CONTINUES THE OLDER. Verify each by itself.",
    ),
    1: (
        "A CÓPIA MAIS NOVA NÃO CONTINUA A MAIS ANTIGA: os registos que diferem estão acima. Qual"
        " das duas é a verdadeira, mostra-o a verificação de cada uma com o que se guardou fora.",
        "THE NEWER COPY DOES NOT CONTINUE THE OLDER: the entries that differ are told above. Which"
        " of the two is the true one shows the verification of each with what was kept outside.",
    ),
    2: (
        "NÃO SE PODEM COMPARAR POR INTEIRO: falta o que está acima.",
        "THEY CANNOT BE COMPARED WHOLLY: what is told above is missing.",
    ),
}
# In place of 1 where nothing but the copy at hand is wrong.
COPY_DAMAGED: Final = (
    "ESTA CÓPIA ESTÁ DANIFICADA OU FOI ALTERADA: o que está acima não se diz do livro da casa, que"
    " pode estar íntegro. Peça outra cópia.",
    "THIS COPY IS DAMAGED OR WAS ALTERED: what is told above is not said of the house's book, which"
    " may be sound. Ask for another copy.",
)
# In place of 1 where nothing but receipts speaks against the book.
RECEIPT_DENIED: Final = (
    "RECIBO E LIVRO CONTRADIZEM-SE: um dos dois é falso. Um recibo não tem assinatura e por si só"
    " não acusa ninguém; a prova de um registo (.tlog-proof) tem.",
    "RECEIPT AND BOOK CONTRADICT EACH OTHER: one of them is false. A receipt bears no signature"
    " and by itself accuses nobody; the proof of a record (.tlog-proof) does.",
)
# In place of 1 where nothing but pools is broken.
POOL_BROKEN: Final = (
    "ACUMULADO QUE NÃO BATE CERTO: o livro está inteiro, mas o que está acima não resulta dos seus"
    " registos.",
    "POOL DOES NOT COME OUT: the book is whole, but what is told above does not follow from its"
    " entries.",
)

# The lines of the summary, by the name of an event.
EVENTS: Final = {
    "origin": ("livro", "book"),
    "size": ("registos assinados", "entries signed"),
    "root": ("raiz", "root"),
    "entries": ("registos mostrados e verificados", "entries shown and verified"),
    "not_shown": ("registos não mostrados", "entries not shown"),
    "streams": ("séries", "streams"),
    "checkpoints": ("pontos de controlo", "checkpoints"),
    "newest": ("último momento", "last moment"),
    "keys": (
        "chaves do livro (as que assinaram o último ponto de controlo)",
        "keys of the book (those that signed the newest checkpoint)",
    ),
    "witnesses": ("testemunhas", "witnesses"),
    "witnessed": ("registos confirmados por testemunhas", "entries confirmed by witnesses"),
    "opened": ("valores privados abertos", "private values opened"),
    "withheld": ("valores privados não mostrados", "private values withheld"),
    "erased": ("valores privados apagados", "private values erased"),
    "files": ("anexos mostrados", "attachments shown"),
    "files_named": ("anexos nomeados", "attachments named"),
    "pools": ("acumulado, em euros (+ por pagar)", "pool, in euros (+ not yet paid)"),
    "index": ("índice", "index"),
    "stream": ("série", "stream"),
    "n": ("n.º", "number"),
    "entry": ("registo", "entry"),
}
# Other words.
LABELS: Final = {
    "problem": ("PROBLEMA", "PROBLEM"),
    "incomplete": ("FALTA", "MISSING"),
    "note": ("nota", "note"),
    "index": ("índice", "index"),
    "not-listed": (
        "NÃO ESTÁ NA SUA LISTA",
        "NOT IN YOUR LIST",
    ),
    "not-in-its-own": (
        "não está na lista que o pacote traz",
        "not in the list the bundle brings",
    ),
    "more": ("... e mais {count} do mesmo género", "... and {count} more of the kind"),
    "progress": ("verificados", "verified"),
}
