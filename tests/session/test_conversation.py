"""Whole conversations with the real planner, engine and tools: follow-ups change the graph, talk does not, and what was
made is compared with what was asked for.
"""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from desktop_app.app import new_session
from desktop_app.cli import ask, main
from desktop_app.core.paths import RESOURCES
from desktop_app.i18n import catalogue
from desktop_app.plan.modes.edits import UseTool
from desktop_app.plan.modes.follow_up import FollowUpReader
from desktop_app.plan.modes.message_language import language_of_message
from desktop_app.plan.ranking.explanations import GUESS, not_done
from desktop_app.plan.ranking.joint_selection import Reading, ToolClause
from desktop_app.plan.types import Request
from desktop_app.session.answering.request_words import asked_thing
from desktop_app.session.conversation import as_said, refusal
from desktop_app.session.messages import Message, Offer
from desktop_app.session.session import Session
from desktop_app.session.snapshot_codec import from_text, to_text
from nodes.api import ResourceType

EXAMPLES = RESOURCES / "examples"
RUN = object()


@pytest.fixture
def talk():
    """Says things one after the other in one conversation, with a run where RUN stands, and gives the session."""

    def said(files: str, *texts) -> Session:
        session = new_session()

        async def go():
            names = tuple(session.attach(EXAMPLES / name).name for name in files.split())
            for place, text in enumerate(texts):
                await (session.start() if text is RUN else session.ask(text, names[:1] if not place else ()))
            await session.close()

        asyncio.run(go())
        return session

    return said


def graph(session: Session) -> list[tuple]:
    return [(node.tool, dict(node.values)) for node in session.workflow.nodes]


def sources(session: Session) -> list[str]:
    return [link.source for link in session.workflow.links if link.output == "value"]


def shown(message: Message) -> str:
    """Its text as the window shows it."""
    with catalogue.speaking(message.language):
        return catalogue.translated(message.text)


BORDER = "add a white border of 10 pixels to cat.jpg"


@pytest.mark.parametrize(
    ("follow_ups", "values"),
    [
        (["make the border 40 pixels wide and red"], {"width": 40, "colour": "red"}),
        (["make the border 40 pixels wide and red", "undo that"], {"width": 10, "colour": "white"}),
        (["make the border 40 pixels wide and red", "undo that", "redo"], {"width": 40, "colour": "red"}),
        (["der Rahmen soll doppelt so breit sein"], {"width": 20, "colour": "white"}),
        (["la bordure en bleu", "annule ça"], {"width": 10, "colour": "white"}),
        (["thicker", "thinner"], {"width": 10, "colour": "white"}),
    ],
)
def test_a_follow_up_changes_the_values_that_are_there(talk, follow_ups, values):
    assert graph(talk("cat.jpg", BORDER, *follow_ups)) == [("border", values)]


def test_another_file_takes_the_place_of_the_first_and_undo_brings_it_back(talk):
    session = talk("cat.jpg coffee.jpg", BORDER, "use the other picture")
    assert sources(session) == ["coffee.jpg"]
    session.undo()
    assert sources(session) == ["cat.jpg"]


def test_the_same_for_all_makes_a_result_of_each(talk):
    session = talk("cat.jpg coffee.jpg rocket.jpg", BORDER, "and now all of them", RUN)
    made = session.messages[-1]
    assert sorted(sources(session)) == ["cat.jpg", "coffee.jpg", "rocket.jpg"]
    assert sorted(made.resources) == ["cat_border.png", "coffee_border.png", "rocket_border.png"]
    assert all(check.ok for check in made.checks) and made.checks[0].wanted == "3 files"


def test_a_step_is_taken_out_of_a_chain(talk):
    session = talk("coffee.jpg", "make coffee.jpg brighter, then black and white", "leave out the brightening", RUN)
    assert [tool for tool, _ in graph(session)] == ["black_and_white"]
    assert session.run.outcome == "ok"


def test_another_tool_takes_the_place_of_a_step_in_one_step_of_undo(talk, monkeypatch):
    def read(self, text, present):
        return UseTool(present.steps[-1].id, "pixelate", {"block": 20}) if text == "squares instead" else None

    monkeypatch.setattr(FollowUpReader, "read", read)
    session = talk("cat.jpg", BORDER, "squares instead")
    assert graph(session) == [("pixelate", {"block": 20})] and sources(session) == ["cat.jpg"]
    assert session.messages[-1].text.startswith("Pixelate is used instead of Border.")
    session.undo()
    assert graph(session) == [("border", {"width": 10, "colour": "white"})]


