"""What the chat says to wishes that cannot be done, that say too little, and that may be meant otherwise, with the
planner as it is shipped.
"""

from __future__ import annotations

import asyncio

import pytest

from desktop_app.app import new_session
from desktop_app.core.paths import RESOURCES
from desktop_app.i18n import catalogue
from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.modes.message_language import language_of_message
from desktop_app.plan.ranking.explanations import is_guess
from desktop_app.session.messages import Message
from desktop_app.session.session import Session
from desktop_app.storage.examples import load_examples
from tests.plan.not_yet import not_yet

EXAMPLES = RESOURCES / "examples"


@pytest.fixture(scope="module")
def session():
    """One for all: what it has read of the tools is kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentence_encoder, "ENABLED", True)
        made = new_session()
        yield made
        asyncio.run(made.close())


def say(session: Session, files: str, *texts: str) -> Message:
    """The reply to the last of these, in a new conversation with these files."""
    session.new()
    names = tuple(session.attach(EXAMPLES / name).name for name in files.split())

    async def go() -> None:
        for place, text in enumerate(texts):
            await session.ask(text, () if place else names)

    asyncio.run(go())
    return session.messages[-1]


def shown(message: Message, text: str | None = None) -> str:
    with catalogue.speaking(message.language):
        return catalogue.translated(message.text if text is None else text)


# Refusals -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "text"),
    [("coffee.jpg", "cook me a soup"), ("talk.wav", "rate my singing"),
     ("coffee.jpg", "帮我把这张照片寄给我妈妈"),
     ("group.jpg", "wer ist das auf dem Bild?")],
)  # fmt: skip
def test_a_refusal_offers_no_work_where_none_is_near_the_wish(session, files, text):
    said = say(session, files, text)
    assert not session.workflow.nodes and [offer.action for offer in said.offers] == ["ask", "connect"]
    assert "I understood" not in said.text


@pytest.mark.parametrize(
    ("files", "text", "why"),
    [("coffee.jpg", "order me a pizza", "pizza"), ("", "predict the lottery numbers", "news"),
     ("notes.txt", "schick das per Mail an Anna", "verschickt"),
     ("", "帮我订一张去北京的机票", "预订"), ("notes.txt", "E-mail this to Mr. Miller", "sends"),
     ("notes.txt", "Please call Mr. Miller on the phone and tell him that the meeting was moved", "makes phone calls"),
     ("notes.txt", "Ruf bitte Herrn Müller an und sag ihm, dass das Treffen verschoben ist", "telefoniert"),
     not_yet("notes.txt", "Appelle Monsieur Miller au téléphone et dis-lui que je serai en retard", "téléphone",
             why="a guess of readability stands beside it"),
     ("notes.txt", "Llama al señor Miller por teléfono", "teléfono"), ("notes.txt", "给米勒先生打电话", "打电话"),
     ("notes.txt", "Please print out this text on my printer twice, and on both sides", "prints on paper"),
     ("notes.txt", "Druck das bitte aus", "druckt"),
     not_yet("notes.txt", "Imprime ce texte", "imprime", why="a text is expanded"),
     not_yet("notes.txt", "Imprime este texto", "imprime", why="a text is expanded"),
     ("notes.txt", "把这封信打印出来", "打印")],
)  # fmt: skip
def test_for_what_is_to_be_done_in_the_world_a_refusal_says_so_and_offers_what_works_here(session, files, text, why):
    said = say(session, files, text)
    assert why in shown(said) and not session.workflow.nodes
    assert {offer.action for offer in said.offers} == {"ask"} and 2 <= len(said.offers) <= 3


@pytest.mark.parametrize(
    ("files", "text", "near"),
    [("talk.wav", "what is this song called", "tempo"), ("group.jpg", "swap the faces of the two people", "face"),
     not_yet("group.jpg", "make the people in it smile", "smiley", why="faces are covered, as a guess")],
)  # fmt: skip
def test_what_a_refusal_offers_is_near_the_wish_and_is_planned_here(session, files, text, near):
    offered = [offer.value for offer in say(session, files, text).offers if offer.action == "ask"]
    assert offered and all(near in one for one in offered) and not [one for one in offered if ".jpg" in one]
    for one in offered:
        say(session, files, one)
        assert session.workflow.nodes and session.questions() == (), one


# Wishes that say too little -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "text", "language"),
    [("coffee.jpg", "make it nicer", "en"), ("coffee.jpg", "can you improve this picture?", "en"),
     ("talk.wav", "fix this", "en"), ("notes.txt", "improve it please", "en"),
     ("cities.csv", "do something with it", "en"), ("notes.txt", "tidy this up", "en"),
     ("notes.txt", "fix this up a bit", "en"), ("coffee.jpg", "räum das ein bisschen auf", "de"),
     ("notes.txt", "arrange ça un peu", "fr"), ("notes.txt", "arréglalo un poco", "es"),
     ("notes.txt", "整理一下", "zh"),
     ("coffee.jpg", "mach das Foto schöner", "de"), ("talk.wav", "verbessere das", "de"),
     ("coffee.jpg", "rends cette photo plus jolie", "fr"), ("talk.wav", "arréglalo", "es"),
     ("talk.wav", "arreglalo", "es"),
     ("coffee.jpg", "弄好看一点", "zh"), ("talk.wav", "修一下", "zh")],
)  # fmt: skip
def test_a_wish_that_does_not_say_what_to_do_is_asked_about_with_what_fits_the_file(session, files, text, language):
    said = say(session, files, text)
    (asked,) = said.questions
    assert (said.language, said.open, session.workflow.nodes) == (language, True, ())
    assert shown(said) == shown(said, "What shall be done with it?") and asked.choices
    for one in asked.choices[:1]:
        assert language_of_message(one) == language
        after = say(session, files, text, one)
        assert session.workflow.nodes and session.questions() == () and after.language == language, one


@pytest.mark.parametrize("text", ["fix this up a bit", "mach das schöner", "mejora esto", "修改一下", "améliore-le"])
def test_a_letter_is_not_offered_what_is_done_with_a_pdf(session, tmp_path, text):
    from docx import Document

    Document().save(str(tmp_path / "letter.docx"))
    session.new()
    names = (session.attach(tmp_path / "letter.docx").name,)
    asyncio.run(session.ask(text, names))
    (asked,) = session.messages[-1].questions
    assert len(asked.choices) >= 3
    asyncio.run(session.ask(asked.choices[0]))
    assert [node.tool for node in session.workflow.nodes] == ["read_document", "correct_grammar"]
    assert not session.messages[-1].offers, "what was offered is not doubted"


@pytest.mark.parametrize(
    ("text", "says"),
    [("what can you do with sound?", "Clean audio"), ("was kannst du mit Tabellen machen?", "Diagramm"),
     ("¿qué puedes hacer con vídeos?", "vídeo"), ("能对图片做什么？", "个工具")],
)  # fmt: skip
def test_what_can_be_done_with_a_kind_of_things_is_told_with_examples(session, text, says):
    said = say(session, "notes.txt", text)
    assert not session.workflow.nodes and said.kind == "text" and says in shown(said)
    assert [offer.action for offer in said.offers] == ["ask"] * 3


@pytest.mark.parametrize(
    ("files", "text"),
    [("coffee.jpg", "make it brighter"), ("coffee.jpg", "enhance this photo"), ("talk.wav", "fix the noise"),
     ("coffee.jpg", "修复这张老照片"), ("notes.txt", "verbessere die Rechtschreibung"),
     ("coffee.jpg", "mejora el contraste")],
)  # fmt: skip
def test_a_wish_that_says_what_to_do_is_planned(session, files, text):
    say(session, files, text)
    assert session.workflow.nodes


def test_the_reply_to_what_shall_be_done_is_a_wish_for_the_same_file(session):
    said = say(session, "coffee.jpg", "make it nicer", "sharper please")
    assert [node.tool for node in session.workflow.nodes] == ["sharpen"] and said.kind == "plan"
    assert [resource.name for resource in session.workflow.resources] == ["coffee.jpg"]
    again = say(session, "coffee.jpg", "make it nicer", "just make it better")
    assert session.workflow.nodes == () and again.questions


# Doubts ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "text"),
    [("coffee.jpg", "make the colours pop"), ("notes.txt", "keywords of notes.txt"),
     ("talk.wav", "make it twice as fast"),
     ("coffee.jpg", "mirror it, then watercolor"),
     ("notes.txt", "find the email address of the author")],
)  # fmt: skip
def test_nothing_is_said_to_be_unsure_of_a_plain_plan(session, files, text):
    said = say(session, files, text)
    assert session.workflow.nodes and "not sure" not in said.text and not said.offers, said.text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_example_of_the_program_s_own_is_doubted(session, language):
    for example in load_examples(language):
        said = say(session, " ".join(path.name for path in example.files), example.request)
        assert session.workflow.nodes and not any(map(is_guess, said.questions)), example.request


@pytest.mark.parametrize(
    ("files", "text", "offered"),
    [
        ("cities.csv", "draw a map of these cities", False),
        not_yet("coffee.jpg", "让杯子看起来旧一点", True, why="it is asked what shall be done"),
    ],
)
def test_a_doubt_says_which_words_may_mean_something_else(session, files, text, offered):
    said = say(session, files, text)
    assert session.workflow.nodes and f"“{text}”" in shown(said) and bool(said.offers) == offered


@pytest.mark.parametrize(
    "text", ["make it nicer", not_yet("make the people in it smile", why="faces are covered, as a guess")]
)
def test_what_is_offered_is_for_the_file_that_came_last(session, text):
    """Others are there, from earlier in the conversation."""
    say(session, "talk.wav coins.jpg", "how long is the recording?")
    names = (session.attach(EXAMPLES / "group.jpg").name,)
    asyncio.run(session.ask(text, names))
    last = session.messages[-1]
    offered = [offer.value for offer in last.offers if offer.action == "ask"]
    offered += [choice for question in last.questions for choice in question.choices]
    assert offered
    asyncio.run(session.ask(offered[0]))
    used = {resource.name for resource in session.workflow.resources}
    assert "group.jpg" in used and session.questions() == ()
