"""The planning modes in words."""

from __future__ import annotations

from desktop_app.core.settings import PLAN_MODES
from desktop_app.ui.support import formatting


def mode_names() -> dict[str, str]:
    said = (
        formatting.translate("Plan first"),
        formatting.translate("Task list"),
        formatting.translate("Subtasks"),
        formatting.translate("Step by step"),
    )
    return dict(zip(PLAN_MODES, said, strict=True))


def mode_words() -> dict[str, str]:
    return {
        "solutions": formatting.translate("Plan first: see several ways, then run one"),
        "task list": formatting.translate("Task list: the language model lists all tasks and chooses the models"),
        "pipeline": formatting.translate("Subtasks: the language model splits the request, a search finds the tools"),
        "step by step": formatting.translate("Step by step: each step runs as it is chosen"),
    }
