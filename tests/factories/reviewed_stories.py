"""Games told as they should be and otherwise, in one act: what `reviewed_games` is made of.

Each function marked `later` answers a story: a function that tells the game anew.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
from typing import Any, Final, ParamSpec

from casino.events.deck_life import CardReplaced, DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.floor_life import RoundsDeferred
from casino.events.incidents import IncidentClosed, IncidentReported
from casino.events.inspection import LeaveAsked, LeaveDecided, LimitsApproved
from casino.events.partidas import Attested, DeckInUse, PartidaClosed, PartidaOpened, SpecialCard
from casino.events.shoes import (
    CardBurned,
    DeckPasses,
    LastRoundAnnounced,
    PlayInterrupted,
    PlayResumed,
)
from casino.events.tables import LimitsSet, StakeLimits, TableRegistered
from tests.factories.complaints import complaint
from tests.factories.damaged_decks import damaged, exchanged
from tests.factories.ends_of_shoes import laid_out
from tests.factories.games import (
    CHEFE,
    DECKS,
    FISCAL,
    LEFT_OUT,
    Game,
    cut_by,
    evening,
    moment,
    shuffler_evening,
)
from tests.factories.rounds import box, main
from tests.factories.rounds_put_back import rounds
from tests.factories.shuffler import unwitnessed
from tests.factories.shuffler_emptied import but
from tests.factories.shuffler_opened import lid_opened
from tests.factories.shuffler_troubles import damage

Story = Callable[[], Game]
Given = ParamSpec("Given")


def later(make: Callable[Given, Game]) -> Callable[Given, Story]:
    """What is called now answers a story, which makes the game anew whenever it is called."""

    @wraps(make)
    def story(*given: Given.args, **known: Given.kwargs) -> Story:
        return partial(make, *given, **known)

    return story


@later
def but_for(base: Story, kind: Any, **otherwise: Any) -> Game:
    """The same game, with the last act of a kind told otherwise."""
    game = base()
    game.change(kind, **otherwise)
    return game


@later
def shown(**otherwise: Any) -> Game:
    """An evening for which one deck was shown so; ``shown(at=None)``: it was not."""
    game = evening()
    game.drop(DeckInspected, deck="D-4")
    known = {"at": "19:30"} | otherwise
    if (at := known.pop("at")) is not None:
        game.show("D-4", at, **known)
    return game


@later
def prepared(**steps: Any) -> Game:
    """One shoe, one of whose steps was done otherwise, and three rounds of it."""
    game = Game()
    game.prepare(
        1,
        **{name: dict(said) if isinstance(said, dict) else said for name, said in steps.items()},
    )
    for number in (1, 2, 3):
        game.round(1, number, f"20:{10 * number}")
    game.close(rounds=3)
    return game


@later
def decks(count: int) -> Game:
    """A shoe of so many decks."""
    game = Game(decks=tuple(f"D-{n}" for n in range(1, count + 1)))
    game.prepare(1)
    game.round(1, 1, "20:10")
    return game


@later
def with_round(**known: Any) -> Game:
    """One shoe with a fourth round, told so."""
    game = evening(shoes=1, closed=False)
    game.round(1, 4, "20:40", **known)
    game.close(**({"attested": known["attested"]} if "attested" in known else {}))
    return game


@later
def dealt_by(staff: str) -> Game:
    """One shoe and one round, dealt by him."""
    game = Game()
    game.prepare(1)
    game.round(1, 1, dealer=staff)
    game.close(rounds=1)
    return game


@later
def late_card(**values: Any) -> Game:
    """The warning card came out before a round; then a second shoe."""
    game = evening(shoes=1, closed=False)
    game.announce(1, None, "20:32", came_out="before_round")
    if values:
        game.round(1, 4, "20:33", **values)
    game.prepare(2, "21:00")
    game.round(2, 1, "21:10")
    game.close()
    return game


@later
def answered(article: str, staff: str, dealing: str = "shuffler") -> Game:
    """A game in which this person answers for an article no record shows."""
    game = shuffler_evening(closed=False) if dealing == "shuffler" else evening(closed=False)
    if article == "13":
        game.round(2, 4, "21:40", times=None)
    others = [Attested(article=each, staff=FISCAL) for each in ("13", "17", "58", "59")]
    listed = [replace(each, staff=staff) if each.article == article else each for each in others]
    game.close(attested=tuple(each for each in listed if each.staff))
    return game


@later
def approved(**values: Any) -> Game:
    """An evening whose limits were approved so."""
    game = evening()
    game.house = [
        replace(one, event=replace(one.event, **values))
        if isinstance(one.event, LimitsApproved)
        else one
        for one in game.house
    ]
    return game


@later
def machine(kind: Any = None, at: str = "20:35", **values: Any) -> Game:
    """An evening at a shuffler in which this was done as well."""
    game = shuffler_evening(closed=False)
    if kind is not None:
        game.record(kind, at, **values)
    game.close(rounds=3)
    return game


@later
def mixed(**shuffled: Any) -> Game:
    """A shuffler evening whose cards were mixed so before they were loaded."""
    game = Game("shuffler")
    game.witness(game.load(shuffled=shuffled or LEFT_OUT))
    return first_round(game)


def first_round(game: Game, dealt: str = "20:10", burnt: str = "19:58") -> Game:
    game.record(CardBurned, burnt, shoe=1, cards=1, to_discard_corner=True)
    game.put_back(1, 1, dealt)
    game.close(rounds=1)
    return game


@later
def loaded(at: str = "19:45", by: str = CHEFE, twice: bool = False, **values: Any) -> Game:
    """A shuffler loaded so, before that witness."""
    game = Game("shuffler")
    known = {name: values[name] for name in ("staff", "office") if name in values}
    act = game.load(at, **{name: each for name, each in values.items() if name not in known})
    if by:
        game.witness(act, by)
    first_round(game)
    if twice:
        again = game.load("20:30")
        game.witness(again)
    return game


def loaded_late() -> Game:
    """The first card was dealt a minute before the loading was over."""
    game = Game("shuffler")
    game.witness(game.load("20:11"))
    return first_round(game, burnt="20:11")


def never_loaded() -> Game:
    game = Game("shuffler")
    return first_round(game)


def ordered(**otherwise: Any) -> Story:
    """A closed shuffler game in which one deck was put in order so."""
    return lambda: but("D-1", **otherwise)


@later
def back(*put_back: str | None, **values: Any) -> Game:
    """Rounds at a shuffler whose cards went back then."""
    reason = values.get("reason")
    known = {name: each for name, each in values.items() if name != "reason"}
    game = rounds(*put_back, **known)
    game.record(CardBurned, "19:58", shoe=1, cards=1, to_discard_corner=True)
    if reason:
        game.change(RoundsDeferred, reason=reason)
    return game


@later
def complained(at: str, outcome: str, **values: Any) -> Game:
    """A complaint of that moment, decided so."""
    game = complaint(at, outcome, **values)
    game.change(CardBurned, to_discard_corner=True)
    return game


@later
def faces(cut: str, warning: str, back: str = "blue") -> Game:
    """Special cards of these colours: front and back."""
    game = evening(shoes=1)
    special = [SpecialCard(front=one.split()[0], back=one.split()[1]) for one in (cut, warning)]
    used = tuple(DeckInUse(deck=deck, back_colour=back) for deck in DECKS)
    game.change(PartidaOpened, cut_card=special[0], carta_aviso=special[1], decks=used)
    return game


@later
def dealt_by_hand(*cuts: dict[str, Any]) -> Game:
    """Shoes cut so, three rounds of each, the last of all but the last announced."""
    game = Game()
    for shoe, cut in enumerate(cuts, 1):
        game.prepare(shoe, f"{19 + shoe}:00", cut=dict(cut))
        for number in (1, 2, 3):
            game.round(shoe, number, f"{19 + shoe}:{10 * number}")
        if shoe < len(cuts):
            game.announce(shoe, 3, f"{19 + shoe}:30:20")
    game.close(rounds=3 * len(cuts))
    return game


@later
def leave(name: str = "AU-1", card: str = "8S", **values: Any) -> Game:
    """A card of D-2 exchanged by a leave of the inspection service, which was decided so."""
    game = evening(shoes=1, closed=False)
    ask = {"leave": "AU-1", "deck": "D-2", "cards": ("8S",), "grounds": "No other deck"}
    game.in_house(LeaveAsked(**ask), "18:00")
    usual = {"leave": "AU-1", "decision": "granted", "document": "Despacho 12", **values}
    decided = game.in_house(LeaveDecided(**usual), "18:30")
    game.house[-1] = replace(decided, by=replace(decided.by, staff="S-500", office="inspetor"))
    known = {"deck": "D-2", "reason": "damaged", "authorisation": name}
    game.record(CardReplaced, "20:36", card=card, **known)
    game.close()
    return game


def replaced_at_once() -> Game:
    game = damaged(dealing="shuffler", replaced="card", resolved_at=moment("20:36"))
    report = game.entries[-1]
    exchanged(game, "20:36")
    game.put_back(1, 4, "20:50")
    game.witness(report, CHEFE)
    return game


@later
def exchanged_by(staff: str, office: str) -> Game:
    game = replaced_at_once()
    game.change(CardReplaced, replaced_by=staff, replaced_by_office=office)
    return game


@later
def opened_with_a_withdrawn_deck(deck: str = "D-5") -> Game:
    game = evening(shoes=1)
    game.beside(DeckWithdrawn(deck=deck, reason="worn"), "12:00")
    return game


def played_on_with_a_damaged_deck(category: str = "deck_defect") -> Game:
    game = damaged(category=category)
    game.round(1, 4, "20:40")
    game.close()
    return game


def deck_left_out() -> Game:
    game = Game()
    passes = tuple(DeckPasses(deck=deck, passes=3) for deck in DECKS[:5])
    game.prepare(1, shuffle={"decks": passes})
    game.round(1, 1, "20:10")
    game.close(rounds=1)
    return game


@later
def ordered_after_a_shoe(cards: int = 52) -> Game:
    game = evening(closed=False)
    game.order("D-2", "02:50", cards=cards)
    game.close()
    return game


@later
def set_loaded(decks: tuple[str, ...] = DECKS, **known: Any) -> Game:
    game = Game("shuffler")
    game.witness(game.load(decks=decks, **known))
    return first_round(game)


@later
def after_the_spread(played: bool) -> Game:
    game = laid_out()
    if played:
        game.round(1, 4, "20:40")
    return game


@later
def played_at(place: int) -> Game:
    """A table of six places, and the place that was played on."""
    game = with_round(boxes=(box(place, "TS 8D", main(1000, 2000)),))()
    game.outside(TableRegistered, boxes=6)
    return game


@later
def ending(announced: str | None = "20:30:20", out_in: int = 22, **values: Any) -> Game:
    """Rounds 20 to 22 of a shoe, the warning card out in one of them; then a second shoe."""
    game = Game()
    game.prepare(1)
    for number in (20, 21, 22):
        card = 4 if number == out_in else None
        game.round(1, number, f"20:{10 * (number - 19)}", warning_card_at=card)
    if announced:
        game.announce(1, values.get("number", 22), announced, audible=values.get("audible", True))
    game.prepare(2, "21:00")
    game.round(2, 1, "21:10")
    game.close()
    return game


@later
def opened_at(minimum: int, maximum: int, rightly: bool = False) -> Game:
    """A table opened with these limits, which had been set and approved where `rightly`."""
    game = Game()
    limits = {"minimum_cents": minimum, "maximum_cents": maximum}
    game.change(PartidaOpened, limits=StakeLimits(**limits))
    if rightly:
        game.outside(LimitsSet, **limits)
        game.house = [
            replace(one, event=replace(one.event, **limits))
            if isinstance(one.event, LimitsApproved)
            else one
            for one in game.house
        ]
    game.prepare(1)
    game.round(1, 1, limits=None, boxes=(box(1, "TS 8D", main(minimum * 2, minimum * 4)),))
    game.close(rounds=1)
    return game


def limits_recorded(played: tuple[int, int] | None, stake: int = 1000) -> Story:
    stakes = (box(1, "TS 8D", main(stake, 2 * stake)),)
    return with_round(limits=played, boxes=stakes)


def of_book(rulebook: str) -> Story:
    return with_round(rulebook=rulebook)


def without_a_word() -> Game:
    game = unwitnessed()
    return first_round(game)


def left_loaded() -> Game:
    game = shuffler_evening(closed=False)
    game.close(packed=False, closing_announced_at=moment("02:30"))
    return game


@later
def without(base: Story, kind: Any) -> Game:
    """Nobody recorded acts of that kind."""
    game = base()
    game.drop(kind)
    return game


@later
def one_player(from_end: int) -> Game:
    """One person at the table, and where the warning card was put."""
    game = Game()
    seats = {"seats_occupied": (1,)}
    game.prepare(1, cut=seats, warning={"cards_from_end": from_end, "players": 1})
    game.round(1, 1)
    game.close(rounds=1)
    return game


@later
def exhibited_at(at: str) -> Game:
    """The cards of a shuffler, mixed at 19:40, were shown then."""
    game = Game("shuffler")
    game.drop(DeckInspected, deck="D-4")
    game.show("D-4", at)
    game.witness(game.load("19:45"))
    return first_round(game)


def not_made_known() -> Game:
    """Written off as settled, and the inspection service heard nothing."""
    values = dict.fromkeys(("communicated_at", "communicated_by", "communicated_by_office"))
    game = damage(**values, noticed_at="20:50")
    game.record(IncidentClosed, "22:00", incident="I-1", outcome="replaced", reason="card")
    return game


UNSOLVED: Final = dict.fromkeys(("resolved_at", "resolved_by", "resolved_by_office"))


def closed_twice() -> Game:
    game = evening()
    first = game.entries[-1].event
    game.record(PartidaClosed, "03:30", rounds=first.rounds, attested=first.attested)
    return game


@later
def lid(reason: str, *, trouble: str = "", called: str = "") -> Game:
    """The lid opened between two rounds, for a trouble to which a fiscal-chefe was called."""
    game = lid_opened(reason, trouble=trouble)
    game.close()
    if called:
        game.change(IncidentReported, called_at=moment(called))
    return game


def after_a_stop() -> Game:
    """The third shoe, begun after play had stopped for an incident, is cut from the start."""
    cuts = cut_by(1), cut_by(2), {**cut_by(1), "after": "interruption"}
    game = dealt_by_hand(*cuts)()
    game.record(PlayInterrupted, "21:40", reason="incident")
    game.record(PlayResumed, "21:50")
    return game


def announced() -> Game:
    """A last round announced at a shuffler, as nobody has to."""
    game = shuffler_evening(closed=False)
    game.record(LastRoundAnnounced, "20:35", shoe=1)
    game.close(rounds=3)
    return game
