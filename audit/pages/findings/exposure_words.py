"""What the page of rounds in doubt calls faults, proofs and ends."""

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

FAULT: Final = {
    "missing": _("a card is missing"),
    "extra": _("there is a card too many"),
    "foreign": _("a card of another deck lies among them"),
    "damaged": _("a card is damaged"),
    "marked": _("a card is marked"),
    "unknown": _("the cards may not be whole, and nobody says in what"),
}
PROVEN_BY: Final = {
    "exhibition": _("shown whole before play"),
    "machine": _("counted by a machine, with its receipt"),
    "received": _("looked through when it was received"),
    "store": _("looked through in store"),
    "close": _("put in order at the closing, whole"),
    "load": _("counted when the shuffler was loaded"),
    "unload": _("counted when the shuffler was emptied"),
    "count": _("counted at the closing of the table"),
}
ENDED_BY: Final = {
    "withdrawn": _("the deck was taken out of use"),
    "destroyed": _("the deck was destroyed"),
    "card_replaced": _("the card was exchanged"),
    "resolved": _("the incident was solved"),
    "proof": _("the deck was found whole again"),
}
STANDING: Final = {
    "certain": pgettext_lazy("a round in doubt", "certain"),
    "possible": pgettext_lazy("a round in doubt", "possible"),
}
PHASE: Final = {
    "before": _("before it was noticed"),
    "after": _("after it was noticed"),
}
