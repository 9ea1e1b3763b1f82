"""What the answer says, and that each statement can be traced to the node behind it."""

from __future__ import annotations

import asyncio
import dataclasses
import re

import pytest

from desktop_app.core import markdown
from desktop_app.core.errors import BadReply
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.i18n import catalogue
from desktop_app.i18n.tools import LocalizedTools
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.answering import answer, answer_tables, request_words
from desktop_app.session.messages import Message, inserted, main_length
from desktop_app.storage.resources import Resource, Store
from nodes import load_tools
from nodes.api import Backend, Box, Label, Port, ResourceType, Table, Tool

T = ResourceType


def tool(id, title, inputs, output):
    ports = tuple(Port(t.value, t, "it") for t in inputs)
    made = Port("out", output, "it", unit="%" if output is T.LABELS else "")
    return Tool(id, title, "image", "Does.", ports, (made,), (Backend("b", "B", lambda: None),))


TOOLS = {
    t.id: t
    for t in (
        tool("faces", "Detect faces", (T.IMAGE,), T.BOXES),
        tool("chosen", "Choose boxes", (T.BOXES,), T.BOXES),
        tool("count", "Count boxes", (T.BOXES,), T.NUMBER),
        tool("sum", "Add numbers", (T.NUMBER,), T.NUMBER),
        tool("read", "Read text", (T.IMAGE,), T.TEXT),
        tool("say", "Text to speech", (T.TEXT,), T.AUDIO),
        tool("mood", "Sentiment", (T.TEXT,), T.LABELS),
        tool("table", "Facts", (T.IMAGE,), T.TABLE),
        tool("paint", "Watercolour", (T.IMAGE,), T.IMAGE),
        dataclasses.replace(
            tool("ask", "Ask about table", (), T.TEXT), inputs=(Port("question", T.TEXT, "what to tell"),)
        ),
        dataclasses.replace(tool("redact", "Black out", (T.IMAGE,), T.IMAGE), does="hides"),
    )
}
REAL = load_tools().tools
FACE = Box(1, 0, 6, 5, "face", 0.9)
PICTURES = {"a.jpg": 3, "b.jpg": 1, "c.jpg": 2}


class World:
    """A finished run put together by hand."""

    def __init__(self, tmp_path):
        self.store = Store(tmp_path)
        self.resources, self.nodes, self.links, self.runs = {}, [], [], {}
        self.tools = TOOLS

    def file(self, name):
        self.resources[name] = Resource(name, T.IMAGE, "0" * 64, ".jpg")

    def node(self, id, kind, value, *feeds, type=None, **facets):
        type = self.tools[kind].outputs[0].type
        if type in (T.AUDIO, T.IMAGE, T.MASK):
            suffix = ".wav" if type is T.AUDIO else ".png"
            made = Resource(f"{id}{suffix}", type, "1" * 64, suffix, facets, id)
        else:
            digest, suffix = self.store.put_value(value, type)
            made = Resource(f"{id}{suffix}", type, digest, suffix, facets, id)
        self.nodes.append(Node(id, kind))
        self.links += [Link(f, "value" if f in self.resources else "out", id, "in") for f in feeds]
        self.runs[id] = NodeRun("done", outputs={"out": made})

    def reply(self, wanted=(), chat=None, outcome="ok", request="how?", wish="", tools=TOOLS):
        workflow = Workflow(tuple(self.resources.values()), tuple(self.nodes), tuple(self.links), wanted)
        run = Run("r", 0.0, self.runs, outcome)

        async def last():
            said = request_words.reply_language(request, "")
            replies = answer.stream(request, workflow, run, tools, self.store.value, chat, wish=wish, language=said)
            return [reply async for reply in replies][-1]

        return asyncio.run(last())


@pytest.fixture
def world(tmp_path):
    return World(tmp_path)


def face(i):
    return Box(i, 0, i + 5, 5, "face", 0.9)


def test_three_counts_and_their_sum_are_said(world):
    for name, count in PICTURES.items():
        world.file(name)
        world.node(f"f{name}", "faces", tuple(map(face, range(count))), name)
        world.node(f"c{name}", "count", count, f"f{name}")
    world.node("sum", "sum", 6.0, *(f"c{name}" for name in PICTURES))
    wanted = (*((f"c{name}", "out") for name in PICTURES), ("sum", "out"))
    text, references = world.reply(wanted)
    assert text.split("\n\n") == [
        "There are 3 faces in a.jpg.",
        "There is 1 face in b.jpg.",
        "There are 2 faces in c.jpg.",
        "There are 6 faces in all.",
    ]
    assert [(text[r.start : r.end], r.node) for r in references][-1] == ("There are 6 faces in all.", "sum")


def test_none_is_said_in_words(world):
    world.file("sky.png")
    world.node("f", "faces", (), "sky.png")
    world.node("c", "count", 0, "f")
    assert world.reply((("c", "out"),))[0] == "There are no faces in sky.png."


