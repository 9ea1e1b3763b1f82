"""`graphwright ask`: plan, run and answer without a window."""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import replace
from pathlib import Path

from desktop_app.app import new_session
from desktop_app.cli import exit_codes, report
from desktop_app.cli.meter import fetched
from desktop_app.cli.report import cost_words, costs_of, spent_of, spent_words
from desktop_app.core.errors import BadRequest
from desktop_app.core.paths import home
from desktop_app.i18n import catalogue
from desktop_app.plan.types import Question
from desktop_app.session import fetching
from desktop_app.session.session import Session
from desktop_app.storage.resources import MOST_SINGLE, Store
from nodes.api import Point

_POINT = re.compile(r"(?P<name>.+)=(?P<sign>-?)(?P<x>\d+(\.\d+)?),(?P<y>\d+(\.\d+)?)\Z")


async def run(options: argparse.Namespace) -> int:
    """The exit code. Raises AppError for a bad request or argument."""
    if not options.request.strip():
        raise BadRequest(
            "The request is empty.", 'Say what you want: graphwright ask "Blur this picture" --attach a.jpg'
        )
    session = new_session()
    session.planning.planner.warm()
    try:
        code = await ask_in(session, options)
        if words := spent_words(session.spent):
            print(words, file=sys.stderr)
        return code
    finally:
        await session.close()


async def ask_in(session: Session, options: argparse.Namespace) -> int:
    """As `run`, in a session that is there and stays."""
    if options.yes:
        session.allow_all()
    single = [path for path in options.attach if not path.is_dir()]
    names: dict[Path, str] = {}
    if len(single) <= MOST_SINGLE:
        names = {path: session.attach(path).name for path in single}
    rest = [path for path in options.attach if path not in names]
    names |= {Path(one.name): one.name for one in session.attach_all(rest)}
    for name, points in _points(options.point, names).items():
        session.point(name, points)
    session.use_steps(replace(session.steps, approve=False))  # nobody is there to be asked
    await session.ask(options.request, tuple(names.values()))
    if any(message.kind == "step" for message in session.messages):
        return _after_steps(session, options)
    if not session.alternatives:
        return _refuse(session, options.json)
    session.choose(options.choose - 1)
    if options.yes:
        await fetched(session)
    for text in options.then:
        if not session.questions():
            print(_planned(session), file=sys.stderr)
            await session.start()
        said = len(session.messages) + 1
        await session.ask(text)
        if not any(message.kind == "plan" for message in session.messages[said:]):
            print(_spoken(session.messages[-1].text, session), file=sys.stderr)  # words, and the graph stays as it is
        if options.yes:
            await fetched(session)
    questions = session.questions()
    if questions:
        return _question(session, questions, options.json)
    print(_planned(session), file=sys.stderr)
    report.Progress(session)
    await session.start()
    if (asked := session.questions()) and session.run.outcome == "cancelled":
        return _question(session, asked, options.json)
    return finish(session, options.out, options.json)


def _after_steps(session: Session, options: argparse.Namespace) -> int:
    """The steps were run already; one may wait for input, or not have come to the end."""
    questions = session.questions()
    if session.proposed and questions:
        return _question(session, questions, options.json)
    for message in session.messages:
        if message.kind == "step":
            print(f"  {message.state}: {_spoken(message.text, session)}", file=sys.stderr)
    code = finish(session, options.out, options.json)
    if session.can_go_on:
        print(_spoken(session.messages[-1].text, session), file=sys.stderr)
        return exit_codes.FAILED
    return code


def finish(session: Session, out: Path | None, as_json: bool) -> int:
    """Writes the results, prints the answer or the JSON object, returns the exit code."""
    files = report.deliver(session, out, Store(home() / "store"))
    answer = report.answer_of(session)
    if as_json:
        print(report.as_json(session, answer, files))
    else:
        print(answer)
        for path in files:
            print(f"  {path}")
    return exit_codes.OK if report.complete(session) and session.run.outcome == "ok" else exit_codes.FAILED


