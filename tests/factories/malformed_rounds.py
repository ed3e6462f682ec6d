"""A sound round that tells nearly everything, and a table of ways to spoil it.

Each `Spoilt` says which values are put in (path of keys and list positions, joined by dots), at
which JSON path the reader must stop, and whether a JSON Schema can see the fault too.
"""

import copy
import json
from dataclasses import dataclass
from typing import Any

DROP = object()

SOUND: dict[str, Any] = json.loads("""
{"schema": "round/1", "round": "0193479e-6b1c-7c3e-9a54-0c6f2b1d7e10", "table": "BJ-06",
 "partida": "BJ-06/2026-11-20/1", "shoe": 3, "number": 17, "dealer": "P-104", "rulebook": "pt",
 "device": {"id": "SHOE-11", "sequence": 48213},
 "limits": {"minimum_cents": 1000, "maximum_cents": 30000},
 "times": {"stakes_closed": "2026-11-20T22:14:05.120000+00:00", "paid": "2026-11-20T22:15:31Z"},
 "seats_occupied": [1, 5],
 "boxes": [
  {"box": 1, "holder": "J1", "vacant": false, "consent": true,
   "hands": [{"hand": 1, "cards": ["8S", "3D", "TC"], "actions": ["split", "double"]},
             {"hand": 2, "from": 1, "cards": ["8D", "TH"], "actions": ["stand"]}],
   "wagers": [{"owner": "J1", "seat": 1, "kind": "main", "hand": 1, "initial_cents": 2000,
               "stake_cents": 4000, "returned_cents": 8000, "at_once": false},
              {"owner": "J1", "seat": 1, "kind": "main", "hand": 2, "initial_cents": 2000,
               "stake_cents": 2000, "returned_cents": 0},
              {"owner": "J5", "seat": 5, "kind": "main", "hand": 1, "stake_cents": 1000,
               "returned_cents": 2000},
              {"owner": "J1", "kind": "jackpot", "chip": 1, "stake_cents": 250,
               "returned_cents": 0},
              {"owner": "J1", "kind": "insurance", "stake_cents": 500, "returned_cents": 0},
              {"owner": "J5", "kind": "special", "hand": 1, "stake_cents": 0,
               "returned_cents": 0}]},
  {"box": 3, "vacant": true, "decided_by": "J1",
   "hands": [{"hand": 1, "cards": ["9C", "2D", "5H"], "actions": ["hit", "stand"]}],
   "wagers": [{"owner": "J1", "kind": "main", "hand": 1, "stake_cents": 1000,
               "returned_cents": 0}]}],
 "bank": {"cards": ["6H", "9C", "4S"], "voided": [{"card": "2C", "why": "extra"}], "open": [1]},
 "misdealt": [{"card": "KD", "at": {"box": 1, "hand": 2}, "seen": true, "fate": "discard"},
              {"card": "5H", "at": {"box": 1, "hand": 1}, "seen": false, "fate": "hand",
               "to": {"box": 3, "hand": 1}}],
 "dealt": [{"card": "8S", "to": {"box": 1, "hand": 1}}, {"card": "9C", "to": {"box": 3, "hand": 1}},
           {"card": "6H", "to": "bank"}, {"card": "8D", "to": {"box": 1, "hand": 1}},
           {"card": "2D", "to": {"box": 3, "hand": 1}}, {"card": "9C", "to": "bank"},
           {"card": "3D", "to": {"box": 1, "hand": 1}}, {"card": "TC", "to": {"box": 1, "hand": 1}},
           {"card": "TH", "to": {"box": 1, "hand": 2}}, {"card": "KD", "to": "discard"},
           {"card": "5H", "to": {"box": 3, "hand": 1}}, {"card": "4S", "to": "bank"},
           {"card": "2C", "to": "bank"}],
 "warning_card_at": 4}
""")


@dataclass(frozen=True)
class Spoilt:
    """One way to spoil the sound round."""

    changes: dict[str, Any]
    path: str
    schema_sees: bool = True

    def __str__(self) -> str:
        texts = [f"{k}={'dropped' if v is DROP else v!r}" for k, v in self.changes.items()]
        return ", ".join(texts)[:80]


def changed(changes: dict[str, Any]) -> dict[str, Any]:
    """The sound round with other values; `DROP` takes a field away."""
    value = copy.deepcopy(SOUND)
    for path, new in changes.items():
        *way, last = path.split(".")
        here: Any = value
        for step in way:
            here = here[int(step) if isinstance(here, list) else step]
        if new is DROP:
            del here[int(last) if isinstance(here, list) else last]
        elif isinstance(here, list) and last == "+":
            here.append(new)
        else:
            here[int(last) if isinstance(here, list) else last] = new
    return value


