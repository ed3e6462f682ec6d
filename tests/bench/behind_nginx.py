"""nginx in front of a house that a benchmark opened, with the configuration `make install` writes.

Only the ports, the certificate and the places nginx writes to are others; who runs the benchmark
runs nginx too. It is stopped, and its folder removed, with the block that began it.
"""

import shutil
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from casino.host import plan, server_files
from casino.local.ports import LOOPBACK, choose


@contextmanager
def nginx(house_port: int) -> Iterator[tuple[int, ssl.SSLContext]]:
    """The port at which the house answers with TLS, and whom a client is to trust."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin")
    if program is None:
        raise SystemExit("nginx: not found; apt-get install nginx-light (and stop its service).")
    port = choose("715", frozenset({house_port}))
    with tempfile.TemporaryDirectory(prefix="livro-nginx-") as place:
        home = Path(place)
        _certificate(home)
        (home / "nginx.conf").write_text(_configuration(home, house_port, port), "utf-8")
        running = subprocess.Popen([program, "-p", place, "-c", str(home / "nginx.conf")])
        try:
            time.sleep(1)
            if running.poll() is not None:
                raise SystemExit((home / "error.log").read_text("utf-8"))
            yield port, ssl.create_default_context(cafile=str(home / "pem"))
        finally:
            running.terminate()
            running.wait(10)


def _certificate(home: Path) -> None:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "2", "-subj", f"/CN={LOOPBACK}", "-addext",
         f"subjectAltName=IP:{LOOPBACK}", "-keyout", str(home / "key"), "-out", str(home / "pem")],
        check=True, capture_output=True,
    )  # fmt: skip


def _configuration(home: Path, house_port: int, port: int) -> str:
    settings = {
        "HOUSE": LOOPBACK,
        "CERTIFICATE": str(home / "pem"),
        "CERTIFICATE_KEY": str(home / "key"),
    }
    whole = server_files.proxy(settings)
    secure = whole[: whole.index("server {")] + whole[whole.rindex("server {") :]
    ours = (
        secure.replace("listen [::]:443 ssl http2 default_server;", "")
        .replace("listen 443 ", f"listen {LOOPBACK}:{port} ")
        .replace(f":{plan.WEB_PORT};", f":{house_port};")
    )
    assert str(port) in ours
    assert f":{house_port};" in ours
    return f"""daemon off;
worker_processes auto;
pid {home}/pid;
error_log {home}/error.log;
events {{ worker_connections 768; }}
http {{
    access_log {home}/access.log;
    client_body_temp_path {home}/body;
    proxy_temp_path {home}/proxy;
    fastcgi_temp_path {home}/fastcgi;
    scgi_temp_path {home}/scgi;
    uwsgi_temp_path {home}/uwsgi;
{ours}}}
"""