def _planned(session: Session) -> str:
    solution = session.alternatives[session.chosen].solution
    others = len(session.alternatives) - 1
    tools = {node.id: node.tool for node in session.workflow.nodes}
    steps = " -> ".join(tools[id] for id in session.workflow.order())
    more = f" ({others} other way{'s' if others > 1 else ''}; see 'graphwright plan')" if others else ""
    asked = session.plan.questions if session.plan is not None else ()
    doubts = "".join(_doubt(question, session) for question in asked if question.kind == "confirm")
    costs = cost_words(costs_of(session.alternatives[session.chosen]))
    return f"Plan: {_spoken(solution.title, session)}{more}\n  {steps}\n  {costs}{doubts}"


def _doubt(question: Question, session: Session) -> str:
    """With the other ways that may be meant, and how to choose them."""
    titles = [way.solution.title for way in session.alternatives]
    ways = [
        f"--choose {n}: {_spoken(title, session)}"
        for n, title in enumerate(titles, 1)
        if n > 1 and title in question.choices
    ]
    return "".join(f"\n  {line}" for line in (_spoken(question.text, session), *ways))


def _refuse(session: Session, as_json: bool) -> int:
    """No solution: a question is input that is missing, anything else a request that cannot be met."""
    message = session.messages[-1]
    asked, text = message.questions, _spoken(message.text, session)
    if as_json:
        print(json.dumps({"answer": text, "workflow": None, "nodes": [], "files": [],
                          "questions": [_spoken(q.text, session) for q in asked],
                          "offers": [vars(offer) for offer in message.offers],
                          **spent_of(session.spent)}, ensure_ascii=False))  # fmt: skip
    else:
        print(text)
        for choice in (choice for question in asked for choice in question.choices):
            print(f"  {_spoken(choice, session)}")
        for offer in message.offers:
            print(f"  {_spoken(offer.text, session)}")
    return exit_codes.MISSING if asked else exit_codes.BAD


def _spoken(text: str, session: Session) -> str:
    """What the chat says, in the language of its last reply, as the window shows it."""
    with catalogue.speaking(session.state.log.language):
        return catalogue.translated(text)


def _question(session: Session, questions: tuple[Question, ...], as_json: bool) -> int:
    text = "\n".join(_with_hint(replace(q, text=_spoken(q.text, session))) for q in questions)
    if as_json:
        print(json.dumps({"answer": text, "workflow": session.workflow.to_json(), "nodes": [],
                          "files": [], "questions": [_spoken(q.text, session) for q in questions],
                          **spent_of(session.spent)}, ensure_ascii=False))  # fmt: skip
    else:
        print(text)
    return exit_codes.MISSING


def _with_hint(question: Question) -> str:
    if fetching.told(question):
        return f"{question.text} (on the command line: --yes)"
    if question.kind == "point":
        return f"{question.text} (on the command line: --point {question.resource or 'NAME'}=X,Y)"
    if question.kind == "box":
        return f"{question.text} (boxes are drawn in the window; on the command line point at it instead)"
    if question.choices:
        return f"{question.text} ({', '.join(question.choices)})"
    return f"{question.text} (on the command line: --attach FILE)" if question.kind == "file" else question.text


def _points(given: list[str], names: dict[Path, str]) -> dict[str, tuple[Point, ...]]:
    """Clicks by resource name. A minus before x excludes: NAME=-X,Y. Raises BadRequest."""
    by_file = {path.name: name for path, name in names.items()} | {str(p): n for p, n in names.items()}
    found: dict[str, list[Point]] = {}
    for text in given:
        match = _POINT.match(text)
        if match is None:
            raise BadRequest(
                f"'{text}' is not a point.", "Write --point NAME=X,Y in pixels, e.g. --point photo.jpg=320,240"
            )
        if match["name"] not in by_file:
            raise BadRequest(
                f"There is no attached picture '{match['name']}' to point at.",
                f"Attached: {', '.join(names.values()) or 'none'}.",
            )
        point = Point(float(match["x"]), float(match["y"]), not match["sign"])
        found.setdefault(by_file[match["name"]], []).append(point)
    return {name: tuple(points) for name, points in found.items()}
