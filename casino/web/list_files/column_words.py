"""What people call the columns of lists that are taken out, where no event's field says it."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.web.words.field_words import LABELS

_WORDS: Final[dict[str, Promise]] = {
    "bank": _("bank"),
    "book_microcents": _("by the book, in millionths of a cent"),
    "breaches": _("breaches"),
    "case": _("case"),
    "change": _("change"),
    "change_microcents": _("change, in millionths of a cent"),
    "chips_result_cents": _("result by the counted chips"),
    "cited": _("rule cited"),
    "closed_at": _("closed at"),
    "closing_cents": _("chips at the closing"),
    "credits_cents": _("chips taken away"),
    "dealer": _("dealer"),
    "dealers": _("dealers"),
    "deviations": _("deviations"),
    "difference_microcents": _("difference, in millionths of a cent"),
    "event": _("event"),
    "events": _("how many"),
    "evidence": _("evidence"),
    "expected": _("asked"),
    "fills_cents": _("chips brought"),
    "finding": _("finding"),
    "findings": _("findings"),
    "first_day": _("first day"),
    "fiscais": _("fiscais de banca"),
    "gaming_day": _("gaming day"),
    "hands": _("hands"),
    "happened_at": _("happened at"),
    "held_microcents": _("held for wins, in millionths of a cent"),
    "house_figures": _("the house's own figures"),
    "instrument": _("regulation"),
    "key": _("key"),
    "kind": _("kind"),
    "last_day": _("last day"),
    "left_cents": _("left to pay"),
    "meter_microcents": _("meter, in millionths of a cent"),
    "misfit": _("why not counted"),
    "missing": _("missing"),
    "noticed": _("before or after it was noticed"),
    "notes": _("notes"),
    "observed": _("found"),
    "of": _("rates of"),
    "on_decks": _("acts on the decks"),
    "opened_at": _("opened at"),
    "opening_cents": _("chips at the opening"),
    "owed_cents": _("owed"),
    "owed_house_cents": _("owed to the house"),
    "owed_players_cents": _("owed to players"),
    "owed_to": _("owed to whom"),
    "owners": _("owners"),
    "partidas": _("partidas"),
    "per_thousand": _("per thousand rounds"),
    "proofs": _("proofs"),
    "readings": _("readings"),
    "record": _("record"),
    "recorded_as": _("to be recorded as"),
    "recorded_at": _("recorded at"),
    "result_cents": _("result"),
    "returned_cents": _("returned"),
    "rounds_untold": _("rounds not on record"),
    "rule": _("rule"),
    "says_little": _("says little"),
    "says_something_from_rounds": _("says something from so many rounds"),
    "search": _("search"),
    "settled_cents": _("amount settled"),
    "severity": _("gravity"),
    "staked_cents": _("staked"),
    "standing": _("standing"),
    "state": _("state"),
    "than_events": _("held against: how many"),
    "than_first_day": _("held against: first day"),
    "than_last_day": _("held against: last day"),
    "than_per_thousand": _("held against: per thousand rounds"),
    "than_rounds": _("held against: rounds"),
    "to_house_cents": _("to the house"),
    "to_players_cents": _("to players"),
    "told": _("what happened"),
    "told_microcents": _("as recorded, in millionths of a cent"),
    "voided": _("voided"),
    "warnings": _("warnings"),
    "where": _("where"),
    "who": _("who or what"),
}
_SIDES: Final = {"_now": _("%(column)s, now"), "_then": _("%(column)s, then")}


def column_word(name: str) -> str:
    """What a column is called in the reader's language; by its name where nothing else is known."""
    for ending, form in _SIDES.items():
        if name.endswith(ending):
            return str(form) % {"column": column_word(name.removesuffix(ending))}
    return str(_WORDS.get(name) or LABELS.get(name) or name.replace("_", " "))
