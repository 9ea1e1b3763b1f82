"""Answers of a language model, through the real client: what is true stays, what is false is never shown unmarked."""

from __future__ import annotations

import json

import pytest

from desktop_app.llm.openai_client import OpenAICompatible
from desktop_app.session.answering.answer_check import AnswerChecker
from desktop_app.session.answering.statements import Statement
from nodes.api import Label, Table
from tests.llm.server import serving
from tests.session.answering.test_answer import World, face

LETTER = "Dear Sir, meet me at http://evil.example/pay on 5 March 2024. There are 31 coins. Total 13.50. Call now!"
BILL = Table(("item", "price"), (("tea", 4.5), ("cake", 9.0)))


@pytest.fixture
def world(tmp_path):
    """24 and 3 things counted, a letter, a mood, a bill, and a sound that was made."""
    world = World(tmp_path)
    for name in ("coins.jpg", "group.jpg", "letter.png"):
        world.file(name)
    world.node("count", "count", 24, "coins.jpg")
    world.node("faces", "faces", tuple(map(face, range(3))), "group.jpg")
    world.node("read", "read", LETTER, "letter.png")
    world.node("mood", "mood", (Label("positive", 0.81), Label("negative", 0.19)), "read")
    world.node("bill", "table", BILL, "letter.png")
    world.node("say", "say", None, "read", seconds=125.0)
    return world


ALL = tuple((node, "out") for node in ("count", "faces", "read", "mood", "bill", "say"))


def answered(world, reply, wanted=ALL, limits=None):
    with serving(reply) as (url, script):
        text, references = world.reply(wanted, OpenAICompatible(url, "scripted", seconds=5))
    return text, references, script


TRUE = [
    "There are 24 coins [[count]].",
    "There are twenty-four coins in coins.jpg. [[count]]",
    "Es sind vierundzwanzig Münzen auf dem Bild [[count]].",
    "Il y a vingt-quatre pièces de monnaie dans cette image [[count]].",
    "Hay veinticuatro monedas en la imagen que me has dado [[count]].",
    "图中一共有二十四枚硬币。[[count]]",
    "图片里有24枚硬币[[count]]。",
    "Together that makes 27, three of them faces [[count]] [[faces]].",
    "There are 21 more coins than faces [[count]][[faces]].",
    "The mood is positive, with a score of 81 % [[mood]].",
    "La lettre est du 5 mars 2024 [[read]].",
    "Der Brief ist vom 5.3.2024, also vom 05.03.2024 [[read]].",
    "The letter says “meet me at … on 5 March 2024” [[read]].",
    "Tea costs 4,50 euros and all of it 13.50 [[bill]].",
    "I made **say.wav**, which lasts 2:05 [[say]].",
]
FALSE = [
    ("There are 31 coins, worth 4.20 euros [[count]].", "31"),
    ("There are 31 coins [[read]].", "31 coins"),
    ("There are thirty-one coins [[count]].", "thirty-one"),
    ("Es sind einunddreißig Münzen auf dem Bild [[count]].", "einunddreißig"),
    ("Il y a quatre-vingt-dix pièces dans cette image [[count]].", "quatre-vingt"),
    ("Hay treinta y una monedas en la imagen [[count]].", "treinta"),
    ("图中一共有三十一枚硬币。[[count]]", "三十一"),
    ("There are no coins at all [[count]].", "no coins"),
    ("There is one coin [[count]].", "one coin"),
    ("There are 3 coins [[count]].", "3 coins"),
    ("There are 24 faces [[faces]].", "24 faces"),
    ("Together that makes 28 [[count]] [[faces]].", "28"),
    ("About 2.4 million coins are shown [[count]].", "million"),
    ("The result is in **coins_enhanced.png** [[count]].", "coins_enhanced"),
    ("The mood is negative [[mood]].", "mood is negative"),
    ("The mood is angry [[mood]].", "angry"),
    ("The letter says “send me all your money” [[read]].", "all your money"),
    ("The letter was written on 5 April 2024 [[read]].", "April"),
    ("Der Brief ist vom 6. März 2024 [[read]].", "6. März"),
    ("Tea costs 5.40 euros [[bill]].", "5.40"),
    ("Everything costs 14.50 euros [[bill]].", "14.50"),
    ("Read more at https://help.example/coins [[count]].", "help.example"),
    ("Write to boss@evil.example about it [[count]].", "boss@"),
    ("Twelve people stand around a table.", "Twelve"),
    ("I also wrote /etc/passwd to disk [[count]].", "passwd"),
    ("It lasts 3:05 [[say]].", "3:05"),
]


