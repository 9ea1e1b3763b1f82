"""Which pages of a document are meant by words such as "1-3, 5, last". Must not know tools."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nodes.api import NodeError, Phrase

_PAGE = r"(\d{1,9}|first|last|end)"
_RANGE = re.compile(rf"{_PAGE}?\s*(?:-|–|—|~|\bto\b)\s*{_PAGE}?")
_FORM = "Write them as 1-3, 5."


def numbers(pages: str, total: int, name: str, backwards: bool = False) -> Iterator[int]:
    """The numbers, from 1, in a document of `total` pages that is called `name`; a page may come twice.

    Pages are numbers and ranges apart by commas: "1-3, 5", "4-" to the end, "last"; `backwards` takes "3-1"
    too. Raises NodeError naming `pages`.
    """
    parts = re.split(r"[,;，、\s]+(?:and\b)?\s*|\band\b", _plain(pages))
    for part in filter(None, parts):
        first, last = _ends(part, total)
        beyond = next((number for number in (first, last) if not 1 <= number <= total), None)
        if beyond is not None:
            said = Phrase("{name} has no page {number}.", name=name, number=beyond)
            raise NodeError(said, "pages", Phrase("Choose a page from 1 to {total}.", total=total))
        if last < first and not backwards:
            raise NodeError(Phrase("Page {last} lies before page {first}.", last=last, first=first), "pages", _FORM)
        yield from range(first, last + 1) if first <= last else range(first, last - 1, -1)


def chosen(pages: str, total: int, name: str) -> list[int]:
    """As `numbers`, each once and in the order of the document; all of them where no page is named."""
    return sorted(set(numbers(pages, total, name))) if pages.strip() else [*range(1, total + 1)]


def _plain(pages: str) -> str:
    """Without the words that may stand beside numbers, and each range in one piece."""
    text = re.sub(r"\b(pages?|pp?\.|the)\b", " ", pages.lower())
    return _RANGE.sub(lambda found: f" {found[1] or ''}-{found[2] or ''} ", text).strip()


def _ends(part: str, total: int) -> tuple[int, int]:
    """The first and the last page of a range or of a single page. Raises NodeError for what is neither."""
    named = {"first": 1, "last": total, "end": total}
    ends = part.split("-")
    if not all(not end or end in named or (end.isdecimal() and len(end) < 10) for end in ends) or part == "-":
        raise NodeError(Phrase("'{part}' is no page.", part=part), "pages", _FORM)
    numbers = [named.get(end) or int(end or 0) for end in ends]
    if len(numbers) == 1:
        return numbers[0], numbers[0]
    return (numbers[0] if ends[0] else 1), (numbers[-1] if ends[-1] else total)
