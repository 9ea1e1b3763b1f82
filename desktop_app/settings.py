"""What the user has chosen, kept in settings.json in the program's folder. Keys of services never go there."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, fields
from typing import Any

from desktop_app.errors import StorageError
from desktop_app.paths import home

STRATEGIES = ("greedy", "beam", "adaptive", "exhaustive")


@dataclass(frozen=True)
class Settings:
    """`theme` is dark or light; `scale` 1.0 to 2.0; `strategy` one of STRATEGIES.

    `llm_url` is the base URL of an OpenAI-compatible server, "" for none; `llm_seconds` the time it may take.
    """

    theme: str = "dark"
    scale: float = 1.0
    strategy: str = "adaptive"
    llm_url: str = ""
    llm_model: str = ""
    llm_seconds: float = 60.0


def load() -> Settings:
    """The saved settings, with the environment on top; defaults for what is missing or of the wrong kind."""
    path = home() / "settings.json"
    try:
        saved = json.loads(path.read_text("utf-8")) if path.exists() else {}
    except (OSError, ValueError):
        saved = {}
    known = {field.name: type(field.default) for field in fields(Settings)}
    values: dict[str, Any] = {}
    for name, value in saved.items() if isinstance(saved, dict) else ():
        number = isinstance(value, int | float) and known.get(name) is float
        if isinstance(value, known.get(name, ())) or number:
            values[name] = value
    for name, variable in (("llm_url", "GRAPHWRIGHT_LLM_URL"), ("llm_model", "GRAPHWRIGHT_LLM_MODEL")):
        if os.environ.get(variable):
            values[name] = os.environ[variable]
    return Settings(**values)


def save(settings: Settings) -> None:
    """Raises StorageError when the file cannot be written."""
    path = home() / "settings.json"
    try:
        path.write_text(json.dumps(asdict(settings), indent=1), "utf-8")
    except OSError as error:
        raise StorageError(f"The settings could not be saved to {path}: {error.strerror}.", "") from error


def api_key() -> str:
    """The key of the language model's server, from the environment; "" when there is none."""
    return os.environ.get("GRAPHWRIGHT_API_KEY") or os.environ.get("OPENAI_API_KEY") or ""
