"""The floor on a tablet's home screen: its name, its icons, its colours."""

import json
import re
import struct
from typing import Any, Final

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from casino.web.display.tokens import tokens

AT: Final = "/static/casino/"


def dark(name: str) -> str:
    """A token as it is in the dark: so is the bar in either theme."""
    return re.findall(r"#\w{6}", tokens()[0][name])[1]


def manifest() -> dict[str, Any]:
    answer = Client().get(f"{AT}sala.webmanifest")
    said, policy, text = answer["Content-Type"], answer["Content-Security-Policy"], b"".join(answer)
    answer.close()
    assert said.split(";")[0] == "application/manifest+json"
    assert "manifest-src 'self'" in policy
    found: dict[str, Any] = json.loads(text)
    return found


def test_it_starts_on_the_floor_without_the_browser_around_it() -> None:
    said = manifest()
    assert (said["start_url"], said["display"]) == ("/sala/", "standalone")
    assert said["background_color"] == dark("--paper")
    assert said["theme_color"] == dark("--frame")


def test_every_icon_is_as_large_as_it_says() -> None:
    icons = manifest()["icons"]
    assert {one.get("purpose", "any") for one in icons} == {"any", "maskable"}
    for one in icons:
        path: Any = finders.find(f"casino/{one['src']}")
        with open(path, "rb") as file:
            head = file.read(24)
        wide, high = struct.unpack(">II", head[16:24])
        assert head.startswith(b"\x89PNG")
        assert f"{wide}x{high}" == one["sizes"]


@pytest.mark.django_db
def test_a_page_of_the_floor_names_them_and_the_colour_of_its_bar() -> None:
    page = Client().get("/sala/").content.decode()
    assert f'name="theme-color" content="{dark("--frame")}"' in page
    assert f'rel="manifest" href="{AT}sala.webmanifest"' in page
