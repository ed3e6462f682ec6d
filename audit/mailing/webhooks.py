"""Webhooks: what is new is sent to programs of others, made once, signed, until it is taken.

Beside the mails, by the same loop: kept before it leaves, tried again with growing pauses, given up
after a day in words. At least once: a worker that dies between the answer and its own note sends it
again with the same id, by which its receiver knows it. Headers and signature are those of Standard
Webhooks (https://www.standardwebhooks.com). Nothing in it names a person or an amount.

Nothing goes to a host the operator does not name (WEBHOOK_HOSTS), nor where an answer sends it on
to: whoever may set an address in the admin reaches nothing else of the house's network by it.
"""

import hmac
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Max
from django.urls import reverse
from django.utils.crypto import salted_hmac

from audit.mail_events import WebhookSet
from audit.mailing.mail_texts import link, said_in
from audit.mailing.sending import each_due, give_up, note
from audit.models import Finding, ReportRequest, WebhookPost, WebhookSetting
from audit.models.audit_jobs import FINISHED
from audit.runs.advisory_locks import alone
from audit.watch.alerts import each
from casino import __version__, clock
from casino.bounded_http import Site, Unanswered
from casino.events.phrases import Phrase, marked
from casino.ids import uuid7
from casino.recording import Refused
from casino.recording.preparing import Prepared
from casino.tlog.canonical import canonical, instant_text

MOST: Final = 200  # of one topic, at one look
RECENT: Final = timedelta(days=7)  # a report asked for before that is no news
WITHIN: Final = 10  # seconds an answer may take
GONE: Final = 410  # the receiver wants no more of it
NO_TARGET: Final = marked("Nothing is sent to it any more.")
News = Iterator[tuple[str, int | None, dict[str, object]]]


class NotTaken(Exception):
    """What a receiver answered, or why he was not asked."""


class HostNotAllowed(Refused):
    """An address the operator did not name."""

    template = Phrase(
        "Nothing is sent to {host}: allowed are {allowed} (WEBHOOK_HOSTS). Give an address there,"
        " or ask whoever operates the house to allow this one."
    )


class NoHostAllowed(Refused):
    """An address where the operator named none at all."""

    template = Phrase(
        "Nothing is sent to {host}: no host is allowed yet (WEBHOOK_HOSTS). Ask whoever operates"
        " the house to allow it."
    )


