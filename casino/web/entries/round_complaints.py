"""The complaints about a round, and the round of a complaint, as the book names them.

A complaint names its round by its UUID, or by its number in the shoe; one that names none is about
the round that was recorded by hand for it. Law: PT art. 61.
"""

from uuid import UUID, uuid5

from django.http import HttpRequest

from casino.access import access_policy
from casino.events.complaints import ComplaintReceived
from casino.events.round.round_played import RoundPlayed
from casino.models import Complaint, Round
from casino.queries import that_count


def disputed_round(complaint: Complaint) -> UUID:
    """The UUID under which the round of a complaint is recorded by hand."""
    return complaint.round or uuid5(complaint.pk, "round")


def complaints_about(request: HttpRequest, partida: str, played: RoundPlayed) -> list[Complaint]:
    """The complaints about a round that whoever asks may read, as they came."""
    place = (played.shoe, played.number)
    return [
        one
        for one in that_count(Complaint.objects.filter(partida_id=partida)).order_by("pk")
        if (
            str(disputed_round(one)) == played.round
            or (one.round is None and None not in place and (one.shoe, one.number) == place)
        )
        and access_policy.may_read_entry(request, ComplaintReceived.kind, partida, one.staff)
    ]


def round_complained_of(request: HttpRequest, complaint: Complaint) -> Round | None:
    """The round a complaint is about, where it is on record and whoever asks may read it."""
    of_game = Round.objects.filter(partida_id=complaint.partida_id, gaming_day=complaint.gaming_day)
    rows = that_count(of_game.filter(round=disputed_round(complaint)))
    row = rows.first()
    if row is None and complaint.round is None and complaint.number and complaint.shoe:
        placed = of_game.filter(shoe=complaint.shoe, number=complaint.number)
        row = that_count(placed).first()
    if row is None:
        return None
    may = access_policy.may_read_entry(request, RoundPlayed.kind, row.partida_id, row.staff)
    return row if may else None
