"""Keyrings in memory: one that passes for the system's, and one that would keep keys in a plain file."""

from __future__ import annotations

from keyring.backend import KeyringBackend


class Ring(KeyringBackend):
    """A keyring in memory that passes for the system's."""

    priority = 1  # type: ignore[assignment]

    def __init__(self, broken: bool = False) -> None:
        super().__init__()
        self.held: dict[tuple[str, str], str] = {}
        self.broken = broken

    def get_password(self, service, username):
        return self.held.get((service, username))

    def set_password(self, service, username, password):
        if self.broken:
            raise RuntimeError(f"cannot keep {password}")
        self.held[service, username] = password

    def delete_password(self, service, username):
        del self.held[service, username]


Ring.__module__ = "keyring.backends.SecretService"


class PlainFile(Ring):
    """As keyrings.alt.file.PlaintextKeyring: keeps what it is given in a file that all can read."""


PlainFile.__module__ = "keyrings.alt.file"
