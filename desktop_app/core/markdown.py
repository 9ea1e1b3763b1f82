"""Words that are shown as they are where Markdown is. Knows nothing of what they are about."""

from __future__ import annotations

import re

_MEANS_SOMETHING = re.compile(r"[\\`\[\]<]")
_ESCAPED = re.compile(r"\\([\\`\[\]<])")


def literal(text: str) -> str:
    """What comes from files and tools in a form in which Markdown shows it as it is: no links, pictures or HTML.

    Spaces at the beginning of a line do not make it code, in which what is escaped here would be seen.
    """
    words = text.lstrip(" \t")
    before = "\u00a0" * len(text[: len(text) - len(words)].expandtabs(4)) if len(words) < len(text) else ""
    return before + _MEANS_SOMETHING.sub(r"\\\g<0>", words)


def plain(answer: str) -> str:
    """An answer without the signs that `literal` put in, for where Markdown is not shown."""
    return _ESCAPED.sub(r"\1", answer)
