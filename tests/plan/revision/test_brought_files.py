"""What comes with a message is what the message is about."""

from __future__ import annotations

import pytest

from desktop_app.plan.revision.brought_files import with_brought_alone
from desktop_app.plan.types import FromNode, FromResource, Given, Plan, Request, Solution, Step

BIRDS, SONG = Given("birds.wav", "audio"), Given("song_louder.wav", "audio", earlier=True)


def chain(name: str, number: int) -> tuple[Step, Step]:
    clean = Step(f"clean{number}", "clean_audio", {"audio": FromResource(name)})
    return clean, Step(f"mp3{number}", "audio_file", {"audio": FromNode(clean.id, "audio"), "format": "mp3"})


BOTH = Plan((Solution("", "", 0.9, (*chain(BIRDS.name, 1), *chain(SONG.name, 2))),))


@pytest.mark.parametrize("text", [
    "cut the noise out of my recording and save it as mp3", "also clean birds.wav and save it as mp3",
])  # fmt: skip
def test_the_same_is_not_done_to_what_was_there_before(text):
    alone = with_brought_alone(Request(text, (SONG, BIRDS)), BOTH)
    assert alone is not None and alone.resources == (BIRDS,)


@pytest.mark.parametrize("text", [
    "cut the noise out of both and save them as mp3", "clean song_louder.wav and birds.wav",
    "nimm bei beiden das Rauschen raus",
])  # fmt: skip
def test_it_is_where_the_words_speak_of_both(text):
    assert with_brought_alone(Request(text, (SONG, BIRDS)), BOTH) is None


def test_other_tools_for_what_was_there_stay():
    steps = (*chain(BIRDS.name, 1), Step("loud", "change_volume", {"audio": FromResource(SONG.name)}))
    plan = Plan((Solution("", "", 0.9, steps),))
    assert with_brought_alone(Request("clean this and make the song louder", (SONG, BIRDS)), plan) is None
