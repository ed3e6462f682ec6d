"""The report: of each casino what was mirrored, what contradicts it, where the findings differ."""

from collections.abc import Iterator

from audit.inspectorate.inspectorate_words import say
from audit.inspectorate.mirror_store import Store
from audit.inspectorate.second_judgement import Compared
from audit.inspectorate.supervised import Casino, Inspectorate
from casino.tlog.note import COSIGNATURE


def report_text(store: Store, inspectorate: Inspectorate, language: str) -> str:
    """The report as plain text."""
    lines = [say(language, "title", name=inspectorate.key.name, casinos=len(inspectorate.casinos))]
    lines.append(say(language, "key", key=inspectorate.key.verifier(COSIGNATURE).text()))
    for casino in inspectorate.casinos.values():
        lines += ["", *_casino(store, casino, language)]
    return "\n".join(lines) + "\n"


def _casino(store: Store, casino: Casino, language: str) -> Iterator[str]:
    origin = casino.origin
    yield say(language, "casino", origin=origin)
    newest, cosigned = store.newest(origin), store.cosigned(origin)
    figures = {"held": store.held(origin), "checkpoints": store.count(origin)}
    yield say(language, "mirrored", newest=newest.size if newest else 0, **figures)
    if cosigned:
        yield say(language, "cosigned", size=cosigned.size)
    else:
        yield say(language, "never-cosigned")
    troubles = store.troubles(origin)
    if not troubles:
        yield say(language, "well")
    for one in troubles:
        details = {name: _plain(value) for name, value in one.details.items()}
        yield f"{one.seen_at} " + say(language, one.code, **details)
        for note in filter(None, (one.first, one.second)):
            yield from (f"    {line}" for line in note.splitlines())
    compared = store.comparison(origin)
    if compared is not None:
        yield from _compared(*compared, language)


def _compared(result: Compared, made_at: str, language: str) -> Iterator[str]:
    yield say(language, "compared", made_at=made_at, **result)
    if result["editions"]:
        yield say(language, "editions", books=_plain(result["editions"]))
    for code, listed, count in (
        ("missing", result["listed_missing"], result["missing"]),
        ("unfounded", result["listed_unfounded"], result["unfounded"]),
    ):
        for one in listed:
            where = " ".join(f"{key}={value}" for key, value in one["where"].items())
            yield say(language, code, **{**one, "where": where})
        if count > len(listed):
            yield say(language, "not-listed", more=count - len(listed))


def _plain(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list) else value
