"""What models exist, for the application: the catalogue of nodes/catalogue.py, with errors in words.

The user's own entries are written and taken back here.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from desktop_app.core.errors import BadRequest
from desktop_app.core.paths import home
from nodes.catalogue import OWN, SAFE_SUFFIXES, BadCatalogue, Model, catalogue, models_of, with_needs
from nodes.phrase import Phrase

__all__ = ["SAFE_SUFFIXES", "BadCatalogue", "Model", "catalogue", "find", "forget", "keep", "models_of",
           "with_needs"]  # fmt: skip


def find(id: str) -> Model:
    """The model of that id. Raises BadRequest."""
    model = catalogue().get(id)
    if model is None:
        raise BadRequest(Phrase("There is no model '{id}' in the catalogue.", id=id), "See: graphwright models list")
    return model


def keep(entry: Mapping[str, Any]) -> None:
    lines = ["", "[[model]]", *(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items())]
    _write(_own_text() + "\n".join(lines) + "\n")


def forget(id: str) -> None:
    """Takes that entry out of the user's own; the others stay as they are written."""
    entries = re.split(r"(?m)^(?=\[\[model\]\])", _own_text())
    _write("".join(entry for entry in entries if tomllib.loads(entry).get("model", [{}])[0].get("id") != id))


def _own_file() -> Path:
    return Path(os.environ.get(OWN) or home() / "models.toml")


def _own_text() -> str:
    path = _own_file()
    return path.read_text("utf-8") if path.exists() else "# Models that you added yourself.\n"


def _write(text: str) -> None:
    path = _own_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    writing = path.with_suffix(".writing")
    writing.write_text(text, "utf-8")
    os.replace(writing, path)
