"""A round by hand: tapped, looked at as the law pays it, and recorded by whoever wants to.

For a house without devices, and for a round somebody disputes. Until it is recorded nothing of it
is kept anywhere but in the page's address. Law: PT art. 13-37, 61.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID, uuid4, uuid5

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.access import access_policy
from casino.cards import is_blackjack
from casino.events import Malformed
from casino.events.event_policy import FLOOR
from casino.events.round.round_played import RoundPlayed
from casino.floor.floor_access import floor_page
from casino.floor.floor_page import entries_of
from casino.floor.form_state import KEY, paper_of, posted
from casino.floor.game_pages import GAME, game_for, no_game, table_url
from casino.floor.game_view import GameView
from casino.floor.gathering import boxes_of
from casino.floor.recording_views import Act, record_form_view
from casino.floor.rounds.law_says import LawSays, event_of, law_says, limits_of
from casino.floor.rounds.round_on_record import words_of
from casino.floor.rounds.same_round import content_of, doubts_of
from casino.floor.rounds.taps import MINIMUM, TappedRound, check_stake, tapped
from casino.floor.stated_moments import (
    AGO,
    CLOCK,
    FIRST_CARD,
    WHEN,
    WHENS,
    MomentForm,
    clock_field,
    first_card_of,
    moment_of_form,
)
from casino.floor.table_state import BOXES, looks
from casino.floor.tables.all_tables import alerted
from casino.floor.tables.todo_lists import patience_of
from casino.law.dossier import RecordedEvent
from casino.law.rulebook.rulebook_file import is_no_law
from casino.models import Complaint
from casino.queries import that_count
from casino.reading.round_writer import round_as_json
from casino.web.display.money_and_time import money
from casino.web.display.playing_cards import cards_drawn, points_drawn
from casino.web.entries.entry_page import url_of
from casino.web.entries.round_complaints import disputed_round
from casino.web.forms.event_forms import OCCURRED, RECORD
from casino.web.forms.form_fields import cents_of
from casino.web.forms.form_widgets import MORE, UNSEEN, suit_rows
from casino.web.forms.record_form import refusal_text
from casino.web.words.field_words import rulebook_word

TAPS: Final = "taps"
TO_THE_MINUTE: Final = timedelta(seconds=59)  # so far a clock's time may lie before the moment
COMPLAINT: Final = "complaint"
_TIMES: Final = (1, 2, 3, 5, 10)  # the minimum, on the pad of stakes
# What an option of a hand is called, and the figure a rulebook states where it has the option.
OPTIONS: Final = (
    ("stand", _("Stands"), ""),
    ("hit", _("Asks"), ""),
    ("double", _("Doubles"), "double.totals"),
    ("split", _("Splits"), "split.equal_by"),
    ("surrender", _("Surrenders"), "surrender.loses"),
    ("insurance", _("Insurance"), "insurance.pays"),
    ("even", _("Even money"), "even_money.pays"),
)
# An amount that was typed, by the button it was sent with.
AMOUNTS: Final = (
    ("back", _("Was handed back"), ""),
    ("stake", _("Is the stake"), ""),
    ("insured", _("Is the insurance"), "insurance.pays"),
    ("insured_back", _("Was handed back for the insurance"), "insurance.pays"),
    ("special", _("Was paid as special prize"), "special.pays"),
)
# A card that counts for nobody, by the tap before it.
VOIDS: Final[Sequence[tuple[str, object]]] = (
    ("void-turned", _("The bank's second card, turned too early")),
    ("void-extra", _("One too many to the bank")),
    ("void-open", _("Open in the shoe, come to the bank")),
    ("void-unasked", _("Dealt to this box, and not asked for")),
    ("void-shoe", _("Open in the shoe")),
)
_SIGNS: Final = {"back": "r", "stake": "=", "insured": "i", "insured_back": "ri", "special": "rs"}


def offered(
    listed: Sequence[tuple[str, object, str]], figures: Mapping[str, object]
) -> list[tuple[str, object]]:
    """Of these buttons those a rulebook with these figures has: name and word."""
    return [(name, word) for name, word, figure in listed if not figure or figure in figures]


class MomentOfRound(MomentForm):
    """When the round was, and when its first card was dealt."""

    first_card = clock_field(_("First card dealt at"), "%H:%M:%S")


class TapsForm(forms.Form):
    """What was tapped. `refusals` are asked of what was filled in and can be read."""

    def __init__(
        self,
        data: Mapping[str, object] | None,
        initial: dict[str, str],
        refusals: Callable[[forms.Form], Iterator[Malformed]],
    ) -> None:
        super().__init__(data, initial=initial)
        self.refusals = refusals

    def clean(self) -> dict[str, Any]:
        """Whatever keeps it from being recorded is said at once."""
        cleaned = super().clean() or self.cleaned_data
        for error in list(self.refusals(self)):
            self.add_error(error.path.removeprefix("$."), refusal_text(error))
        return cleaned

    taps = forms.CharField(
        label=_("Round"),
        widget=forms.HiddenInput,
        max_length=4_000,
        error_messages={"required": _("Tap the boxes that are played and their cards first.")},
    )


class RoundForm(TapsForm, MomentOfRound):
    """The same with when the round was."""


@dataclass(frozen=True, slots=True)
class Disputed:
    """The complaint a round is recorded for, with the round, where that is on record."""

    row: Complaint
    recorded: RecordedEvent[RoundPlayed] | None

    @property
    def name(self) -> str:
        """The UUID of the round in dispute, where no device recorded it: the same for everybody."""
        return str(disputed_round(self.row))


def name_of(key: UUID) -> str:
    """The UUID of the round that a form with this key records."""
    return str(uuid5(key, "round"))


def came_at(complaint: Complaint) -> datetime:
    """When the player complained."""
    return complaint.received_at or complaint.occurred_at


def disputed(game: GameView, number: str) -> Disputed | None:
    """A complaint of this game, with the round it is about, where that is on record."""
    if not number or "\0" in number:
        return None
    rows = Complaint.objects.filter(partida_id=game.partida, complaint=number)
    row = that_count(rows).order_by("-pk").first()
    if row is None:
        return None
    wanted = str(disputed_round(row))
    rounds = game.dossier.of(RoundPlayed)
    return Disputed(row, next((one for one in rounds if one.event.round == wanted), None))


def hand_url(request: HttpRequest, game: GameView, complaint: Complaint) -> str:
    """Where the round of a complaint is looked at as the law pays it; '' for whoever may not.

    One on record that no taps stand for is read on its own page, step by step.
    """
    if access_policy.actor(request, RoundPlayed.kind) is None:
        return ""
    found = disputed(game, complaint.complaint)
    words = [f"s{complaint.box}"] if complaint.box else []
    if found is not None and found.recorded is not None:
        words_before = words_of(found.recorded.event)
        if words_before is None:
            return url_of(RoundPlayed.kind, found.recorded.entry_id)
        words = words_before
    asked = {GAME: game.partida, COMPLAINT: complaint.complaint, TAPS: " ".join(words)}
    return f"{reverse('sala:round', args=[game.table])}?{urlencode(asked)}"


class Screen:
    """The screen: what was tapped so far, and what was wrong with the last tap.

    The key its form is sent with stays in its address, whatever is tapped: whoever goes back to a
    round that was recorded is shown the round, and records nothing there.
    """

    def __init__(self, request: HttpRequest, game: GameView) -> None:
        self.asked = request.POST if request.method == "POST" else request.GET
        self.game = game
        self.figures = game.law.on(game.dossier.gaming_day).values
        number = str(self.asked.get(COMPLAINT, ""))
        self.disputed = disputed(game, number)
        if number and self.disputed is None:
            raise Http404
        self.key, self.recorded = self._key_and_recorded()
        self.at = self._moment(request)
        limits = limits_of(game, self.at)
        self.minimum = limits.minimum_cents if limits is not None else 0
        self.maximum = limits.maximum_cents if limits is not None else 0
        self.boxes = boxes_of([game.table]).get(game.table, BOXES)
        self.wrong = ""
        self.amount: str | None = None  # what was typed, where no amount can be read in it
        self.found = self._read(self._words_sent())
        self.first_card = str(self.asked.get(FIRST_CARD, ""))[:8]
        # When it was, where that was said already: a tap takes along what is filled in.
        self.moment = {
            name: said for name in (WHEN, CLOCK) if (said := str(self.asked.get(name, ""))[:8])
        }
        if request.method == "GET":
            self._tap(str(self.asked.get("tap", "")))
        # Whether what was tapped is not what is on record: then that is shown in its place.
        self.differs = False
        if self.recorded is not None and not self._makes(self.recorded.event):
            self.differs = bool(self.found.words)
            self.found = self._read(words_of(self.recorded.event) or ())
        self.says: LawSays | None = None
        try:
            self.says = law_says(self.found, game, self.at)
        except Malformed as error:
            self.wrong = refusal_text(error)
        from_paper = paper_of(request) is not None
        about_now = not from_paper and self.disputed is None and self.recorded is None
        self.is_live = about_now and not game.over

    def _moment(self, request: HttpRequest) -> datetime:
        """Of when the round is shown: as recorded, as sent, as its sheet of paper says, now."""
        sheet, sent = paper_of(request), posted(request.POST)
        if self.recorded is not None:
            return self.recorded.occurred_at
        if request.method == "POST" and sent is not None and sent.happened_at is not None:
            return sent.happened_at
        return self.game.now if sheet is None else sheet.at

    def _key_and_recorded(self) -> tuple[UUID, RecordedEvent[RoundPlayed] | None]:
        """The key of the form, and the round it was recorded as, or that of the complaint.

        One that was corrected is found too; one that was withdrawn may be recorded anew.
        """
        key = self._key_asked()
        name, rounds = name_of(key), self.game.dossier.of(RoundPlayed)
        found = next((one for one in rounds if one.event.round == name), None)
        if self.disputed is not None:
            found = self.disputed.recorded
        return (uuid4() if found is None and entries_of(key) else key), found

    def _key_asked(self) -> UUID:
        """The key in the address or the form; a new one where there is none."""
        try:
            return UUID(str(self.asked.get(KEY, "")))
        except ValueError:
            return uuid4()

    def _words_sent(self) -> list[str]:
        return str(self.asked.get(TAPS, "")).split()

    def _makes(self, played: RoundPlayed) -> bool:
        """Whether what was tapped is this round."""
        try:
            return content_of(event_of(self.found, self.game)) == content_of(played)
        except Malformed:
            return False

    def refusals(self, form: forms.Form) -> Iterator[Malformed]:
        """What keeps the round from being recorded: what is no whole round, a moment that was not.

        What the form refuses by itself is not asked again.
        """
        checks: list[Callable[[], object]] = []
        if TAPS not in form.errors:
            checks.append(self._check_taps)
        if not {WHEN, CLOCK} & set(form.errors):
            checks.append(lambda: self.moment_of(form.cleaned_data, self.at))
        for check in checks:
            try:
                check()
            except Malformed as error:
                yield error

    def _check_taps(self) -> None:
        if self.disputed is not None and self.disputed.recorded is not None:
            raise Malformed(
                f"$.{TAPS}",
                "the round of complaint {complaint} is in the book already: correct that record",
                complaint=self.disputed.row.complaint,
            )
        self.check_whole()
        event_of(self.round_of(self._words_sent()), self.game)

    def check_whole(self) -> None:
        """Refuse what is no whole round yet. Raises: Malformed."""
        self.round_of(self._words_sent())
        if self.says is not None:
            self.says.check_complete()

    def moment_of(self, data: Mapping[str, Any], at: datetime) -> datetime:
        """When it was, `at` being when that was said. Raises: Malformed.

        A round somebody complained of was in this game, and he had seen it.
        """
        moment, since = moment_of_form(data, at, self.game.since), self.game.since
        if self.disputed is None:
            return moment
        if since is not None and moment < since:
            if moment <= since - TO_THE_MINUTE:
                raise Malformed(
                    f"$.{_said_in(data)}",
                    "found {found}; the table was opened at {since}, and the round was not before"
                    " that. Say at what time it was.",
                    found=f"{localtime(moment):%H:%M}",
                    since=f"{localtime(since):%H:%M}",
                )
            moment = since
        _check_before(self.disputed.row, moment, _said_in(data))
        return moment

    def round_of(self, words: Sequence[str]) -> TappedRound:
        """The round these taps make at this table. Raises: Malformed."""
        figures = self.figures
        ace_ends = bool(figures.get("split.aces_one_card"))
        return tapped(
            words,
            boxes=self.boxes,
            minimum=self.minimum,
            bank_first=1 if figures.get("bank.second_card") == "after_players" else 2,
            ace_ends=ace_ends and figures.get("double.split_aces") != "allowed",
        )

    def _read(self, words: Sequence[str]) -> TappedRound:
        """The round of the taps, as far as they make one: an address may be anybody's."""
        found = self.round_of(())
        try:
            for word in words:
                found.tap(word)
        except Malformed as error:
            self.wrong = refusal_text(error)
        return found

    def _tap(self, tap: str) -> None:
        words = list(self.found.words)
        if tap == "undo":
            words = words[:-1]
            while words and words[-1].startswith("@"):
                words.pop()
            self.found = self._read(words)
        elif tap == FIRST_CARD:
            self.first_card = f"{localtime(self.game.now):%H:%M:%S}"
        elif tap:
            try:
                self.found = self.round_of([*words, *self._words(tap)])
            except Malformed as error:
                self.wrong = refusal_text(error)
            except forms.ValidationError as error:
                self.wrong = " ".join(error.messages)
                self.amount = str(self.asked.get("amount", ""))[:20]

    def _words(self, tap: str) -> list[str]:
        """The words a button stands for. Raises: Malformed, ValidationError."""
        if tap in _SIGNS and not str(self.asked.get("amount", "")).strip():
            raise forms.ValidationError(
                gettext("nothing was typed; asked is an amount such as 25 or 12,50")
            )
        if tap in _SIGNS:
            return [f"{_SIGNS[tap]}{cents_of(str(self.asked.get('amount', '')))}"]
        if tap == "paid":
            return law_says(self.found, self.game, self.at).paid_words()
        if tap == "insurance" and self.found.here is not None:
            box = self.found.here[0]
            check_stake(box)  # it is half of that
            half = self.figures.get("insurance.at_most") or self.figures.get("insurance.exactly")
            return ["i0" if box.insurance else f"i{int(box.first * (half or Fraction(1, 2)))}"]
        return [tap]

    def context(self) -> dict[str, object]:
        """What the page shows."""
        found, says, figures = self.found, self.says, self.figures
        here = found.here
        return {
            "scene": self.game,
            "table": self.game.table,
            "rulebook": rulebook_word(self.game.law.id),
            "disputed": self.disputed,
            **self._on_record(),
            "taps": " ".join(found.words),
            "filled_in": [(n, v) for n, v in self.filled_in.items() if v],
            "carried": [(name, self.asked[name]) for name in (GAME, COMPLAINT) if self._has(name)],
            "wrong": self.wrong,
            "seats": [(n, n in found.boxes) for n in range(1, self.boxes + 1)],
            "rows": list(says.rows()) if says is not None else [],
            "bank": cards_drawn(found.bank, [one.card for one in found.bank_voided]),
            "bank_total": points_drawn(found.bank, natural=says.play.bank.natural)
            if says is not None and found.boxes
            else "",
            "bank_here": found.at is None,
            "misdealt": cards_drawn((), [one.card for one in found.misdealt])
            if found.misdealt
            else "",
            "next": says.next_said() if says is not None else ("", ""),
            "suits": suit_rows(),
            "unseen": UNSEEN,
            "options": [one for one in offered(OPTIONS, figures) if self._may_be_said(one[0])],
            "pad": [(f"={cents}", money(cents)) for cents in self._pad()] if here else (),
            "spoken_of": self._spoken_of(),
            "all_minimum": MINIMUM if found.unsaid is not None and self.minimum else "",
            "payable": says.paid_words() if says is not None and says.is_over else [],
            "amounts": offered(AMOUNTS, figures),
            "over": says is not None and says.is_over,
            "findings": says.findings() if says is not None else [],
            "as_if_due": says is not None and says.unpaid is not None,
            "steps": says.steps() if says is not None and "see" in self.asked else [],
            "asked_here": here is not None,
            "found_boxes": bool(found.boxes),
            "voids": [one for one in VOIDS if self._may_be_voided(one[0])],
            "no_law": is_no_law(self.game.law.id),
            "whens": self._whens(),
            "amount": self.amount,
            "first_card": self.first_card,
            "first_now": self.is_live and self._is_first_card() and not self.first_card,
            "whole": self._whole(),
        }

    def _on_record(self) -> dict[str, object]:
        """The round that is in the book already, and the key of the form."""
        found = self.recorded
        url = reverse("sala:entry", args=[found.entry_id]) if found is not None else ""
        return {"key": self.key, "on_record": url, "in_book": found, "differs": self.differs}

    @property
    def filled_in(self) -> dict[str, str]:
        """What was filled in of when it was."""
        return {**self.moment, FIRST_CARD: self.first_card}

    @property
    def began(self) -> dict[str, str]:
        """With what the form begins. Of a round somebody complained of it is asked when it was: it
        was not now.
        """
        return ({} if self.disputed is None else {WHEN: "other"}) | self.filled_in

    def _whens(self) -> Sequence[tuple[str, object]]:
        """The moments that can be chosen: of a round somebody complained of none after that."""
        if self.disputed is None:
            return WHENS
        since = self.game.now - came_at(self.disputed.row)
        return [one for one in WHENS if AGO.get(one[0], since) >= since]

    def _is_first_card(self) -> bool:
        """Whether the boxes are chosen, and no more than one card was tapped."""
        dealt = len(self.found.bank) + sum(len(hand.cards) for _, hand in self.found.hands)
        return bool(self.found.boxes) and dealt <= 1

    def _whole(self) -> list[tuple[str, str]]:
        """The round as the administration's form is sent it, to be filled in further; nothing of it
        while it is no whole record.
        """
        name = str(uuid4()) if self.disputed is None else self.disputed.name
        said = MomentOfRound(self.began)
        is_said = said.is_valid()  # else the form there asks when it was
        shown = said.cleaned_data.get(FIRST_CARD)
        if FIRST_CARD in said.errors:
            return []
        try:
            since = self.game.since
            at = moment_of_form(said.cleaned_data, self.at, since) if is_said else self.at
            event = event_of(
                self.found,
                self.game,
                name=name,
                just_now=self.is_live and at == self.at,
                first_card=first_card_of(shown, at, since) if shown else None,
            )
        except Malformed:
            return []
        moment = f"{localtime(at):%Y-%m-%dT%H:%M:%S}" if is_said else ""
        written = round_as_json(event)
        return [("key", str(uuid4())), (OCCURRED.name, moment), (RECORD, written), (MORE, RECORD)]

    def _may_be_said(self, option: str) -> bool:
        """Whether an option can be said of the hand that is chosen, a lawful one or not."""
        here = self.found.here
        if here is None or here[1].waits:
            return False
        if option == "even":
            return here[0].even or is_blackjack(here[1].cards)
        return self.says is None or not self.says.is_over

    def _spoken_of(self) -> dict[str, object]:
        """The box whose money is spoken of, and which of its hands where it was split."""
        here = self.found.here
        if here is None:
            return {}
        box, hand = here
        named = f"{gettext('hand')} {hand.number}" if len(box.hands) > 1 else ""
        return {"n": box.number, "hand": named}

    def _may_be_voided(self, word: str) -> bool:
        """Whether such a card can have come by now."""
        found = self.found
        needs = {"void-unasked": found.here is not None, "void-turned": bool(found.bank)}
        return needs.get(word, True)

    def _has(self, name: str) -> bool:
        return bool(self.asked.get(name))

    def _pad(self) -> list[int]:
        """The stakes one tap stands for: times the minimum, and the maximum."""
        amounts = {times * self.minimum for times in _TIMES} | {self.maximum}
        return sorted(cents for cents in amounts if 0 < cents <= self.maximum)


