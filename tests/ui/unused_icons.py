"""Lists the icons that no tool and no panel names; with --delete removes them: python -m tests.ui.unused_icons"""

from __future__ import annotations

import re
import sys

from desktop_app.core.paths import PROJECT
from desktop_app.ui.theme import icons

_OWN = ("-white", "-grey")


def unused() -> list[str]:
    """Names of icons that stand in no source, style sheet or data file as a quoted word."""
    named: set[str] = {"box", "logo"}
    for folder in ("desktop_app", "nodes", "resources", "tests"):
        for path in (PROJECT / folder).rglob("*"):
            if path.suffix in (".py", ".json", ".toml", ".qss"):
                named.update(re.findall(r"[\"'(]([a-z0-9-]+)[\"')]", path.read_text("utf-8")))
    here = sorted(path.stem for path in icons.FOLDER.glob("*.svg"))
    return [name for name in here if name not in named and not name.endswith(_OWN)]


if __name__ == "__main__":
    for name in unused():
        print(name)
        if "--delete" in sys.argv:
            (icons.FOLDER / f"{name}.svg").unlink()
