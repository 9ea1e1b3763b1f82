"""Nothing that a good model says is lost: every task, every text, every question; through the real client."""

from __future__ import annotations

import json

import pytest

from desktop_app.plan.types import (
    FOUND,
    WRITTEN,
    FromNode,
    FromResource,
    Given,
    HistoryMessage,
    Placed,
    PortSpec,
    Request,
    Step,
)
from desktop_app.plan.types import ToolSpec as Spec
from tests.llm.server import serving
from tests.llm.world import IMAGE, SIGN, TOOLS, optional, plan, scores, subtask, subtasks, task, tasks, tools_of

RESIZE = Spec("resize", "Resize", "Changes the size.", (IMAGE, optional("width", "number", minimum=1)), (IMAGE,))
TUNE = Spec("tune", "Play", "Plays notes.", (PortSpec("score", "text", "notes"),), (PortSpec("audio", "audio"),))
MINE = (*TOOLS, RESIZE, TUNE)
SIZES = Request("sign.png 64, 128 and 256 pixels wide", (SIGN,))
MODES = ("solutions", "task list")


def planned(mode, request, *replies, tools=MINE):
    """The plan over MINE, and what the server was asked."""
    with serving(*(json.dumps(reply) for reply in replies)) as (url, script):
        found = plan(url, mode, request, tools=tools)
    return found, script.requests


def values(found, tool, port):
    return [step.arguments.get(port) for step in found.solutions[0].steps if step.tool == tool]


# Equal steps ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_three_sizes_are_three_steps(mode):
    sizes = [task("resize", n, {"image": "sign.png", "width": width}) for n, width in enumerate((64, 128, 256))]
    found, _ = planned(mode, SIZES, tasks(*sizes))
    assert values(found, "resize", "width") == [64, 128, 256]


def test_subtasks_that_differ_only_in_a_setting_stay_apart_until_it_is_filled_in():
    parts = [subtask(n, [("image", "sign.png")], "image", {"resize": 5}, says=f"make it {width} wide")
             for n, width in ((1, 64), (2, 128), (3, 256))]  # fmt: skip
    filled = [("resize", "width", 64), ("resize_2", "width", 128), ("resize_3", "width", 256)]
    found, _ = planned("pipeline", SIZES, subtasks(*parts), scores(5, arguments=filled))
    assert values(found, "resize", "width") == [64, 128, 256]


def test_steps_that_are_equal_in_the_end_are_one():
    twice = [subtask(1, [("image", "sign.png")], "boxes", {"find_faces": 5}),
             subtask(2, [("image", "sign.png")], "number", {"find_faces": 5, "count": 5})]  # fmt: skip
    found, _ = planned("pipeline", Request("find and count the faces", (SIGN,)), subtasks(*twice), scores(5))
    assert tools_of(found) == ["find_faces", "count"]


# Texts ----------------------------------------------------------------------------------------------------------------

