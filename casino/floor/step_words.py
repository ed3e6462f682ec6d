"""What the floor calls its steps and the standing of a table."""

from typing import Final

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from casino.floor.table_state import Step, TableState
from casino.floor.table_steps import STEPS
from casino.web.forms.warnings import cited_in

_CARTA_AVISO: Final = {
    "none": _("not placed"),
    "placed": _("in the shoe"),
    "came_out": _("came out"),
    "announced": _("last round"),
}


def step_word(step: Step) -> str:
    """What a step is called on its button."""
    if (step.name, step.article) == ("prepare", "10"):  # with a shuffler no warning card goes in
        return gettext("Burnt card")
    return str(STEPS[step.name].label)


def article_of(state: TableState, number: str) -> str:
    """An article as the table's rulebook cites it; '' for none."""
    return cited_in(state.rulebook, number) if number else ""


def step_url(state: TableState, step: Step) -> str:
    """Where a step is done."""
    if step.entry:
        return reverse(f"sala:{step.screen}", args=[step.entry])
    name = "last_round" if step.name == "last_round" else step.screen
    query = "?moment=interim" if step.name == "chips" else ""  # while the game is on
    return reverse(f"sala:{name}", args=[state.table]) + query


def how_dealt(state: TableState) -> str:
    """How a table is dealt, in few words."""
    if state.partida is None:
        return ""
    decks = ngettext("%(n)s deck", "%(n)s decks", len(state.decks)) % {"n": len(state.decks)}
    if state.dealing == "shuffler":
        how = gettext("continuous shuffler") if state.continuous else gettext("shuffler")
        return f"{how} · {decks}"
    shoe = gettext("shoe no. %(n)s") % {"n": state.shoe} if state.shoe else gettext("shoe")
    return f"{shoe} · {decks}"


def carta_aviso_word(state: TableState) -> str:
    """How the warning card stands."""
    return str(_CARTA_AVISO[state.carta_aviso])


def last_cut_words(state: TableState) -> str:
    """Who cut last, and when."""
    if state.last_cut is None:
        return "–"
    event = state.last_cut.event
    who = gettext("seat %(n)s") % {"n": event.seat} if event.seat else gettext("the fiscal")
    return f"{who}, {date_format(localtime(state.last_cut.occurred_at), 'H:i')}"
