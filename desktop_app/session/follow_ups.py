"""What is said of the graph that is there: read by the planner, carried out here as one step of undo, told in words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from desktop_app.core.values import several
from desktop_app.export.files import endings
from desktop_app.graph import edit, execution_modes
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Workflow
from desktop_app.i18n.tools import original
from desktop_app.plan.modes import edits
from desktop_app.plan.modes.edits import Present
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, FromResource, Given, Step, ToolSpec
from desktop_app.session.run_tracker import RunTracker
from desktop_app.session.state import GraphState, SessionState
from desktop_app.session.undo import UndoController
from desktop_app.storage.resources import Resource
from nodes.api import Port, ResourceType
from nodes.phrase import Phrase, joined, listed

_FOUND = frozenset((ResourceType.NUMBER, ResourceType.FLAG, ResourceType.BOXES, ResourceType.POINTS))


class FollowUpController:
    """Carries edits out. `undo` has the verbs of the graph; each edit is one step of undo."""

    def __init__(self, state: SessionState, tracker: RunTracker, undo: UndoController) -> None:
        self._state, self._tracker, self._undo = state, tracker, undo

    def present(self, names: Sequence[str] = ()) -> Present:
        """What a follow-up can speak of now; `names` are files that come with it."""
        state, workflow = self._state, self._state.workflow
        steps = tuple(_step(workflow, id) for id in workflow.order() if workflow.node(id).tool in state.tools)
        files = tuple(Given(r.name, str(r.type)) for r in self._files())
        earlier = dict.fromkeys(node.tool for past in state.history.done for node in past.workflow.nodes)
        ways = len(state.graph.alternatives)
        return Present(steps, files, tuple(earlier), ways, state.graph.chosen, state.graph.wish, tuple(names))

    def _files(self) -> list[Resource]:
        """The user's own files, in the order in which they came."""
        made = self._tracker.made
        return [one for one in self._state.resources.values() if not one.made_by and one.name not in made]

    def known(self, asked: edits.AskValue) -> edits.SetValues | edits.AskValue:
        """The value, where the port follows the size of a picture whose size is known; else the question."""
        tool = self._state.tools[self._state.workflow.node(asked.step).tool]
        port = tool.input(asked.port)
        if port is None or port.usual_share is None:
            return asked
        share, least, most = asked.by * port.usual_share, port.minimum or 0, port.maximum or math.inf
        sizes = {step: self._picture_size(step) for step in (asked.step, *asked.others)}
        if sizes[asked.step] is None:
            return asked
        values = {step: max(1, round(min(max(share * size, least), most))) for step, size in sizes.items() if size}
        return edits.SetValues({**asked.also, **{(step, asked.port): value for step, value in values.items()}})

    def _picture_size(self, step: str) -> float | None:
        """The root of the area of the first picture that the step takes, in pixels."""
        sizes = map(self._size_along, self._state.workflow.links_into(step))
        return next((size for size in sizes if size is not None), None)

    def _size_along(self, link: Link) -> float | None:
        """The root of the area of what comes along the link, in pixels; before a run, of the file that it rests on."""
        workflow, record = self._state.workflow, self._tracker.shown.nodes.get(link.source)
        made = several(record.outputs.get(link.output)) if record is not None else ()
        behind = workflow.upstream(link.source) | {link.source}
        own = (one for one in workflow.resources if one.name in behind)
        facets = (one.facets for one in (*made, *own) if one is not None)
        sides = next(((f["width"], f["height"]) for f in facets if {"width", "height"} <= f.keys()), None)
        return math.sqrt(float(sides[0]) * float(sides[1])) if sides else None

    def carry_out(self, found: edits.Edit, text: str) -> tuple[str, bool]:
        """Does what the text was read as. Returns what was done in words, and whether the graph is another one now.

        A Rephrase is not for here. Raises BadWorkflow or BadRequest where the graph does not allow it.
        """
        before = self._state.graph
        match found:
            case edits.Undo(times):
                said = self._taken_back(times)
            case edits.Redo():
                self._undo.redo()
                said = Phrase("Done again.") if self._state.graph != before else Phrase("There is nothing to do again.")
            case edits.SetValues(values):
                said = self._set(values)
            case edits.Relink(links):
                said = self._relink(links)
            case edits.Remove(steps):
                said = self._removed(steps)
            case edits.UseTool(step, tool, values, others):
                said = self._use_tool((step, *others), tool, values)
            case edits.Insert(tool, values, after):
                said = self._inserted(tool, values, after)
            case edits.Another(step, values):
                said = self._done_too(step, values)
            case edits.BackTo(tool):
                said = self._back_to(tool)
            case edits.UseFile(old, new):
                self._change(edit.with_file(self._state.workflow, old, self._state.resources[new]))
                said = Phrase("{new} is used instead of {old}.", new=new, old=old)
            case edits.Repeat(like, files):
                workflow = self._state.workflow
                for name in files:
                    workflow = edit.with_file(workflow, like, self._state.resources[name], beside=True)
                self._change(workflow)
                said = Phrase("The same is done for {files} too.", files=listed(files))
                said = said if files else Phrase("That is done already.")
            case edits.Already(step, port):
                said = self._is_so(step, port)
            case edits.UseWay(index):
                said = self._use_way(index)
            case edits.SaveAs(form):
                said = self._save_as(form)
            case edits.Name(name):
                ending = Path(before.saved_as or "x").suffix or (before.saved_as if before.saved_as[:1] == "." else "")
                own = Path(name).suffix if len(Path(name).suffix) in (4, 5) else ""
                self._state.change(saved_as=name if own else name + ending)
                said = Phrase("The result will be saved as {name}.", name=self._state.graph.saved_as)
            case _:
                raise NotImplementedError(found)
        changed = self._state.graph != before
        if changed and isinstance(found, edits.SetValues | edits.SaveAs):
            self._state.history.state = replace(self._state.graph, edits=(*before.edits, text))
        return said, changed

    def _change(self, workflow: Workflow, **fields: object) -> None:
        workflow.check(self._state.tools)
        self._state.change(workflow=self._state.admit(workflow), **fields)

    def _taken_back(self, times: int) -> str:
        before = self._state.graph
        for _ in range(times):
            self._undo.undo()
        after = self._state.workflow
        if self._state.graph == before:
            return Phrase("There is nothing to take back.")
        if not after.nodes:
            return Phrase("Taken back. The graph is empty again.")
        return Phrase("Taken back. What is left: {steps}.", steps=listed(self._titles(after, after.order()), " → "))

    def _titles(self, workflow: Workflow, ids: Sequence[str]) -> list[str]:
        tools = original(self._state.tools)
        used = [workflow.node(id).tool for id in ids]
        return [Phrase(tools[tool].title, "tools") if tool in tools else tool for tool in used]

    def _set(self, values: object) -> str:
        workflow, said = self._state.workflow, []
        assert isinstance(values, dict)
        for (id, port), value in values.items():
            workflow = workflow.with_value(id, port, value)
            said.append(self._told(workflow, id, port))
        self._change(workflow)
        return joined(*dict.fromkeys(said)) if said else Phrase("No tool here does that.")  # of several alike once

    def told(self, place: tuple[str, str]) -> str:
        """What the input of a node, by their names, is now, in a sentence."""
        return self._told(self._state.workflow, *place)

    def _told(self, workflow: Workflow, id: str, port: str) -> str:
        (title,) = self._titles(workflow, (id,))
        node = workflow.node(id)
        linked = next((link.source for link in workflow.links_into(id) if link.port == port), "")
        declared = self._state.tools[node.tool].input(port)
        return _said_of(title, port, declared, linked or _shown(node.values.get(port, ""), declared))

    def _is_so(self, id: str, name: str) -> str:
        """That nothing has to be changed."""
        (title,), node = self._titles(self._state.workflow, (id,)), self._state.workflow.node(id)
        port = self._state.tools[node.tool].input(name)
        if port is None:
            return Phrase("“{title}” is there already, so nothing changes.", title=title)
        shown = _shown(node.values.get(name, port.default), port)
        name = Phrase(name, "ports", spelled=name.replace("_", " "))
        return Phrase("{title}: {port} is {value} already.", title=title, port=name, value=shown)

    def _relink(self, links: Mapping[tuple[str, str], Sequence[edits.Source]]) -> str:
        workflow, order = self._state.workflow, list[str]()
        for port, sources in links.items():
            ends: list[tuple[str, str]] = []
            for one in sources:
                if isinstance(one, FromResource):
                    workflow = workflow.with_resource(self._state.resources[one.name])
                    ends.append((one.name, RESOURCE_OUTPUT))
                else:
                    ends.append((one.node, one.port))
                order += [one.name] if isinstance(one, FromResource) else self._titles(workflow, (one.node,))
            workflow = edit.relinked(workflow, port, ends)
        id, name = next(iter(links))
        (title,) = self._titles(workflow, (id,))
        self._change(workflow)
        if len(order) > 1:
            return Phrase("{title}: takes {files} now.", title=title, files=listed(order))
        port = Phrase(name, "ports", spelled=name.replace("_", " "))
        return Phrase("{title}: {port} is {value} now.", title=title, port=port, value=order[0])

    def _removed(self, steps: Sequence[str]) -> str:
        workflow = self._state.workflow
        titles = self._titles(workflow, steps)
        left = edit.taken_out(workflow, original(self._state.tools), steps)
        taken = Phrase("{steps}: taken out.", steps=listed(titles))
        if left.nodes:
            self._change(left)
            return taken
        self._change(replace(left, resources=workflow.resources, positions=workflow.positions))
        files = listed(one.name for one in workflow.resources)
        return joined(taken, Phrase("{files}: as it was.", files=files)) if files else taken

    def _use_tool(self, steps: Sequence[str], tool: str, values: Mapping[str, object]) -> str:
        tools, workflow = original(self._state.tools), self._state.workflow
        (old,) = self._titles(workflow, steps[:1])
        for step in steps:
            workflow = edit.with_tool(workflow, tools, step, tools[tool], values)
        self._change(workflow)
        return Phrase("{new} is used instead of {old}.", new=Phrase(tools[tool].title, "tools"), old=old)

    def _inserted(self, tool: str, values: Mapping[str, object], after: Sequence[FromNode]) -> str:
        tools, workflow = original(self._state.tools), self._state.workflow
        for source in after:
            workflow = edit.passed_through(workflow, tools, tools[tool], values, source.node, source.port)
        self._change(workflow)
        title, said = Phrase(tools[tool].title, "tools"), list[str]()
        for name, value in values.items():
            said.append(_said_of(title, name, tools[tool].input(name), _shown(value, tools[tool].input(name))))
        return joined(*said) or Phrase("{title}.", title=title)

    def _done_too(self, step: str, values: Mapping[str, object]) -> str:
        """With a copy of the step, fed by the same, whose result is wanted as well."""
        workflow = self._state.workflow
        tool = self._state.tools[workflow.node(step).tool]
        ends = workflow.results(self._state.tools)
        after, (new,) = edit.duplicated(workflow, (step,))
        for name, value in values.items():
            after = after.with_value(new, name, value)
        self._change(replace(after, wanted=(*ends, (new, tool.outputs[0].name))))
        shown = listed(_shown(value, tool.input(name)) for name, value in values.items())
        return Phrase("The same is done for {files} too.", files=shown)

    def _back_to(self, tool: str) -> str:
        state, tools = self._state, original(self._state.tools)
        states = (state.graph, *reversed(state.history.done))
        past = next(past for past in states if tool in {node.tool for node in past.workflow.nodes})
        id = next(id for id in reversed(past.workflow.order()) if past.workflow.node(id).tool == tool)
        self._restore(past, edit.ended_at(past.workflow, tools, id))
        return Phrase("Back to {title}.", title=Phrase(tools[tool].title, "tools"))

    def _restore(self, past: GraphState, workflow: Workflow) -> None:
        if past is not self._state.graph:
            self._tracker.show(workflow)
        self._state.change(**{**vars(past), "workflow": workflow})

    def _use_way(self, index: int) -> str:
        ways = self._state.graph.alternatives
        if len(ways) < 2:
            return Phrase("There is only this one way.")
        self._undo.choose(index)
        title = Phrase.of(ways[index].solution.title)
        return Phrase("Alternative {n} of {count}: {title}.", n=index + 1, count=len(ways), title=title)

    def can_save(self, wanted: edits.SaveAs) -> bool:
        """Whether some result may be saved in that form, as it is or by a tool that only puts it into a file."""
        workflow, tools = self._state.workflow, original(self._state.tools)
        ends = execution_modes.results(workflow, tools)
        forms = (tools[tool].input("format") for id, _ in ends if (tool := workflow.node(id).tool) in tools)
        if any(port is not None and wanted.form in port.choices for port in forms):
            return True
        return any(map(partial(_takes_form, from_tools(tools), wanted.form), self._kinds()))

    def _kinds(self) -> list[ResourceType | None]:
        """The types of the results."""
        workflow, tools = self._state.workflow, original(self._state.tools)
        return [workflow.type_of(*one, tools) for one in execution_modes.results(workflow, tools)]

    @property
    def answers(self) -> bool:
        """Whether the graph only finds something out: what is no file of any form, and no other file is meant by it."""
        return all(kind in _FOUND for kind in self._kinds())

    def _save_as(self, form: str) -> str:
        """By a tool that makes such files where there is one, else when the results are saved."""
        from desktop_app.plan.modes.follow_up_saving import form_port  # here: it loads what reads requests

        state, tools = self._state, original(self._state.tools)
        workflow, specs = state.workflow, from_tools(tools)
        for id, output in execution_modes.results(workflow, tools):
            node = workflow.node(id)
            port = tools[node.tool].input("format") if node.tool in tools else None
            if port is not None and form in port.choices:
                workflow = workflow.with_value(id, "format", form)
                continue
            type = workflow.type_of(id, output, tools)
            found = form_port(specs, str(type), form) if type is not None else None
            if found is not None:
                tool, _, format = found
                x, y = node.position or (0.0, 0.0)
                workflow, new = edit.added_after(workflow, tools, tools[tool], (x + edit.STEP_WIDTH, y), id, output)
                ends = tuple((new, tools[tool].outputs[0].name) if w == (id, output) else w for w in workflow.wanted)
                workflow = replace(workflow.with_value(new, format, form) if format else workflow, wanted=ends)
            elif type is None or f".{form}" not in endings(Resource("x", type, "", ".x")):
                kind = Phrase(type or ResourceType.FILE, "types")
                return Phrase("A result of the type {kind} cannot be saved as {form}.", kind=kind, form=form)
        name = Path(state.graph.saved_as).stem if state.graph.saved_as[:1] != "." else ""
        if workflow == state.workflow:
            state.change(saved_as=f"{name}.{form}")
        else:
            self._change(workflow, saved_as=name)
        return Phrase("The result will be a {form} file.", form=form)


