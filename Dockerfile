# The commands of the house in a container:
#     docker build -t livro-da-sala .
#     docker run --rm -v "$PWD:/data" livro-da-sala reconcile_file /data/rounds.jsonl --rulebook pt
FROM python:3.11-slim-bookworm

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
WORKDIR /srv/livro

# Before the code, so that a change of code installs nothing again.
COPY requirements.txt ./
RUN pip install --no-cache-dir --require-hashes --requirement requirements.txt

# A named user: database programs started later refuse a uid without a name. The program writes
# nothing to its own folder.
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin livro

COPY manage.py ./
COPY casino casino
COPY jackpot jackpot
COPY audit audit
COPY locale locale

USER livro
ENTRYPOINT ["python", "manage.py"]
CMD ["help"]
