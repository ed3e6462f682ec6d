"""What the inspectorate's program says, in Portuguese and in English."""

from typing import Final

LANGUAGES: Final = ("pt", "en")

WORDS: Final = {
    "title": (
        "Inspeção {name}. Casinos acompanhados: {casinos}",
        "Inspectorate {name}. Casinos followed: {casinos}",
    ),
    "key": ("A sua chave, para os casinos: {key}", "Its key, for the casinos: {key}"),
    "casino": ("== {origin} ==", "== {origin} =="),
    "mirrored": (
        "Copiados e seguidos até à raiz assinada: {held} registos. Pontos de controlo guardados:"
        " {checkpoints}; o maior, de {newest} registos.",
        "Mirrored and followed to the signed root: {held} entries. Checkpoints kept: {checkpoints};"
        " the largest, of {newest} entries.",
    ),
    "cosigned": (
        "Confirmado como testemunha: o ponto de controlo de {size} registos.",
        "Cosigned as a witness: the checkpoint of {size} entries.",
    ),
    "never-cosigned": (
        "Ainda nada confirmado como testemunha: o casino não pediu.",
        "Nothing cosigned as a witness yet: the casino has not asked.",
    ),
    "well": (
        "Nada contradiz o que o casino assinou.",
        "Nothing contradicts what the casino signed.",
    ),
    "split-view": (
        "VISTA DIVIDIDA: o casino assinou duas árvores diferentes de {size} registos (vistas em"
        " {sources}). As duas notas assinadas, que só a sua chave podia fazer, seguem:",
        "SPLIT VIEW: the casino signed two different trees of {size} entries (seen at {sources})."
        " Both signed notes, which only its key could make, follow:",
    ),
    "another-tree": (
        "VISTA DIVIDIDA: o ponto de controlo de {size} registos visto em {source} não é da árvore"
        " dos {held} registos copiados daqui. As notas assinadas seguem:",
        "SPLIT VIEW: the checkpoint of {size} entries seen at {source} is not of the tree of the"
        " {held} entries mirrored here. The signed notes follow:",
    ),
    "not-continued": (
        "O casino não mostra que a sua árvore de {size} registos continua os {held} já copiados: ou"
        " assinou outra história, ou serve peças alteradas. As notas assinadas seguem:",
        "The casino does not show that its tree of {size} entries continues the {held} mirrored"
        " before: it signed another history, or serves altered tiles. The signed notes follow:",
    ),
    "tile-altered": (
        "O que o casino serve em {tile} não conduz à raiz que assinou, de {size} registos. Nada"
        " disso foi guardado.",
        "What the casino serves at {tile} does not lead to the root it signed, of {size} entries."
        " None of it was kept.",
    ),
    "checkpoint-unreadable": (
        "O que se mostra em {source} não é um ponto de controlo assinado: {why}.",
        "What is shown at {source} is no signed checkpoint: {why}.",
    ),
    "checkpoint-unsigned": (
        "O ponto de controlo de {size} registos mostrado em {source} não tem assinatura de uma"
        " chave conhecida deste casino.",
        "The checkpoint of {size} entries shown at {source} bears no signature of a known key of"
        " this casino.",
    ),
    "too-large": (
        "O casino assinou uma árvore de {size} registos; copiam-se {most} no máximo.",
        "The casino signed a tree of {size} entries; at most {most} are mirrored.",
    ),
    "compared": (
        "Julgadas de novo {rounds} jogadas (até {made_at}): {alike} constatações iguais às do"
        " casino, {missing} que o casino não tem, {unfounded} que só o casino tem; por conferir"
        " pelo casino, {waiting}; sem regulamento desta cópia, {not_judged}; registos ilegíveis,"
        " {unreadable}.",
        "Judged {rounds} rounds again (as of {made_at}): {alike} findings as the casino's,"
        " {missing} the casino has not, {unfounded} the casino alone has; not reconciled by the"
        " casino yet, {waiting}; of no rulebook of this copy, {not_judged}; unreadable entries,"
        " {unreadable}.",
    ),
    "editions": (
        "O casino julgou por outra edição de: {books}. As diferenças podem vir daí.",
        "The casino judged by another edition of: {books}. The differences may come of that.",
    ),
    "missing": (
        "- falta no casino: {stream} n.º {n}, {rulebook} art. {article}, {check} {where}, em dívida"
        " {owed_cents} cêntimos",
        "- missing at the casino: {stream} no. {n}, {rulebook} art. {article}, {check} {where},"
        " owed {owed_cents} cents",
    ),
    "unfounded": (
        "- só no casino: {stream} n.º {n}, {rulebook} art. {article}, {check} {where}, em dívida"
        " {owed_cents} cêntimos",
        "- at the casino alone: {stream} no. {n}, {rulebook} art. {article}, {check} {where}, owed"
        " {owed_cents} cents",
    ),
    "not-listed": ("  (e mais {more})", "  (and {more} more)"),
    "began": (
        "A chave está em {home}. Ao casino dá-se esta linha, para o seu ficheiro de testemunhas:",
        "The key is in {home}. The casino gets this line, for its file of witnesses:",
    ),
    "added": ("Acompanha-se agora {origin}, em {url}.", "{origin} is followed now, at {url}."),
    "followed": ("{origin}: {held} registos copiados.", "{origin}: {held} entries mirrored."),
    "away": ("{what}: sem resposta que sirva.", "{what}: no answer that could be used."),
    "serving": ("Testemunha e relatório em http://{place}/", "Witness and report: http://{place}/"),
}


def say(language: str, code: str, /, **details: object) -> str:
    """A sentence in a language."""
    return WORDS[code][LANGUAGES.index(language)].format_map(details)
