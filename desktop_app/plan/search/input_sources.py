"""What feeds an input: something that is there, or made of it by tools that the search puts in between.

This is the resource expert: it takes only what is there (files, quotes, earlier results) and never invents anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_app.plan.arguments.fill import fill, said_for
from desktop_app.plan.arguments.marked_text import names_columns
from desktop_app.plan.language.corrections import draws_box
from desktop_app.plan.language.tokenizer import plain_words
from desktop_app.plan.language.type_roles import means_content
from desktop_app.plan.language.types import KIND_WEIGHT, Intent
from desktop_app.plan.ranking.port_fit import FACTS
from desktop_app.plan.ranking.wish_files import made_fit
from desktop_app.plan.search.found_parts import FoundParts
from desktop_app.plan.search.gap_filling import GapFiller, holds_address
from desktop_app.plan.search.search import Made
from desktop_app.plan.search.solution_draft import SolutionDraft
from desktop_app.plan.search.value_pool import Value, is_instruction
from desktop_app.plan.tools.tool_graph import DOCUMENTS, INLINE, REGIONS, SETTINGS, fits
from desktop_app.plan.types import FromNode, FromResource, PortSpec, ToolSpec

_THIS = frozenset(("this", "these"))
_SURELY_MEANT = 6.0
"""So likely must a value be for an input that may stay empty: the wish names, makes or refers to it."""


@dataclass(frozen=True)
class Need:
    """An input of a tool that an intent wants fed. `taken` feeds other inputs of the step already; `found` is what is
    there and may feed this one, the likeliest first, with how likely.
    """

    port: PortSpec
    tool: ToolSpec
    intent: Intent
    taken: Mapping[str, Value]
    found: Sequence[tuple[float, Value]] = ()


class InputSources:
    """For one draft. Adds the steps that make what is missing."""

    def __init__(self, draft: SolutionDraft, parts: FoundParts, strategy: str, detour: int = -1) -> None:
        """`detour` is the number of the gap that is filled in the second-best way; -1: none."""
        self._draft, self._pool, self._words, self._index = draft, draft.pool, draft.words, draft.index
        self._direct = draft.guidance.direct
        self._parts = parts
        self._gaps = GapFiller(draft.graph, draft.index, draft.request, draft.pool, strategy)
        self._detour = detour
        self._filled = 0

    def source(self, port: PortSpec, tool: ToolSpec, intent: Intent, taken: Mapping[str, Value]) -> Value | None:
        """What feeds the input; None where it stays empty."""
        need = Need(port, tool, intent, taken)
        likely = self._pool.candidates(port, tool, intent, taken)
        need = replace(need, found=[pair for pair in likely if self._may_feed(pair[1], need)])
        if port.many:
            return self._of_many(need)
        if port.type in SETTINGS or port.choices:
            return self._figure(need)
        if port.type in REGIONS:
            return self._region(need)
        return self._required(need) if port.required else self._optional(need)

    def _of_many(self, need: Need) -> Value | None:
        if need.port.required and not need.found:
            return self._gathered(need)
        return self._pool.many(need.found, need.port, need.intent)

    def _required(self, need: Need) -> Value | None:
        for way in (self._converted, self._behind_address, self._passed_on, self._likeliest, self._counted):
            value = way(need)
            if value is not None:
                return value
        return self._sought(need)

    def _optional(self, need: Need) -> Value | None:
        best = need.found[0] if need.found else None
        if best and best[0] >= _SURELY_MEANT and not self._is_spent(best[1], need):
            return best[1]
        takes_alike = any(other.required and fits(other.type, need.port.type) for other in need.tool.inputs)
        if need.port.type in INLINE or (self._direct and takes_alike):
            return None
        return self._asked_for(need)

    def _likeliest(self, need: Need) -> Value | None:
        """What is there and fits best; where nothing is likely, only what surely is no wording of the request."""
        sure = need.found and (need.found[0][0] > 0 or (self._direct and self._may_hold(need)))
        return need.found[0][1] if sure else None

    def _may_hold(self, need: Need) -> bool:
        """True where what goes in is no wording of the request, but what something holds that is there."""
        return need.port.type not in INLINE or self._is_held(need)

    def _is_held(self, need: Need) -> bool:
        """True for the text of something that is there, which is not quoted."""
        known = f"{need.tool.id}.{need.port.name}" in self._draft.guidance.contents and not self._is_quoted(need)
        return known or self._is_in_document(need)

    def _is_in_document(self, need: Need) -> bool:
        """True where the text is neither told nor quoted, and a document is there that may have it."""
        if self._is_quoted(need) or self._is_told(need):
            return False
        documents = self._direct and any(value.type in DOCUMENTS and not value.made for value in self._pool.values)
        return documents or (bool(need.intent.mentions("quote")) and self._is_file_there())

    def _is_told(self, need: Need) -> bool:
        """True for an instruction, which the request says itself."""
        spoken = need.port.type in need.intent.definite and not self._is_quoted(need)
        return is_instruction(need.port, need.tool) and not spoken

    def _counted(self, need: Need) -> Value | None:
        """The number that was counted last, as a text, where the wording speaks of it."""
        counted = [value for value in self._pool.values if value.made and value.type == "number"]
        spoken = need.port.type == "text" and "number" in {*need.intent.takes, *need.intent.definite}
        if not counted or not spoken or self._is_quoted(need):
            return None
        return self._made(need, {}, only=counted[-1:])

    def _sought(self, need: Need) -> Value | None:
        """What the search makes of all that is there, unless the wording itself or a file to be asked for goes in."""
        if need.port.type in INLINE and not self._is_held(need):
            quoted = self._is_quoted(need)
            if self._is_told(need) or not self._is_content(need.intent, need.tool, quoted):
                return None
        if self._is_absent(need) and not self._is_in_document(need):
            return None
        left = self._words.residual(need.tool, need.intent, 0.9)  # what the tool itself does asks for no other
        matches = self._index.match({k: w for k, w in left.items() if w != KIND_WEIGHT["type"]})
        return self._made(need, matches)

    def _converted(self, need: Need) -> Value | None:
        """ "Summarise report.pdf", with notes.txt beside it: a file that is named though no input of the tool takes it
        is what the tool works on, made into what it takes.
        """
        named = made_fit(self._draft.request.text, tuple(self._pool.given.values()), need.intent.stretch, need.tool)
        own = [
            value
            for value in self._pool.values
            if not value.made and any(isinstance(item, FromResource) and item.name in named for item in value.items)
        ]
        if not own:
            return None
        brought = any(value.turn == need.intent.index for _, value in need.found)
        if (
            brought
            or (need.found and need.found[0][1].made)
            or (need.port.type in INLINE and is_instruction(need.port, need.tool))
        ):
            return None
        return self._made(need, {}, only=own)

    def _behind_address(self, need: Need) -> Value | None:
        """ "The sound at https://.../talk.wav": an address that stands for the very thing that the port takes."""
        if (
            any(v.turn == need.intent.index or (v.made and not v.used) for _, v in need.found)
            or need.port.type in INLINE
        ):
            return None
        spoken = need.port.type in need.intent.definite or not need.found
        own = (
            v for v in self._pool.values if v.type == "url" and not v.used and (spoken or v.turn == need.intent.index)
        )
        address = next((v for v in own if v.ending and fits(v.ending, need.port.type)), None)
        if address is None:
            return None
        return self._made(need, {}, only=[address])

    def _is_quoted(self, need: Need) -> bool:
        """True where a quote may be what goes in, and is not said for another input: how often it says "roof"."""
        said = said_for(need.tool, self._words.clause(need.intent)).values()
        elsewhere = {one.value for one in said if one.port != need.port.name}
        return any(quote.text not in elsewhere for quote in need.intent.mentions("quote"))

    def _is_file_there(self) -> bool:
        return any(not value.made and value.type not in INLINE for value in self._pool.values)

    def _is_content(self, intent: Intent, tool: ToolSpec, quoted: bool) -> bool:
        """True when the text is in something that is there: in a file, behind an address, on "this page"."""
        if means_content(intent):
            return True
        if quoted:
            return False
        if any(value.type == "url" and value.turn == intent.index for value in self._pool.values):
            return self._index.profiles[tool.id].weights.get("url", 0.0) < 0.3
        return self._is_at_hand(intent) or self._is_elsewhere(intent) or self._is_about_given(intent)

    def _is_about_given(self, intent: Intent) -> bool:
        """ "A recording of my lecture (talk.wav) ... the topics of the lecture": a file was said to be of just that."""
        words = {t.key for t in intent.terms if t.kind == "word" and intent.tokens[t.first - 1].word == "the"}
        loose = any(not value.made and value.type not in INLINE for value in self._pool.values)
        about = (other for other in self._draft.stated if other.mentions("file") and not other.mentions("quote"))
        return loose and any(words & {t.key for t in other.terms} for other in about)

    def _is_elsewhere(self, intent: Intent) -> bool:
        """ "An article ... The address is https://...": nothing else holds the text that the wording speaks of."""
        return "text" in intent.takes and any(v.type == "url" and not v.used for v in self._pool.values)

    def _is_at_hand(self, intent: Intent) -> bool:
        """ "This page": something is there that may hold the text."""
        loose = any(not value.made and not value.used and value.type not in INLINE for value in self._pool.values)
        return loose and any(token.word in _THIS for token in intent.tokens)

    def _is_inside(self, intent: Intent) -> bool:
        """ "I have a picture with some text on it ... the text": what is there was said to hold the text."""
        if "text" not in intent.definite:
            return False
        loose = {value.type for value in self._pool.values if not value.made and value.type not in INLINE}
        return any("text" in other.takes and loose & {*other.takes} for other in self._draft.stated)

    def _passed_on(self, need: Need) -> Value | None:
        """ "Say how many words it has": what the same wish has just made, put into the form that the port takes."""
        if self._direct and any(not value.made and value.type == need.port.type for _, value in need.found):
            return None
        made = [v for v in self._pool.values if v.made and not v.used and v.type in FACTS]
        newest = max((v.turn for v in self._pool.values if v.made), default=-1)
        fresh = [v for v in made if v.turn == need.intent.index or (need.intent.pronoun and v.turn == newest)]
        stale = not need.found or (not need.found[0][1].made and need.found[0][1].used)
        stale |= need.intent.pronoun and not (need.found and need.found[0][1].made)
        stale |= any(value.keys & set(need.intent.refers) for value in fresh)
        if not fresh or not stale or need.port.type != "text" or is_instruction(need.port, need.tool):
            return None
        return self._made(need, {}, only=fresh)

    def _figure(self, need: Need) -> Value | None:
        """A number that was made, or that the wording wants made ("say how many words it has")."""
        if need.port.type != "number" or not need.port.required:
            return None
        if need.found and need.found[0][1].made:
            return need.found[0][1]
        if fill(need.tool, [need.port], self._words.clause(need.intent), self._words.places[need.intent.index]).values:
            return None
        matches = self._index.match({k: w for k, w in need.intent.meanings.items() if w != KIND_WEIGHT["type"]})
        return self._made(need, matches, asked_for=True)

    def _is_spent(self, value: Value, need: Need) -> bool:
        """True for what feeds another port of the step, for words that went elsewhere before, and for those that came
        beside what feeds the step: the sentence about the weather is no title of its chart.
        """
        once = need.port.type in INLINE and value.used > 0 and (self._direct or not value.made)
        others = [item for other in need.taken.values() for item in other.items]
        makers = (
            {item.node for item in others if isinstance(item, FromNode)} if need.port.type in INLINE else set[str]()
        )
        return once or any(
            item in others or (isinstance(item, FromNode) and item.node in makers) for item in value.items
        )

    def _may_feed(self, value: Value, need: Need) -> bool:
        """False for what was made on the way: the mask is no second picture, words read beside boxes no colour."""
        if value.made and (names_columns(need.port) or set(plain_words(need.port.name)) & {"colour", "color"}):
            return False
        if value.made and value.type in REGIONS and need.port.type not in REGIONS and self._direct:
            own = any(fits(value.type, other.type) for other in need.tool.inputs if other.type in REGIONS)
            return not own and self._pool.is_meant(value, need.intent)
        if not value.made or value.turn != need.intent.index or value.keys & set(need.intent.refers):
            return True
        if value.type in REGIONS:
            return need.port.type in REGIONS
        return not (need.port.type in INLINE and (not need.port.required or is_instruction(need.port, need.tool)))

    def _gathered(self, need: Need) -> Value | None:
        """ "The total number of words in these three": each is counted, and the counts go in together."""
        self._pool.merge_all(need.intent)
        matches = self._index.match(self._words.residual(need.tool, need.intent, 0.9))
        return self._made(need, matches)

    def _is_absent(self, need: Need) -> bool:
        """True when the wording names the very thing ("stabilise the video"), and there is none: better ask for it."""
        if need.port.type == "text" and (self._is_at_hand(need.intent) or self._is_inside(need.intent)):
            return False
        there = {value.type for value in self._pool.values}
        others = set(need.intent.takes) - {need.port.type, *INLINE}
        absent = (
            need.port.type in set(need.intent.takes) - set(need.intent.gives)
            and not others & there
            and "url" not in there
        )
        return absent and not holds_address(self._pool.values)

    def _region(self, need: Need) -> Value | None:
        """A part of the picture: an earlier result, or found by what the wording says beyond the tool itself."""
        if need.port.picked_on or (need.port.type == "boxes" and draws_box(need.intent)):
            return None
        at_hand = self._part_at_hand(need)
        if at_hand is not None:
            return at_hand
        for _, value in need.found:
            asked = (
                need.port.required
                or value.turn == need.intent.index
                or (value.made and self._pool.is_meant(value, need.intent))
            )
            if asked and (value.made or value.type == need.port.type):
                return value
        if not need.port.required:
            return None if self._direct else self._asked_for(need)
        matches = self._index.match(self._words.residual(need.tool, need.intent, 0.9))
        return self._made(need, matches)

    def _part_at_hand(self, need: Need) -> Value | None:
        """ "Cut it out", where the last answer gave but a part of a picture: that, in the form that the port takes."""
        newest = self._draft.files.last_made()
        if newest is None or newest.type not in REGIONS or not need.intent.pronoun:
            return None
        value = next((one for one in self._pool.values if FromResource(newest.name) in one.items), None)
        picture = next((one for one in need.taken.values() if one.type == "image"), None)
        if value is None or fits(value.type, need.port.type) or picture is None:
            return value
        return self._parts.as_region(value, need.port.type, picture, need.intent)

    def _asked_for(self, need: Need) -> Value | None:
        """Made by tools that explain words which the tool itself does not: "blur *the faces*"."""
        matches = self._index.match(self._words.residual(need.tool, need.intent))
        return self._made(need, matches, asked_for=True)

    def _made(
        self, need: Need, matches: Mapping[str, float], only: Sequence[Value] = (), asked_for: bool = False
    ) -> Value | None:
        """What the search makes: in the first way, or the second one where the detour is; None when there is no way.
        `only` and `asked_for` as for `GapFiller.ways`.
        """
        type = need.port.type
        ways = self._gaps.ways(type, need.intent, matches, need.tool, need.taken, asked_for=asked_for, only=only)
        if not ways or not self._draft.guidance.bridges:
            return None
        gap, self._filled = self._filled, self._filled + 1
        made = self._build(ways[1] if gap == self._detour and len(ways) > 1 else ways[0], need.intent, type)
        return self._parts.as_meant(made, type, need.intent)

    def _build(self, way: Made, intent: Intent, wanted: str) -> Value:
        """Adds the steps of a way that the search found; gives the value of type `wanted` that it makes."""
        self._draft.bridges += 1
        spec = self._draft.graph.tools[way.tool]
        sources: dict[str, Value] = {}
        for name, source in way.inputs:
            if isinstance(source, Made):
                sources[name] = self._build(source, intent, spec.input(name).type)
            elif source.name:
                value = self._pool.values[int(source.name)]
                sources[name] = self._pool.all_like(value, intent) if spec.input(name).many else value
        made = self._draft.place(spec, intent, sources)
        value = next((value for value in made if fits(value.type, wanted)), made[0])
        return self._parts.selected(value, intent, spec) if wanted in REGIONS else value
