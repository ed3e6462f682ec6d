"""What is said of a finding, and of why nothing is decided, in a list or in an explanation.

English sentences are the keys of the catalogue. Whoever shows them gives the `translate` that looks
them up, so that this room needs no framework; nothing worded here is ever stored.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import ClassVar, Final

from casino.cards import CODES, UNKNOWN_TEN, Card
from casino.events.phrases import marked
from casino.law.check_registry import ALL_CHECKS
from casino.law.checks.table import house_controls
from casino.law.wording import (
    floor_words,
    headings,
    headings_cards,
    headings_floor,
    headings_house,
    headings_inspection,
    headings_jackpot,
    headings_options,
    headings_other_books,
    headings_people,
    headings_rounds,
    headings_shuffler,
    jackpot_words,
)

Translate = Callable[[str], str]
Language = headings.Language

MONEY_LINES: Final = (*headings_rounds.GOES_BACK, *headings_rounds.PAYMENT)
# What a finding of each check is headed with; a check that is not here by its rule and its figures.
HEADINGS: Final[headings.Headings] = {
    **headings_rounds.HEADINGS,
    **headings_options.HEADINGS,
    **headings_floor.HEADINGS,
    **headings_cards.HEADINGS,
    **headings_shuffler.HEADINGS,
    **headings_other_books.HEADINGS,
    **headings_people.HEADINGS,
    **headings_inspection.HEADINGS,
    **headings_jackpot.HEADINGS,
    **headings_house.HEADINGS,
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
    "deviation": marked("deviation"),
    "warning": marked("warning"),
    "note": marked("note"),
}
# Checks no rulebook asks any more: findings of earlier runs still name them.
FORMER: Final = {
    "no_last_round_with_shuffler": marked(
        "With a continuous shuffler no last round needs to be announced."
    ),
}
# Why a record does not decide a wager: the codes of `WagerVerdict.why`.
WHY: Final = {
    "bank_card_taken_out": marked(
        "a card was taken from the bank that was its own, or may have been, and nobody knows which"
        " would have come"
    ),
    "bank_cards_missing": marked("the record lacks the bank's two first cards"),
    "bank_stopped_below": marked(
        "the bank stopped too early, and nobody knows which cards would have come"
    ),
    "cards_known_no_further": marked(
        "dealt as the law deals them, the cards on record decide it only as far as nobody would"
        " have decided on other cards and the record goes on"
    ),
    "decider_unknown": marked("the record does not tell whose decisions bind this box"),
    "face_up_card_kept": marked(
        "a card that lay open in the shoe stayed in play, and every later card would have been"
        " another"
    ),
    "face_up_card_thrown_away": marked(
        "a card that lay open in the shoe was thrown away, which this rulebook does not say, and"
        " every later card would have been another"
    ),
    "first_stake_unknown": marked("the record does not tell the stake marked before the deal"),
    "hand_left_with_one_card": marked(
        "a hand was left with one card, and every later card would have been another"
    ),
    "jackpot_terms_not_in_the_record": marked(
        "the jackpot is judged by its approved terms, which no round tells"
    ),
    "lawful_stake_untold": marked(
        "the record does not tell whether this stake was lawful, and an unlawful one goes back"
    ),
    "misdealt_card_misdirected": marked(
        "a misdealt card did not go where the law sends it, or nobody told whether it was seen, so"
        " other cards may have been due"
    ),
    "no_cards_dealt": marked("no cards were dealt to this stake"),
    "open_card_unknown": marked("the record does not tell which card the bank showed"),
    "round_voided": marked("the round was voided, and this rulebook does not say what follows"),
    "special_prize_of_others": marked(
        "the rulebook does not say whether those who stake on another's hand share its special"
        " prize"
    ),
    "suit_unknown": marked("the record does not tell every suit"),
    "turned_card_kept": marked(
        "the bank kept a card that was turned, and nobody knows which would have replaced it"
    ),
    "unlawful_stake_of_one": marked(
        "one of several stakes on the box was unlawful, and nobody knows which"
    ),
    "unlawful_surrender": marked(
        "the hand was surrendered where that is not open, and nobody knows how it would have gone"
    ),
}
# What a rulebook may leave open: the parameters behind `not_stated:`.
NOT_STATED: Final = {
    "double.after_split": marked("doubling after a split"),
    "double.totals": marked("doubling"),
    "even_money.pays": marked("even money"),
    "insurance.pays": marked("insurance"),
    "special.pays": marked("the special prize"),
    "split.resplit": marked("splitting again"),
    "surrender.after_split": marked("surrender after a split"),
    "surrender.loses": marked("surrender"),
}
# What a finding observed or expects, by name; a name not here is recorded as it is spelled.
NAMES: Final = {
    "above": marked("more than"),
    "acted_at": marked("moment of the act"),
    "aces_split": marked("aces split"),
    "aces_split_again": marked("aces split again"),
    "actions": marked("decisions"),
    "after": marked("after"),
    "after_standing": marked("cards after standing"),
    "after_surrender": marked("cards after the surrender"),
    "at_least": marked("at least"),
    "at_most": marked("at most"),
    "at_most_cents": marked("at most"),
    "at_once": marked("at once"),
    "invited": marked("invited to it"),
    "known_size": marked("size the witness knows"),
    "on_its_place": marked("on its place"),
    "played_first": marked("hand that played first"),
    "splits": marked("splits"),
    "spoken": marked("a player had spoken"),
    "attested_by": marked("attested by"),
    "bank_cards": marked("cards of the bank"),
    "bank_shows": marked("the bank shows"),
    "bank_total": marked("the bank's total"),
    "soft_total": marked("the bank's total, an ace counting 11"),
    "blackjack": marked("blackjack"),
    "box": marked("box"),
    "boxes": marked("boxes"),
    "card": marked("card"),
    "cards": marked("cards"),
    "cards_dealt": marked("cards dealt by then"),
    "consent": marked("holder's consent"),
    "decided_by": marked("decided by"),
    "drawn": marked("drawn"),
    "draws_to": marked("draws up to"),
    "first_two": marked("first two cards"),
    "goes_to": marked("goes to"),
    "hand": marked("hand"),
    "hands": marked("hands"),
    "own_stakes": marked("stakes on a box of one's own"),
    "again": marked("again in the case"),
    "remedied_from": marked("remedied from"),
    "root": marked("root of the tree"),
    "size": marked("size of the tree"),
    "unsigned_since": marked("not signed since"),
    "waits_for": marked("still wanted"),
    "hits_until": marked("asks until"),
    "insurance_or": marked("insurance or"),
    "kept": marked("kept"),
    "kind": marked("kind"),
    "last_round_of_shoe": marked("last round of the shoe"),
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
    "round_of_shoe": marked("round of the shoe"),
    "seen": marked("seen"),
    "split": marked("split"),
    "stake_cents": marked("stake"),
    "staked_hand": marked("staked hand"),
    "staked_hands": marked("staked hands"),
    "stakes_cents": marked("stakes"),
    "stakes_closed": marked("stakes closed"),
    "stands_at": marked("stands at"),
    "stood_on": marked("stood on"),
    "taken_out": marked("taken out"),
    "times": marked("times"),
    "times_in_shoe": marked("times in the shoe"),
    "total": marked("total"),
    "totals": marked("totals"),
    "went_to": marked("went to"),
    "why": marked("as"),
    "with": marked("with"),
    "also_at": marked("also at"),
    "burns": marked("burnt cards told"),
    "by": marked("by"),
    "cards_from_end": marked("cards from the end"),
    "chips": marked("chips"),
    "colours": marked("colours in common"),
    "counted_cents": marked("chips counted"),
    "missing_cents": marked("chips missing"),
    "surplus_cents": marked("chips too many"),
    "back_colours": marked("colours of the backs"),
    "card_colour": marked("colour of the card"),
    "card_colours": marked("colours of the card"),
    "used_cards_turned": marked("used cards parted and turned"),
    "of_each_colour": marked("decks of each back colour"),
    "communications": marked("communications"),
    "cycles": marked("cycles"),
    "rulebook": marked("rulebook"),
    "cut_by": marked("cut by"),
    "cuts": marked("cuts"),
    "declined": marked("declined by seats"),
    "exhibitions": marked("exhibitions"),
    "foreign": marked("cards of another deck"),
    "holds_office": marked("holds the office"),
    "in_order": marked("in order"),
    "in_rows": marked("in rows"),
    "left_out": marked("decks left out"),
    "loads": marked("loads"),
    "moment": marked("moment"),
    "openings": marked("openings of the lid"),
    "records": marked("records"),
    "office": marked("office"),
    "on_duty": marked("on duty"),
    "on_record": marked("on record then"),
    "one_of_them": marked("one of the two"),
    "packets": marked("packets"),
    "passes": marked("passes"),
    "replaced": marked("replaced"),
    "recorded_by": marked("recorded by"),
    "registered_as": marked("registered already as"),
    "result": marked("result"),
    "seat": marked("seat"),
    "shuffles": marked("shuffles"),
    "solved": marked("solved"),
    "special_card": marked("with a special card"),
    "staff": marked("staff number"),
    "table": marked("table"),
    "technician_called": marked("technician asked for"),
    "tolerance": marked("tolerance"),
    "warnings": marked("warning cards told"),
    "witness": marked("witness"),
    "witnesses": marked("witnesses"),
    **floor_words.NAMES,
    **jackpot_words.NAMES,
}
# What a finding observed or expects that is neither figure, card, moment nor pseudonym.
VALUES: Final = {
    "ace": marked("ace"),
    "ace and ten": marked("ace and ten"),
    "again": marked("again"),
    "bank": marked("bank"),
    "discard": marked("discard corner"),
    "equal_value": marked("equal value"),
    "explanation": marked("explanation"),
    "payment": marked("payment"),
    "extra": marked("one too many"),
    "face_up": marked("open in the shoe"),
    "hand": marked("hand"),
    "no": marked("no"),
    "no ace": marked("no ace"),
    "once": marked("once"),
    "one at least": marked("one at least"),
    "turned": marked("turned"),
    "yes": marked("yes"),
    "another_person": marked("another person"),
    "card": marked("card"),
    "chefia_da_sala": marked("chefia da sala"),
    "conform": marked("conform"),
    "fiscal_chefe": marked("fiscal-chefe"),
    "fiscal_de_banca": marked("fiscal de banca"),
    "machine": marked("machine"),
    "missing": marked("cards missing"),
    "nobody": marked("nobody"),
    "nothing": marked("nothing"),
    "pagador": marked("dealer"),
    "seat": marked("a seat"),
    **KINDS,
    **ACTIONS,
    **floor_words.VALUES,
    **jackpot_words.VALUES,
}
_PSEUDONYMS: Final = frozenset(
    {
        "owner",
        "decided_by",
        "witness",
        "staff",
        "recorded_by",
        "registered_as",
        "deck",
        "incident",
        "also_at",
        "table",
        "shuffler",
        "game",
    }
)
MOMENTS: Final = (
    frozenset({"moment", "acted_at", "stakes_closed", "not_after"})
    | floor_words.MOMENTS
    | jackpot_words.MOMENTS
)
PIPS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_COURT: Final = {"J": "V", "Q": "D", "K": "R"}  # valete, dama, rei; valet, dame, roi
# What stands on the court cards, where it is not the English letter.
LETTERS: Final[Mapping[str, Mapping[str, str]]] = {"pt": _COURT, "fr": _COURT}
_POINT: Final = {"pt": (" ", ","), "en": (",", "."), "es": (".", ","), "fr": ("\u202f", ",")}
ONE_IN: Final = "_a_false_alarm"  # how a figure ends that says one false alarm in how many


class FindingWords:
    """The words of findings in one language, as short as a list wants them.

    Whoever has more room says `card`, `cards` and `moment` otherwise.
    """

    lines: ClassVar[headings.Headings] = HEADINGS

    def __init__(self, translate: Translate, language: Language) -> None:
        self.translate = translate
        self.language = language
        self.thousands, self._decimal = _POINT[language]

    def say(self, text: str, /, **values: object) -> str:
        """A sentence of the catalogue with its gaps filled."""
        wording = self.translate(text)
        return wording % values if values else wording

    def either(self, pt: str, en: str) -> str:
        """Of a text in both of the house's languages that of these words; in another language it
        stands in the catalogue, under the English.
        """
        return pt if self.language == "pt" else self.translate(en)

    def money(self, cents: int) -> str:
        """Cents as the language writes amounts: ``1 234,56`` or ``1,234.56``.

        No currency: a record names none.
        """
        whole, rest = divmod(abs(cents), 100)
        grouped = f"{whole:,}".replace(",", self.thousands)
        return f"{'-' if cents < 0 else ''}{grouped}{self._decimal}{rest:02d}"

    def card(self, card: Card) -> str:
        """A card as it is printed: ``10♠``, in Portuguese ``V♠``; an unknown suit is left out."""
        letters = LETTERS.get(self.language, {})
        rank = {"T": "10", UNKNOWN_TEN: "10", **letters}.get(card[0], card[0])
        return rank + PIPS.get(card[1], "")

    def cards(self, cards: Sequence[Card]) -> str:
        """Several cards, in their order."""
        return " ".join(self.card(card) for card in cards)

    def moment(self, moment: str) -> str:
        """A moment as it was recorded, ISO 8601."""
        return moment

    def local(self, moment: datetime) -> datetime:
        """A moment by the clock of whoever reads it: here as it was recorded."""
        return moment

    def heading(
        self,
        check: str,
        where: Mapping[str, object],
        observed: Mapping[str, object],
        expected: Mapping[str, object],
        day: date | None = None,
    ) -> str:
        """What happened, in one sentence; `day` is the gaming day, whose hours need no date."""
        say = headings.HeadingWriter(self, where, observed, expected, day)
        lines = (*self.lines.get(check, ()), *self._of_money(check, observed, expected))
        line = headings.fitting(lines, where, observed, expected)
        if line is not None:
            return say.line(line)
        statement = self.statement(check).removesuffix(".")
        return say.by_the_rule(statement, self.format(observed), self.format(expected))

    @staticmethod
    def _of_money(
        check: str, observed: Mapping[str, object], expected: Mapping[str, object]
    ) -> Sequence[headings.Line]:
        if "returned_cents" not in observed or "returned_cents" not in expected:
            return ()
        known = ALL_CHECKS.get(check)
        unlawful = known is not None and known.unlawful_stake
        return headings_rounds.GOES_BACK if unlawful else headings_rounds.PAYMENT

    def severity(self, severity: str) -> str:
        """How grave a finding is."""
        return self.say(SEVERITIES[severity])

    def statement(self, check: str) -> str:
        """What the law asks, in one sentence; a check that is not ours by its name."""
        if check in FORMER:
            return self.say(FORMER[check])
        known = ALL_CHECKS.get(check) or house_controls.BY_NAME.get(check)
        return self.say(known.statement) if known is not None else check

    def why(self, code: str | None) -> str:
        """Why a record decides nothing (`WagerVerdict.why`); a code that is not ours as it is."""
        code = code or ""
        if not code.startswith("not_stated:"):
            return self.say(WHY[code]) if code in WHY else code
        name = code.removeprefix("not_stated:")
        if name in ALL_CHECKS:
            statement = self.statement(name).removesuffix(".")
            return self.say("this rulebook does not say: %(statement)s", statement=statement)
        option = self.say(NOT_STATED[name]) if name in NOT_STATED else name
        return self.say("this rulebook does not state %(option)s", option=option)

    def format(self, values: Mapping[str, object]) -> str:
        """Observed or expected values of a finding, each behind its name."""
        parts = []
        for name, value in values.items():
            colon = ":" if isinstance(value, str) and value in VALUES else ""
            parts.append(f"{self._name(name)}{colon} {self.value(name, value)}")
        return ", ".join(parts)

    def value(self, name: str, value: object) -> str:
        """One value; its name says whether it is cents, a moment or a pseudonym."""
        if isinstance(value, int):
            if name == "likelier" or name.endswith(ONE_IN):
                return f"{value:,}".replace(",", self.thousands)
            return self.money(value) if name.endswith("_cents") else str(value)
        if isinstance(value, list | tuple):
            if value and all(one in CODES for one in value):
                return self.cards(value)
            return ", ".join(self.value(name, one) for one in value) or self.say("none")
        text = str(value)
        if name in headings.DAYS:
            return headings.day_words(text)
        if not text:
            return self.say(VALUES["nothing"])
        if name in _PSEUDONYMS:
            return text
        if text in CODES:
            return self.card(text)
        if name in MOMENTS:
            return self.moment(text)
        return self.say(VALUES[text]) if text in VALUES else text

    def _name(self, name: str) -> str:
        return self.say(NAMES[name]) if name in NAMES else name.replace("_", " ")
