"""Every sentence, by its code: how the program ends for it, in Portuguese, in English."""

from typing import Final

SAME, DIFFERS, MISSING, BAD = 0, 1, 2, 3
WORDS: Final[dict[str, tuple[int, str, str]]] = {
    "same": (
        SAME,
        "O MESMO: o segredo cabe no compromisso; a semente é {seed} (com a raiz dos primeiros"
        " {size} registos); população de {population} jogadas em {population_tables} mesas"
        " ({digest}); mesas, jogadas e suplentes são as do livro, pela mesma ordem.",
        "THE SAME: the secret fits the commitment; the seed is {seed} (with the root of the first"
        " {size} entries); a population of {population} rounds at {population_tables} tables"
        " ({digest}); tables, rounds and reserves are the book's, in the same order.",
    ),
    # What differs.
    "another-commitment": (
        DIFFERS,
        "DIFERE: o resultado nomeia outro registo ({found}) como compromisso.",
        "DIFFERS: the result names another entry ({found}) as its commitment.",
    ),
    "commitment": (
        DIFFERS,
        "DIFERE: o segredo revelado não cabe no compromisso {expected}.",
        "DIFFERS: the secret that was revealed does not fit the commitment {expected}.",
    ),
    "checkpoint": (
        DIFFERS,
        "DIFERE: o primeiro ponto de controlo depois do compromisso é o de {expected} registos,"
        " raiz {root}; o resultado nomeia o de {found} registos, ou outra raiz.",
        "DIFFERS: the first checkpoint after the commitment is that of {expected} entries, root"
        " {root}; the result names that of {found} entries, or another root.",
    ),
    "root": (
        DIFFERS,
        "DIFERE: os primeiros {size} registos desta cópia não dão a raiz assinada. Verifique-a.",
        "DIFFERS: the first {size} entries of this copy do not make the signed root. Verify it.",
    ),
    "population": (
        DIFFERS,
        "DIFERE: população, «{name}»: o livro diz {found}; refeito dá {expected}.",
        "DIFFERS: population, {name}: the book says {found}; made again it is {expected}.",
    ),
    "list-tables": (
        DIFFERS,
        "DIFERE: mesa sorteada n.º {place}: o livro diz {found}; refeito dá {expected}.",
        "DIFFERS: table drawn no. {place}: the book says {found}; made again it is {expected}.",
    ),
    "list-reserve_tables": (
        DIFFERS,
        "DIFERE: mesa suplente n.º {place}: o livro diz {found}; refeito dá {expected}.",
        "DIFFERS: reserve table no. {place}: the book says {found}; made again it is {expected}.",
    ),
    "list-rounds": (
        DIFFERS,
        "DIFERE: jogada sorteada n.º {place}: o livro diz {found}; refeito dá {expected}.",
        "DIFFERS: round drawn no. {place}: the book says {found}; made again it is {expected}.",
    ),
    "list-reserve_rounds": (
        DIFFERS,
        "DIFERE: jogada suplente n.º {place}: o livro diz {found}; refeito dá {expected}.",
        "DIFFERS: reserve round no. {place}: the book says {found}; made again it is {expected}.",
    ),
    "used-before": (
        DIFFERS,
        "DIFERE: o mesmo compromisso já era o do sorteio {other}: o segredo podia ser conhecido.",
        "DIFFERS: the same commitment was that of draw {other}: the secret could be known.",
    ),
    "twice": (
        DIFFERS,
        "DIFERE: há {committed} compromissos e {made} resultados com este número; só cabe um.",
        "DIFFERS: {committed} commitments and {made} results bear this number; one each is due.",
    ),
    "no-commitment": (
        DIFFERS,
        "DIFERE: há um resultado sem compromisso.",
        "DIFFERS: there is a result without a commitment.",
    ),
    # What is not there.
    "not-revealed": (
        MISSING,
        "NÃO REVELADO: {staff} comprometeu-se e, nesta cópia, ainda não revelou o segredo; a"
        " semente está fixada desde o ponto de controlo de {size} registos.",
        "NOT REVEALED: {staff} committed and, in this copy, has not revealed the secret; the seed"
        " is settled since the checkpoint of {size} entries.",
    ),
    "no-checkpoint": (
        MISSING,
        "FALTA: nenhum ponto de controlo desta cópia cobre o compromisso (índice {place}).",
        "MISSING: no checkpoint of this copy covers the commitment (index {place}).",
    ),
    "no-such-draw": (MISSING, "FALTA: não está nesta cópia.", "MISSING: it is not in this copy."),
    "no-draw": (MISSING, "Não há sorteios nesta cópia.", "There is no draw in this copy."),
    "part": (
        MISSING,
        "Parte do livro: só uma cópia inteira mostra de que jogadas se sorteou.",
        "A part of the book: only a whole copy shows which rounds were drawn from.",
    ),
    "file-missing": (MISSING, "Falta este ficheiro.", "This file is missing."),
    # What cannot be read.
    "bundle-form": (BAD, "Não é um pacote do livro.", "Not a bundle of the book."),
    "file-odd": (BAD, "Não é um ficheiro comum que se possa ler.", "No plain, readable file."),
    "file-form": (BAD, "O ficheiro foi cortado ou alterado.", "The file was cut or altered."),
    "entry-form": (
        BAD,
        "Registo que não se consegue ler como sorteio ou jogada.",
        "An entry that cannot be read as a draw or a round.",
    ),
}
VERDICTS: Final = {
    SAME: (
        "O MESMO em todos os sorteios vistos. Se a cópia é do livro assinado, di-lo"
        " livro-verify.pyz.",
        "THE SAME for every draw looked at. Whether the copy is of the signed book,"
        " livro-verify.pyz says.",
    ),
    DIFFERS: (
        "DIFERE: pelo menos um sorteio não é o que o procedimento dá.",
        "DIFFERS: at least one draw is not what the procedure gives.",
    ),
    MISSING: (
        "INCOMPLETO: nada difere, mas falta o que está acima.",
        "INCOMPLETE: nothing differs, but what is named above is missing.",
    ),
    BAD: ("ENTRADA INVÁLIDA: não se pode dizer nada.", "BAD INPUT: nothing can be said."),
}
DRAW: Final = ("sorteio", "draw")
