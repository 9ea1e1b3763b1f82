"""From which size on a download, and from which length on a run, wants a word of the user first, in the settings."""

from __future__ import annotations

from desktop_app.ui.settings.edit_form import BoundFields
from desktop_app.ui.widgets.basic import label, px, row, stack

_MOST_GB, _MOST_MINUTES = 1000, 10_000
_WIDTH = 150


class LimitOptions(BoundFields):
    def __init__(self) -> None:
        super().__init__()
        size, time, never = (
            self.tr("Ask before downloads of more than"), self.tr("Ask before runs of more than"), self.tr("never ask"),
        )  # fmt: skip
        self.gb = self.number("ask_gb", size, 0, _MOST_GB, " GB", never)
        self.minutes = self.number("ask_minutes", time, 0, _MOST_MINUTES, self.tr(" min"), never)
        column = stack(parent=self, gap=6)
        for name, field in ((size, self.gb), (time, self.minutes)):
            field.setFixedWidth(px(_WIDTH))
            column.addLayout(row(label(name, "secondary"), None, field, gap=10))
