"""How the house is set up. What differs from place to place comes from the environment.

Environment: DATABASE_URL (a service: WEB_, WORKER_ or WATCH_DATABASE_URL), BROKER_URL, SECRET_KEY,
ALLOWED_HOSTS (comma-separated), STATIC_ROOT, DEBUG ("1" switches it on), HTTPS ("0" serves without
it: on the loopback address alone) and more, all in docs/operations.md. What is secret may lie in a
file instead: SECRET_KEY_FILE names it. Other packages are named here as strings only, so no layer
is broken.
"""

import os
from datetime import timedelta
from pathlib import Path
from ssl import CERT_REQUIRED
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from casino.logs.log_lines import FORMATS
from casino.logs.syslog_lines import to_syslog
from casino.machine.environment_values import (
    DEBUG,
    database_from,
    mirrors_from,
    networks_from,
    number,
    refuse_known,
    setting,
)
from casino.web.login.login_limits import (  # noqa: F401 - settings of the house
    HOUSE_LOGIN_RESET,
    HOUSE_SECOND_FACTOR_FRESH,
    HOUSE_SECOND_FACTOR_HOLDS,
    HOUSE_SECURITY_LOG,
    HOUSE_SESSIONS,
    HOUSE_WALL_SCREEN,
)
from casino.web.login.provider_settings import directory_from_environment

BASE_DIR = Path(__file__).resolve().parent.parent
# Without DEBUG there is no default: Django refuses at the first use of an empty key, and wsgi.py
# uses it at once. The commands that only read and write files use no key and so need none.
SECRET_KEY = refuse_known(
    setting("SECRET_KEY", "only-for-development" if DEBUG else ""), "SECRET_KEY"
)
# What the codes of witnesses are mixed with before they are hashed; without one, the key above.
WITNESS_PEPPER = refuse_known(setting("WITNESS_PEPPER"), "WITNESS_PEPPER")
# Those it had before, the newest first: a code kept under one is known until its owner uses it.
WITNESS_PEPPERS_BEFORE = setting("WITNESS_PEPPERS_BEFORE").split()
# The domain a witness's passkey is bound to, as his browser sees it: no port, never an address.
WITNESS_DOMAIN = os.environ.get("WITNESS_DOMAIN") or "localhost"
# The servers in front, by address or network: they alone are believed where a request came from.
TRUSTED_PROXIES = networks_from(os.environ.get("TRUSTED_PROXIES", ""))
ALLOWED_HOSTS = [host for host in os.environ.get("ALLOWED_HOSTS", "").split(",") if host]

INSTALLED_APPS = [
    # Ours first: their templates stand before Django's of the same name.
    "casino.apps.CasinoConfig",
    "jackpot.apps.JackpotConfig",
    "audit.apps.AuditConfig",
    "casino.admin.apps.HouseAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "oauth2_provider",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "casino.logs.request_log.logged",
    "casino.security.believed_address",
    "casino.security_log.noted",
    "casino.security.strict_headers",
    "casino.api.api_problems.nothing_in_clear",
    "casino.api.machines_connection.as_machines",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # What a page holds in secret is masked anew on every page (the token against forged forms), and
    # each page is lengthened by chance: its compressed length tells nobody anything (BREACH).
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "casino.web.page_language.PageLanguage",
    "casino.api.api_problems.json_below_api",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "casino.security.bounded_bodies",
    "casino.web.login.open_sessions.limited_sessions",
    "casino.web.entrance.known_browsers",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "casino.access.house_time.house_time",
    "casino.floor.persons.quick_change.one_at_a_tablet",
    "casino.web.login.required_steps.required_steps",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "casino.web.forms.shield.of_every_page",
                "casino.floor.tables.todo_lists.badge",
            ]
        },
    }
]
AUTH_USER_MODEL = "casino.Account"
PASSWORD_HASHERS = ["casino.security.HouseArgon2"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 15},
    },
    {"NAME": "casino.web.login.password_rules.NotTheNumber"},
    {"NAME": "casino.web.login.password_rules.NotEasilyGuessed"},
]
# Whether everybody has to have a second factor. "0", whoever has one is asked for it all the same:
# for a house that is tried out on the loopback address, or for a developer.
SECOND_FACTOR = os.environ.get("SECOND_FACTOR", "0" if DEBUG else "1") != "0"
# Who else says who somebody is, what its groups stand for, and whether passwords let everybody in.
HOUSE_PROVIDER, HOUSE_GROUPS, PASSWORD_LOGIN = directory_from_environment()
# A page may show a count of what waits that is so many seconds old: all ask, and at a busy hour the
# book grows each second.
TODO_PATIENCE = 10
# The same of the alerts on the floor's and a table's page: seconds. Nobody misses what he did.
ALERTS_PATIENCE = 5

