"""What a tool file declares is found out without importing it here, whatever the file does when it is imported."""

from __future__ import annotations

import json
import socket
import subprocess
import sys

import pytest

import nodes
from nodes import confinement, declarations, load_tools
from nodes.api import Backend, Port, ResourceType, Tool
from nodes.catalogue import with_models

_GOOD = """
from nodes.api import *
@tool(id={id!r}, title='Mine', domain='text', description='x',
      inputs=(Port('text', ResourceType.TEXT, 't', default='a'),), outputs=(Port('text', ResourceType.TEXT, 't'),))
def mine(text: Text = 'a') -> Text:
    '''Gives it back.'''
    return text + '!'
"""
_BAD = {
    "exits": ("import sys; sys.exit(3)", "SystemExit: 3"),
    "ends": ("import os; os._exit(4)", "ended the process (code 4)"),
    "crashes": ("import ctypes; ctypes.string_at(0)", "ended the process (signal 11)"),
    "loops": ("while True: pass", "longer than"),
    "raises": ("1 / 0", "ZeroDivisionError"),
    "needs": ("import no_such_package", "no_such_package"),
    "nothing": ("x = 1", "declares 0 tools"),
    "syntax": ("def", "SyntaxError"),
    "interrupts": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "prints": ("print('{\"tool\": 1}', flush=True); import os; os.write(1, b'x')", "declares 0 tools"),
    "devours": ("x = [bytes(1 << 30) for _ in range(64)]", "MemoryError"),
    "answers": (
        "import os\nfor i in range(3, 50):\n  try: os.write(i, b'rubbish\\n')\n  except OSError: pass",
        "wrote into",
    ),
    "forges": (
        'import os\nfor i in range(3, 50):\n  try: os.write(i, b\'{"tool": {"id": 5, "inputs": 7}}\\n\')\n'
        "  except OSError: pass",
        "wrote into",
    ),
}
_LINUX_ONLY = {"crashes", "devours"}


def _ask(folder, files, patience=20.0):
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return declarations.declared(list(files), (folder,), patience=patience)


@pytest.mark.parametrize("name", _BAD)
def test_a_file_that_does_harm_fails_alone(tmp_path, name):
    if name in _LINUX_ONLY and not sys.platform.startswith("linux"):
        pytest.skip("told otherwise here")
    text, why = _BAD[name]
    files = {"before": _GOOD.format(id="before"), name: text, "later": _GOOD.format(id="later")}
    found, failures = _ask(tmp_path, files, 2.0 if name == "loops" else 60.0)
    assert list(found) == ["before", "later"]
    assert list(failures) == [name] and why in failures[name]
    assert not {"before", "later", name} & sys.modules.keys()


