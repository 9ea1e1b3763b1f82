"""How much of what a request asked for is there after a run: results are counted by type, not judged by what they show.

What was asked for is what the plan keeps of it: the ends of the best way (`wanted` of its workflow), each with its
type. Every other way, and a way that the user changed, is held against that.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass

from desktop_app.graph import execution_modes
from desktop_app.graph.workflow import Workflow
from desktop_app.run.events.run_record import Run
from desktop_app.session.comparison.outcomes import made_at
from desktop_app.session.comparison.traces import Tools
from nodes.api import ResourceType

Types = tuple[ResourceType, ...]


@dataclass(frozen=True)
class Fulfilment:
    """The types that were asked for, and those of them of which no result is there."""

    asked: Types
    missing: Types = ()

    @property
    def there(self) -> int:
        return len(self.asked) - len(self.missing)


def asked_for(best: Workflow, tools: Tools) -> Types:
    """The types of the results that a plan, of which `best` is the best way, is to end in, in its order.

    Empty when the plan does not say what answers the request, or ends in what no tool here gives.
    """
    types = [best.type_of(*place, tools) for place in best.wanted]
    return () if None in types else tuple(type for type in types if type is not None)


def fulfilment(asked: Types, workflow: Workflow, run: Run, tools: Tools) -> Fulfilment:
    """Which of them the results of a run are; a result counts once, as what it is rather than what it was to be."""
    made = [made_at(run, place) for place in execution_modes.results(workflow, tools)]
    left = [each.values[0].type for each in made if each.state == "done" and each.values]
    # A mask may stand for a picture, but not when a mask was asked for too: first what is of just that type.
    missing = list(asked)
    for fits in (operator.is_, ResourceType.is_a):
        missing = [wanted for wanted in missing if not _taken(left, wanted, fits)]
    return Fulfilment(asked, tuple(missing))


def _taken(left: list[ResourceType], wanted: ResourceType, fits: Callable[[ResourceType, ResourceType], bool]) -> bool:
    """True when there was one, which is no longer in `left` then."""
    found = next((type for type in left if fits(type, wanted)), None)
    if found is not None:
        left.remove(found)
    return found is not None
