"""Whatever comes through the pipe of a lane is a message, or it is garbage; it never is an error."""

from __future__ import annotations

import json
import random
import string

import pytest

from desktop_app.run.workers import protocol
from tests.run.conftest import World
from tests.run.helpers import chain, graph

_DIGEST = "a" * 64
_GOOD = [
    {"ready": 1, "unbound": ""},
    {"models": {"m": 3}},
    {"progress": "a", "fraction": 0.5, "note": "n", "preview": ""},
    {"done": "a", "outputs": {"x": [_DIGEST, ".png", "image", {"width": 3, "sound": True}, 5]}, "seconds": 0.5},
    {"done": "a", "outputs": {"x": [[_DIGEST, "", "text", {}, 0]]}, "seconds": 1},
    {"cancelled": "a", "seconds": 0.5},
    {"failed": "a", "message": "m", "port": "", "fix": "", "cause": "", "seconds": 1, "memory": True},
    {"failed": "a", "message": "m", "port": "", "fix": "", "cause": "", "seconds": 1, "damaged": f"{_DIGEST}.png"},
]
_HUGE = "9" * 400


def _done(item: str) -> str:
    return f'{{"done": "a", "outputs": {{"x": {item}}}, "seconds": 0}}'


_BAD = [
    f'{{"ready": {_HUGE}}}', f'{{"ready": {"9" * 5000}}}', '{"ready": -1}', '{"ready": 1e5}', '{"ready": true}',
    f'{{"models": {{"m": {_HUGE}}}}}', f'{{"cancelled": "a", "seconds": {_HUGE}}}',
    f'{{"cancelled": "a", "seconds": -{_HUGE}}}', '{"cancelled": "a", "seconds": NaN}',
    '{"cancelled": "a", "seconds": 1e999}', '{"cancelled": ["a"], "seconds": 1}',
    f'{{"progress": "a", "fraction": {_HUGE}, "note": "", "preview": ""}}',
    _done(f'["{_DIGEST}", ".png", "image", {{}}, {_HUGE}]'), _done(f'["{_DIGEST}", ".png", "image", {{}}, -1]'),
    _done(f'["{_DIGEST}", "/../../victim", "image", {{}}, 1]'), _done(f'["{_DIGEST}", ".a/b", "image", {{}}, 1]'),
    _done(f'["../../../../{"a" * 52}", ".png", "image", {{}}, 1]'), _done(f'["{"A" * 64}", ".png", "image", {{}}, 1]'),
    _done(f'["{_DIGEST}", ".png", "image", {{"deep": [[[1]]]}}, 1]'),
    _done(f'["{_DIGEST}", ".png", "image", {{"width": {_HUGE}}}, 1]'),
    _done(f'["{_DIGEST}", ".png", "image", {{"width": Infinity}}, 1]'), _done('[["x"]]'), _done("{}"), _done("7"),
    '{"failed": "a", "message": "m", "port": "", "fix": "", "cause": "", "seconds": 1, "damaged": "../../etc/passwd"}',
    '{"failed": "a", "message": "m", "port": "", "fix": "", "cause": "", "seconds": 1, "memory": "yes"}',
    json.dumps({"failed": "a", "message": "m" * 200_000, "port": "", "fix": "", "cause": "", "seconds": 1}),
    "[" * 100_000, '{"a":' * 50_000, "[[" * 900 + "]]" * 900, "", "null", "1", '"x"', "{}", "\ufeff{}", "\x00",
    '{"ready": 1, "more": 2}', '{"ready": 1, "cancelled": "a", "seconds": 1}',
]  # fmt: skip


@pytest.mark.parametrize("message", _GOOD, ids=lambda message: next(iter(message)))
def test_what_a_worker_says_is_heard(message):
    lines = protocol.MessageDecoder()
    assert lines.feed(protocol.encoded(message)) == [message] and not lines.garbled


@pytest.mark.parametrize("line", _BAD, ids=lambda line: line[:40])
def test_what_no_worker_says_is_garbage(line):
    lines = protocol.MessageDecoder()
    assert lines.feed(line.encode() + b"\n") == [] and lines.garbled


def test_a_line_without_end_is_garbage_before_it_takes_much(monkeypatch):
    monkeypatch.setattr(protocol, "LINE_BYTES", 1000)
    lines = protocol.MessageDecoder()
    assert lines.feed(b"x" * 900) == [] and not lines.garbled
    assert lines.feed(b"x" * 900) == [] and lines.garbled
    whole = protocol.MessageDecoder()
    assert whole.feed(b'{"models": {' + b" " * 2000 + b"}}\n") == [] and whole.garbled


def test_half_characters_become_what_can_be_written():
    said = protocol.MessageDecoder().feed(
        b'{"progress": "a", "fraction": 0, "note": "x\\ud800y", "preview": "\\uDFFF"}\n'
    )
    assert said[0]["note"] == "x?y" and said[0]["preview"] == "?"
    json.dumps(said, ensure_ascii=False).encode()


def _mutated(dice: random.Random, line: bytes) -> bytes:
    data = bytearray(line)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(data) + 1)
        what = dice.randrange(4)
        if what == 0 and data:
            data[min(at, len(data) - 1)] = dice.randrange(256)
        elif what == 1:
            data[at:at] = dice.choice((b"9" * 500, b"[" * 50, b"{", b"\\ud800", b"NaN", b"-", b'"', b"null", b"1e99"))
        elif what == 2:
            del data[at : at + dice.randint(1, 9)]
        else:
            data[at:at] = "".join(dice.choices(string.printable, k=3)).encode()
    return bytes(data)


def _fuzz(count: int) -> None:
    dice = random.Random(11)
    good = [protocol.encoded(message) for message in _GOOD]
    for _ in range(count):
        lines = protocol.MessageDecoder()
        for message in lines.feed(_mutated(dice, dice.choice(good)) + b"\n"):
            json.dumps(message, ensure_ascii=False).encode()  # as the recording writes it


def test_nothing_that_comes_is_an_error():
    _fuzz(3000)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_nothing_of_a_million_that_come_is_an_error():
    _fuzz(1_000_000)


@pytest.mark.parametrize("how", ["a huge number", "a huge count", "a path for a digest"])
def test_a_lane_that_sends_it_fails_alone(world: World, how):
    run = world.run(graph({"bad": ("misbehave", {"how": how}), "free": ("nap", {"seconds": 0.05})}))
    assert run.nodes["bad"].state == "failed" and "wrote into the pipe" in run.nodes["bad"].message
    assert run.nodes["free"].state == "done" and world.run(chain(2)).outcome == "ok"


def test_a_preview_of_another_file_is_not_shown(world: World, tmp_path):
    """The window opens what a preview names."""
    from desktop_app.run.events import events
    from tests.run.helpers import Heard

    heard = Heard()
    world.run(graph({"bad": ("misbehave", {"how": "a preview of another"})}), heard)
    assert "from outside" in [event.note for event in heard.of(events.NodeProgress)]
    assert {event.preview for event in heard.of(events.NodeProgress)} == {""}
