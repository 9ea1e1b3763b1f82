"""Keys of language model servers: in the environment or in the system's keyring, and nowhere else.

A key is kept for the server that it was given for, and is sent to no other. Without a keyring (on a server, in a
container) the environment is the only place: nothing is ever written to a file.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from desktop_app.core.errors import StorageError
from desktop_app.core.settings import KEY_VARIABLES
from nodes.phrase import Phrase

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

SERVICE = "graphwright"
_SAFE = ("SecretService", "libsecret", "kwallet", "macOS", "Windows")
"""The keyrings of the systems, by module of keyring.backends. Others may keep what they are given in a plain file."""

_VARIABLES_OF = {"https://api.openai.com": "OPENAI_API_KEY", "https://router.huggingface.co": "HF_TOKEN"}


def variable() -> str:
    """The variable of the environment that holds a key, "" when none does."""
    return next((name for name in KEY_VARIABLES if os.environ.get(name)), "")


def key_for(url: str) -> str:
    """The key for the server at `url`: that of the environment, else that of the keyring, else "". Never raises.

    May wait for the keyring, or for the user who unlocks it: to be called on a thread.
    """
    name = variable()
    return os.environ[name] if name else kept(url)


def key_for_service(url: str, llm_url: str) -> str:
    """The key for a service that is not the language model at `llm_url`. Never raises; may wait, as `key_for`."""
    name = service_variable(url, llm_url)
    return os.environ[name] if name else kept(url)


def service_variable(url: str, llm_url: str) -> str:
    """As `variable`: what the environment holds for the language model's server goes to no other; its variables for
    well-known servers go there.
    """
    named = _VARIABLES_OF.get(_account(url), "")
    if os.environ.get(named):
        return named
    return variable() if _account(url) == _account(llm_url) else ""


def kept(url: str) -> str:
    """The key that the keyring has for the server, "" when none, or when there is no keyring."""
    ring = _keyring()
    if ring is None:
        return ""
    try:
        return ring.get_password(SERVICE, _account(url)) or ""
    except Exception:  # keyrings raise what their system raises; a key that cannot be had is as good as none
        return ""


def keep(url: str, key: str) -> None:
    """Puts the key into the keyring; "" takes it out. Raises StorageError when there is no keyring or it refuses."""
    ring = _keyring()
    if ring is None:
        raise StorageError(
            "This computer has no keyring to keep the key in.",
            Phrase("Set the variable {key_variables} and start again.", key_variables=KEY_VARIABLES[0]),
        )
    try:
        if key:
            ring.set_password(SERVICE, _account(url), key)
        elif ring.get_password(SERVICE, _account(url)) is not None:
            ring.delete_password(SERVICE, _account(url))
    except Exception as error:  # what it says might hold the key: only the kind of error is told
        raise StorageError(
            Phrase("The keyring did not take the key ({name}).", name=type(error).__name__),
            Phrase("Unlock it and try again, or set the variable {key_variables}.", key_variables=KEY_VARIABLES[0]),
        ) from None


def available() -> bool:
    """True when there is a keyring. May wait for the system: to be called on a thread."""
    return _keyring() is not None


def _account(url: str) -> str:
    """The server by scheme, name and port: one key serves all its paths."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}".lower()


def _keyring() -> KeyringBackend | None:
    try:
        import keyring
        from keyring.backends.chainer import ChainerBackend

        ring = keyring.get_keyring()
        rings = ring.backends if isinstance(ring, ChainerBackend) else [ring]
        return next((one for one in rings if _is_safe(one)), None)
    except Exception:  # no package, no D-Bus, no session: each system has its own way to say so
        return None


def _is_safe(ring: KeyringBackend) -> bool:
    place = type(ring).__module__.split(".")
    return place[:2] == ["keyring", "backends"] and len(place) > 2 and place[2] in _SAFE
