"""The bill of materials names what the locks install, and nothing else."""

import json
import re
from pathlib import Path

import pytest

from casino.host.sbom import bill, pinned, write
from tests.gate import ROOT

LOCK = (ROOT / "requirements" / "server.txt").read_text("utf-8")


def test_every_package_of_the_lock_is_a_component(tmp_path: Path) -> None:
    files = write(ROOT, tmp_path)
    value = json.loads(files[0].read_text("utf-8"))
    assert (value["bomFormat"], value["specVersion"]) == ("CycloneDX", "1.5")
    named = {(one["name"], one["version"]) for one in value["components"]}
    assert named == set(re.findall(r"^([a-z0-9._-]+)(?:\[.*\])?==([^ ;]+)", LOCK, re.MULTILINE))
    assert all(
        one["purl"] == f"pkg:pypi/{one['name']}@{one['version']}" for one in value["components"]
    )
    digests = [each["value"] for one in value["components"] for each in one["properties"]]
    assert sorted(digests) == sorted(re.findall(r"sha256:([0-9a-f]{64})", LOCK))
    [of_house] = value["dependencies"]
    assert set(of_house["dependsOn"]) == {one["bom-ref"] for one in value["components"]}


def test_the_same_lock_gives_the_same_bytes_and_another_one_others() -> None:
    assert bill(LOCK) == bill(LOCK)
    other = LOCK.replace("gunicorn==", "gunicorn==9", 1)
    assert json.loads(bill(other))["serialNumber"] != json.loads(bill(LOCK))["serialNumber"]


def test_a_package_without_a_digest_is_refused() -> None:
    with pytest.raises(ValueError, match=r"segno 1\.0 is locked without a digest"):
        pinned("segno==1.0\n")
