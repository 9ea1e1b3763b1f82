"""What the user has chosen, kept in settings.json in the program's folder. Keys of services never go there."""

from __future__ import annotations

import functools
import json
import os
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from desktop_app.core.errors import StorageError
from desktop_app.core.paths import alone, home
from nodes.phrase import Phrase

STRATEGIES = ("greedy", "beam", "adaptive", "exhaustive")
CONNECTED = ("first", "after local", "never")
OPENAI, HUGGING_FACE = "openai", "hugging face"
ENDPOINTS = {
    "images": (OPENAI, HUGGING_FACE), "edits": (OPENAI, HUGGING_FACE), "speech": (OPENAI, HUGGING_FACE),
    "transcription": (OPENAI, HUGGING_FACE), "classification": (HUGGING_FACE,), "detection": (HUGGING_FACE,),
}  # fmt: skip
"""What a service on a server can do for tools, and the protocols that know it."""
PLAN_MODES = ("solutions", "task list", "pipeline", "step by step")
LANGUAGES = ("", "en", "zh")
EFFORTS = ("", "minimal", "low", "medium", "high")
VARIABLES = {"llm_url": "GRAPHWRIGHT_LLM_URL", "llm_model": "GRAPHWRIGHT_LLM_MODEL"}
"""Settings that a variable of the environment overrides. What it says is never saved."""
LOCAL = "local"
"""As `llm_url`: the model runs on this computer, and `llm_model` is its id in the catalogue ("" for the best there)."""
_MOST_AMOUNT = 1e6
"""Of seconds (eleven days) and gigabytes (a thousand terabytes): beyond it the numbers of the system end."""
_LEAST_AMOUNT = 1e-3
_MOST_COUNT = 10**9
KEY_VARIABLES = ("GRAPHWRIGHT_API_KEY", "OPENAI_API_KEY")


@dataclass(frozen=True)
class Settings:
    """`theme` is dark or light; `scale` 1.0 to 2.0; `strategy` one of STRATEGIES; `language` one of LANGUAGES, "" for
    that of the system.

    `llm_url` is the base URL of an OpenAI-compatible server, LOCAL, or "" for none; `llm_seconds` for how
    long it may be silent, `llm_total_seconds` how long one reply may take in all; `llm_effort` one of EFFORTS ("" for
    the model's own), `llm_context` how many tokens it can be told, 0 to ask the server; `llm_prices` US dollars for a
    million tokens (sent, received) by model, before those of resources/prices.toml.
    `cache_gb` is how much results may take on disk, in units of 2^30 bytes; `idle_seconds` for how long models that
    nobody uses stay in memory, 0 for ever. `plan_mode` is one of PLAN_MODES. Step by step, a request ends after
    `step_most` steps, `step_seconds` or `step_tokens`, and `step_approval` asks before each step. With
    `embed_workflow` results are saved with the workflow that made them. `outside_allowed` are the ids of tools that
    may reach outside this computer without asking. For an answer a language model is told what stands in texts and
    tables only with `tell_contents`. With `try_next_way` a result that is not as asked lets the next alternative run.
    `connected`, one of CONNECTED, says when tools let it do their work.
    `mcp_servers` are programs whose tools are ours too, by name: {"command", "args", "env"}. `endpoints` are
    services that tools may let work, by one of ENDPOINTS: {"url", "model", "protocol", "voice"?}. `offline`: no
    model is fetched or looked for. Models lie in `models_folder`, "" for that of the program, and come from
    `models_mirror`, "" for the Hugging Face hub. A download of more than `ask_gb`, in units of 10^9 bytes, and a run
    of more than `ask_minutes` want a word of the user first; 0 for never.
    """

    theme: str = "dark"
    scale: float = 1.0
    strategy: str = "adaptive"
    llm_url: str = ""
    llm_model: str = ""
    llm_seconds: float = 60.0
    llm_total_seconds: float = 300.0
    llm_effort: str = ""
    llm_context: int = 0
    llm_prices: Mapping[str, Sequence[float]] = field(default_factory=dict)
    cache_gb: float = 20.0
    idle_seconds: float = 600.0
    plan_mode: str = "solutions"
    step_most: int = 12
    step_seconds: float = 300.0
    step_tokens: int = 120_000
    step_approval: bool = False
    language: str = ""
    embed_workflow: bool = True
    outside_allowed: tuple[str, ...] = ()
    tell_contents: bool = True
    try_next_way: bool = False
    offline: bool = False
    models_folder: str = ""
    models_mirror: str = ""
    ask_gb: float = 2.0
    ask_minutes: float = 10.0
    connected: str = "after local"
    mcp_servers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    endpoints: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def load() -> Settings:
    """The saved settings, with the environment on top."""
    return replace(saved(), **{name: value for name in VARIABLES if (value := override(name))})


