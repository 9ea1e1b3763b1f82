"""A result seen large in place of the graph: zoom with the wheel, pan by dragging."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QPixmap, QWheelEvent
from PySide6.QtWidgets import QFrame, QGraphicsPixmapItem, QGraphicsScene, QGraphicsView, QWidget

from desktop_app.storage.resources import Resource
from desktop_app.ui.support import formatting, media_reader
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.saving import as_saved
from desktop_app.ui.support.wheel import pan_of, zoom_of
from desktop_app.ui.theme.shapes import paint_board
from desktop_app.ui.widgets.basic import Button, ElidedLabel, IconButton, divider, label, px, row, stack, surface
from nodes.api import ResourceType


class ZoomView(QGraphicsView):
    """A picture that fits its room until it is zoomed."""

    zoomed = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "canvas")
        self._scene = QGraphicsScene(self)
        self.setScene(self._scene)
        self._item = QGraphicsPixmapItem()
        self._item.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        self._scene.addItem(self._item)
        self._fitted = True
        self._board = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def set_image(self, image: QImage) -> None:
        self._item.setPixmap(QPixmap.fromImage(image))
        self._board = image.hasAlphaChannel()
        self._scene.setSceneRect(self._item.boundingRect())
        self.fit()

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        super().drawBackground(painter, rect)
        if self._board:
            seen = painter.transform().mapRect(self._item.boundingRect()).toAlignedRect() & self.viewport().rect()
            painter.save()
            painter.resetTransform()
            paint_board(painter, seen, px(8))
            painter.restore()

    def image(self) -> QImage:
        return self._item.pixmap().toImage()

    def fit(self) -> None:
        self._fitted = True
        size, room = self._item.pixmap().size(), self.viewport().size()
        if size.isEmpty():
            return
        zoom = min(room.width() / size.width(), room.height() / size.height(), 4.0)
        self.set_zoom(zoom * 0.98)
        self._fitted = True

    def set_zoom(self, zoom: float) -> None:
        """Screen pixels for each pixel of the picture."""
        zoom = min(40.0, max(0.02, zoom))
        self.resetTransform()
        self.scale(zoom, zoom)
        self._fitted = False
        self.zoomed.emit(zoom)

    @property
    def zoom(self) -> float:
        return self.transform().m11()

    def wheelEvent(self, event: QWheelEvent) -> None:
        moved = pan_of(event)
        if moved is not None:
            for bar, by in ((self.horizontalScrollBar(), moved.x()), (self.verticalScrollBar(), moved.y())):
                bar.setValue(bar.value() - round(by))
            return
        wanted = min(40.0, max(0.02, self.zoom * zoom_of(event)))
        self.scale(wanted / self.zoom, wanted / self.zoom)
        self._fitted = False
        self.zoomed.emit(self.zoom)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        if self._fitted:
            self.fit()


class Preview(QFrame):
    """`closed` when the user goes back to the graph."""

    closed = Signal()

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self.setProperty("surface", "canvas")
        self._ui = ui
        self._resource: Resource | None = None
        self._digest = ""
        self.view = ZoomView()
        self.view.zoomed.connect(lambda zoom: self._zoom.setText(f"{zoom:.0%}".replace("%", " %")))
        self.view.setAccessibleName(self.tr("Picture"))
        self._trouble = label("", "secondary", True)
        self._trouble.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._trouble.hide()
        stack(self._make_header(), divider(), self._trouble, self.view, parent=self, grow=3, gap=0)

    def _make_header(self) -> QWidget:
        header = surface("panel")
        header.setFixedHeight(px(46))
        back = Button(self.tr("Graph"), "chevron-left", "quiet", tip=self.tr("Back to the graph (Esc)"))
        back.clicked.connect(self.closed)
        self._name = ElidedLabel(role="heading")
        self._zoom = label("", "caption")
        fit = IconButton("maximize", self.tr("Fit the picture"))
        fit.clicked.connect(self.view.fit)
        self._real = real = Button(
            "1:1", kind="quiet", small=True, tip=self.tr("One pixel of the screen for each of the picture")
        )
        real.clicked.connect(lambda: self.view.set_zoom(1.0))
        self._point = Button(self.tr("Point"), "crosshair", small=True, tip=self.tr("Point at something in it"))
        self._point.clicked.connect(lambda: self._resource and self._ui.signals.point_at.emit(self._resource.name))
        self._before = Button(self.tr("Before"), "columns-2", small=True, tip=self.tr("Show what it was made from"))
        self._before.setCheckable(True)
        self._before.toggled.connect(self._show_before)
        self._swap = IconButton("refresh-cw", self.tr("Replace the file…"))
        self._swap.clicked.connect(self._replace)
        copy = IconButton("copy", self.tr("Copy the picture"))
        copy.clicked.connect(self._copy)
        folder = IconButton("folder-open", self.tr("Open the folder it lies in"))
        folder.clicked.connect(lambda: self._resource and self._ui.signals.open_folder.emit(self._resource))
        self._save = save = Button(self.tr("Save as…"), "download", small=True)
        save.clicked.connect(lambda: self._resource and self._ui.signals.save_as.emit(self._resource))
        layout = row(
            back, divider(True, 18), 4, self._name, self._zoom, fit, real, self._before, self._point, self._swap, copy,
            folder, save, margins=(8, 8, 12, 8),
        )  # fmt: skip
        layout.setStretchFactor(self._name, 1)
        header.setLayout(layout)
        return header

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        roomy = self.width() > px(560)
        for part in (self._zoom, self._real):
            part.setVisible(roomy)
        words = (self.tr("Before"), self.tr("Point"), self.tr("Save as…"))
        for button, text in zip((self._before, self._point, self._save), words, strict=True):
            button.set_words(text if roomy else "")

    def show_resource(self, resource: Resource) -> None:
        self._resource = resource
        self._before.setVisible(self._source() is not None)
        self._swap.setVisible(self._ui.session.workflow.resource(resource.name) is not None)
        self._before.blockSignals(True)
        self._before.setChecked(False)
        self._before.blockSignals(False)
        self._read(resource)

    def _source(self) -> Resource | None:
        """The picture of the user's that the result was made from, None when there is none."""
        made_by = self._resource.made_by if self._resource is not None else ""
        workflow = self._ui.session.workflow
        above = workflow.upstream(made_by) if made_by in workflow.ids() else frozenset()
        return next((r for r in workflow.resources if r.name in above and r.type is ResourceType.IMAGE), None)

    def _show_before(self, before: bool) -> None:
        shown = self._source() if before else self._resource
        if shown is not None:
            self._read(shown)

    def _replace(self) -> None:
        """Another file in the place of this input, asked for over the graph."""
        self.closed.emit()
        if self._resource is not None:
            self._ui.signals.replace_file.emit(self._resource.name)

    def _copy(self) -> None:
        image = self.view.image()
        if not image.isNull():
            QGuiApplication.clipboard().setImage(image)

    def _read(self, resource: Resource) -> None:
        self._digest = resource.digest
        self._name.set_text(formatting.caption_of(as_saved(self._ui, resource)))
        self._point.setVisible(resource.type is ResourceType.IMAGE)
        small = self._ui.thumbnails.image(resource)
        if small is not None:
            self.view.set_image(small)
        path = self._ui.path(resource)
        if path is not None:
            read = (
                media_reader.frame
                if resource.type is ResourceType.VIDEO
                else partial(media_reader.picture, type=resource.type)
            )
            self._ui.loader.run(partial(read, path), partial(self.picture_came, resource.digest))

    def picture_came(self, digest: str, image: object) -> None:
        """Shows the picture unless another one was asked for meanwhile."""
        if digest != self._digest:
            return
        good = isinstance(image, QImage)
        self._trouble.setVisible(not good)
        if isinstance(image, QImage):
            self.view.set_image(image)
        else:
            self._trouble.setText(str(image))

    def keyPressEvent(self, event) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
