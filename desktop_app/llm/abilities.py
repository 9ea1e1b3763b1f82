"""What a server and its model can do: known beforehand of some, asked, and learnt from what they refuse; once for each,
and kept from start to start.

Must not know what is asked of the model.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from desktop_app.core import remembered
from desktop_app.core.paths import place
from desktop_app.llm.token_usage import Price

HERE = ("localhost", "127.0.0.1", "::1")
"""Servers on this computer."""
UNKNOWN_CONTEXT = 32_768
"""Tokens that are taken to fit where neither the settings nor the server says."""
_FILE = "abilities.json"
_DAYS = 30
"""After so many days everything is tried again: servers learn."""
_SECONDS = 3.0
_LENGTHS = (
    "loaded_context_length", "context_length", "max_model_len", "max_context_length", "context_window", "n_ctx",
    "inputTokenLimit", "max_input_tokens", "max_tokens_in",
)  # fmt: skip
"""What servers call the context, the surest first: LM Studio, OpenRouter and Ollama, vLLM, Mistral, Groq, llama.cpp."""


_FORMATS = ("schema", "object", "text")


@dataclass(frozen=True)
class Preset:
    """A server that many people have. `context` in tokens, 0 where it has to be asked for; `lacks` are fields of a
    request that it refuses or ignores, `formats` the forms of a structured reply that it knows, the best first.
    """

    name: str
    url: str
    context: int = 0
    lacks: frozenset[str] = frozenset()
    formats: tuple[str, ...] = _FORMATS


PRESETS = (
    Preset("OpenAI", "https://api.openai.com/v1", 128_000),
    Preset("Anthropic", "https://api.anthropic.com/v1", 200_000, frozenset({"stream_options"}), ("text",)),
    Preset("Gemini", "https://generativelanguage.googleapis.com/v1beta/openai", 1_000_000),
    Preset("OpenRouter", "https://openrouter.ai/api/v1"),
    Preset("Mistral", "https://api.mistral.ai/v1", 128_000, frozenset({"stream_options", "reasoning_effort"})),
    Preset("Ollama", "http://localhost:11434/v1", 4096),
    Preset("LM Studio", "http://localhost:1234/v1"),
    Preset("llama.cpp", "http://localhost:8080/v1"),
    Preset("vLLM", "http://localhost:8000/v1"),
)
"""Ollama gives a model 4,096 tokens over this protocol unless the server was started with another length."""
REFUSING = re.compile(
    r"unsupported|not supported|unknown|unrecogni[sz]ed|not permitted|not allowed|unexpected|invalid|does not support"
    r"|not implemented|extra inputs|support",
    re.IGNORECASE,
)


def preset_of(url: str) -> Preset | None:
    """The preset of a server, by its address; ports count on this computer alone."""
    parts = urlsplit(url)
    return next((one for one in PRESETS if urlsplit(one.url).netloc == parts.netloc or _is_here(one, parts)), None)


def _is_here(preset: Preset, parts: Any) -> bool:
    known = urlsplit(preset.url)
    return known.hostname == "localhost" and parts.hostname in ("127.0.0.1", "::1") and known.port == parts.port


@dataclass
class Abilities:
    """Of one model on one server; changes as it refuses things. `context` is 0 while it was not asked for, `sees` None
    while that was not tried, `price` None where the server says none.
    """

    formats: list[str] = field(default_factory=lambda: list(_FORMATS))
    lacks: set[str] = field(default_factory=set)
    context: int = 0
    sees: bool | None = None
    price: Price | None = None
    key: str = ""
    since: float = field(default_factory=time.time)

    def keep(self) -> None:
        """Keeps them for the next start. How much a server on this computer is told depends on how it was started."""
        here = urlsplit(self.key).hostname in HERE
        price = [self.price.sent, self.price.received] if self.price else None
        found = {"formats": self.formats, "lacks": sorted(self.lacks), "context": 0 if here else self.context,
                 "sees": self.sees, "price": price, "since": self.since}  # fmt: skip
        remembered.keep(_FILE, self.key, found)

    def lack(self, name: str) -> None:
        """Remembers a field that the server does not know."""
        self.lacks.add(name)
        self.keep()

    def gives_up(self, complaint: str, fields: Collection[str]) -> bool:
        """Remembers the first of the fields that a complaint names as one that the server does not know; false when it
        names none: then it complains of something else.
        """
        if not REFUSING.search(complaint):
            return False
        if "response_format" in fields and any(word in complaint for word in _FORMAT_WORDS):
            self.formats.pop(0)
            self.keep()
            return True
        named = next((one for one in fields if one in complaint and one != "response_format"), "")
        if named:
            self.lack(named)
        return bool(named)


_FORMAT_WORDS = ("response_format", "json_schema", "json_object", "structured output", "guided", "grammar")
_KNOWN: dict[tuple[str, str], Abilities] = {}
"""By the program's folder, and by server and model."""


