"""Which model does a step: chosen for each step from what the catalogue says of the models that can do its task.

After HuggingGPT (Shen et al. 2023, section 3.2): those that run on this machine come first, then the most used; a
language model sees the descriptions of the first few and says which one, and why. Without one the first is taken.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from desktop_app.core.errors import BadReply
from desktop_app.llm.chat import ChatModel
from desktop_app.llm.structured_reply import asked
from desktop_app.models import selection
from desktop_app.models.catalogue import Model, catalogue
from desktop_app.models.selection import Facts
from desktop_app.plan.llm import prompt_context
from desktop_app.plan.llm.grounding import Spoken
from desktop_app.plan.types import Request, Solution
from nodes.api import Backend, Tool
from nodes.phrase import Phrase

TOP = 5
"""Models of a step that the language model is shown (the K of the paper)."""
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "choices": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"step": {"type": "string"}, "id": {"type": "string"}, "reason": {"type": "string"}},
                "required": ["step", "id", "reason"],
            },
        }
    },
    "required": ["choices"],
}


@dataclass(frozen=True)
class Candidate:
    """A way to run a tool; `model` is None for one that needs none. `says` tells how it would run here."""

    backend: Backend
    model: Model | None
    fits: bool
    ready: bool
    says: str

    @property
    def downloads(self) -> int:
        """How often the model is fetched in a month; 0 without one."""
        return self.model.downloads if self.model else 0


def candidates(tool: Tool, facts: Facts) -> list[Candidate]:
    """The ways to run the tool: those that fit this machine first, of these those that need no download, then the
    most used. Services are left out: where data go is not for a plan to decide.
    """
    known = catalogue()
    found = [
        Candidate(backend, known.get(backend.model), fits, selection.on_disk(backend), reason)
        for backend, fits, reason in selection.rank(tool, facts)
        if backend.kind != "endpoint"
    ]
    return sorted(found, key=lambda one: (not one.fits, not one.ready, -one.downloads, -selection.quality(one.backend)))


def by_rule(found: Sequence[Candidate]) -> tuple[str, str]:
    """The back end of the first candidate and the reason, as a sentence."""
    first = found[0]
    name = first.model.title if first.model else Phrase(first.backend.title, "backends")
    fitting = sum(one.fits for one in found)
    if not first.fits:
        why = Phrase("{name}: no model for this fits here as things stand ({says}).", name=name, says=first.says)
        return first.backend.id, why
    says = first.says
    if isinstance(says, Phrase) and says.template == selection.ON_DISK:
        says = Phrase("{where} and is on disk", **says.values)
    if first.downloads:
        says = Phrase("{says}, fetched about {n} times a month", says=says, n=f"{first.downloads:,}")
    among = Phrase("the only one that fits this computer")
    if fitting > 1:
        among = Phrase("the first of {n} that fit this computer", n=fitting)
    return first.backend.id, Phrase("{name}: {among}; it {says}.", name=name, among=among, says=says)


async def with_models(
    solution: Solution,
    request: Request,
    tools: Mapping[str, Tool],
    facts: Facts,
    model: ChatModel | None = None,
    budget: int = prompt_context.HISTORY_TOKENS,
) -> Solution:
    """The solution with a back end and a reason for each step that has a choice. One call for all steps.

    Never fails for the language model's sake: what it does not choose, or chooses badly, is chosen by rule.
    """
    choices = {
        step.id: found
        for step in solution.steps
        if step.tool in tools and len(found := candidates(tools[step.tool], facts)) > 1
    }
    if not choices:
        return solution
    picked = {step: by_rule(found) for step, found in choices.items()}
    if model is not None:
        with contextlib.suppress(BadReply):  # the rule's choice stands, and its reason says that it was the rule
            picked |= await _asked(solution, request, choices, model, budget)
    return replace(
        solution,
        backends={step: backend for step, (backend, _) in picked.items()},
        reasons={step: reason for step, (_, reason) in picked.items()},
    )


async def _asked(
    solution: Solution,
    request: Request,
    choices: Mapping[str, Sequence[Candidate]],
    model: ChatModel,
    budget: int,
) -> dict[str, tuple[str, str]]:
    used = {step.id: step.tool for step in solution.steps}
    steps = [
        {"step": step, "tool": used[step], "models": [_described(one) for one in found[:TOP]]}
        for step, found in choices.items()
    ]
    spoken = Spoken(request)

    def read(data: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
        items = data.get("choices")
        found: dict[str, tuple[str, str]] = {}
        for item in items if isinstance(items, list) else ():
            if not isinstance(item, dict) or item.get("step") not in choices:
                continue
            shown = choices[item["step"]][:TOP]
            one = next((one for one in shown if _name(one) == item.get("id")), None)
            reason = " ".join(str(item.get("reason") or "").split())[:200]
            if one is not None and (one.fits or not shown[0].fits) and not spoken.foreign(reason):
                found[item["step"]] = one.backend.id, reason or by_rule([one])[1]
        if not found:
            raise BadReply("'choices' has to name, for each step, the id of one of its models that fit.", "")
        return found

    messages = prompt_context.messages("models", request, budget, {"steps": steps})
    return await asked(model, messages, SCHEMA, read, "choice of models", listed="choices")


def _name(one: Candidate) -> str:
    return one.model.id if one.model else one.backend.id


def _described(one: Candidate) -> dict[str, Any]:
    described: dict[str, Any] = {"id": _name(one), "title": one.backend.title, "fits": one.fits, "here": one.says}
    if one.model is not None:
        described |= {
            "title": one.model.title,
            "task": one.model.task,
            "description": one.model.note,
            "downloads": one.model.downloads,
            "gigabytes": round(one.model.size_bytes / 1e9, 2),
            "licence": one.model.licence,
        }
    return described | {"quality": selection.quality(one.backend)}
