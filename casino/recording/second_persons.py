"""Who stands behind an entry, and therefore is no second person for it.

A correction stands for what it corrects: whoever recorded the original, or operated the machine
then, is as little a second person for the one as for the other. A number is one person's however it
is written: `S-0021` and `s-0021` are not two people.
"""

import json

from casino.events.phrases import Phrase
from casino.events.staff import OfficeGranted
from casino.models import Attestation, BookEntry, Supersession
from casino.recording.refusals import SECOND_PERSON, WITNESSED_IT


def acted(entry: BookEntry, staff: str) -> bool:
    """Whether he recorded the act or operated the machine, in this entry or in one it corrects."""
    return staff.casefold() in {
        person.casefold() for each in _with_originals(entry) for person in _named_in(each)
    }


def why_not_decide(pending: BookEntry, staff: str) -> Phrase | None:
    """Why somebody is no second person for a correction; None where he is."""
    if acted(pending, staff):
        return SECOND_PERSON
    numbers = [entry.n for entry in _with_originals(pending)]
    of_the_act = Attestation.objects.filter(
        witnessed_stream=pending.stream.name, witnessed_n__in=numbers
    )
    confirmed = {person.casefold() for person in of_the_act.values_list("witness", flat=True)}
    return WITNESSED_IT if staff.casefold() in confirmed else None


def is_own_office(entry: BookEntry, staff: str) -> bool:
    """Whether it is about an office that was given to him, in this entry or in one it corrects."""
    given = [each for each in _with_originals(entry) if each.kind == OfficeGranted.kind]
    listed = (json.loads(bytes(each.entry))["payload"]["staff"] for each in given)
    return staff.casefold() in map(str.casefold, listed)


def _with_originals(entry: BookEntry) -> list[BookEntry]:
    """The entry, what it corrects, what that one corrected, and so on to the first."""
    found = [entry]
    while True:
        link = Supersession.objects.filter(stream=entry.stream.name, n=found[-1].n).first()
        if link is None:
            return found
        found.append(BookEntry.objects.get(stream_id=entry.stream_id, n=link.original_n))


def _named_in(entry: BookEntry) -> set[str]:
    body = json.loads(bytes(entry.entry))
    named = {body["who"]["staff"], body["payload"].get("operator") or ""}
    if entry.kind == OfficeGranted.kind:  # nobody lets his own office begin earlier
        named.add(body["payload"]["staff"])
    return named
