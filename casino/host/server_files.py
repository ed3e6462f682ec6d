"""How the servers beside the house are set up: PostgreSQL, RabbitMQ, nginx, pgBackRest, journald.

Texts of files, made from the plan and from house.conf. Inside all is TLS with an authority of this
machine's own, on the loopback address alone.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from casino.host import plan
from casino.host.plan import TLS
from casino.local.services import VARIABLES

CREATE_CLUSTER: Final = Path("/etc/postgresql-common/createcluster.d/livro.conf")
BOOK_CONF: Final = plan.CLUSTER_CONF / "conf.d" / "livro.conf"
BOOK_HBA: Final = plan.CLUSTER_CONF / "pg_hba.conf"
QUEUE_CONF: Final = Path("/etc/rabbitmq/rabbitmq.conf")
QUEUE_ENV: Final = Path("/etc/rabbitmq/rabbitmq-env.conf")
PROXY: Final = Path("/etc/nginx/sites-available/livro-da-sala")
PROXY_ON: Final = Path("/etc/nginx/sites-enabled/livro-da-sala")
BACKUP: Final = Path("/etc/pgbackrest.conf")
JOURNAL: Final = Path("/etc/systemd/journald.conf.d/livro-da-sala.conf")
EPMD: Final = Path("/etc/systemd/system/epmd.socket.d/livro-da-sala.conf")
OURS: Final = "# Livro da Sala: written by `make install`; changes here are overwritten.\n"


def create_cluster() -> str:
    """Debian makes no cluster by itself: ours has checksums, and says how it sorts."""
    return f"{OURS}create_main_cluster = false\n"


def book_conf() -> str:
    """PostgreSQL: TLS, scram, nothing lost at a crash, WAL archived."""
    values = {
        "listen_addresses": "'127.0.0.1,::1'",
        "port": str(plan.BOOK_PORT),
        "ssl": "on",
        "ssl_cert_file": f"'{TLS / 'book.pem'}'",
        "ssl_key_file": f"'{TLS / 'book.key'}'",
        "ssl_min_protocol_version": "'TLSv1.3'",
        "password_encryption": "'scram-sha-256'",
        "fsync": "on",
        "full_page_writes": "on",
        "synchronous_commit": "on",
        "default_toast_compression": "'lz4'",
        "random_page_cost": "1.1",
        "timezone": "'UTC'",
        "log_timezone": "'UTC'",
        "log_connections": "on",
        "log_disconnections": "on",
        "log_checkpoints": "on",
        "max_connections": "100",
        "wal_level": "replica",
        "archive_mode": "on",
        "archive_timeout": "60",  # seconds: what is lost with the whole machine
        "archive_command": f"'pgbackrest --stanza={plan.STANZA} archive-push %p'",
    }
    return OURS + "".join(f"{name} = {value}\n" for name, value in values.items())


def book_hba() -> str:
    """Who may come: the house's roles by TLS and password, root's `postgres` on this machine."""
    rows = ["local all postgres peer"]
    comers = ",".join(role for role in VARIABLES if role != "owner")
    for where in ("127.0.0.1/32", "::1/128"):
        rows.append(f"hostssl casino {comers} {where} scram-sha-256")
        # Restoring a backup beside the house makes a database of its own.
        rows.append(f"hostssl all owner {where} scram-sha-256")
    rows.append("host all all all reject")
    return OURS + "\n".join(rows) + "\n"


def queue_conf() -> str:
    """RabbitMQ: TLS on the loopback address alone."""
    return (
        f"{OURS}listeners.tcp = none\n"
        f"listeners.ssl.1 = 127.0.0.1:{plan.QUEUE_PORT}\n"
        f"listeners.ssl.2 = ::1:{plan.QUEUE_PORT}\n"
        f"ssl_options.cacertfile = {plan.CA}\n"
        f"ssl_options.certfile = {TLS / 'queue.pem'}\n"
        f"ssl_options.keyfile = {TLS / 'queue.key'}\n"
        "ssl_options.verify = verify_none\n"  # a client shows a password, no certificate
        "ssl_options.fail_if_no_peer_cert = false\n"
        "ssl_options.versions.1 = tlsv1.3\n"
        "ssl_options.versions.2 = tlsv1.2\n"
        "loopback_users.guest = true\n"
        "disk_free_limit.absolute = 1GB\n"
        "vm_memory_high_watermark.relative = 0.2\n"
    )


def queue_env() -> str:
    """Erlang's own ports on the loopback address too: left alone they listen everywhere."""
    return (
        f"{OURS}NODENAME=rabbit@localhost\n"
        'SERVER_ADDITIONAL_ERL_ARGS="-kernel inet_dist_use_interface {127,0,0,1}"\n'
    )


def epmd() -> str:
    """Erlang's port mapper, as systemd starts it."""
    return f"{OURS}[Socket]\nListenStream=\nListenStream=127.0.0.1:4369\n"


def proxy(settings: Mapping[str, str]) -> str:
    """nginx: TLS outside; a body, a head and an address have their bounds, and a request reaches
    the house when all of it is there.
    """
    house = settings["HOUSE"]
    certificate = settings.get("CERTIFICATE") or TLS / "outside.pem"
    key = settings.get("CERTIFICATE_KEY") or TLS / "outside.key"
    return f"""{OURS}limit_conn_zone $binary_remote_addr zone=livro_by_address:1m;
server {{
    listen 80 default_server;
    listen [::]:80 default_server;
    server_tokens off;
    return 301 https://{house}$request_uri;
}}
server {{
    listen 443 ssl http2 default_server;
    listen [::]:443 ssl http2 default_server;
    server_name {house};
    server_tokens off;
    ssl_certificate     {certificate};
    ssl_certificate_key {key};
    ssl_protocols TLSv1.2 TLSv1.3;
    ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20;
    ssl_prefer_server_ciphers off;
    ssl_session_cache shared:livro:2m;
    ssl_session_tickets off;
    client_max_body_size 44m;           # five files of 8 MB and their form
    client_header_timeout 10s;
    client_body_timeout 10s;            # between two pieces
    send_timeout 30s;
    keepalive_timeout 65s;
    limit_conn livro_by_address 20;     # requests of one address at a time, slow ones too
    limit_conn_status 429;
    location / {{
        proxy_pass http://127.0.0.1:{plan.WEB_PORT};
        proxy_request_buffering on;     # a slow body holds no thread of the house
        proxy_read_timeout 65s;
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Forwarded-For $remote_addr;
    }}
}}
"""


def backup(settings: Mapping[str, str], passphrase: str) -> str:
    """pgBackRest: WAL and the whole cluster, encrypted before they leave the machine."""
    return (
        f"{OURS}[global]\n"
        f"repo1-path={settings['BACKUP_TO']}\n"
        "repo1-cipher-type=aes-256-cbc\n"
        f"repo1-cipher-pass={passphrase}\n"
        "repo1-retention-full-type=time\n"
        f"repo1-retention-full={settings['BACKUP_DAYS']}\n"
        "compress-type=zst\nstart-fast=y\nprocess-max=2\nlog-level-file=off\n"
        "log-level-console=warn\n\n"
        f"[{plan.STANZA}]\n"
        f"pg1-path={plan.CLUSTER_DATA}\n"
        f"pg1-port={plan.BOOK_PORT}\npg1-user=postgres\npg1-socket-path=/var/run/postgresql\n"
    )


def journal() -> str:
    """The log of the services turns by itself: as large and as old as this, and no more."""
    return f"{OURS}[Journal]\nStorage=persistent\nSystemMaxUse=4G\nMaxRetentionSec=366day\n"
