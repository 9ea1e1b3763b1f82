"""What works on this computer, what does not, and what to do about it."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
from dataclasses import dataclass

import psutil

from desktop_app.core.paths import home
from desktop_app.core.settings import LOCAL, Settings, shown
from desktop_app.llm import credentials
from desktop_app.models import store
from desktop_app.models.catalogue import catalogue
from nodes import Toolbox, confinement

_LOCAL_PACKAGES = ("torch", "transformers", "llguidance")


@dataclass(frozen=True)
class Finding:
    """`ok` is True, False, or None for "not needed, but more would work with it"."""

    name: str
    text: str
    ok: bool | None
    fix: str = ""


def examine(settings: Settings, toolbox: Toolbox) -> tuple[Finding, ...]:
    """Everything that can be seen from here without starting anything; takes some milliseconds."""
    return (
        _python(),
        _device(),
        _memory(),
        _disk(),
        _display(),
        _speech(),
        *_tools(toolbox),
        _bounds(),
        _planner(settings),
        _models(),
    )


def _python() -> Finding:
    return Finding("Python", f"{platform.python_version()} on {platform.system()} {platform.machine()}", True)


def _device() -> Finding:
    cores = psutil.cpu_count(logical=True) or 1
    gpu = shutil.which("nvidia-smi") is not None or (sys.platform == "darwin" and platform.machine() == "arm64")
    text = f"{cores} CPU core{'s' if cores > 1 else ''}, {'a GPU' if gpu else 'no GPU found'}"
    return Finding("Device", text, True, "" if gpu else "The built-in tools run on the CPU.")


def _memory() -> Finding:
    memory = psutil.virtual_memory()
    ok = memory.available > 1_000_000_000
    text = f"{memory.available / 1e9:.1f} of {memory.total / 1e9:.1f} GB free"
    return Finding("Memory", text, ok, "" if ok else "Close other programs; large pictures may fail.")


def _disk() -> Finding:
    free = shutil.disk_usage(home()).free
    ok = free > 500_000_000
    fix = "" if ok else "Free some space, or set GRAPHWRIGHT_HOME to a folder on another disk."
    return Finding("Disk", f"{free / 1e9:.1f} GB free for results in {home()}", ok, fix)


def has_display() -> bool:
    """True where a window can open."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _display() -> Finding:
    if not has_display():
        fix = "The window needs a desktop; 'graphwright ask' works without one."
        return Finding("Display", "none", None, fix)
    return Finding("Display", "there is one", True)


def _speech() -> Finding:
    if shutil.which("espeak-ng"):
        return Finding("Speech", "espeak-ng speaks text", True)
    return Finding("Speech", "espeak-ng is missing", False, "Install it: sudo apt-get install espeak-ng")


def _tools(toolbox: Toolbox) -> tuple[Finding, ...]:
    broken = [
        Finding("Tool file", f"{name} did not load: {why}", False, "Mend or remove the file.")
        for name, why in toolbox.failures.items()
    ]
    waiting = sum(all(backend.kind == "model" for backend in tool.backends) for tool in toolbox.tools.values())
    text = f"{len(toolbox.tools) - waiting} tools built in, {waiting} more need a model that you choose to download"
    return (Finding("Tools", text, bool(toolbox.tools), "" if not waiting else "See: graphwright models"), *broken)


def _bounds() -> Finding:
    """Which of the bounds of tools this system can keep; what it cannot is named."""
    kept, open_ = confinement.in_force()
    text = f"tools are held to: {', '.join(kept)}" if kept else "nothing holds tools back here"
    if not open_:
        return Finding("Bounds of tools", f"all are in force: {', '.join(kept)}", True)
    fix = "Run workflows and tools of others only where you trust them."
    if sys.platform.startswith("linux"):
        fix = f"A kernel from 6.12 on with Landlock switched on holds all. {fix}"
    return Finding("Bounds of tools", f"{text}; not bounded here: {', '.join(open_)}", None, fix)


def _planner(settings: Settings) -> Finding:
    if not settings.llm_url:
        fix = "Optional: set GRAPHWRIGHT_LLM_URL and GRAPHWRIGHT_LLM_MODEL to any OpenAI-compatible server, or the "
        fix += "former to 'local' for a model on this computer."
        return Finding("Planner", "offline planner; no language model is set up", True, fix)
    if settings.llm_url == LOCAL:
        return _local_planner(settings)
    key = "with a key" if credentials.key_for(settings.llm_url) else "without a key"
    reached, why = _answers(settings.llm_url)
    text = f"{settings.llm_model or 'a language model'} at {shown(settings.llm_url)}, {key}: {why}"
    return Finding("Planner", text, reached, "" if reached else "Start the server; until then planning is offline.")


def _local_planner(settings: Settings) -> Finding:
    """By what is on the disk; the model itself is not loaded."""
    known = [model for model in catalogue().values() if model.task == "chat"]
    there = [model for model in known if store.present(model)]
    if not settings.llm_model and there:
        known = [max(there, key=lambda model: model.quality)]
    model = next((m for m in known if m.id == settings.llm_model or not settings.llm_model), None)
    if model is None:
        fix = f"Choose one of: {', '.join(m.id for m in known)}."
        return Finding("Planner", f"there is no chat model '{settings.llm_model}' in the catalogue", False, fix)
    absent = [name for name in _LOCAL_PACKAGES if importlib.util.find_spec(name) is None]
    if absent:
        fix = f"Install {', '.join(absent)}; until then planning is offline."
        return Finding("Planner", f"{model.title} on this computer: {', '.join(absent)} not installed", False, fix)
    if model not in there:
        fix = f"Get it: graphwright models download {model.id}; until then planning is offline."
        return Finding("Planner", f"{model.title} on this computer: it is not downloaded yet", False, fix)
    memory = psutil.virtual_memory().available
    enough = memory >= model.memory_bytes
    text = f"{model.title} on this computer, takes about {model.memory_bytes / 1e9:.1f} GB of memory"
    return Finding("Planner", text, enough, "" if enough else f"Only {memory / 1e9:.1f} GB are free: close programs.")


def _answers(url: str) -> tuple[bool, str]:
    """Whether anything listens at the address; tried for two seconds."""
    import socket
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        with socket.create_connection((parts.hostname or "", port), timeout=2):
            return True, "it answers"
    except (OSError, ValueError) as error:
        return False, f"it cannot be reached ({error})"


def _models() -> Finding:
    if importlib.util.find_spec("torch") is None:
        return Finding("Model packages", "torch is not installed; every built-in tool works without it", None)
    return Finding("Model packages", "torch is installed", True)
