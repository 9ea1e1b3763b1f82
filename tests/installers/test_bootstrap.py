"""Set-up says clearly what is missing, installs nothing twice, and can be interrupted."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def bootstrap(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("bootstrap", PROJECT / "installers" / "bootstrap.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "missing_packages", lambda kind: [])
    return module


@pytest.fixture
def commands(bootstrap, monkeypatch):
    """The commands that set-up runs, recorded instead of run."""
    seen = []

    def call(command, environment, trouble):
        seen.append(command)
        if "venv" in command:
            python = bootstrap.venv_python()
            python.parent.mkdir(parents=True, exist_ok=True)
            python.symlink_to(sys.executable)

    monkeypatch.setattr(bootstrap, "call", call)
    return seen


def test_everything_is_installed_once(bootstrap, commands):
    bootstrap.set_up("run")
    first = len(commands)
    assert any("--require-hashes" in command for command in commands)
    bootstrap.set_up("run")
    assert len(commands) == first


def test_the_test_setup_brings_torch_and_the_models(bootstrap, commands):
    bootstrap.set_up("test")
    words = [word for command in commands for word in command]
    assert "torch==2.13.0" in words
    assert any(word.endswith("models.txt") for word in words)


def test_the_packages_are_compiled_together_and_what_is_no_python_stays_as_it_is(bootstrap, commands):
    packages = bootstrap.VENV / "lib"
    packages.mkdir(parents=True)
    (packages / "good.py").write_text("a = 1\n")
    (packages / "template.py").write_text("{{ name }} =\n")
    bootstrap.set_up("test")
    assert all("--no-compile" in command for command in commands if "install" in command)
    assert [path.name.partition(".")[0] for path in (packages / "__pycache__").iterdir()] == ["good"]


def test_a_changed_lock_is_seen(bootstrap, commands, tmp_path, monkeypatch):
    bootstrap.set_up("run")
    locks = tmp_path / "locks"
    locks.mkdir()
    (locks / "app.txt").write_text("numpy==1\n")
    monkeypatch.setattr(bootstrap, "LOCKS", locks)
    monkeypatch.setattr(bootstrap, "PROJECT", tmp_path)
    (tmp_path / "pyproject.toml").write_text("")
    first = len(commands)
    bootstrap.set_up("run")
    assert len(commands) > first


def test_an_old_python_is_told_which_one_is_needed(bootstrap, monkeypatch, capsys):
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 9, 2))
    assert bootstrap.main(["run"]) == 1
    assert "Python 3.11 or newer" in capsys.readouterr().err


def test_a_full_disk_is_told_with_both_figures(bootstrap, monkeypatch, capsys):
    monkeypatch.setattr(bootstrap.shutil, "disk_usage", lambda _: SimpleNamespace(free=300_000_000))
    assert bootstrap.main(["run"]) == 1
    said = capsys.readouterr().err
    assert "2.5 GB of free disk" in said
    assert "0.3 GB" in said


def test_without_rights_the_exact_line_is_printed(bootstrap, commands, monkeypatch, capsys):
    monkeypatch.setattr(bootstrap.sys, "platform", "linux")
    monkeypatch.setattr(bootstrap, "missing_packages", lambda kind: ["libegl1", "espeak-ng"])
    monkeypatch.setattr(bootstrap, "administrator", lambda _: None)
    bootstrap.set_up("run")
    assert "sudo apt-get install -y --no-install-recommends libegl1 espeak-ng" in capsys.readouterr().err


def test_a_missing_venv_module_stops_with_its_line(bootstrap, monkeypatch, capsys):
    monkeypatch.setattr(bootstrap.sys, "platform", "linux")
    monkeypatch.setattr(bootstrap, "missing_packages", lambda kind: ["python3-venv"])
    monkeypatch.setattr(bootstrap, "administrator", lambda _: None)
    assert bootstrap.main(["run"]) == 1
    assert "apt-get install -y --no-install-recommends python3-venv" in capsys.readouterr().err


def test_a_half_made_environment_is_made_again(bootstrap, commands):
    python = bootstrap.venv_python()
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/false\n")
    python.chmod(0o755)
    (bootstrap.VENV / "left over").touch()
    bootstrap.make_venv()
    assert not (bootstrap.VENV / "left over").exists()


def test_a_failing_installation_says_what_to_do(bootstrap, monkeypatch, capsys):
    monkeypatch.setattr(bootstrap, "make_venv", lambda: None)
    failed = SimpleNamespace(returncode=1)
    monkeypatch.setattr(bootstrap.subprocess, "run", lambda *a, **k: failed)
    assert bootstrap.main(["run"]) == 1
    assert "Check the network and run the same command again" in capsys.readouterr().err


def test_an_interruption_can_be_continued(bootstrap, monkeypatch, capsys):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(bootstrap, "install_python_packages", interrupted)
    monkeypatch.setattr(bootstrap, "make_venv", lambda: None)
    assert bootstrap.main(["run"]) == 130
    assert "Run the same command again" in capsys.readouterr().err
    assert not list(bootstrap.VENV.glob(".graphwright-*"))


def test_without_a_display_the_demo_runs_and_it_is_said(bootstrap, monkeypatch, capsys):
    started = []
    monkeypatch.setattr(bootstrap, "has_display", lambda: False)
    monkeypatch.setattr(bootstrap, "start", lambda arguments: started.append(arguments) or 0)
    assert bootstrap.run(demo=False, arguments=[]) == 0
    assert started == [["-m", "desktop_app", "demo"]]
    assert "no display" in capsys.readouterr().err


@pytest.fixture
def checked(bootstrap, monkeypatch):
    """Runs all checks, of which the one of types is another program; gives what was started, and the exit code."""
    monkeypatch.setattr(bootstrap, "venv_python", lambda: Path(sys.executable))
    begin = bootstrap.started

    def run(types: str, fails: str = "") -> tuple[list[str], int]:
        seen = []
        monkeypatch.setattr(bootstrap, "started", lambda arguments, output: begin(["-c", types], output))
        monkeypatch.setattr(bootstrap, "start", lambda check: seen.append(" ".join(check)) or fails in check)
        return seen, bootstrap.test(["--long"])

    return run


def test_everything_is_checked_and_types_are_told_of_at_last(checked, capfd):
    seen, code = checked("print('0 errors')")
    assert code == 0 and [line.split()[1] for line in seen[:3]] == ["compileall", "ruff", "ruff"]
    assert "lint-imports" in seen[3] and seen[4].startswith("-m pytest") and seen[4].endswith("--long")
    assert capfd.readouterr().err.endswith("basedpyright\n0 errors\n")


def test_wrong_types_fail_and_are_shown(checked, capfd):
    assert checked("print('a wrong type'); raise SystemExit(3)")[1] == 3
    assert "a wrong type" in capfd.readouterr().err


def test_what_fails_ends_the_checks_without_waiting_for_types(checked):
    seen, code = checked("import time; time.sleep(600)", fails="ruff")
    assert code == 1 and len(seen) == 2


def test_it_uses_the_standard_library_only():
    code = f"import sys; sys.path.insert(0, {str(PROJECT / 'installers')!r}); import bootstrap"
    command = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("asked", [False, True])
def test_sudo_is_run_only_when_that_was_asked_for(bootstrap, commands, monkeypatch, capsys, asked):
    monkeypatch.setattr(bootstrap.os, "geteuid", lambda: 1000, raising=False)
    monkeypatch.setattr(bootstrap.subprocess, "run", lambda command, **_: SimpleNamespace(returncode=0))
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(bootstrap, "missing_packages", lambda _: ["libegl1"])
    monkeypatch.setattr(bootstrap.sys, "platform", "linux")
    bootstrap.main(["run", "--demo", *(["--install-system-packages"] if asked else [])])
    said = capsys.readouterr().err
    assert any(str(command[0]).endswith("/sudo") for command in commands) == asked
    assert ("sudo apt-get install -y --no-install-recommends libegl1" in said) != asked
