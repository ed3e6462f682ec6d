"""``make install``: a bare Debian 12 becomes a house in earnest, in one command, as root.

Each step looks before it acts; run again it changes nothing that stands as it should. Data is made
once and touched by no later step.
"""

import http.client
import json
import os
import secrets
import shutil
import sys
import time
from collections.abc import Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

from casino.host import certificates, house_conf, plan, server_files, unit_files
from casino.host.host_trouble import Trouble
from casino.host.plan import CHECKOUT, ETC, HOME, KEPT, SECRETS, TLS
from casino.host.steps import (
    Steps,
    account,
    ask,
    folder,
    gone,
    is_active,
    link,
    owned,
    put,
    run,
    systemctl,
)
from casino.local.services import ROLES, VARIABLES

WANTED_DISK: Final = 5 * 1024**3  # bytes free, where programs and the book lie
WANTED_MEMORY: Final = 1_800_000  # KiB
PARTS: Final = ("manage.py", "casino", "jackpot", "audit", "locale", "requirements")
COMMAND: Final = Path("/usr/local/sbin/livro")
APPLIED: Final = ETC / "applied"
NO_START: Final = Path("/usr/sbin/policy-rc.d")
KEPT_VERSIONS: Final = 2


def install(steps: Steps, given: Mapping[str, str]) -> None:
    """All of it. `given` are settings of the command line, the first time. Raises: Trouble."""
    fit_machine()
    settings = house_conf.derived(conf(steps, given))
    packages(steps)
    accounts(steps)
    folders(steps, settings)
    made_secrets(steps)
    program(steps)
    environment(steps)
    static(steps)
    switch_versions(steps)
    keys(steps, settings)
    book(steps)
    queue(steps)
    backups(steps, settings)
    signer(steps, settings)
    proxy(steps, settings)
    log(steps)
    units(steps, settings)
    first_backup(steps)


def fit_machine() -> None:
    """Raises: Trouble, where this is no machine the house could be installed on."""
    if os.geteuid() != 0:
        raise Trouble(
            "make install corre como root: sudo make install",
            "make install must be run as root: sudo make install",
        )
    said = Path("/etc/os-release").read_text("utf-8")
    system = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
    name, version = (system.get(key, "").strip('"') for key in ("ID", "VERSION_ID"))
    if (name, version) != ("debian", "12"):
        raise Trouble(
            f"Esta máquina tem {name} {version or '?'}; é preciso Debian 12.",
            f"This machine has {name} {version or '?'}; Debian 12 is needed.",
        )
    if not Path("/run/systemd/system").is_dir():
        raise Trouble(
            "O systemd não corre aqui (é um contentor?): instale num servidor arrancado.",
            "systemd does not run here (is it a container?): install on a booted server.",
        )
    if not plan.is_fit():
        raise Trouble("É preciso Python 3.11 ou mais novo.", "Python 3.11 or newer is needed.")
    free = min(shutil.disk_usage(place).free for place in ("/", "/var", "/srv", "/opt"))
    if free < WANTED_DISK:
        raise Trouble(
            f"Livres {free // 1024**2} MB; são precisos {WANTED_DISK // 1024**2} MB em /, /var,"
            " /srv e /opt.",
            f"{free // 1024**2} MB are free; {WANTED_DISK // 1024**2} MB are needed on /, /var,"
            " /srv and /opt.",
        )
    memory = Path("/proc/meminfo").read_text("ascii").split()[1]
    if int(memory) < WANTED_MEMORY:
        raise Trouble(
            f"A máquina tem {int(memory) // 1024} MB de memória; são precisos 2 GB.",
            f"The machine has {int(memory) // 1024} MB of memory; 2 GB are needed.",
        )


def conf(steps: Steps, given: Mapping[str, str]) -> dict[str, str]:
    """house.conf, made from what was given where there is none. Raises: Trouble."""
    if plan.CONF.exists():
        settings = house_conf.read(plan.CONF.read_text("utf-8"), str(plan.CONF))
        other = sorted(name for name, value in given.items() if settings.get(name) != value)
        if other:
            raise Trouble(
                f"{plan.CONF} existe e diz outra coisa de {', '.join(other)}: mude lá.",
                f"{plan.CONF} is there and says otherwise of {', '.join(other)}: change it there.",
            )
        changed = owned(plan.CONF, 0o644, "root", "root")
    else:
        text = house_conf.template(given)
        try:
            settings = house_conf.read(text, str(plan.CONF))
        except Trouble as trouble:
            example = (
                "make install HOUSE=livro.casino.pt CASINO_NAME='Casino X'"
                " CONCESSION_HOLDER='X, S.A.' CASINO_PLACE=Lisboa"
            )
            raise Trouble(
                f"{trouble.said.pt}\nPor exemplo: {example}",
                f"{trouble.said.en}\nFor example: {example}",
            ) from trouble
        folder(ETC, 0o755)
        changed = put(plan.CONF, text)
    steps.done("conf", str(plan.CONF), str(plan.CONF), changed=changed)
    return settings


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