def test_nothing_found_for_a_change_is_said(world):
    world.file("sky.png")
    world.node("f", "faces", (), "sky.png")
    world.node("say", "say", None, "f", seconds=1.0)
    assert "There are no faces in sky.png." in world.reply((("say", "out"),))[0]


@pytest.mark.parametrize(
    ("found", "masked", "said"),
    [((), False, "unchanged"), ((), True, "unchanged"), ((FACE,), False, "with what was found covered (heart)"),
     ((FACE,), True, "blurred")],
)  # fmt: skip
def test_a_picture_in_which_nothing_was_found_is_never_told_to_be_covered(world, found, masked, said):
    tools = {**TOOLS, **{id: REAL[id] for id in ("detect_faces", "cover_boxes", "mask_from_boxes", "blur")}}
    world.tools = tools
    world.file("sky.png")
    world.node("f", "detect_faces", found, "sky.png")
    if masked:
        world.node("m", "mask_from_boxes", None, "f")
        world.node("last", "blur", None, "sky.png")
        world.links.append(Link("m", "out", "last", "mask"))
    else:
        world.node("last", "cover_boxes", None, "sky.png", "f")
        world.nodes[-1] = Node("last", "cover_boxes", {"symbol": "heart"})
    text, _ = world.reply((("last", "out"),), tools=tools)
    assert f"Here is sky.png, {said}: **last.png**" in text


def test_boxes_that_were_wanted_are_counted(world):
    world.file("a.png")
    world.node("f", "faces", (face(1), face(9)), "a.png")
    assert world.reply()[0] == "There are 2 faces in a.png."


def test_what_was_chosen_is_called_as_what_was_found(world):
    world.file("a.png")
    plain = face(1)._replace(label="")
    world.node("f", "faces", (plain, plain), "a.png")
    world.node("c", "chosen", (plain,), "f")
    assert world.reply((("c", "out"),))[0].startswith("There is 1 face in a.png.")


def test_what_is_written_somewhere_is_no_name_of_what_was_counted(world):
    world.file("sudoku.png")
    read = dataclasses.replace(
        TOOLS["faces"], title="Read text", outputs=(Port("text", T.TEXT, "it"), *TOOLS["faces"].outputs)
    )
    boxes = tuple(face(i)._replace(label=label) for i, label in enumerate(("7", "7", "GREEN CORNER CAFE")))
    world.node("f", "faces", boxes, "sudoku.png")
    world.node("c", "count", 3, "f")
    text, _ = world.reply((("c", "out"),), tools={**TOOLS, "faces": read})
    assert text == "There are 3 texts in sudoku.png."


def test_things_of_several_kinds_are_called_by_none_of_them(world):
    world.file("street.png")
    world.node("f", "faces", (face(1)._replace(label="dog"), face(9)._replace(label="cat"), face(20)), "street.png")
    world.node("c", "count", 3, "f")
    assert world.reply((("c", "out"),))[0] == "There are 3 things in street.png."


def test_chosen_ones_are_called_what_they_are(world):
    world.file("street.png")
    world.node("f", "faces", (face(1)._replace(label="dog"), face(9)._replace(label="cat")), "street.png")
    world.node("s", "chosen", (face(1)._replace(label="dog"),), "f")
    world.node("c", "count", 1, "s")
    assert world.reply((("c", "out"),))[0] == "There is 1 dog in street.png."


def test_of_the_one_that_was_chosen_it_is_said_where_it_is(world):
    world.file("street.png")
    world.node("f", "faces", (FACE, face(9)), "street.png")
    world.node("s", "chosen", (FACE,), "f")
    said = "There is 1 face in street.png. It is 5 × 5 pixels large, 1 from the left and 0 from the top."
    assert world.reply((("s", "out"),))[0] == said


def test_what_was_counted_in_a_text_that_a_step_wrote_is_not_said_of_the_file(world):
    world.tools = tools = {**TOOLS, **{id: REAL[id] for id in ("summarise", "count_words")}}
    world.file("notes.txt")
    for id, value, feed in (("summarise", "Two words", "notes.txt"), ("count_words", 2, "summarise")):
        world.node(id, id, value, feed)
        output = tools[id].outputs[0].name
        world.runs[id] = NodeRun("done", outputs={output: world.runs[id].outputs["out"]})
    world.links = [dataclasses.replace(one, output="text" if one.source == "summarise" else one.output)
                   for one in world.links]  # fmt: skip
    assert world.reply((("count_words", "number"),), tools=tools)[0].startswith("There are 2 words in summarise.txt.")


@pytest.mark.parametrize(
    ("kind", "heads", "told"),
    [
        ("detect_speech", ("start", "end", "seconds"), "| Anfang | Ende | Sekunden |"),
        ("filter_table", ("start", "end", "seconds"), "| start | end | seconds |"),
    ],
)
def test_columns_that_a_tool_named_are_told_in_the_language_of_the_request(world, kind, heads, told):
    world.tools = {**TOOLS, kind: REAL[kind]}
    world.file("a.wav")
    world.node("one", kind, Table(heads, ((1, 2, 3),)), "a.wav")
    text = world.reply((("one", "out"),), request="wann spricht hier jemand in der Aufnahme?", tools=world.tools)[0]
    assert told in text


