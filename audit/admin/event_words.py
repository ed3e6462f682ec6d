"""What the fields and coded words of the auditor's own events are called, on an entry's page and on
a timeline.
"""

from typing import Final, get_args

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from audit.case_events import (
    ExplanationAsked,
    ExplanationGiven,
    FindingDecided,
    FindingNoted,
    FindingReopened,
    FindingsNumbered,
    NumberedFinding,
)
from audit.draw_events import DrawMade
from audit.events import (
    BookVerified,
    FindingChanges,
    JackpotReplayed,
    LawUsed,
    ReadingTaken,
    ReconciliationFinished,
    ReconciliationStarted,
    RunScope,
    SupersededWhy,
)
from audit.game_events import CheckAnswers
from audit.letter_events import LetterReceived
from audit.models import (
    CaseNote,
    CaseNumber,
    CaseStep,
    DrawCommitment,
    DrawResult,
    Export,
    Finding,
    FindingSupersession,
    GameAnswers,
    Letter,
    LetterReceipt,
    PoolReplay,
    Reconciliation,
    ReconciliationResult,
    ReportIssue,
    SentAlert,
    Verification,
    WebhookSetting,
)
from audit.pages.findings.exposure_words import STANDING
from audit.pages.page_words import GRAVITY, OWED_TO, REPORT_WORDS, RUN_REASONS, STATE
from audit.reports.letters import LETTERS
from casino.web.words import field_words
from casino.web.words.coded_words import NAMED_WORDS

_CHANGES: Final = {"changes": _("findings raised and superseded")}
# What is in no column, or is called otherwise there.
_FIELDS: Final[dict[str, dict[str, Promise]]] = {
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
    ReconciliationStarted.kind: {"scope": _("what is judged")},
    ReconciliationFinished.kind: {"scope": _("what is judged"), **_CHANGES},
    CheckAnswers.__name__: {
        "lawful": _("lawful"),
        "found": _("findings"),
        "undecided": _("not decidable"),
    },
    FindingsNumbered.kind: {"numbers": _("numbers given")},
    NumberedFinding.__name__: {"finding": _("finding"), "case": _("case")},
    ExplanationAsked.kind: {"question": _("question")},
    ExplanationGiven.kind: {"answer": _("explanation"), "remedy": _("remedy")},
    FindingNoted.kind: {"note": _("note")},
    FindingDecided.kind: {"grounds": _("grounds")},
    FindingReopened.kind: {"grounds": _("grounds")},
    FindingChanges.__name__: {
        "raised": _("new findings"),
        "superseded": _("findings that no longer hold"),
        "digest": _("digest"),
    },
    BookVerified.kind: {
        "entries": _("entries read"),
        "why": _("reason"),
        "ids": _("digest of the ids of its rows"),
        **_CHANGES,
    },
    JackpotReplayed.kind: {"why": _("reason"), **_CHANGES},
    DrawMade.kind: {"committed": _("commitment")},
    LetterReceived.kind: {"received_by": _("received by"), "document": _("number of the letter")},
}

for _model in (
    *(Finding, FindingSupersession, GameAnswers, Reconciliation, ReconciliationResult),
    *(DrawCommitment, DrawResult, Export, PoolReplay, ReportIssue, SentAlert, Verification),
    WebhookSetting,
    *(CaseNote, CaseNumber, CaseStep, Letter, LetterReceipt),
):
    field_words.NAMED.update(
        {
            (event.kind, column.name): column.verbose_name
            for event in _model.events
            for column in _model._meta.local_fields
        }
    )
field_words.NAMED.update(
    {(kind, name): said for kind, fields in _FIELDS.items() for name, said in fields.items()}
)
field_words.HELP.update(
    {
        "rounds_wanted": _("At the tables that are drawn; with no table to draw, at all."),
        "rounds_in_reserve": _("For a round that cannot be looked at; drawn after the others."),
        "commitment": _("64 digits and letters, made of the secret as above."),
        "secret": _("Exactly as it was written down."),
        "webhook": _("A name of its own; of one that was set before, what is written here holds."),
        "address": _(
            "https://, at a host the operator allows. Blank: it is told nothing any more."
        ),
    }
)
for _name, _words in (
    ("severity", GRAVITY),
    ("reason", RUN_REASONS),
    ("owed_to", OWED_TO),
    ("paid_to", OWED_TO),
):
    NAMED_WORDS.update({(_name, code): said for code, said in _words.items()})
NAMED_WORDS.update({("state", code): said for code, (_tone, _icon, said) in STATE.items()})
NAMED_WORDS.update({("standing", code): said for code, said in STANDING.items()})
NAMED_WORDS.update(
    {
        ("decision", "upheld"): _("the finding is upheld"),
        ("what", "alerts"): _("alerts"),
        ("what", "digest"): _("digest of the night"),
        ("topic", "finding"): _("findings as they are raised"),
        ("topic", "due"): _("duties as they come due"),
        ("topic", "report"): _("reports as they are ready"),
        ("of_list", "findings"): _("findings"),
        ("of_list", "owed"): _("Sums owed"),
        ("of_list", "readings"): _("Readings"),
        ("of_list", "exposure"): _("Rounds in doubt"),
        ("of_list", "rates"): _("Rates"),
        ("of_list", "night"): _("The night"),
        ("of_list", "comparison"): _("Differences"),
        ("of_list", "report"): _("tables of a report"),
        ("of_list", "jackpot-curve"): _("course of a jackpot's meter"),
    }
)
field_words.HELP.update(
    dict.fromkeys(("question", "answer", "remedy", "grounds"), field_words.HELP["note"])
)
NAMED_WORDS.update({("report", name): label for name, label in REPORT_WORDS.items()})
NAMED_WORDS.update({("letter", name): one.label for name, one in LETTERS.items()})
NAMED_WORDS.update(
    {
        (field, code): said
        for field in ("report_language", "letter_language")
        for code, said in (
            *(("pt", _("Portuguese")), ("en", _("English"))),
            *(("es", _("Spanish")), ("fr", _("French"))),
        )
    }
)
NAMED_WORDS.update(
    {
        ("how", "signed_copy"): _("copy signed by who received it"),
        ("how", "postal_receipt"): _("receipt of the post"),
        ("how", "email_reply"): _("answer by e-mail"),
        ("how", "refused"): _("receipt refused"),
    }
)
NAMED_WORDS.update({("why", code): RUN_REASONS[code] for code in ("asked", "nightly")})
NAMED_WORDS.update({("reason", code): STATE[code][2] for code in get_args(SupersededWhy)})
