"""A round on its page: the cards drawn, the wagers, and the settlement told step by step."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from django.utils.translation import gettext

from casino.cards import is_blackjack
from casino.events.round.round_played import Box, Hand, RoundPlayed
from casino.law.finding import WagerVerdict
from casino.law.round_judge import judge
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law
from casino.law.wording.explain import explain
from casino.law.wording.wording import ACTIONS, KINDS
from casino.web.display.cells import UNKNOWN
from casino.web.display.money_and_time import money
from casino.web.display.playing_cards import card_drawn, cards_drawn, points_drawn
from casino.web.forms.finding_words import words
from casino.web.forms.warnings import cited, in_words
from casino.web.words.languages import either, language
from casino.web.words.paper_words import paper_words

RULEBOOK: Final = "pt"  # where the round does not say by which it was played


def round_context(played: RoundPlayed) -> dict[str, object]:
    """What the page of a round shows beside what every entry's does."""
    context = {
        "played": played,
        "paper": paper_words(played),
        "boxes": [_box(box) for box in played.boxes],
        "bank": cards_drawn(played.bank.cards, [each.card for each in played.bank.voided]),
        "bank_total": points_drawn(played.bank.cards, natural=is_blackjack(played.bank.cards)),
        "misdealt": [card_drawn(each.card, voided=True) for each in played.misdealt],
        "stakes": [],
        "steps": [],
    }
    law = _law(played)
    if law is None:
        return context
    judgement = judge(played, law)
    context["stakes"] = [verdict_shown(one, law.id) for one in judgement.wagers]
    context["steps"] = steps_of(played, law)
    context["law"] = either(law.title_pt, law.title_en)
    return context


def _law(played: RoundPlayed) -> Law | None:
    try:
        return load_law(played.rulebook or RULEBOOK)
    except LawError:
        return None


def _box(box: Box) -> dict[str, object]:
    return {
        "number": box.number,
        "holder": box.holder or "",
        "vacant": box.vacant,
        "decided_by": box.decided_by or "",
        "hands": [
            {
                "number": hand.number,
                "cards": cards_drawn(hand.cards),
                "total": points_drawn(hand.cards, natural=_is_natural(hand)),
                "actions": [gettext(ACTIONS[action]) for action in hand.actions],
                "split_from": hand.split_from,
            }
            for hand in box.hands
        ],
    }


def _is_natural(hand: Hand) -> bool:
    """Whether it is a blackjack: under every rulebook that is here none comes of a split."""
    split = hand.split_from is not None or "split" in hand.actions
    return not split and is_blackjack(hand.cards)


def steps_of(played: RoundPlayed, law: Law) -> list[dict[str, object]]:
    """A round step by step under a rulebook: headings, each with its lines."""
    return list(_steps(explain(played, law, in_words, language(), cited)))


def verdict_shown(verdict: WagerVerdict, rulebook: str) -> dict[str, object]:
    """What a rulebook says of a wager, as a page shows it."""
    tones = {"lawful": "kept", "finding": "breach", "not_decidable": "idle"}
    due, paid = verdict.due_cents, verdict.paid_cents
    said = {
        "lawful": gettext("as due"),
        "finding": gettext("not as due"),
        "not_decidable": gettext("not decidable from this record"),
    }
    return {
        "box": verdict.box,
        "hand": verdict.hand or "",
        "owner": verdict.owner,
        "kind": gettext(KINDS[verdict.kind]),
        "stake": money(verdict.stake_cents),
        "returned": money(paid),
        "due": UNKNOWN if due is None else money(due),
        "tone": tones[verdict.outcome],
        "said": said[verdict.outcome],
        "off": "" if due is None or due == paid else off_by(paid, due),
        "why": words().why(verdict.why) if verdict.why else "",
        "article": cited(rulebook, verdict.article) if verdict.article else "",
    }


def off_by(paid: int, due: int) -> str:
    """By how much what was handed back differs from what was due. Units: cents."""
    said = gettext("%(amount)s too little") if paid < due else gettext("%(amount)s too much")
    return said % {"amount": money(abs(due - paid))}


def _steps(lines: Iterable[str]) -> Iterator[dict[str, object]]:
    """Headings with what belongs to them; what stands before the first has an empty one."""
    headings = _headings()
    step: dict[str, Any] = {"heading": "", "lines": []}
    for line in lines:
        if line in headings:
            yield step
            step = {"heading": line, "lines": []}
        else:
            step["lines"].append(line.strip())
    yield step


def _headings() -> frozenset[str]:
    named = ("Stakes", "Deal", "Decisions", "Bank", "Settlement", "Findings of conduct")
    return frozenset(gettext(name) for name in named)
