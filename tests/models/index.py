"""A package index on the loopback with tiny wheels, which misbehaves as it is told."""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.models.hub import Hub, serving


def wheel(name: str, version: str, files: Mapping[str, str], needs: tuple[str, ...] = ()) -> tuple[str, bytes]:
    """The name and content of a wheel of pure Python."""
    about = f"{name}-{version}.dist-info"
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {n}" for n in needs)]
    content = dict(files) | {
        f"{about}/METADATA": "\n".join(lines) + "\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},sha256={_digest(text)},{len(text.encode())}\n" for path, text in content.items())
    content[f"{about}/RECORD"] = f"{record}{about}/RECORD,,\n"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, text in content.items():
            archive.writestr(zipfile.ZipInfo(path), text)
    return f"{name}-{version}-py3-none-any.whl", packed.getvalue()


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


@dataclass
class Index:
    """`server` gives the wheels, as the hub's server gives files."""

    server: Hub
    simple: str = ""
    names: list[str] = field(default_factory=list)


@contextmanager
def indexing(*wheels: tuple[str, bytes]) -> Iterator[Index]:
    """Serves these at /simple."""
    server = Hub("none/none", "0" * 40, dict(wheels))
    with serving(server):
        for project in {name.partition("-")[0] for name, _ in wheels}:
            links = "".join(
                f'<a href="/store/{name}#sha256={hashlib.sha256(data).hexdigest()}">{name}</a>'
                for name, data in wheels
                if name.partition("-")[0] == project
            )
            server.pages[f"/simple/{project.replace('_', '-')}/"] = f"<html><body>{links}</body></html>"
        yield Index(server, f"{server.url}/simple")
