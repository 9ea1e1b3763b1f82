"""Where one stretch of words holds two wishes, or two stretches hold one: works on chunks, before they are wishes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from desktop_app.plan.lexicon import Lexicon
from desktop_app.plan.reading import Chunk


def with_verbs_joined(chunks: Sequence[Chunk], lexicon: Lexicon) -> Iterator[Chunk]:
    """ "Search for | and send me films": two verbs with one object are one wish."""
    waiting: Chunk | None = None
    for chunk in chunks:
        if waiting is not None and chunk.joint == "and" and chunk.sentence == waiting.sentence:
            tokens = (*waiting.tokens, *chunk.tokens)
            chunk = replace(waiting, tokens=tokens, terms=tuple(lexicon.terms(tokens)))
        elif waiting is not None:
            yield waiting
        bare = bool(chunk.terms) and all(t.kind == "action" for t in chunk.terms)
        ends = (
            chunk.words[-1] in ("for", "up", "out") or chunk.terms[-1].last == len(chunk.tokens) - 1 if bare else False
        )
        waiting = chunk if bare and ends and not chunk.stating else None
        if waiting is None:
            yield chunk
    if waiting is not None:
        yield waiting


def split(chunk: Chunk, lexicon: Lexicon) -> list[Chunk]:
    """The chunk in the pieces that are wishes of their own."""
    parts = _split_at_participle(chunk, lexicon)
    return [part for whole in parts for part in _split_at_origin(whole, lexicon)]


def _split_at_origin(chunk: Chunk, lexicon: Lexicon) -> list[Chunk]:
    """ "stitch an image from the video and ...": what is to be taken out of something else is a wish of its own."""
    words = chunk.words
    types = [t for t in chunk.terms if t.kind == "type"]
    for one, other in itertools.pairwise(types):
        origin = words[one.last + 1 : one.last + 2] in (("from",), ("of",), ("representing",), ("showing",))
        start = next((i for i in range(one.first, 0, -1) if words[i] in ("a", "an")), 0)
        governing = [t for t in chunk.terms if t.last < start and t.kind in ("action", "task")]
        if not origin or not start or one.key == other.key or other.first > one.last + 4 or not governing:
            continue
        if lexicon.roles.get(governing[-1].key) not in ("makes", "takes") and governing[-1].key != "turn":
            end = len(words)
            return [_part(chunk, 0, start, chunk.joint, lexicon), _part(chunk, start, end, "inner", lexicon)]
    return [chunk]


def _split_at_participle(chunk: Chunk, lexicon: Lexicon) -> list[Chunk]:
    """ "a slideshow from an image generated from the text": the part from "an image" on is a wish of its own."""
    words = chunk.words
    for place in range(2, len(words) - 1):
        if words[place + 1] not in ("from", "of", "in", "by", "based", "using", "on") or not words[place].endswith(
            "ed"
        ):
            continue
        operative = any(t.first <= place <= t.last and t.kind in ("action", "task") for t in chunk.terms)
        noun = any(t.last == place - 1 and t.kind == "type" for t in chunk.terms)
        start = next((i for i in range(place - 1, 0, -1) if words[i] in ("a", "an", "the", "some", "any")), 0)
        before = [t for t in chunk.terms if t.last < start and t.kind in ("action", "task")]
        if operative and noun and start and before:
            return [_part(chunk, 0, start, chunk.joint, lexicon), _part(chunk, start, len(words), "inner", lexicon)]
    return [chunk]


def _part(chunk: Chunk, first: int, end: int, joint: str, lexicon: Lexicon) -> Chunk:
    tokens = chunk.tokens[first:end]
    return replace(chunk, tokens=tokens, terms=tuple(lexicon.terms(tokens)), joint=joint)
