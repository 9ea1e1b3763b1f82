"""Readable text out of HTML, without scripts, styles and tags. Must not know tools.

Reads the tags as a stream, so that deeply nested or broken pages do no harm; nothing in the page is run or loaded.
"""

from __future__ import annotations

import re

_DROPPED = frozenset(
    """script style template noscript svg math canvas iframe object embed audio video select datalist head form
    button""".split()  # noqa: SIM905
)
_CHROME = frozenset(("nav", "footer", "aside", "header"))
_BLOCKS = frozenset(
    """p div section article main h1 h2 h3 h4 h5 h6 ul ol dl dt dd table tr thead tbody caption blockquote pre figure
    figcaption address hr details summary fieldset header footer nav aside body center""".split()  # noqa: SIM905
)
_SPACED = _BLOCKS - frozenset(("dt", "dd", "tr", "thead", "tbody", "caption", "figcaption", "address", "summary"))


def text_of_html(html: str, main_only: bool = False) -> str:
    """The text of a page, blocks on their own lines, list items with "- ", table cells apart by tabs.

    `main_only` leaves out navigation, header, footer and side columns, unless nothing else is there.
    """
    from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

    html = re.sub(r"^\s*<\?xml[^>]*\?>", "", html.replace("\x00", ""))
    if not html.strip():
        return ""
    collector = _Collector(_DROPPED | _CHROME if main_only else _DROPPED)
    # lxml stops at a tree of 256 levels; a target gets the tags without a tree
    parser = etree.HTMLParser(target=collector, recover=True, no_network=True, remove_comments=True, huge_tree=True)
    try:
        parser.feed(html)
        text = parser.close()
    except etree.XMLSyntaxError:
        text = collector.close()
    return text_of_html(html) if main_only and not text else text


def title_of_html(html: str) -> str:
    """The page's title, else ""."""
    found = re.search(r"<title[^>]*>(.{0,500}?)</title>", html[:200_000], re.IGNORECASE | re.DOTALL)
    return " ".join(_unescaped(found[1]).split()) if found else ""


def _unescaped(text: str) -> str:
    import html

    return html.unescape(text)


# what stands between blocks while gathering: at least a new line, at least a blank line, a line end inside <pre>
_LINE, _BLANK, _KEPT = "\x1f", "\x1e", "\x1d"
_BREAKS = re.compile(f"[ \t]*[{_LINE}{_BLANK}\n][ \t{_LINE}{_BLANK}\n]*")


class _Collector:
    """Receives start, end and data of a parser and gathers text."""

    def __init__(self, dropped: frozenset[str]) -> None:
        self._dropped = dropped
        self._inside: list[str] = []
        self._parts: list[str] = []
        self._preformatted = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._inside:
            self._inside += [tag] if self._inside[-1] == tag else []
        elif tag in self._dropped or "hidden" in attributes:
            self._inside.append(tag)
        elif tag == "img" and (attributes.get("alt") or "").strip():
            self._parts.append(f" [{attributes['alt'].strip()}] ")
        else:
            self._parts.append({"br": "\n", "li": f"{_LINE}- ", "td": "\t", "th": "\t"}.get(tag, _break(tag)))
        self._preformatted += tag == "pre"

    def end(self, tag: str) -> None:
        self._preformatted -= tag == "pre" and self._preformatted > 0
        if not self._inside:
            self._parts.append(_break(tag))
        elif self._inside[-1] == tag:
            self._inside.pop()

    def data(self, data: str) -> None:
        if self._inside:
            return
        if self._preformatted:
            self._parts.append(data.replace("\n", _KEPT).replace(" ", "\u00a0"))
        else:
            self._parts.append(re.sub(r"\s+", " ", data.replace("\u00a0", " ")))

    def close(self) -> str:
        text = re.sub(" *\t *", "\t", re.sub(" {2,}", " ", "".join(self._parts)))
        text = _BREAKS.sub(lambda match: _newlines(match.group()), text)
        return text.replace(_KEPT, "\n").strip(" \t\n").replace("\u00a0", " ")


def _break(tag: str) -> str:
    return (_BLANK if tag in _SPACED else _LINE) if tag in _BLOCKS else ""


def _newlines(run: str) -> str:
    return "\n\n" if _BLANK in run or run.count("\n") > 1 else "\n"
