"""Partidas nobody would think of: any acts, at any times, in any order."""

from hypothesis import strategies as st

from casino.events.complaints import ComplaintDecided, ComplaintReceived, DisputeReviewed
from casino.events.deck_life import CardReplaced, DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.floor_life import PartidaReopened, RoundsDeferred
from casino.events.incidents import IncidentReported, IncidentStep
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import (
    CardBurned,
    CardsShuffled,
    CardsSpread,
    CartaAvisoPlaced,
    CutMade,
    DeckPasses,
    LastRoundAnnounced,
    PlayInterrupted,
)
from casino.events.shufflers import ShufflerLoaded, ShufflerOpened, ShufflerUnloaded
from tests.factories.games import (
    CHEFE,
    DECKS,
    FISCAL,
    PAGADOR,
    SEATS,
    Game,
    cut_by,
    moment,
    offers,
)

TIMES = st.integers(19 * 60, 24 * 60 - 1).map(lambda m: f"{m // 60}:{m % 60:02d}")
SHOES = st.integers(1, 4)
DECK = st.sampled_from([*DECKS, "D-9"])
OFFERS = st.lists(
    st.tuples(st.sampled_from(SEATS), st.sampled_from("+-")), unique_by=lambda o: o[0]
)
ACTS = st.one_of(
    st.builds(
        lambda shoe, deck, by: (
            CardsShuffled,
            {"shoe": shoe, "decks": (DeckPasses(deck=deck, passes=3),), "shuffled_by": by},
        ),
        SHOES,
        DECK,
        st.sampled_from([None, PAGADOR, FISCAL]),
    ),
    st.builds(
        lambda shoe, who, asked: (
            CutMade,
            {
                "shoe": shoe,
                "after": "next_shoe",
                "seats_occupied": SEATS,
                **cut_by(who),
                "offers": offers(" ".join(f"{s}{a}" for s, a in asked)),
            },
        ),
        SHOES,
        st.sampled_from([1, 2, 5, 7, "fiscal_de_banca", "pagador", "nobody"]),
        OFFERS,
    ),
    st.builds(
        lambda shoe, end, players: (
            CartaAvisoPlaced,
            {"shoe": shoe, "cards_from_end": end, "players": players},
        ),
        SHOES,
        st.integers(0, 312),
        st.integers(0, 3),
    ),
    st.builds(lambda shoe, n: (CardBurned, {"shoe": shoe, "cards": n}), SHOES, st.integers(0, 5)),
    st.builds(
        lambda shoe, why: (CardsSpread, {"shoe": shoe, "reason": why}),
        st.none() | SHOES,
        st.sampled_from(["no_players", "no_stakes", "other"]),
    ),
    st.builds(
        lambda why: (PlayInterrupted, {"reason": why}),
        st.sampled_from(["no_players", "dealer_change", "other"]),
    ),
    st.builds(
        lambda n, who: (
            ShufflerLoaded,
            {"shuffler": "CSM-04", "decks": DECKS, "packets": n, "operator": who},
        ),
        st.integers(1, 4),
        st.sampled_from([None, PAGADOR, FISCAL]),
    ),
    st.builds(
        lambda why, n: (
            ShufflerUnloaded,
            {"shuffler": "CSM-04", "decks": DECKS, "reason": why, "cards": n},
        ),
        st.sampled_from([None, "closing", "jam", "maintenance"]),
        st.sampled_from([None, 311, 312]),
    ),
    st.builds(
        lambda what, who: (
            IncidentReported,
            {"incident": "I-1", "category": what, "reason": "x", "people": (), "opened_by": who},
        ),
        st.sampled_from(["jam", "damaged_card", "lid_opened", "cash"]),
        st.sampled_from([None, CHEFE, FISCAL]),
    ),
    st.builds(
        lambda shoe, n, card: ("round", {"shoe": shoe, "number": n, "warning_card_at": card}),
        st.none() | SHOES,
        st.none() | SHOES,
        st.sampled_from([None, None, 3]),
    ),
    st.builds(lambda n: ("put back", {"shoe": 1, "number": n}), SHOES),
    st.builds(
        lambda shoe, n, when: (
            LastRoundAnnounced,
            {"shoe": shoe, "number": n, "came_out": when, "audible": True},
        ),
        st.none() | SHOES,
        st.none() | SHOES,
        st.sampled_from([None, "during_round", "before_round"]),
    ),
    st.builds(lambda deck: (DeckWithdrawn, {"deck": deck, "reason": "worn"}), DECK),
    st.builds(
        lambda deck, why, by: (
            CardReplaced,
            {"deck": deck, "card": "8S", "reason": why, "replaced_by": by},
        ),
        DECK,
        st.sampled_from(["damaged", "missing"]),
        st.sampled_from([None, CHEFE, FISCAL]),
    ),
    st.builds(
        lambda deck, n, faces: (
            DeckInspected,
            {
                "deck": deck,
                "moment": "close",
                "cards": n,
                "order_complete": True,
                "faces": faces,
                "backs": "regular",
                "result": "conform",
            },
        ),
        DECK,
        st.sampled_from([51, 52]),
        st.sampled_from(["regular", "damaged"]),
    ),
    st.builds(
        lambda why, by: (ShufflerOpened, {"shuffler": "CSM-04", "reason": why, "opened_by": by}),
        st.sampled_from(["jam", "loading", "unloading", "other"]),
        st.sampled_from([None, CHEFE, FISCAL]),
    ),
    st.builds(
        lambda step, office: (IncidentStep, {"incident": "I-1", "step": step, "by_office": office}),
        st.sampled_from(["called", "lid_opened", "lid_closed", "resolved", "technician_called"]),
        st.sampled_from([None, "fiscal_chefe", "pagador"]),
    ),
    st.just((PartidaReopened, {"reason": "mistake"})),
    st.just(("defer", {})),
    st.just(("complain", {})),
    st.builds(
        lambda said: (ComplaintDecided, {"complaint": "RC-1", "outcome": said, "reason": "seen"}),
        st.sampled_from(["upheld", "inadmissible"]),
    ),
    st.just((DisputeReviewed, {"dispute": "RC-1", "method": "cards", "error_by": "nobody"})),
    st.just(("witness", {})),
)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Up to twenty-five acts at any times in any order."""
    game = Game(draw(st.sampled_from(["shoe", "shuffler"])), opened=draw(st.booleans()))
    for at, (kind, value) in draw(st.lists(st.tuples(TIMES, ACTS), max_size=25)):
        rounds = [one.event.round for one in game.entries if isinstance(one.event, RoundPlayed)]
        if kind == "round":
            game.round(**value, at=at)
        elif kind == "put back":
            game.put_back(**value, at=at)
        elif kind == "witness":
            loads = [one for one in game.entries if isinstance(one.event, ShufflerLoaded)]
            if loads:
                game.witness(loads[-1], CHEFE, at)
        elif kind == "defer":
            if rounds:
                game.record(RoundsDeferred, at, rounds=(rounds[-1],), reason="jam")
        elif kind == "complain":
            named = {"received_at": moment(at), "round": rounds[-1] if rounds else None}
            game.record(ComplaintReceived, at, complaint="RC-1", subject="payment", **named)
        else:
            game.record(kind, at, **value)
    if draw(st.booleans()):
        game.close()
    return game
