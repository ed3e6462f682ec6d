"""The words of an explanation: cards, points and articles besides those of every finding."""

from collections.abc import Callable, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Final

from casino.cards import UNKNOWN_SUIT, Card, best_total, hard_total
from casino.events.phrases import marked
from casino.law.rulebook.rulebook import Law, LawInForce
from casino.law.wording.wording import KINDS, FindingWords, Language, Translate

Citing = Callable[[str, str], str]  # an article of a rulebook as it is cited
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


class Words(FindingWords):
    """One rulebook's words in one language, on one day."""

    def __init__(
        self,
        law: Law,
        rules: LawInForce,
        translate: Translate,
        language: Language,
        cited: Citing | None = None,
    ) -> None:
        super().__init__(translate, language)
        self._cited = cited
        self.on_a_page = cited is not None  # a page names a rulebook by its title alone
        self.law = law
        self.rules = rules

    def card(self, card: Card) -> str:
        """A card in words, with what is not known of it."""
        figure = "10" if card[0] == "T" else card[0]
        rank = self.say(RANKS[figure]) if figure in RANKS else figure
        if card[1] == UNKNOWN_SUIT:
            return self.say("%(rank)s (suit not told)", rank=rank)
        return self.say("%(rank)s of %(suit)s", rank=rank, suit=self.say(SUITS[card[1]]))

    def moment(self, moment: str) -> str:
        """The hour alone: the round says its day."""
        return datetime.fromisoformat(moment).strftime("%H:%M:%S")

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
        return self.either(self.law.title_pt, self.law.title_en)

    def cite(self, article: str | None) -> str:
        """An article as its rulebook counts them; nothing where there is none."""
        if article and self._cited is not None:
            return self._cited(self.law.id, article)
        return f"{self.law.cites} {article}" if article else ""

    def by(self, *checks: str) -> str:
        """`` (n.º 18)``: the article that upholds the first of these checks the book has."""
        cited = (self.cite(self.rules.article_of(check)) for check in checks)
        first = next((words for words in cited if words), "")
        return f" ({first})" if first else ""

    def kind(self, kind: str) -> str:
        """What a wager is called."""
        return self.say(KINDS[kind])
