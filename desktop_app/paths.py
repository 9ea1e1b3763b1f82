"""Where things lie on this computer. `GRAPHWRIGHT_HOME` moves everything the program writes."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

PROJECT = Path(__file__).resolve().parent.parent
RESOURCES = PROJECT / "resources"


def home() -> Path:
    """The folder of everything the program writes; made when it is missing."""
    chosen = os.environ.get("GRAPHWRIGHT_HOME")
    folder = Path(chosen) if chosen else user_data_path("graphwright", appauthor=False)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
