"""The kinds of things that only this tool set has: which words of a wish stand for them, and what our types are there.

A tool set may call pictures "picture" and have types that no list knows ("microplate", "vector_layer"). Its own type
and port names are the words for them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from desktop_app.plan.language.lexicon import Lexicon
from desktop_app.plan.language.tokenizer import Token, plain_words, stem
from desktop_app.plan.language.types import KIND_WEIGHT, Intent, Term
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_index import Index
from nodes.api import ResourceType

_OURS = frozenset(ResourceType.__members__.values())
_INTO = frozenset(("into", "as", "to"))
_NEW = frozenset(("a", "an"))
_THE = frozenset(("the", "this", "that", "my", "our", "these", "those", "its"))
_PLAIN = frozenset(map(stem, (
    "data", "list", "result", "record", "input", "output", "object", "value", "name", "info", "information", "id",
    "item", "set", "type", "content", "file", "first", "second", "source", "target",
)))  # fmt: skip


class Kinds:
    """Reads words for the kinds of one tool set as its types. Immutable after construction."""

    def __init__(self, graph: ToolGraph, index: Index) -> None:
        self.index = index
        self.types = frozenset(graph.types)
        foreign = sorted(type for type in self.types if type not in _OURS)
        self.alias = {ours: named for ours, named in _aliases(foreign, index.lexicon).items() if ours not in self.types}
        self.nouns = self._nouns(graph, foreign) if foreign else {}

    def _nouns(self, graph: ToolGraph, foreign: Sequence[str]) -> dict[str, str]:
        """For each word that names things of one foreign type, and nothing that a list knows, that type."""
        found: dict[str, set[str]] = defaultdict(set)
        for type in foreign:
            for word in plain_words(type.rpartition(".")[2]):
                found[stem(word)].add(type)
        for tool in graph.tools.values():
            for port in (*tool.inputs, *tool.outputs):
                for word in plain_words(port.name):
                    found[stem(word)].add(port.type)
        kept = {word: types for word, types in found.items() if len(types) == 1 and word not in _PLAIN}
        return {
            word: next(iter(types))
            for word, types in kept.items()
            if next(iter(types)) in foreign and not self.index.lexicon.holds(word)
        }

    def read(self, intents: Sequence[Intent]) -> list[Intent]:
        """The intents with the types of this tool set; the same where it has none of its own."""
        found = [self._with_verb(intent) for intent in intents]
        if self.alias or self.nouns:
            found = [self._typed(intent) for intent in found]
        return found

    def _with_verb(self, intent: Intent) -> Intent:
        """ "*Clip* them": a word for a type that opens a wish, with its object, where no tool knows such a type; and
        the words of phrases ("write me a") of which no tool speaks.
        """
        words = [token.word for token in intent.tokens]
        meanings, terms = dict(intent.meanings), list(intent.terms)
        for place, term in enumerate(terms):
            verb = (
                term.kind == "type"
                and term.first == term.last == 0
                and words[1:2]
                and words[1] in _THE | {"them", "it"}
            )
            if verb and term.key not in self.types:
                terms[place] = Term(stem(words[0]), "word", 0, 0)
                meanings.pop(term.key, None)
                meanings[stem(words[0])] = KIND_WEIGHT["word"]
            if term.kind in ("task", "thing") and term.last > term.first and not self.index.rarity(term.key):
                own = (stem(word) for word in words[term.first : term.last + 1] if word.isalpha())
                meanings |= {word: KIND_WEIGHT["word"] for word in own if self.index.rarity(word)}
        gives = intent.gives or self._made_by_unknown(intent)
        if meanings == intent.meanings and gives == intent.gives:
            return intent
        takes = tuple(t for t in intent.takes if t in meanings or t not in intent.meanings)
        return replace(intent, meanings=meanings, terms=tuple(terms), takes=takes, gives=gives)

    def _made_by_unknown(self, intent: Intent) -> tuple[str, ...]:
        """What an operation makes of which no tool speaks: "what does a.docx say" wants the text of it."""
        signatures = self.index.lexicon.signatures
        keys = [t.key for t in intent.terms if t.kind == "task" and t.key in signatures and t.key in intent.meanings]
        if not keys or any(self.index.rarity(key) for key in keys) or not intent.mentions("file"):
            return ()
        gives = sorted(signatures[keys[0]].gives & self.types)
        return tuple(gives) if len(gives) == 1 and gives[0] not in intent.takes else ()

    def _typed(self, intent: Intent) -> Intent:
        tokens = tuple(self._with_type(token) for token in intent.tokens)
        takes, gives = self._ours(intent.takes), self._ours(intent.gives)
        definite = list(self._ours(intent.definite))
        words = [token.word for token in tokens]
        for term in intent.terms:
            type = self.nouns.get(term.key, "") if term.kind == "word" else ""
            if not type or (term.first == 0 and len(words) > 1):
                continue
            before = words[max(0, term.first - 3) : term.first]
            if _THE & set(before):
                definite.append(type)
                takes = (*takes, type)
            elif _INTO & set(before) and type not in takes:
                gives = (*gives, type)
        return replace(
            intent,
            tokens=tokens,
            takes=tuple(dict.fromkeys(takes)),
            gives=tuple(dict.fromkeys(gives)),
            definite=tuple(dict.fromkeys(definite)),
        )

    def _ours(self, types: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for type in types for name in self.alias.get(type, (type,)))

    def _with_type(self, token: Token) -> Token:
        names = self.alias.get(token.type, ())
        return replace(token, type=names[0]) if token.kind == "file" and len(names) == 1 else token


def _aliases(foreign: Sequence[str], lexicon: Lexicon) -> dict[str, tuple[str, ...]]:
    """For our types the foreign ones whose names, or the last words of them, are words for the same."""
    found: dict[str, list[str]] = defaultdict(list)
    for type in foreign:
        words = plain_words(type.rpartition(".")[2])
        tokens = [Token("word", word, word, 0, 0) for word in words]
        last = (t.key for t in lexicon.terms(tokens) if t.kind == "type" and t.last == len(tokens) - 1)
        for key in dict.fromkeys(last):
            found[key].append(type)
    return {key: tuple(types) for key, types in found.items()}
