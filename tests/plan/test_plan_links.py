"""Who feeds whom: siblings and chains, parts before what joins them, addresses, instructions, what "the text" is in."""

from __future__ import annotations

import pytest

from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.types import FromNode, Request, Solution
from tests.plan.worlds import attached, faults, port, tool

TOOLS = (
    tool("l_load", "Image loader", "Downloads an image from a given address.", [port("url", "url")],
         [port("image", "image")]),
    tool("l_loadsound", "Audio loader", "Downloads an audio file from a given address.", [port("url", "url")],
         [port("audio", "audio")]),
    tool("l_address", "Address finder", "Extracts the URL from a text.", [port("text", "text")], [port("url", "url")]),
    tool("l_read", "Text reader", "Extracts text from an image by character recognition.", [port("image", "image")],
         [port("text", "text")]),
    tool("l_hear", "Transcriber", "Transcribes speech from an audio file into text.", [port("audio", "audio")],
         [port("text", "text")]),
    tool("l_mood", "Sentiment", "Analyzes the sentiment of a given text.", [port("text", "text")],
         [port("text", "text")]),
    tool("l_grammar", "Grammar checker", "Checks a given text for grammatical errors.", [port("text", "text")],
         [port("text", "text")]),
    tool("l_simple", "Text simplifier", "Rewrites a given text in a simpler manner.", [port("text", "text")],
         [port("text", "text")]),
    tool("l_paint", "Text to image", "Generates an image based on a text description.", [port("text", "text")],
         [port("image", "image")]),
    tool("l_film", "Text to video", "Generates a video based on a text description.", [port("text", "text")],
         [port("video", "video")]),
    tool("l_search", "Video search", "Searches for videos on the internet based on a query.", [port("text", "text")],
         [port("video", "video")]),
    tool("l_pages", "Text search", "Searches for texts on the internet based on a query.", [port("text", "text")],
         [port("text", "text")]),
    tool("l_colour", "Image colorizer", "Adds color to a black and white image.", [port("image", "image")],
         [port("image", "image")]),
    tool("l_still", "Still of a video", "Extracts a still image from a video.", [port("video", "video")],
         [port("image", "image")]),
    tool("l_stitch", "Image stitcher", "Stitches together two images to create a panorama.",
         [port("image1", "image"), port("image2", "image")], [port("image", "image")]),
    tool("l_voice", "Voice changer", "Modifies a recorded voice according to human instruction, such as pitch.",
         [port("audio", "audio"), port("text", "text")], [port("audio", "audio")]),
    tool("l_speed", "Video speed", "Adjusts the playback speed of a video according to human instruction.",
         [port("video", "video"), port("text", "text")], [port("video", "video")]),
    tool("l_sound", "Video to audio", "Extracts the audio track from a video.", [port("video", "video")],
         [port("audio", "audio")]),
    tool("l_sync", "Synchronization", "Synchronizes an audio file with a video.",
         [port("video", "video"), port("audio", "audio")], [port("video", "video")]),
)  # fmt: skip
PLANNER = OfflinePlanner(TOOLS)


def best(text: str, *names: str) -> Solution:
    request = Request(text, attached(*names))
    solution = PLANNER.plan(request).solutions[0]
    assert faults(solution, request, TOOLS) == []
    return solution


def links(text: str, *names: str) -> set[tuple[str, str]]:
    """Pairs of tools of which the first feeds the second."""
    solution = best(text, *names)
    tool_of = {step.id: step.tool for step in solution.steps}
    pairs = set()
    for step in solution.steps:
        for argument in step.arguments.values():
            items = argument if isinstance(argument, tuple) else (argument,)
            pairs |= {(tool_of[item.node], step.tool) for item in items if isinstance(item, FromNode)}
    return pairs


def test_the_mood_of_a_text_is_not_what_is_corrected():
    text = (
        "I have a picture (a.jpg) with some text on it. Tell me the sentiment of the text, and also correct any"
        " grammatical errors in the text."
    )
    found = links(text, "a.jpg")
    assert found == {("l_read", "l_mood"), ("l_read", "l_grammar")}


@pytest.mark.parametrize(
    "text",
    [
        "Create a panorama by stitching together a colorized version of a.jpg and a still image from the video b.mp4",
        "I want a panorama stitched from a colorized a.jpg and a still image extracted from b.mp4",
    ],
)
def test_parts_are_made_before_they_are_joined(text):
    assert {("l_colour", "l_stitch"), ("l_still", "l_stitch")} <= links(text, "a.jpg", "b.mp4")


