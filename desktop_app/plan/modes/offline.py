"""The offline planner: wording to intents, intents to tools, tools to graphs. No network, no model, no download."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from desktop_app.plan.arguments.fill import is_order, is_vague, takes_wishes
from desktop_app.plan.arguments.put_first import with_one_first
from desktop_app.plan.language import sentence_encoder as encoder
from desktop_app.plan.language.circled_things import boxed
from desktop_app.plan.language.corrections import refined
from desktop_app.plan.language.exceptions import spared
from desktop_app.plan.language.follow_up import resolved, with_the_original
from desktop_app.plan.language.intents import intents_in, intents_of, subtasks_of
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.language.lying_pictures import righted, righted_reply
from desktop_app.plan.language.own_words import own_words
from desktop_app.plan.language.segmentation import language_of, read, stretch
from desktop_app.plan.language.spelling import Corrected, as_typed, corrected, words_of
from desktop_app.plan.language.stand_ins import (
    in_plain_words,
    not_opened,
    restored,
    stand_ins,
    typed_by_name,
    with_documents,
    without_folders,
)
from desktop_app.plan.language.tagger import start
from desktop_app.plan.language.tokenizer import plain_words, tokens_of
from desktop_app.plan.language.type_roles import is_idle
from desktop_app.plan.language.types import Intent
from desktop_app.plan.modes.conversation import Talk
from desktop_app.plan.modes.edits import Edit, Present, SetValues
from desktop_app.plan.modes.follow_up import FollowUpReader
from desktop_app.plan.modes.other_ways import Drafts, OtherWays
from desktop_app.plan.modes.replying.reply_kind import ReplyReader
from desktop_app.plan.modes.replying.reply_words import Asked, Reply
from desktop_app.plan.ranking import file_size
from desktop_app.plan.ranking.doubtful_clauses import checked
from desktop_app.plan.ranking.explanations import GUESS, cannot_do, not_done, reason_for, unserved, worded
from desktop_app.plan.ranking.findings import Findings, asked_first, findings_of
from desktop_app.plan.ranking.joint_selection import JointSelector, Reading
from desktop_app.plan.ranking.one_of_several import means_all, speaks_of_each, speaks_of_one, speaks_of_original
from desktop_app.plan.ranking.picture_targets import PictureTargets
from desktop_app.plan.ranking.plan_judge import (
    TOLD_BY_MEANING,
    TOLD_BY_WORDS,
    TOLD_SURE,
    PlanDraft,
    evidence,
    known_share,
    probability,
)
from desktop_app.plan.ranking.refusal import SPOKEN_OF, Refuser, says_why
from desktop_app.plan.ranking.selection import ToolSelector
from desktop_app.plan.ranking.step_order import Choice, without
from desktop_app.plan.ranking.tool_scores import Rated, ranked
from desktop_app.plan.ranking.tool_vocabulary import Kinds
from desktop_app.plan.revision.brought_files import with_brought_alone, works_on_brought
from desktop_app.plan.revision.found_things import with_found_things
from desktop_app.plan.revision.labelled_pictures import labeller_of, with_own_words
from desktop_app.plan.revision.opened_sheets import as_table, opened, opener_of
from desktop_app.plan.revision.revised import revised
from desktop_app.plan.revision.round_boxes import with_circles
from desktop_app.plan.revision.said_archives import with_archive
from desktop_app.plan.search import ask_first
from desktop_app.plan.search.alternatives import fulfilling, is_sound, of_several_kinds
from desktop_app.plan.search.any_files import is_for_any, with_plain_files
from desktop_app.plan.search.drawn_words import with_words_drawn
from desktop_app.plan.search.film_sound import with_sounds_mixed
from desktop_app.plan.search.graph_builder import GraphBuilder
from desktop_app.plan.search.guidance import Guidance
from desktop_app.plan.search.moving_pictures import said_as_gif, with_other_form
from desktop_app.plan.search.numbered_last import with_pages_numbered_last
from desktop_app.plan.search.saved_results import with_results_saved
from desktop_app.plan.search.solution_draft import SolutionDraft
from desktop_app.plan.search.value_pool import Value
from desktop_app.plan.search.wanted_outputs import is_taken, wanted_of
from desktop_app.plan.tools.near_tools import NearTools
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import Plan, PortSpec, Request, Solution, ToolSpec
from nodes.phrase import Phrase

_WORSE = 0.2
"""So much less than the first may an alternative score."""

NOTHING_FITS = Phrase("No tool here does that.")

_DOUBTFUL, _RIVAL = 0.8, 0.3
"""Beside a plan less probable than that stands what the other reading found, if it is so probable beside it. On 880
requests such an alternative was right in 14 of 42 cases, where the first plan was wrong in 26."""

_PARTLY = 0.6
"""Where no tool does one of several wishes, the others are planned if they are at least so probable."""

_UNSAID = 0.9
"""Where a value has more probably to be asked for, a wish as a whole does not say it: "a picture for the cover". Of 25
requests held back that leave a value open, and yet seemed to say it, 13 are so asked; of five others none.
"""

_OF_TOOL = 0.6
"""What a tool's texts hold with less weight is no word for the tool itself, at most one of an example."""

