"""What the auditor asks of the auditing, of the book, of the house's own deadlines and of its
register: checks of no article of a rulebook.

They stand under a rulebook and an article of their own, so that nobody takes them for the law's.
Statements are English msgids.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Final, NamedTuple

from audit import case_events
from casino.events.phrases import marked as _
from casino.law.check_registry import ALL_CHECKS
from casino.law.checks.table import house_controls
from casino.law.finding import Severity
from casino.law.rulebook import controls
from casino.tlog.canonical import canonical

RULEBOOK: Final = house_controls.RULEBOOK
ARTICLE: Final = "house.reconciliation"
HEADING: Final = _("The house's own auditing")
SUMMARY: Final = _(
    "Every gaming day is reconciled once it is over, every run that begins ends, and every record"
    " is judged. Where that did not happen, nobody can say that the day was in order."
)
BOOK: Final = "house.book"
BOOK_HEADING: Final = _("The book itself")
BOOK_SUMMARY: Final = _(
    "The book is as it was written, sealed within a minute, and verified every night. Where it is"
    " not, somebody changed it beside the program, or the program does not do its work."
)
FLOOR: Final = "house.floor"
FLOOR_HEADING: Final = _("The house's deadlines")
FLOOR_SUMMARY: Final = _(
    "What goes wrong on the floor is settled, made known and answered within the time the house"
    " allows itself, and recordings that are held are not forgotten: the law has recordings"
    " destroyed after thirty days (Lei do Jogo, art. 52) unless something is looked into."
)

REGISTER: Final = "house.register"
REGISTER_HEADING: Final = _("The house's register")
REGISTER_SUMMARY: Final = _(
    "Decks are received and destroyed, chips and drop boxes counted, a machine looked through,"
    " prizes of a jackpot paid and its meter corrected, high offices given and ended and keys of"
    " the house changed by two persons;"
    " whoever is paid a large prize is identified (Lei 83/2017);"
    " a shuffler is dealt from only while it is registered, approved by the inspection service"
    " (Portaria 461/2001, n.º 3) and in service."
)

CASES: Final = case_events.ARTICLE
CASES_HEADING: Final = _("Cases")
CASES_SUMMARY: Final = _(
    "The house explains a finding, and pays what a decision says is owed, within the time it allows"
    " itself by how grave the finding is; and what it says it has remedied does not come back."
)

LAW: Final = "house.law"
LAW_HEADING: Final = _("The rulebooks' figures")
LAW_SUMMARY: Final = _(
    "Each figure of a rulebook in use is compared with the official text at least once a year:"
    " by whoever keeps the rulebook, or by bringing the text, where its numbers agree. A figure is"
    " changed in the book by two persons of the direction, before the day from which it holds."
)

DAY_RECONCILED: Final = "day_reconciled"
RUN_COMPLETED: Final = "run_completed"
JOB_DONE: Final = "job_done"
RECORD_JUDGED: Final = "record_judged"
ROUND_RECORDED_ONCE: Final = "round_told_once"

BOOK_WHOLE: Final = "book_whole"
PROJECTIONS_FOLLOW: Final = "shelves_follow_the_book"
PRIVATE_KEPT: Final = "private_values_kept"
SEALED_IN_TIME: Final = "book_sealed_in_time"
WITNESS_AGREES: Final = "log_witness_sees_one_book"
WITNESS_ANSWERS: Final = "log_witness_signs_in_time"
SCHEMA_UNCHANGED: Final = "schema_unchanged"
CLOCK_STEADY: Final = "clock_steady"
BOOK_VERIFIED: Final = "book_verified"
POOL_KEPT: Final = "jackpot_value_follows_the_book"
POOL_REPLAYED: Final = "jackpot_replayed"

INCIDENT_SETTLED: Final = "incident_settled_in_time"
DEFECT_MADE_KNOWN: Final = "defective_deck_made_known_in_time"
COMPLAINT_ANSWERED: Final = "complaint_of_no_game_answered_in_time"
FOOTAGE_DECIDED: Final = "held_footage_decided_on_in_time"
FOOTAGE_HELD: Final = "footage_of_what_is_open_held_in_time"

CASE_IN_TIME: Final = "case_taken_further_in_time"
REMEDY_KEPT: Final = "remedied_cause_stays_away"

FIGURES_CONFIRMED: Final = "figures_confirmed_within_a_year"
FIGURES_BY_TWO: Final = "figures_set_by_two_before_their_day"

TWO_PERSONS: Final = "done_by_two_persons"
OFFICE_BY_TWO: Final = "high_office_changed_by_two"
SHUFFLER_FIT: Final = "shuffler_registered_approved_in_service"
IDENTIFIED: Final = "winner_of_a_large_prize_identified"


class HouseCheck(NamedTuple):
    """A check of the house's own work: the article it stands under, a sentence that is true when
    all is well, and how grave it is where it is not.
    """

    article: str
    statement: str
    severity: Severity = "deviation"


# Those about the book itself are as grave as any breach, of whatever it tells.
CHECKS: Final[Mapping[str, HouseCheck]] = {
    DAY_RECONCILED: HouseCheck(
        ARTICLE, _("The gaming day was reconciled within twelve hours of its end.")
    ),
    RUN_COMPLETED: HouseCheck(ARTICLE, _("The reconciliation that began came to its end.")),
    JOB_DONE: HouseCheck(ARTICLE, _("The job that was decided on was done.")),
    RECORD_JUDGED: HouseCheck(ARTICLE, _("The program could judge the record.")),
    ROUND_RECORDED_ONCE: HouseCheck(
        ARTICLE, _("The round is told by one record alone."), "warning"
    ),
    BOOK_WHOLE: HouseCheck(
        BOOK, _("Entries, tree and seal of the book are as they were written."), "breach"
    ),
    PROJECTIONS_FOLLOW: HouseCheck(
        BOOK, _("Every row of the tables says what its entry says."), "breach"
    ),
    PRIVATE_KEPT: HouseCheck(
        BOOK,
        _(
            "Private values and files are those the book names, and none is gone without an"
            " erasure."
        ),
        "breach",
    ),
    SEALED_IN_TIME: HouseCheck(
        BOOK, _("An entry has its place in the tree, and is sealed, within a minute."), "warning"
    ),
    WITNESS_AGREES: HouseCheck(
        BOOK,
        _("Each witness of the log sees that the book continues what it saw before."),
        "breach",
    ),
    WITNESS_ANSWERS: HouseCheck(
        BOOK,
        _("Each witness of the log signs a checkpoint within a quarter of an hour."),
        "warning",
    ),
    SCHEMA_UNCHANGED: HouseCheck(
        BOOK, _("Tables, guards and rights of the database are as the book records them."), "breach"
    ),
    CLOCK_STEADY: HouseCheck(BOOK, _("The database's clock never runs back."), "warning"),
    BOOK_VERIFIED: HouseCheck(
        BOOK, _("The book was verified once the gaming day was over."), "breach"
    ),
    POOL_KEPT: HouseCheck(
        BOOK, _("The value that displays are given is the one the book's entries make."), "breach"
    ),
    POOL_REPLAYED: HouseCheck(
        BOOK, _("Every jackpot was replayed from the book once the gaming day was over."), "breach"
    ),
    INCIDENT_SETTLED: HouseCheck(
        FLOOR, _("An incident is settled within the time the house allows."), "warning"
    ),
    DEFECT_MADE_KNOWN: HouseCheck(
        FLOOR,
        _("A deck that is not whole is made known to the inspection service in time."),
        "warning",
    ),
    COMPLAINT_ANSWERED: HouseCheck(
        FLOOR, _("A complaint about no single game is answered in time."), "warning"
    ),
    FOOTAGE_DECIDED: HouseCheck(
        FLOOR,
        _("Recordings that are held are handed over, or held again, before their days run out."),
    ),
    FOOTAGE_HELD: HouseCheck(
        FLOOR, _("Recordings of what is still open are held before their days run out.")
    ),
    CASE_IN_TIME: HouseCheck(
        CASES, _("A finding is explained, and what is owed is paid, in time."), "warning"
    ),
    REMEDY_KEPT: HouseCheck(
        CASES, _("What the house says it has remedied does not happen again at that table.")
    ),
    FIGURES_CONFIRMED: HouseCheck(
        LAW,
        _("Every figure of a rulebook in use was compared with the official text within a year."),
        "warning",
    ),
    FIGURES_BY_TWO: HouseCheck(
        LAW,
        _(
            "Figures set in the book were asked for by one person and approved by another before"
            " their first day, and the rulebook can hold them."
        ),
        "breach",
    ),
    TWO_PERSONS: HouseCheck(
        REGISTER, _("What the house asks two persons to do is done by two."), "warning"
    ),
    OFFICE_BY_TWO: HouseCheck(
        REGISTER,
        _("A high office is given and ended by two persons: one asks, another decides."),
    ),
    SHUFFLER_FIT: HouseCheck(
        REGISTER, _("A shuffler in use is registered, approved and in service.")
    ),
    IDENTIFIED: HouseCheck(
        REGISTER, _("Whoever is paid a large prize of a jackpot is identified."), "warning"
    ),
}
# The deadlines of the house, and what its register has to show.
OF_THE_FLOOR: Final = frozenset(name for name, one in CHECKS.items() if one.article == FLOOR)
OF_THE_REGISTER: Final = frozenset(name for name, one in CHECKS.items() if one.article == REGISTER)
# Whether the book is as it was written, and whether what has to be done every night was done.
INTEGRITY: Final = frozenset(
    {BOOK_WHOLE, PROJECTIONS_FOLLOW, PRIVATE_KEPT, SEALED_IN_TIME, SCHEMA_UNCHANGED}
    | {CLOCK_STEADY, POOL_KEPT, WITNESS_AGREES, WITNESS_ANSWERS}
)
NIGHTLY: Final = frozenset({DAY_RECONCILED, RUN_COMPLETED, JOB_DONE, BOOK_VERIFIED, POOL_REPLAYED})
OF_THE_WHOLE: Final = INTEGRITY | NIGHTLY
# Asked with the game (`casino.law.checks.table.house_controls`).
OF_A_GAME: Final = house_controls.ARTICLE_OF

STATEMENTS: Final = {
    **{name: check.statement for name, check in CHECKS.items()},
    **{name: check.statement for name, check in house_controls.BY_NAME.items()},
    **{name: ALL_CHECKS[name].statement for name in controls.ARTICLE_OF},
}

_HEADINGS: Final = {
    BOOK: BOOK_HEADING,
    FLOOR: FLOOR_HEADING,
    REGISTER: REGISTER_HEADING,
    CASES: CASES_HEADING,
    LAW: LAW_HEADING,
    **{article: part.heading for article, part in house_controls.ARTICLES.items()},
}
_SUMMARIES: Final = {
    BOOK: BOOK_SUMMARY,
    FLOOR: FLOOR_SUMMARY,
    REGISTER: REGISTER_SUMMARY,
    CASES: CASES_SUMMARY,
    LAW: LAW_SUMMARY,
    **{article: part.summary for article, part in house_controls.ARTICLES.items()},
}

# What its articles and checks are called where an entry of the book names one.
WORDS: Final = {**STATEMENTS, **_HEADINGS, ARTICLE: HEADING}

# The articles of the house that are asked of no game: of its register, its deadlines, its auditing.
OF_ITS_WORK: Final = (REGISTER, FLOOR, CASES, LAW, ARTICLE, BOOK)
# What stands in the place of a law's digest.
DIGEST: Final = sha256(canonical(STATEMENTS)).hexdigest()


def article_of(check: str) -> str:
    """The article a check of the house stands under."""
    return CHECKS[check].article if check in CHECKS else OF_A_GAME.get(check, ARTICLE)


def severity_of(check: str) -> Severity:
    """How grave it is where a check of the house was not met."""
    if check in CHECKS:
        return CHECKS[check].severity
    asked = house_controls.BY_NAME.get(check)
    return "warning" if asked is not None and asked.severity == "warning" else "deviation"


def heading_of(article: str) -> str:
    """What an article of the house is called (an English msgid)."""
    return _HEADINGS.get(article, HEADING)


def summary_of(article: str) -> str:
    """What an article of the house asks (an English msgid)."""
    return _SUMMARIES.get(article, SUMMARY)
