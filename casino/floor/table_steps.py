"""The steps at a table: each declared once."""

from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class StepKind(NamedTuple):
    """A step: the screen on which it is done, what that records, what its button says.

    `is_next`: it comes next, rather than can be done at any moment.
    """

    screen: str
    records: str
    label: Promise
    is_next: bool = False


STEPS: Final = {
    "open": StepKind("open", "partida-opened/1", _("Open the table"), True),
    "exhibit": StepKind("exhibit", "deck-inspected/1", _("Exhibit the cards"), True),
    "resume": StepKind("interrupt", "play-resumed/1", _("Play goes on"), True),
    "shuffle_cut": StepKind("cut", "cut-made/1", _("Shuffle and cut"), True),
    "cut": StepKind("cut", "cut-made/1", _("Cut"), True),
    "shuffle": StepKind("cut", "cards-shuffled/1", _("Shuffle"), True),
    "prepare": StepKind("shoe", "carta-aviso-placed/1", _("Warning card and burnt card"), True),
    "last_round": StepKind("shoe", "last-round-announced/1", _("Warning card came out"), True),
    "load": StepKind("load", "shuffler-loaded/1", _("Load the shuffler"), True),
    "witness": StepKind("witness", "witnessed/1", _("Witness the loading"), True),
    "interrupt": StepKind("interrupt", "play-interrupted/1", _("Interruption")),
    "incident": StepKind("incident", "incident-reported/1", _("Incident")),
    "complaint": StepKind("complaint", "complaint-received/1", _("Complaint")),
    "round": StepKind("round", "round-played/1", _("A round by hand")),
    "dealer": StepKind("dealer", "dealer-took-table/1", _("Change the dealer")),
    "hand_over": StepKind("hand_over", "table-handed-over/1", _("Hand the table over")),
    "chips": StepKind("chips", "chips-counted/1", _("Count the chips")),
    "unload": StepKind("unload", "shuffler-unloaded/1", _("Take the cards out")),
    "close": StepKind("close", "partida-closed/1", _("Close the table")),
}
