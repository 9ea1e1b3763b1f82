"""The rules of the house hold, and each check fails when its rule is broken."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from nodes import DOMAINS
from nodes.api import DeclarationError, Image, Number, Port, ResourceType, tool
from tests.code_map import code_map, written

PROJECT = Path(__file__).resolve().parents[1]


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    environment = {**os.environ, "PYTHONPATH": str(folder), "NO_COLOR": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the code for all tests of this file."""
    folder = tmp_path_factory.mktemp("tree")
    for name in ("desktop_app", "nodes"):
        shutil.copytree(PROJECT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PROJECT / "pyproject.toml", folder)
    return folder


@pytest.fixture
def changed(tree):
    """Changes a file of the copy for a test: gives the copy."""
    before = {}

    def change(file, to):
        path = tree / file
        before[path] = path.read_text("utf-8")
        path.write_text(to(before[path]), "utf-8")
        return tree

    yield change
    for path, text in before.items():
        path.write_text(text, "utf-8")


def test_imports_go_one_way():
    done = lint_imports(PROJECT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        ("desktop_app/graph/workflow.py", "import desktop_app.session.session", "Imports go one way"),
        ("desktop_app/plan/types.py", "import desktop_app.run.events.events", "Imports go one way"),
        ("desktop_app/run/events/events.py", "import PySide6.QtCore", "Only ui and app import Qt"),
        ("desktop_app/ui/theme/icons.py", "import desktop_app.ui.chat.composer", "The window's rooms have a direction"),
        ("desktop_app/plan/types.py", "import desktop_app.plan.search.search", "The planner's rooms have a direction"),
        ("desktop_app/run/events/events.py", "import desktop_app.run.engine", "The engine's rooms have a direction"),
        ("nodes/_support/vision/seeing.py", "import nodes._support.media.sound", "The shared rooms have a direction"),
        ("desktop_app/graph/workflow.py", "def f():\n    import desktop_app.graph.edit", "No circles"),
        ("nodes/image/blur.py", "import desktop_app.core.errors", "nodes knows nothing of the application nor of Qt"),
        ("nodes/image/blur.py", "import PySide6.QtGui", "nodes knows nothing of the application nor of Qt"),
    ],
)
def test_a_broken_rule_fails_the_check(changed, file, line, contract):
    done = lint_imports(changed(file, lambda text: f"{text}\n{line}\n"))
    assert done.returncode == 1
    assert f"{contract} BROKEN" in done.stdout


def crowded(project: Path) -> dict[str, int]:
    """The folders with more than 25 modules. In those of tools, which have a file each, only what is none counts."""
    counts: Counter[str] = Counter()
    for path in (path for top in ("desktop_app", "nodes", "tests") for path in (project / top).rglob("*.py")):
        room = path.parent.relative_to(project).as_posix()
        of_tools = room in {f"nodes/{domain}" for domain in DOMAINS}
        counts[room] += path.name != "__init__.py" and not (of_tools and path.name[0] != "_")
    return {room: count for room, count in counts.items() if count > 25}


def test_a_room_has_at_most_25_files():
    assert crowded(PROJECT) == {}, "a room with so many files has two purposes"


@pytest.mark.parametrize(
    ("room", "name", "found"),
    [
        ("desktop_app/graph", "more_{}.py", True),
        ("nodes/_support/vision", "more_{}.py", True),
        ("nodes/image", "_more_{}.py", True),
        ("nodes/image", "more_{}.py", False),
        ("tests/plan/search", "test_more_{}.py", True),
    ],
)
def test_a_crowded_room_is_found(tmp_path, room, name, found):
    (tmp_path / room).mkdir(parents=True)
    for number in range(26):
        (tmp_path / room / name.format(number)).touch()
    assert crowded(tmp_path) == ({room: 26} if found else {})


def test_the_map_in_the_readme_is_that_of_the_code():
    assert written() == code_map(), "run: python -m tests.code_map"


def test_the_walks_through_the_code_name_few_files_and_all_are_there():
    there = [path.as_posix() for path in (PROJECT / "desktop_app").rglob("*.py")]
    parts = (PROJECT / "desktop_app/README.md").read_text("utf-8").split("\n## ")[2:]
    walks = [re.findall(r"`([\w/]+\.py)`", part) for part in parts]
    assert len(walks) == 3 and all(len(walk) > 10 for walk in walks)
    assert [name for walk in walks for name in walk if not any(path.endswith(f"/{name}") for path in there)] == []
    assert max(len({name for name in walk if not name.startswith("plan/")}) for walk in walks) <= 25


