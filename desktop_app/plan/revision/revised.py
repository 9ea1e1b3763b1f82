"""All that a finished plan is set right by, one after the other."""

from __future__ import annotations

from desktop_app.plan.ranking.explanations import as_shown
from desktop_app.plan.revision.afterthoughts import with_afterthoughts
from desktop_app.plan.revision.all_written import with_all_written
from desktop_app.plan.revision.asked_columns import with_asked_columns
from desktop_app.plan.revision.cleared_colours import with_cleared_colour
from desktop_app.plan.revision.fitting_words import with_fitting_words
from desktop_app.plan.revision.one_number import with_one_number
from desktop_app.plan.revision.own_form import with_own_form
from desktop_app.plan.revision.own_settings import with_own_settings
from desktop_app.plan.revision.said_background import with_said_background
from desktop_app.plan.revision.said_intervals import with_said_intervals
from desktop_app.plan.revision.said_parts import with_said_parts
from desktop_app.plan.revision.said_rows import with_said_rows
from desktop_app.plan.revision.said_sentences import with_said_sentences
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import Plan, Request


def revised(plan: Plan, request: Request, graph: ToolGraph) -> Plan:
    """The plan itself where its words ask for nothing of this."""
    plan = with_said_parts(with_own_settings(plan, graph), request, graph)
    plan = with_afterthoughts(plan, request, graph)
    plan = with_said_background(with_cleared_colour(plan, request, graph), request, graph)
    plan = with_said_intervals(with_said_sentences(plan, request, graph), request, graph)
    plan = with_all_written(plan, request, graph)
    plan = with_fitting_words(with_said_rows(plan, request, graph), request, graph)
    plan = with_own_form(with_one_number(plan, request, graph), request, graph)
    return as_shown(with_asked_columns(plan, request, graph))