def packages(steps: Steps) -> None:
    """Debian's packages; nothing of them is started before it is set up."""
    asked = ask(
        "dpkg-query", "--show", "--showformat=${Package} ${db:Status-Abbrev}\n", *plan.PACKAGES
    )
    there = {line.split()[0] for line in asked.stdout.splitlines() if line.split()[1:] == ["ii"]}
    missing = [name for name in plan.PACKAGES if name not in there]
    if missing:
        put(server_files.CREATE_CLUSTER, server_files.create_cluster())
        with nothing_starts():
            quiet = {"DEBIAN_FRONTEND": "noninteractive", **_network()}
            run("apt-get", "update", "-qq", environment=quiet)
            options = ("-qq", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold")
            run("apt-get", "install", "--yes", *options, *missing, environment=quiet)
    steps.done(
        "packages",
        f"pacotes: {len(plan.PACKAGES)}",
        f"packages: {len(plan.PACKAGES)}",
        changed=bool(missing),
    )


def _network() -> dict[str, str]:
    """What root's environment says of the way out: proxies, the index of packages, certificates."""
    names = ("http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE")
    return {
        name: value
        for name, value in os.environ.items()
        if name.startswith("PIP_") or name in names or name.lower() in names
    }


@contextmanager
def nothing_starts():  # type: ignore[no-untyped-def]
    """Meanwhile Debian's scripts start no server."""
    ours = not NO_START.exists()
    if ours:
        put(NO_START, "#!/bin/sh\nexit 101\n", 0o755)
    try:
        yield
    finally:
        if ours:
            gone(NO_START)


def accounts(steps: Steps) -> None:
    """An account for each service."""
    made = [name for name in plan.ACCOUNTS if account(name, plan.GROUP)]
    steps.done(
        "accounts",
        f"contas: {', '.join(plan.ACCOUNTS)}",
        f"accounts: {len(plan.ACCOUNTS)}",
        changed=bool(made),
    )


def folders(steps: Steps, settings: Mapping[str, str]) -> None:
    """What is kept, and who may enter it."""
    signer = plan.account_of("signer")
    changed = [
        folder(HOME, 0o755),
        folder(ETC, 0o755),
        folder(SECRETS, 0o700),
        folder(APPLIED, 0o700),
        folder(TLS, 0o755),
        folder(KEPT, 0o755),
        folder(plan.SIGNER, 0o700, signer, plan.GROUP),
        folder(plan.PUBLIC, 0o755, signer, plan.GROUP),
        folder(plan.COSIGNATURES, 0o775, signer, plan.GROUP),
        folder(plan.DRILL, 0o700, plan.account_of("owner"), plan.GROUP),
    ]
    place = Path(settings["BACKUP_TO"])
    if not place.exists():
        changed.append(folder(place, 0o750, "postgres", "postgres"))
    steps.done("folders", "pastas", "folders", changed=any(changed))


def made_secrets(steps: Steps) -> None:
    """Every secret, made once; root's alone. Raises: Trouble, for one that is empty."""
    changed = []
    for name in plan.MADE:
        file = SECRETS / name
        if not file.exists():
            if name in plan.KEPT_FOR_EVER and (APPLIED / "services").exists():
                raise Trouble(
                    f"Falta {file}, e a casa já existe: ponha lá a cópia guardada. Sem ela não se"
                    " leem as cópias de segurança nem se conhecem os códigos.",
                    f"{file} is missing, and the house stands already: put back the copy you kept."
                    " Without it no backup can be read and no code is known.",
                )
            changed.append(put(file, secrets.token_urlsafe(48) + "\n", 0o600))
    address = plan.broker_url(secret("QUEUE_PASSWORD"))
    changed.append(put(SECRETS / plan.BROKER_URL, address + "\n", 0o600))
    for file in SECRETS.iterdir():
        changed.append(owned(file, 0o600, "root", "root"))
        if not file.read_text("utf-8").strip():
            raise Trouble(
                f"{file} está vazio: ponha lá a cópia guardada, ou apague-o e faz-se outro.",
                f"{file} is empty: put its copy back, or remove it and another is made.",
            )
    steps.done("secrets", "segredos, 0600", "secrets, 0600", changed=any(changed))


def secret(name: str) -> str:
    """One of them."""
    return (SECRETS / name).read_text("utf-8").strip()


def program(steps: Steps) -> None:
    """The program as it lies in the checkout, copied to where nobody but root may write."""
    mark = fingerprint(CHECKOUT)
    place = HOME / f"program-{mark[:12]}"
    changed = not (place / ".whole").exists()
    if changed:
        gone(place)
        place.mkdir(mode=0o755)
        for part in PARTS:
            if (CHECKOUT / part).is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "*.py[co]")
                shutil.copytree(CHECKOUT / part, place / part, ignore=ignored)
            else:
                shutil.copyfile(CHECKOUT / part, place / part)
        for path in (place, *place.rglob("*")):
            os.chown(path, 0, 0)
            path.chmod(0o755 if path.is_dir() else 0o644)
        run(sys.executable, "-m", "compileall", "-q", *PARTS[:4], cwd=place)
        (place / ".whole").write_text(mark, "ascii")
    steps.done("program", f"programa {mark[:12]}", f"program {mark[:12]}", changed=changed)


