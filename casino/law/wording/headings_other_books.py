"""What is said of a breach at the table of what the handbooks and the brochure alone ask.

Law: ES inicio/mezcla-y-corte, BR inicio-da-partida/mistura-e-corte, FR the-setting.
"""

from typing import Final

from casino.law.wording.headings import Headings, Line

HEADINGS: Final[Headings] = {
    "back_colours_as_named": (
        Line(
            "há baralhos com o verso de cor {o.back_colours|colour}; deviam ser de cor"
            " {e.back_colours|colour}",
            "there are decks with {o.back_colours|colour} backs; {e.back_colours|colour} backs were"
            " due",
        ),
    ),
    "dealer_cuts_after_a_player": (
        Line(
            "cortou só o pagador; antes dele cabia a um jogador",
            "the dealer alone cut; before him the cut was for a player to make",
            {"e.cut_by": "seat"},
        ),
        Line(
            "depois de cortar {o.cut_by|who}, o pagador não cortou",
            "after {o.cut_by|who} had cut, the dealer did not",
        ),
    ),
    "cut_with_the_card_of_its_colour": (
        Line(
            "cortou-se com uma carta {o.card_colour|colour}; devia ser {e.card_colour|colour}",
            "the cut was made with a card that was {o.card_colour|colour}; it should have been"
            " {e.card_colour|colour}",
        ),
    ),
    "players_card_announces_the_last_hand": (
        Line(
            "a carta que anuncia a última jogada é {o.card_colours|colour}; devia ser aquela com"
            " que um jogador corta, {e.card_colours|colour}",
            "the card that announces the last hand is {o.card_colours|colour}; it should be the one"
            " a player cuts with, {e.card_colours|colour}",
        ),
    ),
    "used_cards_turned_before_the_mix": (
        Line(
            "~foi baralhado sem separar as cartas usadas em abertas e fechadas e virar umas sobre"
            " as outras",
            "~was shuffled without parting the used cards into open and closed and turning the ones"
            " onto the others",
        ),
    ),
}