def test_what_was_counted_is_called_as_before_when_a_follow_up_names_nothing(world):
    world.file("a.png")
    world.node("f", "faces", (face(1)._replace(label="thing"), face(9)._replace(label="thing")), "a.png")
    assert world.reply(request="make them green", wish="count the coins")[0] == "There are 2 coins in a.png."


def test_text_met_on_the_way_is_quoted(world):
    world.file("sign.png")
    world.node("read", "read", "Mind the gap", "sign.png")
    world.node("say", "say", None, "read", seconds=2.0)
    text, _ = world.reply((("say", "out"),))
    assert "> Mind the gap" in text
    assert "**say.wav** (2.0 s)" in text


def test_what_was_wanted_comes_first_and_what_lay_on_the_way_stands_aside(world):
    world.file("sign.png")
    world.node("read", "read", "Mind the gap", "sign.png")
    world.node("say", "say", None, "read", seconds=2.0)
    text, references = world.reply((("say", "out"),))
    assert [(one.node, one.aside) for one in references] == [("say", False), ("read", True)]
    message = inserted(Message(1, "assistant", text, "answer", references=references), "\n\nAs asked.")
    main, aside = message.text[: main_length(message)], message.references[1]
    assert main.startswith("Here is") and main.endswith("As asked.") and "gap" not in main
    assert "Mind the gap" in message.text[aside.start : aside.end]


def test_what_came_before_a_failure_does_not_stand_aside_and_comes_behind_it(world):
    world.file("sign.png")
    world.node("read", "read", "Mind the gap", "sign.png")
    world.node("say", "say", None, "read")
    world.runs["say"] = NodeRun("failed", message="No voice.")
    _, references = world.reply((("say", "out"),), outcome="failed")
    assert [(one.node, one.aside) for one in references] == [("say", False), ("read", False)]


def test_an_answer_to_a_question_stands_by_itself(world):
    world.file("cities.csv")
    world.node("asked", "ask", "Cairo (People: 10100000)", "cities.csv")
    world.nodes[-1] = dataclasses.replace(world.nodes[-1], values={"question": "which is the largest?"})
    assert world.reply()[0] == "Cairo (People: 10100000)"


def test_text_that_was_to_be_hidden_is_not_quoted(world):
    world.file("bill.png")
    world.node("read", "read", "IBAN DE02 1203", "bill.png")
    world.node("redact", "redact", None, "read")
    assert "IBAN" not in world.reply((("redact", "out"),))[0]
    assert "IBAN" in world.reply((("redact", "out"), ("read", "out")))[0], "it was asked for"


def test_no_text_is_said_plainly(world):
    world.file("sky.png")
    world.node("read", "read", "", "sky.png")
    assert world.reply()[0] == "Read text found no text in sky.png."


def test_no_text_is_said_once(world):
    world.file("sky.png")
    world.node("read", "read", "", "sky.png")
    places = Resource("places.json", T.BOXES, *world.store.put_value((), T.BOXES), made_by="read")
    world.runs["read"] = NodeRun("done", outputs={**world.runs["read"].outputs, "places": places})
    assert world.reply()[0] == "Read text found no text in sky.png."


def test_a_table_says_what_it_is_about_and_an_empty_one_that_there_is_nothing(world):
    world.file("a.jpg")
    world.node("table", "table", Table(("name",), (("x",),)), "a.jpg")
    world.node("none", "table", Table(("name",), ()), "a.jpg")
    text = world.reply()[0]
    assert "in a.jpg:\n\n| name |" in text and "in a.jpg: none." in text


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("Wieviel Geldstücke liegen da auf dem Tisch?", "Es gibt 2 Geldstücke in coins.jpg."),
        ("Zähle bitte alles, was da auf dem Tisch liegt.", "Es gibt 2 Dinge in coins.jpg."),
        ("Combien y a-t-il de pièces sur la table ?", "pièces"), ("Compte ce qui est sur la table", "objets"),
        ("¿Cuántas monedas ves en la mesa?", "monedas"), ("Cuenta lo que hay en la mesa", "cosas"),
        ("桌上有几枚硬币？", "硬币"), ("数一下桌上的东西有多少", "东西"), ("数清楚桌上的", "物品"),
        ("How many coins does it show?", "There are 2 coins in coins.jpg."),
        ("Count what lies on the table", "There are 2 things in coins.jpg."),
    ],
)  # fmt: skip
@pytest.mark.parametrize("label", ["", "thing"])
def test_what_was_counted_is_called_as_the_user_calls_it_or_a_thing(world, request_, said, label):
    world.tools = TOOLS | {"blobs": dataclasses.replace(TOOLS["faces"], id="blobs", title="Count things on plain")}
    world.file("coins.jpg")
    world.node("f", "blobs", (FACE._replace(label=label),) * 2, "coins.jpg")
    world.node("c", "count", 2, "f")
    assert said in world.reply((("c", "out"),), request=request_, tools=world.tools)[0]


