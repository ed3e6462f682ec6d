"""What is reported of the book: signatures, tree, entries.

Code: how grave it is, and the sentence in Portuguese and in English. No part of the core.
"""

from typing import Final

from .severity import INCOMPLETE, NOTE, PROBLEM

BOOK: Final[dict[str, tuple[str, str, str]]] = {
    "checkpoint-form": (
        PROBLEM,
        "A linha {line} não é um ponto de controlo, ou não segue o anterior em tamanho.",
        "Line {line} is no checkpoint, or does not follow the one before it in size.",
    ),
    "checkpoint-differs": (
        PROBLEM,
        "Não é, byte por byte, o último ponto de controlo de checkpoints.jsonl.",
        "Not, byte for byte, the last checkpoint of checkpoints.jsonl.",
    ),
    "checkpoint-unsigned": (
        PROBLEM,
        "O ponto de controlo de {size} registos não tem assinatura de uma chave reconhecida.",
        "The checkpoint of {size} entries bears no signature of a key that is believed.",
    ),
    "epoch-unsigned": (
        INCOMPLETE,
        "O ponto de controlo de {size} registos é de antes da perda declarada; a sua política não"
        " tem chave desse livro.",
        "The checkpoint of {size} entries is from before the declared loss; your policy has no key"
        " of that book.",
    ),
    "signature-wrong": (
        PROBLEM,
        "No ponto de controlo de {size} registos, a assinatura em nome de {key} é falsa.",
        "In the checkpoint of {size} entries the signature in the name of {key} is false.",
    ),
    "cosignature-unknown": (
        INCOMPLETE,
        "No ponto de controlo de {size} registos há uma assinatura em nome de {key} com uma chave "
        "que a política não tem. Peça a política que a tem; ou a assinatura foi alterada.",
        "In the checkpoint of {size} entries a signature in the name of {key} is by a key the "
        "policy does not have. Ask for the policy that has it; or the signature was altered.",
    ),
    "key-unknown": (
        INCOMPLETE,
        "Nenhuma chave da sua política assinou o ponto de controlo; este pacote parcial não "
        "mostra se a casa mudou de chave. Peça o pacote completo ou a política atual.",
        "No key of your policy signed the checkpoint; this partial bundle does not show whether "
        "the house changed its key. Ask for the full bundle or for today's policy.",
    ),
    "key-named": (
        NOTE,
        "OUTRA CHAVE: a partir do ponto de controlo de {size} registos vale a chave {key}, nomeada"
        " por {staff} em lugar de {old}.",
        "ANOTHER KEY: from the checkpoint of {size} entries on the key {key} is believed, named by "
        "{staff} in the place of {old}.",
    ),
    "key-added": (
        NOTE,
        "MAIS UMA CHAVE: a partir do ponto de controlo de {size} registos vale também a chave "
        "{key}, nomeada por {staff}.",
        "ONE MORE KEY: from the checkpoint of {size} entries on the key {key} is believed too, "
        "named by {staff}.",
    ),
    "key-waits": (
        NOTE,
        "{staff} nomeou aqui uma chave que nenhuma segunda pessoa aprovou nem recusou: não vale.",
        "{staff} named a key here that no second person approved or refused: it counts for "
        "nothing.",
    ),
    "key-alone": (
        INCOMPLETE,
        "Uma só pessoa nomeou aqui uma chave, e este livro já pedia duas: a chave não vale.",
        "One person alone named a key here, and this book asked for two by then: the key counts "
        "for nothing.",
    ),
    "key-not-listed": (
        INCOMPLETE,
        "Nenhuma chave da sua lista assinou o último ponto de controlo. Assinou-o {key}, que só "
        "o próprio livro reconhece. Pergunte à entidade que fiscaliza a casa se esta mudou de "
        "chave; se mudou, acrescente a nova à sua lista.",
        "No key of your list signed the newest checkpoint. {key} did, which nothing but the book "
        "itself vouches for. Ask the house's regulator whether the house changed its key; if it "
        "did, take the new key into your list.",
    ),
    "passkeys-unseen": (
        NOTE,
        "Confirmações por chave de acesso: {count}. As respostas dos dispositivos NÃO foram "
        "verificadas aqui; faça-o com audit.attested (attested.py), que se corre à parte.",
        "Confirmations by passkey: {count}. What the devices answered was NOT verified here; do "
        "so with audit.attested (attested.py), which is run by itself.",
    ),
    "keys-from-bundle": (
        NOTE,
        "AS CHAVES VÊM DO PRÓPRIO PACOTE: compare-as com a cópia que tem em seu poder, ou use "
        "--policy.",
        "THE KEYS WERE BROUGHT BY THE BUNDLE ITSELF: compare them with your own copy, or use "
        "--policy.",
    ),
    "demo-key": (
        NOTE,
        "CHAVE DE DEMONSTRAÇÃO (DEMO KEY): as assinaturas de {origin} não provam nada a ninguém.",
        "DEMO KEY: signatures of {origin} prove nothing to anybody.",
    ),
    "quorum-unmet": (
        INCOMPLETE,
        "As testemunhas que a sua política exige só confirmaram os primeiros {witnessed} "
        "registos de {size}.",
        "The witnesses your policy asks for confirmed only the first {witnessed} entries of "
        "{size}.",
    ),
    "quorum-unmet-by-own": (
        NOTE,
        "As testemunhas que a casa indica só confirmaram os primeiros {witnessed} registos de "
        "{size}.",
        "The witnesses the house names confirmed only the first {witnessed} entries of {size}.",
    ),
    "origin-unknown": (
        PROBLEM,
        "O livro chama-se {origin}; nenhuma chave da política é desse nome.",
        "The book is called {origin}; no key of the policy is of that name.",
    ),
    "origin-not-shown": (
        INCOMPLETE,
        "O livro chama-se {origin}; nenhuma chave da política é desse nome, e este pacote parcial "
        "não mostra se o livro mudou de nome.",
        "The book is called {origin}; no key of the policy is of that name, and this partial "
        "bundle does not show whether the book changed its name.",
    ),
    "origin-changed": (
        PROBLEM,
        "A partir do ponto de controlo de {size} registos o livro chama-se {origin}, sem que "
        "duas pessoas o tenham registado antes.",
        "From the checkpoint of {size} entries on the book is called {origin}; no two persons "
        "put that down before.",
    ),
    "epoch": (
        NOTE,
        "PERDA DECLARADA: duas pessoas registaram aqui que o livro {origin}, assinado até {lost} "
        "registos, se perdeu em parte e continua como {now}.",
        "DECLARED LOSS: two persons put down here that the book {origin}, signed up to {lost} "
        "entries, was lost in part and goes on as {now}.",
    ),
    "root-wrong": (
        PROBLEM,
        "Os primeiros {size} registos não dão a raiz que foi assinada; até {since} davam: o que "
        "está entre esses foi alterado, retirado ou acrescentado.",
        "The first {size} entries do not make the root that was signed; up to {since} they did: "
        "what lies between was altered, removed or added.",
    ),
    "edge-wrong": (
        PROBLEM,
        "Estes ficheiros, o bordo direito da árvore, não dão a raiz que foi assinada.",
        "These files, the tree's right edge, do not make the root that was signed.",
    ),
    "tile-altered": (
        PROBLEM,
        "O ficheiro não contém os resumos que a árvore assinada tem nesse lugar.",
        "The file does not hold the hashes that the signed tree has in that place.",
    ),
    "entry-altered": (
        PROBLEM,
        "Não é o registo cujo resumo está neste lugar da árvore.",
        "Not the entry whose hash stands in this place of the tree.",
    ),
    "record-not-in-tree": (
        PROBLEM,
        "A prova não conduz deste registo à raiz assinada: o registo ou a prova foi alterado.",
        "The proof does not lead from this entry to the signed root: entry or proof was altered.",
    ),
    "entry-form": (
        PROBLEM,
        "Os bytes não estão na única forma em que um registo se escreve.",
        "The bytes are not in the one form in which an entry is written.",
    ),
    "stream-number": (
        PROBLEM,
        "Devia ser o n.º {expected} da sua série: falta um registo, há um a mais ou mudaram de "
        "lugar.",
        "It should be number {expected} of its stream: an entry is missing, doubled or out of "
        "place.",
    ),
    "stream-prev": (
        PROBLEM,
        "Não continua o registo anterior da sua série: um dos dois foi alterado.",
        "Does not continue the entry before it in its stream: one of the two was altered.",
    ),
    "stream-table": (
        PROBLEM,
        "Fala de outra mesa que não a da sua série.",
        "Tells of another table than its stream's.",
    ),
    "key-twice": (
        PROBLEM,
        "Tem a mesma chave de envio que o registo de índice {first}: foi registado duas vezes.",
        "Has the same sender's key as the entry with index {first}: it was recorded twice.",
    ),
    "cp-ahead": (
        PROBLEM,
        "Nomeia um ponto de controlo de {size} registos, que ainda não podia existir.",
        "Names a checkpoint of {size} entries, which could not yet exist.",
    ),
    "cp-unknown": (
        PROBLEM,
        "Nomeia um ponto de controlo de {size} registos que não existe, ou que tinha outra raiz.",
        "Names a checkpoint of {size} entries that does not exist, or that had another root.",
    ),
    "cp-fell": (
        PROBLEM,
        "Nomeia um ponto de controlo ({size}) mais antigo do que o registo anterior da sua série.",
        "Names an older checkpoint ({size}) than the entry before it in its stream.",
    ),
    "time-before-checkpoint": (
        PROBLEM,
        "Diz ter sido registado às {at}, antes do ponto de controlo ({size}) que ele próprio "
        "nomeia: foi antedatado, ou o relógio andou para trás.",
        "Says it was recorded at {at}, before the checkpoint ({size}) it names itself: it was "
        "back-dated, or the clock was set back.",
    ),
    "time-after-witness": (
        PROBLEM,
        "Diz ter sido registado às {at}, depois de uma testemunha o ter visto.",
        "Says it was recorded at {at}, after a witness had seen it.",
    ),
    "time-fell": (
        PROBLEM,
        "Diz ter sido registado às {at}, mais de dois minutos antes do anterior da sua série.",
        "Says it was recorded at {at}, more than two minutes before the one before it.",
    ),
    "time-late": (
        NOTE,
        "Diz ter sido registado às {at}, mas a árvore assinada de {size} registos, mais nova, "
        "ainda não o tinha: esperou pelo menos {minutes} minutos pelo seu lugar.",
        "Says it was recorded at {at}, but the signed tree of {size} entries, which is newer, did "
        "not have it yet: it waited at least {minutes} minutes for its place.",
    ),
    "time-unproved": (
        INCOMPLETE,
        "Diz ter sido registado às {at}, mas só entrou na árvore depois da de {size} registos, "
        "pelo menos {minutes} minutos mais nova: ou esperou, ou foi antedatado. A sua hora não "
        "está provada.",
        "Says it was recorded at {at}, but came into the tree only after the one of {size} "
        "entries, at least {minutes} minutes newer: either it waited or it was back-dated. Its "
        "time is not proved.",
    ),
    "time-step": (
        NOTE,
        "O relógio andou para trás: registado às {at}, antes do anterior da sua série.",
        "The clock went back: recorded at {at}, before the one before it in its stream.",
    ),
    "reference-wrong": (
        PROBLEM,
        "Refere-se a um registo anterior que não existe assim na sua série.",
        "Refers to an earlier entry that does not exist like that in its stream.",
    ),
    "reference-not-shown": (
        NOTE,
        "Refere-se ao n.º {target} da sua série, que aqui não é mostrado.",
        "Refers to number {target} of its stream, which is not shown here.",
    ),
    "evidence-wrong": (
        PROBLEM,
        "Assenta em {target}, onde está outro registo: a prova da constatação foi trocada.",
        "Rests on {target}, where another entry stands: the finding's evidence was exchanged.",
    ),
    "evidence-missing": (
        PROBLEM,
        "Assenta em {target}, que não existe no livro.",
        "Rests on {target}, which is not in the book.",
    ),
    "evidence-not-shown": (
        NOTE,
        "Assenta em {target}, que aqui não é mostrado.",
        "Rests on {target}, which is not shown here.",
    ),
    "correction-form": (
        PROBLEM,
        "Retifica ou retira o n.º {target}, mas é ou diz-se de outra espécie, ou não diz porquê.",
        "Corrects or withdraws number {target}, but is or says to be of another kind, or does not "
        "say why.",
    ),
    "correction-second": (
        PROBLEM,
        "Retifica ou retira o n.º {target}, que já tem uma retificação ou retirada (n.º {by}) "
        "pendente ou aprovada.",
        "Corrects or withdraws number {target}, which has a correction or a withdrawal (number "
        "{by}) pending or approved already.",
    ),
    "correction-undecided": (
        PROBLEM,
        "Retifica ou retira a retificação n.º {target}, que não está aprovada.",
        "Corrects or withdraws the correction number {target}, which is not approved.",
    ),
    "decision-wrong": (
        PROBLEM,
        "Decide sobre o n.º {target}, que não é uma retificação nem uma retirada à espera de "
        "decisão.",
        "Decides on number {target}, which is no correction or withdrawal that waits for a "
        "decision.",
    ),
    "same-person": (
        PROBLEM,
        "Quem o escreveu ({staff}) devia ser outra pessoa que não a do registo a que se refere.",
        "Whoever wrote it ({staff}) must be another person than the author of what it is about.",
    ),
    "witness-wrong": (
        PROBLEM,
        "A testemunha ou a espécie do ato não é a que o registo diz.",
        "The witness or the kind of act is not what the entry says.",
    ),
    "erasure-wrong": (
        PROBLEM,
        "Diz apagado um campo que o n.º {target} não guarda em privado.",
        "Says that a field was erased that number {target} does not keep in private.",
    ),
    "house-form": (
        PROBLEM,
        "Nomeia uma chave ou uma época de um modo que não se pode seguir.",
        "Names a key or an epoch in a way that cannot be followed.",
    ),
}
