"""Every sentence a finding can show, in both languages, on one page: docs/findings.md.

It is made from the checks, their headings and their words, with invented figures in the gaps, so
that whoever answers for the law's words can read all of them at once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, ClassVar, Final

from audit.reconcile import house_checks, house_headings
from audit.verifier.words import WORDS as VERIFIER
from audit.verifying.words import SENTENCES
from audit.watch import alert_words
from casino.regulation import headings, house_controls, wording
from casino.regulation.checks import ALL_CHECKS
from casino.regulation.headings import Line, gaps
from casino.regulation.law import Law

DAY: Final = date(2026, 11, 20)
# What stands in a gap, by its name; what is told of an hour or an amount by the form of its name.
_SAMPLES: Final[Mapping[str, Any]] = {
    "actions": ["hit", "stand"], "after": ["TH"], "also_at": "BJ-02", "announced_in_round": 3,
    "at_least": 2, "at_most": 1, "bank_shows": "9H", "box": 2, "boxes": 5, "by_day": "2026-11-20",
    "card": 3, "cards": 51, "cards_from_end": 72, "colours": ["red"], "combination": "three_sevens",
    "complaint": "RC-1", "cut_by": "fiscal_de_banca", "day": "2026-11-21", "deck": "D-2",
    "decided_by": "J2", "declined": [1, 2], "decks": ["D-1", "D-2"], "decks_beside": ["D-7"],
    "drawn": ["8D"], "first_two": ["7H", "7S"], "front": "red", "back": "blue",
    "game": "BJ-01/2026-11-20/1", "goes_to": "2/1", "hand": 1, "hold": "H-1", "incident": "I-1",
    "jackpot": "JP-1", "job": "book-verification", "kept": "KS", "kind": "main",
    "left_out": ["D-1"],
    "load": 1, "marking": "manual", "named_as": ["fiscal_de_banca", "pagador"],
    "not_before_box": 3, "number": 4, "office": "fiscal_de_banca", "on_duty_at": ["BJ-02"],
    "one_of": ["BJ-98", "BJ-99"],
    "open": [1, 3], "outcome": "upheld", "owner": "J2",
    "pair": ["8S", "7H"], "percentage": "10", "rank": "ten-valued", "reason": "other",
    "recorded_by": "S-003", "reference": "Despacho 88", "registered_as": "S-0187",
    "result": "missing", "round": 7, "rulebook": "es", "seat": 5, "seats": [1, 2], "shoe": 1,
    "shuffler": "CSM-04", "special": "cut_card", "staff": "S-187", "suit": "hearts",
    "table": "BJ-01", "taken_out": "5C", "terms": "T-1", "totals": [9, 10, 11],
    "trouble": "TimeoutError", "unload": 1, "untold": ["cut_card"], "went_to": "3/1", "why": "?",
    "witness": "S-200",
}  # fmt: skip
# Where a check of each scope looks: before a line that names no place of its own.
_BOX: Final[Mapping[str, Any]] = {"box": 2}
_HAND: Final[Mapping[str, Any]] = {**_BOX, "hand": 1}
_STAKE: Final[Mapping[str, Any]] = {**_HAND, "owner": "J2"}
_DECK: Final[Mapping[str, Any]] = {"deck": "D-2"}
_PLACES: Final[Mapping[str, Mapping[str, Any]]] = {
    "box": _BOX, "vacant": _BOX, "hand": _HAND, "drawn": _HAND, "surrendered": _HAND,
    "doubled": _HAND, "split": _HAND, "stake": _STAKE, "money": _STAKE,
    "side": {"box": 2, "owner": "J2"}, "shoe_on_record": {"shoe": 1}, "deck": _DECK,
    "damage": _DECK, "replacement": _DECK, "load": {"load": 1}, "unload": {"unload": 1},
    "incident": {"incident": "I-1"}, "complaint": {"complaint": "RC-1"},
    "lid": {"shuffler": "CSM-04"}, "jackpot": {"jackpot": "JP-1"},
}  # fmt: skip
# Figures of one check, where those of the others would make no sense of it.
_OF: Final[Mapping[tuple[str, str, str], Any]] = {
    ("number_of_decks_allowed", "o", "decks"): 5, ("number_of_decks_allowed", "e", "decks"): [4, 6],
    ("jackpot_counted_cards_are_lawful", "o", "cards"): 5,
    ("jackpot_counted_cards_are_lawful", "e", "one_of"): [2, 3, 4],
    ("box_exists", "w", "box"): 8, ("box_exists", "e", "at_most"): 7,
    ("boxes_played_are_on_the_table", "w", "box"): 7,
    ("boxes_played_are_on_the_table", "e", "at_most"): 6,
    ("stand_above_eleven", "o", "stood_on"): 11, ("stand_above_eleven", "e", "above"): 11,
    ("bank_draws_to_sixteen", "o", "bank_total"): 16,
    ("bank_draws_to_sixteen", "e", "draws_to"): 16,
    ("burnt_cards_exact", "o", "cards"): 2, ("burnt_cards_exact", "e", "cards"): 1,
    ("dealt_in_order", "o", "cards"): 3, ("dealt_in_order", "e", "cards"): 4,
    ("two_cards_to_each_place", "o", "cards"): 1, ("two_cards_to_each_place", "e", "cards"): 2,
    ("split_hand_asks_a_card", "o", "cards"): 1,
    ("insurance_in_its_moment", "o", "cards_dealt"): 7,
    ("insurance_in_its_moment", "e", "at_least"): 8,
    ("insurance_in_its_moment", "e", "at_most"): 6,
    ("surrender_after_two_cards", "o", "cards_dealt"): 7,
    ("surrender_after_two_cards", "e", "at_most"): 6,
    ("double_one_card", "e", "cards"): 1, ("shuffler_left_empty", "o", "cards"): 2,
    ("even_money_only_blackjack_against_ace", "o", "cards"): 3,
    ("player_boxes_within_maximum", "e", "at_most"): 3, ("lone_player_boxes", "o", "boxes"): 1,
    ("second_bank_card_face_down", "o", "bank_cards"): 1,
    ("surrender_not_against_ace", "o", "bank_shows"): "AS",
    ("no_card_after_bust", "e", "at_most"): 21, ("shuffler_loaded_in_packets", "o", "packets"): 1,
    ("no_round_after_the_last", "o", "round_of_shoe"): 18,
    ("no_round_after_the_last", "e", "last_round_of_shoe"): 17,
    ("last_round_announced", "e", "announced_in_round"): 2,
    ("cards_seen_as_whole_decks_give_them", "o", "cards_seen"): 300,
    ("cards_seen_as_whole_decks_give_them", "o", "times_seen"): 31,
    ("cards_seen_as_whole_decks_give_them", "e", "expected_times"): 75,
}  # fmt: skip
_SEEN_AT, _DUE_BEFORE, _DUE_AFTER = "14", "10", "20"  # minutes past ten
_HOURS: Final = wording.MOMENTS | {"waits_since", "unsigned_since"}
_CARDS: Final = frozenset(
    {"only_a_blackjack_is_paid_as_one", "card_within_decks", "misdealt_card_placed",
     "face_up_card_out_of_play"}
)  # fmt: skip

Translate = Callable[[str], str]


class AllWords(wording.FindingWords):
    """The words of a finding, the auditor's own with them."""

    lines: ClassVar[headings.Headings] = {**wording.HEADINGS, **house_headings.HEADINGS}

    def statement(self, check: str) -> str:
        """What a check asks: the law's, or the house's own."""
        own = house_checks.STATEMENTS
        return self.say(own[check]) if check in own else super().statement(check)


