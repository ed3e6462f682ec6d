"""What is reported of files, private values and what was brought along.

Code: how grave it is, and the sentence in Portuguese and in English. No part of the core.
"""

from typing import Final

from .severity import INCOMPLETE, NOTE, PROBLEM

AROUND: Final[dict[str, tuple[str, str, str]]] = {
    "file-missing": (
        INCOMPLETE,
        "Falta este ficheiro.",
        "This file is missing.",
    ),
    "file-odd": (
        PROBLEM,
        "Não é um ficheiro comum que se possa ler (uma ligação, um dispositivo, sem permissão).",
        "Not a plain file that can be read (a link, a device, no permission).",
    ),
    "file-length": (
        PROBLEM,
        "O ficheiro não tem o comprimento que devia ter.",
        "The file has not the length it must have.",
    ),
    "file-form": (
        PROBLEM,
        "O ficheiro não contém os registos que devia conter: foi cortado, aumentado ou alterado.",
        "The file does not hold the entries it must hold: it was cut, lengthened or altered.",
    ),
    "digest-wrong": (
        PROBLEM,
        "O ficheiro não é aquele cujo resumo SHA-256 consta de bundle.json, ou este foi alterado.",
        "The file is not the one whose SHA-256 stands in bundle.json, or that was altered.",
    ),
    "manifest-wrong": (
        PROBLEM,
        "O que bundle.json diz em «{field}» não é o que o resto do pacote mostra.",
        "What bundle.json says as “{field}” is not what the rest of the bundle shows.",
    ),
    "scope-wrong": (
        PROBLEM,
        "O pacote mostra registos que não pertencem à mesa de que diz tratar.",
        "The bundle shows entries that do not belong to the table it says it is about.",
    ),
    "policy-form": (
        PROBLEM,
        "A política (lista de chaves) não se consegue ler.",
        "The policy (list of keys) cannot be read.",
    ),
    "stranger": (
        NOTE,
        "Este ficheiro não faz parte do pacote; nada responde por ele.",
        "This file is no part of the bundle; nothing vouches for it.",
    ),
    "opening-form": (
        PROBLEM,
        "A linha {line} não é um valor privado bem escrito, ou está fora de ordem.",
        "Line {line} is no private value as it is written, or out of order.",
    ),
    "opening-wrong": (
        PROBLEM,
        "O valor de «{field}» não é aquele a que o registo se comprometeu.",
        "The value of “{field}” is not the one the entry is committed to.",
    ),
    "opening-unasked": (
        PROBLEM,
        "Dá um valor a «{field}» do índice {index}, onde nenhum registo o espera.",
        "Gives a value for “{field}” of index {index}, where no entry asks for one.",
    ),
    "opening-erased": (
        PROBLEM,
        "Contém ainda «{field}» do índice {index}, que o livro diz apagado.",
        "Still holds “{field}” of index {index}, which the book says was erased.",
    ),
    "withheld": (
        NOTE,
        "Esta cópia foi feita com os valores privados, mas não mostra «{field}» deste registo: não "
        "foi dado a quem a pediu, ou foi retirado dela.",
        "This copy was made with its private values, but does not show “{field}” of this entry: it "
        "was not given to whoever asked, or was taken out of it.",
    ),
    "attachment-wrong": (
        PROBLEM,
        "O conteúdo do anexo não é o que o seu nome (SHA-256) diz.",
        "The attachment's content is not what its name (SHA-256) says.",
    ),
    "attachment-erased": (
        PROBLEM,
        "O anexo ainda aqui está; todos os registos que o nomeiam o dizem apagado.",
        "The attachment is still here; every entry that names it has had its files erased.",
    ),
    "attachment-unnamed": (
        PROBLEM,
        "Nenhum registo mostrado nomeia este anexo.",
        "No entry that is shown names this attachment.",
    ),
    "older-kept": (
        NOTE,
        "O livro continua o ponto de controlo de {size} registos que guardou.",
        "The book continues the checkpoint of {size} entries that you kept.",
    ),
    "older-differs": (
        PROBLEM,
        "O livro NÃO continua o ponto de controlo de {size} registos que guardou: a história foi "
        "reescrita.",
        "The book does NOT continue the checkpoint of {size} entries that you kept: history was "
        "rewritten.",
    ),
    "older-forked": (
        PROBLEM,
        "O ponto de controlo de {size} registos que guardou foi confirmado por uma testemunha "
        "antes do último registo desta cópia, que tem menos {short}: são dois livros diferentes.",
        "The checkpoint of {size} entries that you kept was confirmed by a witness before the "
        "last entry of this copy, which has {short} fewer: they are two different books.",
    ),
    "older-longer": (
        INCOMPLETE,
        "O ponto de controlo de {size} registos que guardou vai {short} além desta cópia: é mais "
        "novo, ou o fim da cópia foi cortado. Peça um pacote que chegue até ele.",
        "The checkpoint of {size} entries that you kept goes {short} beyond this copy: it is "
        "newer, or the copy's end was cut off. Ask for a bundle that reaches it.",
    ),
    "older-other-book": (
        INCOMPLETE,
        "O ponto de controlo de {size} registos que guardou é de outro livro: {origin}.",
        "The checkpoint of {size} entries that you kept is of another book: {origin}.",
    ),
    "older-lost": (
        INCOMPLETE,
        "O ponto de controlo de {size} registos que guardou é do livro {origin}, cuja perda foi "
        "declarada: o que continha depois da última assinatura mostrada não está aqui.",
        "The checkpoint of {size} entries that you kept is of the book {origin}, whose loss was "
        "declared: what it held after the last signature shown is not here.",
    ),
    "older-unsigned": (
        INCOMPLETE,
        "O ponto de controlo de {size} registos que trouxe não tem assinatura de uma chave deste "
        "livro: não prova nada sobre ele.",
        "The checkpoint of {size} entries that you brought bears no signature of a key of this "
        "book: it proves nothing about it.",
    ),
    "older-not-shown": (
        INCOMPLETE,
        "Este pacote parcial não permite comparar com o ponto de controlo de {size} registos.",
        "This partial bundle does not allow a comparison with the checkpoint of {size} entries.",
    ),
    "older-form": (
        PROBLEM,
        "O que trouxe não é um ponto de controlo: três linhas, uma linha vazia e assinaturas, tal "
        "como a casa as deu.",
        "What you brought is no checkpoint: three lines, an empty line and signatures, as the "
        "house gave them out.",
    ),
    "copy-same": (
        NOTE,
        "Os {count} registos que as duas cópias mostram são os mesmos, byte por byte.",
        "The {count} entries that both copies show are the same, byte for byte.",
    ),
    "copy-rewritten": (
        PROBLEM,
        "REESCRITO A PARTIR DAQUI: é o primeiro registo que não é o mesmo nas duas cópias.",
        "REWRITTEN FROM HERE ON: the first entry that is not the same in both copies.",
    ),
    "copy-changed": (
        PROBLEM,
        "Diz outra coisa em {fields} (na cópia mais nova: índice {now}).",
        "Says something else in {fields} (in the newer copy: index {now}).",
    ),
    "copy-dropped": (
        PROBLEM,
        "Está na cópia mais antiga e falta na mais nova.",
        "Is in the older copy and missing in the newer.",
    ),
    "copy-added": (
        PROBLEM,
        "Está na cópia mais nova entre registos da mais antiga, que não o tinha.",
        "Is in the newer copy among entries of the older, which did not have it.",
    ),
    "copy-shorter": (
        INCOMPLETE,
        "A cópia dada como mais nova tem menos {short} registos do que a mais antiga.",
        "The copy given as the newer has {short} entries fewer than the older.",
    ),
    "copy-other-book": (
        INCOMPLETE,
        "As cópias são de livros de nomes diferentes: {origin} e {now}.",
        "The copies are of books of different names: {origin} and {now}.",
    ),
    "copy-apart": (
        INCOMPLETE,
        "As duas cópias não mostram nenhum registo em comum.",
        "The two copies show no entry in common.",
    ),
    "receipt-kept": (
        NOTE,
        "O registo prometido por este recibo está no livro.",
        "The entry this receipt promises is in the book.",
    ),
    "receipt-wrong": (
        PROBLEM,
        "No lugar que este recibo promete está outro registo, ou nenhum: ou o livro ou o recibo é "
        "falso.",
        "In the place this receipt promises stands another entry, or none: either the book or the "
        "receipt is false.",
    ),
    "receipt-missing": (
        PROBLEM,
        "Falta o registo que este recibo promete, de {recorded}, e o livro vai mais longe: ou o "
        "livro ou o recibo é falso.",
        "The entry this receipt promises, of {recorded}, is missing, and the book goes on after "
        "it: either the book or the receipt is false.",
    ),
    "receipt-not-yet": (
        INCOMPLETE,
        "O pacote acaba antes do registo que este recibo promete, de {recorded}: peça um mais "
        "novo.",
        "The bundle ends before the entry this receipt promises, of {recorded}: ask for a newer "
        "one.",
    ),
    "receipt-not-shown": (
        INCOMPLETE,
        "O registo que este recibo promete não é mostrado neste pacote parcial.",
        "The entry this receipt promises is not shown in this partial bundle.",
    ),
    "receipt-lost": (
        INCOMPLETE,
        "O registo que este recibo promete não está aqui; perdeu-se, segundo a perda declarada.",
        "The entry this receipt promises is not here; it was lost, as the declared loss has it.",
    ),
    "receipt-other-book": (
        INCOMPLETE,
        "Este recibo é de outro livro: {origin}.",
        "This receipt is of another book: {origin}.",
    ),
    "bundle-form": (
        PROBLEM,
        "Não é um pacote do livro: bundle.json falta ou não se consegue ler.",
        "No bundle: bundle.json is missing or cannot be read.",
    ),
    "record-form": (
        PROBLEM,
        "Não é a prova de um registo.",
        "Not the proof of a record.",
    ),
    "receipt-form": (
        PROBLEM,
        "Não é um recibo.",
        "Not a receipt.",
    ),
    "not-readable": (
        PROBLEM,
        "Não se consegue ler.",
        "Cannot be read.",
    ),
    "reader-lost": (
        PROBLEM,
        "Um dos processos que liam o pacote terminou antes do fim. Repita, com --processes 1.",
        "One of the processes that read the bundle ended too soon. Try again, with --processes 1.",
    ),
    "interrupted": (
        PROBLEM,
        "Foi interrompido antes do fim.",
        "It was interrupted before the end.",
    ),
    "too-long": (
        PROBLEM,
        "É demasiado longo para o que devia ser.",
        "Too long for what it should be.",
    ),
}
