"""What is reported of findings and of numbers without gaps: which run answers for them.

Code: how grave it is, and the sentence in Portuguese and in English. No part of the core.
"""

from typing import Final

from .severity import NOTE, PROBLEM

FINDINGS: Final[dict[str, tuple[str, str, str]]] = {
    "finding-of-no-run": (
        PROBLEM,
        "A constatação {finding} nomeia a execução {run}, da qual o livro não diz nem que começou"
        " nem que acabou.",
        "The finding {finding} names the run {run}, of which the book tells neither that it began"
        " nor that it ended.",
    ),
    "run-changes": (
        PROBLEM,
        "A execução {run} diz que levantou {told_raised} constatações e substituiu"
        " {told_superseded}; em seu nome estão no livro {raised} e {superseded}, ou outras.",
        "The run {run} says that it raised {told_raised} findings and superseded"
        " {told_superseded}; in its name stand {raised} and {superseded}, or others.",
    ),
    "watch-superseded": (
        PROBLEM,
        "A vigilância substituiu uma constatação que uma execução levantou: só outra execução o"
        " pode fazer.",
        "The watch superseded a finding that a run had raised: only another run can.",
    ),
    "ids-differ": (
        PROBLEM,
        "Os identificadores das linhas dos primeiros {size} registos não são os que este registo"
        " diz: foram trocados, e uma constatação antiga que os nomeie mostra outra prova.",
        "The ids of the rows of the first {size} entries are not those this entry tells: they were"
        " exchanged, and an older finding that names them shows another proof.",
    ),
    "case-gap": (
        PROBLEM,
        "O número {case} foi atribuído quando o último desse ano era o {last}.",
        "The number {case} was given where the last of its year was {last}.",
    ),
    "case-twice": (
        PROBLEM,
        "O número {case} foi atribuído a duas constatações, e nenhuma cita de novo a causa da"
        " outra.",
        "The number {case} was given to two findings, and neither cites the other's cause anew.",
    ),
    "document-gap": (
        PROBLEM,
        "O relatório {document} foi emitido quando o último desse ano era o {last}.",
        "The report {document} was issued where the last of its year was {last}.",
    ),
    "document-twice": (
        PROBLEM,
        "Foram emitidos dois relatórios com o número {document}.",
        "Two reports were issued with the number {document}.",
    ),
    "run-not-ended": (
        NOTE,
        "A execução {run} começou e não acabou; em seu nome estão {count} constatações.",
        "The run {run} began and did not end; {count} findings stand in its name.",
    ),
}
