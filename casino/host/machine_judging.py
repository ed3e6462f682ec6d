"""What is well and what is wrong of a machine, judged from facts: nothing is asked here.

Each function is given what was seen and answers with a finding; what it is about, what is expected
and what to do stand in ``doctor.toml``. ``doctor`` sees; the tests make each thing wrong.
"""

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from casino.machine.host_findings import Finding, State, Text

TEXTS: Final[Mapping[str, Mapping[str, list[str]]]] = tomllib.loads(
    Path(__file__).with_name("doctor.toml").read_text("utf-8")
)
KNOWN: Final = frozenset(
    {"admin", "change-me", "changeme", "default", "guest", "only-for-development", "password",
     "postgres", "secret", "livro"}
)  # fmt: skip
SHORTEST: Final = 32  # characters of a secret
OLDEST_SERVER: Final = 15
DISK_LOW: Final = 0.15  # of a disk, free
DISK_OUT: Final = 0.05
DISK_LEAST: Final = 2 * 1024**3  # bytes free
BACKUP_OLD: Final = timedelta(hours=26)
DRILL_OLD: Final = timedelta(days=8)
ARCHIVE_LATE: Final = timedelta(minutes=10)
ENDS_SOON: Final = timedelta(days=30)
ENDS_NOW: Final = timedelta(days=7)
CLOCK_OFF: Final = 0.5  # seconds
MUST_BE: Final = {
    **dict.fromkeys(("fsync", "full_page_writes", "synchronous_commit", "data_checksums"), "on"),
    "ssl": "on",
    "archive_mode": "on",
    "password_encryption": "scram-sha-256",
}


def same(said: str) -> Text:
    """What needs no translation."""
    return Text(said, said)


def finding(
    check: str,
    wrong: Sequence[Text],
    well: Text | str,
    state: State = "wrong",
    name: str = "",
) -> Finding:
    """A finding: well where nothing is `wrong`, else with that in the stead of `well`. With a
    `name` it is one of several of its kind.
    """
    texts = {
        key: Text(*(each.format(name=name) for each in pair)) for key, pair in TEXTS[check].items()
    }
    named = f"{check}-{name}" if name else check
    if not wrong:
        good = same(well) if isinstance(well, str) else well
        return Finding(check=named, what=texts["what"], state="ok", found=good)
    said = Text("; ".join(one.pt for one in wrong), "; ".join(one.en for one in wrong))
    return Finding(check=named, state=state, found=said, **texts)


def secrets(
    folder_mode: int | None, files: Mapping[str, tuple[int, int, str]], needed: Iterable[str]
) -> Finding:
    """Every secret is there, root's alone, and nobody could guess it. `files` are, by name, mode,
    owner and what is in it; no finding repeats that.
    """
    wrong = [Text(f"falta {name}", f"{name} is missing") for name in sorted({*needed} - {*files})]
    if folder_mode != 0o700:
        seen = "–" if folder_mode is None else f"{folder_mode:o}"
        wrong.append(Text(f"a pasta tem o modo {seen}", f"the folder has mode {seen}"))
    for name, (mode, owner, held) in sorted(files.items()):
        if mode != 0o600 or owner != 0:
            wrong.append(same(f"{name}: {mode:o}, uid {owner}"))
        if name in needed and (held.lower() in KNOWN or len(held) < SHORTEST):
            wrong.append(Text(f"{name} é conhecido ou curto", f"{name} is known or short"))
        elif not held:
            wrong.append(Text(f"{name} está vazio", f"{name} is empty"))
    return finding("secrets", wrong, f"{len(files)}, 0600, root")


