"""`graphwright models`: lists the catalogue, fetches and removes models, says where one lies."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from desktop_app.cli import exit_codes
from desktop_app.cli.meter import watched
from desktop_app.core.errors import BadRequest
from desktop_app.core.values import size_of
from desktop_app.models import hub_search, own, runtime, store
from desktop_app.models.catalogue import Model, catalogue, find, with_needs
from desktop_app.models.downloads import Downloads

_PINNED = {
    "digest": "pinned by digest",
    "first download": "pinned by its first download",
    "revision": "pinned by revision only",
    "nothing": "pinned by its first download to come",
}


def add_parser(commands: Any) -> argparse.ArgumentParser:
    """Adds the command to the subparsers of the program's parser, with `run` as what it does."""
    parser: argparse.ArgumentParser = commands.add_parser("models", help="list, download and remove models")
    parser.add_argument(
        "action", nargs="?", default="list", choices=("list", "download", "remove", "path", "check", "search", "add")
    )
    parser.add_argument(
        "ids",
        nargs="*",
        metavar="ID",
        help=f"as the list names it; '{runtime.ID}': what models run with; for add: owner/name on the hub, a folder, "
        "a .safetensors file, or with --on LoRA files, each as FILE or FILE=WEIGHT",
    )
    parser.add_argument("--on", metavar="ID", default="", help="add: the model that the LoRA files go on")
    parser.add_argument(
        "--task",
        default="",
        help="search: what the models are for; add: what a folder's model is for, where its files do not say it",
    )
    parser.add_argument("--all", action="store_true", help="check every model that is here")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(command=run)
    return parser


def run(options: argparse.Namespace) -> int:
    """Does what the options say; the exit code. Raises AppError, which the caller prints."""
    if options.action == "list":
        return _list(options.json)
    if options.action == "check" and (options.ids or options.all):
        from desktop_app.cli import model_check

        return asyncio.run(model_check.run(model_check.subjects(() if options.all else options.ids), options.json))
    if options.action == "search":
        return _search(" ".join(options.ids), options.task, options.json)
    if not options.ids:
        print(f"graphwright: models {options.action} needs the ID of a model.", file=sys.stderr)
        return exit_codes.BAD
    if options.action == "download":
        return _download(options.ids, options.json)
    if options.action == "add":
        return _add(options.ids, options.on, options.task, options.json)
    if options.ids == [runtime.ID]:
        return _remove_runtime(options.json) if options.action == "remove" else _runtime_path(options.json)
    action = {"remove": _remove, "path": _path}[options.action]
    return max(action(find(id), options.json) for id in options.ids)


def _add(what: Sequence[str], on: str, task: str, as_json: bool) -> int:
    if on:
        added = [own.add_loras(find(on), [_lora(each) for each in what])]
    else:
        added = [own.add(Path(each), task) if _is_here(each) else hub_search.add(each) for each in what]
    if as_json:
        print(json.dumps([_facts(model) for model in added], ensure_ascii=False))
        return exit_codes.OK
    for model in added:
        get = "" if store.present(model) else f"; get it: models download {model.id}"
        print(f"{model.title} is '{model.id}', for {model.task}{get}")
    return exit_codes.OK


def _is_here(text: str) -> bool:
    return Path(text).exists() or text.endswith(own.WEIGHTS) or text.startswith((".", "/", "~"))


def _lora(text: str) -> tuple[Path, float]:
    """`FILE` or `FILE=WEIGHT`. Raises BadRequest."""
    file, _, weight = text.rpartition("=") if "=" in text else (text, "", "1")
    try:
        return Path(file), float(weight)
    except ValueError:
        raise BadRequest(f"'{weight}' is no weight.", "Write FILE=0.8") from None


def _search(words: str, task: str, as_json: bool) -> int:
    known = {model.task for model in catalogue().values()}
    if task and task not in known:
        raise BadRequest(f"No model is for '{task}'.", f"Say one of: {', '.join(sorted(known))}")
    found = hub_search.search(words, task)
    if as_json:
        print(json.dumps([vars(one) for one in found], ensure_ascii=False))
        return exit_codes.OK if found else exit_codes.MISSING
    for one in found:
        size = size_of(one.size_bytes) if one.size_bytes else "?"
        note = f" ({one.why_not})" if one.why_not else ""
        print(
            f"{one.downloads:>12,}  {size:>7}  {one.repo:44} {one.task:22} {one.licence or 'no licence stated'}{note}"
        )
    return exit_codes.OK if found else exit_codes.MISSING


def _list(as_json: bool) -> int:
    models = catalogue().values()
    if as_json:
        about = {"folder": str(store.root()), "runtime": _runtime_facts(), "models": [_facts(m) for m in models]}
        print(json.dumps(about, ensure_ascii=False))
        return exit_codes.OK
    for model in models:
        state = "on disk" if store.present(model) else f"{size_of(store.missing_bytes(model)):>7}"
        print(
            f"{state:>7}  {model.id:26} {model.task:22} {model.title} ({model.licence}, {_PINNED[store.pinned(model)]})"
        )
    state = "is here" if runtime.ready() else f"is not here yet ({size_of(runtime.size_bytes())})"
    print(f"Models lie in {store.root()}; what they run with, '{runtime.ID}', {state}.")
    return exit_codes.OK


def _download(ids: Sequence[str], as_json: bool) -> int:
    already = {id for id in ids if (runtime.path() if id == runtime.ID else store.present(find(id)))}
    asyncio.run(_fetched(tuple(id for id in ids if id not in already), quiet=as_json))
    rows = [_runtime_facts() if id == runtime.ID else _facts(find(id)) for id in ids]
    where = [runtime.path() if id == runtime.ID else store.folder(find(id)) for id in ids]
    told = [
        row | {"path": str(path), "fetched": row["id"] not in already} for row, path in zip(rows, where, strict=True)
    ]
    if as_json:
        print(json.dumps(told[0] if len(told) == 1 else told, ensure_ascii=False))
        return exit_codes.OK
    for row in told:
        print(f"{row['title']} is {'' if row['fetched'] else 'already '}in {row['path']}")
    return exit_codes.OK


async def _fetched(ids: tuple[str, ...], quiet: bool) -> None:
    downloads = Downloads()
    try:
        await watched(downloads, ids, quiet)
    finally:
        downloads.close()


def _remove_runtime(as_json: bool) -> int:
    freed = runtime.remove()
    print(
        json.dumps({"id": runtime.ID, "freed_bytes": freed}) if as_json else f"Model runtime: {size_of(freed)} freed."
    )
    return exit_codes.OK


def _remove(model: Model, as_json: bool) -> int:
    users = store.users(model)
    freed = store.remove(model)
    if as_json:
        facts = {"id": model.id, "freed_bytes": freed, "used_by": [user.id for user in users]}
        print(json.dumps(facts, ensure_ascii=False))
        return exit_codes.OK
    print(f"{model.title}: {size_of(freed)} freed." if freed else f"{model.title} was not on this computer.")
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


def _runtime_path(as_json: bool) -> int:
    path = runtime.path()
    facts = {"id": runtime.ID, "path": str(path or ""), "present": runtime.ready()}
    print(json.dumps(facts) if as_json else path or "")
    return exit_codes.OK if path else exit_codes.MISSING


def _runtime_facts() -> dict[str, Any]:
    here = runtime.ready()
    missing = 0 if here else runtime.size_bytes()
    return {"id": runtime.ID, "title": "The model runtime", "device": runtime.device(), "present": here,
            "missing_bytes": missing, "estimated": not runtime.known_bytes()}  # fmt: skip


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