STATISTICS = ("column", "kind", "rows", "empty", "distinct", "mean", "median", "lowest", "highest", "deviation", "sum")
FIGURES = ("revenue", "number", 12, 0, 12, 10284.733333333334, 10100.5, 0.00123456789, 14000, 2311.25, 123417.1)


def test_a_wide_table_of_one_or_two_rows_is_shown_with_a_line_for_each_column(world):
    world.file("a.jpg")
    world.node("table", "table", Table(STATISTICS, (FIGURES,)), "a.jpg")
    text, _ = world.reply(wanted=(("table", "out"),))
    assert "| column | revenue |\n| --- | --- |\n| kind | number |" in text
    assert "| mean | 10284.73 |" in text and "| lowest | 0.00123457 |" in text and "| sum | 123417.1 |" in text


def test_a_few_rows_stand_upright_where_they_fit_so(world):
    world.file("a.jpg")
    cities = (("City", "text", *range(9)), ("Country", "text", *range(9)), ("People", "number", *range(9)))
    world.node("table", "table", Table(STATISTICS, cities), "a.jpg")
    assert "| column | City | Country | People |" in world.reply(wanted=(("table", "out"),))[0]


def test_few_rows_that_do_not_fit_beside_each_other_stand_upright_one_below_the_other(world):
    world.file("a.jpg")
    world.node("table", "table", Table(STATISTICS, (("price", "number", *range(9)),) * 5), "a.jpg")
    text, _ = world.reply(wanted=(("table", "out"),))
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert (
        lines[0] == "| column | price | price |" and lines[-12].startswith("| column | price |") and "more" not in text
    )
    assert len(lines) == 3 * (len(STATISTICS) + 1) and max(map(len, lines)) <= 42


def test_of_a_wide_table_of_more_rows_only_the_columns_that_fit_are_shown(world):
    world.file("a.jpg")
    world.node("table", "table", Table(STATISTICS, (FIGURES,) * 6), "a.jpg")
    text, _ = world.reply(wanted=(("table", "out"),))
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert lines[0].startswith("| column | kind | rows |") and len(lines) == 8
    assert max(map(len, lines)) <= 42 and re.search(r"… and \d more columns\.", text)


CLASS = ("Name", "Maths", "German", "Days absent"), (("Ada Brook", 61, 54, 1),) * 12


def test_a_last_column_is_not_left_out_for_two_words_that_can_stand_below_each_other(world):
    world.file("a.jpg")
    world.node("table", "table", Table(*CLASS), "a.jpg")
    assert "| Name | Maths | German | Days absent |" in world.reply(wanted=(("table", "out"),))[0]


def test_of_columns_that_do_not_fit_those_are_shown_that_the_answer_speaks_of():
    columns = ("Name", "Mathematics", "Literature", "Geography", "Days absent")
    table = Table(columns, ((*CLASS[1][0], 9),) * 12)
    text = answer_tables.markdown_table(table, "sorted by Days absent")
    assert text.startswith("| Name | Days absent |") and "… and 3 more columns." in text


@pytest.mark.parametrize(
    ("language", "value", "told"),
    [("en", 59.91666667, "59.9167"), ("en", 1240.5, "1,240.5"), ("de", 1240.5, "1.240,5"), ("de", 6800, "6.800")],
)
def test_a_number_is_written_as_the_language_has_it(language, value, told):
    with catalogue.speaking(language):
        assert answer_tables.figure(value) == told


def test_figures_of_a_table_end_below_each_other():
    text = answer_tables.markdown_table(Table(("name", "n", "share"), (("a", 1, "12 %"), ("b", 1200, None))))
    assert text.splitlines()[1] == "| --- | ---: | ---: |"


@pytest.mark.parametrize(
    ("question", "found", "told"),
    [
        ("¿Cuál es el total de ventas?", "ventas: 3085,42", "La suma de ventas es 3085,42."),
        ("¿Cuál es el total de ventas?\n¿y la media?", "ventas: 771,36", "La media de ventas es 771,36."),
        ("average fee in May?\nand in June?", "fee: 40", "The mean of fee is 40."),
        ("Wie viel habe ich im März eingenommen?", "Betrag: 1.374,90", "Die Summe von Betrag ist 1.374,90."),
        ("how much do they owe me?", "Σ Amount: 86\nSmith: 74\nJansen: 12", "The sum of Amount is 86:  \nSmith: 74"),
        ("what did each cost?", "Σ Cost: 128400\nBonn: 99000.5", "The sum of Cost is 128,400:  \nBonn: 99,000.5"),
        ("Welche Stadt hat die meisten Einwohner?", "Kairo (Einwohner: 10100000)", "Kairo (Einwohner: 10.100.000)"),
        ("which order is the last?", "Lamp (order_id: 100234)", "Lamp (order_id: 100234)"),
        ("我们每种产品卖了多少？", "Σ 金额: 64\n茶: 10", "金额的总和是 64：  \n茶: 10"),
        ("quelle est la moyenne ?", "prix: 12", "La moyenne de prix est 12."),
        ("最高的价格是多少？", "价格: 12", "价格的最大值是 12。"),
        ("who bought the most?", "Jansen (Amount: 262.75)", "Jansen (Amount: 262.75)"),
    ],
)
def test_one_number_that_answers_a_question_is_told_in_a_sentence(world, question, found, told):
    world.tools = {**TOOLS, "ask_table": REAL["ask_table"]}
    world.file("a.csv")
    world.node("ask_table", "ask_table", found, "a.csv")
    world.nodes[-1] = Node("ask_table", "ask_table", {"question": question})
    world.runs["ask_table"] = NodeRun("done", outputs={"text": world.runs["ask_table"].outputs["out"]})
    text, _ = world.reply((("ask_table", "text"),), request=question, tools=world.tools)
    assert text.startswith(told)


