"""What has to be fetched before a workflow can run, as a question. Must not know how it is fetched."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from desktop_app.core import settings
from desktop_app.core.values import duration, size_of
from desktop_app.graph.workflow import Workflow
from desktop_app.models import catalogue, offers, runtime, store
from desktop_app.models.offers import ModelOffer
from desktop_app.plan.types import Question
from desktop_app.run.backends import availability, selection
from desktop_app.run.backends.selection import Backends, Fault
from desktop_app.session import consent, limits
from nodes.api import Tool
from nodes.phrase import Phrase, joined

KIND = "fetch"
"""The kind of its question, which is about the ids in `resource`, with a space between them, for node `step`."""
STAYS_OFFLINE = Phrase("The program is set to stay offline. Switch that off on the page of models.")
_USUAL_BYTES_PER_SECOND = 5_000_000
"""A line of 40 Mbit/s: what the speed will be nobody knows ahead."""
_MUCH_SECONDS = 1800
GET, WITHOUT, LEAVE = "Get it", "Go on without it", "Do not get it"


@store.one_look()
def offered(
    workflow: Workflow, tools: Mapping[str, Tool], nodes: Collection[str] | None = None
) -> tuple[ModelOffer, tuple[str, ...]]:
    """What the nodes that would run lack, of all or of these, and which nodes lack something."""
    if settings.now().offline:
        return ModelOffer(), ()
    idle, known, found = workflow.idle(), Backends(), dict[str, ModelOffer]()
    for node in workflow.nodes:
        tool = tools.get(node.tool)
        if tool is not None and tool.backends and node.id not in idle and (nodes is None or node.id in nodes):
            offer = known.offer(tool, node.backend, node.values)
            if offer:
                found[node.id] = offer
    return offers.both(found.values()), tuple(found)


@store.one_look()
def question(
    workflow: Workflow,
    tools: Mapping[str, Tool],
    declined: Collection[str] = (),
    nodes: Collection[str] | None = None,
) -> tuple[Question, ...]:
    """At most one, about all that has to be fetched. What was `declined` is asked again only where nothing that is
    wanted can be made without it; then going on without it is no choice. Above the limit of the settings it says so.
    """
    offer, lacking = offered(workflow, tools, nodes)
    if not offer:
        return ()
    useless = _stops_all(workflow, lacking, nodes)
    if set(offer.ids) <= set(declined) and not useless:
        return ()
    if len(offer.ids) == 1:
        text = Phrase("{what} has to be fetched before this can run. Get it?", what=offer.names)
    else:
        text = Phrase("{what} have to be fetched before this can run, {size} in all. Get them?",
                      what=offer.names, size=size_of(offer.size_bytes))  # fmt: skip
    choices = (GET,) if useless else (GET, WITHOUT)
    if limits.is_large(offer.size_bytes):
        note = Phrase("You want to be asked above {size}.", size=offers.size_of(int(settings.now().ask_gb * 1e9)))
        text, choices = joined(text, _long(offer.size_bytes), note), (GET, LEAVE) if useless else choices
    return (Question(text, KIND, choices, lacking[0], resource=" ".join(offer.ids)),)


def _long(size_bytes: int) -> str:
    """How long so large a download takes on a usual line; beyond half an hour, that this is much."""
    seconds = size_bytes / _USUAL_BYTES_PER_SECOND
    rate, time = size_of(_USUAL_BYTES_PER_SECOND), duration(seconds)
    said = Phrase("At {rate} a second this takes about {time}.", rate=rate, time=time)
    much = "That is much for one step: another way above, or going on without it, may serve."
    return joined(said, much if seconds > _MUCH_SECONDS else "")


def hindrance(workflow: Workflow, tools: Mapping[str, Tool]) -> Fault | None:
    """Why the first node that cannot run here cannot, where fetching would not help; None when there is none."""
    return next(iter(_hindered(workflow, tools).values()), None)


def standstill(
    workflow: Workflow, tools: Mapping[str, Tool], nodes: Collection[str] | None = None, made: Collection[str] = ()
) -> Fault | None:
    """The hindrance where nothing that is wanted of all nodes, or of these, could be made; None when some of it could.
    The nodes `made` have their results already.
    """
    found = {id: fault for id, fault in _hindered(workflow, tools).items() if id not in made}
    found = {id: fault for id, fault in found.items() if nodes is None or id in nodes}
    return next(iter(found.values())) if found and _stops_all(workflow, found, nodes) else None


@store.one_look()
def _hindered(workflow: Workflow, tools: Mapping[str, Tool]) -> dict[str, Fault]:
    """Why the nodes that cannot run here cannot, of those for which nothing is offered."""
    idle, known, found = workflow.idle(), Backends(), dict[str, Fault]()
    for node in workflow.nodes:
        tool = tools.get(node.tool)
        if tool is not None and tool.backends and node.id not in idle:
            choice = known.choose(tool, node.backend, node.values)
            lacks = isinstance(choice, Fault) and bool(known.offer(tool, node.backend, node.values))
            if isinstance(choice, Fault) and (settings.now().offline or not lacks):
                found[node.id] = replace(choice, fix=STAYS_OFFLINE) if lacks else choice
    return found


@store.one_look()
def left_out(
    workflow: Workflow,
    tools: Mapping[str, Tool],
    declined: Collection[str],
    nodes: Collection[str] | None = None,
    made: Collection[str] = (),
) -> frozenset[str]:
    """The nodes that would run, all or these, and that lack what was `declined`, with what rests on them. The nodes
    `made` have their results already.
    """
    lacking = [id for id in offered(workflow, tools, nodes)[1] if id not in made]
    lacking = [id for id in lacking if set(offered(workflow, tools, (id,))[0].ids) <= set(declined)]
    return workflow.downstream(*lacking) if lacking else frozenset()


def _stops_all(workflow: Workflow, lacking: Collection[str], nodes: Collection[str] | None) -> bool:
    """True when every last one of the nodes that would run, all or these, rests on one that is `lacking`."""
    idle, after = workflow.idle(), workflow.links_by_source
    running = {id for id in workflow.ids() if id not in idle and (nodes is None or id in nodes)}
    last = {id for id in running if not any(link.target in running for link in after.get(id, ()))}
    return last <= workflow.downstream(*lacking)


def asks_model(workflow: Workflow, tools: Mapping[str, Tool]) -> bool:
    """True when a node can only be done by a language model that is connected."""
    nodes = [(tools[node.tool], node) for node in workflow.nodes if node.tool in tools]
    shown = (selection.shown(tool, node.backend, node.values) for tool, node in nodes if tool.backends)
    return any(map(availability.asks_model, shown))


def is_here(asked: Question) -> bool:
    """True when all that the question is about was fetched."""
    ids = asked.resource.split()
    models = [model for model in map(catalogue.catalogue().get, ids) if model is not None]
    return all(map(store.present, models)) and (runtime.ID not in ids or runtime.ready())


def told(asked: Question) -> bool:
    """True for questions that a run asks by itself, about no port."""
    return asked.kind in (KIND, consent.KIND, limits.KIND)
