"""Every kind of work that the window gives to threads, and which types of Qt each would be the first to make.

`python -m tests.ui.thread_jobs [--unmade] [JOB]...` runs the jobs one after the other, each on a thread while this one
rests, and prints a JSON object: by job the types that it made. Before, what threads use is made as in the window; with
`--unmade` it is not, and each job runs in a process of its own (some seconds each).
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

Job = Callable[[], Any]
ROOT = Path(__file__).resolve().parents[2]


# Where jobs begin


def begins(source: str) -> Iterator[tuple[str, str]]:
    """Where code gives work to a thread: the class and function around it, and what it calls."""
    yield from _begins(ast.parse(source), ())


def _begins(node: ast.AST, around: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for child in ast.iter_child_nodes(node):
        named = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if isinstance(child, ast.Call) and (called := _thread_call(child.func)):
            yield ".".join(around), called
        yield from _begins(child, (*around, child.name) if named else around)


_THREADS = {
    "to_thread",
    "Thread",
    "Timer",
    "QThread",
    "QRunnable",
    "QThreadPool",
    "ThreadPoolExecutor",
    "run_in_executor",
}


def _thread_call(function: ast.expr) -> str:
    text = ast.unparse(function)
    last = text.rpartition(".")[2]
    if text.endswith("loader.run") or last == "in_thread":
        return "loader"
    return text if last in _THREADS else ""


# The jobs that touch Qt


class Files:
    """A file of each kind that is shown, in a folder."""

    def __init__(self, folder: Path) -> None:
        import numpy as np

        from nodes._support.files import codecs
        from nodes.api import ResourceType
        from tests.nodes.av_media import movie, tone

        self.folder = folder
        self.picture = ROOT / "resources" / "examples" / "coffee.jpg"
        self.mask, self.segments, self.sound = folder / "mask.png", folder / "segments.png", folder / "sound.wav"
        mask = np.zeros((400, 600), np.uint8)
        mask[100:200, 100:300] = 255
        self.mask.write_bytes(codecs.encode(mask, ResourceType.MASK)[0])
        segments = (mask // 255).astype(np.uint16)
        self.segments.write_bytes(codecs.encode(segments, ResourceType.SEGMENTATION)[0])
        self.sound.write_bytes(codecs.encode(tone(), ResourceType.AUDIO)[0])
        self.words, self.table = folder / "words.txt", folder / "table.csv"
        self.words.write_text("some words")
        self.table.write_text("a,b\n1,2\n")
        self.film = movie(folder / "film.mp4")


def _examples(files: Files) -> Job:
    from desktop_app.storage.examples import load_examples
    from desktop_app.ui.start import example_preview

    return lambda: [example_preview.read(example) for example in load_examples()]


def _picture(files: Files) -> Job:
    from desktop_app.ui.support import media_reader
    from nodes.api import ResourceType as T

    kinds = ((files.picture, T.IMAGE), (files.mask, T.MASK), (files.segments, T.SEGMENTATION))
    return lambda: [media_reader.picture(path, type, longest) for path, type in kinds for longest in (None, 300)]


def _frame(files: Files) -> Job:
    from desktop_app.ui.support import media_reader

    return lambda: [media_reader.frame(files.film), media_reader.frame(files.film, 50)]


def _shown(files: Files) -> Job:
    picture, frame = _picture(files), _frame(files)
    return lambda: (picture(), frame())


def _outline(files: Files) -> Job:
    from desktop_app.ui.support import media_reader

    return partial(media_reader.outline, files.sound)


def _results(files: Files) -> Job:
    """What cards show: a picture, a film, a mask over a picture, a preview, the words of a text, a waveform."""
    from PySide6.QtCore import QSize

    from desktop_app.storage.resources import Resource
    from desktop_app.ui.graph.items import result_pixmaps
    from nodes.api import ResourceType as T

    paths = {"picture": files.picture, "mask": files.mask, "film": files.film, "sound": files.sound}
    types = {"picture": T.IMAGE, "mask": T.MASK, "film": T.VIDEO, "sound": T.AUDIO}
    by_name = {name: Resource(name, name, types[name], name, paths[name].suffix) for name in paths}
    reads = result_pixmaps.ResultPictures()
    reads.use_files(lambda resource: paths[resource.name])
    size, compose = QSize(120, 90), partial(result_pixmaps._compose, reads.pictures)

    def work() -> None:
        for name in ("picture", "film"):
            compose(by_name[name], None, size)
        compose(by_name["mask"], by_name["picture"], size)
        result_pixmaps._whole_file(str(files.picture), size)
        result_pixmaps.excerpt(files.folder / "film.mp4", T.VIDEO)
        reads.peaks(by_name["sound"])

    return work


def _difference(files: Files) -> Job:
    from PySide6.QtGui import QImage

    from desktop_app.ui.compare.pixel_difference import difference

    return partial(difference, QImage(str(files.picture)), QImage(str(files.mask)))


def _pasted(files: Files) -> Job:
    from PySide6.QtGui import QImage

    from desktop_app.ui.support.incoming import keep_pasted

    pictures = (QImage(str(files.picture)), files.picture.read_bytes())
    return lambda: [keep_pasted(picture) for picture in pictures]


def _drawing() -> Any:
    from desktop_app.ui.pointing.drawing import Drawing, MarkedObject
    from desktop_app.ui.pointing.marks import Stroke
    from nodes.api import Box, Point

    path = ((5.0, 5.0), (40.0, 30.0), (10.0, 60.0))
    strokes = [Stroke(kind, path, size=size) for kind in ("brush", "eraser", "lasso", "scribble") for size in (1, 9)]
    marks = (Point(20, 20), Box(2, 2, 60, 60), Stroke("brush", path[:1], size=5), *strokes)
    return Drawing(
        (MarkedObject(1, marks=marks), MarkedObject(2, marks=(Point(50, 50), strokes[1]))), grow=2, feather=1
    )


def _masks_shown(files: Files) -> Job:
    import numpy as np

    from desktop_app.ui.pointing.mask_preview import shown

    masks = {number: np.full((80, 100), 255, np.uint8) for number in (1, 2)}
    return partial(shown, _drawing(), masks, 100, 80)


def _readings(files: Files) -> Job:
    import numpy as np

    from desktop_app.ui.pointing import mask_preview

    masks = {name: np.full((80, 100), 255, np.uint8) for name in (mask_preview.BEST, *mask_preview.READINGS)}
    return partial(mask_preview._readings, masks, (), 100, 80)


def _used(files: Files) -> Job:
    import numpy as np

    from desktop_app.ui.pointing.controller import _as_used
    from desktop_app.ui.pointing.pointing_view import Drawn

    return partial(_as_used, Drawn(_drawing(), np.full((80, 100), 255, np.uint8)), False)


def _value(files: Files) -> Job:
    from desktop_app.ui.support import media_reader
    from nodes.api import ResourceType

    return lambda: [
        media_reader.beginning(files.words, ResourceType.TEXT),
        media_reader.beginning(files.table, ResourceType.TABLE),
    ]


def _printed(files: Files) -> Job:
    from desktop_app.ui.log.log_panel import _end_of

    return partial(_end_of, files.sound)


def _size(files: Files) -> Job:
    from desktop_app.core.paths import size_on_disk

    return partial(size_on_disk, files.folder)


def _models_size(files: Files) -> Job:
    from desktop_app.ui.models.models_panel import _taken

    return partial(_taken, files.folder)


def _key(files: Files) -> Job:
    from desktop_app.ui.settings.api_key_edit import _look

    return partial(_look, "http://127.0.0.1:1/v1")


def _held(files: Files) -> Job:
    from desktop_app.ui.main_window.file_dialogs import held_in

    return partial(held_in, files.picture, True)


JOBS: dict[str, Callable[[Files], Job]] = {
    "example_card.ExampleCard.paint": _examples,
    "thumbnails.Thumbnails._ask": _shown,
    "controller.Pointing._open": _picture,
    "preview.Preview._read": _shown,
    "result_header.ResultHeader._show_step": _picture,
    "viewer_factory._PictureReader.__init__": _picture,
    "viewer_factory._PictureReader._differ": _difference,
    "result_pixmaps.ResultPictures._get": _results,
    "file_dialogs.WindowFiles.dropped": _held,
    "context.UiContext.take_picture": _pasted,
    "mask_preview.MaskPreview._one": _masks_shown,
    "mask_preview.MaskPreview._readings": _readings,
    "controller.Pointing._made": _used,
    "media_player.SoundView.__init__": _outline,
    "context.UiContext.load_value": _value,
    "log_panel.LogPanel._source_chosen": _printed,
    "storage_options.ResultOptions.measure": _size,
    "models_panel.ModelsPanel._measure": _models_size,
    "api_key_edit.KeyField.show_server": _key,
}
"""By the place in desktop_app/ui where it begins: work that may use Qt."""
WITHOUT_QT = {
    "conversation_list.ConversationList.reload": "desktop_app.session.autosave",
    "conversation_list.ConversationList._delete": "desktop_app.session.autosave",
    "conversation_list.ConversationList._take_back": "desktop_app.session.autosave",
    "popup.CommandPalette.open": "desktop_app.session.autosave",
    "api_key_edit.KeyField._keep": "desktop_app.llm.credentials",
    "memory_monitor.MemoryMonitor.measure": "desktop_app.run.backends.memory_usage",
    "result_card.ToldResult._copy": "desktop_app.export.files",
    "result_view.PageView.__init__": "desktop_app.storage.decoding",
    "run_log.RunLog._read": "desktop_app.run.events.recording",
    "settings_panel.SettingsPanel._test": "desktop_app.llm.model_listing",
    "main_window.MainWindow._load_tools": "nodes",
    "system_facts.SystemFacts.look": "desktop_app.session.diagnostics",
    "file_dialogs.WindowFiles._copy": "desktop_app.export.files",
    "file_dialogs.WindowFiles._export": "desktop_app.export.files",
    "popups.PopupController.show_recent": "desktop_app.session.autosave",
    "mcp_servers.McpServers._ask": "desktop_app.services.mcp_tools",
    "models_panel.ModelsPanel._find_on_hub": "desktop_app.models.hub_search",
    "models_panel.ModelsPanel._added": "desktop_app.models.own",
}
"""Work of a module that may not import Qt (the contract in pyproject.toml), by the place where it begins."""


# Which types a job makes


def types_there() -> set[str]:
    """The types of Qt that were made by now: until then a module has no entry for them."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("PySide6.")]
    return {f"{module.__name__}.{name}" for module in modules for name in vars(module)}


def made_by(job: Job) -> list[str]:
    """The types that a job makes; it runs on a thread, and this one waits."""
    failed: list[Exception] = []

    def work() -> None:
        try:
            job()
        except Exception as error:  # an edge: told to who waits
            failed.append(error)

    before = types_there()
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return sorted(types_there() - before)


def main() -> None:
    """Prints what the jobs made."""
    unmade, names = "--unmade" in sys.argv, [name for name in sys.argv[1:] if name in JOBS]
    if unmade and not names:
        for name in JOBS:
            subprocess.run([sys.executable, "-m", "tests.ui.thread_jobs", "--unmade", name], check=True)
        return
    from PySide6.QtWidgets import QApplication

    from desktop_app.ui.support import qt_types
    from desktop_app.ui.theme import theme

    application = QApplication([])
    theme.apply(application, "dark")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GRAPHWRIGHT_HOME"] = folder
        files = Files(Path(folder))
        jobs = {name: JOBS[name](files) for name in names or JOBS}
        if not unmade:
            qt_types.make_all()
        print(json.dumps({name: made_by(job) for name, job in jobs.items()}), flush=True)


if __name__ == "__main__":
    main()