def test_labels_of_no_share_stand_without_a_number(world):
    world.tools = REAL
    world.file("a.txt")
    world.node("words", "keywords", (Label("orchard", 1.0), Label("meadow", 0.37)), "a.txt")
    assert world.reply(tools=REAL)[0] == "Keywords in a.txt: orchard, meadow."


@pytest.mark.parametrize(
    ("request_", "steps", "told"),
    [
        ("sum it up", ("summarise",), "Here is a.pdf, in short:\n\n> Ok"),
        ("Fass das zusammen", ("read_document", "summarise"), "Hier ist a.pdf, in Kürze:\n\n> Ok"),
        ("总结一下这个文件", ("summarise",), "这是 a.pdf，摘要：\n\n> Ok"),
        ("sum it up in German", ("read_document", "summarise", "translate"), "Here is a.pdf, in short, in German:"),
        ("what stands there?", ("read_document",), "Here is a.pdf, as text:\n\n> Ok"),
    ],
)
def test_a_text_is_told_by_what_was_made_of_its_file(world, request_, steps, told):
    world.tools = REAL
    world.file("a.pdf")
    for tool, before in zip(steps, ("a.pdf", *steps), strict=False):
        world.node(tool, tool, "Ok", before)
        world.nodes[-1] = Node(tool, tool, {"language": "German"} if tool == "translate" else {})
        world.runs[tool] = NodeRun("done", outputs={"text": world.runs[tool].outputs["out"]})
    assert world.reply(((steps[-1], "text"),), request=request_, tools=REAL)[0].startswith(told)


def test_a_text_of_no_file_stands_behind_what_was_made_of_it(world):
    world.tools = REAL
    world.node("say", "translate", "Guten Tag")
    world.nodes[-1] = Node("say", "translate", {"text": "good day", "language": "German"})
    world.runs["say"] = NodeRun("done", outputs={"text": world.runs["say"].outputs["out"]})
    text, _ = world.reply((("say", "text"),), request="say good day in German", tools=REAL)
    assert text == "In German:\n\n> Guten Tag\n"


@pytest.mark.parametrize(
    ("request_", "told"),
    [("what tempo is it?", "Tempo in a.wav: 119.8 BPM."), ("Welches Tempo hat das Lied?", "Tempo in a.wav: 119,8 BPM."),
     ("这首歌的节拍是多少？", "节拍（a.wav）：119.8 BPM。")],
)  # fmt: skip
def test_a_number_with_a_name_is_told_by_it_and_in_its_unit(world, request_, told):
    world.tools = REAL
    world.file("a.wav")
    world.node("beat", "detect_tempo", 119.8, "a.wav")
    world.runs["beat"] = NodeRun("done", outputs={"tempo": world.runs["beat"].outputs["out"]})
    assert world.reply((("beat", "tempo"),), request=request_, tools=REAL)[0] == told


@pytest.mark.parametrize(
    ("request_", "count", "told"),
    [
        ("how often does it say roof?", 4, "“roof” is there 4 times in notes.txt."),
        ("wie oft steht da roof?", 1, "„roof“ kommt einmal vor in notes.txt."),
        ("¿cuántas veces dice roof?", 0, "«roof» aparece 0 veces en notes.txt."),
    ],
)
def test_how_often_words_are_there_is_said_of_the_words(world, request_, count, told):
    world.tools = {**TOOLS, "count_words": REAL["count_words"]}
    world.file("notes.txt")
    world.node("count", "count_words", count, "notes.txt")
    world.nodes[-1] = Node("count", "count_words", {"phrase": "roof"})
    world.runs["count"] = NodeRun("done", outputs={"number": world.runs["count"].outputs["out"]})
    assert world.reply((("count", "number"),), request=request_, tools=world.tools)[0] == told


def test_labels_and_tables_are_written_out(world):
    world.file("a.jpg")
    world.node("mood", "mood", (Label("positive", 0.81),))
    world.node("table", "table", Table(("name", "n"), (("a|b", 1),)), "a.jpg")
    text, _ = world.reply()
    assert "positive (81 %)" in text
    assert "| a\\|b | 1 |" in text