def host_allowed(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """The host of an address is one the operator allows. Raises: HostNotAllowed, NoHostAllowed."""
    event: WebhookSet = prepared.submission.event
    host = urlsplit(event.address or "").hostname
    if host is None or host in settings.WEBHOOK_HOSTS:
        return
    if not settings.WEBHOOK_HOSTS:
        raise NoHostAllowed(place=prepared.place, host=host)
    allowed = ", ".join(settings.WEBHOOK_HOSTS)
    raise HostNotAllowed(place=prepared.place, host=host, allowed=allowed)


def in_force() -> dict[str, tuple[WebhookSetting, datetime]]:
    """The webhooks that are sent something, by name, and since when without a break."""
    found: dict[str, tuple[WebhookSetting, datetime]] = {}
    for row in WebhookSetting.objects.order_by("n"):
        if row.address:
            found[row.webhook] = row, found.get(row.webhook, (row, row.recorded_at))[1]
        else:
            found.pop(row.webhook, None)
    return found


def make_posts(now: datetime) -> int:
    """Keep what is new for each; how many. Of two who do so at once the second leaves it."""
    targets = in_force()
    if not targets:
        return 0
    made = 0
    with alone("webhooks", wait=False) as mine, said_in(settings.LANGUAGE_CODE):
        for row, since in targets.values() if mine else ():
            news = list(_NEWS[row.topic](row.webhook, since, now))
            keys = [key for key, *_ in news]
            before = WebhookPost.objects.filter(webhook=row.webhook, key__in=keys)
            known = set(before.values_list("key", flat=True))
            posts = [_post(row, *one, now) for one in news if one[0] not in known]
            made += len(WebhookPost.objects.bulk_create(posts))
    return made


def _post(
    setting: WebhookSetting, key: str, n: int | None, data: Mapping[str, object], now: datetime
) -> WebhookPost:
    own = uuid7()
    body = {"id": str(own), "type": setting.topic, "timestamp": instant_text(now), "data": data}
    text = canonical(body).decode()
    return WebhookPost(
        id=own, webhook=setting.webhook, key=key, n=n, text=text, made_at=now, next_at=now
    )


def _findings(webhook: str, since: datetime, now: datetime) -> News:
    """Those raised since the last that was sent: none is left out, however long nobody looked."""
    last = WebhookPost.objects.filter(webhook=webhook).aggregate(n=Max("n"))["n"] or 0
    rows = Finding.objects.filter(n__gt=last, recorded_at__gte=since)
    for row in rows.order_by("n")[:MOST]:
        data: dict[str, object] = {
            "finding": row.key, "rulebook": row.rulebook, "article": row.article,
            "check": row.check_name, "severity": row.severity, "table": row.table_code,
            "partida": row.partida_id, "gaming_day": row.gaming_day.isoformat(),
            "link": link(reverse("admin:audit_finding_change", args=[row.pk])),
        }  # fmt: skip
        yield f"finding/{row.n}", row.n, data


def _duties(webhook: str, since: datetime, now: datetime) -> News:
    for one in each(now):
        if one.due:
            data: dict[str, object] = {
                "check": one.check, "cited": one.cited, "table": one.table, "partida": one.partida,
                "until": instant_text(one.since), "says": one.words,
                "link": link(one.link or reverse("sala:todo")),
            }  # fmt: skip
            yield f"due/{one.key}", None, data


def _reports(webhook: str, since: datetime, now: datetime) -> News:
    asked = ReportRequest.objects.filter(state=FINISHED, asked_at__gte=max(since, now - RECENT))
    for row in asked.filter(pack=None).order_by("asked_at"):
        way = link(reverse("report", args=[row.pk]))
        data: dict[str, object] = {"number": row.number, "report": row.report, "link": way}
        yield f"report/{row.pk}", None, data


_NEWS: Final[Mapping[str, Callable[[str, datetime, datetime], News]]] = {
    "finding": _findings,
    "due": _duties,
    "report": _reports,
}


def send_posts(until: float = float("inf")) -> int:
    """Send what is due; how many were taken. What waits for a receiver that is away waits until he
    is asked again: it neither asks each for itself nor keeps the others back.
    """
    targets = in_force()

    def send(post: WebhookPost) -> bool:
        if not _send(post, targets.get(post.webhook)) and post.next_at is not None:
            same = WebhookPost.objects.filter(webhook=post.webhook, next_at__lt=post.next_at)
            same.update(next_at=post.next_at)
        return True

    return each_due(WebhookPost.objects.all(), send, until)


def _send(post: WebhookPost, target: tuple[WebhookSetting, datetime] | None) -> bool:
    """Send one, or note why not; false where its receiver did not take it."""
    now = clock.now()
    if target is None:
        give_up(post, NO_TARGET, now)
        return True
    try:
        status = _answer(post, target[0].address, now)
    except (Unanswered, NotTaken) as trouble:
        # Its cause alone: what the address asks with is told to nobody who reads the trouble.
        note(post, cast("Exception", trouble.__cause__ or trouble), now)
        return False
    if status == GONE:
        give_up(post, f"HTTP {status}", now)
    elif status // 100 == 2:
        post.sent_at, post.next_at, post.trouble = now, None, ""
        post.save(update_fields=["sent_at", "next_at", "trouble"])
    else:
        note(post, NotTaken(f"HTTP {status}"), now)
        return False
    return True


def _answer(post: WebhookPost, address: str, now: datetime) -> int:
    """The status its receiver answers with; what else he says is not read, nor followed."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    if host not in settings.WEBHOOK_HOSTS:
        raise NotTaken(f"{host} is not among WEBHOOK_HOSTS")
    site = Site(f"{parts.scheme}://{parts.netloc}", seconds=WITHIN)
    path = address.partition("://")[2].removeprefix(parts.netloc).removeprefix("/")
    return site.deliver(path, post.text.encode(), headers_of(post, now))


def headers_of(post: WebhookPost, now: datetime) -> dict[str, str]:
    """Its id, when it was sent, and both with its bytes under the webhook's key."""
    at = str(int(now.timestamp()))
    signed = f"{post.id}.{at}.{post.text}".encode()
    mark = b64encode(hmac.digest(key_of(post.webhook), signed, "sha256")).decode()
    return {
        "Content-Type": "application/json",
        "User-Agent": f"livro-da-sala/{__version__}",
        "webhook-id": str(post.id),
        "webhook-timestamp": at,
        "webhook-signature": f"v1,{mark}",
    }


def key_of(webhook: str) -> bytes:
    """The key of a webhook, made of SECRET_KEY: it lies in no database. 32 bytes."""
    return salted_hmac("audit.mailing.webhooks", webhook, algorithm="sha256").digest()