# How long an act of the floor can be taken back before it is written; 0: it is written at once.
SALA_HOLD_SECONDS = number("SALA_HOLD_SECONDS", 5)

# What browsers know the house by (https://livro.example): the links in mails begin with it.
HOUSE_URL = os.environ.get("HOUSE_URL", "")
# How mails leave: through the server MAIL_HOST names, else as files into MAIL_FOLDER, else into the
# log of the worker. A server is spoken to in TLS ("starttls", "tls"), or on this machine ("none").
EMAIL_HOST = os.environ.get("MAIL_HOST", "")
EMAIL_FILE_PATH = os.environ.get("MAIL_FOLDER") or None
_MAIL_BY = "smtp" if EMAIL_HOST else "filebased" if EMAIL_FILE_PATH else "console"
EMAIL_BACKEND = f"django.core.mail.backends.{_MAIL_BY}.EmailBackend"
EMAIL_PORT = number("MAIL_PORT", 587)
EMAIL_HOST_USER = os.environ.get("MAIL_USER", "")
EMAIL_HOST_PASSWORD = setting("MAIL_PASSWORD")
_MAIL_TLS = os.environ.get("MAIL_TLS") or "starttls"
if _MAIL_TLS not in ("starttls", "tls", "none"):  # a password would travel in clear
    raise ImproperlyConfigured(f"MAIL_TLS: found {_MAIL_TLS!r}; it is starttls, tls or none.")
EMAIL_USE_TLS = _MAIL_TLS == "starttls"
EMAIL_USE_SSL = _MAIL_TLS == "tls"
EMAIL_TIMEOUT = 10  # seconds
DEFAULT_FROM_EMAIL = os.environ.get("MAIL_FROM") or "livro@localhost"

# The hosts webhooks may be sent to, with commas: an address of any other is refused.
WEBHOOK_HOSTS = [h for h in os.environ.get("WEBHOOK_HOSTS", "").lower().split(",") if h]