def test_failures_and_what_they_stopped_are_said(world):
    world.nodes = [Node("read", "read"), Node("say", "say")]
    world.links = [Link("read", "out", "say", "text")]
    world.runs = {
        "read": NodeRun("failed", message="The picture is empty.", fix="Take another."),
        "say": NodeRun("skipped", because="read"),
    }
    text, references = world.reply(outcome="failed")
    assert "Read text failed: The picture is empty. Take another." in text
    assert "Text to speech was skipped because Read text did not finish." in text
    assert {r.node for r in references} == {"read", "say"}


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ("Wer hat das unterschrieben?", "Read text ist fehlgeschlagen: Nichts im Text handelt davon."),
        ("Qui a signé la lettre ?", "Read text a échoué : Rien dans le texte ne parle de cela."),
    ],
)
def test_why_a_step_failed_is_not_quoted_as_if_a_library_had_said_it(world, request_, told):
    world.nodes = [Node("read", "read")]
    world.runs = {"read": NodeRun("failed", message="Nothing in the text is about that.")}
    assert world.reply(outcome="failed", request=request_)[0] == told


def test_no_command_is_quoted_for_what_a_button_gets(world):
    world.nodes = [Node("read", "read")]
    world.runs = {"read": NodeRun("failed", message="It needs Words.", fix="Get it: x.", model="words")}
    assert world.reply(outcome="failed")[0] == "Read text failed: It needs Words."


@pytest.mark.parametrize(
    ("notice", "said"),
    [
        (
            "Read text needs a model. Word lists are used instead.",
            "Read text needs a model. Word lists are used instead.",
        ),
        ("Word lists are used.", "Read text: Word lists are used."),
    ],
)
def test_what_one_should_know_names_its_tool_once(world, notice, said):
    world.file("a.png")
    world.node("read", "read", "words", "a.png")
    world.runs["read"] = NodeRun("done", outputs=world.runs["read"].outputs, notice=notice)
    assert said in world.reply((("read", "out"),))[0].splitlines()


class FakeChat:
    name = "fake"

    def __init__(self, *pieces):
        self.pieces, self.seen = pieces, None

    async def stream(self, messages, schema=None):
        self.seen = messages
        for piece in self.pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece


def test_a_model_words_the_answer_and_its_marks_become_references(world):
    world.file("sign.png")
    world.node("read", "read", "Mind the gap", "sign.png")
    chat = FakeChat("It says *Mind the gap*.", " [[read]]", " Also gold. [[gold]] Done.")
    text, references = world.reply(chat=chat)
    nothing = "*(no result behind this)*"
    assert text == f"It says *Mind the gap*. Also gold. {nothing} Done. {nothing}"
    assert [(text[r.start : r.end], r.node) for r in references] == [("It says *Mind the gap*.", "read")]
    assert "Mind the gap" in chat.seen[-1].text


def test_a_model_that_breaks_off_leaves_the_plain_answer(world):
    world.file("sign.png")
    world.node("read", "read", "Mind the gap", "sign.png")
    text, _ = world.reply(chat=FakeChat("It sa", BadReply("The language model did not answer.")))
    assert "> Mind the gap" in text
    assert "did not answer" in text


EVIL = [
    "![x](file:///etc/passwd)", "[x](http://a.b)", "<img src=x>", "a `b` c", "    [x](y)",
    r"\![x](y)", r"\\[x](y)",
]  # fmt: skip


@pytest.mark.parametrize("text", EVIL)
def test_what_files_and_tools_say_is_no_markdown(text):
    escaped = markdown.literal(text)
    assert markdown.plain(escaped).replace("\u00a0", " ") == text
    outside = re.sub(r"\\.", "", escaped)  # without each sign that has a backslash before it
    assert not re.search(r"[\[\]<`]", outside)


def test_quotes_cells_names_and_failures_are_no_markdown(world):
    evil = "![x](file:///etc/passwd)"
    world.file(f"{evil}.jpg")
    world.node("r", "read", f"one\n{evil}", f"{evil}.jpg")
    world.node("m", "mood", (Label(evil, 0.5),), "r")
    world.node("t", "table", Table((evil,), ((f"{evil}|\\",),)), f"{evil}.jpg")
    world.node("f", "faces", (), f"{evil}.jpg")
    world.runs["f"] = NodeRun("failed", message=f"{evil} is broken.", fix=evil)
    text, _ = world.reply()
    assert text.count("x](file") == 0
    assert text.count("!\\[x\\](file") >= 6


def test_the_lines_of_a_text_stay_lines(world):
    world.file("a.jpg")
    world.node("read", "read", "GREEN CAFE\n2 Espresso 5.20\n\nTotal 5.20", "a.jpg")
    text, _ = world.reply()
    assert "> GREEN CAFE  \n> 2 Espresso 5.20  \n>  \n> Total 5.20\n" in text


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("read it out", "Here is the sound: **say.wav** (2.0 s). Made from a.jpg with Read text, then Text to speech."),
        (
            "lies bitte vor, was da geschrieben steht",
            "Hier ist die Aufnahme: **say.wav** (2.0 s). Aus a.jpg gemacht, mit Text lesen, dann Text vorlesen.",
        ),
        ("请把图片里的文字读出来", "声音做好了：**say.wav** (2.0 s)。由a.jpg经识别文字，再用文字转语音制成。"),
    ],
)
def test_what_was_made_is_handed_over_in_a_sentence_about_the_file(world, wish, said):
    world.file("a.jpg")
    world.node("read", "read", "Mind the gap", "a.jpg")
    world.node("say", "say", None, "read", seconds=2.0)
    text, references = world.reply((("say", "out"),), request=wish)
    assert said in text
    assert text[references[0].start : references[0].end].startswith(said[:10])


