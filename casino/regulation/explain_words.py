"""The words an explanation is told in: cards, points, money, articles, and why nothing is decided.

English sentences are the keys of the catalogue. Whoever asks for the explanation gives the
`translate` that looks them up, so that this room needs no framework.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any, Final, Literal

from casino.cards import CODES, UNKNOWN_SUIT, Card, best_total, hard_total
from casino.regulation.checks import ALL_CHECKS
from casino.regulation.law import Law
from casino.regulation.rulebook import LawInForce

Translate = Callable[[str], str]
Language = Literal["pt", "en"]


def marked(text: str) -> str:
    """A text the catalogue must have, said later than here."""
    return text


RANKS: Final = {
    "A": marked("ace"),
    "J": marked("jack"),
    "Q": marked("queen"),
    "K": marked("king"),
    "X": marked("card that counts ten"),
}
SUITS: Final = {
    "C": marked("clubs"),
    "D": marked("diamonds"),
    "H": marked("hearts"),
    "S": marked("spades"),
}
KINDS: Final = {
    "main": marked("main stake"),
    "insurance": marked("insurance"),
    "even_money": marked("even money"),
    "special": marked("special prize"),
    "jackpot": marked("jackpot"),
}
ACTIONS: Final = {
    "hit": marked("asks"),
    "stand": marked("stands"),
    "double": marked("doubles"),
    "split": marked("splits"),
    "surrender": marked("surrenders"),
}
SEVERITIES: Final = {
    "breach": marked("breach"),
    "warning": marked("warning"),
    "note": marked("note"),
}
# Why a record does not decide a wager: the codes of `WagerVerdict.why`.
WHY: Final = {
    "bank_cards_missing": marked("the record lacks the bank's two first cards"),
    "bank_stopped_below": marked(
        "the bank stopped too early, and nobody knows which cards would have come"
    ),
    "face_up_card_kept": marked(
        "a card that lay open in the shoe stayed in play, and every later card would have been"
        " another"
    ),
    "first_stake_unknown": marked("the record does not tell the stake marked before the deal"),
    "jackpot_terms_not_in_the_record": marked(
        "the jackpot is judged by its approved terms, which no round tells"
    ),
    "misdealt_card_misdirected": marked(
        "a misdealt card did not go where the law sends it, or nobody told whether it was seen, so"
        " other cards may have been due"
    ),
    "no_cards_dealt": marked("no cards were dealt to this stake"),
    "round_voided": marked("the round was voided, and this rulebook does not say what follows"),
    "suit_unknown": marked("the record does not tell every suit"),
    "turned_card_kept": marked(
        "the bank kept a card turned by mistake, and nobody knows which would have replaced it"
    ),
    "unlawful_surrender": marked(
        "the hand was surrendered where that is not open, and nobody knows how it would have gone"
    ),
}
NOT_STATED: Final = {
    "double.after_split": marked("doubling after a split"),
    "double.totals": marked("doubling"),
    "even_money.pays": marked("even money"),
    "insurance.pays": marked("insurance"),
    "special.pays": marked("the special prize"),
    "split.resplit": marked("splitting again"),
    "surrender.loses": marked("surrender"),
}
# What a finding observed or expects, by name; a name not here is told as it is spelled.
NAMES: Final = {
    "above": marked("more than"),
    "aces_split": marked("aces split"),
    "actions": marked("decisions"),
    "after_asking": marked("after asking a card"),
    "after_standing": marked("cards after standing"),
    "after_surrender": marked("cards after the surrender"),
    "at_least": marked("at least"),
    "at_most": marked("at most"),
    "at_most_cents": marked("at most"),
    "at_once": marked("at once"),
    "bank_cards": marked("cards of the bank"),
    "bank_shows": marked("the bank shows"),
    "bank_total": marked("the bank's total"),
    "blackjack": marked("blackjack"),
    "box": marked("box"),
    "boxes": marked("boxes"),
    "card": marked("card"),
    "cards": marked("cards"),
    "consent": marked("holder's consent"),
    "decided_by": marked("decided by"),
    "drawn": marked("drawn"),
    "draws_to": marked("draws up to"),
    "first_two": marked("first two cards"),
    "goes_to": marked("goes to"),
    "hand": marked("hand"),
    "hands": marked("hands"),
    "hits_until": marked("asks until"),
    "insurance_or": marked("insurance or"),
    "kept": marked("kept"),
    "kind": marked("kind"),
    "main_stakes": marked("main stakes"),
    "maximum_cents": marked("maximum"),
    "minimum_cents": marked("minimum"),
    "multiple_of_cents": marked("a multiple of"),
    "not_after": marked("not after"),
    "not_before_box": marked("not before box"),
    "open": marked("open, by place"),
    "or_completes_cents": marked("or what completes"),
    "pair": marked("pair"),
    "returned_cents": marked("handed back"),
    "seen": marked("seen"),
    "split": marked("split"),
    "stake_cents": marked("stake"),
    "staked_hand": marked("staked hand"),
    "staked_hands": marked("staked hands"),
    "stakes_cents": marked("stakes"),
    "stakes_closed": marked("stakes closed"),
    "stands_at": marked("stands at"),
    "stood_on": marked("stood on"),
    "times": marked("times"),
    "total": marked("total"),
    "totals": marked("totals"),
    "went_to": marked("went to"),
    "with": marked("with"),
}
VALUES: Final = {
    "ace": marked("ace"),
    "ace and ten": marked("ace and ten"),
    "again": marked("again"),
    "bank": marked("bank"),
    "discard": marked("discard corner"),
    "equal_value": marked("equal value"),
    "hand": marked("hand"),
    "no": marked("no"),
    "no ace": marked("no ace"),
    "once": marked("once"),
    "one at least": marked("one at least"),
    "yes": marked("yes"),
    **KINDS,
    **ACTIONS,
}
_PSEUDONYMS: Final = frozenset({"owner", "decided_by"})
_POINT: Final = {"pt": (" ", ","), "en": (",", ".")}


class Words:
    """One rulebook's words in one language, on one day."""

    def __init__(
        self, law: Law, rules: LawInForce, translate: Translate, language: Language
    ) -> None:
        self.law = law
        self.rules = rules
        self.translate = translate
        self.language = language
        self._thousands, self._decimal = _POINT[language]

    def say(self, text: str, /, **values: object) -> str:
        """A sentence of the catalogue with its gaps filled."""
        told = self.translate(text)
        return told % values if values else told

    def money(self, cents: int) -> str:
        """Cents as the language writes amounts: ``1 234,56`` or ``1,234.56``."""
        whole, rest = divmod(cents, 100)
        grouped = f"{whole:,}".replace(",", self._thousands)
        return f"{grouped}{self._decimal}{rest:02d}"

    def card(self, card: Card) -> str:
        """A card in words, with what is not known of it."""
        figure = "10" if card[0] == "T" else card[0]
        rank = self.say(RANKS[figure]) if figure in RANKS else figure
        if card[1] == UNKNOWN_SUIT:
            return self.say("%(rank)s (suit not told)", rank=rank)
        return self.say("%(rank)s of %(suit)s", rank=rank, suit=self.say(SUITS[card[1]]))

    def cards(self, cards: Sequence[Card]) -> str:
        """Several cards in words, in their order."""
        return ", ".join(self.card(card) for card in cards)

    def points(self, cards: Sequence[Card]) -> str:
        """What cards make, with both counts where an ace still leaves two."""
        low, best = hard_total(cards), best_total(cards)
        if low == best or best == self.rules["target.points"]:
            return str(best)
        return self.say("%(low)s or %(high)s", low=low, high=best)

    def ratio(self, ratio: Fraction) -> str:
        """A rate of pay as a dealer says it."""
        return f"{ratio.numerator}:{ratio.denominator}"

    def title(self) -> str:
        """The rulebook's title."""
        return self.law.title_pt if self.language == "pt" else self.law.title_en

    def cite(self, article: str | None) -> str:
        """An article as its rulebook counts them; nothing where there is none."""
        return f"{self.law.cites} {article}" if article else ""

    def by(self, *checks: str) -> str:
        """`` (n.º 18)``: the article that upholds the first of these checks the book has."""
        cited = (self.cite(self.rules.article_of(check)) for check in checks)
        first = next((words for words in cited if words), "")
        return f" ({first})" if first else ""

    def statement(self, check: str) -> str:
        """What the law asks, in one sentence."""
        known = ALL_CHECKS.get(check)
        return self.say(known.statement) if known is not None else check

    def why(self, code: str | None) -> str:
        """Why a record decides nothing, in words."""
        code = code or ""
        if code.startswith("not_stated:"):
            name = code.removeprefix("not_stated:")
            option = self.say(NOT_STATED[name]) if name in NOT_STATED else name
            return self.say("this rulebook does not state %(option)s", option=option)
        return self.say(WHY[code]) if code in WHY else code

    def kind(self, kind: str) -> str:
        """What a wager is called."""
        return self.say(KINDS[kind])

    def told(self, values: Mapping[str, Any]) -> str:
        """Observed or expected values of a finding."""
        parts = []
        for name, value in values.items():
            colon = ":" if isinstance(value, str) and value in VALUES else ""
            parts.append(f"{self._name(name)}{colon} {self._value(name, value)}")
        return ", ".join(parts)

    def _name(self, name: str) -> str:
        return self.say(NAMES[name]) if name in NAMES else name.replace("_", " ")

    def _value(self, name: str, value: object) -> str:
        if isinstance(value, int):
            return self.money(value) if name.endswith("_cents") else str(value)
        if isinstance(value, list | tuple):
            return ", ".join(self._value(name, item) for item in value)
        text = str(value)
        if name in _PSEUDONYMS:
            return text
        if text in CODES:
            return self.card(text)
        if name in ("stakes_closed", "not_after"):
            return datetime.fromisoformat(text).strftime("%H:%M:%S")
        return self.say(VALUES[text]) if text in VALUES else text
