"""A card says where its node would run, and never "GPU" where it would not be one."""

from __future__ import annotations

import pytest

from desktop_app.models.selection import Facts
from desktop_app.ui.support import costs
from nodes import load_tools

GB = 10**9


@pytest.mark.parametrize(
    ("tool", "model", "gpu", "where"),
    [
        ("detect_objects", "yolos-tiny", 0, "CPU"),
        ("detect_objects", "yolos-tiny", 8 * GB, "GPU"),
        ("chat", "qwen2-5-7b", 4 * GB, "CPU"),
        ("chat", "qwen2-5-7b", 80 * GB, "GPU"),
        ("text_to_image", "sdxl-base-1", 4 * GB, "GPU"),
        ("text_to_image", "sdxl-base-1", 2 * GB, "CPU"),
        ("blur", "opencv", 80 * GB, "CPU"),
    ],
)
def test_what_a_gpu_does_not_hold_is_said_to_run_on_the_cpu(tool, model, gpu, where, monkeypatch):
    """But for pictures, whose parts take turns on it."""
    monkeypatch.setattr(costs, "machine", lambda: Facts(64 * GB, gpu))
    backend = load_tools().tools[tool].backend(model)
    assert costs.place_of(backend) == where and costs.facts_of(backend).endswith(where)
