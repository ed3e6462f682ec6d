# The house in a container. Every service of compose.yaml is this image with a command of its own;
# the commands that work on files need nothing else:
#     docker build -t livro-da-sala .
#     docker run --rm -v "$PWD:/data" livro-da-sala reconcile_file /data/rounds.jsonl --rulebook pt
# A tag may be given another image; docs/operations.md pins it by digest, as this argument.
ARG PYTHON_IMAGE=python:3.11-slim-bookworm
FROM ${PYTHON_IMAGE}

ENV PYTHONUNBUFFERED=1 STATIC_ROOT=/srv/static
WORKDIR /srv/livro

# pg_dump and pg_restore, which `backup` and `restore_check` call: Debian's, of the server's version.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client-15 \
    && rm -rf /var/lib/apt/lists/*

# Before the code, so that a change of code installs nothing again. Without the embedded server.
COPY requirements/server.txt requirements/
RUN pip install --no-cache-dir --require-hashes --requirement requirements/server.txt

# A named user: the programs of PostgreSQL refuse a uid without a name. The signer has one of its own,
# and the folders that its volumes begin as.
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin livro \
    && useradd --uid 10002 --create-home --shell /usr/sbin/nologin signer \
    && install --directory --owner=signer --group=signer --mode=0700 /srv/signer \
    && install --directory --owner=signer --group=signer --mode=0755 /srv/public \
    && install --directory --owner=signer --group=livro --mode=0775 /srv/cosignatures

COPY manage.py ./
COPY casino casino
COPY jackpot jackpot
COPY audit audit
COPY locale locale

# All that is written is written here, as root: the program can change neither its code nor its
# style sheets.
RUN python -m compileall -q manage.py casino jackpot audit \
    && python manage.py collectstatic --noinput --verbosity=0
ENV PYTHONDONTWRITEBYTECODE=1

# What a reconciliation calls the program that judged.
ARG CODE_VERSION=""
ENV CODE_VERSION=$CODE_VERSION

USER livro
# Which service this is; compose.yaml says it too.
ENV SERVICE=web
HEALTHCHECK --interval=30s --timeout=15s --start-period=60s \
    CMD ["sh", "-c", "python manage.py healthy \"$SERVICE\""]
ENTRYPOINT ["python", "manage.py"]
CMD ["help"]
