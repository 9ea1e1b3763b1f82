"""What the offline planner makes of requests, over a toy tool set."""

from __future__ import annotations

import pytest

from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.types import FromNode, FromResource, Given, Request
from tests.plan.worlds import TOYS, attached, faults, port, tool

PLANNER = OfflinePlanner(TOYS)


def best(text: str, *given: Given):
    """The first solution, which must be sound."""
    request = Request(text, given)
    plan = PLANNER.plan(request)
    assert plan.solutions, plan.causes
    for solution in plan.solutions:
        assert faults(solution, request, TOYS) == []
    return plan.solutions[0]


def tools(solution) -> list[str]:
    return [step.tool for step in solution.steps]


def step(solution, tool: str):
    return next(step for step in solution.steps if step.tool == tool)


def test_text_of_a_picture_is_read_and_spoken():
    solution = best("Read the text in receipt.png and say it aloud", *attached("receipt.png"))
    assert tools(solution) == ["t_read", "t_say"]
    assert step(solution, "t_say").arguments["text"] == FromNode("t_read", "text")
    assert solution.wanted == (("t_say", "audio"),)


def test_faces_are_blurred_and_a_slideshow_gets_a_spoken_greeting():
    text = "Blur the faces in group.jpg, then make a slideshow video of it with a spoken greeting 'hello everyone'"
    solution = best(text, *attached("group.jpg"))
    assert set(tools(solution)) == {"t_faces", "t_inside", "t_blur", "t_say", "t_slides"}
    assert step(solution, "t_say").arguments["text"] == "hello everyone"
    assert step(solution, "t_slides").arguments == {
        "images": (FromNode("t_blur", "image"),),
        "audio": FromNode("t_say", "audio"),
    }
    assert step(solution, "t_blur").arguments["mask"] == FromNode("t_inside", "mask")


@pytest.mark.parametrize("text", ["Remove the object I point at", "cut out this", "blur what I click", "Remove this"])
def test_pointing_is_asked_for(text):
    solution = best(text, *attached("photo.jpg"))
    assert tools(solution)[0] == "t_select"
    question = solution.questions[0]
    assert (question.kind, question.resource, question.port) == ("point", "photo.jpg", "points")


def test_clicks_that_were_made_are_used():
    solution = best("Remove the object I point at", Given("photo.jpg", "image", ((3.0, 4.0, True),)))
    assert step(solution, "t_select").arguments["points"] == [[3.0, 4.0, True]]
    assert solution.questions == ()


def test_counts_of_several_pictures_are_added():
    solution = best("How many faces are in these three pictures?", *attached("a.jpg", "b.jpg", "c.jpg"))
    assert sorted(tools(solution)) == ["t_count"] * 3 + ["t_faces"] * 3 + ["t_sum"]
    assert solution.wanted == (
        ("t_count", "number"), ("t_count_2", "number"), ("t_count_3", "number"), ("t_sum", "number"),
    )  # fmt: skip


def test_a_single_count_is_not_added():
    solution = best("How many faces are in this picture?", *attached("a.jpg"))
    assert tools(solution) == ["t_faces", "t_count"]
    assert solution.wanted == (("t_count", "number"),)


def test_noise_goes_before_the_waveform():
    solution = best("Clean the noise from talk.wav and show me its waveform", *attached("talk.wav"))
    assert tools(solution) == ["t_clean", "t_wave"]
    assert step(solution, "t_wave").arguments["audio"] == FromNode("t_clean", "audio")


def test_a_number_in_words_fills_a_setting():
    text = "Summarise notes.txt in three sentences and turn them into a web page"
    solution = best(text, *attached("notes.txt"))
    assert tools(solution) == ["t_short", "t_page"]
    assert step(solution, "t_short").arguments["sentences"] == 3


def test_impossible_conversion_says_why():
    plan = PLANNER.plan(Request("make audio from this table", attached("data.csv")))
    assert plan.solutions == ()
    assert plan.causes == ("No tool makes audio from a table.",)


@pytest.mark.parametrize("text", ["cook me dinner", "Bring my car to the garage"])
def test_what_no_tool_does_is_said(text):
    plan = PLANNER.plan(Request(text))
    assert plan.solutions == ()
    assert text in plan.causes[0]


@pytest.mark.parametrize("text", ["", "   ", "?!", "\n", "...", "''", "🙂", "(" * 500, "a" * 50_000])
def test_odd_text_gives_a_cause_and_no_error(text):
    plan = PLANNER.plan(Request(text))
    assert plan.solutions == ()
    assert plan.causes[0].endswith(".")


def test_the_same_operation_on_several_files_is_one_branch_for_each():
    solution = best("Blur a.jpg and b.jpg and make a collage of them", *attached("a.jpg", "b.jpg"))
    assert tools(solution) == ["t_blur", "t_blur", "t_collage"]
    assert step(solution, "t_collage").arguments["images"] == (
        FromNode("t_blur", "image"),
        FromNode("t_blur_2", "image"),
    )


