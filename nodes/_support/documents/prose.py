"""Turns plain or Markdown-like text into safe HTML. Must not know tools or pages.

Understood: `#` headings, a first line without end mark, lists, `>` quotes, fenced code, `---`, **bold**, *italic*,
`code`, [links](https://...), bare addresses. Everything else, tags too, is shown as it is written. Only http, https
and mailto links are made.
"""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from nodes._support.language.sentences import ends, paragraphs

_FENCE = re.compile(r"^```[^\n]*\n(.*?)(?:^```[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r"\s*(?:[-*+•‣]|(\d{1,3})[.)])\s+(.*)")
_INLINE = re.compile(
    r"`(?P<code>[^`\n]+)`|\[(?P<label>[^\[\]\n]{1,300})\]\((?P<target>[^()\s]{1,2000})\)"
    r"|(?P<address>https?://[^\s<>\"'“”]*[^\s<>\"'“”.,;:!?)\]}])"
    r"|\*\*(?=\S)(?P<bold>[^\n]{1,2000}?)(?<=\S)\*\*|(?<![\w*])[*](?=[^\s*])(?P<italic>[^*\n]{1,2000}?)(?<=\S)[*](?![\w*])"
)
_SAFE = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)


def html_of(text: str, level: int = 2) -> Markup:
    """The text as HTML blocks; the highest heading becomes <h`level`>."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    out: list[Markup] = []
    end = 0
    top = min(map(len, re.findall(r"(?m)^\s{0,3}(#{1,6})\s+\S", _FENCE.sub("", text))), default=1)
    for match in _FENCE.finditer(text):
        out += _blocks(text[end : match.start()], level, top)
        out.append(Markup("<pre><code>{}</code></pre>").format(match[1].rstrip("\n")))
        end = match.end()
    out += _blocks(text[end:], level, top)
    return Markup("\n").join(out)


def split_title(text: str) -> tuple[str, str]:
    """(title, rest): the heading with which a text begins, "" when it begins with none, and what follows."""
    first, _, rest = text.strip().partition("\n")
    first = first.strip()
    if first.startswith("#"):
        return _plain(first.lstrip("# ")), rest.strip()
    alone = rest.startswith("\n") and rest.strip()
    if first and len(first) <= 90 and not ends(first) and alone and not _ITEM.match(first):
        return _plain(first), rest.strip()
    return "", text.strip()


def inline(text: str, depth: int = 0) -> Markup:
    """One line with its bold, italic, code and links."""
    out, end = Markup(), 0
    for match in _INLINE.finditer(text):
        out += escape(text[end : match.start()]) + _mark(match, depth)
        end = match.end()
    return out + escape(text[end:])


def _mark(match: re.Match[str], depth: int) -> Markup:
    if depth > 3:
        return escape(match.group())
    if match["code"]:
        return Markup("<code>{}</code>").format(match["code"])
    if match["label"]:
        if not _SAFE.match(match["target"]):
            return escape(match.group())
        return Markup('<a href="{}" rel="noopener noreferrer">{}</a>').format(
            match["target"], inline(match["label"], 4)
        )
    if match["address"]:
        return Markup('<a href="{0}" rel="noopener noreferrer">{0}</a>').format(match["address"])
    if match["bold"]:
        return Markup("<strong>{}</strong>").format(inline(match["bold"], depth + 1))
    return Markup("<em>{}</em>").format(inline(match["italic"], depth + 1))


def _plain(line: str) -> str:
    return re.sub(r"[*`]+|\[([^\]]*)\]\([^)]*\)", r"\1", line).strip()


def _blocks(text: str, level: int, top: int) -> list[Markup]:
    found: list[Markup] = []
    blocks = [block for block in re.split(r"\n[ \t\u3000]*\n+", text) if block.strip()]
    for i, block in enumerate(blocks):
        followed = i + 1 < len(blocks) and not _is_title(blocks[i + 1])
        if _is_title(block) and followed and len(blocks) > 2:
            found.append(_heading(_plain(block), level))
        else:
            found += _lines(block, level, top)
    return found


def _is_title(block: str) -> bool:
    """A single short line that neither ends like a sentence nor has marks of its own."""
    line = block.strip()
    plain = not ends(line) and not _ITEM.match(line) and line[0] not in "#>|-*`" and any(c.isalpha() for c in line)
    return "\n" not in line and len(line) <= 70 and plain and line[-1] not in ",，、"


def _heading(text: str, level: int) -> Markup:
    number = min(level, 6)
    return Markup("<h{}>{}</h{}>").format(number, inline(text), number)


def _lines(block: str, level: int, top: int) -> list[Markup]:
    """One block as HTML: its lines are grouped by kind, in order."""
    groups: list[tuple[str, list[str]]] = []
    for line in block.strip("\n").split("\n"):
        kind = _kind(line, groups[-1][0] if groups else "")
        if groups and groups[-1][0] == kind and kind not in ("heading", "rule"):
            groups[-1][1].append(line)
        else:
            groups.append((kind, [line]))
    return [_group(kind, lines, level, top) for kind, lines in groups]


def _kind(line: str, before: str) -> str:
    if re.match(r"\s{0,3}#{1,6}\s+\S", line):
        return "heading"
    if re.fullmatch(r"\s*(?:[-*_]\s*){3,}", line):
        return "rule"
    if line.lstrip().startswith(">"):
        return "quote"
    item = _ITEM.match(line)
    if item:
        return "ordered" if item[1] else "list"
    return before if before in ("list", "ordered") and line.startswith(("  ", "\t")) else "text"


def _group(kind: str, lines: list[str], level: int, top: int) -> Markup:
    if kind == "heading":
        marks = len(lines[0].strip()) - len(lines[0].strip().lstrip("#"))
        return _heading(lines[0].strip().strip("# "), level + marks - top)
    if kind == "rule":
        return Markup("<hr>")
    if kind == "quote":
        inner = "\n".join(re.sub(r"^\s*>\s?", "", line) for line in lines)
        return Markup("<blockquote>{}</blockquote>").format(_paragraph(inner))
    if kind in ("list", "ordered"):
        return _list(kind, lines)
    return _paragraph("\n".join(lines))


def _list(kind: str, lines: list[str]) -> Markup:
    items: list[str] = []
    first = "1"
    for line in lines:
        match = _ITEM.match(line)
        if match:
            first = match[1] or first if not items else first
            items.append(match[2])
        else:
            items[-1] += " " + line.strip()
    body = Markup("\n").join(Markup("<li>{}</li>").format(inline(item)) for item in items)
    if kind == "list":
        return Markup("<ul>\n{}\n</ul>").format(body)
    start = Markup(' start="{}"').format(int(first)) if first != "1" else Markup()
    return Markup("<ol{}>\n{}\n</ol>").format(start, body)


def _paragraph(text: str) -> Markup:
    return Markup("<p>{}</p>").format(Markup("<br>\n").join(inline(line) for line in paragraphs(text)))
