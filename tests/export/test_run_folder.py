"""`graphwright run` over a folder: each file is worked on, what cannot be is told, and the rest goes on."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PIL import Image

from desktop_app.cli import main


@pytest.fixture
def folder(tmp_path):
    """Two pictures, one damaged picture, and a text."""
    made = tmp_path / "in"
    made.mkdir()
    for name, grey in (("b.png", 200), ("a.png", 50)):
        Image.fromarray(np.full((8, 8, 3), grey, np.uint8)).save(made / name)
    (made / "c.png").write_bytes(b"not a picture")
    (made / "notes.txt").write_text("no picture")
    return made


@pytest.fixture
def workflow(tmp_path):
    path = tmp_path / "invert.json"
    node = {"id": "n", "tool": "invert_colours", "values": {}}
    path.write_text(json.dumps({"format": 1, "nodes": [node], "links": []}))
    return path


def test_each_picture_of_a_folder_is_worked_on(folder, workflow, tmp_path, capsys):
    out = tmp_path / "out"
    code = main.main(["run", str(workflow), "--set", f"n.image={folder}", "--out", str(out)])
    assert code == 0
    made = sorted(out.glob("*.png"))
    assert [path.name[:1] for path in made] == ["a", "b"]
    assert [int(np.asarray(Image.open(path)).max()) for path in made] == [205, 55]
    assert "left out: c.png" in capsys.readouterr().err


def test_a_folder_without_pictures_is_refused(folder, workflow, tmp_path, capsys):
    empty = tmp_path / "empty"
    empty.mkdir()
    assert main.main(["run", str(workflow), "--set", f"n.image={empty}"]) != 0
    captured = capsys.readouterr()
    assert "has no image in it" in captured.out + captured.err


def test_what_failed_in_a_batch_is_in_the_answer_and_in_json(folder, tmp_path, capsys):
    files = [{"name": name, "path": f"in/{name}"} for name in ("a.png", "notes.txt", "b.png")]
    node = {"id": "n", "tool": "invert_colours", "values": {}}
    links = [{"source": file["name"], "output": "value", "target": "n", "port": "image"} for file in files]
    path = tmp_path / "w.json"
    path.write_text(json.dumps({"format": 1, "resources": files, "nodes": [node], "links": links}))
    main.main(["run", str(path), "--json", "--out", str(tmp_path / "out")])
    told = json.loads(capsys.readouterr().out)
    assert "1 of 3 failed: notes.txt is of type text" in told["answer"].replace("notes.txt: ", "")
    assert told["nodes"][0]["failed"][0][0] == "notes.txt"
    assert len(told["nodes"][0]["outputs"]["image"]) == 2
