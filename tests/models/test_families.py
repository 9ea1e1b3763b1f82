"""A back end is a way to run, a model is data: every model of a tool's family is a back end of the tool."""

from __future__ import annotations

import inspect
import json
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.graph.workflow import Workflow
from desktop_app.models import selection, store
from desktop_app.models.catalogue import Model, catalogue, models_of
from desktop_app.models.selection import Facts, rank
from desktop_app.run.backends.selection import Backends, Fault, SelectedBackend, recipe, shown
from nodes import load_tools
from nodes.api import Backend, DeclarationError, Family, Integer, Port, ResourceType, RunContext, Text, backend_of, tool
from nodes.catalogue import with_models
from nodes.declarations import tool_in

TOOLS = load_tools().tools
WORKFLOWS = Path(__file__).parent.parent / "data" / "workflows"
TEXT = Port("text", ResourceType.TEXT, "a text")
FACTS = {"id": "x", "title": "X", "domain": "text", "description": "X.", "outputs": (TEXT,)}


def model(id: str, family: str = "talkers", task: str = "talk", **more) -> Model:
    known = Model(id, task, id, f"x/{id}", "", ("a.safetensors",), 10, 20, "MIT", "x", 0.5, family=family)
    return replace(known, **more)


def talking(**more) -> Backend:
    def x(text: Text, *, context: RunContext) -> Text:
        """Says whether there is a model."""
        return f"{text} {context.model is not None}"

    declared = tool(inputs=(TEXT,), **(FACTS | {"families": (Family("talkers", "talk"),)} | more))(x)
    return declared.tool


def test_each_model_of_the_family_that_can_do_the_task_is_a_back_end():
    known = {
        "one": model("one"),
        "able": model("able", task="sing", abilities=("talk",)),
        "unable": model("unable", task="sing"),
        "other": model("other", family="singers"),
    }
    found = with_models(talking(), known).backends
    assert [(b.id, b.model, b.title, b.kind) for b in found] == [
        ("one", "one", "one", "model"),
        ("able", "able", "able", "model"),
    ]
    assert {b.declared_id for b in found} == {"talkers"} and len({b.run for b in found}) == 1


def test_a_built_in_way_stays_beside_the_models():
    found = with_models(talking(backend="plain", backend_title="Plain"), {"one": model("one")})
    assert [b.id for b in found.backends] == ["plain", "one"]


def test_what_a_family_needs_besides_counts_for_the_download_and_the_memory():
    known = {
        "base": model("base", family="", size_bytes=100, memory_bytes=500),
        "eye": model("eye", family="", size_bytes=7),
        "one": model("one", needs=("base",)),
    }
    declared = talking(families=(Family("talkers", "talk", needs=("eye",)),))
    (found,) = with_models(declared, known).backends
    assert found.download_bytes == 117 and found.memory_bytes == 20
    assert [each.id for each in models_of(found, known)] == ["eye", "base", "one"]


def test_a_family_without_a_model_says_so():
    lacking = with_models(talking(), {})
    assert [b.id for b in lacking.backends] == ["talkers"]
    (only,) = rank(lacking, Facts(10**12))
    assert not only.fits and "talkers" in only.reason
    fault = Backends().choose(lacking, None)
    assert isinstance(fault, Fault) and "not in the catalogue" in fault.message


def test_families_need_a_context_and_differ():
    def x(text: Text) -> Text:
        return text

    with pytest.raises(DeclarationError, match="context"):
        tool(inputs=(TEXT,), families=(Family("talkers", "talk"),), **FACTS)(x)
    with pytest.raises(DeclarationError, match="differ"):
        talking(families=(Family("talkers", "talk"), Family("talkers", "sing")))


def test_another_way_takes_the_ports_it_needs_and_the_defaults_of_the_tool():
    @tool(inputs=(TEXT, Port("times", ResourceType.NUMBER, "how often", default=2, integer=True)), **FACTS)
    def x(text: Text, times: Integer = 2) -> Text:
        return text * times

    @backend_of(x, id="other", title="Other")
    def other(times: Integer) -> Text:
        return f"{times}"

    run = x.tool.backends[1].run
    assert run(text="a", times=3) == "3" and run(text="a") == "2"
    assert list(inspect.signature(run).parameters) == ["text", "times"]
    with pytest.raises(TypeError):
        run(times=3)


