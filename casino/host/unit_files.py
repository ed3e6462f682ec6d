"""systemd's units, made from the one table of services.

A service has an account of its own, its secrets as credentials (``%d``), no capability, a file
system it can read and not write, and no network but this machine's where it needs no other.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from casino.host import plan
from casino.host.plan import HOSTED, OWNER, OWNER_NEEDS, Hosted
from casino.local.services import SERVICES, Service

TARGET: Final = "livro.target"
MIGRATE: Final = "livro-migrate.service"
SOCKET: Final = "livro-web.socket"
BEHIND: Final = (
    f"postgresql@{plan.CLUSTER[0]}-{plan.CLUSTER[1]}.service",
    "rabbitmq-server.service",
)
HARDENED: Final = """\
UMask=0027
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateMounts=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
"""
_HOME_ONLY: Final = "IPAddressDeny=any\nIPAddressAllow=localhost\n"
PYTHON: Final = str(plan.VENV / "bin" / "python")


def unit_files(settings: Mapping[str, str], there: Iterable[str]) -> dict[str, str]:
    """Every unit by its name. `settings` are those of house.conf as the program reads them
    (`house_conf.derived`), `there` the names of the secrets that exist.
    """
    secrets = frozenset(there)
    made = {f"livro-{one.name}.service": _service(one, settings, secrets) for one in SERVICES}
    owner = {
        "migrate": (
            "as tabelas e as suas guardas / the tables and their guards",
            (
                "manage.py migrate --database=owner --verbosity=0",
                "manage.py check --database=default",
                "manage.py check --deploy --fail-level=WARNING",
            ),
            ("manage.py schema --record", "manage.py look_around"),
        ),
        "drill": (
            "ensaio: a cópia devolve o livro? / drill: does a backup give the book back?",
            ("-m casino.host drill",),
            (),
        ),
    }
    for name, (what, steps, looks) in owner.items():
        made[f"livro-{name}.service"] = _oneshot(what, steps, looks, settings, secrets, name)
    made[TARGET] = _target()
    made[SOCKET] = _socket()
    made["livro-backup.service"] = _backup()
    made["livro-doctor.service"] = _doctor()
    made["livro-backup.timer"] = _timer("todas as noites / every night", "*-*-* 06:30:00", 900)
    made["livro-drill.timer"] = _timer("todas as semanas / every week", "Mon *-*-* 10:00:00", 900)
    made["livro-doctor.timer"] = _timer("de 5 em 5 minutos / every 5 minutes", "*:0/5", 5)
    return made


def timers() -> list[str]:
    """The units that start others by the clock."""
    return ["livro-backup.timer", "livro-drill.timer", "livro-doctor.timer"]


def _service(service: Service, settings: Mapping[str, str], there: frozenset[str]) -> str:
    hosted = HOSTED[service.name]
    account = plan.account_of(service.name)
    needs = " ".join(BEHIND) if plan.BROKER_URL in service.needs else BEHIND[0]
    bound = f" {SOCKET}" if service.name == "web" else ""
    # The command names the socket (fd://3); told of it twice, gunicorn would take it twice.
    socket = "UnsetEnvironment=LISTEN_FDS LISTEN_PID LISTEN_FDNAMES\n" if bound else ""
    command = " ".join(_quoted(word).replace("$", "$$") for word in plan.command_of(service))
    return (
        "[Unit]\n"
        f"Description=Livro da Sala: {service.name}\n"
        f"After=network.target {needs} {MIGRATE}{bound}\n"
        f"Wants={needs}\n"
        f"Requires={MIGRATE}{bound}\n"
        f"PartOf={TARGET}\n"
        "StartLimitIntervalSec=0\n\n"
        "[Service]\n"
        f"User={account}\nGroup={plan.GROUP}\n"
        f"WorkingDirectory={plan.PROGRAM}\n"
        f"ExecStart={command}\n"
        f"KillSignal={service.stop.name}\nKillMode=mixed\n"
        f"TimeoutStopSec={service.patience + (60 if service.heartbeat else 20):.0f}\n"
        "Restart=always\nRestartSec=2\n"
        f"RuntimeDirectory=livro-da-sala/{service.name}\nRuntimeDirectoryMode=0755\n"
        f"{socket}{_environment(hosted, service.needs, settings, there)}"
        f"{_bounds(hosted, hosted.writes, asks=bool(settings.get(hosted.asks)))}\n"
        f"[Install]\nWantedBy={TARGET}\n"
    )


def _oneshot(
    what: str,
    steps: Iterable[str],
    looks: Iterable[str],
    settings: Mapping[str, str],
    there: frozenset[str],
    name: str,
) -> str:
    commands = [f"ExecStart={PYTHON} {step}\n" for step in steps]
    # What these find is a finding for the auditor; records are taken all the same.
    commands += [f"ExecStart=-{PYTHON} {look}\n" for look in looks]
    stays = "RemainAfterExit=yes\n" if name == "migrate" else ""
    return (
        "[Unit]\n"
        f"Description=Livro da Sala: {what}\n"
        f"After=network.target {BEHIND[0]}\nRequires={BEHIND[0]}\n"
        + (f"PartOf={TARGET}\n" if name == "migrate" else "")
        + "\n[Service]\nType=oneshot\n"
        f"{stays}User={plan.account_of('owner')}\nGroup={plan.GROUP}\n"
        f"WorkingDirectory={plan.PROGRAM}\n"
        f"{''.join(commands)}"
        "TimeoutStartSec=2h\n"
        f"{_environment(OWNER, OWNER_NEEDS, settings, there)}"
        f"{_bounds(OWNER, OWNER.writes)}"
    )


def _environment(
    hosted: Hosted, needs: tuple[str, ...], settings: Mapping[str, str], there: frozenset[str]
) -> str:
    values = plan.environment_of(hosted, needs, settings, there)
    credentials = [name for name in plan.secrets_of(hosted, needs) if name in there]
    return "".join(
        f"LoadCredential={name}:{plan.SECRETS / name}\n" for name in sorted(set(credentials))
    ) + "".join(f"Environment={_quoted(f'{name}={value}')}\n" for name, value in values.items())


def _bounds(hosted: Hosted, writes: Iterable[Path], *, asks: bool = False) -> str:
    paths = " ".join(str(path) for path in writes)
    return (
        HARDENED
        + (f"ReadWritePaths={paths}\n" if paths else "")
        + f"MemoryMax={hosted.memory}\nTasksMax=256\n"
        + ("" if hosted.outward or asks else _HOME_ONLY)
    )


def _quoted(text: str) -> str:
    """A word as systemd reads it; `%d`, the credentials' folder, is left to it."""
    safe = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    safe = safe.replace("_FILE=%%d/", "_FILE=%d/")
    return f'"{safe}"' if any(sign in safe for sign in " \"'\\") else safe


