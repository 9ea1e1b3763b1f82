"""Models of text, sound and film, tiny and random, through the real loading code: what comes out is what the library's
own plain call gives, long input goes through in windows, and what a model cannot do is refused.
"""

from __future__ import annotations

import itertools
import json
import shutil
import zlib
from typing import Any

import numpy as np
import PIL.Image
import pytest

from nodes import load_tools
from nodes._support.inference import asking, connected, marian, text_models
from nodes._support.language import languages
from nodes._support.media import speech
from nodes._support.models import models
from nodes._support.vision import ocr
from nodes._support.vision.ocr import Word
from nodes.api import Audio, NodeError, Table
from tests.nodes.av_media import movie, tone
from tests.test_journeys import EXAMPLES

TEXT = "Ann and Bob lives in Rome. The dog is good, a bad cat sat on the mat."
TOOLS = load_tools().tools
requires_espeak = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")


@pytest.fixture
def run(context_for):
    """Runs a tool with the model of an id."""

    def ran(tool: str, id: str, **values: Any) -> Any:
        backend = TOOLS[tool].backend(id)
        assert backend is not None
        return backend.run(**values, context=context_for(id))

    return ran


def test_mood_is_what_the_classifier_says(run, model_of):
    from transformers import pipeline

    plain: Any = pipeline("text-classification", model=str(model_of("sentiments-multilingual")), top_k=None)(TEXT)[0]
    found = run("sentiment", "sentiments-multilingual", text=TEXT)
    assert [label.name for label in found] == [one["label"] for one in plain]
    assert np.allclose([label.score for label in found], [one["score"] for one in plain], atol=1e-3)


def test_long_texts_are_judged_as_a_whole(run):
    short = run("sentiment", "sentiments-multilingual", text="bad " * 30)
    long = run("sentiment", "sentiments-multilingual", text="good " * 300 + "bad " * 30)
    assert dict(short) != dict(long) and abs(sum(label.score for label in long) - 1) < 1e-3


def test_categories_are_weighed_by_inference(run, model_of):
    from transformers import pipeline

    plain: Any = pipeline(
        "zero-shot-classification", model=str(model_of("mdeberta-xnli")), hypothesis_template="This text is about {}."
    )(TEXT, ["praise", "complaint", "news"])
    found = run("classify_text", "mdeberta-xnli", text=TEXT, categories="praise, complaint, news")
    assert [label.name for label in found] == plain["labels"]
    assert np.allclose([label.score for label in found], plain["scores"], atol=1e-3)


def test_names_are_marked_and_the_rest_is_told_by_its_form(run, model_of):
    from transformers import pipeline

    marked: Any = pipeline("token-classification", model=str(model_of("bert-base-ner")), aggregation_strategy="simple")
    plain = marked(TEXT)
    wanted = {(one["start"], TEXT[one["start"] : one["end"]]) for one in plain}
    found = run("entities", "bert-base-ner", text=f"{TEXT} Mail ann@example.org.", kind="all")
    names = {(row[3], row[1]) for row in found.rows if row[0] == "name"}
    assert wanted and {start for start, _ in wanted if start < len(TEXT)} & {start for start, _ in names}
    assert all(f"{TEXT} Mail ann@example.org."[at : at + len(name)] == name for at, name in names)
    assert [row[1] for row in found.rows if row[0] == "mail"] == ["ann@example.org"]


def test_places_are_the_names_that_are_marked_as_such(run, model_of):
    from transformers import pipeline

    marked: Any = pipeline("token-classification", model=str(model_of("bert-base-ner")))(TEXT)
    places = {TEXT[one["start"] : one["end"]] for one in marked if one["entity"].endswith("LOC")}
    if places:
        found = run("find_places", "bert-base-ner", text=TEXT)
        assert all(any(place in line for line in found.splitlines()) for place in places)
        assert all(line in TEXT for line in found.splitlines())
    else:
        with pytest.raises(NodeError, match="No place"):
            run("find_places", "bert-base-ner", text=TEXT)


