"""A photograph as a tablet's camera gives it, and the places of a form it is put into."""

import base64
from typing import Any

from playwright.sync_api import Page

DRAWN = """() => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2600, 1900];
  const g = canvas.getContext("2d");
  const box = (colour, ...at) => { g.fillStyle = colour; g.fillRect(...at); };
  box("#1b3a2a", 0, 0, 2600, 1900);
  for (let i = 0; i < 9000; i++) {
    box(`hsl(${i % 360} 40% 40%)`, (i * 7919) % 2600, (i * 104729) % 1900, 9, 9);
  }
  box("#fff", 700, 250, 1000, 1400);
  g.fillStyle = "#b3261e";
  g.font = "700px serif";
  g.fillText("7\u2665", 780, 1150);
  box("#1b3a2a", 1300, 1300, 400, 350);
  return canvas.toDataURL("image/jpeg", 0.95).split(",")[1];
}"""


def taken(page: Page, name: str = "IMG_0001.jpg") -> dict[str, Any]:
    """A photograph as a camera gives it, larger than is sent."""
    content = base64.b64decode(page.evaluate(DRAWN))
    return {"name": name, "mimeType": "image/jpeg", "buffer": content}


def place(page: Page, n: int = 0) -> Any:
    return page.locator(".photograph input[type=file]").nth(n)
