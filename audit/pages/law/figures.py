"""What the figures of a rulebook are called, and how a value is said: ``3:2``, ``4 or 6 decks``."""

import re
from fractions import Fraction
from typing import Final

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext

from audit.models import Finding
from audit.pages.page_words import cited, law
from casino.law.check_registry import ALL_CHECKS
from casino.law.rulebook.law_text import Value, spelled
from casino.law.rulebook.rulebook import Law, Parameter, Reading
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.law.wording.headings import run_of
from casino.previewing import RULEBOOK
from casino.web.words import field_words
from casino.web.words.languages import either

_ = gettext_lazy
# As the rulebooks write it: the number of the text, the place in it, the reading it hangs on.
_TEXT: Final = re.compile(r"(?!our |reading )(?P<place>.*?)(, reading (?P<reading>\S+))?")
_NUMBERED: Final = "n.º "  # of a regulation; a handbook has sections

NAMES: Final[dict[str, Promise]] = {
    "target.points": _("Points that count as the aim"),
    "boxes.allowed": _("Boxes a table may have"),
    "boxes.maximum": _("Highest box number"),
    "decks.of_each_colour": _("Decks of each back colour"),
    "decks.colours": _("Back colours of the decks"),
    "decks.allowed": _("Decks a game may use"),
    "decks.cards": _("Cards in a deck"),
    "cards_seen.games_a_false_alarm": _("Games for one false alarm about the cards seen"),
    "shoe.special_cards": _("Special cards with the shoe"),
    "deck.one_card_replaced": _("A single card may be changed"),
    "ace.values": _("Values of the ace"),
    "cut.players_card": _("Card a player cuts with"),
    "cut.dealers_card": _("Card the dealer cuts with"),
    "cut.after_refusal": _("Who cuts after refusals"),
    "cut.after_highest_seat": _("Who cuts after the highest seat"),
    "cut.reset_by": _("What makes the order of cutting start over"),
    "warning_card.from_end": _("Place of the warning card, counted from the end"),
    "warning_card.tolerance_warning": _("Off by more than this: a warning"),
    "warning_card.tolerance_breach": _("Off by more than this: a breach"),
    "warning_card.one_player": _("Place with one player, as a share of the pack"),
    "warning_card.one_player_is": _("Who counts as one player"),
    "burn.cards": _("Cards burnt at the start of a shoe"),
    "csm.burn": _("Burnt card at a shuffler"),
    "separator.last_round": _("The round of the warning card is the last"),
    "stake.within_limits": _("A stake lies within the table's limits"),
    "stake.multiple_of_minimum": _("A stake is a multiple of the minimum"),
    "stake.maximum_itself": _("A maximum that is no multiple"),
    "limits.bind": _("Which stakes the limits bind"),
    "stake.unlawful": _("A stake outside the limits"),
    "others.stake": _("Others may stake on a box"),
    "others.own_stake": _("A stake of one's own beside one on another's box"),
    "others.complete_to_maximum": _("Another's stake may complete the maximum"),
    "vacant.equal_stakes": _("Equal stakes on a vacant box"),
    "vacant.tie": _("Who decides among equal stakes on a vacant box"),
    "bank.second_card": _("The bank's second card"),
    "bank.peeks": _("The bank looks for a blackjack"),
    "peek.late_stakes": _("What was staked after the bank looked"),
    "peek.surrender": _("A surrender where the bank looked"),
    "stand.above": _("A player may stand above"),
    "hit.until": _("A player may ask until"),
    "stand.total": _("Which total counts when standing"),
    "card.beyond_right": _("A card drawn beyond one's right"),
    "misdealt.next": _("Who gets a misdealt card"),
    "misdealt.standing_bank": _("A misdealt card while the bank stands"),
    "bank.draws_to": _("The bank draws up to"),
    "bank.stands_at": _("The bank stands at"),
    "bank.soft_seventeen": _("The bank on a soft seventeen"),
    "outcome.after_breach": _("Outcome after a breach that changed the cards"),
    "split.two_card_21_is_blackjack": _("21 with two cards after a split is a blackjack"),
    "blackjack.pays": _("A blackjack pays"),
    "blackjack.paid_at_once": _("A blackjack is paid at once"),
    "money.odd_cent": _("A cent that cannot be halved"),
    "bank.rests_when_all_out": _("The bank rests when nobody is left"),
    "bank.naturals_only": _("The bank when only blackjacks are left"),
    "bank.paid_out": _("A hand already paid"),
    "bank.insurance_open": _("The bank while an insurance is open"),
    "win.pays": _("A win pays"),
    "bank.bust": _("A player's bust when the bank is over too"),
    "finding.cites": _("Which article a finding cites"),
    "tie.pays": _("A tie pays"),
    "split.equal_by": _("What makes a pair"),
    "split.stake_equal": _("The split hand's stake equals the first"),
    "split.aces_one_card": _("Split aces get one card each"),
    "split.asks_a_card": _("Cards a split hand has to ask for"),
    "split.resplit": _("A pair may be split again"),
    "split.limit": _("How often a box may be split"),
    "split.played": _("Which hand of a split plays first"),
    "split.resplit_aces": _("Aces may be split again"),
    "split.non_follower": _("Whoever does not follow a split"),
    "double.totals": _("Totals that may be doubled"),
    "double.cards": _("Cards dealt to a doubled hand"),
    "double.times": _("A doubled stake is at most"),
    "double.complementary": _("Others' stakes when a hand is doubled"),
    "double.after_split": _("Doubling after a split"),
    "double.split_aces": _("Doubling split aces"),
    "double.fixed_ace": _("The ace of a doubled hand"),
    "insurance.at_most": _("Insurance, as a share of the stake, at most"),
    "insurance.pays": _("Insurance pays"),
    "insurance.half_of": _("Insurance is half of"),
    "insurance.until": _("Until when one may insure"),
    "even_money.pays": _("Even money pays"),
    "even_money.chosen_by": _("Who chooses even money"),
    "special.pays": _("The special prize pays"),
    "special.cards": _("Cards of the special prize"),
    "surrender.loses": _("A surrender loses"),
    "surrender.against_ace": _("Surrender against an ace"),
    "surrender.before": _("Until when one may surrender"),
    "surrender.after_split": _("Surrender after a split"),
    "limits.maximum_over_minimum": _("The maximum is at most so many times the minimum"),
    "inspectorate.name": _("How the inspection service is named"),
    "jackpot.cards_counted": _("Cards that may count for the jackpot"),
    "jackpot.cards_of": _("Whose cards count for the jackpot"),
    "jackpot.start_times": _("The jackpot starts at so many times its stake"),
    "jackpot.chips_per_player": _("Jackpot chips a player may stake"),
    "jackpot.chip_for": _("What a jackpot chip is for"),
    "jackpot.open_cards": _("Until when the cards stay open"),
    "jackpot.remainder": _("What is left of the jackpot"),
    "jackpot.restart_within": _("Time until the jackpot has to start again"),
    "jackpot.chips_under_way": _("Time until chips shown on the display stand in the book"),
    "jackpot.display_follows_within": _("Time until the display shows what was recorded"),
    "jackpot.share_of": _("What a share of the jackpot is a share of"),
    "jackpot.main_stake_of": _("Where the main stake beside a jackpot chip has to lie"),
    "csm.packets_minimum": _("Packets a shuffler is loaded in, at least"),
    "csm.loaded_within": _("A load asked for is done within"),
    "csm.loads": _("Loads of a shuffler in one game"),
    "csm.reload_after_opening": _("Reloading after an attested opening"),
    "complaint.window": _("Until when a complaint may be made"),
    "csm.called_within": _("The fiscal-chefe is called within"),
    "csm.light_rounds": _("Rounds that may begin under an unanswered warning light"),
    "csm.communicated_within": _("The inspection service is told within"),
    "csm.passes_minimum": _("Passes by hand before a loading, at least"),
    "csm.replaced_by": _("By when a card the shuffler damaged is replaced"),
    "csm.loading_time": _("Whose matter the hour of the loading is"),
    "csm.hindrances": _("What hinders putting cards back"),
    "csm.lid": _("Whose matter the lid is"),
    "csm.puts_back": _("Which shufflers 58 to 60 are about"),
    "witness.presence": _("What shows that a fiscal-chefe was present"),
    "jackpot.top_combination": _("Whose matter a line that wins the whole is"),
    "complaint.cards": _("Whose matter the cards in dispute are"),
    "csm.deferred_within": _("Cards that waited go back with the next's within"),
    "witness.within": _("The witness confirms within"),
    "complaint.answered_within": _("A complaint is answered within"),
    "insurance.exactly": _("Insurance, as a share of the stake, exactly"),
    "others.need_consent": _("Others stake with the holder's consent"),
    "shuffle.passes_minimum": _("A shuffle has at least"),
    "separator.may_void_round": _("The separator may void its round"),
    "face_up_card.out_of_play": _("A card lying open in the shoe goes out of play"),
    "player.boxes_maximum": _("Boxes a player may take"),
    "player.boxes_minimum_alone": _("Boxes a player alone has to take"),
}