# What a reconciliation calls the program that judged; '' for a digest of its modules.
CODE_VERSION = os.environ.get("CODE_VERSION", "")
# Where the signer publishes what everybody may read: the newest checkpoint, and the keys.
BOOK_PUBLIC = os.environ.get("BOOK_PUBLIC", "")
# Where witnesses' answers are laid for the signer, and the file that says who they are and where
# they are asked (C2SP tlog-policy): empty, nobody is asked.
COSIGNATURES = os.environ.get("COSIGNATURES", "")
WITNESSES = os.environ.get("WITNESSES", "")
# Who may mirror the book over HTTP, by token; "1": everybody may read its checkpoint and hashes,
# which reveal how much is recorded and when.
MIRROR_TOKENS = mirrors_from(setting("MIRROR_TOKENS"))
MIRROR_OPEN = os.environ.get("MIRROR_OPEN") == "1"
# Who the reports are of, as their head names them.
CASINO_NAME = os.environ.get("CASINO_NAME", "")
CONCESSION_HOLDER = os.environ.get("CONCESSION_HOLDER", "")
CASINO_PLACE = os.environ.get("CASINO_PLACE", "")  # where its letters are written
# To whom they are, in another country than Portugal: its inspection service, by its name.
INSPECTION_SERVICE = os.environ.get("INSPECTION_SERVICE", "")
# The time-stamping authority of the reports' seals (RFC 3161 over HTTP), and the file (PEM) with
# its own certificates: a token of any other is refused. Without an address there is no time stamp.
TSA_URL = os.environ.get("TSA_URL", "")
TSA_CERTIFICATES = os.environ.get("TSA_CERTIFICATES", "")
# A folder with lists of revoked certificates (*.crl, renewed by a job of the house): with them, and
# with an authority, seals are made for the archive (PAdES B-LTA); a revoked seal is refused.
SEAL_CRLS = os.environ.get("SEAL_CRLS", "")
SEAL_PATIENCE = 20.0  # seconds a job waits for the signer before it is sent again
# How many rounds a worker judges at one go: some seconds of the plain engine on a busy machine.
ROUNDS_IN_PART = number("ROUNDS_IN_PART", 4_000)

# The house's day begins at this local time: what happens after midnight is of the evening before.
HOUSE_TIME_ZONE = "Europe/Lisbon"
HOUSE_DAY_STARTS = "08:00"

# Machines ask for tokens by client credentials alone; secrets and tokens are kept as hashes.
OAUTH2_PROVIDER = {
    "OAUTH2_SERVER_CLASS": "oauthlib.oauth2.BackendApplicationServer",
    "SCOPES_BACKEND_CLASS": "casino.api.machine_tokens.ScopesOfClients",
    "ACCESS_TOKEN_EXPIRE_SECONDS": 15 * 60,
    # Only client credentials are granted: nobody is sent anywhere, and no token is renewed.
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https"],
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    **{
        f"COMPLIANT_BCP_RFC9700_{gate}": True
        for gate in (
            *("IMPLICIT_GRANT", "PASSWORD_GRANT", "PKCE_METHOD", "ACCESS_TOKEN_TRANSPORT"),
            *("AUTHZ_RESPONSE_ISS", "TOKEN_STORAGE", "REFRESH_TOKEN"),
        )
    },
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Livro da Sala",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"docExpansion": "none", "deepLinking": True},
    "POSTPROCESSING_HOOKS": ["casino.api.openapi.with_components"],
    "ENABLE_DJANGO_DEPLOY_CHECK": False,
}

# Tables of other packages, by what they are to the book (every own model says it itself).
TABLE_CATEGORIES = {
    "django_admin_log": "operational",
    "auth_group": "operational",
    "auth_group_permissions": "operational",
    "auth_permission": "operational",
    "casino_account_groups": "operational",
    "casino_account_user_permissions": "operational",
    "django_content_type": "operational",
    "django_session": "operational",
    "django_migrations": "operational",
    "oauth2_provider_accesstoken": "operational",
    "oauth2_provider_application": "operational",
    "oauth2_provider_devicegrant": "operational",
    "oauth2_provider_grant": "operational",
    "oauth2_provider_idtoken": "operational",
    "oauth2_provider_refreshtoken": "operational",
}

