"""What is well and what is wrong of a machine, judged from facts: nothing is asked here.

Each function is given what was seen and answers with a finding that says what was found, what is
expected and what to do. ``doctor`` sees; the tests make each thing wrong.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from casino.host_findings import Finding, State, Text

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
AGAIN: Final = Text("corra make install outra vez.", "run make install again.")


def finding(
    check: str,
    what: Text,
    wrong: Sequence[Text],
    found: Text,
    expected: Text,
    remedy: Text,
    state: State = "wrong",
) -> Finding:
    """A finding: well where nothing is `wrong`, else with that in the stead of `found`."""
    if not wrong:
        return Finding(check=check, what=what, state="ok", found=found)
    said = Text("; ".join(one.pt for one in wrong), "; ".join(one.en for one in wrong))
    return Finding(check=check, what=what, state=state, found=said, expected=expected, remedy=remedy)


def secrets(
    folder_mode: int | None,
    files: Mapping[str, tuple[int, int, str]],
    made: Iterable[str],
) -> Finding:
    """Every secret is there, root's alone, and nobody could guess it. `files` are, by name, mode,
    owner and what is in it; no finding repeats that.
    """
    wrong = []
    if folder_mode != 0o700:
        found = "–" if folder_mode is None else f"{folder_mode:o}"
        wrong.append(Text(f"a pasta tem o modo {found}", f"the folder has mode {found}"))
    for name in sorted(set(made) - set(files)):
        wrong.append(Text(f"falta {name}", f"{name} is missing"))
    for name, (mode, owner, held) in sorted(files.items()):
        if mode != 0o600 or owner != 0:
            wrong.append(Text(f"{name}: modo {mode:o}, conta {owner}", f"{name}: mode {mode:o}, account {owner}"))
        if name in made and (held.lower() in KNOWN or len(held) < SHORTEST):
            wrong.append(Text(f"{name} é conhecido ou curto", f"{name} is known or short"))
        elif not held:
            wrong.append(Text(f"{name} está vazio", f"{name} is empty"))
    return finding(
        "secrets", Text("Segredos", "Secrets"), wrong,
        Text(f"{len(files)}, só de root", f"{len(files)}, root's alone"),
        Text(f"0600, de root, {SHORTEST} sinais ou mais, numa pasta 0700",
             f"0600, root's, {SHORTEST} characters or more, in a folder 0700"),
        Text("make install repõe modos e faz os que faltam; um segredo conhecido muda-se (e o papel da base de dados com ele).",
             "make install sets modes and makes what is missing; a known secret is changed (and the database's role with it)."),
    )  # fmt: skip


def server(values: Mapping[str, str]) -> list[Finding]:
    """PostgreSQL: its age, what it must not lose, its words and its clock. `values` are what SHOW
    says, and `collate` and `encoding` of the book's database.
    """
    number = int(values.get("server_version_num") or 0) // 10_000
    old = [Text(f"PostgreSQL {number}", f"PostgreSQL {number}")] if number < OLDEST_SERVER else []
    must = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on",
            "data_checksums": "on", "ssl": "on", "archive_mode": "on",
            "password_encryption": "scram-sha-256"}  # fmt: skip
    unsafe = [
        Text(f"{name} = {values.get(name)}", f"{name} = {values.get(name)}")
        for name, value in must.items()
        if values.get(name) != value
    ]
    found = f"{values.get('encoding')}, {values.get('collate')}"
    right = values.get("encoding") == "UTF8" and "UTF-8" in (values.get("collate") or "").upper().replace("UTF8", "UTF-8")
    zone = values.get("TimeZone", "")
    return [
        finding("server-version", Text("Versão do PostgreSQL", "PostgreSQL's version"), old,
                Text(f"PostgreSQL {number}", f"PostgreSQL {number}"),
                Text(f"{OLDEST_SERVER} ou mais novo", f"{OLDEST_SERVER} or newer"),
                Text("mude de servidor com pg_upgrade, ou restaure uma cópia num novo.",
                     "move to a newer server with pg_upgrade, or restore a backup on one.")),
        finding("server-safe", Text("O que o PostgreSQL não pode perder", "What PostgreSQL must not lose"), unsafe,
                Text("tudo ligado", "all on"), Text(", ".join(f"{k} = {v}" for k, v in must.items()),
                                                    ", ".join(f"{k} = {v}" for k, v in must.items())), AGAIN),
        finding("locale", Text("Língua e sinais da base de dados", "The database's locale and encoding"),
                [] if right else [Text(found, found)], Text(found, found),
                Text("UTF8 e uma língua em UTF-8 (C.UTF-8)", "UTF8 and a locale in UTF-8 (C.UTF-8)"),
                Text("a língua não muda numa base feita: restaure uma cópia numa base feita de novo.",
                     "the locale of a made database does not change: restore a backup into one made anew.")),
        finding("zone", Text("Fuso horário do servidor", "The server's time zone"),
                [] if zone in ("UTC", "Etc/UTC") else [Text(zone, zone)], Text(zone, zone), Text("UTC", "UTC"), AGAIN),
    ]  # fmt: skip


def zones(missing: Sequence[str]) -> Finding:
    """The zones the gaming day is counted by are known on this machine."""
    return finding(
        "tzdata", Text("Fusos horários", "Time zones"), [Text(one, one) for one in missing],
        Text("conhecidos", "known"), Text("o pacote tzdata inteiro", "the whole package tzdata"),
        Text("apt-get install tzdata", "apt-get install tzdata"),
    )  # fmt: skip


def disk(place: str, free: int, total: int) -> Finding:
    """There is room for some evenings; figures in bytes."""
    share = free / total if total else 0.0
    said = f"{place}: {free / 1024**3:.1f} GB ({share:.0%})"
    found = Text(f"{said} livres", f"{said} free")
    out = share < DISK_OUT or free < DISK_LEAST
    low = out or share < DISK_LOW
    return finding(
        "disk", Text("Disco", "Disk"), [found] if low else [], found,
        Text(f"pelo menos {DISK_LOW:.0%} e 2 GB", f"at least {DISK_LOW:.0%} and 2 GB"),
        Text("faça espaço ou aumente o disco; o livro recusa registos quando não cabem.",
             "make room or enlarge the disk; the book refuses records that do not fit."),
        "wrong" if out else "warning",
    )  # fmt: skip


def clock(tracking: str | None) -> Finding:
    """The clock is corrected. `tracking` is what ``chronyc -c tracking`` says; None: it says nothing."""
    fields = (tracking or "").strip().split(",")
    wrong = []
    offset = 0.0
    if len(fields) < 14:
        wrong = [Text("o chrony não responde", "chrony does not answer")]
    else:
        offset = abs(float(fields[4]))
        if fields[13] == "Not synchronised":
            wrong.append(Text("o relógio não está acertado por nenhum outro", "the clock follows no other"))
        elif offset > CLOCK_OFF:
            wrong.append(Text(f"{offset:.3f} s de diferença", f"{offset:.3f} s off"))
    said = f"{offset * 1000:.1f} ms"
    return finding(
        "clock", Text("Relógio", "Clock"), wrong, Text(said, said),
        Text("acertado (chrony), a menos de 0,5 s", "synchronised (chrony), within 0.5 s"),
        Text("veja chronyc sources; indique servidores de hora da casa em /etc/chrony/sources.d; systemctl start chrony.",
             "see chronyc sources; name the house's time servers in /etc/chrony/sources.d; systemctl start chrony."),
    )  # fmt: skip


def archive(waiting: int, oldest: datetime | None, failed: bool, last: datetime | None, now: datetime) -> Finding:
    """WAL leaves as it fills. `waiting` segments are not archived, the `oldest` since then; `failed`:
    the last try was in vain; `last` is when one was.
    """
    late = oldest is not None and now - oldest > ARCHIVE_LATE
    wrong = []
    if failed or late:
        wrong.append(Text(f"{waiting} por arquivar{', a última tentativa falhou' if failed else ''}",
                          f"{waiting} not archived{', the last try failed' if failed else ''}"))  # fmt: skip
    if last is None:
        wrong.append(Text("nada foi arquivado ainda", "nothing was archived yet"))
    at = _at(last)
    return finding(
        "archive", Text("Arquivo do WAL", "WAL archive"), wrong,
        Text(f"o último: {at}", f"the last one: {at}"),
        Text("cada segmento dentro de dez minutos", "every segment within ten minutes"),
        Text("veja journalctl -u postgresql@15-livro e se BACKUP_TO aceita escrita; pgbackrest --stanza=livro check.",
             "see journalctl -u postgresql@15-livro and whether BACKUP_TO can be written; pgbackrest --stanza=livro check."),
    )  # fmt: skip


def backup(info: str, now: datetime) -> Finding:
    """The last night's backup is there. `info` is what ``pgbackrest info --output=json`` says."""
    last = None
    try:
        [stanza] = json.loads(info)
        last = max((datetime.fromtimestamp(one["timestamp"]["stop"], UTC) for one in stanza["backup"]), default=None)
    except (ValueError, KeyError, TypeError):
        wrong = [Text("o pgBackRest não responde", "pgBackRest does not answer")]
    else:
        wrong = []
        if last is None:
            wrong = [Text("nenhuma cópia", "no backup")]
        elif now - last > BACKUP_OLD:
            wrong = [Text(f"a última é de {_at(last)}", f"the last one is of {_at(last)}")]
    return finding(
        "backup", Text("Cópia da noite", "The night's backup"), wrong, Text(_at(last), _at(last)),
        Text("de há menos de 26 horas", "less than 26 hours old"),
        Text("systemctl start livro-backup; journalctl -u livro-backup diz porque falhou.",
             "systemctl start livro-backup; journalctl -u livro-backup says why it failed."),
    )  # fmt: skip


