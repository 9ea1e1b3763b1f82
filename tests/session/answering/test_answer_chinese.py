"""What the answer says in Chinese, and that its references are at the right characters there too."""

from __future__ import annotations

import asyncio

import pytest

from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.i18n import catalogue
from desktop_app.i18n.tools import LocalizedTools
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.answering import answer
from desktop_app.session.comparison import outcomes
from desktop_app.session.inputs import open_ports
from desktop_app.session.messages import Reference
from nodes import load_tools
from nodes.api import Box, Label, Table
from nodes.phrase import Phrase
from tests.session.answering import test_answer
from tests.session.answering.test_answer import World

TOOLS = load_tools().tools


@pytest.fixture(autouse=True)
def chinese():
    catalogue.use("zh")
    yield
    catalogue.use("en")


@pytest.fixture
def world(tmp_path):
    return World(tmp_path)


def reply(world, wanted, tools, **run):
    workflow = Workflow(tuple(world.resources.values()), tuple(world.nodes), tuple(world.links), wanted)
    done = Run("r", 0.0, world.runs, run.get("outcome", "ok"))

    async def last():
        return [r async for r in answer.stream("?", workflow, done, tools, world.store.value)][-1]

    return asyncio.run(last())


def real(world, id, tool, value, *feeds):
    """A node of a real tool, with the result that it gave."""
    port = TOOLS[tool].outputs[0]
    digest, suffix = world.store.put_value(value, port.type)
    made = test_answer.Resource(f"{id}{suffix}", port.type, digest, suffix, {}, id)
    world.nodes.append(Node(id, tool))
    for feed in feeds:
        known = feed in world.resources
        output = "value" if known else TOOLS[next(n.tool for n in world.nodes if n.id == feed)].outputs[0].name
        world.links.append(Link(feed, output, id, TOOLS[tool].inputs[0].name))
    world.runs[id] = NodeRun("done", outputs={port.name: made})


def test_counts_are_said_with_what_was_counted(world):
    world.file("a.jpg")
    real(world, "faces", "detect_faces", (Box(0, 0, 5, 5, "face", 0.9), Box(6, 0, 9, 5, "face", 0.9)), "a.jpg")
    real(world, "count", "count_boxes", 2.0, "faces")
    text, references = reply(world, (("count", TOOLS["count_boxes"].outputs[0].name),), LocalizedTools(TOOLS))
    assert text == "有 2 个人脸（a.jpg）。"
    assert references == (Reference(0, len(text), "count"),)


def test_nothing_found_is_said_by_what_was_sought(world):
    world.file("a.jpg")
    real(world, "faces", "detect_faces", (), "a.jpg")
    text, _ = reply(world, (), LocalizedTools(TOOLS))
    assert text == "没有人脸（a.jpg）。"


def test_each_statement_refers_to_its_own_characters(world):
    world.file("a.jpg")
    real(world, "read", "read_text", "第一行", "a.jpg")
    real(world, "mood", "sentiment", (Label("positive", 0.8),), "read")
    wanted = (("read", "text"), ("mood", TOOLS["sentiment"].outputs[0].name))
    text, references = reply(world, wanted, LocalizedTools(TOOLS))
    pieces = {r.node: text[r.start : r.end] for r in references}
    assert pieces["read"] == "这是 a.jpg，文字：\n\n> 第一行\n"
    assert pieces["mood"].startswith("情感分析（a.jpg）：") and pieces["mood"].endswith("80 %)。")


def test_tables_and_long_texts_are_introduced_in_chinese(world):
    world.file("a.jpg")
    table = Table(("n",), tuple((float(i),) for i in range(40)))
    real(world, "facts", "picture_facts", table, "a.jpg")
    real(world, "read", "read_text", "字 " * 900, "a.jpg")
    text, references = reply(world, (("facts", "table"), ("read", "text")), LocalizedTools(TOOLS))
    assert "图片信息（a.jpg）：\n\n| n |" in text and "……另有 10 行。" in text
    assert "全文见 **read.txt**。" in text
    assert [text[r.start :][:4] for r in references] == ["图片信息", "这是 a"]


def test_failures_are_told_in_chinese(world):
    world.nodes += [Node("crop", "crop"), Node("blur", "blur")]
    world.runs |= {
        "crop": NodeRun(
            "failed",
            message="Nothing says how much of the picture to keep.",
            fix="Give a width and height, or a shape.",
        ),
        "blur": NodeRun("skipped", because="crop"),
    }
    text, references = reply(world, (), LocalizedTools(TOOLS), outcome="failed")
    assert text.split("\n\n") == [
        "“裁剪”失败：没有说明保留图片的多少。请给出宽度和高度，或形状。",
        "“模糊”已跳过，因为“裁剪”没有完成。",
    ]
    assert [r.node for r in references] == ["crop", "blur"]


def test_a_plan_is_told_in_chinese():
    workflow = Workflow((), (Node("a", "detect_faces"), Node("b", "blur")), ())
    tools = LocalizedTools(TOOLS)
    assert catalogue.translated(answer.plan_text(workflow, tools, "", 0)) == "查找人脸 → 模糊。可以运行。"
    assert catalogue.translated(answer.plan_text(workflow, tools, "", 2)).endswith("还缺 2 项：")
    assert catalogue.translated(answer.plan_text(workflow, tools, "Planned offline instead.", 1)).startswith(
        "已改为离线规划。查找人脸"
    )


def test_questions_are_asked_in_chinese():
    tools = LocalizedTools(TOOLS)
    asked = open_ports.of(Workflow((), (Node("a", "blur"),), ()), tools, {})
    assert [catalogue.translated(q.text) for q in asked] == ["“模糊”需要图片（图片）。用哪个文件？"]


def test_another_way_that_ran_is_told_in_chinese():
    flow, tools = Workflow((), (Node("a", "blur"), Node("b", "blur")), ()), LocalizedTools(TOOLS)
    nodes = {"a": NodeRun("done", cached=True), "b": NodeRun("done")}
    told = catalogue.translated(outcomes.told(Phrase("卡通化"), Run("r", 0.0, nodes, "ok", seconds=1.25), flow, tools))
    assert told == "“卡通化”也运行了，用时 1.2 s；2 步中有 1 步已有结果。可与当前方案对比。"
    nodes["b"] = NodeRun("done", cached=True)  # nothing had to run
    told = catalogue.translated(outcomes.told(Phrase("卡通化"), Run("r", 0.0, nodes, "ok", seconds=0.004), flow, tools))
    assert told == "“卡通化”之前已有结果。可与当前方案对比。"