def server(parameters: Mapping[str, str]) -> list[Finding]:
    """PostgreSQL: its age, what it must not lose, its words and its clock. `parameters` are what
    SHOW says, and `collate` and `encoding` of the book's database.
    """
    number = int(parameters.get("server_version_num") or 0) // 10_000
    version, zone = f"PostgreSQL {number}", parameters.get("TimeZone", "")
    unsafe = [
        f"{name} = {parameters.get(name)}"
        for name, must in MUST_BE.items()
        if parameters.get(name) != must
    ]
    collate = parameters.get("collate", "")
    words = f"{parameters.get('encoding')}, {collate}"
    fits = parameters.get("encoding") == "UTF8" and collate.upper().replace("-", "").endswith(
        "UTF8"
    )
    return [
        finding("server-version", [same(version)] * (number < OLDEST_SERVER), version),
        finding("server-safe", [same(one) for one in unsafe], Text("tudo ligado", "all on")),
        finding("locale", [] if fits else [same(words)], words),
        finding("zone", [] if zone in ("UTC", "Etc/UTC") else [same(zone)], zone),
    ]


def zones(missing: Sequence[str]) -> Finding:
    """The zones the gaming day is counted by are known on this machine."""
    return finding("tzdata", [same(one) for one in missing], Text("conhecidos", "known"))


def disk(place: str, free: int, total: int) -> Finding:
    """There is room for some evenings; figures in bytes."""
    share = free / total if total else 0.0
    said = f"{place}: {free / 1024**3:.1f} GB ({share:.0%})"
    found = Text(f"{said} livres", f"{said} free")
    out = share < DISK_OUT or free < DISK_LEAST
    return finding(
        "disk", [found] * (out or share < DISK_LOW), found, "wrong" if out else "warning"
    )


def clock(tracking: str | None) -> Finding:
    """The clock is corrected. `tracking` is what ``chronyc -c tracking`` says; None: nothing."""
    fields = (tracking or "").strip().split(",")
    if len(fields) < 14:
        return finding("clock", [Text("o chrony não responde", "chrony does not answer")], "")
    offset = abs(float(fields[4]))
    wrong = []
    if fields[13] == "Not synchronised":
        wrong.append(Text("o relógio não segue nenhum outro", "the clock follows no other"))
    elif offset > CLOCK_OFF:
        wrong.append(Text(f"{offset:.3f} s de diferença", f"{offset:.3f} s off"))
    return finding("clock", wrong, f"± {offset * 1000:.1f} ms")


def archive(
    waiting: int, oldest: datetime | None, failed: bool, last: datetime | None, now: datetime
) -> Finding:
    """WAL leaves as it fills. `waiting` segments are not archived, the `oldest` since then;
    `failed`: the last try was in vain; `last` is when one was archived.
    """
    wrong = []
    if failed or (oldest is not None and now - oldest > ARCHIVE_LATE):
        wrong.append(Text(f"{waiting} por arquivar", f"{waiting} not archived"))
    if failed:
        wrong.append(Text("a última tentativa falhou", "the last try failed"))
    if last is None:
        wrong.append(Text("nada foi arquivado ainda", "nothing was archived yet"))
    return finding("archive", wrong, _at(last))


def backup(info: str, now: datetime) -> Finding:
    """The last night's backup is there. `info`: what ``pgbackrest info --output=json`` says."""
    try:
        [stanza] = json.loads(info)
        stops = [one["timestamp"]["stop"] for one in stanza["backup"]]
        last = max((datetime.fromtimestamp(stop, UTC) for stop in stops), default=None)
    except (ValueError, KeyError, TypeError):
        return finding(
            "backup", [Text("o pgBackRest não responde", "pgBackRest does not answer")], ""
        )
    wrong = []
    if last is None:
        wrong = [Text("nenhuma cópia", "no backup")]
    elif now - last > BACKUP_OLD:
        wrong = [Text(f"a última é de {_at(last)}", f"the last one is of {_at(last)}")]
    return finding("backup", wrong, _at(last))


def off_host(place: str, same_disk: bool) -> Finding:
    """Backups lie on no disk of the book's machine."""
    wrong = Text(f"{place} está no disco desta máquina", f"{place} is on this machine's own disk")
    return finding("off-host", [wrong] * same_disk, place)


