"""What the law asks and what upholds it: the faults of a rulebook, and docs/coverage.md as text.

Pure: rulebooks and checks come in, sentences go out. The command `law_coverage` writes the page,
the tests hold that it is up to date and that no rulebook has a fault.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from casino.law.finding import Rule
from casino.law.rulebook import controls
from casino.law.rulebook.law_text import spelled
from casino.law.rulebook.rulebook import Article, Law, Parameter, Reading
from casino.law.rulebook.rulebook_file import DUTIES

# The regulation's own numbers: each has to be there, and each has to be upheld or wait for a room.
NUMBERED: Final[Mapping[str, Sequence[str]]] = {"pt": [str(number) for number in range(1, 62)]}
ASKING: Final = frozenset({"rule", "procedure"})


def faults(law: Law, checks: Mapping[str, Rule]) -> list[str]:
    """Why this rulebook is not covered; empty where it is."""
    found: list[str] = []
    numbers = NUMBERED.get(law.id)
    if numbers is not None:
        found += [f"{law.id}: no article {n}" for n in numbers if n not in law.articles]
        found += [f"{law.id}: unknown article {n}" for n in law.articles if n not in numbers]
    for article in law.articles.values():
        asks = article.duty in ASKING or (numbers is not None and article.duty != "dispensation")
        if asks and not article.upheld_by and article.waits_for is None:
            found.append(f"{law.id} {article.number}: no check upholds it and it waits for no room")
        if article.duty not in DUTIES:  # above all no "unobservable": nothing is waved through
            found.append(f"{law.id} {article.number}: {article.duty} is no duty of an article")
    for name, number in law.checks.items():
        if number not in law.articles:
            found.append(f"{law.id}: {name} upholds article {number}, which does not exist")
        if name not in checks:
            found.append(f"{law.id} {number}: no check is called {name}")
            continue
        found += [
            f"{law.id} {number}: {name} needs {need}, which this book does not state"
            for need in checks[name].needs
            if need not in law.parameters
        ]
    return found


def uncited(laws: Collection[Law], checks: Mapping[str, Rule]) -> list[str]:
    """The checks neither a rulebook nor the house asks, in alphabetical order."""
    asked = {name for law in laws for name in law.checks} | controls.ARTICLE_OF.keys()
    return sorted(checks.keys() - asked)


def waiting(law: Law, room: str) -> tuple[list[str], list[str]]:
    """The articles and the readings that wait for a room, in the order of the book."""
    articles = [a.number for a in law.articles.values() if a.waits_for == room]
    readings = [r.id for r in law.readings.values() if r.waits_for == room]
    return articles, readings


def coverage_page(laws: Sequence[Law], checks: Mapping[str, Rule]) -> str:
    """The text of docs/coverage.md: books, what waits, checks, then each book's own tables."""
    blocks = [
        "# What the law asks and what upholds it",
        "Made by `manage.py law_coverage --write` from the rulebooks and the checks; not to be "
        "edited by hand. How a rulebook is written stands in [law.md](law.md).",
        "## Books",
        _books(laws),
        "## What still waits",
        *_waits(laws),
        "## Checks",
        "Where each book states the rule; a dash where it does not, and the check is not asked.",
        _checks(laws, checks),
        "## Controls of the house",
        "No text asks for these: they cite the house, under every rulebook that states the figures"
        " they need. What is found of one is a deviation or a warning, never a breach.",
        _controls(checks),
    ]
    for law in laws:
        blocks += [
            f"## `{law.id}`: {law.title_en}",
            "### Articles" if law.id in NUMBERED else "### Sections",
            _articles(law.articles.values()),
            "### Figures",
            "`1900-01-01` stands for *always*: the text states no date.",
            _parameters(law.parameters.values()),
            "### Readings",
            _readings(law.readings.values()),
        ]
    return "\n\n".join(blocks) + "\n"


def _table(head: Sequence[str], rows: Collection[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines
    )


def _books(laws: Sequence[Law]) -> str:
    rows = [
        [
            f"`{law.id}`",
            law.title_en,
            law.source,
            str(len(law.articles)),
            str(len(law.checks)),
            str(len(law.parameters)),
            str(len(law.readings)),
        ]
        for law in laws
    ]
    head = ["book", "title", "source", "articles or sections", "checks", "figures", "readings"]
    return _table(head, rows)


def _waits(laws: Sequence[Law]) -> list[str]:
    lines: list[str] = []
    for room in ("floor", "jackpot"):
        for law in laws:
            articles, readings = waiting(law, room)
            if articles:
                lines.append(f"- `{law.id}`, {room}: {len(articles)}: {', '.join(articles)}")
            if readings:
                lines.append(f"- `{law.id}`, {room}, readings: {', '.join(readings)}")
    return ["\n".join(lines)] if lines else ["Nothing."]


def _checks(laws: Sequence[Law], checks: Mapping[str, Rule]) -> str:
    order = [name for law in laws for name in law.checks]
    rows = []
    for name in dict.fromkeys(order):
        check = checks.get(name)
        texts = [check.statement, check.severity] if check is not None else ["(missing)", ""]
        rows.append([f"`{name}`", *texts, *(law.checks.get(name, "-") for law in laws)])
    return _table(["check", "asks", "severity", *(law.id for law in laws)], rows)


def _controls(checks: Mapping[str, Rule]) -> str:
    rows = []
    for name, article in controls.ARTICLE_OF.items():
        check = checks[name]
        needs = ", ".join(f"`{need}`" for need in check.needs) or "-"
        rows.append([f"`{name}`", check.statement, check.severity, article, needs])
    return _table(["check", "asks", "severity", "cited as", "figures"], rows)


def _articles(articles: Collection[Article]) -> str:
    rows = []
    for article in articles:
        held = ", ".join(f"`{name}`" for name in article.upheld_by)
        waits = f"waits for the {article.waits_for}" if article.waits_for is not None else "-"
        texts = [article.number, article.heading_en, article.duty, article.kind]
        both = f"{held}; the rest {waits}" if held and article.waits_for else held or waits
        rows.append([*texts, both])
    return _table(["cited as", "heading", "duty", "kind", "upheld by"], rows)


def _parameters(parameters: Collection[Parameter]) -> str:
    rows = [
        [
            f"`{parameter.name}`",
            spelled(dated.value),
            parameter.unit,
            parameter.article,
            dated.since.isoformat(),
            dated.source,
            dated.confirmed_on.isoformat(),
        ]
        for parameter in parameters
        for dated in parameter.values
    ]
    return _table(["figure", "is", "unit", "article", "from", "source", "confirmed on"], rows)


def _readings(readings: Collection[Reading]) -> str:
    rows = []
    for reading in readings:
        means = {spelled(choice.value): choice.means_en for choice in reading.choices}
        adopted = spelled(reading.choice)
        others = [f"`{value}`: {text}" for value, text in means.items() if value != adopted]
        rows.append(
            [
                f"`{reading.id}`",
                ", ".join(reading.articles),
                f"`{reading.parameter}`",
                f"`{adopted}`: {means[adopted]}",
                "; ".join(others),
                reading.reason_en + (f" (waits: {reading.waits_for})" if reading.waits_for else ""),
            ]
        )
    return _table(["reading", "articles", "figure", "adopted", "otherwise", "why"], rows)