# After how long without a touch a tablet of the floor is locked; timedelta(0) for never.
HOUSE_TABLET_LOCKS = timedelta(minutes=10)
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
# How long the house allows itself where its rulebooks state nothing: to settle an incident, to make
# known a deck that is not whole, to answer a complaint about no game. Recordings are destroyed in
# thirty days (Lei do Jogo, art. 52); "warned" is how long before somebody is told. A letter is sent
# within "letter" of its making, and its receipt is on record within "receipt" of that.
HOUSE_DEADLINES = {
    "incident": timedelta(hours=24),
    "notice": timedelta(hours=24),
    "complaint": timedelta(days=15),
    "footage": timedelta(days=30),
    "warned": timedelta(days=3),
    "letter": timedelta(hours=24),
    "receipt": timedelta(days=10),
    # Since a figure of the law was last compared with its text.
    "figures": timedelta(days=number("FIGURES_DAYS", 365)),
    "draw": timedelta(days=7),  # from a commitment to a draw until those who oversee are told
}
# How long the house allows itself to explain a finding, by its gravity, and to pay what is owed by
# a decision; what is not here waits for as long as it takes.
HOUSE_CASES = {
    "breach": timedelta(days=5),
    "deviation": timedelta(days=10),
    "warning": timedelta(days=30),
    "paid": timedelta(days=10),
}
# By gravity: after so long an explanation nobody gave is also on the list of this office, and in
# its mail; what is overdue all who look after the floor are told of.
HOUSE_CASES_RISE = {
    "breach": {"fiscal_chefe": timedelta(0), "chefia_da_sala": timedelta(hours=1)},
    "deviation": {"chefia_da_sala": timedelta(days=1)},
}
# Which offices are told by mail of what, and whether always or on duty alone. A fiscal de banca is
# told at his table: mail speaks of all tables. What is "critical": breaches, and sums from here on.
HOUSE_ALERTS = {
    "critical": {"inspetor": "always", "auditor": "always"},
    "case": {"fiscal_chefe": "on_duty", "chefia_da_sala": "always"},
    "due": {"fiscal_chefe": "on_duty", "chefia_da_sala": "always"},
    "late": {"chefia_da_sala": "always", "inspetor": "always", "auditor": "always"},
    "integrity": {"inspetor": "always", "auditor": "always", "administrador": "always"},
    "silent": {"inspetor": "always", "auditor": "always", "administrador": "always"},
    "draw": {"inspetor": "always"},
    "digest": {"chefia_da_sala": "always", "inspetor": "always", "auditor": "always"},
}
HOUSE_ALERTS_FROM_CENTS = 50_000
# Nobody gets two mails with alerts within this time: what comes meanwhile is in the next one.
HOUSE_ALERTS_APART = timedelta(minutes=10)
# When the digest of the night leaves, by the house's clock; where the night is not reconciled by
# then, at most an hour later.
HOUSE_DIGEST_AT = "09:30"
# So long without a look of the watch, or with a job that is due and not sent, is an alert.
HOUSE_SILENT_AFTER = timedelta(minutes=15)
# For so long after a page was shown its buttons record nothing: a second tap falls on what is shown
# next, and nobody has read that yet.
SHIELD_SECONDS = 1.0
# From each day on: from how many cents the winner of a prize is identified (Lei 83/2017).
HOUSE_IDENTIFIES_FROM = {"2017-09-17": 200_000}
# What `make doctor` last found of the machine, for the administrator's page; '' where none is.
HOST_REPORT = os.environ.get("HOST_REPORT", "")
# What a monitoring system shows at /metrics; without one an administrador's session alone opens it.
METRICS_TOKEN = refuse_known(setting("METRICS_TOKEN"), "METRICS_TOKEN")
if METRICS_TOKEN and len(METRICS_TOKEN) < 32:
    raise ImproperlyConfigured("METRICS_TOKEN: 32 characters at least (docs/monitoring.md).")
# A folder of rulebooks of the house's own, beside those of the program (docs/law.md).
RULEBOOKS = os.environ.get("RULEBOOKS", "")
ROOT_URLCONF = "casino.urls"
# A house to train in, with a book of its own (docs/operations.md); and where there is one for this
# house, to which the floor's entrance then leads.
TRAINING = os.environ.get("TRAINING") == "1"
HOUSE_TRAINING = os.environ.get("HOUSE_TRAINING", "")
if HOUSE_TRAINING and not HOUSE_TRAINING.startswith(("https://", "http://127.0.0.1:")):
    raise ImproperlyConfigured(
        f"HOUSE_TRAINING: found {HOUSE_TRAINING!r}; it is an address that begins with https://, or"
        " http://127.0.0.1:8100/ on this machine."
    )