def abilities(url: str, model: str) -> Abilities:
    """What is known so far; the same for all who talk to that model there."""
    key = _key(url, model)
    if (str(place()), key) not in _KNOWN:
        kept = remembered.everything(_FILE).get(key)
        found = _read_back(kept) if isinstance(kept, dict) else None
        found = found or _fresh(url)
        found.key = key
        _KNOWN[str(place()), key] = found
    return _KNOWN[str(place()), key]


def forget(url: str) -> None:
    """What was learnt of a server: the next request tries everything again."""
    for (_, key), known in _KNOWN.items():
        if key.startswith(_key(url, "")):
            vars(known).update(vars(_fresh(url)), key=key)  # those who talk to it have it already
    for key in remembered.everything(_FILE):
        if key.startswith(_key(url, "")):
            remembered.keep(_FILE, key, None)


def _fresh(url: str) -> Abilities:
    preset = preset_of(url)
    return Abilities(list(preset.formats), set(preset.lacks)) if preset else Abilities()


def _key(url: str, model: str) -> str:
    """The server, without user name and password, and the model."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.rstrip('/')} {model}"


def _read_back(kept: Mapping[str, Any]) -> Abilities | None:
    """None for what is too old, or of another form."""
    try:
        since = float(kept["since"])
        formats = [one for one in kept["formats"] if one in _FORMATS]
        price = Price(*map(float, kept["price"])) if kept["price"] else None
        sees = kept["sees"] if isinstance(kept["sees"], bool) else None
        found = Abilities(formats, set(map(str, kept["lacks"])), int(kept["context"]), sees, price, since=since)
    except (KeyError, TypeError, ValueError):
        return None
    return found if formats and 0 <= time.time() - since < _DAYS * 86_400 else None


def context_of(url: str, model: str, key: str = "") -> int:
    """The tokens that fit, as the server says, or as is known of it. Waits for the network, so it is called on a
    thread. Never raises. What the server says that the model costs is remembered.
    """
    preset = preset_of(url)
    if preset is not None and preset.context and preset.name != "Ollama":
        return preset.context
    learnt = abilities(url, model)
    root = url.rstrip("/").removesuffix("/v1")
    for address in (f"{root}/api/ps", f"{url.rstrip('/')}/models", f"{root}/api/v0/models", f"{root}/props"):
        for entry in _entries(_read(address, key), model):
            learnt.price = learnt.price or _priced(entry.get("pricing"))
            length = next((entry[name] for name in _LENGTHS if isinstance(entry.get(name), int)), 0)
            if length >= 512:
                return length
    return preset.context if preset is not None and preset.context else UNKNOWN_CONTEXT


def _priced(pricing: Any) -> Price | None:
    """Dollars for a token as text, as OpenRouter has it."""
    try:
        sent, received = float(pricing["prompt"]), float(pricing["completion"])
    except (KeyError, TypeError, ValueError):
        return None
    return Price(sent * 1e6, received * 1e6) if 0 <= sent < 1 and 0 <= received < 1 else None


def _entries(data: Any, model: str) -> Iterator[dict[str, Any]]:
    """Objects that may tell of the model: its entry in a list, with what stands in it, or the whole."""
    if not isinstance(data, dict):
        return
    listed = data.get("data") or data.get("models")
    if isinstance(listed, list):
        for one in listed:
            if isinstance(one, dict) and model in (one.get("id"), one.get("name"), one.get("model")):
                yield one
                yield from (value for value in one.values() if isinstance(value, dict))
        return
    settings = data.get("default_generation_settings")
    if isinstance(settings, dict):
        yield settings


def _read(address: str, key: str) -> Any:
    from desktop_app.llm import model_listing  # here: the first window does without a client of HTTP

    with suppress(Exception):  # a stranger's server: whatever it answers, the default counts then
        return model_listing.asked(address, key, _SECONDS)
    return None