def off_host(place: str, same_disk: bool) -> Finding:
    """Backups lie on no disk of the book's machine."""
    return finding(
        "off-host", Text("Cópias fora da máquina", "Backups off the machine"),
        [Text(f"{place} está no disco desta máquina", f"{place} is on this machine's own disk")] if same_disk else [],
        Text(place, place), Text("uma pasta de outra máquina, montada", "a mounted folder of another machine"),
        Text("monte uma e indique-a em BACKUP_TO (/etc/livro-da-sala/house.conf); make install. Guarde lá longe também /etc/livro-da-sala/secrets.",
             "mount one and name it in BACKUP_TO (/etc/livro-da-sala/house.conf); make install. Keep a copy of /etc/livro-da-sala/secrets elsewhere too."),
    )  # fmt: skip


def certificate(
    name: str,
    ends: datetime | None,
    now: datetime,
    *,
    fits: bool = True,
    names_host: bool = True,
    own: bool = False,
) -> Finding:
    """A certificate holds for some time yet, is its key's and its host's, and browsers know who made
    it (`own`: this machine itself did, and no browser does).
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
    grave = bool(wrong) and (ends is None or ends - now < ENDS_NOW or not fits or not names_host)
    if own:
        wrong.append(Text("feito por esta máquina: os navegadores avisam", "made by this machine: browsers warn of it"))
    said = f"{ends:%Y-%m-%d}" if ends else "–"
    return finding(
        f"certificate-{name}", Text(f"Certificado ({name})", f"Certificate ({name})"), wrong,
        Text(f"até {said}", f"until {said}"), Text("com mais de 30 dias, de uma autoridade que os navegadores conhecem", "more than 30 days left, of an authority browsers know"),
        Text("os de dentro: make install faz outros. O de fora: renove-o e indique-o em CERTIFICATE e CERTIFICATE_KEY.",
             "those inside: make install makes others. The one outside: renew it and name it in CERTIFICATE and CERTIFICATE_KEY."),
        "wrong" if grave else "warning",
    )  # fmt: skip


def services(states: Mapping[str, str]) -> Finding:
    """Every unit runs. `states` are systemd's words by unit."""
    wrong = [Text(f"{name}: {state}", f"{name}: {state}") for name, state in states.items() if state != "active"]
    return finding(
        "services", Text("Serviços", "Services"), wrong, Text(f"{len(states)} a correr", f"{len(states)} run"),
        Text("todos a correr (active)", "all of them active"),
        Text("journalctl -u NOME diz porque parou; depois systemctl restart NOME.",
             "journalctl -u NAME says why it stopped; then systemctl restart NAME."),
    )  # fmt: skip


