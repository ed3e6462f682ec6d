"""The witnesses of the log, asked over HTTP: each newest checkpoint is sent with its proof.

Source: C2SP tlog-witness v1.0.0. Who they are and where they are asked stands in the file WITNESSES
names (`witness name key https://...`); their answers are laid for the signer, which judges them
itself and keeps them (`casino/signer/cosigning.py`). Nothing here is waited for by whoever records:
a witness that is away is asked again, and after a while that is a finding, as is one that refuses.
"""

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Final

from django.conf import settings

from audit.runs import house_checks, keys
from audit.runs.advisory_locks import alone
from audit.runs.current_findings import cured, raise_findings, supersede
from audit.runs.house_findings import by_key, house_finding
from audit.runs.numbering import number
from audit.verifying.phase import fetch
from audit.verifying.report_verification import figure, of_the_book
from casino import clock, sealed
from casino.bounded_http import Answer, Site, Unanswered
from casino.house_day import gaming_day_now
from casino.sealed import Sealed
from casino.tlog.note import VerifierKey, parse_signature
from casino.tlog.policy import MOST_POLICY, Policy
from casino.tlog.strict import Unreadable
from casino.tlog.witness import MOST_ANSWER, PATH, SIZE_TYPE, AddCheckpoint, cosignature_in, size_in

log = logging.getLogger(__name__)

LATE: Final = timedelta(minutes=15)  # a checkpoint without a witness's signature
SKEW: Final = 100  # seconds; the signer takes 120
PATIENCE: Final = 5.0  # seconds for an answer: the next look is soon
TRIES: Final = 3  # sizes a witness may say it knows, in one look
CHECKS: Final = (house_checks.WITNESS_AGREES, house_checks.WITNESS_ANSWERS)

_LINES: Final = """
SELECT k.size, k.line FROM book_cosignature k WHERE k.line LIKE %s ORDER BY k.size DESC LIMIT 50
"""
_OLDEST_WITHOUT: Final = """
SELECT min(signed_at), min(signed_at) < clock_timestamp() - %s FROM book_checkpoint WHERE size > %s
"""


class Refusal(Exception):
    """A witness does not sign. `check` is the house's check that is not met by it."""

    def __init__(
        self, observed: Mapping[str, object], check: str = house_checks.WITNESS_ANSWERS
    ) -> None:
        self.observed, self.check = observed, check
        super().__init__(str(dict(observed)))

    def since(self, moment: datetime) -> "Refusal":
        """The same, of a witness that is late since then."""
        at = moment.isoformat(timespec="seconds")
        return Refusal({"unsigned_since": at, **self.observed}, self.check)


@dataclass(frozen=True, slots=True)
class LogWitness:
    """A witness that is asked: its name in the policy, its key, its address."""

    name: str
    key: VerifierKey
    url: str


def log_witnesses() -> list[LogWitness]:
    """Those with an address, in the order of the file; none, where no file says so or no folder
    takes their answers.

    Raises: Unreadable, OSError, for a file that is there and cannot be used.
    """
    if not (settings.COSIGNATURES and settings.WITNESSES and Path(settings.WITNESSES).exists()):
        return []
    with Path(settings.WITNESSES).open("rb") as file:
        policy = Policy.parse(file.read(MOST_POLICY + 1))
    return [LogWitness(name, policy.witnesses[name], url) for name, url in policy.addresses.items()]


def ask_all(now: datetime) -> int:
    """Send the newest checkpoint to each witness that has not signed it; how many signed now.

    What a witness refuses, or has not signed for too long, is raised; its signature cures it.
    """
    try:
        asked = log_witnesses()
    except (Unreadable, OSError) as error:
        log.warning("the witnesses are not asked: %s: %s", settings.WITNESSES, error)
        return 0
    newest = sealed.latest()
    if newest is None or not asked or any(Path(settings.COSIGNATURES).glob("*.line")):
        return 0  # what was laid waits for the signer: first that
    signed = 0
    refused: dict[str, Refusal | None] = {}
    for witness in asked:
        last = last_signed(witness.key)
        if last >= newest.size:
            continue
        try:
            lay(ask(witness, newest, last))
            signed += 1
        except Refusal as refusal:
            log.warning("witness %s: %s", witness.name, dict(refusal.observed))
            refused[witness.name] = _once_late(refusal, last)
    _write_down(now, refused)
    return signed