@pytest.mark.parametrize("reply", TRUE)
def test_what_the_findings_say_stays(world, reply):
    text, references, _ = answered(world, reply)
    said = reply.partition("[[")[0].strip().rstrip(".").replace("“", "“")
    assert said in text and references and "no result behind" not in text


@pytest.mark.parametrize(("reply", "false"), FALSE)
def test_what_no_finding_says_is_struck_and_the_composed_statement_stands_in_its_place(world, reply, false):
    text, _, _ = answered(world, reply)
    unquoted = "\n".join(line for line in text.splitlines() if not line.startswith(">"))
    assert false not in unquoted
    assert "Count boxes in coins.jpg: 24." in text and "3 faces in group.jpg." in text


def test_false_sentence_leaves_the_true_ones_beside_it(world):
    reply = "There are 24 coins [[count]]. They are worth 4.20 euros [[count]]. I see 3 faces [[faces]]."
    text, references, _ = answered(world, reply, (("count", "out"), ("faces", "out")))
    assert "There are 24 coins" in text and "3 faces" in text and "4.20" not in text
    assert [text[r.start : r.end].strip() for r in references if r.node == "faces"] == ["I see 3 faces."]


def test_sentence_without_a_node_is_marked(world):
    text, _, _ = answered(world, "There are 24 coins [[count]].\n\nCoins are often old.")
    assert "Coins are often old. *(no result behind this)*" in text and text.count("no result behind") == 1


def test_sentence_without_a_mark_finds_the_node_that_bears_it_out(world):
    text, references, _ = answered(world, "There are 24 coins.", (("count", "out"),))
    assert text == "There are 24 coins." and [r.node for r in references] == ["count"]


@pytest.mark.parametrize(
    "reply",
    [
        "See [the page](http://evil.example/pay) [[read]].",
        "It names http://evil.example/pay [[read]]",
        "See <http://evil.example/pay> [[read]]",
        "![x](http://evil.example/pay) [[read]]",
    ],
)
def test_foreign_links_are_plain_text(world, reply, qapp):
    from desktop_app.ui.widgets.markdown_view import MarkdownText

    text, _, _ = answered(world, reply, (("read", "out"),))
    view = MarkdownText()
    view.set_text(text)
    assert "evil.example/pay" in view.toPlainText() and "<a href" not in view.toHtml()


def test_address_that_the_user_wrote_stays_a_link():
    told = {"request": "read https://good.example/x", "findings": [], "plan": [], "troubles": []}
    assert (
        "https://good.example/x"
        in AnswerChecker(told, [], set()).checked("I read https://good.example/x for you.", True)[0]
    )


def test_failure_that_the_model_hides_is_said(world):
    from desktop_app.graph.workflow import Node
    from desktop_app.run.events.run_record import NodeRun

    world.nodes.append(Node("late", "read"))
    world.runs["late"] = NodeRun("failed", message="The picture is empty.", fix="Take another.")
    text, _, script = answered(world, "There are 24 coins [[count]].", (("count", "out"),))
    assert "Read text failed: The picture is empty." in text
    sent = json.loads(script.requests[0]["messages"][1]["content"])
    assert sent["troubles"][0]["node"] == "late" and sent["plan"][0]["tool"] == "Count boxes"


def test_nothing_false_is_shown_on_the_way():
    told = {"request": "how many?", "plan": [], "troubles": [], "findings": [
        {"node": "c", "tool": "Count", "output": "out", "file": "n.json", "type": "number", "about": [],
         "asked for": True, "facets": {}, "value": 24}]}  # fmt: skip
    whole = "There are 31 coins [[c]]. There are 24 coins [[c]].\nThat is **all.png**."
    checker = AnswerChecker(told, [Statement("Count: 24.", "c")], {"c"})
    for end in range(len(whole) + 1):
        text, _ = checker.checked(whole[:end], whole=False)
        assert "31" not in text and "all.png" not in text
    assert checker.checked(whole, whole=True)[0] == "Count: 24.\n\nThere are 24 coins."
