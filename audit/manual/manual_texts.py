"""Which manuals there are, of which chapters, and a chapter's Markdown as blocks of text.

A manual's chapters lie beside this module, in a folder of its language: a chapter begins with a
heading of the second level. Of Markdown there are headings, paragraphs, lists, tables, quotations
(a warning), pictures that stand alone, strong and emphasised text. HTML in it is text.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Final, TypedDict

from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

HERE: Final = Path(__file__).parent
PICTURES: Final = HERE.parent / "static" / "audit" / "manual"
_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True, slots=True)
class Manual:
    """One manual: its name in addresses, language, title, whom it is for, its chapters in order."""

    name: str
    language: str
    title: str
    offices: tuple[str, ...]
    chapters: tuple[str, ...]
    is_guide: bool = False


class Run(TypedDict):
    """A stretch of text that looks alike."""

    text: str
    tag: str  # "strong", "em", "code" or none


class Block(TypedDict, total=False):
    """A piece of a chapter; `kind` says which of the others it has."""

    kind: str  # heading, paragraph, list, table, note, picture
    level: int
    anchor: str
    runs: list[Run]
    ordered: bool
    start: int  # of an ordered list: the number it begins with
    items: list[list["Block"]]
    rows: list[list[list[Run]]]  # of a table; the first is its heading
    blocks: list["Block"]  # of a note
    picture: str
    alt: str


def _manuals(listed: Mapping[str, Any]) -> Iterator[Manual]:
    for name, said in listed.items():
        said |= {key: tuple(said[key]) for key in ("offices", "chapters")}
        yield Manual(name, **said)


_LISTED: Final = tomllib.loads((HERE / "manuals.toml").read_text("utf-8"))
CHAPTER: Final = 2  # the level of a chapter's heading
SCREENS: Final[Mapping[str, Sequence[str]]] = _LISTED.pop("screens")  # by chapter, its screens
MANUALS: Final = tuple(_manuals(_LISTED))
BY_NAME: Final[Mapping[str, Manual]] = {one.name: one for one in MANUALS}


def markdown_of(manual: Manual) -> str:
    """All its chapters, one after the other."""
    files = (HERE / manual.language / f"{name}.md" for name in manual.chapters)
    return "\n\n".join(file.read_text("utf-8").strip() for file in files)


@cache
def chapter_about(screen: str, offices: frozenset[str]) -> tuple[str, str] | None:
    """The manual and the anchor of the chapter about a screen of the floor: of the reader's own
    manual, where that has one; None where no chapter is about it.
    """
    about = [chapter for chapter, screens in SCREENS.items() if screen in screens]
    own_first = sorted(MANUALS, key=lambda one: offices.isdisjoint(one.offices))
    for manual, chapter in product((one for one in own_first if not one.is_guide), about):
        if chapter in manual.chapters:
            text = (HERE / manual.language / f"{chapter}.md").read_text("utf-8")
            return manual.name, parsed(text)[0]["anchor"]
    return None


@cache
def blocks_of(name: str) -> tuple[Block, ...]:
    """A manual's text. Raises: KeyError, where there is no such manual."""
    blocks = parsed(markdown_of(BY_NAME[name]))
    headings = [one for one in blocks if one["kind"] == "heading"]
    used = {one["anchor"] for one in headings if one["level"] == CHAPTER}
    for one in headings:
        if one["level"] != CHAPTER:
            while one["anchor"] in used:  # a chapter has its name for itself: links lead there
                one["anchor"] += "-2"
            used.add(one["anchor"])
    return tuple(blocks)


def parsed(markdown: str) -> list[Block]:
    """A text's blocks. Raises: ValueError, of what no page of a manual shows."""
    return list(_blocks(SyntaxTreeNode(_MARKDOWN.parse(markdown)).children))


@cache
def pictures_named() -> frozenset[str]:
    """The pictures of all manuals, by name."""
    return frozenset(
        block["picture"] for one in MANUALS for block in blocks_of(one.name) if "picture" in block
    )


def _blocks(nodes: Sequence[SyntaxTreeNode]) -> Iterator[Block]:
    for node in nodes:
        match node.type:
            case "heading":
                runs = list(_runs(node))
                anchor = slugify("".join(run["text"] for run in runs))
                yield {"kind": "heading", "level": int(node.tag[1]), "anchor": anchor, "runs": runs}
            case "paragraph":
                yield _paragraph(node)
            case "bullet_list" | "ordered_list":
                items = [list(_blocks(item.children)) for item in node.children]
                ordered, start = node.type == "ordered_list", int(node.attrs.get("start", 1))
                yield {"kind": "list", "ordered": ordered, "start": start, "items": items}
            case "blockquote":
                yield {"kind": "note", "blocks": list(_blocks(node.children))}
            case "table":
                rows = [
                    [list(_runs(cell)) for cell in row.children]
                    for part in node.children
                    for row in part.children
                ]
                yield {"kind": "table", "rows": rows}
            case other:
                raise ValueError(f"a manual has no {other}")


def _paragraph(node: SyntaxTreeNode) -> Block:
    inline = node.children[0]
    if [one.type for one in inline.children] == ["image"]:
        image = inline.children[0]
        name = str(image.attrs["src"]).removesuffix(".jpg")
        return {"kind": "picture", "picture": name, "alt": image.content}
    return {"kind": "paragraph", "runs": list(_runs(node))}


def _runs(node: SyntaxTreeNode, tag: str = "") -> Iterator[Run]:
    for one in node.children:
        match one.type:
            case "inline":
                yield from _runs(one, tag)
            case "text":
                yield {"text": one.content, "tag": tag}
            case "code_inline":
                yield {"text": one.content, "tag": "code"}
            case "softbreak" | "hardbreak":
                yield {"text": " ", "tag": tag}
            case "strong" | "em":
                yield from _runs(one, one.type)
            case other:
                raise ValueError(f"a manual's sentence has no {other}")
