"""What a card says: its title, state, words and ports, worked out from workflow, run and tools.

Plain values that compare equal when nothing visible changed, so that a progress tick repaints one card.
Must not know how cards are painted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from desktop_app.core.errors import BadWorkflow
from desktop_app.core.values import several
from desktop_app.graph import execution_modes
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Gap, Node, Workflow
from desktop_app.i18n import catalogue
from desktop_app.models import downloads
from desktop_app.models.downloads import Download
from desktop_app.models.offers import ModelOffer
from desktop_app.plan.types import Question
from desktop_app.run.backends import selection
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session import limits
from desktop_app.session.answering.made_words import told_values
from desktop_app.storage.resources import Resource
from desktop_app.ui.support import costs, formatting, time_left
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import theme
from nodes.api import Port, ResourceType, Tool

PICTURES = frozenset({"image", "mask", "map", "segmentation", "video"})
_VALUE_TYPES = frozenset({ResourceType.NUMBER, ResourceType.FLAG})
_LETTERED = frozenset({ResourceType.TEXT, ResourceType.URL, ResourceType.HTML})
_SKIPPED = {
    execution_modes.MUTED: "Skipped because\n{cause} is muted.",
    execution_modes.BYPASSED: "Skipped because {cause} is bypassed and has nothing of this type to pass on.",
}
_UNFINISHED = ("waiting", "queued", "running")
_LONG_SECONDS = 10.0


@dataclass(frozen=True)
class PortFace:
    """A port on a card. `label` is for the eye, `name` is the tool's; `type` is a ResourceType or "any"."""

    name: str
    label: str
    type: str
    many: bool
    joined: bool
    doc: str = ""


@dataclass(frozen=True)
class CardModel:
    """All that a card shows. `state` is one of tokens.glyph_by_state, "idle" before any run, "" for a resource.

    `headline` and `text` stand in the result area while there is no `result` (or it is not readable as such); `said`
    are the values that the step was given. `preview` is the file of a step preview. `notice` is what one should know
    of a result: another back end made it, or some items failed. `picks` names the port that a click on the card asks
    points for; with `fetch` a click gets what the node lacks, or asks whether that, or a run that takes long, is
    wanted.
    """

    id: str
    title: str
    icon: str
    type: str
    state: str
    inputs: tuple[PortFace, ...]
    outputs: tuple[PortFace, ...]
    said: str = ""
    left: str = ""
    word: str = ""
    headline: str = ""
    text: str = ""
    fraction: float = 0.0
    note: str = ""
    preview: str = ""
    result: Resource | None = None
    under: Resource | None = None
    more: int = 0
    notice: str = ""
    picks: str = ""
    fetch: bool = False
    is_resource: bool = False

    @property
    def tall(self) -> bool:
        """True when the result area is as high as a picture needs."""
        return theme.base_type(self.type) in PICTURES

    @property
    def accessible(self) -> str:
        """The card in words: "Watercolour, running, 58 %"."""
        state = self.word if self.state != "running" else f"{self.word}, {self.fraction:.0%}"
        parts = [part for part in (self.title, self.said, state, self.notice.rstrip(".。")) if part]
        return ", ".join(parts)


