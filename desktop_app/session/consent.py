"""What the user has to agree to before a run: tools that reach outside, files outside a workflow's folder.

Agreement holds for one tool in one conversation. An address that the user typed needs none. Must not know how it is
asked, nor what runs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from desktop_app.core.errors import BadRequest
from desktop_app.core.settings import ENDPOINTS
from desktop_app.graph.workflow import Node, Workflow
from desktop_app.plan.types import Question
from desktop_app.run.backends import availability, selection
from nodes.api import ResourceType, Tool
from nodes.phrase import Phrase, joined

KIND = "consent"
FILES = "consent to files"
"""The kinds of questions. The first is about the tool of node `step`, the second about the workflow at `resource`."""
ALLOW, ALWAYS, REFUSE = "Allow in this conversation", "Always allow this tool", "Do not allow"
_SERVICES = {service: f"service: {service}" for service in ENDPOINTS}
CONNECTED = ("connected model", "connected model: pictures", *_SERVICES.values())
"""Agreement to let the connected language model work on words, and on pictures, whichever tool it is for; and each of
the services that the settings name.
"""
READ, LEAVE = "Read these files", "Do not open it"
_REST = r"[^\s\"'<>“”‘’「」（）。，；、]*"
_ADDRESS = re.compile(rf"https?://{_REST}|[a-z0-9-]+(?:\.[a-z0-9-]+)+{_REST}", re.IGNORECASE)
_END = ".,;:!?)]}'\""


@dataclass(frozen=True)
class Consent:
    """What the user agreed to in a conversation.

    `source` names the file from someone else that was opened in it, "" when none was. `tools` were allowed in it,
    `always` are allowed by the settings; these do not count for what came from someone else. `typed` are the addresses
    that the user wrote. Runs of up to so many `seconds` are no longer asked about.
    """

    source: str = ""
    tools: frozenset[str] = frozenset()
    always: frozenset[str] = frozenset()
    typed: frozenset[str] = frozenset()
    seconds: float = 0.0

    def has(self, key: str) -> bool:
        return key in self.tools or (key in self.always and not self.source)

    def allows(self, node: Node, tool: Tool, linked: Collection[tuple[str, str]]) -> bool:
        """True when the node may run. `linked` are the (node, port) pairs at which links end."""
        if not reaches(tool, node.backend, node.values):
            return True
        key = key_of(tool, node.backend, node.values)
        if self.has(key):
            return True
        if key in CONNECTED[:2] and not self.source and not any(id == node.id for id, _ in linked):
            return True  # it is told only words that the user has written, as those of the request
        ports = [port.name for port in tool.inputs if port.type is ResourceType.URL]
        return bool(ports) and all(
            (node.id, port) not in linked and _plain(node.values.get(port)) in self.typed for port in ports
        )


def reaches(tool: Tool, backend: str | None = None, values: selection.Values = None) -> bool:
    """True for a tool that looks at or changes something outside: the network, the disk, another computer."""
    chosen = selection.shown(tool, backend, values)
    if availability.service_of(chosen):
        model = availability.asked(chosen)  # none gets nothing, and one on this computer sends nothing anywhere
        return tool.outside or (model is not None and bool(model.place))
    return tool.outside or bool(tool.side_effects) or chosen.device == "network" or chosen.kind == "endpoint"


def key_of(tool: Tool, backend: str | None = None, values: selection.Values = None) -> str:
    """What agreement is kept under: the tool, or for all tools together the model that does their work."""
    chosen = selection.shown(tool, backend, values)
    if chosen.kind != "endpoint" or tool.outside:
        return tool.id
    service = availability.service_of(chosen)
    return _SERVICES.get(service) or CONNECTED[any(name == "service:vision" for name in chosen.requires)]


def addresses(texts: Iterable[str]) -> frozenset[str]:
    """The web addresses in what the user wrote, in the form in which they are compared."""
    return frozenset(_plain(match[0].rstrip(_END)) for text in texts for match in _ADDRESS.finditer(text))


def questions(
    workflow: Workflow, tools: Mapping[str, Tool], consent: Consent, nodes: Collection[str] | None = None
) -> tuple[Question, ...]:
    """One question for each tool that reaches outside and is not allowed to yet; of all nodes, or of these."""
    idle = workflow.idle()
    linked = {(link.target, link.port) for link in workflow.links}
    found: dict[str, Question] = {}
    for node in workflow.nodes:
        tool = tools.get(node.tool)
        if tool is None or node.id in idle or (nodes is not None and node.id not in nodes):
            continue
        if not consent.allows(node, tool, linked):
            choices = (ALLOW, REFUSE) if consent.source else (ALLOW, ALWAYS, REFUSE)
            key = key_of(tool, node.backend, node.values)
            found.setdefault(key, Question(_asked(node, tool, consent), KIND, choices, node.id))
    return tuple(found.values())


def check(workflow: Workflow, upto: str | Collection[str] | None, tools: Mapping[str, Tool], consent: Consent) -> None:
    """Raises BadRequest when a tool that would run for `upto` reaches outside and is not allowed to."""
    asked = questions(workflow, tools, consent, needed(workflow, upto))
    if asked:
        raise BadRequest(joined(*(question.text for question in asked)), "Run it, and answer the question.")


def needed(workflow: Workflow, upto: str | Collection[str] | None) -> Collection[str] | None:
    """The nodes that run for `upto`: these with all that they need; None for all."""
    if upto is None:
        return None
    return workflow.upstream(*((upto,) if isinstance(upto, str) else upto))


def files_question(file: str, shown: str, path: str) -> Question:
    """Asks whether the workflow `file`, which lies at `path`, may have the files `shown` outside its folder."""
    text = Phrase("{file} wants files outside its folder: {files}. Read them?", file=file, files=shown)
    return Question(text, FILES, (READ, LEAVE), resource=path)


def _asked(node: Node, tool: Tool, consent: Consent) -> str:
    ports = [port.name for port in tool.inputs if port.type is ResourceType.URL]
    given = [str(node.values[port])[:120] for port in ports if node.values.get(port)]
    chosen = selection.shown(tool, node.backend, node.values)
    model = availability.asked(chosen)
    if key_of(tool, node.backend, node.values) in CONNECTED and model is not None:
        said = (
            "{title} would send what it works on to the language model {name} at {place}. Allow it?"
            if availability.asks_model(chosen)
            else "{title} would send what it works on to {name} at {place}. Allow it?"
        )
        text = Phrase(said, title=Phrase(tool.title, "tools"), name=model.name, place=model.place)
    elif given:
        text = Phrase(
            "{title} would contact {address}. Allow it?", title=Phrase(tool.title, "tools"), address=", ".join(given)
        )
    else:
        text = Phrase("{title} reaches outside this computer. Allow it?", title=Phrase(tool.title, "tools"))
    if consent.source:
        note = Phrase("The workflow came with {file}, perhaps from someone else.", file=consent.source)
        text = joined(text, note)
    return text


def _plain(address: object) -> str:
    """The address without what does not matter: scheme http(s), capital letters of the host, a slash at the end."""
    if not isinstance(address, str):
        return ""
    text = re.sub(r"^https?://", "", address.strip(), flags=re.IGNORECASE)
    host, slash, path = text.partition("/")
    return f"{host.lower()}{slash}{path}".rstrip("/")


def agreed_key(question: Question, workflow: Workflow, tools: Mapping[str, Tool]) -> str:
    """What the user agrees to with the question."""
    node = workflow.node(question.step)
    return key_of(tools[node.tool], node.backend, node.values)


def tool_of(question: Question, workflow: Workflow) -> str:
    """The tool that a question is about; "" when its node is gone, or it is about files."""
    node = workflow.find(question.step)
    return node.tool if node is not None else ""
