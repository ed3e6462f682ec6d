"""``make install``: a bare Debian 12 becomes a house in earnest, in one command, as root.

Each step looks before it acts; run again it changes nothing that stands as it should. Data is made
once and touched by no later step.
"""

import http.client
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

from casino.host import house_conf, plan, server_files, unit_files
from casino.host.host_trouble import Trouble
from casino.host.plan import CHECKOUT, ETC, HOME, KEPT, SECRETS, TLS
from casino.host.server_steps import (
    APPLIED,
    applied,
    backups,
    book,
    first_backup,
    keys,
    log,
    mark_applied,
    proxy,
    queue,
    secret,
    signer,
)
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

WANTED_DISK: Final = 5 * 1024**3  # bytes free, where programs and the book lie
WANTED_MEMORY: Final = 1_800_000  # KiB
PARTS: Final = ("manage.py", "casino", "jackpot", "audit", "locale", "requirements")
COMMAND: Final = Path("/usr/local/sbin/livro")
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
    free = min(shutil.disk_usage(place).free for place in ("/", "/var", "/srv", "/usr"))
    if free < WANTED_DISK:
        raise Trouble(
            f"Livres {free // 1024**2} MB; são precisos {WANTED_DISK // 1024**2} MB em /, /var,"
            " /srv e /usr.",
            f"{free // 1024**2} MB are free; {WANTED_DISK // 1024**2} MB are needed on /, /var,"
            " /srv and /usr.",
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


def program(steps: Steps) -> None:
    """The program as it lies in the checkout, copied to where nobody but root may write."""
    mark = fingerprint(CHECKOUT)
    place = program_of(mark)
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


def program_of(mark: str) -> Path:
    """Where the program with this digest lies."""
    return HOME / f"program-{mark[:12]}"


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
    place = program_of(fingerprint(CHECKOUT))
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
    program_now = program_of(fingerprint(CHECKOUT))
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
    """Until every service runs, a page comes and the worker got a job done (beat gives it one
    every thirty seconds).

    Raises: Trouble, with the end of the log of one that does not.
    """
    names = [unit_files.MIGRATE, *(f"livro-{name}.service" for name in plan.HOSTED)]
    until = time.monotonic() + seconds
    while missing := [name for name in names if not is_active(name)] or waited_for(house):
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


def waited_for(house: str) -> list[str]:
    """The web server's unit until a page comes, then the worker's until it got something done."""
    if not ready(house):
        return ["livro-web.service"]
    return [] if plan.PULSE.exists() else ["livro-worker.service"]


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
    steps.announce(f"fica  / kept    {kept}; contas e pacotes / accounts and packages")
