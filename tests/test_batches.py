"""A folder is one card: planned once, run for each of its files, answered by file, kept and exported."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from desktop_app.app import new_session
from desktop_app.cli.main import main
from desktop_app.core.errors import BadRequest
from desktop_app.core.settings import Settings
from desktop_app.core.values import several
from desktop_app.export import files
from desktop_app.export.script import write_script
from desktop_app.graph.workflow import Workflow
from desktop_app.plan.language import sentence_encoder
from desktop_app.session.session import Session
from desktop_app.session.snapshot_codec import from_text, to_text
from desktop_app.storage.resources import MOST_SINGLE, Resource


@pytest.fixture(autouse=True)
def at_home(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_home.mkdir(parents=True, exist_ok=True)
    monkeypatch.setattr(sentence_encoder, "ENABLED", True)


def folder_of(path: Path, pictures: int, *, size: tuple[int, int] = (48, 32)) -> Path:
    """Pictures of which each is brighter than the one before."""
    path.mkdir()
    for number in range(1, pictures + 1):
        Image.new("RGB", size, (number * 5 % 250, 90, 40)).save(path / f"shot {number}.png")
    return path


def within(work: Callable[[Session], Awaitable[Any]]) -> Any:
    async def go() -> Any:
        session = new_session(Settings())
        try:
            return await work(session)
        finally:
            await session.close()

    return asyncio.run(go())


async def asked(session: Session, text: str, *paths: Path) -> list[str]:
    """The tools of the best plan."""
    names = tuple(one.name for one in session.attach_all(paths)) if paths else ()
    await session.ask(text, names)
    return [node.tool for node in session.workflow.nodes]


async def made(session: Session, tool: str) -> list[Resource]:
    """What the step of that tool made, after a run in which nothing failed."""
    await session.start()
    assert not session.run.failures()
    (node,) = [node.id for node in session.workflow.nodes if node.tool == tool]
    return [one for value in session.run.nodes[node].outputs.values() for one in several(value)]


def test_forty_pictures_are_one_card_and_one_step(tmp_path):
    folder = folder_of(tmp_path / "holiday", 40)

    async def work(session: Session) -> None:
        assert await asked(session, "make these grey", folder) == ["black_and_white"]
        (batch,) = session.workflow.resources
        assert batch.name == "holiday" and len(batch.files) == 40
        assert [file.name for file in batch.files[:3]] == ["shot 1.png", "shot 2.png", "shot 3.png"]
        found = await made(session, "black_and_white")
        assert [one.name for one in found][1::38] == ["shot 2_black-and-white.png", "shot 40_black-and-white.png"]
        reds = [np.asarray(session.value_of(one)).reshape(32, 48, -1)[0, 0, 0] for one in found]
        assert len(set(reds)) > 30, "each is of its own picture"
        assert "40" in session.messages[-1].text

    within(work)


def test_a_chain_over_a_batch_and_a_wish_for_what_it_made(tmp_path):
    folder = folder_of(tmp_path / "holiday", 20)

    async def work(session: Session) -> None:
        assert await asked(session, "resize these to 24 pixels wide, then blur them", folder) == ["resize", "blur"]
        assert len(await made(session, "blur")) == 20
        assert await asked(session, "now make them grey") == ["resize", "blur", "black_and_white"]
        assert len(await made(session, "black_and_white")) == 20
        assert len(session.workflow.resources) == 1

    within(work)


def test_what_takes_many_gets_all_of_a_batch(tmp_path):
    folder = folder_of(tmp_path / "holiday", 15)

    async def work(session: Session) -> None:
        assert await asked(session, "make a collage of these", folder) == ["collage"]
        (one,) = [r for r in await made(session, "collage") if r.type == "image"]
        assert one.name.startswith("holiday_collage")

    within(work)


def test_so_many_files_at_once_are_a_batch_and_fewer_are_not(tmp_path):
    few = sorted(folder_of(tmp_path / "few", MOST_SINGLE).iterdir())
    many = sorted(folder_of(tmp_path / "many", MOST_SINGLE + 1).iterdir())

    async def work(session: Session) -> None:
        assert len(session.attach_all(few)) == MOST_SINGLE
        (batch,) = session.attach_all(many)
        assert (batch.name, len(batch.files)) == ("many", MOST_SINGLE + 1)

    within(work)


def test_a_folder_of_several_types_is_a_batch_of_each(tmp_path):
    folder = folder_of(tmp_path / "mixed", 3)
    (folder / "one.txt").write_text("Good morning.", "utf-8")
    (folder / "two.txt").write_text("Good evening.", "utf-8")
    (folder / "rows.csv").write_text("a,b\n1,2\n", "utf-8")
    (folder / ".hidden.png").write_bytes(b"no picture")
    (folder / "deeper").mkdir()

    async def work(session: Session) -> None:
        found = session.attach_all([folder])
        assert [(one.name, str(one.type), len(one.parts)) for one in found] == [
            ("mixed", "image", 3),
            ("mixed-2", "text", 2),
            ("rows.csv", "table", 1),
        ]

    within(work)


def test_what_cannot_be_read_is_told_and_the_rest_comes(tmp_path):
    folder = folder_of(tmp_path / "holiday", 5)
    (folder / "shot 3.png").write_bytes(b"not a picture")
    empty = tmp_path / "empty"
    empty.mkdir()

    async def work(session: Session) -> None:
        (batch,), fault = await session.bring_all([folder])
        assert len(batch.files) == 4 and fault is not None and "shot 3.png" in fault.message
        found, fault = await session.bring_all([empty])
        assert found == () and fault is not None and "no files" in fault.message
        with pytest.raises(BadRequest, match="no files"):
            session.attach_all([empty])

    within(work)


def test_a_conversation_with_a_batch_opens_again_as_it_was(tmp_path):
    folder = folder_of(tmp_path / "holiday", 14)

    async def work(session: Session) -> None:
        await asked(session, "make these grey", folder)
        await session.start()
        kept = from_text(to_text(session.snapshot()))
        assert kept.lost == ""
        before = session.workflow
        session.restore(kept)
        assert session.workflow == before and len(session.workflow.resources[0].files) == 14
        assert [len(several(v)) for run in session.run.nodes.values() for v in run.outputs.values()] == [14]
        session.undo()
        session.redo()
        assert session.workflow.resources == before.resources

    within(work)


def test_a_saved_workflow_keeps_the_batch_and_older_programs_are_not_told_of_none(tmp_path):
    folder = folder_of(tmp_path / "holiday", 14)

    async def work(session: Session) -> None:
        await asked(session, "make these grey", folder)
        session.save(tmp_path / "grey.json")
        data = json.loads((tmp_path / "grey.json").read_text("utf-8"))
        assert data["format"] == 2 and len(data["resources"][0]["files"]) == 14
        assert Workflow.from_json(data).resources == session.workflow.resources
        session.open(tmp_path / "grey.json")
        assert len(await made(session, "black_and_white")) == 14
        await asked(session, "blur this", folder / "shot 1.png")

    within(work)
    assert Workflow().to_json()["format"] == 1


def test_a_result_of_a_batch_carries_the_workflow_for_its_own_file(tmp_path):
    folder = folder_of(tmp_path / "holiday", 14)

    async def work(session: Session) -> None:
        await asked(session, "make these grey", folder)
        third = (await made(session, "black_and_white"))[2]
        path = files.export(third, session.store, tmp_path / "out", session.workflow)
        opened = files.open_workflow(path, session.store)
        (source,) = opened.resources
        assert source.files == () and source.digest == session.workflow.resources[0].files[2].digest
        session.open(path)
        (one,) = await made(session, "black_and_white")
        assert np.array_equal(session.value_of(one), session.value_of(third))

    within(work)


def test_the_script_of_a_batch_runs_for_each_file(tmp_path, own_home):
    folder = folder_of(tmp_path / "holiday", 14)

    async def work(session: Session) -> None:
        await asked(session, "make these grey", folder)
        write_script(session.workflow, session.tools, session.store, tmp_path / "grey.py")

    within(work)
    environment = {**os.environ, "GRAPHWRIGHT_HOME": str(own_home), "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, str(tmp_path / "grey.py"), "--json", "--out", str(tmp_path / "out")],
        capture_output=True, text=True, env=environment, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "out").glob("*.png"))) == 14


def test_the_command_line_takes_a_folder(tmp_path, capsys):
    folder = folder_of(tmp_path / "holiday", 14)
    arguments = ["ask", "make these grey", "--attach", str(folder), "--out", str(tmp_path / "out"), "--json"]
    assert main(arguments) == 0
    told = json.loads(capsys.readouterr().out.strip().splitlines()[-1])
    assert [node["tool"] for node in told["workflow"]["nodes"]] == ["black_and_white"]
    assert len(list((tmp_path / "out").glob("*.png"))) == 14


def test_what_is_counted_is_told_by_file(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(1, 15):
        (folder / f"note {number}.txt").write_text("word " * number, "utf-8")

    async def work(session: Session) -> None:
        assert (await asked(session, "how many words are in these texts?", folder))[0] == "count_words"
        await session.start()
        answer = session.messages[-1].text
        print(answer)
        assert "note 3.txt" in answer and "105" in answer

    within(work)


def test_one_file_of_a_batch_can_be_meant(tmp_path):
    folder = folder_of(tmp_path / "holiday", 14)

    async def work(session: Session) -> None:
        await asked(session, "blur shot 7.png", folder)
        await session.start()
        (node,) = session.workflow.nodes
        ((link,),) = (session.workflow.links_into(node.id),)
        resource = session.workflow.resource(link.source)
        assert resource is not None and resource.name == "shot 7.png" and not resource.files

    within(work)