def ready(answer: str | None) -> list[Finding]:
    """What the house says of itself. `answer` is /readyz's JSON; None: no answer."""
    names = {
        "database": Text("A base de dados responde", "The database answers"),
        "migrations": Text("Migrações aplicadas", "Migrations applied"),
        "broker": Text("Trabalhos são enviados", "Jobs are sent"),
        "sequencer": Text("Cada registo tem lugar na árvore", "Every entry has its place in the tree"),
        "signer": Text("A árvore é assinada", "The tree is signed"),
    }
    try:
        checks = json.loads(answer or "")["checks"]
    except (ValueError, KeyError, TypeError):
        checks = dict.fromkeys(names, "web: no answer")
    return [
        finding(f"ready-{name}", what, [] if checks.get(name) == "ok" else [Text(str(checks.get(name)), str(checks.get(name)))],
                Text("sim", "yes"), Text("sim", "yes"),
                Text(f"livro doctor e journalctl -u 'livro-*' dizem mais; docs/operations.md, {name}.",
                     f"livro doctor and journalctl -u 'livro-*' say more; docs/operations.md, {name}."))
        for name, what in names.items()
    ]  # fmt: skip


def pulse(name: str, age: float | None, most: float) -> Finding:
    """A service gets work done: its file was touched so many seconds ago."""
    said = "–" if age is None else f"{age:.0f} s"
    late = age is None or age > most
    return finding(
        f"pulse-{name}", Text(f"{name} trabalha", f"{name} works"), [Text(f"há {said}", f"{said} ago")] if late else [],
        Text(f"há {said}", f"{said} ago"), Text(f"há menos de {most:.0f} s", f"less than {most:.0f} s ago"),
        Text(f"systemctl restart livro-{name}", f"systemctl restart livro-{name}"),
    )  # fmt: skip