if TRAINING:
    for _outward in ("MAIL_HOST", "WEBHOOK_HOSTS", "TSA_URL", "OIDC_ISSUER", "HOUSE_TRAINING"):
        if os.environ.get(_outward):
            raise ImproperlyConfigured(
                f"{_outward}: found with TRAINING=1. Nothing of a training house leaves it, and"
                " nobody outside is asked: leave it out."
            )
    CASINO_NAME = f"TREINO · {CASINO_NAME}"
    ROOT_URLCONF = "casino.training.training_urls"
    # Behind the one that compresses.
    _gzip = MIDDLEWARE.index("django.middleware.gzip.GZipMiddleware")
    MIDDLEWARE.insert(_gzip + 1, "casino.training.every_page.every_page")
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"
X_FRAME_OPTIONS = "DENY"

# Whoever asks without HTTPS is sent on to it, and no cookie travels without. The server in front
# says how it was asked (gunicorn --forwarded-allow-ips).
HTTPS = os.environ.get("HTTPS", "0" if DEBUG else "1") != "0"
SECURE_SSL_REDIRECT = HTTPS
if HTTPS and not SECOND_FACTOR and not DEBUG:
    raise ImproperlyConfigured(
        "SECOND_FACTOR: found 0; a house that others reach (HTTPS) asks everybody for a second"
        " factor. Leave it out, or serve on the loopback address alone (HTTPS=0)."
    )
# Programs on the machine itself ask there how the house is; nobody logs in at these addresses.
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|readyz/records|metrics)$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SECURE = HTTPS
# Under such a name a browser takes a cookie from this very host alone, over HTTPS, for all of it.
_COOKIE = "__Host-" if HTTPS else ""
SESSION_COOKIE_NAME = f"{_COOKIE}sessionid"
CSRF_COOKIE_NAME = f"{_COOKIE}csrftoken"
LANGUAGE_COOKIE_NAME = f"{_COOKIE}django_language"
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "casino.floor.persons.floor_entrance.without_cookies"
SESSION_COOKIE_AGE = 12 * 3600  # seconds: an evening; some offices have less (HOUSE_SESSIONS)
SESSION_EXPIRE_AT_BROWSER_CLOSE = True

# With STATIC_ROOT, `collectstatic` puts every file there under a name made of its content, to be
# kept by browsers for ever; without it they are served from where they lie.
STATIC_URL = "static/"
STATIC_ROOT = os.environ.get("STATIC_ROOT") or None
_SERVED_BY = (
    "CompressedManifestStaticFilesStorage" if STATIC_ROOT else "CompressedStaticFilesStorage"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": f"whitenoise.storage.{_SERVED_BY}"},
}
WHITENOISE_USE_FINDERS = not STATIC_ROOT
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_MIMETYPES = {".webmanifest": "application/manifest+json"}
WSGI_APPLICATION = "casino.wsgi.application"

# One database, a connection for each of its roles (casino/local/roles.sql): a process is given the
# addresses of those it needs, and without a password none of the others lets it in. Never connected
# by the commands that work on files.
# A service has an address of its own role; whoever types a command has `app`'s.
_BOOKS = {"DATABASE_URL": "app"} | {
    f"{role.upper()}_DATABASE_URL": role for role in ("web", "worker", "watch")
}
_BOOK = next((variable for variable in _BOOKS if setting(variable)), "DATABASE_URL")
DATABASES = {
    alias: database_from(setting(variable, f"postgres://{role}@127.0.0.1/casino"), variable)
    for alias, variable, role in (
        ("default", _BOOK, _BOOKS[_BOOK]),
        ("owner", "OWNER_DATABASE_URL", "owner"),
        ("sequencer", "SEQUENCER_DATABASE_URL", "sequencer"),
        ("reader", "READER_DATABASE_URL", "reader"),
    )
}
if _machines := setting("MACHINES_DATABASE_URL"):  # casino/api/machines_connection.py
    DATABASES["machines"] = database_from(_machines, "MACHINES_DATABASE_URL")