def test_a_step_that_the_file_does_not_go_through_made_nothing_of_it(world):
    world.file("a.jpg")
    world.node("say", "say", None, seconds=2.0)
    world.node("paint", "paint", None, "a.jpg", "say")
    assert world.reply((("paint", "out"),), wish="a film")[0].endswith("Made from a.jpg with Watercolour.")


FACTS = Table(("fact", "value", "unit"), (("width", 600, "px"), ("height", 400, "px"), ("shape", "3:2", "")))


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("how wide is it?", "a.jpg: width 600 px."),
        ("wie hoch ist das Bild?", "a.jpg: Höhe 400 px."),
        ("图片多大?", "a.jpg：宽度 600 px、高度 400 px。"),
        ("what is its aspect ratio?", "a.jpg: shape 3:2."),
    ],
)
def test_of_facts_those_are_said_that_were_asked_for(world, wish, said):
    world.file("a.jpg")
    world.node("facts", "table", FACTS, "a.jpg")
    assert world.reply((("facts", "out"),), request=wish)[0] == said


ABOUT = Table(
    ("fact", "value", "unit"),
    (("pages", 12, ""), ("author", "Ana Roth", ""), ("created", "2024-03-01", ""), ("changed", "2024-05-02", ""),
     ("words", 1200, ""), ("scan", "no", ""), ("size", 36.8, "kB")),
)  # fmt: skip


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("how many pages does it have?", "a.pdf: 12 pages."),
        ("wie viele Seiten hat es?", "a.pdf: 12 Seiten."),
        ("combien de pages a-t-il ?", "a.pdf : 12 pages."),
        ("¿cuántas páginas tiene?", "a.pdf: 12 páginas."),
        ("它有多少页？", "a.pdf：12 页。"),
        ("who wrote it?", "a.pdf: author Ana Roth."),
        ("wer hat es geschrieben?", "a.pdf: Verfasser Ana Roth."),
        ("qui a écrit ce document ?", "a.pdf : auteur Ana Roth."),
        ("¿quién escribió esto?", "a.pdf: autor Ana Roth."),
        ("这是谁写的？", "a.pdf：作者 Ana Roth。"),
        ("when was it made?", "a.pdf: created 2024-03-01."),
        ("wann wurde es erstellt?", "a.pdf: erstellt 2024-03-01."),
        ("quand a-t-il été créé ?", "a.pdf : créé le 2024-03-01."),
        ("¿cuándo se creó?", "a.pdf: creado 2024-03-01."),
        ("这是什么时候创建的？", "a.pdf：创建于 2024-03-01。"),
        ("who wrote it and when?", "a.pdf: author Ana Roth, created 2024-03-01."),
        ("when was it last changed?", "a.pdf: changed 2024-05-02."),
        ("wann wurde es zuletzt geändert?", "a.pdf: geändert 2024-05-02."),
        ("how long is it?", "a.pdf: 12 pages, 1,200 words."),
        ("how big is it?", "a.pdf: size 36.8 kB."),
        ("ist das ein Scan?", "a.pdf: Scan ohne Text nein."),
    ],
)
def test_of_a_document_that_is_said_which_was_asked_for(world, wish, said):
    world.file("a.pdf")
    world.node("facts", "table", ABOUT, "a.pdf")
    assert world.reply((("facts", "out"),), request=wish)[0] == said


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("how long is it?", "talk.wav: duration 7.6 seconds (0:08)."),
        ("wie lang ist das?", "talk.wav: Dauer 7,6 Sekunden (0:08)."),
        ("combien de temps dure-t-il ?", "talk.wav : durée 7,6 secondes (0:08)."),
        ("¿cuánto dura?", "talk.wav: duración 7,6 segundos (0:08)."),
        ("有多长？", "talk.wav：时长 7.6 秒 (0:08)。"),
    ],
)
def test_how_long_a_sound_is_is_said_as_people_say_it(world, wish, said):
    world.file("talk.wav")
    facts = Table(ABOUT.columns, (("duration", 7.575, "s"), ("channels", 1, "")))
    world.node("facts", "table", facts, "talk.wav")
    assert world.reply((("facts", "out"),), request=wish)[0] == said


def test_what_a_document_does_not_say_is_told(world):
    world.file("a.docx")
    world.node("facts", "table", Table(ABOUT.columns, (("words", 1, ""),)), "a.docx")
    assert world.reply((("facts", "out"),), request="who wrote it?")[0].startswith("a.docx does not say: author.\n\n|")
    assert world.reply((("facts", "out"),), request="how long is it?")[0] == "a.docx: 1 word."


