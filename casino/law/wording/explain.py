"""One round recorded as a dealer would tell it: stakes, cards, decisions, what each was due and
why.

`judge` decides; this module only puts its verdicts, and what led to them, into words.
"""

from collections.abc import Iterable

from casino.cards import VALUE
from casino.events.phrases import marked
from casino.events.round.round_played import Box, Misdealt, Place, RoundPlayed, Wager
from casino.law.check_registry import plan_of
from casino.law.round_judge import judge
from casino.law.rounds.bank_total import bank_stands
from casino.law.rounds.play import STAKED, RoundPlay
from casino.law.rounds.taken_out import (
    DEAL_KEPT,
    DRAW_KEPT,
    FACE_UP,
    TakenOut,
    dealt_to_the_bank,
)
from casino.law.rulebook.rulebook import Law
from casino.law.wording.explain_play import explain_hand
from casino.law.wording.explain_settling import (
    explain_conduct,
    explain_undetermined,
    explain_wagers,
)
from casino.law.wording.explain_words import Citing, Words
from casino.law.wording.wording import Language, Translate

# A card taken from the bank, by the reason written down: rightly, wrongly, and where nobody knows.
RIGHTLY: dict[str, str] = {
    "turned": marked("%(card)s, the bank's second card, was turned and replaced%(by)s."),
    "extra": marked("%(card)s was drawn by the bank beyond its right and voided%(by)s."),
    "face_up": marked("%(card)s lay open in the shoe and was taken out of play%(by)s."),
}
TAKEN: dict[str, str] = {
    "turned": marked("%(card)s was taken from the bank as turned"),
    "extra": marked("%(card)s was taken from the bank as one too many"),
    "face_up": marked("%(card)s was taken from the bank as open in the shoe"),
}


def in_english(text: str) -> str:
    """The sentences as they stand in the program."""
    return text


def explain(
    round_played: RoundPlayed,
    law: Law,
    translate: Translate = in_english,
    language: Language = "pt",
    cited: Citing | None = None,
) -> list[str]:
    """The round in lines of text, under a rulebook as in force on its gaming day.

    `translate` looks English sentences up in a catalogue; `language` says how amounts are written
    and in which language the rulebook's title is; `cited` how an article is cited, where that is
    said otherwise than the rulebook says it. Headings stand alone, what belongs to them is
    indented. Never raises on a record that can be judged.
    """
    rules = law.on(round_played.gaming_day)
    play = RoundPlay(round_played, rules, plan_of(rules).upheld)
    words = Words(law, rules, translate, language, cited)
    judgement = judge(round_played, law)
    parts = (
        (words.say("Stakes"), _stakes(play, words)),
        (words.say("Deal"), _deal(play, words)),
        (words.say("Decisions"), _decisions(play, words)),
        (words.say("Bank"), _bank(play, words)),
        (words.say("Settlement"), explain_wagers(play, words, judgement)),
        (words.say("Findings of conduct"), explain_conduct(words, judgement)),
    )
    lines = list(_opening(round_played, words))
    for heading, texts in parts:
        below = [f"  {line}" for line in texts if line]
        if below:
            lines += [heading, *below]
    return lines


def undetermined(
    round_played: RoundPlayed,
    law: Law,
    translate: Translate = in_english,
    language: Language = "pt",
) -> str:
    """Which stakes of the round a breach leaves without a due, and how much; '' where it does none.

    The other arguments are those of `explain`.
    """
    words = Words(law, law.on(round_played.gaming_day), translate, language)
    return explain_undetermined(words, judge(round_played, law))


