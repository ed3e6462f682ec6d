"""What a run comes to: one object for programs, one page for people. Both from the same counts."""

from typing import Final

from audit.rounds_file.file_wording import Wording
from audit.rounds_file.judge_lines import MONEY, PLAY
from audit.rounds_file.laws import Laws, readings_of
from audit.rounds_file.tally import Summary, Tally
from casino.law.rulebook.rulebook import Law

BY_ARTICLE: Final = ("art.", "checked", "lawful", "findings", "not decidable")


def summary_of(tally: Tally, laws: Laws, why_incomplete: str | None = None) -> Summary:
    """The counts as one object, money in cents.

    It is `complete` only where every line was read and judged.
    """
    return {
        "complete": why_incomplete is None and tally.refused == 0,
        "why_incomplete": why_incomplete,
        "lines": tally.lines,
        "blank_lines": tally.blank,
        "rounds": tally.rounds.total(),
        "refused_lines": tally.refused,
        "findings_money": tally.findings[MONEY],
        "findings_play": tally.findings[PLAY],
        "wagers": tally.wagers.total(),
        "wagers_undecided": tally.undecided,
        "owed_to_players_cents": tally.owed_cents["player"],
        "owed_to_house_cents": tally.owed_cents["house"],
        "rulebooks": [
            {
                "rulebook": rulebook,
                "law_sha256": laws.called(rulebook).digest,
                "instrument": _instrument(laws.called(rulebook)),
                "rounds": rounds,
                "readings": readings_of(laws.called(rulebook)),
            }
            for rulebook, rounds in sorted(tally.rounds.items())
        ],
        "articles": [
            {
                "rulebook": count.rulebook,
                "article": count.article,
                "checked": count.checked,
                "lawful": count.lawful,
                "findings": count.findings,
                "not_decidable": count.undecided,
            }
            for count in tally.articles()
        ],
    }


def _instrument(law: Law) -> dict[str, str]:
    """The act the rulebook is of, by language; nothing where the file names none."""
    act = law.instrument
    return {} if act is None else {language: act.cited(language) for language in ("pt", "en")}


def summary_text(summary: Summary, wording: Wording) -> str:
    """The summary as lines of text.

    The last is ``complete: yes`` or ``complete: no`` in every language.
    """
    lines: list[str] = []
    for book in summary["rulebooks"]:
        lines += _by_article(book, summary, wording)
    lines += _totals(summary, wording)
    if summary["why_incomplete"]:
        lines.append(wording.say("Not complete: {why}").format(why=summary["why_incomplete"]))
    lines.append(f"complete: {'yes' if summary['complete'] else 'no'}")
    return "\n".join(lines) + "\n"


def _by_article(book: Summary, summary: Summary, wording: Wording) -> list[str]:
    say = wording.say
    title = say("Rulebook {rulebook}: {rounds} rounds; law {digest}")
    rounds = grouped(book["rounds"])
    lines = [title.format(rulebook=book["rulebook"], rounds=rounds, digest=book["law_sha256"])]
    if book["instrument"]:
        lines.append(f"  {book['instrument'][wording.language]}")
    for reading, choice in book["readings"].items():
        lines.append(f"  {say('reading changed')}: {reading} = {choice}")
    counts = [row for row in summary["articles"] if row["rulebook"] == book["rulebook"]]
    if not counts:
        return [*lines, ""]
    head = [say(name) for name in BY_ARTICLE]
    first = max(len(head[0]), *(len(row["article"]) for row in counts))
    widths = [max(len(name), 10) for name in head[1:]]
    lines.append(_line(head, first, widths))
    for row in counts:
        names = ("checked", "lawful", "findings", "not_decidable")
        lines.append(_line([row["article"], *(grouped(row[n]) for n in names)], first, widths))
    return [*lines, ""]


def _line(cells: list[str], first: int, widths: list[int]) -> str:
    numbers = (cell.rjust(width) for cell, width in zip(cells[1:], widths, strict=True))
    return f"  {cells[0].ljust(first)}  {'  '.join(numbers)}"


def _totals(summary: Summary, wording: Wording) -> list[str]:
    say, money = wording.say, wording.money
    listed = (
        (say("Lines read"), grouped(summary["lines"])),
        (say("Lines refused"), grouped(summary["refused_lines"])),
        (say("Rounds judged"), grouped(summary["rounds"])),
        (say("Findings about money"), grouped(summary["findings_money"])),
        (say("Findings about play"), grouped(summary["findings_play"])),
        (say("Wagers not decidable"), _of(summary["wagers_undecided"], summary["wagers"], wording)),
        (say("Owed to players"), money(summary["owed_to_players_cents"])),
        (say("Owed to the house"), money(summary["owed_to_house_cents"])),
    )
    width = max(len(name) for name, _ in listed)
    return [f"{name.ljust(width)}  {value}" for name, value in listed]


def _of(some: int, all_: int, wording: Wording) -> str:
    return wording.say("{some} of {all}").format(some=grouped(some), all=grouped(all_))


def grouped(number: int) -> str:
    """A count in groups of three."""
    return f"{number:,}".replace(",", " ")
