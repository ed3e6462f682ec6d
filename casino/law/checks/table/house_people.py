"""The people of a game before the house's own rules: known, in their office, there, and three.

No article asks for any of this, so no article is cited: these are controls of the house, under a
heading of their own. They are asked of the same record as the law's checks, and warned of before
it is written. What nobody recorded of a person (his duty, an empty register) is open and no breach.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from casino.events.event import Event
from casino.events.floor_life import (
    DealerLeftTable,
    DealerTookTable,
    PartidaReopened,
    TableHandedOver,
)
from casino.events.naming import named_in
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.phrases import marked
from casino.events.staff import DutyBegun, DutyEnded, OfficeGranted, StaffRegistered
from casino.law.checks.table.attested_at_closing import ATTESTED
from casino.law.checks.table.offices_of_acts import asked_by_an_article
from casino.law.dossier import AnyRecorded, Dossier, RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Rule, Verdict, upholds
from casino.law.game_incidents import is_before
from casino.law.partida_context import PartidaContext, by_game, is_opened
from casino.law.questions import breach, equal, together
from casino.law.register_proof import MOST, office_on_record

ARTICLE: Final = "house.people"
HEADING: Final = marked("People at the tables")
SUMMARY: Final = marked(
    "Whoever is named at a table is known to the house, holds the office he is named in, is on duty"
    " there, and has one place at it; nothing is told of a game before it began."
)
RELIEVED_WITHIN: Final = timedelta(minutes=5)  # dealers change places table by table

# In which office a field names somebody.
OFFICES: Final = {
    "pagador": "pagador",
    "relieves": "pagador",
    "shuffled_by": "pagador",
    "fiscal_de_banca": "fiscal_de_banca",
    "fiscal_chefe": "fiscal_chefe",
}
_THERE: Final = (*OFFICES, "operator", "replaced_by")  # who is at the table as the act is done
_BEGINS: Final = (PartidaOpened, DealerTookTable)  # after it somebody deals
_CREW: Final = ("pagador", "fiscal_de_banca", "fiscal_chefe")
# Whose number a technician or a witness gave is no matter of the register.
_WORDS_ABOUT: Final = frozenset({"witnessed/1", "witness-failed/1", "corrected/1", "erased/1"})
# Told of a game, and done to its cards and chips before it: at the table, or in the store.
_BEFOREHAND: Final = frozenset({"deck-inspected/1", "chips-counted/1", "deck-withdrawn/1"})


def _named(event: Event, fields: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The people these fields of an event name: field and number."""
    for field in fields:
        number = getattr(event, field, None)
        if isinstance(number, str):
            yield field, number


def _office_of(event: Event, field: str) -> str:
    """In which office a field of an event names somebody; "" for none."""
    if field == "relieves" and isinstance(event, TableHandedOver):
        return "fiscal_de_banca"
    return OFFICES.get(field, "")


def _acts(game: PartidaContext) -> list[RecordedEvent[Event]]:
    """What is recorded of the game by people, as it happened; rounds name none but their dealer."""
    return [recorded for recorded in game.acts if recorded.event.kind not in _WORDS_ABOUT]


def _of_each(
    game: PartidaContext,
    fields: Sequence[str],
    ask: Callable[[RecordedEvent[Event], str, str], Verdict],
) -> Verdict:
    """What is said of everybody these fields name; each answer of a person once."""
    answers: list[Verdict] = []
    found: set[tuple[str, str, str]] = set()
    for recorded in _acts(game):
        for field, number in _named(recorded.event, fields):
            answer = ask(recorded, field, number)
            if isinstance(answer, Breach):
                again = number, str(answer.observed), str(answer.expected)
                if again in found:
                    continue
                found.add(again)
            answers.append(answer)
    return together(answers)


@upholds("partida", "Whoever is named at a table is in the house's register.", severity="warning")
def people_are_registered(game: PartidaContext) -> Verdict:
    """By his number, or by an office he was granted.

    A house that keeps no register of an office's holders (of its dealers, say) is asked nothing of
    who is named in it; nothing at all where it keeps none of its dealers.
    """
    house = game.dossier
    granted = [recorded.event for recorded in house.house_of(OfficeGranted)]
    kept = {event.office for event in granted}
    known = {recorded.event.staff.casefold() for recorded in house.house_of(StaffRegistered)}
    known |= {event.staff.casefold() for event in granted}
    answers: list[Verdict] = []
    strangers: dict[str, list[RecordedEvent[Event]]] = {}
    for recorded in _acts(game):
        for thing, number, field in named_in(recorded.event):
            if thing != "person" or asked_by_an_article(game, recorded, field):
                continue
            if number.casefold() in known:
                answers.append(LAWFUL)
            elif isinstance(recorded.event, PartidaClosed) and _answers_for_none(game, number):
                continue
            elif (_office_of(recorded.event, field) or "pagador") in kept:
                strangers.setdefault(number, []).append(recorded)
            else:
                answers.append(UNDECIDED)
    for number, acts in strangers.items():
        answers.append(equal("registered", False, True, *acts[:100], where={"staff": number}))
    return together(answers)


