"""Every model of text, sound and film that has a tiny one, given nothing and junk: a clear error that names a port."""

from __future__ import annotations

import numpy as np
import pytest

from nodes import load_tools
from nodes.api import Audio, NodeError, ResourceType
from tests.nodes.av_media import noise
from tests.nodes.models.conftest import LAYOUT

T = ResourceType
WAYS = [
    (tool, backend)
    for tool in sorted(load_tools().tools.values(), key=lambda tool: tool.id)
    for backend in tool.backends
    if tool.domain in ("text", "audio", "video") and backend.model in LAYOUT
]
WISHES = ("chat.text", "text_to_video.prompt")
"""What one wishes for may be of any signs, a smiling face too."""
BAD = {
    T.TEXT: ("", "  \n\t ", "\x00\x01\x02\x03" * 50),
    T.AUDIO: (
        Audio(np.zeros((0, 1), np.float32), 16_000),
        Audio(np.zeros((8000, 2), np.float32), 16_000),
    ),
    T.VIDEO: (b"", b"This is no film."),
    T.IMAGE: (),
    T.MASK: (),
    T.TABLE: (),
}
GOOD = {T.TEXT: "The dog is good, the cat is bad.", T.AUDIO: noise(0.5, 16_000)}


@pytest.mark.parametrize(("tool", "backend"), WAYS, ids=[f"{tool.id}-{backend.id}" for tool, backend in WAYS])
def test_bad_input_names_a_port(tool, backend, context_for, tmp_path):
    ports = [port for port in tool.inputs if port.required]
    for port in ports:
        for number, bad in enumerate(() if port.choices else BAD[port.type]):
            if f"{tool.id}.{port.name}" in WISHES and bad.strip():
                continue
            if isinstance(bad, bytes):
                path = tmp_path / f"{number}.mp4"
                path.write_bytes(bad)
                bad = path
            given = {each.name: GOOD.get(each.type) for each in ports if each is not port} | {port.name: bad}
            given |= {each.name: each.default for each in tool.inputs if not each.required}
            with pytest.raises(NodeError) as caught:
                backend.run(**given, context=context_for(backend.id))
            assert caught.value.port in [each.name for each in tool.inputs], (port.name, number)
            assert caught.value.fix


@pytest.mark.parametrize(("tool", "id"), [("classify_sound", "ast-audioset"), ("match_sound", "clap-htsat")])
def test_sounds_that_are_no_numbers_in_places_are_heard_all_the_same(tool, id, context_for):
    samples = noise(0.5, 16_000).samples.copy()
    samples[::7] = np.nan
    declared = load_tools().tools[tool]
    given = {"labels": "dog, cat"} if tool == "match_sound" else {"most": 3}
    backend = declared.backend(id)
    assert backend is not None
    found = backend.run(audio=Audio(samples, 16_000), **given, context=context_for(id))
    assert found and all(0 <= label.score <= 1 for label in found)