def test_a_region_is_found_for_each_of_several_files():
    solution = best("Pixelate the faces in all of these", *attached("a.jpg", "b.jpg"))
    last = [s for s in solution.steps if s.tool == "t_pixels"]
    assert [s.arguments["image"] for s in last] == [FromResource("a.jpg"), FromResource("b.jpg")]
    assert [s.arguments["mask"].node for s in last] == ["t_inside", "t_inside_2"]


def test_slideshow_takes_all_pictures_in_order():
    solution = best("Make a slideshow from these pictures", *attached("b.jpg", "a.jpg", "c.jpg"))
    assert [item.name for item in step(solution, "t_slides").arguments["images"]] == ["b.jpg", "a.jpg", "c.jpg"]


def test_it_means_the_newest_picture():
    given = (Given("a.jpg", "image", earlier=True), Given("a_blur.png", "image", earlier=True))
    solution = best("Make it darker", *given)
    assert step(solution, "t_light").arguments == {"image": FromResource("a_blur.png"), "change": "darker"}


@pytest.mark.parametrize(("words", "name"), [("second", "b.jpg"), ("first", "a.jpg"), ("last", "c.jpg")])
def test_ordinals_choose_a_picture(words, name):
    solution = best(f"rotate the {words} picture by 45 degrees", *attached("a.jpg", "b.jpg", "c.jpg"))
    assert step(solution, "t_turn").arguments == {"image": FromResource(name), "angle": 45}


def test_a_missing_file_is_asked_for():
    solution = best("Blur photo.jpg")
    assert [(q.kind, q.resource) for q in solution.questions] == [("file", "photo.jpg")]


def test_a_file_that_nobody_named_is_asked_for_and_not_made_up():
    solution = best("Blur the picture")
    assert tools(solution) == ["t_blur"]
    assert [(q.kind, q.port) for q in solution.questions] == [("file", "image")]


def test_a_named_thing_is_looked_for_by_name():
    solution = best("Remove the dog from photo.jpg", *attached("photo.jpg"))
    assert tools(solution) == ["t_look", "t_inside", "t_erase"]
    assert step(solution, "t_look").arguments["what"] == "dog"


def test_the_search_finds_the_conversion_between_types():
    solution = best("Remove the noise from the video clip.mp4 and give me the sound", *attached("clip.mp4"))
    assert tools(solution) == ["t_track", "t_clean"]


def test_alternatives_differ_in_kind_and_come_best_first():
    plan = PLANNER.plan(Request("Blur the faces in group.jpg", attached("group.jpg")))
    kinds = [frozenset(tools(solution)) for solution in plan.solutions]
    assert 1 <= len(kinds) <= 5
    assert len(set(kinds)) == len(kinds)
    scores = [solution.score for solution in plan.solutions]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_titles_are_short_and_reasons_name_the_tools():
    solution = best("Read the text in receipt.png and say it aloud", *attached("receipt.png"))
    assert 1 <= len(solution.title.split()) <= 4
    assert solution.reason == "Read text → speak."


def test_subtasks_tell_what_was_understood():
    plan = PLANNER.plan(Request("Read the text in receipt.png and say it aloud", attached("receipt.png")))
    assert [subtask.wanted for subtask in plan.subtasks] == [("text", "boxes"), ("audio",)]


def test_a_new_tool_takes_part_from_its_own_words():
    new = tool("t_new", "Origami", "Folds a picture into an origami figure.", [port("image", "image")],
               [port("image", "image")], ("fold",))  # fmt: skip
    plan = OfflinePlanner((*TOYS, new)).plan(Request("Fold photo.jpg into an origami", attached("photo.jpg")))
    assert tools(plan.solutions[0]) == ["t_new"]


LANGUAGES = [
    ("Mach die Gesichter in group.jpg unscharf und erstelle dann eine Diashow daraus", "German"),
    ("Floute les visages dans group.jpg puis fais un diaporama", "French"),
    ("Desenfoca las caras de group.jpg y luego crea una presentación de diapositivas", "Spanish"),
    ("把group.jpg里的人脸模糊，然后做成幻灯片", "Chinese"),
    ("Slør ansigterne i group.jpg og lav derefter et slideshow", "Danish"),
]


@pytest.mark.parametrize("text", [text for text, _ in LANGUAGES], ids=[name for _, name in LANGUAGES])
def test_common_wishes_are_understood_in_other_languages(text):
    assert tools(best(text, *attached("group.jpg"))) == ["t_faces", "t_inside", "t_blur", "t_slides"]


@pytest.mark.parametrize("strategy", ["greedy", "beam", "adaptive", "exhaustive"])
def test_every_strategy_plans_the_same_simple_request(strategy):
    planner = OfflinePlanner(TOYS, strategy)
    plan = planner.plan(Request("How many faces are in a.jpg?", attached("a.jpg")))
    assert tools(plan.solutions[0]) == ["t_faces", "t_count"]