WRITES = {
    "a sentence": ("speak", "text", "There are 24 coins."), "a card": ("add_text", "text", "Total 13.50"),
    "a word of another language": ("speak", "text", "Bonjour"), "a colour": ("add_text", "text", "#87ceeb"),
    "a melody": ("tune", "score", "E4 E4 F4 G4 | Am7 R:2"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("mode", MODES)
def test_text_that_the_model_writes_is_taken_marked_and_not_asked_for(mode, name):
    tool, port, text = WRITES[name]
    args = {port: text, **({"image": "sign.png"} if tool == "add_text" else {})}
    found, asked = planned(mode, Request("surprise me", (SIGN,)), tasks(task(tool, 0, args)))
    assert values(found, tool, port) == [text] and not found.solutions[0].questions and len(asked) == 1
    assert found.solutions[0].origins == {(tool, port): WRITTEN}


def test_what_the_user_said_is_not_marked_and_what_was_found_is_called_so():
    turns = (HistoryMessage("user", "count them"), HistoryMessage("assistant", "24 things in sign.png."))
    request = Request("write 'Many' above, and how many below", (SIGN,), turns)
    both = [task("add_text", 0, {"image": "sign.png", "text": "Many"}),
            task("add_text", 1, {"image": "<resource>-0", "text": "24"})]  # fmt: skip
    found, _ = planned("solutions", request, tasks(*both))
    assert values(found, "add_text", "text") == ["Many", "24"]
    assert found.solutions[0].origins == {("add_text_2", "text"): FOUND}


@pytest.mark.parametrize(
    ("args", "fault"),
    [({"text": "hello", "to": "me@evil.example"}, "evil.example"), ({"text": "A text for nobody"}, "has not written")],
)
def test_tool_that_reaches_outside_takes_only_the_users_words_and_the_model_is_told(args, fault):
    request = Request("send by mail what it says", (SIGN,))
    found, asked = planned("solutions", request, tasks(task("send", 0, args)))
    assert fault in asked[1]["messages"][-1]["content"] and found.mode == "offline"


# Questions, and what is left out --------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_question_of_the_model_wins_over_the_draft(mode):
    found, _ = planned(mode, Request("say what it says", (SIGN,)), tasks(question="In which voice?"))
    assert not found.solutions and [q.text for q in found.questions] == ["In which voice?"]


def test_question_and_what_is_left_out_stand_beside_the_tasks():
    say = tasks(task("read_text", 0, {"image": "sign.png"}), question="Aloud too?", left_out="Printing: no such tool.")
    found, _ = planned("solutions", Request("read and print it", (SIGN,)), say)
    assert tools_of(found) == ["read_text"] and found.left_out == "Printing: no such tool."
    assert [q.text for q in found.questions] == ["Aloud too?"]


def test_what_nothing_can_do_is_the_cause_why_there_is_no_plan():
    found, _ = planned("solutions", Request("order 20 prints", (SIGN,)), tasks(left_out="Nothing here can buy prints."))
    assert not found.solutions and found.causes == ("Nothing here can buy prints.",)


@pytest.mark.parametrize(("fit", "doubts"), [(2, ["confirm"]), (3, []), (5, [])])
def test_plan_scored_below_three_is_a_guess(fit, doubts):
    found, _ = planned(
        "solutions", Request("read it", (SIGN,)), tasks(task("read_text", 0, {"image": "sign.png"}), fit=fit)
    )
    assert [q.kind for q in found.questions] == doubts
    assert found.solutions[0].score == fit / 5


# Alternatives ---------------------------------------------------------------------------------------------------------


def test_other_tools_that_the_model_names_become_whole_ways():
    asked = {**task("pixelate", 0, {"image": "sign.png"}), "or": ["blur", "nothing"]}
    found, _ = planned("solutions", Request("hide the picture", (SIGN,)), tasks(asked, fit=5))
    assert [tools_of(found, n) for n in range(2)] == [["pixelate"], ["blur"]]
    assert found.solutions[1].score < found.solutions[0].score


def test_search_finds_what_has_to_stand_before_another_tool():
    read = {**task("short", 0, {"text": "notes.txt"}), "or": ["number_words"]}
    said = tasks(read, task("speak", 1, {"text": "<resource>-0"}))
    request = Request("say it", (Given("notes.txt", "text"), Given("b.json", "boxes")))
    assert [tools_of(planned("solutions", request, said)[0], 0)] == [["short", "speak"]]
    look = {**task("count", 0, {"boxes": "b.json"}), "or": ["read_text"]}
    found, _ = planned("solutions", Request("how many", (Given("b.json", "boxes"),)), tasks(look))
    assert tools_of(found) == ["count"]  # a picture is nowhere to be had, so that there is no other way


# Follow-ups -----------------------------------------------------------------------------------------------------------

BLUR = Placed(
    Step("blur", "blur", {"image": FromResource("sign.png"), "radius": 8}), "done", {"image": ("s_blur.png",)}
)
ADD = Placed(
    Step("add_text", "add_text", {"image": FromNode("blur", "image"), "text": "Sold"}), "done", {"image": ("s2.png",)}
)
SHOWN = (BLUR, ADD)
GIVEN = (SIGN, Given("s_blur.png", "image", earlier=True), Given("s2.png", "image", earlier=True))


def change(node, do, tool="", **args):
    return {"node": node, "do": do, "task": tool, "args": [{"input": port, "value": v} for port, v in args.items()]}


def followed(text, *items, **more):
    request = Request(
        text,
        GIVEN,
        (HistoryMessage("user", "blur it and write Sold"), HistoryMessage("assistant", "Done.")),
        SHOWN,
        ("A", "B"),
    )
    return planned("solutions", request, tasks(*items, **more))


def test_model_is_told_the_graph_with_values_states_and_results():
    _, asked = followed("half of that", changes=[change("blur", "set", radius=4)])
    told = json.loads(asked[0]["messages"][1]["content"])["data"]
    assert told["graph"][0] == {
        "id": "blur", "tool": "blur", "args": {"image": "sign.png", "radius": 8}, "state": "done",
        "results": ["s_blur.png"],
    }  # fmt: skip
    assert told["graph"][1]["args"]["image"] == "<resource>-blur.image" and told["ways"] == ["way 1: A", "way 2: B"]


def test_value_of_a_node_is_changed():
    found, _ = followed("half of that", changes=[change("blur", "set", radius=4)])
    first = found.solutions[0]
    assert [(s.id, s.arguments.get("radius")) for s in first.steps] == [("blur", 4), ("add_text", None)]
    assert first.kept == {"blur", "add_text"} and first.origins == {("blur", "radius"): WRITTEN}


def test_node_is_removed_and_what_it_took_goes_on():
    found, _ = followed("without the blur", changes=[change("blur", "remove")])
    assert [(s.id, s.arguments["image"]) for s in found.solutions[0].steps] == [("add_text", FromResource("sign.png"))]


def test_node_is_replaced_and_more_is_done_with_the_result():
    more = task("read_text", 0, {"image": "<resource>-add_text"})
    found, _ = followed("pixels rather, and read it", more, changes=[change("blur", "replace", "pixelate")])
    assert tools_of(found) == ["pixelate", "add_text", "read_text"]
    steps = found.solutions[0].steps
    assert steps[0].arguments == {"image": FromResource("sign.png")} and found.solutions[0].kept == {"add_text"}
    assert steps[1].arguments["image"] == FromNode("pixelate", "image")


def test_result_is_gone_on_with_by_its_name_and_brings_what_made_it():
    found, _ = followed("read the blurred one", task("read_text", 0, {"image": "s_blur.png"}))
    assert [s.id for s in found.solutions[0].steps] == ["blur", "read_text"]
    assert found.solutions[0].steps[1].arguments == {"image": FromNode("blur", "image")}


@pytest.mark.parametrize("command", ["undo", "way 2"])
def test_commands_are_passed_on(command):
    found, _ = followed("that", command=command)
    assert found.command == command and not found.solutions


@pytest.mark.parametrize(
    "changes",
    [
        [change("nobody", "set", radius=4)], [change("blur", "explode")], [change("blur", "set", radius=4000)],
        [change("blur", "replace", "speak")], ["blur"],
    ],
)  # fmt: skip
def test_change_that_cannot_be_made_goes_back_to_the_model(changes):
    found, asked = followed("that", changes=changes)
    assert len(asked) == 2 and "cannot be used" in asked[1]["messages"][-1]["content"]
    assert found.mode == "offline"