def test_back_to_an_earlier_step_ends_there(talk):
    text = "turn coffee.jpg into a cartoon, then add a border"
    session = talk("coffee.jpg", text, "go back to the cartoon", RUN)
    assert [tool for tool, _ in graph(session)] == ["cartoon"]
    assert session.messages[-1].resources == ("coffee_cartoon.png",)


def test_what_helped_only_the_step_goes_with_it(talk):
    session = talk("group.jpg", "blur the faces in group.jpg", "remove the blur")
    assert graph(session) == []


def test_another_way_is_shown_and_the_first_again(talk):
    session = talk("group.jpg", "blur the faces in group.jpg", "use the second way")
    assert session.chosen == 1
    session.undo()
    assert session.chosen == 0


def test_the_thing_is_another_one(talk):
    session = talk("cat.jpg", "cut out the dog in cat.jpg", "no, I meant the cat")
    assert session.state.graph.wish == "cut out the cat in cat.jpg"
    assert sources(session) and set(sources(session)) == {"cat.jpg"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello", "Hello!"), ("thanks a lot!", "You are welcome."), ("vielen Dank", "Gern geschehen."),
        ("merci beaucoup", "Avec plaisir."), ("muchas gracias", "De nada."), ("谢谢", "不客气。"),
        ("what can you do?", "I make, change and look into pict"),
        ("how long will it take?", "Not known yet: Border"),
        ("why did you use Border twice?", "Border works on cat.jpg"),
        ("which tools can blur?", "These tools do that: "),
    ],
)  # fmt: skip
def test_talk_is_answered_in_words_and_changes_nothing(talk, text, said):
    before = graph(talk("cat.jpg", BORDER))
    session = talk("cat.jpg", BORDER, text)
    assert graph(session) == before and not session.questions()
    assert session.messages[-1].kind == "text" and shown(session.messages[-1]).startswith(said)


RAND = "Gib cat.jpg einen weißen Rand von 10 Pixeln"


@pytest.mark.parametrize(
    ("said", "languages"),
    [
        ((RAND, RUN, "ok", "ok?", "merci", "50"), ["de", "de", "de", "de", "fr", "fr"]),
        (("50", BORDER, "wer bist du", "png"), ["en", "en", "de", "de"]),
        (("给 cat.jpg 加一个白色边框", "gracias", "?"), ["zh", "es", "es"]),
    ],
)
def test_a_reply_is_in_the_language_of_the_message_else_of_the_conversation(talk, said, languages):
    replies = [message for message in talk("cat.jpg", *said).messages if message.role == "assistant"]
    assert [message.language for message in replies if message.kind != "run"] == languages


def test_without_a_message_that_tells_it_the_language_of_the_window_counts(talk):
    catalogue.use("zh")
    try:
        assert [message.language for message in talk("cat.jpg", "ok", BORDER, "ok").messages[1::2]] == [
            "zh",
            "en",
            "en",
        ]
    finally:
        catalogue.use("en")


def test_why_a_step_is_there_twice_tells_what_each_works_on(talk):
    request = f"{BORDER}, rotate it by 90 degrees, then add a border again"
    first, second = talk("cat.jpg", request, "why did you use Border twice?").messages[-1].text.split("it makes.")
    assert first.startswith("Border works on cat.jpg; Rotate needs")
    assert second.strip().startswith("Border works on the result of Rotate")


def test_a_doubt_is_told_on_the_command_line_in_the_language_of_the_request(talk):
    session = talk("coins.jpg", "Zähle die Münzen")
    doubt = GUESS
    session.state.plan = replace(session.state.plan, questions=(doubt,))
    assert "Ich bin nicht sicher, ob du das meinst." in ask._planned(session)
    assert ask._spoken(doubt.text, session).startswith("Ich bin nicht sicher")


@pytest.mark.parametrize(
    ("text", "asks"),
    [("sortiere nach Spalte Farbe", True), ("sort it by amount", False), ("sortiere nach Betrag", False)],
)
async def test_a_column_that_the_table_does_not_have_is_asked_for_before_the_run(text, asks, tmp_path):
    table = tmp_path / "sales.csv"
    table.write_text("Customer,Amount,Date\nAnna,120,2024-01-03\nBen,80,2024-02-01\n")
    session = new_session()
    try:
        await session.ask(text, (session.attach(table).name,))
        questions = session.questions()
        assert [q.choices for q in questions] == ([("Customer", "Amount", "Date")] if asks else [])
        if asks:
            assert "Farbe" in questions[0].text
            session.reply(questions[0], "Amount")
            assert not session.questions()
        await session.start()
        assert session.run.outcome == "ok"
    finally:
        await session.close()


