"""What works on this computer, what does not, and what to do about it."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass

import psutil

from desktop_app.core.paths import home
from desktop_app.core.settings import LOCAL, Settings, shown
from desktop_app.llm import credentials
from desktop_app.models import runtime, store
from desktop_app.models.catalogue import catalogue
from desktop_app.run.backends import gpus
from nodes import Toolbox, confinement
from nodes.phrase import Phrase, joined, listed

_LOCAL_PACKAGES = ("torch", "transformers", "llguidance")


@dataclass(frozen=True)
class Diagnosis:
    """`ok` is True, False, or None for "not needed, but more would work with it"."""

    name: str
    text: str
    ok: bool | None
    fix: str = ""


def examine(settings: Settings, toolbox: Toolbox) -> tuple[Diagnosis, ...]:
    """Everything that can be seen from here without starting anything; takes some milliseconds."""
    return (
        _python(),
        device(),
        _memory(),
        _disk(),
        _display(),
        _speech(),
        *_fonts(),
        *_tools(toolbox),
        _bounds(),
        _planner(settings),
        _models(),
    )


def _python() -> Diagnosis:
    system = f"{platform.system()} {platform.machine()}"
    return Diagnosis("Python", Phrase("{version} on {system}", version=platform.python_version(), system=system), True)


def device() -> Diagnosis:
    """Of the processor and the GPU: one that is there and not used is not as it should be."""
    cores = psutil.cpu_count(logical=True) or 1
    there, used = bool(gpus.present()), bool(gpus.gpus())
    gpu = Phrase("a GPU" if used else "a GPU that is not used" if there else "no GPU found")
    text = Phrase("{n} CPU cores, {gpu}", n=cores, gpu=gpu)
    if cores == 1:
        text = Phrase("1 CPU core, {gpu}", **text.values)
    if there and not used:
        fix = Phrase(
            "Models run on the CPU: torch is built for {made}. Install the one for {device}.",
            made=runtime.built_for(),
            device=runtime.device(),
        )
        return Diagnosis("Device", text, False, fix)
    return Diagnosis("Device", text, True, "" if there else "The built-in tools run on the CPU.")


def _memory() -> Diagnosis:
    memory = psutil.virtual_memory()
    ok = memory.available > 1_000_000_000
    text = Phrase(
        "{available} of {total} GB free", available=f"{memory.available / 1e9:.1f}", total=f"{memory.total / 1e9:.1f}"
    )
    return Diagnosis("Memory", text, ok, "" if ok else "Close other programs; large pictures may fail.")


def _disk() -> Diagnosis:
    free = shutil.disk_usage(home()).free
    ok = free > 500_000_000
    fix = "" if ok else "Free some space, or set GRAPHWRIGHT_HOME to a folder on another disk."
    return Diagnosis(
        "Disk", Phrase("{free} GB free for results in {home}", free=f"{free / 1e9:.1f}", home=home()), ok, fix
    )


def has_display() -> bool:
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _display() -> Diagnosis:
    if not has_display():
        fix = "The window needs a desktop; 'graphwright ask' works without one."
        return Diagnosis("Display", "none", None, fix)
    return Diagnosis("Display", "there is one", True)


def _speech() -> Diagnosis:
    if shutil.which("espeak-ng"):
        return Diagnosis("Speech", "espeak-ng speaks text", True)
    return Diagnosis("Speech", "espeak-ng is missing", False, "Install it: sudo apt-get install espeak-ng")


def _fonts() -> tuple[Diagnosis, ...]:
    """Nothing where all of it can be shown, or where nobody can tell: the window brings usual Chinese characters."""
    lister = shutil.which("fc-list")
    if lister is None:
        return ()
    try:
        found = subprocess.run([lister, ":lang=zh-cn", "family"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    if found.returncode or found.stdout.strip():
        return ()
    text = "usual Chinese is shown; no font here has rare characters or Japanese: they show as boxes"
    return (Diagnosis("Fonts", text, None, "Install one: sudo apt-get install fonts-noto-cjk"),)


def _tools(toolbox: Toolbox) -> tuple[Diagnosis, ...]:
    broken = [
        Diagnosis(
            "Tool file", Phrase("{name} did not load: {why}", name=name, why=why), False, "Mend or remove the file."
        )
        for name, why in toolbox.failures.items()
    ]
    waiting = sum(all(backend.kind != "built-in" for backend in tool.backends) for tool in toolbox.tools.values())
    built = len(toolbox.tools) - waiting
    text = Phrase("{n} tools built in, {more} more need a model that you choose to download", n=built, more=waiting)
    return (Diagnosis("Tools", text, bool(toolbox.tools), "" if not waiting else "See: graphwright models"), *broken)


def _bounds() -> Diagnosis:
    """Which of the bounds of tools this system can keep; what it cannot is named."""
    kept, open_ = confinement.in_force()
    held, loose = listed(kept), listed(open_)
    if not open_:
        return Diagnosis("Bounds of tools", Phrase("all are in force: {bounds}", bounds=held), True)
    text = Phrase("tools are held to: {bounds}", bounds=held) if kept else Phrase("nothing holds tools back here")
    landlock = "A kernel from 6.12 on with Landlock switched on holds all."
    fix = joined(
        landlock if sys.platform.startswith("linux") else "",
        "Run workflows and tools of others only where you trust them.",
    )
    return Diagnosis(
        "Bounds of tools", Phrase("{held}; not bounded here: {bounds}", held=text, bounds=loose), None, fix
    )


def _planner(settings: Settings) -> Diagnosis:
    if not settings.llm_url:
        fix = (
            "Optional: set GRAPHWRIGHT_LLM_URL and GRAPHWRIGHT_LLM_MODEL to any OpenAI-compatible server, or the "
            "former to 'local' for a model on this computer."
        )
        return Diagnosis("Planner", "offline planner; no language model is set up", True, fix)
    if settings.llm_url == LOCAL:
        return _local_planner(settings)
    key = Phrase("with a key" if credentials.key_for(settings.llm_url) else "without a key")
    reached, why = _answers(settings.llm_url)
    model = settings.llm_model or Phrase("a language model")
    text = Phrase("{model} at {address}, {key}: {why}", model=model, address=shown(settings.llm_url), key=key, why=why)
    return Diagnosis("Planner", text, reached, "" if reached else "Start the server; until then planning is offline.")


def _local_planner(settings: Settings) -> Diagnosis:
    """By what is on the disk; the model itself is not loaded."""
    known = [model for model in catalogue().values() if model.task == "chat"]
    there = [model for model in known if store.present(model)]
    if not settings.llm_model and there:
        known = [max(there, key=lambda model: model.quality)]
    model = next((m for m in known if m.id == settings.llm_model or not settings.llm_model), None)
    if model is None:
        fix = Phrase("Choose one of: {names}.", names=listed(m.id for m in known))
        return Diagnosis(
            "Planner",
            Phrase("there is no chat model '{llm_model}' in the catalogue", llm_model=settings.llm_model),
            False,
            fix,
        )
    absent = [name for name in _LOCAL_PACKAGES if not runtime.has(name)]
    if absent:
        fix = Phrase("Install {names}; until then planning is offline.", names=", ".join(absent))
        return Diagnosis(
            "Planner",
            Phrase("{model} on this computer: {names} not installed", model=model.title, names=", ".join(absent)),
            False,
            fix,
        )
    if model not in there:
        fix = Phrase("Get it: graphwright models download {model}; until then planning is offline.", model=model.id)
        return Diagnosis(
            "Planner", Phrase("{model} on this computer: it is not downloaded yet", model=model.title), False, fix
        )
    memory = psutil.virtual_memory().available
    enough = memory >= model.memory_bytes
    text = Phrase(
        "{model} on this computer, takes about {memory_bytes} GB of memory",
        model=model.title,
        memory_bytes=f"{model.memory_bytes / 1e9:.1f}",
    )
    return Diagnosis(
        "Planner",
        text,
        enough,
        "" if enough else Phrase("Only {memory} GB are free: close programs.", memory=f"{memory / 1e9:.1f}"),
    )


def _answers(url: str) -> tuple[bool, str]:
    """Whether anything listens at the address; tried for two seconds."""
    import socket
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        with socket.create_connection((parts.hostname or "", port), timeout=2):
            return True, Phrase("it answers")
    except (OSError, ValueError) as error:
        return False, Phrase("it cannot be reached ({error})", error=error)


def _models() -> Diagnosis:
    if not runtime.ready():
        fix = "Get it: graphwright models download runtime"
        return Diagnosis("Model packages", "torch is not installed; every built-in tool works without it", None, fix)
    return Diagnosis("Model packages", "torch is installed", True)
