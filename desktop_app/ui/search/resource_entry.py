"""Files and results as entries of what can be found. Must not know widgets."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_app.graph.workflow import Workflow
from desktop_app.storage.resources import Resource
from desktop_app.ui.search.search_entry import SearchEntry
from desktop_app.ui.support import formatting
from desktop_app.ui.support.formatting import translate
from nodes.api import Tool

_ICONS = {
    "image": "image", "mask": "venetian-mask", "audio": "audio-lines", "video": "film", "text": "file-text",
    "table": "table",
}  # fmt: skip


def icon_of(kind: str) -> str:
    return _ICONS.get(kind, "file")


def entry_of_resource(resource: Resource, workflow: Workflow, tools: Mapping[str, Tool]) -> SearchEntry:
    """The entry of a file or result, by its name: what is worth knowing of it, which node made it. Its group is
    "Results" or "Files".
    """
    kind = str(resource.type)
    known = resource.made_by in workflow.ids()
    source = translate("by {title}").format(title=workflow.title_of(resource.made_by, tools)) if known else ""
    told = " · ".join(part for part in (formatting.facts_of(resource), source) if part)
    return SearchEntry(
        resource.name, resource.name, told or formatting.type_word(kind), icon_of(kind), kind, outputs=(kind,),
        words=(formatting.type_word(kind), kind),
        group=translate("Results") if resource.made_by else translate("Files"),
    )  # fmt: skip
