"""`graphwright models`: lists the catalogue, fetches and removes models, says where one lies."""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

from desktop_app.cli import exit_codes
from desktop_app.models import store
from desktop_app.models.catalogue import Model, catalogue, find, with_needs

_TICK_SECONDS = 0.2
_PINNED = {
    "digest": "pinned by digest",
    "first download": "pinned by its first download",
    "revision": "pinned by revision only",
    "nothing": "pinned by its first download to come",
}


def add_parser(commands: Any) -> argparse.ArgumentParser:
    """Adds the command to the subparsers of the program's parser, with `run` as what it does."""
    parser: argparse.ArgumentParser = commands.add_parser("models", help="list, download and remove models")
    parser.add_argument("action", nargs="?", default="list", choices=("list", "download", "remove", "path"))
    parser.add_argument("id", nargs="?", default="", metavar="ID", help="the model, as the list names it")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(command=run)
    return parser


def run(options: argparse.Namespace) -> int:
    """Does what the options say; the exit code. Raises AppError, which the caller prints."""
    if options.action == "list":
        return _list(options.json)
    if not options.id:
        print(f"graphwright: models {options.action} needs the ID of a model.", file=sys.stderr)
        return exit_codes.BAD
    action = {"download": _download, "remove": _remove, "path": _path}[options.action]
    return action(find(options.id), options.json)


def _list(as_json: bool) -> int:
    models = catalogue().values()
    if as_json:
        print(json.dumps({"folder": str(store.root()), "models": [_facts(m) for m in models]}, ensure_ascii=False))
        return exit_codes.OK
    for model in models:
        state = "on disk" if store.present(model) else f"{_size(store.missing_bytes(model)):>7}"
        print(
            f"{state:>7}  {model.id:26} {model.task:22} {model.title} ({model.licence}, {_PINNED[store.pinned(model)]})"
        )
    print(f"Models lie in {store.root()}")
    return exit_codes.OK


def _download(model: Model, as_json: bool) -> int:
    already = store.present(model)
    path = store.download(model, None if as_json else _Meter(model.id))
    if as_json:
        print(json.dumps(_facts(model) | {"path": str(path), "fetched": not already}, ensure_ascii=False))
    else:
        print(f"{model.title} is {'already ' if already else ''}in {path}")
    return exit_codes.OK


def _remove(model: Model, as_json: bool) -> int:
    users = store.users(model)
    freed = store.remove(model)
    if as_json:
        facts = {"id": model.id, "freed_bytes": freed, "used_by": [user.id for user in users]}
        print(json.dumps(facts, ensure_ascii=False))
        return exit_codes.OK
    print(f"{model.title}: {_size(freed)} freed." if freed else f"{model.title} was not on this computer.")
    if users:
        print(f"No longer works without it: {', '.join(user.title for user in users)}.")
    return exit_codes.OK


def _path(model: Model, as_json: bool) -> int:
    path, there = store.folder(model), store.present(model)
    if as_json:
        print(json.dumps({"id": model.id, "path": str(path), "present": there}, ensure_ascii=False))
    else:
        print(path)
    return exit_codes.OK if there else exit_codes.MISSING


def _facts(model: Model) -> dict[str, Any]:
    return {
        "id": model.id,
        "task": model.task,
        "family": model.family,
        "abilities": list(model.abilities),
        "languages": list(model.languages),
        "title": model.title,
        "repo": model.repo,
        "revision": store.revision(model),
        "licence": model.licence,
        "source": model.source,
        "size_bytes": sum(each.size_bytes for each in with_needs(model)),
        "estimated": model.estimated,
        "missing_bytes": store.missing_bytes(model),
        "memory_bytes": model.memory_bytes,
        "quality": model.quality,
        "needs": list(model.needs),
        "note": model.note,
        "present": store.present(model),
        "pinned": store.pinned(model),
    }


class _Meter:
    """Prints on stderr how far a download is, a few times a second."""

    def __init__(self, id: str) -> None:
        self._id = id
        self._last = 0.0

    def __call__(self, done: int, total: int, name: str) -> None:
        now = time.monotonic()
        if now - self._last < _TICK_SECONDS and done < total:
            return
        self._last = now
        end = "\n" if done >= total else ""
        line = f"{self._id}: {_size(done)} of {_size(total)} ({done * 100 // max(1, total)} %) {name[-40:]}"
        print(f"\r{line:<100}", end=end, file=sys.stderr, flush=True)


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB" if count >= 1e6 else f"{count} B"