HEAVY = "torch transformers diffusers"
WINDOW = (
    "import sys, pkgutil, importlib, desktop_app, desktop_app.ui, nodes\n"
    "names = [m.name for m in pkgutil.walk_packages(desktop_app.__path__, 'desktop_app.')]\n"
    "for name in names:\n"
    "    if not name.endswith('__main__'): importlib.import_module(name)\n"
    "nodes.load_tools()\n"
    f"print([name for name in '{HEAVY}'.split() if name in sys.modules])\n"
)


def test_the_window_never_imports_torch():
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", WINDOW], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_module_level_import_of_torch_fails_the_lint(changed):
    file = "nodes/image/blur.py"
    path = changed(file, lambda text: text.replace("import numpy as np", "import numpy as np\nimport torch")) / file
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "TID253" in done.stdout


PICTURE = Port("image", ResourceType.IMAGE, "a picture")
FACTS = {"id": "x", "title": "X", "domain": "image", "description": "X.", "outputs": (PICTURE,)}


def declare(function, *inputs):
    return tool(inputs=inputs, **FACTS)(function)


def test_a_signature_that_agrees_is_accepted():
    def x(image: Image, amount: Number = 2.0) -> Image:
        return image

    assert declare(x, PICTURE, Port("amount", ResourceType.NUMBER, "much", default=2.0)).tool.id == "x"


def test_other_names_than_the_ports_are_refused():
    def x(picture: Image) -> Image:
        return picture

    with pytest.raises(DeclarationError, match="are not the input ports"):
        declare(x, PICTURE)


def test_another_type_than_the_port_is_refused():
    def x(image: Number) -> Image:
        raise AssertionError

    with pytest.raises(DeclarationError, match="its port is of type image"):
        declare(x, PICTURE)


def test_another_default_than_the_port_is_refused():
    def x(image: Image, amount: Number = 3.0) -> Image:
        return image

    with pytest.raises(DeclarationError, match="default of 'amount'"):
        declare(x, PICTURE, Port("amount", ResourceType.NUMBER, "much", default=2.0))


def test_another_return_type_is_refused():
    def x(image: Image) -> Number:
        return 1.0

    with pytest.raises(DeclarationError, match="returns"):
        declare(x, PICTURE)


# The top level

_DOCUMENTED = ("pyproject.toml", "README.md", "desktop_app", "nodes", "resources", "installers", "tests")
_LICENCE = ("LICENSE", "LICENCE", "NOTICE")


def top_level() -> set[str]:
    """The names at the top of what the project consists of: tracked files, or in a copy without history all but what
    .gitignore names.
    """
    listed = None
    if shutil.which("git") and (PROJECT / ".git").exists():
        listed = subprocess.run(["git", "ls-files"], cwd=PROJECT, capture_output=True, text=True, check=False)
    if listed is not None and listed.returncode == 0:
        return {line.partition("/")[0] for line in listed.stdout.splitlines()}
    ignored = [line.strip("/") for line in (PROJECT / ".gitignore").read_text("utf-8").split()]
    return {path.name for path in PROJECT.iterdir() if not any(path.match(pattern) for pattern in ignored)}


def undocumented(names: set[str]) -> set[str]:
    """Those that the top level may not have: it is what the README says, a licence and dot files."""
    return {name for name in names if not name.startswith(".") and name not in (*_DOCUMENTED, *_LICENCE)}


def test_the_top_level_holds_what_it_should_and_no_more():
    names = top_level()
    assert not undocumented(names)
    assert {*_DOCUMENTED, "LICENSE", ".ci"} <= names


def test_anything_else_at_the_top_is_found():
    assert undocumented({"README.md", ".ci", "LICENSE", "THIRD_PARTY.md", "src"}) == {"THIRD_PARTY.md", "src"}


def test_what_the_readme_names_at_the_top_or_in_resources_is_there():
    named = re.findall(
        r"`((?:resources|tests|installers|\.ci)/[\w./-]+|LICENSE|[A-Z_]+\.md)`", (PROJECT / "README.md").read_text()
    )
    assert "resources/licences/THIRD_PARTY.md" in named
    assert [name for name in named if not (PROJECT / name).exists()] == []


def test_what_benchmarks_and_training_import_is_there():
    """They are not run by the suite, and import within functions, too."""
    files = [file for room in ("benchmarks", "training") for file in (PROJECT / "tests" / room).glob("*.py")]
    imports = [
        (file.name, node.module, name.name)
        for file in files
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(("desktop_app.", "nodes", "tests."))
        for name in node.names
    ]
    assert [one for one in imports if not _is_there(one[1] or "", one[2])] == []


def _is_there(module: str, name: str) -> bool:
    found = importlib.import_module(module)
    inner = importlib.util.find_spec(f"{module}.{name}") if hasattr(found, "__path__") else None
    return hasattr(found, name) or inner is not None
