"""Tool sets of other domains: types, names and languages that no list of ours knows."""

from __future__ import annotations

import pytest

from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.tools.tool_index import profile_of
from desktop_app.plan.tools.tool_specs import from_data
from desktop_app.plan.types import Request
from tests.benchmarks.own_requests import f1
from tests.benchmarks.planning_sets import planned, tool_sets
from tests.plan.worlds import tool

DATA = tool_sets()
PLANNERS = {name: OfflinePlanner(from_data(data)) for name, data in DATA.items()}


def tools(name: str, text: str) -> list[str]:
    found = PLANNERS[name].plan(Request(text)).solutions
    return [step.tool for step in found[0].steps] if found else []


@pytest.mark.parametrize("name", DATA)
def test_most_requests_to_a_strange_tool_set_find_their_tools(name):
    pairs = [(wanted.nodes, found.nodes) for _, wanted, found in planned(DATA[name])]
    assert f1(pairs) > 0.8


def test_a_verb_that_no_list_knows_begins_a_wish_of_its_own():
    assert tools("lab", "spin the tube, pick the supernatant and pipette 50 of it into the plate") == [
        "centrifugeTube", "SupernatantPicker", "pipetteLiquid",
    ]  # fmt: skip


def test_a_word_for_one_of_our_types_may_be_a_verb():
    assert tools("geo", "buffer the layer by 50 m and clip it to the outline") == ["buffer_features", "ClipLayer"]


def test_what_a_tool_works_on_is_there_when_it_is_spoken_of():
    assert tools("geo", "make a hillshade of the elevation model") == ["hillshade"]


def test_a_question_goes_to_a_tool_that_speaks_of_most_of_it():
    assert tools("geo", "how steep is the terrain") == ["SlopeCalculator"]
    assert tools("geo", "what is the capital of France") == []


def test_to_show_a_thing_on_something_is_more_than_to_hand_it_over():
    assert tools("geo", "reproject the layer to EPSG:4326 and show it on a map") == ["reproject", "mapRenderer"]


def test_tools_described_in_other_languages_are_understood():
    assert tools("office", "translate 'good morning' to Spanish") == ["traducirTexto"]
    assert tools("farm", "Fly a drone over the field and count the weeds")[:1] == ["droneSurvey"]
    profile = profile_of(tool("t", "Traductor", "Traduce un texto a otro idioma.", "", ""), lexicon())
    assert profile.weights["translate"] > 0.5


def test_a_form_of_the_result_comes_last():
    found = PLANNERS["shop"].plan(Request("describe the photo lamp.jpg in German")).solutions
    assert [step.tool for step in found[0].steps] == ["describe_product_photo", "übersetzeText"]


def test_the_name_of_who_does_it_names_what_is_done():
    profile = profile_of(tool("t", "Audio Splicer", "Handles files.", "", ""), lexicon())
    assert profile.weights["splice"] == 1.0
    clipper = profile_of(tool("t", "Clipper", "Handles films.", "", ""), lexicon())
    assert {"clip", "clipper"} <= clipper.weights.keys()
    assert "numb" not in profile_of(tool("t", "Number", "Counts.", "", ""), lexicon()).weights


def test_two_words_of_a_name_may_be_written_as_one():
    profile = profile_of(tool("t", "autoTune", "Corrects a voice.", "", ""), lexicon())
    assert "autotun" in profile.weights


def test_words_inside_of_phrases_still_count():
    weights = profile_of(tool("t", "stemSeparation", "Splits a song into vocals and drums.", "", ""), lexicon()).weights
    assert {"split", "stem"} <= weights.keys()
