"""The steps that set up the servers: TLS, PostgreSQL, RabbitMQ, pgBackRest, nginx, the signer.

A server is started anew where what it was last started with is not what lies there now.
"""

import json
import secrets
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

from casino.host import certificates, plan, server_files
from casino.host.plan import CHECKOUT, ETC, SECRETS, TLS
from casino.host.steps import Steps, ask, gone, is_active, link, put, run, systemctl
from casino.local.services import ROLES, VARIABLES

APPLIED: Final = ETC / "applied"


def applied(name: str, *texts: str | bytes) -> str:
    """The mark under which a server was last started with exactly this; '' where it was: an
    installation that was interrupted between writing and starting starts it the next time.
    """
    digest = sha256(b"\0".join(each.encode() if isinstance(each, str) else each for each in texts))
    file = APPLIED / name
    there = file.exists() and file.read_text("ascii") == digest.hexdigest()
    return "" if there else digest.hexdigest()


def mark_applied(name: str, mark: str) -> None:
    """From now on it runs with this."""
    if mark:
        put(APPLIED / name, mark, 0o600)


def secret(name: str) -> str:
    """One of them."""
    return (SECRETS / name).read_text("utf-8").strip()


def keys(steps: Steps, settings: Mapping[str, str]) -> None:
    """TLS inside; outside too, until a certificate of an authority is named."""
    changed = [
        certificates.authority(),
        certificates.certificate("book", "localhost", certificates.LOOPBACK, "postgres"),
        certificates.certificate("queue", "localhost", certificates.LOOPBACK, "rabbitmq"),
    ]
    if not settings.get("CERTIFICATE"):
        house = settings["HOUSE"]
        changed.append(certificates.certificate("outside", house, f"DNS:{house}", "root"))
    steps.done("keys", "certificados TLS", "TLS certificates", changed=any(changed))


def book(steps: Steps) -> None:
    """PostgreSQL: a cluster of the house's own, its settings, its roles. Raises: Trouble."""
    unit = plan.SERVERS[0]
    made = not (plan.CLUSTER_DATA / "PG_VERSION").exists()
    if made:
        run(
            *("pg_createcluster", "--port", str(plan.BOOK_PORT), "--locale", "C.UTF-8"),
            *("--encoding", "UTF8", *plan.CLUSTER, "--", "--data-checksums"),
        )
    changed = [
        put(server_files.BOOK_CONF, server_files.book_conf(), 0o644, "postgres", "postgres"),
        put(server_files.BOOK_HBA, server_files.book_hba(), 0o640, "postgres", "postgres"),
        put(plan.CLUSTER_CONF / "start.conf", "auto\n", 0o644, "postgres", "postgres"),
    ]
    conf_and_key = (
        server_files.book_conf(),
        server_files.book_hba(),
        (TLS / "book.pem").read_bytes(),
    )
    mark = applied("book", *conf_and_key)
    if mark or not is_active(unit):
        systemctl("daemon-reload")
        systemctl("restart", unit)
        mark_applied("book", mark)
        made = True
    steps.done(
        "book",
        f"PostgreSQL {plan.CLUSTER[0]}, TLS, scram",
        f"PostgreSQL {plan.CLUSTER[0]}, TLS, scram",
        changed=made or any(changed),
    )
    unknown = [role for role in ROLES if role in VARIABLES and not comes_in(role)]
    if unknown:
        values = {
            f"{role.upper()}_PASSWORD": secret(f"{role.upper()}_PASSWORD")
            for role in ROLES
            if role != "broker"
        }
        values["BROKER_PASSWORD"] = secrets.token_urlsafe(24)
        script = (CHECKOUT / "casino" / "local" / "roles.sql").read_text("utf-8")
        as_superuser(script, values)
        # The queue is RabbitMQ's here: nobody comes in as `broker`.
        as_superuser("DROP DATABASE IF EXISTS broker; DROP ROLE IF EXISTS broker;", {})
    steps.done("roles", "papéis da base de dados", "the database's roles", changed=bool(unknown))


def as_superuser(text: str, passwords: Mapping[str, str]) -> str:
    """Run SQL as PostgreSQL's own account over its socket. Raises: Trouble."""
    return run(
        *("psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--field-separator=|"),
        *("--set", "ON_ERROR_STOP=1", "-h", "/var/run/postgresql", "-p", str(plan.BOOK_PORT)),
        *("-U", "postgres", "postgres"),
        feed=text,
        environment=passwords,
        account="postgres",
    )


def comes_in(role: str) -> bool:
    """Whether a role reaches the book by TLS with its password."""
    values = {"PGPASSWORD": secret(f"{role.upper()}_PASSWORD"), "PGCONNECT_TIMEOUT": "5"}
    asked = ask("psql", "--no-psqlrc", "--command=SELECT 1", plan.address(role), environment=values)
    return asked.returncode == 0


