"""Which value: of which step and input, more or less of it, or another one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import Filled, fill
from desktop_app.plan.arguments.marked_text import is_column
from desktop_app.plan.arguments.quantity_match import converted
from desktop_app.plan.arguments.quoted_text import is_colour, is_colour_name, leads
from desktop_app.plan.arguments.value_tables import tables
from desktop_app.plan.language import segmentation
from desktop_app.plan.language.file_choice import word_form
from desktop_app.plan.language.tokenizer import plain_words, stem
from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.plan.modes.edits import Already, AskValue, Edit, Present, SetValues
from desktop_app.plan.modes.follow_up_degrees import factors, is_about_any, is_called, scaled, turned
from desktop_app.plan.modes.follow_up_swaps import Swaps
from desktop_app.plan.modes.follow_up_words import NAMED, Look, is_about_another_file
from desktop_app.plan.tools.rewiring import is_fed
from desktop_app.plan.types import PortSpec, Step

_MOST_UNKNOWN = 2
_PAGES = "pages"
"""The one text that is figures."""
_AROUND = ("filler", "instead", "no", "mean", "swap", "thanks")
"""What is said around a value."""
_AROUND_STATES = ("them", "picture", "as", "save", "choose")
_RELATIVE = ("dB", "%", "x", "semitones", "degrees")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Values(Swaps):
    """Reads which inputs get which values."""

    def _value(self, reading: Look, present: Present) -> Edit | None:
        said = reading.said
        if not said.covered(("up", "down")).issuperset(said.covered(("same",))):
            return None  # but the "too" of "too much" repeats nothing
        named = [step for step in present.steps if step.id in reading.named]
        candidates = list(reversed(named or present.steps))
        degree = said.has("up", "down") or factors(said.text) or Clause.of(said.text).hits
        if named and not degree and self._commands(reading, named):
            return None
        if not named and not Clause.of(said.text).hits:
            candidates.sort(key=lambda step: not self._was_a_degree(step, present))
        asked: Edit | None = None
        for step in candidates:
            spans = reading.named.get(step.id, [])
            changes = () if reading.foreign else (self._turned, self._scaled)
            for found in (*(change(step, said, spans) for change in changes), self._filled(step, reading, spans)):
                if isinstance(found, AskValue):
                    found = self._with_values(found, step, said)
                    if found.also:
                        return found
                elif found is not None:
                    return self._with_others(self._with_choices(found, step, said), step, candidates, reading)
                asked = asked or found
        return asked

    def _with_values(self, asked: AskValue, step: Step, said: MessageWords) -> AskValue:
        """ "Bigger and yellow": with what is said of the step beside a number that shall be more or less, but for texts
        in any words."""
        spec = self._spec(step)
        port = next((port for port in spec.inputs if port.name == asked.port), None)
        qualities = {hit.sense.quality for hit in Clause.of(said.text).hits}
        if port is None or not is_about_any(port, qualities):
            return asked
        free = {port.name for port in spec.inputs if is_worded(port)} | {asked.port}
        values = {name: value for name, value in self._read_values(step, said)[0].items() if name not in free}
        changed = _changed(step, values)
        return replace(asked, also=changed.values) if changed is not None else asked

    def _with_others(self, found: Edit, step: Step, candidates: Sequence[Step], reading: Look) -> Edit:
        """ "Slower and louder", after a step for each: more or less of what another step has, and this one has not."""
        if not isinstance(found, SetValues) or reading.foreign:
            return found
        left = {hit.sense.quality for hit in Clause.of(reading.said.text).hits}
        left -= self._qualities_of(step, left)
        values = dict(found.values)
        for other in candidates:
            own = self._qualities_of(other, left) if other is not step else set[str]()
            more = self._scaled(other, reading.said, reading.named.get(other.id, [])) if own else None
            if isinstance(more, SetValues):
                values, left = {**more.values, **values}, left - own
        return SetValues(values)

    def _qualities_of(self, step: Step, qualities: Collection[str]) -> set[str]:
        """Those of the qualities that some input of the step is about."""
        return {one for one in qualities if any(is_about_any(port, (one,)) for port in self._spec(step).inputs)}

    def _with_choices(self, found: Edit, step: Step, said: MessageWords) -> Edit:
        """ "A bit bigger and yellow", "smaller, and top left": the colour or choice, too, that is said beside the other
        value.
        """
        if not isinstance(found, SetValues):
            return found
        settled = {port.name for port in self._spec(step).inputs if is_colour(port) or port.choices}
        values, filled = self._read_values(step, said)
        degrees = said.covered(("up", "down"), [(hit.first, hit.last) for hit in Clause.of(said.text).hits])
        told = {
            (step.id, port): value for port, value in values.items()
            if port in settled and not degrees & filled.read_from.get(port, frozenset())
        }  # fmt: skip
        return replace(found, values={**told, **found.values})

    def _said_anew(self, look: Look, present: Present) -> SetValues | None:
        """ "No, the first 5 seconds": other values of what a step was told, and nothing besides, whatever else these
        words would ask for by themselves.
        """
        named = [step for step in present.steps if step.id in look.named]
        more = look.said.has("opposite", "up", "down") or Clause.of(look.said.text).hits
        if more or (named and self._commands(look, named)):
            return None
        for step in reversed(present.steps):
            free = {port.name for port in self._spec(step).inputs if is_worded(port)} - {_PAGES}
            values, filled = self._read_values(step, look.said, free)
            if not values or not values.keys() <= step.arguments.keys():
                continue
            spans = [*look.named.get(step.id, []), *look.said.spans("only", "move")]
            if not self._unexplained(step, look.said, values, filled, spans)[0]:
                return _changed(step, values)
        return None

    def _was_a_degree(self, step: Step, present: Present) -> bool:
        """True for a step that the wish asked for by more or less of something: "louder", of "louder and as mp3"."""
        senses = {hit.sense.quality for hit in Clause.of(present.wish).hits}
        return any(is_about_any(port, senses) for port in self._spec(step).inputs)

    def _commands(self, reading: Look, named: Sequence[Step]) -> bool:
        """ "Rotate it by 45 degrees": the verb of a step said anew is a further step."""
        said = reading.said
        spans = sorted(span for step in named for span in reading.named[step.id])
        first = min(said.left(("filler", "no", "instead")), default=-1)
        opens = any(a <= first <= b for a, b in spans)
        verb = any(
            term.kind == "task" and said.at(start, end) == spans[0]
            for term, start, end in reading.terms
            if any(self._weight(step.tool, term.key) >= NAMED for step in named)
        )
        counts = [place for place, _ in self._counts(said) if not any(a <= place <= b for a, b in spans)]
        before = said.words[first - 1].text if first > 0 else ""
        determined = before in ("the", "this", "that", "my", "der", "die", "das", "den", "dem", "le", "la", "les", "el")
        return opens and verb and not determined and not said.has("instead", "no") and bool(counts)

    def _filled(self, step: Step, reading: Look, spans: Sequence[tuple[int, int]]) -> Edit | None:
        """ "40 pixels wide and red": what the words say for the ports of the step."""
        said = reading.said
        values, filled = self._read_values(step, said)
        rest, places = self._unexplained(step, said, values, filled, spans)
        explained = {i for i in range(len(said.words)) if i not in rest}
        foreign = any(not explained.issuperset(range(first, last + 1)) for first, last in reading.foreign)
        if not values or foreign or len(rest) > min(_MOST_UNKNOWN, len(places)):
            return None
        return _changed(step, values)

    def _unexplained(
        self,
        step: Step,
        said: MessageWords,
        values: Mapping[str, Any],
        filled: Filled,
        spans: Sequence[tuple[int, int]],
    ) -> tuple[list[int], list[tuple[int, int]]]:
        """The places of the words that say nothing of these values, and where the values are."""
        read_from = {place for port in values for place in filled.read_from[port]}
        places = [(place, place) for place in read_from]
        places += [(q.bound_at, q.last) for q in Clause.of(said.text).quantities if q.bound and q.at in read_from]
        places += [(i, i) for port in values for i in range(len(said.words))
                   if said.words[i].text == str(step.arguments.get(port, "")).lower()]  # fmt: skip
        rest = said.left(_AROUND, [*places, *spans])
        rest = [place for place in rest if not self._is_port_word(said.words[place].text, values)]
        return rest, places

    def _is_put_right(self, found: Edit | None, look: Look, present: Present) -> bool:
        """ "No, in English", "no, at the top": a correction that says another choice and nothing besides; "a gap of 20
        pixels": another value, called by the input's own word.
        """
        if not isinstance(found, SetValues):
            return False
        step = next(step for step in present.steps if step.id == next(touched(found)))
        values, filled = self._read_values(step, look.said)
        called = any(is_called(port, look.said) for port in self._spec(step).inputs if port.name in values)
        if not called and not look.said.has("no", "mean"):
            return False
        free = {port.name for port in self._spec(step).inputs if is_worded(port)}
        own = {port: value for port, value in values.items() if port not in free and value != step.arguments.get(port)}
        same = {(step.id, port): value for port, value in own.items()} == found.values
        return same and not self._unexplained(step, look.said, values, filled, look.named.get(step.id, []))[0]

    def _is_more_and_other(self, found: Edit | None, look: Look, present: Present) -> bool:
        """ "Bigger and yellow": more or less of what a step has, with a choice or colour of it, and no more."""
        steps = [*touched(found)] if isinstance(found, SetValues) and len(found.values) > 1 else []
        step = next((step for step in present.steps if [step.id] == steps), None)
        if step is None:
            return False
        hits = [(hit.first, hit.last) for hit in Clause.of(look.said.text).hits]
        values, filled = self._read_values(step, look.said)
        settled = {port.name for port in self._spec(step).inputs if is_colour(port) or port.choices} & {*values}
        spans = [*look.named.get(step.id, []), *hits, *look.said.spans("up", "down", "slightly", "greatly", "them")]
        told = {port: value for port, value in values.items() if port in settled}
        return bool(hits and settled) and not self._unexplained(step, look.said, told, filled, spans)[0]

    def _already(self, look: Look, present: Present, is_said_of_step: bool) -> Already | None:
        """ "Make it grey" where it is grey, "als mp3" where it is that: what would be no other result. It may be one
        where the words are not known to be `is_said_of_step`: "blur it" can be wished for once more.
        """
        said = look.said
        again = (
            said.has("anew", "further", "besides", "opposite", "up", "down", "slightly", "greatly")
            or said.has("remove", "asks", "how many")
            or any(word.text in tables().small["too"] for word in said.words)  # "too blurred"
            or Clause.of(said.text).hits
        )
        if again or is_about_another_file(said.text, present):
            return None
        for step in reversed(present.steps):
            spans, spec = look.named.get(step.id, []), self._spec(step)
            if self._is_named_better(step, look):
                continue
            values, filled = self._read_values(step, said)
            ports = {name: spec.input(name) for name in values}
            if any(step.arguments.get(name, port.default) != values[name] for name, port in ports.items()):
                continue
            further = all(port.type == "number" for port in ports.values()) and _opens(said, spans)
            further = further or any(map(_adds_up, ports.values())) or not (spans or ports)
            rest = self._unexplained(step, said, values, filled, [*spans, *said.spans(*_AROUND_STATES)])[0]
            if not rest and (is_said_of_step or not further):
                return Already(step.id, next(iter(values), ""))
        return None

    def _is_named_better(self, step: Step, look: Look) -> bool:
        """True where a word by which the step is named stands in another tool's title: a cartoon is no sketch."""
        words = {stem(word) for span in look.named.get(step.id, []) for word in plain_words(look.said.piece(*span))}
        words -= {*map(stem, plain_words(self._spec(step).title))}
        return any(words & {*map(stem, plain_words(tool.title))} for tool in self._graph.tools.values())

    def _filled_in(self, step: Step, said: MessageWords, spans: Sequence[tuple[int, int]]) -> Edit | None:
        """As `_filled`, of a message that is known to speak of values."""
        return _changed(step, self._read_values(step, said)[0])

    def _plainly_filled(self, step: Step, said: MessageWords, spans: Sequence[tuple[int, int]]) -> Edit | None:
        """Numbers, choices, colours and flags: what cannot be any word of the message."""
        free = {port.name for port in self._spec(step).inputs if is_worded(port)}
        values = self._read_values(step, said)[0]
        return _changed(step, {port: value for port, value in values.items() if port not in free})

    def _renumbered(self, step: Step, said: MessageWords, spans: Sequence[tuple[int, int]]) -> Edit | None:
        """ "The best five", "over 50": a number alone for the one that was given, in a text ("price > 20") too."""
        values = self._bare_number(step, said)[0]
        numbers = {f"{q.value:g}" for q in Clause.of(said.text).quantities if q.unit != "x" and not q.one}
        for port in self._spec(step).inputs if not values and len(numbers) == 1 else ():
            old = step.arguments.get(port.name)
            if isinstance(old, str) and is_worded(port) and not is_column(port) and len(_NUMBER.findall(old)) == 1:
                number = numbers.pop()
                added = _listed_too(port.name, number, old) if said.has("besides") else number
                values = {port.name: added if added != number else _NUMBER.sub(number, old)}
                break
        return _changed(step, values)

    def _read_values(
        self, step: Step, said: MessageWords, without: Collection[str] = ()
    ) -> tuple[dict[str, Any], Filled]:
        """What the words say for the ports that nothing feeds, but those `without`; and whence it was read."""
        spec = self._spec(step)
        ports = [p for p in spec.inputs if p.name not in without and not is_fed(step.arguments.get(p.name))]
        if not any(leads(said.text)):  # "the other way round" names no column
            ports = [port for port in ports if not is_column(port)]
        filled = fill(spec, ports, Clause.of(said.text))
        worded = [port for port in ports if is_worded(port)]
        manner = [port for port in worded if self._is_manner(filled, port, said) or self._is_name(filled, port, said)]
        if manner:
            filled = fill(spec, [port for port in ports if port not in manner], Clause.of(said.text))
        old = self._swapped(said)[1]  # in "a cat rather than a dog" not all is the new value
        at = said.text.find(old) if old else -1
        gone = {i for i, word in enumerate(said.words) if at <= word.start < at + len(old)}
        values = {
            port: value for port, value in filled.values.items()
            if (places := filled.read_from.get(port))
            and not (isinstance(value, str) and (places & gone or (old and word_form(old).search(value))))
        }  # fmt: skip
        if said.has("besides"):
            values = {port: _listed_too(port, value, step.arguments.get(port)) for port, value in values.items()}
        if values and values.keys() <= step.arguments.keys():
            return values, filled
        bare, alone = self._bare_number(step, said)
        is_all = bare and not said.left(_AROUND, [(place, place) for at in alone.read_from.values() for place in at])
        return (bare, alone) if is_all or not values else (values, filled)

    def _is_manner(self, filled: Filled, port: PortSpec, said: MessageWords) -> bool:
        """ "Bigger and yellow" of a text that is there says how it shall look, and is no other text."""
        read = filled.read_from.get(port.name, frozenset[int]())
        hits = [(hit.first, hit.last) for hit in Clause.of(said.text).hits]
        colours = [(place, place) for place in read if is_colour_name(said.words[place].text)]
        degrees = said.covered(("up", "down"), hits)
        around = ("up", "down", "slightly", "greatly", "filler")
        return bool(read & degrees) and not read & {*said.left(around, (*hits, *colours))}

    def _is_name(self, filled: Filled, port: PortSpec, said: MessageWords) -> bool:
        """ "Put the text at the top instead" speaks of the text that is there, and is no other text."""
        read = filled.read_from.get(port.name, frozenset[int]())
        chunks = [chunk for chunk in segmentation.read(said.text).chunks if chunk.tokens]
        texts = {chunk.tokens[term.first].start for chunk in chunks for term in chunk.terms if term.key == port.type}
        named = [(place, place) for place in read if said.words[place].start in texts]
        return bool(named) and not read & {*said.left(("rather", "filler", "them"), named)}

    def _bare_number(self, step: Step, said: MessageWords) -> tuple[dict[str, Any], Filled]:
        """ "Make that 1200", "5 seconds instead": a number alone is for the one number of its kind that was given."""
        clause, filled = Clause.of(said.text), Filled()
        counts = [q for q in clause.quantities if q.unit != "x" and not q.one]
        counts = counts[:1] if len({(q.value, q.unit) for q in counts}) == 1 else counts  # "two by two"
        ports = [port for port in self._spec(step).inputs if port.type == "number" and port.name in step.arguments]
        if len(counts) == 1 and len(ports) > 1:
            ports = [port for port in ports if counts[0].unit and port.unit == counts[0].unit]
        value = converted(ports[0], counts[0], clause) if len(counts) == len(ports) == 1 else None
        if value is not None:
            filled.put(ports[0].name, value, range(counts[0].first, counts[0].last + 1))
        return filled.values, filled

    def _is_port_word(self, word: str, values: Mapping[str, Any]) -> bool:
        return any(word == name or word in tables().names.get(name, ()) for name in values)

    def _scaled(self, step: Step, said: MessageWords, spans: Sequence[tuple[int, int]]) -> Edit | None:
        return scaled(self._spec(step), step, said, spans)

    def _turned(self, step: Step, said: MessageWords, spans: Sequence[tuple[int, int]]) -> Edit | None:
        return turned(self._spec(step), step, said, spans)


def is_worded(port: PortSpec) -> bool:
    """True for a text in any words."""
    return port.type == "text" and not port.choices and "colour" not in port.name


def _opens(said: MessageWords, spans: Sequence[tuple[int, int]]) -> bool:
    """True where one of the places is at the beginning, before "it": a verb."""
    return said.has("them", "picture") and any(first == 0 for first, _ in spans) and 0 not in said.covered(("filler",))


def _adds_up(port: PortSpec) -> bool:
    """True for what changes the result once more: 90 degrees are 180 then."""
    return port.name == "direction" or (port.type == "number" and port.unit in _RELATIVE)


def _listed_too(port: str, value: Any, old: Any) -> Any:
    """ "Page 5, too": pages besides those that there are."""
    is_added = port == _PAGES and isinstance(old, str) and old and isinstance(value, str) and value not in old
    return f"{old}, {value}" if is_added else value


def _changed(step: Step, values: Mapping[str, Any]) -> SetValues | None:
    changed = {(step.id, port): value for port, value in values.items() if step.arguments.get(port) != value}
    return SetValues(changed) if changed else None


def touched(edit: SetValues) -> Iterator[str]:
    """The steps that get other values."""
    return iter(dict.fromkeys(step for step, _ in edit.values))