_MOST_READ = 400
"""Of so many tools that nothing was trained on the texts are read, which takes some 30 ms each, once; over more of them
the lexicon alone plans.
"""

_SHORTEST = 4
"""A question has more words and signs than that: "which one is it?" does, "what?" does not."""

_SPOKEN_OF = 3
"""Of so many tools that the words of a request speak of it is looked at whether they take files of any kind."""

_TRIES, _ENOUGH = 8, 5
"""Alternatives are looked for in so many variants of the first solution, until so many solutions are found."""


class OfflinePlanner:
    """Plans over a fixed set of tools. Construction reads every tool once; planning changes nothing."""

    def __init__(self, tools: Sequence[ToolSpec], strategy: str = "adaptive") -> None:
        """A first request waits for the sentence encoder. Where that is off the lexicon alone plans."""
        self.strategy = strategy
        self.graph = ToolGraph(tools)
        self.index = Index(tools, lexicon())
        self.kinds = Kinds(self.graph, self.index)
        self.opener = opener_of(tools, self.index)
        self.things = PictureTargets(self.graph, self.index)
        self.chooser = ToolSelector(self.graph, self.index)
        self.refuser = Refuser(self.graph, self.index, self.chooser.answers.about)
        if encoder.ENABLED:
            start()
            encoder.sentence_encoder().start()

    @cached_property
    def joint(self) -> JointSelector:
        """Read when first used: where the judgement is off it costs no start anything."""
        return JointSelector(self.graph)

    @cached_property
    def _words(self) -> frozenset[str]:
        """What the tools say of themselves: none of these words is mistyped."""
        return words_of(
            text
            for tool in self.graph.tools.values()
            for text in (tool.title, tool.description, *tool.words, *(p.description for p in tool.inputs))
        )

    @cached_property
    def ways(self) -> OtherWays:
        """Finds other ways beside a first plan over our own tools."""
        return OtherWays(self.joint, lambda request, reading: self._by_meaning(request, reading, False), self._settled)

    @property
    def _is_read(self) -> bool:
        """Whether the networks read requests, too: the texts of tools that they do not know only where these are few
        enough, and the sentence encoder is there.
        """
        if not encoder.ENABLED or not 0 < len(self.graph.tools) <= _MOST_READ:
            return encoder.ENABLED and self.joint.judge.is_trained
        return self.joint.judge.is_trained or encoder.sentence_encoder().is_ready()

    @cached_property
    def follow_ups(self) -> FollowUpReader:
        """Reads what is said of a graph that is there."""
        return FollowUpReader(self.graph, self.index, lambda: self.joint)

    @cached_property
    def replies(self) -> ReplyReader:
        """Reads what is said when something was asked."""
        return ReplyReader(self.graph, lambda: self.joint)

    def reply(self, text: str, asked: Asked) -> Reply:
        """What a reply to a question is."""
        return self.replies.read(righted_reply(text), asked)

    def edit(self, text: str, present: Present) -> Edit | Talk | None:
        """What a message means for the graph that is there, its mistyped words as they are meant; None for a wish."""
        read = self.as_meant(Request(text, present.files))
        found = self.follow_ups.read(read.request.text, present)
        if not read.spots or not isinstance(found, SetValues):
            return found
        tools = {step.id: self.graph.tools.get(step.tool) for step in present.steps}
        return SetValues({
            (step, port): read.typed_in(tools.get(step), port, value) for (step, port), value in found.values.items()
        })  # fmt: skip

    def unserved(self, text: str, present: Present) -> tuple[str, ...]:
        """The words of a request for what no step does, as they were typed; they are read as the plan read them."""
        read = boxed(self.as_meant(Request(text, present.files)))
        return tuple(map(read.typed_for, self.follow_ups.unserved(read.request.text, present)))

    @cached_property
    def _near(self) -> NearTools:
        return NearTools(self.graph)

    def nearest(self, text: str, types: Collection[str], most: int) -> list[ToolSpec]:
        """The tools for files of these types that do something like a wish, likest first; [] where none does."""
        return self._near.near(text, types, most)

    def speaking_of(self, text: str, most: int) -> list[ToolSpec]:
        """The tools that do what a text speaks of, the nearest first."""
        terms = [term for chunk in read(text).chunks for term in chunk.terms]
        keys = [t.key for t in terms if t.kind == "task"] or [t.key for t in terms if t.kind in ("thing", "word")]

        weights = self.index.strongest(keys)
        found = (tool for tool in self.graph.tools.values() if weights.get(tool.id, 0.0) >= SPOKEN_OF)
        return sorted(found, key=lambda tool: weights[tool.id], reverse=True)[:most]

    def plan(self, request: Request) -> Plan:
        """Solutions best first, or the causes why there is none. Never raises for odd text."""
        if not request.text.strip():
            return Plan((), causes=(Phrase("The request is empty."),))
        if (own := own_words(request)) is not None and (writer := labeller_of(self.graph)) is not None:
            rest = self.plan(own.rest) if own.rest.text else None
            if rest is None or rest.solutions:
                return with_own_words(rest, own, request.text, writer, self.graph)
        return with_archive(request, self.plan, self.graph) or self._of_files(request)

    def _of_files(self, request: Request) -> Plan:
        """The plan of a request, whose files are all that is there, or only those of this turn."""
        plan = self._of_names(request)
        files = with_plain_files(request, lambda: self.speaking_of(request.text, _SPOKEN_OF))
        if files is not None and is_for_any(packed := self._of_names(files), plan, self.graph.tools):
            return packed
        alone = with_brought_alone(request, plan)
        other = self._of_names(alone) if alone is not None else plan
        return other if alone is not None and works_on_brought(alone, other) else plan

    def _of_names(self, request: Request) -> Plan:
        """The plan of a request whose files have any names."""
        request = with_found_things(request, self.graph.tools)
        text = without_folders(request.text, [given.name for given in request.resources])
        request = not_opened(replace(request, text=text, resources=tuple(map(typed_by_name, request.resources))))
        request = with_one_first(with_the_original(request))
        names = stand_ins(request.resources)
        return restored(self._read(in_plain_words(request, names)), names) if names else self._read(request)

    def _read(self, request: Request) -> Plan:
        sheets = {given.name for given in request.resources if self.opener and as_table(given) is not given}
        if sheets:
            request = replace(request, resources=tuple(map(as_table, request.resources)))
        animated = said_as_gif(request)
        read = self.as_meant(animated)
        plain = boxed(read)
        plan = as_typed(self._finished(self._plan(plain.request), plain.request), plain, self.graph.tools)
        plan = plan if plain is read else with_circles(plan, self.graph)
        plan = plan if animated is request else with_other_form(plan, self.graph)
        return opened(plan, sheets, self.opener, self.graph.tools) if sheets and self.opener else plan

    def _finished(self, plan: Plan, request: Request) -> Plan:
        return revised(plan, request, self.graph)

    def as_meant(self, request: Request) -> Corrected:
        """The request without its typing errors, where its words are those of requests for our own tools; where it says
        how a picture lies, with the turn that sets it upright.
        """
        ours = self._is_read and self.joint.judge.is_trained
        return righted(corrected(request, self._words)) if ours else Corrected(request, request.text)

    def _plan(self, request: Request) -> Plan:
        if not self._is_read:
            return self._by_words(resolved(request)).plan
        drafts = self.drafts(request)
        if self.joint.judge.is_trained:
            return self._with_reason(self.ways.chosen(drafts), request)
        plan = self._weighed(self._by_words(resolved(request)), drafts)
        found = fulfilling(plan.solutions, drafts.reading, request.text, self.graph)[:_ENOUGH]
        return replace(plan, solutions=worded(found, self.graph) if len(found) > 1 else found)

    def _with_reason(self, plan: Plan, request: Request) -> Plan:
        """A refusal says why, where the lexicon knows the words: "No tool here sends or publishes anything." """
        if plan.solutions or plan.questions:
            return plan
        refused = self._by_words(resolved(request), several=False).plan
        return replace(plan, causes=refused.causes) if refused.causes and says_why(refused.causes[0]) else plan

    def drafts(self, request: Request) -> Drafts:
        """What the networks make of a request."""
        ours = self.joint.judge.is_trained
        first = self.joint.read(request)
        reading = self._settled(first if ours else checked(first, request.text, self.index), request)
        return Drafts(PlanDraft(self._by_meaning(request, reading, not ours)), reading, request)

    def _settled(self, reading: Reading, request: Request) -> Reading:
        """As it is `_told`, with other tools where what is there, or what was made before, is what is meant."""
        reading = with_sounds_mixed(self._told(reading, request), request, self.graph)
        reading = with_pages_numbered_last(with_words_drawn(reading, self.graph), request, self.graph)
        return with_results_saved(reading, request.text, self.graph)

    def _told(self, reading: Reading, request: Request) -> Reading:
        """A text that stands there in quotes is said and not asked for, though the tagger marks none; so is one that a
        wish is as a whole ("draw a cat"), unless a value has to be asked for ("draw something").
        """
        said = {(tool, port) for tool, port, _ in reading.said}
        likeliest = max(reading.asks, key=lambda kind: reading.asks[kind], default="")
        is_open = reading.asks.get("text", 0.0) <= _UNSAID
        told = tuple(
            (clause.tool, port.name, 1.0)
            for clause in reading.clauses
            if clause.tool in self.graph.tools
            for port in self.graph.tools[clause.tool].inputs
            if port.type == "text" and port.required and not port.choices and (clause.tool, port.name) not in said
            for text in [request.text[clause.start : clause.end]]
            if _stands_there(text, port) or ((is_open or is_order(port)) and self._tells(text, port, clause.tool))
        )
        asks = {"": 1.0} if told and likeliest == "text" else reading.asks
        named = any(given.name in request.text for given in request.resources)
        named |= bool(request.history) and speaks_of_original(request.text)
        if named or means_all(request.text, request.resources):  # then nobody asks which file is meant
            asks = {kind: share for kind, share in asks.items() if kind != "file"}
        served = [(n, clause) for n, clause in enumerate(reading.clauses) if clause.tool in self.graph.tools]
        for number, clause in served[:1]:
            said = request.text[clause.start : clause.end]
            if speaks_of_one(self.graph.tools[clause.tool], reading.files.get(number, {}), said, request):
                asks = {"file": 1.0}
        return replace(reading, said=(*reading.said, *told), asks=asks)

    def _tells(self, text: str, port: PortSpec, tool: str) -> bool:
        weights = self.index.profiles[tool].weights
        terms = [term for chunk in read(text).chunks for term in chunk.terms]
        keys = [term.key for term in terms if term.kind in ("word", "thing")]
        own = {key for key in keys if not is_idle(key) and not is_vague(key)}
        if is_order(port) and len(own) > 1:  # the things may be those of the tool's own examples
            return True
        if f"{tool}.{port.name}" in self.joint.judge.verbatim:
            return bool(own) or any(term.kind == "exact" for term in terms)
        return takes_wishes(port) and any(weights.get(key, 0.0) < _OF_TOOL for key in own)

    def _weighed(self, by_words: PlanDraft, drafts: Drafts) -> Plan:
        """Over tools that are known by their texts: the plan by that reading which is more probably right; a guess
        where neither is probably so.
        """
        by_meaning, reading, request = drafts.by_meaning, drafts.reading, drafts.request
        shares = (
            probability(TOLD_BY_WORDS, evidence(by_words, by_meaning, reading, request, by_words)),
            probability(TOLD_BY_MEANING, evidence(by_meaning, by_words, reading, request, by_words)),
        )
        plans = tuple(zip((by_words.plan, by_meaning.plan), shares, strict=True))
        plan, share = plans[1] if _asks_which_one(drafts) else max(plans, key=lambda pair: pair[1])
        other, less = plans[plan is plans[0][0]]
        if not plan.solutions:
            return plan
        first = plan.solutions[0].score or 1.0
        solutions = tuple(replace(one, score=share * min(1.0, one.score / first)) for one in plan.solutions)
        if share < _DOUBTFUL and less >= _RIVAL * share:
            others = (replace(one, score=less) for one in _of_other_tools(other, solutions[0]))
            solutions = (solutions[0], *others, *solutions[1:])
        return replace(plan, solutions=solutions, questions=plan.questions or ((GUESS,) if share < TOLD_SURE else ()))

    def _by_words(self, request: Request, several: bool = True) -> PlanDraft:
        """The plan by the lexicon alone, with other ways if `several`."""
        intents = self.kinds.read(refined(intents_of(read(request.text)), request, self.index.lexicon))
        intents = self.things.read(intents, request)
        known = known_share(intents)
        choices = without(self.chooser.choose(intents, request), request.avoided)
        wanted = {c.intent.index: tuple(p.type for p in self.graph.tools[c.best.tool].outputs) for c in choices}
        subtasks = subtasks_of(intents, [wanted.get(intent.index, intent.gives) for intent in intents])
        cause = self.refuser.cause(intents, choices, request)
        solutions: tuple[Solution, ...] = ()
        if not cause:
            solutions = self._solutions(intents, self.refuser.kept(choices), request, several=several)
            solutions = tuple(ask_first.which_document(one, request, self.graph.tools) for one in solutions)
        firm = bool(cause) and (self.refuser.is_firm(intents) or says_why(cause))
        answer = self.chooser.answers.in_words(intents, request, solutions[0] if solutions else None)
        if answer is not None and not firm:
            return PlanDraft(Plan(worded((answer, *solutions), self.graph), subtasks=subtasks), *known)
        for first in solutions[:1]:
            cause = self.refuser.unused_source(intents, first, request)
            cause = cause or self.refuser.needs_itself(first, intents, request)
            cause = cause or self.refuser.ignores(first, intents, request)
            cause = cause or self.refuser.undescribed(first, intents)
        sized = [found for one in solutions if (found := file_size.kept_to(one, request.text, self.graph))]
        if solutions and not sized:
            cause = cause or file_size.refusal(request.text)
        if cause:
            return PlanDraft(Plan((), causes=(cause,), subtasks=subtasks), *known)
        found = worded(sized, self.graph) if sized != list(solutions) else solutions
        return PlanDraft(Plan(found, subtasks=subtasks), *known)

    def _by_meaning(self, request: Request, reading: Reading, several: bool = True) -> Plan:
        """The plan with the clauses and tools of a reading by the trained judgement, with other ways if `several`."""
        language = language_of(tokens_of(request.text))
        asked, alike, whole = asked_first(reading), dict[str, tuple[str, ...]](), request
        if asked == "file":
            request, alike = ask_first.one_of_each(request)
        served = [clause for clause in reading.clauses if clause.tool]
        request = with_documents(request, [self.graph.tools[clause.tool] for clause in served])
        pieces = [stretch(request.text, one.start, one.end, language, n) for n, one in enumerate(served)]
        chunks = [(chunk, clause) for chunk, clause in zip(pieces, served, strict=True) if chunk is not None]
        intents = refined(intents_in([chunk for chunk, _ in chunks], lexicon(language)), request, self.index.lexicon)
        intents = self.things.read(self.kinds.read(intents), request)
        wishes = [(intent, clause) for intent, (_, clause) in zip(intents, chunks, strict=True)]
        choices = [
            Choice(intent, _rated(clause.tool, clause.probability), tuple(_rated(*other) for other in clause.others))
            for intent, clause in wishes
        ]
        subtasks = subtasks_of(intents, [tuple(p.type for p in self.graph.tools[c.best.tool].outputs) for c in choices])
        left = [request.text[one.start : one.end] for one in reading.clauses if not one.tool]
        if not choices or (left and min(clause.probability for clause in served) < _PARTLY):
            undone = tuple(map(cannot_do, unserved(reading, request)))
            return Plan((), causes=undone or (NOTHING_FITS,), subtasks=subtasks)
        findings = findings_of(self.graph, reading, wishes, request)
        found = self._solutions(intents, findings.makers_first(choices), request, findings, several)
        if asked == "file":
            found = tuple(ask_first.which_file(one, alike, self.graph.tools) for one in found)
        elif asked == "text":
            said = {(tool, port) for tool, port, _ in reading.said}
            found = tuple(ask_first.what_value(one, self.graph.tools, said) for one in found)
        found = tuple(ask_first.which_document(one, whole, self.graph.tools) for one in found)
        sized = [kept for one in found if (kept := file_size.kept_to(one, request.text, self.graph))]
        if found and not sized:
            return Plan((), causes=(file_size.refusal(request.text),), subtasks=subtasks)
        worded_ones = worded(sized, self.graph) if sized != list(found) else found
        return Plan(worded_ones, tuple(not_done(reading, request)), subtasks=subtasks)

    # Solutions --------------------------------------------------------------------------------------------------

    def _solutions(
        self,
        intents: Sequence[Intent],
        choices: Sequence[Choice],
        request: Request,
        findings: Findings | None = None,
        several: bool = True,
    ) -> tuple[Solution, ...]:
        """The best, and if `several` (or where not every way may keep to a size that is said) other ways."""
        first = self._solve(intents, choices, request, findings=findings)
        if not several and file_size.limit(request.text) is None:
            return worded([first], self.graph)
        found = [first]
        for tried, (changed, detour, worth) in enumerate(self._variants(choices, first)):
            solution = self._solve(intents, changed, request, detour, findings)
            solution = replace(solution, score=min(first.score, solution.score) * worth)
            if solution.score >= first.score - _WORSE and is_sound(solution, first, self.graph):
                found.append(solution)
            if tried >= _TRIES or len(found) >= _ENOUGH:
                break
        return worded(ranked(of_several_kinds(found, self.graph)), self.graph)

    def _variants(self, choices: Sequence[Choice], first: Solution) -> Iterable[tuple[list[Choice], int, float]]:
        """The choice with one tool replaced, the closest rival first; then with a gap filled in another way. With
        each how much of the score is left (0..1) for a tool that fits the wording less.
        """
        rivals = [
            (choice.best.evidence - other.evidence, place, other)
            for place, choice in enumerate(choices)
            for other in choice.others
        ]
        for _, place, other in sorted(rivals, key=lambda r: (r[0], r[1])):
            changed = list(choices)
            changed[place] = Choice(choices[place].intent, other)
            yield changed, -1, 0.75 + 0.25 * min(1.0, max(0.0, other.evidence) / choices[place].best.evidence)
        for gap in range(min(2, len(first.steps) - len(choices))):
            yield list(choices), gap, 0.97

    def _solve(
        self,
        intents: Sequence[Intent],
        choices: Sequence[Choice],
        request: Request,
        detour: int = -1,
        findings: Findings | None = None,
    ) -> Solution:
        """One way, without a title."""
        guidance = Guidance() if findings is None else self._guidance(findings, request)
        builder = GraphBuilder(self.graph, self.index, request, intents, self.strategy, guidance, detour)
        pool, draft = builder.draft.pool, builder.draft
        heard = [intent for intent in intents if not self.refuser.beyond(intent)]
        homes = _homes(heard, [choice.intent for choice in choices])
        for intent in intents:
            pool.hear(intent, homes.get(intent.index, intent.index))
        if findings is not None:
            pool.hear_between(tokens_of(request.text), heard)
        results = [(c, builder.apply(c.intent, self.graph.tools[c.best.tool])) for c in choices]
        if findings is not None and findings.asked != "file":
            builder.feed_left_over()
        apart = findings is not None and speaks_of_each(request.text)  # counts one by one, and no sum of them
        totals = () if apart else (self._total(builder, c, value) for c, value in results)
        sums = [total for total in totals if total is not None]
        wanted = wanted_of(draft.steps, [value for _, value in results], sums, self.graph.tools)
        unserved = self._unserved(intents, choices)
        return Solution(
            "",
            reason_for(draft.steps, unserved, self.graph),
            self._score(choices, draft, len(unserved))
            if findings is None
            else math.prod(choice.best.words / 5.0 for choice in choices) ** (1.0 / len(choices)),
            tuple(draft.steps),
            wanted,
            tuple(draft.questions),
        )

    def _guidance(self, findings: Findings, request: Request) -> Guidance:
        reading, judge = findings.reading, self.joint.judge
        types = {given.type for given in request.resources} or {"number"}
        is_readable = self.graph.reachable(types).get("text", 9) <= 2
        sounds_like_file = reading.asks.get("file", 0.0) > reading.asks.get("text", 0.0)
        return Guidance(
            finders=findings.finders,
            meant=findings.meant,
            sides=findings.sides,
            sources=findings.sources,
            files=findings.files,
            marks=reading.marks,
            told={(tool, port) for tool, port, _ in reading.said},
            thing=judge.thing,
            verbatim=judge.verbatim,
            contents=judge.either if is_readable else judge.contents,
            either=judge.either,
            brought=judge.either if sounds_like_file else judge.contents,
            direct=True,
            bridges=findings.asked != "file",
        )

    def _unserved(self, intents: Sequence[Intent], choices: Sequence[Choice]) -> list[Intent]:
        """Intents that ask for an operation for which no tool was found."""
        served = {choice.intent.index for choice in choices}
        left = [
            i for i in intents if i.index not in served and not i.stating and any(t.kind == "task" for t in i.terms)
        ]
        return [intent for intent in left if intent.joint in ("", "then", "also") or self.refuser.beyond(intent)]

    def _score(self, choices: Sequence[Choice], draft: SolutionDraft, unserved: int) -> float:
        """Mostly how much of the wording the tools speak of; less for tools put in, open questions, unserved wishes."""
        covered = sum(self._coverage(choice, draft.serving[choice.intent.index]) for choice in choices) / len(choices)
        strength = sum(min(choice.best.evidence, 5.0) / 5.0 for choice in choices) / len(choices)
        questions = draft.questions
        unfilled = sum(q.kind == "text" or (q.kind == "file" and not q.resource) for q in questions)
        lost = 0.02 * draft.bridges + 0.1 * unfilled + 0.15 * unserved
        return max(0.05, min(1.0, 0.2 + 0.6 * covered + 0.2 * strength - lost))

    def _coverage(self, choice: Choice, tools: Collection[str]) -> float:
        """The part (0..1) of an intent's meanings, by weight, that the texts of its tools hold."""
        meanings = {k: w * self.index.rarity(k) for k, w in choice.intent.meanings.items()}
        best = {k: max(self.index.profiles[t].weights.get(k, 0.0) for t in tools) for k in meanings}
        whole = sum(meanings.values())
        return sum(meanings[k] * min(1.0, 1.5 * best[k]) for k in meanings) / whole if whole else 0.5

    def _total(self, builder: GraphBuilder, choice: Choice, value: Value) -> Value | None:
        """ "How many are in these three?": the counts, and their sum where a tool adds numbers."""
        if is_taken(value, builder.draft.steps) or len(value.items) < 2:
            return None
        if value.type != "number" or "count" not in choice.intent.meanings:
            return None
        matches = self.index.match({"total": 1.0, **choice.intent.meanings})
        for id in sorted(matches, key=lambda id: -matches[id]):
            tool = self.graph.tools[id]
            required = [port for port in tool.inputs if port.required]
            adds = len(required) == 1 and required[0].many and required[0].type == "number"
            if adds and [port.type for port in tool.outputs] == ["number"]:
                return builder.gather(tool, choice.intent, required[0], value)
        return None