class CardModels:
    """The faces of one workflow's cards, with what is looked up for each of them worked out once."""

    def __init__(self, workflow: Workflow, tools: Mapping[str, Tool]) -> None:
        self.workflow = workflow
        self.tools = tools
        self._nodes = workflow.nodes_by_id
        self._idle: dict[tuple[str, str], CardModel] = {}
        self._passed = _passed(workflow, tools)
        self.going: Mapping[str, Download] = {}
        """What is being fetched."""
        self.asked: Question | None = None
        """Whether a run that takes long is wanted; said on the card of the node that takes longest."""
        self._gaps: dict[str, Gap] = {}
        for gap in workflow.missing(tools):
            self._gaps.setdefault(gap.node, gap)

    def all(self, run: Run, now: float = 0.0) -> dict[str, CardModel]:
        """Every face, by resource name and node id. `now` in seconds since the epoch."""
        faces = {r.name: _resource_face(r, r.name in self.workflow.links_by_source) for r in self.workflow.resources}
        return faces | {id: self.of_node(id, run, now) for id in self._nodes}

    def targets(self, id: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(link.target for link in self.workflow.links_by_source.get(id, ())))

    def of_node(self, id: str, run: Run, now: float = 0.0) -> CardModel:
        """The face of one node. Raises KeyError for an unknown id."""
        node = self._nodes[id]
        tool = self.tools.get(node.tool)
        if tool is None:
            return self._missing(node)
        record = run.nodes.get(id)
        return replace(
            self._before_any_run(node, tool),
            left=where(node, tool, record),
            **self._state(node, tool, record, run, now),
        )

    def _before_any_run(self, node: Node, tool: Tool) -> CardModel:
        """What no run changes, worked out once: a tick of a step's progress comes a thousand times a second."""
        key = node.id, catalogue.language()
        if key not in self._idle:
            outputs = {link.output for link in self.workflow.links_by_source.get(node.id, ())}
            self._idle[key] = CardModel(
                node.id, node.title or tool.title, tool.icon or "box", self.workflow.kind_of(node.id, self.tools),
                "idle", self._inputs(node, tool), tuple(_port_face(p, p.name in outputs) for p in tool.outputs),
                said=told_values(tool, node),
            )  # fmt: skip
        return self._idle[key]

    def _inputs(self, node: Node, tool: Tool) -> tuple[PortFace, ...]:
        linked = {link.port for link in self.workflow.links_by_target.get(node.id, ())}
        shown = (p for p in tool.inputs if p.name in linked or _stands(p, node))
        return tuple(_port_face(p, p.name in linked or p.name in node.values) for p in shown)

    def _missing(self, node: Node) -> CardModel:
        inputs = dict.fromkeys(link.port for link in self.workflow.links_by_target.get(node.id, ()))
        outputs = dict.fromkeys(link.output for link in self.workflow.links_by_source.get(node.id, ()))
        return CardModel(
            node.id, node.title or _label(node.tool.rpartition(".")[2]).capitalize(), "box-select", "any", "missing",
            tuple(PortFace(name, _label(name), "any", False, True) for name in inputs),
            tuple(PortFace(name, _label(name), "any", False, True) for name in outputs),
            left=node.tool, word=translate("Missing"),
            text=translate("This tool is missing.\nLinks and values are kept."),
        )  # fmt: skip

    def _state(self, node: Node, tool: Tool, record: NodeRun | None, run: Run, now: float) -> dict[str, Any]:
        if node.mode:
            return self._switched_off(node)
        state = record.state if record else "idle"
        gap = self._gaps.get(node.id)
        if gap is not None and state in ("idle", "waiting", "queued", "skipped", "cancelled", "outdated"):
            return _asking(gap)
        if state in ("idle", "cancelled") or (record is not None and state == "failed" and record.model):
            offer = selection.lacking(tool, node.backend, node.values)
            if offer:
                return _lacking(offer, self.going)
        asked = self.asked
        if asked is not None and asked.step == node.id and state not in ("waiting", "queued", "running", "done"):
            text = f"{formatting.said(asked.text)}\n{translate('Click here to decide.')}"
            return {"state": "input", "word": translate("Takes long"), "fetch": True, "text": text}
        if record is None:
            return {"word": translate("Not run"), "text": tool.description}
        if state == "waiting" and run.outcome and record.port:
            return _to_point(record.port)
        if state in ("waiting", "queued"):
            return {"state": "waiting", "word": translate("Waiting"), "text": self._waits_for(node.id, run)}
        if state == "running":
            return _running(record, run, now)
        if state == "done":
            return self._done(record, tool, node.id)
        if state == "outdated":
            return self._outdated(record, tool, node.id)
        if state == "failed":
            return _failed(record)
        if state == "cancelled":
            return {"state": "cancelled", "word": translate("Stopped"), "text": translate("You stopped this.")}
        return {"state": "skipped", "word": translate("Skipped"), "text": self._skipped(record, run)}

    def _switched_off(self, node: Node) -> dict[str, Any]:
        if node.mode == "mute":
            text = translate("Muted: this and what\ndepends on it is not run.")
            return {"state": "muted", "word": translate("Muted"), "text": text}
        passed = {output: p for (id, output), p in self._passed.items() if id == node.id and not p.blocker}
        if passed:
            text = translate("Bypassed: the {what}\ngoes through unchanged.").format(what=_label(next(iter(passed))))
        else:
            text = translate("Bypassed. No input fits its output, so what follows is skipped.")
        return {"state": "bypassed", "word": translate("Bypassed"), "text": text}

    def _waits_for(self, id: str, run: Run) -> str:
        for link in self.workflow.links_by_target.get(id, ()):
            record = run.nodes.get(link.source)
            if record is not None and record.state in _UNFINISHED:
                return translate("Waits for {title}.").format(title=self.workflow.title_of(link.source, self.tools))
        return translate("Waits for a free place to run.")

    def _skipped(self, record: NodeRun, run: Run) -> str:
        if not record.because:
            return translate("Skipped.")
        if record.cause in _SKIPPED:
            return translate(_SKIPPED[record.cause]).format(cause=self.workflow.title_of(record.because, self.tools))
        because = run.nodes.get(record.because)
        stopped = because is not None and because.state == "cancelled"
        text = "Skipped because\n{cause} was stopped." if stopped else "Skipped because\n{cause} failed."
        return translate(text).format(cause=self.workflow.title_of(record.because, self.tools))

    def _done(self, record: NodeRun, tool: Tool, id: str) -> dict[str, Any]:
        value = record.outputs.get(tool.outputs[0].name) if tool.outputs else None
        made = several(value)
        result = made[0] if made else None
        return {
            "state": "cached" if record.cached else "done",
            "word": _done_word(record),
            "notice": formatting.said(record.notice),
            "result": result,
            "under": self._picture_under(result, id),
            "more": max(0, len(made) - 1),
            "text": "" if made else translate("Nothing came out."),
            "fraction": 1.0,
        }

    def _outdated(self, record: NodeRun, tool: Tool, id: str) -> dict[str, Any]:
        text = translate("Changed since it ran.\nRun it again.")
        return self._done(record, tool, id) | {
            "state": "outdated", "word": translate("Out of date"), "notice": "", "text": text,
        }  # fmt: skip

    def _picture_under(self, result: Resource | None, id: str) -> Resource | None:
        """The user's picture that a mask is laid over, when the mask was made from one directly."""
        if result is None or result.type is not ResourceType.MASK:
            return None
        sources = (self.workflow.resource(link.source) for link in self.workflow.links_by_target.get(id, ()))
        return next((r for r in sources if r is not None and r.type is ResourceType.IMAGE), None)