def _takes_form(specs: Sequence[ToolSpec], form: str, type: ResourceType | None) -> bool:
    """True where a thing of that type can be had in that form, by a tool or when it is saved."""
    from desktop_app.plan.modes.follow_up_saving import form_port  # here: it loads what reads requests

    if type is None:
        return True
    return form_port(specs, str(type), form) is not None or f".{form}" in endings(Resource("x", type, "", ".x"))


def _said_of(title: str, name: str, port: Port | None, value: str) -> str:
    """What the input of a step is now; of a question only that, the last one where it has earlier ones above it."""
    if port is not None and port.name == "question":
        return Phrase("{title}: “{value}”", title=title, value=value.splitlines()[-1] if value else "")
    port_name = Phrase(name, "ports", spelled=name.replace("_", " "))
    return Phrase("{title}: {port} is {value} now.", title=title, port=port_name, value=value)


def _shown(value: object, port: Port | None) -> str:
    """A value as it is told: one of the choices, or a colour, by its name in the language of the chat."""
    if isinstance(value, bool):
        return Phrase("yes") if value else Phrase("no")
    if not isinstance(value, str):
        return f"{value:g}" if isinstance(value, int | float) else str(value)
    if port is not None and value in port.choices:
        return Phrase(value, "choices")
    return Phrase(value, "colours") if port is not None and "colour" in port.name else value


def _step(workflow: Workflow, id: str) -> Step:
    """A node as a step: values, and what feeds it."""
    node = workflow.node(id)
    fed: dict[str, list[object]] = {}
    for link in workflow.links_into(id):
        is_file = link.output == RESOURCE_OUTPUT and workflow.resource(link.source) is not None
        source = FromResource(link.source) if is_file else FromNode(link.source, link.output)
        fed.setdefault(link.port, []).append(source)
    linked = {port: tuple(items) if len(items) > 1 else items[0] for port, items in fed.items()}
    return Step(id, node.tool, {**node.values, **linked})
