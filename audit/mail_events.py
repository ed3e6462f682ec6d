"""What the house writes of what it sends: mails, and webhooks."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal
from urllib.parse import urlsplit

from casino.bounded_http import ways_to
from casino.events import Malformed
from casino.events.event import Event
from casino.events.event_policy import ADMIN, BY_ITSELF, OVERSEERS, Policy
from casino.events.phrases import marked
from casino.events.staff import Office
from casino.events.values import Code, Count, Listed, Reference, Sha256, Text, Uuid

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


WebhookTopic = Literal["finding", "due", "report"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSet(Event):
    """Where a program is sent what happens, from now on; the last of a name holds.

    `webhook` is its name; without an `address` it is sent nothing any more. `topic`: findings as
    they are raised, duties as they come due, or reports as they are ready.
    """

    kind: ClassVar[str] = "webhook-set/1"
    label: ClassVar[str] = marked("webhook set")
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({ADMIN}), readers=OVERSEERS | {ADMIN}, correctable=False
    )

    webhook: Code
    topic: WebhookTopic
    address: Annotated[str, Text(400)] | None = None

    def contradictions(self) -> None:
        """An address of HTTPS, in clear on the machine itself alone. Raises: Malformed."""
        if self.address is None:
            return
        try:
            parts = urlsplit(self.address)
            host, _port = parts.hostname, parts.port
        except ValueError:
            host = None
        plain = self.address.isascii() and not {*self.address} & {*' "#@<>\\'}
        if not (host and plain and parts.scheme in ways_to(host)):
            raise Malformed(
                "$.address",
                "found {found}; asked is https://host/path, without a name, a password or #;"
                " http:// only on this machine (127.0.0.1)",
                found=self.address,
            )
