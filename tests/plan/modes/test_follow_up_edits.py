"""What is said of a graph that is there, in five languages: which edit it means, and what is no edit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.plan.modes.conversation import talk_in
from desktop_app.plan.modes.edits import (
    AskValue,
    BackTo,
    Name,
    Present,
    Redo,
    Remove,
    Repeat,
    Rephrase,
    SaveAs,
    SetValues,
    Undo,
    UseFile,
    UseWay,
)
from desktop_app.plan.types import FromNode, FromResource, Given, Step
from tests.plan.worlds import own_planner

PLANNER = own_planner()
A = FromResource("a.jpg")
PICTURES = tuple(Given(name, "image") for name in ("a.jpg", "b.jpg", "c.jpg"))
BLUR = Present(
    (
        Step("faces", "detect_faces", {"image": A}),
        Step("mask", "mask_from_boxes", {"image": A, "boxes": FromNode("faces", "boxes")}),
        Step("blur", "blur", {"image": A, "mask": FromNode("mask", "mask")}),
    ),
    PICTURES[:1],
    ways=2,
)
WHOLE_BLUR = Present((Step("blur", "blur", {"image": A}),), PICTURES[:1])
SET_BLUR = Present((Step("blur", "blur", {"image": A, "radius": 20}),), PICTURES[:1])
BORDER = Present((Step("border", "border", {"image": A, "width": 10, "colour": "white"}),), PICTURES[:1], ways=1)
PLAIN_BORDER = Present((Step("border", "border", {"image": A}),), PICTURES[:1], ways=1)
CARTOON = Present((Step("cartoon", "cartoon", {"image": A}),), PICTURES, ("oil_painting",), 3, 0, "turn a.jpg ...")
CHAIN = Present(
    (
        Step("bright", "brightness_contrast", {"image": A, "change": "brighter"}),
        Step("grey", "black_and_white", {"image": FromNode("bright", "image")}),
    ),
    PICTURES[:1],
)
DARKER = Present((Step("dark", "brightness_contrast", {"image": A, "change": "darker"}),), PICTURES[:1])
TITLED = Present((Step("title", "add_text", {"image": A, "text": "Monday"}),), PICTURES[:1])
GONE = Present(
    (
        Step("s", "segment_points", {"image": A}),
        Step("gone", "remove_object", {"image": A, "mask": FromNode("s", "mask")}),
    ),
    PICTURES[:1],
    wish="remove the spoon from a.jpg",
)
FRAMED = replace(GONE, steps=(*GONE.steps, Step("border", "border", {"image": FromNode("gone", "image")})))
PASTED = Present(
    (
        Step("cut_out", "cut_out", {"image": A}),
        Step("overlay", "overlay", {"image": FromResource("b.jpg"), "top": FromNode("cut_out", "image")}),
    ),
    PICTURES[:2],
)
RESIZE = Present((Step("resize", "resize", {"image": A, "width": 800}),), PICTURES[:2])
DOG = Present(
    (
        Step("s", "segment_points", {"image": A}),
        Step("cut", "cut_out", {"image": A, "mask": FromNode("s", "mask")}),
    ),
    PICTURES[:1],
    wish="cut out the dog in a.jpg",
)  # fmt: skip
ROTATE = Present((Step("rotate", "rotate", {"image": A, "degrees": 90}),), PICTURES[:1])
SUMMARY = Present((Step("sum", "summarise", {"text": FromResource("r.txt")}),), (Given("r.txt", "text"),))
LOUD = Present(
    (Step("loud", "change_volume", {"audio": FromResource("a.wav")}),),
    (Given("a.wav", "audio"), Given("b.wav", "audio")),
)
DRAWN = Present((Step("draw", "text_to_image", {"prompt": "a dog on a beach"}),), (), wish="draw a dog on a beach")


def values(step, **ports):
    return SetValues({(step, port): value for port, value in ports.items()})


@pytest.mark.parametrize(
    ("present", "text", "edit"),
    [
        (BLUR, "take that back please", Undo()),
        (BLUR, "undo the last two steps", Undo(2)),
        (BLUR, "mach das bitte rückgängig", Undo()),
        (BLUR, "annule ça", Undo()),
        (BLUR, "deshaz eso", Undo()),
        (BLUR, "撤销", Undo()),
        (BLUR, "bring that back", Redo()),
        (BLUR, "Could you blur it rather more strongly?", values("blur", radius=12)),
        (BLUR, "twice as strong please", values("blur", radius=16)),
        (BLUR, "half as much", values("blur", radius=4)),
        (BLUR, "etwas schwächer", values("blur", radius=6.667)),
        (BLUR, "un peu plus fort", values("blur", radius=9.6)),
        (BLUR, "más fuerte", values("blur", radius=12)),
        (BLUR, "再强一点", values("blur", radius=9.6)),
        (BLUR, "that's too much, tone it down", values("blur", radius=4)),
        (BORDER, "边框改成蓝色，20像素", values("border", width=20, colour="blue")),
        (DARKER, "much darker", values("dark", brightness=-0.3)),
        (DARKER, "noch viel dunkler", values("dark", brightness=-0.3)),
        (DARKER, "brighter", values("dark", brightness=0.2)),
        (PASTED, "猫再小一点", values("overlay", scale=0.833)),
        (PASTED, "猫大一点", values("overlay", scale=1.2)),
        (PASTED, "half the size", values("overlay", scale=0.5)),
        (PASTED, "el gato más pequeño", values("overlay", scale=0.667)),
        (PASTED, "less visible", values("overlay", opacity=0.667)),
        (TITLED, "smaller letters", AskValue("title", "size", 1 / 1.5)),
        (
            TITLED,
            "mets plutôt le texte en haut et en rouge",
            SetValues({("title", "position"): "top", ("title", "colour"): "red"}),
        ),
        (TITLED, "mets plutôt « Mardi »", SetValues({("title", "text"): "Mardi"})),
        (SUMMARY, "in two sentences only", values("sum", sentences=2)),
        (WHOLE_BLUR, "stronger", values("blur", radius=12)),
        (WHOLE_BLUR, "half as much", values("blur", radius=4)),
        (SET_BLUR, "half as much", values("blur", radius=10)),
        (CARTOON, "换另一个方案", UseWay(1)),
        (BORDER, "get rid of the frame", Remove(("border",))),
        (BORDER, "enlève le cadre", Remove(("border",))),
        (BORDER, "quita el marco", Remove(("border",))),
        (BORDER, "把边框去掉", Remove(("border",))),
        (BORDER, "take the frame off again", Remove(("border",))),
        (BORDER, "please take that border away", Remove(("border",))),
        (BORDER, "nimm den Rahmen wieder weg", Remove(("border",))),
        (BORDER, "remove the border too", Remove(("border",))),
        (CHAIN, "remove the black and white too", Remove(("grey",))),
        (FRAMED, "remove the frame", Remove(("border",))),
        (FRAMED, "take the border off again", Remove(("border",))),
        (GONE, "leave out the remove object", Remove(("gone",))),
        (GONE, "remove that step", Remove(("gone",))),
        (BORDER, "can the border be gold?", values("border", colour="gold")),
        (BORDER, "make the edge black, not white", values("border", colour="black")),
        (BORDER, "make the border 40 pixels wide and red", values("border", width=40, colour="red")),
        (BORDER, "der Rahmen soll 30 Pixel breit und grün sein", values("border", width=30, colour="green")),
        (PLAIN_BORDER, "thicker", AskValue("border", "width", 1.5)),
        (CARTOON, "and b.jpg?", Repeat("a.jpg", ("b.jpg",))),
        (CARTOON, "das Gleiche bitte mit b.jpg", Repeat("a.jpg", ("b.jpg",))),
        (CARTOON, "fais pareil avec b.jpg", Repeat("a.jpg", ("b.jpg",))),
        (CARTOON, "haz lo mismo con b.jpg", Repeat("a.jpg", ("b.jpg",))),
        (CARTOON, "b.jpg也这样处理", Repeat("a.jpg", ("b.jpg",))),
        (CARTOON, "und jetzt mit allen Bildern", Repeat("a.jpg", ("b.jpg", "c.jpg"))),
        (CARTOON, "and now all of them", Repeat("a.jpg", ("b.jpg", "c.jpg"))),
        (CARTOON, "I want it as a PNG file", SaveAs("png")),
        (CARTOON, "name it Monday morning", Name("Monday morning")),
        (CARTOON, "call it sunset", Name("sunset")),
        (CARTOON, "I'd prefer the third suggestion", UseWay(2)),
        (CARTOON, "use the second way", UseWay(1)),
        (CARTOON, "go back to the oil painting", BackTo("oil_painting")),
        (CARTOON, "use the second picture instead", UseFile("a.jpg", "b.jpg")),
        (CHAIN, "leave out the black and white", Remove(("grey",))),
        (CHAIN, "a touch brighter still", values("bright", brightness=0.1)),
        (RESIZE, "make that 1200 instead", values("resize", width=1200)),
        (RESIZE, "use b.jpg for that, not a.jpg", UseFile("a.jpg", "b.jpg")),
        (RESIZE, "the other one", UseFile("a.jpg", "b.jpg")),
        (DOG, "no, I meant the cat", Rephrase("cut out the cat in a.jpg")),
        (DOG, "not that one, the cat", Rephrase("cut out the cat in a.jpg")),
        (ROTATE, "other way round", values("rotate", direction="left")),
        (SUMMARY, "make the summary shorter", values("sum", sentences=2)),
        (LOUD, "same thing for b.wav", Repeat("a.wav", ("b.wav",))),
        (DRAWN, "a cat rather than a dog", values("draw", prompt="a cat on a beach")),
    ],
)
def test_a_follow_up_is_the_edit_that_is_meant(present, text, edit):
    assert PLANNER.follow_ups.read(text, present) == edit


@pytest.mark.parametrize(
    ("present", "text"),
    [
        (CHAIN, "and put a border around it"),
        (CHAIN, "now turn it into a cartoon"),
        (CARTOON, "now make it darker"),
        (BLUR, "make it a bit brighter"),
        (BORDER, "rotate it by 45 degrees"),
        (ROTATE, "rotate it by 45 degrees"),
        (BORDER, "remove the background"),
        (GONE, "remove the handle as well"),
        (GONE, "now remove the rocket too"),
        (GONE, "also remove the cup"),
        (GONE, "remove the person"),
        (GONE, "erase the lamp on the left too"),
        (GONE, "remove the objects as well"),
        (GONE, "retire aussi la tasse"),
        (GONE, "entferne auch die Rakete"),
        (GONE, "entferne den Griff"),
        (GONE, "quita también el cohete"),
        (GONE, "把火箭也去掉"),
        (GONE, "take the handle off"),
        (FRAMED, "delete the dog too"),
        (CARTOON, "remove the handle as well"),
        (CARTOON, "blur b.jpg"),
        (CARTOON, "Make a cartoon of b.jpg"),
        (CARTOON, "now make a video from all the pictures you made"),
        (CARTOON, "make a video of b.jpg"),
        (LOUD, "Make b.wav louder"),
        (replace(LOUD, brought=("b.wav",)), "make this louder"),
        (CARTOON, "How many faces are in c.jpg?"),
        (CARTOON, "under 100 kb webp please"),
        (SUMMARY, "translate it into German"),
        (SUMMARY, "read it aloud"),
        (Present(), "undo that"),
    ],
)
def test_a_new_wish_is_no_edit(present, text):
    assert PLANNER.follow_ups.read(text, present) is None


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("hello there", "greeting"), ("bonjour", "greeting"), ("Guten Morgen!", "greeting"), ("你好", "greeting"),
        ("thanks, that's perfect", "thanks"), ("Vielen Dank!", "thanks"), ("谢谢你", "thanks"),
        ("Thanks very much. You did a good job. Goodbye!", "thanks"), ("hi, what can you do?", "able"),
        ("¿qué sabes hacer?", "able"), ("was kannst du alles?", "able"), ("why did you use Border twice?", "why"),
        ("which tools can blur?", "which"), ("which of your tools sharpen a picture?", "which"),
        ("how long will it take?", "long"), ("wie lange dauert das?", "long"), ("要多久？", "long"),
    ],
)  # fmt: skip
def test_what_is_said_to_the_program_is_no_wish(text, topic):
    talk = talk_in(text)
    assert talk is not None and talk.topic == topic


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("what can you do with sound?", "audio"), ("which tools are there for pictures?", "image"),
        ("was kannst du mit Bildern machen?", "image"), ("was kann ich damit machen?", ""),
        ("que sais-tu faire avec les vidéos ?", "video"), ("¿qué puedes hacer con tablas?", "table"),
        ("你能用文字做什么？", "text"), ("声音可以怎么处理？", "audio"), ("what can I do with it?", ""),
    ],
)  # fmt: skip
def test_what_can_be_done_with_a_kind_of_things_is_asked_of_the_program(text, kind):
    talk = talk_in(text)
    assert talk is not None and (talk.topic, talk.rest) == ("with", kind)


@pytest.mark.parametrize(
    "text",
    [
        "what can you do with this picture to make it brighter?",
        "thanks, now blur it", "hello, please rotate a.jpg by 90 degrees", "how long is talk.wav?",
        "write 'hello' on the picture", "What is written on the sign?", "help me remove the dog from a.jpg",
    ],
)  # fmt: skip
def test_a_wish_is_not_taken_for_small_talk(text):
    assert talk_in(text) is None


def two_of(*steps: Step) -> Present:
    """The steps for a.jpg, and the same for b.jpg."""

    def other(argument):
        if isinstance(argument, FromNode):
            return replace(argument, node=f"{argument.node} 2")
        return FromResource("b.jpg") if argument == A else argument

    again = (Step(f"{s.id} 2", s.tool, {port: other(given) for port, given in s.arguments.items()}) for s in steps)
    return Present((*steps, *again), PICTURES[:2])


@pytest.mark.parametrize(
    ("present", "text", "edit"),
    [
        (two_of(*BORDER.steps), "red", SetValues({("border", "colour"): "red", ("border 2", "colour"): "red"})),
        (two_of(*BORDER.steps), "remove the border", Remove(("border 2", "border"))),
        (two_of(*CHAIN.steps), "remove the black and white", Remove(("grey 2", "grey"))),
        (two_of(*PLAIN_BORDER.steps), "make the border thicker", AskValue("border 2", "width", 1.5, ("border",))),
    ],
)
def test_what_is_done_to_two_files_is_changed_for_both(present, text, edit):
    found = PLANNER.follow_ups.read(text, present)
    if isinstance(edit, Remove):
        assert isinstance(found, Remove) and set(found.steps) == set(edit.steps)
    elif isinstance(edit, AskValue):
        assert isinstance(found, AskValue) and {found.step, *found.others} == {edit.step, *edit.others}
    else:
        assert found == edit


def test_two_steps_of_one_kind_after_each_other_are_two():
    twice = Present(
        (Step("one", "blur", {"image": A}), Step("two", "blur", {"image": FromNode("one", "image")})), PICTURES[:1]
    )
    found = PLANNER.follow_ups.read("remove the blur", twice)
    assert isinstance(found, Remove) and len(found.steps) == 1
    assert twice.alike("one") == ["one"] and two_of(*twice.steps).alike("two") == ["two", "two 2"]


def test_an_edit_for_one_of_two_files_leaves_the_other():
    found = PLANNER.follow_ups.read("make the border of b.jpg red", two_of(*BORDER.steps))
    assert not isinstance(found, SetValues) or len(found.values) == 1


def test_a_port_that_is_named_becomes_larger_whatever_else_can_be_large():
    blocks = Present((Step("px", "pixelate", {"image": A, "block": 10}),), PICTURES[:1])
    found = PLANNER.follow_ups.read("larger blocks", blocks)
    assert isinstance(found, SetValues) and found.values["px", "block"] > 10


@pytest.mark.parametrize(
    "text",
    [
        "use the first picture again", "back to the original", "start over with the original picture",
        "nimm wieder das erste Bild", "zurück zum Original", "recommence avec l'original",
        "go back to a.jpg", "use the original",
    ],
)  # fmt: skip
def test_back_to_the_only_picture_takes_all_steps_out(text):
    chain = Present((*WHOLE_BLUR.steps, Step("border", "border", {"image": FromNode("blur", "image")})), PICTURES[:1])
    assert PLANNER.follow_ups.read(text, chain) == Remove(("blur", "border"))


@pytest.mark.parametrize("text", ["show me the first picture", "show the original", "rotate the original"])
def test_what_only_looks_at_the_picture_takes_nothing_out(text):
    assert not isinstance(PLANNER.follow_ups.read(text, WHOLE_BLUR), Remove)


@pytest.mark.parametrize(
    ("wish", "text"), [("louder and save as mp3", "a bit less"), ("lauter, als mp3", "etwas weniger")]
)
def test_less_is_of_the_step_that_a_degree_was_said_of(wish, text):
    steps = (Step("louder", "change_volume", {"audio": FromResource("a.wav")}),
             Step("file", "audio_file", {"audio": FromNode("louder", "audio"), "format": "mp3"}))  # fmt: skip
    present = Present(steps, (Given("a.wav", "audio"),), wish=wish)
    assert PLANNER.follow_ups.read(text, present) == SetValues({("louder", "gain"): 3})


@pytest.mark.parametrize(
    ("text", "tools", "missed"),
    [
        ("Make these grey and half as large", ("resize",), ("grey",)),
        ("Make these grey and half as large", ("black_and_white", "resize"), ()),
        ("mach es heller und drehe es", ("brightness_contrast",), ("drehe",)),
        ("make it sepia", ("edit_by_instruction",), ()),
        ("Read the table in this receipt", ("picture_to_table",), ()),
    ],
)
def test_what_no_step_does_of_a_request_is_known(text, tools, missed):
    steps = tuple(
        Step(tool, tool, {"image": A, **({"instruction": "sepia"} if tool == "edit_by_instruction" else {})})
        for tool in tools
    )
    assert PLANNER.follow_ups.unserved(text, Present(steps, PICTURES[:1])) == missed


@pytest.mark.parametrize("text", ["a bit bigger and yellow please", "größer und gelb", "yellow and bigger"])
def test_a_colour_beside_a_degree_is_set_too(text):
    there = Present(
        (Step("text", "add_text", {"image": A, "text": "14 July", "size": 34, "colour": "white"}),), PICTURES[:1]
    )
    found = PLANNER.follow_ups.read(text, there)
    assert isinstance(found, SetValues) and found.values[("text", "colour")] == "yellow"
    assert found.values[("text", "size")] > 34


BOTTOM = Present(
    (Step("text", "add_text", {"image": A, "text": "Hello", "position": "bottom"}),), PICTURES[:1],
    wish="write Hello at the bottom of a.jpg",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "larger", "also"),
    [
        ("bigger and yellow", True, {"colour": "yellow"}),
        ("make it bigger and red", True, {"colour": "red"}),
        ("größer und gelb", True, {"colour": "yellow"}),
        ("plus grand et jaune", True, {"colour": "yellow"}),
        ("at the top and bigger", True, {"position": "top"}),
        ("smaller and blue", False, {"colour": "blue"}),
        ("a bit smaller and at the top", False, {"position": "top"}),
    ],
)
def test_a_size_that_nobody_set_changes_beside_what_else_is_said(text, larger, also):
    found = PLANNER.follow_ups.read(text, BOTTOM)
    assert isinstance(found, AskValue) and found.port == "size" and (found.by > 1) == larger
    assert {port: value for (_, port), value in found.also.items()} == also


@pytest.mark.parametrize(
    ("text", "louder", "faster"),
    [
        ("slower and louder", True, False),
        ("quieter and faster", False, True),
        ("a bit slower and a bit quieter", False, False),
        ("langsamer und lauter", True, False),
        ("louder", True, None),
        ("slower", None, False),
    ],
)
def test_more_of_two_things_is_more_of_both_steps(text, louder, faster):
    steps = (
        Step("v", "change_volume", {"audio": FromResource("a.wav"), "gain": 6}),
        Step("s", "change_speed", {"audio": FromNode("v", "audio"), "speed": 1.5}),
    )
    found = PLANNER.follow_ups.read(text, Present(steps, (Given("a.wav", "audio"),)))
    assert isinstance(found, SetValues)
    gain, speed = (found.values.get(key) for key in (("v", "gain"), ("s", "speed")))
    assert (None if gain is None else gain > 6, None if speed is None else speed > 1.5) == (louder, faster)
