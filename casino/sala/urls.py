"""The floor's addresses. Every page of a table names it: ``/sala/BJ-06/cut/``."""

from django.urls import path

from casino.admin import code_in_address  # noqa: F401 - the addresses below speak of codes
from casino.sala import (
    closing,
    complaints,
    correcting,
    cutting,
    entering,
    exhibition,
    floor,
    incident_steps,
    incidents,
    interrupting,
    loading,
    opening,
    ordering,
    shoe,
    witnessed,
)

app_name = "sala"
_INCIDENT = "sala/<code:table>/incident/<code:number>"
_ENTRY = "sala/entry/<uuid:entry_id>"

urlpatterns = [
    path("sala/", floor.floor_view, name="floor"),
    path("sala/enter/", entering.enter, name="enter"),
    path("sala/leave/", entering.leave, name="leave"),
    path("sala/open/", opening.open_several, name="open_several"),
    path("sala/<code:table>/", floor.table_view, name="table"),
    path("sala/<code:table>/open/", opening.open_view, name="open"),
    path("sala/<code:table>/exhibit/", exhibition.exhibit_view, name="exhibit"),
    path("sala/<code:table>/cut/", cutting.cut_view, name="cut"),
    path("sala/<code:table>/shoe/", shoe.shoe_view, name="shoe"),
    path("sala/<code:table>/last-round/", shoe.last_round_view, name="last_round"),
    path("sala/<code:table>/load/", loading.load_view, name="load"),
    path("sala/<code:table>/unload/", loading.unload_view, name="unload"),
    path("sala/<code:table>/interrupt/", interrupting.interrupt_view, name="interrupt"),
    path("sala/<code:table>/incident/", incidents.incident_view, name="incident"),
    path(f"{_INCIDENT}/", incident_steps.steps_view, name="incident_steps"),
    path(f"{_INCIDENT}/exchange/", incident_steps.exchange_view, name="incident_exchange"),
    path(f"{_INCIDENT}/close/", incident_steps.settle_view, name="incident_close"),
    path(f"{_INCIDENT}/notice/", incident_steps.notice_view, name="notice"),
    path("sala/<code:table>/complaint/", complaints.complaint_view, name="complaint"),
    path("sala/<code:table>/order/", ordering.order_view, name="order"),
    path("sala/<code:table>/chips/", ordering.chips_view, name="chips"),
    path("sala/<code:table>/close/", closing.close_view, name="close"),
    path("sala/<code:table>/reopen/", closing.reopen_view, name="reopen"),
    path(f"{_ENTRY}/witness/", witnessed.witness_view, name="witness"),
    path(f"{_ENTRY}/correct/", correcting.correct_view, name="correct"),
]