def name(parameter: str) -> str:
    """What a figure is called; its own name where nobody gave it another."""
    return str(NAMES.get(parameter, parameter.replace(".", ": ").replace("_", " ")))


def said(book: Law, parameter: Parameter, value: Value) -> str:
    """A value in words: by the reading it chooses where there is one, else by its unit."""
    reading = next((r for r in book.readings.values() if r.parameter == parameter.name), None)
    if reading is not None:
        return meaning(reading, value)
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, Fraction):
        return _ratio(parameter.name, value)
    if isinstance(value, tuple):
        several = [str(one) for one in value]
        run = run_of(value)
        if run:
            return gettext("%(first)s to %(last)s") % {"first": run[0], "last": run[1]}
        return (
            gettext("%(first)s or %(last)s")
            % {
                "first": ", ".join(several[:-1]),
                "last": several[-1],
            }
            if len(several) > 1
            else several[0]
        )
    if isinstance(value, int):
        return _counted(value, parameter.unit)
    return _choice(parameter.name, spelled(value))


def _choice(parameter: str, value: str) -> str:
    """A choice a book states outright: by its word, else as a book that reads it so says it."""
    known = gettext(field_words.word(value, parameter))
    if known != value.replace("_", " "):
        return known
    readings = (one for book in rulebook_ids() for one in load_law(book).readings.values())
    for reading in readings:
        if reading.parameter == parameter and value in [spelled(c.value) for c in reading.choices]:
            return meaning(reading, value)
    return known


