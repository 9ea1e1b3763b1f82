"""What was made is compared with what was asked for, as far as the words say it in units that can be compared."""

from __future__ import annotations

import pytest

from desktop_app.graph.workflow import Node, Workflow
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.answering import checks
from desktop_app.session.answering.request_words import unlooked
from desktop_app.session.messages import ResultCheck
from desktop_app.storage.resources import Resource
from nodes import load_tools
from nodes.api import ResourceType
from nodes.phrase import Phrase


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("crop it to 35 by 45 pixels", {"35 pixels wide": True, "45 pixels high": True}),
        ("crop it to 30 by 45 pixels", {"30 pixels wide": False, "45 pixels high": True}),
        ("crop it to 35 by 45 mm", {}),
        ("make it 35 mm wide", {}),
    ],
)
def test_only_pixels_are_compared_with_pixels(said, told):
    workflow = Workflow(nodes=(Node("crop", "crop"),), wanted=(("crop", "image"),))
    made = Resource("cat_crop.png", ResourceType.IMAGE, "0", ".png", {"width": 35, "height": 45}, "crop")
    run = Run("r", nodes={"crop": NodeRun("done", outputs={"image": made})}, outcome="ok")
    result = checks.RunOutcome(workflow, run, load_tools().tools, (said,), "", lambda one: None, lambda one: None)  # type: ignore[arg-type, return-value]
    assert {str(check.wanted): check.ok for check in checks._sizes(result)} == told


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("a picture of its sound wave too", []),
        ("save it as a .wav", ["wav"]),
        ("save the picture as jpeg", ["jpg"]),
        ("How many words are in this pdf?", []),
        ("Wie viele Wörter stehen in diesem PDF?", []),
        ("Combien de pages dans ce pdf ?", []),
        ("¿Cuántas palabras hay en este pdf?", []),
        ("turn the photos in the folder into a pdf", ["pdf"]),
        ("make a gif of the mp4", ["gif"]),
        ("fais-en un pdf", ["pdf"]),
    ],
)
def test_the_form_of_a_file_is_said_by_its_ending(text, forms):
    assert checks._forms_in(text) == forms


MADE = {
    "pdf": ("write_document", "document", Resource("letter.pdf", ResourceType.FILE, "0", ".pdf")),
    "wav": ("text_to_speech", "audio", Resource("letter.wav", ResourceType.AUDIO, "1", ".wav")),
    "mp3": ("convert_audio", "audio", Resource("letter.mp3", ResourceType.AUDIO, "2", ".mp3")),
}


@pytest.mark.parametrize(
    ("said", "results", "told"),
    [
        ("Save this letter as a pdf and read it to me", "pdf wav", {"pdf": True}),
        ("Read it to me and save it as pdf", "wav pdf", {"pdf": True}),
        ("Speichere den Brief als PDF und lies ihn vor", "pdf wav", {"pdf": True}),
        ("Enregistre la lettre en pdf et lis-la-moi", "pdf wav", {"pdf": True}),
        ("Guarda la carta como pdf y léela", "pdf wav", {"pdf": True}),
        ("把这封信保存为pdf并朗读", "pdf wav", {"pdf": True}),
        ("save it as a pdf", "wav", {"wav": False}),
        ("save both as mp3", "mp3 wav", {"mp3": True, "wav": False}),
    ],
)
def test_each_of_several_results_is_compared_with_its_own_wish(said, results, told):
    made = {kind: MADE[kind] for kind in results.split()}
    nodes = tuple(Node(kind, tool) for kind, (tool, _, _) in made.items())
    workflow = Workflow(nodes=nodes, wanted=tuple((kind, port) for kind, (_, port, _) in made.items()))
    runs = {kind: NodeRun("done", outputs={port: one}) for kind, (_, port, one) in made.items()}
    run = Run("r", nodes=runs, outcome="ok")
    result = checks.RunOutcome(workflow, run, load_tools().tools, (said,), "", None, None)  # type: ignore[arg-type]
    assert {check.node: check.ok for check in checks._forms(result)} == told


