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
from desktop_app.session.messages import Message
from desktop_app.session.session import Session

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
    [("coffee.jpg", "cook me a soup"), ("", "predict the lottery numbers"), ("talk.wav", "rate my singing"),
     ("notes.txt", "schick das per Mail an Anna"), ("coffee.jpg", "帮我把这张照片寄给我妈妈"),
     ("", "帮我订一张去北京的机票"), ("group.jpg", "wer ist das auf dem Bild?")],
)  # fmt: skip
def test_a_refusal_offers_no_work_where_none_is_near_the_wish(session, files, text):
    said = say(session, files, text)
    assert not session.workflow.nodes and [offer.action for offer in said.offers] == ["connect"]
    assert "I understood" not in said.text


@pytest.mark.parametrize(
    ("files", "text", "near"),
    [("talk.wav", "what is this song called", "tempo"), ("group.jpg", "swap the faces of the two people", "face"),
     ("group.jpg", "make the people in it smile", "smiley")],
)  # fmt: skip
def test_what_a_refusal_offers_is_near_the_wish_and_is_planned_here(session, files, text, near):
    offered = [offer.value for offer in say(session, files, text).offers if offer.action == "ask"]
    assert offered and all(near in one for one in offered) and not [one for one in offered if ".jpg" in one]
    for one in offered:
        say(session, files, one)
        assert session.workflow.nodes and session.questions() == (), one
