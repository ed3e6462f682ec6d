"""Every sentence, by its code: how grave it is, in Portuguese, in English."""

# `copy`: what can be said of this copy alone, and says nothing of the book in the house;
# `other`: a receipt and the book contradict each other.
PROBLEM, COPY, OTHER, MISSING, NOTE = "problem", "copy", "other", "missing", "note"
WORDS: dict[str, tuple[str, str, str]] = {
    # What is not a copy of a whole book, or cannot be read.
    "bundle-form": (COPY, "Não é um pacote do livro.", "Not a bundle of the book."),
    "file-missing": (MISSING, "Falta este ficheiro.", "This file is missing."),
    "file-odd": (COPY, "Não é um ficheiro comum que se possa ler.", "No plain, readable file."),
    "not-readable": (COPY, "Não se consegue ler.", "Cannot be read."),
    "too-long": (COPY, "É demasiado longo.", "Too long."),
    "older-form": (COPY, "Não é um ponto de controlo.", "Not a checkpoint."),
    "receipt-form": (COPY, "Não é um recibo.", "Not a receipt."),
    "policy-form": (COPY, "A lista de chaves não se consegue ler.", "No list of keys."),
    "part": (
        MISSING,
        "Parte do livro: este programa só julga cópias inteiras; as partes, audit.verifier.",
        "A part of the book: this program judges whole copies only; audit.verifier judges parts.",
    ),
    # This copy.
    "file-length": (COPY, "O ficheiro não tem o comprimento devido.", "Not of the right length."),
    "cut": (
        COPY,
        "Sem os registos deste ficheiro nada mais se julga.",
        "Without the entries of this file nothing more is judged.",
    ),
    "file-form": (COPY, "O ficheiro foi cortado ou alterado.", "The file was cut or altered."),
    "tile-altered": (COPY, "Não tem os resumos da árvore.", "Does not hold the tree's hashes."),
    "digest-wrong": (COPY, "Não é o ficheiro que bundle.json diz.", "Not as bundle.json has it."),
    "manifest-wrong": (COPY, "bundle.json erra em «{field}».", "bundle.json is wrong in {field}."),
    "checkpoint-form": (COPY, "A linha {line} não está em ordem.", "Line {line} is not in order."),
    "checkpoint-differs": (
        COPY,
        "Não é o último dos pontos.",
        "Not the last of checkpoints.jsonl.",
    ),
    "ids-differ": (
        COPY,
        "Os identificadores das primeiras {size} linhas não são os que este registo diz: foram"
        " trocados nesta cópia ou na base de dados.",
        "The ids of the first {size} rows are not those this entry tells: they were exchanged in"
        " this copy or in the database.",
    ),
    # The book.
    "root-wrong": (
        PROBLEM,
        "Os primeiros {size} registos não dão a raiz assinada; até {since} davam.",
        "The first {size} entries do not make the signed root; up to {since} they did.",
    ),
    "entry-altered": (PROBLEM, "Não é o registo assinado.", "Not the entry that was signed."),
    "entry-form": (PROBLEM, "Não está escrito como um registo.", "Not written like an entry."),
    "stream-number": (PROBLEM, "Devia ser o n.º {expected}.", "It should be number {expected}."),
    "stream-prev": (PROBLEM, "Não continua o anterior.", "Does not continue the one before."),
    "stream-table": (PROBLEM, "Fala de outra mesa.", "Tells of another table."),
    "key-twice": (PROBLEM, "Mesmo envio que o índice {first}.", "Same sending as index {first}."),
    "cp-ahead": (PROBLEM, "Nomeia um ponto futuro ({size}).", "Names a future one ({size})."),
    "cp-unknown": (PROBLEM, "Nomeia um ponto que não há ({size}).", "Names no real one ({size})."),
    "cp-fell": (PROBLEM, "Nomeia um ponto já deixado ({size}).", "Names an older one ({size})."),
    "time-before-checkpoint": (
        PROBLEM,
        "{at}: antes do que nomeia.",
        "{at}: before what it names.",
    ),
    "time-after-witness": (PROBLEM, "{at}: depois de já visto.", "{at}: after it had been seen."),
    "time-fell": (PROBLEM, "{at}: dois minutos antes do anterior.", "{at}: two minutes back."),
    "time-step": (NOTE, "{at}: o relógio andou para trás.", "{at}: the clock went back."),
    "time-late": (NOTE, "{at}: esperou {minutes} min.", "{at}: waited {minutes} min."),
    "time-unproved": (
        MISSING,
        "{at}: entrou na árvore {minutes} minutos depois; a sua hora não está provada.",
        "{at}: came into the tree {minutes} minutes later; its time is not proved.",
    ),
    "house-form": (PROBLEM, "Nomeia mal uma chave.", "Names a key in no way that can be followed."),
    "key-alone": (
        MISSING,
        "Uma só pessoa nomeou uma chave, e este livro já pedia duas: não vale.",
        "One person alone named a key, and this book asked for two by then: it does not count.",
    ),
    "evidence-wrong": (PROBLEM, "{target} não é o que a prova diz.", "{target} is another entry."),
    "evidence-missing": (
        PROBLEM,
        "A prova, {target}, não existe.",
        "Its evidence, {target}, is not there.",
    ),
    "finding-of-no-run": (PROBLEM, "O livro não tem a execução {run}.", "No run {run} is told."),
    "run-changes": (
        PROBLEM,
        "Em nome da execução {run} estão {raised} constatações levantadas e {superseded}"
        " substituídas: não são as do seu resultado.",
        "In the name of the run {run} stand {raised} findings raised and {superseded} superseded:"
        " not those of its result.",
    ),
    "run-not-ended": (NOTE, "{run} não acabou ({count}).", "{run} did not end ({count})."),
    "watch-superseded": (
        PROBLEM,
        "A vigilância substituiu o que uma execução levantou.",
        "The watch superseded what a run had raised.",
    ),
    # Keys and witnesses.
    "checkpoint-unsigned": (
        PROBLEM,
        "O ponto de {size} registos não tem assinatura de chave reconhecida.",
        "The checkpoint of {size} entries bears no signature of a believed key.",
    ),
    "signature-wrong": (PROBLEM, "{size}: assinatura falsa de {key}.", "{size}: {key}: false."),
    "cosignature-unknown": (MISSING, "{size}: {key}: outra chave.", "{size}: {key}: another key."),
    "origin-unknown": (PROBLEM, "Nenhuma chave é de {origin}.", "No key is of {origin}."),
    "origin-changed": (
        MISSING,
        "A partir de {size} registos chama-se {origin}; se duas pessoas o registaram, julga-o "
        "audit.verifier.",
        "From {size} entries on it is called {origin}; whether two persons put that down, "
        "audit.verifier judges.",
    ),
    "keys-from-bundle": (
        NOTE,
        "AS CHAVES VÊM DO PRÓPRIO PACOTE ({keys}): compare-as com as suas, ou use --policy.",
        "THE KEYS WERE BROUGHT BY THE BUNDLE ITSELF ({keys}): compare them, or use --policy.",
    ),
    "key-named": (
        NOTE,
        "OUTRA CHAVE: desde o ponto de {size} registos vale {key}, em lugar de {old}.",
        "ANOTHER KEY: from the checkpoint of {size} entries on {key}, in the place of {old}.",
    ),
    "key-not-listed": (
        MISSING,
        "Nenhuma chave da sua lista assinou o último ponto; assinou-o {key}.",
        "No key of your list signed the newest checkpoint; {key} did.",
    ),
    "quorum-unmet": (
        MISSING,
        "As testemunhas da sua lista só confirmaram {witnessed} de {size} registos.",
        "The witnesses of your list confirmed only {witnessed} of {size} entries.",
    ),
    "quorum-unmet-by-own": (NOTE, "Testemunhados: {witnessed}.", "Witnessed: {witnessed}."),
    "demo-key": (NOTE, "CHAVE DE DEMONSTRAÇÃO: nada prova.", "DEMO KEY: it proves nothing."),
    # What was kept outside.
    "older-kept": (NOTE, "Continua o ponto de {size}.", "Continues the checkpoint of {size}."),
    "older-differs": (
        PROBLEM,
        "O livro NÃO continua o ponto de {size} registos: foi reescrito.",
        "The book does NOT continue the checkpoint of {size} entries: it was rewritten.",
    ),
    "older-forked": (
        PROBLEM,
        "O ponto de {size} registos foi confirmado antes do fim desta cópia, que é mais curta.",
        "The checkpoint of {size} entries was confirmed before the end of this shorter copy.",
    ),
    "older-longer": (
        MISSING,
        "O ponto de {size} registos vai além desta cópia: peça uma mais nova.",
        "The checkpoint of {size} entries goes beyond this copy: ask for a newer one.",
    ),
    "older-other-book": (
        MISSING,
        "O ponto é de outro livro: {origin}.",
        "Of another book: {origin}.",
    ),
    "older-unsigned": (
        MISSING,
        "O ponto de {size} registos não tem assinatura de uma chave deste livro: nada prova dele.",
        "The checkpoint of {size} bears no signature of this book's keys: it proves nothing of it.",
    ),
    "receipt-kept": (NOTE, "O registo prometido está no livro.", "The promised entry is there."),
    "receipt-wrong": (OTHER, "Está lá outro registo.", "Another entry stands there, or none."),
    "receipt-missing": (OTHER, "Falta o registo prometido.", "The promised entry is missing."),
    "receipt-not-yet": (MISSING, "A cópia acaba antes dele.", "The copy ends before it."),
    "receipt-other-book": (MISSING, "É de outro livro: {origin}.", "Of another book: {origin}."),
    # What is not judged here.
    "unjudged": (
        NOTE,
        "NÃO JULGADO: sorteios e cartas, o texto da lei, se um registo é verdade, outros "
        "ficheiros. Julga audit.verifier: acumulados, quem corrigiu, confirmou ou apagou, valores "
        "privados e anexos, épocas, a numeração de processos e relatórios, a comparação de cópias "
        "(--compare); audit.attested: as respostas das chaves de acesso.",
        "NOT JUDGED: draws and cards, the text of the law, whether an entry is true, other files. "
        "audit.verifier judges: pools, who corrected, confirmed or erased, private values and "
        "attachments, epochs, the numbers of cases and reports, the comparison of copies "
        "(--compare); audit.attested: the answers of passkeys.",
    ),
}
# Of 0, by the most that was brought along.
SOUND = {
    "witnesses": (
        "INTACTO: as testemunhas da sua lista confirmaram os {size} registos do livro.",
        "INTACT: the witnesses of your list confirmed the book's {size} entries.",
    ),
    "older": (
        "INTACTO: os {size} registos do livro são os do ponto de controlo que guardou.",
        "INTACT: the book's {size} entries are those of the checkpoint that you kept.",
    ),
    "older-in-part": (
        "INTACTO nos primeiros {kept} de {size} registos, os do ponto de controlo que guardou.",
        "INTACT in its first {kept} of {size} entries, those of the checkpoint that you kept.",
    ),
    "receipts": (
        "INTACTO onde os seus recibos ({receipts}) chegam.",
        "INTACT where your receipts ({receipts}) reach.",
    ),
    "policy": (
        "ASSINADO E COMPLETO: assinado por uma chave da sua lista. Se é o que lá estava antes, só o"
        " mostra um ponto de controlo mais antigo, uma testemunha ou um recibo.",
        "SIGNED AND WHOLE: a key of your list signed it. Whether it is what stood there before,"
        " only an older checkpoint, a witness or a receipt shows.",
    ),
    "nothing": (
        "CONCORDA CONSIGO PRÓPRIO: quem o reescrevesse por inteiro teria este mesmo resultado.",
        "AGREES WITH ITSELF: whoever had written all of it anew would get this same result.",
    ),
}
VERDICTS = {
    "1": ("ADULTERADO: não podia acontecer a um livro íntegro.", "TAMPERED: not of a sound book."),
    COPY: (
        "ESTA CÓPIA ESTÁ DANIFICADA OU FOI ALTERADA; do livro nada se sabe. Peça outra cópia.",
        "THIS COPY IS DAMAGED OR WAS ALTERED; of the book nothing is known. Ask for another copy.",
    ),
    OTHER: (
        "RECIBO E LIVRO CONTRADIZEM-SE: um dos dois é falso.",
        "RECEIPT AND BOOK CONTRADICT EACH OTHER: one of them is false.",
    ),
    "2": (
        "PROVA INCOMPLETA: nada contradiz o livro, mas falta o que está acima.",
        "INCOMPLETE EVIDENCE: nothing contradicts the book, but what is told above is missing.",
    ),
    "3": ("ENTRADA INVÁLIDA: não se pode dizer nada.", "BAD INPUT: nothing can be said."),
}
SAID = {
    PROBLEM: ("PROBLEMA", "PROBLEM"),
    COPY: ("ESTA CÓPIA", "THIS COPY"),
    OTHER: ("CONTRADIÇÃO", "CONTRADICTION"),
    MISSING: ("FALTA", "MISSING"),
    NOTE: ("nota", "note"),
    "index": ("índice", "index"),
    "key": ("chave do livro", "key of the book"),
    "shown": ("registos verificados: {shown} de {size}", "entries verified: {shown} of {size}"),
}