def _passed(workflow: Workflow, tools: Mapping[str, Tool]) -> Mapping[tuple[str, str], execution_modes.Passed]:
    """What leaves the bypassed nodes, by (node, output)."""
    try:
        return execution_modes.runnable(workflow, tools).passed
    except BadWorkflow:  # a circle, which is told where it can be mended
        return {}


def _resource_face(resource: Resource, joined: bool) -> CardModel:
    kind = str(resource.type)
    out = PortFace(RESOURCE_OUTPUT, _label(kind), kind, False, joined)
    return CardModel(
        resource.name, resource.name, "", kind, "", (), (out,),
        left=formatting.facts_of(resource), result=resource, is_resource=True,
    )  # fmt: skip


def _stands(port: Port, node: Node) -> bool:
    if port.type in _VALUE_TYPES or port.choices or port.advanced:
        return port.required and port.name not in node.values
    if port.type in _LETTERED:
        return port.required and port.name not in node.values
    return True


def _done_word(record: NodeRun) -> str:
    count = formatting.batch(record) if record.failed else ""
    if record.cached:
        return f"{count} · {translate('Done before')}" if count else translate("Done before")
    return f"{count or translate('Done')} · {formatting.duration(record.seconds)}"


def _asking(gap: Gap) -> dict[str, Any]:
    port = gap.port
    word = translate("Needs {port}").format(port=_label(port.name))
    if port.type is ResourceType.BOXES:
        text = translate("Draw a box in the picture.\nClick here to start.")
        return {"state": "input", "word": word, "picks": port.name, "text": text}
    if port.picked_on:
        return _to_point(port.name)
    typed = port.type in _VALUE_TYPES or port.type in _LETTERED or bool(port.choices)
    say = "Needs {what}.\nJoin it or type it in." if typed else "Needs {what}.\nJoin it."
    say = "Needs {what}.\nJoin it or draw it." if port.type is ResourceType.MASK else say
    text = translate(say).format(what=port.doc or _label(port.name))
    return {"state": "input", "word": word, "text": text}