def _opening(record: RoundPlayed, words: Words) -> Iterable[str]:
    say = words.say
    yield say(
        "Round %(round)s at table %(table)s, partida %(partida)s.",
        round=record.round,
        table=record.table,
        partida=record.partida,
    )
    if record.shoe is not None and record.number is not None:
        yield say("Round %(number)s of shoe %(shoe)s.", number=record.number, shoe=record.shoe)
    if words.on_a_page:
        yield say("Judged by: %(title)s.", title=words.title())
    else:
        yield say("Judged by: %(title)s (%(id)s).", title=words.title(), id=words.law.id)
    for reading, choice in sorted(words.law.switched.items()):
        yield say("Reading %(reading)s taken as %(choice)s.", reading=reading, choice=choice)
    if record.limits is None:
        yield say("The record does not tell the table's limits.")
    else:
        yield say(
            "Limits: %(minimum)s to %(maximum)s.",
            minimum=words.money(record.limits.minimum_cents),
            maximum=words.money(record.limits.maximum_cents),
        )
    if record.warning_card_at is not None:
        yield say(
            "The warning card came out in this round: it is the last of its shoe%(by)s.",
            by=words.by("no_round_after_the_last"),
        )
    if record.voided == "separator":
        yield say("The round was voided at the separator.")
    elif record.voided is not None:
        yield say("The round was voided after an incident.")


def _stakes(play: RoundPlay, words: Words) -> Iterable[str]:
    for box in play.boxes:
        if box.vacant:
            decider = box.decided_by or play.principal[box.number]
            yield (
                words.say(
                    "Box %(box)s is vacant; %(owner)s decides%(by)s.",
                    box=box.number,
                    owner=decider,
                    by=words.by("largest_stake_decides_vacant_box"),
                )
                if decider
                else words.say("Box %(box)s is vacant.", box=box.number)
            )
        else:
            yield words.say("Box %(box)s is held by %(owner)s.", box=box.number, owner=box.holder)
        yield from _marked(box, words)


def _marked(box: Box, words: Words) -> Iterable[str]:
    """What each owner marked on a box before the deal."""
    texts: set[str] = set()
    doubled = {hand.number for hand in box.hands if "double" in hand.actions}
    for wager in sorted(box.wagers, key=lambda wager: wager.hand or 0):
        if wager.kind not in STAKED or wager.owner in texts:
            continue
        texts.add(wager.owner)
        values = {"owner": wager.owner, "box": box.number}
        began = wager.initial_cents
        if began is None and wager.hand not in doubled:
            began = wager.stake_cents
        if began is None:
            yield words.say(
                "%(owner)s has a stake on box %(box)s; what was marked before the deal is not"
                " told.",
                **values,
            )
        elif not box.vacant and wager.owner != box.holder:
            yield words.say(
                "%(owner)s marks a complementary stake of %(cents)s on box %(box)s.",
                cents=words.money(began),
                **values,
            )
        else:
            yield words.say(
                "%(owner)s marks %(cents)s on box %(box)s.", cents=words.money(began), **values
            )
    yield from _chips(box, words)


def _chips(box: Box, words: Words) -> Iterable[str]:
    for wager in box.wagers:
        if wager.kind == "jackpot":
            yield words.say(
                "%(owner)s stakes %(cents)s on the jackpot.",
                owner=wager.owner,
                cents=words.money(wager.stake_cents),
            )


def _deal(play: RoundPlay, words: Words) -> Iterable[str]:
    for hand in play.hands:
        if hand.hand.split_from is None:
            first_two = _dealt_to(play, hand.box, hand.number)
            yield words.say(
                "Box %(box)s: %(cards)s: %(points)s.",
                box=hand.box.number,
                cards=words.cards(first_two),
                points=words.say("blackjack") if hand.natural else words.points(first_two),
            )
    for box in play.boxes:
        if not box.hands:
            yield words.say("Box %(box)s: no cards were dealt.", box=box.number)
    bank = play.record.bank
    if not bank.cards:
        yield words.say("The record tells no card of the bank.")
        return
    yield words.say("The bank shows: %(card)s.", card=words.card(bank.cards[0]))
    if bank.open == (1,) and len(bank.cards) > 1:
        yield words.say("The bank's second card lies face down%(by)s.", by=_face_down(words))
    yield from (_taken_out(play, one, words) for one in play.taken_out if not _drawn(play, one))
    for misdealt in play.record.misdealt:
        yield _gone_astray(misdealt, words)
    yield from _side_bets(play, words)


