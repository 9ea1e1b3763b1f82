"""What is said of passwords: which file gets one or loses it, which one it is, and what speaks of others."""

from __future__ import annotations

import pytest

from desktop_app.plan.arguments.password_words import password_wish
from desktop_app.plan.types import FromNode, Given, Request
from tests.plan.worlds import own_planner

PLANNER = own_planner()


def planned(text: str, *files: str) -> list[tuple[str, object]]:
    """The tools of the first plan, each with the password that it gets."""
    given = tuple(Given(name, "image" if name.endswith("jpg") else "file") for name in files)
    solutions = PLANNER.plan(Request(text, given)).solutions
    return [(step.tool, step.arguments.get("password")) for step in solutions[0].steps] if solutions else []


@pytest.mark.parametrize(
    ("text", "password"),
    [
        ("Protect lease.pdf with the password Heron-9", "Heron-9"),
        ("the pdf should only open with the password heron", "heron"),
        ("nobody may open it without the password “two words”", "two words"),
        ("encrypt this, password: x7!y", "x7!y"),
        ("Add a password", None),
        ("Versieh die Datei mit dem Kennwort Reiher9", "Reiher9"),
        ("PDF mit Passwort schützen", None),
        ("Verrouille ce PDF avec le mot de passe héron", "héron"),
        ("Mets un mot de passe dessus", None),
        ("Ponle al PDF la contraseña garza9", "garza9"),
        ("用密码 heron9 给这个文件加密", "heron9"),
        ("请把文件加密，密码是芝麻开门", "芝麻开门"),
    ],
)
def test_a_file_gets_the_password_that_is_said_or_it_is_asked_for(text: str, password: str | None):
    assert planned(text, "lease.pdf") == [("lock_pdf", password)]
    questions = PLANNER.plan(Request(text, (Given("lease.pdf", "file"),))).solutions[0].questions
    assert [question.port for question in questions] == ([] if password else ["password"])


@pytest.mark.parametrize(
    ("text", "password"),
    [
        ("Get the password off lease.pdf, it is heron", "heron"),
        ("Heron is the password, please take it off", "Heron"),
        ("unlock it", None),
        ("Das Kennwort lautet Reiher9, bitte nimm es weg", "Reiher9"),
        ("Supprime le mot de passe de lease.pdf (c'est héron9)", "héron9"),
        ("La contraseña actual es garza, quiero el archivo sin contraseña", "garza"),
        ("解除密码，密码是 heron9", "heron9"),
    ],
)
def test_a_file_opens_without_its_password(text: str, password: str | None):
    assert planned(text, "lease.pdf") == [("unlock_pdf", password)]


def test_what_is_made_is_locked_and_what_is_read_is_opened_first():
    plan = PLANNER.plan(
        Request(
            "Join a.pdf and b.pdf and lock the result with the password X9",
            (Given("a.pdf", "file"), Given("b.pdf", "file")),
        )
    ).solutions[0]
    assert [step.tool for step in plan.steps] == ["join_pdfs", "lock_pdf"] and plan.wanted == (("lock_pdf", "file"),)
    assert plan.steps[1].arguments["file"] == FromNode("join_pdfs", "file")
    plan = PLANNER.plan(
        Request("Unlock a.pdf with the password X9 and read it aloud", (Given("a.pdf", "file"),))
    ).solutions[0]
    assert [step.tool for step in plan.steps] == ["unlock_pdf", "read_document", "text_to_speech"]
    assert plan.steps[1].arguments["file"] == FromNode("unlock_pdf", "file")
    assert planned("Lock a.pdf and b.pdf with the password X9", "a.pdf", "b.pdf") == [("lock_pdf", "X9")] * 2


@pytest.mark.parametrize(
    "text",
    [
        "Find the passwords in report.pdf", "Which password does report.pdf mention?",
        "Schwärze das Passwort in report.pdf", "Remplace le mot de passe dans report.pdf",
        "¿Qué dice report.pdf sobre el cifrado?", "报告里的密码是什么？",
        "Write PASSWORD at the top of report.pdf", "Make a QR code of the password heron9",
    ],
)  # fmt: skip
def test_what_only_speaks_of_passwords_locks_nothing(text: str):
    assert password_wish(Request(text, (Given("report.pdf", "file"),))) is None
    assert not {"lock_pdf", "unlock_pdf"} & {tool for tool, _ in planned(text, "report.pdf")}


@pytest.mark.parametrize("text", ["Lock the aspect ratio and make it 400 wide", "add the code 4711 at the top"])
def test_other_locks_and_codes_are_no_passwords(text: str):
    assert not {"lock_pdf", "unlock_pdf"} & {tool for tool, _ in planned(text, "a.jpg")}