def certificate(
    name: str,
    ends: datetime | None,
    now: datetime,
    *,
    fits: bool = True,
    names_host: bool = True,
    own: bool = False,
) -> Finding:
    """A certificate holds for some time yet, is its key's and its host's, and browsers know who
    made it (`own`: this machine itself did, and no browser does).
    """
    wrong: list[Text] = []
    if ends is None:
        wrong.append(Text("não se lê", "cannot be read"))
    elif ends - now < ENDS_SOON:
        wrong.append(Text(f"acaba em {ends:%Y-%m-%d}", f"ends on {ends:%Y-%m-%d}"))
    if not fits:
        wrong.append(Text("a chave não é a dele", "the key is not its own"))
    if not names_host:
        wrong.append(Text("é de outro nome", "it is for another name"))
    grave = ends is None or ends - now < ENDS_NOW or not fits or not names_host
    if own:
        wrong.append(
            Text(
                "feito por esta máquina: os navegadores avisam",
                "made by this machine: browsers warn",
            )
        )
    state: State = "wrong" if grave else "warning"
    return finding("certificate", wrong, f"→ {ends:%Y-%m-%d}" if ends else "–", state, name)


def services(states: Mapping[str, str]) -> Finding:
    """Every unit runs. `states` are systemd's words by unit."""
    wrong = [same(f"{name}: {state}") for name, state in states.items() if state != "active"]
    return finding("services", wrong, Text(f"{len(states)} a correr", f"{len(states)} run"))


def ready(answer: str | None) -> list[Finding]:
    """What the house says of itself. `answer` is /readyz's JSON; None: no answer."""
    names = [name.removeprefix("ready-") for name in TEXTS if name.startswith("ready-")]
    try:
        checks: dict[str, object] = dict(json.loads(answer or "")["checks"])
    except (ValueError, KeyError, TypeError):
        checks = {}
    found = [(name, str(checks.get(name) or "web: no answer")) for name in names]
    return [
        finding(f"ready-{name}", [] if said == "ok" else [same(said)], Text("sim", "yes"))
        for name, said in found
    ]


def pulse(name: str, age: float | None, most: float) -> Finding:
    """A service gets work done: its file was touched so many seconds ago."""
    said = Text("nunca", "never") if age is None else Text(f"há {age:.0f} s", f"{age:.0f} s ago")
    return finding("pulse", [said] * (age is None or age > most), said, name=name)


def drill(result: str | None, now: datetime) -> Finding:
    """A backup gave the book back, and not long ago. `result` is what the drill left."""
    try:
        value = json.loads(result or "")
        at, code = datetime.fromisoformat(value["at"]), int(value["exit"])
    except (ValueError, KeyError, TypeError):
        return finding("drill", [Text("ainda nenhum", "none yet")], "", "warning")
    wrong = []
    if code:
        wrong = [
            Text(f"{_at(at)}: não devolveu o livro", f"{_at(at)}: it did not give the book back")
        ]
    elif now - at > DRILL_OLD:
        wrong = [Text(f"o último é de {_at(at)}", f"the last one is of {_at(at)}")]
    return finding("drill", wrong, _at(at), "wrong" if code else "warning")


def schema(code: int, said: str) -> Finding:
    """The database looks as the book says. `code` is how ``manage.py schema`` ended."""
    first = (said.strip().splitlines() or ["–"])[0][:300]
    return finding(
        "schema", [same(first)] * bool(code), Text("como está no livro", "as the book says")
    )


def settings(code: int, said: str) -> Finding:
    """The program takes its settings. `code` is how ``manage.py check --deploy`` ended."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    last = " ".join(lines[-6:])[:600] or "–"
    return finding("settings", [same(last)] * bool(code), Text("aceites", "taken"))


def files(changed: Sequence[str]) -> Finding:
    """What the installation wrote is what lies there."""
    return finding(
        "files", [same(one) for one in changed], Text("como foram escritos", "as written")
    )


def ways_in(wrong: Sequence[Text]) -> Finding:
    """Inside nothing travels in clear, and nobody listens outside but nginx."""
    return finding("tls", wrong, Text("sim", "yes"))


def conf(wrong: Sequence[Text], place: str) -> Finding:
    """house.conf is whole."""
    return finding("conf", wrong, place)


def _at(moment: datetime | None) -> str:
    return "–" if moment is None else f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
