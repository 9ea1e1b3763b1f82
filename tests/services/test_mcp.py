"""MCP both ways, with real processes: tools of a server as ours, and our verbs for another program."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from desktop_app.app import new_session
from desktop_app.core import settings as settings_file
from desktop_app.core.errors import BadReply
from desktop_app.core.settings import Settings
from desktop_app.graph.workflow import Node, Workflow
from desktop_app.services.mcp_tools import McpTools
from nodes.api import ResourceType

mcp = pytest.importorskip("mcp")
TOYS = {"command": sys.executable, "args": [str(Path(__file__).with_name("mcp_server.py"))]}
T = ResourceType


@pytest.fixture
def toys(own_home):
    own_home.mkdir(exist_ok=True)
    made: list[McpTools] = []

    def make(seconds=20.0, **servers):
        made.append(McpTools(servers or {"toys": TOYS}, seconds))
        return made[-1]

    yield make
    for one in made:
        one.close()


def asked(tools, tool, **values):
    return asyncio.run(tools.serve(tool, "mcp", {"values": values}))["text"]


def test_tools_of_a_server_have_typed_ports_and_reach_outside(toys):
    tools = toys().tools()
    add, shout = tools["mcp_toys_add"], tools["mcp_toys_shout"]
    assert [(p.name, p.type, p.integer, p.required) for p in add.inputs] == [
        ("a", T.NUMBER, True, True), ("b", T.NUMBER, True, True), ("times", T.NUMBER, False, False)]  # fmt: skip
    assert add.outside and add.side_effects == "Asks the MCP server toys" and add.backends[0].kind == "endpoint"
    assert shout.input("how").choices == ("loud", "soft") and shout.input("twice").type is T.FLAG
    assert shout.input("words").type is T.TEXT and "JSON" in shout.input("words").doc


def test_what_a_server_offers_is_remembered(toys):
    assert toys().tools().keys() == toys().tools().keys()
    again = toys()
    again.tools()
    assert again._thread._loop is None, "not asked a second time"


def test_calls_answer_in_text(toys):
    tools = toys()
    tools.tools()
    assert asked(tools, "mcp_toys_add", a=2, b=3) == "5 times 1"
    assert asked(tools, "mcp_toys_shout", text="Hi", how="soft", twice=True, words='["x", "y"]') == "hi hi 2"


def test_server_gets_no_key(toys, monkeypatch):
    monkeypatch.setenv("GRAPHWRIGHT_API_KEY", "sk-secret")
    tools = toys()
    tools.tools()
    names = asked(tools, "mcp_toys_environment")
    assert "PATH" in names and "API_KEY" not in names and "GRAPHWRIGHT" not in names


@pytest.mark.parametrize(
    ("tool", "said"),
    [("hang", "did not answer in 1 s"), ("die", "ended|does not work"), ("fail", "could not do it"),
     ("endless", "more than 400,000 characters")],
)  # fmt: skip
def test_server_that_fails_is_a_sentence_and_works_again(toys, tool, said):
    tools = toys(1.0 if tool == "hang" else 30.0)
    tools.tools()
    with pytest.raises(BadReply, match=said):
        asked(tools, f"mcp_toys_{tool}", text="abc")
    tools._seconds = 20.0
    assert asked(tools, "mcp_toys_add", a=1, b=1) == "2 times 1"


def test_server_that_writes_garbage_goes_on_or_is_a_sentence(toys):
    tools = toys(5.0)
    tools.tools()
    said = ""
    with contextlib.suppress(BadReply):
        said = asked(tools, "mcp_toys_garbage", text="x")
    assert said in ("", "still here") and asked(tools, "mcp_toys_add", a=1, b=1) == "2 times 1"


def test_server_that_is_not_there_costs_only_its_own_tools(toys):
    tools = toys(toys=TOYS, gone={"command": "/no/such/program"}, mute={"command": sys.executable, "args": ["-c", "0"]})
    assert "mcp_toys_add" in tools.tools()
    assert tools.failures.keys() == {"gone", "mute"} and "cannot be started" in tools.failures["gone"].message


@pytest.mark.parametrize("schema", [
    {}, {"properties": []}, {"properties": {"a": 7}}, {"properties": {"a": {"type": 9}}, "required": ["a"]},
    {"properties": {"context": {"type": "string"}}, "required": ["context"]}, {"required": 5},
    {"properties": {"a": {"type": "number", "minimum": "x", "default": "y"}}},
    {"properties": {f"p{n}": {"type": "string"} for n in range(500)}},
])  # fmt: skip
def test_schema_that_lies_makes_a_tool_or_none_and_never_an_error(schema):
    from desktop_app.services.mcp_tools import _checked

    for listed in _checked("s", [{"name": "t", "inputSchema": schema}, {"name": 5}, "x", None]):
        listed.tool()


def test_tool_runs_as_a_node_after_consent():
    async def go():
        session = new_session(Settings(mcp_servers={"toys": TOYS}))
        try:
            session.edit(Workflow(nodes=(Node("n", "mcp_toys_add", {"a": 20, "b": 4}),)))
            questions = session.questions()
            await session.start()
            before = session.run.id
            session.allow("mcp_toys_add")
            await session.start()
            return questions, before, session.run, session.messages[-1].text
        finally:
            await session.close()

    questions, before, run, said = asyncio.run(go())
    assert len(questions) == 1 and "reaches outside this computer" in questions[0].text and not before
    assert run.outcome == "ok" and "24 times 1" in said


def test_servers_of_the_settings_are_kept_and_checked(own_home):
    settings_file.change(mcp_servers={"toys": TOYS})
    assert settings_file.load().mcp_servers == {"toys": TOYS}
    (own_home / "settings.json").write_text(json.dumps({"mcp_servers": {"x": {"command": 5}}}))
    assert settings_file.load().mcp_servers == {}


def test_other_programs_plan_and_run_over_stdio(tmp_path, own_home):
    from mcp import Client, StdioServerParameters

    Image.fromarray(np.full((40, 60, 3), 200, np.uint8)).save(tmp_path / "square.png")
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "desktop_app", "mcp", "--folder", str(tmp_path)],
        env={"GRAPHWRIGHT_HOME": str(own_home), "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip

    async def go():
        async with Client(parameters, read_timeout_seconds=90) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            found = await client.call_tool("tools", {"words": "blur"})
            planned = await client.call_tool(
                "plan", {"request": "rotate square.png by 90 degrees", "files": ["square.png"]}
            )
            ways = json.loads(planned.content[0].text)["solutions"]
            request = {"request": "rotate square.png by 90 degrees", "files": ["square.png"]}
            ran = json.loads((await client.call_tool("run", request)).content[0].text)
            again = json.loads((await client.call_tool("run", {"workflow": ways[0]["workflow"]})).content[0].text)
            away = await client.call_tool("run", {"request": "blur it", "files": ["../../etc/passwd"]})
            page = await client.call_tool("run", {"workflow": {"nodes": [
                {"id": "p", "tool": "fetch_page", "values": {"url": "https://evil.example"}}]}})  # fmt: skip
            return names, found, ways, ran, again, away, page

    names, found, ways, ran, again, away, page = asyncio.run(go())
    assert names == {"tools", "plan", "run"} and '"blur"' in found.content[0].text and ways
    with Image.open(ran["files"][0]) as made:
        assert made.size == (40, 60)
    assert again["nodes"][0]["state"] == "done"
    assert away.is_error and "is no file of the folder" in away.content[0].text
    assert "Allow it?" in page.content[0].text or page.is_error
