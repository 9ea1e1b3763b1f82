"""A stranger's page as the little HTML that may be shown: known tags, shallow, bounded, without anything to load.

Reads the tags as a stream, so that deep or broken pages do no harm. Must not know tools.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable

MOST_CHARACTERS = 100_000
MOST_TAGS = 3_000
DEEPEST = 24
DEEPEST_TABLE = 3
"""Deeper tables cost Qt time that doubles with each level; what is in them is shown without them."""
MOST_PICTURES = 40

_DROPPED = frozenset(
    """script style template noscript svg math canvas iframe object embed audio video select datalist head form
    button frameset applet""".split()  # noqa: SIM905
)
_KEPT = frozenset(
    """p div h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table tr td th thead tbody caption blockquote pre code b strong i em u
    s sub sup small big br hr a span center""".split()  # noqa: SIM905
)
_EMPTY = frozenset(("br", "hr"))
_TABLE = frozenset(("table", "tr", "td", "th", "thead", "tbody", "caption"))
_MOST_SPAN = 12
_LONG_WORD = re.compile(r"(\S{400})(?=\S)")
"""Qt takes seconds for a word of 200,000 characters that may not break."""

Reencode = Callable[[str], str]


def shown_html(page: str, picture: Reencode | None = None) -> str:
    """The page as HTML of the tags above. Links are kept to http and https only.

    `picture` gives for a `data:` address one of a picture made anew, or "" when it is not to be shown; other pictures
    are replaced by their words.
    """
    from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

    page = re.sub(r"^\s*<\?xml[^>]*\?>", "", page.replace("\x00", ""))
    if not page.strip():
        return ""
    writer = _Writer(picture)
    parser = etree.HTMLParser(target=writer, recover=True, no_network=True, remove_comments=True, huge_tree=True)
    try:
        parser.feed(page)
        return parser.close()
    except etree.XMLSyntaxError:
        return writer.close()


class _Writer:
    """Receives start, end and data of a parser and writes what is kept."""

    def __init__(self, picture: Reencode | None) -> None:
        self._picture = picture
        self._parts: list[str] = []
        self._words: list[str] = []
        self._open: list[str] = []
        self._inside: list[str] = []
        self._tags = self._length = self._pictures = self._skipped_tables = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._inside:
            self._inside += [tag] if self._inside[-1] == tag else []
        elif tag in _DROPPED or "hidden" in attributes:
            self._inside.append(tag)
        elif tag == "img":
            self._image(attributes)
        elif tag in _KEPT:
            self._keep(tag, attributes)

    def end(self, tag: str) -> None:
        if self._inside:
            if self._inside[-1] == tag:
                self._inside.pop()
        elif tag == "table" and self._skipped_tables:
            self._skipped_tables -= 1
        elif tag in self._open and not (self._skipped_tables and tag in _TABLE):
            while True:
                last = self._open.pop()
                self._put(f"</{last}>")
                if last == tag:
                    break

    def data(self, data: str) -> None:
        if self._inside or self._length >= MOST_CHARACTERS:
            return
        data = data[: MOST_CHARACTERS - self._length]
        self._length += len(data)
        self._words.append(data)

    def close(self) -> str:
        self._put("")
        ends = [f"</{tag}>" for tag in reversed(self._open)]
        self._open = []
        return "".join([*self._parts, *ends])

    def _put(self, mark: str) -> None:
        """Adds a tag after the words that came before it; they come in pieces."""
        if self._words:
            self._parts.append(html.escape(_LONG_WORD.sub("\\1\u200b", "".join(self._words))))
            self._words = []
        self._parts.append(mark)

    def _keep(self, tag: str, attributes: dict[str, str]) -> None:
        deep = tag == "table" and self._open.count("table") >= DEEPEST_TABLE
        if deep or (self._skipped_tables and tag in _TABLE):
            self._skipped_tables += tag == "table"
            self._put(" ")
            return
        self._tags += 1
        if self._tags > MOST_TAGS or len(self._open) >= DEEPEST:
            self._put(" ")
            return
        self._put(f"<{tag}{''.join(_attributes(tag, attributes))}>")
        if tag not in _EMPTY:
            self._open.append(tag)

    def _image(self, attributes: dict[str, str]) -> None:
        source = (attributes.get("src") or "").strip()
        if self._picture and source[:5].lower() == "data:" and self._pictures < MOST_PICTURES:
            self._pictures += 1
            made = self._picture(source)
            if made:
                self._put(f'<img src="{html.escape(made)}">')
                return
        words = (attributes.get("alt") or "").strip()
        if words:
            self.data(f" [{words}] ")


def _attributes(tag: str, attributes: dict[str, str]) -> Iterable[str]:
    address = (attributes.get("href") or "").strip()
    if tag == "a" and re.match(r"https?://", address, re.IGNORECASE):
        yield f' href="{html.escape(address)}"'
    span = (attributes.get("colspan") or "").strip()
    if tag in ("td", "th") and re.fullmatch(r"[0-9]{1,2}", span) and 1 < int(span) <= _MOST_SPAN:
        yield f' colspan="{int(span)}"'
