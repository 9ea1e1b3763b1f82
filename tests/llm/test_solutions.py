"""Thoughts-on-Graph with a model: subtasks, the search over them, scored solutions, filled inputs, in two calls."""

from __future__ import annotations

import json

import pytest

from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.ranking.explanations import GUESS
from desktop_app.plan.types import WRITTEN, FromNode, FromResource, Given, Plan, Request
from tests.llm.world import REQUEST, SAY, SIGN, TOOLS, Told, plan, scores, subtask, subtasks, tools_of
from tests.plan.worlds import faults

PICTURE = ("image", "sign.png")
BLUR = Request("blur the faces", (SIGN,))
FACES = subtasks(
    subtask(1, [PICTURE], "boxes", {"find_faces": 5}),
    subtask(2, [PICTURE, ("boxes", "<boxes>-1")], "image", {"blur": 5, "pixelate": 3}, 1),
)


def solved(*replies, request: Request = REQUEST):
    """The plan that two calls give."""
    model = Told(*replies)
    found = plan(model, "pipeline", request)
    assert len(model.heard) == 2, model.heard[1][-1].text
    for solution in found.solutions:
        assert not faults(solution, request, TOOLS)
    return found


def test_subtasks_are_joined_into_one_graph():
    found = solved(*SAY["pipeline"])
    assert found.mode == "pipeline" and not found.notice
    assert tools_of(found) == ["read_text", "speak"]
    assert found.solutions[0].steps[1].arguments == {"text": FromNode("read_text", "text")}
    assert found.solutions[0].wanted == (("speak", "audio"),)
    assert [part.description for part in found.subtasks] == ["do it", "do it"]
    assert found.subtasks[1].dependencies == (0,)


def test_search_puts_the_converter_into_an_input_that_may_stay_open():
    found = solved(FACES, scores(5, 4, 1), request=BLUR)
    assert tools_of(found) == ["find_faces", "box_mask", "blur"]
    assert found.solutions[0].steps[2].arguments["mask"] == FromNode("box_mask", "mask")


def test_part_of_the_picture_is_found_where_its_finder_is_scored():
    one = subtasks(subtask(1, [PICTURE], "image", {"blur": 5, "find_faces": 4}))
    assert tools_of(solved(one, scores(5), request=BLUR)) == ["find_faces", "box_mask", "blur"]


def test_experts_scores_give_the_order_and_drop_what_is_below_three():
    best_second = solved(FACES, scores(3, 5, 2, 2, 2, 2, 2), request=BLUR)
    assert [s.title for s in best_second.solutions] == ["Way 2", "Way 1"]
    assert [s.score for s in best_second.solutions] == [1.0, pytest.approx(0.59)]
    assert best_second.solutions[0].reason == "because 2."
    assert "pixelate" in tools_of(best_second)


def test_best_is_shown_even_when_all_are_poor():
    assert len(solved(FACES, scores(1, 2, 1, 1, 1, 1, 1), request=BLUR).solutions) == 1


@pytest.mark.parametrize(("score", "doubts"), [(5, ()), (2, (GUESS,))])
def test_doubt_is_the_experts_and_not_that_of_the_draft(score, doubts, monkeypatch):
    monkeypatch.setattr(OfflinePlanner, "plan", lambda self, request: Plan((), questions=(GUESS,)))
    assert solved(FACES, scores(*[score] * 7), request=BLUR).questions == doubts


def test_alternatives_differ_in_kind_and_are_five_at_most():
    found = solved(FACES, scores(5, 5, 5, 5, 5, 5, 5), request=BLUR)
    kinds = [frozenset(step.tool for step in s.steps) for s in found.solutions]
    assert len(set(kinds)) == len(kinds) <= 5
    assert len({s.title for s in found.solutions}) == len(kinds)


def test_offline_solutions_are_judged_beside_the_new_ones():
    model = Told(subtasks(subtask(1, [PICTURE], "image", {"blur": 5})), scores(2, 5, 5, 5))
    found = plan(model, "pipeline")
    told = json.loads(model.heard[1][1].text)["data"]["solutions"]
    assert [step["step"] for step in told[1]["steps"]] == ["read_text", "speak"]
    assert tools_of(found) == ["read_text", "speak"]


def test_tool_that_the_model_scored_low_is_not_taken():
    other = subtasks(subtask(1, [PICTURE], "image", {"blur": 1, "pixelate": 5}))
    assert tools_of(solved(other, scores(5), request=BLUR)) == ["pixelate"]


def test_several_things_are_worked_on_one_by_one_or_together():
    two = (Given("a.png", "image"), Given("b.png", "image"))
    takes = [("image", "a.png"), ("image", "b.png")]
    each = solved(subtasks(subtask(1, takes, "image", {"blur": 5})), scores(5), request=Request("blur these", two))
    assert [s.arguments["image"].name for s in each.solutions[0].steps] == ["a.png", "b.png"]
    both = solved(subtasks(subtask(1, takes, "image", {"collage": 5})), scores(5), request=Request("join these", two))
    assert both.solutions[0].steps[0].arguments["images"] == (FromResource("a.png"), FromResource("b.png"))
    mixed = solved(subtasks(subtask(1, takes, "image", {"blend": 5})), scores(5), request=Request("mix these", two))
    assert dict(mixed.solutions[0].steps[0].arguments) == {
        "image": FromResource("a.png"), "other": FromResource("b.png"),
    }  # fmt: skip


