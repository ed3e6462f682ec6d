"""What Prometheus is told of the audit: what stands open, what stands still."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from django.db.models import Count, Max, Min
from prometheus_client.core import Metric

from audit.audit_queries import open_findings
from audit.models import Mail, ReconciliationResult, RunSheet, WatchLook, WebhookPost
from audit.models.audit_jobs import OPEN
from audit.watch.alert_words import OF_THE_HOUSE
from audit.watch.silent import silent
from casino.law.rulebook.rulebook_file import counted_as
from casino.web.monitoring.house_figures import age, gauge, moment

_OF_FINDING: Final = ("rulebook", "article", "severity")


def of_audit(now: datetime) -> Iterator[Metric]:
    """Findings, runs, looks of the watch, mails; what is an alert for standing still."""
    found = Counter[tuple[str, ...]]()
    rows = open_findings().order_by().values_list(*_OF_FINDING).annotate(Count("pk"))
    for rulebook, article, severity, number in rows:
        found[rulebook, article, counted_as(severity, rulebook)] += number
    labels = ("rulebook", "article", "gravity")
    yield gauge("findings_open", "Findings that stand, by what they cite.", found.items(), *labels)
    ended = ReconciliationResult.objects.filter(rulebook="").aggregate(at=Max("recorded_at"))["at"]
    words = "When the last reconciliation ended."
    yield moment("reconciliation_timestamp_seconds", words, [((), ended)])
    runs = RunSheet.objects.filter(state=OPEN).aggregate(n=Count("pk"), since=Min("opened_at"))
    yield gauge("runs_open", "Reconciliations under way.", runs["n"])
    yield gauge("run_oldest_seconds", "Since when the oldest is.", age(runs["since"], now))
    looks = [((which,), at) for which, at in WatchLook.objects.values_list("which", "at")]
    words = "When a look of the watch ended: beat, broker, worker and database all worked then."
    yield moment("watch_look_timestamp_seconds", words, looks, "look")
    waiting = Mail.objects.filter(next_at__isnull=False).aggregate(n=Count("pk"), at=Min("made_at"))
    given_up = Mail.objects.filter(given_up_at__isnull=False).count()
    by_state = [(("waiting",), waiting["n"]), (("given_up",), given_up)]
    yield gauge("mails", "Mails that have not left.", by_state, "state")
    yield gauge("mail_oldest_seconds", "Since when the oldest waits.", age(waiting["at"], now))
    posts = WebhookPost.objects.filter(next_at__isnull=False)
    posts_given_up = WebhookPost.objects.filter(given_up_at__isnull=False).count()
    by_state = [(("waiting",), posts.count()), (("given_up",), posts_given_up)]
    words = "What programs were to be told and was not taken."
    yield gauge("webhook_posts", words, by_state, "state")
    still = Counter({(what,): 0 for what in OF_THE_HOUSE})
    still.update((one.what,) for one in silent(now))
    yield gauge("stands_still", "What is an alert for standing still.", still.items(), "what")