def sentences_page(laws: Sequence[Law], portuguese: Translate) -> str:
    """The page whole; `portuguese` looks a text up in the catalogue."""
    pt, en = AllWords(portuguese, "pt"), AllWords(str, "en")
    blocks = [
        "# What a finding can say",
        "Made by `manage.py finding_sentences --write` from the checks and their words; not to be"
        " edited by hand. The figures are invented. A heading says what happened, the rule below"
        " it what is asked; a heading stands beside each form its figures take.",
    ]
    for title, checks in _groups(laws):
        blocks += [f"## {title}", _checks(checks, laws, pt, en)]
    blocks += [
        "## A payment that another rule fixes",
        _table(
            (
                (f"payment {n}", *_both(line, "payment", pt, en))
                for n, line in enumerate(wording.MONEY_LINES, 1)
            ),
        ),
        "## Why nothing is decided",
        _table((f"`{code}`", pt.say(text), text) for code, text in wording.WHY.items()),
        "## At a table, while something is missing",
        _table(_alerts(pt)),
        "## What a verification of the book finds",
        _table(_of_the_book(pt)),
    ]
    return "\n\n".join(blocks) + "\n"


def _groups(laws: Sequence[Law]) -> Iterable[tuple[str, list[str]]]:
    """The checks under what they are cited by: the first book that has them, else the house."""
    there = {*ALL_CHECKS}
    for law in laws:
        mine = [check for check in law.checks if check in there]
        there -= {*mine}
        if mine:
            yield f"`{law.id}`: {law.title_en}", mine
    own = (*sorted(there), *house_controls.BY_NAME, *house_checks.STATEMENTS)
    yield "The house's own", [check for check in dict.fromkeys(own) if check not in _cited(laws)]
    yield "No longer asked", list(wording.FORMER)