def _once_late(refusal: Refusal, last: int) -> Refusal | None:
    """What is to be raised: of a witness that is away, only once it has been for too long."""
    if refusal.check == house_checks.WITNESS_AGREES:
        return refusal
    ((since, late),) = fetch("default", _OLDEST_WITHOUT, LATE, last)
    return refusal.since(since) if late else None


def ask(witness: LogWitness, newest: Sealed, old: int) -> str:
    """The witness's line under a checkpoint. Raises: Refusal."""
    tree = sealed.tree(newest.size)
    try:
        with Site(witness.url, seconds=PATIENCE) as site:
            for _ in range(TRIES):
                request = AddCheckpoint(
                    old, tuple(tree.consistency(old)) if old else (), newest.note
                )
                answer = site.post(PATH, request.text().encode(), MOST_ANSWER)
                if answer.status != 409:
                    return _line_in(answer, witness, newest)
                sent, old = old, _known_to(answer, newest)
                if sent == old:  # how older witnesses say that they know another root
                    raise Refusal(_of(newest), house_checks.WITNESS_AGREES)
    except (Unanswered, ValueError) as error:  # unreadable, another signature, no proof to be made
        raise Refusal({"why": figure(error)}) from error
    raise Refusal({"why": "it says another size each time it is asked"})


def _line_in(answer: Answer, witness: LogWitness, newest: Sealed) -> str:
    if answer.status == 200:
        line, moment = cosignature_in(answer.body, newest.note, witness.key)
        if abs(moment - clock.now().timestamp()) > SKEW:
            raise Refusal({"why": "its clock or ours is wrong: its signature is dated otherwise"})
        return line
    if answer.status == 422:
        raise Refusal(_of(newest), house_checks.WITNESS_AGREES)
    raise Refusal({"why": _WHY.get(answer.status, f"answered {answer.status}")})


def _of(newest: Sealed) -> dict[str, object]:
    return {"size": newest.size, "root": newest.root.hex()}


_WHY: Final = {
    404: "answered 404: it does not know this log",
    403: "answered 403: it does not know the key the checkpoint is signed with",
    400: "answered 400: it cannot read the request",
}


def _known_to(answer: Answer, newest: Sealed) -> int:
    """The size a witness saw last. Raises: Refusal, for one we never signed; Unreadable."""
    if answer.content_type != SIZE_TYPE:
        raise Unreadable("answered 409 without the size it knows")
    size = size_in(answer.body)
    if size > newest.size:
        larger = {"size": newest.size, "known_size": size}
        raise Refusal(larger, house_checks.WITNESS_AGREES)
    return size


def last_signed(key: VerifierKey) -> int:
    """The largest size under which a witness's signature is kept; 0 for none."""
    for size, line in fetch("default", _LINES, f"— {_escaped(key.name)} %"):
        if parse_signature(line).key_id == key.key_id:
            return int(size)
    return 0


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def lay(line: str) -> None:
    """Lay a witness's line for the signer, which looks at it soon. Raises: Refusal."""
    name = f"{sha256(line.encode()).hexdigest()[:32]}.line"
    try:
        folder = Path(settings.COSIGNATURES)
        beside = folder / f".{name}.{os.getpid()}"
        beside.write_text(f"{line}\n", "utf-8")
        beside.rename(folder / name)
    except OSError as error:
        why = f"its signature could not be laid for the signer: {error.strerror}"
        raise Refusal({"why": why}) from error


def _write_down(now: datetime, refused: Mapping[str, Refusal | None]) -> None:
    """Raise what is not raised yet; cure what is raised of a witness that refuses nothing now."""
    with alone(house_checks.BOOK):
        rows = list(of_the_book().filter(check_name__in=CHECKS))
        well = [row for row in rows if row.where.get("witness") not in refused]
        supersede(keys.BOOK_WATCH, well, cured)
        there = {(row.check_name, row.where.get("witness")) for row in rows}
        found = [
            house_finding(one.check, gaming_day_now(), {"witness": name}, one.observed)
            for name, one in refused.items()
            if one is not None and (one.check, name) not in there
        ]
        number(keys.BOOK_WATCH, raise_findings(keys.BOOK_WATCH, now, by_key(found)))