def _stands_there(text: str, port: PortSpec) -> bool:
    """True for a quote or an address, for a condition that spares something ("everyone but Ben"), and for a question of
    some words that ends as one.
    """
    tokens = tokens_of(text)
    quoted = any(token.kind in ("quote", "url") for token in tokens)
    asks = "question" in plain_words(port.name) and text.rstrip().endswith(("?", "？")) and len(tokens) > _SHORTEST
    return quoted or asks or ("condition" in plain_words(port.name) and bool(spared(text)))


def _asks_which_one(drafts: Drafts) -> bool:
    """True where it is surely to be asked which of several files is meant, and a plan does."""
    questions = [question for one in drafts.by_meaning.plan.solutions for question in one.questions]
    return drafts.reading.asks.get("file") == 1.0 and any(question.kind == "file" for question in questions)


def _of_other_tools(plan: Plan, first: Solution) -> list[Solution]:
    """What a plan has, if it has something else than `first`."""
    used = sorted(step.tool for step in first.steps)
    return [one for one in plan.solutions[:1] if sorted(step.tool for step in one.steps) != used]


def _rated(tool: str, probability: float) -> Rated:
    return Rated(tool, 5.0 * probability, 5.0 * probability)


def _homes(intents: Sequence[Intent], chosen: Sequence[Intent]) -> dict[int, int]:
    """For a piece that got no tool of its own, the intent in the same sentence that its files and quotes belong to."""
    homes: dict[int, int] = {}
    served = {intent.index for intent in chosen}
    last: Intent | None = None
    waiting: list[Intent] = []
    for intent in intents:
        if intent.index in served:
            homes.update((w.index, intent.index) for w in waiting if w.sentence == intent.sentence)
            last, waiting = intent, []
        elif last is not None and (intent.sentence == last.sentence or intent.joint == ":") and not intent.stating:
            homes[intent.index] = last.index
        elif not intent.stating:
            waiting.append(intent)  # "Glue a.jpg | and b.jpg into a panorama"
    return homes
