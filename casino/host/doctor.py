"""``make doctor``: everything a house in earnest needs, looked at as root; what is wrong is named.

Asked are the machine, its servers and the house's own answers; how each is judged stands in
`machine_judging`. The report is kept for the administrator's page (``--keep``).
"""

import os
import shutil
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from casino.host import (
    certificates,
    house_conf,
    installing,
    machine_judging,
    plan,
    server_files,
    server_steps,
    unit_files,
)
from casino.host.drill import RESULT
from casino.host.host_trouble import Trouble
from casino.host.plan import SECRETS, TLS
from casino.host.steps import ask, systemctl
from casino.local.services import VARIABLES
from casino.machine.host_findings import Finding, Report, Text, keep, lines

ZONES: Final = ("Europe/Lisbon", "Atlantic/Madeira", "Atlantic/Azores", "UTC")
PULSE: Final = 150  # seconds: what a worker may take, as in `manage.py healthy`
SCHEDULED: Final = 400
_SHOWN: Final = (
    "server_version_num",
    "fsync",
    "full_page_writes",
    "synchronous_commit",
    "data_checksums",
    "ssl",
    "archive_mode",
    "password_encryption",
    "TimeZone",
)
_SERVER: Final = (
    "SELECT name, setting FROM pg_settings WHERE name IN ({names}) UNION ALL "
    "SELECT 'encoding', pg_encoding_to_char(encoding) FROM pg_database WHERE datname = 'casino' "
    "UNION ALL SELECT 'collate', datcollate FROM pg_database WHERE datname = 'casino';"
)
_ARCHIVE: Final = """
WITH ready AS (SELECT modification FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready')
SELECT (SELECT count(*) FROM ready), (SELECT extract(epoch FROM min(modification)) FROM ready),
    coalesce(last_failed_time > last_archived_time, last_failed_time IS NOT NULL),
    extract(epoch FROM last_archived_time)
FROM pg_stat_archiver;
"""


def visit(announce: Callable[[str], None], *, keep_it: bool, mend: bool) -> int:
    """Look at all of it and say so; 1 where something is wrong. Raises: Trouble."""
    if os.geteuid() != 0:
        raise Trouble(
            "o exame corre como root: sudo make doctor", "the doctor runs as root: sudo make doctor"
        )
    report = Report(datetime.now(UTC), tuple(looked()))
    for line in lines(report.findings):
        announce(line)
    counts = {
        state: sum(one.state == state for one in report.findings)
        for state in ("ok", "warning", "wrong")
    }
    announce(
        f"\n{counts['ok']} bem / well, {counts['warning']} avisos / warnings, {counts['wrong']}"
        " errados / wrong"
    )
    if keep_it:
        plan.REPORT.parent.mkdir(parents=True, exist_ok=True)
        keep(report, plan.REPORT)
    if mend and any(
        one.check == "pulse-worker" and one.state == "wrong" for one in report.findings
    ):
        systemctl("restart", "livro-worker.service")
    return 1 if report.state == "wrong" else 0


def looked() -> Iterator[Finding]:
    """Every finding, in the order a page shows them; what rests on something broken is left out."""
    now = datetime.now(UTC)
    try:
        text = plan.CONF.read_text("utf-8")
        settings = house_conf.derived(house_conf.read(text, str(plan.CONF)))
    except (OSError, Trouble) as trouble:
        yield _conf(trouble)
        return
    yield _conf(None)
    yield _secrets()
    yield machine_judging.services(_units())
    yield from machine_judging.ready(installing.ready(settings["HOUSE"]))
    for name, file, most in (("worker", "pulse", PULSE), ("beat", "schedule", SCHEDULED)):
        yield machine_judging.pulse(name, _age(plan.RUN / name / file), most)
    yield from _book(now)
    yield machine_judging.ways_in(list(_ways_in()))
    yield from _disks(settings)
    yield _clock()
    yield machine_judging.backup(
        ask(
            "pgbackrest",
            f"--stanza={plan.STANZA}",
            "--output=json",
            "info",
            account="postgres",
            seconds=60,
        ).stdout,
        now,
    )
    yield machine_judging.off_host(settings["BACKUP_TO"], _same_disk(settings["BACKUP_TO"]))
    yield machine_judging.drill(_read(plan.DRILL / RESULT), now)
    yield from _certificates(settings, now)
    yield machine_judging.zones(list(_zones()))
    yield from _program(settings)
    yield machine_judging.files(list(_changed(settings)))