def _dealt_to(play: RoundPlay, box: Box, number: int) -> tuple[str, ...]:
    """The two cards a hand was dealt: what a first split moved away is put back."""
    hand = next(one for one in box.hands if one.number == number)
    moved = min(
        (one for one in box.hands if one.split_from == number),
        key=lambda hand: hand.number,
        default=None,
    )
    if moved is not None and hand.actions[:1] == ("split",):
        return hand.cards[0], moved.cards[0]
    return hand.cards[:2]


def _face_down(words: Words) -> str:
    return words.by("second_bank_card_face_down")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _drawn(play: RoundPlay, taken_out: TakenOut) -> bool:
    """Whether a card taken from the bank is recorded with the cards it drew."""
    return play.record.voided is None and min(taken_out.places) >= dealt_to_the_bank(play)


def _taken_out(play: RoundPlay, taken_out: TakenOut, words: Words) -> str:
    """A card taken from the bank, and whether the bank might part with it."""
    card, might_go = _capital(words.card(taken_out.card)), set(taken_out.places.values())
    if taken_out.why == "face_up" and FACE_UP in play.upheld:
        check = FACE_UP
    else:
        dealt = min(taken_out.places) < dealt_to_the_bank(play)
        check = DEAL_KEPT if dealt else DRAW_KEPT
    if might_go == {True}:
        as_recorded = (
            "turned" if check == DEAL_KEPT else "extra" if check == DRAW_KEPT else "face_up"
        )
        return words.say(RIGHTLY[as_recorded], card=card, by=words.by(check))
    taken = words.say(TAKEN[taken_out.why], card=card)
    if might_go == {False}:
        return words.say(
            "%(taken)s, though it was the bank's own%(by)s.", taken=taken, by=words.by(check)
        )
    if might_go == {None} and all(came.early for came in taken_out.wrong):
        return words.say(
            "%(taken)s; it was drawn before every player had been asked%(by)s.",
            taken=taken,
            by=words.by("players_asked_in_order"),
        )
    return words.say("%(taken)s; whether it might go cannot be told.", taken=taken)


def _gone_astray(misdealt: Misdealt, words: Words) -> str:
    say = words.say
    if isinstance(misdealt.at, Place):
        came = say(
            "%(card)s was drawn for box %(box)s, hand %(hand)s, without being asked",
            card=_capital(words.card(misdealt.card)),
            box=misdealt.at.box,
            hand=misdealt.at.hand,
        )
        by = words.by("misdealt_card_placed")
    elif misdealt.at == "bank":
        came = say(
            "%(card)s, the bank's second card, was turned",
            card=_capital(words.card(misdealt.card)),
        )
        by = _face_down(words)
    else:
        came = say("%(card)s lay open in the shoe", card=_capital(words.card(misdealt.card)))
        by = words.by("face_up_card_out_of_play")
    seen = {True: say(", seen"), False: say(", unseen"), None: ""}[misdealt.seen]
    if misdealt.to is not None:
        went = say(
            "it went to box %(box)s, hand %(hand)s", box=misdealt.to.box, hand=misdealt.to.hand
        )
    elif misdealt.fate == "bank":
        went = (
            say("it stayed with the bank") if misdealt.at == "bank" else say("it went to the bank")
        )
    else:
        went = say("it went to the discard corner")
    return f"{came}{seen}: {went}{by}."


