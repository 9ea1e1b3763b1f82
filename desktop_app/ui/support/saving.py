"""In which form, and by which name, a result is saved: so it is called wherever it is shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from desktop_app.export.files import file_name, likely_ending, named_form
from desktop_app.session.view import SessionView
from desktop_app.storage.resources import Resource
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.window_state import WindowState


def sources(session: SessionView, resource: Resource) -> tuple[Resource, ...]:
    """The files that a result was made from, () for what is not known to be made."""
    origin = session.origin(resource)
    return origin.resources if origin is not None else ()


def saved_as(ui: UiContext, resource: Resource) -> str:
    """A name, an ending or both (as `file_name` takes them): what was asked for in words, else the form of what it was
    made from, else that in which such a result was saved last. A file that the user brought keeps its own.
    """
    session = ui.session
    if not resource.made_by:
        return ""
    given = ((*m.resources, *m.told) for m in reversed(session.messages) if m.kind == "answer")
    asked = session.saved_as if resource.name in next(filter(None, given), ()) else ""
    made_from, last = sources(session, resource), WindowState().text(f"form_{resource.type}")
    form = named_form(resource, asked, made_from, ui.path(resource))
    return form or likely_ending(resource, made_from, last)


def ending_of(said: str) -> str:
    """The ending in a name, an ending or both, "" where there is none."""
    return said if said[:1] == "." else Path(said).suffix


def as_saved(ui: UiContext, resource: Resource) -> Resource:
    """The resource by the name that it has as a file, to be shown; the conversation knows it by its own."""
    ending = ending_of(saved_as(ui, resource))
    return replace(resource, name=file_name(resource, ending)) if ending else resource
