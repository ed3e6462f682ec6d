"""The auditor's addresses, and what of them the rail lists."""

from typing import Final

from django.urls import path
from django.utils.translation import gettext_lazy as _
from django.views.generic import RedirectView

from audit.pages.audit_access import (
    for_everybody,
    reads_all,
    reads_book,
    reads_draws,
    replays,
    sees_floor,
)
from audit.pages.book.book_page import book_page, checkpoint_file, policy_file, verify_now
from audit.pages.book.proof_page import proof_page
from audit.pages.book.tile_pages import log_checkpoint, log_tile
from audit.pages.book.verification_page import verification_page, verification_progress
from audit.pages.draws.draw_pages import draw_page, draws_page, new_draw
from audit.pages.findings.cards_page import cards_page
from audit.pages.findings.comparison_page import run_csv
from audit.pages.findings.exposure_page import (
    exposure_asked,
    exposure_csv,
    exposure_of_entry,
)
from audit.pages.findings.filters_page import remove_filter, save_filter
from audit.pages.findings.owed_page import owed_csv, owed_page
from audit.pages.law.example_pages import example_list, example_page
from audit.pages.law.figures_draft import figures_draft
from audit.pages.law.law_pages import article, judge_waiting, rulebook
from audit.pages.law.readings_page import readings_csv, readings_page
from audit.pages.law.side_by_side import rulebooks
from audit.pages.law.text_changes_page import text_changes_page
from audit.pages.law.text_page import text_page
from audit.pages.law.undecided import undecided, undecided_csv
from audit.pages.mails.mail_pages import gets_mail, mails_page
from audit.pages.new_run import new_run
from audit.pages.night.night_file import night_csv
from audit.pages.night.night_page import night_page, night_today
from audit.pages.night.rates_page import rates_csv, rates_page
from audit.pages.own_requests import own_requests
from audit.pages.pool_replay import replay_page
from audit.pages.privacy.erasure_page import erasure_page
from audit.pages.privacy.looks_page import looks_page
from audit.pages.privacy.proposing_page import proposing_page
from audit.pages.privacy.retention_page import reads_retention, retention_page
from audit.pages.privacy.subject_page import subject_page
from audit.pages.registers import registers
from audit.pages.run_pages import run_page, run_progress
from casino.admin.site import RailLink
from casino.web import code_in_address  # noqa: F401 - an address below speaks of a code

RAIL: Final = [
    RailLink(_("Floor"), "sala:floor", "house", shown_to=sees_floor),
    RailLink(_("The night"), "night-today", "entry", shown_to=reads_all),
    RailLink(_("Alerts"), "alerts", "open", shown_to=gets_mail),
    RailLink(_("Regulation"), "law", "law"),
    RailLink(_("The book"), "book", "seal", shown_to=reads_book),
    RailLink(_("Rounds in doubt"), "exposure", "search", shown_to=reads_all),
    RailLink(_("Draws"), "draws", "filter", shown_to=reads_draws),
    RailLink(_("Sums owed"), "owed", "receipt", shown_to=reads_all),
    RailLink(_("Rates"), "rates", "filter", shown_to=reads_all),
    RailLink(_("Registers"), "registers", "entry", shown_to=reads_all),
    RailLink(_("My requests"), "own-requests", "running", shown_to=replays),
    RailLink(_("Retention of data"), "retention", "person", shown_to=reads_retention),
]