def _conf(trouble: OSError | Trouble | None) -> Finding:
    said = [trouble.said] if isinstance(trouble, Trouble) else []
    if isinstance(trouble, OSError):
        said = [machine_judging.same(str(trouble.strerror))]
    return machine_judging.conf(said, str(plan.CONF))


def _secrets() -> Finding:
    files = {}
    if SECRETS.is_dir():
        for file in SECRETS.iterdir():
            status = file.lstat()
            files[file.name] = (
                status.st_mode & 0o7777,
                status.st_uid,
                file.read_text("utf-8").strip(),
            )
    mode = SECRETS.stat().st_mode & 0o7777 if SECRETS.is_dir() else None
    return machine_judging.secrets(mode, files, plan.MADE)


def _units() -> dict[str, str]:
    names = [
        *plan.SERVERS,
        unit_files.MIGRATE,
        *(f"livro-{name}.service" for name in plan.HOSTED),
        *unit_files.timers(),
    ]
    said = ask("systemctl", "is-active", *names, seconds=30).stdout.split()
    return dict(zip(names, [*said, *["unknown"] * len(names)], strict=False))


def _age(file: Path) -> float | None:
    written = [each.stat().st_mtime for each in file.parent.glob(f"{file.name}*")]
    return time.time() - max(written) if written else None


def _book(now: datetime) -> Iterator[Finding]:
    try:
        names = ", ".join(f"'{name}'" for name in _SHOWN)
        rows = server_steps.as_superuser(_SERVER.format(names=names), {}).splitlines()
        values = dict(row.split("|", 1) for row in rows if "|" in row)
        ready, oldest, failed, last = server_steps.as_superuser(_ARCHIVE, {}).strip().split("|")
    except Trouble as trouble:
        yield machine_judging.finding("server", [trouble.said], "")
        return
    yield from machine_judging.server(values)
    yield machine_judging.archive(int(ready), _moment(oldest), failed == "t", _moment(last), now)


def _moment(seconds: str) -> datetime | None:
    return datetime.fromtimestamp(float(seconds), UTC) if seconds else None


def _ways_in() -> Iterator[Text]:
    """What travels in clear, or is reached from outside."""
    for role in VARIABLES:
        if not server_steps.comes_in(role):
            yield Text(
                f"{role} não entra por TLS na base de dados",
                f"{role} does not come into the database by TLS",
            )
    clear = f"host=localhost port={plan.BOOK_PORT} dbname=casino user=app sslmode=disable"
    password = {"PGPASSWORD": _read(SECRETS / "APP_PASSWORD") or "", "PGCONNECT_TIMEOUT": "5"}
    if not ask("psql", "--no-psqlrc", "--command=SELECT 1", clear, environment=password).returncode:
        yield Text("a base de dados deixa entrar sem TLS", "the database lets in without TLS")
    context = ssl.create_default_context(cafile=str(plan.CA)) if plan.CA.exists() else None
    try:
        with socket.create_connection(("localhost", plan.QUEUE_PORT), 5) as plain:
            if context is not None:
                context.wrap_socket(plain, server_hostname="localhost").close()
    except OSError as error:
        yield Text(f"RabbitMQ por TLS: {error}", f"RabbitMQ by TLS: {error}")
    for port in (plan.BOOK_PORT, plan.QUEUE_PORT, plan.WEB_PORT, 5672, 15672, 25672, 4369):
        said = ask(
            "ss", "--no-header", "--listening", "--tcp", "--numeric", f"sport = :{port}"
        ).stdout
        for line in said.splitlines():
            where = line.split()[3]
            if not where.startswith(("127.", "[::1]")) or port in (5672, 15672):
                yield Text(
                    f"{where} escuta fora de TLS ou desta máquina",
                    f"{where} listens without TLS or beyond this machine",
                )


