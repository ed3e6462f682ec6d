"""Mails made of what is new for each person: kept until they leave, each thing told him once.

Made under a lock and counted by a constraint: two workers, or one that is killed and begins again,
tell nobody the same twice.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import cache, partial
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language

from audit.audit_queries import OPEN
from audit.mail_events import MOST_ALERTS
from audit.mailing.digest import digest_text, night_due
from audit.mailing.leaving import Leaving, leaving
from audit.mailing.mail_texts import Text, alerts_text, in_languages, said_in
from audit.mailing.recipients import Recipient, recipients
from audit.models import Mail, MailedAlert
from audit.runs.advisory_locks import alone
from casino.ids import uuid7
from casino.models import Account

_LOCK: Final = "mail"
DIGEST: Final = "digest"
ALERTS: Final = "alerts"


def make_mails(now: datetime) -> int:
    """Make the mails that are due; how many. Of two who do so at once the second leaves it."""
    people = recipients(now)
    if not people:
        return 0
    with alone(_LOCK, wait=False) as mine:
        return _digests(now, people) + _alerts(now, people) if mine else 0


def _digests(now: datetime, people: Sequence[Recipient]) -> int:
    """The digest of the last night, to each who has not had it."""
    day = night_due(now)
    if day is None:
        return 0
    key = f"{DIGEST}/{day.isoformat()}"
    made = 0
    for one in people:
        office = one.office_for(DIGEST)
        if office and not _known(one.account, [key]):
            text = in_languages(one.account.language, partial(digest_text, day, now))
            made += _make(one.account, office, DIGEST, [key], text, now)
    return made


def _alerts(now: datetime, people: Sequence[Recipient]) -> int:
    """What is new for each who has had no mail with alerts just now."""
    made = 0

    @cache
    def read(language: str) -> list[Leaving]:
        with said_in(language):
            return leaving(now)

    def text_of(keys: frozenset[str]) -> Text:
        named = {each.alert.key: each.alert for each in read(get_language() or "")}
        url = f"{reverse('admin:audit_finding_changelist')}?state={OPEN}"
        return alerts_text([alert for key, alert in named.items() if key in keys], url)

    for one in people:
        lately = now - settings.HOUSE_ALERTS_APART
        if Mail.objects.filter(account=one.account, what=ALERTS, made_at__gt=lately).exists():
            continue
        offices = {
            each.alert.key: office
            for each in read(settings.LANGUAGE_CODE)  # keys and offices, whatever the language
            if (office := one.office_for(each.topic, each.offices))
        }
        known = _known(one.account, list(offices))
        new = [key for key in offices if key not in known][:MOST_ALERTS]
        if new:
            text = in_languages(one.account.language, partial(text_of, frozenset(new)))
            made += _make(one.account, offices[new[0]], ALERTS, new, text, now)
    return made


def _known(account: Account, keys: Sequence[str]) -> set[str]:
    """What of it he was told of before."""
    before = MailedAlert.objects.filter(account=account, key__in=keys)
    return set(before.values_list("key", flat=True))


def _make(
    account: Account, office: str, what: str, keys: Sequence[str], text: Text, now: datetime
) -> int:
    """Keep a mail to be sent, and that he was told of all of it."""
    mail = Mail.objects.create(
        id=uuid7(),
        account=account,
        office=office,
        what=what,
        about=list(keys),
        subject=text.subject,
        text=text.text,
        made_at=now,
        next_at=now,
    )
    MailedAlert.objects.bulk_create(
        MailedAlert(account=account, key=key, mail=mail) for key in keys
    )
    return 1
