"""Damaged files of every kind, attached and read as a request would: `python -m tests.fuzz_files --count N [--seed S]`.

Each is a small good file with bytes flipped, cut off, doubled, or under another kind's head or ending. What may come of
it is a resource that can be read and shown, or a sentence; anything else is printed, with what makes it again.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from desktop_app.core.errors import AppError
from desktop_app.export.metadata import embedded
from desktop_app.storage.resources import Store, attach
from nodes.api import NodeError, ResourceType
from tests.broken_files import valid

_HEAD = 64
_LARGEST_CHUNK = 200
_DOCUMENTS = frozenset({".pdf", ".docx", ".html", ".htm", ".txt", ".md"})


@dataclass(frozen=True)
class Found:
    """Something that is no sentence: the seed and the number of the file, and the traceback."""

    seed: int
    number: int
    name: str
    trace: str


def mutated(chance: random.Random) -> tuple[str, bytes]:
    """A name and a damaged content."""
    files = valid()
    name = chance.choice(sorted(files))
    data = bytearray(files[name])
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        chance.choice(_WAYS)(data, chance, files)
    suffix = Path(chance.choice(sorted(files)) if chance.random() < 0.1 else name).suffix
    return f"file{suffix}", bytes(data) or b"\0"


def _flip(data: bytearray, chance: random.Random, files: dict[str, bytes]) -> None:
    for _ in range(chance.choice((1, 2, 8, 64))):
        place = chance.randrange(min(len(data), _HEAD) if chance.random() < 0.5 else len(data))
        data[place] = chance.choice((0, 255, 127, 128, data[place] ^ (1 << chance.randrange(8)), chance.randrange(256)))


def _number(data: bytearray, chance: random.Random, files: dict[str, bytes]) -> None:
    """Lengths and sizes are numbers of 2, 4 or 8 bytes."""
    width = chance.choice((2, 4, 8))
    place = chance.randrange(max(1, len(data) - width))
    value = chance.choice((0, 1, 2 ** (8 * width) - 1, 2 ** (8 * width - 1), chance.getrandbits(8 * width)))
    data[place : place + width] = value.to_bytes(width, chance.choice(("little", "big")))


def _cut(data: bytearray, chance: random.Random, files: dict[str, bytes]) -> None:
    del data[chance.randrange(1, len(data) + 1) :]


def _leave_out(data: bytearray, chance: random.Random, files: dict[str, bytes]) -> None:
    place = chance.randrange(len(data))
    del data[place : place + chance.randrange(1, _LARGEST_CHUNK)]
    data += b"" if data else b"\0"


def _double(data: bytearray, chance: random.Random, files: dict[str, bytes]) -> None:
    place = chance.randrange(len(data))
    data[place:place] = data[place : place + chance.randrange(1, _LARGEST_CHUNK)]


def _other_head(data: bytearray, chance: random.Random, files: dict[str, bytes]) -> None:
    other = files[chance.choice(sorted(files))]
    size = chance.choice((4, 8, 16, 44, _HEAD))
    data[:size] = other[:size]


def _joined(data: bytearray, chance: random.Random, files: dict[str, bytes]) -> None:
    data += files[chance.choice(sorted(files))]


_Way = Callable[[bytearray, random.Random, dict[str, bytes]], None]
_WAYS: tuple[_Way, ...] = (_flip, _flip, _number, _cut, _leave_out, _double, _other_head, _joined)


def used(path: Path, store: Store) -> None:
    """Attaches the file and reads it as the window and a request do. Raises AppError or NodeError, else it is a bug."""
    from desktop_app.ui.graph.items.result_pixmaps import excerpt
    from desktop_app.ui.support import media_reader

    resource = attach(path, store)
    kept = store.path_of(resource)
    embedded(kept)
    store.value(resource)
    if resource.type in media_reader.PICTURES:
        media_reader.picture(kept, resource.type, 160)
    elif resource.type is ResourceType.VIDEO:
        media_reader.frame(kept, 160)
    elif resource.type is ResourceType.AUDIO:
        media_reader.outline(kept)
    else:
        excerpt(kept, resource.type)
    if path.suffix in _DOCUMENTS:
        _document(kept)


def _document(path: Path) -> None:
    from nodes._support.documents.documents import text_of
    from nodes.api import RunContext

    text_of(path, "", RunContext(path.parent))


def run(count: int, seed: int, folder: Path) -> Iterator[Found]:
    """Tries so many files, and gives those of which something else than a sentence came."""
    store = Store(folder / "store")
    for number in range(count):
        chance = random.Random(f"{seed}-{number}")
        name, content = mutated(chance)
        path = folder / name
        path.write_bytes(content)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                used(path, store)
        except (AppError, NodeError) as error:
            if not error.message or str(error)[-1] not in ".?!":
                yield Found(seed, number, name, f"no sentence: {error}")
        except Exception:
            yield Found(seed, number, name, traceback.format_exc())
        for kept in store.folder.rglob("*"):
            if kept.is_file():
                kept.unlink()


def main() -> int:
    """1 when something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, metavar="NUMBER", help="write that file of the seed here and try it alone")
    options = parser.parse_args()
    if options.only is not None:
        name, content = mutated(random.Random(f"{options.seed}-{options.only}"))
        Path(name).write_bytes(content)
        with tempfile.TemporaryDirectory() as folder:
            used(Path(name), Store(Path(folder)))
        return 0
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        for each in run(options.count, options.seed, Path(folder)):
            found += 1
            print(f"seed {each.seed}, number {each.number}, {each.name}\n{each.trace}", flush=True)
    print(f"{options.count} files, {found} of them without a sentence")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