for _each in DATABASES.values():  # a server that does not even refuse is not waited for
    _each["OPTIONS"].setdefault("connect_timeout", "5")
# Pages and jobs ask the same statements all evening: the server plans each once a connection.
for _alias in {"default", "machines"} & set(DATABASES):
    DATABASES[_alias]["OPTIONS"] |= {"server_side_binding": True, "prepare_threshold": 5}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Every stored moment is UTC; a gaming day is the house's local date, worked out once per partida.
USE_TZ = True
TIME_ZONE = "UTC"

USE_I18N = True
LANGUAGE_CODE = "pt-pt"
LANGUAGES = [
    ("pt-pt", "Português"),
    ("en", "English"),
    ("es", "Español"),
    ("fr", "Français"),
]
FLOOR_LANGUAGES = ["pt-pt", "en"]  # all of the house; the others are an inspector's
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["casino.formats"]
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"

# One line an event, to whoever looks after the process: nothing rotates, nothing is sent anywhere.
# For people ("text"), or an object of JSON for whatever gathers lines ("json").
LOG_FORMAT = os.environ.get("LOG_FORMAT") or "text"
if LOG_FORMAT not in FORMATS:
    raise ImproperlyConfigured(f"LOG_FORMAT: found {LOG_FORMAT!r}; it is json or text.")
_TO_SYSLOG = to_syslog(os.environ.get("SYSLOG", ""))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": "casino.logs.log_lines.lines"}},
    "filters": {"a_line": {"()": "casino.security_log.ALine"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}, **_TO_SYSLOG},
    "root": {"handlers": ["stderr", *_TO_SYSLOG], "level": "INFO"},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        # What is refused is a line, and no page of the log.
        "django.request": {"handlers": [], "filters": ["a_line"], "propagate": True},
        # Whoever asks for another house's name gets a 400, and no page of the log.
        "django.security.DisallowedHost": {"handlers": [], "level": "CRITICAL"},
    },
}

# A job counts as done only when its effect stands in the database: a worker that dies hands it
# back, so every job must bear running twice. docs/operations.md says what each of these is for.
# (The queue of `make run` is pgmq://, a casino in earnest uses RabbitMQ, amqp://.)


def broker_options(broker: str, visibility: int) -> dict[str, object]:
    """What each kind of broker is told: "pgmq", "redis", else RabbitMQ.

    `visibility`, in seconds: how long a message that a worker has taken stays hidden from the
    others where the broker cannot see that the worker is gone. Longer than any job may take.
    """
    if broker == "pgmq":
        return {
            "visibility_timeout": visibility,
            "init_extension": False,
            # Waiting inside the database would make each queue wait for the one before it.
            "wait_time_seconds": 0,
            "polling_interval": 0.25,
            "pool_size": 4,
            "pool_timeout": 5,
        }
    if broker in ("redis", "rediss"):
        return {
            "visibility_timeout": visibility,
            "socket_timeout": 5,
            "health_check_interval": 25,
        }
    # Asked once: who sends holds the job's row meanwhile (casino.tasks), and tries again himself.
    once = {"max_retries": 1, "interval_start": 0, "interval_step": 0, "interval_max": 0}
    return {"confirm_publish": True, **once}


CELERY_BROKER_URL = setting("BROKER_URL", "amqp://127.0.0.1//")
refuse_known(unquote(urlsplit(CELERY_BROKER_URL).password or ""), "BROKER_URL")
_BROKER = urlsplit(CELERY_BROKER_URL).scheme
if _BROKER == "amqps":  # a queue that shows no certificate of its name is not spoken to
    CELERY_BROKER_USE_SSL = {
        "ca_certs": os.environ.get("BROKER_CA") or None,  # else the system's
        "cert_reqs": CERT_REQUIRED,
        "server_hostname": urlsplit(CELERY_BROKER_URL).hostname,
    }