def _answers_for_none(game: PartidaContext, number: str) -> bool:
    """Whether an article is found broken because nobody else answered for it."""
    asked = (check for check in ATTESTED if game.rules.article_of(check.name) is not None)
    answers = (check(game) for check in asked)
    return any(
        isinstance(answer, Breach) and number in answer.observed.get("attested_by", ())
        for answer in answers
    )


@upholds("partida", "Whoever is named in an office at a table holds it then.", severity="warning")
def people_hold_their_office(game: PartidaContext) -> Verdict:
    """As dealer, fiscal de banca or fiscal-chefe; from the moment it was granted until its end.

    Of a number nobody was ever granted anything by, whether it is registered is asked instead.
    """
    dossier = game.dossier
    granted = {recorded.event.staff for recorded in dossier.house_of(OfficeGranted)}

    def ask(recorded: RecordedEvent[Event], field: str, number: str) -> Verdict:
        if asked_by_an_article(game, recorded, field):
            return None
        if number not in granted:
            return UNDECIDED
        office = _office_of(recorded.event, field)
        if dossier.holds_office(number, office, recorded.occurred_at, recorded):
            return LAWFUL
        known, where = office_on_record(dossier, number, office, recorded), {"staff": number}
        observed = {"holds_office": False, **known.observed}
        return breach(observed, {"office": office}, recorded, *known.evidence, where=where)

    return _of_each(game, tuple(OFFICES), ask)


@upholds(
    "partida",
    "Dealer, fiscal de banca and fiscal-chefe of a game are three people.",
    severity="warning",
)
def three_people_at_a_table(game: PartidaContext) -> Verdict:
    """Whoever comes to a table has no other place at it by then."""
    crew: dict[str, str] = {}
    answers: list[Verdict] = []
    found: set[tuple[str, ...]] = set()
    for recorded in _acts(game):
        mine = dict(_named(recorded.event, _CREW))
        if not mine:
            continue
        if isinstance(recorded.event, PartidaOpened):
            crew = {}
        crew |= mine
        for number in mine.values():
            places = sorted(one for one, who in crew.items() if who.casefold() == number.casefold())
            again = (number, *places) in found
            if len(places) == 1 or again:
                answers.append(LAWFUL if len(places) == 1 else None)
                continue
            found.add((number, *places))
            answers.append(
                breach({"named_as": places}, {"at_most": 1}, recorded, where={"staff": number})
            )
    return together(answers)


@upholds("partida", "Whoever is named at a table is on duty there then.", severity="warning")
def people_on_duty_at_the_table(game: PartidaContext) -> Verdict:
    """After he came and before he left, and at this table or in the whole room.

    Open where nobody told anything of his duty about that day, as of many a dealer.
    """
    dossier = game.dossier

    def ask(recorded: RecordedEvent[Event], field: str, number: str) -> Verdict:
        duty = _duty_of(dossier, number, recorded)
        if not duty:
            return UNDECIDED
        shown_by, where = (recorded, *duty[-MOST:]), {"staff": number}
        there = _tables_at(duty, recorded.occurred_at)
        if there is None:
            began = [one.occurred_at for one in duty if isinstance(one.event, DutyBegun)]
            early = bool(began) and recorded.occurred_at < min(began)
            expected = {"not_before": min(began)} if early else {"on_duty": True}
            return breach({"on_duty": False}, expected, *shown_by, where=where)
        if there and dossier.table not in there:
            observed = {"on_duty_at": sorted(there)}
            return breach(observed, {"table": dossier.table}, *shown_by, where=where)
        return LAWFUL

    return _of_each(game, _THERE, ask)


def _duty_of(
    dossier: Dossier, number: str, act: RecordedEvent[Event]
) -> list[RecordedEvent[Event]]:
    """What is recorded of a person's duty about that day, as it happened.

    But for a beginning before an act that was recorded when the act was recorded already.
    """
    known_by = dossier.first_record(act).recorded_at
    events: list[AnyRecorded] = [*dossier.house_of(DutyEnded)]
    events += [
        one
        for one in dossier.house_of(DutyBegun)
        if one.recorded_at <= known_by or one.occurred_at > act.occurred_at
    ]
    return sorted((one for one in events if one.event.staff == number), key=in_time)


def _tables_at(duty: Sequence[RecordedEvent[Any]], at: datetime) -> frozenset[str] | None:
    """The tables he was on duty at, none for the whole room; None where he was on no duty.

    Whoever ends duty at the very moment is still on duty.
    """
    last: dict[str, RecordedEvent[Event]] = {}
    for one in duty:
        ended = isinstance(one.event, DutyEnded)
        if one.occurred_at < at or (one.occurred_at == at and not ended):
            last[one.event.office] = one
    on = [one.event.tables for one in last.values() if isinstance(one.event, DutyBegun)]
    if not on:
        return None
    return frozenset() if () in on else frozenset(table for tables in on for table in tables)