def test_no_file_writes_the_parameters_of_its_tool_twice():
    for tool_ in TOOLS.values():
        declared = tool_in(tool_.backends[0].run.__module__)
        whole = {"context", *(port.name for port in declared.inputs)}
        for way in declared.backends[1:]:
            own = inspect.signature(inspect.unwrap(way.run)).parameters
            same = way.run is declared.backends[0].run
            assert same or all(p.default is inspect.Parameter.empty for p in own.values()), (tool_.id, way.id)
            assert set(own) <= whole


def test_every_declared_family_has_models_and_every_model_with_a_family_a_tool():
    ways = [b for t in TOOLS.values() for b in tool_in(t.backends[0].run.__module__).backends if b.family]
    assert all(any(m.runs(way) for m in catalogue().values()) for way in ways)
    for each in catalogue().values():
        for task in (each.task, *each.abilities) if each.family else ():
            assert any((way.family, way.task) == (each.family, task) for way in ways), (each.id, task)


@pytest.mark.parametrize("path", sorted(WORKFLOWS.glob("*.json")), ids=lambda path: path.stem)
def test_workflows_saved_before_find_their_back_ends(path):
    workflow = Workflow.from_json(json.loads(path.read_text("utf-8")))
    assert workflow.nodes
    for node in workflow.nodes:
        backend = TOOLS[node.tool].backend(node.backend)
        assert backend is not None and backend.model == node.backend, node
        assert isinstance(Backends().choose(TOOLS[node.tool], node.backend), SelectedBackend | Fault)


def ready(monkeypatch, *ids: str) -> None:
    monkeypatch.setattr(store, "present", lambda model: model.id in ids)
    monkeypatch.setattr("desktop_app.run.backends.availability.missing", lambda backend: ())
    monkeypatch.setattr("desktop_app.run.backends.selection._shown", {})


def test_fast_balanced_and_best_are_ways_to_choose(monkeypatch):
    ready(monkeypatch, "whisper-tiny", "whisper-base")
    hear = TOOLS["speech_to_text"]
    order = {name: [r.backend.id for r in rank(hear, Facts(10**12), name)] for name in selection.PREFERENCES}
    assert order["fast"][0] == "whisper-tiny"
    assert order["balanced"] == [r.backend.id for r in rank(hear, Facts(10**12))]
    assert order["balanced"][0] == "whisper-base"
    assert order["best"][0] not in ("whisper-tiny", "whisper-base")


def test_a_node_may_name_a_preference_in_place_of_a_back_end(monkeypatch):
    ready(monkeypatch, "whisper-tiny", "whisper-base")
    monkeypatch.setattr("desktop_app.run.backends.selection.machine", lambda: Facts(10**12))
    hear = TOOLS["speech_to_text"]
    assert shown(hear, "fast").id == "whisper-tiny" and shown(hear, "balanced").id == "whisper-base"
    assert recipe(hear, "fast") != recipe(hear, "balanced") == recipe(hear, None)
    chosen = Backends().choose(hear, "fast")
    assert isinstance(chosen, SelectedBackend) and chosen.backend.id == "whisper-tiny"


def test_best_asks_for_its_download_rather_than_take_less(monkeypatch, own_home):
    monkeypatch.setattr("desktop_app.run.backends.availability.missing", lambda backend: ())
    monkeypatch.setattr("desktop_app.run.backends.selection.machine", lambda: Facts(10**12))
    hear = TOOLS["speech_to_text"]
    best = max(hear.backends, key=lambda backend: backend.quality)
    fault = Backends().choose(hear, "best")
    assert isinstance(fault, Fault) and fault.model == best.model


def test_no_back_end_has_the_name_of_a_preference():
    assert not {b.id for t in TOOLS.values() for b in t.backends} & {*selection.PREFERENCES}
