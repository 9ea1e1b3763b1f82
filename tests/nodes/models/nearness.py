"""When two pictures that networks made are the same one."""

from __future__ import annotations

import numpy as np


def close(found: np.ndarray, plain: np.ndarray) -> bool:
    """Whether no value (0 to 255) differs by more than 1: the last bit of a sum of floats depends on the processor and
    on where in memory the numbers lie, so that one run may differ from the next.
    """
    return found.shape == plain.shape and int(np.abs(found.astype(int) - plain).max()) <= 1
