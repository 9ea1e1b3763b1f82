"""The task list mode: one call; small faults are mended at once, others in one round."""

from __future__ import annotations

import pytest

from desktop_app.plan.types import FOUND, WRITTEN, FromNode, FromResource, Given, HistoryMessage, Request
from tests.llm.world import REQUEST, SAY, SIGN, TOOLS, Told, plan, task, tasks, tools_of
from tests.plan.worlds import faults

GOOD = SAY["task list"][0]


def listed(*items, request: Request = REQUEST):
    """The best solution of a list that needs no second round."""
    model = Told(tasks(*items))
    found = plan(model, "task list", request)
    assert len(model.heard) == 1, model.heard[-1][-1].text
    assert found.mode == "task list"
    assert not faults(found.solutions[0], request, TOOLS)
    return found.solutions[0]


def arguments(solution) -> dict:
    return {step.id: dict(step.arguments) for step in solution.steps}


def test_list_becomes_a_plan_in_one_call():
    found = listed(*GOOD["tasks"])
    assert found.title == "Told so"
    assert found.steps[1].arguments == {"text": FromNode("read_text", "text")}
    assert found.wanted == (("speak", "audio"),)


def test_misspelt_tool_is_taken_for_the_nearest():
    found = listed(task("read-texts", 0, {"image": "sign.png"}), task("Speak", 1, {"text": "<resource>-0"}, 0))
    assert [step.tool for step in found.steps] == ["read_text", "speak"]


def test_clash_of_types_gets_the_converter_that_the_graph_knows():
    request = Request("blur the faces", (SIGN,))
    found = listed(
        task("find_faces", 0, {"image": "sign.png"}),
        task("blur", 1, {"image": "sign.png", "mask": "<resource>-0"}, 0),
        request=request,
    )
    assert arguments(found) == {
        "find_faces": {"image": FromResource("sign.png")},
        "box_mask": {"image": FromResource("sign.png"), "boxes": FromNode("find_faces", "boxes")},
        "blur": {"image": FromResource("sign.png"), "mask": FromNode("box_mask", "mask")},
    }


def test_converters_are_chained_through_a_number():
    found = listed(task("find_faces", 0, {"image": "sign.png"}), task("speak", 1, {"text": "<resource>-0"}, 0))
    assert [step.tool for step in found.steps] == ["find_faces", "count", "number_words", "speak"]


def test_resource_of_another_type_is_converted_too():
    assert [step.tool for step in listed(task("speak", 0, {"text": "sign.png"})).steps] == ["read_text", "speak"]


def test_converter_works_on_the_picture_that_the_step_takes():
    request = Request("blur the faces", (Given("a.png", "image"), Given("b.png", "image")))
    found = listed(
        task("find_faces", 0, {"image": "b.png"}),
        task("blur", 1, {"image": "b.png", "mask": "<resource>-0"}, 0),
        request=request,
    )
    assert arguments(found)["box_mask"]["image"] == FromResource("b.png")


def test_order_that_is_mixed_up_is_put_right():
    found = listed(*reversed(GOOD["tasks"]))
    assert [step.tool for step in found.steps] == ["read_text", "speak"]


def test_input_that_only_one_thing_fits_is_fed():
    found = listed(task("read_text", 0, {}), task("speak", 1, {}, 0))
    assert arguments(found) == {
        "read_text": {"image": FromResource("sign.png")},
        "speak": {"text": FromNode("read_text", "text")},
    }


def test_input_that_two_things_fit_is_asked_for():
    request = Request("read it", (Given("a.png", "image"), Given("b.png", "image")))
    found = listed(task("read_text", 0, {}), request=request)
    assert [(q.step, q.port) for q in found.questions] == [("read_text", "image")]


def test_key_that_names_the_type_means_the_input_of_that_type():
    request = Request("mix them", (Given("a.png", "image"), Given("b.png", "image")))
    found = listed(task("collage", 0, {"image": ["a.png", "b.png"]}), request=request)
    assert found.steps[0].arguments == {"images": (FromResource("a.png"), FromResource("b.png"))}


def test_equal_tasks_become_one_step():
    found = listed(
        task("read_text", 0, {"image": "sign.png"}),
        task("read_text", 1, {"image": "sign.png"}),
        task("speak", 2, {"text": "<resource>-1"}, 1),
    )
    assert [step.tool for step in found.steps] == ["read_text", "speak"]


def test_one_of_several_results_can_be_named():
    found = listed(task("read_text", 0, {"image": "sign.png"}), task("count", 1, {"boxes": "<resource>-0.boxes"}, 0))
    assert found.steps[1].arguments == {"boxes": FromNode("read_text", "boxes")}


def test_clicks_go_to_the_input_that_waits_for_them():
    request = Request("blur this", (Given("a.png", "image", ((3.0, 4.0, True),)),))
    found = listed(
        task("select", 0, {"image": "a.png", "points": [[9, 9]]}),
        task("blur", 1, {"image": "a.png", "mask": "<resource>-0"}, 0),
        request=request,
    )
    assert found.steps[0].arguments["points"] == [[3.0, 4.0, True]]
    assert not found.questions