def _side_bets(play: RoundPlay, words: Words) -> Iterable[str]:
    """Insurance and even money, which belong to an open ace."""
    bank = play.bank
    if bank.open is not None and VALUE[bank.open] == 1 and "insurance.pays" in play.p:
        yield words.say(
            "Against the bank's ace insurance is offered%(by)s.",
            by=words.by("insurance_pays_two_to_one"),
        )
    for box in play.boxes:
        for wager in box.wagers:
            if wager.kind in ("insurance", "even_money"):
                yield _side_bet(box, wager, words)


def _side_bet(box: Box, wager: Wager, words: Words) -> str:
    values = {
        "owner": wager.owner,
        "cents": words.money(wager.stake_cents),
        "box": box.number,
    }
    if wager.kind == "insurance":
        return words.say("%(owner)s insures box %(box)s with %(cents)s.", **values)
    return words.say(
        "%(owner)s takes even money for the %(cents)s on box %(box)s%(by)s.",
        by=words.by("even_money_pays_one_to_one"),
        **values,
    )


def _decisions(play: RoundPlay, words: Words) -> Iterable[str]:
    if play.record.voided is not None:
        return
    for hand in play.hands:
        yield from explain_hand(play, hand, words)


def _bank(play: RoundPlay, words: Words) -> Iterable[str]:
    cards, say = play.record.bank.cards, words.say
    if play.record.voided is not None or not cards:
        return
    if len(cards) == 1:
        yield say(
            "The record tells one card of the bank only: %(card)s.", card=words.card(cards[0])
        )
    else:
        yield from _bank_steps(play, words)
    yield from (_taken_out(play, one, words) for one in play.taken_out if _drawn(play, one))
    if play.bank.stopped_below:
        yield say(
            "It stops at %(total)s with somebody in play, though it draws up to %(limit)s%(by)s.",
            total=play.bank.total,
            limit=play.p["bank.draws_to"],
            by=words.by("bank_draws_to_sixteen"),
        )
    elif play.all_out and not play.must_draw and "bank_rests_when_all_are_out" in play.upheld:
        template = (
            marked("Nobody is left in play, and yet it took a third card%(by)s.")
            if len(cards) > 2
            else marked("Nobody is left in play: the bank takes no third card%(by)s.")
        )
        yield say(template, by=words.by("bank_rests_when_all_are_out"))
    elif play.naturals_wait and not bank_stands(play.bank.cards, play.p):
        yield say("Only blackjacks are left, and no further card would change them.")


def _bank_steps(play: RoundPlay, words: Words) -> Iterable[str]:
    """The bank's cards one by one, each with what it had and had to do."""
    cards, say = play.record.bank.cards, words.say
    counted = cards[: len(cards) - len(play.bank.beyond)]
    if play.bank.natural:
        yield say("It has %(cards)s: blackjack.", cards=words.cards(cards[:2]))
    else:
        yield say(
            "It has %(cards)s: %(points)s.",
            cards=words.cards(cards[:2]),
            points=words.points(cards[:2]),
        )
    for place in range(2, len(counted)):
        yield say(
            "At %(before)s it draws %(card)s: %(after)s%(by)s.",
            before=words.points(counted[:place]),
            card=words.card(counted[place]),
            after=words.points(counted[: place + 1]),
            by=words.by("bank_draws_to_sixteen"),
        )
    if play.bank.total > play.p["target.points"]:
        yield say("With %(total)s it is over 21.", total=play.bank.total)
    elif not play.bank.natural and bank_stands(play.bank.cards, play.p):
        yield say(
            "With %(total)s it stands%(by)s.",
            total=play.bank.total,
            by=words.by("bank_stands_at_seventeen"),
        )
    for card in play.bank.beyond:
        template = (
            marked("%(card)s was drawn all the same and counts for nothing%(by)s.")
            if play.p["card.beyond_right"] == "void"
            else marked("%(card)s was drawn all the same and counts, by the reading taken%(by)s.")
        )
        yield say(
            template, card=_capital(words.card(card)), by=words.by("bank_stands_at_seventeen")
        )
