"""What `law_text` does beside comparing: which articles changed, what an act makes, what is old.

Each gives lines for a person, the same for a program, and whether something has to be looked at.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from django.utils.translation import gettext as _

from casino.events.phrases import said
from casino.importing import text_confirmations
from casino.law.rulebook.law_text import spelled
from casino.law.rulebook.rulebook import Law
from casino.law.text.amended_text import amend, day_of
from casino.law.text.amending_act import Act, Operation, Target
from casino.law.text.legal_text import Text
from casino.law.text.read_text import read_text
from casino.law.text.text_changes import Change, changes
from casino.law.text.text_review import figures_of_text


class Answer(NamedTuple):
    """What is printed, as lines and as JSON, and whether there is something to be looked at."""

    lines: tuple[str, ...]
    value: dict[str, object]
    different: bool


def changed(law: Law, earlier: Text, later: Text, day: date) -> Answer:
    """Every article that is not as it was, with the parameters and checks that hang on it."""
    found = changes(earlier, later)
    lines = [line for one in found for line in _change_lines(law, one, day)]
    summary = _("articles or sections that changed: %(n)d") % {"n": len(found)}
    asked = figures_of_text(later, law, day)
    value: dict[str, object] = {
        "before": earlier.sha256,
        "after": later.sha256,
        "figures": asked,
        "changes": [
            {
                "article": one.number or None,
                "eid": one.eid,
                "state": one.state,
                "was": one.was or None,
                "out": [part.words for part in one.words if part.state == "out"],
                "in": [part.words for part in one.words if part.state == "in"],
                "parameters": _parameters(law, one, day),
                "checks": list(_checks(law, one)),
            }
            for one in found
        ],
    }
    return Answer((*lines, *figure_lines(asked), summary), value, bool(found))


def figure_lines(asked: Mapping[str, str]) -> Iterator[str]:
    """The figures of a text that differ from the rulebook's, as they can be asked for on its page
    of figures.
    """
    for name, value in asked.items():
        yield _("figure of the text, to be asked for: %(name)s = %(value)s") % {
            "name": name,
            "value": value,
        }


def _change_lines(law: Law, change: Change, day: date) -> Sequence[str]:
    states = {
        "changed": _("amended"),
        "added": _("added"),
        "gone": _("repealed"),
        "renumbered": _("renumbered"),
    }
    where = f"{law.cites} {change.number}" if change.number else change.eid
    first = f"{where}: {states[change.state]}"
    if change.was:
        first += f" ({law.cites} {change.was})"
    words = " ".join(
        {"same": _short(part.words), "out": f"[-{part.words}-]", "in": f"{{+{part.words}+}}"}[
            part.state
        ]
        for part in change.words
    )
    hangs = [f"{name}: {value}" for name, value in _parameters(law, change, day).items()]
    listed = [*hangs, *_checks(law, change)]
    review = [_("    to be looked at: %(what)s") % {"what": "; ".join(listed)}] if listed else []
    return [first, *([f"    {words}"] if words else []), *review]


def _short(words: str) -> str:
    """Words that stayed, the midst of many left out."""
    return words if len(words) < 80 else f"{words[:36].rstrip()} … {words[-36:].lstrip()}"


def _parameters(law: Law, change: Change, day: date) -> dict[str, str]:
    held = {one.name: one.on(day) for one in law.parameters.values() if one.article == _old(change)}
    return {
        name: ", ".join(map(spelled, value if isinstance(value, tuple) else (value,)))
        for name, dated in held.items()
        if dated is not None and (value := dated.value) is not None
    }


def _checks(law: Law, change: Change) -> Sequence[str]:
    article = law.articles.get(_old(change))
    return () if article is None else article.upheld_by


def _old(change: Change) -> str:
    return change.was or change.number


def amended(law: Law, base: Text, act: Act, in_force: date, consolidated: Text | None) -> Answer:
    """What an act makes of a text, and how a consolidated text differs from its last version."""
    aside = [
        _("line %(line)d is none of the amendments: %(words)s")
        % {"line": one.line, "words": _short(one.words)}
        for one in act.others
    ]
    for_review = not_understood(act)
    found = amend(base, act, in_force)
    for one in found.undone:
        values = {"line": one.line, "target": one.target, "reason": said(one.reason, _)}
        for_review.append(_("line %(line)d, %(target)s: %(reason)s") % values)
    versions = () if act.unresolved else found.versions
    done = [(one, day_of(one, act, in_force)) for one in act.operations]
    lines = [_done(law, one, day) for one, day in done]
    if not versions:
        lines.append(_("No new text is made."))
    lines += [
        _("from %(day)s: SHA-256 %(sha256)s")
        % {"day": version.day.isoformat(), "sha256": read_text(version.source.encode()).sha256}
        for version in versions
    ]
    value: dict[str, object] = {
        "operations": len(act.operations),
        "done": [_as_json(one, day) for one, day in done],
        "not_understood": [one._asdict() for one in act.unresolved],
        "left_aside": [one._asdict() for one in act.others],
        "undone": [{**one._asdict(), "reason": str(one.reason)} for one in found.undone],
        "versions": [
            {"day": version.day.isoformat(), "text": version.source} for version in versions
        ],
    }
    differs: tuple[Change, ...] = ()
    if consolidated is not None and versions:
        differs = changes(read_text(versions[-1].source.encode()), consolidated)
        for change in differs:
            where = change.number or change.eid
            for_review.append(_("the consolidated text differs in %(where)s") % {"where": where})
        value["consolidated_differs"] = [one.number or one.eid for one in differs]
    summary = _("operations: %(n)d; to be looked at: %(found)d") % {
        "n": len(act.operations),
        "found": len(for_review),
    }
    return Answer((*aside, *for_review, *lines, summary), value, bool(for_review))


def not_understood(act: Act) -> list[str]:
    """A line for each sentence of an act that amends something, nobody here knows what."""
    return [
        _("line %(line)d is not understood: %(words)s") % one._asdict() for one in act.unresolved
    ]


def _as_json(operation: Operation, day: date | None) -> dict[str, object]:
    targets = [str(target) for target in operation.targets]
    named: dict[str, object] = {"line": operation.line, "kind": operation.kind, "targets": targets}
    return named | {"day": day and day.isoformat()}


def _done(law: Law, operation: Operation, day: date | None) -> str:
    """What an operation does, where, and from which day."""
    does = {
        "replace": _("new wording"),
        "insert": _("added"),
        "repeal": _("repealed"),
        "renumber": _("is %(number)s from then on") % {"number": operation.number},
        "words": _("«%(old)s» becomes «%(new)s»")
        % {"old": _short(operation.old), "new": _short(operation.wording)},
    }
    values = {
        "line": operation.line,
        "where": "; ".join(_where(law, one) for one in operation.targets),
        "what": does[operation.kind],
        "day": "–" if day is None else day.isoformat(),
    }
    return _("line %(line)d: %(where)s: %(what)s, from %(day)s") % values


def _where(law: Law, target: Target) -> str:
    """A target of an act as it is cited: its article or section, paragraph, item."""
    part = f"«{target.heading}»"
    if target.article:  # a handbook's sections have no numbers: what has one is an article
        numbered = any(one.isdecimal() for one in law.articles)
        number = {"number": target.article}
        part = f"{law.cites} {target.article}" if numbered else _("article %(number)s") % number
    paragraph = target.paragraph and _("paragraph %(n)s") % {"n": target.paragraph}
    item = target.item and _("item %(letter)s)") % {"letter": target.item}
    return ", ".join(filter(None, (part, paragraph, item)))


def written(answer: Answer, folder: Path, rulebook: str) -> list[Path]:
    """Write each version an act makes into a folder, made where it is missing; the files.

    Raises: OSError.
    """
    files = []
    for version in answer.value["versions"]:  # type: ignore[attr-defined]  # a list, see above
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{rulebook}-{version['day']}.txt"
        file.write_text(version["text"], "utf-8")
        files.append(file)
    return files


def expired(law: Law, today: date, within: timedelta) -> Answer:
    """The figures of the text nobody compared with it for longer than that."""
    held = text_confirmations.confirmations(law, today)
    old = {name: day for name, day in held.items() if day + within < today}
    lines = [
        _("%(figure)s: last compared with the text on %(day)s")
        % {"figure": name, "day": day.isoformat()}
        for name, day in sorted(old.items(), key=lambda one: (one[1], one[0]))
    ]
    oldest = min(held.values(), default=today)
    summary = _(
        "figures of the text: %(n)d; older than %(days)d days: %(old)d; the oldest: %(day)s"
    )
    numbers = {"n": len(held), "days": within.days, "old": len(old), "day": oldest.isoformat()}
    value: dict[str, object] = {
        "figures": len(held),
        "oldest": oldest.isoformat(),
        "older": {name: day.isoformat() for name, day in old.items()},
    }
    return Answer((*lines, summary % numbers), value, bool(old))