def _each(field: str, values: list[Any], path: str | None = None) -> list[Spoilt]:
    """One field with each of several wrong values, refused where the field stands."""
    steps = [f"[{step}]" if step.isdigit() else f".{step}" for step in field.split(".")]
    return [Spoilt({field: value}, path or "$" + "".join(steps)) for value in values]


_NOT_CODES = ["", "J 1", "J/1", "é", "J" * 41, 7, True, None, ["J1"], {"a": "b"}, 1.5]
_NOT_AMOUNTS = [-1, 10**12 + 1, True, False, "1000", None, [], {}]
_NOT_PLACES = [0, -1, 100, True, "1", None, [1]]
_NOT_NUMBERS = [0, -3, 10**9 + 1, True, "3", None]
_NOT_MOMENTS = [
    "2026-11-20T22:14:05",  # naive
    "2026-11-20 22:14:05Z",
    "2026-11-20T22:14:05.1234567Z",
    "2026-11-20T22:14:05,5Z",
    "20261120T221405Z",
    "2026-W47-5T22:14:05Z",
    "2026-11-20T22:14:05+0000",
    "2026-11-20t22:14:05z",
    "2026-11-20",
    "",
    1763676845,
    True,
    None,
]
_BOX = "boxes.0"
_WAGER = "boxes.0.wagers.0"
_RING = {
    f"{_BOX}.hands.0.from": 2,
    f"{_BOX}.hands.+": {"hand": 3, "cards": ["2S", "2H"], "actions": []},
}
_AT = "$.boxes[0]"

WRONG_TYPE_OR_BOUNDS = [
    *_each("schema", ["round/2", "Round/1", 1, None, {}]),
    *_each("round", ["0193479E-6B1C-7C3E-9A54-0C6F2B1D7E10", "0193479e6b1c7c3e9a540c6f2b1d7e10"]),
    *_each("round", ["{0193479e-6b1c-7c3e-9a54-0c6f2b1d7e10}", "", 5, None, []]),
    *_each("table", _NOT_CODES),
    *_each("partida", ["BJ-06", "BJ-06/2026-11-20", "BJ-06/2026-11-20/0", "BJ-06/20261120/1"]),
    *_each("partida", ["BJ-06/2026-11-20/01", "BJ-06/2026-11-20/1/2", "/2026-11-20/1", 1, None]),
    *_each("shoe", _NOT_NUMBERS),
    *_each("number", _NOT_NUMBERS),
    *_each("device", ["SHOE-11", None, []]),
    *_each("device.id", _NOT_CODES),
    *_each("device.sequence", [-1, 2**53, True, "1", None]),
    *_each("dealer", _NOT_CODES),
    *_each("rulebook", _NOT_CODES),
    *_each("limits", [[1000, 30000], None, 5]),
    *_each("limits.minimum_cents", [0, *_NOT_AMOUNTS]),
    *_each("limits.maximum_cents", [0, *_NOT_AMOUNTS]),
    *_each("times", ["now", None, []]),
    *_each("times.paid", _NOT_MOMENTS),
    *_each("seats_occupied", [5, "1", None, {}]),
    *_each("seats_occupied.0", _NOT_PLACES),
    *_each("boxes", [[], {}, None, "none"]),
    *_each("boxes.0", [None, [], "J1", 4]),
    *_each(f"{_BOX}.box", _NOT_PLACES),
    *_each(f"{_BOX}.vacant", [0, "false", None, []]),
    *_each(f"{_BOX}.holder", _NOT_CODES),
    *_each(f"{_BOX}.decided_by", _NOT_CODES),
    *_each(f"{_BOX}.consent", [1, "yes", None]),
    *_each(f"{_BOX}.hands", [None, {}, "8S"]),
    *_each(f"{_BOX}.hands.0", [None, [], 1]),
    *_each(f"{_BOX}.hands.0.hand", _NOT_PLACES),
    *_each(f"{_BOX}.hands.1.from", _NOT_PLACES),
    *_each(f"{_BOX}.hands.0.cards", [None, "8S", [], ["8S"] * 25]),
    *_each(f"{_BOX}.hands.0.cards.1", ["1S", "10S", "as", "S8", "8", "", "8S ", 8, None, ["8S"]]),
    *_each(f"{_BOX}.hands.0.cards.1", [{"8": "S"}, True]),
    *_each(f"{_BOX}.hands.0.actions", [None, "split", {}]),
    *_each(f"{_BOX}.hands.0.actions.1", ["Double", "fold", "", None, 1, ["double"], {"a": 1}]),
    *_each(f"{_BOX}.wagers", [None, {}, 1000]),
    *_each(f"{_BOX}.wagers.0", [None, [], 1000]),
    *_each(f"{_WAGER}.owner", _NOT_CODES),
    *_each(f"{_WAGER}.kind", ["side", "Main", None, 1, ["main"], {}]),
    *_each(f"{_WAGER}.stake_cents", _NOT_AMOUNTS),
    *_each(f"{_WAGER}.returned_cents", _NOT_AMOUNTS),
    *_each(f"{_WAGER}.initial_cents", _NOT_AMOUNTS),
    *_each(f"{_WAGER}.hand", _NOT_PLACES),
    *_each(f"{_WAGER}.seat", _NOT_PLACES),
    *_each(f"{_WAGER}.at_once", [0, "true", None]),
    *_each(f"{_BOX}.wagers.3.chip", [*_NOT_NUMBERS, 1_001]),
    *_each(f"{_BOX}.wagers.3.stake_cents", [10**8 + 1]),
    *_each("bank", [None, [], "6H"]),
    *_each("bank.cards", [None, "6H", ["6H"] * 25]),
    *_each("bank.cards.0", ["ZZ", None, 6]),
    *_each("bank.voided", [None, {}, [{"card": "2C", "why": "extra"}] * 25]),
    *_each("bank.voided.0", [None, "2C"]),
    *_each("bank.voided.0.card", ["?S", None]),
    *_each("bank.voided.0.why", ["lost", None, ["extra"]]),
    *_each("bank.open", [None, 1, "1"]),
    *_each("bank.open.0", _NOT_PLACES),
    *_each("misdealt", [None, {}, 0]),
    *_each("misdealt.0", [None, "KD"]),
    *_each("misdealt.0.card", ["KX", None]),
    *_each("misdealt.0.at", ["table", None, 1, []]),
    *_each("misdealt.0.at.box", _NOT_PLACES),
    *_each("misdealt.0.fate", ["lost", None, []]),
    *_each("misdealt.0.seen", [1, "no", None]),
    *_each("misdealt.1.to", ["bank", None, 3]),
    *_each("misdealt.1.to.hand", _NOT_PLACES),
    *_each("dealt", [None, {}, "8S"]),
    *_each("dealt.0", [None, "8S"]),
    *_each("dealt.0.card", ["8", None, []]),
    *_each("dealt.0.to", ["shoe", None, 1, []]),
    *_each("dealt.0.to.box", _NOT_PLACES),
    *_each("warning_card_at", [-1, True, "4", None]),
    *_each("voided", [None, True, "incident", []]),
    *_each("voided", [{}, {"why": None}, {"why": "whim"}, {"why": []}], "$.voided.why"),
]