@pytest.mark.parametrize(("start", "told"), [(None, [True]), (1.0, [])])
def test_what_is_kept_from_the_beginning_is_as_long_as_its_end(start, told):
    trim = Node("trim", "trim_audio", {"end": 3.0} if start is None else {"start": start, "end": 3.0})
    made = Resource("talk_trim.wav", ResourceType.AUDIO, "0", ".wav", {"seconds": 3.0}, "trim")
    run = Run("r", nodes={"trim": NodeRun("done", outputs={"audio": made})}, outcome="ok")
    said = ("keep the first 3 seconds",)
    result = checks.RunOutcome(Workflow(nodes=(trim,)), run, load_tools().tools, said, "", None, None)  # type: ignore[arg-type]
    assert [check.ok for check in checks._durations(result)] == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("speak the notes in 20 seconds at most", [False]), ("speak it in no more than 60 seconds", [True]),
        ("lies es vor, höchstens 20 Sekunden", [False]), ("朗读出来，最多20秒", [False]),
        ("say that the talk was 20 seconds late", []),
    ],
)  # fmt: skip
def test_what_may_not_be_longer_is_held_to_that_though_no_step_was_told(said, told):
    made = Resource("notes_speech.wav", ResourceType.AUDIO, "0", ".wav", {"seconds": 53.6}, "speech")
    run = Run("r", nodes={"speech": NodeRun("done", outputs={"audio": made})}, outcome="ok")
    workflow = Workflow(nodes=(Node("speech", "text_to_speech"),), wanted=(("speech", "audio"),))
    result = checks.RunOutcome(workflow, run, load_tools().tools, (said,), "", None, None)  # type: ignore[arg-type]
    assert [check.ok for check in checks._durations(result)] == told


def outcome(said, size, shape="free"):
    """A crop to `size` pixels, with its input `shape`, after these words."""
    workflow = Workflow(nodes=(Node("crop", "crop", {"shape": shape}),), wanted=(("crop", "image"),))
    facets = dict(zip(("width", "height"), size, strict=True))
    made = Resource("cat_crop.png", ResourceType.IMAGE, "0", ".png", facets, "crop")
    run = Run("r", nodes={"crop": NodeRun("done", outputs={"image": made})}, outcome="ok")
    return checks.RunOutcome(workflow, run, load_tools().tools, said, "", None, None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "size", "told"),
    [
        (("crop it to a square",), (400, 400), {"as wide as high": True}),
        (("crop it to a square",), (600, 400), {"as wide as high": False}),
        (("mach ein Quadrat daraus",), (600, 400), {"as wide as high": False}),
        (("make it 16:9",), (600, 337), {"16 wide to 9 high": True}),
        (("make it 16:9",), (600, 400), {"16 wide to 9 high": False}),
        (("make it 16:9",), (337, 600), {"16 wide to 9 high": False}),
        (("crop it to a square", "no, 4:3"), (400, 300), {"4 wide to 3 high": True}),
        (("draw a red square around the cat",), (600, 400), {}),
        (("the plan is 1:100",), (600, 400), {}),
        (("the frame at 0:16",), (600, 400), {}),
    ],
)
def test_the_proportions_are_compared_with_those_that_were_asked_for(said, size, told):
    assert {str(check.wanted): check.ok for check in checks._proportions(outcome(said, size))} == told


@pytest.mark.parametrize(("size", "told"), [((128, 128), [True]), ((128, 427), [False])])
def test_a_square_is_compared_however_it_was_said(size, told):
    made = outcome(("a square thumbnail, 128 pixels",), size, "square")
    assert [check.ok for check in checks._proportions(made)] == told


