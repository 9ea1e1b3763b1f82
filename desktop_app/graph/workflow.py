"""Workflow: an immutable graph of resources, nodes and links. What is missing, in which order, to and from JSON.

Must not know how it was planned, how it is run, or how it is drawn.
"""

from __future__ import annotations

import re
import uuid
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from desktop_app.core import checked_json as checked
from desktop_app.core.errors import BadWorkflow
from desktop_app.graph import decorations as drawn
from desktop_app.graph.decorations import Decoration, pair
from desktop_app.graph.earlier import renewed
from desktop_app.storage.resources import Resource
from nodes.api import SECRET, Port, ResourceType, Tool
from nodes.phrase import Phrase

FORMAT = 2
"""The newest form that is read: 2 knows batches, resources with "files". Without one a workflow is written as 1."""
RESOURCE_OUTPUT = "value"
DOTS = "••••"
"""Is shown in place of what is secret."""
_LONGEST_SAID = 60
MODES = ("", "bypass", "mute")
ORIGINS = ("written", "found")


@dataclass(frozen=True)
class Node:
    """A tool placed in a workflow. `values` are plain JSON literals by input port (points: [[x, y, include]]).

    `mode` is "", "bypass" (its input goes through unchanged) or "mute" (it is not run); modes.py says what follows.
    `origins` says by port where a value comes from that the user has not said: "written" (by the language model, for
    this purpose) or "found" (in what tools have made). `title` is what the user calls it, "" for the tool's own
    title. Neither changes a result.
    """

    id: str
    tool: str
    values: Mapping[str, Any] = field(default_factory=dict)
    backend: str | None = None
    position: tuple[float, float] | None = None
    mode: str = ""
    origins: Mapping[str, str] = field(default_factory=dict)
    title: str = ""


@dataclass(frozen=True)
class Link:
    """From an output to an input. `source` is a node's id, or a resource's name with output "value"."""

    source: str
    output: str
    target: str
    port: str


@dataclass(frozen=True)
class Gap:
    """A port that nobody filled and that the tool needs. `picked_on` names the resource or node output to point at."""

    node: str
    port: Port