def drill(result: str | None, now: datetime) -> Finding:
    """A backup gave the book back, and not long ago. `result` is what the drill left; None: nothing."""
    try:
        value = json.loads(result or "")
        at, code = datetime.fromisoformat(value["at"]), int(value["exit"])
    except (ValueError, KeyError, TypeError):
        at, code = None, 0
    wrong = []
    if at is None:
        wrong.append(Text("ainda nenhum", "none yet"))
    elif code:
        wrong.append(Text(f"o de {_at(at)} não devolveu o livro ({code})", f"that of {_at(at)} did not give the book back ({code})"))
    elif now - at > DRILL_OLD:
        wrong.append(Text(f"o último é de {_at(at)}", f"the last one is of {_at(at)}"))
    return finding(
        "drill", Text("Ensaio de reposição", "Restore drill"), wrong, Text(_at(at), _at(at)),
        Text("um por semana que acaba bem", "one a week that ends well"),
        Text("systemctl start livro-drill; o que disse está em /srv/livro-da-sala/drill/last.json.",
             "systemctl start livro-drill; what it said lies in /srv/livro-da-sala/drill/last.json."),
        "wrong" if code else "warning",
    )  # fmt: skip


def schema(code: int, said: str) -> Finding:
    """The database looks as the book says. `code` is how ``manage.py schema`` ended."""
    last = (said.strip().splitlines() or ["–"])[0][:300]
    return finding(
        "schema", Text("Esquema da base de dados", "The database's schema"), [Text(last, last)] if code else [],
        Text("como está no livro", "as the book says"), Text("como foi registado", "as it was recorded"),
        Text("livro manage schema diz as linhas; docs/operations.md, 'The schema'.",
             "livro manage schema names the lines; docs/operations.md, 'The schema'."),
    )  # fmt: skip


def settings(code: int, said: str) -> Finding:
    """The program takes its settings. `code` is how ``manage.py check --deploy`` ended."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    last = " ".join(lines[-6:])[:600] or "–"
    return finding(
        "settings", Text("Definições do programa", "The program's settings"), [Text(last, last)] if code else [],
        Text("aceites", "taken"), Text("manage.py check --deploy sem erros", "manage.py check --deploy without errors"), AGAIN,
    )  # fmt: skip


def files(changed: Sequence[str]) -> Finding:
    """What the installation wrote is what lies there."""
    return finding(
        "files", Text("Ficheiros da instalação", "The installation's files"), [Text(one, one) for one in changed],
        Text("como foram escritos", "as they were written"), Text("nenhum mudado à mão", "none changed by hand"), AGAIN,
    )  # fmt: skip


def ways_in(wrong: Sequence[Text]) -> Finding:
    """Inside nothing travels in clear, and nobody listens outside but nginx."""
    return finding(
        "tls", Text("TLS por dentro", "TLS inside"), wrong, Text("sim", "yes"),
        Text("PostgreSQL e RabbitMQ só por TLS, só nesta máquina", "PostgreSQL and RabbitMQ by TLS alone, on this machine alone"), AGAIN,
    )  # fmt: skip


def _at(moment: datetime | None) -> str:
    return "–" if moment is None else f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
