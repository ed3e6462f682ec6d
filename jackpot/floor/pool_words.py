"""What the progressive's screens call combinations and prizes, and how an amount came about."""

from django.utils.translation import gettext

from casino.law.wording.explain_words import RANKS
from casino.web.display.fine_amounts import percentage
from casino.web.display.money_and_time import money
from casino.web.display.playing_cards import card_words
from casino.web.forms.finding_words import words
from casino.web.forms.warnings import Cites
from jackpot.progressive.amounts import displayed_cents
from jackpot.progressive.catalogue import CATALOGUE
from jackpot.progressive.payout import Step
from jackpot.progressive.prizes import PrizeLine


def unbroken(cited: str) -> str:
    """An article as it is cited, on one line with its number."""
    return cited.replace(" ", "\u00a0")


def citations(book: str, *names: str) -> dict[str, dict[str, str]]:
    """What a page cites, as its game's rulebook does: bare, and within brackets."""
    bare, within = Cites(book), Cites(book, brackets=True)
    return {
        "article": {name: unbroken(bare[name]) for name in names},
        "within": {
            name: f" {unbroken(text[1:])}" if (text := within[name]) else "" for name in names
        },
    }


def combination_word(code: str) -> str:
    """A combination in words; its cards one by one where it spells them."""
    if code in CATALOGUE:
        return words().value("combination", code)
    return ", ".join(_spelled(card) for card in code.split("-"))


def _spelled(card: str) -> str:
    """A card, or a rank that may be of any suit."""
    if len(card) > 1:
        return card_words(card)
    figure = "10" if card == "T" else card
    return gettext(RANKS[figure]) if figure in RANKS else figure


def prize_words(line: PrizeLine, microcents: int) -> str:
    """What a line wins with so much on the meter. Law: PT art. 43."""
    if line.top:
        return gettext("what is left of %(value)s") % {"value": money(displayed_cents(microcents))}
    if line.fixed_cents is not None:
        return money(line.fixed_cents)
    return gettext("%(share)s %%: %(amount)s") % {
        "share": percentage(line.share_millionths or 0),
        "amount": money(line.due_cents(microcents)),
    }


def reckoning(step: Step) -> str:
    """How an amount came about, with all its figures. Law: PT art. 43, 50."""
    if step.by == "fixed":
        text = gettext("fixed prize")
    elif step.by == "share":
        text = gettext("%(share)s %% of %(value)s") % {
            "share": percentage(step.share_millionths or 0),
            "value": money(displayed_cents(step.of_microcents)),
        }
    elif step.among == 1:
        text = gettext("everything left")
    else:
        text = gettext("%(value)s left ÷ %(among)s") % {
            "value": money(displayed_cents(step.of_microcents)),
            "among": step.among,
        }
        if step.odd_cents:
            text = gettext("%(told)s, and one odd cent") % {"told": text}
    if step.paid_cents < step.due_cents:
        text = gettext("%(told)s; due were %(due)s, the meter bears no more") % {
            "told": text,
            "due": money(step.due_cents),
        }
    return text
