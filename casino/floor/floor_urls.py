"""The floor's addresses. Every page of a table names it: ``/sala/BJ-06/cut/``."""

from django.urls import path

from casino.floor.closing import close_table as closing
from casino.floor.closing import order_decks as ordering
from casino.floor.corrections import correct_record as correcting
from casino.floor.corrections import take_back as taking_back
from casino.floor.corrections import withdraw_record as withdrawing
from casino.floor.incidents import complaint_pages, incident_steps
from casino.floor.incidents import interrupt_play as interrupting
from casino.floor.incidents import receive_complaint as complaints
from casino.floor.incidents import report_incident as incidents
from casino.floor.opening import exhibition
from casino.floor.opening import open_table as opening
from casino.floor.persons import duty_pages as people
from casino.floor.persons import floor_entrance as entering
from casino.floor.shoe import begin_shoe as shoe
from casino.floor.shoe import cut_page as cutting
from casino.floor.shuffler import load_pages as loading
from casino.floor.shuffler import witness_handover as witnessed
from casino.floor.tables import all_tables as floor
from casino.floor.tables import entry_read as entry
from casino.floor.tables import game_summary as summary
from casino.floor.tables import todo_lists as todo
from casino.web import code_in_address  # noqa: F401 - the addresses below speak of codes

app_name = "sala"
_INCIDENT = "sala/<code:table>/incident/<code:number>"
_COMPLAINT = "sala/<code:table>/complaint/<code:number>"
_ENTRY = "sala/entry/<uuid:entry_id>"

urlpatterns = [
    path("sala/", floor.floor_view, name="floor"),
    path("sala/enter/", entering.enter, name="enter"),
    path("sala/leave/", entering.leave, name="leave"),
    path("sala/change/", entering.change, name="change"),
    path("sala/lock/", entering.lock_view, name="lock"),
    path("sala/todo/", todo.todo_view, name="todo"),
    path("sala/open/", opening.open_several, name="open_several"),
    path("sala/duty/", people.duty_view, name="duty"),
    path("sala/take-back/", taking_back.take_back_duty, name="take_back_duty"),
    path("sala/<code:table>/", floor.table_view, name="table"),
    path("sala/<code:table>/open/", opening.open_view, name="open"),
    path("sala/<code:table>/exhibit/", exhibition.exhibit_view, name="exhibit"),
    path("sala/<code:table>/cut/", cutting.cut_view, name="cut"),
    path("sala/<code:table>/shoe/", shoe.shoe_view, name="shoe"),
    path("sala/<code:table>/last-round/", shoe.last_round_view, name="last_round"),
    path("sala/<code:table>/load/", loading.load_view, name="load"),
    path("sala/<code:table>/unload/", loading.unload_view, name="unload"),
    path("sala/<code:table>/take-back/", taking_back.take_back_view, name="take_back"),
    path("sala/<code:table>/interrupt/", interrupting.interrupt_view, name="interrupt"),
    path("sala/<code:table>/incident/", incidents.incident_view, name="incident"),
    path(f"{_INCIDENT}/", incident_steps.steps_view, name="incident_steps"),
    path(f"{_INCIDENT}/exchange/", incident_steps.exchange_view, name="incident_exchange"),
    path(f"{_INCIDENT}/close/", incident_steps.settle_view, name="incident_close"),
    path(f"{_INCIDENT}/notice/", incident_steps.notice_view, name="notice"),
    path("sala/<code:table>/complaint/", complaints.complaint_view, name="complaint"),
    path("sala/<code:table>/dealer/", people.dealer_view, name="dealer"),
    path("sala/<code:table>/hand-over/", people.hand_over_view, name="hand_over"),
    path(f"{_COMPLAINT}/", complaint_pages.read_view, name="complaint_read"),
    path(f"{_COMPLAINT}/decide/", complaint_pages.decide_view, name="complaint_decide"),
    path(f"{_COMPLAINT}/hold/", complaint_pages.hold_view, name="complaint_hold"),
    path(f"{_COMPLAINT}/slip/", complaint_pages.slip_view, name="complaint_slip"),
    path("sala/<code:table>/order/", ordering.order_view, name="order"),
    path("sala/<code:table>/chips/", ordering.chips_view, name="chips"),
    path("sala/<code:table>/close/", closing.close_view, name="close"),
    path("sala/<code:table>/summary/", summary.summary_view, name="summary"),
    path("sala/<code:table>/reopen/", closing.reopen_view, name="reopen"),
    path(f"{_ENTRY}/", entry.entry_view, name="entry"),
    path(f"{_ENTRY}/witness/", witnessed.witness_view, name="witness"),
    path(f"{_ENTRY}/correct/", correcting.correct_view, name="correct"),
    path(f"{_ENTRY}/withdraw/", withdrawing.withdraw_view, name="withdraw"),
]