def now() -> Settings:
    """As `saved`; cheap enough to be asked for each model, as the file is read again only when it has changed."""
    path = home() / "settings.json"
    try:
        about = path.stat()
    except OSError:
        return Settings()
    return _saved_at(path, about.st_mtime_ns, about.st_size, about.st_ino)


@functools.lru_cache(maxsize=4)
def _saved_at(_path: Path, *_stamp: int) -> Settings:
    return saved()


def saved() -> Settings:
    """The settings as they are in the file; defaults for what is missing or of the wrong kind."""
    path = home() / "settings.json"
    try:
        data = json.loads(path.read_text("utf-8")) if path.exists() else {}
    except (OSError, ValueError, RecursionError):
        data = {}
    values = data if isinstance(data, dict) else {}
    allowed = values.get("outside_allowed")
    if isinstance(allowed, list) and all(isinstance(one, str) for one in allowed):
        values = {**values, "outside_allowed": tuple(allowed)}
    return Settings(**{f.name: values[f.name] for f in fields(Settings) if _fits(f.name, values.get(f.name))})


def override(name: str) -> str:
    """What the environment says for a setting, "" when nothing."""
    return os.environ.get(VARIABLES.get(name, ""), "")


def has_login(url: str) -> bool:
    """True for an address with a user name or password in it."""
    return "@" in url.partition("://")[2].partition("/")[0]


def shown(url: str) -> str:
    """The address as it may be shown and written down: without user name, password, and what follows a question mark,
    which may be a key.
    """
    scheme, mark, rest = url.partition("://")
    host, slash, path = re.split(r"[?#]", rest, maxsplit=1)[0].partition("/")
    return f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}" if mark else url.rpartition("@")[2]


def save(settings: Settings) -> None:
    """Keeps settings that come from `saved`. Raises StorageError when the file cannot be written."""
    path = home() / "settings.json"
    try:
        handle, writing = tempfile.mkstemp(dir=path.parent, prefix=".settings-")  # for this user only, and its own name
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(json.dumps(asdict(settings), indent=1))
            os.replace(writing, path)
        except BaseException:
            Path(writing).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StorageError(
            Phrase("The settings could not be saved to {path}: {error}.", path=path, error=error.strerror), ""
        ) from error


def change(**values: Any) -> Settings:
    """Keeps some settings and leaves the others as they were saved; returns what `load` gives now.

    Raises StorageError when the file cannot be written.
    """
    with alone(home() / "settings.json"):
        save(replace(saved(), **values))
    return load()


def _fits(name: str, value: Any) -> bool:
    flag = isinstance(getattr(Settings, name, None), bool)
    if flag or isinstance(value, bool):  # else true were the number 1
        return flag and isinstance(value, bool)
    return _KINDS.get(name, lambda one: isinstance(one, str))(value)


def _within(least: float, most: float, kind: Any = (int, float)) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind) and least <= value <= most


def _is_server(about: Any) -> bool:
    return (
        isinstance(about, dict) and isinstance(about.get("command"), str) and isinstance(about.get("args", []), list)
        and isinstance(about.get("env", {}), dict)
    )  # fmt: skip


def _is_endpoint(service: str, about: Any) -> bool:
    return (
        isinstance(about, dict) and all(isinstance(one, str) for one in about.values()) and bool(about.get("url"))
        and about.get("protocol") in ENDPOINTS.get(service, ())
    )  # fmt: skip


def _is_price(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(
        isinstance(one, int | float) and not isinstance(one, bool) and 0 <= one <= _MOST_AMOUNT for one in value
    )  # fmt: skip


_KINDS: Mapping[str, Callable[[Any], bool]] = {
    "mcp_servers": lambda value: isinstance(value, dict) and all(map(_is_server, value.values())),
    "endpoints": lambda value: isinstance(value, dict) and all(_is_endpoint(*one) for one in value.items()),
    "llm_prices": lambda value: isinstance(value, dict) and all(map(_is_price, value.values())),
    "outside_allowed": lambda value: isinstance(value, tuple),
    "theme": ("dark", "light").__contains__, "language": LANGUAGES.__contains__, "connected": CONNECTED.__contains__,
    "llm_effort": EFFORTS.__contains__, "strategy": STRATEGIES.__contains__, "plan_mode": PLAN_MODES.__contains__,
    "llm_context": _within(0, _MOST_COUNT, int), "scale": _within(1.0, 2.0),
    **dict.fromkeys(("step_most", "step_tokens"), _within(1, _MOST_COUNT, int)),
    **dict.fromkeys(
        ("llm_seconds", "llm_total_seconds", "cache_gb", "step_seconds"), _within(_LEAST_AMOUNT, _MOST_AMOUNT)
    ),
    **dict.fromkeys(("idle_seconds", "ask_gb", "ask_minutes"), _within(0, _MOST_AMOUNT)),
}  # fmt: skip
"""What a saved value has to be; the others are texts, or flags."""
