"""The one door to NodeGraphQt: the classes that the canvas, cards, ports and links derive from.

WORKAROUND: imported plainly, NodeGraphQt 0.6.44 loads all of Qt through Qt.py (sound, databases, help, ...) and all
of setuptools for one comparison of versions (distutils): half a second before the first window. While it is
imported, small stand-ins take the place of those two; afterwards they are gone again. This may go when NodeGraphQt
imports PySide6 itself (https://github.com/jchanvfx/NodeGraphQt).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import PySide6
from PySide6 import QtCore, QtGui, QtSvg, QtWidgets

_PARTS = {"QtCore": QtCore, "QtGui": QtGui, "QtWidgets": QtWidgets, "QtSvg": QtSvg}


class _Part(ModuleType):
    """A part of Qt in which names are also found that Qt 6 moved to another part (QAction, QUndoStack)."""

    def __getattr__(self, name: str) -> Any:
        home = _PARTS[self.__name__.rpartition(".")[2]]
        for part in (home, *_PARTS.values()):
            if hasattr(part, name):
                setattr(self, name, getattr(part, name))  # asked for again for each change of each item in the scene
                return getattr(part, name)
        raise AttributeError(f"{self.__name__} has no {name}")


class _Version:
    """As much of LooseVersion as is used: comparison of numbers."""

    def __init__(self, text: str) -> None:
        self.numbers = tuple(int(part) for part in text.split(".") if part.isdigit())

    def __ge__(self, other: _Version) -> bool:
        return self.numbers >= other.numbers


class _HeaderView:
    """What NodeGraphQt's property table asks of Qt.py, which smooths over a name of Qt 4."""

    @staticmethod
    def setSectionResizeMode(header: QtWidgets.QHeaderView, *given: Any) -> None:
        """A function of ours: of Qt's own, staticmethod() asks the text, for which PySide reads its signatures anew."""
        header.setSectionResizeMode(*given)


class _Compat(ModuleType):
    QHeaderView = _HeaderView


@contextmanager
def _stand_ins() -> Iterator[None]:
    qt, version = ModuleType("Qt"), ModuleType("distutils.version")
    made: dict[str, ModuleType] = {"Qt": qt, "Qt.QtCompat": _Compat("Qt.QtCompat")}
    for name in _PARTS:
        made[f"Qt.{name}"] = _Part(f"Qt.{name}")
    for name in (*_PARTS, "QtCompat"):
        setattr(qt, name, made[f"Qt.{name}"])
    qt.__dict__.update(IsPySide2=False, IsPySide6=True, IsPyQt5=False, __binding__="PySide6")
    qt.__dict__["__binding_version__"] = PySide6.__version__
    version.__dict__["LooseVersion"] = _Version
    made |= {"distutils": ModuleType("distutils"), "distutils.version": version}
    before = {name: sys.modules.get(name) for name in made}
    sys.modules.update(made)
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module


if "NodeGraphQt" in sys.modules or "Qt" in sys.modules:
    from NodeGraphQt.constants import PortTypeEnum
    from NodeGraphQt.qgraphics.node_abstract import AbstractNodeItem
    from NodeGraphQt.qgraphics.pipe import PipeItem
    from NodeGraphQt.qgraphics.port import PortItem
    from NodeGraphQt.widgets.viewer import NodeViewer
else:
    with _stand_ins():
        from NodeGraphQt.constants import PortTypeEnum
        from NodeGraphQt.qgraphics.node_abstract import AbstractNodeItem
        from NodeGraphQt.qgraphics.pipe import PipeItem
        from NodeGraphQt.qgraphics.port import PortItem
        from NodeGraphQt.widgets.viewer import NodeViewer

__all__ = ["AbstractNodeItem", "NodeViewer", "PipeItem", "PortItem", "PortTypeEnum"]
