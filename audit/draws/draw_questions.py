"""What is asked of the book before a draw is recorded: that it is the next, by its own secret.

Asked by the writer with the stream's head locked, so two at once get two answers. A secret that
does not fit its commitment draws nothing: it is refused, and nothing is stored. What was drawn is
not made again here, where others would wait for it: the page makes it, and everybody can.
"""

from collections.abc import Sequence

from django.db.models import Max

from audit.draw_events import DrawCommitted, DrawMade
from audit.draws.draw_population import entry_of, result_of, seeding
from audit.models import DrawCommitment, DrawResult, ref_of
from audit.sampling.procedure import commitment_of
from casino.events.phrases import Phrase
from casino.models import BookEntry
from casino.recording import Refused
from casino.recording.preparing import Prepared


class NotTheNext(Refused):
    """Draws are numbered without a gap."""

    template = Phrase(
        "Draw {found} is not the next one: that is number {next}. Write {next} and send it again."
    )


class CommitmentUsed(Refused):
    """A secret draws once: of one that was revealed the outcome could be known beforehand."""

    template = Phrase(
        "This commitment is that of draw {draw} already. A secret is used once: make another."
    )


class NoSuchDraw(Refused):
    """What is revealed was never committed to, or by another entry."""

    template = Phrase("There is no commitment to draw {draw} in the book, or it is another entry.")


class MadeAlready(Refused):
    """A draw is made once."""

    template = Phrase("Draw {draw} was made already (entry {n} of {stream}).")


class NotSealedYet(Refused):
    """The seed is half of a root that is not signed yet."""

    template = Phrase(
        "No signed checkpoint covers the commitment to draw {draw} yet. Nothing was revealed: try"
        " again in a few seconds. If it stays so, the signer has to be looked after."
    )


class SecretDoesNotFit(Refused):
    """The secret is not the one that was committed to."""

    template = Phrase(
        "This secret is not the one of draw {draw}: its commitment is {found}, and the book holds"
        " {expected}. Compare it letter by letter with what was written down."
    )


def next_number() -> int:
    """The number of the next draw."""
    last: int | None = DrawCommitment.objects.aggregate(last=Max("draw"))["last"]
    return (last or 0) + 1


def commitment(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """The next number, a commitment of its own. Raises: NotTheNext, CommitmentUsed."""
    event: DrawCommitted = prepared.submission.event
    earlier = [
        one.submission.event for one in before if isinstance(one.submission.event, DrawCommitted)
    ]
    following = next_number() + len(earlier)
    if event.draw != following:
        raise NotTheNext(place=prepared.place, found=event.draw, next=following)
    used = {each.commitment: each.draw for each in earlier}
    known = DrawCommitment.objects.filter(commitment=event.commitment).first()
    draw = known.draw if known is not None else used.get(event.commitment)
    if draw is not None:
        raise CommitmentUsed(place=prepared.place, draw=draw)


def result(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """The secret that was committed to, once. Raises: NoSuchDraw, MadeAlready, SecretDoesNotFit."""
    event: DrawMade = prepared.submission.event
    place, draw = prepared.place, event.draw
    known = DrawCommitment.objects.filter(draw=draw).first()
    if known is None or ref_of(entry_of(known), known.stream) != event.committed:
        raise NoSuchDraw(place=place, draw=draw)
    earlier = DrawResult.objects.filter(draw=draw).first()
    if earlier is not None:
        raise MadeAlready(place=place, draw=draw, n=earlier.n, stream=earlier.stream)
    if any(isinstance(one.submission.event, DrawMade) for one in before):
        raise MadeAlready(place=place, draw=draw, n="?", stream=event.stream)
    refuse_another_secret(known, event.secret, place)


def refuse_another_secret(commitment: DrawCommitment, secret: str, place: int = 0) -> None:
    """Whether a secret is the one that was committed to. Raises: SecretDoesNotFit."""
    found = commitment_of(secret)
    if found != commitment.commitment:
        raise SecretDoesNotFit(
            place=place, draw=commitment.draw, found=found, expected=commitment.commitment
        )


def made_by(entry: BookEntry, commitment: DrawCommitment, secret: str) -> DrawMade:
    """What a secret draws, where it may be revealed. Raises: NotSealedYet, SecretDoesNotFit."""
    checkpoint = seeding(entry)
    if checkpoint is None:
        raise NotSealedYet(draw=commitment.draw)
    refuse_another_secret(commitment, secret)
    return result_of(entry, secret, checkpoint)
