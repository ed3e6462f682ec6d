"""What the auditor asks of the auditing itself: checks of the house, of no article of any law.

They stand under a rulebook and an article of their own, so that nobody takes them for the law's.
`statement` is a sentence that is true when all is well (an English msgid).
"""

from hashlib import sha256
from typing import Final

from django.utils.translation import gettext_noop as _

from casino.tlog.canonical import canonical

RULEBOOK: Final = "house"
ARTICLE: Final = "house.reconciliation"
HEADING: Final = _("The house's own auditing")
SUMMARY: Final = _(
    "Every gaming day is reconciled once it is over, every run that begins ends, and every record"
    " is judged. Where that did not happen, nobody can say that the day was in order."
)

DAY_RECONCILED: Final = "day_reconciled"
RUN_COMPLETED: Final = "run_completed"
JOB_DONE: Final = "job_done"
RECORD_JUDGED: Final = "record_judged"
ROUND_TOLD_ONCE: Final = "round_told_once"

STATEMENTS: Final = {
    DAY_RECONCILED: _("The gaming day was reconciled within half a day of its end."),
    RUN_COMPLETED: _("The reconciliation that began came to its end."),
    JOB_DONE: _("The job that was decided on was done."),
    RECORD_JUDGED: _("The program could judge the record."),
    ROUND_TOLD_ONCE: _("The round is told by one record alone."),
}

# What stands in the place of a law's digest.
DIGEST: Final = sha256(canonical(STATEMENTS)).hexdigest()
