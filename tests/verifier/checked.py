"""Verifying in the tests' own process, and asking what was found."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from audit.verifier.report import BAD_INPUT, BadInput, Line, Report
from audit.verifier.verify import verify
from audit.verifier.words import SEVERITY


class Found(NamedTuple):
    """What a verification came to: the exit code, and what it recorded besides notes."""

    code: int
    lines: list[Line]
    report: Report

    @property
    def codes(self) -> set[str]:
        """The codes of everything that is no note."""
        return {line.code for line in self.lines}

    @property
    def notes(self) -> set[str]:
        """The codes of the notes."""
        return {code for code in self.report.counts if SEVERITY[code] == "note"}

    def files(self) -> set[str]:
        """The files that are named."""
        named = (line.file for line in self.lines if line.file)
        return {each for file in named for each in file.split(", ")}

    def indices(self) -> set[int]:
        """The entries that are named."""
        return {line.index for line in self.lines if line.index is not None}


def checked(
    place: Path,
    *,
    policy: str | None = None,
    receipts: Sequence[str] = (),
    older: Sequence[str] = (),
    **also: Any,
) -> Found:
    """Verify what lies at a place. The policy, receipts and older checkpoints are texts."""
    beside = place.with_name(f"{place.name}.beside")
    beside.mkdir(exist_ok=True)
    report = Report()
    files = {f"older{n}": text for n, text in enumerate(older)}
    if policy is not None:
        files["policy"] = policy
    for name, text in files.items():
        (beside / name).write_text(text, "utf-8", newline="")
    try:
        verify(
            str(place),
            report,
            policy=str(beside / "policy") if policy is not None else None,
            receipts=receipts,
            older=[str(beside / name) for name in files if name.startswith("older")],
            **also,
        )
    except BadInput as refusal:
        return Found(BAD_INPUT, [Line(refusal.code, file=refusal.file)], report)
    lines = [line for line in report.lines if SEVERITY[line.code] != "note"]
    return Found(report.verdict(), lines, report)


def put_back(place: Path, files: Mapping[str, bytes], name: str) -> None:
    """A file as it was."""
    (place / name).write_bytes(files[name])