@pytest.mark.parametrize(
    ("width", "said", "told"),
    [
        (33, ("frame it", "make the border 40 pixels wide", "a bit thinner"), []),
        (None, ("make it 40 pixels wide",), [False]),
    ],
)
def test_a_width_that_was_changed_since_is_not_held_against_the_picture(width, said, told):
    workflow = Workflow(
        nodes=(Node("border", "border", {"width": width} if width else {}),), wanted=(("border", "image"),)
    )
    made = Resource("a.png", ResourceType.IMAGE, "0", ".png", {"width": 666, "height": 466}, "border")
    run = Run("r", nodes={"border": NodeRun("done", outputs={"image": made})}, outcome="ok")
    result = checks.RunOutcome(workflow, run, load_tools().tools, said, "", None, None)  # type: ignore[arg-type]
    assert [check.ok for check in checks._sizes(result)] == told


@pytest.mark.parametrize(
    ("said", "values", "told"),
    [
        ("a border 40 pixels wide", {"width": 40}, []),
        ("a border 40 pixels wide", {}, ["“40 pixels”"]),
        ("by 20 percent", {"amount": 0.2}, []),
        ("20 percent smaller", {"percent": 80}, []),
        ("for 2 minutes", {"seconds": 120}, []),
        ("turn it by 30 degrees", {"degrees": -30}, []),
        ("turn it by 30 degrees", {"text": "30° to the left"}, []),
        ("turn it by 30 degrees", {"degrees": 90}, ["“30 degrees”"]),
        ("and wait 5 minutes", {"width": 300}, ["“5 minutes”"]),
        ("three pictures", {}, []),
    ],
)
def test_an_amount_that_no_step_was_told_is_not_checked(said, values, told):
    workflow = Workflow(nodes=(Node("one", "border", values),))
    result = checks.RunOutcome(workflow, Run("r"), load_tools().tools, (said,), "", None, None)  # type: ignore[arg-type]
    found = list(checks._not_placed(result, ()))
    assert [str(check.wanted) for check in found] == told and not checks.is_wrong(found)


def test_what_no_step_did_stands_beside_no_all_clear():
    done, open = ResultCheck(Phrase("a jpg file"), True), ResultCheck(Phrase("“40 pixels”"), False, "", "", False)
    result = checks.RunOutcome(Workflow(), Run("r"), {}, ("grey",), "", None, None, ("grey",))  # type: ignore[arg-type]
    missed = list(checks._not_done(result))
    assert checks.sentence([done, open]) == "As asked: a jpg file. Not checked: “40 pixels”."
    assert checks.sentence([done, *missed]) == "As asked: a jpg file. Not done, it seems: “grey”."
    assert checks.sentence([*missed, open]) == "Not done, it seems: “grey”. Not checked: “40 pixels”."
    assert not checks.is_wrong([done, open, *missed])


@pytest.mark.parametrize(
    ("said", "set_to", "text", "told"),
    [
        ("summarise it in one sentence", 1, "Dr. Meyer builds a bridge of 4.2 km.", {"one sentence": True}),
        ("summarise it in one sentence", None, "It is wide. It is long.", {"one sentence": False}),
        ("summarise it in one sentence", 1, "“It is late.” She left.", {"one sentence": False}),
        ("fasse es in einem Satz zusammen", None, "Es ist breit. dann ist es lang.", {"one sentence": False}),
        ("sum it up in two or three sentences", None, "One. Two. Three.", {"at most 3 sentences": True}),
        ("用一句话总结", None, "很宽。很长。", {"one sentence": False}),
        ("summarise it", None, "It is wide. It is long.", {}),
    ],
)
def test_sentences_are_counted_against_the_wish_though_no_step_was_told(said, set_to, text, told):
    node = Node("s", "summarise", {} if set_to is None else {"sentences": set_to})
    made = Resource("a_summary.txt", ResourceType.TEXT, "0", ".txt", {}, "s")
    run = Run("r", nodes={"s": NodeRun("done", outputs={"text": made})}, outcome="ok")
    workflow = Workflow(nodes=(node,), wanted=(("s", "text"),))
    result = checks.RunOutcome(workflow, run, load_tools().tools, (said,), "", None, lambda _: text)  # type: ignore[arg-type]
    assert {str(check.wanted): check.ok for check in checks._sentences(result)} == told


