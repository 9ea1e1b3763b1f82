"""The page of models over the window: looked through by task and words, got, paused, removed; and where they lie.

What is chosen stands at the right with what it costs and what can be done with it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFrame,
    QInputDialog,
    QLineEdit,
    QListView,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core import settings
from desktop_app.core.paths import make_private, size_on_disk
from desktop_app.models import downloads, hub, hub_search, own, runtime, store
from desktop_app.models.catalogue import Model, catalogue
from desktop_app.ui.models.model_rows import (
    HERE,
    HUB,
    OLD,
    ROW,
    ModelEntry,
    ModelList,
    RowPainter,
    device_words,
    rows_of,
    task_words,
)
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.open_outside import open_path
from desktop_app.ui.support.thread_pool import in_thread
from desktop_app.ui.widgets.basic import (
    Button,
    ElidedLabel,
    IconButton,
    Words,
    clear,
    divider,
    label,
    make_clearable,
    px,
    row,
    stack,
)
from desktop_app.ui.widgets.download_view import DownloadsView
from desktop_app.ui.widgets.popup_panel import PopupPanel

_UNTRIED = "Real-weight quality untested here."
"""What the catalogue says of most models."""
_WIDE, _HIGH, _SIDE = 900, 640, 330
_NARROW, _NARROW_SIDE, _LEAST_LIST = 700, 210, 150
_TICK_MS = 120


class ModelsPanel(PopupPanel):
    """Reads the catalogue and the disk when it opens, and follows what is fetched while it is seen."""

    def __init__(self, window: QWidget, ui: UiContext) -> None:
        super().__init__(window, formatting.translate("Models"), _WIDE)
        self._ui = ui
        self._chosen, self._shown = "", None
        self._found: list[hub_search.HubModel] | None = None
        self.search, self.task, self.here = QLineEdit(), QComboBox(), QCheckBox(self.tr("On disk only"))
        self.list, self._rows = QListView(), ModelList(self)
        self._side = QVBoxLayout()
        self._used = label("", "caption")
        self._folder = ElidedLabel("", "caption")
        self.offline = QCheckBox(self.tr("Stay offline: look for nothing and fetch nothing"))
        self.mirror = QLineEdit()
        self._build()
        self._timer = QTimer(self, singleShot=True, interval=_TICK_MS)
        self._timer.timeout.connect(self._fill)
        self._downloads = ui.session.downloads
        self._downloads.listen(self._later)

    def _build(self) -> None:
        self.search.setPlaceholderText(self.tr("Search models"))
        self.search.setAccessibleName(self.tr("Search models"))
        make_clearable(self.search)
        self.search.textChanged.connect(self._search_changed)
        self.search.returnPressed.connect(self._look_on_hub)
        self.on_hub = Button(
            self.tr("Search the hub"), "search", tip=self.tr("Look on the hub for these words, for that task (Enter)")
        )
        self.on_hub.clicked.connect(self._look_on_hub)
        self.on_hub.setEnabled(False)
        self.add = Button(self.tr("Add…"), "plus", tip=self.tr("Add a model that you have as files"))
        self.add.clicked.connect(self._show_add)
        self.task.setAccessibleName(self.tr("What for"))
        self.task.addItem(self.tr("All tasks"), "")
        for task in dict.fromkeys(model.task for model in catalogue().values()):
            self.task.addItem(task_words(task), task)
        self.task.activated.connect(self._search_changed)
        self.here.toggled.connect(self._fill)
        self._build_list()
        side = self._beside_list = QFrame()
        side.setLayout(self._side)
        self._side.setContentsMargins(px(16), px(12), px(16), px(12))
        self._side.setSpacing(px(8))
        body = QWidget()
        asked, among = row(self.search, self.on_hub, grow=0), row(self.task, self.here, self.add, grow=0)
        top = row(asked, among, gap=8, margins=(14, 10, 16, 10), grow=0)
        middle = row(self.list, divider(vertical=True), side, grow=0)
        foot = self._build_foot()
        stack(top, divider(), middle, divider(), foot, parent=body, grow=2, gap=0)
        self._folding = top, self._foot
        self.set_body(body)

    def _build_list(self) -> None:
        self.list.setModel(self._rows)
        self.list.setItemDelegate(RowPainter(self.list))
        self.list.setAccessibleName(self.tr("Models"))
        self.list.setMinimumHeight(px(_LEAST_LIST))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMouseTracking(True)
        self.list.setStyleSheet("QListView { padding: 4px 6px; background: transparent; }"
                                " QListView::item, QListView::item:selected, QListView::item:hover"
                                " { background: transparent; }")  # fmt: skip
        self.list.selectionModel().currentChanged.connect(self._current_changed)
        self.list.activated.connect(lambda index: self._main())

    def _build_foot(self) -> QVBoxLayout:
        self.change = Button(self.tr("Change…"), small=True, tip=self.tr("Keep models in another folder"))
        self.change.clicked.connect(self._choose_folder)
        self.open_folder = IconButton("folder-open", self.tr("Open the folder"), 26)
        self.open_folder.clicked.connect(self._show_folder)
        self.offline.toggled.connect(lambda on: self._set(offline=on))
        self.mirror.setPlaceholderText(hub.ADDRESS)
        self.mirror.setAccessibleName(self.tr("Mirror"))
        self.mirror.setToolTip(self.tr("The address from which models come; empty for the Hugging Face hub"))
        self.mirror.editingFinished.connect(lambda: self._set(models_mirror=self.mirror.text().strip()))
        self.mirror.setFixedWidth(px(240))
        foot = stack(gap=6, margins=(16, 8, 16, 4))
        first = row(
            label(self.tr("Folder"), "caption"), self._folder, self._used, self.open_folder, self.change, gap=8, grow=1
        )
        foot.addLayout(first)
        self._foot = row(self.offline, row(None, label(self.tr("Mirror"), "caption"), self.mirror), gap=8)
        foot.addLayout(self._foot)
        return foot

    def first_focus(self) -> QWidget:
        return self.search

    def place(self) -> None:
        window, body = self._home, self._body
        if body is None:
            return
        wide, high = min(px(_WIDE), window.width() - px(48)), min(px(_HIGH), window.height() - px(96))
        body.setFixedWidth(wide - 2)
        narrow = wide < px(_NARROW)
        for line in self._folding:
            line.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
        self._beside_list.setFixedWidth(px(_NARROW_SIDE if narrow else _SIDE))
        at = QPoint((window.width() - wide) // 2, max(px(54), (window.height() - high) // 2))
        self.setGeometry(at.x(), at.y(), wide, high)

    def open_below(self, anchor: QWidget) -> None:
        now = settings.now()
        for box, on in ((self.offline, now.offline),):
            box.blockSignals(True)
            box.setChecked(on)
            box.blockSignals(False)
        self.mirror.setText(now.models_mirror)
        super().open_below(anchor)
        self._fill()
        self._measure()

    def show_model(self, id: str) -> None:
        self.search.clear()
        self.task.setCurrentIndex(0)
        self.here.setChecked(False)
        self._choose(id)

    # What is shown

    def _later(self) -> None:
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    def _fill(self, *_: object) -> None:
        if not self.isVisible():
            return
        task = self.task.currentData() or ""
        shown = rows_of(
            catalogue().values(), self._downloads.all, self.search.text(), task, self.here.isChecked(), self._found
        )
        self._rows.show(shown)
        shows = self._chosen and self._rows.place(self._chosen).isValid()  # a heading has no id
        self._choose(self._chosen if shows else next((each.id for each in shown if each.id), ""))

    def _choose(self, id: str) -> None:
        place = self._rows.place(id)
        if place.isValid() and place != self.list.currentIndex():
            self.list.setCurrentIndex(place)
            self.list.scrollTo(place, QAbstractItemView.ScrollHint.PositionAtCenter)
        self._show_side()

    def _current_changed(self, index: QModelIndex, _: QModelIndex) -> None:
        found = index.data(ROW) if index.isValid() else None
        if found is not None and found.id:
            self._chosen = found.id
            self._show_side()

    def _show_side(self) -> None:
        """What is chosen, with what can be done with it; made anew only when its kind of state changed."""
        found = next((each for each in self._rows.rows if each.id == self._chosen), None)
        state = (found.id, found.state, found.size_bytes, settings.now().offline) if found is not None else None
        if state == self._shown:
            return
        self._shown = state
        held = self.isAncestorOf(self.focusWidget()) if self.focusWidget() else False
        clear(self._side)
        self.main: Button | None = None
        if found is not None:
            self._fill_side(found)
        self._side.addStretch(1)
        if held and self.focusWidget() is None:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill_side(self, found: ModelEntry) -> None:
        self._side.addWidget(label(found.title, "title", True))
        for name, value in self._facts(found):
            head = label(name, "caption")
            head.setFixedWidth(px(82))
            words = Words()
            words.setProperty("role", "small")
            words.setText(value)
            line = row(head, words, gap=8)
            line.setAlignment(head, Qt.AlignmentFlag.AlignTop)
            line.setStretch(1, 1)
            self._side.addLayout(line)
        if found.model is not None and found.model.note:
            note = found.model.note.replace(_UNTRIED, self.tr("Not tried here with its real weights."))
            self._side.addWidget(label(note, "tertiary", True))
        if found.download is not None and found.state == found.download.state:
            self._side.addSpacing(px(4))
            self._side.addWidget(DownloadsView(self._downloads, (found.id,), self._get))
        self._side.addSpacing(px(6))
        self._add_buttons(found)

    def _facts(self, found: ModelEntry) -> list[tuple[str, str]]:
        model = found.model
        if found.found is not None:
            return self._facts_of_hub(found.found)
        size = formatting.size(found.size_bytes)
        size = self.tr("about {size}").format(size=size) if found.estimated else size
        load = (self.tr("On disk") if found.here else self.tr("Download"), size)
        if model is None:
            return [load, (self.tr("Made for"), device_words())]
        pinned = {
            "digest": self.tr("by checksums of the catalogue"),
            "first download": self.tr("by its first download here"),
        }.get(store.pinned(model), self.tr("by the checksums that the server states"))
        return [
            (self.tr("For"), task_words(model.task)), load,
            (self.tr("Memory"), self.tr("about {size}").format(size=formatting.size(model.memory_bytes))),
            (self.tr("Licence"), model.licence), (self.tr("From"), model.repo), (self.tr("Checked"), pinned),
        ]  # fmt: skip

    def _facts_of_hub(self, found: hub_search.HubModel) -> list[tuple[str, str]]:
        size = formatting.size(found.size_bytes) if found.size_bytes else self.tr("not stated")
        return [
            *([(self.tr("For"), task_words(found.task))] if found.task else ()), (self.tr("Size"), size),
            (self.tr("Licence"), found.licence or self.tr("not stated")),
            (self.tr("Downloads"), f"{found.downloads:,}"), (self.tr("From"), found.repo),
        ]  # fmt: skip

    def _add_buttons(self, found: ModelEntry) -> None:
        if found.found is not None:
            if found.found.why_not:
                self._side.addWidget(label(formatting.said(found.found.why_not), "caption", True))
                return
            self.main = Button(self.tr("Add to the models"), "plus", "primary")
            self.main.clicked.connect(self._main)
            self._side.addWidget(self.main)
            return
        going = found.state in downloads.GOING
        lacking = found.model is not None and not runtime.ready() and found.model.family != ""
        if found.state != HERE and not going:
            words = {downloads.PAUSED: self.tr("Go on"), OLD: self.tr("Update"),
                     downloads.FAILED: self.tr("Try again")}.get(found.state, self.tr("Get it"))  # fmt: skip
            self.main = Button(
                f"{words} ({formatting.size(max(0, found.size_bytes - found.arrived_bytes))})", "download", "primary"
            )
            self.main.clicked.connect(self._main)
            self.main.setEnabled(not settings.now().offline)
            self._side.addWidget(self.main)
            if settings.now().offline:
                self._side.addWidget(label(self.tr("The program is set to stay offline."), "caption", True))
        if lacking:
            size = formatting.size(runtime.size_bytes())
            said = self.tr("It also needs the model runtime ({size}), which is fetched when it is first used.")
            self._side.addWidget(label(said.format(size=size), "caption", True))
        if found.model is not None and found.model.family in own.LORA_FAMILIES:
            loras = Button(self.tr("With LoRA files…"), "plus", small=True)
            loras.setToolTip(self.tr("Make a model of this one with LoRA files on it"))
            loras.clicked.connect(self._add_loras)
            self._side.addLayout(row(loras, None))
        if found.here or found.arrived_bytes or found.old:
            remove = Button(self.tr("Remove"), "trash-2", "danger", small=True)
            remove.clicked.connect(self._remove)
            remove.setEnabled(not going and (found.model is not None or runtime.path() is not None))
            self._side.addLayout(row(remove, None))
            users = store.users(found.model) if found.model is not None else ()
            if users:
                said = self.tr("Needed by {names}").format(names=", ".join(user.title for user in users))
                self._side.addWidget(label(said, "caption", True))

    # What can be done

    def _main(self) -> None:
        if self.main is not None and self.main.isEnabled():
            self._get(self._chosen)

    def _get(self, id: str) -> None:
        repo = id.removeprefix(f"{HUB}/")
        self._ui.calls.later(self._added(partial(hub_search.add, repo)) if repo != id else self._fetch(id))

    async def _fetch(self, id: str) -> None:
        if await self._downloads.get((id,)):
            self._came()

    def _sought(self) -> tuple[str, str]:
        """Words and task that are looked for; ("", "") for all."""
        return self.search.text().strip(), self.task.currentData() or ""

    def _search_changed(self, *_: object) -> None:
        self._found = None
        self.on_hub.setEnabled(any(self._sought()))
        self._fill()

    def _look_on_hub(self) -> None:
        if self.on_hub.isEnabled():
            self._ui.calls.later(self._find_on_hub(*self._sought()))

    async def _find_on_hub(self, words: str, task: str = "") -> None:
        """Shows what the hub has, below what the catalogue has; the first of it is chosen."""
        self.on_hub.setEnabled(False)
        try:
            found = await in_thread(hub_search.search, words, task)
        finally:
            self.on_hub.setEnabled(any(self._sought()))
        if (words, task) != self._sought():
            return
        self._found = found
        self._fill()
        self._choose(next((row.id for row in self._rows.rows if row.found is not None), self._chosen))

    async def _added(self, add: Callable[[], Model]) -> None:
        model = await in_thread(add)
        self._came()
        self.search.clear()
        self.show_model(model.id)

    def _show_add(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("A folder with a model…"), self._add_folder)
        menu.addAction(self.tr("A checkpoint (.safetensors)…"), self._add_checkpoint)
        menu.popup(self.add.mapToGlobal(QPoint(0, self.add.height())))

    def _add_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Add the model in"))
        if chosen:
            self._ui.calls.later(self._added(partial(own.add, Path(chosen))))

    def _add_checkpoint(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, self.tr("Add the checkpoint"), "", f"*{own.WEIGHTS}")
        if chosen:
            self._ui.calls.later(self._added(partial(own.add, Path(chosen))))

    def _add_loras(self) -> None:
        """Asks for the files, and for the weight of each."""
        base = catalogue()[self._chosen]
        chosen, _ = QFileDialog.getOpenFileNames(self, self.tr("LoRA files"), "", f"*{own.WEIGHTS}")
        files: list[tuple[Path, float]] = []
        for path in map(Path, chosen):
            asked = self.tr("Weight of {file}").format(file=path.name)
            weight, agreed = QInputDialog.getDouble(self, base.title, asked, 1.0, -4.0, 4.0, 2)
            if not agreed:
                return
            files.append((path, weight))
        if files:
            self._ui.calls.later(self._added(partial(own.add_loras, base, files)))

    def _came(self) -> None:
        self._ui.session.look_again()
        self._fill()
        self._measure()

    def _remove(self) -> None:
        found = catalogue().get(self._chosen)
        self._downloads.drop(self._chosen)
        if self._ui.calls.now(store.remove, found) if found else self._ui.calls.now(runtime.remove):
            self._shown = None
        self._came()

    def _measure(self) -> None:
        root = store.root()
        self._folder.set_text(str(root))
        self._ui.loader.run(partial(_taken, root), self._measured)

    def _measured(self, taken: object) -> None:
        if isinstance(taken, int):
            self._used.setText(self.tr("{size} in use").format(size=formatting.size(taken)))

    def _set(self, **values: object) -> None:
        now = settings.now()
        if any(getattr(now, name) != value for name, value in values.items()):
            self._ui.signals.change_settings.emit(values)
            self._ui.session.look_again()
            self._fill()

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Keep models in"), str(store.root()))
        if chosen:
            self._set(models_folder=chosen)
            self._measure()

    def _show_folder(self) -> None:
        make_private(store.root())
        open_path(self._ui, store.root())


def _taken(root: Path) -> int:
    return size_on_disk(root) + size_on_disk(runtime.root())