@dataclass(frozen=True)
class Workflow:
    """The graph. Every edit returns a new one, so undo is a list of earlier ones.

    Links into a `many` port keep their order. `wanted` lists the (node, output) pairs that answer the request;
    empty means every output that no link takes. `positions` holds the places of resource cards. `decorations` (notes,
    frames) and `waypoints` (the dots through which a link is drawn, in order) matter to the eye only.
    """

    resources: tuple[Resource, ...] = ()
    nodes: tuple[Node, ...] = ()
    links: tuple[Link, ...] = ()
    wanted: tuple[tuple[str, str], ...] = ()
    positions: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    decorations: tuple[Decoration, ...] = ()
    waypoints: Mapping[Link, tuple[tuple[float, float], ...]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """True where nothing lies on the canvas: no node, no file, no note, no frame."""
        return not (self.nodes or self.resources or self.decorations)

    @cached_property
    def nodes_by_id(self) -> Mapping[str, Node]:
        return {node.id: node for node in self.nodes}

    @cached_property
    def links_by_target(self) -> Mapping[str, Sequence[Link]]:
        """The links that end at each node, in order; nodes without any are left out."""
        return _grouped((link.target, link) for link in self.links)

    @cached_property
    def links_by_source(self) -> Mapping[str, Sequence[Link]]:
        """The links that begin at each card, in order; cards without any are left out."""
        return _grouped((link.source, link) for link in self.links)

    def find(self, id: str) -> Node | None:
        return self.nodes_by_id.get(id)

    def node(self, id: str) -> Node:
        """Raises BadWorkflow when there is none."""
        found = self.find(id)
        if found is None:
            raise BadWorkflow(
                Phrase("The workflow has no node '{id}'.", id=id),
                Phrase("Its nodes: {names}.", names=", ".join(self.ids()) or Phrase("none")),
            )
        return found

    def resource(self, name: str) -> Resource | None:
        return next((resource for resource in self.resources if resource.name == name), None)

    def count(self, name: str) -> int:
        """How many files the resource of that name stands for; 1 for any other card."""
        resource = self._batches.get(name)
        return len(resource.files) if resource else 1

    @cached_property
    def _batches(self) -> Mapping[str, Resource]:
        return {resource.name: resource for resource in self.resources if resource.files}

    def ids(self) -> tuple[str, ...]:
        return tuple(node.id for node in self.nodes)

    def links_into(self, node: str) -> tuple[Link, ...]:
        """Links that end at the node, in order."""
        return tuple(self.links_by_target.get(node, ()))

    @cached_property
    def _places(self) -> Mapping[str | Link, int]:
        parts = (*(resource.name for resource in self.resources), *self.ids(), *self.links)
        return {part: place for place, part in enumerate(parts)}

    def part(self, node: str, output: str) -> Workflow:
        """What has to run for that output of that node, and no more. Asked often of one workflow, each takes as long as
        it is large, however large the whole is.
        """
        needed = self.upstream(node)
        cards = sorted(needed & self._places.keys(), key=self._places.__getitem__)
        links = sorted((link for id in cards for link in self.links_into(id)), key=self._places.__getitem__)
        resources = (self.resources[place] for card in cards if (place := self._places[card]) < len(self.resources))
        return Workflow(
            tuple(resources),
            tuple(self.nodes_by_id[card] for card in cards if card in self.nodes_by_id),
            tuple(links),
            ((node, output),),
            {card: self.positions[card] for card in cards if card in self.positions},
        )

    def with_node(self, node: Node) -> Workflow:
        """Adds the node, or replaces the one of the same id."""
        kept = tuple(node if old.id == node.id else old for old in self.nodes)
        return replace(self, nodes=kept if node.id in self.ids() else (*kept, node))

    def with_resource(self, resource: Resource) -> Workflow:
        """Adds the resource, or replaces the one of the same name."""
        others = tuple(old for old in self.resources if old.name != resource.name)
        return replace(self, resources=(*others, resource))

    def decoration(self, id: str) -> Decoration | None:
        return next((decoration for decoration in self.decorations if decoration.id == id), None)

    def with_decoration(self, decoration: Decoration) -> Workflow:
        """Adds the note or frame, or replaces the one of the same id."""
        known = self.decoration(decoration.id) is not None
        kept = tuple(decoration if old.id == decoration.id else old for old in self.decorations)
        return replace(self, decorations=kept if known else (*kept, decoration))

    def with_waypoints(self, link: Link, places: tuple[tuple[float, float], ...]) -> Workflow:
        """Draws the link through these places, in order; straight for none."""
        others = {other: kept for other, kept in self.waypoints.items() if other != link}
        return replace(self, waypoints={**others, link: places} if places else others)

    def with_link(self, link: Link, many: bool = False) -> Workflow:
        """Adds the link; unless `many`, it takes the place of what fed that port before."""
        kept = tuple(old for old in self.links if many or (old.target, old.port) != (link.target, link.port))
        return replace(self, links=kept if link in kept else (*kept, link))

    def with_value(self, node: str, port: str, value: Any) -> Workflow:
        """Sets a literal, which is the user's own then, or takes it away for None; links into that port go."""
        old = self.node(node)
        origins = {name: origin for name, origin in old.origins.items() if name != port}
        links = tuple(link for link in self.links if (link.target, link.port) != (node, port))
        values = {name: kept for name, kept in old.values.items() if name != port}
        values |= {} if value is None else {port: value}
        return replace(self, links=links).with_node(replace(old, values=values, origins=origins))

    def without(self, *ids: str) -> Workflow:
        """Removes nodes, resources and decorations by id or name, with their links."""
        return replace(
            self,
            resources=tuple(r for r in self.resources if r.name not in ids),
            nodes=tuple(n for n in self.nodes if n.id not in ids),
            links=tuple(k for k in self.links if k.source not in ids and k.target not in ids),
            wanted=tuple(w for w in self.wanted if w[0] not in ids),
            decorations=tuple(d for d in self.decorations if d.id not in ids),
        )

    def without_link(self, link: Link) -> Workflow:
        return replace(self, links=tuple(old for old in self.links if old != link))

    def order(self) -> tuple[str, ...]:
        """Node ids so that each comes after what feeds it. Raises BadWorkflow when there is a circle."""
        return self._order

    @cached_property
    def _order(self) -> tuple[str, ...]:
        ids = self.ids()
        feeds = {id: [] for id in ids}
        waiting = dict.fromkeys(ids, 0)
        for link in self.links:
            if link.source in feeds and link.target in waiting:
                feeds[link.source].append(link.target)
                waiting[link.target] += 1
        ready = deque(id for id in ids if waiting[id] == 0)
        done = []
        while ready:
            id = ready.popleft()
            done.append(id)
            for target in feeds[id]:
                waiting[target] -= 1
                if waiting[target] == 0:
                    ready.append(target)
        if len(done) < len(ids):
            circle = ", ".join(id for id in ids if waiting[id] > 0)
            raise BadWorkflow(
                Phrase("The workflow runs in a circle through {circle}.", circle=circle), "Remove one of the links."
            )
        return tuple(done)

    def missing(self, tools: Mapping[str, Tool]) -> tuple[Gap, ...]:
        """Required ports without link or value, or with fewer files than they need, in the order of the nodes. Unknown
        tools have none, nor have nodes that will not be run: bypassed ones, muted ones and what depends on these.
        """
        idle = self.idle()
        return tuple(
            Gap(node.id, port)
            for node in self.nodes
            if node.tool in tools and node.id not in idle
            for port in tools[node.tool].unfilled(self._given(node, tools[node.tool]))
        )

    def _given(self, node: Node, tool: Tool) -> dict[str, Any]:
        """By input, its value, or the input itself where links feed it."""
        return {**node.values, **{port.name: port for port in tool.inputs if self._is_fed(node.id, port)}}

    def _is_fed(self, node: str, port: Port) -> bool:
        """What a node makes may be several things."""
        links = [link for link in self.links_into(node) if link.port == port.name]
        made = any(link.output != RESOURCE_OUTPUT for link in links)
        return made or sum(self.count(link.source) for link in links) >= port.least

    def downstream(self, *ids: str) -> frozenset[str]:
        """These cards and everything that their results reach."""
        return _reached(ids, lambda id: (link.target for link in self.links_by_source.get(id, ())))

    def upstream(self, *ids: str) -> frozenset[str]:
        """These cards and everything that they need: nodes by id, resources by name."""
        return _reached(ids, lambda id: (link.source for link in self.links_by_target.get(id, ())))

    def idle(self) -> frozenset[str]:
        """Bypassed nodes, muted nodes, and all that depends on the muted ones."""
        muted = self.downstream(*(node.id for node in self.nodes if node.mode == "mute"))
        return muted | {node.id for node in self.nodes if node.mode == "bypass"}

    def doing(self, deed: str, tools: Mapping[str, Tool]) -> frozenset[str]:
        """The nodes whose tools do that, one of api.DOES."""
        return frozenset(node.id for node in self.nodes if node.tool in tools and tools[node.tool].does == deed)

    def results(self, tools: Mapping[str, Tool]) -> tuple[tuple[str, str], ...]:
        """The (node, output) pairs that the user asked for: `wanted`, else every output that no link takes.

        Modes do not count here; modes.results is what a run can give.
        """
        if self.wanted:
            return self.wanted
        return tuple(
            (node.id, port.name)
            for node in self.nodes
            if node.id not in self.links_by_source and node.tool in tools
            for port in tools[node.tool].outputs
        )

    def title_of(self, id: str, tools: Mapping[str, Tool]) -> str:
        """The node's own title, else that of its tool, the tool's id when the tool is missing, else `id` itself."""
        node = self.find(id)
        if node is None:
            return id
        if node.title:
            return node.title
        return tools[node.tool].title if node.tool in tools else node.tool

    def kind_of(self, id: str, tools: Mapping[str, Tool]) -> str:
        """The type of a node's first output, "any" where there is none or the tool is missing."""
        node = self.find(id)
        tool = tools.get(node.tool) if node is not None else None
        return str(tool.outputs[0].type) if tool and tool.outputs else "any"

    def type_of(self, source: str, output: str, tools: Mapping[str, Tool]) -> ResourceType | None:
        """The type that leaves there, or None when resource, tool or output is unknown."""
        resource = self.resource(source)
        if resource is not None:
            return resource.type
        node = self.find(source)
        port = tools[node.tool].output(output) if node and node.tool in tools else None
        return port.type if port else None

    def secrets(self) -> frozenset[str]:
        """What nodes hold that is secret."""
        return frozenset(value for node in self.nodes if isinstance(value := node.values.get(SECRET), str) and value)

    def to_json(self) -> dict[str, Any]:
        """Plain data, with the format version; `from_json` reverses it, but for what is secret: that is not in it, and
        asked for again where it is opened."""
        decorations = {"decorations": [drawn.to_json(d) for d in self.decorations]} if self.decorations else {}
        return {
            "format": FORMAT if any(r.files for r in self.resources) else 1,
            "resources": [
                r.to_json() | {"position": list(self.positions[r.name])} if r.name in self.positions else r.to_json()
                for r in self.resources
            ],
            "nodes": [_node_to_json(node) for node in self.nodes],
            "links": [_link_to_json(link, self.waypoints.get(link, ())) for link in self.links],
            "wanted": [list(place) for place in self.wanted],
            **decorations,
        }

    @staticmethod
    def from_json(data: Any) -> Workflow:
        """Raises BadWorkflow that says where the data is not of the form."""
        if not isinstance(data, dict) or type(data.get("format")) is not int:
            raise BadWorkflow("This is not a Graphwright workflow: it has no 'format'.", "Choose another file.")
        if data["format"] > FORMAT:
            raise BadWorkflow(
                Phrase(
                    "The workflow was saved by a newer Graphwright (format {data}, this one reads {format}).",
                    data=data["format"],
                    format=FORMAT,
                ),
                "Update Graphwright.",
            )
        try:
            resources = checked.items(data, "resources", ())
            links = [(_link_from_json(k), _through(k)) for k in checked.items(data, "links")]
            workflow = Workflow(
                tuple(map(Resource.from_json, resources)),
                tuple(map(_node_from_json, checked.items(data, "nodes"))),
                tuple(link for link, _ in links),
                tuple(map(_wanted_from_json, checked.items(data, "wanted", ()))),
                {r["name"]: pair(r["position"]) for r in resources if r.get("position") is not None},
                tuple(d for d in map(drawn.from_json, checked.items(data, "decorations", ())) if d is not None),
                {link: through for link, through in links if through},
            )
        except ValueError as error:
            raise BadWorkflow(
                Phrase("The workflow file is damaged: {error}.", error=error), "Open another file."
            ) from error
        fault = workflow._broken()
        if fault:
            raise BadWorkflow(Phrase("The workflow file is damaged: {fault}.", fault=fault), "")
        workflow.order()
        return workflow

    @staticmethod
    def salvaged(data: Any, files: Iterable[Resource] = ()) -> tuple[Workflow, int]:
        """What can be read of a workflow whose data is damaged, and how many of its cards and links cannot.

        A file that a link comes from and that is not there is taken from `files`.
        """
        data = data if isinstance(data, dict) else {}
        links = [link for link in _listed(data, "links") if isinstance(link, dict)]
        known = {file.name: file.to_json() for file in files}
        here = {card.get("name") for card in _listed(data, "resources") if isinstance(card, dict)}
        sources = dict.fromkeys(str(link.get("source")) for link in links)
        whole, lost = _with(Workflow(), "resources", [known[name] for name in sources if name in known.keys() - here])
        lost += sum(not isinstance(data.get(section), list) for section in ("nodes", "links"))
        for section in ("resources", "nodes", "links", "wanted", "decorations"):
            whole, more = _with(whole, section, _listed(data, section))
            lost += more
        return whole, lost

    def check(self, tools: Mapping[str, Tool]) -> None:
        """Raises BadWorkflow where the graph does not hold together: a name that stands for two cards, a link from or
        to what is not there, a link that does not fit, a wish for what nothing makes, a circle.

        What tools that are not in `tools` take and give is not looked at.
        """
        fault = self._broken() or self._unfitting(tools)
        if fault:
            raise BadWorkflow(
                Phrase("The graph does not hold together: {fault}.", fault=fault), "Ask for it in other words."
            )
        self.order()

    def _broken(self) -> str:
        """What is wrong with names and links, as a clause; "" for nothing."""
        ids, files = set(self.ids()), {r.name for r in self.resources}
        counted = Counter((*self.ids(), *(r.name for r in self.resources), *(d.id for d in self.decorations)))
        for name, count in counted.items():
            if count > 1:
                return Phrase("'{name}' occurs twice", name=_short(name))
        for link in self.links:
            if (link.source not in ids and link.source not in files) or link.target not in ids:
                said = "a link goes from '{source}' to '{target}', and one of them is not there"
                return Phrase(said, source=_short(link.source), target=_short(link.target))
        lost = next((node for node, _ in self.wanted if node not in ids and node not in files), None)
        if lost is not None:
            return Phrase("it wants a result of '{lost}', which is not there", lost=_short(lost))
        return ""

    def _unfitting(self, tools: Mapping[str, Tool]) -> str:
        """What does not fit the tools, as a clause; "" for nothing."""
        of = {node.id: tools[node.tool] for node in self.nodes if node.tool in tools}
        ids, resources = set(self.ids()), {r.name: r for r in self.resources}
        for link in self.links:
            port = of[link.target].input(link.port) if link.target in of else None
            if link.target in of and port is None:
                return Phrase("'{node}' has no input '{port}'", node=_short(link.target), port=_short(link.port))
            left = of[link.source].output(link.output) if link.source in of else None
            unknown = link.output != RESOURCE_OUTPUT if link.source in resources else link.source in of and left is None
            if unknown:
                return _nothing_leaves(link.source, link.output)
            resource = resources.get(link.source)
            given = resource.type if resource else left.type if left is not None else None
            fits = port is None or given is None or port.takes(given) or (resource and resource.fits(port.type))
            if port is not None and given is not None and not fits:
                ends = {"port": _short(link.port), "node": _short(link.target), "source": _short(link.source)}
                said = "'{port}' of '{node}' takes {wanted}, and '{source}' is {given}"
                return Phrase(said, wanted=Phrase(port.type, "types"), given=Phrase(given, "types"), **ends)
        for node, output in self.wanted:
            if node not in ids or (node in of and of[node].output(output) is None):
                return _nothing_leaves(node, output)
        return ""

    def with_names(self, names: Mapping[str, str]) -> Workflow:
        """With other ids for the nodes, and other names for the resources, that `names` speaks of."""
        if all(old == new for old, new in names.items()):
            return self

        def of(link: Link) -> Link:
            return replace(link, source=names.get(link.source, link.source), target=names.get(link.target, link.target))

        return replace(
            self,
            resources=tuple(replace(r, name=names.get(r.name, r.name)) for r in self.resources),
            nodes=tuple(replace(n, id=names.get(n.id, n.id)) for n in self.nodes),
            links=tuple(map(of, self.links)),
            wanted=tuple((names.get(node, node), output) for node, output in self.wanted),
            positions={names.get(name, name): place for name, place in self.positions.items()},
            waypoints={of(link): places for link, places in self.waypoints.items()},
        )


def _short(name: str) -> str:
    """A name of a file of others as it is said: it may have any length."""
    return name if len(name) <= _LONGEST_SAID else f"{name[:_LONGEST_SAID]}…"


def _nothing_leaves(node: str, output: str) -> str:
    return Phrase("nothing leaves '{node}' at '{output}'", node=_short(node), output=_short(output))


def _listed(data: Mapping[str, Any], section: str) -> list[Any]:
    found = data.get(section)
    return found if isinstance(found, list) else []


def _with(workflow: Workflow, section: str, items: list[Any]) -> tuple[Workflow, int]:
    """With these items in a section of its data, but for those that cannot be read; and how many these are."""
    if not items:
        return workflow, 0
    data = workflow.to_json()
    try:
        return Workflow.from_json({**data, section: [*data.get(section, ()), *items]}), 0
    except (BadWorkflow, AttributeError):
        if len(items) == 1:
            return workflow, 1
    half = len(items) // 2
    workflow, lost = _with(workflow, section, items[:half])
    workflow, more = _with(workflow, section, items[half:])
    return workflow, lost + more


def parse(
    text: str,
    attach: Callable[[str], Resource] | None = None,
    named: Callable[[tuple[str, ...]], None] = lambda paths: None,
) -> Workflow:
    """A workflow from the text of a file. Raises BadWorkflow.

    A resource may be given as {"name", "path"}; `attach` makes the Resource of such a path and may raise BadRequest.
    Before the first of them, `named` is called with all these paths, and may raise too.
    """
    try:
        data = checked.parsed(text)
    except ValueError as error:
        raise BadWorkflow(
            Phrase("The workflow file is damaged: it is not JSON ({error}).", error=error), "Open another file."
        ) from error
    if attach is not None and isinstance(data, dict) and isinstance(data.get("resources"), list):
        named(tuple(r["path"] for r in data["resources"] if _is_path(r)))
        data = {**data, "resources": [_attached(r, attach) for r in data["resources"]]}
    return Workflow.from_json(data)


def _is_path(data: Any) -> bool:
    return isinstance(data, dict) and isinstance(data.get("path"), str) and "digest" not in data


def _attached(data: Any, attach: Callable[[str], Resource]) -> Any:
    if not _is_path(data):
        return data
    found = attach(data["path"]).to_json()
    placed = {"position": data["position"]} if "position" in data else {}
    return {**found, "name": data.get("name", found["name"]), **placed}


def new_id() -> str:
    return uuid.uuid4().hex[:12]


def _grouped(pairs: Iterable[tuple[str, Link]]) -> dict[str, list[Link]]:
    found: dict[str, list[Link]] = {}
    for card, link in pairs:
        found.setdefault(card, []).append(link)
    return found


def _reached(ids: Iterable[str], beside: Callable[[str], Iterable[str]]) -> frozenset[str]:
    """These cards and all to which steps lead that `beside` tells."""
    found = set(ids)
    waiting = list(found)
    while waiting:
        more = set(beside(waiting.pop())) - found
        found |= more
        waiting += more
    return frozenset(found)


def veiled(plain: Any, secrets: Collection[str]) -> Any:
    """The plain data with DOTS where one of the secrets stands in a text, as words of their own."""
    if isinstance(plain, str):
        longest_first = sorted(secrets, key=len, reverse=True)
        return re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", DOTS, plain) if secrets else plain
    if isinstance(plain, Mapping):
        return {name: veiled(one, secrets) for name, one in plain.items()}
    return [veiled(one, secrets) for one in plain] if isinstance(plain, list) else plain


def _node_to_json(node: Node) -> dict[str, Any]:
    values = {port: value for port, value in node.values.items() if port != SECRET}
    data: dict[str, Any] = {"id": node.id, "tool": node.tool, "values": values}
    if node.backend is not None:
        data["backend"] = node.backend
    if node.position is not None:
        data["position"] = list(node.position)
    if node.mode:
        data["mode"] = node.mode
    if node.origins:
        data["origins"] = dict(node.origins)
    if node.title:
        data["title"] = node.title
    return data


def _node_from_json(data: Any) -> Node:
    data = checked.mapping(data, "a node")
    position, mode = data.get("position"), data.get("mode", "")
    values = renewed(checked.mapping(data.get("values", {}), "'values'"))
    origins = checked.mapping(data.get("origins", {}), "'origins'")
    return Node(
        checked.name(data, "id"),
        checked.name(data, "tool"),
        {checked.port(port): value for port, value in values.items()},
        checked.name(data, "backend") if data.get("backend") is not None else None,
        pair(position) if position is not None else None,
        mode if mode in MODES else "",
        {port: origin for port, origin in origins.items() if port in values and origin in ORIGINS},
        title if isinstance(title := data.get("title", ""), str) else "",
    )


def _wanted_from_json(data: Any) -> tuple[str, str]:
    if not isinstance(data, list | tuple) or len(data) != 2 or not all(isinstance(one, str) for one in data):
        raise ValueError("what is wanted should be [node, output]")
    return data[0], checked.port(data[1])


def _link_to_json(link: Link, through: tuple[tuple[float, float], ...]) -> dict[str, Any]:
    data = {"source": link.source, "output": link.output, "target": link.target, "port": link.port}
    return data | {"through": [list(place) for place in through]} if through else data


def _link_from_json(data: Any) -> Link:
    data = checked.mapping(data, "a link")
    source, target = checked.name(data, "source"), checked.name(data, "target")
    return Link(source, checked.port(data.get("output")), target, checked.port(data.get("port")))


def _through(data: Mapping[str, Any]) -> tuple[tuple[float, float], ...]:
    return tuple(map(pair, checked.items(data, "through", ())))
