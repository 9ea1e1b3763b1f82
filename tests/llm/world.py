"""A small tool set with a tool that reaches the network, replies that plan with it, and models that write them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from desktop_app.llm.chat import ChatMessage, ChatModel
from desktop_app.llm.openai_client import OpenAICompatible
from desktop_app.llm.token_usage import Tally
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.planner import Planner
from desktop_app.plan.types import Given, Plan, PortSpec, Request, ToolSpec

IMAGE, TEXT, AUDIO = PortSpec("image", "image"), PortSpec("text", "text"), PortSpec("audio", "audio")
NUMBER = PortSpec("number", "number")


def optional(name: str, type: str, default: Any = None, **more: Any) -> PortSpec:
    """An input that may stay open."""
    return PortSpec(name, type, required=False, default=default, **more)


RADIUS = optional("radius", "number", 8.0, minimum=0.1, maximum=200, description="strength in pixels")
TOOLS = (
    ToolSpec("read_text", "Read text", "Reads the text in a picture.", (IMAGE,), (TEXT, PortSpec("boxes", "boxes"))),
    ToolSpec(
        "speak", "Speak", "Speaks a text.",
        (TEXT, optional("speed", "number", 150, maximum=400), optional("voice", "text", "", choices=("low", "high"))),
        (AUDIO,), words=("say", "aloud"),
    ),
    ToolSpec(
        "blur", "Blur", "Blurs a picture, or the part under a mask.",
        (IMAGE, optional("mask", "mask"), RADIUS), (IMAGE,),
    ),
    ToolSpec("pixelate", "Pixelate", "Makes a picture blocky.", (IMAGE, optional("mask", "mask")), (IMAGE,)),
    ToolSpec("find_faces", "Find faces", "Finds faces.", (IMAGE,), (PortSpec("boxes", "boxes"),)),
    ToolSpec("box_mask", "Mask from boxes", "Turns boxes into a mask.", (IMAGE, PortSpec("boxes", "boxes")),
             (PortSpec("mask", "mask"),)),
    ToolSpec("count", "Count", "Counts boxes.", (PortSpec("boxes", "boxes"),), (NUMBER,), words=("how many",)),
    ToolSpec("number_words", "Number to text", "Writes a number in words.", (NUMBER,), (TEXT,), quality=1.0),
    ToolSpec("add_text", "Add text", "Writes a text on a picture.",
             (IMAGE, PortSpec("text", "text", "what to write"), optional("size", "number", 20)), (IMAGE,)),
    ToolSpec("select", "Select", "Selects what is clicked on.",
             (IMAGE, PortSpec("points", "points", picked_on="image")), (PortSpec("mask", "mask"),)),
    ToolSpec("collage", "Collage", "Puts pictures side by side.", (PortSpec("images", "image", many=True),), (IMAGE,)),
    ToolSpec("blend", "Blend", "Mixes two pictures.", (IMAGE, PortSpec("other", "image")), (IMAGE,)),
    ToolSpec("short", "Summarise", "Shortens a text.", (TEXT,), (TEXT,), words=("summary",)),
    ToolSpec("fetch_page", "Fetch web page", "Reads a web page.", (PortSpec("url", "url"),), (TEXT,),
             words=("website", "web site"), outside=True),
    ToolSpec("send", "Send by mail", "Sends a text by mail.", (TEXT, PortSpec("to", "text", "the address")), (TEXT,),
             outside=True),
)  # fmt: skip
SIGN = Given("sign.png", "image")
REQUEST = Request("say what it says", (SIGN,))


class Told:
    """A chat model without a server: answers in order, the last again and again, and keeps what it was told."""

    name = "told"

    def __init__(self, *replies: Any) -> None:
        self.replies = [reply if isinstance(reply, str) else json.dumps(reply) for reply in replies]
        self.heard: list[Sequence[ChatMessage]] = []

    async def stream(self, messages, schema=None):
        self.heard.append(messages)
        yield self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


class SmallPlanner(Planner):
    """A planner over TOOLS, which have no declarations to run by."""

    def __init__(self, chat: ChatModel | None, mode: str = "solutions", tools: Sequence[ToolSpec] = TOOLS) -> None:
        super().__init__(lambda: {}, "adaptive", chat, mode)
        self._specs, self._offline = tuple(tools), OfflinePlanner(tools)


def plan(
    chat: ChatModel | str | None,
    mode: str = "solutions",
    request: Request = REQUEST,
    tally: Tally | None = None,
    tools: Sequence[ToolSpec] = TOOLS,
) -> Plan:
    """The plan with a model, or with the scripted server at an address."""
    model = OpenAICompatible(chat, "scripted", seconds=0.5) if isinstance(chat, str) else chat
    return asyncio.run(SmallPlanner(model, mode, tools).plan(request, tally=tally))


def task(tool: str, id: Any, args: dict[str, Any], *dep: int) -> dict[str, Any]:
    """One entry of a task list."""
    return {"task": tool, "id": id, "dep": list(dep) or [-1], "args": args}


def tasks(*items: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A task list."""
    return {"title": "Told so", "tasks": list(items), "question": "", **more}


def subtask(
    id: int, takes: Sequence[tuple[str, str]], returns: str, scores: dict[str, int], *needs: int, says: str = "do it"
) -> dict[str, Any]:
    """One subtask; its result is called <type>-id."""
    return {
        "id": id, "description": says, "dependencies": list(needs),
        "arguments": [{"type": type, "value": value} for type, value in takes],
        "returns": [{"type": returns, "name": f"<{returns}>-{id}"}],
        "tools": [{"id": tool, "score": score} for tool, score in scores.items()],
    }  # fmt: skip


def subtasks(*items: dict[str, Any]) -> dict[str, Any]:
    """A decomposition."""
    return {"subtasks": list(items), "question": ""}


def scores(*given: int, arguments: Sequence[tuple[str, str, Any]] = ()) -> dict[str, Any]:
    """An expert's scores for solutions 1, 2 and so on; `arguments` are (step, port, value) of the first."""
    filled = [{"step": step, "port": port, "value": value} for step, port, value in arguments]
    return {
        "solutions": [
            {"id": n, "score": s, "title": f"Way {n}", "reason": f"because {n}.", "arguments": filled if n == 1 else []}
            for n, s in enumerate(given, 1)
        ]
    }


_SAID = tasks(task("read_text", 0, {"image": "sign.png"}), task("speak", 1, {"text": "<resource>-0"}, 0))
SAY = {
    "task list": [_SAID],
    "solutions": [_SAID],
    "pipeline": [
        subtasks(
            subtask(1, [("image", "sign.png")], "text", {"read_text": 5}),
            subtask(2, [("text", "<text>-1")], "audio", {"speak": 5}, 1),
        ),
        scores(5, 4, 2, 1, 1, 1, 1),
    ],
}
"""Good replies for REQUEST, in order, by mode."""
MODES = tuple(SAY)


def tools_of(found: Plan, place: int = 0) -> list[str]:
    """The tools of a solution in order."""
    return [step.tool for step in found.solutions[place].steps]