urlpatterns = [
    path("rulebooks/", rulebooks, name="rulebooks"),
    path("rulebooks/examples/", example_list, name="rulebooks-examples"),
    path("rulebooks/examples/<uuid:round_id>/", example_page, name="rulebooks-example"),
    path("law/", RedirectView.as_view(pattern_name="law-rulebook"), {"rulebook": "pt"}, name="law"),
    path("law/<str:rulebook>/", rulebook, name="law-rulebook"),
    path("law/<str:rulebook>/judge/", judge_waiting, name="law-judge"),
    path("law/<str:rulebook>/figures/", figures_draft, name="law-figures"),
    path("law/<str:rulebook>/readings/", readings_page, name="law-readings"),
    path("law/<str:rulebook>/readings/csv/", readings_csv, name="law-readings-csv"),
    path("law/<str:rulebook>/text/", text_page, name="law-text"),
    path("law/<str:rulebook>/text/changes/", text_changes_page, name="law-text-changes"),
    path("law/<str:rulebook>/undecided/", undecided, name="law-undecided"),
    path("law/<str:rulebook>/undecided/csv/", undecided_csv, name="law-undecided-csv"),
    path("law/<str:rulebook>/<path:article>/", article, name="law-article"),
    path("audit/registers/", for_everybody(registers), name="registers"),
    path("audit/requests/", for_everybody(own_requests), name="own-requests"),
    path("reconciliations/new/", for_everybody(new_run), name="run-new"),
    path("reconciliations/<uuid:run>/", for_everybody(run_page), name="run"),
    path("reconciliations/<uuid:run>/csv/", for_everybody(run_csv), name="run-csv"),
    path("reconciliations/<uuid:run>/progress/", run_progress, name="run-progress"),
    path("jackpots/<code:code>/replay/", for_everybody(replay_page), name="jackpot-replay"),
    path("book/", for_everybody(book_page), name="book"),
    path("book/checkpoint/", for_everybody(checkpoint_file), name="book-checkpoint"),
    path("book/policy/", for_everybody(policy_file), name="book-policy"),
    path("book/verify/", for_everybody(verify_now), name="book-verify"),
    path("book/entries/<uuid:entry_id>/", for_everybody(proof_page), name="book-proof"),
    path(
        "book/verifications/<uuid:run>/", for_everybody(verification_page), name="book-verification"
    ),
    path(
        "book/verifications/<uuid:run>/progress/",
        for_everybody(verification_progress),
        name="book-verification-progress",
    ),
    # For mirrors, which come with a token; the prefix of the log is /log.
    path("log/checkpoint", log_checkpoint, name="log-checkpoint"),
    path("log/tile/<path:tile>", log_tile, name="log-tile"),
    path("audit/night/", for_everybody(night_today), name="night-today"),
    path("audit/night/<str:day>/", for_everybody(night_page), name="night"),
    path("audit/night/<str:day>/csv/", for_everybody(night_csv), name="night-csv"),
    path("audit/rates/", for_everybody(rates_page), name="rates"),
    path("audit/rates/csv/", for_everybody(rates_csv), name="rates-csv"),
    path("audit/filters/", for_everybody(save_filter), name="filter-save"),
    path("audit/filters/<int:number>/remove/", for_everybody(remove_filter), name="filter-remove"),
    path("audit/owed/", for_everybody(owed_page), name="owed"),
    path("audit/owed/csv/", for_everybody(owed_csv), name="owed-csv"),
    path("audit/alerts/", for_everybody(mails_page), name="alerts"),
    path("audit/draws/", for_everybody(draws_page), name="draws"),
    path("audit/draws/new/", for_everybody(new_draw), name="draw-new"),
    path("audit/draws/<int:number>/", for_everybody(draw_page), name="draw"),
    path("audit/retention/", for_everybody(retention_page), name="retention"),
    path("audit/retention/erasures/<uuid:entry_id>/", for_everybody(erasure_page), name="erasure"),
    path("audit/retention/requests/<uuid:entry_id>/", for_everybody(subject_page), name="subject"),
    path(
        "audit/retention/records/<uuid:entry_id>/",
        for_everybody(proposing_page),
        name="erasure-new",
    ),
    path("audit/looks/", for_everybody(looks_page), name="looks"),
    path("audit/cards/<path:partida>/", for_everybody(cards_page), name="cards"),
    path("audit/exposure/", for_everybody(exposure_asked), name="exposure"),
    path("audit/exposure/csv/", for_everybody(exposure_csv), name="exposure-csv"),
    path(
        "audit/exposure/<uuid:entry_id>/", for_everybody(exposure_of_entry), name="exposure-entry"
    ),
    path(
        "audit/exposure/<uuid:entry_id>/csv/",
        for_everybody(exposure_csv),
        name="exposure-entry-csv",
    ),
]
