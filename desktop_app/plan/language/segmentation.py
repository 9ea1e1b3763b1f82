"""Reads a request: which language, which files and quotes are named, and where one wish ends and the next begins."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from desktop_app.plan.language.discourse import KINDS_OF_PICTURES, with_adverbs
from desktop_app.plan.language.lexicon import Lexicon, languages, lexicon
from desktop_app.plan.language.tokenizer import Token, is_ideographic, stem, tokens_of
from desktop_app.plan.language.types import Term

SEQUENCE = frozenset((
    "then", "next", "finally", "lastly", "afterwards", "afterward", "subsequently", "additionally", "furthermore",
    "moreover", "besides", "also", "plus", "thereafter", "later", "secondly", "thirdly",
))  # fmt: skip
_JOINTS = frozenset(("and", "but", "while", "before", "after", "plus"))
_SUBORDINATE = frozenset(("using", "by", "which", "that", "whose", "where", "so", "with"))
_ADDING = frozenset(("also", "additionally", "furthermore", "moreover", "besides", "plus"))
_ELIDED = {"l": "the", "d": "from", "j": "i", "s": "it", "m": "me"}
_RELATIVE = frozenset(("which", "that", "whose", "where"))
_CONTENT = frozenset((
    "question", "text", "prompt", "description", "instruction", "instructions", "sentence", "query", "script",
    "message", "phrase", "review", "frage", "nachricht", "satz", "texte", "texto", "mensaje", "frase", "pregunta",
))  # fmt: skip
_ANNOUNCING = frozenset((
    ("that", "says"), ("which", "says"), ("that", "reads"), ("it", "says"), ("the", "words"), ("card", "saying"),
    ("code", "saying"), ("text", "saying"), ("message", "saying"), ("caption", "saying"), ("sign", "saying"),
))  # fmt: skip
_LEAVING = frozenset(("in", "on", "to", "at", "under", "below", "above", "onto", "over", "and", "then"))
_SHORT = 10
_STOPS = frozenset(".!?;\n。！？；")
_INTRODUCING = frozenset(
    ("in", "with", "given", "for", "as", "from", "on", "regarding", "considering", "concerning", "using")
)
_ARTICLES = frozenset(("the", "a", "an", "my", "our", "this"))
_NO_STATEMENT = frozenset(("is", "are", "how", "what", "do", "does", "did"))
_SEEING = frozenset(("see", "me", "us", "know", "show", "out", "exactly"))
_QUESTIONS = frozenset((
    "what", "what's", "why", "how", "who", "which", "where", "when", "whose", "is", "are", "was", "were", "does", "do",
    "did", "can", "could", "would", "should", "will", "has", "have",
))  # fmt: skip
_HAVING = frozenset((
    "have", "has", "had", "got", "is", "are", "was", "were", "contains", "contain", "containing", "includes",
    "attached", "here's", "there",
))  # fmt: skip
_WISHING = frozenset((
    "want", "need", "like", "wish", "please", "help", "can", "could", "would", "must", "should", "let", "looking",
    "trying", "require", "curious", "wonder", "wondering", "i'd", "i'll", "we'd", "question",
))  # fmt: skip


@dataclass(frozen=True)
class Chunk:
    """A stretch of tokens that holds at most one wish.

    `joint` is what opens it: "" (a sentence), "then", "and", ",", "using" and so on. `sentence` counts from 0.
    """

    tokens: tuple[Token, ...]
    terms: tuple[Term, ...]
    joint: str
    sentence: int

    @property
    def words(self) -> tuple[str, ...]:
        """The words in lower case."""
        return tuple(token.word for token in self.tokens)

    def has(self, *kinds: str) -> bool:
        """True when a term of one of these kinds is in it."""
        return any(term.kind in kinds for term in self.terms)

    @property
    def stating(self) -> bool:
        """True when it says what there is ("I have a picture") and not what is wanted."""
        words = self.words
        if _tells_place(self.tokens):
            return True
        named = "following" in words or any(t.kind in ("file", "quote", "url") for t in self.tokens)
        obliged = words[1:3] == ("have", "to") and named
        if (_narrates(words) and not obliged) or {"find", "attached"} <= set(words):
            return True
        having = [i for i, word in enumerate(words) if word in _HAVING or word in _WISHING]
        place = next((i for i in having if words[i + 1 : i + 2] != ("to",) or words[i] in _WISHING), None)
        if place is None or words[place] not in _HAVING or words[0] in _NO_STATEMENT or "how" in words:
            return False
        if words[0] in ("in", "at", "on", "to", "from") and words[1:2] in (("which",), ("what",)):
            return False  # "in which language is it?"
        if not self.joint and words[0] in ("where", "which", "who", "when", "why"):
            return False
        operations = [t.first for t in self.terms if t.kind in ("action", "task") and t.first < place]
        if operations and self.joint not in _RELATIVE:
            return False
        if place == 0 and self.joint in ("and", ",") and any(word.endswith("ed") for word in words):
            return False  # "and have the sound removed"
        return self.joint in _RELATIVE or not _asks_to(words[place + 1 :])


@dataclass(frozen=True)
class Segmentation:
    """A request read: its language, its tokens and its chunks in order."""

    language: str
    lexicon: Lexicon
    tokens: tuple[Token, ...]
    chunks: tuple[Chunk, ...]


def _tells_place(tokens: Sequence[Token]) -> bool:
    """ "The class list is in pupils.csv", "it's logo.png": where something is, whatever it is called."""
    words = [token.word for token in tokens]
    if tokens[-1].kind != "file" or words[0] in _QUESTIONS or len(words) > _SHORT:
        return False
    before = words[-3:-1] if words[-2:-1] != ["file"] else words[-4:-2]
    place = before[-1:] in (["in"], ["called"], ["named"]) and before[:1] in (["is"], ["are"], ["it's"], ["was"])
    subject = words[0] in _ARTICLES or words[0] in ("it", "it's", "that's", "these", "they", "here")
    named = before[-1:] in (["it's"], ["that's"]) or (words[:2] == ["it", "is"] and len(words) == 3)
    return subject and (place or named)


def _narrates(words: Sequence[str]) -> bool:
    """ "I recorded a talk", "my friend sent me this": someone does something, and nobody wishes anything."""
    opening = [word for word in words if word not in ("hi", "hello", "so", "however")][:1]
    if any(words[i : i + 2] == ("going", "to") and words[i + 2] not in _ARTICLES for i in range(len(words) - 2)):
        return False
    return opening[:1] in (["i"], ["we"], ["my"], ["someone"]) and not any(word in _WISHING for word in words)


def _asks_to(words: Sequence[str]) -> bool:
    """ "I have a file that I want to ...": a wish follows within the same breath."""
    return any(word in ("want", "need", "would") for word in words)


@lru_cache(maxsize=64)
def read(text: str) -> Segmentation:
    """Never raises; a text without words gives no chunks."""
    tokens = _said(with_contents(text), text)
    language = language_of(tokens)
    words = lexicon(language)
    if language != "english":
        tokens = glossed(tokens, words)
    tokens = with_adverbs(tokens, _operative(tokens, words))
    return Segmentation(language, words, tuple(tokens), tuple(_chunks(tokens, words)))


@lru_cache(maxsize=256)
def stretch(text: str, start: int, end: int, language: str, sentence: int) -> Chunk | None:
    """The stretch of a text as one chunk, read with the words of `language`; None where it holds no words."""
    words = lexicon(language)
    part = text[start:end]
    tokens: Sequence[Token] = _said(with_contents(part), part)
    if language != "english":
        known = glossed(tokens, words)
        begun = {token.start for token in known}
        unknown = [token for token in tokens if token.start not in begun and is_ideographic(token.word)]
        tokens = sorted([*known, *unknown], key=lambda token: token.start)
    kept = [replace(t, start=t.start + start, end=t.end + start) for t in tokens if t.kind != "stop"]
    joint = _JOINED_BY.get(kept[0].word, "") if kept and start else ""
    if joint and len(kept) > 1:
        kept = kept[1:]
    if not kept:
        return None
    operative = frozenset(t.first for t in words.terms(kept) if t.kind in ("action", "task"))
    kept = with_adverbs(kept, operative)
    return Chunk(tuple(kept), tuple(words.terms(kept)), joint or ("," if start and sentence else ""), sentence)


_JOINED_BY = {"and": "and", "but": "and", **{word: "also" if word in _ADDING else "then" for word in SEQUENCE}}


def with_contents(text: str) -> list[Token]:
    """The tokens; "the question: Which company ...?": what follows the colon is content, as if it stood in quotes."""
    tokens = tokens_of(text)
    result: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        result.append(token)
        place += 1
        announced = token.text in (":", "：") and any(t.word in _CONTENT for t in tokens[max(0, place - 4) : place - 1])
        if announced and place < len(tokens) and tokens[place].kind == "word":
            end = next((i for i in range(place, len(tokens)) if tokens[i].text in _STOPS), len(tokens))
            if end - place > 2 and not any(t.kind in ("quote", "file", "url") for t in tokens[place:end]):
                start, stop = tokens[place].start, tokens[end - 1].end
                result.append(Token("quote", text[start:stop], text[start:stop].lower(), start, stop))
                place = end
    return result


_OF_SOMETHING = frozenset((
    "it", "the", "what", "in", "of", "from", "on", "for", "per", "by", "that", "which", "are", "is", "and", "to",
))  # fmt: skip
"""Behind "the words" they begin no text: "count the words of story.txt"."""


def _said(tokens: Sequence[Token], text: str) -> list[Token]:
    """ "A code that says hello world", "with the words good morning": what is said, as if it stood in quotes."""
    words = [token.word for token in tokens]
    for place in range(2, len(tokens) - 1):
        announced = tuple(words[place - 2 : place])
        if announced not in _ANNOUNCING or tokens[place].kind != "word" or words[place] in _OF_SOMETHING:
            continue
        end = next((i for i in range(place, len(tokens)) if tokens[i].kind not in ("word", "number")), len(tokens))
        end = next((i for i in range(place, end) if words[i] in _LEAVING), end)
        if end == place:
            continue  # "the words on it"
        start, stop = tokens[place].start, tokens[end - 1].end
        return [*tokens[:place], Token("quote", text[start:stop], words[place], start, stop), *tokens[end:]]
    return list(tokens)


def language_of(tokens: Sequence[Token]) -> str:
    """The language whose words most of the words are; English when in doubt."""
    return _language(tuple(part for token in tokens if token.kind == "word" for part in token.word.split("'")))


@lru_cache(maxsize=512)
def _language(words: tuple[str, ...]) -> str:
    if any(is_ideographic(word) for word in words) and "chinese" in languages():
        return "chinese"
    best, count = "english", known_words(words, "english")
    for name in languages():
        hits = known_words(words, name, count + 1)
        if hits > count:
            best, count = name, hits
    return best


def known_words(words: Sequence[str], language: str, least: int = 0) -> int:
    """How many of the words the list of a language holds; 0 where these are less than `least`, which is seen early: to
    look up a word's stem takes longer than all the rest.
    """
    vocabulary, left = lexicon(language).vocabulary, len(words) - least
    for word in words:
        left -= not (word in vocabulary or stem(word, language) in vocabulary)
        if left < 0:
            return 0
    return left + least


def glossed(tokens: Sequence[Token], words: Lexicon) -> list[Token]:
    """The tokens with the small words (and, from, the ...) put into English."""
    parts = [part for token in tokens for part in _parts(token, words)]
    kept = words.phrases(parts)  # "noir et blanc" is one thing, and stays as it is
    result: list[Token] = []
    for place, part in enumerate(parts):
        english = words.gloss.get(part.word) if part.kind == "word" and place not in kept else None
        result += [part] if english is None else [replace(part, word=word) for word in english.lower().split()]
    return result


def _parts(token: Token, words: Lexicon) -> list[Token]:
    """A run of Chinese characters cut into known entries, "l'image" into its two words; others as they are."""
    if token.kind != "word":
        return [token]
    if is_ideographic(token.word):
        return [replace(token, text=entry, word=entry) for entry in words.cut(token.word)]
    before, mark, after = token.word.partition("'")
    if mark and len(before) <= 2 and len(after) > 2:
        return [replace(token, word=_ELIDED.get(before, before)), replace(token, word=after)]
    return [token]


def _chunks(tokens: Sequence[Token], words: Lexicon) -> list[Chunk]:
    operative = _operative(tokens, words)
    fixed = words.phrases(tokens) if words.language != "english" else frozenset()  # French "plus clair" adds nothing
    pieces = _with_openings(_pieces(tokens, operative, fixed), words)
    chunks = [Chunk(tuple(p), tuple(words.terms(p)), joint, sentence) for joint, sentence, p in pieces if p]
    return [chunk for chunk in chunks if chunk.tokens]


def _operative(tokens: Sequence[Token], words: Lexicon) -> frozenset[int]:
    """Places of the tokens that name an operation."""
    return frozenset(t.first for t in words.terms(tokens) if t.kind in ("action", "task"))


def _pieces(
    tokens: Sequence[Token], operative: frozenset[int], fixed: frozenset[int]
) -> list[tuple[str, int, list[Token]]]:
    pieces: list[tuple[str, int, list[Token]]] = []
    current: list[Token] = []
    joint, sentence = "", 0

    def close(next_joint: str) -> None:
        nonlocal current, joint
        if current:
            pieces.append((joint, sentence, current))
            joint = next_joint
        elif joint in ("", ",") or next_joint not in (",", "and"):
            joint = next_joint
        current = []

    for place, token in enumerate(tokens):
        if token.kind == "stop":
            if token.text in _STOPS:
                close("")
                sentence += 1
                joint = ""
            elif token.text in ",、，：:":
                close("," if token.text not in ":：" else ":")
            continue
        if token.kind == "word" and place not in fixed:
            opener = _opener(tokens, place, current, operative)
            if opener:
                close(opener)
                if opener in SEQUENCE or opener in _JOINTS:
                    continue
        current.append(token)
        if token.kind == "quote" and token.text[-1:] in _STOPS and _starts_anew(tokens, place + 1):
            close("")
            sentence += 1
    close("")
    return pieces


def _with_openings(pieces: list[tuple[str, int, list[Token]]], words: Lexicon) -> list[tuple[str, int, list[Token]]]:
    """ "In the picture a.png, why ...?", "Given b.png, how ...?": what only names a file is part of what follows."""
    found: list[tuple[str, int, list[Token]]] = []
    opening: list[Token] = []
    for place, (joint, sentence, tokens) in enumerate(pieces):
        rest = pieces[place + 1 :]
        names = _only_names(tokens, words) or _comes_back(tokens, words) if not opening else _is_list(tokens)
        any_wish = _names_kind([*opening, *tokens], words) or _comes_back(tokens, words)
        if names and (opening or joint == "") and _asks_next(rest, sentence, any_wish):
            opening = [*opening, *tokens]
            continue
        found.append(("" if opening else joint, sentence, [*tokens, *opening]))
        opening = []
    return found


def _only_names(tokens: Sequence[Token], words: Lexicon) -> bool:
    """True for a file with small words and words for its kind before it."""
    if not any(token.kind == "file" for token in tokens) or tokens[0].word not in _INTRODUCING:
        return False
    return all(term.kind == "type" for term in words.terms(tokens))


def _comes_back(tokens: Sequence[Token], words: Lexicon) -> bool:
    """ "With the same picture, ...": only what the wish after it works on."""
    if tokens[0].word not in _INTRODUCING or len(tokens) < 3 or tokens[1].word not in ("the", "this", "that", "these"):
        return False
    kinds = [term.kind for term in words.terms(tokens[1:])]
    return len(tokens) < 7 and "type" in kinds and "action" not in kinds


def _is_list(tokens: Sequence[Token]) -> bool:
    return all(token.kind == "file" for token in tokens)


def _names_kind(tokens: Sequence[Token], words: Lexicon) -> bool:
    """ "With the edge map a.png"."""
    return any(term.key in KINDS_OF_PICTURES for term in words.terms(tokens))


def _asks_next(pieces: Sequence[tuple[str, int, list[Token]]], sentence: int, any_wish: bool) -> bool:
    """True when the next piece that is more than files is a question (or `any_wish`), in the same breath and without
    a file.
    """
    following = next((piece for piece in pieces if not _is_list(piece[2])), None)
    if following is None or following[0] not in (",", "and") or following[1] != sentence:
        return False
    tokens = following[2]
    asked = any_wish or bool({t.word for t in tokens[:2]} & _QUESTIONS)
    return asked and not any(token.kind == "file" for token in tokens)


def _starts_anew(tokens: Sequence[Token], place: int) -> bool:
    return place < len(tokens) and tokens[place].kind == "word" and tokens[place].text[:1].isupper()


def _opener(tokens: Sequence[Token], place: int, current: Sequence[Token], operative: frozenset[int]) -> str:
    word = tokens[place].word
    before = tokens[place - 1].word if place else ""
    after = tokens[place + 1].word if place + 1 < len(tokens) else ""
    if word == "next" and after == "to":
        return ""
    if word == "after" and before == "one" and after in ("another", "the"):
        return ""  # "one after the other"
    if word in ("before", "after") and (_is_number(tokens, place + 1) or _in_pair(tokens, place)):
        return ""
    if word == "and" and before == "before" and after == "after":
        return ""
    if word in SEQUENCE:
        inside = word == "also" and bool(current) and not any(t.kind != "word" for t in current) and len(current) < 5
        return "" if inside else "also" if word in _ADDING else "then"
    if word == "or":
        return ""  # "fast or slow", "a jpg or a png": still one wish
    if word in _JOINTS:
        return "" if word == "and" and before == "black" and after == "white" else word
    if word in _SUBORDINATE and current:
        if word == "by" and not after.endswith("ing"):
            return ""
        if word in ("that", "which", "whose", "where") and before in ("", "like", "so", "from", "of", "on", "in"):
            return ""
        if word in ("where", "which", "whose") and before in _SEEING and after != "i":
            return ""  # "show me where the cup is", "tell me which language it is in"
        if word == "that" and place + 1 in operative and after.endswith("s"):
            return word
        if word == "that" and after not in (
            "i",
            "i'd",
            "needs",
            "need",
            "should",
            "have",
            "contain",
            "includes",
            "is",
            "are",
            "can",
            "will",
            "was",
            "has",
            "we",
            "contains",
            "matches",
        ):
            return ""
        return word if word not in ("with", "so") else ""
    if word == "based" and after == "on" and current:
        return "using"
    return ""


def _is_number(tokens: Sequence[Token], place: int) -> bool:
    """ "everything after 1:30"."""
    return place < len(tokens) and tokens[place].kind == "number"


def _in_pair(tokens: Sequence[Token], place: int) -> bool:
    """ "a before and after of the kitchen"."""
    words = [token.word for token in tokens[max(0, place - 2) : place + 3]]
    return any(words[i : i + 3] == ["before", "and", "after"] for i in range(len(words)))


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
