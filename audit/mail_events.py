"""What the house writes of the mails it sends."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal

from casino.events.event import Event
from casino.events.event_policy import BY_ITSELF, OVERSEERS, Policy
from casino.events.phrases import marked
from casino.events.staff import Office
from casino.events.values import Code, Count, Listed, Reference, Sha256, Uuid

MOST_ALERTS: Final = 200  # that one mail tells of
MailWhat = Literal["alerts", "digest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertSent(Event):
    """A mail was handed to the mail server: to whose account, told of what, with which text.

    `recipient` is a staff number; his address stands in no entry. `for_office` is the office he was
    told in. `about` are keys: of findings their own, else what the program names a duty by, or the
    night of a digest. `message` is the mail's Message-ID, `text_sha256` that of its text in UTF-8.
    It says that the server took it, not that anybody read it.
    """

    kind: ClassVar[str] = "alert-sent/1"
    label: ClassVar[str] = marked("mail sent")
    # As with copies handed out: the house does not look over an inspector's shoulder.
    policy: ClassVar[Policy] = Policy(writers=BY_ITSELF, readers=OVERSEERS, correctable=False)

    recipient: Code
    for_office: Office
    what: MailWhat
    about: Annotated[tuple[Reference, ...], Listed(MOST_ALERTS, once=True)]
    alerts: Count
    text_sha256: Sha256
    message: Uuid