def text_of(tool, text, *said, **values):
    """What a tool wrote after these words."""
    made = Resource("a.txt", ResourceType.TEXT, "0", ".txt", {}, "write")
    run = Run("r", nodes={"write": NodeRun("done", outputs={"text": made})}, outcome="ok")
    workflow = Workflow(nodes=(Node("write", tool, values),), wanted=(("write", "text"),))
    return checks.RunOutcome(workflow, run, load_tools().tools, said, "", None, lambda one: text)  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize(
    ("said", "told"),
    [("a title with at most 3 words", {"at most 3 words": False}),
     ("ein Titel mit 7 Wörtern", {"at most 7 words": True}), ("a title of exactly five words", {"5 words": False}),
     ("un titre de 4 mots", {"at most 4 words": False}),
     ("a title", {}), ("how many words has it", {})],
)  # fmt: skip
def test_the_words_of_a_text_are_counted_where_their_number_was_said(said, told):
    made = text_of("title_text", "Minutes of the garden committee, 12 November", said)
    assert {str(check.wanted): check.ok for check in checks._words(made)} == told


@pytest.mark.parametrize(
    ("said", "told"),
    [("in exactly 3 sentences", {"3 sentences": False}), ("genau zwei Sätze", {"2 sentences": True}),
     ("in 3 sentences", {"at most 3 sentences": True})],
)  # fmt: skip
def test_exactly_so_many_sentences_are_no_fewer(said, told):
    made = text_of("summarise", "One is here. Two is there.", said)
    assert {str(check.wanted): check.ok for check in checks._sentences(made)} == told


@pytest.mark.parametrize(
    ("said", "told"),
    [("a collage with 2 rows, 800 px wide", {"800 pixels wide": False}), ("a collage with gaps 800 px wide", {})],
)
def test_a_width_that_went_into_something_else_is_held_against_the_picture(said, told):
    workflow = Workflow(nodes=(Node("all", "collage", {"columns": 2, "gap": 800}),), wanted=(("all", "image"),))
    made = Resource("a.png", ResourceType.IMAGE, "0", ".png", {"width": 3600, "height": 3200}, "all")
    run = Run("r", nodes={"all": NodeRun("done", outputs={"image": made})}, outcome="ok")
    result = checks.RunOutcome(workflow, run, load_tools().tools, (said,), "", None, None)  # type: ignore[arg-type]
    assert {str(check.wanted): check.ok for check in checks._sizes(result)} == told


def test_golden_things_are_things_of_a_colour():
    assert unlooked("golden coins", Workflow()) == "golden" and unlooked("wooden boxes", Workflow()) == ""


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("שלום עולם", "Not checked: the words “שלום עולם”."),
        ("Привет", "Not checked: the words “Привет”."),
        ("Hello there", "Not as asked: wanted the words “Hello there”, got “nothing like it” can be read."),
        ("nothing like it", "As asked: the words “nothing like it”."),
    ],
)
async def test_letters_that_the_reader_of_pictures_does_not_know_are_not_missed(monkeypatch, words, found):
    async def read(*given: object) -> str:
        return "nothing like it"

    monkeypatch.setattr(checks, "_found", read)
    workflow = Workflow(nodes=(Node("add", "add_text", {"text": words}),), wanted=(("add", "image"),))
    made = Resource("a.png", ResourceType.IMAGE, "0", ".png", {}, "add")
    run = Run("r", nodes={"add": NodeRun("done", outputs={"image": made})}, outcome="ok")
    result = checks.RunOutcome(
        workflow, run, load_tools().tools, (f"write “{words}” on it",), "", lambda one: None, lambda one: None
    )  # type: ignore[arg-type, return-value]
    told = [check async for check in checks._looked_at(result, None)]  # type: ignore[arg-type]
    assert str(checks.sentence(told)) == found