FIELDS = [
    *[Spoilt({name: DROP}, f"$.{name}") for name in ("schema", "round", "table", "partida")],
    *[Spoilt({name: DROP}, f"$.{name}") for name in ("boxes", "bank", "misdealt")],
    *[Spoilt({f"{_BOX}.{name}": DROP}, f"{_AT}.{name}") for name in ("box", "vacant", "holder")],
    *[Spoilt({f"{_BOX}.{name}": DROP}, f"{_AT}.{name}") for name in ("hands", "wagers")],
    *[
        Spoilt({f"{_BOX}.hands.1.{name}": DROP}, f"{_AT}.hands[1].{name}")
        for name in ("hand", "cards", "actions")
    ],
    *[
        Spoilt({f"{_WAGER}.{name}": DROP}, f"{_AT}.wagers[0].{name}")
        for name in ("owner", "kind", "stake_cents", "returned_cents", "hand")
    ],
    Spoilt({f"{_BOX}.wagers.3.chip": DROP}, f"{_AT}.wagers[3].chip"),
    Spoilt({f"{_WAGER}.chip": 1}, f"{_AT}.wagers[0].chip"),
    Spoilt({f"{_BOX}.wagers.3.hand": 1}, f"{_AT}.wagers[3].hand"),
    Spoilt({f"{_BOX}.wagers.4.hand": 1}, f"{_AT}.wagers[4].hand"),
    Spoilt({f"{_BOX}.wagers.5.hand": DROP}, f"{_AT}.wagers[5].hand"),
    Spoilt({f"{_BOX}.wagers.5.stake_cents": 1}, f"{_AT}.wagers[5].stake_cents"),
    Spoilt({"boxes.1.holder": "J3"}, "$.boxes[1].holder"),
    Spoilt({"bank.cards": DROP}, "$.bank.cards"),
    Spoilt({"bank.voided": DROP}, "$.bank.voided"),
    Spoilt({"device.sequence": DROP}, "$.device.sequence"),
    Spoilt({"limits.minimum_cents": DROP}, "$.limits.minimum_cents"),
    Spoilt({"misdealt.0.fate": DROP}, "$.misdealt[0].fate"),
    Spoilt({"misdealt.0.to": {"box": 1, "hand": 1}}, "$.misdealt[0].to"),
    Spoilt({"misdealt.1.to": DROP}, "$.misdealt[1].to"),
    Spoilt({"dealt.2.to": DROP}, "$.dealt[2].to"),
    Spoilt({"colour": "red"}, "$.colour"),
    Spoilt({"Round": "x"}, "$.Round"),
    Spoilt({"two words": 1}, '$["two words"]'),
    Spoilt({"": 1}, '$[""]'),
    Spoilt({"gaming_day": "2026-11-20"}, "$.gaming_day"),
    Spoilt({"boxes.1.bust": True}, "$.boxes[1].bust"),
    Spoilt({f"{_BOX}.hands.1.split_from": 1}, f"{_AT}.hands[1].split_from"),
    Spoilt({f"{_WAGER}.won": True}, f"{_AT}.wagers[0].won"),
    Spoilt({"bank.total": 19}, "$.bank.total"),
    Spoilt({"bank.voided.0.by": "x"}, "$.bank.voided[0].by"),
    Spoilt({"times.opened": "2026-11-20T22:14:05Z"}, "$.times.opened"),
    Spoilt({"paper": "12"}, "$.paper"),
    Spoilt({"paper": {"sheet": "12", "why": "other"}}, "$.paper.written_by"),
    Spoilt({"paper": {"sheet": "12", "written_by": "S-1", "why": "rain"}}, "$.paper.why"),
    Spoilt({"limits.step_cents": 5}, "$.limits.step_cents"),
    Spoilt({"misdealt.1.to.seat": 1}, "$.misdealt[1].to.seat"),
    Spoilt({"dealt.0.seen": True}, "$.dealt[0].seen"),
    Spoilt({"voided": {"why": "incident", "by": "F-1"}}, "$.voided.by"),
]

