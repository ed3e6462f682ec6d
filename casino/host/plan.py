"""Where everything lies on a server of the house, and as whom each service runs.

What runs says ``casino.local.services.SERVICES``, the same table as of ``make run``; `HOSTED` adds
to each service of it what only a server of its own has: an account, bounds, secrets it may read.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from casino.local import services
from casino.local.services import ROLES, SERVICES, VARIABLES, Service

CHECKOUT: Final = Path(__file__).resolve().parent.parent.parent
HOME: Final = Path("/usr/local/lib/livro-da-sala")  # root's: no service may write here
# Links to the version that runs; the one before lies beside it, to go back to.
PROGRAM: Final = HOME / "program"
VENV: Final = HOME / "venv"
STATIC: Final = PROGRAM / "static"
ETC: Final = Path("/etc/livro-da-sala")
CONF: Final = ETC / "house.conf"
SECRETS: Final = ETC / "secrets"
TLS: Final = ETC / "tls"
CA: Final = TLS / "ca.pem"
KEPT: Final = Path("/srv/livro-da-sala")  # what must not be lost, beside the database
SIGNER: Final = KEPT / "signer"
PUBLIC: Final = KEPT / "public"
COSIGNATURES: Final = KEPT / "cosignatures"
WITNESSES: Final = ETC / "witnesses"
DRILL: Final = KEPT / "drill"
RUN: Final = Path("/run/livro-da-sala")
PULSE: Final = RUN / "worker" / "pulse"  # touched where a worker got something done
REPORT: Final = RUN / "doctor" / "report.json"
UNITS: Final = Path("/etc/systemd/system")

GROUP: Final = "livro"  # every account of the house, and nobody else
BOOK_PORT: Final = 5442
QUEUE_PORT: Final = 5671
WEB_PORT: Final = 8000
QUEUE_USER: Final = "livro"
CLUSTER: Final = ("15", "livro")  # version and name, as Debian's pg_lsclusters lists it
CLUSTER_DATA: Final = Path("/var/lib/postgresql").joinpath(*CLUSTER)
CLUSTER_CONF: Final = Path("/etc/postgresql").joinpath(*CLUSTER)
STANZA: Final = "livro"  # what pgBackRest calls the cluster

# Debian's, all of them; no recommended ones. gnupg or a compiler is not among them.
PACKAGES: Final = (
    *("python3", "python3-venv", "python3-pip", "ca-certificates", "tzdata", "openssl"),
    *("postgresql-15", "pgbackrest", "rabbitmq-server", "nginx-light", "chrony", "logrotate"),
)
# What the house runs on beside its own services, by systemd's names.
SERVERS: Final = (f"postgresql@{CLUSTER[0]}-{CLUSTER[1]}", "rabbitmq-server", "nginx", "chrony")

# The secrets made by the installation, by the variable they are read as; and those an operator may
# lay beside them.
MADE: Final = (
    *("SECRET_KEY", "WITNESS_PEPPER", "METRICS_TOKEN"),
    *(f"{role.upper()}_PASSWORD" for role in ROLES if role != "broker"),
    *("QUEUE_PASSWORD", "BACKUP_PASSPHRASE"),
)
# What no new one can stand in for once the house has been used.
KEPT_FOR_EVER: Final = ("WITNESS_PEPPER", "BACKUP_PASSPHRASE")
BROUGHT: Final = (
    *("MAIL_PASSWORD", "MIRROR_TOKENS", "WITNESS_PEPPERS_BEFORE"),
    *("OIDC_CLIENT_SECRET", "SIGNER_TOKEN_PIN"),
)
# Made of QUEUE_PASSWORD: an address with a password in it is a secret.
BROKER_URL: Final = "BROKER_URL"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosted:
    """What a service has on a server of its own.

    `secrets` are read from files that systemd lays into its own credentials' folder; the password
    of each database it needs is added. `settings` are names of ``house.conf``. `writes` are the
    folders it may write to; `memory` is systemd's MemoryMax. One that is not `outward` reaches no
    other machine, unless the house's settings name what it asks there (`asks`).
    """

    secrets: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    environment: Mapping[str, str]
    writes: tuple[Path, ...] = ()
    memory: str
    outward: bool = False
    asks: str = ""


_STAMPS: Final = ("TSA_URL", "TSA_CERTIFICATES", "SEAL_CRLS")
_PROVIDER: Final = (
    *("OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_NUMBER_CLAIM", "OIDC_GROUPS_CLAIM"),
    *("OIDC_SECOND_FACTOR", "PASSWORD_LOGIN"),
)
_HOUSE: Final = ("ALLOWED_HOSTS", "WITNESS_DOMAIN", "HOUSE_URL", "DIRECTORY_OFFICES", "RULEBOOKS")
_SAID: Final = {"LOG_FORMAT": "json", "HTTPS": "1", "PYTHONUNBUFFERED": "1"}
_BROKER: Final = {"BROKER_CA": str(CA)}

HOSTED: Final[Mapping[str, Hosted]] = {
    "web": Hosted(
        secrets=(
            "SECRET_KEY",
            "WITNESS_PEPPER",
            "WITNESS_PEPPERS_BEFORE",
            "METRICS_TOKEN",
            "MIRROR_TOKENS",
            "OIDC_CLIENT_SECRET",
        ),
        settings=(
            *_HOUSE,
            *_STAMPS,
            *_PROVIDER,
            "WEBHOOK_HOSTS",
            "MIRROR_OPEN",
            "SYSLOG",
            "HOUSE_TRAINING",
        ),
        environment={
            **_SAID,
            "STATIC_ROOT": str(STATIC),
            "BOOK_PUBLIC": str(PUBLIC),
            "HOST_REPORT": str(REPORT),
            "TRUSTED_PROXIES": "127.0.0.1,::1",
            "FORWARDED_ALLOW_IPS": "127.0.0.1,::1",
            "GUNICORN_CMD_ARGS": (
                "--worker-tmp-dir=/dev/shm --logger-class=casino.web_worker.HouseLogger"
            ),
        },
        memory="2G",
        asks="OIDC_ISSUER",
    ),
    "worker": Hosted(
        secrets=("SECRET_KEY", "WITNESS_PEPPER", "WITNESS_PEPPERS_BEFORE", "MAIL_PASSWORD"),
        settings=(
            *_HOUSE,
            *_STAMPS,
            "WEBHOOK_HOSTS",
            "CASINO_NAME",
            "CONCESSION_HOLDER",
            "CASINO_PLACE",
            "INSPECTION_SERVICE",
            "MAIL_HOST",
            "MAIL_PORT",
            "MAIL_USER",
            "MAIL_TLS",
            "MAIL_FROM",
        ),
        environment={
            **_SAID,
            **_BROKER,
            "BOOK_PUBLIC": str(PUBLIC),
            "COSIGNATURES": str(COSIGNATURES),
            "WITNESSES": str(WITNESSES),
            "HEARTBEAT_FILE": str(PULSE),
        },
        writes=(COSIGNATURES,),
        memory="4G",
        outward=True,
    ),
    "beat": Hosted(
        environment={**_SAID, **_BROKER, "BEAT_FILE": str(RUN / "beat" / "schedule")},
        memory="512M",
    ),
    "outbox": Hosted(environment={**_SAID, **_BROKER}, memory="512M"),
    "sequencer": Hosted(environment=_SAID, memory="512M"),
    "signer": Hosted(
        secrets=("SIGNER_TOKEN_PIN",),
        settings=("LOG_ORIGIN", "SIGNER_TOKEN"),
        environment={
            "LOG_FORMAT": "json",
            "PYTHONUNBUFFERED": "1",
            "SIGNER_HOME": str(SIGNER),
            "BOOK_PUBLIC": str(PUBLIC),
            "COSIGNATURES": str(COSIGNATURES),
            "WITNESSES": str(WITNESSES),
        },
        writes=(SIGNER, PUBLIC, COSIGNATURES),
        memory="512M",
    ),
}
# Who brings the tables up to date, and tries whether a backup gives the book back: at no other time
# does anything run with the owner's password.
OWNER_NEEDS: Final = ("OWNER_DATABASE_URL", "DATABASE_URL", "READER_DATABASE_URL")
OWNER: Final = Hosted(
    secrets=("SECRET_KEY", "WITNESS_PEPPER"),
    settings=(*_HOUSE, "LOG_ORIGIN", "CASINO_NAME", "CONCESSION_HOLDER", "CASINO_PLACE"),
    environment={**_SAID, "STATIC_ROOT": str(STATIC), "BOOK_PUBLIC": str(PUBLIC)},
    writes=(DRILL,),
    memory="2G",
)


def account_of(service: str) -> str:
    """The account a service runs as."""
    return f"livro-{service}"


ACCOUNTS: Final = (*(account_of(one.name) for one in SERVICES), account_of("owner"))


def address(role: str) -> str:
    """How a role reaches the book; its password lies in a file beside."""
    where = f"postgres://{role}@localhost:{BOOK_PORT}/casino"
    return f"{where}?sslmode=verify-full&sslrootcert={CA}"


def broker_url(password: str) -> str:
    """How the queue is reached."""
    return f"amqps://{QUEUE_USER}:{password}@localhost:{QUEUE_PORT}//"


def secrets_of(hosted: Hosted, needs: tuple[str, ...]) -> tuple[str, ...]:
    """The variables a service reads from files, the passwords of its addresses among them."""
    of_roles = [f"{role.upper()}_PASSWORD" for role, name in VARIABLES.items() if name in needs]
    queue = [BROKER_URL] if BROKER_URL in needs else []
    return (*hosted.secrets, *of_roles, *queue)


def environment_of(
    hosted: Hosted, needs: tuple[str, ...], settings: Mapping[str, str], there: frozenset[str]
) -> dict[str, str]:
    """A service's environment. `settings` are those of house.conf, `there` the secrets that exist;
    `%d` is the folder of the service's credentials.
    """
    roles = {name: role for role, name in VARIABLES.items()}
    addresses = {name: address(roles[name]) for name in needs if name in roles}
    given = {name: settings[name] for name in hosted.settings if settings.get(name)}
    files = {f"{name}_FILE": f"%d/{name}" for name in secrets_of(hosted, needs) if name in there}
    return {**hosted.environment, **addresses, **given, **files}


def environment_in_clear(
    hosted: Hosted, needs: tuple[str, ...], settings: Mapping[str, str]
) -> dict[str, str]:
    """The same for a command root starts by hand: the secrets themselves, for there is no folder of
    credentials. Nobody but root and the account reads a process's environment.
    """
    plain = environment_of(hosted, needs, settings, frozenset())
    files = {name: SECRETS / name for name in secrets_of(hosted, needs)}
    return {
        **plain,
        **{n: file.read_text("utf-8").strip() for n, file in files.items() if file.exists()},
    }


def command_of(service: Service) -> list[str]:
    """What a service runs here; its socket is the one systemd listens on (number 3)."""
    own = str(RUN / service.name)
    return services.command_line(service, own=own, socket=3, python=str(VENV / "bin" / "python"))


def is_fit(python: tuple[int, int] = sys.version_info[:2]) -> bool:
    """Whether this Python can run the house."""
    return python >= (3, 11)
