"""``python -m casino.host COMMAND``, as root: `make install`, its sisters, and `livro COMMAND`.

Ends with 0; with 1 where the doctor found something wrong; with 2 where a command was not done.
"""

import argparse
import os
import sys
import time
from pathlib import Path

from casino.host import plan
from casino.host.host_trouble import Trouble
from casino.host.house_conf import BY_NAME, derived, read
from casino.host.steps import Steps

REFUSED = 2


def announce(line: str) -> None:
    """Tell whoever typed the command."""
    print(line, flush=True)  # noqa: T201


def parser() -> argparse.ArgumentParser:
    """What may be typed."""
    top = argparse.ArgumentParser(prog="livro", description=__doc__)
    commands = top.add_subparsers(dest="command", required=True)
    install = commands.add_parser("install", help="lay out the house on this machine")
    install.add_argument(
        "given", nargs="*", help="settings of house.conf, the first time: NAME=value"
    )
    commands.add_parser("uninstall", help="remove services and program; no data is touched")
    doctor = commands.add_parser("doctor", help="say what is missing or wrong")
    doctor.add_argument("--keep", action="store_true", help="keep the report for the page")
    doctor.add_argument("--mend", action="store_true", help="start a worker again that hangs")
    commands.add_parser("sbom", help="write what this version is made of (CycloneDX)").add_argument(
        "folder", type=Path
    )
    commands.add_parser("drill", help="make a backup and see whether it gives the book back")
    manage = commands.add_parser("manage", help="a command of manage.py, with every address")
    manage.add_argument("words", nargs=argparse.REMAINDER)
    signer = commands.add_parser("signer", help="a command of the signer: status, key new, adopt")
    signer.add_argument("words", nargs=argparse.REMAINDER)
    return top


def install(given: list[str]) -> None:
    """Lay out the house. Raises: Trouble."""
    from casino.host.installing import install as lay_out

    values = dict(each.partition("=")[::2] for each in given)
    unknown = sorted(set(values) - set(BY_NAME))
    if unknown:
        known = ", ".join(BY_NAME)
        raise Trouble(
            f"{', '.join(unknown)}: não é conhecido; há: {known}.",
            f"{', '.join(unknown)}: not known; there are: {known}.",
        )
    began = time.monotonic()
    steps = Steps(announce)
    lay_out(steps, {name: value for name, value in values.items() if value})
    announce(
        f"\n{len(steps.changed)} passos mudaram alguma coisa / steps changed something;"
        f" {time.monotonic() - began:.0f} s.\n"
    )
    announce('Administrador / first administrator: livro manage account S-0001 --begin "Nome"\n')


def doctor(*, keep: bool, mend: bool) -> int:
    """Look at everything; 1 where something is wrong. Raises: Trouble."""
    from casino.host import doctor as host_doctor

    return host_doctor.visit(announce, keep_it=keep, mend=mend)


def become(hosted: plan.Hosted, needs: tuple[str, ...], account: str, *command: str) -> None:
    """Run a command of the house in our stead, as an account of it. Raises: Trouble."""
    import pwd

    if os.geteuid() != 0:
        raise Trouble("corre como root: sudo livro …", "must be run as root: sudo livro …")
    settings = derived(read(plan.CONF.read_text("utf-8"), str(plan.CONF)))
    values = {
        "PATH": "/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
        **plan.environment_in_clear(hosted, needs, settings),
    }
    who = pwd.getpwnam(account)
    os.setgroups([who.pw_gid])
    os.setgid(who.pw_gid)
    os.setuid(who.pw_uid)
    os.chdir(plan.PROGRAM)
    python = str(plan.VENV / "bin" / "python")
    os.execve(python, [python, *command], values)  # noqa: S606


def main() -> int:
    """One command. What it could not do it says, in Portuguese and in English."""
    asked = parser().parse_args()
    try:
        match asked.command:
            case "install":
                install(asked.given)
                doctor(keep=True, mend=False)  # what is still missing is said; the house stands
            case "uninstall":
                from casino.host.installing import uninstall

                uninstall(Steps(announce))
            case "doctor":
                return doctor(keep=asked.keep, mend=asked.mend)
            case "sbom":
                from casino.host.sbom import write

                for file in write(plan.CHECKOUT, asked.folder):
                    announce(str(file))
            case "drill":
                from casino.host.drill import drill

                return drill(announce)
            case "manage":
                needs = (*plan.OWNER_NEEDS, "SEQUENCER_DATABASE_URL", plan.BROKER_URL)
                words = [word for word in asked.words if word != "--"]
                become(plan.OWNER, needs, plan.account_of("owner"), "manage.py", *words)
            case "signer":
                words = [word for word in asked.words if word != "--"]
                signer = plan.HOSTED["signer"], ("SIGNER_DATABASE_URL",)
                become(*signer, plan.account_of("signer"), "-m", "casino.signer", *words)
    except Trouble as trouble:
        print(f"{trouble.said.pt}\n{trouble.said.en}", file=sys.stderr)  # noqa: T201
        return REFUSED
    except OSError as error:
        place = error.filename or Path.cwd()
        print(f"{place}: {error.strerror}", file=sys.stderr)  # noqa: T201
        return REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(main())
