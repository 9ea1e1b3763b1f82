"""What a model takes before it ever ran here is guessed by its size, its kind and the machine; history goes before."""

from __future__ import annotations

import math
from dataclasses import replace

from desktop_app.cli.report import cost_words
from desktop_app.graph.workflow import Node, Workflow
from desktop_app.models import estimates
from desktop_app.models.catalogue import catalogue, find
from desktop_app.models.selection import Facts
from desktop_app.plan.types import Solution
from desktop_app.session.messages import priced
from nodes import load_tools
from tests.conftest import for_each
from tests.fakes import FakeHistory

TOOLS = load_tools().tools
NO_REASON = Solution("", "", 0.0, ())
PLAIN, WITH_GPU = Facts(10**11), Facts(10**11, 10**11)
EVERY = [(tool, way) for tool in TOOLS.values() for way in tool.backends]


def seconds(tool: str, model: str, facts: Facts = PLAIN) -> float:
    way = TOOLS[tool].backend(model)
    assert way is not None
    found = estimates.seconds(way, facts)
    assert found is not None
    return found


@for_each(EVERY, lambda row: f"{row[0].id} {row[1].id}")
def test_every_model_has_a_guess_and_nothing_else_has(row):
    _, way = row
    found = estimates.seconds(way, PLAIN)
    if way.model:
        assert found is not None and math.isfinite(found) and found > 0.01
    else:
        assert found is None, "of what has no model nothing is known, which is not 0"


def test_more_weights_take_longer_and_a_gpu_takes_less():
    assert seconds("speech_to_text", "whisper-tiny") < seconds("speech_to_text", "whisper-large-v3-turbo")
    assert seconds("text_to_image", "sd-1-5", WITH_GPU) < seconds("text_to_image", "sd-1-5") / 10


def test_a_film_takes_many_times_as_long_as_a_picture_with_as_many_weights():
    film, picture = find("wan-2-1-1-3b"), find("z-image-turbo")
    weights = picture.size_bytes / film.size_bytes
    assert seconds("text_to_video", film.id) * weights > 5 * seconds("text_to_image", picture.id)


def test_a_guess_is_told_in_the_unit_that_people_read():
    costs = {"download_bytes": 0, "memory_bytes": 0, "seconds": 1498.3, "rough": True}
    assert cost_words(costs).endswith("roughly 25 min")


def test_a_gpu_that_is_too_small_does_not_count():
    needed = find("sd-1-5").memory_bytes
    slow = seconds("text_to_image", "sd-1-5")
    assert seconds("text_to_image", "sd-1-5", Facts(10**11, needed // 2 - 1)) == slow
    assert seconds("text_to_image", "sd-1-5", Facts(10**11, needed // 2)) < slow


def test_painting_takes_longer_than_naming_with_as_many_weights(monkeypatch):
    way = TOOLS["text_to_image"].backend("sd-1-5")
    model = find("sd-1-5")
    painting = estimates.seconds(way, PLAIN)
    monkeypatch.setattr(
        estimates, "catalogue", lambda: {model.id: replace(model, family="transformers image classification")}
    )
    naming = estimates.seconds(way, PLAIN)
    assert painting is not None and naming is not None and painting > 20 * naming


def test_families_of_the_table_are_families_of_the_catalogue():
    assert set(estimates._PASSES) <= {model.family for model in catalogue().values()}


def test_an_alternative_says_its_guess_is_rough_until_it_has_run(monkeypatch):
    monkeypatch.setattr("desktop_app.session.messages.machine", lambda: PLAIN)
    workflow = Workflow(nodes=(Node("a", "speech_to_text", backend="whisper-tiny"),))
    guessed = priced(NO_REASON, workflow, TOOLS, FakeHistory())
    assert guessed.seconds == seconds("speech_to_text", "whisper-tiny") and guessed.rough
    known = priced(NO_REASON, workflow, TOOLS, FakeHistory(speech_to_text=1.5))
    assert known.seconds == 1.5 and not known.rough
    plain = Workflow(nodes=(Node("a", "change_case"),))
    assert priced(NO_REASON, plain, TOOLS, FakeHistory()).seconds is None


def test_an_alternative_tells_download_and_memory_of_what_it_lacks(own_home, monkeypatch):
    monkeypatch.setattr("desktop_app.run.backends.availability.missing", lambda backend: ())
    workflow = Workflow(nodes=(Node("a", "speech_to_text", backend="whisper-tiny"), Node("b", "change_case")))
    way = priced(NO_REASON, workflow, TOOLS, FakeHistory(speech_to_text=1.0, change_case=1.0))
    model = find("whisper-tiny")
    assert (way.download_bytes, way.memory_bytes, way.seconds) == (model.size_bytes, model.memory_bytes, 2.0)
