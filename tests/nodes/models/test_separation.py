"""Songs are taken apart: by an ONNX network through the real loading code, and by what repeats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nodes import load_tools
from nodes.api import Audio, NodeError, RunContext
from tests.nodes.av_media import rms, tone
from tests.nodes.models.tiny.onnx_builders import weighing

WAYS = load_tools().tools["take_song_apart"]
BINS, SIZE, FRAMES, HOP = 2048, 6144, 256, 1024


def _by_the_book(song: np.ndarray, path: Path) -> np.ndarray:
    """As MDX-Net's authors run it: torch.stft of pieces that overlap, the network, torch.istft."""
    import onnxruntime
    import torch

    size, length = SIZE, HOP * (FRAMES - 1)
    edge, window = size // 2, torch.hann_window(size, periodic=True)
    step = length - 2 * edge
    count = -(-len(song) // step)
    wave = np.pad(song.T, ((0, 0), (edge, edge + count * step - len(song)))).astype(np.float32)
    network, found = onnxruntime.InferenceSession(str(path)), []
    for number in range(count):
        piece = torch.from_numpy(wave[:, number * step : number * step + length].copy())
        spectrum = torch.stft(piece, size, HOP, window=window, center=True, return_complex=True)
        parts = torch.view_as_real(spectrum).permute(0, 3, 1, 2).reshape(1, 4, -1, FRAMES)[:, :, :BINS]
        made = torch.from_numpy(network.run(None, {"input": parts.contiguous().numpy()})[0])
        made = torch.cat((made, torch.zeros(1, 4, size // 2 + 1 - BINS, FRAMES)), 2)
        made = torch.view_as_complex(made.reshape(2, 2, -1, FRAMES).permute(0, 2, 3, 1).contiguous())
        back = torch.istft(made, size, HOP, window=window, center=True, length=length)
        found.append(back[:, edge : length - edge].numpy())
    return np.concatenate(found, axis=1)[:, : len(song)].T


@pytest.fixture
def context_with(tmp_path):
    def made(weights: np.ndarray) -> Any:
        folder = tmp_path / "kim-vocal-2"
        folder.mkdir()
        weighing(folder / "Kim_Vocal_2.onnx", weights, (1, 4, BINS, FRAMES))
        context = RunContext(tmp_path)
        context.model = folder
        return context

    return made


def test_a_network_is_run_as_by_its_authors(context_with):
    rng = np.random.default_rng(3)
    context = context_with(rng.random((1, 4, BINS, 1), np.float32))
    song = Audio((0.1 * rng.standard_normal((9 * 44_100, 2))).astype(np.float32), 44_100)
    way = WAYS.backend("kim-vocal-2")
    assert way is not None
    vocals, music = way.run(audio=song, context=context)
    wanted = _by_the_book(song.samples, context.model / "Kim_Vocal_2.onnx")
    assert vocals.rate == music.rate == 44_100 and rms(wanted) > 0.01
    assert rms(vocals.samples - wanted) < 1e-4 * rms(wanted)
    assert rms(vocals.samples + music.samples - song.samples) < 1e-6


def test_what_the_network_lets_through_is_the_singing(context_with):
    context = context_with(np.ones((1, 4, BINS, 1), np.float32))
    song = tone(440, 2.0, 22_050)
    way = WAYS.backend("kim-vocal-2")
    assert way is not None
    vocals, music = way.run(audio=song, context=context)
    assert vocals.samples.shape == (88_200, 2) and vocals.rate == 44_100
    assert rms(music.samples) < 0.02 * rms(vocals.samples)


def test_a_folder_without_the_network_says_what_to_do(tmp_path):
    context: Any = RunContext(tmp_path)
    context.model = tmp_path / "kim-vocal-2"
    context.model.mkdir()
    way = WAYS.backend("kim-vocal-2")
    assert way is not None
    with pytest.raises(NodeError, match="not complete"):
        way.run(audio=tone(), context=context)


def test_without_a_model_what_repeats_is_the_music(tmp_path):
    """A loop of chords and a beat, and over it a voice that glides and never comes back to where it was."""
    rate = 16_000
    time, rng = np.arange(12 * rate) / rate, np.random.default_rng(0)
    beat = np.zeros(rate)
    beat[:4000] = 0.3 * rng.standard_normal(4000) * np.exp(-np.arange(4000) / 400)
    loop = np.tile(beat, 12) + sum(0.1 * np.sin(2 * np.pi * hertz * time) for hertz in (220, 277, 330))
    voice = 0.15 * np.sin(2 * np.pi * np.cumsum(600 + 1400 * time / 12) / rate) * (time % 3 < 1.5)
    song = Audio(np.stack([loop + voice] * 2, axis=1).astype(np.float32), rate)
    vocals, music = WAYS.backends[0].run(audio=song, context=RunContext(tmp_path))
    left = rms(vocals.samples[:, 0] - voice)
    assert left < 0.5 * rms(voice), "half of the voice and more is found"
    assert rms(music.samples[:, 0] - loop) < 0.3 * rms(loop)
    assert rms(vocals.samples + music.samples - song.samples) < 1e-6