def _target() -> str:
    wanted = " ".join(f"livro-{one.name}.service" for one in SERVICES)
    return (
        "[Unit]\nDescription=Livro da Sala: a casa toda / the whole house\n"
        f"Wants={wanted} {SOCKET}\nAfter={MIGRATE}\n\n"
        "[Install]\nWantedBy=multi-user.target\n"
    )


def _socket() -> str:
    return (
        "[Unit]\nDescription=Livro da Sala: a porta / the port\n"
        f"PartOf={TARGET}\n\n"
        f"[Socket]\nListenStream=127.0.0.1:{plan.WEB_PORT}\nBacklog=512\nNoDelay=yes\n\n"
        f"[Install]\nWantedBy={TARGET}\n"
    )


def _backup() -> str:
    """PostgreSQL's own account copies the cluster; its passphrase lies in pgBackRest's file."""
    return (
        "[Unit]\nDescription=Livro da Sala: cópia da noite / the night's backup\n"
        f"After={BEHIND[0]}\nRequires={BEHIND[0]}\n\n"
        "[Service]\nType=oneshot\nUser=postgres\nGroup=postgres\n"
        f"ExecStart=/usr/bin/pgbackrest --stanza={plan.STANZA} --type=full backup\n"
        "TimeoutStartSec=6h\nNice=10\nIOSchedulingClass=idle\n"
        "NoNewPrivileges=yes\nProtectHome=yes\nPrivateDevices=yes\n"
        "ProtectKernelModules=yes\nProtectKernelTunables=yes\nProtectControlGroups=yes\n"
        "RestrictNamespaces=yes\nLockPersonality=yes\nSystemCallArchitectures=native\n"
    )


def _doctor() -> str:
    """As root: it looks at what nobody else may read, and starts a worker again that hangs."""
    return (
        "[Unit]\nDescription=Livro da Sala: o que falta ou está errado / what is missing or"
        " wrong\n\n"
        "[Service]\nType=oneshot\n"
        f"WorkingDirectory={plan.PROGRAM}\n"
        f"ExecStart={PYTHON} -m casino.host doctor --keep --mend\n"
        "SuccessExitStatus=1\nTimeoutStartSec=4min\nNice=5\n"
        "RuntimeDirectory=livro-da-sala/doctor\nRuntimeDirectoryPreserve=yes\n"
        "ProtectSystem=strict\nProtectHome=yes\nPrivateDevices=yes\n"
        f"ReadWritePaths={plan.RUN}\n"
    )


def _timer(what: str, when: str, spread: int) -> str:
    return (
        f"[Unit]\nDescription=Livro da Sala: {what}\n\n"
        f"[Timer]\nOnCalendar={when}\nRandomizedDelaySec={spread}\nPersistent=yes\n\n"
        "[Install]\nWantedBy=timers.target\n"
    )
