"""What the watcher of stand-stills tells of them."""

from __future__ import annotations

import threading

from tests.ui import hangs


def test_of_a_stack_the_lines_of_the_project_are_told():
    stack = "\n".join([
        " (most recent call first):",
        f'  File "{hangs._PROJECT}/desktop_app/ui/log/view.py", line 12 in show',
        '  File "/usr/lib/python3.11/asyncio/events.py", line 80 in _run',
        f'  File "{hangs._PROJECT}/desktop_app/app.py", line 7 in main',
        f'  File "{hangs._PROJECT}/tests/ui/monkey.py", line 3 in main',
    ])  # fmt: skip
    assert hangs._place(stack) == "app:7 main > view:12 show"


def test_each_thread_is_told_and_the_first_comes_first(monkeypatch):
    begun, over = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        over.wait(30)

    other = threading.Thread(target=wait)
    other.start()
    assert begun.wait(30) and other.ident is not None
    monkeypatch.setattr(hangs, "_place", lambda stack: "other" if " in wait" in stack else "")
    assert hangs._places(other.ident).startswith("other")
    over.set()
    other.join(30)
