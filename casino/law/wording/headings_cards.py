"""What is said of cards that speak against what is recorded of them. Law: PT art. 3, 8, 53."""

from typing import Final

from casino.law.wording.headings import Headings, Line

HEADINGS: Final[Headings] = {
    "cards_seen_as_whole_decks_give_them": (
        Line(
            "em {o.cards_seen|n:carta,cartas}, saíram {o.times_seen} de {o.suit}; esperavam-se"
            " {e.expected_times}",
            "of {o.cards_seen|n:card,cards}, {o.times_seen} were {o.suit}; {e.expected_times} were"
            " to be expected",
        ),
        Line(
            "em {o.cards_seen|n:carta,cartas}, saíram {o.times_seen} do valor {o.rank};"
            " esperavam-se {e.expected_times}",
            "of {o.cards_seen|n:card,cards}, {o.times_seen} were of rank {o.rank};"
            " {e.expected_times} were to be expected",
        ),
    ),
    "shoe_cards_as_whole_decks_give_them": (
        Line(
            "os mesmos baralhos, já sob suspeita na partida {o.suspected_in}, voltaram a servir:"
            " falta provavelmente {o.missing_card}",
            "the same decks, under suspicion since game {o.suspected_in}, were dealt from again:"
            " {o.missing_card} is probably missing",
        ),
        Line(
            "falta provavelmente {o.missing_card}: em {o.shoes_seen|n:sabot,sabots} e"
            " {o.cards_seen|n:carta,cartas} saiu {o.times_seen|n:vez,vezes}; esperavam-se"
            " {e.expected_times}",
            "{o.missing_card} is probably missing: in {o.shoes_seen|n:shoe,shoes} and"
            " {o.cards_seen|n:card,cards} it came {o.times_seen|n:time,times};"
            " {e.expected_times} were to be expected",
        ),
    ),
    "nobody_knows_a_card_before_it_is_out": (
        Line(
            "em {o.decisions|n:decisão,decisões}, {o.decided_by_what} de {w.owner} acertaram"
            " {o.right|n:vez,vezes} numa carta que ainda não tinha saído; por acaso seriam"
            " {e.expected_right}",
            "in {o.decisions|n:decision,decisions} {o.decided_by_what} of {w.owner} were right"
            " about a card that was not out {o.right|n:time,times}; by chance it would be"
            " {e.expected_right}",
        ),
    ),
    "cards_in_no_order_they_lay_in": (
        Line(
            "da carta {o.from_card} à {o.to_card} do sabot, as cartas saíram pela ordem em que"
            " estavam {o.lay_in}",
            "from card {o.from_card} to {o.to_card} of the shoe, the cards came in the order in"
            " which they lay {o.lay_in}",
            {"o.passes_like": 0},
        ),
        Line(
            "da carta {o.from_card} à {o.to_card} do sabot, as cartas saíram como estavam"
            " {o.lay_in}, depois de não mais de {o.passes_like|n:passagem,passagens}",
            "from card {o.from_card} to {o.to_card} of the shoe, the cards came as they lay"
            " {o.lay_in}, after no more than {o.passes_like|n:riffle,riffles}",
        ),
    ),
}
