"""The night of a table, or of all: games, rounds, what was recorded around them and found."""

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from django.utils.translation import gettext as _

from audit.models import Finding
from audit.pages.page_words import law as law_of
from audit.pages.page_words import title
from audit.reports import report_cells as cells
from audit.reports.readers.read_findings import listed
from audit.reports.readers.read_method import method
from audit.reports.report_draft import Column, Draft, Row
from audit.reports.report_entries import Asked, columns, entries_of, shown
from casino.admin.timeline.timeline_reading import Row as Entry
from casino.events.round.round_played import RoundPlayed
from casino.house_day import day_begins
from casino.models import Closing, Partida
from casino.queries import not_counting, that_count
from casino.web.words import field_words
from jackpot.events import JackpotIncremented

Gone = AbstractSet[tuple[str, int]]
# Kinds of the auditor's own work, which the report has elsewhere.
NOT_SHOWN = ("finding-", "game-judged", "reconciliation-", "export-made", "report-", "alert-")


def read_night(draft: Draft, asked: Asked, kinds: Sequence[str]) -> None:
    """The games of the days asked, each with its rounds; then what else was recorded."""
    games = that_count(Partida.objects.filter(asked.days()))
    games = games.order_by("gaming_day", "table_code", "n")
    entries = entries_of(asked, [kind for kind in kinds if not kind.startswith(NOT_SHOWN)])
    rounds = [one for one in entries if one.kind == RoundPlayed.kind]
    chips = sum(one.kind == JackpotIncremented.kind for one in entries)
    apart = (RoundPlayed.kind, JackpotIncremented.kind)
    others = [one for one in entries if one.kind not in apart]
    gone = not_counting({(one.stream, one.n) for one in rounds}, None, "default")
    for game in games:
        _game(draft, game, [one for one in rounds if _of(one) == game.partida_id], gone)
    draft.section(
        _("Records in the order in which they happened"),
        pairs=[(_("Increments of a jackpot on record, not listed here"), cells.whole(chips))],
        columns=columns(),
        rows=shown(others, asked),
        empty=_("Nothing was recorded in these days."),
    )
    findings = Finding.objects.filter(asked.days())
    listed(draft, findings, _("Findings"))
    method(draft, asked)


def _of(entry: Entry) -> str:
    event = entry.recorded.event if entry.recorded is not None else None
    return event.partida if isinstance(event, RoundPlayed) else ""


def _game(draft: Draft, game: Partida, rounds: Sequence[Entry], gone: Gone) -> None:
    closing = that_count(Closing.objects.filter(partida_id=game.partida_id)).order_by("n").last()
    counting = [one for one in rounds if (one.stream, one.n) not in gone]
    staked = sum(_staked(one) for one in counting)
    returned = sum(_returned(one) for one in counting)
    book = law_of(game.rulebook)
    draft.rulebooks.add(game.rulebook)
    draft.cite([(game.stream, game.n)])
    pairs = [
        (_("Opened"), cells.moment(game.occurred_at)),
        (_("Closed"), cells.moment(None if closing is None else closing.occurred_at)),
        (_("Rulebook"), cells.text(game.rulebook if book is None else title(book))),
        (_("Table minimum"), cells.cents(game.minimum_cents)),
        (_("Table maximum"), cells.cents(game.maximum_cents)),
        (_("Dealt from"), cells.text(field_words.word(game.dealing))),
        (_("Decks"), cells.joined(game.decks)),
        (_("Rounds on record"), cells.whole(len(counting))),
        (_("Staked"), cells.cents(staked)),
        (_("Returned"), cells.cents(returned)),
        (_("Result of the bank by the rounds"), cells.cents(staked - returned)),
    ]
    if game.shuffler:
        pairs.insert(7, (_("Shuffler"), cells.text(game.shuffler)))
    if game.float_cents is not None:
        pairs.append((_("Chips at the opening"), cells.cents(game.float_cents)))
    if closing is not None:
        draft.cite([(closing.stream, closing.n)])
        if closing.float_cents is not None:
            pairs.append((_("Chips at the closing"), cells.cents(closing.float_cents)))
        if closing.rounds is not None:
            pairs.append((_("Rounds said at the closing"), cells.whole(closing.rounds)))
    draft.section(_("Game %(game)s") % {"game": game.partida_id}, pairs=pairs)
    _people(draft, game, counting)
    _rounds(draft, rounds, gone)


def _people(draft: Draft, game: Partida, rounds: Sequence[Entry]) -> None:
    dealt = Counter(_event(one).dealer for one in rounds)
    named = (
        (_("Fiscal de banca at the opening"), game.fiscal_de_banca),
        (_("Fiscal-chefe at the opening"), game.fiscal_chefe),
        (_("Dealer at the opening"), game.pagador),
    )
    pairs = [(name, cells.text(who)) for name, who in named]
    for dealer, count in sorted(dealt.items(), key=lambda one: str(one[0])):
        name = _("Rounds dealt by %(who)s") % {"who": dealer or _("nobody named")}
        pairs.append((name, cells.whole(count)))
    draft.section(_("People"), level=2, pairs=pairs)


def _rounds(draft: Draft, rounds: Sequence[Entry], gone: Gone) -> None:
    draft.section(
        _("Rounds"),
        level=2,
        columns=[
            Column(_("When"), 11),
            Column(_("Entry"), 14),
            Column(_("Shoe"), 8, "right"),
            Column(_("Round"), 9, "right"),
            Column(_("Dealer"), 10),
            Column(_("Boxes"), 8, "right"),
            Column(_("Staked"), 13, "right"),
            Column(_("Returned"), 13, "right"),
            Column(_("Result of the bank"), 14, "right"),
        ],
        rows=[_round(one, gone) for one in rounds],
        empty=_("No round is on record."),
    )


def _round(entry: Entry, gone: Gone) -> Row:
    event = _event(entry)
    staked, returned = _staked(entry), _returned(entry)
    standing = _("does not count") if (entry.stream, entry.n) in gone else ""
    return Row(
        [
            cells.hour(entry.place.at, day_begins(event.gaming_day)),
            cells.entry(entry.stream, entry.n, standing),
            cells.text("") if event.shoe is None else cells.whole(event.shoe),
            cells.text("") if event.number is None else cells.whole(event.number),
            cells.text(event.dealer or ""),
            cells.whole(len(event.boxes)),
            cells.cents(staked),
            cells.cents(returned),
            cells.cents(staked - returned),
        ],
        (entry.stream, entry.n),
    )


def _event(entry: Entry) -> RoundPlayed:
    assert entry.recorded is not None
    event = entry.recorded.event
    assert isinstance(event, RoundPlayed)
    return event


def _staked(entry: Entry) -> int:
    return sum(wager.stake_cents for box in _event(entry).boxes for wager in box.wagers)


def _returned(entry: Entry) -> int:
    return sum(wager.returned_cents for box in _event(entry).boxes for wager in box.wagers)
