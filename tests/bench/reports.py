"""How long a sealed report takes, and how much memory: four pages, a hundred.

    python -m tests.bench.reports [--runs 5]

Without a database: a report is made up, its pages are made in a process of their own, as in the
worker, and sealed with a test certificate whose key lies here. What a house adds is the wait for
the sequencer and the signer, which look ten times a second. docs/benchmarks/reports.md keeps the
figures.
"""

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
os.environ.setdefault("DEBUG", "1")
os.environ.setdefault("SECRET_KEY", "bench")


def document(rows: int) -> bytes:
    """A report of so many rows."""
    from tests.factories.typeset_reports import report, row

    return report(
        [
            row(f"table/BJ-01 {n}, P-112, sabot 1", f"apostado {n},50, devolvido {n},00", n=n)
            for n in range(1, rows + 1)
        ]
    )


def proofs(rows: int) -> bytes:
    """As many proofs, each as long as one of a book of a million entries."""
    from casino.tlog.canonical import canonical

    listed = [
        {"entry": {"leaf": "c" * 64, "n": n, "stream": "table/BJ-01"}, "proof": "x" * 3_000}
        for n in range(1, rows + 1)
    ]
    return canonical({"format": "bench", "proofs": listed})


def once(rows: int) -> tuple[float, int, int]:
    """Seconds, pages and bytes of one report with its seal."""
    from audit.reports.pdf_seal import SealCertificate, completed, prepared
    from audit.reports.typesetting import typeset_volumes
    from casino.signer import document_seals
    from casino.signer.signer_places import Places

    made, proved = document(rows), proofs(rows)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        at = Places(home, home, home, None, "", "", None)
        document_seals.make_test_seal(at, "bench")
        seal = document_seals.load(at)
        assert seal is not None
        certificate = SealCertificate.of_pem(seal.published.encode())
        began, pages, size = time.perf_counter(), 0, 0
        digest = sha256(made).hexdigest()
        for volume in typeset_volumes(made, proved, digest, sealed=True):
            ready = prepared(volume.pdf, certificate, datetime.now(UTC), name="Selo")
            sealed = completed(ready, seal.sign(bytes.fromhex(ready.digest)), certificate)
            pages, size = pages + volume.pages, size + len(sealed)
        return time.perf_counter() - began, pages, size


def main() -> None:
    """Print a line for each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    import django

    django.setup()
    for rows in (200, 5_400):
        found = [once(rows) for _ in range(runs)]
        seconds = sorted(one[0] for one in found)
        child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        sys.stdout.write(
            json.dumps(
                {
                    "pages": found[0][1],
                    "bytes": found[0][2],
                    "median_s": round(seconds[len(seconds) // 2], 2),
                    "worst_s": round(seconds[-1], 2),
                    "memory_child_mb": child,
                    "memory_own_mb": own,
                }
            )
            + "\n"
        )


if __name__ == "__main__":
    main()
