"""Headings of what needs the inspection service. Law: PT art. 5, 14, 15."""

from typing import Final

from casino.law.wording.headings import Headings, Line

HEADINGS: Final[Headings] = {
    "leave_is_on_record": (
        Line(
            "trocou-se uma só carta ao abrigo de «{o.authorisation}», autorização que não consta",
            "a single card was exchanged under “{o.authorisation}”, a leave that is not on record",
            {"o.on_record": "no"},
        ),
        Line(
            "trocou-se uma só carta depois de recusada a autorização",
            "a single card was exchanged although leave had been refused",
            {"o.decision": "refused"},
        ),
        Line(
            "a autorização para trocar a carta foi dada sem pedido registado que a fundamente",
            "the leave to exchange the card was given without a request on record",
            {"o.requests": 0},
        ),
        Line(
            "a autorização é das {o.moment|full}; a carta foi trocada às {e.not_after|full}",
            "leave was given at {o.moment|full}; the card was exchanged at {e.not_after|full}",
        ),
        Line(
            "a autorização é para o baralho {e.deck}; a carta trocada é do baralho {o.deck}",
            "the leave is for deck {e.deck}; the card exchanged is of deck {o.deck}",
        ),
        Line(
            "a autorização é para {e.one_of|and}; a carta trocada foi {o.card}",
            "the leave is for {e.one_of|and}; the card exchanged was {o.card}",
        ),
        Line(
            "a autorização não abrange a carta trocada, {o.card}",
            "the leave does not cover the card exchanged, {o.card}",
        ),
    ),
    "limits_are_approved": (
        Line(
            "jogou-se com o mínimo de {o.minimum_cents} e o máximo de {o.maximum_cents}, que não"
            " foram aprovados para a mesa",
            "play was with a minimum of {o.minimum_cents} and a maximum of {o.maximum_cents},"
            " which were not approved for the table",
        ),
    ),
}
