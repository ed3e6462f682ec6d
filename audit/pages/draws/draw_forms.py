"""The two forms of a draw: what is committed to, and the secret that is revealed."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from audit.draw_events import DrawCommitted, DrawMade, check_secret
from audit.draws.draw_population import counted
from audit.draws.draw_questions import made_by
from audit.models import DrawCommitment
from casino.events import Malformed
from casino.events.event import Event
from casino.events.shape import Field, fields_of
from casino.models import BookEntry
from casino.recording import Refused
from casino.sealed import latest
from casino.web.forms.event_forms import EventForm


class CommitmentForm(EventForm):
    """A commitment; once it is filled in, with what there is to be drawn from by now.

    `found` is how many rounds and tables that are; None before.
    """

    found: tuple[int, int] | None = None

    def clean(self) -> dict[str, object]:
        """Build the event, and count."""
        cleaned = super().clean()
        event = cleaned.get("fact")
        newest = latest()
        if isinstance(event, DrawCommitted):
            self.found = counted(event, 0 if newest is None else newest.size)
        return cleaned


class RevealForm(EventForm):
    """The secret of a draw. All the rest follows from it: `entry` is the commitment's."""

    def __init__(
        self,
        kind: type[Event],
        data: Mapping[str, object] | None = None,
        *,
        key: UUID,
        entry: BookEntry,
        commitment: DrawCommitment,
    ) -> None:
        self.entry, self.commitment = entry, commitment
        super().__init__(kind, data, key=key)

    def event_fields(self) -> Sequence[Field]:
        """The secret alone."""
        return [field for field in fields_of(DrawMade) if field.name == "secret"]

    def built(self, cleaned: Mapping[str, object]) -> object:
        """What the secret draws. Raises: Malformed, with the refusal of a secret as its reason."""
        secret = str(cleaned["secret"])
        check_secret(secret)
        try:
            return made_by(self.entry, self.commitment, secret)
        except Refused as refused:
            raise Malformed("$.secret", refused.template, **refused.values) from refused
