"""TLS inside the machine: an authority of its own, and a certificate for each server under it.

Made and read by Debian's openssl. Keys are readable by their server's account alone.
"""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from casino.host import plan
from casino.host.plan import TLS
from casino.host.steps import ask, owned, put, run

LASTS_AUTHORITY = 3650  # days
LASTS = 397
RENEWED = timedelta(days=45)  # before its end
LOOPBACK = "DNS:localhost,IP:127.0.0.1,IP:::1"


def ends(certificate: Path) -> datetime | None:
    """When a certificate ends (aware UTC); None where it cannot be read as one."""
    asked = ask("openssl", "x509", "-in", str(certificate), "-noout", "-enddate")
    found = re.fullmatch(r"notAfter=(.+) GMT", asked.stdout.strip())
    if asked.returncode or found is None:
        return None
    return datetime.strptime(found[1], "%b %d %H:%M:%S %Y").replace(tzinfo=UTC)


def fits(certificate: Path, key: Path) -> bool:
    """Whether the key is the certificate's."""
    of_one = ask("openssl", "x509", "-in", str(certificate), "-noout", "-pubkey")
    of_other = ask("openssl", "pkey", "-in", str(key), "-pubout")
    return not of_one.returncode and of_one.stdout == of_other.stdout


def names_host(certificate: Path, host: str) -> bool:
    """Whether a browser that asks for the host takes it for the host's."""
    asked = ask("openssl", "x509", "-in", str(certificate), "-noout", "-checkhost", host)
    return "does match" in asked.stdout


def is_own(certificate: Path) -> bool:
    """Whether this machine's own authority made it: no browser knows that one."""
    return ask("openssl", "verify", "-CAfile", str(plan.CA), str(certificate)).returncode == 0


def authority() -> bool:
    """The machine's own authority; whether it was made now. Raises: Trouble."""
    key = TLS / "ca.key"
    if plan.CA.exists() and key.exists():
        return owned(key, 0o600, "root", "root") | owned(plan.CA, 0o644, "root", "root")
    with TemporaryDirectory() as place:
        made = Path(place) / "key", Path(place) / "pem"
        run(
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", str(LASTS_AUTHORITY), "-subj", "/CN=Livro da Sala, this machine"),
            *("-addext", "keyUsage=critical,keyCertSign,cRLSign"),
            *("-keyout", str(made[0]), "-out", str(made[1])),
        )
        put(key, made[0].read_bytes(), 0o600)
        put(plan.CA, made[1].read_bytes(), 0o644)
    return True


def certificate(name: str, subject: str, names: str, owner: str) -> bool:
    """A server's certificate and key under the authority, for an account of the system. Made anew
    where one is missing, foreign, or ends within 45 days; whether anything was changed.

    Raises: Trouble.
    """
    pem, key = TLS / f"{name}.pem", TLS / f"{name}.key"
    end = ends(pem) if pem.exists() and key.exists() else None
    if end and end - datetime.now(UTC) > RENEWED and is_own(pem) and fits(pem, key):
        return owned(key, 0o600, owner, owner) | owned(pem, 0o644, "root", "root")
    with TemporaryDirectory() as place:
        at = Path(place)
        (at / "extensions").write_text(
            f"subjectAltName={names}\nbasicConstraints=CA:FALSE\n"
            "keyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\n",
            "ascii",
        )
        run(
            *("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
            *("-subj", f"/CN={subject}", "-keyout", str(at / "key"), "-out", str(at / "csr")),
        )
        run(
            *("openssl", "x509", "-req", "-in", str(at / "csr"), "-CA", str(plan.CA)),
            *("-CAkey", str(TLS / "ca.key"), "-CAcreateserial", "-days", str(LASTS)),
            *("-CAserial", str(at / "serial"), "-extfile", str(at / "extensions")),
            *("-out", str(at / "pem")),
        )
        put(key, (at / "key").read_bytes(), 0o600, owner, owner)
        put(pem, (at / "pem").read_bytes(), 0o644)
    return True