def fingerprint(checkout: Path) -> str:
    """A digest of the program's files, in hex: the same for the same files."""
    digest = sha256()
    for part in PARTS:
        there = checkout / part
        for path in sorted(there.rglob("*")) if there.is_dir() else [there]:
            if path.is_file() and "__pycache__" not in path.parts:
                data = path.read_bytes()
                digest.update(f"{path.relative_to(checkout)} {len(data)}\n".encode() + data)
    return digest.hexdigest()


def environment(steps: Steps) -> None:
    """What the program needs of others, each by its hash, without the embedded server and queue."""
    lock = CHECKOUT / "requirements" / "server.txt"
    place = venv_of(lock)
    changed = not (place / ".whole").exists()
    if changed:
        gone(place)
        run("/usr/bin/python3", "-m", "venv", str(place))
        run(
            *(str(place / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install"),
            *("--quiet", "--require-hashes", "--no-cache-dir", "--requirement", str(lock)),
            environment=_network(),
        )
        (place / ".whole").write_text("", "ascii")
    steps.done("environment", "bibliotecas, por resumo", "libraries, by hash", changed=changed)


def venv_of(lock: Path) -> Path:
    """Where the environment of a lock lies."""
    return HOME / f"venv-{sha256(lock.read_bytes()).hexdigest()[:12]}"


def static(steps: Steps) -> None:
    """The style sheets, under names made of their content; in the program's own folder."""
    place = HOME / f"program-{fingerprint(CHECKOUT)[:12]}"
    target = place / "static"
    changed = not (target / "staticfiles.json").exists()
    if changed:
        python = str(venv_of(CHECKOUT / "requirements" / "server.txt") / "bin" / "python")
        run(
            python,
            "manage.py",
            "collectstatic",
            "--noinput",
            "--verbosity=0",
            environment={"STATIC_ROOT": str(target)},
            cwd=place,
        )
    steps.done("static", "folhas de estilo", "style sheets", changed=changed)


def switch_versions(steps: Steps) -> None:
    """From here on the new version is the one that is started; the last two are kept."""
    program_now = HOME / f"program-{fingerprint(CHECKOUT)[:12]}"
    venv_now = venv_of(CHECKOUT / "requirements" / "server.txt")
    changed = [link(plan.PROGRAM, program_now), link(plan.VENV, venv_now)]
    for pattern, now in (("program-*", program_now), ("venv-*", venv_now)):
        os.utime(now)
        found = sorted(HOME.glob(pattern), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in found[KEPT_VERSIONS:]:
            gone(old)
    text = f'#!/bin/sh\ncd {plan.PROGRAM} && exec {plan.VENV}/bin/python -m casino.host "$@"\n'
    changed.append(put(COMMAND, text, 0o755))
    steps.done(
        "version",
        f"a versão que corre; comando {COMMAND}",
        f"the version that runs; command {COMMAND}",
        changed=any(changed),
    )


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


def as_superuser(text: str, values: Mapping[str, str]) -> str:
    """Run SQL as PostgreSQL's own account over its socket. Raises: Trouble."""
    return run(
        *("psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--field-separator=|"),
        *("--set", "ON_ERROR_STOP=1", "-h", "/var/run/postgresql", "-p", str(plan.BOOK_PORT)),
        *("-U", "postgres", "postgres"),
        feed=text,
        environment=values,
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
        steps.say(said.rstrip())
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


def units(steps: Steps, settings: Mapping[str, str]) -> None:
    """The services, in the order they need each other. Raises: Trouble."""
    there = {file.name for file in SECRETS.iterdir()}
    files = unit_files.unit_files(settings, there)
    changed = [put(plan.UNITS / name, text) for name, text in files.items()]
    old = [path for path in plan.UNITS.glob("livro-*.*") if path.name not in files]
    for path in old:
        systemctl("disable", "--now", "--quiet", path.name)
        changed.append(gone(path))
    if any(changed):
        run("systemd-analyze", "verify", *(str(plan.UNITS / name) for name in files))
        systemctl("daemon-reload")
    wanted = [unit_files.TARGET, unit_files.SOCKET, *unit_files.timers()]
    wanted += [f"livro-{name}.service" for name in plan.HOSTED]
    if any(ask("systemctl", "is-enabled", "--quiet", name).returncode for name in wanted):
        systemctl("enable", "--quiet", *wanted)
        changed.append(True)
    versions = str(plan.PROGRAM.resolve()), str(plan.VENV.resolve()), plan.CA.read_text("ascii")
    held = [file.read_bytes() for file in sorted(SECRETS.iterdir())]
    mark = applied("services", *versions, *files.values(), *held)
    if mark or not is_active(unit_files.TARGET):
        systemctl("restart", unit_files.TARGET)
        systemctl("start", *unit_files.timers())
        wait_for_services(settings["HOUSE"])
        mark_applied("services", mark)
        changed.append(True)
    steps.done(
        "units",
        f"serviços: {', '.join(plan.HOSTED)}",
        f"services: {len(plan.HOSTED)}",
        changed=any(changed),
    )


def wait_for_services(house: str, seconds: int = 300) -> None:
    """Until every service runs and a page comes.

    Raises: Trouble, with the end of the log of one that does not.
    """
    names = [unit_files.MIGRATE, *(f"livro-{name}.service" for name in plan.HOSTED)]
    until = time.monotonic() + seconds
    while missing := [name for name in names if not is_active(name)] or waits_for_page(house):
        failed = ask("systemctl", "is-failed", "--quiet", unit_files.MIGRATE).returncode == 0
        if failed or time.monotonic() > until:
            name = unit_files.MIGRATE if failed else missing[0]
            said = ask(
                "journalctl", "--unit", name, "--lines=25", "--no-pager", "--output=cat"
            ).stdout
            raise Trouble(f"{name} não corre:\n{said}", f"{name} does not run.")
        time.sleep(0.5)


def ready(house: str) -> str | None:
    """What the house says of itself (/readyz, JSON); None where it does not answer."""
    connection = http.client.HTTPConnection("127.0.0.1", plan.WEB_PORT, timeout=15)
    try:
        headers = {"Host": house, "X-Forwarded-Proto": "https"}
        connection.request("GET", "/readyz", headers=headers)
        return connection.getresponse().read(65_536).decode(errors="replace")
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def waits_for_page(house: str) -> list[str]:
    """The web server's unit, until a page comes."""
    return [] if ready(house) else ["livro-web.service"]


def first_backup(steps: Steps) -> None:
    """From here on all can be brought back: WAL leads on from a backup. Raises: Trouble."""
    asked = run(
        "pgbackrest", f"--stanza={plan.STANZA}", "--output=json", "info", account="postgres"
    )
    missing = not any(stanza["backup"] for stanza in json.loads(asked))
    if missing:
        systemctl("start", "livro-backup.service")
    steps.done("first_backup", "a primeira cópia", "the first backup", changed=missing)


def uninstall(steps: Steps) -> None:
    """All that was laid out but what is kept: book, keys, secrets, settings, backups, accounts."""
    if os.geteuid() != 0:
        raise Trouble("make uninstall corre como root.", "make uninstall must be run as root.")
    there = sorted(path.name for path in plan.UNITS.glob("livro*.*") if path.is_file())
    if there:
        ask("systemctl", "disable", "--now", "--quiet", *there)
    for name in there:
        gone(plan.UNITS / name)
    steps.done("units", "serviços", "services", changed=bool(there))
    proxy_gone = [gone(server_files.PROXY_ON), gone(server_files.PROXY)]
    if any(proxy_gone):
        ask("systemctl", "reload", "nginx")
    steps.done("proxy", "nginx", "nginx", changed=any(proxy_gone))
    stopped = [unit for unit in plan.SERVERS[:2] if is_active(unit)]
    for unit in stopped:
        systemctl("stop", unit)
    if (plan.CLUSTER_CONF / "start.conf").exists():
        put(plan.CLUSTER_CONF / "start.conf", "manual\n", 0o644, "postgres", "postgres")
    ask("systemctl", "disable", "--quiet", "rabbitmq-server")
    steps.done(
        "servers",
        "PostgreSQL e RabbitMQ parados",
        "PostgreSQL and RabbitMQ stopped",
        changed=bool(stopped),
    )
    paths = (HOME, COMMAND, server_files.JOURNAL, server_files.EPMD)
    removed = [gone(path) for path in paths]
    if any(removed) or there:
        systemctl("daemon-reload")
    steps.done("program", f"{HOME}", f"{HOME}", changed=any(removed))
    kept = f"{plan.CLUSTER_DATA}, {KEPT}, {ETC}, {server_files.BACKUP}"
    steps.say(f"fica  / kept    {kept}; contas e pacotes / accounts and packages")
