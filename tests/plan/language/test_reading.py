"""Reading a request: tokens, pieces, intents, languages; and what the lexicon may hold."""

from __future__ import annotations

import re

import pytest

from desktop_app.core.paths import PROJECT, RESOURCES
from desktop_app.plan.language.intents import intents_of
from desktop_app.plan.language.lexicon import languages, lexicon
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.language.tokenizer import tokens_of
from nodes import load_tools


def kinds(text: str) -> list[tuple[str, str]]:
    return [(t.kind, t.text) for t in tokens_of(text) if t.kind not in ("word", "stop")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("say 'it's fine, isn't it?' now", [("quote", "it's fine, isn't it?")]),
        ("the child's toy and the dog's bone", []),
        ("blur 'my photo.jpg' and a-b_c.png.", [("quote", "my photo.jpg"), ("file", "a-b_c.png")]),
        ("get https://example.com/a.wav. Then", [("url", "https://example.com/a.wav")]),
        ("“hello” „Tag“ «oui» 「你好」", [("quote", q) for q in ("hello", "Tag", "oui", "你好")]),
        ("at 1.5x, 45 degrees, 20%", [("number", "1.5"), ("number", "45"), ("number", "20%")]),
        ("把photo.jpg变亮", [("file", "photo.jpg")]),
        ("e.g. this i.e. that etc.", []),
    ],
)
def test_quotes_files_addresses_and_numbers_are_seen(text, expected):
    assert kinds(text) == expected


def test_pieces_end_at_sequence_words_and_verbs():
    chunks = read("Blur the faces, then make a video and say 'a, b and c'. Finally rotate it").chunks
    assert [chunk.words[0] for chunk in chunks] == ["blur", "make", "say", "rotate"]


def test_a_list_of_objects_shares_its_verb():
    first, second = intents_of(read("Extract the text and the link from the picture"))
    assert first.gives == ("text",)
    assert second.gives == ("url",)
    assert second.inherits


def test_what_there_is_and_what_is_wanted_are_told_apart():
    reading = read("I have a noisy recording talk.wav. I would like to have it transcribed.")
    assert [chunk.stating for chunk in reading.chunks] == [True, False]


def test_the_result_of_an_earlier_wish_is_a_reference():
    *_, last = intents_of(read("Transcribe talk.wav and create a picture based on the transcribed text"))
    assert "transcribe" in last.refers
    assert "transcribe" not in last.meanings


def test_content_after_a_colon_is_no_wish():
    intents = intents_of(read("Answer this question: Which company did he found after he left?"))
    assert [token.kind for token in intents[0].tokens][-1] == "quote"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Make the picture brighter", "english"),
        ("Mach bitte das Bild heller", "german"),
        ("Rends l'image plus claire, s'il te plaît, avec du contraste", "french"),
        ("Haz la imagen más clara, por favor", "spanish"),
        ("Jeg vil gerne have billedet lysere", "danish"),
        ("让图片变亮", "chinese"),
    ],
)
def test_language_is_recognised(text, language):
    assert read(text).language == language


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Mach foto.jpg schwarz-weiß", "gray"),
        ("Mets la photo en noir et blanc", "gray"),
        ("Convierte la foto a blanco y negro", "gray"),
        ("把这张图片变成黑白", "gray"),
        ("Haz la foto más clara", "brighten"),
        ("Rends l'image plus claire", "brighten"),
        ("Wie viele Gesichter sind auf dem Bild?", "count"),
        ("Combien de mots dans ce texte ?", "count"),
        ("Lies den Text vor", "speak"),
        ("Lis la lettre à haute voix", "speak"),
        ("大声朗读这段文字", "speak"),
        ("Schneide das Foto quadratisch zu", "crop"),
        ("Quita el ruido de la grabación", "denoise"),
        ("去掉照片的背景", "background"),
        ("Fais un diaporama", "slideshow"),
        ("Zeig mir die Wellenform", "waveform"),
    ],
)
def test_common_wishes_are_understood_in_other_languages(text, key):
    assert any(key in intent.meanings for intent in intents_of(read(text)))


def test_entry_of_another_language_may_name_its_english_words():
    exact = {t.key for chunk in read("Détoure la chaise").chunks for t in chunk.terms}
    assert "=cut=out" in exact


@pytest.mark.parametrize("text", ["a border 30 pixels wide", "50 pixels of white"])
def test_pixels_as_a_unit_are_no_mosaic(text):
    assert all("pixelate" not in intent.meanings for intent in intents_of(read(text)))


@pytest.mark.parametrize("text", ["put a.jpg and b.jpg next to each other", "make of a.jpg, b.jpg and c.jpg a collage"])
def test_files_of_one_list_stay_in_one_wish(text):
    assert len(intents_of(read(text))) == 1


@pytest.mark.parametrize("name", languages())
def test_other_languages_name_only_known_classes(name):
    assert set(lexicon().kinds) <= set(lexicon(name).kinds)


def test_signatures_and_roles_name_only_known_classes():
    words = lexicon()
    assert set(words.signatures) <= set(words.kinds)
    assert set(words.roles) <= set(words.kinds)


def test_no_tool_is_named_in_the_planner_or_its_lexicon():
    sources = [*(PROJECT / "desktop_app" / "plan").rglob("*.py"), *(RESOURCES / "lexicon").glob("*.toml")]
    text = "\n".join(path.read_text("utf-8") for path in sources)
    ids = {id for id in load_tools().tools if "_" in id}
    assert ids & {*re.findall(r"\w+", text)} == set()
