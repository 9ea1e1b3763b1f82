"""The shape of plans: no roads through strange media, parts that are pointed at or inverted, what answers the wish."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.types import FromNode, FromResource, Given, Request, Solution, Step, ToolSpec
from tests.plan.worlds import IMAGE, TOYS, attached, faults, port, tool

PICTURE = [port("image", "image")]
MORE: tuple[ToolSpec, ...] = (
    *TOYS,
    tool("m_facts", "Facts of a sound", "Lists length, rate and channels of a sound.", [port("audio", "audio")],
         [port("table", "table")], ("how long", "sample rate")),
    tool("m_chart", "Chart", "Draws a chart of a table.", [port("table", "table")], PICTURE, ("bars", "plot")),
    tool("m_invert", "Invert mask", "Turns a mask round, so that it selects everything else.",
         [port("mask", "mask")], [port("mask", "mask")], ("everything but", "opposite")),
    tool("m_grow", "Grow mask", "Makes a mask thicker or thinner.",
         [port("mask", "mask"), port("pixels", "number", "by how many pixels", default=5, minimum=-200, maximum=200)],
         [port("mask", "mask")], ("grow", "thicker", "thinner")),
    tool("m_pick", "Choose boxes", "Keeps the boxes that a word chooses, of all boxes that were found.",
         [port("boxes", "boxes"), port("which", "text", "largest, smallest, leftmost, rightmost")],
         [port("boxes", "boxes")], ("only the",)),
    tool("m_boxed", "Outline in a box", "Finds the exact outline of the thing inside a box.",
         [IMAGE, port("boxes", "boxes")], [port("mask", "mask")]),
    tool("m_frame", "Border", "Puts a border around a picture.",
         [IMAGE, port("width", "number", "thickness in pixels", default=10, minimum=1, maximum=500),
          port("colour", "text", "colour of the border", default="black")], PICTURE, ("frame around", "frame")),
    tool("m_sketch", "Pencil sketch", "Turns a picture into a pencil sketch.", [IMAGE], PICTURE, ("sketch",)),
    tool("m_water", "Watercolour", "Turns a picture into a watercolour.", [IMAGE], PICTURE),
    tool("m_words", "Count words", "Counts the words of a text: how many there are.", [port("text", "text")],
         [port("number", "number")], ("how many words", "number of words")),
    tool("m_number", "Number to text", "Writes a number as text.", [port("number", "number")], [port("text", "text")]),
    tool("m_mean", "Average", "The average of numbers.", [port("numbers", "number", many=True)],
         [port("number", "number")], ("on average", "mean")),
    tool("m_mood", "Mood", "Tells the mood of a text: positive or negative.", [port("text", "text")],
         [port("labels", "labels")], ("sentiment", "mood")),
    tool("m_fetch", "Fetch page", "Fetches a web page and gives its text.", [port("url", "url")],
         [port("text", "text")], ("download page",)),
    tool("m_code", "QR code", "Makes a QR code of a text or a link.",
         [port("text", "text", "the text, link or web address")], PICTURE, ("qr code",)),
    tool("m_tune", "Make music", "Makes up a piece of music.",
         [port("mood", "text", "mood", default="calm", choices=("calm", "happy"))], [port("audio", "audio")],
         ("music", "melody")),
    tool("m_mix", "Mix two sounds", "Lays one sound over another.",
         [port("audio", "audio"), port("other", "audio")], [port("audio", "audio")], ("mix together", "glue")),
    tool("m_join", "Join sounds", "Joins any number of sounds, one after another.",
         [port("audios", "audio", many=True)], [port("audio", "audio")], ("glue",)),
)  # fmt: skip
PLANNER = OfflinePlanner(MORE)


def best(text: str, *given: Given, planner: OfflinePlanner = PLANNER, tools: tuple[ToolSpec, ...] = MORE) -> Solution:
    """The first solution; all must be sound."""
    request = Request(text, given)
    plan = planner.plan(request)
    assert plan.solutions, plan.causes
    for solution in plan.solutions:
        assert faults(solution, request, tools) == []
    return plan.solutions[0]


def chain(solution: Solution) -> list[str]:
    return [step.tool for step in solution.steps]


def step(solution: Solution, tool: str) -> Step:
    return next(step for step in solution.steps if step.tool == tool)


# Roads ----------------------------------------------------------------------------------------------------------------


def test_a_sound_is_cleaned_and_not_drawn_as_a_chart_with_the_fan_erased():
    solution = best("Please get rid of the fan noise in memo.wav", *attached("memo.wav"))
    assert chain(solution) == ["t_clean"]


def test_no_plan_leads_through_a_picture_that_nobody_spoke_of():
    plan = PLANNER.plan(Request("Erase the hum in memo.wav", attached("memo.wav")))
    for solution in plan.solutions:
        assert not {"m_chart", "t_wave"} & set(chain(solution))


def test_a_mask_is_not_made_for_an_option_that_nobody_asked_for():
    solution = best("Pixelate street.jpg in thick round blocks", *attached("street.jpg"))
    assert chain(solution) == ["t_pixels"]


def test_a_thing_that_nothing_finds_is_pointed_at():
    found = tuple(spec for spec in MORE if spec.id != "t_look")
    solution = best("Remove the spoon", *attached("soup.jpg"), planner=OfflinePlanner(found), tools=found)
    assert chain(solution) == ["t_select", "t_erase"]
    assert [(q.kind, q.resource) for q in solution.questions] == [("point", "soup.jpg")]


def test_a_tool_that_cannot_work_now_is_no_way_to_find_a_thing():
    waiting = tool("m_find", "Find objects", "Finds objects such as a spoon, a dog or a car.", [IMAGE],
                   [port("boxes", "boxes")], ("object", "spoon"))  # fmt: skip
    tools = (*(spec for spec in MORE if spec.id != "t_look"), replace(waiting, quality=0.2))
    solution = best("Remove the spoon", *attached("soup.jpg"), planner=OfflinePlanner(tools), tools=tools)
    assert chain(solution) == ["t_select", "t_erase"]


def test_two_inputs_are_never_one_and_the_same_thing_made_over():
    for text in ("mix song.wav", "on average, how loud is song.wav"):
        for solution in PLANNER.plan(Request(text, attached("song.wav"))).solutions:
            for one in solution.steps:
                assert one.arguments.get("audio", 0) != one.arguments.get("other", 1)


# Words that are settings ----------------------------------------------------------------------------------------------


def test_words_of_a_setting_are_no_step_of_their_own():
    solution = best("Put a red frame around poster.png, 30 pixels thick", *attached("poster.png"))
    assert chain(solution) == ["m_frame"]
    assert step(solution, "m_frame").arguments["width"] == 30


# Parts ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["Blur the background behind the person I click on", "Blur everything except what I click"]
)
def test_what_is_not_pointed_at_is_the_inverse_of_what_is(text):
    solution = best(text, *attached("plaza.jpg"))
    assert chain(solution) == ["t_select", "m_invert", "t_blur"]


@pytest.mark.parametrize(
    "text", ["Keep the faces sharp and blur everything else in a.jpg", "Blur all but the faces in a.jpg"]
)
def test_everything_else_is_the_inverse_of_what_is_named(text):
    solution = best(text, *attached("a.jpg"))
    assert chain(solution) == ["t_faces", "t_inside", "m_invert", "t_blur"]


def test_the_rest_that_is_left_alone_is_not_inverted():
    solution = best("Blur the faces in a.jpg and leave the rest", *attached("a.jpg"))
    assert chain(solution) == ["t_faces", "t_inside", "t_blur"]


def test_one_of_several_is_chosen_between_finding_and_using():
    solution = best("Blur the largest face in a.jpg", *attached("a.jpg"))
    assert chain(solution) == ["t_faces", "m_pick", "t_inside", "t_blur"]
    assert step(solution, "m_pick").arguments["which"] == "largest"


def test_a_box_that_the_user_will_draw_is_asked_for():
    solution = best("I'll draw a box around the car; blur what is inside", *attached("road.jpg"))
    assert chain(solution)[-1] == "t_blur" and chain(solution)[0] in ("m_boxed", "t_inside")
    assert [q.port for q in solution.questions] == ["boxes"]


# Kinds of what is there -----------------------------------------------------------------------------------------------


def test_a_tool_for_masks_takes_a_mask_rather_than_a_tool_for_pictures():
    solution = best("make sel.png 10 pixels thicker", Given("sel.png", "mask"))
    assert chain(solution) == ["m_grow"]
    assert step(solution, "m_grow").arguments == {"mask": FromResource("sel.png"), "pixels": 10}


def test_a_given_mask_is_used_as_it_is():
    solution = best("Remove the pole in pole.png from a.jpg", Given("pole.png", "mask"), *attached("a.jpg"))
    assert step(solution, "t_erase").arguments == {"image": FromResource("a.jpg"), "mask": FromResource("pole.png")}


def test_three_sounds_go_into_the_tool_for_any_number():
    solution = best("Glue a.wav, b.wav and c.wav", *attached("a.wav", "b.wav", "c.wav"))
    assert chain(solution) == ["m_join"]


def test_an_address_is_read_for_a_tool_that_judges_text():
    solution = best("What is the mood of https://example.org/story ?", Given("https://example.org/story", "url"))
    assert chain(solution) == ["m_fetch", "m_mood"]


def test_an_address_stays_an_address_in_a_code():
    solution = best("Make a QR code for https://example.org", Given("https://example.org", "url"))
    assert step(solution, "m_code").arguments["text"] == "https://example.org"
    assert chain(solution) == ["m_code"]


def test_words_on_this_page_are_read_before_they_are_counted():
    solution = best("How many words are on this page?", *attached("scan.png"))
    assert chain(solution) == ["t_read", "m_words"]


# Results that go on ---------------------------------------------------------------------------------------------------


def test_a_number_is_written_before_it_is_spoken():
    solution = best("Tell me aloud how many words essay.txt has", *attached("essay.txt"))
    assert chain(solution) == ["m_words", "m_number", "t_say"]


def test_two_forms_of_one_picture_stand_side_by_side():
    solution = best("a.jpg both as a sketch and as a watercolour", *attached("a.jpg"))
    assert [one.arguments["image"] for one in solution.steps] == [FromResource("a.jpg")] * 2


def test_forms_are_gathered_where_a_collage_follows():
    text = "Show a.jpg as a sketch and as a watercolour, both in one collage"
    solution = best(text, *attached("a.jpg"))
    images = step(solution, "t_collage").arguments["images"]
    assert set(images) == {FromNode("m_sketch", "image"), FromNode("m_water", "image")}


def test_music_that_is_made_up_goes_into_the_slideshow():
    text = "slideshow of a.jpg, b.jpg and c.jpg with happy music you make up"
    solution = best(text, *attached("a.jpg", "b.jpg", "c.jpg"))
    assert step(solution, "t_slides").arguments["audio"] == FromNode("m_tune", "audio")
    assert len(step(solution, "t_slides").arguments["images"]) == 3


def test_an_average_is_taken_after_the_counting():
    text = "On average, how many faces do these pictures show?"
    solution = best(text, *attached("p.jpg", "q.jpg"))
    assert chain(solution).count("t_count") == 2 and chain(solution)[-1] == "m_mean"


# What answers the wish ------------------------------------------------------------------------------------------------


def test_a_sound_that_is_only_looked_at_stays_a_result():
    solution = best("Clean the noise from talk.wav and show me its waveform", *attached("talk.wav"))
    assert solution.wanted == (("t_clean", "audio"), ("t_wave", "image"))


def test_a_sound_that_goes_into_a_film_is_no_result_of_its_own():
    text = "slideshow of a.jpg and b.jpg with happy music you make up"
    assert best(text, *attached("a.jpg", "b.jpg")).wanted == (("t_slides", "video"),)
