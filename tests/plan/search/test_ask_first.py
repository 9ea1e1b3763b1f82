"""What has to be asked before a plan can run is put into it as an open input and a question."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from desktop_app.plan.ranking.explanations import GUESS, doubt_of, doubted, guess, is_guess, text_wanted, what_to_do
from desktop_app.plan.ranking.joint_selection import Reading, ToolClause
from desktop_app.plan.ranking.missing_input import Said, facts, habit
from desktop_app.plan.search.ask_first import one_of_each, what_value, which_document, which_file
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, FromResource, Given, Question, Request, Solution, Step
from nodes import load_tools
from nodes.phrase import Phrase

TOOLS = {tool.id: tool for tool in from_tools(load_tools().tools)}
HULLS = (Given("hull_left.jpg", "image"), Given("hull_right.jpg", "image"), Given("notes.txt", "text"))


def solution(*steps: Step) -> Solution:
    return Solution("", "", 0.8, steps)


def test_of_several_files_one_stands_for_all_until_it_is_asked():
    request, alike = one_of_each(Request("tilt it 12 degrees", HULLS))
    assert [given.name for given in request.resources] == ["hull_left.jpg", "notes.txt"]
    assert alike == {"hull_left.jpg": ("hull_left.jpg", "hull_right.jpg")}


def test_the_input_for_one_of_several_files_stays_open_and_offers_them():
    alike = {"hull_left.jpg": ("hull_left.jpg", "hull_right.jpg")}
    steps = (
        Step("rotate", "rotate", {"image": FromResource("hull_left.jpg"), "degrees": 12}),
        Step("border", "border", {"image": FromNode("rotate", "image")}),
    )
    asked = which_file(solution(*steps), alike, TOOLS)
    assert asked.steps[0].arguments == {"degrees": 12} and asked.steps[1] == steps[1]
    (question,) = asked.questions
    assert (question.kind, question.step, question.port) == ("file", "rotate", "image")
    assert question.choices == ("hull_left.jpg", "hull_right.jpg")


@pytest.mark.parametrize(
    "images", [(FromNode("sketch", "image"),), (FromResource("hull_left.jpg"), FromNode("sketch", "image"))]
)
def test_one_of_two_that_is_joined_with_the_other_is_the_first(images):
    sketch = Step("sketch", "pencil_sketch", {"image": FromResource("hull_left.jpg")})
    join = Step("join", "stitch_side_by_side", {"images": images})
    alike = {"hull_left.jpg": ("hull_left.jpg", "hull_right.jpg")}
    found = which_file(solution(sketch, join), alike, TOOLS)
    assert not found.questions and found.steps[0] == sketch
    assert {*found.steps[1].arguments["images"]} == {FromNode("sketch", "image"), FromResource("hull_right.jpg")}


PAPERS = (Given("may.pdf", "file"), Given("june.pdf", "file"))


def test_of_several_documents_it_is_asked_which_one_is_read():
    step = Step("translate", "translate", {"language": "German"})
    open_text = replace(solution(step), questions=(Question("", "file", (), "translate", "text"),))
    asked = which_document(open_text, Request("translate the letter", PAPERS), TOOLS)
    assert [(one.tool, one.arguments.get("text")) for one in asked.steps] == [
        ("read_document", None), ("translate", FromNode("read_document", "text")),
    ]  # fmt: skip
    (question,) = asked.questions
    assert (question.step, question.port, question.choices) == ("read_document", "file", ("may.pdf", "june.pdf"))


@pytest.mark.parametrize("files", [PAPERS[:1], (*PAPERS, Given("a.txt", "text")), ()])
def test_a_text_is_asked_for_where_no_choice_among_documents_is(files):
    open_text = replace(
        solution(Step("translate", "translate", {})), questions=(Question("", "file", (), "translate", "text"),)
    )
    assert which_document(open_text, Request("translate the letter", files), TOOLS) == open_text


def test_no_file_is_asked_for_where_none_is_lacking():
    whole = solution(Step("sharpen", "sharpen", {"image": FromResource("a.jpg")}))
    assert which_file(whole, {}, TOOLS) == whole


@pytest.mark.parametrize(
    ("step", "port"),
    [
        (Step("translate", "translate", {"text": FromResource("a.txt")}), "language"),
        (Step("add_text", "add_text", {"image": FromResource("a.jpg"), "text": "caption"}), "text"),
    ],
)
def test_a_value_that_nobody_said_is_asked_for(step, port):
    asked = what_value(solution(step), TOOLS, ())
    assert [(question.kind, question.port) for question in asked.questions] == [("text", port)]
    assert port not in asked.steps[0].arguments


def test_nothing_is_asked_where_what_is_said_is_in_a_file_or_a_result():
    for text in (FromResource("poem.txt"), FromNode("number_to_text", "text")):
        step = Step("add_text", "add_text", {"image": FromResource("a.jpg"), "text": text})
        assert what_value(solution(step), TOOLS, ()) == solution(step)


def test_a_value_that_was_said_is_not_asked_for():
    step = Step("translate", "translate", {"text": FromResource("a.txt"), "language": "French"})
    assert what_value(solution(step), TOOLS, {("translate", "language")}) == solution(step)


def test_the_facts_know_a_wish_that_has_too_few_files():
    overlay, blur = TOOLS["overlay"], TOOLS["blur"]
    none, one, two = (Said("do it", HULLS[:count], 6, ()) for count in range(3))
    assert facts([overlay], one, {}) != facts([overlay], two, {})
    assert facts([blur], none, {}) != facts([blur], one, {})
    assert facts([blur], two, {}) != facts([blur], one, {})


@pytest.mark.parametrize(
    ("one", "more"),
    [
        ("make the photo brighter", "make both photos brighter"),
        ("mach das Foto heller", "mach alle Fotos heller"),
        ("éclaircis la photo", "éclaircis toutes les photos"),
        ("aclara la foto de la playa", "aclara hull_left.jpg"),
        ("把照片调亮", "把每张照片调亮"),
    ],
)
def test_the_facts_know_whether_the_words_speak_of_one_file_or_choose(one, more):
    blur = [TOOLS["blur"]]
    assert facts(blur, Said(one, HULLS, 6, ()), {}) != facts(blur, Said(more, HULLS, 6, ()), {})


def test_the_facts_count_documents_as_texts_where_they_are_read_first():
    summarise, join = [TOOLS["summarise"]], [TOOLS["join_pdfs"]]
    texts = tuple(replace(paper, type="text") for paper in PAPERS)
    read, files = Said("sum it up", texts, 3, ()), Said("sum it up", PAPERS, 3, ())
    assert facts(summarise, read, {}) == facts(summarise, files, {})
    assert facts(join, read, {}) != facts(join, files, {})


def test_the_facts_know_how_probable_each_file_is_and_that_no_tool_does_it():
    even = Said("blur it", HULLS, 2, (), taken={"hull_left.jpg": 0.9, "hull_right.jpg": 0.9})
    one = replace(even, taken={"hull_left.jpg": 0.9, "hull_right.jpg": 0.1})
    assert facts([TOOLS["blur"]], even, {}) != facts([TOOLS["blur"]], one, {})
    assert facts([], even, {}) != facts([], replace(even, outside=0.9), {})


def test_a_tool_is_asked_about_as_often_as_it_was_where_no_setting_is_said():
    trim, blur, habits = TOOLS["trim_audio"], TOOLS["blur"], {"trim_audio": 0.9, "blur": 0.1}
    assert habit([blur, trim], (), habits) == 0.9
    assert habit([blur, trim], {("trim_audio", "end")}, habits) == 0.1
    assert habit([TOOLS["sepia"]], (), habits) < 0.1, "nothing is known of it"


def test_a_guess_offers_the_ways_with_other_tools_and_no_more():
    def way(title, *tools):
        return Solution(title, "", 0.3, tuple(Step(tool, tool, {}) for tool in tools))

    ways = [way("Sharpen", "sharpen"), way("Sharpen, way 2", "sharpen"), way("Deblur", "deblur")]
    assert guess(ways).choices == ("Sharpen", "Deblur") and guess(ways).kind == "confirm"
    assert guess(ways[:2]) == GUESS
    doubt = Phrase("I am not sure that “{words}” means “{tool}”.", words="crisp it", tool="Sharpen")
    told = [guess(ways, doubt), guess(ways[:2], doubt)]
    assert [one.text.startswith("I am not sure that “crisp it” means “Sharpen”. ") for one in told] == [True, True]
    assert told[0].choices and not told[1].choices and all(map(is_guess, (GUESS, guess(ways), *told)))
    alone = doubt_of(told[0], ["Deblur", "Crisp"], others=False)
    assert alone.text == "I am not sure that “crisp it” means “Crisp”. Please look at the graph before you run it."
    assert doubt_of(told[0], ["Sharpen"], others=True) == told[0] and doubt_of(GUESS, [], others=False) == GUESS
    assert doubt_of(guess(ways), [], others=False) == GUESS
    assert not is_guess(Question("No tool here can do “mail it”.", "confirm"))


def test_who_does_not_say_what_to_do_is_asked_among_several_tools():
    (question,) = what_to_do([TOOLS["sharpen"], TOOLS["deblur"]])
    assert question.kind == "text" and len(question.choices) == 2
    assert not list(what_to_do([TOOLS["sharpen"]]))


def test_a_text_to_work_on_is_asked_for_as_a_file_that_may_be_typed():
    port = next(port for port in TOOLS["summarise"].inputs if port.name == "text")
    question = text_wanted(TOOLS["summarise"], "summarise", port)
    assert (question.kind, question.step, question.port) == ("file", "summarise", "text")


def test_what_is_doubted_is_a_number_that_is_in_no_value_or_the_least_sure_tool():
    graph, request = ToolGraph(list(TOOLS.values())), Request("a collage 800 px wide")
    plan = Solution("", "", 0.6, (Step("one", "collage", {}),), (("one", "image"),))

    def doubt(plan, probability, text=request.text):
        clauses = (ToolClause(0, len(text), "collage", probability),)
        return doubted(plan, Reading(clauses, np.zeros((1, 1), np.float32), {}), Request(text), graph)

    assert doubt(plan, 0.99) == "I do not know what “800 px” is for: it is not in the plan."
    wide = replace(plan, steps=(Step("one", "collage", {"width": 800}),))
    assert doubt(wide, 0.99) is None, "what a collage is nobody doubts"
    assert doubt(wide, 0.5) == "I am not sure that “a collage 800 px wide” means “Collage”."
    assert doubt(plan, 0.5, "stick them together") == "I am not sure that “stick them together” means “Collage”."
    joint = Reading((ToolClause(0, 3, "collage", 0.5),), np.zeros((1, 1), np.float32), {})
    whole = doubted(plan, joint, Request("und alle beide"), graph)
    assert whole == "I am not sure that “und alle beide” means “Collage”.", "nobody doubts what “und” means"
    told = guess([plan], doubt(plan, 0.5))
    assert is_guess(told) and doubt_of(told, ["Collage"], others=False).text.startswith("I do not know what “800 px”")
    beside = (ToolClause(0, 4, "collage", 0.9), ToolClause(5, 20, "blur", 0.7))
    left = doubted(plan, Reading(beside, np.zeros((1, 1), np.float32), {}), Request("join and blur the sky!"), graph)
    assert left == "“and blur the sk” is not in the plan."