def test_a_product_is_made_although_its_tool_explains_only_what_stands_beside_it():
    assert ("l_simple", "l_film") in links("Create a video explaining the text of notes.txt in a simplified manner",
                                          "notes.txt")  # fmt: skip


def test_an_address_stands_for_the_sound_behind_it():
    found = links("Synchronize the audio file at 'https://example.com/talk.wav' with the video clip.mp4", "clip.mp4")
    assert found == {("l_loadsound", "l_sync")}


def test_an_address_that_is_named_later_is_read():
    text = "Apply more color to a black and white image. The URL is https://example.com/old.jpg"
    assert links(text) == {("l_load", "l_colour")}


def test_an_address_inside_of_a_text_is_found_first():
    text = "I have this text: 'Look at https://example.com/old.jpg'. Add color to the image in the link."
    assert links(text) == {("l_address", "l_load"), ("l_load", "l_colour")}


def test_a_name_after_download_from_is_an_address():
    solution = best("Download an image from old.jpg and add color to it")
    assert [step.tool for step in solution.steps] == ["l_load", "l_colour"]
    assert solution.steps[0].arguments == {"url": "old.jpg"}


def test_what_is_based_on_a_mood_is_told_by_it():
    text = "Adjust the speed of clip.mp4 based on the sentiment of this text: 'I love it'"
    assert links(text, "clip.mp4") == {("l_mood", "l_speed")}


def test_instructions_that_were_read_are_followed():
    text = "Extract the instructions from the image a.jpg, then change the voice in b.wav according to the instructions"
    assert links(text, "a.jpg", "b.wav") == {("l_read", "l_voice")}


def test_wording_that_says_how_needs_no_text_from_elsewhere():
    text = "Simplify the text 'a long text', then raise the pitch of the voice in b.wav"
    assert ("l_simple", "l_voice") not in links(text, "b.wav")


def test_the_original_is_the_first_of_its_kind():
    text = "Download the image from https://example.com/a.jpg, add color to it, and read the text in the original image"
    assert links(text) == {("l_load", "l_colour"), ("l_load", "l_read")}


def test_two_verbs_with_one_object_are_one_wish():
    found = links("Read the text in a.jpg, then search for and give me a list of related videos", "a.jpg")
    assert found == {("l_read", "l_search")}


def test_a_name_to_save_under_is_no_file_to_work_on():
    solution = best(
        "Take the sound of clip.mp4, raise the pitch of the voice and save the audio as 'out.wav'", "clip.mp4"
    )
    assert "out.wav" not in str(solution.steps)


def test_the_goal_named_first_is_reached_last():
    text = "I want a video about the sea. Simplify the text of notes.txt and finally generate a video"
    assert [step.tool for step in best(text, "notes.txt").steps] == ["l_simple", "l_film"]


def test_the_text_that_is_named_is_what_a_missing_picture_is_made_of():
    text = (
        "Simplify the text 'The cat is on the chair', and then create a panorama image using this simplified text and"
        " an image downloaded from 'https://example.com/a.jpg'"
    )
    assert links(text) == {("l_load", "l_stitch"), ("l_simple", "l_paint"), ("l_paint", "l_stitch")}


def test_a_speed_that_is_based_on_something_made_is_told_by_it():
    text = "The playback speed of the video clip.mp4 should be adjusted based on the transcription of talk.wav"
    assert links(text, "clip.mp4", "talk.wav") == {("l_hear", "l_speed")}


def test_a_basis_named_first_holds_for_the_wishes_after_it():
    text = (
        "Analyze the sentiment of the text in notes.txt. Then, based on the sentiment, change the voice in talk.wav and"
        " adjust the speed of clip.mp4."
    )
    found = links(text, "notes.txt", "talk.wav", "clip.mp4")
    assert found == {("l_mood", "l_voice"), ("l_mood", "l_speed")}


def test_two_searches_side_by_side_look_for_the_same():
    found = links("Simplify the text of notes.txt, search for related texts and find related videos", "notes.txt")
    assert found == {("l_simple", "l_pages"), ("l_simple", "l_search")}


def test_what_is_done_before_a_wish_that_was_named_earlier_feeds_that_wish():
    text = "Stitch a.jpg and b.jpg together to a panorama. Please add color to a.jpg before stitching it."
    assert links(text, "a.jpg", "b.jpg") == {("l_colour", "l_stitch")}


def test_a_generated_picture_is_still_to_be_made():
    text = "Analyze the sentiment of the text in notes.txt. I also want a generated image representing the sentiment."
    assert links(text, "notes.txt") == {("l_mood", "l_paint")}