def test_a_refusal_offers_what_would_work(talk):
    session = talk("coffee.jpg", "order me a pizza")
    last = session.messages[-1]
    assert not session.workflow.nodes and last.kind == "text"
    assert 2 <= len(last.offers) <= 3 and {offer.action for offer in last.offers} == {"ask"}


@pytest.mark.parametrize(("text", "language"), [("hallo", "de"), ("bonjour", "fr"), ("hola", "es"), ("你好", "zh")])
def test_what_is_offered_is_in_the_language_of_the_message(talk, text, language):
    offers = [offer for offer in talk("coffee.jpg", text).messages[-1].offers if offer.action == "ask"]
    assert offers and {language_of_message(offer.value) for offer in offers} == {language}


def test_a_refusal_names_what_was_understood_and_offers_it():
    async def works(text: str) -> bool:
        return text == "make it brighter"

    wishes, files = ("make it brighter", "tilt it"), ("a.jpg", "b.jpg")
    said, offers = asyncio.run(refusal("No mail.", (), wishes, files, {"image"}, "a model", works))
    assert said == "I understood: “make it brighter”, “tilt it”. I see a.jpg, b.jpg. No mail."
    assert [offer.value for offer in offers] == ["make it brighter"]
    assert asyncio.run(refusal("No mail.", (), (), (), set(), "a model", works)) == ("No mail.", ())


def test_a_refusal_leaves_nobody_with_one_way_out():
    """Of a wish that nothing comes near to, "Connect a language model" was all that could be clicked."""

    async def works(text: str) -> bool:
        return text != "count the words"

    spare = [Offer(one, "ask", one) for one in ("count the words", "make it grey", "make it a cartoon")]
    _, offers = asyncio.run(refusal("No way.", (), (), ("a.jpg",), {"image"}, "", works, None, spare))
    assert [offer.value or offer.action for offer in offers] == ["make it grey", "connect"]
    wishes = ("make it brighter", "tilt it")
    _, offers = asyncio.run(refusal("No way.", (), wishes, ("a.jpg",), {"image"}, "a model", works, None, spare))
    assert [offer.value for offer in offers] == [*wishes]


def test_a_refusal_offers_first_what_is_done_to_what_the_wish_speaks_of(talk):
    """Of any wish for a picture it offered to write "Happy birthday" on it."""
    offers = talk("group.jpg", "post it on Instagram with a caption").messages[-1].offers
    assert offers[0].value == "Describe this picture" and len(offers) == 3


@pytest.mark.parametrize(("file", "offered"), [("letter.docx", ["Turn this letter into a PDF"]), ("scan.PDF", None)])
def test_what_is_offered_speaks_of_no_pdf_where_none_is(file, offered):
    async def works(text: str) -> bool:
        return True

    said = ("A picture of each page of the PDF", "Turn this letter into a PDF")
    instead = [Offer(one, "ask", one) for one in said]
    _, offers = asyncio.run(refusal("No calls.", (), (), (file,), {"file"}, "", works, instead))
    assert [offer.value for offer in offers] == (offered or [*said])


@pytest.mark.parametrize(
    ("words", "wish", "said"),
    [
        ("make it brighter", "please make it brighter, and mail it", "make it brighter"),
        ("Finde heraus wem die Stimme gehört", "Finde heraus, wem die Stimme gehört, und ruf an",
         "Finde heraus, wem die Stimme gehört"),
        ("帮我 订 一张 的", "帮我订一张去北京的机票", "帮我订一张去北京的"),
        ("把 图片 调亮", "把图片调亮，然后寄出去", "把图片调亮"), ("make it", "do make it!", "make it"),
        ("do make it", "do make it!", ""), ("a word", "nothing of that", ""), ("", "all", ""),
    ],
)  # fmt: skip
def test_what_was_understood_is_quoted_as_it_was_said(words, wish, said):
    assert as_said(words, wish) == said


def test_a_refusal_names_the_files_that_came_with_the_request(talk):
    assert (
        talk("coffee.jpg", "order me a pizza").messages[-1].text
        == "I see coffee.jpg. No tool here can order me a pizza."
    )


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("darken it, and then also mail it to my boss!", "mail it to my boss"),
        ("darken it and then", ""), ("darken it, 然后发邮件给老板。", "然后发邮件给老板"),
        ("darken it und drucke es dann aus", "drucke es dann aus"),
    ],
)  # fmt: skip
def test_what_no_tool_does_is_named_without_the_words_that_join_it(text, rest):
    start = len("darken it")
    clauses = (ToolClause(0, start, "brightness_contrast", 0.9), ToolClause(start, len(text), "", 0.5))
    reading = Reading(clauses, np.zeros((1, 1), np.float32), {})
    found = [one.text for one in not_done(reading, Request(text))]
    if rest:
        assert found == [f"No tool here can do “{rest}”."]
    assert len(found) <= 1