def _to_point(port: str) -> dict[str, Any]:
    word = translate("Needs {port}").format(port=_label(port))
    text = translate("Point at the picture.\nClick here to start.")
    return {"state": "input", "word": word, "picks": port, "text": text}


def _lacking(offer: ModelOffer, going: Mapping[str, Download]) -> dict[str, Any]:
    """What has to be fetched for the node, or how far that is."""
    coming = [going[id] for id in offer.ids if id in going and going[id].state != downloads.DONE]
    now = next((one for one in coming if one.state not in (downloads.WAITING, downloads.PAUSED)), None)
    now = now or next(iter(coming), None)
    if now is None:
        large = limits.is_large(offer.size_bytes)
        text = translate("{what} has to be fetched.\nClick here to decide." if large else
                         "{what} has to be fetched.\nClick here to get it.")  # fmt: skip
        return {"state": "input", "word": translate("Needs a model"), "fetch": True,
                "text": text.format(what=formatting.said(offer.names))}  # fmt: skip
    words = costs.download_words(now)
    if now.state == downloads.PAUSED:
        return {"state": "input", "word": translate("Paused"), "fetch": True,
                "text": f"{words}\n{translate('Click here to go on.')}"}  # fmt: skip
    title = formatting.said(now.title)
    title = f"{title[:1].upper()}{title[1:]}"
    if now.state == downloads.FAILED:  # why, the chat says
        return {"state": "failed", "word": translate("Not fetched"), "fetch": True,
                "text": translate("{what} was not fetched.\nClick here to try again.").format(what=title)}  # fmt: skip
    return {"state": "running", "word": translate("Fetching"), "fetch": True, "fraction": now.fraction,
            "text": f"{title}\n{words}"}  # fmt: skip


def _running(record: NodeRun, run: Run, now: float) -> dict[str, Any]:
    return {
        "state": "running",
        "word": _running_word(record, now - run.time) if now and run.time else translate("Running"),
        "fraction": max(0.0, min(1.0, record.fraction)),
        "note": formatting.said(record.note),
        "preview": record.preview,
        "text": "" if record.preview else formatting.said(record.note) or translate("Working."),
    }


def _running_word(record: NodeRun, now: float) -> str:
    """The percent stands in the header already."""
    left = time_left.of_node(record, now)
    if left is not None:
        return time_left.said(left)
    elapsed = now - record.start
    running = translate("Running")
    return f"{running} · {formatting.duration(elapsed)}" if elapsed >= _LONG_SECONDS else running


def _failed(record: NodeRun) -> dict[str, Any]:
    return {
        "state": "failed",
        "word": translate("Failed"),
        "headline": formatting.first_sentence(formatting.said(record.message)),
        "text": _rest(formatting.said(record.message), formatting.said(record.fix)),
    }


def where(node: Node, tool: Tool, record: NodeRun | None) -> str:
    """What runs the node, and on which lane: `SDXL 1.0 · GPU 0`; before it runs, what would."""
    chosen = (record.backend if record else "") or node.backend or None
    if not tool.backends:
        return ""
    backend = selection.shown(tool, chosen, node.values)
    place = (record.lane if record else "") or costs.place_of(backend)
    return f"{backend.title} · {place}" if place else backend.title


def _port_face(port: Port, joined: bool) -> PortFace:
    return PortFace(port.name, _label(port.name), str(port.type), port.many, joined, port.doc)


def _label(name: str) -> str:
    return catalogue.port(name).strip()


def _rest(message: str, fix: str) -> str:
    rest = message.strip()[len(formatting.first_sentence(message)) :].lstrip(".: \n。：")
    return " ".join(part for part in (rest[:1].upper() + rest[1:], fix) if part)
