"""What is reported of an evidence pack.

Code: how grave it is, and the sentence in Portuguese and in English. No part of the core.
"""

from typing import Final

from .severity import INCOMPLETE, NOTE, PROBLEM

PACK: Final[dict[str, tuple[str, str, str]]] = {
    "pack-form": (
        PROBLEM,
        "O manifesto deste dossiê de prova não se consegue ler.",
        "The manifest of this evidence pack cannot be read.",
    ),
    "pack-digest": (
        PROBLEM,
        "O ficheiro não é aquele cujo SHA-256 consta de {by}.",
        "The file is not the one whose SHA-256 stands in {by}.",
    ),
    "pack-sums": (
        PROBLEM,
        "A lista de SHA-256 não nomeia exatamente os ficheiros do manifesto.",
        "The list of SHA-256 does not name exactly the files of the manifest.",
    ),
    "pack-unlisted": (
        PROBLEM,
        "O ficheiro não consta do manifesto: não foi empacotado com os outros.",
        "The file is not in the manifest: it was not packed with the others.",
    ),
    "pack-picture": (
        PROBLEM,
        "O PDF não traz dentro de si {name}, que está ao lado: um dos dois foi trocado.",
        "The PDF does not carry {name}, which lies beside it: one of the two was exchanged.",
    ),
    "pack-proof": (
        PROBLEM,
        "A prova é de outro registo, ou falta: o relatório cita {stream}/{n}.",
        "The proof is of another entry, or missing: the report cites {stream}/{n}.",
    ),
    "pack-root": (
        PROBLEM,
        "O ponto de controlo do relatório ({size} registos) não é do livro que está no dossiê.",
        "The report's checkpoint ({size} entries) is not of the book that is in the archive.",
    ),
    "pack-root-unseen": (
        INCOMPLETE,
        "A cópia do livro não mostra se o ponto de controlo do relatório ({size} registos) é seu.",
        "The copy of the book does not show whether the report's checkpoint ({size} entries) is"
        " its own.",
    ),
    "pack-newer": (
        NOTE,
        "O seu ponto de controlo ({size} registos) é de depois da cópia do livro; que o livro só"
        " cresceu até lá, mostra-o uma cópia mais nova.",
        "Its checkpoint ({size} entries) is of after the copy of the book; that the book only grew"
        " until then shows a newer copy.",
    ),
    "pack-kept": (
        NOTE,
        "Os {files} ficheiros são os do manifesto; as {proofs} provas dos relatórios levam ao livro"
        " que está no dossiê. De quem é o selo dos PDF mostra-o um leitor de PDF assinados.",
        "The {files} files are those of the manifest; the {proofs} proofs of the reports lead to"
        " the book in the archive. Whose seal the PDF files bear shows a reader of signed PDF.",
    ),
}