def test_a_result_is_spoken_of_by_the_name_that_it_is_saved_by(talk):
    session = talk("cat.jpg", "blur it", RUN)
    assert "cat_blur.jpg" in session.messages[-1].text
    session = talk("cat.jpg", "blur it", RUN, "make cat_blur.jpg grey")
    assert [node.tool for node in session.workflow.nodes] == ["blur", "black_and_white"]


def test_results_stand_in_the_order_in_which_they_are_told(talk):
    session = talk("cat.jpg coffee.jpg rocket.jpg", "make cat.jpg, coffee.jpg and rocket.jpg 40 pixels wide", RUN)
    last = next(message for message in reversed(session.messages) if message.kind == "answer")
    assert len(last.resources) == 3
    places = [last.text.index(name.replace(".png", ".jpg")) for name in last.resources]
    assert places == sorted(places)


def test_a_request_and_all_that_answers_it_are_of_its_language(talk):
    session = talk("notes.txt", "how many words are in notes.txt?", RUN, "Combien de phrases y a-t-il dans notes.txt ?")
    languages = [(message.role, message.language) for message in session.messages]
    assert languages[0] == ("user", "en") and languages[-2:] == [("user", "fr"), ("assistant", "fr")]


def test_a_result_that_the_text_tells_can_be_kept_and_is_no_result_that_is_shown(talk):
    session = talk("notes.txt", "make notes.txt upper case", RUN)
    answer = session.messages[-1]
    assert answer.resources == () and [session.find(name).type for name in answer.told] == [ResourceType.TEXT]
    assert from_text(to_text(session.snapshot())).messages[-1].told == answer.told


def test_what_was_asked_for_a_graph_that_was_left_is_no_longer_open(talk):
    session = talk("rocket.jpg cat.jpg", "remove the object I point at")
    assert [message.open for message in session.messages if message.kind == "plan"] == [True]
    session = talk("rocket.jpg cat.jpg", "remove the object I point at", "rotate cat.jpg by 90 degrees")
    assert [message.open for message in session.messages if message.kind == "plan"] == [False, False]


def test_a_follow_up_knows_nothing_of_what_lay_between_in_a_graph_that_was_left(talk):
    session = talk("group.jpg cat.jpg", "blur the faces in group.jpg", RUN, "rotate cat.jpg by 90 degrees")

    def known(text: str) -> set[str]:
        return {given.name for given in session.asked.request(text, (), session.messages).resources}

    (mask,) = [one.name for one in session.resources.values() if one.type is ResourceType.MASK]
    (answer,) = [message for message in session.messages if message.kind == "answer"]
    assert mask not in known("sharpen it") and {"group.jpg", "cat.jpg", *answer.resources} <= known("sharpen it")
    assert mask in known(f"make {mask} softer")


def test_what_is_not_as_asked_is_told_with_the_next_way(talk):
    session = talk("group.jpg", "blur the faces in group.jpg", RUN, "much stronger", RUN)
    first, second = [message for message in session.messages if message.kind == "answer"]
    wanted = {check.wanted: check.ok for check in second.checks}
    assert wanted["no face left to be seen"] and "As asked: no face left to be seen." in second.text
    left = next(check for check in first.checks if "face" in check.wanted)
    assert left.ok or (left.made.endswith("faces") and first.offers[0].action == "way" and "Not as asked" in first.text)


@pytest.mark.parametrize(
    ("request_", "wanted"),
    [
        ("resize coffee.jpg to 300 pixels wide", {"300 pixels wide": True}),
        ("write 'HELLO WORLD' on coffee.jpg", {"the words “HELLO WORLD”": True}),
        ("make coffee.jpg a jpg of at most 20 kB", {"at most 20 kB": True, "a jpg file": True}),
        ("add a border of 10 pixels to coffee.jpg", {}),
    ],
)
def test_the_result_is_compared_with_the_request(talk, request_, wanted):
    checks = talk("coffee.jpg", request_, RUN).messages[-1].checks
    assert {str(c.wanted): c.ok for c in checks[1:]} == wanted


def test_a_wrong_result_is_no_match(talk, monkeypatch):
    session = talk("coffee.jpg", "resize coffee.jpg to 300 pixels wide")
    (resize,) = session.workflow.nodes
    session.edit(session.workflow.with_value(resize.id, "width", 123))

    async def go():
        await session.start()
        await session.close()

    asyncio.run(go())
    (check,) = session.messages[-1].checks[1:]
    assert (check.ok, check.made) == (False, "123 pixels wide")


