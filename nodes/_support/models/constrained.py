"""Holds a language model to a JSON schema: what it writes is one whole value of it, within so many tokens.

Which tokens may come next is for llguidance to say. That the value is closed before the tokens run out is seen to here:
in each state a way to the end is known, and no token is taken after which that way would be longer than what is left.
Must not know models or nodes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from llguidance import LLMatcher

_LAYOUT: Any = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
"""As json.dumps writes, which models have seen most. Free white space would let a small one write nothing else."""
_LONGEST_WAY = 4096
_TRIES = 8
_PREFERRED = ',5012346789":-tfn{[ aesr\\'
"""Where several fit: on to the next member, lest a number go on for ever; digits before what has to be closed again."""
_CONTINUATION = range(0x80, 0xC0)


class BadSchema(ValueError):
    """The schema is not understood, or asks for what has no end."""


class TooFewTokens(ValueError):
    """Not even the shortest value that was found fits: it takes `needed` tokens."""

    def __init__(self, needed: int) -> None:
        super().__init__(f"the shortest value takes {needed} tokens")
        self.needed = needed


class Vocabulary:
    """The tokens of a fast tokenizer of transformers, read once (1.6 s for 150,000 of them) and used for any schema.

    `size` is the width of the network's output, which may be more than there are tokens; `ends` are the tokens with
    which it ends a text. Raises BadSchema for a tokenizer that cannot be read.
    """

    def __init__(self, tokenizer: Any, size: int, ends: Sequence[int] = ()) -> None:
        from llguidance.hf import from_tokenizer

        try:
            known = [end for end in dict.fromkeys((*ends, tokenizer.eos_token_id)) if end is not None]
            self.tokens = from_tokenizer(tokenizer, max(size, len(tokenizer)), known or None)
        except ValueError as error:
            raise BadSchema(f"the model's tokenizer cannot be held to a schema: {error}") from error
        self.ends: list[int] = list(self.tokens.eos_tokens)
        self._bytes = {letter: self._token(letter.encode()) for letter in {*_PREFERRED, "}", "]"}}
        more = (self._token(bytes([number])) for number in _CONTINUATION)
        self._others = [t for t in (*(self._bytes[c] for c in _PREFERRED), *more) if t is not None]

    def way_out(self, matcher: LLMatcher, most: int = _LONGEST_WAY) -> list[int] | None:
        """Tokens that make a whole value of what `matcher` has read so far; a short way, not always the shortest.

        None when none of at most `most` tokens is found. The matcher stays as it is.
        """
        ahead, way = matcher.deep_copy(), []
        while not ahead.is_accepting():
            step = ahead.compute_ff_tokens() or self._closing(ahead)
            if not step or len(way) + len(step) > most or not ahead.consume_tokens(step):
                return None
            way += step
        return way

    def _closing(self, matcher: LLMatcher) -> list[int]:
        """One token that leads on, one that closes something if there is such; [] after a fault of the matcher."""

        def fits(token: int | None) -> bool:
            return token is not None and matcher.validate_tokens([token]) == 1

        brace, bracket, quote = self._bytes["}"], self._bytes["]"], self._bytes['"']
        can_brace, can_bracket = fits(brace), fits(bracket)
        if can_brace != can_bracket:  # where both fit one is within a string
            return [brace if can_brace else bracket]  # type: ignore[list-item]
        first = (quote, *self._others) if can_brace else self._others
        for token in first:
            if token is not None and fits(token):
                return [token]
        allowed = np.flatnonzero(allowed_tokens(matcher))
        return [] if matcher.is_error() or not len(allowed) else [int(allowed[0])]

    def _token(self, data: bytes) -> int | None:
        """The token that is just this byte, or None."""
        found = self.tokens.greedy_tokenize(data.decode()) if data.isascii() else self.tokens.tokenize_bytes(data)
        return found[0] if len(found) == 1 and self.tokens.decode_bytes(found) == data else None


class Constrained:
    """A logits processor for one text (a batch of 1): gives all tokens but the one that it takes minus infinity.

    It takes the likeliest at `temperature` 0, else draws with torch's own randomness. `most` is how many tokens
    `generate` may make; when that is too few for what the model would like to say, strings and lists are cut short.
    Raises BadSchema or TooFewTokens.
    """

    def __init__(self, vocabulary: Vocabulary, schema: Mapping[str, Any], most: int, temperature: float = 0.0) -> None:
        self._vocabulary, self._left, self._temperature = vocabulary, most, temperature
        self._matcher = _matcher(vocabulary, schema)
        way = vocabulary.way_out(self._matcher)
        if way is None:
            raise BadSchema("no value was found that fits it")
        if len(way) > most:
            raise TooFewTokens(len(way))
        self._way = way

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Scores (1, tokens) in which only the token that was taken is finite. Called once for each token."""
        if input_ids.shape[0] != 1:
            raise ValueError("only one text at a time can be held to a schema")
        token = self._taken(scores)
        only = scores.new_full(scores.shape, float("-inf"))
        only[0, token] = 0.0
        return only

    def _taken(self, scores: Any) -> int:
        self._left -= 1
        for token in self._likely(scores):
            way = self._way_after(token)
            if way is not None and len(way) <= self._left and self._matcher.consume_token(token):
                self._way = way
                return token
        return self._next_on_the_way()

    def _next_on_the_way(self) -> int:
        """What surely ends well, also after a fault of the matcher, who has seen all of the way before."""
        if not self._way:
            return self._vocabulary.ends[0]
        token = self._way.pop(0)
        if not self._matcher.is_error():
            self._matcher.consume_token(token)
        return token

    def _likely(self, scores: Any) -> list[int]:
        """The tokens to try, in the order in which the model would take them; none when only the way out is left."""
        import torch

        if self._matcher.is_error() or len(self._way) > self._left:
            return []
        allowed = torch.from_numpy(allowed_tokens(self._matcher)).to(scores.device)
        if self._matcher.is_error():
            return []
        row = scores[0].float().nan_to_num(nan=-1e9, posinf=1e9, neginf=-1e9)
        width = min(len(row), len(allowed))
        row = row[:width].masked_fill(~allowed[:width], float("-inf"))
        count = min(_TRIES, int(allowed[:width].sum()))
        if self._temperature > 0:
            chances = (row / self._temperature).softmax(-1)
            count = min(count, int((chances > 0).sum()))
            return torch.multinomial(chances, count).tolist() if count else []
        return row.topk(count).indices.tolist()

    def _way_after(self, token: int) -> list[int] | None:
        """A way to the end once the token is taken. The present way is tried first, as it mostly still holds."""
        if token in self._vocabulary.ends:
            return [] if self._matcher.is_accepting() else None
        if self._way and token == self._way[0]:
            return self._way[1:]
        same = [token, *self._way, self._vocabulary.ends[0]]
        if self._way and self._matcher.validate_tokens(same) == len(same):
            return self._way
        after = self._matcher.deep_copy()
        return self._vocabulary.way_out(after, self._left) if after.consume_token(token) else None


def allowed_tokens(matcher: LLMatcher) -> Any:
    """Which tokens may come next, as a boolean array; rounded up to whole bytes."""
    return np.unpackbits(np.frombuffer(matcher.compute_bitmask(), np.uint8), bitorder="little").astype(bool)


def _matcher(vocabulary: Vocabulary, schema: Mapping[str, Any]) -> LLMatcher:
    from llguidance import LLMatcher

    grammar = LLMatcher.grammar_from_json_schema(json.dumps(schema), overrides=_LAYOUT)
    failed, told = LLMatcher.validate_grammar_with_warnings(grammar, vocabulary.tokens)
    if failed:
        raise BadSchema(" ".join(told)[:300])
    return LLMatcher(vocabulary.tokens, grammar, log_level=0)
