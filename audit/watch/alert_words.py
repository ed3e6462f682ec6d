"""What an alert says at the table: what is missing, in as few words as a glance takes in.

The rule behind it stands with the finding; here is what somebody has to do something about.
A finding's heading is in `casino/law/wording/headings_*.py`.
"""

from typing import Final

from audit.pools import waiting
from audit.runs import house_checks
from casino.events.phrases import marked as _

MISSING: Final = {
    "damaged_deck_withdrawn": _("A damaged deck is still in play."),
    "decks_exhibited_before_shuffle": _("A deck was not exhibited before the shuffle."),
    "shoe_is_shuffled": _("Cards were dealt from a shoe that was not shuffled whole."),
    "shoe_is_cut": _("Cards were dealt from a shoe nobody cut."),
    "warning_card_is_placed": _("Cards were dealt from a shoe without its warning card."),
    "shoe_is_burnt": _("Cards were dealt from a shoe of which no card was burnt."),
    "last_round_announced": _("The last round of the shoe was not announced."),
    "no_round_during_trouble": _("Rounds are dealt although the shuffler is in trouble."),
    "unsolved_jam_goes_to_technician": _("A jam is neither solved nor with a technician."),
    "damaged_card_communicated": _("The inspection service was not told of a damaged card."),
    "damaged_card_communicated_in_time": _(
        "The inspection service was not told of a damaged card in time."
    ),
    "loaded_decks_shuffled_by_hand": _("A deck was loaded that nobody had shuffled by hand."),
    "shuffler_is_loaded": _("Cards are dealt from a shuffler nobody loaded on record."),
    "shuffler_loaded_soon_after_opening": _("The table is open and its shuffler is not loaded."),
    "shuffler_loaded_before_the_deal": _("Cards were dealt before the shuffler was loaded."),
    "loading_witnessed": _("Nobody has confirmed the loading of the shuffler."),
    "shuffler_unloaded_at_closing": _("The table is closed and its shuffler was not emptied."),
    "unloading_witnessed": _("Nobody has confirmed the emptying of the shuffler."),
    "decks_ordered_at_closing": _("The table is closed and a deck was not put in order."),
    "irregular_deck_reported": _("A deck that is not whole was not reported."),
    "complaint_answered": _("A complaint was not decided on in time."),
    "disputed_cards_wait_for_review": _("The cards of a round in dispute were put back."),
    house_checks.INCIDENT_SETTLED: _("An incident is still open."),
    house_checks.DEFECT_MADE_KNOWN: _(
        "The inspection service was not told of a deck that is not whole."
    ),
    house_checks.COMPLAINT_ANSWERED: _("A complaint was not decided on in time."),
    house_checks.FOOTAGE_DECIDED: _("Recordings that were held have run out of days."),
    house_checks.FOOTAGE_HELD: _("Nobody held the recordings, and their days are over."),
    house_checks.CASE_IN_TIME: _("A finding was not explained, or not paid, in time."),
    house_checks.REMEDY_KEPT: _("What was remedied happened again."),
    house_checks.TWO_PERSONS: _("Somebody did alone what two persons have to do."),
    house_checks.OFFICE_BY_TWO: _("One person alone gave or ended a high office."),
    house_checks.SHUFFLER_FIT: _("Cards are in a shuffler that may not be dealt from."),
    house_checks.IDENTIFIED: _("A large prize was paid to somebody nobody identified."),
}
# The same while there is still time.
DUE: Final = {
    "loading_witnessed": _("The loading of the shuffler waits for its witness."),
    "unloading_witnessed": _("The emptying of the shuffler waits for its witness."),
    house_checks.INCIDENT_SETTLED: _("An incident is open."),
    house_checks.DEFECT_MADE_KNOWN: _("The inspection service has to be told of a deck."),
    house_checks.FOOTAGE_DECIDED: _("Recordings that are held run out of days."),
    house_checks.FOOTAGE_HELD: _("Recordings nobody holds run out of days."),
}
# What of a pool waits for somebody.
OF_POOLS: Final = {
    waiting.WIN: _("A jackpot win waits to be paid; its cards stay open until then."),
    waiting.SHORT: _("A jackpot prize was paid short; the rest is still owed."),
    waiting.TERMS: _("Jackpot terms wait for a second person's word."),
    waiting.SEAL: _("The jackpot's meter was not sealed after the gaming day."),
}
# What of the house's own work stands still: `silent.py`.
WATCH: Final = "watch_silent"
JOBS: Final = "jobs_waiting"
MAIL: Final = "mail_not_delivered"
MESSAGES: Final = "messages_missing"
DRAW: Final = "draw_not_revealed"
OF_THE_HOUSE: Final = {
    WATCH: _("Nobody has looked at the floor or at the book for too long."),
    JOBS: _("Jobs that were decided on are not sent to the workers."),
    MAIL: _("Mails with alerts could not be delivered."),
    MESSAGES: _("Messages of a machine are missing."),
    DRAW: _("A draw was committed to and never revealed."),
}
PLACE: Final = {
    "draw": _("draw %(what)s"),
    "jackpot": _("jackpot %(what)s"),
    "shoe": _("shoe %(what)s"),
    "deck": _("deck %(what)s"),
    "load": _("load %(what)s"),
    "unload": _("emptying %(what)s"),
    "incident": _("incident %(what)s"),
    "complaint": _("complaint %(what)s"),
    "hold": _("hold %(what)s"),
    "case": _("case %(what)s"),
    "shuffler": _("shuffler %(what)s"),
}
# The same of several of them.
MANY: Final = {
    "shoe": _("%(n)s shoes: %(what)s"),
    "deck": _("%(n)s decks: %(what)s"),
    "load": _("%(n)s loads: %(what)s"),
    "incident": _("%(n)s incidents: %(what)s"),
    "complaint": _("%(n)s complaints: %(what)s"),
    "case": _("%(n)s cases: %(what)s"),
}