def _said_in(data: Mapping[str, object]) -> str:
    """The field in which a form says when it was."""
    return CLOCK if data.get(WHEN) == "other" else WHEN


def _check_before(complaint: Complaint, moment: datetime, field: str) -> None:
    """Whoever complains of a round has seen it. Raises: Malformed."""
    came = came_at(complaint)
    if moment > came:
        raise Malformed(
            f"$.{field}",
            "found {found}; the complaint came at {came}, and the round was before. Say at what"
            " time it was.",
            found=f"{localtime(moment):%H:%M}",
            came=f"{localtime(came):%H:%M}",
        )


@floor_page(FLOOR)
def round_view(request: HttpRequest, table: str) -> HttpResponse:
    """The round: looked at by GET, recorded by POST."""
    game = game_for(request, table, left=GAME in request.GET)
    if game is None:
        return no_game(request, table)
    screen = Screen(request, game)

    def played(data: Mapping[str, Any]) -> list[Act]:
        found, about = screen.round_of(data[TAPS].split()), screen.disputed
        name = about.name if about is not None else name_of(data["key"])
        moment = screen.moment_of(data, data["at"])
        shown = data[FIRST_CARD]
        event = event_of(
            found,
            game,
            name=name,
            just_now=about is None and moment == data["sent_at"],
            first_card=first_card_of(shown, moment, game.since) if shown else None,
        )
        doubts = tuple(doubts_of(event, game, moment, about.row if about is not None else None))
        return [Act(event, gettext("A round by hand"), moment, doubts=doubts)]

    about = screen.disputed
    context = screen.context()
    if screen.is_live:  # what is forbidden now is of no round that is over
        patience = patience_of(request, settings.ALERTS_PATIENCE)
        context |= alerted(request, looks([table], game.now, patience, [table])[table].state)
    return record_form_view(
        request,
        screen="round",
        acts=played,
        form=RoundForm(request.POST or None, screen.began, screen.refusals),
        template="sala/round.html",
        context=context,
        done=table_url(table)
        if about is None
        else reverse("sala:complaint_read", args=[table, about.row.complaint]),
        # Devices record rounds of the same table all the while: they are no reason to look again.
        tables=(),
        key=screen.key,
    )
