"""What the coded words in events are called: every choice of a form, every word of a record's page.

A word has the same name wherever it stands; where that would say too little, NAMED_WORDS gives it
one beside a certain field. A word once recorded is for ever: none is taken out.
"""

from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

WORDS: Final[dict[str, Promise]] = {
    "first_word": _("before the first player speaks"),
    "red_and_blue": _("red and blue"),
    "access": _("what is held of him"),
    "administrador": _("administrator"),
    "after_emptying": _("after the machine was emptied"),
    "after_full_payout": _("after a full payout"),
    "approved": _("approved"),
    "arrived": _("arrived"),
    "asked": _("asked for"),
    "auditor": _("auditor"),
    "automatic": _("automatic"),
    "before_round": _("before a round"),
    "best": _("the largest prize"),
    "broken": _("broken"),
    "burnt": _("incinerated"),
    "by_hand": _("by hand"),
    "called": _("called"),
    "card": _("card"),
    "cards": _("the cards"),
    "cards-spread": _("cards spread"),
    "cards_and_recordings": _("the cards and the recordings"),
    "cash": _("cash"),
    "chefia_da_sala": _("chefia da sala"),
    "cheque": _("cheque"),
    "chips": _("chips"),
    "close": _("close of the game"),
    "closing": _("closing"),
    "complaint": _("complaint"),
    "conduct": _("conduct"),
    "conform": _("conform"),
    "corrected_since": _("the act was corrected meanwhile"),
    "counted": _("counted"),
    "court": _("a court"),
    "counting": _("counting"),
    "counting_error": _("counting error"),
    "credit": _("chips taken away"),
    "data_subject_request": _("request of the data subject"),
    "cut": _("cut through"),
    "ended": _("cycle ended"),
    "erasure": _("erasure"),
    "revoked": _("approval revoked"),
    "shuffle": _("mixing"),
    "sort": _("sorting"),
    "started": _("cycle begun"),
    "recorded_in_error": _("recorded in error"),
    "retention_over": _("the time for which it is kept is over"),
    "damaged": _("damaged"),
    "damaged_card": _("damaged card"),
    "dealer_change": _("change of dealer"),
    "dealing": _("dealing"),
    "dealing_error": _("error in dealing"),
    "decision": _("a decision"),
    "deck": _("deck"),
    "deck_defect": _("defect of a deck"),
    "device_fault": _("fault of the device"),
    "dispositivo": _("device"),
    "dispute": _("a dispute"),
    "during_round": _("during a round"),
    "email": _("e-mail"),
    "end_of_day": _("end of the day"),
    "estimated": _("estimated"),
    "exhibition": _("exhibition"),
    "exposed_card": _("exposed card"),
    "extra": _("cards too many"),
    "fill": _("chips brought"),
    "first": _("the first in the list"),
    "fiscal": _("the fiscal"),
    "fiscal_chefe": _("fiscal-chefe"),
    "fiscal_de_banca": _("fiscal de banca"),
    "foreign": _("of another set"),
    "foreign_card": _("a card of another deck"),
    "from_dealers_left": _("from the dealer's left"),
    "full": _("the whole book"),
    "granted": _("granted"),
    "hearing": _("who was there was heard"),
    "in_person": _("in person"),
    "inadmissible": _("not admissible"),
    "incident": _("incident"),
    "increment": _("told by hand"),
    "inspection_service": _("the inspection service"),
    "inspetor": _("inspector"),
    "intact": _("intact"),
    "interruption": _("an interruption"),
    "investigation": _("an investigation"),
    "jackpot": _("jackpot"),
    "jam": _("jam"),
    "lack_of_capital": _("lack of capital"),
    "left": _("went away"),
    "letter": _("letter"),
    "lid_closed": _("lid closed"),
    "lid_opened": _("lid opened"),
    "light_off": _("warning light off"),
    "light_on": _("warning light on"),
    "limit_reached": _("limit reached"),
    "loading": _("loading"),
    "locked_out": _("locked after too many"),
    "login_reset": _("a new log-in"),
    "lost": _("lost"),
    "machine": _("by machine"),
    "maintenance": _("maintenance"),
    "management": _("management"),
    "manual": _("manual"),
    "marked": _("marked cards"),
    "missing": _("cards missing"),
    "missing_card": _("a card is missing"),
    "next_shoe": _("the shoe before"),
    "no_office": _("holds no office of the floor"),
    "nightly": _("nightly"),
    "no_players": _("no players"),
    "no_stakes": _("no stakes"),
    "nobody": _("nobody"),
    "none": _("none at all"),
    "not_ours": _("not made for this act"),
    "not_upheld": _("not upheld"),
    "nothing": _("nothing"),
    "office_ended": _("that the office end"),
    "office_given": _("that the office be given"),
    "opening": _("opening"),
    "other": _("other"),
    "own_act": _("his own act"),
    "pagador": _("dealer"),
    "partly_upheld": _("upheld in part"),
    "passkey": _("passkey"),
    "password": _("password, confirmed to the server"),
    "payment": _("payment"),
    "payment_error": _("error in paying"),
    "perforated": _("perforated"),
    "pin": _("personal code, confirmed to the server"),
    "play-interrupted": _("play interrupted"),
    "play-resumed": _("play resumed"),
    "player": _("the player"),
    "pools_joined": _("pools joined"),
    "portal": _("portal"),
    "range": _("a range of entries"),
    "received": _("on receipt"),
    "record": _("one record"),
    "list": _("a list"),
    "recordings": _("the recordings"),
    "refused": _("refused"),
    "regular": _("regular"),
    "replaced": _("replaced"),
    "resolved": _("resolved"),
    "seat": _("a seat"),
    "semicircular": _("semicircular"),
    "settled": _("settled"),
    "shoe": _("shoe"),
    "shredded": _("shredded"),
    "shuffler": _("shuffler"),
    "shuffler_full": _("shuffler full"),
    "sistema": _("system"),
    "stake": _("stake"),
    "start": _("the start of the game"),
    "stolen": _("stolen"),
    "store": _("in store"),
    "table": _("a single table"),
    "taken": _("sat down"),
    "taken_out_of_service": _("taken out of service"),
    "technician_arrived": _("technician arrived"),
    "technician_called": _("technician called"),
    "telephone": _("telephone"),
    "too_late": _("too late"),
    "took": _("came to deal"),
    "transfer": _("transfer"),
    "unfounded": _("unfounded"),
    "unknown": _("unknown"),
    "unknown_person": _("nobody has that number"),
    "unloading": _("unloading"),
    "upheld": _("upheld"),
    "used_already": _("used already"),
    "warning_light": _("warning light"),
    "win_withdrawn": _("a win withdrawn"),
    "withdrawn": _("withdrawn by the player"),
    "worn": _("worn"),
    "wrong_passkey": _("wrong passkey"),
    "wrong_secret": _("wrong code or password"),
}
# A word that means more beside one field than it says alone.
NAMED_WORDS: Final[dict[tuple[str, str], Promise]] = {
    ("about", "player"): _("a player"),
    ("about", "staff"): _("somebody of the house"),
    ("ordered_by", "house"): _("the house itself"),
    ("about", "machine"): _("a machine"),
    ("about", "table"): _("a table of the room"),
    ("door", "admin"): _("administration"),
    ("door", "api"): _("a device of the table"),
    ("door", "import"): _("an imported file"),
    ("door", "job"): _("a job"),
    ("door", "local"): _("a command"),
    ("door", "sala"): _("the floor"),
    ("error_by", "machine"): _("the machine"),
    ("phase", "changed"): _("changed afterwards"),
    ("phase", "closed"): _("when the stakes were closed"),
    ("why", "no_network"): _("no network"),
    ("why", "no_power"): _("no power"),
    ("why", "no_tablet"): _("no tablet"),
    ("why", "server_down"): _("the server did not answer"),
    ("why", "other"): _("another reason"),
    ("reason", "first"): _("the first start"),
}
# Why a record is corrected, and why a warning is recorded over: codes of the house.
CORRECTION_REASONS: Final[dict[str, Promise]] = {
    "typing-error": _("typing error"),
    "misread": _("misread or misheard"),
    "wrong-time": _("wrong time"),
    "wrong-person": _("wrong person"),
    "wrong-count": _("counted wrongly"),
    "left-out": _("something left out"),
    "learned-later": _("learned later"),
    "footage": _("seen on the recordings"),
    "other": _("other"),
}
# Why a record is withdrawn: what it tells did not happen.
WITHDRAWAL_REASONS: Final[dict[str, Promise]] = {
    "tapped_by_mistake": _("tapped by mistake"),
    "never_happened": _("it never happened"),
    "told_twice": _("recorded twice"),
    "other_table": _("it was at another table"),
    "practice": _("it was a test or practice"),
}
# Why a run is withdrawn, with all it wrote.
RUN_WITHDRAWAL_REASONS: Final[dict[str, Promise]] = {
    "other_law": _("it judged by a rulebook the games were not played under"),
    "asked_in_error": _("the run was asked for by mistake"),
}
DESPITE_REASONS: Final[dict[str, Promise]] = {
    "it-happened-so": _("it happened so"),
    "other-record-follows": _("the missing record will follow"),
    "ordered": _("ordered by a superior"),
    "authorised": _("authorised by the inspection service"),
    "equipment": _("failure of equipment"),
    "short-of-staff": _("short of staff"),
    "emergency": _("emergency"),
    "other": _("other"),
}
DECISION_REASONS: Final[dict[str, Any]] = {
    "checked": _("checked against what there is"),
    "confirmed-by-person": _("confirmed by who was there"),
    "footage": _("seen on the recordings"),
    "original-was-right": _("the original was right"),
    "not-proved": _("not proved"),
    "other": _("other"),
}
# Why a complaint was decided as it was, and why recordings are kept.
COMPLAINT_REASONS: Final[dict[str, Any]] = {
    "error-found": _("an error was found"),
    "payment-corrected": _("payment corrected"),
    "stake-returned": _("stake returned"),
    "rightly-dealt": _("the cards bear out what was done"),
    "footage": _("seen on the recordings"),
    "not-proved": _("not proved"),
    "courtesy": _("settled as a courtesy"),
    "seen": _("looked into"),
    "settled": _("settled with the player"),
    "other": _("other"),
}
HOLD_REASONS: Final[dict[str, Promise]] = {
    "complaint": _("complaint"),
    "incident": _("incident"),
    "inspection": _("asked for by the inspection service"),
    "investigation": _("an investigation"),
    "other": _("other"),
}
# Why the inspection service decides as it does on a finding, and why a case is worked again.
CASE_REASONS: Final[dict[str, Promise]] = {
    "record_shows_it": _("the record shows it"),
    "recordings_show_it": _("the recordings show it"),
    "explanation_not_enough": _("the explanation does not account for it"),
    "explanation_holds": _("the explanation accounts for it"),
    "record_in_error": _("the record was in error, the act was not"),
    "rule_not_applicable": _("the rule does not apply here"),
    "other": _("other"),
}
REOPENING_REASONS: Final[dict[str, Promise]] = {
    "new_evidence": _("new evidence"),
    "explanation_incomplete": _("the explanation is incomplete"),
    "decision_in_error": _("the decision was in error"),
    "payment_in_error": _("the payment was not as recorded"),
    "other": _("other"),
}
# The fields of events that may hold any code and whose form offers these.
OFFERED: Final[dict[tuple[str, str], dict[str, Promise]]] = {
    ("complaint-decided/1", "reason"): COMPLAINT_REASONS,
    ("footage-held/1", "reason"): HOLD_REASONS,
    ("finding-decided/1", "reason"): CASE_REASONS,
    ("finding-reopened/1", "reason"): REOPENING_REASONS,
}
REASONS: Final = (
    CORRECTION_REASONS
    | WITHDRAWAL_REASONS
    | RUN_WITHDRAWAL_REASONS
    | DESPITE_REASONS
    | DECISION_REASONS
    | COMPLAINT_REASONS
    | HOLD_REASONS
    | CASE_REASONS
    | REOPENING_REASONS
)

# The colours of cards as the book spells them; whatever else was recorded is shown as it was
# recorded.
COLOURS: Final[dict[str, Promise]] = {
    "red": _("red"),
    "blue": _("blue"),
    "green": _("green"),
    "yellow": _("yellow"),
    "black": _("black"),
    "white": _("white"),
    "grey": _("grey"),
    "purple": _("purple"),
    "orange": _("orange"),
    "brown": _("brown"),
}
COLOURED: Final = frozenset(
    {"back_colour", "card_colour", "front", "back"}
)  # the fields that hold one


def colour_word(colour: str | None) -> str:
    """A colour in words; '' for none."""
    return str(COLOURS.get(colour, colour)) if colour else ""