def test_a_refusal_without_a_file_leaves_nobody_with_one_way_out(talk):
    session = talk("", "Please ring the Green Corner Cafe and reserve a table for four for me, tonight at seven.")
    assert {offer.action for offer in session.messages[-1].offers} == {"connect", "ask"}


def test_the_answer_says_what_was_counted_in_the_words_of_the_request(talk):
    session = talk("coins.jpg", "how many coins are in coins.jpg?", RUN, "wie viele Münzen sind in coins.jpg?", RUN)
    first, second = [message.text for message in session.messages if message.kind == "answer"]
    assert first == "There are 24 coins in coins.jpg." and second == "Es gibt 24 Münzen in coins.jpg."


@pytest.mark.parametrize(
    ("request_", "thing"),
    [
        ("How many coins are in coins.jpg?", "coins"), ("count the red cars in a.jpg", "red cars"),
        ("把 coins.jpg 里的硬币数一数", "硬币"),
        ("wie viele Münzen liegen auf dem Tisch", "Münzen"), ("combien de pièces y a-t-il ?", "pièces"),
        ("¿cuántas monedas hay?", "monedas"), ("图里有多少个硬币", "硬币"), ("blur it", ""),
        ("Wieviel Geldstücke liegen da auf dem Tisch?", "Geldstücke"), ("Zähl mal die Münzen", "Münzen"),
        ("How many coins does it show?", "coins"), ("How many of these coins are there?", "coins"),
        ("Combien y a-t-il de pièces ?", "pièces"), ("dime cuantas monedas hay", "monedas"),
        ("cuántas monedas veo en la mesa", "monedas"), ("数一数硬币", "硬币"), ("有几个硬币？", "硬币"),
        ("nombre de pièces sur la photo", "pièces"), ("Anzahl der Münzen", "Münzen"), ("número de monedas", "monedas"),
    ],
)  # fmt: skip
def test_the_thing_to_count_is_read_from_the_request(request_, thing):
    assert asked_thing(request_) == thing


FOLLOW_UPS = (
    "undo that", "redo", "stronger", "half as much", "a bit less", "the other one", "use the second way", "remove it",
    "use the first picture again", "save it as a jpg", "do the same with coffee.jpg", "and now all of them",
    "go back to the border", "call it sunset", "remove the border", "make the border 7 pixels wide", "thicker",
    "call it a.png", "as png", "the other way round", "not that one, the dog", "thanks", "why?", BORDER,
    "turn it into a cartoon", "without the cartoon", "blue",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_any_follow_ups_and_undo_leave_a_graph_that_holds_together(talk, seed):
    dice = random.Random(seed)
    session = new_session()

    async def go():
        for name in ("cat.jpg", "coffee.jpg", "rocket.jpg"):
            session.attach(EXAMPLES / name)
        await session.ask(BORDER, ("cat.jpg",))
        for _ in range(10):
            await session.ask(dice.choice(FOLLOW_UPS))
            assert session.messages[-1].kind != "error", session.messages[-2:]
            session.workflow.check(session.tools)
            assert len(set(session.workflow.ids())) == len(session.workflow.nodes)
        kept = session.snapshot()
        again, state = from_text(to_text(kept)).state, kept.state
        assert (again.workflow, again.wish, again.edits, again.saved_as, again.chosen) == (
            state.workflow, state.wish, state.edits, state.saved_as, state.chosen
        )  # fmt: skip
        states = len(session.state.history.done)
        for _ in range(states):
            session.undo()
            session.workflow.check(session.tools)
        assert not session.workflow.nodes and not session.can_undo
        await session.close()

    asyncio.run(go())


def test_a_conversation_on_the_command_line(capsys, tmp_path):
    code = main.main(
        ["ask", BORDER, "--attach", str(EXAMPLES / "cat.jpg"), "--then", "make the border 30 pixels wide",
         "--then", "call it sunset", "--then", "save it as a jpg", "--out", str(tmp_path / "o"), "--json"]
    )  # fmt: skip
    result = json.loads(capsys.readouterr().out)
    (path,) = result["files"]
    assert code == 0 and Path(path).name == "sunset.jpg"
    with Image.open(EXAMPLES / "cat.jpg") as before, Image.open(path) as after:
        assert after.size == (before.width + 60, before.height + 60)
    assert {check["wanted"]: check["ok"] for check in result["checks"]}["a jpg file"]