WRITE = subtasks(subtask(1, [PICTURE], "image", {"add_text": 5}))


def test_expert_fills_what_types_do_not_settle():
    request = Request("write 'Closed' on it, 40 high", (SIGN,))
    filled = [("add_text", "text", "Closed"), ("add_text", "size", 40)]
    step = solved(WRITE, scores(5, arguments=filled), request=request).solutions[0].steps[0]
    assert (step.arguments["text"], step.arguments["size"]) == ("Closed", 40)


def test_what_the_expert_writes_is_taken_and_marked():
    request = Request("write something on it", (SIGN,))
    found = solved(WRITE, scores(5, arguments=[("add_text", "text", "Sold out")]), request=request).solutions[0]
    assert found.steps[0].arguments["text"] == "Sold out" and not found.questions
    assert found.origins == {("add_text", "text"): WRITTEN}


@pytest.mark.parametrize("value", ["http://evil.example", {"a": 1}, ["x", "y"]])
def test_what_the_expert_may_not_write_goes_back_once_and_is_asked_for(value):
    request = Request("write something on it", (SIGN,))
    model = Told(WRITE, scores(5, arguments=[("add_text", "text", value)]))
    found = plan(model, "pipeline", request).solutions[0]
    assert "'text' of add_text" in model.heard[2][-1].text and len(model.heard) == 3
    assert "text" not in found.steps[0].arguments
    assert [(q.step, q.port) for q in found.questions] == [("add_text", "text")]


def test_expert_does_not_change_what_is_fed():
    filled = [("speak", "text", "say what it says"), ("read_text", "image", "sign.png")]
    found = solved(SAY["pipeline"][0], scores(5, arguments=filled))
    assert found.solutions[0].steps[1].arguments == {"text": FromNode("read_text", "text")}


def test_value_for_a_step_that_is_not_there_goes_back():
    model = Told(SAY["pipeline"][0], scores(5, arguments=[("nobody", "text", "x")]), scores(5))
    assert tools_of(plan(model, "pipeline")) == ["read_text", "speak"]
    assert "There is no step 'nobody'" in model.heard[2][-1].text


MENDED = {
    "no list": {"subtasks": "read it"},
    "empty": {"subtasks": []},
    "no description": subtasks(subtask(1, [PICTURE], "text", {}, says=" ")),
    "unknown type": subtasks(subtask(1, [PICTURE], "smell", {})),
    "returns nothing": {"subtasks": [{**subtask(1, [PICTURE], "text", {}), "returns": []}]},
    "invented file": subtasks(subtask(1, [("image", "other.png")], "text", {"read_text": 5})),
    "unknown result": subtasks(subtask(1, [("text", "<text>-9")], "audio", {"speak": 5})),
    "circle": subtasks(subtask(1, [PICTURE], "text", {}, 2), subtask(2, [PICTURE], "text", {}, 1)),
    "unknown dependency": subtasks(subtask(1, [PICTURE], "text", {}, 5)),
    "same id twice": subtasks(*[subtask(1, [PICTURE], "text", {})] * 2),
    "no way": subtasks(subtask(1, [PICTURE], "html", {})),
    "foreign address": subtasks(subtask(1, [("url", "http://evil.example/x")], "text", {"fetch_page": 5})),
    "too many": subtasks(*(subtask(n, [PICTURE], "text", {}) for n in range(13))),
}


@pytest.mark.parametrize("name", MENDED)
def test_wrong_subtasks_are_mended_in_one_round(name):
    model = Told(MENDED[name], *SAY["pipeline"])
    found = plan(model, "pipeline")
    assert tools_of(found) == ["read_text", "speak"] and found.mode == "pipeline"
    assert len(model.heard) == 3 and "cannot be used" in model.heard[1][-1].text


@pytest.mark.parametrize("name", MENDED)
def test_subtasks_that_stay_wrong_leave_the_offline_plan_and_say_so(name):
    found = plan(Told(MENDED[name]), "pipeline")
    assert found.solutions == plan(None).solutions
    assert found.notice.endswith("Planned offline instead.")


@pytest.mark.parametrize("reply", ["no", {"solutions": []}, {"solutions": [{"id": 9, "score": 5}]}, {"solutions": 3}])
def test_without_scores_the_order_of_the_search_stands_and_the_plan_says_so(reply):
    found = plan(Told(SAY["pipeline"][0], reply), "pipeline")
    assert tools_of(found) == ["read_text", "speak"] and found.mode == "pipeline"
    assert "order in which they were found" in found.notice


def test_without_the_expert_the_rules_read_the_settings():
    request = Request("blur it with a radius of 12 pixels", (SIGN,))
    found = plan(Told(subtasks(subtask(1, [PICTURE], "image", {"blur": 5})), "no"), "pipeline", request)
    assert found.solutions[0].steps[0].arguments["radius"] == 12


def test_model_is_told_types_and_tools_and_quotes_data():
    model = Told(*SAY["pipeline"])
    plan(model, "pipeline")
    system, user = model.heard[0]
    assert "- read_text(image: image)" in system.text and "boxes" in system.text
    told = json.loads(user.text)
    assert told["request"] == REQUEST.text
    assert told["data"]["resources"] == [{"name": "sign.png", "type": "image"}]
