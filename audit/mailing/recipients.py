"""Who gets mail: whoever gave an address, by the offices he holds now (HOUSE_ALERTS)."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings

from casino.events.event_policy import ADMIN, SUPERVISION
from casino.models import Account, Duty, MailAddress
from casino.queries import offices_at, that_count

# Who reads of all tables; whoever does not has the alerts of his own on the floor.
READERS: Final = SUPERVISION | {ADMIN}
FORGOTTEN: Final = timedelta(days=1)  # a duty begun before that and never ended


@dataclass(frozen=True, slots=True)
class Recipient:
    """A person with an address, the offices he holds, and those of them he is on duty in."""

    account: Account
    offices: frozenset[str]
    on_duty: frozenset[str]

    def office_for(self, topic: str, among: Collection[str] = READERS) -> str:
        """The office in which he gets a topic's mails; '' where he gets none."""
        return next(
            (
                office
                for office, when in settings.HOUSE_ALERTS.get(topic, {}).items()
                if office in among
                and office in (self.offices if when == "always" else self.on_duty)
            ),
            "",
        )


def recipients(now: datetime) -> list[Recipient]:
    """Everybody who may get any."""
    found = []
    for one in MailAddress.objects.select_related("account").filter(account__is_active=True):
        offices = offices_at(one.account.staff, now) & READERS
        if offices:
            duties = frozenset(office for office in offices if _is_on(one.account, office, now))
            found.append(Recipient(one.account, offices, duties))
    return found


def _is_on(account: Account, office: str, now: datetime) -> bool:
    said = Duty.objects.filter(person=account.staff, held=office, occurred_at__lte=now)
    last = that_count(said.filter(occurred_at__gt=now - FORGOTTEN)).order_by("-occurred_at", "-n")
    row = last.first()
    return row is not None and row.begins
