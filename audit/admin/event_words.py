"""What the fields and coded words of the auditor's own events are called, on an entry's page and on
a timeline.
"""

from typing import Any, Final, get_args

from django.utils.translation import gettext_lazy as _

from audit.events import (
    BookVerified,
    ExportMade,
    FindingChanges,
    FindingRaised,
    FindingRaisedByIds,
    FindingSuperseded,
    FindingSupersededOnce,
    JackpotReplayed,
    LawUsed,
    ReadingTaken,
    ReconciliationFinished,
    ReconciliationStarted,
    RunScope,
    SupersededWhy,
)
from audit.game_events import CheckAnswers, GameJudged
from audit.pages.page_words import GRAVITY, OWED_TO, RUN_REASONS, STATE
from casino.web.words import field_words
from casino.web.words.coded_words import NAMED_WORDS

_RUN: Final = {"scope": _("what is judged"), "run": _("run")}
_RAISED: Final = {
    "key": _("key"),
    "severity": _("gravity"),
    "gaming_day": _("gaming day"),
    "evidence": _("evidence"),
    "where": _("where"),
    "observed": _("observed"),
    "expected": _("expected"),
    "owed_cents": _("owed"),
    "readings": _("readings"),
    "run": _("run"),
    "law": _("digest of the rulebook"),
    "owed_to": _("owed to"),
}
_SUPERSEDED: Final = {"finding": _("finding"), "run": _("run"), "by": _("by")}
_CHANGES: Final = {"changes": _("findings raised and superseded")}
_FIELDS: Final[dict[str, dict[str, Any]]] = {
    RunScope.__name__: {
        "from_day": _("from the gaming day"),
        "to_day": _("to the gaming day"),
        "tables": _("tables"),
        "rulebook": _("judged under"),
        "readings": _("readings taken otherwise"),
        "law_day": _("the rulebook as of"),
    },
    ReadingTaken.__name__: {"reading": _("reading"), "choice": _("choice")},
    LawUsed.__name__: {"sha256": _("digest")},
    ReconciliationStarted.kind: {
        **_RUN,
        "code_version": _("program"),
        "laws": _("rulebooks"),
        "parts": _("parts"),
        "previous": _("run before"),
        "asked_by": _("asked for by"),
    },
    ReconciliationFinished.kind: {
        **_RUN,
        "entries": _("entries read"),
        "rounds": _("rounds judged"),
        "findings": _("findings"),
        "raised": _("new findings"),
        "superseded": _("findings cured"),
        "undecided": _("not decidable"),
        "digest": _("digest"),
        "read_up_to": _("read up to"),
        "lawful": _("lawful"),
        "not_judged": _("not judged"),
        **_CHANGES,
    },
    CheckAnswers.__name__: {
        "lawful": _("lawful"),
        "found": _("findings"),
        "undecided": _("not decidable"),
    },
    GameJudged.kind: {
        "run": _("run"),
        "part": _("part"),
        "rounds": _("rounds judged"),
        "not_judged": _("not judged"),
        "answers": _("answers of the checks"),
    },
    FindingChanges.__name__: {
        "raised": _("new findings"),
        "superseded": _("findings that no longer hold"),
        "digest": _("digest"),
    },
    FindingRaisedByIds.kind: _RAISED,
    FindingRaised.kind: _RAISED,
    FindingSupersededOnce.kind: _SUPERSEDED,
    FindingSuperseded.kind: {
        **_SUPERSEDED,
        "successor": _("cited anew as"),
        "cured_by": _("cured by"),
    },
    BookVerified.kind: {
        "size": _("size"),
        "entries": _("entries read"),
        "problems": _("problems"),
        "why": _("reason"),
        "run": _("run"),
        "root": _("root"),
        "asked_by": _("asked for by"),
        "kept": _("kept checkpoint held against"),
        "ids": _("digest of the ids of its rows"),
        **_CHANGES,
    },
    JackpotReplayed.kind: {
        "run": _("run"),
        "why": _("reason"),
        "entries": _("entries read"),
        "microcents": _("meter by the entries"),
        "held_cents": _("held for wins"),
        "kept_microcents": _("meter as it is kept"),
        "difference_microcents": _("difference"),
        "misfits": _("entries that do not fit"),
        "problems": _("problems"),
        "read_up_to": _("read up to"),
        "asked_by": _("asked for by"),
        **_CHANGES,
    },
    ExportMade.kind: {
        "extent": _("extent"),
        "of_list": _("list"),
        "asked_by": _("asked for by"),
        "entries": _("entries"),
        "size": _("size"),
        "root": _("root"),
        "openings": _("with private values"),
        "of_table": _("table"),
        "from_index": _("from index"),
        "to_index": _("to index"),
    },
}

field_words.NAMED.update(
    {(kind, name): said for kind, fields in _FIELDS.items() for name, said in fields.items()}
)
for _name, _words in (("severity", GRAVITY), ("reason", RUN_REASONS), ("owed_to", OWED_TO)):
    NAMED_WORDS.update({(_name, code): said for code, said in _words.items()})
NAMED_WORDS.update(
    {
        ("of_list", "findings"): _("findings"),
        ("of_list", "owed"): _("Sums owed"),
        ("of_list", "exposure"): _("Rounds in doubt"),
        ("of_list", "jackpot-curve"): _("course of a jackpot's meter"),
    }
)
NAMED_WORDS.update({("why", code): RUN_REASONS[code] for code in ("asked", "nightly")})
NAMED_WORDS.update({("reason", code): STATE[code][2] for code in get_args(SupersededWhy)})