def test_an_answer_stands_in_the_text(run, context_for, model_of):
    import torch
    from transformers import AutoModelForQuestionAnswering, AutoTokenizer

    folder = model_of("roberta-squad2")
    tokenizer, network = AutoTokenizer.from_pretrained(folder), AutoModelForQuestionAnswering.from_pretrained(folder)
    inputs = tokenizer("who lives in rome?", TEXT, return_tensors="pt", return_offsets_mapping=True)
    places, inside = inputs.pop("offset_mapping")[0].tolist(), inputs.sequence_ids(0)
    with torch.inference_mode():
        out = network(**inputs)
    spans = [
        (float(out.start_logits[0, i] + out.end_logits[0, j]), TEXT[places[i][0] : places[j][1]])
        for i in range(len(places)) for j in range(i, min(i + 30, len(places))) if inside[i] == inside[j] == 1
    ]  # fmt: skip
    none = float(out.start_logits[0, 0] + out.end_logits[0, 0])
    best = max(spans)
    if best[0] > none:
        assert run("answer_from_text", "roberta-squad2", text=TEXT, question="who lives in rome?") == best[1]
    else:
        with pytest.raises(NodeError, match="Nothing in the text"):
            run("answer_from_text", "roberta-squad2", text=TEXT, question="who lives in rome?")


