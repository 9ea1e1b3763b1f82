"""What the stages of reading hand on: meanings found in a text, and wishes."""

from __future__ import annotations

from dataclasses import dataclass, field

from desktop_app.plan.language.tokenizer import Token


@dataclass(frozen=True)
class Term:
    """A meaning found in a text: `key` names it (a class, or a plain stem), tokens `first` to `last` carry it.

    `kind` is type, action, task, thing (classes of the lexicon), word (a stem that no class holds), or exact: the very
    words of a task or thing, which tell tools of one class apart ("=watercolour" among the styles).
    """

    key: str
    kind: str
    first: int
    last: int
    english: str = ""
    """Where words of another language carry it: what English says for it first."""


KIND_WEIGHT = {"task": 1.6, "thing": 1.0, "word": 1.0, "type": 0.5, "action": 0.45, "exact": 0.3}


@dataclass
class Intent:
    """One wish. `meanings` weigh what a tool for it must speak of; `takes` and `gives` are types in its wording.

    `refers` are meanings of earlier intents that it names as something that exists ("the transcribed text").
    `pronoun` is true for "it", "them"; `plural` when several things are meant; `ordinal` is 2 for "the second
    picture", -1 for the last, 0 for none; `joint` is its chunk's; `complains` is true for "it is too dark",
    `original` for "the original picture"; `implied` are meanings that its words do not say; `ahead` is true for what is
    to be done before something that was said earlier, `ahead_of` the index of that where it is named (else -1).
    """

    index: int
    tokens: tuple[Token, ...]
    terms: tuple[Term, ...]
    joint: str
    sentence: int
    stating: bool
    meanings: dict[str, float] = field(default_factory=dict)
    takes: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    definite: tuple[str, ...] = ()
    refers: tuple[str, ...] = ()
    pronoun: bool = False
    plural: bool = False
    ordinal: int = 0
    inherits: bool = False
    complains: bool = False
    original: bool = False
    ahead: bool = False
    ahead_of: int = -1
    implied: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """Its words as written."""
        return " ".join(token.text for token in self.tokens)

    @property
    def stretch(self) -> tuple[int, int]:
        """Where its first word begins in the request and its last ends; nowhere where it has none."""
        return (self.tokens[0].start, self.tokens[-1].end) if self.tokens else (0, 0)

    def mentions(self, *kinds: str) -> list[Token]:
        """Tokens of these kinds: file, url, quote, number."""
        return [token for token in self.tokens if token.kind in kinds]