@pytest.mark.skipif(not confinement.landlock_version(), reason="Landlock is needed")
def test_a_file_reaches_nothing_while_it_is_looked_at(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("mine")
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        files = {
            "reads": f"open({str(secret)!r}).read()",
            "writes": f"open({str(secret)!r}, 'w')",
            "calls": f"import socket; socket.create_connection({address!r})",
        }
        folder = tmp_path / "tools"
        folder.mkdir()
        found, failures = _ask(folder, files)
    assert not found and secret.read_text() == "mine"
    assert all("PermissionError" in failures[name] for name in files), failures


def test_a_file_sees_no_key(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "hidden")
    _, failures = _ask(tmp_path, {"looks": "import os; raise ValueError(str(os.environ.get('OPENAI_API_KEY')))"})
    assert failures == {"looks": "ValueError: None"}


def test_what_is_read_back_is_what_the_files_declare():
    """Of every tool; only functions are stood in for."""
    for id, tool in load_tools().tools.items():
        module = tool.backends[0].run.__module__
        imported = with_models(declarations.tool_in(module))
        assert declarations.to_plain(imported) == declarations.to_plain(tool), id
        assert (imported.inputs, imported.outputs) == (tool.inputs, tool.outputs)
        for one, other in zip(imported.backends, tool.backends, strict=True):
            assert {**vars(one), "run": 0} == {**vars(other), "run": 0}
            assert other.run.function() is one.run


def test_loading_imports_no_tool_file():
    code = "import sys, nodes; nodes.load_tools(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & set(nodes._files())


def test_a_function_is_imported_when_it_is_called(tmp_path, monkeypatch):
    found, _ = _ask(tmp_path, {"called_one": _GOOD.format(id="called_one")})
    monkeypatch.syspath_prepend(tmp_path)
    run = found["called_one"].backends[0].run
    assert run("a") == "a!" and run.__doc__ == "Gives it back."
    monkeypatch.delitem(sys.modules, "called_one")


def test_what_was_found_is_kept_until_a_file_changes(tmp_path, monkeypatch):
    asked: list[list[str]] = []
    plain = declarations._collected
    monkeypatch.setattr(declarations, "_collected", lambda n, *more: asked.append(list(n)) or plain(n, *more))
    monkeypatch.setattr(declarations, "PACKAGE", declarations.PACKAGE)
    (tmp_path / "kept_one.py").write_text(_GOOD.format(id="kept_one"))
    keep = tmp_path / "kept" / "declared.json"
    keep.parent.mkdir()
    first = declarations.declared(["kept_one"], (tmp_path,), keep)
    assert declarations.declared(["kept_one"], (tmp_path,), keep) == first and len(asked) == 1
    monkeypatch.setattr(declarations, "_sources", lambda folder: [str(tmp_path / "kept_one.py")])
    assert declarations.declared(["kept_one"], (tmp_path,), keep) == first and len(asked) == 2


def test_what_ended_its_process_is_looked_at_again_at_the_next_start(tmp_path):
    """The machine may have been short of memory then: a program without tools until a file changes is not to be."""
    sign = tmp_path / "short_of_memory"
    sign.write_text("")
    ends = f"import os\nif os.path.exists({str(sign)!r}):\n    os._exit(1)\n"
    (tmp_path / "ending_one.py").write_text(ends + _GOOD.format(id="ending_one"))
    (tmp_path / "well_one.py").write_text(_GOOD.format(id="well_one"))
    keep = tmp_path / "declared.json"
    names = ["ending_one", "well_one"]
    found, failures = declarations.declared(names, (tmp_path,), keep)
    assert list(found) == ["well_one"] and list(failures) == ["ending_one"]
    sign.unlink()
    found, failures = declarations.declared(names, (tmp_path,), keep)
    assert list(found) == names and not failures and keep.exists()


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"null", b"[" * 100_000, b'{"key": 1}'])
def test_what_was_kept_and_is_damaged_is_found_out_again(tmp_path, damage):
    (tmp_path / "hurt_one.py").write_text(_GOOD.format(id="hurt_one"))
    keep = tmp_path / "declared.json"
    first = declarations.declared(["hurt_one"], (tmp_path,), keep)
    kept = json.loads(keep.read_bytes())
    keep.write_bytes(damage)
    assert declarations.declared(["hurt_one"], (tmp_path,), keep) == first
    assert json.loads(keep.read_bytes()) == kept
    for part in ("tools", "failures"):
        keep.write_text(json.dumps({**kept, part: 5}))
        assert declarations.declared(["hurt_one"], (tmp_path,), keep) == first


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path):
    (tmp_path / "free_one.py").write_text(_GOOD.format(id="free_one"))
    (tmp_path / "file").write_text("")
    found, failures = declarations.declared(["free_one"], (tmp_path,), tmp_path / "file" / "declared.json")
    assert list(found) == ["free_one"] and not failures


def test_a_default_that_cannot_be_kept_is_a_fault_of_the_file():
    port = Port("x", ResourceType.TEXT, "x", default=object())
    with pytest.raises(TypeError, match="neither text"):
        declarations.to_plain(Tool("a", "A", "text", "x", (port,), (), (Backend("b", "B", print),)))