@pytest.mark.parametrize("question", ["who lives in rome?", "what is the total?", "is the dog good or bad?"])
@pytest.mark.parametrize("count", [6, 80])
def test_an_answer_on_a_page_is_the_one_of_the_library(question, count, context_for, model_of):
    from transformers import pipeline

    names = ("ann", "bob", "lives", "in", "rome", "dog", "good", "total")
    words = [
        Word(names[i * i % 8], (i % 7 * 100, i // 7 * 50, i % 7 * 100 + 90, i // 7 * 50 + 40)) for i in range(count)
    ]  # fmt: skip
    plain = pipeline("document-question-answering", model=str(model_of("layoutlm-document-qa")))
    given = {"question": question, "word_boxes": [(word.text, word.box) for word in words]}
    wanted = plain(given, doc_stride=12, max_answer_len=30, handle_impossible_answer=True, top_k=1)[0]["answer"]
    if wanted:
        assert asking.answer_on_page(words, question, context_for("layoutlm-document-qa")) == wanted
    else:
        with pytest.raises(NodeError, match="Nothing on the page"):
            asking.answer_on_page(words, question, context_for("layoutlm-document-qa"))


def test_the_words_of_a_page_have_their_places(run, monkeypatch):
    receipt = np.array(PIL.Image.open(EXAMPLES / "receipt.png").convert("RGB"))
    words = ocr.words(receipt)
    assert [word.text for word in words][:6] == ["GREEN", "CORNER", "CAFE", "12", "Harbour", "Street"]
    assert all(0 <= left < right <= 1000 and 0 <= top < bottom <= 1000 for _, (left, top, right, bottom) in words)
    total, amount = (next(word.box for word in words if word.text == text) for text in ("Total", "13.50"))
    assert total[2] < amount[0] and abs(total[1] - amount[1]) < 20
    monkeypatch.setattr(
        text_models, "best_span", lambda _starts, _ends, inside: (9.0, *np.flatnonzero(inside)[[0, -1]])
    )
    said = run("ask_document", "layoutlm-document-qa", image=receipt, question="what is the total?")
    assert len(said.split()) > 1 and said in " ".join(word.text for word in words)


def test_an_answer_from_a_table_is_what_the_model_writes(run, model_of):
    import torch
    import transformers

    folder = model_of("tapex-base-wtq")
    table = Table(("City", "People"), (("Rome", 2_800_000), ("Ulm", None), ("  New   York ", 8.3)))
    line = "which city is large? col : city | people row 1 : rome | 2800000 row 2 : ulm |  row 3 : new york | 8.3"
    network = transformers.BartForConditionalGeneration.from_pretrained(folder).eval()
    tokenizer = transformers.BartTokenizer.from_pretrained(folder)
    ids = tokenizer(line, return_tensors="pt")["input_ids"]
    assert len(ids[0]) == len(line) + 2 and int(ids[0, 0]) == 0 and int(ids[0, -1]) == 2
    with torch.inference_mode():
        made = network.generate(ids, num_beams=1, do_sample=False, max_new_tokens=128, max_length=None)
    plain = tokenizer.batch_decode(made, skip_special_tokens=True)[0].strip()
    assert plain and run("ask_table", "tapex-base-wtq", table=table, question="Which  city is large?") == plain
    long = Table(("City",), (("Rome",),) * 40)
    for given, question, port in (
        (long, "Which?", "table"),
        (Table((), ()), "Which?", "table"),
        (table, " ", "question"),
    ):
        with pytest.raises(NodeError) as caught:
            run("ask_table", "tapex-base-wtq", table=given, question=question)
        assert caught.value.port == port


def test_likeness_is_the_cosine_of_two_means(run, model_of):
    from transformers import pipeline

    folder = model_of("minilm-multilingual")
    features = pipeline("feature-extraction", model=str(folder))
    one, other = (np.array(features(text)[0]).mean(0) for text in (TEXT, "the cat"))
    plain = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    assert run("text_similarity", "minilm-multilingual", first=TEXT, second="the cat") == pytest.approx(
        max(0, plain), abs=1e-3
    )
    assert run("text_similarity", "minilm-multilingual", first=TEXT, second=TEXT) == pytest.approx(1)


@pytest.mark.parametrize(("id", "begin"), [("bart-large-cnn", ""), ("madlad-400-3b", "<2de> ")])
def test_what_is_written_anew_is_what_the_model_writes(id, begin, run, context_for, model_of):
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    tokenizer, network = (
        AutoTokenizer.from_pretrained(model_of(id)),
        AutoModelForSeq2SeqLM.from_pretrained(model_of(id)),
    )
    inputs = tokenizer(begin + TEXT, return_tensors="pt")
    inputs.pop("token_type_ids", None)
    most = 2 * inputs["input_ids"].shape[1] + 32
    tokens = network.generate(**inputs, max_new_tokens=most, do_sample=False, num_beams=1)
    plain = tokenizer.batch_decode(tokens, skip_special_tokens=True)[0].strip()
    if begin:
        assert run("translate", id, text=TEXT, language="German") == plain
    else:
        assert text_models.summary(TEXT, context_for(id)) == plain


def test_nllb_writes_what_the_library_writes(run, model_of):
    import ctranslate2
    from transformers import NllbTokenizer

    folder = model_of("nllb-200-600m")
    tokenizer = NllbTokenizer.from_pretrained(folder.with_name("nllb-to-convert"), src_lang="eng_Latn")
    plain = ctranslate2.Translator(str(folder), device="cpu", compute_type="int8")

    def translated(sentence: str) -> str:
        tokens = tokenizer.convert_ids_to_tokens(tokenizer.encode(sentence))
        found = plain.translate_batch([tokens], target_prefix=[["deu_Latn"]], beam_size=4, max_decoding_length=512)
        ids = tokenizer.convert_tokens_to_ids(found[0].hypotheses[0][1:])
        return tokenizer.decode(ids, skip_special_tokens=True).strip()

    first, second, third = "The dog is good.", "A cat sat on the mat.", "The text is about the news."
    found = run("translate", "nllb-200-600m", text=f"{first} {second}\n\n{third}", language="German")
    assert found == f"{translated(first)} {translated(second)}\n\n{translated(third)}"
    assert any(map(str.isalpha, found))
    with pytest.raises(NodeError, match="does not know Greek"):
        run("translate", "nllb-200-600m", text=first, language="Greek")


def by_marian(folder, sentence: str, mark: str = "") -> str:
    """What transformers writes with the weights that the ONNX of the folder was made of, and tokenizers its pieces."""
    import tokenizers
    import torch
    import transformers

    network = transformers.MarianMTModel.from_pretrained(folder.with_name("marian")).eval()
    numbers = json.loads((folder / "vocab.json").read_text("utf-8"))
    scores = marian.Pieces.read((folder / "source.spm").read_bytes()).scores
    inner = tokenizers.Tokenizer(tokenizers.models.Unigram([("<unk>", 0.0), *scores.items()], 0, False))
    inner.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    pieces = [inner.id_to_token(i) for i in inner.encode(sentence).ids]
    ids = torch.tensor([[*([numbers[mark]] if mark else []), *(numbers[piece] for piece in pieces), 0]])
    most, pad = 2 * ids.shape[1] + 32, numbers["<pad>"]
    with torch.inference_mode():
        made = network.generate(ids, num_beams=1, do_sample=False, max_new_tokens=most, bad_words_ids=[[pad]])[0]
    words = {number: piece for piece, number in numbers.items()}
    return "".join(words[int(i)] for i in made[1:] if int(i) > 1).replace("▁", " ").strip()


def test_a_pair_of_languages_writes_what_the_library_writes(run, model_of):
    folder = model_of("opus-mt-en-de")
    first, second = "The dog is good, it sat on the mat.", "A cat is at home."
    found = run("translate", "opus-mt-en-de", text=f"{first} {second}\n\n{first}", language="German")
    one, two = by_marian(folder, first), by_marian(folder, second)
    assert found == f"{one} {two}\n\n{one}" and len(one) > 5 and one != two
    chinese = run("translate", "opus-mt-en-zh", text=first, language="Chinese")
    assert chinese == by_marian(model_of("opus-mt-en-zh"), first, ">>cmn_Hans<<")


def test_two_pairs_meet_in_english(run, model_of, monkeypatch):
    french = "le chien est dans la maison."
    there = by_marian(model_of("opus-mt-fr-en"), french)
    model_of("opus-mt-en-de")
    monkeypatch.setattr(languages, "detect", lambda text: [("fr", 0.9)])
    for id in ("opus-mt-en-de", "opus-mt-fr-en"):
        assert run("translate", id, text=french, language="German") == by_marian(model_of("opus-mt-en-de"), there)
    assert run("translate", "opus-mt-fr-en", text=french, language="French") == french


def test_a_pair_says_which_others_are_needed(context_for, tmp_path, model_of):
    (tmp_path / "opus-mt-en-de").symlink_to(model_of("opus-mt-en-de"))
    context = context_for("opus-mt-en-de")
    context.model = tmp_path / "opus-mt-en-de"
    way = TOOLS["translate"].backend("opus-mt-en-de")
    with pytest.raises(NodeError, match="from English to Italian") as caught:
        way.run(text="The dog is good.", language="Italian", context=context)
    assert caught.value.port == "language" and "OPUS-MT English to Italian" in str(caught.value.fix)
    with pytest.raises(NodeError):
        way.run(text=" ", language="German", context=context)


def test_a_damaged_pair_is_told(context_for, tmp_path, model_of):
    for name in ("vocab.json", "source.spm", "onnx/decoder_model_quantized.onnx"):
        folder = tmp_path / name.replace("/", "-") / "opus-mt-en-de"
        shutil.copytree(model_of("opus-mt-en-de"), folder)
        (folder / name).write_bytes(b"\xff\xff\xff")
        context = context_for("opus-mt-en-de")
        context.model = folder
        way = TOOLS["translate"].backend("opus-mt-en-de")
        with pytest.raises(NodeError, match="cannot be loaded"):
            way.run(text="The dog is good.", language="German", context=context)


def test_pieces_that_are_in_no_vocabulary_stand_together(model_of):
    pieces = marian.Pieces.read((model_of("opus-mt-en-de") / "source.spm").read_bytes())
    assert pieces.of("  the  dog 猫犬 sat ") == ["▁the", "▁dog", "▁", "猫犬", "▁sat"]
    assert pieces.of("ﬁ") == ["▁", "f", "i"]


def test_nllb_names_languages_with_their_script():
    known = ("zho_Hant", "zho_Hans", "deu_Latn", "arb_Arab", "nob_Latn")
    named = [languages.nllb_of(code, known) for code in ("zh", "de", "ar", languages.code_of("Norwegian"), "el")]
    assert named == ["zho_Hans", "deu_Latn", "arb_Arab", "nob_Latn", ""]


def test_a_translation_keeps_its_lines_and_knows_its_languages(run):
    text = "The dog is good.\n\nA cat sat on the mat."
    assert run("translate", "madlad-400-3b", text=text, language="French").count("\n") == 2
    with pytest.raises(NodeError, match="does not know"):
        run("translate", "madlad-400-3b", text=text, language="Greek")


def test_a_chat_model_of_this_computer_rewrites_paragraph_by_paragraph(run, context_for, monkeypatch):
    asked = []
    monkeypatch.setattr(connected, "reply", lambda said, manner, context: asked.append(said) or f"new {len(asked)}")
    text = "\n\n".join(["word " * 300] * 3)
    assert run("simplify", "qwen2-5-0-5b", text=text) == "new 1\n\nnew 2\n\nnew 3"
    assert all("plain language" in system["content"] and len(user["content"]) < 2000 for system, user in asked)


def test_a_chat_model_of_this_computer_is_held_to_the_categories(context_for, model_of, tmp_path):
    context = context_for("qwen2-5-0-5b")
    context.model = shutil.copytree(model_of("qwen2-5-0-5b"), tmp_path / "roomy")
    config = json.loads((context.model / "config.json").read_text("utf-8"))
    (context.model / "config.json").write_text(json.dumps({**config, "max_position_embeddings": 4096}), "utf-8")
    way = TOOLS["classify_text"].backend("qwen2-5-0-5b")
    assert way is not None
    found = way.run(text="A good dog.", categories="praise, news", context=context)
    assert {label.name for label in found} <= {"praise", "news"} and found


def test_sounds_are_named_as_the_classifier_names_them(run, model_of):
    from transformers import pipeline

    short = tone(440, 0.6, 16_000)
    plain = pipeline("audio-classification", model=str(model_of("ast-audioset")))(
        {"raw": short.samples[:, 0], "sampling_rate": 16_000}
    )
    found = run("classify_sound", "ast-audioset", audio=short, most=3)
    assert [label.name for label in found] == [one["label"] for one in plain]
    assert np.allclose([label.score for label in found], [one["score"] for one in plain], atol=1e-3)


def test_long_sounds_of_any_rate_are_heard_to_their_end(run):
    rng = np.random.default_rng(0)
    noise = (0.3 * rng.standard_normal((25 * 8000, 2))).astype(np.float32)
    first = run("classify_sound", "ast-audioset", audio=Audio(noise[: 10 * 8000], 8000), most=3)
    whole = np.concatenate((noise[: 10 * 8000], tone(3000, 15, 8000, 2).samples))
    assert dict(run("classify_sound", "ast-audioset", audio=Audio(whole, 8000), most=3)) != dict(first)


def test_labels_are_matched_with_a_sound(run, model_of):
    from transformers import pipeline

    sound = tone(440, 0.5, 48_000)
    plain = pipeline("zero-shot-audio-classification", model=str(model_of("clap-htsat")))(
        sound.samples[:, 0], candidate_labels=["dog", "cat"]
    )
    found = run("match_sound", "clap-htsat", audio=sound, labels="dog, cat")
    assert [label.name for label in found] == [one["label"] for one in plain]
    assert abs(sum(label.score for label in found) - 1) < 1e-3


def test_speech_is_written_down_by_ctranslate2_as_the_library_writes_it(run, model_of):
    from faster_whisper import WhisperModel

    sound = tone(330, 1.5, 16_000)
    plain = WhisperModel(str(model_of("faster-whisper-tiny")), device="cpu", compute_type="int8")
    segments, _ = plain.transcribe(
        sound.samples[:, 0], language="en", beam_size=1, temperature=0.0, without_timestamps=True, max_new_tokens=50
    )
    wanted = "".join(segment.text for segment in segments).strip()
    assert wanted and run("speech_to_text", "faster-whisper-tiny", audio=sound, language="english") == wanted
    assert isinstance(run("speech_to_text", "faster-whisper-tiny", audio=sound, language="auto"), str)


@pytest.mark.parametrize("lacks", ["tokenizer.json", "model.bin"])
def test_a_damaged_model_of_ctranslate2_says_what_to_do(lacks, context_for, model_of, tmp_path):
    context = context_for("faster-whisper-tiny")
    context.model = shutil.copytree(model_of("faster-whisper-tiny"), tmp_path / "damaged")
    (context.model / lacks).unlink()
    way = TOOLS["speech_to_text"].backend("faster-whisper-tiny")
    assert way is not None
    with pytest.raises(NodeError) as caught:
        way.run(audio=tone(330, 1, 16_000), language="auto", context=context)
    assert "download it again" in caught.value.fix


@pytest.mark.filterwarnings("ignore:Using the model-agnostic default:UserWarning")
@pytest.mark.parametrize("id", ["moonshine-tiny", "parakeet-tdt-0-6b-v3"])
def test_speech_is_written_down_as_the_library_writes_it(id, run, model_of):
    from transformers import pipeline

    sound = tone(330, 1.5, 16_000)
    sound = Audio((sound.samples * np.linspace(0, 1, len(sound.samples))[:, None]).astype(np.float32), 16_000)
    plain: Any = pipeline("automatic-speech-recognition", model=str(model_of(id)))
    wanted = plain({"raw": sound.samples[:, 0], "sampling_rate": 16_000})["text"].strip()
    written = run("speech_to_text", id, audio=sound, language="auto")
    assert wanted and written and (written.startswith(wanted) or wanted.startswith(written))
    assert run("speech_to_text", id, audio=sound, language="english") == written
    with pytest.raises(NodeError, match="does not know Chinese") as caught:
        run("speech_to_text", id, audio=sound, language="chinese")
    assert caught.value.port == "language"
    long = Audio(np.tile(sound.samples, (45, 1)), 16_000)
    assert len(run("speech_to_text", id, audio=long, language="auto")) > 2 * len(written)


@pytest.mark.filterwarnings("ignore:Using the model-agnostic default:UserWarning")
@pytest.mark.parametrize(
    ("id", "kind", "port"),
    [("canary-1b-v2", "Canary", "source_language"), ("qwen3-asr-1-7b", "Qwen3ASR", "language")],
)
def test_speech_is_written_down_by_models_that_are_asked_for_it(id, kind, port, run, model_of):
    import transformers

    sound = Audio(tone(330, 1.5, 16_000).samples * np.linspace(0, 1, 24_000, dtype=np.float32)[:, None], 16_000)
    folder = model_of(id)
    processor = getattr(transformers, f"{kind}Processor").from_pretrained(folder)
    network = getattr(transformers, f"{kind}ForConditionalGeneration").from_pretrained(folder)
    for language, code in (("english", "en"), ("german", "de")):
        inputs = processor.apply_transcription_request(sound.samples[:, 0], **{port: code})
        tokens = network.generate(**inputs, max_new_tokens=50, do_sample=False)
        asked = 0 if kind == "Canary" else inputs["input_ids"].shape[1]
        wanted = processor.tokenizer.decode(tokens[0, asked:], skip_special_tokens=True).strip()
        assert wanted and run("speech_to_text", id, audio=sound, language=language) == wanted
    if kind == "Canary":
        with pytest.raises(NodeError) as caught:
            run("speech_to_text", id, audio=sound, language="auto")
        assert caught.value.port == "language"
    else:
        assert run("speech_to_text", id, audio=sound, language="auto")


SAID = {"language": "auto", "voice": "standard", "speed": 165.0, "pitch": 50.0}


def test_a_natural_voice_says_what_the_library_says(run, model_of):
    import torch
    import transformers
    from transformers import AutoTokenizer

    folder = model_of("mms-tts-eng")
    network = transformers.VitsModel.from_pretrained(folder).eval()
    inputs = AutoTokenizer.from_pretrained(folder)("the dog is good", return_tensors="pt")
    torch.manual_seed(0)
    with torch.inference_mode():
        plain = network(**inputs).waveform[0].numpy()
    said = run("text_to_speech", "mms-tts-eng", text="the dog is good", **SAID)
    assert np.allclose(said.samples[:, 0], plain, atol=1e-5)


def test_a_natural_voice_speaks_at_the_speed_that_is_asked_for(run):
    usual = run("text_to_speech", "mms-tts-eng", text="the dog is good\nthe cat is bad", **SAID)
    fast = run("text_to_speech", "mms-tts-eng", text="the dog is good\nthe cat is bad", **{**SAID, "speed": 330.0})
    assert usual.rate == 16_000 and np.isfinite(usual.samples).all() and usual.samples.shape[1] == 1
    assert 0 < fast.seconds < usual.seconds
    again = run("text_to_speech", "mms-tts-eng", text="the dog is good\nthe cat is bad", **SAID)
    assert np.allclose(usual.samples, again.samples, atol=1e-5)


@pytest.mark.parametrize(
    ("values", "port"),
    [({"voice": "female"}, "voice"), ({"pitch": 80.0}, "pitch"), ({"language": "de"}, "language")],
)
def test_what_the_voice_has_not_is_refused(values, port, run):
    with pytest.raises(NodeError) as caught:
        run("text_to_speech", "mms-tts-eng", text="the dog is good", **{**SAID, **values})
    assert caught.value.port == port


def test_a_script_that_the_voice_cannot_read_is_refused(run):
    with pytest.raises(NodeError) as caught:
        run("text_to_speech", "mms-tts-eng", text="猫", **SAID)
    assert caught.value.port in ("text", "language")


@pytest.mark.parametrize("own_voice", [False, True])
def test_speecht5_says_what_the_library_says(own_voice, context_for, model_of, tmp_path):
    import torch
    import transformers
    from safetensors.torch import save_file

    context, voice = context_for("speecht5-tts"), torch.zeros(1, 12)
    if own_voice:
        for id in ("speecht5-tts", "speecht5-hifigan", "speecht5-settings"):
            shutil.copytree(model_of(id), tmp_path / "models" / id)
        voice = torch.linspace(-1, 1, 12)[None]
        context.model = tmp_path / "models" / "speecht5-tts"
        save_file({"speaker": voice[0]}, context.model / "speaker.safetensors")
    network = transformers.SpeechT5ForTextToSpeech.from_pretrained(model_of("speecht5-tts")).eval()
    vocoder = transformers.SpeechT5HifiGan.from_pretrained(model_of("speecht5-hifigan")).eval()
    letters = ("<s>", "<pad>", "</s>", "<unk>", "▁", *"abcdefghijklmnopqrstuvwxyzT.,")
    tokens = [letters.index(letter) for letter in "▁The▁dog▁has▁two▁cats."]
    torch.manual_seed(0)
    plain = network.generate_speech(torch.tensor([[*tokens, 2]]), voice, vocoder=vocoder)
    way = TOOLS["text_to_speech"].backend("speecht5-tts")
    assert way is not None
    said = way.run(text="The dog has 2 cats.", **SAID, context=context)
    assert said.rate == 16_000 and len(said.samples) > 100
    assert np.allclose(said.samples[:, 0], plain.detach().numpy(), atol=1e-5)
    fast = way.run(text="The dog has 2 cats.", **{**SAID, "speed": 330.0}, context=context)
    assert len(fast.samples) == pytest.approx(len(said.samples) / 2, abs=2)


@pytest.mark.parametrize(
    ("values", "port"),
    [({"voice": "female"}, "voice"), ({"pitch": 80.0}, "pitch"), ({"language": "de"}, "language"),
     ({"text": "猫猫"}, "text")],
)  # fmt: skip
def test_what_speecht5_has_not_is_refused(values, port, run):
    with pytest.raises(NodeError) as caught:
        run("text_to_speech", "speecht5-tts", **{"text": "the dog is good", **SAID, **values})
    assert caught.value.port in (port, "language") and caught.value.fix


@requires_espeak
def test_words_are_turned_into_sounds_for_a_voice_that_was_taught_those(run, context_for):
    heard = speech.phonemes("The year 1999, good.", "en", context_for("vits-ljs"))
    assert "," in heard and heard.endswith(".") and not any(map(str.isdigit, heard)) and "ɡ" in heard
    assert run("text_to_speech", "vits-ljs", text="The year 1999, good.", **SAID).seconds > 0


@requires_espeak
def test_kokoro_says_what_its_network_gives_for_the_sounds(run, context_for, model_of):
    import onnxruntime

    folder = model_of("kokoro-82m")
    session = onnxruntime.InferenceSession(str(folder / "onnx" / "model_quantized.onnx"))
    numbers = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    for values, named in (({"voice": "male"}, "bm_george"), ({"language": "en-us"}, "af_heart")):
        language = values.get("language", "en")
        sounds = [one for one in speech.phonemes("Good day.", language, context_for("kokoro-82m")) if one in numbers]
        style = np.fromfile(folder / "voices" / f"{named}.bin", "<f4").reshape(510, 1, 256)[len(sounds) - 1]
        tokens = np.array([[0, *map(numbers.get, sounds), 0]], np.int64)
        plain = session.run(None, {"input_ids": tokens, "style": style, "speed": np.ones(1, np.float32)})[0]
        said = run("text_to_speech", "kokoro-82m", text="Good day.", **{**SAID, **values})
        assert said.rate == 24_000 and np.allclose(said.samples[:, 0], np.ravel(plain))
    long = run("text_to_speech", "kokoro-82m", text="Many good words. " * 200, **{**SAID, "language": "en"})
    assert len(long.samples) > 2000


@requires_espeak
@pytest.mark.parametrize(
    ("values", "port"),
    [({"voice": "whisper"}, "voice"), ({"pitch": 80.0}, "pitch"), ({"language": "de"}, "language"),
     ({"language": "fr", "voice": "male"}, "voice")],
)  # fmt: skip
def test_what_kokoro_has_not_is_refused(values, port, run):
    with pytest.raises(NodeError) as caught:
        run("text_to_speech", "kokoro-82m", text="the dog is good", **{**SAID, **values})
    assert caught.value.port == port


def test_music_is_made_after_words_and_its_length(run, model_of):
    import torch
    import transformers

    values = {"score": "a good cat", "mood": "calm", "seconds": 0.5, "tempo": None, "seed": 7}
    first = run("make_music", "musicgen-small", **values)
    folder, words = model_of("musicgen-small"), "a good cat, calm mood"
    network = transformers.MusicgenForConditionalGeneration.from_pretrained(folder).eval()
    inputs = transformers.AutoProcessor.from_pretrained(folder)(text=[words], padding=True, return_tensors="pt")
    torch.manual_seed(zlib.crc32(words.encode(), 7))
    most = round(0.5 * network.config.audio_encoder.frame_rate)
    plain = network.generate(**inputs, do_sample=True, guidance_scale=3.0, max_new_tokens=most)[0].T.numpy()
    assert np.allclose(first.samples, np.clip(plain, -1, 1), atol=1e-5)
    assert first.rate == 3200 and 0.3 < first.seconds <= 0.55
    assert np.allclose(first.samples, run("make_music", "musicgen-small", **values).samples, atol=1e-5)
    for wrong, port in (({"score": "C4 E4"}, "score"), ({"seconds": 90.0}, "seconds")):
        with pytest.raises(NodeError) as caught:
            run("make_music", "musicgen-small", **{**values, **wrong})
        assert caught.value.port == port


def test_films_are_classified_by_pictures_of_their_whole_length(run, model_of, tmp_path):
    found = run("classify_video", "videomae-kinetics", video=movie(tmp_path / "c.mp4", 20, 10, (64, 48)), most=3)
    assert {label.name for label in found} == {"swimming", "cooking", "dancing"}
    assert abs(sum(label.score for label in found) - 1) < 1e-3


def test_silence_is_refused(run):
    for tool, id, more in (
        ("classify_sound", "ast-audioset", {"most": 3}),
        ("match_sound", "clap-htsat", {"labels": "a"}),
    ):
        with pytest.raises(NodeError) as caught:
            run(tool, id, audio=Audio(np.zeros((8000, 1), np.float32), 8000), **more)
        assert caught.value.port == "audio"


def test_windows_cover_the_text_and_keep_its_places(model_of):
    from transformers import AutoModelForAudioClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model_of("roberta-squad2"))
    network = AutoModelForAudioClassification.from_pretrained(model_of("ast-audioset"))
    text = "The dog sat on a mat. " * 40
    parts = list(text_models._windows(models.Loaded(network, tokenizer), text, overlap=8))
    assert all(text[at : at + len(part)] == part for at, part in parts) and parts[0][0] == 0
    assert text[parts[-1][0] :].strip() == parts[-1][1].strip()
    assert all(after[0] < before[0] + len(before[1]) for before, after in itertools.pairwise(parts))


@pytest.mark.parametrize("id", ["blip-large", "llava-interleave-0-5b"])
def test_a_film_is_described_picture_by_picture(id, run, context_for, tmp_path):
    film = movie(tmp_path / "c.mp4", 20, 10, (64, 48))
    said = run("describe_video", id, video=film, question="", frames=3)
    assert said.count("0:0") >= 1
    if id == "blip-large":
        with pytest.raises(NodeError, match="only describes"):
            run("describe_video", id, video=film, question="Who is it?", frames=3)
    else:
        assert run("describe_video", id, video=film, question="Who is it?", frames=3)