def _disks(settings: Mapping[str, str]) -> Iterator[Finding]:
    """One finding a disk, named after the first place that lies on it."""
    seen = set()
    for place in (plan.CLUSTER_DATA, plan.KEPT, Path("/var/log"), Path(settings["BACKUP_TO"])):
        if place.exists() and (device := place.stat().st_dev) not in seen:
            seen.add(device)
            usage = shutil.disk_usage(place)
            yield machine_judging.disk(str(place), usage.free, usage.total)


def _same_disk(place: str) -> bool:
    path = Path(place)
    return not path.exists() or path.stat().st_dev in {
        plan.CLUSTER_DATA.stat().st_dev,
        Path("/").stat().st_dev,
    }


def _clock() -> Finding:
    asked = ask("chronyc", "-n", "-c", "tracking", seconds=10)
    return machine_judging.clock(asked.stdout if not asked.returncode else None)


def _certificates(settings: Mapping[str, str], now: datetime) -> Iterator[Finding]:
    outside = Path(settings.get("CERTIFICATE") or TLS / "outside.pem")
    key = Path(settings.get("CERTIFICATE_KEY") or TLS / "outside.key")
    yield machine_judging.certificate(
        "nginx",
        certificates.ends(outside),
        now,
        fits=certificates.fits(outside, key),
        names_host=certificates.names_host(outside, settings["HOUSE"]),
        own=certificates.is_own(outside),
    )
    for name in ("book", "queue"):
        pem = TLS / f"{name}.pem"
        yield machine_judging.certificate(
            name, certificates.ends(pem), now, fits=certificates.fits(pem, TLS / f"{name}.key")
        )


def _zones() -> Iterator[str]:
    for name in ZONES:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, OSError):
            yield name


def _program(settings: Mapping[str, str]) -> Iterator[Finding]:
    """What only the program itself can say: with its own environment, as the account that may."""
    values = plan.environment_in_clear(plan.OWNER, plan.OWNER_NEEDS, settings)

    def manage(*words: str) -> tuple[int, str]:
        asked = ask(
            *(str(plan.VENV / "bin" / "python"), "manage.py", *words),
            environment=values,
            account=plan.account_of("owner"),
            cwd=plan.PROGRAM,
            seconds=110,
        )
        return asked.returncode, asked.stderr or asked.stdout

    checked = manage("check", "--deploy", "--fail-level=WARNING", "--database=default")
    yield machine_judging.settings(*checked)
    if not checked[0]:
        yield machine_judging.schema(*manage("schema"))


def _changed(settings: Mapping[str, str]) -> Iterator[str]:
    """Files that are not as the installation writes them."""
    there = {file.name for file in SECRETS.iterdir()}
    wanted = {
        server_files.BOOK_CONF: server_files.book_conf(),
        server_files.BOOK_HBA: server_files.book_hba(),
        server_files.QUEUE_CONF: server_files.queue_conf(),
        server_files.QUEUE_ENV: server_files.queue_env(),
        server_files.EPMD: server_files.epmd(),
        server_files.PROXY: server_files.proxy(settings),
        server_files.JOURNAL: server_files.journal(),
        server_files.BACKUP: server_files.backup(
            settings, _read(SECRETS / "BACKUP_PASSPHRASE") or ""
        ),
        **{
            plan.UNITS / name: text for name, text in unit_files.unit_files(settings, there).items()
        },
    }
    for path, text in wanted.items():
        if _read(path) != text.strip():
            yield str(path)
    mark = _read(plan.PROGRAM / ".whole")
    if mark != installing.fingerprint(plan.PROGRAM.resolve()):
        yield str(plan.PROGRAM)


def _read(file: Path) -> str | None:
    try:
        return file.read_text("utf-8").strip()
    except OSError:
        return None
