"""The floor's addresses. Every page of a table names it: ``/sala/BJ-06/cut/``."""

from django.urls import path

from casino.floor import cited_articles, floor_theme
from casino.floor.away import blank_sheets, record_sheet
from casino.floor.closing import close_table, order_decks
from casino.floor.corrections import correct_record, take_back, withdraw_record
from casino.floor.incidents import (
    complaint_pages,
    incident_steps,
    interrupt_play,
    keep_footage,
    receive_complaint,
    report_incident,
)
from casino.floor.opening import exhibition, open_table
from casino.floor.persons import duty_pages, floor_entrance
from casino.floor.rounds import round_by_hand
from casino.floor.shoe import begin_shoe, cut_page
from casino.floor.shuffler import load_pages, witness_handover
from casino.floor.tables import all_tables, board, entry_label, entry_read, game_summary, todo_lists
from casino.web import code_in_address  # noqa: F401 - the addresses below speak of codes

app_name = "sala"
_INCIDENT = "sala/<code:table>/incident/<code:number>"
_COMPLAINT = "sala/<code:table>/complaint/<code:number>"
_ENTRY = "sala/entry/<uuid:entry_id>"

urlpatterns = [
    path("sala/", all_tables.floor_view, name="floor"),
    path("sala/enter/", floor_entrance.enter, name="enter"),
    path("sala/leave/", floor_entrance.leave, name="leave"),
    path("sala/factor/", floor_entrance.factor, name="factor"),
    path("sala/change/", floor_entrance.change, name="change"),
    path("sala/lock/", floor_entrance.lock_view, name="lock"),
    path("sala/components/", floor_theme.components_view, name="components"),
    path("sala/theme/", floor_theme.theme_view, name="theme"),
    path("sala/todo/", todo_lists.todo_view, name="todo"),
    path("sala/board/", board.board_view, name="board"),
    path("sala/board/now/", board.board_now, name="board_now"),
    path("sala/away/", record_sheet.away_view, name="away"),
    path("sala/sheets/", blank_sheets.sheets_view, name="sheets"),
    path("sala/articles/", cited_articles.articles_view, name="articles"),
    path("sala/open/", open_table.open_several, name="open_several"),
    path("sala/duty/", duty_pages.duty_view, name="duty"),
    path("sala/take-back/", take_back.take_back_duty, name="take_back_duty"),
    path("sala/<code:table>/", all_tables.table_view, name="table"),
    path("sala/<code:table>/open/", open_table.open_view, name="open"),
    path("sala/<code:table>/exhibit/", exhibition.exhibit_view, name="exhibit"),
    path("sala/<code:table>/cut/", cut_page.cut_view, name="cut"),
    path("sala/<code:table>/shoe/", begin_shoe.shoe_view, name="shoe"),
    path("sala/<code:table>/last-round/", begin_shoe.last_round_view, name="last_round"),
    path("sala/<code:table>/load/", load_pages.load_view, name="load"),
    path("sala/<code:table>/unload/", load_pages.unload_view, name="unload"),
    path("sala/<code:table>/take-back/", take_back.take_back_view, name="take_back"),
    path("sala/<code:table>/interrupt/", interrupt_play.interrupt_view, name="interrupt"),
    path("sala/<code:table>/incident/", report_incident.incident_view, name="incident"),
    path("sala/<code:table>/footage/", keep_footage.footage_view, name="footage"),
    path(f"{_INCIDENT}/", incident_steps.steps_view, name="incident_steps"),
    path(f"{_INCIDENT}/exchange/", incident_steps.exchange_view, name="incident_exchange"),
    path(f"{_INCIDENT}/close/", incident_steps.settle_view, name="incident_close"),
    path(f"{_INCIDENT}/notice/", incident_steps.notice_view, name="notice"),
    path("sala/<code:table>/complaint/", receive_complaint.complaint_view, name="complaint"),
    path("sala/<code:table>/round/", round_by_hand.round_view, name="round"),
    path("sala/<code:table>/dealer/", duty_pages.dealer_view, name="dealer"),
    path("sala/<code:table>/hand-over/", duty_pages.hand_over_view, name="hand_over"),
    path(f"{_COMPLAINT}/", complaint_pages.read_view, name="complaint_read"),
    path(f"{_COMPLAINT}/decide/", complaint_pages.decide_view, name="complaint_decide"),
    path(f"{_COMPLAINT}/hold/", complaint_pages.hold_view, name="complaint_hold"),
    path(f"{_COMPLAINT}/slip/", complaint_pages.slip_view, name="complaint_slip"),
    path("sala/<code:table>/order/", order_decks.order_view, name="order"),
    path("sala/<code:table>/chips/", order_decks.chips_view, name="chips"),
    path("sala/<code:table>/close/", close_table.close_view, name="close"),
    path("sala/<code:table>/summary/", game_summary.summary_view, name="summary"),
    path("sala/<code:table>/reopen/", close_table.reopen_view, name="reopen"),
    path(f"{_ENTRY}/", entry_read.entry_view, name="entry"),
    path(f"{_ENTRY}/label/", entry_label.label_view, name="label"),
    path(f"{_ENTRY}/witness/", witness_handover.witness_view, name="witness"),
    path(f"{_ENTRY}/correct/", correct_record.correct_view, name="correct"),
    path(f"{_ENTRY}/withdraw/", withdraw_record.withdraw_view, name="withdraw"),
]