@upholds("partida", "A dealer deals at one table at a time.", severity="warning")
def dealer_at_one_table(game: PartidaContext) -> Verdict:
    """Whoever opens a table as its dealer, or takes it over, deals at no other then.

    Dealers change places table by table: where he took one over, the other has some minutes to say
    who relieved him there.
    """
    dossier, answers, elsewhere = game.dossier, list[Verdict](), _dealt_elsewhere(game)
    mine: tuple[AnyRecorded, ...] = (
        *dossier.of(PartidaOpened),
        *dossier.of(DealerTookTable),
    )
    for recorded in sorted(mine, key=in_time):
        number = recorded.event.pagador
        if number is None:
            continue
        until = recorded.occurred_at
        if isinstance(recorded.event, DealerTookTable):
            until += RELIEVED_WITHIN
            if dossier.as_of < until:
                answers.append(UNDECIDED)
                continue
        games, since = elsewhere.get(number, ()), recorded.occurred_at
        other = next(filter(None, (_dealing(number, one, since, until) for one in games)), None)
        if other is None:
            answers.append(LAWFUL)
        else:
            also, here, where = {"also_at": other.event.table}, dossier.table, {"staff": number}
            answers.append(breach(also, {"table": here}, other, recorded, where=where))
    return together(answers)


def _dealt_elsewhere(game: PartidaContext) -> dict[str | None, list[list[AnyRecorded]]]:
    """By dealer, what tells who deals in each game of another table in which he ever did."""
    kinds = (PartidaOpened, PartidaClosed, PartidaReopened, DealerTookTable, DealerLeftTable)
    games = by_game(one for kind in kinds for one in game.dossier.around_of(kind))
    mine, table = game.dossier.partida, game.dossier.table
    dealt: dict[str | None, list[list[AnyRecorded]]] = {}
    for partida, there in sorted(games.items()):
        if partida != mine and all(one.event.table != table for one in there):
            for number in {one.event.pagador for one in there if isinstance(one.event, _BEGINS)}:
                dealt.setdefault(number, []).append(there)
    return dealt


def _dealing(
    number: str, there: Sequence[RecordedEvent[Any]], since: datetime, until: datetime
) -> AnyRecorded | None:
    """What tells that he dealt in another game before a moment, and still did at another."""
    begun = [one for one in there if one.occurred_at < since]
    if not begun or _dealer(begun) != number:
        return None
    still = _dealer([one for one in there if one.occurred_at <= until]) == number
    return begun[-1] if still else None


def _dealer(events: Sequence[RecordedEvent[Any]]) -> str | None:
    """Who deals at a table after this was recorded of it."""
    dealer: str | None = None
    for one in events:
        if isinstance(one.event, _BEGINS):
            dealer = one.event.pagador
        elif not isinstance(one.event, DealerLeftTable) or one.event.pagador == dealer:
            dealer = None  # closed, opened again, or he left
    return dealer


@upholds(
    "partida", "Nothing is told of a game before it was opened.", only=is_opened, severity="warning"
)
def nothing_before_the_opening(game: PartidaContext) -> Verdict:
    """But for decks looked through and chips counted for it; a time told to the minute may be any.

    Where nobody recorded the opening there is nothing to ask.
    """
    opened = game.opening
    early = [
        one
        for one in _acts(game)
        if one.event.kind not in _BEFOREHAND and is_before(one.occurred_at, opened.occurred_at)
    ]
    if not early:
        return LAWFUL
    return [
        breach({"moment": one.occurred_at}, {"not_before": opened.occurred_at}, opened, one)
        for one in early[:100]
    ]


@upholds(
    "partida",
    "The lid is opened once the fiscal-chefe who was called is there.",
    severity="warning",
)
def lid_opened_once_he_is_there(game: PartidaContext) -> Verdict:
    """By the moments told of the incident; each may be told to the minute."""
    answers: list[Verdict] = []
    for incident in game.incidents:
        came, opened = incident.event.arrived_at, incident.event.opened_at
        if came is None or opened is None:
            continue
        if is_before(opened, came):
            shown_by = incident.evidence("arrived_at", "opened_at")
            where = {"incident": incident.event.incident}
            answers.append(breach({"moment": opened}, {"not_before": came}, *shown_by, where=where))
        else:
            answers.append(LAWFUL)
    return together(answers)


# Asked of the register when a number is told to it, and of no game.
number_registered_once: Final = Rule(
    "number_registered_once",
    "partida",
    "A number of the register stands for one person, and is registered once.",
    severity="warning",
)
# Asked when an incident is reported, of all tables; what has one number at two is of two.
incident_number_of_one_table: Final = Rule(
    "incident_number_of_one_table",
    "partida",
    "The number of an incident is used at one table alone.",
    severity="warning",
)