_VISIBILITY = number("BROKER_VISIBILITY", 90)
CELERY_BROKER_TRANSPORT_OPTIONS = broker_options(_BROKER, _VISIBILITY)
CELERY_BROKER_CONNECTION_TIMEOUT = 2  # seconds: less than anybody waits for a job's row
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker as long as it takes
CELERY_TASK_PUBLISH_RETRY = False  # casino.tasks tries again by itself
# pgmq cannot carry a worker's answers; RabbitMQ can (`celery inspect`).
CELERY_WORKER_ENABLE_REMOTE_CONTROL = _BROKER != "pgmq"

# `book`: short, and somebody waits. `reports`: long, and nobody waits. A job sent to a queue nobody
# reads would be lost without a word: other names are refused.
CELERY_TASK_CREATE_MISSING_QUEUES = False
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_QUEUES = {
    name: {
        "exchange": name,
        "routing_key": name,
        "queue_arguments": ({"x-queue-type": "quorum"} if _BROKER in ("amqp", "amqps") else None),
    }
    for name in ("book", "default", "reports")
}
CELERY_TASK_ROUTES = {
    name: {"queue": "book", "routing_key": "book"}
    for name in (
        "casino.tasks.publish_outbox",
        "casino.tasks.write_held",
        "audit.tasks.look_what_is_due",
        "audit.tasks.look_at_the_floor",
    )
}

CELERY_TASK_ROUTES["audit.document_tasks.make_report"] = {
    "queue": "reports",
    "routing_key": "reports",
}

CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_ACKS_ON_FAILURE = True  # the outbox sends it again; a rejected message would be gone
CELERY_TASK_ACKS_ON_TIMEOUT = True
CELERY_TASK_SOFT_TIME_LIMIT = 50  # seconds
CELERY_TASK_TIME_LIMIT = 60  # seconds
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_ENABLE_UTC = True
CELERY_TIMEZONE = TIME_ZONE
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_LOST_WAIT = 2  # seconds until a child that was killed is missed: it owes no result
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 30  # seconds
CELERY_WORKER_ENABLE_SOFT_SHUTDOWN_ON_IDLE = True
CELERY_WORKER_MAX_TASKS_PER_CHILD = 200
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 600_000  # KiB

# In UTC, and often: the job asks what is due, which has a key, so that a second beat does nothing.
CELERY_BEAT_SCHEDULE: dict[str, dict[str, object]] = {
    "look-what-is-due": {
        "task": "audit.tasks.look_what_is_due",
        "schedule": number("BEAT_SECONDS", 300),
    },
    # What a game owes is said within five minutes, two of them for whoever types a little late: it
    # is not asked less often than this. A look nobody got to is the next one's.
    "look-at-the-floor": {
        "task": "audit.tasks.look_at_the_floor",
        "schedule": min(number("FLOOR_SECONDS", 120), 150),
        "options": {"expires": 110},
    },
    # The outbox has a loop of its own (`manage.py outbox`); this is its watchdog.
    "publish-outbox": {"task": "casino.tasks.publish_outbox", "schedule": 60},
    "forget-done-jobs": {"task": "casino.tasks.forget_done_jobs", "schedule": 24 * 3600},
    "ask-witnesses": {
        "task": "audit.tasks.ask_witnesses",
        "schedule": 15,
        "options": {"expires": 14},
    },
    "send-mail": {"task": "audit.tasks.send_mail", "schedule": 60, "options": {"expires": 55}},
    "propose-erasures": {"task": "audit.tasks.propose_erasures", "schedule": 24 * 3600},
    "heartbeat": {"task": "casino.heartbeat", "schedule": 30, "options": {"expires": 60}},
}