@pytest.mark.parametrize("wish", ["show the facts of a.jpg", "how sharp is it?"])
def test_all_facts_are_told_to_whoever_asks_for_no_one_of_them(world, wish):
    world.file("a.jpg")
    world.node("facts", "table", FACTS, "a.jpg")
    assert "| shape | 3:2 |" in world.reply((("facts", "out"),), request=wish)[0]


def test_what_was_done_alike_to_several_pictures_is_told_in_one_sentence(world):
    for name in "abc":
        world.file(f"{name}.jpg")
        world.node(f"p{name}", "paint", None, f"{name}.jpg", width=6, height=4)
    text, references = world.reply()
    assert text == "Here are 3 pictures: **pa.png**, **pb.png** and **pc.png**. Made with Watercolour."
    assert [r.node for r in references] == ["pa"] and (references[0].start, references[0].end) == (0, len(text))


@pytest.fixture
def chinese_window():
    catalogue.use("zh")
    yield
    catalogue.use("en")


@pytest.mark.parametrize(
    ("wish", "said"), [("paint it", "Here is"), ("画成水彩", "图片做好了"), ("a.jpg", "图片做好了")]
)
def test_in_a_chinese_window_the_language_of_the_request_counts(world, chinese_window, wish, said):
    world.file("a.jpg")
    world.node("p", "paint", None, "a.jpg")
    text, _ = world.reply(request=wish, tools=LocalizedTools(TOOLS))
    assert text.startswith(said) and ("Watercolour" in text) == said.isascii()


@pytest.mark.parametrize(
    ("request_", "thing"),
    [("are there more than 20 coins here?", "coins"), ("fewer than five people in the picture?", "people"),
     ("make it less than 50 kB", ""), ("How many have we got in this tray?", ""), ("wie viele sind zu sehen?", "")],
)  # fmt: skip
def test_what_is_compared_with_a_number_is_called_as_it_was_said(request_, thing):
    assert request_words.asked_thing(request_) == thing


def test_that_only_the_first_picture_of_a_moving_one_was_used_is_said(tmp_path):
    world = World(tmp_path)
    world.resources["cat.gif"] = Resource("cat.gif", T.IMAGE, "0" * 64, ".gif", {"frames": 3})
    world.resources["b.gif"] = Resource("b.gif", T.IMAGE, "2" * 64, ".gif", {"frames": 9})  # nothing is made of it
    world.node("p", "paint", None, "cat.gif")
    text, _ = world.reply((("p", "out"),))
    assert "only the first of the 3 pictures in cat.gif" in text and "b.gif" not in text


def test_a_table_is_told_by_what_was_made_of_its_file_and_not_by_the_tool(world):
    world.file("members.csv")
    rows = Table(("Name", "Town"), (("Ada", "Leeds"),))
    for id, feed, values in (("filter", "members.csv", {"condition": "Leeds"}), ("sort", "filter", {"column": "Name"})):
        world.node(id, "table", rows, feed)
        world.nodes[-1] = Node(id, f"{id}_table", values)
    found = world.reply((("sort", "out"),), tools=TOOLS | load_tools().tools)[0]
    assert found.startswith("Here is members.csv, only the rows for “Leeds”, sorted by Name:\n\n| Name")


LENGTH = Table(("fact", "value", "unit"), (("duration", 12.5, "s"), ("width", 640, "px")))


@pytest.mark.parametrize(("found", "told"), [("", ()), ("A cup.", ("text.txt",))])
def test_no_empty_text_is_offered_as_a_file(world, found, told):
    world.file("a.jpg")
    world.node("text", "read", found, "a.jpg", characters=len(found))
    run = Run("r", 0.0, world.runs, "ok")
    workflow = Workflow(tuple(world.resources.values()), tuple(world.nodes), tuple(world.links), (("text", "out"),))
    assert answer.told_results(("read it", ""), workflow, run, TOOLS, world.store.value) == told


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ("dime cuánto dura", ()), ("How long is it?", ()), ("Wie lang ist der Film?", ()),
        ("Combien de temps dure-t-il ?", ()), ("这段视频有多长？", ()), ("How long is this file?", ()),
        ("Show the properties", ("table.json",)), ("How long is it? Save that", ("table.json", "count.json")),
        ("Sag mir, wie lang es ist, und speichere das", ("table.json", "count.json")),
    ],
)  # fmt: skip
def test_an_answer_that_is_said_is_no_file_unless_one_was_asked_for(world, request_, told):
    world.file("a.jpg")
    world.node("table", "table", LENGTH, "a.jpg")
    world.node("faces", "faces", (FACE,), "a.jpg")
    world.node("count", "count", 1, "faces")
    workflow = Workflow(
        tuple(world.resources.values()), tuple(world.nodes), tuple(world.links), (("table", "out"), ("count", "out"))
    )
    run = Run("r", 0.0, world.runs, "ok")
    assert answer.told_results((request_, ""), workflow, run, TOOLS, world.store.value) == told