def _cited(laws: Sequence[Law]) -> set[str]:
    return {check for law in laws for check in law.checks}


def _checks(checks: Iterable[str], laws: Sequence[Law], pt: AllWords, en: AllWords) -> str:
    rows: list[tuple[str, str, str]] = []
    for check in checks:
        cited = next(
            (f"{law.cites} {law.checks[check]}" for law in laws if check in law.checks), ""
        )
        name = f"`{check}`" + (f" ({cited})" if cited else "")
        rows.append((f"{name}: rule", pt.statement(check), en.statement(check)))
        rows += [("heading", *_both(line, check, pt, en)) for line in AllWords.lines.get(check, ())]
    return _table(rows)


def _both(line: Line, check: str, pt: AllWords, en: AllWords) -> tuple[str, str]:
    """A line with invented figures, in both languages."""
    known = ALL_CHECKS.get(check)
    place = _PLACES.get(known.scope, {}) if known is not None else {}
    told: dict[str, dict[str, Any]] = {"o": {}, "e": {}, "w": {**place}}
    for part, name, form in gaps(line):
        found = _sample(check, part, name)
        if form in ("and", "or", "list") and not isinstance(found, list):
            found = [found]
        elif form.startswith("n:") and not isinstance(found, int):
            found = 2
        if not isinstance(told[part].get(name), list):
            told[part][name] = found
    for where, asked in line.when.items():
        part, _, name = where.partition(".")
        told[part][name] = _asked(asked, name)
    return tuple(  # type: ignore[return-value]  # of two
        headings.Teller(words, told["w"], told["o"], told["e"], DAY).line(line)
        for words in (pt, en)
    )


def _asked(asked: Any, name: str) -> Any:
    if asked is ...:
        return _SAMPLES[name]
    return asked[0] if isinstance(asked, tuple) else asked


def _sample(check: str, part: str, name: str) -> Any:
    if (check, part, name) in _OF:
        return _OF[check, part, name]
    if name == "office" and check.endswith("_by_a_dealer"):
        return "pagador"
    if name in ("stands_at", "hits_until"):
        return 17 if name == "stands_at" else 21
    if name == "cards" and check == "only_a_blackjack_is_paid_as_one":
        return ["AS", "2C"]
    if name == "card" and check in _CARDS:
        return "5C"
    if name in _HOURS:
        later = _DUE_AFTER if name == "not_before" else _DUE_BEFORE
        return f"2026-11-20T22:{_SEEN_AT if part == 'o' else later}:00+00:00"
    if name.endswith("_cents"):
        return 2_000 if part == "o" else 2_500
    found = _SAMPLES.get(name, 2)
    other = {"seat": 3, "seats": [1, 2, 5], "staff": "S-200", "marking": "automatic", "hand": 2,
             "decided_by": "J5", "shuffler": "CSM-05", "table": "BJ-02", "cards": 52, "shoe": 2,
             "combination": "pair", "game": "BJ-01/2026-11-20/2", "boxes": [6, 7],
             "rulebook": "pt", "cards_from_end": 50, "percentage": "100"}  # fmt: skip
    return other.get(name, found) if part == "e" else found


def _alerts(pt: AllWords) -> Iterable[tuple[str, str, str]]:
    for of, texts in (("found", alert_words.MISSING), ("due", alert_words.DUE)):
        yield from ((f"`{check}` ({of})", pt.say(text), text) for check, text in texts.items())
    yield from ((f"`{what}`", pt.say(text), text) for what, text in alert_words.OF_POOLS.items())


def _of_the_book(pt: AllWords) -> Iterable[tuple[str, str, str]]:
    for code, text in SENTENCES.items():
        yield f"`{code}`", pt.say(text), text
    for code, (_severity, portuguese, english) in VERIFIER.items():
        if code not in SENTENCES:
            yield f"`{code}`", portuguese, english


def _table(rows: Iterable[Sequence[str]]) -> str:
    head = [("of", "português", "English"), ("---", "---", "---")]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |"
        for row in (*head, *rows)
    )
