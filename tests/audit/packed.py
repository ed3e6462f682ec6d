"""An evidence pack, from its being asked for to its files in a folder."""

import io
from pathlib import Path
from zipfile import ZipFile

from audit.models import Finding, ReportRequest
from tests.factories.reported import LIST, Desk


def made_pack(desk: Desk, pack: str = "finding", **more: str) -> ReportRequest:
    """A pack from its being asked for to its file; the signer works between two beginnings."""
    if pack == "finding" and "finding" not in more:
        more["finding"] = str(Finding.objects.order_by("n")[0].pk)
    row = desk.ask("manifest", pack=pack, **more)
    for _turn in range(6):
        row = desk.work(row)
        if row.state != "open":
            break
    return row


def zipped(desk: Desk, row: ReportRequest) -> bytes:
    """Its ZIP, as the browser gets it."""
    answer = desk.client.get(f"{LIST}{row.request}/0/")
    assert answer["Content-Type"] == "application/zip"
    data = b"".join(answer.streaming_content)  # type: ignore[arg-type]
    assert len(data) == int(answer["Content-Length"])
    return data


def unpacked(desk: Desk, row: ReportRequest, place: Path) -> Path:
    """Its files in a folder."""
    assert (row.state, row.refusal) == ("finished", "")
    with ZipFile(io.BytesIO(zipped(desk, row))) as archive:
        assert archive.testzip() is None
        archive.extractall(place)
    return place