def queue(steps: Steps) -> None:
    """RabbitMQ: TLS on the loopback address, one user, no guest. Raises: Trouble."""
    changed = [
        put(server_files.QUEUE_CONF, server_files.queue_conf()),
        put(server_files.QUEUE_ENV, server_files.queue_env()),
        put(server_files.EPMD, server_files.epmd()),
    ]
    files = server_files.queue_conf(), server_files.queue_env(), server_files.epmd()
    mark = applied("queue", *files, (TLS / "queue.pem").read_bytes())
    if mark or not is_active("rabbitmq-server"):
        systemctl("daemon-reload")
        systemctl("stop", "rabbitmq-server", "epmd.socket", "epmd.service")
        systemctl("enable", "--quiet", "rabbitmq-server")
        systemctl("restart", "rabbitmq-server")
        mark_applied("queue", mark)
        changed.append(True)
    run("rabbitmqctl", "--quiet", "await_startup", "--timeout", "90")
    password = secret("QUEUE_PASSWORD")
    known = ask("rabbitmqctl", "--quiet", "authenticate_user", plan.QUEUE_USER, feed=password)
    if known.returncode:
        users = run("rabbitmqctl", "--quiet", "list_users", "--no-table-headers").split()
        there = plan.QUEUE_USER in users
        run(
            "rabbitmqctl",
            "--quiet",
            "change_password" if there else "add_user",
            plan.QUEUE_USER,
            feed=password,
        )
        run("rabbitmqctl", "--quiet", "set_permissions", plan.QUEUE_USER, ".*", ".*", ".*")
        if "guest" in users:
            run("rabbitmqctl", "--quiet", "delete_user", "guest")
        changed.append(True)
    steps.done("queue", "RabbitMQ, TLS, sem guest", "RabbitMQ, TLS, no guest", changed=any(changed))


def backups(steps: Steps, settings: Mapping[str, str]) -> None:
    """WAL archived as it fills, the cluster copied every night, both encrypted. Raises: Trouble."""
    text = server_files.backup(settings, secret("BACKUP_PASSPHRASE"))
    changed = put(server_files.BACKUP, text, 0o600, "postgres", "postgres")
    stanza = ("pgbackrest", f"--stanza={plan.STANZA}")
    if ask(*stanza, "check", account="postgres", seconds=120).returncode:
        run(*stanza, "stanza-create", account="postgres")
        run(*stanza, "check", account="postgres")
        changed = True
    where = settings["BACKUP_TO"]
    steps.done(
        "backups",
        f"arquivo do WAL e cópias: {where}",
        f"WAL archive and backups: {where}",
        changed=changed,
    )


def signer(steps: Steps, settings: Mapping[str, str]) -> None:
    """The signer's first key, and the log's name. Raises: Trouble."""
    made = not (plan.SIGNER / "origin").exists()
    if made:
        said = run_signer(settings, "init")
        steps.announce(said.rstrip())
    steps.done("signer", "chave de quem assina", "the signer's key", changed=made)


def run_signer(settings: Mapping[str, str], *words: str) -> str:
    """A command of the signer, as its account; what it says. Raises: Trouble."""
    hosted = plan.HOSTED["signer"]
    values = plan.environment_in_clear(hosted, ("SIGNER_DATABASE_URL",), settings)
    python = str(plan.VENV / "bin" / "python")
    return run(
        python,
        "-m",
        "casino.signer",
        *words,
        environment=values,
        account=plan.account_of("signer"),
        cwd=plan.PROGRAM,
    )


def proxy(steps: Steps, settings: Mapping[str, str]) -> None:
    """nginx in front. Raises: Trouble, before it is restarted, where nginx refuses the file."""
    changed = [
        put(server_files.PROXY, server_files.proxy(settings)),
        link(server_files.PROXY_ON, server_files.PROXY),
        gone(server_files.PROXY_ON.with_name("default")),
    ]
    run("nginx", "-t", "-q")
    outside = Path(settings.get("CERTIFICATE") or TLS / "outside.pem").read_bytes()
    mark = applied("proxy", server_files.proxy(settings), outside)
    active = is_active("nginx")
    if mark or not active:
        systemctl("enable", "--quiet", "nginx")
        systemctl("reload" if active else "restart", "nginx")
        mark_applied("proxy", mark)
        changed.append(True)
    steps.done(
        "proxy", "nginx, TLS, HSTS, limites", "nginx, TLS, HSTS, limits", changed=any(changed)
    )


def log(steps: Steps) -> None:
    """The journal keeps what the services say, within bounds; the clock is corrected."""
    changed = put(server_files.JOURNAL, server_files.journal())
    if changed:
        systemctl("restart", "systemd-journald")
    if ask("systemctl", "is-enabled", "--quiet", "chrony").returncode:
        changed |= not ask("systemctl", "enable", "--quiet", "chrony").returncode
    if not is_active("chrony"):
        ask("systemctl", "start", "chrony")  # the doctor says where it does not run
    steps.done(
        "log", "registo rodado, relógio acertado", "log rotated, clock corrected", changed=changed
    )


def first_backup(steps: Steps) -> None:
    """From here on all can be brought back: WAL leads on from a backup. Raises: Trouble."""
    asked = run(
        "pgbackrest", f"--stanza={plan.STANZA}", "--output=json", "info", account="postgres"
    )
    missing = not any(stanza["backup"] for stanza in json.loads(asked))
    if missing:
        systemctl("start", "livro-backup.service")
    steps.done("first_backup", "a primeira cópia", "the first backup", changed=missing)