def test_values_rest_on_the_request():
    request = Request("write 'Open at 9' on it, 32 points high", (SIGN,))
    said = task("add_text", 0, {"image": "sign.png", "text": "Open at 9", "size": "32"})
    assert dict(listed(said, request=request).steps[0].arguments) == {
        "image": FromResource("sign.png"), "text": "Open at 9", "size": 32.0,
    }  # fmt: skip


def test_values_that_nobody_said_are_taken_and_marked():
    request = Request("write something on it", (SIGN,))
    found = listed(
        task("add_text", 0, {"image": "sign.png", "text": "Grand opening on Monday", "size": 77}), request=request
    )
    assert found.steps[0].arguments == {
        "image": FromResource("sign.png"), "text": "Grand opening on Monday", "size": 77,
    }  # fmt: skip
    assert found.origins == {("add_text", "text"): WRITTEN, ("add_text", "size"): WRITTEN} and not found.questions


def test_choices_and_closed_ranges_need_no_words():
    request = Request("blur it strongly", (SIGN,))
    found = listed(task("blur", 0, {"image": "sign.png", "radius": 40}), request=request)
    assert found.steps[0].arguments["radius"] == 40
    found = listed(GOOD["tasks"][0], task("speak", 1, {"text": "<resource>-0", "voice": "LOW"}, 0))
    assert found.steps[1].arguments["voice"] == "low"


MENDED = {
    "unknown tool": tasks(task("levitate", 0, {"image": "sign.png"})),
    "unknown input": tasks(task("read_text", 0, {"picture": "sign.png"})),
    "invented file": tasks(task("read_text", 0, {"image": "other.png"})),
    "tasks no list": {"tasks": {"a": 1}},
    "task no object": {"tasks": ["read_text"]},
    "args no object": tasks(task("read_text", 0, ["sign.png"])),
    "clash without converter": tasks(task("collage", 0, {"images": "hello.wav"})),
    "circle": tasks(task("blur", 0, {"image": "<resource>-1"}, 1), task("blur", 1, {"image": "<resource>-0"}, 0)),
    "itself": tasks(task("blur", 0, {"image": "<resource>-0"}, 0)),
    "unknown reference": tasks(task("blur", 0, {"image": "<resource>-7"}, 7)),
    "out of range": tasks(GOOD["tasks"][0], task("speak", 1, {"text": "<resource>-0", "speed": 900}, 0)),
    "not a choice": tasks(GOOD["tasks"][0], task("speak", 1, {"text": "<resource>-0", "voice": "squeaky"}, 0)),
    "empty list": {"tasks": []},
    "same id twice": tasks(GOOD["tasks"][0], task("speak", 0, {"text": "x"})),
    "too many": tasks(*(task("read_text", n, {"image": "sign.png"}) for n in range(41))),
    "two for one": tasks(task("read_text", 0, {"image": ["sign.png", "sign.png"]})),
    "endless number": '{"tasks": [{"task": "blur", "id": 0, "dep": [], "args": {"radius": 1e999}}]}',
}


@pytest.mark.parametrize("name", MENDED)
def test_wrong_list_is_mended_in_one_round(name):
    model = Told(MENDED[name], GOOD)
    found = plan(model, "task list")
    assert tools_of(found) == ["read_text", "speak"] and found.solutions[0].title == "Told so"
    assert len(model.heard) == 2 and "cannot be used" in model.heard[1][-1].text


@pytest.mark.parametrize("name", MENDED)
def test_list_that_stays_wrong_leaves_the_offline_plan_and_says_so(name):
    model = Told(MENDED[name])
    found = plan(model, "task list")
    assert found.solutions == plan(None).solutions
    assert found.notice.endswith("Planned offline instead.") and len(model.heard) == 2


def test_question_is_asked_when_there_is_no_plan():
    found = plan(Told({"tasks": [], "question": "Which language?"}), "task list", Request("qwertz"))
    assert [q.text for q in found.questions] == ["Which language?"] and not found.solutions


def test_models_question_wins_over_a_draft_and_stands_beside_a_plan():
    found = plan(Told({"tasks": [], "question": "Which language?"}), "task list")
    assert not found.solutions and [q.text for q in found.questions] == ["Which language?"]
    found = plan(Told({**GOOD, "question": "Which language?"}), "task list")
    assert tools_of(found) == ["read_text", "speak"] and [q.text for q in found.questions] == ["Which language?"]


def test_draft_stays_an_alternative():
    found = plan(Told(tasks(task("blur", 0, {"image": "sign.png"}))), "task list")
    assert tools_of(found) == ["blur"] and tools_of(found, 1) == ["read_text", "speak"]


def test_earlier_words_of_the_user_are_the_users_and_those_of_the_program_were_found():
    turns = (HistoryMessage("user", "the text is 'Exit left'"), HistoryMessage("assistant", "I read 'Wet paint' there"))
    request = Request("write it on the picture", (SIGN,), turns)
    for text, origins in (("Exit left", {}), ("Wet paint", {("add_text", "text"): FOUND})):
        said = Told(tasks(task("add_text", 0, {"image": "sign.png", "text": text})))
        found = plan(said, "task list", request).solutions[0]
        assert found.steps[0].arguments["text"] == text and found.origins == origins