def meaning(reading: Reading, value: Value) -> str:
    """What a choice of a reading says."""
    for choice in reading.choices:
        if spelled(choice.value) == spelled(value):
            return either(choice.means_pt, choice.means_en)
    return spelled(value)


def of_the_house(finding: Finding) -> list[str]:
    """The figures a finding hangs on that the house chose, where the text states none; since when.

    A finding of the house's own is asked of its own regulation.
    """
    check, book = ALL_CHECKS.get(finding.check_name), law(finding.rulebook) or law(RULEBOOK)
    if check is None or book is None:
        return []
    held = [
        (book.parameters[need], book.parameters[need].on(finding.gaming_day))
        for need in check.needs
        if need in book.parameters
    ]
    return [
        gettext("%(figure)s: %(value)s (the house's figure, confirmed on %(day)s)")
        % {
            "figure": name(parameter.name),
            "value": said(book, parameter, dated.value),
            "day": date_format(dated.confirmed_on, "SHORT_DATE_FORMAT"),
        }
        for parameter, dated in held
        if dated is not None and dated.of_house
    ]


def _ratio(parameter: str, ratio: Fraction) -> str:
    """Odds where a figure says what is paid, a share of something else otherwise."""
    if parameter.endswith(".pays"):
        return f"{ratio.numerator}:{ratio.denominator}"
    return gettext("half") if ratio == Fraction(1, 2) else f"{ratio.numerator}/{ratio.denominator}"


def _counted(value: int, unit: str) -> str:
    values = {
        "cards": ngettext("%(n)s card", "%(n)s cards", value),
        "decks": ngettext("%(n)s deck", "%(n)s decks", value),
        "packets": ngettext("%(n)s packet", "%(n)s packets", value),
        "points": ngettext("%(n)s point", "%(n)s points", value),
        "times": ngettext("%(n)s time", "%(n)s times", value),
        "chips": ngettext("%(n)s chip", "%(n)s chips", value),
        "minutes": ngettext("%(n)s minute", "%(n)s minutes", value),
        "passes": ngettext("%(n)s pass", "%(n)s passes", value),
    }
    return values.get(unit, "%(n)s") % {"n": value}


def place_of_figure(book: Law, source: str) -> str:
    """Where a figure stands, in words: the place in the text, or that the house chose it."""
    found = _TEXT.fullmatch(source)
    if found is None:
        return gettext("chosen by the house: the text states no figure")
    place, reading = found["place"].strip(), found["reading"]
    if place.startswith(_NUMBERED):
        said = [gettext("%(number)s of the regulation") % {"number": place}]
    else:
        said = [gettext("the text"), cited(book.id, place) if place in book.articles else place]
    if reading:
        said.append(gettext("by a reading that was adopted"))
    return ", ".join(said)