_THIRD_HAND = {"hand": 3, "from": 2, "cards": ["9S", "9H"], "actions": ["stand"]}


def _against(changes: dict[str, Any], path: str) -> Spoilt:
    return Spoilt(changes, path, schema_sees=False)


CONTRADICTIONS = [
    _against({"table": "BJ-07"}, "$.partida"),
    _against({"partida": "BJ-07/2026-11-20/1"}, "$.partida"),
    _against({"partida": "BJ-06/2026-02-30/1"}, "$.partida"),
    _against({"limits.maximum_cents": 999}, "$.limits.maximum_cents"),
    _against({"times.paid": "2026-02-30T00:00:00Z"}, "$.times.paid"),
    _against({"times.paid": "2026-11-20T24:00:01Z"}, "$.times.paid"),
    _against({"times.paid": "2026-11-20T22:14:60Z"}, "$.times.paid"),
    _against({"times.paid": "0001-01-01T00:00:00+01:00"}, "$.times.paid"),
    _against({"times.paid": "2026-11-20T22:14:05+25:00"}, "$.times.paid"),
    _against({"seats_occupied": [5, 1]}, "$.seats_occupied[1]"),
    _against({"boxes.1.box": 1}, "$.boxes[1].box"),
    # Hands among themselves
    _against({f"{_BOX}.hands.1.hand": 3}, f"{_AT}.hands[1].hand"),
    _against({f"{_BOX}.hands.1.hand": 1}, f"{_AT}.hands[1].hand"),
    _against({f"{_BOX}.hands.1.from": DROP}, f"{_AT}.hands[1]"),
    _against({f"{_BOX}.hands.1.from": 9}, f"{_AT}.hands[1].from"),
    _against({f"{_BOX}.hands.1.from": 2}, f"{_AT}.hands[1].from"),
    _against({f"{_BOX}.hands.0.from": 2}, f"{_AT}.hands[0].from"),
    _against(_RING, f"{_AT}.hands[0].from"),
    _against({f"{_BOX}.hands.+": _THIRD_HAND}, f"{_AT}.hands[1].actions"),
    _against({f"{_BOX}.hands.0.actions": ["double"]}, f"{_AT}.hands[0].actions"),
    _against({f"{_BOX}.hands.0.actions": ["split", "split", "hit"]}, f"{_AT}.hands[0].actions"),
    _against({"boxes.1.hands.0.actions": ["hit", "split"]}, "$.boxes[1].hands[0].actions"),
    # Cards against actions
    _against(
        {f"{_BOX}.hands.1.cards": ["8D"], f"{_BOX}.hands.1.actions": ["hit"]},
        f"{_AT}.hands[1].cards",
    ),
    _against({f"{_BOX}.hands.1.cards": ["8D", "TH", "2S"]}, f"{_AT}.hands[1].cards"),
    _against({f"{_BOX}.hands.1.actions": ["hit"]}, f"{_AT}.hands[1].cards"),
    _against({f"{_BOX}.hands.0.actions": ["split"]}, f"{_AT}.hands[0].cards"),
    _against(
        {"boxes.1.hands.0.cards": ["9C", "2D", "5H", "5S", "6S"]}, "$.boxes[1].hands[0].cards"
    ),
    _against(
        {"voided": {"why": "incident"}, "dealt": DROP, f"{_BOX}.hands.1.cards": ["8D"] * 3},
        f"{_AT}.hands[1].cards",
    ),
    # Wagers against each other
    _against({f"{_BOX}.wagers.2.owner": "J1"}, f"{_AT}.wagers[2]"),
    _against({f"{_BOX}.wagers.1.hand": 1}, f"{_AT}.wagers[1]"),
    _against(
        {f"{_BOX}.wagers.1.hand": 1, f"{_BOX}.wagers.1.kind": "even_money"}, f"{_AT}.wagers[1]"
    ),
    _against({f"{_BOX}.wagers.1.hand": 3}, f"{_AT}.wagers[1].hand"),
    _against({f"{_BOX}.wagers.1.initial_cents": 1000}, f"{_AT}.wagers[1].initial_cents"),
    _against({f"{_BOX}.wagers.4.initial_cents": 500}, f"{_AT}.wagers[4].initial_cents"),
    # The bank
    _against({"bank.open": [4]}, "$.bank.open[0]"),
    _against({"bank.open": [3, 1]}, "$.bank.open[1]"),
    _against({"bank.cards.2": "5S"}, "$.dealt"),
    _against({"bank.voided": []}, "$.dealt"),
    # Misdealt cards
    _against({"misdealt.0.at": {"box": 2, "hand": 1}}, "$.misdealt[0].at"),
    _against({"misdealt.0.at": {"box": 3, "hand": 2}}, "$.misdealt[0].at"),
    _against({"misdealt.0.at": "bank"}, "$.misdealt[0].fate"),
    _against({"misdealt.1.to": {"box": 5, "hand": 1}}, "$.misdealt[1].to"),
    _against({"misdealt.1.to": {"box": 1, "hand": 1}}, "$.misdealt[1].card"),
    _against({"misdealt.1.card": "5D"}, "$.misdealt[1].card"),
    _against({"misdealt.0.fate": "bank"}, "$.misdealt[0].card"),
    _against(
        {"misdealt.+": {"card": "5H", "at": "shoe", "fate": "hand", "to": {"box": 3, "hand": 1}}},
        "$.misdealt[2].card",
    ),
    # The dealing order
    _against({"dealt.3.card": "8C"}, f"{_AT}.hands[1].cards[0]"),
    _against({"dealt.3.to": {"box": 1, "hand": 2}}, f"{_AT}.hands[1].cards[0]"),
    _against({"dealt.0": DROP}, "$.dealt"),
    _against({"dealt.9": DROP}, "$.dealt"),
    _against({"dealt.12.to": "discard"}, "$.dealt[12].to"),
    _against({"dealt.+": {"card": "2S", "to": {"box": 6, "hand": 1}}}, "$.dealt"),
    _against({"dealt.6.card": "TC"}, "$.dealt"),
    _against({"dealt": []}, f"{_AT}.hands[1].cards[0]"),
    _against({"dealt.2.card": "9C", "dealt.5.card": "6H"}, "$.dealt"),
    _against({"dealt.1.card": "2D", "dealt.4.card": "9C"}, "$.dealt"),
    _against({"dealt.6.card": "TC", "dealt.7.card": "3D"}, "$.dealt"),
    _against({"dealt.0.card": "8D", "dealt.3.card": "8S"}, "$.dealt"),
    _against({"warning_card_at": 14}, "$.warning_card_at"),
    _against({"warning_card_at": 14, "dealt": DROP}, "$.warning_card_at"),
]

SPOILT = [*WRONG_TYPE_OR_BOUNDS, *FIELDS, *CONTRADICTIONS]
