"""What is said of a breach in the stakes of a round: when, how much, by whom, and who decided.

Law: PT art. 13 to 16, 37.
"""

from typing import Final

from casino.regulation.headings import Headings, Line

HEADINGS: Final[Headings] = {
    "stakes_before_the_deal": (
        Line(
            "as apostas fecharam às {o.stakes_closed}; a primeira carta saiu às {e.not_after}",
            "the stakes closed at {o.stakes_closed}; the first card came out at {e.not_after}",
        ),
        Line(
            "a postura passou de {e.stake_cents} para {o.stake_cents} depois de se darem as cartas",
            "the stake went from {e.stake_cents} to {o.stake_cents} after the deal",
        ),
    ),
    "stake_at_least_minimum": (
        Line(
            "apostou {o.stake_cents}; o mínimo da mesa é {e.minimum_cents}",
            "staked {o.stake_cents}; the table's minimum is {e.minimum_cents}",
        ),
    ),
    "stake_multiple_of_minimum": (
        Line(
            "apostou {o.stake_cents}, que não é múltiplo do mínimo de {e.multiple_of_cents}",
            "staked {o.stake_cents}, no multiple of the minimum of {e.multiple_of_cents}",
        ),
    ),
    "stake_at_most_maximum": (
        Line(
            "apostou {o.stake_cents}; o máximo da mesa é {e.maximum_cents}",
            "staked {o.stake_cents}; the table's maximum is {e.maximum_cents}",
        ),
        Line(
            "ficaram apostados {o.stakes_cents}; o máximo da mesa é {e.maximum_cents}",
            "{o.stakes_cents} lay staked; the table's maximum is {e.maximum_cents}",
        ),
    ),
    "sum_on_box_within_maximum": (
        Line(
            "as apostas somavam {o.stakes_cents}; o máximo da mesa é {e.maximum_cents}",
            "the stakes added up to {o.stakes_cents}; the table's maximum is {e.maximum_cents}",
        ),
    ),
    "complementary_stake_lawful": (
        Line(
            "apostou {o.stake_cents}, que não é múltiplo de {e.multiple_of_cents} nem perfaz o"
            " máximo[ (faltavam {e.or_completes_cents})]",
            "staked {o.stake_cents}, no multiple of {e.multiple_of_cents} nor what completes the"
            " maximum[ ({e.or_completes_cents} was missing)]",
        ),
        Line(
            "apostaram-se {o.stakes_cents|and}; só uma das apostas podia perfazer o máximo["
            " (faltavam {e.or_completes_cents})]",
            "{o.stakes_cents|and} were staked; only one of them could complete the maximum["
            " ({e.or_completes_cents} was missing)]",
        ),
    ),
    "holder_decides": (
        Line(
            "decidiu {o.decided_by}; o titular do lugar é {e.decided_by}",
            "{o.decided_by} decided; the box's holder is {e.decided_by}",
        ),
    ),
    "others_stake_beside_their_own": (
        Line(
            "apostou em lugar alheio sem ter aposta num lugar seu",
            "staked on another's box without a stake on a box of their own",
        ),
    ),
    "others_with_consent": (
        Line(
            "apostou-se no lugar de outro sem o consentimento do titular",
            "others staked on the box without its holder's consent",
        ),
    ),
    "largest_stake_decides_vacant_box": (
        Line(
            "no lugar vago decidiu {o.decided_by}; cabia a {e.decided_by}",
            "{o.decided_by} decided on the vacant box; it was for {e.decided_by} to decide",
        ),
    ),
    "vacant_stake_multiple_of_minimum": (
        Line(
            "apostou {o.stake_cents} num lugar vago, o que não é múltiplo do mínimo de"
            " {e.multiple_of_cents}",
            "staked {o.stake_cents} on a vacant box, no multiple of the minimum of"
            " {e.multiple_of_cents}",
        ),
    ),
    "vacant_box_within_maximum": (
        Line(
            "as apostas no lugar vago somavam {o.stakes_cents}; o máximo da mesa é"
            " {e.maximum_cents}",
            "the stakes on the vacant box added up to {o.stakes_cents}; the table's maximum is"
            " {e.maximum_cents}",
        ),
    ),
    "maximum_within_thirty_minimums": (
        Line(
            "o máximo da mesa é {o.maximum_cents}; pelo mínimo, não pode passar de"
            " {e.at_most_cents}",
            "the table's maximum is {o.maximum_cents}; by its minimum it may be at most"
            " {e.at_most_cents}",
        ),
    ),
    "player_boxes_within_maximum": (
        Line(
            "jogou em {o.boxes|n:lugar,lugares}; a casa permite {e.at_most}",
            "played {o.boxes|n:box,boxes}; the house allows {e.at_most}",
        ),
    ),
    "lone_player_boxes": (
        Line(
            "sozinho à mesa, jogou em {o.boxes|n:lugar,lugares}; tinha de jogar em {e.at_least}"
            " pelo menos",
            "alone at the table, played {o.boxes|n:box,boxes}; at least {e.at_least} are asked",
        ),
    ),
}
