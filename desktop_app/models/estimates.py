"""How long a model takes before it has ever run here: a rough figure, by its parameters and this machine.

History replaces it after the first run. A model computes about two operations for each parameter and each token (or
place of the picture) that passes through it; what passes is stated here by family, for an ordinary input.
"""

from __future__ import annotations

import os

from desktop_app.models.catalogue import Model, catalogue
from desktop_app.models.selection import Facts, on_gpu
from nodes.api import Backend

_PASSES = {
    "transformers image classification": 200,
    "transformers image and text": 300,
    "transformers chat": 600,
    "transformers depth estimation": 1_400,
    "transformers pose": 1_000,
    "transformers captioning": 1_500,
    "transformers whisper": 1_500,
    "transformers object detection": 2_500,
    "transformers open-vocabulary detection": 2_500,
    "transformers sam": 4_000,
    "transformers super resolution": 20_000,
    "diffusers pipeline": 28_000,
    "diffusers controlnet": 28_000,
    "diffusers layers": 100_000,
    "diffusers film": 400_000,
}
_USUAL_PASSES = 2_000
_CPU_OPERATIONS, _GPU_OPERATIONS = 20e9, 15e12
"""A second: of one core, and of a graphics card in 16 bits, as networks reach them."""
_READ_BYTES = 5e8  # chosen: a second from a common SSD
_BYTES_A_PARAMETER = 4.0  # of 32 bit, as most small models are stored


def seconds(backend: Backend, facts: Facts) -> float | None:
    """About how long one call takes with loading the model; None for what has no model, of which nothing is known."""
    model = catalogue().get(backend.model)
    return None if model is None else _seconds(model, backend, facts)


def _seconds(model: Model, backend: Backend, facts: Facts) -> float:
    speed = (
        _GPU_OPERATIONS
        if on_gpu(backend, model.memory_bytes, facts)
        else _CPU_OPERATIONS * max(1, (os.cpu_count() or 2) // 2)
    )
    operations = 2 * model.size_bytes / _BYTES_A_PARAMETER * _PASSES.get(model.family, _USUAL_PASSES)
    return model.size_bytes / _READ_BYTES + operations / speed
